"""CoinPress against a slow version of its description, its sensitivity, and its budget."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dpbook.privacy import CoinPress
from dpbook.privacy.coinpress import Sorted


def slow(rows, mechanism, noise):
    n, d = rows.shape
    c, r = np.full(d, mechanism.centre), mechanism.radius / mechanism.sd
    g = math.sqrt(d + 2 * math.sqrt(d * math.log(100)) + 2 * math.log(100))
    for rho, z in zip(mechanism.budgets(), noise, strict=True):
        clip = mechanism.sd * min(math.sqrt(r * r + 6 * r + g * g), r + g)
        sd = 2 * clip / n / math.sqrt(2 * rho)
        clipped = []
        for row in rows:
            length = math.dist(row, c)
            clipped.append(row if length <= clip else c + (row - c) * clip / length)
        c = np.mean(clipped, axis=0) + sd * z
        r = g * math.sqrt(1 / n + (sd / mechanism.sd) ** 2)
    return c


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("steps", [1, 3, 10])
def test_coinpress_is_its_description(d, steps):
    rows = np.random.default_rng(4).normal(30, 8, (200, d))
    mechanism = CoinPress(0.3, 8.0, steps)
    found = mechanism.draws(rows, 5, np.random.default_rng(9))
    noise = np.random.default_rng(9).standard_normal((5, steps, d))
    assert_allclose(found, [slow(rows, mechanism, row) for row in noise])
    assert mechanism.budgets().sum() == pytest.approx(0.3)


def test_numbers_and_rows_of_one_number_are_estimated_alike():
    x = np.random.default_rng(4).standard_t(1, 300)
    mechanism = CoinPress(0.3, 1.0, 3, 2.0, 20.0)
    numbers = mechanism.draws(x, 4, np.random.default_rng(9))
    rows = mechanism.draws(x[:, None], 4, np.random.default_rng(9))
    assert_allclose(numbers, rows[:, 0])
    assert_allclose(mechanism.draws(Sorted.of(x), 4, np.random.default_rng(9)), numbers)


def test_a_clipped_mean_is_the_mean_of_clipped_records():
    x = np.random.default_rng(1).normal(size=33)
    ordered = np.sort(x)
    low = np.array([-1.0, -9.0, 2.9, -5.0, ordered[3]])
    high = np.array([0.5, 9.0, 3.0, -4.0, ordered[20]])
    expected = [np.clip(x, a, b).mean() for a, b in zip(low, high, strict=True)]
    assert_allclose(Sorted.of(x).clipped_mean(low, high), expected, atol=1e-12)


@pytest.mark.parametrize("shape", [(20,), (20, 3)])
def test_one_record_moves_a_step_by_its_sensitivity_at_most_however_far_it_is(shape):
    rng = np.random.default_rng(6)
    mechanism = CoinPress(0.5, 5.0, 1, radius=10.0)
    ball = mechanism.balls(shape[0], 1 if len(shape) == 1 else shape[1])[0][0]
    for far in (1e2, 1e6, 1e20, 1e149):
        for _ in range(20):
            x = rng.normal(0, 5, shape)
            seed = int(rng.integers(2**32))
            one = mechanism.draws(x, 1, np.random.default_rng(seed))
            x[rng.integers(20)] = rng.choice([-far, far])
            other = mechanism.draws(x, 1, np.random.default_rng(seed))
            assert np.linalg.norm(one - other) <= 2 * ball / 20 + 1e-9


@pytest.mark.parametrize("shape", [(100,), (100, 1), (100, 3)])
def test_the_noise_of_a_step_is_what_its_budget_asks_for(shape):
    # six standard errors of a standard deviation: false alarms below 1e-7 for all three
    mechanism = CoinPress(0.7, 2.0, 1, radius=3.0)
    found = mechanism.draws(np.zeros(shape), 2000, np.random.default_rng(5))
    ball = mechanism.balls(*shape)[0][0]
    expected = 2 * ball / 100 / math.sqrt(2 * 0.7)
    assert np.std(found) == pytest.approx(expected, rel=6 / math.sqrt(2 * found.size))


def test_errors_fall_with_the_records():
    rng = np.random.default_rng(7)
    errors = []
    for n in (500, 20_000):
        x = rng.normal(30, 8, n)
        draws = CoinPress(0.1, 8.0).draws(x, 400, rng)
        errors.append(float(np.mean((draws - 30) ** 2)))
    assert errors[1] < errors[0] / 10


def test_what_it_cannot_use_is_refused():
    with pytest.raises(ValueError, match="rho must be > 0 and finite"):
        CoinPress(0.0, 8.0)
    with pytest.raises(ValueError, match="steps must be an integer >= 1"):
        CoinPress(1.0, 8.0, 0)
    mechanism = CoinPress(1.0, 8.0)
    for bad in ([1.0, math.nan], [1.0, -math.inf], [1.0], [], [[[1.0]] * 2] * 2, [1.0, 1e160]):
        with pytest.raises(ValueError, match="records must be finite numbers"):
            mechanism.draws(bad)
    with pytest.raises(ValueError, match="radius and noise must be below"):
        CoinPress(0.5, 1.0, radius=1e300).draws(np.zeros((10, 2)))
    with pytest.raises(ValueError, match="radius and noise must be below"):
        CoinPress(1e-320, 1.0).draws(np.zeros(10))
    assert np.isfinite(CoinPress(0.5, 1.0, radius=1e100).draws(np.zeros((10, 2)), 5)).all()
