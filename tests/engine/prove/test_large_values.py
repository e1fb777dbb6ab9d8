"""Statements about large values of an index, and sums and integrals of 0."""

import pytest
import sympy
from sympy import Integral, Sum, Symbol, oo

from dpbook import Eventually, Order, check, symbol

n = symbol("n", integer=True, at_least=0)
m = symbol("m", integer=True)
k = Symbol("k", integer=True)
x = Symbol("x", real=True)


def verdict(statement):
    return check(statement).verdict.value


@pytest.mark.parametrize("index", [n, m], ids=["from 0", "no end"])
def test_order_with_a_threshold_above_the_range(index):
    f, g = index**2 + index, index**2
    assert verdict(Order(f, g, index, constant=2, threshold=1)) == "proved"
    assert verdict(Order(f, g, index, constant=1, threshold=1)) not in ("proved", "supported")
    assert verdict(Order(index + 5, index, index, constant=2, threshold=5)) == "proved"
    assert verdict(Order(index + 5, index, index, constant=2, threshold=4)) != "proved"


def test_conjunction_about_large_values():
    assert verdict(Eventually(n, [(n**2, "<", 5), (n, ">", 1)])) == "refuted"
    assert verdict(Eventually(n, [(n**2, ">", 5), (n, "<", 1)])) == "refuted"
    assert verdict(Eventually(n, [(n**2, ">", 5), (n, ">", 1)])) == "proved"


@pytest.mark.parametrize("total", [Sum(0, (k, 1, oo)), Sum(0, (k, 1, n)), Integral(0, (x, 0, oo))])
def test_total_of_nothing_is_nothing(total):
    assert verdict((total, "==", 0)) == "proved"
    assert verdict((total, "==", 1)) == "refuted"


def test_sum_reaches_a_worker_as_it_is_written():
    with sympy.evaluate(False):
        total = Sum(2, (k, 1, n))
    assert verdict((total, "==", 2 * n)) == "proved"
    assert verdict((total, "==", 2 * n + 1)) == "refuted"
