"""The distributions for which printed theorems are false whatever their constants, from the definitions.

Nothing but the simulation of Talagrand's bound is shared with the claims: medians are sorted rows, outlyingness is a largest ratio over
directions, in whole numbers where it is to be exact.
"""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpbook.depth_medians.claims.appendix_c import chance_of_distances

# --- Theorem 3.2: thirteen points in space --------------------------------------------------------

UPPER = [(-5, -1, 1), (1, -4, 1), (4, 5, 1), (-3, -2, 2), (2, -1, 2), (1, 3, 2)]
POINTS = np.array([(0, 0, 0), *UPPER, *((x, y, -z) for x, y, z in UPPER)])


def primitive(vectors):
    """Whole vectors without common factors, one of each and its opposite."""
    vectors = np.unique(vectors, axis=0)
    factors = np.gcd.reduce(vectors, axis=1)
    vectors = vectors[factors > 0] // factors[factors > 0, None]
    first = np.take_along_axis(vectors, (vectors != 0).argmax(axis=1)[:, None], axis=1)
    return np.unique(vectors * np.sign(first), axis=0)


@pytest.fixture(scope="module")
def directions():
    """All at which a ratio of linear functions may be largest: where two orders of distances change."""
    differences = POINTS[:, None] - POINTS[None]
    sums = POINTS[:, None, None] + POINTS[None, :, None] - 2 * POINTS[None, None, :]
    walls = primitive(np.concatenate([differences.reshape(-1, 3), sums.reshape(-1, 3)]))
    pairs = np.triu_indices(len(walls), 1)
    return primitive(np.cross(walls[pairs[0]], walls[pairs[1]]))


def location_and_scale(rows, directions):
    middle = (len(rows) - 1) // 2
    projected = rows @ directions.T
    medians = np.sort(projected, axis=0)[middle]
    return medians, np.sort(abs(projected - medians), axis=0)[middle]


def outlyingness(point, directions):
    """The largest ratio, exact: both of its parts are whole numbers over one denominator."""
    medians, scales = location_and_scale(POINTS, directions)
    denominator = math.lcm(*(x.denominator for x in point))
    whole = np.array([int(x * denominator) for x in point])
    above = abs(directions @ whole - denominator * medians)
    best = max(range(len(above)), key=lambda i: above[i] / scales[i])
    largest = Fraction(int(above[best]), int(denominator * scales[best]))
    # no other exceeds it, in whole numbers
    assert (above * largest.denominator <= scales * (denominator * largest.numerator)).all()
    return largest


HEIGHTS = (Fraction(0), Fraction(1, 4), Fraction(-1, 2), Fraction(1, 2))
NEARBY = [Fraction(i, 40) for i in (-1, 0, 1)]


def test_outlyingness_is_the_same_all_along_a_segment(directions):
    assert {outlyingness((Fraction(0), Fraction(0), z), directions) for z in HEIGHTS} == {1}


def test_beyond_the_segment_points_lie_out_by_more(directions):
    for z in (Fraction(1), Fraction(-3, 2)):
        assert outlyingness((Fraction(0), Fraction(0), z), directions) > 1


@pytest.mark.parametrize("z", HEIGHTS[1:3])
def test_around_the_segment_outlyingness_does_not_depend_on_the_height(directions, z):
    for x, y in itertools.product(NEARBY, NEARBY):
        height = z * Fraction(9, 10)
        expected = 1 + max(y, -x, x - y)
        assert outlyingness((x, y, height), directions) == expected


def test_no_other_direction_finds_more_and_the_constants_of_condition_3_hold():
    rng = np.random.default_rng(3)
    others = rng.standard_normal((40_000, 3))
    others /= np.linalg.norm(others, axis=1)[:, None]
    medians, scales = location_and_scale(POINTS, others)
    for z in (0.0, 0.25, 0.5):
        assert np.max(abs(others @ np.array([0, 0, z]) - medians) / scales) <= 1 + 1e-12
    assert scales.min() >= 0.7
    assert scales.max() <= 4
    assert abs(medians).max() <= 2
    assert 60 >= 20 * (2 * 2 / (10 * 4 - 0.7) + 2 / 0.7)


