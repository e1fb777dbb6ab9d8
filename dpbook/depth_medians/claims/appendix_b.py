"""Appendix B: the proofs of Theorems 3.1 and 3.2."""

from sympy import Abs, Eq, Ge, Gt, Integer, Integral, Le, Lt, Max, Min, Rational, exp, log, oo

from dpbook import Exists, Noted, claim, step
from dpbook.depth_medians.claims.section_3 import gap, margin_for
from dpbook.depth_medians.notation import (
    C,
    below,
    beta,
    c_1,
    c_2,
    c_3,
    centre,
    d,
    delta,
    distance,
    epsilon,
    eta,
    excess,
    failure,
    gamma,
    k,
    k_r,
    k_s,
    largest_scale,
    least_scale,
    level,
    location,
    n,
    noise,
    other_location,
    other_scale,
    point,
    population,
    radius,
    sampling,
    sampling_scale,
    scale,
    shift,
    spread,
    tail_beside,
    tail_of_locations,
    tail_of_scales,
    tau,
    truth,
    volume_near,
    wide,
)
from dpbook.depth_medians.samples import AnyVolume
from dpbook.privacy.distributions import Laplace

# --- lemmas B.1 and B.2 ---------------------------------------------------------------------------


@claim(
    "note-b.1",
    place="Lemma B.1, the events of eq. B.1, B.3 and B.4 in one direction: scale is that of the "
    "population, the other one that of the data; the first display of the proof of eq. B.1 starts "
    "from the wrong event",
    given=lambda: [
        scale >= c_1,
        scale <= c_2,
        Abs(other_scale - scale) <= sampling_scale,
        sampling_scale < c_1 / 2,
    ],
)
def scales_of_the_data():
    """Projected scale of the data, between multiples of the bounds on the population's scale."""
    return [Gt(other_scale, c_1 / 2), Lt(other_scale, 2 * c_2)]


def by_the_change_of_distance_and_scale():
    """Return the steps from changes of a distance and of a scale to the change of their ratio."""
    near, far = Abs(point - location), Abs(point - other_location)
    whole = tau * spread + shift
    return [
        step("the distance", [Le(near - far, shift), Le(far - near, shift)]),
        step("the scale", [Le(other_scale - scale, spread), Le(scale - other_scale, spread)]),
        step(
            "times the ratio",
            [
                Le(near / scale * (other_scale - scale), tau * spread),
                Le(near / scale * (scale - other_scale), tau * spread),
            ],
        ),
        step("the least scale", Le(whole / other_scale, whole / least_scale)),
        step(
            "over the other scale",
            [
                Le(near / scale - far / other_scale, whole / other_scale),
                Le(far / other_scale - near / scale, whole / other_scale),
            ],
        ),
    ]


def one_direction():
    """Return the hypotheses of Lemma B.2 in one direction, for two datasets."""
    return [
        Abs(location - other_location) <= shift,
        Abs(scale - other_scale) <= spread,
        least_scale <= scale,
        least_scale <= other_scale,
        Abs(point - location) / scale <= tau,
    ]


def change_in_one_direction():
    """Return the inequality of Lemma B.2 in one direction."""
    return Le(
        Abs(Abs(point - location) / scale - Abs(point - other_location) / other_scale),
        (tau * spread + shift) / least_scale,
    )


@claim(
    "note-b.2-direction",
    place="Lemma B.2 in one direction; for the names see lemma-b.2",
    corrects=["text-b.2-display"],
    why="Its proof takes the location and the scale of the dataset that keeps the point.",
    given=one_direction,
    proof=by_the_change_of_distance_and_scale,
)
def change_of_outlyingness_by_direction():
    """Change of outlyingness in one direction."""
    return change_in_one_direction()


@claim(
    "lemma-b.2",
    place="Lemma B.2, eq. B.5, direction by direction (note-supremum): S_mu and S_sigma are the "
    "projected sensitivities, b the least scale of either dataset; a point that either dataset keeps, "
    "as the roles of the two may be changed. In the first display mu of the data stands for that of "
    "the other dataset",
    scope="in each direction, for each dataset next to the first and each point that one of them keeps: that the suprema "
    "over directions, points and datasets change by no more is in words, and shown for two directions in note-supremum",
    using=["note-b.2-direction"],
    given=one_direction,
)
def change_of_outlyingness():
    """Change of outlyingness from one dataset to the next."""
    return change_in_one_direction()


def display_of_b_2(from_location, at_scale):
    """Return the bound in the display of the proof of Lemma B.2, in one direction."""
    moved = Abs(point - from_location) * spread + at_scale * shift
    return Le(moved / (scale * other_scale), (tau * spread + shift) / least_scale)


