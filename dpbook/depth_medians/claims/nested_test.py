"""A test of our own that is private: each level is dominated by the next one of a neighbour.

At level j the data may differ from the given data in j rows. In a direction V_j is the largest
(j + 1)-spacing that holds the median, D_j the shorter of two: the largest (j + 1)-spacing that meets
the window in which median - MAD may lie, and the same for median + MAD; b_j bounds MAD from below
after j changes. Level j passes where (tau (V_j + D_j) + V_j) / b_(j+1) <= eta in each direction and twice
the mass beyond tau - eta, at the least outlyingness plus (j + 1) eta, is at most delta. The margin is
the number of levels in a row that pass. Most of it rests on counts of rows.
"""

from sympy import Abs, Ge, Gt, Le, Min, exp, sympify

from dpbook import Either, Every, as_tree, claim, step
from dpbook.depth_medians.claims.appendix_b import by_the_change_of_distance_and_scale
from dpbook.depth_medians.claims.appendix_d import (
    INNER,
    INNER_NEXT,
    KEPT,
    KEPT_NEXT,
    OVER_ALL_POINTS,
    as_it_is,
    chance_of_an_event,
    close_costs,
    everywhere,
    inside_event,
    integrated,
    total,
)
from dpbook.depth_medians.claims.section_5 import A, P, Q, released_event
from dpbook.depth_medians.notation import (
    accepts,
    accepts_next,
    added,
    allowed,
    ball_beyond,
    ball_in,
    between,
    bottom_1,
    bottom_2,
    count,
    d,
    delta,
    delta_1,
    delta_2,
    delta_3,
    epsilon,
    epsilon_1,
    epsilon_2,
    eta,
    event,
    event_next,
    far_distance,
    far_level,
    fraction,
    high_end,
    high_next,
    index,
    kept,
    least,
    least_1,
    least_2,
    least_scale,
    location,
    looked_at,
    lost,
    low_end,
    low_next,
    mass_beyond,
    mass_in,
    near_distance,
    near_level,
    order,
    other_location,
    other_scale,
    out_1,
    per_ball,
    place,
    point,
    rank,
    reach,
    reach_next,
    removed,
    scale,
    shell,
    shell_next,
    shift,
    shift_1,
    shift_2,
    side_1,
    side_2,
    side_next_1,
    side_next_2,
    spread,
    spread_1,
    spread_2,
    tau,
    volume_far,
    volume_near,
    window_high,
    window_low,
    window_next_high,
    window_next_low,
    within,
    within_less,
    within_next,
)
from dpbook.depth_medians.samples import AnyOrdered, AnySize
from dpbook.privacy.statements import probability

# --- the change of outlyingness in one direction --------------------------------------------------


@claim(
    "note-b.2-local",
    place="Lemma B.2 with the sensitivities and the scales of one direction: the ratio is taken "
    "direction by direction, and its supremum last",
    given=lambda: [
        Abs(location - other_location) <= shift,
        Abs(scale - other_scale) <= spread,
        least_scale <= other_scale,
        Abs(point - location) <= tau * scale,
    ],
    proof=lambda: [
        step("the ratio", Le(Abs(point - location) / scale, tau)),
        *by_the_change_of_distance_and_scale(),
    ],
)
def change_of_outlyingness_in_one_direction():
    """Change of outlyingness in one direction, for a point that one dataset keeps."""
    return Le(
        Abs(Abs(point - location) / scale - Abs(point - other_location) / other_scale),
        (tau * spread + shift) / least_scale,
    )


@claim(
    "note-distance-moves",
    place="MAD around a moved centre: the m-th smallest of distances that each change by at most so "
    "much changes by at most so much, so MAD changes by at most V + D",
)
def distance_to_a_moved_centre():
    """Distance of a row to a centre that moves."""
    return Le(
        Abs(Abs(point - location) - Abs(point - other_location)), Abs(location - other_location)
    )


