"""Algorithm 1 on models whose every state is listed, in exact fractions; and its wrong variants.

The test that the right samplers pass, the wrong ones must fail: `kept` below, on the same models.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbook.unknown_sample_size import FiniteModel, poisson_cell

F = Fraction
WEIGHTS = st.integers(1, 40).map(lambda k: F(k, 7))


def coin(release=None, sizes=None):
    """Two coins, up to three tosses, any weights of a release: here far from symmetric."""
    table = {0: F(5), 1: F(1), 2: F(7, 2), 3: F(1, 3)}
    return FiniteModel(
        masses=(F(1, 3), F(2, 3)),
        chances=((F(3, 5), F(2, 5)), (F(1, 4), F(3, 4))),
        sizes=sizes or {1: F(2), 2: F(1), 3: F(3, 2)},
        release=release or (lambda total, n: table[total]),
    )


def kept(model, deaths, jumps=1):
    return model.is_kept(model.cycle(deaths, jumps))


@pytest.mark.parametrize("deaths", ["last", "anywhere"])
@pytest.mark.parametrize("jumps", [1, 3])
def test_a_cycle_keeps_the_posterior_exactly(deaths, jumps):
    assert kept(coin(), deaths, jumps)


@pytest.mark.parametrize("deaths", ["appended", "no ratio"])
def test_the_wrong_variants_do_not(deaths):
    assert not kept(coin(), deaths)


@given(
    st.lists(WEIGHTS, min_size=4, max_size=4),
    st.lists(WEIGHTS, min_size=3, max_size=3),
    st.integers(0, 2),
)
@settings(max_examples=15, deadline=None)
def test_a_cycle_keeps_the_posterior_for_any_release_and_any_sizes(table, sizes, least):
    model = coin(
        lambda total, n: table[total] + n,
        {n + least: w for n, w in enumerate(sizes) if n + least < 4},
    )
    assert kept(model, "last")
    assert kept(model, "anywhere")


@pytest.mark.parametrize("deaths", ["last", "anywhere"])
def test_each_sub_step_is_reversible_and_the_whole_cycle_is_not(deaths):
    model = coin()
    steps = model.cycle(deaths)
    assert all(model.is_reversible(step) for step in steps)
    dense = np.eye(len(model.states))
    for step in steps:
        matrix = np.zeros_like(dense)
        for i, row in enumerate(step):
            for j, chance in row.items():
                matrix[i, j] = float(chance)
        dense = dense @ matrix
    flow = np.array([float(m) for m in model.target])[:, None] * dense
    assert np.abs(flow - flow.T).max() > 1e-4  # proposition 5.3's proof cannot rest on balance


def test_appending_and_dying_anywhere_keeps_the_unordered_records_only():
    model = coin()
    jump = [model.jump_step("appended")]
    assert not model.is_kept(jump)
    after = model.after(model.target, jump)
    unordered = {}
    for (k, rows), old, new in zip(model.states, model.target, after, strict=True):
        key = (k, tuple(sorted(rows)))
        had = unordered.get(key, (F(0), F(0)))
        unordered[key] = (had[0] + old, had[1] + new)
    assert all(old == new for old, new in unordered.values())


def test_acceptance_is_bounded_below_as_proposition_5_1_says():
    """On every proposal of the finite model, with releases that are epsilon-private."""
    ratio = F(3, 2)  # exp(epsilon_s); the sum moves by at most 1
    model = coin(
        lambda total, n: ratio ** -abs(total - 1), {n: F(4, 3) ** -abs(n - 2) for n in (1, 2, 3)}
    )
    chances = model.chances
    for i in range(3):
        for here, row in enumerate(model.swap_step(i)):
            k, rows = model.states[here]
            if i >= len(rows):
                continue
            for there, chance in row.items():
                new = model.states[there][1][i]
                if there != here:
                    assert chance >= chances[k][new] * ratio**-2
    for here, row in enumerate(model.jump_step()):
        k, rows = model.states[here]
        for there, chance in row.items():
            new = model.states[there][1]
            if len(new) == len(rows) + 1:
                up = 1 if len(rows) == 1 else F(1, 2)
                least = 1 / (ratio * F(4, 3)) * (F(1, 2) if len(rows) == 1 else 1)
                assert chance >= up * chances[k][new[-1]] * least


def test_the_marginal_sums_to_one_and_weights_are_those_of_bayes():
    model = coin()
    assert sum(model.marginal().values()) == 1
    # p(theta = 0, n = 1), by hand
    by_hand = F(1, 3) * 2 * (F(3, 5) * 5 + F(2, 5) * 1)
    total = sum(model.weight(state) for state in model.states)
    assert model.marginal()[0, 1] == by_hand / total


@pytest.mark.parametrize(("version", "holds"), [("corrected", True), ("printed", False)])
def test_appendix_b_is_invariant_only_when_repaired(version, holds):
    x = np.arange(41)
    target, matrix = poisson_cell(0.7, np.exp(-np.abs(1.2 - x)), version)
    assert np.allclose(matrix.sum(axis=1), 1)
    off = np.abs(target @ matrix - target).max()
    assert (off < 1e-15) == holds
    assert off < 1e-15 or off > 1e-2


def test_a_finite_model_refuses_what_is_none():
    with pytest.raises(ValueError, match="must be > 0 and sum to 1"):
        FiniteModel((F(1, 2), F(1, 3)), ((F(1),), (F(1),)), {1: F(1)}, lambda t, n: F(1))
    with pytest.raises(ValueError, match="consecutive"):
        coin(sizes={1: F(1), 3: F(1)})
