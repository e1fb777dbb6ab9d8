"""Likelihoods, contamination densities, and the mixture of the two."""

from dpbook.contamination.models.densities import (
    BernoulliDensity,
    CauchyDensity,
    ContaminationDensity,
    StudentTDensity,
)
from dpbook.contamination.models.likelihoods import (
    AsymmetricLaplace,
    Cauchy,
    Likelihood,
    Logistic,
    Normal,
    check_likelihood,
)
from dpbook.contamination.models.mixture import Contaminated, DataDependent, contaminate

__all__ = [
    "AsymmetricLaplace",
    "BernoulliDensity",
    "Cauchy",
    "CauchyDensity",
    "Contaminated",
    "ContaminationDensity",
    "DataDependent",
    "Likelihood",
    "Logistic",
    "Normal",
    "StudentTDensity",
    "check_likelihood",
    "contaminate",
]
