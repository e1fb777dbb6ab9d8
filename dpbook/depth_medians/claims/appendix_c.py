"""Appendix C: projected quantiles and spacings."""

import numpy as np
from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integer,
    Integral,
    Lambda,
    Le,
    Lt,
    Max,
    Min,
    Rational,
    erfc,
    exp,
    log,
    oo,
    sqrt,
)

from dpbook import Either, Every, Exists, Noted, Statistical, as_tree, claim, step
from dpbook.depth_medians.notation import (
    C,
    at,
    d,
    density,
    distance,
    event_next,
    excess,
    factor_above,
    factor_beside,
    first_row,
    first_row_next,
    fraction,
    index,
    inner_rank,
    k,
    kept,
    level,
    location,
    lost,
    mad,
    mad_next,
    margin,
    n,
    order,
    other_location,
    other_point,
    other_quantile,
    point,
    radius,
    rank,
    rate,
    risen,
    sample,
    scale,
    shift,
    trimmed,
    value,
    widest,
    x_1,
    x_2,
    x_3,
    x_4,
)
from dpbook.depth_medians.samples import AnyOrdered, AnySize, Where
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent
from dpbook.privacy.notation import at as x
from dpbook.privacy.statements import probability

P = AnyDistribution("P")  # of the sample
ERROR = AnySize("Q_n")  # largest error of a projected quantile between two orders
DISTANCE = AnySize("D_n")  # largest distance of the projected distribution functions


def at_least(function, number, name):
    """Return the event that a function of the sample is at least a number."""
    return Where(name, sample, function(sample), ">=", number)


def in_each(*parts):
    """State that one of some relations holds in each sample."""
    return Every(sample, Either(tuple(map(as_tree, parts))))


def in_one_of(event, *others):
    """Return the step that an event happens only where one of some others happens."""
    found = others[0].indicator(sample)
    for other in others[1:]:
        found = found + other.indicator(sample)
    return [step("in each sample", Every(sample, Le(event.indicator(sample), found)))]


FIRST, SECOND, THIRD = AnySize("F_1"), AnySize("F_2"), AnySize("F_3")  # any functions of a sample
LARGE, CAUSE = at_least(FIRST, distance, "L"), at_least(SECOND, value, "C_1")
OTHER_CAUSE = at_least(THIRD, radius, "C_2")


@claim(
    "note-tail-of-one",
    place="used in Lemmas C.1 to C.5, E.1 and E.3, for any functions of the sample: one is large only where another is; a number "
    "stands for the bound",
    given=lambda: [
        in_each(Lt(FIRST(sample), distance), Ge(SECOND(sample), value)),
        Le(probability(P, CAUSE), factor_above),
    ],
    proof=lambda: in_one_of(LARGE, CAUSE),
)
def tail_by_another_one():
    """Chance that a function of the sample is large, by the chance for another function."""
    return Le(probability(P, LARGE), factor_above)


@claim(
    "note-tail-of-two",
    place="used in Lemma C.2, for any functions of the sample: one is large only where one of two others is; numbers stand for the "
    "bounds",
    given=lambda: [
        in_each(Lt(FIRST(sample), distance), Ge(SECOND(sample), value), Ge(THIRD(sample), radius)),
        Le(probability(P, CAUSE), factor_above),
        Le(probability(P, OTHER_CAUSE), factor_beside),
    ],
    proof=lambda: in_one_of(LARGE, CAUSE, OTHER_CAUSE),
)
def tail_by_two_others():
    """Chance that a function of the sample is large, by the chances for two others."""
    return Le(probability(P, LARGE), factor_above + factor_beside)


@claim(
    "lemma-c.1",
    place="Lemma C.1 for the distribution of note-c.1, one row: on the left a number that the chance is above, on the right (c n / d)^d, which is more "
    "than the bound of the lemma. c, here c_0, is universal but not specified; whatever it is, it fails in many dimensions (note-c.1). The "
    "statement is that there is such a constant. For all constants it fails where the condition holds, and it does in many dimensions (note-c.1)",
    scope="both sides, which the machine compares; that the row errs by 1 with such a chance is said on paper, in note-c.1",
    cites=["note-talagrand", "note-c.1"],
    given=lambda: [(rate / d) ** d < Rational(1, 4)],
    try_at=[{rate: 1, d: 4}],
    fault="boundary",
    effect="For n of at least d it follows where Talagrand's inequality is granted (lemma-c.1-corrected, supported).",
)
def projected_quantiles():
    """Tail of the error of projected quantiles, as printed."""
    return Exists(Le(Rational(1, 4), (rate / d) ** d), {rate: 1})


def farthest_functions(rng, rows, directions, size):
    """Largest distance of the projected distribution functions of normal rows, for each of some samples."""
    from scipy.special import erfc as erfc_of_an_array  # only here: the topic loads without SciPy

    found = []
    for _ in range(size):
        projected = np.sort(rng.standard_normal((rows, directions.shape[1])) @ directions.T, axis=0)
        masses = erfc_of_an_array(-projected / np.sqrt(2)) / 2
        after = np.arange(1, rows + 1)[:, None] / rows
        found.append(max(np.max(after - masses), np.max(masses - after + 1 / rows)))
    return np.array(found)


def chance_of_distances(rng, size, rows=40, exponent=2.0):
    """P-value of as many large distances as are found, against (n / (2 d))^d exp(-2 n x^2)."""
    p_value = 1.0
    for dimension, many in ((1, 1), (2, 100), (3, 200)):
        directions = rng.standard_normal((many, dimension))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        distances = farthest_functions(rng, rows, directions, size)
        for bound in (0.5, 0.1, 0.02):
            square = (dimension * np.log(rows / (2 * dimension)) - np.log(bound)) / rows / exponent
            count = int(np.sum(distances >= np.sqrt(square)))
            p_value = min(p_value, tail_of_a_count(count / size, bound, size))
    return p_value


def tail_of_a_count(share, chance, size):
    """Chernoff's bound of the chance that so large a share of some trials succeeds."""
    if share <= chance:
        return 1.0
    left = (1 - share) * np.log((1 - share) / (1 - chance)) if share < 1 else 0.0
    return float(np.exp(-size * (share * np.log(share / chance) + left)))


PROJECTED = AnyDistribution("nu_u")  # of a record in a direction


def mass_between():
    """Mass of the projected distribution between two numbers."""
    return Integral(PROJECTED.density(x), (x, x_1, x_2))


def dense_between():
    """State that the projected density is at least M between two numbers."""
    return [
        Ge(mass_between(), 0),
        Every(x, Ge(PROJECTED.density(x), density), [Ge(x, x_1), Le(x, x_2)]),
    ]


