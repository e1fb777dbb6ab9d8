r"""Delta of a composition by the trapezoidal rule on a vertical line, with every error bounded.

**The formula.** Let L be the total privacy loss, M(z) = E e^(zL) and K = log M. A Laplace with
e = sensitivity / scale has, with w = 2z + 1,

    M(z) = [e^(ze) (1 + 1/w) + e^(-(z+1)e) (1 - 1/w)] / 2,

the Gaussians together e^(mu^2 z(z+1)/2). Since delta(x) = E (1 - e^(x-L))_+, for each c > 0

    delta(x) = (1 / 2 pi i) int_{Re z = c} M(z) e^(-zx) / (z(z+1)) dz.

**Aliasing.** The rule with nodes z_m = c + imh, all m, equals (Poisson) with P = 2 pi / h

    sum_{j in Z} delta(x + jP) e^(cjP).

The term j = 0 is the answer and the others are >= 0, so the rule is never below the truth; it is above it by

    j < 0: at most e^(-cP) / (1 - e^(-cP)), as delta <= 1;
    j > 0: at most e^(K(2c) - 2cx) e^(-cP) / (1 - e^(-cP)), as delta(y) <= e^(K(2c) - 2cy); nothing when
           x + P is at least the largest loss (Laplaces alone).

**Cut.** The sum stops at t = Nh = T. Write r(z) = M(z) / M(c) of one Laplace
= A E (1 + 1/w) + B conj(E) (1 - 1/w), with A = e^(ce) / 2M(c), B = e^(-(c+1)e) / 2M(c), E = e^(imhe).

- Far: |r| <= A |1 + 1/w| + B |1 - 1/w|. In s = 4t^2 the first modulus falls from (w0+1)/w0, the second grows to 1, and the
  derivative of the sum has the sign of B (2 w0 - 1) sqrt((w0+1)^2 + s) - A (2 w0 + 1) sqrt((w0-1)^2 + s), which once
  negative stays so: then the value at T bounds all t >= T. Else A (1 + 1/2T) + B does. Also |r| <= 1.
- Near: r is the characteristic function of a distribution on [-e, e] (the tilted loss) with variance V = (log M)''. As
  |r|^2 = E cos(t(X - X')) and cos y <= 1 - 2 y^2 / pi^2 for |y| <= pi, |r| <= e^(-2 V t^2 / pi^2) while 2et <= pi.

Let T1 = min pi / 2e over the Laplaces, Q = (2 / pi^2) sum k V + mu^2 / 2 and F(t) = prod (far bound at t)^k
e^(-mu^2 t^2 / 2). As |z(z+1)| >= t^2, int_T^oo dt / t^2 = 1 / T, and h f(mh) <= int_{(m-1)h}^{mh} f for a decreasing f, what
is cut is at most M(c) e^(-cx) / pi times

    F(T) / T  when T >= T1, else  e^(-Q T^2) / T + F(T1) (1 / T1 + h / T1^2).

**Rounding.** The nodes are summed in doubles with + - * / and sqrt only, which IEEE 754 rounds correctly
(relative error u = 2^-53); no library exp, log or cos is called, so nothing is taken on trust about them.
Complex products have a relative error below 3u (sqrt(5) u by separate, 2u by fused operations). Then:

- e^(imht) for m = 0..N: m is written in base 32; the table of each digit is computed in balls and rounded (error
  below 2u), a product of d tables has the error eta = (5d - 3) u.
- 1/w: w = w0 + 2imh has a relative error u in each part, 1/w = conj(w) / |w|^2 then 8u.
- r: A + B <= 1 because A (1 + 1/w0) + B (1 - 1/w0) = 1 and A >= B; |1 + 1/w| <= 2, |1 - 1/w| <= 1. With
  the errors of A, B (2u), of 1 +- 1/w (10u), of two products and the sum: |error of r| <= rho = 2 eta + 30u.
- r^k by repeated squaring: k - 1 products, relative error 3ku. With s = |computed r| + rho + 8u (the modulus
  itself is computed): |error of r^k| <= s^k [k (rho + 4u) / s], as |x^k - y^k| <= k |x - y| max^(k-1).
- e^(-y), y = (mht)^2 <= 700: y has the error 7uy; `_exp_of_minus` reduces by log 2 in two parts and sums 15
  Taylor terms: 5u. Beyond 700 it is put to 0, with the error e^-700.
- 1/(z(z+1)) as a product of two inverses: 20u. The products that join the factors: 3u each.
- The real parts are added in pairs: ceil(log2(N + 1)) additions a term, u each.
- Underflow: each loses at most 1e-307, which later products (|r| <= 1 + rho, k < 1e12) do not enlarge by
  1e20; 1e-280 a term, times the largest |1/(z(z+1))|, covers it.

The sum of these, weighed with bounds of the moduli, is computed in doubles too and enlarged by 1e-6, which covers
its own rounding and the second-order terms (k u < 2e-6: `_MOST_TIMES`). Factors outside the sum are balls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

import numpy as np
from flint import arb
from numpy.typing import NDArray

from dpbook.privacy.accounting.enclosure import ball

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]
_Array = TypeVar("_Array", Reals, Complexes)
Laplaces = tuple[tuple[Fraction, int], ...]  # (sensitivity / scale, times)

_U = 2.0**-53
_BASE = 32
_MOST_NODES = 8 * 1024 - 1
_SHARP = 28.0  # nats: the errors that we choose are e^-28 of the answer, if the nodes suffice
# of one distribution; beyond, k u is not small, and what is said of rounding does not hold
_MOST_TIMES = 10**10


class Contour:
    """Delta at any epsilon near `near`, by one line Re z = c.

    Parameters
    ----------
    laplaces : tuple of (Fraction, int)
        The losses sensitivity / scale, and how often; at least one.
    mu_squared : Fraction
        Of all Gaussians together, >= 0.
    c : float
        The line, > 0; the saddle point is best, every c is right.
    near : arb
        Where the step is chosen for; it is right for every epsilon.
    """

    method = "contour integral in doubles with bounded errors"
    known: bool  # whether `delta` has a bound to give

    def __init__(self, laplaces: Laplaces, mu_squared: Fraction, c: float, near: arb) -> None:
        self.c, self.slope = arb(c), -c
        self.has_end = mu_squared == 0
        self.end = ball(sum((e * k for e, k in laplaces), Fraction(0)))
        v = ball(mu_squared)
        self.log_peak = _cumulant(laplaces, v, self.c)  # K(c)
        self.log_peak_twice = _cumulant(laplaces, v, 2 * self.c)
        # the answer is about e^(K - cx) / (c (c + 1) sqrt(2 pi K'')) =: e^size
        peak = float(self.log_peak - self.c * near)
        width = _curvature(_in_floats(laplaces), _about(mu_squared), c)
        width += 1 / c**2 + 1 / (c + 1) ** 2
        size = peak - math.log(c * (c + 1)) - 0.5 * math.log(2 * math.pi * width)
        period = (max(0.0, -size) + _SHARP) / c
        right = (float(self.log_peak_twice - 2 * self.c * near) - size + _SHARP) / c
        if self.has_end:
            right = min(right, float(self.end - near) * (1 + 1e-9))
        self.step = 2 * math.pi / max(period, right)
        times = max(k for _, k in laplaces)
        self.known = 1e-100 < self.step < 1e100 and times < _MOST_TIMES
        if not self.known:
            return
        self.period = 2 * arb.pi() / arb(self.step)
        shares = [_shares(e, self.c) for e, _ in laplaces]
        tail = _Tail(laplaces, shares, v, self.c)
        self.known = 1e-100 < float(tail.turn) < 1e100
        if not self.known:
            return
        self.nodes = self._nodes(tail, peak - size)
        self.cut = tail.bound(arb(self.nodes) * arb(self.step), arb(self.step)).upper()
        with np.errstate(all="ignore"):  # what is not finite leaves `known` False
            self._fill(laplaces, shares, mu_squared)

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds delta; infinite when no error bound is known."""
        if not self.known:
            return arb.nan()
        phase, eta = _turns(arb(self.step) * (epsilon - self.shift), self.nodes)
        terms = self.weights.real * phase.real + self.weights.imag * phase.imag
        terms[0] /= 2
        levels = math.ceil(math.log2(terms.size))
        total = _sum_in_pairs(terms)
        error = self.error + self.moduli * (eta + (4 + levels) * _U) * (1 + 1e-6)
        middle = arb(total) + arb(0, error)
        scale = (self.log_peak - self.c * epsilon).exp() / arb.pi()
        value = scale * (arb(self.step) * middle + arb(0, 1) * self.cut)
        # the aliases: all above the truth
        decay = (-self.c * self.period).exp()
        above = arb(1)
        if not (self.has_end and epsilon + self.period >= self.end):
            above += (self.log_peak_twice - 2 * self.c * epsilon).exp()
        above *= decay / (1 - decay)
        return value - above.union(arb(0)) if above.is_finite() else arb.nan()

    @staticmethod
    def tail_bound(laplaces: Laplaces, mu_squared: Fraction, c: float, epsilon: arb) -> arb:
        """An upper bound of delta by moments: e^(K(c) - c x) c^c / (1 + c)^(1 + c)."""
        at = arb(c)
        best = at * at.log() - (1 + at) * (1 + at).log()  # max over y > 0 of (1 - e^-y) e^(-cy)
        return (_cumulant(laplaces, ball(mu_squared), at) - at * epsilon + best).exp()

    def _nodes(self, tail: _Tail, above: float) -> int:
        """How many nodes make what is cut e^-28 of the answer, if so many are allowed."""
        low, high = 1.0, float(_MOST_NODES)
        if above + tail.log(high * self.step, self.step) > -_SHARP:
            return _MOST_NODES
        while high - low > 0.5:
            middle = (low + high) / 2
            if above + tail.log(middle * self.step, self.step) > -_SHARP:
                low = middle
            else:
                high = middle
        return math.ceil(high)

    def _fill(
        self, laplaces: Laplaces, shares: list[tuple[arb, arb]], mu_squared: Fraction
    ) -> None:
        """The weights M(z_m) / (M(c) z_m (z_m + 1)) but for the phase, and the bound of their error."""
        c, h = float(self.c), self.step
        t: Reals = np.arange(self.nodes + 1, dtype=np.float64) * h
        weights = _inverse(c, t) * _inverse(c + 1, t)
        moduli = np.abs(weights.real) + np.abs(weights.imag)  # at least the modulus
        relative = np.full(t.size, (20 + 3 * (len(laplaces) + 2)) * _U)
        inverse_w = _inverse(2 * c + 1, 2 * t)
        for (loss, k), (a, b) in zip(laplaces, shares, strict=True):
            turns, eta = _turns(arb(h) * ball(loss), self.nodes)
            ratio = float(a) * (turns * (1 + inverse_w))
            ratio += float(b) * (turns.conj() * (1 - inverse_w))
            rho = 2 * eta + 30 * _U
            s = np.sqrt(ratio.real**2 + ratio.imag**2) + (rho + 8 * _U)
            weights = weights * _power(ratio, k)
            moduli = moduli * (_power(s, k) * (1 + 4 * k * _U))
            relative += k * (rho + 4 * _U) / s
        self.shift = arb(0)
        if mu_squared:
            # e^(mu^2 (z(z+1) - c(c+1)) / 2) = e^(-mu^2 t^2 / 2) e^(i t mu^2 (2c+1) / 2): a shift of epsilon
            v = ball(mu_squared)
            self.shift = v * (2 * self.c + 1) / 2
            y = (np.arange(self.nodes + 1) * float(arb(h) * (v / 2).sqrt())) ** 2
            near = y <= 700
            bell = np.where(near, _exp_of_minus(np.where(near, y, 0.0)), 0.0)
            weights = weights * bell
            moduli = moduli * np.where(near, bell, 1e-300)
            relative += (7 * np.minimum(y, 1e6) + 5) * _U
        # a first-order error must be small where it weighs; elsewhere |x - y| <= |x| + |y| bounds it
        self.weights = weights
        self.moduli = float(np.sum(moduli)) * (1 + 1e-6)
        worst = np.minimum(relative, 2.5)
        underflow = 1e-280 * t.size * float(np.max(moduli))
        self.moduli += underflow
        self.error = float(np.sum(moduli * worst)) * (1 + 1e-6) + 3 * underflow
        self.known = math.isfinite(self.error)


