"""Ranks of the truth are uniform for each built-in model, at 1e-8; and not for a wrong likelihood."""

from dataclasses import replace

import numpy as np
import pytest

from dpbook.unknown_sample_size import (
    DiscreteLaplace,
    Gaussian,
    KNGMean,
    Laplace,
    Poisson,
    Setting,
    Uniform,
    models,
)
from dpbook.unknown_sample_size.calibration import calibrate
from dpbook.unknown_sample_size.surrogate import RegressionChain

LEAST = 1e-8


@pytest.mark.parametrize(
    "setting",
    [
        Setting(models.bernoulli(), Laplace(1.0), Laplace(0.5), Poisson(8.0)),
        Setting(models.bernoulli(), KNGMean(2.0), Gaussian(2.0), Uniform(1, 12)),
        Setting(models.multinomial(), DiscreteLaplace(1.0), DiscreteLaplace(0.5), Uniform(2, 12)),
        Setting(models.normal_mean(bounds=(-2, 2)), Laplace(1.0), Laplace(0.5), Poisson(8.0)),
        Setting(models.dirichlet(clamp=0.02), Laplace(5.0), Laplace(0.5), Uniform(5, 20)),
    ],
)
def test_ranks_are_uniform(setting):
    found = calibrate(setting, 100, np.random.default_rng(1), cycles=500, most=2000)
    assert min(found.p_values().values()) > LEAST


def test_ranks_are_uniform_for_the_regression():
    setting = Setting(models.linear_regression(), Laplace(3.0), Laplace(0.3), Poisson(30.0))

    def begin(chosen, release, rng):
        return RegressionChain(chosen, release, rng, warm_up=300, steps=60, exact_steps=4)

    found = calibrate(setting, 40, np.random.default_rng(2), begin=begin, cycles=400, most=1600)
    assert min(found.p_values().values()) > LEAST
    assert found.plot().get_xlabel() == "rank"


def test_ranks_show_a_likelihood_that_is_wrong():
    setting = Setting(models.bernoulli(), Laplace(1.0), Laplace(0.5), Poisson(8.0))
    wrong = replace(setting, count=Laplace(5.0))  # n_dp is taken for far surer than it is

    def begin(_, release, rng):
        return wrong.chain(release, rng, jumps=20)

    found = calibrate(setting, 150, np.random.default_rng(3), begin=begin, cycles=400, most=800)
    assert found.p_values()["n"] < LEAST