def kept_by_the_other():
    """Return the hypotheses of Lemma B.2 in one direction, for a point that the other dataset keeps."""
    return [*one_direction()[:-1], Abs(point - other_location) / other_scale <= tau]


@claim(
    "text-b.2-display",
    place="Appendix B, proof of Lemma B.2, its first display, the last step, in one direction: a point that the other dataset keeps is at most tau times the scale of that one from its location, mu_1, and not from mu",
    given=kept_by_the_other,
    try_at=[
        {
            **{location: 0, other_location: 1, scale: 1, other_scale: 1, least_scale: 1},
            **{shift: 1, spread: 1, tau: 1, point: 2},
        }
    ],
    fault="misprint",
    effect="The location of the other dataset is meant, and its scale beside it; the inequality of the lemma is right in each direction (note-b.2-direction).",
)
def display_of_lemma_b_2_as_printed():
    """Change of outlyingness by its parts, against the bound of Lemma B.2, as printed."""
    return display_of_b_2(location, scale)


# --- lemma B.3 ------------------------------------------------------------------------------------

LEVELS = AnyVolume("vol")  # the volume of a level


def radius_inside(at):
    """Return the radius of a ball inside a level."""
    return least_scale * at - wide


def radius_outside(at):
    """Return the radius of a ball around a level."""
    return largest_scale * at + wide


def balls_and_levels():
    """Return the conditions on the volumes of three levels, against the volumes of balls."""
    return [
        largest_scale >= least_scale,
        LEVELS(tau + 2 * eta) <= volume_near * radius_outside(tau + 2 * eta) ** d,
        LEVELS(tau - 2 * eta) >= volume_near * radius_inside(tau - 2 * eta) ** d,
        LEVELS(tau - below - 2 * eta) >= volume_near * radius_inside(tau - below - 2 * eta) ** d,
    ]


@claim(
    "lemma-b.3",
    place="Lemma B.3: vol is the volume of a level, W_1 that of the unit ball. It holds for directions "
    "all over the sphere, where a ball is its largest projection, and not for finitely many",
    scope="from the volumes of the balls between which a level lies, which are conditions here; note-ball-inside and note-ball-outside show "
    "for each direction that one ball lies in the level, and the level in the other",
    using=["note-ball-outside", "note-ball-inside"],
    given=lambda: [
        *balls_and_levels(),
        radius_inside(tau - below - 2 * eta) > 0,
    ],
    proof=lambda: [
        step(
            "the shell",
            Le(
                LEVELS(tau + 2 * eta) - LEVELS(tau - 2 * eta),
                volume_near
                * (radius_outside(tau + 2 * eta) ** d - radius_inside(tau - 2 * eta) ** d),
            ),
        ),
        step("a power", Gt(radius_inside(tau - below - 2 * eta) ** d, 0)),
        step(
            "a larger ball", Ge(radius_inside(tau - 2 * eta), radius_inside(tau - below - 2 * eta))
        ),
        step(
            "and a larger one",
            Ge(radius_outside(tau + 2 * eta), radius_inside(tau - 2 * eta)),
        ),
        step(
            "powers",
            Ge(radius_outside(tau + 2 * eta) ** d, radius_inside(tau - 2 * eta) ** d),
        ),
        step(
            "over the inner volume",
            Le(
                (LEVELS(tau + 2 * eta) - LEVELS(tau - 2 * eta)) / LEVELS(tau - below - 2 * eta),
                (radius_outside(tau + 2 * eta) ** d - radius_inside(tau - 2 * eta) ** d)
                / radius_inside(tau - below - 2 * eta) ** d,
            ),
        ),
    ],
)
def volumes_of_level_sets():
    """Ratio of volumes of level sets."""
    within = radius_inside(tau - below - 2 * eta)
    return Le(
        (LEVELS(tau + 2 * eta) - LEVELS(tau - 2 * eta)) / LEVELS(tau - below - 2 * eta),
        radius_outside(tau + 2 * eta) ** d / within**d
        - radius_inside(tau - 2 * eta) ** d / within**d,
    )


@claim(
    "note-ball-outside",
    place="Lemma B.3, its upper bound: p is a point of a level, seen in the direction in which it is "
    "away from the centre of the ball. The centre is within alpha_mu of each location, as mu(-X) = -mu(X): alpha_mu is twice the largest |mu_u| then",
    given=lambda: [
        Abs(point - location) <= level * scale,
        scale <= largest_scale,
        Abs(centre - location) <= wide,
    ],
)
def level_set_within_a_ball():
    """Distance of a point of a level from the centre of a ball."""
    return Le(Abs(point - centre), largest_scale * level + wide)


