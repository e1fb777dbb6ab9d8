"""Write proofs as text: each step of a certificate, its rule in words, and the facts it uses."""

from __future__ import annotations

import html
import itertools
import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from dpbook.engine.prove.certificates import Step, steps_of
from dpbook.engine.prove.proofs import Entry
from dpbook.engine.prove.term_text import readable
from dpbook.kernel.environment import Environment
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.lemmas import BENEATH
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import FALSE, All, And, Formula, Is, Or, Relation, Sequent, free
from dpbook.kernel.table import UNPROVED
from dpbook.kernel.terms import BINDERS, Term, parse_term

CHECKED = "the {} that the kernel checked"  # above the steps of a proof
LONG = 160  # characters of a step; in longer steps repeated parts get a name
FOLDED = 400  # characters of a formula that a page opens on demand
RECURS = 16  # characters of a part that gets a name, at least
WIDTH = 100  # characters of a line of text
DEEPEST = 5  # levels that are shown
MOST = 60  # lines that are shown
FACTS = 3  # facts that are named in one line

_KEY = re.compile(r"\b([a-z_]+:[a-z][a-z0-9.-]*[a-z0-9])")  # of a claim
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9']*")
_FOR_ALL = re.compile(r"\bfor all ([A-Za-z_][A-Za-z_0-9']*)")
_BRACKETS = re.compile(r"[(),]")
_CALLED = re.compile(r"[A-Za-z_][A-Za-z_0-9']*$")
_NO_TERM = re.compile(r" (?:=|<|>|<=|>=|!=|is|and|or) ")
_PRIVATE = 0xE000  # signs that stand in no formula
_MEANS = re.compile(r"[A-Z]+ = ")  # begins the definition of a name

# the words for each rule; the names in braces are fields of its node
WORDS = {
    "and": "part by part",
    "or": "one of the alternatives holds",
    "refute": "suppose the contrary",
    "auto": "clear from the facts before and the signs of its parts",
    "split": "by the alternatives that are given",
    "cases": "by the sign of {term}",
    "have": "shown on the way",
    "weaken": "without facts that are not needed",
    "axiom": "axiom or lemma {name} of the kernel, at {at}",
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
    "name": "a new name",
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
    "inner integral": "a part of the range of {whole}",
    "primitive": "by the primitive {by}",
    "integral of the table": "the value of an integral",
    "linear integral": "the integral taken apart",
    "cut integral": "the range cut at {at}",
    "compare integrals": "one integrand bounds the other",
    "move integral": "a substitution with scale {scale} and shift {shift}",
    "change integral": "a substitution: the variable is {by}",
    "reverse integral": "the ends exchanged",
    "bounded integral": "a measurable function whose size {by} bounds",
    "series": "the terms are differences of {by}, which goes to {limit}",
    "compare series": "bounded by a series that converges",
    "linear series": "the series taken apart",
    "exchange integrals": "the order of integration exchanged, of what is nowhere negative",
    "vanishing integral": "integrands that tend to 0 below {by}",
    "bisect": "by intervals on boxes that cover the domain",
    "enclosed": "it has an enclosure on the domain",
}
# rules whose last premise shows the same goal, or a goal that is enough: the next step
GOES_ON = {
    *("refute", "have", "weaken", "axiom", "instance", "all", "lemma", "restate", "cancel"),
    *("change", "substitute", "rewrite", "name", "generalise", "or", "telescope", "unroll"),
    *("parts", "compare sums", "exchange sums", "reindex", "whole", "primitive"),
    *("integral of the table", "linear integral", "cut integral", "compare integrals"),
    *("move integral", "change integral", "reverse integral", "exchange integrals"),
    *("vanishing integral", "series", "compare series", "linear series"),
}


