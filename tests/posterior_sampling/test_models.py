"""Models against brute force, Bayes' rule and the distributions of their draws."""

import itertools
import math

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, lists
from scipy.special import gammaln, xlogy
from scipy.stats import beta, binomtest, chisquare, dirichlet, gamma, kstest, norm

from dpbook.engine.language.domain import DomainError
from dpbook.posterior_sampling import brute_force_lipschitz, kernels, models, posterior_pair
from dpbook.posterior_sampling.models import priors
from dpbook.privacy.distributions import (
    Beta,
    Dirichlet,
    Exponential,
    Gamma,
    Laplace,
    Normal,
)

LEAST = 1e-8  # p-value of one test with a fixed seed; fewer than 30 of them
DRAWS = 50_000
CHANCES = np.array([0.07, 0.3, 0.5, 0.62, 0.999])
RATES = np.array([0.2, 1.0, 1.7, 40.0])
PAIRS = np.array([[0.3, 2.0], [-1.7, 0.4], [1.0, 1.0]])


def rng(seed=1):
    return np.random.default_rng(seed)


def collider(metric="hamming"):
    """Two causes of one effect, and a consequence of it."""
    graph = networkx.DiGraph()
    graph.add_node("rain", cpt=[0.2, 0.5, 0.3])
    graph.add_node("tap", cpt=[0.9, 0.1])
    graph.add_node(
        "wet", cpt=[[[0.9, 0.1], [0.4, 0.6]], [[0.5, 0.5], [0.2, 0.8]], [[0.3, 0.7], [0.05, 0.95]]]
    )
    graph.add_node("slip", cpt=[[0.99, 0.01], [0.7, 0.3]])
    graph.add_edges_from([("rain", "wet"), ("tap", "wet"), ("wet", "slip")])
    return models.BayesianNetwork(graph, metric)


# --- the Lipschitz constant -----------------------------------------------------------------------------

NETWORK = collider()
EVERY_RECORD = [[list(r)] for r in itertools.product(range(3), range(2), range(2), range(2))]


@pytest.mark.parametrize(
    ("model", "theta", "datasets"),
    [
        (models.Bernoulli(), CHANCES, list(itertools.product([0, 1], repeat=3))),
        (models.Binomial(6), CHANCES, [[k] for k in range(7)]),
        (models.Binomial(6, base="counting"), CHANCES, [[k] for k in range(7)]),
        (models.Binomial(3, base="counting"), CHANCES, list(itertools.product(range(4), repeat=2))),
        (models.Poisson(), RATES, [[k] for k in range(6)]),
        (models.Geometric(), CHANCES, [[k] for k in range(6)]),
        (models.Exponential(), RATES, [[0.0, 1.0], [2.5, 1.0], [0.3, 0.3]]),
        (models.LaplaceKnownLocation(0.5), RATES, [[0.5], [2.0], [-7.0]]),
        (
            models.LaplaceKnownScale(0.7),
            np.array([-1.0, 0.0, 3.0]),
            [[-9.0], [-1.0], [0.0], [3.0], [9.0]],
        ),
        (models.LaplaceBoth(), PAIRS, [[-9.0], [-1.7], [0.3], [1.0], [9.0]]),
        (
            models.Categorical(3),
            rng().dirichlet([1, 1, 1], 4),
            list(itertools.product(range(3), repeat=2)),
        ),
        (NETWORK, np.vstack([NETWORK.theta, NETWORK.theta]), EVERY_RECORD),
        (collider("weighted"), NETWORK.theta[None], EVERY_RECORD),
    ],
)
def test_lipschitz_constant_is_that_of_brute_force(model, theta, datasets):
    assert model.lipschitz(theta) == pytest.approx(
        brute_force_lipschitz(model, theta, datasets), rel=1e-12
    )


