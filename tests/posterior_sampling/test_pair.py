"""Exact privacy of two posteriors: golden numbers, quadrature, sums, and what any pair must keep."""

import io
import itertools
import math

import mpmath
import networkx
import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis.strategies import floats, integers, lists
from numpy.polynomial.legendre import leggauss
from scipy.integrate import quad
from scipy.special import digamma
from scipy.stats import beta, gamma, norm

from dpbook.posterior_sampling import (
    FiniteDistribution,
    models,
    posterior_pair,
    worst_neighbour,
    worst_pair,
)
from dpbook.posterior_sampling.theory import pair as pair_module
from dpbook.posterior_sampling.theory.divergences import (
    _family,
    _Moments,
    divergences,
    largest_log_density,
)
from dpbook.privacy.distributions import Beta, Dirichlet, Exponential, Gamma, Normal
from dpbook.privacy.profiles import profile

INFINITY = math.inf
COIN = models.Bernoulli()


def coin(ones, n):
    return [1] * ones + [0] * (n - ones)


# --- numbers computed elsewhere, with 20 digits and more ---------------------------------------------------


def test_exponential_records_break_theorem_1_ii():
    x, y = np.zeros(10), np.array([10.0] + [0] * 9)
    pair = posterior_pair(models.Exponential(), Exponential(1), x, y)
    assert pair.kl == pytest.approx(83.623, abs=1e-3)
    assert pair.kl == pytest.approx(11 * (10 - math.log(11)))
    printed = {b.claim: b.value for b in pair.bounds()}
    assert printed["posterior_sampling:theorem-1.ii"] == pytest.approx(49.108, abs=1e-3)
    x[0], y[0] = 1.0, 21.0
    inside = posterior_pair(
        models.Exponential(), Exponential(1), [*x, *x[:0], *[0] * 10], [*y, *[0] * 10]
    )
    assert inside.kl == pytest.approx(159.6, abs=0.05)
    near = posterior_pair(models.Exponential(), Exponential(1), np.zeros(200), [0.2] + [0] * 199)
    assert near.total_variation == pytest.approx(0.8035, abs=1e-4)
    assert near.total_variation > 0.7008  # theorem 2(ii) as printed
    assert "exceeded" in near._repr_html_()


def test_two_coins_break_both_theorems():
    """K = 1000, c = 10, n = 105 tosses: all ones against one zero."""
    odds, rate = 1000.0, 10
    prior = FiniteDistribution([0.5, odds / (odds + 1)], [1 - odds**-rate, odds**-rate])
    pair = posterior_pair(COIN, prior, coin(105, 105), coin(104, 105))
    assert pair.profile.rate() == pytest.approx(rate)
    assert pair.P.masses[1] == pytest.approx(0.97335, abs=1e-5)
    assert pair.Q.masses[1] == pytest.approx(0.03524, abs=1e-5)
    assert pair.kl == pytest.approx(3.1346, abs=1e-4)
    assert pair.total_variation == pytest.approx(0.9381, abs=1e-4)
    bounds = {b.claim: b.value for b in pair.bounds()}
    assert bounds["posterior_sampling:theorem-1.ii"] == pytest.approx(0.4911, abs=1e-4)
    assert bounds["posterior_sampling:theorem-2.ii"] == pytest.approx(0.4955, abs=1e-4)
    assert pair.kl <= bounds["posterior_sampling:note-theorem-1.ii-means"]
    assert pair.total_variation <= bounds["posterior_sampling:note-theorem-2.ii-parts"]


def test_laplace_records_of_known_scale_satisfy_assumption_1():
    prior = FiniteDistribution.on_grid(Normal(0, 3), np.linspace(-30, 30, 20_001))
    pair = posterior_pair(models.LaplaceKnownScale(0.7), prior, (0.1, 0.4, 2), (0.1, 0.4, -1))
    assert pair.exponent == pytest.approx(4.285714)
    assert pair.kl == pytest.approx(1.00671, abs=2e-5)
    assert pair.total_variation == pytest.approx(0.481275, abs=2e-5)
    assert pair.epsilon == pytest.approx(4.97711, abs=2e-5)


