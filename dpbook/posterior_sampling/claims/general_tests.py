"""Pinsker's inequality, Le Cam's method and tests of draws, for any two distributions and any estimator.

Distributions on the line stand for posteriors of any kind (`privacy.any_distributions`).
"""

from typing import Any

from sympy import Abs, Eq, Ge, Integer, Integral, Lambda, Le, Min, Or, Piecewise, oo, sqrt

from dpbook import Every, claim, step
from dpbook.posterior_sampling.any_models import Nonnegative, divergence, loss_or_zero
from dpbook.posterior_sampling.notation import (
    difference_1,
    gap,
    parameter,
    share_1,
    share_2,
    size,
    variation_1,
    worst,
)
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent, distribution_for
from dpbook.privacy.distributions import Mixture
from dpbook.privacy.divergences import total_variation
from dpbook.privacy.notation import density_1, density_3, multiple
from dpbook.privacy.statements import probability

P, Q = AnyDistribution("P"), AnyDistribution("Q")
A = AnyEvent("A")


def over_line(body):
    """Integral over the line."""
    return Integral(body(parameter), (parameter, -oo, oo))


def difference(at):
    """Absolute difference of the two densities."""
    return Abs(Q.density(at) - P.density(at))


# --- Pinsker --------------------------------------------------------------------------------------


@claim("note-l1", place="the l1 norm, and the total variation distance")
def l1_norm():
    """l1 norm of the difference of two distributions."""
    return Eq(over_line(difference), 2 * total_variation(Q, P))


def or_one(number):
    """A number that is not negative, with 1 in place of 0."""
    return Piecewise((number, number > 0), (Integer(1), True), evaluate=False)


def square_and_loss(loss):
    """Bound of a difference of two densities, times any number."""
    squares = multiple**2 * (2 * density_1 + 4 * density_3) / 3
    return squares + loss - density_1 + density_3


@claim(
    "note-difference-and-loss",
    place="eq. A.5 at a point, where q or both densities may be 0",
    given=lambda: [Or(density_3 > 0, Eq(density_1, 0))],
    using=[
        (
            "privacy:difference-below-loss",
            lambda: {density_1: or_one(density_1), density_3: or_one(density_3)},
        )
    ],
    proof=lambda: [
        step(
            "where q is 0",
            Le(2 * multiple * density_3, multiple**2 * 4 * density_3 / 3 + density_3),
        ),
    ],
)
def difference_and_loss_at_a_point():
    """Difference of two densities times any number, below a square and the loss."""
    return Le(
        2 * multiple * Abs(density_1 - density_3),
        square_and_loss(loss_or_zero(density_1, density_3)),
    )


def continuous():
    """State that Q has probability only where P has: its divergence is infinite otherwise."""
    return Every(parameter, Or(P.density(parameter) > 0, Eq(Q.density(parameter), 0)))


@claim(
    "note-difference-everywhere",
    place="eq. A.5, at a point",
    given=lambda: [continuous()],
    using=[
        (
            "note-difference-and-loss",
            lambda: {density_1: Q.density(parameter), density_3: P.density(parameter)},
        )
    ],
    proof=lambda: [
        step("at the point", Or(P.density(parameter) > 0, Eq(Q.density(parameter), 0))),
    ],
)
def difference_and_loss_everywhere():
    """Difference of two densities at a point, times any number, by a square and the loss."""
    first, second = Q.density(parameter), P.density(parameter)
    squares = multiple**2 * (2 * first + 4 * second) / 3
    return Le(
        2 * multiple * difference(parameter),
        squares + loss_or_zero(first, second) - first + second,
    )


@claim(
    "note-pinsker-laws",
    place="eq. A.5, for any number",
    given=lambda: [continuous(), Ge(divergence(Q, P), 0)],
    using=[("note-difference-everywhere", lambda: {parameter: parameter})],
    proof=lambda: [
        step(
            "integrated",
            Le(
                2 * multiple * over_line(difference),
                multiple**2 * (2 * over_line(Q.density) + 4 * over_line(P.density)) / 3
                + divergence(Q, P)
                - over_line(Q.density)
                + over_line(P.density),
            ),
        )
    ],
)
def distance_below_a_loss():
    """Distance of two distributions times any number, below its square and the divergence."""
    return Le(2 * multiple * over_line(difference), 2 * multiple**2 + divergence(Q, P))


@claim(
    "eq-a.5",
    place="eq. A.5, for any two distributions, where the divergence is finite: so Q has no probability where P has none",
    given=lambda: [continuous(), Ge(divergence(Q, P), 0)],
    using=[("note-pinsker-laws", lambda: {multiple: over_line(difference) / 2})],
)
def pinsker():
    """Pinsker's inequality."""
    return Ge(divergence(Q, P), over_line(difference) ** 2 / 2)


@claim("note-event", place="the event of the largest difference")
def event_and_total_variation():
    """Probabilities of an event under two distributions, by their total variation."""
    return Le(probability(P, A) - probability(Q, A), total_variation(P, Q))


@claim(
    "note-size-and-square",
    place="used by text-a-theorem-2",
    given=lambda: [
        difference_1 <= variation_1,
        -difference_1 <= variation_1,
        2 * variation_1**2 <= size,
    ],
    proof=lambda: [
        step("the size", Le(Abs(difference_1), variation_1)),
        step("its square", Le(Abs(difference_1) ** 2, size / 2)),
    ],
)
def size_from_a_square():
    """Size of a number, from the square of a bound."""
    return Le(Abs(difference_1), sqrt(size / 2))


