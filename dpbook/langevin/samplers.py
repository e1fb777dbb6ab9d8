"""Chains of stochastic gradient Langevin dynamics (SGLD): simulated, or drawn from their distribution.

`sgld` runs eq. 3 on records of any kind, `Setting.chains` the same chain on the two datasets of
eq. 7 without a data array, and `Setting.draws` draws its state at one step without running it.

Streams of random numbers are spawned from the caller's generator: one for each chain, or, of more
than 256 chains, for each of 256 runs of neighbouring chains. Nothing else decides what is drawn;
the number of workers does not.
"""

from __future__ import annotations

import math
import reprlib
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from sympy import sqrt
from tqdm import tqdm

from dpbook.engine.language.card import Described
from dpbook.langevin import kernels, notation
from dpbook.langevin.theory.chain import MOST, distribution
from dpbook.langevin.theory.evaluation import evaluated
from dpbook.langevin.theory.numbers import Numbers
from dpbook.privacy import diagnostics
from dpbook.privacy.distributions import Normal
from dpbook.privacy.reading import count, generator, number
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Order = Literal["cyclic", "reshuffled", "replacement"]
Position = int | Literal["drawn"] | None

STREAMS = 256
MOST_KEPT = 5 * 10**8  # numbers, 4 GB
ORDERS = {
    "cyclic": kernels.CYCLIC,
    "reshuffled": kernels.RESHUFFLED,
    "replacement": kernels.REPLACEMENT,
}


