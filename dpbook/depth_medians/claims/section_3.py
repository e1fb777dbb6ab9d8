"""Section 3.1: the exponential mechanism on outlyingness, the test, and the two theorems."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integral,
    Le,
    Max,
    Min,
    Piecewise,
    Rational,
    exp,
    log,
    lowergamma,
    oo,
)

from dpbook import Every, Exists, Noted, Order, claim, step
from dpbook.depth_medians.claims.appendix_d import COST, KEPT, VOLUME, everywhere, total
from dpbook.depth_medians.notation import (
    C,
    beta,
    c_1,
    c_2,
    c_3,
    chance,
    chance_next,
    d,
    delta,
    distance,
    epsilon,
    eta,
    excess,
    failure,
    gain,
    inner,
    largest_scale,
    least,
    least_scale,
    level,
    location,
    margin,
    n,
    noise,
    other_point,
    place,
    point,
    quantile,
    radius,
    sampling,
    scale,
    tau,
)
from dpbook.depth_medians.samples import AnyQuantity, AnySize, Where
from dpbook.privacy.distributions import Bernoulli, Laplace
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import at

# --- the mechanism --------------------------------------------------------------------------------


@claim(
    "text-3.1-exponential-mechanism",
    place="Section 3.1; it exists where A_tau has a volume above 0",
)
def exponential_mechanism_on_outlyingness():
    """Exponential mechanism on outlyingness."""
    return Noted("a definition: density proportional to exp(-epsilon O / (4 eta)) on O <= tau")


@claim(
    "note-gauge",
    place="where all projected locations are 0 outlyingness is a norm, so a level t holds t^d times "
    "the volume of the level 1: the outlyingness of a draw is a Gamma(d, beta) variable, cut at tau, "
    "for any scales and any finite set of directions that spans the space",
)
def outlyingness_of_a_draw_around_a_centre():
    """Mass of a level of outlyingness where it is a norm, over the volume of the level 1."""
    return Eq(
        Integral(d * inner ** (d - 1) * exp(-beta * inner), (inner, 0, level)),
        d * lowergamma(d, beta * level) / beta**d,
    )


@claim("definition-3.1", place="Definition 3.1")
def safety():
    """Safety of a dataset."""
    return Noted(
        "a definition: its mechanism and that of each neighbour are (epsilon, delta)-close"
    )


@claim(
    "definition-3.2",
    place="Definition 3.2. We read 0 into Z+: else the margin of an unsafe dataset were 1, and the "
    "next sentence, that a margin above 0 means safe, false",
)
def safety_margin():
    """Safety margin of a dataset."""
    return Noted("a definition: the least number of rows to replace until a dataset is unsafe")


# --- the test -------------------------------------------------------------------------------------


def gap(rows):
    """Return the number that the noise must exceed for the test to pass, at a margin of `rows`."""
    return log(1 / (2 * delta)) - epsilon * rows / 2


def passing(beyond):
    """Return the chance that a standard Laplace variable exceeds a number."""
    return Piecewise((exp(-beyond) / 2, Ge(beyond, 0)), (1 - exp(beyond) / 2, True), evaluate=False)


@claim(
    "eq-3.1",
    place="eq. 3.1: it passes where W exceeds log(1 / (2 delta)) - epsilon s / 2",
)
def test_of_a_safety_margin():
    """Test of a safety margin."""
    return Noted("a definition; note-pass-above and note-pass-below have its chance")


@claim("note-pass-above", place="eq. 3.1, where the margin plus 0 fails")
def chance_to_exceed_a_positive_number():
    """Chance that a Laplace variable exceeds a number of at least 0."""
    return Eq(Integral(Laplace(0, 1).density(noise), (noise, excess, oo)), exp(-excess) / 2)


@claim("note-pass-below", place="eq. 3.1, where the margin plus 0 passes")
def chance_to_exceed_a_negative_number():
    """Chance that a Laplace variable exceeds a number of at most 0."""
    return Eq(Integral(Laplace(0, 1).density(noise), (noise, -excess, oo)), 1 - exp(-excess) / 2)


@claim("note-unsafe-passes", place="eq. 3.1 at a margin of 0")
def chance_that_an_unsafe_dataset_passes():
    """Chance that the test of a margin of 0 passes."""
    return Eq(passing(gap(0)), delta)


def neighbours_pass_alike(here, there):
    """Chances to pass and to fail, where there is the neighbour whose margin is larger by 1."""
    return [
        Le(here, there),
        Le(there, exp(epsilon / 2) * here),
        Le(1 - here, exp(epsilon / 2) * (1 - there)),
    ]


@claim(
    "note-test-private.i",
    place="eq. 3.1 for margins s and s + 1, both below the threshold: the test is (epsilon / 2)-private "
    "for any margin that changes by at most 1 between neighbours",
    given=[excess >= epsilon / 2],
)
def privacy_of_the_test_below_the_threshold():
    """Chances to pass at neighbouring margins below the threshold."""
    return neighbours_pass_alike(exp(-excess) / 2, exp(-(excess - epsilon / 2)) / 2)


@claim(
    "note-test-private.ii",
    place="eq. 3.1 for margins s and s + 1 on both sides of the threshold",
    given=[excess <= epsilon / 2],
)
def privacy_of_the_test_around_the_threshold():
    """Chances to pass at neighbouring margins around the threshold."""
    return neighbours_pass_alike(exp(-excess) / 2, 1 - exp(excess - epsilon / 2) / 2)


@claim("note-test-private.iii", place="eq. 3.1 for margins s and s + 1 above the threshold")
def privacy_of_the_test_above_the_threshold():
    """Chances to pass at neighbouring margins above the threshold."""
    return neighbours_pass_alike(1 - exp(-excess) / 2, 1 - exp(-(excess + epsilon / 2)) / 2)


def margin_for(fails):
    """Margin at which the test fails with a given chance."""
    return 2 / epsilon * log(1 / (4 * delta * fails))


@claim(
    "note-least-margin",
    place="eq. 3.1, solved for the margin; Theorem 3.1 takes 2 throughout",
)
def margin_for_a_chance_of_failure():
    """Chance that the test fails, at the margin that is solved for."""
    return Eq(1 - passing(gap(margin_for(failure))), failure)


# --- the release ----------------------------------------------------------------------------------


@claim("definition-3.3", place="Definition 3.3")
def private_projection_depth_median():
    """Private projection-depth median."""
    return Noted("a definition: a draw of the mechanism where the test passes, else nothing")


@claim(
    "note-two-budgets",
    place="Section 3.1, its use of Theorem 5.1, for any mechanism of Section 5 in place of the exponential one: neighbours of margins s + 1 and s, both "
    "above 0, so the mechanism is (epsilon, delta)-close on them, and an event of probabilities q and q_1. The statement is ours; the sentence of the paper is text-3.1-privacy",
    cites=["theorem-5.1", "eq-3.1"],
    given=lambda: [
        margin >= 1,
        hockey_stick(Bernoulli(chance), Bernoulli(chance_next), epsilon) <= delta,
        hockey_stick(Bernoulli(chance_next), Bernoulli(chance), epsilon) <= delta,
    ],
    try_at=[
        {
            **{epsilon: 1, delta: Rational(1, 1000), margin: 12},
            **{chance: Rational(1, 2), chance_next: Rational(184, 1000)},
        }
    ],
    effect="none: the sentence on any mechanism is ours, not the paper's. The test spends epsilon / 2 beside the epsilon of what it protects.",
)
def privacy_of_a_release_with_two_budgets():
    """Probability of a released event of a mechanism with the whole loss epsilon, for two neighbours."""
    return Le(
        passing(gap(margin + 1)) * chance,
        exp(epsilon) * (passing(gap(margin)) * chance_next) + delta,
    )


def above_loss(here, there, loss):
    """By how much a chance is above exp(loss) times another one."""
    return Max(0, here - exp(loss) * there)


# --- conditions and theorems ----------------------------------------------------------------------


@claim("condition-1", place="Condition 1; its k <= 3 is not enough for Theorem 3.1, see eq-b.6")
def condition_1():
    """Tail of the projected sensitivity."""
    return Noted("a definition of a condition on the distribution of the data")


@claim("condition-2", place="Condition 2")
def condition_2():
    """Tail of the projected deviation."""
    return Noted("a definition of a condition on the distribution of the data")


@claim("condition-3", place="Condition 3")
def condition_3():
    """Bounds on the population's projected scales and locations."""
    return Noted("a definition of a condition on the distribution of the data")


