"""Lemma B.4, for one sample and over samples: how far from the truth a draw lies."""

from sympy import Abs, Eq, Ge, Gt, Integer, Integral, Lambda, Le, Rational, exp, oo

from dpbook import Either, Every, Exists, Order, as_tree, claim, step
from dpbook.depth_medians.claims.appendix_b import near_draw_given_a_release
from dpbook.depth_medians.claims.appendix_d import (
    COST,
    KEPT,
    VOLUME,
    T,
    as_it_is,
    everywhere,
    indicator,
    integrated,
    total,
    volume,
)
from dpbook.depth_medians.claims.section_3 import NORM
from dpbook.depth_medians.claims.theorem_3_1 import (
    HIGH,
    LARGE,
    LOW,
    OFF_BY_C_2,
    OFF_BY_HALF,
    OFF_LOCATION,
    PASSES,
    TINY,
    ZETA_LOCATION,
    ZETA_SCALE,
    P,
    at_least,
    chance,
    condition_2,
    events,
    largest_scale_of_the_sample,
    least_scale_of_the_sample,
)
from dpbook.depth_medians.notation import (
    C,
    apiece,
    c_1,
    c_2,
    c_3,
    d,
    distance,
    epsilon,
    eta,
    factor_above,
    factor_beside,
    inside,
    n,
    numerator,
    place,
    radius,
    rate,
    sample,
    sampling,
    shell_volume,
    tau,
    whole,
)
from dpbook.depth_medians.samples import Where
from dpbook.privacy.any_distributions import AnyTest
from dpbook.privacy.notation import at

# --- one sample -----------------------------------------------------------------------------------


def outer_radius():
    """Return the radius of a ball that holds A_tau."""
    return 2 * c_2 * tau + sampling + c_3


FAR = Where("R_1", place, NORM(place), ">=", distance)
NEARER = Where("R_2", place, NORM(place), "<", distance)
AROUND = Where("R_3", place, NORM(place), "<=", outer_radius())
BALL = Where("R_4", place, NORM(place), "<=", radius)


def outlyingness_by_distance():
    """Eq. B.9 and B.10 at each point, by its distance from the truth."""
    return everywhere(
        Ge(COST(place), (NORM(place) - c_3 - sampling) / (2 * c_2)),
        Le(COST(place), (NORM(place) + c_3 + sampling) / (c_1 / 2)),
    )


def largest_weight_far_away():
    """Return the largest weight of a point at least t from the truth."""
    return exp(-epsilon / (4 * eta) * ((distance - c_3 - sampling) / (2 * c_2)))


def inverse_weight_near_the_truth():
    """Return the inverse of the least weight in the ball."""
    return exp(epsilon / (4 * eta) * ((radius + c_3 + sampling) / (c_1 / 2)))


@claim(
    "note-b.4-outside",
    place="Lemma B.4, eq. B.11: A_tau lies in the outer ball",
    given=outlyingness_by_distance,
)
def points_outside_of_the_outer_ball():
    """Weight of a point, which is 0 outside of a ball around the truth."""
    return Every(place, Le(KEPT(place), AROUND.indicator(place)))


@claim(
    "note-b.4-far",
    place="Lemma B.4, by eq. B.9",
    given=outlyingness_by_distance,
)
def largest_weight_of_a_far_point():
    """Weight of a point at least t from the truth."""
    return Every(place, Le(FAR.indicator(place) * KEPT(place), largest_weight_far_away()))


@claim(
    "note-b.4-points.i",
    place="Lemma B.4, its bound of the integral over far points, at each point",
    given=lambda: [*outlyingness_by_distance(), distance <= outer_radius()],
    using=["note-b.4-outside", "note-b.4-far"],
)
def weight_far_from_the_truth():
    """Weight of a point far from the truth."""
    shell_there = AROUND.indicator(place) - NEARER.indicator(place)
    return Every(
        place,
        Le(FAR.indicator(place) * KEPT(place), largest_weight_far_away() * shell_there),
    )


def ball_is_kept():
    """Eq. B.11: the inner ball lies in A_tau, as it does for r in the range of the lemma."""
    parts = (Le(COST(place), tau), Gt(NORM(place), radius))
    return everywhere(Either(tuple(map(as_tree, parts))))


