"""Section 2: privacy, the problem, and the assumptions."""

from sympy import Eq, Ge, Gt, Integer, Integral, Le, Sum, exp, oo

from dpbook import Noted, claim, for_all, step
from dpbook.privacy.any_distributions import AnyDistribution, AnyWholeDistribution
from dpbook.privacy.notation import epsilon as loss
from dpbook.privacy.notation import first_delta, second_delta
from dpbook.privacy.notation import other_epsilon as other_loss
from dpbook.privacy.statements import private
from dpbook.unknown_sample_size.any_models import AnyCount, AnyWeights
from dpbook.unknown_sample_size.notation import (
    eps_n,
    eps_s,
    epsilon,
    index,
    n_0,
    q,
    told,
)

P, Q, R = AnyDistribution("P"), AnyDistribution("Q"), AnyDistribution("R")


def of_two_steps():
    """Losses of the two steps of a swap."""
    return {
        loss: epsilon,
        other_loss: epsilon,
        first_delta: Integer(0),
        second_delta: Integer(0),
    }


@claim("definition-2.1", place="Definition 2.1")
def privacy():
    """Differential privacy."""
    return Noted(
        "a definition. Bounded privacy compares datasets of one length that differ in a row, unbounded "
        "privacy datasets of which one has a row more"
    )


@claim(
    "text-2.1-bounded",
    place="Section 2.1, last paragraph, for any mechanism: P and R are its distributions at datasets that differ in a "
    "row, Q the one at the dataset that has both rows. The loss 2 epsilon can be loose (note-swap-sensitivity)",
    given=lambda: [private(P, Q, epsilon), private(Q, R, epsilon)],
    using=[("privacy:group-of-two", of_two_steps)],
    proof=lambda: [step("the losses add up", private(P, R, epsilon + epsilon))],
)
def unbounded_gives_bounded():
    """Bounded privacy from unbounded privacy."""
    return private(P, R, 2 * epsilon)


HERE, THERE = (
    AnyDistribution("p_1"),
    AnyDistribution("p_2"),
)  # of the noisy number, at two neighbours
SUM_HERE, SUM_THERE = AnyCount("C_1"), AnyCount("C_2")  # P(s / n_dp in a set | n_dp), at both


def quotient(distribution, chance):
    """Probability that the quotient of the two outputs lies in a set."""
    return Integral(distribution.density(told) * chance(told), (told, -oo, oo))


@claim(
    "remark-2.2",
    place="Remark 2.2: s / n_dp is post-processing of two outputs, which are private with epsilon_s and epsilon_n. Of "
    "any set, C(t_1) is the probability that s / t_1 lies in it, an event of s alone",
    given=lambda: [
        for_all(told, Le(SUM_HERE(told), exp(eps_s) * SUM_THERE(told))),
        for_all(told, Le(HERE.density(told), exp(eps_n) * THERE.density(told))),
        Ge(quotient(HERE, SUM_HERE), 0),
        Ge(quotient(THERE, SUM_THERE), 0),
    ],
    proof=lambda: [
        step(
            "both at once",
            for_all(
                told,
                Le(
                    HERE.density(told) * SUM_HERE(told),
                    exp(eps_s + eps_n) * (THERE.density(told) * SUM_THERE(told)),
                ),
            ),
        )
    ],
)
def two_outputs():
    """Probabilities of a noisy mean, the quotient of two outputs, at neighbours."""
    return Le(quotient(HERE, SUM_HERE), exp(eps_s + eps_n) * quotient(THERE, SUM_THERE))


@claim("text-2.3", place="Section 2.3")
def joint_distribution():
    """Joint distribution of the parameter, the records, their number and the releases."""
    return Noted(
        "a definition, of which nothing is to be decided: p(theta) p(n) p(x | theta, n) p(s | x) p(n_dp | n); the mechanisms see the records "
        "and their number only"
    )


NOISY, GIVEN_N = AnyWeights("eta"), AnyWeights("f")  # p(n_dp | n), and p(theta, s | n)
PRIOR = AnyWholeDistribution("p_n", 1)
MODELLED = AnyWholeDistribution("p_n", 1, told)  # of n given lambda, which t_1 tells


def evidence(prior):
    """Mass or density of the noisy number."""
    return Sum(prior.density(index) * NOISY(index), (index, 1, oo))


def joint_density(prior):
    """Joint density of parameter, release and noisy number."""
    return Sum(prior.density(index) * NOISY(index) * GIVEN_N(index), (index, 1, oo))


def as_a_mixture(prior):
    """Return the statement: the joint density over the density of the noisy number is a mixture over n."""
    weight = prior.density(index) * NOISY(index) / evidence(prior)
    return Eq(joint_density(prior) / evidence(prior), Sum(weight * GIVEN_N(index), (index, 1, oo)))


@claim(
    "eq-1",
    place="eq. 1: for any model and any prior of n; a prior that is improper is a distribution times a function, which stands in "
    "eta. The joint density of theta, s and n_dp over that of n_dp, and the mixture with the weights p(n | n_dp)",
    given=lambda: [Gt(evidence(PRIOR), 0), Ge(joint_density(PRIOR), 0)],
)
def mixture_over_numbers():
    """Distribution of parameter and release given the noisy number."""
    return as_a_mixture(PRIOR)


@claim(
    "eq-2",
    place="eq. 2: as eq-1, at one parameter theta, so f is p(s | theta, n), with p(n | lambda) for p(n), at any lambda, which t_1 tells",
    given=lambda: [Gt(evidence(MODELLED), 0), Ge(joint_density(MODELLED), 0)],
)
def mixture_with_a_model_of_n():
    """Distribution of the release given the parameters of a model of the number."""
    return as_a_mixture(MODELLED)


@claim(
    "note-size-posterior",
    place="eq. 1, the weights under discrete Laplace noise, q = exp(-epsilon), and the flat prior on all n >= 1: "
    "masses at and below n_0 = n_dp, and above it",
)
def normaliser_of_the_size_posterior():
    """Sum of the weights of all numbers of records, given a whole noisy number."""
    return Eq(
        Sum(q**index, (index, 0, n_0 - 1)) + Sum(q**index, (index, 1, oo)),
        (1 + q - q**n_0) / (1 - q),
    )


@claim("assumption-1", place="Assumptions A1 and A1', Section 3.1")
def central_limit():
    """Convergence of the release, scaled."""
    return Noted(
        "a definition: n^b (n^-a s - g(theta)) converges in distribution, or in total variation"
    )


@claim("assumption-2", place="Assumption A2, Section 3.1", cites=["note-size-spread"])
def noise_of_the_number():
    """Rate of the number of records given the noisy number."""
    return Noted(
        "a definition: n - n_0 given n_dp = n_0 is small beside n_0^(1-b), or n_0 where a = 0"
    )


@claim("assumption-3", place="Assumption A3, Section 5.1")
def record_additivity():
    """Record additivity."""
    return Noted("a definition: p(s | x) depends on x through a sum over the records, and s")
