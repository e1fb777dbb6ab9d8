"""The posterior on a grid: against quadrature by SciPy, where it has one mode, two, or kinks."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import kstest, norm

from dpbook.contamination.models import (
    AsymmetricLaplace,
    Contaminated,
    Normal,
    StudentTDensity,
)
from dpbook.contamination.posterior import GridPosterior, grid_posterior
from dpbook.contamination.settings import private_mean
from dpbook.privacy import distributions

PRIOR = distributions.Normal(0, 10)


def density_of(model, prior, x):
    """Unnormalised posterior density in plain Python."""

    def log_posterior(theta):
        k = (1 - model.rate) * norm.pdf(x, theta, model.likelihood.scale)
        k = k + model.rate * np.exp(model.density.log_density(x, model.density.centre))
        return float(np.log(k).sum()) - 0.5 * ((theta - prior.mean) / prior.sd) ** 2

    return log_posterior


def test_mean_and_tails_are_those_of_quadrature():
    setting = private_mean(100)
    x = setting.simulate(np.random.default_rng(3))
    found = setting.posterior(x)
    log_posterior = density_of(setting.model, setting.prior, x)
    top = log_posterior(found.mode)

    def integral(function, low, high):
        return quad(
            lambda v: function(v) * math.exp(float(log_posterior(v)) - top), low, high,
            epsabs=0, epsrel=1e-10, limit=400, points=None,
        )[0]  # fmt: skip

    ends = found.mean - 30, found.mean + 30
    total = integral(lambda v: 1.0, *ends)
    assert found.mean == pytest.approx(integral(lambda v: v, *ends) / total, abs=1e-7)
    for away in (2.0, 5.0, 9.0):
        wanted = integral(lambda v: 1.0, found.mean + away, ends[1]) / total
        assert float(found.above(found.mean + away)) == pytest.approx(wanted, rel=2e-4)
        wanted = integral(lambda v: 1.0, ends[0], found.mean - away) / total
        assert float(found.below(found.mean - away)) == pytest.approx(wanted, rel=2e-4)


def test_two_far_modes_have_their_weights():
    model = Contaminated(Normal(1.0), StudentTDensity(5.0), 0.2)
    x = np.repeat([-40.0, 40.0], [6, 6])
    x[0] = -39.0
    found = grid_posterior(model, PRIOR, x)
    log_posterior = density_of(model, PRIOR, x)
    pieces = []
    for centre in (-40.0, 40.0):
        pieces.append(
            quad(lambda v: math.exp(float(log_posterior(v)) + 100), centre - 8, centre + 8)[0]
        )
    assert float(found.above(0.0)) == pytest.approx(pieces[1] / sum(pieces), rel=1e-6)
    assert 0.05 < float(found.above(0.0)) < 0.99


def test_interpolation_of_many_records_loses_nothing():
    setting = private_mean(20_000)
    x = setting.simulate(np.random.default_rng(4))
    found = setting.posterior(x)
    at = found.points[:: found.points.size // 16]
    direct = setting.model.log_likelihood(at, x) - 0.5 * ((at - 40) / 40) ** 2
    offset = direct - found.log_density[:: found.points.size // 16]
    assert np.ptp(offset) < 1e-7


def test_kinks_are_not_interpolated_over():
    model = Contaminated(AsymmetricLaplace(0.5), StudentTDensity(5.0), 0.3)
    x = np.random.default_rng(1).normal(size=51)
    found = grid_posterior(model, PRIOR, x)
    at = found.points[::97]
    offset = model.log_likelihood(at, x) - 0.5 * (at / 10) ** 2 - found.log_density[::97]
    assert np.ptp(offset) < 1e-9


def test_quantile_is_the_inverse_of_the_distribution_function():
    points = np.linspace(-9, 9, 2049)
    found = GridPosterior(points, norm.logpdf(points))
    levels = np.array([1e-9, 1e-4, 0.3, 0.5, 0.77, 1 - 1e-4])
    assert_allclose(found.quantile(levels), norm.ppf(levels), atol=3e-5)
    assert_allclose(found.below(found.quantile(levels)), levels, rtol=2e-5)
    assert found.sd == pytest.approx(1, abs=1e-9)
    with pytest.raises(ValueError, match=r"probability must be in \[0, 1\]"):
        found.quantile(1.5)


def test_draws_follow_the_posterior():
    points = np.linspace(-9, 9, 2049)
    found = GridPosterior(points, norm.logpdf(points))
    draws = found.draws(20_000, np.random.default_rng(11))
    assert kstest(draws, norm.cdf).pvalue > 1e-7
    assert np.array_equal(draws, found.draws(20_000, np.random.default_rng(11)))


def test_posterior_shows_itself():
    setting = private_mean(100)
    found = setting.posterior(setting.simulate(np.random.default_rng(1)))
    assert repr(found).startswith("GridPosterior(mean=")
    for words in (repr(found), found.describe()):
        assert "random DP, conditional on the model" in words
    assert found.describe() in found._repr_html_()
    (line,) = found.plot().get_lines()
    assert max(line.get_ydata()) == found.density.max()