@claim(
    "note-b.4-points.ii",
    place="Lemma B.4, its bound of the normaliser, at each point",
    given=lambda: [*outlyingness_by_distance(), *ball_is_kept()],
)
def weight_near_the_truth():
    """Weight of a point of a ball around the truth."""
    return Every(place, Le(BALL.indicator(place), inverse_weight_near_the_truth() * KEPT(place)))


@claim(
    "eq-b.11",
    place="eq. B.11, with level sets of <=, at each point of the space, from eq. B.9 and B.10, which are the conditions: R is its distance from the truth and f its outlyingness. The inner ball lies in A_tau, and A_tau in the outer one",
    scope="from the conclusions of eq. B.9 and B.10 at each point, which are conditions here: eq-b.9 and eq-b.10 show them in one direction",
    given=outlyingness_by_distance,
    without={"eq-b.9": "it is the first condition", "eq-b.10": "it is the second condition"},
    cites=["eq-b.9", "eq-b.10"],
)
def level_set_around_the_truth():
    """Level set of outlyingness between two balls."""
    inner = c_1 * tau / 2 - sampling - c_3
    within = Either((as_tree(Le(COST(place), tau)), as_tree(Gt(NORM(place), inner))))
    around = Either((as_tree(Le(NORM(place), outer_radius())), as_tree(Gt(COST(place), tau))))
    return [Every(place, within), Every(place, around)]


def exponential_of_the_tail():
    """Return the exponential of Lemma B.4."""
    return exp(
        epsilon * ((c_1 / 2 + 2 * c_2) * (c_3 + sampling)) / (4 * eta * c_1 * c_2)
        - epsilon * distance / (8 * eta * c_2)
        + epsilon * radius / (2 * c_1 * eta)
    )


@claim(
    "note-b.4-numbers",
    place="Lemma B.4, from the integrals: J_3 is that over far points, V_3 the volume of a shell, H_3 of a ball",
    given=lambda: [
        numerator <= largest_weight_far_away() * shell_volume,
        inside <= inverse_weight_near_the_truth() * whole,
    ],
    proof=lambda: [
        step(
            "the exponent",
            Eq(
                largest_weight_far_away() * inverse_weight_near_the_truth(),
                exponential_of_the_tail(),
            ),
        ),
        step(
            "both",
            Le(
                numerator * inside,
                largest_weight_far_away()
                * shell_volume
                * (inverse_weight_near_the_truth() * whole),
            ),
        ),
        step("so", Le(numerator * inside, exponential_of_the_tail() * shell_volume * whole)),
    ],
)
def share_of_far_points():
    """Share of far points, from integrals and volumes."""
    return Le(numerator / whole, exponential_of_the_tail() * (shell_volume / inside))


def far_away():
    """Return the integral of the weights over far points."""
    body = FAR.indicator(at) * KEPT(at) * VOLUME.density(at)
    return Integral(body, (at, -oo, oo))


def where_far(function):
    """Return a function of a point, 0 where that is not far from the truth."""
    return Lambda((T,), FAR.indicator(T) * function(T))


@claim(
    "note-b.4-draw",
    place="Lemma B.4 for one sample, on E_6 and E_7: points are told by real numbers, R is the distance from the truth, w "
    "the weight of the mechanism. The first two conditions are eq. B.9 and B.10, the third eq. B.11, by the range of r. Of balls in d "
    "dimensions the ratio of volumes is that of powers of the radii",
    using=[
        "note-b.4-points.i",
        "note-b.4-points.ii",
        integrated(
            *(where_far(KEPT), 0, as_it_is(KEPT)),
            *(largest_weight_far_away(), indicator(AROUND), indicator(NEARER)),
        ),
        integrated(
            *(indicator(BALL), inverse_weight_near_the_truth(), as_it_is(KEPT)),
            *(0, as_it_is(KEPT), as_it_is(KEPT)),
        ),
        (
            "note-b.4-numbers",
            lambda: {
                **{numerator: far_away(), whole: total(KEPT)},
                **{shell_volume: volume(AROUND) - volume(NEARER), inside: volume(BALL)},
            },
        ),
    ],
    given=lambda: [
        *outlyingness_by_distance(),
        *ball_is_kept(),
        distance <= outer_radius(),
        Gt(total(KEPT), 0),
        Ge(far_away(), 0),
        Ge(volume(AROUND), 0),
        Ge(volume(NEARER), 0),
        Gt(volume(BALL), 0),
    ],
    proof=lambda: [step("a volume", Ge(volume(AROUND) - volume(NEARER), 0))],
)
def chance_of_a_far_draw():
    """Chance that a draw is far from the truth, for one sample."""
    ratio = (volume(AROUND) - volume(NEARER)) / volume(BALL)
    return Le(far_away() / total(KEPT), exponential_of_the_tail() * ratio)


