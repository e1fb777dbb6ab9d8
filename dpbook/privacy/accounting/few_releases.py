r"""Delta of few releases from samples, by two losses on a grid, a larger and a smaller one.

Let v = e^x, and H(v) = E (g - v)_+ delta of one release at x (see `sampled`); it is convex, and 1 - v up to v_0 = 1 - q. A convex
function with the same ends that is linear between points v_j is delta of a loss on the points: without the record it has the mass
Q_j = the change of the slope at v_j. A pair of distributions with a larger delta at all v gives a larger delta in composition
too, so a piecewise linear function above H gives an upper bound, and one below H a lower bound. With v_j = v_0 r^j the total loss of
n releases is on the points v_0^n r^J, with the masses of a power of a polynomial, and by put-call parity

    delta(v) = 1 - v + sum_J Q^(*n)_J (v - v_0^n r^J)_+

needs only those below v: the largest losses, which make the transform oscillate on and on, drop out.

**Above:** the chords of H between the v_j.

**Below:** the tangents t_j of H at the v_j, and between them the points u_j = v_0 r^(j + 1/2) with the values
w_j = min(t_j(u_j), t_(j+1)(u_j)). The chord from w_(j-1) to w_j is below t_j at both ends, so below H. The lower convex hull of the
points is below all that. On the left it is 1 - v up to a u_j where t_(j+1) is no less and after which no w is
less; on the right a line as steep as the last tangent goes down to 0: there is a point more, off the grid and beyond all others.

Both are off by the square of the step. **Rounding:** the Q_j are whole multiples of 2^-bits. The n-th power is off by
(1 + e)^n - 1 in all, where e is the sum of the errors of the Q_j, and delta by v times that.
"""

from __future__ import annotations

import math
from copy import copy
from itertools import pairwise

from flint import arb, ctx, fmpz_poly

from dpbook.privacy.accounting.enclosure import ball, units
from dpbook.privacy.accounting.sampled import SampledNormal, _above