# --- counts ---------------------------------------------------------------------------------------


@claim(
    "note-one-row",
    place="any interval, N rows of the data in it: so order statistics of neighbours interlace, and an "
    "interval that holds at most j rows of one holds at most j + 1 of the other",
)
def rows_in_an_interval():
    """Number of rows in an interval after one is replaced."""
    return Le(Abs((count - removed + added) - count), 1)


@claim(
    "note-annulus",
    place="a fixed centre, and the m-th smallest distances d_1 < d_2 of two neighbours, of which the "
    "first is at most j rows from the data: N_1 rows of it are within d_1, N_3 nearer than d_2; of the "
    "other N_2 are nearer than d_2; N_4 rows of the data are in between",
    using=["note-one-row"],
    given=lambda: [
        within >= rank,
        within_next <= rank - 1,
        within_less <= within_next + 1,
        between <= within_less - within + allowed,
    ],
)
def rows_in_an_annulus():
    """Number of rows of the data in the annulus over which MAD moves."""
    return Le(between, allowed)


@claim(
    "note-half-annulus",
    place="each half of the annulus is an open interval with at most j rows of the data, so it lies in "
    "a (j + 1)-spacing; by this the spacing meets the window",
    given=lambda: [least_scale <= near_distance, far_distance <= reach],
)
def window_of_an_annulus():
    """Ends of both halves of the annulus."""
    return [
        Ge(looked_at - far_distance, low_end - reach),
        Le(looked_at - near_distance, high_end - least_scale),
        Ge(looked_at + near_distance, low_end + least_scale),
        Le(looked_at + far_distance, high_end + reach),
    ]


@claim(
    "note-reach",
    place="no MAD exceeds g: m + j + 1 rows of the data are within g of every centre, so m are after "
    "j + 1 changes",
    given=lambda: [within >= rank + allowed + 1],
)
def rows_within_reach():
    """Number of rows within reach of a centre, and where they lie."""
    return [
        Ge(within - (allowed + 1), rank),
        Le(looked_at - reach, high_end - reach),
        Ge(looked_at + reach, low_end + reach),
    ]


@claim(
    "note-two-sides",
    place="D is the lesser of two spacings: both halves of an annulus are as wide, and each lies in a spacing of its side",
    given=lambda: [
        far_distance - near_distance <= side_1,
        far_distance - near_distance <= side_2,
    ],
)
def width_of_an_annulus():
    """Width of an annulus, by spacings on both sides."""
    return Le(far_distance - near_distance, Min(side_1, side_2))


# --- each part against the neighbour's, one level up ----------------------------------------------


HERE, NEXT = AnyOrdered("X"), AnyOrdered("Y")  # order statistics of the data, and of a neighbour


def moved_up():
    """State that a larger row replaces a row: no order statistic falls or passes the next."""
    return [
        Every(order, Le(HERE(order), NEXT(order))),
        Every(order, Le(NEXT(order), HERE(order + 1))),
    ]


def moved_down():
    """State that a smaller row replaces a row."""
    return [
        Every(order, Le(NEXT(order), HERE(order))),
        Every(order, Le(HERE(order), NEXT(order + 1))),
    ]


def spacing(rows, at_rank, width):
    """Return a spacing that ends at a rank."""
    return rows(at_rank) - rows(at_rank - width)


def spacings_around_the_median_next_door():
    """V_(j + 1) of the neighbour bounds its (j + 2)-spacings that hold the median."""
    bounded = Le(spacing(NEXT, order, allowed + 2), shift_2)
    return [
        index >= rank,
        index <= rank + allowed + 1,
        Every(order, bounded, (order >= rank, order <= rank + allowed + 2)),
    ]