def least_mass():
    """Return the steps that compare the density with a constant one."""
    return [
        step("a constant density", Eq(Integral(density, (x, x_1, x_2)), density * (x_2 - x_1))),
        step("the larger density", Ge(mass_between(), Integral(density, (x, x_1, x_2)))),
    ]


def a_laplace_density():
    """Return a distribution that has a density of at least 1/10 between two numbers."""
    return {
        PROJECTED.density(x).function: Lambda((x,), exp(-Abs(x)) / 2),
        x_1: Integer(0),
        x_2: Integer(1),
        density: Rational(1, 10),
    }


@claim(
    "text-c.1-slope",
    place="Appendix C, proof of Lemma C.1, the inclusion by the mean-value theorem, for one row in one dimension, which is t or -t, and the "
    "median of a distribution with the density 25 between 1 and 101/100, 1/4 between 0 and 1, and the same below 0: on the left the largest distance of the "
    "distribution functions, on the right t times the density at t",
    given=[Gt(distance, 1), Lt(distance, Rational(101, 100))],
    try_at=[{distance: Rational(201, 200)}],
    fault="misprint",
    effect="None: the next display has the least density between, with which the inclusion holds (text-c.1-slope-corrected).",
)
def mass_by_the_density_at_its_end_as_printed():
    """Distance of distribution functions where a median errs, and the density there, as printed."""
    return Ge(Rational(3, 4) + 25 * (distance - 1), distance * 25)


@claim(
    "text-c.1-slope-corrected",
    place="Appendix C, proof of Lemma C.1, both inclusions by the mean-value theorem, for any projected distribution with a density: one of x_1 and x_2 is its "
    "quantile, the other is t above or below it, and the density is at least M between, as lambda of the lemma is. Where the sample's quantile is beyond the other, the distribution functions differ there by at "
    "least the mass between",
    corrects=["text-c.1-slope"],
    why="The mean-value theorem has the density at a point between, which may be less than at the end.",
    given=dense_between,
    proof=least_mass,
    example=a_laplace_density,
)
def mass_by_the_least_density():
    """Mass between a quantile and a number at a distance t of it, and t times the least density, repaired."""
    return Ge(mass_between(), density * (x_2 - x_1))


@claim(
    "note-talagrand",
    place="Appendix C, proof of Lemma C.1, cited from Talagrand (1994): the largest distance of the projected distribution "
    "functions is at least x with a chance of at most (c n / d)^d exp(-2 n x^2), for n of at least d and a constant c that is not specified. In "
    "one dimension it follows from the inequality of Dvoretzky, Kiefer and Wolfowitz, with the constant of Massart (1990)",
    scope="tried with c = 1/2 for samples of 40 normal rows in one, two and three dimensions, over up to 200 directions",
)
def distance_of_distribution_functions():
    """Tail of the distance of projected distribution functions."""
    return Statistical(
        chance_of_distances,
        "distances of projected distribution functions against Talagrand's bound, normal samples",
        size=1500,
    )


@claim(
    "note-c.1",
    place="Lemma C.1 as printed, for one row of d independent standard normal coordinates, q_1 = q_2 = 1/2 and t = 1: the "
    "projected medians are 0, the row is at least 1 from the origin where its first coordinate is, which has the chance "
    "on the left; the exponential of the lemma is at most 1",
    given=lambda: [d >= 4 * rate],
    proof=lambda: [
        step("the chance", Gt(erfc(1 / sqrt(2)), Rational(1, 4))),
        step("the base", Le(rate / d, Rational(1, 4))),
        step("its power", Le((rate / d) ** d, Rational(1, 4))),
    ],
)
def error_of_the_median_of_one_row():
    """Chance that a row is far from the centre, against the bound for many dimensions."""
    return Gt(erfc(1 / sqrt(2)), (rate / d) ** d)


def tail_of_quantiles(size):
    """Return the bound of Lemma C.1, for projected densities of at least M."""
    return (rate * n / d) ** d * exp(-2 * n * size**2 * density**2)


def quantiles(error, size):
    """Lemma C.1's step in each sample, and Talagrand's inequality."""
    far = at_least(DISTANCE, size * density, "D")
    return [
        n >= d,
        in_each(Lt(error(sample), size), Ge(DISTANCE(sample), size * density)),
        Le(probability(P, far), tail_of_quantiles(size)),
    ]


@claim(
    "lemma-c.1-corrected",
    place="Lemma C.1 for n of at least d and any distribution of the data, c_0 for c, M for lambda; Q_n is the largest error of a "
    "projected quantile, D_n the largest distance of the projected distribution functions. Where a quantile errs by t, "
    "so do they by the mass of an interval of that length, which is the first condition on samples",
    corrects=["lemma-c.1"],
    why="For one row and many dimensions the bound is less than the chance.",
    using=["note-tail-of-one"],
    without={"note-talagrand": "its conclusion is the last condition"},
    scope="Talagrand's inequality is granted (note-talagrand), and so is, in each sample, that some distribution function is off by at least M t where a quantile "
    "errs by t; in each direction and at each order it is (text-c.1-slope-corrected)",
    given=lambda: quantiles(ERROR, distance),
    proof=lambda: in_one_of(
        at_least(ERROR, distance, "Q"), at_least(DISTANCE, distance * density, "D")
    ),
)
def projected_quantiles_of_enough_rows():
    """Tail of the error of projected quantiles, repaired."""
    return Le(probability(P, at_least(ERROR, distance, "Q")), tail_of_quantiles(distance))


WIDE_DENSITY = Rational(1, 300)
WIDE_POINT = {C: 1, rate: 1, d: 240, level: 40000}  # where all bounds are below the chance


def chance_of_wide_rows():
    """Return half of the chance that all of the 60 rows of note-wide-rows are wide."""
    return Rational(1, 10) ** 60 / 2


def kappa_of_wide_rows():
    """kappa_n for the 60 rows of note-wide-rows."""
    return exp(-60 * 1**2 * WIDE_DENSITY**2 + d * log(rate * 60 / d))


@claim(
    "note-wide-multiple",
    place="used by note-wide-rows",
    given=lambda: [factor_above <= exp(-C - excess)],
    proof=lambda: [
        step("as exp(C) is above C", Le(C * exp(-C), 1)),
        step("times C", Le(C * factor_above, C * exp(-C - excess))),
        step("one exponential", Eq(exp(-C - excess), exp(-C) * exp(-excess))),
        step("so", Le(C * exp(-C) * exp(-excess), exp(-excess))),
    ],
)
def multiple_of_a_small_number():
    """Multiple of a number that is small enough."""
    return Le(C * factor_above, exp(-excess))


