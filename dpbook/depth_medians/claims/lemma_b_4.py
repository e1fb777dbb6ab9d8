"""Lemma B.4 for one sample: how far from the truth a draw lies."""

from sympy import Eq, Ge, Gt, Integral, Lambda, Le, exp, oo

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
from dpbook.depth_medians.notation import (
    c_1,
    c_2,
    c_3,
    distance,
    epsilon,
    eta,
    inside,
    numerator,
    place,
    radius,
    sampling,
    shell_volume,
    tau,
    whole,
)
from dpbook.depth_medians.samples import Where
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Either, Every, as_tree
from dpbook.privacy.notation import at

# --- one sample -----------------------------------------------------------------------------------


def outer_radius():
    """Radius of a ball that holds A_tau."""
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
    """Largest weight of a point at least t from the truth."""
    return exp(-epsilon / (4 * eta) * ((distance - c_3 - sampling) / (2 * c_2)))


def inverse_weight_near_the_truth():
    """One over the least weight in the ball."""
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


def exponential_of_the_tail():
    """The exponential of Lemma B.4."""
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
    """Integral of the weights over far points."""
    body = FAR.indicator(at) * KEPT(at) * VOLUME.density(at)
    return Integral(body, (at, -oo, oo))


def where_far(function):
    """A function of a point, 0 where that is not far from the truth."""
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
