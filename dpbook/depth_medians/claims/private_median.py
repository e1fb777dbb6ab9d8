"""Section 3.1: whether the private median is private, with the printed safety margin and with the repaired one.

The printed margin belongs to (epsilon, delta)-safety, and the test spends epsilon / 2 beside it.
For 29 rows on the line the margins of two neighbours are 3 and 2, and delta does not cover the loss.
"""

from sympy import Abs, Eq, Ge, Integral, Le, Lt, Min, Rational, exp

from dpbook import Either, as_tree, claim, step
from dpbook.depth_medians.claims.appendix_d import (
    F_1,
    F_2,
    F_3,
    as_it_is,
    everywhere,
    inside_event,
    integrated,
    on_the_event,
    total,
)
from dpbook.depth_medians.claims.nested_test import (
    a_private_test_and_mechanism,
    private_parts,
    private_release,
)
from dpbook.depth_medians.claims.section_3 import gap, passing
from dpbook.depth_medians.notation import (
    added,
    added_next,
    any_delta,
    at,
    beta,
    delta,
    epsilon,
    eta,
    factor_above,
    far_1,
    location,
    margin,
    margin_next,
    other_location,
    other_scale,
    out_1,
    place,
    point,
    raised,
    removed,
    removed_next,
    scale,
    shift,
    spread,
    tau,
)

# --- 29 rows: nine at -1, six at 0, three at G, eleven at 1 + G; G = 4 eta ------------------------

G = Rational(2, 25)


def of_the_example():
    """Return the parameters of the counterexample."""
    return [
        Eq(epsilon, 2),
        Eq(delta, Rational(1, 100)),
        Eq(eta, Rational(1, 50)),
        Eq(tau, Rational(1, 2)),
    ]


EXAMPLE = {epsilon: 2, delta: Rational(1, 100), eta: Rational(1, 50), tau: Rational(1, 2)}


def between_the_middle_rows(centre):
    """Return a median between 0 and G."""
    return [centre >= 0, centre <= G]


def mad_around(centre):
    """MAD of the rows around such a median, by note-29-mad."""
    return 1 + Min(centre, G - centre)


@claim(
    "note-29-median",
    place="text-3.1-privacy: of the 29 rows 18 are at most G and 20 are at least 0, so after u_3 of them are replaced by any numbers, 3 at most, 15 are "
    "at most G and 15 are at least 0: the median, of rank 15 from either end, lies between 0 and G",
)
def rows_on_each_side_of_the_median():
    """Numbers of rows up to G and from 0 on, after at most three are replaced."""
    return [Ge(18 - raised, 15), Ge(20 - raised, 15)]


@claim(
    "note-29-mad",
    place="text-3.1-privacy: after u_3 of the 29 rows are replaced, 3 at most, mu_1 is the median, between 0 and G (note-29-median). Less than 1 + min(mu_1, G - mu_1) from it are "
    "only the nine rows at 0 and G and the new ones, too few; at most so far from it are all rows from -1 to G, or all from 0 to 1 + G, and 15 of these are left. So this number is MAD, the 15th "
    "smallest distance",
    given=lambda: between_the_middle_rows(other_location),
)
def rows_within_mad():
    """Ends of the interval of MAD, and numbers of rows in it, after at most three are replaced."""
    low, high = (
        other_location - mad_around(other_location),
        other_location + mad_around(other_location),
    )
    return [
        Ge(low, -1),
        Le(high, 1 + G),
        Lt(9 + raised, 15),
        Either((as_tree(Le(low, -1)), as_tree(Ge(high, 1 + G)))),
        Le(low, 0),
        Ge(high, G),
        Ge(9 + 9 - raised, 15),
        Ge(9 + 11 - raised, 15),
    ]


@claim(
    "note-29-distance",
    place="text-3.1-privacy: medians and MADs of two datasets that are at most 3 rows from the first one (note-29-mad)",
    given=lambda: [
        *between_the_middle_rows(location),
        *between_the_middle_rows(other_location),
    ],
)
def distance_of_locations_and_scales():
    """Distance of two medians and of their MADs."""
    moved = Abs(mad_around(location) - mad_around(other_location))
    return Le(Abs(location - other_location) + moved, G)