@claim("note-wide-chance", place="used with note-wide-rows, at z = 150")
def chance_of_wide_rows_against_a_power():
    """Half of the chance that 60 rows are wide, against a small number."""
    return Gt(chance_of_wide_rows(), 62 * exp(Integer(-150)))


@claim(
    "note-wide-rows",
    place="Lemmas C.2 to C.5 and Theorem 3.6 as printed, for 60 rows in d dimensions. A row is standard normal with probability 9/10, and L times that "
    "with probability 1/10, for an L of at least 1. Between its quantiles of orders 3/40 and 37/40, and within r = 1 of these, which is from -3 to 3, its projected density is at "
    "least 9/10 of the normal one at 3, which is above M = 1/300, whatever L is. In 60 dimensions or more the rows are linearly independent, "
    "so in some direction 30 of them are projected on 0 and the others on one number, which is in proportion to L where all rows are wide. One of the former moved to the other "
    "place, or half way to it, moves MED or MAD by that number or its half; with 15 on 0 it moves the interquartile range. So with at least half of the chance that all rows are wide, "
    "for a large L, a spacing and all three sensitivities are at least t. The bounds of the print are multiples of these two exponentials, which are small enough for any constants where d and t are large (note-wide-multiple, note-wide-chance)",
    given=lambda: [d >= 240 * rate, level >= 40 * (3 * d + C + excess)],
    proof=lambda: [
        step("the base", Le(rate * 60 / d, Rational(1, 4))),
        step("a logarithm", Le(log(9), 3)),
        step("the exponent", Le(d * log(9) - level / 40, -C - excess)),
    ],
)
def bounds_for_wide_rows():
    """Exponentials in the bounds for wide rows."""
    return [
        Le((rate * 60 / d) ** d, Rational(1, 4) ** d),
        Le(exp(d * log(9) - level / 40), exp(-C - excess)),
    ]


def moved_of_wide_rows(share, terms):
    """Return the second term of such a bound."""
    return exp(-share * WIDE_DENSITY * 60 * level + d * log(9) + log(terms))


def spacings_of_wide_rows(share, terms):
    """Return the bound of a lemma of Appendix C for the 60 rows, n t for its C."""
    return C * (kappa_of_wide_rows() + moved_of_wide_rows(share, terms))


def wide_rows_as_printed(share, terms):
    """State that the bound holds of the 60 rows for some constants."""
    return Exists(Le(chance_of_wide_rows(), spacings_of_wide_rows(share, terms)), {C: 1, rate: 1})


def both_terms_are_small(share, terms):
    """d and t are so large that both terms are small."""
    return [
        C * kappa_of_wide_rows() < chance_of_wide_rows() / 4,
        C * moved_of_wide_rows(share, terms) < chance_of_wide_rows() / 4,
    ]


@claim(
    "lemma-c.2",
    place="Lemma C.2 for the 60 rows of note-wide-rows, q = 1/8, k = 1 and n t for its C: on the left what the chance of such a spacing is at least. "
    "The constants C and c, here c_0, are universal but not specified; whatever they are, it fails for all large d and t. For n of at least d "
    "what is shown is that its proof fails: the net serves for a fixed pair of rows, and which rows are adjacent changes with the direction. In d "
    "= 2 the largest gap over all directions exceeds 4/3 of that over a net in most samples that were tried. The statement is that there are such "
    "constants. For all constants it fails where the conditions hold, and they do for all large d and t (note-wide-rows)",
    scope="both sides, which the machine compares; that the chance is at least the left side, and that the rows meet the conditions, is shown on paper, in "
    "note-wide-rows",
    cites=["lemma-c.1", "eq-c.6", "text-c.2-spacing", "note-wide-rows"],
    given=lambda: both_terms_are_small(Rational(3, 4), 60 * Rational(3, 4) + 1),
    try_at=[WIDE_POINT],
    fault="boundary",
    effect="For n of at least d a larger bound follows where Talagrand's inequality and the epsilon-net are granted (lemma-c.2-corrected, supported), and Theorem 3.6 has a larger a_1. In one dimension "
    "its steps are eq-c.6 and text-c.2-spacing.",
)
def projected_spacings():
    """Tail of the largest projected spacing, as printed."""
    return wide_rows_as_printed(Rational(3, 4), 60 * Rational(3, 4) + 1)


@claim(
    "note-epsilon-net",
    place="used in lemma-c.2-corrected, from Haussler and Welzl (1987) and Blumer, Ehrenfeucht, Haussler and Warmuth (1989), "
    "Theorem A2.1: n rows, x n of at least 8, miss a slab, which is where two half-spaces meet, of mass x with a chance of at most 2 (2 e n / (d + 1))^(2 (d + 1)) 2^(-x n / 2). In one "
    "dimension, v_0 for x: one of the n + 1 spacings of uniform variables has at least that length, each with the chance (1 - x)^n",
    scope="one dimension; for others it is cited",
    given=lambda: [fraction < 1, n * fraction >= 8],
    proof=lambda: [
        step("1 - x", Le(1 - fraction, exp(-fraction))),
        step("its power", Le((1 - fraction) ** n, exp(-fraction) ** n)),
        step("one exponential", Eq(exp(-fraction) ** n, exp(-n * fraction))),
        step(
            "a power of 2",
            Eq(Rational(1, 2) ** (fraction * n / 2), exp(-log(2) * fraction * n / 2)),
        ),
        step("log 2", Le(log(2), 1)),
        step("exponents", Le(exp(-n * fraction), exp(-log(2) * fraction * n / 2))),
        step("e n", Ge(exp(Integer(1)) * n, 2 * n)),
        step("its power", Ge((exp(Integer(1)) * n) ** 4, (2 * n) ** 4)),
        step("count", Le(n + 1, 2 * (exp(Integer(1)) * n) ** 4)),
    ],
)
def chance_that_a_heavy_slab_is_empty():
    """Chance that no row lies in some slab of a given mass."""
    count = (exp(Integer(1)) * n) ** 4
    return Le((n + 1) * (1 - fraction) ** n, 2 * count * Rational(1, 2) ** (fraction * n / 2))


GAP, EMPTY = AnySize("gap"), AnySize("empty")  # the largest inner k-spacing, mass of an empty slab


def bound_of_the_net(size):
    """Return the chance that a slab of mass M / (k n) times a size is empty."""
    count = (2 * exp(Integer(1)) * n / (d + 1)) ** (2 * (d + 1))
    return 2 * count * Rational(1, 2) ** (density * size / (2 * k))


def slabs(size=C):
    """State that a large spacing needs an error of r or a heavy empty slab; both are rare."""
    heavy = at_least(EMPTY, density * size / (k * n), "H")
    return [
        in_each(
            Lt(GAP(sample), size / n),
            Ge(ERROR(sample), radius),
            Ge(EMPTY(sample), density * size / (k * n)),
        ),
        *quantiles(ERROR, radius),
        Le(probability(P, heavy), bound_of_the_net(size)),
    ]