class _Tail:
    """The bound of what is cut, without the factor M(c) e^(-cx) / pi: see "Cut" above."""

    def __init__(self, laplaces: Laplaces, shares: list[tuple[arb, arb]], v: arb, c: arb) -> None:
        self.distributions = [(a, b, k) for (a, b), (_, k) in zip(shares, laplaces, strict=True)]
        self.v, self.w = v, 2 * c + 1
        self.turn = (arb.pi() / (2 * ball(max(e for e, _ in laplaces)))).lower()  # T1
        self.rate = v / 2  # Q
        for e, k in laplaces:
            variance = _variance(ball(e), self.w)
            if variance > 0:
                self.rate += 2 * k * variance.lower() / arb.pi() ** 2
        # what the floats propose with
        self.log_far_at_turn = float(self._log_far(self.turn))
        self.floats = [
            (float(a), float(b), float(min(k, 10**300))) for a, b, k in self.distributions
        ]

    def bound(self, t: arb, h: arb) -> arb:
        if t >= self.turn:
            return self._log_far(t).exp() / t
        after = self._log_far(self.turn).exp() * (1 / self.turn + h / self.turn**2)
        return (-self.rate * t * t).exp() / t + after

    def _log_far(self, t: arb) -> arb:
        """An upper bound of log F on [t, oo)."""
        s, w = 4 * t * t, self.w
        total = -self.v * t * t / 2
        plus, minus, all_ = ((w + 1) ** 2 + s).sqrt(), ((w - 1) ** 2 + s).sqrt(), (w * w + s).sqrt()
        for a, b, k in self.distributions:
            if a * (2 * w + 1) * minus >= b * (2 * w - 1) * plus:
                share = (a * plus + b * minus) / all_
            else:
                share = a * (1 + 1 / (2 * t)) + b
            if share < 1:
                total += share.log() * k
        return total

    def log(self, t: float, h: float) -> float:
        """About the logarithm of the bound, in floats; it only chooses where to cut."""
        turn = float(self.turn)
        if t < turn:
            near = -float(self.rate) * t * t - math.log(t)
            return max(near, self.log_far_at_turn + math.log(1 / turn + h / turn / turn))
        s, w, total = 4 * t * t, float(self.w), -float(self.v) * t * t / 2
        for a, b, k in self.floats:
            share = a * math.sqrt(((w + 1) ** 2 + s) / (w * w + s))
            share += b * math.sqrt(((w - 1) ** 2 + s) / (w * w + s))
            total += k * min(0.0, math.log(share))
        return total - math.log(t)


