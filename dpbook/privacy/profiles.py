"""The divergences of two distributions in one object: `profile(P, Q)`.

Closed forms where the pair has them (`dpbook.privacy.kernels`). Where the logarithm of the density
ratio exceeds a level is found as a union of intervals; their masses are taken in balls (Arb) at
rising precision, so that delta keeps its digits far out in the tails: an end that is off by a
rounding changes delta to the second order only. Parameters are read as doubles.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from flint import arb, ctx
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, gammainc, gammaincc, ndtr

from dpbook.privacy import kernels, reading
from dpbook.privacy.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Dirichlet,
    Distribution,
    Exponential,
    Finite,
    Gamma,
    Laplace,
    Mixture,
    Normal,
    briefly,
)
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Grid", "Profile", "profile"]

Floats = NDArray[np.float64]
Interval = tuple[float, float]

INFINITY = math.inf
MOST_TRIALS = 100_000
EDGE = 39.0  # standard deviations; the mass beyond is below the smallest double


@dataclass(frozen=True, eq=False)
class Grid:
    """Hold a distribution by its density on a grid: the finite distribution with the masses of the trapezoid rule.

    Parameters
    ----------
    points : array of float, shape (n,)
        At least 2, increasing.
    density : array of float, shape (n,)
        Not negative; by the trapezoid rule it integrates to 1, to 1e-6. It is divided by what
        it integrates to.

    Raises
    ------
    ValueError
        A grid that does not increase, shapes that differ, a density that is negative, not finite,
        or whose integral is not 1.

    Notes
    -----
    Every quantity of a profile is then the trapezoid rule's for the integral that defines it. Its
    error falls with the square of the step, and faster for smooth densities that vanish at the ends.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.privacy import profile
    >>> points = np.linspace(0, 1, 101)
    >>> flat = Grid(points, np.ones(101))
    >>> round(profile(flat, Grid(points, 2 * points)).total_variation, 3)
    0.25
    """

    points: Floats
    density: Floats

    def __post_init__(self) -> None:
        points = np.array(self.points, dtype=float)
        density = np.array(self.density, dtype=float)
        if points.ndim != 1 or points.size < 2 or points.shape != density.shape:
            raise ValueError(
                "points and density must have one shape (n,), n >= 2, "
                f"got {points.shape} and {density.shape}"
            )
        if not np.isfinite(points).all() or not (np.diff(points) > 0).all():
            raise ValueError("points must be finite and increase")
        if not np.isfinite(density).all() or (density < 0).any():
            raise ValueError("density must be finite and >= 0")
        total = float(np.trapezoid(density, points))
        if not abs(total - 1) <= 1e-6:
            raise ValueError(
                f"density must integrate to 1 by the trapezoid rule, got {total:.9g}; "
                "take a finer or longer grid, or divide by the integral"
            )
        density = density / total
        points.setflags(write=False)
        density.setflags(write=False)
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "density", density)

    @property
    def masses(self) -> Floats:
        """Density times the weights of the trapezoid rule, shape (n,)."""
        steps = np.diff(self.points)
        weights = np.concatenate([steps[:1], steps[:-1] + steps[1:], steps[-1:]]) / 2
        return weights * self.density

    def __repr__(self) -> str:
        first, last = self.points[0], self.points[-1]
        return f"Grid({self.points.size} points from {first:.6g} to {last:.6g})"

    __str__ = __repr__


@dataclass(frozen=True, repr=False)
class Profile:
    """The divergences of a distribution `P` over a distribution `Q`; made by `profile`.

    Attributes
    ----------
    P, Q : Distribution or Grid
    kl : float
        Kullback-Leibler divergence, in nats.
    total_variation : float
    hellinger : float
        The distance H in [0, 1] with H**2 = 1 - integral of sqrt(p q); without a factor 2.
    max_log_ratio : float
        Supremum of log(p / q), in nats: the smallest epsilon at delta = 0; may be infinite.
    reverse : Profile
        That of `Q` over `P`.

    Examples
    --------
    >>> profile(Normal(1, 1), Normal(0, 1))
    Profile(Normal(1, 1) over Normal(0, 1): kl=0.5,...
    """

    P: Distribution | Grid
    Q: Distribution | Grid
    _pair: Any = field(compare=False)

    def delta(self, epsilon: ArrayLike) -> Any:
        """Hockey-stick divergence: the supremum over events A of P(A) - exp(epsilon) Q(A).

        Parameters
        ----------
        epsilon : float or array, in nats, >= 0, finite

        Returns
        -------
        float or array
            In [0, 1], of the shape of `epsilon`.

        Raises
        ------
        ValueError
            An epsilon < 0 or not finite; a pair of Dirichlet distributions without such a form.
        """
        values = _read("epsilon", epsilon, "finite and >= 0", lambda v: np.isfinite(v) & (v >= 0))
        return _shaped(self._pair.deltas(values.ravel()), values)

    def epsilon(self, delta: ArrayLike) -> Any:
        """Return the smallest epsilon >= 0 at which `delta` holds.

        Parameters
        ----------
        delta : float or array, 0 <= delta < 1
            At 0 the largest log ratio.

        Returns
        -------
        float or array
            In nats; infinite when P puts more than delta where Q has no mass.

        Raises
        ------
        ValueError
            A delta outside [0, 1); a pair of Dirichlet distributions without such a form.
        """
        values = _read("delta", delta, "in [0, 1)", lambda v: (v >= 0) & (v < 1))
        found = [
            self._pair.epsilon(float(v)) if v > 0 else max(self.max_log_ratio, 0.0)
            for v in values.ravel()
        ]
        return _shaped(found, values)

    def renyi(self, order: ArrayLike) -> Any:
        """Renyi divergence.

        Parameters
        ----------
        order : float or array, > 0
            At 1 the KL divergence, at infinity the largest log ratio.

        Returns
        -------
        float or array
            In nats; infinite where the integral diverges.

        Raises
        ------
        ValueError
            An order <= 0 or nan.
        """
        if type(order) is float and order > 0:  # to read an array takes longest
            return self._renyi(order)
        values = _read("order", order, "> 0", lambda v: v > 0)
        return _shaped([self._renyi(float(v)) for v in values.ravel()], values)

    def _renyi(self, order: float) -> float:
        if order > 1e15 and self.max_log_ratio < INFINITY:  # the limit, to the last digit
            order = INFINITY
        return float(self._pair.renyi(order))

    def trade_off(self, alpha: ArrayLike) -> Any:
        """Return the smallest type II error of tests of `P` against `Q`: the curve of f-DP.

        Parameters
        ----------
        alpha : float or array, in [0, 1]
            Type I error: the probability under `P` of deciding for `Q`.

        Returns
        -------
        float or array
            The probability under `Q` of deciding for `P`, of the best (randomised) test.

        Raises
        ------
        ValueError
            An alpha outside [0, 1]; a pair of Dirichlet distributions without such a form.

        Notes
        -----
        Neyman and Pearson; Dong, Roth and Su (2022), Gaussian differential privacy.
        """
        values = _read("alpha", alpha, "in [0, 1]", lambda v: (v >= 0) & (v <= 1))
        if self.max_log_ratio == 0:  # one distribution
            return _shaped(1.0 - values, values)
        return _shaped([self._pair.trade_off(float(v)) for v in values.ravel()], values)

    @cached_property
    def kl(self) -> float:
        return float(self._pair.renyi(1.0))

    @cached_property
    def total_variation(self) -> float:
        return float(self._pair.deltas(np.zeros(1))[0])

    @cached_property
    def hellinger(self) -> float:
        return math.sqrt(-math.expm1(-0.5 * float(self._pair.renyi(0.5))))

    @cached_property
    def max_log_ratio(self) -> float:
        return float(self._pair.most)

    @property
    def reverse(self) -> Profile:
        return profile(self.Q, self.P)

    def _rows(self) -> tuple[tuple[str, float], ...]:
        return (
            ("KL divergence", self.kl),
            *((("total variation", self.total_variation),) if self._pair.tests else ()),
            ("Hellinger distance", self.hellinger),
            ("largest log ratio", self.max_log_ratio),
        )

    def __repr__(self) -> str:
        names = {"KL divergence": "kl", "Hellinger distance": "hellinger"}
        found = ", ".join(
            f"{names.get(name, name.replace('largest', 'max').replace(' ', '_'))}={value:.6g}"
            for name, value in self._rows()
        )
        return f"Profile({briefly(self.P)} over {briefly(self.Q)}: {found})"

    def _repr_html_(self) -> str:
        facts = ((name, f"{value:.6g}") for name, value in self._rows())
        return figures.html_facts(facts, f"{briefly(self.P)} over {briefly(self.Q)}")

    def describe(self) -> str:
        """Return the words for the picture."""
        found = ", ".join(f"{name} {value:.4g}" for name, value in self._rows())
        words = f"Two distributions, {briefly(self.P)} over {briefly(self.Q)}: {found}."
        if not self._pair.tests:
            return words
        ends = [f"{self.delta(e):.4g} at epsilon {e:g}" for e in (0.0, 1.0, self._last)]
        back = self.reverse.delta(1.0)
        return f"{words} Delta falls from {ends[0]} over {ends[1]} to {ends[2]}; the other way round it is {back:.4g} at epsilon 1."

    @property
    def _last(self) -> float:
        """The end of the picture."""
        ends = [one.epsilon(1e-6) for one in (self, self.reverse)]
        last = max([end for end in ends if math.isfinite(end)], default=10.0)
        return float(f"{max(last, 1.5):.2g}")

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw delta against epsilon, in both directions.

        Raises
        ------
        ValueError
            A pair of Dirichlet distributions without such a form.
        """
        ax = ax or figures.axes()
        at = np.linspace(0.0, self._last, 121)
        for one, label in ((self, "P over Q"), (self.reverse, "Q over P")):
            values = np.asarray(one.delta(at))
            ax.plot(at, np.where(values > 1e-9, values, np.nan), label=label)
        ax.set_yscale("log")
        ax.minorticks_off()
        ax.set_xlabel("epsilon")
        ax.set_ylabel("delta")
        ax.legend()
        return ax


def profile(P: Distribution | Grid, Q: Distribution | Grid) -> Profile:
    """Return the divergences of one distribution over another.

    Parameters
    ----------
    P, Q : Distribution or Grid
        Of one family, with numbers for parameters: Normal or Mixture of Normals; Laplace; Gamma or
        Exponential; Beta; Dirichlet; Bernoulli, Binomial or Finite; two Grids on the same points.

    Returns
    -------
    Profile

    Raises
    ------
    ValueError
        Distributions with symbols, of two families, or with parameters that no double holds.

    Notes
    -----
    Total variation, delta and tests of Dirichlet distributions are there where the two differ in one cell,
    or in two whose sum is the same (then two beta distributions have them).

    Examples
    --------
    >>> from dpbook.privacy.distributions import Normal
    >>> profile(Normal(1, 1), Normal(0, 1))
    Profile(Normal(1, 1) over Normal(0, 1): kl=0.5, total_variation=0.382925, hellinger=0.342787, max_log_ratio=inf)
    """
    return Profile(P, Q, _paired(P, Q))


def _paired(P: Distribution | Grid, Q: Distribution | Grid) -> Any:
    for name, distribution in (("P", P), ("Q", Q)):
        if isinstance(distribution, Grid):
            continue
        if not isinstance(distribution, Distribution):
            raise ValueError(f"{name} must be a distribution, got {distribution!r}")
        free = sorted(str(s) for s in distribution.free_symbols)
        if free:
            raise ValueError(f"{name} must have numbers for parameters, got {', '.join(free)}")
    kinds = {_kind(P), _kind(Q)}
    if len(kinds) > 1 or None in kinds:
        raise ValueError(
            f"P and Q must be distributions of one family, got {P} and {Q}; put their densities on a Grid"
        )
    maker: dict[str | None, Any] = {
        "normal": _Normals,
        "laplace": _Laplaces,
        "gamma": _Gammas,
        "beta": _Betas,
        "dirichlet": _Dirichlets,
        "finite": _discrete,
        "grid": _grids,
    }
    return maker[kinds.pop()](P, Q)


def _kind(distribution: Distribution | Grid) -> str | None:
    if isinstance(distribution, Grid):
        return "grid"
    if isinstance(distribution, Mixture):
        return (
            "normal"
            if all(isinstance(part, Normal) for part in distribution.distributions)
            else None
        )
    names: dict[type[Distribution], str] = {
        **{Normal: "normal", Laplace: "laplace", Gamma: "gamma", Exponential: "gamma"},
        **{Beta: "beta", Dirichlet: "dirichlet"},
        **{Bernoulli: "finite", Binomial: "finite", Finite: "finite"},
    }
    return next((name for kind, name in names.items() if isinstance(distribution, kind)), None)


def _read(name: str, value: ArrayLike, rule: str, holds: Callable[[Floats], Any]) -> Floats:
    try:
        values = reading.records(name, value)
    except ValueError:
        shown = " ".join(repr(value).split())
        raise ValueError(f"{name} must be {rule}, got {shown:.80}") from None
    if value is None:
        raise ValueError(f"{name} must be {rule}, got None")
    good = np.asarray(holds(values))
    if not good.all():
        raise ValueError(f"{name} must be {rule}, got {float(values[~good].flat[0])}")
    return values


def _shaped(found: Sequence[float] | Floats, like: Floats) -> Any:
    values = np.asarray(found, dtype=float).reshape(like.shape)
    return values if like.ndim else float(values)


def _float(name: str, value: Any, *, positive: bool = False) -> float:
    number = float(value)
    if not math.isfinite(number) or (positive and number <= 0):
        raise ValueError(f"{name} must be a number that a double holds, got {value}")
    return number


def _erfc(x: Any) -> Any:
    """Complementary error function of a ball, tight also where it is tiny."""
    return (
        (-x * x).exp() * (x * x).hypgeom_u(arb(0.5), arb(0.5)) / arb.pi().sqrt()
        if (x > 30)
        else x.erfc()
    )


class _Line(ABC):
    """Two distributions on a line with one support, in a coordinate that runs over all of it."""

    tests = True
    most: float  # supremum of the log ratio

    @abstractmethod
    def regions(self, level: float) -> list[Interval]:
        """Return where the log ratio exceeds a level."""

    @abstractmethod
    def ball(self, which: int, low: float, high: float) -> Any:
        """Mass of an interval, in the precision that is set."""

    @abstractmethod
    def mass(self, which: int, low: float, high: float) -> float:
        """Mass of an interval in floats."""

    @abstractmethod
    def renyi(self, order: float) -> float:
        """Renyi divergence of an order, also 1 and infinity."""

    @abstractmethod
    def turned(self) -> _Line:
        """The pair the other way round."""

    def masses(self, intervals: list[Interval]) -> tuple[float, float]:
        """Mass of a union of intervals under both distributions."""
        first = math.fsum(self.mass(0, *one) for one in intervals)
        second = math.fsum(self.mass(1, *one) for one in intervals)
        return first, second

    def delta(self, level: float) -> float:
        if level >= self.most:
            return 0.0
        return self._settled(level, self.regions(level))

    def _settled(self, level: float, intervals: list[Interval]) -> float:
        """Delta at a level whose regions are known."""
        if not intervals:
            return 0.0

        found = kernels.settled(lambda: self._excess(level, intervals), most=4096)
        if math.isnan(found):
            raise ArithmeticError("delta could not be settled at 4096 bits; parameters too extreme")
        return min(max(found, 0.0), 1.0)

    def _excess(self, level: float, intervals: list[Interval]) -> Any:
        """Mass of the first less exp(level) times the mass of the second, in the precision that is set."""
        first = sum((self.ball(0, *one) for one in intervals), arb(0))
        second = sum((self.ball(1, *one) for one in intervals), arb(0))
        return first - arb(level).exp() * second

    def deltas(self, levels: Floats) -> list[float] | Floats:
        return [self.delta(float(level)) for level in levels]

    def epsilon(self, delta: float) -> float:
        if self.delta(0.0) <= delta:
            return 0.0
        low, high = 0.0, self.most
        at = self._nearly(delta)
        for _ in range(200):
            intervals = self.regions(at) if at < self.most else []
            now = self._settled(at, intervals)
            if now > delta:
                low = at
            else:
                high = at
            step = self._newton(at, now, self.masses(intervals)[1], delta)
            if abs(step) <= 1e-8 * min(
                at, self.most - at
            ):  # the rest is of the order of the square
                return min(at + step, self.most)
            new = self._inside(at, step, low, high)
            if new in (low, high, at):
                return new
            at = new
        return at

    @staticmethod
    def _newton(at: float, now: float, second: float, delta: float) -> float:
        """Newton's step for the logarithm of delta; nan where it has no slope."""
        if now > 0.0 and second > 0.0:
            slope = math.exp(at + math.log(second) - math.log(now))
            if slope > 0.0:
                return math.log(now / delta) / slope
        return math.nan

    @staticmethod
    def _inside(at: float, step: float, low: float, high: float) -> float:
        """Return the end of a step; where delta is flat it may lie at 1e171: halving takes long."""
        new = at + step
        if math.isinf(high):
            return min(new, 2 * at + 1) if low < new else 2 * at + 1
        return new if low < new < high else 0.5 * (low + high)

    def _nearly(self, delta: float) -> float:
        """Find in floats where delta is reached: the place from which balls begin, no more.

        It ends where floats lose their digits, since the balls are right from any place.
        """
        low, high = 0.0, self.most
        at = 1.0 if math.isinf(high) else 0.5 * high
        for _ in range(60):
            first, second = self.masses(self.regions(at))
            now = first - math.exp(min(at, 700.0)) * second
            if now <= 1e-9 * first:  # cancelled, or none at all
                high = at
                step = math.nan
            else:
                low, high = (at, high) if now > delta else (low, at)
                step = self._newton(at, now, second, delta)
            new = self._inside(at, step, low, high)
            if abs(new - at) <= 1e-7 * at:
                break
            at = new
        return at if 0.0 < at < self.most else 0.5 * min(self.most, 2.0)

    def trade_off(self, alpha: float) -> float:
        if alpha in (0.0, 1.0):
            return 1.0 - alpha
        back = self.turned()  # tests decide for Q where log(q / p) is large

        def errors(level: float) -> float:
            return back.masses(back.regions(level))[1]

        low, high = -1.0, 1.0
        while errors(low) < alpha and low > -1e300:
            low *= 2
        while errors(high) > alpha and high < 1e300:
            high *= 2
        while high - low > 1e-9 * max(1.0, abs(low)):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if errors(middle) > alpha else (low, middle)
        level = 0.5 * (low + high)
        inside = back.regions(level)
        first = back.masses(inside)[1]
        missed = back.masses(_complement(inside))[0]
        # the tangent at the level: exact at an atom of the log ratio, of second order elsewhere
        return min(max(missed + math.exp(level) * (first - alpha), 0.0), 1.0)


def _complement(intervals: list[Interval]) -> list[Interval]:
    ends = [-INFINITY, *(end for one in sorted(intervals) for end in one), INFINITY]
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return [(low, high) for low, high in pairs if low < high]


def _bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """Root between two places of different signs."""
    rising = function(high) > 0
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return middle
        if (function(middle) > 0) == rising:
            high = middle
        else:
            low = middle


def _exceeds(
    function: Callable[[float], float], turn: float | None, left: float, right: float
) -> list[Interval]:
    """Find where a function with at most one turning point and these limits, or signs, is positive."""
    start = 0.0 if turn is None else turn
    middle = function(start)
    found: list[Interval] = []
    ends = []
    for limit, way in ((left, -1.0), (right, 1.0)):
        if (limit > 0) == (middle > 0):
            ends.append(way * INFINITY)
            continue
        step = 1e-3 * max(1.0, abs(start))
        while (function(start + way * step) > 0) == (middle > 0) and step < 1e17:
            step *= 2
        ends.append(_bisect(function, *sorted((start, start + way * step))))
    if middle > 0:
        found.append((ends[0], ends[1]))
    else:
        if left > 0:
            found.append((-INFINITY, ends[0]))
        if right > 0:
            found.append((ends[1], INFINITY))
    return found


class _Normals(_Line):
    """Normal distributions and mixtures of them."""

    def __init__(self, P: Distribution, Q: Distribution) -> None:
        self.parts = tuple(_normal_parts(distribution) for distribution in (P, Q))
        self._prepare()

    def _prepare(self) -> None:
        (_, m, s), (_, n, t) = self.parts
        self.single = m.size == 1 and n.size == 1
        self.four = (float(m[0]), float(s[0]), float(n[0]), float(t[0]))
        self.alike = self.single and s[0] == t[0]
        self.distance = abs(m[0] - n[0]) / s[0] if self.alike else math.nan

    def turned(self) -> _Normals:
        back = object.__new__(_Normals)
        back.parts = (self.parts[1], self.parts[0])
        back._prepare()
        return back

    @cached_property
    def same(self) -> bool:
        return all(np.array_equal(a, b) for a, b in zip(*self.parts, strict=True))

    @cached_property
    def most(self) -> float:  # type: ignore[override]
        if self.single:
            return float(kernels.normal_max_log_ratio(*self.four))
        return 0.0 if self.same else _mixture_most(self)

    def deltas(self, levels: Floats) -> list[float] | Floats:
        if not self.alike or self.distance == 0:
            return super().deltas(levels)
        with np.errstate(all="ignore"):
            found, start = kernels.normal_delta(self.distance, levels)
            good = (found >= 0.1 * start) & (found >= 1e-280)
        # little is left of the difference, it is near the smallest double, or a square is too large
        for i in np.flatnonzero(~good):
            found[i] = self.delta(float(levels[i]))
        return found

    def trade_off(self, alpha: float) -> float:
        if self.alike:
            return float(kernels.normal_trade_off(self.distance, alpha))
        return super().trade_off(alpha)

    def renyi(self, order: float) -> float:
        if self.single:
            return float(kernels.normal_renyi(*self.four, order))
        if self.same:
            return 0.0
        return self.most if order == INFINITY else _mixture_renyi(self, order)

    def ball(self, which: int, low: float, high: float) -> Any:
        total = arb(0)
        for weight, mean, sd in zip(*self.parts[which], strict=True):
            w, m, s = arb(float(weight)), arb(float(mean)), arb(float(sd)) * arb(2).sqrt()
            if low >= mean:
                one = _erfc((arb(low) - m) / s) if math.isfinite(low) else arb(0)
                one -= _erfc((arb(high) - m) / s) if math.isfinite(high) else 0
            elif high <= mean:
                one = _erfc((m - arb(high)) / s)
                one -= _erfc((m - arb(low)) / s) if math.isfinite(low) else 0
            else:
                one = arb(2)
                one -= _erfc((m - arb(low)) / s) if math.isfinite(low) else 0
                one -= _erfc((arb(high) - m) / s) if math.isfinite(high) else 0
            total += w * one / 2
        return total

    def mass(self, which: int, low: float, high: float) -> float:
        weight, mean, sd = self.parts[which]
        a, b = (low - mean) / sd, (high - mean) / sd
        flip = a > 0
        a, b = np.where(flip, -b, a), np.where(flip, -a, b)
        return float(np.sum(weight * (ndtr(b) - ndtr(a))))

    def regions(self, level: float) -> list[Interval]:
        if not self.single:
            return [] if self.same and level >= 0 else _mixture_regions(self, level)
        mean, sd, other_mean, other_sd = self.four
        gap = mean - other_mean
        if self.alike:
            if gap == 0:
                return [(-INFINITY, INFINITY)] if level < 0 else []
            root = 0.5 * (mean + other_mean) + level * sd / gap * sd
            return [(root, INFINITY)] if gap > 0 else [(-INFINITY, root)]
        # log ratio - level at mean + sd * y: a * y**2 + b * y + c, a quadratic
        ratio = sd / other_sd
        shift = gap / other_sd
        a = 0.5 * (sd - other_sd) / other_sd * (1 + ratio)
        b = shift * ratio
        c = 0.5 * shift * shift - math.log(ratio) - level
        inside = b * b - 4 * a * c
        if inside <= 0:
            return [(-INFINITY, INFINITY)] if a > 0 else []
        half = -0.5 * (b + math.copysign(math.sqrt(inside), b))
        roots = sorted((mean + sd * (half / a), mean + sd * (c / half)))
        if a < 0:
            return [(roots[0], roots[1])]
        return [(-INFINITY, roots[0]), (roots[1], INFINITY)]

    def log_densities(self, at: Floats) -> tuple[Floats, Floats]:
        """Logarithms of both densities, shape of `at`."""
        first, second = (_mixed(part, at)[0] for part in self.parts)
        return first, second

    def log_ratio(self, at: Floats) -> tuple[Floats, Floats]:
        """Log ratio and its derivative."""
        (first, slope), (second, other) = (_mixed(part, at) for part in self.parts)
        return first - second, slope - other

    def bend(self, low: Floats, high: Floats) -> Floats:
        """Bound of the second derivative of the log ratio on cells.

        The second derivative of the log density is the variance of the scores less the mean precision,
        over the components by their shares; a share on a cell is at most the component's largest density
        there over the smallest density of the leading component.
        """
        total = np.zeros_like(low)
        leading = []
        for weight, mean, sd in self.parts:
            ends = np.stack([low, high])[..., None]
            logs = np.log(weight / sd) - 0.5 * ((ends - mean) / sd) ** 2
            inside = (low[:, None] < mean) & (mean < high[:, None])
            largest = np.where(inside, np.log(weight / sd), logs.max(axis=0))
            smallest = logs.min(axis=0)
            leader = smallest.argmax(axis=1)
            top = smallest.max(axis=1)[:, None]
            share = np.exp(np.minimum(largest - top, 0.0))
            scores = (mean - ends) / sd**2
            lead = np.take_along_axis(scores, leader[None, :, None], axis=2)
            apart = np.abs(scores - lead).max(axis=0)
            precision = sd**-2.0
            leading.append(precision[leader])
            strays = np.abs(precision - precision[leader][:, None])
            total += (share * (apart**2 + strays)).sum(axis=1)
        return total + np.abs(leading[0] - leading[1])

    @cached_property
    def cells(self) -> tuple[Floats, ...]:
        """The cells that every search begins with, and numbers that do not depend on its level."""
        edges = np.linspace(*self.hull, 257)
        left, right = edges[:-1], edges[1:]
        return left, right, *self.log_ratio(0.5 * (left + right)), self.bend(left, right)

    @property
    def hull(self) -> Interval:
        """The interval of the mass of both distributions, to the smallest double."""
        ends = [(m - EDGE * s, m + EDGE * s) for _, m, s in self.parts]
        return float(min(e[0].min() for e in ends)), float(max(e[1].max() for e in ends))


def _normal_parts(distribution: Distribution) -> tuple[Floats, Floats, Floats]:
    """Weights, means and standard deviations, each shape (k,)."""
    if isinstance(distribution, Normal):
        rows = [
            (1.0, _float("mean", distribution.mean), _float("sd", distribution.sd, positive=True))
        ]
    else:
        assert isinstance(distribution, Mixture)
        rows = [
            (float(weight), _float("mean", part.mean), _float("sd", part.sd, positive=True))
            for weight, part in zip(distribution.weights, distribution.distributions, strict=True)
            if weight > 0
        ]
    merged: dict[Interval, list[float]] = {}
    for weight, mean, sd in rows:
        merged.setdefault((mean, sd), []).append(weight)
    table = np.array([(math.fsum(w), m, s) for (m, s), w in sorted(merged.items())])
    return table[:, 0] / math.fsum(table[:, 0]), table[:, 1], table[:, 2]


def _mixed(part: tuple[Floats, Floats, Floats], at: Floats) -> tuple[Floats, Floats]:
    """Log density of a mixture and its derivative."""
    weight, mean, sd = part
    score = (mean - at[:, None]) / sd**2
    logs = np.log(weight / sd) - 0.5 * math.log(math.tau) - 0.5 * (score * sd) ** 2
    top = logs.max(axis=1)
    shares = np.exp(logs - top[:, None])
    total = shares.sum(axis=1)
    return top + np.log(total), (shares * score).sum(axis=1) / total


def _mixture_regions(pair: _Normals, level: float) -> list[Interval]:
    """Every crossing: a cell is left alone once bounds of two derivatives show that it has none.

    A cell on which the log ratio is monotone has at most one; it is bisected.
    """
    low, high = pair.hull
    finest = 1e-13 * max(abs(low), abs(high), high - low)
    left, right, *known = pair.cells
    cells: list[Interval] = []
    while left.size:
        middle, half = 0.5 * (left + right), 0.5 * (right - left)
        value, slope, bend = known or (*pair.log_ratio(middle), pair.bend(left, right))
        known = []
        empty = np.abs(value - level) > (np.abs(slope) + 0.5 * bend * half) * half
        monotone = np.abs(slope) > bend * half
        done = monotone | (half < finest)
        cells += zip(left[done & ~empty].tolist(), right[done & ~empty].tolist(), strict=True)
        go = ~empty & ~done
        left, right = (
            np.concatenate([left[go], middle[go]]),
            np.concatenate([middle[go], right[go]]),
        )

    def over(x: float) -> float:
        return float(pair.log_ratio(np.array([x]))[0][0]) - level

    roots = []
    for a, b in sorted(cells):
        if (over(a) > 0) != (over(b) > 0):
            roots.append(scipy.optimize.brentq(over, a, b, xtol=1e-300, rtol=8.9e-16))
    ends = [-INFINITY, *roots, INFINITY]
    start = over(low) > 0
    return [
        (a, b)
        for i, (a, b) in enumerate(zip(ends[:-1], ends[1:], strict=True))
        if (i % 2 == 0) == start
    ]


def _mixture_most(pair: _Normals) -> float:
    """Largest log ratio: its limits at both ends, and every maximum between."""
    (w, m, s), (v, n, t) = pair.parts
    if s.max() > t.max():
        return INFINITY
    best = -INFINITY
    if s.max() == t.max():
        for sign in (-1.0, 1.0):
            here = (sign * m[s == s.max()]).max()
            there = (sign * n[t == t.max()]).max()
            if here > there:
                return INFINITY
            if here == there:
                weight = w[(s == s.max()) & (sign * m == here)].sum()
                other = v[(t == t.max()) & (sign * n == there)].sum()
                best = max(best, float(kernels.log_ratio(weight, other)))
    low, high = pair.hull
    for _ in range(60):  # on: the maximum may lie far out where the widths are nearly equal
        slopes = pair.log_ratio(np.array([low, high]))[1]
        if slopes[0] >= 0 >= slopes[1]:
            break
        low, high = low - (high - low), high + (high - low)
    edges = np.linspace(low, high, 257)
    left, right = edges[:-1], edges[1:]
    while left.size:
        middle, half = 0.5 * (left + right), 0.5 * (right - left)
        value, slope = pair.log_ratio(middle)
        best = max(best, float(value.max()))
        bend = pair.bend(left, right)
        bound = value + (np.abs(slope) + 0.5 * bend * half) * half
        go = (bound > best + 1e-15 * max(1.0, abs(best))) & (half > 1e-9 * s.min())
        left, right = (
            np.concatenate([left[go], middle[go]]),
            np.concatenate([middle[go], right[go]]),
        )
    return best


@lru_cache(maxsize=1)
def _legendre() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(20)
    return nodes, weights


def _mixture_renyi(pair: _Normals, order: float) -> float:
    """Renyi divergence by Gauss and Legendre on panels that are halved until nothing changes."""
    (_, m, s), (_, n, t) = pair.parts
    if order > 1 and not order / s.max() ** 2 > (order - 1) / t.max() ** 2:
        return INFINITY
    precision = order * s[:, None] ** -2.0 + (1 - order) * t[None, :] ** -2.0
    centre = order * (m / s**2)[:, None] + (1 - order) * (n / t**2)[None, :]
    good = precision > 0
    centres = np.concatenate([m, n, centre[good] / precision[good]])
    widths = np.concatenate([s, t, precision[good] ** -0.5])
    if centres.size <= 400:
        offsets = np.linspace(-EDGE, EDGE, 157)
        edges = np.unique(centres[:, None] + widths[:, None] * offsets)
    else:
        low, high = (centres - EDGE * widths).min(), (centres + EDGE * widths).max()
        panels = 2 * math.ceil((high - low) / widths.min())
        if panels > 20_000:
            raise ValueError("mixtures must have widths within a factor of 10000 of their range")
        edges = np.linspace(low, high, panels + 1)
    nodes, weights = _legendre()
    last = math.nan
    for _ in range(6):
        half = 0.5 * np.diff(edges)
        at = (0.5 * (edges[:-1] + edges[1:])[:, None] + half[:, None] * nodes).ravel()
        weight = (half[:, None] * weights).ravel()
        keep = weight > 0
        first, second = pair.log_densities(at[keep])
        log_weight = np.log(weight[keep])
        value = float(
            kernels.finite_renyi(first + log_weight, second + log_weight, first - second, order)
        )
        if abs(value - last) <= 3e-15 * abs(value):
            break
        last = value
        edges = np.sort(np.concatenate([edges, 0.5 * (edges[:-1] + edges[1:])]))
    return max(value, 0.0)


class _Laplaces(_Line):
    def __init__(self, P: Laplace, Q: Laplace) -> None:
        mean, other_mean = _float("mean", P.mean), _float("mean", Q.mean)
        scale = _float("scale", P.scale, positive=True)
        other_scale = _float("scale", Q.scale, positive=True)
        self._set((mean, scale, other_mean, other_scale))

    def _set(self, four: tuple[float, float, float, float]) -> None:
        self.four = four
        mean, scale, other_mean, other_scale = four
        self.alike = scale == other_scale
        self.distance = abs(mean - other_mean) / scale
        self.most = float(kernels.laplace_max_log_ratio(*four))

    def turned(self) -> _Laplaces:
        back = object.__new__(_Laplaces)
        back._set((*self.four[2:], *self.four[:2]))
        return back

    def deltas(self, levels: Floats) -> list[float] | Floats:
        if self.alike:
            return np.asarray(kernels.laplace_delta(self.distance, levels))
        return super().deltas(levels)

    def epsilon(self, delta: float) -> float:
        if self.alike:
            return float(kernels.laplace_epsilon(self.distance, delta))
        return super().epsilon(delta)

    def trade_off(self, alpha: float) -> float:
        if self.alike:
            return float(kernels.laplace_trade_off(self.distance, alpha))
        return super().trade_off(alpha)

    def renyi(self, order: float) -> float:
        return float(kernels.laplace_renyi(*self.four, order))

    def ball(self, which: int, low: float, high: float) -> Any:
        mean, scale = self.four[2 * which : 2 * which + 2]

        def tail(x: float) -> Any:  # beyond x, on the side where it lies
            return (-abs(arb(x) - arb(mean)) / scale).exp() / 2 if math.isfinite(x) else arb(0)

        if low >= mean:
            return tail(low) - tail(high)
        if high <= mean:
            return tail(high) - tail(low)
        return 1 - tail(low) - tail(high)

    def mass(self, which: int, low: float, high: float) -> float:
        mean, scale = self.four[2 * which : 2 * which + 2]
        here, there = (0.5 * math.exp(-abs(x - mean) / scale) for x in (low, high))
        if low >= mean:
            return here - there
        return there - here if high <= mean else 1 - here - there

    def regions(self, level: float) -> list[Interval]:
        mean, scale, other_mean, other_scale = self.four
        start = math.log(other_scale / scale) - level

        def over(x: float) -> float:
            return start - abs(x - mean) / scale + abs(x - other_mean) / other_scale

        found = []
        left, right = sorted((mean, other_mean))
        # linear on three pieces
        tilt = (other_scale - scale) / scale / other_scale  # of the outer ones
        for low, high, slope in (
            (-INFINITY, left, tilt),
            (left, right, math.copysign(1 / scale + 1 / other_scale, mean - other_mean)),
            (right, INFINITY, -tilt),
        ):
            if low == high:
                continue
            known = high if low == -INFINITY else low
            value = over(known)
            if slope == 0:
                if value > 0:
                    found.append((low, high))
                continue
            root = known - value / slope
            one = (max(low, root), high) if slope > 0 else (low, min(high, root))
            if one[0] < one[1]:
                found.append(one)
        return found


class _Tilted(_Line):
    """Two distributions of an exponential family in two statistics; in the coordinate at most one turn."""

    powers: Interval  # differences of the parameters
    constant: float

    @abstractmethod
    def statistics(self, at: float) -> tuple[float, float]:
        """The two statistics whose weighted sum is the log ratio."""

    @abstractmethod
    def turned(self) -> _Line:
        """The pair the other way round."""

    def over(self, at: float) -> float:
        """Log ratio at a place."""
        first, second = self.statistics(at)
        total = self.constant
        total += self.powers[0] * first if self.powers[0] else 0.0
        return total + (self.powers[1] * second if self.powers[1] else 0.0)

    def regions(self, level: float) -> list[Interval]:
        a, b = self.powers
        if a == b == 0:
            return [(-INFINITY, INFINITY)] if level < 0 else []
        turn = math.log(a / b) if a and b and (a > 0) == (b > 0) else None
        left = -a if a else self.limits()[0] - level
        right = -b if b else self.limits()[1] - level
        return _exceeds(lambda x: self.over(x) - level, turn, left, right)

    @abstractmethod
    def limits(self) -> Interval:
        """Limits of the log ratio at the left and right end, where the power there is zero."""


class _Gammas(_Tilted):
    """Gamma distributions, in the logarithm of the variable."""

    def __init__(self, P: Distribution, Q: Distribution) -> None:
        self._set((*_gamma_parts(P), *_gamma_parts(Q)))

    def _set(self, four: tuple[float, float, float, float]) -> None:
        self.four = four
        shape, rate, other_shape, other_rate = four
        self.powers = (shape - other_shape, rate - other_rate)
        self.most = float(kernels.gamma_max_log_ratio(*four))
        self.constant = _settled_or_zero(
            lambda: (
                arb(other_shape).lgamma()
                - arb(shape).lgamma()
                + shape * arb(rate).log()
                - other_shape * arb(other_rate).log()
            )
        )

    def turned(self) -> _Gammas:
        back = object.__new__(_Gammas)
        back._set((*self.four[2:], *self.four[:2]))
        return back

    def statistics(self, at: float) -> tuple[float, float]:
        return at, -math.exp(min(at, 709.0))

    def limits(self) -> Interval:
        # without a difference of the rates the power of the variable decides on the right
        return self.constant, self.powers[0] * INFINITY if self.powers[0] else 0.0

    def renyi(self, order: float) -> float:
        return float(kernels.gamma_renyi(*self.four, order))

    def ball(self, which: int, low: float, high: float) -> Any:
        shape, rate = (arb(x) for x in self.four[2 * which : 2 * which + 2])

        def above(x: float) -> Any:
            if math.isinf(x):
                return arb(x < 0)
            return (rate * arb(x).exp()).gamma_upper(shape, regularized=1)

        return above(low) - above(high)

    def mass(self, which: int, low: float, high: float) -> float:
        shape, rate = self.four[2 * which : 2 * which + 2]
        ends = [rate * math.exp(min(x, 709.0)) for x in (low, high)]
        if ends[1] <= shape:  # the tail that loses no digits
            return float(gammainc(shape, ends[1]) - gammainc(shape, ends[0]))
        return float(gammaincc(shape, ends[0]) - gammaincc(shape, ends[1]))


def _settled_or_zero(function: Callable[[], Any]) -> float:
    """Settle a ball; a ball that is exactly zero never settles and is zero."""
    found = kernels.settled(function, most=1024)
    return 0.0 if math.isnan(found) else float(found)


def _gamma_parts(distribution: Distribution) -> Interval:
    rate = _float("rate", distribution.rate, positive=True)
    return (
        _float("shape", distribution.shape, positive=True)
        if isinstance(distribution, Gamma)
        else 1.0
    ), rate


class _Betas(_Tilted):
    """Beta distributions, in the logit of the variable."""

    def __init__(self, P: Beta, Q: Beta) -> None:
        names = ("a", "b")
        a, b = (_float(name, getattr(P, name), positive=True) for name in names)
        c, d = (_float(name, getattr(Q, name), positive=True) for name in names)
        self._set((a, b, c, d))

    def _set(self, four: tuple[float, float, float, float]) -> None:
        self.four = four
        a, b, c, d = four
        self.powers = (a - c, b - d)
        self.most = float(kernels.beta_max_log_ratio(*four))
        self.constant = _settled_or_zero(
            lambda: (
                kernels.log_partition([arb(c), arb(d)]) - kernels.log_partition([arb(a), arb(b)])
            )
        )

    @classmethod
    def of(cls, a: float, b: float, c: float, d: float) -> _Betas:
        pair = object.__new__(cls)
        pair._set((a, b, c, d))
        return pair

    def turned(self) -> _Betas:
        return _Betas.of(*self.four[2:], *self.four[:2])

    def statistics(self, at: float) -> tuple[float, float]:
        spread = math.log1p(math.exp(-abs(at)))
        return min(at, 0.0) - spread, min(-at, 0.0) - spread

    def limits(self) -> Interval:
        return self.constant, self.constant

    def renyi(self, order: float) -> float:
        return float(kernels.beta_renyi(*self.four, order))

    def _excess(self, level: float, intervals: list[Interval]) -> Any:
        if level != 0 or abs(self.powers[0]) != 1 or sum(self.powers) != 0 or len(intervals) != 1:
            return super()._excess(level, intervals)
        # one success more: x^a (1 - x)^(b - 1) / (a B(a, b)) lies between both distribution functions
        (at,) = filter(math.isfinite, intervals[0])
        a, b = min(self.four[0], self.four[2]), max(self.four[1], self.four[3])
        left, right = -(1 + (-arb(at)).exp()).log(), -(1 + arb(at).exp()).log()
        among = a * left + (b - 1) * right - arb(a).log()
        return (among - kernels.log_partition([arb(a), arb(b)])).exp()

    def ball(self, which: int, low: float, high: float) -> Any:
        a, b = self.four[2 * which : 2 * which + 2]
        centre = math.log(a / b)

        def below(x: float) -> Any:
            return (
                (1 / (1 + (-arb(x)).exp())).beta_lower(a, b, regularized=1)
                if (math.isfinite(x))
                else arb(0)
            )

        def above(x: float) -> Any:
            return (
                (1 / (1 + arb(x).exp())).beta_lower(b, a, regularized=1)
                if (math.isfinite(x))
                else arb(0)
            )

        if low >= centre:
            return above(low) - above(high)
        if high <= centre:
            return below(high) - below(low)
        return 1 - below(low) - above(high)

    def mass(self, which: int, low: float, high: float) -> float:
        a, b = self.four[2 * which : 2 * which + 2]
        centre = math.log(a / b)

        def below(x: float, a: float, b: float) -> float:
            return float(betainc(a, b, 1 / (1 + math.exp(min(-x, 709.0)))))

        if low >= centre:
            return below(-low, b, a) - below(-high, b, a)
        if high <= centre:
            return below(high, a, b) - below(low, a, b)
        return 1 - below(low, a, b) - below(-high, b, a)


class _Dirichlets:
    def __init__(self, P: Dirichlet, Q: Dirichlet) -> None:
        self.first, self.second = (
            [_float("concentration", g, positive=True) for g in distribution.concentration]
            for distribution in (P, Q)
        )
        if len(self.first) != len(self.second):
            raise ValueError(
                "P and Q must have the same number of cells, "
                f"got {len(self.first)} and {len(self.second)}"
            )
        self.most = float(kernels.dirichlet_max_log_ratio(self.first, self.second))
        pairs = list(zip(self.first, self.second, strict=True))
        moved = [i for i, (g, h) in enumerate(pairs) if g != h]
        self.betas: _Betas | None = None
        if len(pairs) == 2 or not moved:
            self.betas = _Betas.of(*self.first[:2], *self.second[:2])
        elif len(moved) == 1:
            (g, h), rest = (
                pairs[moved[0]],
                math.fsum(g for i, (g, _) in enumerate(pairs) if i != moved[0]),
            )
            self.betas = _Betas.of(g, rest, h, rest)
        elif len(moved) == 2:
            (g, h), (k, m) = (pairs[i] for i in moved)
            if arb(g) + arb(k) == arb(h) + arb(m):
                self.betas = _Betas.of(g, k, h, m)

    @property
    def tests(self) -> bool:
        return self.betas is not None

    def _line(self) -> _Betas:
        if self.betas is None:
            raise ValueError(
                "delta and tests of Dirichlet distributions are available where they differ in one cell, or "
                "in two cells whose sum is the same; use renyi, kl and hellinger"
            )
        return self.betas

    def renyi(self, order: float) -> float:
        return float(kernels.dirichlet_renyi(self.first, self.second, order))

    def deltas(self, levels: Floats) -> list[float] | Floats:
        return self._line().deltas(levels)

    def epsilon(self, delta: float) -> float:
        return self._line().epsilon(delta)

    def trade_off(self, alpha: float) -> float:
        return self._line().trade_off(alpha)


class _Finites:
    """Two distributions on the same places, by masses and their logarithms."""

    tests = True

    def __init__(
        self,
        p: Floats,
        q: Floats,
        ratio: Floats | None = None,
        logs: tuple[Floats, Floats] | None = None,
    ) -> None:
        self.p, self.q = p, q
        if ratio is None:
            pairs = zip(p.tolist(), q.tolist(), strict=True)
            ratio = np.array([kernels.log_ratio(a, b) for a, b in pairs])
        self.ratio = ratio
        if logs is None:
            with np.errstate(divide="ignore"):
                logs = np.log(p), np.log(q)
        self.log_p, self.log_q = logs
        self.most = self.renyi(INFINITY)

    def renyi(self, order: float) -> float:
        return float(kernels.finite_renyi(self.log_p, self.log_q, self.ratio, order))

    def deltas(self, levels: Floats) -> list[float] | Floats:
        return [float(kernels.finite_delta(self.p, self.q, self.ratio, level)) for level in levels]

    @cached_property
    def rank(self) -> NDArray[np.intp]:
        """The places, in order from the largest ratio down."""
        return np.argsort(-self.ratio, kind="stable")

    def epsilon(self, delta: float) -> float:
        if self.deltas(np.zeros(1))[0] <= delta:
            return 0.0
        first = np.cumsum(self.p[self.rank])
        second = np.logaddexp.accumulate(self.log_q[self.rank])  # masses may be below the doubles
        over = first > delta
        if np.isneginf(second[over]).any():
            return INFINITY
        # delta(epsilon) is the largest over k of first - exp(epsilon + second)
        return max(float((np.log(first[over] - delta) - second[over]).max()), 0.0)

    def trade_off(self, alpha: float) -> float:
        turned = self.rank[::-1]  # decide for Q where p / q is small
        p, q = self.p[turned], self.q[turned]
        errors = np.concatenate([[0.0], np.cumsum(p)])
        missed = np.concatenate([np.cumsum(q[::-1])[::-1], [0.0]])
        i = min(int(np.searchsorted(errors, alpha, side="right")), p.size) - 1
        share = 1.0 if p[i] == 0 else min((alpha - errors[i]) / p[i], 1.0)
        return float(min(missed[i + 1] + (1 - share) * q[i], 1.0))


def _discrete(P: Distribution, Q: Distribution) -> _Finites:
    if isinstance(P, Binomial) and isinstance(Q, Binomial) and P.n == Q.n:
        n = int(P.n)
        (p, log_p), (q, log_q) = _masses(P), _masses(Q)
        (a, b), (c, d) = _chances(P), _chances(Q)
        k = np.arange(n + 1)
        with np.errstate(invalid="ignore"):
            up, down = float(kernels.log_ratio(a, c)), float(kernels.log_ratio(b, d))
            ratio = np.where(k > 0, k * up, 0.0) + np.where(k < n, (n - k) * down, 0.0)
        ratio[(log_p == -INFINITY) & (log_q == -INFINITY)] = 0.0
        return _Finites(p, q, ratio, (log_p, log_q))
    size = max(_size(P), _size(Q))
    tables = [_masses(distribution) for distribution in (P, Q)]
    p, q = (np.pad(mass, (0, size - mass.size)) for mass, _ in tables)
    log_p, log_q = (
        np.pad(logs, (0, size - logs.size), constant_values=-INFINITY) for _, logs in tables
    )
    near = (p > 1e-300) & (q > 1e-300)
    far = np.subtract(log_p, log_q, out=np.zeros(size), where=np.isfinite(log_p + log_q))
    far[(log_p > -INFINITY) & (log_q == -INFINITY)] = INFINITY
    far[(log_p == -INFINITY) & (log_q > -INFINITY)] = -INFINITY
    pairs = zip(p.tolist(), q.tolist(), far.tolist(), near.tolist(), strict=True)
    ratio = np.array([kernels.log_ratio(a, b) if n else f for a, b, f, n in pairs])
    return _Finites(p, q, ratio, (log_p, log_q))


def _size(distribution: Distribution) -> int:
    return int(distribution.support[1]) + 1


def _chances(distribution: Bernoulli | Binomial) -> Interval:
    """Probability of a success and of a failure."""
    return float(distribution.p), float(1 - distribution.p)


def _masses(distribution: Distribution) -> tuple[Floats, Floats]:
    """Masses on 0, 1, ... and their logarithms."""
    if isinstance(distribution, Binomial):
        n = int(distribution.n)
        if n > MOST_TRIALS:
            raise ValueError(f"n must be <= {MOST_TRIALS} in a profile, got {n}")
        up, down = _chances(distribution)
        if up == 0 or down == 0:
            mass = np.zeros(n + 1)
            mass[0 if up == 0 else n] = 1.0
        else:
            with ctx.workprec(128):
                odds = arb(up) / down
                one = arb(down) ** n
                balls = [one]
                for k in range(n):
                    one = one * odds * (n - k) / (k + 1)
                    balls.append(one)
                return (
                    np.array([float(ball.mid()) for ball in balls]),
                    np.array([float(ball.log().mid()) for ball in balls]),
                )
    elif isinstance(distribution, Bernoulli):
        mass = np.array(_chances(distribution)[::-1])
    else:
        assert isinstance(distribution, Finite)
        mass = np.array([float(p) for p in distribution.probabilities])
    with np.errstate(divide="ignore"):
        return mass, np.log(mass)


def _grids(P: Grid, Q: Grid) -> _Finites:
    if not np.array_equal(P.points, Q.points):
        raise ValueError("P and Q must be on the same points")
    return _Finites(P.masses, Q.masses)
