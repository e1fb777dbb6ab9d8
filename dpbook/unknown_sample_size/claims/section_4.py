"""Section 4: little noise on the number of records."""

from sympy import Eq, Le, exp, tanh

from dpbook.engine.claim import claim
from dpbook.engine.statement import Noted
from dpbook.privacy.divergences import total_variation
from dpbook.privacy.laws import Laplace
from dpbook.unknown_sample_size.notation import distance, eps_s


@claim("theorem-4.1", place="Theorem 4.1", cites=["lemma-a.12", "lemma-a.13.i"])
def distance_of_sampling_laws():
    """Distance of the sampling laws given n and given the noisy number."""
    return Noted(
        "a statement on all models: the total variation of a mixture is at most the mean of those of its "
        "parts, each by Lemma A.12. The expectation is bounded in lemma-a.13.i for whole n_dp. With "
        "Laplace noise n_dp is not whole, and n = n_dp is impossible"
    )


@claim(
    "lemma-a.12-laplace",
    place="Lemma A.12 and Theorem 4.1, for records that are all 1 and a sum with Laplace noise: the laws "
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
    place="Lemma A.12 with delta = tanh(epsilon/2), by lemma-a.11: against the exact distance of "
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
    """Bound on the distance for a group, and k times that for one."""
    return Le(tanh(distance * eps_s / 2), distance * tanh(eps_s / 2))


@claim("theorem-4.2", place="Theorem 4.2", cites=["theorem-4.1", "note-conditioning"])
def close_posteriors():
    """Posteriors given a release in a set, as the noise on the number vanishes."""
    return Noted(
        "a statement on all models; by theorem-4.1 and note-conditioning the distance is at most "
        "delta E|n - n_0| over the probability of the set"
    )


@claim("eq-3", place="eq. 3")
def likelihood_estimate():
    """Maximum of the likelihood under a noisy number."""
    return Noted("a definition; the maximiser is that of p(s, n_dp | theta)")


@claim("theorem-4.3", place="Theorem 4.3")
def convergence_of_the_estimate():
    """Convergence of the maximum likelihood estimate."""
    return Noted(
        "a limit of maximisers over all models (argmax theorem); tried by simulation on a toy"
    )


@claim("remark-4.4", place="Remark 4.4")
def compact_parameters():
    """Compact sets of parameters."""
    return Noted("a remark: compactness gives the tightness that Theorem 4.3 assumes")
