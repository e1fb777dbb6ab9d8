"""Composition and post-processing of any two distributions.

The second release may be chosen by the first output: it has a distribution for each first output.
"""

from sympy import Ge

from dpbook import Every, Relation, claim
from dpbook.privacy.any_distributions import AnyDistribution, AnyFiniteDistribution, Then
from dpbook.privacy.claims.sources import DWORK_ROTH, MCSHERRY
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import (
    epsilon,
    first_delta,
    first_outcome,
    first_output,
    last_outcome,
    other_epsilon,
    other_last,
    second_delta,
)
from dpbook.privacy.statements import private

P_1, P_2, Q_1, Q_2 = (AnyDistribution(name) for name in ("P_1", "P_2", "Q_1", "Q_2"))
P_GIVEN, Q_GIVEN = (AnyDistribution(name, first_output) for name in ("P_2", "Q_2"))
R = AnyDistribution("R")
BOTH_P, BOTH_Q = Then(P_1, first_output, P_GIVEN), Then(Q_1, first_output, Q_GIVEN)
PAIR_P, PAIR_Q = Then(P_1, first_output, P_2), Then(Q_1, first_output, Q_2)

F_1, G_1 = (AnyFiniteDistribution(name, last_outcome) for name in ("F_1", "G_1"))
F_GIVEN, G_GIVEN = (
    AnyFiniteDistribution(name, other_last, first_outcome) for name in ("F_2", "G_2")
)
BOTH_F, BOTH_G = Then(F_1, first_outcome, F_GIVEN), Then(G_1, first_outcome, G_GIVEN)


def measurable(first, second, loss):
    """State that both divergences of two distributions of two outputs exist.

    It means that their densities are measurable in both outputs.
    """
    return [Ge(hockey_stick(first, second, loss), 0), Ge(hockey_stick(second, first, loss), 0)]


@claim(
    "composition-adaptive",
    source=DWORK_ROTH,
    place="Theorem 3.16, the second release chosen by the first",
    given=lambda: [
        private(P_1, Q_1, epsilon, first_delta),
        Every(first_output, private(P_GIVEN, Q_GIVEN, other_epsilon, second_delta)),
        *measurable(BOTH_P, BOTH_Q, epsilon + other_epsilon),
    ],
)
def privacy_of_two_releases():
    """Privacy of two releases, where the second may depend on the first output."""
    return private(BOTH_P, BOTH_Q, epsilon + other_epsilon, first_delta + second_delta)


@claim(
    "composition-independent",
    source=DWORK_ROTH,
    place="Theorem 3.16, independent releases",
    given=lambda: [
        private(P_1, Q_1, epsilon, first_delta),
        private(P_2, Q_2, other_epsilon, second_delta),
        *measurable(PAIR_P, PAIR_Q, epsilon + other_epsilon),
    ],
)
def privacy_of_two_independent_releases():
    """Privacy of two independent releases."""
    return private(PAIR_P, PAIR_Q, epsilon + other_epsilon, first_delta + second_delta)


@claim(
    "composition-parallel",
    source=MCSHERRY,
    place="parallel composition, two parts",
    given=lambda: [
        private(P_1, Q_1, epsilon, first_delta),
        *measurable(Then(P_1, first_output, R), Then(Q_1, first_output, R), epsilon),
    ],
)
def privacy_of_releases_from_two_parts():
    """Privacy of two releases from parts of the data that have no record in common.

    A record stands in one part: the release from the other has one distribution for both neighbours.
    """
    return private(Then(P_1, first_output, R), Then(Q_1, first_output, R), epsilon, first_delta)


@claim(
    "composition-adaptive-finite",
    source=DWORK_ROTH,
    place="Theorem 3.16, the second release chosen by the first",
    given=lambda: [
        private(F_1, G_1, epsilon, first_delta),
        Every(
            first_outcome,
            private(F_GIVEN, G_GIVEN, other_epsilon, second_delta),
            (Relation(first_outcome, "<=", last_outcome),),
        ),
    ],
)
def privacy_of_two_finite_releases():
    """Privacy of two releases on finitely many outcomes, the second chosen by the first."""
    return private(BOTH_F, BOTH_G, epsilon + other_epsilon, first_delta + second_delta)
