"""Smooth sensitivity: noise whose scale depends on the data, and differs little between neighbours.

The noise has a distribution that neither a shift nor a change of scale moves far. The Cauchy distribution is one.
"""

from sympy import Abs, Eq, Integral, Le, Symbol, exp, oo

from dpbook import claim, step
from dpbook.privacy.claims.general_concentrated import of_densities
from dpbook.privacy.claims.sources import SMOOTH
from dpbook.privacy.distributions import Cauchy
from dpbook.privacy.notation import (
    at,
    epsilon,
    mu_1,
    mu_2,
    other_epsilon,
    other_scale,
    scale,
)
from dpbook.privacy.statements import private


def square(center, spread):
    """Return the denominator of a Cauchy density."""
    return spread**2 + (at - center) ** 2


@claim(
    "cauchy-slide-ratio",
    source=SMOOTH,
    place="admissible noise, sliding, for Cauchy noise",
    given=lambda: [2 * Abs(mu_1 - mu_2) <= epsilon * scale],
    proof=lambda: [
        step("the exponential function", (1 + epsilon / 2) ** 2 <= exp(epsilon)),
        step(
            "two squares",
            2 * scale * Abs(at - mu_1) <= square(mu_1, scale),
        ),
        step(
            "the product of the distances",
            2 * Abs(at - mu_1) * Abs(mu_1 - mu_2) <= epsilon / 2 * square(mu_1, scale),
        ),
        step(
            "the square of the distance",
            (mu_1 - mu_2) ** 2 <= (epsilon / 2) ** 2 * square(mu_1, scale),
        ),
        step(
            "the square of a sum",
            square(mu_2, scale)
            <= square(mu_1, scale) + 2 * Abs(at - mu_1) * Abs(mu_1 - mu_2) + (mu_1 - mu_2) ** 2,
        ),
        step(
            "together",
            square(mu_2, scale) <= (1 + epsilon / 2) ** 2 * square(mu_1, scale),
        ),
        step("with the exponential", square(mu_2, scale) <= exp(epsilon) * square(mu_1, scale)),
    ],
)
def ratio_of_cauchy_densities_that_slide():
    """Density of a Cauchy distribution, by the density with another centre."""
    first, second = Cauchy(mu_1, scale), Cauchy(mu_2, scale)
    return Le(first.density(at), exp(epsilon) * second.density(at))


@claim(
    "cauchy-dilate-ratio",
    source=SMOOTH,
    place="admissible noise, dilation, for Cauchy noise",
    given=lambda: [
        scale <= exp(other_epsilon) * other_scale,
        other_scale <= exp(other_epsilon) * scale,
    ],
    proof=lambda: [
        step(
            "the squares of the scales",
            scale * other_scale * other_scale <= exp(other_epsilon) * other_scale * scale**2,
        ),
        step(
            "the squares of the output",
            scale * (at - mu_2) ** 2 <= exp(other_epsilon) * other_scale * (at - mu_2) ** 2,
        ),
        step(
            "together",
            scale * square(mu_2, other_scale)
            <= exp(other_epsilon) * other_scale * square(mu_2, scale),
        ),
    ],
)
def ratio_of_cauchy_densities_that_dilate():
    """Density of a Cauchy distribution, by the density with another scale."""
    first, second = Cauchy(mu_2, scale), Cauchy(mu_2, other_scale)
    return Le(first.density(at), exp(other_epsilon) * second.density(at))


