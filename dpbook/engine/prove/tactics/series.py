"""Evaluate series by differences that go to a limit, and bound series by larger series."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from math import ceil, isfinite

from dpbook.engine.prove.tactics import points, symbolic
from dpbook.engine.prove.tactics.core import AtPoint, Chain, Node, Search, needs
from dpbook.engine.prove.tactics.reading import bound_terms, defined_terms, renamed_body
from dpbook.engine.prove.tactics.sums import Summand
from dpbook.engine.prove.tactics.unknown import at_a_point
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import All, And, Is, Relation, Sequent, flat, free, with_new
from dpbook.kernel.terms import (
    ONE,
    OO,
    ZERO,
    Term,
    add,
    bind,
    call,
    div,
    mul,
    neg,
    num,
    power,
    substitute,
    subterms,
    var,
)

UNROLLED = 20  # the largest start of a series of exp: the terms before it are written out
LOOSER = (4, 1)  # times the least factor: a bound that is not sharp is often easier to show
FIRST = (0, 1, 2, 3, 5, 8, 12)  # terms that are written out before the rest is bounded
PARTS = 6  # parts of one series
QUARTER = Fraction(1, 4)
FAR, FARTHER = 10**6, 10**9  # where f(k) k^2 grows between these indices, f falls too slowly


@needs("sum")
def series(search: Search, s: Sequent, depth: int) -> Node | None:
    """Give the series of a goal their values, or bounds, and go on with them."""
    there = [t for t in bound_terms([s.goal], "sum") if t.args[2] == OO]
    if isinstance(s.goal, And) and (node := by_steps(search, s)) is not None:
        return node
    if not there or not isinstance(s.goal, (Relation, And, Is)):
        return None
    node = _not_negative(search, s)
    if node is None and isinstance(s.goal, And) and _all_known(search, s, s.goal):
        return search.by(s, "and", depth)
    node = node or _combined(search, s, depth)
    if node is not None:
        return node
    chain = Chain(search, s, max(depth, 1))
    names = {n for n, _ in s.variables}
    bounded = False
    open_ = []
    for t in there:
        if not t.free <= names or _known(chain.s, t):
            continue
        mark = chain.mark()
        if _written_otherwise(chain, t) or _multiple(chain, t):
            continue
        if _vanishing(chain, t):
            bounded = True
        elif not _closed(chain, t) and not _apart(chain, t):
            chain.back(mark)
            if _bounded(chain, t):
                bounded = True
            else:
                open_.append(t)
    for t in open_:
        bounded = any(_below(chain, t, larger) for larger in there if larger != t) or bounded
    if isinstance(s.goal, Relation):
        if chain.rewrite_known("sum"):
            chain.forget("sum")
        elif not bounded:
            return None
    if not chain.steps:
        return None
    return chain.close_if_clear() or chain.close(search.prove(chain.s, depth))


def _all_known(search: Search, s: Sequent, goal: And) -> bool:
    """Say whether all series that have to exist are known to exist."""
    claims = [part for part in goal.parts if isinstance(part, Is)]
    open_ = [part for part in claims if not search.env.automatic(s.showing(part))]
    return all(_known(s, t) for t in bound_terms(open_, "sum"))


def by_steps(search: Search, s: Sequent) -> Node | None:
    """Show a claim about series at a number by induction, with lemmas about a step from it."""
    names = {n for n, _ in s.variables}
    there = [t for t in bound_terms([s.goal], "sum") if t.args[2] == OO and t.free <= names]
    for v, sort in s.variables:
        uses = [one for one in search.within if v in one.speaks_of]
        if sort != "integer" or v not in search.top or not uses:
            continue
        if not any(v in t.free for t in there) or Relation(var(v), ">=", ZERO) not in s.hypotheses:
            continue

        def shown(premise: Sequent, v: str = v, uses: Sequence[AtPoint] = uses) -> Node | None:
            chain = Chain(search, premise, 1)
            if len(premise.variables) > len(s.variables):
                new = premise.variables[-1][0]
                for one in uses:
                    chain.apply("lemma", **one.at_point(chain.s, {v: var(new)}))
            # the hypotheses for all values have been used
            kept = [i for i, h in enumerate(chain.s.hypotheses) if not isinstance(h, All)]
            chain.apply("weaken", keep=kept)
            return chain.close(search.prove(chain.s, 1))

        node = search.by_each(shown, s, "induct", variable=v, start="0")
        if node is not None:
            return node
    return None


def _combined(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a series is a linear combination of known series, as it is written."""
    chain = Chain(search, s, 1)
    if isinstance(s.goal, Relation) and _as_a_combination(chain, s.goal):
        return chain.close_if_clear()
    for goal in s.goal.parts if isinstance(s.goal, And) else ():
        if not isinstance(goal, Relation) or _known(s, goal.left):
            continue
        if _as_a_combination(chain, goal):
            return chain.close(search.prove(chain.s, depth))
    return None


