"""Posterior sampling: what is released, what it costs, and when it refuses."""

import math

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, integers
from scipy.stats import beta, chisquare, kstest

from dpbook.engine.language.domain import DomainError
from dpbook.posterior_sampling import (
    BudgetSpent,
    DrawBudget,
    FiniteDistribution,
    PosteriorSampler,
    delta_bound,
    epsilon_bound,
    models,
    posterior_pair,
    worst_pair,
    zcdp_bound,
)
from dpbook.privacy.distributions import Beta, Dirichlet, Exponential, Gamma, Normal

LEAST = 1e-8  # p-value of one test with a fixed seed
COIN = models.Bernoulli()
RECORDS = [1, 0, 1, 1]


def rng(seed=1):
    return np.random.default_rng(seed)


def smooth(level=0.5):
    return PosteriorSampler(COIN, COIN.restrict(Beta(1, 1), level))


# --- releases --------------------------------------------------------------------------------------------


def test_answers_are_queries_of_posterior_draws():
    fitted = PosteriorSampler(COIN, Beta(1, 1)).fit(RECORDS)
    budget = DrawBudget(100_000)
    found = fitted.release(lambda theta: theta**2, budget=budget, rng=rng(), draws=20_000)
    assert kstest(np.sqrt(found), beta(4, 2).cdf).pvalue > LEAST
    assert budget.left == 80_000
    one = fitted.release(lambda theta: theta, budget=budget, rng=rng())
    assert isinstance(one, float)
    assert budget.spent == 20_001


def test_each_answer_comes_from_a_draw_of_its_own():
    fitted = smooth().fit(RECORDS)
    budget, stream = DrawBudget(3), rng()
    answers = {fitted.release(lambda theta: theta, budget=budget, rng=stream) for _ in range(3)}
    assert len(answers) == 3
    assert budget.left == 0


def test_answers_may_be_anything_and_parameters_vectors():
    model = models.Categorical(3)
    fitted = PosteriorSampler(model, Dirichlet([1, 2, 3])).fit([0, 1, 1])
    budget = DrawBudget(5000)
    seen = []
    fitted.release(lambda theta: seen.append(theta.shape), budget=budget, rng=rng())
    fitted.release(lambda theta: seen.append(theta.shape), budget=budget, rng=rng(), draws=7)
    assert seen == [(3,), (7, 3)]
    label = fitted.release(lambda theta: "abc"[int(theta.argmax())], budget=budget, rng=rng())
    assert label in "abc"


def test_same_generator_same_answers():
    fitted = smooth().fit(RECORDS)
    first, second = (
        fitted.release(lambda theta: theta, budget=DrawBudget(9), rng=rng(3), draws=9)
        for _ in range(2)
    )
    assert np.array_equal(first, second)


def test_without_a_generator_each_release_has_a_fresh_one():
    fitted, budget = smooth().fit(RECORDS), DrawBudget(2)
    first, second = (fitted.release(lambda theta: theta, budget=budget) for _ in range(2))
    assert first != second


def test_conditional_expectations_of_example_1():
    """Records (z, y) of a network: the chance of y given z, a fresh draw for each value of z."""
    graph = networkx.DiGraph([("z", "y")])
    graph.nodes["z"]["cpt"], graph.nodes["y"]["cpt"] = [0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]
    network = models.BayesianNetwork(graph)
    fitted = PosteriorSampler(network, network.prior()).fit([[0, 1], [0, 1], [1, 0]])
    budget, stream = DrawBudget(20_000), rng()
    given_zero = fitted.release(lambda theta: theta[:, 3], budget=budget, rng=stream, draws=10_000)
    given_one = fitted.release(lambda theta: theta[:, 5], budget=budget, rng=stream, draws=10_000)
    assert kstest(given_zero, beta(3, 1).cdf).pvalue > LEAST
    assert kstest(given_one, beta(1, 2).cdf).pvalue > LEAST


def test_grid_posteriors_are_drawn_by_their_masses():
    sampler = PosteriorSampler(models.LaplaceKnownScale(1), FiniteDistribution([-1.0, 0.0, 2.0]))
    fitted = sampler.fit([0.5, 1.0])
    found = fitted.release(lambda theta: theta, budget=DrawBudget(10_000), rng=rng(), draws=10_000)
    weights = np.exp([-3.5, -1.5, -2.5])
    counts = [(found == value).sum() for value in (-1, 0, 2)]
    assert chisquare(counts, 10_000 * weights / weights.sum()).pvalue > LEAST


# --- the budget ------------------------------------------------------------------------------------------


