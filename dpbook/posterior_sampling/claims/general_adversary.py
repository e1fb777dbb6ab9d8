"""Section 4.3 and Theorem 3 for any likelihood, prior and metric: draws of an adversary."""

from sympy import Abs, Eq, Ge, Gt, Lambda, Le, Lt, Or, Rational, Symbol, cosh, exp, log, sqrt

from dpbook import Every, claim, step
from dpbook.posterior_sampling.any_models import (
    LIKELIHOOD,
    METRIC,
    PRIOR,
    Posterior,
    affinity_by,
    coarse_distance,
    distance_by,
    evidence,
    log_likelihood_ratio,
    posterior,
    posterior_distance,
    posterior_divergence,
)
from dpbook.posterior_sampling.claims.general import (
    B,
    assumption_1,
    divergence_exists,
    existing,
    measurable,
    part,
    total_loss,
    with_tails,
    zero_or_one,
)
from dpbook.posterior_sampling.claims.general_tests import A, P, Q, difference, over_line
from dpbook.posterior_sampling.notation import (
    L_0,
    L,
    c,
    delta,
    difference_1,
    draws,
    in_s,
    multiplier,
    overlap,
    p_x,
    p_y,
    parameter,
    part_x,
    part_y,
    peak,
    phi_x,
    phi_y,
    size,
    spread,
    theta,
    variation,
    variation_1,
    weight_0,
    x,
    y,
)
from dpbook.posterior_sampling.notation import radius as deviation
from dpbook.privacy.any_distributions import Repeated, distribution_for
from dpbook.privacy.distributions import Binomial
from dpbook.privacy.divergences import affinity, total_variation
from dpbook.privacy.notation import common_affinity, density_1, density_3, multiple, queries
from dpbook.privacy.statements import AtLeast, probability

# --- the l1 norm ----------------------------------------------------------------------------------


@claim(
    "eq-a.8",
    place="eq. A.8, for any two distributions and any sub-algebra: A is any of its events, and the l1 norm of the "
    "difference on a sub-algebra is the supremum over A of what stands on the left",
    using=[
        "note-l1",
        "note-event",
        ("note-event", lambda: {**distribution_for(P, Q), **distribution_for(Q, P)}),
        "privacy:total-variation-symmetric",
    ],
)
def restricted_distributions():
    """Distance of two distributions on an event and its complement, by their l1 distance."""
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
    """State that the distance of the posteriors exists, as a lemma."""
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
    """Distance of two posteriors on an event and its complement, by their l1 distance."""
    return Le(coarse_distance(B, x, y), posterior_distance(x, y))


