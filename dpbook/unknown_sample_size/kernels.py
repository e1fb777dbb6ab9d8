"""Loops of the unknown-sample-size topic: arrays in, arrays out, nothing validated.

A model and a mechanism come as small compiled functions, the pieces, each of one fixed signature.
A kernel calls them through pointers: it is compiled once, and cached, for every model.
"""

import math

import numba
import numpy as np
from numba import types

from dpbook.privacy.compiling import njit
from dpbook.unknown_sample_size.streams import next_words, output

RNG = numba.typeof(np.random.default_rng(0))
VECTOR = types.Array(types.float64, 1, "C")
TABLE = types.Array(types.float64, 2, "C")
COUNTS = types.Array(types.int64, 1, "C")
WORDS = types.Array(types.uint64, 1, "C")

UPDATE = types.void(RNG, TABLE, types.int64, VECTOR, VECTOR)  # rng, rows, n, theta, hyper
RECORD = types.void(RNG, VECTOR, VECTOR, VECTOR)  # rng, theta, hyper, row
STATISTIC = types.void(VECTOR, VECTOR, VECTOR, VECTOR)  # row, s, hyper, t
LOG_RELEASE = types.float64(VECTOR, VECTOR, types.int64, VECTOR)  # s, sum of t, n, noise
LOG_COUNT = types.float64(types.float64, types.int64, VECTOR)  # n_dp, n, noise
LOG_SIZE = types.float64(types.int64, VECTOR)  # n, prior

LAST, ANYWHERE, APPEND_ANYWHERE, NO_RATIO = 0, 1, 2, 3
SWAPS, SWAPPED, BIRTHS, BORN, DEATHS, DIED, RENEWALS, RENEWED, TALLIES = range(9)
POINTERS, NORMAL_GAUSSIAN, NORMAL_LAPLACE = 0, 1, 2  # pieces that `run` calls, or has inlined


# --- mechanisms: log density of a release, up to a constant -----------------------------------------


@njit(cache=True, pointed=True, error_model="python")
def laplace_release(s, total, n, noise):
    """Laplace noise, continuous or discrete: one scale for all coordinates."""
    found = 0.0
    for j in range(s.size):
        found -= abs(s[j] - total[j])
    return found / noise[0]


@njit(cache=True, pointed=True, error_model="python")
def gaussian_release(s, total, n, noise):
    """Gaussian noise, continuous or discrete: one standard deviation for all coordinates."""
    found = 0.0
    for j in range(s.size):
        found -= (s[j] - total[j]) ** 2
    return found / (2.0 * noise[0] ** 2)


@njit(cache=True, pointed=True, error_model="python")
def kng_release(s, total, n, noise):
    """Laplace noise of scale 2 / (n epsilon) around the mean, cut off outside [0, 1]."""
    rate = 0.5 * noise[0] * n
    mean = min(max(total[0] / n, 0.0), 1.0)
    mass = -math.expm1(-rate * mean) - math.expm1(-rate * (1.0 - mean))
    return math.log(rate / mass) - rate * abs(s[0] - mean)


@njit(cache=True, pointed=True, error_model="python")
def laplace_count(n_dp, n, noise):
    """Noisy number of records; discrete Laplace noise has the same shape."""
    return -abs(n_dp - n) / noise[0]


@njit(cache=True, pointed=True, error_model="python")
def gaussian_count(n_dp, n, noise):
    """Gaussian noise on the number, continuous or discrete."""
    return -((n_dp - n) ** 2) / (2.0 * noise[0] ** 2)


@njit(cache=True, pointed=True)
def no_count(n_dp, n, noise):
    """No number is released (remark 5.5), or the number itself, which does not move."""
    return 0.0


@njit(cache=True, pointed=True)
def bounded_size(n, prior):
    """Flat on prior[0] <= n <= prior[1]; the upper end may be infinite."""
    return 0.0 if prior[0] <= n <= prior[1] else -np.inf


@njit(cache=True, pointed=True)
def poisson_size(n, prior):
    """Poisson of mean prior[1], on n >= prior[0]."""
    return n * math.log(prior[1]) - math.lgamma(n + 1.0) if n >= prior[0] else -np.inf


# --- models with a conjugate prior -----------------------------------------------------------------


@njit(cache=True, pointed=True, error_model="python")
def bernoulli_update(rng, rows, n, theta, hyper):
    """Draw the chance of heads from its Beta full conditional."""
    ones = 0.0
    for i in range(n):
        ones += rows[i, 0]
    first = rng.standard_gamma(hyper[0] + ones)
    second = rng.standard_gamma(hyper[1] + n - ones)
    theta[0] = first / (first + second)


@njit(cache=True, pointed=True)
def bernoulli_record(rng, theta, hyper, row):
    """Toss the coin."""
    row[0] = 1.0 if rng.random() < theta[0] else 0.0


@njit(cache=True, pointed=True)
def first_column(row, s, hyper, t):
    """The record's only number."""
    t[0] = row[0]


@njit(cache=True, pointed=True)
def unit_record(rng, theta, hyper, row):
    """Draw a category, as a unit vector."""
    left = rng.random()
    chosen = theta.size - 1
    for j in range(theta.size - 1):
        left -= theta[j]
        if left < 0:
            chosen = j
            break
    for j in range(theta.size):
        row[j] = 1.0 if j == chosen else 0.0


@njit(cache=True, pointed=True, error_model="python")
def multinomial_update(rng, rows, n, theta, hyper):
    """Draw the chances from their Dirichlet full conditional."""
    total = 0.0
    for j in range(theta.size):
        shape = hyper[j]
        for i in range(n):
            shape += rows[i, j]
        theta[j] = rng.standard_gamma(shape)
        total += theta[j]
    for j in range(theta.size):
        theta[j] /= total


@njit(cache=True, pointed=True)
def whole_row(row, s, hyper, t):
    """The record itself."""
    for j in range(t.size):
        t[j] = row[j]


@njit(cache=True, pointed=True)
def finite_update(rng, rows, n, theta, hyper):
    """Draw a parameter from finitely many; hyper: K, R, log prior (K), log chances (K by R).

    theta[0] is the parameter's number, and records are numbers of values.
    """
    K, R = int(hyper[0]), int(hyper[1])
    seen = np.zeros(R)
    for i in range(n):
        seen[int(rows[i, 0])] += 1.0
    weights = np.empty(K)
    for k in range(K):
        weights[k] = hyper[2 + k]
        for r in range(R):
            if seen[r] > 0:
                weights[k] += seen[r] * hyper[2 + K + k * R + r]
    most, total = weights[0], 0.0
    for k in range(K):
        most = max(most, weights[k])
    for k in range(K):
        weights[k] = math.exp(weights[k] - most)
        total += weights[k]
    left = rng.random() * total
    theta[0] = K - 1.0
    for k in range(K):
        left -= weights[k]
        if left < 0:
            theta[0] = k
            break


@njit(cache=True, pointed=True)
def finite_record(rng, theta, hyper, row):
    """Draw the number of a value."""
    K, R = int(hyper[0]), int(hyper[1])
    left = rng.random()
    row[0] = R - 1.0
    for r in range(R):
        left -= math.exp(hyper[2 + K + int(theta[0]) * R + r])
        if left < 0:
            row[0] = r
            break


@njit(cache=True, pointed=True, error_model="python")
def normal_update(rng, rows, n, theta, hyper):
    """Draw a mean; hyper: prior mean, prior sd, sd of a record."""
    total = 0.0
    for i in range(n):
        total += rows[i, 0]
    precision = 1.0 / hyper[1] ** 2 + n / hyper[2] ** 2
    mean = (hyper[0] / hyper[1] ** 2 + total / hyper[2] ** 2) / precision
    theta[0] = mean + rng.standard_normal() / math.sqrt(precision)


@njit(cache=True, pointed=True)
def normal_record(rng, theta, hyper, row):
    """Draw a Normal record."""
    row[0] = theta[0] + hyper[2] * rng.standard_normal()


@njit(cache=True, pointed=True)
def clamped_column(row, s, hyper, t):
    """First column, clamped to [hyper[3], hyper[4]]."""
    t[0] = min(max(row[0], hyper[3]), hyper[4])


# --- compositions: Dirichlet records, as logarithms --------------------------------------------------


@njit(cache=True, pointed=True)
def dirichlet_record(rng, theta, hyper, row):
    """Logarithms of the shares."""
    total = 0.0
    for j in range(theta.size):
        row[j] = max(rng.standard_gamma(theta[j]), 1e-300)
        total += row[j]
    total = math.log(total)
    for j in range(theta.size):
        row[j] = math.log(row[j]) - total


@njit(cache=True, pointed=True)
def clamped_logs(row, s, hyper, t):
    """Logarithms of the shares, those clamped below at the share whose log is hyper[2]."""
    for j in range(t.size):
        t[j] = max(row[j], hyper[2])


@njit(inner=True)
def _dirichlet_log(theta, j, value, n, sums, shape, rate):
    """Log full conditional of theta[j] = value, up to a constant."""
    total = value
    for k in range(theta.size):
        if k != j:
            total += theta[k]
    return (
        (shape - 1.0) * math.log(value)
        - rate * value
        + n * (math.lgamma(total) - math.lgamma(value))
        + value * sums[j]
    )


@njit(cache=True, pointed=True)
def dirichlet_update(rng, rows, n, theta, hyper):
    """Slice sampling of each parameter on the log scale; hyper: gamma shape and rate, log of a."""
    sums = np.zeros(theta.size)
    for i in range(n):
        for j in range(theta.size):
            sums[j] += rows[i, j]
    width = 0.5
    for j in range(theta.size):
        at = math.log(theta[j])
        level = _dirichlet_log(theta, j, theta[j], n, sums, hyper[0], hyper[1]) + at
        level += math.log(1.0 - rng.random())
        low = at - width * rng.random()
        high = low + width
        while _dirichlet_log(theta, j, math.exp(low), n, sums, hyper[0], hyper[1]) + low > level:
            low -= width
        while _dirichlet_log(theta, j, math.exp(high), n, sums, hyper[0], hyper[1]) + high > level:
            high += width
        while True:
            drawn = low + (high - low) * rng.random()
            value = math.exp(drawn)
            if _dirichlet_log(theta, j, value, n, sums, hyper[0], hyper[1]) + drawn > level:
                break
            if drawn < at:
                low = drawn
            else:
                high = drawn
        theta[j] = value


# --- Algorithm 1 ---------------------------------------------------------------------------------------


@njit(inner=True)
def _copy(row, rows, i):
    for j in range(row.size):
        rows[i, j] = row[j]


@njit(inner=True)
def _set(x, values):
    """Copy an array; in one line, `x[:] = values`, Numba would compile errors of shape, for seconds."""
    for j in range(x.size):
        x[j] = values[j]


@njit(inner=True)
def _set_table(x, values):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] = values[i, j]


