"""Models and mechanisms that a statement leaves open: it holds for all of them.

One number stands for a dataset, as it can for finite rows of numbers, so that the density of a
mechanism is an unknown function of the dataset. The dataset after one more row is an unknown function
too, so that the row may stand in any place.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import Basic, Expr, Integer, Integral, Max, Symbol, oo
from sympy.core.symbol import Str

from dpbook.engine.language.function_symbols import Unknown, Value
from dpbook.engine.language.statement import Every, Relation, Tree, for_all

__all__ = [
    "AnyChance",
    "AnyCount",
    "AnyMechanism",
    "AnySizes",
    "AnyTradeOff",
    "AnyWeights",
    "dataset",
]

LARGEST = 5  # numerator and denominator of a value in an example
MOST = 5  # the last value of a function of whole numbers in an example: it goes on so


class Datasets(Unknown):
    """The dataset with one more row, as a number: an unknown function of the dataset and the row."""

    words = "dataset with one more row, as a number"

    def __new__(cls, name: Any, parameters: Any = 1) -> Datasets:
        return super().__new__(cls, name, parameters)

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(0, cells, cells))


class Likely(Unknown):
    """An unknown positive function of a dataset: the density of a release that was seen."""

    words = "density of the release that was seen, given the dataset"

    def known(self) -> Sequence[Tree]:
        d, x = Symbol("d", real=True), Symbol("x", real=True)
        value = self(dataset(d, x))
        # of a bounded density it says that it is a measurable function of a row
        weighed = Integral(value / (1 + x**2), (x, -oo, oo))
        return [
            Every(d, Relation(self(d), ">", Integer(0))),
            Every(d, Relation(weighed, ">=", Integer(0))),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        values = rng.integers(1, LARGEST + 1, (cells, 2))
        return tuple(Fraction(int(a), int(b)) for a, b in values)


class Counted(Unknown):
    """An unknown function of the latent number that determines n, nowhere negative."""

    words = "function of a real number, nowhere negative"

    def known(self) -> Sequence[Tree]:
        t = Symbol("t", real=True)
        return [Every(t, Relation(self(t), ">=", Integer(0)))]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(0, LARGEST, cells))


class Chance(Unknown):
    """An unknown probability of an event, given a number of rows and the rows."""

    words = "probability that the release lies in the event, given the rows"

    def known(self) -> Sequence[Tree]:
        i = Symbol("i", integer=True)
        others = [Symbol(f"x_{j}", real=True) for j in range(self.parameters)]
        value = self(i, *others)
        ends = [Relation(value, ">=", Integer(0)), Relation(value, "<=", Integer(1))]
        return [for_all(i, *others, ends)]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in rng.integers(0, 5, cells))


class TradeOff(Unknown):
    """An unknown function above a line that falls through a fixed point of it: a convex one is, by its tangent."""

    words = "trade-off function"

    def __new__(cls, name: Any, parameters: Any, fixed: Any, fall: Any) -> TradeOff:
        return Basic.__new__(cls, Str(str(name)), Integer(parameters), fixed, fall)

    def known(self) -> Sequence[Tree]:
        x = Symbol("x", real=True)
        fixed, fall = self.args[2:]
        tangent = fixed - fall * (x - fixed)
        return [
            Every(x, Relation(self(x), ">=", tangent)),
            Relation(self(fixed), "==", fixed),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("an example takes the values of its tangent, cut off at 0")

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example: on the tangent, but not below 0."""
        fixed, fall = (model.value(a, {}) for a in self.args[2:])
        return Max(0, fixed - fall * (at[0] - fixed))


class Sizes(Likely):
    """An unknown function of the number of records that is positive from 1 on."""

    words = "positive function of the number of records"
    integer = True
    endless = True

    def __new__(cls, name: Any, parameters: Any = 0, last: Any = MOST) -> Sizes:
        return Basic.__new__(cls, Str(str(name)), Integer(parameters), Integer(last))

    def known(self) -> Sequence[Tree]:
        n = Symbol("n", integer=True)
        return [Every(n, Relation(self(n), ">", Integer(0)), (Relation(n, ">=", Integer(1)),))]


class Numbered(Sizes):
    """An unknown function of the number of records, nowhere negative."""

    words = "function of the number of records, nowhere negative"

    def known(self) -> Sequence[Tree]:
        n = Symbol("n", integer=True)
        return [Every(n, Relation(self(n), ">=", Integer(0)))]


class Chances(Numbered):
    """An unknown probability of an event, given the number of records."""

    words = "probability of an event, given the number of records"

    def known(self) -> Sequence[Tree]:
        n = Symbol("n", integer=True)
        return [*super().known(), Every(n, Relation(self(n), "<=", Integer(1)))]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in rng.integers(0, 5, cells))


def dataset(rows: Any, row: Any) -> Expr:
    """Return the dataset that has one more row."""
    return Value(Datasets("D"), rows, row)


def AnyMechanism(name: str) -> Likely:
    """Return any mechanism: the density of the release that was seen, given a dataset."""
    return Likely(name)


def AnySizes(name: str) -> Sizes:
    """Return any prior of the number of records, or any mechanism for it, at the noisy number seen."""
    return Sizes(name)


def AnyCount(name: str) -> Counted:
    """Return any nonnegative function of the number of records; a real number determines it."""
    return Counted(name)


def AnyWeights(name: str) -> Numbered:
    """Return any nonnegative function of the number of records, such as the density of the noisy number seen."""
    return Numbered(name)


def AnyChance(name: str, parts: int = 0) -> Chance | Chances:
    """Return any probabilities of an event, given a number of rows and some parts of them."""
    return Chance(name, parts) if parts else Chances(name)


def AnyTradeOff(name: str, fixed: Any, fall: Any) -> TradeOff:
    """Return any trade-off function with a fixed point, and how steeply it falls there."""
    return TradeOff(name, 0, fixed, fall)
