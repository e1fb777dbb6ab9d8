"""Losses for `compose` of releases that are no noise of one query."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbook.privacy.accounting.enclosure import exact
from dpbook.privacy.distributions import (
    Bernoulli,
    DiscreteGaussian,
    Distribution,
    Finite,
    Laplace,
    Normal,
    TwoSidedGeometric,
)
from dpbook.privacy.reading import short

__all__ = ["BoundedRange", "Pair", "TreeAggregation"]

_MOST_LEAVES = 2**200


@dataclass(frozen=True)
class Pair:
    """The distributions of a release of finitely many outcomes, with a record and without it.

    Parameters
    ----------
    first, second : Bernoulli or Finite
        As many outcomes, with numbers for their probabilities, in the same order. Probabilities given as floats are
        divided by their sum.

    Raises
    ------
    ValueError
        Another distribution, another number of outcomes, or an outcome that only one of them can have.

    Notes
    -----
    Both orders are composed apart, and the larger loss is the answer.

    Examples
    --------
    >>> Pair(Bernoulli(0.75), Bernoulli(0.25))
    Pair(Bernoulli(0.75), Bernoulli(0.25))
    """

    first: Distribution
    second: Distribution

    def __post_init__(self) -> None:
        _ = self.probabilities

    @property
    def probabilities(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The probabilities of each outcome that has one."""
        p, q = _probabilities("first", self.first), _probabilities("second", self.second)
        if len(p) != len(q):
            raise ValueError(
                f"first and second must have as many outcomes, got {len(p)} and {len(q)}"
            )
        pairs = [pair for pair in zip(p, q, strict=True) if any(pair)]
        if not all(a and b for a, b in pairs):
            raise ValueError(
                "first and second must have the same outcomes of positive probability, got "
                f"{self.first} and {self.second}: an outcome that only one of them has ends all privacy"
            )
        return tuple(pairs)

    def __repr__(self) -> str:
        return f"Pair({self.first}, {self.second})"

    __str__ = __repr__


def _probabilities(name: str, distribution: Any) -> list[Fraction]:
    if isinstance(distribution, Bernoulli):
        p = exact(f"p of {name}", distribution.p)
        return [1 - p, p]
    if isinstance(distribution, Finite):
        found = [exact(f"probabilities of {name}", p) for p in distribution.probabilities]
        whole = sum(found, Fraction(0))
        return [p / whole for p in found]
    raise ValueError(f"{name} must be Bernoulli or Finite, got {distribution!r}")


@dataclass(frozen=True)
class BoundedRange:
    """A release whose density ratio, between neighbours, lies in a range of length epsilon on a log scale.

    The exponential mechanism is of this kind, with its own epsilon.

    Parameters
    ----------
    epsilon : number
        > 0.

    Raises
    ------
    ValueError
        An epsilon that is not > 0 and finite.

    Notes
    -----
    Dong, Durfee and Rogers (2020).

    Examples
    --------
    >>> BoundedRange(0.1)
    BoundedRange(0.1)
    """

    epsilon: Any

    def __post_init__(self) -> None:
        if self.range <= 0:
            raise ValueError(f"epsilon must be > 0, got {self.epsilon}")

    @property
    def range(self) -> Fraction:
        """The epsilon, read without rounding."""
        return exact("epsilon", self.epsilon, "> 0")

    def __repr__(self) -> str:
        return f"BoundedRange({self.epsilon})"

    __str__ = __repr__


@dataclass(frozen=True)
class TreeAggregation:
    """Noisy sums at all nodes of a binary tree over steps of time: a record is in one node of each level.

    Parameters
    ----------
    noise : Normal, Laplace, TwoSidedGeometric or DiscreteGaussian
        Of each node.
    leaves : int
        The steps of time, >= 1; a record is in one of them.

    Raises
    ------
    ValueError
        Another noise, or a number of leaves that is no integer >= 1.

    Notes
    -----
    Dwork, Naor, Pitassi and Rothblum (2010); Chan, Shi and Song (2011). The tree has ceil(log2(leaves)) + 1 levels.

    Examples
    --------
    >>> TreeAggregation(Normal(0, 10), leaves=1024).levels
    11
    """

    noise: Distribution
    leaves: int

    def __post_init__(self) -> None:
        if not isinstance(self.noise, Normal | Laplace | TwoSidedGeometric | DiscreteGaussian):
            raise ValueError(
                "noise must be Normal, Laplace, TwoSidedGeometric or DiscreteGaussian, got "
                f"{self.noise!r}"
            )
        read = exact("leaves", self.leaves, "that is an integer >= 1")
        if read.denominator != 1 or not 1 <= read <= _MOST_LEAVES or isinstance(self.leaves, float):
            rule = "an integer from 1 to 2**200" if read > _MOST_LEAVES else "an integer >= 1"
            raise ValueError(f"leaves must be {rule}, got {short(self.leaves)}")

    @property
    def levels(self) -> int:
        """The number of nodes that hold a record."""
        return (int(self.leaves) - 1).bit_length() + 1

    def __repr__(self) -> str:
        return f"TreeAggregation({self.noise}, leaves={self.leaves})"

    __str__ = __repr__