@claim(
    "note-nested-v.i",
    place="V_j of the nested test: each (j + 1)-spacing that holds the median lies in a (j + 2)-spacing of the neighbour that "
    "does, where the neighbour's row is the larger one",
    given=lambda: [*moved_up(), *spacings_around_the_median_next_door()],
)
def spacing_around_the_median_of_a_lower_row():
    """Spacing around the median, against the spacings of a neighbour with a larger row."""
    return Le(spacing(HERE, index, allowed + 1), shift_2)


@claim(
    "note-nested-v.ii",
    place="V_j of the nested test, where the neighbour's row is the smaller one",
    given=lambda: [*moved_down(), *spacings_around_the_median_next_door()],
)
def spacing_around_the_median_of_a_higher_row():
    """Spacing around the median, against the spacings of a neighbour with a smaller row."""
    return Le(spacing(HERE, index, allowed + 1), shift_2)


def spacing_that_meets_a_window():
    """A (j + 1)-spacing meets a window, and the neighbour's window is wider."""
    return [
        HERE(index - allowed - 1) <= window_high,
        HERE(index) >= window_low,
        window_next_low <= window_low,
        window_high <= window_next_high,
    ]


def lies_in(at_rank):
    """It lies in a (j + 2)-spacing of the neighbour that ends at a rank, which meets the wider window."""
    return [
        Le(spacing(HERE, index, allowed + 1), spacing(NEXT, at_rank, allowed + 2)),
        Le(NEXT(at_rank - (allowed + 2)), window_next_high),
        Ge(NEXT(at_rank), window_next_low),
    ]


WIDE = {  # windows that all spacings meet
    **{allowed: 0, index: 1, window_low: -2, window_next_low: -2},
    **{window_high: 2, window_next_high: 2},
}


@claim(
    "note-nested-d.i",
    place="D_j of the nested test, one of its sides: a (j + 1)-spacing that meets the window lies in a (j + 2)-spacing of the "
    "neighbour that meets the neighbour's, so it is at most the neighbour's D_(j + 1); the neighbour's row is the larger one",
    given=lambda: [*moved_up(), *spacing_that_meets_a_window()],
    try_at=[WIDE],
)
def spacing_at_a_window_of_a_lower_row():
    """Spacing that meets a window, against one of a neighbour with a larger row."""
    return lies_in(index)


@claim(
    "note-nested-d.ii",
    place="D_j of the nested test, one of its sides, where the neighbour's row is the smaller one",
    given=lambda: [*moved_down(), *spacing_that_meets_a_window()],
    try_at=[WIDE],
)
def spacing_at_a_window_of_a_higher_row():
    """Spacing that meets a window, against one of a neighbour with a smaller row."""
    return lies_in(index + 1)


@claim(
    "note-nested-d.iii",
    place="D_j of the nested test is the lesser of two sides",
    given=lambda: [side_1 <= side_next_1, side_2 <= side_next_2],
)
def lesser_of_two_sides():
    """Lesser of two spacings, against the spacings of a neighbour."""
    return Le(Min(side_1, side_2), Min(side_next_1, side_next_2))


@claim(
    "note-nested-ends.i",
    place="lo and hi of the nested test, the order statistics m - j and m + j, against those of the neighbour, one rank "
    "further out, where its row is the larger one",
    given=moved_up,
)
def ends_of_the_median_of_a_lower_row():
    """Order statistics around the median, against order statistics of a neighbour with a larger row."""
    return [
        Le(NEXT(rank - allowed - 1), HERE(rank - allowed)),
        Le(HERE(rank + allowed), NEXT(rank + allowed + 1)),
    ]


@claim(
    "note-nested-ends.ii",
    place="lo and hi of the nested test, where the neighbour's row is the smaller one",
    given=moved_down,
)
def ends_of_the_median_of_a_higher_row():
    """Order statistics around the median, against order statistics of a neighbour with a smaller row."""
    return [
        Le(NEXT(rank - allowed - 1), HERE(rank - allowed)),
        Le(HERE(rank + allowed), NEXT(rank + allowed + 1)),
    ]


