"""Short forms in which proofs stand on record, written out: the rules of the kernel see none of them.

names      a list of terms of an entry: ``$0`` in a later text of the entry stands for the first one,
           which must be one operand there: ``2*$0`` is refused where ``$0`` is ``1 + 1``; formulas
           stand in brackets
variables  a text ``x y n:integer``; those without a sort are real
goal       a list ``[left, relation, right]`` says that both sides are defined, and the relation; with
           ``"left"`` or ``"right"`` as a fourth item it says so of that side only
node       a text is a node with that rule, and nothing else; a list is a chain, in which each node is
           the only premise of the one before that is written; a text such as
           ``1/2*#3 + #0^2*#4 + 5`` is a combination with these terms, of hypotheses by their numbers
auto       of a node: how many premises are the node ``auto`` before the first premise that is written,
           before the second, and so on, as ``2``, ``1+0+2``; a text ``defined 2`` is a node with two
terms      of a combination: such a text, or a list in which such a text stands for several terms
keep       of the rules `weaken` and `generalise`: a text ``0-3 7`` holds the numbers kept

What is none of these stays as it is, for the kernel to refuse.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

LARGEST = 64_000_000  # characters and numbers in the terms of one file, written out
DEEPEST = 500  # nodes below each other
SIDES = ("left", "right")
NAME = re.compile(r"\$([0-9]{1,6})(?![0-9])")
TERM = re.compile(r"([0-9]+(?:/[0-9]+)?)?((?:(?:^|\*)#[0-9]{1,5}(?:\^[0-9]{1,3})?)*)")
FACTOR = re.compile(r"#([0-9]+)(?:\^([0-9]+))?")
# From the sign that binds most tightly. `BEFORE` and `BEHIND` find what may stand beside a name, and
# `LOOSEST` says how loose the name may be there, if not 3.
SIGNS = (r"\^", "[*/]", "[-+]", r"[<>=!]|(?<![\w'])(?:and|or)(?![\w'])")
BEFORE = re.compile(r"(?:\A|([(])|[,;<>=] ?|([-+*/^]) ?|(?<![\w'])(?:and|or) )\Z")
BEHIND = re.compile(r"\Z|([)])|[,;]| ?[<>=!]| ?([-+*/^])| (?:and|or)(?![\w'])")
LOOSEST = {"before": {"^": 0, "/": 1, "*": 2, "-": 2}, "behind": {"^": 0, "/": 2, "*": 2}}
RANGE = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")
COUNTS = re.compile(r"[0-9]{1,4}(?:\+[0-9]{1,4})*")
AUTO = "auto"
Entry = Mapping[str, object]


class Writer:
    """Writes entries of one file out, within a bound on the size of all of them."""

    def __init__(self, room: int = LARGEST) -> None:
        self.room = room
        self.names: list[tuple[str, int]] = []  # each with its looseness

    def entry(self, entry: Entry) -> Entry:
        """Return an entry without short forms.

        Raises
        ------
        ValueError
            When a name is not given before its use, a chain branches, or all is too large.
        """
        self.names = []
        names = entry.get("names", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("its names must be a list of texts")
        for name in names:
            written = self._text(name)
            self.names.append((written, _looseness(written)))
        made = {what: value for what, value in entry.items() if what != "names"}
        made["sequent"] = self._sequent(self._data(entry["sequent"]))
        if "certificate" in entry:  # an axiom has none
            made["certificate"] = self._node(entry["certificate"], 0)
        return made

    def _spend(self, size: int) -> None:
        self.room -= size
        if self.room < 0:
            raise ValueError("written out it is too large")

    def _text(self, source: str) -> str:
        if "$" not in source:
            return source
        size = len(source)
        for found in NAME.finditer(source):
            if int(found[1]) >= len(self.names):
                raise ValueError(f"a name is not given before its use in {source[:80]!r}")
            name, looseness = self.names[int(found[1])]
            size += len(name)
            start, end = found.span()
            most = _loosest(source, start, end)
            if looseness > most:
                raise ValueError(f"{found[0]} needs brackets in {source[:80]!r}")
        self._spend(size)
        return NAME.sub(lambda found: self.names[int(found[1])][0], source)

    def _data(self, value: object) -> object:
        if not self.names:
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self._data(part) for part in value]
        if isinstance(value, dict):
            return {name: self._data(part) for name, part in value.items()}
        return value

    def _sequent(self, sequent: object) -> object:
        if not isinstance(sequent, dict):
            return sequent
        made = dict(sequent)
        if isinstance(made.get("variables"), str):
            pairs = [one.partition(":") for one in made["variables"].split()]
            made["variables"] = {name: sort or "real" for name, _, sort in pairs}
            if len(made["variables"]) < len(pairs):
                raise ValueError("a variable is declared twice")
        goal = made.get("goal")
        if isinstance(goal, list) and all(isinstance(part, str) for part in goal):
            made["goal"] = _with_sides(goal)
        return made

    def _node(self, node: object, depth: int, below: tuple[object, ...] = ()) -> object:
        """Write a node out; `below` is the node that follows it in a chain."""
        if depth > DEEPEST:
            raise ValueError("it is nested too deeply")
        if isinstance(node, str):
            node = self._text(node)
            if node[:1] in ("#", *"0123456789"):
                made: dict[str, object] = {"rule": "combination"}
                made["terms"] = self._terms([node])
                return self._with_automatic(made, "0", below)
            name, _, counts = node.rpartition(" ")
            if not COUNTS.fullmatch(counts):
                name, counts = node, "0"
            return self._with_automatic({"rule": name}, counts, below)
        if isinstance(node, list) and node:
            last = self._node(node[-1], depth + len(node) - 1)
            for one in reversed(node[:-1]):
                if not isinstance(one, (str, dict)) or isinstance(one, dict) and "premises" in one:
                    raise ValueError("a node within a chain has premises of its own")
                last = self._node(one, depth, (last,))
            return last
        if not isinstance(node, dict):
            return node
        apart = ("premises", AUTO)
        made = {name: self._data(part) for name, part in node.items() if name not in apart}
        rule, keep = made.get("rule"), made.get("keep")
        if rule == "combination":
            terms = made.get("terms")
            if isinstance(terms, str):
                terms = [terms]
            if isinstance(terms, list):
                made["terms"] = self._terms(terms)
        elif isinstance(keep, str):
            made["keep"] = self._numbers(keep)
        given = node.get("premises", [])
        if not isinstance(given, list):
            return {**made, "premises": given}
        written = below or [self._node(one, depth + 1) for one in given]
        if not written and "premises" in node:
            made["premises"] = []
        return self._with_automatic(made, node.get(AUTO, "0"), written)

    def _with_automatic(
        self, node: dict[str, object], counts: object, below: Sequence[object]
    ) -> dict[str, object]:
        """Return a node with its premises, those included of which only the number is written."""
        if not isinstance(counts, str) or not COUNTS.fullmatch(counts):
            raise ValueError(f"{str(counts)[:80]!r} is no number of premises that are automatic")
        numbers = [int(n) for n in counts.split("+")]
        self._spend(sum(numbers))
        if len(numbers) > len(below) + 1:
            raise ValueError("a premise that is automatic stands beside none that is written")
        premises: list[object] = []
        for place in range(len(below) + 1):
            many = numbers[place] if place < len(numbers) else 0
            premises += [{"rule": AUTO} for _ in range(many)]
            premises += below[place : place + 1]
        return {**node, "premises": premises} if premises else node

    def _terms(self, items: list[object]) -> list[object]:
        made: list[object] = []
        for item in items:
            if isinstance(item, str):
                made += map(self._term, item.split(" + "))
            else:
                made.append(item)
        return made

    def _term(self, source: str) -> list[object]:
        found = TERM.fullmatch(source)
        if not found or source[:1] in ("", "*"):
            raise ValueError(f"{source[:80]!r} is no term of a combination")
        numbers: list[int] = []
        for number, power in FACTOR.findall(found[2]):
            self._spend(int(power or 1))
            numbers += [int(number)] * int(power or 1)
        return [found[1] or "1", numbers, None]

    def _numbers(self, source: str) -> list[int]:
        made: list[int] = []
        for part in source.split():
            found = RANGE.fullmatch(part)
            if not found:
                raise ValueError(f"{part[:80]!r} is no range of numbers")
            first, last = int(found[1]), int(found[2] or found[1])
            self._spend(max(last - first, 0))
            made += range(first, last + 1)
        return made


def _looseness(source: str) -> int:
    """Return the place in `SIGNS`, from 1, of the last sign outside brackets; 0 if no sign stands there."""
    kept, depth = [], 0
    for part in re.split(r"([()])", source):
        depth += (part == "(") - (part == ")")
        if depth < 0:
            break
        kept.append(part if depth == 0 else " ")
    outside = "".join(kept)
    if depth or re.search("[,;]", outside):
        raise ValueError(f"a name must stand for one operand: {source[:80]!r}")
    found = [place for place, sign in enumerate(SIGNS, 1) if re.search(sign, outside)]
    return max(found, default=0)


def _loosest(source: str, start: int, end: int) -> int:
    """How loose a name may be from one place of a text to another; -1 where none may stand."""
    left, right = BEFORE.search(source, max(start - 5, 0), start), BEHIND.match(source, end)
    if not left or not right:
        return -1
    if (start, end) == (0, len(source)) or (left[1] and right[1]):
        return len(SIGNS)
    beside = (("before", left[2]), ("behind", right[2]))
    return min(LOOSEST[side].get(sign or "", 3) for side, sign in beside)


def _with_sides(goal: list[str]) -> str | list[str]:
    if len(goal) != 3 and (len(goal) != 4 or goal[3] not in SIDES):
        return goal
    left, relation, right = goal[:3]
    named = zip(SIDES, (left, right), strict=True)
    sides = [side for which, side in named if which in (goal[3:] or SIDES)]
    return " and ".join([*(f"defined({side})" for side in sides), f"{left} {relation} {right}"])
