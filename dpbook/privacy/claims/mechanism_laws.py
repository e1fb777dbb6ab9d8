"""Mechanisms as privacy of the laws of their outputs, for all values on neighbouring datasets.

A mechanism adds noise to a value, or draws in proportion to scores. The value, or the scores, of two
neighbours differ by no more than the sensitivity.
"""

from sympy import Abs, Le, exp

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every, Relation
from dpbook.privacy.any_laws import AnyScore, ExponentialMechanism
from dpbook.privacy.claims.sources import BALLE_WANG, DWORK_ROTH
from dpbook.privacy.divergences import normal_profile
from dpbook.privacy.laws import Bernoulli, Laplace, Normal
from dpbook.privacy.notation import (
    at,
    density_1,
    density_2,
    density_3,
    density_4,
    distance,
    epsilon,
    first_outcome,
    last_outcome,
    mu_1,
    mu_2,
    multiple,
    other_multiple,
    ratio,
    scale,
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
    """Density of one Laplace law, by that of another."""
    first, second = Laplace(mu_1, scale), Laplace(mu_2, scale)
    return Le(first.density(at), exp(epsilon) * second.density(at))


@claim("randomised-response", source=DWORK_ROTH, place="Claim 3.5")
def privacy_of_randomised_response():
    """Privacy of an answer that is the truth with the odds exp(epsilon)."""
    return private(
        Bernoulli(exp(epsilon) / (1 + exp(epsilon))), Bernoulli(1 / (1 + exp(epsilon))), epsilon
    )


@claim(
    "gaussian-mechanism",
    source=BALLE_WANG,
    place="Theorem 8",
    using=["hockey-stick-normal", "hockey-stick-normal-reverse"],
)
def privacy_of_gaussian_noise():
    """Privacy of a value with Gaussian noise of standard deviation 1, and the smallest delta."""
    return private(Normal(distance, 1), Normal(0, 1), epsilon, normal_profile(distance, epsilon))


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
    """Weights of one outcome under two scores, of which the first is larger by at most 1."""
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
    """The weights of one outcome, and the sums of all."""
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
