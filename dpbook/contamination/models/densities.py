"""Contamination densities g: public, and with support everywhere."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import gammaln

from dpbook.contamination.models.likelihoods import Likelihood
from dpbook.privacy.reading import number

Floats = NDArray[np.float64]

__all__ = ["BernoulliDensity", "CauchyDensity", "ContaminationDensity", "StudentTDensity"]

AROUND = np.sinh(np.linspace(-14.5, 14.5, 2001))  # scales from the centre: to 10**6 on both sides

WIDTH = 0.01
WIDTHS = np.exp(np.arange(-30.0, 300.0, WIDTH))  # away from the centre


class ContaminationDensity(ABC):
    """Density that replaces records; subclass it for one of your own.

    Attributes
    ----------
    values : tuple of float or None
        As of `Likelihood`.
    centre : float
        Where it is centred; of a regression, relative to what `coefficients` add.
    coefficients : tuple of float or None
        In a regression its centre is centre + w'coefficients; it may depend on covariates, which
        are public here, and on nothing else (Section 4.3).
    """

    values: ClassVar[tuple[float, ...] | None] = None
    centre: float = 0.0
    coefficients: tuple[float, ...] | None = None

    @abstractmethod
    def log_density(self, x: Floats, centre: Floats) -> Floats:
        """Log of g(x), with one centre for each record or one for all."""

    @abstractmethod
    def draw(self, centre: Floats, rng: Generator) -> Floats:
        """Draw one record for each centre."""

    def centres(self, n: int, covariates: Floats | None = None) -> Floats:
        """Centre of each of n records, shape (n,).

        Raises
        ------
        ValueError
            Not as many coefficients as covariates, or one that is not finite.
        """
        if covariates is None or self.coefficients is None:
            return np.full(n, self.centre)
        self.check_coefficients(covariates.shape[1])
        found: Floats = self.centre + covariates @ np.asarray(self.coefficients)
        return found

    def check_coefficients(self, d: int) -> None:
        """See that there are as many coefficients as covariates.

        Raises
        ------
        ValueError
            There are not, or one is not finite.
        """
        if self.coefficients is None:
            return
        found = np.asarray(self.coefficients, dtype=float)
        if found.shape != (d,) or not np.isfinite(found).all():
            raise ValueError(
                f"coefficients of {type(self).__name__} must be {d} finite numbers, one for each "
                f"covariate, got {self.coefficients!r:.60}; give {d}, or None for a centre that does "
                "not depend on covariates"
            )

    def check_support(self, likelihood: Likelihood) -> None:
        """See that g is a density on the records of a likelihood, positive wherever one may be.

        Raises
        ------
        ValueError
            It is 0 at a point, which the message names; its mass is not 1; or it is on other values
            than the model.

        Notes
        -----
        A gap in the support is found where it is wider than 0.015 scales near the centre, or 0.015
        of its distance farther away; a mass where it is off by 0.005. Of the densities of this
        package the mass is known.
        """
        name, model = type(self).__name__, type(likelihood).__name__
        if likelihood.values is not None:
            shown = " or ".join(f"{value:g}" for value in likelihood.values)
            if self.values is None:
                raise ValueError(
                    f"density must be on the records of {model}, {shown}, got {name}, a density on "
                    "the line; take one on these values, such as BernoulliDensity"
                )
            if set(self.values) != set(likelihood.values):
                raise ValueError(
                    f"density must be on the records of {model}, {shown}, got {name} on "
                    f"{' or '.join(f'{value:g}' for value in self.values)}; take one on these values"
                )
            self.check_positive(np.array(likelihood.values))
        elif self.values is not None:
            raise ValueError(
                f"{name} is on {self.values}, the records of {model} are real numbers; take a density "
                "with support everywhere, such as StudentTDensity"
            )
        else:
            self.check_positive(self.centre + max(likelihood.scale, 1.0) * AROUND)
        self.check_mass()

    def check_mass(self) -> None:
        """See that g adds up to 1.

        Raises
        ------
        ValueError
            It does not; the message says to what it adds up.
        """
        if type(self) in (StudentTDensity, CauchyDensity, BernoulliDensity):
            return
        centre = np.array(self.centre)
        with np.errstate(all="ignore"):
            if self.values is not None:
                total = float(np.exp(self.log_density(np.array(self.values), centre)).sum())
            else:
                # x = centre + exp(v): any scale and any power of a tail is reached
                total = 0.0
                for sign in (-1.0, 1.0):
                    logs = self.log_density(self.centre + sign * WIDTHS, centre)
                    total += float(np.nansum(np.exp(logs) * WIDTHS)) * WIDTH
        if not abs(total - 1) <= 0.005:
            raise ValueError(
                f"density must integrate to 1, {type(self).__name__} to {total:.4g}: the rate is "
                "another then; divide it by that"
            )

    def check_positive(self, at: Floats) -> None:
        """See that g is positive at some points, from its own centre.

        Raises
        ------
        ValueError
            It is 0 at a point, which the message names.
        """
        name = type(self).__name__
        with np.errstate(divide="ignore"):
            logs = np.broadcast_to(self.log_density(at, np.array(self.centre)), at.shape)
        bad = at[~np.isfinite(logs)]
        if bad.size:
            nearest = bad[int(np.argmin(np.abs(bad - self.centre)))]
            raise ValueError(
                f"g must be > 0 wherever a record may be, {name} is 0 at {nearest:g}; take one with "
                "support everywhere, such as StudentTDensity"
            )


@dataclass(frozen=True)
class StudentTDensity(ContaminationDensity):
    """Shifted and scaled Student t.

    The density of the linear model in Section 4.3 integrates to 1/sqrt(3 lambda) as printed; this
    one integrates to 1.

    Parameters
    ----------
    df : float
        Degrees of freedom, > 0.
    centre : float
    scale : float
        > 0.
    coefficients : tuple of float, optional
        See `ContaminationDensity`.
    """

    df: float = 5.0
    centre: float = 0.0
    scale: float = 1.0
    coefficients: tuple[float, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        number("df", self.df, "> 0 and finite")
        number("centre", self.centre, "finite")
        number("scale", self.scale, "> 0 and finite")

    def log_density(self, x: Floats, centre: Floats) -> Floats:
        half = 0.5 * (self.df + 1)
        constant = gammaln(half) - gammaln(0.5 * self.df)
        constant -= 0.5 * math.log(self.df * math.pi) + math.log(self.scale)
        return constant - half * np.log1p(((x - centre) / self.scale) ** 2 / self.df)

    def draw(self, centre: Floats, rng: Generator) -> Floats:
        return centre + self.scale * rng.standard_t(self.df, np.shape(centre))


@dataclass(frozen=True)
class CauchyDensity(ContaminationDensity):
    """Shifted and scaled Cauchy (model 3 of Section 4.3).

    Parameters
    ----------
    centre : float
    scale : float
        lambda, > 0.
    coefficients : tuple of float, optional
        See `ContaminationDensity`.
    """

    centre: float = 0.0
    scale: float = 1.0
    coefficients: tuple[float, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        number("centre", self.centre, "finite")
        number("scale", self.scale, "> 0 and finite")

    def log_density(self, x: Floats, centre: Floats) -> Floats:
        return -math.log(math.pi * self.scale) - np.log1p(((x - centre) / self.scale) ** 2)

    def draw(self, centre: Floats, rng: Generator) -> Floats:
        return centre + self.scale * rng.standard_cauchy(np.shape(centre))


@dataclass(frozen=True)
class BernoulliDensity(ContaminationDensity):
    """Zeros and ones, whatever the covariates (model 2 of Section 4.3).

    Parameters
    ----------
    chance : float
        Of a one, in (0, 1).
    """

    chance: float = 0.5
    values: ClassVar[tuple[float, ...]] = (0.0, 1.0)

    def __post_init__(self) -> None:
        number("chance", self.chance, "in (0, 1)")

    def log_density(self, x: Floats, centre: Floats) -> Floats:
        logs = np.where(np.asarray(x) > 0.5, math.log(self.chance), math.log1p(-self.chance))
        return np.broadcast_to(logs, np.broadcast(x, centre).shape)

    def draw(self, centre: Floats, rng: Generator) -> Floats:
        return (rng.random(np.shape(centre)) < self.chance).astype(float)
