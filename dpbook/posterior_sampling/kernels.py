"""Loops of the posterior sampling topic: arrays in, arrays out, nothing validated."""

import math

import numpy as np
from numba import njit


@njit(cache=True)
def cut_points(sums, size):
    """First index whose cumulative mass exceeds k / size, for k = 0, ..., size - 1.

    With a size that is a power of two the products are exact.
    """
    found = np.empty(size, np.int64)
    i = 0
    for k in range(size):
        while sums[i] * size <= k:
            i += 1
        found[k] = i
    return found


@njit(cache=True)
def drawn_points(points, sums, cuts, rng, size):
    """Draws of points with these cumulative masses, the last one 1, by the method of cut points."""
    found = np.empty(size, points.dtype)
    for k in range(size):
        uniform = rng.random()
        i = cuts[int(uniform * cuts.size)]
        while sums[i] <= uniform:
            i += 1
        found[k] = points[i]
    return found


@njit(cache=True)
def largest_slopes(log_likelihood, distance):
    """Largest absolute log ratio over distance, for each parameter, over all pairs of datasets.

    `log_likelihood` has a row for each parameter and a column for each dataset. Two zeros are
    alike; a zero and a number are infinitely far apart. Datasets at distance 0 must be alike.
    """
    found = np.zeros(log_likelihood.shape[0])
    for row in range(found.size):
        for i in range(distance.shape[0]):
            for j in range(i):
                first, second = log_likelihood[row, i], log_likelihood[row, j]
                if first == second:
                    continue
                gap = abs(first - second)
                slope = gap / distance[i, j] if distance[i, j] > 0.0 else np.inf
                found[row] = max(found[row], slope)
    return found


@njit(cache=True)
def largest_changes(logs, entries):
    """Largest range, over states of a node, of sums of entries of `logs`, over all cases; by row.

    `entries` has the places that are summed, shape (cases, states, factors).
    """
    found = np.zeros(logs.shape[0])
    cases, states, factors = entries.shape
    for row in range(found.size):
        for case in range(cases):
            low, high = np.inf, -np.inf
            for state in range(states):
                total = 0.0
                for factor in range(factors):
                    total += logs[row, entries[case, state, factor]]
                low, high = min(low, total), max(high, total)
            if high - low > found[row]:  # never so where both are infinite
                found[row] = high - low
    return found


@njit(cache=True)
def largest_divergence(exponent):
    """D*(a) = log(sinh(a) / a) + a coth(a) - 1 to full precision, a >= 0.

    Below 1 as sums of positive terms, since the logarithm and the rest both cancel there.
    """
    if exponent > 1.0:
        rest = np.exp(-2.0 * exponent)
        start = exponent + np.log1p(-rest) - np.log(2.0 * exponent)
        return start + exponent * (1.0 + rest) / (1.0 - rest) - 1.0
    square = exponent * exponent
    term, grown, slope, k = 1.0, 0.0, 0.0, 1
    while True:
        term *= square / (2 * k * (2 * k + 1))  # a**(2k) / (2k + 1)!
        last = slope
        grown += term
        slope += 2 * k * term
        if slope == last:
            return np.log1p(grown) + slope / (1.0 + grown)
        k += 1


@njit(cache=True)
def bounded_range_delta(exponent, epsilon, draws):
    """Largest hockey-stick divergence of so many draws when the log ratio has range 2 * exponent.

    The worst pair has two outcomes, of log ratios 2 a - s and -s. If at least k of T draws are the
    first, the loss 2 a k - s T counts; the best s for k is (2 a k - epsilon) / (T + 1).
    """
    a = exponent
    log_whole = math.log(-math.expm1(-2.0 * a))
    best = 0.0
    for k in range(1, draws + 1):
        s = (2.0 * a * k - epsilon) / (draws + 1)
        if s <= 0.0 or s >= 2.0 * a:
            continue
        log_p = math.log(-math.expm1(-s)) - log_whole
        log_rest = math.log(-math.expm1(s - 2.0 * a)) - log_whole - s
        odds = math.exp(min(log_p - log_rest, 700.0))
        peak = max(k, int((draws + 1) * math.exp(log_p)))  # where the masses are largest
        peak = min(peak, draws)
        at_peak = math.exp(
            math.lgamma(draws + 1.0)
            - math.lgamma(peak + 1.0)
            - math.lgamma(draws - peak + 1.0)
            + peak * log_p
            + (draws - peak) * log_rest
        )
        total, mass = 0.0, at_peak
        for j in range(peak, draws + 1):
            term = -mass * math.expm1(-(s + 2.0 * a * (j - k)))
            total += term
            mass *= (draws - j) / (j + 1.0) * odds
            if mass < 1e-20 * total:
                break
        mass = at_peak
        for j in range(peak - 1, k - 1, -1):
            mass *= (j + 1.0) / (draws - j) / odds
            total -= mass * math.expm1(-(s + 2.0 * a * (j - k)))
            if mass < 1e-20 * total:
                break
        best = max(best, total)
    return min(best, 1.0)