@claim(
    "note-nested-bottom",
    place="b_(j + 1) of the nested test: where it is met, N_1 rows of the data are within it of z; of the neighbour one row fewer "
    "at least, so that its b, which needs one row fewer, is no larger; z is in its wider range too",
    using=["note-one-row"],
    given=lambda: [
        within >= rank - allowed - 1,
        Abs(within_next - within) <= 1,
        low_next <= low_end,
        high_end <= high_next,
    ],
)
def rows_within_the_least_mad():
    """Number of rows of a neighbour within the least MAD, and the range of its centre."""
    return [
        Ge(within_next, rank - allowed - 2),
        Le(low_next, looked_at),
        Le(looked_at, high_next),
    ]


@claim(
    "note-nested-reach",
    place="g of the nested test: N_2 rows of the neighbour are between hi - g and lo + g of its own, so of the data one fewer at "
    "least is between its hi - g and lo + g, which are further apart: its g, which needs one row fewer, is no larger",
    using=["note-one-row"],
    given=lambda: [
        within_next >= rank + allowed + 2,
        within_next - within <= 1,
        low_next <= low_end,
        high_end <= high_next,
    ],
)
def rows_within_the_neighbours_reach():
    """Number of rows within the reach of a neighbour."""
    return [
        Ge(within, rank + allowed + 1),
        Le(high_end - reach_next, high_next - reach_next),
        Ge(low_end + reach_next, low_next + reach_next),
    ]


@claim(
    "note-nested-windows",
    place="both windows of the nested test: by note-nested-ends, note-nested-reach and note-nested-bottom those of the neighbour "
    "are wider",
    given=lambda: [
        low_next <= low_end,
        high_end <= high_next,
        reach <= reach_next,
        bottom_2 <= bottom_1,
    ],
)
def ends_of_both_windows():
    """Ends of both windows, against the ends for a neighbour."""
    return [
        Le(low_next - reach_next, low_end - reach),
        Le(high_end - bottom_1, high_next - bottom_2),
        Le(low_next + bottom_2, low_end + bottom_1),
        Le(high_end + reach, high_next + reach_next),
    ]


# --- the distribution of the outlyingness of a draw --------------------------------------------------------


@claim(
    "note-volume-ratio",
    place="volumes W_1 and W_2 of the levels t_1 < t_2 of a convex function of least value o: by the "
    "inequality of Brunn and Minkowski the d-th root of the volume is concave, and it is at least 0 "
    "at o, which is the condition",
    given=lambda: [
        volume_near >= (near_level - least) / (far_level - least) * volume_far,
    ],
)
def volumes_of_two_levels():
    """Ratio of the volumes of two level sets, from their d-th roots."""
    return Le((volume_far / volume_near) ** d, ((far_level - least) / (near_level - least)) ** d)


@claim(
    "note-gamma-numbers",
    place="used in note-gamma-domination: m_1 and m_3 are masses up to a level and beyond it, g_1 and g_3 those of the Gamma variable, and "
    "r_0 the ratio of volumes at the level",
    given=lambda: [mass_in >= per_ball * ball_in, mass_beyond <= per_ball * ball_beyond],
)
def chance_beyond_a_level_from_masses():
    """Chance beyond a level, from masses."""
    return Le(mass_beyond / (mass_in + mass_beyond), ball_beyond / (ball_in + ball_beyond))


WITHIN, UP_TO_TAU = AnySize("f_1"), AnySize("f_2")  # volumes up to min(s, t) and min(s, tau)
CONE, CONE_UP_TO_TAU = AnySize("g_1"), AnySize("g_2")  # the same of a cone


