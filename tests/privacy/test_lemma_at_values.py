"""A claim that a check uses at values of its symbols."""

import pytest
from sympy import exp

from dpbook import check, symbol
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent
from dpbook.privacy.notation import first_delta
from dpbook.privacy.statements import private, probability

P, Q, A = AnyDistribution("P"), AnyDistribution("Q"), AnyEvent("A")
epsilon = symbol("epsilon", above=0)


@pytest.mark.parametrize("several", [True, False])
def test_lemma_at_a_delta_of_0(several):
    pair = ("privacy:events", lambda: {first_delta: 0})
    statement = (probability(P, A), "<=", exp(epsilon) * probability(Q, A))
    given = [private(P, Q, epsilon)]
    found = check(statement, given=given, using=[pair] if several else pair)
    assert found.verdict.value == "proved"
    false = (probability(P, A), "<=", exp(epsilon / 2) * probability(Q, A))
    assert check(false, given=given, using=[pair]).verdict.value == "refuted"