@njit(cache=True)
def drawn_totals(values, sums, cuts, rng, draws, size):
    """Totals of the values of so many draws, by the masses and the cut points of `drawn_points`."""
    found = np.empty(size)
    for k in range(size):
        total = 0.0
        for _ in range(draws):
            uniform = rng.random()
            i = cuts[int(uniform * cuts.size)]
            while sums[i] <= uniform:
                i += 1
            total += values[i]
        found[k] = total
    return found


@njit(cache=True)
def drawn_beta_totals(a, b, low, high, first, second, rng, draws, size):
    """Totals of first * log(t) + second * log(1 - t) for draws t of a beta law, from low to high.

    A logarithm is taken of the products of many draws, before they leave the doubles.
    """
    found = np.empty(size)
    for k in range(size):
        total, up, down = 0.0, 1.0, 1.0
        for j in range(draws):
            at = rng.beta(a, b)
            while at < low or at > high:
                at = rng.beta(a, b)
            up *= at
            down *= 1.0 - at
            if up < 1e-200 or down < 1e-200 or j == draws - 1:
                if first != 0.0:
                    total += first * np.log(up)
                if second != 0.0:
                    total += second * np.log(down)
                up, down = 1.0, 1.0
        found[k] = total
    return found


@njit(cache=True)
def count_errors(p, q, log_ratio, draws, nearest):
    """Errors of a test on the counts of draws in cells of masses p or q: given p, and given q.

    The test adds up log ratios, or says which masses are nearest to the shares in absolute
    differences. It decides a tie by a fair coin. All counts are enumerated.
    """
    cells = p.size
    log_factorial = np.empty(draws + 1)
    for k in range(draws + 1):
        log_factorial[k] = math.lgamma(k + 1.0)
    log_p, log_q = np.empty(cells), np.empty(cells)
    for i in range(cells):
        log_p[i] = math.log(p[i]) if p[i] > 0.0 else -np.inf
        log_q[i] = math.log(q[i]) if q[i] > 0.0 else -np.inf
    counts = np.zeros(cells, np.int64)
    counts[0] = draws
    given_p, given_q = 0.0, 0.0
    while True:
        for_p = for_q = log_factorial[draws]
        score, size = 0.0, 0.0
        for i in range(cells):
            k = counts[i]
            if k > 0:
                for_p += k * log_p[i] - log_factorial[k]
                for_q += k * log_q[i] - log_factorial[k]
            if nearest:
                term = abs(k / draws - q[i]) - abs(k / draws - p[i])
            else:
                term = k * log_ratio[i] if k > 0 else 0.0
            score += term
            size += abs(term)
        if abs(score) <= 1e-13 * size and size < np.inf:  # a tie, up to rounding
            given_p += 0.5 * math.exp(for_p)
            given_q += 0.5 * math.exp(for_q)
        elif score > 0.0:
            given_q += math.exp(for_q)
        else:
            given_p += math.exp(for_p)
        # the next counts: what the first cell with any holds goes back to the start, less one
        i = 0
        while i < cells - 1 and counts[i] == 0:
            i += 1
        if i == cells - 1:
            return given_p, given_q
        held = counts[i]
        counts[i] = 0
        counts[0] = held - 1
        counts[i + 1] += 1
