"""Draw from priors and posteriors, and measure the mass of intervals.

The distributions of `dpbook.privacy.distributions` serve with numbers for parameters; here stand those that they lack:
a distribution on finitely many points, several parameters together, and a prior restricted to the parameters
whose Lipschitz constant is small.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, singledispatch
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import (
    betainc,
    betaincinv,
    betaln,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    gammaln,
    ndtr,
    ndtri,
    xlog1py,
    xlogy,
)

from dpbook.posterior_sampling import kernels
from dpbook.posterior_sampling.models import truncated
from dpbook.privacy import distributions
from dpbook.privacy.distributions import Distribution

__all__ = ["FiniteDistribution", "Independent", "NormalGamma", "Prior", "Restricted", "draws"]

Floats = NDArray[np.float64]

MOST_TRIES = 1000  # of a rejection, for each draw that is asked for


@dataclass(frozen=True, eq=False, repr=False)
class FiniteDistribution:
    """A distribution on finitely many parameters: a prior for any model, and its posterior.

    Parameters
    ----------
    points : array of float
        The parameters, shape (m,), or (m, d) for parameters of d numbers.
    masses : array of float, optional
        Their probabilities, shape (m,); they sum to 1. Equal ones when not given.

    Raises
    ------
    ValueError
        Shapes that do not fit, points that are not finite, masses that are negative or do not sum
        to 1.

    Notes
    -----
    A posterior on a grid is exact for the prior on that grid: what is proved of all priors holds
    for it without an error of discretisation.

    Examples
    --------
    >>> FiniteDistribution([0.25, 0.75])
    FiniteDistribution(2 points)
    """

    points: Floats
    masses: Floats

    def __init__(self, points: ArrayLike, masses: ArrayLike | None = None) -> None:
        where = np.array(points, dtype=float)
        if where.ndim not in (1, 2) or not where.size:
            raise ValueError(f"points must have shape (m,) or (m, d), got {where.shape}")
        if not np.isfinite(where).all():
            raise ValueError("points must be finite, got nan or inf; leave them out")
        size = len(where)
        weights = np.full(size, 1 / size) if masses is None else np.array(masses, dtype=float)
        if weights.shape != (size,):
            raise ValueError(f"masses must be one for each of {size} points, got {weights.shape}")
        if not (weights >= 0).all():
            raise ValueError(f"masses must be >= 0, got {weights.min()}")
        total = weights.sum()
        if not abs(total - 1) <= 1e-9:
            raise ValueError(f"masses must sum to 1, got {total:.9g}; divide by their sum")
        with np.errstate(divide="ignore"):
            logs = np.log(weights / total)
        self._set(where, logs)

    def _set(self, points: Floats, log_masses: Floats) -> None:
        masses = np.exp(log_masses)
        for array in (points, masses, log_masses):
            array.setflags(write=False)
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "masses", masses)
        object.__setattr__(self, "log_masses", log_masses)

    log_masses: Floats  # also of numbers below the doubles

    @classmethod
    def of_logs(cls, points: Floats, log_weights: Floats, what: str) -> FiniteDistribution:
        """Make the distribution whose masses are proportional to exp(log_weights).

        Raises
        ------
        ValueError
            Weights that have no finite positive sum; the message starts with `what`.
        """
        top = log_weights.max()
        if not np.isfinite(top):
            found = "0" if top == -math.inf else "inf" if top == math.inf else "nan"
            raise ValueError(
                f"{what} must have a finite sum > 0 over the points, got {found}; "
                "give mass to parameters that allow the records"
            )
        total = top + math.log(np.exp(log_weights - top).sum())
        made = object.__new__(cls)
        made._set(points, log_weights - total)
        return made

    @classmethod
    def on_grid(cls, distribution: Distribution, points: ArrayLike) -> FiniteDistribution:
        """Put a distribution of one number on a grid, by the trapezoid rule.

        Parameters
        ----------
        distribution : Distribution
        points : array of float, shape (m,)
            Increasing, m >= 2.

        Raises
        ------
        ValueError
            Points that do not increase, or where the distribution has no mass.
        """
        at = np.array(points, dtype=float)
        if at.ndim != 1 or at.size < 2 or not (np.diff(at) > 0).all():
            raise ValueError("points must be two or more, in a row, and increase")
        steps = np.diff(at)
        weights = np.concatenate([steps[:1], steps[:-1] + steps[1:], steps[-1:]]) / 2
        return cls.of_logs(
            at, log_density(distribution, at) + np.log(weights), f"the density of {distribution}"
        )

    @cached_property
    def cuts(self) -> tuple[Floats, NDArray[np.int64]]:
        """Cumulative masses, and the cut points by which draws find their place in them."""
        sums = np.cumsum(self.masses)
        sums[np.flatnonzero(self.masses)[-1] :] = 1.0
        return sums, kernels.cut_points(sums, 1 << (16 * sums.size - 1).bit_length())

    def __repr__(self) -> str:
        dimension = "" if self.points.ndim == 1 else f" of {self.points.shape[1]} numbers"
        return f"FiniteDistribution({len(self.points)} points{dimension})"

    __str__ = __repr__


@dataclass(frozen=True)
class NormalGamma:
    """Joint distribution of a mean and a precision: the mean given the precision is normal.

    Parameters
    ----------
    mean : float
    count : float
        How many records the prior's mean is worth, > 0: its precision is count * precision.
    shape, rate : float
        Of the gamma distribution of the precision, > 0.

    Notes
    -----
    Its draws have shape (size, 2): means, then precisions.
    """

    mean: float
    count: float
    shape: float
    rate: float

    def __post_init__(self) -> None:
        for name, rule in (("mean", ""), ("count", "> 0"), ("shape", "> 0"), ("rate", "> 0")):
            value = float(getattr(self, name))
            if not math.isfinite(value) or (rule and value <= 0):
                raise ValueError(f"{name} must be {rule or 'finite'}, got {value}")
            object.__setattr__(self, name, value)

    def __str__(self) -> str:
        inside = ", ".join(f"{v:g}" for v in (self.mean, self.count, self.shape, self.rate))
        return f"NormalGamma({inside})"


@dataclass(frozen=True)
class Independent:
    """Several independent distributions together; a draw has their numbers side by side.

    Parameters
    ----------
    distributions : sequence of Distribution
    """

    distributions: tuple[Distribution, ...]

    def __init__(self, distributions: Any) -> None:
        object.__setattr__(self, "distributions", tuple(distributions))
        for distribution in self.distributions:
            if not isinstance(distribution, Distribution):
                raise ValueError(
                    f"distributions must be of dpbook.privacy.distributions, got {distribution!r}"
                )
        if not self.distributions:
            raise ValueError("distributions must hold at least one distribution, got none")

    def __str__(self) -> str:
        shown = [str(distribution) for distribution in self.distributions]
        more = f", ... ({len(shown)} distributions)" if len(shown) > 3 else ""
        return f"Independent({', '.join(shown[:3])}{more})"


class Lipschitz(Protocol):
    """A model, as a restricted prior asks it: see `Model` for the three methods."""

    def lipschitz(self, theta: Floats) -> Floats: ...
    def within(self, level: float) -> tuple[float, float] | None: ...
    def ranges(self, level: float) -> list[float] | None: ...


@dataclass(frozen=True)
class Restricted:
    """A distribution given that the Lipschitz constant of the parameter is at most a level.

    Made by `Model.restrict`. As a prior it satisfies assumption 1 with that level, so a draw from
    its posterior is purely private. Draws of one number, and of chances that need only be within a
    factor of each other, are made for every posterior, however little of its mass is allowed.

    Attributes
    ----------
    distribution : Distribution, NormalGamma or Independent
        Before the condition.
    model : Model
        Whose Lipschitz constant it is.
    level : float
    """

    distribution: Any
    model: Lipschitz
    level: float

    @property
    def interval(self) -> tuple[float, float] | None:
        """Interval of the parameter; None when it is more than one number."""
        return self.model.within(self.level) if on_line(self.distribution) else None

    @property
    def ranges(self) -> list[float] | None:
        """Largest log ratio of the chances of each Dirichlet distribution; None for other restrictions."""
        return self.model.ranges(self.level) if _chances(self.distribution) else None

    def __str__(self) -> str:
        return f"{self.distribution} given L <= {self.level:g}"


Prior = Distribution | FiniteDistribution | NormalGamma | Independent | Restricted


def _chances(distribution: Any) -> list[Distribution] | None:
    """The Dirichlet distributions of which a distribution consists; None for other distributions."""
    several = (
        list(distribution.distributions)
        if isinstance(distribution, Independent)
        else [distribution]
    )
    return several if all(isinstance(one, distributions.Dirichlet) for one in several) else None


def on_line(distribution: Any) -> bool:
    """Say whether a distribution lies on one number, with its mass known in closed form."""
    return isinstance(
        distribution,
        (distributions.Gamma, distributions.Exponential, distributions.Beta, distributions.Normal),
    )


def tidy(value: float) -> float | int:
    """A whole number as an integer, so that distributions show it without a point."""
    return int(value) if float(value).is_integer() else float(value)


# --- closed forms of the distributions of one number ----------------------------------------------------------


def gamma_parts(distribution: Distribution) -> tuple[float, float]:
    """Shape and rate of a gamma or exponential distribution."""
    return (
        float(distribution.shape) if isinstance(distribution, distributions.Gamma) else 1.0
    ), float(distribution.rate)


def beta_parts(distribution: Distribution) -> tuple[float, float]:
    """Both parameters of a beta distribution."""
    return float(distribution.a), float(distribution.b)


def tails(distribution: Distribution, below: ArrayLike, above: ArrayLike) -> tuple[Floats, Floats]:
    """Masses below a place and above another one, each to full precision."""
    low, high = np.asarray(below, dtype=float), np.asarray(above, dtype=float)
    if isinstance(distribution, (distributions.Gamma, distributions.Exponential)):
        shape, rate = gamma_parts(distribution)
        low, high = np.maximum(low, 0.0), np.maximum(high, 0.0)
        return gammainc(shape, rate * low), gammaincc(shape, rate * high)
    if isinstance(distribution, distributions.Beta):
        a, b = beta_parts(distribution)
        low, high = np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
        return betainc(a, b, low), betainc(b, a, 1 - high)
    if isinstance(distribution, distributions.Normal):
        mean, sd = float(distribution.mean), float(distribution.sd)
        return ndtr((low - mean) / sd), ndtr((mean - high) / sd)
    raise ValueError(
        f"the mass of an interval under {distribution} is not available; use a FiniteDistribution"
    )


def mass(distribution: Distribution, low: float, high: float) -> float:
    """Mass of an interval, from the tail on the side where less is lost."""
    below, above = (float(tail) for tail in tails(distribution, low, high))
    if max(below, above) < 0.5:
        return 1 - below - above
    left, right = (
        float(tail) for tail in tails(distribution, high, low)
    )  # up to high, and from low on
    return max(right - above if below >= 0.5 else left - below, 0.0)


def log_gamma_density(shape: ArrayLike, logs: ArrayLike) -> Floats:
    """Log density of log(X / shape), with X a gamma variable of rate 1; no large terms cancel."""
    a, at = np.asarray(shape, dtype=float), np.asarray(logs, dtype=float)
    small = np.clip(at, -0.5, 0.5)
    series: Any = 0.0
    for k in range(16, 1, -1):  # exp(s) - 1 - s
        series = (series + 1) * small / k
    bent = np.where(np.abs(at) < 0.5, series * small, np.expm1(np.minimum(at, 700.0)) - at)
    large = np.maximum(a, 20.0)
    rest = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * large**2)) / large**2) / large**2) / large
    start = np.where(a >= 20, 0.5 * np.log(large / math.tau) - rest, a * np.log(a) - a - gammaln(a))
    return start - a * bent


@singledispatch
def log_density(distribution: Any, at: Floats) -> Floats:
    """Logarithm of the density at points; of several numbers, which stand on the last axis."""
    raise ValueError(f"the density of {distribution} is not available; use a FiniteDistribution")


@log_density.register(distributions.Gamma)
@log_density.register(distributions.Exponential)
def _(distribution: Distribution, at: Floats) -> Floats:
    shape, rate = gamma_parts(distribution)
    with np.errstate(divide="ignore"):
        inside = shape * math.log(rate) - gammaln(shape) + xlogy(shape - 1, at) - rate * at
    return np.where(at >= 0, inside, -np.inf)


@log_density.register
def _(distribution: distributions.Beta, at: Floats) -> Floats:
    a, b = beta_parts(distribution)
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = xlogy(a - 1, at) + xlog1py(b - 1, -at) - betaln(a, b)
    return np.where((at >= 0) & (at <= 1), inside, -np.inf)


@log_density.register
def _(distribution: distributions.Normal, at: Floats) -> Floats:
    mean, sd = float(distribution.mean), float(distribution.sd)
    return -0.5 * ((at - mean) / sd) ** 2 - math.log(sd * math.sqrt(math.tau))


@log_density.register
def _(distribution: distributions.Dirichlet, at: Floats) -> Floats:
    concentration = np.array([float(g) for g in distribution.concentration])
    inside = xlogy(concentration - 1, at).sum(axis=-1)
    return inside + gammaln(concentration.sum()) - gammaln(concentration).sum()


@log_density.register
def _(distribution: NormalGamma, at: Floats) -> Floats:
    mean, precision = at[..., 0], at[..., 1]
    count = distribution.count * precision
    given = 0.5 * (np.log(count / math.tau) - count * (mean - distribution.mean) ** 2)
    return given + log_density(
        distributions.Gamma(distribution.shape, distribution.rate), precision
    )


@log_density.register
def _(distribution: Independent, at: Floats) -> Floats:
    columns = np.split(
        at, np.cumsum([_width(one) for one in distribution.distributions])[:-1], axis=-1
    )
    parts = zip(distribution.distributions, columns, strict=True)
    return sum(
        (log_density(one, column if _width(one) > 1 else column[..., 0]) for one, column in parts),
        np.zeros(at.shape[:-1]),
    )


def _width(distribution: Distribution) -> int:
    """Return the number of numbers in a draw."""
    return (
        len(distribution.concentration) if isinstance(distribution, distributions.Dirichlet) else 1
    )


def quantiles(distribution: Distribution, low: float, high: float, at: Floats) -> Floats:
    """Quantiles of a distribution restricted to an interval."""
    below, above = (float(tail) for tail in tails(distribution, low, high))
    inside = mass(distribution, low, high)
    down = below < above  # invert the lower tail: more digits are there
    tail = below + inside * at if down else above + inside * (1 - at)
    if isinstance(distribution, (distributions.Gamma, distributions.Exponential)):
        shape, rate = gamma_parts(distribution)
        found = (gammaincinv if down else gammainccinv)(shape, tail) / rate
    elif isinstance(distribution, distributions.Beta):
        a, b = beta_parts(distribution)
        found = betaincinv(a, b, tail) if down else 1 - betaincinv(b, a, tail)
    else:
        mean, sd = float(distribution.mean), float(distribution.sd)
        found = mean + sd * (ndtri(tail) if down else -ndtri(tail))
    return np.clip(found, low, high)


# --- draws ----------------------------------------------------------------------------------------


@singledispatch
def draws(distribution: Any, size: int, rng: np.random.Generator) -> Floats:
    """Independent draws from a prior or posterior.

    Parameters
    ----------
    distribution : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
        For a distribution of your own register a function: ``@draws.register``.
    size : int
    rng : numpy.random.Generator

    Returns
    -------
    array of float
        Shape (size,), or (size, d) when the parameter has d numbers.

    Raises
    ------
    ValueError
        A distribution of a kind that is not registered; a restriction of several numbers that the distribution hardly
        ever meets, where there is only trial and error (`PosteriorSampler` takes no such prior).
    """
    raise ValueError(
        f"draws from {distribution!r} are not available; register them with @draws.register"
    )


@draws.register(distributions.Gamma)
@draws.register(distributions.Exponential)
def _(distribution: Distribution, size: int, rng: np.random.Generator) -> Floats:
    shape, rate = gamma_parts(distribution)
    return rng.gamma(shape, 1 / rate, size)


@draws.register
def _(distribution: distributions.Beta, size: int, rng: np.random.Generator) -> Floats:
    return rng.beta(*beta_parts(distribution), size)


@draws.register
def _(distribution: distributions.Normal, size: int, rng: np.random.Generator) -> Floats:
    return rng.normal(float(distribution.mean), float(distribution.sd), size)


@draws.register
def _(distribution: distributions.Laplace, size: int, rng: np.random.Generator) -> Floats:
    return rng.laplace(float(distribution.mean), float(distribution.scale), size)


@draws.register
def _(distribution: distributions.Dirichlet, size: int, rng: np.random.Generator) -> Floats:
    return rng.dirichlet([float(g) for g in distribution.concentration], size)


@draws.register
def _(distribution: FiniteDistribution, size: int, rng: np.random.Generator) -> Floats:
    if distribution.points.ndim == 1:
        return kernels.drawn_points(distribution.points, *distribution.cuts, rng, size)
    return distribution.points[
        kernels.drawn_points(np.arange(len(distribution.points)), *distribution.cuts, rng, size)
    ]


@draws.register
def _(distribution: NormalGamma, size: int, rng: np.random.Generator) -> Floats:
    precision = rng.standard_gamma(distribution.shape, size) / distribution.rate
    mean = distribution.mean + rng.standard_normal(size) / np.sqrt(distribution.count * precision)
    return np.column_stack([mean, precision])


@draws.register
def _(distribution: Independent, size: int, rng: np.random.Generator) -> Floats:
    return np.column_stack([draws(one, size, rng) for one in distribution.distributions])


@draws.register
def _(distribution: Restricted, size: int, rng: np.random.Generator) -> Floats:
    interval, ranges, chances = (
        distribution.interval,
        distribution.ranges,
        _chances(distribution.distribution),
    )
    if interval is not None:
        # a distribution with so much mass there gives good draws mostly; else use a draw that never looks for long
        if mass(distribution.distribution, *interval) >= 0.1:
            return _kept(distribution, size, rng)
        return _truncated(distribution.distribution, interval, size, rng)
    if ranges is not None and chances is not None:
        parts = [
            truncated.dirichlet_draws(
                np.array([float(g) for g in one.concentration]), most, size, rng
            )
            for one, most in zip(chances, ranges, strict=True)
        ]
        return np.column_stack(parts)
    return _kept(distribution, size, rng, MOST_TRIES)


def _truncated(
    distribution: Distribution, interval: tuple[float, float], size: int, rng: np.random.Generator
) -> Floats:
    """Draws from a distribution of one number given an interval."""
    if isinstance(distribution, distributions.Beta):
        return truncated.beta_draws(*beta_parts(distribution), *interval, size, rng)
    if isinstance(distribution, distributions.Normal):
        return truncated.normal_draws(
            float(distribution.mean), float(distribution.sd), *interval, size, rng
        )
    return truncated.gamma_draws(*gamma_parts(distribution), *interval, size, rng)


def _kept(
    distribution: Restricted, size: int, rng: np.random.Generator, tries: float = math.inf
) -> Floats:
    """Draws that meet a restriction; at most so many tries for each."""
    found: list[Floats] = []
    missing, tried = size, 0
    while missing > 0:
        batch = min(max(2 * missing, 1024), 1 << 20)
        one = draws(distribution.distribution, batch, rng)
        kept = one[distribution.model.lipschitz(one) <= distribution.level][:missing]
        found.append(kept)
        missing -= len(kept)
        tried += batch
        if missing > 0 and tried > max(tries * (size - missing), 1 << 20):
            raise ValueError(
                f"{distribution} must be met by 1 of {MOST_TRIES} draws, got {size - missing} of {tried}; "
                "raise the level, or take a prior that has more mass there"
            )
    return np.concatenate(found)
