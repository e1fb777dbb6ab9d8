"""Noisy answers and a noisy threshold: the outcome that no answer lies above it, however many there are.

The noise of all answers is held; a shift of the noise of the threshold carries what happens on one
dataset to what happens on its neighbour.
"""

import sympy
from sympy import Eq, Integral, Lambda, Le, Symbol, exp, oo

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Relation
from dpbook.privacy.claims.general_selection import (
    ANY_FUNCTION,
    FIRST,
    SECOND,
    near,
    put_in,
)
from dpbook.privacy.claims.sources import LYU_SU_LI
from dpbook.privacy.laws import Laplace
from dpbook.privacy.notation import (
    at,
    epsilon,
    first_outcome,
    mean_distance,
    more,
    mu_1,
    mu_2,
    multiple,
    outcome,
    scale,
)

t = Symbol("t", real=True)


def wide():
    """That the threshold's noise is wide enough for a shift by the distance of two answers."""
    return Relation(2 * mean_distance, "<=", epsilon * scale)


# --- no answer above ---------------------------------------------------------------------------------


def bar(level):
    """Density of the noisy threshold."""
    return Laplace(mu_1, scale).density(level)


def under(law, level, number=first_outcome):
    """Density of the noisy threshold, where so many answers lie below it."""
    with sympy.evaluate(False):
        return bar(level) * law.below(number, 0, level)


def shifted_bar():
    """The values of the lemma of a Laplace law: the threshold, and what it is moved to."""
    return {mu_2: mu_1 - mean_distance, epsilon: epsilon / 2, at: at}


THRESHOLD = ("laplace-ratio", shifted_bar)


@claim(
    "none-above-moved",
    source=LYU_SU_LI,
    place="Theorem 2, proof: the threshold is shifted, for the answers below it",
    given=lambda: [near(), wide()],
    using=[THRESHOLD, ("below-moved", lambda: {more: first_outcome, outcome: 0})],
    proof=lambda: [
        step("the threshold", bar(at) <= exp(epsilon / 2) * bar(at + mean_distance)),
    ],
)
def density_of_a_threshold_above_all():
    """Density of a noisy threshold above some answers, by that on a neighbour, moved up."""
    return Le(
        under(FIRST, at),
        exp(epsilon / 2) * under(SECOND, at + mean_distance),
    )


def integrand(law):
    """What is integrated for the probability that no answer lies above the threshold."""
    return Lambda((t,), under(law, t))


def none_above(law):
    """Probability that none of the first answers lies above the noisy threshold."""
    return Integral(under(law, t), (t, -oo, oo))


@claim(
    "none-above-exists",
    source=LYU_SU_LI,
    place="Theorem 2, proof",
    using=[("laplace-total", lambda: {mu_1: mu_1})],
)
def probability_of_none_above():
    """Probability that none of the first noisy answers lies above a noisy threshold."""
    return Le(none_above(FIRST), 1)


def moved_none():
    """Probability of none above on the neighbour, by the noise that is moved up."""
    return Integral(under(SECOND, t + mean_distance), (t, -oo, oo))


@claim(
    "none-above-mass",
    source=LYU_SU_LI,
    place="Theorem 2, for the outcome that no answer is above the threshold",
    given=lambda: [near(), wide()],
    using=[
        ("integral-moved", lambda: {ANY_FUNCTION: integrand(SECOND), multiple: mean_distance}),
        ("none-above-moved", lambda: {at: at}),
        ("none-above-exists", lambda: {}),
        ("none-above-exists", lambda: put_in([(FIRST, SECOND)])),
    ],
    proof=lambda: [
        step("the noise, shifted", Eq(moved_none(), none_above(SECOND))),
        step("point by point", Le(none_above(FIRST), exp(epsilon / 2) * moved_none())),
    ],
)
def probability_that_none_is_above():
    """Probability that none of the first answers lies above the threshold, by that on a neighbour."""
    return Le(none_above(FIRST), exp(epsilon / 2) * none_above(SECOND))
