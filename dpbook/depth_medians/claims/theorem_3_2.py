"""Theorem 3.2: how far a release is from the truth, over samples of any distribution, from Lemma B.4."""

from sympy import Eq, Ge, Gt, Le, Lt, Max, Rational, exp, log

from dpbook import Exists, Order, claim, step
from dpbook.depth_medians.claims.lemma_b_4 import (
    bad_samples,
    conditions_2_and_3,
    draws_by_the_sample,
    exponential_of_the_tail,
    further_and_released,
    outer_radius,
    tail_of_a_draw,
)
from dpbook.depth_medians.claims.section_3 import distance_that_theorem_3_2_allows
from dpbook.depth_medians.claims.theorem_3_1 import PASSES, chance
from dpbook.depth_medians.notation import (
    C,
    ball_in,
    ball_out,
    c_1,
    c_2,
    c_3,
    d,
    distance,
    epsilon,
    eta,
    factor_above,
    factor_beside,
    gamma,
    mass_in,
    mass_out,
    n,
    numerator,
    radius,
    rate,
    sampling,
    tau,
    whole,
)


def logarithm():
    """Return the argument of the theorem's logarithm."""
    return 2 * c_2 * tau / c_3 + 1


def bound():
    """Return the theorem's bound, repaired, without the terms that come from zeta."""
    logs = log(3 / gamma) + d * log(logarithm())
    return 80 * c_2 * eta / epsilon * logs + 50 * c_2 * c_3 / c_1


def chosen_radii():
    """r and s as the proof takes them, and a t of at least the bound, in the range of Lemma B.4."""
    return [
        c_3 > 0,
        Eq(radius, distance * c_1 / (10 * c_2)),
        Eq(sampling, radius),
        distance >= bound(),
        distance <= outer_radius(),
    ]


def radii():
    """Return the chosen radii, with the part of the condition on tau that is needed here."""
    return [*chosen_radii(), tau >= 20 * c_3 / c_1]


# a point at which all conditions on the numbers hold
POINT = {
    **{c_1: 1, c_2: 1, c_3: Rational(1, 100), rate: Rational(1, 100), gamma: 1, epsilon: 1},
    **{eta: Rational(1, 1000), tau: 2, d: 1, distance: 2},
    **{radius: Rational(1, 5), sampling: Rational(1, 5)},
}


@claim(
    "note-3.2-exponent",
    place="Theorem 3.2, its exponent, by eq. B.14 as repaired, against the logarithms that it is to make up for",
    given=radii,
    try_at=[POINT],
    proof=lambda: [
        step(
            "the larger scale",
            Le(
                (c_1 / 2 + 2 * c_2) * (c_3 + sampling) / (4 * c_1 * c_2),
                5 * (c_3 + sampling) / (8 * c_1),
            ),
        ),
        step("s", Eq(5 * sampling / (8 * c_1), distance / (16 * c_2))),
        step("r", Eq(radius / (2 * c_1), distance / (20 * c_2))),
        step(
            "t",
            Ge(
                distance / (80 * c_2),
                eta / epsilon * (log(3 / gamma) + d * log(logarithm())) + 5 * c_3 / (8 * c_1),
            ),
        ),
        step(
            "without epsilon over eta",
            Le(
                (c_1 / 2 + 2 * c_2) * (c_3 + sampling) / (4 * c_1 * c_2)
                - distance / (8 * c_2)
                + radius / (2 * c_1),
                -(eta / epsilon) * (log(3 / gamma) + d * log(logarithm())),
            ),
        ),
    ],
)
def exponent_at_the_bound():
    """Exponent of Lemma B.4 at the bound of the theorem."""
    return Le(
        epsilon * ((c_1 / 2 + 2 * c_2) * (c_3 + sampling)) / (4 * eta * c_1 * c_2)
        - epsilon * distance / (8 * eta * c_2)
        + epsilon * radius / (2 * c_1 * eta),
        -(log(3 / gamma) + d * log(logarithm())),
    )


