"""The privacy losses that each kind of release stands for, in both directions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, get_args

from dpbook.privacy import mechanisms
from dpbook.privacy.accounting.enclosure import exact, positive, square, within_doubles
from dpbook.privacy.accounting.finite import FiniteLoss, ResponseLoss, SampledDiscrete
from dpbook.privacy.accounting.lattice import AtomicLoss, DiscreteGaussianLoss, GeometricLoss
from dpbook.privacy.accounting.line import Factor
from dpbook.privacy.accounting.losses import LaplaceLoss, RangeLoss
from dpbook.privacy.accounting.outputs import BoundedRange, Pair, TreeAggregation
from dpbook.privacy.accounting.pieces import SampledLaplace, WithoutReplacementNormal
from dpbook.privacy.accounting.sampled import ADD, REMOVE, SampledNormal
from dpbook.privacy.accounting.subsampling import PoissonSampled, WithoutReplacement
from dpbook.privacy.distributions import (
    DiscreteGaussian,
    Laplace,
    Mixture,
    Normal,
    TruthOrNot,
    TwoSidedGeometric,
)
from dpbook.privacy.spending import Accounting

Ways = tuple[Factor, Factor]  # the loss when the record is removed, and when it is added


@dataclass(frozen=True)
class Kind:
    """Losses and normal noise of one release of a kind.

    Attributes
    ----------
    losses : tuple
        Of other noise than normal noise, in both directions.
    mu_squared : Fraction
        (sensitivity / standard deviation)^2 of normal noise.
    bound : str
        Empty where some neighbours have the two distributions that are composed; else why they are only an upper bound.
    claims : tuple of str
        Keys of the claims that say that the pair dominates.
    neighbours : str
        How neighbours differ; empty for a release that takes any neighbours.
    """

    losses: tuple[Ways, ...] = ()
    mu_squared: Fraction = Fraction(0)
    bound: str = ""
    claims: tuple[str, ...] = ()
    neighbours: str = ""


COMPOSED = "privacy:axiom-dominating-pairs-compose"
SAMPLE = ("privacy:sampled-pair-removed", "privacy:sampled-pair-added")
REPLACED = ("privacy:subsampling-replaced-record", "privacy:sampled-pair-removed")
TWO_POINTS = ("privacy:range-two-points",)
RANGE = "a release of a bounded range has no more than this loss"
ADDED, SWAPPED = "one record that is added or removed", "one record that replaces another"
FIXED_SIZE = "at each epsilon some mechanism has the divergence of one release, and several need not have that of the pair"
PURE = "a release without delta has no more than the loss of randomised response"


def kind_of(release: Any, sensitivity: Fraction) -> Kind:
    """Return the losses and the normal noise of a release, for a query of some sensitivity.

    Raises
    ------
    ValueError
        A release that has no losses here, or numbers that cannot be read.
    """
    for types, read in READERS:
        if isinstance(release, types):
            kind: Kind = read(release, sensitivity)
            return kind
    if isinstance(release, type):
        raise ValueError(
            f"distributions must hold releases, got the class {release.__name__}: give it its parameters"
        )
    if isinstance(getattr(release, "accounting", None), Accounting):
        raise ValueError(
            f"distributions must hold single releases, got {release!r}, which has a composition of its own: "
            "see its attributes composition and accounting"
        )
    raise ValueError(
        f"compose has no method for {release!r}: distributions must be {', '.join(NAMES)} of "
        "dpbook.privacy.distributions or dpbook.privacy, or a mechanism of dpbook.privacy; a composition is extended by "
        "a list of all its releases"
    )


def _normal(noise: Any, sensitivity: Fraction) -> Kind:
    return Kind(mu_squared=sensitivity**2 / square("sd", noise.sd))


def _laplace(noise: Any, sensitivity: Fraction) -> Kind:
    return _double(LaplaceLoss, sensitivity / positive("scale", noise.scale))


def _double(loss: Any, size: Fraction, bound: str = "", claims: tuple[str, ...] = ()) -> Kind:
    """A loss that is the same in both directions."""
    return Kind(((loss(size), loss(size)),) if size else (), bound=bound, claims=claims)


def _both(loss: Any) -> Kind:
    return Kind(((AtomicLoss(loss), AtomicLoss(loss)),))


def _discrete(noise: Any, sensitivity: Fraction) -> Kind:
    loss = _integers(noise, sensitivity)
    return Kind() if loss is None else _both(loss)


def _integers(noise: Any, sensitivity: Fraction) -> GeometricLoss | DiscreteGaussianLoss | None:
    """The loss of noise on the integers; None where the query does not move."""
    if sensitivity.denominator != 1:
        raise ValueError(f"sensitivity must be an integer with discrete noise, got {sensitivity}")
    shift = int(sensitivity)
    if not shift:
        return None
    if isinstance(noise, TwoSidedGeometric):
        return GeometricLoss(within_doubles("rate", positive("rate", noise.args[1])), shift)
    return DiscreteGaussianLoss(within_doubles("sd**2", square("sd", noise.args[1])), shift)


def _response(answer: Any, sensitivity: Fraction) -> Kind:
    _, last, epsilon = answer.args
    others = exact("last", last)
    if others.denominator != 1 or others < 1:
        raise ValueError(f"last must be an integer >= 1, got {last}")
    _ = within_doubles("last", others)
    return _both(ResponseLoss(positive("epsilon", epsilon), int(others)))


def _pair(pair: Pair, sensitivity: Fraction) -> Kind:
    return _finite(pair.probabilities)


def _finite(pairs: tuple[tuple[Fraction, Fraction], ...]) -> Kind:
    """Outcomes of a pair, in both orders."""
    if all(p == q for p, q in pairs):
        return Kind()
    remove = FiniteLoss(tuple(sorted(pairs)))
    add = FiniteLoss(tuple(sorted((q, p) for p, q in pairs)))
    return Kind(((AtomicLoss(remove), AtomicLoss(add)),))


def _range(release: BoundedRange, sensitivity: Fraction) -> Kind:
    return _double(RangeLoss, release.range, RANGE, TWO_POINTS)


def _tree(tree: TreeAggregation, sensitivity: Fraction) -> Kind:
    node = kind_of(tree.noise, sensitivity)
    return Kind(node.losses * tree.levels, node.mu_squared * tree.levels)


def _poisson(sample: PoissonSampled, sensitivity: Fraction) -> Kind:
    return _sampled(sample.share, sample.noise, sensitivity)


def _sampled(rate: Fraction, noise: Any, sensitivity: Fraction) -> Kind:
    """Noise on a Poisson sample."""
    whole = kind_of(noise, sensitivity)
    if rate == 1 or not (whole.losses or whole.mu_squared):
        return whole
    if not rate:
        return Kind()
    if whole.mu_squared:
        _ = within_doubles("(sensitivity / sd)**2", whole.mu_squared)
        remove, add = (SampledNormal(rate, whole.mu_squared, way) for way in (REMOVE, ADD))
        return Kind(((remove, add),), claims=SAMPLE, neighbours=ADDED)
    if isinstance(noise, Laplace):
        size = sensitivity / positive("scale", noise.scale)
        removed, added = (SampledLaplace(rate, size, way) for way in (REMOVE, ADD))
        return Kind(((removed, added),), claims=SAMPLE, neighbours=ADDED)
    loss = _integers(noise, sensitivity)
    if loss is None:
        return Kind()
    first, other = (AtomicLoss(SampledDiscrete(rate, loss, way)) for way in (REMOVE, ADD))
    return Kind(((first, other),), claims=SAMPLE, neighbours=ADDED)


def _without_replacement(sample: WithoutReplacement, sensitivity: Fraction) -> Kind:
    """Normal noise on a sample of a fixed size, where one record replaces another."""
    whole = kind_of(sample.noise, sensitivity)
    if sample.share == 1 or not whole.mu_squared:
        return whole
    _ = within_doubles("(sensitivity / sd)**2", whole.mu_squared)
    loss = WithoutReplacementNormal(sample.share, whole.mu_squared)
    return Kind(((loss, loss),), bound=FIXED_SIZE, claims=REPLACED, neighbours=SWAPPED)


def _mixture(mixture: Any, sensitivity: Fraction) -> Kind:
    """A mixture of two normal distributions: the output on a sample, beside its first part."""
    parts = mixture.distributions
    if len(parts) == 2 and all(isinstance(part, Normal) for part in parts):
        without, with_ = parts
        if without.sd == with_.sd and without.mean != with_.mean:
            distance = abs(exact("mean", with_.mean) - exact("mean", without.mean))
            _, rate = (exact("each weight", weight) for weight in mixture.weights)
            return _sampled(rate, without, sensitivity * distance)
    raise ValueError(
        f"a Mixture must be of two Normal of one sd and two means, got {mixture!r}: it is the output "
        "on a sample with the record, and its first part the output without it"
    )


def _mechanism(mechanism: Any, sensitivity: Fraction) -> Kind:
    """A mechanism of the textbooks, which has its own sensitivity."""
    if sensitivity != 1:
        raise ValueError(
            f"sensitivity must be 1 with a mechanism, which has its own, got {sensitivity}"
        )
    if isinstance(mechanism, mechanisms.GaussianMechanism):
        ratio = positive("sensitivity", mechanism.sensitivity) / positive("scale", mechanism.scale)
        return Kind(mu_squared=ratio**2)
    epsilon = positive("epsilon", mechanism.epsilon)
    if isinstance(mechanism, mechanisms.LaplaceMechanism | mechanisms.ClippedMean):
        return _double(LaplaceLoss, epsilon)
    if isinstance(mechanism, mechanisms.NoisySumAndCount):
        half = _double(LaplaceLoss, epsilon / 2)
        return Kind(
            half.losses * 2, bound="no record may move both the sum and the count by the most"
        )
    if isinstance(mechanism, mechanisms.Counting):
        return _both(GeometricLoss(epsilon, 1))
    if isinstance(mechanism, mechanisms.RandomisedResponse):
        return _both(ResponseLoss(epsilon, int(mechanism.categories) - 1))
    ranges = mechanisms.ExponentialMechanism | mechanisms.PosteriorDraw | mechanisms.PrivateMedian
    if isinstance(mechanism, ranges):
        return _double(RangeLoss, epsilon, RANGE, TWO_POINTS)
    if isinstance(mechanism, mechanisms.ReportNoisyMax | mechanisms.SparseVector):
        return Kind(_both(ResponseLoss(epsilon, 1)).losses, bound=PURE)
    raise ValueError(
        f"compose has no method for {mechanism!r}: its delta is not the delta of noise; compose_basic adds "
        "such losses up"
    )


READERS: tuple[tuple[Any, Any], ...] = (
    (Normal, _normal),
    (Laplace, _laplace),
    (TwoSidedGeometric | DiscreteGaussian, _discrete),
    (TruthOrNot, _response),
    (Mixture, _mixture),
    (PoissonSampled, _poisson),
    (WithoutReplacement, _without_replacement),
    (Pair, _pair),
    (BoundedRange, _range),
    (TreeAggregation, _tree),
    (mechanisms.Textbook, _mechanism),
)
NAMES = tuple(one.__name__ for types, _ in READERS[:-1] for one in (get_args(types) or (types,)))