@claim(
    "lemma-c.2-corrected",
    place="Lemma C.2, repaired, for any distribution of the data: a k-spacing of C / n in some direction holds a spacing of C / (k n), "
    "which is the width of an empty slab. Where no quantile errs by r the density there is at least M, so its mass is at least M C / (k n)",
    corrects=["lemma-c.2", "eq-c.4"],
    why="Which rows are adjacent changes with the direction, so a net does not serve.",
    using=["lemma-c.1-corrected", "note-tail-of-two"],
    without={
        "note-epsilon-net": "its conclusion is the last condition",
        "eq-c.6": "it is for one direction",
        "text-c.2-spacing": "it is for one direction",
        "note-wide-rows": "it is about the print",
    },
    scope="two cited inequalities are granted, note-talagrand and note-epsilon-net, and in each sample the two steps from them: where a quantile errs by r, "
    "some distribution function is off by at least M r (lemma-c.1-corrected), and where none does, a large spacing is a heavy slab without rows",
    given=slabs,
    proof=lambda: in_one_of(
        at_least(GAP, C / n, "G"),
        at_least(ERROR, radius, "Q"),
        at_least(EMPTY, density * C / (k * n), "H"),
    ),
)
def projected_spacings_by_slabs():
    """Tail of the largest projected spacing, repaired."""
    large = at_least(GAP, C / n, "G")
    return Le(probability(P, large), tail_of_quantiles(radius) + bound_of_the_net(C))


@claim(
    "eq-c.1",
    place="eq. C.1",
)
def error_of_a_quantile_as_a_union():
    """Event that a projected quantile errs, as a union."""
    return Noted(
        "an identity of events: a supremum of absolute values is at least t where a difference of either sign is"
    )


@claim(
    "eq-c.2",
    place="eq. C.2: Lemma C.1 at q_1 = q, q_2 = q + k / n and t = r. Its event E_8 is eq-c.2.event",
    cites=["lemma-c.1"],
)
def inner_order_statistics_near_their_quantiles():
    """Chance that inner order statistics are far from their quantiles."""
    return Noted(
        "an instance of lemma-c.1, which is refuted as printed and supported as repaired (lemma-c.1-corrected)"
    )


@claim(
    "eq-c.2.event",
    place="Appendix C, the event E_8 above eq. C.2, as eq. C.2 takes it from Lemma C.1, in one direction: x_2 is the row of rank m + k, p and p_2 the quantiles of orders q and q + k / n. Where the row is within r of its quantile, it is to be at most r above that of order q",
    cites=["lemma-c.1"],
    given=lambda: [point <= other_point, Abs(x_2 - other_point) <= radius],
    try_at=[{point: 0, other_point: 1, radius: 1, x_1: 0, x_2: Rational(3, 2)}],
    fault="misprint",
    effect="E_8 has the quantile of order q at both ends; at the upper one that of order q + k / n belongs. Where k is a multiple of n, the chance of the printed one may tend to 0, against eq. C.2. With the repair Condition 4 holds between all rows that eq. C.5 is about (eq-c.2.event-corrected).",
)
def upper_end_of_e_8_as_printed():
    """Row of rank m + k, against the quantile of order q, as printed."""
    return Le(x_2, point + radius)


@claim(
    "eq-c.2.event-corrected",
    place="Appendix C, the event E_8 with the quantile of order q + k / n at its upper end. It is about all directions, so x_1 is the row of rank m in a direction u, and - x_3 that in the direction - u: x_3 has the rank n + 1 - m in u, and the quantile of order q in - u is - p_2, with p_2 that of order 1 - q in u. Any row x_2 between is in the interval of Condition 4",
    corrects=["eq-c.2.event"],
    why="The quantile of the row of rank m + k has the order q + k / n.",
    given=lambda: [x_1 >= point - radius, -x_3 >= -other_point - radius],
)
def upper_end_of_e_8():
    """Row between the ranks m and n + 1 - m, against the interval of Condition 4, repaired."""
    return [Ge(x_2, point - radius), Le(x_2, other_point + radius)]


@claim(
    "eq-c.3",
    place="eq. C.3: p_l is the chance of a large spacing, q_b that of E_9 and E_8 both, and p_c that of E_8; on the right the chance of E_9 given E_8 and that of the complement. A spacing of k ranks holds one of a single rank that is as large as its k-th part",
    scope="that a large spacing is in E_9 or in the complement of E_8 is granted, as a condition on chances",
    given=lambda: [lost <= event_next + (1 - kept), event_next <= kept],
)
def spacing_by_two_events():
    """Chance of a large spacing, by two events."""
    return Le(lost, event_next / kept + (1 - kept))


@claim(
    "eq-c.4",
    place="eq. C.4, its first line: the chance of E_8 stands on the left, which by eq. C.2 is at least 1 - kappa_n; on the right what eq. C.6 makes of the rest, with n + 1 for n - 2 m + 1, and c_0 for c",
    cites=["eq-c.2", "eq-c.6"],
    try_at=[{d: 1, n: 1000, radius: 1, density: 1, rate: 1, k: 1, C: 100}],
    fault="misprint",
    effect="E_9 is meant, the event of a large spacing, not E_8. The step from a net to all directions is an error of its own (lemma-c.2).",
)
def chance_of_an_event_of_the_proof_as_printed():
    """Chance of an event of the proof of Lemma C.2, as printed."""
    kappa = exp(-n * radius**2 * density**2 + d * log(rate * n / d))
    return Le(1 - kappa, exp(-3 * density * C / (4 * k) + d * log(9) + log(n + 1)))


@claim(
    "eq-c.4.spacing",
    place="eq. C.4, its first line: in E_9 a spacing w_k, in some direction, is at least C / (k n), and the print takes the largest over the net to be at least 3/4 of it (it need not be, see lemma-c.2)",
    given=lambda: [widest >= C / (k * n)],
    try_at=[{widest: 1, C: 2, k: 2, n: 1}],
    fault="misprint",
    effect="The factor k is lost here and comes back in the last line of eq. C.6 (eq-c.4.spacing-corrected, supported).",
)
def spacing_over_a_net_as_printed():
    """Largest spacing over a net, as printed."""
    return Ge(Rational(3, 4) * widest, 3 * C / (4 * n))


@claim(
    "eq-c.4.spacing-corrected",
    place="eq. C.4, its first line, with k",
    corrects=["eq-c.4.spacing"],
    why="E_9 is about C / (k n).",
    scope="the factor k: that the largest spacing over a net is at least 3/4 of that over all directions is granted, and does not hold for adjacent rows in two dimensions or more (lemma-c.2)",
    given=lambda: [widest >= C / (k * n)],
)
def spacing_over_a_net():
    """Largest spacing over a net, repaired."""
    return Ge(Rational(3, 4) * widest, 3 * C / (4 * k * n))


