"""Describe the part of a setting that the theory takes, so that the theory imports no setting."""

from __future__ import annotations

from typing import Any, Protocol

from dpbook.contamination.models.densities import ContaminationDensity
from dpbook.contamination.models.likelihoods import Likelihood
from dpbook.contamination.models.mixture import Contaminated


class Problem(Protocol):
    """Describe a number of records, their contaminated model, a prior and the true parameter.

    A `settings.Setting` is one.
    """

    @property
    def n(self) -> int: ...
    @property
    def likelihood(self) -> Likelihood: ...
    @property
    def density(self) -> ContaminationDensity: ...
    @property
    def prior(self) -> Any: ...
    @property
    def theta(self) -> float: ...
    @property
    def rate(self) -> float: ...
    @property
    def delta(self) -> float: ...
    @property
    def model(self) -> Contaminated: ...
