"""The mean value theorem on a segment is the rule `monotone`, with a bound of the slope given there."""

import pytest

from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.tactics import calculus, suprema
from dpbook.engine.prove.tactics.core import Exhausted, Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel.check import check
from dpbook.kernel.files.sequents import sequent_from_json

SLOPE = "all(x; real; a <= x; x <= b; exp(x) <= k)"


def proved(goal, *given):
    names = dict.fromkeys("abk", "real")
    s = sequent_from_json({"variables": names, "given": list(given), "goal": goal})
    try:
        node = calculus.monotone(Search(TACTICS, budget=20), s, 1)
    except Exhausted:
        return False
    if node is not None:
        check(s, explicit(s, node))
    return node is not None


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        ("exp(b) - exp(a) <= exp(b)*(b - a)", ()),
        ("log(b) - log(a) <= (b - a)/a", ("a > 0",)),
        ("exp(b) - exp(a) <= k*(b - a)", (SLOPE,)),
    ],
)
def test_difference_is_at_most_the_largest_slope_times_the_length(goal, given):
    assert proved(goal, "a <= b", *given)


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        ("exp(b) - exp(a) <= exp(a)*(b - a)", ("a <= b",)),
        ("log(b) - log(a) <= (b - a)/b", ("a <= b", "a > 0")),
        ("exp(b) - exp(a) <= k*(b - a)", ("a <= b", SLOPE.replace("a <= x", "a + 1 <= x"))),
        ("exp(b) - exp(a) <= k*(b - a)", ("b < a", SLOPE)),
    ],
)
def test_smaller_slope_and_a_bound_on_a_part_show_nothing(goal, given):
    assert not proved(goal, *given)


def test_slope_that_is_given_is_used_at_the_point_of_the_segment(monkeypatch):
    monkeypatch.setattr(suprema, "_put", lambda *ignored: False)
    assert not proved("exp(b) - exp(a) <= k*(b - a)", "a <= b", SLOPE)
