"""A test of our own that is private: each level is dominated by the next one of a neighbour.

At level j the data may differ from what is looked at in j rows. In a direction V_j is the largest
(j + 1)-spacing that holds the median, D_j the shorter of two: the largest (j + 1)-spacing that meets
the window in which median - MAD may lie, and that for median + MAD; b_j bounds MAD from below after
j changes. Level j passes where (tau (V_j + D_j) + V_j) / b_(j+1) <= eta in each direction and twice
the mass beyond tau - eta, at the least outlyingness plus (j + 1) eta, is at most delta. The margin is
the number of levels in a row that pass. Counts of rows are what most of it rests on.
"""

from sympy import Abs, Ge, Le, exp

from dpbook.depth_medians.claims.appendix_b import by_the_change_of_distance_and_scale
from dpbook.depth_medians.notation import (
    added,
    allowed,
    ball_in,
    ball_out,
    between,
    bottom_1,
    bottom_2,
    count,
    d,
    delta,
    epsilon,
    eta,
    event,
    event_next,
    far_distance,
    far_level,
    fraction,
    high_end,
    kept,
    least,
    least_1,
    least_2,
    least_scale,
    location,
    looked_at,
    lost,
    low_end,
    mass_in,
    mass_out,
    near_distance,
    near_level,
    other_location,
    other_scale,
    out_1,
    per_ball,
    point,
    rank,
    reach,
    removed,
    scale,
    shell,
    shell_next,
    shift,
    shift_1,
    shift_2,
    spread,
    spread_1,
    spread_2,
    tau,
    volume_far,
    volume_near,
    within,
    within_less,
    within_next,
)
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step

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


# --- the law of the outlyingness of a draw --------------------------------------------------------


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
    "note-gamma-domination",
    place="the outlyingness of a draw above the least one, against a cut Gamma(d, beta) variable: m_1 "
    "and m_2 are its masses up to a level and beyond it, g_1 and g_2 those of the Gamma variable, and "
    "r_0 the ratio of volumes at the level; as that ratio falls (note-volume-ratio), integrating by "
    "parts gives the conditions",
    using=["note-volume-ratio"],
    given=lambda: [mass_in >= per_ball * ball_in, mass_out <= per_ball * ball_out],
)
def chance_beyond_a_level():
    """Chance that the outlyingness of a draw exceeds a level."""
    return Le(mass_out / (mass_in + mass_out), ball_out / (ball_in + ball_out))


@claim(
    "note-shell-grows",
    place="the mass of a cut Gamma law beyond tau - eta grows with the least outlyingness, as its "
    "distribution function is log-concave: that is t^(d - 1) exp(-t) over its integral falls, which "
    "after s = t v is an integral over v of v^(d - 1) times this",
)
def integrand_of_a_gamma_law():
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
    "note-nested-test",
    place="a neighbour that passes level j + 1 of the nested test makes level j pass here, so margins "
    "of neighbours differ by at most 1; a margin above 0 means safe (note-nested-safety), and by "
    "definition-3.3-corrected the release is (epsilon, delta)-private. The ratio is that of one "
    "direction. V_j, D_j and b_(j+1) are dominated by those of the neighbour one level up: windows are "
    "nested and a (j + 1)-spacing of one dataset lies in a (j + 2)-spacing of the other",
    using=[
        "note-one-row",
        "note-minimum-moves",
        "note-shell-grows",
        "note-nested-safety",
        "note-nested-change",
        "definition-3.3-corrected",
    ],
    given=lambda: [
        shift_1 <= shift_2,
        spread_1 <= spread_2,
        bottom_1 >= bottom_2,
        least_1 <= least_2 + eta,
        (tau * (shift_2 + spread_2) + shift_2) / bottom_2 <= eta,
    ],
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
        "definition-3.3-corrected",
        "note-c.4-core",
    ],
    given=lambda: [
        shift_1 <= shift_2,
        spread_1 <= spread_2,
        bottom_1 >= bottom_2,
        (2 * tau * spread_2 + shift_2) / bottom_2 <= eta,
    ],
)
def passing_one_level_below_a_neighbour_widely():
    """Ratio of a level of the wide test, for a neighbour that passes the next level."""
    return Le((2 * tau * spread_1 + shift_1) / bottom_1, eta)
