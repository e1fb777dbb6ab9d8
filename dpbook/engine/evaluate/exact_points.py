"""Evaluate expressions at an exact point: as rationals, as balls, or as undefined with a reason.

The tree is evaluated as it is written: a pole is met where it stands, and nothing cancels first.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from flint import arb, ctx, fmpq
from sympy import Expr, Symbol

from dpbook.engine.evaluate import arbs, quadrature, tails
from dpbook.engine.evaluate.tape import (
    EXACT,
    LONGEST_SUM,
    CannotCompile,
    Integrand,
    Loop,
    Tape,
    cached_tape,
    exact_factorial,
    exact_power,
)
from dpbook.engine.language.statement import COMPARE
from dpbook.engine.language.verdict import NO_INTEGER

PRECISIONS = (64, 128, 256, 512, 1024)
SHOWN = 64  # bits of a value that is shown
_MANY_BITS = 40_000
FIRST = 8  # terms of a series that are evaluated before its tail is bounded
DOUBLINGS = 10  # a series is added up to 2 to this power at most


@dataclass(frozen=True)
class Undefined:
    """Mark a place that certainly has no real value; `why` says which operation has no value."""

    why: str

    def __bool__(self) -> bool:
        raise TypeError("an undefined comparison is neither True nor False; test it with `is`")


@dataclass(frozen=True)
class PointValue:
    """Hold the value of an expression at a point.

    Attributes
    ----------
    exact : fmpq or None
        The value, when it was found exactly.
    ball : arb or None
        A finite ball around the value; None when the precision does not tell.
    undefined : str
        Why the expression is certainly undefined there, or empty.
    """

    exact: fmpq | None = None
    ball: arb | None = None
    undefined: str = ""


Value = fmpq | arb | Undefined | bool | None


def evaluate_at(expr: Expr, point: Mapping[Symbol, Any], prec: int = 64) -> PointValue:
    """Evaluate an expression as it is written at an exact point.

    Parameters
    ----------
    expr : Expr
    point : mapping of Symbol to fmpq
        A coordinate may also be a ball, or enclose itself with a method ``at(prec)``.
    prec : int
        Precision of the balls, in bits.

    Raises
    ------
    KeyError
        When a symbol of the expression has no value.
    """
    try:
        (value,) = _values((expr,), point, prec)
    except CannotCompile:
        return PointValue()
    if isinstance(value, Undefined):
        return PointValue(undefined=value.why)
    if isinstance(value, fmpq):
        return PointValue(exact=value, ball=arb(value))
    return PointValue(ball=value if isinstance(value, arb) and value.is_finite() else None)


def known_at(expr: Expr, point: Mapping[Symbol, Any]) -> PointValue:
    """Evaluate an expression at an exact point with so much precision that it can be shown.

    Of sin(10^100), or (1 + 1/n)^n at a large n, a ball of 128 bits holds no digit.
    """
    found = PointValue()
    for prec in (p for p in PRECISIONS if p > SHOWN):
        more = evaluate_at(expr, point, prec)
        if more.ball is None and found.ball is not None:
            break  # a series, or an integral, has no value at a high precision
        found = more
        known = found.ball is not None and found.ball.rel_accuracy_bits() >= SHOWN
        if known or found.exact is not None or found.undefined:
            break
    return found


def digits_of(ball: arb, digits: int) -> str:
    """Write the middle of a ball; a ball as wide as itself, as a ball."""
    wide = ball.rel_accuracy_bits() < 4 and ball.rad() > 1e-9
    return str(ball.str(digits) if wide else ball.mid().str(digits, radius=False))


def compare_at(
    lhs: Expr, op: str, rhs: Expr, point: Mapping[Symbol, Any]
) -> bool | None | Undefined:
    """Decide a relation at an exact point: True, False, None (not decided) or Undefined.

    Rational values are compared exactly; else the precision rises from 64 to 1024 bits.
    """
    for prec in PRECISIONS:
        try:
            left, right = _values((lhs, rhs), point, prec)
        except CannotCompile:
            return None
        for side in (left, right):
            if isinstance(side, Undefined):
                return side
        if None in (left, right) and cached_tape((lhs, rhs), tuple(point)).opaque:
            return None
        with ctx.workprec(prec):
            result = _compared(op, left, right)
        if result is not None:
            return result
    return None


# --- running a tape -------------------------------------------------------------------------------


def _values(expressions: tuple[Expr, ...], point: Mapping[Symbol, Any], prec: int) -> list[Value]:
    tape = cached_tape(expressions, tuple(point))
    with ctx.workprec(prec):
        # an irrational coordinate encloses itself
        return run(tape, [v.at(prec) if hasattr(v, "at") else v for v in point.values()])


def run(tape: Tape, inputs: Sequence[fmpq | arb]) -> list[Value]:
    """Run a tape on exact numbers, at the precision in force."""
    return tape.run(inputs, _apply)


def _apply(op: str, args: list[Any], static: Any) -> Value:
    if op in _FIXED:
        return _FIXED[op](static)
    if op == "piecewise":
        return _piecewise(args)
    if op in ("and", "or") and any(arg is (op == "or") for arg in args):
        # the other part may be undefined there: then nothing is claimed
        return None if any(isinstance(arg, Undefined) for arg in args) else op == "or"
    for arg in args:
        if isinstance(arg, Undefined):
            return arg
    if op in _LOGIC:
        return _LOGIC[op](*args)
    if any(arg is None for arg in args):
        return None
    if op in _OVER_RANGES:
        return _OVER_RANGES[op](static, args)
    fixed = () if static is None else (static,)
    try:
        if op in _SPECIAL:
            return _SPECIAL[op](*args, *fixed)
        if len(args) == 1:
            (x,) = args
            value = EXACT[op](x) if op in EXACT and isinstance(x, fmpq) else None
            if value is not None:
                return value
            why, bad = _BAD.get(op, ("", None))
            if bad is not None and bad(x):
                return Undefined(why.format(x))
        result = arbs.FUNCTIONS[op](*map(_as_arb, args), *fixed)
        if op in _WHOLE and result.is_exact():
            return fmpq(arbs.as_int(result))
        return _known(result)
    except OverflowError:
        return None


def _as_arb(x: Any) -> arb:
    return arb(x) if isinstance(x, fmpq) else x


def _known(x: arb) -> arb | None:
    return x if x.is_finite() else None


def _at_pole(x: Any) -> bool:
    """Say whether Gamma has a pole at x."""
    return isinstance(x, fmpq) and x.q == 1 and x <= 0


_WHOLE = ("sign", "floor", "ceiling")  # an exact value of these is an integer, also of a ball
_BAD: dict[str, tuple[str, Callable[[Any], bool]]] = {  # where there is certainly no real value
    "log": ("logarithm of a number that is not positive", lambda x: x <= 0),
    "loggamma": ("log-Gamma of a number that is not positive", lambda x: x <= 0),
    "acosh": ("acosh of a number below 1", lambda x: x < 1),
    "atanh": ("atanh of a number outside (-1, 1)", lambda x: abs(x) >= 1),
    "erfinv": ("erfinv of a number outside (-1, 1)", lambda x: abs(x) >= 1),
    "asin": ("asin of a number outside [-1, 1]", lambda x: abs(x) > 1),
    "acos": ("acos of a number outside [-1, 1]", lambda x: abs(x) > 1),
    "coth": ("coth of 0", lambda x: isinstance(x, fmpq) and x == 0),
    "factorial": ("factorial of {}", lambda x: x != 0 and _at_pole(x)),
    **{op: (f"{op} at the pole {{}}", _at_pole) for op in ("gamma", "digamma", "polygamma")},
}


def _add(*args: Any) -> Value:
    exact, balls = fmpq(0), None
    for x in args:
        if isinstance(x, fmpq):
            exact += x
        else:
            balls = x if balls is None else balls + x
    return exact if balls is None else _known(balls + arb(exact))


def _mul(x: Any, y: Any) -> Value:
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return x * y
    if x == 0 or y == 0:  # a ball is 0 if it is exact
        return fmpq(0)
    return _known(_as_arb(x) * _as_arb(y))


def _div(x: Any, y: Any) -> Value:
    if y == 0:
        return Undefined("denominator is 0")
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return x / y
    if isinstance(x, fmpq) and x == 0 and (y > 0 or y < 0):
        return fmpq(0)
    return _known(_as_arb(x) / _as_arb(y))


def _ipow(x: Any, n: int) -> Value:
    if isinstance(x, fmpq):
        if x.height_bits() * n <= _MANY_BITS:
            return x**n
        x = arb(x)
    return _known(arbs.ipow(x, n))


def _rpow(x: Any, q: fmpq) -> Value:
    if x < 0:
        return Undefined("root of a negative number")
    value = exact_power(x, q) if isinstance(x, fmpq) else None
    return _known(arbs.root(_as_arb(x), q)) if value is None else value


def _pow(b: Any, e: Any) -> Value:
    if isinstance(e, fmpq) and e == 0:
        return fmpq(1)  # 0^0 too, as in the kernel
    if isinstance(b, fmpq) and b == 0:
        if e > 0:
            return fmpq(0)
        return Undefined("0 to a negative power") if e < 0 else None
    if isinstance(e, fmpq) and e.q == 1:
        n = int(e.p)
        if isinstance(b, fmpq):
            bits = b.height_bits() * abs(n)
            if bits <= 20_000 or (abs(n) <= 400 and bits <= _MANY_BITS):
                return b**n
        return _known(arbs.ipow(_as_arb(b), n))
    if isinstance(e, fmpq):
        if b < 0:
            return Undefined("negative number to a fractional power")
        if isinstance(b, fmpq) and e.q <= 64 and abs(e) < 400:
            power = exact_power(b, abs(e))
            if power is not None:
                return power if e > 0 else 1 / power
    return _known(arbs.power(_as_arb(b), _as_arb(e)))


def _binomial(n: Any, k: Any) -> Value:
    if isinstance(n, fmpq) and isinstance(k, fmpq) and k.q == 1 and n >= 0 and k >= 0:
        if n.q == 1 and k > n:
            return fmpq(0)
        if n.q == 1 and k > n - k:
            k = n - k
        if k <= 400:
            value = fmpq(1)
            for j in range(int(k.p)):
                value = value * (n - j) / (j + 1)
            return value
    if any(isinstance(x, fmpq) and x < 0 for x in (n, k)):
        return None  # conventions differ there, so nothing is claimed
    return _known(arbs.binomial(_as_arb(n), _as_arb(k)))


def _beta(a: Any, b: Any) -> Value:
    for x in (a, b):
        if _at_pole(x):
            return Undefined(f"beta at the pole {x}")
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        top, other, under = (exact_factorial(x - 1) for x in (a, b, a + b))
        if top is not None and other is not None and under is not None:
            return top * other / under
    return _known(arbs.beta(_as_arb(a), _as_arb(b)))


def _max(x: Any, y: Any) -> Any:
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return max(x, y)
    left, right = _as_arb(x), _as_arb(y)
    if left >= right:
        return x
    return y if right >= left else arbs.maximum(left, right)


def _piecewise(args: list[Any]) -> Value:
    """Return the value of the first branch that holds; the other branches do not matter."""
    result: Any = None
    for condition, value in zip(args[::2], args[1::2], strict=True):
        if isinstance(condition, Undefined):
            return condition
        if condition is False:
            continue
        if value is None or isinstance(value, Undefined):
            return value if condition is True and result is None else None
        result = value if result is None else arbs.hull(_as_arb(result), _as_arb(value))
        if condition is True:
            return result
    return Undefined("no case of a piecewise expression holds") if result is None else None


def _compared(op: str, x: Any, y: Any) -> bool | None:
    if x is None or y is None:
        return None
    if isinstance(x, fmpq) and isinstance(y, fmpq):
        return COMPARE[op](x, y)
    return arbs.FUNCTIONS[op](_as_arb(x), _as_arb(y))


def _loop(body: Loop, args: list[Any]) -> Value:
    low, high, *others = args
    what = "product" if body.product else "sum"
    ends = _integers((low, high), what)
    if not isinstance(ends, list):
        return ends
    first, last = ends
    if last < first - 1:
        return Undefined(f"a {what} whose upper end is below its lower end by more than 1")
    if last - first >= LONGEST_SUM:
        return None
    terms = (run(body.tape, [fmpq(k), *others])[0] for k in range(first, last + 1))
    combine, start = (_mul, fmpq(1)) if body.product else (_add, fmpq(0))
    return _accumulated(start, combine, terms)


def _integers(ends: Sequence[Any], what: str) -> list[int] | Undefined | None:
    """Return the ends of a sum or a product as integers, or why it has no value."""
    found = []
    for end in ends:
        if not isinstance(end, fmpq):
            return None
        if end.q != 1:
            return Undefined(f"a {what} {NO_INTEGER}")
        found.append(int(end.p))
    return found


def _accumulated(total: Value, combine: Callable[..., Value], terms: Iterable[Value]) -> Value:
    """Add terms to a value, or multiply it by them; the first term without a value ends it."""
    for term in terms:
        if term is None or isinstance(term, Undefined):
            return term
        total = combine(total, term)
        if total is None:
            return None
    return total


def _series(term: Integrand, args: list[Any]) -> Value:
    """Add up a series: a bound of its tails, and the terms between them."""
    if ctx.prec > tails.MOST_BITS:
        return None
    *given, others = term.split(args)
    found = _integers([end for end in given if end is not None], "sum")
    if not isinstance(found, list):
        return found
    ends: list[Any] = [None if end is None else int(end.p) for end in given]
    for k in range(ends[0], ends[0] + FIRST) if ends[0] is not None else ():
        (value,) = run(term.tape, [fmpq(k), *others])
        if isinstance(value, Undefined):  # it is named, whatever the tail is
            return value
    balls = [_as_arb(x) for x in others]
    total = arb(0)
    for place, sign in ((1, 1), (0, -1)):
        if ends[place] is None:
            near = ends[1 - place]
            beyond = None if near is None else arb(sign * near - 1)
            start, tail = tails.beyond(term.tape, balls, sign, beyond, True, DOUBLINGS)
            if tail is None:
                return None
            total += tail
            ends[place] = sign * arbs.as_int(start)
    terms = (run(term.tape, [fmpq(k), *others])[0] for k in range(ends[0], ends[1] + 1))
    return _accumulated(total, _add, terms)


_FIXED: dict[str, Callable[[Any], Value]] = {  # steps without arguments
    "const": lambda value: value,
    "named": lambda name: arbs.NAMED[name](),
    "undefined": Undefined,
    "unknown": lambda _: None,
    "truth": bool,
}
_LOGIC: dict[str, Callable[..., bool | None]] = {
    **{op: partial(_compared, op) for op in COMPARE},
    "and": arbs.conjunction,
    "or": arbs.disjunction,
    "not": arbs.negation,
}
_OVER_RANGES: dict[str, Callable[[Any, list[Any]], Value]] = {
    "loop": _loop,
    "integral": quadrature.integral,
    "series": _series,
}
_SPECIAL: dict[str, Callable[..., Value]] = {
    "add": _add,
    "mul": _mul,
    "neg": operator.neg,
    "div": _div,
    "one": lambda _: fmpq(1),
    "ipow": _ipow,
    "rpow": _rpow,
    "pow": _pow,
    "binomial": _binomial,
    "beta": _beta,
    "max": _max,
    "min": lambda x, y: -_max(-x, -y),  # exact in both arithmetics
    "where_nonnegative": lambda n, value: value if n >= 0 else None,
}
