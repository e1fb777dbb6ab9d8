"""Simulation-based calibration: ranks of the truth among posterior draws are uniform, or something is wrong.

Talts, Betancourt, Simpson, Vehtari and Gelman, Validating Bayesian inference algorithms with
simulation-based calibration (2018). It tests model, mechanism, prior and sampler together.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.stats import chi2

from dpbook.privacy import diagnostics
from dpbook.privacy.reading import count, generator, number
from dpbook.privacy.value import Version
from dpbook.teaching import figures
from dpbook.unknown_sample_size.cells import sample_cells
from dpbook.unknown_sample_size.mechanisms import Mechanism
from dpbook.unknown_sample_size.problem import Release
from dpbook.unknown_sample_size.samplers import Chain
from dpbook.unknown_sample_size.setting import Setting

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

DRAWS = 99  # posterior draws that a truth is ranked among


@dataclass(frozen=True, eq=False)
class Calibration:
    """Ranks of true parameters, and of the true n, among posterior draws.

    Attributes
    ----------
    names : tuple of str
    ranks : array of int
        Shape (replicates, names), from 0 to 99; ties are broken at random.
    short : int
        Replicates whose chain had not reached the effective sample size asked for.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import Laplace, Poisson, Setting, calibrate, models
    >>> setting = Setting(models.bernoulli(), Laplace(1.0), Laplace(0.5), Poisson(8.0))
    >>> found = calibrate(setting, 4, np.random.default_rng(1), cycles=200, most=400)
    >>> found.ranks.shape
    (4, 2)
    """

    names: tuple[str, ...]
    ranks: NDArray[np.int64]
    short: int

    def p_values(self, bins: int = 10) -> dict[str, float]:
        """p-value of Pearson's statistic for uniform ranks, by name."""
        found = {}
        for k, name in enumerate(self.names):
            seen = np.bincount(self.ranks[:, k] * bins // (DRAWS + 1), minlength=bins)
            expected = len(self.ranks) / bins
            found[name] = float(chi2.sf(((seen - expected) ** 2 / expected).sum(), bins - 1))
        return found

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value:.2g}" for name, value in self.p_values().items())
        return f"Calibration({len(self.ranks)} replicates, {self.short} short; p-values {shown})"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>"

    def describe(self) -> str:
        """Return the words for the picture."""
        return (
            f"Ranks of the truth among {DRAWS} posterior draws in {len(self.ranks)} replicates; they "
            f"are uniform where the sampler is right. {self!r}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw, for each name, the share of ranks up to each value less the uniform one."""
        ax = ax or figures.axes()
        at = np.arange(DRAWS + 1)
        for k, name in enumerate(self.names):
            share = np.cumsum(np.bincount(self.ranks[:, k], minlength=DRAWS + 1)) / len(self.ranks)
            ax.plot(at, share - (at + 1) / (DRAWS + 1), label=name)
        ax.set_xlabel("rank")
        ax.set_ylabel("share up to it, less uniform")
        ax.legend()
        return ax


def calibrate(
    setting: Setting,
    replicates: int = 1000,
    rng: Generator | None = None,
    *,
    begin: Callable[[Setting, Release, Generator], Any] | None = None,
    cycles: int = 1000,
    most: int = 32_000,
) -> Calibration:
    """Draw truths and releases from the joint distribution, and rank each truth in its posterior.

    Of noise for a budget see `dpbook.privacy.calibrate`.

    Parameters
    ----------
    setting : Setting
        With a proper prior of n.
    replicates : int
    rng : numpy.random.Generator, optional
    begin : function, optional
        From setting, release and stream to a chain; `Chain` with 20 jumps when None.
    cycles, most : int
        A chain is run twice as long until every parameter and n has an effective sample size of 99,
        from the first to the second.

    Raises
    ------
    ValueError
        A prior of n that cannot be drawn from, numbers that are not >= 1.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import Laplace, Poisson, Setting, models
    >>> setting = Setting(models.bernoulli(), Laplace(1.0), Laplace(0.5), Poisson(8.0))
    >>> found = calibrate(setting, 4, np.random.default_rng(1), cycles=200, most=400)
    >>> found.ranks.shape
    (4, 2)
    """
    rng = generator(rng)
    replicates, cycles = count("replicates", replicates), count("cycles", cycles, 200)
    start = begin or (lambda a, b, c: Chain(a, b, c, jumps=20))
    names = (*setting.model.parameters, "n")
    ranks, short = np.empty((replicates, len(names)), dtype=np.int64), 0
    for k in range(replicates):
        theta, n, _, release = setting.simulate(rng)
        chain = start(setting, release, rng.spawn(1)[0])
        chain.advance(getattr(chain, "warm_up", 0) or cycles // 5)
        values = np.empty((0, len(names)))
        length = cycles
        while True:
            kept, sizes = chain.advance(length - len(values))
            values = np.concatenate([values, np.c_[kept, sizes]])
            least = min(
                (diagnostics.ess(v[None]) for v in values.T if np.ptp(v) > 0), default=np.inf
            )
            if least >= DRAWS or 2 * length > most:
                break
            length *= 2
        short += least < DRAWS
        ranks[k] = _ranked(values, np.append(theta, n), rng)
    return Calibration(names, ranks, short)


def calibrate_cells(
    mechanism: Mechanism,
    shapes: Sequence[float],
    rate: float,
    replicates: int = 1000,
    rng: Generator | None = None,
    *,
    version: Version = "corrected",
    cycles: int = 2000,
    most: int = 64_000,
) -> Calibration:
    """Do the same for the counts of cells of appendix B: their intensities and counts are ranked.

    Parameters
    ----------
    mechanism, shapes, rate, version
        As of `cells.sample_cells`.
    replicates : int
    rng : numpy.random.Generator, optional
    cycles, most : int
        As of `calibrate`; half of the cycles are left out.

    Raises
    ------
    ValueError
        As `cells.sample_cells`, and numbers that are not >= 1.
    """
    rng = generator(rng)
    replicates, cycles = count("replicates", replicates), count("cycles", cycles, 400)
    alpha, k = np.asarray(shapes, dtype=float), len(shapes)
    names: tuple[str, ...] = ()
    ranks, short = np.empty((replicates, 2 * k + 1), dtype=np.int64), 0
    for place in ranks:
        intensities = rng.standard_gamma(alpha) / number("rate", rate, "> 0")
        counts = rng.poisson(intensities).astype(float)
        s = mechanism.draw(counts, int(counts.sum()), 1.0, rng)
        release, length = Release(tuple(s.tolist())), cycles
        while True:
            found = sample_cells(
                *(release, mechanism, shapes, rate, rng),
                chains=1,
                cycles=length,
                version=version,
            )
            if found.least_ess >= DRAWS or 2 * length > most:
                break
            length *= 2
        names, values = (*found.parameters, "n"), np.c_[found.draws[0], found.sizes[0]]
        short += found.least_ess < DRAWS
        place[:] = _ranked(values, np.concatenate([intensities, counts, [counts.sum()]]), rng)
    return Calibration(names, ranks, short)


def _ranked(values: Floats, truth: Floats, rng: Generator) -> NDArray[np.int64]:
    """Ranks of true values among thinned draws; a tie is broken at random."""
    thinned = values[np.linspace(0, len(values) - 1, DRAWS).astype(int)]
    below, ties = (thinned < truth).sum(axis=0), (thinned == truth).sum(axis=0)
    found: NDArray[np.int64] = below + rng.integers(0, ties + 1)
    return found
