"""The contaminated posterior of one parameter, on a grid: exact to quadrature."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial import chebyshev
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.contamination.models.mixture import CONDITION, Contaminated
from dpbook.engine.language.card import Described
from dpbook.privacy.distributions import Normal
from dpbook.privacy.reading import count, generator
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

__all__ = ["GridPosterior", "grid_posterior"]

POINTS = 2049
MOST_POINTS = 1 << 18
DROP = 60.0  # in the log density, from the mode to the ends of the grid
SCANNED = 1025  # parameters that modes are first looked for at
THINNED = 4000  # records that they are looked for with, every k-th of the sorted ones
DEGREES = (32, 64, 128, 256)  # of the Chebyshev interpolation of the log-likelihood
CLOSE = 1e-9  # of interpolation and log-likelihood, absolute
NEAR = 12.0  # from the mode: there the points must be close
STRIDE = 8  # points across which the bend of a mode is taken: a kink at one record is evened out
FINE = 1e-3  # most bend of the log density from point to point: a step of 0.032 deviations
KINK = 0.1  # most bend at a single point


@dataclass(frozen=True, eq=False)
class GridPosterior(Described):
    """A posterior by its density at equispaced parameters.

    Attributes
    ----------
    points : array of float, shape (m,)
    log_density : array of float, shape (m,)
        Normalised by the trapezoid rule, whose error is far below 1e-9 where the density is smooth
        and vanishes at both ends.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.contamination import PRIVATE_MEAN, grid_posterior
    >>> x = PRIVATE_MEAN.simulate(np.random.default_rng(1))
    >>> found = grid_posterior(PRIVATE_MEAN.model, PRIVATE_MEAN.prior, x)
    >>> round(found.mean, 1)
    29.7
    """

    points: Floats = field(repr=False)
    log_density: Floats = field(repr=False)

    @property
    def step(self) -> float:
        """Distance of two points."""
        return float(self.points[1] - self.points[0])

    @cached_property
    def density(self) -> Floats:
        """Density at the points."""
        return np.exp(self.log_density)

    @cached_property
    def mean(self) -> float:
        """Expectation."""
        return float(np.sum(self.points * self.density) * self.step)

    @cached_property
    def sd(self) -> float:
        """Standard deviation."""
        return math.sqrt(float(np.sum((self.points - self.mean) ** 2 * self.density) * self.step))

    @property
    def mode(self) -> float:
        """The point of largest density."""
        return float(self.points[int(np.argmax(self.log_density))])

    @cached_property
    def _tails(self) -> tuple[Floats, Floats]:
        """Mass below and above each point, each summed from its own end."""
        padded = np.concatenate([[0.0], self.density, [0.0]])
        cells = 13.0 * (padded[1:-2] + padded[2:-1]) - padded[:-3] - padded[3:]
        cells = np.maximum(cells * self.step / 24.0, 0.0)
        below = np.concatenate([[0.0], np.cumsum(cells)])
        above = np.concatenate([np.cumsum(cells[::-1])[::-1], [0.0]])
        return below, above

    def below(self, at: ArrayLike) -> Floats:
        """Posterior probability of parameters below some."""
        return self._tail(0, at, 0.0, 1.0)

    def above(self, at: ArrayLike) -> Floats:
        """Posterior probability of parameters above some; small ones keep their digits."""
        return self._tail(1, at, 1.0, 0.0)

    def _tail(self, which: int, at: ArrayLike, left: float, right: float) -> Floats:
        with np.errstate(divide="ignore"):
            logs = np.maximum(np.log(self._tails[which]), -1e4)
        found = np.exp(np.interp(np.asarray(at, dtype=float), self.points, logs))
        found = np.where(np.asarray(at) < self.points[0], left, found)
        return np.minimum(np.where(np.asarray(at) > self.points[-1], right, found), 1.0)

    def quantile(self, probability: ArrayLike) -> Floats:
        """Inverse of `below`.

        Raises
        ------
        ValueError
            A probability outside [0, 1].
        """
        level = np.asarray(probability, dtype=float)
        if not ((level >= 0) & (level <= 1)).all():
            raise ValueError(f"probability must be in [0, 1], got {probability!r:.60}")
        below, above = self._tails
        low = np.searchsorted(below, level, side="right").clip(1, below.size - 1) - 1
        # from the nearer end, so that neither tail loses its digits
        high = above.size - np.searchsorted(above[::-1], 1 - level, side="left") - 1
        cell = np.where(level < 0.5, low, high.clip(0, above.size - 2))
        mass = below[cell + 1] - below[cell]
        part = np.where(level < 0.5, level - below[cell], above[cell] - (1 - level))
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(mass > 0, part / mass, 0.5).clip(0, 1)
        # the density is a line within a cell
        left, right = self.density[cell], self.density[cell + 1]
        total = np.where(left + right > 0, left + right, 1.0)
        left = left / total
        bend = 1 - 2 * left
        root = np.sqrt(np.maximum(left**2 + bend * share, 0.0))
        inside = np.where(share > 0, share / np.where(left + root > 0, left + root, 1.0), 0.0)
        return self.points[cell] + self.step * inside.clip(0, 1)

    def draws(self, size: int, rng: Generator | None = None) -> Floats:
        """Draw parameters by the inverse of the distribution function.

        Parameters
        ----------
        size : int
            >= 1.
        rng : numpy.random.Generator, optional
            A fresh one when None.

        Returns
        -------
        array of float, shape (size,)
            Exact up to the linear interpolation of the density between points.

        Raises
        ------
        ValueError
            A size that is no integer >= 1, or no generator.
        """
        size, rng = count("size", size), generator(rng)
        return self.quantile(rng.random(size))

    def __repr__(self) -> str:
        return (
            f"GridPosterior(mean={self.mean:.5g}, sd={self.sd:.4g}, points={self.points.size}; "
            f"privacy of a draw: {CONDITION})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        low, high = self.quantile([0.025, 0.975])
        return (
            f"Posterior of one parameter: mean {self.mean:.5g}, standard deviation {self.sd:.4g}, "
            f"95% between {low:.5g} and {high:.5g}. What a draw keeps private is {CONDITION}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the density."""
        ax = ax or figures.axes()
        seen = self.density > 1e-4 * self.density.max()
        first, last = np.flatnonzero(seen)[[0, -1]]
        ax.plot(self.points[first : last + 1], self.density[first : last + 1])
        ax.set_xlabel("theta")
        ax.set_ylabel("density of the posterior")
        return ax