@claim(
    "note-gamma-domination",
    place="the outlyingness of a draw above the least one, o, against a cut Gamma(d, beta) variable. As exp(-beta o) is the chance that an exponential variable s of "
    "rate beta exceeds o, the mass of the points up to a level t is the mean of V(min(s, t)), where V(t) is their volume; V here stands for the distribution of s, and x_0 tells s. f_1 and f_2 are the volumes up to "
    "min(s, t) and min(s, tau), g_1 and g_2 those of a cone, min(s, t)^d and min(s, tau)^d, by which a Gamma variable has its distribution. V(t) / t^d falls (note-volume-ratio); r_0 is its value "
    "at t, which is why the first two conditions hold at each s",
    using=[
        "note-volume-ratio",
        integrated(as_it_is(CONE), 1 / per_ball, as_it_is(WITHIN)),
        integrated(
            *(as_it_is(UP_TO_TAU), 1, as_it_is(WITHIN)),
            *(per_ball, as_it_is(CONE_UP_TO_TAU), as_it_is(CONE)),
        ),
        integrated(as_it_is(CONE), 1, as_it_is(CONE_UP_TO_TAU)),
        integrated(as_it_is(WITHIN), 1, as_it_is(UP_TO_TAU)),
        (
            "note-gamma-numbers",
            lambda: {
                **{mass_in: total(WITHIN), mass_beyond: total(UP_TO_TAU) - total(WITHIN)},
                **{ball_in: total(CONE), ball_beyond: total(CONE_UP_TO_TAU) - total(CONE)},
            },
        ),
    ],
    given=lambda: [
        *everywhere(
            Le(CONE(place), 1 / per_ball * WITHIN(place)),
            Le(
                UP_TO_TAU(place),
                1 * WITHIN(place) + per_ball * (CONE_UP_TO_TAU(place) - CONE(place)),
            ),
            Le(CONE(place), CONE_UP_TO_TAU(place)),
            Le(WITHIN(place), UP_TO_TAU(place)),
        ),
        Gt(total(CONE), 0),
        Gt(total(WITHIN), 0),
        Ge(total(UP_TO_TAU), 0),
        Ge(total(CONE_UP_TO_TAU), 0),
    ],
)
def chance_beyond_a_level():
    """Chance that the outlyingness of a draw exceeds a level."""
    beyond, beyond_of_cone = (
        total(UP_TO_TAU) - total(WITHIN),
        total(CONE_UP_TO_TAU) - total(CONE),
    )
    return Le(beyond / (total(WITHIN) + beyond), beyond_of_cone / (total(CONE) + beyond_of_cone))


@claim(
    "note-shell-grows",
    place="the mass of a cut Gamma distribution beyond tau - eta grows with the least outlyingness, as its "
    "distribution function is log-concave: that is t^(d - 1) exp(-t) over its integral falls, which "
    "after s = t v is an integral over v of v^(d - 1) times this",
)
def integrand_of_a_gamma_distribution():
    """Integrand of the incomplete Gamma function, scaled, at two ends."""
    return Le(
        near_level * exp(near_level * (1 - fraction)), far_level * exp(far_level * (1 - fraction))
    )


@claim(
    "note-minimum-moves",
    place="least outlyingness of two neighbours, at the point where the second lies out least",
    given=lambda: [least_1 <= out_1, out_1 <= least_2 + eta],
)
def least_outlyingness_of_neighbours():
    """Least outlyingness of a neighbour."""
    return Le(least_1, least_2 + eta)


# --- the test -------------------------------------------------------------------------------------


