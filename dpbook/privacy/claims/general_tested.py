"""Propose-test-release, both ways: privacy of the two laws of the output."""

from sympy import exp

from dpbook.engine.claim import claim
from dpbook.privacy.any_laws import law_for
from dpbook.privacy.claims.sources import DWORK_LEI
from dpbook.privacy.claims.tested_releases import HERE_OUT, THERE_OUT, P, Q
from dpbook.privacy.notation import epsilon, first_delta, other_epsilon, share, weight
from dpbook.privacy.statements import private


def chances():
    """That the chances of a refusal are within exp(epsilon), both ways."""
    return [
        1 - share <= exp(epsilon) * (1 - weight),
        1 - weight <= exp(epsilon) * (1 - share),
    ]


def exchanged():
    """What puts each dataset in for the other."""
    return {share: weight, weight: share, **law_for(P, Q), **law_for(Q, P)}


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
