"""Which noisy answer is the first above a noisy threshold: what is proved, near misses, and the mechanism."""

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy
from sympy import Abs, Rational

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.lemmas import lemmas_used
from dpbook.engine.language.function_symbols import Value
from dpbook.engine.language.statement import Relation
from dpbook.engine.language.task import make_task
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.sequents import sequent_of
from dpbook.privacy.claims import general_threshold as threshold
from dpbook.privacy.coordinates import AnyNumbers
from dpbook.privacy.mechanisms import SparseVector
from dpbook.privacy.notation import (
    epsilon,
    mean_distance,
    multiple,
    other_multiple,
    scale,
)
from dpbook.privacy.selection import AboveThreshold, Below

ALMOST = Rational(199, 100)


def found(key, given, budget):
    """A certificate of a claim under other conditions."""
    claim = find(key)
    with sympy.evaluate(False):
        task = replace(claim.task(lemmas_used(claim)), given=make_task(claim.form, given).given)
    lemmas = {k: sequent_of(find(k).form, find(k).given) for k in claim.using}
    return certify(task, lemmas, budget=budget)


@pytest.mark.parametrize(("times", "true"), [(2, True), (ALMOST, False)])
@pytest.mark.parametrize("key", ["none-above-moved", "answer-above-ratio", "first-above-moved"])
def test_threshold_needs_twice_the_distance(key, times, true):
    near = threshold.near()
    if key == "answer-above-ratio":
        near = Abs(multiple - other_multiple) <= mean_distance
    wide = Relation(times * mean_distance, "<=", epsilon * scale)
    assert (found(f"privacy:{key}", [near, wide], 300 if true else 40) is not None) == true


@pytest.mark.parametrize(("spread", "true"), [(2, True), (ALMOST, False)])
def test_answer_above_needs_noise_of_twice_the_scale(spread, true):
    # the distance of the levels, epsilon * scale, in units of half of epsilon and of the noise
    further = other_multiple <= multiple + Rational(2) / spread * epsilon * scale
    key = "privacy:laplace-above-ratio"
    assert (found(key, [further], 300 if true else 40) is not None) == true
    ends = {epsilon: 1, scale: 1, multiple: 1, other_multiple: 1 + Rational(2) / spread}
    (says,) = find(key).form.tree.relations()
    here, there = (float(side.xreplace(ends).doit()) for side in (says.lhs, says.rhs))
    assert (here <= there * (1 + 1e-12)) == true


T = np.arange(-60, 140, 0.002) + 0.001


def distribution(at, spread):
    """Distribution function of Laplace noise."""
    tail = np.exp(-np.abs(at) / spread) / 2
    return np.where(at < 0, tail, 1 - tail)


def masses(answers, scale_, noise):
    """Probabilities that each answer is the first above a threshold of 0, and of none, from the definition."""
    density = np.exp(-np.abs(T) / scale_) / (2 * scale_)
    found = []
    for answer in answers:
        below = distribution(T - answer, noise)
        found.append(float(np.sum(density * (1 - below)) * 0.002))
        density = density * below
    return np.array([*found, float(np.sum(density) * 0.002)])


def of_claim(answers, scale_):
    """The same by the densities of the distribution that the claim is about."""
    outcome = AboveThreshold(AnyNumbers("f"), 0, scale_, len(answers))
    _, spread = outcome.noise.args[1].args

    def number(at):
        """Integrate, with products of values of the distribution function for what lies below."""
        body, (t, low, high) = outcome.density(sympy.Integer(at)).args
        assert (low, high) == (-sympy.oo, sympy.oo)
        places = {value: sympy.Dummy() for value in body.atoms(Value)}
        given = []
        for value in places:
            assert isinstance(value.function, Below)
            assert value.function.args[1] == outcome.noise
            count, first_one, level = value.at
            assert level == t
            inside = answers[int(first_one) : int(first_one + count)]
            given.append(
                np.prod([distribution(T - a, float(spread)) for a in inside] or [1 + 0 * T], axis=0)
            )
        density = sympy.lambdify([t, *places.values()], body.xreplace(places), "numpy")
        return float(np.sum(density(T, *given)) * 0.002)

    return np.array([number(at) for at in range(len(answers) + 1)])


HERE, THERE = np.array([0.0, 1.0, -0.5, 2.0]), np.array([1.0, 2.0, 0.5, 1.0])


@pytest.mark.parametrize("answers", [HERE, THERE])
def test_distribution_of_the_claim_is_the_definition_and_the_mechanism(answers):
    exact = masses(answers, 2.0, 4.0)  # epsilon 1 at sensitivity 1: 2 / epsilon and 4 / epsilon
    assert exact.sum() == pytest.approx(1, abs=1e-6)
    assert of_claim(answers, 2) == pytest.approx(exact, abs=1e-9)
    draws = 200_000
    mechanism = SparseVector(lambda x: x, threshold=0, epsilon=1)
    drawn = mechanism(answers, draws, np.random.default_rng(13))
    first = np.where((drawn == 1).any(axis=1), (drawn == 1).argmax(axis=1), len(answers))
    often = np.bincount(first, minlength=len(answers) + 1) / draws
    assert np.abs(often - exact).max() < 5.5 * math.sqrt(0.25 / draws)


def test_none_above_loses_half_of_epsilon_and_an_answer_above_no_more_than_all():
    here = masses(HERE, 2.0, 4.0)
    assert 0.2 < math.log(here[-1] / masses(HERE + 1, 2.0, 4.0)[-1]) <= 0.5
    assert np.abs(np.log(here / masses(THERE, 2.0, 4.0))).max() <= 1


@pytest.mark.parametrize(("noise", "private"), [(4.0, True), (3.98, False)])
def test_loss_comes_as_close_to_epsilon_as_answers_want(noise, private):
    # many answers far up keep the threshold there, and all move up but the last one, which moves down
    here = np.array([40.0] * 20 + [0.0])
    there = np.array([41.0] * 20 + [-1.0])
    loss = math.log(masses(here, 2.0, noise)[-2] / masses(there, 2.0, noise)[-2])
    assert (loss <= 1 + 1e-6) == private
    assert loss > 0.999
