"""Theorem 3.1 as what it is about: chances over samples of any law, from those of Conditions 1 and 2.

What is least or largest over directions, or over datasets next to the sample, is a function of the
sample: its value at the direction and the dataset where it is met. Condition 3 and the suprema of
Conditions 1 and 2 bound it there.
"""

from sympy import Abs, Eq, Ge, Gt, Lambda, Le, Lt, Symbol, exp, log, oo

from dpbook.depth_medians.notation import (
    ball_in,
    ball_out,
    c_1,
    c_2,
    c_3,
    d,
    delta,
    enough,
    epsilon,
    eta,
    factor_beside,
    largest_scale,
    least_scale,
    mass_in,
    mass_out,
    rate,
    rows,
    sample,
    tau,
    wide,
)
from dpbook.depth_medians.samples import AnyQuantity, AnySize, AnyTail, Where
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Either, Every, as_tree
from dpbook.privacy.any_laws import AnyLaw, AnyTest
from dpbook.privacy.statements import Interval, probability

P = AnyLaw("P")  # of the sample
# sensitivities and deviations, of locations and of scales; bounds of Condition 2
MOVES_SCALE = AnySize("Sk_sigma")
OFF_SCALE, OFF_LOCATION = AnySize("Sn_sigma"), AnySize("Sn_mu")
ZETA_SCALE, ZETA_LOCATION = AnyTail("zeta_sigma"), AnyTail("zeta_mu")
KAPPA = AnyTail("kappa")  # the bound of Condition 1: a_1 exp(-a_2 n t) + kappa_n at t
# least scale of the sample and of all datasets next to it, that of the sample and of the population
# in that direction; the least and the largest scale of the sample alone, with the population's
LEAST, LEAST_HERE, LEAST_THERE = (AnyQuantity(f"b{mark}") for mark in ("", "_1", "_0"))
LOW, LOW_THERE, HIGH, HIGH_THERE = (AnyQuantity(name) for name in ("l", "l_0", "h", "h_0"))
# largest and smallest location of the sample, and those of the population in these directions
TOP, TOP_THERE, BOTTOM, BOTTOM_THERE = (AnyQuantity(name) for name in ("u", "u_0", "v", "v_0"))


def everywhere(*trees):
    """That relations hold for all samples."""
    return [Every(sample, tree) for tree in trees]


def chance(event):
    """Probability of an event of the sample."""
    return probability(P, event)


def at_least(function, number, name):
    """The event that a function of the sample is at least a number."""
    return Where(name, sample, function(sample), ">=", number)


def at_most(function, number, name):
    """The event that a function of the sample is at most a number."""
    return Where(name, sample, function(sample), "<=", number)


def events(*found):
    """That events have a probability: a lemma may then speak of them."""
    return [Ge(chance(event), 0) for event in found]


def within(event, *others):
    """That an event happens only where one of others does."""
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


@claim(
    "lemma-b.1.i",
    place="Lemma B.1, eq. B.1; Conditions 1 and 2 where it uses them, kappa(t) for a_1 exp(-a_2 n t) + kappa_n, c_0 for the constant of Condition 2. The first "
    "display of its proof starts from the event of eq. B.3",
    given=lambda: [
        *least_scales(),
        condition_1(MOVED, c_1 / 4),
        condition_2(OFF, ZETA_SCALE, c_1 / 4),
    ],
    proof=lambda: [
        within(SMALL, MOVED, OFF),
        step("so", Le(chance(SMALL), chance(MOVED) + chance(OFF))),
    ],
)
def chance_of_a_small_scale_next_to_the_sample():
    """Chance that some scale of the sample, or of a dataset next to it, is small."""
    return Le(chance(SMALL), KAPPA(c_1 / 4) + rate * ZETA_SCALE(c_1 / 4))


WIDE = Where("E_3c", sample, TOP(sample) - BOTTOM(sample), ">", 4 * c_3)
ASTRAY = at_least(OFF_LOCATION, c_3, "D_3")


def locations():
    """The supremum of Condition 2, at the largest and the smallest location, and the spread of the population's."""
    return everywhere(
        Le(TOP_THERE(sample) - BOTTOM_THERE(sample), 2 * c_3),
        Le(Abs(TOP(sample) - TOP_THERE(sample)), OFF_LOCATION(sample)),
        Le(Abs(BOTTOM(sample) - BOTTOM_THERE(sample)), OFF_LOCATION(sample)),
    )


