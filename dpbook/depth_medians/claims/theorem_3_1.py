"""Theorem 3.1 for chances over samples of any distribution, from the chances of Conditions 1 and 2.

A least or largest value over directions, or over datasets next to the sample, is a function of the
sample: the value at the direction and the dataset where it is met. Condition 3 and the suprema of
Conditions 1 and 2 bound it there.
"""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integral,
    Lambda,
    Le,
    Lt,
    Max,
    Min,
    Rational,
    Symbol,
    exp,
    log,
    oo,
)

from dpbook import Either, Every, as_tree, claim, step
from dpbook.depth_medians.notation import (
    c_1,
    c_2,
    c_3,
    d,
    delta,
    enough,
    epsilon,
    eta,
    factor_beside,
    far_1,
    high_here,
    least_scale,
    location,
    low_here,
    other_location,
    other_scale,
    out_1,
    point,
    rate,
    rows,
    sample,
    scale,
    shift,
    spread,
    steep_here,
    tau,
    wide_here,
)
from dpbook.depth_medians.samples import AnyQuantity, AnySize, AnyTail, Where
from dpbook.privacy.any_distributions import AnyDistribution, AnyTest
from dpbook.privacy.notation import at
from dpbook.privacy.statements import Interval, probability

P = AnyDistribution("P")  # of the sample
# sensitivities and deviations, of locations and of scales; bounds of Condition 2
MOVES_SCALE = AnySize("Sk_sigma")
OFF_SCALE, OFF_LOCATION = AnySize("Sn_sigma"), AnySize("Sn_mu")
ZETA_SCALE, ZETA_LOCATION = AnyTail("zeta_sigma"), AnyTail("zeta_mu")
KAPPA = AnyTail("kappa")  # the bound of Condition 1: a_1 exp(-a_2 n t) + kappa_n at t
# least scale of the sample and of all datasets next to it, scales of the sample and the population
# in that direction; the least and the largest scale of the sample alone, with the population's
LEAST, LEAST_HERE, LEAST_THERE = (AnyQuantity(f"b{mark}") for mark in ("", "_1", "_0"))
LOW, LOW_THERE, HIGH, HIGH_THERE = (AnyQuantity(name) for name in ("l", "l_0", "h", "h_0"))
# largest and smallest location of the sample, and locations of the population in these directions
TOP, TOP_THERE, BOTTOM, BOTTOM_THERE = (AnyQuantity(name) for name in ("u", "u_0", "v", "v_0"))


def everywhere(*trees):
    """State that relations hold for all samples."""
    return [Every(sample, tree) for tree in trees]


def chance(event):
    """Return the probability of an event of the sample."""
    return probability(P, event)


def at_least(function, number, name):
    """Return the event that a function of the sample is at least a number."""
    return Where(name, sample, function(sample), ">=", number)


def at_most(function, number, name):
    """Return the event that a function of the sample is at most a number."""
    return Where(name, sample, function(sample), "<=", number)


def events(*found):
    """State that events have a probability, so that a lemma may be about them."""
    return [Ge(chance(event), 0) for event in found]


def within(event, *others):
    """Return the step that an event happens only where one of some others happens."""
    found = others[0].indicator(sample)
    for other in others[1:]:
        found = found + other.indicator(sample)
    return step("one of them happens", Every(sample, Le(event.indicator(sample), found)))


# --- lemma B.1 ------------------------------------------------------------------------------------

SMALL = at_most(LEAST, c_1 / 2, "E_2c")
MOVED = at_least(MOVES_SCALE, c_1 / 4, "M_1")
OFF = at_least(OFF_SCALE, c_1 / 4, "D_1")


def least_scales():
    """Condition 3 and the suprema, at the least scale of the sample and of the datasets next to it."""
    return everywhere(
        Ge(LEAST_THERE(sample), c_1),
        Le(Abs(LEAST(sample) - LEAST_HERE(sample)), MOVES_SCALE(sample)),
        Le(Abs(LEAST_HERE(sample) - LEAST_THERE(sample)), OFF_SCALE(sample)),
    )


def condition_1(event, at):
    """Condition 1 at a number: the chance that a sensitivity is at least that."""
    return Le(chance(event), KAPPA(at))


def condition_2(event, tail, at):
    """Condition 2 at a number: the chance that a deviation is at least that."""
    return Le(chance(event), rate * tail(at))


def given_of_b_1_small_next():
    """Return the hypotheses of eq. B.1 about the sample and the chances."""
    return [
        *least_scales(),
        condition_1(MOVED, c_1 / 4),
        condition_2(OFF, ZETA_SCALE, c_1 / 4),
    ]


def bound_of_b_1_small_next():
    """Return the inequality of eq. B.1."""
    return Le(chance(SMALL), KAPPA(c_1 / 4) + rate * ZETA_SCALE(c_1 / 4))


@claim(
    "note-b.1-next",
    place="Lemma B.1, eq. B.1, where what is least or largest is met; for the names see lemma-b.1.i",
    given=given_of_b_1_small_next,
    proof=lambda: [
        within(SMALL, MOVED, OFF),
        step("so", Le(chance(SMALL), chance(MOVED) + chance(OFF))),
    ],
)
def chance_of_a_small_scale_next_to_the_sample_where_met():
    """Chance that some scale of the sample, or of a dataset next to it, is small, where extremes are met."""
    return bound_of_b_1_small_next()