# --- over samples ---------------------------------------------------------------------------------


FURTHER = AnyTest("q")  # the chance that a draw of the mechanism for a sample is far from the truth


def further_and_released():
    """Return the chance that there is a release and that it is far from the truth."""
    body = FURTHER.indicator(at) * PASSES.indicator(at) * P.density(at)
    return Integral(body, (at, -oo, oo))


def tail_of_a_draw():
    """Return the exponential of Lemma B.4, with its logarithm."""
    return exponential_of_the_tail() * ((outer_radius() ** d - distance**d) / radius**d)


def astray():
    """E_6 fails: some location errs by at least s."""
    return at_least(OFF_LOCATION, sampling, "E_6c")


def draws_by_the_sample(bound):
    """note-b.4-draw in each sample: a draw is far with a small chance, or one of E_6 and E_7 fails."""
    parts = (
        Le(FURTHER.indicator(sample), bound),
        Ge(OFF_LOCATION(sample), sampling),
        Ge(HIGH(sample), 2 * c_2),
        Le(LOW(sample), c_1 / 2),
    )
    return [Every(sample, Either(tuple(map(as_tree, parts))))]


def bad_samples():
    """Return the bound of Conditions 2 and 3 on the chance that E_6 or E_7 fails for a sample."""
    return rate * ZETA_LOCATION(sampling) + rate * ZETA_SCALE(c_2) + rate * ZETA_SCALE(c_1 / 2)


def conditions_2_and_3():
    """Conditions 2 and 3 where Lemma B.4 uses them."""
    return [
        *largest_scale_of_the_sample(),
        *least_scale_of_the_sample(),
        condition_2(astray(), ZETA_LOCATION, sampling),
        condition_2(OFF_BY_C_2, ZETA_SCALE, c_2),
        condition_2(OFF_BY_HALF, ZETA_SCALE, c_1 / 2),
        *events(LARGE, TINY, astray()),
    ]


def failures():
    """Return the number of failures of E_6 and E_7, for a sample."""
    return sum((e.indicator(sample) for e in (LARGE, TINY)), astray().indicator(sample))


@claim(
    "note-b.4-samples.i",
    place="Lemma B.4 in each sample; a number stands for the bound",
    given=lambda: [factor_above >= 0, *draws_by_the_sample(factor_above)],
)
def far_draws_in_each_sample():
    """Chance of a far draw, for each sample."""
    return Every(sample, Le(FURTHER.indicator(sample), factor_above + failures()))


@claim(
    "note-b.4-samples.ii",
    place="Lemma B.4 in each sample, for a draw that is released",
    using=["note-b.4-samples.i"],
    given=lambda: [factor_above >= 0, *draws_by_the_sample(factor_above)],
)
def far_releases_in_each_sample():
    """Chance of a release that is far from the truth, for each sample."""
    released = PASSES.indicator(sample)
    return Every(
        sample, Le(FURTHER.indicator(sample) * released, factor_above * released + failures())
    )


@claim(
    "note-b.4-mean",
    place="Lemma B.4: what holds in each sample holds in the mean",
    using=["note-b.4-samples.ii"],
    given=lambda: [factor_above >= 0, *draws_by_the_sample(factor_above)],
)
def far_releases_in_the_mean():
    """Chance of a release that is far from the truth, by the chances that a sample is a bad one."""
    return Le(
        further_and_released(),
        factor_above * chance(PASSES) + chance(astray()) + chance(LARGE) + chance(TINY),
    )


@claim(
    "note-b.4-conditions",
    place="used by eq-b.8-corrected and Lemma B.4: each event by its tail",
    using=["note-b.1-large", "note-b.1-small"],
    given=lambda: conditions_2_and_3(),
)
def chance_of_a_bad_sample():
    """Chances that E_6 fails and that E_7 does."""
    return Le(chance(astray()) + chance(LARGE) + chance(TINY), bad_samples())


