"""Rules of calculus: the kernel differentiates, on one stated segment; and integrals."""

from __future__ import annotations

from collections.abc import Sequence, Set

from dpbook.kernel import environment, terms
from dpbook.kernel.defined import continuous, derivative
from dpbook.kernel.environment import Environment, Fields, Range, asked, difference, read_term
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Relation, Sequent, put
from dpbook.kernel.table import FUNCTIONS, INTEGRALS
from dpbook.kernel.terms import ONE, ZERO, Term, bind, infinite, mul, num, substitute, var

Given = tuple[Formula, ...]


def _function(s: Sequent, name: str) -> tuple[Term, str]:
    f, op = difference(s)
    if name not in f.free:
        raise Rejected(f"the goal does not depend on {name}")
    if not continuous(f, name):
        raise Rejected(f"the goal may jump in {name}")
    return f, op


def _sloping(
    s: Sequent, f: Term, name: str, x: Term, op: str, closed: Given, opened: Given, order: int = 1
) -> list[Sequent]:
    """Return the goals about a function and its derivatives at a new variable x.

    Premises     f defined, given `closed`;  each derivative up to the order defined, given `opened` and
                 those before it;  the last one op 0, given all of that
    """
    wide = s.with_variable(x.name, "real")
    here = Is("defined", substitute(f, {name: x}))
    premises, given = [wide.showing(here, *closed)], [*opened, here]
    for _ in range(order):
        f = derivative(f, name)
        there = Is("defined", substitute(f, {name: x}))
        premises.append(wide.showing(there, *given))
        given.append(there)
    return [*premises, wide.showing(Relation(substitute(f, {name: x}), op, ZERO), *given)]


def monotone(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude a sign from one end of a segment and the sign of the derivative on it.

    Goal         f(v) op 0, op among >=, >, ==
    Premises     a <= v;  f(a) op 0;  f defined on [a, v];  f' defined on (a, v);
                 f' >= 0 on (a, v) (for == f' == 0)
    Strict       for >, in place of the sign at a: a < v, f(a) >= 0 and f' > 0 on (a, v)
    Fields       variable: v; end: a; side: "above", or "below" for v <= a and f' <= 0;
                 strict: "slope" for the second form
    Source       mean value theorem
    """
    name, _ = fields.variable("variable")
    f, op = _function(s, name)
    end = fields.term("end")
    side, slope = fields.text("side"), fields.text("strict", "") == "slope"
    if side not in ("above", "below") or name in end.free or (slope and op != ">"):
        raise Rejected("the segment is not stated well")
    if op == "!=":
        raise Rejected("a sign is shown, not that a term differs from 0")
    v, x = var(name), var(s.new_name(name))
    low, high = (end, v) if side == "above" else (v, end)
    closed = (Relation(low, "<=", x), Relation(x, "<=", high))
    opened = (Relation(low, "<", x), Relation(x, "<", high))
    sign = {"==": "==", ">": ">=", ">=": ">="}[op] if not slope else ">"
    if side == "below" and op != "==":
        sign = {">=": "<=", ">": "<"}[sign]
    return [
        s.showing(Relation(low, "<" if slope else "<=", high)),
        s.showing(Relation(substitute(f, {name: end}), ">=" if slope else op, ZERO)),
        *_sloping(s, f, name, x, sign, closed, opened),
    ]


def concave(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude a sign between two points from the signs there, for a concave function.

    Goal         f(v) op 0, op among >=, >
    Premises     a <= v;  v <= b;  f(a) op 0;  f(b) op 0;  f defined on [a, b];
                 f' and f'' defined on (a, b);  f'' <= 0 on (a, b)
    Fields       variable: v; low: a; high: b
    Source       a concave function lies above its chord
    """
    name, _ = fields.variable("variable")
    f, op = _function(s, name)
    low, high = fields.term("low"), fields.term("high")
    if op not in (">=", ">") or name in low.free | high.free:
        raise Rejected("the segment is not stated well")
    v, x = var(name), var(s.new_name(name))
    closed = (Relation(low, "<=", x), Relation(x, "<=", high))
    opened = (Relation(low, "<", x), Relation(x, "<", high))
    return [
        s.showing(Relation(low, "<=", v)),
        s.showing(Relation(v, "<=", high)),
        s.showing(Relation(substitute(f, {name: low}), op, ZERO)),
        s.showing(Relation(substitute(f, {name: high}), op, ZERO)),
        *_sloping(s, f, name, x, "<=", closed, opened, 2),
    ]


