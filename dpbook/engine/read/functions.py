"""List the functions that can be typed, how each is made, and how large its value may be.

A number of over 10,000 digits is refused before it is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy
from sympy import Expr, Integer, Mul, Pow, S

from dpbook.engine.read.grammar import NAMES_OF_FUNCTIONS

MOST_DIGITS = 10_000


@dataclass(frozen=True, slots=True)
class Size:
    """Bound the size of a constant before it is made.

    `log` is log10 of numerator times denominator if it is rational, else None; `value` is exact
    if that is short, else a float, perhaps inf or nan; `most` bounds log10 of a value that is inf
    as a float.
    """

    log: float | None
    value: Fraction | float
    whole: bool = False
    most: float = math.inf

    @property
    def tens(self) -> float:
        """Return a bound of the size of log10 of the value."""
        size = abs(_float(self.value))
        if 0 < size < math.inf:
            return abs(math.log10(size))
        return self.most if size == math.inf else size


UNKNOWN = Size(None, math.nan)


def exact(value: Fraction) -> Size:
    """Return the size of a rational number."""
    log = math.log10(abs(value.numerator) or 1) + math.log10(value.denominator)
    return Size(log, _float(value) if log > 300 else value, value.denominator == 1)


def _float(value: Fraction | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def sum_size(sizes: list[Size]) -> Size:
    """Return the size of a sum."""
    fractions = [size.value for size in sizes if isinstance(size.value, Fraction)]
    if len(fractions) == len(sizes):
        below = sum(math.log10(bottom) for bottom in {value.denominator for value in fractions})
        if below <= 2000:
            return exact(sum(fractions, Fraction(0)))
    value = sum(_float(size.value) for size in sizes)
    if any(size.log is None for size in sizes):
        most = max(size.tens for size in sizes) + math.log10(len(sizes))
        return Size(None, value, most=most)
    logs = [size.log or 0.0 for size in sizes]
    whole = all(size.whole for size in sizes)
    return Size(max(logs) + math.log10(len(logs)) if whole else sum(logs), value, whole)


def product_size(sizes: list[Size]) -> Size:
    """Return the size of a product."""
    fractions = [size.value for size in sizes if isinstance(size.value, Fraction)]
    if len(fractions) == len(sizes) and sum(size.log or 0.0 for size in sizes) <= 2000:
        return exact(math.prod(fractions, start=Fraction(1)))
    value = math.prod(_float(size.value) for size in sizes)
    if any(size.log is None for size in sizes):
        return Size(None, value, most=sum(size.tens for size in sizes))
    return Size(sum(size.log or 0.0 for size in sizes), value, all(s.whole for s in sizes))


def power_size(base: Size, exponent: Size) -> Size:
    """Return the size of a power; its `log` is infinite if no number should be made of it."""
    power = exponent.value
    if isinstance(power, Fraction) and power.denominator == 1 and base.log is not None:
        if power < 0 and base.value == 0:
            return UNKNOWN
        log = abs(power.numerator) * base.log if base.log else 0.0
        if log <= 300 and isinstance(base.value, Fraction):
            # a base of 0, 1 or -1 has log 0: its power is short, but is not made by multiplying
            if base.log == 0.0:
                return exact(base.value ** (power.numerator % 2 + 2 if power else 0))
            return exact(base.value**power.numerator)
        return Size(log, _estimate(base, exponent), base.whole and power >= 0)
    log = abs(_float(power)) * (base.log if base.log is not None else base.tens)
    return Size(log if log >= MOST_DIGITS else None, _estimate(base, exponent), most=log)


def _estimate(base: Size, exponent: Size) -> float:
    try:
        value = _float(base.value) ** _float(exponent.value)
    except OverflowError:
        return math.inf
    except ZeroDivisionError:
        return math.nan
    return value if isinstance(value, float) else math.nan


def factorial_size(argument: Size) -> Size:
    """Return the size of a factorial."""
    value = _float(argument.value)
    if not value > -1:
        return UNKNOWN
    log = math.lgamma(value + 1) / math.log(10) if value < 1e300 else math.inf
    if argument.whole and log < 300:
        return exact(Fraction(math.factorial(int(value))))
    if argument.whole:
        return Size(log, math.inf, True)
    value = 10**log if log < 300 else math.inf
    return Size(log if log > MOST_DIGITS else None, value, most=log)


def gamma_size(argument: Size) -> Size:
    """Return the size of a value of the gamma function."""
    return factorial_size(sum_size([argument, exact(Fraction(-1))]))


def binomial_size(upper: Size, lower: Size) -> Size:
    """Return the size of a binomial coefficient."""
    n, k = _float(upper.value), _float(lower.value)
    if not 0 <= k <= n or not (upper.whole and lower.whole):
        return UNKNOWN
    if n >= 1e15:
        log = min(k, n - k) * math.log10(max(n, 2)) if n < math.inf else math.inf
    else:
        log = (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(10)
    if log < 300 and n < 1e6:
        return exact(Fraction(math.comb(int(n), int(k))))
    return Size(log, math.inf, True)


def largest_size(*sizes: Size) -> Size:
    """Return the size of the largest of some numbers, without its sign."""
    logs = [size.log for size in sizes]
    value = max(abs(_float(size.value)) for size in sizes)
    known = None if None in logs else max(log or 0.0 for log in logs)
    return Size(known, value, all(size.whole for size in sizes))


def exponential_size(argument: Size) -> Size:
    """Return the size of a value of exp."""
    size = float_size(math.exp)(argument)
    return replace(size, most=abs(_float(argument.value)) * math.log10(math.e))


def float_size(function: Callable[[float], float]) -> Callable[[Size], Size]:
    """Return the size of a function's value, from the value of a float."""

    def size(argument: Size) -> Size:
        try:
            return Size(None, function(_float(argument.value)))
        except OverflowError:
            return Size(None, math.inf)
        except ValueError:
            return UNKNOWN

    return size


