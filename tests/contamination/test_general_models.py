"""Proposition 3, Theorems 5 and 15, Lemma 9: on finite models by their definitions, and what must not be proved."""

from itertools import product
from math import exp, sqrt

import numpy as np
import pytest
from sympy import Ge, Le, evaluate

from dpbook.contamination.any_models import integral
from dpbook.contamination.claims.general_models import lost, ratio_of, share_of
from dpbook.contamination.notation import odds, slack, y_2
from dpbook.engine.language.statement import Every
from dpbook.engine.language.task import make_task
from dpbook.engine.prove.certify import certify


def distributions(rng, count, outcomes):
    return rng.dirichlet(np.ones(outcomes), size=count)


def contaminated(distribution, strange, rate):
    return (1 - rate) * distribution + rate * strange


def hellinger(first, second):
    return float(np.sum((np.sqrt(first) - np.sqrt(second)) ** 2)) / 2


@pytest.mark.parametrize("seed", range(30))
def test_contaminated_distributions_are_as_far_apart_as_proposition_3_says(seed):
    rng = np.random.default_rng(seed)
    true, other, strange = distributions(rng, 3, 4)
    rate = rng.uniform(0, 1)
    mixed = [contaminated(distribution, strange, rate) for distribution in (true, other)]
    assert sqrt(hellinger(*mixed)) >= (1 - rate) * hellinger(true, other) / sqrt(2) - 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_information_of_contaminated_records_converges(seed):
    rng = np.random.default_rng(seed)
    distribution, strange = distributions(rng, 2, 5)
    slopes = rng.normal(size=(2, 5))
    clean = float(np.sum(slopes[0] * slopes[1] / distribution))
    size = np.abs(slopes[0] * slopes[1]) / distribution
    gaps = []
    for rate in (0.3, 0.03, 0.003, 0.0003):
        mixed = contaminated(distribution, strange, rate)
        gaps.append(abs(float(np.sum((1 - rate) ** 2 * slopes[0] * slopes[1] / mixed)) - clean))
        change = rate / (1 - rate)
        assert gaps[-1] <= float(np.sum(lost(size, strange / distribution, change))) + 1e-12
    assert gaps[-1] < 0.02 * (1 + float(size.sum()) * float((strange / distribution).max()))


@pytest.mark.parametrize("seed", range(10))
def test_a_sum_is_large_as_rarely_as_bernstein_says(seed):
    rng = np.random.default_rng(seed)
    weights, values, n = distributions(rng, 1, 3)[0], rng.normal(size=3), 5
    centred = values - float(weights @ values)
    variance, top = float(weights @ centred**2), float(np.abs(centred).max())
    for deviation in (0.1, 0.5, 1.0, 2.0):
        chance = 0.0
        for records in product(range(3), repeat=n):
            if sum(centred[r] for r in records) > sqrt(n) * deviation:
                chance += float(np.prod([weights[r] for r in records]))
        bound = exp(-(deviation**2) / (2 * (variance + top * deviation / (3 * sqrt(n)))))
        assert chance <= bound + 1e-12


@pytest.mark.parametrize("seed", range(20))
def test_a_bracket_becomes_a_smaller_one_when_the_rate_is_raised(seed):
    rng = np.random.default_rng(seed)
    distribution, strange = distributions(rng, 2, 4)
    less, rate = sorted(rng.uniform(0, 1, 2))
    low, high = (
        contaminated(distribution, strange, less) * (1 + s * rng.uniform(0, 1, 4)) for s in (-1, 1)
    )
    left = (1 - rate) / (1 - less)
    ends = [left * end + (1 - left) * strange for end in (low, high)]
    mixed = contaminated(distribution, strange, rate)
    assert np.all(ends[0] <= mixed + 1e-12)
    assert np.all(mixed <= ends[1] + 1e-12)
    assert hellinger(*ends) <= left * hellinger(low, high) + 1e-12


@pytest.mark.parametrize("seed", range(20))
def test_the_end_of_a_bracket_is_as_far_away_as_appendix_b_2_repaired_says(seed):
    rng = np.random.default_rng(seed)
    true, other = distributions(rng, 2, 4)
    end = other * (1 + rng.uniform(0, 3, 4))  # the upper end of a bracket
    radius = max(hellinger(true, other), hellinger(end, other))
    assert 2 * hellinger(end, true) <= 8 * radius + 1e-12


@pytest.mark.parametrize("seed", range(20))
def test_contamination_at_run_time_keeps_the_privacy_of_remark_2(seed):
    rng = np.random.default_rng(seed)
    rate, outcomes = rng.uniform(0, 1), 3
    strange = distributions(rng, 1, outcomes)[0]
    answers = rng.uniform(0, 1, (outcomes, outcomes))  # of two records, in this order
    epsilon = 0.3
    delta = max(
        0.0,
        max(
            answers[kept, one] - exp(epsilon) * answers[kept, other]
            for kept, one, other in product(range(outcomes), repeat=3)
        ),
    )

    def chance(first, last):
        channel = [(1 - rate) * np.eye(outcomes)[r] + rate * strange for r in (first, last)]
        return float(channel[0] @ answers @ channel[1])

    for first, one, other in product(range(outcomes), repeat=3):
        assert chance(first, one) <= exp(epsilon) * chance(first, other) + delta + 1e-12


def vanishing(total, bound):
    """That a number is at most a bound which integrals are at least for all rates."""
    above = Every(odds, Le(slack, integral(lost(share_of(y_2), ratio_of(y_2), odds), y_2)))
    return Le(slack, bound), [*([Ge(integral(total, y_2), 0)] if total is not None else []), above]


@pytest.mark.parametrize(
    ("integrable", "bound", "proved"), [(True, 0, True), (True, -1, False), (False, 0, False)]
)
def test_dominated_convergence_needs_an_integral_that_exists(integrable, bound, proved):
    with evaluate(False):
        claim, given = vanishing(share_of(y_2) if integrable else None, bound)
        task = make_task(claim, given)
    assert (certify(task) is not None) is proved
