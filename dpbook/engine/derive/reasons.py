"""Give reasons for a step of a derivation: checked proof steps, or the tactics that are trusted.

The kernel has checked the proof steps. The search for a reason has a small budget that counts
goals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy
from sympy import Expr, S

from dpbook.engine.derive.marking import Lines
from dpbook.engine.language.budget import Deadline, TimeUp, alarm, worked
from dpbook.engine.language.errors import LIBRARY_ERRORS, unless_ours
from dpbook.engine.language.statement import Both, Either, Relation, Tree
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.prove import proof_text
from dpbook.engine.prove.automatic import explicit
from dpbook.engine.prove.proof_text import Line
from dpbook.engine.prove.proofs import METHOD, Replay, entry_of
from dpbook.engine.prove.sequents import Untranslatable, plain, term_of, universal
from dpbook.engine.prove.tactics.core import Node, Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel import Rejected, Sequent, check
from dpbook.kernel import formulas as k
from dpbook.kernel.files.replay import lemmas_in

GOALS, DEPTHS = 24, (0, 1, 2)  # of one search
MORE = 60  # goals of one search once a tactic has proved the step: then there may be a certificate
NET = 20.0  # seconds of work for one search, as a net: the number of goals ends a search

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


@dataclass(frozen=True)
class Wanted:
    """Hold sequents for which a worker looks for certificates, as plain data.

    There is a group of sequents for each way to show a step. The first group counts of which all
    sequents have a certificate.
    """

    steps: tuple[tuple[tuple[Sequent, ...], ...], ...]
    seconds: float = math.inf  # of work for all of them
    goals: int = GOALS
    proof: tuple[()] = ()

    @property
    def time_limit(self) -> float:
        """Return the seconds of work, as a net: the budget counts goals."""
        return min(self.seconds, NET * sum(len(way) for ways in self.steps for way in ways))

    def run(self) -> Evidence:
        """Search for certificates; the evidence has a part for each step, with its certificate."""
        deadline = Deadline.after(self.seconds)
        started = worked()
        parts = tuple(self._step(ways, deadline) for ways in self.steps)
        return Evidence(Verdict.NOTED, parts=parts, seconds=worked() - started)

    def _step(self, ways: Sequence[Sequence[Sequent]], deadline: Deadline) -> Evidence:
        for number, way in enumerate(ways):
            found = [self._found(sequent, deadline) for sequent in way]
            if None not in found:
                return Evidence(Verdict.NOTED, certificate={"way": number, "proofs": found})
        return Evidence(Verdict.NOTED)

    def _found(self, sequent: Sequent, deadline: Deadline) -> Node | None:
        try:
            with alarm(deadline.part(NET)):
                node = Search(TACTICS, {}, self.goals).solve(sequent, DEPTHS)
                if node is not None:
                    node = explicit(sequent, node)
                    check(sequent, node, {})
        except (TimeUp, Rejected, *LIBRARY_ERRORS) as error:
            unless_ours(error)
            return None
        return node


def sequents_of(task: Lines, index: int) -> tuple[tuple[Sequent, ...], ...]:
    """Return the ways to show a line; each way is a group of sequents.

    A relation follows from the line before; if it is not marked as implied, the line before also
    follows from it. An expression equals the line before wherever the conditions hold; or it equals
    the line before where that line is defined, and is defined nowhere else.
    """
    before, line, implied = task.pair(index)
    try:
        with sympy.evaluate(False):
            if isinstance(before, Expr) or isinstance(line, Expr):
                if not (isinstance(before, Expr) and isinstance(line, Expr)):
                    return ()
                return tuple(_equality(before, line, task.given))
            first, second = _relation(before), _relation(line)
            ways = [(first, second)] if implied else [(first, second), (second, first)]
            found = tuple(universal(goal, [*task.given, fact]) for fact, goal in ways)
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


_TITLES = {  # by (the line is an expression, the number of sequents)
    (True, 1): ("",),
    (True, 2): ("where the line before is defined", "where this line is defined"),
    (False, 1): ("",),
    (False, 2): ("from the line before", "back to the line before"),
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
    ways: Sequence[Sequence[Sequent]], found: Evidence | None, equality: bool
) -> Reason | None:
    """Return the reason of a right step after a check by the kernel; None without a certificate.

    Parameters
    ----------
    ways : sequence of groups of sequents
        See `sequents_of`.
    found : Evidence or None
        The evidence that `Wanted` returned.
    equality : bool
        Whether the line is an expression.
    """
    certificate = {} if found is None else found.certificate
    if not certificate:
        return None
    parts, trusted = [], {METHOD: None}
    chosen = ways[certificate["way"]]
    titles = _TITLES[equality, len(chosen)]
    for title, sequent, node in zip(titles, chosen, certificate["proofs"], strict=True):
        entry = {"sequent": sequent.to_json(), "certificate": node}
        shown = Replay(entry, {}).run()
        if shown.verdict is not Verdict.PROVED:
            return None
        trusted |= dict.fromkeys(shown.trusted)
        parts.append((title, proof_text.lines_of(entry, {})))
    return Reason(tuple(trusted), tuple(parts))
