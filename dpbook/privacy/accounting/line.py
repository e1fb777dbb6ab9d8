r"""Delta of independent releases by the trapezoidal rule on a vertical line, with every error bounded.

**The formula.** Let L be the total privacy loss, M(z) = E e^(zL) and K = log M. M is a product of factors M_i^(k_i), one for
each kind of release, and e^(mu^2 z(z+1)/2) for all normal noise together. Since delta(x) = E (1 - e^(x-L))_+, for each c > 0

    delta(x) = (1 / 2 pi i) int_{Re z = c} M(z) e^(-zx) / (z(z+1)) dz.

A factor gives, with bounds of its errors,

    r_i(t) - 1,  r_i(t) = M_i(c + it) e^(-i t center_i) / M_i(c),  at the nodes, and  B_i(T) >= |r_i(t)| for all t >= T.

**Aliases.** The rule with nodes z_m = c + imh, all m, equals (Poisson) with P = 2 pi / h

    sum_{j in Z} delta(x + jP) e^(cjP).

The term j = 0 is the answer and all others are >= 0, so the rule is never below the truth. The terms with j < 0 are together at most
e^(-cP) / (1 - e^(-cP)), as delta <= 1. For each c' > c, delta(y) <= e^(K(c') - c'y), so the terms with j > 0 are together at most
e^(K(c') - c'x) q / (1 - q), q = e^(-(c' - c)P), and nothing when x + P is at least the largest loss. Where single losses are rare
and large, K grows fast beyond the saddle point: then a line left of it needs far fewer nodes, and loses e^(K(c) - cx) / delta in
relative accuracy.

**Cut.** The sum stops at t = Nh = T. As |z(z+1)| >= t^2, the rest is at most M(c) e^(-cx) / pi times
prod B_i(T)^(k_i) e^(-mu^2 T^2 / 2) / T.

**Ends.** Laplace noise loses its most, or the negative of that, with a positive probability, so its B(T) stays away from 0. With
Laplace noise alone the rule is applied to the event that more than J releases lose something in between (`ends`): M is
replaced by a part of it that falls like t^-(J+1), and the rest of delta is a sum. The part is again E e^(zL) over an event, so the
aliases are bounded as above.

**Balls.** A rule in doubles loses e^(K(c) - cx) / delta in relative accuracy, which is most where large losses are rare: M is close to 1 on
a long part of the line. Then the same sum is done once more in balls (`SharpLine`).

**Noise.** Where no sum of the nodes allowed has a small cut, a release of normal noise with a tiny v = mu^2 is added (`Smoothed`). Let
Q be the distribution without the record: delta(x) = E_Q (e^L - e^x)_+, and the added loss N has E_Q e^N = 1, so by Jensen's
inequality delta_v >= delta. The gap g_v(l) = E (e^(l+N) - e^x)_+ - (e^l - e^x)_+ has, with s^2 = v, the derivative e^l phi(d) in s with
d = (l - x) / s + s / 2, so d^2 = (l - x)^2 / s^2 + (l - x) + s^2 / 4. Doubling s takes phi(d) to at least phi(d) e^(-3 s^2 / 8), hence
g_4v >= 2 e^(-3v/8) g_v and

    delta_v - (delta_4v - delta_v) / (2 e^(-3v/8) - 1) <= delta <= delta_v.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from flint import acb, acb_mat, arb, ctx
from numpy.typing import NDArray
from scipy.optimize import brentq

from dpbook.privacy.accounting.at_atoms import AtAtoms, has_atoms, latest
from dpbook.privacy.accounting.doubles import (
    U,
    exp_of_minus,
    modulus,
    power_of_one_plus,
    product,
    reciprocal,
    short,
    sum_in_pairs,
    turns,
)
from dpbook.privacy.accounting.enclosure import Enclosure, ball, delta_enclosure, powers, round_up
from dpbook.privacy.accounting.ends import DEGREES, Ends, few_points
from dpbook.privacy.accounting.losses import LaplaceLoss
from dpbook.privacy.accounting.solving import solve

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]

_SHARP = 28.0  # nats: the errors that we choose are e^-28 of the answer, if the nodes suffice
_FEW_NODES, _MOST_NODES = 6_000, 100_000
_LINES = (1.0, 0.93, 0.85, 0.75, 0.65, 0.5, 0.35, 0.2)  # shares of the saddle point that are tried
_BEYOND = (1.01, 1.03, 1.07, 1.15, 1.3, 1.5, 1.8, 2.2, 3.0, 5.0)  # c' / c
_MOST_TIMES = 10**9
# Parts of the saddle at which moments are tried: it may be far beyond those that have a bound.
_SHARES = (1.0, 0.25, 0.06, 0.015, 0.004, *(0.001 / 4**k for k in range(16)))
_MOST_LINES = 4  # the saddle-point approximation may miss the epsilon; the next line starts where this one found it
_GOAL = 1e-10
AT_ATOMS = -1  # in place of a degree: all losses are atoms
_WIDE = 1e-8  # width from which on a sum in balls is worth its time
_SHARP_ERROR = 52.0  # nats of the errors of a grid for balls, at most
_SPARE = 2.0  # nats more than a sum in balls needs
_MOST_IN_BALLS = 50_000


class Nodes(Protocol):
    """A factor on one line."""

    known: bool
    log_peak: arb
    center: float

    def excess(self, t: Reals) -> tuple[Complexes, Reals]: ...

    def log_far(self, t: float) -> arb: ...


class Factor(Protocol):
    """The loss of one release, as a line uses it."""

    @property
    def most(self) -> Fraction | arb | None: ...

    def moments(self, c: float) -> tuple[float, float, float]: ...

    def far(self, c: float, t: float) -> tuple[float, float]: ...

    def grid(self, c: float, t: float, times: int) -> Any: ...

    def cumulant(self, c: arb) -> arb: ...


class Releases:
    """Releases of some kinds, each so often, and normal noise: the total loss in one direction."""

    def __init__(self, factors: Sequence[tuple[Factor, int]], mu_squared: Fraction) -> None:
        self.factors = tuple(factors)
        self.counts = [float(min(times, 10**200)) for _, times in factors]
        self.mu_squared = mu_squared
        self.v = float(min(mu_squared, Fraction(10**300)))
        self._moments: dict[float, tuple[float, float, float]] = {}

    def most(self) -> Fraction | arb | None:
        """The largest total loss, if there is one."""
        if self.mu_squared:
            return None
        exact, total = Fraction(0), arb(0)
        for factor, times in self.factors:
            most = factor.most
            if most is None:
                return None
            if isinstance(most, Fraction):
                exact += times * most
            else:
                total += times * most
        return exact if total == 0 else ball(exact) + total

    def end(self) -> arb | None:
        """Return the largest total loss in a ball, if there is one."""
        most = self.most()
        return ball(most) if isinstance(most, Fraction) else most

    def moments(self, c: float) -> tuple[float, float, float]:
        """K(c), K'(c) and K''(c), about."""
        if c not in self._moments:
            found = np.array([self.v * c * (c + 1) / 2, self.v * (2 * c + 1) / 2, self.v])
            for (factor, _), times in zip(self.factors, self.counts, strict=True):
                found += times * np.array(factor.moments(c))
            self._moments[c] = float(found[0]), float(found[1]), float(found[2])
        return self._moments[c]

    def cumulant(self, c: arb) -> arb:
        """K(c), in a ball."""
        total = ball(self.mu_squared) * c * (c + 1) / 2
        for factor, times in self.factors:
            total += times * factor.cumulant(c)
        return total

    def size(self, c: float, epsilon: float) -> float:
        """Log delta by the saddle-point approximation at c."""
        value, _, curvature = self.moments(c)
        width = curvature + 1 / c**2 + 1 / (c + 1) ** 2
        return (
            value - c * epsilon - math.log(c) - math.log1p(c) - 0.5 * math.log(2 * math.pi * width)
        )

    def at(self, c: float) -> float:
        """The epsilon whose saddle point is c."""
        return self.moments(c)[1] - 1 / c - 1 / (c + 1)

    def saddle_for_epsilon(self, epsilon: float) -> float:
        """The c where the integrand is least on the real line, about."""
        return _bisect(lambda c: self.at(c) - epsilon)

    def start_for_delta(self, log_delta: float) -> tuple[float, float]:
        """The c of the best bound of delta by moments, and about the epsilon there."""

        # the derivative, times c^2, of the epsilon at which the bound at c is delta
        def slope(c: float) -> float:
            value, first, _ = self.moments(c)
            return c * first - value + log_delta + math.log1p(c)

        c = _bisect(slope)
        return c, (self.size(c, 0.0) - log_delta) / c

    def far(self, c: float, t: float) -> float:
        """Return the log of the bound of the part beyond t, about, without the peak."""
        total = -self.v * t * t / 2 - math.log(t)
        for (factor, _), times in zip(self.factors, self.counts, strict=True):
            total += times * factor.far(c, t)[0]
        return total

    def laplaces(self) -> list[tuple[LaplaceLoss, int]]:
        """Return the releases, if all are Laplace noise and few enough for a sum over their ends."""
        found = [(loss, k) for loss, k in self.factors if isinstance(loss, LaplaceLoss)]
        alone = len(found) == len(self.factors) and not self.mu_squared
        return found if alone and few_points(found) else []

    def with_noise(self, v: Fraction) -> Releases:
        """Add a release of normal noise; v is (sensitivity / standard deviation)^2."""
        return Releases(self.factors, self.mu_squared + v)