def _as_a_combination(chain: Chain, goal: Relation) -> bool:
    t, s = goal.left, chain.s
    if goal.op != "==" or t.head != "sum" or t.args[2] != OO or goal in s.hypotheses:
        return False
    given = []
    for part in goal.right.args if goal.right.head == "add" else (goal.right,):
        factors = part.args if part.head == "mul" else (part,)
        inside = [f for f in factors if f.head == "sum" and f.args[1:] == t.args[1:]]
        if len(inside) != 1 or not (_known(s, inside[0]) or _written_otherwise(chain, inside[0])):
            return False
        (one,) = inside
        f = renamed_body(one, t.name)
        given.append([str(mul(*(c for c in factors if c != one))), str(f)])
    return chain.apply_by(partial(_near, chain.search), "linear series", sum=str(t), parts=given)


def _not_negative(search: Search, s: Sequent) -> Node | None:
    """Show that a series which is known to exist is not negative, as its terms are not."""
    goal = s.goal
    if not isinstance(goal, Relation):
        return None
    t, zero = (goal.left, goal.right) if goal.op == ">=" else (goal.right, goal.left)
    if goal.op not in ("<=", ">=") or zero != ZERO or t.head != "sum" or not _known(s, t):
        return None
    chain = Chain(search, s, 1)
    none = _of_zeros(chain, t)
    if none is not None and _below(chain, none, t):
        return chain.close(search.prove(chain.s, 0))
    return None


def _of_zeros(chain: Chain, like: Term) -> Term | None:
    """Add that a series of zeros over the same range is 0, and return it."""
    none = bind("sum", ZERO, like.name, like.args[1], OO)
    zeros = {"by": "0", "limit": "0", "from": "0", "small": chain.s.new_name("small")}
    return none if chain.apply("series", sum=str(none), **zeros) else None


def _known(s: Sequent, t: Term) -> bool:
    """Say whether a series is already known to be defined."""
    return t in defined_terms(s)


def _written_otherwise(chain: Chain, t: Term) -> bool:
    """Find that a series is known to exist whose terms are the same numbers."""
    search = chain.search
    for known in defined_terms(chain.s):
        if known.head != "sum" or known.args[1:] != t.args[1:]:
            continue
        fields = {"sum": str(t), "parts": [["1", str(renamed_body(known, t.name))]]}
        premises = search.premises(chain.s, "linear series", **fields) or ()
        same = (p for p in premises[:-1] if isinstance(p.goal, Relation) and p.goal.op == "==")
        fits = all(search.premises(p, "identity") is not None for p in same)
        if fits and chain.apply("linear series", **fields):
            return True
    return False


def _multiple(chain: Chain, t: Term) -> bool:
    """Find that a series is a multiple of a series that is known to exist."""
    body = t.args[0]
    if body.head != "mul":
        return False
    outside = [f for f in body.args if t.name not in f.free]
    inside = mul(*(f for f in body.args if t.name in f.free))
    rest = bind("sum", inside, t.name, t.args[1], OO)
    if not outside or not (_known(chain.s, rest) or _written_otherwise(chain, rest)):
        return False
    given = [[str(mul(*outside)), str(inside)]]
    return chain.apply("linear series", sum=str(t), parts=given)


# --- closed forms ---------------------------------------------------------------------------------


def _closed(chain: Chain, t: Term) -> bool:
    """Give one series its value."""
    return chain.one_of((_exponential, _geometric, _rational, _differences), t)


def _vanishing(chain: Chain, t: Term) -> bool:
    """Sum terms that are all 0: excesses over 0, or values of a function that is given to be 0."""
    body = t.args[0]
    excess = body.head == "max" and ZERO in body.args
    if not excess and not any(
        isinstance(f, Relation) and f.op == "==" and f.left.head == body.head and f.right == ZERO
        for h in chain.s.hypotheses
        if isinstance(h, All) and body.head in dict(chain.s.functions)
        for f in flat(h.body)
    ):
        return False
    mark = chain.mark()
    none = _of_zeros(chain, t)
    if none is not None and _below(chain, t, none):
        return True
    chain.back(mark)
    return False


def _below(chain: Chain, t: Term, larger: Term) -> bool:
    """Compare a series with a known series, term by term with lemmas about a term."""
    if not _known(chain.s, larger):
        return False

    def prove(s: Sequent) -> Node | None:
        found = at_a_point(chain.search, s, chain.depth) if isinstance(s.goal, Relation) else None
        return found or chain.search.prove(s, chain.depth)

    with suppress(Rejected, ArithmeticError):
        return chain.apply_by(prove, "compare series", low=str(t), high=str(larger))
    return False


