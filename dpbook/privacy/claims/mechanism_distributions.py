"""Mechanisms as privacy of the distributions of their outputs, for all values on neighbouring datasets.

A mechanism adds noise to a value, or draws in proportion to scores. The value, or the scores, of two
neighbours differ by no more than the sensitivity.
"""

from sympy import Abs, Eq, Integral, Le, Max, Min, Sum, Symbol, exp, oo

from dpbook import Every, Relation, claim, step
from dpbook.privacy.any_distributions import AnyScore, ExponentialMechanism
from dpbook.privacy.claims.general_concentrated import of_densities
from dpbook.privacy.claims.sources import BALLE_WANG, DONG_DURFEE, DWORK_ROTH, GHOSH
from dpbook.privacy.distributions import Bernoulli, Laplace, Normal, TruthOrNot
from dpbook.privacy.divergences import normal_profile
from dpbook.privacy.notation import (
    at,
    count,
    density_1,
    density_2,
    density_3,
    density_4,
    distance,
    epsilon,
    first_outcome,
    fourth_multiple,
    integer_output,
    last_outcome,
    mu_1,
    mu_2,
    mu_3,
    mu_4,
    multiple,
    other_count,
    other_multiple,
    other_outcome,
    outcome,
    ratio,
    scale,
    third_multiple,
)
from dpbook.privacy.statements import private

# --- noise added to a value -----------------------------------------------------------------------


@claim(
    "laplace-ratio",
    source=DWORK_ROTH,
    place="Theorem 3.6, proof",
    given=lambda: [Abs(mu_1 - mu_2) <= epsilon * scale],
    proof=lambda: [
        step(
            "the triangle inequality",
            Abs(at - mu_2) <= Abs(at - mu_1) + Abs(mu_1 - mu_2),
        ),
        step("with the distance of the values", Abs(at - mu_2) <= Abs(at - mu_1) + epsilon * scale),
        step(
            "the distances of an output",
            Abs(at - mu_2) / scale <= epsilon + Abs(at - mu_1) / scale,
        ),
        step(
            "the exponential function is increasing",
            exp(-Abs(at - mu_1) / scale) <= exp(epsilon - Abs(at - mu_2) / scale),
        ),
    ],
)
def ratio_of_laplace_densities():
    """Density of a Laplace distribution, by the density of another Laplace distribution."""
    first, second = Laplace(mu_1, scale), Laplace(mu_2, scale)
    return Le(first.density(at), exp(epsilon) * second.density(at))


@claim("laplace-total", source=DWORK_ROTH, place="Definition 3.2")
def total_of_a_laplace_distribution():
    """Integral of the density of a Laplace distribution."""
    t = Symbol("t", real=True)
    return Eq(Integral(Laplace(mu_1, scale).density(t), (t, -oo, oo)), 1)


@claim(
    "laplace-mechanism",
    source=DWORK_ROTH,
    place="Theorem 3.6",
    given=lambda: [Abs(mu_1 - mu_2) <= epsilon * scale],
    using=[
        ("laplace-total", lambda: {mu_1: mu_1}),
        ("laplace-total", lambda: {mu_1: mu_2}),
        ("laplace-ratio", lambda: {at: at}),
        ("laplace-ratio", lambda: {at: at, mu_1: mu_2, mu_2: mu_1}),
        of_densities(Laplace(mu_1, scale), Laplace(mu_2, scale)),
    ],
)
def privacy_of_laplace_noise():
    """Privacy of a value with Laplace noise, for two values at most epsilon times its scale apart."""
    return private(Laplace(mu_1, scale), Laplace(mu_2, scale), epsilon)


def two_sided(value):
    """Geometric noise around an integer: its mass at an integer output."""
    return (1 - exp(-epsilon)) / (1 + exp(-epsilon)) * exp(-epsilon * Abs(integer_output - value))


@claim(
    "geometric-ratio",
    source=GHOSH,
    place="geometric mechanism, for counts that differ by at most 1",
    given=lambda: [epsilon > 0, Abs(count - other_count) <= 1],
    proof=lambda: [
        step(
            "the triangle inequality",
            Abs(integer_output - other_count)
            <= Abs(integer_output - count) + Abs(count - other_count),
        ),
        step(
            "the exponents",
            -epsilon * Abs(integer_output - count)
            <= epsilon - epsilon * Abs(integer_output - other_count),
        ),
        step(
            "the exponential function is increasing",
            exp(-epsilon * Abs(integer_output - count))
            <= exp(epsilon - epsilon * Abs(integer_output - other_count)),
        ),
        step(
            "the factor of both masses is positive",
            (1 - exp(-epsilon)) / (1 + exp(-epsilon)) > 0,
        ),
    ],
)
def ratio_of_geometric_masses():
    """Mass of an output of the geometric mechanism, by the mass for another count."""
    return Le(two_sided(count), exp(epsilon) * two_sided(other_count))