@claim(
    "lemma-b.1.i",
    place="Lemma B.1, eq. B.1; in a sample omega, b is the least scale in any direction, of the sample and of all datasets k rows away. Where it is met, "
    "b_1 is the scale of the sample and b_0 that of the population. Sk_sigma is the projected sensitivity of the scale and Sn_sigma its largest "
    "deviation. kappa(t) is a_1 exp(-a_2 n t) + kappa_n of Condition 1, and c_0 zeta_sigma the bound of Condition 2. The first display of its proof "
    "starts from the event of eq. B.3",
    scope="the least scale over directions and datasets is taken as met in each sample: that an infimum which is not met gives the same is not part of this",
    using=["note-b.1-next"],
    given=given_of_b_1_small_next,
)
def chance_of_a_small_scale_next_to_the_sample():
    """Chance that some scale of the sample, or of a dataset next to it, is small."""
    return bound_of_b_1_small_next()


WIDE = Where("E_3c", sample, TOP(sample) - BOTTOM(sample), ">", 4 * c_3)
ASTRAY = at_least(OFF_LOCATION, c_3, "D_3")


def locations():
    """The supremum of Condition 2, at the largest and the smallest location, and the spread of the population's."""
    return everywhere(
        Le(TOP_THERE(sample) - BOTTOM_THERE(sample), 2 * c_3),
        Le(Abs(TOP(sample) - TOP_THERE(sample)), OFF_LOCATION(sample)),
        Le(Abs(BOTTOM(sample) - BOTTOM_THERE(sample)), OFF_LOCATION(sample)),
    )


def given_of_b_1_apart():
    """Return the hypotheses of eq. B.2 about the sample and the chances."""
    return [*locations(), condition_2(ASTRAY, ZETA_LOCATION, c_3)]


def bound_of_b_1_apart():
    """Return the inequality of eq. B.2."""
    return Le(chance(WIDE), rate * ZETA_LOCATION(c_3))


@claim(
    "note-b.1-apart",
    place="Lemma B.1, eq. B.2, where what is least or largest is met; for the names see lemma-b.1.ii",
    given=given_of_b_1_apart,
    proof=lambda: [within(WIDE, ASTRAY)],
)
def chance_of_locations_far_apart_where_met():
    """Chance that projected locations of the sample are far apart, where extremes are met."""
    return bound_of_b_1_apart()


@claim(
    "lemma-b.1.ii",
    place="Lemma B.1, eq. B.2; in a sample omega, u and v are the largest and the smallest projected location. In the directions where they are met, "
    "u_0 and v_0 are those of the population, which lie within 2 c_3 of each other, as the lemma assumes. Condition 3 gives that where the truth theta is put at 0, as it may be, mu being translation equivariant. Sn_mu is the largest deviation of a "
    "projected location, and c_0 zeta_mu the bound of Condition 2",
    scope="the largest and the smallest location are taken as met in each sample: that a supremum which is not met gives the same is not part of this",
    using=["note-b.1-apart"],
    given=given_of_b_1_apart,
)
def chance_of_locations_far_apart():
    """Chance that projected locations of the sample are far apart."""
    return bound_of_b_1_apart()


LARGE = at_least(HIGH, 2 * c_2, "E_4c")
OFF_BY_C_2 = at_least(OFF_SCALE, c_2, "D_4")


def largest_scale_of_the_sample():
    """Condition 3 and the supremum of Condition 2, at the largest scale of the sample."""
    return everywhere(
        Le(HIGH_THERE(sample), c_2),
        Le(Abs(HIGH(sample) - HIGH_THERE(sample)), OFF_SCALE(sample)),
    )


def given_of_b_1_large():
    """Return the hypotheses of eq. B.3 about the sample and the chances."""
    return [*largest_scale_of_the_sample(), condition_2(OFF_BY_C_2, ZETA_SCALE, c_2)]


def bound_of_b_1_large():
    """Return the inequality of eq. B.3."""
    return Le(chance(LARGE), rate * ZETA_SCALE(c_2))


@claim(
    "note-b.1-large",
    place="Lemma B.1, eq. B.3, where what is least or largest is met; for the names see lemma-b.1.iii",
    given=given_of_b_1_large,
    proof=lambda: [within(LARGE, OFF_BY_C_2)],
)
def chance_of_a_large_scale_where_met():
    """Chance that some projected scale of the sample is large, where extremes are met."""
    return bound_of_b_1_large()


@claim(
    "lemma-b.1.iii",
    place="Lemma B.1, eq. B.3; in a sample omega, h is the largest projected scale, and h_0 that of the population in the direction where it is met. "
    "Sn_sigma is the largest deviation of a projected scale, and c_0 zeta_sigma the bound of Condition 2",
    scope="the largest scale is taken as met in each sample: that a supremum which is not met gives the same is not part of this",
    using=["note-b.1-large"],
    given=given_of_b_1_large,
)
def chance_of_a_large_scale():
    """Chance that some projected scale of the sample is large."""
    return bound_of_b_1_large()


TINY = at_most(LOW, c_1 / 2, "E_7c")
OFF_BY_HALF = at_least(OFF_SCALE, c_1 / 2, "D_7")


def least_scale_of_the_sample():
    """Condition 3 and the supremum of Condition 2, at the least scale of the sample."""
    return everywhere(
        Ge(LOW_THERE(sample), c_1),
        Le(Abs(LOW(sample) - LOW_THERE(sample)), OFF_SCALE(sample)),
    )


