r"""The losses of Laplace noise and of a bounded range, as factors of a contour integral (see `line`).

**Laplace noise.** With e = sensitivity / scale and w = 2z + 1,

    M(z) = [e^(ze) (1 + 1/w) + e^(-(z+1)e) (1 - 1/w)] / 2.

Write r(z) = M(z) / M(c) = A E (1 + 1/w) + B conj(E) (1 - 1/w), with A = e^(ce) / 2M(c), B = e^(-(c+1)e) / 2M(c), E = e^(ite).

- Far: |r| <= A |1 + 1/w| + B |1 - 1/w|. In s = 4t^2 the first modulus falls from (w0+1)/w0, the second grows to 1, and the
  derivative of the sum has the sign of B (2 w0 - 1) sqrt((w0+1)^2 + s) - A (2 w0 + 1) sqrt((w0-1)^2 + s), which once
  negative stays so: then the value at T bounds all t >= T. Else A (1 + 1/2T) + B does. Also |r| <= 1.
- Near: r is the characteristic function of a distribution on [-e, e] (the tilted loss) with variance V = (log M)''. As
  |r|^2 = E cos(t(X - X')) and cos y <= 1 - 2 y^2 / pi^2 for |y| <= pi, |r| <= e^(-2 V t^2 / pi^2) while 2et <= pi.
- Rounding: A + B <= 1 because A (1 + 1/w0) + B (1 - 1/w0) = 1 and A >= B; |1 + 1/w| <= 2, |1 - 1/w| <= 1. With the errors of
  A, B (2u), of 1 +- 1/w (10u), of two products and the sum: |error of r| <= 2 eta + 30u.

**Bounded range.** The ratio of the two densities lies between e^(t-e) and e^t for some t in [0, e] (Dong, Durfee and Rogers 2020).
At each t two outcomes with these ratios have the largest hockey-stick divergence, and the best t for x is (e + x) / 2: delta is
at most (1 - e^((x-e)/2))^2 / (1 - e^-e) for abs(x) <= e, which is convex in e^x. So it is the delta of a pair whose loss has the density
e^(l/2) / (2 (e^(e/2) - e^(-e/2))) on (-e, e), and

    M(z) = (e^(we/2) - e^(-we/2)) / (w (e^(e/2) - e^(-e/2))).

Here r = (A E - B conj(E)) / w with A - B = 2c + 1, and |r| <= (A + B) / |w|.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import NDArray

from dpbook.privacy.accounting.doubles import U, modulus, reciprocal, turns
from dpbook.privacy.accounting.enclosure import ball

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]


@dataclass(frozen=True)
class LaplaceLoss:
    """The loss of one release of Laplace noise, the same in both directions.

    Attributes
    ----------
    loss : Fraction
        sensitivity / scale, > 0.
    """

    loss: Fraction

    @property
    def most(self) -> Fraction | None:
        """The largest loss."""
        return self.loss

    def moments(self, c: float) -> tuple[float, float, float]:
        """K(c), K'(c) and K''(c), about."""
        e = float(min(self.loss, Fraction(10**100)))
        step = 1e-3 * c
        curvature = (_slope(e, c + step) - _slope(e, c - step)) / (2 * step)
        w = 2 * c + 1
        value = c * e + math.log((1 + 1 / w + math.exp(-w * e) * (1 - 1 / w)) / 2)
        return value, _slope(e, c), max(curvature, 1e-300)

    def cumulant(self, c: arb) -> arb:
        """K(c), in a ball."""
        e, w = ball(self.loss), 2 * c + 1
        return c * e + ((1 + 1 / w + (-w * e).exp() * (1 - 1 / w)) / 2).log()

    def far(self, c: float, t: float) -> tuple[float, float]:
        """About the log of the bound on |r(s)|, s >= t."""
        return min(float(self.grid(c, t, 1).log_far(t)), 0.0), 0.0

    def grid(self, c: float, t: float, times: int) -> LaplaceNodes:
        """The factor on the line Re z = c."""
        return LaplaceNodes(self, c)

    def atoms(self, c: arb) -> list[tuple[arb, arb]]:
        """Losses and masses of the two ends, the masses times e^(c loss)."""
        e = ball(self.loss)
        return [(e, (c * e).exp() / 2), (-e, (-(c + 1) * e).exp() / 2)]

    def shares_far(self, c: float) -> tuple[arb, arb]:
        """Upper bounds of the share of the ends, and of t times the share of the density."""
        a, b = self.shares(arb(c))
        return a + b, (a + b) / 2

    def shares(self, c: arb) -> tuple[arb, arb]:
        """A and B: the weights of the two ends over M(c)."""
        e, w = ball(self.loss), 2 * c + 1
        q = (-w * e).exp()
        both = 1 + 1 / w + q * (1 - 1 / w)
        return 1 / both, q / both


