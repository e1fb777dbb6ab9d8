"""Models, records and datasets that a statement leaves open: it holds for all of them.

The parameter and the pair of datasets stand for points of any space: they are real numbers here,
which carry any law that has a density (`privacy.any_laws`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Integer, Integral, Symbol, oo

from dpbook.engine.statement import Either, Every, Relation, Tree, latex, text
from dpbook.engine.unknown import Unknown, Value
from dpbook.privacy.laws import Law

__all__ = ["AnyFunction", "Posterior", "integral"]

SMALL = (Fraction(1, 2), Fraction(1), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(1, 4))


class Positive(Unknown):
    """A function that is positive everywhere: a density at a record, a product of ratios of densities."""

    words = "positive function"
    op = ">"

    def known(self) -> Sequence[Tree]:
        at = [Symbol(f"x_{i}", real=True) for i in range(1, self.arity + 1)]
        tree: Tree = Relation(self(*at), self.op, Integer(0))
        for variable in reversed(at):
            tree = Every(variable, tree)
        return [tree]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(SMALL[int(i)] for i in rng.integers(0, len(SMALL), cells))


class Distance(Positive):
    """A function that is nowhere negative: a distance from the true parameter."""

    words = "distance"
    op = ">="

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in rng.integers(0, 5, cells))


class Part(Unknown):
    """The indicator of a set of parameters, one for each value of what stands before."""

    words = "set of parameters"

    def known(self) -> Sequence[Tree]:
        at = [Symbol(f"x_{i}", real=True) for i in range(1, self.arity + 1)]
        tree: Tree = Either(
            (Relation(self(*at), "==", Integer(0)), Relation(self(*at), "==", Integer(1)))
        )
        for variable in reversed(at):
            tree = Every(variable, tree)
        return [tree]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(0, 2, cells))


class Choice(Unknown):
    """A function of which nothing is known: which record a dataset has at a place."""

    words = "record of a dataset"
    points = True

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(0, cells, cells))


class AnyFunction(sympy.Basic):
    """Any function of some real arguments, ``AnyFunction("f", 2)``.

    Parameters
    ----------
    name : str
    arity : int
    kind : type of Unknown
        What is known of it.
    """

    def __new__(cls, name: Any, arity: int = 1, kind: type[Unknown] = Positive) -> AnyFunction:
        made = sympy.Basic.__new__(cls)
        made.function = kind(name, arity - 1)
        return made

    function: Unknown

    def __call__(self, *at: Any) -> Expr:
        return Value(self.function, *at)


def integral(body: Expr, over: Symbol) -> Expr:
    """Return the integral of an expression over the line."""
    return Integral(body, (over, -oo, oo))


class Posterior(Law):
    """The law of a parameter in proportion to a weight, ``Posterior(weight, parameter)``."""

    def __new__(cls, weight: Any, parameter: Symbol) -> Posterior:
        return sympy.Basic.__new__(cls, sympy.sympify(weight), parameter)

    @property
    def free_symbols(self) -> set[Symbol]:
        return self.args[0].free_symbols - {self.args[1]}

    @property
    def total(self) -> Expr:
        """The integral of the weight."""
        return integral(*self.args)

    def density(self, at: Any) -> Expr:
        weight, parameter = self.args
        return weight.xreplace({parameter: sympy.sympify(at)}) / self.total

    def _sympystr(self, printer: Any) -> str:
        return f"Posterior({text(self.args[0])})"

    def _latex(self, printer: Any) -> str:
        return rf"\pi_n\left({latex(self.args[1])} \propto {latex(self.args[0])}\right)"
