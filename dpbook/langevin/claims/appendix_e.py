"""Appendix E: from a small Wasserstein distance to probabilities of balls."""

from sympy import Abs, Eq, Ge, Integral, Le, exp, oo, sqrt

from dpbook import claim, for_all, step
from dpbook.langevin.any_spaces import DISTANCE, VOLUME, average, ball, volume
from dpbook.langevin.claims.section_5 import (
    BALL,
    CLOSER,
    COUPLED,
    COUPLING,
    INNER,
    INNER_RADIUS,
    SPACE,
    P,
    Q,
    bound_of_theorem_2,
    conditions_of_theorem_2,
    coupled,
    having_volume,
    lipschitz_density,
    lipschitz_distribution,
    on_the_ball,
    p,
)
from dpbook.langevin.notation import (
    away,
    away_t,
    ball_centre,
    ball_p,
    ball_q,
    ball_radius,
    closeness,
    density_here,
    factor_left,
    factor_right,
    far_apart,
    first_square,
    inner_p,
    inner_volume,
    inside,
    lipschitz,
    most,
    other_centre,
    outer_volume,
    pair,
    point_p,
    point_q,
    radius,
    second_square,
    shift_of_distribution,
    vector_product,
    wanted,
)
from dpbook.privacy.notation import at
from dpbook.privacy.statements import probability

# --- claim E.1 ------------------------------------------------------------------------------------


SMALLER = ball("B_r", ball_centre, ball_radius)


def leaves():
    """Return the indicator of a first point in the smaller ball, a second off the larger ball."""
    return inside * (1 - density_here)


@claim(
    "note-e.1-leaving",
    place="proof of claim E.1, the inclusion and Markov's inequality, for any numbers",
    given=lambda: [
        inside <= 1,
        density_here <= 1,
        inside * factor_left <= inside * ball_radius,
        (1 - density_here) * radius <= (1 - density_here) * factor_right,
        factor_right <= factor_left + away,
        ball_radius + closeness <= radius,
    ],
    proof=lambda: [
        step("not in the larger ball", Le(leaves() * radius, leaves() * factor_right)),
        step("in the smaller one", Le(leaves() * factor_left, leaves() * ball_radius)),
        step("far apart", Le(leaves() * closeness, leaves() * away)),
        step("Markov", Le(closeness * (inside - density_here), away)),
        step("the square", Le(2 * closeness**2 * away, away**2 + closeness**4)),
    ],
)
def pair_of_numbers():
    """Distance of a pair with its first point in a ball and its second outside a larger ball."""
    return Le(2 * closeness**3 * (inside - density_here), away**2 + closeness**4)


def of_a_pair():
    """The numbers of a coupled pair."""
    first, second = COUPLING.at(pair)
    return {
        **{inside: SMALLER.indicator(first), density_here: BALL.indicator(second)},
        **{factor_left: DISTANCE(ball_centre, first), factor_right: DISTANCE(ball_centre, second)},
        away: COUPLING.apart(pair),
    }


@claim(
    "note-e.1-pairs",
    place="proof of claim E.1, at each pair",
    given=lambda: [ball_radius + closeness <= radius],
    using=[("note-e.1-leaving", of_a_pair)],
)
def pair_that_leaves_the_ball():
    """Distance of a coupled pair, with a point in a ball and a second outside a larger ball."""
    numbers = of_a_pair()
    leaving = numbers[inside] - numbers[density_here]
    return Le(2 * closeness**3 * leaving, numbers[away] ** 2 + closeness**4)


@claim(
    "note-e.1-density",
    place="proof of claim E.1, at each pair, by the density of the coupling",
    given=lambda: [ball_radius + closeness <= radius],
    using=[("note-e.1-pairs", lambda: {pair: at})],
)
def pairs_that_leave_the_ball():
    """Density of pairs with the first point in a ball and the second outside a larger ball."""
    first, second = COUPLING.at(at)
    distribution = COUPLING.distribution.density(at)
    leaving = distribution * SMALLER.indicator(first) - distribution * BALL.indicator(second)
    bound = distribution * COUPLING.apart(at) ** 2 + closeness**4 * distribution
    return for_all(at, Le(2 * closeness**3 * leaving, bound))