@claim(
    "note-ball-inside",
    place="Lemma B.3, its lower bound, in any direction; on the centre see note-ball-outside",
    given=lambda: [
        Abs(point - centre) <= least_scale * level - wide,
        scale >= least_scale,
        Abs(centre - location) <= wide,
    ],
)
def ball_within_a_level_set():
    """Outlyingness of a point of a ball."""
    return Le(Abs(point - location), level * scale)


@claim(
    "lemma-b.3-line",
    place="Lemma B.3 in one dimension: a level t is an interval of length 2 t sigma, and alpha_mu is "
    "twice |mu|",
    given=lambda: [
        scale * (tau - below - 2 * eta) - 2 * Abs(location) > 0,
    ],
)
def volumes_of_level_sets_on_the_line():
    """Ratio of lengths of level sets."""
    least = scale * (tau - below - 2 * eta) - 2 * Abs(location)
    return Le(
        (2 * (tau + 2 * eta) * scale - 2 * (tau - 2 * eta) * scale)
        / (2 * (tau - below - 2 * eta) * scale),
        (scale * (tau + 2 * eta) + 2 * Abs(location)) / least
        - (scale * (tau - 2 * eta) - 2 * Abs(location)) / least,
    )


# --- theorem 3.1 ----------------------------------------------------------------------------------


@claim(
    "eq-b.6",
    place="eq. B.6: k = 2 in Lemma 5.3; the chance that a Laplace variable is below log(1 / (2 delta)) "
    "- epsilon, where that is positive",
    given=lambda: [gap(2) >= 0],
    try_at=[{epsilon: 1, delta: Rational(1, 1000)}],
    fault="error",
    effect="A margin of 2 makes the test fail with probability 1 - delta exp(epsilon), so Theorem 3.1 "
    "lacks its reason. The margin has to grow with log(1 / delta) / epsilon (eq-b.6-corrected, "
    "note-least-margin), and with it the k of Condition 1.",
)
def chance_of_failure_at_a_margin_of_2_as_printed():
    """Chance that the test fails at a margin of 2, as printed."""
    passed = Integral(Laplace(0, 1).density(noise), (noise, gap(2), oo))
    return Le(1 - passed, delta * exp(epsilon))


@claim(
    "eq-b.6-corrected",
    place="eq. B.6 at a margin k that is large enough: z is k epsilon / 2 less log(1 / (2 delta)), and W a standard Laplace variable",
    corrects=["eq-b.6"],
    why="delta exp(epsilon) is the chance to pass, not to fail.",
    using=["note-pass-below"],
    given=lambda: [
        Eq(excess, -gap(k)),
        k >= margin_for(failure),
    ],
    try_at=[
        {
            **{epsilon: 2, delta: Rational(1, 2), failure: Rational(1, 2), k: 1, excess: 1},
        }
    ],
    proof=lambda: [
        step("times epsilon / 2", Ge(excess, log(1 / (2 * failure)))),
        step("the other way", Le(-excess, log(2 * failure))),
        step("its exponential", Le(exp(-excess), 2 * failure)),
    ],
)
def chance_of_failure_at_a_large_margin():
    """Chance that the test fails at a large margin, repaired."""
    passed = Integral(Laplace(0, 1).density(noise), (noise, -excess, oo))
    return Le(1 - passed, failure)


def kept_at_the_larger_level():
    """Return the hypotheses of Lemma B.2 in one direction, for a point of the level tau + eta."""
    return [*one_direction()[:-1], Abs(point - location) / scale <= tau + eta]


@claim(
    "text-b-level",
    place="Appendix B, proof of Theorem 3.1, the display after E_1, in one direction: Lemma B.2 is used for points of the level tau + eta, with its bound for tau",
    cites=["lemma-b.2"],
    given=kept_at_the_larger_level,
    try_at=[
        {
            **{location: 0, other_location: 0, scale: 2, other_scale: 1, least_scale: 1},
            **{shift: 0, spread: 1, tau: 1, eta: 1, point: 4},
        }
    ],
    fault="misprint",
    effect="Delta_k is to have tau + eta in place of tau (text-b-level-corrected, which is supported), as it has in Appendix A.",
)
def change_at_the_larger_level_as_printed():
    """Change of outlyingness of a point of the level tau + eta, against the bound for tau, as printed."""
    return change_in_one_direction()


