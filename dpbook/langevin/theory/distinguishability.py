"""Exact privacy of a release of the chain's state on two neighbouring datasets.

On the plain data the chain's distribution is normal, on the odd data it is a mixture of normal distributions over the
position of the odd record: their hockey-stick divergences, at one step and over epochs.
"""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr

from dpbook.engine.language.domain import DomainError
from dpbook.langevin import kernels
from dpbook.langevin.theory.chain import (
    MOST,
    chain_constants,
    distribution,
    stopping_step,
)
from dpbook.langevin.theory.loss_floor import loss_floor
from dpbook.langevin.theory.numbers import Numbers
from dpbook.langevin.theory.separation import curve_steps
from dpbook.privacy.distributions import Mixture, Normal
from dpbook.privacy.profiles import Profile, profile
from dpbook.privacy.reading import count, number
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EDGE = 60.0  # standard deviations; the mass beyond is below the smallest double
MOST_APART = 1e100  # standard deviations: squares stay within the doubles
MOST_APART_IN_PROFILE = 1e12
SAME = 1e-17  # standard deviations between means that a profile takes for one
MOST_NODES = 2_000_000  # of all steps together
ROUNDING = 1e-14  # of the masses that a divergence subtracts


# --- the exact distributions -------------------------------------------------------------------------------

Way = Literal["plain over odd", "odd over plain"]
WAYS: tuple[Way, Way] = ("plain over odd", "odd over plain")


@dataclass(frozen=True, eq=False)
class _OddDistributions:
    """Distributions on the odd data at some steps, in standard deviations on the plain data.

    `weights`, `shifts` (distances of the means) and `precisions` (plain variance over theirs) of
    the components have the shape (steps, nodes); `error` is the largest distance, in total
    variation, from a mixture over all positions.
    """

    weights: Floats
    shifts: Floats
    precisions: Floats
    error: float

    def log_half_line(self) -> Floats:
        """Return the logarithm of the mass above the mean of the plain distribution, which has half there."""
        return self._mixed(log_ndtr(-self.shifts * np.sqrt(self.precisions)))

    def divergence(self, way: Way, epsilon: ArrayLike) -> Floats:
        """Return the hockey-stick divergence at each step."""
        reach = EDGE / np.sqrt(self.precisions)
        low = np.minimum((-self.shifts - reach).min(axis=1), -EDGE)
        high = np.maximum((-self.shifts + reach).max(axis=1), EDGE)
        losses = np.full_like(low, epsilon)
        left, right = np.empty_like(low), np.empty_like(low)
        level = -losses if way == "plain over odd" else losses
        kernels.level_sets(
            self.weights, self.shifts, self.precisions, low, high, level, left, right
        )
        none = np.isnan(left) | np.isnan(right)
        left, right = np.where(none, 0.0, left), np.where(none, 0.0, right)
        with np.errstate(divide="ignore"):
            if (
                way == "plain over odd"
            ):  # the interval is where the plain distribution is the likelier
                first = _log_mass(left, right)
                second = self._mixed(_log_mass(self._scaled(left), self._scaled(right)))
            else:  # the odd distribution is, outside; what lies beyond the ends counts for neither
                left = np.where(left == low, -np.inf, left)
                right = np.where(right == high, np.inf, right)
                tails = (log_ndtr(self._scaled(left)), log_ndtr(-self._scaled(right)))
                first = np.logaddexp(*(self._mixed(tail) for tail in tails))
                second = np.logaddexp(log_ndtr(left), log_ndtr(-right))
            return np.maximum(np.exp(first) - np.exp(np.minimum(losses + second, 0.0)), 0.0)

    def _scaled(self, place: Floats) -> Floats:
        """Return places in the components' own standard deviations from their means."""
        return (place[:, None] + self.shifts) * np.sqrt(self.precisions)

    def _mixed(self, logs: Floats) -> Floats:
        """Return the logarithm of a mixture's mass from the logarithms of its components' masses."""
        top = np.maximum(logs.max(axis=1), -1e300)  # finite also where there is no mass
        total = np.sum(self.weights * np.exp(logs - top[:, None]), axis=1)
        return np.asarray(top + np.log(total))

    def at(self, place: int) -> _OddDistributions:
        """Return the distribution at one of the steps."""
        one = [place]
        return _OddDistributions(
            self.weights[one], self.shifts[one], self.precisions[one], self.error
        )

    def smallest_epsilon(self, delta: float) -> Floats:
        """Return the smallest epsilon >= 0 at which `delta` holds both ways, for each step."""
        found = []
        for way in WAYS:
            low = np.zeros(len(self.weights))
            high = np.where(self.divergence(way, low) > delta, 1.0, 0.0)
            while (over := self.divergence(way, high) > delta).any():
                low, high = np.where(over, high, low), np.where(over, 2 * high, high)
            while (high - low > 1e-15 * high).any():
                middle = 0.5 * (low + high)
                over = self.divergence(way, middle) > delta
                low, high = np.where(over, middle, low), np.where(over, high, middle)
            found.append(high)
        return np.maximum(*found)


