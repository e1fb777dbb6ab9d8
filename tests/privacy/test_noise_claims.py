"""Noise in many coordinates, at a smooth sensitivity, and behind a test: what is proved, and near misses."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import sympy
from sympy import Le, exp

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.lemmas import lemmas_used
from dpbook.engine.language.statement import Relation
from dpbook.engine.language.task import make_task
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.sequents import sequent_of
from dpbook.engine.run.decide import tried
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.claims import general_noise as noise
from dpbook.privacy.coordinates import Independent
from dpbook.privacy.distributions import Cauchy
from dpbook.privacy.divergences import total_variation
from dpbook.privacy.notation import at, epsilon, mu_1, mu_2, queries, rho, scale, sigma_1

BUDGET = 40  # goals


def lemmas_of(claim):
    return {key: sequent_of(find(key).form, find(key).given) for key in claim.using}


def with_conditions(key, change):
    """The task of a claim with other conditions, and its lemmas."""
    claim = find(key)
    with sympy.evaluate(False):
        given = make_task(claim.form, change()).given
    return replace(claim.task(lemmas_used(claim)), given=given), lemmas_of(claim)


NEAR_MISSES = {
    "Laplace noise, a distance a hair larger": (
        "privacy:laplace-mechanism-many",
        lambda: [
            Relation(noise.TAXICAB(queries), "<=", sympy.Rational(101, 100) * epsilon * scale)
        ],
    ),
    "Laplace noise, the distance without the last value": (
        "privacy:laplace-mechanism-many",
        lambda: [Relation(noise.TAXICAB(queries - 1), "<=", epsilon * scale)],
    ),
    "Gaussian noise, a distance a hair larger": (
        "privacy:gaussian-mechanism-many-one-way",
        lambda: [
            Relation(noise.SQUARES(queries), "<=", sympy.Rational(201, 100) * sigma_1**2 * rho),
            Relation(noise.concentrated_loss(), "<=", epsilon),
        ],
    ),
    "independent distributions, a loss a hair larger": (
        "privacy:pure-of-coordinates",
        lambda: [
            noise.within(noise.P, noise.Q),
            noise.within(noise.Q, noise.P),
            Relation(noise.so_far(queries), "<=", sympy.Rational(101, 100) * epsilon),
        ],
    ),
}


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_conditions_that_are_a_hair_too_weak_prove_nothing(name):
    key, weaker = NEAR_MISSES[name]
    task, lemmas = with_conditions(key, lambda: find(key).given)
    assert certify(task, lemmas) is not None
    task, lemmas = with_conditions(key, weaker)
    assert certify(task, lemmas, budget=BUDGET, depths=(0, 1)) is None


def test_two_independent_outputs_that_are_no_further_apart_than_the_first_are_refuted():
    both = [Independent(distribution, noise.j, 2) for distribution in (noise.P, noise.Q)]
    first = [AnyDistribution(distribution.name, 0) for distribution in (noise.P, noise.Q)]
    with sympy.evaluate(False):
        task = make_task(Le(total_variation(*both), total_variation(*first)))
    assert tried(task).verdict is Verdict.REFUTED


def test_cauchy_noise_with_half_of_the_loss_of_its_distance_is_refuted():
    first, second = Cauchy(mu_1, scale), Cauchy(mu_2, scale)
    with sympy.evaluate(False):
        smaller = Le(first.density(at), exp(epsilon / 2) * second.density(at))
        task = make_task(smaller, [sympy.Abs(mu_1 - mu_2) <= epsilon * scale])
    assert tried(task).verdict is Verdict.REFUTED


def cauchy(center, spread, outputs):
    return spread / (np.pi * (spread**2 + (outputs - center) ** 2))


def test_cauchy_noise_at_a_smooth_sensitivity_is_private_and_needs_its_conditions():
    outputs = np.linspace(-50, 50, 20_001)
    for bound, factor in product((0.5, 1.0, 3.0), (1.0, 1.3, 2.0)):
        for loss in (0.2, 1.0, 2.5):
            spreads = [2 * b / loss for b in (bound, bound * factor)]
            ratio = cauchy(bound, spreads[0], outputs) / cauchy(0.0, spreads[1], outputs)
            assert ratio.max() <= factor * math.exp(loss) + 1e-12
    outputs = np.linspace(-3, 3, 6_001)  # at one scale the loss is near the distance, no less
    ratio = cauchy(0.2, 1.0, outputs) / cauchy(0.0, 1.0, outputs)
    assert math.exp(0.99 * 0.2) < ratio.max() < math.exp(0.2)
    claim = find("privacy:smooth-sensitivity")
    for dropped in (None, 1, 3):  # a distance of the values, a ratio of the bounds
        given = tuple(c for i, c in enumerate(claim.given) if i != dropped)
        task = replace(claim.task(lemmas_used(claim)), given=given)
        found = certify(task, lemmas_of(claim), budget=BUDGET)
        assert (found is None) == (dropped is not None)


def laplace_excess(distances, loss):
    """Excess of Laplace noise of scale 1 in two coordinates over that elsewhere, by the midpoint rule."""
    step = 0.02
    outputs = np.arange(-15, 17, step) + step / 2
    first, second = (
        [np.exp(-np.abs(outputs - m)) / 2 for m in means] for means in ((0.0, 0.0), distances)
    )
    gaps = np.multiply.outer(*first) - math.exp(loss) * np.multiply.outer(*second)
    return float(np.sum(gaps[gaps > 1e-12]) * step**2)


def test_laplace_noise_in_two_coordinates_needs_the_sum_of_the_distances():
    assert laplace_excess((0.5, 0.75), loss=1.25) == 0
    assert laplace_excess((0.5, 0.75), loss=1.2) > 1e-3  # though each distance is far below


def test_moment_of_gaussian_noise_in_two_coordinates_is_that_of_their_distance():
    step = 0.02
    outputs = np.arange(-12, 14, step) + step / 2
    order = 2.5
    moments = 1.0
    for distance in (0.6, 0.8):
        first, second = (np.exp(-((outputs - m) ** 2) / 2) for m in (distance, 0.0))
        moments *= float(np.sum(first**order * second ** (1 - order)) * step) / math.sqrt(
            2 * math.pi
        )
    assert moments == pytest.approx(math.exp(order * (order - 1) * 1.0 / 2), rel=1e-9)
    claim = find("privacy:gaussian-mechanism-many-moment")
    assert claim.form.tree.op == "<="


def test_tested_release_whose_neighbour_passes_often_is_refuted():
    claim = find("privacy:propose-test-release-refused-both")
    with sympy.evaluate(False):
        task = make_task(claim.form, list(claim.given)[:3])
    assert tried(task).verdict is Verdict.REFUTED