@claim(
    "lemma-b.1.ii",
    place="Lemma B.1, eq. B.2, c_0 for the constant of Condition 2; that the locations of the population lie within 2 c_3 "
    "is its assumption",
    given=lambda: [*locations(), condition_2(ASTRAY, ZETA_LOCATION, c_3)],
    proof=lambda: [within(WIDE, ASTRAY)],
)
def chance_of_locations_far_apart():
    """Chance that projected locations of the sample are far apart."""
    return Le(chance(WIDE), rate * ZETA_LOCATION(c_3))


LARGE = at_least(HIGH, 2 * c_2, "E_4c")
OFF_BY_C_2 = at_least(OFF_SCALE, c_2, "D_4")


def largest_scale_of_the_sample():
    """Condition 3 and the supremum of Condition 2, at the largest scale of the sample."""
    return everywhere(
        Le(HIGH_THERE(sample), c_2),
        Le(Abs(HIGH(sample) - HIGH_THERE(sample)), OFF_SCALE(sample)),
    )


@claim(
    "lemma-b.1.iii",
    place="Lemma B.1, eq. B.3, c_0 for the constant of Condition 2",
    given=lambda: [*largest_scale_of_the_sample(), condition_2(OFF_BY_C_2, ZETA_SCALE, c_2)],
    proof=lambda: [within(LARGE, OFF_BY_C_2)],
)
def chance_of_a_large_scale():
    """Chance that some projected scale of the sample is large."""
    return Le(chance(LARGE), rate * ZETA_SCALE(c_2))


TINY = at_most(LOW, c_1 / 2, "E_7c")
OFF_BY_HALF = at_least(OFF_SCALE, c_1 / 2, "D_7")


def least_scale_of_the_sample():
    """Condition 3 and the supremum of Condition 2, at the least scale of the sample."""
    return everywhere(
        Ge(LOW_THERE(sample), c_1),
        Le(Abs(LOW(sample) - LOW_THERE(sample)), OFF_SCALE(sample)),
    )


@claim(
    "lemma-b.1.iv",
    place="Lemma B.1, eq. B.4, c_0 for the constant of Condition 2",
    given=lambda: [*least_scale_of_the_sample(), condition_2(OFF_BY_HALF, ZETA_SCALE, c_1 / 2)],
    proof=lambda: [within(TINY, OFF_BY_HALF)],
)
def chance_of_a_small_scale():
    """Chance that some projected scale of the sample is small."""
    return Le(chance(TINY), rate * ZETA_SCALE(c_1 / 2))


# --- lemma 5.3 ------------------------------------------------------------------------------------

MARGIN = AnyQuantity("SM")  # the safety margin at epsilon / 2
PASSES = AnyTest("lambda")  # passes a sample with a chance that depends on it
VOLUME = AnySize("vol")  # the infimum of eq. D.6
CHANGE = AnySize("dev")  # the supremum of eq. D.5, over datasets k + 1 rows away
STEEP = Where("E_1", sample, VOLUME(sample), ">", exp(-epsilon / 4) * delta / 3)
SENSITIVE = Where("E_0", sample, CHANGE(sample), ">", eta / 2)


