"""Algorithm 1: chains on the parameter, the records and their number, given a noisy release.

With `Known` for the number it is the data augmentation of Ju et al. (2022). A chain is stopped and
resumed bit for bit. Several chains come back as `Chains`, which says whether they have converged.
"""

from __future__ import annotations

import html
import io
import json
import math
import os
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self
from zipfile import BadZipFile

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.privacy import diagnostics
from dpbook.privacy.reading import count, generator, number
from dpbook.teaching import figures
from dpbook.unknown_sample_size import kernels
from dpbook.unknown_sample_size.mechanisms import Known
from dpbook.unknown_sample_size.problem import Problem, Release

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Deaths = Literal["last", "anywhere", "appended", "no ratio"]

CONJUGATE = (
    kernels.bernoulli_update,
    kernels.multinomial_update,
    kernels.finite_update,
    kernels.normal_update,
)
DEATHS = {
    "last": kernels.LAST,
    "anywhere": kernels.ANYWHERE,
    "appended": kernels.APPEND_ANYWHERE,
    "no ratio": kernels.NO_RATIO,
}
R_HAT = 1.01  # of a parameter that has converged
MOST_ROWS = 10**8


class Held(ABC):
    """A chain that is written to a file and read back: `save` and `resume`."""

    setting: Problem
    release: Release
    rng: Generator
    cycles: int

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.setting.model}, {self.cycles} cycles)"

    @abstractmethod
    def _said(self) -> dict[str, Any]:
        """Options and counters, as JSON has them."""

    @abstractmethod
    def _arrays(self) -> dict[str, Any]:
        """Arrays of the state."""

    @abstractmethod
    def _restore(self, said: dict[str, Any], arrays: dict[str, Any]) -> None:
        """Take both back."""

    @abstractmethod
    def advance(self, cycles: int) -> Any:
        """Run cycles."""

    @abstractmethod
    def acceptance(self) -> dict[str, float]:
        """Return the shares of accepted moves, by kind of move."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state to a file, whole or not at all; `resume` goes on from there bit for bit."""
        said = {
            "kind": type(self).__name__,
            "setting": _told(self.setting),
            "release": repr((self.release.s, self.release.n_dp)),
            "generator": self.rng.bit_generator.state,
            "options": self._said(),
        }
        buffer = io.BytesIO()
        np.savez(buffer, said=np.array(json.dumps(said, default=_plain)), **self._arrays())
        target = Path(path)
        part = target.with_name(target.name + ".part")
        part.write_bytes(buffer.getvalue())
        os.replace(part, target)

    @classmethod
    def resume(cls, path: str | os.PathLike[str], setting: Problem, release: Release) -> Self:
        """Go on with a chain that was saved: its further states are the same as without the stop.

        Raises
        ------
        ValueError
            The file holds no chain, or one of another setting or release.
        """
        try:
            # NumPy leaves a damaged file open, so it is read here
            with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as held:
                said = json.loads(str(held["said"]))
                arrays = {name: held[name] for name in held.files if name != "said"}
            if said["kind"] != cls.__name__:
                raise ValueError(f"it is a {said['kind']}")
        except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error) as error:
            raise ValueError(f"{path} must hold a saved {cls.__name__}: {error}") from None
        if said["setting"] != _told(setting):
            raise ValueError(f"{path} holds a chain of {said['setting']}, got {_told(setting)}")
        if said["release"] != repr((release.s, release.n_dp)):
            raise ValueError(f"{path} holds a chain for another release, got {release!r}")
        chain = cls.__new__(cls)
        chain.setting, chain.release = setting, release
        bits = getattr(np.random, said["generator"]["bit_generator"])()
        bits.state = said["generator"]
        chain.rng = Generator(bits)
        chain._restore(said["options"], arrays)
        return chain


def _told(setting: Problem) -> str:
    """Write a setting with all numbers and pieces of its model, as far as they show in text."""
    model = setting.model
    pieces = (getattr(model, one.name) for one in fields(model))
    plain = (getattr(piece, "py_func", piece) for piece in pieces)  # under Numba's functions
    names = [f"{p.__module__}.{p.__qualname__}" if callable(p) else repr(p) for p in plain]
    return f"{setting!r} with {', '.join(names)}"


