"""Rules for series: sums from an integer a on, without an end.

A series ``sum(f, k, a, oo)`` is the limit of ``sum(f, k, a, n)`` as n grows. It is *defined* where a
is a defined integer, f is defined at every integer k >= a, and the limit exists. Elsewhere it is the
limit of its total values where there is one, and else 0; of what a term is where it is not defined
nothing is known but this.
"""

from __future__ import annotations

from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Is, Relation, Sequent
from dpbook.kernel.rules.ranges import Range
from dpbook.kernel.terms import ONE, OO, ZERO, bind, infinite, mul, num, var


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
                 k >= a with k >= W(e);  C given sum(f, k, a, oo) == L - F(a), and that it is defined
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
    Premises     a is defined and an integer;  f(k) is defined, f(k) <= g(k) and -f(k) <= g(k) for every
                 integer k >= a;  the series of g is defined;
                 C given that the series of f is defined, and at most that of g, and so is its negative
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


def cut_series(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Take the first terms of a series apart.

    Goal         C
    Premises     a and m are defined and integers;  a - 1 <= m;  f(k) is defined for every integer
                 k >= a;  the series from m + 1 on is defined;  C given that the series is the sum
                 from a to m and the series from m + 1 on together, and that it is defined
    Fields       sum; at: m
    """
    r = _series(s, fields)
    m = fields.term("at")
    if r.t.name in m.free:
        raise Rejected("the cut has the name that the sum binds")
    first = bind("sum", r.body, r.t.name, r.low, m)
    rest = bind("sum", r.body, r.t.name, m + ONE, OO)
    return [
        *_start(r),
        s.showing(Is("defined", m)),
        s.showing(Is("integer", m)),
        s.showing(Relation(r.low - ONE, "<=", m)),
        r.showing(r.body_defined()),
        s.showing(Is("defined", rest)),
        s.assuming(Is("defined", r.t), Relation(r.t, "==", first + rest)),
    ]


def linear_series(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Take a series apart into a linear combination of series that converge.

    Goal         C
    Premises     a is defined and an integer;  f(k) is defined, and f == c_1 f_1 + ..., for every integer
                 k >= a;  each series of f_i is defined;
                 C given sum(f) == c_1 sum(f_1) + ..., and that it is defined
    Fields       sum; parts: [c_i, f_i], f_i in the variable that the sum binds
    """
    r = _series(s, fields)
    r.own_name()
    premises, value = r.combined(fields)
    return [*_start(r), *premises, s.assuming(Is("defined", r.t), value)]


RULES = (series, compare_series, cut_series, linear_series)
