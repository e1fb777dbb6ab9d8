"""Section 4.3 and Theorem 3 for any likelihood, prior and metric: what draws tell of the data."""

from sympy import Abs, Eq, Ge, Le, Rational, log, sqrt

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.posterior_sampling.any_models import (
    LIKELIHOOD,
    METRIC,
    PRIOR,
    coarse_distance,
    distance_by,
    evidence,
    posterior,
    posterior_distance,
    posterior_divergence,
)
from dpbook.posterior_sampling.claims.general import (
    B,
    assumption_1,
    bounded_density,
    constants,
    constants_measurable,
    divergence_exists,
    excess_from,
    existing,
    measurable,
    part,
    start,
    total_loss,
    zero_or_one,
)
from dpbook.posterior_sampling.claims.general_tests import A, P, Q, difference, over_line
from dpbook.posterior_sampling.notation import (
    L_0,
    L,
    c,
    delta,
    draws,
    in_s,
    multiplier,
    p_x,
    p_y,
    parameter,
    part_x,
    part_y,
    peak,
    phi_x,
    phi_y,
    size,
    weight_0,
    x,
    y,
)
from dpbook.privacy.any_laws import law_for
from dpbook.privacy.notation import density_1, density_3, multiple
from dpbook.privacy.statements import probability

# --- the l1 norm ----------------------------------------------------------------------------------


@claim(
    "eq-a.8",
    place="eq. A.8, for any two laws and any sub-algebra: A is any of its events, and the l1 norm of the "
    "difference on a sub-algebra is the supremum over A of what stands on the left",
    using=[
        "note-l1",
        "note-event",
        ("note-event", lambda: {**law_for(P, Q), **law_for(Q, P)}),
        "privacy:total-variation-symmetric",
    ],
)
def restricted_laws():
    """Distance of two laws on an event and its complement, by that of the laws."""
    first, second = probability(Q, A), probability(P, A)
    return Le(
        Abs(first - second) + Abs((1 - first) - (1 - second)),
        over_line(difference),
    )


@claim(
    "note-pinsker-parameter",
    place="eq. A.9, Pinsker's inequality at a parameter, with the prior density as a weight",
    using=[
        (
            "privacy:difference-below-loss",
            lambda: {
                density_1: p_x / phi_x,
                density_3: p_y / phi_y,
                multiple: multiplier,
            },
        )
    ],
    proof=lambda: [
        step(
            "the weight",
            Eq(
                Abs(weight_0 * p_x / phi_x - weight_0 * p_y / phi_y),
                weight_0 * Abs(p_x / phi_x - p_y / phi_y),
            ),
        ),
    ],
)
def difference_at_a_parameter():
    """Difference of two posterior densities at a parameter, times any number, by their loss."""
    ratio = log((p_x / phi_x) / (p_y / phi_y))
    return Le(
        2 * multiplier * Abs(weight_0 * p_x / phi_x - weight_0 * p_y / phi_y),
        Rational(2, 3) * multiplier**2 * (weight_0 * p_x) / phi_x
        + Rational(4, 3) * multiplier**2 * (weight_0 * p_y) / phi_y
        + weight_0 * (p_x * ratio) / phi_x
        - weight_0 * p_x / phi_x
        + weight_0 * p_y / phi_y,
    )


@claim(
    "note-pinsker-everywhere",
    place="eq. A.9, Pinsker's inequality at a parameter",
    using=[
        (
            "note-pinsker-parameter",
            lambda: {
                p_x: LIKELIHOOD(x, parameter),
                p_y: LIKELIHOOD(y, parameter),
                weight_0: PRIOR.density(parameter),
            },
        )
    ],
)
def difference_everywhere():
    """Difference of two posterior densities, times any number, by their loss."""
    first, second = LIKELIHOOD(x, parameter), LIKELIHOOD(y, parameter)
    weight = PRIOR.density(parameter)
    ratio = log((first / phi_x) / (second / phi_y))
    return Le(
        2 * multiplier * Abs(weight * first / phi_x - weight * second / phi_y),
        Rational(2, 3) * multiplier**2 * (weight * first) / phi_x
        + Rational(4, 3) * multiplier**2 * (weight * second) / phi_y
        + weight * (first * ratio) / phi_x
        - weight * first / phi_x
        + weight * second / phi_y,
    )


@claim(
    "note-pinsker-integrated",
    place="eq. A.9, Pinsker's inequality, for any numbers in place of the evidences",
    given=lambda: [*existing(), Ge(total_loss(phi_x, phi_y), 0)],
    using=[("note-pinsker-everywhere", lambda: {parameter: parameter})],
)
def integrated_difference():
    """Distance of two posteriors times any number, by its square and the loss."""
    first, second = evidence(x) / phi_x, evidence(y) / phi_y
    return Le(
        2 * multiplier * distance_by(x, y, phi_x, phi_y),
        multiplier**2 * (2 * first + 4 * second) / 3
        + total_loss(phi_x, phi_y) / phi_x
        - first
        + second,
    )