@claim(
    "theorem-3.1",
    place="Theorem 3.1 for the distribution of note-theorem-3.1: on the left a lower bound of the chance that nothing is released, on the right C times "
    "what the theorem adds up. Its C is universal but not specified; whatever it is, the statement fails for all large n (note-theorem-3.1). The "
    "statement is that there are such constants. For all constants it fails where the conditions hold, and they do for all large n "
    "(note-theorem-3.1)",
    scope="both sides, which the machine compares; that the distribution meets the conditions, with these constants, and that the chance is at least "
    "the left side is shown on paper, in note-theorem-3.1",
    cites=["lemma-5.3", "lemma-b.1.i", "lemma-b.2", "lemma-b.3", "eq-b.6", "note-theorem-3.1"],
    given=lambda: [C * added_up_by_theorem_3_1() < Rational(1, 4)],
    try_at=[{C: 1, n: 1001}],
    fault="error",
    effect="A margin of 2 does not make the test pass (eq-b.6). With a margin that grows, and the factor 3 exp(epsilon / 4) for "
    "exp(epsilon / 2) in the bound on delta, it follows with all constants from Lemmas B.3 and D.2 in each sample (theorem-3.1-corrected, supported).",
)
def chance_of_a_release():
    """Chance that nothing is released, from above, as printed."""
    return Exists(Le(chance_of_nothing(), C * added_up_by_theorem_3_1()), {C: 1})


