"""Decimals that were typed are shown as decimals; they are read, and decided, as exact fractions."""

import pytest

from dpbook import check
from dpbook.engine.read.decimals import decimal


@pytest.mark.parametrize(
    ("typed", "given", "said"),
    [
        (".5*x**2 + 0.25 >= .5*x - 1.5", "x > .5", "0.5*x**2 + 0.25 >= 0.5*x - 1.5"),
        ("0.1x + 1.5e-3 > 0", "x > 0", "0.1*x + 1.5e-3 > 0"),
        ("sqrt(x) > 0.5", "x > 1", "sqrt(x) > 0.5"),
        (r"\frac{x}{4} \geq 0.2", "x > 1", "x/4 >= 0.2"),
        ("x/2 >= 1/2", "x > 1", "x/2 >= 1/2"),
    ],
)
def test_the_echo_keeps_decimals_where_they_were_typed(typed, given, said):
    found = check(typed, given=given)
    assert found.verdict == "proved"
    assert found.statement == said


def test_a_counterexample_is_told_in_decimals_and_kept_as_fractions():
    found = check("x <= 0.3", given="x > .5, x < 0.75").counterexample
    assert found.where == "x = 0.625"
    assert found.finding == "0.625 <= 0.3 is false"
    assert found.as_dict() == {"x": "5/8"}


def test_without_decimals_fractions_stay():
    found = check("x <= 3/10", given="x > 1/2, x < 3/4")
    assert found.counterexample.where == "x = 5/8"
    assert found.given == ("x > 1/2 and x < 3/4",)


@pytest.mark.parametrize(
    ("fraction", "shown"),
    [("5/8", "0.625"), ("-3/2", "-1.5"), ("1/3", "1/3"), ("x/2", "x/2")],
)
def test_a_fraction_is_a_decimal_where_that_is_exact_and_short(fraction, shown):
    assert decimal(fraction) == shown
