"""Appendix C: projected quantiles and spacings."""

import numpy as np
from sympy import Eq, Ge, Gt, Integer, Le, Lt, Rational, erfc, exp, log, sqrt

from dpbook.depth_medians.notation import (
    C,
    d,
    density,
    distance,
    factor_above,
    factor_beside,
    fraction,
    k,
    n,
    radius,
    rate,
    sample,
    trimmed,
    value,
)
from dpbook.depth_medians.samples import AnySize, Where
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Either, Every, Noted, Statistical, as_tree
from dpbook.privacy.any_laws import AnyLaw
from dpbook.privacy.statements import probability

P = AnyLaw("P")  # of the sample
ERROR = AnySize("Q_n")  # largest error of a projected quantile between two orders
DISTANCE = AnySize("D_n")  # largest distance of the projected distribution functions


def at_least(function, number, name):
    """The event that a function of the sample is at least a number."""
    return Where(name, sample, function(sample), ">=", number)


def in_each(*parts):
    """That one of some relations holds in each sample."""
    return Every(sample, Either(tuple(map(as_tree, parts))))


def in_one_of(event, *others):
    """The step that an event happens only where one of others does."""
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
    """Chance that a function of the sample is large, by that for another one."""
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
    """Chance that a function of the sample is large, by those for two others."""
    return Le(probability(P, LARGE), factor_above + factor_beside)


@claim(
    "lemma-c.1",
    place="Lemma C.1; with n >= d, and Talagrand's constant, which is cited",
    cites=["note-talagrand", "note-c.1"],
)
def projected_quantiles():
    """Tail of the error of projected quantiles."""
    return Noted(
        "its constant c is universal but not specified: no point decides it. For n below d it is false, whatever c "
        "(note-c.1); for the others it rests on a cited inequality (lemma-c.1-corrected)"
    )


@claim(
    "note-talagrand",
    place="Appendix C, proof of Lemma C.1, cited from Talagrand (1994): the largest distance of the projected distribution "
    "functions is at least x with a chance of at most (c n / d)^d exp(-2 n x^2)",
)
def distance_of_distribution_functions():
    """Tail of the distance of projected distribution functions."""
    return Noted("cited; for n of at least d")


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
    """The bound of Lemma C.1, for projected densities of at least M."""
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
    place="Lemma C.1 for n of at least d and any law of the data, c_0 for c, M for lambda; Q_n is the largest error of a "
    "projected quantile, D_n the largest distance of the projected distribution functions. Where a quantile errs by t, "
    "so do they by the mass of an interval of that length, which is the first condition on samples",
    corrects=["lemma-c.1"],
    why="For one row and many dimensions the bound is less than the chance.",
    using=["note-tail-of-one"],
    without={"note-talagrand": "its conclusion is the last condition"},
    scope="Talagrand's inequality is granted",
    given=lambda: quantiles(ERROR, distance),
    proof=lambda: in_one_of(
        at_least(ERROR, distance, "Q"), at_least(DISTANCE, distance * density, "D")
    ),
)
def projected_quantiles_of_enough_rows():
    """Tail of the error of projected quantiles, repaired."""
    return Le(probability(P, at_least(ERROR, distance, "Q")), tail_of_quantiles(distance))


@claim(
    "lemma-c.2",
    place="Lemma C.2; the net of its proof serves for a fixed pair of rows, and which rows are adjacent "
    "changes with the direction. In d = 2 the largest gap over all directions exceeds 4/3 of that over a "
    "net in most samples, and as n grows the exponent has to grow by d log n",
    cites=["lemma-c.1", "eq-c.6", "text-c.2-spacing"],
)
def projected_spacings():
    """Tail of the largest projected spacing."""
    return Noted(
        "its constants are not specified, and its proof fails for d of 2 or more; in one dimension its steps are eq-c.6 "
        "and text-c.2-spacing, for all others lemma-c.2-corrected has a larger bound"
    )


@claim(
    "note-epsilon-net",
    place="used in lemma-c.2-corrected, from Haussler and Welzl (1987) and Blumer, Ehrenfeucht, Haussler and Warmuth (1989), "
    "Theorem A2.1: n rows, x n of at least 8, miss a slab of mass x with a chance of at most 2 (2 e n / (d + 1))^(2 (d + 1)) 2^(-x n / 2)",
)
def chance_that_a_heavy_slab_is_empty():
    """Chance that no row lies in some slab of a given mass."""
    return Noted("cited: a slab is where two half-spaces meet")


