"""Models, records and datasets that a statement leaves open: it holds for all of them.

The parameter and the pair of datasets stand for points of any space: they are real numbers here,
which carry any distribution that has a density (`privacy.any_distributions`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import Expr, Integer, Integral, Symbol, oo

from dpbook.engine.language.function_symbols import Signed, Unknown, Value
from dpbook.engine.language.statement import Either, Every, Relation, Tree, as_tree, for_all

__all__ = [
    "AnyFunction",
    "AnyRate",
    "Choice",
    "Distance",
    "NonNegative",
    "Numbers",
    "Radius",
    "Record",
    "Shells",
    "Slope",
    "Transformation",
    "integral",
    "settled",
    "with_values",
]

SMALL = (Fraction(1, 2), Fraction(1), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(1, 4))


class Positive(Signed):
    """A function that is positive everywhere: a density at a record, a product of ratios of densities."""

    words = "positive function"

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        if rng.integers(0, 3):  # a likelihood ratio of 1 is one of independent records
            return (Fraction(1),) * cells
        return tuple(SMALL[int(i)] for i in rng.integers(0, len(SMALL), cells))


class NonNegative(Positive):
    """A function that is nowhere negative: a density that may be 0, the chance of an event, a norm."""

    words = "function that is nowhere negative"
    op = ">="

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in rng.integers(0, 5, cells))


class Distance(NonNegative):
    """A distance from the true parameter."""

    words = "distance"


class Radius(Distance):
    """A radius below the distance of distributions that differ."""

    words = "radius"

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return (Fraction(1, 8),) * cells


class Record(Unknown):
    """A record of a dataset, as a function of the dataset: any point of the space."""

    words = "record of the dataset"

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(0, cells, cells))


class Choice(Unknown):
    """The indicator of an event, at its last argument; the arguments before it choose the event."""

    words = "event for each dataset"

    def known(self) -> Sequence[Tree]:
        *others, last = self.arguments
        value = self(*others, last)
        ends = Either((Relation(value, "==", Integer(0)), Relation(value, "==", Integer(1))))
        weighed = Integral(value / (1 + last**2), (last, -oo, oo))
        return [
            for_all(*others, last, ends),
            for_all(*others, Relation(weighed, ">=", Integer(0))),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(0, 2, cells))


class Slope(Unknown):
    """A function of which nothing is known: a derivative of a density, the value of a record."""

    words = "function"

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        if rng.integers(0, 2):  # a value that does not change meets many conditions at once
            return (Fraction(0),) * cells
        return tuple(Fraction(int(i), 2) for i in rng.integers(-3, 4, cells))


class Transformation(Slope):
    """A map of the parameter to another one."""

    words = "map of the parameter"


class Vanishing(Unknown):
    """A sequence of numbers between 0 and 1 that tends to 0; `Settled` says from where on it is small."""

    words = "sequence in (0, 1) that tends to 0"
    costly = True

    def known(self) -> Sequence[Tree]:
        k, e = Symbol("k", integer=True), Symbol("e", real=True)
        small = Relation(self(k), "<=", e)
        late = Relation(k, ">=", Settled(self.name)(e))
        return [
            for_all(k, Relation(self(k), ">", Integer(0))),
            for_all(k, Relation(self(k), "<", Integer(1))),
            Every(e, Every(k, small, (late,)), (Relation(e, ">", Integer(0)),)),
        ]

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example."""
        return 1 / (2 + abs(at[0]))


class Settled(Unknown):
    """The index from which on a sequence that tends to 0 is at most as large as a number."""

    words = "index from which a sequence is small"

    def __new__(cls, name: Any, parameters: Any = 0) -> Settled:
        made: Settled = Unknown.__new__(cls, str(name).removesuffix("_from") + "_from", 0)
        return made

    def known(self) -> Sequence[Tree]:
        return []

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example."""
        return 1 / at[0]


class Numbers(Slope):
    """A sequence of numbers."""

    words = "sequence of numbers"
    endless = True

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        if rng.integers(0, 2):  # a constant sequence meets most conditions
            return (Fraction(int(rng.integers(0, 2))),) * cells
        return tuple(Fraction(int(i), 2) for i in rng.integers(-3, 4, cells))


class Shells(Choice):
    """The indicators of a sequence of events, by the number of the event and a dataset."""

    words = "sequence of events"


def AnyRate(name: str) -> Vanishing:
    """Return any sequence of numbers between 0 and 1 that tends to 0."""
    return Vanishing(name)


def settled(sequence: Vanishing, size: Expr) -> Expr:
    """Return the index from which on a sequence is at most `size`."""
    return Value(Settled(sequence.name), size)


def with_values(thing: Any, values: Mapping[Symbol, Expr]) -> Tree:
    """Return a statement with expressions in the place of symbols."""
    return as_tree(thing).map(lambda e: e.xreplace(dict(values)))


def AnyFunction(name: str, arity: int = 1, kind: type[Unknown] = Positive) -> Unknown:
    """Return any function of some real arguments; `kind` is the class of its known properties."""
    return kind(name, arity - 1)


def integral(body: Expr, over: Symbol) -> Expr:
    """Return the integral of an expression over the line."""
    return Integral(body, (over, -oo, oo))
