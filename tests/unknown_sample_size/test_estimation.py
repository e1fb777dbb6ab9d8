"""Maximum likelihood, bootstrap and ABC against closed forms and brute force, at 1e-8 where random."""

import math

import numpy as np
import pytest

from dpbook.unknown_sample_size import (
    Gaussian,
    Known,
    Laplace,
    Release,
    Setting,
    Uniform,
    exact_normal,
    kernels,
    models,
)
from dpbook.unknown_sample_size.estimation import (
    abc_posterior,
    complete_fit,
    complete_score,
    expectation_maximisation,
    gradient_step,
    newton_on_scores,
    parametric_bootstrap,
)

DEVIATIONS = 5.731


def seeded(seed):
    return np.random.default_rng(seed)


def rows_and_gram(p, n=60):
    model = models.linear_regression(p)
    rows = model.draw(model.prior(seeded(p)), n, seeded(p + 5))
    gram = np.empty((p + 2, p + 2))
    kernels.regression_moments(rows, n, gram)
    return rows, gram


def log_likelihood(theta, rows):
    p = rows.shape[1] - 1
    T = np.zeros((p, p))
    T[np.tril_indices(p)] = theta[2 * p + 2 :]
    x, y = rows[:, :p], rows[:, p]
    rest = y - theta[0] - x @ theta[1 : p + 1]
    u = (x - theta[p + 2 : 2 * p + 2]) @ T
    n = len(rows)
    return (
        n / 2 * math.log(theta[p + 1])
        - theta[p + 1] / 2 * rest @ rest
        + n * np.log(np.diag(T)).sum()
        - (u**2).sum() / 2
    )


@pytest.mark.parametrize("p", [1, 2, 3])
def test_the_m_step_maximises_and_the_score_is_the_gradient(p):
    rows, gram = rows_and_gram(p)
    best = complete_fit(gram)
    assert complete_score(best, gram) == pytest.approx(0, abs=1e-6)
    theta = models.linear_regression(p).prior(seeded(p + 9))
    psi = np.zeros(theta.size + 1)
    kernels.to_psi(theta, p, psi)
    for j in range(1, psi.size):
        sides = []
        for sign in (1, -1):
            moved, at = psi.copy(), np.empty_like(theta)
            moved[j] += sign * 1e-5
            kernels.from_psi(moved, p, at)
            sides.append(log_likelihood(at, rows))
        difference = (sides[0] - sides[1]) / 2e-5
        assert complete_score(theta, gram)[j - 1] == pytest.approx(difference, rel=1e-5, abs=1e-3)


def test_the_printed_step_grows_with_the_number_of_states():
    _, gram = rows_and_gram(1)
    theta = complete_fit(gram) + 0.01
    right = gradient_step(theta, gram, 1e-4, 100)
    printed = gradient_step(theta, gram, 1e-4, 100, "printed")
    assert np.abs(printed[0] - theta[0]) == pytest.approx(100 * np.abs(right[0] - theta[0]))
    with pytest.raises(ValueError, match="version must be"):
        gradient_step(theta, gram, 1e-4, 100, "other")


def test_with_hardly_any_noise_all_estimates_are_those_of_the_rows():
    rng = seeded(1)
    x = rng.normal(0.5, 1, (300, 1))
    rows = np.c_[x, 0.3 - x + rng.normal(0, 0.7, (300, 1))]
    setting = Setting(models.linear_regression(1, low=-50, high=50), Laplace(20.0), Laplace(20.0))
    release = setting.release(rows, rng)
    gram = np.empty((3, 3))
    kernels.regression_moments(rows, 300, gram)
    best = complete_fit(gram)
    found = parametric_bootstrap(
        Setting(models.linear_regression(1, low=-5, high=5), Laplace(1e7), Known()),
        Setting(models.linear_regression(1, low=-5, high=5), Laplace(1e7), Known()).release(
            rows, rng
        ),
        rng,
        size=4000,
    )
    assert found.b == pytest.approx(best[:2], abs=1e-4)
    assert found.variance == pytest.approx(1 / best[2] * 300 / 298, rel=1e-3)
    errors = np.sqrt(np.diag(np.linalg.inv(gram[:2, :2])) * found.variance)
    assert found.draws.std(axis=0) == pytest.approx(errors, rel=0.1)
    assert release.n_dp == pytest.approx(300, abs=2)


