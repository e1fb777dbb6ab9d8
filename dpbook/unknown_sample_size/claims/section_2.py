"""Section 2: privacy, the problem, and what is assumed."""

from sympy import Eq, Le, Sum, exp

from dpbook.engine.claim import claim
from dpbook.engine.statement import Noted
from dpbook.unknown_sample_size.notation import distance, epsilon, index, n_0, p_x, p_y, p_z, q


@claim("definition-2.1", place="Definition 2.1")
def privacy():
    """Differential privacy."""
    return Noted(
        "a definition. Bounded privacy compares datasets of one length that differ in a row, unbounded "
        "privacy datasets of which one has a row more"
    )


@claim("text-2.1-bounded", place="Section 2.1, last paragraph", cites=["note-two-steps"])
def unbounded_gives_bounded():
    """Bounded privacy from unbounded privacy."""
    return Noted(
        "a statement on all mechanisms; its step is note-two-steps: a row is removed, another added. "
        "The loss 2 epsilon is valid and can be loose (note-swap-sensitivity)"
    )


@claim(
    "note-two-steps",
    place="Section 2.1, for any mechanism and event: z is x without a row, and y is z with another",
    given=[p_x <= exp(epsilon) * p_z, p_z <= exp(epsilon) * p_y],
)
def loss_of_a_swap():
    """Probabilities of an event under datasets that differ in a row."""
    return Le(p_x, exp(2 * epsilon) * p_y)


@claim("remark-2.2", place="Remark 2.2")
def two_outputs():
    """Noisy sums and a noisy number as two outputs."""
    return Noted("a choice of model: the quotient of the two is post-processing")


@claim("text-2.3", place="Section 2.3")
def joint_law():
    """Joint law of the parameter, the records, their number and the releases."""
    return Noted(
        "a definition: p(theta) p(n) p(x | theta, n) p(s | x) p(n_dp | n); the mechanisms see the records "
        "and their number only"
    )


@claim("eq-1", place="eq. 1", cites=["note-size-posterior"])
def mixture_over_numbers():
    """Law of parameter and release given the noisy number."""
    return Noted(
        "Bayes' rule for any model: a mixture over n, with weights p(n | n_dp) proportional to "
        "p(n_dp | n) p(n); exact_counts and exact_normal sum it for two models"
    )


@claim("eq-2", place="eq. 2")
def mixture_with_a_model_of_n():
    """Law of the release given the parameters of a model of the number."""
    return Noted("eq. 1, with p(n | lambda) for p(n)")


@claim(
    "note-size-posterior",
    place="eq. 1, the weights under discrete Laplace noise, q = exp(-epsilon), and a prior that is flat on "
    "1, ..., n_0 + k: masses at and below n_0 = n_dp, and above it; k grows",
)
def normaliser_of_the_size_posterior():
    """Sum of the weights of all numbers of records, given a whole noisy number."""
    return Eq(
        Sum(q**index, (index, 0, n_0 - 1)) + Sum(q**index, (index, 1, distance)),
        (1 + q - q**n_0 - q ** (distance + 1)) / (1 - q),
    )


@claim("assumption-1", place="Assumptions A1 and A1', Section 3.1")
def central_limit():
    """Convergence of the release, scaled."""
    return Noted("a definition: n^b (n^-a s - g(theta)) converges in law, or in total variation")


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
