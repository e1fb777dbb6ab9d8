"""Examples of unknown functions: negative numbers, and divergences that are not defined."""

import pytest
from numpy.random import default_rng
from sympy import Integral, Rational, exp, log, oo, tanh
from sympy import Symbol as Variable

from dpbook import symbol
from dpbook.engine.language.task import make_task
from dpbook.engine.refute.finite_models import Model, decided
from dpbook.privacy.any_distributions import (
    AnyDistribution,
    AnyEvent,
    AnyFiniteDistribution,
    AnyFunction,
)
from dpbook.privacy.divergences import (
    hockey_stick,
    kl_divergence,
    renyi_divergence,
    renyi_moment,
    total_variation,
)
from dpbook.privacy.statements import private, probability

P, Q, A = AnyDistribution("P"), AnyDistribution("Q"), AnyEvent("A")
c, k = symbol("c"), symbol("k", integer=True)
n, m = symbol("n", integer=True, at_least=0), symbol("m", integer=True)
below = symbol("c", below=0)
strip = symbol("c", above=-7, below=-5)
epsilon = symbol("epsilon", above=0)
density = P.density(Variable("t", real=True))


def outcome(statement, given=()):
    task = make_task(statement, given)
    return decided(task.form, task.given, 0)


@pytest.mark.parametrize(
    ("false", "true"),
    [
        ((c * probability(P, A), "<=", c), (abs(c) * probability(P, A), "<=", abs(c))),
        ((k * probability(P, A), "<=", k), (k**2 * probability(P, A), "<=", k**2)),
        ((probability(P, A), ">=", -c), (probability(P, A), ">=", -abs(c))),
        ((probability(P, A), "<=", exp(c)), (probability(P, A), "<=", exp(abs(c)))),
        (
            (hockey_stick(P, Q, c), "<=", total_variation(P, Q)),
            (hockey_stick(P, Q, abs(c)), "<=", total_variation(P, Q)),
        ),
        ((below * probability(P, A), "<=", below), (below * probability(P, A), ">=", below)),
        ((strip * probability(P, A), "<=", strip), (strip * probability(P, A), ">=", strip)),
        (
            (c * AnyFiniteDistribution("P", n).density(0), "<=", c),
            (c**2 * AnyFiniteDistribution("P", n).density(0), "<=", c**2),
        ),
        (
            (c * AnyFiniteDistribution("P", m).density(0), "<=", c),
            (c**2 * AnyFiniteDistribution("P", m).density(0), "<=", c**2),
        ),
    ],
)
def test_negative_numbers_are_tried(false, true):
    assert outcome(false).verdict.value == "refuted"
    assert outcome(true).verdict.value == "supported"


def test_unknown_functions_take_negative_values():
    t = Variable("t", real=True)
    total = Integral(AnyFunction("E")(t), (t, -oo, oo))
    assert outcome((total, ">=", 0)).verdict.value == "refuted"
    assert outcome((total, "<=", 0)).verdict.value == "refuted"


@pytest.mark.parametrize(
    ("statement", "given", "lacking"),
    [
        ((total_variation(P, Q) ** 2, "<=", kl_divergence(P, Q) / 2), [], "Q(t) > 0"),
        ((total_variation(P, Q) ** 2, "<=", 1 - exp(-kl_divergence(P, Q))), [], "Q(t) > 0"),
        (
            (kl_divergence(P, Q), "<=", epsilon * tanh(epsilon / 2)),
            [private(P, Q, epsilon)],
            "Q(t) > 0",
        ),
        ((renyi_moment(P, Q, 2), ">=", 1), [], "Q(t) > 0"),
        ((renyi_divergence(P, Q, 3), ">=", 0), [], "Q(t) > 0"),
    ],
)
def test_divergence_without_its_condition_is_undecided(statement, given, lacking):
    found = outcome(statement, given)
    assert found.verdict.value == "undecided"
    assert lacking in found.reason
    assert found.counterexample is None


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        ((kl_divergence(P, Q), "<=", epsilon**2 / 4), [private(P, Q, epsilon)]),
        ((total_variation(P, Q) ** 2, "<=", kl_divergence(P, Q) / 9), []),
        ((renyi_moment(P, Q, 2), ">=", Rational(3, 2)), []),
    ],
)
def test_false_bound_on_a_divergence_is_refuted_by_a_value(statement, given):
    found = outcome(statement, given)
    assert found.verdict.value == "refuted"
    assert "undefined" not in found.counterexample.note


@pytest.mark.parametrize(
    "statement",
    [
        (log(c) + probability(P, A), ">=", log(c)),
        (1 / probability(P, A), ">=", 1),
        (probability(P, A) / c, "<=", 1 / c + 1 / c**2),
    ],
)
def test_number_without_a_value_refutes(statement):
    found = outcome(statement)
    assert found.verdict.value == "refuted"


def test_places_are_tried_without_a_whole_number_among_the_values():
    model = Model(default_rng(0), 2, symbols={c: Rational(1, 2)})
    assert model._past() == 1
    assert Model(default_rng(0), 2)._past() == 1
    assert Model(default_rng(0), 2, symbols={c: Rational(-3)})._past() == 1