def given_of_b_1_small():
    """Return the hypotheses of eq. B.4 about the sample and the chances."""
    return [*least_scale_of_the_sample(), condition_2(OFF_BY_HALF, ZETA_SCALE, c_1 / 2)]


def bound_of_b_1_small():
    """Return the inequality of eq. B.4."""
    return Le(chance(TINY), rate * ZETA_SCALE(c_1 / 2))


@claim(
    "note-b.1-small",
    place="Lemma B.1, eq. B.4, where what is least or largest is met; for the names see lemma-b.1.iv",
    given=given_of_b_1_small,
    proof=lambda: [within(TINY, OFF_BY_HALF)],
)
def chance_of_a_small_scale_where_met():
    """Chance that some projected scale of the sample is small, where extremes are met."""
    return bound_of_b_1_small()


@claim(
    "lemma-b.1.iv",
    place="Lemma B.1, eq. B.4; in a sample omega, l is the least projected scale, and l_0 that of the population in the direction where it is met. "
    "Sn_sigma is the largest deviation of a projected scale, and c_0 zeta_sigma the bound of Condition 2",
    scope="the least scale is taken as met in each sample: that an infimum which is not met gives the same is not part of this",
    using=["note-b.1-small"],
    given=given_of_b_1_small,
)
def chance_of_a_small_scale():
    """Chance that some projected scale of the sample is small."""
    return bound_of_b_1_small()


# --- lemma 5.3 ------------------------------------------------------------------------------------

MARGIN = AnyQuantity("SM")  # the safety margin at epsilon / 2
PASSES = AnyTest("lambda")  # passes a sample with a chance that depends on it
VOLUME = AnySize("vol")  # the infimum of eq. D.6
CHANGE = AnySize("dev")  # the supremum of eq. D.5, over datasets k + 1 rows away
STEEP = Where("E_1", sample, VOLUME(sample), ">", exp(-epsilon / 4) * delta / 3)
SENSITIVE = Where("E_0", sample, CHANGE(sample), ">", eta / 2)


def beyond(margin):
    """Return the number that the noise must exceed for the test to pass, at a margin."""
    return log(1 / (2 * delta)) - epsilon * margin / 2


EXCEEDS = AnyTail("G_bar")  # the chance that noise exceeds a number: 1 - G


@claim(
    "note-passing-grows",
    place="eq. 3.1 for any noise: at a margin of at least k; G bar is the chance that the noise exceeds a number",
    given=lambda: [Ge(rows, enough)],
    proof=lambda: [step("what it must exceed", Le(beyond(rows), beyond(enough)))],
)
def chance_to_pass_at_a_larger_margin():
    """Chance to pass at two margins."""
    return Ge(EXCEEDS(beyond(rows)), EXCEEDS(beyond(enough)))


def passing_by_the_margin():
    """State eq. 3.1, by note-passing-grows: a margin of k or more has at least the chance at k."""
    grows = (
        Ge(PASSES.indicator(sample), EXCEEDS(beyond(enough))),
        Lt(MARGIN(sample), enough),
    )
    return [
        Le(EXCEEDS(beyond(enough)), 1),
        Every(sample, Either(tuple(map(as_tree, grows)))),
    ]


def test_of_the_margin():
    """Eq. 3.1 in each sample: the test passes with the chance that the noise exceeds a number."""
    return [
        Le(EXCEEDS(beyond(enough)), 1),
        Every(sample, Eq(PASSES.indicator(sample), EXCEEDS(beyond(MARGIN(sample))))),
        Every(sample, Ge(MARGIN(sample), 0)),
    ]


def margin_of_lemma_d_2():
    """Lemma D.2: but for the two events the margin is at least k."""
    parts = (
        Ge(MARGIN(sample), enough),
        Gt(VOLUME(sample), exp(-epsilon / 4) * delta / 3),
        Gt(CHANGE(sample), eta / 2),
    )
    return [Every(sample, Either(tuple(map(as_tree, parts))))]


ONE, OTHER, THIRD = (AnyTest(f"T_{i}") for i in (1, 2, 3))


@claim(
    "note-mean-of-chances",
    place="used in Lemma 5.3: what holds in each sample holds in the mean; a number stands for the right side",
    given=lambda: [
        Every(
            sample,
            Ge(
                ONE.indicator(sample) + OTHER.indicator(sample) + THIRD.indicator(sample),
                factor_beside,
            ),
        )
    ],
    proof=lambda: [
        step(
            "times all",
            Ge(
                chance(ONE) + chance(OTHER) + chance(THIRD),
                factor_beside * probability(P, Interval(-oo, oo)),
            ),
        ),
    ],
)
def mean_of_three_chances():
    """Chances in the mean, from the chances in each sample."""
    return Ge(chance(ONE) + chance(OTHER) + chance(THIRD), factor_beside)


@claim(
    "note-5.3-samples",
    place="Lemma 5.3 in each sample: it passes with that chance, or one of the two events happens",
    given=lambda: [*passing_by_the_margin(), *margin_of_lemma_d_2()],
)
def chance_to_pass_in_each_sample():
    """Chance to pass, for each sample."""
    return Every(
        sample,
        Ge(
            PASSES.indicator(sample) + STEEP.indicator(sample) + SENSITIVE.indicator(sample),
            EXCEEDS(beyond(enough)),
        ),
    )


