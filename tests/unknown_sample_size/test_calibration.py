"""Ranks of the truth are uniform for each built-in model, at 1e-8; and not for a wrong likelihood.

With DPBOOK_FULL, as `.ci/full` sets it, each model has 1000 replicates, of chains as long as they
need; else as many as a run of all tests has time for.
"""

import os
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
from dpbook.unknown_sample_size.calibration import calibrate, calibrate_cells
from dpbook.unknown_sample_size.surrogate import RegressionChain
from dpbook.unknown_sample_size.time_use import SumsChain

LEAST = 1e-8
FULL = bool(os.environ.get("DPBOOK_FULL"))


def calibrated(setting, replicates, most, seed, **options):
    """The p-values of ranks; few chains may be too short where they may be long."""
    if FULL:
        replicates, most = 1000, 64_000
    found = calibrate(setting, replicates, np.random.default_rng(seed), most=most, **options)
    assert len(found.ranks) == replicates
    assert not FULL or found.short < 20
    return found


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
    found = calibrated(setting, 100, 2000, seed=1, cycles=500)
    assert min(found.p_values().values()) > LEAST


def test_ranks_are_uniform_for_the_regression():
    setting = Setting(models.linear_regression(), Laplace(3.0), Laplace(0.3), Poisson(30.0))

    def begin(chosen, release, rng):
        return RegressionChain(chosen, release, rng, warm_up=300, steps=60, exact_steps=4)

    found = calibrated(setting, 40, 1600, seed=2, begin=begin, cycles=400)
    assert min(found.p_values().values()) > LEAST
    assert found.plot().get_xlabel() == "rank"


def test_ranks_are_uniform_for_shares_without_rows():
    """The density of the sums is a saddlepoint's: its error at n >= 30 is far below what is seen."""
    model = models.dirichlet(clamp=1e-12)  # out of reach, as is assumed of all parts but one
    setting = Setting(model, Laplace(80.0), Laplace(0.5), Uniform(30, 60))

    def begin(chosen, release, rng):
        return SumsChain(chosen, release, rng, clamped=None)

    found = calibrated(setting, 150, 8000, seed=4, begin=begin, cycles=1000)
    assert min(found.p_values().values()) > LEAST


@pytest.mark.parametrize(("version", "right"), [("corrected", True), ("printed", False)])
def test_ranks_of_cells_are_uniform_unless_the_ratio_is_the_printed_one(version, right):
    found = calibrate_cells(
        *(Laplace(0.8), (0.3, 0.5), 0.5, 1000 if FULL else 700, np.random.default_rng(5)),
        version=version,
        most=8000,
    )
    assert found.names == ("lambda_1", "lambda_2", "x_1", "x_2", "n")
    assert (min(found.p_values().values()) > LEAST) == right


def test_ranks_show_a_likelihood_that_is_wrong():
    setting = Setting(models.bernoulli(), Laplace(1.0), Laplace(0.5), Poisson(8.0))
    wrong = replace(setting, count=Laplace(5.0))  # n_dp is taken for far surer than it is

    def begin(_, release, rng):
        return wrong.chain(release, rng, jumps=20)

    found = calibrate(setting, 150, np.random.default_rng(3), begin=begin, cycles=400, most=800)
    assert found.p_values()["n"] < LEAST