@njit(inner=True)
def _sum_rows(stats, n, total):
    """Add the statistics anew: no error of rounding is carried along."""
    total[:] = 0.0
    for i in range(n):
        for j in range(total.size):
            total[j] += stats[i, j]


def _sweep(inlined):
    """Step 1(b), with pieces that are called through pointers or, a constant when compiled, inlined."""

    @njit(inner=True)
    def sweep(
        record,
        statistic,
        log_release,
        rng,
        theta,
        hyper,
        s,
        noise,
        rows,
        stats,
        n,
        total,
        t,
        log_g,
        tally,
    ):
        """Step 1(b): each record in turn is offered a fresh one; acceptance (4)."""
        row = np.empty(rows.shape[1])
        offered = np.empty(total.size)
        taken = 0
        for i in range(n):
            if inlined == POINTERS:
                record(rng, theta, hyper, row)
                statistic(row, s, hyper, t)
            else:
                normal_record(rng, theta, hyper, row)
                clamped_column(row, s, hyper, t)
            for j in range(total.size):
                offered[j] = total[j] - stats[i, j] + t[j]
            if inlined == NORMAL_GAUSSIAN:
                log_new = gaussian_release(s, offered, n, noise)
            elif inlined == NORMAL_LAPLACE:
                log_new = laplace_release(s, offered, n, noise)
            else:
                log_new = log_release(s, offered, n, noise)
            if log_new >= log_g or rng.random() < math.exp(log_new - log_g):
                _copy(row, rows, i)
                _copy(t, stats, i)
                _set(total, offered)
                log_g = log_new
                taken += 1
        tally[SWAPS] += n
        tally[SWAPPED] += taken
        return log_g

    return sweep


sweep = _sweep(POINTERS)
sweep_normal_gaussian, sweep_normal_laplace = _sweep(NORMAL_GAUSSIAN), _sweep(NORMAL_LAPLACE)


@njit(inner=True)
def jump(
    record,
    statistic,
    log_release,
    log_count,
    log_size,
    rng,
    theta,
    hyper,
    s,
    noise,
    n_dp,
    count_noise,
    prior,
    rows,
    stats,
    n,
    total,
    t,
    floor,
    jumps,
    block,
    deaths,
    tally,
):
    """Step 2, some times: rows are born from the model or die; acceptance (5).

    With `block` > 1 every second jump is by so many rows. From n - K < floor the way is up with
    probability 1, else up or down with 1/2: q of the paper for K = 1.
    """
    offered = np.empty(total.size)
    width, log_g = rows.shape[1], log_release(s, total, n, noise)
    log_n = log_count(n_dp, n, count_noise) + log_size(n, prior)
    row = np.empty(width)
    for step in range(jumps):
        K = block if step % 2 == 1 else 1
        at_floor = n - K < floor
        birth = at_floor or rng.random() < 0.5
        _set(offered, total)
        if birth:
            new, log_q = n + K, math.log(0.5) if at_floor else 0.0
            for k in range(K):
                record(rng, theta, hyper, row)
                statistic(row, s, hyper, t)
                _copy(row, rows, n + k)
                _copy(t, stats, n + k)
                for j in range(total.size):
                    offered[j] += t[j]
        else:
            new, log_q = n - K, -math.log(0.5) if n - 2 * K < floor else 0.0
            if deaths in (ANYWHERE, APPEND_ANYWHERE):
                # the row that dies goes to the end, the last row takes its place
                slot = int(rng.random() * n)
                for j in range(width):
                    rows[slot, j], rows[n - 1, j] = rows[n - 1, j], rows[slot, j]
                for j in range(total.size):
                    stats[slot, j], stats[n - 1, j] = stats[n - 1, j], stats[slot, j]
            for k in range(K):
                for j in range(total.size):
                    offered[j] -= stats[n - 1 - k, j]
        log_new = log_release(s, offered, new, noise)
        log_size_new = log_count(n_dp, new, count_noise) + log_size(new, prior)
        log_ratio = log_new - log_g + log_size_new - log_n
        if deaths != NO_RATIO:
            log_ratio += log_q
        accepted = log_ratio >= 0 or rng.random() < math.exp(log_ratio)
        if birth:
            tally[BIRTHS] += 1
            tally[BORN] += accepted
        else:
            tally[DEATHS] += 1
            tally[DIED] += accepted
        if accepted:
            if birth and deaths == ANYWHERE:
                # into a uniform slot, whose occupant goes to the end
                slot = int(rng.random() * new)
                for j in range(width):
                    rows[slot, j], rows[n, j] = rows[n, j], rows[slot, j]
                for j in range(total.size):
                    stats[slot, j], stats[n, j] = stats[n, j], stats[slot, j]
            n, log_g, log_n = new, log_new, log_size_new
            _set(total, offered)
        elif not birth and deaths in (ANYWHERE, APPEND_ANYWHERE):
            for j in range(width):
                rows[slot, j], rows[n - 1, j] = rows[n - 1, j], rows[slot, j]
            for j in range(total.size):
                stats[slot, j], stats[n - 1, j] = stats[n - 1, j], stats[slot, j]
    return n


@njit(inner=True)
def renewal(
    update, record, statistic, log_release, rng, hyper, s, noise, rows, stats, n, theta, fixed, tally
):  # fmt: skip
    """Offer theta from its prior, which `update` draws from without records, and n records of it."""
    offered, others = theta.copy(), np.empty((n, stats.shape[1]))
    if not fixed:
        update(rng, rows, 0, offered, hyper)
    fresh = np.empty((n, rows.shape[1]))
    row, total, new = np.empty(rows.shape[1]), np.empty(stats.shape[1]), np.empty(stats.shape[1])
    for i in range(n):
        record(rng, offered, hyper, row)
        statistic(row, s, hyper, new)
        _copy(row, fresh, i)
        _copy(new, others, i)
    _sum_rows(stats, n, total)
    _sum_rows(others, n, new)
    change = log_release(s, new, n, noise) - log_release(s, total, n, noise)
    tally[RENEWALS] += 1
    if change >= 0 or rng.random() < math.exp(change):
        tally[RENEWED] += 1
        _set(theta, offered)
        for i in range(n):
            for j in range(row.size):
                rows[i, j] = fresh[i, j]
            for j in range(new.size):
                stats[i, j] = others[i, j]


@njit(
    types.int64(
        *(types.FunctionType(UPDATE), types.FunctionType(RECORD), types.FunctionType(STATISTIC)),
        *(types.FunctionType(LOG_RELEASE), types.FunctionType(LOG_COUNT)),
        *(types.FunctionType(LOG_SIZE), RNG, VECTOR, VECTOR, VECTOR),
        *(types.float64, VECTOR, VECTOR, TABLE, TABLE, COUNTS, VECTOR),
        *(types.int64, types.int64, types.int64, types.int64, types.boolean, COUNTS),
        *(TABLE, COUNTS, types.int64, types.int64, types.int64, types.int64, types.int64),
    ),
    cache=True,
    nogil=True,
    seconds=6,
)
def run(
    update,
    record,
    statistic,
    log_release,
    log_count,
    log_size,
    rng,
    hyper,
    s,
    noise,
    n_dp,
    count_noise,
    prior,
    rows,
    stats,
    size,
    theta,
    floor,
    jumps,
    block,
    deaths,
    fixed,
    tally,
    kept,
    sizes,
    first,
    last,
    inlined,
    before,
    renew,
):
    """Cycles `first` to `last` of Algorithm 1; the state stands in rows, size and theta.

    Stops before a cycle that might need more rows than there is room for. Returns the number of the
    next cycle. With `fixed` theta stays as it is (the E step of Algorithm 2). A swap is so short that
    calls through pointers are 40 % of it: `inlined` names pieces that are compiled into the sweep.
    All is offered anew after every `renew` cycles; `before` cycles came before the first.
    """
    total, t = np.empty(stats.shape[1]), np.empty(stats.shape[1])
    n = size[0]
    for step in range(first, last):
        if n + jumps * block > rows.shape[0]:
            size[0] = n
            return step
        if not fixed:
            update(rng, rows, n, theta, hyper)
        _sum_rows(stats, n, total)
        log_g = log_release(s, total, n, noise)
        if inlined == NORMAL_GAUSSIAN:
            sweep_normal_gaussian(
                record, statistic, log_release, rng, theta, hyper, s, noise,
                rows, stats, n, total, t, log_g, tally,
            )  # fmt: skip
        elif inlined == NORMAL_LAPLACE:
            sweep_normal_laplace(
                record, statistic, log_release, rng, theta, hyper, s, noise,
                rows, stats, n, total, t, log_g, tally,
            )  # fmt: skip
        else:
            sweep(
                record, statistic, log_release, rng, theta, hyper, s, noise,
                rows, stats, n, total, t, log_g, tally,
            )  # fmt: skip
        if jumps > 0:
            n = jump(
                record,
                statistic,
                log_release,
                log_count,
                log_size,
                rng,
                theta,
                hyper,
                s,
                noise,
                n_dp,
                count_noise,
                prior,
                rows,
                stats,
                n,
                total,
                t,
                floor,
                jumps,
                block,
                deaths,
                tally,
            )
        _copy(theta, kept, step)
        sizes[step] = n
        if renew > 0 and (before + step + 1) % renew == 0:
            renewal(
                update, record, statistic, log_release, rng, hyper, s, noise, rows, stats, n, theta,
                fixed, tally,
            )  # fmt: skip
    size[0] = n
    return last


@njit(
    types.void(
        *(types.FunctionType(RECORD), types.FunctionType(STATISTIC), RNG, VECTOR, VECTOR, VECTOR),
        *(TABLE, TABLE, types.int64),
    ),
    cache=True,
)
def fill(record, statistic, rng, theta, hyper, s, rows, stats, n):
    """Draw the first n rows from the model, and their statistics."""
    row, t = np.empty(rows.shape[1]), np.empty(stats.shape[1])
    for i in range(n):
        record(rng, theta, hyper, row)
        statistic(row, s, hyper, t)
        _copy(row, rows, i)
        _copy(t, stats, i)


# --- linear regression: rows (x, y), theta = (b, tau, mu, T) with Phi = T T' ------------------------------
# hyper: p, low, high, a, b, df, m (p + 1), V ((p + 1)**2), mean of mu (p), its precision (p**2), W^-1 (p**2)