def test_a_spent_budget_refuses_before_anything_is_drawn():
    fitted, budget = smooth().fit(RECORDS), DrawBudget(3)
    stream = rng()
    fitted.release(lambda theta: theta, budget=budget, rng=stream, draws=2)
    before = stream.bit_generator.state
    with pytest.raises(BudgetSpent, match="draws must be <= 1, the rest of a budget of 3, got 2"):
        fitted.release(lambda theta: theta, budget=budget, rng=stream, draws=2)
    assert stream.bit_generator.state == before
    assert repr(budget) == "DrawBudget(2 of 3 spent)"
    fitted.release(lambda theta: theta, budget=budget, rng=stream)
    asked = []
    with pytest.raises(BudgetSpent, match="no further query is answered"):
        fitted.release(asked.append, budget=budget, rng=stream)
    assert not asked


def test_a_draw_is_spent_also_when_the_query_fails():
    budget = DrawBudget(3)
    with pytest.raises(ZeroDivisionError):
        smooth().fit(RECORDS).release(lambda theta: 1 / 0, budget=budget, rng=rng())
    assert budget.spent == 1


def test_budget_is_the_most_that_the_guarantee_allows():
    sampler = smooth(0.05)
    assert sampler.budget(1.0).total == 10
    for epsilon, delta in ((1.0, 1e-6), (3.0, 1e-3)):
        total = sampler.budget(epsilon, delta).total
        assert sampler.guarantee(total, delta).epsilon <= epsilon
        assert sampler.guarantee(total + 1, delta).epsilon > epsilon
    assert sampler.budget(1.0, 1e-6).total > 10


def test_the_posterior_does_not_show_in_the_text_of_a_fitted_sampler():
    assert repr(smooth().fit(RECORDS)) == "FittedSampler()"


# --- guarantees ------------------------------------------------------------------------------------------


def test_guarantee_under_assumption_1():
    sampler = smooth(0.5)
    assert sampler.guarantee(4).epsilon == 4
    assert sampler.guarantee().claim == "posterior_sampling:theorem-2.i"
    assert sampler.guarantee(4).claim == "posterior_sampling:text-4.2-mechanism"
    assert sampler.guarantee(1, 1e-6).claim == "posterior_sampling:note-bounded-range"
    assert sampler.guarantee(4, 1e-6).claim == "posterior_sampling:note-bounded-range-chord"
    assert sampler.guarantee(10**6, 1e-6).claim == "privacy:renyi-to-dp"
    assert sampler.guarantee(4, distance=3).epsilon == 12
    assert sampler.guarantee(4, 1e-5).epsilon == epsilon_bound(0.5, 1e-5, 4)
    assert sampler.guarantee(4, 1e-5).delta == 1e-5
    assert sampler.guarantee(4, version="printed").epsilon == 4
    assert sampler.zcdp(4) == zcdp_bound(0.5, 4)
    assert sampler.zcdp(4, distance=2) == zcdp_bound(1.0, 4)
    known = PosteriorSampler(models.LaplaceKnownScale(4), FiniteDistribution([-1.0, 1.0]))
    assert known.guarantee(2).epsilon == pytest.approx(1.0)


@settings(max_examples=25, deadline=None)
@given(a=floats(0.3, 5), b=floats(0.3, 5), level=floats(0.1, 2), ones=integers(0, 3))
def test_restricted_draws_keep_their_guarantee(a, b, level, ones):
    sampler = PosteriorSampler(COIN, COIN.restrict(Beta(a, b), level))
    x, y = [1] * ones + [0] * (4 - ones), [1] * (ones + 1) + [0] * (3 - ones)
    pair = posterior_pair(COIN, sampler.prior, x, y)
    assert pair.epsilon <= sampler.guarantee().epsilon * (1 + 1e-9)
    for delta in (0.3, 0.01):
        assert pair.epsilon_at(delta) <= sampler.guarantee(delta=delta).epsilon + 1e-9
    assert pair.renyi(3.0) <= 3 * sampler.zcdp() * (1 + 1e-9)


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize(("a", "b"), [(1, 1), (20, 20), (0.5, 3)])
def test_guarantee_under_assumption_2_holds_for_every_dataset(a, b, n):
    sampler = PosteriorSampler(COIN, Beta(a, b))
    for delta in (0.3, 0.01):
        found = sampler.guarantee(1, delta, n=n)
        assert found.claim == "posterior_sampling:note-guarantee-relaxed"
        worst = worst_pair(COIN, Beta(a, b), n, key=lambda pair, e=found.epsilon: pair.delta(e))
        assert worst.delta(found.epsilon) <= delta
    for k in range(n + 1):  # the density that the guarantee rests on, at its largest
        distribution = COIN.posterior(Beta(a, b), [1] * k + [0] * (n - k))
        at = np.linspace(0.001, 0.999, 999)
        ratio = beta.pdf(at, float(distribution.a), float(distribution.b)) / beta.pdf(at, a, b)
        assert ratio.max() <= COIN.density_bound(Beta(a, b), n) * (1 + 1e-9)


