"""Statements about any model: what is proved of them, and what must not be."""

import pytest
from sympy import Eq, Le, Or, evaluate

from dpbook.contamination.any_models import AnyFunction, integral
from dpbook.contamination.notation import eta, theta, x, y, y_1, z
from dpbook.engine.language.statement import Every, ForAll, as_tree
from dpbook.engine.language.task import make_task
from dpbook.engine.prove.certify import certify
from dpbook.engine.refute.finite_models import models
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent

prior, d, A = AnyDistribution("pi_0"), AnyFunction("d", 2), AnyEvent("A")


def mass(record, part=1):
    return integral(part * prior.density(theta) * d(record, theta), theta)


def statement(first, second, outside):
    """That the mass given a record is below that given another one and what is outside A."""
    within = Le(d(y, theta), eta * d(y_1, theta))
    ratios = Every(y, Every(y_1, Every(theta, Or(Eq(A.indicator(theta), 0), within))))
    exist = [Le(0, mass(x)), Le(0, mass(z)), Le(0, mass(first, 1 - A.indicator(theta)))]
    bound = eta * mass(second) + (mass(first, 1 - A.indicator(theta)) if outside else 0)
    return Le(mass(first), bound), [ratios, *exist]


@pytest.mark.parametrize(("outside", "proved"), [(True, True), (False, False)])
def test_a_bound_on_a_set_of_parameters_needs_what_is_outside(outside, proved):
    with evaluate(False):
        claim, given = statement(x, z, outside)
        task = make_task(claim, given)
    assert (certify(task) is not None) is proved


def test_a_record_lies_in_a_cell_of_an_example():
    with evaluate(False):
        relation = as_tree(Le(mass(x), mass(z)))
        found = next(iter(models(ForAll(relation), [], seed=1)))
    assert set(found.points) == {x, z}
    assert {found.holds(relation, {}), True} <= {True, False}
    assert "in cell" in dict(found.told())["x"]


def test_a_density_at_a_record_is_as_large_as_it_likes():
    with evaluate(False):
        relation = as_tree(Le(prior.density(x), 1))
        found = list(models(ForAll(relation), [], seed=1))
    assert {model.holds(relation, {}) for model in found} == {True, False}
    assert any("densities times 3" in dict(model.told())["x"] for model in found)
