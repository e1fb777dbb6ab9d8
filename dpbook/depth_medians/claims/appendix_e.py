"""Appendices E and F: how location and scale concentrate; a lower bound for Cauchy laws."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integer,
    Integral,
    Le,
    Lt,
    Min,
    Rational,
    erfc,
    exp,
    log,
    oo,
    pi,
    sqrt,
)

from dpbook.depth_medians.notation import (
    C,
    alpha_0,
    at,
    crossing,
    density,
    deviation,
    level,
    point,
    radius,
    rate,
    trimmed,
)
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Noted

# --- lemma E.1 and E.2 ----------------------------------------------------------------------------


@claim("lemma-e.1", place="Lemma E.1", cites=["lemma-c.1"])
def deviation_of_projected_medians():
    """Tail of the projected deviation of the median."""
    return Noted("about probabilities over samples of any law; it is Lemma C.1 at one quantile")


@claim(
    "lemma-e.2",
    place="Lemma E.2, its hypotheses on q': a density of at least M over a length r below the quantile q' has mass at "
    "most q', and r >= 1 / (3 M); it is to be below the quantile q_u in every direction, and so below that of the "
    "opposite one, 1/2 - q_u. And the proof has M / 3 in eq. E.5 where 1 / (3 M) belongs",
    cites=["note-e.2-vacuous"],
    given=lambda: [density * radius <= trimmed, radius >= 1 / (3 * density)],
    try_at=[
        {density: 1, radius: Rational(1, 3), trimmed: Rational(1, 3), crossing: Rational(1, 4)}
    ],
    fault="error",
    effect="No law meets the hypotheses (note-e.2-vacuous), so the lemma says nothing of any.",
)
def deviation_of_projected_mads():
    """Quantile of Lemma E.2, below those of two opposite directions."""
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


# --- lemma E.3 ------------------------------------------------------------------------------------


@claim(
    "lemma-e.3",
    place="Lemma E.3; the norm is that of the inverse root of the covariance, where the root itself belongs. "
    "Example 3.1 uses the right one, with beta_d",
    cites=["note-e.3", "text-e.3-mean"],
)
def deviation_of_a_trimmed_mean():
    """Tail of the deviation of trimmed mean and deviation for normal laws."""
    return Noted(
        "its constants are not specified, and for every pair of them note-e.3 has a law for which it is false"
    )


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
    "lemma-e.3-corrected-mean",
    place="Lemma E.3 in one dimension at alpha = 0, with the norm of the root; t in standard deviations of "
    "the mean, and 1/2 for its c",
    corrects=["lemma-e.3"],
    why="The variance of a projection is that of Sigma, not of its inverse.",
)
def deviation_of_a_mean():
    """Tail of the deviation of the mean of normal rows, repaired."""
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
    cites=["corollary-f.2", "text-f.1-divergence"],
)
def sample_size_for_cauchy_marginals():
    """Sample size that an error needs, for Cauchy marginals."""
    return Noted("about all estimators; it rests on a cited bound of Fano's kind")


@claim("corollary-f.2", place="Corollary F.2, cited from Acharya, Sun, Zhang (2021), Corollary 4")
def private_fano():
    """Sample size that separated laws need under privacy."""
    return Noted("cited")


@claim(
    "text-f.1-divergence",
    place="Appendix F, its last display, coordinate by coordinate: p is the difference of two coordinates",
)
def divergence_of_cauchy_laws_bounded():
    """Divergence of two Cauchy laws, bounded by a square."""
    return Le(log(1 + Abs(point) ** 2 / 4), point**2 / 4)


@claim(
    "text-f.1-packing",
    place="Appendix F, its last display: the squared distance over 4, of parameters at distance at most "
    "8 alpha",
    given=lambda: [level <= 8 * alpha_0],
)
def divergence_within_the_packing():
    """Divergence of two laws of the packing."""
    return Le(level**2 / 4, 16 * alpha_0**2)
