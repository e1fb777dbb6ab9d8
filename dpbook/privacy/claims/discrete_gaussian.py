"""Discrete Gaussian noise on the integers: sums without an end, of which the place of the cut is free.

Canonne, Kamath and Steinke sum by Poisson's formula. For what is said here the integers are enough:
the noise is moved by whole steps.
"""

from sympy import Abs, Eq, Ge, Integer, Lambda, Le, Symbol, exp

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Relation
from dpbook.privacy.claims.integer_sums import G, cut_at, from_0, g, size
from dpbook.privacy.claims.sources import CANONNE, HERE
from dpbook.privacy.laws import DiscreteGaussian
from dpbook.privacy.notation import (
    count,
    epsilon,
    integer_output,
    mu_1,
    other_count,
    sigma_1,
)

AROUND_0 = DiscreteGaussian(Integer(0), sigma_1)
FIRST, SECOND = (DiscreteGaussian(one, sigma_1) for one in (count, other_count))


def fall(center):
    """How large a weight times a square gets."""
    return 1 + 2 * center**2 + 4 * sigma_1**2


def weight():
    """Weight of an integer under Gaussian noise around any number."""
    return DiscreteGaussian(mu_1, sigma_1).weight(integer_output)


def square():
    """Square of the distance of an integer from that number, in units of the noise."""
    return (integer_output - mu_1) ** 2 / (2 * sigma_1**2)


@claim(
    "gaussian-weight-falls",
    source=HERE,
    proof=lambda: [
        step("the exponential function", exp(square()) >= 1 + square()),
        step("its inverse", weight() * (1 + square()) <= 1),
        step("the squares", 1 + integer_output**2 <= fall(mu_1) * (1 + square())),
        step(
            "times the weight",
            weight() * (1 + integer_output**2) <= weight() * (fall(mu_1) * (1 + square())),
        ),
        step("so far", weight() * (1 + integer_output**2) <= fall(mu_1)),
        step("the size", Eq(Abs(weight()), weight())),
    ],
)
def weight_falls():
    """Weight of an integer under Gaussian noise, which falls faster than a square."""
    return Le(Abs(weight()) * (1 + integer_output**2), fall(mu_1))


def weights(center, then=None):
    """What puts the weights around a center in for numbers that fall like a square."""
    t = Symbol("t", real=True)
    law = DiscreteGaussian(center, sigma_1)
    return {G: Lambda((t,), law.weight(t)), size: fall(center), count: Integer(0) if then is None else then}


def halves(law, place):
    """Weights from an integer up, and down from the one before, added up."""
    return (
        from_0(lambda i: law.weight(place + i)),
        from_0(lambda i: law.weight(place - 1 - i)),
    )


@claim(
    "gaussian-weights-cut",
    source=HERE,
    using=[
        ("gaussian-weight-falls", lambda: {integer_output: integer_output, mu_1: mu_1}),
        ("sum-cut-anywhere", lambda: weights(mu_1, count)),
    ],
)
def weights_cut_anywhere():
    """Weights around any number, added up over all integers, from any integer up and down."""
    law = DiscreteGaussian(mu_1, sigma_1)
    here, there = (halves(law, place) for place in (count, Integer(0)))
    return [Eq(sum(here), sum(there)), *(Ge(part, 0) for part in (*here, *there))]


@claim(
    "gaussian-total",
    source=HERE,
    using=[
        ("gaussian-weight-falls", lambda: {integer_output: integer_output, mu_1: Integer(0)}),
        ("sum-from-the-next", lambda: weights(Integer(0))),
        ("gaussian-weights-cut", lambda: {mu_1: Integer(0), count: Integer(0)}),
        ("gaussian-weights-cut", lambda: {mu_1: Integer(0), count: Integer(1)}),
    ],
)
def total_of_the_weights():
    """Total of the weights around 0, of which one is 1."""
    return Ge(AROUND_0.total, 1)


UP_AND_DOWN = (lambda i: i, lambda i: -1 - i)


@claim(
    "discrete-gaussian-total",
    source=CANONNE,
    place="Definition 1",
    using=[
        "gaussian-total",
        ("gaussian-weights-cut", lambda: {mu_1: Integer(0), count: -count}),
    ],
)
def masses_of_discrete_gaussian_noise():
    """Masses of discrete Gaussian noise around an integer, added up over all integers."""
    up, down = (from_0(lambda i, at=at: FIRST.density(at(i))) for at in UP_AND_DOWN)
    return Eq(up + down, 1)
