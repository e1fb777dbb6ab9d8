"""Models of positive and real numbers and of counts: exponential, Laplace, Poisson, geometric, beta.

Each Lipschitz constant is taken for the distance and the base measure that its class names; sums
over records keep it (posterior_sampling:note-lemma-1-sharp).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betainc, betaln, gammainc, gammaincc, gammaln, xlog1py, xlogy

from dpbook.posterior_sampling.models.base import EMPTY, Flags, Floats, Interval, Model
from dpbook.posterior_sampling.models.priors import (
    Independent,
    beta_parts,
    gamma_parts,
    tails,
    tidy,
)
from dpbook.privacy import distributions
from dpbook.privacy.reading import number

__all__ = [
    "Beta",
    "Exponential",
    "Geometric",
    "LaplaceBoth",
    "LaplaceKnownLocation",
    "LaplaceKnownScale",
    "Poisson",
]

GAMMA = (distributions.Gamma, distributions.Exponential)
LAST = 1 - 2.0**-53  # chance below 1, where a level allows more than the doubles hold


def whole(records: Floats) -> Flags:
    return (records >= 0) & (records == np.floor(records))


def moved(records: Floats, place: int, value: float) -> Floats:
    """The dataset with one record replaced."""
    found = records.copy()
    found[place] = value
    return found


def gamma_above(shape: Any, logs: Floats) -> Floats:
    """Mass of gamma distributions of rate 1 above exp(logs), also where that is no double."""
    near = gammaincc(shape, np.exp(np.clip(logs, -700.0, 700.0)))
    far = -np.expm1(shape * np.minimum(logs, -690.0) - gammaln(shape + 1))
    return np.where(logs < -690, far, near)


def gamma_below(shape: float, logs: Floats) -> Floats:
    """Mass of a gamma distribution of rate 1 below exp(logs), also where that is no double."""
    far = np.exp(shape * np.minimum(logs, -690.0) - gammaln(shape + 1))
    return np.where(logs < -690, far, gammainc(shape, np.exp(np.clip(logs, -700.0, 700.0))))


def beta_below(a: float, b: float, logs: Floats) -> Floats:
    """Mass of a beta distribution below exp(logs) <= 1, also where that is no double."""
    far = np.exp(a * np.minimum(logs, -690.0) - math.log(a) - betaln(a, b))
    return np.where(logs < -690, far, betainc(a, b, np.exp(np.clip(logs, -700.0, 0.0))))


def gamma_limits(prior: Any, scale: float = 1.0) -> tuple[float, float]:
    """Limits of -log Pr(theta > scale * t) / t at 0 and at infinity, for a gamma distribution of theta.

    Its density is t**(shape - 1) exp(-rate t): near 0 the shape decides, far out the rate.
    """
    shape, rate = gamma_parts(prior)
    start = math.inf if shape < 1 else scale * rate if shape == 1 else 0.0
    return start, scale * rate


class _Rate(Model):
    """Records whose sizes are exponential with rate theta; L(theta) = theta."""

    priors = GAMMA

    def _sizes(self, records: Floats) -> Floats:
        return records

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        return xlogy(records.size, theta) - theta * self._sizes(records).sum()

    def lipschitz(self, theta: Floats) -> Floats:
        return np.asarray(theta, dtype=float)

    def update(self, prior: Any, records: Floats) -> Any:
        shape, rate = gamma_parts(prior)
        return distributions.Gamma(
            tidy(shape + records.size), tidy(rate + self._sizes(records).sum())
        )

    def within(self, level: float) -> Interval:
        return 0.0, level

    def survival(self, prior: Any, level: Floats) -> Floats:
        shape, rate = gamma_parts(prior)
        return gammaincc(shape, rate * np.maximum(level, 0.0))

    def limits(self, prior: Any) -> tuple[float, float]:
        return gamma_limits(prior)


@dataclass(frozen=True)
class Exponential(_Rate):
    """Exponential records with an unknown rate theta; L(theta) = theta.

    Distance: the sum of absolute differences. Prior: gamma, or exponential as in the paper.

    Notes
    -----
    posterior_sampling:lemma-3: under an exponential prior of rate c assumption 2 holds with c; no
    larger one does.
    """

    support = "numbers >= 0"

    def inside(self, records: Floats) -> Flags:
        return records >= 0

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        most = int(records.argmax())
        return [
            moved(records, most, records[most] + radius),
            moved(records, most, max(records[most] - radius, 0.0)),
        ]

    def worst_pairs(self, n: int, radius: float) -> list[tuple[Floats, Floats]]:
        # the pair depends on the ratio of the posteriors' rates alone; it is largest at a total of 0
        none = np.zeros(n)
        return [(none, moved(none, 0, radius))]


@dataclass(frozen=True)
class LaplaceKnownLocation(_Rate):
    """Laplace records about a known location; theta is the inverse scale, L(theta) = theta.

    Distance: the sum of absolute differences. Prior: gamma, or exponential as in the paper.

    Parameters
    ----------
    location : float

    Notes
    -----
    posterior_sampling:lemma-4-corrected.
    """

    location: float = 0.0

    support = "numbers"

    def __post_init__(self) -> None:
        object.__setattr__(self, "location", number("location", self.location, "finite"))

    def inside(self, records: Floats) -> Flags:
        return np.isfinite(records)

    def _sizes(self, records: Floats) -> Floats:
        return np.abs(records - self.location)

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        sizes = self._sizes(records)
        most = int(sizes.argmax())
        way = math.copysign(1.0, records[most] - self.location)
        return [
            moved(records, most, records[most] + way * radius),
            moved(records, most, records[most] - way * min(radius, sizes[most])),
        ]

    def worst_pairs(self, n: int, radius: float) -> list[tuple[Floats, Floats]]:
        none = np.full(n, self.location)
        return [(none, moved(none, 0, self.location + radius))]


@dataclass(frozen=True)
class LaplaceKnownScale(Model):
    """Laplace records with an unknown location theta; L(theta) = 1 / scale, whatever the prior.

    Distance: the sum of absolute differences. Prior: any distribution; a `FiniteDistribution` for a posterior.

    Parameters
    ----------
    scale : float
        > 0.

    Notes
    -----
    posterior_sampling:assumption-1 holds; assumption 2 does not, for L is never below 1 / scale.
    """

    scale: float

    support = "numbers"
    priors = (distributions.Distribution,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", number("scale", self.scale, "> 0"))

    def inside(self, records: Floats) -> Flags:
        return np.isfinite(records)

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        return -np.abs(np.asarray(theta)[:, None] - records).sum(axis=1) / self.scale

    def lipschitz(self, theta: Floats) -> Floats:
        return np.full(np.shape(theta), 1 / self.scale)

    def within(self, level: float) -> Interval:
        return (-math.inf, math.inf) if level >= 1 / self.scale else EMPTY

    def survival(self, prior: Any, level: Floats) -> Floats:
        return np.where(level < 1 / self.scale, 1.0, 0.0)

    def extremes(self, prior: Any) -> Interval:
        return 1 / self.scale, 1 / self.scale

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        return _both_ways(records, radius)


def _both_ways(records: Floats, radius: float) -> list[Floats]:
    """Each record moved by the radius, up and down."""
    return [
        moved(records, place, records[place] + way * radius)
        for place in range(records.size)
        for way in (-1, 1)
    ]


@dataclass(frozen=True)
class LaplaceBoth(Model):
    """Laplace records; theta = (location, inverse scale), L(theta) = theta[1].

    Distance: the sum of absolute differences. Prior: `Independent`, any distribution of the location and a
    gamma of the inverse scale; a `FiniteDistribution` on pairs for a posterior.

    Notes
    -----
    posterior_sampling:lemma-4-corrected.
    """

    support = "numbers"
    priors = (Independent,)

    def inside(self, records: Floats) -> Flags:
        return np.isfinite(records)

    def accept(self, prior: Any) -> None:
        super().accept(prior)
        if isinstance(prior, Independent) and not (
            len(prior.distributions) == 2 and isinstance(prior.distributions[1], GAMMA)
        ):
            raise ValueError(
                f"the prior of {self} must be Independent: a distribution and a gamma, got {prior}"
            )

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        location, inverse = np.asarray(theta).T
        sizes = np.abs(records - location[:, None]).sum(axis=1)
        return xlogy(records.size, inverse) - inverse * sizes

    def lipschitz(self, theta: Floats) -> Floats:
        return np.asarray(theta, dtype=float)[..., 1]

    def survival(self, prior: Any, level: Floats) -> Floats:
        return tails(prior.distributions[1], 0.0, level)[1]

    def limits(self, prior: Any) -> tuple[float, float]:
        return gamma_limits(prior.distributions[1])

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        return _both_ways(records, radius)


@dataclass(frozen=True)
class Geometric(Model):
    """Records that count failures before a success of chance theta; L(theta) = -log(1 - theta).

    Distance: the sum of absolute differences. Prior: beta.

    Notes
    -----
    posterior_sampling:note-constant-geometric.
    """

    support = "whole numbers >= 0"
    priors = (distributions.Beta,)

    def inside(self, records: Floats) -> Flags:
        return whole(records)

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        return xlogy(records.size, theta) + xlog1py(records.sum(), -theta)

    def lipschitz(self, theta: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return -np.log1p(-np.asarray(theta, dtype=float))

    def update(self, prior: Any, records: Floats) -> Any:
        a, b = beta_parts(prior)
        return distributions.Beta(tidy(a + records.size), tidy(b + records.sum()))

    def within(self, level: float) -> Interval:
        return (0.0, min(-math.expm1(-level), LAST)) if level >= 0 else EMPTY

    def survival(self, prior: Any, level: Floats) -> Floats:
        a, b = beta_parts(prior)
        return beta_below(b, a, -np.maximum(level, 0.0))

    def limits(self, prior: Any) -> tuple[float, float]:
        # the density of L is a constant times (1 - exp(-t))**(a - 1) exp(-b t)
        a, b = beta_parts(prior)
        return (math.inf if a < 1 else b if a == 1 else 0.0), b

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        return _counted(records, radius)


@dataclass(frozen=True)
class Poisson(Model):
    """Poisson records with an unknown rate theta; L(theta) = abs(log(theta)).

    Distance: the sum of absolute differences. Base measure: 1 / x!. Prior: gamma.

    Notes
    -----
    posterior_sampling:note-constant-poisson. By counting measure the Lipschitz constant would be
    infinite: log(x!) grows faster than x.
    """

    support = "whole numbers >= 0"
    priors = GAMMA

    def inside(self, records: Floats) -> Flags:
        return whole(records)

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        return xlogy(records.sum(), theta) - records.size * theta

    def lipschitz(self, theta: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.abs(np.log(np.asarray(theta, dtype=float)))

    def update(self, prior: Any, records: Floats) -> Any:
        shape, rate = gamma_parts(prior)
        return distributions.Gamma(tidy(shape + records.sum()), tidy(rate + records.size))

    def within(self, level: float) -> Interval:
        return (math.exp(-level), math.exp(min(level, 709.0))) if level >= 0 else EMPTY

    def survival(self, prior: Any, level: Floats) -> Floats:
        shape, rate = gamma_parts(prior)
        level, at = np.maximum(level, 0.0), math.log(rate)
        above = gammaincc(shape, np.exp(np.minimum(at + level, 700.0)))
        return np.minimum(gamma_below(shape, at - level) + above, 1.0)

    def limits(self, prior: Any) -> tuple[float, float]:
        # the density of log(theta) at 0, from both sides; far out small rates decide
        shape, rate = gamma_parts(prior)
        return 2 * math.exp(shape * math.log(rate) - rate - float(gammaln(shape))), shape

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        return _counted(records, radius)


def _counted(records: Floats, radius: float) -> list[Floats]:
    """The most that one count can rise and fall."""
    most, step = int(records.argmax()), math.floor(radius)
    down = min(step, records[most])
    found = [moved(records, most, records[most] + step)] if step else []
    return found + ([moved(records, most, records[most] - down)] if down > 0 else [])


@dataclass(frozen=True)
class Beta(Model):
    """Beta records with two unknown parameters theta = (a, b); L(theta) = max(a, b).

    Distance: the sum of absolute differences of logits. Base measure: dx / (x (1 - x)). Prior:
    `Independent` gammas for the profile; a `FiniteDistribution` on pairs for a posterior.

    Notes
    -----
    The derivative of the log density in logit(x) is a (1 - x) - b x, which runs over (-b, a):
    posterior_sampling:note-constant-beta.
    """

    support = "numbers in (0, 1)"
    priors = (Independent,)

    def inside(self, records: Floats) -> Flags:
        return (records > 0) & (records < 1)

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        a, b = np.asarray(theta)[..., 0], np.asarray(theta)[..., 1]
        ones, rest = np.log(records).sum(), np.log1p(-records).sum()
        return a * ones + b * rest - records.size * betaln(a, b)

    def lipschitz(self, theta: Floats) -> Floats:
        return np.max(np.asarray(theta, dtype=float), axis=-1)

    def distance(self, first: Floats, second: Floats) -> float:
        logits = [np.log(x) - np.log1p(-x) for x in (first, second)]
        return float(np.abs(logits[0] - logits[1]).sum())

    def accept(self, prior: Any) -> None:
        super().accept(prior)
        if isinstance(prior, Independent) and not (
            len(prior.distributions) == 2
            and all(isinstance(distribution, GAMMA) for distribution in prior.distributions)
        ):
            raise ValueError(f"the prior of {self} must be two Independent gammas, got {prior}")

    def survival(self, prior: Any, level: Floats) -> Floats:
        zero = np.zeros(level.shape)
        first, second = (
            tails(distribution, zero, level)[1] for distribution in prior.distributions
        )
        return first + second - first * second

    def limits(self, prior: Any) -> tuple[float, float]:
        # for small t the probability that both are below t is of order t to the sum of the shapes
        shapes, rates = zip(
            *(gamma_parts(distribution) for distribution in prior.distributions), strict=True
        )
        (a, b), (first, second) = shapes, rates
        start = 0.0 if a + b > 1 else math.inf
        if a + b == 1:
            start = math.exp(
                a * math.log(first) + b * math.log(second) - gammaln(1 + a) - gammaln(1 + b)
            )
        return start, min(first, second)