def in_the_mean():
    """Return the use of note-mean-of-chances for the chance to pass and the two events."""
    t = Symbol("t", real=True)
    tests = {ONE: PASSES, OTHER: STEEP, THIRD: SENSITIVE}
    functions = {
        one.indicator(t).function: Lambda((t,), of.indicator(t)) for one, of in tests.items()
    }
    return {**functions, **{factor_beside: EXCEEDS(beyond(enough))}}


def release_from_a_margin():
    """Return the inequality of Lemma 5.3."""
    return Ge(chance(PASSES), EXCEEDS(beyond(enough)) - chance(STEEP) - chance(SENSITIVE))


@claim(
    "note-5.3-release",
    place="Lemma 5.3 from Lemma D.2, which is the last condition; for the names see lemma-5.3",
    using=[
        "note-passing-grows",
        "note-5.3-samples",
        ("note-mean-of-chances", in_the_mean),
    ],
    given=lambda: [*passing_by_the_margin(), *margin_of_lemma_d_2()],
)
def chance_of_a_release_by_the_margin():
    """Chance of a release, from the margin in each sample."""
    return release_from_a_margin()


@claim(
    "note-5.3-test",
    place="Lemma 5.3, eq. 3.1 in each sample: at a margin of at least k it passes with at least the chance at k",
    using=[("note-passing-grows", lambda: {rows: MARGIN(sample)})],
    given=test_of_the_margin,
)
def chance_to_pass_from_a_margin_in_each_sample():
    """Chance to pass at a margin of at least k, for each sample."""
    return passing_by_the_margin()[-1]


@claim(
    "lemma-5.3",
    place="Lemma 5.3: for each k, here k_1, any distribution P of the data and any noise, of which G bar(x) is the chance that it exceeds x. "
    "In a sample omega, lambda is the chance that the test passes, so P(lambda) is E lambda; SM is the safety margin at "
    "epsilon / 2 and delta, vol the infimum over y and dev the supremum over datasets k + 1 rows away of the two probabilities. "
    "E_1 and E_0 are the events of these. The last condition is Lemma D.2, by which even datasets k rows away would do for dev. The infimum over k is of the right side, for each k",
    scope="from the conclusion of Lemma D.2 in each sample, which is a condition here: but for the two events the safety margin is at least k. "
    "lemma-d.2 shows it for any two neighbours within k rows and any event. That the margin and the two numbers are functions of the sample that have a chance, and that a margin is the number of rows to a dataset that is not safe, is not part of this",
    using=["note-5.3-test", "note-5.3-release"],
    without={"lemma-d.2": "its conclusion, in each sample, is a condition"},
    given=lambda: [*test_of_the_margin(), *margin_of_lemma_d_2()],
)
def chance_of_a_release_from_a_margin():
    """Chance of a release, from the chance of a large margin."""
    return release_from_a_margin()


# --- theorem 3.1 ----------------------------------------------------------------------------------

MOVES_LOCATION = AnySize("Sk_mu")


# a point that the sample or a dataset next to it keeps, and a direction, where outlyingness changes by more
# than eta / 2, if there is one: the projection of the point, location, scale and outlyingness for the dataset
# that keeps it, and for the other one
SHOWN = AnyQuantity("p")
HERE, THERE = AnyQuantity("m"), AnyQuantity("m_1")
SCALE, SCALE_THERE = AnyQuantity("s"), AnyQuantity("s_1")
OUT, OUT_THERE = AnySize("o"), AnySize("o_1")


def outlyingness_in_a_direction(here, there):
    """Return the conditions of Lemma B.2 at the level tau + eta; o is |p - m| / s."""
    (p, m, s, o), (p_1, m_1, s_1, o_1) = here, there
    return [Eq(o * s, Abs(p - m)), Eq(o_1 * s_1, Abs(p_1 - m_1)), Le(o, tau + eta)]


def in_this_direction():
    """State outlyingness in this direction in each sample, and bound changes by sensitivities."""
    functions = (SHOWN, HERE, SCALE, OUT), (SHOWN, THERE, SCALE_THERE, OUT_THERE)
    here, there = ([f(sample) for f in some] for some in functions)
    return everywhere(
        Gt(SCALE(sample), 0),
        Gt(SCALE_THERE(sample), 0),
        Le(Abs(HERE(sample) - THERE(sample)), MOVES_LOCATION(sample)),
        Le(Abs(SCALE(sample) - SCALE_THERE(sample)), MOVES_SCALE(sample)),
        Le(LEAST(sample), SCALE(sample)),
        Le(LEAST(sample), SCALE_THERE(sample)),
        *outlyingness_in_a_direction(here, there),
    )


def where_it_changes():
    """Add that outlyingness changes by more than eta / 2 in this direction, if it does in any."""
    change = Gt(Abs(OUT(sample) - OUT_THERE(sample)), eta / 2)
    shown = (as_tree(Le(CHANGE(sample), eta / 2)), as_tree(change))
    return [*in_this_direction(), Every(sample, Either(shown))]


def largest_change():
    """Return a change of locations and scales that changes outlyingness by at most eta / 2."""
    return c_1 * eta / (4 * (tau + eta + 1))