def _slope(e: float, c: float) -> float:
    """K'(c), in floats."""
    w = 2 * c + 1
    q = math.exp(-w * e)
    both = 1 + 1 / w + q * (1 - 1 / w)
    # e + d log(both) / dc with dw/dc = 2, as a sum without cancellation of the leading e
    return (e * (1 + 1 / w - q * (1 - 1 / w)) - 2 * (1 - q) / w**2) / both


class LaplaceNodes:
    """The factor r on one line."""

    center = 0.0

    def __init__(self, loss: LaplaceLoss, c: float) -> None:
        self.loss, self.c = loss.loss, c
        self.known = 1e-100 < float(min(loss.loss, Fraction(10**300))) < 1e100
        if not self.known:
            return
        self.w = 2 * arb(c) + 1
        self.a, self.b = loss.shares(arb(c))
        self.log_peak = loss.cumulant(arb(c))

    def log_far(self, t: float) -> arb:
        """An upper bound of log |r(s)| for all s >= t: the near bound up to its end, the far bound beyond."""
        if not self.known:
            return arb(0)
        a, b, w = self.a, self.b, self.w
        turn = (arb.pi() / (2 * ball(self.loss))).lower()
        at = arb(t) if arb(t) > turn else turn
        s = 4 * at * at
        plus, minus, all_ = ((w + 1) ** 2 + s).sqrt(), ((w - 1) ** 2 + s).sqrt(), (w * w + s).sqrt()
        if a * (2 * w + 1) * minus >= b * (2 * w - 1) * plus:
            share = (a * plus + b * minus) / all_
        else:
            share = a * (1 + 1 / (2 * at)) + b
        if arb(t) < turn:
            variance = _variance(ball(self.loss), w)
            near = arb(1)
            if variance > 0:
                near = (-2 * variance.lower() * arb(t) ** 2 / arb.pi() ** 2).exp()
            share = share.max(near)
        return share.upper().min(arb(1)).log()

    def excess(self, t: Reals) -> tuple[Complexes, Reals]:
        """Give r - 1 at the nodes m t[1], and the bounds of the errors."""
        turned, eta = turns(arb(float(t[1])) * ball(self.loss), t.size - 1)
        inverse = reciprocal(2 * self.c + 1, 2 * t)
        ratio = float(self.a) * (turned * (1 + inverse))
        ratio += float(self.b) * (turned.conj() * (1 - inverse))
        return ratio - 1, np.full(t.size, 2 * eta + 32 * U)


