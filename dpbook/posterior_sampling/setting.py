"""Join a model of the records and a prior, and answer questions about draws from the posterior."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from numpy.typing import ArrayLike

from dpbook.posterior_sampling.models import Bernoulli, Exponential
from dpbook.posterior_sampling.models.base import Model, check_model
from dpbook.posterior_sampling.models.priors import FiniteDistribution, Prior
from dpbook.posterior_sampling.theory.lipschitz import LipschitzProfile, lipschitz_profile
from dpbook.posterior_sampling.theory.minimax import MinimaxRisk, minimax_risk
from dpbook.posterior_sampling.theory.pair import (
    PosteriorPair,
    posterior_pair,
    worst_neighbour,
    worst_pair,
)
from dpbook.privacy import distributions

__all__ = ["COIN", "RATE", "Setting"]


@dataclass(frozen=True)
class Setting:
    """Hold a model and a prior that it can update, with the statements of the theorems about them.

    `PosteriorSampler` is a setting whose every posterior can be drawn from. Each method stands, and
    is documented, in the module of its theory.

    Parameters
    ----------
    model : Model
    prior : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
        Chosen without looking at the records.

    Raises
    ------
    ValueError
        No model, a prior that the model cannot update.

    Examples
    --------
    >>> COIN.pair([1, 1, 0], [1, 0, 0]).distance
    1.0
    >>> COIN.worst_pair(10).epsilon <= 2
    True
    """

    model: Model
    prior: Prior

    def __post_init__(self) -> None:
        check_model(self.model)
        self.model.accept(self.prior)

    @cached_property
    def profile(self) -> LipschitzProfile:
        """Lipschitz profile of the model under the prior."""
        return lipschitz_profile(self.model, self.prior)

    def pair(self, x: ArrayLike, y: ArrayLike, *, draws: int = 1) -> PosteriorPair:
        """Return what draws from the posterior tell of two datasets; see `posterior_pair`."""
        return posterior_pair(self.model, self.prior, x, y, draws=draws)

    def worst_neighbour(
        self,
        x: ArrayLike,
        *,
        radius: float = 1.0,
        key: Callable[[PosteriorPair], float] | None = None,
    ) -> PosteriorPair:
        """Return the neighbour whose posterior is farthest from a dataset's; see `worst_neighbour`."""
        chosen = {} if key is None else {"key": key}
        return worst_neighbour(self.model, self.prior, x, radius=radius, **chosen)

    def worst_pair(
        self, n: int, *, radius: float = 1.0, key: Callable[[PosteriorPair], float] | None = None
    ) -> PosteriorPair:
        """Return the worst pair of neighbours among all datasets of n records; see `worst_pair`."""
        chosen = {} if key is None else {"key": key}
        return worst_pair(self.model, self.prior, n, radius=radius, **chosen)

    def minimax_risk(self, datasets: Sequence[ArrayLike], draws: int = 1) -> MinimaxRisk:
        """Return the error of the best guess of a dataset from draws; see `minimax_risk`.

        Raises
        ------
        ValueError
            A prior that is no `FiniteDistribution`.
        """
        if not isinstance(self.prior, FiniteDistribution):
            raise ValueError(f"the prior must be a FiniteDistribution, got {self.prior!r:.60}")
        return minimax_risk(self.model, self.prior, datasets, draws)


COIN = Setting(Bernoulli(), Bernoulli().restrict(distributions.Beta(1, 1), 1.0))
"""A coin whose log odds are between -1 and 1, uniform there: assumption 1 with L = 1."""

RATE = Setting(Exponential(), distributions.Exponential(1.0))
"""Exponential records whose rate is exponential: assumption 2, as in the paper's Section 5."""
