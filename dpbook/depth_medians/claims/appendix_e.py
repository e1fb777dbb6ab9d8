"""Appendices E and F: how location and scale concentrate; a lower bound for Cauchy distributions."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integer,
    Integral,
    Le,
    Max,
    Min,
    Rational,
    Sum,
    erfc,
    exp,
    log,
    oo,
    pi,
    sqrt,
)

from dpbook import Every, Exists, Noted, claim, step
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
    centre,
    crossing,
    d,
    density,
    deviation,
    distance,
    epsilon,
    index,
    level,
    location,
    n,
    needed,
    other_point,
    packed,
    point,
    population,
    radius,
    rate,
    sample,
    trimmed,
    truth,
    value,
    x_1,
    x_2,
    x_3,
)
from dpbook.depth_medians.samples import AnySize
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent, AnyScore
from dpbook.privacy.statements import probability

# --- lemma E.1 and E.2 ----------------------------------------------------------------------------


OFF = AnySize("S_n")  # largest deviation of a projected median
OFF_MEAN, OFF_DEVIATION = AnySize("S_m"), AnySize("S_d")  # of trimmed mean and deviation


@claim(
    "lemma-e.1",
    place="Lemma E.1 for the distribution of note-e.1, one row on the line and M = 1/10: on the left the chance that it errs by t, on the right the bound, C for "
    "both of its constants. They are not specified; whatever they are, it fails for all large t (note-e.1). "
    "With more rows the chance still falls like a power of t only. The statement is that there are such constants. For all constants it fails where the conditions hold, and they do for all large t (note-e.1)",
    cites=["lemma-c.1", "note-e.1"],
    given=lambda: [C * (1 + level) < 1 + level**2 / 50],
    try_at=[{C: 1, level: 101}],
    fault="error",
    scope="both sides, which the machine compares: the chance is note-e.1-law; that the distribution meets Condition 4 is said on paper, in note-e.1",
    effect="Condition 4 is about densities within r of the median only: for t of at most r it is Lemma C.1 at one quantile "
    "(lemma-e.1-corrected, supported).",
)
def deviation_of_projected_medians():
    """Tail of the projected deviation of the median, as printed."""
    return Exists(Le(1 / (1 + level), C * exp(-2 * Rational(1, 10) ** 2 * level**2)), {C: 1})


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
    cites=["lemma-c.1", "note-e.2-vacuous"],
)
def deviation_of_projected_mads():
    """Tail of the projected deviation of MAD."""
    return Noted(
        "no distribution meets its hypotheses (note-e.2-vacuous), so it is true and says nothing of any distribution. Without the one "
        "on r, and for a t that is small enough, there is lemma-e.2-corrected, supported"
    )


@claim(
    "eq-e.1",
    place="eq. E.1, its last step: mu_0 and mu are the medians of the population and the sample, p and p_2 the population's quantiles of orders q_u and q-hat_u, and h the sample's quantile of the order q-hat_u",
    scope="the last step, by the triangle inequality, in one direction",
)
def error_of_mad_by_quantiles():
    """Error of MAD, by the errors of two quantiles and the change of an order."""
    return Le(
        Abs((population - point) - (location - truth)),
        Abs(population - location) + Abs(other_point - point) + Abs(other_point - truth),
    )


@claim(
    "eq-e.2",
    place="eq. E.2, its step: as eq-e.1, on the other side of the median",
    scope="the last step, by the triangle inequality, in one direction",
)
def error_of_mad_by_quantiles_on_the_other_side():
    """Error of MAD, by quantiles on the other side of the median."""
    return Le(
        Abs((point - population) - (truth - location)),
        Abs(population - location) + Abs(other_point - point) + Abs(other_point - truth),
    )


@claim(
    "eq-e.3",
    place="eq. E.3 for n of at least d: Lemma C.1 at t = 1 / (3 M), c_0 for c; Q_n is the largest error of a projected quantile of order w or 1/2. The hypotheses of Lemma E.2 beside it are met by no distribution (note-e.2-vacuous); these are",
    cites=["lemma-c.1"],
    using=[("lemma-c.1-corrected", lambda: {distance: 1 / (3 * density)})],
    without={"lemma-c.1": "lemma-c.1-corrected is its repair"},
    scope="for n of at least d, where the print has all n; Talagrand's inequality and the mean-value step are granted, by lemma-c.1-corrected",
    given=lambda: quantiles(ERROR, 1 / (3 * density)),
    proof=lambda: [
        step("the exponent", Eq(tail_of_quantiles(1 / (3 * density)), bound_of_e_3())),
    ],
)
def error_of_two_quantiles():
    """Chance that one of two projected quantiles errs by much."""
    return Le(probability(P, at_least(ERROR, 1 / (3 * density), "Q")), bound_of_e_3())


def bound_of_e_3():
    """Return the bound of eq. E.3."""
    return (rate * n / d) ** d * exp(-2 * n / 9)


@claim("eq-e.4", place="eq. E.4")
def two_chances_to_be_bounded():
    """Chances that the sample's median is beyond two points."""
    return Noted("names two probabilities, which the lines below bound")