@claim(
    "note-e.1-coupling",
    place="proof of claim E.1, for any coupling; the numbers are what it gives to the two balls",
    given=lambda: [
        ball_radius + closeness <= radius,
        Eq(COUPLING.within(SMALLER, 0), factor_left),
        Eq(COUPLING.within(BALL, 1), factor_right),
        COUPLING.mean_square <= most,
    ],
    using=["note-e.1-density"],
)
def share_of_pairs_that_leave_the_ball():
    """Share of pairs with the first point in a ball and the second outside a larger ball."""
    return Le(2 * closeness**3 * (factor_left - factor_right), most + closeness**4)


@claim(
    "note-e.1-numbers",
    place="Claim E.1, for any numbers",
    given=lambda: [2 * closeness**3 * (factor_left - factor_right) <= closeness**4 + closeness**4],
)
def share_by_the_mean_square():
    """Two numbers, by a mean square."""
    return Le(factor_left, factor_right + closeness)


def from_a_coupling():
    """State the two balls of claim E.1, and that a coupling has a mean square <= epsilon**4."""
    return [
        Eq(radius, ball_radius + closeness),
        *coupled(SMALLER),
        COUPLING.mean_square <= closeness**4,
    ]


@claim(
    "note-e.1",
    place="used by claim E.1 and eq. 61: for any coupling with a mean square of at most epsilon**4",
    given=from_a_coupling,
    using=[
        (
            "note-e.1-coupling",
            lambda: {
                **{factor_left: probability(P, SMALLER), factor_right: probability(Q, BALL)},
                most: closeness**4,
            },
        ),
        (
            "note-e.1-numbers",
            lambda: {factor_left: probability(P, SMALLER), factor_right: probability(Q, BALL)},
        ),
    ],
    try_at=[{ball_radius: 1, closeness: 1, radius: 2}],
)
def ball_by_a_coupling():
    """Probability of a ball, against a larger ball under a coupled distribution."""
    return Le(probability(P, SMALLER), probability(Q, BALL) + closeness)


@claim(
    "claim-e.1",
    place=f"Claim E.1, {SPACE}, here of radius r under P and lambda = r + epsilon under Q. {COUPLED}, and optimal, as the proof has it",
    scope="from an optimal coupling, whose mean square is the square of W_2: that there is one (Villani 2009, theorem 4.1) is a condition here",
    given=from_a_coupling,
    using=["note-e.1"],
    without={"text-e.1-inclusion-corrected": "note-e.1-pairs shows it in any space"},
    try_at=[{ball_radius: 1, closeness: 1, radius: 2}],
)
def ball_under_near_distributions():
    """Probability of a ball under P, by the probability of a larger ball under Q."""
    return Le(probability(P, SMALLER), probability(Q, BALL) + closeness)


def moved(power):
    """Mean of a power of the distance of the pairs (t, s t), t of the exponential distribution of rate 1."""
    return Integral(
        (Abs(1 - shift_of_distribution) * away_t) ** power * exp(-away_t), (away_t, 0, oo)
    )


def two_exponential_distributions():
    """Their optimal coupling moves t to s t; its mean square is the square of epsilon**2."""
    return [Eq(sqrt(2) * Abs(1 - shift_of_distribution), closeness**2)]


@claim(
    "text-e.1-markov",
    place="proof of claim E.1, Markov's inequality, for two exponential distributions, of the means 1 and s",
    given=two_exponential_distributions,
    fault="misprint",
    effect="None: the claim needs the mean distance to be at most epsilon**2, and it is. The first equation, of the "
    "mean square, is true; the second fails: its left side is epsilon / sqrt(2) for these distributions.",
)
def mean_of_the_moves_as_printed():
    """Mean square and mean of the distance of an optimal coupling, as printed."""
    return [Eq(moved(2), closeness**4), Eq(1 / closeness * moved(1), closeness)]


