r"""The privacy loss of normal noise on a Poisson sample, as a factor of a contour integral.

**The pair.** A record enters the sample with probability q. In standard deviations of the noise, with mu the
sensitivity, the output without the record is Q = N(0, 1), and with it P = (1 - q) N(0, 1) + q N(mu, 1). Let
g = dP/dQ = 1 - q + q e^(mu x - mu^2 / 2) and

    F(w) = int phi(x) g(x)^w dx.

To remove the record is the loss log g under P: M(z) = F(z + 1). To add it is the loss -log g under Q: M(z) = F(-z).

**The line in x.** With u the real part of w, the integrand is analytic where |Im x| < pi / mu, so x may run on
Im x = a, 0 <= a < pi / mu. There |g^(u + it)| = |g|^u e^(-t theta), theta = arg g >= 0: for each t >= 0

    |F(u + it)| <= B(t) = int |phi(x + ia)| |g(x + ia)|^u e^(-t theta(x)) dx,

which falls in t. So B(T) bounds |F| on all of [T, oo). (For "add" the conjugate of M has this form.)

**Trapezoidal rule** with the step h: for each y >= a with (y + a) mu < pi its error is at most

    [E(a + y) + E(y - a) e^(t mu (y - a))] / (e^(2 pi y / h) - 1),   E(v) >= int |phi(x + iv)| |g(x + iv)|^u dx,

as |arg g(x + iv)| <= mu |v|, and arg g has the sign of v. For u >= 0, |g(x + iv)| <= g(x) gives E(v) = e^(v^2 / 2) F(u). For
u < 0 write g = A + R, A = 1 - q, and keep mu v <= pi / 2. Then |g(x + iv)| >= A + R cos(mu v), which increases in x, so that a sum over
cells of the line, each with the value at its left end, is above the integral; F(u) >= 1 by Jensen's inequality. The rule for B has the same bound without the growth in t when y = a, and less than the
bound above when y > a: |B's integrand at x + iy| is a product of roots of g at x + i(a + y) and x + i(a - y).

With y = a nothing grows in t, so a large a needs few nodes. But |F(u + it)|^k needs B as sharp as a k-th part, and so
an a near that of the least B(T). Hence a sum in balls has one grid for its values and another one for what lies beyond T.

**Window.** The modulus is below phi g^u e^(a^2 / 2) (u >= 0), or phi (A + R cos(mu a))^u e^(a^2 / 2) (u < 0). Beyond an end where the logarithm
of that falls by at least `rate` per unit, all that is left out is at most a geometric sum. slope(x) = mu R / g increases to mu. For
u > 0 and x < u mu the right end has cells first, each with phi at its left and g at its right end.

**Rounding.** `_excess` computes D(t) = sum_j W_j (e^(i t X_j) - 1) with W_j = the weights over F(u), X_j = log g - center, in doubles
with + - * / only. Let u_0 = 2^-53. The nodes are m h = a columns h + b h: with A = e^(i a columns h X) - 1 and B = e^(i b h X) - 1 a term is
W A + (W + W A) B. For A and B let tau = t Im X, y = t Re X, s = tau + |y|. The inputs are rounded and multiplied: tau and y have the relative
error 3 u_0, which moves a term by at most 3 u_0 s. e^(-tau) - 1 has an error below 12 u_0 min(1, tau) (Horner
below 3/8, else the reduction by log 2 of `doubles`); sin y and cos y - 1 below 12 u_0 min(1, |y|): Taylor's polynomials after
a reduction by pi / 2 in three parts, exact to below 2 u_0 for |y| < 2^24. With their products and sums both parts of A and B are off by
15 u_0 min(2, s), A and B by 21.3 u_0 min(2, s). An error of A moves the term by no more, as |1 + B| <= 1, and one of B by no more. W A rounds by
3 u_0 |A|, W + W A and its product with B by 4 u_0 |B|, the sum and W by 2 u_0 |e^(itX) - 1|. As s of A and s of B are together s of the term, this is
less than 64 u_0 min(2, s) |W|. The sum is compensated: 2 u_0 |D| and a second-order term.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from flint import acb, arb
from numpy.typing import NDArray

from dpbook.privacy.accounting.enclosure import ball
from dpbook.privacy.accounting.power_sums import power_sums
from dpbook.privacy.compiling import njit

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]

_U = 2.0**-53
_STEP = 0.2  # of the grids that only propose
_DEEP = 50.0  # nats below the peak where they stop
_MOST_POINTS = 8_000
_MOST_ORDER = 2_000
_REACH = 13
_SHIFTS = (0.01, 0.03, 0.08, 0.2, 0.4, 0.7, 1.0, 1.5)
_EXTRA = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0)
REMOVE, ADD = "remove", "add"


@dataclass(frozen=True)
class SampledNormal:
    """The loss of one release of normal noise on a Poisson sample, in one direction.

    Attributes
    ----------
    rate : Fraction
        In (0, 1).
    mu_squared : Fraction
        (sensitivity / standard deviation)^2, > 0.
    direction : {"remove", "add"}
    """

    rate: Fraction
    mu_squared: Fraction
    direction: str

    def order(self, c: float) -> float:
        """The real part u of the exponent of g, on the line Re z = c."""
        return c + 1 if self.direction == REMOVE else -c

    @property
    def most(self) -> arb | None:
        """The largest loss, if there is one."""
        return None if self.direction == REMOVE else -ball(1 - self.rate).log()

    @cached_property
    def _mu(self) -> float:
        return math.sqrt(self.mu_squared)

    @cached_property
    def _log_odds(self) -> tuple[float, float]:
        q = float(self.rate)
        return math.log1p(-q), math.log(q) - float(self.mu_squared) / 2

    def _logs(self, x: Reals) -> Reals:
        low, high = self._log_odds
        return np.logaddexp(low, high + self._mu * x)

    def _window(self, u: float, deep: float) -> tuple[float, float]:
        """Return the interval where log(phi g^u) is within `deep` of its peak, about."""
        end = max(u, 0.0) * self._mu
        reach = math.sqrt(2 * deep) + 2
        coarse: Reals = np.linspace(-reach, end + reach, 400)
        for _ in range(2):
            values = -coarse * coarse / 2 + u * self._logs(coarse)
            inside = np.flatnonzero(values >= values.max() - deep)
            first, last = max(inside[0] - 1, 0), min(inside[-1] + 1, coarse.size - 1)
            if first == 0 and u < 0 and values[0] > values.max() - deep:
                coarse = np.linspace(2 * coarse[0], coarse[last], 400)
                continue
            break
        return float(coarse[first]), float(coarse[last])

    def _peak(self, u: float) -> tuple[Reals, Reals, float]:
        """Return points, log g there and normalised weights, and log F(u), for proposals."""
        low, high = self._window(u, _DEEP)
        step = max(_STEP, (high - low) / 4000)
        x = np.arange(low, high + step, step)
        logs = self._logs(x)
        exponents = -x * x / 2 + u * logs
        top = float(exponents.max())
        weights = np.exp(exponents - top)
        total = float(weights.sum())
        log = top + math.log(total * step / math.sqrt(2 * math.pi))
        return logs, weights / total, log

    def moments(self, c: float) -> tuple[float, float, float]:
        """K(c), K'(c) and K''(c), about."""
        logs, weights, value = self._peak(self.order(c))
        losses = logs if self.direction == REMOVE else -logs
        mean = float(weights @ losses)
        return value, mean, float(weights @ (losses - mean) ** 2)

    def cumulant(self, c: arb) -> arb:
        """K(c), in a ball."""
        grid = Grid.choose(self, float(c), 0.0, 1)
        if grid.known:
            return grid.log_peak
        return self._between_integers(c + 1) if self.direction == REMOVE else arb.pos_inf()

    def _between_integers(self, u: arb) -> arb:
        """Log E g^u over N(0, 1): a binomial sum at integers, and convex in u in between.

        At large orders g^u has two peaks, which are far apart, and no grid holds both.
        """
        below = math.floor(float(u.mid()))
        if not 2 <= below < _MOST_ORDER or not (u >= below and u <= below + 1):
            return arb.pos_inf()
        first = self._log_moment(below)
        if u == below:
            return first
        share, other = u - below, self._log_moment(below + 1)
        least = first + share * (first - self._log_moment(below - 1))
        return ((1 - share) * first + share * other).union(least)

    def _log_moment(self, u: int) -> arb:
        q, v = ball(self.rate), ball(self.mu_squared)
        stay, total = 1 - q, arb(0)
        for j in range(u + 1):
            total += math.comb(u, j) * stay ** (u - j) * q**j * (v * j * (j - 1) / 2).exp()
        return total.log()

    def far(self, c: float, t: float) -> tuple[float, float]:
        """About the least log of B(t) / F(u), and the shift a where it is had."""
        u, best = self.order(c), (0.0, 0.0)
        for shift, (logs, theta) in _shifted(self, u):
            exponents = logs - t * theta
            top = float(exponents.max())
            value = top + math.log(float(np.exp(exponents - top).sum()))
            if value < best[0]:
                best = value, shift
        return best

    def grid(self, c: float, t: float, times: int) -> Grid:
        """The nodes in x for the line Re z = c, up to t."""
        return Grid.choose(self, c, t, times)

    def sharp_grid(self, c: float, t: float, times: int, nats: float) -> Grid:
        """Return the nodes with smaller errors, without a bound of all beyond t."""
        return Grid.choose(self, c, t, times, nats, far=False)