@njit(cache=True, pointed=True, error_model="python")
def regression_record(rng, theta, hyper, row):
    """X = mu + T'^-1 u, then y given x."""
    p = row.size - 1
    mu, corner = p + 2, 2 * p + 2
    for j in range(p):
        row[j] = rng.standard_normal()
    for j in range(p - 1, -1, -1):
        for k in range(j + 1, p):
            row[j] -= theta[corner + k * (k + 1) // 2 + j] * row[k]
        row[j] /= theta[corner + j * (j + 1) // 2 + j]
    y = theta[0] + rng.standard_normal() / math.sqrt(theta[p + 1])
    for j in range(p):
        row[j] += theta[mu + j]
        y += theta[1 + j] * row[j]
    row[p] = y


@njit(cache=True, pointed=True, error_model="python")
def regression_statistic(row, s, hyper, t):
    """(x_j), (x_j x_k, j <= k), (x_j y), y, y**2 of the row, clamped and mapped to [-1, 1]."""
    p, low, high = row.size - 1, hyper[1], hyper[2]
    scale = 2.0 / (high - low)
    at = p
    y = (min(max(row[p], low), high) - low) * scale - 1.0
    for j in range(p):
        t[j] = (min(max(row[j], low), high) - low) * scale - 1.0
    for j in range(p):
        for k in range(j, p):
            t[at] = t[j] * t[k]
            at += 1
    for j in range(p):
        t[at] = t[j] * y
        at += 1
    t[at] = y
    t[at + 1] = y * y


@njit(cache=True, pointed=True)
def leaked_statistic(row, s, hyper, t):
    """As the authors' code scores a release: a count in place of the last covariate's square."""
    regression_statistic(row, s, hyper, t)
    p = row.size - 1
    t[p + p * (p + 1) // 2 - 1] = 1.0


@njit(inner=True)
def regression_moments(rows, n, gram):
    """Sum of z z' over rows, z = (1, x, y)."""
    size = rows.shape[1] + 1
    gram[:, :] = 0.0
    gram[0, 0] = n
    for i in range(n):
        for j in range(size - 1):
            gram[0, j + 1] += rows[i, j]
            for k in range(j + 1):
                gram[k + 1, j + 1] += rows[i, k] * rows[i, j]
    for j in range(size):
        for k in range(j):
            gram[j, k] = gram[k, j]


@njit(inner=True)
def _cholesky(M, size, L, least):
    """Write the lower Cholesky factor to L, which may be M; return False where M has none.

    M has none where a pivot is at most 0, or `least` times the entry of M. The loops are written by
    hand, as those of the two functions below: Numba's calls of LAPACK take many seconds to compile,
    and for so few rows they are no faster.
    """
    for j in range(size):
        for k in range(j + 1):
            value = M[j, k]
            for c in range(k):
                value -= L[j, c] * L[k, c]
            if j > k:
                L[j, k] = value / L[k, k]
            elif value > (least * abs(M[j, j]) if least > 0.0 else 0.0):
                L[j, j] = math.sqrt(value)
            else:
                return False
    return True


@njit(inner=True)
def _factor(M, size, L):
    """Write the lower Cholesky factor of a positive definite matrix to L."""
    if not _cholesky(M, size, L, 0.0):
        raise np.linalg.LinAlgError("Matrix is not positive definite.")


@njit(inner=True)
def _solve_lower(L, size, x):
    """Replace x by the solution of L y = x."""
    for j in range(size):
        for k in range(j):
            x[j] -= L[j, k] * x[k]
        x[j] /= L[j, j]


@njit(inner=True)
def _solve_upper(L, size, x):
    """Replace x by the solution of L' y = x."""
    for j in range(size - 1, -1, -1):
        for k in range(j + 1, size):
            x[j] -= L[k, j] * x[k]
        x[j] /= L[j, j]


@njit(inner=True)
def regression_draw(rng, gram, theta, hyper):
    """Draw (b, tau) given the moments, then mu given Phi, then Phi given mu, in place."""
    p = gram.shape[0] - 2
    n = gram[0, 0]
    V = 7 + p  # where V, the mean of mu, its precision and W^-1 begin in hyper
    mean = V + (p + 1) ** 2
    precision = mean + p
    scale = precision + p * p
    M, L, Phi = np.empty((p + 1, p + 1)), np.empty((p + 1, p + 1)), np.empty((p, p))
    right, centre, z = np.empty(p + 1), np.empty(p + 1), np.empty(p + 1)

    rest = hyper[4] + gram[p + 1, p + 1]
    for j in range(p + 1):
        value = 0.0
        for k in range(p + 1):
            M[j, k] = gram[j, k] + hyper[V + j * (p + 1) + k]
            value += hyper[V + j * (p + 1) + k] * hyper[6 + k]
        rest += hyper[6 + j] * value
        right[j] = gram[j, p + 1] + value
        centre[j] = right[j]
    _factor(M, p + 1, L)
    _solve_lower(L, p + 1, centre)
    _solve_upper(L, p + 1, centre)
    for j in range(p + 1):
        rest -= centre[j] * right[j]
    tau = rng.standard_gamma(0.5 * (hyper[3] + n)) / (0.5 * max(rest, 1e-300))
    for j in range(p + 1):
        z[j] = rng.standard_normal()
    _solve_upper(L, p + 1, z)
    for j in range(p + 1):
        theta[j] = centre[j] + z[j] / math.sqrt(tau)
    theta[p + 1] = tau

    mu, corner = p + 2, 2 * p + 2
    for j in range(p):
        for k in range(j + 1):
            value = 0.0
            for c in range(k + 1):
                value += theta[corner + j * (j + 1) // 2 + c] * theta[corner + k * (k + 1) // 2 + c]
            Phi[j, k] = Phi[k, j] = value
    for j in range(p):
        centre[j] = 0.0
        for k in range(p):
            M[j, k] = hyper[precision + j * p + k] + n * Phi[j, k]
            centre[j] += hyper[precision + j * p + k] * hyper[mean + k] + Phi[j, k] * gram[0, k + 1]
    _factor(M, p, L)
    _solve_lower(L, p, centre)
    _solve_upper(L, p, centre)
    for j in range(p):
        z[j] = rng.standard_normal()
    _solve_upper(L, p, z)
    for j in range(p):
        theta[mu + j] = centre[j] + z[j]

    for j in range(p):
        for k in range(p):
            M[j, k] = (
                hyper[scale + j * p + k]
                + gram[j + 1, k + 1]
                - theta[mu + j] * gram[0, k + 1]
                - gram[0, j + 1] * theta[mu + k]
                + n * theta[mu + j] * theta[mu + k]
            )
    # Phi has a Wishart distribution, whose scale is the inverse of M; its factor is needed
    _factor(M, p, L)
    for k in range(p):
        for j in range(p):
            z[j] = 1.0 if j == k else 0.0
        _solve_lower(L, p, z)
        _solve_upper(L, p, z)
        for j in range(p):
            M[j, k] = z[j]
    _factor(M, p, L)
    for j in range(p):
        Phi[j, j] = math.sqrt(2.0 * rng.standard_gamma(0.5 * (hyper[5] + n - j)))
        for k in range(j):
            Phi[j, k] = rng.standard_normal()
    for j in range(p):
        for k in range(j + 1):
            value = 0.0
            for c in range(k, j + 1):
                value += L[j, c] * Phi[c, k]
            theta[corner + j * (j + 1) // 2 + k] = value


@njit(cache=True, pointed=True, seconds=5)
def regression_update(rng, rows, n, theta, hyper):
    """Exact conditionals of (b, tau), of mu, of Phi, each given the rest."""
    gram = np.empty((rows.shape[1] + 1, rows.shape[1] + 1))
    regression_moments(rows, n, gram)
    regression_draw(rng, gram, theta, hyper)


# --- linear regression without rows: many steps on a surrogate, one exact decision -------------------------
#
# A row is z = (1, x, y) = A(theta) (1, u) with u standard normal. The state (theta, n, u_1, u_2, ...)
# holds more u than n: those beyond are standard normal, and the target in these coordinates is
#     p(theta) p(n) p(n_dp | n) g(s, sum over i <= n of t(A(theta) u_i)) prod over all i of phi(u_i),
# so a move of theta and n that keeps every u needs no density of rows. Sums of products of u over the
# first n rows are had from sums over blocks, whatever n is; clamping is replaced by its expectation.
# psi = (log nu, b, log tau, mu, T with log of its diagonal), nu = n + U, U uniform on [0, 1).

BLOCK = 32  # rows in a block
RESERVE = 64  # rows beyond n that are drawn anew in a cycle
WALKED, WALK_TAKEN, KEPT_TOTALS, KEPT_TAKEN, DECIDED, DECIDED_TAKEN, EXACT, EXACT_TAKEN = (
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    13,
)
ALL_TALLIES = 14


@njit(cache=True)
def shape_matrix(theta, p, A):
    """A with (1, x, y) = A (1, u)."""
    corner, mu = 2 * p + 2, p + 2
    A[:, :] = 0.0
    A[0, 0] = 1.0
    for c in range(p):  # column c of T'^-1, upper triangular
        for j in range(c, -1, -1):
            value = 1.0 if j == c else 0.0
            for k in range(j + 1, c + 1):
                value -= theta[corner + k * (k + 1) // 2 + j] * A[k + 1, c + 1]
            A[j + 1, c + 1] = value / theta[corner + j * (j + 1) // 2 + j]
    for j in range(p):
        A[j + 1, 0] = theta[mu + j]
    for c in range(p + 1):
        value = theta[0] if c == 0 else 0.0
        for j in range(p):
            value += theta[1 + j] * A[j + 1, c]
        A[p + 1, c] = value
    A[p + 1, p + 1] = 1.0 / math.sqrt(theta[p + 1])


@njit(cache=True)
def standardising(theta, p, A, C):
    """Set C = (inverse of theta's matrix) A, which takes u of the parameter of A to u of theta."""
    corner, mu = 2 * p + 2, p + 2
    root = math.sqrt(theta[p + 1])
    C[:, :] = 0.0
    C[0, 0] = 1.0
    for c in range(p + 2):
        for j in range(p):
            value = 0.0
            for k in range(j, p):
                centred = A[k + 1, c] - (theta[mu + k] if c == 0 else 0.0)
                value += theta[corner + k * (k + 1) // 2 + j] * centred
            C[j + 1, c] = value
        value = A[p + 1, c] - (theta[0] if c == 0 else 0.0)
        for j in range(p):
            value -= theta[1 + j] * A[j + 1, c]
        C[p + 1, c] = root * value


@njit(inner=True)
def block_statistics(A, hyper, leak, F, Z, T):
    """Statistics of BLOCK rows at once: column i of F holds u of row i, of T its statistics.

    As `regression_statistic`, row after row; a processor is fast at loops over many rows.
    """
    q = F.shape[0]
    p = q - 1
    low, high = hyper[1], hyper[2]
    scale = 2.0 / (high - low)
    for j in range(q):
        for i in range(BLOCK):
            Z[j, i] = A[j + 1, 0]
        for c in range(q):
            one = A[j + 1, c + 1]
            for i in range(BLOCK):
                Z[j, i] += one * F[c, i]
        for i in range(BLOCK):
            Z[j, i] = (min(max(Z[j, i], low), high) - low) * scale - 1.0
    at = p
    for j in range(p):
        for i in range(BLOCK):
            T[j, i] = Z[j, i]
        for k in range(j, p):
            for i in range(BLOCK):
                T[at, i] = Z[j, i] * Z[k, i]
            at += 1
    if leak:
        for i in range(BLOCK):
            T[at - 1, i] = 1.0
    for j in range(p):
        for i in range(BLOCK):
            T[at, i] = Z[j, i] * Z[p, i]
        at += 1
    for i in range(BLOCK):
        T[at, i] = Z[p, i]
        T[at + 1, i] = Z[p, i] * Z[p, i]


@njit(inner=True)
def block_statistics_two_covariates(A, hyper, leak, F, T):
    """As `block_statistics` with two covariates, to the last bit: one loop, which becomes vectors."""
    low, high = hyper[1], hyper[2]
    scale = 2.0 / (high - low)
    a0, a1, a2, a3 = A[1, 0], A[1, 1], A[1, 2], A[1, 3]
    b0, b1, b2, b3 = A[2, 0], A[2, 1], A[2, 2], A[2, 3]
    c0, c1, c2, c3 = A[3, 0], A[3, 1], A[3, 2], A[3, 3]
    for i in range(BLOCK):
        f, g, h = F[0, i], F[1, i], F[2, i]
        x = a0 + a1 * f + a2 * g + a3 * h
        z = b0 + b1 * f + b2 * g + b3 * h
        y = c0 + c1 * f + c2 * g + c3 * h
        x, z, y = x if x > low else low, z if z > low else low, y if y > low else low
        x, z, y = x if x < high else high, z if z < high else high, y if y < high else high
        x, z, y = (x - low) * scale - 1.0, (z - low) * scale - 1.0, (y - low) * scale - 1.0
        T[0, i], T[1, i] = x, z
        T[2, i], T[3, i], T[4, i] = x * x, x * z, z * z
        T[5, i], T[6, i] = x * y, z * y
        T[7, i], T[8, i] = y, y * y
    if leak:
        for i in range(BLOCK):
            T[4, i] = 1.0


@njit(inner=True)
def _sum_nine(stats, n, total):
    """As `_sum_rows` with nine columns, in registers."""
    t0, t1, t2, t3, t4, t5, t6, t7, t8 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        t0 += stats[i, 0]
        t1 += stats[i, 1]
        t2 += stats[i, 2]
        t3 += stats[i, 3]
        t4 += stats[i, 4]
        t5 += stats[i, 5]
        t6 += stats[i, 6]
        t7 += stats[i, 7]
        t8 += stats[i, 8]
    total[0], total[1], total[2], total[3], total[4] = t0, t1, t2, t3, t4
    total[5], total[6], total[7], total[8] = t5, t6, t7, t8


@njit(inner=True)
def rows_statistics_two_covariates(u, n, A, hyper, leak, stats, total):
    """As `rows_statistics` with two covariates, to the last bit."""
    F, T = np.zeros((3, BLOCK)), np.empty((9, BLOCK))
    for first in range(0, n, BLOCK):
        size = min(BLOCK, n - first)
        for i in range(size):
            for j in range(3):
                F[j, i] = u[first + i, j]
        block_statistics_two_covariates(A, hyper, leak, F, T)
        for i in range(size):
            for j in range(9):
                stats[first + i, j] = T[j, i]
    _sum_nine(stats, n, total)


@njit(inner=True)
def row_statistic(A, u, i, hyper, leak, row, t):
    """Statistics of one row."""
    for j in range(row.size):
        value = A[j + 1, 0]
        for c in range(row.size):
            value += A[j + 1, c + 1] * u[i, c]
        row[j] = value
    if leak:
        leaked_statistic(row, t, hyper, t)
    else:
        regression_statistic(row, t, hyper, t)


@njit(cache=True)
def standardise(u, n, C, room):
    """Replace each of the first n rows of u by C (1, u)."""
    q = u.shape[1]
    for i in range(n):
        for j in range(q):
            room[j] = C[j + 1, 0]
            for c in range(q):
                room[j] += C[j + 1, c + 1] * u[i, c]
        for j in range(q):
            u[i, j] = room[j]


@njit(inner=True)
def standardise_two_covariates(u, n, C):
    """As `standardise` with two covariates, to the last bit: in registers."""
    a0, a1, a2, a3 = C[1, 0], C[1, 1], C[1, 2], C[1, 3]
    b0, b1, b2, b3 = C[2, 0], C[2, 1], C[2, 2], C[2, 3]
    c0, c1, c2, c3 = C[3, 0], C[3, 1], C[3, 2], C[3, 3]
    for i in range(n):
        f, g, h = u[i, 0], u[i, 1], u[i, 2]
        u[i, 0] = a0 + a1 * f + a2 * g + a3 * h
        u[i, 1] = b0 + b1 * f + b2 * g + b3 * h
        u[i, 2] = c0 + c1 * f + c2 * g + c3 * h


@njit(inner=True)
def release_slope(log_release, s, total, n, noise, hyper, leak, A, u, found):
    """Slope of log g(s, sum over i <= n of t(A (1, u_i))) by A, with u held, shape of A.

    There are kinks, under Laplace noise where a sum equals its release, and where a variable is at
    an end of its clamp: sets of no mass.
    """
    q, m = A.shape[0] - 1, total.size
    p = q - 1
    low, high = hyper[1], hyper[2]
    scale = 2.0 / (high - low)
    weights, z = np.empty(m), np.empty(q)
    for k in range(m):
        value, step = total[k], 1e-4
        total[k] = value + step
        above = log_release(s, total, n, noise)
        total[k] = value - step
        weights[k] = (above - log_release(s, total, n, noise)) / (2.0 * step)
        total[k] = value
    squares = p + p * (p + 1) // 2
    if leak:
        weights[squares - 1] = 0.0
    by_one, by_two = np.zeros(q), np.zeros((q, q))  # of z, of z z' with the diagonal doubled
    at = p
    for j in range(p):
        by_one[j] = weights[j]
        for k in range(j, p):
            by_two[j, k] += weights[at]
            by_two[k, j] += weights[at]
            at += 1
    for j in range(p):
        by_two[j, p] += weights[at]
        by_two[p, j] += weights[at]
        at += 1
    by_one[p] = weights[at]
    by_two[p, p] = 2.0 * weights[at + 1]
    found[:, :] = 0.0
    for i in range(n):
        for j in range(q):
            value = A[j + 1, 0]
            for c in range(q):
                value += A[j + 1, c + 1] * u[i, c]
            z[j] = (min(max(value, low), high) - low) * scale - 1.0
        for j in range(q):
            if -1.0 < z[j] < 1.0:
                value = by_one[j]
                for k in range(q):
                    value += by_two[j, k] * z[k]
                found[j + 1, 0] += value
                for c in range(q):
                    found[j + 1, c + 1] += value * u[i, c]
    for j in range(q):
        for c in range(q + 1):
            found[j + 1, c] *= scale


@njit(cache=True)
def rows_statistics(u, n, A, hyper, leak, stats, total):
    """Statistics of the first n rows, and their sum."""
    q, m = u.shape[1], total.size
    F, Z, T = np.zeros((q, BLOCK)), np.empty((q, BLOCK)), np.empty((m, BLOCK))
    total[:] = 0.0
    for first in range(0, n, BLOCK):
        size = min(BLOCK, n - first)
        for i in range(size):
            for j in range(q):
                F[j, i] = u[first + i, j]
        block_statistics(A, hyper, leak, F, Z, T)
        for i in range(size):
            for j in range(m):
                stats[first + i, j] = T[j, i]
                total[j] += T[j, i]


@njit(inner=True)
def swap_rows(log_release, rng, A, hyper, leak, s, noise, u, stats, n, total, log_g, tally):
    """Step 1(b) for the regression: each row in turn is offered a fresh one; acceptance (4)."""
    q, m = u.shape[1], total.size
    F, Z, T = np.zeros((q, BLOCK)), np.empty((q, BLOCK)), np.empty((m, BLOCK))
    offered = np.empty(m)
    taken = 0
    for first in range(0, n, BLOCK):
        size = min(BLOCK, n - first)
        for i in range(size):
            for j in range(q):
                F[j, i] = rng.standard_normal()
        block_statistics(A, hyper, leak, F, Z, T)
        for i in range(size):
            for j in range(m):
                offered[j] = total[j] - stats[first + i, j] + T[j, i]
            log_new = log_release(s, offered, n, noise)
            if log_new >= log_g or rng.random() < math.exp(log_new - log_g):
                for j in range(q):
                    u[first + i, j] = F[j, i]
                for j in range(m):
                    stats[first + i, j] = T[j, i]
                    total[j] = offered[j]
                log_g = log_new
                taken += 1
    tally[SWAPS] += n
    tally[SWAPPED] += taken
    return log_g


@njit(inner=True)
def swap_rows_two_covariates(
    rng, words, A, hyper, leak, s, noise, u, stats, n, total, log_g, tally
):
    """As `swap_rows` with two covariates, the paper's regression: the same draws, to the last bit.

    Half of the rows need a uniform number, and which is a toss of a coin: a branch costs more than the
    number. So it is computed for each row, from the state of rng itself, which moves on where it was
    needed. As exp(x) >= 1 + x, the exponential is needed for few rows.
    """
    F, T = np.zeros((3, BLOCK)), np.empty((9, BLOCK))
    t0, t1, t2, t3, t4, t5, t6, t7, t8 = (
        total[0], total[1], total[2], total[3], total[4], total[5], total[6], total[7], total[8]
    )  # fmt: skip
    s0, s1, s2, s3, s4, s5, s6, s7, s8 = s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]
    scale = noise[0]
    taken = 0
    for first in range(0, n, BLOCK):
        size = min(BLOCK, n - first)
        for i in range(size):
            for j in range(3):
                F[j, i] = rng.standard_normal()
        block_statistics_two_covariates(A, hyper, leak, F, T)
        low, high = words[0], words[1]
        for i in range(size):
            at = first + i
            v0 = t0 - stats[at, 0] + T[0, i]
            v1 = t1 - stats[at, 1] + T[1, i]
            v2 = t2 - stats[at, 2] + T[2, i]
            v3 = t3 - stats[at, 3] + T[3, i]
            v4 = t4 - stats[at, 4] + T[4, i]
            v5 = t5 - stats[at, 5] + T[5, i]
            v6 = t6 - stats[at, 6] + T[6, i]
            v7 = t7 - stats[at, 7] + T[7, i]
            v8 = t8 - stats[at, 8] + T[8, i]
            # in the order of `laplace_release`
            found = (
                -abs(s0 - v0) - abs(s1 - v1) - abs(s2 - v2) - abs(s3 - v3) - abs(s4 - v4)
                - abs(s5 - v5) - abs(s6 - v6) - abs(s7 - v7) - abs(s8 - v8)
            )  # fmt: skip
            log_new = found / scale
            change = log_new - log_g
            next_low, next_high = next_words(low, high, words[2], words[3])
            uniform = output(next_low, next_high)
            moved = np.uint64(0) - np.uint64(not change >= 0.0)
            low ^= (low ^ next_low) & moved
            high ^= (high ^ next_high) & moved
            # without a test for change >= 0, as uniform < 1; nan is refused
            if uniform < 1.0 + change or uniform < math.exp(change):
                for j in range(3):
                    u[at, j] = F[j, i]
                for j in range(9):
                    stats[at, j] = T[j, i]
                t0, t1, t2, t3, t4, t5, t6, t7, t8 = v0, v1, v2, v3, v4, v5, v6, v7, v8
                log_g = log_new
                taken += 1
        words[0], words[1] = low, high
    total[0], total[1], total[2], total[3], total[4] = t0, t1, t2, t3, t4
    total[5], total[6], total[7], total[8] = t5, t6, t7, t8
    tally[SWAPS] += n
    tally[SWAPPED] += taken
    return log_g


@njit(inner=True)
def fill_blocks(u, first, last, blocks):
    """Sums of products of (1, u) over blocks first, ..., last - 1; lower triangle, packed."""
    q = u.shape[1]
    for k in range(first, last):
        for e in range(blocks.shape[1]):
            blocks[k, e] = 0.0
        for i in range(k * BLOCK, (k + 1) * BLOCK):
            _add_products(u, i, q, blocks[k])


@njit(inner=True)
def fill_blocks_two_covariates(u, first, last, blocks):
    """As `fill_blocks` with two covariates, to the last bit: in registers."""
    for k in range(first, last):
        b0, b1, b2, b3, b4, b5, b6, b7, b8 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(k * BLOCK, (k + 1) * BLOCK):
            f, g, h = u[i, 0], u[i, 1], u[i, 2]
            b0, b1 = b0 + f, b1 + f * f
            b2, b3, b4 = b2 + g, b3 + g * f, b4 + g * g
            b5, b6, b7, b8 = b5 + h, b6 + h * f, b7 + h * g, b8 + h * h
        blocks[k, 0], blocks[k, 1], blocks[k, 2], blocks[k, 3], blocks[k, 4] = b0, b1, b2, b3, b4
        blocks[k, 5], blocks[k, 6], blocks[k, 7], blocks[k, 8] = b5, b6, b7, b8


@njit(inner=True)
def add_up(blocks, sums):
    """Sums over the first k blocks, for each k."""
    for e in range(blocks.shape[1]):
        sums[0, e] = 0.0
    for k in range(blocks.shape[0]):
        for e in range(blocks.shape[1]):
            sums[k + 1, e] = sums[k, e] + blocks[k, e]


@njit(inner=True, forceinline=True)
def products(u, n, sums, packed, gram):
    """Sum of (1, u)(1, u)' over the first n rows."""
    k = n // BLOCK
    for e in range(packed.size):
        packed[e] = sums[k, e]
    for i in range(k * BLOCK, n):
        _add_products(u, i, gram.shape[0] - 1, packed)
    _unpack(packed, n, gram)


@njit(inner=True, forceinline=True)
def products_again(u, n, sums, partial, seen, turn, packed, gram):
    """As `products`, from sums that are kept for all rows of a block, and are new in each turn."""
    k = n // BLOCK
    if seen[k] != turn:
        seen[k] = turn
        for e in range(packed.size):
            packed[e] = sums[k, e]
        for i in range(k * BLOCK, min((k + 1) * BLOCK, partial.shape[0])):
            for e in range(packed.size):
                partial[i, e] = packed[e]
            _add_products(u, i, gram.shape[0] - 1, packed)
    for e in range(packed.size):
        packed[e] = partial[n, e]
    _unpack(packed, n, gram)


@njit(inner=True, forceinline=True)
def _add_products(u, i, q, packed):
    """Add the products of (1, u) of one row; lower triangle."""
    e = 0
    for j in range(q):
        packed[e] += u[i, j]
        e += 1
        for c in range(j + 1):
            packed[e] += u[i, j] * u[i, c]
            e += 1


@njit(inner=True, forceinline=True)
def _unpack(packed, n, gram):
    q = gram.shape[0] - 1
    gram[0, 0] = n
    e = 0
    for j in range(q):
        gram[j + 1, 0] = packed[e]
        gram[0, j + 1] = packed[e]
        e += 1
        for c in range(j + 1):
            gram[j + 1, c + 1] = packed[e]
            gram[c + 1, j + 1] = packed[e]
            e += 1


@njit(inner=True, forceinline=True)
def conjugated(A, p, gram, work, found):
    """A gram A'."""
    size = p + 2
    for j in range(size):
        for c in range(size):
            value = 0.0
            for k in range(size):
                value += A[j, k] * gram[k, c]
            work[j, c] = value
    for j in range(size):
        for c in range(j + 1):
            value = 0.0
            for k in range(size):
                value += work[j, k] * A[c, k]
            found[j, c] = value
            found[c, j] = value


@njit(inner=True, forceinline=True)
def expected_statistics(A, p, gram, n, hyper, leak, clip, total):
    """Sums of statistics of the first n rows, with clamping replaced by its expectation.

    `gram` is the sum of z z'. `clip` has shape (p + 1, 4): room.
    """
    scale = 2.0 / (hyper[2] - hyper[1])
    shift = -hyper[1] * scale - 1.0
    for j in range(p + 1):
        mean = A[j + 1, 0] * scale + shift
        variance = 0.0
        for c in range(1, p + 2):
            variance += A[j + 1, c] ** 2
        variance *= scale * scale
        sd = math.sqrt(variance)
        low, high = (-1.0 - mean) / sd, (1.0 - mean) / sd
        below, above = (
            0.5 * math.erfc(-low / math.sqrt(2.0)),
            0.5 * math.erfc(high / math.sqrt(2.0)),
        )
        inside = max(1.0 - below - above, 0.0)
        at_low = math.exp(-0.5 * low * low) / math.sqrt(2.0 * math.pi)
        at_high = math.exp(-0.5 * high * high) / math.sqrt(2.0 * math.pi)
        clip[j, 0] = mean
        clip[j, 1] = above - below + mean * inside + sd * (at_low - at_high)
        clip[j, 2] = (
            above
            + below
            + (mean * mean + variance) * inside
            + 2.0 * mean * sd * (at_low - at_high)
            + variance * (low * at_low - high * at_high)
        )
        clip[j, 3] = inside
    at = p
    for j in range(p + 1):  # the sum of each variable: the last is y
        value = scale * gram[j + 1, 0] + n * (shift + clip[j, 1] - clip[j, 0])
        if j < p:
            total[j] = value
        else:
            total[total.size - 2] = value
    for pair in range((p + 1) * (p + 2) // 2):
        # x_j x_k with j <= k, then x_j y, then y y
        if pair < p * (p + 1) // 2:
            if pair == 0:
                j, k = 0, 0
            elif k < p - 1:
                k += 1
            else:
                j += 1
                k = j
        else:
            j, k = pair - p * (p + 1) // 2, p
        shared = 0.0
        for c in range(1, p + 2):
            shared += A[j + 1, c] * A[k + 1, c]
        shared *= scale * scale
        plain = shared + clip[j, 0] * clip[k, 0]
        if j == k:
            clipped = clip[j, 2]
        else:
            clipped = clip[j, 1] * clip[k, 1] + shared * clip[j, 3] * clip[k, 3]
        value = (
            scale * scale * gram[j + 1, k + 1]
            + scale * shift * (gram[j + 1, 0] + gram[k + 1, 0])
            + n * (shift * shift + clipped - plain)
        )
        if pair == (p + 1) * (p + 2) // 2 - 1:
            total[total.size - 1] = value
        else:
            if leak and pair == p * (p + 1) // 2 - 1:
                value = n
            total[at] = value
            at += 1


@njit(inner=True)
def expected_sums(A, p, gram_u, work, gram, n, hyper, leak, clip, total):
    """Compute `gram` = A gram_u A', and from it the `expected_statistics`."""
    conjugated(A, p, gram_u, work, gram)
    expected_statistics(A, p, gram, n, hyper, leak, clip, total)


@njit(inner=True)
def expected_sums_two_covariates(A, gram_u, work, gram, n, hyper, leak, clip, total):
    """As `expected_sums` with two covariates, to the last bit: loops of a known length."""
    p = np.int64(2)
    conjugated(A, p, gram_u, work, gram)
    expected_statistics(A, p, gram, n, hyper, leak, clip, total)


@njit(inner=True)
def log_prior(theta, p, hyper):
    """Log prior density of psi without nu, up to a constant."""
    corner, mu = 2 * p + 2, p + 2
    tau = theta[p + 1]
    at = 7 + p
    found = 0.0
    for j in range(p + 1):
        for k in range(p + 1):
            found -= (
                0.5
                * tau
                * (theta[j] - hyper[6 + j])
                * hyper[at + j * (p + 1) + k]
                * (theta[k] - hyper[6 + k])
            )
    found += 0.5 * (p + 1 + hyper[3]) * math.log(tau) - 0.5 * hyper[4] * tau
    at += (p + 1) ** 2
    for j in range(p):
        for k in range(p):
            found -= (
                0.5
                * (theta[mu + j] - hyper[at + j])
                * hyper[at + p + j * p + k]
                * (theta[mu + k] - hyper[at + k])
            )
    at += p + p * p
    for j in range(p):
        found += (hyper[5] - j) * math.log(theta[corner + j * (j + 1) // 2 + j])
        for k in range(p):
            for c in range(min(j, k) + 1):
                found -= (
                    0.5
                    * hyper[at + j * p + k]
                    * theta[corner + j * (j + 1) // 2 + c]
                    * theta[corner + k * (k + 1) // 2 + c]
                )
    return found


@njit(cache=True, forceinline=True)
def to_psi(theta, p, psi):
    """The coordinates of a random walk; psi[0], the logarithm of nu, is left alone."""
    for j in range(theta.size):
        psi[1 + j] = theta[j]
    psi[p + 2] = math.log(theta[p + 1])
    for j in range(p):
        at = 2 * p + 2 + j * (j + 1) // 2 + j
        psi[1 + at] = math.log(theta[at])


@njit(cache=True, forceinline=True)
def from_psi(psi, p, theta):
    """The parameter at some coordinates."""
    for j in range(theta.size):
        theta[j] = psi[1 + j]
    theta[p + 1] = math.exp(psi[p + 2])
    for j in range(p):
        at = 2 * p + 2 + j * (j + 1) // 2 + j
        theta[at] = math.exp(psi[1 + at])


@njit(inner=True, forceinline=True)
def log_moment_volume(theta, p):
    """Log of abs(det d(moments) / d(psi)), up to a constant: tau**-1 prod of T_jj**-(p + 2 + j)."""
    found = -math.log(theta[p + 1])
    for j in range(p):
        found -= (p + 3 + j) * math.log(theta[2 * p + 2 + j * (j + 1) // 2 + j])
    return found


@njit(inner=True, forceinline=True)
def slide_volume(theta, found, p, move):
    """Log of abs(det d(psi of found) / d(psi of theta)) when log nu grows by `move`, totals kept."""
    return log_moment_volume(theta, p) - log_moment_volume(found, p) - theta.size * move


@njit(inner=True)
def same_totals(theta, p, ratio, found, A, M, L):
    """Find the parameter with `ratio` times the moments E z z' of theta; False where none exists.

    A, M and L are room, of shape (p + 2, p + 2).
    """
    corner, mu = 2 * p + 2, p + 2
    shape_matrix(theta, p, A)
    for j in range(p + 2):
        for k in range(p + 2):
            value = 0.0
            for c in range(p + 2):
                value += A[j, c] * A[k, c]
            M[j, k] = value if j == 0 and k == 0 else ratio * value
    # the factor's last row and the inverse of its middle give b, tau and T
    if not _cholesky(M, p + 2, L, 1e-12):
        return False
    found[p + 1] = 1.0 / L[p + 1, p + 1] ** 2
    for j in range(p):
        found[mu + j] = L[j + 1, 0]
    for j in range(p + 1):  # b: L' b = last row
        found[j] = L[p + 1, j]
    _solve_upper(L, p + 1, found)
    # Phi = (S S')^-1 with S the middle of L: T is its lower Cholesky factor
    inverse, T = A, M
    for c in range(p):
        for j in range(c, p):
            value = 1.0 if j == c else 0.0
            for k in range(c, j):
                value -= L[j + 1, k + 1] * inverse[k, c]
            inverse[j, c] = value / L[j + 1, j + 1]
    for j in range(p):
        for k in range(j + 1):
            value = 0.0
            for c in range(j, p):
                value += inverse[c, j] * inverse[c, k]
            T[j, k] = value
    if not _cholesky(T, p, T, 0.0):
        return False
    for j in range(p):
        for k in range(j + 1):
            found[corner + j * (j + 1) // 2 + k] = T[j, k]
    return True


@njit(
    types.void(
        *(types.FunctionType(LOG_RELEASE), types.FunctionType(LOG_COUNT)),
        *(types.FunctionType(LOG_SIZE), RNG, VECTOR, VECTOR, VECTOR),
        *(types.float64, VECTOR, VECTOR, types.int64, types.boolean, types.boolean),
        *(TABLE, TABLE, COUNTS, VECTOR),
        *(
            types.boolean,
            types.boolean,
            types.int64,
            types.int64,
            types.int64,
            types.int64,
            TABLE,
            types.float64,
            types.float64,
        ),
        *(types.float64, COUNTS, TABLE, COUNTS, TABLE, TABLE, TABLE, WORDS, types.int64),
        types.boolean,
    ),
    cache=True,
    nogil=True,
    seconds=20,
)
def regression_run(
    log_release,
    log_count,
    log_size,
    rng,
    hyper,
    s,
    noise,
    n_dp,
    count_noise,
    prior,
    floor,
    leak,
    laplace,
    u,
    stats,
    size,
    theta,
    fixed,
    fixed_size,
    jumps,
    block,
    steps,
    exact_steps,
    walk,
    step_scale,
    exact_scale,
    slide_scale,
    tally,
    kept,
    sizes,
    totals,
    grams,
    slopes,
    words,
    cycles,
    two,
):
    """Cycles of the regression's sampler.

    (a) theta given rows, but for `fixed`, (b) swaps, (c) jumps of n, (d) `steps` steps on the surrogate
    and one exact decision, (e) `exact_steps` exact random walks. `walk` is the lower triangular factor
    of a random walk's covariance in psi. A surrogate step is a walk, or with probability 1/3 a move of
    n that keeps the expected totals; drawn at random, so that the steps together are reversible with
    respect to the surrogate. For each cycle `totals` and `grams` take the sum of statistics and the
    packed sum of z z', `slopes` the slope of log g by A, where they have as many rows.
    `laplace` says that log_release is `laplace_release`, which is then inlined. `words` is the state of
    rng, or empty: see `live_words`. `two` asks for the loops for two covariates, as in the paper:
    faster, with the same results.
    """
    p = u.shape[1] - 1
    room, q = u.shape[0], p + 1
    m = p + p * (p + 1) // 2 + p + 2
    D = 2 * p + 2 + p * (p + 1) // 2 + 1
    n = size[0]
    A, A_new, C = np.empty((q + 1, q + 1)), np.empty((q + 1, q + 1)), np.empty((q + 1, q + 1))
    gram_u, gram, work = (
        np.empty((q + 1, q + 1)),
        np.empty((q + 1, q + 1)),
        np.empty((q + 1, q + 1)),
    )
    packed = np.empty((q + 1) * (q + 2) // 2 - 1)
    count_blocks = room // BLOCK
    blocks, sums = (
        np.empty((count_blocks, packed.size)),
        np.empty((count_blocks + 1, packed.size)),
    )
    total, t, offered = np.empty(m), np.empty(m), np.empty(m)
    row, fresh, clip = np.empty(q), np.empty(q), np.empty((q, 4))
    other = np.empty_like(stats)
    partial, seen = np.empty((room, packed.size)), np.empty(count_blocks + 1, np.int64)
    for k in range(seen.size):
        seen[k] = -1
    room_A, room_M, room_L = (
        np.empty((q + 1, q + 1)),
        np.empty((q + 1, q + 1)),
        np.empty((q + 1, q + 1)),
    )
    psi, psi_new, z = np.empty(D), np.empty(D), np.empty(D)
    theta_new, theta_at = np.empty(D - 1), np.empty(D - 1)
    cursor = size[1]
    home = stats
    summed = not fixed or steps > 0 or grams.shape[0] > 0
    if summed:
        if two:
            fill_blocks_two_covariates(u, np.int64(0), count_blocks, blocks)
        else:
            fill_blocks(u, np.int64(0), count_blocks, blocks)
    shape_matrix(theta, p, A)
    for cycle in range(cycles):
        # (a) theta given the rows; each u becomes the u of its row under the new theta
        if not fixed:
            add_up(blocks, sums)
            products(u, n, sums, packed, gram_u)
            conjugated(A, p, gram_u, work, gram)
            regression_draw(rng, gram, theta, hyper)
            standardising(theta, p, A, C)
            shape_matrix(theta, p, A)
            if two:
                standardise_two_covariates(u, n, C)
            else:
                standardise(u, n, C, fresh)
        if two:
            _sum_nine(stats, n, total)
        else:
            _sum_rows(stats, n, total)
        # (b) swaps
        log_g = log_release(s, total, n, noise)
        if two and laplace and words.size > 0:
            log_g = swap_rows_two_covariates(
                rng, words, A, hyper, leak, s, noise, u, stats, n, total, log_g, tally
            )
        else:
            log_g = swap_rows(
                log_release, rng, A, hyper, leak, s, noise, u, stats, n, total, log_g, tally
            )
        # (c) jumps, every second one by a block: the last rows die, or rows drawn anew are born
        log_n = log_count(n_dp, n, count_noise) + log_size(n, prior)
        for step in range(0 if fixed_size else jumps):
            K = block if step % 2 == 1 else 1
            at_floor = n - K < floor
            birth = at_floor or rng.random() < 0.5
            _set(offered, total)
            if birth:
                if n + K >= room:
                    continue
                new, log_q = n + K, math.log(0.5) if at_floor else 0.0
                for i in range(n, new):
                    for j in range(q):
                        u[i, j] = rng.standard_normal()
                    row_statistic(A, u, i, hyper, leak, row, t)
                    for j in range(m):
                        stats[i, j] = t[j]
                        offered[j] += t[j]
                tally[BIRTHS] += 1
            else:
                new, log_q = n - K, -math.log(0.5) if n - 2 * K < floor else 0.0
                for i in range(new, n):
                    for j in range(m):
                        offered[j] -= stats[i, j]
                tally[DEATHS] += 1
            log_new = log_release(s, offered, new, noise)
            log_size_new = log_count(n_dp, new, count_noise) + log_size(new, prior)
            log_ratio = log_new - log_g + log_size_new - log_n + log_q
            if log_ratio >= 0 or rng.random() < math.exp(log_ratio):
                tally[BORN if birth else DIED] += 1
                n, log_g, log_n = new, log_new, log_size_new
                for j in range(m):
                    total[j] = offered[j]
        # rows beyond n are drawn anew, some in each cycle
        changed = n
        if not fixed_size:
            for k in range(RESERVE):
                i = n + k
                if i < room:
                    for j in range(q):
                        u[i, j] = rng.standard_normal()
                    changed = i + 1
            if room - changed > 0:
                start = changed + cursor % (room - changed)
                first_block = start // BLOCK
                for i in range(start, min(start + RESERVE, room)):
                    for j in range(q):
                        u[i, j] = rng.standard_normal()
                cursor += RESERVE
                if summed:
                    last_block = min((start + RESERVE) // BLOCK + 1, count_blocks)
                    if two:
                        fill_blocks_two_covariates(u, first_block, last_block, blocks)
                    else:
                        fill_blocks(u, first_block, last_block, blocks)
        if summed:
            # a death may have left changed rows beyond n: they stand within the jumps
            upto = min((changed + jumps * block) // BLOCK + 1, count_blocks)
            if two:
                fill_blocks_two_covariates(u, np.int64(0), upto, blocks)
            else:
                fill_blocks(u, np.int64(0), upto, blocks)
            add_up(blocks, sums)
        # (d) steps on the surrogate, then one exact decision
        if steps > 0:
            u_part = rng.random()
            log_nu = math.log(n + u_part)
            products(u, n, sums, packed, gram_u)
            expected_sums(A, p, gram_u, work, gram, n, hyper, leak, clip, offered)
            base = log_prior(theta, p, hyper) + log_nu + log_n
            log_at = base + log_release(s, offered, n, noise)
            log_old_surrogate, log_old_exact = log_at, base + log_release(s, total, n, noise)
            to_psi(theta, p, psi)
            psi[0] = log_nu
            n_at = n
            _set(theta_at, theta)
            for _ in range(steps):
                slide = not fixed_size and rng.random() < 1.0 / 3.0
                log_volume = 0.0
                fine = True
                if slide:
                    move = slide_scale * rng.standard_normal()
                    tally[KEPT_TOTALS] += 1
                    fine = same_totals(
                        theta_at, p, math.exp(-move), theta_new, room_A, room_M, room_L
                    )
                    if fine:
                        psi_new[0] = psi[0] + move
                        to_psi(theta_new, p, psi_new)
                        log_volume = slide_volume(theta_at, theta_new, p, move)
                else:
                    tally[WALKED] += 1
                    for j in range(D):
                        z[j] = rng.standard_normal()
                    for j in range(D):
                        value = 0.0
                        for c in range(j + 1):
                            value += walk[j, c] * z[c]
                        psi_new[j] = psi[j] + step_scale * value
                    from_psi(psi_new, p, theta_new)
                if not fine or not psi_new[0] < 40.0:
                    continue
                n_new = n if fixed_size else int(math.exp(psi_new[0]))
                if n_new < floor or n_new >= room:
                    continue
                shape_matrix(theta_new, p, A_new)
                products_again(u, n_new, sums, partial, seen, cycle, packed, gram_u)
                if two:
                    expected_sums_two_covariates(
                        A_new, gram_u, work, gram, n_new, hyper, leak, clip, offered
                    )
                else:
                    expected_sums(A_new, p, gram_u, work, gram, n_new, hyper, leak, clip, offered)
                log_new = (
                    log_prior(theta_new, p, hyper)
                    + psi_new[0]
                    + log_count(n_dp, n_new, count_noise)
                    + log_size(n_new, prior)
                    + log_release(s, offered, n_new, noise)
                )
                log_ratio = log_new - log_at + log_volume
                if log_ratio >= 0 or rng.random() < math.exp(log_ratio):
                    _set(psi, psi_new)
                    _set(theta_at, theta_new)
                    n_at, log_at = n_new, log_new
                    tally[KEPT_TAKEN if slide else WALK_TAKEN] += 1
            shape_matrix(theta_at, p, A_new)
            if two:
                rows_statistics_two_covariates(u, n_at, A_new, hyper, leak, other, offered)
            else:
                rows_statistics(u, n_at, A_new, hyper, leak, other, offered)
            log_n_at = log_count(n_dp, n_at, count_noise) + log_size(n_at, prior)
            log_new_exact = (
                log_prior(theta_at, p, hyper)
                + psi[0]
                + log_n_at
                + log_release(s, offered, n_at, noise)
            )
            log_ratio = log_new_exact - log_old_exact + log_old_surrogate - log_at
            tally[DECIDED] += 1
            if log_ratio >= 0 or rng.random() < math.exp(log_ratio):
                tally[DECIDED_TAKEN] += 1
                _set(theta, theta_at)
                n, log_n = n_at, log_n_at
                _set_table(A, A_new)
                _set(total, offered)
                stats, other = other, stats
        # (e) exact random walks with every u kept
        for _ in range(exact_steps):
            to_psi(theta, p, psi)
            psi[0] = math.log(n + rng.random())
            for j in range(D):
                z[j] = rng.standard_normal()
            for j in range(D):
                value = 0.0
                for c in range(j + 1):
                    value += walk[j, c] * z[c]
                psi_new[j] = psi[j] + exact_scale * value
            from_psi(psi_new, p, theta_new)
            tally[EXACT] += 1
            if not psi_new[0] < 40.0:
                continue
            n_new = n if fixed_size else int(math.exp(psi_new[0]))
            if n_new < floor or n_new >= room:
                continue
            shape_matrix(theta_new, p, A_new)
            if two:
                rows_statistics_two_covariates(u, n_new, A_new, hyper, leak, other, offered)
            else:
                rows_statistics(u, n_new, A_new, hyper, leak, other, offered)
            log_n_new = log_count(n_dp, n_new, count_noise) + log_size(n_new, prior)
            log_ratio = (
                log_prior(theta_new, p, hyper)
                - log_prior(theta, p, hyper)
                + psi_new[0]
                - psi[0]
                + log_n_new
                - log_n
                + log_release(s, offered, n_new, noise)
                - log_release(s, total, n, noise)
            )
            if log_ratio >= 0 or rng.random() < math.exp(log_ratio):
                tally[EXACT_TAKEN] += 1
                _set(theta, theta_new)
                n, log_n = n_new, log_n_new
                _set_table(A, A_new)
                _set(total, offered)
                stats, other = other, stats
        for j in range(D - 1):
            kept[cycle, j] = theta[j]
        sizes[cycle] = n
        if grams.shape[0] == cycles:
            products(u, n, sums, packed, gram_u)
            conjugated(A, p, gram_u, work, gram)
            for j in range(m):
                totals[cycle, j] = total[j]
            e = 0
            for j in range(q + 1):
                for c in range(j + 1):
                    grams[cycle, e] = gram[j, c]
                    e += 1
        if slopes.shape[0] == cycles:
            release_slope(log_release, s, total, n, noise, hyper, leak, A, u, work)
            for j in range(q + 1):
                for c in range(q + 1):
                    slopes[cycle, j * (q + 1) + c] = work[j, c]
    # the caller goes on with the array that it handed over
    for i in range(n):
        for j in range(m):
            home[i, j] = stats[i, j]
    size[0], size[1] = n, cursor


# --- compositions without rows: the sums S of the records' logarithms, by saddlepoint --------------------
#
# Given n and alpha the density of S is exp(n K(theta) - theta . S) |n K''(theta)|^(-1/2), up to a
# constant and a relative error of about -SADDLE / n, where K is the log of E exp(theta . t(x)) and
# K'(theta) = S / n. Without clamping K(theta) = A(alpha + theta) - A(alpha), A = sum lgamma(alpha_j) -
# lgamma(alpha_0), and alpha + theta depends on S / n only.

SADDLE = 1.08  # of three parts: -1.0 to -1.083 for all shapes tried against Fourier inversion


@njit(inner=True)
def digamma(x):
    """Derivative of lgamma, for x > 0."""
    found = 0.0
    while x < 12.0:
        found -= 1.0 / x
        x += 1.0
    y = 1.0 / (x * x)
    return (
        found
        + math.log(x)
        - 0.5 / x
        - y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))
    )


@njit(inner=True)
def trigamma(x):
    """Second derivative of lgamma, for x > 0."""
    found = 0.0
    while x < 12.0:
        found += 1.0 / (x * x)
        x += 1.0
    y = 1.0 / (x * x)
    return found + 1.0 / x + 0.5 * y + y / x * (1 / 6 - y * (1 / 30 - y * (1 / 42 - y / 30)))


@njit(inner=True)
def log_normaliser(alpha):
    """A(alpha)."""
    found, total = 0.0, 0.0
    for j in range(alpha.size):
        found += math.lgamma(alpha[j])
        total += alpha[j]
    return found - math.lgamma(total)


@njit(inner=True)
def log_curvature(alpha):
    """Log det of A''(alpha) = diag(trigamma(alpha_j)) - trigamma(alpha_0)."""
    total, found, inverse = 0.0, 0.0, 0.0
    for j in range(alpha.size):
        total += alpha[j]
        one = trigamma(alpha[j])
        found += math.log(one)
        inverse += 1.0 / one
    return found + math.log(1.0 - trigamma(total) * inverse)


@njit(cache=True)
def solve_mean(mean, alpha):
    """Newton's method for A'(alpha) = mean, from alpha, in place; False where there is no solution."""
    d = alpha.size
    shares = 0.0
    for j in range(d):
        shares += math.exp(mean[j])
    if not shares < 1.0:
        return False
    for _ in range(200):
        total = 0.0
        for j in range(d):
            total += alpha[j]
        at, curve = digamma(total), trigamma(total)
        top, bottom = 0.0, 0.0
        for j in range(d):
            one = trigamma(alpha[j])
            top += (digamma(alpha[j]) - at - mean[j]) / one
            bottom += 1.0 / one
        shift = curve * top / (1.0 - curve * bottom)
        largest = 0.0
        for j in range(d):
            step = -(digamma(alpha[j]) - at - mean[j] + shift) / trigamma(alpha[j])
            new = min(max(alpha[j] + step, 0.1 * alpha[j]), 4.0 * alpha[j])
            largest = max(largest, abs(new - alpha[j]) / alpha[j])
            alpha[j] = new
        if largest < 1e-8:
            return True
    return False


@njit(inner=True)
def log_partial_beta(p, B, clamp):
    """Log of the integral of x**(p - 1) (1 - x)**(B - 1) over [0, clamp], by its series."""
    term, found = 1.0, 0.0
    for k in range(500):
        part = term / (p + k)
        found += part
        if abs(part) < 1e-17 * abs(found):
            break
        term *= (k + 1.0 - B) / (k + 1.0) * clamp
    return math.log(found) + p * math.log(clamp) if found > 0 else np.nan


@njit(inner=True)
def clamp_term(p, B, own, clamp):
    """Return the change of K by a clamp of one coordinate; `own` is its alpha, p = own + theta."""
    whole = math.lgamma(p) + math.lgamma(B) - math.lgamma(p + B)
    gained = (p - own) * math.log(clamp) + log_partial_beta(own, B, clamp)
    change = math.exp(gained - whole) - math.exp(log_partial_beta(p, B, clamp) - whole)
    return math.log1p(change) if change > -1.0 else np.nan


@njit(inner=True)
def log_density_of_sums(S, n, alpha, shape, clamped, log_clamp, corrected):
    """Log density of S given n and alpha, up to a constant.

    `shape` holds alpha + theta: a start on entry, the saddlepoint on return. `clamped` is the number
    of the coordinate that is clamped, -1 for none. nan where there is no saddlepoint.
    """
    d = S.size
    if clamped < 0:
        value = n * (log_normaliser(shape) - log_normaliser(alpha))
        for j in range(d):
            value += (alpha[j] - shape[j]) * S[j]
        value -= 0.5 * log_curvature(shape) + 0.5 * d * math.log(n)
        return value - SADDLE / n if corrected else value
    clamp, own = math.exp(log_clamp), alpha[clamped]
    gradient, step = np.empty(d), np.empty(d)
    hessian = np.empty((d, d))
    for _turn in range(100):
        total = 0.0
        for j in range(d):
            total += shape[j]
        p, B = shape[clamped], total - shape[clamped]
        # the clamp's term is small and smooth: differences serve
        h, k = 1e-3 * p, 1e-3 * B
        c = clamp_term(p, B, own, clamp)
        up, down = clamp_term(p + h, B, own, clamp), clamp_term(p - h, B, own, clamp)
        right, left = clamp_term(p, B + k, own, clamp), clamp_term(p, B - k, own, clamp)
        cp, cB = (up - down) / (2 * h), (right - left) / (2 * k)
        cpp, cBB = (up - 2 * c + down) / (h * h), (right - 2 * c + left) / (k * k)
        cpB = (
            clamp_term(p + h, B + k, own, clamp)
            - clamp_term(p + h, B - k, own, clamp)
            - clamp_term(p - h, B + k, own, clamp)
            + clamp_term(p - h, B - k, own, clamp)
        ) / (4 * h * k)
        at, curve = digamma(total), trigamma(total)
        for j in range(d):
            gradient[j] = digamma(shape[j]) - at + (cp if j == clamped else cB) - S[j] / n
            for i in range(d):
                extra = cBB
                if i == clamped and j == clamped:
                    extra = cpp
                elif i == clamped or j == clamped:
                    extra = cpB
                hessian[j, i] = -curve + extra
            hessian[j, j] += trigamma(shape[j])
        if not _cholesky(hessian, d, hessian, 0.0):
            return np.nan
        log_det = 0.0
        for j in range(d):
            log_det += 2.0 * math.log(hessian[j, j])
        _set(step, gradient)
        _solve_lower(hessian, d, step)
        _solve_upper(hessian, d, step)
        largest = 0.0
        for j in range(d):
            largest = max(largest, abs(step[j]) / shape[j])
        if not largest < np.inf:
            return np.nan
        if largest < 1e-7:
            value = n * (log_normaliser(shape) - log_normaliser(alpha) + c)
            for j in range(d):
                value += (alpha[j] - shape[j]) * S[j]
            value -= 0.5 * log_det + 0.5 * d * math.log(n)
            return value - SADDLE / n if corrected else value
        for j in range(d):
            shape[j] = min(max(shape[j] - step[j], 0.1 * shape[j]), 4.0 * shape[j])
    return np.nan


@njit(inner=True)
def log_scatter(alpha, n, L):
    """Lower Cholesky factor of n diag(alpha) A'' diag(alpha): the precision of log alpha."""
    d = alpha.size
    total = 0.0
    for j in range(d):
        total += alpha[j]
    curve = trigamma(total)
    for j in range(d):
        for i in range(j + 1):
            value = -n * alpha[j] * alpha[i] * curve
            if i == j:
                value += n * alpha[j] * alpha[j] * trigamma(alpha[j])
            for e in range(i):
                value -= L[j, e] * L[i, e]
            if i == j:
                L[j, j] = math.sqrt(max(value, 1e-300))
            else:
                L[j, i] = value / L[i, i]


@njit(inner=True)
def log_student(alpha, centre, L):
    """Log density, up to a constant, of the t distribution with 5 degrees of freedom of log alpha."""
    d = alpha.size
    square, found = 0.0, 0.0
    for j in range(d):
        value = 0.0
        for i in range(j, d):
            value += L[i, j] * math.log(alpha[i] / centre[i])
        square += value * value
        found += math.log(L[j, j])
    return found - 0.5 * (5.0 + d) * math.log1p(square / 5.0)


@njit(inner=True)
def draw_student(rng, centre, L, alpha):
    """Draw alpha from it."""
    d = alpha.size
    stretch = 1.0 / math.sqrt(rng.standard_gamma(2.5) / 2.5)
    z = np.empty(d)
    for j in range(d):
        z[j] = rng.standard_normal() * stretch
    _solve_upper(L, d, z)
    for j in range(d):
        alpha[j] = centre[j] * math.exp(min(max(z[j], -50.0), 50.0))


@njit(
    types.void(
        *(types.FunctionType(LOG_COUNT), types.FunctionType(LOG_SIZE), RNG, VECTOR, types.float64),
        *(types.float64, VECTOR, VECTOR, types.float64, types.float64, types.int64, types.float64),
        *(
            types.boolean,
            types.float64,
            types.float64,
            types.boolean,
            types.boolean,
            COUNTS,
            VECTOR,
        ),
        *(VECTOR, VECTOR, COUNTS, TABLE, COUNTS, types.int64),
    ),
    cache=True,
    nogil=True,
    seconds=5,
)
def sums_run(
    log_count,
    log_size,
    rng,
    s,
    scale,
    n_dp,
    count_noise,
    prior,
    gamma_shape,
    gamma_rate,
    clamped,
    log_clamp,
    corrected,
    size_scale,
    reach,
    fixed_size,
    local,
    size,
    S,
    alpha,
    held,
    tally,
    kept,
    sizes,
    iterations,
):
    """Iterations on (n, S, alpha): S by Laplace noise of `scale` around s.

    A proposal is a walk of (n, S), or with probability 1/4 a draw of S around s and of n around n_dp,
    discrete Laplace of scale `reach`; each with alpha drawn near its estimate from S / n. Then alpha
    takes a local step. tally: proposals and acceptances of walk, independent draw, local step.

    `held` keeps estimate, saddlepoint and log density between two runs, nan before the first: found
    anew they would differ in the last digits, and a run in two parts from the same run in one.
    """
    d = S.size
    n = size[0]
    hat, hat_new, shape, shape_new = np.empty(d), np.empty(d), np.empty(d), np.empty(d)
    mean, S_new, alpha_new = np.empty(d), np.empty(d), np.empty(d)
    L, L_new = np.zeros((d, d)), np.zeros((d, d))
    fresh = math.isnan(held[0])
    if fresh:
        _set(hat, alpha)
        for j in range(d):
            mean[j] = S[j] / n
        solve_mean(mean, hat)
        _set(shape, hat)
    else:
        for j in range(d):
            hat[j], shape[j] = held[j], held[d + j]
    log_scatter(hat, n, L)
    middle = math.floor(n_dp + 0.5)
    stay = math.exp(-1.0 / reach)

    log_at = held[2 * d]
    if fresh:
        log_at = log_count(n_dp, n, count_noise) + log_size(n, prior)
        log_at += log_density_of_sums(S, n, alpha, shape, clamped, log_clamp, corrected)
        for j in range(d):
            log_at += (
                gamma_shape * math.log(alpha[j]) - gamma_rate * alpha[j] - abs(s[j] - S[j]) / scale
            )
    for step in range(iterations):
        log_q = 0.0
        independent = rng.random() < 0.25
        n_new = n
        if independent:
            for j in range(d):
                noise = scale * rng.standard_gamma(1.0)
                S_new[j] = s[j] + (noise if rng.random() < 0.5 else -noise)
                log_q += (abs(S_new[j] - s[j]) - abs(S[j] - s[j])) / scale
            if not fixed_size:
                # the difference of two geometric variables
                first = math.floor(math.log(1.0 - rng.random()) / math.log(stay))
                second = math.floor(math.log(1.0 - rng.random()) / math.log(stay))
                n_new = int(middle + first - second)
                log_q += (abs(n_new - middle) - abs(n - middle)) / reach
            tally[2] += 1
        else:
            for j in range(d):
                S_new[j] = S[j] + 0.5 * scale * rng.standard_normal()
            if not fixed_size:
                stretch = size_scale * math.exp(rng.standard_normal())
                n_new = n + int(np.rint(stretch * rng.standard_normal()))
            tally[0] += 1
        if n_new >= 2 and n_new >= prior[0]:
            for j in range(d):
                mean[j] = S_new[j] / n_new
            _set(hat_new, hat)
            if solve_mean(mean, hat_new):
                log_scatter(hat_new, n_new, L_new)
                draw_student(rng, hat_new, L_new, alpha_new)
                for j in range(d):
                    # near the saddlepoint of the old state, relative to its estimate
                    shape_new[j] = hat_new[j] * (shape[j] / hat[j])
                if clamped < 0:
                    _set(shape_new, hat_new)
                log_new = log_count(n_dp, n_new, count_noise) + log_size(n_new, prior)
                log_new += log_density_of_sums(
                    S_new, n_new, alpha_new, shape_new, clamped, log_clamp, corrected
                )
                for j in range(d):
                    log_new += gamma_shape * math.log(alpha_new[j]) - gamma_rate * alpha_new[j]
                    log_new -= abs(s[j] - S_new[j]) / scale
                log_ratio = (
                    log_new
                    - log_at
                    + log_q
                    + log_student(alpha, hat, L)
                    - log_student(alpha_new, hat_new, L_new)
                )
                if log_ratio >= 0 or rng.random() < math.exp(log_ratio):  # nan is refused
                    tally[3 if independent else 1] += 1
                    n, log_at = n_new, log_new
                    _set(S, S_new)
                    _set(alpha, alpha_new)
                    _set(hat, hat_new)
                    _set(shape, shape_new)
                    _set_table(L, L_new)
        if local:  # a step of alpha alone: where n is small its distribution is far from normal
            for j in range(d):
                alpha_new[j] = alpha[j] * math.exp(0.7 * rng.standard_normal() / L[j, j])
            _set(shape_new, shape)
            log_new = log_count(n_dp, n, count_noise) + log_size(n, prior)
            log_new += log_density_of_sums(
                S, n, alpha_new, shape_new, clamped, log_clamp, corrected
            )
            for j in range(d):
                log_new += gamma_shape * math.log(alpha_new[j]) - gamma_rate * alpha_new[j]
                log_new -= abs(s[j] - S[j]) / scale
            tally[4] += 1
            if log_new >= log_at or rng.random() < math.exp(log_new - log_at):
                tally[5] += 1
                log_at = log_new
                _set(alpha, alpha_new)
                _set(shape, shape_new)
        for j in range(d):
            kept[step, j] = alpha[j]
        sizes[step] = n
    size[0] = n
    for j in range(d):
        held[j], held[d + j] = hat[j], shape[j]
    held[2 * d] = log_at


# --- counts of cells with Poisson intensities (appendix B) -------------------------------------------------


@njit(
    types.void(
        *(types.FunctionType(LOG_RELEASE), RNG, VECTOR, types.float64, VECTOR, VECTOR, VECTOR),
        *(types.boolean, COUNTS, TABLE, types.int64),
    ),
    cache=True,
    nogil=True,
)
def cells_run(log_release, rng, shape, rate, s, noise, x, printed, tally, kept, cycles):
    """Cycles of the sampler of appendix B: intensities given counts, then each count by one, or not.

    x holds whole numbers. A row of `kept`: intensities, counts. With `printed` the ratio of the
    proposals is left out, as it cancels in the paper.
    """
    k = x.size
    offered, intensity = x.copy(), np.empty(k)
    for cycle in range(cycles):
        n = 0
        for i in range(k):
            intensity[i] = rng.standard_gamma(shape[i] + x[i]) / (rate + 1.0)
            n += int(x[i])
            offered[i] = x[i]
        log_g = log_release(s, x, n, noise)
        for i in range(k):
            up = x[i] == 0.0 or rng.random() < 0.5
            offered[i] = x[i] + 1.0 if up else x[i] - 1.0
            new = n + 1 if up else n - 1
            log_new = log_release(s, offered, new, noise)
            log_ratio = log_new - log_g
            log_ratio += math.log(intensity[i] / offered[i] if up else x[i] / intensity[i])
            if not printed and x[i] == 0.0:
                log_ratio -= math.log(2.0)
            elif not printed and offered[i] == 0.0:
                log_ratio += math.log(2.0)
            tally[0] += 1
            if log_ratio >= 0 or rng.random() < math.exp(log_ratio):
                tally[1] += 1
                x[i], n, log_g = offered[i], new, log_new
            else:
                offered[i] = x[i]
        for i in range(k):
            kept[cycle, i] = intensity[i]
            kept[cycle, k + i] = x[i]
