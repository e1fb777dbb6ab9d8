"""Tiny models whose every state is listed: the oracle of all samplers, in exact fractions.

A `FiniteModel` holds a few parameters, a few values of a record, numbers of records up to a few, and
any positive weights for the release. Its target is a list of fractions, and each sub-step of
Algorithm 1 a sparse matrix of fractions: a step that keeps the target keeps it exactly.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpbook.privacy.value import Version
from dpbook.unknown_sample_size.models.base import Floats
from dpbook.unknown_sample_size.problem import Release
from dpbook.unknown_sample_size.setting import Setting

State = tuple[int, tuple[int, ...]]
Row = dict[int, Fraction]
Kernel = list[Row]
Deaths = Literal["last", "anywhere", "appended", "no ratio"]

HALF, ONE = Fraction(1, 2), Fraction(1)


@dataclass(frozen=True)
class FiniteModel:
    """A model with finitely many states (theta, x_1, ..., x_n).

    Attributes
    ----------
    masses : tuple of Fraction
        Prior of the parameter, one for each.
    chances : tuple of tuple of Fraction
        Chance of the values 0, 1, ... of a record under each parameter.
    sizes : dict of int to Fraction
        p(n) p(n_dp | n), up to a constant, for n = least, ..., most.
    release : function
        g(s, t): from the sum of the values, and n, to a positive Fraction.

    Raises
    ------
    ValueError
        Weights that are not > 0, chances that do not sum to 1, sizes with a gap.

    Examples
    --------
    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> model = FiniteModel(
    ...     masses=(half, half),
    ...     chances=((half, half), (Fraction(1, 4), Fraction(3, 4))),
    ...     sizes={1: Fraction(1), 2: Fraction(2)},
    ...     release=lambda s, t: Fraction(1, 1 + s),
    ... )
    >>> sum(model.masses)
    Fraction(1, 1)
    """

    masses: tuple[Fraction, ...]
    chances: tuple[tuple[Fraction, ...], ...]
    sizes: dict[int, Fraction]
    release: Callable[[int, int], Fraction]

    def __repr__(self) -> str:
        sizes = ", ".join(f"{n}: {weight}" for n, weight in self.sizes.items())
        chances = "; ".join(", ".join(map(str, row)) for row in self.chances)
        masses = ", ".join(map(str, self.masses))
        return f"FiniteModel(masses=({masses}), chances=({chances}), sizes={{{sizes}}})"

    def __post_init__(self) -> None:
        for name, values in (("masses", self.masses), *(("chances", c) for c in self.chances)):
            if min(values) <= 0 or sum(values) != 1:
                raise ValueError(f"{name} must be > 0 and sum to 1, got {values}")
        if len(self.chances) != len(self.masses):
            raise ValueError(f"chances must have {len(self.masses)} rows, got {len(self.chances)}")
        ns = sorted(self.sizes)
        if not ns or ns != list(range(ns[0], ns[-1] + 1)) or min(self.sizes.values()) <= 0:
            raise ValueError(f"sizes must be > 0 on consecutive numbers, got {self.sizes}")

    @property
    def least(self) -> int:
        """Smallest number of records."""
        return min(self.sizes)

    @property
    def most(self) -> int:
        """Largest number of records."""
        return max(self.sizes)

    @cached_property
    def states(self) -> list[State]:
        """Every (theta, rows)."""
        values = range(len(self.chances[0]))
        return [
            (k, rows)
            for k in range(len(self.masses))
            for n in range(self.least, self.most + 1)
            for rows in itertools.product(values, repeat=n)
        ]

    @cached_property
    def index(self) -> dict[State, int]:
        """The number of each state."""
        return {state: i for i, state in enumerate(self.states)}

    def weight(self, state: State) -> Fraction:
        """Mass of a state, up to a constant."""
        k, rows = state
        found = self.masses[k] * self.sizes[len(rows)] * self.release(sum(rows), len(rows))
        for value in rows:
            found *= self.chances[k][value]
        return found

    @cached_property
    def target(self) -> list[Fraction]:
        """Posterior mass p(theta, x, n | s, n_dp) of each state."""
        weights = [self.weight(state) for state in self.states]
        total = sum(weights, Fraction(0))
        return [one / total for one in weights]

    def marginal(
        self, distribution: Sequence[Fraction] | None = None
    ) -> dict[tuple[int, int], Fraction]:
        """The joint distribution of (theta, n)."""
        found: dict[tuple[int, int], Fraction] = {}
        for (k, rows), mass in zip(self.states, distribution or self.target, strict=True):
            found[k, len(rows)] = found.get((k, len(rows)), Fraction(0)) + mass
        return found

    # --- sub-steps of Algorithm 1 -----------------------------------------------------------------------

    def theta_step(self) -> Kernel:
        """Step 1(a): theta is drawn from p(theta | x)."""
        found: Kernel = []
        for _, rows in self.states:
            weights = [self.weight((k, rows)) for k in range(len(self.masses))]
            total = sum(weights, Fraction(0))
            found.append({self.index[k, rows]: w / total for k, w in enumerate(weights)})
        return found

    def swap_step(self, i: int) -> Kernel:
        """Take step 1(b) for row i, counted from 0; nothing where there is no such row."""
        found: Kernel = []
        for here, (k, rows) in enumerate(self.states):
            moves: Row = {}
            stay = ONE
            if i < len(rows):
                g = self.release(sum(rows), len(rows))
                for value, chance in enumerate(self.chances[k]):
                    new = (*rows[:i], value, *rows[i + 1 :])
                    accept = min(ONE, self.release(sum(new), len(new)) / g)
                    there = self.index[k, new]
                    moves[there] = moves.get(there, Fraction(0)) + chance * accept
                    stay -= chance * accept
            if stay:
                moves[here] = moves.get(here, Fraction(0)) + stay
            found.append(moves)
        return found

    def jump_step(self, deaths: Deaths = "last") -> Kernel:
        """Return step 2: a birth or a death, as `samplers.Chain` does it with the same `deaths`."""
        found: Kernel = []
        for here, (k, rows) in enumerate(self.states):
            n, moves, stay = len(rows), dict[int, Fraction](), ONE
            before = self.sizes[n] * self.release(sum(rows), n)
            up = ONE if n == self.least else HALF
            offers: list[tuple[tuple[int, ...], Fraction, Fraction]] = []
            if n < self.most:
                for value, chance in enumerate(self.chances[k]):
                    slots = range(n + 1) if deaths == "anywhere" else [n]
                    for slot in slots:  # the old occupant goes to the end
                        new = (*rows, value)
                        if slot < n:
                            new = (*rows[:slot], value, *rows[slot + 1 :], rows[slot])
                        offers.append((new, up * chance / len(slots), HALF / up))
            if n > self.least:
                back = ONE if n - 1 == self.least else HALF
                slots = [n - 1] if deaths in ("last", "no ratio") else range(n)
                for slot in slots:  # the last one takes the place
                    new = rows[:-1]
                    if slot < n - 1:
                        new = (*rows[:slot], rows[-1], *rows[slot + 1 : -1])
                    offers.append((new, HALF / len(slots), back / HALF))
            for new, chance, ratio in offers:
                after = self.sizes[len(new)] * self.release(sum(new), len(new))
                accept = min(ONE, after / before * (ONE if deaths == "no ratio" else ratio))
                there = self.index[k, new]
                moves[there] = moves.get(there, Fraction(0)) + chance * accept
                stay -= chance * accept
            if stay:
                moves[here] = moves.get(here, Fraction(0)) + stay
            found.append(moves)
        return found

    def cycle(self, deaths: Deaths = "last", jumps: int = 1) -> list[Kernel]:
        """The sub-steps of one cycle, in the order of Algorithm 1."""
        swaps = [self.swap_step(i) for i in range(self.most)]
        return [self.theta_step(), *swaps, *[self.jump_step(deaths)] * jumps]

    def after(self, distribution: Sequence[Fraction], steps: Sequence[Kernel]) -> list[Fraction]:
        """Distribution after some steps."""
        at = list(distribution)
        for kernel in steps:
            new = [Fraction(0)] * len(at)
            for mass, row in zip(at, kernel, strict=True):
                for there, chance in row.items():
                    new[there] += mass * chance
            at = new
        return at

    def is_kept(self, steps: Sequence[Kernel]) -> bool:
        """Say whether the target is invariant under some steps, exactly."""
        return self.after(self.target, steps) == self.target

    def is_reversible(self, kernel: Kernel) -> bool:
        """Say whether a step is in detailed balance with the target, exactly."""
        return all(
            self.target[i] * chance == self.target[j] * kernel[j].get(i, Fraction(0))
            for i, row in enumerate(kernel)
            for j, chance in row.items()
        )

    def stationary(self, steps: Sequence[Kernel], rounds: int = 400) -> NDArray[np.float64]:
        """Distribution that some steps lead to, in doubles, by running them."""
        matrix = np.eye(len(self.states))
        for kernel in steps:
            dense = np.zeros_like(matrix)
            for i, row in enumerate(kernel):
                for j, chance in row.items():
                    dense[i, j] = float(chance)
            matrix = matrix @ dense
        distribution = np.full(len(self.states), 1 / len(self.states))
        for _ in range(rounds):
            distribution = distribution @ matrix
        return distribution


def poisson_cell(
    rate: float, release: ArrayLike, version: Version = "corrected"
) -> tuple[Floats, Floats]:
    """Target and transition matrix of one cell of the Appendix B sampler, cut off at the top.

    Parameters
    ----------
    rate : float
        Intensity of the cell, > 0.
    release : array
        p(s | x) at x = 0, 1, ..., top; shape (top + 1,).
    version : {"corrected", "printed"}
        As printed p(x' | x) cancels, so the ratio lacks the ratio of the proposals at a count of 0.

    Returns
    -------
    target : array, shape (top + 1,)
    matrix : array, shape (top + 1, top + 1)

    Examples
    --------
    >>> [len(one) for one in poisson_cell(3.0, [2.0])]
    [1, 1]
    """
    g = np.asarray(release, dtype=float)
    x = np.arange(g.size)
    logs = x * np.log(rate) - np.cumsum(np.log(np.maximum(x, 1)))
    target = np.exp(logs - logs.max()) * g
    target /= target.sum()
    matrix = np.zeros((g.size, g.size))
    for at in x:
        for to in (at - 1, at + 1):
            if not 0 <= to < g.size:
                continue
            way = 1.0 if at == 0 else 0.5
            back = 1.0 if to == 0 else 0.5
            ratio = g[to] / g[at] * (rate / to if to > at else at / rate)
            if version == "corrected":
                ratio *= back / way
            matrix[at, to] = way * min(1.0, ratio)
        matrix[at, at] = 1 - matrix[at].sum()
    return target, matrix


# --- closed forms with a conjugate prior, the number of records summed over --------------------------------


@dataclass(frozen=True)
class Mixture:
    """The exact posterior of (theta, n): theta is conjugate given n and a sum of the records.

    Attributes
    ----------
    sizes : array of int
        Number of records of each component, shape (c,).
    sums : array
        Other numbers that theta depends on, shape (c, m).
    masses : array
        Posterior mass of each component, shape (c,).
    """

    sizes: NDArray[np.int64]
    sums: Floats
    masses: Floats

    def size_masses(self) -> dict[int, float]:
        """Posterior mass of each number of records."""
        return {int(n): float(self.masses[self.sizes == n].sum()) for n in np.unique(self.sizes)}


def exact_counts(setting: Setting, release: Release, most: int) -> Mixture:
    """Exact posterior of n and the counts, for `models.bernoulli` and `models.multinomial`.

    theta given a component is Dirichlet(prior + counts), of heads and tails for coins.

    Parameters
    ----------
    setting : Setting
    release : Release
    most : int
        Numbers of records are summed up to it; larger numbers are left out, so it is to be well
        above the noisy number.

    Raises
    ------
    ValueError
        Another model, or `most` below the noisy number where n may lie above it.

    Examples
    --------
    >>> from dpbook.unknown_sample_size import DiscreteLaplace, Release, Setting, models
    >>> setting = Setting(models.bernoulli(), DiscreteLaplace(1.0), DiscreteLaplace(0.2))
    >>> sizes = exact_counts(setting, Release((12.0,), 30.0), most=120).size_masses()
    >>> round(float(sizes[30]), 4)
    0.0972
    """
    from scipy.special import gammaln

    model = setting.model
    if model.name not in ("bernoulli", "multinomial"):
        raise ValueError(f"the model must be bernoulli or multinomial, got {model.name}")
    setting.check(release)
    more = np.isfinite(setting.sizes.log_mass(np.array([most + 1]))[0])
    if more and release.n_dp is not None and most < release.n_dp:
        raise ValueError(f"most must be at least n_dp, {release.n_dp:g}, got {most}")
    prior = np.array(model.hyper)
    sizes, sums, logs = [], [], []
    release_piece, count_piece = setting.pieces[3], setting.pieces[4]
    s, noise = np.array(release.s), np.array(setting.mechanism.noise(model.sensitivity))
    count_noise = np.array(setting.count.noise(1.0))
    coins = model.name == "bernoulli"
    for n in range(setting.sizes.least, most + 1):
        base = float(setting.sizes.log_mass(np.array([n]))[0])
        if release.n_dp is not None:
            base += count_piece(float(release.n_dp), n, count_noise)
        for counts in _compositions(n, len(prior)):
            x = np.array(counts, dtype=float)
            total = x[:1].copy() if coins else x
            logs.append(
                base
                + release_piece(s, total, n, noise)
                + gammaln(n + 1)
                - gammaln(x + 1).sum()
                + gammaln(prior + x).sum()
                - gammaln(prior.sum() + n)
            )
            sizes.append(n)
            sums.append(x)
    weights = np.exp(np.array(logs) - max(logs))
    return Mixture(np.array(sizes), np.array(sums), weights / weights.sum())


def _compositions(n: int, parts: int) -> list[tuple[int, ...]]:
    if parts == 1:
        return [(n,)]
    return [(k, *rest) for k in range(n + 1) for rest in _compositions(n - k, parts - 1)]


@dataclass(frozen=True)
class NormalMixture:
    """The exact posterior of (theta, n) for a Normal mean under Gaussian noise.

    Attributes
    ----------
    sizes : array of int
    masses, means, sds : array
        Posterior mass of each n, and the Normal distribution of theta given it; shape (c,).
    """

    sizes: NDArray[np.int64]
    masses: Floats
    means: Floats
    sds: Floats

    @property
    def mean(self) -> float:
        """Posterior mean of theta."""
        return float(self.masses @ self.means)

    @property
    def sd(self) -> float:
        """Posterior standard deviation of theta."""
        second = float(self.masses @ (self.sds**2 + self.means**2))
        return float(np.sqrt(second - self.mean**2))


def exact_normal(setting: Setting, release: Release, most: int) -> NormalMixture:
    """Exact posterior of (theta, n) for `models.normal_mean` without clamping, under Gaussian noise.

    Given n the sum is Normal: s is N(n theta, n record_sd**2 + sd**2).

    Parameters
    ----------
    setting : Setting
        With the normal mean model, without bounds.
    release : Release
    most : int
        Largest number of records that is considered.

    Raises
    ------
    ValueError
        Another model, bounds, other noise.

    Examples
    --------
    >>> from dpbook.unknown_sample_size import Gaussian, Release, Setting, models
    >>> setting = Setting(models.normal_mean(), Gaussian(1.0), Gaussian(2.0))
    >>> exact_normal(setting, Release((2.0,), 5.0), 8).sizes
    array([1, 2, 3, 4, 5, 6, 7, 8])
    """
    from dpbook.unknown_sample_size.mechanisms import Gaussian, Known

    model, noise = setting.model, setting.mechanism
    plain = model.name == "normal_mean" and np.isinf(model.hyper[3:5]).all()
    if not plain or not isinstance(noise, Gaussian):
        raise ValueError("exact_normal needs normal_mean without bounds under Gaussian noise")
    setting.check(release)
    centre, sd, record_sd = model.hyper[:3]
    if type(setting.count) is Known:
        n = np.array([int(release.n_dp or 0)])
        logs = np.zeros(1)
    else:
        n = np.arange(setting.sizes.least, most + 1)
        logs = setting.sizes.log_mass(n)
        if release.n_dp is not None:
            count_piece, scale = setting.pieces[4], np.array(setting.count.noise(1.0))
            logs = logs + [count_piece(float(release.n_dp), int(k), scale) for k in n]
    spread = n * record_sd**2 + noise.sd**2
    total = spread + (n * sd) ** 2
    logs = logs - np.log(total) / 2 - (release.s[0] - n * centre) ** 2 / (2 * total)
    masses = np.exp(logs - logs.max())
    precision = 1 / sd**2 + n**2 / spread
    means = (centre / sd**2 + n * release.s[0] / spread) / precision
    return NormalMixture(n, masses / masses.sum(), means, precision**-0.5)