def _bisect(increasing: Callable[[float], float]) -> float:
    """Find where a function of c > 0 passes 0, on a logarithmic scale; a few digits are enough."""
    low, high = math.log(1e-9), math.log(1e12)
    if increasing(math.exp(low)) >= 0:
        return short(math.exp(low))
    at, step = 2.0, 2.0
    # a bracket by steps from the middle, then secants inside it
    value = increasing(math.exp(at))
    while True:
        other = at + (step if value < 0 else -step)
        if not low < other < high:
            return short(math.exp(min(max(other, low), high)))
        there = increasing(math.exp(other))
        if (there < 0) != (value < 0):
            break
        at, value = other, there
    return short(math.exp(float(brentq(lambda s: increasing(math.exp(s)), at, other, xtol=1e-3))))


class Line:
    """Delta at any epsilon near `near`, by one line Re z = c; the saddle point proposes the line."""

    method = "contour integral in doubles with bounded errors"

    def __init__(self, releases: Releases, saddle: float, near: float, log_delta: float) -> None:
        self.releases = releases
        self.slope = -saddle
        self.end = releases.end()
        found = self._choose(saddle, near, min(log_delta, 0.0))
        self.known = (
            found is not None and max((k for _, k in releases.factors), default=0) < _MOST_TIMES
        )
        if not self.known or found is None:
            return
        c, beyond, self.step, last, degree = found
        self.c, self.beyond = arb(c), arb(beyond)
        self.ends = None if degree is None or degree < 0 else Ends(releases.laplaces(), degree)
        self.at_atoms: AtAtoms | None = AtAtoms(releases.factors) if degree == AT_ATOMS else None
        self.nodes = math.ceil(last / self.step)
        self.period = 2 * arb.pi() / arb(self.step)
        with np.errstate(all="ignore"):  # a number that is not finite leaves `known` False
            self._fill(c)

    def _choose(
        self, saddle: float, near: float, size: float
    ) -> tuple[float, float, float, float, int | None] | None:
        """Return the line, c', the step, the last t and the degree of the sum at the ends."""
        best: tuple[float, tuple[float, float, float, float, None]] | None = None
        allowed = 0.0
        for share in _LINES:
            c = short(saddle * share)
            loud = self.releases.moments(c)[0] - c * near - size  # loss of accuracy
            allowed = loud + 3 if share == 1.0 else allowed
            if loud > max(allowed, 12.0):
                break
            step, beyond = step_of(self.releases, self.end, c, near, size)
            last = self._last(c, loud, step)
            late = self._latest(c, step, last)
            if last is not None and last / step <= _FEW_NODES and (late is None or last <= late):
                return c, beyond, step, last, None
            if share == 1.0 and (split := self._split(c, loud, step)) is not None:
                return c, beyond, step, *split
            if share == 1.0 and late is not None:
                return c, beyond, step, late, AT_ATOMS
            if last is not None and (best is None or last / step < best[0]):
                best = last / step, (c, beyond, step, last, None)
        return None if best is None or best[0] > _MOST_NODES else best[1]

    def _split(self, c: float, loud: float, step: float) -> tuple[float, int] | None:
        """Return where to cut the rest of the least degree that needs few nodes, and the degree."""
        laplaces = self.releases.laplaces()
        last = _FEW_NODES * step
        for degree in DEGREES if laplaces else ():
            far = Ends.log_far_of(laplaces, degree, arb(c), arb(last))
            if far.is_finite() and loud + float(far) - math.log(last) <= -_SHARP:
                return last, degree
        return None

    def _latest(self, c: float, step: float, last: float | None) -> float | None:
        """Return where to cut if atoms are split off, if they can be."""
        factors = self.releases.factors
        if self.releases.mu_squared or not has_atoms(factors):
            return None
        most = _MOST_NODES / 3 * step
        return latest(factors, c, most if last is None else min(last, most), step)

    def _last(self, c: float, loud: float, step: float) -> float | None:
        """Return where to cut, about."""
        low = high = 2 / math.sqrt(max(self.releases.moments(c)[2], 1e-100))
        while loud + self.releases.far(c, high) > -_SHARP:
            low, high = high, high * 2
            if high > 4 * _MOST_NODES * step:
                return None
        while high > 1.1 * low:
            middle = math.sqrt(low * high)
            if loud + self.releases.far(c, middle) > -_SHARP:
                low = middle
            else:
                high = middle
        return high

    def _fill(self, c: float) -> None:
        """The weights M(z_m) / (M(c) z_m (z_m + 1)) but for the phase, and the bound of their error."""
        releases, h = self.releases, self.step
        t: Reals = np.arange(self.nodes + 1, dtype=np.float64) * h
        last = math.nextafter(self.nodes * h, math.inf) * (1 + 1e-15)
        v = ball(releases.mu_squared)
        self.log_peak = v * self.c * (self.c + 1) / 2
        far = -v * arb(self.nodes) ** 2 * arb(h) ** 2 / 2
        weights: Complexes = np.ones(t.size, dtype=complex)
        error: Reals = np.zeros(t.size)
        self.shift = arb(0)
        every = []
        for factor, k in releases.factors:
            nodes = factor.grid(c, last, k)
            every.append(nodes)
            if not nodes.known:
                self.known = False
                return
            self.log_peak += k * nodes.log_peak
            far += k * nodes.log_far(self.nodes * h * (1 - 1e-15))
            self.shift += k * arb(nodes.center)
            less, off = nodes.excess(t)
            power, off = power_of_one_plus(less, off, k)
            weights, error = product(weights, error, power, off)
        if self.ends is not None:
            terms, off = self.ends.terms(c, t)
            weights, error = weights - terms, error + off + U * (modulus(weights) + modulus(terms))
            far = Ends.log_far_of(self.ends.laplaces, self.ends.degree, self.c, arb(last))
        if self.at_atoms is not None:
            split = self.at_atoms.log_far(c, self.nodes * h * (1 - 1e-15))
            if split < far:
                terms, off = self.at_atoms.terms(c, t, every)
                weights = weights - terms
                error = error + off + U * (modulus(weights) + modulus(terms))
                far = split
            else:
                self.at_atoms = None  # the whole decays faster than the rest after a split
        kernel = reciprocal(c, t) * reciprocal(c + 1, t)
        weights, error = product(weights, error, kernel, 20 * U * modulus(kernel))
        if releases.mu_squared:
            # e^(mu^2 (z(z+1) - c(c+1)) / 2) = e^(-mu^2 t^2 / 2) e^(i t mu^2 (2c+1) / 2): a shift of epsilon
            self.shift += v * (2 * self.c + 1) / 2
            y = (np.arange(self.nodes + 1) * float(arb(h) * (v / 2).sqrt())) ** 2
            near = y <= 700
            bell = np.where(near, exp_of_minus(np.where(near, y, 0.0)), 0.0)
            off = np.where(near, (7 * y + 5) * U * bell, 1e-300)
            weights, error = weights * bell, (error * bell + off * modulus(weights)) * (1 + 4 * U)
        self.cut = (far.exp() / (arb(self.nodes) * arb(h))).upper()
        self.weights = weights
        underflow = 1e-280 * t.size / c**2
        self.moduli = float(np.sum(modulus(weights))) * (1 + 1e-6) + underflow
        self.error = float(np.sum(error)) * (1 + 1e-6) + 3 * underflow
        beyond = releases.cumulant(self.beyond)
        self.log_beyond = beyond if self.beyond > self.c else arb.pos_inf()
        self.known = math.isfinite(self.error)

    def _sum(self, epsilon: arb) -> arb:
        """The sum of the terms at the nodes, the first one halved."""
        phase, eta = turns(arb(self.step) * (epsilon - self.shift), self.nodes)
        terms = self.weights.real * phase.real + self.weights.imag * phase.imag
        terms[0] /= 2
        levels = math.ceil(math.log2(terms.size))
        total = sum_in_pairs(terms)
        error = self.error + self.moduli * (eta + (4 + levels) * U) * (1 + 1e-6)
        return arb(total) + arb(0, error)

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds delta; infinite when no error bound is known."""
        if not self.known:
            return arb.nan()
        scale = (self.log_peak - self.c * epsilon).exp() / arb.pi()
        value = scale * (arb(self.step) * self._sum(epsilon) + arb(0, 1) * self.cut)
        # the aliases: all above the truth
        decay = (-self.c * self.period).exp()
        above = decay / (1 - decay)
        if self.end is None or not epsilon + self.period >= self.end:
            decay = (-(self.beyond - self.c) * self.period).exp()
            above += (self.log_beyond - self.beyond * epsilon).exp() * decay / (1 - decay)
        if self.ends is not None:
            value += self.ends.delta(epsilon)
        if self.at_atoms is not None:
            value += self.at_atoms.delta(epsilon)
        return value - above.union(arb(0)) if above.is_finite() else arb.nan()


class SharpLine(Line):
    """Sum the same terms in balls, for normal noise with and without samples.

    No accuracy is lost, and a node takes more time.

    Parameters
    ----------
    releases, saddle, near, log_delta
        Of a `Line`.
    relative : float
        The relative error of delta that is enough.
    """

    method = "contour integral in balls"

    def __init__(
        self, releases: Releases, saddle: float, near: float, log_delta: float, relative: float
    ) -> None:
        self.near, self.size = near, log_delta + math.log(relative)
        super().__init__(releases, saddle, near, log_delta)

    def _fill(self, c: float) -> None:
        releases, h = self.releases, arb(self.step)
        self.known = False
        if self.ends is not None or self.at_atoms is not None or self.nodes > _MOST_IN_BALLS:
            return
        last = math.nextafter(self.nodes * self.step, math.inf) * (1 + 1e-15)
        v = ball(releases.mu_squared)
        self.log_peak = v * self.c * (self.c + 1) / 2
        far = -v * (self.nodes * h) ** 2 / 2
        self.columns = math.isqrt(self.nodes) + 1
        self.rows = -(-(self.nodes + 1) // self.columns)
        nats = max(releases.moments(c)[0] - c * self.near - self.size, 0.0) + _SPARE
        # powers up to columns lose 3/2 bits at each doubling, the k-th power of a ratio log2(k) bits
        times = max((k for _, k in releases.factors), default=1)
        lost = 3 * self.columns.bit_length() // 2 + times.bit_length()
        self.bits = math.ceil(nats / math.log(2)) + lost + 16
        with ctx.workprec(self.bits):
            z = [acb(self.c, m * h) for m in range(self.nodes + 1)]
            terms = [1 / (one * (one + 1)) for one in z]
            if releases.mu_squared:
                top = self.c * (self.c + 1)
                terms = [
                    term * (v * (one * (one + 1) - top) / 2).exp()
                    for term, one in zip(terms, z, strict=True)
                ]
            for factor, k in releases.factors:
                grid = getattr(factor, "sharp_grid", None)
                with ctx.workprec(max(self.bits, 112)):
                    nodes = None if grid is None else grid(c, last, k, min(nats, _SHARP_ERROR))
                    beyond = factor.grid(c, last, k)
                if nodes is None or not nodes.known or not beyond.known:
                    return
                self.log_peak += k * nodes.log_peak
                far += k * beyond.log_far(self.nodes * self.step * (1 - 1e-15))
                ratios = nodes.ratios(h, self.rows, self.columns)
                terms = [term * ratio**k for term, ratio in zip(terms, ratios, strict=False)]
            terms[0] /= 2
            terms += [acb(0)] * (self.rows * self.columns - len(terms))
            self.terms = acb_mat(self.rows, self.columns, terms)
        self.cut = (far.exp() / (arb(self.nodes) * h)).upper()
        beyond = releases.cumulant(self.beyond)
        self.log_beyond = beyond if self.beyond > self.c else arb.pos_inf()
        self.known = True

    def _sum(self, epsilon: arb) -> arb:
        with ctx.workprec(self.bits):
            angle = -arb(self.step) * epsilon
            right = acb_mat(self.columns, 1, powers(acb(0, angle).exp(), self.columns))
            left = acb_mat(1, self.rows, powers(acb(0, angle * self.columns).exp(), self.rows))
            return (left * (self.terms * right))[0, 0].real


class Smoothed:
    """Delta with a release of a little normal noise more, and the bound of the noise's effect."""

    method = "contour integral in doubles with bounded errors, smoothed"

    def __init__(self, releases: Releases, saddle: float, near: float, log_delta: float) -> None:
        self.slope, self.known = -saddle, False
        size, c = min(log_delta, 0.0), short(saddle)
        loud = releases.moments(c)[0] - c * near - size
        step, _ = step_of(releases, releases.end(), c, near, size)
        if not 1e-100 < step < 1e100:
            return
        v = 2 * (max(loud, 0.0) + _SHARP) / (_MOST_NODES / 3 * step) ** 2
        if not v < 0.1:
            return
        self.v = Fraction(v)
        self.lines = [
            Line(releases.with_noise(n * self.v), saddle, near, log_delta) for n in (1, 4)
        ]
        self.known = all(line.known for line in self.lines)
        if self.known:
            self.c, self.log_peak = self.lines[0].c, self.lines[0].log_peak

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds delta; infinite when no error bound is known."""
        if not self.known:
            return arb.nan()
        once, twice = (line.delta(epsilon) for line in self.lines)
        gap = ((twice - once) / (2 * (-3 * ball(self.v) / 8).exp() - 1)).upper()
        return once - gap.max(arb(0)).union(arb(0)) if gap.is_finite() else arb.nan()


def step_of(
    releases: Releases, end: arb | None, c: float, near: float, size: float
) -> tuple[float, float]:
    """The step that makes the aliases small, and c'."""
    left = (-size + _SHARP) / c
    right, beyond = math.inf, 2 * c
    if end is not None:
        right = max((float(end) - near) * (1 + 1e-9), 0.0)
    for times in _BEYOND:
        other = short(times * c)
        if other <= c:
            continue
        there = releases.moments(other)[0] - other * near - size + _SHARP
        if there / (other - c) < right:
            right, beyond = there / (other - c), other
        if right <= left:
            break
    return 2 * math.pi / max(left, right), beyond