class FewReleases:
    """Delta of few releases from which the record is removed, at any epsilon in [0, `most`].

    Parameters
    ----------
    loss : SampledNormal
        To remove.
    times : int
    most : float
        The largest epsilon, > 0.
    points : int
        Of the grid up to `most`.
    slope : float
        About d log(delta) / d epsilon.
    """

    method = "convolution of losses on a grid"

    def __init__(
        self, loss: SampledNormal, times: int, most: float, points: int, slope: float = -1.0
    ) -> None:
        self.slope = slope
        self.rate, self.mu = ball(loss.rate), ball(loss.mu_squared).sqrt()
        self.first = 1 - self.rate
        start, step = times * self.first.log(), (most - times * self.first.log()) / (points - 3)
        half = (step / 2).exp()
        places = [self.first]
        for _ in range(2 * points):
            places.append(places[-1] * half)
        at, between = places[0:-1:2], places[1::2]
        values = [(self.rate, arb(-1)), *(self._one(v) for v in at[1:])]
        above, below = _chords(at, values), _tangents(at, between, values)
        self.above = _Total(above, times, start, step)
        self.below = below and _Total(below, times, start + times * step / 2, step)

    def _one(self, v: arb) -> tuple[arb, arb]:
        """Delta of one release, and its derivative in v, for v > 1 - q."""
        q, mu, moved = self.rate, self.mu, v - self.first
        place = (moved / q).log() / mu + mu / 2
        mass = _above(place)
        return q * _above(place - mu) - moved * mass, -mass

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds delta; where the steps are too wide for a bound from below, from 0 on."""
        below = self.below.delta(epsilon) if self.below else arb(0)
        return below.union(self.above.delta(epsilon))

    def from_above(self) -> FewReleases:
        """Return the bound from above, as if it were delta."""
        bound = copy(self)
        bound.below = bound.above
        return bound


def _chords(at: list[arb], values: list[tuple[arb, arb]]) -> list[arb]:
    """Return the changes of slope of the function that is linear between the points, but for the last two points."""
    slopes = [(values[j + 1][0] - values[j][0]) / (at[j + 1] - at[j]) for j in range(len(at) - 1)]
    return [after - before for before, after in pairwise([arb(-1), *slopes])]


def _tangents(at: list[arb], between: list[arb], values: list[tuple[arb, arb]]) -> list[arb] | None:
    """Return the changes of slope, at the points in between, of a convex function below; None where it is not sure."""
    lines = [
        [value + slope * (u - v) for u in near]
        for (value, slope), v, near in zip(values, at, pairwise([at[0], *between]), strict=False)
    ]
    # lines[j] holds the tangent at j where it meets the tangent before and the tangent after it
    heights = [one[1].min(other[0]) for one, other in pairwise(lines)]
    least = arb(2) ** -(5 * ctx.prec // 8)  # so that the changes of slope are above the radii
    sure = [height > 1 - u + least for height, u in zip(heights, between, strict=False)]
    start = max((k for k, known in enumerate(sure) if not known), default=0)
    if not lines[start + 1][0] >= 1 - between[start]:
        start += 1  # there both tangents are above
    if start >= len(heights) - 1 or not (between[start] < 1 and heights[-1] > 0):
        return None
    heights[start] = 1 - between[start]
    kept, slopes = [start], [arb(-1)]  # each point with the slope on its left
    for k in range(start + 1, len(heights)):
        while True:
            slope = (heights[k] - heights[kept[-1]]) / (between[k] - between[kept[-1]])
            if len(kept) == 1 or slope > slopes[-1]:
                break
            if not slope <= slopes[-1]:
                return None
            kept.pop()
            slopes.pop()
        kept.append(k)
        slopes.append(slope)
    slopes.append(values[len(heights)][1])
    found = [arb(0)] * len(heights)
    for k, before, after in zip(kept, slopes, slopes[1:], strict=False):
        if not after > before:
            return None
        found[k] = after - before
    return found


class _Total:
    """Delta of the sum of losses on a grid, from the masses of one without the record.

    Parameters
    ----------
    masses : list of arb
    times : int
    start : arb
        The least total loss.
    step : arb
        Of the grid.
    """

    def __init__(self, masses: list[arb], times: int, start: arb, step: arb) -> None:
        self.start, self.step = start, step
        bits, size = ctx.prec, len(masses)
        unit = arb(2) ** -bits
        whole = [units(mass, bits) for mass in masses]
        first = fmpz_poly(whole), sum((mass.rad() for mass in masses), size * unit)
        power, off = first
        for digit in bin(times)[3:]:
            for one, error in ((power, off), first)[: 1 + int(digit)]:
                product = power.mul_low(one, size)
                power = fmpz_poly([c >> bits for c in product.coeffs()])
                off = (1 + off) * (1 + error) - 1 + size * unit
        self.off = off.upper()
        ratio, place = step.exp(), start.exp()
        self.places, self.masses = [], []
        self.sums, self.moments = [arb(0)], [arb(0)]
        found = power.coeffs()  # without the zeros at its end
        for c in found + [0] * (size - len(found)):
            mass = c * unit
            self.places.append(place)
            self.masses.append(mass)
            self.sums.append(self.sums[-1] + mass)
            self.moments.append(self.moments[-1] + mass * place)
            place *= ratio

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds delta."""
        v = epsilon.exp()
        last = math.floor(float((epsilon - self.start) / self.step)) - 1
        last = min(max(last, 0), len(self.places) - 3)
        if last and not self.places[last - 1] < v or not v < self.places[last + 2]:
            return arb.nan()
        found = 1 - v + v * self.sums[last] - self.moments[last]
        for k in (last, last + 1):
            found += self.masses[k] * (v - self.places[k]).max(arb(0))
        return found + v * arb(0, 1) * self.off