@pytest.mark.parametrize(("ones", "epsilon"), [(0, 3.70130), (5, 2.37736)])
def test_coins_restricted_to_a_tenth(ones, epsilon):
    prior = COIN.restrict(Beta(1, 1), math.log(9))
    pair = posterior_pair(COIN, prior, coin(ones, 10), coin(ones + 1, 10))
    assert pair.epsilon == pytest.approx(epsilon, abs=5e-6)
    assert 2 * pair.exponent == pytest.approx(4.39445, abs=5e-6)


def test_lemma_6_as_printed_is_not_robust():
    at = np.geomspace(1e-9, 60, 20_001)
    model, prior = models.NormalVariance(0), FiniteDistribution.on_grid(Exponential(1), at)
    pair = posterior_pair(model, prior, [0.01], [1.0])
    assert pair.kl == pytest.approx(69.30, abs=0.01)
    assert pair.distance * 4.9108149646 == pytest.approx(14.63, abs=0.01)


def test_all_ones_against_all_zeros():
    pair = posterior_pair(COIN, Beta(3, 3), np.ones(8), np.zeros(8))
    assert pair.kl == pytest.approx(8 * (digamma(11) - digamma(3)))
    assert pair.distance == 8


@pytest.mark.parametrize(
    ("draws", "value"), [(1, 0.216595), (5, 0.463685), (10, 0.618538), (50, 0.949794)]
)
def test_total_variation_of_several_draws_of_a_rate(draws, value):
    x, y = np.ones(10), np.full(10, 1.2)
    pair = posterior_pair(models.Exponential(), Exponential(1), x, y, draws=draws)
    assert pair.total_variation == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(
    ("draws", "error"), [(1, 0.383), (5, 0.249), (20, 0.087), (50, 0.015), (100, 0.001)]
)
def test_best_test_of_several_draws_errs_as_simulated(draws, error):
    pair = posterior_pair(COIN, Beta(1, 1), coin(6, 10), coin(5, 10), draws=draws)
    assert (1 - pair.total_variation) / 2 == pytest.approx(error, abs=0.003)
    assert pair.kl == pytest.approx(0.184345 * draws, rel=1e-5)


# --- the ways to a divergence agree -------------------------------------------------------------------------

LAWS = [
    (Gamma(11, 11), Gamma(11, 13)),
    (Gamma(11, 13), Gamma(11, 11)),
    (Gamma(3, 2), Gamma(2, 2)),
    (Gamma(2, 2), Gamma(3, 2)),
    (Beta(7, 5), Beta(6, 6)),
    (Beta(2, 1), Beta(1, 2)),
    (Beta(9, 5), Beta(6, 8)),
    (Normal(1, 1), Normal(0, 1)),
    (Beta(4.5, 3.7), Beta(3.5, 3.7)),
    (Dirichlet([3, 2, 4]), Dirichlet([2, 3, 4])),
]


@pytest.mark.parametrize(("P", "Q"), LAWS)
def test_integral_of_the_moments_agrees_with_the_profile(P, Q):
    exact, found = profile(P, Q), _Moments(_family(P, Q), 1)
    for epsilon in (0.0, 0.1, 0.5, 2.0):
        assert found.delta(epsilon) == pytest.approx(exact.delta(epsilon), rel=1e-10, abs=1e-13)
    for order in (0.5, 1.0, 1.2, 3.0, INFINITY):
        assert found.renyi(order) == pytest.approx(exact.renyi(order), rel=1e-12)
    assert found.epsilon(0.05) == pytest.approx(exact.epsilon(0.05), rel=1e-9)
    for z in (0.1, 0.3):  # the moments, by the Renyi divergence of order 1 + z
        if z < found.family.upper:
            assert found.family.log_moment(z) == pytest.approx(z * exact.renyi(1 + z), rel=1e-9)


