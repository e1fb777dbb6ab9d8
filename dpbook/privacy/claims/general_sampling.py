"""Privacy of a release from a random sample of the records, for any release.

The distribution of the output is a mixture: with the probability that a record is drawn it is a distribution with that
record, otherwise one without it.
"""

from sympy import Eq, Le, Max, exp, log

from dpbook import claim, step
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.claims.sources import AMPLIFICATION
from dpbook.privacy.distributions import Mixture
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import (
    at,
    density_1,
    density_2,
    density_3,
    epsilon,
    first_delta,
    share,
    upper_end,
)
from dpbook.privacy.statements import private

P, Q, R = AnyDistribution("P"), AnyDistribution("Q"), AnyDistribution("R")


def amplified():
    """Return the loss of a release from a sample that holds a record with probability theta."""
    return log(1 + share * (exp(epsilon) - 1))


def sampled(distribution, without):
    """Distribution of an output: one with a record, with probability theta, and else one without it."""
    return Mixture([distribution, without], [share, 1 - share])


def factor(whole):
    """Return the factor that bounds a density ratio of a sample, if the whole has the ratio y."""
    return 1 + share * (whole - 1)


# --- numbers --------------------------------------------------------------------------------------


@claim(
    "sampled-added",
    source=AMPLIFICATION,
    place="Theorem 8, proof",
    given=lambda: [density_1 >= 0, density_2 >= 0],
)
def excess_with_a_record_that_may_be_drawn():
    """Excess of a density with a record that may be drawn, over one without it."""
    mixed = share * density_1 + (1 - share) * density_2
    return Le(
        Max(mixed - factor(upper_end) * density_2, 0),
        share * Max(density_1 - upper_end * density_2, 0),
    )


@claim(
    "sampled-removed",
    source=AMPLIFICATION,
    place="Theorem 8, proof",
    given=lambda: [density_1 >= 0, density_2 >= 0],
    proof=lambda: [
        step(
            "the weights of the density",
            upper_end * (1 - factor(upper_end) * (1 - share)) <= share * factor(upper_end),
        ),
        step(
            "times the density",
            upper_end * (1 - factor(upper_end) * (1 - share)) * density_2
            <= share * factor(upper_end) * density_2,
        ),
        step("the factor is smaller", factor(upper_end) <= upper_end),
        step(
            "both together",
            upper_end
            * (density_2 - factor(upper_end) * (share * density_1 + (1 - share) * density_2))
            <= share * factor(upper_end) * (density_2 - upper_end * density_1),
        ),
        step(
            "the positive part",
            factor(upper_end) * (density_2 - upper_end * density_1)
            <= upper_end * Max(density_2 - upper_end * density_1, 0),
        ),
        step(
            "with a weight",
            share * factor(upper_end) * (density_2 - upper_end * density_1)
            <= share * upper_end * Max(density_2 - upper_end * density_1, 0),
        ),
        step(
            "without the factor",
            density_2 - factor(upper_end) * (share * density_1 + (1 - share) * density_2)
            <= share * Max(density_2 - upper_end * density_1, 0),
        ),
    ],
)
def excess_without_a_record_that_may_be_drawn():
    """Excess of a density without a record, over one with it where it may be drawn."""
    mixed = share * density_1 + (1 - share) * density_2
    return Le(
        Max(density_2 - factor(upper_end) * mixed, 0),
        share * Max(density_2 - upper_end * density_1, 0),
    )


@claim(
    "sampled-replaced",
    source=AMPLIFICATION,
    place="Theorem 2, at one output",
    given=lambda: [density_1 >= 0, density_2 >= 0, density_3 >= 0],
    proof=lambda: [
        step(
            "a share of the excess over each",
            upper_end
            * (
                density_1
                - (1 - share) * (upper_end - 1) * density_2
                - factor(upper_end) * density_3
            )
            <= (1 - share) * (upper_end - 1) * Max(density_1 - upper_end * density_2, 0)
            + factor(upper_end) * Max(density_1 - upper_end * density_3, 0),
        ),
    ],
)
def excess_of_a_sampled_density():
    """Excess of a mixture of densities over another with a common part, by excesses of its parts."""
    common = (1 - share) * density_2
    return Le(
        upper_end
        * Max(share * density_1 + common - factor(upper_end) * (share * density_3 + common), 0),
        share
        * (
            (1 - share) * (upper_end - 1) * Max(density_1 - upper_end * density_2, 0)
            + factor(upper_end) * Max(density_1 - upper_end * density_3, 0)
        ),
    )