@claim(
    "note-distance-exists",
    place="the l1 norm of two posteriors, for any numbers in place of the evidences",
    given=existing,
)
def distance_is_not_negative():
    """Distance of two posteriors, for any evidences."""
    return Ge(distance_by(x, y, phi_x, phi_y), 0)


def distance_exists():
    """That the distance of the posteriors exists, as a lemma."""
    return ("note-distance-exists", lambda: {phi_x: evidence(x), phi_y: evidence(y)})


@claim(
    "note-pinsker-linear",
    place="eq. A.9, Pinsker's inequality for any number",
    given=lambda: [*existing(), divergence_exists()],
    using=[("note-pinsker-integrated", lambda: {phi_x: evidence(x), phi_y: evidence(y)})],
)
def distance_times_a_number():
    """Distance of two posteriors times any number, by its square and the divergence."""
    return Le(
        2 * multiplier * posterior_distance(x, y),
        2 * multiplier**2 + posterior_divergence(x, y),
    )


@claim(
    "note-pinsker-posteriors",
    place="eq. A.9, Pinsker's inequality for two posteriors",
    given=lambda: [*existing(), divergence_exists()],
    using=[
        distance_exists(),
        ("note-pinsker-linear", lambda: {multiplier: posterior_distance(x, y) / 2}),
    ],
)
def distance_and_divergence_of_posteriors():
    """Distance of two posteriors, by their divergence: Pinsker's inequality."""
    return Le(posterior_distance(x, y) ** 2 / 2, posterior_divergence(x, y))


@claim(
    "note-restricted-parameter",
    place="eq. A.9, at a parameter, in an event or not; the sign is the event's",
    given=lambda: [zero_or_one(in_s)],
)
def signed_difference_at_a_parameter():
    """Difference of two posterior densities with the sign of an event, by its size."""
    weight = Abs(weight_0 * p_x / phi_x - weight_0 * p_y / phi_y)
    signed = 2 * weight_0 * (in_s * p_x) / phi_x - 2 * weight_0 * (in_s * p_y) / phi_y
    rest = weight_0 * p_x / phi_x - weight_0 * p_y / phi_y
    return [Le(signed - rest, weight), Le(rest - signed, weight)]


@claim(
    "note-restricted-everywhere",
    place="eq. A.9, its last step, at a parameter",
    using=[
        (
            "note-restricted-parameter",
            lambda: {
                in_s: B.indicator(parameter),
                p_x: LIKELIHOOD(x, parameter),
                p_y: LIKELIHOOD(y, parameter),
                weight_0: PRIOR.density(parameter),
            },
        )
    ],
)
def signed_difference_everywhere():
    """Difference of two posterior densities with the sign of an event, by its size, at a parameter."""
    first, second = LIKELIHOOD(x, parameter), LIKELIHOOD(y, parameter)
    weight, there = PRIOR.density(parameter), B.indicator(parameter)
    whole = Abs(weight * first / phi_x - weight * second / phi_y)
    signed = 2 * weight * (there * first) / phi_x - 2 * weight * (there * second) / phi_y
    rest = weight * first / phi_x - weight * second / phi_y
    return [Le(signed - rest, whole), Le(rest - signed, whole)]


@claim(
    "note-restricted-integrated",
    place="eq. A.9, its last step, for any numbers in place of the evidences",
    given=lambda: [*existing(), *measurable(B)],
    using=[("note-restricted-everywhere", lambda: {parameter: parameter})],
)
def integrated_signed_difference():
    """Difference of two posteriors at an event, by their distance, for any evidences."""
    signed = 2 * part(B, x) / phi_x - 2 * part(B, y) / phi_y
    rest = evidence(x) / phi_x - evidence(y) / phi_y
    return [
        Le(signed - rest, distance_by(x, y, phi_x, phi_y)),
        Le(rest - signed, distance_by(x, y, phi_x, phi_y)),
    ]


@claim(
    "note-restricted-posteriors",
    place="eq. A.9, its last step",
    given=lambda: [*existing(), *measurable(B)],
    using=[("note-restricted-integrated", lambda: {phi_x: evidence(x), phi_y: evidence(y)})],
)
def difference_at_an_event():
    """Difference of two posteriors at an event, by their distance."""
    gap = 2 * posterior(B, x) - 2 * posterior(B, y)
    return [Le(gap, posterior_distance(x, y)), Le(-gap, posterior_distance(x, y))]


@claim(
    "note-restricted",
    place="eq. A.9, its last step: the l1 norm on an event and its complement",
    given=lambda: [*existing(), *measurable(B)],
    using=["note-restricted-posteriors"],
)
def restricted_posteriors():
    """Distance of two posteriors on an event and its complement, by that of the posteriors."""
    return Le(coarse_distance(B, x, y), posterior_distance(x, y))


