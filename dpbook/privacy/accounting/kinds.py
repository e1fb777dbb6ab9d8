"""The privacy losses that each kind of noise stands for, in both directions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpbook.privacy.accounting.enclosure import exact, positive, square
from dpbook.privacy.accounting.lattice import AtomicLoss, DiscreteGaussianLoss, GeometricLoss
from dpbook.privacy.accounting.line import Factor
from dpbook.privacy.accounting.losses import LaplaceLoss
from dpbook.privacy.accounting.sampled import ADD, REMOVE, SampledNormal
from dpbook.privacy.accounting.subsampling import PoissonSampled
from dpbook.privacy.distributions import (
    DiscreteGaussian,
    Laplace,
    Mixture,
    Normal,
    TwoSidedGeometric,
)

Pair = tuple[Factor, Factor]  # the loss when the record is removed, and when it is added


def losses(distribution: Any, sensitivity: Fraction) -> tuple[Fraction, tuple[Pair, ...]]:
    """Give mu^2 of normal noise, or the losses of other noise, for a query of some sensitivity."""
    if isinstance(distribution, Normal):
        return sensitivity**2 / square("sd", distribution.sd), ()
    if isinstance(distribution, Laplace):
        loss = sensitivity / positive("scale", distribution.scale)
        return Fraction(0), _both(LaplaceLoss(loss)) if loss else ()
    if isinstance(distribution, TwoSidedGeometric | DiscreteGaussian):
        return Fraction(0), _discrete(distribution, sensitivity)
    if isinstance(distribution, PoissonSampled):
        return _sampled(distribution.share, sensitivity**2 / square("sd", distribution.noise.sd))
    without, with_ = _two_normals(distribution)
    distance = (exact("mean", with_.mean) - exact("mean", without.mean)) ** 2
    rate = exact("weight", distribution.weights[1])
    return _sampled(rate, sensitivity**2 * distance / square("sd", without.sd))


def check(distribution: Any) -> None:
    """Refuse a distribution that has no losses here."""
    if not isinstance(
        distribution, Normal | Laplace | TwoSidedGeometric | DiscreteGaussian | PoissonSampled
    ):
        _two_normals(distribution)


def _two_normals(distribution: Any) -> Any:
    """The parts of a mixture that is the output on a sample."""
    if isinstance(distribution, Mixture):
        parts = distribution.distributions
        if len(parts) == 2 and all(isinstance(part, Normal) for part in parts):
            without, with_ = parts
            if without.sd == with_.sd and without.mean != with_.mean:
                return parts
    raise ValueError(
        "distributions must be Normal, Laplace, TwoSidedGeometric, DiscreteGaussian, PoissonSampled or a Mixture of two Normal of one sd and two means, "
        f"got {distribution!r}"
    )


def _both(loss: Factor) -> tuple[Pair, ...]:
    """A loss that is the same in both directions."""
    return ((loss, loss),)


def _sampled(rate: Fraction, mu_squared: Fraction) -> tuple[Fraction, tuple[Pair, ...]]:
    """Normal noise on a Poisson sample."""
    if rate == 1:
        return mu_squared, ()
    if not rate or not mu_squared:
        return Fraction(0), ()
    remove, add = (SampledNormal(rate, mu_squared, way) for way in (REMOVE, ADD))
    return Fraction(0), ((remove, add),)


def _discrete(
    noise: TwoSidedGeometric | DiscreteGaussian, sensitivity: Fraction
) -> tuple[Pair, ...]:
    """Noise on the integers."""
    if sensitivity.denominator != 1:
        raise ValueError(f"sensitivity must be an integer with discrete noise, got {sensitivity}")
    shift = int(sensitivity)
    if not shift:
        return ()
    if isinstance(noise, TwoSidedGeometric):
        return _both(AtomicLoss(GeometricLoss(positive("rate", noise.args[1]), shift)))
    return _both(AtomicLoss(DiscreteGaussianLoss(square("sd", noise.args[1]), shift)))
