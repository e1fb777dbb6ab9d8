"""Loops of the langevin topic: arrays in, arrays out, nothing validated."""

import math
from typing import NamedTuple

import numpy as np

from dpbook.privacy.compiling import njit
from dpbook.privacy.kernels import normal_renyi


@njit(cache=True)
def normal_divergences(mean, sd, other_mean, other_sd, order):
    """Renyi divergence of each pair of normal distributions; infinite where the integral diverges."""
    found = np.empty(mean.size)
    for i in range(mean.size):
        found[i] = normal_renyi(mean[i], sd[i], other_mean[i], other_sd[i], order)
    return found


# --- the exact distribution of the chain ---


class Chain(NamedTuple):
    """Constants of the closed form of the chain's distribution; made by `theory.chain.chain_constants`.

    Logarithms that are multiplied by large counts are sums of two doubles, `x` and `x_low`.
    """

    n: int
    log_rate: float  # log(lambda)
    log_rate_low: float
    log_odd_rate: float  # log(lambda_hat)
    log_odd_rate_low: float
    log_ratio: float  # log(lambda_hat / lambda)
    log_epoch_rate: float  # log(M)
    long_run: float  # mean of the chain in the long run, and its logarithm
    log_long_run: float
    log_long_run_low: float
    log_prior: float  # log(1 / alpha)
    log_prior_low: float
    stationary: float  # variance in the long run
    kick: float  # the share of the odd record in the gap, in the long run
    spread: float  # the share of the odd record in the variance


