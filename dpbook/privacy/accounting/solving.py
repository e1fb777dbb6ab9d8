"""The epsilon of a delta: proposals by secants, proofs by signs of balls."""

from __future__ import annotations

import math
from typing import Protocol

from flint import arb

from dpbook.privacy.accounting.enclosure import Enclosure

_PATIENCE = 3  # proposals that bring the value little nearer: then the interval is halved


class DeltaAt(Protocol):
    """Something that encloses delta at an epsilon; `slope` is about d log(delta) / d epsilon."""

    method: str
    slope: float

    def delta(self, epsilon: arb) -> arb: ...


def solve(profile: DeltaAt, wanted: arb, start: float, most: float) -> Enclosure:
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
    at, slope, spread, stalled = start, min(profile.slope, -1e-300), math.inf, 0
    before: tuple[float, float] | None = None
    for _ in range(80):
        value = look(at)
        gap = _gap(value, wanted)
        if gap is not None and before is not None and at != before[0]:
            secant = (gap - before[1]) / (at - before[0])
            slope = secant if secant < 0 else slope
            stalled = stalled + 1 if abs(gap) > 0.5 * abs(before[1]) else 0
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
            if not low < better < high or stalled >= _PATIENCE and math.isfinite(high):
                better, stalled = low + (high - low) / 2, _PATIENCE - 1
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
            value = look(there)
            if (low > before_low and side < 0) or (high < before_high and side > 0):
                nearer = _twice_beyond(there, value, before, wanted)
                if nearer is not None and 2 * abs(nearer - at) < reach and low < nearer < high:
                    look(nearer)
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


def _twice_beyond(
    at: float, value: arb, before: tuple[float, float] | None, wanted: arb
) -> float | None:
    """Return where the secant to an earlier value passes the wanted value by twice the error, on the side of `at`.

    The slope that was given may be far too flat.
    """
    gap = _gap(value, wanted)
    if gap is None or before is None or (gap - before[1]) * (at - before[0]) >= 0:
        return None
    aim = math.copysign(2 * float(value.rad() / value.mid()), gap)
    return at + (aim - gap) * (at - before[0]) / (gap - before[1])
