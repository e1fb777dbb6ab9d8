"""The time-use application (section 6.2): how 6656 people divide a day, without a row of theirs.

The release depends on the records through their number and three sums of logarithms only, and
those four numbers ship with the package. So the experiment runs exactly without any records; and, given
the number, the sums' own distribution replaces the rows: a chain on (n, S, alpha) takes seconds where a chain
on 6656 rows crawls.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import betainc

from dpbook.privacy.datasets import shipped as shipped
from dpbook.privacy.reading import count, generator, number
from dpbook.unknown_sample_size import kernels
from dpbook.unknown_sample_size.mechanisms import Known, Laplace
from dpbook.unknown_sample_size.models.compositions import dirichlet
from dpbook.unknown_sample_size.problem import Release
from dpbook.unknown_sample_size.samplers import Chains, Held, converging
from dpbook.unknown_sample_size.setting import Setting

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PARTS = ("personal care", "eating and drinking", "all else")
MINUTES = 1440
REACHED = 0.05  # records that may lie below a clamp that is taken for out of reach
ALPHA = (12.604, 1.594, 17.156)  # maximum likelihood estimate from the records


@dataclass(frozen=True, eq=False)
class Compositions:
    """Hold shares of the day, or the sums of them that the releases need.

    Attributes
    ----------
    n : int
        Number of records.
    sums : tuple of float
        Sums of the logarithms of the shares, clamped at one minute.
    shares : array or None
        Shape (n, 3), where the records are there.
    source : str
    """

    n: int
    sums: tuple[float, ...]
    shares: Floats | None = None
    source: str = ""

    def __repr__(self) -> str:
        sums = ", ".join(f"{one:.5f}" for one in self.sums)
        return f"Compositions(n={self.n}, sums=({sums}), {self.source})"


def load_time_use(path: str | os.PathLike[str] | None = None) -> Compositions:
    """Read the American Time Use Survey of 2019.

    Parameters
    ----------
    path : path, optional
        A CSV of compositions whose last three columns are shares that sum to 1; the activity summary
        file of the Bureau of Labor Statistics (``atussum_2019.dat``), of which personal care is the
        sum of the columns ``t01...``, eating and drinking the sum of ``t11...``, in minutes; or a folder
        of such files. Without it the four numbers that ship with the package.

    Returns
    -------
    Compositions

    Raises
    ------
    ValueError
        A file that is neither, shares that are not in (0, 1] or do not sum to 1.

    Notes
    -----
    The paper keeps 6656 of 9435 respondents and does not say which. Of the microdata, those are kept
    here whose three shares are all positive.

    Examples
    --------
    >>> load_time_use().n
    6656
    """
    if path is None:
        held = json.loads(shipped("time_use_2019.json").read_text())
        return Compositions(held["n"], tuple(held["sums_of_logarithms"]), None, "four numbers")
    place = Path(path)
    files = sorted([*place.glob("*.csv"), *place.glob("*.dat")]) if place.is_dir() else [place]
    if not files:
        raise ValueError(f"{place} must hold a .csv or .dat file, got none")
    shares = np.concatenate([_shares(file) for file in files])
    sums = np.log(np.maximum(shares, 1 / MINUTES)).sum(axis=0)
    return Compositions(len(shares), tuple(sums.tolist()), shares, place.name)


def _shares(path: Path) -> Floats:
    try:
        with path.open(newline="") as file:
            lines = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"cannot read {path}: {error}") from None
    if len(lines) < 2:
        raise ValueError(f"{path} must have a header and records, got {len(lines)} lines")
    header = [name.strip().strip('"').lower() for name in lines[0]]
    try:
        if "tucaseid" in header:  # the activity summary file
            care = [i for i, name in enumerate(header) if name.startswith("t01")]
            eating = [i for i, name in enumerate(header) if name.startswith("t11")]
            if not care or not eating:
                raise ValueError("it has no columns t01... and t11...")
            minutes = np.array(
                [
                    [sum(float(line[i]) for i in care), sum(float(line[i]) for i in eating)]
                    for line in lines[1:]
                    if line
                ]
            )
            shares = np.c_[minutes, MINUTES - minutes.sum(axis=1)] / MINUTES
            return np.ascontiguousarray(shares[(shares > 0).all(axis=1)])
        shares = np.array([[float(cell) for cell in line[-3:]] for line in lines[1:] if line])
    except (ValueError, IndexError) as error:
        raise ValueError(
            f"{path} must hold compositions or the activity summary: {error}"
        ) from None
    good = (shares > 0).all(axis=1) & (np.abs(shares.sum(axis=1) - 1) < 1e-6)
    if not good.all():
        worst = int(np.argmin(good))
        raise ValueError(
            f"shares must be in (0, 1] and sum to 1, got {shares[worst].tolist()} in line {worst + 2} "
            f"of {path}"
        )
    return shares


def stand_in(
    rng: Generator | None = None, n: int = 6656, alpha: Sequence[float] = ALPHA
) -> Compositions:
    """Draw compositions in whole minutes that look like the survey's, for pictures only.

    Dirichlet shares, rounded to minutes, at least one of each; all else takes what is left.
    """
    rng = generator(rng)
    minutes = np.maximum(np.round(rng.dirichlet(alpha, count("n", n)) * MINUTES), 1)
    minutes[:, -1] = MINUTES - minutes[:, :-1].sum(axis=1)
    shares = np.maximum(minutes, 1) / MINUTES
    shares /= shares.sum(axis=1, keepdims=True)
    sums = np.log(np.maximum(shares, 1 / MINUTES)).sum(axis=0)
    return Compositions(n, tuple(sums.tolist()), shares, "drawn, not observed")


def time_use_setting(
    epsilon_s: float, epsilon_n: float | None, clamp: float = 1 / MINUTES
) -> Setting:
    """The setting of section 6.2; no `epsilon_n`: the number of records is public.

    Parameters
    ----------
    epsilon_s : float
        For the sums of logarithms.
    epsilon_n : float or None
        For the number of records; None: it is public.
    clamp : float
        Shares below are taken for it.

    Examples
    --------
    >>> time_use_setting(1.0, 0.1).epsilon
    1.1
    """
    noise = Known() if epsilon_n is None else Laplace(epsilon_n)
    return Setting(dirichlet(3, clamp=clamp), Laplace(epsilon_s), noise)


FIGURE_1 = time_use_setting(1.0, 0.01)
"""A panel of the paper's Figure 1: time use, epsilon_s = 1, epsilon_n = 0.01."""


