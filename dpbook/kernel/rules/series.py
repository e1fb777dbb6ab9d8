"""Rules for series: sums from an integer a on, without an end.

A series ``sum(f, k, a, oo)`` is the limit of ``sum(f, k, a, n)`` as n grows. It is *defined* where a
is a defined integer, f is defined at every integer k >= a, and the limit exists. Elsewhere it is the
limit of its total values where there is one, and else 0; of what a term is where it is not defined
nothing is known but this.
"""

from __future__ import annotations

from dpbook.kernel.environment import Environment, Fields, read_term
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Relation, Sequent
from dpbook.kernel.terms import ONE, OO, ZERO, Term, add, bind, infinite, mul, num, substitute, var


class _Terms:
    """The terms of a series, at a new integer from its start on."""

    def __init__(self, s: Sequent, t: Term) -> None:
        if t.head != "sum" or t.args[2] != OO or infinite(t.args[1]):
            raise Rejected("expected a series from an integer on")
        self.s, self.t = s, t
        self.body, self.low, _ = t.args
        self.name = s.new_name(t.name)
        self.k = var(self.name)
        self.wide = s.with_variable(self.name, "integer")

    def at(self, f: Term, k: Term | None = None) -> Term:
        return substitute(f, {self.t.name: self.k if k is None else k})

    def showing(self, f: Formula, *more: Formula) -> Sequent:
        return self.wide.showing(f, Relation(self.low, "<=", self.k), *more)

    def start(self) -> list[Sequent]:
        return [self.s.showing(Is("defined", self.low)), self.s.showing(Is("integer", self.low))]

    def body_defined(self) -> Formula:
        return Is("defined", self.at(self.body))


def series(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Use that a series of differences goes to what is left of its first one.

    Goal         C
    Premises     a is defined and an integer;  f(k) is defined, and F(k + 1) - F(k) == f(k), for every
                 integer k >= a;  for every e > 0:  F(k) - L <= e and F(k) - L >= -e for every integer
                 k >= a with k >= W(e);  C given sum(f, k, a, oo) == L - F(a), and that it is defined
    Fields       sum; by: F, in the variable that the sum binds; limit: L; from: W(e); small: the name
                 of e
    Source       the sum from a to n is F(n + 1) - F(a), by induction
    """
    r = _Terms(s, fields.term("sum"))
    F = fields.term("by", r.t.name)
    small = fields.text("small")
    if r.t.name in {n for n, _ in s.variables}:
        raise Rejected("the sum binds the name of a variable")
    if small in F.free or small == r.t.name:
        raise Rejected("the small number needs a name of its own")
    limit, reach = fields.term("limit"), fields.term("from", small)
    far = r.wide.with_variable(small, "real")
    where = (
        Relation(var(small), ">", ZERO),
        Relation(r.low, "<=", r.k),
        Relation(reach, "<=", r.k),
    )
    step = r.at(F, r.k + ONE) - r.at(F)
    gap = r.at(F) - limit
    premises = [
        *r.start(),
        r.showing(r.body_defined()),
        r.showing(Relation(step, "==", r.at(r.body)), r.body_defined()),
        far.showing(Relation(gap, "<=", var(small)), *where),
        far.showing(Relation(gap, ">=", num(-1) * var(small)), *where),
    ]
    value = Relation(r.t, "==", limit - substitute(F, {r.t.name: r.low}))
    return [*env.left(premises), s.assuming(Is("defined", r.t), value)]


def compare(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Bound a series by one that converges.

    Goal         C
    Premises     a is defined and an integer;  f(k) is defined, f(k) <= g(k) and -f(k) <= g(k) for every
                 integer k >= a;  the series of g is defined;
                 C given that the series of f is defined, and at most that of g, and so is its negative
    Fields       low: sum(f, k, a, oo); high: sum(g, k, a, oo)
    Source       a series that converges absolutely converges
    """
    r = _Terms(s, fields.term("low"))
    other = _Terms(s, fields.term("high"))
    if r.low != other.low:
        raise Rejected("the series start at other places")
    f, g = r.at(r.body), substitute(other.body, {other.t.name: r.k})
    premises = [
        *r.start(),
        s.showing(Is("defined", other.t)),
        r.showing(r.body_defined()),
        r.showing(Relation(f, "<=", g), r.body_defined()),
        r.showing(Relation(mul(num(-1), f), "<=", g), r.body_defined()),
    ]
    found = (
        Is("defined", r.t),
        Relation(r.t, "<=", other.t),
        Relation(mul(num(-1), r.t), "<=", other.t),
    )
    return [*env.left(premises), s.assuming(*found)]


def parts(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Take the first terms of a series apart.

    Goal         C
    Premises     a and m are defined and integers;  a - 1 <= m;  f(k) is defined for every integer
                 k >= a;  the series from m + 1 on is defined;  C given that the series is the sum
                 from a to m and the series from m + 1 on together, and that it is defined
    Fields       sum; at: m
    """
    r = _Terms(s, fields.term("sum"))
    m = fields.term("at")
    if r.t.name in m.free:
        raise Rejected("the cut has the name that the sum binds")
    first = bind("sum", r.body, r.t.name, r.low, m)
    rest = bind("sum", r.body, r.t.name, m + ONE, OO)
    premises = [
        *r.start(),
        s.showing(Is("defined", m)),
        s.showing(Is("integer", m)),
        s.showing(Relation(r.low - ONE, "<=", m)),
        r.showing(r.body_defined()),
        s.showing(Is("defined", rest)),
    ]
    return [*env.left(premises), s.assuming(Is("defined", r.t), Relation(r.t, "==", first + rest))]


def linear(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Take a series apart into a linear combination of series that converge.

    Goal         C
    Premises     a is defined and an integer;  f(k) is defined, and f == c_1 f_1 + ..., for every integer
                 k >= a;  each series of f_i is defined;
                 C given sum(f) == c_1 sum(f_1) + ..., and that it is defined
    Fields       sum; parts: [c_i, f_i], f_i in the variable that the sum binds
    """
    r = _Terms(s, fields.term("sum"))
    if r.t.name in {n for n, _ in s.variables}:
        raise Rejected("the sum binds the name of a variable")
    total, value, needed = [], [], []
    for item in fields.items("parts"):
        if not isinstance(item, list) or len(item) != 2:
            raise Rejected("a part is [coefficient, terms]")
        c, f = read_term(item[0], s), read_term(item[1], s, r.t.name)
        part = bind("sum", f, r.t.name, r.low, OO)
        total.append(mul(c, r.at(f)))
        value.append(mul(c, part))
        needed.append(s.showing(Is("defined", part)))
    premises = [
        *r.start(),
        r.showing(r.body_defined()),
        r.showing(Relation(r.at(r.body), "==", add(*total)), r.body_defined()),
        *needed,
    ]
    return [
        *env.left(premises),
        s.assuming(Is("defined", r.t), Relation(r.t, "==", add(*value))),
    ]


RULES = {
    "series": series,
    "compare series": compare,
    "cut series": parts,
    "linear series": linear,
}
