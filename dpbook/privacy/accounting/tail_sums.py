r"""Wide discrete Gaussian noise of one kind, composed: two sums over the integers, in closed form.

The loss of n releases of variance v and shift s is (n s^2 + 2 s K) / 2v, K the sum of their noise, so

    delta(x) = sum over k >= k_0 of (P(K = k) - e^x P(K = k + n s)),   k_0 the first k with a loss above x.

**K is next to normal.** Completing the square, P(K = k) is the normal density phi of variance V = n v at k, times n - 1 sums
sum_j e^(-(j - a)^2 / 2w) / (2 pi w)^(1/2) with w >= v / 2, over n such sums with w = v. By Poisson summation each is 1 + e with
|e| <= 2q / (1 - q), q = e^(-2 pi^2 w). All terms of delta have one sign, so that this factor stands before delta too.

**Sums of phi** from an integer on are an integral, and the terms of Euler and Maclaurin in the derivatives of phi, which are Hermite
polynomials He. The rest is at most 2 zeta(2m) / (2 pi)^2m times the integral of |phi^(2m)|, where
|He_2m(y)| <= E (y^2 + Z^2)^m <= 2^(m - 1) (y^2m + (2m - 1)!!) for a standard normal Z.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from flint import arb, ctx

from dpbook.privacy.accounting.enclosure import ball, floors
from dpbook.privacy.accounting.gaussian import scaled_erfc
from dpbook.privacy.accounting.lattice import AtomicLoss, DiscreteGaussianLoss

_BITS = 256
_MOST_TERMS = 40


def wide_alone(factors: Sequence[tuple[Any, int]]) -> bool:
    """Return True if all releases are of one discrete Gaussian noise that is wide."""
    if len(factors) != 1 or not isinstance(factors[0][0], AtomicLoss):
        return False
    kind = factors[0][0].kind
    return isinstance(kind, DiscreteGaussianLoss) and kind.is_wide


class TailSums:
    """Delta by two sums of a normal density over the integers."""

    method = "sums over the integers in closed form, in balls"

    def __init__(self, factors: Sequence[tuple[Any, int]], slope: float = -1.0) -> None:
        ((factor, self.times),) = factors
        self.loss: DiscreteGaussianLoss = factor.kind
        self.variance = self.times * self.loss.variance
        self.slope = slope
        # about the largest epsilon at which the terms fall
        shift, variance = self.loss.shift, self.loss.variance
        self.most = float(self.times * shift * (1 + shift / (2 * variance))) * (1 - 2.0**-40)

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds it; infinite where its terms do not fall."""
        with ctx.workprec(_BITS):
            v, s = ball(self.loss.variance), self.loss.shift
            edge = epsilon * v / s - arb(self.times * s) / 2  # where the loss is epsilon
            if not abs(edge) < ball(self.variance):
                return arb.nan()
            # two where a loss is at epsilon, or next to it
            found = [self._above(number + 1, epsilon) for number in floors(edge)]
            if not found:
                return arb.nan()
            off = 18 * self.times * (-(arb.pi() ** 2) * v).exp()
            return reduce(arb.union, found) * (1 + arb(0, off.upper()))

    def _above(self, first: int, epsilon: arb) -> arb:
        """Return the terms of delta from one integer on."""
        return self._tail(first) - epsilon.exp() * self._tail(first + self.times * self.loss.shift)

    def _tail(self, first: int) -> arb:
        """Return the sum of the normal density over the integers from one on."""
        v = ball(self.variance)
        if first < 1:
            all_integers = 1 + arb(0, (4 * (-2 * arb.pi() ** 2 * v).exp()).upper())
            return all_integers - self._tail(1 - first)
        sd = v.sqrt()
        y = arb(first) / sd
        half = y * y / 2
        density = (-half).exp() / (2 * arb.pi()).sqrt()
        beyond = density * scaled_erfc(y / arb(2).sqrt()) * (arb.pi() / 2).sqrt()  # Pr(Z > y)
        found = beyond + density / (2 * sd)
        hermite = [arb(1), y]
        for m in range(1, _MOST_TERMS + 1):
            scale = arb.bernoulli(2 * m) / arb.fac_ui(2 * m) / sd ** (2 * m)
            found += density * scale * hermite[-1]
            # the integrals from y on of y^2m phi and of (2m - 1)!! phi
            power = arb(2) ** (m - 1) * half.gamma_upper(m + arb(0.5)) / arb.pi().sqrt()
            rest = (
                abs(scale)
                * arb(2) ** (m - 1)
                * (power + arb.fac_ui(2 * m) / arb.fac_ui(m) / arb(2) ** m * beyond)
            )
            if rest < abs(found) * arb(2) ** -_BITS:
                break
            for _ in range(2):
                degree = len(hermite) - 1
                hermite.append(y * hermite[-1] - degree * hermite[-2])
        return found + arb(0, rest.upper())
