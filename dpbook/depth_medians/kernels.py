"""Loops of the depth_medians topic: arrays in, arrays out, nothing validated.

Ranks are counted from 0 here: the median of n numbers has rank ``(n - 1) // 2``, which is the
paper's m-th order statistic with m = (n + 1) // 2. All samples are rows of n finite numbers.
"""

import math

import numpy as np

from dpbook.privacy.compiling import njit

SMALL = 20  # so few candidates are sorted
FEW = 2048  # samples up to this size are sorted whole
ROUNDS = 48  # rounds of narrowing, before the rest is sorted

# --- order statistics -----------------------------------------------------------------------------


@njit(cache=True, nogil=True)
def project(directions, columns, found):
    """Write directions @ columns; columns of shape (d, n), found of shape (directions, n).

    The projection of a point is rounded alike wherever it stands and whatever stands beside it,
    which a product of matrices does not promise; and no threads of a BLAS get in each other's way.
    """
    n, many = columns.shape[1], directions.shape[0]
    for start in range(0, n, 512):
        end = min(start + 512, n)
        for j in range(0, many - 3, 4):
            project_on_four(directions[j : j + 4], columns, start, end, found[j : j + 4])
        for j in range(many - many % 4, many):
            f = found[j, start:end]
            for i in range(f.size):
                f[i] = 0.0
            for k in range(columns.shape[0]):
                u, c = directions[j, k], columns[k, start:end]
                for i in range(f.size):
                    f[i] += u * c[i]


@njit(inner=True)
def project_on_four(directions, columns, start, end, found):
    """Write the projections of some points on four directions.

    With four directions and four coordinates in one loop each number that is read serves several sums.
    """
    d = columns.shape[0]
    p, q, r, s = directions[0], directions[1], directions[2], directions[3]
    e, f = found[0, start:end], found[1, start:end]
    g, h = found[2, start:end], found[3, start:end]
    for i in range(f.size):
        e[i] = f[i] = g[i] = h[i] = 0.0
    k = 0
    while k + 3 < d:
        c0, c1 = columns[k, start:end], columns[k + 1, start:end]
        c2, c3 = columns[k + 2, start:end], columns[k + 3, start:end]
        p0, p1, p2, p3 = p[k], p[k + 1], p[k + 2], p[k + 3]
        q0, q1, q2, q3 = q[k], q[k + 1], q[k + 2], q[k + 3]
        r0, r1, r2, r3 = r[k], r[k + 1], r[k + 2], r[k + 3]
        s0, s1, s2, s3 = s[k], s[k + 1], s[k + 2], s[k + 3]
        for i in range(f.size):
            x0, x1, x2, x3 = c0[i], c1[i], c2[i], c3[i]
            on_p = e[i] + p0 * x0 + p1 * x1 + p2 * x2 + p3 * x3
            on_q = f[i] + q0 * x0 + q1 * x1 + q2 * x2 + q3 * x3
            on_r = g[i] + r0 * x0 + r1 * x1 + r2 * x2 + r3 * x3
            h[i] = h[i] + s0 * x0 + s1 * x1 + s2 * x2 + s3 * x3
            e[i], f[i], g[i] = on_p, on_q, on_r
        k += 4
    while k < d:
        c = columns[k, start:end]
        for i in range(f.size):
            e[i] += p[k] * c[i]
            f[i] += q[k] * c[i]
            g[i] += r[k] * c[i]
            h[i] += s[k] * c[i]
        k += 1


@njit(inner=True)
def copied(x, found):
    """Copy an array; in one line, `found[:] = x`, Numba would compile errors of shape, for a second."""
    for i in range(found.size):
        found[i] = x[i]


@njit(inner=True)
def number_below(x, cut):
    """Count the entries below a number."""
    found = 0
    for i in range(x.size):
        found += x[i] < cut
    return found


@njit(inner=True, fastmath={"reassoc", "contract"}, error_model="python")
def moments(x):
    """Mean and standard deviation, to guess where quantiles are; of no consequence for results."""
    total, squares = 0.0, 0.0
    for i in range(x.size):
        total += x[i]
        squares += x[i] * x[i]
    mean = total / x.size
    return mean, math.sqrt(max(squares / x.size - mean * mean, 0.0))


@njit(inner=True)
def distances(x, centre, found):
    """Distances of all entries to a number."""
    for i in range(x.size):
        found[i] = abs(x[i] - centre)


@njit(inner=True)
def sort_by_insertion(x, first, last):
    """Sort the entries from a first to a last rank: fast where they are few, or nearly in order."""
    for i in range(first + 1, last + 1):
        value = x[i]
        k = i - 1
        while k >= first and x[k] > value:
            x[k + 1] = x[k]
            k -= 1
        x[k + 1] = value


