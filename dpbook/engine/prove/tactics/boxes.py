"""Bisect a box until rational enclosures show a sign, within a counted budget."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpbook.engine.prove.tactics.core import Node, Search, contradiction
from dpbook.kernel import enclosure
from dpbook.kernel.defined import continuous, derivative
from dpbook.kernel.enclosure import Interval
from dpbook.kernel.environment import difference
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Is, Relation, Sequent
from dpbook.kernel.rules.boxes import BITS, value
from dpbook.kernel.terms import Term, subterms, var

BUDGET = {0: 1, 1: 120, 2: 600, 3: 2000}  # boxes
VARIABLES = 4
DEEPEST = 40
FAR = 64  # an unbounded range is cut at powers of 4 up to here
Box = dict[str, Interval]


class _Stuck(Exception):
    pass


def bisect(search: Search, s: Sequent, depth: int) -> Node | None:
    """Cut the box of the variables until enclosures show the goal on each part."""
    if contradiction(s):
        return None
    if isinstance(s.goal, Is):
        return search.leaf(s, "enclosed") if s.goal.what == "defined" else None
    if not isinstance(s.goal, Relation) or s.goal.op == "==":
        return None
    f, op = difference(s)
    functions = dict(s.functions)
    if not f.free or len(f.free) > VARIABLES or any(t.head in functions for t in subterms(f)):
        return None
    try:
        tree = _Cuts(search, s, f, op, BUDGET[min(depth, 3)]).tree()
    except (_Stuck, Rejected, ArithmeticError):
        return None
    return search.leaf(s, "bisect", tree=tree)


class _Cuts:
    def __init__(self, search: Search, s: Sequent, f: Term, op: str, budget: int) -> None:
        facts = search.facts(s)
        self.f, self.op, self.budget = f, op, budget
        self.box: Box = {n: facts.interval(facts.poly(var(n))) for n, _ in s.variables}
        self.names = sorted(f.free)
        self.hypotheses: list[tuple[int, Term, str]] = []
        for i, h in enumerate(s.hypotheses):
            if isinstance(h, Relation) and h.op != "!=":
                g, other = difference(s.showing(h))
                alone = h.left.head == "var" or h.right.head == "var"
                wide = len(g.free) > 1 or other == "==" or not alone
                if wide and g.free and g.free <= f.free and len(str(g)) < 200:
                    self.hypotheses.append((i, g, other))
        self.slopes: dict[str, Term] = {}
        self.smooth = all(continuous(f, n) for n in self.names)
        if self.smooth:
            try:
                self.slopes = {n: derivative(f, n) for n in self.names}
            except Rejected:
                self.smooth = False

    def tree(self) -> Any:
        return self._visit(self.box, 0)

    def _visit(self, box: Box, depth: int) -> Any:
        self.budget -= 1
        if self.budget < 0 or depth > DEEPEST:
            raise _Stuck
        found = value(self.f, box)
        if self._shows(found):
            return "value"
        for i, g, other in self.hypotheses:
            here = value(g, box)
            if here is None:
                continue
            below = enclosure.negate(here)
            if other == "==":
                if here.positive or below.positive:
                    return i
                continue
            if below.nonnegative if other == ">" else below.positive:
                return i
        if self._clearly_false(found):
            raise _Stuck
        if self.smooth and found is not None and self._shows(self._mean(box)):
            return "mean"
        name, at = self._cut(box)
        low = enclosure.intersect(box[name], Interval(None, at, True, False))
        high = enclosure.intersect(box[name], Interval(at, None, False, True))
        if low is None or high is None:
            raise _Stuck
        first = self._visit({**box, name: low}, depth + 1)
        second = self._visit({**box, name: high}, depth + 1)
        return [name, str(at), first, second]

    def _shows(self, found: Interval | None) -> bool:
        if found is None:
            return False
        if self.op == "!=":
            return found.positive or enclosure.negate(found).positive
        return found.positive if self.op == ">" else found.nonnegative

    def _clearly_false(self, found: Interval | None) -> bool:
        if found is None or self.op == "!=" or self.hypotheses:
            return False
        return enclosure.negate(found).positive

    def _mean(self, box: Box) -> Interval | None:
        middle: Box = {}
        for name in self.names:
            i = box[name]
            if i.low is None or i.high is None:
                return None
            middle[name] = enclosure.point((i.low + i.high) / 2)
        total = value(self.f, middle)
        closed = {n: Interval(i.low, i.high, i.low is None, i.high is None) for n, i in box.items()}
        for name in self.names:
            slope = value(self.slopes[name], closed)
            if slope is None or total is None:
                return None
            low = middle[name].low
            assert low is not None
            away = enclosure.add(box[name], enclosure.point(-low), BITS)
            total = enclosure.add(total, enclosure.multiply(slope, away, BITS), BITS)
        return total

    def _cut(self, box: Box) -> tuple[str, Fraction]:
        """Return the widest side, and where to cut it: an unbounded one further and further out."""
        best: tuple[Fraction, str, Fraction] | None = None
        for name in self.names:
            i = box[name]
            if i.low is None and i.high is None:
                return name, Fraction(0)
            if i.high is None or i.low is None:
                end = i.low if i.high is None else i.high
                assert end is not None
                step = max(Fraction(1), 3 * abs(end))
                if step > FAR:
                    continue
                at = end + step if i.high is None else end - step
                at = Fraction(round(at)) if abs(at) > 2 else at
                return name, at
            width = i.high - i.low
            scale = width / max(Fraction(1), min(abs(i.low), abs(i.high)))
            if width > 0 and (best is None or scale > best[0]):
                # round numbers keep the tree short
                at = (i.low + i.high) / 2
                digits = 1
                while digits < 2**40:
                    plain = Fraction(round(at * digits), digits)
                    if abs(plain - at) * 5 < width:
                        at = plain
                        break
                    digits *= 2
                best = (scale, name, at)
        if best is None:
            raise _Stuck
        return best[1], best[2]