@claim(
    "text-b-level-corrected",
    place="Appendix B, proof of Theorem 3.1, the display after E_1, in one direction, with tau + eta",
    scope="in one direction and for one other dataset, as lemma-b.2",
    corrects=["text-b-level"],
    why="Lemma B.2 is about points of the level in its bound.",
    using=[("note-b.2-direction", lambda: {tau: tau + eta})],
    given=kept_at_the_larger_level,
)
def change_at_the_larger_level():
    """Change of outlyingness of a point of the level tau + eta, repaired."""
    change = Abs(Abs(point - location) / scale - Abs(point - other_location) / other_scale)
    return Le(change, ((tau + eta) * spread + shift) / least_scale)


def exponential_of_the_change(factor):
    """Return an exponential of the last lines: t_3 is a_2 n c_1 / 4."""
    return exp(-distance * factor)


def what_both_lines_have():
    """kappa_n, zeta of the scale, and exp(epsilon) delta."""
    return tail_beside + tail_of_scales + exp(epsilon) * delta


def line_before():
    """Return the line before the last one: z is a_1."""
    change = Min(1, eta / Max(tau, 1))
    beside = tail_beside + Min(tail_of_scales, tail_of_locations)
    first = excess * exponential_of_the_change(1) + beside
    return first + excess * exponential_of_the_change(change) + what_both_lines_have()


@claim(
    "text-b-last",
    place="Appendix B, the last line of the proof of Theorem 3.1, against the line before: z is a_1, t_3 is a_2 n c_1 / 4, zeta_s is zeta of the scale at c_1 / 4 and zeta_m that of the location at c_3. For each constant C there is an a_1 for which it fails",
    given=lambda: [
        excess * exponential_of_the_change(Min(1, eta / Max(tau, 1)))
        > C * exponential_of_the_change(Min(1, eta / Max(tau, 1))) + C * what_both_lines_have()
    ],
    try_at=[
        {
            **{
                excess: 100,
                C: 1,
                distance: 1,
                eta: Rational(1, 2),
                tau: 1,
                tail_of_locations: 1,
                tail_of_scales: 1,
            },
            **{tail_beside: 1, epsilon: 1, delta: Rational(1, 100)},
        }
    ],
    fault="misprint",
    effect="The factor a_1 is lost; the theorem has it.",
)
def last_line_of_theorem_3_1_as_printed():
    """Last line of the proof of Theorem 3.1, up to a constant, as printed."""
    change = Min(1, eta / Max(tau, 1))
    last = exponential_of_the_change(change) + what_both_lines_have()
    return Exists(Le(line_before(), C * last), {C: 1})


@claim(
    "text-b-last-corrected",
    place="Appendix B, the last line of the proof of Theorem 3.1 with a_1, here z, and 2 for its constant; names as in text-b-last",
    corrects=["text-b-last"],
    why="Condition 1 has the factor a_1.",
    proof=lambda: [
        step("exponents", Le(-distance, -distance * Min(1, eta / Max(tau, 1)))),
        step(
            "exponentials",
            Le(
                exponential_of_the_change(1),
                exponential_of_the_change(Min(1, eta / Max(tau, 1))),
            ),
        ),
        step(
            "times a_1",
            Le(
                excess * exponential_of_the_change(1),
                excess * exponential_of_the_change(Min(1, eta / Max(tau, 1))),
            ),
        ),
        step("the lesser zeta", Le(Min(tail_of_scales, tail_of_locations), tail_of_scales)),
    ],
)
def last_line_of_theorem_3_1():
    """Last line of the proof of Theorem 3.1, repaired."""
    change = Min(1, eta / Max(tau, 1))
    last = excess * exponential_of_the_change(change) + what_both_lines_have()
    return Le(line_before(), 2 * last)


@claim(
    "text-b-e5",
    place="Appendix B, proof of Theorem 3.1, the bound on the chance that E_5 fails",
    scope="one counterexample to it: n rows in d = 1 that are 1 or -1 with chance 1/2 each, n odd, the trimmed mean and the trimmed absolute deviation (as "
    "repaired) with alpha = 1/4, c_1 = c_2 = 1, and c_3 = 1 / (4 n). The trimmed mean is at least 1 / n from 0, so E_3 fails in every sample: the left "
    "side is 1. Three rows move neither estimator by more than 24 / n, so a_1 = exp(24 a_2) and kappa_n = 0 do for any a_2, and for a large one the "
    "first term is at most 1 / n; the trimmed absolute deviation is 1/4 off with chance 64 / n at most, by Chebyshev's inequality. The statement is that there "
    "is such a constant",
    given=lambda: [n >= 97 * (C + 1)],
    try_at=[{C: 1, n: 195}],
    fault="error",
    effect="The smaller of two tails stands where a union bound has their sum: Theorem 3.1 lacks the tail of the location at c_3, which theorem-3.1-corrected (supported) has.",
)
def chance_that_e_5_fails_as_printed():
    """Chance that a scale is small or large or locations are far apart, as printed."""
    return Exists(Le(1, C * (1 / n + 64 / n)), {C: 1})


