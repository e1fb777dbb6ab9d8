"""Section 4: little noise on the number of records."""

from sympy import Abs, Eq, Ge, Gt, Lambda, Le, Sum, exp, oo, tanh

from dpbook import Every, claim, for_all, step
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent, AnyWholeDistribution
from dpbook.privacy.distributions import Laplace
from dpbook.privacy.divergences import total_variation
from dpbook.privacy.statements import probability
from dpbook.unknown_sample_size.any_models import AnyChance, AnyCount, AnyWeights
from dpbook.unknown_sample_size.notation import (
    delta,
    distance,
    eps_s,
    gap,
    index,
    little,
    n_0,
    part_1,
    part_2,
    told,
    told_too,
)

NUMBER, CHANCE = AnyWholeDistribution("w", 1), AnyChance("C")  # p(n | n_dp), P(s in S | n)


def mean_over_numbers(function):
    """Mean of a function of n given the noisy number."""
    return Sum(NUMBER.density(index) * function(index), (index, 1, oo))


def away(number):
    """Return the distance of a number of records from n_0."""
    return Abs(number - n_0)


def near_that_given_the_number(chance):
    """State that the probabilities given n and given n_0 differ by at most delta |n - n_0|."""
    difference = chance(index) - chance(n_0)
    return [
        Every(index, Le(part, delta * away(index)), [Ge(index, 1)])
        for part in (difference, -difference)
    ]


def from_the_mean(chance):
    """Bounds of Theorem 4.1 on the difference of a probability given n_dp = n_0 and given n_0."""
    difference = mean_over_numbers(chance) - chance(n_0)
    return [Le(part, delta * mean_over_numbers(away)) for part in (difference, -difference)]


@claim(
    "theorem-4.1",
    place="Theorem 4.1: for any model, any distribution w of n given n_dp = n_0, and any set of releases, or of parameters and releases. "
    "C(n) is its probability given n; given n and given n_0 it differs by at most delta |n - n_0|, which is Lemma A.12. The "
    "mean of |n - n_0| is to exist. The total variation is the largest difference of all sets",
    scope="the mean over n: the bound of Lemma A.12 at each n stands as a condition",
    using=["lemma-a.12"],
    given=lambda: [*near_that_given_the_number(CHANCE), Ge(mean_over_numbers(away), 0)],
)
def distance_of_sampling_distributions():
    """Probability of a set of releases given n and given the noisy number, and the mean distance of n."""
    return from_the_mean(CHANCE)


@claim(
    "lemma-a.12-laplace",
    place="Lemma A.12 and Theorem 4.1, for records that are all 1 and a sum with Laplace noise: the distributions "
    "of the release at numbers that differ by k",
    using=["privacy:total-variation-laplace"],
)
def distance_of_laplace_sums():
    """Distance of two Laplace sums whose numbers of records differ."""
    return Eq(
        total_variation(Laplace(0, 1 / eps_s), Laplace(distance, 1 / eps_s)),
        1 - exp(-eps_s * distance / 2),
    )


@claim(
    "note-lemma-a.12-bound",
    place="Lemma A.12 with delta = tanh(epsilon/2), by lemma-a.11.ii: against the exact distance of "
    "lemma-a.12-laplace",
    time_limit=60,
)
def bound_of_a_group():
    """Distance of two Laplace sums, and the bound of Lemma A.12."""
    return Le(1 - exp(-eps_s * distance / 2), distance * tanh(eps_s / 2))


@claim(
    "note-lemma-a.12-group",
    place="Lemma A.12, sharpened for pure privacy: a group of k has the loss k epsilon, and so at most the "
    "distance tanh(k epsilon/2)",
    time_limit=60,
)
def sharp_bound_of_a_group():
    """Bound on the distance for a group of k, and k times the bound for one."""
    return Le(tanh(distance * eps_s / 2), distance * tanh(eps_s / 2))


