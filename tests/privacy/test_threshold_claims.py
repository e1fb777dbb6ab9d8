"""The outcome that no answer lies above a noisy threshold: near misses, and the mechanism."""

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
from dpbook.privacy.claims import general_threshold as threshold
from dpbook.privacy.mechanisms import SparseVector
from dpbook.privacy.notation import epsilon, mean_distance, scale


@pytest.mark.parametrize(("times", "true"), [(2, True), (Rational(199, 100), False)])
def test_threshold_needs_twice_the_distance(times, true):
    claim = find("privacy:none-above-moved")
    wide = Relation(times * mean_distance, "<=", epsilon * scale)
    with sympy.evaluate(False):
        given = make_task(claim.form, [threshold.near(), wide]).given
    task = replace(claim.task(ledger._used(claim)), given=given)
    lemmas = {k: sequent_of(find(k).form, find(k).given) for k in claim.using}
    assert (certify(task, lemmas, budget=300 if true else 40) is not None) == true


def none_above(answers, spread):
    """Probability that no answer lies above a threshold of 0, by quadrature as in the claim."""
    step = 0.002
    t = np.arange(-60, 60, step) + step / 2
    below = []
    for answer in answers:
        x = (t - answer) / (2 * spread)
        below.append(np.where(x < 0, np.exp(-np.abs(x)) / 2, 1 - np.exp(-np.abs(x)) / 2))
    density = np.exp(-np.abs(t) / spread) / (2 * spread)
    return float(np.sum(density * np.prod(below, axis=0)) * step)


def test_none_above_is_that_of_the_mechanism_and_within_half_of_epsilon():
    here, there = np.array([0.0, 1.0, -0.5]), np.array([1.0, 2.0, 0.5])
    first, second = (none_above(answers, 2.0) for answers in (here, there))  # epsilon 1
    assert 0.2 < math.log(first / second) <= 0.5
    draws = 200_000
    mechanism = SparseVector(lambda x: x, threshold=0, epsilon=1)
    found = mechanism(here, draws, np.random.default_rng(13))
    often = float(np.mean(np.all(found == 0, axis=1)))
    assert abs(often - first) < 5.5 * math.sqrt(0.25 / draws)