def scale_moved():
    """Return the event that some scale moves by more than it may."""
    return at_least(MOVES_SCALE, largest_change(), "M_2")


def location_moved():
    """Return the event that some location moves by more than it may."""
    return at_least(MOVES_LOCATION, largest_change(), "M_3")


def sensitivities():
    """Return Lemma B.2, and Conditions 1 to 3 at a small enough change and at the scales."""
    return [
        *where_it_changes(),
        *everywhere(Ge(LEAST(sample), 0)),
        *least_scales(),
        condition_1(MOVED, c_1 / 4),
        condition_1(scale_moved(), largest_change()),
        condition_1(location_moved(), largest_change()),
        condition_2(OFF, ZETA_SCALE, c_1 / 4),
    ]


def tail_of_the_change():
    """Add up the bound for a small scale, and twice the bound for a large sensitivity."""
    return KAPPA(c_1 / 4) + rate * ZETA_SCALE(c_1 / 4) + 2 * KAPPA(largest_change())


@claim(
    "note-b.7-number",
    place="Lemma B.2 at the level tau + eta, times a number that is at most both scales, for example their least one, which may be 0",
    using=[("note-b.2-direction", lambda: {tau: tau + eta, least_scale: Min(scale, other_scale)})],
    given=lambda: [
        *outlyingness_in_a_direction(
            (point, location, scale, out_1), (point, other_location, other_scale, far_1)
        ),
        Abs(location - other_location) <= shift,
        Abs(scale - other_scale) <= spread,
        low_here <= scale,
        low_here <= other_scale,
    ],
    proof=lambda: [
        step(
            "outlyingness",
            [
                Eq(Abs(point - location) / scale, out_1),
                Eq(Abs(point - other_location) / other_scale, far_1),
            ],
        ),
        step("the smaller scale", Gt(Min(scale, other_scale), 0)),
        step(
            "Lemma B.2",
            Le(Abs(out_1 - far_1), ((tau + eta) * spread + shift) / Min(scale, other_scale)),
        ),
        step(
            "times it",
            Le(Abs(out_1 - far_1) * Min(scale, other_scale), (tau + eta) * spread + shift),
        ),
        step("a smaller number", Le(low_here, Min(scale, other_scale))),
    ],
)
def change_of_outlyingness_times_the_scale():
    """Change of outlyingness in one direction, times the least scale."""
    return Le(Abs(out_1 - far_1) * low_here, (tau + eta) * spread + shift)


@claim(
    "note-b.7-samples",
    place="Lemma B.2 in each sample: p is the projection of a point in one direction. m, s and o are location, scale and outlyingness there for the "
    "dataset that keeps the point, the sample or one next to it; m_1, s_1 and o_1 are those for the other one",
    using=[
        (
            "note-b.7-number",
            lambda: {
                **{point: SHOWN(sample), location: HERE(sample), other_location: THERE(sample)},
                **{scale: SCALE(sample), other_scale: SCALE_THERE(sample)},
                **{out_1: OUT(sample), far_1: OUT_THERE(sample)},
                **{spread: MOVES_SCALE(sample), shift: MOVES_LOCATION(sample)},
                low_here: LEAST(sample),
            },
        ),
    ],
    given=in_this_direction,
)
def change_of_outlyingness_in_each_sample():
    """Change of outlyingness in one direction, times the least scale, for each sample."""
    return Every(sample, Le(Abs(OUT(sample) - OUT_THERE(sample)) * LEAST(sample), moved_in_all()))


def moved_in_all():
    """Return the bound of Lemma B.2 at the level tau + eta, times the least scale."""
    return (tau + eta) * MOVES_SCALE(sample) + MOVES_LOCATION(sample)


def one_of(*relations):
    """State that one of some relations holds in each sample."""
    return Every(sample, Either(tuple(map(as_tree, relations))))


@claim(
    "note-b.7-change",
    place="eq. B.7 in each sample: the direction of note-b.7-samples is one that shows a change by more than eta / 2, if there is one (note-supremum)",
    using=["note-b.7-samples"],
    given=lambda: [*where_it_changes(), *everywhere(Ge(LEAST(sample), 0))],
)
def where_outlyingness_changes_by_much():
    """Where outlyingness changes by much, the bound of Lemma B.2 is large."""
    return one_of(Le(CHANGE(sample), eta / 2), Ge(moved_in_all(), eta / 2 * LEAST(sample)))


@claim(
    "note-b.7",
    place="eq. B.7 without conditional probabilities, and with eta / 2, as Lemma 5.3 needs it: the print "
    "conditions on an event, but Condition 1 bounds probabilities that are not conditional",
    given=lambda: [*where_it_changes(), *everywhere(Ge(LEAST(sample), 0))],
    using=["note-b.7-change"],
    proof=lambda: [
        step("both changes", Eq((tau + eta + 1) * largest_change(), c_1 * eta / 4)),
        within(SENSITIVE, SMALL, scale_moved(), location_moved()),
    ],
)
def chance_of_a_large_change():
    """Chance that outlyingness changes by much in some dataset next to the sample."""
    return Le(chance(SENSITIVE), chance(SMALL) + chance(scale_moved()) + chance(location_moved()))


RATIO = AnySize("Delta")  # Delta_k, the bound of Lemma B.2
GOOD = Where("E_2", sample, LEAST(sample), ">=", c_1 / 2)
EXCEEDED = Where("E_d", sample, RATIO(sample), ">", eta)


