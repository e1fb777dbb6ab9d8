"""R-hat and effective sample sizes: ArviZ's numbers, and those of a chain that is known."""

import importlib.util
import math

import numpy as np
import pytest
from scipy.stats import rankdata

from dpbook.privacy import diagnostics


def seeded(seed):
    return np.random.default_rng(seed)


def test_diagnostics_agree_with_arviz():
    if importlib.util.find_spec("arviz") is None:
        pytest.skip("ArviZ, of the extra infer, is not installed")
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import arviz
    rng = seeded(38)
    noise = rng.standard_normal((4, 1000))
    walk = np.zeros_like(noise)
    for i in range(1, 1000):
        walk[:, i] = 0.9 * walk[:, i - 1] + noise[:, i]
    for draws in (walk, noise, np.round(walk), walk + np.arange(4)[:, None]):
        assert diagnostics.r_hat(draws) == pytest.approx(float(arviz.rhat(draws)), rel=1e-6)
        assert diagnostics.ess(draws) == pytest.approx(float(arviz.ess(draws)), rel=1e-6)
        assert diagnostics.ess_mean(draws) == pytest.approx(
            float(arviz.ess(draws, method="mean")), rel=1e-6
        )


def test_diagnostics_know_a_first_order_chain():
    """ESS of an autoregression with coefficient .8 is (1 - .8) / (1 + .8) of its length."""
    rng = seeded(39)
    noise = rng.standard_normal((4, 50_000))
    walk = np.zeros_like(noise)
    for i in range(1, walk.shape[1]):
        walk[:, i] = 0.8 * walk[:, i - 1] + noise[:, i]
    assert diagnostics.ess_mean(walk) == pytest.approx(walk.size / 9, rel=0.1)
    assert diagnostics.r_hat(walk) < 1.003
    assert diagnostics.r_hat(walk + 2 * np.arange(4)[:, None]) > 1.1
    assert math.isnan(diagnostics.r_hat(np.ones((2, 10))))
    assert diagnostics.ess(np.repeat([[1.0], [2.0]], 10, axis=1)) < 10


@pytest.mark.parametrize("places", [[0.0, 1.0, 2.0, 3.0], [0.1, 0.3, 0.1, 0.7]])
@pytest.mark.parametrize("kept", [4, 100, 101])
def test_chains_that_stand_still_apart_have_not_converged(places, kept):
    draws = np.repeat(np.array(places)[:, None], kept, axis=1)
    assert diagnostics.r_hat(draws) == math.inf
    assert diagnostics.ess(draws) == diagnostics.ess_mean(draws) == 4
    draws[:, kept // 2 :] += 1.1  # each half stands still
    assert diagnostics.r_hat(draws) == math.inf or kept % 2
    assert diagnostics.ess(draws) < 10 or kept == 4


def test_ranks_are_averaged_where_values_are_tied():
    """One minus the quantile's level, undone, is the rank that SciPy gives."""
    from scipy.special import ndtr

    draws = np.round(seeded(40).standard_normal((3, 50)), 1)
    ranks = ndtr(diagnostics.rank_normalised(draws)) * (draws.size + 0.25) + 0.375
    assert ranks.ravel() == pytest.approx(rankdata(draws, method="average"), rel=1e-9)