def chance_of_nothing():
    """Return the lower bound of the chance that nothing is released, in note-theorem-3.1."""
    return 1 - exp(-n / 2) / 2


def added_up_by_theorem_3_1():
    """Return the sum in Theorem 3.1 for that distribution."""
    return exp(1) * (exp(-n) / 2) + exp(-n) + 16 * Rational(49, 50) ** n


@claim(
    "note-theorem-3.1",
    place="Theorem 3.1 as printed, for rows that are 0 with probability 2/5, -1 and 1 with 3/10 each, MED and MAD, an odd n, "
    "epsilon = 1, delta = exp(-n) / 2, tau = 1, eta = 1 / (32 n), c_1 = c_2 = 1, c_3 = 1 / 1000. But for a chance of "
    "16 (49/50)^n at most, which is kappa_n and zeta, MED is 0 and MAD is 1, whatever 3 rows are replaced by: "
    "so a_1 = 1 and any a_2 do, such as 128 n. Two clusters far apart with one row to decide between them are "
    "unsafe, so no margin exceeds n, and the test passes with a chance of exp(-n / 2) / 2 at most "
    "(note-pass-above). Whatever the universal constant C, what the "
    "theorem adds up is in the end less than that share of the chance to fail",
    proof=lambda: [
        step("exp", Le(exp(-n), 1 / n)),
        step("a root", Le(exp(-n / 2), 1)),
        step("a power", Le(Rational(49, 50) ** n, exp(-n / 50))),
        step("the power", Le(exp(-n / 50), 50 / n)),
        step("chance that nothing is released", Ge(1 - exp(-n / 2) / 2, Rational(1, 2))),
        step("sum", Le(exp(1) * (exp(-n) / 2) + exp(-n) + 16 * Rational(49, 50) ** n, 803 / n)),
        step(
            "rate",
            Le(
                Abs(
                    (exp(1) * (exp(-n) / 2) + exp(-n) + 16 * Rational(49, 50) ** n)
                    / (1 - exp(-n / 2) / 2)
                ),
                1606 / n,
            ),
        ),
    ],
)
def chance_that_nothing_is_released():
    """Terms that Theorem 3.1 adds up, against the chance that nothing is released."""
    return Order(added_up_by_theorem_3_1(), chance_of_nothing(), n, limit=0)


