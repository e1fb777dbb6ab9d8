"""The test of propose-test-release: what is proved of its distance and its noise, and near misses."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import sympy
from sympy import Abs, Rational

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.lemmas import lemmas_used
from dpbook.engine.language.task import make_task
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.sequents import sequent_of
from dpbook.privacy.mechanisms import distance_to_instability
from dpbook.privacy.notation import epsilon, multiple, other_multiple, scale

FURTHER = Rational(101, 100)


def found(key, given):
    """Whether a claim has a certificate under other conditions."""
    claim = find(key)
    with sympy.evaluate(False):
        task = replace(claim.task(lemmas_used(claim)), given=make_task(claim.form, given).given)
    lemmas = {k: sequent_of(find(k).form, find(k).given) for k in claim.using}
    return certify(task, lemmas, budget=30, depths=(0, 1)) is not None


def test_distances_further_apart_than_the_noise_hides_are_not_proved():
    apart = Abs(multiple - other_multiple)
    assert not found("privacy:test-of-a-distance", [apart <= FURTHER * epsilon * scale])
    assert not found(
        "privacy:laplace-below-ratio", [multiple <= other_multiple + FURTHER * epsilon * scale]
    )


def passes(distance, threshold, spread):
    """Probability that a distance with Laplace noise exceeds a threshold, from the definition."""
    away = threshold - distance
    tail = math.exp(-abs(away) / spread) / 2
    return tail if away >= 0 else 1 - tail


@pytest.mark.parametrize("apart", [1.0, 1.01])
def test_chances_of_the_test_are_within_the_factor_up_to_the_scale_of_the_noise(apart):
    within = []
    for start, loss in product(np.arange(-3, 8, 0.25), (0.1, 1.0, 4.0)):
        pairs = [
            [passes(sign * d, sign * 4.0, 1 / loss) for d in (start, start + apart)]
            for sign in (1, -1)  # the test passes, or does not
        ]
        for here, there in pairs:
            within.append(max(here, there) <= math.exp(loss) * min(here, there) * (1 + 1e-12))
    assert all(within) == (apart == 1.0)


@pytest.mark.parametrize("chance", [0.5, 1e-3, 1e-9])
def test_passes_with_half_of_delta_where_the_bound_fails(chance):
    assert passes(0, math.log(1 / chance) / 2, 0.5) == pytest.approx(chance / 2)


def test_distance_of_all_small_datasets_changes_by_at_most_1():
    # of all datasets of three records among 0, 1, 2, 5, and all their neighbours: the farthest is 1
    values, changes = (0, 1, 2, 5), set()
    for records in product(values, repeat=3):
        for place, other in product(range(3), values):
            neighbour = (*records[:place], other, *records[place + 1 :])
            for bound in (0.5, 1, 2, 3):
                changes.add(
                    distance_to_instability(records, bound)
                    - distance_to_instability(neighbour, bound)
                )
    assert changes == {-1, 0, 1}
