"""DP-SGD is its description, spends what the accountant says, and a run with half of the noise is caught."""

import math

import numpy as np
import pytest
from scipy.stats import binom, kstest, norm

from dpbook.privacy import NoisyDescent, kernels
from dpbook.privacy.audit import audit
from dpbook.privacy.zoo import specimen

ROWS = np.array([[1.0, 0.5, 1], [-2.0, 0.3, 0], [0.2, -4.0, 1], [0.1, 0.1, 0]])


def slow(rows, m, rng):
    x, y = rows[:, :-1], rows[:, -1]
    theta = np.zeros(x.shape[1])
    for _ in range(m.steps):
        total = m.noise * m.clip * rng.standard_normal(theta.size)
        for row, label in zip(x, y, strict=True):
            if rng.random() < m.rate:
                gradient = (1 / (1 + math.exp(-row @ theta)) - label) * row
                total += gradient * min(1, m.clip / np.linalg.norm(gradient))
        theta = theta - m.step * total
    return theta


def test_a_run_is_its_description():
    training = NoisyDescent(0.7, 0.5, 9, 1e-3, clip=0.4, step=0.3)
    found = training(ROWS, 3, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    np.testing.assert_allclose(found, [slow(ROWS, training, rng) for _ in range(3)])
    again = np.empty((1, 2))
    kernels.noisy_descent.py_func(
        ROWS[:, :2].copy(),
        ROWS[:, 2].copy(),
        0.5,
        0.4,
        0.7,
        0.3,
        9,
        np.random.default_rng(5),
        again,
    )
    np.testing.assert_allclose(again[0], found[0])


def test_a_record_whose_gradient_is_clipped_adds_a_binomial_number_of_them():
    # a false alarm in 1e8
    training = NoisyDescent(1.0, 0.25, 4, 1e-3, step=1e-9)
    found = training([[50.0, 1]], 5000, np.random.default_rng(2))[:, 0] / 1e-9
    times = np.arange(5)
    mixed = lambda at: binom.pmf(times, 4, 0.25) @ norm.cdf(at[None, :] - times[:, None], scale=2)  # noqa: E731
    assert kstest(found, mixed).pvalue > 1e-8


def test_what_the_specimen_claims_is_what_the_accountant_says_of_its_noise():
    kind = specimen("training with half of the noise")
    assert kind.correct.accounting.epsilon <= kind.epsilon < kind.correct.accounting.epsilon + 0.01
    assert kind.correct.accounting.delta == kind.delta
    assert kind.broken.noise == kind.correct.noise / 2
    assert kind.broken.accounting.epsilon > 2 * kind.epsilon


def test_half_of_the_noise_is_found_by_another_seed_and_the_right_noise_is_not_called_broken():
    # the correct one is called broken with a chance of 1e-6 at most
    kind = specimen("training with half of the noise")
    found = [
        audit(one, kind.X, kind.Z, 50_000, 1 - 1e-6, np.random.default_rng(8), delta=kind.delta)
        for one in (kind.broken, kind.correct)
    ]
    assert found[1].epsilon_lower <= kind.epsilon < found[0].epsilon_lower


def test_what_it_cannot_use_is_refused():
    for bad in (
        {"noise": 0.0},
        {"rate": 1.5},
        {"rate": 0},
        {"steps": 0},
        {"delta": 1},
        {"clip": -1},
    ):
        with pytest.raises(ValueError, match=f"{next(iter(bad))} must be"):
            NoisyDescent(**{"noise": 1.0, "rate": 0.5, "steps": 3, "delta": 1e-3, **bad})
    training = NoisyDescent(1.0, 0.5, 3, 1e-3)
    for rows in ([[1.0]], [1.0, 1.0], [[math.nan, 1.0]], [[1e200, 1.0]]):
        with pytest.raises(ValueError, match="records must be finite rows"):
            training(rows, 1, np.random.default_rng(1))
    with pytest.raises(ValueError, match="label 0 or 1"):
        training([[1.0, 2.0]], 1, np.random.default_rng(1))
