"""Functions of a sample and events that relations define, as statements hold them."""

import numpy as np
import pytest
import sympy
from sympy import Abs, Eq, Le, Rational

from dpbook import check, symbol
from dpbook.depth_medians.samples import AnyOrdered, AnyQuantity, AnySize, AnyTail, Where
from dpbook.engine.language.statement import Every
from dpbook.engine.language.task import make_task
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.refute.finite_models import example_of
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.statements import probability

P = AnyDistribution("P")
sample = symbol("omega", meaning="a sample")
c = symbol("c", above=0, meaning="a number")
ERROR, ONE, OTHER = AnySize("S"), AnyQuantity("f"), AnyQuantity("g")
SMALL = Where("E", sample, ONE(sample), "<=", c / 2)
FAR = Where("D", sample, ERROR(sample), ">=", c / 2)
LESS_FAR = Where("D", sample, ERROR(sample), ">", c / 2)


def near(*more):
    return [
        Every(sample, OTHER(sample) >= c),
        Every(sample, Le(Abs(ONE(sample) - OTHER(sample)), ERROR(sample))),
        *more,
    ]


def inside(event, other):
    return Every(sample, Le(event.indicator(sample), other.indicator(sample)))


def test_an_event_lies_in_another_where_a_relation_implies_the_other():
    assert check(inside(SMALL, FAR), given=near()).verdict is Verdict.PROVED


def test_a_strict_relation_is_not_implied():
    """Where the function is c / 2 below, the error may be c / 2 exactly."""
    assert check(inside(SMALL, LESS_FAR), given=near()).verdict is not Verdict.PROVED


def test_without_the_bound_an_event_does_not_lie_in_the_other():
    found = check(inside(SMALL, FAR), given=near()[:1])
    assert found.verdict is not Verdict.PROVED


def test_the_larger_event_is_not_less_likely():
    given = [Every(sample, Le(ONE(sample), OTHER(sample)))]
    low = Where("E", sample, OTHER(sample), "<=", c)
    high = Where("D", sample, ONE(sample), "<=", c)
    assert check(Le(probability(P, low), probability(P, high)), given=given).verdict is (
        Verdict.PROVED
    )
    found = check(Le(probability(P, high), probability(P, low)), given=given)
    assert found.verdict is Verdict.REFUTED


def test_a_tail_never_rises():
    tail = AnyTail("T")
    assert check(Le(tail(2 * c), tail(c))).verdict is not Verdict.REFUTED
    assert check(Le(tail(c), tail(2 * c))).verdict is Verdict.REFUTED


def test_an_event_is_told_by_its_relation():
    assert str(SMALL) == "{f(omega) <= c/2}"
    assert not SMALL.free_symbols - {c}
    assert SMALL.func(*SMALL.args) == SMALL


@pytest.mark.parametrize("op", [">", ">=", "<", "<="])
def test_the_indicator_of_an_event_is_0_or_1(op):
    event = Where("E", sample, ONE(sample), op, c)
    assert check(Every(sample, Le(event.indicator(sample), 1))).verdict is Verdict.PROVED


HERE, NEXT = AnyOrdered("X"), AnyOrdered("Y")
rank = symbol("i", integer=True, meaning="a rank")
order = symbol("k", integer=True, meaning="any rank")


def moved_up():
    """One row is replaced by a larger one."""
    return [
        Every(order, Le(HERE(order), NEXT(order))),
        Every(order, Le(NEXT(order), HERE(order + 1))),
    ]


def test_a_spacing_lies_in_a_wider_one_of_a_neighbour():
    with sympy.evaluate(False):
        wider = Le(HERE(rank) - HERE(rank - 1), NEXT(rank) - NEXT(rank - 2))
        found = check(wider, given=moved_up())
    assert found.verdict is Verdict.PROVED


def test_a_spacing_need_not_be_below_the_same_one_of_a_neighbour():
    with sympy.evaluate(False):
        same = Le(HERE(rank) - HERE(rank - 1), NEXT(rank) - NEXT(rank - 1))
        found = check(same, given=moved_up())
    assert found.verdict is not Verdict.PROVED


def test_examples_of_order_statistics_rise():
    rng = np.random.default_rng(0)
    for _ in range(20):
        values = HERE.example(5, rng)
        assert list(values) == sorted(values)


def test_a_point_that_is_named_helps_to_find_an_example_and_a_wrong_one_does_not():
    task = make_task(
        Every(sample, Le(ONE(sample), c)),
        given=[Eq(c, Rational(7, 11)), Every(sample, Le(ONE(sample), c))],
    )
    named = ({"c": Rational(7, 11)},)
    assert example_of(task.form, task.given, 0) is None
    assert example_of(task.form, task.given, 0, ({"c": Rational(1, 2)},)) is None
    assert dict(example_of(task.form, task.given, 0, named))["c"] == "7/11"
