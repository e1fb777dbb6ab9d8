"""The solutions of the depth_medians exercises, from the definitions."""

import math

import numpy as np
import pytest
from scipy.stats import cauchy, gamma

from dpbook.depth_medians import (
    FIGURE_1,
    Outlyingness,
    outlyingness_of,
    pass_probability,
    random_directions,
)
from dpbook.depth_medians.exercises import (
    bias_of_the_mean,
    deviation_for_one_scale,
    error_of_the_mean,
    largest_rho,
    length_of_a_level,
    margin_for_a_failure,
    mean_gain,
)
from dpbook.depth_medians.notation import (
    d,
    delta,
    epsilon,
    eta,
    failure,
    gain,
    n,
    sampling,
    scale,
    tau,
)
from dpbook.teaching.exercises import find


def at(expression, values):
    return float(expression.subs(values))


def test_interval_of_a_level_is_that_of_outlyingness_on_the_line():
    data = np.random.default_rng(1).normal(size=(101, 1))
    fitted = outlyingness_of(data, np.ones((1, 1)))
    grid = np.linspace(-5, 5, 200_001)
    inside = grid[fitted(grid[:, None]) <= 1.5]
    claimed = at(length_of_a_level(), {tau: 1.5, scale: fitted.scale[0]})
    assert inside[-1] - inside[0] == pytest.approx(claimed, abs=2e-4)


@pytest.mark.parametrize("chance", [0.3, 0.01])
def test_margin_of_the_exercise_fails_with_the_chance_that_is_asked_for(chance):
    margin = at(margin_for_a_failure(), {epsilon: 2.0, delta: 0.01, failure: chance})
    assert 1 - float(pass_probability(margin, 2.0, 0.01)) == pytest.approx(chance, rel=1e-12)


def test_mean_gain_is_that_of_the_gamma_distribution():
    values = {d: 5, eta: 0.03, epsilon: 2.0}
    assert at(mean_gain(), values) == pytest.approx(gamma(5, scale=4 * 0.03 / 2.0).mean())


def test_deviation_is_never_exceeded_where_all_scales_are_one():
    rng = np.random.default_rng(2)
    units = random_directions(2, 4000, rng)
    errors = rng.uniform(-0.2, 0.2, len(units))
    least = Outlyingness(units, errors, np.ones(len(units))).minimum()[1]
    assert 0 < least <= 0.2
    worst = 0.0
    for radius in (0.3, 1.0, 4.0):
        for angle in np.linspace(0, 2 * np.pi, 40):
            point = radius * np.array([math.cos(angle), math.sin(angle)])
            out = float(np.abs(units @ point - errors).max())
            bound = at(deviation_for_one_scale(), {scale: 1, gain: out - least, sampling: 0.2})
            assert radius <= bound + 1e-3  # directions are finitely many
            worst = max(worst, radius / bound)
    assert worst > 0.8


def test_errors_of_the_mean_by_simulation():
    rng = np.random.default_rng(3)
    means = rng.normal(size=(2000, 50, 4)).mean(axis=1)
    found = math.sqrt((means**2).sum(axis=1).mean())
    assert found == pytest.approx(at(error_of_the_mean(), {d: 4, n: 50}), rel=0.05)
    rows = np.zeros((400, 3))
    rows[:100] += 5
    assert np.linalg.norm(rows.mean(axis=0)) == pytest.approx(at(bias_of_the_mean(), {d: 3}))


def test_numbers_of_figure_1_are_those_of_its_setting():
    assert float(find("depth_medians:temperature").solution()) == pytest.approx(FIGURE_1.beta)
    level = float(find("depth_medians:figure-threshold").solution())
    assert level == pytest.approx(FIGURE_1.threshold)


def test_level_of_coinpress_spends_epsilon():
    rho = at(largest_rho(), {epsilon: 10.0, delta: 1e-3})
    assert rho + 2 * math.sqrt(rho * math.log(1e3)) == pytest.approx(10.0)


def test_mad_of_a_cauchy_projection_on_the_diagonal_by_simulation():
    rows = cauchy.rvs(size=(200_000, 2), random_state=np.random.default_rng(4))
    seen = rows @ np.array([1, 1]) / math.sqrt(2)
    mad = np.median(np.abs(seen - np.median(seen)))
    assert mad == pytest.approx(float(find("depth_medians:cauchy-scale").solution()), rel=0.02)


def test_median_of_21_numbers_breaks_down_at_11():
    bad = int(find("depth_medians:breakdown").solution())
    for count, huge in ((bad - 1, False), (bad, True)):
        numbers = np.append(np.full(count, 1e9), np.arange(21 - count))
        assert (np.median(numbers) > 1e6) == huge