@claim(
    "eq-a.9",
    place="eq. A.9, for any model, prior and sub-algebra, of which B is any event, without the epsilon of its "
    "first line, which nothing defines",
    cites=["theorem-1.i", "eq-a.5", "eq-a.8"],
    given=lambda: [assumption_1(), *existing(), divergence_exists(), *measurable(B)],
    using=["theorem-1.i", "note-pinsker-posteriors", "note-restricted"],
    without={
        "eq-a.5": "note-pinsker-posteriors is the same for posteriors, where the prior may have no density",
        "eq-a.8": "note-restricted is the same for posteriors",
    },
)
def distance_of_restricted_posteriors():
    """Distance of two posteriors on a sub-algebra, bounded."""
    return [
        Ge(2 * L * METRIC(x, y), posterior_divergence(x, y)),
        Ge(posterior_divergence(x, y), posterior_distance(x, y) ** 2 / 2),
        Ge(posterior_distance(x, y) ** 2 / 2, coarse_distance(B, x, y) ** 2 / 2),
    ]


def radius():
    """Radius of Lemma 2."""
    return sqrt(3 / draws * log(1 / delta))


def told_apart():
    """That the posteriors on a sub-algebra are no closer than the radius of Lemma 2, at some event of it."""
    return Ge(coarse_distance(B, x, y), radius())


@claim(
    "note-half-a-square",
    place="eq. A.10, in numbers",
    given=lambda: [part_x >= part_y**2 / 2, part_y >= size],
)
def half_a_square():
    """Bound of half a square, by a smaller root."""
    return Ge(2 * part_x, size**2)


@claim(
    "note-distance-and-radius",
    place="eq. A.10, in numbers",
    given=lambda: [part_x >= part_y**2 / 2, part_y >= radius()],
    using=[("note-half-a-square", lambda: {size: radius()})],
    proof=lambda: [step("of a root", Eq(radius() ** 2, 3 / draws * log(1 / delta)))],
)
def bound_by_the_radius():
    """Bound of half a square, where its root is not below the radius."""
    return Ge(2 * part_x, 3 / draws * log(1 / delta))


@claim(
    "eq-a.10",
    place="eq. A.10, for any model and prior: what follows where the posteriors on a sub-algebra, of which B is "
    "an event, are no closer than the radius of Lemma 2",
    cites=["lemma-2", "eq-a.9"],
    given=lambda: [
        assumption_1(),
        *existing(),
        divergence_exists(),
        *measurable(B),
        told_apart(),
    ],
    try_at=[{L: 9, draws: 1000, delta: Rational(9, 10)}],
    using=[
        "eq-a.9",
        (
            "note-distance-and-radius",
            lambda: {part_x: 2 * L * METRIC(x, y), part_y: coarse_distance(B, x, y)},
        ),
    ],
    without={"lemma-2": "it gives the radius; what follows from a distance of that size rests on eq. A.9"},
)
def distance_and_radius():
    """Distance of two datasets whose posteriors are further apart than the radius."""
    return Ge(4 * L * METRIC(x, y), 3 / draws * log(1 / delta))


@claim(
    "eq-a.11-corrected",
    place="eq. A.11, repaired, for any model and prior, as eq. A.10",
    corrects=["eq-a.11"],
    why="The bound on the divergence is that of theorem-1.ii-corrected.",
    given=lambda: [
        constants(),
        bounded_density(x),
        bounded_density(y),
        *existing(),
        *constants_measurable(),
        divergence_exists(),
        Le(excess_from(start()), 1 / (c * peak)),
        Ge(excess_from(start()), 0),
        *measurable(B),
        told_apart(),
    ],
    try_at=[{c: Rational(1, 1000), peak: 9, L_0: 3, draws: 1000, delta: Rational(9, 10)}],
    using=[
        "theorem-1.ii-corrected",
        "note-pinsker-posteriors",
        "note-restricted",
        (
            "note-half-a-square",
            lambda: {
                part_x: 2 * METRIC(x, y) * (L_0 + (1 + log(peak)) / c),
                part_y: posterior_distance(x, y),
                size: coarse_distance(B, x, y),
            },
        ),
        (
            "note-distance-and-radius",
            lambda: {
                part_x: 2 * METRIC(x, y) * (L_0 + (1 + log(peak)) / c),
                part_y: coarse_distance(B, x, y),
            },
        ),
    ],
)
def distance_and_radius_under_assumption_2():
    """Distance of two datasets whose posteriors are apart, under assumption 2, repaired."""
    return Ge(4 * METRIC(x, y) * (L_0 + (1 + log(peak)) / c), 3 / draws * log(1 / delta))
