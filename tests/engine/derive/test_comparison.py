"""Two lines are compared: equivalent, one follows from the other, or a point shows that they differ."""

import pytest
import sympy
from flint import fmpq
from sympy import Abs, Rational, Symbol, exp, log, sqrt

from dpbook.engine.derive.comparison import Comparison, holds, undefined_at
from dpbook.engine.derive.elimination import TRUE
from dpbook.engine.language.budget import Deadline
from dpbook.engine.language.statement import Both, Either, Relation
from dpbook.engine.language.verdict import Verdict

x, y = Symbol("x", real=True), Symbol("y", real=True)


def rel(lhs, op, rhs):
    return Relation(sympy.sympify(lhs), op, sympy.sympify(rhs))


def comparison(*given):
    return Comparison(given, 0, Deadline.after(20.0))


SQUARE = rel(x**2, "==", 4)
BOTH = Either((rel(x, "==", 2), rel(x, "==", -2)))
EQUIVALENT = [
    (SQUARE, BOTH, ()),
    (SQUARE, rel(x, "==", 2), (rel(x, ">", 0),)),
    (rel(x * y, "==", 0), Either((rel(x, "==", 0), rel(y, "==", 0))), ()),
    (rel(exp(x), ">", 1), rel(x, ">", 0), ()),
    (rel(log(x), ">", 0), rel(x, ">", 1), ()),
    (rel(Abs(x), "<", 1), Both((rel(x, ">", -1), rel(x, "<", 1))), ()),
]
DIFFERENT = [
    (SQUARE, rel(x, "==", 2), ()),
    (rel(x, "==", 2), SQUARE, ()),
    (rel(x * y, "==", 0), rel(x, "==", 0), ()),
    (rel(sqrt(x), ">=", 0), rel(x**2, ">=", 0), ()),
    (rel(x, ">", y), rel(x**2, ">", y**2), ()),
]


@pytest.mark.parametrize(("first", "second", "given"), EQUIVALENT, ids=str)
def test_equivalent_lines_are_proved_and_do_not_seem_wrong(first, second, given):
    assert comparison(*given).compare(first, second).verdict is Verdict.PROVED
    assert not comparison(*given).seems_wrong(first, second)


@pytest.mark.parametrize(("first", "second", "given"), DIFFERENT, ids=str)
def test_lines_that_differ_have_a_point_where_one_is_true_alone(first, second, given):
    found = comparison(*given).compare(first, second)
    assert found.verdict is Verdict.REFUTED
    assert {holds(first, found.point), holds(second, found.point)} == {True, False}
    assert holds(first, found.point) is found.lost
    assert comparison(*given).seems_wrong(first, second)


def test_line_that_only_follows():
    assert comparison().compare(rel(x, "==", 2), SQUARE, implies=True).verdict is Verdict.PROVED
    assert not comparison().seems_wrong(rel(x, "==", 2), SQUARE, implies=True)
    assert comparison().compare(SQUARE, rel(x, "==", 2), implies=True).verdict is Verdict.REFUTED
    assert comparison().seems_wrong(SQUARE, rel(x, "==", 2), implies=True)


def test_roots_that_no_small_number_is_are_tried_too():
    near = rel(x, "==", Rational(141421, 100000))
    assert comparison(rel(x, ">", 0)).seems_wrong(rel(x**2, "==", 2), near)
    assert not comparison(rel(x, ">", 0)).seems_wrong(rel(x**2, "==", 2), rel(x, "==", sqrt(2)))


def test_expressions_are_equal_where_both_are_defined_at_the_same_points():
    with sympy.evaluate(False):
        quotient, root = (x**2 - 1) / (x - 1), sqrt(x**2)
    found = comparison().compare(quotient, x + 1)
    assert found.verdict is Verdict.REFUTED
    assert undefined_at(quotient, found.point)
    assert comparison().seems_wrong(quotient, x + 1)
    apart = comparison(rel(x, "!=", 1))
    assert apart.compare(quotient, x + 1).verdict is Verdict.PROVED
    assert not apart.seems_wrong(quotient, x + 1)
    assert comparison().compare(root, Abs(x)).verdict is Verdict.PROVED
    assert comparison().compare(root, x).verdict is Verdict.REFUTED


def test_condition_on_another_symbol_does_not_bear_on_the_lines():
    assert comparison(rel(y, ">", 0)).compare(SQUARE, rel(x, "==", 2)).verdict is Verdict.REFUTED


def test_point_where_a_side_has_no_value_makes_a_relation_false():
    relation = rel(log(x), "<=", 0)
    assert holds(relation, {x: fmpq(-1)}) is False
    assert holds(relation, {x: fmpq(1)}) is True
    assert holds(TRUE, {}) is True
    assert holds(Either(()), {}) is False
