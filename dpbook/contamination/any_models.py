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

from dpbook.engine.statement import Every, Relation, Tree
from dpbook.engine.unknown import Unknown, Value

__all__ = ["AnyFunction", "Distance", "integral"]

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
        if rng.integers(0, 3):  # a likelihood ratio of 1 is one of independent records
            return (Fraction(1),) * cells
        return tuple(SMALL[int(i)] for i in rng.integers(0, len(SMALL), cells))


class Distance(Positive):
    """A function that is nowhere negative: a distance from the true parameter."""

    words = "distance"
    op = ">="

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in rng.integers(0, 5, cells))


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