@claim(
    "eq-c.5",
    place="eq. C.5, for any projected distribution with a density, and two adjacent rows x_1 and x_2 in the interval where it is at least M: "
    "as by the mean-value theorem, its mass over the distance of the rows is at least M, so the mass is at least 3 C M / (4 n)",
    given=lambda: [*dense_between(), x_2 - x_1 >= 3 * C / (4 * n)],
    proof=least_mass,
    example=lambda: a_laplace_density() | {C: Integer(1), n: Integer(1)},
)
def mass_between_adjacent_rows():
    """Mass between two adjacent rows that are far apart, over their distance and by itself."""
    return [
        Ge(mass_between() / (x_2 - x_1), density),
        Ge(mass_between(), 3 * C / (4 * n) * density),
    ]


@claim(
    "text-c.2-spacing",
    place="Appendix C, proof of Lemma C.2, cited from Pyke (1965): spacings of uniform variables are Beta(1, n)",
)
def distribution_of_a_spacing():
    """Distribution of a spacing of uniform variables."""
    return Noted("cited")


@claim(
    "eq-c.6",
    place="eq. C.6, its last two lines in logarithms, v_0 for 3 C M / (4 n); k is at least 1",
    scope="the last step: that the masses between adjacent rows are Beta(1, n), which the line before rests on, is cited (text-c.2-spacing), and the chances of the first line, given E_8, are not part of this",
    given=[fraction < 1],
)
def tail_of_a_spacing():
    """Logarithm of the chance that a spacing is large, bounded."""
    return Le(n * log(1 - fraction), -n * fraction / k)


def moment_of_the_third_row(power):
    """Return a moment of the third of the rows over 1/8 to 3/8, or of the sixth from above, up to a factor."""
    second_below = at**2 - Rational(1, 64)
    return Integral(at**power * second_below, (at, Rational(1, 8), Rational(3, 8)))


def rows_far_apart_in_e_8(after):
    """Return a multiple of the chance that E_8 holds and the fifth and the sixth row are so far apart.

    The third row is x and the sixth 1 - z: it is the integral of (1 - after - x - z)^2.
    """
    first, second, third = map(moment_of_the_third_row, range(3))
    rest = 1 - after
    return rest**2 * first**2 - 4 * rest * first * second + 2 * first * third + 2 * second**2


@claim(
    "eq-c.6.given",
    place="eq. C.6, its first line, for eight rows that are uniform on the unit interval, q = 1/4, k = 1 and r = 1/8, so m = 2: E_8 is about both directions of the line, so given it rows of rank 2 and 3 are between 1/8 and 3/8, and those of rank 6 and 7 between 5/8 and 7/8. On the left is the chance that the fifth and the sixth row are at least t apart: "
    "the third row, x, and the sixth, 1 - z, have the density (x^2 - 1/64) (z^2 - 1/64) (1 - x - z)^2 up to a factor, and given them the rows between are uniform. On the right the chance that a spacing is at least M t, which is (1 - M t)^8",
    scope="both sides, which the machine compares: that the rows have these chances is said on paper, and tested",
    given=lambda: [density < 1, level <= Rational(1, 8)],
    try_at=[{density: Rational(99, 100), level: Rational(1, 10)}],
    fault="error",
    effect="Given an event a spacing may be larger with a larger chance. The chance of both is bounded by the right side (eq-c.6.given-corrected, which is supported), which is all that eq. C.3 needs.",
)
def chance_of_a_spacing_given_e_8_as_printed():
    """Chance of a large spacing given E_8, as printed."""
    return Le(rows_far_apart_in_e_8(level) / rows_far_apart_in_e_8(0), (1 - density * level) ** 8)


SPACING, MASS_OF_IT = AnySize("X_s"), AnySize("U_s")  # a spacing in one direction, and its mass
NEAR_QUANTILES = AnyEvent("E_8")


def large_and_near():
    """Return the chance of a large spacing in E_8."""
    body = NEAR_QUANTILES.indicator(x) * at_least(SPACING, distance, "A_3").indicator(x)
    return Integral(body * P.density(x), (x, -oo, oo))


@claim(
    "eq-c.6.given-corrected",
    place="eq. C.6, its first line, without a condition: in each sample of E_8 the mass of a spacing X_s is at least M times it, which is eq. C.5",
    corrects=["eq-c.6.given"],
    why="The bound is one of the chance of both events.",
    scope="in one direction and for one pair of adjacent rows, from eq. C.5 in each sample of E_8, which is a condition here",
    given=lambda: [
        Every(
            sample,
            Le(NEAR_QUANTILES.indicator(sample) * density * SPACING(sample), MASS_OF_IT(sample)),
        ),
        Ge(large_and_near(), 0),
        Ge(probability(P, at_least(MASS_OF_IT, density * distance, "U_3")), 0),
    ],
    proof=lambda: [
        step(
            "in each sample",
            Every(
                sample,
                Le(
                    NEAR_QUANTILES.indicator(sample)
                    * at_least(SPACING, distance, "A_3").indicator(sample),
                    at_least(MASS_OF_IT, density * distance, "U_3").indicator(sample),
                ),
            ),
        ),
    ],
)
def chance_of_a_spacing_in_e_8():
    """Chance of a large spacing in E_8, repaired."""
    return Le(large_and_near(), probability(P, at_least(MASS_OF_IT, density * distance, "U_3")))


@claim(
    "text-c.3-range",
    place="Lemma C.3: its proof applies Lemma C.2 at q = 1/2, whose p runs from q to 1 - q - k / n: there "
    "should be one",
    fault="error",
    effect="The range is empty for every k: the proof says nothing. What the lemma needs are "
    "the spacings that hold the median (text-a-median, supported).",
)
def range_of_the_quantiles_as_printed():
    """Range of the quantiles in Lemma C.3, as printed."""
    return Le(Rational(1, 2), 1 - Rational(1, 2) - k / n)


@claim(
    "text-c.3-range-corrected",
    place="Lemma C.2, its range of p at a q below 1/2: it is not empty where k rows lie between the quantiles of orders q and 1 - q; q_3 is q",
    corrects=["text-c.3-range"],
    why="At q = 1/2 there is no p.",
    given=lambda: [k <= n * (1 - 2 * other_quantile)],
)
def range_of_the_quantiles():
    """Range of the quantiles in Lemma C.2, repaired."""
    return Le(other_quantile, 1 - other_quantile - k / n)


MOVES = AnySize("S")


