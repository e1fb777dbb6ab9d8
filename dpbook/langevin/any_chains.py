"""Unknowns of chains and algorithm 1: the distribution at a step, and results of lines 6 to 13."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from sympy import Expr, Integral, Symbol, oo, sqrt

from dpbook.engine.language.function_symbols import Signed, Unknown
from dpbook.engine.language.statement import Tree
from dpbook.langevin.notation import noise_sd, spread, step_mean, x
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.distributions import Distribution, Normal
from dpbook.privacy.selection import AnyFunction

__all__ = [
    "ADDED",
    "CENTRE_FOUND",
    "COUNT_FOUND",
    "LAW",
    "MEAN",
    "TIMES",
    "VARIANCE",
    "after_a_step",
    "normal_density",
]


class Numbers(Unknown):
    """A sequence of numbers, one for each step."""

    words = "sequence of numbers"
    endless = True

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 2) for i in rng.integers(-3, 4, cells))


class Variances(Signed):
    """A sequence of variances, one for each step."""

    words = "sequence of variances"
    endless = True

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 2) for i in rng.integers(1, 7, cells))


class Counts(Signed):
    """A positive number that each output tells."""

    words = "positive number"

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(1, 4, cells))


CENTRE_FOUND, COUNT_FOUND = AnyFunction("M"), Counts("N")
"""Noisy centre and noisy size of V, in the result of lines 6 to 13 of algorithm 1."""
TIMES, ADDED, MEAN, VARIANCE = Numbers("a"), Numbers("b"), Numbers("mu"), Variances("v")
"""Factor and added number of the step, and mean and variance before it."""


BEFORE_IT = Symbol("theta_j", real=True)  # a name that nothing else has


def LAW(step: Expr) -> AnyDistribution:
    """Return the distribution of the chain before a step."""
    return AnyDistribution("P", step)


def after_a_step(distribution: Distribution, times: Expr, added: Expr) -> Expr:
    """Return the density at x after a step with normal noise, from the distribution before it."""
    moved = Normal(times * BEFORE_IT + added, noise_sd).density(x)
    return Integral(distribution.density(BEFORE_IT) * moved, (BEFORE_IT, -oo, oo))


def normal_density(step: Expr, at: Expr) -> Expr:
    """Return the normal density with mean and variance before a step."""
    density: Expr = Normal(step_mean, sqrt(spread)).density(at)
    return density.xreplace({step_mean: MEAN(step), spread: VARIANCE(step)})