def both_happen():
    """Return the chance that Delta_k exceeds eta and that the least scale is large enough."""
    body = EXCEEDED.indicator(at) * GOOD.indicator(at) * P.density(at)
    return Integral(body, (at, -oo, oo))


def moved_by_b_7():
    """Return the change of locations and of scales in eq. B.7, the lesser of both."""
    return c_1 * eta / (4 * Max(tau, 1))


def scale_of_b_7():
    """Return the event that some scale moves by so much."""
    return at_least(MOVES_SCALE, moved_by_b_7(), "M_4")


def location_of_b_7():
    """Return the event that some location moves by so much."""
    return at_least(MOVES_LOCATION, moved_by_b_7(), "M_5")


def ratio_in_each_sample():
    """Delta_k, from the sensitivities and the least scale."""
    moved = tau * MOVES_SCALE(sample) + MOVES_LOCATION(sample)
    return everywhere(Eq(RATIO(sample) * LEAST(sample), moved))


@claim(
    "note-b.7-printed",
    place="eq. B.7 in each sample: Delta_k exceeds eta on E_2 only where a sensitivity is large",
    given=ratio_in_each_sample,
    proof=lambda: [
        step("the lesser change", [Le(Max(tau, 1) * moved_by_b_7(), c_1 * eta / 4)]),
        step("of scales", Le(tau * moved_by_b_7(), c_1 * eta / 4)),
        step("of locations", Le(moved_by_b_7(), c_1 * eta / 4)),
    ],
)
def where_the_bound_exceeds_eta():
    """Samples where Delta_k exceeds eta and the least scale is large enough."""
    found = scale_of_b_7().indicator(sample) + location_of_b_7().indicator(sample)
    return Every(sample, Le(EXCEEDED.indicator(sample) * GOOD.indicator(sample), found))


@claim(
    "eq-b.7",
    place="eq. B.7: Delta is Delta_k, kappa(t) the bound a_1 exp(-a_2 n t) + kappa_n of Condition 1, and 4 its constant",
    scope="where E_2 has a chance of at least 1/2, which is a condition here and not in the print: Condition 1 bounds chances that are not conditional, and given a rare E_2 they say nothing. Where it has less, the bound that follows eq. B.7 holds by P(E_2^c) alone (note-b.7)",
    using=["note-b.7-printed"],
    given=lambda: [
        *ratio_in_each_sample(),
        condition_1(scale_of_b_7(), moved_by_b_7()),
        condition_1(location_of_b_7(), moved_by_b_7()),
        Ge(both_happen(), 0),
        Ge(chance(GOOD), Rational(1, 2)),
    ],
    proof=lambda: [
        step("both", Le(both_happen(), chance(scale_of_b_7()) + chance(location_of_b_7()))),
        step("so", Le(both_happen(), 2 * KAPPA(moved_by_b_7()))),
        step("over the chance of E_2", Le(both_happen() / chance(GOOD), 2 * both_happen())),
    ],
)
def chance_of_a_large_bound_given_large_scales():
    """Chance that Delta_k exceeds eta, given that the least scale is large enough."""
    return Le(both_happen() / chance(GOOD), 4 * KAPPA(moved_by_b_7()))


def largest_ratio():
    """Return the argument of the logarithm in Theorem 3.1, repaired."""
    return (2 * c_2 * (tau + 2 * eta) + 4 * c_3) / (c_1 * tau / 4 - c_1 * eta - 4 * c_3)


def delta_is_large():
    """Return the conditions of Theorem 3.1 on tau and delta, repaired."""
    ratio = largest_ratio()
    return [
        tau > 4 * eta + 16 * c_3 / c_1,
        delta >= 3 * (exp(epsilon / 4) * exp(-epsilon * tau / (8 * eta)) * ratio**d),
    ]


def lemma_b_3(high, spread, low, ratio):
    """Lemma B.3 at y = tau / 2, without its second power: its condition fails, or the infimum is so small."""
    within = low * (tau / 2 - 2 * eta) - spread
    beyond_it = high * (tau + 2 * eta) + spread
    return (
        Le(within, 0),
        Le(ratio * within**d, exp(-epsilon * tau / (8 * eta)) * beyond_it**d),
    )


# a point at which tau and delta are as large as the theorem asks for
LARGE_ENOUGH = {
    **{c_1: 1, c_2: 1, c_3: 0, epsilon: 1, eta: Rational(1, 100), tau: 1, d: 1},
    delta: Rational(1, 2),
}


@claim(
    "note-b-power",
    place="used by note-b-volume, for any two numbers",
    given=lambda: [wide_here >= 0, wide_here <= steep_here],
)
def powers_of_two_numbers():
    """Powers of two numbers."""
    return Le(wide_here**d, steep_here**d)