def _log_mass(low: Floats, high: Floats) -> Floats:
    """Logarithm of the standard normal mass of intervals."""
    flip = low > 0
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    top = log_ndtr(high)
    return np.asarray(top + np.log1p(-np.exp(np.minimum(log_ndtr(low) - top, 0.0))))


def _odd_distributions(setting: Numbers, steps: Integers) -> _OddDistributions:
    """Return the distributions on the odd data by a quadrature rule over the positions."""
    chain = chain_constants(setting)
    if chain is None:
        raise ValueError(
            "alpha + n * x_h**2 * beta must be > 1, and no parameter near the ends of the doubles, "
            f"got {setting.alpha + setting.n * setting.x_h * setting.x_h * setting.beta:.6g}; "
            "Setting.distribution tells the distribution at each position"
        )
    variance = distribution(setting, steps, 1).variance
    # how far the means of the components are apart at most, in standard deviations
    with np.errstate(over="ignore"):
        apart = chain.kick / -math.expm1(chain.log_epoch_rate) / np.sqrt(variance)
    reach = np.minimum(apart, MOST_APART)  # larger distances are refused below
    width, far = kernels.WIDTH / (1 + reach), kernels.FAR + np.log1p(reach)
    size = kernels.most_nodes(chain, width.min(), far.max())
    if size * steps.size > MOST_NODES or not apart.max() < MOST_APART:
        raise ValueError(
            f"c must be smaller, got {setting.c:g}: the positions are up to {apart.max():.3g} "
            "standard deviations apart"
        )
    weights, gaps, variances = np.empty((3, steps.size, size))
    error = np.empty(steps.size)
    used = kernels.mixture_nodes(chain, steps, width, far, weights, gaps, variances, error)
    if used < 0:
        raise ArithmeticError(
            "the rule needs more nodes than foreseen; Setting.distribution tells each distribution"
        )
    return _OddDistributions(
        weights[:, :used].copy(),  # kernels are compiled for rows without holes
        gaps[:, :used] / np.sqrt(variance)[:, None],
        np.minimum(variance[:, None] / variances[:, :used], 1.0),
        float(error.max()),
    )


def step_profile(setting: Numbers, step: int) -> Profile:
    """Divergences of the chain's distribution at a step, on the plain data, over that on the odd data.

    Parameters
    ----------
    setting : Numbers
    step : int
        0 to 10**15.

    Returns
    -------
    Profile
        Of the standard normal distribution over a mixture: slopes are counted from the mean on the plain
        data, in its standard deviations, which changes no divergence. `reverse` is the other way.

    Raises
    ------
    ValueError
        A parameter outside its range; see `Setting.distinguishability`.

    Notes
    -----
    The mixture over all n positions is told by that over the nodes of a quadrature rule; the two
    differ by less than 1e-9 in total variation, of ordinary parameters by 1e-15.

    Examples
    --------
    >>> from dpbook.langevin import FIGURE_1
    >>> stop = FIGURE_1.step_profile(33321551)
    >>> round(stop.delta(1.6), 5), round(stop.reverse.delta(1.6), 5)
    (0.14427, 0.14427)
    """
    count("n", setting.n, 2, MOST)
    at = count("step", step, 0, MOST)
    distributions = _odd_distributions(setting, np.array([at]))
    shares, shifts, precisions = (
        distributions.weights[0],
        distributions.shifts[0],
        distributions.precisions[0],
    )
    if shifts.max() > MOST_APART_IN_PROFILE:
        raise ValueError(
            f"c must be smaller, got {setting.c:g}: the distributions are {shifts.max():.3g} standard "
            "deviations apart; distinguishability takes more"
        )
    shifts = np.where(shifts < SAME, 0.0, shifts)
    kept = shares > 0
    odd = Mixture(
        [
            Normal(-float(shift), float(precision) ** -0.5)
            for shift, precision in zip(shifts[kept], precisions[kept], strict=True)
        ],
        [float(share) for share in shares[kept]],
    )
    return profile(Normal(0, 1), odd)


# --- over epochs ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class AtStop:
    """Return the loss of the chain at its stopping step.

    Attributes
    ----------
    step : int
    delta : float
        Hockey-stick divergence at the epsilon of the guarantee, the larger of both ways.
    epsilon : float
        Smallest epsilon at the delta of the guarantee.
    half_line_delta, half_line_epsilon : float
        The same by the outputs above the mean alone, 0 where they show nothing.
    floor : float or None
        Epsilon of eq. 16 at that delta; None where lemma A.6 does not apply.
    """

    step: int
    delta: float
    epsilon: float
    half_line_delta: float
    half_line_epsilon: float
    floor: float | None