def test_a_sample_has_the_locations_and_scales_of_the_distribution_whatever_a_few_rows_are():
    rng = np.random.default_rng(4)
    n = 20_001
    counts = rng.multinomial(n, [1 / 13] * 13)
    sample = np.repeat(POINTS, counts, axis=0).astype(float)
    others = rng.standard_normal((200, 3))
    expected = location_and_scale(POINTS, others)
    for far in (0.0, 1e6, -1e6):
        changed = sample.copy()
        changed[rng.choice(n, n // 100, replace=False)] = far
        for found, wanted in zip(location_and_scale(changed, others), expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-9)


# --- Lemma B.4: a release that comes from bad samples ---------------------------------------------


def median(rows):
    return sorted(rows)[(len(rows) - 1) // 2]


@pytest.mark.parametrize("i", [1, 2])
def test_a_bad_sample_keeps_median_and_mad_when_rows_are_replaced(i):
    n = 6 * i + 3
    rows = [99, 100, 101] * (n // 3)
    values = (-1000, 0, 99, Fraction(199, 2), 100, Fraction(201, 2), 101, 1000)
    for kept in itertools.combinations(range(n), n - i):
        for new in itertools.combinations_with_replacement(values, i):
            changed = [rows[j] for j in kept] + list(new)
            assert median(changed) == 100
            assert median([abs(row - 100) for row in changed]) == 1


def test_a_bad_sample_is_released_more_often_than_it_is_rare():
    for i in (5, 50, 500):
        n = 6 * i + 3
        log_delta = -5 * n
        needed = math.log(1 / 2) - log_delta - 48 * i / 2
        assert needed > 0  # the chance to pass is exp(-needed) / 2
        log_passes = -needed - math.log(2)
        assert log_passes == pytest.approx(log_delta + 24 * i)
        near = math.log(2) + log_delta - (-n * math.log(30) + log_passes)
        assert near == pytest.approx(math.log(2) + 12 + n * math.log(30 * math.exp(-4)))


def test_median_and_mad_of_the_distribution_of_lemma_b_4():
    def below(x):
        return 0.9 * min(max((x + 2) / 4, 0), 1)

    assert below(2 / 9) == pytest.approx(0.5)
    assert below(2 / 9 + 10 / 9) - below(2 / 9 - 10 / 9) == pytest.approx(0.5)
    # Hoeffding: the median errs by 1/20 with a chance of at most 2 exp(-2 n mass^2)
    mass = 0.9 / 4 / 20
    assert 2 * mass**2 > 1 / 10_000


def test_exponent_of_lemma_b_4_is_negative_and_its_ranges_hold():
    scale, s, c_3, tau, t, r = 10 / 9, 1 / 20, 1 / 20, 1 / 2, 1, 1 / 100
    slope = (scale / 2 + 2 * scale) * (c_3 + s) / (4 * scale**2) - t / (8 * scale)
    assert slope + r / (2 * scale) < 0
    assert s < scale * tau / 2 - c_3
    assert r < scale * tau / 2 - s - c_3
    assert t < 2 * scale * tau + s + c_3


# --- Theorem 3.5: the uniform distribution -----------------------------------------------------------------


@pytest.mark.parametrize("n", [40, 80])
def test_chance_that_three_quarters_of_the_rows_are_low_is_below_its_bound(n):
    chance = sum(math.comb(n, k) * 5**k * 3 ** (n - k) for k in range(3 * n // 4, n + 1)) / 8**n
    assert chance <= (13 / 8) ** n / 2 ** (3 * n / 4) < 1


def test_one_row_moves_the_trimmed_mean_of_uniform_rows_by_half_of_1_over_n():
    rng = np.random.default_rng(5)
    n = 400
    for _ in range(50):
        rows = np.sort(rng.random(n))
        changed = np.sort(np.append(np.delete(rows, n // 4), 9.0))
        inner = slice(n // 4, n - n // 4)
        assert changed[inner].mean() - rows[inner].mean() >= 1 / (2 * n)


# --- Lemmas C.2 to C.5 and Theorem 3.6: wide rows -------------------------------------------------


@pytest.mark.parametrize("wide", [1, 10, 10**6])
def test_projected_densities_of_wide_rows_meet_condition_4(wide):
    def below(x):
        return 0.9 * mpmath.ncdf(x) + 0.1 * mpmath.ncdf(mpmath.mpf(x) / wide)

    assert below(-2) <= 1 / 8 - 3 / 60  # so the quantile is at least -2
    at_the_end = 0.9 * mpmath.npdf(3) + 0.1 * mpmath.npdf(mpmath.mpf(3) / wide) / wide
    assert at_the_end > mpmath.mpf(1) / 300


def sensitivity(estimate, rows, place, values):
    """Largest change when one row is replaced."""
    return max(
        abs(estimate([*rows[:place], value, *rows[place + 1 :]]) - estimate(rows))
        for value in values
    )


def test_wide_rows_have_a_direction_with_two_clusters_that_one_row_decides():
    rng = np.random.default_rng(8)
    rows = rng.standard_normal((60, 70))
    pattern = np.array([0.0] * 30 + [1.0] * 30)
    for wide in (1.0, 1000.0):
        direction = np.linalg.lstsq(wide * rows, pattern, rcond=None)[0]
        far = 1 / np.linalg.norm(direction)
        projected = wide * rows @ (direction * far)
        np.testing.assert_allclose(projected, far * pattern, atol=1e-9 * far)
        assert far == pytest.approx(wide / np.linalg.norm(np.linalg.pinv(rows) @ pattern))

    def mad(values):
        return median([abs(value - median(values)) for value in values])

    def iqr(values):
        ordered = sorted(values)
        return ordered[len(values) * 3 // 4] - ordered[(len(values) + 1) // 4 - 1]

    clusters = [0] * 30 + [1] * 30
    assert sensitivity(median, clusters, 0, [1]) == 1
    assert sensitivity(mad, clusters, 0, [Fraction(1, 2)]) == Fraction(1, 2)
    quarters = [0] * 15 + [1] * 45  # the quartile has another direction
    assert sensitivity(iqr, quarters, 0, [1]) == 1


# --- Theorem 3.5 repaired: the trimmed mean absolute deviation ------------------------------------


def test_trimmed_deviation_moves_by_at_most_twice_its_bound_for_the_mean():
    rng = np.random.default_rng(9)

    def trimmed(rows, cut):
        inner = np.sort(rows)[cut : len(rows) - cut]
        return inner.mean(), abs(inner - inner.mean()).mean()

    closest = 0.0
    for _ in range(3000):
        n, k = int(rng.integers(8, 20)), int(rng.integers(1, 3))
        cut = int(rng.integers(k + 1, (n + 1) // 3 + 1))
        rows = np.sort(rng.standard_cauchy(n))
        other = rows.copy()
        other[rng.choice(n, k, replace=False)] = rng.choice([-1e3, 1e3, rows[n // 2]], k)
        reach = rows[n - cut + k - 1] - rows[cut - k]
        bound = k * reach / (n - 2 * cut)
        moved = [abs(a - b) for a, b in zip(trimmed(rows, cut), trimmed(other, cut), strict=True)]
        assert moved[0] <= bound * (1 + 1e-9)
        assert moved[1] <= 2 * bound * (1 + 1e-9)
        closest = max(closest, moved[1] / bound)
    assert closest > 0.3


# --- Talagrand's inequality -----------------------------------------------------------------------


def test_a_bound_with_a_larger_exponent_than_talagrands_is_refused():
    rng = np.random.default_rng(10)
    assert chance_of_distances(rng, 300) > 1e-9
    assert chance_of_distances(rng, 300, exponent=8.0) < 1e-9


# --- Theorem F.1: half of six rows ----------------------------------------------------------------


def test_median_of_three_cauchy_rows_has_a_mean_error_of_at_most_4_thirds():
    def weighed(x):
        below = mpmath.mpf(1) / 2 + mpmath.atan(x) / mpmath.pi
        return abs(x) * 6 * below * (1 - below) / (mpmath.pi * (1 + x**2))

    error = 2 * mpmath.quad(weighed, [0, 1, 10, 1000, mpmath.inf])
    assert 0 < error <= mpmath.mpf(4) / 3


def test_a_release_from_half_of_the_rows_is_private():
    """Total variation of two releases, on all datasets of six bits: at most 1/2."""
    for rows in itertools.product((0, 1), repeat=6):
        for i in range(6):
            other = list(rows)
            other[i] = 1 - other[i]
            chances = [
                (median(list(data[:3])) + median(list(data[3:]))) / 2 for data in (rows, other)
            ]
            assert abs(chances[0] - chances[1]) <= 1 / 2


# --- Lemma E.1: one row ---------------------------------------------------------------------------


@pytest.mark.parametrize("constant", [1, 7])
def test_one_row_of_a_distribution_without_mean_is_further_off_than_lemma_e_1_allows(constant):
    t = 100 * constant + 1
    beyond = 2 * mpmath.quad(lambda x: 1 / (2 * (1 + x) ** 2), [t, mpmath.inf])
    assert beyond == pytest.approx(1 / (1 + t))
    assert beyond > constant * mpmath.exp(-2 * t**2 / mpmath.mpf(100))
    assert 1 / (2 * (1 + 1) ** 2) > 1 / 10  # the density within 1 of the median


# --- Lemma E.2, repaired: exponential rows, moved and stretched ----------------------------------


def lower_median(rows):
    return np.sort(rows)[(len(rows) - 1) // 2]


def largest_error_of_a_quantile(rows, low):
    """Largest error between the orders low and 1 - low, for the exponential distribution."""
    n = len(rows)
    ends = (
        np.arange(n + 1) / n
    )  # the i-th row in order is the quantile of all orders between two of them
    below, above = (np.clip(part, low, 1 - low) for part in (ends[:-1], ends[1:]))
    errors = [abs(np.sort(rows) + np.log1p(-order)) for order in (below, above)]
    return np.max(np.array(errors)[:, (ends[1:] >= low) & (ends[:-1] < 1 - low)])


@pytest.fixture(scope="module")
def errors_of_mad():
    """By the number of rows, errors of MAD over the largest one of an inner quantile.

    Of the exponential distribution the median is log 2 and MAD is asinh(1/2): the mass sinh(s) is 1/2.
    """
    rng = np.random.default_rng(5)
    mad = math.asinh(0.5)
    quantile = 1 - math.exp(mad) / 2  # at median - MAD
    assert quantile < 1 / 4  # so that of the opposite direction is larger
    found = {}
    for size in (3, 4, 5, 8, 15, 16, 101):
        ratios = []
        for _ in range(2000):
            rows = rng.exponential(rng.choice([0.5, 1, 1.5]), size)
            rows += rng.choice([0, 0.3]) * rng.normal()
            error = abs(lower_median(abs(rows - lower_median(rows))) - mad)
            ratios.append(error / largest_error_of_a_quantile(rows, quantile))
        found[size] = max(ratios)
    return found


def test_mad_errs_by_at_most_twice_the_largest_error_of_an_inner_quantile(errors_of_mad):
    assert max(errors_of_mad.values()) <= 2


def test_mad_errs_by_more_than_the_largest_error_of_an_inner_quantile(errors_of_mad):
    assert max(errors_of_mad.values()) > 1
