"""Appendix C: projected quantiles and spacings."""

import numpy as np
from sympy import Eq, Le, Rational, exp, log

from dpbook.depth_medians.notation import (
    C,
    d,
    density,
    fraction,
    k,
    n,
    radius,
    rate,
    sample,
    trimmed,
)
from dpbook.depth_medians.samples import AnySize, Where
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every, Noted, Statistical
from dpbook.privacy.any_laws import AnyLaw
from dpbook.privacy.statements import probability


@claim("lemma-c.1", place="Lemma C.1; with n >= d, and Talagrand's constant, which is cited")
def projected_quantiles():
    """Tail of the error of projected quantiles."""
    return Noted("about the empirical process over half-spaces; it rests on a cited inequality")


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
        "about probabilities over samples of any law; in one dimension its steps are eq-c.6 and "
        "text-c.2-spacing"
    )


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


P = AnyLaw("P")  # of the sample
GAP, MOVES = AnySize("gap"), AnySize("S")


def tail_of_spacings(quantile, size):
    """The bound of Lemma C.2 on the chance that a k-spacing is at least size / n."""
    first = exp(-n * radius**2 * density**2 + d * log(rate * n / d))
    return first + exp(-3 * density * size / (4 * k) + d * log(9) + log(n * (1 - 2 * quantile) + 1))


def at_least(function, number, name):
    """The event that a function of the sample is at least a number."""
    return Where(name, sample, function(sample), ">=", number)


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
    using=["lemma-c.2", "text-a-median"],
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
    using=["lemma-c.2", "note-c.4-core"],
    scope="Lemma C.2 is granted, whose net argument fails for d of 2 or more",
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
    using=["lemma-c.2"],
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