def _variance(e: arb, w: arb) -> arb:
    """(log M)'' of one Laplace, with M about 1 + 1/w + q (1 - 1/w), q = e^(-we), dw/dz = 2."""
    q = (-w * e).exp()
    value = 1 + 1 / w + q * (1 - 1 / w)
    first = -2 * (1 - q) / w**2 - 2 * e * q * (1 - 1 / w)
    second = 8 * (1 - q) / w**3 + 4 * e * e * q * (1 - 1 / w) - 8 * e * q / w**2
    return second / value - (first / value) ** 2


def _cumulant(laplaces: Laplaces, v: arb, z: arb) -> arb:
    """K(z) = log E e^(zL) for a real z > 0."""
    total = v * z * (z + 1) / 2
    w = 2 * z + 1
    for loss, k in laplaces:
        e = ball(loss)
        total += k * (z * e + ((1 + 1 / w + (-w * e).exp() * (1 - 1 / w)) / 2).log())
    return total


def _shares(loss: Fraction, c: arb) -> tuple[arb, arb]:
    """A and B: the weights of the two atoms over M(c)."""
    e, w = ball(loss), 2 * c + 1
    q = (-w * e).exp()
    both = 1 + 1 / w + q * (1 - 1 / w)
    return 1 / both, q / both


