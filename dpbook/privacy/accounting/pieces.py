r"""Losses of atoms and of a density with ends, as factors of a contour integral: sampled Laplace noise, and samples without replacement.

**The losses.** On an interval of outputs x let g(x) = a + b e^(kx) with a, b, k > 0, and let w be the weight e^-x / 2 or the normal
density. Each branch has the loss log g or -log g, and a power u of the real c with

    M(c + it) = sum of atoms A_j e^(it loss_j) + sum over branches of int w g^u e^(+-it log g) dx.

**Gauss-Legendre.** A panel of half-length h around m has N nodes. Let f be analytic in the ellipse of Bernstein with the sum rho of its half-axes,
X = h (rho + 1/rho) / 2 and Y = h (rho - 1/rho) / 2, where |f| <= B. Chebyshev's series, cut at the degree 2N - 1, is off by at most
2B rho^-(2N-1) / (rho - 1); the rule is exact for the part that is kept and its weights are positive with the sum 2h, so the rule is off by at most

    8 h B rho^-(2N-1) / (rho - 1).

With theta = kY <= pi / 2, in the ellipse |g| <= a + b e^(k(m+X)) and |g| >= a + b e^(k(m-X)) cos(theta), and |arg g| is at most theta and at most the
ratio of the imaginary and the real part, R sin(theta) / (a + R cos(theta)) with R = b e^(k(m+X)), which increases in R.

**Far.** In the loss v the density is f = w g^(u+1) / (k b e^(kx)), and by parts |int f e^(itv) dv| <= (|f| at both ends + the total variation) / t.
For Laplace noise log f has the slope (u+1) k b e^(kx) / g - 1 - k in x, which is monotone: f has no maximum inside or no minimum inside and, as
the slope is below 0 where u + 1 <= 0 and increases else, no maximum. So the sum is at most 2 (f at both ends). For normal noise the slope
-x - k + (u+1) k b e^(kx) / g has at most three zeros, since b e^(kx) / g is convex, then concave: at most two maxima, and the
sum is at most 2 f(start) + 4 sup f, where the supremum leaves out a part at the start on which f falls.

**Near.** |M(c + it) / M(c)|^2 = E cos(t (X - X')) for two independent tilted losses, and 1 - cos y >= 2 y^2 / pi^2 for abs(y) <= pi. With cells
of losses, all at most x_1 in modulus, whose probabilities are at least p_i and whose distances are at least d_ij,

    |r(s)|^2 <= 1 - (2 / pi^2) t^2 sum p_i p_j d_ij^2    for all s from t to pi / (2 x_1).

**The pair of a sample without replacement.** See `subsampling`. With mu the ratio of sensitivity and standard deviation, l = mu x - mu^2 / 2 and
g = 1 - q + q e^l, the divergence at e^x >= 1 is the divergence of (1 - q) N(0, 1) + q N(mu, 1) from N(0, 1), and by exchange of the two at e^x < 1. A pair that has
both: its loss is log g with the density phi g where l > 0, -log g with the density phi (of the reflected output) where l > 0, and 0 with the rest,
(1 - q) (1 - 2 Pr(N(0, 1) < -mu / 2)). So

    M(z) = (1 - q) (1 - 2 Pr(N(0, 1) < -mu / 2)) + int_{mu/2}^oo phi (g^(z+1) + g^-z) dx.

The part beyond W is at most e^(c(c+1) mu^2 / 2) Pr(N(0, 1) > W - (c+1) mu) + Pr(N(0, 1) > W), as 1 <= g <= e^l there.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from dpbook.privacy.accounting.doubles import U
from dpbook.privacy.accounting.enclosure import ball, round_down, round_up
from dpbook.privacy.accounting.losses import RangeLoss
from dpbook.privacy.accounting.sampled import REMOVE, SampledNormal, _excess

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]

_ORDER = 32  # nodes of a panel
_MOST_PANELS = 96
_NATS = 44.0
_RHOS = (1.3, 1.6, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 25.0)
_CELLS = 64
_SCALES = 64
_FINER = 0.84  # the ratio of two scales
_POINTS = 3000
_SLACK = 1e-6
"""Relative, for sums of products of floats >= 0 that are not negative: see `Decay`."""
_DEEP = 50.0


@lru_cache(maxsize=8)
def _rule(bits: int) -> list[tuple[arb, arb]]:
    """The nodes and weights of a panel on [-1, 1]."""
    del bits  # the precision of the context
    return [arb.legendre_p_root(_ORDER, k, True) for k in range(_ORDER)]


class PieceLoss(ABC):
    """A loss of atoms and of a density with ends."""

    @property
    @abstractmethod
    def _g(self) -> tuple[arb, arb, arb]:
        """a, b and k of g."""

    @abstractmethod
    def branches(self, c: float) -> list[tuple[int, float]]:
        """The sign of the loss, and the power of g, of each branch."""

    def powers(self, c: float) -> list[tuple[int, arb]]:
        """Return the branches without rounding: c + 1 may be no double."""
        return [(sign, arb(c) + 1 if sign > 0 else -arb(c)) for sign, _ in self.branches(c)]

    @abstractmethod
    def atoms(self, c: arb) -> list[tuple[arb, arb]]:
        """Losses and masses of the atoms, the masses times e^(c loss)."""

    @abstractmethod
    def _range(self, c: float, nats: float) -> tuple[arb, arb]:
        """The ends of the interval of outputs."""

    @abstractmethod
    def _log_weight(self, x: Reals) -> Reals:
        """The logarithm of the weight w, in floats."""

    @abstractmethod
    def _weight(self, x: arb) -> arb:
        """The weight w."""

    @abstractmethod
    def _log_most(self, m: float, wide: float, high: float) -> float:
        """About the largest log |w| in the ellipse, in floats."""

    @abstractmethod
    def _most(self, m: arb, wide: arb, high: arb) -> arb:
        """An upper bound of |w| in the ellipse."""

    @abstractmethod
    def _left_out(self, c: float, high: arb) -> arb:
        """Return an upper bound of the part beyond the interval."""

    @abstractmethod
    def _variation(
        self, c: float, edges: list[arb], densities: list[tuple[list[arb], list[arb]]]
    ) -> arb:
        """An upper bound of the ends and total variation, of all branches, from f at the edges and its suprema in cells."""

    @property
    @abstractmethod
    def most(self) -> Fraction | arb | None:
        """The largest loss, if there is one."""

    @cached_property
    def _floats(self) -> tuple[float, float, float]:
        a, b, k = self._g
        return float(a.log()), float(b.log()), float(k)

    def _logs(self, x: Reals) -> Reals:
        a, b, k = self._floats
        return np.logaddexp(a, b + k * x)

    def _points(self, c: float) -> list[tuple[Reals, Reals]]:
        """Outputs and lengths that stand for the interval, for each branch."""
        low, high = (float(end) for end in self._range(c, _DEEP))
        found = []
        for _ in self.branches(c):
            # closer near the lower end, where losses are small
            edges = low + (high - low) * np.linspace(0, 1, _POINTS + 1) ** 2
            found.append(((edges[1:] + edges[:-1]) / 2, np.diff(edges)))
        return found

    def moments(self, c: float) -> tuple[float, float, float]:
        """K(c), K'(c) and K''(c), about."""
        losses, exponents = [], []
        for place, mass in self.atoms(arb(c)):
            if mass > 0:
                losses.append(np.array([float(place)]))
                exponents.append(np.array([float(mass.log())]))
        for (sign, u), (x, width) in zip(self.branches(c), self._points(c), strict=True):
            logs = self._logs(x)
            losses.append(sign * logs)
            exponents.append(self._log_weight(x) + u * logs + np.log(width))
        loss, logs = np.concatenate(losses), np.concatenate(exponents)
        top = float(logs.max())
        weights = np.exp(logs - top)
        total = float(weights.sum())
        mean = float(weights @ loss) / total
        return (
            top + math.log(total),
            mean,
            max(float(weights @ (loss - mean) ** 2) / total, 1e-300),
        )

    def cumulant(self, c: arb) -> arb:
        """K(c), in a ball."""
        nodes = PieceNodes(self, float(c), 0.0, 1)
        return nodes.log_peak if nodes.known else arb.pos_inf()

    def far(self, c: float, t: float) -> tuple[float, float]:
        """About the log of the bound on |r(s)|, s >= t."""
        return _decay(self, c).log_far(t), 0.0

    def shares_far(self, c: float) -> tuple[arb, arb]:
        """Upper bounds of the share of the atoms, and of t times the share of the density."""
        found = _decay(self, c)
        if not found.known:
            return arb(1), arb.pos_inf()
        return found.atoms, found.variation

    def grid(self, c: float, t: float, times: int) -> PieceNodes:
        """The factor on the line Re z = c."""
        return PieceNodes(self, c, t, times)

    def panels(self, c: float, t: float, goal: float, nats: float) -> list[Fraction]:
        """Return the places where the panels meet, as shares of the interval.

        The list is empty if too many would be needed for a log error of `goal`, about, up to t.
        """
        low, high = (float(end) for end in self._range(c, nats))
        if not (math.isfinite(high) and high > low):
            return []
        powers = [u for _, u in self.branches(c)]
        allowed = goal - math.log(_MOST_PANELS * len(powers))
        todo = [(Fraction(0), Fraction(1))]
        found = [Fraction(0)]
        while todo:
            first, last = todo.pop()
            m = low + (high - low) * float((first + last) / 2)
            h = (high - low) * float((last - first) / 2) * (1 + 1e-12)
            log = max(self._log_error(m, h, u, t)[0] for u in powers)
            if log <= allowed:
                found.append(last)
                continue
            if len(found) + len(todo) > _MOST_PANELS or last - first < Fraction(1, 2**20):
                return []
            middle = (first + last) / 2
            todo += [(middle, last), (first, middle)]
        return found

    def nodes_up_to(self, c: float, t: float) -> int:
        """Return the number of nodes that the density needs up to t, or 0 if they are too many."""
        panels = self.panels(c, t, self.moments(c)[0] - _NATS - 5, _NATS + 5)
        return _ORDER * max(len(panels) - 1, 0) * len(self.branches(c))

    def _log_error(self, m: float, h: float, u: float, t: float) -> tuple[float, float]:
        """About the least log of the bound of the error of a panel, and its rho: a proposal, in floats."""
        a, b, k = self._floats
        best = math.inf, 2.0
        for rho in _RHOS:
            wide, high = h * (rho + 1 / rho) / 2, h * (rho - 1 / rho) / 2
            theta = k * high
            if theta > 1.5:
                break
            top = np.logaddexp(a, b + k * (m + wide))
            low = np.logaddexp(a, b + k * (m - wide) + math.log(math.cos(theta)))
            most = b + k * (m + wide)
            real = np.logaddexp(a, most + math.log(math.cos(theta)))
            arg = min(theta, math.exp(min(most - real, 5.0)) * math.sin(theta))
            log = self._log_most(m, wide, high) + (u * top if u >= 0 else u * low) + t * arg
            log += math.log(8 * h) - (2 * _ORDER - 1) * math.log(rho) - math.log(rho - 1)
            if log < best[0]:
                best = float(log), rho
        return best

    def error(self, m: arb, h: arb, u: arb, t: float, rho: float) -> arb:
        """An upper bound of the error of a panel, for all powers u + is with |s| <= t."""
        a, b, k = self._g
        r = arb(rho)
        wide, high = h * (r + 1 / r) / 2, h * (r - 1 / r) / 2
        theta = k * high
        if not theta < arb.pi() / 2:
            return arb.pos_inf()
        sine, cosine = theta.sin_cos()
        most = b * (k * (m + wide)).exp()
        arg = theta.min(most * sine / (a + most * cosine))
        size = a + most if u >= 0 else a + b * (k * (m - wide)).exp() * cosine
        bound = self._most(m, wide, high) * (u * size.log() + arb(t) * arg).exp()
        return 8 * h * bound / (r ** (2 * _ORDER - 1) * (r - 1))