@pytest.mark.parametrize(
    ("model", "theta", "largest"),
    [
        (models.NormalKnownMean(0.4), RATES, 1e4),
        (models.NormalKnownMean(-3.0), RATES, 1e4),
        (models.NormalVariance(2.0), RATES, 1e4),
        (models.NormalKnownVariance(0.3), np.array([-4.0, 0.2, 1.5]), 1e4),
        (models.NormalBoth(), PAIRS, 1e4),
        (models.Beta(), np.array([[0.4, 2.0], [3.0, 0.2], [1.0, 1.0]]), 1 - 1e-12),
    ],
)
def test_lipschitz_constant_is_approached_and_not_exceeded(model, theta, largest):
    if isinstance(model, models.Beta):
        datasets = [[1 - largest], [0.3], [0.5], [largest - 1e-13], [largest], [2 - 2 * largest]]
    else:
        datasets = [[largest], [-largest], [0.0], [1e-3], [-1e-3], [1.0]]
    found = brute_force_lipschitz(model, theta, datasets)
    closed = model.lipschitz(theta)
    assert (found <= closed * (1 + 1e-8)).all()
    assert found == pytest.approx(closed, rel=2e-3)


def test_brute_force_counts_two_zeros_as_alike_and_one_as_infinitely_far():
    model = models.FiniteModel(
        [[0.5, 0.5, 0.0], [0.2, 0.4, 0.4]], [[0, 1, 2], [1, 0, 4], [2, 4, 0]]
    )
    assert model.lipschitz(np.array([0, 1])).tolist() == [math.inf, pytest.approx(math.log(2))]
    alike = models.FiniteModel([[1.0, 0.0, 0.0]], np.ones((3, 3)) - np.eye(3))
    assert brute_force_lipschitz(alike, [0], [[1], [2]]).tolist() == [0.0]
    logs = np.log([[0.2, 0.4, 0.4], [0.1, 0.1, 0.8]])
    distance = np.array([[0, 1, 2], [1, 0, 4], [2, 4, 0]], float)
    assert np.array_equal(
        kernels.largest_slopes(logs, distance), kernels.largest_slopes.py_func(logs, distance)
    )


@settings(max_examples=25, deadline=None)
@given(lists(floats(0.02, 1), min_size=14, max_size=14))
def test_lemma_7_repaired_bounds_every_network_and_the_print_does_not(weights):
    theta = np.array(weights + [1.0] * (NETWORK.theta.size - 14))
    for row in NETWORK.rows:
        theta[row] /= theta[row].sum()
    log_least = -math.log(theta.min())
    assert NETWORK.lipschitz(theta)[0] <= 2 * log_least  # no node has more than one child
    assert collider("weighted").lipschitz(theta)[0] <= log_least
    assert NETWORK.lipschitz(NETWORK.theta)[0] > -math.log(0.2)
    chain = networkx.DiGraph([("a", "b")])
    chain.nodes["a"]["cpt"] = [0.1, 0.9]
    chain.nodes["b"]["cpt"] = [[0.1, 0.9], [0.9, 0.1]]
    chained = models.BayesianNetwork(chain)
    found = chained.lipschitz(chained.theta)[0]
    assert found == pytest.approx(2 * math.log(9))
    assert found > -math.log(0.1)  # as printed


def test_changes_of_a_network_run_the_same_in_plain_python():
    logs = np.log(NETWORK.theta)[None]
    for entries in NETWORK._changes:
        found = kernels.largest_changes(logs, entries)
        assert np.array_equal(found, kernels.largest_changes.py_func(logs, entries))


# --- Bayes' rule ------------------------------------------------------------------------------------------


def log_density(distribution, theta):
    if isinstance(distribution, models.NormalGamma):
        mean, precision = theta.T
        sd = 1 / np.sqrt(distribution.count * precision)
        return norm.logpdf(mean, distribution.mean, sd) + gamma.logpdf(
            precision, distribution.shape, scale=1 / distribution.rate
        )
    if isinstance(distribution, Gamma):
        return gamma.logpdf(theta, float(distribution.shape), scale=1 / float(distribution.rate))
    if isinstance(distribution, Exponential):
        return gamma.logpdf(theta, 1, scale=1 / float(distribution.rate))
    if isinstance(distribution, Beta):
        return beta.logpdf(theta, float(distribution.a), float(distribution.b))
    if isinstance(distribution, Normal):
        return norm.logpdf(theta, float(distribution.mean), float(distribution.sd))
    concentration = np.array([float(g) for g in distribution.concentration])
    return (
        gammaln(concentration.sum())
        - gammaln(concentration).sum()
        + xlogy(concentration - 1, theta).sum(-1)
    )


