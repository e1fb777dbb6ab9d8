"""Propose-test-release: a private test decides whether anything is released.

The output is a refusal, a draw from R that knows no data, or a release. The test passes with the
probability theta on one dataset and with w_1 on its neighbour.
"""

from sympy import Le, Max, exp

from dpbook import claim, step
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.claims.sources import DWORK_LEI
from dpbook.privacy.distributions import Mixture
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import (
    at,
    density_1,
    density_2,
    density_3,
    epsilon,
    first_delta,
    other_epsilon,
    share,
    weight,
)

P, Q, R = AnyDistribution("P"), AnyDistribution("Q"), AnyDistribution("R")
HERE_OUT = Mixture([P, R], [share, 1 - share])
THERE_OUT = Mixture([Q, R], [weight, 1 - weight])


def at_each_output():
    """Return the densities of the release on both datasets, and of the refusal."""
    return {density_1: P.density(at), density_2: R.density(at), density_3: Q.density(at)}


def mixed(chance, release):
    """Return the density of an output, which is a release with a chance."""
    return chance * release + (1 - chance) * density_2


def refusals():
    """State that refusals are at most exp(epsilon) times as likely as on the other dataset."""
    return 1 - share <= exp(epsilon) * (1 - weight)


@claim(
    "excess-where-a-test-fails",
    source=DWORK_LEI,
    place="propose-test-release, at one output",
    given=lambda: [refusals()],
    proof=lambda: [
        step("refusals", (1 - share) * density_2 <= exp(epsilon) * (1 - weight) * density_2),
        step("a release is no loss", exp(epsilon) * weight * density_3 >= 0),
        step("nor is its own mass", share * density_1 >= 0),
    ],
)
def excess_where_a_test_fails():
    """Excess of the density of an output, where the test rarely passes."""
    return Le(
        Max(mixed(share, density_1) - exp(epsilon) * mixed(weight, density_3), 0),
        share * density_1,
    )


@claim(
    "propose-test-release-refused",
    source=DWORK_LEI,
    place="propose-test-release, where the test passes with probability delta at most",
    given=lambda: [refusals(), share <= first_delta],
    using=[("excess-where-a-test-fails", at_each_output)],
)
def privacy_where_a_test_fails():
    """Privacy of a tested release, whatever the release, where the test passes with a small chance."""
    return Le(hockey_stick(HERE_OUT, THERE_OUT, epsilon), first_delta)


@claim(
    "excess-where-a-test-passes",
    source=DWORK_LEI,
    place="propose-test-release, at one output",
    given=lambda: [refusals(), share <= exp(epsilon) * weight],
    proof=lambda: [
        step(
            "refusals",
            (1 - share) * density_2 <= exp(epsilon) * exp(other_epsilon) * (1 - weight) * density_2,
        ),
        step(
            "releases",
            share * (exp(other_epsilon) * density_3)
            <= exp(epsilon) * weight * (exp(other_epsilon) * density_3),
        ),
        step(
            "the excess of a release",
            share * density_1 - share * (exp(other_epsilon) * density_3)
            <= share * Max(density_1 - exp(other_epsilon) * density_3, 0),
        ),
        step("is not negative", share * Max(density_1 - exp(other_epsilon) * density_3, 0) >= 0),
    ],
)
def excess_where_a_test_passes():
    """Excess of the density of an output, where the chances of the test are within a factor."""
    loss = epsilon + other_epsilon
    return Le(
        Max(mixed(share, density_1) - exp(loss) * mixed(weight, density_3), 0),
        share * Max(density_1 - exp(other_epsilon) * density_3, 0),
    )


@claim(
    "propose-test-release-passed",
    source=DWORK_LEI,
    place="propose-test-release, where the release is private",
    given=lambda: [
        refusals(),
        share <= exp(epsilon) * weight,
        hockey_stick(P, Q, other_epsilon) <= first_delta,
    ],
    using=[("excess-where-a-test-passes", at_each_output)],
)
def privacy_where_a_release_is_private():
    """Privacy of a tested release that is private itself, one way: the losses add up."""
    return Le(hockey_stick(HERE_OUT, THERE_OUT, epsilon + other_epsilon), first_delta)