def by_spacings(times):
    """State that a sensitivity is at most `times` the largest k-spacing, and repaired Lemma C.2."""
    return [Every(sample, Le(MOVES(sample), times * GAP(sample))), *slabs(C / times)]


def in_each_sample(times):
    """Return the steps from a large sensitivity to a large spacing."""
    moved, large = at_least(MOVES, C / n, "M"), at_least(GAP, C / times / n, "G")
    return [
        step("times n", Eq(times * (C / times / n), C / n)),
        step(
            "in each sample",
            Every(sample, Le(moved.indicator(sample), large.indicator(sample))),
        ),
    ]


def sensitivity_is_large():
    """Return the chance that a sensitivity is at least C / n."""
    return probability(P, at_least(MOVES, C / n, "M"))


@claim(
    "eq-c.7",
    place="eq. C.7 on the line for four rows, x_1 to x_4, k = 1 and the lower median, as Appendix A has it: the fourth is replaced by y, after which the median is the middle one of x_1, x_2 and y. The supremum on the right is over both directions: from the second row to the third in one, and in the other, where the third is the lower median, back to the second: both are the same spacing",
    given=lambda: [value <= x_4],
    try_at=[{x_1: 0, x_2: 5, x_3: 6, x_4: 7, value: 0}],
    fault="boundary",
    effect="For an odd n the other direction gives the spacing on the other side of the median. For an even one both sides are to stand there (text-a-median, supported, and note-c.3-core).",
)
def sensitivity_of_the_median_by_one_spacing_as_printed():
    """Change of the lower median of four rows by one replaced row, as printed."""
    after = Max(x_1, Min(x_2, value))
    return Le(Abs(after - x_2), Abs(x_3 - x_2))


@claim(
    "lemma-c.3",
    place="Lemma C.3 for the 60 rows of note-wide-rows, k = 1, t for its C / n: on the left what the chance of such a sensitivity is at least. The "
    "constants C and c, here c_0, are not specified; whatever they are, it fails for all large d and t. In the print t stands on the left and C "
    "on the right. The statement is that there are such constants. For all constants it fails where the conditions hold, and they do for all "
    "large d and t (note-wide-rows)",
    scope="both sides, which the machine compares; that the chance is at least the left side, and that the rows meet the conditions, is shown on paper, in "
    "note-wide-rows",
    cites=["lemma-c.2", "text-a-median", "note-wide-rows"],
    given=lambda: both_terms_are_small(Rational(3, 4), 60),
    try_at=[WIDE_POINT],
    fault="boundary",
    effect="It rests on Lemma C.2, and at q = 1/2, where the range of that is empty (text-c.3-range). From the larger bound it "
    "follows (lemma-c.3-corrected, supported).",
)
def sensitivity_of_the_projected_median_as_printed():
    """Tail of the projected sensitivity of the median, as printed."""
    return wide_rows_as_printed(Rational(3, 4), 60)


@claim(
    "lemma-c.3-corrected",
    place="Lemma C.3 at t = C / n, for n of at least d and any distribution of the data, by lemma-c.2-corrected. The step on each sample is note-c.3-core",
    corrects=["lemma-c.3"],
    why="It rests on Lemma C.2.",
    using=["lemma-c.2-corrected"],
    without={
        "lemma-c.2": "lemma-c.2-corrected is its repair",
        "text-a-median": "note-c.3-core says it for any sample; its conclusion is the condition, in each one",
        "note-wide-rows": "it is about the print",
    },
    scope="two cited inequalities are granted, note-talagrand and note-epsilon-net, and in each sample the steps from them (lemma-c.2-corrected) and that the sensitivity is at most the largest spacing (note-c.3-core)",
    given=lambda: by_spacings(1),
    proof=lambda: in_each_sample(1),
)
def sensitivity_of_the_projected_median():
    """Tail of the projected sensitivity of the median, repaired."""
    return Le(sensitivity_is_large(), tail_of_quantiles(radius) + bound_of_the_net(C / 1))


@claim(
    "lemma-c.4",
    place="Lemma C.4 for the 60 rows of note-wide-rows, q' = 1/8, k = 1, t for its C / n: on the left what the chance of such a sensitivity is at "
    "least. The constants C and c, here c_0, are not specified; whatever they are, it fails for all large d and t. log n(1 - 2 q' + 1 / n) is "
    "read as that of n (1 - 2 q') + 1. The statement is that there are such constants. For all constants it fails where the conditions hold, and "
    "they do for all large d and t (note-wide-rows)",
    scope="both sides, which the machine compares; that the chance is at least the left side, and that the rows meet the conditions, is shown on paper, in "
    "note-wide-rows",
    cites=["lemma-c.2", "note-c.4-core", "note-wide-rows"],
    given=lambda: both_terms_are_small(Rational(3, 8), 60 * Rational(3, 4) + 1),
    try_at=[WIDE_POINT],
    fault="boundary",
    effect="It rests on Lemma C.2. From the larger bound and note-c.4-core it follows (lemma-c.4-corrected, supported).",
)
def sensitivity_of_the_projected_mad_as_printed():
    """Tail of the projected sensitivity of MAD, as printed."""
    return wide_rows_as_printed(Rational(3, 8), 60 * Rational(3, 4) + 1)


@claim(
    "lemma-c.4-corrected",
    place="Lemma C.4 at t = C / n, for n of at least d and any distribution of the data, by lemma-c.2-corrected at C / 2. The step on each sample is note-c.4-core: "
    "the proof leaves out the rows that are replaced, which does no harm",
    corrects=["lemma-c.4"],
    why="It rests on Lemma C.2.",
    using=[("lemma-c.2-corrected", lambda: {C: C / 2})],
    without={
        "lemma-c.2": "lemma-c.2-corrected is its repair",
        "note-c.4-core": "its conclusion is the condition, in each sample",
        "note-wide-rows": "it is about the print",
    },
    scope="two cited inequalities are granted, note-talagrand and note-epsilon-net, and in each sample the steps from them (lemma-c.2-corrected) and that the sensitivity is at most twice the largest spacing (note-c.4-core)",
    given=lambda: by_spacings(2),
    proof=lambda: in_each_sample(2),
)
def sensitivity_of_the_projected_mad():
    """Tail of the projected sensitivity of MAD, repaired."""
    return Le(sensitivity_is_large(), tail_of_quantiles(radius) + bound_of_the_net(C / 2))


@claim(
    "eq-c.8",
    place="eq. C.8, in one direction and for any other dataset: mu and mu_1 are the medians, which on E_10 differ by less than C / (2 n), and sigma is MAD of the sample",
    given=lambda: [Abs(location - other_location) < C / (2 * n)],
)
def interval_of_mad_around_another_median():
    """Ends of the interval of MAD, against a wider interval around another median."""
    return [
        Ge(location - scale, other_location - scale - C / (2 * n)),
        Le(location + scale, other_location + scale + C / (2 * n)),
    ]