@claim(
    "eq-b.6.change",
    place="eq. B.6 by Lemma 5.3, whose event is a change of more than eta / 2; S_mu is a change",
    cites=["lemma-5.3"],
    given=lambda: [shift > eta / 2],
    try_at=[{shift: 3, eta: 4}],
    fault="misprint",
    effect="The event of a change of more than eta is a smaller one; constants of the proof double (theorem-3.1-corrected, which is supported).",
)
def change_of_eq_b_6_as_printed():
    """Change of outlyingness in Lemma 5.3, against the change in eq. B.6, as printed."""
    return Gt(shift, eta)


@claim(
    "eq-b.6.volume",
    place="E_1 after eq. B.6 by Lemma 5.3, whose event is a ratio of more than exp(-epsilon / 4) delta / 3; V_1 is a ratio. Read as exp(-epsilon / 2) delta, which the display after it has",
    cites=["lemma-5.3"],
    given=lambda: [volume_near > exp(-epsilon / 4) * delta / 3],
    try_at=[{epsilon: 1, delta: Rational(1, 2), volume_near: Rational(1, 4)}],
    fault="misprint",
    effect="The condition on delta is to have the factor 3 exp(epsilon / 4) in place of exp(epsilon / 2) (theorem-3.1-corrected, which is supported).",
)
def ratio_of_volumes_after_eq_b_6_as_printed():
    """Ratio of volumes in Lemma 5.3, against that after eq. B.6, as printed."""
    return Gt(volume_near, exp(-epsilon / 2) * delta)


@claim(
    "text-b-condition",
    place="Appendix B, proof of Theorem 3.1, y = tau / 2: the last two lines before the indicator",
)
def condition_on_delta():
    """Exponential factor and denominator at half of tau."""
    return [
        Eq(
            exp(epsilon / 2 - epsilon * (tau / 2) / (4 * eta)),
            exp(epsilon / 2 - epsilon * tau / (8 * eta)),
        ),
        Eq(c_1 * (tau - tau / 2 - 2 * eta) / 2 - 4 * c_3, c_1 * tau / 4 - c_1 * eta - 4 * c_3),
    ]


# --- lemma B.4 ------------------------------------------------------------------------------------


@claim(
    "lemma-b.4",
    place="Lemma B.4 for the distribution of note-b.4, n a multiple of 3 that is odd: on the left what the chance of a far draw given a release is at "
    "least, on the right C times what the lemma adds up. Its constant C is universal but not specified; whatever it is, it fails for all such "
    "large n (note-b.4). The statement is that there is such a constant. For all constants it fails where the condition holds, and it does for "
    "all large n (note-b.4). The infimum over s is called a least upper bound; in eq. B.8 the last zeta is that of the scale",
    scope="both sides, which the machine compares; that the distribution meets the conditions, with these bounds, and that the chance of a draw nearby "
    "given a release is at most what is taken off on the left, is shown on paper, in note-b.4",
    cites=["eq-b.9", "eq-b.10", "text-b.4-exponent", "note-b.4-draw", "note-b.4"],
    given=lambda: [near_draw_given_a_release() + C * tail_of_lemma_b_4() < 1],
    try_at=[{C: 1, n: 120003}],
    fault="error",
    effect="Conditioning on a release costs a factor 1 / EZ: where a release is seldom, most of them may come from bad samples. With the "
    "factor it follows from note-b.4-draw in each sample (lemma-b.4-corrected, supported), and Theorem 3.2, where EZ is near 1, needs no more.",
)
def tail_of_the_deviation():
    """Tail of the distance of a release from the truth, as printed."""
    return Exists(Le(1 - near_draw_given_a_release(), C * tail_of_lemma_b_4()), {C: 1})


def tail_of_lemma_b_4():
    """Return the sum of Lemma B.4 for the distribution of note-b.4."""
    return exp(-n) + 4 * exp(-n / 10000)


def near_draw_given_a_release():
    """Return the bound of the chance of a draw near the truth given a release, in note-b.4."""
    return 2 * exp(Integer(12)) * (30 * exp(-4)) ** n


def around_the_truth():
    """Return the bounds that E_6 and E_7 give in a direction."""
    return [
        Abs(location - population) <= sampling,
        Abs(population - truth) <= c_3,
        scale >= c_1 / 2,
        scale <= 2 * c_2,
    ]