@claim(
    "note-b-volume",
    place="Appendix B, proof of Theorem 3.1: from Lemma B.3 at y = tau / 2 for one sample to what eq. D.6 allows",
    using=[
        (
            "note-b-power",
            lambda: {
                wide_here: high_here * (tau + 2 * eta) + wide_here,
                steep_here: 2 * c_2 * (tau + 2 * eta) + 4 * c_3,
            },
        ),
    ],
    try_at=[{**LARGE_ENOUGH, low_here: 1, high_here: 1, wide_here: 0, steep_here: 0}],
    given=lambda: [
        *delta_is_large(),
        high_here >= 0,
        high_here <= 2 * c_2,
        wide_here >= 0,
        wide_here <= 4 * c_3,
        low_here >= c_1 / 2,
        Either(tuple(map(as_tree, lemma_b_3(high_here, wide_here, low_here, steep_here)))),
    ],
    proof=lambda: [
        step("the denominator of the condition", Gt(c_1 * tau / 4 - c_1 * eta - 4 * c_3, 0)),
        step("a factor", Gt(tau / 2 - 2 * eta, 0)),
        step(
            "the denominator",
            Ge(
                low_here * (tau / 2 - 2 * eta) - wide_here,
                c_1 * tau / 4 - c_1 * eta - 4 * c_3,
            ),
        ),
        step(
            "its power",
            Ge(
                (low_here * (tau / 2 - 2 * eta) - wide_here) ** d,
                (c_1 * tau / 4 - c_1 * eta - 4 * c_3) ** d,
            ),
        ),
        step("it is above 0", Gt((c_1 * tau / 4 - c_1 * eta - 4 * c_3) ** d, 0)),
        step("the numerator is at least 0", Ge(high_here * (tau + 2 * eta) + wide_here, 0)),
        step(
            "the numerator",
            Le(high_here * (tau + 2 * eta) + wide_here, 2 * c_2 * (tau + 2 * eta) + 4 * c_3),
        ),
        step(
            "its power",
            Le(
                (high_here * (tau + 2 * eta) + wide_here) ** d,
                (2 * c_2 * (tau + 2 * eta) + 4 * c_3) ** d,
            ),
        ),
        step(
            "Lemma B.3",
            Le(
                steep_here * (low_here * (tau / 2 - 2 * eta) - wide_here) ** d,
                exp(-epsilon * tau / (8 * eta)) * (high_here * (tau + 2 * eta) + wide_here) ** d,
            ),
        ),
        step(
            "both",
            Le(
                steep_here * (c_1 * tau / 4 - c_1 * eta - 4 * c_3) ** d,
                exp(-epsilon * tau / (8 * eta)) * (2 * c_2 * (tau + 2 * eta) + 4 * c_3) ** d,
            ),
        ),
        step(
            "a power of a ratio",
            Eq(
                largest_ratio() ** d * (c_1 * tau / 4 - c_1 * eta - 4 * c_3) ** d,
                (2 * c_2 * (tau + 2 * eta) + 4 * c_3) ** d,
            ),
        ),
        step(
            "divided",
            Le(steep_here, exp(-epsilon * tau / (8 * eta)) * largest_ratio() ** d),
        ),
        step("exponentials", Eq(exp(-epsilon / 4) * exp(epsilon / 4), 1)),
        step(
            "the condition on delta",
            Ge(
                exp(-epsilon / 4) * delta,
                exp(-epsilon / 4)
                * (3 * (exp(epsilon / 4) * exp(-epsilon * tau / (8 * eta)) * largest_ratio() ** d)),
            ),
        ),
    ],
)
def infimum_on_a_good_event():
    """Infimum of eq. D.6 for a sample, where its scales and locations are bounded."""
    return Le(steep_here, exp(-epsilon / 4) * delta / 3)


def volumes_by_lemma_b_3():
    """Lemma B.3 in each sample, of which scales are at least 0."""
    spread = TOP(sample) - BOTTOM(sample)
    parts = lemma_b_3(HIGH(sample), spread, LOW(sample), VOLUME(sample))
    return [
        *everywhere(Ge(HIGH(sample), 0), Ge(TOP(sample), BOTTOM(sample))),
        one_of(*parts),
    ]


@claim(
    "note-b-volume-samples",
    place="Appendix B, proof of Theorem 3.1, in each sample: Lemma B.3 where no event of E_5 fails, by note-b-volume",
    given=lambda: [*delta_is_large(), *volumes_by_lemma_b_3()],
    try_at=[LARGE_ENOUGH],
    using=[
        (
            "note-b-volume",
            lambda: {
                **{high_here: HIGH(sample), wide_here: TOP(sample) - BOTTOM(sample)},
                **{low_here: LOW(sample), steep_here: VOLUME(sample)},
            },
        ),
    ],
)
def infimum_in_each_sample():
    """Infimum of eq. D.6, for each sample."""
    return one_of(
        Le(VOLUME(sample), exp(-epsilon / 4) * delta / 3),
        Ge(HIGH(sample), 2 * c_2),
        Gt(TOP(sample) - BOTTOM(sample), 4 * c_3),
        Le(LOW(sample), c_1 / 2),
    )


def scales_and_locations():
    """Return the conditions on tau and delta, Lemma B.3, and Conditions 2 and 3 for the sample."""
    return [
        *delta_is_large(),
        *volumes_by_lemma_b_3(),
        *locations(),
        *largest_scale_of_the_sample(),
        *least_scale_of_the_sample(),
        condition_2(ASTRAY, ZETA_LOCATION, c_3),
        condition_2(OFF_BY_C_2, ZETA_SCALE, c_2),
        condition_2(OFF_BY_HALF, ZETA_SCALE, c_1 / 2),
    ]


def tail_of_the_volume():
    """Return the chances that a scale is small or large, or that locations are far apart."""
    return rate * ZETA_SCALE(c_1 / 2) + rate * ZETA_LOCATION(c_3) + rate * ZETA_SCALE(c_2)