class Chain(Held):
    """Run one chain of Algorithm 1.

    Parameters
    ----------
    setting : Setting
    release : Release
    rng : numpy.random.Generator, optional
        Owned by the chain from here on.
    jumps : int
        Steps of the number of records in a cycle, >= 0; the paper takes 1.
    block : int
        Every second jump is by so many rows, >= 1.
    deaths : {"last", "anywhere", "appended", "no ratio"}
        Which rows die. "last" is the paper's; "anywhere" lets rows be born into a random slot and
        die in a random slot, also right. The others are wrong, to be seen: rows are appended and die
        anywhere, as in the authors' code, which an ordered sweep does not forgive; or the ratio of q
        in (5) is left out.
    start : int, optional
        Number of records to start from; near n_dp when None.
    theta : array, optional
        To start from; a draw from the prior when None.
    fixed : bool
        Keep theta as it is, as Algorithm 2 does.
    renew : int
        After every so many cycles all is offered anew: theta from its prior, and all records from the
        model. 0: never, as in the paper. It pays where noise hides the sum of the records (epsilon .1 or
        less with 100 records), for given its records theta moves by their standard error alone; and with
        it blocks of 1 / (4 epsilon) rows.

    Raises
    ------
    ValueError
        A release that the mechanisms cannot make, an option outside its range, records outside the
        support of the model.

    Notes
    -----
    An offer is taken with probability min(1, g(s | offered records) / g(s | records)): the density of
    theta and records stands in the posterior and in the offer, so that the noise alone is left.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import DiscreteLaplace, Release, Setting, models
    >>> setting = Setting(models.bernoulli(), DiscreteLaplace(1.0), DiscreteLaplace(0.2))
    >>> chain = Chain(setting, Release((12.0,), 30.0), np.random.default_rng(1))
    >>> thetas, sizes = chain.advance(100)
    >>> thetas.shape, sizes.shape
    ((100, 1), (100,))
    """

    def __init__(
        self,
        setting: Problem,
        release: Release,
        rng: Generator | None = None,
        *,
        jumps: int = 100,
        block: int = 1,
        deaths: Deaths = "last",
        start: int | None = None,
        theta: ArrayLike | None = None,
        fixed: bool = False,
        renew: int = 0,
    ) -> None:
        setting.check(release)
        if deaths not in DEATHS:
            raise ValueError(f"deaths must be {', '.join(DEATHS)}, got {deaths!r}")
        self.setting, self.release, self.rng = setting, release, generator(rng)
        self.jumps, self.block = count("jumps", jumps, 0), count("block", block)
        if self.block > 1 and deaths != "last":
            raise ValueError(f'block must be 1 where deaths is not "last", got {self.block}')
        if isinstance(setting.count, Known) and release.n_dp is not None:
            self.jumps, start = 0, int(release.n_dp)
        self.deaths, self.fixed, self.renew = deaths, fixed, count("renew", renew, 0)
        if self.renew and setting.model.update not in CONJUGATE:
            raise ValueError(
                f"renew must be 0 for {setting.model.name}: without records its update is no draw from the "
                "prior, as it is for bernoulli, multinomial, finite and normal_mean"
            )
        least = setting.sizes.least
        if start is None:
            start = setting.sizes.nearest(least if release.n_dp is None else release.n_dp)
        n = count("start", start, least, MOST_ROWS)
        if not np.isfinite(setting.sizes.log_mass(np.array([n])))[0]:
            raise ValueError(f"start must have positive prior mass, got {n} under {setting.sizes}")
        model = setting.model
        self.theta = np.array(model.prior(self.rng) if theta is None else theta, dtype=float)
        if self.theta.shape != (len(model.parameters),):
            raise ValueError(
                f"theta must have {len(model.parameters)} numbers, got {self.theta.shape}"
            )
        model.draw(self.theta, 1000, np.random.default_rng(0))  # a sampler gone wrong is seen here
        room = n + self._reach
        self.rows, self.stats = np.zeros((room, model.columns)), np.zeros((room, model.statistics))
        self.size, self.tally = np.array([n]), np.zeros(kernels.TALLIES, dtype=np.int64)
        self.cycles = 0
        self._constants()
        record, statistic = setting.pieces[1:3]
        arguments = (self.theta, self._hyper, self._s, self.rows, self.stats, n)
        kernels.fill(record, statistic, self.rng, *arguments)

    def _constants(self) -> None:
        setting, release = self.setting, self.release
        self._hyper = np.array(setting.model.hyper, dtype=float)
        self._s = np.array(release.s, dtype=float)
        self._noise = np.array(setting.mechanism.noise(setting.model.sensitivity))
        self._count_noise = np.array(setting.count.noise(1.0))
        self._prior = np.array(setting.sizes.numbers(), dtype=float)
        self._n_dp = 0.0 if release.n_dp is None else float(release.n_dp)

    @property
    def _reach(self) -> int:
        """Rows by which a cycle may grow."""
        return max(1, self.jumps) * self.block

    @property
    def n(self) -> int:
        """Number of records now."""
        return int(self.size[0])

    @property
    def records(self) -> Floats:
        """The records now, shape (n, columns)."""
        return self.rows[: self.n]

    def advance(self, cycles: int) -> tuple[Floats, Integers]:
        """Run cycles; return theta after each, shape (cycles, k), and n, shape (cycles,).

        Raises
        ------
        ValueError
            A number of cycles < 1.
        """
        cycles = count("cycles", cycles)
        kept, sizes = np.empty((cycles, self.theta.size)), np.empty(cycles, dtype=np.int64)
        at = 0
        while at < cycles:
            run: Any = kernels.run
            at = run(
                *self.setting.pieces,
                self.rng,
                self._hyper,
                self._s,
                self._noise,
                self._n_dp,
                self._count_noise,
                self._prior,
                self.rows,
                self.stats,
                self.size,
                self.theta,
                self.setting.sizes.least,
                self.jumps,
                self.block,
                DEATHS[self.deaths],
                self.fixed,
                self.tally,
                kept,
                sizes,
                at,
                cycles,
                self.setting.inlined,
                self.cycles,
                self.renew,
            )
            if at < cycles:
                self._grow()
        self.cycles += cycles
        return kept, sizes

    def _grow(self) -> None:
        """Double the room for rows: memory stays proportional to the largest n."""
        room = 2 * self.n + self._reach
        for name in ("rows", "stats"):
            old = getattr(self, name)
            new = np.zeros((room, old.shape[1]))
            new[: self.n] = old[: self.n]
            setattr(self, name, new)

    def acceptance(self) -> dict[str, float]:
        """Return the shares of accepted moves, by kind of move that was tried."""
        kinds = (
            ("swaps", kernels.SWAPS),
            ("births", kernels.BIRTHS),
            ("deaths", kernels.DEATHS),
            ("renewals", kernels.RENEWALS),
        )
        return {n: float(self.tally[at + 1] / self.tally[at]) for n, at in kinds if self.tally[at]}

    def _said(self) -> dict[str, Any]:
        names = ("cycles", "jumps", "block", "deaths", "fixed", "renew")
        return {name: getattr(self, name) for name in names}

    def _arrays(self) -> dict[str, Any]:
        n = self.n
        return {
            "theta": self.theta,
            "rows": self.rows[:n],
            "stats": self.stats[:n],
            "tally": self.tally,
        }

    def _restore(self, said: dict[str, Any], arrays: dict[str, Any]) -> None:
        for name, value in said.items():
            setattr(self, name, value)
        for name, value in arrays.items():
            setattr(self, name, np.ascontiguousarray(value))
        self.size = np.array([len(self.rows)])
        self._constants()
        self._grow()


