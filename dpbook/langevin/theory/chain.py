"""The exact distribution of the chain on two neighbouring datasets, at any step, and when to stop it.

The plain data are n copies of one record, the odd data halve one of them (eq. 7). A step multiplies
the state, adds a drift and noise: the distribution is normal, and its moments are geometric sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, ctx, fmpq
from numpy.typing import ArrayLike, NDArray
from sympy import log

from dpbook.engine.evaluate.public import compiled
from dpbook.engine.language.card import Described
from dpbook.engine.language.domain import DomainError
from dpbook.langevin import kernels, notation
from dpbook.langevin.theory.evaluation import enclosed, evaluated
from dpbook.langevin.theory.numbers import Numbers
from dpbook.privacy.reading import count
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST = 10**15  # steps and records: integers that doubles hold
LEAST_FACTOR, MOST_FACTOR = 1e-260, 1e260  # constants between leave room for their products
MOST_BITS = 1 << 16
SMALLEST, LARGEST = 2.0**-1074, float(np.finfo(float).max)
MOST_DIGITS = 4000


@dataclass(frozen=True, eq=False)
class ChainDistribution(Described):
    """Distribution of the chain on two neighbouring datasets.

    On the plain data it is normal. On the odd data it is normal for each position of the odd
    record; over a random position it is their mixture.

    Attributes
    ----------
    n : int
        Steps of an epoch.
    step, position : int or array
        As they were asked for.
    mean, variance : float or array
        On the plain data, of the shape of `step`.
    odd_mean, odd_variance : float or array
        On the odd data, of the shape of `step` followed by that of `position`.
    gap : float or array
        ``mean - odd_mean``, of the same shape. It keeps digits that the difference would lose.
    """

    n: int
    step: Any
    position: Any
    mean: Any
    variance: Any
    odd_mean: Any
    odd_variance: Any
    gap: Any

    @property
    def _table(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Epochs, standard deviations, gaps and their ratios; the last two (steps, positions)."""
        sd = np.sqrt(np.ravel(self.variance))
        gap = np.reshape(self.gap, (sd.size, -1))
        return np.ravel(self.step) / self.n, sd, gap, gap / sd[:, None]

    @property
    def _of_positions(self) -> str:
        size = np.size(self.position)
        if size == 1:
            return f"the odd record at position {np.ravel(self.position)[0]} of {self.n}"
        return f"{size} positions of the odd record among {self.n}"

    def __repr__(self) -> str:
        epochs, _, gap, ratio = self._table
        when = f"step={np.ravel(self.step)[-1]}"
        if epochs.size > 1:
            when = f"{epochs.size} steps to {np.ravel(self.step)[-1]}"
        return (
            f"ChainDistribution(n={self.n}, {when}, mean={np.ravel(self.mean)[-1]:.6g}, "
            f"gap={gap[-1].mean():.6g}, gap/sd={ratio[-1].mean():.6g})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        epochs, sd, gap, ratio = self._table
        low, high = ratio.min(axis=1), ratio.max(axis=1)

        def said(i: int) -> str:
            spread = "" if low[i] == high[i] else f" (from {low[i]:.4g} to {high[i]:.4g})"
            return f"{gap[i].mean():.4g}, {ratio[i].mean():.4g} standard deviations{spread}"

        start = f"Distribution of the chain on two neighbours, {self._of_positions}"
        if epochs.size == 1:
            return (
                f"{start}, at epoch {epochs[0]:.4g}: mean {np.ravel(self.mean)[0]:.6g} and "
                f"standard deviation {sd[0]:.4g} on the plain data; with the odd record the mean "
                f"is less by {said(0)}."
            )
        top = int(ratio.mean(axis=1).argmax())
        return (
            f"{start}, from epoch {epochs[0]:.4g} to {epochs[-1]:.4g}: distance of the means beside "
            f"the standard deviation. The distance at the end is {said(-1)}; it is most at epoch "
            f"{epochs[top]:.4g}, {said(top)}. The standard deviation goes from {sd[0]:.4g} to "
            f"{sd[-1]:.4g}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw distance of the means and standard deviation; of one step, both densities."""
        ax = ax or figures.axes()
        epochs, sd, gap, _ = self._table
        if epochs.size == 1:
            return self._densities(ax, sd[0], gap[0])
        low, mean, high = (
            np.where(found > 0, found, np.nan)  # at the start the distance is 0
            for found in (gap.min(axis=1), gap.mean(axis=1), gap.max(axis=1))
        )
        ax.plot(epochs, mean, label="distance of the means")
        if gap.shape[1] > 1:
            ax.fill_between(epochs, low, high, alpha=0.35, linewidth=0, label="over the positions")
        ax.plot(epochs, sd, label="standard deviation")
        ax.set_yscale("log")
        ax.minorticks_off()  # dozens of them, slow to draw
        ax.set_xlabel("epoch")
        ax.set_ylabel("slope")
        ax.legend()
        return ax

    def _densities(self, ax: Axes, sd: float, gap: Floats) -> Axes:
        odd_sd = np.sqrt(np.ravel(self.odd_variance))
        at = np.linspace(min(-4 * sd, -(gap + 4 * odd_sd).max()), 4 * sd, 401)
        one = np.exp(-0.5 * (at / sd) ** 2) / sd
        odd = np.zeros_like(at)
        for shift, width in zip(gap, odd_sd, strict=True):
            odd += np.exp(-0.5 * ((at + shift) / width) ** 2) / width / gap.size
        for density, label in ((one, "plain data"), (odd, "one record halved")):
            ax.plot(at, density / math.sqrt(math.tau), label=label)
        ax.set_xlabel("slope, from its mean on the plain data")
        ax.set_ylabel("density")
        ax.legend()
        return ax


def distribution(
    setting: Numbers,
    step: ArrayLike,
    position: ArrayLike,
) -> ChainDistribution:
    """Exact distribution of the chain of section 4.2 at a step, on the two datasets of eq. 7.

    Parameters
    ----------
    setting : Numbers
    step : int or array of int
        How many steps were taken, 0 to 10**15.
    position : int or array of int
        Where in a cycle the odd record stands, 1 to n.

    Returns
    -------
    ChainDistribution
        Moments on the plain data of the shape of `step`; those on the odd data, and the gap, of the
        shape of `step` followed by that of `position`. Floats where both are single numbers.

    Raises
    ------
    ValueError
        A parameter outside its range; a chain that diverges beyond the doubles.

    Notes
    -----
    langevin:lemma-a.1.mean-r, langevin:lemma-a.1.variance-r and their continuation within an epoch,
    in time that does not depend on the step. Each number is right to about 1e-15, relative, at any
    step: none is a difference, and exponents are sums of two doubles. Where one step oversteps the
    mean (``alpha + n * x_h**2 * beta <= 1``), or a constant is near the ends of the doubles, the
    steps are composed in balls instead, 10 000 times slower. Numbers below the normal doubles
    (2.2e-308) have fewer digits, or are 0.

    Examples
    --------
    >>> from dpbook.langevin import FIGURE_1
    >>> FIGURE_1.distribution(33321551, position=1)
    ChainDistribution(n=1149019, step=33321551, mean=1.16501e+06, gap=0.000882633, gap/sd=1.3356)
    """
    n = count("n", setting.n, 2, MOST)
    steps = whole_numbers("step", step, 0, MOST)
    positions = whole_numbers("position", position, 1, n, f"n = {n}")
    mean, variance = np.empty(steps.size), np.empty(steps.size)
    gap, odd_variance = np.empty((2, steps.size, positions.size))
    flat, places = steps.ravel(), positions.ravel()
    chain = chain_constants(setting)
    if chain is not None:
        kernels.chain_distributions(chain, flat, places, mean, variance, gap, odd_variance)
        odd_mean = mean[:, None] - gap
    else:
        odd_mean = np.empty_like(gap)
        for i, j in np.ndindex(*gap.shape):
            mean[i], variance[i], odd_mean[i, j], odd_variance[i, j], gap[i, j] = _composed(
                setting, int(flat[i]), int(places[j])
            )
    shape = steps.shape + positions.shape
    return ChainDistribution(
        n,
        *(shaped(one, like.shape) for one, like in ((steps, steps), (positions, positions))),
        *(shaped(one, steps.shape) for one in (mean, variance)),
        *(shaped(one, shape) for one in (odd_mean, odd_variance, gap)),
    )


def whole_numbers(name: str, value: ArrayLike, least: int, most: int, said: str = "") -> Integers:
    """Return integers from `least` to `most` as an array.

    Raises
    ------
    ValueError
        A value that is no integer, or outside; nothing at all.
    """
    rule = f"{name} must be integers from {least} to {said or most}"
    try:
        given = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise ValueError(f"{rule}, got {value!r}") from None
    if given.size == 0:
        raise ValueError(f"{rule}, got none")
    if given.dtype.kind not in "iu":
        raise ValueError(f"{rule}, got {given.dtype.name} {given.ravel()[0]}")
    for worst in (given.min(), given.max()):
        if not least <= worst <= most:
            raise ValueError(f"{rule}, got {worst}")
    return given.astype(np.int64)


def shaped(values: NDArray[Any], shape: tuple[int, ...]) -> Any:
    """Return an array of a shape, read-only, or a number where the shape is ()."""
    if not shape:
        return values.item()
    out = values.reshape(shape)
    out.setflags(write=False)
    return out


@lru_cache(maxsize=64)
def chain_constants(setting: Numbers) -> kernels.Chain | None:
    """Return the constants of the closed form, rounded from balls; None where it does not serve.

    It serves where each step leaves the state on its side of the mean, lambda > 0.
    """
    values = setting.numbers
    if not evaluated(notation.rate, values) > 0:
        return None
    factors, logarithms = _expressions()
    found = {name: evaluated(factor, values) for name, factor in factors.items()}
    if not all(LEAST_FACTOR < one < MOST_FACTOR for one in (*found.values(), setting.alpha)):
        return None
    for name, logarithm in logarithms.items():
        found[name], found[f"{name}_low"] = _two_doubles(logarithm, values)
    return kernels.Chain(n=setting.n, log_epoch_rate=-found.pop("decay"), **found)


@lru_cache(maxsize=1)
def _expressions() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the positive constants, and those that are sums of two doubles, by their names."""
    rate, odd_rate, ratio = notation.rate, notation.odd_rate, notation.c
    mean_in_the_long_run: Any = notation.long_run
    long_run = mean_in_the_long_run()
    stationary = notation.eta / (1 - rate**2)
    factors = {
        "log_ratio": log(odd_rate / rate),
        "decay": -log(odd_rate) - (notation.n - 1) * log(rate),
        "long_run": long_run,
        "stationary": stationary,
        "kick": (odd_rate - rate) * (ratio - long_run),
        "spread": stationary * (odd_rate**2 - rate**2),
    }
    logarithms = {
        "log_rate": log(rate),
        "log_odd_rate": log(odd_rate),
        "log_long_run": log(long_run),
        "log_prior": -log(notation.alpha),
    }
    return factors, logarithms


def _two_doubles(expression: Any, values: dict[str, float]) -> tuple[float, float]:
    ball = enclosed(expression, values)
    high = float(ball)
    with ctx.workprec(200):
        return high, float(ball - arb(high))


# --- the distribution in balls: steps composed by squaring -------------------------------------------------

Step = tuple[arb, arb, arb]  # multiplier, shift of the mean, shift of the variance


def _after(*steps: Step) -> Step:
    """Take one step after the other."""
    multiplier, mean, variance = arb(1), arb(0), arb(0)
    for m, s, v in steps:
        multiplier, mean, variance = m * multiplier, m * mean + s, m * m * variance + v
    return multiplier, mean, variance


def _repeated(step: Step, times: int) -> Step:
    done: Step = (arb(1), arb(0), arb(0))
    while times:
        if times & 1:
            done = _after(done, step)
        step = _after(step, step)
        times >>= 1
    return done


def _composed(setting: Numbers, step: int, position: int) -> Sequence[float]:
    """Both means and variances and the gap, at a precision that settles them."""
    n = setting.n
    model = (setting.alpha, setting.beta, setting.x_h, setting.c)
    exact = [fmpq(*value.as_integer_ratio()) for value in model]
    prior, noise_precision, covariate, ratio = exact
    signal = n * covariate**2 * noise_precision
    eta = 2 / (prior + signal) ** 2
    epoch, at = divmod(step, n)
    bits = 128
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            plain, odd = (
                (arb(1 - eta / 2 * (prior + s)), arb(eta / 2 * s * ratio), arb(eta))
                for s in (signal, signal / 4)
            )
            before = (_repeated(plain, position - 1), odd)
            cycle = _after(*before, _repeated(plain, n - position))
            begun = (*before, _repeated(plain, at - position)) if at >= position else None
            odd_chain = _after(
                _repeated(cycle, epoch), *(begun if begun else (_repeated(plain, at),))
            )
            found: list[arb] = []
            for multiplier, mean, variance in (_repeated(plain, step), odd_chain):
                found += [mean, multiplier**2 / prior + variance]
            found.append(found[0] - found[2])
            if any(abs(one) > LARGEST for one in found):
                raise ValueError(
                    f"step must be smaller, got {step}: the distribution there is beyond the doubles. "
                    "The chain diverges where alpha + n * x_h**2 * beta < 1/2"
                )
            if all(one.rel_accuracy_bits() >= 60 or abs(one) < SMALLEST for one in found):
                return [float(one.mid()) for one in found]
        bits *= 2
    raise ArithmeticError(
        f"the distribution at step {step} could not be settled at {MOST_BITS} bits"
    )


# --- when to stop ---------------------------------------------------------------------------------


def balance_epoch(setting: Numbers) -> float:
    """Epoch at which the variances from the prior and from the noise balance: k-dot.

    Parameters
    ----------
    setting : Numbers
        Its c plays no part.

    Returns
    -------
    float
        Correctly rounded.

    Raises
    ------
    DomainError
        ``alpha + n * x_h**2 * beta <= 1``: the logarithm to the base lambda is not defined.

    Notes
    -----
    langevin:lemma-a.4.first.

    Examples
    --------
    >>> from dpbook.langevin import FIGURE_1
    >>> round(FIGURE_1.balance_epoch(), 4)
    27.2408
    """
    return float(_balance(setting, 50))


@dataclass(frozen=True)
class EpochDistribution:
    """Distribution of the chain after one epoch with half of the paper's learning rate; by `epoch_distribution`.

    Attributes
    ----------
    mean, variance : float
        On the plain data.
    gap, odd_variance : array of float
        The mean on the plain data less that with the odd record, and the variance there, for each
        position.
    """

    mean: float
    variance: float
    gap: Floats
    odd_variance: Floats


def epoch_distribution(setting: Numbers, position: ArrayLike) -> EpochDistribution:
    """Exact distribution after n steps at the learning rate of claim 4.2, on the two datasets of eq. 7.

    That is 1 / (alpha + n * x_h**2 * beta)**2, half of what section 4.2 and `Setting.distribution` take.

    Parameters
    ----------
    setting : Numbers
        alpha + n * x_h**2 * beta > 1.
    position : array of int
        Where in the cycle the odd record stands, 1 to n.

    Raises
    ------
    ValueError
        A parameter outside its range.

    Notes
    -----
    langevin:note-4.2-far and langevin:note-4.2-spread bound it; langevin:claim-4.2 takes it.
    """
    n, alpha, c = count("n", setting.n, 2, MOST), setting.alpha, setting.c
    signal = n * setting.x_h * setting.x_h * setting.beta
    total = alpha + signal
    places = np.atleast_1d(np.asarray(position, dtype=np.float64))
    if not ((places >= 1) & (places <= n)).all():
        raise ValueError(f"position must be from 1 to n = {n}, got {position!r:.60}")
    if not total > 1:
        raise ValueError(f"alpha + n * x_h**2 * beta must be > 1, got {total:g}")
    learning_rate = evaluated(notation.eta / 2, setting.numbers)
    slow = math.log1p(-1 / (2 * total))  # log of the factor of a step
    # noise that m steps leave: learning_rate (1 - a**(2 m)) / (1 - a**2)
    noise = learning_rate / -math.expm1(2 * slow)
    limit = signal / total * c

    def variance(steps: Any, before: Any) -> Any:
        kept = 2 * steps * slow
        return np.exp(kept) * before - noise * np.expm1(kept)

    excess = (
        3 * signal / (8 * total * total)
    )  # the factor of the odd record, less the factor of the rest
    earlier, later = places - 1, n - places
    # c less the mean before the odd record
    missing = c * (alpha / total + signal / total * np.exp(earlier * slow))
    odd = (math.exp(slow) + excess) ** 2 * variance(earlier, 1 / alpha) + learning_rate
    return EpochDistribution(
        -limit * math.expm1(n * slow),
        float(variance(n, 1 / alpha)),
        np.exp(later * slow) * excess * missing,
        variance(later, odd),
    )


def stopping_step(setting: Numbers) -> int:
    """Step T at which lemma A.6 stops the chain: one epoch after the balance epoch, rounded up.

    Parameters
    ----------
    setting : Numbers
        Its c plays no part.

    Returns
    -------
    int
        ``(ceil(k_dot) + 1) * n``, exactly: near an integer k-dot is computed to more digits.

    Raises
    ------
    DomainError
        ``alpha + n * x_h**2 * beta <= 1``: the logarithm to the base lambda is not defined.

    Notes
    -----
    langevin:lemma-a.6.

    Examples
    --------
    >>> from dpbook.langevin import FIGURE_1
    >>> FIGURE_1.stopping_step()
    33321551
    """
    digits = 50
    while digits <= MOST_DIGITS:
        ball = _balance(setting, digits)
        with ctx.workprec(4 * digits):
            rounded = ball.ceil().unique_fmpz()
        if rounded is not None:
            return (int(rounded) + 1) * setting.n
        digits *= 4
    raise ArithmeticError(f"the balance epoch is an integer to {MOST_DIGITS} digits")


def _balance(setting: Numbers, digits: int) -> arb:
    symbols = (notation.n, notation.alpha, notation.beta, notation.x_h)
    values = (setting.n, setting.alpha, setting.beta, setting.x_h)
    if not _compiled(notation.rate, symbols, 50)(*values) > 0:
        whole = setting.alpha + setting.n * setting.x_h**2 * setting.beta
        raise DomainError(
            f"langevin:lemma-a.4.first needs alpha + n * x_h**2 * beta > 1, got {whole:.6g}: its logarithm "
            "is to the base lambda = 1 - 1 / (alpha + n * x_h**2 * beta)"
        )
    return _compiled(notation.balance, symbols, digits)(*values)


@lru_cache(maxsize=8)
def _compiled(expression: Any, symbols: Any, digits: int) -> Any:
    return compiled(expression, *symbols, digits=digits)
