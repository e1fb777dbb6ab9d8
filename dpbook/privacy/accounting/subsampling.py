"""Losses for `compose` of releases from a random sample of the records.

A pair of distributions dominates a mechanism when no pair of neighbours has a larger hockey-stick divergence at any
epsilon. `PoissonSampled` stands for the pair of the mechanism on a Poisson sample, `WithoutReplacement` for the pair on a
sample of a fixed size.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbook.privacy.accounting.enclosure import exact, within_doubles
from dpbook.privacy.distributions import (
    DiscreteGaussian,
    Distribution,
    Laplace,
    Normal,
    TwoSidedGeometric,
)

__all__ = ["PoissonSampled", "WithoutReplacement"]


@dataclass(frozen=True, repr=False)
class Sampled:
    """Noise on a query of a random sample of the records."""

    noise: Distribution
    rate: Any

    @property
    def share(self) -> Fraction:
        """The rate, read without rounding."""
        read = exact("rate", self.rate, "in (0, 1]")
        if not 0 < read <= 1:
            raise ValueError(f"rate must be in (0, 1], got {self.rate}")
        return within_doubles("rate", read)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.noise}, rate={self.rate})"

    __str__ = __repr__


@dataclass(frozen=True, repr=False)
class PoissonSampled(Sampled):
    """Noise on a query of a Poisson sample: each record is in the sample with probability `rate`.

    Neighbours differ by one record that is added or removed. A step of DP-SGD is of this kind: the noise has the
    noise multiplier for its standard deviation, and the query, a sum of clipped gradients, has sensitivity 1.

    Parameters
    ----------
    noise : Normal, Laplace, TwoSidedGeometric or DiscreteGaussian
        The mean does not matter.
    rate : number
        In (0, 1].

    Raises
    ------
    ValueError
        Another noise, or a rate outside (0, 1].

    Notes
    -----
    With the record the output is a mixture: noise on the query with the record, with probability `rate`, and else
    noise on the query without it.

    Examples
    --------
    >>> PoissonSampled(Normal(0, 1), rate=0.01)
    PoissonSampled(Normal(0, 1), rate=0.01)
    """

    def __post_init__(self) -> None:
        if not isinstance(self.noise, Normal | Laplace | TwoSidedGeometric | DiscreteGaussian):
            raise ValueError(
                "noise must be Normal, Laplace, TwoSidedGeometric or DiscreteGaussian, got "
                f"{self.noise!r}"
            )
        _ = self.share


@dataclass(frozen=True, repr=False)
class WithoutReplacement(Sampled):
    """Normal noise on a query of a sample of a fixed size, drawn without replacement.

    Neighbours differ by one record that replaces another, and so do the samples that hold it. With the sum of vectors that are
    clipped at 1, the sensitivity is 2.

    Parameters
    ----------
    noise : Normal
        The mean does not matter.
    rate : number
        The size of the sample over the number of records, in (0, 1].

    Raises
    ------
    ValueError
        Another noise, or a rate outside (0, 1].

    Notes
    -----
    Let P and Q be the output of the noise on a sample with one record and with the other, and q the rate. At each factor
    e^epsilon >= 1 the divergence of (1 - q) Q + q P from Q is a bound, and at each factor below 1 the divergence of P from
    (1 - q) P + q Q: Zhu, Dong and Wang (2022), Theorem 11, sampling without replacement. The pair that has both is composed. It is
    an upper bound for a composition. It also holds for Poisson samples where one record replaces another, if
    `sensitivity` is the most that the query moves in both of these ways: one record replaced, or one left out.

    Examples
    --------
    >>> WithoutReplacement(Normal(0, 1), rate=0.01)
    WithoutReplacement(Normal(0, 1), rate=0.01)
    """

    def __post_init__(self) -> None:
        if not isinstance(self.noise, Normal):
            raise ValueError(f"noise must be Normal, got {self.noise!r}")
        _ = self.share