def _apart(chain: Chain, t: Term) -> bool:
    """Take out factors that are free of the index, and sum the rest of each summand."""
    try:
        reader = Summand(chain.search, chain.s, t)
        parts = reader.parts()
    except (Rejected, ArithmeticError):
        return False
    if not 1 <= len(parts) <= PARTS or (len(parts) == 1 and parts[0][0] == ONE):
        return False
    given = []
    for factor, f in parts:
        f = substitute(f, {reader.name: var(t.name)})
        part = bind("sum", f, t.name, t.args[1], OO)
        if not _known(chain.s, part) and not _closed(chain, part):
            return False
        given.append([str(factor), str(f)])
    return chain.apply("linear series", sum=str(t), parts=given)


def _exponential(chain: Chain, t: Term) -> bool:
    """Sum c u^k/k!, by the series of exp."""
    body, start, _ = t.args
    k = var(t.name)
    if start.head != "num" or start.value < 0 or start.value > UNROLLED:
        return False
    outside, base, over = [], ONE, 0
    for f in body.args if body.head == "mul" else (body,):
        if t.name not in f.free:
            outside.append(f)
        elif f.head == "pow" and f.args[1] == k and t.name not in f.args[0].free:
            base = mul(base, f.args[0])
        elif f == power(call("factorial", k), num(-1)):
            over += 1
        else:
            return False
    if over != 1:
        return False
    term = div(power(base, k), call("factorial", k))
    known = bind("sum", term, t.name, start, OO)
    if not chain.apply("axiom", name="series of exp", at={"m": str(start), "u": str(base)}):
        return False
    first = bind("sum", term, t.name, ZERO, start - ONE)
    if not chain.apply("unroll", **chain.search.unrolled(chain.s, first)):
        return False
    parts = [[str(mul(*outside)), str(term)]]
    return known == t or chain.apply("linear series", sum=str(t), parts=parts)


def _geometric(chain: Chain, t: Term) -> bool:
    """Sum powers q^k, times k and k^2, where abs(q) < 1."""
    search = chain.search
    reader = Summand(search, chain.s, t)
    ratios = reader.ratios()
    if ratios is None or len(ratios) != 1:
        return False
    (q,) = ratios
    if not chain.have(f"abs({q}) < 1"):
        return False
    chain.apply("axiom", name="absolute value", at={"u": str(q)})
    if not chain.have(f"{q} - 1 < 0"):
        return False
    reader = Summand(search, chain.s, t)
    F = reader.antidifference(chain)
    if F is None:
        return False
    by = substitute(F, {reader.name: var(t.name)})
    small = chain.s.new_name("small")
    for size in (ONE, num(3), num(10)):
        # each of q^k, k q^k and k^2 q^k is at most this share of the small number
        share = mul(var(small), power(ONE - q, num({1: 1, 3: 2, 10: 3}[int(size.value)])))
        share = share if size == ONE else div(share, size)
        reach = div(num(6), mul(share, power(ONE - Term("abs", (q,)), num(3))))

        near = partial(_small, search, small, q, share)
        fields = {"sum": str(t), "by": str(by), "limit": "0", "from": str(reach), "small": small}
        if chain.apply_by(near, "series", **fields):
            return True
    return False


def _small(search: Search, small: str, q: Term, share: Term, s: Sequent) -> Node | None:
    """Prove a premise of a geometric series; those about the limit by how small powers are."""
    names = [n for n, _ in s.variables]
    if small not in names:
        return Chain(search, s, 1).shown(s)
    k = var(next(n for n in reversed(names) if n != small))
    inner = Chain(search, s, 1)
    at = {"u": str(q), "v": str(k), "w": str(share)}
    done = (
        inner.have(f"{ONE - Term('abs', (q,))} > 0")
        and inner.have(f"{share} > 0")
        and inner.apply("axiom", name="small powers", at=at)
        and inner.apply("axiom", name="absolute value", at={"u": str(power(q, k))})
    )
    return inner.close(search.prove(inner.s, 0)) if done else None


