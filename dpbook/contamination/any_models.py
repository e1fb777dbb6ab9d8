"""Models, records and datasets that a statement leaves open: it holds for all of them.

The parameter and the pair of datasets stand for points of any space: they are real numbers here,
which carry any law that has a density (`privacy.any_laws`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from sympy import Expr, Integer, Integral, Symbol, oo

from dpbook.engine.statement import Relation, Tree, for_all
from dpbook.engine.unknown import Unknown

__all__ = ["AnyFunction", "Distance", "integral"]

SMALL = (Fraction(1, 2), Fraction(1), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(1, 4))


class Positive(Unknown):
    """A function that is positive everywhere: a density at a record, a product of ratios of densities."""

    words = "positive function"
    op = ">"

    def known(self) -> Sequence[Tree]:
        at = [Symbol(f"x_{i}", real=True) for i in range(1, self.arity + 1)]
        return [for_all(*at, Relation(self(*at), self.op, Integer(0)))]

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


def AnyFunction(name: str, arity: int = 1, kind: type[Unknown] = Positive) -> Unknown:
    """Return any function of some real arguments; `kind` is the class that says what is known of it."""
    return kind(name, arity - 1)


def integral(body: Expr, over: Symbol) -> Expr:
    """Return the integral of an expression over the line."""
    return Integral(body, (over, -oo, oo))
