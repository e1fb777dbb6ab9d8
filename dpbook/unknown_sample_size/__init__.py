"""Inference from privatised data whose number of records is noisy too: a paper's sampler, and proofs.

Under unbounded privacy the number of records n is itself secret. The paper (Awan, Barrientos and
Ju) adds n to what a Markov chain explores: rows are born and die. A `Setting` joins a model, noise
on its sums and on n, and a prior of n; it releases, samples and says whether the chains have
converged. `enumeration` lists tiny models whole, to check every step against.
"""

from typing import TYPE_CHECKING

from dpbook.lazy import names

if TYPE_CHECKING:
    from dpbook.unknown_sample_size.calibration import Calibration, calibrate
    from dpbook.unknown_sample_size.cells import sample_cells
    from dpbook.unknown_sample_size.enumeration import (
        FiniteModel,
        exact_counts,
        exact_normal,
        poisson_cell,
    )
    from dpbook.unknown_sample_size.estimation import (
        Estimate,
        abc_posterior,
        expectation_maximisation,
        newton_on_scores,
        parametric_bootstrap,
    )
    from dpbook.unknown_sample_size.mechanisms import (
        DiscreteGaussian,
        DiscreteLaplace,
        Flat,
        Gaussian,
        KNGMean,
        Known,
        Laplace,
        Missing,
        Poisson,
        Uniform,
    )
    from dpbook.unknown_sample_size.samplers import Chain, Chains, sample
    from dpbook.unknown_sample_size.setting import Release, Setting
    from dpbook.unknown_sample_size.surrogate import RegressionChain, sample_regression
    from dpbook.unknown_sample_size.time_use import (
        SumsChain,
        load_time_use,
        sample_sums,
        time_use_setting,
    )

__all__ = [
    "Calibration",
    "Chain",
    "Chains",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Estimate",
    "FiniteModel",
    "Flat",
    "Gaussian",
    "KNGMean",
    "Known",
    "Laplace",
    "Missing",
    "Poisson",
    "RegressionChain",
    "Release",
    "Setting",
    "SumsChain",
    "Uniform",
    "abc_posterior",
    "calibrate",
    "exact_counts",
    "exact_normal",
    "expectation_maximisation",
    "load_time_use",
    "newton_on_scores",
    "parametric_bootstrap",
    "poisson_cell",
    "sample",
    "sample_cells",
    "sample_regression",
    "sample_sums",
    "time_use_setting",
]

_HERE = "dpbook.unknown_sample_size."
_HOMES = {
    **dict.fromkeys(
        ["FiniteModel", "exact_counts", "exact_normal", "poisson_cell"], _HERE + "enumeration"
    ),
    **dict.fromkeys(
        [
            *("DiscreteGaussian", "DiscreteLaplace", "Flat", "Gaussian", "KNGMean", "Known"),
            *("Laplace", "Missing", "Poisson", "Uniform"),
        ],
        _HERE + "mechanisms",
    ),
    **dict.fromkeys(["Chain", "Chains", "sample"], _HERE + "samplers"),
    **dict.fromkeys(["Release", "Setting"], _HERE + "setting"),
    "sample_cells": _HERE + "cells",
    **dict.fromkeys(["Calibration", "calibrate"], _HERE + "calibration"),
    **dict.fromkeys(
        [
            *("Estimate", "abc_posterior", "expectation_maximisation", "newton_on_scores"),
            "parametric_bootstrap",
        ],
        _HERE + "estimation",
    ),
    **dict.fromkeys(["RegressionChain", "sample_regression"], _HERE + "surrogate"),
    **dict.fromkeys(
        ["SumsChain", "load_time_use", "sample_sums", "time_use_setting"], _HERE + "time_use"
    ),
}

__getattr__, __dir__ = names(globals(), _HOMES)
