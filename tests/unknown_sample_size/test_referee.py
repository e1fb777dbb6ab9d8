"""Recompute ten claims from the definitions of the paper.

Six were drawn from the refuted and four from the proved claims of the paper, each by
`random.Random(44).sample` from their sorted keys. Nothing here is shared with the claims.
"""

from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from itertools import product
from math import floor

import mpmath
import numpy as np
import pytest
from mpmath import mpf


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(40):
        yield


# --- eq-19, text-a.2-tail -------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", ["0.05", "1", "3"])
def test_the_sum_of_eq_19_grows_without_bound_and_that_of_eq_18_does_not(epsilon):
    epsilon = mpf(epsilon)

    def sums(last):
        distances = [(j, abs(j)) for j in range(-last, last + 1)]
        return (
            sum(size * mpmath.exp(-epsilon * size) for j, size in distances),
            sum(size * mpmath.exp(-epsilon * j) for j, size in distances),
        )

    true, printed = zip(*(sums(last) for last in (1, 20, 400)), strict=True)
    q = mpmath.exp(-epsilon)
    assert all(a < b for a, b in zip(true[1:], printed[1:], strict=True))
    assert abs(true[-1] * (1 - q) ** 2 / (2 * q) - 1) < mpf(10) ** -6
    assert printed[-1] > printed[1] * mpmath.exp(300 * epsilon)


@pytest.mark.parametrize(("epsilon", "n_0"), [("0.5", "1"), ("1", "1"), ("0.3", "7.25")])
def test_the_weights_below_1_add_up_to_more_than_is_printed(epsilon, n_0):
    epsilon, n_0 = mpf(epsilon), mpf(n_0)
    found = sum(mpmath.exp(-epsilon * (n_0 - i)) for i in range(-800, 1))
    printed = mpmath.exp(-epsilon - n_0 * epsilon) / (mpmath.exp(epsilon) - 1)
    assert abs(found / printed - mpmath.exp(2 * epsilon)) < mpf(10) ** -30


# --- lemma-a.11.vi --------------------------------------------------------------------------------


@pytest.mark.parametrize(("mu", "order", "rho"), [("2", "8", "0.5"), ("0.5", "1.5", "0.01")])
def test_two_normal_distributions_are_further_apart_than_the_bound_with_rho(mu, order, rho):
    mu, order, rho = mpf(mu), mpf(order), mpf(rho)

    def moment(x):
        return mpmath.npdf(x, mu) ** order * mpmath.npdf(x) ** (1 - order)

    with mpmath.workdps(20):
        divergence = mpmath.log(mpmath.quad(moment, [-30, 0, mu * order, 60])) / (order - 1)
    assert abs(divergence - order * mu**2 / 2) < mpf(10) ** -10
    # the densities cross at mu / 2
    distance = mpmath.ncdf(mu / 2) - mpmath.ncdf(-mu / 2)

    def bound(size):
        return min(mpmath.sqrt(size / 2), mpmath.sqrt(1 - mpmath.exp(-size)))

    assert bound(rho) < distance <= bound(divergence)


# --- lemma-a.3 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 3, 50])
def test_a_sum_may_lie_on_a_grid_which_its_limit_never_meets(n):
    """X is uniform, Y_n = floor(n X) / n - X is near 0, and X + Y_n is a multiple of 1 / n."""
    for x in (Fraction(k, 997) for k in range(997)):
        y = Fraction(floor(n * x), n) - x
        assert -Fraction(1, n) < y <= 0
        assert (n * (x + y)).denominator == 1
    for width in (Fraction(1, 10**4), Fraction(1, 10**9)):
        # X is within the width of a multiple of 1 / n with at most this chance, and so TV is 1
        assert 2 * width * (n + 1) < Fraction(3, 100)


# --- text-6.1-variances, text-6.1-variances-corrected ---------------------------------------------

# Table 3, upper half: the variances of the three coefficients, epsilon_n from 0.001 to Inf
VARIANCES = {
    "beta_0": "1.357 0.715 1.682 2.322 2.452 2.468",
    "beta_1": "0.773 0.977 1.443 1.614 1.642 1.646",
    "beta_2": "0.905 1.004 1.486 1.991 2.001 2.003",
}


@pytest.mark.parametrize("name", VARIANCES)
def test_the_variances_of_table_3_increase_with_the_loss_of_the_number(name):
    row = [Decimal(x) for x in VARIANCES[name].split()]
    rising = row[1:] if name == "beta_0" else row
    assert all(a < b for a, b in zip(rising, rising[1:], strict=False))
    assert row != sorted(row, reverse=True)  # the text says that they decrease