@claim("eq-e.6", place="eq. E.6", cites=["lemma-e.2"])
def change_of_an_order_by_errors_of_quantiles():
    """Event that a quantile's order is off, in the event of an error of a quantile."""
    return Noted(
        "an inclusion of events in the proof of a lemma whose hypotheses no distribution meets (note-e.2-vacuous)"
    )


@claim(
    "eq-e.7",
    place="eq. E.7, which is eq. E.6 once more; a tilde is meant in place of the hat",
    cites=["lemma-e.2"],
)
def change_of_the_other_order_by_errors_of_quantiles():
    """Event that the other quantile's order is off, in the event of an error of a quantile."""
    return Noted(
        "an inclusion of events in the proof of a lemma whose hypotheses no distribution meets (note-e.2-vacuous)"
    )


@claim(
    "text-e.3-inclusion",
    place="Appendix E, the display after eq. E.3, its second inclusion, at the lower ends: p_2 and p are the quantiles of orders w and q', where w is above q'",
    given=lambda: [point <= other_point],
    try_at=[{point: 0, other_point: 0, density: 1}],
    fault="error",
    effect="The inclusion is the other way round, so that the interval of the sample need not hold that of the quantile q' (text-e.3-inclusion-corrected); lemma-e.2-corrected, which is supported, goes another way.",
)
def ends_of_an_interval_as_printed():
    """Lower ends of two intervals, as printed."""
    return Le(other_point + 1 / (3 * density), point)


@claim(
    "text-e.3-inclusion-corrected",
    place="Appendix E, the display after eq. E.3, its second inclusion, at the lower ends",
    corrects=["text-e.3-inclusion"],
    why="The quantile of order w is above that of order q'.",
    given=lambda: [point <= other_point],
)
def ends_of_an_interval():
    """Lower ends of two intervals, repaired."""
    return Ge(other_point + 1 / (3 * density), point)


@claim(
    "eq-e.5",
    place="eq. E.5 and the two lines before it, against eq. E.3, whose bound they are to hold: without the power of c n / d, where M / 3 is the lesser of two",
    cites=["lemma-e.2"],
    try_at=[{n: 1, density: 2}],
    fault="misprint",
    effect="1 / (3 M) belongs in place of M / 3; the last display and the lemma have it right.",
)
def bound_on_orders_as_printed():
    """Bound of eq. E.3, against the bound of eq. E.5, as printed."""
    return Le(exp(-2 * n / 9), exp(-2 * n * density**2 * (density / 3) ** 2))


@claim(
    "eq-e.5-corrected",
    place="eq. E.5 with 1 / (3 M)",
    corrects=["eq-e.5"],
    why="Eq. E.3 is about an error of 1 / (3 M).",
)
def bound_on_orders():
    """Bound of eq. E.3, against the bound of eq. E.5, repaired."""
    return Le(exp(-2 * n / 9), exp(-2 * n * density**2 * (1 / (3 * density)) ** 2))


