"""Remarks 3, 6 and 21, for any densities: a metric, Assumption 5, and maps of the parameter.

As in `general_models`: densities are those for a measure mu.
"""

from sympy import Eq, Ge, Le, Lt, Max, exp, log, sqrt

from dpbook import Every, claim, step
from dpbook.contamination.any_models import AnyFunction, NonNegative, Transformation, integral
from dpbook.contamination.claims.general import away, f_any, f_at, f_of, f_true, records
from dpbook.contamination.claims.general_models import (
    apart_or_near,
    can_be_told_apart,
    end_of,
    hellinger,
    root_gap,
    uncontaminated,
    under_mu,
)
from dpbook.contamination.notation import (
    delta,
    epsilon,
    gap_at,
    in_s,
    mass_0,
    mass_1,
    moment,
    r,
    size,
    t,
    theta,
    weight,
    x_1,
    x_2,
    y_2,
)
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent
from dpbook.privacy.divergences import hockey_stick

# --- remark 3 -------------------------------------------------------------------------------------

third_of = AnyFunction("w_V", 1, NonNegative)


def distance_of(first, second):
    """Squared Hellinger distance of two functions of a record that are nowhere negative."""
    return under_mu(root_gap(first(y_2), second(y_2)))


@claim(
    "note-remark-3",
    place="Remark 3 at a record: three roots, and any two weights",
    proof=lambda: [
        step(
            "a square",
            Ge(
                (t * (sqrt(mass_0) - sqrt(mass_1)) - r * (sqrt(mass_1) - sqrt(moment))) ** 2,
                0,
            ),
        ),
    ],
)
def square_of_a_sum_by_weights():
    """Squared difference of two roots, by the differences from a third root, weighed."""
    return Le(
        r * t * (weight * root_gap(mass_0, moment)),
        t * (r + t) * (weight * root_gap(mass_0, mass_1))
        + r * (r + t) * (weight * root_gap(mass_1, moment)),
    )


@claim(
    "remark-3",
    place="Remark 3, the triangle inequality, for any three functions f_0, w_U and w_V of a record that are nowhere "
    "negative and whose distances exist: r and t are any positive numbers that two of the distances do not exceed",
    scope="the triangle inequality; that the distance is symmetric, not negative, and 0 for functions that are equal almost everywhere "
    "only, is not stated",
    given=lambda: [
        Le(distance_of(f_true, end_of), r**2),
        Le(distance_of(end_of, third_of), t**2),
        *(
            Ge(distance_of(*pair), 0)
            for pair in ((f_true, end_of), (end_of, third_of), (f_true, third_of))
        ),
    ],
    using=[
        (
            "note-remark-3",
            lambda: {
                mass_0: f_true(y_2),
                mass_1: end_of(y_2),
                moment: third_of(y_2),
                weight: records.density(y_2),
            },
        )
    ],
    proof=lambda: [
        step(
            "integrated",
            Le(
                r * t * distance_of(f_true, third_of),
                t * (r + t) * distance_of(f_true, end_of)
                + r * (r + t) * distance_of(end_of, third_of),
            ),
        ),
    ],
)
def triangle_of_nonnegative_functions():
    """Hellinger distance of two functions that are nowhere negative, by distances from a third."""
    return Le(distance_of(f_true, third_of), (r + t) ** 2)


# --- remark 6 -------------------------------------------------------------------------------------


@claim(
    "note-remark-6",
    place="Remark 6 at a record: the logarithm lies above its tangent",
    proof=lambda: [
        step("the root of the ratio", Eq(log(x_1 / x_2), -2 * log(sqrt(x_2 / x_1)))),
        step("its tangent", Le(log(sqrt(x_2 / x_1)), sqrt(x_2 / x_1) - 1)),
        step("times the density", Eq(x_1 * sqrt(x_2 / x_1), sqrt(x_1) * sqrt(x_2))),
    ],
)
def logarithm_of_the_ratio_of_two_densities():
    """Logarithm of the ratio of two densities, by the difference of their roots."""
    return Ge(
        weight * (x_1 * log(x_1 / x_2)),
        2 * (weight * root_gap(x_1, x_2)) + weight * x_1 - weight * x_2,
    )


def relative_entropy():
    """Return the Kullback-Leibler divergence of the density at theta* from the density at theta."""
    return under_mu(f_at(y_2) * log(f_at(y_2) / f_of(y_2, theta)))


def distance_at(parameter):
    """Squared Hellinger distance of positive densities, of theta* and another parameter."""
    return under_mu(root_gap(f_at(y_2), f_of(y_2, parameter)))


