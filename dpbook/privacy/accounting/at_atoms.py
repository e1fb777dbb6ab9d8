r"""Delta on the event that every loss is one of its atoms: a sum in balls.

Write the factor of each release as r = a + d, where a stands for its atoms and d for its density, |a| <= s and |d| <= D / t (see `pieces`
and `losses`). The product of all a is the transform of the loss on the event that every loss is an atom. The rest of the product of all r is for all t
>= T at most prod (s_i + D_i / T)^(k_i) - prod s_i^(k_i), and the transform of the loss on the other event.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from dpbook.privacy.accounting.doubles import U, modulus, power_of_one_plus, product, turns
from dpbook.privacy.accounting.losses import LaplaceLoss, RangeLoss
from dpbook.privacy.accounting.pieces import PieceLoss

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]
Factors = Sequence[tuple[Any, int]]

_MOST_POINTS = 6_000
_MOST_TRIES = 24
_MOST_WORK = 4e6  # nodes of densities times nodes of the line: a fraction of a second


def has_atoms(factors: Factors) -> bool:
    """Return whether each loss has atoms or a known density, one of them a sampled one, and the sum is quick."""
    points = 1
    for factor, times in factors:
        if not isinstance(factor, PieceLoss | LaplaceLoss | RangeLoss):
            return False
        many = len(factor.atoms(arb(1)))
        points *= math.comb(min(times, _MOST_POINTS) + many - 1, many - 1) if many else 1
    return points <= _MOST_POINTS and any(isinstance(factor, PieceLoss) for factor, _ in factors)


def latest(factors: Factors, c: float, t: float, step: float) -> float:
    """The largest t, of those tried from one on downwards, up to which the densities need few nodes."""
    for _ in range(_MOST_TRIES):
        nodes = [factor.nodes_up_to(c, t) for factor, _ in factors if isinstance(factor, PieceLoss)]
        if min(nodes) > 0 and sum(nodes) * (t / step) <= _MOST_WORK:
            break
        t /= 1.5
    return t


class AtAtoms:
    """Delta on the event that every loss is one of its atoms.

    Parameters
    ----------
    factors : sequence of (loss, int)
        The losses, and how often.
    """

    def __init__(self, factors: Factors) -> None:
        self.factors = factors
        self.points: list[tuple[arb, arb]] = [(arb(0), arb(1))]
        for factor, times in factors:
            atoms = factor.atoms(arb(0))
            if not atoms:
                self.points = []
                break
            each = all_totals([loss for loss, _ in atoms], [mass for _, mass in atoms], times)
            self.points = [(a + b, p * q) for a, p in self.points for b, q in each]

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds it, for an epsilon that is an exact number."""
        total = arb(0)
        for loss, mass in self.points:
            if loss <= epsilon:
                continue
            gain = mass * (1 - (epsilon - loss).exp())
            total += gain if loss > epsilon else gain.max(arb(0)).union(arb(0))
        return total

    def log_far(self, c: float, t: float) -> arb:
        """An upper bound of the log of the modulus of the rest, for all that is beyond t."""
        whole, atoms = arb(1), arb(1)
        for factor, times in self.factors:
            share, density = factor.shares_far(c)
            whole *= (share + density / arb(t)) ** times
            atoms *= share**times
        rest = (whole - atoms).upper()
        return rest.log() if rest > 0 else arb(-1000)

    def terms(self, c: float, t: Reals, nodes: Sequence[Any]) -> tuple[Complexes, Reals]:
        """The transform at the nodes m t[1], over M(c) and turned by the centers of the nodes, and the bound of its error."""
        found: tuple[Complexes, Reals] = np.ones(t.size, dtype=complex), np.zeros(t.size)
        for (factor, times), one in zip(self.factors, nodes, strict=True):
            base: Complexes = np.full(t.size, -1 + 0j)
            off: Reals = np.zeros(t.size)
            peak = one.log_peak.exp()
            for loss, mass in factor.atoms(arb(c)):
                share = mass / peak
                turned, eta = turns(arb(float(t[1])) * (loss - arb(one.center)), t.size - 1)
                size = float(share.mid())
                base = base + size * turned
                off = off + size * (eta + 3 * U) + float(share.rad()) + 4 * U
            power, error = power_of_one_plus(base, off * (1 + 8 * U), times)
            found = product(*found, power, error)
        value, error = found
        return value, error + U * modulus(value)


def all_totals(losses: list[arb], masses: list[arb], times: int) -> list[tuple[arb, arb]]:
    """Return the values of the sum of `times` losses, and their masses."""
    if len(losses) == 1:
        return [(times * losses[0], masses[0] ** times)]
    found = []
    falls = [(arb(1), arb(0))]
    for _ in range(times):
        falls.append((falls[-1][0] * masses[0], falls[-1][1] + losses[0]))
    for many in range(times + 1):
        power, loss = falls[many]
        ways = math.comb(times, many)
        for rest, mass in all_totals(losses[1:], masses[1:], times - many):
            found.append((loss + rest, ways * power * mass))
    return found