@claim(
    "note-29-ratio.i",
    place="text-3.1-privacy: outlyingness of a point p for two datasets of note-29-distance, o_1 and f_1; the first one keeps the point",
    given=lambda: [
        Abs(location - other_location) <= shift,
        Abs(scale - other_scale) <= spread,
        other_scale >= 1,
        Eq(out_1 * scale, Abs(point - location)),
        Eq(far_1 * other_scale, Abs(point - other_location)),
        out_1 <= Rational(1, 2),
    ],
    proof=lambda: [
        step("the other distance", Le(far_1 * other_scale, out_1 * scale + shift)),
        step("the change of scale", Le(out_1 * (scale - other_scale), spread / 2)),
        step(
            "over the other scale",
            Le(far_1 * other_scale, (out_1 + shift + spread / 2) * other_scale),
        ),
    ],
)
def outlyingness_for_two_datasets():
    """Outlyingness of a point for two datasets."""
    return Le(far_1, out_1 + shift + spread / 2)


@claim(
    "note-29-ratio.ii",
    place="text-3.1-privacy: the mechanism's densities for two datasets of note-29-distance, at a point that both keep, by note-29-ratio.i; o_1 and f_1 are its outlyingness. epsilon / (4 eta) is 25, "
    "epsilon is 2, and the integral of the weights over what is kept, up to the level 1/2, is sigma times a number that is the same for both: so a density is in proportion to exp(-25 o_1) / sigma",
    given=lambda: [
        far_1 <= out_1 + shift + spread / 2,
        shift + spread <= G,
        other_scale <= (1 + spread) * scale,
    ],
    proof=lambda: [
        step("a series", Le(1 + spread, exp(spread))),
        step("scales", Le(other_scale, exp(spread) * scale)),
        step("exponents", Le(spread - 25 * out_1, 2 - 25 * far_1)),
        step("exponentials", Le(exp(spread) * exp(-25 * out_1), exp(2) * exp(-25 * far_1))),
    ],
)
def densities_for_two_datasets():
    """Densities of a draw for two datasets at a point that both keep, times both scales."""
    return Le(other_scale * exp(-25 * out_1), exp(2) * (scale * exp(-25 * far_1)))


@claim(
    "note-29-outside",
    place="text-3.1-privacy: what one of these datasets keeps and another does not is farther from the median of the first than 1/2 - G (note-29-distance); its mass is at most "
    "delta, which is 1/100. x is a distance from the median, on either side",
    given=lambda: [scale >= 1, scale <= 1 + G / 2],
)
def mass_that_one_dataset_keeps():
    """Mass far from the median, against the mass of all that is kept."""
    kept = Integral(exp(-25 * at / scale), (at, 0, scale / 2))
    far = Integral(exp(-25 * at / scale), (at, Rational(1, 2) - G, scale / 2))
    return Le(far, kept / 100)


@claim(
    "note-29-events",
    place="text-3.1-privacy, for any functions of a point: g_3 is the density of a draw, g_1 the same where the other dataset keeps a point too, else 0, and g_2 "
    "the density for that. With note-29-ratio and note-29-outside any two datasets at most 3 rows from the first one are (epsilon, delta)-close at every event B, so its safety margin is at least 3",
    using=[
        "note-event-bound.i",
        integrated(
            on_the_event(F_3), factor_above, on_the_event(F_2), 1, as_it_is(F_3), as_it_is(F_1)
        ),
    ],
    given=lambda: [
        *everywhere(Le(F_1(place), factor_above * F_2(place)), Le(F_1(place), F_3(place))),
        *(Ge(total(function), 0) for function in (F_1, F_3)),
        Ge(inside_event(F_2), 0),
        Ge(inside_event(F_3), 0),
        Le(total(F_3) - total(F_1), any_delta),
    ],
)
def closeness_at_every_event():
    """Probability of an event, from a bound of densities and the mass where it fails."""
    return Le(inside_event(F_3), factor_above * inside_event(F_2) + any_delta)