@claim(
    "note-nested-safety",
    place="level 0 of the nested test implies safety at epsilon / 2: V_j bounds the change of the "
    "median and V_j + D_j that of MAD, in each direction; x_s and x_n, the masses of two neighbours "
    "beyond tau - eta, are each at most delta / 2, by note-gamma-domination, note-minimum-moves and "
    "note-shell-grows",
    using=[
        "note-annulus",
        "note-half-annulus",
        "note-two-sides",
        "note-reach",
        "note-distance-moves",
        "note-b.2-local",
        "note-supremum",
        "note-gamma-domination",
        "note-shell-grows",
        "note-minimum-moves",
        "note-sharp-safety",
    ],
    given=lambda: [
        event <= exp(epsilon / 2) * kept / (1 - shell_next) * event_next,
        lost <= shell,
        2 * shell <= delta,
        2 * shell_next <= delta,
    ],
    proof=lambda: [
        step(
            "without the denominator",
            Le(event * (1 - shell_next), exp(epsilon / 2) * kept * event_next),
        ),
        step(
            "what is kept is at most 1", Le(event * (1 - shell_next), exp(epsilon / 2) * event_next)
        ),
        step("so is the event", Le(event, exp(epsilon / 2) * event_next + shell_next)),
    ],
)
def privacy_at_level_0():
    """Probability of an event for a dataset that passes level 0, and for its neighbour."""
    return Le(event + lost, exp(epsilon / 2) * event_next + delta)


@claim(
    "note-nested-change",
    place="level 0 of the nested test, in one direction: the change of outlyingness is at most eta",
    using=[
        ("note-b.2-local", lambda: {shift: shift_1, spread: shift_1 + spread_1}),
    ],
    given=lambda: [
        Abs(location - other_location) <= shift_1,
        Abs(scale - other_scale) <= shift_1 + spread_1,
        least_scale <= other_scale,
        Abs(point - location) <= tau * scale,
        (tau * (shift_1 + spread_1) + shift_1) / least_scale <= eta,
    ],
)
def change_of_outlyingness_at_level_0():
    """Change of outlyingness in one direction, where level 0 passes."""
    return Le(Abs(Abs(point - location) / scale - Abs(point - other_location) / other_scale), eta)


@claim(
    "note-nested-close",
    place="level 0 of the nested test, for any two costs of at least 0 and every event B: Lemma D.1, sharpened, on integrals as in lemma-d.1. "
    "The first condition is note-nested-change, for a point that either dataset keeps; the last two bound what is beyond tau - "
    "eta, by note-gamma-domination, note-minimum-moves and note-shell-grows",
    using=[
        "note-d.1-points.i",
        "note-weights.iii",
        "note-nested-weights.i",
        "note-nested-weights.iii",
        "note-event-weights.i",
        "note-event-weights.ii",
        *OVER_ALL_POINTS,
    ],
    given=lambda: [
        *close_costs(),
        Gt(total(KEPT), 0),
        Gt(total(KEPT_NEXT), 0),
        Ge(total(INNER), 0),
        Ge(total(INNER_NEXT), 0),
        Ge(inside_event(KEPT), 0),
        Ge(inside_event(KEPT_NEXT), 0),
        Le((total(KEPT) - total(INNER)) / total(KEPT), delta / 2),
        Le((total(KEPT_NEXT) - total(INNER_NEXT)) / total(KEPT_NEXT), delta / 2),
    ],
)
def closeness_at_level_0():
    """Probability of an event for a dataset that passes level 0, and for its neighbour, by integrals."""
    return Le(chance_of_an_event(KEPT), exp(epsilon / 2) * chance_of_an_event(KEPT_NEXT) + delta)


def private_parts():
    """Return Theorem 5.1 with epsilon / 2 for the test and the mechanism, and its conditions."""
    return [
        "note-test-private.i",
        "note-test-private.ii",
        "note-test-private.iii",
        "note-unsafe-passes",
        (
            "theorem-5.1",
            lambda: {
                **{epsilon_1: epsilon / 2, epsilon_2: epsilon / 2},
                **{delta_1: sympify(0), delta_2: delta, delta_3: delta},
            },
        ),
    ]


def a_private_test_and_mechanism():
    """State that the test is private, and that the mechanism is private or the test seldom passes."""
    return [
        Le(accepts, exp(epsilon / 2) * accepts_next),
        Le(1 - accepts, exp(epsilon / 2) * (1 - accepts_next)),
        Either(
            (
                as_tree(Le(probability(P, A), exp(epsilon / 2) * probability(Q, A) + delta)),
                as_tree(Le(accepts, delta)),
            )
        ),
    ]