@claim(
    "theorem-3.1.denominator",
    place="Theorem 3.1, its condition on delta: the logarithm there is to have a positive argument",
    given=lambda: [c_3 > 0, eta < 1, tau > 4 * eta + 16 * c_3 / c_1],
    try_at=[
        {
            **{c_1: Rational(1, 10), c_2: 1, c_3: Rational(1, 1000)},
            **{eta: Rational(9, 10), tau: Rational(386, 100)},
        }
    ],
    fault="misprint",
    effect="The proof has c_1 eta where the theorem has eta (theorem-3.1.denominator-corrected).",
)
def denominator_as_printed():
    """Denominator in the condition on delta, as printed."""
    return Gt(c_1 * tau / 4 - eta - 4 * c_3, 0)


@claim(
    "theorem-3.1.denominator-corrected",
    place="Theorem 3.1, its condition on delta, as the proof has it",
    corrects=["theorem-3.1.denominator"],
    why="The statement lacks a factor c_1.",
    given=lambda: [tau > 4 * eta + 16 * c_3 / c_1],
)
def denominator():
    """Denominator in the condition on delta, repaired."""
    return Gt(c_1 * tau / 4 - c_1 * eta - 4 * c_3, 0)


def exponential_of_theorem_3_1(scale_bound, change):
    """Return an exponential of Theorem 3.1 without a_1, with t_3 for a_2 n."""
    return exp(-distance * scale_bound / 4 * change)


@claim(
    "theorem-3.1.exponent",
    place="Theorem 3.1, its exponential against that of the last line of its proof, t_3 for a_2 n: for each constant C there are a_2 n and c_2 for which it is too small",
    given=lambda: [
        eta < 1,
        distance * (c_2 - c_1) * eta / (4 * Max(tau, 1)) > log(C),
    ],
    try_at=[{C: 1, c_1: 1, c_2: 2, eta: Rational(1, 2), tau: 1, distance: 8}],
    fault="misprint",
    effect="The statement has c_2, an upper bound on the scales, where the proof has c_1 (theorem-3.1.exponent-corrected). Example 3.2 uses c_1.",
)
def exponent_of_theorem_3_1_as_printed():
    """Exponential in the proof of Theorem 3.1, against the theorem, as printed."""
    change = eta / Max(tau, 1)
    return Exists(
        Le(
            exponential_of_theorem_3_1(c_1, Min(1, change)),
            C * exponential_of_theorem_3_1(c_2, change),
        ),
        {C: 1},
    )


@claim(
    "theorem-3.1.exponent-corrected",
    place="Theorem 3.1, its exponential with c_1, t_3 for a_2 n",
    corrects=["theorem-3.1.exponent"],
    why="The proof bounds scales from below, by c_1.",
    given=lambda: [eta < 1],
)
def exponent_of_theorem_3_1():
    """Exponential in the proof of Theorem 3.1, against the theorem, repaired."""
    change = eta / Max(tau, 1)
    return Eq(
        exponential_of_theorem_3_1(c_1, Min(1, change)), exponential_of_theorem_3_1(c_1, change)
    )


@claim(
    "note-deviation",
    place="Theorem 3.2, sharpened, for every dataset and directions all over the sphere: r is the "
    "distance of a point from the truth, in the direction where it is seen; s_n bounds the distance "
    "of projected locations from the projected truth, and the truth itself lies out by at most s_n "
    "over the least scale",
    given=lambda: [
        radius <= largest_scale * level + sampling,
        level <= least + gain,
        least <= sampling / least_scale,
    ],
)
def deviation_of_a_draw():
    """Distance of a draw from the truth."""
    return Le(radius, largest_scale * gain + (1 + largest_scale / least_scale) * sampling)


@claim(
    "note-deviation-population",
    place="Theorem 3.2, repaired, on the event that scales lie within c_1 / 2 and 2 c_2, that "
    "locations err by at most s_n, and that a Gamma(d, 1) variable, by note-gamma-domination 4 eta / "
    "epsilon times which bounds the outlyingness above the least one, is at most h_0",
    using=["note-deviation"],
    given=lambda: [
        least_scale >= c_1 / 2,
        largest_scale <= 2 * c_2,
        gain <= 4 * eta / epsilon * quantile,
        radius <= largest_scale * gain + (1 + largest_scale / least_scale) * (sampling + c_3),
    ],
)
def deviation_of_a_draw_by_the_population():
    """Distance of a draw from the truth, by constants of the population."""
    return Le(
        radius,
        8 * c_2 * eta / epsilon * quantile + (1 + 4 * c_2 / c_1) * (sampling + c_3),
    )


