r"""Delta of few Laplaces in closed form, in balls.

Closing the line of `line` to the left collects all residues. With K Laplaces, e_i = sensitivity / scale and
E = sum e_i, and z = (w - 1) / 2, each choice of signs with J minus signs and the sum s = sum (+-e_i) contributes

    2^-K e^((x - E)/2) e^(w(s - x)/2) (1 + 1/w)^(K-J) (1 - 1/w)^J,

nothing when s <= x. With a = (s - x) / 2 and 1/(z(z+1)) dz = 2 dw / (w^2 - 1), its residues together are

    R_J(a) = 2 sum_{i >= 0} q_i a^(i+1) / (i+1)!,   sum q_i x^i = (1 + x)^(K-J-1) (1 - x)^(J-1),

a polynomial for J >= 1. For J = 0 the q_i are partial sums of the binomials, 2^(K-1) from i = K - 1 on, so the series
ends in an exponential. Hence delta(x) = 2^-K e^((x-E)/2) sum over the choices with s > x of R_J(a). For K = 1 it is
1 - e^((x-e)/2).
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from flint import arb, fmpq, fmpq_poly, fmpz_poly

from dpbook.privacy.accounting.enclosure import ball

Laplaces = tuple[tuple[Fraction, int], ...]  # (sensitivity / scale, times)

_MOST_WORK = 1500  # choices times releases, so that one delta takes about a millisecond


def few_enough(laplaces: Laplaces) -> bool:
    """Return True if the closed form is quick."""
    total = sum(k for _, k in laplaces)
    return math.prod(k + 1 for _, k in laplaces) * total <= _MOST_WORK


class Residues:
    """Delta of some Laplaces at any epsilon."""

    method = "closed form in balls"

    def __init__(self, laplaces: Laplaces, slope: float = -1.0) -> None:
        self.slope = slope
        self.count = sum(k for _, k in laplaces)
        self.end = sum((e * k for e, k in laplaces), Fraction(0))
        self.choices: list[tuple[Fraction, int, int]] = []  # (sum, minus signs, how many of them)
        for minus in itertools.product(*(range(k + 1) for _, k in laplaces)):
            there = sum(
                (e * (k - 2 * j) for (e, k), j in zip(laplaces, minus, strict=True)), Fraction(0)
            )
            many = math.prod(math.comb(k, j) for (_, k), j in zip(laplaces, minus, strict=True))
            if there > 0:
                self.choices.append((there, sum(minus), many))
        self.series: dict[int, fmpq_poly] = {}

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds delta; an epsilon that is no exact number is not meant."""
        total = arb(0)
        for there, minus, many in self.choices:
            a = (ball(there) - epsilon) / 2
            if a > 0:
                total += many * self._residues(minus, a)
            elif not a <= 0:
                # the ball of `there` holds epsilon: the true a is 0 or positive and tiny
                total += many * self._residues(minus, a.union(arb(0)))
        return total * ((epsilon - ball(self.end)) / 2).exp() * arb(2) ** (-self.count)

    def _residues(self, minus: int, a: arb) -> arb:
        if minus not in self.series:
            self.series[minus] = self._series(minus)
        value = self._at(self.series[minus], a)
        if minus == 0:
            # e^a - sum_{i <= K-1} a^i / i!, times 2^(K-1): the part of the q_i that are constant
            value += arb(2) ** (self.count - 1) * (a.exp() - self._at(self._exponential(), a))
        return 2 * value

    def _series(self, minus: int) -> fmpq_poly:
        """The polynomial sum q_i a^(i+1) / (i+1)!, for J = 0 its terms below i = K - 1."""
        if minus == 0:
            q, partial = [], 0
            for i in range(self.count - 1):
                partial += math.comb(self.count - 1, i)
                q.append(partial)
        else:
            plus = fmpz_poly([1, 1]) ** (self.count - minus - 1)
            q = [int(x) for x in (plus * fmpz_poly([1, -1]) ** (minus - 1)).coeffs()]
        return fmpq_poly([0, *(fmpq(x, math.factorial(i + 1)) for i, x in enumerate(q))])

    def _exponential(self) -> fmpq_poly:
        if -1 not in self.series:
            self.series[-1] = fmpq_poly([fmpq(1, math.factorial(i)) for i in range(self.count)])
        return self.series[-1]

    @staticmethod
    def _at(polynomial: fmpq_poly, a: arb) -> arb:
        total = arb(0)
        for coefficient in reversed(polynomial.coeffs()):
            total = total * a + coefficient
        return total
