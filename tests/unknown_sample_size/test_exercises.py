"""The solutions of the unknown_sample_size exercises, from the definitions."""

import math

import numpy as np
import pytest

from dpbook.teaching.exercises import find
from dpbook.unknown_sample_size import load_time_use, models
from dpbook.unknown_sample_size.exercises import largest_number, mass_at_the_noisy_number
from dpbook.unknown_sample_size.notation import covariates, eps_s, floor, n_0, q


@pytest.mark.parametrize(("ratio", "at"), [(0.5, 1), (0.9, 4), (0.2, 10)])
def test_mass_at_the_noisy_number_is_a_share_of_weights(ratio, at):
    weights = ratio ** np.abs(np.arange(1, 2000) - at)
    found = float(mass_at_the_noisy_number().subs({q: ratio, n_0: at}))
    assert found == pytest.approx(1 / weights.sum())


def test_mean_distance_is_that_of_discrete_noise():
    j = np.arange(-200, 201)
    weights = np.exp(-np.abs(j))
    found = float(find("unknown_sample_size:mean-distance").solution())
    assert found == pytest.approx(weights @ np.abs(j) / weights.sum())


def test_loss_of_a_swap_of_regression_rows_by_the_model():
    model = models.linear_regression()
    moved = model.total(np.full((1, 3), 5.0)) - model.total(np.full((1, 3), -5 / 4))
    loss = np.abs(moved).sum() / model.sensitivity
    found = find("unknown_sample_size:loss-of-a-swap").solution().subs({eps_s: 1, covariates: 2})
    assert float(found) == pytest.approx(loss)


def test_no_random_day_is_worse_than_the_worst():
    rng = np.random.default_rng(3)
    days = rng.dirichlet([0.3, 0.3, 0.3], 20_000)
    days = days[(days >= 0.02).all(axis=1)]
    worst = float(find("unknown_sample_size:sensitivity-of-shares").solution().subs(floor, 0.02))
    assert np.abs(np.log(days)).sum(axis=1).max() <= worst
    assert worst == pytest.approx(-2 * math.log(0.02) - math.log(0.96))


def test_forgotten_ratio_by_running_the_two_states():
    distribution = np.array([0.5, 0.5])
    for _ in range(200):
        distribution = distribution @ np.array([[0.0, 1.0], [0.5, 0.5]])
    assert float(find("unknown_sample_size:forgotten-ratio").solution()) == pytest.approx(
        distribution[0]
    )


def test_largest_number_is_where_the_geometric_means_sum_to_one():
    sums = load_time_use().sums
    total = [sum(math.exp(s / n) for s in sums) for n in (largest_number(), largest_number() + 1)]
    assert total[0] < 1 <= total[1]
