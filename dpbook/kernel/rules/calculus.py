"""Rules of calculus in one variable: the kernel differentiates, on one stated segment."""

from __future__ import annotations

from dpbook.kernel.defined import continuous, derivative
from dpbook.kernel.environment import Environment, Fields, difference
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Relation, Sequent
from dpbook.kernel.terms import ZERO, Term, div, num, substitute, var

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
    With an end  b in place of oo, where f need not be defined: [v, b), (v, b), W(e) < b, and for >
                 W(e) >= (v + b)/2
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
        start = v + num(1 if side == "up" else -1) if end is None else div(v + end, num(2))
    tiny = Relation(var(small), ">", ZERO)
    return [
        *_sloping(s, f, name, x, strict if op == ">" else weak, closed, opened),
        away.showing(Relation(start, weak, reach), tiny),
        *([] if end is None else [away.showing(Relation(reach, strict, end), tiny)]),
        away.showing(Relation(substitute(f, {name: reach}), ">=", num(-1) * var(small)), tiny),
    ]


RULES = (monotone, concave, descend)