@dataclass(frozen=True, eq=False)
class Distinguishability:
    """Hockey-stick divergences of the chain's distributions on two neighbours over epochs.

    Attributes
    ----------
    n : int
        Steps of an epoch.
    epsilon, delta : float
        The guarantee that is tested.
    step : array of int, shape (s,)
    plain_over_odd, odd_over_plain : array of float, shape (s,)
        Divergences at `epsilon`.
    half_line : array of float, shape (s,)
        What of the first the outputs above the mean show, 0 where nothing.
    error : float
        No divergence is off by more.
    crossings : tuple of float
        Epochs at which the larger divergence crosses `delta`.
    at_stop : AtStop
    """

    n: int
    epsilon: float
    delta: float
    step: Integers
    plain_over_odd: Floats
    odd_over_plain: Floats
    half_line: Floats
    error: float
    crossings: tuple[float, ...]
    at_stop: AtStop

    @property
    def divergence(self) -> Floats:
        """The larger of both ways."""
        return np.maximum(self.plain_over_odd, self.odd_over_plain)

    @property
    def failing(self) -> tuple[int, ...]:
        """Epochs at whose ends the guarantee does not hold."""
        return self._ends(self.divergence)

    @property
    def half_line_failing(self) -> tuple[int, ...]:
        """Epochs at whose ends the outputs above the mean alone show that it does not."""
        return self._ends(self.half_line)

    def _ends(self, values: Floats) -> tuple[int, ...]:
        broken = (values > self.delta) & (self.step % self.n == 0)
        return tuple((self.step[broken] // self.n).tolist())

    def _rows(self) -> tuple[tuple[str, str, str], ...]:
        stop = self.at_stop
        floor = "does not apply" if stop.floor is None else f"{stop.floor:.4g}"
        return (
            ("exact", _spans(self.failing), f"{stop.epsilon:.4g}"),
            ("half-line alone", _spans(self.half_line_failing), f"{stop.half_line_epsilon:.4g}"),
            ("eq. 16", "", floor),
        )

    def __repr__(self) -> str:
        stop = self.at_stop
        floor = "" if stop.floor is None else f", floor={stop.floor:.4g}"
        return (
            f"Distinguishability(epsilon={self.epsilon:g}, delta={self.delta:g}, fails at epoch ends "
            f"{_spans(self.failing)}, by the half-line {_spans(self.half_line_failing)}; at "
            f"T={stop.step}: delta={stop.delta:.4g}, epsilon={stop.epsilon:.5g}{floor})"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{name}</th><td>{ends}</td><td>{html.escape(value)}</td></tr>"
            for name, ends, value in self._rows()
        )
        return (
            "<table><tr><th></th><th>epoch ends at which "
            f"({self.epsilon:g}, {self.delta:g})-DP fails</th><th>epsilon at step "
            f"{self.at_stop.step}, delta {self.delta:g}</th></tr>{rows}</table>"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        stop, values = self.at_stop, self.divergence
        top = int(values.argmax())
        where = ", ".join(f"{epoch:.5g}" for epoch in self.crossings) or "nowhere"
        floor = "does not apply" if stop.floor is None else f"gives epsilon >= {stop.floor:.4g}"
        if stop.floor is not None and stop.floor < 0:
            floor += ", which says nothing"
        return (
            f"Hockey-stick divergence at epsilon {self.epsilon:g} of the chain's distributions on two "
            f"neighbours of {self.n} records, over {self.step[-1] / self.n:.4g} epochs: at most "
            f"{values[top]:.4g}, at epoch {self.step[top] / self.n:.4g}. It crosses delta "
            f"{self.delta:g} at epoch {where}; the guarantee fails at epoch ends "
            f"{_spans(self.failing)}, and the half-line above the mean alone shows that at "
            f"{_spans(self.half_line_failing)}. At step T = {stop.step} delta is {stop.delta:.4g}, "
            f"and epsilon at delta {self.delta:g} is {stop.epsilon:.4g}; by the half-line "
            f"{stop.half_line_epsilon:.4g}; eq. 16 {floor}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the divergences over epochs, with the level of the guarantee."""
        ax = ax or figures.axes()
        epochs, lowest = self.step / self.n, self.delta / 100
        for values, label in (
            (self.plain_over_odd, "plain over odd"),
            (self.odd_over_plain, "odd over plain"),
            (self.half_line, "half-line above the mean"),
        ):
            ax.plot(epochs, np.where(values > lowest, values, np.nan), label=label)
        ax.axhline(self.delta, color="black", linewidth=0.9, label=f"delta {self.delta:g}")
        ax.axvline(self.at_stop.step / self.n, color="#767676", linestyle=":", label="T")
        ax.set_xlim(epochs[0], epochs[-1])
        ax.set_ylim(lowest, 1)
        ax.set_yscale("log")
        ax.minorticks_off()  # dozens of them, slow to draw
        ax.set_xlabel("epoch")
        ax.set_ylabel(f"delta at epsilon {self.epsilon:g}")
        ax.legend()
        return ax


def _spans(values: tuple[int, ...]) -> str:
    """Integers as runs: ``11 to 31``."""
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return ", ".join(f"{a} to {b}" if a < b else f"{a}" for a, b in runs) or "none"


def distinguishability(
    setting: Numbers,
    *,
    epsilon: float,
    delta: float,
    epochs: int = 60,
    points: int = 20,
) -> Distinguishability:
    """Say over epochs whether the chain's state is (epsilon, delta)-private on the neighbours of eq. 7.

    Parameters
    ----------
    setting : Numbers
    epsilon : float
        >= 0, in nats.
    delta : float
        In (0, 1/2).
    epochs, points : int
        How many epochs, and how many points in each, >= 1.

    Returns
    -------
    Distinguishability

    Raises
    ------
    ValueError
        A parameter outside its range; ``alpha + n * x_h**2 * beta <= 1``, where a step oversteps the
        mean; a c so large that positions of the odd record lie thousands of standard deviations
        apart.

    Notes
    -----
    The exact divergences of the normal distribution on the plain data and the mixture over all positions on
    the odd data. Every component is at least as wide as the plain distribution, so the ratio of the densities
    is log-convex: where it is below a level is one interval. The mixture is told by the nodes of the
    rule that `Setting.separation` uses, whose error in the densities is bounded in closed form.

    Beside them the half-line {theta > mean} of the proof of langevin:lemma-a.6, by which delta is at
    least 1/2 - exp(epsilon) * (its mass on the odd data), and the bound of eq. 16 (`Setting.loss_floor`).

    Examples
    --------
    >>> from dpbook.langevin import FIGURE_1
    >>> FIGURE_1.distinguishability(epsilon=1.6, delta=0.01)
    Distinguishability(epsilon=1.6, delta=0.01, fails at epoch ends 11 to 31, by the half-line 18 to 29; at T=33321551: delta=0.1443, epsilon=3.4288, floor=-0.7133)
    """
    count("n", setting.n, 2, MOST)
    epsilon, delta = number("epsilon", epsilon, ">= 0"), number("delta", delta, "> 0")
    if not delta < 0.5:
        raise ValueError(f"delta must be < 1/2, got {delta}")
    steps, stop = curve_steps(setting.n, epochs, points), stopping_step(setting)
    if stop > MOST:
        raise ValueError(
            f"the stopping step must be <= {MOST}, got 10^{math.log10(stop):.4g}: n and x_h**2 * beta "
            "must be smaller; step_profile tells one step"
        )
    distributions = _odd_distributions(setting, np.append(steps, stop))
    plain, odd = (distributions.divergence(way, epsilon) for way in WAYS)
    larger, above = np.maximum(plain, odd), distributions.log_half_line()
    half_line = 0.5 - np.exp(np.minimum(epsilon + above, 0.0))
    half_line_epsilon = math.log(0.5 - delta) - float(above[-1])
    try:
        floor = loss_floor(setting, delta=delta).value
    except DomainError:
        floor = None
    return Distinguishability(
        n=setting.n,
        epsilon=epsilon,
        delta=delta,
        step=steps,
        plain_over_odd=plain[:-1],
        odd_over_plain=odd[:-1],
        half_line=np.maximum(half_line[:-1], 0.0),
        error=min(math.exp(min(epsilon, 700.0)) * (distributions.error + ROUNDING), 1.0),
        crossings=_crossings(setting, steps, larger[:-1] > delta, epsilon, delta),
        at_stop=AtStop(
            step=stop,
            delta=float(larger[-1]),
            epsilon=float(distributions.at(-1).smallest_epsilon(delta)[0]),
            half_line_delta=max(float(half_line[-1]), 0.0),
            half_line_epsilon=max(half_line_epsilon, 0.0),
            floor=floor,
        ),
    )


def _crossings(
    setting: Numbers, steps: Integers, above: NDArray[np.bool_], epsilon: float, delta: float
) -> tuple[float, ...]:
    """Epochs of the first step on the other side, by bisection between neighbours of the curve."""
    place = np.flatnonzero(above[1:] != above[:-1])
    low, high = steps[place], steps[place + 1]
    while place.size and (high - low).max() > 1:
        middle = (low + high) // 2
        distributions = _odd_distributions(setting, middle)
        over = np.maximum(*(distributions.divergence(way, epsilon) for way in WAYS)) > delta
        same = over == above[place]
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return tuple((high / setting.n).tolist())