@claim(
    "eq-b.8",
    place="eq. B.8, for three rows in d = 1 that are 1 or -1 with chance w_1 each and 0 otherwise, MED and the standard deviation. On the left "
    "the chance that all three rows are 0, where the scale is 0 and E_7 fails; on the right C times both tails, as MED errs where two rows are 1 or two are -1, by any radius up to 1. "
    "The statement is that there is such a constant",
    given=lambda: [Eq(apiece, 1 / (12 * (C + 1)))],
    try_at=[{C: 1, apiece: Rational(1, 24)}],
    fault="misprint",
    scope="both sides, which the machine compares: that rows and estimators meet the conditions, and that the chances are these, is said on paper",
    effect="None: Lemma B.4 has the tail of the scale.",
)
def chance_of_a_bad_sample_as_printed():
    """Chance that a location errs or a scale is small or large, as printed."""
    tail = 6 * apiece**2 - 4 * apiece**3
    return Exists(Le((1 - 2 * apiece) ** 3, C * (tail + tail)), {C: 1})


@claim(
    "eq-b.8-corrected",
    place="eq. B.8 with the tail of the scale at its end, which at c_2 is at most as large as at c_1 / 2",
    corrects=["eq-b.8"],
    why="Eq. B.4 bounds the chance of a small scale by the tail of the scale.",
    scope="the least and the largest scale are taken as met in each sample; of E_7 the event that locations are far apart, whose tail is that of the location at c_3 by eq. B.2 (lemma-b.1.ii), is left out: the proof of Lemma B.4 does not use it",
    using=["note-b.4-conditions"],
    given=lambda: conditions_2_and_3(),
)
def chance_of_a_bad_sample_repaired():
    """Chance that a location errs or a scale is small or large, repaired."""
    return Le(chance(astray()) + chance(LARGE) + chance(TINY), bad_samples())


@claim(
    "note-b.4-quotient",
    place="used in Lemma B.4",
    given=lambda: [numerator <= factor_above * whole + factor_beside],
)
def quotient_of_a_bound():
    """Quotient, from a bound of a number."""
    return Le(numerator / whole, factor_above + factor_beside / whole)


def releases():
    """note-b.4-draw in each sample, Conditions 2 and 3, and that there are releases."""
    return [
        distance <= outer_radius(),
        *draws_by_the_sample(tail_of_a_draw()),
        *conditions_2_and_3(),
        Gt(chance(PASSES), 0),
        Ge(further_and_released(), 0),
    ]


def far_given_a_release():
    """Return the inequality of Lemma B.4, repaired."""
    return Le(
        further_and_released() / chance(PASSES),
        tail_of_a_draw() + bad_samples() / chance(PASSES),
    )


@claim(
    "note-b.4-release",
    place="Lemma B.4, repaired, from the conclusion of note-b.4-draw in each sample; for the names see lemma-b.4-corrected",
    using=[
        ("note-b.4-mean", lambda: {factor_above: tail_of_a_draw()}),
        "note-b.4-conditions",
        (
            "note-b.4-quotient",
            lambda: {
                **{numerator: further_and_released(), whole: chance(PASSES)},
                **{factor_above: tail_of_a_draw(), factor_beside: bad_samples()},
            },
        ),
    ],
    given=releases,
    proof=lambda: [
        step("a larger ball", Ge(outer_radius() ** d, distance**d)),
        step("the bound is at least 0", Ge(tail_of_a_draw(), 0)),
        step(
            "both",
            Le(further_and_released(), tail_of_a_draw() * chance(PASSES) + bad_samples()),
        ),
    ],
)
def far_draw_by_the_sample():
    """Chance that a release is far from the truth, given a release, from the chance in each sample."""
    return far_given_a_release()


