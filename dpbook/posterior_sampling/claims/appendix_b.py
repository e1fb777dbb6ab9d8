"""Appendix B: Le Cam's method."""

from sympy import Ge, Le, Rational, cosh, exp, log, sqrt

from dpbook import Noted, claim, step
from dpbook.posterior_sampling.notation import (
    a,
    draws,
    gap,
    risk_1,
    variation,
)


@claim("eq-b.1", place="eq. B.1")
def family_of_posteriors():
    """Family of posteriors."""
    return Noted("a definition: the posteriors of all datasets, under one prior")


@claim("eq-b.2", place="eq. B.2")
def distance_of_sets():
    """Distance of two sets of datasets."""
    return Noted("a definition: the infimum over their members")


@claim("text-b-rate", place="Appendix B, last sentence; a lower bound is of order Omega, not O")
def rate_of_the_minimax_risk():
    """Rate of the minimax risk."""
    return Noted("a citation of Yu (1997); note-le-cam-rate is such a bound under assumption 1")


def affinity_of_draws():
    """Least affinity of T draws under assumption 1, squared."""
    return 1 / cosh(a / 2) ** (2 * draws)


@claim(
    "note-le-cam",
    place="Lemma 8 for two datasets under assumption 1 and T draws: Delta is half their distance; "
    "the conditions are note-variation-affinity with note-affinity, and lemma-8 with an overlap "
    "of 1 - V",
    given=lambda: [
        variation**2 <= 1 - affinity_of_draws(),
        risk_1 >= gap * (1 - variation),
    ],
)
def risk_under_assumption_1():
    """Risk of an estimator of the data from T draws."""
    return Ge(risk_1, gap * (1 - sqrt(1 - affinity_of_draws())))


@claim(
    "note-le-cam-rate",
    place="Lemma 8 for two datasets at a distance of at most 1 / (L sqrt(T)); where it is that, "
    "Delta / 2 is 1 / (4 L sqrt(T))",
    given=[a**2 * draws <= 1],
    proof=lambda: [
        step("a hyperbolic cosine", Le(log(cosh(a / 2)), a**2 / 8)),
        step("its power", Le(cosh(a / 2) ** (2 * draws), exp(a**2 * draws / 4))),
        step("a number", Le(exp(a**2 * draws / 4), Rational(4, 3))),
        step("the affinity", Ge(affinity_of_draws(), Rational(3, 4))),
    ],
)
def rate_of_the_risk():
    """Risk of an estimator of the data from T draws, at the best distance."""
    return Ge(gap * (1 - sqrt(1 - affinity_of_draws())), gap / 2)
