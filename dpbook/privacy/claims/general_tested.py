"""Propose-test-release, both ways: privacy of the two distributions of the output."""

from sympy import Eq, Le, Max, exp

from dpbook import claim, step
from dpbook.privacy.any_distributions import OrNull, distribution_for
from dpbook.privacy.claims.sources import DWORK_LEI
from dpbook.privacy.claims.tested_releases import HERE_OUT, THERE_OUT, P, Q
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import (
    at,
    density_1,
    density_3,
    epsilon,
    first_delta,
    multiple,
    other_epsilon,
    share,
    weight,
)
from dpbook.privacy.statements import private


def chances():
    """State that the chances of a refusal are within exp(epsilon), both ways."""
    return [
        1 - share <= exp(epsilon) * (1 - weight),
        1 - weight <= exp(epsilon) * (1 - share),
    ]


def exchanged():
    """Return the substitution that exchanges the datasets."""
    return {share: weight, weight: share, **distribution_for(P, Q), **distribution_for(Q, P)}


@claim(
    "propose-test-release-refused-both",
    source=DWORK_LEI,
    place="propose-test-release, where the test passes with probability delta at most",
    given=lambda: [*chances(), share <= first_delta, weight <= first_delta],
    using=["propose-test-release-refused", ("propose-test-release-refused", exchanged)],
)
def privacy_where_tests_fail():
    """Privacy of a tested release, whatever the releases, where both tests pass with a small chance."""
    return private(HERE_OUT, THERE_OUT, epsilon, first_delta)


@claim(
    "propose-test-release-passed-both",
    source=DWORK_LEI,
    place="propose-test-release, where the release is private",
    given=lambda: [
        *chances(),
        share <= exp(epsilon) * weight,
        weight <= exp(epsilon) * share,
        private(P, Q, other_epsilon, first_delta),
    ],
    using=["propose-test-release-passed", ("propose-test-release-passed", exchanged)],
)
def privacy_where_releases_are_private():
    """Privacy of a tested release that is private itself: the losses add up."""
    return private(HERE_OUT, THERE_OUT, epsilon + other_epsilon, first_delta)


# --- null is an output of its own -----------------------------------------------------------------

HERE_OR_NULL, THERE_OR_NULL = OrNull(share, P), OrNull(weight, Q)


@claim(
    "null-where-a-test-fails",
    source=DWORK_LEI,
    place="propose-test-release, where the test passes with probability delta at most",
    given=lambda: [chances()[0], share <= first_delta],
)
def privacy_of_null_where_a_test_fails():
    """Privacy of a draw or null, whatever the draws, where the test passes with a small chance."""
    return Le(hockey_stick(HERE_OR_NULL, THERE_OR_NULL, epsilon), first_delta)


def whole_loss():
    """Return the loss of a test and of a draw."""
    return Eq(multiple, epsilon + other_epsilon)


@claim(
    "excess-of-a-draw",
    source=DWORK_LEI,
    place="propose-test-release, at one draw",
    given=lambda: [share <= exp(epsilon) * weight, whole_loss()],
    proof=lambda: [
        step("the losses", Eq(exp(multiple), exp(epsilon) * exp(other_epsilon))),
        step(
            "draws",
            share * (exp(other_epsilon) * density_3)
            <= exp(epsilon) * weight * (exp(other_epsilon) * density_3),
        ),
        step(
            "the excess of a draw",
            share * density_1 - share * (exp(other_epsilon) * density_3)
            <= share * Max(density_1 - exp(other_epsilon) * density_3, 0),
        ),
        step("is not negative", share * Max(density_1 - exp(other_epsilon) * density_3, 0) >= 0),
    ],
)
def excess_of_a_draw():
    """Excess of the density of a draw, where the chances of the test are within a factor."""
    return Le(
        Max(share * density_1 - exp(multiple) * (weight * density_3), 0),
        share * Max(density_1 - exp(other_epsilon) * density_3, 0),
    )


@claim(
    "draw-where-a-test-passes",
    source=DWORK_LEI,
    place="propose-test-release, where the release is private",
    given=lambda: [
        chances()[0],
        share <= exp(epsilon) * weight,
        hockey_stick(P, Q, other_epsilon) <= first_delta,
        whole_loss(),
    ],
    using=[
        (
            "excess-of-a-draw",
            lambda: {density_1: P.density(at), density_3: Q.density(at)},
        )
    ],
    proof=lambda: [
        step("the losses", Eq(exp(multiple), exp(epsilon) * exp(other_epsilon))),
        step("null", 1 - share <= exp(multiple) * (1 - weight)),
    ],
)
def privacy_of_a_draw_or_null():
    """Privacy of a draw or null, where the draw is private: the losses add up."""
    return Le(hockey_stick(HERE_OR_NULL, THERE_OR_NULL, multiple), first_delta)
