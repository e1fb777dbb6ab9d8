"""Likelihoods, priors and metrics that a statement leaves open: it holds for all of them.

A dataset is told by a real number, as any finite list of numbers can be, and so is a parameter: the
line carries any prior that has a density (`privacy.any_distributions`). The likelihood and the metric are
unknown functions of two arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import (
    Abs,
    Basic,
    Eq,
    Expr,
    Integer,
    Integral,
    Piecewise,
    Symbol,
    log,
    oo,
    sqrt,
    sympify,
    true,
)
from sympy.core.symbol import Str

from dpbook.engine.language.function_symbols import Signed, Unknown
from dpbook.engine.language.statement import Defined, Either, Relation, Tree, for_all
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.distributions import Distribution
from dpbook.privacy.divergences import over_support

__all__ = [
    "LIKELIHOOD",
    "METRIC",
    "PRIOR",
    "Along",
    "Chances",
    "Free",
    "Likelihood",
    "Listed",
    "Marks",
    "Nonnegative",
    "Posterior",
    "Spread",
    "affinity_by",
    "coarse_distance",
    "distance_by",
    "divergence",
    "evidence",
    "log_likelihood_ratio",
    "loss_or_zero",
    "posterior",
    "posterior_distance",
    "posterior_divergence",
    "posterior_loss",
    "under_prior",
]

VALUES = (Fraction(1, 2), Fraction(1), Fraction(1), Fraction(2), Fraction(3), Fraction(3, 2))


class Likelihood(Signed):
    """A function of a dataset and a parameter that is positive everywhere."""

    words = "likelihood, positive everywhere"

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(VALUES[int(i)] for i in rng.integers(0, len(VALUES), cells))


class Nonnegative(Likelihood):
    """A function that is nowhere negative: a pseudo-metric, a Lipschitz constant of each parameter."""

    words = "function that is nowhere negative"
    op = ">="

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 2) for i in rng.integers(0, 5, cells))


class Free(Unknown):
    """A function of which nothing is known."""

    words = "function"

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(VALUES[int(i)] - 1 for i in rng.integers(0, len(VALUES), cells))


class Listed(Unknown):
    """A function of the whole numbers 0, ..., last, of which nothing is known."""

    words = "list of numbers"
    integer = True

    def __new__(cls, name: Any, parameters: Any, last: Any) -> Listed:
        return Basic.__new__(cls, Str(str(name)), Integer(parameters), sympify(last))

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(VALUES[int(i)] / 3 for i in rng.integers(0, len(VALUES), cells))


class Marks(Listed):
    """A function of whole numbers that is 0 or 1: which variables differ, which depend on which."""

    words = "0 or 1 for each whole number"

    def known(self) -> Sequence[Tree]:
        at = [Symbol(f"k_{i}", integer=True) for i in range(1, self.arity + 1)]
        value = self(*at)
        ends = (Relation(value, "==", Integer(0)), Relation(value, "==", Integer(1)))
        return [
            for_all(*at, Relation(value, ">=", Integer(0))),
            for_all(*at, Relation(value, "<=", Integer(1))),
            for_all(*at, Either(ends)),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(0, 2, cells))


class Spread(Listed):
    """A function of whole numbers that is nowhere negative: distances, record by record."""

    words = "distance for each whole number"

    def known(self) -> Sequence[Tree]:
        at = Symbol("k_1", integer=True)
        return [for_all(at, Relation(self(at), ">=", Integer(0)))]


class Chances(Listed):
    """A function of whole numbers between 0 and 1: probabilities of events."""

    words = "probability for each whole number, above 0 and below 1"

    def known(self) -> Sequence[Tree]:
        at = Symbol("k_1", integer=True)
        ends = (Relation(self(at), ">", Integer(0)), Relation(self(at), "<", Integer(1)))
        return [for_all(at, end) for end in ends]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 8) for i in rng.integers(1, 8, cells))


class Along(Unknown):
    """The probability of an event given each of a row of datasets, of which neighbours differ in a record."""

    words = "probability of an event, dataset by dataset"
    integer = True
    endless = True

    def __new__(cls, name: Any, parameters: Any = 0, last: Any = 3) -> Along:
        return Basic.__new__(cls, Str(str(name)), Integer(parameters), Integer(last))

    def known(self) -> Sequence[Tree]:
        i = Symbol("i", integer=True)
        ends = (Relation(self(i), ">=", Integer(0)), Relation(self(i), "<=", Integer(1)))
        return [for_all(i, end) for end in ends]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 8) for i in rng.integers(0, 9, cells))


LIKELIHOOD, METRIC, PRIOR = Likelihood("p", 1), Nonnegative("rho", 1), AnyDistribution("xi")
_AT = Symbol("vartheta_1", real=True)


def under_prior(body: Any) -> Expr:
    """Return the integral of a function of the parameter under the prior; `body` gives its value."""
    return Integral(PRIOR.density(_AT) * body(_AT), (_AT, -oo, oo))


class log_likelihood_ratio(Defined):
    """Log likelihood ratio ``log_likelihood_ratio(x, y, theta)`` of two datasets at a parameter."""

    nargs = 3

    def definition(self) -> Expr:
        x, y, theta = self.args
        return log(LIKELIHOOD(x, theta) / LIKELIHOOD(y, theta))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        x, y, theta = (printer.doprint(argument) for argument in self.args)
        return rf"\ln \frac{{p_{{{theta}}}({x})}}{{p_{{{theta}}}({y})}}"


class evidence(Defined):
    """Evidence ``evidence(x)`` of a dataset, eq. 2.3."""

    nargs = 1

    def definition(self) -> Expr:
        (x,) = self.args
        return under_prior(lambda t: LIKELIHOOD(x, t))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return rf"\phi\left({printer.doprint(self.args[0])}\right)"


class posterior(Defined):
    """Posterior probability ``posterior(event, x)`` of a set of parameters, eq. 2.2."""

    nargs = 2

    def definition(self) -> Expr:
        event, x = self.args
        return under_prior(lambda t: event.indicator(t) * LIKELIHOOD(x, t)) / evidence(x)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        event, x = (printer.doprint(argument) for argument in self.args)
        return rf"\xi\left({event} \mid {x}\right)"


def posterior_loss(x: Any, y: Any, theta: Any) -> Expr:
    """Return the log ratio of two posterior densities at a parameter."""
    return log((LIKELIHOOD(x, theta) / evidence(x)) / (LIKELIHOOD(y, theta) / evidence(y)))


class posterior_divergence(Defined):
    """Divergence ``posterior_divergence(x, y)``, eq. 3.1, of two posteriors.

    The ratio of their densities is that of the likelihoods over that of the evidences.
    """

    nargs = 2

    def definition(self) -> Expr:
        x, y = self.args
        mean = under_prior(lambda t: LIKELIHOOD(x, t) * posterior_loss(x, y, t))
        return mean / evidence(x)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        x, y = (printer.doprint(argument) for argument in self.args)
        return rf"D\left(\xi(\cdot \mid {x}) \,\|\, \xi(\cdot \mid {y})\right)"


def distance_by(x: Any, y: Any, first: Any, second: Any) -> Expr:
    """Return the l1 distance of two posteriors, for any numbers in place of their evidences."""
    densities = [PRIOR.density(_AT) * LIKELIHOOD(one, _AT) for one in (x, y)]
    return Integral(Abs(densities[0] / first - densities[1] / second), (_AT, -oo, oo))


class posterior_distance(Defined):
    """Distance ``posterior_distance(x, y)`` of two posteriors in the l1 norm."""

    nargs = 2

    def definition(self) -> Expr:
        x, y = self.args
        return distance_by(x, y, evidence(x), evidence(y))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        x, y = (printer.doprint(argument) for argument in self.args)
        return _powered(rf"\left\|\xi(\cdot \mid {x}) - \xi(\cdot \mid {y})\right\|_1", exp)


class coarse_distance(Defined):
    """Distance ``coarse_distance(event, x, y)`` of two posteriors on an event and its complement.

    The l1 norm of their difference on a sub-algebra is the supremum over its events.
    """

    nargs = 3

    def definition(self) -> Expr:
        event, x, y = self.args
        first, second = posterior(event, x), posterior(event, y)
        return Abs(first - second) + Abs((1 - first) - (1 - second))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        event, x, y = (printer.doprint(argument) for argument in self.args)
        norm = (
            rf"\left\|\xi_{{|{event}}}(\cdot \mid {x}) - \xi_{{|{event}}}(\cdot \mid {y})\right\|_1"
        )
        return _powered(norm, exp)


def _powered(norm: str, exp: Any) -> str:
    return norm if exp is None else f"{norm}^{{{exp}}}"


class Posterior(Distribution):
    """The posterior of a dataset, ``Posterior(x)``, eq. 2.2, as a distribution on the line."""

    def __new__(cls, x: Any) -> Posterior:
        return Basic.__new__(cls, sympify(x))

    def density(self, at: Any) -> Expr:
        (x,) = self.args
        return PRIOR.density(at) * LIKELIHOOD(x, at) / evidence(x)

    def _sympystr(self, printer: Any) -> str:
        return f"xi({printer.doprint(self.args[0])})"

    def _latex(self, printer: Any) -> str:
        return rf"\xi\left(\cdot \mid {printer.doprint(self.args[0])}\right)"


class divergence(Defined):
    """Divergence ``divergence(P, Q)``, eq. 3.1, of two distributions on the line; where p is 0 its integrand is 0."""

    nargs = 2

    def definition(self) -> Expr:
        return over_support(loss_or_zero, self.args)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        first, second = (printer.doprint(argument) for argument in self.args)
        return rf"D\left({first} \,\|\, {second}\right)"


def loss_or_zero(p: Any, q: Any) -> Expr:
    """Return the integrand of the divergence of two densities at a point."""
    return Piecewise((Integer(0), Eq(p, 0)), (p * log(p / q), true), evaluate=False)


def affinity_by(x: Any, y: Any, first: Any, second: Any) -> Expr:
    """Return the Hellinger affinity of two posteriors, for any numbers in place of their evidences."""
    densities = [PRIOR.density(_AT) * LIKELIHOOD(one, _AT) for one in (x, y)]
    return Integral(sqrt((densities[0] / first) * (densities[1] / second)), (_AT, -oo, oo))
