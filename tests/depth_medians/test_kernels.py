"""Kernels against sorting, enumeration, quadrature, and themselves without compilation."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from dpbook.depth_medians import kernels

SHAPES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "cauchy": lambda rng, n: rng.standard_cauchy(n),
    "ties": lambda rng, n: rng.integers(0, 5, n).astype(float),
    "constant": lambda rng, n: np.full(n, 3.0),
    "lognormal": lambda rng, n: np.exp(3 * rng.normal(size=n)),
    "far away": lambda rng, n: 1e6 + 1e-9 * rng.normal(size=n),
    "two clusters": lambda rng, n: rng.normal(size=n) + 50.0 * (np.arange(n) % 4 == 0),
    "huge": lambda rng, n: np.where(np.arange(n) % 7 == 0, 1e100, rng.normal(size=n)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_medians_and_mads_are_those_of_sorting_bit_for_bit(shape):
    rng = np.random.default_rng(1)
    for n in (1, 2, 3, 40, 41, 42, 300, 1000, 2501):
        samples = np.array([SHAPES[shape](rng, n) for _ in range(3)])
        location, scale = np.empty(3), np.empty(3)
        kernels.medians_and_mads(samples, False, location, scale)
        lower = np.sort(samples, axis=1)[:, (n - 1) // 2]
        around = np.sort(np.abs(samples - lower[:, None]), axis=1)
        assert (location == lower).all()
        assert (scale == around[:, (n - 1) // 2]).all()
        kernels.medians_and_mads(samples, True, location, scale)
        average = np.median(samples, axis=1)
        assert (location == average).all()
        assert (scale == np.median(np.abs(samples - average[:, None]), axis=1)).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_middle_of_a_sample_is_sorted_in_place_between_tails(shape):
    rng = np.random.default_rng(2)
    for n in (10, 5000, 20_000):
        x = SHAPES[shape](rng, n)
        cells = 32_768
        found, counts = np.empty(n), np.empty(cells + 3, dtype=np.int64)
        first, last = kernels.sort_middle(x, 0.15, found, counts)
        ordered = np.sort(x)
        assert (found[first : last + 1] == ordered[first : last + 1]).all()
        assert (np.sort(found[:first]) == ordered[:first]).all()
        assert (np.sort(found[last + 1 :]) == ordered[last + 1 :]).all()


# --- what the nested tests are made of, by definition ----------------------------------------------


def rank(x, i):
    """Order statistic i from 1; infinite beyond the ends."""
    n = len(x)
    return -math.inf if i < 1 else math.inf if i > n else float(x[i - 1])


def scale_by_definition(x, j):
    """Least (m - j)-th smallest distance to a point between two order statistics."""
    m = (len(x) + 1) // 2
    if m - j < 1:
        return 0.0
    low, high = rank(x, m - j), rank(x, m + j)
    midpoints = (x[:, None] + x[None, :]).ravel() / 2
    places = np.concatenate(([low, high], midpoints[(low <= midpoints) & (midpoints <= high)]))
    return min(np.sort(np.abs(x - z))[m - j - 1] for z in places)


def levels_by_definition(x, j, touching=0.0):
    """V_j, V_j + D_j and b_j, word by word; intervals are shrunk by a little at both ends."""
    n = len(x)
    m = (n + 1) // 2
    shift = max(rank(x, m + t) - rank(x, m + t - j - 1) for t in range(j + 2))
    scale, next_scale = scale_by_definition(x, j), scale_by_definition(x, j + 1)
    low, high = rank(x, m - j), rank(x, m + j)
    if not math.isfinite(low + high):
        return shift, math.inf, scale
    radii = np.unique(np.concatenate((high - x, x - low)))
    slack = 1e-9  # the ends of an interval belong to it, also where they are rounded
    inside = [
        r
        for r in radii
        if r >= 0 and np.sum((high - r <= x + slack) & (x <= low + r + slack)) >= m + j + 1
    ]
    if not inside:
        return shift, math.inf, scale
    reach = min(inside)

    def largest(left, right):
        return max(
            [0.0]
            + [
                rank(x, i + j + 1) - rank(x, i)
                for i in range(-j, n + 1)
                if rank(x, i) <= right - touching and rank(x, i + j + 1) >= left + touching
            ]
        )

    annulus = min(largest(low - reach, high - next_scale), largest(low + next_scale, high + reach))
    return shift, shift + annulus, scale


def by_kernel(x, count, wide=False, lowest=1):
    shifts, spreads, scales = np.empty(count), np.empty(count), np.empty(count + 1)
    assert kernels.levels(x, 0, len(x) - 1, wide, lowest, shifts, spreads, scales)
    return shifts, spreads, scales


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8, 13, 20])
def test_levels_are_what_their_definition_says(n):
    rng = np.random.default_rng(n)
    for turn in range(25):
        x = np.sort(rng.integers(0, 12, n).astype(float) if turn % 2 else rng.normal(size=n))
        shifts, spreads, scales = by_kernel(x, 4)
        for j in range(4):
            shift, spread, scale = levels_by_definition(x, j)
            assert shifts[j] == pytest.approx(shift, rel=1e-12)
            assert scales[j] == pytest.approx(scale, rel=1e-12, abs=1e-12)
            if turn % 2:  # whole numbers: nothing is rounded
                assert spreads[j] == spread
            else:  # what only touches an interval counts or not
                low, high = (levels_by_definition(x, j, t)[1] for t in (1e-9, -1e-9))
                assert low * (1 - 1e-12) <= spreads[j] <= high * (1 + 1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wide", [False, True])
def test_levels_from_the_sorted_middle_are_those_from_the_whole(shape, wide):
    rng = np.random.default_rng(3)
    n = 5000
    samples = np.array([SHAPES[shape](rng, n), rng.exponential(size=n)])
    location, shifts = np.empty(2), np.empty((2, 5))
    spreads, scales = np.empty((2, 5)), np.empty((2, 6))
    kernels.all_levels(samples, 0.15, wide, 1200, location, shifts, spreads, scales)
    for row, x in enumerate(np.sort(samples, axis=1)):
        whole = by_kernel(x, 5, wide, 1200)
        for found, expected in zip((shifts, spreads, scales), whole, strict=True):
            assert (found[row] == expected).all()
        assert location[row] == x[(n - 1) // 2]


def test_levels_say_so_where_a_rank_is_missing():
    x = np.sort(np.random.default_rng(4).normal(size=101))
    for first, last in ((0, 70), (30, 100), (40, 60)):
        held = x.copy()
        held[:first], held[last + 1 :] = np.nan, np.nan
        parts = np.empty(3), np.empty(3), np.empty(4)
        assert not kernels.levels(held, first, last, False, 1, *parts)


# --- appendix A -----------------------------------------------------------------------------------


def changes_of_mad(x, k):
    """Largest change of MAD by k replaced rows, over a rich set of values."""
    values = np.unique(np.concatenate((x, (x[1:] + x[:-1]) / 2, [x[0] - 100, x[-1] + 100])))

    def mad(sample):
        m = (len(sample) - 1) // 2
        return np.sort(np.abs(sample - np.sort(sample)[m]))[m]

    worst, here = 0.0, mad(x)
    for at in range(len(x)):
        for value in values:
            y = x.copy()
            y[at] = value
            worst = max(worst, abs(mad(y) - here))
    assert k == 1
    return worst


def test_printed_bound_on_the_change_of_mad_is_too_small_and_the_repair_is_not():
    x = np.array([0.0, 1, 2, 4, 5, 7, 17, 20, 26])
    assert changes_of_mad(x, 1) == 3
    assert kernels.printed_sensitivities(x, 1)[1] == 1
    assert kernels.corrected_sensitivities(x, 1)[1] >= 3
    least = kernels.printed_sensitivities(np.array([1.0, 11, 12, 28, 29]), 1)[2]
    mended = kernels.corrected_sensitivities(np.array([1.0, 11, 12, 28, 29]), 1)[2]
    assert (least, mended) == (10.0, 0.5)


def test_corrected_bound_on_the_change_of_mad_holds_on_random_samples():
    rng = np.random.default_rng(5)
    below = 0
    for _ in range(60):
        x = np.sort(rng.integers(0, 30, int(rng.integers(5, 12))).astype(float))
        truth = changes_of_mad(x, 1)
        assert kernels.corrected_sensitivities(x, 1)[1] >= truth
        below += kernels.printed_sensitivities(x, 1)[1] < truth
    assert below > 10


# --- lines ----------------------------------------------------------------------------------------


def line(rng, size):
    a, c = rng.normal(size=size) * 0.5, rng.normal(size=size)
    return a, c


def test_knots_are_those_of_the_maximum_along_a_line():
    rng = np.random.default_rng(6)
    for _ in range(50):
        a, c = line(rng, 8)
        tau = np.abs(a).max() + 1.0
        for side in (1.0, -1.0):
            ends, costs = np.empty(18), np.empty(18)
            size = kernels.walk(a, c, side, tau, ends, costs)
            at = np.linspace(0, ends[size - 1], 500)
            truth = np.abs(a[:, None] + side * c[:, None] * at).max(axis=0)
            shown = np.interp(at, ends[:size], costs[:size])
            assert shown == pytest.approx(truth, abs=1e-9)
            assert costs[size - 1] == tau


def test_draw_on_a_line_inverts_the_distribution_function():
    rng = np.random.default_rng(7)
    for _ in range(10):
        a, c = line(rng, 6)
        beta, tau = 5.0, np.abs(a).max() + 0.7
        right, left = np.empty((2, 14)), np.empty((2, 14))
        grid = np.linspace(-10, 10, 400_001)
        cost = np.abs(a[:, None] + c[:, None] * grid).max(axis=0)
        density = np.where(cost <= tau, np.exp(-beta * (cost - cost.min())), 0)
        mass = np.cumsum(density) / density.sum()
        uniforms = (np.arange(400) + 0.5) / 400
        draws = [kernels.line_draw(a, c, beta, tau, right, left, one) for one in uniforms]
        assert np.abs(np.interp(draws, grid, mass) - uniforms).max() < 2e-4  # the grid's own error
        assert (np.diff(draws) > 0).all()


def test_chains_with_the_same_randomness_do_not_part():
    # what differs in the last digits by processor must not end in another draw
    rng = np.random.default_rng(17)
    scaled, offset = rng.normal(size=(60, 6)), 0.3 * rng.normal(size=60)
    ends = []
    for start in (np.zeros(6), np.full(6, 1e-9)):
        kernels.hit_and_run(
            scaled,
            offset,
            np.eye(6),
            20.0,
            9.0,
            start,
            400,
            np.random.default_rng(3),
            np.empty(400),
        )
        ends.append(start)
    assert np.abs(ends[0] - ends[1]).max() < 1e-8


def test_divergence_of_cut_laplace_distributions_is_the_integral():
    rng = np.random.default_rng(8)
    for _ in range(40):
        mu, sigma = rng.normal(size=2), rng.uniform(0.5, 2, 2)
        beta, tau, epsilon = rng.uniform(0.5, 5), rng.uniform(0.5, 3), rng.uniform(0, 1)

        def density(x, k, mu=mu, sigma=sigma, beta=beta, tau=tau):
            out = abs(x - mu[k]) / sigma[k]
            whole = 2 * sigma[k] / beta * -math.expm1(-beta * tau)
            return math.exp(-beta * out) / whole if out <= tau else 0.0

        found = kernels.laplace_divergence(mu[0], sigma[0], mu[1], sigma[1], beta, tau, epsilon)
        cuts = [mu[k] + s * tau * sigma[k] for k in (0, 1) for s in (-1, 0, 1)]
        low, high = mu[0] - tau * sigma[0], mu[0] + tau * sigma[0]
        inner = sorted(c for c in cuts if low < c < high)
        truth = 0.0
        for left, right in zip([low, *inner], [*inner, high], strict=True):
            truth += quad(
                lambda x, e=epsilon: max(density(x, 0) - math.exp(e) * density(x, 1), 0.0),
                left,
                right,
                limit=200,
            )[0]
        assert found == pytest.approx(truth, abs=1e-7)


# --- twins ----------------------------------------------------------------------------------------


def test_compiled_chains_are_those_without_compilation():
    rng = np.random.default_rng(9)
    scaled, offset = rng.normal(size=(12, 3)), 0.1 * rng.normal(size=12)
    root = np.eye(3)
    for function in (kernels.hit_and_run, kernels.hit_and_run.py_func):
        x, costs = np.zeros(3), np.empty(20)
        function(scaled, offset, root, 4.0, 3.0, x, 20, np.random.default_rng(1), costs)
        if function is kernels.hit_and_run:
            first, first_costs = x, costs
    assert x == pytest.approx(first, rel=1e-9)
    assert costs == pytest.approx(first_costs, rel=1e-9)
    noise = rng.normal(size=(30, 3))
    ends = []
    for function in (kernels.langevin, kernels.langevin.py_func):
        x = np.full(3, 0.2)
        function(scaled, offset, 4.0, 3.0, 1e-3, x, noise)
        ends.append(x)
    assert ends[0] == pytest.approx(ends[1], rel=1e-9)


def test_langevin_steps_are_those_of_algorithm_1():
    rng = np.random.default_rng(10)
    scaled, offset, noise = rng.normal(size=(5, 2)), rng.normal(size=5), rng.normal(size=(40, 2))
    beta, tau, rate = 3.0, 1.5, 0.02
    x = np.array([0.3, -0.4])
    y = x.copy()
    kernels.langevin(scaled, offset, beta, tau, rate, x, noise)
    outside = 0
    for step in noise:
        parts = scaled @ y - offset
        at = np.argmax(np.abs(parts))
        gradient = np.sign(parts[at]) * scaled[at] if np.abs(parts[at]) <= tau else 0.0
        outside += np.abs(parts[at]) > tau
        y = y - rate * beta * gradient + math.sqrt(2 * rate) * step
    assert x == pytest.approx(y, rel=1e-9)
    assert 0 < outside < len(noise)


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 8, 11])
@pytest.mark.parametrize("directions", [1, 2, 3, 6])
def test_projection_is_the_sum_in_the_order_of_the_coordinates(d, directions):
    rng = np.random.default_rng(d)
    columns, chosen = rng.normal(size=(d, 1030)), rng.normal(size=(directions, d))
    found = np.empty((directions, 1030))
    kernels.project(chosen, columns, found)
    wanted = np.zeros_like(found)
    for k in range(d):
        wanted += chosen[:, k, None] * columns[k]
    assert (found == wanted).all()