@pytest.mark.parametrize("draws", [1, 2, 9])
@pytest.mark.parametrize("epsilon", [0.5, 5.0, 15.0, 40.0])
def test_small_deltas_of_draws_of_normals_keep_their_digits(draws, epsilon):
    with mpmath.workdps(50):
        d = mpmath.sqrt(draws)
        exact = (
            mpmath.erfc((epsilon / d - d / 2) / mpmath.sqrt(2))
            - mpmath.exp(epsilon) * mpmath.erfc((epsilon / d + d / 2) / mpmath.sqrt(2))
        ) / 2
        found = _Moments(_family(Normal(1, 1), Normal(0, 1)), draws).delta(epsilon)
        assert abs(found - exact) <= max(1e-10 * exact, 1e-300)


@pytest.mark.parametrize(
    ("shape", "rate", "other", "draws", "epsilon"),
    [
        (1.0, 1.0, 1.25, 5, 3.0),
        (1.0, 1.0, 1.25, 5, 50.0),
        (3.0, 1.0, 2.0, 3, 40.0),
        (3.0, 2.0, 1.0, 3, 4.0),
        (3.0, 2.0, 1.0, 3, 6.2),
        (2.0, 1.0, 1.5, 10, 200.0),
        (20.0, 1.0, 1.5, 10, 150.0),
        (3.0, 1.0, 1.125, 3, 12.0),
    ],
)
def test_small_deltas_of_draws_of_rates_keep_their_digits(shape, rate, other, draws, epsilon):
    """All draws together are worth one of the sum of their shapes; balls of 600 digits."""
    with ctx.workdps(600):
        b, d, whole = arb(rate), arb(other), arb(shape) * draws
        at = (epsilon - whole * (b / d).log()) / (d - b)
        side = arb.gamma_upper if other > rate else arb.gamma_lower
        exact = side(b * at, whole, 1) - arb(epsilon).exp() * side(d * at, whole, 1)
        assert exact.rel_accuracy_bits() > 60
        exact = float(exact.mid())
    found = _Moments(_family(Gamma(shape, rate), Gamma(shape, other)), draws).delta(epsilon)
    assert abs(found - exact) <= max(1e-10 * exact, 1e-300)


def test_several_draws_of_normals_and_rates_are_one_draw_of_their_sums():
    for draws in (2, 9):
        many = divergences(Normal(0.3, 1), Normal(0, 1), draws)
        one = profile(Normal(0.3 * math.sqrt(draws), 1), Normal(0, 1))
        sums = divergences(Gamma(2, 3), Gamma(2, 4), draws)
        whole = profile(Gamma(2 * draws, 3), Gamma(2 * draws, 4))
        for epsilon in (0.0, 0.4):
            assert many.delta(epsilon) == pytest.approx(one.delta(epsilon), rel=1e-10)
            assert sums.delta(epsilon) == pytest.approx(whole.delta(epsilon), rel=1e-10)
        assert sums.kl == pytest.approx(whole.kl)
        assert sums.max_log_ratio == pytest.approx(whole.max_log_ratio)


def test_dirichlet_distributions_that_differ_in_many_cells_by_three_beta_distributions():
    """The chance of a cell, and the share of the next one in the rest, are independent betas."""
    P, Q = Dirichlet([3, 2, 5]), Dirichlet([2, 4, 4])
    found = divergences(P, Q)
    nodes, weights = leggauss(400)
    at, weight = 0.5 * (nodes + 1), 0.5 * weights
    parts = []
    for (a, b), (c, d) in (((3, 7), (2, 8)), ((2, 5), (4, 4))):
        parts.append((beta.pdf(at, a, b) * weight, beta.pdf(at, c, d) * weight))
    p = np.multiply.outer(parts[0][0], parts[1][0])
    q = np.multiply.outer(parts[0][1], parts[1][1])
    for epsilon in (0.0, 0.5):
        direct = np.maximum(p - math.exp(epsilon) * q, 0).sum()
        assert found.delta(epsilon) == pytest.approx(direct, abs=2e-5)
    assert found.kl == pytest.approx(np.sum(p * np.log(p / q)), rel=1e-6)


