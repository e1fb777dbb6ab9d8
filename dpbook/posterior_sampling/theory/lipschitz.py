"""The Lipschitz constant of a model under a prior: which assumption holds, and with which rate."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from dpbook.posterior_sampling import kernels
from dpbook.posterior_sampling.models.base import Model, check_datasets, check_model
from dpbook.posterior_sampling.models.priors import FiniteDistribution, Prior, Restricted
from dpbook.privacy.reading import number
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["LipschitzProfile", "brute_force_lipschitz", "lipschitz_profile"]

Floats = NDArray[np.float64]

ASSUMPTIONS = {
    "posterior_sampling:assumption-1": "1",
    "posterior_sampling:assumption-2": "2",
    "posterior_sampling:text-2.2-weaker-corrected": "2 with an offset",
}
LEAST = 1e-290  # of the survival function where a minimum is looked for


@dataclass(frozen=True)
class LipschitzProfile:
    """Prior probability of a large Lipschitz constant; by `lipschitz_profile`.

    Attributes
    ----------
    model : Model
    prior : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
    smallest : float
        Essential infimum of L(theta): the least offset that any rate can have.
    largest : float
        Essential supremum of L(theta); where it is finite assumption 1 holds with it.

    Examples
    --------
    >>> from dpbook.posterior_sampling import lipschitz_profile, models
    >>> from dpbook.privacy.distributions import Beta
    >>> lipschitz_profile(models.Bernoulli(), Beta(1, 1)).smallest
    0.0
    """

    model: Model
    prior: Any
    smallest: float
    largest: float
    _limits: tuple[float | None, float | None] = field(repr=False, compare=False)

    # --- the survival function ------------------------------------------------------------------

    def survival(self, level: ArrayLike) -> Any:
        """Prior probability that the Lipschitz constant exceeds a level.

        Parameters
        ----------
        level : float or array

        Returns
        -------
        float or array
            In [0, 1], of the shape of `level`.

        Raises
        ------
        ValueError
            A level that is not a number.
        """
        levels = np.asarray(level, dtype=float)
        if np.isnan(levels).any():
            raise ValueError("level must be a number, got nan")
        flat = np.atleast_1d(levels).ravel()
        found = self._survival(flat).reshape(levels.shape)
        return found if levels.ndim else float(found)

    def _survival(self, level: Floats) -> Floats:
        if self._atoms is not None:
            values, left = self._atoms
            return np.append(left, 0.0)[np.searchsorted(values, level, side="right")]
        if isinstance(self.prior, Restricted):
            cut = float(
                self.model.survival(self.prior.distribution, np.array([self.prior.level]))[0]
            )
            found = (self.model.survival(self.prior.distribution, level) - cut) / (1 - cut)
            return np.where(level < self.largest, np.clip(found, 0.0, 1.0), 0.0)
        return self.model.survival(self.prior, level)

    @cached_property
    def measured(self) -> bool:
        """Say whether the survival function is known, and with it rates, offsets and means."""
        try:
            self._survival(np.array([self.smallest + 1.0]))
        except ValueError:  # the model says so, such as a network with edges
            return False
        return True

    @cached_property
    def _atoms(self) -> tuple[Floats, Floats] | None:
        """Values of L under a finite distribution, and the probability of at least each."""
        if not isinstance(self.prior, FiniteDistribution):
            return None
        kept = self.prior.masses > 0
        values, place = np.unique(
            self.model.lipschitz(self.prior.points[kept]), return_inverse=True
        )
        masses = np.bincount(place, weights=self.prior.masses[kept])
        left: Floats = np.cumsum(masses[::-1])[::-1].astype(float)
        return values, left

    @cached_property
    def mean(self) -> float:
        """Mean of the Lipschitz constant: the infimum, and the integral of the survival function.

        Raises
        ------
        ValueError
            A survival function that falls too slowly for the integral.
        """
        if self._atoms is not None:
            values, left = self._atoms
            return float(values @ -np.diff(np.append(left, 0.0)))
        high = 1.0
        while self._survival(np.array([self.smallest + high]))[0] > 1e-16 and high < 1e12:
            high *= 2
        if high >= 1e12:
            raise ValueError(
                "the survival function must fall below 1e-16 for a mean, got "
                f"{self.survival(high):.3g} at {high:.3g} for {self.model} under {self.prior}"
            )
        while self._survival(np.array([self.smallest + high / 2]))[0] < 1e-16 and high > 1e-300:
            high /= 2
        edges = self.smallest + high * np.concatenate([[0.0], 0.5 ** np.arange(12, -1, -1)])
        return self.smallest + _integral(self._survival, edges[:-1], edges[1:])

    # --- rates and offsets ----------------------------------------------------------------------

    def rate(self, offset: float = 0.0) -> float:
        """Largest c such that survival(t) <= exp(-c (t - offset)) for all t >= offset.

        Parameters
        ----------
        offset : float
            L_0 of the corrected assumption 2; 0 for assumption 2 as printed. >= 0.

        Returns
        -------
        float
            0 where no positive rate will do, infinite where L never exceeds the offset.

        Raises
        ------
        ValueError
            An offset < 0.

        Notes
        -----
        posterior_sampling:assumption-2, posterior_sampling:text-2.2-weaker-corrected. The infimum of
        -log(survival(t)) / (t - offset): exact for finite priors; else the least of the limits that
        the model knows in closed form and of a search over the levels between them. Where the
        model knows no limits the search stands for them.
        """
        offset = number("offset", offset, ">= 0")
        if offset >= self.largest:
            return math.inf
        if offset < self.smallest:
            return 0.0
        if self._atoms is not None:
            values, left = self._atoms
            beyond = values > offset
            with np.errstate(divide="ignore"):
                found = -np.log(left[beyond]) / (values[beyond] - offset)
            return max(float(found.min()), 0.0)
        start, tail = self._limits
        if tail == 0:
            return 0.0
        levels, logs = self._table
        beyond = levels > offset
        if offset > self.smallest:
            start = math.inf
        elif start is None:
            start = self._start()
        elif isinstance(self.prior, Restricted):  # the mass below a level grows by this factor
            start /= 1 - float(
                self.model.survival(self.prior.distribution, np.array([self.largest]))[0]
            )
        known = min(start, math.inf if tail is None else tail)
        if not beyond.any():
            return known
        least = self._least(
            lambda t, log_survival: -log_survival / (t - offset), levels[beyond], logs[beyond]
        )
        return known if least > known * (1 - 1e-8) else max(least, 0.0)

    def offset(self, rate: float) -> float:
        """Smallest L_0 such that survival(t) <= exp(-rate (t - L_0)) for all t >= L_0.

        Parameters
        ----------
        rate : float
            > 0.

        Returns
        -------
        float
            Infinite where the survival function falls too slowly for the rate.

        Raises
        ------
        ValueError
            A rate <= 0.
        """
        rate = number("rate", rate, "> 0")
        if self.smallest == self.largest or self.rate(self.smallest) >= rate:
            return self.smallest
        if self._atoms is not None:
            values, left = self._atoms
            return float((values + np.log(left) / rate).max())
        tail = self._limits[1]
        if tail is not None and rate >= tail:
            return math.inf
        levels, logs = self._table
        if tail is None and int((levels + logs / rate).argmax()) == levels.size - 1:
            return math.inf
        return -self._least(lambda t, log_survival: -t - log_survival / rate, levels, logs)

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        """Levels from near the smallest to where hardly any mass is left, and log survival there."""
        low, high = self.smallest, self.smallest + 1.0
        while self._survival(np.array([high]))[0] > LEAST and high < 1e12:
            high = low + 2 * (high - low)
        if math.isfinite(self.largest):
            high = min(high, self.largest)
        levels = low + (high - low) * np.concatenate(
            [np.geomspace(1e-10, 0.01, 80), np.linspace(0.01, 1, 121)[1:-1]]
        )
        survival = self._survival(levels)
        kept = (survival > LEAST) & (survival < 1 - 1e-6)
        return levels[kept], np.log(survival[kept])

    def _least(self, function: Callable[[Any, Any], Any], levels: Floats, logs: Floats) -> float:
        """Least value of a function of level and log survival: on the table, then about its place."""
        values = function(levels, logs)
        best = int(values.argmin())
        low, high = levels[max(best - 1, 0)], levels[min(best + 1, levels.size - 1)]

        def at(level: float) -> float:
            survival = float(self._survival(np.array([level]))[0])
            return float(function(level, math.log(survival) if survival > 0 else -math.inf))

        closer = minimize_scalar(at, bounds=(low, high), method="bounded", options={"xatol": 1e-10})
        return min(float(values[best]), float(closer.fun))

    def _start(self) -> float:
        """Limit of the ratio at the infimum, from how fast the mass below grows there."""
        levels, logs = self._table
        below, above = -np.expm1(logs[:2]), levels[:2] - self.smallest
        power = float(np.log(below[1] / below[0]) / np.log(above[1] / above[0]))
        return 0.0 if power > 1.05 else math.inf if power < 0.95 else float(-logs[0] / above[0])

    # --- what holds -----------------------------------------------------------------------------

    @cached_property
    def assumptions(self) -> tuple[str, ...]:
        """Keys of the assumptions that are known to hold; the last is assumption 2 with an offset.

        Where nothing is `measured`, those on assumption 2 that are missing may hold all the same.
        """
        bounded = math.isfinite(self.largest)
        holds = (
            bounded,
            self.measured and self.rate() > 0,
            bounded or (self.measured and self._falls > 0),
        )
        return tuple(key for key, one in zip(ASSUMPTIONS, holds, strict=True) if one)

    @property
    def _falls(self) -> float:
        """Limit of -log(survival(t)) / t, by the model or from the last level that is looked at."""
        if self._limits[1] is not None:
            return self._limits[1]
        levels, logs = self._table
        return float(-logs[-1] / levels[-1]) if self._survival(levels[-1:])[0] < 1e-100 else 0.0

    @cached_property
    def best(self) -> tuple[float, float]:
        """A rate and its offset: the best rate at the smallest offset that has one.

        (0, inf) where no rate fits at all.
        """
        found = self.rate(self.smallest)
        if found > 0:
            return found, self.smallest
        if not self._falls > 0:
            return 0.0, math.inf
        half = 0.5 * self._falls
        return half, self.offset(half)

    def __repr__(self) -> str:
        named = ", ".join(ASSUMPTIONS[key] for key in self.assumptions) or "none"
        if not self.measured:  # assumption 1 is known to hold or to fail, the others need rates
            named = f"{named}, 2 not known" if self.assumptions else "1 fails, 2 not known"
        rate = f"rate={self.rate():.6g}, " if self.measured else ""
        return (
            f"LipschitzProfile({self.model}, {self.prior}: smallest={self.smallest:.6g}, "
            f"largest={self.largest:.6g}, {rate}assumptions: {named})"
        )

    def _repr_html_(self) -> str:
        rates: tuple[tuple[str, str], ...] = ()
        if self.measured:
            rate, offset = self.best
            rates = (
                ("best rate without an offset", f"{self.rate():.6g}"),
                ("with an offset", f"{rate:.6g} from {offset:.6g} on"),
            )
        rows = (
            ("smallest L", f"{self.smallest:.6g}"),
            ("largest L", f"{self.largest:.6g}"),
            *rates,
            *((f"assumption {name}", self._verdict(key)) for key, name in ASSUMPTIONS.items()),
        )
        return figures.html_facts(rows, f"{self.model} under {self.prior}")

    def _verdict(self, key: str) -> str:
        if key in self.assumptions:
            return "holds"
        return "fails" if self.measured or key == "posterior_sampling:assumption-1" else "not known"

    def describe(self) -> str:
        """Return the words for the picture."""
        runs = f"L runs from {self.smallest:.4g} to {self.largest:.4g}. "
        if not self.measured:
            return f"{runs}How often it is large under {self.prior} is not known in closed form."
        rate, offset = self.best
        at = [f"{self.survival(t):.3g} at {t:.3g}" for t in np.linspace(0, self._last, 4)[1:]]
        words = (
            f"Probability that L(theta) exceeds a level, for {self.model} under {self.prior}: "
            f"{', '.join(at)}. {runs}"
        )
        if rate == 0:
            return words + "No exponential bounds it."
        if math.isinf(rate):
            return words + "It never exceeds its smallest value."
        bound = f"exp(-{rate:.4g} t)" if offset == 0 else f"exp(-{rate:.4g} (t - {offset:.4g}))"
        first = "" if self.rate() > 0 else " Without an offset no rate fits."
        return f"{words}It stays below {bound}.{first}"

    @property
    def _last(self) -> float:
        """Last number of the picture."""
        high = max(2 * self.smallest, 1.0)
        while self.survival(high) > 1e-4 and high < 1e3 * max(self.smallest, 1.0):
            high *= 1.25
        return float(f"{min(high, 1.1 * self.largest):.2g}")

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the survival function, and the exponential that bounds it.

        Raises
        ------
        ValueError
            A model without a survival function.
        """
        ax = ax or figures.axes()
        at = np.linspace(0, self._last, 401)
        found = self.survival(at)
        ax.plot(at, np.maximum(found, 1e-8), label="Pr(L > t)")
        rate, offset = self.best
        if 0 < rate < math.inf:
            bound = np.exp(-rate * np.maximum(at - offset, 0.0))
            name = f"exp(-{rate:.3g} t)" if offset == 0 else f"exp(-{rate:.3g} (t - {offset:.3g}))"
            ax.plot(at, bound, label=name)
        ax.set_yscale("log")
        ax.set_ylim(1e-5, 1.5)
        ax.minorticks_off()
        ax.set_xlabel("Lipschitz constant t")
        ax.set_ylabel("prior probability of a larger one")
        ax.legend()
        return ax