CONJUGATE = [
    (models.Bernoulli(), Beta(2, 3), [0, 1, 1], CHANCES),
    (models.Binomial(4), Beta(2, 0.5), [0, 4, 3], CHANCES),
    (models.Binomial(4, base="counting"), Beta(2, 0.5), [0, 4, 3], CHANCES),
    (models.Geometric(), Beta(2, 3), [0, 7], CHANCES),
    (models.Poisson(), Gamma(2, 0.5), [0, 7], RATES),
    (models.Exponential(), Exponential(2), [0.5, 3], RATES),
    (models.LaplaceKnownLocation(1), Gamma(0.5, 2), [-0.5, 3], RATES),
    (models.NormalKnownMean(1), Exponential(2), [-0.5, 3, 2], RATES),
    (models.NormalVariance(1), Gamma(3, 2), [1, 1], RATES),
    (models.NormalKnownVariance(0.3), Normal(1, 2), [-0.5, 3], np.array([-4.0, 0.2, 1.5])),
    (models.NormalBoth(), models.NormalGamma(1, 2, 0.5, 3), [-0.5, 3, 2], PAIRS),
    (models.Categorical(3), Dirichlet([1, 2, 0.5]), [0, 1, 1], rng().dirichlet([1, 1, 1], 4)),
]


@pytest.mark.parametrize(("model", "prior", "x", "theta"), CONJUGATE)
def test_posterior_over_prior_is_likelihood_up_to_a_constant(model, prior, x, theta):
    posterior = model.posterior(prior, x)
    rest = log_density(posterior, theta) - log_density(prior, theta)
    rest -= model.log_likelihood(theta, model.read(x))
    assert rest == pytest.approx(rest[0], abs=1e-9 * max(1, abs(rest[0])))


@pytest.mark.parametrize(("model", "prior", "x", "theta"), CONJUGATE)
def test_posterior_on_points_is_bayes_rule(model, prior, x, theta):
    distribution = models.FiniteDistribution(
        theta, np.arange(1, len(theta) + 1) / sum(range(1, len(theta) + 1))
    )
    found = model.posterior(distribution, x)
    weights = distribution.masses * np.exp(model.log_likelihood(theta, model.read(x)))
    assert found.masses == pytest.approx(weights / weights.sum(), rel=1e-12)


def test_network_counts_the_records_in_each_row():
    found = NETWORK.posterior(NETWORK.prior(0.5), [[0, 1, 1, 0], [2, 1, 0, 0], [2, 1, 1, 1]])
    table = [
        [float(g) - 0.5 for g in distribution.concentration] for distribution in found.distributions
    ]
    wet = [[0, 0], [0, 1], [0, 0], [0, 0], [0, 0], [1, 1]]  # by rain, then tap
    assert table == [[1, 0, 2], [0, 3], *wet, [1, 0], [1, 1]]
    shares = np.concatenate([np.array(t) + 0.5 for t in table])
    records = NETWORK.read([[0, 1, 1, 0], [2, 1, 0, 0]])
    chance = 0.2 * 0.1 * 0.6 * 0.7 * 0.3 * 0.1 * 0.05 * 0.99
    assert NETWORK.log_likelihood(NETWORK.theta, records) == pytest.approx(math.log(chance))
    assert shares.size == NETWORK.theta.size


def test_grid_of_a_distribution_has_its_masses():
    at = np.linspace(0, 1, 2001)
    distribution = models.FiniteDistribution.on_grid(Beta(2, 3), at)
    assert np.cumsum(distribution.masses)[::200] == pytest.approx(
        beta.cdf(at[::200], 2, 3), abs=1e-3
    )
    assert distribution.masses.sum() == pytest.approx(1)