@claim(
    "theorem-3.2",
    place="Theorem 3.2 for the distribution of note-theorem-3.2 and a large n: on the left 1 - gamma, which is 1/2, on the right an upper bound of the "
    "chance of a release within the theorem's distance t of the truth, which is 3 t. Its constant C is universal but not specified; whatever it "
    "is, the statement fails for all large n (note-theorem-3.2). Its proof loses a term (eq-b.14) and ends with another logarithm than the "
    "theorem (text-b-logarithm). The statement is that there are such constants. For all constants it fails where the conditions hold, and they "
    "do for all large n",
    scope="both sides, which the machine compares; that the distribution meets the conditions, that a release is all but certain, and that a draw is "
    "within t with a chance of at most 3 t, is shown on paper, in note-theorem-3.2",
    cites=["lemma-b.4", "eq-b.14", "text-b-logarithm", "note-theorem-3.2"],
    given=lambda: [n > 24 * C * (log(2) + 3 * log(241) + 20)],
    try_at=[{C: 1, n: 10**6}],
    fault="error",
    effect="The distance keeps a term of the order c_2 c_3 / c_1, which does not shrink with eta. With it the theorem follows "
    "from note-b.4-draw in each sample (theorem-3.2-corrected, supported).",
)
def deviation_of_a_release():
    """Chance of a release within a distance of the truth, as printed."""
    return Exists(Le(Rational(1, 2), 3 * distance_that_theorem_3_2_allows()), {C: 1})


def distance_that_theorem_3_2_allows():
    """Return the bound of Theorem 3.2 at eta = 1 / n, for the distribution of note-theorem-3.2."""
    return C * 4 / n * (log(2) + 3 * log(241) + 20)


@claim("remark-3.3", place="Remark 3.3")
def mahalanobis_rates():
    """Rates in the Mahalanobis metric."""
    return Noted("a remark: other proofs would carry over to medians of means")


@claim(
    "text-3.1-breakdown-points",
    place="Section 3.1, the displays that define BP(T, nu) and BP(EM, nu). A number of R^d is in the interior of R^d, and the bound C may differ from dataset to dataset: "
    "read to the letter nothing finite breaks down. Meant is a bound for all datasets with m rows replaced",
)
def breakdown_points():
    """Breakdown points of an estimator and of the mechanism."""
    return Noted("a definition: the largest share of rows that may be replaced by any numbers")


# --- breakdown ------------------------------------------------------------------------------------


NORM = AnySize("R")  # norm of a point
LOCATION, SCALE = AnyQuantity("m"), AnySize("s")  # of the dataset, in the direction of a point


def near_enough():
    """Return the event that a point is within the bound of the proof."""
    return Where("N", place, NORM(place), "<=", tau * largest_scale + sampling)


def bounded_estimates():
    """Outlyingness in the direction of a point, and that location and scale do not break down."""
    return everywhere(
        Le(Abs(NORM(place) - LOCATION(place)), COST(place) * SCALE(place)),
        Le(SCALE(place), largest_scale),
        Le(Abs(LOCATION(place)), sampling),
    )


def kept_nearby():
    """Return the integral of the weights of the mechanism within the bound."""
    body = near_enough().indicator(at) * KEPT(at) * VOLUME.density(at)
    return Integral(body, (at, -oo, oo))


@claim(
    "note-3.4-points",
    place="Theorem 3.4, at each point: see there",
    given=bounded_estimates,
    proof=lambda: [
        step(
            "outlyingness times the scale",
            Every(
                place,
                Le(COST(place) * SCALE(place), COST(place) * largest_scale),
            ),
        ),
    ],
)
def points_of_small_outlyingness():
    """Weight of a point, which is 0 outside of a ball."""
    return Every(place, Le(KEPT(place), near_enough().indicator(place) * KEPT(place)))