@dataclass(frozen=True)
class RangeLoss:
    """The loss of the pair that dominates a release of a bounded range, the same in both directions.

    Attributes
    ----------
    loss : Fraction
        The length of the range, > 0.
    """

    loss: Fraction

    @property
    def most(self) -> Fraction | None:
        """The largest loss."""
        return self.loss

    def one(self, epsilon: arb) -> arb:
        """Delta of one release at an epsilon >= 0."""
        e = ball(self.loss)
        gain = -((epsilon - e) / 2).expm1()
        return gain.max(arb(0)) ** 2 / -(-e).expm1()

    def moments(self, c: float) -> tuple[float, float, float]:
        """K(c), K'(c) and K''(c), about."""
        e, w = float(min(self.loss, Fraction(10**100))), 2 * c + 1

        def value(w: float) -> float:
            return w * e / 2 + math.log(-math.expm1(-w * e)) - math.log(w)

        slope = e - 2 / w + 2 * e / math.expm1(w * e) if w * e < 700 else e - 2 / w
        falls = math.exp(-w * e)
        curvature = 4 / w**2 - 4 * e * e * falls / (1 - falls) ** 2
        return value(w) - value(1.0), slope, max(curvature, 1e-300)

    def cumulant(self, c: arb) -> arb:
        """K(c), in a ball."""
        e, w = ball(self.loss), 2 * c + 1
        more, less = (w * e / 2).sinh(), (e / 2).sinh()
        return (more / (w * less)).log()

    def far(self, c: float, t: float) -> tuple[float, float]:
        """About the log of the bound on |r(s)|, s >= t."""
        return min(float(self.grid(c, t, 1).log_far(t)), 0.0), 0.0

    def atoms(self, c: arb) -> list[tuple[arb, arb]]:
        """Return no atom: the loss has a density alone."""
        return []

    def shares_far(self, c: float) -> tuple[arb, arb]:
        """The share of the ends, which is 0, and an upper bound of t times the share of the density."""
        nodes = RangeNodes(self, c)
        return arb(0), (nodes.a + nodes.b) / 2 if nodes.known else arb.pos_inf()

    def grid(self, c: float, t: float, times: int) -> RangeNodes:
        """The factor on the line Re z = c."""
        return RangeNodes(self, c)


class RangeNodes:
    """The factor of a bounded range on one line."""

    center = 0.0

    def __init__(self, loss: RangeLoss, c: float) -> None:
        self.loss, self.c = loss.loss, c
        self.known = 1e-100 < float(min(loss.loss, Fraction(10**300))) < 1e100
        if not self.known:
            return
        self.w = 2 * arb(c) + 1
        falls = (-self.w * ball(loss.loss)).exp()
        self.a, self.b = self.w / (1 - falls), self.w * falls / (1 - falls)
        self.log_peak = loss.cumulant(arb(c))

    def log_far(self, t: float) -> arb:
        """An upper bound of log |r(s)| for all s >= t."""
        if not self.known:
            return arb(0)
        turn = (arb.pi() / (2 * ball(self.loss))).lower()
        at = arb(t) if arb(t) > turn else turn
        share = (self.a + self.b) / (self.w**2 + 4 * at * at).sqrt()
        if arb(t) < turn:
            falls = (-self.w * ball(self.loss)).exp()
            variance = 4 / self.w**2 - 4 * ball(self.loss) ** 2 * falls / (1 - falls) ** 2
            near = arb(1)
            if variance > 0:
                near = (-2 * variance.lower() * arb(t) ** 2 / arb.pi() ** 2).exp()
            share = share.max(near)
        return share.upper().min(arb(1)).log()

    def excess(self, t: Reals) -> tuple[Complexes, Reals]:
        """Give r - 1 at the nodes m t[1], and the bounds of the errors."""
        turned, eta = turns(arb(float(t[1])) * ball(self.loss), t.size - 1)
        inverse = reciprocal(2 * self.c + 1, 2 * t)
        ratio = (float(self.a) * turned - float(self.b) * turned.conj()) * inverse
        error = float(self.a + self.b) * modulus(inverse) * (eta + 20 * U)
        return ratio - 1, error * (1 + 1e-9) + U * (1 + modulus(ratio))


def _variance(e: arb, w: arb) -> arb:
    """(log M)'' of one Laplace, with M about 1 + 1/w + q (1 - 1/w), q = e^(-we), dw/dz = 2."""
    q = (-w * e).exp()
    value = 1 + 1 / w + q * (1 - 1 / w)
    first = -2 * (1 - q) / w**2 - 2 * e * q * (1 - 1 / w)
    second = 8 * (1 - q) / w**3 + 4 * e * e * q * (1 - 1 / w) - 8 * e * q / w**2
    return second / value - (first / value) ** 2
