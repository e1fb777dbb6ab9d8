"""Examples of unknown functions: negative numbers, and divergences that are not defined."""

import pytest
from numpy.random import default_rng
from sympy import Integer, Integral, Rational, Sum, exp, log, oo, tanh
from sympy import Symbol as Variable

from dpbook import Every, Relation, symbol
from dpbook.engine.language.statement import unfold_definitions
from dpbook.engine.language.task import make_task
from dpbook.engine.refute.finite_models import Model, decided
from dpbook.privacy.any_distributions import (
    AnyDistribution,
    AnyEvent,
    AnyFiniteDistribution,
    AnyFunction,
    AnyWholeDistribution,
    Releases,
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


W, Z = AnyWholeDistribution("W", 0), AnyWholeDistribution("Z", -oo)
j = Variable("j", integer=True)


def mean(weight, distribution=W, start=0):
    """Return a series over the numbers of a distribution, or over those of Z below 0."""
    at = j if start == 0 else -1 - j
    return Sum(distribution.density(at) * weight(at), (j, 0, oo))


i = Variable("i", integer=True)
mean_of_another = Sum(AnyWholeDistribution("V", 1).density(i) * i, (i, 1, oo))


@pytest.mark.parametrize(
    ("false", "true"),
    [
        ((mean(lambda at: 1), "<=", Rational(9, 10)), (mean(lambda at: 1), "==", 1)),
        ((mean(lambda at: 1, Z), "==", 1), (mean(lambda at: 1, Z), "<=", 1)),
        ((mean(lambda at: 1, Z, -1), "<=", Rational(1, 2)), (mean(lambda at: 1, Z, -1), ">=", 0)),
        (
            (mean(lambda at: at), "<=", 5),
            (mean(lambda at: at), ">=", 0),
        ),  # two thirds of each, and so on
        (
            (mean(lambda at: at, Z, -1), "<=", -1),
            (mean(lambda at: at, Z, -1), "<=", -mean(lambda at: 1, Z, -1)),
        ),
        (
            (mean(lambda at: at**2), "<=", mean(lambda at: at) ** 2),
            (mean(lambda at: at**2), ">=", mean(lambda at: at) ** 2),
        ),
        ((mean(W.density), "<", 1), (mean(W.density), "<=", 1)),
        (
            (mean(lambda at: at * mean_of_another), "==", mean(lambda at: at**2)),
            (mean(lambda at: at * mean_of_another), "==", mean(lambda at: at) * mean_of_another),
        ),
    ],
)
def test_series_of_distributions_on_whole_numbers_are_exact(false, true):
    assert outcome(false).verdict.value == "refuted"
    assert outcome(true).verdict.value == "supported"


def test_a_distribution_on_whole_numbers_is_drawn_on_two_points_and_without_an_end():
    numbers = Model(default_rng(0), 1)
    masses = Z.density(j).function
    tables = [masses.example(6, numbers.rng) for _ in range(100)]
    assert any(table[0] < 0 and table[1] and table[2] for table in tables)  # geometric, both ways
    assert any(not (table[1] or table[2]) and sum(map(bool, table[3:])) == 2 for table in tables)
    for table in tables:
        numbers.tables = {(masses, ()): table}
        total = mean(lambda at: 1, Z) + mean(lambda at: 1, Z, -1)
        assert numbers.value(total, {}) == 1


def test_numbers_below_0_are_tried_too():
    def below(op):
        return Every(j, Relation(Z.density(j), op, Rational(1, 3)), [j <= -1])

    even = Every(j, Relation(Z.density(j), "==", Z.density(-j)))
    assert outcome(below("<=")).verdict.value == "refuted"
    assert outcome(below("<="), [Z.density(-2) <= Rational(1, 2)]).verdict.value == "refuted"
    assert outcome((Z.density(-1), "<=", Z.density(1)), [even]).verdict.value == "supported"


def test_a_distribution_on_whole_numbers_may_depend_on_a_state():
    here, there = (AnyWholeDistribution("K", 0, state) for state in (c, c + 1))
    near = Every(j, Relation(here.density(j), "<=", 2 * there.density(j)), [j >= 0])
    more = mean(lambda at: here.density(at), there), mean(lambda at: there.density(at), there)
    assert outcome((here.density(0), "<=", there.density(0))).verdict.value == "refuted"
    assert outcome((more[0], "<=", more[1]), [near]).verdict.value == "refuted"
    assert outcome((more[0], "<=", 2 * more[1]), [near]).verdict.value == "supported"


def test_numbers_that_no_example_tries_one_by_one_count_too():
    """A mixture over all numbers, a condition far out, and sums on both sides."""
    mixed = Sum(W.density(i) * AnyWholeDistribution("K", 0, i).density(0), (i, 0, oo))
    assert outcome((mixed, "==", W.density(0))).verdict.value == "refuted"
    assert outcome((mixed, "<=", 1)).verdict.value == "supported"
    far = Every(j, Relation(W.density(j), "<=", Integer(0)), [j >= 13])
    assert outcome((W.density(20), "==", 0)).verdict.value == "refuted"
    assert outcome((W.density(20), "==", 0), [far]).verdict.value == "supported"
    even = Every(j, Relation(Z.density(j), "==", Z.density(-j)))
    above = mean(lambda at: 1, Z)
    assert outcome((above, "==", Rational(1, 2)), [even]).verdict.value == "refuted"
    assert outcome((above, ">=", Rational(1, 2)), [even]).verdict.value == "supported"
    shifted = Sum(Z.density(j - 3), (j, 0, oo))
    assert outcome((above, ">=", shifted)).verdict.value == "refuted"
    assert outcome((above, "<=", shifted)).verdict.value == "supported"


def test_a_condition_that_no_distribution_meets_decides_nothing():
    equal = Every(j, Relation(W.density(j), "==", W.density(j + 1)), [j >= 0])
    for given in (equal, Every(j, Relation(W.density(j), ">=", Rational(1, 100)), [j >= 0])):
        assert outcome((W.density(0), "==", 7), [given]).verdict.value == "undecided"


def test_a_series_that_does_not_converge_refutes_nothing():
    found = outcome((mean(lambda at: 3**at), "<=", 5))
    assert found.verdict.value == "refuted"
    assert "times" not in str(found.counterexample)
    assert outcome((mean(lambda at: 3**at), ">=", 1)).verdict.value == "supported"


@pytest.mark.parametrize("low", [Rational(1, 2), oo, c])
def test_a_distribution_on_whole_numbers_starts_at_one(low):
    """An example has its first mass there: from 1/2 on it had one at 0, and refuted what is true."""
    with pytest.raises(ValueError, match="a whole number or -oo"):
        AnyWholeDistribution("W", low)


def test_a_distribution_without_a_last_outcome_is_not_taken_for_one_up_to_its_first():
    h = Variable("h", real=True)
    with pytest.raises(ValueError, match="no last outcome"):
        unfold_definitions(kl_divergence(*[Releases(AnyWholeDistribution("W", 1, h), h, 2)] * 2))