@njit(inner=True)
def two_sum(x, x_low, y, y_low):
    """Sum of two sums of two doubles (Knuth)."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part) + x_low + y_low


@njit(inner=True)
def two_product(count, x, x_low):
    """A number times a sum of two doubles (Dekker)."""
    total = count * x
    split = 134217729.0 * count
    count_high = split - (split - count)
    count_rest = count - count_high
    split = 134217729.0 * x
    x_high = split - (split - x)
    x_rest = x - x_high
    lost = count_high * x_high - total + count_high * x_rest + count_rest * x_high
    return total, lost + count_rest * x_rest + count * x_low


@njit(inner=True)
def exponential(x, x_low):
    """Exp of a sum of two doubles: an exponent of -700 costs no digits."""
    return math.exp(x) * (1.0 + x_low)


@njit(inner=True)
def component(chain, step, odd_steps):
    """Four numbers of the distribution on the odd data after `odd_steps` of `step` steps met the odd record.

    Where `y` is what the steps since then multiply by, the gap is ``drift + kick * y`` and the
    variance is ``noise + spread * y**2``: the position of the odd record enters through y alone.
    All four are sums of terms of one sign.
    """
    shrunk, shrunk_low = two_sum(
        *two_product(step - odd_steps, chain.log_rate, chain.log_rate_low),
        *two_product(odd_steps, chain.log_odd_rate, chain.log_odd_rate_low),
    )
    drift = exponential(*two_sum(shrunk, shrunk_low, chain.log_long_run, chain.log_long_run_low))
    drift *= -np.expm1(-odd_steps * chain.log_ratio)
    noise = exponential(
        *two_sum(2.0 * shrunk, 2.0 * shrunk_low, chain.log_prior, chain.log_prior_low)
    )
    noise -= chain.stationary * np.expm1(2.0 * shrunk)
    kick = chain.kick * (
        np.expm1(odd_steps * chain.log_epoch_rate) / np.expm1(chain.log_epoch_rate)
    )
    spread = chain.spread * (
        np.expm1(2.0 * odd_steps * chain.log_epoch_rate) / np.expm1(2.0 * chain.log_epoch_rate)
    )
    return drift, kick, noise, spread


@njit(cache=True)
def chain_distributions(chain, steps, positions, mean, variance, gap, odd_variance):
    """Moments on the plain data, shape (steps,), and on the odd data, shape (steps, positions)."""
    for i in range(steps.size):
        step = steps[i]
        epoch, at = step // chain.n, step % chain.n
        mean[i] = -chain.long_run * np.expm1(step * chain.log_rate)
        drift, kick, noise, spread = component(chain, float(step), 0.0)
        variance[i] = noise
        before = component(chain, float(step), float(epoch))  # positions still to come
        after = component(chain, float(step), float(epoch + 1)) if at else before
        for j in range(positions.size):
            since = at - positions[j]
            if since < 0:
                since += chain.n
                drift, kick, noise, spread = before
            else:
                drift, kick, noise, spread = after
            y = exponential(*two_product(float(since), chain.log_rate, chain.log_rate_low))
            gap[i, j] = drift + kick * y
            odd_variance[i, j] = noise + spread * y * y


# --- averages over the positions of the odd record ---
#
# Steps since the odd record run over 0 to n - 1 as the position runs over 1 to n: those from 0 to
# at - 1 have met it once more than the others. An average over positions is so the average of two
# smooth functions of y = lambda**since over two ranges of integers.

TERMS = 1024  # of a block of the direct sum: y is a number of the block times one of a table
NODES = 10  # of the quadrature rule, for each piece of a range
FEW = 64  # numbers of a piece that are taken one by one instead
FAR = 42.0  # y below exp(-FAR) is taken for 0
WIDTH = 0.5  # of a piece, in log(y)
TURN = 0.75  # largest argument of y on the ellipses of the error bounds, below pi / 4
VANISHING = 2.0**-1022  # below it doubles lose their digits
ROUNDING = 100.0  # allowed error of a term, in half units of its last place; about 10 is seen

LEGENDRE = np.polynomial.legendre.leggauss(NODES)[0][NODES // 2 :]


@njit(inner=True, fastmath=True)
def block_sum(drift, kick, spread, table):
    """Sum of (drift + kick * y)**2 / (1 + spread * y**2); two terms share a division."""
    half = table.size // 2
    first, second = table[:half], table[half : 2 * half]
    total = 0.0
    for i in range(half):
        y, z = first[i], second[i]
        gap, other_gap = drift + kick * y, drift + kick * z
        width, other_width = 1.0 + spread * (y * y), 1.0 + spread * (z * z)
        total += (gap * gap * other_width + other_gap * other_gap * width) / (width * other_width)
    if table.size % 2:
        y = table[table.size - 1]
        total += (drift + kick * y) ** 2 / (1.0 + spread * (y * y))
    return total


@njit(inner=True)
def range_sum(distribution, low, high, starts, table):
    """Sum of gap**2 / variance over the steps since the odd record from `low` to `high` - 1."""
    drift, kick, noise, spread = distribution
    sd = math.sqrt(noise)
    total, carry = 0.0, 0.0  # Kahan: the blocks are many
    for block in range(low // TERMS, (high + TERMS - 1) // TERMS):
        y = starts[block]
        begin, end = max(low - block * TERMS, 0), min(high - block * TERMS, TERMS)
        term = block_sum(drift / sd, kick / sd * y, spread / noise * y * y, table[begin:end])
        term -= carry
        new = total + term
        carry = (new - total) - term
        total = new
    return total


@njit(cache=True, nogil=True)
def separation_sums(chain, steps, starts, table, found):
    """Average of gap**2 / variance over all positions, term by term."""
    for i in range(steps.size):
        step = steps[i]
        epoch, at = step // chain.n, step % chain.n
        total = 0.0
        if at:
            distribution = component(chain, float(step), float(epoch + 1))
            total += range_sum(distribution, np.int64(0), at, starts, table)
        if epoch:
            distribution = component(chain, float(step), float(epoch))
            total += range_sum(distribution, at, chain.n, starts, table)
        found[i] = total / chain.n


@njit(cache=True)
def powers(chain, exponents, found):
    """lambda**exponent, for exponents >= 0."""
    for i in range(exponents.size):
        found[i] = exponential(
            *two_product(float(exponents[i]), chain.log_rate, chain.log_rate_low)
        )


@njit(inner=True)
def discrete_rule(count, nodes, weights):
    """Gauss rule of the mean over `count` equally spaced numbers, at the middles of cells of [-1, 1].

    Its orthogonal polynomials are Chebyshev's discrete ones. With NODES nodes the rule is exact for
    polynomials of degree 2 * NODES - 1: a sum is not first replaced by an integral. Newton starts
    at the nodes of Legendre, the limit of many numbers.
    """
    half = NODES // 2
    for i in range(half):
        x, square = LEGENDRE[i], 0.0
        for _ in range(20):
            last, value, last_slope, slope, norm = 0.0, 1.0, 0.0, 0.0, 1.0
            square, ratio = 0.0, 0.0
            for k in range(1, NODES + 1):
                square += value * value / norm
                last, value, last_slope, slope = (
                    value,
                    x * value - ratio * last,
                    slope,
                    value + x * slope - ratio * last_slope,
                )
                ratio = (1.0 - (k / count) ** 2) / (4.0 - 1.0 / k**2)
                norm *= ratio
            move = value / slope
            x -= move
            if abs(move) < 1e-15:
                break
        nodes[half + i], nodes[half - 1 - i] = x, -x
        weights[half + i], weights[half - 1 - i] = 1.0 / square, 1.0 / square


@njit(inner=True)
def pieces(low, high, log_rate, width, far):
    """Return the number of near numbers in a range, and the number of pieces for them."""
    reach = far / -log_rate  # compared before it is rounded: it may be beyond the integers
    near = max((high if reach >= high else int(math.ceil(reach))) - low, 0)
    wanted = near * -log_rate / width
    return near, near if wanted >= near else int(math.ceil(wanted))


@njit(inner=True)
def range_nodes(low, high, log_rate, width, far, since, weights):
    """Nodes for a sum over the numbers from `low` to `high` - 1.

    Returns how many there are, and the largest half-width of a piece in log(y): 0 where the
    numbers are taken one by one, and where only far ones are taken together. Where the arrays are
    too short nothing is written, and how many there are is -1.
    """
    near, count = pieces(low, high, log_rate, width, far)
    used, widest = 0, 0.0
    needed = near if near <= FEW * count else NODES * count
    if needed + (near < high - low) > min(since.size, weights.size):
        return -1, widest
    if near <= FEW * count:
        for i in range(near):
            since[i], weights[i] = low + i, 1.0
        used = near
    else:
        rule, shares = np.empty(NODES), np.empty(NODES)
        for piece in range(count):
            begin, end = low + near * piece // count, low + near * (piece + 1) // count
            discrete_rule(float(end - begin), rule, shares)
            for i in range(NODES):
                since[used] = 0.5 * (begin + end - 1) + 0.5 * (end - begin) * rule[i]
                weights[used] = (end - begin) * shares[i]
                used += 1
            widest = max(widest, 0.5 * (end - begin) * -log_rate)
    if near < high - low:
        since[used], weights[used] = np.inf, high - low - near
        used += 1
    return used, widest


@njit(inner=True)
def ellipse(widest, turn):
    """Bernstein's ellipse around a piece on which the argument of y stays below `turn`.

    Returns the factor of the largest modulus there in the error of a rule, and how much larger
    than at the first number of the piece y is on it at most. Among polynomials of degree
    2 * NODES - 1, for which the rule is exact, one comes as close as Bernstein's bound.
    """
    slope = turn / widest
    rho = slope + math.sqrt(1.0 + slope * slope)
    return 4.0 * rho ** (-2 * NODES) / (1.0 - 1.0 / rho), math.exp(math.hypot(widest, turn))


@njit(cache=True)
def most_nodes(chain, width, far):
    """Return the largest number of nodes of a step: two ranges, each with its far part."""
    near, count = pieces(np.int64(0), chain.n, chain.log_rate, width, far)
    return min(near, FEW * (count + 2)) + 2


@njit(cache=True, seconds=3)
def separation_rules(chain, steps, found, error):
    """Average of gap**2 / variance over all positions by quadrature, with a bound of its error.

    Returns whether the nodes of all steps had room.
    """
    size = most_nodes(chain, WIDTH, FAR)
    since, weights = np.empty(size), np.empty(size)
    for i in range(steps.size):
        step = steps[i]
        epoch, at = step // chain.n, step % chain.n
        total, bound, nodes = 0.0, 0.0, 0
        for later in range(2):
            low, high = (0, at) if later else (at, chain.n)
            if low == high or epoch + later == 0:
                continue
            drift, kick, noise, spread = component(chain, float(step), float(epoch + later))
            used, widest = range_nodes(low, high, chain.log_rate, WIDTH, FAR, since, weights)
            if used < 0:
                return False
            nodes += used
            sd = math.sqrt(noise)  # in its units squares neither overflow nor vanish too soon
            drift, kick, spread = drift / sd, kick / sd, spread / noise
            for j in range(used):
                y = math.exp(since[j] * chain.log_rate)
                gap = drift + kick * y
                total += weights[j] * (gap * gap / (1.0 + spread * (y * y)))
            first = math.exp(low * chain.log_rate)
            # on the ellipse the real part of y**2 is >= 0, so the variance is at least the noise
            if widest > 0.0:
                factor, growth = ellipse(widest, TURN)
                bound += (high - low) * factor * (drift + kick * first * growth) ** 2
            if since[used - 1] == np.inf:
                y = min(first, math.exp(-FAR))
                bound += weights[used - 1] * (
                    kick * y * (2.0 * drift + kick * y) + (drift * y) ** 2 * spread
                )
        found[i] = total / chain.n
        error[i] = (1.01 * bound + (nodes + ROUNDING) * 2.0**-53 * total) / chain.n
        if nodes:
            error[i] += VANISHING
    return True


# --- the odd data's distribution as a mixture ---

TURNS = np.array([0.05, 0.1, 0.2, 0.35, 0.5, 0.75])  # the choice with the best bound


@njit(cache=True)
def mixture_nodes(chain, steps, width, far, weights, gaps, variances, error):
    """Mixture over the positions by the nodes of a rule, shape (steps, nodes); rows end in weight 0.

    `error` bounds the distance in total variation from the mixture over all positions. Returns the
    largest number of nodes of a step, or -1 where one has more than there is room for.
    """
    since, counts = np.empty(weights.shape[1]), np.empty(weights.shape[1])
    most = 0
    for i in range(steps.size):
        step = steps[i]
        epoch, at = step // chain.n, step % chain.n
        plain = component(chain, float(step), 0.0)[2]
        filled, bound = 0, math.exp(-FAR)
        for later in range(2):
            low, high = (0, at) if later else (at, chain.n)
            if low == high:
                continue
            distribution = component(chain, float(step), float(epoch + later))
            drift, kick, noise, spread = distribution
            used, widest = range_nodes(low, high, chain.log_rate, width[i], far[i], since, counts)
            if used < 0 or filled + used > weights.shape[1]:
                return -1
            for j in range(used):
                y = math.exp(since[j] * chain.log_rate)
                weights[i, filled] = counts[j] / chain.n
                gaps[i, filled] = drift + kick * y
                variances[i, filled] = noise + spread * (y * y)
                filled += 1
            if widest > 0.0:
                start = math.exp(low * chain.log_rate)
                bound += (high - low) / chain.n * density_bound(distribution, start, widest, plain)
        for j in range(filled, weights.shape[1]):
            weights[i, j], gaps[i, j], variances[i, j] = 0.0, gaps[i, 0], variances[i, 0]
        error[i] = bound
        most = max(most, filled)
    return most


@njit(inner=True)
def density_bound(distribution, start, widest, plain):
    """Return half of the integral of a rule's error in the density, in units of the plain distribution.

    On an ellipse a normal density with complex mean and variance is at most a normal density with
    a plateau between its flanks.
    """
    kick, low = distribution[1] * start / math.sqrt(plain), distribution[2] / plain
    best = np.inf
    for turn in TURNS:
        factor, growth = ellipse(widest, turn)
        wide = distribution[3] / plain * (start * growth) ** 2
        across = kick * growth * math.sin(turn)  # largest imaginary part of the mean
        shear = wide * math.sin(2.0 * turn) / low
        plateau = kick * growth + 2.0 * shear * across
        flanks = math.sqrt(2.0 * math.pi / low) * (low + wide)
        rise = min(across * across / (2.0 * low), 700.0)
        best = min(best, 0.5 * factor * math.exp(rise) * (plateau + flanks) / math.sqrt(low))
    return best / math.sqrt(2.0 * math.pi)


@njit(inner=True)
def log_ratio(x, log_weights, shifts, precisions):
    """Log ratio at x of a mixture of normals over the standard normal, and its derivative.

    The components have means -shift, and precisions of at most 1: each ratio, and so their sum, is
    log-convex in x.
    """
    top = -np.inf
    for i in range(shifts.size):
        top = max(top, ratio_exponent(x, log_weights[i], shifts[i], precisions[i]))
    total, slope = 0.0, 0.0
    for i in range(shifts.size):
        share = math.exp(ratio_exponent(x, log_weights[i], shifts[i], precisions[i]) - top)
        total += share
        slope += share * ((1.0 - precisions[i]) * x - precisions[i] * shifts[i])
    return top + math.log(total), slope / total


@njit(inner=True)
def ratio_exponent(x, log_weight, shift, precision):
    """Logarithm of one component's share in the ratio."""
    lost = precision * shift
    return log_weight + 0.5 * ((1.0 - precision) * x * x - lost * (2.0 * x + shift))


