"""Draws from truncated distributions that never give up, however far their mass lies outside.

A truncated posterior is drawn for every dataset: a release that is refused for some of them would
tell them apart, whatever the guarantee says.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpbook.posterior_sampling import kernels

Floats = NDArray[np.float64]


def gamma_draws(
    shape: float, rate: float, low: float, high: float, size: int, rng: np.random.Generator
) -> Floats:
    """Draws from a gamma distribution given an interval in [0, inf]; its logarithm has a log-concave density."""
    top = min(max(shape / rate, low), high)
    left = math.log(top / low) if low > 0 else math.inf
    distribution = (kernels.GAMMA, shape, top * rate, 0.0, 0.0)
    moved = kernels.drawn_truncated(*distribution, left, math.log(high / top), rng, size)
    return np.clip(top * np.exp(moved), low, high)


def beta_draws(
    a: float, b: float, low: float, high: float, size: int, rng: np.random.Generator
) -> Floats:
    """Draws from a beta distribution given an interval in [0, 1]; its logit has a log-concave density."""
    p, q = a / (a + b), b / (a + b)
    if not low < p < high:
        p = low if p <= low else high
        q = 1 - p
    left = math.log(p / low) + math.log((1 - low) / q) if low > 0 else math.inf
    right = math.log(high / p) + math.log(q / (1 - high)) if high < 1 else math.inf
    distribution = (kernels.BETA, a, b, p, q)
    moved = kernels.drawn_truncated(*distribution, max(left, 0.0), max(right, 0.0), rng, size)
    shrunk = np.exp(-np.abs(moved))
    up = np.where(moved > 0, 1.0, shrunk)
    down = np.where(moved > 0, shrunk, 1.0)
    return np.clip(p * up / (p * up + q * down), low, high)


def normal_draws(
    mean: float, sd: float, low: float, high: float, size: int, rng: np.random.Generator
) -> Floats:
    """Draws from a normal distribution given an interval."""
    top = min(max(mean, low), high)
    distribution = (kernels.NORMAL, (top - mean) / sd, 0.0, 0.0, 0.0)
    moved = kernels.drawn_truncated(*distribution, (top - low) / sd, (high - top) / sd, rng, size)
    return np.clip(top + sd * moved, low, high)


def dirichlet_draws(
    concentration: Floats, level: float, size: int, rng: np.random.Generator
) -> Floats:
    """Draws from a Dirichlet distribution given that its chances are within a factor exp(level)."""
    envelopes = kernels.least_chance_envelopes(concentration, level)
    peaks, lengths = envelopes[:, 1], envelopes[:, 2:]
    sums = np.cumsum(np.exp(peaks - peaks.max()) * lengths.sum(axis=1))
    return kernels.drawn_near_chances(concentration, level, envelopes, sums, rng, size)