def _tail_bound(releases: Releases, line: Any, saddle: float) -> tuple[arb, arb]:
    """C and log b of an upper bound of delta by moments, b e^(-c x) with b = e^K(c) c^c / (1 + c)^(1 + c)."""
    at, peak = (line.c, line.log_peak) if line.known else (arb(saddle), arb.pos_inf())
    for share in () if line.known else _SHARES:
        c = (1 + short(saddle * share)) - 1  # so that 1 + c is a double
        if c <= 0:
            break
        at = arb(c)
        peak = releases.cumulant(at)
        if peak.is_finite():
            break
    return at, peak + at * at.log() - (1 + at) * (
        1 + at
    ).log()  # max over y > 0 of (1 - e^-y) e^(-cy)


def _line(releases: Releases, saddle: float, near: float, log_delta: float, kind: Any) -> Any:
    """The first of the rules that has a bound."""
    for rule in dict.fromkeys((kind, Line, Smoothed)):
        line = rule(releases, saddle, near, log_delta)
        if line.known:
            break
    return line


def enclose_epsilon(
    releases: Releases, target: Fraction, floor: float = 0.0, kind: Any = Line
) -> Enclosure:
    """Enclose the smallest epsilon >= 0 at a delta in (0, 1), of the total loss in one direction.

    Where it is at most `floor`, the upper end may be `floor` and the lower end 0.
    """
    log_delta = math.log(target.numerator) - math.log(target.denominator)
    wanted = ball(target)
    saddle, near = releases.start_for_delta(log_delta)
    low, high, width = 0.0, math.inf, math.inf
    most = releases.end()
    if most is not None:
        high = max(round_up(most), 0.0)
    for _ in range(_MOST_LINES):
        if near <= 0:
            saddle, near = releases.saddle_for_epsilon(0.0), 0.0
        line = _line(releases, saddle, near, log_delta, kind)
        c, bound = _tail_bound(releases, line, saddle)
        enough = (bound - wanted.log()) / c
        if enough.is_finite():
            high = min(high, max(round_up(enough), 0.0))
        if not line.known:
            break
        if floor and line.delta(arb(floor)) <= wanted:
            return Enclosure(low, min(floor, high), method=line.method)
        found = solve(line, wanted, min(max(near, low), high), high)
        low, high = max(low, found.lower), min(high, found.upper)
        if low > high:
            raise ArithmeticError(
                f"two certified intervals of epsilon are disjoint: {low} > {high}"
            )
        if high - low <= _GOAL * max(high, 1e-3) or high - low > 0.1 * width:
            break
        width = high - low
        near = low + (high - low) / 2 if low else 0.0
        saddle = releases.saddle_for_epsilon(near)
    if line.known and high - low > _WIDE * max(high, 1e-3):
        near = low + (high - low) / 2
        enough = min(_GOAL * max(near, 1e-3) * saddle, _GOAL**0.5)
        sharp = SharpLine(releases, saddle, near, log_delta, enough)
        if sharp.known:
            line, found = sharp, solve(sharp, wanted, near, high)
            low, high = max(low, found.lower), min(high, found.upper)
    return Enclosure(low, high, method=line.method)


