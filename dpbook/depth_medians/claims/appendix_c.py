"""Appendix C: projected quantiles and spacings."""

import numpy as np
from sympy import Le, Rational, log

from dpbook.depth_medians.notation import fraction, k, n
from dpbook.engine.claim import claim
from dpbook.engine.statement import Noted, Statistical


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


@claim(
    "lemma-c.3",
    place="Lemma C.3, eq. C.7; t stands on the left and C on the right, with t = C / n",
    cites=["lemma-c.2", "text-c.3-range"],
)
def sensitivity_of_the_projected_median():
    """Tail of the projected sensitivity of the median."""
    return Noted("about probabilities over samples of any law; its proof has an empty range")


@claim(
    "lemma-c.4",
    place="Lemma C.4, eq. C.8; its proof leaves out the rows that are replaced, which does no harm "
    "(note-c.4-core)",
    cites=["lemma-c.2", "note-c.4-core"],
)
def sensitivity_of_the_projected_mad():
    """Tail of the projected sensitivity of MAD."""
    return Noted(
        "about probabilities over samples of any law; its step on each sample is note-c.4-core"
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


@claim("lemma-c.5", place="Lemma C.5", cites=["lemma-c.2"])
def sensitivity_of_the_projected_iqr():
    """Tail of the projected sensitivity of the interquartile range."""
    return Noted("about probabilities over samples of any law; it rests on Lemma C.2")
