"""Small calls that reach every kernel of this topic; ``dpbook compile`` makes them beforehand."""

from collections.abc import Callable

import networkx
import numpy as np

from dpbook.posterior_sampling import models
from dpbook.posterior_sampling.models import truncated
from dpbook.posterior_sampling.models.priors import FiniteDistribution, draws
from dpbook.posterior_sampling.theory.adversaries import likelihood_ratio_test, partition_adversary
from dpbook.posterior_sampling.theory.bounds import epsilon_bound, renyi_bound, robustness_bound
from dpbook.posterior_sampling.theory.lipschitz import brute_force_lipschitz
from dpbook.posterior_sampling.theory.pair import PosteriorPair, posterior_pair, worst_pair
from dpbook.privacy.distributions import Beta, Dirichlet, Gamma, Normal

COIN = models.Bernoulli()


def _looked_at(pair: PosteriorPair) -> PosteriorPair:
    """Ask a pair for its divergences."""
    repr(pair)
    pair.renyi(2.0)
    pair.delta(0.1)
    return pair


def _drawn() -> None:
    rng = np.random.default_rng(1)
    truncated.gamma_draws(2.0, 1.0, 0.5, 3.0, 2, rng)
    truncated.dirichlet_draws(np.array([2.0, 3.0]), 1.0, 2, rng)
    draws(FiniteDistribution([0.25, 0.75]), 2, rng)


def _told_apart() -> None:
    rng = np.random.default_rng(1)
    coin = posterior_pair(COIN, Beta(1, 1), [1, 1, 0], [1, 0, 0])
    finite = posterior_pair(COIN, FiniteDistribution([0.4, 0.6]), [1, 1, 0], [1, 0, 0])
    for pair in (coin, finite):
        likelihood_ratio_test(_looked_at(pair), draws=2, simulations=100, rng=rng)
        likelihood_ratio_test(pair, draws=2)
    partition_adversary(coin, 2)


def _network() -> None:
    brute_force_lipschitz(COIN, [0.5, 0.9], [[0], [1]])
    graph = networkx.DiGraph()
    graph.add_node("rain", cpt=np.array([0.25, 0.75]))
    network = models.BayesianNetwork(graph)
    network.lipschitz(network.theta)


CALLS: dict[str, Callable[[], object]] = {
    "coins": _told_apart,
    "worst pair": lambda: _looked_at(worst_pair(COIN, Beta(1, 1), 4)),
    "normal": lambda: _looked_at(
        posterior_pair(models.NormalKnownVariance(1.0), Normal(0, 1), [1.0, 2.0], [1.0, 3.0])
    ),
    "gamma": lambda: _looked_at(
        posterior_pair(models.Exponential(), Gamma(2, 1), [1.0, 2.0], [1.0, 3.0])
    ),
    "Dirichlet": lambda: _looked_at(
        posterior_pair(models.Categorical(3), Dirichlet([1, 1, 1]), [0, 1], [0, 2])
    ),
    "bounds": lambda: (robustness_bound(0.5), renyi_bound(0.5, 2.0), epsilon_bound(0.5, 1e-3)),
    "draws": _drawn,
    "tables": _network,
}