# --- text-a.6-clamp -------------------------------------------------------------------------------


@pytest.mark.parametrize(("low", "high"), [(-1, 0), (-5, -2)])
def test_an_exponential_variable_clamped_below_its_values_is_constant(low, high):
    shares = [mpf(k) / 1000 for k in range(1000)]
    values = {min(max(-mpmath.log(1 - share) / 2, low), high) for share in shares}
    assert values == {high}  # one number: no part of it has a density


def test_clamped_among_its_values_it_is_not():
    shares = [mpf(k) / 1000 for k in range(1000)]
    inside = [x for x in (-mpmath.log(1 - share) / 2 for share in shares) if 0 < x < 1]
    assert len(inside) / mpf(1000) == pytest.approx(1 - mpmath.exp(-2), abs=2e-3)


# --- remark-5.7 -----------------------------------------------------------------------------------


def test_a_sweep_of_swaps_keeps_the_posterior_at_a_public_number_of_records():
    """Three rows of three values, and a mechanism that tells the rows apart, in exact fractions."""
    rng = np.random.default_rng(44)
    row = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    states = list(product(range(3), repeat=3))
    release = {x: Fraction(int(k), 7) for x, k in zip(states, rng.integers(1, 40, 27), strict=True)}
    weight = {x: row[x[0]] * row[x[1]] * row[x[2]] * release[x] for x in states}
    after = dict(weight)
    for place in range(3):
        moved = dict.fromkeys(states, Fraction(0))
        for x, mass in after.items():
            for value, chance in enumerate(row):
                new = (*x[:place], value, *x[place + 1 :])
                accepted = min(Fraction(1), release[new] / release[x])
                moved[new] += mass * chance * accepted
                moved[x] += mass * chance * (1 - accepted)
        after = moved
    assert after == weight
    # without the acceptance the rows forget the release
    assert any(release[x] != release[states[0]] for x in states)


def test_the_m_step_with_a_public_number_is_the_share_of_ones():
    draws, n = [(1, 0, 1, 1), (0, 0, 1, 0), (1, 1, 1, 0)], 4
    ones = sum(map(sum, draws))

    def mean_log_likelihood(theta):
        logs = [mpmath.log(theta if x else 1 - theta) for draw in draws for x in draw]
        return sum(logs) / len(draws)

    best = max((mpf(k) / 1200 for k in range(1, 1200)), key=mean_log_likelihood)
    assert best == mpf(ones) / (n * len(draws))


# --- text-6.2-floor -------------------------------------------------------------------------------


def test_the_printed_floor_is_a_minute_of_the_day_cut_off():
    minute = Decimal(1) / Decimal(24 * 60)
    assert minute.quantize(Decimal("0.0001"), rounding=ROUND_DOWN) == Decimal("0.0006")
    assert minute.quantize(Decimal("0.0001")) == Decimal("0.0007")


# --- text-b-models-three --------------------------------------------------------------------------


def gamma_density(x, shape, rate):
    return rate**shape * x ** (shape - 1) * mpmath.exp(-rate * x) / mpmath.gamma(shape)


@pytest.mark.parametrize(
    ("shapes", "rate", "total", "shares"),
    [
        (("0.7", "2", "3.1"), "0.9", "4.2", ("0.2", "0.5")),
        (("5", "0.2", "1"), "3", "0.3", ("0.05", "0.9")),
    ],
)
def test_both_models_of_three_cells_have_one_density(shapes, rate, total, shares):
    shapes, rate, total = [mpf(x) for x in shapes], mpf(rate), mpf(total)
    p = [mpf(x) for x in shares]
    p.append(1 - sum(p))

    def cells(point):
        size, first, second = point
        return [size * first, size * second, size * (1 - first - second)]

    at = [total, p[0], p[1]]
    step = mpf(10) ** -15
    slopes = mpmath.matrix(3, 3)
    for j in range(3):
        up, down = list(at), list(at)
        up[j] += step
        down[j] -= step
        for i, (a, b) in enumerate(zip(cells(up), cells(down), strict=True)):
            slopes[i, j] = (a - b) / (2 * step)
    independent = mpmath.fprod(
        gamma_density(x, shape, rate) for x, shape in zip(cells(at), shapes, strict=True)
    )
    dirichlet = mpmath.gamma(sum(shapes)) * mpmath.fprod(
        x ** (shape - 1) / mpmath.gamma(shape) for x, shape in zip(p, shapes, strict=True)
    )
    joint = gamma_density(total, sum(shapes), rate) * dirichlet
    assert abs(independent * abs(mpmath.det(slopes)) / joint - 1) < mpf(10) ** -12