@claim(
    "note-e.2-vacuous",
    place="Lemma E.2, its hypotheses: a density of at least M over a length r below the quantile q' has "
    "mass at most q', and r >= 1 / (3 M). The quantile q_u at median - MAD is 1/2 - q_u in the opposite "
    "direction, so the infimum over u is at most the lesser of the two; q' should be below it. That the print means 1 / (3 M) is seen in eq. E.3, where the bound "
    "exp(-2 n / 9) is that of Lemma C.1 at this distance",
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
    corrects=["lemma-e.2", "example-3.2.quantile"],
    why="A density of at least M over the length 1 / (3 M) has a mass of 1/3, and q' is to be below 1/4.",
    using=[("lemma-c.1-corrected", lambda: {distance: distance / 2}), "note-tail-of-one"],
    without={
        "lemma-c.1": "lemma-c.1-corrected is its repair",
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
    place="Lemma E.3 for the distribution of note-e.3: on the left a number below the chance that the mean errs by one standard deviation of its own, "
    "on the right C times the bound. Its constants c, here c_0, and C are not specified; whatever they are, it fails for a large v (note-e.3). "
    "The statement is that there are such constants. For all constants it fails where the condition holds, and it does for all large v (note-e.3)",
    scope="both sides, which the machine compares; that the chance is above the left side is said on paper, in note-e.3",
    cites=["note-e.3", "text-e.3-mean"],
    given=lambda: [C * exp(1 - rate * deviation**4) < Rational(1, 4)],
    try_at=[{C: 1, rate: 1, deviation: 2}],
    fault="misprint",
    effect="The norm is that of the inverse root of the covariance, where the root itself belongs. Example 3.1 uses the right one, with "
    "beta_d; for that see lemma-e.3-corrected, supported.",
)
def deviation_of_a_trimmed_mean():
    """Tail of the deviation of the mean of normal rows, as printed."""
    return Exists(Le(Rational(1, 4), C * exp(1 - rate * deviation**4)), {C: 1, rate: 1})


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
    corrects=["lemma-e.3", "eq-e.8", "eq-e.8.dimension", "text-e.3-linear"],
    why="The variance of a projection is that of Sigma, not of its inverse, a trimmed mean is not linear in the direction, and the constant and the term d are missing.",
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
    "eq-e.8",
    place="eq. E.8 for two independent standard normal coordinates, one row and alpha = 0: on the left the chance that the row is at least t from the origin, which is exp(-t^2 / 2), on the right C times the bound. For each C a t at which it fails",
    cites=["lemma-e.3"],
    given=lambda: [Eq(level**2, 2 * C)],
    try_at=[{C: 2, level: 2}],
    fault="misprint",
    scope="both sides, which the machine compares: that a row of two standard normal coordinates is at least t from the origin with the chance on the left is said on paper",
    effect="The constant c of the lemma is missing in its exponent, and the term d is (eq-e.8.dimension).",
)
def tail_of_a_trimmed_mean_as_printed():
    """Tail of the norm of a normal row, as printed."""
    return Exists(Le(exp(-(level**2) / 2), C * exp(-(level**2))), {C: 1})


@claim(
    "eq-e.8.dimension",
    place="eq. E.8 with a constant c, here c_0, in its exponent, for d independent standard normal coordinates, one row, alpha = 0 and t^2 = d / 4: the square of the norm has the mean d and the variance 2 d, so by Chebyshev's inequality it is at least d / 4 with the chance on "
    "the left at least. Whatever the constants, it fails in many dimensions",
    cites=["lemma-e.3"],
    given=lambda: [d >= 16, C * exp(-rate * d / 4) < Rational(1, 2)],
    try_at=[{C: 1, rate: 1, d: 16}],
    fault="misprint",
    scope="both sides, which the machine compares: that the chance is at least the left side is said on paper",
    effect="The term d is missing, which the lemma has.",
)
def tail_of_a_trimmed_mean_in_many_dimensions_as_printed():
    """Tail of the norm of a normal row in many dimensions, as printed."""
    return Exists(Le(1 - 4 / d, C * exp(-rate * d / 4)), {C: 1, rate: 1})


def middle_of_three(first, second, third):
    """Return the middle one of three numbers, their trimmed mean where one is cut off each end."""
    return Max(Min(first, second), Min(Max(first, second), third))