@claim(
    "cauchy-ratio",
    source=SMOOTH,
    place="noise scaled by a smooth bound of the local sensitivity, proof",
    given=lambda: [
        2 * Abs(mu_1 - mu_2) <= epsilon * scale,
        scale <= exp(other_epsilon) * other_scale,
        other_scale <= exp(other_epsilon) * scale,
    ],
    using=["cauchy-slide-ratio", "cauchy-dilate-ratio"],
    proof=lambda: [
        step(
            "first the centre, then the scale",
            exp(epsilon) * Cauchy(mu_2, scale).density(at)
            <= exp(epsilon) * (exp(other_epsilon) * Cauchy(mu_2, other_scale).density(at)),
        ),
    ],
)
def ratio_of_cauchy_densities():
    """Density of a Cauchy distribution, by the density with another centre and scale."""
    first, second = Cauchy(mu_1, scale), Cauchy(mu_2, other_scale)
    return Le(first.density(at), exp(epsilon + other_epsilon) * second.density(at))


def nearby():
    """State that the values are close in units of both scales, and the scales within a factor."""
    return [
        2 * Abs(mu_1 - mu_2) <= epsilon * scale,
        2 * Abs(mu_1 - mu_2) <= epsilon * other_scale,
        scale <= exp(other_epsilon) * other_scale,
        other_scale <= exp(other_epsilon) * scale,
    ]


def exchanged():
    """Return the substitution that exchanges the values, and their scales."""
    return {mu_1: mu_2, mu_2: mu_1, scale: other_scale, other_scale: scale}


@claim("cauchy-total", source=SMOOTH, place="admissible noise, Cauchy noise")
def total_of_a_cauchy_distribution():
    """Integral of the density of a Cauchy distribution."""
    t = Symbol("t", real=True)
    return Eq(Integral(Cauchy(mu_1, scale).density(t), (t, -oo, oo)), 1)


@claim(
    "cauchy-mechanism",
    source=SMOOTH,
    place="privacy of a value with Cauchy noise",
    given=lambda: nearby(),
    using=[
        ("cauchy-total", lambda: {mu_1: mu_1}),
        ("cauchy-total", lambda: {mu_1: mu_2, scale: other_scale}),
        ("cauchy-ratio", lambda: {at: at}),
        ("cauchy-ratio", lambda: {at: at, **exchanged()}),
        of_densities(Cauchy(mu_1, scale), Cauchy(mu_2, other_scale), epsilon + other_epsilon),
    ],
)
def privacy_of_cauchy_noise():
    """Privacy of two values with Cauchy noise, where the values and the scales are close."""
    return private(Cauchy(mu_1, scale), Cauchy(mu_2, other_scale), epsilon + other_epsilon)


def spread(bound):
    """Return the scale of the noise, for a smooth bound of the local sensitivity."""
    return 2 * bound / epsilon


@claim(
    "smooth-sensitivity",
    source=SMOOTH,
    place="noise scaled by a smooth bound of the local sensitivity: less Cauchy noise than theirs",
    given=lambda: [
        epsilon > 0,
        Abs(mu_1 - mu_2) <= scale,
        Abs(mu_1 - mu_2) <= other_scale,
        scale <= exp(other_epsilon) * other_scale,
        other_scale <= exp(other_epsilon) * scale,
    ],
    using=[
        ("cauchy-mechanism", lambda: {scale: spread(scale), other_scale: spread(other_scale)}),
    ],
    proof=lambda: [
        step("the scale is positive", spread(scale) > 0),
        step("so is the other one", spread(other_scale) > 0),
        step("the centres", 2 * Abs(mu_1 - mu_2) <= epsilon * spread(scale)),
        step("in the other scale", 2 * Abs(mu_1 - mu_2) <= epsilon * spread(other_scale)),
        step("the scales", spread(scale) <= exp(other_epsilon) * spread(other_scale)),
        step("and back", spread(other_scale) <= exp(other_epsilon) * spread(scale)),
    ],
)
def privacy_at_a_smooth_sensitivity():
    """Privacy of a value with Cauchy noise, scaled by a smooth bound of its local sensitivity.

    The bound on each of two neighbours is at least the distance of their values, and the two bounds are
    within a factor.
    """
    first, second = Cauchy(mu_1, spread(scale)), Cauchy(mu_2, spread(other_scale))
    return private(first, second, epsilon + other_epsilon)
