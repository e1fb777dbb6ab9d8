"""Loops of the posterior sampling topic: arrays in, arrays out, nothing validated."""

import math

import numpy as np

from dpbook.privacy.compiling import njit


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
    found = np.empty(log_likelihood.shape[0])
    for row in range(found.size):
        found[row] = 0.0
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
    found = np.empty(logs.shape[0])
    cases, states, factors = entries.shape
    for row in range(found.size):
        found[row] = 0.0
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


@njit(cache=True, error_model="python")
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


@njit(cache=True, error_model="python")
def bounded_range_delta(exponent, epsilon, draws):
    """Largest hockey-stick divergence of so many draws when the log ratio has range 2 * exponent.

    The worst pair has two outcomes, of log ratios 2 a - s and -s. If at least k of T draws are the
    first, the loss 2 a k - s T counts; the best s for k is (2 a k - epsilon) / (T + 1).
    posterior_sampling:note-bounded-range-chord, for one draw posterior_sampling:note-bounded-range.
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
    """Totals of first * log(t) + second * log(1 - t) for draws t of a beta distribution, from low to high.

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


@njit(cache=True, error_model="python")
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
    counts = np.empty(cells, np.int64)
    for i in range(cells):
        counts[i] = 0
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
        # the next counts: the first cell with records gives them all but one to the first cell
        i = 0
        while i < cells - 1 and counts[i] == 0:
            i += 1
        if i == cells - 1:
            return given_p, given_q
        held = counts[i]
        counts[i] = 0
        counts[0] = held - 1
        counts[i + 1] += 1


# --- truncated distributions: log-concave densities of a logit, a logarithm or a standardised number ------------

# Kinds. Of a whole number that stands in a call Numba makes a constant, and compiles anew.
GAMMA, BETA, NORMAL = 0.0, 1.0, 2.0
PANELS = np.array([0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0, 40.0])
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)


@njit(inner=True)
def log_change(kind, a, b, p, q, t):
    """Log density at a distance t from a place, less its value at the place, without cancellation.

    Logarithm of a gamma variable: a is the shape, b the place times the rate. Logit of a beta
    variable: its parameters, and the place p = 1 - q. Standard normal variable: a is the place.
    """
    if kind == GAMMA:
        return a * t - b * math.expm1(min(t, 709.0))
    if kind == BETA:
        if t > 0.0:
            a, b, p, q, t = b, a, q, p, -t
        part = p * math.expm1(t)  # log(q + p exp(t)), by whichever form loses less
        return a * t - (a + b) * (
            math.log1p(part) if part > -0.5 else math.log(q + p * math.exp(t))
        )
    return -t * (a + 0.5 * t)


@njit(inner=True, error_model="python")
def log_slope(kind, a, b, p, q, t):
    """Derivative of `log_change` in t."""
    if kind == GAMMA:
        return a - b * math.exp(min(t, 709.0))
    if kind == BETA:
        if t > 0.0:
            rest = q * math.exp(-t)
            return (a + b) * (rest / (p + rest)) - b
        rest = p * math.exp(t)
        return a - (a + b) * (rest / (q + rest))
    return -(a + t)


@njit(inner=True)
def fall(kind, a, b, p, q, way, room):
    """Distance at which the log density has fallen by about 1; the room, where it never does."""
    w = min(1.0, room)
    while w < room and log_change(kind, a, b, p, q, way * w) > -1.0:
        w = min(2.0 * w, room)
    if not log_change(kind, a, b, p, q, way * w) < -1.0:
        return room
    low, high = 0.0, w
    for _ in range(1200):  # as many as there are powers of two
        change = log_change(kind, a, b, p, q, way * w)
        if -1.2 <= change <= -0.8:
            break
        if change < -1.0:
            high = w
        else:
            low = w
        w = 0.5 * (low + high)
    return w


@njit(inner=True, error_model="python")
def tangent(change, slope, w):
    """Return the point at which a falling tangent reaches the mode's level, and its decay."""
    if not slope < 0.0:
        return w, 0.0
    return max(w - change / slope, 0.0), -1.0 / slope


@njit(inner=True)
def envelope(kind, a, b, p, q, way, room):
    """Hold one side of a bound on the density: flat over a length, then exponential with a decay."""
    w = fall(kind, a, b, p, q, way, room)
    change = log_change(kind, a, b, p, q, way * w)
    if change > -0.8:
        return w, 0.0
    return tangent(change, way * log_slope(kind, a, b, p, q, way * w), w)


@njit(inner=True)
def proposal(flat_left, decay_left, flat_right, decay_right, rng):
    """Distance from the mode under an envelope, and the log of the envelope there."""
    right = flat_right + decay_right
    at = rng.random() * (flat_left + decay_left + right)
    way, flat, decay = 1.0, flat_right, decay_right
    if at >= right:
        at, way, flat, decay = at - right, -1.0, flat_left, decay_left
    if at < flat or decay == 0.0:
        return way * at, 0.0
    grown = rng.standard_exponential()
    return way * (flat + decay * grown), -grown


@njit(inner=True)
def kept_proposal(kind, a, b, p, q, left, right, sides, rng):
    """Distance of a draw from the mode, by rejection; `sides` holds the envelopes on both."""
    while True:
        t, bound = proposal(sides[0], sides[1], sides[2], sides[3], rng)
        if t <= right and -t <= left:
            drop = bound - rng.standard_exponential()
            if drop <= log_change(kind, a, b, p, q, t):
                return t


@njit(inner=True)
def envelopes(kind, a, b, p, q, left, right):
    """Return the envelopes on both sides of the mode."""
    flat_left, decay_left = envelope(kind, a, b, p, q, -1.0, left)
    flat_right, decay_right = envelope(kind, a, b, p, q, 1.0, right)
    return flat_left, decay_left, flat_right, decay_right