@njit(inner=True)
def level_end(x, end, log_weights, shifts, precisions, level):
    """Return the first place from x towards an end where the log ratio is at most a level, or nan.

    Newton from outside: of a convex function it never oversteps.
    """
    way = 1.0 if end > x else -1.0
    for _ in range(200):
        value, slope = log_ratio(x, log_weights, shifts, precisions)
        value -= level
        if value <= 0.0:
            return x
        if slope * way >= 0.0:
            return np.nan
        new = x - value / slope
        if abs(new - x) <= 1e-15 * abs(x) or new == x:
            return new
        if (end - new) * way < 0.0:
            return np.nan
        x = new
    return x


@njit(cache=True)
def level_sets(weights, shifts, precisions, low, high, level, left, right):
    """Return the ends of the interval where the log ratio is at most a level, or nan."""
    size = weights.shape[1]
    logs, used_shifts, used_precisions = np.empty(size), np.empty(size), np.empty(size)
    for i in range(left.size):
        used = 0
        for j in range(size):
            if weights[i, j] > 0.0:
                logs[used] = math.log(weights[i, j]) + 0.5 * math.log(precisions[i, j])
                used_shifts[used], used_precisions[used] = shifts[i, j], precisions[i, j]
                used += 1
        mixed = (logs[:used], used_shifts[:used], used_precisions[:used], level[i])
        left[i] = level_end(low[i], high[i], *mixed)
        right[i] = level_end(high[i], low[i], *mixed)