@dataclass(frozen=True, eq=False)
class Chains(Described):
    """States of independent chains.

    Attributes
    ----------
    states : array of float
        Shape (chains, kept), or (chains, kept, d) where there are d parameters: the states after
        each `every` steps, the start not among them.
    every : int
    learning_rate : float
    positions : array of int or None
        Of `Setting.chains`: where in a cycle the odd record stood in each chain.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.langevin import Setting
    >>> setting = Setting(n=50, alpha=1, beta=3, x_h=1.8, c=60)
    >>> chains = setting.chains(steps=100, chains=20, rng=np.random.default_rng(1))
    >>> chains.steps, chains.final.shape
    (100, (20,))
    """

    states: Floats
    every: int
    learning_rate: float
    positions: Integers | None = None

    @property
    def final(self) -> Floats:
        """Last states, of shape (chains,) or (chains, d)."""
        last: Floats = self.states[:, -1]
        return last

    @property
    def steps(self) -> int:
        """Number of steps of each chain."""
        return self.every * self.states.shape[1]

    def _moments(self) -> tuple[str, str]:
        mean, sd = self.final.mean(axis=0), self.final.std(axis=0)
        if mean.ndim == 0:
            return f"{mean:.4g}", f"{sd:.4g}"
        first, second = (", ".join(f"{v:.4g}" for v in row[:5]) for row in (mean, sd))
        more = ", ..." if mean.size > 5 else ""
        return f"({first}{more})", f"({second}{more})"

    def __repr__(self) -> str:
        mean, sd = self._moments()
        return f"Chains(chains={len(self.states)}, steps={self.steps}, mean={mean}, sd={sd})"

    def describe(self) -> str:
        """Return the words for the picture."""
        mean, sd = self._moments()
        several = self.final.ndim > 1
        return (
            f"States of {len(self.states)} chains after {self.steps} steps: "
            f"{'means' if several else 'mean'} {mean}, "
            f"standard deviation{'s' if several else ''} {sd}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the density of the last states; of several parameters their means and spreads."""
        ax = ax or figures.axes()
        if self.final.ndim == 1:
            ax.hist(self.final, bins="auto", density=True, color=figures.PALETTE[3])
            ax.set_xlabel(f"slope after {self.steps} steps")
            ax.set_ylabel("density")
            return ax
        mean, sd = self.final.mean(axis=0), self.final.std(axis=0)
        at = np.arange(1, mean.size + 1)
        ax.errorbar(at, mean, 2 * sd, fmt="o", capsize=4, color=figures.PALETTE[0])
        ax.set_xticks(at[:: -(-mean.size // 20)])
        ax.set_xlabel(f"parameter, after {self.steps} steps")
        ax.set_ylabel("mean, 2 standard deviations")
        return ax

    def to_arviz(self) -> Any:
        """Return the kept states as ArviZ `InferenceData`, for diagnostics: the parameter `theta`.

        Raises
        ------
        ImportError
            ArviZ is not installed; it is in the extra infer.
        ValueError
            Only the last states were kept.
        """
        if self.states.shape[1] < 2:
            raise ValueError(
                f"diagnostics need states on the way, got those after {self.steps} steps only: "
                "run the chains with every=1, or another number of steps"
            )
        return diagnostics.arviz().from_dict(
            posterior={"theta": self.states},
            coords={"draw": np.arange(self.every, self.steps + 1, self.every)},
            attrs={"learning_rate": self.learning_rate},
        )


def _kept(steps: int, every: int | None) -> tuple[int, int]:
    """Steps between two kept states, and how many are kept."""
    steps = count("steps", steps, 0)
    if every is None:
        return steps, 1
    every = count("every", every)
    if steps == 0 or steps % every:
        raise ValueError(f"every must divide steps = {steps}, got {every}")
    return every, steps // every


def _room(*shape: int) -> Floats:
    """Return an array for the states that are kept."""
    size = math.prod(shape)
    if size > MOST_KEPT:
        raise ValueError(
            f"the states kept must be <= {MOST_KEPT} numbers, got {' * '.join(map(str, shape))} = "
            f"{size}: take a larger every, or fewer chains"
        )
    return np.empty(shape)


def _starts(
    start: ArrayLike | Normal | None, alpha: float, shape: tuple[int, ...]
) -> Callable[[slice, Generator], Floats]:
    """Return the generator of the starts of some of the chains."""
    if start is None or isinstance(start, Normal):
        mean, sd = 0.0, alpha**-0.5
        if start is not None:
            mean = number("mean of the start", start.mean, "finite")
            sd = number("standard deviation of the start", start.sd, "> 0")
        return lambda block, rng: rng.normal(mean, sd, (block.stop - block.start, *shape[1:]))
    try:
        points = np.broadcast_to(np.asarray(start, dtype=np.float64), shape)
    except (TypeError, ValueError):
        raise ValueError(
            f"start must be a number, a Normal, or an array that fits the shape {shape}, "
            f"got {reprlib.repr(start)}"
        ) from None
    if not np.isfinite(points).all():
        raise ValueError("start must be finite, got nan or inf")
    return lambda block, rng: points[block].copy()


def _streamed(
    simulate: Callable[[slice, Generator], None],
    chains: int,
    rng: Generator,
    workers: int,
    progress: bool,
) -> int:
    """Simulate the chains, a block of them on each stream; return how many were done."""
    streams = rng.spawn(min(chains, STREAMS))
    ends = [chains * i // len(streams) for i in range(len(streams) + 1)]
    blocks = [slice(a, b) for a, b in zip(ends[:-1], ends[1:], strict=True)]
    with ThreadPoolExecutor(workers) as pool:
        tasks = [pool.submit(simulate, *task) for task in zip(blocks, streams, strict=True)]
        try:
            for task in tqdm(tasks, unit="block", leave=False, disable=not progress):
                task.result()
        except KeyboardInterrupt:  # tasks under way are finished: they are taken in their order
            pool.shutdown(cancel_futures=True)
    done = sum(not task.cancelled() for task in tasks)
    if not done:
        raise KeyboardInterrupt
    if done < len(tasks):
        warnings.warn(
            f"interrupted: {ends[done]} of {chains} chains are done and kept", stacklevel=3
        )
    return ends[done]


def _in_range(states: Floats, learning_rate: float, curvature: float) -> None:
    """Refuse states beyond the floats; a step with a rate below -1 moves far states further out."""
    if not np.isfinite(states).all():
        raise ValueError(
            "the chains left the range of floats: steps shrink large values only if the learning "
            f"rate is < 4 / (alpha + n * x_h**2 * beta) = {4 / curvature:.6g}, got "
            f"{learning_rate:.6g}"
        )


def sgld(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alpha: float,
    beta: float,
    steps: int,
    order: Order = "cyclic",
    batch: int = 1,
    learning_rate: float | None = None,
    start: ArrayLike | Normal | None = None,
    chains: int = 1,
    every: int | None = None,
    workers: int = 1,
    progress: bool = False,
    rng: Generator | None = None,
) -> Chains:
    """Run SGLD for a linear regression with known noise: eq. 3, on any records.

    Parameters
    ----------
    x : array of float
        Covariates, of shape (n,), or (n, d) for d parameters.
    y : array of float
        Responses, of shape (n,).
    alpha, beta : float
        Precision of the prior, of each parameter, and of the noise; > 0.
    steps : int
        Of each chain, >= 0.
    order : {"cyclic", "reshuffled", "replacement"}
        Each chain shuffles the records once and goes round in that order, as in the paper's
        analysis; or it shuffles them anew for each epoch; or it draws the records of each step, with
        replacement, as eq. 3 is printed.
    batch : int
        Records of a step, 1 to n. An epoch is n records: where `batch` does not divide n, its last
        step has the records that remain, and each of them weighs the more, n over their number.
    learning_rate : float, optional
        > 0. By default that of section 4.2, 2 / (alpha + n * x_h**2 * beta)**2, with x_h the
        largest norm of a covariate.
    start : float, array, Normal, optional
        A point for all chains, an array with a start for each, or a distribution; by default the prior.
    chains : int
        How many, >= 1; independent of each other, their shuffles too.
    every : int, optional
        Keep the state after each `every` steps, a divisor of `steps`; by default only the last.
    workers : int
        Threads, >= 1. They change nothing but the time.
    progress : bool
        Show a bar.
    rng : Generator, optional

    Returns
    -------
    Chains

    Raises
    ------
    ValueError
        A parameter outside its range, shapes that do not fit, records that are not finite, chains
        that left the range of floats.

    Notes
    -----
    A constant learning rate leaves a bias: in the long run the chain is near the posterior,
    langevin:lemma-4.1, not at it. An interrupt (Ctrl-C) keeps the chains that are done, and warns.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> sgld([1, 2], [3, 6], alpha=1, beta=4, steps=300, chains=1000, rng=rng)
    Chains(chains=1000, steps=300, mean=2.85, sd=0.2147)
    """
    alpha = number("alpha", alpha, "> 0 and finite")
    beta = number("beta", beta, "> 0 and finite")
    given, responses = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if responses.ndim != 1 or given.ndim not in (1, 2) or len(given) != len(responses):
        raise ValueError(
            "x must have shape (n,) or (n, d) and y shape (n,), "
            f"got {given.shape} and {responses.shape}"
        )
    if not given.size:
        raise ValueError(f"x must hold a record at least, got shape {given.shape}")
    if not (np.isfinite(given).all() and np.isfinite(responses).all()):
        raise ValueError("records must be finite, got nan or inf")
    covariates = given.reshape(len(given), -1)
    n, d = covariates.shape
    if order not in ORDERS:
        raise ValueError(f"order must be one of {', '.join(ORDERS)}, got {order!r}")
    batch = count("batch", batch, 1, n)
    every, kept = _kept(steps, every)
    chains, workers = count("chains", chains), count("workers", workers)
    x_h = float(np.hypot.reduce(np.abs(covariates), axis=1).max())
    if learning_rate is None:
        values = {"n": n, "alpha": alpha, "beta": beta, "x_h": x_h}
        learning_rate = evaluated(notation.eta, values)
        if not 0 < learning_rate < math.inf:
            raise ValueError(
                "learning_rate must be given: 2 / (alpha + n * x_h**2 * beta)**2 is "
                f"{learning_rate:g} in floats"
            )
    else:
        learning_rate = number("learning_rate", learning_rate, "> 0")
    starts = _starts(start, alpha, (chains, d) if given.ndim == 2 else (chains,))
    states = _room(chains, kept, d)

    def simulate(block: slice, stream: Generator) -> None:
        kernels.sgld_chains(
            states[block],
            starts(block, stream).reshape(-1, d),
            every,
            covariates.copy(),  # the kernel shuffles them
            responses.copy(),
            ORDERS[order],
            batch,
            learning_rate / 2 * alpha,
            learning_rate / 2 * n * beta,
            math.sqrt(learning_rate),
            stream,
        )

    done = _streamed(simulate, chains, generator(rng), workers, progress)
    states = states[:done] if given.ndim == 2 else states[:done, :, 0]
    _in_range(states, learning_rate, alpha + n * x_h * x_h * beta)
    return Chains(states, every, learning_rate)


def _odd(n: int, position: Position) -> Callable[[int, Generator], Integers]:
    """Return the generator of the positions of the odd record, for a number of chains; 0 for none."""
    if position == "drawn":
        return lambda size, rng: rng.integers(1, n + 1, size)
    if position is None:
        place = 0
    elif isinstance(position, str):
        raise ValueError(f'position must be 1 to n = {n}, "drawn" or None, got {position!r}')
    else:
        place = count("position", position, 1, n)
    return lambda size, rng: np.full(size, place)


def chains(
    setting: Numbers,
    *,
    steps: int,
    position: Position = "drawn",
    start: ArrayLike | Normal | None = None,
    chains: int = 1,
    every: int | None = None,
    workers: int = 1,
    progress: bool = False,
    rng: Generator | None = None,
) -> Chains:
    """Run cyclic SGLD on the datasets of eq. 7, without a data array: two rates are all it needs.

    Parameters
    ----------
    setting : Numbers
    steps : int
        Of each chain, >= 0.
    position : int, "drawn" or None
        Where in a cycle the odd record stands, 1 to n; drawn for each chain, as a shuffle does; or
        None for the dataset without it.
    start, chains, every, workers, progress, rng
        As for `sgld`.

    Returns
    -------
    Chains

    Raises
    ------
    ValueError
        A parameter outside its range, chains that left the range of floats.

    Notes
    -----
    A step is langevin:eq-17. From the prior the distribution at the end of an epoch has the mean
    langevin:lemma-a.1.mean-r and the variance langevin:lemma-a.1.variance-r; `Setting.draws` draws
    from the distribution at any step.

    Examples
    --------
    >>> from dpbook.langevin import Setting
    >>> setting = Setting(n=10, alpha=1, beta=3.5, x_h=1, c=20)
    >>> setting.chains(steps=30, chains=1000, rng=np.random.default_rng(1))
    Chains(chains=1000, steps=30, mean=10.55, sd=0.5038)
    """
    n, values = count("n", setting.n, 2, MOST), setting.numbers
    place = _odd(n, position)
    every, kept = _kept(steps, every)
    chains, workers = count("chains", chains), count("workers", workers)
    end = notation.drift / (1 - notation.rate)
    odd_end = notation.odd_drift / (1 - notation.odd_rate)
    limit, odd_offset, shrink, odd_shrink, noise_sd, learning_rate = (
        evaluated(e, values)
        for e in (
            *(end, odd_end - end, 1 - notation.rate, 1 - notation.odd_rate),
            *(sqrt(notation.eta), notation.eta),
        )
    )
    if not (shrink > 0 and noise_sd > 0 and learning_rate < math.inf):
        raise ValueError(
            "x_h**2 * beta must be smaller, or alpha: the learning rate "
            f"2 / (alpha + n * x_h**2 * beta)**2 is {learning_rate:g} in doubles, got "
            f"n = {n}, alpha = {values['alpha']:g}, beta = {values['beta']:g}, x_h = {values['x_h']:g}"
        )
    starts = _starts(start, values["alpha"], (chains,))
    states = _room(chains, kept)
    positions = np.zeros(chains, dtype=np.int64)

    def simulate(block: slice, stream: Generator) -> None:
        positions[block] = place(block.stop - block.start, stream)
        kernels.two_rate_chains(
            states[block],
            starts(block, stream) - limit,
            positions[block] - 1,
            every,
            n,
            shrink,
            odd_shrink,
            odd_offset,
            noise_sd,
            stream,
        )
        states[block] += limit

    done = _streamed(simulate, chains, generator(rng), workers, progress)
    _in_range(states[:done], learning_rate, 1 / shrink)
    return Chains(
        states[:done], every, learning_rate, None if position is None else positions[:done]
    )


def draws(
    setting: Numbers,
    *,
    step: int,
    size: int,
    position: Position = "drawn",
    rng: Generator | None = None,
) -> Floats:
    """Draw what cyclic SGLD on the datasets of eq. 7 is at a step, from its distribution and not by steps.

    Parameters
    ----------
    setting, position, rng
        As for `Setting.chains`.
    step : int
        >= 0. The time of a draw does not depend on it.
    size : int
        How many draws, >= 1.

    Returns
    -------
    array of float, shape (size,)

    Raises
    ------
    ValueError
        A parameter outside its range.

    Notes
    -----
    With a drawn position the distribution is an even mixture of n normal distributions; see `Setting.distribution`.
    """
    place = _odd(count("n", setting.n, 2, MOST), position)
    step, size = count("step", step, 0, MOST), count("size", size, 1, MOST_KEPT)
    rng = generator(rng)
    if position is None:
        plain = distribution(setting, step, 1)
        return rng.normal(plain.mean, math.sqrt(plain.variance), size)
    drawn = place(size, rng)
    positions, which = np.unique(drawn, return_inverse=True)
    odd = distribution(setting, step, positions)
    return rng.normal(odd.odd_mean[which], np.sqrt(odd.odd_variance)[which])
