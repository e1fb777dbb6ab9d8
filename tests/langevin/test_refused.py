"""Input at the ends of the doubles, or of the wrong kind, is refused in one sentence."""

import math

import pytest

from tests.langevin.asking import asked, made

RATIO = {"n": 100, "alpha": 1, "beta": 1, "x_l": 1, "x_h": 2, "c": 4}
BOUND = {**RATIO, "n": 1000, "gamma_1": 0.25, "order": 2}
CHAIN = {"n": 10, "alpha": 1, "beta": 3.5, "x_h": 1, "c": 20, "steps": 30}
TOLD = {"n": 10, "alpha": 0.1, "beta": 1, "x_h": 1.8, "c": 4, "epsilon": 1, "delta": 0.01}


@pytest.mark.parametrize(
    ("name", "setting", "change", "said"),
    [
        ("one_ratio_posteriors", RATIO, {"n": math.nan}, "n must be an integer >= 2, got nan"),
        ("one_ratio_posteriors", RATIO, {"n": math.inf}, "n must be an integer >= 2, got inf"),
        ("one_ratio_posteriors", RATIO, {"x_h": 1e300}, "x_h must be smaller, got 1e+300"),
        ("one_ratio_posteriors", RATIO, {"alpha": True}, "alpha must be > 0 and finite, got True"),
        ("loss_bound", BOUND, {"n": math.inf}, "n must be an integer >= 2, got inf"),
        ("loss_bound", BOUND, {"n": None}, "n must be an integer >= 2, got None"),
        ("loss_bound", BOUND, {"n": 10**400}, "n must be an integer <= 10**300, got"),
        ("loss_bound", BOUND, {"order": "2"}, "order must be > 1 and finite, got '2'"),
        ("loss_curve", BOUND, {"n": 10**30}, "n must be an integer <= 1000000000000000, got"),
        ("chains", CHAIN, {"x_h": 1e300}, "x_h**2 * beta must be smaller"),
        (
            *("chains", CHAIN, {"steps": 10**9, "chains": 8, "every": 1}),
            "got 8 * 1000000000 = 8000000000: take a larger every",
        ),
        ("distinguishability", TOLD, {"c": 1e150}, "c must be smaller, got 1e+150"),
        (
            "distinguishability",
            TOLD,
            {"x_h": 1e30},
            "the stopping step must be <= 1000000000000000",
        ),
        ("distinguishability", TOLD, {"x_h": 1e300}, "the stopping step must be <="),
    ],
)
def test_what_cannot_be_computed_is_refused_in_one_sentence(name, setting, change, said):
    with pytest.raises(ValueError, match="must be") as caught:
        asked(name, **{**setting, **change})
    assert said in str(caught.value)


def test_positions_far_apart_are_told_one_by_one():
    far = asked("distinguishability", **{**TOLD, "c": 1e30}, epochs=3, points=3)
    assert far.failing == (1, 2, 3)
    assert far.at_stop.epsilon > far.at_stop.floor > 1e50


def test_distributions_that_doubles_cannot_tell_have_no_divergence():
    assert made(10, 1e30, 1, 1.8, 4).step_profile(5).delta(0) == 0