class PieceNodes:
    """The atoms and the nodes of a loss on one line, with the bounds of the errors up to t."""

    def __init__(self, loss: PieceLoss, c: float, t: float, times: int) -> None:
        self.loss, self.c = loss, c
        self.known = False
        nats = _NATS + math.log(times)
        about = loss.moments(c)[0]
        if not math.isfinite(about):
            return
        panels = loss.panels(c, t, about - nats, nats)
        if panels:
            self._fill(panels, loss._range(c, nats), t)

    def _fill(self, panels: list[Fraction], ends: tuple[arb, arb], t: float) -> None:
        loss, c = self.loss, self.c
        a, b, k = loss._g
        found = list(loss.atoms(arb(c)))
        low, high = ends
        length = high - low
        powers = loss.powers(c)
        nodes = _rule(ctx.prec)
        rule = arb(0)
        for first, last in itertools.pairwise(panels):
            m, h = low + length * ball((first + last) / 2), length * ball((last - first) / 2)
            for _, u in powers:
                _, rho = loss._log_error(float(m), float(h), float(u), t)
                rule += loss.error(m, h, u, t, rho)
            for node, weight in nodes:
                x = m + h * node
                log = (a + b * (k * x).exp()).log()
                base = loss._weight(x) * weight * h
                found.extend((sign * log, base * (u * log).exp()) for sign, u in powers)
        whole = sum((mass for _, mass in found), arb(0))
        self.error = ((rule + loss._left_out(c, high)) / whole).upper()
        self.known = bool(whole > 0) and bool(self.error < 1e-3)
        if not self.known:
            return
        off = arb(0, 1) * self.error * 2
        self.log_peak = (whole * (1 + off)).log()
        self.weights: Complexes = np.array(
            [float(mass / whole) for _, mass in found], dtype=complex
        )
        about: Reals = np.array([float(one) for one, _ in found])
        self.center = float(self.weights.real @ about)
        center = arb(self.center)
        self.losses: Reals = np.array([float(one - center) for one, _ in found])
        sharp = max(float((mass / whole).rad()) + float(one.rad()) for one, mass in found)
        self.known = sharp < 1e-25 and float(np.abs(self.losses).max()) * t < 2**24
        self.spread = float(self.weights.real @ np.abs(self.losses)) * (1 + 1e-9)

    def log_far(self, t: float) -> arb:
        """An upper bound of log |r(s)| for all s >= t."""
        return _decay(self.loss, self.c).bound(t)

    def excess(self, t: Reals) -> tuple[Complexes, Reals]:
        """M(c + it) e^(-it center) / M(c) - 1 for t = 0, h, 2h, ..., and the bounds of the errors."""
        excess = np.empty(t.size, dtype=np.complex128)
        _excess(self.weights, np.zeros(self.losses.size), self.losses, t, excess)
        error = U * (64 * np.minimum(t * self.spread, 2.0) + 4 * t * self.spread)
        return excess, (error + 4 * float(self.error) + 1e-290) * (1 + 1e-6)


