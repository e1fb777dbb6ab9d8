"""Tests and estimators that learn from an output: trade-off functions and Le Cam's bounds.

A test that rejects the first distribution has the first error where that distribution holds, and the second error where
the second distribution holds. Privacy bounds one error by the other, for every test.
"""

from sympy import Eq, Ge, Integer, Le, Max, erfc, exp, sqrt

from dpbook import Relation, claim, step
from dpbook.privacy.any_distributions import AnyDistribution, AnyTest
from dpbook.privacy.claims.sources import BALLE_WANG, DONG, DWORK_ROTH, HERE, TSYBAKOV
from dpbook.privacy.distributions import Mixture
from dpbook.privacy.divergences import hockey_stick, normal_profile, total_variation
from dpbook.privacy.notation import (
    distance,
    epsilon,
    first_delta,
    multiple,
    share,
    threshold,
)
from dpbook.privacy.statements import Exceeding, private, probability

P, Q = AnyDistribution("P"), AnyDistribution("Q")
P_1, P_2, Q_1, Q_2 = (AnyDistribution(name) for name in ("P_1", "P_2", "Q_1", "Q_2"))
phi = AnyTest("phi")


def first_error(distribution):
    """Return the probability that the test rejects the distribution."""
    return probability(distribution, phi)


def second_error(distribution):
    """Return the probability that the test does not reject, where another distribution holds."""
    return 1 - probability(distribution, phi)


# --- trade-off functions --------------------------------------------------------------------------


@claim(
    "trade-off-of-private",
    source=DONG,
    place="errors of private distributions",
    given=lambda: [private(P, Q, epsilon, first_delta)],
)
def errors_of_a_test_of_private_distributions():
    """Second error of any test of two private distributions, by its first error."""
    level = first_error(P)
    return [
        Ge(second_error(Q), 1 - first_delta - exp(epsilon) * level),
        Ge(second_error(Q), exp(-epsilon) * (1 - first_delta - level)),
        Ge(second_error(Q), Integer(0)),
    ]


# --- Gaussian privacy -------------------------------------------------------------------------------


def loss_at(threshold_of_test):
    """Return the loss at the output at which a test of two unit Normals begins to reject."""
    return distance * threshold_of_test - distance**2 / 2


def false_alarm():
    """First error of the test of two unit Normals that rejects above the threshold."""
    return erfc(threshold / sqrt(2)) / 2


def missed():
    """Second error of that test."""
    return erfc((distance - threshold) / sqrt(2)) / 2


@claim("tests-of-an-excess", source=BALLE_WANG, place="Theorem 5, for tests; any loss")
def test_below_an_excess():
    """Probability that a test accepts, by the probability under another distribution and the excess at any loss."""
    return Le(
        probability(P, phi),
        exp(multiple) * probability(Q, phi) + hockey_stick(P, Q, multiple),
    )


# --- Gaussian privacy, both ways --------------------------------------------------------------------


@claim(
    "gaussian-trade-off",
    source=DONG,
    place="Corollary 2.13, from the profile to the errors of tests",
    given=lambda: [
        hockey_stick(P, Q, loss_at(threshold)) <= normal_profile(distance, loss_at(threshold)),
        first_error(Q) <= false_alarm(),
    ],
    using=[("tests-of-an-excess", lambda: {multiple: loss_at(threshold)}), "trade-off-normal"],
    proof=lambda: [
        step(
            "the first error, times the factor of the loss",
            exp(loss_at(threshold)) * first_error(Q) <= exp(loss_at(threshold)) * false_alarm(),
        ),
    ],
)
def errors_of_a_test_of_gaussian_private_distributions():
    """Second error of any test, by the second error for two unit Normals with no smaller first error."""
    return Ge(second_error(P), missed())


def best():
    """Return the threshold above which one of two unit Normals exceeds the other by exp(epsilon)."""
    return epsilon / distance + distance / 2


