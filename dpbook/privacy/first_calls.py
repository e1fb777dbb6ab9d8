"""Small calls that reach every kernel of this topic; ``dpbook compile`` makes them beforehand."""

from collections.abc import Callable

import numpy as np

from dpbook.privacy.accounting import PoissonSampled, compose
from dpbook.privacy.distributions import (
    Bernoulli,
    Beta,
    Dirichlet,
    Exponential,
    Finite,
    Gamma,
    Laplace,
    Normal,
)
from dpbook.privacy.profiles import Profile, profile
from dpbook.privacy.training import NoisyDescent


def _looked_at(found: Profile) -> None:
    """Ask a privacy curve for all that it has."""
    found.renyi(2.0)
    delta = float(found.delta(0.1))
    found.epsilon(min(0.5, delta / 2) if delta > 0 else 0.1)
    found.trade_off(0.2)


CALLS: dict[str, Callable[[], object]] = {
    "normal": lambda: _looked_at(profile(Normal(1, 1), Normal(0, 1))),
    "Laplace": lambda: _looked_at(profile(Laplace(1, 1), Laplace(0, 1))),
    "gamma": lambda: _looked_at(profile(Gamma(2, 1), Gamma(3, 2))),
    "beta": lambda: _looked_at(profile(Beta(2, 1), Beta(3, 2))),
    "Dirichlet": lambda: _looked_at(profile(Dirichlet([2, 1, 3]), Dirichlet([3, 1, 3]))),
    "coins": lambda: _looked_at(profile(Bernoulli(0.25), Bernoulli(0.5))),
    "exponential": lambda: _looked_at(profile(Exponential(1), Exponential(2))),
    "finite": lambda: _looked_at(profile(Finite([0.25, 0.75]), Finite([0.5, 0.5]))),
    "accountant of DP-SGD": lambda: compose(PoissonSampled(Normal(0, 1), 0.01), 99).epsilon(1e-5),
    "DP-SGD": lambda: NoisyDescent(2.0, 0.25, 4, 1e-4)([[1, 2, 0]], 1, np.random.default_rng(1)),
}
