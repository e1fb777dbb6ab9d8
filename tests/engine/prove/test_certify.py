"""A lemma is used where its conditions hold: no goals are spent on a condition that must fail or wait."""

import pytest

from dpbook.engine.prove.certify import _Chain
from dpbook.engine.prove.tactics.core import Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel.files.sequents import sequent_from_json

GOALS = 60
NUMBERS = {"variables": {"x": "real", "y": "real"}, "given": ["x > y", "y > 0"]}
FUNCTIONS = {
    "variables": {"x": "real"},
    "functions": {"f": 1},
    "given": ["all(t; real; defined(f(t)) and f(t)^2 == 1)"],
}


def condition(goal, about, *written):
    """Search for the condition of a lemma; return what is found, and the goals that were tried."""
    s = sequent_from_json({**about, "goal": goal})
    chain = _Chain(Search(TACTICS, {}, GOALS), [], [], [], GOALS, (0, 1))
    later = [sequent_from_json({**about, "goal": step}).goal for step in written]
    return chain._condition(s, later), GOALS - chain.search.budget


@pytest.mark.parametrize(("goal", "holds"), [("x >= y", True), ("y >= x", False)])
def test_a_condition_whose_contrary_is_given_is_not_searched(goal, holds):
    found, tried = condition(goal, NUMBERS)
    assert (found is not None) == holds
    assert tried == 0


@pytest.mark.parametrize(
    ("goal", "step"),
    [
        ("f(x)^4 <= 1", "f(x)^4 <= 1"),
        ("f(x)^4 <= 1", "all(t; real; defined(f(t)) and f(t)^4 <= 1)"),
        ("all(t; real; f(t)^4 <= 1)", "all(t; real; f(t)^4 <= 1)"),
    ],
)
def test_a_condition_that_a_written_step_says_waits_for_it(goal, step):
    assert condition(goal, FUNCTIONS, "f(x) <= 2", step) == (None, 0)
    found, tried = condition(goal, FUNCTIONS, "f(x) <= 2")
    assert found is not None
    assert tried > 0
