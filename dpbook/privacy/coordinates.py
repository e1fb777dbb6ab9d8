"""Distributions of several outputs that are independent, each with a distribution of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Integer, Symbol
from sympy.core.symbol import Str

from dpbook.engine.language.function_symbols import Unknown
from dpbook.engine.language.statement import Every, Relation, Tree
from dpbook.privacy.any_distributions import Repeated, Repetitions
from dpbook.privacy.distributions import Distribution

__all__ = ["AnyNumbers", "Coordinates", "Independent", "Running", "RunningProduct"]

NUMBERS = 4  # of a list, after which an example repeats the last one


def _place(index: Symbol) -> Symbol:
    """A symbol for the number of a coordinate that has no range of its own: it is bound."""
    return Symbol(index.name, integer=True)


class AnyNumbers(Unknown):
    """Any list of numbers without an end, one for each whole number."""

    words = "list of numbers"
    integer = True
    endless = True

    def __new__(cls, name: Any, parameters: Any = 0, last: Any = NUMBERS - 1) -> AnyNumbers:
        return sympy.Basic.__new__(cls, Str(str(name)), Integer(parameters), Integer(last))

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        if rng.integers(2):  # conditions may ask for a list that starts at 1 and never falls
            return tuple(Fraction(int(i)) for i in np.cumsum([1, *rng.integers(0, 4, cells - 1)]))
        return tuple(Fraction(int(i), 2) for i in rng.integers(-2, 7, cells))


class Running(Unknown):
    """The sum of the first terms of a list, ``Running("T", j, term)``: at n for j = 0, ..., n - 1.

    It is no free choice, but given by its start and by its terms.
    """

    words = "sum of the first terms"

    def __new__(cls, name: Any, index: Symbol, term: Any) -> Running:
        place = _place(index)
        return sympy.Basic.__new__(
            cls, Str(str(name)), place, sympy.sympify(term).xreplace({index: place})
        )

    @property
    def parameters(self) -> int:
        return 0

    @property
    def free_symbols(self) -> set[Symbol]:
        _, index, term = self.args
        return term.free_symbols - {index}

    def known(self) -> Sequence[Tree]:
        _, index, term = self.args
        i = Symbol("i", integer=True)
        with sympy.evaluate(False):
            adds = Relation(self(i), "==", self(i - 1) + term.xreplace({index: i - 1}))
        return [
            Relation(self(Integer(0)), "==", Integer(0)),
            Every(i, adds, (Relation(i, ">=", Integer(1)),)),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("its values are sums")

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example."""
        _, index, term = self.args
        return sympy.Add(*(model.value(term, {index: i}) for i in range(int(at[0]))))


class RunningProduct(Running):
    """The product of the first factors, ``RunningProduct("P", j, factor)``: at n for j below n."""

    words = "product of the first factors"

    def known(self) -> Sequence[Tree]:
        _, index, factor = self.args
        i = Symbol("i", integer=True)
        with sympy.evaluate(False):
            more = Relation(self(i), "==", self(i - 1) * factor.xreplace({index: i - 1}))
        return [
            Relation(self(Integer(0)), "==", Integer(1)),
            Every(i, more, (Relation(i, ">=", Integer(1)),)),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("its values are products")

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example."""
        _, index, factor = self.args
        return sympy.Mul(*(model.value(factor, {index: i}) for i in range(int(at[0]))))


class Coordinates(Repetitions):
    """A function of two joint densities, integrated over all outputs of independent coordinates.

    At i, a, b: over the coordinates 0, ..., i - 1, where the densities of all others are a and b. So
    its values for i coordinates are integrals of its values for i - 1.
    """

    words = "integral over all coordinates"

    def densities(self, number: Expr) -> tuple[Expr, ...]:
        """Return the two densities of a coordinate."""
        _, _, first, second, *_, index = self.args
        return first.xreplace({index: number}), second.xreplace({index: number})


class Independent(Repeated):
    """Independent coordinates on the line, ``Independent(distribution, index, count)``.

    Parameters
    ----------
    distribution : Distribution
        Of one coordinate, given its number.
    index : Symbol
        That number in the distribution: 0, ..., count - 1. It is bound.
    count : expression
    """

    def __new__(cls, distribution: Distribution, index: Symbol, count: Any) -> Independent:
        return sympy.Basic.__new__(cls, distribution, index, sympy.sympify(count))

    @property
    def count(self) -> Expr:
        return self.args[2]

    @property
    def free_symbols(self) -> set[Symbol]:
        distribution, index, count = self.args
        return (distribution.free_symbols - {index}) | count.free_symbols

    def total(self, other: Repeated, body: Callable[[Expr, Expr], Expr]) -> Coordinates:
        """Return the integral of a function of the densities under two distributions, for any number of coordinates."""
        a, b, t = (Symbol(name, real=True) for name in ("a'", "b'", "t"))
        distributions = [distribution.args[0] for distribution in (self, other)]
        name = "_".join(
            ["C", *(re.sub(r"\W", "", str(distribution)) for distribution in distributions)]
        )
        index, place = self.args[1], _place(self.args[1])
        densities = (
            distribution.density(t).xreplace({index: place}) for distribution in distributions
        )
        return Coordinates(name, t, *densities, a, b, body(a, b), place)

    def _sympystr(self, printer: Any) -> str:
        distribution, index, count = map(printer.doprint, self.args)
        return f"{distribution} for {index} = 0, ..., {count} - 1"

    def _latex(self, printer: Any) -> str:
        distribution, index, count = map(printer.doprint, self.args)
        return rf"\bigotimes_{{{index}=0}}^{{{count}-1}} {distribution}"
