"""Appendices E and F: how location and scale concentrate; a lower bound for Cauchy distributions."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integer,
    Integral,
    Le,
    Lt,
    Max,
    Min,
    Rational,
    erfc,
    exp,
    log,
    oo,
    pi,
    sqrt,
)

from dpbook import Every, Noted, claim, step
from dpbook.depth_medians.claims.appendix_c import (
    ERROR,
    P,
    at_least,
    in_one_of,
    quantiles,
    tail_of_quantiles,
)
from dpbook.depth_medians.claims.appendix_d import as_it_is
from dpbook.depth_medians.notation import (
    C,
    alpha_0,
    at,
    crossing,
    d,
    density,
    deviation,
    distance,
    epsilon,
    level,
    needed,
    packed,
    point,
    radius,
    rate,
    sample,
    trimmed,
)
from dpbook.depth_medians.samples import AnySize
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent
from dpbook.privacy.statements import probability

# --- lemma E.1 and E.2 ----------------------------------------------------------------------------


OFF = AnySize("S_n")  # largest deviation of a projected median
OFF_MEAN, OFF_DEVIATION = AnySize("S_m"), AnySize("S_d")  # of trimmed mean and deviation


@claim(
    "lemma-e.1",
    place="Lemma E.1 for the distribution of note-e.1, one row on the line and M = 1/10: on the left the chance that it errs by t, on the right the bound, C for "
    "both of its constants. They are not specified; whatever they are, it fails for all large t (note-e.1). That the distribution meets Condition 4 is said on "
    "paper, there; the chance is note-e.1-law. "
    "With more rows the chance still falls like a power of t only",
    cites=["lemma-c.1", "note-e.1"],
    try_at=[{C: 1, level: 101}],
    fault="error",
    effect="Condition 4 is about densities within r of the median only: for t of at most r it is Lemma C.1 at one quantile "
    "(lemma-e.1-corrected, supported).",
)
def deviation_of_projected_medians():
    """Tail of the projected deviation of the median, as printed."""
    return Le(1 / (1 + level), C * exp(-2 * Rational(1, 10) ** 2 * level**2))


@claim(
    "note-e.1-law",
    place="used by note-e.1: of a row with density 1 / (2 (1 + |x|)^2), the chance that it is at least t",
)
def tail_of_a_distribution_without_mean():
    """Tail of a distribution without a mean."""
    return Eq(Integral(1 / (2 * (1 + at) ** 2), (at, level, oo)), 1 / (2 * (1 + level)))


@claim(
    "note-e.1",
    place="Lemma E.1 as printed, for one row with density 1 / (2 (1 + |x|)^2): Condition 4 holds at its median, 0, with r = 1 "
    "and M = 1/10, as the density is 1/8 at 1. The chance that the row is at least t from it is twice that of note-e.1-law. "
    "Whatever the constant, in the end the chance is larger than what the lemma allows",
    using=["note-e.1-law"],
    given=lambda: [level >= 100 * C + 1],
    proof=lambda: [
        step("an exponential", Le(exp(-(level**2) / 50), 1 / (1 + level**2 / 50))),
        step("a square", Gt(1 + level**2 / 50, C * (1 + level))),
        step("the ratio", Gt(1 / (1 + level), C / (1 + level**2 / 50))),
    ],
)
def deviation_of_one_row():
    """Chance that a row is far from the median, against multiples of the bound."""
    return Gt(1 / (1 + level), C * exp(-2 * Rational(1, 10) ** 2 * level**2))


@claim(
    "lemma-e.1-corrected",
    place="Lemma E.1 for t of at most r and n of at least d, c_0 for c, any distribution of the data: by Condition 4 the density M is that of "
    "Lemma C.1",
    corrects=["lemma-e.1"],
    why="Further than r from the median nothing is known of the densities.",
    using=[("lemma-c.1-corrected", lambda: {ERROR: as_it_is(OFF)})],
    without={"note-e.1": "it is about the print"},
    scope="Talagrand's inequality and the mean-value step are granted, by lemma-c.1-corrected",
    given=lambda: [distance <= radius, *quantiles(OFF, distance)],
)
def deviation_of_projected_medians_nearby():
    """Tail of the projected deviation of the median, repaired."""
    return Le(probability(P, at_least(OFF, distance, "Q")), tail_of_quantiles(distance))


@claim(
    "lemma-e.2",
    place="Lemma E.2",
    cites=["lemma-c.1", "text-e.2-hypotheses"],
)
def deviation_of_projected_mads():
    """Tail of the projected deviation of MAD."""
    return Noted(
        "no distribution meets its hypotheses (text-e.2-hypotheses, note-e.2-vacuous), so it is true and says nothing of any distribution. Without the one "
        "on r, and for a t that is small enough, there is lemma-e.2-corrected, supported"
    )


@claim(
    "text-e.2-hypotheses",
    place="Lemma E.2, its hypotheses on q': a density of at least M over a length r below the quantile q' has mass at "
    "most q', and r >= 1 / (3 M); it is to be below the quantile q_u in every direction, and so below that of the "
    "opposite one, 1/2 - q_u. That the print means 1 / (3 M) is seen in eq. E.3, where the bound "
    "exp(-2 n / 9) is that of Lemma C.1 at this distance. And the proof has M / 3 in eq. E.5 where 1 / (3 M) belongs",
    cites=["note-e.2-vacuous"],
    given=lambda: [density * radius <= trimmed, radius >= 1 / (3 * density)],
    try_at=[
        {density: 1, radius: Rational(1, 3), trimmed: Rational(1, 3), crossing: Rational(1, 4)}
    ],
    fault="error",
    effect="No distribution meets the hypotheses (note-e.2-vacuous): Lemma E.2 is true, and says nothing of any "
    "distribution. Example 3.2 takes its Condition 2 for MAD from it; for a t that is small enough lemma-e.2-corrected, supported, gives that.",
)
def hypotheses_on_a_quantile():
    """Quantile that Lemma E.2 asks for, against those that it is to be below."""
    return Lt(trimmed, Min(crossing, Rational(1, 2) - crossing))


@claim(
    "note-e.2-vacuous",
    place="Lemma E.2, its hypotheses: a density of at least M over a length r below the quantile q' has "
    "mass at most q', and r >= 1 / (3 M). The quantile q_u at median - MAD is 1/2 - q_u in the opposite "
    "direction, so the infimum over u is at most the lesser of the two; q' should be below it",
    given=lambda: [density * radius <= trimmed, radius >= 1 / (3 * density)],
)
def quantile_of_lemma_e_2():
    """Quantile of Lemma E.2, against the quantile that it should be below."""
    return Ge(trimmed, Min(crossing, Rational(1, 2) - crossing))


OFF_MAD = AnySize("S_MAD")  # largest deviation of a projected MAD


@claim(
    "lemma-e.2-corrected",
    place="Lemma E.2, repaired: for t of at most 2 r, n of at least d and any distribution of the data, without an upper bound on the densities and without a condition on r. "
    "S_MAD is the largest deviation of a projected MAD and Q_n the largest error of a quantile between q' and 1 - q', of which M is a least density by Condition 4. q' is to be below q_u and 1/2 - q_u in "
    "every direction, as in the print. Let these quantiles err by at most e. The interval of half width MAD + 2 e around the median of the sample holds its quantiles of orders q_u and q_u + 1/2, and so at least half "
    "of the rows; one whose half width is less than MAD - 2 e lies between them, and holds fewer. So MAD errs by at most 2 e, the condition on each sample",
    corrects=["lemma-e.2", "text-e.2-hypotheses"],
    why="A density of at least M over the length 1 / (3 M) has a mass of 1/3, and q' is to be below 1/4.",
    using=[("lemma-c.1-corrected", lambda: {distance: distance / 2}), "note-tail-of-one"],
    without={
        "lemma-c.1": "lemma-c.1-corrected is its repair",
        "text-e.2-hypotheses": "it is about the print",
        "note-e.2-vacuous": "it is about the print",
    },
    scope="Talagrand's inequality and the mean-value step are granted, by lemma-c.1-corrected, and in each sample that MAD errs by at most "
    "twice as much as the inner quantiles do",
    given=lambda: [
        distance <= 2 * radius,
        Every(sample, Le(OFF_MAD(sample), 2 * ERROR(sample))),
        *quantiles(ERROR, distance / 2),
    ],
    proof=lambda: in_one_of(at_least(OFF_MAD, distance, "A"), at_least(ERROR, distance / 2, "B")),
)
def deviation_of_the_projected_mad():
    """Tail of the projected deviation of MAD, repaired."""
    return Le(probability(P, at_least(OFF_MAD, distance, "A")), tail_of_quantiles(distance / 2))


# --- lemma E.3 ------------------------------------------------------------------------------------


@claim(
    "lemma-e.3",
    place="Lemma E.3 for the distribution of note-e.3: on the left the chance that the mean errs by one standard deviation of its own, on the right C times the bound. "
    "Its constants c, here c_0, and C are not specified; whatever they are, it fails for a large v (note-e.3). That this is the chance is said on paper, "
    "in note-e.3; the machine compares both sides",
    cites=["note-e.3", "text-e.3-mean"],
    try_at=[{C: 1, rate: 1, deviation: 2}],
    fault="misprint",
    effect="The norm is that of the inverse root of the covariance, where the root itself belongs. Example 3.1 uses the right one, with "
    "beta_d; for that see lemma-e.3-corrected, supported.",
)
def deviation_of_a_trimmed_mean():
    """Tail of the deviation of the mean of normal rows, as printed."""
    return Le(erfc(1 / sqrt(2)), C * exp(1 - rate * deviation**4))


@claim(
    "note-e.3",
    place="Lemma E.3 in one dimension at alpha = 0, where the trimmed mean is the mean: of normal rows with "
    "standard deviation v it errs by t = v / n^(1/2) with the chance on the left, while c n t^2 v^2 is c v^4. "
    "Whatever the constant c of the lemma and the constant C in front, a large v is a counterexample",
    given=lambda: [rate * deviation**4 >= C + 3],
    proof=lambda: [
        step("the chance", Gt(erfc(1 / sqrt(2)), Rational(1, 4))),
        step("the exponent", Le(exp(1 - rate * deviation**4), exp(-2 - C))),
        step("as exp(C) is above C", Le(C * exp(-C), 1)),
        step("a number", Le(exp(Integer(-2)), Rational(1, 5))),
        step("both", Le(C * exp(-2 - C), Rational(1, 5))),
        step("the bound", Le(C * exp(1 - rate * deviation**4), Rational(1, 5))),
    ],
)
def deviation_of_a_mean_of_wide_rows():
    """Tail of the deviation of the mean of normal rows, against multiples of the bound."""
    return Gt(erfc(1 / sqrt(2)), C * exp(1 - rate * deviation**4))


@claim(
    "lemma-e.3-corrected",
    place="Lemma E.3, repaired, its trimmed mean, for any distribution of Condition 4 at alpha, t of at most r and n of at least d: S_m is the "
    "largest deviation of a projected trimmed mean, Q_n the largest error of a quantile between alpha and 1 - alpha. A trimmed mean is the mean of inner "
    "quantiles, which is the condition on each sample. For normal distributions M is a multiple of the inverse of the largest standard "
    "deviation (example-3.1.density)",
    corrects=["lemma-e.3"],
    why="The variance of a projection is that of Sigma, not of its inverse, and a trimmed mean is not linear in the direction.",
    using=["lemma-c.1-corrected", "note-tail-of-one"],
    without={
        "note-e.3": "it is about the print",
        "text-e.3-mean": "no sum of distances stands in the proof",
    },
    scope="Talagrand's inequality and the mean-value step are granted, by lemma-c.1-corrected, and in each sample that a trimmed mean errs by no more "
    "than the inner quantiles do",
    given=lambda: [
        distance <= radius,
        Every(sample, Le(OFF_MEAN(sample), ERROR(sample))),
        *quantiles(ERROR, distance),
    ],
    proof=lambda: in_one_of(at_least(OFF_MEAN, distance, "M"), at_least(ERROR, distance, "Q")),
)
def deviation_of_the_projected_trimmed_mean():
    """Tail of the projected deviation of the trimmed mean, repaired."""
    return Le(probability(P, at_least(OFF_MEAN, distance, "M")), tail_of_quantiles(distance))


@claim(
    "lemma-e.3-corrected-deviation",
    place="Lemma E.3, repaired, its trimmed mean absolute deviation: S_d is its largest deviation in any direction. Distances to a "
    "trimmed mean err by twice as much as quantiles at most, which is the condition on each sample",
    corrects=["lemma-e.3"],
    why="The variance of a projection is that of Sigma, not of its inverse; and the proof takes a sum that does not vanish.",
    using=[("lemma-c.1-corrected", lambda: {distance: distance / 2}), "note-tail-of-one"],
    without={
        "note-e.3": "it is about the print",
        "text-e.3-mean": "no sum of distances stands in the proof",
    },
    scope="Talagrand's inequality and the mean-value step are granted, by lemma-c.1-corrected, and in each sample that the trimmed deviation errs by at most "
    "twice as much as the inner quantiles do",
    given=lambda: [
        distance <= radius,
        Every(sample, Le(OFF_DEVIATION(sample), 2 * ERROR(sample))),
        *quantiles(ERROR, distance / 2),
    ],
    proof=lambda: in_one_of(
        at_least(OFF_DEVIATION, distance, "T"), at_least(ERROR, distance / 2, "B")
    ),
)
def deviation_of_the_projected_trimmed_deviation():
    """Tail of the projected deviation of the trimmed mean absolute deviation, repaired."""
    return Le(
        probability(P, at_least(OFF_DEVIATION, distance, "T")), tail_of_quantiles(distance / 2)
    )


@claim(
    "lemma-e.3-corrected-mean",
    place="Lemma E.3 in one dimension at alpha = 0, with the norm of the root; t in standard deviations of "
    "the mean, and 1/2 for its c",
    corrects=["lemma-e.3"],
    why="The variance of a projection is that of Sigma, not of its inverse.",
)
def deviation_of_a_mean():
    """Tail of the deviation of the mean of normal rows on the line, untrimmed, repaired."""
    return Le(erfc(level / sqrt(2)), 2 * exp(-(level**2) / 2))


@claim(
    "text-e.3-mean",
    place="Appendix E, proof of Lemma E.3, third line of its display: the mean of |Z|, by the variable Z^2 / 2",
    fault="error",
    effect="The sum then does not concentrate around 0, and the proof shows nothing; that the lemma holds "
    "with the right norm is plausible for a fixed alpha.",
)
def mean_of_a_folded_normal_as_printed():
    """Mean of the absolute value of a standard normal variable, as printed."""
    return Eq(2 / sqrt(2 * pi) * Integral(exp(-at), (at, 0, oo)), sqrt(2 * pi))


@claim(
    "text-e.3-mean-corrected",
    place="Appendix E, proof of Lemma E.3, third line of its display",
    corrects=["text-e.3-mean"],
    why="2 and pi stand in each other's place.",
)
def mean_of_a_folded_normal():
    """Mean of the absolute value of a standard normal variable, repaired."""
    return Eq(2 / sqrt(2 * pi) * Integral(exp(-at), (at, 0, oo)), sqrt(2 / pi))


# --- appendix F -----------------------------------------------------------------------------------


@claim(
    "theorem-f.1",
    place="Theorem F.1, which the text calls Lemma F.1; the dimension of the product and of the estimate, "
    "and delta for t in the last line, are misprints. Corollary F.2 is for privacy without a delta",
    cites=["corollary-f.2", "text-f.1-divergence", "text-f.1-packing", "note-f.1"],
)
def sample_size_for_cauchy_marginals():
    """Sample size that an error needs, for Cauchy marginals."""
    return Noted(
        "its constant is not specified, and it does not say whether delta is 0. With a delta of 1/2 it fails for a small epsilon, "
        "whatever the constant (note-f.1); without one it rests on a cited bound (theorem-f.1-corrected)"
    )


A = AnyEvent("A")
FIRST, SECOND, SECOND_NEXT = AnyDistribution("P_1"), AnyDistribution("P_2"), AnyDistribution("Q_2")


@claim(
    "note-f.1-private",
    place="Theorem F.1: a fair coin tells whether the first or the second half of the rows is used, and one row of the second half "
    "is replaced: for any distribution of the output of a half and any event A the release is (0, 1/2)-private. With the halves "
    "exchanged it is the same",
)
def privacy_of_half_of_the_rows():
    """Probability of an event of a release from half of the rows, for two neighbours."""
    here = probability(FIRST, A) / 2 + probability(SECOND, A) / 2
    there = probability(FIRST, A) / 2 + probability(SECOND_NEXT, A) / 2
    return Le(here, there + Rational(1, 2))


@claim(
    "note-f.1",
    place="Theorem F.1 with a delta of 1/2, d = 1: the median of three of six rows, which half is told by a coin, is (epsilon, 1/2)-private for "
    "every epsilon (note-f.1-private), and its mean error t is finite and the same at each location, about 1.07 by quadrature. Whatever the constant "
    "c_0 of the theorem, for a small epsilon six rows are fewer than it asks for",
    using=["note-f.1-private"],
    given=lambda: [level > 0, epsilon < rate / (6 * level)],
)
def rows_that_the_theorem_asks_for():
    """Number of rows that the theorem asks for, against six."""
    return Gt(rate / (level * epsilon), 6)


@claim(
    "theorem-f.1-corrected",
    place="Theorem F.1 for privacy without a delta, with a constant: M is the number of distributions of the packing of its proof, 4 alpha times "
    "one of the unit ball, so that they are alpha apart at least, and alpha = 3 t. N is the least number of rows for which an estimate errs by t; the last "
    "condition is Corollary F.2, with its constant c_0, beta of text-f.1-divergence and text-f.1-packing, and gamma by "
    "Pinsker's inequality",
    corrects=["theorem-f.1"],
    why="With a delta a release from half of the rows needs no more of them for a small epsilon.",
    without={
        "corollary-f.2": "its conclusion is the last condition",
        "text-f.1-divergence": "beta is its bound, by text-f.1-packing",
        "text-f.1-packing": "beta is its bound",
        "note-f.1": "it is about the print",
    },
    scope="Corollary F.2 is granted, which is cited, and that a packing of 2^d points exists",
    given=lambda: [
        level > 0,
        Eq(alpha_0, 3 * level),
        packed >= 2**d,
        needed >= rate * log(packed) * Max(1 / largest_divergence(), 1 / (variation() * epsilon)),
    ],
    proof=lambda: [
        step("distributions", Ge(log(packed), d * log(2))),
        step("the divergence", Eq(largest_divergence(), 144 * level**2)),
        step("a root", Eq(variation(), 6 * sqrt(2) * level)),
        step("a number", Le(6 * sqrt(2), 144)),
        step(
            "each",
            [
                Ge(1 / largest_divergence(), 1 / (144 * level**2)),
                Ge(1 / (variation() * epsilon), 1 / (144 * level * epsilon)),
            ],
        ),
        step(
            "rows",
            [
                Ge(needed, rate * log(packed) / (144 * level**2)),
                Ge(needed, rate * log(packed) / (144 * level * epsilon)),
            ],
        ),
    ],
)
def sample_size_for_cauchy_marginals_without_a_delta():
    """Sample size that an error needs under pure privacy, for Cauchy marginals."""
    return [
        Ge(needed, rate * log(2) / 144 * (d / level**2)),
        Ge(needed, rate * log(2) / 144 * (d / (level * epsilon))),
    ]


def largest_divergence():
    """Largest divergence of two distributions of the packing."""
    return 16 * alpha_0**2


def variation():
    """Their largest distance in total variation, by Pinsker's inequality."""
    return sqrt(largest_divergence() / 2)


@claim("corollary-f.2", place="Corollary F.2, cited from Acharya, Sun, Zhang (2021), Corollary 4")
def private_fano():
    """Sample size that separated distributions need under privacy."""
    return Noted("cited")


@claim(
    "text-f.1-divergence",
    place="Appendix F, its last display, coordinate by coordinate: p is the difference of two coordinates",
)
def divergence_of_cauchy_distributions_bounded():
    """Divergence of two Cauchy distributions, bounded by a square."""
    return Le(log(1 + Abs(point) ** 2 / 4), point**2 / 4)


@claim(
    "text-f.1-packing",
    place="Appendix F, its last display: the squared distance over 4, of parameters at distance at most "
    "8 alpha",
    given=lambda: [level <= 8 * alpha_0],
)
def divergence_within_the_packing():
    """Divergence of two distributions of the packing."""
    return Le(level**2 / 4, 16 * alpha_0**2)