@claim("note-e.1-means", place="proof of claim E.1, Markov's inequality, for any number")
def distance_by_its_square():
    """Distance of a pair, by its square."""
    return Le(2 * closeness**2 * away, away**2 + closeness**4)


@claim(
    "note-e.1-means-density",
    place="proof of claim E.1, Markov's inequality, at each pair",
    using=[("note-e.1-means", lambda: {away: COUPLING.apart(at)})],
)
def distance_of_pairs_by_its_square():
    """Distance of the pairs of a coupling, weighed by their density."""
    distribution, gap = COUPLING.distribution.density(at), COUPLING.apart(at)
    return for_all(
        at,
        Le(
            2 * closeness**2 * (distribution * gap),
            distribution * gap**2 + closeness**4 * distribution,
        ),
    )


@claim(
    "note-e.1-mean",
    place="proof of claim E.1, Markov's inequality, for any coupling; the number is its mean distance",
    given=lambda: [Eq(COUPLING.mean, factor_left), COUPLING.mean_square <= most],
    using=["note-e.1-means-density"],
)
def mean_distance_by_the_mean_square():
    """Mean distance of the pairs of a coupling."""
    return Le(2 * closeness**2 * factor_left, most + closeness**4)


@claim(
    "note-e.1-mean-numbers",
    place="proof of claim E.1, Markov's inequality, for any number",
    given=lambda: [2 * closeness**2 * factor_left <= closeness**4 + closeness**4],
)
def number_by_the_mean_square():
    """Number by a mean square."""
    return Le(1 / closeness * factor_left, closeness)


@claim(
    "text-e.1-markov-corrected",
    place=f"proof of claim E.1, Markov's inequality, repaired, {SPACE}. {COUPLED}, whose mean distance exists",
    corrects=["text-e.1-markov"],
    why="The mean distance is at most the root of the mean square, and below it unless all pairs "
    "are equally far apart.",
    given=lambda: [COUPLING.mean_square <= closeness**4, COUPLING.mean >= 0],
    using=[
        ("note-e.1-mean", lambda: {factor_left: COUPLING.mean, most: closeness**4}),
        ("note-e.1-mean-numbers", lambda: {factor_left: COUPLING.mean}),
    ],
)
def mean_distance_of_a_coupling():
    """Mean distance of an optimal coupling, repaired."""
    return Le(1 / closeness * COUPLING.mean, closeness)


def pair_in_the_ball():
    """State that a coupled pair on the line is close, with its first point in the ball."""
    return [Abs(point_p - ball_centre) <= ball_radius, Abs(point_p - point_q) <= closeness]


@claim(
    "text-e.1-inclusion",
    place="proof of claim E.1, the inclusion, on the line",
    given=pair_in_the_ball,
    fault="misprint",
    effect="None: the conclusion has the ball around x.",
)
def second_of_a_close_pair_as_printed():
    """Second of a close pair whose first is in a ball, as printed."""
    return Le(Abs(point_q - other_centre), ball_radius + closeness)


@claim(
    "text-e.1-inclusion-corrected",
    place=f"proof of claim E.1, the inclusion, repaired, {SPACE}",
    corrects=["text-e.1-inclusion"],
    why="The larger ball has the centre of the smaller one, x; the print has y.",
    given=lambda: [
        DISTANCE(ball_centre, point_p) <= ball_radius,
        DISTANCE(point_p, point_q) <= closeness,
    ],
)
def second_of_a_close_pair():
    """Second of a close pair whose first is in a ball, repaired."""
    return Le(DISTANCE(ball_centre, point_q), ball_radius + closeness)


@claim(
    "note-e.1-inclusion",
    place="proof of claim E.1, the inclusion, in any space: lengths of two vectors and their product",
    given=lambda: [
        first_square <= ball_radius**2,
        second_square <= closeness**2,
        vector_product**2 <= first_square * second_square,
    ],
)
def length_of_a_sum():
    """Square of the length of a sum of two vectors."""
    return Le(first_square + 2 * vector_product + second_square, (ball_radius + closeness) ** 2)