@claim(
    "text-e.3-linear",
    place="eq. E.8, its first step, for three rows in the plane with one cut off each end: x_1, x_2 and x_3 are the first coordinates, in order, and y, p and p_2 the second ones. The trimmed mean of the sums of both, in the direction (1, 1), is to be the sum of the trimmed means",
    cites=["lemma-e.3"],
    try_at=[{x_1: 0, x_2: 1, x_3: 5, value: 5, point: 0, other_point: 1}],
    fault="error",
    effect="Which rows are cut off changes with the direction, so the largest deviation is not the norm of a vector. lemma-e.3-corrected, which is supported, goes by quantiles.",
)
def trimmed_mean_of_sums_as_printed():
    """Trimmed mean of sums of coordinates, as printed."""
    sums = middle_of_three(x_1 + value, x_2 + point, x_3 + other_point)
    return Eq(sums, x_2 + middle_of_three(value, point, other_point))


@claim("eq-e.9", place="eq. E.9: eq. E.8 once more", cites=["eq-e.8"])
def tail_of_the_second_part():
    """Tail of the second part of the deviation."""
    return Noted("an instance of eq-e.8, which is refuted as printed")


@claim(
    "text-e.3-mean",
    place="Appendix E, proof of Lemma E.3, third line of its display: the mean of |Z|, by the variable Z^2 / 2",
    fault="error",
    effect="The sum then does not concentrate around 0, and the proof shows nothing. Whether the lemma holds "
    "with the right norm is open; for small t there is lemma-e.3-corrected, supported.",
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


@claim(
    "text-e.3-sum",
    place="Appendix E, proof of Lemma E.3, the step to the third line of its display, for two rows: p and p_2 are distances from the trimmed mean, c is their mean in the population. The size of a mean is to be the mean of the sizes",
    try_at=[{point: 2, other_point: 0, centre: 1}],
    fault="error",
    effect="The first is at most the second (text-e.3-sum-corrected), which does not become small as n grows, so the proof shows nothing.",
)
def size_of_a_mean_as_printed():
    """Size of a mean of differences, as printed."""
    return Eq(
        Abs((point + other_point) / 2 - centre),
        (Abs(point - centre) + Abs(other_point - centre)) / 2,
    )


LENGTHS = AnyScore("p", n)  # distances of the rows from the trimmed mean


@claim(
    "text-e.3-sum-corrected",
    place="Appendix E, proof of Lemma E.3, the step to the third line of its display, repaired, for any number of rows: p_i are their distances from the trimmed mean",
    corrects=["text-e.3-sum"],
    why="Differences of both signs cancel.",
    proof=lambda: [
        step("from above", Le(Sum(LENGTHS(index) - centre, (index, 1, n)), sizes())),
        step("from below", Ge(Sum(LENGTHS(index) - centre, (index, 1, n)), -sizes())),
        step(
            "the mean",
            Eq(
                Sum(LENGTHS(index), (index, 1, n)) / n - centre,
                Sum(LENGTHS(index) - centre, (index, 1, n)) / n,
            ),
        ),
    ],
)
def size_of_a_mean():
    """Size of a mean of differences, repaired."""
    return Le(Abs(Sum(LENGTHS(index), (index, 1, n)) / n - centre), sizes() / n)


def sizes():
    """Return the sum of the sizes of the differences."""
    return Sum(Abs(LENGTHS(index) - centre), (index, 1, n))


# --- appendix F -----------------------------------------------------------------------------------


@claim("eq-f.1", place="eq. F.1; the estimates are of points of R^d, where it has R")
def least_error_of_private_estimates():
    """Least error of private estimates."""
    return Noted(
        "a definition: the infimum over private estimates of their largest mean error, which is to be at most t"
    )


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
    """Return the largest divergence of two distributions of the packing."""
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
    scope="the bound of the logarithm, coordinate by coordinate: that the divergence of two Cauchy distributions is this logarithm is granted",
)
def divergence_of_cauchy_distributions_bounded():
    """Divergence of two Cauchy distributions, bounded by a square."""
    return Le(log(1 + Abs(point) ** 2 / 4), point**2 / 4)


@claim(
    "text-f.1-packing",
    place="Appendix F, its last display: the squared distance over 4, of parameters at distance at most "
    "8 alpha",
    given=lambda: [level <= 8 * alpha_0],
    scope="the last step: that a quarter of the squared distance bounds the divergence is text-f.1-divergence",
)
def divergence_within_the_packing():
    """Divergence of two distributions of the packing."""
    return Le(level**2 / 4, 16 * alpha_0**2)
