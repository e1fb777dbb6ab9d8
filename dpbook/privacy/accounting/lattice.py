r"""Losses on a lattice: discrete Laplace and discrete Gaussian noise, composed without a cut.

Where each loss lies on a lattice of the step eta, so does the total loss L, and M(z) = E e^(zL) has the period 2 pi i / eta but for a
factor. With l the least point of the lattice above x, summing P(L = l + k eta) (1 - e^(x - l - k eta)) over k >= 0 under the integral for
P(L = .) gives

    delta(x) = (1 / 2 pi) int over a period of M(z) e^(-zl) [W(z) - e^(x - l) W(z + 1)] dt,   W(z) = eta / (1 - e^(-z eta)),

z = c + it. The trapezoidal rule with N nodes in the period equals sum_j delta(x + jP) e^(cjP) with P = N eta, as in `line`: the
aliases have one sign and the bounds that stand there. Nothing is cut.

**Atoms.** Discrete Gaussian noise has infinitely many: tilted by e^(c loss) its weights are Gaussian weights around -cs, and the weights
beyond a window fall at least geometrically. The rounding of the sum over the atoms is bounded in `sampled` (args = 0).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, Protocol, TypeGuard

import numpy as np
from flint import arb
from numpy.typing import NDArray

from dpbook.privacy.accounting.doubles import (
    U,
    modulus,
    power_of_one_plus,
    product,
    short,
    sum_in_pairs,
    turns,
)
from dpbook.privacy.accounting.enclosure import ball, floors
from dpbook.privacy.accounting.line import _BEYOND, _LINES, _MOST_TIMES, _SHARP, Releases
from dpbook.privacy.accounting.sampled import _excess

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]

_FEW_NODES, _MOST_NODES = 8_000, 400_000
_MOST_ATOMS = 20_000
_WIDE = 25  # variance of discrete normal noise from which on its moments are next to the moments of normal noise


@dataclass(frozen=True)
class GeometricLoss:
    """The loss of two-sided geometric noise (discrete Laplace), the same in both directions.

    Attributes
    ----------
    rate : Fraction
        The masses fall by e^-rate from one integer to the next.
    shift : int
        How far the query moves, >= 1.
    """

    rate: Fraction
    shift: int

    @property
    def outcomes(self) -> int:
        """The number of atoms."""
        return self.shift + 1

    @property
    def step(self) -> Fraction:
        """The step of the lattice."""
        return 2 * self.rate

    @property
    def offset(self) -> Fraction:
        """A point of the lattice."""
        return self.rate * self.shift

    @property
    def most(self) -> Fraction | None:
        """The largest loss."""
        return self.offset

    def atoms(self, c: float) -> tuple[list[Fraction], list[arb], arb]:
        """Return losses, masses times e^(c loss), and the share of the rest."""
        falls = (-ball(self.rate)).exp()
        whole = 1 + falls
        losses = [self.rate * (self.shift - 2 * k) for k in range(self.shift + 1)]
        masses = [1 / whole]
        masses += [(1 - falls) / whole * falls**k for k in range(1, self.shift)]
        masses += [falls**self.shift / whole]
        at = arb(c)
        return (
            losses,
            [m * (at * ball(x)).exp() for m, x in zip(masses, losses, strict=True)],
            arb(0),
        )

    def rough(self, c: float) -> tuple[Reals, Reals]:
        """Losses, and log of mass times e^(c loss), in floats."""
        rate, falls = float(self.rate), -float(self.rate)
        k = np.arange(self.shift + 1, dtype=float)
        logs = k * falls - math.log1p(math.exp(falls))
        if self.shift > 1:
            logs[1:-1] += math.log(-math.expm1(falls))
        losses = rate * (self.shift - 2 * k)
        return losses, logs + c * losses


@dataclass(frozen=True)
class DiscreteGaussianLoss:
    """The loss of discrete Gaussian noise, the same in both directions.

    Attributes
    ----------
    variance : Fraction
        The square of its parameter.
    shift : int
        How far the query moves, >= 1.
    """

    variance: Fraction
    shift: int

    @property
    def step(self) -> Fraction:
        """The step of the lattice."""
        return self.shift / self.variance

    @property
    def offset(self) -> Fraction:
        """A point of the lattice."""
        return Fraction(self.shift**2) / (2 * self.variance)

    @property
    def most(self) -> Fraction | None:
        """There is no largest loss."""
        return None

    @property
    def outcomes(self) -> int:
        """The number of atoms that are kept."""
        low, high = self._window(0.0)
        return high - low + 1

    @property
    def is_wide(self) -> bool:
        """True if the moments are the moments of normal noise, but for a factor next to 1 (`cumulant`)."""
        return self.variance >= _WIDE

    def moments(self, c: float) -> tuple[float, float, float]:
        """K(c), K'(c) and K''(c) of wide noise, about."""
        size = float(self.shift**2 / self.variance)
        return size * c * (c + 1) / 2, size * (2 * c + 1) / 2, size

    def cumulant(self, c: arb) -> arb:
        """K(c) of wide noise, in a ball.

        By Poisson summation the weights e^(-(k + a)^2 / 2v) sum to (2 pi v)^(1/2) (1 + e), |e| <= 2 q / (1 - q) with
        q = e^(-2 pi^2 v), for each a. Two of these sums are divided by each other.
        """
        v = ball(self.variance)
        off = (-2 * arb.pi() ** 2 * v).exp()
        return c * (c + 1) * self.shift**2 / (2 * v) + arb(0, 1) * (6 * off).upper()

    def _window(self, c: float) -> tuple[int, int]:
        reach = math.ceil(math.sqrt(2 * 75 * float(self.variance))) + 2
        middle = -round(c * self.shift)
        return middle - reach, middle + reach

    def _gaussian(self, center: arb, low: int, high: int) -> tuple[list[arb], arb]:
        """The weights e^(-(k - center)^2 / 2 variance) in a window, and a bound of all others."""
        v = ball(self.variance)
        weights = [(-((k - center) ** 2) / (2 * v)).exp() for k in range(low, high + 1)]
        left_out = arb(0)
        for end, far in ((high, high + 1 - center), (low, center - low + 1)):
            # beyond the end each weight is below e^(-far / v) of the weight before it, far > 0
            if not far > 1:
                return weights, arb.pos_inf()
            first = (-(far**2) / (2 * v)).exp()
            left_out += first / (1 - (-far / v).exp())
            del end
        return weights, left_out

    def atoms(self, c: float) -> tuple[list[Fraction], list[arb], arb]:
        """Return losses, masses times e^(c loss), and the share of the rest."""
        zero_low, zero_high = self._window(0.0)
        plain, out = self._gaussian(arb(0), zero_low, zero_high)
        total = sum(plain, arb(0)) + out * (1 + arb(0, 1)) / 2
        low, high = self._window(c)
        # e^(-k^2 / 2v + c (s^2 - 2ks) / 2v) = e^(-(k + cs)^2 / 2v) e^(c (c + 1) s^2 / 2v)
        center, v, at = -arb(c) * self.shift, ball(self.variance), arb(c)
        scale = (at * (at + 1) * self.shift**2 / (2 * v)).exp() / total
        weights, left_out = self._gaussian(center, low, high)
        whole = sum(weights, arb(0))
        losses = [
            (Fraction(self.shift) ** 2 - 2 * k * self.shift) / (2 * self.variance)
            for k in range(low, high + 1)
        ]
        return losses, [w * scale for w in weights], left_out / whole

    def rough(self, c: float) -> tuple[Reals, Reals]:
        """Losses, and log of mass times e^(c loss), in floats."""
        low, high = self._window(c)
        v, s = float(self.variance), self.shift
        k = np.arange(low, high + 1, dtype=float)
        zero = np.arange(*self._window(0.0), dtype=float)
        total = math.log(float(np.exp(-zero * zero / (2 * v)).sum()))
        losses = (s * s - 2 * k * s) / (2 * v)
        return losses, -k * k / (2 * v) - total + c * losses