def _plain(value: Any) -> Any:
    """Return a bit generator's state as JSON takes it."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else str(value)


# --- several chains --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Chains:
    """Draws of several chains, after the burn-in, and whether they have converged.

    Attributes
    ----------
    parameters : tuple of str
    draws : array
        Shape (chains, kept, k).
    sizes : array of int
        Numbers of records, shape (chains, kept).
    starts : tuple of int
        Numbers of records that the chains started from.
    acceptance : dict of str to float
        Share of swaps, births and deaths that were accepted, and of other moves, by name.
    bounds : (float, float) or None
        Least acceptance of swaps and jumps by proposition 5.1.
    wanted : float
        Effective sample size that was asked for, of each parameter and n.
    faults : tuple of str
        Keys of refuted claims that the chain rests on.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import DiscreteLaplace, Release, Setting, models
    >>> setting = Setting(models.bernoulli(), DiscreteLaplace(1.0), DiscreteLaplace(0.2))
    >>> from dpbook.unknown_sample_size import sample
    >>> rng = np.random.default_rng(1)
    >>> chains = sample(setting, Release((12.0,), 30.0), rng, cycles=200, ess=None)
    >>> chains.sizes.shape
    (4, 100)
    """

    parameters: tuple[str, ...]
    draws: Floats
    sizes: Integers
    starts: tuple[int, ...]
    acceptance: Mapping[str, float]
    bounds: tuple[float, float] | None = None
    wanted: float = 400.0
    faults: tuple[str, ...] = ()

    def of(self, name: str) -> Floats:
        """Draws of a parameter, or of n, shape (chains, kept).

        Raises
        ------
        ValueError
            There is no such parameter.
        """
        if name == "n":
            return self.sizes.astype(float)
        if name not in self.parameters:
            raise ValueError(f"name must be n or one of {', '.join(self.parameters)}, got {name}")
        found: Floats = self.draws[:, :, self.parameters.index(name)]
        return found

    @cached_property
    def rows(self) -> tuple[Mapping[str, Any], ...]:
        """For each parameter and n: mean, sd, effective sample size, R-hat."""
        return tuple(
            {
                "name": name,
                "mean": float(self.of(name).mean()),
                "sd": float(self.of(name).std()),
                "ess": diagnostics.ess(self.of(name)),
                "r_hat": diagnostics.r_hat(self.of(name)),
            }
            for name in (*self.parameters, "n")
        )

    @property
    def constant(self) -> tuple[str, ...]:
        """Return the names of quantities that never changed in any chain: no diagnostic covers them."""
        return tuple(row["name"] for row in self.rows if math.isnan(row["r_hat"]))

    @property
    def least_ess(self) -> float:
        """Return the smallest effective sample size of quantities that change."""
        return min((r["ess"] for r in self.rows if not math.isnan(r["ess"])), default=math.inf)

    @property
    def largest_r_hat(self) -> float:
        """Return the largest R-hat of quantities that change."""
        return max((r["r_hat"] for r in self.rows if not math.isnan(r["r_hat"])), default=1.0)

    @property
    def converged(self) -> bool:
        """Say whether every R-hat is below 1.01 and every effective sample size as wanted."""
        return self.largest_r_hat < R_HAT and self.least_ess >= self.wanted

    def _verdict(self) -> str:
        if self.converged:
            return "converged"
        worst = max(self.rows, key=lambda row: (row["r_hat"] >= R_HAT, -row["ess"]))
        return (
            f"NOT converged: {worst['name']} has R-hat {worst['r_hat']:.3f} and effective sample "
            f"size {worst['ess']:.0f}, wanted < {R_HAT} and >= {self.wanted:.0f}"
        )

    def __repr__(self) -> str:
        shown = ", ".join(f"{r['name']}={r['mean']:.4g}+-{r['sd']:.3g}" for r in self.rows)
        return f"Chains({len(self.draws)} x {self.draws.shape[1]}, {shown}; {self._verdict()})"

    def _repr_html_(self) -> str:
        table = figures.html_table(self.rows)
        return f"{table}<p>{html.escape(self.describe())}</p>"

    def describe(self) -> str:
        """Return the words for the picture."""
        size = self.rows[-1]
        accepted = ", ".join(f"{name} {share:.3f}" for name, share in self.acceptance.items())
        still = (
            f" {', '.join(self.constant)} never changed: R-hat says nothing of it."
            if self.constant
            else ""
        )
        least = ""
        if self.bounds:
            least = f" (proposition 5.1: swaps at least {self.bounds[0]:.3f}"
            least += (
                "" if math.isnan(self.bounds[1]) else f", jumps at least {self.bounds[1]:.3f}"
            ) + ")"
        return (
            f"{len(self.draws)} chains of {self.draws.shape[1]} states from n = "
            f"{', '.join(map(str, self.starts))}: the number of records is {size['mean']:.1f} with "
            f"standard deviation {size['sd']:.2f}; {self._verdict()}.{still} "
            f"Accepted: {accepted}{least}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None, name: str = "n") -> Axes:
        """Draw the path of n, or of a parameter, in each chain."""
        ax = ax or figures.axes()
        every = max(1, self.draws.shape[1] // 1000)
        for path, start in zip(self.of(name), self.starts, strict=True):
            at = np.arange(1, path.size + 1)[::every]
            ax.plot(at, path[::every], "-", linewidth=0.9, label=f"from n = {start}")
        ax.set_xlabel("cycle after the burn-in")
        ax.set_ylabel("number of records" if name == "n" else name)
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
        return ax

    def to_arviz(self) -> Any:
        """Return the draws as ArviZ `InferenceData`, n among the parameters.

        Raises
        ------
        ImportError
            ArviZ is not installed; it is in the extra infer.
        """
        held = {name: self.of(name) for name in (*self.parameters, "n")}
        return diagnostics.arviz().from_dict(
            posterior=held, attrs={"converged": int(self.converged)}
        )


def scattered(setting: Problem, release: Release, chains: int) -> tuple[int, ...]:
    """Starts for n, overdispersed around n_dp: from a third of it to three times it."""
    least = setting.sizes.least
    if isinstance(setting.count, Known):
        return (int(release.n_dp or least),) * chains
    centre = max(float(release.n_dp or 0), least + 9.0)
    spread = 3.0 ** np.linspace(-1, 1, chains) if chains > 1 else np.ones(1)
    return tuple(setting.sizes.nearest(centre * one) for one in spread)


def sample(
    setting: Problem,
    release: Release,
    rng: Generator | None = None,
    *,
    chains: int = 4,
    cycles: int = 2000,
    burn_in: int | None = None,
    ess: float | None = 400.0,
    most: int = 128_000,
    starts: Sequence[int] | None = None,
    workers: int = 1,
    **options: Any,
) -> Chains:
    """Run several chains of Algorithm 1 until they have converged, or as long as is allowed.

    Parameters
    ----------
    setting : Setting
    release : Release
    rng : numpy.random.Generator, optional
        A stream is spawned from it for each chain.
    chains : int
        >= 1.
    cycles : int
        To start with, burn-in included; >= 8.
    burn_in : int, optional
        Cycles left out at the beginning; always half of them when None.
    ess : float or None
        Effective sample size wanted of each parameter and of n, together with R-hat < 1.01: chains
        are made twice as long until they have it. None: `cycles`, no more.
    most : int
        No chain gets longer.
    starts : sequence of int, optional
        Numbers of records, one for each chain; scattered around n_dp when None.
    workers : int
        Threads; the draws do not depend on them.
    **options
        Of `Chain`.

    Returns
    -------
    Chains

    Raises
    ------
    ValueError
        As `Chain`, and a number outside its range.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import DiscreteLaplace, Release, Setting, models
    >>> setting = Setting(models.bernoulli(), DiscreteLaplace(1.0), DiscreteLaplace(0.2))
    >>> chains = sample(setting, Release((12.0,), 30.0), np.random.default_rng(1), cycles=200, ess=None)
    >>> chains.sizes.shape
    (4, 100)
    """
    rng = generator(rng)
    chains, cycles = count("chains", chains), count("cycles", cycles, 8)
    if burn_in is not None and not count("burn_in", burn_in, 0) < cycles - 3:
        raise ValueError(f"burn_in must be < cycles - 3 = {cycles - 3}, got {burn_in}")
    return converging(
        setting,
        release,
        rng,
        lambda stream, start: Chain(setting, release, stream, start=start, **options),
        chains=chains,
        cycles=cycles,
        burn_in=burn_in,
        warm_up=0,
        wanted=400.0 if ess is None else number("ess", ess, "> 0"),
        adapt=ess is not None,
        most=count("most", most),
        starts=starts,
        workers=count("workers", workers),
    )


def converging(
    setting: Problem,
    release: Release,
    rng: Generator,
    begin: Callable[[Generator, int], Held],
    *,
    chains: int,
    cycles: int,
    burn_in: int | None,
    warm_up: int,
    wanted: float,
    adapt: bool,
    most: int,
    starts: Sequence[int] | None,
    workers: int,
) -> Chains:
    """Run chains, and twice as long while they have not converged; half is left out without `burn_in`."""
    setting.check(release)
    starts = tuple(starts) if starts is not None else scattered(setting, release, chains)
    if len(starts) != chains:
        raise ValueError(
            f"starts must have {chains} numbers, one for each chain, got {len(starts)}"
        )
    running = [begin(*one) for one in zip(rng.spawn(chains), starts, strict=True)]
    parts: list[list[tuple[Floats, Integers]]] = [[] for _ in running]
    done, length = 0, cycles
    with ThreadPoolExecutor(workers) as pool:
        if warm_up:
            list(pool.map(_advanced, running, [warm_up] * chains))
        while True:
            found = pool.map(_advanced, running, [length - done] * chains)
            for held, part in zip(parts, found, strict=True):
                held.append(part)
            done = length
            first = done // 2 if burn_in is None else burn_in
            shares = [one.acceptance() for one in running]
            result = Chains(
                setting.model.parameters,
                np.stack([np.concatenate([d for d, _ in held])[first:] for held in parts]),
                np.stack([np.concatenate([n for _, n in held])[first:] for held in parts]),
                starts,
                {name: float(np.mean([one[name] for one in shares])) for name in shares[0]},
                setting.acceptance_bounds(),
                wanted,
                _faults(setting, getattr(running[0], "deaths", "last")),
            )
            if not adapt or result.converged or 2 * done > most:
                return result
            length = 2 * done


def _advanced(chain: Held, cycles: int) -> Any:
    return chain.advance(cycles)


def _faults(setting: Problem, deaths: str) -> tuple[str, ...]:
    named = {"appended": "append-and-die-anywhere", "no ratio": "no-q-ratio"}
    found = [named[deaths]] if deaths in named else []
    if getattr(setting.model, "leaks", False):
        found.append("leaked-n")
    return tuple(f"unknown_sample_size:note-{one}" for one in found)