# --- the core of Lemmas C.3 to C.5, on each sample ------------------------------------------------

HERE, NEXT = AnyOrdered("X"), AnyOrdered("Y")  # order statistics of two samples, k rows apart


def replaced_rows():
    """Of k new rows some are larger than those that they replace, and the others smaller."""
    return [
        Every(order, Le(HERE(order - k + risen), NEXT(order))),
        Every(order, Le(NEXT(order), HERE(order + risen))),
    ]


def one_of(*relations):
    """State that one of some relations holds."""
    return Either(tuple(map(as_tree, relations)))


@claim(
    "note-order-rises",
    place="used in Lemmas C.3 to C.5, by induction",
)
def order_statistics_some_ranks_apart():
    """Order statistics some ranks apart."""
    return Le(HERE(index), HERE(index + margin))


@claim(
    "note-c.3-core",
    corrects=["eq-c.7"],
    why="With an even number of rows only one side of the median stands in the bound.",
    place="Lemmas C.3 and C.5 on each sample: an order statistic of any rank, such as the median or a quartile. Of k new rows u_0 are larger than those that they "
    "replace, so none falls by more than k - u_0 ranks and none rises by more than u_0. Beyond the n rows order statistics lie as far out as one likes",
    using=[
        ("note-order-rises", lambda: {index: index + risen, margin: k - risen}),
        ("note-order-rises", lambda: {index: index - k, margin: risen}),
    ],
    given=lambda: [
        *replaced_rows(),
        HERE(index + k) - HERE(index) <= widest,
        HERE(index) - HERE(index - k) <= widest,
    ],
    proof=lambda: [
        step("it falls so far", Le(HERE(index - k + risen), NEXT(index))),
        step("it rises so far", Le(NEXT(index), HERE(index + risen))),
        step("k ranks down", Le(HERE(index - k), HERE(index - k + risen))),
        step("k ranks up", Le(HERE(index + risen), HERE(index + k))),
    ],
)
def change_of_an_order_statistic():
    """Change of an order statistic by a few replaced rows, against spacings at its rank."""
    return Le(Abs(NEXT(index) - HERE(index)), widest)


def inner_spacings():
    """No k-spacing between inner ranks exceeds w_k."""
    small = Le(HERE(order + k) - HERE(order), widest)
    return Every(order, one_of(order < inner_rank, order > n - inner_rank - k, small))


SOME_RANKS = {  # at which most samples meet the conditions
    **{n: 20, k: 5, risen: 1, rank: 10, inner_rank: 1, index: 10, first_row: 10},
    **{first_row_next: 10, mad: 0, mad_next: 0, widest: 2},
}


def inner_ranks():
    """Return the conditions of Lemma C.4 on q', q and k, in ranks (note-c.4-ranks)."""
    return [inner_rank + k + 1 <= rank, 2 * inner_rank + rank + 2 * k <= n + 2]


@claim(
    "note-c.4-ranks",
    place="Lemma C.4, its condition k < n (q - q') / 2 for q' < q < 1/4, in ranks; q_0 is q', q_3 is q, and m the rank of the median",
    given=lambda: [
        trimmed < other_quantile,
        2 * k < n * (other_quantile - trimmed),
        inner_rank < n * trimmed + 1,
        n <= 2 * rank,
        2 * rank <= n + 1,
    ],
    proof=lambda: [
        step("q", Le(n * other_quantile, n / 4)),
        step("k", Lt(2 * k + n * trimmed, n / 4)),
        step("at least one row", Gt(n, 8)),
    ],
)
def condition_on_ranks():
    """Condition of Lemma C.4 in ranks."""
    return inner_ranks()


def one_side(first, last):
    """State that the k-spacing below one of two ranks is at most w_k."""
    return one_of(
        Le(HERE(first) - HERE(first - k), widest), Le(HERE(last) - HERE(last - k), widest)
    )


def inner(at_rank):
    """State that the k-spacing above a rank is at most w_k, unless the rank is no inner rank."""
    return one_of(
        Le(HERE(at_rank + k) - HERE(at_rank), widest),
        at_rank < inner_rank,
        at_rank > n - inner_rank - k,
    )


def spacings_beside(last):
    """Return steps on the k-spacings beside consecutive ranks that begin at i."""
    return [
        step("below", inner(index - k)),
        step(
            "or not inner",
            one_of(Le(HERE(index) - HERE(index - k), widest), index - k < inner_rank),
        ),
        step("above", inner(last)),
    ]


@claim(
    "note-c.4-core.i",
    place="Lemma C.4 on each sample: m rows in a row, the k-spacing below the first and that above the last; one of both is between inner ranks",
    try_at=[SOME_RANKS],
    given=lambda: [*inner_ranks(), index >= 1, index <= n + 1 - rank, inner_spacings()],
    proof=lambda: spacings_beside(index + rank - 1),
)
def spacings_beside_some_rows():
    """Spacings on both sides of as many rows as MAD needs."""
    return one_side(index, index + rank - 1 + k)


@claim(
    "note-c.4-core.ii",
    place="the same for m - k rows in a row",
    try_at=[SOME_RANKS],
    given=lambda: [*inner_ranks(), index >= 1, index <= n + 1 - rank + k, inner_spacings()],
    proof=lambda: spacings_beside(index + rank - 1 - k),
)
def spacings_beside_fewer_rows():
    """Spacings on both sides of the rows that are left."""
    return one_side(index, index + rank - 1)


def farther(rows, at_rank, middle, size):
    """Of m rows in a row the first or the last is no nearer to the middle than MAD."""
    return one_of(Le(rows(at_rank), middle - size), Ge(rows(at_rank + rank - 1), middle + size))


def mad_of(rows, first, middle, size):
    """MAD around a centre: some m rows in a row are within it, and no m rows are all nearer."""
    return [
        rows(first) >= middle - size,
        rows(first + rank - 1) <= middle + size,
        Every(order, farther(rows, order, middle, size)),
    ]


def centres():
    """Bound the distance of two medians."""
    return [other_location <= location + shift, other_location >= location - shift]


def by_side(size, other_size, first, last):
    """MAD grows by no more than the centre moves, or that and a spacing on each of two sides."""
    least = Le(size, other_size + shift)
    return [
        step(
            f"the spacing {words} them",
            one_of(least, Le(size - other_size, shift + HERE(at_rank) - HERE(at_rank - k))),
        )
        for words, at_rank in (("below", first), ("above", last))
    ]


