"""Mixtures with weights that are numbers, in statements."""

import pytest
from sympy import Rational, evaluate

from dpbook import check, symbol
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.distributions import Finite, Mixture, Normal
from dpbook.privacy.statements import private

P, Q = AnyDistribution("P"), AnyDistribution("Q")
epsilon = symbol("epsilon", above=0)


@pytest.mark.parametrize("weights", [[Rational(1, 10), Rational(9, 10)], None])
def test_weights_of_a_mixture_may_be_numbers(weights):
    mixed = Mixture([P, Q], weights)
    given = [private(P, Q, epsilon)]
    found = check(private(mixed, Q, epsilon), given=given)
    assert found.verdict.value in ("proved", "supported")
    assert "Mixture((P, Q)" in found.statement
    assert check(private(mixed, Q, epsilon / 10), given=given).verdict.value == "refuted"


def test_distributions_are_built_with_evaluation_off():
    with evaluate(False):
        assert Finite([Rational(1, 3), Rational(2, 3)]).probabilities[1] == Rational(2, 3)
        assert len(Mixture([Normal(0, 1), Normal(1, 1)]).weights) == 2
        for wrong in ([Rational(1, 3), Rational(1, 3)], [Rational(4, 3), Rational(-1, 3)]):
            with pytest.raises(ValueError, match="must"):
                Mixture([Normal(0, 1), Normal(1, 1)], wrong)
