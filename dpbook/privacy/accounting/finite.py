r"""Losses of finitely many outcomes, and delta by a sum over all of them where they are few.

With L under P and its density e^-L under Q, delta(x) = P(L > x) - e^x Q(L > x): once the values are sorted and both sums
are known from each value on, one delta is one look-up.
"""

from __future__ import annotations

import bisect
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from dpbook.privacy.accounting.at_atoms import all_totals
from dpbook.privacy.accounting.enclosure import ball
from dpbook.privacy.accounting.lattice import AtomicLoss, DiscreteGaussianLoss, GeometricLoss
from dpbook.privacy.accounting.sampled import ADD, REMOVE

Reals = NDArray[np.float64]

_MOST_VALUES = 20_000
_MOST_LOSSES = 2_000  # of one release
_BITS = 256


class Few(ABC):
    """Base of losses with finitely many outcomes."""

    @abstractmethod
    def _outcomes(self) -> list[tuple[arb, arb]]:
        """Losses and masses, in balls."""

    @property
    def most(self) -> Fraction | arb | None:
        """The largest loss."""
        top = arb.neg_inf()
        for loss, _ in self._outcomes():
            top = top.max(loss)
        return top

    def atoms(self, c: float) -> tuple[list[arb], list[arb], arb]:
        """Return losses, masses times e^(c loss), and the share of the rest."""
        outcomes = self._outcomes()
        at = arb(c)
        return (
            [loss for loss, _ in outcomes],
            [mass * (at * loss).exp() for loss, mass in outcomes],
            arb(0),
        )

    @cached_property
    def _floats(self) -> tuple[Reals, Reals]:
        outcomes = self._outcomes()
        return (
            np.array([float(loss) for loss, _ in outcomes]),
            np.array([float(mass.log()) for _, mass in outcomes]),
        )

    def rough(self, c: float) -> tuple[Reals, Reals]:
        """Losses, and log of mass times e^(c loss), in floats."""
        losses, logs = self._floats
        return losses, logs + c * losses


@dataclass(frozen=True)
class FiniteLoss(Few):
    """The loss log(p / q) of outcomes with exact probabilities.

    Attributes
    ----------
    pairs : tuple of (Fraction, Fraction)
        p and q of each outcome, > 0.
    """

    pairs: tuple[tuple[Fraction, Fraction], ...]

    @property
    def outcomes(self) -> int:
        """The number of outcomes."""
        return len(self.pairs)

    def _outcomes(self) -> list[tuple[arb, arb]]:
        return [((ball(p) / ball(q)).log(), ball(p)) for p, q in self.pairs]


@dataclass(frozen=True)
class ResponseLoss:
    """The loss of randomised response: the truth has the odds e^epsilon against each other answer.

    Attributes
    ----------
    epsilon : Fraction
    others : int
        How many other answers there are, >= 1.
    """

    epsilon: Fraction
    others: int

    @property
    def outcomes(self) -> int:
        """The number of losses."""
        return 2 + (self.others > 1)

    @property
    def step(self) -> Fraction:
        """The step of the lattice."""
        return self.epsilon if self.others > 1 else 2 * self.epsilon

    @property
    def offset(self) -> Fraction:
        """A point of the lattice."""
        return self.epsilon

    @property
    def most(self) -> Fraction:
        """The largest loss."""
        return self.epsilon

    def atoms(self, c: float) -> tuple[list[Fraction], list[arb], arb]:
        """Return losses, masses times e^(c loss), and the share of the rest."""
        factor, at = ball(self.epsilon).exp(), arb(c) * ball(self.epsilon)
        whole = factor + self.others
        losses = [self.epsilon, -self.epsilon]
        masses = [factor / whole * at.exp(), (-at).exp() / whole]
        if self.others > 1:
            losses.append(Fraction(0))
            masses.append((self.others - 1) / whole)
        return losses, masses, arb(0)

    def rough(self, c: float) -> tuple[Reals, Reals]:
        """Losses, and log of mass times e^(c loss), in floats."""
        e = float(min(self.epsilon, Fraction(10**100)))
        whole = e + math.log1p(self.others * math.exp(-e))
        losses = [e, -e] + [0.0] * (self.others > 1)
        logs = [e - whole, -whole] + (
            [math.log(self.others - 1) - whole] if self.others > 1 else []
        )
        found = np.array(losses)
        return found, np.array(logs) + c * found