@njit(cache=True)
def drawn_truncated(kind, a, b, p, q, left, right, rng, size):
    """Distances of draws from the mode of a truncated distribution, which has so much room on both sides.

    Rejection from `envelope`. As the density is log-concave, the area below the envelope is at most
    1.3 widths of `fall` on each side, and the area below the density at least 0.6 of them: four of
    ten proposals or more are kept, whatever the distribution and wherever it is cut.
    """
    found = np.empty(size)
    sides = envelopes(kind, a, b, p, q, left, right)
    for k in range(size):
        found[k] = kept_proposal(kind, a, b, p, q, left, right, sides, rng)
    return found


@njit(inner=True)
def log_range_mass(a, low, level):
    """Log integral of exp(a (u - log a) - a expm1(u - log a)) for u from low to low + level.

    Gauss and Legendre on panels as wide as the integrand is, on both sides of where it is largest.
    """
    start = low - math.log(a)
    top = min(max(0.0, start), start + level)
    b = a * math.exp(top)
    total = 0.0
    for side in range(2):
        way = 2.0 * side - 1.0
        room = start + level - top if side else top - start
        if room <= 0.0:
            continue
        w = fall(GAMMA, a, b, 0.0, 0.0, way, room)
        for k in range(PANELS.size - 1):
            first, last = w * PANELS[k], min(w * PANELS[k + 1], room)
            if first >= room:
                break
            half, part = 0.5 * (last - first), 0.0
            for node in range(NODES.size):
                t = way * (first + half * (1.0 + NODES[node]))
                part += WEIGHTS[node] * math.exp(log_change(GAMMA, a, b, 0.0, 0.0, t))
            total += half * part
    return a * (top - math.expm1(top)) + math.log(total)


@njit(inner=True)
def least_chance(concentration, level, j, s):
    """Log density, up to a constant, of the least of gamma variables at exp(s); and its derivative.

    The j-th is the least, and the others are at most exp(level) times as large.
    """
    start = s - math.log(concentration[j])
    value = concentration[j] * (start - math.expm1(start))
    slope = -concentration[j] * math.expm1(start)
    for i in range(concentration.size):
        if i != j:
            a = concentration[i]
            whole = log_range_mass(a, s, level)
            value += whole
            for side in range(2):
                way, at = 2.0 * side - 1.0, (s + level if side else s) - math.log(a)
                slope += way * math.exp(a * (at - math.expm1(min(at, 709.0))) - whole)
    return value, slope


@njit(cache=True)
def least_chance_envelopes(concentration, level):
    """For each j: the mode of `least_chance`, its value there, and the four lengths of an envelope."""
    cells = concentration.size
    found = np.empty((cells, 6))
    for j in range(cells):
        low, high = (
            math.inf,
            -math.inf,
        )  # the density rises at the first point, and falls at the second
        for a in concentration:
            low, high = min(low, math.log(a) - level), max(high, math.log(a))
        for _ in range(70):
            middle = 0.5 * (low + high)
            if least_chance(concentration, level, j, middle)[1] > 0.0:
                low = middle
            else:
                high = middle
        mode = 0.5 * (low + high)
        peak = least_chance(concentration, level, j, mode)[0]
        found[j, 0], found[j, 1] = mode, peak
        for side in range(2):
            way = 2.0 * side - 1.0
            w = 1.0
            while least_chance(concentration, level, j, mode + way * w)[0] - peak > -1.0:
                w *= 2.0
            low, high = 0.0, w
            for _ in range(100):
                value, slope = least_chance(concentration, level, j, mode + way * w)
                if -1.2 <= value - peak <= -0.8:
                    break
                if value - peak < -1.0:
                    high = w
                else:
                    low = w
                w = 0.5 * (low + high)
            flat, decay = tangent(value - peak, way * slope, w)
            found[j, 2 + 2 * side], found[j, 3 + 2 * side] = flat, decay
    return found


@njit(cache=True, error_model="python")
def drawn_near_chances(concentration, level, bounds, sums, rng, size):
    """Draws of Dirichlet chances given that the largest is at most exp(level) times the least.

    They are gamma variables over their sum. First which one is the least, and its logarithm, by
    rejection from envelopes (`bounds`) of known areas, which `sums` adds up; then the others, which are independent given that.
    """
    cells = concentration.size
    found = np.empty((size, cells))
    for k in range(size):
        while True:
            at, j = rng.random() * sums[-1], 0
            while j < cells - 1 and sums[j] <= at:
                j += 1
            mode, peak = bounds[j, 0], bounds[j, 1]
            t, bound = proposal(bounds[j, 2], bounds[j, 3], bounds[j, 4], bounds[j, 5], rng)
            drop = bound - rng.standard_exponential()
            if drop <= least_chance(concentration, level, j, mode + t)[0] - peak:
                break
        low, most, total = mode + t, 0.0, 0.0
        for i in range(cells):
            a = concentration[i]
            if i == j:
                found[k, i] = 0.0
                continue
            start = low - math.log(a)
            top = min(max(0.0, start), start + level)
            left, right = top - start, start + level - top
            b = a * math.exp(top)
            sides = envelopes(GAMMA, a, b, 0.0, 0.0, left, right)
            moved = kept_proposal(GAMMA, a, b, 0.0, 0.0, left, right, sides, rng)
            found[k, i] = min(max(left + moved, 0.0), level)
            most = max(most, found[k, i])
        for i in range(cells):
            found[k, i] = math.exp(found[k, i] - most)
            total += found[k, i]
        for i in range(cells):
            found[k, i] /= total
    return found
