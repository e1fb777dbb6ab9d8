"""Proofs to be read: what each step of a certificate shows, by which rule in words, from what."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpbook.engine.proofs import Entry, Step, walk
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import FALSE, All, And, Formula, Is, Or, Sequent, sequent_from_json
from dpbook.kernel.terms import text

CHECKED = "the proof that the kernel checked"  # above the steps of one
LONGEST = 88  # characters of one formula
DEEPEST = 5  # levels that are shown
MOST = 60  # lines that are shown
FACTS = 3  # facts that are named in one line

_KEY = re.compile(r"\b([a-z_]+:[a-z][a-z0-9.-]*[a-z0-9])")  # of a claim

# what each rule says; the names in braces are fields of its node
WORDS = {
    "and": "part by part",
    "or": "one of the alternatives holds",
    "refute": "suppose the contrary",
    "known": "given, or clear from the signs of its parts",
    "split": "by the alternatives that are given",
    "cases": "by the sign of {term}",
    "have": "shown on the way",
    "weaken": "without facts that are not needed",
    "axiom": "axiom {name}, at {at}",
    "instance": "what is given for all values, at {value}",
    "all": "for an arbitrary value",
    "lemma": "by {name}",
    "defined": "by the domains of its functions",
    "identity": "both sides have the same normal form",
    "restate": "the same, written in another way",
    "combination": "a sum of positive terms would be 0",
    "cancel": "without its positive factors",
    "change": "the same fact, written in another way",
    "substitute": "put {value} for {variable}",
    "rewrite": "equals for equals",
    "name": "{name} is a name for {term}",
    "generalise": "for any number in place of {term}",
    "monotone": "from {variable} = {end} on by the sign of the derivative",
    "concave": "concave in {variable} between {low} and {high}, where it holds",
    "descend": "it falls in {variable} towards a limit that is not negative",
    "induct": "by induction over {variable} from {start}",
    "telescope": "the sum telescopes, with {by}",
    "unroll": "the sum written out",
    "parts": "the sum cut at {at}",
    "compare sums": "term by term",
    "exchange sums": "the order of summation exchanged",
    "reindex": "the index moved by {by}",
    "residues": "by the residues modulo {modulus}",
    "no root": "the ratio of {factors} is no power of a rational number with exponent {exponent}",
    "whole": "integers: above b is at least b + 1",
    "proper integral": "a continuous function on a bounded segment",
    "primitive": "by the primitive {by}",
    "integral of the table": "integral {entry} of the table",
    "linear integral": "the integral taken apart",
    "cut integral": "the range cut at {at}",
    "compare integrals": "one integrand bounds the other",
    "move integral": "a substitution with scale {scale} and shift {shift}",
    "reverse integral": "the ends exchanged",
    "bounded integral": "a measurable function whose size {by} bounds",
    "series": "the terms are differences of {by}, which goes to {limit}",
    "compare series": "bounded by a series that converges",
    "cut series": "the terms up to {at} apart",
    "linear series": "the series taken apart",
    "vanishing integral": "integrands that tend to 0 below {by}",
    "bisect": "by intervals on boxes that cover the domain",
    "enclosed": "it has an enclosure on the domain",
    "smt": "by the solver {solver}",
}
# rules whose last premise shows the same goal, or a goal that is enough: the next step
GOES_ON = {
    *("refute", "have", "weaken", "axiom", "instance", "all", "lemma", "restate", "cancel"),
    *("change", "substitute", "rewrite", "name", "generalise", "or", "telescope", "unroll"),
    *("parts", "compare sums", "exchange sums", "reindex", "whole", "primitive"),
    *("integral of the table", "linear integral", "cut integral", "compare integrals"),
    *("move integral", "reverse integral", "vanishing integral"),
    *("series", "compare series", "cut series", "linear series"),
}


@dataclass(frozen=True)
class Line:
    """One step of a proof.

    Attributes
    ----------
    shown : str
        What it shows.
    why : str
        By which rule, from what.
    steps : tuple of Line
        What that rests on.
    """

    shown: str
    why: str
    steps: tuple[Line, ...] = ()

    @property
    def count(self) -> int:
        """How many steps this is, those below included."""
        return 1 + sum(step.count for step in self.steps)

    def __str__(self) -> str:
        return f"{self.shown}: {self.why}" if self.shown and self.why else self.shown or self.why

    def to_json(self) -> list[Any]:
        """As nested lists."""
        return [self.shown, self.why, [step.to_json() for step in self.steps]]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Line:
        """From nested lists."""
        shown, why, steps = data
        return cls(shown, why, tuple(map(cls.from_json, steps)))


def lines_of(entry: Entry, lemmas: Mapping[str, Any]) -> tuple[Line, ...]:
    """Return the steps of a proof that the kernel has accepted.

    Raises
    ------
    Rejected
        When it is none.
    """
    sequents = {name: sequent_from_json(data) for name, data in lemmas.items()}
    found: dict[tuple[int, ...], Step] = {}
    for step in walk(sequent_from_json(entry["sequent"]), entry["certificate"], sequents):
        found[step.path] = step
    try:
        made = _chain(found, ())
        # the parts of a statement are its steps
        return made[0].steps if found[()].node["rule"] == "and" else made
    except RecursionError:
        raise Rejected("the proof is too long to be shown") from None


def _chain(found: Mapping[tuple[int, ...], Step], path: tuple[int, ...]) -> tuple[Line, ...]:
    """The steps one after the other, as long as the last premise of each goes on with it."""
    made: list[Line] = []
    while True:
        step = found[path]
        rule, count = step.node["rule"], len(step.node.get("premises", []))
        children = [(*path, i) for i in range(count)]
        last = children.pop() if rule in GOES_ON and children else None
        if rule == "refute" and last and not found[last].node.get("premises"):
            # nothing stands between the contrary and the contradiction
            return (*made, Line(_goal(step.sequent), f"otherwise {_words(found[last])}"))
        below = tuple(line for child in children for line in _premise(found, step, child))
        line = _line(step, found[last] if last else None, below)
        if line.shown:  # a step that brings no new fact is none to read
            made.append(line)
        if last is None:
            return tuple(made)
        path = last


def _premise(
    found: Mapping[tuple[int, ...], Step], parent: Step, path: tuple[int, ...]
) -> Iterator[Line]:
    """A premise as one step; what is given, or clear from signs, is left out."""
    step = found[path]
    if step.node["rule"] == "known" and parent.node["rule"] not in ("and", "cases", "split"):
        return
    steps = _chain(found, path)
    if parent.node["rule"] in ("cases", "split"):
        alone = len(steps) == 1 and steps[0].shown == _goal(parent.sequent)
        why, below = (steps[0].why, steps[0].steps) if alone else ("", steps)
        yield Line(f"if {_added(parent.sequent, step.sequent)}", why, below)
    elif len(steps) == 1:
        yield steps[0]
    else:
        yield Line(_goal(step.sequent), f"in {len(steps)} steps", steps)


def _line(step: Step, following: Step | None, below: tuple[Line, ...]) -> Line:
    why = _words(step)
    if following is None:
        return Line(_goal(step.sequent), why, below)
    if step.node["rule"] == "refute":
        return Line(f"suppose {_added(step.sequent, following.sequent)}", "", below)
    if following.sequent.goal != step.sequent.goal:
        return Line(f"it is enough that {_goal(following.sequent)}", why, below)
    shown = _added(step.sequent, following.sequent)
    if step.node["rule"] == "have" and len(below) == 1 and below[0].shown == shown:
        return below[0]
    return Line(shown, why, below)


def _words(step: Step) -> str:
    node = step.node
    at = node.get("at")
    shown = {
        name: _short(_pairs(value) if isinstance(value, dict) else str(value))
        for name, value in node.items()
        if name != "premises"
    }
    said = WORDS[node["rule"]].format_map(_Missing(shown))
    if node["rule"] == "axiom" and not at:
        said = f"axiom {node['name']}"
    if node["rule"] == "lemma" and at:
        said += f", at {shown['at']}"
    used = [_fact(step.sequent, number) for number in _numbers(node)]
    if used:
        more = f" and {len(used) - FACTS} more" if len(used) > FACTS else ""
        said += f"; from {', '.join(used[:FACTS])}{more}"
    return said


class _Missing(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "..."


def _pairs(at: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in at.items())


def _numbers(node: Mapping[str, Any]) -> list[int]:
    """The numbers of the hypotheses that a node uses, each once."""
    found: dict[int, None] = {}
    for name in ("hypothesis", "fact", "equality"):
        if isinstance(node.get(name), int):
            found[node[name]] = None
    if node["rule"] == "smt":
        found |= dict.fromkeys(node.get("facts", []))
    if node["rule"] == "combination":
        for term in node.get("terms", []):
            found |= dict.fromkeys(term[1])
    if node["rule"] in ("combination", "restate"):
        found |= dict.fromkeys(number for number, _ in node.get("equalities", []))
    return list(found)


def _fact(sequent: Sequent, number: int) -> str:
    return _short(_said(sequent.hypotheses[number]), LONGEST // 3)


def _goal(sequent: Sequent) -> str:
    return "contradiction" if sequent.goal == FALSE else _short(_said(sequent.goal))


def _added(before: Sequent, after: Sequent) -> str:
    """The facts that a premise has beyond those of its conclusion; empty where there are none."""
    old: set[Formula] = set(before.hypotheses)
    new = [_said(h) for h in after.hypotheses if h not in old]
    return _short(" and ".join(new))


def _said(f: Formula) -> str:
    """A formula in plain words and signs."""
    if isinstance(f, Is):
        return f"{text(f.term)} is {'defined' if f.what == 'defined' else 'an integer'}"
    if isinstance(f, (And, Or)):
        word = " and " if isinstance(f, And) else " or "
        return word.join(_said(p) for p in f.parts)
    if isinstance(f, All):
        given = " and ".join(map(_said, f.conditions))
        return f"{_said(f.body)} for all {f.name}{f' with {given}' if given else ''}"
    return f"{text(f.left)} {'=' if f.op == '==' else f.op} {text(f.right)}"


def _short(shown: str, longest: int = LONGEST) -> str:
    """Leave out the middle of what is long: the end says what is said of it."""
    if len(shown) <= longest:
        return shown
    end = longest // 3
    return f"{shown[: longest - end - 3]} … {shown[-end:]}"


# --- as text, as HTML -----------------------------------------------------------------------------


def cut(lines: Sequence[Line], most: int = MOST, deepest: int = DEEPEST) -> tuple[Line, ...]:
    """Leave steps out beyond a depth and a number, and say how many; what was cut stays as it is."""
    room = [most]

    def kept(steps: Sequence[Line], depth: int) -> tuple[Line, ...]:
        made: list[Line] = []
        for place, step in enumerate(steps):
            if not step.shown:  # says how many were left out before
                made.append(step)
                continue
            if depth > deepest or room[0] <= 0:
                left = sum(one.count for one in steps[place:])
                return (*made, Line("", f"… {left} more {'step' if left == 1 else 'steps'}"))
            room[0] -= 1
            made.append(Line(step.shown, step.why, kept(step.steps, depth + 1)))
        return tuple(made)

    return kept(lines, 1)


def as_text(lines: Sequence[Line]) -> list[str]:
    """Return steps as numbered lines, those below a step indented."""
    return list(_numbered(cut(lines), ""))


def _numbered(lines: Sequence[Line], before: str) -> Iterator[str]:
    indent = "  " * before.count(".")
    for number, line in enumerate(lines, 1):
        if line.shown:
            yield f"{indent}{before}{number}. {line}"
        else:
            yield f"{indent}{line.why}"
        yield from _numbered(line.steps, f"{before}{number}.")


def as_html(lines: Sequence[Line]) -> str:
    """Return steps as nested numbered lists."""

    def listed(steps: Sequence[Line]) -> str:
        return f"<ol>{''.join(map(item, steps))}</ol>" if steps else ""

    def item(line: Line) -> str:
        shown = f"<code>{html.escape(line.shown)}</code>" if line.shown else ""
        why = _KEY.sub(r"<code>\1</code>", html.escape(line.why))
        return f"<li>{': '.join(part for part in (shown, why) if part)}{listed(line.steps)}</li>"

    return listed(cut(lines))