def test_masses_far_below_the_doubles_keep_their_ratios():
    distribution = models.FiniteDistribution([0.1, 0.5, 0.9])
    found = models.Bernoulli().posterior(distribution, np.ones(2000))
    assert found.masses[0] == 0
    assert found.log_masses[0] - found.log_masses[2] == pytest.approx(2000 * math.log(1 / 9))


# --- draws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("distribution", "cdf"),
    [
        (Gamma(2, 3), gamma(2, scale=1 / 3).cdf),
        (Exponential(3), gamma(1, scale=1 / 3).cdf),
        (Beta(2, 0.5), beta(2, 0.5).cdf),
        (Normal(1, 2), norm(1, 2).cdf),
        (
            Laplace(1, 2),
            lambda t: np.where(t < 1, np.exp((t - 1) / 2) / 2, 1 - np.exp((1 - t) / 2) / 2),
        ),
    ],
)
def test_draws_have_the_distribution(distribution, cdf):
    assert kstest(models.draws(distribution, DRAWS, rng()), cdf).pvalue > LEAST


@pytest.mark.parametrize(
    ("model", "prior", "level"),
    [
        (models.Bernoulli(), Beta(2, 3), 1.0),
        (models.Bernoulli(), Beta(200, 3), 1.0),
        (models.Bernoulli(), Beta(3, 200), 1.0),
        (models.Exponential(), Gamma(2, 3), 0.5),
        (models.Exponential(), Gamma(20, 3), 0.5),
        (models.Poisson(), Gamma(2, 20), 0.7),
        (models.NormalKnownVariance(1), Normal(9, 1), 2.0),
        (models.NormalKnownVariance(1), Normal(0, 3), 2.0),
    ],
)
def test_restricted_draws_have_the_conditional_distribution(model, prior, level):
    distribution = model.restrict(prior, level)
    low, high = distribution.interval
    assert model.lipschitz(np.array([low, high])).max() == pytest.approx(level)
    whole = {Beta: beta, Gamma: gamma, Normal: norm}[type(prior)]
    parts = [float(value) for value in prior.args]
    frozen = whole(parts[0], scale=1 / parts[1]) if whole is gamma else whole(*parts)
    left, right = frozen.cdf([low, high])
    upper = frozen.sf([low, high])

    def cdf(t):
        if left > 0.5:
            return (upper[0] - frozen.sf(t)) / (upper[0] - upper[1])
        return (frozen.cdf(t) - left) / (right - left)

    drawn = models.draws(distribution, DRAWS, rng())
    assert ((drawn >= low) & (drawn <= high)).all()
    assert kstest(drawn, cdf).pvalue > LEAST


def test_restricted_draws_of_several_numbers_meet_the_restriction():
    model, prior = models.Categorical(3), Dirichlet([1, 1, 1])
    drawn = models.draws(model.restrict(prior, 1.0), 2000, rng())
    assert drawn.shape == (2000, 3)
    assert (model.lipschitz(drawn) <= 1.0 + 1e-12).all()
    # against draws without the restriction that happen to meet it, twenty times as many
    part = int((model.lipschitz(drawn) <= 0.5).sum())
    free = dirichlet.rvs([1, 1, 1], 400_000, random_state=rng(2))
    slopes = model.lipschitz(free)
    share = (slopes <= 0.5).sum() / (slopes <= 1.0).sum()
    assert binomtest(part, 2000, float(share)).pvalue > LEAST
    narrow = collider("weighted")
    distribution = narrow.restrict(narrow.prior(3.0), 2.0)
    assert (narrow.lipschitz(models.draws(distribution, 50, rng())) <= 2.0).all()


def test_draws_of_a_finite_distribution_have_its_masses_and_skip_points_without_mass():
    masses = np.array([0.0, 0.3, 0.0, 0.0, 0.699, 0.001, 0.0])
    distribution = models.FiniteDistribution(np.arange(7.0), masses)
    counts = np.bincount(models.draws(distribution, DRAWS, rng()).astype(int), minlength=7)
    assert counts[masses == 0].tolist() == [0, 0, 0, 0]
    assert chisquare(counts[masses > 0], DRAWS * masses[masses > 0]).pvalue > LEAST