@dataclass(frozen=True)
class Line:
    """Represent one step of a proof.

    Attributes
    ----------
    shown : str
        The fact that it shows.
    why : str
        The rule, and the facts that it uses.
    steps : tuple of Line
        The steps that it rests on.
    """

    shown: str
    why: str
    steps: tuple[Line, ...] = ()

    @property
    def count(self) -> int:
        """Return the number of steps, with all steps below."""
        return 1 + sum(step.count for step in self.steps)

    def __str__(self) -> str:
        return f"{self.shown}: {self.why}" if self.shown and self.why else self.shown or self.why

    def to_json(self) -> list[Any]:
        """Return the step as nested lists."""
        return [self.shown, self.why, [step.to_json() for step in self.steps]]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Line:
        """Make a step from nested lists."""
        shown, why, steps = data
        return cls(shown, why, tuple(map(cls.from_json, steps)))


def lines_of(entry: Entry, lemmas: Mapping[str, Any]) -> tuple[Line, ...]:
    """Return the steps of a proof that the kernel has accepted.

    Raises
    ------
    Rejected
        When it is no such proof, or too long to be shown.
    """
    sequents = {name: sequent_from_json(data) for name, data in lemmas.items()}
    sequent, environment = sequent_from_json(entry["sequent"]), Environment(sequents)
    try:
        whole = steps_of(sequent, entry["certificate"], environment)
        made = _chain(whole)
        # the parts of a statement are its steps
        return made[0].steps if whole.node["rule"] == "and" else made
    except RecursionError:
        raise Rejected("the proof is too long to be shown") from None


def _chain(step: Step | None) -> tuple[Line, ...]:
    """Return the steps in order, as long as the last premise of a step continues the proof."""
    made: list[Line] = []
    while step:
        rule, children = step.node["rule"], list(step.premises)
        last = children.pop() if rule in GOES_ON and children else None
        if rule == "refute" and last and not last.premises:
            # nothing stands between the contrary and the contradiction
            return (*made, Line(_goal(step.shows), f"otherwise {_words(last)}"))
        below = tuple(line for child in children for line in _premise(step, child))
        line = _line(step, last, _together(below) if rule == "and" else below)
        if line.shown:  # a step without a new fact is left out
            made.append(line)
        step = last
    return tuple(made)


