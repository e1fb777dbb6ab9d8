"""Releases from a random sample of the records: what `compose` takes for them.

A pair of distributions dominates a mechanism when no pair of neighbours has a larger hockey-stick divergence at any
epsilon. `PoissonSampled` stands for the pair of the mechanism on a Poisson sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbook.privacy.accounting.enclosure import exact
from dpbook.privacy.distributions import DiscreteGaussian, Distribution, Normal, TwoSidedGeometric

__all__ = ["PoissonSampled"]


@dataclass(frozen=True)
class PoissonSampled:
    """Noise on a query of a Poisson sample: each record is in the sample with probability `rate`.

    Neighbours differ by one record that is added or removed. A step of DP-SGD is of this kind: the noise has the
    noise multiplier for its standard deviation, and the query, a sum of clipped gradients, has sensitivity 1.

    Parameters
    ----------
    noise : Normal, TwoSidedGeometric or DiscreteGaussian
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

    noise: Distribution
    rate: Any

    def __post_init__(self) -> None:
        if not isinstance(self.noise, Normal | TwoSidedGeometric | DiscreteGaussian):
            raise ValueError(
                f"noise must be Normal, TwoSidedGeometric or DiscreteGaussian, got {self.noise!r}"
            )
        read = exact("rate", self.rate, "in (0, 1]")
        if not 0 < read <= 1:
            raise ValueError(f"rate must be in (0, 1], got {self.rate}")

    @property
    def share(self) -> Fraction:
        """The rate, read without rounding."""
        return exact("rate", self.rate)

    def __repr__(self) -> str:
        return f"PoissonSampled({self.noise}, rate={self.rate})"

    __str__ = __repr__
