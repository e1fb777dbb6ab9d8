"""Section 3: many records."""

from sympy import Abs, Eq, Ge, Gt, Integral, Le, erf, exp, oo, sinh, sqrt

from dpbook import Exists, Order, claim, derivative, for_all, step
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent
from dpbook.privacy.distributions import Normal
from dpbook.privacy.divergences import total_variation
from dpbook.privacy.statements import Interval, probability
from dpbook.unknown_sample_size.any_models import AnyCount
from dpbook.unknown_sample_size.notation import (
    epsilon,
    high,
    little,
    low,
    mean,
    n,
    rate,
    record,
    release,
    told,
    total,
    variation,
)

NUMBER, CHANCE, FAR = (
    AnyDistribution("w"),
    AnyCount("C"),
    AnyEvent("F"),
)  # p(n | n_dp), P(s in S | n), n is far


@claim(
    "theorem-3.1",
    place="Theorem 3.1: for any model and any set of releases. w is the distribution of n given n_dp = n_0, told by a "
    "real number, C(n) the probability of the set, and 0 tells n_0. Where n is not far from n_0, C is within "
    "eta_0 of that given n_0",
    scope="the inequality of the proof, for each n_0: that eta_0 vanishes is Lemma A.9, that the "
    "probability of a far n does is assumption A2",
    cites=["assumption-1", "assumption-2", "lemma-a.9"],
    given=lambda: [
        for_all(told, Le(CHANCE(told), CHANCE(0) + little + FAR.indicator(told))),
        for_all(told, Ge(CHANCE(told), CHANCE(0) - little - FAR.indicator(told))),
        Ge(Integral(NUMBER.density(told) * CHANCE(told), (told, -oo, oo)), 0),
    ],
)
def close_sampling_distributions():
    """Probability of a set of releases given n and given the noisy number, where n is seldom far."""
    mixed = Integral(NUMBER.density(told) * CHANCE(told), (told, -oo, oo))
    far = probability(NUMBER, FAR)
    return [Le(mixed - CHANCE(0), little + far), Le(CHANCE(0) - mixed, little + far)]


@claim(
    "example-3.2.i",
    place="Example 3.2, additive noise: the standard deviation of the Laplace noise on a sum of n "
    "records, times n^b n^-a with a = 1 and b = 1/2, vanishes",
    scope="the noise; that the mean of the records has a limit distribution is the central limit theorem, and the rate n^(1-b) that A2 then asks for is its definition",
)
def laplace_sum():
    """Laplace noise on a sum of records in [0, 1], scaled."""
    return Order(sqrt(n) / n * (sqrt(2) / epsilon), 1, n, limit=0)


@claim(
    "example-3.2.ii",
    place="Example 3.2, K-norm gradient mechanism: adding a record x to a dataset of sum t and size n "
    "changes the exponent, epsilon/2 times the gradient of the risk over 2, by at most epsilon/2; so "
    "it does the logarithm of the normaliser, together epsilon",
    scope="the gradient and the exponent; that the normaliser changes as little, so that the release is epsilon-private, is in words",
)
def exponent_of_the_gradient_mechanism():
    """Exponent of the K-norm gradient mechanism for a mean, at neighbours."""
    return [
        Eq(derivative((record - release) ** 2, release), -2 * (record - release)),
        Le(Abs(2 * (record - release)), 2),
        Le(
            Abs(
                epsilon / 2 * Abs(total + record - (n + 1) * release)
                - epsilon / 2 * Abs(total - n * release)
            ),
            epsilon / 2,
        ),
    ]


@claim(
    "example-3.2.iii",
    place="Example 3.2, K-norm gradient mechanism: its normaliser, for a rate of n epsilon/2, on either side of "
    "the mean; a Laplace distribution cut off outside [0, 1]",
    scope="two integrals; that n**(1/2) times the release less the mean has a limit distribution, so a = 0 and b = 1/2, is in words",
)
def normaliser_of_the_gradient_mechanism():
    """Normaliser of the K-norm gradient mechanism for a mean."""
    return [
        Eq(
            Integral(exp(-rate * (mean - release)), (release, 0, mean)),
            (1 - exp(-rate * mean)) / rate,
        ),
        Eq(
            Integral(exp(-rate * (release - mean)), (release, mean, 1)),
            (1 - exp(-rate * (1 - mean))) / rate,
        ),
    ]


@claim(
    "note-size-spread",
    place="Theorem 3.1, assumption A2 for discrete Laplace noise: the bound of note-lemma-a.13-sharp, "
    "as 1/epsilon; so A2 asks for epsilon_n above n_0^(-1/2), or n_0^(-1) where a = 0",
)
def spread_of_the_number():
    """Bound on the mean distance of the number of records, against 1/epsilon."""
    return Le(1 / sinh(epsilon), 1 / epsilon)


P, Q = AnyDistribution("P"), AnyDistribution("Q")
A, S = AnyEvent("A"), AnyEvent("S")


def in_both(distribution):
    """Probability of both events under a distribution."""
    at = told
    return Integral(distribution.density(at) * A.indicator(at) * S.indicator(at), (at, -oo, oo))


