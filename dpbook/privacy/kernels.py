"""Closed forms of the privacy topic: numbers in, numbers out, nothing validated.

Sums are arranged so that their terms have one sign: nothing cancels, and distributions that differ by
little lose no digits. Where the closed form has no such arrangement (normalisers of gamma and
Dirichlet distributions) it is evaluated in balls (Arb) at rising precision.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from flint import arb, ctx
from scipy.special import erfc, erfcx, ndtr, ndtri

from dpbook.privacy.compiling import njit

SMALL = 1e-320  # a ball inside (-SMALL, SMALL) is zero in floats


def settled(function: Callable[[], Any], bits: int = 64, most: int = 8192) -> float:
    """Value of a function of nothing, in balls at rising precision until a float is settled."""
    while bits <= most:
        with ctx.workprec(bits):
            ball = function()
            if ball.rel_accuracy_bits() >= 58 or (ball.is_finite() and abs(ball) < SMALL):
                return float(ball.mid())
        bits *= 2
    return math.nan


@njit(inner=True, error_model="python")
def log1p_minus(x):
    """log(1 + x) - x, to full precision near 0."""
    if not abs(x) <= 0.25:
        return np.log1p(x) - x
    term, total, k = -x * x, 0.0, 2
    while True:
        last = total
        total += term / k
        if total == last:
            return total
        term *= -x
        k += 1


@njit(inner=True, error_model="python")
def expm1_minus(x):
    """exp(x) - 1 - x, to full precision near 0."""
    if not abs(x) <= 0.5:
        return np.expm1(x) - x
    term, total, k = 0.5 * x * x, 0.0, 3
    while True:
        last = total
        total += term
        if total == last:
            return total
        term *= x / k
        k += 1


@njit(cache=True, error_model="python")
def rate_renyi(first, second, difference, order):
    """Renyi divergence of two exponential distributions; `difference` of the rates to full precision."""
    if order < 0.5:
        return order / (1.0 - order) * rate_renyi(second, first, -difference, 1.0 - order)
    if order < 1.0:
        mean = order * first + (1.0 - order) * second
        if 10.0 * min(first, second) < max(first, second):  # the small one is lost in a difference
            return -(
                order / (1.0 - order) * (math.log(first) - math.log(mean))
                + (math.log(second) - math.log(mean))
            )
        return -(
            order / (1.0 - order) * log1p_minus((1.0 - order) * difference / mean)
            + log1p_minus(-order * difference / mean)
        )
    excess = difference / first
    if second < 0.5 * first:
        start = math.log(first) - math.log(second)
        kl = start - excess
    else:
        start = -np.log1p(-excess)
        kl = -log1p_minus(-excess)
    if order == 1.0:
        return kl
    if order == np.inf:
        return start if excess >= 0.0 else np.inf
    shifted = (order - 1.0) * excess
    if shifted <= -1.0:
        return np.inf
    return kl - log1p_minus(shifted) / (order - 1.0)


@njit(cache=True, error_model="python")
def normal_max_log_ratio(mean, sd, other_mean, other_sd):
    """Largest logarithm of the ratio of two normal densities.

    privacy:log-ratio-normal, privacy:log-ratio-normal-attained.
    """
    gap = abs(mean - other_mean)
    if sd > other_sd or (sd == other_sd and gap > 0.0):
        return np.inf
    if gap == 0.0 and sd == other_sd:
        return 0.0
    shift = gap / other_sd
    narrower = (other_sd - sd) / other_sd * (1.0 + sd / other_sd)
    spread = math.log(other_sd / sd) if sd < 0.5 * other_sd else np.log1p((other_sd - sd) / sd)
    return spread + 0.5 * shift * shift / narrower


@njit(cache=True, error_model="python")
def normal_renyi(mean, sd, other_mean, other_sd, order):
    """Renyi divergence of two normal distributions; the KL divergence at order 1.

    privacy:renyi-normal, privacy:kl-normal.
    """
    if order == np.inf:
        return normal_max_log_ratio(mean, sd, other_mean, other_sd)
    gap = (mean - other_mean) / other_sd
    if sd == other_sd:
        return 0.5 * order * gap * gap
    excess = (sd - other_sd) / other_sd * (1.0 + sd / other_sd)
    # the shifted variance over the variance of the other distribution
    shifted = 1.0 - (order - 1.0) * excess
    if shifted <= 0.0:
        return np.inf
    # the precisions stand as the rates of two exponential distributions do, with half the divergence
    difference = (other_sd - sd) / sd * (1.0 + sd / other_sd)
    spread = rate_renyi(other_sd / sd, sd / other_sd, difference, order)
    return 0.5 * spread + 0.5 * order * gap * gap / shifted


def normal_delta(distance: Any, epsilon: Any) -> Any:
    """Hockey-stick divergence of two normal distributions of one spread, and the first of its two terms.

    privacy:hockey-stick-normal, at epsilon = 0 privacy:total-variation-normal.

    `distance` is in standard deviations. It loses digits where its terms nearly cancel: distance**2
    is small beside epsilon + distance. Where a normal distribution falls fast, a rounding of the place is many roundings of the mass. So the
    place is kept in two doubles, and its square too.
    """
    place, rest = _quotient(epsilon, distance)
    above = place - 0.5 * distance
    back = above - place
    rest = rest + ((place - (above - back)) - (0.5 * distance + back))
    square, tail = _product(above, above)
    weight = np.exp(-0.5 * square) * (1.0 - (0.5 * tail + above * rest))
    near, far = above / math.sqrt(2.0), (above + distance) / math.sqrt(2.0)
    start = np.where(above > 0.4, weight * erfcx(np.maximum(near, 0.0)), erfc(near))
    return 0.5 * (start - weight * erfcx(far)), 0.5 * start


def _product(a: Any, b: Any) -> Any:
    """A product and its rounding error (Dekker), for numbers that are not huge."""
    product = a * b
    halves = []
    for one in (a, b):
        large = 134217729.0 * one
        high = large - (large - one)
        halves.append((high, one - high))
    (p, q), (r, s) = halves
    return product, ((p * r - product) + p * s + q * r) + q * s


def _quotient(a: Any, b: Any) -> Any:
    """Return a quotient and its rounding error."""
    quotient = a / b
    product, lost = _product(quotient, b)
    return quotient, ((a - product) - lost) / b


def normal_trade_off(distance: Any, alpha: Any) -> Any:
    """Smallest type II error of tests between two normal distributions of one spread.

    privacy:trade-off-normal.
    """
    return ndtr(-ndtri(alpha) - distance)


@njit(cache=True, error_model="python")
def laplace_max_log_ratio(mean, scale, other_mean, other_scale):
    """Largest logarithm of the ratio of two Laplace densities.

    privacy:log-ratio-laplace-scales, for one scale privacy:log-ratio-laplace.
    """
    if scale > other_scale:
        return np.inf
    wider = (other_scale - scale) / scale
    return np.log1p(wider) + abs(mean - other_mean) / other_scale


@njit(cache=True, error_model="python")
def laplace_renyi(mean, scale, other_mean, other_scale, order):
    """Renyi divergence of two Laplace distributions; the KL divergence at order 1.

    privacy:renyi-laplace, privacy:kl-laplace.
    """
    distance = abs(mean - other_mean)
    if order == np.inf:
        return laplace_max_log_ratio(mean, scale, other_mean, other_scale)
    if order < 0.5:
        back = laplace_renyi(other_mean, other_scale, mean, scale, 1.0 - order)
        return order / (1.0 - order) * back
    difference = (other_scale - scale) / scale
    spread = rate_renyi(other_scale / scale, 1.0, difference, order)
    if spread == np.inf:
        return np.inf
    if order == 1.0:
        return spread + scale / other_scale * expm1_minus(-distance / scale)
    here, there = order / scale * distance, (order - 1.0) / other_scale * distance
    if order < 1.0:
        small = min(here, -there)
        apart = abs(here + there)
        share = 1.0 if apart == 0.0 else -np.expm1(-apart) / apart
        rest = 0.0 if apart == 0.0 else expm1_minus(-apart) / apart
        return spread + (small * rest - log1p_minus(small * share)) / (1.0 - order)
    if distance == 0.0:
        return spread
    total = here + there
    if there > 1.0:
        shift = there + math.log((here + there * math.exp(-total)) / total)
    else:
        grown = (here * expm1_minus(there) + there * expm1_minus(-here)) / total
        shift = np.log1p(grown)
    return spread + shift / (order - 1.0)


def laplace_delta(distance: Any, epsilon: Any) -> Any:
    """Hockey-stick divergence of two Laplace distributions of one scale, `distance` in scales.

    privacy:hockey-stick-laplace.
    """
    return np.maximum(-np.expm1(0.5 * (epsilon - distance)), 0.0)


def laplace_epsilon(distance: Any, delta: Any) -> Any:
    """Smallest epsilon of two Laplace distributions of one scale, `distance` in scales.

    privacy:epsilon-laplace.
    """
    return np.maximum(distance + 2.0 * np.log1p(-delta), 0.0)


@njit(cache=True, error_model="python")
def laplace_trade_off(distance, alpha):
    """Smallest type II error of tests between two Laplace distributions of one scale.

    privacy:trade-off-laplace-high, privacy:trade-off-laplace-low, privacy:trade-off-laplace-middle.
    """
    if alpha > 0.5:
        return math.exp(-distance) * (1.0 - alpha)
    if alpha < 0.5 * math.exp(-distance):
        return 1.0 - math.exp(distance) * alpha
    return 0.25 * math.exp(-distance) / alpha


@njit(cache=True, error_model="python")
def finite_renyi(log_p, log_q, log_ratio, order):
    """Renyi divergence of two finite distributions; the KL divergence at order 1.

    Masses come as logarithms (-inf for none), with the logarithms of their ratios.
    """
    if order == np.inf:
        most = -np.inf
        for i in range(log_p.size):
            if log_p[i] > -np.inf and log_ratio[i] > most:
                most = log_ratio[i]
        return max(most, 0.0)
    if order < 0.5:
        return order / (1.0 - order) * finite_renyi(log_q, log_p, -log_ratio, 1.0 - order)
    power = order - 1.0
    peak = -np.inf
    total, lost = (
        0.0,
        0.0,
    )  # of p**order * q**(1 - order) - order * p - (1 - order) * q, over order - 1
    for i in range(log_p.size):
        p, q = math.exp(log_p[i]), math.exp(log_q[i])
        ratio = log_ratio[i]
        if log_q[i] == -np.inf:
            if log_p[i] > -np.inf and order >= 1.0:
                return np.inf
            term = -order * p / power if p > 0.0 else 0.0
        elif log_p[i] == -np.inf:
            term = q
        else:
            peak = max(peak, log_p[i] + power * ratio)
            grown = power * ratio
            term = q - p * (1.0 - ratio) if ratio < -1.0 else p * expm1_minus(-ratio)
            if grown > 1.0:
                term += (math.exp(min(log_p[i] + grown, 700.0)) - p * (1.0 + grown)) / power
            elif power != 0.0:
                term += p * expm1_minus(grown) / power
        new = total + term
        lost += (total - new) + term if abs(total) >= abs(term) else (term - new) + total
        total = new
    total += lost
    if power == 0.0:
        return total
    if peak == -np.inf:
        return np.inf
    if abs(power * total) < 0.5:
        return np.log1p(power * total) / power
    scaled = 0.0
    for i in range(log_p.size):
        if log_p[i] > -np.inf and log_q[i] > -np.inf:
            scaled += math.exp(log_p[i] + power * log_ratio[i] - peak)
    return (peak + math.log(scaled)) / power


@njit(cache=True)
def finite_delta(p, q, log_ratio, epsilon):
    """Hockey-stick divergence of two finite distributions from masses and logarithms of their ratios.

    privacy:hockey-stick-bernoulli is the case of two outcomes.
    """
    total = 0.0
    for i in range(p.size):
        if p[i] > 0.0 and log_ratio[i] > epsilon:
            total -= p[i] * np.expm1(epsilon - log_ratio[i])
    return total


@njit(cache=True, error_model="python")
def log_ratio(p, q):
    """log(p / q), to full precision also where they are nearly equal."""
    if p == 0.0 and q == 0.0:
        return 0.0
    if q == 0.0:
        return np.inf
    if p == 0.0:
        return -np.inf
    if 0.5 * q < p < 2.0 * q:
        return np.log1p((p - q) / q)
    return math.log(p) - math.log(q)


def log_partition(concentration: Any) -> Any:
    """Logarithm of the normaliser of a Dirichlet distribution, a ball."""
    total = arb(0)
    for g in concentration:
        total += arb(g).lgamma()
    return total - sum(concentration, arb(0)).lgamma()


def dirichlet_renyi(concentration: Any, other_concentration: Any, order: Any) -> float:
    """Renyi divergence of two Dirichlet distributions; the KL divergence at order 1.

    privacy:renyi-dirichlet-three-cells.
    """
    first, second = [float(g) for g in concentration], [float(g) for g in other_concentration]
    if first == second:
        return 0.0
    if order == math.inf:
        return dirichlet_max_log_ratio(first, second)
    if order == 1.0:
        return dirichlet_kl(first, second)

    def value():
        nu = arb(order)
        tilted = [nu * g + (1 - nu) * h for g, h in zip(first, second, strict=True)]
        gap = (
            log_partition(tilted)
            - nu * log_partition([arb(g) for g in first])
            - (1 - nu) * log_partition([arb(h) for h in second])
        )
        return gap / (nu - 1)

    with ctx.workprec(2200):  # two floats and a product of them are exact: the sign is certain
        nu = arb(order)
        if any(nu * g + (1 - nu) * h <= 0 for g, h in zip(first, second, strict=True)):
            return math.inf
    return settled(value)


def dirichlet_kl(concentration: Any, other_concentration: Any) -> float:
    """KL divergence of two Dirichlet distributions; for two cells privacy:kl-beta, for more no claim yet."""

    def value():
        first, second = [arb(g) for g in concentration], [arb(h) for h in other_concentration]
        whole = sum(first, arb(0)).digamma()
        slope = arb(0)
        for g, h in zip(first, second, strict=True):
            slope += (g - h) * (g.digamma() - whole)
        return log_partition(second) - log_partition(first) + slope

    if list(concentration) == list(other_concentration):
        return 0.0
    return settled(value)


def dirichlet_max_log_ratio(concentration: Any, other_concentration: Any) -> float:
    """Largest logarithm of the ratio of two Dirichlet densities.

    For two cells privacy:log-ratio-beta, for more no claim yet.
    """

    def value():
        first, second = [arb(g) for g in concentration], [arb(h) for h in other_concentration]
        powers = [g - h for g, h in zip(first, second, strict=True)]
        whole = sum(powers, arb(0))
        total = log_partition(second) - log_partition(first)
        for power in powers:
            if power != 0:
                total += power * (power / whole).log()
        return total

    pairs = list(zip(concentration, other_concentration, strict=True))
    if any(g < h for g, h in pairs):
        return math.inf
    if all(g == h for g, h in pairs):
        return 0.0
    return settled(value)


def beta_renyi(a: Any, b: Any, other_a: Any, other_b: Any, order: Any) -> float:
    """Renyi divergence of two beta distributions; the KL divergence at order 1.

    privacy:renyi-beta, privacy:kl-beta.
    """
    return dirichlet_renyi((a, b), (other_a, other_b), order)


def beta_max_log_ratio(a: Any, b: Any, other_a: Any, other_b: Any) -> float:
    """Largest logarithm of the ratio of two beta densities (privacy:log-ratio-beta)."""
    return dirichlet_max_log_ratio((a, b), (other_a, other_b))


def gamma_renyi(shape: Any, rate: Any, other_shape: Any, other_rate: Any, order: Any) -> float:
    """Renyi divergence of two gamma distributions; the KL divergence at order 1 (privacy:renyi-gamma)."""
    if (shape, rate) == (other_shape, other_rate):
        return 0.0
    if shape == other_shape:
        return shape * rate_renyi(rate, other_rate, rate - other_rate, order)
    if order == math.inf:
        return gamma_max_log_ratio(shape, rate, other_shape, other_rate)
    if order == 1.0:
        return gamma_kl(shape, rate, other_shape, other_rate)

    def tilted():
        nu = arb(order)
        return nu * shape + (1 - nu) * other_shape, nu * rate + (1 - nu) * other_rate

    def value():
        nu, (a, b) = arb(order), tilted()
        first = arb(shape).lgamma() - shape * arb(rate).log()
        second = arb(other_shape).lgamma() - other_shape * arb(other_rate).log()
        return (a.lgamma() - a * b.log() - nu * first - (1 - nu) * second) / (nu - 1)

    with ctx.workprec(2200):
        if any(one <= 0 for one in tilted()):
            return math.inf
    return settled(value)


def gamma_kl(shape: Any, rate: Any, other_shape: Any, other_rate: Any) -> float:
    """KL divergence of two gamma distributions (privacy:kl-gamma)."""
    if (shape, rate) == (other_shape, other_rate):
        return 0.0
    if shape == other_shape:
        return shape * rate_renyi(rate, other_rate, rate - other_rate, 1.0)

    def value():
        a, b, c, d = arb(shape), arb(rate), arb(other_shape), arb(other_rate)
        return (a - c) * a.digamma() - a.lgamma() + c.lgamma() + c * (b / d).log() + a * (d - b) / b

    return settled(value)


def gamma_max_log_ratio(shape: Any, rate: Any, other_shape: Any, other_rate: Any) -> float:
    """Largest logarithm of the ratio of two gamma densities.

    privacy:log-ratio-gamma-shapes, for one shape privacy:log-ratio-gamma.
    """
    if shape == other_shape:
        return shape * rate_renyi(rate, other_rate, rate - other_rate, math.inf)
    if shape < other_shape or rate <= other_rate:
        return math.inf

    def value():
        a, b, c, d = arb(shape), arb(rate), arb(other_shape), arb(other_rate)
        start = c.lgamma() - a.lgamma() + a * b.log() - c * d.log()
        return start + (a - c) * (((a - c) / (b - d)).log() - 1)

    return settled(value)


# --- training ------------------------------------------------------------------------------------------


@njit(cache=True, nogil=True)
def noisy_descent(records, labels, rate, clip, noise, step, steps, rng, found):
    """DP-SGD for logistic regression without intercept, from 0: one run for each row of `found`.

    Each step takes each record with probability `rate`, clips its gradient to length `clip`, adds
    noise of standard deviation noise * clip to their sum, and walks `step` times that down.
    """
    n, d = records.shape
    total = np.empty(d)
    for run in range(found.shape[0]):
        theta = found[run]
        theta[:] = 0.0
        for _ in range(steps):
            for j in range(d):
                total[j] = noise * clip * rng.standard_normal()
            for i in range(n):
                if rng.random() >= rate:
                    continue
                margin = length = 0.0
                for j in range(d):
                    margin += records[i, j] * theta[j]
                    length += records[i, j] ** 2
                # the gradient is slope times the record
                slope = 1.0 / (1.0 + math.exp(-margin)) - labels[i]
                length = abs(slope) * math.sqrt(length)
                if length > clip:
                    slope *= clip / length
                for j in range(d):
                    total[j] += slope * records[i, j]
            for j in range(d):
                theta[j] -= step * total[j]