@claim(
    "note-29-unsafe",
    place="text-3.1-privacy: the neighbour has nine rows at -1, five at 0, three at G, twelve at 1 + G. With two zeros moved to 3, u_3 = 2, its median is G and its MAD 1; with a third one moved its "
    "median is 1 + G, and its MAD is 1 again. They keep points within 1/2 of their medians, so all draws of one are up to G + 1/2, and none of the other: "
    "the first is not safe, and the safety margin of the neighbour is at most 2",
    given=lambda: [Eq(raised, 2)],
)
def ranks_of_two_datasets():
    """Numbers of rows up to the medians of two datasets and within their MADs, and ends of the kept points."""
    zeros = 5 - raised
    return [
        Lt(9 + zeros, 15),
        Ge(9 + zeros + 3, 15),
        Lt(zeros + 3, 15),
        Ge(zeros + 3 + 12, 15),
        Lt(9 + (zeros - 1) + 3, 15),
        Ge(9 + (zeros - 1) + 3 + 12, 15),
        Lt(12 + 0 * zeros, 15),
        Ge(12 + 3 + 0 * zeros, 15),
        Le(G + Rational(1, 2) + 0 * zeros, 1 + G - Rational(1, 2)),
    ]


def kept_up_to(distance_from):
    """Return the integral of the weights on one side of the median, from a distance on."""
    return Integral(exp(-beta * at), (at, distance_from, tau))


@claim(
    "text-3.1-privacy",
    place="Section 3.1, after Definition 3.3, on the line, MED and MAD: for 29 rows, nine at -1, six at 0, three at 4 eta, eleven at 1 + 4 eta, and the same with one row moved from 0 to 1 + 4 eta. "
    "Medians are 0 and 4 eta, MAD is 1 for both; the safety margins are 3 at least and 2 at most, at the printed loss epsilon (note-29-events, note-29-unsafe). The event is that something up to 0 is released; x is a distance from the median",
    cites=["theorem-5.1", "eq-3.1"],
    given=lambda: [*of_the_example(), Eq(margin, 3), Eq(margin_next, 2)],
    try_at=[{**EXAMPLE, margin: 3, margin_next: 2}],
    fault="error",
    effect="Definitions 3.1 to 3.3 have epsilon throughout, and the test spends epsilon / 2 beside it: Theorem 5.1 gives (3 epsilon / 2, delta) only, and delta 1/100 is exceeded six times here. With the margin at "
    "epsilon / 2, which is what Lemmas 5.3 and D.2 bound, the release is private (definition-3.3-corrected, supported).",
)
def privacy_of_the_private_median():
    """Privacy of the private projection-depth median, as printed."""
    both_sides = 2 * kept_up_to(0)
    here = passing(gap(margin)) * (kept_up_to(0) / both_sides)
    there = passing(gap(margin_next)) * (kept_up_to(4 * eta) / both_sides)
    return Le(here, exp(epsilon) * there + delta)


# --- the repair -----------------------------------------------------------------------------------


def nearest_unsafe_datasets():
    """A margin is a number of rows to an unsafe dataset, and no larger than that to any other unsafe one."""
    return [
        margin_next <= margin - removed + added,
        margin <= margin_next - removed_next + added_next,
    ]


@claim(
    "note-3.1-margins",
    place="Definition 3.2, for two neighbours of margins s and s_2: the unsafe dataset next to the one differs from the other in s - r_1 + r_2 rows, where r_1 and r_2 are 1 if the row that is "
    "replaced differs from it, and else 0; its margin is at most that. r_3 and r_4 say it with the datasets exchanged",
    given=nearest_unsafe_datasets,
)
def margins_differ_by_a_row():
    """Safety margins of two neighbours."""
    return [Le(margin_next, margin + 1), Le(margin, margin_next + 1)]


@claim(
    "definition-3.3-corrected",
    place="Definition 3.3 with the safety margin at epsilon / 2, for any mechanism, P and Q its distributions for two neighbours, and any event, of outputs A and of nothing where b_2 is 1. Margins of neighbours differ by at "
    "most 1 (note-3.1-margins), so the first two conditions are note-test-private; the third says that the dataset is safe, or that its margin is 0 and it passes with the chance delta (note-unsafe-passes). 0 is in Z+",
    scope="from the conclusions of note-test-private, note-3.1-margins and note-unsafe-passes, which are conditions here: that a dataset with a margin above 0 is safe is what the margin means",
    corrects=["text-3.1-privacy"],
    why="Theorem 5.1 adds the losses of the test, epsilon / 2, and of the mechanism, which is to be epsilon / 2 too.",
    using=["note-3.1-margins", *private_parts()],
    given=a_private_test_and_mechanism,
)
def privacy_of_the_release():
    """Privacy of the private projection-depth median, repaired."""
    return private_release()