# --- simulators ---

CYCLIC, RESHUFFLED, REPLACEMENT = 0, 1, 2


@njit(inner=True)
def shuffle_records(x, y, rng):
    """Put records in a uniformly random order, in place."""
    for last in range(y.size - 1, 0, -1):
        # `rng.integers` takes ten times as long; this one is off uniform by last / 2**53
        other = int((last + 1) * rng.random())
        y[last], y[other] = y[other], y[last]
        for k in range(x.shape[1]):
            x[last, k], x[other, k] = x[other, k], x[last, k]


@njit(inner=True, error_model="python")
def sgld_steps(kept, theta, at, every, x, y, order, batch, prior_pull, data_pull, noise_sd, rng):
    """Run eq. 3 from record `at` of an epoch, keep each state after `every` steps, shape (kept, d).

    `theta` and, where records are reshuffled, `x` and `y` change in place. Returns the record that
    is next. A step adds to theta: a rate next to 1, to multiply by, would lose its digits.
    """
    n, d = x.shape
    pull = np.empty(d)
    for row in range(kept.shape[0]):
        for _ in range(every):
            size = batch if order == REPLACEMENT else min(batch, n - at)
            pull[:] = 0.0
            for j in range(size):
                i = int(n * rng.random()) if order == REPLACEMENT else at + j
                residual = y[i]
                for k in range(d):
                    residual -= x[i, k] * theta[k]
                for k in range(d):
                    pull[k] += x[i, k] * residual
            weight = data_pull / size
            for k in range(d):
                noise = noise_sd * rng.standard_normal()
                theta[k] += weight * pull[k] - prior_pull * theta[k] + noise
            if order != REPLACEMENT:
                at += size
                if at == n:
                    at = 0
                    if order == RESHUFFLED:
                        shuffle_records(x, y, rng)
        for k in range(d):
            kept[row, k] = theta[k]
    return at


