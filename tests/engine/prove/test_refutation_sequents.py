"""What shows that a statement fails: at a point, or for all large values of an index."""

import pytest
import sympy
from sympy import Ge, Gt, Le, Or, Rational, gamma, log, sqrt

from dpbook import symbol
from dpbook.engine.language.statement import Eventually, Order, as_tree
from dpbook.engine.language.task import make_task
from dpbook.engine.language.terms import Untranslatable
from dpbook.engine.prove.certify import certify_failure
from dpbook.engine.prove.refutation_sequents import failing, refutes

n = symbol("n", integer=True, at_least=1)
bounded = symbol("m", integer=True, at_least=1, at_most=5)
x = symbol("x", above=0)
y = symbol("y", at_least=0)


def eventually(index, relation, given=()):
    with sympy.evaluate(False):
        return Eventually(index, relation()), [as_tree(g) for g in given]


def test_what_fails_for_every_large_value_is_refuted():
    with sympy.evaluate(False):
        task = make_task(Eventually(n, 3 * n**6 >= n**10))
    found = certify_failure(task, {})
    assert found is not None
    assert refutes(task.form, task.given, {}, found.sequent)


@pytest.mark.parametrize("relation", [lambda: Gt(n**2, 3 * n), lambda: Gt((-1) ** n, 0)])
def test_what_holds_again_and_again_is_not_refuted(relation):
    with sympy.evaluate(False):
        task = make_task(Eventually(n, relation()))
    assert certify_failure(task, {}) is None


def test_failure_of_one_statement_is_none_of_another():
    form, given = eventually(n, lambda: Le(n**3, n))
    other, _ = eventually(n, lambda: Le(n**3, n + 1))
    for s in failing(form, given, {}):
        assert refutes(form, given, {}, s)
        assert not refutes(other, given, {}, s)


@pytest.mark.parametrize(
    ("index", "relation", "given"),
    [
        (bounded, lambda: Ge(bounded, 6), []),  # no large value
        (n, lambda: Le(n**3, n), [Le(n, 5)]),  # none under the condition
        (n, lambda: Le(n * x, 1), []),  # another symbol
    ],
)
def test_failure_that_might_be_one_of_nothing_is_refused(index, relation, given):
    form, trees = eventually(index, relation, given)
    with pytest.raises(Untranslatable):
        failing(form, trees, {})


@pytest.mark.parametrize(
    ("relation", "point"),
    [
        (lambda: Ge(log(y), y - 1), {"y": "0"}),  # no logarithm
        (lambda: Ge(1 / (y - 3), 0), {"y": "3"}),
        (lambda: Le(sqrt(y - 2), y), {"y": "1"}),
        (lambda: Or(Le(y, 0), Le(log(y), y)), {"y": "0"}),  # all sides are to have a value
    ],
)
def test_point_where_a_side_has_no_value_refutes(relation, point):
    with sympy.evaluate(False):
        task = make_task(relation())
    found = certify_failure(task, point)
    assert found is not None
    assert refutes(task.form, task.given, point, found.sequent)


@pytest.mark.parametrize(
    "relation",
    [
        lambda: Ge(gamma(y - Rational(1, 2)) ** 2, 0),  # gamma has values at -1/2
        lambda: Ge((y - 1) ** 2, 0),  # a power that needs nothing
    ],
)
def test_what_is_enough_for_a_value_but_not_needed_refutes_nothing(relation):
    with sympy.evaluate(False):
        task = make_task(relation())
    assert certify_failure(task, {"y": "0"}) is None


def test_limit_from_which_a_sequence_stays_away_is_refuted():
    with sympy.evaluate(False):
        task = make_task(Order(2 * n, 4 * n + 1, n, limit=1))
        other = make_task(Order(2 * n, 2 * n + 1, n, limit=1))
    found = certify_failure(task, {})
    assert found is not None
    assert refutes(task.form, task.given, {}, found.sequent)
    assert not refutes(other.form, other.given, {}, found.sequent)
    assert certify_failure(other, {}) is None
