"""The regression's own sampler: it converges where swaps and jumps alone do not.

The number of records and the parameter are tied together by the noisy sums: twice the records with
half the moments explain them as well. One row at a time, a chain crawls along that ridge. Here rows
are kept as standard normals, so that theta and n can move together with all rows; many such steps are
made on a surrogate that costs nothing per row, then one exact decision takes or leaves where they led.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.privacy.reading import count, generator, number
from dpbook.unknown_sample_size import kernels
from dpbook.unknown_sample_size.mechanisms import Known, Laplace
from dpbook.unknown_sample_size.models.regression import LinearRegression, linear_regression
from dpbook.unknown_sample_size.problem import Release
from dpbook.unknown_sample_size.samplers import Chains, Held, converging
from dpbook.unknown_sample_size.setting import Setting
from dpbook.unknown_sample_size.streams import live_words

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

WINDOW = 50  # cycles between two adaptations
WALK_TARGET, EXACT_TARGET, SLIDE_TARGET = 0.25, 0.25, 0.4
STEP = 1e-5  # of differences
NONE = np.empty((0, 0))
OWN = {
    "update": (kernels.regression_update,),
    "record": (kernels.regression_record,),
    "statistic": (kernels.regression_statistic, kernels.leaked_statistic),
}
FAR = 40.0  # the prior of n is cut where p(n_dp | n) is below exp(-FAR) of its largest


def regression_setting(
    epsilon_s: float, epsilon_n: float | str | None, *, as_the_authors_code: bool = False
) -> Setting:
    """The setting of Section 6.1: a regression on two covariates, its moments under Laplace noise.

    Parameters
    ----------
    epsilon_s : float
        For the moments.
    epsilon_n : float or None
        For the number of records; None, or infinite: it is public.
    as_the_authors_code : bool
        With the sensitivity of the authors' program.

    Examples
    --------
    >>> regression_setting(1.0, 0.1).epsilon
    1.1
    """
    model = linear_regression(as_the_authors_code=as_the_authors_code)
    public = epsilon_n is None or float(epsilon_n) == math.inf
    return Setting(model, Laplace(epsilon_s), Known() if public else Laplace(float(epsilon_n or 0)))


TABLE_1 = regression_setting(1.0, 0.1)
"""A column of the paper's Table 1: epsilon_s = 1 for the moments, epsilon_n = 0.1 for their number."""


def largest_size(setting: Setting, release: Release, start: int = 1) -> int:
    """Find where p(n) p(n_dp | n) falls below exp(-40) of its largest: no n beyond it matters."""
    log_count, noise = setting.pieces[4], np.array(setting.count.noise(1.0))
    n_dp = float(release.n_dp or 0)
    n = max(start, setting.sizes.nearest(n_dp))

    def log_mass(k: int) -> float:
        value = log_count(n_dp, k, noise) if release.n_dp is not None else 0.0
        return float(value + setting.sizes.log_mass(np.array([k]))[0])

    best = max(log_mass(k) for k in {setting.sizes.nearest(n_dp), n})
    reach = 64
    while log_mass(n + reach) > best - FAR and reach < 2**28:
        reach *= 2
    low, high = n, n + reach
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if log_mass(middle) > best - FAR else (low, middle)
    return int(min(high, setting.sizes.top()))


