"""Give reasons for a step of a derivation: checked proof steps, or the tactics that are trusted.

The kernel has checked the proof steps. The search for them has a small budget that counts goals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import sympy
from sympy import Expr, S

from dpbook.engine.derive.comparison import Content
from dpbook.engine.language.budget import Deadline, attempt
from dpbook.engine.language.statement import Both, Either, Relation, Tree
from dpbook.engine.language.terms import Untranslatable, plain, term_of
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.prove import proof_text
from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.proof_text import Line
from dpbook.engine.prove.proofs import METHOD, Replay, entry_of
from dpbook.engine.prove.sequents import universal
from dpbook.engine.prove.tactics.core import Node, Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel import Rejected, Sequent, check
from dpbook.kernel import formulas as k
from dpbook.kernel.files.replay import lemmas_in

DEPTHS = (0, 1, 2)
# Goals of a search: before and after a point that tells the lines apart is looked for, and of the
# longest search, for a line that is not refuted and has no certificate.
FEW, GOALS, MORE = 6, 24, 36

_TRUE, _FALSE = Relation(S.Zero, "==", S.Zero), Relation(S.Zero, ">", S.One)


@dataclass(frozen=True)
class Reason:
    """Hold the reason of a right step.

    Attributes
    ----------
    trusted : tuple of str
        The kernel with its axioms, or the tactics.
    parts : tuple of (title, lines)
        The parts of the proof: one part for an equality or a line that only follows, one part for
        each direction of an equivalence. Empty without a certificate.
    """

    trusted: tuple[str, ...]
    parts: tuple[tuple[str, tuple[Line, ...]], ...] = ()

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Return the reason as lines of text: numbered steps, or the list of trusted tactics."""
        if not self.parts:
            return [f"trusted: {', '.join(self.trusted)}"]
        return [
            line
            for title, steps in self.parts
            for line in (*([f"{title}:"] if title else ()), *proof_text.as_text(steps))
        ]


class LineSearch:
    """Search for certificates of one line; a second call goes on where the first one stopped.

    Attributes
    ----------
    ways : sequence of groups of sequents
        See `sequents_of`. The first group counts of which all sequents have a certificate.
    """

    def __init__(self, ways: Sequence[Sequence[Sequent]]) -> None:
        self.ways = ways
        self._searches: dict[Sequent, Search] = {}

    def certificate(self, goals: int, seconds: float) -> dict[str, Any]:
        """Return the number of the group and its certificates; empty if none is found.

        Parameters
        ----------
        goals : int
            The goals that may be tried for one sequent.
        seconds : float
            The work for all sequents, as a net: the number of goals ends a search.
        """
        deadline = Deadline.after(seconds)
        # With few goals a weaker group may have certificates before the first one has them.
        for number, way in enumerate(self.ways[: 1 if goals <= FEW else None]):
            # a sequent without a certificate ends the search of its group
            tried = (self._found(sequent, goals, deadline) for sequent in way)
            found = list(takewhile(lambda node: node is not None, tried))
            if len(found) == len(way):
                return {"way": number, "proofs": found}
        return {}

    def _found(self, sequent: Sequent, goals: int, deadline: Deadline) -> Node | None:
        search = self._searches.setdefault(sequent, Search(TACTICS, {}))
        search.budget = goals
        with attempt(deadline.left, Rejected):
            node = search.solve(sequent, DEPTHS)
            if node is not None:
                node = explicit(sequent, node)
                check(sequent, node, {})
            return node
        return None


def sequents_of(
    before: Content, line: Content, implied: bool, given: Sequence[Tree]
) -> tuple[tuple[Sequent, ...], ...]:
    """Return the ways to show a line; each way is a group of sequents.

    A relation follows from the line before; if it is not marked as implied, the line before also
    follows from it. An expression equals the line before wherever the conditions hold; or it equals
    the line before where that line is defined, and is defined nowhere else.
    """
    try:
        with sympy.evaluate(False):
            if isinstance(before, Expr) or isinstance(line, Expr):
                if not (isinstance(before, Expr) and isinstance(line, Expr)):
                    return ()
                return tuple(_equality(before, line, given))
            first, second = _relation(before), _relation(line)
            ways = [(first, second)] if implied else [(first, second), (second, first)]
            found = tuple(universal(goal, [*given, fact]) for fact, goal in ways)
            for sequent in found:
                sequent.check_formed()
            return (found,)
    except (Untranslatable, Rejected):
        return ()


def _relation(tree: Tree) -> Tree:
    """Replace a line without relations, which is true or false everywhere, by a relation."""
    if isinstance(tree, (Both, Either)) and not tree.parts:
        return _TRUE if isinstance(tree, Both) else _FALSE
    return tree


def _equality(before: Expr, line: Expr, given: Sequence[Tree]) -> Iterator[tuple[Sequent, ...]]:
    whole = universal(Relation(before, "==", line), given)
    whole.check_formed()
    yield (whole,)
    first, second = (k.Is("defined", term_of(side)) for side in (before, line))
    if not (plain(first.term) and plain(second.term)):
        yield (whole.assuming(first), whole.assuming(second).showing(first))


_TITLES = {  # of two sequents, by whether the line is an expression
    True: ("where the line before is defined", "where this line is defined"),
    False: ("from the line before", "back to the line before"),
}


def reason_in(evidence: Evidence) -> Reason | None:
    """Return the reason why a statement holds, from its evidence; None if it is not shown.

    The kernel checked its certificate when the statement was decided.
    """
    if not evidence.holds:
        return None
    entry = entry_of(evidence.certificate)
    if entry is None or lemmas_in(entry["certificate"]):
        return Reason(evidence.trusted)
    return Reason(evidence.trusted, (("", proof_text.lines_of(entry, {})),))


def reason_of(
    ways: Sequence[Sequence[Sequent]], certificate: Mapping[str, Any], equality: bool
) -> Reason | None:
    """Return the reason of a right step after a check by the kernel; None where it refuses.

    Parameters
    ----------
    ways : sequence of groups of sequents
        See `sequents_of`.
    certificate : mapping
        The certificate that a `LineSearch` returned.
    equality : bool
        Whether the line is an expression.
    """
    if not certificate:
        return None
    parts, trusted = [], {METHOD: None}
    chosen = ways[certificate["way"]]
    titles = _TITLES[equality] if len(chosen) == 2 else ("",)
    for title, sequent, node in zip(titles, chosen, certificate["proofs"], strict=True):
        entry = {"sequent": sequent.to_json(), "certificate": node}
        shown = Replay(entry, {}).run()
        if shown.verdict is not Verdict.PROVED:
            return None
        trusted |= dict.fromkeys(shown.trusted)
        parts.append((title, proof_text.lines_of(entry, {})))
    return Reason(tuple(trusted), tuple(parts))