@lru_cache(maxsize=64)
def _decay(loss: PieceLoss, c: float) -> Decay:
    return Decay(loss, c)


class Decay:
    """Bound of the fall of |M(c + it) / M(c)|.

    Probabilities, places and densities are bounded in balls and rounded outwards. The sum over pairs of cells adds at most
    2^15 products of five floats, none of them negative: it is off by less than 2^15 + 8 roundings, 2^-37 relative, for which
    `_SLACK` is enough. The bound itself is a ball; `log_far` is a proposal.
    """

    def __init__(self, loss: PieceLoss, c: float) -> None:
        peak = PieceNodes(loss, c, 0.0, 1)
        self.known = peak.known
        if not self.known:
            return
        whole = peak.log_peak.exp()
        places, masses = [], []
        self.atoms = arb(0)
        for place, mass in loss.atoms(arb(c)):
            self.atoms += (mass / whole).upper()
            places.append((place, place))
            masses.append(mass / whole)
        low, high = loss._range(c, _DEEP)
        edges = [low + (high - low) * arb(i * i) / _CELLS**2 for i in range(_CELLS + 1)]
        a, b, k = loss._g
        odds = [b * (k * x).exp() for x in edges]
        logs = [(a + one).log() for one in odds]
        weights = [loss._weight(x) for x in edges]
        densities = []
        for sign, u in loss.powers(c):
            sizes = [(u * log).exp() for log in logs]
            for i in range(_CELLS):
                least = sizes[i].min(sizes[i + 1]) * weights[i + 1]  # the weight falls
                masses.append(least * (edges[i + 1] - edges[i]) / whole)
                ends = (logs[i], logs[i + 1])
                places.append(ends if sign > 0 else (-ends[1], -ends[0]))
            sizes = [size * log.exp() for size, log in zip(sizes, logs, strict=True)]
            at = [w * size / (k * r) for w, size, r in zip(weights, sizes, odds, strict=True)]
            more = [weights[i] * sizes[i].max(sizes[i + 1]) / (k * odds[i]) for i in range(_CELLS)]
            densities.append((at, more))
        self.variation = (loss._variation(c, edges, densities) / whole).upper()
        first: Reals = np.array([round_down(one) for one, _ in places])
        last: Reals = np.array([round_up(one) for _, one in places])
        p: Reals = np.array([max(round_down(mass), 0.0) for mass in masses])
        self.known = bool(np.isfinite(first).all() and np.isfinite(last).all())
        if not self.known:
            return
        gap = np.maximum(first[:, None] - last[None, :], first[None, :] - last[:, None])
        weighted = p[:, None] * p[None, :] * np.maximum(gap, 0.0) ** 2
        size = np.maximum(np.abs(first), np.abs(last))
        largest = float(size.max())
        self.scales = []
        for j in range(_SCALES):
            x = largest * _FINER**j
            inside = size <= x
            total = float(weighted[np.ix_(inside, inside)].sum())
            self.scales.append((math.pi / (2 * x) * (1 - _SLACK), total * (1 - _SLACK)))
        self._shares = float(self.atoms), float(self.variation)

    def log_far(self, t: float) -> float:
        """About the log of a bound for all s >= t."""
        if not self.known:
            return 0.0
        worst, start = 0.0, t
        atoms, variation = self._shares
        for end, total in self.scales:
            if start >= end:
                continue
            near = math.sqrt(max(1 - 2 / math.pi**2 * start * start * total, 0.0))
            worst = max(worst, min(near, atoms + variation / start))
            start = end
        worst = max(worst, atoms + variation / start)
        return min(math.log(max(worst, 1e-300)), 0.0)

    def bound(self, t: float) -> arb:
        """An upper bound of the log of the modulus for all s >= t."""
        if not self.known:
            return arb(0)
        worst, start = arb(0), t
        for end, total in self.scales:
            if start >= end:
                continue
            near = (1 - 2 * (arb(start) / arb.pi()) ** 2 * arb(total)).max(arb(0)).sqrt()
            worst = worst.max(near.min(self._far(start)))
            start = end
        worst = worst.max(self._far(start)).upper().min(arb(1))
        return worst.log() if worst > 0 else arb(-700)

    def _far(self, t: float) -> arb:
        return self.atoms + self.variation / arb(t) if t > 0 else arb(1)


