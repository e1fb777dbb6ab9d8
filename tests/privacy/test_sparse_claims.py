"""Which noisy answers lie above a noisy threshold: what is proved, near misses, and the mechanism."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import sympy
from scipy.integrate import quad
from scipy.stats import laplace
from sympy import Rational

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.lemmas import lemmas_used
from dpbook.engine.language.function_symbols import Value
from dpbook.engine.language.statement import Every, Relation
from dpbook.engine.language.task import make_task
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.sequents import sequent_of
from dpbook.engine.refute import finite_models
from dpbook.privacy.claims import general_sparse as sparse
from dpbook.privacy.coordinates import AnyNumbers
from dpbook.privacy.mechanisms import SparseVector
from dpbook.privacy.notation import most
from dpbook.privacy.selection import SparseVector as Distribution
from dpbook.privacy.selection import Told, chance, counted


def found(key, given, budget):
    """A certificate of a claim under other conditions."""
    claim = find(key)
    with sympy.evaluate(False):
        task = replace(claim.task(lemmas_used(claim)), given=make_task(claim.form, given).given)
    lemmas = {k: sequent_of(find(k).form, find(k).given) for k in claim.using}
    return certify(task, lemmas, budget=budget)


def test_no_more_answers_may_be_above_than_the_noise_is_made_for():
    few = Relation(sparse.ABOVE(sparse.other_last, sparse.first_outcome), "<=", most + 1)
    given = [sparse.near(), sparse.wide(), few]
    assert found("privacy:sparse-vector-moved", given, 40) is None


def test_products_need_factors_that_are_not_negative():
    claim, index = find("privacy:products-moved"), sparse.index
    within = Relation(sparse.p(index), "<=", sympy.exp(sparse.loss(index)) * sparse.q(index))
    with sympy.evaluate(False):
        task = make_task(claim.form, [Every(index, within)])
    evidence = finite_models.decided(task.form, task.given, seed=0)
    assert evidence.verdict is Verdict.REFUTED


def test_a_mark_says_above_below_or_not_asked():
    assert [chance(sympy.Integer(mark), Rational(1, 3)).doit() for mark in (-1, 0, 1)] == [
        1,
        Rational(1, 3),
        Rational(2, 3),
    ]
    assert [counted(sympy.Integer(mark)) for mark in (-1, 0, 1)] == [0, 0, 1]


# --- the distribution of the claim, from the definition, and the mechanism ------------------------------------


def patterns(asked, count):
    """All that may be told of so many answers: after the last one that may be above, nothing."""
    found = []
    for marks in itertools.product((0, 1), repeat=asked):
        before = np.cumsum(marks) - marks
        told = tuple(int(m) if b < count else -1 for m, b in zip(marks, before, strict=True))
        if told not in found:
            found.append(told)
    return found


def mass(marks, answers, loss, count, noise=1.0):
    """Probability of a pattern, by integrating over the noisy threshold."""
    width = 2.0 / loss

    def density(bar):
        below = laplace.cdf(bar - answers, scale=2 * count * width * noise)
        told = [{-1: 1.0, 0: b, 1: 1 - b}[m] for m, b in zip(marks, below, strict=True)]
        return laplace.pdf(bar, 0, width) * math.prod(told)

    ends = [-90, *sorted({*map(float, answers), 0.0}), 90]
    return sum(quad(density, *pair)[0] for pair in itertools.pairwise(ends))


HERE, THERE = np.array([0.0, 1.0, -0.5, 2.0]), np.array([1.0, 0.0, 0.5, 1.0])


@pytest.mark.parametrize("count", [1, 2, 3])
def test_patterns_are_all_outcomes_and_private(count):
    told = patterns(4, count)
    here, there = ([mass(m, a, 1.0, count) for m in told] for a in (HERE, THERE))
    assert sum(here) == pytest.approx(1, abs=1e-7)
    assert np.abs(np.log(np.divide(here, there))).max() <= 1


def test_distribution_of_the_claim_has_the_probabilities_of_the_mechanism():
    count, told = 2, patterns(4, 2)
    distribution = Distribution(AnyNumbers("f"), 0, 2, count, 4, len(told) - 1)
    (body, (t, low, high)) = distribution.density(sympy.Integer(3)).args
    assert (low, high) == (-sympy.oo, sympy.oo)
    (value,) = (v for v in body.atoms(Value) if isinstance(v.function, Told))
    assert value.at == (4, 3, t)
    assert distribution.noise.args[1].args[1] == 2 * count * 2  # the scale of the answers
    density = sympy.lambdify(t, body.xreplace({value: sympy.Integer(1)}), "numpy")
    assert density(0.7) == pytest.approx(laplace.pdf(0.7, 0, 2.0))
    draws = 100_000
    drawn = SparseVector(lambda x: x, 0, 1, count=count)(HERE, draws, np.random.default_rng(5))
    often = [np.mean(np.all(drawn == marks, axis=1)) for marks in told]
    exact = [mass(marks, HERE, 1.0, count) for marks in told]
    assert np.abs(np.subtract(often, exact)).max() < 5.5 * math.sqrt(0.25 / draws)


@pytest.mark.parametrize(("noise", "private"), [(1.0, True), (0.97, False)])
def test_loss_comes_as_close_to_epsilon_as_answers_want(noise, private):
    # many answers far up keep the threshold there; two that are above pay a quarter of the loss each
    here, there = np.array([40.0] * 20 + [0.0] * 2), np.array([41.0] * 20 + [-1.0] * 2)
    marks = [0] * 20 + [1] * 2
    loss = math.log(mass(marks, here, 1.0, 2, noise) / mass(marks, there, 1.0, 2, noise))
    assert (loss <= 1 + 1e-6) == private
    assert loss > 0.99
