"""Has a set of chains converged: rank-normalised split R-hat and effective sample sizes.

Vehtari, Gelman, Simpson, Carpenter and Buerkner, Rank-normalization, folding, and localization: an
improved R-hat for assessing convergence of MCMC, Bayesian Analysis 16 (2021). ArviZ computes the
same; it is an extra, and run lengths that adapt need these numbers always.
"""

from __future__ import annotations

import math
import warnings
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Floats = NDArray[np.float64]


def arviz() -> Any:
    """Return the module ArviZ, for functions that give draws to it.

    Raises
    ------
    ImportError
        ArviZ is not installed; it is in the extra infer.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # it announces its next release
            return import_module("arviz")
    except ImportError as error:
        raise ImportError(
            "to_arviz needs ArviZ, of the extra infer: pip install 'dpbook[infer]'"
        ) from error


def split(draws: Floats) -> Floats:
    """Halve each chain: shape (2 chains, kept // 2)."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, draws.shape[1] - half :]])


def rank_normalised(draws: Floats) -> Floats:
    """Normal quantiles of the ranks, average ranks where values are tied."""
    _, place, many = np.unique(draws, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(many) - 0.5 * (many - 1))[place].reshape(draws.shape)
    return np.asarray(ndtri((ranks - 0.375) / (draws.size + 0.25)))


def _ratio(draws: Floats) -> float:
    """Potential scale reduction of chains that are split already."""
    kept = draws.shape[1]
    within = float(draws.var(axis=1, ddof=1).mean())
    between = kept * float(draws.mean(axis=1).var(ddof=1))
    return math.sqrt((between / within + kept - 1) / kept) if within > 0 else math.inf


def r_hat(draws: Floats) -> float:
    """Rank-normalised split R-hat, the larger of location and spread.

    Parameters
    ----------
    draws : array
        Shape (chains, kept), kept >= 4.

    Returns
    -------
    float
        nan where every draw is the same: nothing can be said then. Infinite where each chain stands
        still at a place of its own.
    """
    if np.ptp(draws) == 0:
        return math.nan
    halves = split(draws)
    if _still(halves):
        return math.inf  # rounding would leave a little variance inside the chains
    folded = np.abs(halves - np.median(halves))
    spread = _ratio(rank_normalised(folded)) if np.ptp(folded) > 0 else 1.0
    return max(_ratio(rank_normalised(halves)), spread)


def _autocovariance(draws: Floats) -> Floats:
    """Autocovariances of each chain by FFT, divided by its length."""
    kept = draws.shape[1]
    room = 1 << (2 * kept - 1).bit_length()
    spectrum = np.fft.rfft(draws - draws.mean(axis=1, keepdims=True), room, axis=1)
    return np.fft.irfft(np.abs(spectrum) ** 2, room, axis=1)[:, :kept] / kept


def ess(draws: Floats) -> float:
    """Bulk effective sample size by Geyer's initial monotone sequence, of ranked split chains.

    Parameters
    ----------
    draws : array
        Shape (chains, kept), kept >= 4.

    Returns
    -------
    float
        nan where every draw is the same. The number of chains where each stands still at a place of its own.
    """
    if np.ptp(draws) == 0:
        return math.nan
    return float(len(draws)) if _still(draws) else _effective(rank_normalised(split(draws)))


def ess_mean(draws: Floats) -> float:
    """Effective sample size for a mean: as `ess`, without ranks."""
    if np.ptp(draws) == 0:
        return math.nan
    return float(len(draws)) if _still(draws) else _effective(split(draws))


def _still(draws: Floats) -> bool:
    """Tell whether no chain moves."""
    return bool((np.ptp(draws, axis=1) == 0).all())


def _effective(draws: Floats) -> float:
    chains, kept = draws.shape
    covariance = _autocovariance(draws)
    within = float(covariance[:, 0].mean()) * kept / (kept - 1)
    total = within * (kept - 1) / kept
    if chains > 1:
        total += float(draws.mean(axis=1).var(ddof=1))
    rho = 1.0 - (within - covariance.mean(axis=0)) / total
    rho[0] = 1.0
    # as Stan and ArviZ do: the last pair that is looked at counts by its first half only
    number = (kept - 2 if kept % 2 == 0 else kept - 1) // 2
    pairs = rho[: 2 * number].reshape(-1, 2).sum(axis=1)
    below = np.flatnonzero(pairs <= 0)
    end = int(below[0]) if below.size else number - 1
    monotone = np.minimum.accumulate(pairs[:end]) if end else pairs[:0]
    time = -1.0 + 2.0 * float(monotone.sum()) + max(float(rho[2 * end]), 0.0)
    time = max(time, 1.0 / math.log10(chains * kept))
    return chains * kept / time
