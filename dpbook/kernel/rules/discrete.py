"""Rules for integers: induction, finite sums and products, residues, series."""

from __future__ import annotations

from itertools import product as all_of
from math import prod

from dpbook.kernel import terms
from dpbook.kernel.enclosure import integer_root
from dpbook.kernel.environment import Environment, Fields, Range, difference, rational
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Is, Relation, Sequent, presumes_defined, put
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.terms import ONE, OO, ZERO, Term, bind, infinite, mul, num, substitute, var

LONGEST = 200  # terms of a sum that are written out
RESIDUES = 200_000  # terms of a polynomial, times what its integers may be modulo a number


def induct(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude a formula for an integer from the lowest one and from each to the next.

    Goal         A(n)
    Premises     a is defined, where a condition inside A contains `defined(...)` of a term with n;
                 a is an integer;  a <= n;  A(a);  A(m + 1) given a <= m, m < n and A(m)
    Fields       variable: n; start: a
    Source       induction; the hypotheses on n itself stay, m is a new variable, called n_
    """
    name, sort = fields.variable("variable")
    start = fields.term("start")
    if sort != "integer" or name in start.free:
        raise Rejected("the variable must be an integer, and the start free of it")
    m = s.new_name(name)
    n, k = var(name), var(m)
    wide = s.with_variable(m, "integer")
    before = put(s.goal, {name: k})
    return [
        *([s.showing(Is("defined", start))] if presumes_defined(s.goal, name) else []),
        s.showing(Is("integer", start)),
        s.showing(Relation(start, "<=", n)),
        s.showing(put(s.goal, {name: start})),
        wide.showing(
            put(s.goal, {name: k + ONE}), Relation(start, "<=", k), Relation(k, "<", n), before
        ),
    ]


def _sum(fields: Fields, name: str = "sum", heads: tuple[str, ...] = ("sum",)) -> Term:
    t = fields.term(name)
    if t.head not in heads or any(map(infinite, t.args[1:])):
        raise Rejected(f"expected a finite {' or '.join(heads)}")
    return t


def telescope(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Use that a sum of differences is a difference.

    Goal         C
    Premises     a and b are integers;  a <= b + 1;  F(k + 1) - F(k) == f(k) for a <= k <= b;
                 C given sum(f, k, a, b) == F(b + 1) - F(a)
    Fields       sum; by: F, in the variable that the sum binds
    """
    r = Range(s, _sum(fields))
    r.own_name()
    F = fields.term("by", r.t.name)
    value = r.at(F, r.high + ONE) - r.at(F, r.low)
    return [
        *s.saying("integer", r.low, r.high),
        s.showing(Relation(r.low, "<=", r.high + ONE)),
        r.showing(Relation(r.at(F, r.x + ONE) - r.at(F), "==", r.at(r.body))),
        s.assuming(Relation(r.t, "==", value)),
    ]


def unroll(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Write out a sum, or a product, with a known number of terms.

    Goal         C
    Premises     a is an integer;  b - a == n - 1;
                 C given sum(f, k, a, b) == f(a) + f(a + 1) + ... + f(b)
    Fields       sum; length: n, from 0 on
    """
    t = _sum(fields, heads=("sum", "product"))
    body, low, high = t.args
    length = fields.number("length")
    if not 0 <= length <= LONGEST:
        raise Rejected("the number of terms is not known, or large")
    written = [substitute(body, {t.name: low + num(i)}) for i in range(length)]
    value = terms.add(*written) if t.head == "sum" else mul(*written)
    return [
        s.showing(Is("integer", low)),
        s.showing(Relation(high - low, "==", num(length - 1))),
        s.assuming(Relation(t, "==", value)),
    ]


def parts(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Cut a sum, a product or a series into two.

    Goal         C
    Premises     a and m are integers;  a - 1 <= m;  m <= b;  for a part from c to d of one term d == c,
                 for an empty part d == c - 1;
                 C given that it equals the part from a to m and the part from m + 1 to b together;
                 a part of one term is written out, an empty one left out
    Series       in place of m <= b: f(k) is defined for every integer k >= a; a and m are defined; the
                 series from m + 1 on is defined. C is given that the whole is defined, before the equality
    Fields       sum; at: m; below, above: "one" or "none" for a part of one term or an empty one
    """
    endless = fields.term("sum").args[2:] == (OO,)
    t = _series(s, fields).t if endless else _sum(fields, heads=("sum", "product"))
    body, low, high = t.args
    m = fields.term("at")
    lengths: list[Sequent] = []

    def piece(side: str, first: Term, last: Term) -> list[Term]:
        size = fields.text(side, "")
        if size == "one":
            lengths.append(s.showing(Relation(last, "==", first)))
            return [substitute(body, {t.name: first})]
        if size == "none":
            lengths.append(s.showing(Relation(last, "==", first - ONE)))
            return []
        return [bind(t.head, body, t.name, first, last)]

    if t.name in m.free or endless and fields.has("above"):
        raise Rejected("the cut has the name that the sum binds, or the rest has no end")
    both = [*piece("below", low, m), *piece("above", m + ONE, high)]
    value = terms.add(*both) if t.head == "sum" else mul(*both)
    whole = Relation(t, "==", value)
    ordered = [*s.saying("integer", low, m), s.showing(Relation(low - ONE, "<=", m))]
    if not endless:
        return [*ordered, s.showing(Relation(m, "<=", high)), *lengths, s.assuming(whole)]
    r = Range(s, t)
    there = [r.showing(r.body_defined()), *s.saying("defined", low, m, both[-1])]
    return [*ordered, *there, *lengths, s.assuming(Is("defined", t), whole)]


def compare_sums(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Compare two sums over the same range term by term.

    Goal         C
    Premises     f(k) op g(k) for a <= k <= b;  C given sum(f) op sum(g)
    Condition    the ends of both sums are equal by their normal forms
    Fields       low: sum(f, k, a, b); high: sum(g, k, a, b); op: <= or ==
    """
    first, second = _sum(fields, "low"), _sum(fields, "high")
    op = fields.text("op")
    facts = env.facts(s)
    same = all(
        facts.is_zero(facts.poly(a - b))
        for a, b in zip(first.args[1:], second.args[1:], strict=True)
    )
    if not same or op not in ("<=", "=="):
        raise Rejected("the sums have other ends, or the relation is not <= or ==")
    r = Range(s, first)
    g = substitute(second.args[0], {second.name: r.x})
    premise = r.showing(Relation(r.at(r.body), op, g))
    return [premise, s.assuming(Relation(first, op, second))]


def exchange_sums(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Exchange two finite sums whose ends do not depend on each other.

    Goal         C
    Premise      C given that both orders give the same
    Fields       sum: sum(sum(f, j, c, d), k, a, b)
    """
    t = _sum(fields)
    inner = t.args[0]
    if inner.head != "sum" or t.name in inner.args[1].free | inner.args[2].free:
        raise Rejected("expected a sum of a sum whose ends are free of the outer variable")
    if any(map(infinite, inner.args[1:])):
        raise Rejected("an infinite sum has no value here")
    if inner.name in t.args[1].free | t.args[2].free or inner.name == t.name:
        raise Rejected("the inner variable stands in the outer ends")
    within = bind("sum", inner.args[0], t.name, *t.args[1:])
    swapped = bind("sum", within, inner.name, *inner.args[1:])
    return [s.assuming(Relation(t, "==", swapped))]


def reindex(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Shift, or reverse, the index of a finite sum or product.

    Goal         C
    Premises     d is an integer;  C given sum(f(k), k, a, b) == sum(f(k + d), k, a - d, b - d), or
                 reversed == sum(f(d - k), k, d - b, d - a)
    Fields       sum; by: d; reversed: "yes" or missing
    """
    t = _sum(fields, heads=("sum", "product"))
    body, low, high = t.args
    d = fields.term("by")
    if t.name in d.free:
        raise Rejected("the shift has the name that the sum binds")
    k = var(t.name)
    if fields.text("reversed", "") == "yes":
        moved = bind(t.head, substitute(body, {t.name: d - k}), t.name, d - high, d - low)
    else:
        moved = bind(t.head, substitute(body, {t.name: k + d}), t.name, low - d, high - d)
    return [s.showing(Is("integer", d)), s.assuming(Relation(t, "==", moved))]


def residues(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude that a polynomial of integers is not 0 from its residues.

    Goal         p != 0
    Condition    p has integer coefficients in integers, and no residues make it 0 modulo m
    Fields       modulus: m
    """
    t, op = difference(s)
    modulus = fields.number("modulus")
    facts = env.facts(s)
    p = facts.poly(t)
    atoms = sorted(P.atoms_of(p))
    fine = op == "!=" and 2 <= modulus <= 100 and len(p) * modulus ** len(atoms) <= RESIDUES
    whole = all(c.denominator == 1 for c in p.values()) and all(
        facts.atoms[i].whole and isinstance(e, int) and 0 < e <= 60 for m in p for i, e in m
    )
    if not fine or not whole:
        raise Rejected("the goal is not that a polynomial of integers differs from 0")
    for values in all_of(range(modulus), repeat=len(atoms)):
        at = dict(zip(atoms, values, strict=True))
        terms_at = (int(c) * prod(pow(at[i], int(e)) for i, e in m) for m, c in p.items())
        if sum(terms_at) % modulus == 0:
            raise Rejected(f"0 modulo {modulus} is met")
    return []


def whole(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Use that an integer above b is at least b + 1.

    Goal         C, given a > b
    Premises     a - b is an integer;  C given a >= b + 1
    Fields       hypothesis: the number of ``a > b``
    """
    f = fields.hypothesis("hypothesis")
    t, op = difference(s.showing(f))
    if op != ">":
        raise Rejected("the hypothesis does not compare integers strictly")
    return [s.showing(Is("integer", t)), s.assuming(Relation(t, ">=", ONE))]


def no_root(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude that multiples of two powers of integers differ, as no rational number is their root.

    Goal         p != 0
    Premises     u and v are integers;  v != 0
    Condition    p is c u^k - d v^k, or its negative, by its normal form; k >= 2, c > 0 and d > 0 are
                 whole numbers, and d/c in lowest terms has a numerator or a denominator that is not
                 the k-th power of a whole number
    Fields       base: u; other: v; exponent: k; factors: [c, d]
    Soundness    from c u^k = d v^k and v != 0 it followed that d/c is the k-th power of abs(u/v), a
                 rational number; in lowest terms both parts of a k-th power are k-th powers
    Source       unique factorisation
    """
    t, op = difference(s)
    u, v, k = fields.term("base"), fields.term("other"), fields.number("exponent")
    factors = [rational(c, 60, "a factor must be a whole number") for c in fields.items("factors")]
    if op != "!=" or len(factors) != 2 or not 2 <= k <= 60:
        raise Rejected("the goal is not that multiples of two powers differ")
    if any(c.denominator > 1 or c <= 0 for c in factors):
        raise Rejected("the factors must be positive whole numbers")
    c, d = factors
    ratio = d / c
    if all(integer_root(n, k) ** k == n for n in (ratio.numerator, ratio.denominator)):
        raise Rejected(f"{ratio} is the power of a rational number")
    facts = env.facts(s)
    gap = facts.poly(num(c) * terms.power(u, num(k)) - num(d) * terms.power(v, num(k)))
    p = facts.poly(t)
    if not (facts.is_zero(P.plus(p, gap, -1)) or facts.is_zero(P.plus(p, gap))):
        raise Rejected("the normal forms differ")
    return [
        *s.saying("integer", u, v),
        s.showing(Relation(v, "!=", ZERO)),
    ]


# --- series: sums from an integer a on, without an end -------------------------------------------
#
# A series ``sum(f, k, a, oo)`` is the limit of ``sum(f, k, a, n)`` as n grows. It is *defined* where a is
# a defined integer, f is defined at every integer k >= a, and the limit exists. Elsewhere a series is the
# limit of its total values where this limit exists, and else 0. What f is where f is not defined, no rule says.


def _series(s: Sequent, fields: Fields, name: str = "sum") -> Range:
    """Return the terms of a series, at a new integer from its start on."""
    t = fields.term(name)
    if t.head != "sum" or t.args[2] != OO or infinite(t.args[1]):
        raise Rejected("expected a series from an integer on")
    return Range(s, t)


def _start(r: Range) -> list[Sequent]:
    return [r.s.showing(Is("defined", r.low)), r.s.showing(Is("integer", r.low))]


def series(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude the value of a series of differences: the first term less the limit.

    Goal         C
    Premises     a is defined and an integer;  f(k) is defined, and F(k + 1) - F(k) == f(k), for every
                 integer k >= a;  for every e > 0:  F(k) - L <= e and F(k) - L >= -e for every integer
                 k >= a with k >= W(e);  C given that sum(f, k, a, oo) is defined, and == L - F(a)
    Fields       sum; by: F, in the variable that the sum binds; limit: L; from: W(e); small: the name
                 of e
    Source       the sum from a to n is F(n + 1) - F(a), by induction
    """
    r = _series(s, fields)
    F = fields.term("by", r.t.name)
    small = fields.text("small")
    r.own_name()
    if small in F.free or small == r.t.name:
        raise Rejected("the small number needs a name of its own")
    limit, reach = fields.term("limit"), fields.term("from", small)
    far = r.wide.with_variable(small, "real")
    where = (Relation(var(small), ">", ZERO), *r.inside(), Relation(reach, "<=", r.x))
    step = r.at(F, r.x + ONE) - r.at(F)
    gap = r.at(F) - limit
    value = Relation(r.t, "==", limit - r.at(F, r.low))
    return [
        *_start(r),
        r.showing(r.body_defined()),
        r.showing(Relation(step, "==", r.at(r.body)), r.body_defined()),
        far.showing(Relation(gap, "<=", var(small)), *where),
        far.showing(Relation(gap, ">=", num(-1) * var(small)), *where),
        s.assuming(Is("defined", r.t), value),
    ]


def compare_series(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Bound a series by another series, which converges.

    Goal         C
    Premises     a is defined and an integer;  the series of g is defined;  f(k) is defined, f(k) <= g(k)
                 and -f(k) <= g(k), for every integer k >= a;  C given that the series of f is defined,
                 that it is <= the series of g, and that its negative is
    Condition    both series start at a as written
    Fields       low: sum(f, k, a, oo); high: sum(g, k, a, oo)
    Source       a series that converges absolutely converges
    """
    r = _series(s, fields, "low")
    other = _series(s, fields, "high")
    if r.low != other.low:
        raise Rejected("the series start at other places")
    f, g = r.at(r.body), other.at(other.body, r.x)
    bounds = Relation(r.t, "<=", other.t), Relation(mul(num(-1), r.t), "<=", other.t)
    return [
        *_start(r),
        s.showing(Is("defined", other.t)),
        r.showing(r.body_defined()),
        r.showing(Relation(f, "<=", g), r.body_defined()),
        r.showing(Relation(mul(num(-1), f), "<=", g), r.body_defined()),
        s.assuming(Is("defined", r.t), *bounds),
    ]


def linear_series(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Take a series apart into a linear combination of series that converge.

    Goal         C
    Premises     a is defined and an integer;  f(k) is defined, and f == c_1 f_1 + ..., for every integer
                 k >= a;  each series of f_i is defined;
                 C given that sum(f) is defined, and == c_1 sum(f_1) + ...
    Fields       sum; parts: [c_i, f_i], f_i in the variable that the sum binds
    """
    r = _series(s, fields)
    r.own_name()
    premises, value = r.combined(fields)
    return [*_start(r), *premises, s.assuming(Is("defined", r.t), value)]


RULES = (
    *(induct, telescope, unroll, parts, compare_sums, exchange_sums, reindex, residues),
    *(no_root, whole, series, compare_series, linear_series),
)
