"""Ball averages of densities, in closed form or by quadrature (section 5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import acb, arb, ctx
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import cubature
from scipy.special import gammaln, roots_legendre

from dpbook.engine.language.card import Described
from dpbook.privacy.accounting.enclosure import round_down, round_up
from dpbook.privacy.distributions import Normal
from dpbook.privacy.reading import count, number

if TYPE_CHECKING:
    from dpbook.privacy.distributions import Distribution

__all__ = [
    "BallAverage",
    "IsotropicNormal",
    "ball_average",
    "ball_volume",
]

Floats = NDArray[np.float64]
Density = Callable[[Floats], ArrayLike]

ACCURACY = 60  # bits of a certified average
MOST_BITS = 4096
TOLERANCE = 1e-11  # relative, at which rules for functions stop to grow
ROUNDING = 1e-13  # relative error, granted to values of a function
SIZES = {2: (8, 16, 32, 64, 128, 256, 512), 3: (8, 16, 32, 64)}


# --- balls and normal distributions ------------------------------------------------------------------------


def ball_volume(dimension: int, radius: float) -> float:
    """Volume of a ball.

    Parameters
    ----------
    dimension : int
        >= 1.
    radius : float
        >= 0.

    Raises
    ------
    ValueError
        A number outside its range.

    Examples
    --------
    >>> round(ball_volume(2, 1.0), 6)
    3.141593
    """
    dimension = count("dimension", dimension)
    return float(volume(dimension, number("radius", radius, ">= 0")))


@np.errstate(over="ignore", under="ignore")
def volume(dimension: int, radius: Any) -> Any:
    """Volumes of balls, for arrays of radii; nothing is validated."""
    unit = dimension / 2 * math.log(math.pi) - float(gammaln(dimension / 2 + 1))
    return math.exp(unit) * np.power(radius, float(dimension))


@dataclass(frozen=True)
class IsotropicNormal:
    """Normal distribution on R^d with the same standard deviation in each direction.

    Parameters
    ----------
    mean : float or tuple of float
        One coordinate per dimension.
    sd : float
        Standard deviation, > 0.

    Raises
    ------
    ValueError
        A mean that is not finite, a standard deviation <= 0.

    Examples
    --------
    >>> IsotropicNormal((0.0, 0.0), 1.0).sd
    1.0
    """

    mean: tuple[float, ...]
    sd: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", _point("mean", self.mean))
        object.__setattr__(self, "sd", number("sd", self.sd, "> 0"))

    @property
    def dimension(self) -> int:
        """Number of coordinates."""
        return len(self.mean)

    @property
    def peak(self) -> float:
        """Largest value of the density."""
        with np.errstate(over="ignore", under="ignore"):
            return float(np.power(1 / (math.sqrt(math.tau) * self.sd), float(self.dimension)))

    @property
    def lipschitz(self) -> float:
        """Lipschitz constant of the density: its slope one standard deviation from the mean."""
        return self.peak * math.exp(-0.5) / self.sd

    def density(self, at: ArrayLike) -> Floats:
        """Return the density at points, shape (..., d); of a distribution on the line also (...)."""
        points = np.asarray(at, dtype=float)
        if self.dimension == 1 and points.shape[-1:] != (1,):
            points = points[..., None]
        squares = np.sum(((points - self.mean) / self.sd) ** 2, axis=-1)
        return np.asarray(self.peak * np.exp(-squares / 2))


def _point(name: str, value: Any) -> tuple[float, ...]:
    try:
        listed = list(value) if np.ndim(value) else [value]
    except (TypeError, ValueError):
        listed = []
    if not listed:
        raise ValueError(f"{name} must be a number or a list of numbers, got {value!r}")
    return tuple(number(f"every coordinate of {name}", one, "finite") for one in listed)


def as_normal(distribution: Any) -> IsotropicNormal | None:
    """Return a normal distribution on the line or on R^d in one form; None for other distributions."""
    if isinstance(distribution, Normal):
        return IsotropicNormal((float(distribution.mean),), float(distribution.sd))
    return distribution if isinstance(distribution, IsotropicNormal) else None


# --- ball averages --------------------------------------------------------------------------------


@dataclass(frozen=True)
class BallAverage(Described):
    """Mean of a density over a ball: the density after noise that is uniform on the ball.

    Attributes
    ----------
    value : float
    error : float
        How far the truth is from `value` at most; an estimate where it is not certified.
    certified : bool
    """

    value: float
    error: float
    certified: bool

    def __repr__(self) -> str:
        label = "" if self.certified else ", certified=False"
        return f"BallAverage(value={self.value:.6g}, error={self.error:.0e}{label})"

    def describe(self) -> str:
        """Return the average in words."""
        kind = "certified" if self.certified else "estimated"
        return f"Ball average {self.value:.6g}, with an error of at most {self.error:.0e}, {kind}."


def ball_average(
    distribution: IsotropicNormal | Distribution | Density, at: float | ArrayLike, radius: float
) -> BallAverage:
    """Mean of a density over the ball around a point, in one, two or three dimensions.

    Parameters
    ----------
    distribution : IsotropicNormal, `dpbook.privacy.distributions.Normal`, or function
        A function takes points as an array, shape (m,) where `at` is a number and else (m, d),
        and returns the m densities there.
    at : float or sequence of d floats
    radius : float
        > 0.

    Returns
    -------
    BallAverage
        Certified for normal distributions. For a function the error is an estimate, by adaptive quadrature
        or from rules in polar coordinates that double; a peak that is far narrower than the ball
        can be missed.

    Raises
    ------
    ValueError
        A radius <= 0, a dimension above 3 or other than the distribution's, densities that are no finite
        numbers >= 0.

    Notes
    -----
    p_lambda of section 5. For a normal distribution cut into slices the average is one integral over an
    angle, of entire functions, in balls (Arb): no digits are lost in the tails and for radii of
    any size.

    Examples
    --------
    >>> ball_average(IsotropicNormal((0.0,), 1.0), 0.0, 0.5)
    BallAverage(value=0.382925, error=1e-16)
    """
    radius = number("radius", radius, "> 0")
    point = _point("at", at)
    if len(point) > 3:
        raise ValueError(f"at must have 1 to 3 coordinates, got {len(point)}")
    normal = as_normal(distribution)
    if normal is None:
        if not callable(distribution):
            raise ValueError(
                f"distribution must be a normal distribution or a function, got {distribution!r}"
            )
        return _of_a_function(distribution, point, radius, flat=np.ndim(at) == 0)
    if normal.dimension != len(point):
        raise ValueError(f"at must have {normal.dimension} coordinates, got {len(point)}")
    found = _of_a_normal(normal, point, radius)
    low, high = round_down(found), round_up(found)
    value = min(max(float(found), low), high)
    return BallAverage(value, max(high - value, value - low), True)


def _of_a_normal(distribution: IsotropicNormal, at: tuple[float, ...], radius: float) -> arb:
    before, precision = ctx.prec, 128
    try:
        while True:
            ctx.prec = precision
            found = _sliced(distribution, at, radius)
            if found.rel_accuracy_bits() >= ACCURACY or precision >= MOST_BITS:
                return found
            precision *= 2
    finally:
        ctx.prec = before


def _sliced(distribution: IsotropicNormal, at: tuple[float, ...], radius: float) -> arb:
    """Average at the current precision: slices across the way from the mean to the point.

    A slice at r sin(angle) from the centre is a ball of one dimension less and radius r
    cos(angle); its mass is that of a chi distribution. Lengths are in standard deviations, and the largest
    density in the ball stands in front.
    """
    sd, r, d = arb(distribution.sd), arb(radius) / arb(distribution.sd), distribution.dimension
    away = (
        sum(
            ((arb(x) - arb(m)) ** 2 for x, m in zip(at, distribution.mean, strict=True)), arb(0)
        ).sqrt()
        / sd
    )
    nearest = arb.max(away - r, arb(0))

    def slice_at(angle: acb, _: bool) -> acb:
        along, across = away + r * angle.sin(), r * angle.cos()
        mass: acb = {
            1: lambda: acb(1),
            2: lambda: (across / arb(2).sqrt()).erf(),
            3: lambda: -(-(across**2) / 2).expm1(),
        }[d]()
        return ((nearest - along) * (nearest + along) / 2).exp() * mass * angle.cos() / r ** (d - 1)

    total = acb.integral(slice_at, -arb.pi() / 2, arb.pi() / 2).real
    unit = {1: arb(2), 2: arb.pi(), 3: 4 * arb.pi() / 3}[d]
    return total * (-(nearest**2) / 2).exp() / ((2 * arb.pi()).sqrt() * unit * sd**d)


def _of_a_function(
    density: Density, at: tuple[float, ...], radius: float, *, flat: bool
) -> BallAverage:
    centre = np.array(at)

    def densities(unit: Floats) -> Floats:
        points = centre + radius * unit
        found = np.asarray(density(points[:, 0] if flat else points), dtype=float)
        if found.shape != unit.shape[:1] or not (np.isfinite(found) & (found >= 0)).all():
            raise ValueError(
                f"distribution must return {len(unit)} finite densities >= 0 for as many points, "
                f"got shape {found.shape}"
            )
        return found

    if len(at) == 1:
        found = cubature(lambda u: densities(u) / 2, [-1], [1], rule="gk21", rtol=TOLERANCE)
        value, error = float(found.estimate), float(found.error)
    else:
        value = error = math.inf
        for size in SIZES[len(at)]:
            unit, weights = _polar(len(at), size)
            before, value = value, float(weights @ densities(unit))
            error = abs(value - before)
            if error <= TOLERANCE * value:
                break
    return BallAverage(value, error + ROUNDING * value, False)


@lru_cache(maxsize=4)
def _polar(dimension: int, size: int) -> tuple[Floats, Floats]:
    """Points of the unit ball and weights that add up to 1; exact for polynomials of low degree."""
    nodes, masses = (np.asarray(part) for part in roots_legendre(size))
    r, shell = (nodes + 1) / 2, masses / 2
    angle = np.arange(2 * size) * (math.pi / size)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    if dimension == 2:
        unit = r[:, None, None] * circle
        weights = np.broadcast_to((shell * 2 * r)[:, None] / (2 * size), unit.shape[:2])
    else:
        side = np.sqrt(1 - nodes**2)[:, None, None] * circle
        height = np.broadcast_to(nodes[:, None, None], (*side.shape[:2], 1))
        unit = r[:, None, None, None] * np.concatenate([side, height], axis=-1)
        ring = np.multiply.outer(shell * 3 * r**2, masses / 2)
        weights = np.broadcast_to(ring[..., None] / (2 * size), unit.shape[:3])
    return unit.reshape(-1, dimension), weights.ravel()
