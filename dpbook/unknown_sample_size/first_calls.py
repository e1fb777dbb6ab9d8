"""Small calls that reach every kernel of this topic; ``dpbook compile`` makes them beforehand."""

from collections.abc import Callable

import numpy as np

from dpbook.unknown_sample_size import models
from dpbook.unknown_sample_size.cells import sample_cells
from dpbook.unknown_sample_size.estimation import expectation_maximisation
from dpbook.unknown_sample_size.mechanisms import (
    DiscreteLaplace,
    Gaussian,
    KNGMean,
    Laplace,
    Missing,
    Poisson,
)
from dpbook.unknown_sample_size.problem import Release
from dpbook.unknown_sample_size.setting import Setting
from dpbook.unknown_sample_size.surrogate import TABLE_1, RegressionChain
from dpbook.unknown_sample_size.time_use import SumsChain, load_time_use, time_use_setting


def _chain(setting: Setting, release: Release) -> None:
    setting.chain(release, np.random.default_rng(1)).advance(2)


def _regression(fit: bool) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(0, 1, (150, 1))
    setting = Setting(models.linear_regression(1), Laplace(3.0), Laplace(1.0))
    release = setting.release(np.c_[x, 1 - x + rng.normal(0, 1, (150, 1))], rng)
    if fit:
        expectation_maximisation(setting, release, rng, rounds=8, cycles=1)
    else:
        RegressionChain(setting, release, rng).advance(2)
        _chain(setting, release)


def _regression_of_the_paper() -> None:
    rng = np.random.default_rng(1)
    release = TABLE_1.release(rng.normal(0, 1, (150, 3)), rng)
    RegressionChain(TABLE_1, release, rng).advance(2)


def _time_use() -> None:
    held, setting = load_time_use(), time_use_setting(10.0, 1.0)
    release = setting.release_sums(held.sums, held.n, np.random.default_rng(6))
    SumsChain(setting, release, np.random.default_rng(7)).advance(2)


CALLS: dict[str, Callable[[], object]] = {
    "coins": lambda: _chain(
        Setting(models.bernoulli(), DiscreteLaplace(1.0), DiscreteLaplace(0.2), Poisson(30.0)),
        Release((12.0,), 30.0),
    ),
    "coins without a count": lambda: _chain(
        Setting(models.bernoulli(), KNGMean(1.0), Missing(), Poisson(4.0)), Release((0.5,), None)
    ),
    "categories": lambda: _chain(
        Setting(models.multinomial(), Laplace(1.0), Laplace(1.0)), Release((1.0, 3.0, 1.0), 5.0)
    ),
    "finite model": lambda: _chain(
        Setting(
            models.finite((0.25, 0.75), ((0.5, 0.5), (0.125, 0.875))), Laplace(2.0), Laplace(0.7)
        ),
        Release((0.5,), 3.0),
    ),
    "normal mean": lambda: _chain(
        Setting(models.normal_mean(0.0, 2.0, 1.0), Gaussian(1.0), Gaussian(2.0)),
        Release((2.0,), 5.0),
    ),
    "compositions": lambda: _chain(
        Setting(models.dirichlet(), Laplace(1.0), Laplace(1.0)), Release((-9.0, -30.0, -7.0), 20.0)
    ),
    "regression": lambda: _regression(False),
    "regression of the paper": _regression_of_the_paper,
    "fit of a regression": lambda: _regression(True),
    "time use": _time_use,
    "cells": lambda: sample_cells(
        Release((3.0, 1.5)), Laplace(1.0), (2.0, 1.0), 0.5, np.random.default_rng(1), cycles=16
    ),
}