SET, BOTH = AnyChance("C_S"), AnyChance("C_B")  # P(s in S | n), P(theta in A and s in S | n)


def mean_bound():
    """The bound of Theorem 4.1."""
    return delta * mean_over_numbers(away)


def differences(chance):
    """Differences of a probability given the noisy number and given n_0, both ways."""
    return mean_over_numbers(chance) - chance(n_0), chance(n_0) - mean_over_numbers(chance)


def by_theorem_4_1(chance):
    """Theorem 4.1 for a set whose probability given n is known."""
    return ("theorem-4.1", lambda: {CHANCE: Lambda((index,), chance(index))})


def cross_products():
    """Difference of the posterior probabilities of Theorem 4.2, times their denominators, both ways."""
    difference = BOTH(n_0) * mean_over_numbers(SET) - mean_over_numbers(BOTH) * SET(n_0)
    return difference, -difference


@claim(
    "theorem-4.2",
    place="Theorem 4.2, for any model and distribution of n as Theorem 4.1, any set S of releases and any set A of parameters: "
    "C_S(n) is the probability of S given n, C_B(n) that of A and S together. The mean of |n - n_0| is gamma, so the "
    "bound vanishes with gamma, whatever A is",
    scope="the inequality, at each gamma; the bound of Lemma A.12 stands as a condition, as for Theorem 4.1",
    using=[by_theorem_4_1(SET), by_theorem_4_1(BOTH)],
    given=lambda: [
        *near_that_given_the_number(SET),
        *near_that_given_the_number(BOTH),
        Every(index, Le(BOTH(index), SET(index)), [Ge(index, 1)]),
        Ge(mean_over_numbers(away), 0),
        Gt(SET(n_0), 0),
        Gt(mean_over_numbers(SET), 0),
    ],
    proof=lambda: [
        step("both are in one", Le(mean_over_numbers(BOTH), mean_over_numbers(SET))),
        step(
            "Theorem 4.1, times a probability",
            [
                Le(difference * mean_over_numbers(SET), mean_bound() * mean_over_numbers(SET))
                for difference in differences(BOTH)
            ]
            + [
                Le(difference * mean_over_numbers(BOTH), mean_bound() * mean_over_numbers(BOTH))
                for difference in differences(SET)
            ],
        ),
        step("the bound", Ge(mean_bound(), 0)),
        step(
            "added up",
            [Le(part, 2 * mean_bound() * mean_over_numbers(SET)) for part in cross_products()],
        ),
    ],
)
def close_posteriors():
    """Posterior probabilities of a set of parameters, given that the release lies in a set."""
    first = BOTH(n_0) / SET(n_0)
    second = mean_over_numbers(BOTH) / mean_over_numbers(SET)
    bound = 2 * mean_bound() / SET(n_0)
    return [Le(first - second, bound), Le(second - first, bound)]


ONE, OTHER = AnyWeights("L_1"), AnyWeights("L_2")  # p(s | n, theta) at two parameters
PRIOR, NOISY = AnyWholeDistribution("p_n", 1), AnyWeights("eta")  # p(n), and p(n_dp | n)


def evidence():
    """Density of the noisy number."""
    return Sum(PRIOR.density(index) * NOISY(index), (index, 1, oo))


def joint(likelihood):
    """Density of the release and of the noisy number, at a parameter."""
    return Sum(PRIOR.density(index) * NOISY(index) * likelihood(index), (index, 1, oo))


def mixed(likelihood):
    """Mean of the likelihood over the numbers, given the noisy number."""
    weight = PRIOR.density(index) * NOISY(index) / evidence()
    return Sum(weight * likelihood(index), (index, 1, oo))


