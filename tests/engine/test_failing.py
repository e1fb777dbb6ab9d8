"""What shows that a statement about all large values of an index fails."""

import pytest
import sympy
from sympy import Ge, Gt, Le

from dpbook import symbol
from dpbook.engine.certify import certify_failure
from dpbook.engine.failing import failing, refutes
from dpbook.engine.sequents import Untranslatable
from dpbook.engine.statement import Eventually, as_tree
from dpbook.engine.task import make_task

n = symbol("n", integer=True, at_least=1)
bounded = symbol("m", integer=True, at_least=1, at_most=5)
x = symbol("x", above=0)


def eventually(index, relation, given=()):
    with sympy.evaluate(False):
        return Eventually(index, relation()), [as_tree(g) for g in given]


def test_what_fails_for_every_large_value_is_refuted():
    with sympy.evaluate(False):
        task = make_task(Eventually(n, 3 * n**6 >= n**10))
    found = certify_failure(task, {})
    assert found is not None
    assert not found.trust.oracles
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
