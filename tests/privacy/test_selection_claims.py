"""The largest of several noisy answers: what is proved, near misses, and the distribution against the mechanism."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import sympy
from sympy import Rational

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.lemmas import lemmas_used
from dpbook.engine.language.statement import Relation
from dpbook.engine.language.task import make_task
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.sequents import sequent_of
from dpbook.privacy.claims import general_selection as selection
from dpbook.privacy.mechanisms import ReportNoisyMax
from dpbook.privacy.notation import (
    epsilon,
    first_outcome,
    last_outcome,
    mean_distance,
    scale,
)
from dpbook.privacy.selection import OneSided

BUDGET = 300  # goals
FEW = 40  # the same, where nothing is to be found


def found(key, given=None, budget=BUDGET):
    """A certificate of a claim, with other conditions where they are given."""
    claim = find(key)
    task = claim.task(lemmas_used(claim))
    if given is not None:
        with sympy.evaluate(False):
            task = replace(task, given=make_task(claim.form, given()).given)
    lemmas = {k: sequent_of(find(k).form, find(k).given) for k in claim.using}
    return certify(task, lemmas, budget=budget)


def wide(times):
    """That the noise is wide for a multiple of the distance."""
    return Relation(times * mean_distance, "<=", epsilon * scale)


def factor(times):
    """The conditions of the winner's density with another multiple of the distance."""
    return lambda: [selection.near(), wide(times), first_outcome <= last_outcome]


def one_answer(times):
    """The same for one answer."""
    apart = abs(selection.multiple - selection.other_multiple)
    return lambda: [apart <= mean_distance, wide(times)]


@pytest.mark.parametrize(
    ("key", "given"), [("winner-moved", factor), ("one-sided-moved", one_answer)]
)
@pytest.mark.parametrize(("times", "true"), [(2, True), (Rational(199, 100), False)])
def test_winner_needs_twice_the_distance(key, given, times, true):
    budget = BUDGET if true else FEW
    assert (found(f"privacy:{key}", given(times), budget) is not None) == true


def test_noise_of_one_sign_that_may_be_moved_down_proves_nothing():
    apart = selection.multiple - selection.other_multiple  # one way only: the other may be larger
    assert found("privacy:one-sided-moved", lambda: [apart <= mean_distance, wide(2)], 20) is None


def test_answers_that_may_lie_further_apart_prove_nothing():
    assert found("privacy:below-moved") is not None
    assert found("privacy:below-moved", lambda: [], FEW) is None


def masses(answers, spread):
    """Probabilities that each answer is the largest, by quadrature of the distribution's density."""
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


def test_distribution_of_the_largest_answer_is_that_of_the_mechanism_and_private():
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


def masses_of_one_sign(answers, spread):
    """The same with exponential noise."""
    step = 0.0005
    t = np.arange(-2, 60, step) + step / 2
    noise = OneSided(spread).density(0).function
    density = sympy.lambdify(s := sympy.Symbol("s", real=True), noise.cases(s), "numpy")
    below = [np.where(t > a, -np.expm1(-np.maximum(t - a, 0) / spread), 0) for a in answers]
    found = []
    for j, a in enumerate(answers):
        others = np.prod([b for i, b in enumerate(below) if i != j], axis=0)
        found.append(float(np.sum(density(t - a) * others) * step))
    return np.array(found)


def permute_and_flip(answers, spread):
    """Probabilities of permute and flip: in any order, each is taken by its distance from the largest."""
    taken = np.exp((np.array(answers) - max(answers)) / spread)
    found = np.zeros(len(answers))
    orders = list(itertools.permutations(range(len(answers))))
    for order in orders:
        left = 1.0
        for j in order:
            found[j] += left * taken[j] / len(orders)
            left *= 1 - taken[j]
    return found


def test_distribution_with_noise_of_one_sign_is_permute_and_flip_and_private():
    here, there = [0.0, 1.0, 0.5], [1.0, 0.0, -0.5]
    first, second = masses_of_one_sign(here, 2.0), masses_of_one_sign(there, 2.0)
    for found, answers in ((first, here), (second, there)):
        assert found == pytest.approx(permute_and_flip(answers, 2.0), abs=1e-3)
    assert 0.5 < np.abs(np.log(first / second)).max() <= 1  # epsilon 1 at distance 1
    half = [permute_and_flip(answers, 1.0) for answers in (here, there)]
    assert np.abs(np.log(half[0] / half[1])).max() > 1  # with half the noise epsilon 1 is too small


def test_what_is_known_of_noise_of_one_sign_holds():
    noise = OneSided(2).density(0).function
    s = sympy.Symbol("s", real=True)
    assert [noise.cases(at).doit() for at in (-1, 0, 2)] == [0, Rational(1, 2), sympy.exp(-1) / 2]
    assert noise.total(s).doit() == 1
    assert len(noise.known()) == 3
    assert all(noise.cases(Rational(i, 4)).doit() >= 0 for i in range(-8, 9))