def private_release():
    """Privacy of the release at one event, from a dataset to its neighbour."""
    return Le(
        released_event(accepts, probability(P, A)),
        exp(epsilon) * released_event(accepts_next, probability(Q, A)) + delta,
    )


@claim(
    "note-nested-release",
    place="the release by the nested test is (epsilon, delta)-private, for every event of outputs and of nothing, P and Q the mechanism for two "
    "neighbours. As margins differ by at most 1 (note-nested-test) the first two conditions are note-test-private; the third is that "
    "the margin is above 0, by note-nested-close, or that it is 0, by note-unsafe-passes",
    using=["note-nested-close", *private_parts()],
    given=a_private_test_and_mechanism,
)
def privacy_of_the_nested_release():
    """Probability of an event of the release by the nested test, for two neighbours."""
    return private_release()


@claim(
    "note-nested-test",
    place="a neighbour that passes level j + 1 of the nested test makes level j pass here, so margins "
    "of neighbours differ by at most 1; a margin above 0 means safe (note-nested-safety), and by "
    "note-nested-release the release is (epsilon, delta)-private. The ratio is that of one "
    "direction. Its first three conditions are that V_j, D_j and b_(j+1) are dominated by those of the neighbour one level up: "
    "note-nested-v, note-nested-d and note-nested-bottom",
    using=[
        "note-one-row",
        "note-nested-v.i",
        "note-nested-v.ii",
        "note-nested-d.i",
        "note-nested-d.ii",
        "note-nested-d.iii",
        "note-nested-ends.i",
        "note-nested-ends.ii",
        "note-nested-bottom",
        "note-nested-reach",
        "note-nested-windows",
        "note-minimum-moves",
        "note-shell-grows",
        "note-nested-safety",
        "note-nested-change",
        "note-nested-release",
    ],
    given=lambda: [
        shift_1 <= shift_2,
        spread_1 <= spread_2,
        bottom_1 >= bottom_2,
        least_1 <= least_2 + eta,
        (tau * (shift_2 + spread_2) + shift_2) / bottom_2 <= eta,
    ],
    scope="from the inequality of Brunn and Minkowski and a step by Fubini's theorem (note-gamma-domination), and that the least outlyingness is met, which are granted as conditions of the claims that it rests on",
)
def passing_one_level_below_a_neighbour():
    """Ratio of a level and argument of its volume part, for a neighbour that passes the next level."""
    return [
        Le((tau * (shift_1 + spread_1) + shift_1) / bottom_1, eta),
        Le(least_1 + (allowed + 1) * eta, least_2 + (allowed + 2) * eta),
    ]


@claim(
    "note-nested-test-wide",
    place="the same with 2 W_j for V_j + D_j, where W_j is the largest (j + 1)-spacing between two "
    "fixed ranks, and suprema over directions taken one by one; 2 W_0 bounds the change of MAD by "
    "note-c.4-core",
    using=[
        "note-one-row",
        "note-minimum-moves",
        "note-shell-grows",
        "note-nested-safety",
        "note-nested-release",
        "note-c.4-core",
    ],
    given=lambda: [
        shift_1 <= shift_2,
        spread_1 <= spread_2,
        bottom_1 >= bottom_2,
        (2 * tau * spread_2 + shift_2) / bottom_2 <= eta,
    ],
    scope="from the inequality of Brunn and Minkowski and a step by Fubini's theorem (note-gamma-domination), and that the least outlyingness is met, which are granted as conditions of the claims that it rests on",
)
def passing_one_level_below_a_neighbour_widely():
    """Ratio of a level of the wide test, for a neighbour that passes the next level."""
    return Le((2 * tau * spread_1 + shift_1) / bottom_1, eta)