@claim(
    "eq-b.9",
    place="eq. B.9, in the direction of x - theta",
    given=lambda: [*around_the_truth(), point - truth >= level],
    proof=lambda: [
        step("the distance", Ge(Abs(point - location), level - c_3 - sampling)),
        step("the scale", Ge(Abs(point - location) / scale, Abs(point - location) / (2 * c_2))),
    ],
)
def outlyingness_far_from_the_truth():
    """Outlyingness of a point far from the truth."""
    return Ge(Abs(point - location) / scale, (level - c_3 - sampling) / (2 * c_2))


@claim(
    "eq-b.10",
    place="eq. B.10, in any direction",
    given=lambda: [*around_the_truth(), Abs(point - truth) <= radius],
    proof=lambda: [
        step("the distance", Le(Abs(point - location), radius + c_3 + sampling)),
        step(
            "over the scale", Le(Abs(point - location) / scale, (radius + c_3 + sampling) / scale)
        ),
        step(
            "the scale",
            Le((radius + c_3 + sampling) / scale, (radius + c_3 + sampling) / (c_1 / 2)),
        ),
    ],
)
def outlyingness_close_to_the_truth():
    """Outlyingness of a point close to the truth."""
    return Le(Abs(point - location) / scale, (radius + c_3 + sampling) / (c_1 / 2))


@claim(
    "text-b.4-exponent", place="Appendix B, proof of Lemma B.4, its exponent, and that of the lemma"
)
def exponent_of_the_tail():
    """Exponent of the tail of the distance."""
    first = -beta * (level - c_3 - sampling) / (2 * c_2) + beta * (radius + c_3 + sampling) / (
        c_1 / 2
    )
    printed = (
        epsilon * ((c_1 / 2 + 2 * c_2) * (c_3 + sampling)) / (4 * eta * c_1 * c_2)
        - epsilon * level / (8 * eta * c_2)
        + epsilon * radius / (2 * c_1 * eta)
    )
    return Eq(first, printed)


# --- theorem 3.2 ----------------------------------------------------------------------------------


@claim(
    "eq-b.12",
    place="eq. B.12: Lemma B.4 once more",
    cites=["lemma-b.4"],
)
def tail_of_the_deviation_once_more():
    """Tail of the distance of a release from the truth, given a release."""
    return Noted(
        "an instance of lemma-b.4, which is refuted as printed and supported as repaired (lemma-b.4-corrected)"
    )


@claim("text-b-first", place="Appendix B, proof of Theorem 3.2, first display after eq. B.13")
def exponent_without_the_larger_scale():
    """Exponent over epsilon / eta, bounded by the smaller scale."""
    return Le(
        (c_1 / 2 + 2 * c_2) * (c_3 + sampling) / (4 * c_1 * c_2)
        - level / (8 * c_2)
        + radius / (2 * c_1),
        5 * (c_3 + sampling) / (8 * c_1) - level / (8 * c_2) + radius / (2 * c_1),
    )


def r_chosen():
    """r of the proof of Theorem 3.2."""
    return level * c_1 / (k_r * c_2)


@claim(
    "text-b-second",
    place="Appendix B, proof of Theorem 3.2, second display after eq. B.13, at its r and s",
)
def exponent_at_the_chosen_radii():
    """Exponent over epsilon / eta, at the radii of the proof."""
    s_chosen = r_chosen() / k_s
    return Eq(
        (5 * (c_3 + s_chosen) + 4 * r_chosen() - level * c_1 / c_2) / (8 * c_1),
        (5 + 4 * k_s - k_r * k_s) * level / (8 * c_2 * k_r * k_s) + 5 * c_3 / (8 * c_1),
    )


def exponent_before():
    """Return the exponent of the tail without its logarithm, r and s as chosen."""
    s_chosen = r_chosen() / k_s
    return (
        epsilon * (c_1 / 2 + 2 * c_2) * (c_3 + s_chosen) / (4 * eta * c_1 * c_2)
        - epsilon * level / (8 * eta * c_2)
        + epsilon * r_chosen() / (2 * c_1 * eta)
    )


def constants_of_the_proof():
    """k_s = 1 and k_r = 10, a t in the range of eq. B.16, and the condition on tau."""
    return [
        Eq(k_s, 1),
        Eq(k_r, 10),
        c_3 > 0,
        level > 0,
        level < (10 * c_2 * tau - 20 * c_2 * c_3 / c_1) / 4,
        tau >= 20 * (2 * c_3 / (10 * c_2 - c_1) + c_3 / c_1),
    ]