def test_cut_points_run_the_same_in_plain_python():
    sums = np.cumsum([0.25, 0.0, 0.5, 0.25])
    cuts = kernels.cut_points(sums, 8)
    assert cuts.tolist() == [0, 0, 2, 2, 2, 2, 3, 3]
    assert np.array_equal(cuts, kernels.cut_points.py_func(sums, 8))
    points = np.array([0.1, 0.2, 0.3, 0.4])
    drawn = kernels.drawn_points(points, sums, cuts, rng(), 100)
    assert np.array_equal(drawn, kernels.drawn_points.py_func(points, sums, cuts, rng(), 100))


def test_draws_of_several_numbers_stand_side_by_side():
    drawn = models.draws(models.NormalGamma(1, 2, 3, 4), DRAWS, rng())
    assert kstest(drawn[:, 1], gamma(3, scale=1 / 4).cdf).pvalue > LEAST
    assert kstest((drawn[:, 0] - 1) * np.sqrt(2 * drawn[:, 1]), norm.cdf).pvalue > LEAST
    both = models.draws(models.Independent([Beta(1, 2), Dirichlet([1, 2])]), DRAWS, rng())
    assert both.shape == (DRAWS, 3)
    assert kstest(both[:, 1], beta(1, 2).cdf).pvalue > LEAST


def test_a_distribution_of_ones_own_registers_its_draws():
    class Point:
        pass

    @models.draws.register
    def _(distribution: Point, size: int, rng: np.random.Generator):
        return np.full(size, 7.0)

    assert models.draws(Point(), 2, rng()).tolist() == [7.0, 7.0]
    with pytest.raises(ValueError, match="draws from 'distribution' are not available"):
        models.draws("distribution", 1, rng())


@pytest.mark.parametrize(
    ("distribution", "low", "high", "frozen"),
    [
        (Beta(2, 3), 0.2, 0.4, beta(2, 3)),
        (Beta(2, 3), 0.9, 0.999, beta(2, 3)),
        (Gamma(2, 3), 4.0, 9.0, gamma(2, scale=1 / 3)),
        (Gamma(2, 3), 0.0, 1e-3, gamma(2, scale=1 / 3)),
        (Normal(0, 1), 8.0, 9.0, norm()),
        (Normal(0, 1), -9.0, -8.0, norm()),
    ],
)
def test_mass_of_an_interval_loses_no_digits(distribution, low, high, frozen):
    exact = frozen.cdf(high) - frozen.cdf(low)
    if frozen.cdf(low) > 0.5:
        exact = frozen.sf(low) - frozen.sf(high)
    assert priors.mass(distribution, low, high) == pytest.approx(exact, rel=1e-12)


# --- neighbours --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "x", "statistic"),
    [
        (models.NormalKnownVariance(1), [0.3, -2.0, 5.0], lambda y: y.sum(-1)),
        (models.NormalKnownVariance(1), [-0.1, 3.0, 5.0], lambda y: y.sum(-1)),
        (models.NormalKnownMean(0.4), [0.3, -2.0, 5.0], lambda y: ((y - 0.4) ** 2).sum(-1)),
        (models.NormalKnownMean(-3), [0.3, -2.0], lambda y: ((y + 3) ** 2).sum(-1)),
        (models.Exponential(), [0.3, 2.0], lambda y: y.sum(-1)),
        (models.LaplaceKnownLocation(0.4), [0.3, -2.0], lambda y: np.abs(y - 0.4).sum(-1)),
    ],
)
@pytest.mark.parametrize("radius", [0.3, 1.0, 4.0])
def test_neighbours_shift_the_statistic_as_far_as_the_radius_lets(model, x, statistic, radius):
    records = model.read(x)
    found = model.neighbours(records, radius)
    for one in found:
        assert (one != records).sum() <= 1
        assert model.distance(records, one) <= radius * (1 + 1e-9)
    reached = []
    for place in range(records.size):
        for y in np.linspace(records[place] - radius, records[place] + radius, 801):
            moved = records.copy()
            moved[place] = y
            if model.inside(moved).all() and model.distance(records, moved) <= radius:
                reached.append(moved)
    for place in range(records.size):  # the mirror of a record is near when it is small
        moved = records.copy()
        moved[place] = -moved[place]
        if model.inside(moved).all() and model.distance(records, moved) <= radius:
            reached.append(moved)
    values, ends = statistic(np.array(reached)), statistic(np.array(found))
    assert ends.max() >= values.max() - 1e-9
    assert ends.min() <= values.min() + 1e-9