@claim("randomised-response", source=DWORK_ROTH, place="Claim 3.5")
def privacy_of_randomised_response():
    """Privacy of an answer that is the truth with the odds exp(epsilon)."""
    return private(
        Bernoulli(exp(epsilon) / (1 + exp(epsilon))), Bernoulli(1 / (1 + exp(epsilon))), epsilon
    )


@claim(
    "randomised-response-ratio-many",
    source=DWORK_ROTH,
    place="Claim 3.5, for m + 1 answers",
)
def ratio_of_randomised_responses():
    """Mass of an answer under randomised response with m + 1 answers, by the mass for another truth."""
    first, second = answers()
    return Le(first.density(outcome), exp(epsilon) * second.density(outcome))


def answers():
    """Return the distributions of a randomised answer among m + 1, for two truths."""
    return [TruthOrNot(truth, last_outcome, epsilon) for truth in (first_outcome, other_outcome)]


@claim(
    "randomised-response-many",
    source=DWORK_ROTH,
    place="Claim 3.5, for m + 1 answers",
    using=[
        ("randomised-response-ratio-many", lambda: {outcome: outcome}),
        (
            "randomised-response-ratio-many",
            lambda: {
                outcome: outcome,
                first_outcome: other_outcome,
                other_outcome: first_outcome,
            },
        ),
    ],
)
def privacy_of_a_randomised_answer():
    """Privacy of one of m + 1 answers, where the truth has the odds exp(epsilon)."""
    first, second = answers()
    return private(first, second, epsilon)


@claim(
    "gaussian-mechanism",
    source=BALLE_WANG,
    place="Theorem 8",
    using=["hockey-stick-normal", "hockey-stick-normal-reverse"],
)
def privacy_of_gaussian_noise():
    """Privacy of a value with Gaussian noise of standard deviation 1."""
    return private(Normal(distance, 1), Normal(0, 1), epsilon, normal_profile(distance, epsilon))


# --- the mean of clipped records ------------------------------------------------------------------

records = AnyScore("x", last_outcome)


def clipped(value):
    """Return a record, moved to the nearer end of the interval where it lies outside."""
    return Max(mu_1, Min(mu_2, value))


def clipped_mean(record):
    """Return the mean of m + 2 clipped records, one of which is given."""
    i = Symbol("i", integer=True)
    others = Sum(clipped(records(i)), (i, 0, last_outcome))
    return (others + clipped(record)) / (last_outcome + 2)


def clipped_scale():
    """Return the scale of the noise of a clipped mean."""
    return (mu_2 - mu_1) / ((last_outcome + 2) * epsilon)


@claim(
    "clipped-mean",
    source=DWORK_ROTH,
    place="Theorem 3.6, for the mean of records in an interval",
    given=lambda: [mu_1 < mu_2, epsilon > 0],
    using=[
        (
            "laplace-mechanism",
            lambda: {
                mu_1: clipped_mean(mu_3),
                mu_2: clipped_mean(mu_4),
                scale: clipped_scale(),
            },
        )
    ],
    proof=lambda: [
        step("the scale is positive", clipped_scale() > 0),
        step(
            "the clipped records lie in the interval",
            Abs(clipped(mu_3) - clipped(mu_4)) <= mu_2 - mu_1,
        ),
        step(
            "so do the means lie close",
            Abs(clipped_mean(mu_3) - clipped_mean(mu_4)) <= epsilon * clipped_scale(),
        ),
    ],
)
def privacy_of_a_clipped_mean():
    """Privacy of the mean of clipped records with Laplace noise, when one record is replaced."""
    return private(
        Laplace(clipped_mean(mu_3), clipped_scale()),
        Laplace(clipped_mean(mu_4), clipped_scale()),
        epsilon,
    )


# --- a draw in proportion to scores -----------------------------------------------------------------

u, v = AnyScore("u", last_outcome), AnyScore("v", last_outcome)
FROM_U, FROM_V = (ExponentialMechanism(score, epsilon / 2) for score in (u, v))


@claim(
    "weights",
    source=DWORK_ROTH,
    place="Theorem 3.10, proof",
    given=lambda: [multiple <= other_multiple + 1],
    proof=lambda: [
        step("the exponents", epsilon * multiple / 2 <= epsilon / 2 + epsilon * other_multiple / 2),
        step(
            "the exponential function is increasing",
            exp(epsilon * multiple / 2) <= exp(epsilon / 2 + epsilon * other_multiple / 2),
        ),
    ],
)
def weights_of_one_outcome():
    """Weights of one outcome under two scores, where the first is larger by at most 1."""
    return Le(exp(epsilon * multiple / 2), exp(epsilon / 2) * exp(epsilon * other_multiple / 2))