@claim(
    "note-3.2-exponential",
    place="Theorem 3.2, its exponential",
    given=radii,
    try_at=[POINT],
    using=["note-3.2-exponent"],
    proof=lambda: [
        step(
            "exponentials",
            Le(exponential_of_the_tail(), exp(-(log(3 / gamma) + d * log(logarithm())))),
        ),
    ],
)
def exponential_at_the_bound():
    """Exponential of Lemma B.4 at the bound of the theorem."""
    return Le(exponential_of_the_tail(), gamma / 3 / logarithm() ** d)


@claim(
    "note-3.2-power",
    place="used by note-3.2-volumes",
    given=lambda: [ball_in <= mass_in * ball_out],
    proof=lambda: [
        step("powers", Le(ball_in**d, (mass_in * ball_out) ** d)),
        step("of a product", Eq((mass_in * ball_out) ** d, mass_in**d * ball_out**d)),
        step("they are above 0", [Gt(mass_out**d, 0), Gt(ball_out**d, 0)]),
    ],
)
def difference_of_powers():
    """Difference of two powers over another one."""
    return Le((ball_in**d - mass_out**d) / ball_out**d, mass_in**d)


@claim(
    "note-3.2-far",
    place="Theorem 3.2, its t, without logarithms",
    given=radii,
    try_at=[POINT],
    proof=lambda: [
        step("logarithms", [Ge(log(3 / gamma), 0), Ge(log(logarithm()), 0)]),
        step(
            "their sum", Ge(80 * c_2 * eta / epsilon * (log(3 / gamma) + d * log(logarithm())), 0)
        ),
    ],
)
def distance_at_the_bound():
    """Least distance that the theorem is about."""
    return Ge(distance, 50 * c_2 * c_3 / c_1)


@claim(
    "note-3.2-volumes",
    place="Theorem 3.2, the ratio of volumes of eq. B.15: with c_3 in place of the n of its proof",
    given=lambda: [
        c_3 > 0,
        Eq(radius, distance * c_1 / (10 * c_2)),
        Eq(sampling, radius),
        distance >= 50 * c_2 * c_3 / c_1,
        tau >= 20 * c_3 / c_1,
    ],
    try_at=[POINT],
    proof=lambda: [
        step("times c_1", Ge(distance * c_1, 50 * c_2 * c_3)),
        step("r", Ge(radius, 5 * c_3)),
        step("over c_3", Ge(radius / c_3, 5)),
        step("tau times c_1", Ge(c_1 * tau, 20 * c_3)),
        step("tau", Ge(c_2 * tau, 20 * c_3)),
        step("a product", Ge(2 * c_2 * tau * (radius / c_3), 10 * c_2 * tau)),
        step("in terms of r", Le(outer_radius(), logarithm() * radius)),
    ],
    using=[
        (
            "note-3.2-power",
            lambda: {
                **{ball_in: outer_radius(), ball_out: radius},
                **{mass_in: logarithm(), mass_out: distance},
            },
        )
    ],
)
def ratio_of_volumes_at_the_bound():
    """Ratio of volumes of Lemma B.4 at the bound of the theorem."""
    return Le((outer_radius() ** d - distance**d) / radius**d, logarithm() ** d)


def distance_of_the_proof():
    """t at the end of the proof, with C for its constant, at epsilon = c_1 = c_2 = c_3 = d = gamma = 1 and tau = 25."""
    return C * Max(eta * log(500 * n + 1), 1 / n)


@claim(
    "eq-b.13",
    place="eq. B.13 at the t of the end of the proof, with C for its constant, at epsilon = c_1 = c_2 = c_3 = d = gamma = 1 and tau = 25: s_n and r are any s and r in their range. For each constant C it fails where eta is small and n large",
    cites=["eq-b.14"],
    given=lambda: [
        sampling > 0,
        radius < Rational(25, 2) - sampling - 1,
        distance_of_the_proof() <= 1,
    ],
    try_at=[{C: 1, n: 100, eta: Rational(1, 100), sampling: 1, radius: 1}],
    fault="error",
    effect="Eq. B.14 loses a factor, so t is not large enough for a small eta. With the term 50 c_2 c_3 / c_1 in t it holds (note-3.2-tail).",
)
def tail_at_the_end_of_the_proof_as_printed():
    """Tail of Lemma B.4 at the t of the proof of Theorem 3.2, as printed."""
    t = distance_of_the_proof()
    exponent = Rational(5, 2) * (1 + sampling) / (4 * eta) - t / (8 * eta) + radius / (2 * eta)
    tail = exp(exponent) * ((51 + sampling - t) / radius)
    return Exists(Le(tail, Rational(1, 3)), {C: 1, sampling: 1, radius: 1})