def beyond(margin):
    """What the noise must exceed for the test to pass, at a margin of so many rows."""
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
    """Eq. 3.1, by note-passing-grows: at a margin of at least k the chance to pass is at least that at k."""
    grows = (
        Ge(PASSES.indicator(sample), EXCEEDS(beyond(enough))),
        Lt(MARGIN(sample), enough),
    )
    return [
        Le(EXCEEDS(beyond(enough)), 1),
        Every(sample, Either(tuple(map(as_tree, grows)))),
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
    """Chances in the mean, from those of each sample."""
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
    """Use of note-mean-of-chances for the chance to pass and the two events."""
    t = Symbol("t", real=True)
    tests = {ONE: PASSES, OTHER: STEEP, THIRD: SENSITIVE}
    functions = {
        one.indicator(t).function: Lambda((t,), of.indicator(t)) for one, of in tests.items()
    }
    return {**functions, **{factor_beside: EXCEEDS(beyond(enough))}}


@claim(
    "lemma-5.3",
    place="Lemma 5.3, for each k, any law of the data and any noise: G bar is the chance that it exceeds a "
    "number, P(lambda) the chance to pass; E_1 and E_0 are the events of its two probabilities, and the last "
    "condition is Lemma D.2",
    using=[
        "lemma-d.2",
        "note-passing-grows",
        "note-5.3-samples",
        ("note-mean-of-chances", in_the_mean),
    ],
    given=lambda: [
        *passing_by_the_margin(),
        *margin_of_lemma_d_2(),
    ],
)
def chance_of_a_release_from_a_margin():
    """Chance of a release, from that of a large margin."""
    return Ge(chance(PASSES), EXCEEDS(beyond(enough)) - chance(STEEP) - chance(SENSITIVE))


# --- theorem 3.1 ----------------------------------------------------------------------------------

MOVES_LOCATION = AnySize("Sk_mu")


def change_by_lemma_b_2():
    """Lemma B.2 at the level tau + eta: the change of outlyingness times the least scale."""
    return everywhere(
        Le(
            CHANGE(sample) * LEAST(sample),
            (tau + eta) * MOVES_SCALE(sample) + MOVES_LOCATION(sample),
        )
    )


def largest_change():
    """A change of locations and scales that changes outlyingness by at most eta / 2."""
    return c_1 * eta / (4 * (tau + eta + 1))


def scale_moved():
    """The event that some scale moves by more than it may."""
    return at_least(MOVES_SCALE, largest_change(), "M_2")


def location_moved():
    """The event that some location moves by more than it may."""
    return at_least(MOVES_LOCATION, largest_change(), "M_3")


def sensitivities():
    """Lemma B.2, and what Conditions 1 to 3 say of a small enough change and of the scales."""
    return [
        *change_by_lemma_b_2(),
        *least_scales(),
        condition_1(MOVED, c_1 / 4),
        condition_1(scale_moved(), largest_change()),
        condition_1(location_moved(), largest_change()),
        condition_2(OFF, ZETA_SCALE, c_1 / 4),
    ]


def tail_of_the_change():
    """The chance of a small scale, and twice that of a large sensitivity."""
    return KAPPA(c_1 / 4) + rate * ZETA_SCALE(c_1 / 4) + 2 * KAPPA(largest_change())


@claim(
    "note-b.7",
    place="eq. B.7 without conditional probabilities, and with eta / 2, as Lemma 5.3 needs it: Condition 1 is "
    "about the intersection of events. The condition is Lemma B.2",
    given=change_by_lemma_b_2,
    without={"lemma-b.2": "its conclusion is the condition"},
    proof=lambda: [
        step("both changes", Eq((tau + eta + 1) * largest_change(), c_1 * eta / 4)),
        within(SENSITIVE, SMALL, scale_moved(), location_moved()),
    ],
)
def chance_of_a_large_change():
    """Chance that outlyingness changes by much in some dataset next to the sample."""
    return Le(chance(SENSITIVE), chance(SMALL) + chance(scale_moved()) + chance(location_moved()))


def ratio_of_volumes(high, spread, low):
    """Lemma B.3 at y = tau / 2, without its second power, times the exponential of eq. D.6."""
    ratio = (high * (tau + 2 * eta) + spread) / (low * (tau / 2 - 2 * eta) - spread)
    return exp(-epsilon * tau / (8 * eta)) * ratio**d


def largest_ratio():
    """The argument of the logarithm in Theorem 3.1, repaired."""
    return (2 * c_2 * (tau + 2 * eta) + 4 * c_3) / (c_1 * tau / 4 - c_1 * eta - 4 * c_3)


def delta_is_large():
    """The conditions of Theorem 3.1 on tau and delta, repaired."""
    ratio = largest_ratio()
    return [
        tau > 4 * eta + 16 * c_3 / c_1,
        delta >= 3 * (exp(epsilon / 4) * exp(-epsilon * tau / (8 * eta)) * ratio**d),
    ]


@claim(
    "note-power-of-a-ratio",
    place="used by note-b-volume",
    given=lambda: [ball_in <= mass_in, mass_out <= ball_out],
    proof=lambda: [step("the ratio", Le(ball_in / ball_out, mass_in / mass_out))],
)
def power_of_a_ratio():
    """Power of a ratio, by bounds of both its parts."""
    return Le((ball_in / ball_out) ** d, (mass_in / mass_out) ** d)


@claim(
    "note-b-volume",
    place="Appendix B, proof of Theorem 3.1, y = tau / 2: Lemma B.3 where no event of E_5 fails, against what "
    "eq. D.6 allows",
    given=lambda: [
        *delta_is_large(),
        largest_scale <= 2 * c_2,
        wide <= 4 * c_3,
        least_scale >= c_1 / 2,
    ],
    using=[
        (
            "note-power-of-a-ratio",
            lambda: {
                ball_in: largest_scale * (tau + 2 * eta) + wide,
                ball_out: least_scale * (tau / 2 - 2 * eta) - wide,
                mass_in: 2 * c_2 * (tau + 2 * eta) + 4 * c_3,
                mass_out: c_1 * tau / 4 - c_1 * eta - 4 * c_3,
            },
        ),
    ],
    proof=lambda: [
        step("the denominator of the condition", Gt(c_1 * tau / 4 - c_1 * eta - 4 * c_3, 0)),
        step("a factor", Gt(tau / 2 - 2 * eta, 0)),
        step(
            "the denominator",
            Ge(
                least_scale * (tau / 2 - 2 * eta) - wide,
                c_1 * tau / 4 - c_1 * eta - 4 * c_3,
            ),
        ),
        step(
            "the numerator",
            Le(largest_scale * (tau + 2 * eta) + wide, 2 * c_2 * (tau + 2 * eta) + 4 * c_3),
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
def ratio_of_volumes_on_a_good_event():
    """Ratio of volumes at half of tau, where scales and locations are bounded."""
    return Le(ratio_of_volumes(largest_scale, wide, least_scale), exp(-epsilon / 4) * delta / 3)


def volume_by_lemma_b_3():
    """Lemma B.3, by note-b-volume: where no event of E_5 fails the infimum of eq. D.6 is small."""
    parts = (
        Le(VOLUME(sample), exp(-epsilon / 4) * delta / 3),
        Ge(HIGH(sample), 2 * c_2),
        Gt(TOP(sample) - BOTTOM(sample), 4 * c_3),
        Le(LOW(sample), c_1 / 2),
    )
    return [Every(sample, Either(tuple(map(as_tree, parts))))]


def scales_and_locations():
    """Lemma B.3, and what Conditions 2 and 3 say of scales and locations of the sample."""
    return [
        *volume_by_lemma_b_3(),
        *locations(),
        *largest_scale_of_the_sample(),
        *least_scale_of_the_sample(),
        condition_2(ASTRAY, ZETA_LOCATION, c_3),
        condition_2(OFF_BY_C_2, ZETA_SCALE, c_2),
        condition_2(OFF_BY_HALF, ZETA_SCALE, c_1 / 2),
    ]


def tail_of_the_volume():
    """The chances that a scale is small or large, or that locations are far apart."""
    return rate * ZETA_SCALE(c_1 / 2) + rate * ZETA_LOCATION(c_3) + rate * ZETA_SCALE(c_2)


@claim(
    "note-b-steep",
    place="Appendix B, proof of Theorem 3.1, P(E_1) <= P(E_5^c)",
    without={"note-b-volume": "its conclusion is the condition"},
    given=volume_by_lemma_b_3,
    proof=lambda: [within(STEEP, TINY, WIDE, LARGE)],
)
def chance_of_a_large_ratio_of_volumes():
    """Chance that the ratio of volumes is large."""
    return Le(chance(STEEP), chance(TINY) + chance(WIDE) + chance(LARGE))


@claim(
    "theorem-3.1-corrected",
    place="Theorem 3.1, repaired, with all constants, kappa(t) for a_1 exp(-a_2 n t) + kappa_n of Condition 1: for any k such that Condition 1 holds at k + 1 and any "
    "law of the data; G bar at log(1 / (2 delta)) - epsilon k / 2 in place of 1 - exp(epsilon) delta, c_1 eta / "
    "(4 (tau + eta + 1)) in place of c_2 eta / (4 (tau v 1)), and the tails that are left out. The conditions on delta "
    "and tau are those of note-b-volume, the last of the conditions that events have a probability",
    corrects=["theorem-3.1"],
    why="A margin of 2 is not enough (eq-b.6), the exponent has c_2 for c_1, and a tail is left out.",
    using=[
        "lemma-5.3",
        "note-b.7",
        "note-b-steep",
        "lemma-b.1.i",
        "lemma-b.1.ii",
        "lemma-b.1.iii",
        "lemma-b.1.iv",
    ],
    without={
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
)
def chance_of_a_release_repaired():
    """Chance of a release, from below, repaired."""
    return Ge(chance(PASSES), EXCEEDS(beyond(enough)) - tail_of_the_change() - tail_of_the_volume())