@njit(inner=True)
def sort(x, size):
    """Sort the first entries, by quicksort; Numba's own takes seconds to compile."""
    left, right = np.empty(64, np.int64), np.empty(64, np.int64)  # the longer part waits: n < 2**64
    waiting, low, high = 0, 0, size - 1
    while True:
        while high - low >= 2 * SMALL:
            middle = (low + high) // 2
            if x[middle] < x[low]:
                x[middle], x[low] = x[low], x[middle]
            if x[high] < x[low]:
                x[high], x[low] = x[low], x[high]
            if x[high] < x[middle]:
                x[high], x[middle] = x[middle], x[high]
            pivot, i, j = x[middle], low, high
            while i <= j:
                while x[i] < pivot:
                    i += 1
                while x[j] > pivot:
                    j -= 1
                if i <= j:
                    x[i], x[j] = x[j], x[i]
                    i += 1
                    j -= 1
            if j - low > high - i:
                left[waiting], right[waiting] = low, j
                low = i
            else:
                left[waiting], right[waiting] = i, high
                high = j
            waiting += 1
        sort_by_insertion(x, low, high)
        if waiting == 0:
            return
        waiting -= 1
        low, high = left[waiting], right[waiting]


@njit(inner=True)
def gathered(x, left, right, rank, held):
    """Return the entry of a rank among the entries in [left, right), which are copied to `held`."""
    size, i, n = 0, 0, x.size
    while i + 16 <= n:
        some = 0
        for k in range(16):
            some += (left <= x[i + k]) & (x[i + k] < right)
        if some:
            for k in range(16):
                held[size] = x[i + k]
                size += (left <= x[i + k]) & (x[i + k] < right)
        i += 16
    while i < n:
        held[size] = x[i]
        size += (left <= x[i]) & (x[i] < right)
        i += 1
    sort(held, size)
    return held[rank]


@njit(inner=True)
def order_statistic(x, rank, low, high, held):
    """Entry of a rank, exactly, by counting; `low` and `high` guess a bracket, `held` is scratch.

    A count over all entries is a loop without branches, several times as fast as a partition.
    """
    n = x.size
    left, right = -np.inf, np.inf
    below_left, below_right = 0, n
    step = high - low
    for turn in range(ROUNDS):
        if below_right - below_left <= SMALL:
            break
        if turn == 0:
            cut = low
        elif turn == 1:
            cut = high
        elif left == -np.inf:
            step *= 4.0
            cut = right - step
        elif right == np.inf:
            step *= 4.0
            cut = left + step
        elif turn < 10:  # aim a little beyond the target, on the side that is further away
            aim = rank - 7 if rank - below_left > below_right - rank else rank + 7
            cut = left + (right - left) * (aim - below_left) / (below_right - below_left)
        else:
            cut = 0.5 * left + 0.5 * right
        if not left < cut < right:
            if turn < 10:
                continue
            break
        count = number_below(x, cut)
        if count <= rank:
            left, below_left = cut, count
        else:
            right, below_right = cut, count
    return gathered(x, left, right, rank - below_left, held)


@njit(inner=True)
def next_above(x, value, rank):
    """The order statistic after one of a given value and rank."""
    upto, after = 0, np.inf
    for i in range(x.size):
        if x[i] <= value:
            upto += 1
        elif x[i] < after:
            after = x[i]
    return value if upto > rank + 1 else after


@njit(inner=True)
def middle(x, average, guess, spread, held):
    """Median: the lower one of an even number, or the average of both."""
    rank = (x.size - 1) // 2
    value = order_statistic(x, rank, guess - spread, guess + spread, held)
    if average and x.size % 2 == 0:
        return 0.5 * (value + next_above(x, value, rank))
    return value


@njit(cache=True, nogil=True, seconds=2, error_model="python")
def medians_and_mads(samples, average, location, scale):
    """Median and median absolute deviation of each row."""
    n = samples.shape[1]
    around, held = np.empty(n), np.empty(n + 1)
    for j in range(samples.shape[0]):
        x = samples[j]
        mean, sd = moments(x)
        sd = max(sd, 1e-300)
        narrow = 2.0 * sd / math.sqrt(n)
        location[j] = middle(x, average, mean, narrow, held)
        distances(x, location[j], around)
        scale[j] = middle(around, average, 0.6745 * sd, narrow, held)


@njit(cache=True, nogil=True, error_model="python")
def trimmed(samples, cut, location, scale):
    """Trimmed mean and trimmed mean absolute deviation of sorted rows, `cut` entries off each end."""
    n = samples.shape[1]
    kept = n - 2 * cut
    for j in range(samples.shape[0]):
        total = 0.0
        for i in range(cut, n - cut):
            total += samples[j, i]
        location[j] = total / kept
        total = 0.0
        for i in range(cut, n - cut):
            total += abs(samples[j, i] - location[j])
        scale[j] = total / kept


