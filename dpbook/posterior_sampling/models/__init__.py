"""Likelihoods and priors: what posterior sampling draws from, and how smooth it is.

`Model` is the interface for one of your own. The names are those of the records' laws.
"""

from typing import TYPE_CHECKING

from dpbook.lazy import names

if TYPE_CHECKING:
    from dpbook.posterior_sampling.models.base import Model
    from dpbook.posterior_sampling.models.cells import BayesianNetwork, Categorical, FiniteModel
    from dpbook.posterior_sampling.models.normal import (
        NormalBoth,
        NormalKnownMean,
        NormalKnownVariance,
        NormalVariance,
    )
    from dpbook.posterior_sampling.models.priors import (
        FiniteLaw,
        Independent,
        NormalGamma,
        Restricted,
        draws,
    )
    from dpbook.posterior_sampling.models.scalar import (
        Beta,
        Exponential,
        Geometric,
        LaplaceBoth,
        LaplaceKnownLocation,
        LaplaceKnownScale,
        Poisson,
    )
    from dpbook.posterior_sampling.models.successes import Bernoulli, Binomial

__all__ = [
    "BayesianNetwork",
    "Bernoulli",
    "Beta",
    "Binomial",
    "Categorical",
    "Exponential",
    "FiniteLaw",
    "FiniteModel",
    "Geometric",
    "Independent",
    "LaplaceBoth",
    "LaplaceKnownLocation",
    "LaplaceKnownScale",
    "Model",
    "NormalBoth",
    "NormalGamma",
    "NormalKnownMean",
    "NormalKnownVariance",
    "NormalVariance",
    "Poisson",
    "Restricted",
    "draws",
]

_HERE = "dpbook.posterior_sampling.models."
_HOMES = {
    **dict.fromkeys(["Model"], _HERE + "base"),
    **dict.fromkeys(["BayesianNetwork", "Categorical", "FiniteModel"], _HERE + "cells"),
    **dict.fromkeys(
        ["NormalBoth", "NormalKnownMean", "NormalKnownVariance", "NormalVariance"], _HERE + "normal"
    ),
    **dict.fromkeys(
        ["FiniteLaw", "Independent", "NormalGamma", "Restricted", "draws"], _HERE + "priors"
    ),
    **dict.fromkeys(
        [
            *("Beta", "Exponential", "Geometric"),
            *("LaplaceBoth", "LaplaceKnownLocation", "LaplaceKnownScale", "Poisson"),
        ],
        _HERE + "scalar",
    ),
    **dict.fromkeys(["Bernoulli", "Binomial"], _HERE + "successes"),
}

__getattr__, __dir__ = names(globals(), _HOMES)
