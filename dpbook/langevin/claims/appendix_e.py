"""Appendix E: from a small Wasserstein distance to probabilities of balls."""

from sympy import Abs, Eq, Ge, Integral, Le, exp, oo, sqrt

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.langevin.claims.section_5 import theorem_2, volumes_by_name, what_theorem_2_takes
from dpbook.langevin.notation import (
    away_t,
    ball_centre,
    ball_p,
    ball_q,
    ball_radius,
    ball_volume,
    closeness,
    far_apart,
    first_square,
    inner_p,
    inner_volume,
    lipschitz,
    mean_distance,
    other_centre,
    outer_volume,
    point_p,
    point_q,
    radius,
    second_square,
    shift_of_law,
    vector_product,
    wanted,
)

# --- claim E.1 ------------------------------------------------------------------------------------


@claim(
    "claim-e.1",
    scope="the last step, from Markov's inequality and a coupling",
    place="Claim E.1, for an optimal coupling, of mean square epsilon**4: its pairs, Markov's "
    "inequality, and the square of a mean",
    given=lambda: [
        ball_p <= ball_q + far_apart,
        closeness * far_apart <= mean_distance,
        mean_distance**2 <= closeness**4,
    ],
    cites=["text-e.1-inclusion-corrected"],
)
def ball_under_near_laws():
    """Probability of a ball under one law, by that of a larger ball under the other."""
    return Le(ball_p, ball_q + closeness)


def moved(power):
    """Mean of a power of the distance of the pairs (t, s t), t of the exponential law of rate 1."""
    return Integral((Abs(1 - shift_of_law) * away_t) ** power * exp(-away_t), (away_t, 0, oo))


def two_exponential_laws():
    """Their optimal coupling moves t to s t; its mean square is the square of epsilon**2."""
    return [Eq(sqrt(2) * Abs(1 - shift_of_law), closeness**2)]


@claim(
    "text-e.1-markov",
    place="proof of claim E.1, Markov's inequality, for two exponential laws",
    given=two_exponential_laws,
    fault="misprint",
    effect="None: the claim needs the mean distance to be at most epsilon**2, and it is.",
)
def mean_of_the_moves_as_printed():
    """Mean square and mean of the distance of an optimal coupling, as printed."""
    return [Eq(moved(2), closeness**4), Eq(1 / closeness * moved(1), closeness)]


@claim(
    "text-e.1-markov-exponential",
    place="proof of claim E.1, Markov's inequality, repaired, for two exponential laws",
    corrects=["text-e.1-markov"],
    proof=lambda: [
        step("mean square", Eq(moved(2), 2 * Abs(1 - shift_of_law) ** 2)),
        step("mean", Eq(moved(1), Abs(1 - shift_of_law))),
        step("the root of 2", Ge(sqrt(2), 1)),
        step("which is at most", Le(Abs(1 - shift_of_law), closeness**2)),
    ],
    why="The mean distance is at most the root of the mean square, and below it unless all pairs "
    "are equally far apart.",
    given=two_exponential_laws,
)
def mean_of_the_moves():
    """Mean square and mean of the distance of an optimal coupling, repaired."""
    return [Eq(moved(2), closeness**4), Le(1 / closeness * moved(1), closeness)]


def pair_in_the_ball():
    """A coupled pair on the line, of which the first is in the ball, and which is close."""
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
    place="proof of claim E.1, the inclusion, repaired, on the line",
    corrects=["text-e.1-inclusion"],
    why="The larger ball has the centre of the smaller one, x; the print has y.",
    given=pair_in_the_ball,
)
def second_of_a_close_pair():
    """Second of a close pair whose first is in a ball, repaired."""
    return Le(Abs(point_q - ball_centre), ball_radius + closeness)


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
def ball_under_near_laws_by_the_square():
    """Probability of a ball under one law, by the mean square of the distance."""
    return Le(ball_p, ball_q + closeness**4 / wanted**2)


# --- claim E.2 ------------------------------------------------------------------------------------


def lipschitz_part():
    """The Delta of appendix E."""
    return (outer_volume - inner_volume) * 2 * radius * lipschitz


def annulus_bound():
    """What the Lipschitz bound gives for the annulus; p(z) is the average over the ball."""
    return [
        ball_p - inner_p
        <= (outer_volume - inner_volume) * (ball_p / outer_volume + 2 * radius * lipschitz)
    ]


@claim(
    "text-e.2-annulus",
    scope="any probability and any two volumes",
    place="proof of claim E.2, the annulus",
)
def bound_of_the_annulus():
    """Bound of the probability of the annulus, rearranged."""
    return Eq(
        (outer_volume - inner_volume) * (ball_p / outer_volume + 2 * radius * lipschitz),
        (1 - inner_volume / outer_volume) * ball_p + lipschitz_part(),
    )


@claim(
    "eq-60",
    scope="the last step, from the inequality of the annulus",
    place="eq. 60",
    given=annulus_bound,
    cites=["text-e.2-annulus"],
)
def smaller_ball_from_below():
    """Probability of the smaller ball, from below."""
    return Ge(inner_p, inner_volume / outer_volume * ball_p - lipschitz_part())


@claim(
    "eq-61",
    scope="the last step, from the inequality of the annulus and that of claim E.1",
    place="eq. 61",
    given=lambda: [*annulus_bound(), inner_p <= ball_q + closeness],
    cites=["claim-e.1", "eq-60"],
)
def larger_ball_from_above():
    """Probability of the larger ball, from above."""
    ratio = outer_volume / inner_volume
    return [
        Le(ball_p, ratio * (inner_p + lipschitz_part())),
        Le(ratio * (inner_p + lipschitz_part()), ratio * (ball_q + lipschitz_part() + closeness)),
    ]


@claim(
    "eq-62",
    scope="the last step, from eq. 61",
    place="eq. 62",
    given=lambda: [ball_p <= outer_volume / inner_volume * (ball_q + lipschitz_part() + closeness)],
    cites=["eq-61"],
)
def averages_over_the_ball():
    """Averages over the larger ball, from eq. 61."""
    return Le(
        ball_p / outer_volume,
        outer_volume / inner_volume * (ball_q / outer_volume)
        + (lipschitz_part() + closeness) / inner_volume,
    )


@claim(
    "claim-e.2",
    scope="the last step, from the inequality of the annulus and that of claim E.1",
    place="Claim E.2, eq. 59",
    given=lambda: [radius > closeness, *what_theorem_2_takes()],
    using=[("note-5-averages", volumes_by_name)],
    cites=["eq-60", "eq-61", "eq-62"],
)
def averages_of_near_laws_in_the_appendix():
    """Averages of two densities over a ball, in the order of eq. 59."""
    return Le(ball_p / ball_volume(radius), theorem_2("eq. 59"))


@claim(
    "text-e.2-order",
    scope="any number in place of the probability of the ball under Q",
    place="eq. 59 and eq. 9",
    given=[radius > closeness],
)
def two_orders_of_the_bound():
    """Bound of theorem 2 in its two orders."""
    return Eq(theorem_2("eq. 59"), theorem_2("eq. 9"))
