"""Small calls that reach every kernel of this topic; ``dpbook compile`` makes them beforehand."""

from collections.abc import Callable

import numpy as np

from dpbook.langevin.mechanisms import OneRatio, ProposeTestSample
from dpbook.langevin.samplers import sgld
from dpbook.langevin.setting import FIGURE_1, Setting
from dpbook.langevin.theory.posterior import Posterior, divergence
from dpbook.langevin.theory.release_probability import release_probability

FEW = Setting(n=10, alpha=1, beta=3.5, x_h=1, c=20)
MECHANISM = ProposeTestSample(
    epsilon=5, delta=0.05, alpha=1, beta=3.3, x_l=0.5, x_h=1, rho_1=1.15, rho_2=0.29, gamma_1=0.3
)
STOP = 33321551  # the step of Figure 1


def _released() -> None:
    records = OneRatio(200_000, 200_000**1.1)
    MECHANISM(records, 2, np.random.default_rng(1))
    release_probability(MECHANISM, records)


CALLS: dict[str, Callable[[], object]] = {
    "divergence of posteriors": lambda: divergence(Posterior(0, 1), Posterior(0.5, 2), order=2),
    "distribution of a chain": lambda: FIGURE_1.distribution(STOP, position=1),
    "separation": lambda: FIGURE_1.separation([STOP, STOP + 1]),
    "separation of few records": lambda: FEW.separation([10, 20]),
    "separation, directly": lambda: FIGURE_1.separation([STOP], method="direct"),
    "distinguishability": lambda: FIGURE_1.distinguishability(
        epsilon=1.6, delta=0.01, epochs=2, points=1
    ),
    "profile of a step": lambda: FIGURE_1.step_profile(STOP).delta(1.6),
    "chains": lambda: FEW.chains(steps=3, chains=2, rng=np.random.default_rng(1)),
    "SGLD": lambda: sgld(
        *([1, 2], [3, 6]), alpha=1, beta=4, steps=3, chains=2, rng=np.random.default_rng(1)
    ),
    "SGLD of vectors": lambda: sgld(
        *([[1, 2], [2, 1]], [3, 6]), alpha=1, beta=4, steps=3, rng=np.random.default_rng(1)
    ),
    "propose, test, sample": _released,
}
