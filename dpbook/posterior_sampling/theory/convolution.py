"""Errors of the best test of many draws between two posteriors, with bounds on both sides.

Draws from a finite distribution are counted. Where there are too many counts, the log ratio of a draw is put
on a lattice and convolved with itself by the fast Fourier transform, in two ways. Rounded, it is a
test that an adversary can use, so the error of the best one is no larger. Split between its
neighbours on the lattice so that both masses are kept, it tells no less than the draw itself, so
the error of the best test is no smaller. Both differ from the best in the square of the step.

A distribution of one number is first cut into cells. That tells less; split between the ends of its cell,
each log ratio tells more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.optimize import brentq
from scipy.special import gammainccinv

from dpbook.posterior_sampling import kernels
from dpbook.posterior_sampling.models.priors import (
    FiniteDistribution,
    Restricted,
    gamma_parts,
    on_line,
    quantiles,
    tails,
)
from dpbook.posterior_sampling.theory.divergences import Truncated
from dpbook.privacy import distributions
from dpbook.privacy.distributions import Distribution

__all__ = ["Errors", "best_test", "count_test", "crossings", "edges", "line", "log_ratios"]

Floats = NDArray[np.float64]

MOST_STEPS = 4_000_000  # of an enumeration of counts, over their cells
MOST_POINTS = 1 << 19  # of a convolved lattice
MOST_CELLS = 1 << 13  # of the lattice for one draw
FEWEST_CELLS = 64
ROUNDING = 1e-11  # of a convolution, and some
LEVELS = np.concatenate(
    [
        np.geomspace(1e-17, 2e-3, 160),
        np.linspace(0, 1, 1025)[3:-3],
        1 - np.geomspace(2e-3, 1e-14, 160),
    ]
)
TIE = 1e-14  # log ratios of masses are not known better
TAIL = 1e-300  # beyond it nothing is left in doubles


@dataclass(frozen=True)
class Outcomes:
    """Finitely many outcomes of a draw: their masses under both posteriors, and the log ratios."""

    p: Floats
    q: Floats
    log_ratio: Floats

    @classmethod
    def merged(cls, p: Floats, q: Floats, log_ratio: Floats) -> Outcomes:
        """Join the outcomes that tell the same, and leave out those that never happen."""
        kept = (p > 0) | (q > 0)
        values, place = np.unique(log_ratio[kept], return_inverse=True)
        first, second = (np.bincount(place, one[kept]).astype(np.float64) for one in (p, q))
        return cls(first, second, values)


@dataclass(frozen=True)
class Errors:
    """Hold the errors of a test, and how far the best test may be from it.

    Attributes
    ----------
    given_p, given_q : float
        Probability that it is wrong, given the one distribution or the other.
    low, high : float
        The mean of both, for the best test; at least 1e-11 apart for a convolution, whose rounding
        errors are below that.
    method : {"sums", "counts", "convolution"}
    """

    given_p: float
    given_q: float
    low: float
    high: float
    method: str

    @classmethod
    def exact(cls, given: tuple[float, float], method: str) -> Errors:
        """Errors that are known but for rounding."""
        return cls(*given, sum(given) / 2, sum(given) / 2, method)


def best_test(P: Any, Q: Any, draws: int) -> Errors | None:
    """Errors of the likelihood-ratio test of so many draws; None for distributions of other kinds."""
    if isinstance(P, FiniteDistribution):
        less = more = finite_outcomes(P, Q)
    elif (pair := line(P, Q)) is not None:
        less, more = line_cells(pair)
    else:
        return None
    if draws == 1:  # the cells end where the log ratio changes its sign
        given = _by_sign(less.p, less.q, less.log_ratio)
        return Errors.exact(given, "sums")
    if less is more and _steps(less.p.size, draws) <= MOST_STEPS:
        given = kernels.count_errors(less.p, less.q, less.log_ratio, draws, False)
        return Errors.exact(given, "counts")
    given = _convolved(less, draws, split=False)
    least = sum(_convolved(more, draws, split=True)) / 2
    low, high = max(least - ROUNDING, 0.0), sum(given) / 2 + ROUNDING
    return Errors(*given, low, high, "convolution")


def count_test(p: Floats, q: Floats, draws: int) -> Errors:
    """Errors of the test that takes the distribution whose cell masses are nearest to the shares of draws.

    Raises
    ------
    ValueError
        Too many counts.
    """
    if _steps(p.size, draws) > 10 * MOST_STEPS:
        raise ValueError(
            f"draws must be few enough to count them in {p.size} cells, got {draws}; take fewer cuts"
        )
    given = kernels.count_errors(p, q, np.zeros(p.size), draws, True)
    return Errors.exact(given, "counts")


def _steps(cells: int, draws: int) -> float:
    """Number of counts of draws in cells, times the cells."""
    logs = math.lgamma(draws + cells) - math.lgamma(cells) - math.lgamma(draws + 1)
    return cells * math.exp(min(logs, 700.0))


def _by_sign(p: Floats, q: Floats, log_ratio: Floats) -> tuple[float, float]:
    tie = 0.5 * (log_ratio == 0)
    return (
        float(p[log_ratio < 0].sum() + (p * tie).sum()),
        float(q[log_ratio > 0].sum() + (q * tie).sum()),
    )


# --- the lattice -----------------------------------------------------------------------------------


def _convolved(one: Outcomes, draws: int, *, split: bool) -> tuple[float, float]:
    """Errors of the likelihood-ratio test of draws, with their log ratios on a lattice.

    Outcomes that only one distribution has decide at once: the others, less than a whole distribution, are convolved.
    """
    both = (one.p > 0) & (one.q > 0)
    p, q, ratio = one.p[both], one.q[both], one.log_ratio[both]
    if not p.size:
        return 0.0, 0.0
    cells = min(max(MOST_POINTS // draws, FEWEST_CELLS), MOST_CELLS)
    low, high = float(ratio.min()), float(ratio.max())
    step = max(high - low, 1e-9 * max(abs(low), abs(high)), 1e-300) / cells
    if split:
        below = np.floor(ratio / step)
        share_p, share_q = _shares_above(ratio - below * step, (below + 1) * step - ratio)
        place = np.concatenate([below, below + 1])
        p = np.concatenate([p * (1 - share_p), p * share_p])
        q = np.concatenate([q * (1 - share_q), q * share_q])
    else:
        place = np.rint(ratio / step)
    start = int(place.min())
    at = place.astype(np.int64) - start
    size = draws * int(at.max()) + 1
    length = next_fast_len(size, real=True)
    found = []
    for mass in (p, q):
        once = np.bincount(at, weights=mass).astype(float)
        found.append(irfft(rfft(once, length) ** draws, length)[:size])
    many_p, many_q = (np.maximum(one, 0.0) for one in found)
    return _by_sign(many_p, many_q, np.arange(size, dtype=np.float64) + draws * start)


def _shares_above(gone: Floats, left: Floats) -> tuple[Floats, Floats]:
    """Shares of both masses that go up, when a log ratio is split between two others.

    It lies `gone` above the lower one and `left` below the upper one; either may be infinite.
    """
    whole = np.maximum(gone + left, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share_p = np.where(whole > 0, np.expm1(-gone) / np.expm1(-whole), 0.0)
    share_p = np.clip(share_p, 0.0, 1.0)
    return share_p, share_p * np.exp(-np.maximum(left, 0.0))


# --- finite distributions, and distributions of one number ---------------------------------------------------------------


def log_ratios(P: FiniteDistribution, Q: FiniteDistribution) -> Floats:
    """Log ratios of the masses of two finite distributions on the same points; 0 where they agree in doubles."""
    with np.errstate(invalid="ignore"):
        ratio = P.log_masses - Q.log_masses
    ratio[np.isnan(ratio) | (np.abs(ratio) < TIE)] = 0.0
    return ratio


def finite_outcomes(P: FiniteDistribution, Q: FiniteDistribution) -> Outcomes:
    """Outcomes of a draw from one finite distribution or another on the same points."""
    return Outcomes.merged(P.masses, Q.masses, log_ratios(P, Q))


def line(P: Any, Q: Any) -> Truncated | None:
    """Two distributions of one number on an interval that holds all of their mass; None for other distributions."""
    if isinstance(P, Restricted):
        return (
            Truncated(P.distribution, Q.distribution, P.interval)
            if P.interval is not None
            else None
        )
    return Truncated(P, Q, _hull(P, Q)) if on_line(P) else None


def _hull(P: Distribution, Q: Distribution) -> tuple[float, float]:
    if isinstance(P, distributions.Beta):
        return 0.0, 1.0
    if isinstance(P, distributions.Normal):
        ends = [
            (float(distribution.mean), 37.5 * float(distribution.sd)) for distribution in (P, Q)
        ]
        return min(mean - far for mean, far in ends), max(mean + far for mean, far in ends)
    return 0.0, max(
        float(gammainccinv(shape, TAIL)) / rate for shape, rate in map(gamma_parts, (P, Q))
    )


def edges(pair: Truncated, cuts: Floats) -> tuple[Floats, Floats]:
    """Masses of both distributions between cuts, and beyond them on both sides."""
    inside = np.clip(cuts, *pair.interval)
    ends = np.concatenate([pair.interval[:1], inside, pair.interval[1:]])
    masses = []
    for distribution, whole in zip((pair.P, pair.Q), pair.masses, strict=True):
        below, above = tails(distribution, ends, ends)
        masses.append(
            np.where(below[1:] < 0.5, np.diff(below), -np.diff(above)).clip(min=0.0) / whole
        )
    return masses[0], masses[1]


def crossings(pair: Truncated) -> list[float]:
    """Find the points at which the log ratio of two distributions changes its sign."""
    found = []
    for low, high in zip(pair.ends[:-1], pair.ends[1:], strict=True):
        values = [float(pair.log_ratio(np.array(x))) for x in (low, high)]
        if values[0] * values[1] < 0:
            found.append(
                brentq(
                    lambda x: float(np.clip(pair.log_ratio(np.array(x)), -1e300, 1e300)),
                    *(low, high),
                    xtol=1e-300,
                    rtol=1e-15,
                )
            )
    return found


def line_cells(pair: Truncated) -> tuple[Outcomes, Outcomes]:
    """Outcomes that tell less than a draw, and outcomes that tell more."""
    levels = [quantiles(distribution, *pair.interval, LEVELS) for distribution in (pair.P, pair.Q)]
    cuts = np.unique(np.concatenate([*levels, pair.ends[1:-1], crossings(pair)]))
    p, q = edges(pair, cuts)
    at = pair.log_ratio(np.concatenate([pair.interval[:1], cuts, pair.interval[1:]]))
    low, high = np.minimum(at[:-1], at[1:]), np.maximum(at[:-1], at[1:])
    kept = (p > 0) & (q > 0)
    p, q, low, high = p[kept], q[kept], low[kept], high[kept]
    ratio = np.clip(np.log(p) - np.log(q), low, high)
    share_p, share_q = _shares_above(ratio - low, high - ratio)
    more = Outcomes.merged(
        np.concatenate([p * (1 - share_p), p * share_p]),
        np.concatenate([q * (1 - share_q), q * share_q]),
        np.concatenate([low, high]),
    )
    return Outcomes(p, q, ratio), more