@lru_cache(maxsize=64)
def _shifted(loss: SampledNormal, u: float) -> list[tuple[float, tuple[Reals, Reals]]]:
    """For some shifts a, log(phi |g|^u / F(u)) and arg g on Im x = a."""
    mu = loss._mu
    low, high = loss._window(u, _DEEP)
    step = max(_STEP, (high - low) / 4000)
    x: Reals = np.arange(low, high + step, step)
    real = -x * x / 2 + u * loss._logs(x)
    top = float(real.max())
    total = top + math.log(float(np.exp(real - top).sum()))
    first, second = loss._log_odds
    found = []
    most = min(1.5, (0.45 if u >= 0 else 0.24) * math.pi / mu)
    for shift in sorted({min(s, most) for s in _SHIFTS}):
        # 1 - q + R e^(i angle), scaled by the larger of the two
        larger = np.maximum(first, second + mu * x)
        one, other = np.exp(first - larger), np.exp(second + mu * x - larger)
        value = one + other * complex(math.cos(mu * shift), math.sin(mu * shift))
        logs = larger + np.log(np.abs(value))
        found.append((shift, (-x * x / 2 + shift * shift / 2 + u * logs - total, np.angle(value))))
    return found


class OneRelease:
    """Delta of one release in closed form: the loss passes epsilon at one point.

    Removed: g > e^x beyond a point; added: g < e^-x below one, if e^-x > 1 - q.
    """

    method = "closed form in balls"

    def __init__(self, loss: SampledNormal, slope: float = -1.0) -> None:
        self.loss, self.slope = loss, slope

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds delta."""
        q, mu = ball(self.loss.rate), ball(self.loss.mu_squared).sqrt()
        remove = self.loss.direction == REMOVE
        factor = epsilon.exp()
        moved = (factor if remove else 1 / factor) - 1 + q
        if moved <= 0:
            return arb(0)
        if not moved > 0:
            return arb.nan()
        at = (moved / q).log() / mu + mu / 2
        if remove:
            return (1 - q - factor) * _above(at) + q * _above(at - mu)
        return (1 - factor * (1 - q)) * _above(-at) - factor * q * _above(mu - at)


class TwoReleases:
    """Delta of two releases: the delta of the second at the loss of the first, integrated over the first output.

    With E over N(0, 1) and delta_1 the delta of one release at any epsilon, also below 0,

        removed: E g(y) delta_1(x - log g(y)),    added: E delta_1(x + log g(y)).

    Beyond an output `end` the second release passes epsilon whatever it is (removed), or never (added). Shortly before it the
    closed form of delta_1 takes the logarithm of a number near 0: there delta_1 is put between its ends.
    """

    method = "quadrature in balls"

    def __init__(self, loss: SampledNormal, slope: float = -1.0) -> None:
        self.loss, self.slope = loss, slope

    def delta(self, epsilon: arb) -> arb:
        """A ball that holds delta."""
        q, mu = ball(self.loss.rate), ball(self.loss.mu_squared).sqrt()
        remove = self.loss.direction == REMOVE
        factor = epsilon.exp()
        stay, small = 1 - q, arb(-50).exp()

        def output(ratio: arb) -> arb:
            return ((ratio - stay) / q).log() / mu + mu / 2

        def excess(y: acb, analytic: bool) -> acb:
            ratio = stay + q * (mu * y - mu * mu / 2).exp()
            left = factor / ratio if remove else 1 / (factor * ratio)
            at = ((left - stay) / q).log(analytic=analytic) / mu + mu / 2
            near, far = at / arb(2).sqrt(), (at - mu) / arb(2).sqrt()
            if remove:
                found = ratio * ((stay - left) * near.erfc() + q * far.erfc()) / 2
            else:
                found = ((1 - stay / left) * (-near).erfc() - q / left * (-far).erfc()) / 2
            return found * (-y * y / 2).exp() / arb(2 * arb.pi()).sqrt()

        last = factor / stay if remove else 1 / (factor * stay)
        if last <= stay:
            return arb(0)  # added: both losses are at most -log(1 - q)
        near_last = last / (1 + q * small / stay)
        if not near_last > stay:
            return arb.nan()
        end, start = output(last), arb(-13)
        stop, top = arb(output(near_last).mid()), arb((mu + 13).mid())
        # beyond both ends
        found = arb(0).union(2 * _above(arb(12.5)))
        if start < stop:
            upper = stop if stop < top else top
            ends = acb(start), acb(upper)
            found += acb.integral(excess, *ends, rel_tol=arb(2) ** -90, abs_tol=arb(2) ** -200).real
        # between `stop` and the end
        mass, shifted = _above(stop) - _above(end), _above(stop - mu) - _above(end - mu)
        ratio = stay + q * (mu * stop - mu * mu / 2).exp()
        rest = (factor / ratio if remove else 1 / (factor * ratio)) - stay
        if not rest > 0:
            return arb.nan()
        if remove:
            at = (rest / q).log() / mu + mu / 2
            least = q * _above(at - mu) - rest * _above(at)
            found += (stay * mass + q * shifted) * least.union(q)
            return found + (stay - factor) * _above(end) + q * _above(end - mu)
        return found + mass * arb(0).union(rest / (rest + stay))


def _above(x: arb) -> arb:
    """The mass of N(0, 1) beyond x."""
    return (x / arb(2).sqrt()).erfc() / 2


class Grid:
    """The weights and losses at the nodes in x, with the bounds of all errors relative to F(u)."""

    def __init__(
        self,
        loss: SampledNormal,
        c: float,
        t: float,
        shift: float,
        y: float,
        step: float,
        deep: float,
    ) -> None:
        self.loss, self.t = loss, t
        u = loss.order(c)
        low, high = loss._window(u, deep)
        exact = loss.direction == ADD or Fraction(u) == Fraction(c) + 1  # else of another order
        self.known = exact and (high - low) < (_MOST_POINTS - 2) * step
        if not self.known:
            return
        size = math.ceil((high - low) / step) + 1
        q, mu = ball(loss.rate), ball(loss.mu_squared).sqrt()
        h, order = arb(step), arb(u)
        start = acb(low, shift)
        half = ball(loss.mu_squared) / 2
        weights, logs = [], []
        total = acb(0)
        stay, log_scale = 1 - q, (h / (2 * arb.pi()).sqrt()).log()
        # g by a product: e^(mu (x + h)) = e^(mu x) e^(mu h)
        moved, ratio = q * (mu * start - half).exp(), (mu * h).exp()
        x = start
        for _ in range(size):
            log = (stay + moved).log()
            weight = (order * log - x * x / 2 + log_scale).exp()
            total += weight
            weights.append(weight)
            logs.append(log)
            moved *= ratio
            x += h
        whole = total.real
        self.error = (
            self._rule(u, shift, y, step)
            + self._ends(u, shift, low, low + (size - 1) * step, step, deep) / whole
        )
        self.known = bool(whole > 0) and bool(self.error < 1e-3)
        if not self.known:
            return
        self.log_peak = whole.log() + (1 + arb(0, 1) * self.error.upper()).log()
        inverse = 1 / whole
        scaled = [weight * inverse for weight in weights]
        self.in_balls = scaled, logs
        self.weights: Complexes = np.array([complex(float(w.real), float(w.imag)) for w in scaled])
        args: Reals = np.array([float(log.imag) for log in logs])
        rough: Reals = np.array([float(log.real) for log in logs])
        middle = float(np.real(self.weights @ rough))
        self.center = middle if loss.direction == REMOVE else -middle
        center = arb(middle)
        self.losses: Reals = np.array([float(log.real - center) for log in logs])
        self.args = args
        sharp = max(float(w.real.rad()) + float(w.imag.rad()) for w in scaled)
        sharp = max(sharp, max(float(log.real.rad()) + float(log.imag.rad()) for log in logs))
        self.known = sharp < 1e-25 and float(np.abs(self.losses).max()) * t < 2**24
        self.moduli: Reals = np.abs(self.weights)
        self.mass = float(self.moduli.sum()) * (1 + 1e-9)
        self.spread = float(self.moduli @ (args + np.abs(self.losses))) * (1 + 1e-9)
        self.size = size

    @staticmethod
    def choose(
        loss: SampledNormal,
        c: float,
        t: float,
        times: int,
        nats: float = 40.0,
        *,
        far: bool = True,
    ) -> Grid:
        """The grid with the widest step whose error is e^-nats / times, about.

        Without `far` its bound of all beyond t need not be sharp, and the line in x is free: then few nodes suffice.
        """
        u, mu = loss.order(c), loss._mu
        best = loss.far(c, t)[1] if t else 0.0
        shifts = (best,) if far else (best, *_SHIFTS)
        goal = nats + math.log(times)
        widest = 0.0, 0.0, 0.0
        for shift in shifts:
            for extra in _EXTRA:
                y = shift + extra
                if y <= 0 or (y + shift) * mu >= (0.95 if u >= 0 else 0.49) * math.pi:
                    continue
                loud = max(
                    _log_excess(loss, u, shift + y),
                    _log_excess(loss, u, extra) + t * mu * extra,
                )
                widest = max(widest, (2 * math.pi * y / (goal + loud + 1), shift, y))
        step, shift, y = widest
        fraction, exponent = math.frexp(min(step, 0.5))
        step = math.ldexp(math.floor(fraction * 2**20), exponent - 20)
        return Grid(loss, c, t, shift, y, step, goal + 4)

    def _rule(self, u: float, shift: float, y: float, step: float) -> arb:
        """The error of the trapezoidal rule, relative to F(u), for all |t| up to the last."""
        mu = ball(self.loss.mu_squared).sqrt()
        a, v, h = arb(shift), arb(y), arb(step)
        if not (a + v) * mu < arb.pi():
            return arb.pos_inf()
        both = self._excess(u, a + v) + self._excess(u, v - a) * (arb(self.t) * mu * (v - a)).exp()
        return both / ((2 * arb.pi() * v / h).exp() - 1)

    def _excess(self, u: float, v: arb) -> arb:
        """E(v) / F(u)."""
        loud = (v * v / 2).exp()
        if u >= 0 or v == 0:
            return loud
        mu, q = ball(self.loss.mu_squared).sqrt(), ball(self.loss.rate)
        tilt, order, stay = (mu * v).cos(), arb(u), 1 - q
        if not tilt >= 0:
            return arb.pos_inf()
        # Phi(-13) on the left; a cell has at most its width times its largest density
        total = stay**order * (-(arb(_REACH) ** 2) / 2).exp()
        for cell in range(-2 * _REACH, 2 * _REACH):
            x, near = arb(cell) / 2, arb(min(abs(cell), abs(cell + 1))) / 2
            moved = q * tilt * (mu * x - mu * mu / 2).exp()
            total += (stay + moved) ** order * (-near * near / 2).exp() / 2
        return loud * (total + stay**order * (-(arb(_REACH) ** 2) / 2).exp())

    def _ends(
        self, u: float, shift: float, low: float, high: float, step: float, deep: float
    ) -> arb:
        """Return a bound of the modulus of the part beyond the window; about e^-deep."""
        mu, q = ball(self.loss.mu_squared).sqrt(), ball(self.loss.rate)
        h, order = arb(step), arb(u)
        tilt = (mu * arb(shift)).cos() if u < 0 else arb(1)
        if not tilt >= 0:
            return arb.pos_inf()

        def moved(x: arb) -> arb:
            return q * tilt * (mu * x - mu * mu / 2).exp()

        def bound(x: arb, other: arb) -> arb:
            return (-x * x / 2 + order * (1 - q + moved(other)).log()).exp()

        left_out = arb(0)
        last = arb(high)
        if u > 0:
            # cells up to where the logarithm certainly falls
            end, width = u * self.loss._mu + 1, 0.25
            goal = bound(arb(0), arb(0)) * arb(-max(deep, 45.0)).exp()
            for _ in range(400):
                if last > end:
                    break
                there = last + arb(width)
                cell = bound(last, there) * (arb(width) + h)
                if cell > goal and width > 0.01:
                    width /= 2
                    continue
                left_out += cell
                last, width = there, 1.5 * width
                last = last.mid()
        for side, x in ((-1, arb(low)), (1, last)):
            slope = mu * moved(x) / (1 - q + moved(x))
            if side > 0:
                rate = x - order * mu if u > 0 else x
            else:
                rate = -x if u > 0 else -x + order * slope
            if not rate > 0:
                return arb.pos_inf()
            left_out += bound(x, x) * h / ((rate * h).exp() - 1)
        return left_out * (arb(shift) ** 2 / 2).exp() / (2 * arb.pi()).sqrt()

    def ratios(self, h: arb, rows: int, columns: int) -> list[acb]:
        """M(c + imh) / M(c) in balls, m = 0, 1, ..., rows * columns - 1."""
        scaled, logs = self.in_balls
        angles = [acb(-log.imag * h, log.real * h) for log in logs]
        sums = power_sums(scaled, angles, self.mass, rows, columns)
        # the sum over F(u) is off by `error`, as its peak is: together less than 4 times as much
        off = acb(arb(0, 1) * 4 * self.error.upper(), arb(0, 1) * 4 * self.error.upper())
        found = [one + off for one in sums]
        return [one.conjugate() for one in found] if self.loss.direction == ADD else found

    def log_far(self, t: float) -> arb:
        """Bound log(|M(c + is)| / M(c)) from above for all s >= t, if t is at most the t of the grid."""
        total = float(_falling(self.moduli, self.args, t)) * (1 + (self.size + 40) * _U)
        bound = (arb(total) + self.error) / (1 - self.error)
        return min(bound.upper(), arb(1)).log()

    def excess(self, t: Reals) -> tuple[Complexes, Reals]:
        """M(c + it) e^(-it center) / M(c) - 1 for t = 0, h, 2h, ..., and the bounds of the errors."""
        excess = np.empty(t.size, dtype=np.complex128)
        _excess(self.weights, self.args, self.losses, t, excess)
        error = _U * (64 * np.minimum(t * self.spread, 2 * self.mass) + 4 * t * self.spread)
        error += 4 * float(self.error.upper()) + 1e-290
        if self.loss.direction == ADD:
            excess = excess.conj()
        return excess, error * (1 + 1e-6)


def _log_excess(loss: SampledNormal, u: float, v: float) -> float:
    """About log(E(v) / F(u))."""
    if u >= 0 or v == 0:
        return v * v / 2
    tilt = math.cos(loss._mu * v)
    if loss._mu * v > 0.5 * math.pi:
        return math.inf
    first, second = loss._log_odds
    x: Reals = np.arange(-2 * _REACH, 2 * _REACH) / 2
    near = np.minimum(np.abs(x), np.abs(x + 0.5))
    logs = np.logaddexp(first, second + loss._mu * x + math.log(max(tilt, 1e-300)))
    exponents = u * logs - near * near / 2 - math.log(2)
    top = float(exponents.max())
    return v * v / 2 + top + math.log(float(np.exp(exponents - top).sum()))


_LN2_HIGH = float.fromhex("0x1.62e42fep-1")
_LN2_LOW = float.fromhex("0x1.f473de6af278fp-30")
_LOG2_E = 1 / math.log(2)
_HALF_PI = (  # of 29, 29 and 53 bits
    float.fromhex("0x1.921fb54p+0"),
    float.fromhex("0x1.10b4611p-30"),
    float.fromhex("0x1.4c4c6628b80dcp-59"),
)
_PER_QUARTER = 2 / math.pi
_EXP = tuple(1 / math.factorial(k) for k in range(16))
_INVERSE = tuple(1 / k for k in range(2, 16))
_SINE = tuple(1 / ((2 * j) * (2 * j + 1)) for j in range(1, 10))
_COSINE = tuple(1 / ((2 * j + 1) * (2 * j + 2)) for j in range(1, 10))
_HALVES = tuple(2.0**-n for n in range(60))


@njit(inner=True)
def _expm1_minus(tau: float) -> float:
    """e^-tau - 1 for tau >= 0."""
    if tau < 0.375:
        total = 1.0
        for k in range(13, -1, -1):
            total = 1.0 - tau * _INVERSE[k] * total
        return -tau * total
    if tau > 40.0:
        return -1.0
    n = math.floor(tau * _LOG2_E + 0.5)
    rest = (tau - n * _LN2_HIGH) - n * _LN2_LOW
    total = _EXP[15]
    for k in range(14, -1, -1):
        total = _EXP[k] - rest * total
    return total * _HALVES[int(n)] - 1.0


@njit(inner=True)
def _turn(y: float) -> tuple[float, float]:
    """Give cos y - 1 and sin y for |y| < 2^24."""
    k = math.floor(y * _PER_QUARTER + 0.5)
    r = ((y - k * _HALF_PI[0]) - k * _HALF_PI[1]) - k * _HALF_PI[2]
    square = r * r
    sine, cosine = 1.0, 1.0
    for j in range(8, -1, -1):
        sine = 1.0 - square * _SINE[j] * sine
        cosine = 1.0 - square * _COSINE[j] * cosine
    sine *= r
    cosine *= -0.5 * square
    quarter = int(k) % 4
    if quarter == 0:
        return cosine, sine
    if quarter == 1:
        return -sine - 1.0, 1.0 + cosine
    if quarter == 2:
        return -2.0 - cosine, -sine
    return sine - 1.0, -1.0 - cosine


@njit(cache=True)
def _excess(weights: Complexes, args: Reals, losses: Reals, t: Reals, found: Complexes) -> None:
    """Write the sum of weights (e^(it X) - 1), X = losses + i args, for t = 0, h, 2h, ..."""
    size, columns = args.size, int(math.sqrt(t.size)) + 1
    near_real, near_imag = np.empty((size, columns)), np.empty((size, columns))
    for j in range(size):
        for b in range(columns):
            near_real[j, b], near_imag[j, b] = _power_minus(t[b], args[j], losses[j])
    for first in range(0, t.size, columns):
        count = min(columns, t.size - first)
        real, imag = np.zeros(count), np.zeros(count)
        low_real, low_imag = np.zeros(count), np.zeros(count)
        for j in range(size):
            a, b = _power_minus(t[first], args[j], losses[j])
            weight = weights[j]
            # weight times (e^(i first X) - 1), which all have, and weight times e^(i first X)
            common_real = weight.real * a - weight.imag * b
            common_imag = weight.real * b + weight.imag * a
            turned_real, turned_imag = weight.real + common_real, weight.imag + common_imag
            row_real, row_imag = near_real[j], near_imag[j]
            for m in range(count):
                x, y = row_real[m], row_imag[m]
                term = common_real + (turned_real * x - turned_imag * y)
                before = real[m]
                after = before + term
                back = after - before
                low_real[m] += (before - (after - back)) + (term - back)
                real[m] = after
                term = common_imag + (turned_real * y + turned_imag * x)
                before = imag[m]
                after = before + term
                back = after - before
                low_imag[m] += (before - (after - back)) + (term - back)
                imag[m] = after
        for m in range(count):
            found[first + m] = complex(real[m] + low_real[m], imag[m] + low_imag[m])


@njit(inner=True)
def _power_minus(t: float, arg: float, loss: float) -> tuple[float, float]:
    """e^(it (loss + i arg)) - 1, for t arg >= 0."""
    less = _expm1_minus(t * arg)
    if less <= -1.0:
        return less, 0.0
    cosine, sine = _turn(t * loss)
    return less + (1.0 + less) * cosine, (1.0 + less) * sine


@njit(cache=True)
def _falling(moduli: Reals, args: Reals, t: float) -> float:
    """The sum of moduli e^(-t arg)."""
    total = 0.0
    for j in range(args.size):
        total += moduli[j] * (1.0 + _expm1_minus(t * args[j]))
    return total