def test_guarantee_under_assumption_2_for_several_draws():
    sampler = PosteriorSampler(COIN, Beta(20, 20))
    found = sampler.guarantee(5, 0.05, n=2)
    pair = posterior_pair(COIN, Beta(20, 20), [1, 1], [1, 0], draws=5)
    assert pair.delta(found.epsilon) <= 0.05
    assert found.epsilon > sampler.guarantee(1, 0.05, n=2).epsilon
    assert sampler.guarantee(5, 0.05, n=2, distance=2).epsilon > found.epsilon
    assert sampler.budget(found.epsilon, 0.05, n=2).total == 5


def test_printed_guarantee_under_assumption_2_carries_the_refuted_claim():
    sampler = PosteriorSampler(COIN, Beta(50, 50))
    found = sampler.guarantee(2, version="printed")
    assert found.claim == "posterior_sampling:theorem-2.ii"
    assert (found.epsilon, found.delta) == (0, 1)
    large = PosteriorSampler(models.Exponential(), Exponential(1e4)).guarantee(2, version="printed")
    assert large.delta == pytest.approx(2 * math.sqrt(4.9108149646 / 2e4))
    # 100 000 records of zero, and one of them replaced by 1
    model = models.Exponential()
    x, y = np.zeros(100_000), np.zeros(100_000)
    y[0] = 1.0
    pair = posterior_pair(model, Exponential(1e2), x, y)
    small = PosteriorSampler(model, Exponential(1e2)).guarantee(version="printed")
    assert pair.distance == 1
    assert pair.total_variation > small.delta
    with pytest.raises(DomainError, match="posterior_sampling:theorem-2.ii needs a rate c > 0"):
        PosteriorSampler(models.Exponential(), Gamma(2, 1)).guarantee(version="printed")


# --- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: PosteriorSampler(models.Exponential(), Exponential(1)).guarantee(1, 0.1, n=3),
            "theorem-2.i needs a finite Lipschitz constant, got inf for Exponential.* restrict the "
            "prior .*assumption 2 does not help",
        ),
        (
            lambda: PosteriorSampler(COIN, Beta(1, 1)).guarantee(1, 0.1),
            r"constant, got inf .* restrict the prior \(Model.restrict\), or give n, the number of "
            "records for assumption 2",
        ),
        (
            lambda: PosteriorSampler(COIN, Beta(1, 1)).guarantee(1, n=3),
            r"got inf .* restrict the prior .*, or give delta in \(0, 1\) for .* got n = 3, delta = 0",
        ),
        (
            lambda: PosteriorSampler(COIN, Beta(1, 1)).guarantee(),
            r"got inf .* restrict the prior .*, or give n, the number of records and delta in \(0, 1\)",
        ),
        (
            lambda: PosteriorSampler(models.NormalKnownVariance(1), Normal(0, 1)).guarantee(n=10),
            "got inf for NormalKnownVariance.* assumption 2 does not help",
        ),
        (
            lambda: PosteriorSampler(COIN, Beta(1, 1)).zcdp(),
            "theorem-2.i needs a finite Lipschitz constant, got inf",
        ),
    ],
)
def test_priors_without_a_guarantee_are_refused_by_the_name_of_the_claim(call, message):
    with pytest.raises(DomainError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: PosteriorSampler(COIN, Normal(0, 1)),
            "must be one of Beta, FiniteDistribution, got Normal",
        ),
        (lambda: smooth().fit([2]), "records of Bernoulli.. must be 0 or 1, and not all are$"),
        (lambda: smooth().guarantee(0), "draws must be an integer >= 1, got 0"),
        (lambda: smooth().guarantee(1, 1.0), r"delta must be in \[0, 1\), got 1.0"),
        (lambda: smooth().guarantee(distance=0), "distance must be > 0, got 0"),
        (lambda: smooth().guarantee(version="first"), 'version must be "corrected" or "printed"'),
        (
            lambda: smooth(1.0).budget(1.0),
            "epsilon must be >= 2, the cost of one draw, got 1; restrict",
        ),
        (lambda: DrawBudget(0), "total must be an integer >= 1, got 0"),
        (
            lambda: smooth().fit([1]).release(abs, budget=5, rng=rng()),
            "budget must be a DrawBudget, one for all queries, got 5",
        ),
        (
            lambda: smooth().fit([1]).release(abs, budget=DrawBudget(1), rng=1),
            "rng must be a numpy.random.Generator or None, got 1",
        ),
        (
            lambda: PosteriorSampler(models.Bernoulli, Beta(1, 1)),
            r"model must be a Model .* make one of the class: add \(\)",
        ),
        (
            lambda: smooth().fit([1]).release(abs, budget=DrawBudget(1), rng=rng(), draws=0),
            "draws must be an integer >= 1, got 0",
        ),
    ],
)
def test_unusable_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_no_delta_is_needed_from_twice_the_exponent_on():
    assert delta_bound(0.25, 0.5) == 0