def test_algorithm_2_is_flagged_where_it_still_drifts():
    rng = seeded(2)
    x = rng.normal(0, 1, (200, 1))
    rows = np.c_[x, 1 - x + rng.normal(0, 1, (200, 1))]
    setting = Setting(models.linear_regression(1), Laplace(1.0), Laplace(1.0))
    found = expectation_maximisation(setting, setting.release(rows, rng), rng, rounds=12, cycles=10)
    assert not found.converged
    assert "NOT converged" in repr(found)
    assert found.path.shape == (12, 5)


def test_newton_reports_information_and_what_is_left_of_the_score():
    rng = seeded(3)
    x = rng.normal(0, 1, (150, 1))
    rows = np.c_[x, 1 - x + rng.normal(0, 1, (150, 1))]
    setting = Setting(models.linear_regression(1), Laplace(3.0), Laplace(1.0))
    found = newton_on_scores(
        setting, setting.release(rows, rng), rng, rounds=30, cycles=60, posterior_cycles=1000
    )
    assert found.information.shape == (5,)
    assert "score left" in found.note
    assert found.theta[:2] == pytest.approx([1, -1], abs=1.0)


def test_newton_finds_one_maximum_from_two_streams():
    """At epsilon_n = 1 the score is brought to 0; far fewer cycles than there are missing rows."""
    rng = seeded(7)
    x = np.array([1, -1]) + rng.standard_normal((1000, 2))
    rows = np.c_[x, x @ [-1, 1] + rng.standard_normal(1000)]
    setting = Setting(models.linear_regression(), Laplace(1.0), Laplace(1.0))
    release = setting.release(rows, rng)
    found = [newton_on_scores(setting, release, seeded(seed)) for seed in (8, 9)]
    for one in found:
        left = float(one.note.split("score left is ")[1].split()[0])
        assert left < 0.6
        assert one.converged == (left < 0.3)
    # b within a fifth of the posterior's spread, .5 or so
    assert found[0].theta[:3] == pytest.approx(found[1].theta[:3], abs=0.1)


def test_table_3_scale_changes_the_regulariser():
    rng = seeded(4)
    x = np.array([1, -1]) + rng.standard_normal((1000, 2))
    rows = np.c_[x, x @ [-1, 1] + rng.standard_normal(1000)]
    setting = Setting(models.linear_regression(), Laplace(0.1), Laplace(1.0))
    release = setting.release(rows, rng)
    own = parametric_bootstrap(setting, release, rng, size=10, normalised=False)
    text = parametric_bootstrap(setting, release, rng, size=10)
    assert own.regulariser > 10 * text.regulariser
    with pytest.raises(ValueError, match="needs Laplace noise"):
        parametric_bootstrap(
            Setting(models.linear_regression(), Gaussian(1.0), Laplace(1)), release
        )


def test_abc_with_a_small_box_is_the_exact_posterior():
    setting = Setting(
        models.normal_mean(0.0, 1.0, 1.0), Gaussian(2.0), Gaussian(1.0), Uniform(1, 15)
    )
    release = Release((4.0,), 6.0)
    exact = exact_normal(setting, release, 15)
    found = abc_posterior(setting, release, 0.4, seeded(5), size=20_000)
    error = exact.sd / math.sqrt(len(found.draws))
    assert abs(found.draws.mean() - exact.mean) < DEVIATIONS * error + 0.01
    # ABC draws n from p(n | n_dp) before s is looked at; what is kept has the distribution given both
    mean = float(exact.masses @ exact.sizes)
    spread = found.sizes.std() / math.sqrt(len(found.sizes))
    assert abs(found.sizes.mean() - mean) < DEVIATIONS * spread + 0.03
    with pytest.raises(ValueError, match="radius must be > 0"):
        abc_posterior(setting, release, -1.0)
    with pytest.raises(ValueError, match="radius must be large enough"):
        abc_posterior(setting, release, 1e-9, seeded(6), size=10)
