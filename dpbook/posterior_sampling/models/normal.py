"""Normal records, in the distance of lemma 6: the sum of abs(x**2 - y**2) + 2 abs(x - y).

With mean mu and precision tau, L = tau * max(abs(mu), 1) / 2 over all real records. Which of the
two is unknown decides what a prior must do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import erfcx, gammaincc, log_ndtr, xlogy

from dpbook.engine.language.domain import DomainError
from dpbook.posterior_sampling.models.base import EMPTY, Flags, Floats, Interval, Model
from dpbook.posterior_sampling.models.priors import (
    NormalGamma,
    Restricted,
    gamma_parts,
    log_gamma_density,
    tidy,
)
from dpbook.posterior_sampling.models.scalar import gamma_limits
from dpbook.privacy import distributions
from dpbook.privacy.reading import number

__all__ = ["NormalBoth", "NormalKnownMean", "NormalKnownVariance", "NormalVariance"]


NODES, WEIGHTS = np.polynomial.legendre.leggauss(14)
SURE = 8.5  # standard deviations: less than 1e-16 lies beyond


class _Normal(Model):
    """Records of any real size, in the distance of lemma 6."""

    support = "numbers"

    def inside(self, records: Floats) -> Flags:
        return np.isfinite(records)

    def distance(self, first: Floats, second: Floats) -> float:
        apart = np.abs(first - second)
        return float((apart * np.abs(first + second) + 2 * apart).sum())


def _reach(records: Floats, radius: float) -> Floats:
    """Ends of the sets of y at distance <= radius from each record, shape (n, 8); nan for none.

    The set may be in two pieces: y near -x is close to x when abs(x) is small.
    """
    x = records[:, None]
    ends = []
    for square in (1.0, -1.0):
        for line in (1.0, -1.0):  # square * (y**2 - x**2) + 2 * line * (y - x) = radius
            shift = square * line
            inside = (x + shift) ** 2 + square * radius
            root = np.sqrt(np.where(inside >= 0, inside, np.nan))
            ends += [root - shift, -root - shift]
    y = np.concatenate(ends, axis=1)
    apart = np.abs(y - x)
    found = apart * np.abs(y + x) + 2 * apart
    return np.where(np.abs(found - radius) <= 1e-9 * (radius + x * x), y, np.nan)


def _extreme(records: Floats, places: Floats, gain: Floats) -> list[Floats]:
    """The two datasets with one record moved to where the gain is largest, and smallest."""
    found = []
    for choose in (np.nanargmax, np.nanargmin):
        row, column = np.unravel_index(int(choose(gain)), gain.shape)
        moved = records.copy()
        moved[row] = places[row, column]
        found.append(moved)
    return found


@dataclass(frozen=True)
class NormalKnownMean(_Normal):
    """Normal records of known mean; theta is the precision, L(theta) = theta max(abs(mean), 1) / 2.

    Prior: gamma or exponential, on the precision.

    Parameters
    ----------
    mean : float

    Notes
    -----
    posterior_sampling:lemma-6-corrected. For the prior that the paper puts on the variance see
    `NormalVariance`.
    """

    mean: float = 0.0

    priors = (distributions.Gamma, distributions.Exponential)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", number("mean", self.mean, "finite"))

    @property
    def _scale(self) -> float:
        return 2 / max(abs(self.mean), 1.0)

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        return xlogy(0.5 * records.size, theta) - 0.5 * theta * ((records - self.mean) ** 2).sum()

    def lipschitz(self, theta: Floats) -> Floats:
        return np.asarray(theta, dtype=float) / self._scale

    def update(self, prior: Any, records: Floats) -> Any:
        shape, rate = gamma_parts(prior)
        squares = float(((records - self.mean) ** 2).sum())
        return distributions.Gamma(tidy(shape + 0.5 * records.size), tidy(rate + 0.5 * squares))

    def within(self, level: float) -> Interval:
        return 0.0, self._scale * level

    def survival(self, prior: Any, level: Floats) -> Floats:
        shape, rate = gamma_parts(prior)
        return gammaincc(shape, rate * self._scale * np.maximum(level, 0.0))

    def limits(self, prior: Any) -> tuple[float, float]:
        return gamma_limits(prior, self._scale)

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        places = np.column_stack([_reach(records, radius), np.full(records.size, self.mean)])
        at_mean = np.array([self.distance(x, np.array(self.mean)) <= radius for x in records])
        places[~at_mean, -1] = np.nan
        gain = (places - self.mean) ** 2 - ((records - self.mean) ** 2)[:, None]
        return _extreme(records, places, gain)


@dataclass(frozen=True)
class NormalVariance(_Normal):
    """Normal records of known mean; theta is the variance, L(theta) = max(abs(mean), 1) / (2 theta).

    This is lemma 6 as printed: an exponential prior on the variance. No rate fits: the probability
    that L exceeds t falls as 1 / t. The posterior is improper where all of two or more records
    equal the mean; elsewhere it is on a grid, by a `FiniteDistribution`.

    Parameters
    ----------
    mean : float

    Notes
    -----
    posterior_sampling:lemma-6, which is refuted.
    """

    mean: float = 0.0

    priors = (distributions.Gamma, distributions.Exponential)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", number("mean", self.mean, "finite"))

    @property
    def _half(self) -> float:
        return 0.5 * max(abs(self.mean), 1.0)

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        squares = ((records - self.mean) ** 2).sum()
        return -0.5 * (records.size * np.log(theta) + squares / theta)

    def lipschitz(self, theta: Floats) -> Floats:
        return self._half / np.asarray(theta, dtype=float)

    def update(self, prior: Any, records: Floats) -> Any:
        shape, rate = gamma_parts(prior)
        if (records == self.mean).all():
            left = shape - 0.5 * records.size
            if left > 0:
                return distributions.Gamma(left, rate)
            raise ValueError(
                "the posterior must be proper: n / 2 < shape of the prior where all n records equal "
                f"the mean, got n = {records.size}, shape = {shape:g}; put the prior on the "
                "precision (NormalKnownMean)"
            )
        return super().update(prior, records)

    def drawable(self, prior: Any) -> None:
        if isinstance(prior, Restricted):
            raise DomainError(
                "posterior_sampling:theorem-2.i needs a draw from the posterior of every dataset, "
                f"and {self} has a conjugate one only where all records equal the mean; put the "
                "prior on the precision (NormalKnownMean), or take a FiniteDistribution"
            )

    def within(self, level: float) -> Interval:
        return (self._half / level, math.inf) if level > 0 else EMPTY

    def limits(self, prior: Any) -> tuple[float, float]:
        return math.inf, 0.0


@dataclass(frozen=True)
class NormalKnownVariance(_Normal):
    """Normal records of known variance; theta is the mean, L(theta) = max(abs(theta), 1) / (2 variance).

    Prior: normal.

    Parameters
    ----------
    variance : float
        > 0.

    Notes
    -----
    L is never below 1 / (2 variance), so assumption 2 fails for every prior;
    posterior_sampling:text-2.2-weaker-corrected holds under a normal one.
    """

    variance: float = 1.0

    priors = (distributions.Normal,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "variance", number("variance", self.variance, "> 0"))

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        squares = ((records - np.asarray(theta)[:, None]) ** 2).sum(axis=1)
        return -0.5 * squares / self.variance

    def lipschitz(self, theta: Floats) -> Floats:
        return np.maximum(np.abs(theta), 1.0) / (2 * self.variance)

    def update(self, prior: Any, records: Floats) -> Any:
        mean, precision = float(prior.mean), float(prior.sd) ** -2
        new = precision + records.size / self.variance
        return distributions.Normal(
            (precision * mean + float(records.sum()) / self.variance) / new, new**-0.5
        )

    def within(self, level: float) -> Interval:
        most = 2 * self.variance * level
        return (-most, most) if most >= 1 else EMPTY

    def extremes(self, prior: Any) -> Interval:
        return 1 / (2 * self.variance), math.inf

    def limits(self, prior: Any) -> tuple[float, float]:
        return math.inf, math.inf

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        places = _reach(records, radius)
        return _extreme(records, places, places - records[:, None])

    def worst_pairs(self, n: int, radius: float) -> list[tuple[Floats, Floats]]:
        # the pair depends on the shift of the sum alone, at most radius / 2, across 0
        first, second = np.zeros(n), np.zeros(n)
        first[0], second[0] = -radius / 4, radius / 4
        return [(first, second)]


@dataclass(frozen=True)
class NormalBoth(_Normal):
    """Normal records; theta = (mean, precision), L(theta) = precision max(abs(mean), 1) / 2.

    Prior: `NormalGamma`.
    """

    priors = (NormalGamma,)

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        mean, precision = np.asarray(theta).T
        squares = ((records - mean[:, None]) ** 2).sum(axis=1)
        return xlogy(0.5 * records.size, precision) - 0.5 * precision * squares

    def lipschitz(self, theta: Floats) -> Floats:
        mean, precision = np.asarray(theta, dtype=float).T
        return precision * np.maximum(np.abs(mean), 1.0) / 2

    def update(self, prior: Any, records: Floats) -> Any:
        n, average = records.size, float(records.mean())
        count = prior.count + n
        spread = float(((records - average) ** 2).sum())
        apart = prior.count * n / count * (average - prior.mean) ** 2
        return NormalGamma(
            (prior.count * prior.mean + n * average) / count,
            count,
            prior.shape + 0.5 * n,
            prior.rate + 0.5 * (spread + apart),
        )

    def survival(self, prior: Any, level: Floats) -> Floats:
        return np.array([_both_exceed(prior, 2 * float(t)) if t > 0 else 1.0 for t in level])

    def limits(self, prior: Any) -> tuple[float, float]:
        # far out, tau * abs(mu) = 2 t is cheapest at a fixed mean, or at any mean below 1
        start = math.inf if prior.shape <= 0.5 else 0.0
        size = abs(prior.mean)
        slowest = size + math.hypot(size, math.sqrt(2 * prior.rate / prior.count))
        return start, min(2 * prior.rate, 4 * prior.rate / slowest)


def _both_exceed(prior: NormalGamma, product: float) -> float:
    """Probability that precision * max(abs(mean), 1) exceeds a number.

    Either the precision does, or it is product * exp(-s) with s > 0 and abs(mean) exceeds exp(s).
    """
    precise = float(gammaincc(prior.shape, prior.rate * product))
    return min(precise + sum(_Beyond(prior, product, side).mass() for side in (1.0, -1.0)), 1.0)


class _Beyond:
    """The precision is product * exp(-s), s > 0, and side * mean exceeds exp(s).

    Everything is a function of r = s - log(max(abs(mean), 1)), so that the distance from the mean
    to exp(s) keeps its digits.
    """

    def __init__(self, prior: NormalGamma, product: float, side: float) -> None:
        self.shape, self.mean = prior.shape, side * prior.mean
        self.size = max(abs(self.mean), 1.0)
        self.start = -math.log(self.size)
        self.rate = prior.rate * (product / self.size)
        self.count = prior.count * (product / self.size)
        # below it the mean, given the precision, exceeds exp(s) for certain
        half = 0.5 * SURE / (self.size * math.sqrt(self.count))
        self.kink = -2 * math.asinh(half) if self.mean >= 1 else -math.inf

    def _distance(self, r: Any) -> Any:
        """From exp(s) up to the mean, in standard deviations of the mean."""
        apart = (self.mean - self.size) - self.size * np.expm1(r)
        return apart * np.sqrt(self.count * np.exp(-r))

    def _log(self, r: Any) -> Any:
        """Log density of s, and of the chance that the mean exceeds exp(s)."""
        density = log_gamma_density(self.shape, math.log(self.rate / self.shape) - r)
        return density + log_ndtr(self._distance(r))

    def _state(self, r: float) -> tuple[float, float, float]:
        """Precision over product / size, distance in standard deviations, and its root factor."""
        left = math.exp(-r)
        root = math.sqrt(self.count * left)
        return left, ((self.mean - self.size) - self.size * math.expm1(r)) * root, root

    def _height(self, r: float) -> float:
        """As `_log`, up to a constant, in floats."""
        at = math.log(self.rate / self.shape) - r
        return self.shape * (at - math.expm1(min(at, 700.0))) + float(log_ndtr(self._state(r)[1]))

    def _slope(self, r: float) -> float:
        left, h, root = self._state(r)
        hazard = math.sqrt(2 / math.pi) / max(float(erfcx(-h / math.sqrt(2))), 1e-300)
        growth = 0.5 * (self.mean + self.size * math.exp(r)) * root
        return self.rate * left - self.shape - hazard * growth

    def _panel(self, r: float) -> float:
        """Length of a panel, from the slope and a bound on the curvature."""
        left, _, root = self._state(r)
        bend = self.rate * left
        if r >= self.kink:
            bend += 0.5 * (root * (abs(self.mean) + self.size * math.exp(r))) ** 2
        return 1 / max(1.0, math.sqrt(bend), 0.25 * abs(self._slope(r)))

    def _peak(self) -> float:
        low, high = self.start, self.start + 1
        if self._slope(low) <= 0:
            return low
        while high < 600 and self._slope(high) > 0:
            low, high = high, min(high + 2 * (high - self.start), 600.0)
        while high - low > 1e-3 * self._panel(high):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._slope(middle) > 0 else (low, middle)
        return low

    def mass(self) -> float:
        """The probability: by Gauss and Legendre, from the peak to where exp(-45) of it is left.

        The integrand is log-concave, but for bends below 0.08 where the mean exceeds exp(s) almost
        for certain, so nothing lies beyond. Over a panel neither its logarithm nor the slope of
        that changes much.
        """
        peak = self._peak()
        least = self._height(peak) - 45
        up, down = [peak], [peak]
        while up[-1] < 600 and self._height(up[-1]) > least:
            last = up[-1] + self._panel(up[-1])
            up.append(self.kink if up[-1] < self.kink < last else last)
        while down[-1] > self.start and self._height(down[-1]) > least:
            down.append(max(down[-1] - self._panel(down[-1]), self.start))
        edges = np.array(down[:0:-1] + up)
        half = 0.5 * np.diff(edges)[:, None]
        r = edges[:-1, None] + half * (1 + NODES)
        return float(np.sum(half * WEIGHTS * np.exp(self._log(r))))
