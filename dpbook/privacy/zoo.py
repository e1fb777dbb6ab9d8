"""Keep broken mechanisms that an auditor must catch, each beside a correct mechanism.

A specimen claims an (epsilon, delta) that its broken mechanism does not keep on the two datasets,
and that its correct mechanism keeps.
"""

from __future__ import annotations

import html
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpbook.privacy import mechanisms
from dpbook.privacy.mechanisms import Mechanism
from dpbook.privacy.training import NoisyDescent

Rng = np.random.Generator
Draws = NDArray[Any]


@dataclass(frozen=True)
class Specimen:
    """A broken mechanism, and a correct mechanism beside it.

    Attributes
    ----------
    name : str
    fault : str
        The fault, in a sentence.
    broken, correct : Mechanism
    X, Z : tuple
        Neighbouring datasets on which the fault shows: numbers, or records of several.
    epsilon, delta : float
        Both mechanisms claim it; the correct one keeps it.
    """

    name: str
    fault: str
    broken: Mechanism = field(repr=False)
    correct: Mechanism = field(repr=False)
    X: tuple[Any, ...]
    Z: tuple[Any, ...]
    epsilon: float
    delta: float = 0.0

    def _repr_html_(self) -> str:
        claimed = f"epsilon {self.epsilon:g}" + (f", delta {self.delta:g}" if self.delta else "")
        return (
            f"<p><b>{html.escape(self.name)}</b> (claims {claimed}): {html.escape(self.fault)}</p>"
        )


def total(dataset: Any) -> float:
    """Sum of the records."""
    return float(np.sum(dataset))


def answers(dataset: Any) -> NDArray[np.float64]:
    """The records themselves, each one the answer to a query: neighbours are given as answers."""
    return np.asarray(dataset, dtype=np.float64)


# the broken ones that are more than a wrong parameter


def _noise_on_one_branch(dataset: Any, size: int, rng: Rng) -> Draws:
    count = int(np.sum(dataset))
    if count == 0:
        return np.zeros(size, dtype=np.int64)
    return mechanisms.Counting(bool, 1.0)(dataset, size, rng)


def _reused_noise(dataset: Any, size: int, rng: Rng) -> Draws:
    return answers(dataset) + rng.laplace(scale=2.0, size=(size, 1))


def _largest_value(dataset: Any, size: int, rng: Rng) -> Draws:
    noisy = answers(dataset) + rng.laplace(scale=2.0, size=(size, len(dataset)))
    found: Draws = noisy.max(axis=1)
    return found


def _sparse(
    bar_scale: float,
    noise_scale: float,
    count: float,
    *,
    values: bool = False,
) -> Mechanism:
    """A sparse vector with any scales (0: no noise), threshold 0, and perhaps with noisy values."""

    def mechanism(dataset: Any, size: int, rng: Rng) -> Draws:
        noisy: Draws = np.broadcast_to(answers(dataset), (size, len(dataset)))
        bar = rng.laplace(scale=bar_scale, size=(size, 1))
        if noise_scale:
            noisy = noisy + rng.laplace(scale=noise_scale, size=noisy.shape)
        above: Draws = noisy >= bar
        before: Draws = np.cumsum(above, axis=1) - above
        said = np.where(above, noisy, np.nan) if values else above.astype(np.float64)
        return np.where(before >= count, -np.inf, said)

    return mechanism


def _released_untested(dataset: Any, size: int, rng: Rng) -> Draws:
    return np.median(dataset) + rng.laplace(scale=0.1 / 0.5, size=size)


def _tested_without_noise(dataset: Any, size: int, rng: Rng) -> Draws:
    if mechanisms.distance_to_instability(dataset, 0.1) == 0:
        return np.full(size, np.nan)
    return _released_untested(dataset, size, rng)


def _shifted_median(dataset: Any, size: int, rng: Rng) -> Draws:
    ends = np.concatenate(([0.0], np.sort(np.asarray(dataset, dtype=np.float64)), [1.0]))
    lengths = np.diff(ends)
    weights = lengths * np.exp(-0.5 * np.abs(np.arange(lengths.size) - len(dataset) / 2))
    at = rng.choice(lengths.size, size=size, p=weights / weights.sum())
    at = np.minimum(at + 1, lengths.size - 1)  # the interval after the drawn interval
    return ends[at] + lengths[at] * rng.random(size)