def test_mean_and_precision_by_quadrature_over_the_precision():
    prior = models.NormalGamma(0, 1, 1, 1)
    pair = posterior_pair(models.NormalBoth(), prior, [0.1, 0.5], [0.1, 1.0])
    P, Q = pair.P, pair.Q
    distance = abs(P.mean - Q.mean)

    def ratio(tau):
        return gamma.logpdf(tau, P.shape, scale=1 / P.rate) - gamma.logpdf(
            tau, Q.shape, scale=1 / Q.rate
        )

    def given_precision(tau, epsilon):  # two normal distributions of one spread; any level
        u, level = distance * math.sqrt(P.count * tau), epsilon - ratio(tau)
        return norm.cdf(u / 2 - level / u) - math.exp(level) * norm.cdf(-u / 2 - level / u)

    for epsilon in (0.0, 0.6):
        direct = quad(
            lambda tau, e=epsilon: (
                gamma.pdf(tau, P.shape, scale=1 / P.rate) * given_precision(tau, e)
            ),
            *(0, 40),
            limit=400,
        )[0]
        assert pair.over.delta(epsilon) == pytest.approx(direct, rel=1e-7)

    def inner(tau, order):
        mean = order * ratio(tau) - (order - 1) * 0
        shift = 0.5 * order * (order - 1) * P.count * tau * distance**2
        return math.exp(mean + gamma.logpdf(tau, Q.shape, scale=1 / Q.rate) + shift)

    order = 1.7
    direct = math.log(quad(lambda tau: inner(tau, order), 0, 60, limit=400)[0]) / (order - 1)
    assert pair.over.renyi(order) == pytest.approx(direct, rel=1e-7)
    kl = quad(
        lambda tau: (
            gamma.pdf(tau, P.shape, scale=1 / P.rate)
            * (ratio(tau) + 0.5 * P.count * tau * distance**2)
        ),
        *(1e-12, 60),
        limit=400,
    )[0]
    assert pair.kl == pytest.approx(kl, rel=1e-7)
    assert pair.over.renyi(1.0001) == pytest.approx(pair.kl, rel=1e-3)
    assert pair.epsilon == INFINITY
    # the largest density over the prior is where the likelihood is largest
    mean, precision = 0.3, 1 / 0.04
    at = np.array([[mean, precision]])
    direct = models.NormalBoth().log_likelihood(at, np.array([0.1, 0.5]))[0]
    near = at + np.array([[1e-3, 0.0], [-1e-3, 0], [0, 0.1], [0, -0.1]])
    assert (models.NormalBoth().log_likelihood(near, np.array([0.1, 0.5])) < direct).all()

    def log_density(distribution):
        sd = 1 / math.sqrt(distribution.count * precision)
        return norm.logpdf(mean, distribution.mean, sd) + gamma.logpdf(
            precision, distribution.shape, scale=1 / distribution.rate
        )

    assert largest_log_density(P, prior) == pytest.approx(log_density(P) - log_density(prior))
    equal = models.NormalBoth().posterior(prior, [0.5, 0.5])
    assert largest_log_density(equal, prior) == INFINITY


def test_networks_add_over_their_rows():
    graph = networkx.DiGraph([("a", "b")])
    graph.nodes["a"]["cpt"], graph.nodes["b"]["cpt"] = [0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]
    network = models.BayesianNetwork(graph)
    pair = posterior_pair(network, network.prior(), [[0, 0], [1, 1]], [[1, 0], [1, 1]])
    rows = [(Beta(2, 2), Beta(1, 3)), (Beta(2, 1), Beta(1, 1)), (Beta(1, 2), Beta(2, 2))]
    assert pair.kl == pytest.approx(sum(profile(P, Q).kl for P, Q in rows))
    assert pair.over.renyi(1.5) == pytest.approx(sum(profile(P, Q).renyi(1.5) for P, Q in rows))
    nodes, weights = leggauss(120)
    at, weight = 0.5 * (nodes + 1), 0.5 * weights
    p, q = np.ones((1, 1, 1)), np.ones((1, 1, 1))
    for axis, (P, Q) in enumerate(rows):
        shape = [1, 1, 1]
        shape[axis] = at.size
        p = p * (beta.pdf(at, float(P.a), float(P.b)) * weight).reshape(shape)
        q = q * (beta.pdf(at, float(Q.a), float(Q.b)) * weight).reshape(shape)
    assert pair.over.delta(0.3) == pytest.approx(
        np.maximum(p - math.exp(0.3) * q, 0).sum(), abs=1e-4
    )
    alone = posterior_pair(network, network.prior(), [[0, 0]], [[0, 1]])
    assert alone.total_variation == pytest.approx(profile(Beta(2, 1), Beta(1, 2)).total_variation)
    assert [b.claim for b in alone.bounds()] == []
    assert "0.5" in alone._repr_html_()