@njit(cache=True, nogil=True, error_model="python")
def widest(projections, location, scale, largest):
    """Raise `largest` to the outlyingness in each direction; projections of shape (u, points)."""
    for j in range(projections.shape[0]):
        centre, per = location[j], 1.0 / scale[j]
        for i in range(projections.shape[1]):
            out = abs(projections[j, i] - centre) * per
            if out > largest[i]:
                largest[i] = out


@njit(cache=True, nogil=True, error_model="python")
def steepest(projections, location, scale, first, largest, where, sign):
    """Raise `largest` as `widest` does; set the direction, counted from `first`, and the side."""
    for j in range(projections.shape[0]):
        centre, per = location[j], 1.0 / scale[j]
        for i in range(projections.shape[1]):
            out = (projections[j, i] - centre) * per
            if abs(out) > largest[i]:
                largest[i] = abs(out)
                where[i] = first + j
                sign[i] = 1.0 if out > 0.0 else -1.0


# --- the middle of a sample, sorted ---------------------------------------------------------------


@njit(inner=True, error_model="python")
def sort_middle(x, share, found, counts):
    """Sort the entries between two quantiles; return the first and the last rank that are in place.

    Entries go to about as many cells as there are of them, between two values that bracket the
    quantiles `share` and 1 - share; entries outside stay at their end, in any order.
    """
    n = x.size
    if n <= FEW:
        copied(x, found)
        sort(found, n)
        return 0, n - 1
    taken = np.empty((n - 1) // (n // 1024) + 1)
    for k in range(taken.size):
        taken[k] = x[k * (n // 1024)]
    sort(taken, taken.size)
    low = taken[int(share * taken.size)]
    high = taken[int((1.0 - share) * taken.size)]
    cells = counts.size - 3
    width = high - low
    if not width > 0.0 or not math.isfinite(cells / width):
        copied(x, found)
        sort(found, n)
        return 0, n - 1
    per = cells / width
    counts[:] = 0
    for i in range(n):
        at = (x[i] - low) * per
        at = min(max(at + 1.0, 0.0), cells + 1.0)
        counts[int(at) + 1] += 1
    most = 0
    for k in range(2, cells + 2):
        most = max(most, counts[k])
    for k in range(1, counts.size):
        counts[k] += counts[k - 1]
    first, last = counts[1], counts[cells + 1] - 1
    for i in range(n):
        at = (x[i] - low) * per
        at = min(max(at + 1.0, 0.0), cells + 1.0)
        k = int(at)
        found[counts[k]] = x[i]
        counts[k] += 1
    if most > 64:
        sort(found[first : last + 1], last + 1 - first)
    else:
        sort_by_insertion(found, first, last)
    return first, last


@njit(inner=True)
def first_at_least(x, value, first, last):
    """Return the smallest rank in first..last whose entry is at least a value, or last + 1."""
    low, high = first, last + 1
    while low < high:
        at = (low + high) // 2
        if x[at] >= value:
            high = at
        else:
            low = at + 1
    return low


@njit(inner=True)
def first_above(x, value, first, last):
    """Return the smallest rank in first..last whose entry is above a value, or last + 1."""
    low, high = first, last + 1
    while low < high:
        at = (low + high) // 2
        if x[at] > value:
            high = at
        else:
            low = at + 1
    return low


# --- what the nested tests are made of --------------------------------------------------------------
#
# Rounding keeps the order of differences, sums and quotients, so that a bound in exact arithmetic
# is a bound here too. Each function takes a sample whose ranks first..last are sorted and in place, and returns nan when
# it would need another rank: then the sample is sorted whole. With first = 0 and last = n - 1 it
# never does. The smallest distance r such that `count` entries lie within r of z is
# min over i of max(z - x[i], x[i + count - 1] - z).


@njit(inner=True)
def ends(x):
    """First and last rank. Of a 0 that stands in a call Numba makes a constant, and compiles anew."""
    return 0, x.size - 1


@njit(inner=True)
def shift(x, first, last, level):
    """V_j: largest (j + 1)-spacing that holds the median; infinite where a rank is missing."""
    n = x.size
    m = (n - 1) // 2
    if m - level - 1 < 0 or m + level + 1 > n - 1:
        return np.inf
    if m - level - 1 < first or m + level + 1 > last:
        return np.nan
    largest = 0.0
    for t in range(level + 2):
        largest = max(largest, x[m + t] - x[m + t - level - 1])
    return largest


@njit(inner=True)
def least_scale(x, first, last, level):
    """b_j: least (m - j)-th smallest distance to a point between the order statistics m - j, m + j."""
    n = x.size
    m = (n - 1) // 2
    count = m + 1 - level
    if count <= 0:
        return 0.0
    if m - level < first or m + level > last:
        return np.nan
    low, high = x[m - level], x[m + level]
    end = last - count + 1  # the last window that is known
    left, right = first, end + 1
    while left < right:
        at = (left + right) // 2
        if 0.5 * x[at] + 0.5 * x[at + count - 1] >= low:
            right = at
        else:
            left = at + 1
    if (left == first and first > 0) or (left > end and last < n - 1):
        return np.nan
    least, after = np.inf, 0
    for i in range(max(left - 2, first), end + 1):
        a, b = x[i], x[i + count - 1]
        # of max(z - a, b - z) over low <= z <= high; it grows with each rounded difference
        least = min(least, max(0.5 * (b - a), low - a, b - high))
        if 0.5 * a + 0.5 * b > high:
            after += 1
            if after == 2:
                return least
    return least if last == n - 1 else np.nan


@njit(inner=True)
def reach(x, first, last, level):
    """g_j: smallest r such that m + j + 1 entries lie in [x_(m+j) - r, x_(m-j) + r]."""
    n = x.size
    m = (n - 1) // 2
    count = m + level + 2
    if count > n or m - level < 0 or m + level > n - 1:
        return np.inf
    if m - level < first or m + level > last:
        return np.nan
    low, high = x[m - level], x[m + level]
    end = last - count + 1
    left, right = first, end + 1
    while left < right:
        at = (left + right) // 2
        if x[at + count - 1] - low >= high - x[at]:
            right = at
        else:
            left = at + 1
    if (left == first and first > 0) or (left > end and last < n - 1):
        return np.nan
    least = np.inf
    if left <= end:
        least = x[left + count - 1] - low
    if left > first:
        least = min(least, high - x[left - 1])
    return least


@njit(inner=True)
def spacing_in(x, first, last, width, low, high):
    """Largest `width`-spacing that meets [low, high]; infinite where a rank is missing."""
    n = x.size
    start = first_at_least(x, low, first, last)
    end = first_above(x, high, first, last) - 1
    if (start == first and first > 0) or (end == last and last < n - 1):
        return np.nan
    start -= width
    if start < 0 or end + width > n - 1:
        return np.inf
    if start < first or end + width > last:
        return np.nan
    largest = 0.0
    for i in range(start, end + 1):
        largest = max(largest, x[i + width] - x[i])
    return largest


@njit(inner=True)
def annulus(x, first, last, level, scale):
    """D_j: the shorter of the largest (j + 1)-spacings near median - MAD and near median + MAD.

    `scale` is b_(j+1) of the same sample.
    """
    n = x.size
    m = (n - 1) // 2
    far = reach(x, first, last, level)
    if not far < np.inf:
        return far
    low, high = x[m - level], x[m + level]
    left = spacing_in(x, first, last, level + 1, low - far, high - scale)
    right = spacing_in(x, first, last, level + 1, low + scale, high + far)
    return min(left, right) if left == left and right == right else np.nan


@njit(inner=True)
def inner_spacing(x, first, last, level, lowest):
    """W_j: largest (j + 1)-spacing from a rank in lowest - 1 - j .. n - lowest - 1."""
    n = x.size
    start, end = lowest - 1 - level, n - lowest - 1
    if start < 0 or end + level + 1 > n - 1:
        return np.inf
    if start < first or end + level + 1 > last:
        return np.nan
    largest = 0.0
    for i in range(start, end + 1):
        largest = max(largest, x[i + level + 1] - x[i])
    return largest


@njit(inner=True)
def levels(x, first, last, wide, lowest, shifts, spreads, scales):
    """V_j, the bound on the change of MAD, and b_j, for j = 0, 1, ...; whether all were known."""
    for j in range(scales.size):
        scales[j] = least_scale(x, first, last, j)
        if scales[j] != scales[j]:
            return False
    for j in range(shifts.size):
        shifts[j] = shift(x, first, last, j)
        if wide:
            spreads[j] = 2.0 * inner_spacing(x, first, last, j, lowest)
        else:
            spreads[j] = shifts[j] + annulus(x, first, last, j, scales[j + 1])
        if shifts[j] != shifts[j] or spreads[j] != spreads[j]:
            return False
    return True


@njit(cache=True, nogil=True, seconds=3)
def all_levels(samples, share, wide, lowest, location, shifts, spreads, scales):
    """`levels` of each row, and its median; the rows are not sorted."""
    n = samples.shape[1]
    ordered = np.empty(n)
    cells = 1024
    while cells < n:
        cells *= 2
    counts = np.empty(cells + 3, dtype=np.int64)
    for u in range(samples.shape[0]):
        first, last = sort_middle(samples[u], share, ordered, counts)
        for whole in range(2):
            if whole:  # a rank was missing
                copied(samples[u], ordered)
                sort(ordered, n)
                first, last = 0, n - 1
            if first <= (n - 1) // 2 <= last and levels(
                ordered, first, last, wide, lowest, shifts[u], spreads[u], scales[u]
            ):
                break
        location[u] = ordered[(n - 1) // 2]


# --- the nested test in one dimension, where the least outlyingness is 0 ----------------------------


@njit(inner=True, error_model="python")
def margin(x, tau, eta, most, wide, lowest, shifts, spreads, scales):
    """Margin of one sorted sample, at most `most`: how many levels its deviations let pass."""
    first, last = ends(x)
    levels(x, first, last, wide, lowest, shifts[:most], spreads[:most], scales[: most + 1])
    for j in range(most):
        bottom = scales[j + 1]
        if not (bottom > 0.0 and (tau * spreads[j] + shifts[j]) / bottom <= eta):
            return j
    return most


@njit(cache=True, nogil=True)
def margins(samples, tau, eta, most, wide, lowest, found):
    """Margin of each row; the rows are sorted."""
    shifts, spreads, scales = np.empty(most), np.empty(most), np.empty(most + 1)
    for i in range(samples.shape[0]):
        found[i] = margin(samples[i], tau, eta, most, wide, lowest, shifts, spreads, scales)


@njit(inner=True)
def replaced(x, at, value, found):
    """Write a sorted sample with the entry of one rank replaced by a value, sorted."""
    n, i = x.size, 0
    for k in range(n):
        if k == at:
            continue
        found[i] = x[k]
        i += 1
    i = n - 1
    while i > 0 and found[i - 1] > value:
        found[i] = found[i - 1]
        i -= 1
    found[i] = value


@njit(cache=True, nogil=True, seconds=4, error_model="python")
def worst_change(tries, n, cells, tau, eta, most, wide, lowest, rng, before, after):
    """Try random samples, each with one entry replaced; the largest change of margin, and positives.

    A third of the samples lies on a grid of `cells` integers, a third is normal, a third has a gap.
    The worst pair is left in `before` and `after`; how often a margin was positive is returned too.
    """
    x, y = np.empty(n), np.empty(n)
    shifts, spreads, scales = np.empty(most), np.empty(most), np.empty(most + 1)
    worst, positive = 0, 0
    for turn in range(tries):
        kind = turn % 3
        for i in range(n):
            if kind == 0:
                x[i] = float(rng.integers(0, cells))
            elif kind == 1:
                x[i] = (rng.random() + rng.random() + rng.random() - 1.5) * cells
            else:
                x[i] = float(i) * cells / n
        if kind == 2:  # an even sample that is stretched between two ranks
            first, size = rng.integers(0, n), rng.random() * cells
            for i in range(first, n):
                x[i] += size
        sort(x, n)
        at, near = rng.integers(0, n), rng.integers(0, n)
        way = rng.integers(0, 4)
        if way == 0:
            value = x[near]
        elif way == 1:
            value = 0.5 * (x[near] + x[min(near + 1, n - 1)])
        elif way == 2:
            value = 10.0 * cells
        else:
            value = -10.0 * cells
        replaced(x, at, value, y)
        one = margin(x, tau, eta, most, wide, lowest, shifts, spreads, scales)
        other = margin(y, tau, eta, most, wide, lowest, shifts, spreads, scales)
        positive += (one > 0) + (other > 0)
        if abs(one - other) > worst:
            worst = abs(one - other)
            copied(x, before)
            copied(y, after)
    return worst, positive


# --- the test as it is printed ----------------------------------------------------------------------


@njit(inner=True)
def distance_to(x, z, count):
    """Smallest r such that `count` entries of a sorted sample lie within r of z."""
    n = x.size
    if count <= 0:
        return 0.0
    if count > n:
        return np.inf
    left, right = 0, n - count + 1
    while left < right:
        at = (left + right) // 2
        if x[at + count - 1] - z >= z - x[at]:
            right = at
        else:
            left = at + 1
    least = np.inf
    if left <= n - count:
        least = x[left + count - 1] - z
    if left > 0:
        least = min(least, z - x[left - 1])
    return least


@njit(inner=True)
def printed_sensitivities(x, changes):
    """Appendix A's bounds for `changes` rows: of the median, of MAD, and of the least MAD."""
    n = x.size
    m = (n - 1) // 2
    if m - changes < 0 or m + changes > n - 1:
        return np.inf, np.inf, 0.0
    median = max(x[m + changes] - x[m], x[m] - x[m - changes])
    mad, least = 0.0, np.inf
    for i in range(m - changes, m + changes + 1):
        here = distance_to(x, x[i], m + 1)
        mad = max(mad, distance_to(x, x[i], m + 1 + changes) - here)
        mad = max(mad, here - distance_to(x, x[i], m + 1 - changes))
        least = min(least, here)
    return median, mad, least


@njit(inner=True)
def corrected_sensitivities(x, changes):
    """Do the same with the shift of the centre, the midpoints, and ranks that bound from below."""
    n = x.size
    m = (n - 1) // 2
    if m - changes < 0 or m + 1 + changes > n - 1:
        return np.inf, np.inf, 0.0
    low, high = x[m - changes], x[m + changes]
    median = max(high - x[m], x[m] - low)
    mad = distance_to(x, x[m], m + 1)
    count = m + 1 + changes
    most = max(distance_to(x, low, count), distance_to(x, high, count))
    for i in range(n - count):  # peaks of the distance stand halfway between x[i] and x[i + count]
        z = 0.5 * x[i] + 0.5 * x[i + count]
        if low <= z <= high:
            most = max(most, 0.5 * (x[i + count] - x[i]))
    first, last = ends(x)
    least = least_scale(x, first, last, changes)
    return median, max(most - mad, mad - least), least


@njit(cache=True, nogil=True)
def sensitivities(samples, changes, printed, found):
    """Either of them for each sorted row; found has shape (rows, 3)."""
    for u in range(samples.shape[0]):
        if printed:
            median, mad, least = printed_sensitivities(samples[u], changes)
        else:
            median, mad, least = corrected_sensitivities(samples[u], changes)
        found[u, 0], found[u, 1], found[u, 2] = median, mad, least


# --- the exponential mechanism ------------------------------------------------------------------------
#
# The cost at x is max over j of |a[j]|, where a = scaled @ x - offset; scaled holds the directions,
# each divided by its scale, and offset the locations divided by the scales.


@njit(cache=True, nogil=True)
def state(scaled, offset, x, a):
    """Write a = scaled @ x - offset and return the cost."""
    cost = 0.0
    for j in range(offset.size):
        total = -offset[j]
        for k in range(x.size):
            total += scaled[j, k] * x[k]
        a[j] = total
        cost = max(cost, abs(total))
    return cost


@njit(inner=True, error_model="python")
def walk(a, c, side, tau, ends, costs):
    """Knots of s -> max |a + side * s * c| from s = 0 to where it exceeds tau; how many there are."""
    cost, slope = 0.0, 0.0
    for j in range(a.size):
        if abs(a[j]) >= cost:
            turn = side * c[j] if a[j] >= 0.0 else -side * c[j]
            if abs(a[j]) > cost or turn > slope:
                cost, slope = abs(a[j]), turn
    base = cost
    ends[0], costs[0] = 0.0, cost
    size = 1
    while size < ends.size:
        best, steeper = np.inf, slope
        for j in range(a.size):
            step, height = side * c[j], a[j]
            if step < 0.0:  # of a line and its mirror image only the rising one can be steeper ...
                step, height = -step, -height
            if step > slope:
                gap, rise = base - height, step - slope
                if gap < best * rise or (gap == best * rise and step > steeper):
                    best, steeper = gap / rise, step
            if slope < 0.0 and -step > slope:  # ... unless the cost still falls
                gap, rise = base + height, -step - slope
                if gap < best * rise or (gap == best * rise and -step > steeper):
                    best, steeper = gap / rise, -step
        here = max(best, ends[size - 1])
        if slope > 0.0 and base + slope * here >= tau:
            ends[size] = max((tau - base) / slope, ends[size - 1])
            costs[size] = tau
            return size + 1
        if not here < np.inf:
            return size
        ends[size] = here
        costs[size] = base + slope * here
        base -= (steeper - slope) * here
        slope = steeper
        size += 1
    return size


@njit(inner=True, error_model="python")
def weight(length, fall):
    """Integral of exp(-fall * t / length) over 0..length, for fall >= 0."""
    return length if fall < 1e-12 else -length * math.expm1(-fall) / fall


@njit(inner=True, error_model="python")
def line_draw(a, c, beta, tau, right, left, uniform):
    """Draw s with density proportional to exp(-beta * max |a + s c|) where that is at most tau.

    `right` and `left` are scratch of shape (2, knots). The draw is the quantile at `uniform`, so two
    chains with the same randomness do not part, and rounding that differs by processor stays small.
    """
    rights = walk(a, c, 1.0, tau, right[0], right[1])
    lefts = walk(a, c, -1.0, tau, left[0], left[1])
    least = np.inf
    for i in range(rights):
        least = min(least, right[1, i])
    for i in range(lefts):
        least = min(least, left[1, i])
    total = 0.0
    for again in range(2):  # once to add up, once to choose
        target, passed = uniform * total, 0.0
        for i in range(2 - lefts, rights):  # pieces in order; up to 0 the pieces of `left`
            if i <= 0:
                low, high = -left[0, 1 - i], -left[0, -i]
                first, last = left[1, 1 - i], left[1, -i]
            else:
                low, high = right[0, i - 1], right[0, i]
                first, last = right[1, i - 1], right[1, i]
            length, fall = high - low, beta * abs(last - first)
            mass = math.exp(-beta * (min(first, last) - least)) * weight(length, fall)
            if again and mass > 0.0 and passed + mass >= target:
                t = min((target - passed) / mass, 1.0)
                if fall < 1e-12:
                    return low + t * length
                if last >= first:
                    return low - math.log1p(t * math.expm1(-fall)) / fall * length
                return high + math.log1p((1.0 - t) * math.expm1(-fall)) / fall * length
            passed += mass
        total = passed
    return 0.0


@njit(cache=True, nogil=True, seconds=2)
def hit_and_run(scaled, offset, root, beta, tau, x, steps, rng, costs):
    """Run the chain in place; each step draws exactly from the distribution on a random line through x.

    Directions are root @ (a standard normal vector). `costs` gets the cost after each step.
    """
    d, size = x.size, offset.size
    a, c, v, normals = np.empty(size), np.empty(size), np.empty(d), np.empty(d)
    right, left = np.empty((2, 2 * size + 2)), np.empty((2, 2 * size + 2))
    state(scaled, offset, x, a)
    for i in range(steps):
        if i % 64 == 63:  # errors of rounding have added up: they are dropped
            state(scaled, offset, x, a)
        for k in range(d):
            normals[k] = rng.standard_normal()
        for k in range(d):
            v[k] = 0.0
            for q in range(d):
                v[k] += root[k, q] * normals[q]
        for j in range(size):
            total = 0.0
            for k in range(d):
                total += scaled[j, k] * v[k]
            c[j] = total
        s = line_draw(a, c, beta, tau, right, left, rng.random())
        for k in range(d):
            x[k] += s * v[k]
        cost = 0.0
        for j in range(size):
            a[j] += s * c[j]
            cost = max(cost, abs(a[j]))
        costs[i] = cost


@njit(cache=True, nogil=True)
def langevin(scaled, offset, beta, tau, rate, x, noise):
    """Algorithm 1, line by line and in place: no drift where the cost exceeds tau."""
    steps, d = noise.shape
    for i in range(steps):
        cost, where, sign = -1.0, 0, 1.0
        for j in range(offset.size):
            total = -offset[j]
            for k in range(d):
                total += scaled[j, k] * x[k]
            if abs(total) > cost:
                cost, where, sign = abs(total), j, (1.0 if total > 0.0 else -1.0)
        for k in range(d):
            drift = 0.0 if cost > tau else sign * scaled[where, k]
            x[k] += -rate * beta * drift + math.sqrt(2.0 * rate) * noise[i, k]


@njit(cache=True, nogil=True, error_model="python")
def rejection(scaled, offset, centre, root, floor, shapes, chances, beta, tau, odd, most, rng, x):
    """Draw exactly from the exponential mechanism, into x; return the tries, or 0 after `most`.

    Proposals have a density proportional to exp(-beta * Q), Q = sqrt(floor**2 + r**2) <= cost, at
    centre + root @ (r * a direction). Their Q - floor is drawn from a mixture of Gamma distributions with
    shapes `shapes` and cumulative weights `chances`; where d is odd, it is thinned once more.
    """
    d = x.size
    v = np.empty(d)
    first, last = ends(chances)
    for tries in range(1, most + 1):
        part = first_at_least(chances, rng.random() * chances[-1], first, last)
        t = rng.standard_gamma(shapes[min(part, shapes.size - 1)]) / beta
        radius = math.sqrt(t * (t + 2.0 * floor))
        if odd and rng.random() * (t + floor) > radius:
            continue
        cut = min(tau, t + floor + rng.standard_exponential() / beta)
        if t + floor > cut:
            continue
        square = 0.0
        for k in range(d):
            v[k] = rng.standard_normal()
            square += v[k] * v[k]
        for k in range(d):
            total = 0.0
            for q in range(d):
                total += root[k, q] * v[q]
            x[k] = centre[k] + radius / math.sqrt(square) * total
        kept = True
        for j in range(offset.size):
            total = -offset[j]
            for k in range(d):
                total += scaled[j, k] * x[k]
            if abs(total) > cut:
                kept = False
                break
        if kept:
            return tries
    return 0


@njit(inner=True, error_model="python")
def piece(level, slope, low, high):
    """Integral of exp(level + slope * x) over [low, high]."""
    if abs(slope) * (high - low) < 1e-12:
        return math.exp(level + slope * low) * (high - low)
    top, other = level + slope * high, level + slope * low
    if top < other:
        top, other, slope = other, top, -slope
    return math.exp(top) * -math.expm1(other - top) / slope


@njit(cache=True, nogil=True, error_model="python")
def laplace_divergence(mu_1, sigma_1, mu_2, sigma_2, beta, tau, epsilon):
    """Hockey-stick divergence of two exponential mechanisms in d = 1: Laplace distributions cut at tau.

    Exact up to rounding: between the ends and the peaks both log-densities are lines.
    """
    log_1 = -math.log(2.0 * sigma_1 / beta * -math.expm1(-beta * tau))
    log_2 = -math.log(2.0 * sigma_2 / beta * -math.expm1(-beta * tau))
    low_1, high_1 = mu_1 - tau * sigma_1, mu_1 + tau * sigma_1
    low_2, high_2 = mu_2 - tau * sigma_2, mu_2 + tau * sigma_2
    cuts = np.empty(6)
    cuts[0], cuts[1], cuts[2], cuts[3], cuts[4], cuts[5] = low_1, mu_1, high_1, low_2, mu_2, high_2
    sort(cuts, cuts.size)
    total = 0.0
    for i in range(5):
        low, high = max(cuts[i], low_1), min(cuts[i + 1], high_1)
        if not low < high:
            continue
        middle_ = 0.5 * low + 0.5 * high
        slope_1 = (beta if middle_ < mu_1 else -beta) / sigma_1
        level_1 = log_1 - slope_1 * mu_1
        if not low_2 < middle_ < high_2:
            total += piece(level_1, slope_1, low, high)
            continue
        slope_2 = (beta if middle_ < mu_2 else -beta) / sigma_2
        level_2 = log_2 + epsilon - slope_2 * mu_2
        at_low = level_1 - level_2 + (slope_1 - slope_2) * low
        at_high = level_1 - level_2 + (slope_1 - slope_2) * high
        if at_low <= 0.0 and at_high <= 0.0:
            continue
        if at_low < 0.0 or at_high < 0.0:
            crossing = low - at_low / (slope_1 - slope_2)
            if at_low < 0.0:
                low = crossing
            else:
                high = crossing
        total += piece(level_1, slope_1, low, high) - piece(level_2, slope_2, low, high)
    return max(total, 0.0)


# --- the smoothed integrated dual depth -------------------------------------------------------------


@njit(cache=True, nogil=True, error_model="python")
def histogram(samples, first, width, found):
    """Weights of the entries of each row at nodes first + k * width, each split between two nodes."""
    size = found.shape[1]
    for u in range(samples.shape[0]):
        for i in range(samples.shape[1]):
            at = min(max((samples[u, i] - first[u]) / width, 0.0), size - 1.000001)
            k = int(at)
            found[u, k] += 1.0 - (at - k)
            found[u, k + 1] += at - k


@njit(cache=True, nogil=True, error_model="python")
def smooth_depth(x, directions, tables, first, width, values, slopes):
    """Mean over directions of F * (1 - F), F from tables; F and its slope in each direction too."""
    size, total = tables.shape[1], 0.0
    for u in range(directions.shape[0]):
        at = -first[u]
        for k in range(x.size):
            at += directions[u, k] * x[k]
        at = min(max(at / width, 0.0), size - 1.000001)
        k = int(at)
        slope = tables[u, k + 1] - tables[u, k]
        values[u] = tables[u, k] + (at - k) * slope
        slopes[u] = slope / width
        total += values[u] * (1.0 - values[u])
    return total / directions.shape[0]


@njit(cache=True, nogil=True, error_model="python")
def smooth_chain(x, directions, tables, first, width, per, prior, root, steps, rng):
    """Metropolis steps in place for exp(per * depth - |x|**2 / (2 * prior)); how many moved."""
    d = x.size
    values, slopes = np.empty(directions.shape[0]), np.empty(directions.shape[0])
    trial, normals = np.empty(d), np.empty(d)
    here = per * smooth_depth(x, directions, tables, first, width, values, slopes)
    for k in range(d):
        here -= x[k] * x[k] / (2.0 * prior)
    moved = 0
    for _ in range(steps):
        for k in range(d):
            normals[k] = rng.standard_normal()
        for k in range(d):
            trial[k] = x[k]
            for q in range(d):
                trial[k] += root[k, q] * normals[q]
        there = per * smooth_depth(trial, directions, tables, first, width, values, slopes)
        for k in range(d):
            there -= trial[k] * trial[k] / (2.0 * prior)
        if there - here > -rng.standard_exponential():
            here = there
            copied(trial, x)
            moved += 1
    return moved