class RegressionChain(Held):
    """Run one chain for `models.linear_regression`.

    Parameters
    ----------
    setting : Setting
        Its model is a `LinearRegression`.
    release : Release
    rng : numpy.random.Generator, optional
        Owned by the chain from here on.
    jumps : int
        Births and deaths in a cycle, >= 0.
    block : int
        Every second jump is by so many rows, >= 1.
    steps : int
        Steps on the surrogate in a cycle, >= 0.
    exact_steps : int
        Exact random walks in a cycle, >= 0: the surrogate alone leaves heavy tails of the prior behind.
    warm_up : int
        Cycles in which the proposals adapt; they are frozen then, and only later draws count.
    start : int, optional
        Number of records to start from; near n_dp when None.
    most : int, optional
        The prior of n is cut there. When None, where p(n_dp | n) has fallen by a factor exp(40).
    theta : array, optional
        To start from; near the middle of the prior when None.
    fixed : bool
        Keep theta as it is, as Algorithm 2 does: swaps and jumps, nothing else.

    Raises
    ------
    ValueError
        A release that the mechanisms cannot make, another model, an option outside its range.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import Laplace, Setting, models
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(0, 1, (150, 1))
    >>> rows = np.c_[x, 1 - x + rng.normal(0, 1, (150, 1))]
    >>> setting = Setting(models.linear_regression(1), Laplace(3.0), Laplace(1.0))
    >>> release = setting.release(rows, rng)
    >>> chain = RegressionChain(setting, release, rng)
    >>> thetas, sizes = chain.advance(20)
    >>> thetas.shape
    (20, 5)
    """

    def __init__(
        self,
        setting: Setting,
        release: Release,
        rng: Generator | None = None,
        *,
        jumps: int = 20,
        block: int = 1,
        steps: int = 150,
        exact_steps: int = 1,
        warm_up: int = 1000,
        start: int | None = None,
        most: int | None = None,
        theta: ArrayLike | None = None,
        fixed: bool = False,
    ) -> None:
        setting.check(release)
        if not isinstance(setting.model, LinearRegression):
            raise ValueError(f"the model must be a LinearRegression, got {setting.model!r}")
        for name, own in OWN.items():
            if getattr(setting.model, name) not in own:
                raise ValueError(
                    f"{name} must come from linear_regression, which RegressionChain has compiled: "
                    f"use Setting.sample, got {getattr(setting.model, name)!r:.60}"
                )
        self.setting, self.release, self.rng = setting, release, generator(rng)
        self.jumps, self.block = count("jumps", jumps, 0), count("block", block)
        self.steps = count("steps", steps, 0)
        self.exact_steps, self.warm_up = (
            count("exact_steps", exact_steps, 0),
            count("warm_up", warm_up, 0),
        )
        self.fixed = bool(fixed)
        if self.fixed:
            self.steps = self.exact_steps = self.warm_up = 0
        self.known = isinstance(setting.count, Known)
        least = setting.sizes.least
        if self.known and release.n_dp is not None:
            start = most = int(release.n_dp)
        if start is None:
            start = setting.sizes.nearest(least if release.n_dp is None else release.n_dp)
        n = count("start", start, least)
        if n > setting.sizes.top():
            raise ValueError(f"start must be <= {setting.sizes.top():g}, got {n}")
        limit = n if most is None else max(n, count("most", most, least))
        if most is None:
            limit = max(n, largest_size(setting, release, n))
        model = setting.model
        p = model.covariates
        # near the middle of the prior: a start far out costs warm-up only
        centre = [*[0.0] * (p + 1), 1.0, *[0.0] * p, *np.eye(p)[np.tril_indices(p)]]
        self.theta = np.array(centre if theta is None else theta, dtype=float)
        if self.theta.shape != (len(model.parameters),):
            raise ValueError(
                f"theta must have {len(model.parameters)} numbers, got {self.theta.shape}"
            )
        room = limit + self.block + self.jumps * self.block + kernels.RESERVE
        self.u = self.rng.standard_normal((room, p + 1))
        self.stats = np.zeros((room, model.statistics))
        self.size = np.array([n, 0])
        self.tally = np.zeros(kernels.ALL_TALLIES, dtype=np.int64)
        self.cycles = 0
        self.limit = limit
        D = self.theta.size + 1
        self.walk = np.diag([0.0 if self.known else 0.1, *[0.2] * (D - 1)])
        self.scales = np.array([2.4 / math.sqrt(D), 2.4 / math.sqrt(D) / 2, 0.1])
        self._history: list[Floats] = []
        A = np.empty((p + 2, p + 2))
        kernels.shape_matrix(self.theta, p, A)
        kernels.rows_statistics(
            *(self.u, n, A, np.array(model.hyper), model.leaks),
            *(self.stats, np.empty(model.statistics)),
        )

    @property
    def n(self) -> int:
        """Number of records now."""
        return int(self.size[0])

    @property
    def records(self) -> Floats:
        """The records now, shape (n, p + 1)."""
        model = self.setting.model
        p = model.columns - 1
        A = np.empty((p + 2, p + 2))
        kernels.shape_matrix(self.theta, p, A)
        return np.asarray(self.u[: self.n] @ A[1:, 1:].T + A[1:, 0])

    def advance(self, cycles: int) -> tuple[Floats, Integers]:
        """Run cycles; return theta after each, shape (cycles, k), and n, shape (cycles,).

        Raises
        ------
        ValueError
            A number of cycles < 1.
        """
        return self._advanced(cycles, False)[:2]

    def advance_in_detail(self, cycles: int) -> tuple[Floats, Integers, Floats, Floats]:
        """As `advance`; also the sums of the statistic, and of products of (1, x, y).

        Returns
        -------
        theta, n : arrays
        totals : array
            Shape (cycles, statistics).
        products : array
            Lower triangle, row by row, shape (cycles, (p + 2)(p + 3) / 2).
        """
        return self._advanced(cycles, True)

    def scores(self, cycles: int) -> tuple[Floats, Integers]:
        """Run cycles at a fixed theta; return the terms whose mean is the score of the release, and n.

        The release is a function of theta and of normal u that theta leaves alone: its score is the
        mean, given the release, of the slope of log g(s, sum of t) at fixed u. That varies by a
        posterior standard deviation or so, where the score of complete rows (Fisher's identity, the
        same mean) varies by many.

        Parameters
        ----------
        cycles : int

        Returns
        -------
        scores : array
            By (b, log tau, mu, T with log of its diagonal), shape (cycles, k).
        n : array
            Shape (cycles,).

        Raises
        ------
        ValueError
            A chain whose theta moves, a number of cycles < 1.
        """
        if not self.fixed:
            raise ValueError("scores needs a chain with fixed=True")
        p = self.setting.model.columns - 1
        slopes = np.empty((count("cycles", cycles), (p + 2) ** 2))
        sizes = self._run(cycles, False, slopes)[1]
        self.cycles += cycles
        # dA / dpsi by differences: A is smooth, the statistics are not
        psi, theta, sides = np.zeros(self.theta.size + 1), np.empty_like(self.theta), []
        A = np.empty((p + 2, p + 2))
        for j in range(1, psi.size):
            for sign in (1, -1):
                kernels.to_psi(self.theta, p, psi)
                psi[j] += sign * STEP
                kernels.from_psi(psi, p, theta)
                kernels.shape_matrix(theta, p, A)
                sides.append(A.ravel().copy())
        jacobian = (np.array(sides[::2]) - np.array(sides[1::2])) / (2 * STEP)
        return slopes @ jacobian.T, sizes

    def move_to(self, theta: ArrayLike) -> None:
        """Go on at another parameter, from the same rows."""
        p, room = self.setting.model.columns - 1, np.empty(self.u.shape[1])
        A, C = np.empty((p + 2, p + 2)), np.empty((p + 2, p + 2))
        kernels.shape_matrix(self.theta, p, A)
        self.theta[:] = theta
        kernels.standardising(self.theta, p, A, C)
        kernels.standardise(self.u, self.n, C, room)

    def _advanced(self, cycles: int, detail: bool) -> tuple[Floats, Integers, Floats, Floats]:
        cycles = count("cycles", cycles)
        parts = []
        left = cycles
        while left:
            run = left
            if self.cycles < self.warm_up:  # windows end at multiples, however the run is cut
                run = min(left, WINDOW - self.cycles % WINDOW, self.warm_up - self.cycles)
            before = self.tally.copy()
            parts.append(self._run(run, detail))
            self.cycles += run
            left -= run
            if self.cycles <= self.warm_up:
                self._history.append(self._psi(*parts[-1][:2]))
                self._window = getattr(self, "_window", 0) + (self.tally - before)
                if self.cycles % WINDOW == 0 or self.cycles == self.warm_up:
                    self._adapt(self._window)
                    self._window = 0
        theta, n, totals, grams = (np.concatenate([part[k] for part in parts]) for k in range(4))
        return theta, n, totals, grams

    def _run(
        self, cycles: int, detail: bool, slopes: Floats = NONE
    ) -> tuple[Floats, Integers, Floats, Floats]:
        setting, model = self.setting, self.setting.model
        q = model.columns
        kept, sizes = np.empty((cycles, self.theta.size)), np.empty(cycles, dtype=np.int64)
        rows = cycles if detail else 0
        totals = np.empty((rows, model.statistics))
        grams = np.empty((rows, (q + 1) * (q + 2) // 2))
        kernels.regression_run(
            *setting.pieces[3:],
            self.rng,
            np.array(model.hyper, dtype=float),
            np.array(self.release.s, dtype=float),
            np.array(setting.mechanism.noise(model.sensitivity)),
            float(self.release.n_dp or 0),
            np.array(setting.count.noise(1.0)),
            np.array(setting.sizes.numbers(), dtype=float),
            setting.sizes.least,
            bool(getattr(model, "leaks", False)),
            setting.pieces[3] is kernels.laplace_release,
            self.u,
            self.stats,
            self.size,
            self.theta,
            self.fixed,
            self.known,
            self.jumps,
            self.block,
            self.steps,
            self.exact_steps,
            self.walk,
            *self.scales.tolist(),
            self.tally,
            kept,
            sizes,
            totals,
            grams,
            slopes,
            live_words(self.rng),
            cycles,
            q == 3,
        )
        return kept, sizes, totals, grams

    def _psi(self, kept: Floats, sizes: Integers) -> Floats:
        """States in the coordinates of the random walk."""
        p = self.setting.model.columns - 1
        psi = np.concatenate([np.log(sizes + 0.5)[:, None], kept], axis=1)
        positive = [p + 2, *(1 + 2 * p + 2 + j * (j + 1) // 2 + j for j in range(p))]
        psi[:, positive] = np.log(psi[:, positive])
        return psi

    def _adapt(self, seen: Integers) -> None:
        """Set covariance and scales by the tally and the second half of the history."""
        psi = np.concatenate(self._history)
        psi = psi[len(psi) // 2 :]
        if len(psi) > 4 * psi.shape[1]:
            covariance = np.cov(psi.T) + 1e-8 * np.eye(psi.shape[1])
            if self.known:
                covariance[0] = covariance[:, 0] = 0.0
                covariance[0, 0] = 1.0
            self.walk = np.ascontiguousarray(np.linalg.cholesky(covariance))
            if self.known:
                self.walk[0, 0] = 0.0
        pairs = (
            (kernels.WALKED, WALK_TARGET),
            (kernels.EXACT, EXACT_TARGET),
            (kernels.KEPT_TOTALS, SLIDE_TARGET),
        )
        for k, (at, target) in enumerate(pairs):
            if seen[at]:
                change = seen[at + 1] / seen[at] - target
                self.scales[k] = min(max(self.scales[k] * math.exp(1.5 * change), 1e-4), 5.0)

    def acceptance(self) -> dict[str, float]:
        """Return the shares of accepted moves, by kind of move."""
        kinds = (
            ("swaps", kernels.SWAPS),
            ("births", kernels.BIRTHS),
            ("deaths", kernels.DEATHS),
            ("surrogate walks", kernels.WALKED),
            ("moves that keep the totals", kernels.KEPT_TOTALS),
            ("exact decisions", kernels.DECIDED),
            ("exact walks", kernels.EXACT),
        )
        return {
            name: float(self.tally[at + 1] / self.tally[at]) for name, at in kinds if self.tally[at]
        }

    # --- what is kept of a chain -----------------------------------------------------------------------

    def _arrays(self) -> dict[str, Any]:
        history = np.concatenate(self._history) if self._history else np.empty((0, 0))
        window = np.zeros(kernels.ALL_TALLIES, dtype=np.int64) + getattr(self, "_window", 0)
        return {
            "theta": self.theta,
            "u": self.u,
            "stats": self.stats,
            "size": self.size,
            "tally": self.tally,
            "walk": self.walk,
            "scales": self.scales,
            "history": history if self.cycles < self.warm_up else np.empty((0, 0)),
            "window": window,
        }

    def _said(self) -> dict[str, Any]:
        names = (
            "jumps",
            "block",
            "steps",
            "exact_steps",
            "warm_up",
            "cycles",
            "limit",
            "known",
            "fixed",
        )
        return {name: getattr(self, name) for name in names}

    def _restore(self, said: dict[str, Any], arrays: dict[str, Any]) -> None:
        for name, value in said.items():
            setattr(self, name, value)
        for name in ("theta", "u", "stats", "size", "tally", "walk", "scales"):
            setattr(self, name, np.ascontiguousarray(arrays[name]))
        self._history = [arrays["history"]] if arrays["history"].size else []
        self._window = arrays["window"]


def sample_regression(
    setting: Setting,
    release: Release,
    rng: Generator | None = None,
    *,
    chains: int = 4,
    cycles: int = 2000,
    ess: float | None = 400.0,
    most_cycles: int = 128_000,
    starts: Sequence[int] | None = None,
    workers: int = 1,
    warm_up: int = 1000,
    **options: Any,
) -> Chains:
    """Run several `RegressionChain` until they have converged, or as long as is allowed.

    Parameters
    ----------
    setting : Setting
    release : Release
    rng : numpy.random.Generator, optional
        A stream is spawned from it for each chain.
    chains : int
        >= 1.
    cycles : int
        To start with, after the warm-up; >= 8.
    ess : float or None
        As in `samplers.sample`: chains are made twice as long until they have it.
    most_cycles : int
        No chain gets longer.
    starts : sequence of int, optional
        Numbers of records, one for each chain; scattered around n_dp when None.
    workers : int
        Threads; the draws do not depend on them.
    warm_up : int
    **options
        Of `RegressionChain`.

    Returns
    -------
    Chains

    Raises
    ------
    ValueError
        As `RegressionChain`, and a number outside its range.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import Laplace, Setting, models
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(0, 1, (150, 1))
    >>> rows = np.c_[x, 1 - x + rng.normal(0, 1, (150, 1))]
    >>> setting = Setting(models.linear_regression(1), Laplace(3.0), Laplace(1.0))
    >>> release = setting.release(rows, rng)
    >>> found = sample_regression(setting, release, rng, chains=2, cycles=200, ess=None)
    >>> found.sizes.shape
    (2, 200)
    """
    rng = generator(rng)
    wanted = 400.0 if ess is None else number("ess", ess, "> 0")
    return converging(
        setting,
        release,
        rng,
        lambda stream, start: RegressionChain(
            setting, release, stream, start=start, warm_up=warm_up, **options
        ),
        chains=count("chains", chains),
        cycles=count("cycles", cycles, 8),
        burn_in=0,
        warm_up=warm_up,
        wanted=wanted,
        adapt=ess is not None,
        most=count("most_cycles", most_cycles),
        starts=starts,
        workers=count("workers", workers),
    )