class Atomic(Protocol):
    """A loss of finitely many atoms, but for a known rest; on a lattice it has a `step` and an `offset`."""

    @property
    def most(self) -> Fraction | arb | None: ...

    @property
    def outcomes(self) -> int: ...

    def atoms(self, c: float) -> tuple[Sequence[Fraction | arb], list[arb], arb]: ...

    def rough(self, c: float) -> tuple[Reals, Reals]: ...


@dataclass(frozen=True)
class AtomicLoss:
    """A loss of finitely many atoms, but for a known rest, as a factor of a line."""

    kind: Atomic

    @property
    def most(self) -> Fraction | arb | None:
        """The largest loss, if there is one."""
        return self.kind.most

    @property
    def on_lattice(self) -> bool:
        """True if all losses are multiples of one number, but for a shift."""
        return hasattr(self.kind, "step")

    def moments(self, c: float) -> tuple[float, float, float]:
        """K(c), K'(c) and K''(c), about."""
        if _is_wide(self.kind):
            return self.kind.moments(c)
        losses, logs = self.kind.rough(c)
        top = float(logs.max())
        weights = np.exp(logs - top)
        total = float(weights.sum())
        mean = float(weights @ losses) / total
        return top + math.log(total), mean, float(weights @ (losses - mean) ** 2) / total

    def cumulant(self, c: arb) -> arb:
        """K(c), in a ball."""
        if _is_wide(self.kind):
            return self.kind.cumulant(c)
        _, weights, left_out = self.kind.atoms(float(c))
        return (sum(weights, arb(0)) * (1 + left_out.union(arb(0)))).log()

    def far(self, c: float, t: float) -> tuple[float, float]:
        """Atoms do not decay."""
        return 0.0, 0.0

    def grid(self, c: float, t: float, times: int) -> Atoms:
        """The factor on the line Re z = c."""
        return Atoms(self.kind, c, t)


