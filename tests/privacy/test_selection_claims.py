"""The largest of several noisy answers: what is proved, near misses, and the law against the mechanism."""

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy
from sympy import Rational

from dpbook.engine import ledger
from dpbook.engine.certify import certify
from dpbook.engine.ledger import find
from dpbook.engine.sequents import sequent_of
from dpbook.engine.statement import Relation
from dpbook.engine.task import make_task
from dpbook.privacy.claims import general_selection as selection
from dpbook.privacy.mechanisms import ReportNoisyMax
from dpbook.privacy.notation import epsilon, first_outcome, last_outcome, mean_distance, scale

BUDGET = 300  # goals
FEW = 40  # the same, where nothing is to be found


def found(key, given=None, budget=BUDGET):
    """A certificate of a claim, with other conditions where they are given."""
    claim = find(key)
    task = claim.task(ledger._used(claim))
    if given is not None:
        with sympy.evaluate(False):
            task = replace(task, given=make_task(claim.form, given()).given)
    lemmas = {k: sequent_of(find(k).form, find(k).given) for k in claim.using}
    return certify(task, lemmas, budget=budget)


def factor(times):
    """The conditions of the winner's density with another multiple of the distance."""
    inside = first_outcome <= last_outcome
    return lambda: [
        selection.near(),
        Relation(times * mean_distance, "<=", epsilon * scale),
        inside,
    ]


@pytest.mark.parametrize(("times", "true"), [(2, True), (Rational(199, 100), False)])
def test_winner_needs_twice_the_distance(times, true):
    budget = BUDGET if true else FEW
    assert (found("privacy:winner-moved", factor(times), budget) is not None) == true


def test_answers_that_may_lie_further_apart_prove_nothing():
    assert found("privacy:below-moved") is not None
    assert found("privacy:below-moved", lambda: [], FEW) is None


def masses(answers, spread):
    """Probabilities that each answer is the largest, by quadrature of the law's density."""
    step = 0.002
    t = np.arange(-60, 60, step) + step / 2
    gaps = [(t - a) / spread for a in answers]
    densities = [np.exp(-np.abs(x)) / (2 * spread) for x in gaps]
    below = [np.where(x < 0, np.exp(-np.abs(x)) / 2, 1 - np.exp(-np.abs(x)) / 2) for x in gaps]
    found = []
    for j, density in enumerate(densities):
        others = [b for i, b in enumerate(below) if i != j]
        found.append(float(np.sum(density * np.prod(others, axis=0)) * step))
    return np.array(found)


def test_law_of_the_largest_answer_is_that_of_the_mechanism_and_private():
    here, there = np.array([0.0, 1.0, 0.5]), np.array([1.0, 0.0, -0.5])
    first, second = masses(here, 2.0), masses(there, 2.0)  # epsilon 1 at distance 1
    assert first.sum() == pytest.approx(1, abs=1e-5)
    losses = np.log(first / second)
    assert np.abs(losses).max() <= 1
    assert np.abs(losses).max() > 0.5  # half the noise would not do for epsilon 1/2
    draws = 200_000
    chosen = ReportNoisyMax(lambda x: x, sensitivity=1, epsilon=1)(
        here, draws, np.random.default_rng(13)
    )
    often = np.bincount(chosen, minlength=3) / draws
    assert np.abs(often - first).max() < 5.5 * math.sqrt(0.25 / draws)