@pytest.mark.parametrize(
    ("model", "x", "radius"),
    [
        (models.Bernoulli(), [0, 1, 1], 1),
        (models.Binomial(4), [0, 3], 2),
        (models.Poisson(), [2, 0], 1),
        (models.Geometric(), [2, 0], 3),
        (models.Categorical(3), [2, 0, 0], 1),
        (models.LaplaceKnownScale(2), [0.4, 1.0], 1),
        (models.LaplaceBoth(), [0.4, 1.0], 1),
        (models.FiniteModel([[0.5, 0.2, 0.3]], [[0, 1, 3], [1, 0, 1], [3, 1, 0]]), [0, 1], 1),
        (NETWORK, [[0, 0, 1, 1], [0, 0, 1, 1]], 1),
    ],
)
def test_neighbours_differ_in_one_record_within_the_radius(model, x, radius):
    records = model.read(x)
    found = model.neighbours(records, radius)
    assert len(found) >= 2
    for one in found:
        assert model.inside(one).all()
        assert 0 < model.distance(records, one) <= radius
        assert (np.atleast_2d(one.T != records.T)).any(axis=0).sum() == 1


def test_all_pairs_of_counts_are_there():
    pairs = models.Binomial(3).worst_pairs(2, 2)
    assert [(x.sum(), y.sum()) for x, y in pairs] == [(k, k + 2) for k in range(5)]
    for x, y in pairs:
        assert (x != y).sum() == 1
        assert models.Binomial(3).inside(np.array([x, y])).all()
    sets = models.Categorical(3).worst_pairs(3, 1)
    assert len(sets) == 6 * 3  # two records in any order, a pair of outcomes for the third
    assert all(models.Categorical(3).distance(x, y) == 1 for x, y in sets)


# --- the interface, and what is refused --------------------------------------------------------------------


def cycle():
    graph = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])
    for node in graph:
        graph.nodes[node]["cpt"] = [[0.5, 0.5], [0.5, 0.5]]
    return graph


