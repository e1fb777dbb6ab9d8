"""Compute how often algorithm 1 releases a draw on records of one ratio, and the loss of a release.

There V and W are everything or nothing, and a run is four draws of Laplace noise. Given the noise of
both counts and of W the noisy centre has to lie in an interval, whose probability is elementary.
The other three are integrated, each from kink to kink; the noise of line 6 hardly matters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial.laguerre import laggauss
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray
from scipy.special import log_ndtr
from sympy import Expr

from dpbook.engine.language.card import Described
from dpbook.engine.language.domain import DomainError
from dpbook.engine.language.statement import unfold_definitions
from dpbook.langevin import kernels, notation
from dpbook.langevin.mechanisms import OneRatio, ProposeTestSample
from dpbook.langevin.theory.evaluation import evaluated
from dpbook.privacy.distributions import Normal
from dpbook.privacy.profiles import Profile, profile
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

REACH = 45.0  # noise beyond, in units of its scale, has probability 3e-20
STEPS = np.array([2.0, 8.0, 20.0, REACH])  # ends of panels on either side of a kink
ORDER, COARSE = 12, 8  # nodes a panel; the difference is part of the stated error
ROUNDING = 2e-14  # of the logarithm of n_min, in doubles


# --- the probability ------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReleaseProbability(Described):
    """Probability that algorithm 1 releases a draw on records of one ratio.

    Attributes
    ----------
    value : float
    error : float
        Difference of two quadratures, and of two roundings of n_min.
    """

    value: float
    error: float

    def __repr__(self) -> str:
        return f"ReleaseProbability({self.value:.6g}, error={self.error:.1g})"

    def describe(self) -> str:
        """Return the words for it."""
        return f"A draw is released with probability {self.value:.6g}, up to {self.error:.1g}."


def release_probability(mechanism: ProposeTestSample, dataset: OneRatio) -> ReleaseProbability:
    """Probability that algorithm 1 releases a draw on records of one ratio, by integration.

    Parameters
    ----------
    mechanism : ProposeTestSample
    dataset : OneRatio
        A halved record changes nothing: its ratio is that of the others.

    Returns
    -------
    ReleaseProbability

    Raises
    ------
    DomainError
        A halved record that would be clipped.

    Notes
    -----
    langevin:claim-c.1 bounds it from below by 1 - 5 delta, for more records than can be simulated.

    Examples
    --------
    >>> from dpbook.langevin import OneRatio, ProposeTestSample
    >>> mechanism = ProposeTestSample(
    ...     epsilon=5, delta=0.05, alpha=1, beta=3.3, x_l=0.5, x_h=1, rho_1=1.15, rho_2=0.29, gamma_1=0.3
    ... )
    >>> round(release_probability(mechanism, OneRatio(200_000, 200_000**1.1)).value, 3)
    0.968
    """
    mechanism.fits(dataset)
    entries = mechanism.least_in_logs(dataset.n)

    def integral(order: int, off: float = 0.0) -> float:
        moved = entries + np.array([[off], [0.0], [0.0]])
        return _Integral(mechanism, dataset, moved, order).value()

    value = integral(ORDER)
    rounding = integral(COARSE, -ROUNDING) - integral(COARSE, ROUNDING)
    error = abs(value - integral(COARSE)) + abs(rounding) + 4 * math.exp(-REACH) + 1e-14
    return ReleaseProbability(min(1.0, max(0.0, value)), error)


def _laplace_cdf(x: Floats) -> Floats:
    tail = 0.5 * np.exp(-np.abs(x))
    return np.where(x < 0, tail, 1 - tail)


def _panels(ends: Floats, order: int) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes between neighbouring ends, and weights with the density of the noise.

    `ends` has the shape (..., panels + 1), the results (..., panels * order).
    """
    nodes, weights = leggauss(order)
    low, high = ends[..., :-1, None], ends[..., 1:, None]
    at = (low + high) / 2 + (high - low) / 2 * nodes
    weight = (high - low) / 2 * weights * 0.5 * np.exp(-np.abs(at))
    shape = (*ends.shape[:-1], -1)
    return at.reshape(shape), weight.reshape(shape)