def _is_wide(kind: Atomic) -> TypeGuard[DiscreteGaussianLoss]:
    return isinstance(kind, DiscreteGaussianLoss) and kind.is_wide


class Atoms:
    """The weights of the atoms on one line."""

    def __init__(self, kind: Atomic, c: float, t: float) -> None:
        self.known = kind.outcomes <= _MOST_ATOMS
        if not self.known:
            return
        losses, weights, left_out = kind.atoms(c)
        whole = sum(weights, arb(0))
        self.error = left_out.upper()
        self.known = bool(whole > 0) and bool(self.error < 1e-3) and len(losses) <= _MOST_ATOMS
        if not self.known:
            return
        self.log_peak = (whole * (1 + left_out.union(arb(0)))).log()
        self.weights: Complexes = np.array([float(w / whole) for w in weights], dtype=complex)
        about: Reals = np.array([float(x) for x in losses])
        self.center = float(self.weights.real @ about)
        center = arb(self.center)
        balls = [ball(x) if isinstance(x, Fraction) else x for x in losses]
        self.losses: Reals = np.array([float(x - center) for x in balls])
        self.known = float(np.abs(self.losses).max()) * t < 2**24
        self.spread = float(self.weights.real @ np.abs(self.losses)) * (1 + 1e-9)

    def log_far(self, t: float) -> arb:
        """No bound but 1."""
        return arb(0)

    def excess(self, t: Reals) -> tuple[Complexes, Reals]:
        """M(c + it) e^(-it center) / M(c) - 1 for t = 0, h, 2h, ..., and the bounds of the errors."""
        excess = np.empty(t.size, dtype=np.complex128)
        _excess(self.weights, np.zeros(self.losses.size), self.losses, t, excess)
        error = U * (64 * np.minimum(t * self.spread, 2.0) + 4 * t * self.spread)
        return excess, (error + 4 * float(self.error) + 1e-290) * (1 + 1e-6)


