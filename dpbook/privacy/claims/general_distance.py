"""The test of propose-test-release: a distance with Laplace noise, beside a threshold.

The number of records that have to change before a bound fails is a distance between datasets; one
more change moves it by at most 1, so Laplace noise hides whether the test passes.
"""

from sympy import Abs, Le, exp, log

from dpbook import Every, Relation, claim, step
from dpbook.privacy.any_distributions import AnyScore
from dpbook.privacy.claims.general_threshold import below
from dpbook.privacy.claims.sources import DWORK_LEI
from dpbook.privacy.notation import (
    delta,
    epsilon,
    first_outcome,
    last_outcome,
    multiple,
    other_multiple,
    other_outcome,
    scale,
    third_multiple,
)

# --- the distance -----------------------------------------------------------------------------------

HERE, THERE = (AnyScore(name, last_outcome) for name in "uv")


def steps_apart():
    """State that every dataset is at most one step further from the neighbour.

    `multiple` is at most the distance of the nearest from the neighbour.
    """
    inside = (Relation(other_outcome, "<=", last_outcome),)
    one_step = Le(THERE(other_outcome), HERE(other_outcome) + 1)
    nearest = Le(multiple, THERE(other_outcome))
    return [
        first_outcome <= last_outcome,
        Every(other_outcome, one_step, inside),
        Every(other_outcome, nearest, inside),
    ]


@claim(
    "distance-moved",
    source=DWORK_LEI,
    place="propose-test-release: the distance to datasets on which the bound fails",
    given=steps_apart,
)
def distance_from_a_neighbour():
    """Distance of a neighbour from the nearest of some datasets, by the distance from any of them."""
    return Le(multiple, HERE(first_outcome) + 1)


# --- the test ---------------------------------------------------------------------------------------


def rest(distance):
    """Return the number that the noise has to exceed for the test to pass."""
    return third_multiple - distance


@claim(
    "laplace-below-ratio",
    source=DWORK_LEI,
    place="propose-test-release: the noise of the test is shifted",
    given=lambda: [multiple <= other_multiple + epsilon * scale],
    proof=lambda: [
        step(
            "the higher level", exp(multiple / scale) <= exp(epsilon) * exp(other_multiple / scale)
        ),
        step("the loss", exp(epsilon) >= 1),
        step(
            "the other way", exp(-other_multiple / scale) <= exp(epsilon) * exp(-multiple / scale)
        ),
    ],
)
def ratio_of_laplace_distributions():
    """Probability that Laplace noise lies below a level, by the probability for a lower level."""
    return Le(below(multiple), exp(epsilon) * below(other_multiple))


@claim(
    "test-of-a-distance",
    source=DWORK_LEI,
    place="propose-test-release: noise of the scale 1/epsilon, for distances that differ by at most 1",
    given=lambda: [Abs(multiple - other_multiple) <= epsilon * scale],
    using=[
        (
            "laplace-above-ratio",
            lambda: {multiple: rest(multiple), other_multiple: rest(other_multiple)},
        ),
        (
            "laplace-below-ratio",
            lambda: {multiple: rest(multiple), other_multiple: rest(other_multiple)},
        ),
    ],
)
def chances_of_a_test():
    """Probability that a noisy distance exceeds a threshold, and that it does not, by the probability on a neighbour."""
    here, there = (below(rest(one)) for one in (multiple, other_multiple))
    return [Le(1 - here, exp(epsilon) * (1 - there)), Le(here, exp(epsilon) * there)]


@claim(
    "test-at-no-distance",
    source=DWORK_LEI,
    place="propose-test-release: where the bound fails, with the threshold log(1/delta)/epsilon",
    given=lambda: [epsilon > 0],
    proof=lambda: [step("the threshold is positive", log(1 / delta) > 0)],
)
def chance_of_a_test_where_the_bound_fails():
    """Probability that a noisy distance of 0 exceeds the threshold."""
    return Le(1 - below(scale * log(1 / delta)), delta)
