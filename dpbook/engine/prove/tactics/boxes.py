"""Bisect a box until rational enclosures show a sign, within a counted budget."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

from dpbook.engine.prove.tactics.core import Node, Search, contradiction
from dpbook.engine.prove.tactics.reading import relations
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
        facts = search.facts(s)
        box = {n: facts.interval(facts.poly(var(n))) for n, _ in s.variables}
        tree = _Cuts(s, f, op, BUDGET[min(depth, 3)]).tree(box)
    except (_Stuck, Rejected, ArithmeticError):
        return None
    return search.leaf(s, "bisect", tree=tree)


class _Cuts:
    def __init__(self, s: Sequent, f: Term, op: str, budget: int) -> None:
        self.f, self.op, self.budget = f, op, budget
        self.names = sorted(f.free)
        self.hypotheses: list[tuple[int, Term, str]] = []
        for i, h in relations(s, "==", "<", "<=", ">", ">="):
            g, other = difference(s.showing(h))
            alone = h.left.head == "var" or h.right.head == "var"
            wide = len(g.free) > 1 or other == "==" or not alone
            if wide and g.free and g.free <= f.free and len(str(g)) < 200:
                self.hypotheses.append((i, g, other))
        self.slopes: dict[str, Term] = {}  # of a smooth function
        if all(continuous(f, n) for n in self.names):
            with suppress(Rejected):
                self.slopes = {n: derivative(f, n) for n in self.names}

    def tree(self, box: Box, depth: int = 0) -> Any:
        """Return the cuts of a box, and how the goal is shown on each part."""
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
            never = below.nonnegative if other == ">" else below.positive
            if never or (other == "==" and here.positive):
                return i
        wrong = found is not None and enclosure.negate(found).positive
        if wrong and self.op != "!=" and not self.hypotheses:
            raise _Stuck
        if self.slopes and found is not None and self._shows(self._mean(box)):
            return "mean"
        name, at = self._cut(box)
        low = enclosure.intersect(box[name], Interval(None, at, True, False))
        high = enclosure.intersect(box[name], Interval(at, None, False, True))
        if low is None or high is None:
            raise _Stuck
        parts = [self.tree({**box, name: part}, depth + 1) for part in (low, high)]
        return [name, str(at), *parts]

    def _shows(self, found: Interval | None) -> bool:
        if found is None:
            return False
        if self.op == "!=":
            return found.positive or enclosure.negate(found).positive
        return found.positive if self.op == ">" else found.nonnegative

    def _mean(self, box: Box) -> Interval | None:
        middle: dict[str, Fraction] = {}
        for name in self.names:
            i = box[name]
            if i.low is None or i.high is None:
                return None
            middle[name] = (i.low + i.high) / 2
        total = value(self.f, {n: enclosure.point(at) for n, at in middle.items()})
        closed = {n: Interval(i.low, i.high, i.low is None, i.high is None) for n, i in box.items()}
        for name in self.names:
            slope = value(self.slopes[name], closed)
            if slope is None or total is None:
                return None
            away = enclosure.add(box[name], enclosure.point(-middle[name]), BITS)
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
                best = (scale, name, _round_number((i.low + i.high) / 2, width))
        if best is None:
            raise _Stuck
        return best[1], best[2]


def _round_number(middle: Fraction, width: Fraction) -> Fraction:
    """Return a number near the middle with a small denominator, which keeps a tree short."""
    plain = (Fraction(round(middle * 2**k), 2**k) for k in range(40))
    return next((at for at in plain if abs(at - middle) * 5 < width), middle)