@claim(
    "eq-b.14",
    place="eq. B.14 at its r and s, exponents without their common logarithm, k_s = 1 and k_r = 10",
    given=constants_of_the_proof,
    try_at=[
        {epsilon: 2, eta: 1, c_1: 1, c_2: 1, c_3: 1, level: 1, tau: 25, k_s: 1, k_r: 10},
    ],
    fault="error",
    effect="The last term carries the factor epsilon / eta (eq-b.14-corrected). Then the deviation "
    "does not shrink with eta but keeps a term of the order c_2 c_3 / c_1, unless c_3 = 0, as for distributions "
    "that are symmetric about their median.",
)
def exponent_as_printed():
    """Exponent of the tail at the radii of the proof, as printed."""
    return Le(
        exponent_before(),
        (5 + 4 * k_s - k_r * k_s) / (8 * k_r * k_s) * (level * epsilon / (c_2 * eta))
        + 5 * c_3 / (8 * c_1),
    )


@claim(
    "eq-b.14-corrected",
    place="eq. B.14, exponents without their common logarithm",
    corrects=["eq-b.14"],
    why="The print multiplies the first term by epsilon / eta and leaves out the other.",
)
def exponent_of_the_deviation():
    """Exponent of the tail at the radii of the proof, repaired."""
    return Le(
        exponent_before(),
        (5 + 4 * k_s - k_r * k_s) / (8 * k_r * k_s) * (level * epsilon / (c_2 * eta))
        + 5 * c_3 * epsilon / (8 * c_1 * eta),
    )


@claim(
    "text-b-coefficient",
    place="Appendix B, proof of Theorem 3.2, k_s = 1 and k_r = 10",
    given=lambda: [Eq(k_s, 1), Eq(k_r, 10)],
)
def coefficient_of_the_deviation():
    """Coefficient of the exponent at the constants taken."""
    return Eq((5 + 4 * k_s - k_r * k_s) / (8 * k_r * k_s), -Rational(1, 80))


@claim(
    "eq-b.15",
    place="eq. B.15, its last two lines, without d",
    scope="the last step: that the logarithm is no smaller without t^d, which is the step before, is not part of this",
    given=[level > 0],
)
def logarithm_of_the_volumes():
    """Logarithm of the ratio of volumes."""
    return Eq(
        log(k_r * c_2 / c_1) + log((2 * c_2 * tau + c_3) / level + c_1 / (k_r * c_2)),
        log((2 * k_r * c_2**2 * tau + c_3 * k_r * c_2) / (level * c_1) + 1),
    )


@claim(
    "text-b-sixteen",
    place="Appendix B, proof of Theorem 3.2, display before eq. B.16: the logarithm, without d, with "
    "the condition on tau for k_s = 1 and k_r = 10",
    given=lambda: [
        c_3 > 0,
        level > 0,
        tau >= 20 * (2 * c_3 / (10 * c_2 - c_1) + c_3 / c_1),
    ],
    try_at=[{c_1: 1, c_2: 1, c_3: 1, level: 1, tau: 25}],
    fault="misprint",
    effect="It drops c_3 k_r c_2 from eq. B.15; by the condition on tau that is at most 1/40 of what "
    "it stands beside (text-b-sixteen-corrected), so the theorem's constants hold it.",
)
def logarithm_as_printed():
    """Logarithm of the ratio of volumes before eq. B.16, as printed."""
    return Le(
        log((20 * c_2**2 * tau + 10 * c_3 * c_2) / (level * c_1) + 1),
        log(20 * c_2**2 * tau / (level * c_1) + 1),
    )


@claim(
    "text-b-sixteen-corrected",
    place="Appendix B, proof of Theorem 3.2, display before eq. B.16",
    corrects=["text-b-sixteen"],
    why="A term of eq. B.15 is lost.",
    given=lambda: [
        level > 0,
        tau >= 20 * (2 * c_3 / (10 * c_2 - c_1) + c_3 / c_1),
    ],
)
def logarithm_before_b_16():
    """Ratio of volumes before eq. B.16, repaired."""
    return Le(
        (20 * c_2**2 * tau + 10 * c_3 * c_2) / (level * c_1) + 1,
        Rational(41, 40) * (20 * c_2**2 * tau / (level * c_1)) + 1,
    )


