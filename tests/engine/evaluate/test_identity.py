"""Exact arithmetic asks for a size before it starts."""

import pytest
from sympy import Dummy, Integer, Rational, exp, symbols

from dpbook import check
from dpbook.engine.evaluate.identity import Quotient, TooLarge, is_zero

x, y = symbols("x y", real=True)


@pytest.mark.parametrize(
    "side", ["exp({0})/(1+exp({0}))", "1/(1+exp(-{0}))", "exp({0})/(2+exp({0}))"]
)
def test_increasing_function_of_an_exponential(side):
    left, right = side.format("x"), side.format("y")
    assert check(f"{left} < {right}", given="x < y").verdict.value == "proved"
    assert check(f"{left} < {right}", given="x <= y").verdict.value == "refuted"
    assert check(f"{left} > {right}", given="x < y").verdict.value == "refuted"


@pytest.mark.parametrize("huge", [10**6, 10**18])
def test_huge_polynomials_are_refused_before_they_are_written_out(huge):
    u = Dummy("u")
    with pytest.raises(TooLarge):
        Quotient.of((1 + u) ** Integer(huge))
    with pytest.raises(TooLarge):
        Quotient.of(1 / (1 + u**huge) - 1 / (2 + u ** (huge - 1)))
    assert not is_zero(1 / (1 + exp(Integer(huge))) - 1 / (2 + exp(Integer(huge - 1))))


def test_identities_of_a_size_are_found():
    assert is_zero(exp(1000) * exp(x) - exp(x + 1000))
    assert is_zero((x + y) ** 40 / (x + y) ** 39 - x - y)
    assert is_zero(exp(Rational(1, 3)) ** 3 - exp(1))
    assert not is_zero(exp(Rational(1, 3)) ** 3 - exp(1) * 2)
