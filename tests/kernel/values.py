"""Values of kernel terms and formulas at a point, with mpmath: an oracle that shares no code."""

from functools import lru_cache

import mpmath
from mpmath import mpf

from dpbook.kernel.formulas import All, And, Is, Or, Relation
from dpbook.kernel.terms import OO, Term

TINY = mpf(10) ** -25


class Unknown(Exception):
    """The value is undefined, or not computed here."""


def near(a, b):
    return abs(a - b) <= TINY * (1 + abs(a) + abs(b))


def whole(a):
    return near(a, mpmath.nint(a))


def compare(a, op, b):
    """Return whether a relation holds; Unknown where the digits do not tell."""
    if near(a, b):
        if a == b:
            return op in ("==", ">=", "<=")
        raise Unknown
    return {"==": False, "!=": True, "<": a < b, "<=": a < b, ">": a > b, ">=": a > b}[op]


def need(holds):
    if not holds:
        raise Unknown


def power(a, b):
    if whole(b):
        need(a != 0 or b >= 0)
        return a ** int(mpmath.nint(b))
    need(a > 0 or (a == 0 and b > 0))
    return mpmath.power(a, b)


def positive(f):
    def value(*args):
        need(all(a > 0 for a in args))
        return f(*args)

    return value


def factorial(n):
    need(whole(n) and n >= 0)
    return mpmath.factorial(n)


def binomial(n, k):
    need(0 <= k <= n)
    return mpmath.binomial(n, k)


def off(f, at):
    def value(a):
        need(abs(at(a)) > TINY)
        return f(a)

    return value


def inside(f, low, high):
    def value(a):
        need(low <= a <= high)
        return f(a)

    return value


FUNCTIONS = {
    **{n: getattr(mpmath, n) for n in ("exp", "erf", "erfc", "sin", "cos", "atan", "sinh", "cosh", "tanh", "sech", "asinh", "sign")},
    "abs": abs, "floor": mpmath.floor, "ceiling": mpmath.ceil, "max": max, "min": min,
    "pow": power, "factorial": factorial, "binomial": binomial,
    "log": positive(mpmath.log), "gamma": positive(mpmath.gamma), "loggamma": positive(mpmath.loggamma),
    "digamma": positive(mpmath.digamma), "beta": positive(mpmath.beta),
    "polygamma": lambda m, u: positive(lambda v: mpmath.polygamma(int(m), v))(u),
    "tan": off(mpmath.tan, mpmath.cos), "sec": off(mpmath.sec, mpmath.cos),
    "cot": off(mpmath.cot, mpmath.sin), "csc": off(mpmath.csc, mpmath.sin),
    "coth": off(mpmath.coth, lambda a: a), "csch": off(mpmath.csch, lambda a: a),
    "asin": inside(mpmath.asin, -1, 1), "acos": inside(mpmath.acos, -1, 1),
    "acosh": inside(mpmath.acosh, 1, mpmath.inf), "atanh": inside(mpmath.atanh, -1 + TINY, 1 - TINY),
    "lowergamma": lambda a, x: mpmath.gammainc(a, 0, x), "uppergamma": lambda a, x: mpmath.gammainc(a, x),
    "betainc": lambda a, b, low, high: mpmath.betainc(a, b, low, high),
    "pi": lambda: +mpmath.pi, "EulerGamma": lambda: +mpmath.euler,
}  # fmt: skip
CHOICES = {"ifgt": ">", "ifge": ">=", "ifeq": "=="}


def value(t: Term, at):
    """Return the value of a term at a point.

    Raises
    ------
    Unknown
        Where it is undefined, or not computed here.
    """
    if t.head == "num":
        return mpf(t.value.numerator) / t.value.denominator
    if t.head == "var":
        return at[t.name]
    if t.head in CHOICES:
        here = compare(value(t.args[0], at), CHOICES[t.head], value(t.args[1], at))
        return value(t.args[2 if here else 3], at)
    if t.head == "sum" and t.args[2] == OO:
        return series(t, tuple((n, at[n]) for n in sorted(names(t) & at.keys())), mpmath.mp.dps)
    if t.head in ("sum", "product"):
        low, high = (value(a, at) for a in t.args[1:])
        need(whole(low) and whole(high) and low <= high + 1 and high - low < 300)
        terms = [value(t.args[0], {**at, t.name: low + i}) for i in range(int(high - low) + 1)]
        return mpmath.fsum(terms) if t.head == "sum" else mpmath.fprod(terms)
    need(t.head in FUNCTIONS or t.head in ("add", "mul"))
    args = [value(a, at) for a in t.args]
    need(all(mpmath.isfinite(a) for a in args))
    if t.head == "add":
        return sum(args[1:], args[0])
    if t.head == "mul":
        return mpmath.fprod(args)
    found = FUNCTIONS[t.head](*args)
    need(isinstance(found, mpf) and mpmath.isfinite(found))
    return found


@lru_cache(maxsize=1000)  # a series inside another one often does not depend on its index
def series(t, pairs, digits):
    """Return the value of a series whose terms get small fast."""
    at = dict(pairs)
    low = value(t.args[1], at)
    need(whole(low))
    terms = [value(t.args[0], {**at, t.name: low + i}) for i in range(300)]
    need(all(abs(term) < mpf(10) ** -60 for term in terms[200:]))
    return mpmath.fsum(terms)


@lru_cache(maxsize=1000)
def names(t):
    """Return the names of the variables of a term, bound ones among them."""
    return frozenset({t.name} if t.head == "var" else ()).union(*map(names, t.args))


def holds(f, at):
    """Return whether a formula holds at a point; Unknown where a term has no known value."""
    if isinstance(f, Relation):
        return compare(value(f.left, at), f.op, value(f.right, at))
    if isinstance(f, Is):
        found = value(f.term, at)
        return f.what == "defined" or bool(whole(found))
    if isinstance(f, And):
        return all(holds(p, at) for p in f.parts)
    if isinstance(f, Or):
        found, open_ = False, False
        for p in f.parts:
            try:
                found = found or holds(p, at)
            except Unknown:
                open_ = True
        if open_ and not found:
            raise Unknown
        return found
    assert isinstance(f, All)
    raise Unknown
