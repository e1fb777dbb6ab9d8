"""Likelihoods of one record given the linear predictor, as Section 4.3 writes them: f(x, theta'w).

Of a location model the predictor is the parameter itself.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import expit, log_expit

from dpbook.privacy.reading import generator, number

Floats = NDArray[np.float64]

__all__ = ["AsymmetricLaplace", "Cauchy", "Likelihood", "Logistic", "Normal", "check_likelihood"]


class Likelihood(ABC):
    """Density of a record given a linear predictor; subclass it for a likelihood of your own.

    Four methods are needed. They take arrays that broadcast against each other, x of records and s
    of predictors, and do not validate. `check_likelihood` compares them with each other.

    Attributes
    ----------
    values : tuple of float or None
        The values that a record may have, where there are finitely many; None: all real numbers.
    scale : float
        About how far records lie from the predictor: where suprema over records are looked for.

    Examples
    --------
    A Laplace location model:

    >>> import numpy as np
    >>> class Laplace(Likelihood):
    ...     def log_density(self, x, s):
    ...         return -np.abs(x - s) - np.log(2)
    ...
    ...     def score(self, x, s):
    ...         return np.sign(x - s)
    ...
    ...     def curvature(self, x, s):
    ...         return np.zeros(np.broadcast(x, s).shape)
    ...
    ...     def draw(self, s, rng):
    ...         return rng.laplace(s)
    >>> check_likelihood(Laplace(), 0.3)
    """

    values: ClassVar[tuple[float, ...] | None] = None
    scale: float = 1.0

    @abstractmethod
    def log_density(self, x: Floats, s: Floats) -> Floats:
        """Log of f(x; s)."""

    @abstractmethod
    def score(self, x: Floats, s: Floats) -> Floats:
        """Derivative of the log density in s; between both sides where it has a kink."""

    @abstractmethod
    def curvature(self, x: Floats, s: Floats) -> Floats:
        """Second derivative of the log density in s; 0 at a kink."""

    @abstractmethod
    def draw(self, s: Floats, rng: Generator) -> Floats:
        """Draw one record for each predictor."""

    def inside(self, x: Floats) -> NDArray[np.bool_]:
        """Say of each record whether the model can produce it."""
        return np.isfinite(x) if self.values is None else np.isin(x, self.values)


@dataclass(frozen=True)
class Normal(Likelihood):
    """Gaussian errors of known standard deviation (Section 4.2, and model 1 of Section 4.3).

    Parameters
    ----------
    sd : float
        > 0.
    """

    sd: float = 1.0

    def __post_init__(self) -> None:
        number("sd", self.sd, "> 0 and finite")

    @property
    def scale(self) -> float:  # type: ignore[override]
        """The standard deviation."""
        return self.sd

    def log_density(self, x: Floats, s: Floats) -> Floats:
        return -0.5 * ((x - s) / self.sd) ** 2 - math.log(self.sd * math.sqrt(2 * math.pi))

    def score(self, x: Floats, s: Floats) -> Floats:
        return (x - s) / self.sd**2

    def curvature(self, x: Floats, s: Floats) -> Floats:
        return np.full(np.broadcast(x, s).shape, -1.0 / self.sd**2)

    def draw(self, s: Floats, rng: Generator) -> Floats:
        return rng.normal(s, self.sd)


@dataclass(frozen=True)
class Cauchy(Likelihood):
    """Cauchy errors (model 3 of Section 4.3).

    Parameters
    ----------
    gamma : float
        Scale, > 0.
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        number("gamma", self.gamma, "> 0 and finite")

    @property
    def scale(self) -> float:  # type: ignore[override]
        """The scale."""
        return self.gamma

    def log_density(self, x: Floats, s: Floats) -> Floats:
        return -np.log1p(((x - s) / self.gamma) ** 2) - math.log(math.pi * self.gamma)

    def score(self, x: Floats, s: Floats) -> Floats:
        u = (x - s) / self.gamma
        return 2 * u / (1 + u * u) / self.gamma

    def curvature(self, x: Floats, s: Floats) -> Floats:
        square = ((x - s) / self.gamma) ** 2
        return 2 * (square - 1) / (1 + square) ** 2 / self.gamma**2

    def draw(self, s: Floats, rng: Generator) -> Floats:
        return s + self.gamma * rng.standard_cauchy(np.shape(s))