@dataclass(frozen=True)
class SampledLaplace(PieceLoss):
    """The loss of one release of Laplace noise on a Poisson sample, in one direction.

    Attributes
    ----------
    rate : Fraction
        In (0, 1).
    loss : Fraction
        sensitivity / scale, > 0.
    direction : {"remove", "add"}
    """

    rate: Fraction
    loss: Fraction
    direction: str

    @cached_property
    def _g(self) -> tuple[arb, arb, arb]:
        return ball(1 - self.rate), ball(self.rate) * (-ball(self.loss)).exp(), arb(2)

    def _ends(self) -> tuple[arb, arb]:
        """Log g where the noise loses its least and its most."""
        q, e = ball(self.rate), ball(self.loss)
        return (1 - q + q * (-e).exp()).log(), (1 - q + q * e.exp()).log()

    @property
    def most(self) -> arb:
        """The largest loss."""
        low, high = self._ends()
        return high if self.direction == REMOVE else -low

    def branches(self, c: float) -> list[tuple[int, float]]:
        """The sign of the loss, and the power of g."""
        return [(1, c + 1)] if self.direction == REMOVE else [(-1, -c)]

    def atoms(self, c: arb) -> list[tuple[arb, arb]]:
        u, sign = (c + 1, 1) if self.direction == REMOVE else (-c, -1)
        low, high = self._ends()
        e = ball(self.loss)
        return [(sign * low, (u * low).exp() / 2), (sign * high, (u * high - e).exp() / 2)]

    def _range(self, c: float, nats: float) -> tuple[arb, arb]:
        return arb(0), ball(self.loss)

    def _log_weight(self, x: Reals) -> Reals:
        return -x - math.log(2)

    def _weight(self, x: arb) -> arb:
        return (-x).exp() / 2

    def _log_most(self, m: float, wide: float, high: float) -> float:
        return wide - m - math.log(2)

    def _most(self, m: arb, wide: arb, high: arb) -> arb:
        return (wide - m).exp() / 2

    def _left_out(self, c: float, high: arb) -> arb:
        return arb(0)

    def _variation(
        self, c: float, edges: list[arb], densities: list[tuple[list[arb], list[arb]]]
    ) -> arb:
        [(at, _)] = densities
        return 2 * (at[0] + at[-1])

    def one(self, epsilon: arb) -> arb:
        """Delta of one release at an epsilon >= 0, by the divergence of the noise itself."""
        q, e, factor = ball(self.rate), ball(self.loss), epsilon.exp()
        if self.direction == REMOVE:
            whole, share = 1 + (factor - 1) / q, q
        else:
            left = 1 - (1 - q) * factor
            if left <= 0:
                return arb(0)
            if not left > 0:
                return arb(0).union(q)
            whole = q * factor / left
            share = q / (q + (1 - q) * whole)
        gain = 1 - ((whole.log() - e) / 2).exp()
        return share * gain.max(arb(0))


