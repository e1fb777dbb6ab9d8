"""Random-walk Metropolis: its law, its diagnostics, and what a state costs."""

import math

import numpy as np
import pytest

from dpbook.contamination import linear_regression, metropolis, private_mean


@pytest.fixture(scope="module")
def chains():
    setting = private_mean(200)
    x = setting.simulate(np.random.default_rng(1))
    found = metropolis(setting, x, size=2000, chains=8, warmup=500, rng=np.random.default_rng(2))
    return found, setting.posterior(x)


def test_states_follow_the_posterior(chains):
    found, posterior = chains
    # 16 000 states, about one in five counts: standard error 1 / sqrt(3200); five of them
    assert abs(found.states.mean() - posterior.mean) < 5 * posterior.sd / math.sqrt(3200)
    assert found.states.std() == pytest.approx(posterior.sd, rel=0.08)
    assert 0.3 < found.acceptance.mean() < 0.6


def test_several_parameters_follow_the_laplace_approximation():
    setting = linear_regression(500, 2)
    x, w = setting.simulate(np.random.default_rng(1))
    found = metropolis(setting, x, w, size=1500, warmup=500, rng=np.random.default_rng(3))
    wanted = setting.laplace(x, w)
    gap = np.abs(found.states.mean(axis=(0, 1)) - wanted.mode) / wanted.sd
    assert gap.max() < 0.3
    assert found.states.std(axis=(0, 1)) == pytest.approx(wanted.sd, rel=0.2)
    with pytest.raises(ValueError, match="covariates must be given"):
        metropolis(setting, x)


def test_a_state_costs_more_than_a_draw(chains):
    found, _ = chains
    assert found.delta(1.0, 1e-4, 0.0) == 1e-4
    assert found.delta(1.0, 1e-4, 1e-3) == pytest.approx(1e-4 + (1 + math.e) * 1e-3)
    with pytest.raises(ValueError, match=r"total_variation must be in \[0, 1\)"):
        found.delta(1.0, 1e-4, -0.1)


def test_chains_show_themselves(chains):
    found, _ = chains
    assert repr(found).startswith("Chains(chains=8, size=2000, mean=(")
    assert len(found.plot().get_lines()) == 8


def test_diagnostics_are_arvizs(chains):
    pytest.importorskip("arviz")
    found, _ = chains
    assert found.r_hat == pytest.approx([1.0], abs=0.02)
    assert 500 < found.ess[0] < 16_000


def test_diagnostics_without_arviz_say_what_to_install(chains, monkeypatch):
    found, _ = chains
    monkeypatch.setitem(__import__("sys").modules, "arviz", None)
    with pytest.raises(ImportError, match="of the extra infer"):
        _ = found.r_hat
