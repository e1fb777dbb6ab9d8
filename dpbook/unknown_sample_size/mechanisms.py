"""Noise on the sums of a dataset and on its number of records.

Privacy is unbounded here: neighbours differ by one record that is added or removed (section 2.1).
For teaching and audits only; release real data with OpenDP.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import stats
from scipy.special import pdtr

from dpbook.privacy import noise
from dpbook.privacy.reading import count, number
from dpbook.unknown_sample_size import kernels

Floats = NDArray[np.float64]


class Mechanism(ABC):
    """Mechanism for sums, or for the number of records; its log density is a compiled piece.

    Attributes
    ----------
    release_piece, count_piece : compiled function or None
        Log density of a release of sums, signature `kernels.LOG_RELEASE`, and of the number,
        `kernels.LOG_COUNT`. None where the mechanism does not serve that purpose.
    whole : bool
        Releases are whole numbers.
    """

    release_piece: ClassVar[Any] = None
    count_piece: ClassVar[Any] = None
    whole: ClassVar[bool] = False

    @abstractmethod
    def noise(self, sensitivity: float) -> tuple[float, ...]:
        """Numbers that the pieces take, for sums of an l1 sensitivity."""

    @abstractmethod
    def draw(self, total: Floats, n: int, sensitivity: float, rng: Generator) -> Floats:
        """Release sums of n records, shape (m,)."""

    def loss(self) -> float | None:
        """Epsilon of a release; None where it is not epsilon-private."""
        return None

    def check(self, name: str, released: Floats) -> None:
        """Refuse values that the mechanism cannot release.

        Raises
        ------
        ValueError
            The message names the mechanism.
        """
        if not np.isfinite(released).all():
            raise ValueError(f"{name} must be finite, got {released.tolist()}")
        if self.whole and (released != np.round(released)).any():
            raise ValueError(
                f"{name} must be whole: {type(self).__name__} adds whole noise to whole numbers, "
                f"got {released.tolist()}"
            )


@dataclass(frozen=True)
class Laplace(Mechanism):
    """Laplace noise of scale sensitivity / epsilon on each coordinate.

    The distribution itself is `dpbook.privacy.Laplace`.

    Attributes
    ----------
    epsilon : float
        > 0.

    Raises
    ------
    ValueError
        An epsilon that is not > 0 and finite.

    Examples
    --------
    >>> Laplace(0.5).loss()
    0.5
    """

    epsilon: float
    release_piece = staticmethod(kernels.laplace_release)
    count_piece = staticmethod(kernels.laplace_count)

    def __post_init__(self) -> None:
        number("epsilon", self.epsilon, "> 0")

    def noise(self, sensitivity: float) -> tuple[float, ...]:
        return (sensitivity / self.epsilon,)

    def draw(self, total: Floats, n: int, sensitivity: float, rng: Generator) -> Floats:
        return total + rng.laplace(0.0, sensitivity / self.epsilon, total.shape)

    def loss(self) -> float | None:
        return self.epsilon


@dataclass(frozen=True)
class DiscreteLaplace(Laplace):
    """Discrete Laplace noise, P(k) proportional to exp(-epsilon abs(k) / sensitivity), on whole sums.

    Examples
    --------
    >>> DiscreteLaplace(0.5).loss()
    0.5
    """

    whole = True

    def draw(self, total: Floats, n: int, sensitivity: float, rng: Generator) -> Floats:
        return total + noise.discrete_laplace(sensitivity / self.epsilon, total.shape, rng)


@dataclass(frozen=True)
class Gaussian(Mechanism):
    """Gaussian noise on each coordinate.

    Attributes
    ----------
    sd : float
        > 0.

    Raises
    ------
    ValueError
        A standard deviation that is not > 0 and finite.

    Examples
    --------
    >>> Gaussian(2.0).noise(1.0)
    (2.0,)
    """

    sd: float
    release_piece = staticmethod(kernels.gaussian_release)
    count_piece = staticmethod(kernels.gaussian_count)

    def __post_init__(self) -> None:
        number("sd", self.sd, "> 0")

    def noise(self, sensitivity: float) -> tuple[float, ...]:
        return (self.sd,)

    def draw(self, total: Floats, n: int, sensitivity: float, rng: Generator) -> Floats:
        return total + rng.normal(0.0, self.sd, total.shape)


@dataclass(frozen=True)
class DiscreteGaussian(Gaussian):
    """Discrete Gaussian noise, P(k) proportional to exp(-k**2 / (2 sd**2)), on whole sums (lemma A.13).

    It is a mechanism of this paper; `dpbook.privacy.DiscreteGaussian` is a distribution.

    Examples
    --------
    >>> DiscreteGaussian(2.0).whole
    True
    """

    whole = True

    def draw(self, total: Floats, n: int, sensitivity: float, rng: Generator) -> Floats:
        return total + noise.discrete_gaussian(self.sd, total.shape, rng)


@dataclass(frozen=True)
class KNGMean(Mechanism):
    """The K-norm gradient mechanism for the mean of records in [0, 1] (example 3.2).

    Its density is proportional to exp(-n epsilon abs(mean - s) / 2) on [0, 1].

    Attributes
    ----------
    epsilon : float
        > 0.

    Raises
    ------
    ValueError
        An epsilon that is not > 0 and finite.

    Examples
    --------
    >>> KNGMean(0.5).loss()
    0.5
    """

    epsilon: float
    release_piece = staticmethod(kernels.kng_release)

    def __post_init__(self) -> None:
        number("epsilon", self.epsilon, "> 0")

    def noise(self, sensitivity: float) -> tuple[float, ...]:
        return (self.epsilon,)

    def draw(self, total: Floats, n: int, sensitivity: float, rng: Generator) -> Floats:
        if n < 1:
            raise ValueError("KNGMean releases the mean of one record at least, got none")
        rate, mean = self.epsilon * n / 2, total / n
        left, right = -np.expm1(-rate * mean), -np.expm1(-rate * (1 - mean))
        drawn = rng.random(total.shape) * (left + right)
        # the inverse of the distribution function, on either side of the mean
        low = mean + np.log1p(-np.maximum(left - drawn, 0)) / rate
        high = mean - np.log1p(-np.maximum(drawn - left, 0)) / rate
        return np.clip(np.where(drawn < left, low, high), 0.0, 1.0)

    def loss(self) -> float | None:
        return self.epsilon

    def check(self, name: str, released: Floats) -> None:
        super().check(name, released)
        if released.shape != (1,) or not 0 <= released[0] <= 1:
            raise ValueError(
                f"{name} must be one number in [0, 1]: KNGMean releases nothing else, "
                f"got {released.tolist()}"
            )


@dataclass(frozen=True)
class Missing(Mechanism):
    """No number of records is released (remark 5.5).

    Examples
    --------
    >>> Missing()
    Missing()
    """

    count_piece = staticmethod(kernels.no_count)

    def noise(self, sensitivity: float) -> tuple[float, ...]:
        return (0.0,)

    def draw(self, total: Floats, n: int, sensitivity: float, rng: Generator) -> Floats:
        raise ValueError("Missing releases nothing")


@dataclass(frozen=True)
class Known(Missing):
    """The number of records is public: bounded privacy, chains without jumps (remark 5.7).

    Examples
    --------
    >>> Known()
    Known()
    """

    whole = True

    def draw(self, total: Floats, n: int, sensitivity: float, rng: Generator) -> Floats:
        return total


# --- what is believed of the number of records before anything is released --------------------------


class SizePrior(ABC):
    """A prior of the number of records; its log mass is a compiled piece, `kernels.LOG_SIZE`.

    Attributes
    ----------
    least : int
        Smallest number of records, >= 1.
    """

    piece: ClassVar[Any]
    least: int
    proper: ClassVar[bool] = True

    @abstractmethod
    def numbers(self) -> tuple[float, ...]:
        """Numbers that the piece takes."""

    @abstractmethod
    def draw(self, rng: Generator) -> int:
        """Draw a number of records."""

    def top(self) -> float:
        """Return the largest number of records; infinite where there is no limit."""
        return math.inf

    def nearest(self, n: float) -> int:
        """The possible number of records that is nearest to n."""
        return int(min(max(self.least, round(n)), self.top()))

    def log_mass(self, n: NDArray[np.int64]) -> Floats:
        """Log mass at each n, up to a constant."""
        return np.array([self.piece(int(k), np.array(self.numbers())) for k in n])


@dataclass(frozen=True)
class Flat(SizePrior):
    """All numbers of records from `least` on alike: improper, as in the paper.

    Attributes
    ----------
    least : int
        >= 1.

    Raises
    ------
    ValueError
        A least number < 1.

    Examples
    --------
    >>> Flat().proper
    False
    """

    least: int = 1
    piece = staticmethod(kernels.bounded_size)
    proper = False

    def __post_init__(self) -> None:
        count("least", self.least)

    def numbers(self) -> tuple[float, ...]:
        return float(self.least), math.inf

    def draw(self, rng: Generator) -> int:
        raise ValueError("a flat prior of n cannot be drawn from; take Uniform or Poisson")


@dataclass(frozen=True)
class Uniform(SizePrior):
    """All numbers of records from `least` to `most` alike.

    Attributes
    ----------
    least, most : int
        1 <= least <= most.

    Raises
    ------
    ValueError
        Ends that are reversed, or below 1.

    Examples
    --------
    >>> Uniform(1, 100).proper
    True
    """

    least: int
    most: int
    piece = staticmethod(kernels.bounded_size)

    def __post_init__(self) -> None:
        count("least", self.least)
        if count("most", self.most) < self.least:
            raise ValueError(f"most must be >= least = {self.least}, got {self.most}")

    def numbers(self) -> tuple[float, ...]:
        return float(self.least), float(self.most)

    def top(self) -> float:
        return float(self.most)

    def draw(self, rng: Generator) -> int:
        return int(rng.integers(self.least, self.most + 1))


@dataclass(frozen=True)
class Poisson(SizePrior):
    """A Poisson number of records, given that it is >= `least`.

    Attributes
    ----------
    mean : float
        > 0.
    least : int
        >= 1.

    Raises
    ------
    ValueError
        A mean that is not > 0, a least number < 1.

    Examples
    --------
    >>> Poisson(30.0).proper
    True
    """

    mean: float
    least: int = 1
    piece = staticmethod(kernels.poisson_size)

    def __post_init__(self) -> None:
        number("mean", self.mean, "> 0")
        count("least", self.least)

    def numbers(self) -> tuple[float, ...]:
        return float(self.least), self.mean

    def draw(self, rng: Generator) -> int:
        below = pdtr(self.least - 1, self.mean)
        if not below < 1:
            return self.least
        left = below + (1 - below) * rng.random()
        return max(self.least, int(stats.poisson.ppf(left, self.mean)))