@claim(
    "lemma-b.4-corrected",
    place="Lemma B.4, repaired: for each s and r of its infimum, here s_n and r, and any distribution P of the data. In a sample omega, q is the chance that a draw "
    "is at least t from the truth, here t_3, and lambda that of a release; the left side is the chance of both over that of "
    "a release. h and l are the largest and the least projected scale and Sn_mu the largest deviation of a location, as in lemma-b.1.iii, "
    "lemma-b.1.iv and lemma-b.1.ii; c_0 is the constant of Condition 2. For a t beyond the range no draw is that far (note-b.4-outside)",
    corrects=["lemma-b.4"],
    why="What is shown is the chance of a bad sample, not that of one given a release; and s ^ c_3 may be s.",
    scope="from the conclusion of note-b.4-draw in each sample, which is a condition here, with the volumes of balls in d dimensions: unless an event of E_6 and "
    "E_7 fails, a draw is far with at most the chance that the first term of the bound says. note-b.4-draw shows it for one sample, from eq. B.9 to B.11",
    using=["note-b.4-release"],
    without={
        "note-b.4-draw": "its conclusion, in each sample, is a condition",
        "eq-b.9": "note-b.4-draw rests on it",
        "eq-b.10": "note-b.4-draw rests on it",
        "text-b.4-exponent": "a step of note-b.4-numbers shows it",
    },
    given=lambda: [sampling > 0, radius < c_1 * tau / 2 - sampling - c_3, *releases()],
    try_at=[
        {
            **{c_1: 1, c_2: 1, c_3: 0, d: 1, epsilon: 1, eta: 1, tau: 2, distance: 1},
            **{sampling: Rational(1, 10), radius: Rational(1, 10), rate: 1},
        }
    ],
)
def far_draw_given_a_release():
    """Chance that a release is far from the truth, given a release."""
    return far_given_a_release()


@claim(
    "note-b.4",
    place="Lemma B.4 as printed, for n = 6 i + 3 rows in one dimension, MED and MAD. With probability 9/10 a row is "
    "uniform on the interval from -2 to 2, with 1/30 each it is 99, 100 or 101. So theta = 2/9 and the scale is 10/9: "
    "c_1 = c_2 = 10/9, c_3 = 1/20, and 4 exp(-n / 10000) bounds both zetas where the lemma has them, at s = 1/20. Let "
    "tau = 1/2, t = 1 and r = 1/100, epsilon = 48, delta = exp(-5 n), and eta so small that the exponential is at most "
    "exp(-n). A draw within t of theta comes from a sample "
    "whose median is at most 2, as MAD is at most 103 else. Such a sample has with certainty no two equal rows at its "
    "median, and for a small eta it is then unsafe: with a chance of at most 2 delta there is such a release. With the chance 30^(-n) at "
    "least a third of the rows is at each of 99, 100 and 101, and any i rows may be replaced without a change of MED "
    "or MAD: its margin is i at least, and it is released with a chance of at least delta exp(24 i). So given a "
    "release the draw is within t with a chance of at most the last term. The others are what the lemma adds up: all fall, while "
    "the chance of a far draw and that of the others are 1 together",
    proof=lambda: [
        step("powers of a number below 1", Le(Rational(3, 5) ** n, 3 / (2 * n))),
        step("the base", Le(30 * exp(-4), Rational(3, 5))),
        step("its powers", Le((30 * exp(-4)) ** n, Rational(3, 5) ** n)),
        step(
            "the chance of a draw nearby",
            Le(
                2 * exp(Integer(12)) * (30 * exp(-4)) ** n,
                2 * exp(Integer(12)) * Rational(3, 5) ** n,
            ),
        ),
        step(
            "in the end",
            Le(2 * exp(Integer(12)) * Rational(3, 5) ** n, 3 * exp(Integer(12)) / n),
        ),
        step("exp", Le(exp(-n), 1 / n)),
        step("a slower one", Le(exp(-n / 10000), 10000 / n)),
        step("no term is negative", Ge(added_up_by_lemma_b_4(), 0)),
        step("sum", Le(added_up_by_lemma_b_4(), (40001 + 3 * exp(Integer(12))) / n)),
        step("rate", Le(Abs(added_up_by_lemma_b_4()), (40001 + 3 * exp(Integer(12))) / n)),
    ],
)
def far_draws_given_a_release_as_printed():
    """Terms that Lemma B.4 adds up, and the chance of a draw nearby given a release."""
    return Order(added_up_by_lemma_b_4(), 1, n, limit=0)


def added_up_by_lemma_b_4():
    """Return the terms of the lemma's bound, and the chance of a draw nearby."""
    return exp(-n) + 4 * exp(-n / 10000) + near_draw_given_a_release()
