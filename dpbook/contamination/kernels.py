"""Loops of the contamination topic: arrays in, arrays out, nothing validated.

The fast way through Algorithm 1, for Gaussian records and a Student t that replaces them. Records
and parameters are in standard deviations from theta*: u = (x - theta*) / sigma,
t = (theta - theta*) / sigma. With the odds w(u) = (1 - p) f(u) / (p g(u)) that a record at u was
kept, k_p(x; theta) is proportional to 1 + w exp(u t - t**2 / 2) as a function of t, so

    d(x; theta) = (1 + w exp(u t - t**2 / 2)) / (1 + w).

The log-likelihood is computed at few equispaced parameters, with two exponentials a record, and
interpolated; all that follows does not depend on the number of records.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbook.privacy.compiling import njit

BLOCK = 32  # factors that are multiplied before a logarithm is taken: none may exceed 4e9
REACH = 9.0  # standard deviations of the posterior on either side of its mode that are looked at
FAR_REACH = 16.0  # of few records, whose posterior has heavier tails than a Gaussian
FEW = 500
WIDEST = 10.0  # a window, in standard deviations of a record: a factor e**-700 is 37 of them away
GRID = 81  # records that a supremum is first looked for at
GOLDEN = 0.6180339887498949
SPARSE = 4  # parameters in one, where a record is looked for
NARROW = 1e-8  # relative width at which the search of a supremum ends; the value is flat there


class Model(NamedTuple):
    """Gaussian records and a Student t, in standard deviations from theta*."""

    rate: float
    df: float
    centre: float  # of g
    scale: float
    prior_mean: float
    prior_sd: float
    log_odds: float  # of a record at the centre of g: log((1 - p) / p) - log g's constant - log sqrt(2 pi)


@njit(inner=True)
def odds(model, u):
    """w(u): the odds that a record at u was kept, where theta = theta*."""
    v = (u - model.centre) / model.scale
    half = 0.5 * (model.df + 1.0)
    base = 1.0 + v * v / model.df
    whole = int(half)
    if whole == half and whole < 16:
        power = 1.0
        for _ in range(whole):
            power *= base
    else:
        power = base**half
    return math.exp(model.log_odds - 0.5 * u * u) * power


@njit(cache=True)
def simulate(model, u, rng):
    """Fill an array with contaminated records."""
    for i in range(u.size):
        if rng.random() < model.rate:
            u[i] = model.centre + model.scale * rng.standard_t(model.df)
        else:
            u[i] = rng.standard_normal()


@njit(inner=True)
def all_odds(model, u, w):
    """Fill w with the odds of each record; return slope and bend of the log posterior at theta*."""
    slope, bend = 0.0, 0.0
    for i in range(u.size):
        w[i] = odds(model, u[i])
        kept = w[i] / (1.0 + w[i])
        slope += kept * u[i]
        bend += kept * ((1.0 - kept) * u[i] * u[i] - 1.0)
    precision = 1.0 / (model.prior_sd * model.prior_sd)
    return slope + precision * model.prior_mean, bend - precision


@njit(inner=True)
def derivatives(model, u, w, t):
    """Slope and bend of the log posterior at t."""
    slope, bend = 0.0, 0.0
    for i in range(u.size):
        a = w[i] * math.exp(u[i] * t - 0.5 * t * t)
        kept, gap = a / (1.0 + a), u[i] - t
        slope += kept * gap
        bend += kept * ((1.0 - kept) * gap * gap - 1.0)
    precision = 1.0 / (model.prior_sd * model.prior_sd)
    return slope + precision * (model.prior_mean - t), bend - precision


@njit(inner=True)
def mode(model, u, w, steps):
    """Centre and standard deviation of a window, by Newton steps from theta*; nan where they fail."""
    slope, bend = all_odds(model, u, w)
    t = 0.0
    for step in range(steps):
        if not bend < 0.0:
            return math.nan, math.nan
        move = -slope / bend
        t += move
        if abs(move) * math.sqrt(-bend) < 0.02 or step == steps - 1:
            break
        slope, bend = derivatives(model, u, w, t)
    return t, 1.0 / math.sqrt(-bend)


@njit(inner=True, fastmath={"reassoc", "nsz", "contract"})
def log_posterior(model, u, w, start, step, found):
    """Log posterior at equispaced parameters, up to a constant: sums of log(1 + w exp(u t - t t / 2))."""
    a, ratio = np.empty(BLOCK), np.empty(BLOCK)
    for j in range(found.size):
        t = start + j * step
        found[j] = -0.5 * ((t - model.prior_mean) / model.prior_sd) ** 2
    for first in range(0, u.size, BLOCK):
        size = min(BLOCK, u.size - first)
        for i in range(size):
            a[i] = w[first + i] * math.exp((u[first + i] - 0.5 * start) * start)
            ratio[i] = math.exp(u[first + i] * step)
        for j in range(found.size):
            product = 1.0
            drop = math.exp(-step * (start + (j + 0.5) * step))
            for i in range(size):
                product *= 1.0 + a[i]
                a[i] *= ratio[i] * drop
            found[j] += math.log(product)


@njit(inner=True)
def interpolated(matrix, values, found):
    """Values at many equispaced nodes, from values at a few nodes."""
    for k in range(found.size):
        total = 0.0
        for j in range(values.size):
            total += matrix[k, j] * values[j]
        found[k] = total


@njit(inner=True)
def normalised(logs, step, found):
    """Density from its logarithm, by the trapezoid rule: it vanishes at both ends."""
    most = logs[0]
    for k in range(logs.size):
        most = max(most, logs[k])
    total = 0.0
    for k in range(logs.size):
        found[k] = math.exp(logs[k] - most)
        total += found[k]
    for k in range(logs.size):
        found[k] /= total * step


@njit(inner=True)
def without(model, t, step, u, density, found):
    """The posterior without one record."""
    w = odds(model, u)
    total = 0.0
    for k in range(t.size):
        found[k] = density[k] / (1.0 + w * math.exp(u * t[k] - 0.5 * t[k] * t[k]))
        total += found[k]
    for k in range(t.size):
        found[k] /= total * step


@njit(inner=True)
def tails(density, step, below, above):
    """Mass on either side of each node, each summed from its own end: small tails keep their digits."""
    size = density.size
    below[0], above[size - 1] = density[0] * step, density[size - 1] * step
    for k in range(size - 1):
        before = density[k - 1] if k > 0 else 0.0
        after = density[k + 2] if k + 2 < size else 0.0
        below[k + 1] = step / 24.0 * (13.0 * (density[k] + density[k + 1]) - before - after)
        above[k] = below[k + 1]
    for k in range(size - 1):
        below[k + 1] = below[k] + max(below[k + 1], 0.0)
    for k in range(size - 2, -1, -1):
        above[k] = above[k + 1] + max(above[k], 0.0)


@njit(inner=True)
def tail_at(tail, t, step, at):
    """A tail between the nodes: its logarithm is almost a line there."""
    place = (at - t[0]) / step
    if place <= 0.0:
        return tail[0]
    if place >= t.size - 1.0:
        return tail[t.size - 1]
    k = int(place)
    if tail[k] <= 0.0 or tail[k + 1] <= 0.0:
        return max(tail[k], tail[k + 1])
    part = place - k
    return math.exp((1.0 - part) * math.log(tail[k]) + part * math.log(tail[k + 1]))


@njit(inner=True)
def box(t, step, below, above, delta):
    """phi: half the width of the smallest box around theta* with less than delta outside."""
    low, high = 0.0, max(abs(t[0]), abs(t[t.size - 1]))
    for _ in range(60):
        middle = 0.5 * (low + high)
        outside = 0.0
        if -middle > t[0]:
            outside += tail_at(below, t, step, -middle)
        if middle < t[t.size - 1]:
            outside += tail_at(above, t, step, middle)
        if outside < delta:
            high = middle
        else:
            low = middle
    return high


@njit(inner=True)
def quantile(t, step, tail, mass, rising):
    """Return the point at which a tail has some mass; `rising` is 1.0 or 0.0."""
    low, high = t[0], t[t.size - 1]
    for _ in range(60):
        middle = 0.5 * (low + high)
        if (tail_at(tail, t, step, middle) < mass) == (rising > 0.0):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


# --- suprema over records ---------------------------------------------------------------------------

# Kinds of `log_ratio`. Of a whole number that stands in a call Numba makes a constant, and compiles anew.
RATIO, MEAN, BOTH = 0.0, 1.0, 2.0


@njit(inner=True)
def mixed(q, t, step, u):
    """F(u) = E[exp(u t - t**2 / 2)]: `q` is density times exp(-t**2 / 2) times the width, by Horner."""
    x, total = math.exp(u * step), 0.0
    for k in range(q.size - 1, -1, -1):
        total = total * x + q[k]
    return total * math.exp(u * t[0])


@njit(inner=True)
def log_ratio(model, q, t, step, end, kind, u):
    """Return the function that is maximised or minimised over u.

    Of kind RATIO log d(u; end), of kind MEAN log E[d(u; t)], of kind BOTH their difference.
    """
    w = odds(model, u)
    found = 0.0
    if kind != MEAN:
        found += math.log1p(w * math.exp(u * end - 0.5 * end * end)) - math.log1p(w)
    if kind != RATIO:
        moved = math.log1p(w * mixed(q, t, step, u)) - math.log1p(w)
        found += moved if kind == MEAN else -moved
    return found


@njit(inner=True)
def extreme(model, q, t, step, end, kind, sign, reach):
    """Largest value of sign * `log_ratio` over all records, and where it is."""
    best, at = -math.inf, 0.0
    for k in range(GRID):
        u = reach * (2.0 * k / (GRID - 1) - 1.0)
        value = sign * log_ratio(model, q, t, step, end, kind, u)
        if value > best:
            best, at = value, u
    low, high = at - 2.0 * reach / (GRID - 1), at + 2.0 * reach / (GRID - 1)
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left = sign * log_ratio(model, q, t, step, end, kind, left)
    at_right = sign * log_ratio(model, q, t, step, end, kind, right)
    while high - low > math.sqrt(NARROW) * reach:
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = sign * log_ratio(model, q, t, step, end, kind, left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = sign * log_ratio(model, q, t, step, end, kind, right)
    if max(at_left, at_right) > best:
        best, at = (at_left, left) if at_left > at_right else (at_right, right)
    # far away a record says nothing: both ratios tend to 1
    return (best, at) if best > 0.0 else (0.0, math.inf)


@njit(inner=True)
def algorithm_1(model, t, step, density, rest, below, above, delta, q, found):
    """phi, log eta, log alpha and log beta of Algorithm 1, with suprema instead of a search.

    Over the box they sit at its ends. The infimum, since exp(u t - t**2 / 2) has one peak in t. The
    supremum: for a record inside the box it is d(u; u) = (1 + c) / (1 + c exp(-u**2 / 2)), where
    c = (1 - p) / (p g(u) sqrt(2 pi)); on the side away from the centre of g that grows with abs(u)
    up to the end, and the other side is never above.
    """
    phi = box(t, step, below, above, delta)
    reach = 10.0 + phi + abs(model.centre)
    up = max(
        extreme(model, q, t, step, phi, RATIO, 1.0, reach)[0],
        extreme(model, q, t, step, -phi, RATIO, 1.0, reach)[0],
    )
    down = max(
        extreme(model, q, t, step, phi, RATIO, -1.0, reach)[0],
        extreme(model, q, t, step, -phi, RATIO, -1.0, reach)[0],
    )
    found[0], found[1] = phi, up + down
    coarse = step * ((t.size - 1) // (q.size - 1))
    found[2] = extreme(model, q, t, coarse, 0.0, MEAN, 1.0, reach)[0]
    found[3] = -extreme(model, q, t, coarse, 0.0, MEAN, -1.0, reach)[0]


@njit(inner=True)
def sharp(model, t, step, below, above, delta, q):
    """Largest log ratio of two posteriors on the equal-tailed interval of mass 1 - delta."""
    coarse = step * ((t.size - 1) // (q.size - 1))
    low = quantile(t, step, below, 0.5 * delta, 1.0)
    high = quantile(t, step, above, 0.5 * delta, 0.0)
    reach = 10.0 + max(abs(low), abs(high)) + abs(model.centre)
    best = 0.0
    for end in (low, high):
        up = extreme(model, q, t, coarse, end, BOTH, 1.0, reach)[0]
        down = extreme(model, q, t, coarse, end, BOTH, -1.0, reach)[0]
        best = max(best, up + down)
    return best


# --- the exact epsilon of one dataset ------------------------------------------------------------------


@njit(inner=True)
def with_record(model, q, t, step, coarse, u, rest, found):
    """The posterior with a record at u in the place of the last one."""
    w = odds(model, u)
    scale = 1.0 / (1.0 + w * mixed(q, t, coarse, u))
    factor, ratio = math.exp((u - 0.5 * t[0]) * t[0]), math.exp((u - t[0] - 0.5 * step) * step)
    shrink = math.exp(-step * step)
    for k in range(t.size):
        found[k] = rest[k] * scale * (1.0 + w * factor)
        factor *= ratio
        ratio *= shrink


@njit(inner=True)
def hockey_stick(first, second, level, step):
    """Integral of the positive part of first - level * second, its kinks taken into account.

    Where the sign changes, the trapezoid rule loses step**2 / 12 times the slope there, whatever
    the place between two parameters (Euler and Maclaurin); what is left is of order step**3.
    """
    total, before = 0.0, first[0] - level * second[0]
    for k in range(1, first.size):
        now = first[k] - level * second[k]
        if before > 0.0:
            if now > 0.0:
                total += 0.5 * (before + now)
            else:
                total += 0.5 * before * before / (before - now) + (before - now) / 12.0
        elif now > 0.0:
            total += 0.5 * now * now / (now - before) + (now - before) / 12.0
        before = now
    return total * step


@njit(inner=True)
def level_at(first, second, delta, step, least, most):
    """Epsilon at which the hockey-stick divergence is delta, or the least that is asked for."""
    if hockey_stick(first, second, math.exp(least), step) <= delta:
        return least
    low, width = least, 1e-3
    high = low + width
    while high < most and hockey_stick(first, second, math.exp(high), step) > delta:
        low, width = high, 4.0 * width
        high = min(low + width, most)
    while high - low > 1e-9 * most:
        middle = 0.5 * (low + high)
        if hockey_stick(first, second, math.exp(middle), step) > delta:
            low = middle
        else:
            high = middle
    return high


@njit(inner=True)
def divergence(model, q, t, step, coarse, rest, other, level, as_first, u, room):
    """Hockey-stick divergence of the posterior with a record at u, from another or of it."""
    with_record(model, q, t, step, coarse, u, rest, room)
    if as_first:
        return hockey_stick(room, other, level, step)
    return hockey_stick(other, room, level, step)


@njit(inner=True)
def best_record(model, q, t, step, coarse, rest, other, level, as_first, low, high, points, room):
    """Record that makes the hockey-stick divergence largest, the other posterior kept."""
    best, at = -1.0, low
    width = (high - low) / (points - 1)
    for k in range(points):
        u = low + k * width
        value = divergence(model, q, t, step, coarse, rest, other, level, as_first, u, room)
        if value > best:
            best, at = value, u
    low, high = at - width, at + width
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left = divergence(model, q, t, step, coarse, rest, other, level, as_first, left, room)
    at_right = divergence(model, q, t, step, coarse, rest, other, level, as_first, right, room)
    while high - low > 1e-3:
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = divergence(
                model, q, t, step, coarse, rest, other, level, as_first, left, room
            )
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = divergence(
                model, q, t, step, coarse, rest, other, level, as_first, right, room
            )
    return 0.5 * (low + high)


@njit(inner=True)
def sparse(x):
    """Copy each `SPARSE`-th entry, from the first on."""
    found = np.empty((x.size - 1) // SPARSE + 1)
    for k in range(found.size):
        found[k] = x[k * SPARSE]
    return found


@njit(inner=True)
def exact(model, t, step, rest, delta, q, most, found):
    """Return the least epsilon at which no two records differ by more than delta, and the worst two.

    From a start and its mirror image, epsilon, the first and the second record are improved in turn.
    """
    coarse = step * ((t.size - 1) // (q.size - 1))
    first, second = np.empty(t.size), np.empty(t.size)
    # a record is looked for with every fourth parameter: at the best one the divergence is flat
    few_t, few_rest, wide_step = sparse(t), sparse(rest), SPARSE * step
    room = np.empty(few_t.size)
    found[0] = 0.0
    reach = 8.0 + abs(model.centre)
    x, z = 2.4, -2.4
    for start in range(2):
        if start:
            x, z = -found[1], -found[2]
        epsilon = 0.0
        with_record(model, q, t, step, coarse, x, rest, first)
        with_record(model, q, t, step, coarse, z, rest, second)
        for sweep in range(12):
            last = epsilon
            epsilon = level_at(first, second, delta, step, epsilon, most)
            level = math.exp(epsilon)
            if sweep > 1 and epsilon - last <= 1e-7 * epsilon:
                break
            wide = sweep == 0 and start == 0  # all records are looked at once
            around, points = (reach, 41) if wide else (1.0, 9) if sweep == 0 else (0.2, 3)
            middle = 0.0 if wide else x
            x = best_record(
                *(model, q, few_t, wide_step, coarse, few_rest, sparse(second)),
                *(level, True),
                *(middle - around, middle + around, points, room),
            )
            with_record(model, q, t, step, coarse, x, rest, first)
            middle = 0.0 if wide else z
            z = best_record(
                *(model, q, few_t, wide_step, coarse, few_rest, sparse(first)),
                *(level, False),
                *(middle - around, middle + around, points, room),
            )
            with_record(model, q, t, step, coarse, z, rest, second)
        if epsilon > found[0]:
            found[0], found[1], found[2] = epsilon, x, z


# --- no other mode ---------------------------------------------------------------------------------------


@njit(inner=True)
def bound(model, u, log_w, low, high):
    """Return a bound on the log posterior between two parameters: each record at its best parameter there."""
    at = min(max(model.prior_mean, low), high)
    total = -0.5 * ((at - model.prior_mean) / model.prior_sd) ** 2
    for i in range(u.size):
        gap = u[i] - min(max(u[i], low), high)
        log_a = log_w[i] - 0.5 * gap * gap
        total += (
            log_a + math.log1p(math.exp(-log_a)) if log_a > 0.0 else math.log1p(math.exp(log_a))
        )
    return total


@njit(inner=True)
def nothing_elsewhere(model, u, low, high, level):
    """Say whether the log posterior is below a level everywhere outside a window, by halving intervals."""
    log_w = np.empty(u.size)  # of w exp(u**2 / 2)
    for i in range(u.size):
        v = (u[i] - model.centre) / model.scale
        log_w[i] = model.log_odds + 0.5 * (model.df + 1.0) * math.log1p(v * v / model.df)
    far = 40.0 * model.prior_sd + abs(model.prior_mean) + abs(low) + abs(high)
    # beyond far every parameter is worse for the prior than there
    if bound(model, u, log_w, far, math.inf) >= level:
        return False
    if bound(model, u, log_w, -math.inf, -far) >= level:
        return False
    left, right = np.empty(200), np.empty(200)
    left[0], right[0], left[1], right[1], size = -far, low, high, far, 2
    for _ in range(4000):
        if size == 0:
            return True
        size -= 1
        a, b = left[size], right[size]
        if bound(model, u, log_w, a, b) < level:
            continue
        middle = 0.5 * (a + b)
        if size + 2 > left.size or middle <= a or middle >= b:
            return False
        left[size], right[size], left[size + 1], right[size + 1] = a, middle, middle, b
        size += 2
    return False


STRIDE = 8  # expectations need every eighth node only: the rule is exact to e**-60


@njit(inner=True)
def window(model, u, w, matrix, nodes, sure, logs, t):
    """Log posterior of records at many nodes; returns its step, nan where the window does not hold."""
    centre, sd = mode(model, u, w, 8 if u.size <= 2000 else 2)
    if not sd > 0.0:
        return math.nan
    few = u.size <= FEW
    reach = (FAR_REACH if few else REACH) * sd
    if reach > WIDEST or abs(centre) > WIDEST:  # exponentials would underflow, and stay 0
        return math.nan
    start = centre - reach
    step = 2.0 * reach / (t.size - 1)
    if few:
        log_posterior(model, u, w, start, step, logs)
    else:
        log_posterior(model, u, w, start, 2.0 * reach / (nodes.size - 1), nodes)
        interpolated(matrix, nodes, logs)
    most = logs[0]
    for k in range(t.size):
        t[k] = start + k * step
        most = max(most, logs[k])
    if max(logs[0], logs[t.size - 1]) > most - 25.0:
        return math.nan
    for k in range(1, t.size - 1):  # modes that are narrow for the step
        if logs[k] > most - 12.0 and abs(logs[k - 1] - 2.0 * logs[k] + logs[k + 1]) > 0.02:
            return math.nan
    if (few or sure) and not nothing_elsewhere(model, u, t[0], t[t.size - 1], most - 20.0):
        return math.nan
    return step


@njit(cache=True, nogil=True, seconds=7)
def estimates(model, u, matrix, nodes, delta, methods, sure, found):
    """Algorithm 1, sharp and exact epsilon of contaminated records, as `methods` asks: bits 1, 2, 4.

    `found` gets phi, log eta, log alpha, log beta, the sharp epsilon, the exact one and its two
    records. Answers whether the window held: false asks for another way. With `sure` it is also
    made sure that there is no other mode; without, for few records only.
    """
    size = matrix.shape[0]
    logs, t, density = np.empty(size), np.empty(size), np.empty(size)
    rest, below, above = np.empty(size), np.empty(size), np.empty(size)
    step = window(model, u, np.empty(u.size), matrix, nodes, sure, logs, t)
    if not step > 0.0:
        return False
    normalised(logs, step, density)
    tails(density, step, below, above)
    without(model, t, step, u[u.size - 1], density, rest)
    q = np.empty((size - 1) // STRIDE + 1)
    for k in range(q.size):
        at = t[k * STRIDE]
        q[k] = rest[k * STRIDE] * math.exp(-0.5 * at * at) * step * STRIDE
    if methods & 1:
        algorithm_1(model, t, step, density, rest, below, above, delta, q, found)
    if methods & 2:
        found[4] = sharp(model, t, step, below, above, delta, q)
    if methods & 4:
        exact(model, t, step, rest, delta, q, 50.0, found[5:])
    return True


# --- draws from the posterior ----------------------------------------------------------------------------


@njit(cache=True, nogil=True)
def fresh_draws(model, clean, matrix, nodes, sure, rng, found):
    """Posterior draws, each after a contamination of its own; nan where the window did not hold.

    Records are in standard deviations from theta*, and so are the draws. Of `sure` see `estimates`.
    """
    size = matrix.shape[0]
    u, w = np.empty(clean.size), np.empty(clean.size)
    logs, t, density = np.empty(size), np.empty(size), np.empty(size)
    below, above = np.empty(size), np.empty(size)
    for k in range(found.size):
        for i in range(clean.size):
            u[i] = clean[i]
            if rng.random() < model.rate:
                u[i] = model.centre + model.scale * rng.standard_t(model.df)
        step = window(model, u, w, matrix, nodes, sure, logs, t)
        mass = rng.random()
        if not step > 0.0:
            found[k] = math.nan
            continue
        normalised(logs, step, density)
        tails(density, step, below, above)
        found[k] = quantile(t, step, below, mass * below[size - 1], 1.0)


# --- regressions ---------------------------------------------------------------------------------------

NORMAL, CAUCHY, LOGISTIC = 0, 1, 2  # kinds of records
PART = 256  # records whose predictors are computed together
FACTORS = 8  # densities that are multiplied before a logarithm is taken
SMALLEST = 1e-280  # product of so many that has all its digits


@njit(cache=True, nogil=True, fastmath={"reassoc", "nsz", "contract"})
def regression_logs(kind, scale, height, other, x, columns, points, found):
    """Fill `found` with contaminated log-likelihoods at parameters of shape (m, d).

    The density of a record is `other`, p g(x), and (1 - p) f(x; s): `height` is (1 - p) times the
    constant of f. `columns` holds the covariates, shape (d, n). Where densities are too small for
    a product, the log-likelihood is nan.
    """
    d, n = columns.shape
    part = np.empty(PART)
    for m in range(found.size):
        total, least = 0.0, 1.0
        for start in range(0, n, PART):
            size = min(PART, n - start)
            for i in range(size):
                part[i] = 0.0
            for j in range(d):
                value = points[m, j]
                for i in range(size):
                    part[i] += value * columns[j, start + i]
            if kind == NORMAL:
                for i in range(size):
                    u = (x[start + i] - part[i]) / scale
                    part[i] = height * math.exp(-0.5 * u * u) + other[start + i]
            elif kind == CAUCHY:
                for i in range(size):
                    u = (x[start + i] - part[i]) / scale
                    part[i] = height / (1.0 + u * u) + other[start + i]
            else:
                for i in range(size):
                    u = part[i] if x[start + i] < 0.5 else -part[i]
                    part[i] = height / (1.0 + math.exp(u)) + other[start + i]
            for first in range(0, size, FACTORS):
                product = 1.0
                for i in range(first, min(first + FACTORS, size)):
                    product *= part[i]
                least = min(least, product)
                total += math.log(product)
        found[m] = total if least > SMALLEST else math.nan


@njit(cache=True, nogil=True)
def regression_derivatives(kind, scale, height, other, x, w, theta, slope, bend):
    """Fill in the gradient and the Hessian of `regression_logs` at one parameter of shape (d,).

    `w` holds the covariates, shape (n, d). With r = (1 - p) f / k, the chance that a record was
    kept, the derivatives of log k in the predictor are r f'/f and r ((log f)'' + (1 - r) (f'/f)**2).
    """
    n, d = w.shape
    slope[:] = 0.0
    bend[:] = 0.0
    for i in range(n):
        s = 0.0
        for j in range(d):
            s += w[i, j] * theta[j]
        if kind == NORMAL:
            u = (x[i] - s) / scale
            f = height * math.exp(-0.5 * u * u)
            first, second = u / scale, -1.0 / (scale * scale)
        elif kind == CAUCHY:
            u = (x[i] - s) / scale
            f = height / (1.0 + u * u)
            first = 2.0 * u / (1.0 + u * u) / scale
            second = 2.0 * (u * u - 1.0) / (1.0 + u * u) ** 2 / (scale * scale)
        else:
            one = 1.0 / (1.0 + math.exp(-s))
            zero = 1.0 / (1.0 + math.exp(s))
            f = height * (zero if x[i] < 0.5 else one)
            first, second = (-one if x[i] < 0.5 else zero), -one * zero
        kept = f / (f + other[i]) if other[i] > 0.0 else 1.0
        second = kept * (second + (1.0 - kept) * first * first)
        first *= kept
        for j in range(d):
            slope[j] += first * w[i, j]
            weight = second * w[i, j]
            for k in range(j + 1):
                bend[j, k] += weight * w[i, k]
    for j in range(d):
        for k in range(j):
            bend[k, j] = bend[j, k]
