"""Composition of Gaussian and Laplace noise, certified."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx

from dpbook.engine.card import Described
from dpbook.privacy.accounting.contour import Contour, saddle_for_delta, saddle_for_epsilon
from dpbook.privacy.accounting.enclosure import (
    Enclosure,
    ball,
    delta_enclosure,
    exact,
    nonnegative,
    positive,
    probability,
    round_down,
    round_up,
    square,
)
from dpbook.privacy.accounting.gaussian import (
    NEVER_PURE,
    delta_of_gaussian,
    epsilon_of_gaussian,
)
from dpbook.privacy.accounting.lattice import (
    AtomicLoss,
    DiscreteGaussianLoss,
    GeometricLoss,
    LatticeLine,
)
from dpbook.privacy.accounting.line import Line, Releases, enclose_delta, enclose_epsilon
from dpbook.privacy.accounting.losses import LaplaceLoss
from dpbook.privacy.accounting.residues import Residues, few_enough
from dpbook.privacy.accounting.sampled import ADD, REMOVE, OneRelease, SampledNormal
from dpbook.privacy.accounting.solving import DeltaAt, solve
from dpbook.privacy.accounting.subsampling import PoissonSampled
from dpbook.privacy.distributions import (
    DiscreteGaussian,
    Distribution,
    Laplace,
    Mixture,
    Normal,
    TwoSidedGeometric,
)

BITS = 128


def compose(distributions: Any, times: Any = 1, *, sensitivity: Any = 1.0) -> Composition:
    """Compose releases of a query: Gaussian or Laplace noise, or Gaussian noise on Poisson samples.

    Parameters
    ----------
    distributions : Distribution, PoissonSampled or a sequence of them
        The noise: `Normal`, `Laplace`, `TwoSidedGeometric`, `DiscreteGaussian` or `PoissonSampled`; the mean does not matter. Scales in the units of the query.
        A `Mixture` of two `Normal` of one standard deviation is the output with the record, and its first part the
        output without it.
    times : int or sequence of int
        How often each distribution is used, >= 1; one number for all, or one for each.
    sensitivity : number
        The most by which the query moves between neighbours, >= 0.

    Returns
    -------
    Composition
        With ``epsilon(delta)`` and ``delta(epsilon)``.

    Raises
    ------
    ValueError
        No distribution, a distribution of another type, scales that are not rational numbers or floats, `times` that is
        no integer >= 1 or not as many as the distributions.

    Examples
    --------
    >>> compose(PoissonSampled(Normal(0, 1), rate=0.01), 1000).epsilon(1e-5)
    Enclosure(lower=1.82823, upper=1.82824, width=...)
    """
    distributions, times = (
        given.tolist() if isinstance(given, np.ndarray) else given
        for given in (distributions, times)
    )
    listed: list[Any] = (
        [distributions]
        if isinstance(distributions, Distribution | str) or not isinstance(distributions, Iterable)
        else list(distributions)
    )
    if not listed:
        raise ValueError("distributions must hold at least one distribution, got none")
    for distribution in listed:
        _kind(distribution)
    if isinstance(times, Sequence) and not isinstance(times, str) or hasattr(times, "__len__"):
        counts = [_count(each) for each in times]
        if len(counts) != len(listed):
            raise ValueError(
                f"times must be one for each distribution, {len(listed)}, got {len(counts)}"
            )
    else:
        counts = [_count(times)] * len(listed)
    made = Composition(tuple(listed), tuple(counts), nonnegative("sensitivity", sensitivity))
    made._atomic()
    made._parts()  # a scale that cannot be read is reported now
    return made


Kind = tuple[str, Any, Any]  # its name, a scale, and the rate of the sample


def _kind(distribution: Any) -> Kind:
    """What a distribution stands for."""
    if isinstance(distribution, Normal):
        return "normal", distribution.sd, 1
    if isinstance(distribution, Laplace):
        return "laplace", distribution.scale, 1
    if isinstance(distribution, TwoSidedGeometric):
        return "geometric", distribution.args[1], 1
    if isinstance(distribution, DiscreteGaussian):
        return "discrete Gaussian", distribution.args[1], 1
    if isinstance(distribution, PoissonSampled):
        return "sampled", distribution.noise.sd, distribution.share
    if isinstance(distribution, Mixture):
        parts = distribution.distributions
        if len(parts) == 2 and all(isinstance(part, Normal) for part in parts):
            without, with_ = parts
            if without.sd == with_.sd and without.mean != with_.mean:
                return (
                    "sampled",
                    without.sd / abs(with_.mean - without.mean),
                    distribution.weights[1],
                )
    raise ValueError(
        "distributions must be Normal, Laplace, TwoSidedGeometric, DiscreteGaussian, PoissonSampled or a Mixture of two Normal of one sd and two means, "
        f"got {distribution!r}"
    )


def _count(value: Any) -> int:
    read = None
    if not isinstance(value, bool | float | str):
        try:
            read = exact("times", value)
        except ValueError:
            read = None
    if read is None or read.denominator != 1 or read < 1:
        raise ValueError(f"times must be an integer >= 1, got {value!r}")
    return int(read)


@dataclass(frozen=True)
class Composition(Described):
    """Releases of one query, and what they cost together.

    The privacy loss is that of an ordered pair of neighbours. For noise that is symmetric about its mean both
    orders have the same loss, so delta and epsilon hold in both directions. With samples they differ: to add a record and to
    remove it are composed apart, and the larger delta or epsilon is the answer.

    Attributes
    ----------
    distributions : tuple of Distribution
    times : tuple of int
        How often each distribution is used.
    sensitivity : Fraction

    Examples
    --------
    >>> compose(Normal(0, 10), 100)
    Composition(100 x Normal(0, 10), sensitivity=1)
    """

    distributions: tuple[Distribution | PoissonSampled, ...]
    times: tuple[int, ...]
    sensitivity: Fraction

    def delta(self, epsilon: Any) -> Enclosure:
        """Enclose the smallest delta at an epsilon >= 0.

        Raises
        ------
        ValueError
            When epsilon is no finite number >= 0.

        Notes
        -----
        Gaussians alone, and few Laplaces (`residues`), are answered to adjacent doubles as a rule;
        the others with the error that `contour` bounds. When that is not sharp the interval is wide, and valid.
        """
        at = nonnegative("epsilon", epsilon)
        laplaces, mu_squared, sampled = self._parts()
        if sampled:
            if self._one_release():
                return _larger([_closed(way, at) for way in self._ways()])
            with ctx.workprec(BITS):
                return _larger([enclose_delta(each, at) for each in self._directions()])
        if self._atomic():
            with ctx.workprec(BITS):
                return enclose_delta(self._directions()[0], at, self._rule())
        if not laplaces:
            return delta_of_gaussian(at, mu_squared)
        if mu_squared == 0 and at >= _loss(laplaces):
            return Enclosure(0.0, 0.0, -math.inf, -math.inf, "delta", method="pure privacy")
        c = saddle_for_epsilon(laplaces, mu_squared, at)
        if mu_squared == 0 and few_enough(laplaces):
            for bits in (BITS, 4 * BITS, 16 * BITS):
                with ctx.workprec(bits):
                    value = Residues(laplaces).delta(ball(at))
                    found = delta_enclosure(value, Residues.method)
                if found.upper <= math.nextafter(found.lower, math.inf):
                    break
            return found
        with ctx.workprec(BITS):
            here = ball(at)
            value = Contour(laplaces, mu_squared, c, here).delta(here)
            sure = Contour.tail_bound(laplaces, mu_squared, c, here)
            sure = sure.upper() if sure.is_finite() else arb(1)
            high = value.upper() if value.is_finite() and value.upper() < sure else sure
            low = value.lower() if value.is_finite() and value.lower() > 0 else arb(0)
            return delta_enclosure(low.union(high), Contour.method)

    def epsilon(self, delta: Any) -> Enclosure:
        """Enclose the smallest epsilon at a delta in (0, 1), or at 0 for Laplace noise alone.

        It is [0, 0] when delta is at least the delta at epsilon = 0. At delta = 0 it is the pure privacy
        loss, the sum of sensitivity / scale over all releases.

        Raises
        ------
        ValueError
            When delta is no number in (0, 1), or 0 with Gaussian noise.

        Notes
        -----
        A proposal by secants; then signs of balls at both ends prove the interval, since delta
        decreases in epsilon.
        """
        laplaces, mu_squared, sampled = self._parts()
        if sampled:
            target = probability(delta, NEVER_PURE)
            if self._one_release():
                return _larger([_closed_epsilon(way, target) for way in self._ways()])
            with ctx.workprec(BITS):
                remove, add = self._directions()
                first = enclose_epsilon(remove, target)
                return _larger([first, enclose_epsilon(add, target, first.lower)])
        if self._atomic():
            target = probability(delta, "a delta > 0 is needed for discrete noise")
            with ctx.workprec(BITS):
                return enclose_epsilon(self._directions()[0], target, kind=self._rule())
        if mu_squared == 0 and exact("delta", delta, "in [0, 1)") == 0:
            with ctx.workprec(BITS):
                loss = ball(_loss(laplaces))
                low, high = max(0.0, round_down(loss)), max(0.0, round_up(loss))
            return Enclosure(low, high, method="pure privacy")
        target = probability(delta, NEVER_PURE)
        if not laplaces:
            return epsilon_of_gaussian(target, mu_squared)
        c, start = saddle_for_delta(laplaces, mu_squared, _log(target))
        few = mu_squared == 0 and few_enough(laplaces)
        for bits in (BITS, 4 * BITS, 16 * BITS) if few else (BITS,):
            with ctx.workprec(bits):
                most = _most(laplaces, mu_squared, target, c)
                start = min(max(start, 0.0), most)
                profile: DeltaAt = (
                    Residues(laplaces, slope=-c)
                    if few
                    else Contour(laplaces, mu_squared, c, arb(start))
                )
                found = solve(profile, ball(target), start, most)
            if found.upper <= math.nextafter(found.lower, math.inf):
                break
        return found

    def _parts(
        self,
    ) -> tuple[
        tuple[tuple[Fraction, int], ...], Fraction, tuple[tuple[Fraction, Fraction, int], ...]
    ]:
        """The Laplaces as (sensitivity / scale, times), mu^2 of the Gaussians, samples as (rate, mu^2, times)."""
        laplaces: dict[Fraction, int] = {}
        sampled: dict[tuple[Fraction, Fraction], int] = {}
        mu_squared = Fraction(0)
        for distribution, count in zip(self.distributions, self.times, strict=True):
            kind, scale, rate = _kind(distribution)
            if kind in ("geometric", "discrete Gaussian"):
                continue  # in _atomic
            if kind == "laplace":
                loss = self.sensitivity / exact("scale", scale)
                if loss:
                    laplaces[loss] = laplaces.get(loss, 0) + count
                continue
            distance = self.sensitivity**2 / square("sd", scale)
            share = exact("rate", rate)
            if kind == "normal" or share == 1:
                mu_squared += count * distance
            elif distance and share:
                sampled[share, distance] = sampled.get((share, distance), 0) + count
        return (
            tuple(sorted(laplaces.items())),
            mu_squared,
            tuple((*key, times) for key, times in sorted(sampled.items())),
        )

    def _atomic(self) -> list[tuple[AtomicLoss, int]]:
        """The losses of discrete noise."""
        found: dict[GeometricLoss | DiscreteGaussianLoss, int] = {}
        for distribution, count in zip(self.distributions, self.times, strict=True):
            kind, scale, _ = _kind(distribution)
            if kind not in ("geometric", "discrete Gaussian"):
                continue
            if self.sensitivity.denominator != 1:
                raise ValueError(
                    f"sensitivity must be an integer with discrete noise, got {self.sensitivity}"
                )
            shift = int(self.sensitivity)
            if not shift:
                continue
            loss = (
                GeometricLoss(positive("rate", scale), shift)
                if kind == "geometric"
                else DiscreteGaussianLoss(square("sd", scale), shift)
            )
            found[loss] = found.get(loss, 0) + count
        return [(AtomicLoss(loss), times) for loss, times in found.items()]

    def _rule(self) -> Any:
        """The line for what has a density as well, the lattice for discrete noise alone."""
        laplaces, mu_squared, sampled = self._parts()
        return Line if laplaces or mu_squared or sampled else LatticeLine

    def _one_release(self) -> bool:
        """Whether there is one release from a sample and nothing else."""
        laplaces, mu_squared, sampled = self._parts()
        return (
            not laplaces
            and not mu_squared
            and not self._atomic()
            and [times for *_, times in sampled] == [1]
        )

    def _ways(self) -> list[SampledNormal]:
        """The loss of one release when the record is removed, and when it is added."""
        ((rate, distance, _),) = self._parts()[2]
        return [SampledNormal(rate, distance, way) for way in (REMOVE, ADD)]

    def _directions(self) -> tuple[Releases, Releases]:
        """The losses when a record is removed, and when it is added."""
        laplaces, mu_squared, sampled = self._parts()
        symmetric: list[tuple[Any, int]] = [(LaplaceLoss(loss), times) for loss, times in laplaces]
        symmetric += self._atomic()
        remove, add = (
            Releases(
                [*symmetric, *((SampledNormal(q, d, way), times) for q, d, times in sampled)],
                mu_squared,
            )
            for way in (REMOVE, ADD)
        )
        return remove, add

    def __repr__(self) -> str:
        return f"Composition({self._listed()}, sensitivity={float(self.sensitivity):g})"

    def describe(self) -> str:
        """Return the releases in words."""
        total = sum(self.times)
        return (
            f"{total} release{'s' * (total != 1)} of a query of sensitivity "
            f"{float(self.sensitivity):g}: {self._listed()}."
        )

    def _listed(self) -> str:
        return " + ".join(
            f"{n} x {distribution}"
            for distribution, n in zip(self.distributions, self.times, strict=True)
        )


def _closed(loss: SampledNormal, epsilon: Fraction) -> Enclosure:
    """Delta of one release from a sample."""
    for bits in (BITS, 4 * BITS, 16 * BITS, 64 * BITS):
        with ctx.workprec(bits):
            value = OneRelease(loss).delta(ball(epsilon))
            if value.is_finite():
                found = delta_enclosure(value, OneRelease.method)
                if found.upper <= math.nextafter(found.lower, math.inf):
                    return found
    return found if value.is_finite() else Enclosure(0.0, 1.0, -math.inf, 0.0, "delta")


def _closed_epsilon(loss: SampledNormal, target: Fraction) -> Enclosure:
    """Epsilon of one release from a sample."""
    rest = float(target) / float(loss.rate)
    log_rest = _log(target) - _log(loss.rate)
    for bits in (BITS, 4 * BITS, 16 * BITS):
        with ctx.workprec(bits):
            # delta <= q Pr(N(mu, 1) > x) when removed; the loss added is at most -log(1 - q)
            mu, q = ball(loss.mu_squared).sqrt(), ball(loss.rate)
            most = loss.most
            if most is None:
                tail = (arb(-2) * min(log_rest, 0.0)).sqrt() if rest < 0.5 else arb(0)
                most = (1 - q + q * (mu * (mu + tail) - mu * mu / 2).exp()).log()
            high = max(round_up(most), 0.0)
            found = solve(OneRelease(loss, -1.0), ball(target), high / 2, high)
        if found.upper <= math.nextafter(found.lower, math.inf):
            break
    return found


def _larger(found: list[Enclosure]) -> Enclosure:
    """An interval of the larger of some numbers, from an interval of each."""
    first = found[0]
    log_lower = log_upper = None
    if first.log_lower is not None:
        log_lower = max(each.log_lower or 0.0 for each in found)
        log_upper = max(each.log_upper or 0.0 for each in found)
    return Enclosure(
        max(each.lower for each in found),
        max(each.upper for each in found),
        log_lower,
        log_upper,
        first.quantity,
        method=first.method,
    )


def _log(value: Fraction) -> float:
    """The logarithm, also of what is below the doubles."""
    return math.log(value.numerator) - math.log(value.denominator)


def _loss(laplaces: tuple[tuple[Fraction, int], ...]) -> Fraction:
    """The most that the Laplaces can lose: without Gaussians delta is 0 from there on."""
    return sum((loss * count for loss, count in laplaces), Fraction(0))


def _most(
    laplaces: tuple[tuple[Fraction, int], ...], mu_squared: Fraction, target: Fraction, c: float
) -> float:
    """An epsilon that is certainly enough: by the tail bound at c, or the largest loss."""
    # delta <= e^(K(c) - c epsilon) c^c / (1 + c)^(1 + c), solved for epsilon
    bound = Contour.tail_bound(laplaces, mu_squared, c, arb(0))
    enough = (bound.log() - ball(target).log()) / arb(c)
    most = round_up(enough) if enough.is_finite() else math.inf
    if mu_squared == 0:
        most = min(most, round_up(ball(_loss(laplaces))))
    return max(most, 0.0)