def descend(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude a sign from a limit that is not negative, for a function that falls towards it.

    Goal         f(v) >= 0, or f(v) > 0
    Premises     f defined on [v, oo);  f' defined and <= 0 (for > it is < 0) on (v, oo);
                 for every e > 0:  W(e) >= v (for > it is >= v + 1) and f(W(e)) >= -e
    With an end  b in place of oo, where f need not be defined: [v, b) and (v, b);  W(e) >= v (for > it
                 is >= (v + b)/2);  W(e) < b;  f(W(e)) >= -e
    Fields       variable: v; side: "up", or "down" for (-oo, v] and f' >= 0; small: the name of e;
                 reach: W(e); end: b, or missing
    """
    name, _ = fields.variable("variable")
    f, op = _function(s, name)
    side, small = fields.text("side"), fields.text("small")
    if side not in ("up", "down") or op not in (">=", ">"):
        raise Rejected("the segment is not stated well")
    reach = fields.term("reach", small)
    end = fields.term("end") if fields.has("end") else None
    if end is not None and name in end.free:
        raise Rejected("the segment is not stated well")
    v, x = var(name), var(s.new_name(name))
    weak, strict = ("<=", "<") if side == "up" else (">=", ">")
    within: list[Formula] = [] if end is None else [Relation(x, strict, end)]
    closed, opened = (Relation(v, weak, x), *within), (Relation(v, strict, x), *within)
    away = s.with_variable(small, "real")
    start = v
    if op == ">":
        start = v + num(1 if side == "up" else -1) if end is None else terms.div(v + end, num(2))
    tiny = Relation(var(small), ">", ZERO)
    return [
        *_sloping(s, f, name, x, strict if op == ">" else weak, closed, opened),
        away.showing(Relation(start, weak, reach), tiny),
        *([] if end is None else [away.showing(Relation(reach, strict, end), tiny)]),
        away.showing(Relation(substitute(f, {name: reach}), ">=", num(-1) * var(small)), tiny),
    ]


# --- integrals ----------------------------------------------------------------------------------
#
# Integrals are taken as Henstock and Kurzweil do (Gordon 1994, chapters 9 to 12). An integral over an
# infinite range is the limit of integrals over finite ranges. Where F' = f, the integral of f is F(b) - F(a),
# and the proof shows no other property of f. From a larger end to a smaller one an integral is the negative
# of the integral from the smaller one to the larger. An integral is *defined* where it exists, its ends are
# defined and the integrand is defined at every point strictly between them. A rule that concludes that an
# integral is defined has the premises, before its last one, that finite ends are, by the table.


def _integral(source: Term) -> Term:
    if source.head != "integral":
        raise Rejected("expected an integral")
    low, high = source.args[1:]
    if (infinite(low) and low != terms.MINUS_OO) or (infinite(high) and high != terms.OO):
        raise Rejected("the ends of the integral are out of order")
    return source


def _ordered(r: Range) -> list[Sequent]:
    if infinite(r.low) or infinite(r.high):
        return []
    return [r.s.showing(Relation(r.low, "<=", r.high))]


def _valued(s: Sequent, premises: Sequence[Sequent], t: Term, value: Formula) -> list[Sequent]:
    """Return the premises, and the goal given the value of an integral and that it exists."""
    return [*premises, *_defined_ends(s, t), s.assuming(Is("defined", t), value)]


def _defined_ends(s: Sequent, t: Term) -> list[Sequent]:
    """Return the premises that the ends of an integral are defined: else it has no value."""
    return [p for end in t.args[1:] if not infinite(end) for p in environment.conditions(s, end)]


def proper_integral(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude that the integral of a continuous function over a bounded segment exists.

    Goal         defined(integral(f, x, a, b))
    Premises     a <= b;  f defined on [a, b];  a and b are defined, by the table
    Condition    f has no jump by its form
    """
    r = Range(s, _integral(asked(s)))
    if infinite(r.low) or infinite(r.high) or not continuous(r.body, r.t.name):
        raise Rejected("the segment is not bounded, or the integrand may jump")
    closed = (Relation(r.low, "<=", r.x), Relation(r.x, "<=", r.high))
    there = r.wide.showing(r.body_defined(), *closed)
    return [*_ordered(r), there, *_defined_ends(s, r.t)]


def primitive(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Use a primitive of the integrand.

    Goal         C
    Premises     a <= b (a < b where limits are used);  the limits, first at a and then at b;
                 F defined on [a, b], but not at an end where its limit is used;  f defined, F' defined
                 and F' == f on (a, b);  finite ends are defined, by the table;
                 C given that integral(f, x, a, b) exists, and == F(b) - F(a)
    Limits       at an end where F is not used it has a limit L. For every e > 0: W(e) lies below a
                 finite upper end, or above a finite lower one;  F(x) - L <= e and F(x) - L >= -e for x
                 between W(e) and the end
    Fields       integral; by: F; low, high: {"limit": L, "from": W(e), "small": the name of e}, where
                 the end is infinite or left out
    Source       fundamental theorem of calculus; at the limits Hake's theorem
    """
    r = Range(s, _integral(fields.term("integral")))
    F = fields.term("by", r.t.name)
    r.own_name()
    if not continuous(F, r.t.name):
        raise Rejected("the primitive may jump")
    slope = derivative(F, r.t.name)
    premises = _ordered(r)
    segment: list[Formula] = []
    values = []
    if (fields.has("low") or fields.has("high")) and premises:
        premises = [s.showing(Relation(r.low, "<", r.high))]
    for end, t, below in (("low", r.low, True), ("high", r.high, False)):
        if fields.has(end):
            limit, needed = _limit(s, r, fields.mapping(end), F, t, below)
            premises += needed
            values.append(limit)
            strict = "<"
        else:
            if infinite(t):
                raise Rejected("an infinite end needs a limit")
            values.append(r.at(F, t))
            strict = "<="
        if not infinite(t):
            segment.append(Relation(t, strict, r.x) if below else Relation(r.x, strict, t))
    there, df = Is("defined", r.at(F)), Is("defined", r.at(slope))
    premises += [
        r.wide.showing(there, *segment),
        r.showing(r.body_defined(), there),
        r.showing(df, there, r.body_defined()),
        r.showing(Relation(r.at(slope), "==", r.at(r.body)), there, r.body_defined(), df),
    ]
    value = values[1] - values[0]
    return _valued(s, premises, r.t, Relation(r.t, "==", value))


def _limit(
    s: Sequent, r: Range, given: object, F: Term, end: Term, below: bool
) -> tuple[Term, list[Sequent]]:
    if not isinstance(given, dict) or not isinstance(given.get("small"), str):
        raise Rejected("a limit is stated by limit, from and small")
    small = given["small"]
    if small in F.free or small == r.t.name:
        raise Rejected("the small number needs a name of its own")
    limit = read_term(given.get("limit"), s)
    reach = read_term(given.get("from"), s, small)
    near = s.with_variable(small, "real").assuming(Relation(var(small), ">", ZERO))
    wide = near.with_variable(r.name, "real")
    # from the lower end up to W(e), or from W(e) up to the upper one
    first, last = (end, reach) if below else (reach, end)
    order = [] if infinite(end) else [near.showing(Relation(first, "<", last))]
    nearer = Relation(r.x, "<=", reach) if below else Relation(reach, "<=", r.x)
    where, gap = [nearer, *r.inside()], r.at(F) - limit
    return limit, [
        *order,
        wide.showing(Relation(gap, "<=", var(small)), *where),
        wide.showing(Relation(gap, ">=", num(-1) * var(small)), *where),
    ]


def integral_of_the_table(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Use an integral of the table.

    Goal         C
    Premises     the conditions of the entry;  f defined, and equal to the entry's integrand, on (a, b);
                 finite ends are defined, by the table;
                 C given that the integral exists, and its value
    Condition    the ends are those of the entry by their normal forms
    Fields       integral; entry: its name; at: a term for each parameter
    """
    r = Range(s, _integral(fields.term("integral")))
    entry, values, needed = environment.entry_at(INTEGRALS, fields.text("entry"), s, fields, env)
    facts = env.facts(s)
    for mine, source in ((r.low, entry.low), (r.high, entry.high)):
        theirs = substitute(terms.parse_term(source), values)
        endless = infinite(mine) or infinite(theirs)
        if mine != theirs and (endless or not facts.is_zero(facts.poly(mine - theirs))):
            raise Rejected("the ends are not the ends of the entry")
    body = substitute(terms.parse_term(entry.body), {**values, "x": r.x})
    value = substitute(terms.parse_term(entry.value), values)
    premises = [
        *needed,
        r.showing(r.body_defined()),
        r.showing(Relation(r.at(r.body), "==", body), r.body_defined()),
    ]
    return _valued(s, premises, r.t, Relation(r.t, "==", value))


def linear_integral(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Take an integral apart into a linear combination of integrals that exist.

    Goal         C
    Premises     a <= b;  f defined, and f == c_1 f_1 + ... on (a, b);  each integral of f_i exists;
                 finite ends are defined, by the table;
                 C given that integral(f) exists, and == c_1 integral(f_1) + ...
    Fields       integral; parts: [c_i, f_i], f_i in the variable that the integral binds
    """
    r = Range(s, _integral(fields.term("integral")))
    r.own_name()
    premises, value = r.combined(fields)
    return _valued(s, [*_ordered(r), *premises], r.t, value)


def cut_integral(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Cut the range of an integral in two.

    Goal         C
    Premises     a <= c;  c <= b;  the integrals from a to c and from c to b exist;  f defined at c;
                 finite ends of the whole range are defined, by the table;
                 C given that integral(a, b) exists, and == integral(a, c) + integral(c, b)
    Fields       integral; at: c
    Source       additivity over intervals; an integral from a to a is 0
    """
    r = Range(s, _integral(fields.term("integral")))
    c = fields.term("at")
    first = bind("integral", r.body, r.t.name, r.low, c)
    second = bind("integral", r.body, r.t.name, c, r.high)
    premises = [] if infinite(r.low) else [s.showing(Relation(r.low, "<=", c))]
    premises += [] if infinite(r.high) else [s.showing(Relation(c, "<=", r.high))]
    premises += s.saying("defined", first, second, r.at(r.body, c))
    return _valued(s, premises, r.t, Relation(r.t, "==", first + second))


def inner_integral(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude that an integral over a part of a range exists.

    Goal         defined(integral(f, x, c, d))
    Premises     a <= c;  d <= b;  c <= d;  the integral of f over (a, b) exists;
                 finite ends c and d are defined, by the table
    Condition    an infinite end is an end of both
    Fields       whole: integral(f, x, a, b)
    Source       Bartle, A Modern Theory of Integration, 2001, chapter 3: additivity over intervals
    """
    r, whole = Range(s, _integral(asked(s))), _integral(fields.term("whole"))
    if not terms.alike(bind("integral", whole.args[0], whole.name, r.low, r.high), r.t):
        raise Rejected("the integrands differ")
    premises = []
    for end, outer, below in ((r.low, whole.args[1], True), (r.high, whole.args[2], False)):
        if infinite(end) and end != outer:
            raise Rejected("an infinite end is no end of the whole range")
        if not infinite(outer):
            pair = (outer, end) if below else (end, outer)
            premises.append(s.showing(Relation(pair[0], "<=", pair[1])))
    return [*premises, *_ordered(r), s.showing(Is("defined", whole)), *_defined_ends(s, r.t)]


def compare_integrals(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Compare two integrals over the same range.

    Goal         C
    Premises     a <= b;  both exist;  f op g on (a, b);  C given integral(f) op integral(g)
    Condition    both have the same ends as written
    Fields       low: integral of f; high: integral of g; op: <= or ==
    """
    first, second = _integral(fields.term("low")), _integral(fields.term("high"))
    op = fields.text("op")
    if first.args[1:] != second.args[1:] or op not in ("<=", "=="):
        raise Rejected("the integrals have other ends, or the relation is not <= or ==")
    r = Range(s, first)
    g = substitute(second.args[0], {second.name: r.x})
    premises = [
        *_ordered(r),
        *s.saying("defined", first, second),
        r.showing(Relation(r.at(r.body), op, g)),
    ]
    return [*premises, s.assuming(Relation(first, op, second))]


def move_integral(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Substitute x = p y + q in an integral, where p is not 0.

    Goal         C
    Premises     p > 0;  the integral of p f(p y + q) from (a - q)/p to (b - q)/p exists;  f defined on
                 (a, b);  finite ends a and b are defined, by the table;
                 C given that integral(f, x, a, b) exists, and that both are equal
    Reflected    -p > 0 in place of p > 0; the integral of -p f(p y + q) from (b - q)/p to (a - q)/p
    Fields       integral; scale: p; shift: q; reflected: "yes" or missing
    """
    r = Range(s, _integral(fields.term("integral")))
    p, q = fields.term("scale"), fields.term("shift")
    if r.t.name in p.free | q.free:
        raise Rejected("the substitution has the name that the integral binds")
    y = var(r.t.name)
    reflected = fields.text("reflected", "") == "yes"
    size = num(-1) * p if reflected else p
    body = mul(size, r.at(r.body, mul(p, y) + q))
    ends = [t if infinite(t) else terms.div(t - q, p) for t in (r.low, r.high)]
    if reflected:
        opposite = {terms.OO: terms.MINUS_OO, terms.MINUS_OO: terms.OO}
        ends = [opposite.get(t, t) for t in reversed(ends)]
    other = bind("integral", body, r.t.name, *ends)
    premises = [
        s.showing(Relation(size, ">", ZERO)),
        s.showing(Is("defined", other)),
        r.showing(r.body_defined()),
    ]
    return _valued(s, premises, r.t, Relation(r.t, "==", other))


def change_integral(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Substitute x = g(y) in an integral, where g rises.

    Goal         C
    Premises     a <= b;  c <= d;  the integral of F over (c, d) exists;  f defined on (a, b);
                 for y in (c, d):  g defined;  g' defined;  g' > 0;  a < g(y) < b;  F == g' f(g(y));
                 for x in (a, b):  c < h(x) < d;  g(h(x)) == x;
                 finite ends a and b are defined, by the table;
                 C given that integral(f, x, a, b) exists, and == integral(F, y, c, d)
    Reflected    g falls: -g' in place of g'
    Fields       integral: integral(f, x, a, b); other: integral(F, y, c, d); by: g, in y; back: h, in x;
                 reflected: "yes" or missing
    Soundness    g has a slope of one sign, so it is strictly monotone and continuous. Its values lie in
                 (a, b), and it takes each x there, at h(x). So it maps each segment in (c, d) onto one in
                 (a, b), and there sums of f and of F belong together: by the definition of g', what they
                 differ by is as small as one likes, whatever f is. Towards the ends both have the same
                 limits (Hake's theorem). a <= b and c <= d cannot be left out: from a larger end to a
                 smaller one nothing is strictly between, and the integral need not be 0.
    Source       Bartle, A Modern Theory of Integration, 2001, section 13
    """
    r, other = (Range(s, _integral(fields.term(name))) for name in ("integral", "other"))
    g, h = fields.term("by", other.t.name), fields.term("back", r.t.name)
    r.own_name()
    other.own_name()
    slope = derivative(g, other.t.name)
    size = other.at(mul(num(-1), slope) if fields.text("reflected", "") == "yes" else slope)
    y, x = other.at(g), r.at(h)
    there = Is("defined", y), Is("defined", other.at(slope))
    premises = [
        *(*_ordered(r), *_ordered(other), s.showing(Is("defined", other.t))),
        *(r.showing(r.body_defined()), other.showing(there[0]), other.showing(*reversed(there))),
        other.showing(Relation(size, ">", ZERO), *there),
        *(other.showing(put(f, {r.name: y}), *there) for f in r.inside()),
        other.showing(Relation(other.at(other.body), "==", mul(size, r.at(r.body, y))), *there),
        *(r.showing(put(f, {other.name: x})) for f in other.inside()),
        r.showing(Relation(other.at(g, x), "==", r.x)),
    ]
    return _valued(s, premises, r.t, Relation(r.t, "==", other.t))


def reverse_integral(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Exchange the ends of an integral.

    Goal         C
    Premises     the integral of f from b to a exists;  a and b are defined, by the table;
                 C given that integral(f, x, a, b) exists, and == - integral(f, x, b, a)
    Condition    no end is infinite
    Fields       integral: integral(f, x, a, b)
    Source       the convention for integrals whose ends are in the other order
    """
    t = fields.term("integral")
    if t.head != "integral" or any(map(infinite, t.args[1:])):
        raise Rejected("expected an integral between finite ends")
    body, low, high = t.args
    other = bind("integral", body, t.name, high, low)
    value = Relation(t, "==", num(-1) * other)
    return _valued(s, [s.showing(Is("defined", other))], t, value)


def bounded_integral(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude that f is integrable: it is measurable, abs(f) <= g, and g is integrable.

    Goal         defined(integral(f, x, a, b))
    Premises     a <= b;  f defined on (a, b);  the integral of g exists;  f <= g and -f <= g on (a, b);
                 for each part h that is measurable: the integral of h w exists, and w is defined and
                 not 0 on (a, b), if w is not 1;  finite ends are defined, by the table
    Condition    f is made of x, of terms free of x, of functions of the table and of the parts h; each w
                 of x, of terms free of x and of functions of the table
    Fields       by: g; measurable: [h, w], in the variable that the integral binds
    Soundness    What has an integral is measurable, so h w is, and h = (h w)/w. The functions of the
                 table are Borel functions where they are defined, so f is measurable. As 0 <= abs(f) <= g
                 and g has an integral, f is absolutely integrable.
    Source       Gordon 1994, theorems 9.12 and 9.13
    """
    r = Range(s, _integral(asked(s)))
    name = r.t.name
    r.own_name()
    g = fields.term("by", name)
    premises = [
        *_ordered(r),
        r.showing(r.body_defined()),
        s.showing(Is("defined", bind("integral", g, name, r.low, r.high))),
        r.showing(Relation(r.at(r.body), "<=", r.at(g)), r.body_defined()),
        r.showing(Relation(mul(num(-1), r.at(r.body)), "<=", r.at(g)), r.body_defined()),
    ]
    parts: set[Term] = set()
    for part, weight in fields.pairs("measurable"):
        h = read_term(part, s, name)
        parts.add(h)
        premises += _measurable(r, h, weight)
    if not _borel(r.body, {name}, parts):
        raise Rejected("a part of the integrand is not known to be measurable")
    return [*premises, *_defined_ends(s, r.t)]


def _measurable(r: Range, h: Term, weight: object) -> list[Sequent]:
    """Return the premises that h w has an integral over a range, and that w is defined and not 0 there."""
    w = read_term(weight, r.s, r.t.name)
    if not _borel(w, {r.t.name}, set()):
        raise Rejected("a weight holds more than functions of the table")
    whole = bind("integral", h if w == ONE else mul(h, w), r.t.name, r.low, r.high)
    premises, there = [r.s.showing(Is("defined", whole))], Is("defined", r.at(w))
    if w != ONE:
        premises += [r.showing(there), r.showing(Relation(r.at(w), "!=", ZERO), there)]
    return premises


def exchange_integrals(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Exchange two integrals, two series, or one of each, of a function that is nowhere negative.

    Goal         C
    Premises     a <= b;  c <= d;  the integral over x of the integral over y is defined;
                 the integral over x alone is defined for each y in (c, d);  0 <= f for x in (a, b) and y
                 in (c, d);  for each part h: the integral of h w over the range of its variable exists,
                 and w is defined and not 0 there, if w is not 1;  finite ends c and d are defined, by the
                 table;  C given that the other order is defined, and that both orders are equal
    Series       in place of an integral over (c, d), or over (a, b): for every integer from its start
                 on; there is no premise on order. The start c of a series is an integer: this premise
                 stands before the premises that c is defined
    Condition    x and y are two names, and stand in none of the ends. Of two integrals also: f is made
                 of x, of y, of terms free of both, of functions of the table and of the parts h, where
                 x or y stands, but not both; each w of that variable, of terms free of it and of
                 functions of the table
    Fields       integral: integral(integral(f, y, c, d), x, a, b); measurable: [h, w]
    Soundness    What has an integral is measurable, so h is, as a function of x and y too, and so is f,
                 as the functions of the table are Borel functions where they are defined. Of a series
                 each term is measurable, for it has an integral. What is nowhere negative and has an
                 integral has it in Lebesgue's sense as well. So both orders are the integral over the
                 product of Lebesgue measures, or of these and counting, finite as one of them is. That
                 the inner integral exists nearly everywhere follows, but a defined one needs it for
                 every y: so it is a premise. That f is measurable cannot be left out: Sierpinski has
                 a set of which the two orders differ.
    Source       Tonelli's theorem; Gordon 1994, theorem 9.13
    """
    t = fields.term("integral")
    inner = t.args[0] if t.head in ("integral", "sum") else t
    if inner.head not in ("integral", "sum"):
        raise Rejected("expected an integral or a series in another one")
    names = {t.name, inner.name}
    if len(names) < 2 or any(names & end.free for end in (*t.args[1:], *inner.args[1:])):
        raise Rejected("an end holds a bound variable, or two variables have one name")
    within = bind(t.head, inner.args[0], t.name, *t.args[1:])
    other = bind(inner.head, within, inner.name, *inner.args[1:])
    outer, r = Range(s, t), Range(s, other)
    premises = []
    for one in (outer, r):
        one.own_name()
        if one.t.head == "integral":
            _integral(one.t)
            premises += _ordered(one)
        elif infinite(one.low) or one.high != terms.OO:
            raise Rejected("the sum is no series")
    point = Range(outer.wide, outer.at(inner))
    positive = Relation(ZERO, "<=", point.at(point.body))
    premises += [s.showing(Is("defined", t)), r.showing(r.body_defined())]
    premises += [point.showing(positive, *outer.inside(), point.body_defined())]
    if t.head == inner.head == "integral":
        parts: set[Term] = set()
        for part, weight in fields.pairs("measurable"):
            h = read_term(part, s, *names)
            mine = [one for one in (outer, r) if one.t.name in h.free]
            if len(mine) != 1:
                raise Rejected("a part depends on both variables, or on none")
            parts.add(h)
            premises += _measurable(mine[0], h, weight)
        if not _borel(inner.args[0], names, parts):
            raise Rejected("a part of the integrand is not known to be measurable")
    elif inner.head == "sum":
        premises += s.saying("integer", r.low)
    return _valued(s, premises, other, Relation(t, "==", other))


def vanishing_integral(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude u <= 0, if u <= integral(f_e) for all small e, and f_e tends to 0 below an integrable w.

    Goal         C
    Premises     a <= b;  the integral of w exists;
                 for 0 < e < 1: the integral of f exists, and u <= integral(f);
                 for 0 < e < 1 and x in (a, b): f <= w;  for h > 0 also: r > 0, and f <= h where e <= r;
                 C given u <= 0
    Condition    a, b, u and w are free of e and h, r of e; u and r are free of what is bound elsewhere
    Fields       integral: integral(f, x, a, b), where f holds e; small: the name of e; below: u; by: w, in
                 x; close: the name of h; from: r, in x and h
    Soundness    Let e be 1/2, 1/3, ... Each w - f is at least 0, and its integral is at most
                 integral(w) - u. At each x no f is above h from some e on, for any h > 0, so w is at most
                 the limit inferior of w - f. By Fatou's lemma integral(w) <= integral(w) - u.
    Source       Fatou's lemma; Gordon 1994, theorem 9.13 for integrals of what is nowhere negative
    """
    small, close = fields.text("small"), fields.text("close")
    t = _integral(fields.term("integral", small))
    names = {small, close}
    if t.name in names:
        raise Rejected("the small numbers need names of their own")
    if small in t.args[1].free | t.args[2].free:
        raise Rejected("the ends of the integral change")
    near = s.with_variable(small, "real")
    near = near.assuming(Relation(ZERO, "<", var(small)), Relation(var(small), "<", ONE))
    r = Range(near, t)
    r.own_name()
    u, w = fields.term("below"), fields.term("by", t.name)
    reach = fields.term("from", t.name, close)
    bound = bind("integral", w, t.name, r.low, r.high)
    target = r.wide.with_variable(close, "real")
    target = target.assuming(*r.inside(), Relation(ZERO, "<", var(close)), r.body_defined())
    premises = [
        *_ordered(r),
        s.showing(Is("defined", bound)),
        near.showing(Is("defined", t)),
        near.showing(Relation(u, "<=", t), Is("defined", t)),
        r.showing(Relation(r.at(r.body), "<=", r.at(w)), r.body_defined()),
        target.showing(Relation(ZERO, "<", r.at(reach))),
        target.showing(
            Relation(r.at(r.body), "<=", var(close)), Relation(var(small), "<=", r.at(reach))
        ),
    ]
    return [*premises, s.assuming(Relation(u, "<=", ZERO))]


def _borel(t: Term, names: Set[str], parts: Set[Term]) -> bool:
    """Return whether a term is made of variables, terms without them, functions of the table and given parts."""
    if t.free.isdisjoint(names) or t in parts or t.head == "var":
        return True
    if t.head in terms.BINDERS or t.head not in FUNCTIONS and t.head not in ("add", "mul", "pow"):
        return False
    return all(_borel(a, names, parts) for a in t.args)


RULES = (
    *(monotone, concave, descend),
    *(proper_integral, primitive, integral_of_the_table, linear_integral, cut_integral),
    *(inner_integral, compare_integrals, move_integral, change_integral, reverse_integral),
    *(bounded_integral, exchange_integrals, vanishing_integral),
)