@dataclass(frozen=True)
class WithoutReplacementNormal(PieceLoss):
    """The loss of the pair of one release of normal noise on a sample without replacement, the same in both directions.

    Attributes
    ----------
    rate : Fraction
        In (0, 1).
    mu_squared : Fraction
        (sensitivity / standard deviation)^2, > 0, where one record replaces another.
    """

    rate: Fraction
    mu_squared: Fraction

    @cached_property
    def _whole(self) -> SampledNormal:
        """The loss of a Poisson sample with the same rate, which the positive losses are."""
        return SampledNormal(self.rate, self.mu_squared, REMOVE)

    @cached_property
    def _g(self) -> tuple[arb, arb, arb]:
        v = ball(self.mu_squared)
        return ball(1 - self.rate), ball(self.rate) * (-v / 2).exp(), v.sqrt()

    @property
    def most(self) -> None:
        """There is no largest loss."""
        return

    def branches(self, c: float) -> list[tuple[int, float]]:
        """The sign of the loss, and the power of g, of each branch."""
        return [(1, c + 1), (-1, -c)]

    def atoms(self, c: arb) -> list[tuple[arb, arb]]:
        below = (ball(self.mu_squared).sqrt() / 2 / arb(2).sqrt()).erfc() / 2
        return [(arb(0), ball(1 - self.rate) * (1 - 2 * below))]

    def _range(self, c: float, nats: float) -> tuple[arb, arb]:
        start = ball(self.mu_squared).sqrt() / 2
        mu = math.sqrt(self.mu_squared)
        center = (c + 1) * mu
        peak = self._whole._peak(c + 1)[2]  # M(c) is at least about a half of it
        far = math.sqrt(2 * max(c * center * mu / 2 - min(peak, 1e300) + nats, nats))
        return start, start + arb(math.ceil(max(center - mu / 2, 0.0) + far + 1))

    def _log_weight(self, x: Reals) -> Reals:
        return -x * x / 2 - 0.5 * math.log(2 * math.pi)

    def _weight(self, x: arb) -> arb:
        return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()

    def _log_most(self, m: float, wide: float, high: float) -> float:
        near = max(m - wide, 0.0)
        return (high * high - near * near) / 2 - 0.5 * math.log(2 * math.pi)

    def _most(self, m: arb, wide: arb, high: arb) -> arb:
        near = (m - wide).max(arb(0))
        return ((high * high - near * near) / 2).exp() / (2 * arb.pi()).sqrt()

    def _left_out(self, c: float, high: arb) -> arb:
        at, v = arb(c), ball(self.mu_squared)
        root = arb(2).sqrt()
        tilted = ((high - (at + 1) * v.sqrt()) / root).erfc() / 2
        return (at * (at + 1) * v / 2).exp() * tilted + (high / root).erfc() / 2

    def _variation(
        self, c: float, edges: list[arb], densities: list[tuple[list[arb], list[arb]]]
    ) -> arb:
        v, q, above, end = ball(self.mu_squared), ball(self.rate), arb(c) + 1, edges[-1]
        mu = v.sqrt()
        if not end > above * mu:  # f falls from there on
            return arb.pos_inf()
        beyond = self._weight(end) / (mu * q)
        tails = (beyond * (above * (mu * end - v / 2)).exp(), beyond)
        a, b, k = self._g
        odds = [(b * (k * x).exp()) for x in edges]
        shares = [one / (a + one) for one in odds]  # b e^(kx) / g
        total = arb(0)
        for (_, u), (at, more), tail in zip(self.powers(c), densities, tails, strict=True):
            slopes = [(u + 1) * mu * share for share in shares]
            i = 0
            while i < len(more) and slopes[i].max(slopes[i + 1]) < edges[i] + mu:
                i += 1
            top = tail
            for one in more[i:]:
                top = top.max(one)
            total += 2 * at[0] + 4 * top
        return total


class OneClosed:
    """Delta of one release of Laplace noise on a Poisson sample, or of a bounded range."""

    method = "closed form in balls"

    def __init__(self, loss: SampledLaplace | RangeLoss, slope: float = -1.0) -> None:
        self.loss, self.slope = loss, slope

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds delta at an epsilon >= 0."""
        return self.loss.one(epsilon)
