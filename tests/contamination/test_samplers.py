"""Random-walk Metropolis: its distribution, its diagnostics, what a state costs; particles for a tail."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq
from scipy.special import logsumexp, ndtr
from scipy.stats import multivariate_t

from dpbook.contamination import (
    LaplaceApproximation,
    Regression,
    Unresolved,
    linear_regression,
    logistic_regression,
    metropolis,
    private_mean,
    samplers,
    tail_particles,
)
from dpbook.contamination.models import BernoulliDensity, Logistic


@pytest.fixture(scope="module")
def chains():
    setting = private_mean(200)
    x = setting.simulate(np.random.default_rng(1))
    found = metropolis(setting, x, size=2000, chains=8, warmup=500, rng=np.random.default_rng(2))
    return found, setting.posterior(x)


def test_states_follow_the_posterior(chains):
    found, posterior = chains
    # 16 000 states, about one in five counts: standard error 1 / sqrt(3200); five of them
    assert abs(found.states.mean() - posterior.mean) < 5 * posterior.sd / math.sqrt(3200)
    assert found.states.std() == pytest.approx(posterior.sd, rel=0.08)
    assert 0.3 < found.acceptance.mean() < 0.6


def test_several_parameters_follow_the_laplace_approximation():
    setting = linear_regression(500, 2)
    x, w = setting.simulate(np.random.default_rng(1))
    found = metropolis(setting, x, w, size=1500, warmup=500, rng=np.random.default_rng(3))
    wanted = setting.laplace(x, w)
    gap = np.abs(found.states.mean(axis=(0, 1)) - wanted.mode) / wanted.sd
    assert gap.max() < 0.3
    assert found.states.std(axis=(0, 1)) == pytest.approx(wanted.sd, rel=0.2)
    with pytest.raises(ValueError, match="covariates must be given"):
        metropolis(setting, x)


def test_a_state_costs_more_than_a_draw(chains):
    found, _ = chains
    assert found.delta(1.0, 1e-4, 0.0) == 1e-4
    assert found.delta(1.0, 1e-4, 1e-3) == pytest.approx(1e-4 + (1 + math.e) * 1e-3)
    with pytest.raises(ValueError, match=r"total_variation must be in \[0, 1\)"):
        found.delta(1.0, 1e-4, -0.1)


def test_chains_show_themselves(chains):
    found, _ = chains
    assert repr(found).startswith("Chains(chains=8, size=2000, mean=(")
    assert f"r_hat={found.r_hat[0]:.3f}, ess={found.ess[0]:.0f}; " in repr(found)
    assert f"R-hat is {found.r_hat[0]:.3f}" in found.describe()
    for words in (repr(found), found.describe()):
        assert "random DP, conditional on the model" in words
    assert len(found.plot().get_lines()) == 8


def test_diagnostics_tell_chains_that_agree_from_others(chains):
    found, _ = chains
    assert found.r_hat == pytest.approx([1.0], abs=0.02)
    assert 500 < found.ess[0] < 16_000
    apart = samplers.Chains(
        found.states + np.arange(8)[:, None, None], found.acceptance, found.scale
    )
    assert apart.r_hat[0] > 1.5
    assert apart.ess[0] < 30
    assert np.isnan(samplers.Chains(found.states[:, :3], found.acceptance, 1.0).r_hat).all()


def test_diagnostics_are_arvizs(chains):
    arviz = pytest.importorskip("arviz")
    found, _ = chains
    data = found.to_arviz()
    assert found.r_hat == pytest.approx(np.ravel(arviz.rhat(data)["theta"]), rel=1e-6)
    assert found.ess == pytest.approx(np.ravel(arviz.ess(data)["theta"]), rel=1e-6)


def test_chains_without_arviz_say_what_to_install(chains, monkeypatch):
    found, _ = chains
    monkeypatch.setitem(__import__("sys").modules, "arviz", None)
    with pytest.raises(ImportError, match="of the extra infer"):
        found.to_arviz()


# --- particles for a tail ------------------------------------------------------------------------------

D = 5
PARTS = ((0.99, 0.0, 1.0), (0.01, 4.0, 4.0))  # shares, means and sds of each coordinate


def log_two_parts(theta):
    return logsumexp(
        [
            math.log(share / (sd * math.sqrt(2 * math.pi)) ** D)
            - 0.5 * np.sum(((theta - mean) / sd) ** 2, axis=1)
            for share, mean, sd in PARTS
        ],
        axis=0,
    )


class TwoParts(Regression):
    """A posterior that is known: two Gaussians, of which the Laplace approximation sees one."""

    def _log_posterior(self, points, data):
        return log_two_parts(points)

    def laplace(self, x, covariates):
        return LaplaceApproximation(np.zeros(D), np.eye(D))


@pytest.fixture(scope="module")
def two_parts():
    at = TwoParts(1000, Logistic(), BernoulliDensity(), (0.0,) * D)

    def outside(half):
        return sum(
            share * (1 - (ndtr((half - mean) / sd) - ndtr((-half - mean) / sd)) ** D)
            for share, mean, sd in PARTS
        )

    return (
        at,
        *at.simulate(np.random.default_rng(1)),
        brentq(lambda half: outside(half) - at.delta, 1, 100),
    )


def test_a_far_part_that_one_distribution_does_not_reach_is_found_by_the_mixture(two_parts):
    at, x, w, half = two_parts
    with pytest.raises(Unresolved):
        at.epsilon(x, w, particles=16_000, rng=np.random.default_rng(0))
    points, weights = tail_particles(at, x, w, 8000, np.random.default_rng(2))
    tail = weights[np.abs(points).max(axis=1) > half]
    error = math.sqrt(np.sum(tail**2))
    assert error < 0.15 * at.delta
    # a false alarm once in 15 000 seeds where the sum is normal; of 60 seeds the worst gap was 2.4
    assert tail.sum() == pytest.approx(at.delta, abs=4 * error)
    # a factor of 10 in mass is 3 in phi
    assert at.epsilon(x, w, particles=(points, weights)).phi == pytest.approx(half, abs=0.6)


def test_weights_have_the_integral_of_the_density_for_their_mean(two_parts):
    at = two_parts[0]
    points, logs = samplers._mixture(
        lambda theta: log_two_parts(theta) + 3.0,
        lambda theta: np.abs(theta).max(axis=1),
        at.laplace(None, None),
        at.delta,
        20_000,
        np.random.default_rng(3),
    )
    assert points.shape == (20_000, D)
    weights = np.exp(logs - 3.0)
    assert weights.std() / math.sqrt(weights.size) < 0.03
    assert weights.mean() == pytest.approx(1.0, abs=5 * weights.std() / math.sqrt(weights.size))


def test_distributions_of_the_particles_are_student_t():
    covariance = np.array([[2.0, 0.3], [0.3, 0.5]])
    points = np.random.default_rng(1).normal(0.0, 5.0, (50, 2))
    found = samplers._log_student(points, np.array([1.0, -1.0]), np.linalg.cholesky(covariance))
    assert_allclose(found, multivariate_t([1.0, -1.0], covariance, df=5).logpdf(points), rtol=1e-12)


def test_one_coefficient_and_few_particles():
    at = logistic_regression(100, 1)
    x, w = at.simulate(np.random.default_rng(1))
    points, weights = tail_particles(at, x, w, 2000, np.random.default_rng(2))
    assert at.epsilon(x, w, particles=(points, weights)).phi > 0
    assert weights.sum() == pytest.approx(1.0)
    few = tail_particles(at, x, w, 5, np.random.default_rng(2))
    with pytest.raises(Unresolved, match=r"particles must be more, \d of 5 lie outside"):
        at.epsilon(x, w, particles=few)
    with pytest.raises(ValueError, match=r"particles must have shapes \(m, 1\) and \(m,\)"):
        at.epsilon(x, w, particles=(points, weights[1:]))
    with pytest.raises(ValueError, match="size must be an integer >= 2"):
        tail_particles(at, x, w, 1)


def test_a_tail_that_hangs_on_one_particle_is_not_resolved():
    at = logistic_regression(100, 1)
    x, w = at.simulate(np.random.default_rng(1))
    points = np.linspace(1.0, 2.0, 1000)[:, None]
    weights = np.full(1000, 1e-3)
    weights[-40:] = 1e-12  # many, and of no weight beside the one at the edge
    weights /= weights.sum()
    with pytest.raises(Unresolved, match="particles must be more, 1 of 1000"):
        at.epsilon(x, w, particles=(points, weights))


def test_particles_depend_on_their_generator_alone():
    at = logistic_regression(200, 2)
    x, w = at.simulate(np.random.default_rng(1))
    one, other = (tail_particles(at, x, w, 500, np.random.default_rng(2)) for _ in range(2))
    assert np.array_equal(one[0], other[0])
    assert np.array_equal(one[1], other[1])
