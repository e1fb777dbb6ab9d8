"""Pairs of distributions that dominate a release: no two neighbours have a larger divergence at any epsilon.

The divergence of a sample is one of the whole release, at another epsilon and times a factor. So a pair that dominates a
release gives, sampled in the same way, a pair that dominates the release from a sample. A release of a bounded range is
dominated by the best of two points at each epsilon.
"""

from sympy import Eq, Le, exp

from dpbook import Every, axiom, claim
from dpbook.privacy.any_distributions import AnyDistribution, AnyFiniteDistribution, Then
from dpbook.privacy.claims.general_sampling import amplified, sampled
from dpbook.privacy.claims.sources import DONG_DURFEE, ZHU
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import (
    at,
    epsilon,
    first_outcome,
    last_outcome,
    other_epsilon,
    other_last,
    share,
)

P, R = AnyDistribution("P"), AnyDistribution("R")
F_1, G_1 = (AnyFiniteDistribution(name, last_outcome) for name in ("F_1", "G_1"))
F_2, G_2 = (AnyFiniteDistribution(name, last_outcome) for name in ("F_2", "G_2"))
F_3, G_3 = (AnyFiniteDistribution(name, other_last) for name in ("F_3", "G_3"))


@axiom(
    "axiom-dominating-pairs-compose",
    author="Y. Zhu, J. Dong, Y.-X. Wang",
    title="Optimal Accounting of Differential Privacy via Characteristic Function, AISTATS 2022",
    number="Theorem 10",
    given=lambda: [Every(at, Le(hockey_stick(F_1, G_1, at), hockey_stick(F_2, G_2, at)))],
)
def pairs_that_dominate_compose():
    """Divergence of two releases, of which the first is dominated by a pair, beside the same with the pair."""
    return Le(
        hockey_stick(Then(F_1, first_outcome, F_3), Then(G_1, first_outcome, G_3), epsilon),
        hockey_stick(Then(F_2, first_outcome, F_3), Then(G_2, first_outcome, G_3), epsilon),
    )


@claim("sampled-pair-removed", source=ZHU, place="Theorem 11, Poisson sampling, a record removed")
def divergence_of_a_sample_with_a_record():
    """Divergence of a release from a sample that a record may enter, from a release without the record."""
    return Eq(hockey_stick(sampled(P, R), R, amplified()), share * hockey_stick(P, R, epsilon))


@claim("range-two-points", source=DONG_DURFEE, place="beside Lemma 3.2")
def excess_of_two_points_of_a_range():
    """Excess of two points whose ratios are the ends of a range, at any place of the range and at the best one."""
    return Le(
        (1 - exp(-epsilon)) * (1 - exp(-other_epsilon)),
        (1 - exp(-(epsilon + other_epsilon) / 2)) ** 2,
    )