def _clipped_to_the_data(dataset: Any, size: int, rng: Rng) -> Draws:
    records = np.asarray(dataset, dtype=np.float64)
    scale = max(float(np.ptp(records)), 1e-9) / records.size
    return records.mean() + rng.laplace(scale=scale, size=size)


def _leaked_count(dataset: Any, size: int, rng: Rng) -> Draws:
    noisy = total(dataset) + rng.laplace(scale=1.0, size=size)
    return np.column_stack((noisy, np.full(size, float(len(dataset)))))


def _tempered(power: float, grid: tuple[float, ...]) -> Mechanism:
    """A posterior draw whose likelihood is raised to a given power."""
    widest = max(abs(math.log(theta / (1 - theta))) for theta in grid)
    return mechanisms.PosteriorDraw(grid, 2 * widest * power)


GRID = (0.1, 0.9)
LOGIT = math.log(9)  # range of the log-likelihood of one record on the grid
SPARSE = mechanisms.SparseVector(answers, 0.0, 1.0)


def _training(noise: float) -> NoisyDescent:
    """DP-SGD with any noise, and else with the same parameters."""
    return NoisyDescent(noise, rate=0.25, steps=40, delta=1e-3)


def _students() -> tuple[tuple[float, ...], ...]:
    """Records of two covariates and a label that depends on them; a first covariate is 0 in all."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(20, 2))
    labels = rng.random(20) < 1 / (1 + np.exp(-2 * rows.sum(axis=1)))
    return tuple((0.0, x, y, float(z)) for (x, y), z in zip(rows.tolist(), labels, strict=True))


def _specimens() -> tuple[Specimen, ...]:
    laplace = mechanisms.LaplaceMechanism
    students, canary = _students(), (10.0, 0.0, 0.0, 1.0)
    tested = mechanisms.ProposeTestRelease(0.1, 1.0, 0.01)
    return (
        Specimen(
            "wrong sensitivity",
            "Records go up to 3, but the noise is scaled for records up to 1.",
            laplace(total, 1.0, 1.0),
            laplace(total, 3.0, 1.0),
            *((0, 1, 2), (3, 1, 2), 1.0),
        ),
        Specimen(
            "no noise on one branch",
            "A count of zero is released as it is: only it gives 0 without fail.",
            _noise_on_one_branch,
            mechanisms.Counting(bool, 1.0),
            *((0, 0, 0), (0, 0, 1), 1.0),
        ),
        Specimen(
            "reused noise",
            "Two answers get the same noise, so that their difference is exact.",
            _reused_noise,
            laplace(answers, 2.0, 1.0),
            *((0, 0), (0, 1), 1.0),
        ),
        Specimen(
            "noise over epsilon squared",
            "The scale is sensitivity / epsilon**2, too small once epsilon > 1.",
            laplace(total, 1.0, 4.0),
            laplace(total, 1.0, 2.0),
            *((0, 1), (1, 1), 2.0),
        ),
        Specimen(
            "sensitivity of one coordinate",
            "Gaussian noise for the largest change of a coordinate; the 2-norm changes four times that.",
            mechanisms.GaussianMechanism(answers, 1.0, 1.0, 0.01),
            mechanisms.GaussianMechanism(answers, 4.0, 1.0, 0.01),
            *((0,) * 16, (1,) * 16, 1.0, 0.01),
        ),
        Specimen(
            "randomised response with the wrong coin",
            "The truth is told with chance 1 - exp(-2 * epsilon), not 1 / (1 + exp(-epsilon)).",
            mechanisms.RandomisedResponse(math.log(math.expm1(2.0))),
            mechanisms.RandomisedResponse(1.0),
            *((0, 1), (1, 1), 1.0),
        ),
        Specimen(
            "exponential mechanism without the 2",
            "Chances are proportional to exp(epsilon * score / sensitivity).",
            mechanisms.ExponentialMechanism(answers, np.arange(5), 1.0, 2.0),
            mechanisms.ExponentialMechanism(answers, np.arange(5), 1.0, 1.0),
            *((2, 1, 1, 1, 1), (1, 2, 2, 2, 2), 1.0),
        ),
        Specimen(
            "noisy max with its value",
            "The largest noisy answer is released, not only where it is.",
            _largest_value,
            mechanisms.ReportNoisyMax(answers, 1.0, 1.0),
            *((0,) * 10, (1,) * 10, 1.0),
        ),
        Specimen(
            "sparse vector that shows the values",
            "The noisy answer that passed is released with the noise of the test (Lyu, Su, Li 2017, algorithm 3).",
            _sparse(2 / 3, 2 / 3, 1, values=True),
            mechanisms.SparseVector(answers, 0.0, 3.0),
            *((-1,) * 8 + (0,), (0,) * 8 + (1,), 3.0),
        ),
        Specimen(
            "sparse vector with noise for one answer",
            "Four answers may be above, but the noise is scaled for one (algorithm 4).",
            _sparse(4.0, 4.0 / 3, 4),
            mechanisms.SparseVector(answers, 0.0, 1.0, count=4),
            *((0, 0, 0, 0, 1, 1, 1, 1), (1, 1, 1, 1, 0, 0, 0, 0), 1.0),
        ),
        Specimen(
            "sparse vector without noise on the answers",
            "Only the threshold is noisy, so the order of the answers shows (algorithm 5).",
            _sparse(2.0, 0.0, math.inf),
            SPARSE,
            *((0, 1), (1, 0), 1.0),
        ),
        Specimen(
            "sparse vector without a stop",
            "Any number of answers may be above, with noise that does not grow (algorithm 6).",
            _sparse(2.0, 2.0, math.inf),
            SPARSE,
            *((0,) * 8 + (1,) * 8, (1,) * 8 + (0,) * 8, 1.0),
        ),
        Specimen(
            "propose, release",
            "The bound on the sensitivity is proposed, the test is left out.",
            _released_untested,
            tested,
            *((0, 0, 0, 1, 1), (0, 0, 1, 1, 1), 1.0, 0.01),
        ),
        Specimen(
            "test without noise",
            "The distance to instability is compared as it is, so a refusal shows the data.",
            _tested_without_noise,
            tested,
            *((0, 0, 0, 0, 1), (0, 0, 0, 1, 1), 1.0, 0.01),
        ),
        Specimen(
            "median with a shifted index",
            "The point is drawn from the interval after the one whose length gave the chance.",
            _shifted_median,
            mechanisms.PrivateMedian(0.0, 1.0, 1.0),
            *((0.01, 0.02, 0.95, 0.96, 0.97), (0.01, 0.02, 0.03, 0.96, 0.97), 1.0),
        ),
        Specimen(
            "posterior draw for the wrong neighbour",
            "The likelihood is tempered for a record added or removed; neighbours replace one.",
            _tempered(1.0 / LOGIT, GRID),
            mechanisms.PosteriorDraw(GRID, 1.0),
            *((1, 1, 1), (1, 1, 0), 1.0),
        ),
        Specimen(
            "clipped to the data",
            "The interval of clipping is the range of the data, so the noise shows an outlier.",
            _clipped_to_the_data,
            mechanisms.ClippedMean(0.0, 10.0, 1.0),
            *((1, 1, 1, 1, 1), (1, 1, 1, 1, 10), 1.0),
        ),
        Specimen(
            "leaked count",
            "The sum is noisy, the number of records is not, and neighbours add or remove one.",
            _leaked_count,
            mechanisms.NoisySumAndCount(0.0, 1.0, 1.0),
            *((1, 0, 1), (1, 0), 1.0),
        ),
        Specimen(
            "training with half of the noise",
            "The noise of DP-SGD is half of what its accountant is given.",
            _training(noise=1.0),
            _training(noise=2.0),
            *((*students, canary), students, 2.7, 1e-3),
        ),
    )


ZOO: tuple[Specimen, ...] = _specimens()
"""All specimens."""


def specimen(name: str) -> Specimen:
    """Return a specimen by its name.

    Parameters
    ----------
    name : str
        As in ``[each.name for each in ZOO]``.

    Raises
    ------
    ValueError
        No specimen has that name.

    Examples
    --------
    >>> specimen("wrong sensitivity").fault
    'Records go up to 3, but the noise is scaled for records up to 1.'
    """
    for each in ZOO:
        if each.name == name:
            return each
    raise ValueError(
        f"name must be one of {', '.join(repr(each.name) for each in ZOO)}, got {name!r}"
    )