@pytest.mark.parametrize(
    ("model", "prior", "level", "x", "y"),
    [
        (COIN, Beta(1, 1), 1.5, coin(3, 10), coin(4, 10)),
        (COIN, Beta(0.5, 0.5), 1.5, coin(9, 10), coin(3, 10)),
        (models.Exponential(), Exponential(1), 2.0, [0.3, 1.0], [0.3, 0.1]),
        (models.Poisson(), Gamma(2, 1), 1.2, [3, 0], [4, 0]),
        (models.NormalKnownVariance(1), Normal(0, 2), 1.5, [3.0, 0], [2.0, 0]),
        (models.Geometric(), Beta(2, 1), 0.7, [3, 0], [4, 0]),
    ],
)
def test_restricted_posteriors_by_quadrature(model, prior, level, x, y):
    restricted = model.restrict(prior, level)
    pair = posterior_pair(model, restricted, x, y)
    low, high = restricted.interval
    at = np.linspace(low, high, 200_002)[1:-1]
    logs = {}
    for name, records in (("p", x), ("q", y)):
        start = np.zeros(at.size)
        kind = type(prior)
        parts = [float(v) for v in prior.args]
        if kind is Beta:
            start = (parts[0] - 1) * np.log(at) + (parts[1] - 1) * np.log1p(-at)
        elif kind is Normal:
            start = -0.5 * ((at - parts[0]) / parts[1]) ** 2
        else:
            shape, rate = (1.0, parts[0]) if kind is Exponential else parts
            start = (shape - 1) * np.log(at) - rate * at
        logs[name] = start + model.log_likelihood(at, model.read(records))
        logs[name] -= np.log(np.exp(logs[name] - logs[name].max()).sum()) + logs[name].max()
    p, q, ratio = np.exp(logs["p"]), np.exp(logs["q"]), logs["p"] - logs["q"]
    assert pair.kl == pytest.approx(np.sum(p * ratio), rel=2e-4)
    assert pair.over.max_log_ratio == pytest.approx(ratio.max(), rel=2e-4)
    assert pair.back.max_log_ratio == pytest.approx(-ratio.min(), rel=2e-4)
    assert pair.epsilon <= 2 * pair.exponent * (1 + 1e-12)
    for epsilon in (0.0, 0.5 * pair.epsilon):
        direct = np.maximum(p - math.exp(epsilon) * q, 0).sum()
        assert pair.over.delta(epsilon) == pytest.approx(direct, abs=2e-5)
    for order in (0.5, 1.0001, 3.0, 200.0):
        power = (order - 1) * ratio
        direct = (np.log(np.sum(p * np.exp(power - power.max()))) + power.max()) / (order - 1)
        assert pair.over.renyi(order) == pytest.approx(direct, rel=1e-3)
    assert pair.over.epsilon(0.01) <= pair.epsilon
    assert pair.over.delta(pair.over.epsilon(0.01)) == pytest.approx(0.01, abs=1e-9)


def test_finite_posteriors_far_below_the_doubles_keep_their_ratio():
    prior = FiniteDistribution([0.01, 0.5, 0.9])
    pair = posterior_pair(COIN, prior, np.ones(400), [0, *np.ones(399)])
    assert pair.P.masses[0] == 0
    f = np.log([99.0, 1.0, 1 / 9])  # of a zero in place of a one
    expected = np.log(np.sum(np.exp(f - pair.P.log_masses * 0) * pair.P.masses)) - f
    assert pair.over.max_log_ratio == pytest.approx(expected.max(), rel=1e-9)
    assert pair.back.max_log_ratio == pytest.approx(-expected.min(), rel=1e-9)


