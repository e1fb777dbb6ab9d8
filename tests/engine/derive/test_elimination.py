"""A relation becomes a formula of polynomials that is true at the same points."""

import pytest
import sympy
from flint import fmpq
from sympy import Abs, Rational, Symbol, log, sqrt

from dpbook.engine.derive.comparison import holds
from dpbook.engine.derive.elimination import FALSE, TRUE, Eliminator, NotPlain, negation, put_in
from dpbook.engine.language.statement import Both, Either, Relation

x = Symbol("x", real=True)
POINTS = [Rational(k, 2) for k in range(-9, 10)]


def opened(tree):
    return Eliminator().truth(tree)


def at(formula, value):
    """Return the truth of a formula at a value of x."""
    return {TRUE: True, FALSE: False}[put_in(formula, lambda e: e.xreplace({x: value}))]


with sympy.evaluate(False):
    TREES = [
        Relation(sqrt(x + 2), "==", x),
        Relation(sqrt(x + 2), ">", x),
        Relation(Abs(x - 1), "<=", Rational(3, 2)),
        Relation(1 / x, ">", sympy.Integer(1)),
        Relation((x**2 - 1) / (x - 1), "==", sympy.Integer(2)),
        Relation(sqrt(x) * sqrt(x - 1), ">=", sympy.Integer(0)),
        Relation(sympy.Max(x, 1), "==", x),
        Both((Relation(1 / x, "<=", x), Relation(x, "!=", sympy.Integer(1)))),
        Either((Relation(sqrt(x), "<", sympy.Integer(1)), Relation(x, "<", sympy.Integer(-1)))),
    ]


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_formula_is_true_where_the_relation_is_and_its_negation_elsewhere(tree):
    formula = opened(tree)
    opposite = negation(formula)
    for value in POINTS:
        there = holds(tree, {x: fmpq(int(value.p), int(value.q))})
        assert there is not None
        assert at(formula, value) is there
        assert at(opposite, value) is not there


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_formula_holds_polynomials_only(tree):
    assert all(r.lhs.is_polynomial(x) for r in opened(tree).relations())


def test_logarithm_keeps_its_positive_argument():
    formula = opened(Relation(log(x), "<=", sympy.Integer(0)))
    for value, there in ((Rational(-1), False), (Rational(1, 2), True), (Rational(2), False)):
        assert at(formula, value) is there


def test_sum_is_not_opened():
    k = Symbol("k", integer=True)
    with pytest.raises(NotPlain):
        opened(Relation(sympy.Sum(x**k, (k, 0, 3)), ">", sympy.Integer(0)))
