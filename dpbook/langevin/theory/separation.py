"""Distance of the chains on two neighbouring datasets: the curve of Figure 1.

The distance at a step is the average, over the positions of the odd record, of the squared gap of
the means in variances. It is summed over all positions, or found by quadrature over them with a
bound of the error.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpbook.engine.language.card import Described
from dpbook.langevin import kernels
from dpbook.langevin.theory.chain import (
    MOST,
    chain_constants,
    distribution,
    shaped,
    stopping_step,
    whole_numbers,
)
from dpbook.langevin.theory.numbers import Numbers
from dpbook.privacy.reading import count
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Method = Literal["quadrature", "direct"]

METHODS = ("quadrature", "direct")
MOST_SUMMED = 10**10  # positions
MOST_COMPOSED = 10**5  # distributions in balls
LOST = 2.0**-1074  # the least double: a number rounded to doubles may be off by so much
STEPS_AT_ONCE = 16  # of the direct sum, for each thread


@dataclass(frozen=True, eq=False)
class Separation(Described):
    """Average of the squared gap in variances over the positions of the odd record.

    It serves as a number or an array where one is wanted.

    Attributes
    ----------
    n : int
        Steps of an epoch.
    step : int or array
    value, error : float or array
        Of the shape of `step`: the average, and how far from the truth it is at most.
    stop : int or None
        Step at which lemma A.6 stops the chain, where there is one.
    """

    n: int
    step: Any
    value: Any
    error: Any
    stop: int | None

    def __float__(self) -> float:
        return float(self.value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.value, dtype=dtype, copy=copy)

    @property
    def epochs(self) -> Any:
        """Steps in epochs."""
        return self.step / self.n

    @property
    def peak(self) -> int:
        """Step of the largest value."""
        return int(np.ravel(self.step)[np.argmax(self.value)])

    def __repr__(self) -> str:
        steps, values = np.ravel(self.step), np.ravel(self.value)
        error = f"error<={np.max(self.error):.1e}"
        if steps.size == 1:
            return f"Separation(n={self.n}, step={steps[0]}, value={values[0]:.6g}, {error})"
        return (
            f"Separation(n={self.n}, {steps.size} steps to {steps[-1]}, peak={values.max():.6g} "
            f"at epoch {self.peak / self.n:.4g}, last={values[-1]:.6g}, {error})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        epochs, values = np.ravel(self.epochs), np.ravel(self.value)
        what = (
            f"Squared distance of the chain's means on two neighbours of {self.n} records, in "
            "variances, averaged over the positions of the odd record"
        )
        bound = f"No value is off by more than {np.max(self.error):.1e}."
        if epochs.size == 1:
            return f"{what}, at epoch {epochs[0]:.4g}: {values[0]:.5g}. {bound}"
        stopped = ""
        if self._marked:
            at = float(np.interp(self.stop / self.n, epochs, values))  # type: ignore[operator]
            stopped = f"; at the stopping step T = {self.stop} it is {at:.4g}"
        return (
            f"{what}, from epoch {epochs[0]:.4g} to {epochs[-1]:.4g}: it rises to "
            f"{values.max():.5g} at epoch {self.peak / self.n:.4g} and ends at "
            f"{values[-1]:.3g}{stopped}. {bound}"
        )

    @property
    def _marked(self) -> bool:
        return self.stop is not None and bool(np.min(self.step) <= self.stop <= np.max(self.step))

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the average against epochs, with the stopping step."""
        ax = ax or figures.axes()
        epochs, values = np.ravel(self.epochs), np.ravel(self.value)
        ax.plot(epochs, values, "-" if epochs.size > 1 else "o", label="exact")
        if self._marked and epochs.size > 1:
            ax.axvline(
                self.stop / self.n,  # type: ignore[operator]
                color="#ee6677",
                linestyle=(0, (5, 2)),
                label=f"T, epoch {self.stop // self.n}",  # type: ignore[operator]
            )
            ax.legend()
        ax.set_ylim(bottom=0)
        ax.set_xlabel("epoch")
        ax.set_ylabel("squared gap in variances")
        return ax


def separation(
    setting: Numbers,
    step: ArrayLike,
    *,
    method: Method = "quadrature",
) -> Separation:
    """Average over the positions of the odd record of the squared gap in variances: Figure 1.

    Parameters
    ----------
    setting : Numbers
    step : int or array of int
        0 to 10**15.
    method : {"quadrature", "direct"}
        Nodes over the positions, or all n of them, term by term and on all processors.

    Returns
    -------
    Separation
        Of the shape of `step`, with a bound of the error.

    Raises
    ------
    ValueError
        A parameter outside its range, an unknown method; more than 10**10 positions to sum, or
        10**5 distributions that only balls can tell (see `Setting.distribution`).

    Notes
    -----
    The average of ``gap**2 / odd_variance`` of `Setting.distribution` over all positions. In the number of
    steps since the odd record it is a mean of two analytic functions over two ranges of integers.
    Pieces of a range are taken by the Gauss rule of their own integers (of Chebyshev's discrete
    polynomials), so no sum is replaced by an integral and few records cost no digits. The error of
    a rule of m nodes is at most 4 M rho**(-2 m) / (1 - 1 / rho), M the largest modulus on
    Bernstein's ellipse of rho, bounded in closed form; rounding is allowed for on top.

    Examples
    --------
    >>> from dpbook.langevin import FIGURE_1
    >>> FIGURE_1.separation(33321551)
    Separation(n=1149019, step=33321551, value=1.78384, error<=2.2e-14)
    """
    count("n", setting.n, 2, MOST)
    if method not in METHODS:
        raise ValueError(f'method must be "quadrature" or "direct", got {method!r}')
    steps = whole_numbers("step", step, 0, MOST)
    flat = steps.ravel()
    chain = chain_constants(setting)
    with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is refused below
        if chain is None:
            found, error = _composed(setting, flat)
        elif method == "direct":
            found, error = _summed(chain, flat)
        else:
            found, error = _by_nodes(chain, flat)
    if not (np.isfinite(found) & np.isfinite(error)).all():
        raise ValueError(
            f"c must be smaller, got {setting.c:g}: the squared gap in variances, or the bound of "
            "its error, is beyond the doubles"
        )
    stop = stopping_step(setting) if chain is not None else None
    value, bound = shaped(found, steps.shape), shaped(error, steps.shape)
    return Separation(setting.n, shaped(steps, steps.shape), value, bound, stop)