class _Integral:
    """The probability by one quadrature; noise is in units of 1 / epsilon."""

    def __init__(
        self, mechanism: ProposeTestSample, dataset: OneRatio, entries: Floats, order: int
    ) -> None:
        self.mechanism, self.ratio, self.order = mechanism, float(dataset.ratio), order
        self.middle = dataset.n - mechanism.margin
        constants, on_centre, on_n_2 = entries
        self.growing = on_centre > 1e-9
        self.constants, self.powers = constants[self.growing], on_centre[self.growing]
        self.fixed, self.on_n_2 = constants[~self.growing], on_n_2[~self.growing]

    def value(self) -> float:
        """Integrate over the noise of line 6."""
        start = self._noise(np.array(self.ratio ** (1 / self.mechanism.rho_1))).item()
        # the integrand hardly depends on this noise: a few nodes for each exponential
        nodes, weights = laggauss(self.order // 4)
        above = max(start, 0.0)
        at, weight = [above + nodes], [0.5 * math.exp(-above) * weights]
        if start < -REACH:
            at, weight = [*at, -nodes], [*weight, 0.5 * weights]
        elif start < 0:
            low, gauss = _panels(np.array([start, 0.0]), self.order)
            at, weight = [*at, low], [*weight, gauss]
        pairs = zip(np.concatenate(at), np.concatenate(weight), strict=True)
        return math.fsum(w * self._over_n_2(float(self._count(noise))) for noise, w in pairs)

    def _count(self, noise: Floats | float) -> Floats:
        return np.asarray(self.middle + np.asarray(noise) / self.mechanism.epsilon)

    def _noise(self, count: Floats) -> Floats:
        return np.asarray((count - self.middle) * self.mechanism.epsilon)

    def _over_n_2(self, n_1: float) -> float:
        """Integrate over the noise of line 8."""
        start = max(self._noise(np.array(1.0)).item(), -REACH)
        kinks = [0.0, *STEPS, *-STEPS, start]
        for constant, power in zip(self.fixed, self.on_n_2, strict=True):
            if power > 0:  # where this entry takes over, and where it passes the middle
                others = np.max(self.fixed[self.on_n_2 == 0], initial=-np.inf)
                for log_least in (others, math.log(max(self.middle, 1.0))):
                    kinks.append(self._noise(np.exp((log_least - constant) / power)).item())
        ends = np.unique(np.clip(kinks, start, max(REACH, start + REACH)))
        at, weight = _panels(ends, self.order)
        n_2 = self._count(at)
        kept = n_2 > 1
        return float(np.sum(weight[kept] * self._over_n_w(n_1, n_2[kept])))

    def _over_n_w(self, n_1: float, n_2: Floats) -> Floats:
        """Integrate over the noise of line 15, for each n_2."""
        rule = self.mechanism
        squares = rule.x_l**2, rule.x_h**2
        spread = kernels.centre_sensitivity(n_1, n_2, rule.rho_1, *squares) / rule.epsilon
        radius = n_2**rule.rho_2
        below = np.minimum(radius, self.ratio)  # the centre has to stay above 0
        fixed = self.fixed[:, None] + self.on_n_2[:, None] * np.log(n_2)
        least = self._noise(np.exp(fixed.max(axis=0)))
        edges = [self.ratio - below, np.full_like(n_2, self.ratio), self.ratio + radius]
        for i in range(self.powers.size):  # where one power of the centre overtakes another
            for j in range(i):
                gap = self.powers[i] - self.powers[j]
                if abs(gap) > 1e-9:
                    logarithm = (self.constants[j] - self.constants[i]) / gap
                    edges.append(np.full_like(n_2, math.exp(min(logarithm, 700.0))))
        kinks = [self._noise(self._least_at(edge)) for edge in edges]
        low = np.maximum(least, -REACH)
        high = np.maximum(low, 0.0) + REACH
        fixed_ends = [np.full_like(n_2, noise) for noise in (0.0, *STEPS[:-1], *-STEPS[:-1])]
        ends = np.sort(np.clip(np.array([low, high, *kinks, *fixed_ends]), low, high).T, axis=1)
        at, weight = _panels(ends, self.order)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(np.maximum(self._count(at), 0.0))[..., None]
            room = self.ratio * np.expm1(
                np.min((logs - self.constants) / self.powers, axis=-1) - math.log(self.ratio)
            )
        top = np.minimum(room, radius[:, None]) / spread[:, None]
        inside = _laplace_cdf(top) - _laplace_cdf(-below / spread)[:, None]
        return np.asarray(np.sum(weight * np.maximum(inside, 0.0), axis=1))

    def _least_at(self, centre: Floats) -> Floats:
        """Return the least n_w for a centre."""
        with np.errstate(divide="ignore"):
            logs = self.constants + self.powers * np.log(np.maximum(centre, 0.0))[..., None]
        return np.asarray(np.exp(np.minimum(logs.max(axis=-1), 700.0)))


# --- what a release tells -------------------------------------------------------------------------


@dataclass(frozen=True)
class ReleaseLoss:
    """Hold the loss of a release about one halved record, beside the guarantee of algorithm 1.

    Attributes
    ----------
    mechanism : ProposeTestSample
    n : int
    ratio : float
    release : ReleaseProbability
        The same on both datasets.
    log_plain, log_odd : float
        Logarithms of the probabilities that the release exceeds the mean of the draw on the plain
        records, there and with one record halved; of the latter an upper bound.
    profile : Profile
        Of the draw's distribution on the plain records over that with one halved, in standard deviations.
    """

    mechanism: ProposeTestSample
    n: int
    ratio: float
    release: ReleaseProbability
    log_plain: float
    log_odd: float
    profile: Profile = field(repr=False, compare=False)

    @property
    def guarantee(self) -> tuple[float, float]:
        """The (5 epsilon, 2 delta) of claim 4.1."""
        return 5 * self.mechanism.epsilon, 2 * self.mechanism.delta

    @property
    def half_line(self) -> float:
        """Epsilon that the half-line above the mean shows, at least; 0.0 where it shows nothing."""
        excess = math.exp(self.log_plain) - self.guarantee[1]
        return 0.0 if excess <= 0 else max(0.0, math.log(excess) - self.log_odd)

    @cached_property
    def epsilon(self) -> float:
        """Smallest epsilon of the release on this pair at the delta of the guarantee, both ways."""
        granted = self.guarantee[1] / self.release.value if self.release.value else math.inf
        if granted >= 1:
            return 0.0
        return max(self.profile.epsilon(granted), self.profile.reverse.epsilon(granted))

    @property
    def broken(self) -> bool:
        """Say whether the pair breaks the guarantee."""
        return self.epsilon > self.guarantee[0]

    def _words(self) -> str:
        return "SGLD" if self.mechanism.sampler == "sgld" else "a posterior draw"

    def __repr__(self) -> str:
        return (
            f"ReleaseLoss({self._words()}, n={self.n}, ratio={self.ratio:g}, "
            f"release={self.release.value:.4g}, half_line={self.half_line:.4g}, "
            f"epsilon={self.epsilon:.4g}, guarantee=({self.guarantee[0]:g}, {self.guarantee[1]:g}))"
        )

    def _repr_html_(self) -> str:
        rows = (
            ("line 19", self._words()),
            ("probability of a release", f"{self.release.value:.4g}"),
            ("epsilon by the half-line", f"{self.half_line:.4g}"),
            ("epsilon, exactly", f"{self.epsilon:.4g}"),
            ("guarantee of claim 4.1", f"({self.guarantee[0]:g}, {self.guarantee[1]:g})"),
            ("the guarantee", "is broken" if self.broken else "holds on this pair"),
        )
        return figures.html_facts(rows)

    def describe(self) -> str:
        """Return the words for the picture."""
        said = "breaks" if self.broken else "keeps"
        return (
            f"Delta of one release against epsilon, on {self.n} records of the ratio "
            f"{self.ratio:.6g} and with one of them halved; line 19 is {self._words()}, reached with "
            f"probability {self.release.value:.4g}. At delta {self.guarantee[1]:g} epsilon is "
            f"{self.epsilon:.4g}, and the half-line above the mean alone shows {self.half_line:.4g}. "
            f"That {said} the guarantee ({self.guarantee[0]:g}, {self.guarantee[1]:g})."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw delta over epsilon, and the guarantee."""
        ax = ax or figures.axes()
        allowed, delta = self.guarantee
        at = np.linspace(0, 1.5 * max(allowed, self.epsilon), 121)
        both = [max(self.profile.delta(e), self.profile.reverse.delta(e)) for e in at.tolist()]
        ax.plot(at, self.release.value * np.array(both), label=f"release of {self._words()}")
        ax.plot([allowed], [delta], "s", color="#8c4a00", label="guarantee of claim 4.1")
        ax.set_xlabel("epsilon")
        ax.set_ylabel("delta")
        ax.set_ylim(bottom=0)
        ax.legend()
        return ax


@lru_cache(maxsize=1)
def _gap_of_means() -> Expr:
    """Posterior mean on records of one ratio less the mean with one record halved."""
    n, c, x_h = notation.n, notation.c, notation.x_h
    squares, half = (n - 1) * x_h**2, x_h / 2
    sums = {notation.z: squares, notation.q: c * squares}
    plain = {notation.x_n: x_h, notation.y_n: c * x_h}
    odd = {notation.x_n_hat: half, notation.y_n_hat: c * half}
    return unfold_definitions(notation.mu - notation.mu_hat).xreplace({**sums, **plain, **odd})


def release_loss(mechanism: ProposeTestSample, n: int, ratio: float) -> ReleaseLoss:
    """Return the loss of a release of algorithm 1 about one halved record.

    Parameters
    ----------
    mechanism : ProposeTestSample
    n : int
        Number of records.
    ratio : float
        Ratio y / x of all of them, > 0.

    Returns
    -------
    ReleaseLoss

    Raises
    ------
    ValueError
        A number outside its range.
    DomainError
        x_l > x_h / 2: the halved record would be clipped. SGLD as printed in claim 4.2.

    Notes
    -----
    langevin:claim-4.1-corrected with a posterior draw, langevin:lemma-a.6 with SGLD. Null has the
    same probability on both datasets, so the release is as private as the draw, at a larger delta.

    Examples
    --------
    >>> from dpbook.langevin import ProposeTestSample
    >>> mechanism = ProposeTestSample(
    ...     epsilon=5, delta=0.05, alpha=1, beta=3.3, x_l=0.5, x_h=1, rho_1=1.15, rho_2=0.29, gamma_1=0.3
    ... )
    >>> found = release_loss(mechanism, 200_000, 200_000**1.1)
    >>> round(found.release.value, 3)
    0.968
    """
    if (mechanism.sampler, mechanism.version) == ("sgld", "printed"):
        raise DomainError(
            'langevin:lemma-a.6 needs the learning rate of section 4.2, got version="printed", which '
            'has half of it (claim 4.2); take version="corrected", or the mechanism\'s own draws'
        )
    plain, odd = OneRatio(n, ratio), OneRatio(n, ratio, odd=True)
    release = release_probability(mechanism, odd)
    if mechanism.sampler == "posterior":
        first, second = mechanism.posterior(plain), mechanism.posterior(odd)
        # not from the means themselves, which may agree in all the digits of a double
        values = {"alpha": mechanism.alpha, "beta": mechanism.beta, "x_h": mechanism.x_h}
        gap, width = evaluated(_gap_of_means(), {**values, "n": n, "c": ratio}), second.sd
        found = profile(Normal(0, 1), Normal(-gap / first.sd, width / first.sd))
    else:
        setting = mechanism.setting(plain)
        step = setting.stopping_step()
        distribution = setting.distribution(step, [1, n])
        # over the positions the gap is least for the first and the variance largest for the last
        gap, width = (
            float(np.min(distribution.gap)),
            math.sqrt(float(np.max(distribution.odd_variance))),
        )
        found = setting.step_profile(step)
    logarithm = math.log(release.value) if release.value else -math.inf
    return ReleaseLoss(
        mechanism,
        n,
        ratio,
        release,
        logarithm - math.log(2),
        logarithm + float(log_ndtr(-gap / width)),
        found,
    )