@claim(
    "note-b-steep",
    place="Appendix B, proof of Theorem 3.1, P(E_1) <= P(E_5^c)",
    using=["note-b-volume-samples"],
    given=lambda: [*delta_is_large(), *volumes_by_lemma_b_3()],
    try_at=[LARGE_ENOUGH],
    proof=lambda: [within(STEEP, TINY, WIDE, LARGE)],
)
def chance_of_a_large_ratio_of_volumes():
    """Chance that the ratio of volumes is large."""
    return Le(chance(STEEP), chance(TINY) + chance(WIDE) + chance(LARGE))


@claim(
    "text-b-e5-corrected",
    place="Appendix B, proof of Theorem 3.1, the bound on the chance that E_5 fails, by eq. B.1 to B.3: E_2, E_3 and E_4 fail with three chances, whose bounds add up. "
    "The last tail is at most the one at c_1 / 4. Names are those of lemma-b.1.i to lemma-b.1.iii",
    corrects=["text-b-e5"],
    why="E_5 fails where one of three events fails, so the chances add up, and none of the tails can be left out.",
    scope="what is least or largest over directions and datasets is taken as met in each sample, as in lemma-b.1.i to lemma-b.1.iii",
    using=["note-b.1-next", "note-b.1-apart", "note-b.1-large"],
    without={
        "lemma-b.1.i": "note-b.1-next has its proof",
        "lemma-b.1.iii": "note-b.1-large has its proof",
    },
    given=lambda: [
        *given_of_b_1_small_next(),
        *given_of_b_1_apart(),
        *given_of_b_1_large(),
        *events(SMALL, WIDE, LARGE),
    ],
)
def chance_that_e_5_fails():
    """Chance that a scale is small or large or locations are far apart, repaired."""
    return Le(
        chance(SMALL) + chance(WIDE) + chance(LARGE),
        KAPPA(c_1 / 4) + rate * (ZETA_SCALE(c_1 / 4) + ZETA_LOCATION(c_3)) + rate * ZETA_SCALE(c_2),
    )


@claim(
    "theorem-3.1-corrected",
    place="Theorem 3.1, repaired: with all constants, for any distribution of the data and any margin k such that Condition 1 holds at k + 1, "
    "kappa(t) for its a_1 exp(-a_2 n t) + kappa_n. G bar at log(1 / (2 delta)) - epsilon k / 2 stands in place of 1 - exp(epsilon) "
    "delta, c_1 eta / (4 (tau + eta + 1)) in place of c_2 eta / (4 (tau v 1)), and the tails that are left out are there. In the bound on "
    "delta the factor is 3 exp(epsilon / 4) in place of exp(epsilon / 2), and c_1 eta stands in place of eta. The truth theta is put "
    "at 0, which changes neither volumes nor margins: locations lie within 2 c_3 of each other then (lemma-b.1.ii). Names are those of lemma-b.1.i to "
    "lemma-b.1.iv (with k + 1 rows), lemma-5.3 and note-b.7-samples; the last conditions say that events have a probability",
    corrects=["theorem-3.1", "eq-b.6.change", "eq-b.6.volume"],
    why="A margin of 2 is not enough (eq-b.6), the exponent has c_2 for c_1, a tail is left out, and eq. D.6 allows exp(-epsilon / 4) "
    "delta / 3, so the bound on delta needs the factor 3 exp(epsilon / 4) in place of exp(epsilon / 2).",
    scope="from the conclusions of Lemmas B.3 and D.2 in each sample, which are conditions here: at y = tau / 2 the infimum of eq. D.6 is at most "
    "the bound of lemma-b.3, and but for two events the safety margin is at least k, which lemma-d.2 shows for any two neighbours and any "
    "event. Lemma B.2 is used in the direction of note-b.7-change. That what is least or largest over directions, points and datasets is "
    "met, as the functions of the sample here are, is not part of this, nor that scales are above 0 in all samples, which a distribution with atoms need not give",
    using=[
        "note-5.3-release",
        "note-b.7",
        "note-b-steep",
        "note-b.1-next",
        "note-b.1-apart",
        "note-b.1-large",
        "note-b.1-small",
    ],
    without={
        "lemma-b.1.i": "note-b.1-next has its proof",
        "lemma-b.2": "note-b.7 rests on note-b.2-direction, its proof in one direction",
        "lemma-5.3": "note-5.3-release has its proof",
        "lemma-b.3": "its conclusion, at y = tau / 2 and in each sample, is a condition",
        "lemma-d.2": "its conclusion, in each sample, is a condition",
        "eq-b.6-corrected": "it says for which k the first term is close to 1; k is any here",
        "theorem-3.1.denominator-corrected": "a step of note-b-volume shows it",
    },
    given=lambda: [
        *passing_by_the_margin(),
        *margin_of_lemma_d_2(),
        *sensitivities(),
        *scales_and_locations(),
        *events(STEEP, SENSITIVE, SMALL, WIDE, LARGE, TINY),
    ],
    try_at=[LARGE_ENOUGH, {**LARGE_ENOUGH, rate: 3, enough: 1}],
)
def chance_of_a_release_repaired():
    """Chance of a release, from below, repaired."""
    return Ge(chance(PASSES), EXCEEDS(beyond(enough)) - tail_of_the_change() - tail_of_the_volume())