# --- what any pair must keep --------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    a=floats(0.3, 6),
    b=floats(0.3, 6),
    ones=integers(0, 5),
    other=integers(0, 5),
    epsilon=floats(0, 3),
)
def test_pairs_keep_the_bounds_that_hold_for_all(a, b, ones, other, epsilon):
    pair = posterior_pair(COIN, Beta(a, b), coin(ones, 5), coin(other, 5))
    back = posterior_pair(COIN, Beta(a, b), coin(other, 5), coin(ones, 5))
    assert pair.kl == pytest.approx(back.kl_reverse, rel=1e-9, abs=1e-14)
    assert pair.delta(epsilon) == pytest.approx(back.delta(epsilon), rel=1e-9, abs=1e-14)
    assert pair.total_variation == pytest.approx(back.total_variation, rel=1e-9, abs=1e-14)
    assert pair.total_variation**2 <= pair.kl / 2 + 1e-12  # Pinsker
    bounds = {b.claim.partition(":")[2]: b.value for b in pair.bounds()}
    assert pair.kl + pair.kl_reverse <= bounds["note-divergence-sum"] * (1 + 1e-9)
    assert pair.kl <= bounds["note-theorem-1.ii-means"] * (1 + 1e-9)
    assert pair.total_variation <= bounds["note-theorem-2.ii-parts"] * (1 + 1e-9)


@settings(max_examples=40, deadline=None)
@given(
    chances=lists(floats(0.05, 0.95), min_size=2, max_size=5, unique=True),
    ones=integers(0, 4),
    other=integers(0, 4),
)
def test_finite_pairs_keep_the_sharp_bounds(chances, ones, other):
    pair = posterior_pair(COIN, FiniteDistribution(chances), coin(ones, 4), coin(other, 4))
    for bound in pair.bounds():
        if bound.claim.endswith(("theorem-1.ii", "theorem-2.ii")):
            continue  # refuted
        assert pair._value(bound.of) <= bound.value * (1 + 1e-9) + 1e-12


# --- the worst neighbour ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "prior", "x", "others"),
    [
        (COIN, Beta(2, 3), coin(2, 5), [coin(1, 5), coin(3, 5)]),
        (models.Binomial(4), Beta(2, 3), [0, 3], [[1, 3], [0, 4], [0, 2]]),
        (models.Poisson(), Gamma(2, 1), [2, 0], [[3, 0], [1, 0], [2, 1]]),
        (
            models.Exponential(),
            Exponential(1),
            [0.3, 2.0],
            [[1.3, 2], [0, 2], [0.3, 1], [0.3, 2.4]],
        ),
        (
            models.Categorical(3),
            Dirichlet([1, 2, 0.5]),
            [0, 1, 1],
            [[1, 1, 1], [2, 1, 1], [0, 0, 1], [0, 2, 1]],
        ),
    ],
)
def test_worst_neighbour_is_no_better_than_any(model, prior, x, others):
    worst = worst_neighbour(model, prior, x)
    kl = worst_neighbour(model, prior, x, key=lambda pair: pair.kl)
    delta = worst_neighbour(model, prior, x, key=lambda pair: pair.delta(0.7))
    for other in others:
        pair = posterior_pair(model, prior, x, other)
        assert pair.total_variation <= worst.total_variation * (1 + 1e-12)
        assert pair.kl <= kl.kl * (1 + 1e-12)
        assert pair.delta(0.7) <= delta.delta(0.7) * (1 + 1e-12)