@dataclass(frozen=True)
class Logistic(Likelihood):
    """Zeros and ones with log odds s (model 2 of Section 4.3)."""

    values: ClassVar[tuple[float, ...]] = (0.0, 1.0)

    def log_density(self, x: Floats, s: Floats) -> Floats:
        return log_expit(np.where(np.asarray(x) > 0.5, s, -np.asarray(s)))

    def score(self, x: Floats, s: Floats) -> Floats:
        return x - expit(s)

    def curvature(self, x: Floats, s: Floats) -> Floats:
        return np.broadcast_to(-expit(s) * expit(-np.asarray(s)), np.broadcast(x, s).shape)

    def draw(self, s: Floats, rng: Generator) -> Floats:
        return (rng.random(np.shape(s)) < expit(s)).astype(float)


@dataclass(frozen=True)
class AsymmetricLaplace(Likelihood):
    """Quantile regression: tau (1 - tau) exp(-Q_tau(x - s)) (Appendix C.4, Lemma 26).

    Q_tau(u) is tau u for u > 0 and (1 - tau) |u| otherwise; s is the tau-quantile of x.

    Parameters
    ----------
    tau : float
        In (0, 1).
    """

    tau: float = 0.5

    def __post_init__(self) -> None:
        number("tau", self.tau, "in (0, 1)")

    def log_density(self, x: Floats, s: Floats) -> Floats:
        u = np.asarray(x) - s
        return math.log(self.tau * (1 - self.tau)) - np.where(
            u > 0, self.tau * u, (self.tau - 1) * u
        )

    def score(self, x: Floats, s: Floats) -> Floats:
        u = np.asarray(x) - s
        return np.where(u > 0, self.tau, np.where(u < 0, self.tau - 1, self.tau - 0.5))

    def curvature(self, x: Floats, s: Floats) -> Floats:
        return np.zeros(np.broadcast(x, s).shape)

    def draw(self, s: Floats, rng: Generator) -> Floats:
        below = rng.random(np.shape(s)) < self.tau
        size = rng.standard_exponential(np.shape(s))
        return s + np.where(below, -size / (1 - self.tau), size / self.tau)


CHECKED = (-3.1, -1.27, -0.33, 0.41, 1.13, 2.9)  # scales away from the predictor


DRAWS = 20_000
FALSE_ALARM = 1e-6