# --- Le Cam ---------------------------------------------------------------------------------------

FIRST, SECOND = Nonnegative("r_1"), Nonnegative("r_2")


def common():
    """Integral of the smaller of two densities."""
    return over_line(lambda at: Min(P.density(at), Q.density(at)))


def risk(distribution, distance):
    """Mean distance of a guess from a set, under a distribution of the draws."""
    return over_line(lambda at: distribution.density(at) * distance(at))


@claim(
    "note-lemma-8-two-laws",
    place="Lemma 8 for two distributions: r_1 and r_2 are the distances of a guess from two sets of datasets",
    given=lambda: [
        Every(parameter, Ge(FIRST(parameter) + SECOND(parameter), 2 * gap)),
        Ge(risk(P, FIRST), 0),
        Ge(risk(Q, SECOND), 0),
    ],
)
def risks_of_two_distributions():
    """Sum of the risks of an estimator under two distributions."""
    return Ge(risk(P, FIRST) + risk(Q, SECOND), 2 * gap * common())


POSTERIORS = {
    1: (AnyDistribution("P_1"), AnyDistribution("P_2")),
    2: (AnyDistribution("Q_1"), AnyDistribution("Q_2")),
}
DISTANCES = {
    1: (Nonnegative("d_1"), Nonnegative("d_2")),
    2: (Nonnegative("e_1"), Nonnegative("e_2")),
}


def mixture(side):
    """A mixture of the posteriors of two datasets of a set."""
    share = {1: share_1, 2: share_2}[side]
    return Mixture(POSTERIORS[side], [share, 1 - share])


def nearest(side):
    """The distance of the guess from the nearer dataset of a set."""
    first, second = DISTANCES[side]
    return lambda at: Min(first(at), second(at))


def risks(side):
    """Mean distances of the guess from two datasets, each under its posterior."""
    return [
        risk(distribution, distance)
        for distribution, distance in zip(POSTERIORS[side], DISTANCES[side], strict=True)
    ]


def mixed_risk(side):
    """Mean distance of the guess from the nearer dataset, under the mixture."""
    return over_line(lambda at: mixture(side).density(at) * nearest(side)(at))


def far_apart():
    """State that the distances of a guess from a dataset of each set add up to twice the gap."""
    return [
        Every(parameter, Ge(first(parameter) + second(parameter), 2 * gap))
        for first in DISTANCES[1]
        for second in DISTANCES[2]
    ]


@claim("note-lemma-8-nearest", place="Lemma 8: the nearer datasets", given=far_apart)
def distances_from_the_nearer_datasets():
    """Distances of a guess from the nearer dataset of each of two sets."""
    return Every(parameter, Ge(nearest(1)(parameter) + nearest(2)(parameter), 2 * gap))


@claim(
    "note-lemma-8-mixture",
    place="Lemma 8: the risk under a mixture is at most the largest",
    given=lambda: [
        *(tree for one in risks(1) for tree in (Le(one, worst), Ge(one, 0))),
        Ge(mixed_risk(1), 0),
    ],
    proof=lambda: [
        step(
            "the nearer dataset",
            Le(mixed_risk(1), share_1 * risks(1)[0] + (1 - share_1) * risks(1)[1]),
        ),
        step(
            "a mean",
            Le(share_1 * risks(1)[0] + (1 - share_1) * risks(1)[1], worst),
        ),
    ],
)
def risk_of_a_mixture():
    """Risk of an estimator under a mixture of posteriors."""
    return Le(mixed_risk(1), worst)


def other_set():
    """The second set in place of the first."""
    found: dict[Any, Any] = {}
    for mine, theirs in zip(POSTERIORS[1], POSTERIORS[2], strict=True):
        found |= distribution_for(mine, theirs)
    for mine, theirs in zip(DISTANCES[1], DISTANCES[2], strict=True):
        found[mine] = Lambda((parameter,), theirs(parameter))
    return found


def smaller():
    """Integral of the smaller density of two mixtures."""
    return over_line(lambda at: Min(mixture(1).density(at), mixture(2).density(at)))


@claim(
    "lemma-8",
    scope="mixtures of two posteriors of each set, from which those of more follow one by one",
    place="Lemma 8, eq. B.3, for any estimator: d_1 and d_2 are the distances of its guess at a draw from two "
    "datasets of the first set, P_1 and P_2 their posteriors; e_i and Q_i those of the second. W is any bound "
    "on the risk at these datasets, such as the supremum over all",
    given=lambda: [
        *far_apart(),
        *(tree for side in (1, 2) for one in risks(side) for tree in (Le(one, worst), Ge(one, 0))),
        Ge(mixed_risk(1), 0),
        Ge(mixed_risk(2), 0),
    ],
    using=[
        "note-lemma-8-nearest",
        "note-lemma-8-mixture",
        (
            "note-lemma-8-mixture",
            lambda: {share_1: share_2, **other_set()},
        ),
        (
            "note-lemma-8-two-laws",
            lambda: {
                **distribution_for(P, mixture(1)),
                **distribution_for(Q, mixture(2)),
                FIRST: Lambda((parameter,), nearest(1)(parameter)),
                SECOND: Lambda((parameter,), nearest(2)(parameter)),
            },
        ),
    ],
    proof=lambda: [
        step(
            "two mixtures",
            Ge(mixed_risk(1) + mixed_risk(2), 2 * gap * smaller()),
        ),
    ],
)
def risk_of_a_guess():
    """Le Cam's bound on the risk of an estimator of the data."""
    return Ge(worst, gap * smaller())