@claim(
    "note-3.2-tail",
    place="Theorem 3.2, eq. B.13, at the bound of the theorem as repaired",
    corrects=["eq-b.13"],
    why="t lacks a term that does not shrink with eta.",
    given=radii,
    try_at=[POINT],
    using=["note-3.2-exponential", "note-3.2-far", "note-3.2-volumes"],
    proof=lambda: [
        step("a volume", Ge((outer_radius() ** d - distance**d) / radius**d, 0)),
        step("a power", Gt(logarithm() ** d, 0)),
    ],
)
def tail_at_the_bound():
    """Tail of Lemma B.4 at the bound of the theorem."""
    return Le(tail_of_a_draw(), gamma / 3)


@claim(
    "note-3.2-numbers",
    place="Theorem 3.2: H_1 is the chance of a release, J_3 that of one which is far from the truth",
    given=lambda: [
        numerator / whole <= factor_above + factor_beside / whole,
        whole <= 1,
        factor_above <= gamma / 3,
        factor_beside <= gamma / 3,
        1 - whole <= gamma / 3,
    ],
    proof=lambda: [
        step("times the chance of a release", Le(numerator, factor_above * whole + factor_beside)),
        step("at most gamma / 3", Le(factor_above * whole, gamma / 3)),
    ],
)
def chance_of_nothing_or_of_a_far_release():
    """Chance of a far release or of none, from the chance of a far release given a release."""
    return Le(numerator + (1 - whole), gamma)


def tau_is_large():
    """Return the condition of the theorem on tau."""
    return tau >= 20 * (2 * c_3 / (10 * c_2 - c_1) + c_3 / c_1)


@claim(
    "note-3.2-range",
    place="Theorem 3.2: by its condition on tau its r and s are in the range of Lemma B.4",
    given=lambda: [
        c_3 > 0,
        Eq(radius, distance * c_1 / (10 * c_2)),
        Eq(sampling, radius),
        distance <= outer_radius(),
        tau_is_large(),
    ],
    try_at=[POINT],
    proof=lambda: [
        step("a difference", Gt(10 * c_2 - c_1, 0)),
        step(
            "tau",
            Ge(c_1 * (10 * c_2 - c_1) * tau, 20 * c_3 * (10 * c_2 + c_1)),
        ),
        step("t", Eq(10 * c_2 * radius, c_1 * distance)),
        step("t in the range", Le(10 * c_2 * radius, c_1 * (2 * c_2 * tau + radius + c_3))),
        step("r", Le((10 * c_2 - c_1) * radius, c_1 * (2 * c_2 * tau + c_3))),
        step(
            "against tau",
            Lt((10 * c_2 - c_1) * (2 * radius + c_3), (10 * c_2 - c_1) * (c_1 * tau / 2)),
        ),
    ],
)
def radii_in_the_range_of_lemma_b_4():
    """r of Theorem 3.2, against the range of Lemma B.4."""
    return Lt(radius, c_1 * tau / 2 - sampling - c_3)


@claim(
    "note-3.2-tau",
    place="Theorem 3.2, what is needed of its condition on tau for the ratio of volumes",
    given=lambda: [tau_is_large()],
    proof=lambda: [
        step("a difference", Gt(10 * c_2 - c_1, 0)),
        step("a term", Ge(2 * c_3 / (10 * c_2 - c_1), 0)),
    ],
)
def condition_on_tau():
    """Condition of Theorem 3.2 on tau, without its first term."""
    return Ge(tau, 20 * c_3 / c_1)