@claim(
    "theorem-3.4.level",
    place="Theorem 3.4, for all tau: A_tau is to hold a point, else there is no mechanism. For the rows (2, -2), (2, 1), (-3, 2), (3, 3), (-3, 3) with MED and MAD: the medians of first coordinates, of second ones and of sums are 2, 2 and 0, and "
    "their MADs are 1; a direction may be taken with any length. (p, p_2) is any point",
    given=lambda: [tau < Rational(4, 3)],
    try_at=[{tau: 1, point: 0, other_point: 0}],
    fault="boundary",
    effect="Below the least outlyingness of any point the mechanism does not exist; theorem-3.4, which is supported, supposes that A_tau has a volume.",
)
def points_of_every_level_as_printed():
    """Outlyingness of some point in three directions, against tau, as printed."""
    seen = Max(Abs(point - 2), Abs(other_point - 2), Abs(point + other_point))
    return Exists(Le(seen, tau), {point: 0, other_point: 0})


@claim(
    "theorem-3.4.level-corrected",
    place="Theorem 3.4, for a tau that is large enough: for the five rows of theorem-3.4.level, the point (2/3, 2/3)",
    corrects=["theorem-3.4.level"],
    why="Below the least outlyingness there is no point.",
    scope="in the three directions of theorem-3.4.level, for its five rows: other directions are not part of this; theorem-3.4 supposes that A_tau has a volume",
    given=lambda: [
        tau >= Rational(4, 3),
        Eq(point, Rational(2, 3)),
        Eq(other_point, Rational(2, 3)),
    ],
)
def points_of_a_large_level():
    """Outlyingness of a point in three directions, against tau, repaired."""
    return Le(Max(Abs(point - 2), Abs(other_point - 2), Abs(point + other_point)), tau)


@claim(
    "theorem-3.4",
    place="Theorem 3.4. T(nu) in the interior of R^d holds of every finite number, so that by the printed definition "
    "the mean never breaks down; we read: stays in a set that is bounded for all datasets with m rows replaced. For "
    "any such dataset: where B bounds its scales and s_n the size of its locations, all draws lie within tau B + s_n "
    "of the origin, a bound that is the same for all of them. f is outlyingness, R the norm, m and s location and scale in "
    "the direction of a point. The last two conditions say that A_tau has a volume: for a small tau it may be "
    "empty, and then there is no mechanism",
    cites=["text-3.1-breakdown-corrected"],
    without={"text-3.1-breakdown-corrected": "note-3.4-points says it of each point"},
    using=["note-3.4-points"],
    given=lambda: [*bounded_estimates(), Gt(total(KEPT), 0), Ge(kept_nearby(), 0)],
    proof=lambda: [
        step("all of them", [Ge(kept_nearby(), total(KEPT)), Le(kept_nearby(), total(KEPT))]),
    ],
    scope="the ball that holds all draws, for datasets in which location and scale are bounded. That A_tau has a volume is granted, where the paper has every tau, and that the integral over the ball exists; the two breakdown points, which are suprema over numbers of rows, and the lesser of two do not occur",
)
def breakdown_point():
    """All draws lie in one ball, for all datasets in which location and scale are bounded."""
    return Eq(kept_nearby() / total(KEPT), 1)


@claim(
    "text-3.1-breakdown",
    place="Section 3.1, proof of Theorem 3.4, its display, on the line: sup mu is |mu|",
    given=lambda: [Abs(point - location) / scale <= tau],
    try_at=[{point: 0, location: 0, scale: 1, tau: 1}],
    fault="error",
    effect="The theorem survives: what it needs is a bound from both sides "
    "(text-3.1-breakdown-corrected).",
)
def points_that_are_kept_as_printed():
    """Points of small outlyingness, from below, as printed."""
    return Le(tau * scale - Abs(location), point)


@claim(
    "text-3.1-breakdown-corrected",
    place="Section 3.1, proof of Theorem 3.4, its display, for any direction",
    corrects=["text-3.1-breakdown"],
    why="The lower end lacks its sign.",
    given=lambda: [
        Abs(point - location) / scale <= tau,
        scale <= largest_scale,
        Abs(location) <= sampling,
    ],
)
def points_that_are_kept():
    """Points of small outlyingness, in one direction, repaired."""
    return Le(Abs(point), tau * largest_scale + sampling)
