"""Show that a number is at most every bound of the values of a function over a set.

A value at a point of the set is as large, or else a smaller bound contradicts a value nearby.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import islice, product

from dpbook.engine.prove.tactics import symbolic
from dpbook.engine.prove.tactics.core import Chain, Node, Search, contradiction, needs
from dpbook.kernel.defined import derivative
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import All, Formula, Or, Relation, Sequent, flat
from dpbook.kernel.terms import ONE, Term, call, div, mul, num, var

SIMPLE = tuple(num(c) for c in (0, 1, -1, Fraction(1, 2), 2))
SHARES = tuple(num(c) for c in (Fraction(1, 2), 1, Fraction(1, 10), 2, 10))  # of the distance
POINTS = 24  # points of a set that are tried
ANCHORS = 2  # points at which the bound is known from the start


@needs("given")
def attained(search: Search, s: Sequent, depth: int) -> Node | None:
    """Use a bound of all values of a function at a point that shows how large a bound has to be."""
    if s.functions or not isinstance(s.goal, Relation):
        return None
    for i, h in enumerate(s.hypotheses):
        bounded = _bounded(h)
        if bounded is None:
            continue
        sets, f, bound = bounded
        here = Chain(search, s, 0)
        latest = (var(s.variables[-1][0]),)  # the point of a segment, or of a set
        if _put(here, i, latest) and (node := _alone(search, here.s, 0)) is not None:
            return here.close(node)
        if contradiction(s):
            return _near(search, s, i, sets, f, bound, None, min(depth, 1))
        if bound not in (s.goal.left, s.goal.right):
            continue
        value = s.goal.left if s.goal.right == bound else s.goal.right
        for point in _points(sets, f, value):
            chain = Chain(search, s, depth)
            if _put(chain, i, point) and (node := _alone(search, chain.s, depth)) is not None:
                return chain.close(node)
        if s.goal.op in ("<", ">"):  # only a point shows it
            continue
        for premise in search.premises(s, "refute") or []:
            node = _near(search, premise, i, sets, f, bound, value, min(depth, 1))
            return None if node is None else search.node("refute", [node])
    return None


def _bounded(h: Formula) -> tuple[list[All], Term, Term] | None:
    """Return the binders of a hypothesis, the values that it bounds, and their bound."""
    sets: list[All] = []
    while isinstance(h, All):
        sets.append(h)
        *_, h = flat(h.body)
    if not sets or not isinstance(h, Relation):
        return None
    inside = {one.name for one in sets}
    f, bound = (h.right, h.left) if h.right.free & inside else (h.left, h.right)
    return (sets, f, bound) if bound.head == "var" and not bound.free & inside else None


def _put(chain: Chain, hypothesis: int, point: tuple[Term, ...]) -> bool:
    """Use a hypothesis for all points of a set at one point, if that lies in the set."""
    alone = partial(_alone, chain.search, depth=chain.depth)
    for value in point:
        if not chain.apply_by(alone, "instance", hypothesis=hypothesis, value=str(value)):
            return False
        hypothesis = len(chain.s.hypotheses) - 1
    return True


def _alone(search: Search, s: Sequent, depth: int) -> Node | None:
    """Prove a goal without the hypotheses for all points of a set."""
    kept = [i for i, h in enumerate(s.hypotheses) if not isinstance(h, All)]
    return search.by(s, "weaken", depth, keep=kept)


def _points(sets: list[All], f: Term, value: Term) -> Iterator[tuple[Term, ...]]:
    """Yield points at which a value may be the largest: ends, solutions, turning points."""
    each = []
    for one in sets:
        found = [*_ends(one)]
        if one.name in f.free:
            found += symbolic.solutions(f - value, one.name)
            with suppress(Rejected):  # a jump, or a function that the kernel cannot differentiate
                found += symbolic.solutions(derivative(f, one.name), one.name)
        each.append(dict.fromkeys((*found, *SIMPLE)))
    yield from islice(product(*each), POINTS)


def _ends(one: All) -> Iterator[Term]:
    """Yield the terms with which the conditions of a set compare its variable."""
    todo = list(one.conditions)
    while todo:
        c = todo.pop(0)
        if isinstance(c, Relation):
            for here, there in ((c.left, c.right), (c.right, c.left)):
                if here == var(one.name) and one.name not in there.free:
                    yield there
        elif isinstance(c, Or):
            todo += [part for either in c.parts for part in flat(either)]


def _near(
    search: Search,
    s: Sequent,
    hypothesis: int,
    sets: list[All],
    f: Term,
    bound: Term,
    value: Term | None,
    depth: int,
) -> Node | None:
    """Contradict a bound that is too small by a value between it and the number, or beyond it."""
    start = Chain(search, s, depth)
    anchors = 0
    for point in _points(sets, f, bound if value is None else value):
        if anchors < ANCHORS and not any(bound.free & t.free for t in point):
            anchors += _put(start, hypothesis, point)
    beyond = [bound + ONE, bound - ONE] if value is None else [div(value + bound, num(2))]
    size = bound if value is None else value - bound
    each = []
    for one in sets:
        found = [
            x for t in beyond if one.name in f.free for x in symbolic.solutions(f - t, one.name)
        ]
        for share in SHARES:
            near = mul(share, size)
            found += [end + sign * near for end in _ends(one) for sign in (num(-1), ONE)]
            found += [near, div(share, size), mul(num(-1), near), div(num(-1) * share, size)]
        if one.sort == "integer":
            found = [call(step, t) for t in found for step in ("ceiling", "floor")]
        each.append(found if len(sets) == 1 else [*_ends(one), *SIMPLE, *found])
    for point in islice(product(*each), POINTS):
        chain = Chain(search, start.s, depth)
        # a whole number is known by facts about its rounding, which one step more finds
        whole = any(one.sort == "integer" for one in sets)
        there = _put(chain, hypothesis, point)
        if there and (node := _alone(search, chain.s, int(whole))) is not None:
            return start.close(chain.close(node))
    return None