def check_likelihood(
    likelihood: Likelihood,
    s: float = 0.0,
    tolerance: float = 1e-5,
    *,
    rng: Generator | None = None,
) -> None:
    """See that density, score, curvature and draws belong together, and that the density is one.

    Parameters
    ----------
    likelihood : Likelihood
    s : float
        The predictor to check it at.
    tolerance : float
        > 0.
    rng : numpy.random.Generator, optional
        Of the draws; without it one with the seed 1, so that the answer is the same each time.

    Raises
    ------
    ValueError
        The density does not integrate to 1, a derivative is not what differences say, or the draws
        are not the density's; the message says which, where, and what both are.

    Notes
    -----
    10,000 draws at s, and as many at s plus the scale, are compared with the density. A right
    likelihood fails with probability 1e-6 at most (the inequality of Dvoretzky, Kiefer, Wolfowitz
    and Massart; of finitely many values Hoeffding's). Two distribution functions that are 0.06
    apart are told from each other nearly surely, closer than 0.02 hardly ever.
    """
    name, values = type(likelihood).__name__, likelihood.values
    predictor, step = np.array([number("s", s, "finite")]), 1e-5 * likelihood.scale
    number("tolerance", tolerance, "> 0 and finite")
    if values is not None:
        at = np.array(values)
        total = float(np.exp(likelihood.log_density(at, predictor)).sum())
    else:
        at = s + likelihood.scale * np.array(CHECKED)
        # x = s + sinh(v): tails of any power are reached
        v = np.linspace(-40.0, 40.0, 160_001)
        with np.errstate(over="ignore"):
            x = s + likelihood.scale * np.sinh(v)
            total = float(
                np.trapezoid(
                    np.exp(likelihood.log_density(x, predictor)) * likelihood.scale * np.cosh(v), v
                )
            )
    if not abs(total - 1) <= 10 * tolerance:
        raise ValueError(f"the density of {name} must integrate to 1, got {total:.6g} at s = {s:g}")
    up, down = (likelihood.log_density(at, predictor + sign * step) for sign in (1, -1))
    slopes = [likelihood.score(at, predictor + sign * step) for sign in (1, -1)]
    for what, claimed, found in (
        ("score", likelihood.score(at, predictor), (up - down) / (2 * step)),
        ("curvature", likelihood.curvature(at, predictor), (slopes[0] - slopes[1]) / (2 * step)),
    ):
        off = np.abs(claimed - found) * likelihood.scale ** (1 if what == "score" else 2)
        if not (off <= tolerance * (1 + np.abs(found))).all():
            k = int(np.argmax(np.where(np.isnan(off), np.inf, off)))
            raise ValueError(
                f"the {what} of {name} must be what differences give, {found[k]:.6g} at "
                f"x = {at[k]:g}, s = {s:g}, got {np.broadcast_to(claimed, at.shape)[k]:.6g}"
            )
    source = generator(rng, seed=1)
    for at_s in (float(s), float(s) + likelihood.scale):
        _check_draws(likelihood, at_s, tolerance, source)


def _check_draws(likelihood: Likelihood, s: float, tolerance: float, rng: Generator) -> None:
    """Compare half of the draws with the density, at one predictor."""
    size, name = DRAWS // 2, type(likelihood).__name__
    found = np.asarray(likelihood.draw(np.full(size, s), rng), dtype=float)
    if found.shape != (size,) or not likelihood.inside(found).all():
        raise ValueError(
            f"draw of {name} must return one record of the model for each predictor, got shape "
            f"{found.shape} for {size}, or records that it cannot produce"
        )
    values, predictor = likelihood.values, np.array([s])
    if values is not None:
        # Hoeffding's inequality for each value, and half of the false alarms for each predictor
        most = math.sqrt(math.log(4 * len(values) / FALSE_ALARM) / (2 * size))
        at = np.array(values)
        wanted = np.exp(likelihood.log_density(at, predictor))
        shares = np.array([(found == value).mean() for value in values])
        off = np.abs(shares - wanted)
    else:
        most = math.sqrt(math.log(4 / FALSE_ALARM) / (2 * size))
        v = np.linspace(-40.0, 40.0, 160_001)
        with np.errstate(over="ignore"):
            x = s + likelihood.scale * np.sinh(v)
            mass = np.exp(likelihood.log_density(x, predictor)) * likelihood.scale * np.cosh(v)
        below = np.concatenate([[0.0], np.cumsum(0.5 * (mass[1:] + mass[:-1]) * (v[1] - v[0]))])
        at = np.sort(found)
        wanted = np.interp(np.arcsinh((at - s) / likelihood.scale), v, below)
        shares = (np.arange(size) + 0.5) / size
        off = np.abs(shares - wanted) + 0.5 / size
    if not off.max() <= most + 10 * tolerance:
        k = int(np.argmax(np.where(np.isnan(off), np.inf, off)))
        what = "at" if values is not None else "up to"
        raise ValueError(
            f"draw of {name} must be from its density: at s = {s:g} the probability {what} "
            f"{at[k]:.6g} is {wanted[k]:.4g}, and {shares[k]:.4g} of {size} draws lie there"
        )
