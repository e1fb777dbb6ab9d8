"""The bound of theorem 2 against the radius of the ball and the dimension."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import chndtr

from dpbook.engine.language.card import Described
from dpbook.langevin.theory.ball_averages import IsotropicNormal, volume
from dpbook.langevin.theory.wasserstein import best_shift, by_lipschitz, parts
from dpbook.privacy.reading import count, number
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["WassersteinCurve", "WassersteinRegion", "wasserstein_curve", "wasserstein_region"]

Floats = NDArray[np.float64]
Bound = Callable[[Floats], Floats]

RADII = np.geomspace(0.01, 10.0, 181)
SMALL = 60  # the place of radius 1/10 in it
FARTHEST = 3.0  # in root mean squares; SciPy is right to 1e-14 there, and 0 in far tails
MOST_DIMENSIONS = 20


def _averages(dimension: int, away: float, radius: Floats) -> Floats:
    """Ball averages of the standard normal distribution, `away` root mean squares from its centre."""
    mass = chndtr(radius**2, dimension, away**2 * dimension)
    return np.asarray(mass / volume(dimension, radius))


def _setting(dimension: int, away: float) -> tuple[IsotropicNormal, Floats, Floats]:
    """Return the normal distribution, its averages at the radii, and its Lipschitz bounds alone."""
    distribution = IsotropicNormal((0.0,) * dimension, 1.0)
    return (
        distribution,
        _averages(dimension, away, RADII),
        by_lipschitz(distribution.lipschitz, dimension, RADII),
    )


def _bounds(distribution: IsotropicNormal, q: Floats) -> tuple[Bound, Bound]:
    """Bound of theorem 2 at the radii for given distances: as printed, and by Chebyshev."""

    def total(shift: Floats, moved: Floats) -> Floats:
        fits = shift < RADII
        inside = np.where(fits, shift, RADII / 2)
        factor, ring, mass = parts(
            RADII, inside, moved, distribution.lipschitz, distribution.dimension
        )
        return np.where(fits, factor * q + ring + mass, np.inf)

    def printed(distance: Floats) -> Floats:
        epsilon = np.sqrt(distance)
        return total(epsilon, epsilon)

    def sharp(distance: Floats) -> Floats:
        shift = best_shift(q, RADII, distance, distribution.lipschitz, distribution.dimension)
        return total(shift, (distance / shift) ** 2)

    return printed, sharp


def _away(away: float) -> float:
    away = number("away", away, ">= 0")
    if away > FARTHEST:
        raise ValueError(f"away must be <= {FARTHEST:g}, got {away:g}")
    return away


@dataclass(frozen=True)
class WassersteinCurve(Described):
    """Bounds on the ratio of two ball averages p_lambda(x) / q_lambda(x), against the radius.

    q is the standard normal distribution on R^d, and p any distribution whose density has the same Lipschitz
    constant. Lengths are in standard deviations of q.

    Attributes
    ----------
    distance : float
        2-Wasserstein distance of the distributions.
    dimension : int
    away : float
        Distance of x from the centre of q in root mean squares, sqrt(d) standard deviations.
    radius, printed, sharp, alone : tuple of float
        Bounds by theorem 2 as printed, by Chebyshev's inequality at the best shift, and by the
        Lipschitz constant alone; infinite where theorem 2 does not apply.
    """

    distance: float
    dimension: int
    away: float
    radius: tuple[float, ...]
    printed: tuple[float, ...]
    sharp: tuple[float, ...]
    alone: tuple[float, ...]

    @property
    def informative(self) -> tuple[float, ...]:
        """Radii at which theorem 2 says more than the Lipschitz constant alone."""
        rows = zip(self.radius, self.printed, self.alone, strict=True)
        return tuple(radius for radius, bound, alone in rows if bound < alone)

    @property
    def factor(self) -> float:
        """The factor in front of q_lambda(x), at the radius of the least ratio as printed."""
        radius, epsilon = self._least(self.printed)[0], math.sqrt(self.distance)
        return (radius / (radius - epsilon)) ** self.dimension if epsilon < radius else math.inf

    def _least(self, bounds: tuple[float, ...]) -> tuple[float, float]:
        place = min(range(len(bounds)), key=bounds.__getitem__)
        return self.radius[place], bounds[place]

    def __repr__(self) -> str:
        return (
            f"WassersteinCurve(distance={self.distance:g}, dimension={self.dimension}, "
            f"away={self.away:g}, printed={self._least(self.printed)[1]:.4g}, "
            f"sharp={self._least(self.sharp)[1]:.4g})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        radius, ratio = self._least(self.printed)
        wide, sharp = self._least(self.sharp)
        if math.isfinite(ratio):
            said = (
                f"Theorem 2 bounds it by {ratio:.4g} at best, with radius {radius:.3g}, where the "
                f"factor of the volumes is {self.factor:.4g}; Chebyshev's inequality and the best "
                f"shift give {sharp:.4g}, with radius {wide:.3g}."
            )
        else:
            said = "Theorem 2 needs a larger radius."
        known = self.informative
        more = (
            f"It says more than the Lipschitz constant alone for radii from {known[0]:.3g} to "
            f"{known[-1]:.3g}."
            if known
            else "At no radius it says more than the Lipschitz constant alone."
        )
        return (
            f"The ratio of the ball averages of two densities on R^{self.dimension}, against the "
            f"radius: a normal one, and one of the same Lipschitz constant at Wasserstein distance "
            f"{self.distance:g}, "
            f"{self.away:g} root mean squares from the centre; lengths in standard deviations. "
            f"{said} {more}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the three bounds."""
        ax = ax or figures.axes()
        for bounds, label in (
            (self.printed, "theorem 2"),
            (self.sharp, "by Chebyshev, best shift"),
            (self.alone, "Lipschitz constant alone"),
        ):
            ax.plot(self.radius, [b if math.isfinite(b) else math.nan for b in bounds], label=label)
        ax.axhline(1, color="#767676", linewidth=0.8, linestyle=":")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_ylim(0.8, max(10.0, 3 * self.alone[0]))
        ax.minorticks_off()
        ax.set_xlabel("radius of the ball, in standard deviations")
        ax.set_ylabel("ratio of the averages, at most")
        ax.legend()
        return ax