@claim(
    "note-c.4-core.iii",
    place="Lemma C.4 on each sample, a larger MAD of the new one: m rows are within MAD of the old median. Of the new sample at most m - 1 are nearer "
    "to the new median than its MAD, so m rows in a row, from i - u_0 or k ranks later, are not: by which a k-spacing of the old sample is on either side at least as wide as MAD grows, but for what the median moves",
    given=lambda: [
        *replaced_rows(),
        *centres(),
        *mad_of(HERE, index, location, mad)[:2],
        mad_of(NEXT, index, other_location, mad_next)[2],
        one_side(index, index + rank - 1 + k),
    ],
    proof=lambda: [
        step("from below", Le(HERE(index - risen - k + risen), NEXT(index - risen))),
        step("k ranks below", Le(HERE(index - k), NEXT(index - risen))),
        step(
            "the last", Le(NEXT(index - risen + rank - 1), HERE(index - risen + rank - 1 + risen))
        ),
        step("at its rank", Le(NEXT(index - risen + rank - 1), HERE(index + rank - 1))),
        step("not all are nearer", farther(NEXT, index - risen, other_location, mad_next)),
        step("later", Le(HERE(index - risen + k - k + risen), NEXT(index - risen + k))),
        step("at its rank", Le(HERE(index), NEXT(index - risen + k))),
        step(
            "the last",
            Le(NEXT(index - risen + k + rank - 1), HERE(index - risen + k + rank - 1 + risen)),
        ),
        step("k ranks above", Le(NEXT(index - risen + k + rank - 1), HERE(index + rank - 1 + k))),
        step("not all are nearer", farther(NEXT, index - risen + k, other_location, mad_next)),
        *by_side(mad_next, mad, index, index + rank - 1 + k),
    ],
)
def larger_mad():
    """MAD of the new sample, if it is larger than MAD of the old sample."""
    return Le(mad_next - mad, shift + widest)


@claim(
    "note-c.4-core.iv",
    place="Lemma C.4 on each sample, a larger MAD of the old one",
    given=lambda: [
        *replaced_rows(),
        *centres(),
        *mad_of(NEXT, index, other_location, mad_next)[:2],
        mad_of(HERE, index, location, mad)[2],
        one_side(index + risen, index + risen + rank - 1),
    ],
    proof=lambda: [
        step("the first", Le(NEXT(index), HERE(index + risen))),
        step("the last", Le(HERE(index + rank - 1 - k + risen), NEXT(index + rank - 1))),
        step("not all are nearer", farther(HERE, index + risen, location, mad)),
        step("k ranks below", farther(HERE, index + risen - k, location, mad)),
        *by_side(mad, mad_next, index + risen, index + risen + rank - 1),
    ],
)
def smaller_mad():
    """MAD of the new sample, if it is smaller than MAD of the old sample."""
    return Le(mad - mad_next, shift + widest)


@claim(
    "note-c.4-core",
    place="Lemma C.4 on each sample and for any k new rows: MAD, the m-th smallest distance to the median, of rank m, changes by at most twice the largest k-spacing between inner ranks, l_q and n - l_q. "
    "Some m rows in a row, from rank i_3 or i_4, are within MAD, and no m rows are all nearer. The first two conditions are those of the lemma (note-c.4-ranks); beyond the n rows order statistics lie as far out as one likes",
    using=[
        ("note-c.3-core", lambda: {index: rank}),
        ("note-c.4-core.i", lambda: {index: first_row}),
        ("note-c.4-core.ii", lambda: {index: first_row_next + risen}),
        (
            "note-c.4-core.iii",
            lambda: {
                **{index: first_row, shift: widest},
                **{location: HERE(rank), other_location: NEXT(rank)},
            },
        ),
        (
            "note-c.4-core.iv",
            lambda: {
                **{index: first_row_next, shift: widest},
                **{location: HERE(rank), other_location: NEXT(rank)},
            },
        ),
    ],
    try_at=[SOME_RANKS],
    given=lambda: [
        *inner_ranks(),
        *replaced_rows(),
        inner_spacings(),
        *mad_of(HERE, first_row, HERE(rank), mad),
        *mad_of(NEXT, first_row_next, NEXT(rank), mad_next),
    ],
    proof=lambda: [
        step("larger MAD", Le(mad_next - mad, widest + widest)),
        step("smaller MAD", Le(mad - mad_next, widest + widest)),
    ],
)
def change_of_mad_by_inner_spacings():
    """Change of MAD by a few replaced rows, against inner spacings."""
    return Le(Abs(mad_next - mad), 2 * widest)


@claim(
    "lemma-c.5",
    place="Lemma C.5 for the 60 rows of note-wide-rows, k = 1: on the left what the chance of such a sensitivity is at least. The constants C and c, "
    "here c_0, are not specified; whatever they are, it fails for all large d and t. n t stands for the C of the print. The statement is that "
    "there are such constants. For all constants it fails where the conditions hold, and they do for all large d and t (note-wide-rows)",
    scope="both sides, which the machine compares; that the chance is at least the left side, and that the rows meet the conditions, is shown on paper, in "
    "note-wide-rows",
    cites=["lemma-c.2", "note-wide-rows"],
    given=lambda: both_terms_are_small(Rational(3, 8), 60 / Integer(2) + 1),
    try_at=[WIDE_POINT],
    fault="boundary",
    effect="It rests on Lemma C.2. From the larger bound it follows (lemma-c.5-corrected, supported).",
)
def sensitivity_of_the_projected_iqr_as_printed():
    """Tail of the projected sensitivity of the interquartile range, as printed."""
    return wide_rows_as_printed(Rational(3, 8), 60 / Integer(2) + 1)


@claim(
    "lemma-c.5-corrected",
    place="Lemma C.5 at t = C / n, for n of at least d and any distribution of the data, by lemma-c.2-corrected at C / 2 and q = 1/4; that the interquartile range moves by at most "
    "two k-spacings is the display of its proof, and note-c.3-core at each quartile",
    corrects=["lemma-c.5"],
    why="It rests on Lemma C.2.",
    using=[("lemma-c.2-corrected", lambda: {C: C / 2})],
    without={
        "lemma-c.2": "lemma-c.2-corrected is its repair",
        "note-wide-rows": "it is about the print",
    },
    scope="two cited inequalities are granted, note-talagrand and note-epsilon-net, and in each sample the steps from them (lemma-c.2-corrected) and that the sensitivity is at most twice the largest spacing (note-c.3-core, at both quartiles)",
    given=lambda: by_spacings(2),
    proof=lambda: in_each_sample(2),
)
def sensitivity_of_the_projected_iqr():
    """Tail of the projected sensitivity of the interquartile range, repaired."""
    return Le(sensitivity_is_large(), tail_of_quantiles(radius) + bound_of_the_net(C / 2))
