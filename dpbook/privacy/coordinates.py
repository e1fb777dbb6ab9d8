"""Laws of several outputs that are independent, each with a law of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Integer, Integral, Symbol, oo
from sympy.core.symbol import Str

from dpbook.engine.statement import Every, Relation, Tree, for_all
from dpbook.engine.unknown import Unknown
from dpbook.privacy.any_laws import Repeated, Repetitions
from dpbook.privacy.laws import Law

__all__ = ["AnyNumbers", "Coordinates", "Independent", "Running"]

NUMBERS = 4  # of a list, after which an example repeats the last one


def _place(index: Symbol) -> Symbol:
    """A symbol for the number of a coordinate that has no range of its own: it is bound."""
    return Symbol(index.name, integer=True)


class Numbers(Unknown):
    """A list of numbers without an end, of which nothing is known."""

    words = "list of numbers"
    integer = True
    endless = True

    def __new__(cls, name: Any, parameters: Any = 0, last: Any = NUMBERS - 1) -> Numbers:
        return sympy.Basic.__new__(cls, Str(str(name)), Integer(parameters), Integer(last))

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        if rng.integers(2):  # conditions may ask for a list that starts at 1 and never falls
            return tuple(Fraction(int(i)) for i in np.cumsum([1, *rng.integers(0, 4, cells - 1)]))
        return tuple(Fraction(int(i), 2) for i in rng.integers(-2, 7, cells))


class Running(Unknown):
    """The sum of the first terms of a list, ``Running("T", j, term)``: at n that for j = 0, ..., n - 1.

    It is no free choice, but given by its start and by what it adds.
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


def AnyNumbers(name: str) -> Numbers:
    """Return any list of numbers: one for each whole number."""
    return Numbers(name)


class Coordinates(Repetitions):
    """A function of two joint densities, integrated over all outputs of independent coordinates.

    At i, a, b: over the coordinates 0, ..., i - 1, where the densities of the others are a and b. So its
    values for i coordinates are integrals of those for i - 1.
    """

    words = "integral over all coordinates"

    @property
    def free_symbols(self) -> set[Symbol]:
        _, output, first, second, a, b, body, index = self.args
        densities = (first.free_symbols | second.free_symbols) - {output, index}
        return densities | (body.free_symbols - {a, b})

    def known(self) -> Sequence[Tree]:
        _, output, first, second, a, b, body, index = self.args
        i = Symbol("i", integer=True)
        one, other = (density.xreplace({index: i - 1}) for density in (first, second))
        after = Integral(self(i - 1, a * one, b * other), (output, -oo, oo))
        more = Relation(self(i, a, b), "==", after)
        return [
            for_all(a, b, Relation(self(0, a, b), "==", body)),
            Every(i, for_all(a, b, more), (Relation(i, ">=", Integer(1)),)),
        ]

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example: over all rows of cells."""
        _, output, first, second, a, b, body, index = self.args
        count, p, q = at
        if count == 0:
            with sympy.evaluate(True):
                put_in = body.xreplace({a: p, b: q})
            return model.value(put_in, {})
        total = Integer(0)
        for cell in range(model.cells):
            place = {output: cell, index: int(count) - 1}
            masses = [model.value(density, place) for density in (first, second)]
            total += self.value(model, (count - 1, p * masses[0], q * masses[1]))
        return total


class Independent(Repeated):
    """Independent coordinates on the line, ``Independent(law, index, count)``.

    Parameters
    ----------
    law : Law
        Of one coordinate, given its number.
    index : Symbol
        That number in the law: 0, ..., count - 1. It is bound.
    count : expression
    """

    def __new__(cls, law: Law, index: Symbol, count: Any) -> Independent:
        return sympy.Basic.__new__(cls, law, index, sympy.sympify(count))

    @property
    def count(self) -> Expr:
        return self.args[2]

    @property
    def free_symbols(self) -> set[Symbol]:
        law, index, count = self.args
        return (law.free_symbols - {index}) | count.free_symbols

    def total(self, other: Repeated, body: Callable[[Expr, Expr], Expr]) -> Coordinates:
        """Return the integral of a function of the densities under two laws, for any number of coordinates."""
        a, b, t = (Symbol(name, real=True) for name in ("a'", "b'", "t"))
        laws = [law.args[0] for law in (self, other)]
        name = "_".join(["C", *(re.sub(r"\W", "", str(law)) for law in laws)])
        index, place = self.args[1], _place(self.args[1])
        densities = (law.density(t).xreplace({index: place}) for law in laws)
        return Coordinates(name, t, *densities, a, b, body(a, b), place)

    def _sympystr(self, printer: Any) -> str:
        law, index, count = map(printer.doprint, self.args)
        return f"{law} for {index} = 0, ..., {count} - 1"

    def _latex(self, printer: Any) -> str:
        law, index, count = map(printer.doprint, self.args)
        return rf"\bigotimes_{{{index}=0}}^{{{count}-1}} {law}"
