"""The sampler of appendix B against negative binomial masses, at 1e-8; as printed it fails."""

import math

import numpy as np
import pytest
from scipy.stats import nbinom

from dpbook.privacy import diagnostics
from dpbook.unknown_sample_size import Laplace, Missing, Release
from dpbook.unknown_sample_size.cells import sample_cells

DEVIATIONS = 5.731
S, SHAPES, RATE, EPSILON = (1.2, 4.0, -0.7), (1.0, 2.0, 0.5), 0.6, 0.8


def exact(j):
    """Posterior mass of a count: its prior is negative binomial, cells are independent."""
    x = np.arange(120)
    masses = nbinom.pmf(x, SHAPES[j], RATE / (1 + RATE)) * np.exp(-EPSILON * np.abs(S[j] - x))
    return masses / masses.sum()


def worst(version):
    found = sample_cells(
        Release(S), Laplace(EPSILON), SHAPES, RATE, np.random.default_rng(1), cycles=40_000, version=version
    )  # fmt: skip
    scores = []
    for j in range(3):
        draws, masses = found.of(f"x_{j + 1}"), exact(j)
        for value in range(4):
            hit = (draws == value).astype(float)
            error = hit.std() / math.sqrt(diagnostics.ess_mean(hit))
            scores.append(abs(hit.mean() - masses[value]) / error)
        mean = (SHAPES[j] + masses @ np.arange(120)) / (RATE + 1)
        lam = found.of(f"lambda_{j + 1}")
        scores.append(abs(lam.mean() - mean) / (lam.std() / math.sqrt(diagnostics.ess_mean(lam))))
    return max(scores), found


def test_counts_and_intensities_have_the_exact_distribution():
    score, found = worst("corrected")
    assert score < DEVIATIONS
    assert (found.sizes == sum(found.of(f"x_{j}") for j in (1, 2, 3))).all()
    assert found.faults == ()


def test_the_printed_ratio_fails_the_same_test():
    score, found = worst("printed")
    assert score > 5 * DEVIATIONS
    assert found.faults


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sample_cells(Release((1.0,)), Laplace(1), (1, 1), 1), "must have 2 counts"),
        (lambda: sample_cells(Release((1.0,)), Laplace(1), (0,), 1), "shapes must be > 0"),
        (lambda: sample_cells(Release((1.0,)), Missing(), (1,), 1), "must be one for sums"),
        (
            lambda: sample_cells(Release((1.0,)), Laplace(1), (1,), 1, version="x"),
            "version must be",
        ),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