@njit(cache=True, nogil=True, seconds=2)
def sgld_chains(states, start, every, x, y, order, batch, prior_pull, data_pull, noise_sd, rng):
    """Run chains one after the other, each from its start and with a shuffle of its own."""
    for chain in range(states.shape[0]):
        if order != REPLACEMENT:
            shuffle_records(x, y, rng)
        sgld_steps(
            *(states[chain], start[chain].copy(), 0, every, x, y),
            *(order, batch, prior_pull, data_pull, noise_sd, rng),
        )


@njit(inner=True, error_model="python")
def two_rate_steps(kept, offset, at, every, n, odd, shrink, odd_shrink, odd_offset, noise_sd, rng):
    """Run the chain on the data of eq. 7 from record `at`, keep each state after `every` steps.

    `offset` is where the chain is from the mean that ordinary steps lead to: differences of large
    numbers keep their digits so. `odd` is the index of the odd record, or -1 for none. Returns the
    record that is next.
    """
    for row in range(kept.size):
        left = every
        while left > 0:
            if at == odd:
                run = 1
                noise = noise_sd * rng.standard_normal()
                offset += odd_shrink * (odd_offset - offset) + noise
            else:
                run = min(left, (odd if at < odd else n) - at)
                for _ in range(run):
                    offset += noise_sd * rng.standard_normal() - shrink * offset
            at = (at + run) % n
            left -= run
        kept[row] = offset
    return at