def _turns(angle: arb, most: int) -> tuple[Complexes, float]:
    """e^(i m angle) for m = 0..most, and the bound of the error of each."""
    turns: Complexes = np.ones(1, dtype=complex)
    digits, unit = 0, 1
    while unit <= most:
        size = min(_BASE, most // unit + 1)
        table = np.empty(size, dtype=complex)
        for j in range(size):
            sine, cosine = (angle * (j * unit)).sin_cos()
            table[j] = complex(_rounded(cosine), _rounded(sine))
        turns = table if digits == 0 else (table[:, None] * turns[None, :]).ravel()
        digits += 1
        unit *= _BASE
    return turns[: most + 1], max(5 * digits - 3, 2) * _U


def _rounded(value: arb) -> float:
    """A double within 2^-53 of the ball; the ball must be far sharper than a double."""
    if not value.rad() < 2.0**-70:
        return math.nan
    return float(value.mid())


def _inverse(x: float, y: Reals) -> Complexes:
    """1 / (x + iy), by operations whose errors are bounded."""
    square = x * x + y * y
    inverse = np.empty(y.size, dtype=complex)
    inverse.real = x / square
    inverse.imag = -y / square
    return inverse


def _power(base: _Array, exponent: int) -> _Array:
    """base^exponent with `exponent` - 1 products a term in all, by repeated squaring."""
    result: _Array | None = None
    while True:
        if exponent & 1:
            result = base if result is None else result * base
        exponent >>= 1
        if not exponent:
            assert result is not None
            return result
        base = base * base


_LN2_HIGH = float.fromhex("0x1.62e42fep-1")  # 28 bits: n times it is exact for n < 2^25
_LN2_LOW = float.fromhex("0x1.f473de6af278fp-30")  # log 2 - _LN2_HIGH, rounded


def _exp_of_minus(y: Reals) -> Reals:
    """e^-y for 0 <= y <= 700, relative error below 5 * 2^-53."""
    n = np.rint(y / math.log(2))
    r = (y - n * _LN2_HIGH) - n * _LN2_LOW
    total = np.full(y.size, 1 / math.factorial(15))
    for k in range(14, -1, -1):
        total = 1 / math.factorial(k) - r * total
    # Horner in -r: sum of (-r)^k / k!
    return np.ldexp(total, -n.astype(int))


def _sum_in_pairs(terms: Reals) -> float:
    """The sum by halving, ceil(log2 size) additions a term."""
    size = 1 << max(0, math.ceil(math.log2(terms.size)))
    padded = np.zeros(size)
    padded[: terms.size] = terms
    while padded.size > 1:
        half = padded.size // 2
        padded = padded[:half] + padded[half:]
    return float(padded[0])


def _in_floats(laplaces: Laplaces) -> list[tuple[float, float]]:
    return [(_about(e), min(float(min(k, 10**300)), 1e300)) for e, k in laplaces]


def _about(value: Fraction) -> float:
    """A float nearby, within what floats can be multiplied; only choices depend on it."""
    return float(min(value, Fraction(10**300)))


def _slope(laplaces: Sequence[tuple[float, float]], v: float, c: float) -> float:
    """K'(c), in floats."""
    w = 2 * c + 1
    total = v * w / 2
    for e, k in laplaces:
        q = math.exp(-w * e)
        both = 1 + 1 / w + q * (1 - 1 / w)
        # e + d log(both) / dc with dw/dc = 2, as a sum without cancellation of the leading e
        total += k * (e * (1 + 1 / w - q * (1 - 1 / w)) - 2 * (1 - q) / w**2) / both
    return total


def _curvature(laplaces: Sequence[tuple[float, float]], v: float, c: float) -> float:
    """K''(c), in floats, by a difference."""
    step = 1e-3 * c
    return max((_slope(laplaces, v, c + step) - _slope(laplaces, v, c - step)) / (2 * step), 1e-300)


def _value(laplaces: Sequence[tuple[float, float]], v: float, c: float) -> float:
    """K(c), in floats."""
    w = 2 * c + 1
    return v * c * (c + 1) / 2 + sum(
        k * (c * e + math.log((1 + 1 / w + math.exp(-w * e) * (1 - 1 / w)) / 2))
        for e, k in laplaces
    )


def saddle_for_epsilon(laplaces: Laplaces, mu_squared: Fraction, epsilon: Fraction) -> float:
    """The c where |M(z) e^(-z epsilon) / (z (z + 1))| is least on the real line, about."""
    parts, v, x = _in_floats(laplaces), _about(mu_squared), _about(epsilon)
    return _bisect(lambda c: _slope(parts, v, c) - x - 1 / c - 1 / (c + 1))


def saddle_for_delta(
    laplaces: Laplaces, mu_squared: Fraction, log_delta: float
) -> tuple[float, float]:
    """The saddle for the epsilon of a delta, and that epsilon, by the saddle-point approximation."""
    parts, v = _in_floats(laplaces), _about(mu_squared)

    def gap(c: float) -> float:
        epsilon = _slope(parts, v, c) - 1 / c - 1 / (c + 1)
        width = _curvature(parts, v, c) + 1 / c**2 + 1 / (c + 1) ** 2
        size = _value(parts, v, c) - c * epsilon
        size -= math.log(c) + math.log1p(c) + 0.5 * math.log(2 * math.pi * width)
        return log_delta - size

    c = _bisect(gap)
    return c, _slope(parts, v, c) - 1 / c - 1 / (c + 1)


def _bisect(increasing: Callable[[float], float]) -> float:
    """Where a function of c > 0 passes 0, on a logarithmic scale; a few digits are enough."""
    low, high = math.log(1e-12), math.log(1e12)
    for _ in range(40):
        middle = (low + high) / 2
        if increasing(math.exp(middle)) > 0:
            high = middle
        else:
            low = middle
    # a float with few bits: 2c and 2c + 1 are exact then
    fraction, exponent = math.frexp(math.exp(low))
    return math.ldexp(round(fraction * 2**20), exponent - 20)