def _together(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Join parts with the same reason, and without steps, in one line as long as it is short."""
    made: list[Line] = []
    for line in lines:
        last = made[-1] if made else line
        shown = f"{last.shown} and {line.shown}"
        if made and last.why == line.why and not last.steps + line.steps and len(shown) < LONG:
            made[-1] = Line(shown, line.why)
        else:
            made.append(line)
    return tuple(made)


def _premise(parent: Step, step: Step) -> Iterator[Line]:
    """Yield a premise as one step; a premise that is given, or clear from signs, is left out."""
    if step.node["rule"] == "auto" and parent.node["rule"] not in ("and", "cases", "split"):
        return
    steps = _chain(step)
    if parent.node["rule"] in ("cases", "split"):
        alone = len(steps) == 1 and steps[0].shown == _goal(parent.shows)
        why, below = (steps[0].why, steps[0].steps) if alone else ("", steps)
        yield Line(f"if {_added(parent.shows, step.shows)}", why, below)
    elif len(steps) == 1:
        yield steps[0]
    else:
        yield Line(_goal(step.shows), f"in {len(steps)} steps", steps)


def _line(step: Step, following: Step | None, below: tuple[Line, ...]) -> Line:
    why = _words(step)
    if following is None:
        goal = _goal(step.shows)
        apart = step.node["rule"] == "and" and len(goal) > LONG
        return Line("the goal" if apart else goal, why, below)  # its parts stand below
    if step.node["rule"] == "refute":
        return Line(f"suppose {_added(step.shows, following.shows)}", "", below)
    enough = _goal(following.shows)
    if enough != _goal(step.shows):
        return Line(f"it is enough that {enough}", why, below)
    shown = _added(step.shows, following.shows)
    if step.node["rule"] == "have" and len(below) == 1 and below[0].shown == shown:
        return below[0]
    return Line(shown, why, below)


def _words(step: Step) -> str:
    node = step.node
    shown = {name: _field(value) for name, value in node.items()}
    words = _of_known(step.shows) if node["rule"] == "auto" else WORDS[node["rule"]]
    said = words.format_map(_Missing(shown))
    if node["rule"] == "axiom":
        said = _fact_of_the_kernel(node["name"])
    if node["rule"] == "integral of the table":
        said += f": {_fact_of_the_kernel(node['entry'])}"
    if node["rule"] in ("axiom", "lemma") and node.get("at"):
        said += f", at {shown['at']}"
    used = [_said(step.shows.hypotheses[number]) for number in _numbers(node)]
    if used:
        more = f" and {len(used) - FACTS} more" if len(used) > FACTS else ""
        said += f"; from {', '.join(used[:FACTS])}{more}"
    return said


def _fact_of_the_kernel(name: str) -> str:
    """Return whether a fact is an axiom or a lemma, its name, and the axioms beneath a lemma."""
    if name in UNPROVED:
        return f"axiom {name}"
    axioms = sorted(BENEATH[name])
    more = f", which rests on axiom {', axiom '.join(axioms)}" if axioms else ""
    return f"lemma {name} of the kernel{more}"


def _of_known(s: Sequent) -> str:
    if s.goal in s.hypotheses:
        return "given, or shown before"
    if s.goal == FALSE:
        return "the facts before contradict each other"
    if not free(s.goal):
        return "computed"
    if isinstance(s.goal, Relation) and s.goal.op == "==":
        return WORDS["identity"]
    return WORDS["auto"]


class _Missing(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "..."


def _field(value: Any) -> str:
    """Return a term, or terms by their names, as readable text; another value stays as it is."""
    if isinstance(value, dict):
        return ", ".join(f"{name} = {_field(one)}" for name, one in value.items())
    try:
        return readable(parse_term(value)) if isinstance(value, str) else str(value)
    except Rejected:
        return value


def _numbers(node: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the hypotheses that a node uses, each once."""
    found: dict[int, None] = {}
    for name in ("hypothesis", "fact", "equality"):
        if isinstance(node.get(name), int):
            found[node[name]] = None
    if node["rule"] == "combination":
        for term in node.get("terms", []):
            found |= dict.fromkeys(term[1])
    if node["rule"] in ("combination", "restate"):
        found |= dict.fromkeys(number for number, _ in node.get("equalities", []))
    return list(found)


def _goal(sequent: Sequent) -> str:
    return "contradiction" if sequent.goal == FALSE else _said(sequent.goal)


def _added(before: Sequent, after: Sequent) -> str:
    """Return the facts that a premise has and its conclusion has not; empty without such facts."""
    old: set[Formula] = set(before.hypotheses)
    return _said(And(tuple(h for h in after.hypotheses if h not in old)))


def _said(f: Formula) -> str:
    """Return a formula in plain words and signs."""
    if isinstance(f, Is):
        return f"{readable(f.term)} is {'defined' if f.what == 'defined' else 'an integer'}"
    if isinstance(f, And):
        defined = {p.term for p in f.parts if isinstance(p, Is) and p.what == "defined"}
        sides = {side for p in f.parts if isinstance(p, Relation) for side in (p.left, p.right)}
        return " and ".join(
            f"({_said(p)})" if isinstance(p, Or) else f"{_said(p)}{_sides_defined(p, defined)}"
            for p in f.parts
            if not (isinstance(p, Is) and p.what == "defined" and p.term in sides)
        )
    if isinstance(f, Or):
        return " or ".join(_said(p) for p in f.parts)
    if isinstance(f, All):
        given = " and ".join(map(_said, f.conditions))
        return f"{_said(f.body)} for all {f.name}{f' with {given}' if given else ''}"
    return f"{readable(f.left)} {'=' if f.op == '==' else f.op} {readable(f.right)}"


def _sides_defined(f: Formula, defined: Set[Term]) -> str:
    """Say which sides of a relation are defined, without writing a side once more."""
    if not isinstance(f, Relation) or not {f.left, f.right} & defined:
        return ""
    if {f.left, f.right} <= defined:
        return " (both sides are defined)"
    return f" (the {'left' if f.left in defined else 'right'} side is defined)"


# --- long formulas --------------------------------------------------------------------------------


def named(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Give repeated parts of long formulas a name, defined first; no formula loses a part.

    A name stands for a term in brackets, or for a function with its arguments: so it can take their
    place without a bracket. A part with a variable that is bound around it gets no name.
    """
    texts: list[str] = []

    def collect(steps: Sequence[Line]) -> None:
        for step in steps:
            texts.extend((step.shown, step.why))
            collect(step.steps)

    collect(lines)
    taken = {name for one in texts for name in _NAME.findall(one)}
    bound = {name for one in texts for name in _FOR_ALL.findall(one)}
    bound |= {part.binds for one in set(texts) for part in _parts(one) if part.binds}
    meant: dict[str, str] = {}  # the part that each name stands for
    while len(meant) < MOST:
        long = [one for one in (*texts, *meant.values()) if len(one) > LONG]
        found = Counter(part.text for one in long for part in _parts(one) if part.free(bound))
        saved = {text: (count - 1) * len(text) for text, count in found.items()}
        part = max(saved, key=lambda text: (saved[text], text), default="")
        if not part or saved[part] < LONG // 2:
            break
        name = chr(_PRIVATE + len(meant))
        replaced = re.compile(rf"(?<![A-Za-z_0-9'])(?:{re.escape(part)})")
        texts = [replaced.sub(name, one) for one in texts]
        meant = {other: replaced.sub(name, what) for other, what in meant.items()}
        meant[name] = part[1:-1] if part[0] == "(" else part

    def depth(name: str) -> int:
        return 1 + max((depth(inner) for inner in meant[name] if inner in meant), default=0)

    order = sorted(meant, key=depth)  # a name comes after the names in its part
    letters = (letter for letter in _letters() if letter not in taken)
    table = {ord(name): letter for name, letter in zip(order, letters, strict=False)}
    rest = iter([one.translate(table) for one in texts])

    def rebuilt(steps: Sequence[Line]) -> tuple[Line, ...]:
        return tuple(Line(next(rest), next(rest), rebuilt(step.steps)) for step in steps)

    first = (f"{table[ord(name)]} = {meant[name].translate(table)}" for name in order)
    return (*(Line("", one) for one in first), *rebuilt(lines))


def _letters() -> Iterator[str]:
    """Yield the names A, B, ..., Z, AA, AB, ..."""
    for size in itertools.count(1):
        yield from map("".join, itertools.product(string.ascii_uppercase, repeat=size))


@dataclass(frozen=True)
class _Part:
    """Describe a bracket of a formula that holds one term, or a function with its arguments."""

    text: str
    binds: str = ""  # the variable of a sum or an integral

    def free(self, bound: set[str]) -> bool:
        """Say whether the part means the same everywhere, and is long enough for a name."""
        if len(self.text) < RECURS or _NO_TERM.search(self.text):
            return False
        inside = bound.intersection(_NAME.findall(self.text))
        # a sum does not bind its index in its ends
        ends = self.text.rpartition(f", {self.binds}, ")[2] if self.binds else ""
        return inside <= {self.binds} and self.binds not in _NAME.findall(ends)


def _parts(shown: str) -> Iterator[_Part]:
    opened: list[list[int]] = []  # where a bracket opens, and its commas
    for match in _BRACKETS.finditer(shown):
        place = match.start()
        if match[0] == "(":
            opened.append([place])
        elif opened and match[0] == ",":
            opened[-1].append(place)
        elif opened:
            start, *commas = opened.pop()
            function = _CALLED.search(shown, max(0, start - 60), start)
            if function:
                ends = [*commas, place]
                binds = shown[ends[0] + 1 : ends[1]].strip() if function[0] in BINDERS else ""
                yield _Part(shown[function.start() : place + 1], binds)
            elif not commas:
                yield _Part(shown[start : place + 1])


# --- as text, as HTML -----------------------------------------------------------------------------


def cut(lines: Sequence[Line], most: int = MOST, deepest: int = DEEPEST) -> tuple[Line, ...]:
    """Leave out steps beyond a depth and a number, say how many, and name repeated parts.

    Lines that are cut already stay as they are.
    """
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

    return named(kept(lines, 1))


def as_text(lines: Sequence[Line], width: int = WIDTH) -> list[str]:
    """Return steps as numbered lines: steps below a step are indented, long lines are wrapped."""
    return [one for line in _numbered(cut(lines), "") for one in wrapped(line, width)]


def sequent_as_text(sequent: Mapping[str, Any], width: int = WIDTH) -> list[str]:
    """Return a sequent, from plain data, as lines: its variables, its functions, its hypotheses and its goal."""
    s = sequent_from_json(sequent)
    variables = ", ".join(f"{sort} {name}" for name, sort in s.variables)
    functions = ", ".join(f"{name} of {n}" for name, n in s.functions)
    lines = [
        *([f"variables: {variables}"] if variables else []),
        *([f"functions: {functions}"] if functions else []),
        *(f"given {number}: {h}" for number, h in enumerate(s.hypotheses)),
        f"goal: {s.goal}",
    ]
    return [one for line in lines for one in wrapped(line, width)]


def wrapped(line: str, width: int = WIDTH) -> Iterator[str]:
    """Break a line at spaces, and a long word at a product or a fraction."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    shown = ""
    for word in re.split(r"(?<= )(?=\S)", line):
        for piece in re.split(r"(?<=\*)|(?=/)", word) if len(word) > width // 2 else [word]:
            if shown.strip() and len(shown) + len(piece.rstrip()) > width:
                yield shown.rstrip()
                shown = indent
            shown += piece
    yield shown.rstrip()


def _numbered(lines: Sequence[Line], before: str) -> Iterator[str]:
    indent = "  " * before.count(".")
    number = 0
    for line in lines:
        if line.shown:
            number += 1
            yield f"{indent}{before}{number}. {line}"
        else:
            yield f"{indent}{line.why}"
        yield from _numbered(line.steps, f"{before}{number}.")


def as_html(lines: Sequence[Line]) -> str:
    """Return steps as nested numbered lists; very long formulas open on demand."""

    def listed(steps: Sequence[Line]) -> str:
        return f"<ol>{''.join(map(item, steps))}</ol>" if steps else ""

    def item(line: Line) -> str:
        if not line.shown:  # how many were left out
            return f'<li style="list-style:none">{html.escape(line.why)}</li>'
        why = _KEY.sub(r"<code>\1</code>", html.escape(line.why))
        parts = [_code(line.shown), why]
        if len(line.shown) > FOLDED:
            summary = f"<summary>a formula of {len(line.shown)} signs</summary>"
            parts = [why, f"<details>{summary}{parts[0]}</details>"]
        return f"<li>{': '.join(part for part in parts if part)}{listed(line.steps)}</li>"

    shown = cut(lines)
    names = [line for line in shown if not line.shown and _MEANS.match(line.why)]
    said = "".join(f"<li>{_code(line.why)}</li>" for line in names)
    first = f'<ul style="list-style:none">{said}</ul>' if names else ""
    steps = listed([line for line in shown if line not in names])
    return f'<div style="overflow-wrap:anywhere">{first}{steps}</div>'


def _code(shown: str) -> str:
    """Return a formula as code; the list breaks it where it must."""
    return f"<code>{html.escape(shown)}</code>"