def wasserstein_curve(
    distance: float, *, dimension: int = 1, away: float = 1.0
) -> WassersteinCurve:
    """Return the bound of theorem 2 on the ratio of two densities, for balls of all radii.

    Parameters
    ----------
    distance : float
        2-Wasserstein distance, > 0, in standard deviations of the second distribution, a normal one.
    dimension : int
        1 to 20.
    away : float
        Distance of the point from the centre of the normal distribution in root mean squares, sqrt(d)
        standard deviations; 0 to 3.

    Returns
    -------
    WassersteinCurve

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    langevin:theorem-2-corrected with epsilon the root of the distance, and `theorem_2_bound` with the best
    shift. The Lipschitz constant of both is that of the normal density.

    Examples
    --------
    >>> wasserstein_curve(0.1)
    WassersteinCurve(distance=0.1, dimension=1, away=1, printed=2.469, sharp=1.935)
    """
    distance = number("distance", distance, "> 0")
    dimension = count("dimension", dimension, most=MOST_DIMENSIONS)
    away = _away(away)
    distribution, q, alone = _setting(dimension, away)
    printed, sharp = (bound(np.full(RADII.shape, distance)) for bound in _bounds(distribution, q))
    ratios = (tuple((bound / q).tolist()) for bound in (printed, sharp, alone))
    return WassersteinCurve(distance, dimension, away, tuple(RADII.tolist()), *ratios)