def grid_posterior(
    model: Contaminated, prior: Normal, x: Floats, *, points: int = POINTS
) -> GridPosterior:
    """Return the posterior of a location on a grid that covers every mode.

    Parameters
    ----------
    model : Contaminated
    prior : privacy.distributions.Normal
    x : array of float, shape (n,)
        Contaminated records.
    points : int
        At least so many; more where modes are narrow.

    Raises
    ------
    ValueError
        Modes so narrow and so far apart that no grid of 2**18 points resolves them.

    Notes
    -----
    Two points of the grid are at most 0.032 standard deviations of a mode apart.

    Modes are looked for within nine prior standard deviations and among the records, with every
    k-th of the sorted records where there are more than 4000. The log-likelihood is interpolated by
    Chebyshev polynomials where that agrees with it to 1e-9, and else computed at every point.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.contamination import PRIVATE_MEAN
    >>> x = PRIVATE_MEAN.simulate(np.random.default_rng(1))
    >>> found = grid_posterior(PRIVATE_MEAN.model, PRIVATE_MEAN.prior, x)
    >>> round(found.mean, 1)
    29.7
    """
    mean, sd = float(prior.mean), float(prior.sd)

    def log_prior(theta: Floats) -> Floats:
        return -0.5 * ((theta - mean) / sd) ** 2

    low, high = _region(model, log_prior, x, (mean - 9 * sd, mean + 9 * sd))
    for _ in range(60):
        size = points
        theta = np.linspace(low, high, size)
        logs = _log_likelihood(model, x, theta) + log_prior(theta)
        kept = np.flatnonzero(logs > logs.max() - DROP)
        first, last = max(kept[0] - 1, 0), min(kept[-1] + 1, size - 1)
        if first == 0 and logs[0] > logs.max() - DROP / 2:
            low -= 0.5 * (high - low)
        elif last == size - 1 and logs[-1] > logs.max() - DROP / 2:
            high += 0.5 * (high - low)
        elif last - first < 0.8 * size and last - first < size - 3:
            low, high = float(theta[first]), float(theta[last])
        else:
            break
    while (finer := _finer(logs)) > 1:
        size = finer * (size - 1) + 1
        if size > MOST_POINTS:
            raise ValueError(
                f"the posterior has modes too narrow for a grid of {MOST_POINTS} points between "
                f"{low:.4g} and {high:.4g}; give a prior that knows more"
            )
        theta = np.linspace(low, high, size)
        logs = _log_likelihood(model, x, theta) + log_prior(theta)
    logs -= logs.max()
    return GridPosterior(theta, logs - math.log(np.exp(logs).sum() * (theta[1] - theta[0])))


