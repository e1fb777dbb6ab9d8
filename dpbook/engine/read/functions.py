"""Functions that can be typed: how each is made, unevaluated, and how large its value may be."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import sympy
from sympy import Expr, Integer, Mul, Pow, S

from dpbook.engine.read.grammar import NAMES_OF_FUNCTIONS
from dpbook.engine.read.sizes import (
    Size,
    binomial_size,
    exact,
    exponential_size,
    factorial_size,
    float_size,
    gamma_size,
    largest_size,
    power_size,
)


@dataclass(frozen=True, slots=True)
class Function:
    """A function: what makes its value, and how many arguments it takes.

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
    function = getattr(sympy, name)

    def make(*arguments: Expr) -> Expr:
        return function(*arguments, evaluate=False) if len(set(arguments)) > 1 else arguments[0]

    return make


def _betainc(a: Expr, b: Expr, *ends: Expr) -> Expr:
    lower, upper = ends if len(ends) == 2 else (S.Zero, ends[0])
    return sympy.betainc(a, b, lower, upper, evaluate=False)


def _betainc_regularized(a: Expr, b: Expr, *ends: Expr) -> Expr:
    lower, upper = ends if len(ends) == 2 else (S.Zero, ends[0])
    return sympy.betainc_regularized(a, b, lower, upper)  # SymPy evaluates none of it


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
    "betainc": Function(_betainc, 3, 4),
    "betainc_regularized": Function(_betainc_regularized, 3, 4),
}
FUNCTIONS = {
    name: _SPECIAL[first] if first in _SPECIAL else Function(_plain(first))
    for name, first in NAMES_OF_FUNCTIONS.items()
}
