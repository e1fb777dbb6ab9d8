"""Bisection of a box, with rational enclosures at the leaves."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import prod

from dpbook.kernel import enclosure, environment
from dpbook.kernel.defined import continuous, derivative
from dpbook.kernel.enclosure import Interval
from dpbook.kernel.environment import Environment, Fields, difference
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Sequent
from dpbook.kernel.rationals import Rational
from dpbook.kernel.table import ARITIES
from dpbook.kernel.terms import BINDERS, CHOICES, Term, var

BITS = 80
MANY = 200  # parts of a sum that is calculated exactly
EXACT = 1024  # bits of the numbers that are calculated with exactly
DEEPEST = 60
Box = dict[str, Interval]


def exactly(t: Term) -> Fraction | None:
    """Return the rational number that a sum, product or whole power of numbers is; None where long.

    Sides that differ by little are apart only before they are rounded.
    """
    if t.head == "num":
        return t.value
    if t.head not in ("add", "mul", "pow") or len(t.args) > MANY:
        return None
    parts = [number for a in t.args if (number := exactly(a)) is not None]
    if len(parts) < len(t.args) or t.head == "pow" and t.args[1].head != "num":
        return None
    if t.head == "pow":
        base, exponent = parts
        if abs(exponent) > 8 or exponent.denominator > 1 or not base and exponent <= 0:
            return None
        found: Fraction = base ** int(exponent)
    else:
        found = sum(parts, Rational(0)) if t.head == "add" else prod(parts, start=Rational(1))
    size = max(found.numerator.bit_length(), found.denominator.bit_length())
    return found if size <= EXACT else None


def value(t: Term, box: Box) -> Interval | None:
    """Enclose a term on a box; None where it may be undefined, or nothing is known."""
    if t.head == "num":
        return enclosure.point(t.value)
    if t.head == "var":
        return box.get(t.name)
    if not t.free and (number := exactly(t)) is not None:
        return enclosure.point(number)
    if t.head in (*BINDERS, *CHOICES, "oo"):
        return None
    parts = [part for a in t.args if (part := value(a, box)) is not None]
    if len(parts) < len(t.args):
        return None
    if t.head in ("add", "mul"):
        combined = enclosure.add if t.head == "add" else enclosure.multiply
        return reduce(lambda u, v: combined(u, v, BITS), parts)
    if t.head == "pow":
        if t.args[1].head != "num" and not parts[0].positive:
            return None  # 0^b is undefined for a real b
        return enclosure.power(parts[0], parts[1], BITS)
    if t.head not in ARITIES or t.head not in enclosure.FUNCTIONS:
        return None
    return enclosure.FUNCTIONS[t.head](parts, BITS)


def _box(s: Sequent, env: Environment) -> Box:
    """Return the box that the hypotheses allow for the variables."""
    facts = env.facts(s)
    return {name: facts.interval(facts.poly(var(name))) for name, _ in s.variables}


def _shows(found: Interval | None, op: str) -> bool:
    if found is None:
        return False
    if op == "!=":
        return found.positive or enclosure.negate(found).positive
    return found.positive if op == ">" else found.nonnegative


def bisect(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude a strict or weak sign on a box by cutting the box.

    Goal         f op 0, op among >, >=, !=
    Condition    the boxes cover what the hypotheses leave of the variables; on each, f encloses a
                 value of the right sign, or a hypothesis is false. A leaf is "value"; "mean" (f at
                 the middle, and f' on the box); or the number of a hypothesis. A part of the tree is
                 [variable, cut, below, above]
    Fields       tree
    Source       interval arithmetic; the mean value theorem
    """
    f, op = difference(s)
    if op == "==":
        raise Rejected("an enclosure shows no equality")
    box = _box(s, env)
    slopes: dict[str, Term] = {}
    budget = [20_000]

    def leaf(kind: object, here: Box) -> bool:
        if kind == "value":
            return _shows(value(f, here), op)
        if kind == "mean":
            return _shows(_mean(f, here, slopes), op)
        g, other = difference(s.showing(environment.hypothesis_at(s, kind)))
        found = value(g, here)
        if found is None or other == "!=":
            return False
        if other == "==":
            return _shows(found, "!=")
        below = enclosure.negate(found)
        return below.nonnegative if other == ">" else below.positive

    def visit(tree: object, here: Box, depth: int) -> None:
        budget[0] -= 1
        if depth > DEEPEST or budget[0] < 0:
            raise Rejected("the box is cut too often")
        if not isinstance(tree, list):
            if not leaf(tree, here):
                raise Rejected("a box does not show the sign")
            return
        if len(tree) != 4 or not isinstance(tree[0], str) or tree[0] not in here:
            raise Rejected("a cut is [variable, number, below, above]")
        at = environment.rational(tree[1], 399, "a cut needs a rational number")
        old = here[tree[0]]
        for part, side in (
            (tree[2], Interval(None, at, True, False)),
            (tree[3], Interval(at, None, False, True)),
        ):
            met = enclosure.intersect(old, side)
            if met is not None:
                visit(part, {**here, tree[0]: met}, depth + 1)

    visit(fields.data.get("tree"), box, 0)
    return []


def _mean(f: Term, box: Box, slopes: dict[str, Term]) -> Interval | None:
    """Enclose f by its value in the middle of the box and its derivatives on the box.

    Premises     f and its derivatives enclose values on the whole box, so they are defined there
    """
    names = sorted(f.free)
    middle: Box = {}
    for name in names:
        i = box[name]
        if i.low is None or i.high is None or not continuous(f, name):
            return None
        middle[name] = enclosure.point((i.low + i.high) / 2)
    if value(f, box) is None:
        return None
    total = value(f, middle)
    for name in names:
        if name not in slopes:
            slopes[name] = derivative(f, name)
        slope = value(slopes[name], _closed(box))
        if slope is None or total is None:
            return None
        i, at = box[name], middle[name]
        assert at.low is not None
        away = enclosure.add(i, enclosure.point(-at.low), BITS)
        total = enclosure.add(total, enclosure.multiply(slope, away, BITS), BITS)
    return total


def _closed(box: Box) -> Box:
    return {n: Interval(i.low, i.high, i.low is None, i.high is None) for n, i in box.items()}


def enclosed(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude that a term is defined from an enclosure of its values on the box of the variables.

    Goal         defined(t)
    """
    if value(environment.asked(s), _box(s, env)) is None:
        raise Rejected("the term has no enclosure")
    return []


RULES = (bisect, enclosed)