# --- releases -------------------------------------------------------------------------------------


@claim(
    "subsampling-added-record",
    source=AMPLIFICATION,
    place="Theorem 8, Poisson sampling",
    given=lambda: [private(P, R, epsilon, first_delta)],
    using=[
        (
            "sampled-added",
            lambda: {density_1: P.density(at), density_2: R.density(at), upper_end: exp(epsilon)},
        ),
        (
            "sampled-removed",
            lambda: {density_1: P.density(at), density_2: R.density(at), upper_end: exp(epsilon)},
        ),
    ],
    proof=lambda: [
        step("the factor of the loss", Eq(exp(amplified()), factor(exp(epsilon)))),
        step(
            "what holds at every output, integrated",
            hockey_stick(sampled(P, R), R, amplified()) <= share * hockey_stick(P, R, epsilon),
        ),
        step(
            "the other way",
            hockey_stick(R, sampled(P, R), amplified()) <= share * hockey_stick(R, P, epsilon),
        ),
    ],
)
def privacy_of_a_sample_that_may_hold_one_more_record():
    """Privacy of a release from a sample that one more record enters with some probability."""
    return private(sampled(P, R), R, amplified(), share * first_delta)


def replaced(distribution, other):
    """Return steps from a bound at each output to the excess of a sample with a record over another."""
    excess = hockey_stick(sampled(distribution, R), sampled(other, R), amplified())
    parts = (1 - share) * (exp(epsilon) - 1) * hockey_stick(distribution, R, epsilon) + factor(
        exp(epsilon)
    ) * hockey_stick(distribution, other, epsilon)
    return [
        step("what holds at every output, integrated", exp(epsilon) * excess <= share * parts),
        step(
            "the first weight",
            (1 - share) * (exp(epsilon) - 1) * hockey_stick(distribution, R, epsilon)
            <= (1 - share) * (exp(epsilon) - 1) * first_delta,
        ),
        step(
            "the second weight",
            factor(exp(epsilon)) * hockey_stick(distribution, other, epsilon)
            <= factor(exp(epsilon)) * first_delta,
        ),
        step("the weights add up", share * parts <= share * (exp(epsilon) * first_delta)),
        step("without the factor", excess <= share * first_delta),
    ]


@claim(
    "subsampling-replaced-record",
    source=AMPLIFICATION,
    place="Theorem 9, sampling without replacement",
    given=lambda: [
        private(P, Q, epsilon, first_delta),
        private(P, R, epsilon, first_delta),
        private(Q, R, epsilon, first_delta),
    ],
    using=[
        (
            "sampled-replaced",
            lambda: {
                density_1: P.density(at),
                density_2: R.density(at),
                density_3: Q.density(at),
                upper_end: exp(epsilon),
            },
        ),
        (
            "sampled-replaced",
            lambda: {
                density_1: Q.density(at),
                density_2: R.density(at),
                density_3: P.density(at),
                upper_end: exp(epsilon),
            },
        ),
    ],
    proof=lambda: [
        step("the loss is not negative", exp(epsilon) >= 1),
        step("the factor of the loss", Eq(exp(amplified()), factor(exp(epsilon)))),
        *replaced(P, Q),
        *replaced(Q, P),
    ],
)
def privacy_of_a_sample_in_which_a_record_is_replaced():
    """Privacy of a release from a sample that holds either of two records with some probability."""
    return private(sampled(P, R), sampled(Q, R), amplified(), share * first_delta)