def test_worst_pair_is_the_worst_of_every_dataset():
    for prior in (Beta(1, 1), Beta(3, 1), Beta(0.4, 2)):
        worst = worst_pair(COIN, prior, 6)
        each = [worst_neighbour(COIN, prior, coin(k, 6)).total_variation for k in range(7)]
        assert worst.total_variation == pytest.approx(max(each))
    end = worst_pair(COIN, Beta(2, 2), 9)
    assert sorted({end.x.sum(), end.y.sum()}) in ([0, 1], [8, 9])
    model = models.Exponential()
    worst = worst_pair(model, Exponential(1), 3, radius=0.5)
    for x in ([0.2, 1, 3], [0, 0, 0], [0.5, 0, 0]):
        near = worst_neighbour(model, Exponential(1), x, radius=0.5)
        assert near.total_variation <= worst.total_variation * (1 + 1e-12)
    for model, prior in (
        (models.LaplaceKnownLocation(1), Exponential(1)),
        (models.NormalKnownVariance(1), Normal(0, 1)),
        (models.Categorical(3), Dirichlet([1, 2, 3])),
        (models.FiniteModel([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]), FiniteDistribution([0.0, 1.0])),
    ):
        worst = worst_pair(model, prior, 2)
        for x in ([0, 1], [1, 1], [2, 0]):
            near = worst_neighbour(model, prior, x)
            assert near.total_variation <= worst.total_variation * (1 + 1e-9)


def neighbours_of_all(model, n, radius):
    """Every two datasets of n counts that differ in one record, by at most `radius`."""
    for x in itertools.product(range(model.trials + 1), repeat=n):
        for place, moved in itertools.product(range(n), range(model.trials + 1)):
            if 0 < abs(x[place] - moved) <= radius:
                yield x, (*x[:place], moved, *x[place + 1 :])


@pytest.mark.parametrize(
    ("model", "prior", "n", "radius"),
    [
        (COIN, Beta(2, 0.5), 4, 1.0),
        (COIN, COIN.restrict(Beta(1, 1), 1.0), 4, 1.0),
        (COIN, FiniteDistribution([0.1, 0.3, 0.6]), 4, 1.0),
        (models.Binomial(2), Beta(0.3, 3), 3, 2.0),
        (models.Binomial(3), Beta(1, 2), 2, 1.5),
        (models.Binomial(3, "counting"), FiniteDistribution([0.2, 0.3, 0.9]), 2, 2.0),
        (models.Binomial(4), Beta(1, 1), 1, 3.0),
    ],
)
def test_worst_pair_of_counts_is_the_worst_of_all_that_are_enumerated(model, prior, n, radius):
    pairs = [posterior_pair(model, prior, x, y) for x, y in neighbours_of_all(model, n, radius)]
    for key in (
        lambda pair: pair.total_variation,
        lambda pair: pair.delta(0.3),
        lambda pair: pair.kl + pair.kl_reverse,
    ):
        worst = worst_pair(model, prior, n, radius=radius, key=key)
        assert key(worst) == pytest.approx(max(map(key, pairs)), rel=1e-12)
        again = posterior_pair(model, prior, worst.x, worst.y)  # of the records, not of the total
        assert key(worst) == pytest.approx(key(again), rel=1e-12)
        assert (worst.distance, worst.draws) == (again.distance, 1)


def test_worst_pair_of_counts_looks_at_each_total_once(monkeypatch):
    """The records that are read, and those that are held, grow as n does, and not as its square."""
    read, plain = [], models.Model.read

    def counted(self, x):
        read.append(len(x))
        return plain(self, x)

    monkeypatch.setattr(models.Model, "read", counted)
    for model, n in ((COIN, 60), (models.Binomial(3), 20)):
        read.clear()
        worst_pair(model, Beta(1, 2), n, radius=2, key=lambda pair: pair.distance)
        assert read == [1] * 61
        pairs = model.worst_pairs(n, 2)
        rows = {id(one if one.base is None else one.base): one for pair in pairs for one in pair}
        assert sum((one if one.base is None else one.base).size for one in rows.values()) < 20 * n


def test_worst_pair_shows_its_progress_on_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(pair_module, "PATIENCE", 0.0)
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        worst_pair(COIN, Beta(1, 1), 7)
        assert ("/7 " in stream.getvalue()) == shown


# --- faces --------------------------------------------------------------------------------------------------