def _by_nodes(chain: kernels.Chain, steps: Integers) -> tuple[Floats, Floats]:
    """A quadrature rule over the positions."""
    found, error = np.empty(steps.size), np.empty(steps.size)
    if not kernels.separation_rules(chain, steps, found, error):
        raise ArithmeticError('the rule needs more nodes than foreseen; take method="direct"')
    return found, error


def _summed(chain: kernels.Chain, steps: Integers) -> tuple[Floats, Floats]:
    """Every position, term by term; a thread takes a few steps at a time."""
    if chain.n > MOST_SUMMED:
        raise ValueError(
            f'n must be <= {MOST_SUMMED} with method="direct", got {chain.n}; take "quadrature"'
        )
    starts = np.empty(-(-chain.n // kernels.TERMS))
    table = np.empty(kernels.TERMS)
    kernels.powers(chain, np.arange(0, chain.n, kernels.TERMS), starts)
    kernels.powers(chain, np.arange(kernels.TERMS), table)
    found = np.empty(steps.size)
    parts = [slice(i, i + STEPS_AT_ONCE) for i in range(0, steps.size, STEPS_AT_ONCE)]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for _ in threads.map(
            lambda part: kernels.separation_sums(chain, steps[part], starts, table, found[part]),
            parts,
        ):
            pass
    error = (kernels.TERMS + kernels.ROUNDING) * 2.0**-53 * found
    return found, np.where(steps > 0, error + kernels.VANISHING, 0.0)


def _composed(setting: Numbers, steps: Integers) -> tuple[Floats, Floats]:
    """Every position in balls."""
    n = setting.n
    if n * steps.size > MOST_COMPOSED:
        raise ValueError(
            f"n must be <= {MOST_COMPOSED} / number of steps = {MOST_COMPOSED // steps.size} where "
            f"alpha + n * x_h**2 * beta <= 1 or a parameter is near the ends of the doubles, got {n}"
        )
    exact = distribution(setting, steps, np.arange(1, n + 1))
    if exact.odd_variance.min() < kernels.VANISHING:
        raise ValueError(
            "alpha and n * x_h**2 * beta must be smaller, got "
            f"{setting.alpha:g} and {n} * {setting.x_h:g}**2 * {setting.beta:g}: "
            f"a variance is below the doubles"
        )
    sd = np.sqrt(exact.odd_variance)
    ratio, lost = exact.gap / sd, LOST / sd  # a gap near the least double has few digits
    found = np.mean(ratio**2, axis=1)
    error = (n + kernels.ROUNDING) * 2.0**-53 * found
    error += np.mean((2 * np.abs(ratio) + lost) * lost, axis=1) + kernels.VANISHING
    return found, np.where(steps > 0, error, 0.0)


def separation_curve(
    setting: Numbers,
    *,
    epochs: int = 60,
    points: int = 40,
    method: Method = "quadrature",
) -> Separation:
    """Separation over epochs, at evenly spaced steps from the start: the curve of Figure 1.

    Parameters
    ----------
    setting : Numbers
    epochs, points : int
        How many epochs, and how many points in each, >= 1.
    method : {"quadrature", "direct"}
        See `Setting.separation`.

    Returns
    -------
    Separation

    Raises
    ------
    ValueError
        As `Setting.separation`, and for epochs or points < 1.

    Examples
    --------
    >>> from dpbook.langevin import FIGURE_1
    >>> FIGURE_1.separation_curve()
    Separation(n=1149019, 2401 steps to 68941140, peak=3.03552 at epoch 25.17, last=8.17149e-08, error<=4.0e-14)
    """
    steps = curve_steps(count("n", setting.n, 2, MOST), epochs, points)
    return separation(setting, steps, method=method)


def curve_steps(n: int, epochs: int, points: int) -> Integers:
    """Return evenly spaced steps over epochs, each once.

    Raises
    ------
    ValueError
        Fewer than one epoch or point, or more than 10**15 steps.
    """
    many = count("epochs", epochs, 1, MOST // n) * count("points", points, 1, 10**6)
    return np.unique([(2 * n * k + points) // (2 * points) for k in range(many + 1)])