def _finer(logs: Floats) -> int:
    """Return how many times closer the points must be: 1, or a power of 2.

    Points at most 0.032 deviations of a mode apart are close enough.
    """
    near = logs > logs.max() - NEAR
    kinks = np.abs(np.diff(logs, 2))[near[1:-1]]
    if near.sum() < 8 * STRIDE:
        return 2
    wide = np.abs(logs[2 * STRIDE :] - 2 * logs[STRIDE:-STRIDE] + logs[: -2 * STRIDE])
    bend = float((wide[near[STRIDE:-STRIDE]] / STRIDE**2).max(initial=0.0))
    if bend >= FINE:
        return 1 << max(1, math.ceil(0.5 * math.log2(bend / FINE)))
    return 1 if kinks.max(initial=0.0) < KINK else 2


def _region(
    model: Contaminated,
    log_prior: Callable[[Floats], Floats],
    x: Floats,
    within: tuple[float, float],
) -> tuple[float, float]:
    """Return the region of possible posterior mass: parameters not far below the best parameter."""
    low, high = within
    if model.likelihood.values is None:
        reach = 10 * model.likelihood.scale
        low = min(low, max(float(x.min()), low - (high - low)) - reach)
        high = max(high, min(float(x.max()), high + (high - low)) + reach)
    weight = 1.0
    if x.size > THINNED:
        every = -(-x.size // THINNED)
        x, weight = np.sort(x)[every // 2 :: every], float(every)
    for _ in range(12):
        theta = np.linspace(low, high, SCANNED)
        logs = weight * model.log_likelihood(theta, x) + log_prior(theta)
        # between two points the log density rises by about as much as from one to the next
        slack = 2 * DROP + 2 * np.abs(np.diff(logs, prepend=logs[0])) + 0.05 * (weight > 1) * x.size
        kept = np.flatnonzero(logs > logs.max() - slack)
        first, last = max(int(kept[0]) - 2, 0), min(int(kept[-1]) + 2, SCANNED - 1)
        if last - first > SCANNED // 2:
            break
        low, high = float(theta[first]), float(theta[last])
    return low, high


def _log_likelihood(model: Contaminated, x: Floats, theta: Floats) -> Floats:
    """Log-likelihood at many parameters, interpolated where no accuracy is lost."""
    if model.likelihood.values is not None or theta.size * x.size <= 1 << 19:
        return model.log_likelihood(theta, x)
    low, high = theta[0], theta[-1]
    scaled = (2 * theta - low - high) / (high - low)
    probes = np.linspace(-0.987, 0.991, 7)
    truth = model.log_likelihood(low + (probes + 1) / 2 * (high - low), x)
    for degree in DEGREES:
        if 4 * degree > theta.size:
            break
        nodes = np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
        values = model.log_likelihood(low + (nodes + 1) / 2 * (high - low), x)
        shift = values.max()
        coefficients = chebyshev.chebfit(nodes, values - shift, degree)
        found = chebyshev.chebval(probes, coefficients) + shift
        tail = np.abs(coefficients[-4:]).max()
        scale = max(1.0, 1e-6 * float(np.abs(values - shift).max()))
        if np.abs(found - truth).max() < CLOSE * scale and tail < CLOSE * scale:
            return chebyshev.chebval(scaled, coefficients) + shift
    return model.log_likelihood(theta, x)