@claim(
    "quotients",
    source=DWORK_ROTH,
    place="Theorem 3.10, proof",
    given=lambda: [
        density_2 > 0,
        density_4 > 0,
        density_1 <= ratio * density_3,
        density_4 <= ratio * density_2,
    ],
    proof=lambda: [
        step("two products", density_1 * density_4 <= ratio**2 * density_3 * density_2),
    ],
)
def quotient_of_weights():
    """Quotient of a weight and a sum, when both are within a factor of two others."""
    return Le(density_1 / density_2, ratio**2 * density_3 / density_4)


def quotients(first, second):
    """Return the weights of one outcome, and the sums of all."""
    return {
        density_1: first.weight(first_outcome),
        density_2: first.total,
        density_3: second.weight(first_outcome),
        density_4: second.total,
        ratio: exp(epsilon / 2),
    }


@claim(
    "exponential-mechanism",
    source=DWORK_ROTH,
    place="Theorem 3.10",
    given=lambda: [
        Every(
            first_outcome,
            [
                Relation(u(first_outcome), "<=", v(first_outcome) + 1),
                Relation(v(first_outcome), "<=", u(first_outcome) + 1),
            ],
            (Relation(first_outcome, "<=", last_outcome),),
        )
    ],
    using=[
        ("weights", lambda: {multiple: u(first_outcome), other_multiple: v(first_outcome)}),
        ("weights", lambda: {multiple: v(first_outcome), other_multiple: u(first_outcome)}),
        ("quotients", lambda: quotients(FROM_U, FROM_V)),
        ("quotients", lambda: quotients(FROM_V, FROM_U)),
    ],
    proof=lambda: [
        step("the sum of weights is positive", FROM_U.total > 0),
        step("so is the other one", FROM_V.total > 0),
        step("the sums are within exp(epsilon/2)", FROM_U.total <= exp(epsilon / 2) * FROM_V.total),
        step("the other way as well", FROM_V.total <= exp(epsilon / 2) * FROM_U.total),
    ],
)
def privacy_of_the_exponential_mechanism():
    """Privacy of a draw in proportion to exp(epsilon times score / 2), for scores of sensitivity 1."""
    return private(FROM_U, FROM_V, epsilon)


# --- bounded range ----------------------------------------------------------------------------------


@claim(
    "weights-of-two",
    source=DONG_DURFEE,
    place="exponential mechanism, proof",
    given=lambda: [multiple <= other_multiple + 1, fourth_multiple <= third_multiple + 1],
    proof=lambda: [
        step(
            "the exponents",
            epsilon * multiple / 2 + epsilon * fourth_multiple / 2
            <= epsilon + epsilon * other_multiple / 2 + epsilon * third_multiple / 2,
        ),
        step(
            "the exponential function is increasing",
            exp(epsilon * multiple / 2 + epsilon * fourth_multiple / 2)
            <= exp(epsilon + epsilon * other_multiple / 2 + epsilon * third_multiple / 2),
        ),
    ],
)
def weights_of_two_outcomes():
    """Weights of two outcomes under two scores that differ by at most 1."""
    return Le(
        exp(epsilon * multiple / 2) * exp(epsilon * fourth_multiple / 2),
        exp(epsilon) * exp(epsilon * other_multiple / 2) * exp(epsilon * third_multiple / 2),
    )


@claim(
    "exponential-mechanism-range",
    source=DONG_DURFEE,
    place="the exponential mechanism has bounded range",
    given=lambda: [
        first_outcome <= last_outcome,
        other_outcome <= last_outcome,
        Relation(u(first_outcome), "<=", v(first_outcome) + 1),
        Relation(v(other_outcome), "<=", u(other_outcome) + 1),
    ],
    using=[
        (
            "weights-of-two",
            lambda: {
                multiple: u(first_outcome),
                other_multiple: v(first_outcome),
                third_multiple: u(other_outcome),
                fourth_multiple: v(other_outcome),
            },
        )
    ],
    proof=lambda: [
        step("the sum of weights is positive", FROM_U.total > 0),
        step("so is the other one", FROM_V.total > 0),
    ],
)
def range_of_the_exponential_mechanism():
    """Ratio of the probabilities of an outcome, by the ratio for any other outcome: scores of sensitivity 1."""
    j, k = first_outcome, other_outcome
    return Le(
        FROM_U.density(j) * FROM_V.density(k),
        exp(epsilon) * FROM_V.density(j) * FROM_U.density(k),
    )
