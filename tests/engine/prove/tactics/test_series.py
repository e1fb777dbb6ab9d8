"""Series: excesses, differences and multiples. What is false by a hair is not shown."""

import pytest

from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.tactics.core import Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel import check
from dpbook.kernel.files.sequents import sequent_from_json
from tests.effort import effort

FEW = 8  # goals: of the true ones none takes more than four


def found(given, goal, budget=60):
    s = sequent_from_json({"variables": {"x": "real"}, "given": given, "goal": goal})
    return s, Search(TACTICS, {}, budget).solve(s, (0, 1))


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
    check(s, explicit(s, node))


@pytest.mark.parametrize(("given", "goal"), FALSE)
def test_a_series_with_a_term_above_0_is_not_shown_to_be_0(given, goal):
    assert found(given, goal, effort(FEW, 60))[1] is None


def test_a_series_that_falls_slower_than_its_bound_is_not_bounded_by_ever_larger_ones():
    s = sequent_from_json({"goal": "defined(sum(1/k, k, 1, oo))"})
    search = Search(TACTICS, {}, 60)
    assert search.solve(s) is None
    assert search.budget >= 50


def test_a_series_that_falls_as_its_bound_far_away_only_is_bounded():
    s, node = found([], "sum(1/(k^2 + 10^8), k, 1, oo) <= 5")
    assert node is not None
    check(s, explicit(s, node))


FALLS = (
    "all(x; integer; x >= 0; defined(abs(g(x))*(x + 1)*(x + 2)) and abs(g(x))*(x + 1)*(x + 2) <= b)"
)
SERIES = "sum(g(k), k, 0, oo)"
LARGER = "sum(b/((k + 1)*(k + 2)), k, 0, oo)"
DIFFERENCES = "sum(g(k + 1) - g(k), k, 0, oo)"
PARTS = ["defined(sum(g(k), k, 0, oo))", "defined(sum(f(k), k, 0, oo))"]


def shown(given, goal, budget=100):
    s = sequent_from_json(
        {
            "variables": {"b": "real"},
            "functions": {"f": 1, "g": 1},
            "given": ["b > 0", *given],
            "goal": goal,
        }
    )
    return s, Search(TACTICS, {}, budget).solve(s, (0, 1))


TRUE_OF_FUNCTIONS = [
    ([FALLS], f"defined({SERIES}) and defined({LARGER}) and {SERIES} <= {LARGER}"),
    ([FALLS], f"defined({DIFFERENCES}) and {DIFFERENCES} == -g(0)"),
    (PARTS, "sum(f(k) - 2*g(k), k, 0, oo) == sum(f(k), k, 0, oo) - 2*sum(g(k), k, 0, oo)"),
    (PARTS, "defined(sum(3*g(k), k, 0, oo))"),
    (PARTS, "defined(sum(g(k + 2 - 2), k, 0, oo))"),
    (
        ["all(x; integer; x >= 0; defined(g(x)) and g(x) == 0)"],
        f"defined({SERIES}) and {SERIES} == 0",
    ),
    ([*PARTS, "all(x; integer; x >= 0; g(x) >= 0)"], f"{SERIES} >= 0"),
]
FALSE_OF_FUNCTIONS = [
    # the numbers fall like their place only
    ([FALLS.replace("*(x + 2)", "")], f"defined({SERIES})"),
    ([FALLS], f"defined({DIFFERENCES}) and {DIFFERENCES} == -g(1)"),
    ([FALLS], f"{SERIES} <= {LARGER.replace('b/', 'b*(99/100)/')}"),
    (PARTS, "sum(f(k) - 2*g(k), k, 0, oo) == sum(f(k), k, 0, oo) - 3*sum(g(k), k, 0, oo)"),
    # one of the two may not exist
    (PARTS[:1], "sum(f(k) + g(k), k, 0, oo) == sum(f(k), k, 0, oo) + sum(g(k), k, 0, oo)"),
    (PARTS, "defined(sum(f(k)*g(k), k, 0, oo))"),
    (
        ["all(x; integer; x >= 1; defined(g(x)) and g(x) == 0)"],
        f"defined({SERIES}) and {SERIES} == 0",
    ),
    ([*PARTS, "all(x; integer; x >= 1; g(x) >= 0)"], f"{SERIES} >= 0"),
]


@pytest.mark.parametrize(("given", "goal"), TRUE_OF_FUNCTIONS)
def test_series_of_functions_that_are_left_open(given, goal):
    s, node = shown(given, goal)
    assert node is not None
    check(s, explicit(s, node))


@pytest.mark.parametrize(("given", "goal"), FALSE_OF_FUNCTIONS)
def test_series_of_functions_with_too_weak_conditions_are_not_shown(given, goal):
    assert shown(given, goal, effort(FEW, 100))[1] is None
