"""Bound an integral between numbers: on short pieces of its range the integrand is enclosed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from dpbook.engine.prove.tactics import points, polynomial
from dpbook.engine.prove.tactics.core import Chain, Node, Search, needs
from dpbook.engine.prove.tactics.integrals import valued
from dpbook.engine.prove.tactics.reading import bound_terms
from dpbook.kernel.enclosure import Interval
from dpbook.kernel.formulas import Is, Relation, Sequent, with_new
from dpbook.kernel.rules import boxes
from dpbook.kernel.terms import Term, add, bind, infinite, mul, neg, num

NUMBERS = (1, 2, 4, 8, 16)  # of pieces that are tried
GRID, FINE = 2**12, 2**30  # denominators of the bounds on a piece, and of their sum
FAR = 1000  # a goal that holds at a bound and so far beyond it is taken to follow from the bound


@needs("integral")
def in_pieces(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show an inequality of a closed integral by bounds of its integrand on pieces of the range."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op in ("==", "!="):
        return None
    there = list(bound_terms([goal], "integral"))
    if len(there) != 1 or there[0].free or any(infinite(end) for end in there[0].args[1:]):
        return None
    (t,) = there
    for number in NUMBERS:
        ends = _cut(t, number)
        bounds = _bounds(t, ends)
        if bounds is None:
            continue
        for below, side in zip((True, False), zip(*bounds, strict=True), strict=True):
            node = _bounded(search, s, t, ends, side, below)
            if node is not None:
                return node
    return None


def _cut(t: Term, number: int) -> list[Term]:
    _, low, high = t.args
    inner = [num(Fraction(i, number)) for i in range(1, number)]
    return [low, *(add(low, mul(share, add(high, neg(low)))) for share in inner), high]


def _bounds(t: Term, ends: list[Term]) -> list[tuple[Fraction, Fraction]] | None:
    """Return a lower and an upper bound of the integrand on each piece; None where one has none."""
    placed = [boxes.value(end, {}) for end in ends]
    found = []
    for first, second in zip(placed, placed[1:], strict=False):
        if first is None or second is None or first.low is None or second.high is None:
            return None
        if not first.low < second.high:
            return None
        here = boxes.value(t.args[0], {t.name: Interval(first.low, second.high)})
        if here is None or here.low is None or here.high is None:
            return None
        found.append((_rounded(here.low, GRID, True), _rounded(here.high, GRID, False)))
    return found


def _rounded(number: Fraction, grid: int, down: bool) -> Fraction:
    scaled = number * grid
    return Fraction(scaled // 1 if down else -(-scaled // 1), grid)


def _bounded(
    search: Search, s: Sequent, t: Term, ends: list[Term], bounds: Sequence[Fraction], below: bool
) -> Node | None:
    """Show a goal about t by bounds of the integrand from below, or from above, on each piece."""
    op = ">=" if below else "<="
    widths = [add(b, neg(a)) for a, b in zip(ends, ends[1:], strict=False)]
    total = add(*(mul(num(bound), width) for bound, width in zip(bounds, widths, strict=True)))
    placed = boxes.value(total, {})
    edge = None if placed is None else placed.low if below else placed.high
    if edge is None:
        return None
    edge = _rounded(edge, FINE, below)
    beyond = edge + (FAR if below else -FAR)
    if not all(points.holds(with_new(s.goal, t, num(at)), {})[0][0] for at in (edge, beyond)):
        return None
    chain = Chain(search, s, 1)
    body, name = t.args[0], t.name
    pieces = [bind("integral", body, name, a, b) for a, b in zip(ends, ends[1:], strict=False)]

    def enclosed(premise: Sequent) -> Node | None:
        if (node := search.at_once(premise)) is not None:
            return node
        if isinstance(premise.goal, Is) and premise.goal.term.head == "integral":
            node = search.by_each(enclosed, premise, "proper integral")
            if node is not None:
                return node
        sign = isinstance(premise.goal, (Is, Relation)) and search.enclosed(premise, premise.goal)
        return sign or search.prove(premise, 1)

    compared, equal = list[int](), list[int]()  # numbers of hypotheses
    for piece, bound in zip(pieces, bounds, strict=True):
        constant = bind("integral", num(bound), name, *piece.args[1:])
        found = valued(search, chain.s, constant)
        if found is None:
            return None
        known, proof = Relation(constant, "==", found[0]), found[1]
        chain.search.proved[chain.s.showing(known)] = proof
        low, high = (constant, piece) if below else (piece, constant)
        fields = {"low": str(low), "high": str(high), "op": "<="}
        if not (chain.have(known) and chain.apply_by(enclosed, "compare integrals", **fields)):
            return None
        equal.append(len(chain.s.hypotheses) - 2)
        compared.append(len(chain.s.hypotheses) - 1)
    for i in range(2, len(ends)):
        whole = bind("integral", body, name, ends[0], ends[i])
        if not chain.apply_by(enclosed, "cut integral", integral=str(whole), at=str(ends[i - 1])):
            return None
        equal.append(len(chain.s.hypotheses) - 1)

    def added(premise: Sequent) -> Node | None:
        fields: dict[str, Any] = {
            "terms": [["1", [i], None] for i in (len(premise.hypotheses), *compared)],
            "equalities": [[i, "1" if below else "-1"] for i in equal],
        }
        return search.by_each(partial(search.leaf, rule="combination", **fields), premise, "refute")

    if not (
        chain.have_by(added, Relation(t, op, total))
        and chain.apply("weaken", keep=[len(chain.s.hypotheses) - 1])
        and chain.have_by(enclosed, Relation(total, op, num(edge)))
    ):
        return None
    return chain.close(polynomial.combination(search, chain.s, 1))