@claim(
    "remark-6",
    place="Remark 6, Assumption 5 is stronger than the same condition on the Kullback-Leibler divergence: h_0 bounds the Hellinger distance from below and t the divergence from above; "
    "then t is at least 2 h_0**2. So an infimum above 0 of the distance gives one of the divergence",
    scope="densities f and f_0 that are positive",
    given=lambda: [
        Eq(under_mu(f_at(y_2)), 1),
        Eq(under_mu(f_of(y_2, theta)), 1),
        Ge(distance_at(theta), gap_at**2),
        Le(relative_entropy(), t),
    ],
    using=[
        (
            "note-remark-6",
            lambda: {
                x_1: f_at(y_2),
                x_2: f_of(y_2, theta),
                weight: records.density(y_2),
            },
        )
    ],
    proof=lambda: [
        step(
            "integrated",
            Ge(
                relative_entropy(),
                2 * distance_at(theta) + under_mu(f_at(y_2)) - under_mu(f_of(y_2, theta)),
            ),
        ),
    ],
)
def divergence_above_the_distance():
    """Kullback-Leibler divergence of two distributions, by their Hellinger distance."""
    return Ge(t, 2 * gap_at**2)


@claim(
    "note-remark-6-same",
    place="Remark 6 at a record: equal densities",
    given=lambda: [Eq(mass_0, mass_1)],
)
def roots_of_equal_densities():
    """Squared difference of the roots of two equal densities."""
    return Le(weight * root_gap(mass_0, mass_1), 0)


@claim(
    "remark-6.identifiable",
    place="Remark 6, Assumption 5 implies that theta* is identifiable: r_0 is any distance, h_0 the infimum beyond it, and D the "
    "distance from theta*; a parameter with the density of theta* is within every r_0 of it, so it is theta*",
    scope="theta* only; the print speaks of the model, and Assumption 5 says nothing of two parameters that both differ from theta*",
    given=lambda: [
        can_be_told_apart(),
        Every(y_2, Eq(f_true(y_2), f_any(y_2, theta))),
        Ge(hellinger(theta, uncontaminated), 0),
    ],
    using=[
        (
            "note-remark-6-same",
            lambda: {
                mass_0: f_true(y_2),
                mass_1: f_any(y_2, theta),
                weight: records.density(y_2),
            },
        )
    ],
    proof=lambda: [
        step("no distance", Le(hellinger(theta, uncontaminated), 0)),
        step("below the infimum", Lt(hellinger(theta, uncontaminated), gap_at**2)),
        step("assumption 5", apart_or_near(theta)),
    ],
)
def same_density_same_parameter():
    """Distance of a parameter that has the density of the true one."""
    return Le(away(theta), size)


# --- remark 21 ------------------------------------------------------------------------------------

P, Q = AnyDistribution("P"), AnyDistribution("Q")
image, moved = AnyEvent("S"), AnyFunction("t_0", 1, Transformation)


def chance_of_the_image(distribution):
    """Probability, under a distribution of the parameter, that its image lies in S."""
    return integral(distribution.density(theta) * image.indicator(moved(theta)), theta)


@claim(
    "note-remark-21",
    place="Remark 21 at a parameter, for an indicator",
    given=[in_s >= 0, in_s <= 1],
    proof=lambda: [
        step(
            "the excess",
            Le(
                (mass_0 - exp(epsilon) * mass_1) * in_s,
                Max(mass_0 - exp(epsilon) * mass_1, 0),
            ),
        ),
    ],
)
def indicator_of_the_image():
    """Density on an event, by another one and the excess over it."""
    return Le(
        mass_0 * in_s, exp(epsilon) * (mass_1 * in_s) + Max(mass_0 - exp(epsilon) * mass_1, 0)
    )


@claim(
    "remark-21",
    place="Remark 21: P and Q are the two posteriors, t_0 the map t, and S any set of images. The map has to be "
    "measurable: so both integrals exist",
    given=lambda: [
        Le(hockey_stick(P, Q, epsilon), delta),
        Ge(chance_of_the_image(P), 0),
        Ge(chance_of_the_image(Q), 0),
    ],
    using=[
        (
            "note-remark-21",
            lambda: {
                mass_0: P.density(theta),
                mass_1: Q.density(theta),
                in_s: image.indicator(moved(theta)),
            },
        )
    ],
)
def privacy_of_an_image():
    """Privacy of a map of the parameter."""
    return Le(chance_of_the_image(P), exp(epsilon) * chance_of_the_image(Q) + delta)