GAP, EMPTY = AnySize("gap"), AnySize("empty")  # the largest inner k-spacing, mass of an empty slab


def bound_of_the_net():
    """The chance that a slab of mass M C / (k n) is empty."""
    count = (2 * exp(Integer(1)) * n / (d + 1)) ** (2 * (d + 1))
    return 2 * count * Rational(1, 2) ** (density * C / (2 * k))


def slabs():
    """Where a spacing is large a quantile errs by r, or there is a heavy empty slab; both are rare."""
    heavy = at_least(EMPTY, density * C / (k * n), "H")
    return [
        in_each(
            Lt(GAP(sample), C / n),
            Ge(ERROR(sample), radius),
            Ge(EMPTY(sample), density * C / (k * n)),
        ),
        *quantiles(ERROR, radius),
        Le(probability(P, heavy), bound_of_the_net()),
    ]


@claim(
    "lemma-c.2-corrected",
    place="Lemma C.2, repaired, for any law of the data: a k-spacing of C / n in some direction holds a spacing of C / (k n), "
    "which is the width of an empty slab. Where no quantile errs by r the density there is at least M, so its mass is at least M C / (k n)",
    corrects=["lemma-c.2"],
    why="Which rows are adjacent changes with the direction, so a net does not serve.",
    using=["lemma-c.1-corrected", "note-tail-of-two"],
    without={
        "note-epsilon-net": "its conclusion is the last condition",
        "eq-c.6": "it is for one direction",
        "text-c.2-spacing": "it is for one direction",
    },
    scope="two cited inequalities are granted, Talagrand's and that on heavy slabs",
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
    return Le(probability(P, large), tail_of_quantiles(radius) + bound_of_the_net())


@claim(
    "text-c.2-spacing",
    place="Appendix C, proof of Lemma C.2, cited from Pyke (1965): spacings of uniform variables are Beta(1, n)",
)
def law_of_a_spacing():
    """Law of a spacing of uniform variables."""
    return Noted("cited")


@claim(
    "eq-c.6",
    place="eq. C.6, its last two lines in logarithms, v_0 for 3 C M / (4 n); k is at least 1",
    given=[fraction < 1],
)
def tail_of_a_spacing():
    """Logarithm of the chance that a spacing is large, bounded."""
    return Le(n * log(1 - fraction), -n * fraction / k)


@claim(
    "text-c.3-range",
    place="Lemma C.3: its proof applies Lemma C.2 at q = 1/2, whose p runs from q to 1 - q - k / n: there "
    "should be one",
    fault="error",
    effect="The range is empty for every k: the proof says nothing. In one dimension the bound follows from "
    "the spacings that hold the median (text-a-median).",
)
def range_of_the_quantiles_as_printed():
    """Range of the quantiles in Lemma C.3, as printed."""
    return Le(Rational(1, 2), 1 - Rational(1, 2) - k / n)


MOVES = AnySize("S")


def tail_of_spacings(quantile, size):
    """The bound of Lemma C.2 on the chance that a k-spacing is at least size / n."""
    first = exp(-n * radius**2 * density**2 + d * log(rate * n / d))
    return first + exp(-3 * density * size / (4 * k) + d * log(9) + log(n * (1 - 2 * quantile) + 1))


def by_spacings(quantile, times):
    """Lemma C.2, and that a sensitivity is at most so many times the largest k-spacing of a sample."""
    large = at_least(GAP, C / (times * n), "G")
    return [
        Every(sample, Le(MOVES(sample), times * GAP(sample))),
        Le(probability(P, large), rate * tail_of_spacings(quantile, C / times)),
    ]


def in_each_sample(times):
    """Where the sensitivity is large, so is a spacing."""
    moved, large = at_least(MOVES, C / n, "M"), at_least(GAP, C / (times * n), "G")
    return [
        step("times n", Eq(times * (C / (times * n)), C / n)),
        step(
            "in each sample",
            Every(sample, Le(moved.indicator(sample), large.indicator(sample))),
        ),
    ]


def sensitivity_is_large():
    """Chance that a sensitivity is at least C / n."""
    return probability(P, at_least(MOVES, C / n, "M"))


@claim(
    "lemma-c.3",
    place="Lemma C.3, eq. C.7 at t = C / n, for any law of the data, c_0 for both constants; t stands on the left "
    "and C on the right of the print. That no median moves by more than a k-spacing at the median is text-a-median",
    using=["text-a-median", "note-tail-of-one"],
    without={"lemma-c.2": "its conclusion is the last condition"},
    scope="Lemma C.2 is granted at q = 1/2, where its range is empty (text-c.3-range); in one dimension the spacings "
    "that hold the median serve",
    given=lambda: by_spacings(0, 1),
    proof=lambda: in_each_sample(1),
)
def sensitivity_of_the_projected_median():
    """Tail of the projected sensitivity of the median."""
    return Le(
        sensitivity_is_large(),
        rate
        * (
            exp(-n * radius**2 * density**2 + d * log(rate * n / d))
            + exp(-3 * density * C / (4 * k) + d * log(9) + log(n + 1))
        ),
    )


@claim(
    "lemma-c.4",
    place="Lemma C.4, eq. C.8, for any law of the data, c_0 for both constants, with Lemma C.2 at C / 2; log n(1 - 2 q' + "
    "1 / n) is read as that of n (1 - 2 q') + 1. The step on each sample is note-c.4-core: the proof leaves out the "
    "rows that are replaced, which does no harm",
    using=["note-tail-of-one"],
    without={
        "lemma-c.2": "its conclusion is the last condition",
        "note-c.4-core": "its conclusion is the condition, in each sample",
    },
    scope="Lemma C.2 is granted, whose net argument fails for d of 2 or more, and note-c.4-core, which is tried only",
    given=lambda: by_spacings(trimmed, 2),
    proof=lambda: in_each_sample(2),
)
def sensitivity_of_the_projected_mad():
    """Tail of the projected sensitivity of MAD."""
    return Le(
        sensitivity_is_large(),
        rate
        * (
            exp(-n * radius**2 * density**2 + d * log(rate * n / d))
            + exp(-3 * density * C / (8 * k) + d * log(9) + log(n * (1 - 2 * trimmed) + 1))
        ),
    )


def median_and_mad(rows):
    """Lower median, and the lower median of distances to it."""
    middle = np.sort(rows)[(len(rows) - 1) // 2]
    return middle, np.sort(np.abs(rows - middle))[(len(rows) - 1) // 2]


def random_samples(rng, size):
    """P-value 1 where twice the largest inner spacing bounds the change of MAD of all tries, else 0."""
    for _ in range(size):
        n_rows = int(rng.integers(9, 26))
        rows = np.sort(rng.integers(0, int(rng.choice([6, 20, 200])), n_rows).astype(float))
        if rng.random() < 0.3:
            rows = np.sort(rows + 300 * (rng.random(n_rows) < 0.2))
        replaced = int(rng.integers(1, 3))
        first = min(int(0.24 * n_rows), (n_rows + 1) // 2 - (n_rows - 1) // 4 - 1) - replaced
        last = n_rows - first - replaced
        if first < 0:
            continue
        largest = max(rows[i + replaced] - rows[i] for i in range(first, last))
        other = rows.copy()
        places = rng.choice(n_rows, replaced, replace=False)
        other[places] = rng.choice([*rows, -999.0, 999.0, rows.mean()], replaced)
        if abs(median_and_mad(other)[1] - median_and_mad(rows)[1]) > 2 * largest + 1e-9:
            return 0.0
    return 1.0


@claim(
    "note-c.4-core",
    place="Lemma C.4 on each sample: MAD changes by at most twice the largest k-spacing between inner "
    "ranks",
    scope="samples of 9 to 25 whole numbers, with ties and far clusters, one or two rows replaced",
)
def change_of_mad_by_inner_spacings():
    """Change of MAD by a few replaced rows, against inner spacings."""
    return Statistical(
        random_samples,
        "change of MAD against twice the largest inner spacing, random samples",
        size=4000,
    )


@claim(
    "lemma-c.5",
    place="Lemma C.5 at t = C / n, for any law of the data, c_0 for both constants, with Lemma C.2 at C / 2 and q = 1/4; "
    "that the interquartile range moves by at most two k-spacings is the display of its proof",
    using=["note-tail-of-one"],
    without={"lemma-c.2": "its conclusion is the last condition"},
    scope="Lemma C.2 is granted, whose net argument fails for d of 2 or more",
    given=lambda: by_spacings(Rational(1, 4), 2),
    proof=lambda: in_each_sample(2),
)
def sensitivity_of_the_projected_iqr():
    """Tail of the projected sensitivity of the interquartile range."""
    return Le(
        sensitivity_is_large(),
        rate
        * (
            exp(-n * radius**2 * density**2 + d * log(rate * n / d))
            + exp(-3 * density * C / (8 * k) + d * log(9) + log(n / 2 + 1))
        ),
    )