def _integral(function: Callable[[Floats], Floats], left: Floats, right: Floats) -> float:
    """Integral by Gauss and Legendre on panels that are halved until they agree with their halves."""
    nodes, weights = np.polynomial.legendre.leggauss(8)

    def parts(low: Floats, high: Floats) -> Floats:
        half = 0.5 * (high - low)
        at = 0.5 * (low + high)[:, None] + half[:, None] * nodes
        found: Floats = half * (function(at.ravel()).reshape(at.shape) @ weights)
        return found

    total, whole = 0.0, parts(left, right)
    for _ in range(40):
        middle = 0.5 * (left + right)
        first, second = parts(left, middle), parts(middle, right)
        done = np.abs(first + second - whole) <= 1e-11 * max(float(whole.sum()) + total, 1e-300)
        total += float((first + second)[done].sum())
        if done.all():
            break
        left, middle, right = left[~done], middle[~done], right[~done]
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
        whole = np.concatenate([first[~done], second[~done]])
    return total


def lipschitz_profile(model: Model, prior: Prior) -> LipschitzProfile:
    """Return how large the Lipschitz constant of a model is under a prior.

    Parameters
    ----------
    model : Model
    prior : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted

    Returns
    -------
    LipschitzProfile

    Raises
    ------
    ValueError
        No model, a prior that it does not take, or one whose every parameter has an infinite constant.

    Notes
    -----
    posterior_sampling:assumption-1, posterior_sampling:assumption-2; L(theta) is the
    least L for which theta is in the set of eq. 2.5.

    Examples
    --------
    >>> from dpbook.posterior_sampling import models
    >>> from dpbook.privacy.distributions import Beta
    >>> lipschitz_profile(models.Bernoulli(), Beta(1, 1))
    LipschitzProfile(Bernoulli(), Beta(1, 1): smallest=0, largest=inf, rate=0.5, assumptions: 2, 2 with an offset)
    """
    check_model(model)
    model.accept(prior)
    limits: tuple[float | None, float | None]
    if isinstance(prior, FiniteDistribution):
        values = model.lipschitz(prior.points[prior.masses > 0])
        smallest, largest = float(values.min()), float(values.max())
        limits = None, math.inf if math.isfinite(largest) else 0.0
    elif isinstance(prior, Restricted):
        smallest, largest = model.extremes(prior.distribution)
        largest = min(largest, prior.level)
        limits = model.limits(prior.distribution)[0], math.inf
    else:
        smallest, largest = model.extremes(prior)
        limits = model.limits(prior)
    if math.isinf(smallest):
        raise ValueError(
            f"L(theta) must be finite for a parameter of the prior, got inf for all, {model} under "
            f"{prior}: they allow records and forbid others at a finite distance, or at distance 0 "
            "differ; take other parameters, distances or another base measure"
        )
    return LipschitzProfile(model, prior, smallest, largest, limits)


def brute_force_lipschitz(model: Model, theta: ArrayLike, datasets: Sequence[ArrayLike]) -> Floats:
    """Lipschitz constants by comparing all pairs of some datasets.

    Parameters
    ----------
    model : Model
    theta : array
        Parameters, shape (m,) or (m, d).
    datasets : sequence of array
        Two or more, of one size. When they are all that there are the result is L(theta), else a
        lower bound.

    Returns
    -------
    array of float, shape (m,)

    Raises
    ------
    ValueError
        No model, fewer than two datasets, or records outside the support.

    Examples
    --------
    >>> from dpbook.posterior_sampling import models
    >>> brute_force_lipschitz(models.Bernoulli(), [0.5, 0.9], [[0], [1]]).round(4).tolist()
    [0.0, 2.1972]
    """
    read = check_datasets(model, datasets)
    points = np.asarray(theta, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.stack([model.log_likelihood(points, one) for one in read], axis=1)
    distance = np.zeros((len(read), len(read)))
    for i in range(len(read)):
        for j in range(i):
            distance[i, j] = distance[j, i] = model.distance(*model.pair(read[i], read[j]))
    found: Floats = kernels.largest_slopes(logs, distance)
    return found