@claim(
    "theorem-3.3",
    place="Theorem 3.3: for any two joint distributions of theta and s, told by a real number, given n_0 and given n_dp "
    "= n_0. S is that s lies in R_n, A that theta lies below a point; V bounds the differences of the "
    "probabilities of rectangles, which S and both are",
    scope="the inequality, from which the limit follows where V / P(S) vanishes",
    given=lambda: [
        Gt(probability(P, S), 0),
        Gt(probability(Q, S), 0),
        Le(in_both(P) - in_both(Q), variation),
        Le(in_both(Q) - in_both(P), variation),
        Le(probability(P, S) - probability(Q, S), variation),
        Le(probability(Q, S) - probability(P, S), variation),
    ],
    proof=lambda: [
        step("both are in one", [Le(in_both(Q), probability(Q, S)), Ge(in_both(Q), 0)]),
    ],
)
def close_posteriors():
    """Posterior probabilities given that the release lies in a set."""
    first = in_both(P) / probability(P, S)
    second = in_both(Q) / probability(Q, S)
    bound = 2 * variation / probability(P, S)
    return [Le(first - second, bound), Le(second - first, bound)]


@claim(
    "remark-3.4",
    place="Remark 3.4: at each n_0, for any distributions P of sqrt(n_0) (s - s_0) given n_0 and Q of its limit Z, and the event A "
    "that they lie in R^0, of which eta_0 bounds the difference of the probabilities; where that is at most half of "
    "Q(A), p_n0 = P(A) is at least Q(A)/2, and V, for KS_n0, over p_n0 vanishes with V. R^0 is one rectangle (remark-3.4.index)",
    scope="the inequalities, at each n_0: that eta_0 vanishes is convergence in distribution, and that V does is Theorem 3.1",
    given=lambda: [
        Gt(probability(Q, A), 0),
        Le(probability(Q, A) - probability(P, A), little),
        Le(2 * little, probability(Q, A)),
    ],
)
def shrinking_sets():
    """Probability of sets that shrink as the posterior does, and a distance over it."""
    return [
        Ge(probability(P, A), probability(Q, A) / 2),
        Le(variation / probability(P, A), 2 * variation / probability(Q, A)),
    ]


def shrinking_interval():
    """Probability that a standard normal Z lies between 0 and 1/n."""
    return erf(1 / (sqrt(2) * n)) / 2


@claim(
    "remark-3.4.index",
    place="Remark 3.4, R^0 with the index n_0, which lets it change with n_0: KS over p_n0 is to vanish",
    scope="one counterexample to it: R^0 = [0, 1/n], for a Z that is normal, and KS = 1/n, which vanishes as A1 and A2 say of it. Where the ratio vanishes, it is at most 1 for some n",
    fault="misprint",
    effect="None: one rectangle for all n_0 is meant, as the limit of p_n0 is to be one number.",
)
def distance_over_a_shrinking_probability():
    """Distance of the distributions over the probability of a rectangle, as printed."""
    return Exists(Le(1 / n / shrinking_interval(), 1), {n: 100})


@claim(
    "remark-3.4.index-corrected",
    place="Remark 3.4, R^0 without an index: the interval [0, 1] for all n_0",
    corrects=["remark-3.4.index"],
    why="R^0 is one rectangle for all n_0.",
    scope="one rectangle, and a KS of 1/n; any rectangle, at each n_0, is remark-3.4",
)
def distance_over_a_fixed_probability():
    """Distance of the distributions over the probability of a rectangle, repaired."""
    return Order(1 / n / (erf(1 / sqrt(2)) / 2), 1, n, limit=0)


@claim(
    "remark-3.4-normal",
    place="Remark 3.4, the limit of p_n0: a normal distribution gives any interval from L to U a positive probability",
)
def probability_of_a_rectangle():
    """Probability of an interval under a normal distribution."""
    return Gt(probability(Normal(0, 1), Interval(low, high)), 0)


def probabilities_are_close():
    """State that two probabilities of an event differ by at most the total variation distance."""
    difference = probability(P, A) - probability(Q, A)
    return [Le(difference, total_variation(P, Q)), Le(-difference, total_variation(P, Q))]


@claim(
    "note-variation-of-an-event",
    place="used by lemma-a.3-corrected and corollary-a.10: the data processing inequality of Section 2.2, at an event",
)
def variation_of_an_event():
    """Probabilities of an event under two distributions, and their total variation."""
    return probabilities_are_close()


@claim(
    "corollary-a.10",
    place="Corollary A.10: for any two distributions of the release, given n_0 and given n_dp = n_0. A is the set of the releases "
    "that the function g takes into a set. The difference of its probabilities is at most the total variation of "
    "the releases",
    scope="the inequality; that the total variation of the releases vanishes under A1' and A2 is Theorem 3.1, of "
    "which a part is proved",
    cites=["theorem-3.1"],
    using=["note-variation-of-an-event"],
)
def functions_of_the_release():
    """Distributions of a function of the release."""
    return probabilities_are_close()
