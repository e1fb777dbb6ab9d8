"""The engine's table of functions against the kernel's table, and against values in balls."""

from fractions import Fraction

import pytest
import sympy
from flint import arb, ctx, fmpq
from sympy import oo

from dpbook.engine.evaluate.exact_points import evaluate_at
from dpbook.engine.evaluate.tape import BINARY, RECIPROCAL, UNARY
from dpbook.engine.language.functions import FUNCTIONS
from dpbook.engine.language.functions_of_sympy import BY_CLASS, CLASSES, limits_at_ends
from dpbook.kernel import table

x = sympy.Symbol("x", real=True)
OF_ONE = [row for row in FUNCTIONS.values() if row.sympy and row.arguments == 1]
POINTS = [fmpq(p, q) for p in range(-12, 13) for q in (1, 3, 7)] + [fmpq(10) ** 4, -(fmpq(10) ** 4)]


def values(row):
    """Return the balls at the points where the function has a value."""
    with sympy.evaluate(False):
        at = CLASSES[row.name](x)
    found = {}
    for point in POINTS:
        ball = evaluate_at(at, {x: point}, 128).ball
        if ball is not None:
            found[point] = ball
    return found


def test_both_tables_name_the_same_functions():
    assert set(FUNCTIONS) == set(table.FUNCTIONS), (
        "a function has a row of one name in dpbook/kernel/functions.toml and in "
        "dpbook/engine/language/functions.toml"
    )


def test_every_function_of_sympy_goes_on_a_tape():
    handled = {*UNARY, *BINARY, *RECIPROCAL, sympy.Max, sympy.Min, sympy.polygamma, sympy.betainc}
    assert set(BY_CLASS) <= handled, (
        "dpbook/engine/evaluate/tape.py makes a step of these; of one or two arguments it does so by itself"
    )


@pytest.mark.parametrize("row", OF_ONE, ids=lambda row: row.name)
def test_values_lie_in_the_range_and_the_known_value_is_right(row):
    found = values(row)
    assert len(found) >= 5
    low, high = row.range
    for ball in found.values():
        assert low is None or not ball < arb(fmpq(*low.as_integer_ratio()))
        assert high is None or not ball > arb(fmpq(*high.as_integer_ratio()))
    if row.known:
        at, value = row.known
        assert found[fmpq(at)].overlaps(arb(value))


@pytest.mark.parametrize("row", OF_ONE, ids=lambda row: row.name)
def test_everywhere_means_that_no_point_is_without_a_value(row):
    # exp(10^4) has a ball, too; gamma and others have values outside of the kernel's domain
    if row.everywhere:
        assert set(values(row)) == set(POINTS)


@pytest.mark.parametrize("row", [r for r in OF_ONE if r.grows], ids=lambda row: row.name)
def test_a_function_that_grows_grows_between_the_points(row):
    found = values(row)
    near = sorted(point for point in found if abs(point) <= 12)
    for before, after in zip(near, near[1:], strict=False):
        if before != after:
            change = found[after] - found[before]
            assert not (change < 0 if row.grows == "up" else change > 0)
    assert (found[near[-1]] > found[near[0]]) == (row.grows == "up")


@pytest.mark.parametrize("row", [r for r in OF_ONE if r.limits[1]], ids=lambda r: r.name)
def test_limits_are_those_of_sympy(row):
    for limit, end in zip(limits_at_ends(row), (-oo, oo), strict=True):
        if limit is not None:
            assert sympy.limit(CLASSES[row.name](x), x, end) == limit


def test_the_range_of_atan_is_a_quarter_turn_rounded_outwards():
    low, high = FUNCTIONS["atan"].range
    assert -low == high
    with ctx.workprec(128):
        quarter = arb.pi() / 2
        assert arb(fmpq(*high.as_integer_ratio())) > quarter
        assert arb(fmpq(*(high - Fraction(1, 10**17)).as_integer_ratio())) < quarter
