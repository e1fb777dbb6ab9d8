"""Section 3: many records."""

from sympy import Abs, Eq, Integral, Le, exp, sinh

from dpbook.engine.claim import claim
from dpbook.engine.statement import Noted, derivative
from dpbook.unknown_sample_size.notation import (
    both_p,
    both_q,
    epsilon,
    given_p,
    given_q,
    mean,
    n,
    rate,
    record,
    release,
    total,
    variation,
)


@claim("theorem-3.1", place="Theorem 3.1", cites=["assumption-1", "assumption-2", "lemma-a.9"])
def close_sampling_laws():
    """Sampling laws given n and given the noisy number."""
    return Noted(
        "a limit over all models, which the kernel has no terms for. By quadrature for normal records "
        "the threshold is sharp: with epsilon_n = n_0^(-1/2) the total variation tends to 0.213"
    )


@claim(
    "example-3.2.i",
    place="Example 3.2, additive noise",
)
def laplace_sum():
    """Laplace noise on a sum of records in [0, 1]."""
    return Noted("a = 1 and b = 1/2: n - n_0 has to be small beside the root of n_0")


@claim(
    "example-3.2.ii",
    place="Example 3.2, K-norm gradient mechanism: adding a record x to a dataset of sum t and size n "
    "changes the exponent, epsilon/2 times the gradient of the risk over 2, by at most epsilon/2; so "
    "it does the logarithm of the normaliser, together epsilon",
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
    "the mean; a Laplace law cut off outside [0, 1]",
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


@claim("theorem-3.3", place="Theorem 3.3", cites=["note-conditioning"])
def close_posteriors():
    """Posteriors given a release in a shrinking set."""
    return Noted(
        "a limit over all models. Its step is note-conditioning: laws that are close stay so given an "
        "event, if the event is not too rare"
    )


@claim(
    "note-conditioning",
    place="Theorems 3.3 and 4.2: A and S are events, V bounds the differences of the two laws, and S has "
    "the larger probability under the first",
    given=[given_p >= given_q, both_p - both_q <= variation],
)
def laws_given_an_event():
    """Conditional probabilities under two laws that are close."""
    return Le(both_p / given_p - both_q / given_q, variation / given_p)


@claim("remark-3.4", place="Remark 3.4")
def shrinking_sets():
    """Sets that shrink as the posterior does."""
    return Noted("an instance: R_n is s_0 + R / sqrt(n), for one R, so its probability has a limit")


@claim("corollary-a.10", place="Corollary A.10")
def functions_of_the_release():
    """Laws of a function of the release."""
    return Noted("Theorem 3.1 in total variation, and that it cannot grow under a map")
