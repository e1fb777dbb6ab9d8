"""Divergences of one posterior over another, for posteriors of every kind, and for several draws.

Distributions that `dpbook.privacy.profiles.profile` knows go there. Here stand those on finitely many
points, restricted ones, several parameters together, and several draws. Each object has the methods
of a profile: `kl`, `total_variation`, `max_log_ratio`, `delta`, `epsilon` and `renyi`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar
from scipy.special import loggamma

from dpbook.posterior_sampling.models.priors import (
    FiniteDistribution,
    Independent,
    NormalGamma,
    Restricted,
    beta_parts,
    gamma_parts,
    log_density,
    mass,
    on_line,
    quantiles,
)
from dpbook.privacy import distributions, kernels
from dpbook.privacy.distributions import Distribution
from dpbook.privacy.profiles import profile

__all__ = ["Divergences", "Truncated", "divergences", "largest_log_density"]

Floats = NDArray[np.float64]
INFINITY = math.inf
MOST_NODES = 1 << 20
FAR = 50  # a copy that weighs exp(-50) is not seen


class Divergences(Protocol):
    """Measure how far one distribution lies from another; a `Profile` is such a measure."""

    @property
    def kl(self) -> float: ...
    @property
    def total_variation(self) -> float: ...
    @property
    def max_log_ratio(self) -> float: ...
    def delta(self, epsilon: Any) -> Any: ...
    def epsilon(self, delta: Any) -> Any: ...
    def renyi(self, order: Any) -> Any: ...


def divergences(P: Any, Q: Any, draws: int = 1) -> Divergences:
    """Return the divergences of one posterior over another, of so many draws from each.

    Parameters
    ----------
    P, Q : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
        Posteriors under one prior.
    draws : int

    Raises
    ------
    ValueError
        Posteriors of different kinds; several draws of finite or restricted distributions.
    """
    if type(P) is not type(Q) and not (isinstance(P, Distribution) and isinstance(Q, Distribution)):
        raise ValueError(f"P and Q must be posteriors under one prior, got {P} and {Q}")
    if isinstance(P, (FiniteDistribution, Restricted)):
        if draws > 1:
            raise ValueError(
                f"draws must be 1 for {P}: the exact distribution of several is not available; see "
                "delta_bound for what any of them can tell"
            )
        return _Finite(P, Q) if isinstance(P, FiniteDistribution) else _restricted(P, Q)
    if draws == 1 and isinstance(P, Distribution):
        found = profile(P, Q)
        if not isinstance(P, distributions.Dirichlet) or _few_cells(P, Q):
            return found
    return _Moments(_family(P, Q), draws)


def largest_log_density(posterior: Any, prior: Any) -> float:
    """Logarithm of the largest density of a posterior with respect to its prior; may be infinite.

    That is the largest likelihood over the evidence.
    """
    if not isinstance(posterior, NormalGamma):
        return divergences(posterior, prior).max_log_ratio
    records = posterior.count - prior.count  # the likelihood is largest at their mean and spread
    sums = posterior.count * posterior.mean - prior.count * prior.mean
    squares = (
        2 * (posterior.rate - prior.rate)
        + (posterior.count * posterior.mean**2 - prior.count * prior.mean**2)
        - sums**2 / records
    )
    if squares <= 1e-12 * abs(posterior.rate):
        return INFINITY
    most = 0.5 * records * (math.log(records / squares) - 1)
    weights = [
        float(loggamma(distribution.shape))
        - distribution.shape * math.log(distribution.rate)
        - 0.5 * math.log(distribution.count)
        for distribution in (posterior, prior)
    ]
    return most - weights[0] + weights[1]


def _few_cells(P: Any, Q: Any) -> bool:
    """Say whether two Dirichlet distributions have tests in closed form, as two beta distributions do."""
    pairs = [(float(g), float(h)) for g, h in zip(P.concentration, Q.concentration, strict=True)]
    moved = [(g, h) for g, h in pairs if g != h]
    sums = [math.fsum(side) for side in zip(*moved, strict=True)]
    return len(pairs) == 2 or len(moved) < 2 or (len(moved) == 2 and sums[0] == sums[1])


class _Base(ABC):
    """Return the bounds that follow from the hockey-stick divergence and the log ratio alone."""

    max_log_ratio: float

    @abstractmethod
    def _delta(self, epsilon: float) -> float:
        """Hockey-stick divergence at a level."""

    @abstractmethod
    def _renyi(self, order: float) -> float:
        """Renyi divergence of an order, also 1 and infinity."""

    def delta(self, epsilon: Any) -> Any:
        return _each(lambda e: 0.0 if e >= self.max_log_ratio else self._delta(e), epsilon)

    def renyi(self, order: Any) -> Any:
        return _each(lambda nu: self.max_log_ratio if nu == INFINITY else self._renyi(nu), order)

    @cached_property
    def kl(self) -> float:
        return self._renyi(1.0)

    @cached_property
    def total_variation(self) -> float:
        return float(self.delta(0.0))

    def epsilon(self, delta: Any) -> Any:
        return _each(self._epsilon, delta)

    def _epsilon(self, delta: float) -> float:
        if self.delta(0.0) <= delta:
            return 0.0
        high = self.max_log_ratio
        if math.isinf(high):
            high = 1.0
            while self.delta(high) > delta:
                high *= 2
        return float(brentq(lambda e: self.delta(e) - delta, 0.0, high, xtol=1e-12, rtol=1e-13))


def _each(function: Callable[[float], float], values: Any) -> Any:
    given = np.asarray(values, dtype=float)
    found = np.array([function(float(one)) for one in given.ravel()]).reshape(given.shape)
    return found if given.ndim else float(found)


# --- finitely many parameters --------------------------------------------------------------------------


class _Finite(_Base):
    def __init__(self, P: FiniteDistribution, Q: FiniteDistribution) -> None:
        if P.points.shape != Q.points.shape or not (P.points == Q.points).all():
            raise ValueError("P and Q must be on the same points, as posteriors of one prior are")
        self.log_p, self.log_q = np.array(P.log_masses), np.array(Q.log_masses)
        self.p = np.array(P.masses)
        self.q = np.array(Q.masses)
        both = np.isfinite(self.log_p) & np.isfinite(self.log_q)
        self.ratio = np.zeros(self.p.size)
        self.ratio[both] = self.log_p[both] - self.log_q[both]
        self.ratio[np.isfinite(self.log_p) & ~both] = INFINITY
        self.ratio[np.isfinite(self.log_q) & ~both] = -INFINITY
        self.max_log_ratio = self._renyi(INFINITY)

    def _delta(self, epsilon: float) -> float:
        return float(kernels.finite_delta(self.p, self.q, self.ratio, epsilon))

    def _renyi(self, order: float) -> float:
        return float(kernels.finite_renyi(self.log_p, self.log_q, self.ratio, order))


# --- restricted distributions of one number ---------------------------------------------------------------------


def _restricted(P: Restricted, Q: Restricted) -> Divergences:
    interval = P.interval
    if interval is None:
        raise ValueError(
            "the divergences of restricted distributions of several numbers are not available; "
            f"delta_bound(level * distance, ...) bounds them, got {P}"
        )
    return Truncated(P.distribution, Q.distribution, interval)


class Truncated(_Base):
    """Two distributions of an exponential family of one number, both given an interval."""

    def __init__(self, P: Distribution, Q: Distribution, interval: tuple[float, float]) -> None:
        self.P, self.Q, self.interval = P, Q, interval
        self.masses = tuple(mass(distribution, *interval) for distribution in (P, Q))
        for distribution, share in zip((P, Q), self.masses, strict=True):
            if not share > 0:
                raise ValueError(
                    f"{distribution} must have mass > 0 from {interval[0]:.6g} to {interval[1]:.6g}, got 0 in "
                    "doubles: the records lie too far from the restriction; raise the level"
                )
        self.powers, self.turn = _tilt(P, Q)
        middle = quantiles(P, *interval, np.array(0.5))
        level = float(log_density(P, middle) - log_density(Q, middle))
        level += math.log(self.masses[1] / self.masses[0])
        self.constant = level - float(self._statistic(middle))
        low, high = interval
        inside = [self.turn] if self.turn is not None and low < self.turn < high else []
        self.ends = [low, *inside, high]
        self.max_log_ratio = max(float(self.log_ratio(np.array(self.ends)).max()), 0.0)

    def _statistic(self, at: Floats) -> Floats:
        """Log ratio of the densities, up to a constant."""
        first, second = self.powers
        if isinstance(self.P, (distributions.Gamma, distributions.Exponential)):
            return (first * _log(at) if first else 0.0) - second * at
        if isinstance(self.P, distributions.Beta):
            below = first * _log(at) if first else np.zeros(at.shape)
            return below + (second * _log(1 - at) if second else 0.0)
        return first * at + second * at * at

    def log_ratio(self, at: Floats) -> Floats:
        """Log ratio of the restricted densities."""
        return self.constant + self._statistic(at)

    def _delta(self, epsilon: float) -> float:
        found = 0.0
        for low, high in zip(self.ends[:-1], self.ends[1:], strict=True):
            at = [float(self.log_ratio(np.array(x))) - epsilon for x in (low, high)]
            if max(at) <= 0:
                continue
            if min(at) < 0:
                root = float(
                    brentq(
                        lambda x: float(self.log_ratio(np.array(x))) - epsilon,
                        *(low, high),
                        xtol=1e-300,
                        rtol=1e-15,
                    )
                )
                low, high = (root, high) if at[1] > 0 else (low, root)
            p, q = (
                mass(distribution, low, high) / whole
                for distribution, whole in zip((self.P, self.Q), self.masses, strict=True)
            )
            found += p - (math.exp(epsilon + math.log(q)) if q > 0 else 0.0)
        return min(max(found, 0.0), 1.0)

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats]:
        """Log ratios at nodes of P, and their weights: panels that halve towards both ends."""
        steps = 0.5 ** np.arange(48, 0, -1)
        edges = np.concatenate([[0.0], steps, 1 - steps[-2::-1], [1.0]])
        nodes, weights = np.polynomial.legendre.leggauss(12)
        half = 0.5 * np.diff(edges)
        at = (0.5 * (edges[:-1] + edges[1:])[:, None] + half[:, None] * nodes).ravel()
        return self.log_ratio(quantiles(self.P, *self.interval, at)), (
            half[:, None] * weights
        ).ravel()

    def _renyi(self, order: float) -> float:
        ratio, weight = self._nodes
        if order == 1:
            return max(float(np.sum(weight * ratio)), 0.0)
        power = order - 1
        top = max(float((power * ratio).max()), 0.0)
        if top < 1:
            return max(math.log1p(float(np.sum(weight * np.expm1(power * ratio)))) / power, 0.0)
        return max(
            (top + math.log(float(np.sum(weight * np.exp(power * ratio - top))))) / power, 0.0
        )


def _log(at: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(at)


def _tilt(P: Distribution, Q: Distribution) -> tuple[tuple[float, float], float | None]:
    """Weights of the two statistics in the log ratio, and where its derivative is zero."""
    if isinstance(P, (distributions.Gamma, distributions.Exponential)):
        (a, b), (c, d) = gamma_parts(P), gamma_parts(Q)
        first, second = a - c, b - d
        return (first, second), (first / second if first and second else None)
    if isinstance(P, distributions.Beta):
        (a, b), (c, d) = beta_parts(P), beta_parts(Q)
        first, second = a - c, b - d
        return (first, second), (first / (first + second) if first * second > 0 else None)
    (m, s), (n, t) = ((float(distribution.mean), float(distribution.sd)) for distribution in (P, Q))
    first, second = m / s**2 - n / t**2, 0.5 * (t**-2 - s**-2)
    return (first, second), (-first / (2 * second) if second else None)


# --- exponential families by the moments of the loss -----------------------------------------------------


class _Family(ABC):
    """Two distributions by the logarithm of the mean of (p / q)**z under p, for complex z."""

    upper: float  # real z < upper are where it is finite
    max_log_ratio: float

    @abstractmethod
    def log_moment(self, z: Any) -> Any:
        """The logarithm, 0 at z = 0."""

    @abstractmethod
    def renyi(self, order: float) -> float:
        """Renyi divergence, to full precision also near 1."""


class _Normals(_Family):
    """Posteriors of one size: the standard deviations are equal."""

    upper = INFINITY

    def __init__(self, P: Distribution, Q: Distribution) -> None:
        if P.sd != Q.sd:
            raise ValueError(f"P and Q must have one standard deviation, got {P} and {Q}")
        self.parts = float(P.mean), float(P.sd), float(Q.mean), float(Q.sd)
        self.max_log_ratio = float(kernels.normal_max_log_ratio(*self.parts))

    def log_moment(self, z: Any) -> Any:
        mean, sd, other, _ = self.parts
        return 0.5 * z * (1 + z) * ((mean - other) / sd) ** 2

    def renyi(self, order: float) -> float:
        return float(kernels.normal_renyi(*self.parts, order))


class _Gammas(_Family):
    def __init__(self, P: Distribution, Q: Distribution) -> None:
        (a, b), (c, d) = gamma_parts(P), gamma_parts(Q)
        self.parts = a, b, c, d
        self.upper = min(a / (c - a) if c > a else INFINITY, b / (d - b) if d > b else INFINITY)
        self.max_log_ratio = float(kernels.gamma_max_log_ratio(a, b, c, d))

    def log_moment(self, z: Any) -> Any:
        a, b, c, d = self.parts
        shape, rate = a + z * (a - c), b + z * (b - d)
        first, second = (loggamma(x) - x * math.log(y) for x, y in ((a, b), (c, d)))
        grown = loggamma(shape) if a != c else loggamma(a)
        return grown - shape * np.log(rate) - (1 + z) * first + z * second

    def renyi(self, order: float) -> float:
        return float(kernels.gamma_renyi(*self.parts, order))


class _Dirichlets(_Family):
    def __init__(self, P: Sequence[float], Q: Sequence[float]) -> None:
        self.first, self.second = [float(g) for g in P], [float(h) for h in Q]
        pairs = zip(self.first, self.second, strict=True)
        self.upper = min((g / (h - g) for g, h in pairs if h > g), default=INFINITY)
        self.max_log_ratio = float(kernels.dirichlet_max_log_ratio(self.first, self.second))

    def log_moment(self, z: Any) -> Any:
        total: Any = 0.0
        for g, h in zip(self.first, self.second, strict=True):
            if g != h:
                total = total + loggamma(g + z * (g - h)) - (1 + z) * loggamma(g) + z * loggamma(h)
        g, h = math.fsum(self.first), math.fsum(self.second)
        if g != h:
            total = total - loggamma(g + z * (g - h)) + (1 + z) * loggamma(g) - z * loggamma(h)
        return total

    def renyi(self, order: float) -> float:
        return float(kernels.dirichlet_renyi(self.first, self.second, order))


class _NormalGammas(_Family):
    """Posteriors of one size: the counts and the shapes are equal."""

    def __init__(self, P: NormalGamma, Q: NormalGamma) -> None:
        if (P.count, P.shape) != (Q.count, Q.shape):
            raise ValueError(f"P and Q must have one count and shape, got {P} and {Q}")
        self.shape, self.rates = P.shape, (P.rate, Q.rate)
        self.square = 0.5 * P.count * (P.mean - Q.mean) ** 2
        b, d, k = P.rate, Q.rate, self.square
        # the least z > 0 with b + z (b - d) - z (1 + z) k = 0
        slope = b - d - k
        root = (slope + math.sqrt(slope * slope + 4 * k * b)) / (2 * k) if k else INFINITY
        self.upper = root if k else (b / (d - b) if d > b else INFINITY)
        alike = float(kernels.gamma_max_log_ratio(P.shape, b, P.shape, d))
        self.max_log_ratio = INFINITY if k else alike

    def log_moment(self, z: Any) -> Any:
        b, d = self.rates
        rate = b + z * (b - d) - z * (1 + z) * self.square
        return self.shape * ((1 + z) * math.log(b) - z * math.log(d) - np.log(rate))

    def renyi(self, order: float) -> float:
        b, d = self.rates
        found = float(kernels.gamma_renyi(self.shape, b, self.shape, d, order))
        if not self.square or math.isinf(found):
            return found
        if order == 1:
            return found + self.shape * self.square / b
        share = order * (order - 1) * self.square / (order * b + (1 - order) * d)
        return found - self.shape * math.log1p(-share) / (order - 1) if share < 1 else INFINITY


class _Product(_Family):
    def __init__(self, parts: Sequence[_Family]) -> None:
        self.parts = parts
        self.upper = min((one.upper for one in parts), default=INFINITY)
        self.max_log_ratio = math.fsum(one.max_log_ratio for one in parts)

    def log_moment(self, z: Any) -> Any:
        return sum((one.log_moment(z) for one in self.parts), 0.0 * z)

    def renyi(self, order: float) -> float:
        return math.fsum(one.renyi(order) for one in self.parts)


def _family(P: Any, Q: Any) -> _Family:
    if isinstance(P, NormalGamma):
        return _NormalGammas(P, Q)
    if isinstance(P, Independent):
        return _Product(
            [
                _family(one, two)
                for one, two in zip(P.distributions, Q.distributions, strict=True)
                if one != two
            ]
        )
    if isinstance(P, distributions.Normal):
        return _Normals(P, Q)
    if isinstance(P, distributions.Beta):
        return _Dirichlets(beta_parts(P), beta_parts(Q))
    if isinstance(P, distributions.Dirichlet):
        return _Dirichlets(P.concentration, Q.concentration)
    if on_line(P):
        return _Gammas(P, Q)
    raise ValueError(f"the divergences of several draws from {P} are not available")


class _Moments(_Base):
    """Draws from distributions that are known by their moments: delta by an integral in the complex plane.

    delta(epsilon) is 1 / (2 pi i) times the integral of M(z) exp(-z epsilon) / (z (z + 1)) along a
    line of real part c > 0, with M the mean of (p / q)**z under p. Taken at the saddle the integrand
    does not oscillate at its largest. The trapezoid rule with step 2 pi / E adds the deltas at
    epsilon + j E, times exp(j c E), summed over whole j != 0. By Chernoff's bound with an exponent
    c + x, any x of the sign of j, each is at most exp(C(c + x) - j E x), where C is `_chernoff`.
    E is so large that for a good x this is exp(-FAR) of what is looked for; then it falls with j.
    """

    def __init__(self, family: _Family, draws: int) -> None:
        self.family, self.draws = family, draws
        self.max_log_ratio = draws * family.max_log_ratio

    def _renyi(self, order: float) -> float:
        return self.draws * self.family.renyi(order)

    def _log_integrand(self, z: Any, epsilon: float) -> Any:
        moment = self.draws * self.family.log_moment(z)
        return moment - z * epsilon - np.log(z) - np.log1p(z)

    def _delta(self, epsilon: float) -> float:
        upper = self.family.upper

        def height(x: float) -> float:  # log of c; from 0 to the upper end
            c = upper / (1 + math.exp(-x)) if math.isfinite(upper) else math.exp(x)
            found = float(np.real(self._log_integrand(complex(c), epsilon)))
            return found if math.isfinite(found) else 1e300

        x = float(minimize_scalar(height, bounds=(-30, 30), method="bounded").x)
        c = upper / (1 + math.exp(-x)) if math.isfinite(upper) else math.exp(x)
        top = height(x)
        step = 2 * math.pi / self._period(c, epsilon)
        total, done, size = 0.0, 0, 256
        while done < MOST_NODES:
            y = step * np.arange(done, done + size)
            with np.errstate(over="ignore", under="ignore"):
                values = np.exp(self._log_integrand(c + 1j * y, epsilon) - top)
            part = np.real(values)
            total += float(part.sum()) - (0.5 * float(part[0]) if done == 0 else 0.0)
            done += size
            if abs(values[-1]) * done < 1e-12 * max(total, 1e-3):
                break
            size = done
        return min(max(step / math.pi * total * math.exp(top), 0.0), 1.0)

    def _chernoff(self, z: float, epsilon: float) -> float:
        """Logarithm of a bound on delta(epsilon): the largest (1 - exp(-x)) exp(-z x), times M."""
        moment = float(np.real(self.draws * self.family.log_moment(complex(z))))
        if not math.isfinite(moment):
            return 1e300
        return moment - z * epsilon + z * math.log(z) - (1 + z) * math.log1p(z)

    def _period(self, c: float, epsilon: float) -> float:
        """Distance in epsilon of the copies that the trapezoid rule adds."""
        level = self._chernoff(c, epsilon) - FAR

        def needed(share: float, side: float) -> float:
            room = self.family.upper - c if side > 0 else c
            x = room * share if math.isfinite(room) else c * share / (1 - share)
            return (self._chernoff(c + side * x, epsilon) - level) / x

        found = [
            minimize_scalar(
                lambda logit, side=side: needed(1 / (1 + math.exp(-logit)), side),
                bounds=(-30, 30),
                method="bounded",
            ).fun
            for side in (-1.0, 1.0)
        ]
        return float(max(found))