@claim(
    "theorem-3.2-corrected",
    place="Theorem 3.2, repaired: with all constants, for any distribution of the data and each t of at least 80 c_2 (eta / "
    "epsilon) (log(3 / gamma) + d log(2 c_2 tau / c_3 + 1)) + 50 c_2 c_3 / c_1 for which the tails at s = t c_1 / (10 "
    "c_2) are at most gamma / 3, so 10 (c_2 / c_1) times the inverse of zeta: but for a chance of gamma there is a "
    "release within t of the truth. For the names see lemma-b.4-corrected, of whose range r and s are (note-3.2-range)",
    corrects=["theorem-3.2", "text-b-logarithm"],
    why="The term c_2 c_3 / c_1 does not shrink with eta / epsilon, and with it the logarithm needs no n.",
    scope="from the conclusion of note-b.4-draw in each sample, which is a condition here as in lemma-b.4-corrected, with the volumes of balls in d dimensions",
    using=[
        "note-b.4-release",
        "note-3.2-tau",
        "note-3.2-tail",
        (
            "note-3.2-numbers",
            lambda: {
                **{numerator: further_and_released(), whole: chance(PASSES)},
                **{factor_above: tail_of_a_draw(), factor_beside: bad_samples()},
            },
        ),
    ],
    without={
        "lemma-b.4-corrected": "note-b.4-release has its proof",
        "eq-b.14-corrected": "note-3.2-exponent has its exponent",
        "text-b-logarithm": "with t of at least 50 c_2 c_3 / c_1 the theorem's logarithm holds (note-3.2-volumes)",
    },
    given=lambda: [
        tau_is_large(),
        *chosen_radii(),
        *draws_by_the_sample(tail_of_a_draw()),
        *conditions_2_and_3(),
        Gt(chance(PASSES), 0),
        Le(chance(PASSES), 1),
        Ge(further_and_released(), 0),
        bad_samples() <= gamma / 3,
        1 - chance(PASSES) <= gamma / 3,
    ],
    proof=lambda: [
        step("tau", Ge(tau, 20 * c_3 / c_1)),
        step("the tail", Le(tail_of_a_draw(), gamma / 3)),
        step(
            "given a release",
            Le(
                further_and_released() / chance(PASSES),
                tail_of_a_draw() + bad_samples() / chance(PASSES),
            ),
        ),
    ],
    try_at=[POINT],
)
def deviation_of_a_release_repaired():
    """Chance of nothing, or of a release far from the truth."""
    return Le(further_and_released() + (1 - chance(PASSES)), gamma)


@claim(
    "note-theorem-3.2",
    place="Theorem 3.2 as printed, MED and MAD in three dimensions, for rows that are each of 13 points with probability "
    "1/13: the origin, (-5, -1, z), (1, -4, z) and (4, 5, z) with z = 1 and -1, (-3, -2, z), (2, -1, z) and (1, 3, z) with "
    "z = 2 and -2. Masses are multiples of 1/13, so no half-space holds exactly half of the distribution. So but for a chance that falls exponentially in n, all projected "
    "locations and scales of a sample are those of the distribution, and stay so whatever n / 100 of its rows are replaced by: it is "
    "released, for any eta, but for such a chance. c_1 = 7/10, c_2 = 4, c_3 = 2, tau = 60, gamma = 1/2, epsilon = 1, "
    "delta = exp(-n / 1000). A ratio of linear functions is largest where their signs change, so outlyingness is the largest of "
    "finitely many functions, those of directions at right angles to two sums or differences of rows; at (0, 0, z) it is 1, "
    "the least of all, for z within 1/2, and theta is the origin. Around that segment it is 1 + max(y, -x, x - y), "
    "whatever z is, so as eta falls the chance of a draw within t of theta tends to at most 2 t. With eta = 1 / n the "
    "theorem allows a t that is a multiple of this, by its constant C",
)
def deviation_that_the_theorem_allows():
    """Bound of Theorem 3.2, which tends to 0 for a distribution whose draws do not come closer."""
    return Order(distance_that_theorem_3_2_allows(), 1, n, limit=0)
