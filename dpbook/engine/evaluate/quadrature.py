"""Enclose an integral at a point: Arb integrates the middle, and the tails have bounds.

The integrand is a tape. Where it is not shown to be defined and analytic, nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from flint import acb, arb, ctx, fmpq

from dpbook.engine.evaluate import arbs
from dpbook.engine.evaluate.tape import Integrand, Step, Tape
from dpbook.engine.language.budget import held
from dpbook.engine.language.functions import FUNCTIONS

MOST_WORK = 1_000_000  # steps of the integrand's tape, for one integral
MOST_BITS = 128  # precision above which no integral is computed
BITS = 96  # accuracy that is asked for: a kink takes work for each bit
FARTHEST = 40  # doublings of the point at which a tail starts
MOST_TERMS = 64  # terms of the bound of a tail
HIGHEST = 8  # degree of a polynomial in a tail

_NAN = acb(arb.nan(), arb.nan())


def integral(integrand: Integrand, args: Sequence[fmpq | arb]) -> arb | None:
    """Enclose an integral over a range; None where no finite enclosure is shown.

    Parameters
    ----------
    integrand : Integrand
    args : sequence of fmpq or arb
        The finite ends, lower one first, and then the other inputs of the integrand.
    """
    if ctx.prec > MOST_BITS:
        return None
    balls = [arb(a) if isinstance(a, fmpq) else a for a in args]
    count = int(integrand.has_low) + int(integrand.has_high)
    ends, others = balls[:count], balls[count:]
    low = ends[0] if integrand.has_low else None
    high = ends[-1] if integrand.has_high else None
    if low is not None and high is not None and not low <= high:
        return None
    total = arb(0)
    if high is None:
        start, tail = _tail(integrand.tape, others, 1, low)
        if tail is None:
            return None
        high, total = start, total + tail
    if low is None:
        start, tail = _tail(integrand.tape, others, -1, None if high is None else -high)
        if tail is None:
            return None
        low, total = -start, total + tail
    integrated = _Middle(integrand.tape, others)
    tolerance = arb(2) ** -min(ctx.prec, BITS)
    with held():
        found = acb.integral(
            integrated,
            acb(low),
            acb(high),
            rel_tol=tolerance,
            abs_tol=tolerance,
            eval_limit=max(100, min(30_000, MOST_WORK // len(integrand.tape.needed()))),
        )
    middle = found.real
    if not (middle.is_finite() and found.imag.is_finite() and found.imag.contains(0)):
        return None
    whole = middle + total
    return whole if whole.is_finite() else None


# --- the middle: the integrand on complex balls ---------------------------------------------------


class _Middle:
    """Evaluate an integrand on complex balls, for given other inputs."""

    def __init__(self, tape: Tape, others: Sequence[arb]) -> None:
        self.tape = tape
        self.values: list[Any] = [None] * len(tape.steps)  # of steps without the variable
        self.steps = []
        needed = tape.needed()
        for place, step in enumerate(tape.steps):
            if step.op == "input":
                self.values[place] = acb(others[step.static - 1]) if step.static else None
            elif place not in needed:
                continue
            elif step.op == "const":
                self.values[place] = acb(arb(step.static.value))
            elif step.op == "named":
                self.values[place] = acb(arbs.NAMED[step.static]())
            elif step.op == "truth":
                self.values[place] = bool(step.static)
            else:
                self.steps.append((place, step))

    def __call__(self, x: acb, analytic: bool) -> acb:
        values = [x, *self.values[1:]]
        for place, step in self.steps:
            args = [values[a] for a in step.args]
            if step.op == "piecewise":
                values[place] = _piecewise(args, analytic)
            elif step.op in ("rpow", "pow"):
                log = _log_of(self.tape, values, step.args[0])
                values[place] = _NAN if log is None else (_exponent(step, values) * log).exp()
            elif step.op in _FUNCTIONS:
                values[place] = _FUNCTIONS[step.op](args, step.static, analytic)
            else:
                return _NAN
        return values[self.tape.outputs[0]]


def _exponent(step: Step, values: Sequence[Any]) -> acb:
    return acb(arb(step.static.value)) if step.op == "rpow" else values[step.args[1]]


def _log_of(tape: Tape, values: Sequence[Any], place: int) -> acb | None:
    """Return the logarithm of a positive number; None where it may be no positive number.

    Of a product of exponentials, such as a density, it is made of the exponents: far from the line
    only the logarithm of a density is analytic.
    """
    by_parts = _log_by_parts(tape, values, place)
    if by_parts is not None:
        return by_parts
    return values[place].log() if _right(values[place]) else None


def _log_by_parts(tape: Tape, values: Sequence[Any], place: int) -> acb | None:
    """Return the logarithm of a product of exponentials and positive constants."""
    step, value = tape.steps[place], values[place]
    if step.op == "exp":
        return values[step.args[0]]
    if step.op in ("mul", "div"):
        first, second = (_log_by_parts(tape, values, a) for a in step.args)
        if first is None or second is None:
            return None
        return first + second if step.op == "mul" else first - second
    if step.op in ("ipow", "rpow", "pow"):
        log = _log_by_parts(tape, values, step.args[0])
        if log is None:
            return None
        return log * (int(step.static) if step.op == "ipow" else _exponent(step, values))
    constant = step.op in ("const", "named") or (step.op == "input" and step.static > 0)
    return value.log() if constant and _right(value) else None


def _right(x: acb) -> bool:
    return bool(x.real > arbs.ZERO)


def _compared(op: str) -> Callable[..., bool | None]:
    """Compare real parts: a branch that holds on the real part of a ball is taken on all of it."""
    compare = arbs.FUNCTIONS[op]
    return lambda args, _static, _analytic: compare(args[0].real, args[1].real)


def _piecewise(args: Sequence[Any], analytic: bool) -> acb:
    possible = []
    for condition, value in zip(args[::2], args[1::2], strict=True):
        if condition is False:
            continue
        possible.append(value)
        if condition is True:
            break
    else:
        return _NAN
    if len(possible) == 1:
        return possible[0]
    if analytic or not all(value.is_finite() for value in possible):
        return _NAN
    return reduce(acb.union, possible)


def _plain(method: Callable[[acb], acb]) -> Callable[..., acb]:
    return lambda args, _static, _analytic: method(args[0])


def _to_the_right(method: Callable[[acb], acb]) -> Callable[..., acb]:
    return lambda args, _static, _analytic: method(args[0]) if _right(args[0]) else _NAN


def _in_pieces(method: Callable[..., acb]) -> Callable[..., acb]:
    return lambda args, _static, analytic: method(*args, analytic=analytic)


_MEROMORPHIC = ("exp", "erf", "erfc", "erfi", "sinh", "cosh", "tanh", "coth", "sin", "cos", "tan")
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": lambda args, _static, _analytic: reduce(acb.__add__, args),
    "mul": lambda args, _static, _analytic: args[0] * args[1],
    "neg": lambda args, _static, _analytic: -args[0],
    "div": lambda args, _static, _analytic: args[0] / args[1],
    "one": lambda args, _static, _analytic: acb(1) if args[0].is_finite() else _NAN,
    "ipow": lambda args, n, _analytic: args[0] ** int(n) if n <= 400 else _NAN,
    "log": _to_the_right(acb.log),
    "loggamma": _to_the_right(acb.lgamma),
    "gamma": _to_the_right(acb.gamma),
    "digamma": _to_the_right(acb.digamma),
    "factorial": _to_the_right(lambda x: (x + 1).gamma()),
    **{op: _plain(getattr(acb, op)) for op in _MEROMORPHIC},
    "abs": _in_pieces(acb.real_abs),
    "sign": _in_pieces(acb.real_sgn),
    "floor": _in_pieces(acb.real_floor),
    "ceiling": _in_pieces(acb.real_ceil),
    "max": _in_pieces(acb.real_max),
    "min": _in_pieces(acb.real_min),
    "and": lambda args, _static, _analytic: arbs.conjunction(*args),
    "or": lambda args, _static, _analytic: arbs.disjunction(*args),
    "not": lambda args, _static, _analytic: arbs.negation(*args),
    **{op: _compared(op) for op in ("lt", "le", "gt", "ge", "eq", "ne")},
}


# --- the tails ------------------------------------------------------------------------------------


class _NoBound(Exception):
    """Signal a function that has no bound on a tail here."""


def _tail(
    tape: Tape, others: Sequence[arb], sign: int, beyond: arb | None
) -> tuple[arb, arb | None]:
    """Return a start T >= 1 and a ball around 0 that holds the integral over sign * x >= T."""
    start, tail = arb(1), None
    small = arb(2) ** -min(ctx.prec, BITS)
    for _ in range(FARTHEST):
        start = start * 2
        if beyond is not None and not beyond < start:
            continue
        try:
            size = _Tail(tape, others, sign, start).integral()
        except _NoBound:
            continue
        tail = arb(0, size.upper())
        if size < small:
            break
    return start, tail


@dataclass(frozen=True)
class _Term:
    """Hold scale * y^degree * exp(-square y^2 - linear y), for y beyond the start of a tail."""

    scale: arb
    degree: arb
    square: arb
    linear: arb

    def to_the(self, exponent: arb) -> _Term:
        parts = (exponent * part for part in (self.degree, self.square, self.linear))
        return _Term(self.scale**exponent, *parts)

    def inverse(self) -> _Term:
        return self.to_the(-arbs.ONE)

    def times(self, other: _Term) -> _Term:
        return _Term(
            self.scale * other.scale,
            self.degree + other.degree,
            self.square + other.square,
            self.linear + other.linear,
        )


Polynomial = tuple[arb, ...]  # coefficients of 1, y, y^2, ...


@dataclass(frozen=True)
class _Beyond:
    """Hold a function on a tail.

    Attributes
    ----------
    bound : tuple of _Term
        Their sum is at least as large as the function in size.
    polynomial : tuple of arb, optional
        Its coefficients, if it is a polynomial.
    least : _Term, optional
        The function is at least so large in size.
    term : _Term, optional
        The function itself, if it is a term and positive.
    """

    bound: tuple[_Term, ...]
    polynomial: Polynomial | None = None
    least: _Term | None = None
    term: _Term | None = None


class _Tail:
    """Bound an integrand f(sign * y) for y >= start."""

    def __init__(self, tape: Tape, others: Sequence[arb], sign: int, start: arb) -> None:
        self.tape, self.others, self.sign, self.start = tape, others, sign, start

    def integral(self) -> arb:
        """Return a bound on the integral of the size of the integrand.

        Raises
        ------
        _NoBound
            When no finite bound is found.
        """
        total, start = arb(0), self.start
        for term in self._value().bound:
            rise = arbs.maximum(term.degree, arbs.ZERO)
            # the logarithm of the term falls at least so fast beyond the start
            falls = 2 * term.square * start + term.linear - rise / start
            if term.square >= arbs.ZERO and falls > arbs.ZERO:
                exponent = term.square * start * start + term.linear * start
                total += term.scale * start**term.degree * (-exponent).exp() / falls
            elif term.square.is_zero() and term.linear.is_zero() and term.degree < -arbs.ONE:
                total += term.scale * start ** (term.degree + 1) / (-term.degree - 1)
            else:
                raise _NoBound
        if not total.is_finite():
            raise _NoBound
        return total

    def _value(self) -> _Beyond:
        values: list[Any] = []
        needed = self.tape.needed()
        for place, step in enumerate(self.tape.steps):
            if step.op == "input":
                x = (
                    (arb(0), arb(self.sign))
                    if step.static == 0
                    else (self.others[step.static - 1],)
                )
                values.append(self._of(x))
            elif place not in needed:
                values.append(None)
            elif step.op == "const":
                values.append(self._of((arb(step.static.value),)))
            elif step.op == "named":
                values.append(self._of((arbs.NAMED[step.static](),)))
            elif step.op == "truth":
                values.append(bool(step.static))
            else:
                values.append(self._apply(step.op, [values[a] for a in step.args], step.static))
        return values[self.tape.outputs[0]]

    def _of(self, p: Polynomial) -> _Beyond:
        terms = (
            _Term(abs(c), arb(i), arbs.ZERO, arbs.ZERO) for i, c in enumerate(p) if not c.is_zero()
        )
        sign, found = self._sign(p), tuple(terms)
        least = self._leading(p)[0] if sign else None
        return _Beyond(found, p, least, found[0] if sign > 0 and len(found) == 1 else None)

    def _leading(self, p: Polynomial) -> tuple[_Term, _Term]:
        """Return a lower and an upper bound of a polynomial in size: its degree, and two scales."""
        degree = max((i for i, c in enumerate(p) if not c.is_zero()), default=0)
        rest = sum((abs(p[i]) * self.start ** (i - degree) for i in range(degree)), arb(0))
        low, high = (
            _Term(scale, arb(degree), arbs.ZERO, arbs.ZERO)
            for scale in (abs(p[degree]) - rest, abs(p[degree]) + rest)
        )
        return low, high

    def _sign(self, p: Polynomial) -> int:
        """Return the sign of a polynomial beyond the start; 0 where it is not certain."""
        least, _ = self._leading(p)
        if not least.scale > arbs.ZERO:
            return 0
        return 1 if p[arbs.as_int(least.degree)] > arbs.ZERO else -1

    def _apply(self, op: str, args: list[Any], static: Any) -> Any:
        if op in _COMPARED:
            return self._compared(op, *args)
        if op in ("and", "or", "not"):
            return arbs.FUNCTIONS[op](*args)
        if op == "piecewise":
            return self._piecewise(args)
        polynomials = [a.polynomial for a in args]
        if all(p is not None for p in polynomials):
            found = self._of_polynomials(op, polynomials, static)
            if found is not None:
                return self._of(found)
        if op in ("add", "max", "min"):
            return self._sum(args)
        if op in ("neg", "abs"):
            return _Beyond(args[0].bound, least=args[0].least)
        if op == "mul":
            return self._product(*args)
        if op == "div":
            if args[1].least is None:
                raise _NoBound
            if args[1].term is not None:
                return self._product(args[0], _alone(args[1].term.inverse()))
            return self._product(args[0], _Beyond((args[1].least.inverse(),)))
        if op == "ipow":
            return reduce(self._product, [args[0]] * int(static)) if static <= 16 else _refuse()
        if op in ("rpow", "pow"):
            return self._root(args, static)
        if op == "exp":
            return self._exponential(args[0])
        if op in _BOUNDED:
            return _Beyond((_Term(_BOUNDED[op], arbs.ZERO, arbs.ZERO, arbs.ZERO),))
        raise _NoBound

    def _of_polynomials(self, op: str, p: list[Any], static: Any) -> Polynomial | None:
        if op == "add":
            return reduce(_plus, p)
        if op == "neg":
            return _scaled(p[0], -arbs.ONE)
        if op == "mul":
            product = _times(p[0], p[1])
            return product if len(product) <= HIGHEST + 1 else None
        if op == "ipow" and static * (len(p[0]) - 1) <= HIGHEST:
            return reduce(_times, [p[0]] * int(static))
        if op == "div" and len(p[1]) == 1:
            inverse = arbs.ONE / p[1][0]
            return _scaled(p[0], inverse) if inverse.is_finite() else _refuse()
        if op == "abs" and self._sign(p[0]):
            return _scaled(p[0], arb(self._sign(p[0])))
        if op in ("max", "min"):
            larger = self._sign(_plus(p[0], _scaled(p[1], -arbs.ONE)))
            if larger:
                return p[0] if (larger > 0) == (op == "max") else p[1]
        if op == "sign" and self._sign(p[0]):
            return (arb(self._sign(p[0])),)
        if all(len(q) == 1 for q in p) and op in arbs.FUNCTIONS:
            given = [q[0] for q in p]
            if op in ("ipow", "polygamma"):
                given.append(int(static))
            elif op == "rpow":
                given.append(static.value)
            value = arbs.FUNCTIONS[op](*given)
            return (value,) if value.is_finite() else _refuse()
        return None

    def _compared(self, op: str, left: _Beyond, right: _Beyond) -> bool:
        if left.polynomial is None or right.polynomial is None:
            raise _NoBound
        sign = self._sign(_plus(left.polynomial, _scaled(right.polynomial, -arbs.ONE)))
        if not sign:
            raise _NoBound
        return sign in _COMPARED[op]

    def _piecewise(self, args: list[Any]) -> _Beyond:
        for condition, value in zip(args[::2], args[1::2], strict=True):
            if condition is True:
                return value
        raise _NoBound

    def _sum(self, args: list[_Beyond]) -> _Beyond:
        return _short(tuple(term for a in args for term in a.bound))

    def _product(self, x: _Beyond, y: _Beyond) -> _Beyond:
        found = _short(tuple(a.times(b) for a in x.bound for b in y.bound))
        least = None if x.least is None or y.least is None else x.least.times(y.least)
        term = None if x.term is None or y.term is None else x.term.times(y.term)
        return _Beyond(found.bound, least=least, term=term)

    def _root(self, args: list[_Beyond], static: Any) -> _Beyond:
        base = args[0]
        exponent = arb(static.value) if len(args) == 1 else _constant(args[1])
        if base.term is not None:
            return _alone(base.term.to_the(exponent))
        if base.polynomial is None or self._sign(base.polynomial) <= 0:
            raise _NoBound
        least, most = (end.to_the(exponent) for end in self._leading(base.polynomial))
        if exponent > arbs.ZERO:
            return _Beyond((most,), least=least)
        return _Beyond((least,), least=most) if exponent < arbs.ZERO else _refuse()

    def _exponential(self, x: _Beyond) -> _Beyond:
        p = x.polynomial
        if p is None or any(not c.is_zero() for c in p[3:]):
            raise _NoBound
        constant, linear, square = (*p[:3], arbs.ZERO, arbs.ZERO)[:3]
        return _alone(_Term(constant.exp(), arbs.ZERO, -square, -linear))


_COMPARED = {"lt": (-1,), "le": (-1,), "gt": (1,), "ge": (1,), "eq": (), "ne": (-1, 1)}
_BOUNDED = {  # with the largest size of a value
    name: arb(fmpq(*max(abs(row.range[0]), abs(row.range[1])).as_integer_ratio()))
    for name, row in FUNCTIONS.items()
    if row.range[0] is not None and row.range[1] is not None
}


def _refuse() -> Any:
    raise _NoBound


def _constant(x: _Beyond) -> arb:
    if x.polynomial is None or len(x.polynomial) != 1:
        raise _NoBound
    return x.polynomial[0]


def _alone(term: _Term) -> _Beyond:
    return _Beyond((term,), least=term, term=term)


def _short(bound: tuple[_Term, ...]) -> _Beyond:
    if len(bound) > MOST_TERMS:
        raise _NoBound
    return _Beyond(bound)


def _plus(p: Polynomial, q: Polynomial) -> Polynomial:
    longest = max(len(p), len(q))
    padded = [(*r, *[arb(0)] * (longest - len(r))) for r in (p, q)]
    return tuple(a + b for a, b in zip(*padded, strict=True))


def _scaled(p: Polynomial, by: arb) -> Polynomial:
    return tuple(c * by for c in p)


def _times(p: Polynomial, q: Polynomial) -> Polynomial:
    found = [arb(0)] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            found[i + j] = found[i + j] + a * b
    return tuple(found)
