"""Loops of the langevin topic: arrays in, arrays out, nothing validated."""

import numpy as np
from numba import njit

from dpbook.privacy.kernels import normal_renyi


@njit(cache=True)
def normal_divergences(mean, sd, other_mean, other_sd, order):
    """Renyi divergence of each pair of normal laws; infinite where the integral diverges."""
    found = np.empty(mean.size)
    for i in range(mean.size):
        found[i] = normal_renyi(mean[i], sd[i], other_mean[i], other_sd[i], order)
    return found


@njit(cache=True)
def cycle(theta, noise, rate, odd_rate, drift, odd_drift, odd_position):
    """One pass over the data: `noise` has one standard normal per record, scaled; in place."""
    for i in range(noise.size):
        odd = i == odd_position
        theta[0] = theta[0] * (odd_rate if odd else rate) + (odd_drift if odd else drift) + noise[i]


@njit(cache=True)
def epoch_laws(mean, variance, n, rate, odd_rate, drift, odd_drift, added, odd_position):
    """Mean and variance at the ends of epochs, step by step; entry 0 holds the start."""
    for epoch in range(1, mean.size):
        centre, spread = mean[epoch - 1], variance[epoch - 1]
        for i in range(n):
            odd = i == odd_position
            factor = odd_rate if odd else rate
            centre = factor * centre + (odd_drift if odd else drift)
            spread = factor * factor * spread + added
        mean[epoch] = centre
        variance[epoch] = spread