@claim(
    "eq-3",
    place="eq. 3, which defines an estimate as the maximiser of a mixture: at any two parameters, for any model and "
    "prior of n, as eq-2, the mixtures differ by what the densities of both releases do, but for a positive factor. "
    "So it maximises p(s, n_dp | theta) too",
    using=["eq-2"],
    given=lambda: [Gt(evidence(), 0), Ge(joint(ONE), 0), Ge(joint(OTHER), 0)],
    proof=lambda: [
        step("each", Eq(mixed(likelihood), joint(likelihood) / evidence()))
        for likelihood in (ONE, OTHER)
    ],
)
def likelihood_estimate():
    """Likelihoods under a noisy number, at two parameters."""
    return Eq(
        (mixed(ONE) - mixed(OTHER)) * evidence(),
        joint(ONE) - joint(OTHER),
    )


@claim(
    "text-4.1-joint",
    place="Proof of Theorem 4.1, its third line, p(n = k, n_dp = n_0) for the conditional probability: the line, for n_0 = 1 and a number of "
    "records that is 1 or 2, against the next one. p_1 and p_2 are the probabilities that it is 1 or 2 and the noisy number is 1",
    try_at=[{delta: "1/2", part_1: "1/4", part_2: "1/4"}],
    fault="misprint",
    effect="None: the next line has the conditional probability.",
)
def mean_by_joint_probabilities_as_printed():
    """Bound on a distance of sampling distributions, by joint probabilities and by conditional ones, as printed."""
    return Eq(
        delta * (0 * part_1 + 1 * part_2), delta * (0 * part_1 + 1 * part_2) / (part_1 + part_2)
    )


@claim(
    "text-4.1-joint-corrected",
    place="Proof of Theorem 4.1, its third line, repaired, against the next one, for any prior and any noise as eq-1",
    corrects=["text-4.1-joint"],
    why="The probabilities are those of n given n_dp = n_0: the joint ones over the density of n_dp.",
    given=lambda: [Gt(evidence(), 0), Ge(joint(away), 0)],
)
def mean_by_conditional_probabilities():
    """Bound on a distance of sampling distributions, by joint probabilities and by conditional ones, repaired."""
    return Eq(delta * joint(away) / evidence(), delta * mixed(away))


LIKELY, NOISY_LIKELY = AnyCount("L"), AnyCount("L_e")  # likelihoods of a parameter, as a number


@claim(
    "theorem-4.3",
    place="Theorem 4.3: for any likelihoods L given n and L_e given n_dp, that differ by at "
    "most eta_0, what nearly maximises L_e nearly maximises L",
    scope="the inequality; that the nearly largest values of L are taken near its maximiser, and the limit in "
    "distribution, which eq. 31 is, are the argmax theorem",
    given=lambda: [
        for_all(told, Le(NOISY_LIKELY(told), LIKELY(told) + little)),
        for_all(told, Le(LIKELY(told), NOISY_LIKELY(told) + little)),
    ],
)
def convergence_of_the_estimate():
    """Likelihood given n, where the likelihood given the noisy number is nearly at its maximum."""
    return Every(
        told,
        Every(
            told_too,
            Ge(LIKELY(told), LIKELY(told_too) - 2 * little - gap),
            [Ge(NOISY_LIKELY(told), NOISY_LIKELY(told_too) - gap)],
        ),
    )


ESTIMATE, SPACE, COMPACT = AnyDistribution("p_e"), AnyEvent("Theta"), AnyEvent("K")


@claim(
    "remark-4.4",
    place="Remark 4.4: for any distribution of the estimate, which lies in Theta. A compact set K that holds Theta, as Theta does "
    "itself where it is compact, has the estimate with any probability 1 - eta_0 that tightness may ask for",
    scope="that a compact set holds the estimate, so that tightness holds; that Theorem 4.3 then applies to mechanisms of any kind of "
    "privacy is in words",
    given=lambda: [
        for_all(told, Le(SPACE.indicator(told), COMPACT.indicator(told))),
        Eq(probability(ESTIMATE, SPACE), 1),
    ],
)
def compact_parameters():
    """Probability that the estimate lies in a compact set."""
    return Ge(probability(ESTIMATE, COMPACT), 1 - little)