def single(cpt):
    graph = networkx.DiGraph()
    graph.add_node("a", **({} if cpt is None else {"cpt": cpt}))
    return graph


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: models.Bernoulli().posterior(Beta(1, 1), [0, 2]),
            "records of Bernoulli.. must be 0 or 1, and not all are$",
        ),
        (lambda: models.Exponential().read([-1]), "must be numbers >= 0, and not all are$"),
        (lambda: models.Exponential().read([math.nan]), "numbers >= 0, and not all are$"),
        (lambda: models.Poisson().read([1.5]), "whole numbers >= 0, and not all are$"),
        (lambda: models.Beta().read([1.0]), r"numbers in \(0, 1\), and not all are$"),
        (lambda: models.Exponential().read([]), r"must have shape \(n,\), n >= 1, got \(0,\)"),
        (lambda: models.Exponential().read("ab"), "must be real numbers, in rows of one length$"),
        (lambda: models.Bernoulli().pair([0], [0, 1]), "must have as many records, got 1 and 2"),
        (
            lambda: models.Bernoulli().posterior(Gamma(1, 1), [0]),
            r"must be one of Beta, FiniteDistribution, got Gamma\(1, 1\)",
        ),
        (
            lambda: models.Categorical(3).posterior(Dirichlet([1, 1]), [0]),
            "must have 3 cells, got 2",
        ),
        (
            lambda: models.Beta().posterior(models.Independent([Gamma(1, 1)] * 2), [0.5]),
            "has no conjugate prior; give a FiniteDistribution",
        ),
        (
            lambda: models.Beta().accept(models.Independent([Gamma(1, 1)])),
            "must be two Independent gammas",
        ),
        (
            lambda: models.LaplaceBoth().accept(models.Independent([Gamma(1, 1)])),
            "a distribution and a gamma",
        ),
        (
            lambda: models.NormalVariance().posterior(Exponential(1), [0, 0]),
            "the posterior must be proper: n / 2 < shape .* got n = 2, shape = 1",
        ),
        (
            lambda: models.Bernoulli().posterior(models.FiniteDistribution([0.0, 1.0]), [0, 1]),
            "prior mass times likelihood must have a finite sum > 0 over the points, got 0",
        ),
        (
            lambda: models.Bernoulli().restrict(Beta(3000, 1), 0.1),
            "must have mass > 0, got 0 in doubles.* raise the level",
        ),
        (
            lambda: models.FiniteDistribution([0.1, 0.2], [0.5, 0.4]),
            "masses must sum to 1, got 0.9; divide by their sum",
        ),
        (
            lambda: models.FiniteDistribution([0.1, 0.2], [1.5, -0.5]),
            "masses must be >= 0, got -0.5",
        ),
        (lambda: models.FiniteDistribution([0.1], [0.5, 0.5]), "one for each of 1 points"),
        (lambda: models.FiniteDistribution([math.inf]), "points must be finite"),
        (lambda: models.FiniteDistribution([]), "points must have shape"),
        (
            lambda: models.FiniteDistribution.on_grid(Beta(1, 1), [2, 3]),
            "the density of Beta.* got 0; give mass",
        ),
        (
            lambda: models.FiniteDistribution.on_grid(Beta(0.5, 1), [0, 1]),
            "must have a finite sum > 0 over the points, got inf",
        ),
        (
            lambda: models.FiniteDistribution.on_grid(Beta(1, 1), [1, 0]),
            "must be two or more, in a row, and increase",
        ),
        (lambda: models.NormalGamma(0, 0, 1, 1), "count must be > 0, got 0.0"),
        (lambda: models.Independent([]), "at least one distribution, got none"),
        (lambda: models.Independent([3]), "must be of dpbook.privacy.distributions, got 3"),
        (lambda: models.FiniteModel([[0.5, 0.4]]), "rows of table must sum to 1, got 0.9"),
        (lambda: models.FiniteModel([[1.5, -0.5]]), "table must hold probabilities, got 1.5"),
        (
            lambda: models.FiniteModel([[0.5, 0.5]], [[0, 1], [2, 0]]),
            "distances must be finite, >= 0, symmetric",
        ),
        (
            lambda: models.FiniteModel([[0.5, 0.5]]).accept(models.FiniteDistribution([0.0, 1.0])),
            "must be rows 0 to 0",
        ),
        (
            lambda: models.FiniteModel(np.full((1, 60), 1 / 60)).worst_pairs(4, 1),
            "n must be small enough for 100000 pairs",
        ),
        (
            lambda: models.BayesianNetwork(cycle()),
            "graph must have no cycle, got a -> b -> c and back; remove an edge",
        ),
        (lambda: models.BayesianNetwork(networkx.Graph()), "must be a networkx.DiGraph with nodes"),
        (
            lambda: models.BayesianNetwork(single([0.5, 0.6])),
            "rows of cpt of 'a' must sum to 1, got 1.1",
        ),
        (
            lambda: models.BayesianNetwork(single([1.0])),
            r"must have shape \(1,\): .* 2 or more of its own",
        ),
        (
            lambda: models.BayesianNetwork(single([[0.5, 0.5]])),
            r"must have shape \(2,\).*got \(1, 2\)",
        ),
        (lambda: models.BayesianNetwork(single(None)), "node 'a' must have an attribute cpt"),
        (
            lambda: models.BayesianNetwork(single([0.5, 0.5]), "l2"),
            'metric must be "hamming" or "weighted"',
        ),
        (lambda: NETWORK.read([[0, 0, 0]]), r"must have shape \(n, 4\), n >= 1, got \(1, 3\)"),
        (
            lambda: NETWORK.read([[3, 0, 0, 0]]),
            r"states below \[3, 2, 2, 2\], and not all have$",
        ),
        (
            lambda: NETWORK.accept(models.Independent([Dirichlet([1, 1])])),
            "one Dirichlet distribution for each of 10 rows",
        ),
        (
            lambda: NETWORK.accept(models.FiniteDistribution(np.ones((2, 3)))),
            "points of the prior must have 21 numbers",
        ),
        (lambda: models.Binomial(0), "trials must be an integer >= 1, got 0"),
        (lambda: models.Binomial(2, "lebesgue"), 'base must be "coefficient" or "counting"'),
        (lambda: models.NormalKnownVariance(0), "variance must be > 0, got 0"),
        (lambda: models.Bernoulli().restrict(Beta(1, 1), -1), "level must be > 0, got -1"),
        (
            lambda: models.Bernoulli().worst_pairs(3, 0.5),
            "radius must be >= 1: records are whole numbers, got 0.5",
        ),
        (
            lambda: models.NormalBoth().neighbours(np.ones(2), 1.0),
            "the worst neighbour under NormalBoth.. is not available",
        ),
        (
            lambda: models.Bernoulli().worst_pairs(10**9, 1),
            "n must be small enough for 10000 totals of the records",
        ),
        (lambda: models.Poisson().worst_pairs(3, 1), "see worst_neighbour for one dataset"),
        (
            lambda: brute_force_lipschitz(models.Bernoulli(), [0.5], [[1]]),
            "datasets must be two or more, got 1",
        ),
        (
            lambda: brute_force_lipschitz(models.Bernoulli(), [0.5], 3),
            "datasets must be a sequence of two or more, got 3",
        ),
        (
            lambda: brute_force_lipschitz("coin", [0.5], [[1], [0]]),
            "model must be a Model of dpbook.posterior_sampling.models, got 'coin'",
        ),
    ],
)
def test_unusable_input_is_refused_in_one_line(call, message):
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("model", "prior"),
    [
        (models.NormalKnownVariance(0.1), Normal(0, 1)),
        (models.Bernoulli(), models.FiniteDistribution([0.01, 0.99])),
        (models.Binomial(50, base="counting"), Beta(1, 1)),
    ],
)
def test_a_level_below_every_constant_is_refused_by_the_name_of_the_assumption(model, prior):
    with pytest.raises(DomainError, match="posterior_sampling:assumption-1 needs prior mass where"):
        model.restrict(prior, 0.5)