class SumsChain(Held):
    """Run one chain on (n, S, alpha) for Dirichlet records under Laplace noise, without rows.

    Parameters
    ----------
    setting : Setting
        Its model is `models.dirichlet` with three parts, its mechanism `Laplace`.
    release : Release
    rng : numpy.random.Generator, optional
        Owned by the chain from here on.
    clamped : int or None
        The part whose shares reach the clamp: it is treated exactly, the clamps of the others are
        taken for out of reach. None: no clamp, twice as fast.
    corrected : bool
        The saddlepoint's density of S with its correction of order 1 / n.
    start : int, optional
        Number of records to start from; near n_dp when None.

    Raises
    ------
    ValueError
        A release that the mechanisms cannot make, another model or mechanism, noisy sums that no
        number of records near the start can have.

    Notes
    -----
    One record has no density of S: n >= 2.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import load_time_use, time_use_setting
    >>> held, setting = load_time_use(), time_use_setting(10.0, 1.0)
    >>> release = setting.release_sums(held.sums, held.n, np.random.default_rng(6))
    >>> chain = SumsChain(setting, release, np.random.default_rng(7))
    >>> thetas, sizes = chain.advance(20)
    >>> thetas.shape
    (20, 3)
    """

    def __init__(
        self,
        setting: Setting,
        release: Release,
        rng: Generator | None = None,
        *,
        clamped: int | None = 1,
        corrected: bool = True,
        start: int | None = None,
    ) -> None:
        setting.check(release)
        model = setting.model
        if model.name != "dirichlet" or model.statistics != 3:
            raise ValueError(f"the model must be dirichlet with three parts, got {model!r}")
        if type(setting.mechanism) is not Laplace:
            raise ValueError(f"the mechanism must be Laplace, got {setting.mechanism}")
        if clamped is not None and clamped not in range(3):
            raise ValueError(f"clamped must be 0, 1, 2 or None, got {clamped}")
        self.setting, self.release, self.rng = setting, release, generator(rng)
        self.corrected, self.fixed = bool(corrected), isinstance(setting.count, Known)
        least = max(2, setting.sizes.least)
        if self.fixed or start is None:
            start = max(least, setting.sizes.nearest(release.n_dp or 0))
        n = count("start", start, least)
        self.clamped = -1 if clamped is None else clamped
        s = np.array(release.s)
        self.alpha, self.S = np.empty(3), np.minimum(s, -1e-3)
        # sums that n records can have: closer to zero they would need more records than n
        shortest = math.log(0.9 / 3) * n
        if np.exp(self.S / n).sum() >= 0.95:
            self.S = np.minimum(self.S, shortest)
        self.size, self.tally, self.cycles = np.array([n]), np.zeros(6, dtype=np.int64), 0
        self.alpha[:] = 1.0
        self.held = np.full(7, np.nan)
        if not kernels.solve_mean(self.S / n, self.alpha):
            raise ValueError(
                f"s must be near sums of logarithms that {n} records can have, got {release!r}; "
                "name another start"
            )
        self._near()

    def _near(self) -> None:
        """Scales of the walk of n, from the noise of n and the estimate."""
        loss = self.setting.count.loss() or 1.0
        self.reach = 1.0 / loss
        self.size_scale = min(1.4 / loss, 80.0)
        self.local = self.release.n_dp is None or self.release.n_dp < 200

    @property
    def n(self) -> int:
        """Number of records now."""
        return int(self.size[0])

    def advance(self, cycles: int) -> tuple[Floats, Integers]:
        """Run iterations; return alpha after each, shape (cycles, 3), and n, shape (cycles,).

        Raises
        ------
        ValueError
            A number of iterations < 1.
        """
        cycles = count("cycles", cycles)
        kept, sizes = np.empty((cycles, 3)), np.empty(cycles, dtype=np.int64)
        setting = self.setting
        shape, rate, log_clamp = setting.model.hyper
        sums_run: Any = kernels.sums_run
        sums_run(
            *setting.pieces[4:],
            self.rng,
            np.array(self.release.s, dtype=float),
            float(setting.mechanism.noise(setting.model.sensitivity)[0]),
            float(self.release.n_dp or 0),
            np.array(setting.count.noise(1.0)),
            np.array(setting.sizes.numbers(), dtype=float),
            shape,
            rate,
            self.clamped,
            log_clamp,
            self.corrected,
            self.size_scale,
            self.reach,
            self.fixed,
            self.local,
            self.size,
            self.S,
            self.alpha,
            self.held,
            self.tally,
            kept,
            sizes,
            cycles,
        )
        self.cycles += cycles
        return kept, sizes

    def acceptance(self) -> dict[str, float]:
        """Return the shares of accepted moves, by kind of move."""
        kinds = ("walks", "independent draws", "local steps")
        return {
            name: float(self.tally[2 * k + 1] / self.tally[2 * k])
            for k, name in enumerate(kinds)
            if self.tally[2 * k]
        }

    def _said(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("clamped", "corrected", "fixed", "cycles")}

    def _arrays(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("alpha", "S", "held", "size", "tally")}

    def _restore(self, said: dict[str, Any], arrays: dict[str, Any]) -> None:
        for name, value in (said | arrays).items():
            setattr(self, name, value)
        self._near()