def above(start):
    """Return the excess of one unit Normal over a multiple of another, above a threshold."""
    return erfc((start - distance) / sqrt(2)) / 2 - exp(epsilon) * erfc(start / sqrt(2)) / 2


@claim("threshold-beside-the-best", source=DONG, place="Corollary 2.13, proof")
def excess_above_a_threshold_beside_the_best():
    """Excess of two unit Normals above any threshold, below the excess above the best threshold."""
    return Le(above(best() + multiple), above(best()))


@claim(
    "best-threshold-normal",
    source=DONG,
    place="Corollary 2.13, proof",
    using=[("threshold-beside-the-best", lambda: {multiple: threshold - best()})],
)
def excess_above_any_threshold():
    """Excess of two unit Normals above any threshold, below their smallest delta."""
    return Le(above(threshold), normal_profile(distance, epsilon))


@claim(
    "gaussian-profile-of-trade-off",
    source=DONG,
    place="Corollary 2.13, from the errors of tests to the profile",
    given=lambda: [
        Relation(probability(Q, largest_excess()), "==", false_alarm()),
        Relation(1 - probability(P, largest_excess()), ">=", missed()),
    ],
    using=[("events-attained", lambda: {multiple: epsilon}), "best-threshold-normal"],
    proof=lambda: [
        step("the other tail", Eq(1 - missed(), erfc((threshold - distance) / sqrt(2)) / 2)),
    ],
)
def profile_of_gaussian_private_distributions():
    """Hockey-stick divergence, where the errors of its own event are no better than of two unit Normals."""
    return Le(hockey_stick(P, Q, epsilon), normal_profile(distance, epsilon))


def largest_excess():
    """Return the event at which the divergence is attained."""
    return Exceeding(P, Q, epsilon)


# --- Le Cam ---------------------------------------------------------------------------------------


@claim("le-cam-two-points", source=TSYBAKOV, place="Theorem 2.2, by total variation")
def errors_of_a_test_of_two_distributions():
    """Sum of the two errors of any test of two distributions."""
    return Ge(first_error(P) + second_error(Q), 1 - total_variation(Q, P))


def mixed(first, second):
    """Return a combination of two numbers with the weights of a mixture."""
    return share * first + (1 - share) * second


@claim(
    "le-cam-hulls",
    source=HERE,
    place="Le Cam's bound for mixtures of two distributions",
    proof=lambda: [
        step(
            "the two mixtures",
            mixed(first_error(P_1), first_error(P_2))
            - mixed(probability(Q_1, phi), probability(Q_2, phi))
            >= -total_variation(*mixtures()),
        ),
        step(
            "the first error of a mixture",
            mixed(first_error(P_1), first_error(P_2)) <= Max(first_error(P_1), first_error(P_2)),
        ),
        step(
            "its second error",
            mixed(second_error(Q_1), second_error(Q_2))
            <= Max(second_error(Q_1), second_error(Q_2)),
        ),
    ],
)
def errors_of_a_test_of_mixtures():
    """Sum of the largest two errors of any test of two pairs of distributions, by mixtures of each pair."""
    return Ge(
        Max(first_error(P_1), first_error(P_2)) + Max(second_error(Q_1), second_error(Q_2)),
        1 - total_variation(*mixtures()),
    )


def mixtures():
    """Return the mixtures of the distributions with the second error, and with the first error."""
    return [
        Mixture(distributions, [share, 1 - share]) for distributions in ((Q_1, Q_2), (P_1, P_2))
    ]


@claim(
    "le-cam-private",
    source=DWORK_ROTH,
    place="Definition 2.4, as a bound on tests",
    given=lambda: [private(P, Q, epsilon, first_delta)],
    using=["trade-off-of-private"],
)
def errors_of_a_test_of_two_private_distributions():
    """Sum of the errors of any test of two private distributions."""
    return Ge((1 + exp(epsilon)) * (first_error(P) + second_error(Q)), 2 * (1 - first_delta))