@claim(
    "eq-b.16",
    place="eq. B.16, with the lines before it: each t in the range of Lemma B.4, at s = t c_1 / (k_r k_s c_2), is below it by the condition on tau, k_s = 1 and k_r = 10",
    given=lambda: [
        Eq(k_s, 1),
        Eq(k_r, 10),
        c_3 > 0,
        level < 2 * c_2 * tau + level * c_1 / (k_s * k_r * c_2) + c_3,
        tau >= 20 * (2 * c_3 / (10 * c_2 - c_1) + c_3 / c_1),
    ],
    try_at=[{c_1: 1, c_2: 1, c_3: 1, tau: 25, level: 1, k_s: 1, k_r: 10}],
    proof=lambda: [
        step("a difference", Gt(10 * c_2 - c_1, 0)),
        step("tau", Ge(c_1 * (10 * c_2 - c_1) * tau, 20 * c_3 * (10 * c_2 + c_1))),
        step(
            "times a factor",
            Ge(
                c_1 * (10 * c_2 - c_1) * tau * (2 * c_2 - c_1),
                20 * c_3 * (10 * c_2 + c_1) * (2 * c_2 - c_1),
            ),
        ),
        step(
            "the difference taken off",
            Ge(
                (10 * c_2 - c_1) * (c_1 * tau * (2 * c_2 - c_1)),
                (10 * c_2 - c_1) * (c_3 * (20 * c_2 + 2 * c_1)),
            ),
        ),
        step("and divided", Ge(c_1 * tau * (2 * c_2 - c_1), c_3 * (20 * c_2 + 2 * c_1))),
        step("t", Lt((10 * c_2 - c_1) * level, 10 * c_2 * (2 * c_2 * tau + c_3))),
        step(
            "against tau",
            Le(
                4 * c_1 * (10 * c_2 * (2 * c_2 * tau + c_3)),
                (10 * c_2 - c_1) * (10 * c_1 * c_2 * tau - 20 * c_2 * c_3),
            ),
        ),
        step(
            "both",
            Lt(
                4 * c_1 * (10 * c_2 - c_1) * level,
                (10 * c_2 - c_1) * (10 * c_1 * c_2 * tau - 20 * c_2 * c_3),
            ),
        ),
        step("divided", Lt(4 * c_1 * level, 10 * c_1 * c_2 * tau - 20 * c_2 * c_3)),
    ],
)
def range_of_the_deviation():
    """t in the range of Lemma B.4, against its bound."""
    return Lt(level, (k_r * c_2 * tau - 2 * k_r * c_2 * c_3 / c_1) / (2 * (1 + 1 / k_s)))


@claim("text-b-tau", place="Appendix B, proof of Theorem 3.2, the condition on tau: 20 is enough")
def factor_of_the_condition_on_tau():
    """Factor of the condition on tau."""
    return Le((20 - 2 * (c_1 / c_2)) / (2 - c_1 / c_2), 20)


@claim(
    "text-b-logarithm",
    place="Theorem 3.2 by the last bound on t in its proof, their brackets: on the left is the logarithm of the proof, which is not above its bracket, and on the right C times that of the theorem, with a sum in place of the maximum. For each constant C there is an n at which it fails (note-b-logarithm)",
    cites=["note-b-logarithm"],
    given=lambda: [
        c_3 > 0,
        d * log(20 * c_2**2 * n * tau / c_1 + 1) > C * bracket_of_the_theorem(),
    ],
    try_at=[{C: 1, c_1: 1, c_2: 1, c_3: 1, tau: 60, d: 1, gamma: 1, n: 100}],
    fault="error",
    effect="The proof gives the theorem with its own logarithm, which grows with n. With t of at least 50 c_2 c_3 / c_1 that of the theorem is enough (theorem-3.2-corrected, supported), and with Gamma quantiles no logarithm is needed (note-deviation-population).",
)
def logarithm_of_the_theorem_as_printed():
    """Logarithm at the end of the proof of Theorem 3.2, against the theorem, as printed."""
    return Exists(
        Le(d * log(20 * c_2**2 * n * tau / c_1 + 1), C * bracket_of_the_theorem()), {C: 1}
    )


def bracket_of_the_theorem():
    """Return the bracket of Theorem 3.2, with a sum in place of the maximum."""
    return log(1 / gamma) + d * log(2 * c_2 * tau / c_3 + 1) + c_3 / c_1


@claim(
    "note-b-logarithm",
    place="Theorem 3.2 against the end of its proof: whatever the constant C, from some n on the proof's "
    "logarithm is larger than C times that of the theorem",
    given=lambda: [
        c_3 > 0,
        n > c_1 * exp(C * log(2 * c_2 * tau / c_3 + 1)) / (20 * c_2**2 * tau),
    ],
)
def logarithm_of_the_proof():
    """Exponentials of the proof's logarithm, and of multiples of the theorem's logarithm."""
    return Gt(20 * c_2**2 * n * tau / c_1 + 1, exp(C * log(2 * c_2 * tau / c_3 + 1)))