def enclose_delta(releases: Releases, epsilon: Fraction, kind: Any = Line) -> Enclosure:
    """Enclose the smallest delta at an epsilon >= 0, of the total loss in one direction."""
    at, near = ball(epsilon), float(epsilon)
    most = releases.end()
    if most is not None and at >= most:
        return Enclosure(0.0, 0.0, -math.inf, -math.inf, "delta", method=kind.method)
    saddle = releases.saddle_for_epsilon(near)
    log_delta = releases.size(saddle, near)
    low, high, width = arb(0), arb(1), math.inf
    for _ in range(_MOST_LINES):
        line = _line(releases, saddle, near, log_delta, kind)
        c, sure = _tail_bound(releases, line, saddle)
        value = line.delta(at)
        for bound in (value, (sure - c * at).exp()):
            if bound.is_finite() and bound.upper() < high:
                high = bound.upper()
        if not line.known:
            break
        if value.is_finite() and value.lower() > low:
            low = value.lower()
        if low > high:
            raise ArithmeticError(f"two certified intervals of delta are disjoint: {low} > {high}")
        middle = float(((low + high) / 2).log())
        off = float((high - low) / high)
        if off <= _GOAL or off > 0.1 * width:
            break
        width, log_delta = off, middle
    if line.known and not off <= _WIDE:
        sharp = SharpLine(releases, saddle, near, log_delta, _GOAL)
        value = sharp.delta(at)
        if value.is_finite():
            line = sharp
            low, high = max(low, value.lower()), min(high, value.upper())
    return delta_enclosure(low.union(high), line.method)
