"""Privacy of any two distributions: events, groups, mixtures, good events, total variation.

Each claim holds for all distributions with a density on the line, or for all distributions on finitely many outcomes:
the densities are unknown functions of the proof, and integrals compare point by point.
"""

from sympy import Eq, Integer, Le, exp

from dpbook import claim
from dpbook.privacy.any_distributions import (
    AnyDistribution,
    AnyEvent,
    AnyFiniteDistribution,
    AnyTest,
    distribution_for,
)
from dpbook.privacy.claims.sources import BALLE_WANG, DONG, DWORK_ROTH, HERE
from dpbook.privacy.distributions import Mixture
from dpbook.privacy.divergences import hockey_stick, total_variation
from dpbook.privacy.notation import (
    epsilon,
    first_delta,
    last_outcome,
    multiple,
    other_epsilon,
    second_delta,
    share,
)
from dpbook.privacy.statements import Exceeding, private, probability

P, Q, R = AnyDistribution("P"), AnyDistribution("Q"), AnyDistribution("R")
P_1, P_2, Q_1, Q_2 = (AnyDistribution(name) for name in ("P_1", "P_2", "Q_1", "Q_2"))
F, G, H = (AnyFiniteDistribution(name, last_outcome) for name in ("F", "G", "H"))
F_1, F_2, G_1, G_2 = (
    AnyFiniteDistribution(name, last_outcome) for name in ("F_1", "F_2", "G_1", "G_2")
)
A = AnyEvent("A")


# --- events ---------------------------------------------------------------------------------------


@claim(
    "events",
    source=DWORK_ROTH,
    place="Definition 2.4",
    given=lambda: [private(P, Q, epsilon, first_delta)],
)
def probability_of_every_event():
    """Probability of an event under two distributions that are private."""
    return Le(probability(P, A), exp(epsilon) * probability(Q, A) + first_delta)


@claim(
    "tests",
    source=DWORK_ROTH,
    place="Proposition 2.1, for a decision",
    given=lambda: [private(P, Q, epsilon, first_delta)],
)
def probability_that_a_test_accepts():
    """Probability that a test accepts, which may decide at random: post-processing to a decision."""
    phi = AnyTest("phi")
    return Le(probability(P, phi), exp(epsilon) * probability(Q, phi) + first_delta)


@claim("events-attained", source=BALLE_WANG, place="Theorem 5, at any loss")
def event_of_the_largest_excess():
    """Hockey-stick divergence as the excess at the event where one density exceeds the other."""
    event = Exceeding(P, Q, multiple)
    return Eq(
        hockey_stick(P, Q, multiple), probability(P, event) - exp(multiple) * probability(Q, event)
    )


# --- groups ---------------------------------------------------------------------------------------


@claim(
    "group-of-two",
    source=DWORK_ROTH,
    place="Theorem 2.2, for a group of two",
    given=lambda: [
        private(P, Q, epsilon, first_delta),
        private(Q, R, other_epsilon, second_delta),
    ],
)
def privacy_of_a_group_of_two():
    """Privacy of two distributions that are each private with a third."""
    loss = epsilon + other_epsilon
    return [
        Le(hockey_stick(P, R, loss), first_delta + exp(epsilon) * second_delta),
        Le(hockey_stick(R, P, loss), exp(other_epsilon) * first_delta + second_delta),
    ]


@claim(
    "group-of-two-finite",
    source=DWORK_ROTH,
    place="Theorem 2.2, for a group of two",
    given=lambda: [
        private(F, G, epsilon, first_delta),
        private(G, H, other_epsilon, second_delta),
    ],
)
def privacy_of_a_group_of_two_finite():
    """Privacy of two distributions on finitely many outcomes that are each private with a third."""
    loss = epsilon + other_epsilon
    return [
        Le(hockey_stick(F, H, loss), first_delta + exp(epsilon) * second_delta),
        Le(hockey_stick(H, F, loss), exp(other_epsilon) * first_delta + second_delta),
    ]


# --- mixtures -------------------------------------------------------------------------------------


@claim(
    "mixtures",
    source=HERE,
    place="joint convexity of the hockey-stick divergence",
    given=lambda: [
        private(P_1, Q_1, epsilon, first_delta),
        private(P_2, Q_2, epsilon, second_delta),
    ],
)
def privacy_of_mixtures():
    """Privacy of two mixtures with the same weights."""
    weights = [share, 1 - share]
    return private(
        Mixture([P_1, P_2], weights),
        Mixture([Q_1, Q_2], weights),
        epsilon,
        share * first_delta + (1 - share) * second_delta,
    )


# --- what holds with a smaller delta, or for nearby distributions --------------------------------------------


@claim(
    "good-event",
    source=DWORK_ROTH,
    place="Lemma 3.17, one direction",
    given=lambda: [
        private(P, Q, epsilon, first_delta),
        Le(total_variation(R, P), second_delta),
    ],
)
def privacy_of_a_nearby_distribution():
    """Privacy when one distribution is replaced by one at a small distance in total variation."""
    return [
        Le(hockey_stick(R, Q, epsilon), first_delta + second_delta),
        Le(hockey_stick(Q, R, epsilon), first_delta + exp(epsilon) * second_delta),
    ]


@claim("profile-falls", source=BALLE_WANG, place="Theorem 5")
def smaller_delta_at_a_larger_epsilon():
    """Hockey-stick divergence at a larger loss."""
    return Le(hockey_stick(P, Q, epsilon + other_epsilon), hockey_stick(P, Q, epsilon))


@claim(
    "profile-at-a-larger-loss",
    source=BALLE_WANG,
    place="Theorem 5",
    given=lambda: [Le(other_epsilon, epsilon)],
    using=[
        ("profile-falls", lambda: {epsilon: other_epsilon, other_epsilon: epsilon - other_epsilon})
    ],
)
def larger_loss():
    """Hockey-stick divergence at a larger loss."""
    return Le(hockey_stick(P, Q, epsilon), hockey_stick(P, Q, other_epsilon))


@claim(
    "private-at-a-larger-loss",
    source=BALLE_WANG,
    place="Theorem 5",
    given=lambda: [private(P, Q, other_epsilon, first_delta), Le(other_epsilon, epsilon)],
    using=[
        "profile-at-a-larger-loss",
        ("profile-at-a-larger-loss", lambda: {**distribution_for(P, Q), **distribution_for(Q, P)}),
    ],
)
def privacy_at_a_larger_loss():
    """Privacy of two distributions at a larger loss."""
    return private(P, Q, epsilon, first_delta)


@claim("delta-between", source=HERE)
def range_of_the_hockey_stick_divergence():
    """Hockey-stick divergence between 0 and 1."""
    return [
        Le(hockey_stick(P, Q, epsilon), 1),
        Le(Integer(0), hockey_stick(P, Q, epsilon)),
    ]


@claim("total-variation-symmetric", source=HERE)
def total_variation_is_symmetric():
    """Total variation distance, in either order."""
    return Eq(total_variation(P, Q), total_variation(Q, P))


@claim(
    "private-total-variation",
    source=DONG,
    place="Proposition 2.5 at the diagonal",
    given=lambda: [
        Le(hockey_stick(P, Q, epsilon), first_delta),
        Le(hockey_stick(Q, P, epsilon), second_delta),
    ],
)
def total_variation_of_private_distributions():
    """Total variation distance of two distributions that are private."""
    return Le(
        (1 + exp(epsilon)) * total_variation(P, Q),
        exp(epsilon) - 1 + first_delta + second_delta,
    )