@claim(
    "note-e.1-chebyshev",
    place="Claim E.1 by the mean square: the radius grows by t, the probability by epsilon**4 / t**2",
    given=lambda: [
        ball_p <= ball_q + far_apart,
        wanted**2 * far_apart <= closeness**4,
    ],
)
def ball_under_near_distributions_by_the_square():
    """Probability of a ball under one distribution, by the mean square of the distance."""
    return Le(ball_p, ball_q + closeness**4 / wanted**2)


# --- claim E.2 ------------------------------------------------------------------------------------


def both_in(first, second):
    """Return the indicator that two points are in the ball."""
    return BALL.indicator(first) * BALL.indicator(second)


@claim(
    "note-e.2-close",
    place="proof of claim E.2: two points of the ball are within its diameter, for any numbers",
    given=lambda: [
        inside * factor_left <= inside * radius,
        density_here * factor_right <= density_here * radius,
        away <= factor_left + factor_right,
    ],
    proof=lambda: [
        step(
            "the detour",
            Le(
                inside * density_here * away,
                density_here * (inside * factor_left) + inside * (density_here * factor_right),
            ),
        ),
        step(
            "within the ball",
            [
                Le(density_here * (inside * factor_left), density_here * (inside * radius)),
                Le(inside * (density_here * factor_right), inside * (density_here * radius)),
            ],
        ),
    ],
)
def two_points_of_the_ball():
    """Distance of two points of a ball, by their distances from its centre."""
    return Le(inside * density_here * away, inside * density_here * (2 * radius))


@claim(
    "note-e.2-points",
    place="proof of claim E.2, by the Lipschitz bound, at two points",
    given=lipschitz_density,
    using=[
        "note-5-ball",
        ("note-5-ball", lambda: {point_p: point_q}),
        (
            "note-e.2-close",
            lambda: {
                **{inside: BALL.indicator(point_p), density_here: BALL.indicator(point_q)},
                factor_left: DISTANCE(ball_centre, point_p),
                factor_right: DISTANCE(ball_centre, point_q),
                away: DISTANCE(point_p, point_q),
            },
        ),
        (
            "note-5-numbers",
            lambda: {
                **{factor_left: p(point_p), factor_right: p(point_q)},
                **{inside: both_in(point_p, point_q), most: 2 * radius},
                away: DISTANCE(point_p, point_q),
            },
        ),
    ],
)
def densities_at_two_points_of_the_ball():
    """Density at a point of a ball, by the density at another point."""
    both = both_in(point_p, point_q)
    return Le(both * (p(point_p) - lipschitz * (2 * radius)), both * p(point_q))


def least_density(point):
    """Return the lower bound on the density on the ball, by the density at a point of the ball."""
    return BALL.indicator(point) * (p(point) - 2 * radius * lipschitz)


@claim(
    "note-e.2-law",
    place="proof of claim E.2, by the Lipschitz bound, at a point and in the ball",
    given=lipschitz_density,
    using=[("note-e.2-points", lambda: {point_p: point_p, point_q: at})],
)
def distribution_on_the_ball():
    """Distribution on a ball, by the density at a point of it."""
    there, room = on_the_ball()
    return for_all(at, Le(least_density(point_p) * room, BALL.indicator(point_p) * there))


@claim(
    "note-e.2-integral",
    place="proof of claim E.2, its integral over the ball, for any two numbers",
    given=lambda: [
        for_all(at, Le(factor_left * on_the_ball()[1], factor_right * on_the_ball()[0])),
        *having_volume(BALL),
    ],
)
def integral_over_the_ball():
    """Probability of a ball, by its volume."""
    return Le(factor_left * volume(BALL), factor_right * probability(P, BALL))


@claim(
    "note-e.2-mean",
    place="proof of claim E.2, in place of its point z, at a point of the ball",
    given=lambda: [*lipschitz_density(), *having_volume(BALL)],
    using=[
        "note-e.2-law",
        (
            "note-e.2-integral",
            lambda: {
                factor_left: least_density(point_p),
                factor_right: BALL.indicator(point_p),
            },
        ),
    ],
)
def density_by_the_probability_of_the_ball():
    """Density at a point of a ball, by the probability of the ball."""
    return Le(least_density(point_p) * volume(BALL), BALL.indicator(point_p) * probability(P, BALL))


