"""Series of excesses: where no term exceeds 0 the sum is 0; where one does by a hair it is not shown."""

import pytest

from dpbook.engine.tactics.core import Search
from dpbook.engine.tactics.strategy import TACTICS
from dpbook.kernel import check
from dpbook.kernel.formulas import sequent_from_json


def found(given, goal):
    s = sequent_from_json({"variables": {"x": "real"}, "given": given, "goal": goal})
    return s, Search(TACTICS, {}, 60).solve(s, (0, 1))


TRUE = [
    (["x <= 0"], "sum(max(x, 0), k, 0, oo) <= 0"),
    (["x <= 0"], "sum(max(0, x - k), k, 0, oo) == 0"),
    (["x <= 1"], "sum(max(x - k, 0), k, 1, oo) <= 0"),
]
FALSE = [
    ([], "sum(max(x, 0), k, 0, oo) <= 0"),
    (["x <= 1/1000"], "sum(max(0, x - k), k, 0, oo) == 0"),
    (["x <= 1"], "sum(max(x - k, 0), k, 0, oo) <= 0"),
]


@pytest.mark.parametrize(("given", "goal"), TRUE)
def test_a_series_of_excesses_that_are_none_is_0(given, goal):
    s, node = found(given, goal)
    assert node is not None
    check(s, node)


@pytest.mark.parametrize(("given", "goal"), FALSE)
def test_a_series_with_a_term_above_0_is_not_shown_to_be_0(given, goal):
    assert found(given, goal)[1] is None