@dataclass(frozen=True, slots=True)
class Function:
    """Describe a function: how its value is made, and how many arguments it takes.

    `size` bounds the value at numbers, where it can be large or has a value to go on with.
    """

    make: Callable[..., Expr]
    least: int = 1
    most: int = 1
    size: Callable[..., Size] | None = None


def _plain(name: str) -> Callable[..., Expr]:
    function = getattr(sympy, name)
    return lambda *arguments: function(*arguments, evaluate=False)


def _logarithm(argument: Expr, base: Expr | None = None) -> Expr:
    log = sympy.log(argument, evaluate=False)
    if base is None:
        return log
    below = sympy.log(base, evaluate=False)
    return Mul(log, Pow(below, S.NegativeOne, evaluate=False), evaluate=False)


def _extreme(name: str) -> Callable[..., Expr]:
    make = _plain(name)
    return lambda *arguments: make(*arguments) if len(set(arguments)) > 1 else arguments[0]


def _incomplete_beta(function: Any, **options: bool) -> Callable[..., Expr]:
    """Return how the function is made of a, b and one or both ends; the lower end may be left out."""
    return lambda a, b, *ends: function(a, b, *(S.Zero, *ends)[-2:], **options)


_SPECIAL = {
    "log": Function(_logarithm, 1, 2, lambda a, *b: float_size(math.log)(a)),
    "log2": Function(lambda x: _logarithm(x, Integer(2))),
    "log10": Function(lambda x: _logarithm(x, Integer(10))),
    "exp": Function(_plain("exp"), size=exponential_size),
    "sqrt": Function(
        lambda x: Pow(x, S.Half, evaluate=False),
        size=lambda x: power_size(x, exact(Fraction(1, 2))),
    ),
    "abs": Function(_plain("Abs"), size=largest_size),
    "min": Function(_extreme("Min"), 1, 1000, largest_size),
    "max": Function(_extreme("Max"), 1, 1000, largest_size),
    "floor": Function(_plain("floor"), size=largest_size),
    "ceiling": Function(_plain("ceiling"), size=largest_size),
    "sign": Function(_plain("sign"), size=lambda x: Size(0.0, math.nan, True)),
    "gamma": Function(_plain("gamma"), size=gamma_size),
    "binomial": Function(_plain("binomial"), 2, 2, binomial_size),
    "factorial": Function(_plain("factorial"), size=factorial_size),
    **{n: Function(_plain(n), 2, 2) for n in ("beta", "polygamma", "lowergamma", "uppergamma")},
    "betainc": Function(_incomplete_beta(sympy.betainc, evaluate=False), 3, 4),
    # SymPy evaluates none of it
    "betainc_regularized": Function(_incomplete_beta(sympy.betainc_regularized), 3, 4),
}
FUNCTIONS = {
    name: _SPECIAL[first] if first in _SPECIAL else Function(_plain(first))
    for name, first in NAMES_OF_FUNCTIONS.items()
}
