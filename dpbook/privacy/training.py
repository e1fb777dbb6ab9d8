"""Train a small model by DP-SGD, many times, as an audit needs it.

For teaching and audits; not for real releases: floating-point noise leaks what real noise hides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpbook.privacy import kernels, reading
from dpbook.privacy.accounting import Composition, PoissonSampled, compose
from dpbook.privacy.distributions import Normal
from dpbook.privacy.spending import Accounting, Spending

LARGEST = 1e100  # entry of a record: no square overflows


@dataclass(frozen=True)
class NoisyDescent:
    """Train a logistic regression by DP-SGD, and release its last parameters.

    A dataset has a record in each row: covariates, and then a label 0 or 1. Neighbours differ by one
    record that is added or removed. Outputs have shape (size, number of covariates).

    Parameters
    ----------
    noise : float
        Noise multiplier, > 0: the noise of a step has the standard deviation noise * clip.
    rate : float
        Chance of each record to be in the sample of a step (Poisson sampling), in (0, 1].
    steps : int
        >= 1.
    delta : float
        The delta of `accounting`, in (0, 1).
    clip : float
        Length to which the gradient of a record is clipped, > 0.
    step : float
        Factor of the noisy sum of gradients, > 0.

    Notes
    -----
    Abadi and others (2016), *Deep learning with differential privacy*, algorithm 1, from 0 and without
    intercept. The sum is not divided by the number of records, which neighbours do not share.

    Examples
    --------
    >>> training = NoisyDescent(noise=2.0, rate=0.25, steps=40, delta=1e-4)
    >>> rows = [[0.0, 1.0, 1], [0.0, -1.0, 0], [10.0, 0.0, 1]]
    >>> training(rows, 2, np.random.default_rng(1)).shape
    (2, 2)
    """

    noise: float
    rate: float
    steps: int
    delta: float
    clip: float = 1.0
    step: float = 0.005

    def __post_init__(self) -> None:
        reading.positive(noise=self.noise, clip=self.clip, step=self.step)
        if not 0 < reading.number("rate", self.rate, "> 0") <= 1:
            raise ValueError(f"rate must be in (0, 1], got {self.rate}")
        reading.count("steps", self.steps)
        reading.number("delta", self.delta, "in (0, 1)")

    @property
    def composition(self) -> Composition:
        """Its steps, composed."""
        return compose(PoissonSampled(Normal(0, self.noise), self.rate), self.steps)

    @property
    def accounting(self) -> Accounting:
        """Its loss at `delta`: the last parameters show no more than all noisy sums."""
        composition = self.composition
        spent = composition.epsilon(self.delta).upper
        claims = " and ".join(composition.claims)
        line = Spending("steps", "the noisy sums of gradients", spent, self.delta, claims)
        return Accounting((line,))

    def __call__(
        self, dataset: ArrayLike, size: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Train `size` times, each time from 0.

        Raises
        ------
        ValueError
            A size that is no integer >= 0, a generator of another type, records of another kind.
        """
        size, rng = reading.count("size", size, 0), reading.generator(rng)
        rows = reading.records("records", dataset)
        if rows.ndim != 2 or rows.shape[1] < 2 or not (abs(rows) < LARGEST).all():
            raise ValueError(
                f"records must be finite rows of covariates and a label, got {rows.shape}"
            )
        labels = np.ascontiguousarray(rows[:, -1])
        if not ((labels == 0) | (labels == 1)).all():
            raise ValueError("the last entry of each record must be a label 0 or 1")
        found = np.empty((size, rows.shape[1] - 1))
        numbers = (float(self.rate), float(self.clip), float(self.noise), float(self.step))
        kernels.noisy_descent(
            *(np.ascontiguousarray(rows[:, :-1]), labels, *numbers, int(self.steps), rng, found)
        )
        return found