class LatticeLine:
    """Delta at any epsilon near `near`, where all losses are on one lattice."""

    method = "sum over a lattice in doubles with bounded errors"

    def __init__(self, releases: Releases, saddle: float, near: float, log_delta: float) -> None:
        self.releases, self.slope = releases, -saddle
        kinds: list[tuple[Any, int]] = [(factor.kind, k) for factor, k in releases.factors]  # type: ignore[attr-defined]
        self.lattice = common_step([kind.step for kind, _ in kinds])
        self.offset = sum((k * kind.offset for kind, k in kinds), Fraction(0))
        self.end = releases.end()
        found = self._choose(saddle, near, min(log_delta, 0.0))
        self.known = found is not None and max(k for _, k in kinds) < _MOST_TIMES
        if not self.known or found is None:
            return
        c, beyond, self.many = found
        self.c, self.beyond = arb(c), arb(beyond)
        self.period = self.many * ball(self.lattice)
        self.step = 2 * arb.pi() / self.period
        self._fill(c)

    def _choose(self, saddle: float, near: float, size: float) -> tuple[float, float, int] | None:
        """The line, c', and the number of nodes, which is odd."""
        releases, gap = self.releases, float(self.lattice)
        best: tuple[float, float, int] | None = None
        for share in _LINES:
            c = short(saddle * share)
            left = (-size + _SHARP) / c
            right, beyond = math.inf, 2 * c
            if self.end is not None:
                right = max((float(self.end) - near) * (1 + 1e-9), 0.0)
            for times in _BEYOND:
                other = short(times * c)
                there = releases.moments(other)[0] - other * near - size + _SHARP
                if other > c and there / (other - c) < right:
                    right, beyond = there / (other - c), other
                if right <= left:
                    break
            many = max(left, right) / gap + 3
            if many < _MOST_NODES and (best is None or many < 0.7 * best[2]):
                best = c, beyond, math.ceil(many) | 1
            if many <= _FEW_NODES:
                break
        return best

    def _fill(self, c: float) -> None:
        half = (self.many - 1) // 2
        t: Reals = np.array([float(self.step * m) for m in range(half + 1)])
        self.log_peak, self.shift = arb(0), arb(0)
        value: Complexes = np.ones(t.size, dtype=complex)
        error: Reals = np.zeros(t.size)
        for factor, k in self.releases.factors:
            nodes = factor.grid(c, float(t[-1]), k)
            if not nodes.known:
                self.known = False
                return
            self.log_peak += k * nodes.log_peak
            self.shift += k * arb(nodes.center)
            less, off = nodes.excess(t)
            power, off = power_of_one_plus(less, off, k)
            value, error = product(value, error, power, off)
        turn, eta = turns(-self.step * ball(self.lattice), half)
        self.sums = []
        for z in (self.c, self.c + 1):
            falls = (-z * ball(self.lattice)).exp()
            gap = 1 - float(falls) * turn
            size = np.sqrt(gap.real**2 + gap.imag**2)
            # 1 / (1 - e^(-z eta)): the gap is off by eta + 4u
            inverse = gap.conj() / (size * size)
            off = (1.01 * (eta + 4 * U) / size + 8 * U) * modulus(inverse)
            self.sums.append(product(value, error, inverse, off))

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds delta; infinite when no error bound is known."""
        if not self.known:
            return arb.nan()
        place = (epsilon - ball(self.offset)) / ball(self.lattice)
        # two where a loss is at epsilon, or next to it
        found = [self._from(number + 1, epsilon) for number in floors(place)]
        return reduce(arb.union, found) if found else arb.nan()

    def _from(self, number: int, epsilon: arb) -> arb:
        """Return the terms of delta from one point of the lattice on."""
        above = ball(self.offset + self.lattice * number)
        phase, eta = turns(self.step * (self.shift - above), (self.many - 1) // 2)
        parts = []
        for weights, error in self.sums:
            terms = weights.real * phase.real - weights.imag * phase.imag
            terms[0] /= 2
            levels = math.ceil(math.log2(terms.size + 1))
            moduli = float(np.sum(modulus(weights)))
            off = float(np.sum(error)) + moduli * (eta + (4 + levels) * U)
            parts.append(arb(sum_in_pairs(terms)) + arb(0, off * (1 + 1e-6) + 1e-280))
        scale = (self.log_peak - self.c * above).exp() * self.step * ball(self.lattice) / arb.pi()
        value = scale * (parts[0] - (epsilon - above).exp() * parts[1])
        decay = (-self.c * self.period).exp()
        aliases = decay / (1 - decay)
        if self.end is None or not epsilon + self.period >= self.end:
            decay = (-(self.beyond - self.c) * self.period).exp()
            aliases += (self.log_beyond - self.beyond * epsilon).exp() * decay / (1 - decay)
        return value - aliases.union(arb(0)) if aliases.is_finite() else arb.nan()

    @property
    def log_beyond(self) -> arb:
        """K(c')."""
        if not self.beyond > self.c:
            return arb.pos_inf()
        return self.releases.cumulant(self.beyond)


def common_step(steps: list[Fraction]) -> Fraction:
    """The largest number of which all are multiples."""
    step = steps[0]
    for other in steps[1:]:
        step = Fraction(
            math.gcd(step.numerator * other.denominator, other.numerator * step.denominator),
            step.denominator * other.denominator,
        )
    return step
