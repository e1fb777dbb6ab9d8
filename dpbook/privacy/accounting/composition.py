"""Composition of Gaussian and Laplace noise, certified."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

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
from dpbook.privacy.accounting.residues import Residues, few_enough
from dpbook.privacy.distributions import Distribution, Laplace, Normal

BITS = 128


def compose(distributions: Any, times: Any = 1, *, sensitivity: Any = 1.0) -> Composition:
    """Compose releases of a query with Gaussian or Laplace noise.

    Parameters
    ----------
    distributions : Distribution or sequence of Distribution
        The noise: `Normal` or `Laplace`; the mean does not matter. Scales in the units of the query.
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
    >>> compose([Laplace(0, 20), Normal(0, 30)], [500, 500]).epsilon(1e-6)  # doctest: +SKIP
    """
    distributions, times = (
        given.tolist() if isinstance(given, np.ndarray) else given
        for given in (distributions, times)
    )
    listed = (
        [distributions]
        if isinstance(distributions, Distribution) or not isinstance(distributions, Iterable)
        else list(distributions)
    )
    if not listed:
        raise ValueError("distributions must hold at least one distribution, got none")
    for distribution in listed:
        if not isinstance(distribution, Normal | Laplace):
            raise ValueError(
                f"distributions must be Normal or Laplace, got {distribution!r}; see compose_numerically for others"
            )
    if isinstance(times, Sequence) and not isinstance(times, str) or hasattr(times, "__len__"):
        counts = [_count(each) for each in times]
        if len(counts) != len(listed):
            raise ValueError(
                f"times must be one for each distribution, {len(listed)}, got {len(counts)}"
            )
    else:
        counts = [_count(times)] * len(listed)
    made = Composition(tuple(listed), tuple(counts), nonnegative("sensitivity", sensitivity))
    made._parts()  # a scale that cannot be read is reported now
    return made


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


class _Profile(Protocol):
    """Something that encloses delta at an epsilon; `slope` is about d log(delta) / d epsilon."""

    method: str
    slope: float

    def delta(self, epsilon: arb) -> arb: ...


@dataclass(frozen=True)
class Composition(Described):
    """Releases of one query, and what they cost together.

    The privacy loss is that of an ordered pair of neighbours. For noise that is symmetric about its mean both
    orders have the same loss, so delta and epsilon hold in both directions.

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

    distributions: tuple[Distribution, ...]
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
        laplaces, mu_squared = self._parts()
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
        laplaces, mu_squared = self._parts()
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
                profile: _Profile = (
                    Residues(laplaces, slope=-c)
                    if few
                    else Contour(laplaces, mu_squared, c, arb(start))
                )
                found = _solve(profile, ball(target), start, most)
            if found.upper <= math.nextafter(found.lower, math.inf):
                break
        return found

    def _parts(self) -> tuple[tuple[tuple[Fraction, int], ...], Fraction]:
        """The Laplaces as (sensitivity / scale, times), equal ones joined, and mu^2 of the Gaussians."""
        laplaces: dict[Fraction, int] = {}
        mu_squared = Fraction(0)
        for distribution, count in zip(self.distributions, self.times, strict=True):
            if isinstance(distribution, Normal):
                mu_squared += count * self.sensitivity**2 / square("sd", distribution.sd)
            else:
                loss = self.sensitivity / exact("scale", distribution.args[1])
                if loss:
                    laplaces[loss] = laplaces.get(loss, 0) + count
        return tuple(sorted(laplaces.items())), mu_squared

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


def _solve(profile: _Profile, wanted: arb, start: float, most: float) -> Enclosure:
    """Enclose the epsilon where the profile, which decreases, passes the delta wanted.

    `low` and `high` are moved only to where a sign of balls proves delta(low) >= wanted >= delta(high);
    at the start 0 and `most` are such ends.
    """
    low, high = 0.0, most

    def look(at: float) -> arb:
        nonlocal low, high
        value = profile.delta(arb(at))
        if value >= wanted:
            low = max(low, at)
        elif value <= wanted:
            high = min(high, at)
        return value

    # proposals: secants on log(delta), bisection where they leave the interval
    at, slope, spread = start, min(profile.slope, -1e-300), math.inf
    before: tuple[float, float] | None = None
    for _ in range(80):
        value = look(at)
        gap = _gap(value, wanted)
        if gap is not None and before is not None and at != before[0]:
            secant = (gap - before[1]) / (at - before[0])
            slope = secant if secant < 0 else slope
        if high <= math.nextafter(low, math.inf):
            break
        if gap is None:
            if at not in (low, high):  # undecided, and no value to aim with
                break
            better = low + (high - low) / 2
        else:
            before = at, gap
            error = float(value.rad() / value.mid())
            better = at - gap / slope
            spread = 1.25 * error / -slope
            if abs(gap) <= 4 * error or abs(better - at) <= math.ulp(at):
                at = better
                break
            if not low < better < high:
                better = low + (high - low) / 2
        if better == at or not math.isfinite(better):
            break
        at = better
    at = min(max(at, low), high)
    # proofs: step away from the proposal until a sign is certain
    for side in (-1, 1):
        reach = max(spread if math.isfinite(spread) else (high - low) / 64, math.ulp(at))
        for _ in range(30):
            there = at + side * reach
            if not low < there < high:
                break
            before_low, before_high = low, high
            look(there)
            if (low > before_low and side < 0) or (high < before_high and side > 0):
                break
            reach *= 2
    for _ in range(4):  # where the balls are sharp, to the neighbouring doubles
        if not 0 < high - low <= 8 * math.ulp(high):
            break
        middle = low + (high - low) / 2
        if middle in (low, high):
            break
        look(middle)
    if low == 0 and profile.delta(arb(0)) <= wanted:
        high = 0.0
    return Enclosure(low, high, method=profile.method)


def _gap(value: arb, wanted: arb) -> float | None:
    """log(value / wanted) at the middle of the ball; None when the ball reaches 0."""
    if not value.is_finite() or not value > 0:
        return None
    return float((value.mid() / wanted).log())
