r"""Delta of Laplace noise where all but few releases lose their most, or the negative of it: a sum in balls.

Write the factor of `losses` as r = a + d, a = A E + B conj(E), d = (A E - B conj(E)) / w: a stands for the two ends, which a loss
takes with positive probability, and d for the density between them. The terms with at most J factors d of the product

    prod_i (a_i + d_i)^(k_i)

are the transform of the loss on the event that at most J releases have a loss in between. As |d_i| <= (A_i + B_i) / |w| and
|w| >= 2t, the other terms are for all t >= T at most, with K = sum k_i, in modulus

    prod (A_i + B_i)^(k_i) sum_{j > J} C(K, j) (2T)^-j <= prod (A_i + B_i)^(k_i) C(K, J+1) (2T)^-(J+1) / (1 - K / ((J+2) 2T)).

**The sum.** Each choice of signs, J' of them minus, has the sum s = sum (+-e_i). With E the sum of all e_i, a = (s - x) / 2 and
the residues of e^(wa) w^-j 2 / (w^2 - 1), which are together R_j(a) = 2 sum_{n > j, n - j odd} a^n / n!, it adds to delta(x)

    2^-K e^((x - E)/2) sum_{j <= J} q_j R_j(a),  sum q_j y^j = (1 + y)^(K - J') (1 - y)^(J'),

and nothing when s <= x (see `residues`, which takes all j).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from dpbook.privacy.accounting.doubles import U, modulus, product, reciprocal, turns
from dpbook.privacy.accounting.enclosure import ball
from dpbook.privacy.accounting.losses import LaplaceLoss

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]
Laplaces = Sequence[tuple[LaplaceLoss, int]]

_MOST_POINTS = 6_000
_BITS = 320
DEGREES = range(9)  # the J that are tried


def few_points(laplaces: Laplaces) -> bool:
    """Return True if the sum is quick."""
    return math.prod(min(k, _MOST_POINTS) + 1 for _, k in laplaces) <= _MOST_POINTS


class Ends:
    """Delta on the event that at most `degree` of the releases have a loss between their ends.

    Parameters
    ----------
    laplaces : sequence of (LaplaceLoss, int)
        The losses, and how often.
    degree : int
        J, >= 0.
    """

    def __init__(self, laplaces: Laplaces, degree: int) -> None:
        self.laplaces, self.degree = laplaces, degree
        self.count = sum(k for _, k in laplaces)
        self.end = sum((loss.loss * k for loss, k in laplaces), Fraction(0))
        rows = {minus: self._row(minus) for minus in range(self.count + 1)}
        self.points: list[tuple[Fraction, list[int]]] = []
        for minus in itertools.product(*(range(k + 1) for _, k in laplaces)):
            there = Fraction(0)
            many = 1
            for (loss, k), j in zip(laplaces, minus, strict=True):
                there += loss.loss * (k - 2 * j)
                many *= math.comb(k, j)
            if there > 0:
                self.points.append((there, [many * q for q in rows[sum(minus)]]))

    def _row(self, minus: int) -> list[int]:
        """The q_j."""
        row = [math.comb(self.count - minus, j) for j in range(self.degree + 1)]
        signs = [(-1) ** j * math.comb(minus, j) for j in range(self.degree + 1)]
        return [sum(row[i] * signs[j - i] for i in range(j + 1)) for j in range(self.degree + 1)]

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds it, for an epsilon that is an exact number."""
        with ctx.workprec(max(ctx.prec, _BITS)):
            total = arb(0)
            for there, row in self.points:
                a = (ball(there) - epsilon) / 2
                if a <= 0:
                    continue
                if not a > 0:  # the ball of `there` holds epsilon
                    a = a.union(arb(0))
                powers = [2 * a.sinh(), 2 * (a.cosh() - 1)]
                term = arb(2)
                for j in range(2, self.degree + 1):
                    term *= a / (j - 1)
                    powers.append(powers[j - 2] - term)
                for q, power in zip(row, powers, strict=False):
                    total += q * power
            return total * ((epsilon - ball(self.end)) / 2).exp() * arb(2) ** (-self.count)

    @staticmethod
    def log_far_of(laplaces: Laplaces, degree: int, c: arb, t: arb) -> arb:
        """An upper bound of the log of the modulus of the other terms, for all that is beyond t."""
        count = sum(k for _, k in laplaces)
        ratio = count / ((degree + 2) * 2 * t)
        if not ratio < 1:
            return arb.pos_inf()
        if degree >= count:
            return arb(-1000)
        total = arb(math.comb(count, degree + 1))
        total = total.log() - (degree + 1) * (2 * t).log() - (1 - ratio).log()
        for loss, k in laplaces:
            a, b = loss.shares(c)
            total += k * (a + b).log()
        return total

    def terms(self, c: float, t: Reals) -> tuple[Complexes, Reals]:
        """The sum of the terms at the nodes m t[1], over M(c), and the bound of its error."""
        inverse = reciprocal(2 * c + 1, 2 * t)
        size = modulus(inverse)
        found: list[tuple[Complexes, Reals]] = []
        for loss, k in self.laplaces:
            turned, eta = turns(arb(float(t[1])) * ball(loss.loss), t.size - 1)
            a, b = (float(share) for share in loss.shares(arb(c)))
            up, down = a * turned, b * turned.conj()
            off = np.full(t.size, eta + 8 * U)  # a + b <= 1
            between = (up - down) * inverse
            rest = (eta + 20 * U) * size
            last = min(self.degree, k)
            powers = [_power(up + down, off, k - last)]
            for _ in range(last):
                powers.append(product(*powers[-1], up + down, off))
            row = [powers[last]]
            falling: tuple[Complexes, Reals] = (between, rest)
            for j in range(1, self.degree + 1):
                if j > k:
                    row.append((np.zeros(t.size, dtype=complex), np.zeros(t.size)))
                    continue
                value, more = product(*powers[last - j], *falling)
                many = float(math.comb(k, j))
                row.append((many * value, many * (more + 3 * U * modulus(value))))
                if j < self.degree:
                    falling = product(*falling, between, rest)
            found = row if not found else _joined(found, row)
        total: Complexes = np.zeros(t.size, dtype=complex)
        error: Reals = np.zeros(t.size)
        for value, off in found:
            total = total + value
            error = error + off + U * modulus(total)
        return total, error * (1 + 1e-9)


def _power(base: Complexes, error: Reals, k: int) -> tuple[Complexes, Reals]:
    """base^k and the bound of its error, by repeated squaring."""
    result: tuple[Complexes, Reals] = np.ones(base.size, dtype=complex), np.zeros(base.size)
    square = base, error
    while k:
        if k & 1:
            result = product(*result, *square)
        k >>= 1
        if k:
            square = product(*square, *square)
    return result


def _joined(
    first: list[tuple[Complexes, Reals]], other: list[tuple[Complexes, Reals]]
) -> list[tuple[Complexes, Reals]]:
    """The coefficients of a product of two polynomials, up to the same degree."""
    found = []
    for j in range(len(first)):
        total, error = product(*first[0], *other[j])
        for i in range(1, j + 1):
            value, off = product(*first[i], *other[j - i])
            total = total + value
            error = error + off + U * modulus(total)
        found.append((total, error))
    return found