@njit(cache=True, nogil=True)
def two_rate_chains(states, start, odd, every, n, shrink, odd_shrink, odd_offset, noise_sd, rng):
    """Run chains one after the other, each from its start and with an odd record of its own."""
    for chain in range(states.shape[0]):
        two_rate_steps(
            *(states[chain], start[chain], 0, every, n, odd[chain]),
            *(shrink, odd_shrink, odd_offset, noise_sd, rng),
        )


# --- propose, test, sample ---


@njit(cache=True, error_model="python")
def centre_sensitivity(n_1, n_2, rho_1, low, high):
    """Largest change of the centre of V by one record; `low` and `high` are x_l**2 and x_h**2."""
    return n_1**rho_1 * (2 * (n_2 - 1) * high * low + high * high) / (n_2 * (n_2 - 1) * low * low)


@njit(inner=True)
def log_least_records(log_centre, log_n_2, constants, on_centre, on_n_2):
    """Logarithm of n_min: the largest of monomials in the noisy centre and the noisy count n_2."""
    largest = -np.inf
    for i in range(constants.size):
        entry = constants[i] + on_centre[i] * log_centre + on_n_2[i] * log_n_2
        largest = max(largest, entry)
    return largest


@njit(cache=True, nogil=True, error_model="python")
def one_ratio_lines(lines, n, ratio, epsilon, margin, rho_1, rho_2, low, high, entries, rng):
    """Run algorithm 1 on n records of one ratio: the line that returns null in each run, or 0.

    V and W are then everything or nothing, and four draws of noise are all that a run is made of.
    `entries` holds the rows that `log_least_records` takes.
    """
    scale = 1 / epsilon
    for run in range(lines.size):
        lines[run] = 0
        n_1 = n - margin + rng.laplace(0.0, scale)
        if n_1 <= 0:
            lines[run] = 6
            continue
        whole = ratio <= n_1**rho_1
        n_2 = (n if whole else 0) - margin + rng.laplace(0.0, scale)
        if n_2 <= 1:
            lines[run] = 10
            continue
        if not whole:
            lines[run] = 12
            continue
        spread = scale * centre_sensitivity(n_1, n_2, rho_1, low, high)
        centre = ratio + rng.laplace(0.0, spread)
        if centre <= 0:
            lines[run] = 13
            continue
        if abs(ratio - centre) > n_2**rho_2:
            lines[run] = 14
            continue
        n_w = n - margin + rng.laplace(0.0, scale)
        if n_w <= 0 or np.log(n_w) < log_least_records(
            np.log(centre), np.log(n_2), entries[0], entries[1], entries[2]
        ):
            lines[run] = 17