def sample_sums(
    setting: Setting,
    release: Release,
    rng: Generator | None = None,
    *,
    chains: int = 4,
    cycles: int = 4500,
    warm_up: int = 1500,
    ess: float | None = 400.0,
    most: int = 200_000,
    starts: Sequence[int] | None = None,
    clamped: int | None = 1,
    workers: int = 1,
) -> Chains:
    """Run several `SumsChain` until they have converged, or as long as is allowed.

    With the clamp, each chain begins with a run without it: far from the posterior that is surer.

    Parameters
    ----------
    setting : Setting
    release : Release
    rng : numpy.random.Generator, optional
        A stream is spawned from it for each chain.
    chains, cycles, warm_up : int
        Iterations to start with, and those before that are left out.
    ess : float or None
        As in `samplers.sample`.
    most : int
        No chain gets longer.
    starts : sequence of int, optional
        Numbers of records; .3, .8, 1.3 n_dp and n_dp + 10 000 when None and there are four chains.
    clamped : int or None
        As in `SumsChain`.
    workers : int
        Threads; the draws do not depend on them.

    Returns
    -------
    Chains

    Raises
    ------
    ValueError
        As `SumsChain`, and a number outside its range.

    Warns
    -----
    UserWarning
        A clamp that is taken for out of reach is not: the chain has another distribution then.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import load_time_use, time_use_setting
    >>> held, setting = load_time_use(), time_use_setting(10.0, 1.0)
    >>> release = setting.release_sums(held.sums, held.n, np.random.default_rng(6))
    >>> found = sample_sums(setting, release, np.random.default_rng(7), chains=2, cycles=400, ess=None)
    >>> found.sizes.shape
    (2, 400)
    """
    rng = generator(rng)
    if starts is None and chains == 4 and not isinstance(setting.count, Known):
        n_dp = float(release.n_dp or 1000.0)
        starts = [max(2, round(at)) for at in (0.3 * n_dp, 0.8 * n_dp, 1.3 * n_dp, n_dp + 1e4)]

    def begin(stream: Generator, start: int) -> Held:
        plain = SumsChain(setting, release, stream, start=start, clamped=None)
        if clamped is None:
            return plain
        plain.advance(max(1, warm_up))
        chain = SumsChain(setting, release, stream, start=plain.n, clamped=clamped)
        chain.S, chain.alpha = plain.S, plain.alpha
        return chain

    found = converging(
        setting,
        release,
        rng,
        begin,
        chains=count("chains", chains),
        cycles=count("cycles", cycles, 8),
        burn_in=0,
        warm_up=warm_up if clamped is None else max(1, warm_up // 4),
        wanted=400.0 if ess is None else number("ess", ess, "> 0"),
        adapt=ess is not None,
        most=count("most", most),
        starts=starts,
        workers=count("workers", workers),
    )
    _warn_of_clamps(setting, found, clamped)
    return found


def _warn_of_clamps(setting: Setting, found: Chains, clamped: int | None) -> None:
    """Warn where a clamp that is taken for out of reach is not."""
    clamp = math.exp(setting.model.hyper[2])
    every = max(1, found.draws.shape[1] // 100)
    alpha = found.draws[:, ::every].reshape(-1, 3)
    n = found.sizes[:, ::every].reshape(-1)
    for part in range(3):
        own = alpha[:, part]
        records = float(np.mean(n * betainc(own, alpha.sum(axis=1) - own, clamp)))
        if part != clamped and records > REACHED:
            warnings.warn(
                f"the clamp {clamp:.3g} of part {part} is reached by about {records:.2g} records, and "
                "is taken for out of reach: the posterior is too narrow; take Setting.sample, which "
                "keeps rows",
                stacklevel=3,
            )
            return


def fingerprint(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