@claim(
    "note-e.2-division",
    place="proof of claim E.2, in place of its point z, for any numbers",
    given=lambda: [
        Le(inside * (density_here - 2 * radius * lipschitz) * outer_volume, inside * ball_p)
    ],
)
def division_by_the_volume():
    """A density by a probability, divided by the volume."""
    return Le(inside * density_here, inside * (ball_p / outer_volume + 2 * radius * lipschitz))


def highest():
    """The bound p(z) + 2 lambda L of the density on the ball, where p(z) is its average."""
    return average(P, BALL) + 2 * radius * lipschitz


def bounded_density():
    """State that the density is Lipschitz, and a number at least its bound on the ball."""
    return [*lipschitz_density(), *having_volume(BALL), highest() <= most]


@claim(
    "note-e.2-average",
    place="proof of claim E.2: the density on the ball",
    given=lambda: [*lipschitz_density(), *having_volume(BALL)],
    using=[
        "note-e.2-mean",
        (
            "note-e.2-division",
            lambda: {
                **{inside: BALL.indicator(point_p), density_here: p(point_p)},
                **{outer_volume: volume(BALL), ball_p: probability(P, BALL)},
            },
        ),
    ],
)
def density_by_its_average():
    """Density at a point of a ball, by its average over the ball."""
    return Le(BALL.indicator(point_p) * p(point_p), BALL.indicator(point_p) * highest())


@claim(
    "note-e.2-more",
    place="proof of claim E.2, for any numbers",
    given=lambda: [inside * density_here <= inside * factor_left, factor_left <= most],
)
def more_than_a_number():
    """A number below another one, by a larger one."""
    return Le(inside * density_here, inside * most)


@claim(
    "note-e.2-highest",
    place="proof of claim E.2: the density on the ball, by a number",
    given=bounded_density,
    using=[
        "note-e.2-average",
        (
            "note-e.2-more",
            lambda: {
                **{inside: BALL.indicator(point_p), density_here: p(point_p)},
                factor_left: highest(),
            },
        ),
    ],
)
def highest_density_on_the_ball():
    """Density at a point of a ball, by a number."""
    return Le(BALL.indicator(point_p) * p(point_p), BALL.indicator(point_p) * most)


def in_the_annulus(point):
    """Return the indicator that a point is in the larger ball and not in the smaller ball."""
    return BALL.indicator(point) - INNER.indicator(point)


def thin(bound, point):
    """The density on the annulus under a bound."""
    return Le(in_the_annulus(point) * p(point), bound * in_the_annulus(point))


@claim(
    "note-e.2-annulus-point",
    place="proof of claim E.2, the annulus, at each point, for any bound of the density",
    given=lambda: [Le(BALL.indicator(point_p) * p(point_p), BALL.indicator(point_p) * most)],
)
def density_on_the_annulus():
    """Density at a point of the annulus, by a bound on the ball."""
    return thin(most, point_p)


@claim(
    "note-e.2-annulus-highest",
    place="proof of claim E.2, the annulus, at each point",
    given=bounded_density,
    using=["note-e.2-highest", "note-e.2-annulus-point"],
)
def highest_density_on_the_annulus():
    """Density at a point of the annulus, by its average over the ball."""
    return thin(most, point_p)


@claim(
    "note-e.2-annulus-law",
    place="proof of claim E.2, the annulus, at all points",
    given=bounded_density,
    using=[("note-e.2-annulus-highest", lambda: {point_p: at})],
)
def distribution_on_the_annulus():
    """Distribution on the annulus, by a number."""
    there = P.density(at) * in_the_annulus(at)
    return for_all(at, Le(there, most * (VOLUME(at) * in_the_annulus(at))))


@claim(
    "note-e.2-annulus",
    place="proof of claim E.2, the annulus, by a number",
    given=lambda: [*bounded_density(), *having_volume(INNER)],
    using=["note-e.2-annulus-law"],
)
def probability_of_the_annulus():
    """Probability of the annulus, by a number."""
    annulus = probability(P, BALL) - probability(P, INNER)
    return Le(annulus, most * (volume(BALL) - volume(INNER)))


