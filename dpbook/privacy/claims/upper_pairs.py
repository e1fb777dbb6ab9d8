"""Pairs of distributions that dominate a release: no two neighbours have a larger divergence at any epsilon.

The divergence of a sample is one of the whole release, at another epsilon and times a factor. So a pair that dominates a
release gives, sampled in the same way, a pair that dominates the release from a sample. A release of a bounded range is
dominated by the best of two points at each epsilon.
"""

from sympy import Eq, Le, Max, exp, log

from dpbook import Every, axiom, claim, step
from dpbook.privacy.any_distributions import AnyDistribution, AnyFiniteDistribution, Then
from dpbook.privacy.claims.general_sampling import amplified, sampled
from dpbook.privacy.claims.sources import DONG_DURFEE, ZHU
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import (
    at,
    density_1,
    density_2,
    epsilon,
    first_outcome,
    last_outcome,
    other_epsilon,
    other_last,
    share,
    upper_end,
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
    """Divergence of two releases, where a pair dominates the first, beside the divergence with the pair."""
    return Le(
        hockey_stick(Then(F_1, first_outcome, F_3), Then(G_1, first_outcome, G_3), epsilon),
        hockey_stick(Then(F_2, first_outcome, F_3), Then(G_2, first_outcome, G_3), epsilon),
    )


@claim("sampled-pair-removed", source=ZHU, place="Theorem 11, Poisson sampling, a record removed")
def divergence_of_a_sample_with_a_record():
    """Divergence of a release from a sample that a record may enter, from a release without the record."""
    return Eq(hockey_stick(sampled(P, R), R, amplified()), share * hockey_stick(P, R, epsilon))


def without(whole):
    """The factor by which a density ratio falls where a record is added, if it is y of the whole."""
    return share + (1 - share) * whole


@claim(
    "sampled-pair-added-output",
    source=ZHU,
    place="Theorem 11, Poisson sampling, a record added, at one output",
    given=lambda: [density_1 >= 0, density_2 >= 0],
    proof=lambda: [
        step("the factor is positive", without(upper_end) > 0),
        step(
            "the excess, times the factor",
            Eq(
                without(upper_end)
                * (
                    density_2
                    - upper_end / without(upper_end) * (share * density_1 + (1 - share) * density_2)
                ),
                share * (density_2 - upper_end * density_1),
            ),
        ),
    ],
)
def excess_over_a_record_that_may_be_drawn():
    """Excess of a density without a record over one with a record that may be drawn."""
    mixed = share * density_1 + (1 - share) * density_2
    return Eq(
        without(upper_end) * Max(density_2 - upper_end / without(upper_end) * mixed, 0),
        share * Max(density_2 - upper_end * density_1, 0),
    )


@claim(
    "sampled-pair-added",
    source=ZHU,
    place="Theorem 11, Poisson sampling, a record added",
    using=[
        (
            "sampled-pair-added-output",
            lambda: {density_1: P.density(at), density_2: R.density(at), upper_end: exp(epsilon)},
        ),
    ],
    proof=lambda: [
        step("the factor is positive", without(exp(epsilon)) > 0),
        step(
            "the factor of the loss",
            Eq(
                exp(log(exp(epsilon) / without(exp(epsilon)))), exp(epsilon) / without(exp(epsilon))
            ),
        ),
    ],
)
def divergence_of_a_release_without_a_record():
    """Divergence of a release without a record, from a release from a sample that the record may enter."""
    return Eq(
        without(exp(epsilon))
        * hockey_stick(R, sampled(P, R), log(exp(epsilon) / without(exp(epsilon)))),
        share * hockey_stick(R, P, epsilon),
    )


@claim("range-two-points", source=DONG_DURFEE, place="beside Lemma 3.2")
def excess_of_two_points_of_a_range():
    """Excess of two points whose ratios are the ends of a range, at any place of the range and at the best one."""
    return Le(
        (1 - exp(-epsilon)) * (1 - exp(-other_epsilon)),
        (1 - exp(-(epsilon + other_epsilon) / 2)) ** 2,
    )
