"""Algorithm 1 for regressions: its reductions against searches over all that they reduce."""

import math
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from dpbook.contamination import (
    LaplaceApproximation,
    Regression,
    Unresolved,
    cauchy_regression,
    kernels,
    linear_regression,
    logistic_regression,
    metropolis,
    regression,
    studies,
)
from dpbook.contamination.models import (
    AsymmetricLaplace,
    BernoulliDensity,
    Contaminated,
    Logistic,
    Normal,
    StudentTDensity,
)
from dpbook.contamination.regression_data import RegressionData

SETTINGS = [
    linear_regression(400, 3),
    logistic_regression(400, 3),
    logistic_regression(400, 3, contaminated=False),
    cauchy_regression(400, 3),
    cauchy_regression(400, 3, contaminated=False),
    cauchy_regression(400, 3, centred=False),
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_mode_and_covariance_are_those_of_the_posterior(setting):
    x, w = setting.simulate(np.random.default_rng(1))
    found = setting.laplace(x, w)
    slope = setting.model.gradient(found.mode, x, w) - found.mode / 100
    assert (np.abs(slope) * found.sd).max() < 1e-4
    step = 1e-4 * np.eye(3)
    around = np.vstack([found.mode + a + b for a in (step, -step) for b in (step, -step)])
    values = setting.log_posterior(around, x, w)
    assert (values <= setting.log_posterior(found.mode, x, w)[0] + 1e-9).all()
    bend = setting.model.hessian(found.mode, x, w) - np.eye(3) / 100
    assert_allclose(-bend @ found.covariance, np.eye(3), atol=1e-8)


def test_particles_and_metropolis_find_the_same_skew_posterior():
    setting = SETTINGS[1]
    x, w = setting.simulate(np.random.default_rng(1))
    particles, weights = setting.importance(x, w, 4000, np.random.default_rng(2))
    assert 1 / np.sum(weights**2) > 1000
    chains = metropolis(setting, x, w, size=3000, chains=8, rng=np.random.default_rng(3))
    mean, sd = chains.states.mean(axis=(0, 1)), chains.states.std(axis=(0, 1))
    # both have errors of about .03 sd; the mode is .5 sd away
    assert (np.abs(weights @ particles - mean) / sd).max() < 0.2
    assert (np.abs(setting.laplace(x, w).mode - mean) / sd).max() > 0.3


def test_skewness_makes_the_box_of_the_particles_larger():
    setting = SETTINGS[1]
    x, w = setting.simulate(np.random.default_rng(1))
    plain = setting.epsilon(x, w)
    found = setting.epsilon(x, w, particles=20_000, rng=np.random.default_rng(4))
    assert found.phi > 1.2 * plain.phi
    with pytest.raises(Unresolved, match="particles must be more, 0 of 2 lie outside"):
        setting.epsilon(x, w, particles=2, rng=np.random.default_rng(4))


def test_particles_of_many_records_agree_with_the_laplace_approximation():
    setting = linear_regression(4000, 3)
    x, w = setting.simulate(np.random.default_rng(1))
    found = setting.epsilon(x, w, particles=10_000, rng=np.random.default_rng(4))
    wanted = setting.epsilon(x, w)
    assert found.phi == pytest.approx(wanted.phi, rel=0.03)
    assert found.epsilon == pytest.approx(wanted.epsilon, rel=0.04)


@pytest.mark.parametrize("setting", SETTINGS)
def test_eta_is_what_a_random_search_finds_and_never_less(setting):
    rng, phi = np.random.default_rng(3), 0.2
    log_eta = setting.log_eta(phi)
    w = rng.uniform(-1, 1, (4000, 3))
    w[: 3 * len(w) // 4] = np.sign(w[: 3 * len(w) // 4])  # most at the corners
    w[:, 0] = 1
    truth = w @ np.array(setting.theta)
    delta = phi * rng.choice([-1.0, -0.5, 1.0], (len(w), 3))
    delta[: len(w) // 2] = phi * np.sign(w[: len(w) // 2]) * rng.choice([-1, 1], (len(w) // 2, 1))
    s = truth + (w * delta).sum(axis=1)
    centre = setting._centre(w)
    if setting.likelihood.values:
        x = np.array([[0.0, 1.0]])
    else:
        x = truth[:, None] + np.linspace(-8, 8, 161)
    logs = setting.model.log_density(x, s[:, None], centre[:, None])
    logs = logs - setting.model.log_density(x, truth[:, None], centre[:, None])
    found = logs.max() - logs.min()
    assert found <= log_eta + 1e-3
    assert found == pytest.approx(log_eta, rel=0.03)


def test_eta_of_centred_models_depends_on_the_largest_shift_alone():
    setting = linear_regression(400, 4)
    scalar = Regression(400, Normal(), StudentTDensity(5.0, 0.0, 1.0, (0.0,)), (0.0,))
    assert setting.log_eta(0.1) == pytest.approx(scalar.replace(rate=setting.rate).log_eta(0.4))


def test_expectations_are_averages_over_the_posterior():
    setting = logistic_regression(400, 3)
    x, w = setting.simulate(np.random.default_rng(1))
    rest = setting._without(setting.laplace(x, w), float(x[-1]), w[-1])
    log_alpha, log_beta = setting._expectations(rest)
    rng = np.random.default_rng(4)
    draws = rng.multivariate_normal(rest.mode, rest.covariance, 20_000)
    worst = []
    for a in (-1.0, -0.5, 0.0, 0.5, 1.0):
        for b in (-1.0, 1.0):
            for v in (np.array([1.0, a, b]), np.array([1.0, b, a])):
                for record in (0.0, 1.0):
                    k = np.exp(setting.model.log_density(np.array(record), draws @ v))
                    truth = float(
                        np.exp(setting.model.log_density(np.array(record), np.array(v.sum())))
                    )
                    worst.append(math.log(k.mean() / truth))
    # 20 000 draws of ratios within 20%: errors below .002, five of them .01
    assert log_alpha == pytest.approx(max(worst), abs=0.01)
    assert log_beta == pytest.approx(min(worst), abs=0.01)


def test_leaving_a_record_out_is_close_to_fitting_without_it():
    setting = linear_regression(400, 3)
    x, w = setting.simulate(np.random.default_rng(1))
    found = setting._without(setting.laplace(x, w), float(x[-1]), w[-1])
    fitted = Regression(399, setting.likelihood, setting.density, setting.theta, setting.rate)
    wanted = fitted.laplace(x[:-1], w[:-1])
    assert (np.abs(found.mode - wanted.mode) / wanted.sd).max() < 0.01
    assert_allclose(found.sd, wanted.sd, rtol=0.02)


def test_box_keeps_all_but_delta():
    distribution = LaplaceApproximation(np.array([0.3, -0.1]), np.diag([0.04, 0.01]))
    half = distribution.box(np.zeros(2), 1e-3)
    outside = sum(
        norm.sf((half - m) / s) + norm.cdf((-half - m) / s) for m, s in ((0.3, 0.2), (-0.1, 0.1))
    )
    assert outside == pytest.approx(1e-3, rel=1e-6)


def test_one_covariate_is_the_location_model():
    from dpbook.contamination.settings import Setting
    from dpbook.privacy import distributions

    one = Regression(2000, Normal(), StudentTDensity(5.0, 0.0, 1.0, (0.5,)), (0.5,))
    x, w = one.simulate(np.random.default_rng(2))
    other = Setting(
        2000, Normal(), StudentTDensity(5.0, 0.5, 1.0), distributions.Normal(0, 10), 0.5
    )
    found, wanted = one.epsilon(x, w), other.epsilon(x, method="algorithm-1")
    # the tail of the Laplace approximation stands for that of the posterior
    assert found.phi == pytest.approx(wanted.phi, rel=0.01)
    assert found.epsilon == pytest.approx(wanted.epsilon, rel=0.015)


def test_quantile_regression_is_refused_where_newton_finds_no_maximum():
    setting = Regression(50, AsymmetricLaplace(0.5), StudentTDensity(5.0), (0.0,), rate=0.3)
    x, w = setting.simulate(np.random.default_rng(1))
    assert math.isfinite(setting.log_eta(0.2))
    with pytest.raises(ValueError, match="no maximum of the posterior"):
        setting.laplace(x, w)


def test_estimate_depends_on_the_seed_alone():
    setting = logistic_regression(300, 2)
    few = setting.estimate(2, np.random.default_rng(1))
    more = setting.estimate(3, np.random.default_rng(1))
    assert np.array_equal(few.values, more.values[:2])
    assert pickle.loads(pickle.dumps(setting)) == setting
    assert setting.replace(n=600).delta == 1 / 6000
    assert repr(setting).startswith(
        "Regression(n=300, d=2, Logistic(), BernoulliDensity(chance=0.5)"
    )


def test_bad_input_is_named():
    setting = logistic_regression(3, 2)
    with pytest.raises(ValueError, match=r"covariates must be within 1 in size .* got 2.0"):
        setting.epsilon([0.0, 1.0, 1.0], [[1.0, 0.0], [1.0, 2.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match=r"must have 1 in their first column, got 0.5 at \(1, 0\)"):
        linear_regression(3, 2).epsilon([1.0, 2.0, 3.0], [[1.0, 0.0], [0.5, 0.0], [0.5, 0.0]])
    with pytest.raises(ValueError, match=r"covariates must have shape \(3, 2\)"):
        setting.epsilon([0.0, 1.0, 1.0], [[1.0], [1.0], [1.0]])
    with pytest.raises(ValueError, match="length of theta must be an integer <= 16"):
        linear_regression(10, theta=np.ones(17))
    with pytest.raises(ValueError, match="rate must be 0 without a density"):
        Regression(10, Logistic(), None, (1.0,), rate=0.3)
    with pytest.raises(ValueError, match=r"rate must be in \(0, 1\), got 2"):
        Regression(10, Logistic(), BernoulliDensity(), (1.0,), rate=2.0)


def test_particles_that_do_not_resolve_the_tail_are_drawn_around_their_own_mean(monkeypatch):
    at = logistic_regression(1000, 2)
    x, w = at.simulate(np.random.default_rng(4))
    many = at.epsilon(x, w, particles=50_000, rng=np.random.default_rng(2))
    found = at.epsilon(x, w, particles=500, rng=np.random.default_rng(1))
    # phi rests on some ten particles: an error of 5% or so
    assert found.epsilon == pytest.approx(many.epsilon, rel=0.3)
    monkeypatch.setattr(regression, "ROUNDS", 1)
    with pytest.raises(Unresolved):
        at.epsilon(x, w, particles=500, rng=np.random.default_rng(1))


@pytest.mark.parametrize("model", studies.REGRESSIONS)
def test_loops_over_records_are_the_contaminated_likelihood(model):
    at = studies.REGRESSIONS[model](700, 3)  # two parts, and a rest that fills no product
    rng = np.random.default_rng(5)
    x, w = at.simulate(rng)
    data = RegressionData(at.model, x, np.asfortranarray(w))
    assert data.terms is not None
    points = np.array(at.theta) + rng.standard_normal((20, 3))
    wanted = at.model.log_likelihood(points, x, w)
    np.testing.assert_allclose(data.log_likelihood(points), wanted, rtol=1e-12)
    slow = np.empty(20)
    kernels.regression_logs.py_func(*data.terms, x, np.ascontiguousarray(w.T), points, slow)
    np.testing.assert_allclose(slow, wanted, rtol=1e-12)
    for point in points[:3]:
        gradient, hessian = at.model.gradient(point, x, w), at.model.hessian(point, x, w)
        slope, bend = data.derivatives(point)
        size = np.abs(w * at.model.score(x, w @ point, at._centre(w))[:, None]).sum()
        np.testing.assert_allclose(slope, gradient, rtol=1e-12, atol=1e-13 * size)
        np.testing.assert_allclose(bend, hessian, rtol=1e-11, atol=1e-11)
        kernels.regression_derivatives.py_func(*data.terms, x, w, point, slope, bend)
        np.testing.assert_allclose(slope, gradient, rtol=1e-12, atol=1e-13 * size)
        np.testing.assert_allclose(bend, hessian, rtol=1e-11, atol=1e-11)


def test_densities_too_small_for_a_product_are_added_up_as_logs():
    at = logistic_regression(400, 2, contaminated=False)
    x, w = at.simulate(np.random.default_rng(6))
    data = RegressionData(at.model, x, w)
    points = np.array([[1.0, 1.0], [3000.0, 0.0], [1.0, -2000.0]])
    direct = np.empty(3)
    kernels.regression_logs(*data.terms, x, np.ascontiguousarray(w.T), points, direct)
    assert np.isnan(direct).tolist() == [False, True, True]
    np.testing.assert_allclose(
        data.log_likelihood(points), at.model.log_likelihood(points, x, w), rtol=1e-12
    )


def test_likelihoods_that_the_loops_do_not_know_go_another_way():
    class Own(Normal):
        def log_density(self, x, s):
            return 2 * super().log_density(x, s)

    at = linear_regression(300, 2)
    x, w = at.simulate(np.random.default_rng(7))
    own = Contaminated(Own(1.0), at.density, at.rate)
    far = np.append(x[:-1], 1e60)  # g is 0 there, as a float
    for model, records in ((own, x), (at.model, far)):
        data = RegressionData(model, records, w)
        assert data.terms is None
        point = np.array(at.theta)
        np.testing.assert_array_equal(
            data.log_likelihood(point[None, :]), model.log_likelihood(point[None, :], records, w)
        )
        slope, bend = data.derivatives(point)
        np.testing.assert_array_equal(slope, model.gradient(point, records, w))
        np.testing.assert_array_equal(bend, model.hessian(point, records, w))
