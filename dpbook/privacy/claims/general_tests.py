"""What a test, or an estimator, can learn from an output: trade-off functions and Le Cam's bounds.

A test that rejects the first law has the first error where that law holds, and the second one where
the other does. Privacy bounds one by the other, for every test.
"""

from sympy import Ge, Integer, Max, exp

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.privacy.any_laws import AnyLaw, AnyTest
from dpbook.privacy.claims.sources import DONG, DWORK_ROTH, HERE, TSYBAKOV
from dpbook.privacy.divergences import total_variation
from dpbook.privacy.laws import Mixture
from dpbook.privacy.notation import epsilon, first_delta, share
from dpbook.privacy.statements import private, probability

P, Q = AnyLaw("P"), AnyLaw("Q")
P_1, P_2, Q_1, Q_2 = (AnyLaw(name) for name in ("P_1", "P_2", "Q_1", "Q_2"))
phi = AnyTest("phi")


def first_error(law):
    """Probability that the test rejects the law."""
    return probability(law, phi)


def second_error(law):
    """Probability that the test does not reject, where another law holds."""
    return 1 - probability(law, phi)


# --- trade-off functions --------------------------------------------------------------------------


@claim(
    "trade-off-of-private",
    source=DONG,
    place="errors of private laws",
    given=lambda: [private(P, Q, epsilon, first_delta)],
)
def errors_of_a_test_of_private_laws():
    """Second error of any test of two private laws, by its first error."""
    level = first_error(P)
    return [
        Ge(second_error(Q), 1 - first_delta - exp(epsilon) * level),
        Ge(second_error(Q), exp(-epsilon) * (1 - first_delta - level)),
        Ge(second_error(Q), Integer(0)),
    ]


# --- Le Cam ---------------------------------------------------------------------------------------


@claim("le-cam-two-points", source=TSYBAKOV, place="Theorem 2.2, by total variation")
def errors_of_a_test_of_two_laws():
    """Sum of the two errors of any test of two laws."""
    return Ge(first_error(P) + second_error(Q), 1 - total_variation(Q, P))


def mixed(first, second):
    """A combination of two numbers with the weights of a mixture."""
    return share * first + (1 - share) * second


@claim(
    "le-cam-hulls",
    source=HERE,
    place="Le Cam's bound for mixtures of two laws",
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
    """Sum of the largest two errors of any test of two pairs of laws, by mixtures of each pair."""
    return Ge(
        Max(first_error(P_1), first_error(P_2)) + Max(second_error(Q_1), second_error(Q_2)),
        1 - total_variation(*mixtures()),
    )


def mixtures():
    """A mixture of the laws with the second error, and one of those with the first."""
    return [Mixture(laws, [share, 1 - share]) for laws in ((Q_1, Q_2), (P_1, P_2))]


@claim(
    "le-cam-private",
    source=DWORK_ROTH,
    place="Definition 2.4, as a bound on tests",
    given=lambda: [private(P, Q, epsilon, first_delta)],
    using=["trade-off-of-private"],
)
def errors_of_a_test_of_two_private_laws():
    """Sum of the errors of any test of two private laws."""
    return Ge((1 + exp(epsilon)) * (first_error(P) + second_error(Q)), 2 * (1 - first_delta))
