"""State claims about random samples of any distribution: numbers that depend on a sample, and events.

A point of the line stands for a sample, and carries any distribution of data; a number that depends
on the data is then a function of that point. A supremum over directions, over neighbours or over points of the
space is one such function: that it bounds each of them is a condition of the statement. So is that an
event has a probability, where it is that a function exceeds a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from sympy import Basic, Expr, Integral, Symbol, oo
from sympy.core.symbol import Str

from dpbook.engine.language.function_symbols import Unknown
from dpbook.engine.language.statement import (
    Both,
    Either,
    Every,
    Relation,
    Tree,
    for_all,
    latex,
    text,
)
from dpbook.privacy.any_distributions import Where

__all__ = ["AnyOrdered", "AnyQuantity", "AnySize", "AnyTail", "AnyVolume", "Weight", "Where"]


class Quantity(Unknown):
    """A number that depends on the sample, of which nothing is known."""

    words = "function of the sample"

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        if cells == 1:  # a sample that is the same with certainty meets many conditions at once
            return (Fraction(1),)
        return tuple(Fraction(int(i), 4) for i in rng.integers(-2, 9, cells))


class Size(Quantity):
    """A number that depends on the sample, and is at least 0."""

    words = "function of the sample, at least 0"

    def known(self) -> Sequence[Tree]:
        others = self.arguments[:-1]
        t = Symbol("t", real=True)
        return [for_all(*others, t, Relation(self(*others, t), ">=", sympy.Integer(0)))]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        if cells == 1:
            return (Fraction(0),)
        return tuple(Fraction(int(i), 4) for i in rng.integers(0, 9, cells))


class Ordered(Unknown):
    """Order statistics by rank; beyond the data equal rows go on for ever on both sides."""

    words = "order statistics, by rank"
    integer = True
    endless = True

    def __new__(cls, name: Any, parameters: Any = 0, last: Any = 9) -> Ordered:
        return Basic.__new__(cls, Str(str(name)), sympy.Integer(parameters), sympy.Integer(last))

    def known(self) -> Sequence[Tree]:
        i = Symbol("i", integer=True)
        return [Every(i, Relation(self(i), "<=", self(i + 1)))]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in np.sort(rng.integers(-2, 3, cells)))


class Tail(Unknown):
    """A bound on a probability by how large something is: it is at least 0, and never rises."""

    words = "function that does not rise, at least 0"

    def known(self) -> Sequence[Tree]:
        s, t = Symbol("s", real=True), Symbol("t", real=True)
        falls = Relation(self(t), "<=", self(s))
        return [
            Every(t, Relation(self(t), ">=", sympy.Integer(0))),
            Every(s, Every(t, falls, (Relation(s, "<=", t),))),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in rng.integers(1, 9, cells))

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example: a multiple of 1 / (1 + t), and flat below 0."""
        top = model.table(self, ())[0]
        with sympy.evaluate(True):
            return sympy.Rational(top.numerator, top.denominator) / (1 + sympy.Max(0, at[0]))


class Volume(Size):
    """A number that depends on a level, and is at least 0."""

    words = "function of a level, at least 0"

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example: a multiple of a power of the level."""
        factor, exponent = model.table(self, ())[:2]
        with sympy.evaluate(True):
            return sympy.Rational(factor.numerator, factor.denominator) * sympy.Max(
                0, at[0]
            ) ** int(exponent)

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return (Fraction(int(rng.integers(1, 9)), 4), Fraction(int(rng.integers(1, 4))))


def AnyVolume(name: str) -> Volume:
    """Return any function of a level that is at least 0, such as the volume of a level set."""
    return Volume(name)


def AnyOrdered(name: str) -> Ordered:
    """Return any order statistics, such as the order statistics of a sample in one direction."""
    return Ordered(name)


def AnyTail(name: str) -> Tail:
    """Return any function that does not rise and is at least 0, such as a bound on a tail."""
    return Tail(name)


def AnyQuantity(name: str, parameters: int = 0) -> Quantity:
    """Return any function of the sample; with parameters a family of such functions."""
    return Quantity(name, parameters)


def AnySize(name: str, parameters: int = 0) -> Size:
    """Return any function of the sample that is at least 0."""
    return Size(name, parameters)


class Weight(Unknown):
    """Weight of a point under the exponential mechanism, ``Weight("w", f, beta, tau)``.

    It is exp(-beta f) where the cost f is at most tau, and 0 elsewhere. Costs are measurable, and
    so is the weight.

    Parameters
    ----------
    name : str
    cost : AnySize
    rate : expression
        At least 0; as costs are too, no weight exceeds 1.
    level : expression
    """

    words = "weight of a point, 0 where its cost exceeds a level"
    by_place = True

    def __new__(cls, name: Any, cost: Size, rate: Any, level: Any) -> Weight:
        if not isinstance(cost, Size) or cost.parameters:
            raise TypeError("a weight needs a cost that is at least 0")
        rest = map(sympy.sympify, (rate, level))
        return Basic.__new__(cls, Str(str(name)), cost, *rest)

    @property
    def parameters(self) -> int:
        return 0

    @property
    def free_symbols(self) -> set[Symbol]:
        return self.args[2].free_symbols | self.args[3].free_symbols

    def known(self) -> Sequence[Tree]:
        _, cost, rate, level = self.args
        t = Symbol("t", real=True)
        with sympy.evaluate(False):
            value = sympy.exp(-rate * cost(t))
            weighed = Integral(self(t) / (1 + t**2), (t, -oo, oo))
        kept = (Relation(cost(t), "<=", level), Relation(self(t), "==", value))
        left = (Relation(cost(t), ">", level), Relation(self(t), "==", sympy.Integer(0)))
        return [
            Every(t, Either((Both(kept), Both(left)))),
            Every(t, Relation(self(t), ">=", sympy.Integer(0))),
            Every(t, Relation(self(t), "<=", sympy.Integer(1))),
            Relation(weighed, ">=", sympy.Integer(0)),
        ]

    def given_by(self) -> tuple[str, str]:
        _, cost, rate, level = self.args
        t = Symbol("t", real=True)
        with sympy.evaluate(False):
            value, kept = sympy.exp(-rate * cost(t)), Relation(cost(t), "<=", level)
        return (
            f"{text(self(t))} = {text(value)} where {kept}, and 0 elsewhere",
            rf"{latex(self(t))} = {latex(value)} \text{{ where }} {kept.latex()} \text{{, and 0 elsewhere}}",
        )

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("an example takes the values of the cost")

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example, by the cost there."""
        _, cost, rate, level = self.args
        place = Symbol("place", real=True)
        here = {place: int(at[0])}
        if not model.holds(Relation(cost(place), "<=", level), here):
            return sympy.Integer(0)
        with sympy.evaluate(True):
            return sympy.exp(-model.value(rate, {}) * model.value(cost(place), here))