@needs("abs")
def small_powers(search: Search, s: Sequent, depth: int) -> Node | None:
    """Bound powers of a base below 1 in size with a whole variable exponent: they get small."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op != "<=" or goal.left.head != "abs":
        return None
    whole = {name for name, sort in s.variables if sort == "integer"}
    for part in subterms(goal.left):
        if part.head == "pow" and part.args[1].head == "var" and part.args[1].name in whole:
            base, exponent = part.args
            chain = Chain(search, s, 0)
            at = {"u": str(base), "v": str(exponent), "w": str(goal.right)}
            if chain.apply("axiom", name="small powers", at=at):
                return chain.close(search.prove(chain.s, depth))
    return None


def _rational(chain: Chain, t: Term) -> bool:
    """Sum a rational function that is a difference, by the tail of its antidifference."""
    F = symbolic.antidifference(t.args[0], t.name)
    return any(
        chain.apply("series", sum=str(t), by=str(F), **fields)
        for fields in symbolic.ways_to_limit(F, t.name, chain.s.new_name("small"))
    )


def _differences(chain: Chain, t: Term) -> bool:
    """Sum the differences of an unknown function that goes to 0 like a variable over the index."""
    functions = {name for name, _ in chain.s.functions}
    if t.args[0].head != "add" or not any(p.head in functions for p in subterms(t.args[0])):
        return False
    k = var(t.name)
    for F in t.args[0].args:
        F = neg(F)
        if add(substitute(F, {t.name: k + ONE}), neg(F)) != t.args[0]:
            continue
        small, near = chain.s.new_name("small"), partial(_near, chain.search)
        for name in (name for name, sort in chain.s.variables if sort == "real"):
            fields = {"by": str(F), "limit": "0", "small": small, "from": f"{name}/{small}"}
            if chain.apply_by(near, "series", sum=str(t), **fields):
                return True
    return False


def _near(search: Search, s: Sequent) -> Node | None:
    """Prove a premise about a series, with lemmas about a term."""
    if isinstance(s.goal, Relation):
        node = search.leaf(s, "identity") or at_a_point(search, s, 1)
        if node is not None:
            return node
    return search.prove(s, 1)


# --- bounds ---------------------------------------------------------------------------------------


def _bounded(chain: Chain, t: Term) -> bool:
    """Bound the rest after some terms by c/(k^2 - 1/4), a difference of -c/(k - 1/2)."""
    start = t.args[1]
    if t.free or start.head != "num":
        return False
    mark = chain.mark()
    for first in FIRST:
        low = int(start.value) + first
        if low < 1:
            continue
        c = _factor(t, low)
        if c is None:
            return False
        for times in LOOSER:
            if not _promising(chain.s, t, low, times * c):
                continue
            if _with_rest(chain, t, first, times * c):
                return True
            chain.back(mark)
    return False


def _factor(t: Term, low: int) -> Fraction | None:
    """Return a number c with f(k) <= c/(k^2 - 1/4) at many k, 0 <= f; None if f falls slower."""
    most = Fraction(0)
    for k in [*range(low, low + 40), 100, 1000, FAR]:
        here = _at(t, k)
        if not isfinite(here) or here < 0:
            return None
        most = max(most, Fraction(here) * (Fraction(k) ** 2 - QUARTER))
    if _at(t, FARTHER) * FARTHER**2 > 10 * _at(t, FAR) * FAR**2:
        return None
    return Fraction(ceil(most)) if most > 20 else Fraction(ceil(most * 100), 100)


def _at(t: Term, k: int) -> float:
    """Return a term of a series as a number in floating point."""
    return float(points.evaluate(substitute(t.args[0], {t.name: num(k)}), {})[0][0])


def _promising(s: Sequent, t: Term, low: int, c: Fraction) -> bool:
    """Say whether the goal holds at both ends of the range that the first terms leave open."""
    start = t.args[1]
    total = sum((_at(t, k) for k in range(int(start.value), low)), 0.0)
    for value in (total, total + float(c) / (low - 0.5)):
        there = with_new(s.goal, t, num(Fraction(value)))
        relations = [f for f in flat(there) if isinstance(f, Relation)]
        if any(free(f) or not points.holds(f, {})[0][0] for f in relations):
            return False
    return True


def _with_rest(chain: Chain, t: Term, first: int, c: Fraction) -> bool:
    body, start, _ = t.args
    k = var(t.name)
    last = num(start.value + first - 1)
    low = start if not first else last + ONE
    rest = bind("sum", body, t.name, low, OO)
    above = bind("sum", div(num(c), k * k - num(QUARTER)), t.name, low, OO)
    small = chain.s.new_name("small")
    F = div(num(-c), k - num(Fraction(1, 2)))
    fields = {"by": str(F), "limit": "0", "from": f"{num(2 * c)}/{small}", "small": small}
    start_of = bind("sum", body, t.name, start, last)
    return (
        chain.apply("series", sum=str(above), **fields)
        and chain.apply("compare series", low=str(rest), high=str(above))
        and (none := _of_zeros(chain, rest)) is not None
        and chain.apply("compare series", low=str(none), high=str(rest))
        and (not first or chain.apply("parts", sum=str(t), at=str(last)))
        and (not first or chain.apply("unroll", **chain.search.unrolled(chain.s, start_of)))
    )
