"""Adversaries that see posterior draws and say which of two datasets they come from.

The best one adds up log ratios. The paper's (Section 4.3) sorts the draws into cells and compares
the shares with the probabilities of the cells. Beside their errors stand what Theorem 3 promises of
them and what its repairs do. All errors are means of both kinds: the datasets are equally likely.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpbook.posterior_sampling import kernels
from dpbook.posterior_sampling.models.base import Floats
from dpbook.posterior_sampling.models.priors import (
    FiniteDistribution,
    Restricted,
    beta_parts,
    log_density,
    mass,
)
from dpbook.posterior_sampling.models.priors import draws as drawn
from dpbook.posterior_sampling.theory.adversary_bounds import error_bound, relaxed_error_bound
from dpbook.posterior_sampling.theory.convolution import (
    Errors,
    best_test,
    count_test,
    crossings,
    edges,
    line,
    log_ratios,
)
from dpbook.posterior_sampling.theory.pair import PosteriorPair
from dpbook.privacy import distributions
from dpbook.privacy.audit import pooled_lower, pooled_upper
from dpbook.privacy.reading import count
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "AdversaryErrors",
    "DistinguishingCurve",
    "distinguishing_curve",
    "likelihood_ratio_test",
    "partition_adversary",
]

MOST_DRAWS = 10_000
SIMULATIONS = 100_000
BATCH = 1 << 17  # posterior draws that are held at once
CONFIDENCE = 0.99


# --- the tests ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AdversaryErrors:
    """Compute the probability that an adversary takes one dataset for the other dataset.

    Attributes
    ----------
    test : {"likelihood ratio", "nearest cells"}
    draws : int
    given_x, given_y : float
        Probability that the answer is y although the draws come from x, and the reverse.
    low, high : float
        The mean error of the test lies between them: surely, up to rounding; with confidence 0.99
        when it is simulated.
    method : {"sums", "counts", "convolution", "simulation"}
        "counts" of the draws in finitely many cells are enumerated; "sums" are those of one draw. A
        "convolution" of rounded log ratios is a test too: its error is the upper end, and no test
        is better than the lower.
    simulations : int
        So many times for each dataset; 0 when the errors are computed.

    Examples
    --------
    >>> from dpbook.posterior_sampling import COIN, likelihood_ratio_test
    >>> found = likelihood_ratio_test(COIN.worst_pair(10), draws=1)
    >>> found.test, round(found.error, 4)
    ('likelihood ratio', 0.404)
    """

    test: Literal["likelihood ratio", "nearest cells"]
    draws: int
    given_x: float
    given_y: float
    low: float
    high: float
    method: str
    simulations: int = 0

    @property
    def error(self) -> float:
        """Mean of both errors."""
        return (self.given_x + self.given_y) / 2

    @property
    def success(self) -> float:
        """Probability of the right answer, when both datasets are equally likely."""
        return 1 - self.error

    def __repr__(self) -> str:
        return (
            f"AdversaryErrors({self.test}, {self.draws} draw{'s' * (self.draws > 1)}: "
            f"error={self.error:.6g}, given_x={self.given_x:.6g}, given_y={self.given_y:.6g}, "
            f"by {self.method})"
        )

    def _repr_html_(self) -> str:
        rows = (
            ("error given x", self.given_x),
            ("error given y", self.given_y),
            ("mean error", self.error),
            ("at least", self.low),
            ("at most", self.high),
        )
        said = f"{self.test} test of {self.draws} draws, by {self.method}"
        return figures.html_facts(((name, f"{value:.6g}") for name, value in rows), said)

    def describe(self) -> str:
        """Return the result in words."""
        told = f"simulated {self.simulations} times for each dataset" if self.simulations else ""
        return (
            f"A {self.test} test of {self.draws} posterior draws takes x for y with probability "
            f"{self.given_x:.4g} and y for x with {self.given_y:.4g}, {self.error:.4g} on average"
            f"{', ' * bool(told)}{told}."
        )


def likelihood_ratio_test(
    pair: PosteriorPair,
    draws: int = 1,
    *,
    simulations: int | None = None,
    rng: np.random.Generator | None = None,
) -> AdversaryErrors:
    """Errors of the best test of posterior draws: the sign of the sum of their log ratios.

    Parameters
    ----------
    pair : PosteriorPair
        By `posterior_pair`; its own number of draws is not used.
    draws : int
        1 to 10 000, all from one of the posteriors.
    simulations : int, optional
        Play the game so many times for each dataset. When not given the errors are computed, where
        the posteriors are finite or distributions of one number; else it is played 100 000 times.
    rng : numpy.random.Generator, optional

    Returns
    -------
    AdversaryErrors

    Raises
    ------
    ValueError
        Draws or simulations out of range; posteriors whose density is not available.

    Notes
    -----
    By the lemma of Neyman and Pearson no test has a lower mean error, (1 - V) / 2 for the total
    variation V of all draws together. A tie is decided by a fair coin.

    Examples
    --------
    >>> from dpbook.posterior_sampling import models, posterior_pair
    >>> from dpbook.privacy.distributions import Beta
    >>> pair = posterior_pair(models.Bernoulli(), Beta(1, 1), [1, 1, 0], [1, 0, 0])
    >>> likelihood_ratio_test(pair, draws=1)
    AdversaryErrors(likelihood ratio, 1 draw: error=0.3125, given_x=0.3125, given_y=0.3125, by sums)
    """
    draws = count("draws", draws, most=MOST_DRAWS)
    found = best_test(pair.P, pair.Q, draws) if simulations is None else None
    if found is not None:
        return _result("likelihood ratio", draws, found)
    size = SIMULATIONS if simulations is None else count("simulations", simulations, 100, 10**9)
    rng = np.random.default_rng() if rng is None else rng
    given_x, given_y = (_wrong(pair, side, draws, size, rng) for side in (0, 1))
    wrong = given_x + given_y
    error = (1 - CONFIDENCE) / 2
    return AdversaryErrors(
        "likelihood ratio",
        draws,
        given_x / size,
        given_y / size,
        pooled_lower(wrong, 2 * size, error),
        pooled_upper(wrong, 2 * size, error),
        "simulation",
        size,
    )


def _result(test: Any, draws: int, found: Errors) -> AdversaryErrors:
    given = found.given_p, found.given_q
    return AdversaryErrors(test, draws, *given, found.low, found.high, found.method)


def _wrong(pair: PosteriorPair, side: int, draws: int, size: int, rng: np.random.Generator) -> int:
    """Count the games in which the log ratios of one posterior's draws have a sum of wrong sign."""
    found, left = 0, size
    distribution = (pair.P, pair.Q)[side]
    while left:
        games = min(left, max(BATCH // draws, 1))
        totals = _totals(pair, distribution, draws, games, rng)
        wrong = totals < 0 if side == 0 else totals > 0
        ties = totals == 0
        found += int(wrong.sum()) + int((rng.random(int(ties.sum())) < 0.5).sum())
        left -= games
    return found


def _totals(
    pair: PosteriorPair, distribution: Any, draws: int, games: int, rng: np.random.Generator
) -> Floats:
    """Sums of the log ratios of draws from a posterior."""
    if isinstance(distribution, FiniteDistribution):
        return kernels.drawn_totals(
            log_ratios(pair.P, pair.Q), *distribution.cuts, rng, draws, games
        )
    on_line = line(pair.P, pair.Q)
    if on_line is not None and isinstance(on_line.P, distributions.Beta):
        inner = distribution.distribution if isinstance(distribution, Restricted) else distribution
        if mass(inner, *on_line.interval) > 0.1:  # else too many draws are thrown away
            inside = *beta_parts(inner), *on_line.interval, *on_line.powers
            totals = kernels.drawn_beta_totals(*inside, rng, draws, games)
            return totals + draws * on_line.constant
    at = drawn(distribution, games * draws, rng)
    ratio = on_line.log_ratio(at) if on_line else log_density(pair.P, at) - log_density(pair.Q, at)
    return ratio.reshape(games, draws).sum(axis=1)


def partition_adversary(
    pair: PosteriorPair, draws: int = 1, *, cuts: ArrayLike | None = None
) -> AdversaryErrors:
    """Errors of the adversary of Lemma 2, who compares the shares of draws in cells.

    The answer is the dataset whose posterior probabilities of the cells are nearest to the shares,
    in the sum of absolute differences.

    Parameters
    ----------
    pair : PosteriorPair
        Of posteriors of one number or on finitely many parameters.
    draws : int
        1 to 10 000.
    cuts : sequence of float, optional
        Where the line of parameters is cut into cells; increasing. By default there are two cells,
        the parameters that are likelier under either posterior: that makes the difference of their
        probabilities largest.

    Returns
    -------
    AdversaryErrors
        All counts of draws in the cells are enumerated.

    Raises
    ------
    ValueError
        Posteriors of several numbers; cuts that do not increase; too many draws for the cells.

    Notes
    -----
    posterior_sampling:lemma-2, posterior_sampling:theorem-3.ii-corrected. For two cells and several
    draws it is not the best test of the counts: it puts the threshold half-way.

    Examples
    --------
    >>> from dpbook.posterior_sampling import COIN
    >>> partition_adversary(COIN.worst_pair(10), 10)
    AdversaryErrors(nearest cells, 10 draws: error=0.270138,...
    """
    draws = count("draws", draws, most=MOST_DRAWS)
    return _result("nearest cells", draws, count_test(*_cells(pair, cuts), draws))


def _cells(pair: PosteriorPair, cuts: ArrayLike | None) -> tuple[Floats, Floats]:
    """Probabilities of the cells under both posteriors."""
    if isinstance(pair.P, FiniteDistribution):
        if cuts is None:
            place = (log_ratios(pair.P, pair.Q) > 0).astype(np.intp)
        else:
            if pair.P.points.ndim > 1:
                raise ValueError("cuts need parameters of one number; leave them out")
            place = np.searchsorted(_increasing(cuts), pair.P.points, side="right")
        return _joined(place, pair.P.masses, pair.Q.masses)
    on_line = line(pair.P, pair.Q)
    if on_line is None:
        raise ValueError(
            f"the cells need posteriors of one number or a FiniteDistribution, got {pair.P}; "
            "likelihood_ratio_test simulates the best test"
        )
    if cuts is not None:
        return edges(on_line, _increasing(cuts))
    p, q = edges(on_line, np.array(crossings(on_line)))
    return _joined((p > q).astype(np.intp), p, q)


def _joined(place: NDArray[np.intp], p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Return the masses of the cells, from the masses of parts and the numbers of their cells."""
    return (
        np.bincount(place, p).astype(np.float64),
        np.bincount(place, q).astype(np.float64),
    )


def _increasing(cuts: ArrayLike) -> Floats:
    read = np.array(cuts, dtype=float)
    if read.ndim != 1 or not read.size or not np.isfinite(read).all() or (np.diff(read) <= 0).any():
        raise ValueError(f"cuts must be finite and increase, got {cuts!r:.60}")
    return read


# --- error against draws -----------------------------------------------------------------------------


@dataclass(frozen=True)
class DistinguishingCurve:
    """Errors of adversaries against the number of draws, beside Theorem 3; by `distinguishing_curve`.

    Attributes
    ----------
    draws : tuple of int
    best : tuple of float
        Of the likelihood-ratio test.
    nearest : tuple of float
        Of the partition adversary with two cells.
    printed : tuple of float
        What Theorem 3 promises as printed: no more than this.
    printed_claim : str
        posterior_sampling:theorem-3.i, or posterior_sampling:theorem-3.ii where only assumption 2
        holds; empty where neither does.
    least : tuple of float
        posterior_sampling:theorem-3.i-corrected: no adversary has less; 0 without assumption 1.
    most : tuple of float
        posterior_sampling:theorem-3.ii-corrected: the partition adversary has no more.

    Examples
    --------
    >>> from dpbook.posterior_sampling import COIN, distinguishing_curve
    >>> curve = distinguishing_curve(COIN.worst_pair(10), 20)
    >>> len(curve.draws), round(float(curve.best[0]), 3)
    (10, 0.404)
    """

    draws: tuple[int, ...]
    best: tuple[float, ...]
    nearest: tuple[float, ...]
    printed: tuple[float, ...]
    printed_claim: str
    least: tuple[float, ...]
    most: tuple[float, ...]

    @property
    def broken(self) -> tuple[int, ...]:
        """Return the numbers of draws at which even the best test errs more than the paper promises."""
        rows = zip(self.draws, self.best, self.printed, strict=True)
        return tuple(T for T, best, printed in rows if best > printed)

    def _lines(self) -> tuple[tuple[str, tuple[float, ...]], ...]:
        printed = (("theorem 3, as printed", self.printed),) if self.printed_claim else ()
        least = (("at least, repaired", self.least),) if max(self.least) > 0 else ()
        return (
            ("best test", self.best),
            ("nearest of two cells", self.nearest),
            *printed,
            *least,
            ("at most, repaired", self.most),
        )

    def __repr__(self) -> str:
        return (
            f"DistinguishingCurve({self.draws[0]} to {self.draws[-1]} draws: best={self.best[0]:.4g} "
            f"to {self.best[-1]:.4g}, print broken at {len(self.broken)} of {len(self.draws)})"
        )

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{name}</th>" for name, _ in self._lines())
        rows = "".join(
            f"<tr><th>{T}</th>"
            + "".join(f"<td>{values[k]:.4g}</td>" for _, values in self._lines())
            + "</tr>"
            for k, T in enumerate(self.draws)
        )
        return f"<table><tr><th>draws</th>{heads}</tr>{rows}</table>"

    def describe(self) -> str:
        """Return the words for the picture."""
        places = sorted({0, len(self.draws) // 2, len(self.draws) - 1})
        said = "; ".join(
            f"{self.draws[k]} draw{'s' * (self.draws[k] > 1)}: "
            + ", ".join(f"{name} {values[k]:.3g}" for name, values in self._lines())
            for k in places
        )
        told = (
            f" Even the best test errs more than theorem 3 promises in print at {len(self.broken)} "
            f"of {len(self.draws)} numbers of draws."
            if self.printed_claim
            else ""
        )
        return f"Error of telling two datasets apart, against the number of draws. {said}.{told}"

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw errors and bounds, on logarithmic axes."""
        ax = ax or figures.axes()
        for name, values in self._lines():
            ax.plot(self.draws, values, label=name)
        ax.set_xscale("log")
        ax.set_yscale("log")
        floor = min(one for one in (*self.best, 0.1) if one > 1e-10)
        ax.set_ylim(floor / 10, 1.2)
        ax.minorticks_off()
        ax.set_xlabel("number of draws")
        ax.set_ylabel("error")
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
        return ax


def distinguishing_curve(pair: PosteriorPair, most: int = 100) -> DistinguishingCurve:
    """Return the errors of adversaries with 1 to `most` draws, beside Theorem 3.

    Parameters
    ----------
    pair : PosteriorPair
        Of posteriors of one number or on finitely many parameters.
    most : int
        2 to 10 000.

    Returns
    -------
    DistinguishingCurve

    Raises
    ------
    ValueError
        A `most` out of range; posteriors of several numbers, of which the errors are simulated
        only.

    Notes
    -----
    posterior_sampling:theorem-3.i, posterior_sampling:theorem-3.ii and their repairs. Under
    assumption 2 with the best rate of the prior.

    Examples
    --------
    >>> from dpbook.posterior_sampling import COIN
    >>> distinguishing_curve(COIN.worst_pair(10), 20).describe()
    'Error of telling two datasets apart, against the number of...
    """
    most = count("most", most, 2, MOST_DRAWS)
    at = sorted({round(float(k)) for k in np.geomspace(1, most, 13)})
    two = _cells(pair, None)
    nearest = [count_test(*two, T) for T in at]
    best = [likelihood_ratio_test(pair, T).error for T in at]
    variation = min(float(np.abs(two[0] - two[1]).sum()) / 2, 1.0)
    claim, printed, least = "", [math.nan] * len(at), [0.0] * len(at)
    if math.isfinite(pair.exponent):
        claim = "posterior_sampling:theorem-3.i"
        printed = [error_bound(pair.exponent, T, "printed").value for T in at]
        least = [error_bound(pair.exponent, T).value for T in at]
    elif pair.profile.measured and 0 < (rate := pair.profile.rate()) < math.inf:
        claim = "posterior_sampling:theorem-3.ii"
        known = {"rate": rate, "distance": pair.distance}
        printed = [relaxed_error_bound(T, "printed", **known).value for T in at]
    return DistinguishingCurve(
        tuple(at),
        tuple(best),
        tuple((one.given_p + one.given_q) / 2 for one in nearest),
        tuple(printed),
        claim,
        tuple(least),
        tuple(relaxed_error_bound(T, variation=variation).value for T in at),
    )