@dataclass(frozen=True)
class SampledDiscrete:
    """The loss of noise on the integers on a Poisson sample, in one direction.

    With Q the output without the record and g = 1 - q + q e^l, where l is the loss of the noise itself: to remove the record is
    log g under g Q, to add it -log g under Q.

    Attributes
    ----------
    rate : Fraction
        In (0, 1).
    noise : GeometricLoss or DiscreteGaussianLoss
    direction : {"remove", "add"}
    """

    rate: Fraction
    noise: GeometricLoss | DiscreteGaussianLoss
    direction: str

    @property
    def most(self) -> Fraction | arb | None:
        """The largest loss, if there is one."""
        if self.direction == ADD and isinstance(self.noise, DiscreteGaussianLoss):
            return -ball(1 - self.rate).log()
        if self.noise.most is None:
            return None
        sign = 1 if self.direction == REMOVE else -1
        return (
            sign
            * (1 - ball(self.rate) + ball(self.rate) * (sign * ball(self.noise.most)).exp()).log()
        )

    def atoms(self, c: float) -> tuple[list[arb], list[arb], arb]:
        """Return losses, masses times e^(c loss), and the share of the rest."""
        u = arb(c) + 1 if self.direction == REMOVE else -arb(c)
        stay, enter = ball(1 - self.rate), ball(self.rate)
        base, masses, left_out = self._base(c)
        losses, weights = [], []
        for loss, mass in zip(base, masses, strict=True):
            log = (stay + enter * loss.exp()).log()
            losses.append(log if self.direction == REMOVE else -log)
            weights.append(mass * (u * log).exp())
        return losses, weights, left_out / sum(weights, arb(0))

    def _base(self, c: float) -> tuple[list[arb], list[arb], arb]:
        """Return losses of the noise, masses under Q, and a bound of the rest, with the factor g^u."""
        if isinstance(self.noise, GeometricLoss):
            losses, masses, _ = self.noise.atoms(0.0)
            balls = [ball(loss) for loss in losses]
            return (
                balls,
                [mass * (-loss).exp() for loss, mass in zip(balls, masses, strict=True)],
                arb(0),
            )
        s, v = self.noise.shift, ball(self.noise.variance)
        low, top = self._ends(c)
        if top - low > _MOST_LOSSES * 10:
            return [arb(0)], [arb(1)], arb.pos_inf()
        weights = [(-arb(k * k) / (2 * v)).exp() for k in range(low, top + 1)]
        total = sum(weights, arb(0)) * (1 + arb("1e-100").union(arb(0)))
        losses_ = [arb(2 * k * s - s * s) / (2 * v) for k in range(low, top + 1)]
        # g <= e^l where l >= 0, so g^u phi(k) <= e^(-(k - us)^2 / 2v + u (u - 1) s^2 / 2v) beyond the top; elsewhere
        # g <= 1 and g >= 1 - q
        u = arb(c) + 1 if self.direction == REMOVE else -arb(c)
        if self.direction == REMOVE:
            far = top + 1 - u * s
            right = (-(far**2) / (2 * v) + u * (u - 1) * s * s / (2 * v)).exp()
            right = right / (1 - (-far / v).exp()) if far > 1 else arb.pos_inf()
            factor = arb(1)
        else:
            far = arb(top + 1)
            right = (-(far**2) / (2 * v)).exp() / (1 - (-far / v).exp())
            factor = (u * ball(1 - self.rate).log()).exp()
        far = arb(1 - low)
        left = factor * (-(far**2) / (2 * v)).exp() / (1 - (-far / v).exp())
        return losses_, [w / total for w in weights], (left + right * factor) / total

    def _ends(self, c: float) -> tuple[int, int]:
        """The outputs of discrete Gaussian noise, centred at 0 under Q, that are kept."""
        assert isinstance(self.noise, DiscreteGaussianLoss)
        spread = math.sqrt(2 * 250 * float(min(self.noise.variance, Fraction(10**30)))) + 2
        return -math.ceil(spread), math.ceil(spread + (max(c, 0.0) + 2) * self.noise.shift)

    @property
    def outcomes(self) -> int:
        """The number of outputs that have a loss of their own, or are kept."""
        if isinstance(self.noise, GeometricLoss):
            return self.noise.shift + 1
        low, top = self._ends(0.0)
        return top - low + 1

    @cached_property
    def _floats(self) -> tuple[Reals, Reals]:
        losses, weights, _ = self.atoms(0.0)
        return np.array([float(x) for x in losses]), np.array([float(w.log()) for w in weights])

    def rough(self, c: float) -> tuple[Reals, Reals]:
        """Losses, and log of mass times e^(c loss), in floats."""
        if isinstance(self.noise, GeometricLoss):
            losses, logs = self._floats
            return losses, logs + c * losses
        s, v, q = self.noise.shift, float(self.noise.variance), float(self.rate)
        spread = math.sqrt(2 * 60 * v) + 2
        k = np.arange(
            -math.ceil(spread), math.ceil(spread + (min(c, 1e6) + 2) * s) + 1, dtype=float
        )
        if k.size > _MOST_LOSSES * 10:
            k = k[:: k.size // _MOST_LOSSES]
        logs = -k * k / (2 * v)
        top = logs.max()
        logs = logs - top - math.log(float(np.exp(logs - top).sum()))
        g = np.logaddexp(math.log1p(-q), math.log(q) + (2 * k * s - s * s) / (2 * v))
        losses = g if self.direction == REMOVE else -g
        return losses, logs + (c * losses + (g if self.direction == REMOVE else 0.0))


def few_values(factors: Sequence[tuple[Any, int]]) -> bool:
    """Return True if all releases have finitely many outcomes, but for a known rest, and few totals."""
    total = 1
    for factor, times in factors:
        kind = factor.kind if isinstance(factor, AtomicLoss) else None
        if not isinstance(kind, FiniteLoss | ResponseLoss | GeometricLoss | SampledDiscrete):
            return False
        if times > 1 and isinstance(kind, SampledDiscrete) and kind.noise.most is None:
            return False
        many = kind.outcomes
        if (many > 6 and times > 1) or times > _MOST_VALUES:
            return False
        total *= math.comb(times + many - 1, many - 1)
        if total > _MOST_VALUES:
            return False
    return True


class Sums:
    """Delta by all total losses, sorted.

    Outcomes that are left out add at most their probability.
    """

    method = "sum in balls"

    def __init__(self, factors: Sequence[tuple[Any, int]], slope: float = -1.0) -> None:
        self.slope = slope
        with ctx.workprec(_BITS):
            totals: list[tuple[arb, arb]] = [(arb(0), arb(1))]
            self.left_out = arb(0)
            for factor, times in factors:
                losses, masses, left_out = factor.kind.atoms(0.0)
                self.left_out += times * left_out * sum(masses, arb(0))
                balls = [ball(x) if isinstance(x, Fraction) else x for x in losses]
                if times == 1:
                    each = list(zip(balls, masses, strict=True))
                else:
                    each = all_totals(balls, masses, times)
                totals = [(a + b, p * q) for a, p in totals for b, q in each]
            totals.sort(key=lambda pair: float(pair[0]))
            self.losses = [loss for loss, _ in totals]
            self.places = [float(loss) for loss in self.losses]
            self.masses = [mass for _, mass in totals]
            first, other = arb(0), arb(0)
            self.above: list[tuple[arb, arb]] = [(first, other)]
            for loss, mass in reversed(totals):
                first += mass
                other += mass * (-loss).exp()
                self.above.append((first, other))
            self.above.reverse()

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds it, for an epsilon that is an exact number."""
        with ctx.workprec(_BITS):
            x = float(epsilon)
            near = 1e-12 * abs(x) + 1e-40 * max(abs(self.places[0]), abs(self.places[-1]))
            start = bisect.bisect_left(self.places, x - near)
            end = bisect.bisect_right(self.places, x + near)
            factor = epsilon.exp()
            first, other = self.above[end]
            total = first - factor * other
            for loss, mass in zip(self.losses[start:end], self.masses[start:end], strict=True):
                if not loss <= epsilon:
                    gain = mass * (1 - (epsilon - loss).exp())
                    total += gain if loss > epsilon else gain.max(arb(0)).union(arb(0))
            return total if self.left_out == 0 else total + self.left_out.union(arb(0))
