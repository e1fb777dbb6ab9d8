"""The kernel's normal form answers for the engine: true rows, and each with one sign or end changed."""

import pytest
import sympy
from sympy import Integer, Rational, S, Symbol, exp, gamma, log, pi, sqrt

from dpbook import check
from dpbook.engine.evaluate.known import Known
from dpbook.engine.language.domain import Bounds, Domain
from dpbook.engine.language.statement import Relation

x, y = (Symbol(name, real=True) for name in "xy")
n = Symbol("n", integer=True)


def domain(*conditions, **bounds):
    """Return a domain of plain symbols; a pair is a closed range."""
    ranges = {}
    for name, (low, high) in bounds.items():
        own = Symbol(name, integer=True) if name == "n" else Symbol(name, real=True)
        ends = [None if e is None else S(e) for e in (low, high)]
        ranges[own] = Bounds(ends[0], False, ends[1], False, name == "n")
    return Domain(tuple(ranges), ranges, ()).with_conditions(*conditions)


POSITIVE = domain(Relation(x, ">", S.Zero), Relation(y, ">", S.Zero), x=(0, None), y=(0, None))


@pytest.mark.parametrize(
    ("first", "second", "where"),
    [
        (exp(1000) * exp(x), exp(x + 1000), None),
        ((x + y) ** 40 / (x + y) ** 39, x + y, None),
        (exp(Rational(1, 3)) ** 3, exp(1), None),
        (log(4), 2 * log(2), None),
        (sqrt(12), 2 * sqrt(3), None),
        (1 / x - 1 / y, (y - x) / (x * y), None),
        (log(x * y), log(x) + log(y), POSITIVE),
        (sqrt(x * y), sqrt(x) * sqrt(y), POSITIVE),
        (sqrt(x**2), x, POSITIVE),
        (gamma(x + 1), x * gamma(x), POSITIVE),
    ],
)
def test_equal_expressions_have_one_normal_form(first, second, where):
    known = Known(where)
    with sympy.evaluate(False):
        assert known.equal(first, second)
        assert not known.equal(first, -second)
        assert not known.equal(first, second + 1)


def test_two_symbols_of_one_name_are_not_taken_for_one():
    other = Symbol("x", positive=True)
    assert not Known().equal(x, other)
    assert not Known(domain(x=(0, None))).holds(Relation(other, ">=", S.Zero))
    assert Known(domain(x=(0, None))).holds(Relation(x, ">=", S.Zero))


def test_conditions_are_needed_where_they_are():
    assert not Known(domain(x=(None, None))).equal(sqrt(x**2), x)
    assert not Known(domain(x=(None, None))).equal(log(x**2), 2 * log(sqrt(x**2) + x) - 2 * log(2))


@pytest.mark.parametrize(
    ("relation", "where", "open_"),
    [
        (Relation(x**2 + 1, ">", S.Zero), domain(x=(None, None)), False),
        (Relation(x, ">", S.Zero), domain(x=(1, None)), False),
        (Relation(x - 1, ">", S.Zero), domain(x=(1, None)), True),
        (Relation(1 - x**61, ">=", S.Zero), domain(x=(0, 1)), False),
        (Relation(1 - x**61, ">", S.Zero), domain(x=(0, 1)), True),
        (Relation(exp(x), ">", S.Zero), domain(x=(None, None)), False),
        (Relation(x + y, ">", S.Zero), POSITIVE, False),
        (Relation(x - y, ">", S.Zero), POSITIVE, True),
        (Relation(n, ">", S.Zero), domain(Relation(n, "!=", S.Zero), n=(1, None)), False),
        (Relation(pi, "<", Rational(22, 7)), domain(), False),
        (Relation(pi, ">", Rational(22, 7)), domain(), True),
    ],
)
def test_signs_on_a_domain(relation, where, open_):
    assert Known(where).holds(relation) is not open_


@pytest.mark.parametrize(
    "side", ["exp({0})/(1+exp({0}))", "1/(1+exp(-{0}))", "exp({0})/(2+exp({0}))"]
)
def test_increasing_function_of_an_exponential(side):
    left, right = side.format("x"), side.format("y")
    assert check(f"{left} < {right}", given="x < y").verdict.value == "proved"
    assert check(f"{left} < {right}", given="x <= y").verdict.value == "refuted"
    assert check(f"{left} > {right}", given="x < y").verdict.value == "refuted"


@pytest.mark.parametrize("huge", [10**6, 10**18])
def test_huge_powers_are_not_written_out(huge):
    u = Symbol("u", real=True)
    assert not Known().equal((1 + u) ** Integer(huge), (2 + u) ** Integer(huge))
    assert not Known().equal(1 / (1 + exp(Integer(huge))), 1 / (2 + exp(Integer(huge - 1))))
