"""Bound two densities at a small Wasserstein distance: theorem 2 of section 5."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from dpbook.engine.language.card import Described
from dpbook.engine.language.domain import DomainError
from dpbook.langevin.theory.ball_averages import IsotropicNormal, as_normal, volume
from dpbook.privacy.reading import count, number

if TYPE_CHECKING:
    from dpbook.privacy.distributions import Distribution

__all__ = [
    "DensityBound",
    "lipschitz_bound",
    "smoothing_error",
    "theorem_2_bound",
    "wasserstein_2",
]


def wasserstein_2(
    first: IsotropicNormal | Distribution, second: IsotropicNormal | Distribution
) -> float:
    """2-Wasserstein distance of two normal distributions.

    Parameters
    ----------
    first, second : IsotropicNormal, or `dpbook.privacy.distributions.Normal`
        In one dimension d.

    Raises
    ------
    ValueError
        Distributions that are not normal, or not of one dimension.

    Notes
    -----
    Its square is the squared distance of the means plus d times that of the standard deviations.

    Examples
    --------
    >>> wasserstein_2(IsotropicNormal((0.0,), 1.0), IsotropicNormal((3.0,), 5.0))
    5.0
    """
    P, Q = as_normal(first), as_normal(second)
    if P is None or Q is None:
        raise ValueError(
            f"first and second must be normal distributions, got {first!r} and {second!r}"
        )
    if P.dimension != Q.dimension:
        raise ValueError(
            f"first and second must be of one dimension, got {P.dimension} and {Q.dimension}"
        )
    return math.hypot(math.dist(P.mean, Q.mean), math.sqrt(P.dimension) * (P.sd - Q.sd))


# --- what Lipschitz constants and the distance say ------------------------------------------------


def smoothing_error(lipschitz: float, radius: float, dimension: int | None = None) -> float:
    """Bound the distance of a ball average from the density in the middle.

    Parameters
    ----------
    lipschitz : float
        Lipschitz constant of the density, >= 0.
    radius : float
        >= 0.
    dimension : int, optional
        >= 1. Without it the bound of the paper, which serves in every dimension; with it the mean
        distance from the middle in place of the radius, which is attained.

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    langevin:claim-5.1.

    Examples
    --------
    >>> smoothing_error(2.0, 0.1)
    0.2
    """
    lipschitz, radius = number("lipschitz", lipschitz, ">= 0"), number("radius", radius, ">= 0")
    if dimension is None:
        return lipschitz * radius
    dimension = count("dimension", dimension)
    return lipschitz * radius * dimension / (dimension + 1)


def lipschitz_bound(lipschitz: float, dimension: int, radius: float = 0.0) -> float:
    """Largest ball average of any density with a Lipschitz constant; of radius 0 its peak.

    Parameters
    ----------
    lipschitz : float
        > 0.
    dimension : int
        >= 1.
    radius : float
        >= 0.

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    What theorem 2 has to undercut. A cone attains it: of all such functions with a given average
    it has the least mass outside the ball. A ball as wide as the cone can hold all of the mass.

    Examples
    --------
    >>> round(lipschitz_bound(2.0, 3), 6)
    1.662514
    """
    lipschitz = number("lipschitz", lipschitz, "> 0")
    dimension = count("dimension", dimension)
    return float(by_lipschitz(lipschitz, dimension, number("radius", radius, ">= 0")))


def by_lipschitz(lipschitz: float, dimension: int, radius: Any) -> Any:
    """`lipschitz_bound` for arrays of radii; nothing is validated."""
    d = dimension
    peak = lipschitz ** (d / (d + 1)) * ((d + 1) / volume(d, 1.0)) ** (1 / (d + 1))
    inside = peak - lipschitz * radius * d / (d + 1)
    wide = np.maximum(radius, peak / lipschitz)
    return np.where(radius < wide, inside, 1 / volume(d, wide))


@dataclass(frozen=True)
class DensityBound(Described):
    """Return an upper bound on a ball average of a density, from the ball average of a density close to it.

    Attributes
    ----------
    value : float
        ``factor * q_average + from_lipschitz + from_distance``.
    factor : float
        What the other average is multiplied by: the ratio of the volumes of two balls.
    from_lipschitz, from_distance : float
        What the ring between the balls adds, and what the mass that moves farther adds.
    alone : float
        What the Lipschitz constant says without the other density; see `lipschitz_bound`.
    claim : str
    """

    value: float
    factor: float
    from_lipschitz: float
    from_distance: float
    alone: float
    claim: str

    @property
    def says_something(self) -> bool:
        """Say whether it is below the bound by the Lipschitz constant alone."""
        return self.value < self.alone

    def __repr__(self) -> str:
        return (
            f"DensityBound(value={self.value:.6g}, factor={self.factor:.6g}, "
            f"says_something={self.says_something})"
        )

    def describe(self) -> str:
        """Return the bound in words."""
        which = "below" if self.says_something else "not below"
        return (
            f"The ball average is at most {self.value:.4g}: {self.factor:.4g} times the other one, "
            f"plus {self.from_lipschitz:.4g} for the ring and {self.from_distance:.4g} for the mass "
            f"that moves farther. That is {which} what the Lipschitz constant says alone, "
            f"{self.alone:.4g}."
        )


def theorem_2_bound(
    *,
    q_average: float,
    radius: float,
    epsilon: float,
    lipschitz: float,
    dimension: int,
    shift: float | Literal["best"] | None = None,
) -> DensityBound:
    """Bound on the ball average p_lambda(x) of a density, from q_lambda(x) of one close to it.

    Parameters
    ----------
    q_average : float
        q_lambda(x), >= 0.
    radius : float
        Of the ball, lambda; > epsilon.
    epsilon : float
        The 2-Wasserstein distance is below epsilon**2; > 0.
    lipschitz : float
        Of both densities, > 0.
    dimension : int
        >= 1.
    shift : float or "best", optional
        By how much the radii of the two balls differ, in (0, radius). Without it epsilon, and the
        mass that moves farther is at most epsilon (Markov's inequality), as printed. With it that
        mass is at most epsilon**4 / shift**2 (Chebyshev's), which depends on no unit of length.

    Returns
    -------
    DensityBound

    Raises
    ------
    ValueError
        A number outside its range.
    DomainError
        A radius that does not exceed epsilon, or the shift.

    Notes
    -----
    langevin:theorem-2-corrected: the refuted langevin:theorem-2 does not state the condition on the
    radius. It bounds the density itself by way of `smoothing_error`, once for each distribution.

    Examples
    --------
    >>> theorem_2_bound(q_average=0.2, radius=0.5, epsilon=0.1, lipschitz=2.0, dimension=1)
    DensityBound(value=0.875, factor=1.25, says_something=True)
    """
    claim = "langevin:theorem-2-corrected"
    q = number("q_average", q_average, ">= 0")
    radius, epsilon = number("radius", radius, "> 0"), number("epsilon", epsilon, "> 0")
    lipschitz, d = number("lipschitz", lipschitz, "> 0"), count("dimension", dimension)
    if shift is None:
        apart, moved = epsilon, epsilon
        if not radius > epsilon:
            raise DomainError(f"{claim} needs radius > epsilon = {epsilon:g}, got {radius:g}")
    else:
        if shift == "best":
            apart = float(best_shift(q, radius, epsilon * epsilon, lipschitz, d))
        else:
            apart = number("shift", shift, "> 0")
        if not radius > apart:
            raise DomainError(f"{claim} needs radius > shift = {apart:g}, got {radius:g}")
        root = epsilon * (epsilon / apart)
        moved = root * root
    factor, ring, mass = (float(part) for part in parts(radius, apart, moved, lipschitz, d))
    alone = float(by_lipschitz(lipschitz, d, radius))
    return DensityBound(factor * q + ring + mass, factor, ring, mass, alone, claim)


@np.errstate(over="ignore", divide="ignore")
def parts(radius: Any, shift: Any, moved: Any, lipschitz: float, dimension: int) -> Any:
    """The factor and both other terms of theorem 2, for arrays; nothing is validated."""
    inner = radius - shift
    growth = dimension * np.log1p(shift / inner)
    return (
        np.exp(growth),
        np.expm1(growth) * 2 * radius * lipschitz,
        moved / volume(dimension, inner),
    )


@np.errstate(over="ignore", divide="ignore")
def best_shift(q: Any, radius: Any, distance: Any, lipschitz: float, dimension: int) -> Any:
    """Shift at which the bound by Chebyshev's inequality is least, for arrays.

    With s = shift / radius the bound is (1 - s)**-d (A + B / s**2) up to a constant; its derivative
    vanishes at the one root > 0 of the cubic d A s**3 + (d + 2) B s - 2 B.
    """
    A = q + 2 * radius * lipschitz
    root_of_B = distance / (radius * np.sqrt(volume(dimension, radius)))
    scale = 2 * root_of_B * np.sqrt((dimension + 2) / (3 * dimension * A))
    scale = np.clip(scale, 1e-300, 1e150)  # beyond, the root is near its limits 0 and 2 / (d + 2)
    return radius * scale * np.sinh(np.arcsinh(6 / ((dimension + 2) * scale)) / 3)