@claim(
    "eq-a.9",
    place="eq. A.9: for any model, prior and sub-algebra, of which B is any event. The number 2 L epsilon in its "
    "first line is left out (eq-a.9-epsilon)",
    corrects=["eq-a.9-epsilon"],
    why="Theorem 1(i) is about the distance of the two datasets.",
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


@claim(
    "text-a-theorem-2",
    place="Appendix A, last display of the proof of Theorem 2, its first inequality: for any model and prior; B is "
    "any set of parameters",
    cites=["eq-a.5"],
    given=lambda: [*existing(), divergence_exists(), *measurable(B)],
    using=[
        "note-pinsker-posteriors",
        "note-restricted-posteriors",
        (
            "note-size-and-square",
            lambda: {
                difference_1: posterior(B, x) - posterior(B, y),
                variation_1: posterior_distance(x, y) / 2,
                size: posterior_divergence(x, y),
            },
        ),
    ],
    without={
        "eq-a.5": "note-pinsker-posteriors is the same for posteriors, where the prior may have no density"
    },
)
def event_and_divergence():
    """Posterior probabilities of a set of parameters, by the divergence of the posteriors."""
    return Le(Abs(posterior(B, x) - posterior(B, y)), sqrt(posterior_divergence(x, y) / 2))


def radius():
    """Radius of Lemma 2."""
    return sqrt(3 / draws * log(1 / delta))


@claim(
    "note-half-a-square",
    place="eq. A.10, in numbers",
    given=lambda: [part_x >= part_y**2 / 2],
)
def half_a_square():
    """Bound of half a square, where its root is not below another number."""
    return Or(part_y < size, 2 * part_x >= size**2)


@claim(
    "note-smaller-square",
    place="eq. A.9, in numbers",
    given=lambda: [part_x >= size**2 / 2, part_y <= size],
)
def bound_of_a_smaller_square():
    """Bound of half a square, and of half a smaller one."""
    return Ge(part_x, part_y**2 / 2)


@claim(
    "note-distance-and-radius",
    place="eq. A.10, in numbers",
    given=lambda: [part_x >= part_y**2 / 2],
    using=[("note-half-a-square", lambda: {size: radius()})],
    proof=lambda: [step("of a root", Eq(radius() ** 2, 3 / draws * log(1 / delta)))],
)
def bound_by_the_radius():
    """Bound of half a square, where its root is not below the radius."""
    return Or(part_y < radius(), 2 * part_x >= 3 / draws * log(1 / delta))


@claim(
    "eq-a.10",
    place="eq. A.10, for any model and prior: either the posteriors on a sub-algebra, of which B is an event, are "
    "closer than the radius of Lemma 2, or the datasets are this far apart",
    cites=["lemma-2", "eq-a.9"],
    given=lambda: [
        assumption_1(),
        *existing(),
        divergence_exists(),
        *measurable(B),
    ],
    using=[
        "eq-a.9",
        (
            "note-distance-and-radius",
            lambda: {part_x: 2 * L * METRIC(x, y), part_y: coarse_distance(B, x, y)},
        ),
    ],
    proof=lambda: [
        step("eq. A.9", Ge(2 * L * METRIC(x, y), coarse_distance(B, x, y) ** 2 / 2)),
    ],
    without={
        "lemma-2": "it gives the radius; what follows from a distance of that size rests on eq. A.9"
    },
)
def distance_and_radius():
    """Distance of two datasets whose posteriors are further apart than the radius."""
    return Or(
        coarse_distance(B, x, y) < radius(),
        2 * (2 * L * METRIC(x, y)) >= 3 / draws * log(1 / delta),
    )


@claim(
    "eq-a.11-corrected",
    place="eq. A.11, repaired, for any model and prior, as eq. A.10",
    corrects=["eq-a.11"],
    why="The bound on the divergence is that of theorem-1.ii-corrected.",
    given=lambda: [*with_tails(), *measurable(B)],
    using=[
        "theorem-1.ii-corrected",
        "note-pinsker-posteriors",
        "note-restricted",
        (
            "note-smaller-square",
            lambda: {
                part_x: 2 * METRIC(x, y) * (L_0 + (1 + log(peak)) / c),
                part_y: coarse_distance(B, x, y),
                size: posterior_distance(x, y),
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
    return Or(
        coarse_distance(B, x, y) < radius(),
        2 * (2 * METRIC(x, y) * (L_0 + (1 + log(peak)) / c)) >= 3 / draws * log(1 / delta),
    )


# --- any number of draws --------------------------------------------------------------------------


@claim(
    "note-affinity-root",
    place="Theorem 3, repaired: the ratio of two numbers, and its root",
    given=lambda: [p_x <= exp(size) * p_y, p_y <= exp(size) * p_x],
    proof=lambda: [
        step("the first root", Le(sqrt(p_x), exp(size / 2) * sqrt(p_y))),
        step("the other", Le(sqrt(p_y), exp(size / 2) * sqrt(p_x))),
        step("the ends", Eq(2 * cosh(size / 2), exp(size / 2) + exp(-size / 2))),
        step(
            "the root lies between its ends",
            Ge(
                (exp(size / 2) * sqrt(p_y) - sqrt(p_x)) * (sqrt(p_x) - exp(-size / 2) * sqrt(p_y)),
                0,
            ),
        ),
    ],
)
def sum_below_a_root():
    """Sum of two numbers whose ratio is bounded, by the root of their product."""
    return Le(p_x + p_y, 2 * cosh(size / 2) * sqrt(p_x * p_y))


@claim(
    "note-affinity-parameter",
    place="Theorem 3, repaired, at a parameter",
    given=lambda: [Abs(log(p_x / p_y)) <= size],
    using=["note-likelihoods", "note-affinity-root"],
    proof=lambda: [
        step(
            "the weight",
            Le(
                weight_0 * p_x + weight_0 * p_y,
                2 * cosh(size / 2) * (weight_0 * sqrt(p_x * p_y)),
            ),
        ),
        step(
            "the evidences",
            Eq(
                sqrt(phi_x * phi_y) * sqrt((weight_0 * p_x / phi_x) * (weight_0 * p_y / phi_y)),
                weight_0 * sqrt(p_x * p_y),
            ),
        ),
    ],
)
def likelihoods_below_their_root():
    """Weighted likelihoods of two datasets whose log ratio is bounded, by the root of the densities."""
    root = sqrt((weight_0 * p_x / phi_x) * (weight_0 * p_y / phi_y))
    return Le(
        weight_0 * p_x + weight_0 * p_y,
        2 * cosh(size / 2) * sqrt(phi_x * phi_y) * root,
    )


@claim(
    "note-affinity-everywhere",
    place="Theorem 3, repaired, at a parameter",
    given=lambda: [assumption_1()],
    using=[
        (
            "note-affinity-parameter",
            lambda: {
                p_x: LIKELIHOOD(x, parameter),
                p_y: LIKELIHOOD(y, parameter),
                weight_0: PRIOR.density(parameter),
                size: L * METRIC(x, y),
            },
        )
    ],
    proof=lambda: [
        step("assumption 1", Le(Abs(log_likelihood_ratio(x, y, parameter)), L * METRIC(x, y)))
    ],
)
def likelihoods_below_their_root_everywhere():
    """Weighted likelihoods of two datasets under assumption 1, by the root of the densities."""
    first, second = (PRIOR.density(parameter) * LIKELIHOOD(one, parameter) for one in (x, y))
    return Le(
        first + second,
        2
        * cosh(L * METRIC(x, y) / 2)
        * sqrt(phi_x * phi_y)
        * sqrt((first / phi_x) * (second / phi_y)),
    )


@claim(
    "note-affinity-integrated",
    place="Theorem 3, repaired, for any numbers in place of the evidences",
    given=lambda: [assumption_1(), *existing(), Ge(affinity_by(x, y, phi_x, phi_y), 0)],
    using=[("note-affinity-everywhere", lambda: {parameter: parameter})],
)
def evidences_below_an_affinity():
    """Evidences of two datasets under assumption 1, by the affinity of the posteriors."""
    return Le(
        evidence(x) + evidence(y),
        2 * cosh(L * METRIC(x, y) / 2) * sqrt(phi_x * phi_y) * affinity_by(x, y, phi_x, phi_y),
    )


@claim(
    "note-affinity-mean",
    place="Theorem 3, repaired, in numbers: the mean of two numbers is not below the root of their product",
    given=lambda: [phi_x + phi_y <= 2 * spread * sqrt(phi_x * phi_y) * overlap],
    proof=lambda: [
        step("the means", Ge(phi_x + phi_y, 2 * sqrt(phi_x * phi_y))),
        step("together", Le(sqrt(phi_x * phi_y), spread * overlap * sqrt(phi_x * phi_y))),
    ],
)
def affinity_from_evidences():
    """Affinity of two posteriors, from a bound on the sum of the evidences."""
    return Ge(spread * overlap, 1)


def affinity_of_posteriors():
    """Hellinger affinity of two posteriors."""
    return affinity(Posterior(x), Posterior(y))


@claim(
    "note-posterior-integrated",
    place="eq. 2.2, the whole line, for any number in place of the evidence",
    given=lambda: [existing()[0]],
)
def integral_of_a_posterior():
    """Integral of a posterior density, for any evidence."""
    return Eq(
        over_line(lambda at: PRIOR.density(at) * LIKELIHOOD(x, at) / phi_x), evidence(x) / phi_x
    )


@claim(
    "note-posterior",
    place="eq. 2.2: a posterior is a distribution",
    given=lambda: [existing()[0]],
    using=[("note-posterior-integrated", lambda: {phi_x: evidence(x)})],
)
def posterior_is_a_distribution():
    """Posterior density: nowhere negative, and of integral 1."""
    return [
        Every(parameter, Ge(Posterior(x).density(parameter), 0)),
        Eq(over_line(Posterior(x).density), 1),
    ]


def as_distributions():
    """The posteriors of x and y, in the place of any two distributions."""
    return {**distribution_for(P, Posterior(x)), **distribution_for(Q, Posterior(y))}


@claim(
    "note-affinity-exists",
    place="Theorem 3, repaired: the affinity of the posteriors exists",
    given=existing,
    using=[
        "note-posterior",
        ("note-posterior", lambda: {x: y}),
        ("privacy:affinity-nonnegative", as_distributions),
    ],
)
def affinity_of_posteriors_is_not_negative():
    """Hellinger affinity of two posteriors."""
    return Ge(affinity_of_posteriors(), 0)


@claim(
    "note-affinity-posteriors",
    place="Section 4.3 under assumption 1",
    given=lambda: [assumption_1(), *existing()],
    using=[
        "note-affinity-exists",
        ("note-affinity-integrated", lambda: {phi_x: evidence(x), phi_y: evidence(y)}),
        (
            "note-affinity-mean",
            lambda: {
                phi_x: evidence(x),
                phi_y: evidence(y),
                spread: cosh(L * METRIC(x, y) / 2),
                overlap: affinity_of_posteriors(),
            },
        ),
    ],
)
def affinity_under_assumption_1():
    """Hellinger affinity of two posteriors under assumption 1."""
    return Ge(cosh(L * METRIC(x, y) / 2) * affinity_of_posteriors(), 1)


def variation_of_the_draws():
    """Total variation distance of the distributions of T draws, given x and given y."""
    return total_variation(*(Repeated(Posterior(one), draws) for one in (x, y)))


def as_distributions_of_draws():
    """The posteriors in the place of any two distributions, and T draws of them."""
    i, a, b = Symbol("i", integer=True), Symbol("a", real=True), Symbol("b", real=True)
    pair = total_variation(Repeated(P, draws), Repeated(Q, draws)).definition().function
    mine = variation_of_the_draws().definition().function
    return {
        **as_distributions(),
        pair: Lambda((i, a, b), mine(i, a, b)),
        queries: draws,
        common_affinity: affinity_of_posteriors(),
    }


@claim(
    "note-variation-of-draws",
    place="Theorem 3, repaired: T draws from two posteriors",
    given=lambda: [assumption_1(), *existing()],
    using=[
        "note-posterior",
        ("note-posterior", lambda: {x: y}),
        "note-affinity-exists",
        "note-affinity-posteriors",
        ("privacy:variation-of-draws", as_distributions_of_draws),
    ],
    proof=lambda: [step("the affinity is positive", Gt(affinity_of_posteriors(), 0))],
)
def variation_of_draws_of_posteriors():
    """Total variation distance of T draws from two posteriors, by the affinity of one."""
    whole = affinity_of_posteriors() ** draws
    return Le(variation_of_the_draws() ** 2, 1 - whole**2)


@claim(
    "theorem-3.i-corrected",
    place="Theorem 3, eq. 4.3, repaired, for any model, prior and test of T draws: its average error is at least "
    "(1 - V) / 2, where V is the total variation distance of the distributions of T draws given x and given y "
    "(privacy:le-cam-two-points)",
    corrects=["theorem-3.i"],
    why="The inequality is necessary, not sufficient, and in T draws the distance that can be "
    "told apart falls as T**(-1/2).",
    given=lambda: [
        assumption_1(),
        *existing(),
        delta < Rational(1, 2),
        Ge(variation_of_the_draws(), 1 - 2 * delta),
    ],
    try_at=[{L: 9, draws: 2, delta: Rational(49, 100)}],
    using=[
        "note-affinity-posteriors",
        "note-variation-of-draws",
        (
            "note-theorem-3-error",
            lambda: {
                variation: variation_of_the_draws(),
                overlap: affinity_of_posteriors(),
                spread: cosh(L * METRIC(x, y) / 2),
            },
        ),
    ],
)
def distance_needed_by_an_adversary():
    """Distance that an adversary needs under assumption 1, repaired."""
    return Ge((cosh(L * METRIC(x, y) / 2) ** draws) ** 2, 1 / (4 * delta * (1 - delta)))


# --- two cells ------------------------------------------------------------------------------------


@claim(
    "note-theorem-3-cell",
    place="Theorem 3, repaired as a sufficient condition: an event of probability theta under y, and more by the "
    "deviation under x",
    given=lambda: [deviation >= radius()],
    using=["note-binomial-tail", ("note-theorem-3-enough", lambda: {variation: deviation})],
)
def error_of_a_cell():
    """Probability that more draws than half-way lie in an event."""
    distribution = Binomial(draws, theta)
    return Le(probability(distribution, AtLeast(draws * (theta + deviation / 2))), delta)


def apart():
    """Difference of the posterior probabilities of an event."""
    return posterior(B, x) - posterior(B, y)


def too_many(probable):
    """Probability that more draws than half-way lie in an event of a given probability."""
    return probability(Binomial(draws, probable), AtLeast(draws * (probable + apart() / 2)))


@claim(
    "theorem-3.ii-corrected",
    place="Theorem 3, repaired: a sufficient condition under any assumption, for any model, prior and event B. "
    "The test that says x where more than half-way between its two probabilities of the T draws lie in B, given "
    "y, errs with the first probability, given x with the second one, which is that of as many draws off B",
    corrects=["theorem-3.ii"],
    why="Enough is a distance of the posteriors from below. Neither L nor c gives one: they bound "
    "it from above.",
    given=lambda: [
        *existing(),
        *measurable(B),
        Gt(posterior(B, y), 0),
        Lt(posterior(B, x), 1),
        Ge(apart(), radius()),
    ],
    try_at=[{draws: 9, delta: Rational(9, 10)}],
    using=[
        ("note-theorem-3-cell", lambda: {theta: posterior(B, y), deviation: apart()}),
        ("note-theorem-3-cell", lambda: {theta: 1 - posterior(B, x), deviation: apart()}),
    ],
    proof=lambda: [step("the radius is positive", Gt(radius(), 0))],
)
def error_of_the_nearest_cell():
    """Errors of a test on two cells, repaired."""
    return [Le(too_many(posterior(B, y)), delta), Le(too_many(1 - posterior(B, x)), delta)]