def lipschitz_part():
    """The Delta of appendix E."""
    return (volume(BALL) - volume(INNER)) * 2 * radius * lipschitz


@claim(
    "text-e.2-annulus",
    place=f"proof of claim E.2, the annulus, {SPACE}; the annulus is what the larger ball has beyond "
    "the smaller one, and p(z) the average over the larger one",
    given=lipschitz_distribution,
    using=[
        ("note-e.2-annulus", lambda: {most: highest()}),
    ],
)
def bound_of_the_annulus():
    """Bound of the probability of the annulus."""
    outer, inner = volume(BALL), volume(INNER)
    whole = probability(P, BALL)
    return [
        Le(whole - probability(P, INNER), (outer - inner) * highest()),
        Eq((outer - inner) * highest(), (1 - inner / outer) * whole + lipschitz_part()),
    ]


@claim(
    "eq-60",
    place=f"eq. 60, {SPACE}",
    given=lipschitz_distribution,
    using=["text-e.2-annulus"],
)
def smaller_ball_from_below():
    """Probability of the smaller ball, from below."""
    share = volume(INNER) / volume(BALL)
    return Ge(probability(P, INNER), share * probability(P, BALL) - lipschitz_part())


@claim(
    "note-e.2-first",
    place="eq. 61, from eq. 60, for any numbers",
    given=lambda: [
        inner_p
        >= inner_volume / outer_volume * ball_p
        - (outer_volume - inner_volume) * 2 * radius * lipschitz
    ],
)
def larger_ball_by_the_smaller():
    """A number by a smaller one, solved for."""
    part = (outer_volume - inner_volume) * 2 * radius * lipschitz
    return Le(ball_p, outer_volume / inner_volume * (inner_p + part))


def by_volumes():
    """The numbers of eq. 60 to 62."""
    return {
        **{outer_volume: volume(BALL), inner_volume: volume(INNER)},
        **{ball_p: probability(P, BALL), inner_p: probability(P, INNER)},
        ball_q: probability(Q, BALL),
    }


@claim(
    "eq-61",
    place=f"eq. 61, {CLOSER}",
    given=conditions_of_theorem_2,
    using=[
        "eq-60",
        ("note-e.1", lambda: {ball_radius: INNER_RADIUS}),
        ("note-e.2-first", by_volumes),
    ],
)
def larger_ball_from_above():
    """Probability of the larger ball, from above."""
    ratio = volume(BALL) / volume(INNER)
    middle = ratio * (probability(P, INNER) + lipschitz_part())
    return [
        Le(probability(P, BALL), middle),
        Le(middle, ratio * (probability(Q, BALL) + lipschitz_part() + closeness)),
    ]


@claim(
    "eq-62",
    place=f"eq. 62, {CLOSER}",
    given=conditions_of_theorem_2,
    using=["eq-61"],
)
def averages_over_the_ball():
    """Averages over the larger ball."""
    outer, inner = volume(BALL), volume(INNER)
    return Le(
        average(P, BALL),
        outer / inner * average(Q, BALL) + (lipschitz_part() + closeness) / inner,
    )


@claim(
    "claim-e.2",
    place=f"Claim E.2, eq. 59, {CLOSER}",
    given=conditions_of_theorem_2,
    using=["eq-62"],
    without={"eq-60": "eq. 62 rests on it", "eq-61": "eq. 62 rests on it"},
)
def averages_of_near_distributions_in_the_appendix():
    """Averages of two densities over a ball, in the order of eq. 59."""
    return Le(average(P, BALL), bound_of_theorem_2("eq. 59"))


@claim(
    "text-e.2-order",
    place=f"eq. 59 and eq. 9, {SPACE}",
    given=lambda: [*having_volume(BALL, INNER), Ge(probability(Q, BALL), 0)],
)
def two_orders_of_the_bound():
    """Bound of theorem 2 in its two orders."""
    return Eq(bound_of_theorem_2("eq. 59"), bound_of_theorem_2("eq. 9"))