@dataclass(frozen=True)
class WassersteinRegion:
    """Largest Wasserstein distance at which theorem 2 says something, against the radius.

    The setting is that of `WassersteinCurve`.

    Attributes
    ----------
    away : float
    ratio : float or None
        A bound counts where it is below what the Lipschitz constant says alone, and the ratio of
        the averages is at most this.
    dimensions : tuple of int
    radius : tuple of float
    printed, sharp : tuple of tuple of float
        For each dimension the largest distances, one for each radius: as printed, and by
        Chebyshev's inequality at the best shift. 0 where the ball holds all but 1e-12 of the
        mass, so that there is nothing left to say.
    """

    away: float
    ratio: float | None
    dimensions: tuple[int, ...]
    radius: tuple[float, ...]
    printed: tuple[tuple[float, ...], ...]
    sharp: tuple[tuple[float, ...], ...]

    def _rows(self) -> list[tuple[int, float, float, float, float, float]]:
        """Of each dimension the best radius, distance and factor there, and two more distances."""
        found = []
        for d, printed, sharp in zip(self.dimensions, self.printed, self.sharp, strict=True):
            place = max(range(len(printed)), key=printed.__getitem__)
            radius, most = self.radius[place], printed[place]
            factor = (radius / (radius - math.sqrt(most))) ** d
            found.append((d, radius, most, factor, printed[SMALL], max(sharp)))
        return found

    def __repr__(self) -> str:
        said = ", ".join(f"d={d}: {most:.3g}" for d, _, most, *_ in self._rows())
        ratio = "" if self.ratio is None else f", ratio={self.ratio:g}"
        return f"WassersteinRegion(away={self.away:g}{ratio}, {said})"

    def _repr_html_(self) -> str:
        heads = ("d", "distance at most", "radius", "factor", "at radius 0.1", "by Chebyshev")
        rows = ((d, most, radius, *rest) for d, radius, most, *rest in self._rows())
        return figures.html_table([dict(zip(heads, row, strict=True)) for row in rows], digits=3)

    def describe(self) -> str:
        """Return the words for the picture."""
        said = "; ".join(
            f"d = {d}: {most:.3g}, with radius {radius:.3g} and a factor of {factor:.3g}, "
            f"and {small:.3g} with radius 0.1 (by Chebyshev {sharp:.3g} at best)"
            for d, radius, most, factor, small, sharp in self._rows()
        )
        level = "" if self.ratio is None else f" and bounds the ratio by {self.ratio:g}"
        return (
            f"Largest Wasserstein distance from a normal distribution at which theorem 2 says more of a ball "
            f"average than the Lipschitz constant alone{level}, against the radius of the ball, "
            f"{self.away:g} root mean squares from the centre; lengths in standard deviations. At "
            f"most, {said}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the largest distance for each dimension; below a line theorem 2 says something."""
        ax = ax or figures.axes()
        for d, distances in zip(self.dimensions, self.printed, strict=True):
            (line,) = ax.plot(self.radius, distances, label=f"d = {d}")
            ax.fill_between(self.radius, distances, 1e-300, color=line.get_color(), alpha=0.12)
        ax.set_xscale("log")
        ax.set_yscale("log")
        most = max(map(max, self.printed))
        ax.set_ylim(min(most * 1e-10, max(row[SMALL] for row in self.printed[-1:])), 10 * most)
        ax.minorticks_off()
        ax.set_xlabel("radius of the ball, in standard deviations")
        ax.set_ylabel("Wasserstein distance at most")
        ax.legend()
        return ax


def wasserstein_region(
    *, away: float = 1.0, ratio: float | None = None, dimensions: tuple[int, ...] = (1, 2, 3)
) -> WassersteinRegion:
    """Find the largest Wasserstein distance at which theorem 2 says something.

    Parameters
    ----------
    away : float
        As for `wasserstein_curve`.
    ratio : float, optional
        > 1. Ask also that the ratio of the averages is bounded by it.
    dimensions : tuple of int
        Each 1 to 20.

    Returns
    -------
    WassersteinRegion

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    langevin:theorem-2-corrected against `lipschitz_bound`. For a ball of a small radius r the distance has to
    be of the order r**(2 d): the factor grows with d, and the mass that moves farther is spread
    over the volume of the ball.

    Examples
    --------
    >>> region = wasserstein_region(dimensions=(1,))
    >>> region.dimensions
    (1,)
    """
    away = _away(away)
    if ratio is not None and not number("ratio", ratio, "> 0") > 1:
        raise ValueError(f"ratio must be > 1, got {ratio}")
    read = tuple(count("every dimension", d, most=MOST_DIMENSIONS) for d in dimensions)
    if not read:
        raise ValueError("dimensions must hold at least one, got none")
    largest = []
    for d in read:
        distribution, q, alone = _setting(d, away)
        level = alone if ratio is None else np.minimum(alone, ratio * q)
        rows = (_largest_distance(bound, level) for bound in _bounds(distribution, q))
        largest.append([np.where(level > q * (1 + 1e-12), row, 0.0) for row in rows])
    printed, sharp = (
        tuple(tuple(row.tolist()) for row in rows) for rows in zip(*largest, strict=True)
    )
    return WassersteinRegion(away, ratio, read, tuple(RADII.tolist()), printed, sharp)


def _largest_distance(bound: Bound, level: Floats) -> Floats:
    """For each radius the distance up to which a bound, which grows with it, stays below a level."""
    low, high = np.full(RADII.shape, -300.0), np.full(RADII.shape, 10.0)
    for _ in range(60):
        middle = (low + high) / 2
        below = bound(np.exp(middle)) < level
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray(np.exp(low))
