"""Lemmas 11 and 12 and Theorem 4: on finite models by their definitions, and what must not be proved."""

from itertools import product
from math import exp, log, prod

import numpy as np
import pytest
from sympy import Le, evaluate

from dpbook.contamination.claims.general import bad, chosen, datasets
from dpbook.contamination.claims.general_privacy import few_x, many_x, many_z
from dpbook.contamination.notation import data
from dpbook.engine.language.statement import Every
from dpbook.engine.language.task import make_task
from dpbook.engine.prove.certify import certify
from dpbook.privacy.statements import probability


def divergence(first, second, alpha):
    """The divergence of definition 6 of two distributions on finitely many outcomes."""
    return sum(((a / b) ** alpha - 1) * a for a, b in zip(first, second, strict=True)) / alpha


def contaminated(distribution, strange, rate):
    return (1 - rate) * distribution + rate * strange


def distributions(rng, count, outcomes):
    return rng.dirichlet(np.ones(outcomes), size=count)


@pytest.mark.parametrize("seed", range(20))
def test_contamination_makes_the_divergence_smaller(seed):
    rng = np.random.default_rng(seed)
    true, other, strange = distributions(rng, 3, 4)
    alpha, rate = rng.uniform(0.05, 1), rng.uniform(0, 1)
    clean = divergence(true, other, alpha)
    mixed = divergence(
        *(contaminated(distribution, strange, rate) for distribution in (true, other)), alpha
    )
    assert mixed <= (1 - rate) * clean + 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_a_small_evidence_has_the_probability_of_lemma_12(seed):
    rng = np.random.default_rng(seed)
    n, rate, alpha = 6, 0.3, 1.0
    true, *others = distributions(rng, 4, 2)
    strange, prior = distributions(rng, 1, 2)[0], distributions(rng, 1, 4)[0]
    parameters = [true, *others]
    mixed = [contaminated(distribution, strange, rate) for distribution in parameters]
    radii = [divergence(true, distribution, alpha) for distribution in parameters]
    for t in sorted(radii)[1:]:
        near = sum(w for w, r in zip(prior, radii, strict=True) if r <= t)
        c_3 = near * exp(2 * n * t)
        chance = 0.0
        for records in product(range(2), repeat=n):
            ratios = [
                prod(distribution[r] / mixed[0][r] for r in records) for distribution in mixed
            ]
            if float(np.dot(prior, ratios)) <= c_3 / 2 * exp(-4 * n * t):
                chance += prod(mixed[0][r] for r in records)
        assert chance <= 2 * exp(-n * alpha * t)


@pytest.mark.parametrize("seed", range(30))
def test_privacy_fails_for_no_pair_outside_the_three_events(seed):
    rng = np.random.default_rng(seed)
    true, *others = distributions(rng, 4, 3)
    strange, prior = distributions(rng, 1, 3)[0], distributions(rng, 1, 4)[0]
    mixed = [contaminated(distribution, strange, 0.4) for distribution in (true, *others)]
    inside = np.array([1, 1, *rng.integers(0, 2, 2)], dtype=bool)
    d = np.array([distribution / mixed[0] for distribution in mixed])
    largest = max(d[k].max() / d[k].min() for k in range(4) if inside[k])
    shared, x, z = rng.integers(0, 3, 4), *rng.integers(0, 3, 2)
    masses = [prior * d[:, shared].prod(axis=1) * d[:, record] for record in (x, z)]
    few, many = masses[0].sum() * 0.999, max(m[~inside].sum() for m in masses) * 1.001 + 1e-9
    delta = many / few
    epsilon = log(largest) + log(delta + largest)
    after = [m / m.sum() for m in masses]
    for chosen_set in product((False, True), repeat=4):
        first, second = (a[list(chosen_set)].sum() for a in after)
        assert first <= exp(epsilon) * second + delta + 1e-12


@pytest.mark.parametrize(("events", "proved"), [(3, True), (2, False)])
def test_the_probability_of_a_union_needs_all_its_parts(events, proved):
    three = (few_x, many_x, many_z)
    with evaluate(False):
        covered = Every(data, Le(chosen(bad), _sum(e.indicator(data) for e in three)))
        claim = Le(
            probability(datasets, bad),
            _sum(probability(datasets, event) for event in three[:events]),
        )
        task = make_task(claim, [covered])
    assert (certify(task) is not None) is proved


def _sum(terms):
    first, *rest = terms
    for term in rest:
        first = first + term
    return first