def test_a_restricted_posterior_without_mass_in_doubles_is_drawn_but_not_compared():
    model = models.Bernoulli()
    prior = model.restrict(Beta(1, 1), 0.1)
    assert isinstance(model.posterior(prior, [1] * 3000), models.Restricted)
    with pytest.raises(
        ValueError, match="must have mass > 0 from 0.47.* to 0.52.*, got 0 in doubles"
    ):
        _ = posterior_pair(model, prior, [1] * 3000, [0] + [1] * 2999).kl
    with pytest.raises(ValueError, match="model must be a Model"):
        posterior_pair("coin", prior, [1], [0])


def test_restricting_twice_keeps_the_smaller_level_and_points_that_are_smooth_stay():
    model = models.Bernoulli()
    assert model.restrict(model.restrict(Beta(1, 1), 1.0), 2.0).level == 1.0
    kept = model.restrict(models.FiniteDistribution([0.1, 0.5, 0.6], [0.5, 0.25, 0.25]), 1.0)
    assert kept.points.tolist() == [0.5, 0.6]
    assert kept.masses == pytest.approx([0.5, 0.5])


def test_a_restriction_that_is_hardly_ever_met_is_refused():
    model = collider("weighted")
    distribution = model.restrict(model.prior(), 0.01)
    with pytest.raises(ValueError, match="must be met by 1 of 1000 draws, got 0 of"):
        models.draws(distribution, 1, rng())