def test_a_picture_shows_what_its_words_say():
    prior = COIN.restrict(Beta(1, 1), 1.0)
    pair = posterior_pair(COIN, prior, coin(2, 3), coin(1, 3))
    lines = pair.plot().get_lines()
    assert [line.get_label() for line in lines] == [
        "x over y",
        "y over x",
        "worst under assumption 1",
    ]
    assert lines[0].get_ydata()[0] == pair.total_variation
    assert lines[2].get_ydata()[0] == pytest.approx(math.tanh(0.5))
    assert f"total variation {pair.total_variation:.4g}" in pair.describe()
    assert "no model has more than 0.4621 at 0" in pair.describe()
    assert "given L <= 1 over" in repr(pair)
    html = pair._repr_html_()
    assert html.count("it holds") == len(pair.bounds())
    free = posterior_pair(COIN, Beta(1, 1), coin(2, 3), coin(1, 3), draws=4)
    assert len(free.plot().get_lines()) == 2
    assert "4 draws: kl=2" in repr(free)
    assert free.describe().startswith("4 posterior draws at distance 1: ")
    assert "4 draws" in free._repr_html_()
    assert free.delta(np.array([0.0, 0.5]))[0] == pytest.approx(free.total_variation)
    assert free.renyi(np.array([1.0, 2.0]))[0] == free.kl


def test_one_dataset_twice_tells_nothing():
    graph = networkx.DiGraph()
    graph.add_node("a", cpt=[0.5, 0.5])
    network = models.BayesianNetwork(graph)
    for model, prior, x in (
        (COIN, Beta(1, 1), [1, 0]),
        (COIN, COIN.restrict(Beta(1, 1), 1.0), [1, 0]),
        (COIN, FiniteDistribution([0.2, 0.7]), [1, 0]),
        (models.NormalBoth(), models.NormalGamma(0, 1, 1, 1), [1, 0]),
        (network, network.prior(), [[0]]),
    ):
        pair = posterior_pair(model, prior, x, x)
        assert (pair.kl, pair.total_variation, pair.epsilon, pair.epsilon_at(0.1)) == (0, 0, 0, 0)
        assert pair.distance == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: posterior_pair(COIN, Beta(1, 1), [1], [1, 0]),
            "must have as many records, got 1 and 2",
        ),
        (
            lambda: posterior_pair(COIN, Beta(1, 1), [1], [0], draws=0),
            "draws must be an integer >= 1",
        ),
        (
            lambda: posterior_pair(COIN, Beta(1, 1), [1], [0]).delta(-1),
            "epsilon must be finite and >= 0, got -1",
        ),
        (lambda: posterior_pair(COIN, Beta(1, 1), [1], [0]).renyi(0), "order must be > 0, got 0"),
        (
            lambda: posterior_pair(COIN, Beta(1, 1), [1], [0]).epsilon_at(1),
            r"delta must be in \[0, 1\), got 1",
        ),
        (
            lambda: posterior_pair(COIN, FiniteDistribution([0.1, 0.2]), [1], [0], draws=2).kl,
            r"draws must be 1 for FiniteDistribution\(2 points\)",
        ),
        (
            lambda: (
                posterior_pair(
                    models.Categorical(3),
                    models.Categorical(3).restrict(Dirichlet([1] * 3), 2),
                    [1],
                    [0],
                ).kl
            ),
            "restricted distributions of several numbers are not available; delta_bound",
        ),
        (
            lambda: divergences(Beta(1, 1), FiniteDistribution([0.5])),
            "must be posteriors under one prior",
        ),
        (lambda: divergences(Normal(0, 1), Normal(0, 2), 2), "must have one standard deviation"),
        (
            lambda: divergences(FiniteDistribution([0.4]), FiniteDistribution([0.5])),
            "must be on the same points",
        ),
        (
            lambda: worst_neighbour(COIN, Beta(1, 1), [1], radius=0.5),
            "no dataset lies so near; raise it",
        ),
        (lambda: worst_neighbour(COIN, Beta(1, 1), [1], radius=0), "radius must be > 0, got 0"),
        (lambda: worst_pair(COIN, Beta(1, 1), 0), "n must be an integer >= 1, got 0"),
    ],
)
def test_unusable_pairs_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_bounds_of_a_restricted_table_are_those_of_assumption_1():
    model = models.Categorical(3)
    pair = posterior_pair(model, model.restrict(Dirichlet([1] * 3), 2), [1], [0])
    assert {b.of: b.value for b in pair.bounds()}["largest log ratio"] == 4
