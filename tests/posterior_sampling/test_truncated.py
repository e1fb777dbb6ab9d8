"""Draws from truncated posteriors: their distribution where hardly any mass is left, and that none is refused."""

import math

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, integers, lists, sampled_from
from mpmath import mp, mpf
from scipy.stats import beta, kstest

from dpbook.engine.language.domain import DomainError
from dpbook.posterior_sampling import (
    DrawBudget,
    FiniteDistribution,
    PosteriorSampler,
    kernels,
    models,
)
from dpbook.posterior_sampling.models import truncated
from dpbook.privacy.distributions import Beta, Dirichlet, Exponential, Gamma, Normal

LEAST = 1e-8  # p-value of one test with a fixed seed
SIZE = 4000
COIN = models.Bernoulli()
ONE = models.NormalKnownVariance(1)


def rng(seed=1):
    return np.random.default_rng(seed)


def exact_cdf(log_density, low, high, knots):
    """Distribution function on an interval, by quadrature with 50 digits between knots near the mass."""
    with mp.workdps(50):
        places = [mpf(low), *(mpf(k) for k in knots), mpf(high)]
        peak = max(log_density(x) for x in places)
        parts = [
            mp.quad(
                lambda x: mp.exp(log_density(x) - peak),
                [a, b],
                method="gauss-legendre",
                maxdegree=3,
            )
            for a, b in zip(places[:-1], places[1:], strict=True)
        ]
        sums = [mpf(0)]
        for part in parts:
            sums.append(sums[-1] + part)
        cumulative = np.array([float(s / sums[-1]) for s in sums])
    return np.array([float(x) for x in places]), cumulative


def beta_logs(a, b):
    return lambda x: (a - 1) * mp.log(x) + (b - 1) * mp.log(1 - x)


def gamma_logs(shape, rate):
    return lambda x: (shape - 1) * mp.log(x) - rate * x


def normal_logs(mean, sd):
    return lambda x: -(((x - mpf(mean)) / sd) ** 2) / 2


@pytest.mark.parametrize(
    ("distribution", "log_density", "low", "high", "scale"),
    [
        # the posterior of 1570 ones, of which a mass of 1e-325 is allowed
        (Beta(1571, 1), beta_logs(1571, 1), 0.4, 0.6, 4e-4),
        (Beta(70_001, 30_001), beta_logs(70_001, 30_001), 0.4, 0.6, 1e-5),
        (Beta(0.5, 3000), beta_logs(0.5, 3000), 0.3, 0.9, 3e-4),
        (Gamma(1001, 301), gamma_logs(1001, 301), 0.0, 0.5, 6e-4),
        (Gamma(3, 9000), gamma_logs(3, 9000), 0.5, 2.0, 1e-4),
        (Normal(5.5, 0.05), normal_logs(5.5, 0.05), -1.4, 1.4, 6e-4),
        (Normal(-1e6, 2), normal_logs(-1e6, 2), -1.4, 1.4, 4e-6),
    ],
)
def test_draws_have_the_distribution_of_fifty_digits_far_outside_of_its_mass(
    distribution, log_density, low, high, scale
):
    parts = [float(value) for value in distribution.args]
    face = {
        Beta: truncated.beta_draws,
        Gamma: truncated.gamma_draws,
        Normal: truncated.normal_draws,
    }[type(distribution)]
    drawn = face(*parts, low, high, SIZE, rng())
    assert ((drawn >= low) & (drawn <= high)).all()
    steps = scale * np.concatenate([np.linspace(0.1, 4, 40), np.linspace(5, 60, 12)])
    down = np.median(drawn) > (low + high) / 2
    knots = (high - steps)[::-1] if down else low + steps
    at, cumulative = exact_cdf(log_density, low, high, knots[(knots > low) & (knots < high)])
    # the shares of draws up to the knots, against probabilities that are exact there
    apart = np.abs((drawn[:, None] <= at).mean(axis=0) - cumulative).max()
    assert apart < math.sqrt(math.log(2 / LEAST) / (2 * SIZE))  # Dvoretzky, Kiefer and Wolfowitz
    assert ((cumulative > 0.05) & (cumulative < 0.95)).sum() > 8


@pytest.mark.parametrize(("a", "b"), [(2, 3), (0.3, 0.4), (50, 70), (1, 1e-3)])
def test_draws_have_the_distribution_also_where_its_mass_is_allowed(a, b):
    drawn = truncated.beta_draws(a, b, 0.1, 1 - 2.0**-53, SIZE, rng())
    low, high = beta.cdf([0.1, 1 - 2.0**-53], a, b)
    inside = drawn[drawn < 1 - 2.0**-53]  # beyond it chances are not told apart in doubles
    assert kstest(inside, lambda t: (beta.cdf(t, a, b) - low) / (high - low)).pvalue > LEAST


@settings(max_examples=150, deadline=None)
@given(
    kind=sampled_from([kernels.GAMMA, kernels.NORMAL]),
    power=floats(-12, 12),
    place=floats(-12, 12),
    room=floats(-12, 3),
)
def test_envelopes_lie_above_the_density(kind, power, place, room):
    """At an edge where the density falls, for parameters of all sizes."""
    a, b = 10.0**power, 10.0**place
    distribution = (kind, a, max(b, a) if kind == kernels.GAMMA else 0.0, 0.0, 0.0)
    flat, decay = kernels.envelope(*distribution, 1.0, 10.0**room)
    w = kernels.fall(*distribution, 1.0, 10.0**room)
    for t in w * np.array([0.0, 0.3, 0.9, 1.0, 1.1, 2.0, 5.0]):
        bound = 0.0 if t <= flat else -(t - flat) / decay if decay else -math.inf
        if t <= 10.0**room:
            assert kernels.log_change(*distribution, t) <= bound + 1e-9
    assert flat + decay <= 1.3 * w


# --- chances that are within a factor of each other -----------------------------------------------------


@pytest.mark.parametrize("concentration", [(1, 1, 1), (0.5, 2, 4), (19, 1, 1), (300, 1, 2)])
def test_near_chances_have_the_distribution_of_a_fine_grid(concentration):
    """Against the sums of the density over the allowed logits of three chances."""
    level = 0.5
    drawn = truncated.dirichlet_draws(np.array(concentration, float), level, SIZE, rng())
    assert np.log(drawn.max(axis=1) / drawn.min(axis=1)).max() <= level + 1e-12
    cells = 1200
    line = level * (2 * (np.arange(2 * cells) + 0.5) / (2 * cells) - 1)
    u, v = np.meshgrid(line, line, indexing="ij")
    total = 1 + np.exp(u) + np.exp(v)
    logs = concentration[0] * u + concentration[1] * v - sum(concentration) * np.log(total)
    logs[np.abs(u - v) > level] = -np.inf
    masses = np.exp(logs - logs.max())
    masses[np.abs(np.abs(u - v) - level) < 1e-9] *= 0.5
    for column in (0, 1):
        weights = masses.sum(axis=1 - column)
        edges = np.linspace(-level, level, 2 * cells + 1)
        sums = np.concatenate([[0], np.cumsum(weights)]) / weights.sum()
        found = np.log(drawn[:, column] / drawn[:, 2])
        assert kstest(found, lambda t, e=edges, s=sums: np.interp(t, e, s)).pvalue > LEAST


def test_two_near_chances_have_the_distribution_of_a_truncated_beta():
    level = 0.7
    drawn = truncated.dirichlet_draws(np.array([3.0, 8.0]), level, SIZE, rng())[:, 0]
    low, high = 1 / (1 + math.exp(level)), 1 / (1 + math.exp(-level))
    left, right = beta.cdf([low, high], 3, 8)
    assert kstest(drawn, lambda t: (beta.cdf(t, 3, 8) - left) / (right - left)).pvalue > LEAST


@pytest.mark.parametrize("a", [0.3, 4.0, 900.0])
@pytest.mark.parametrize("low", [-9.0, 0.5, 8.0])
def test_masses_of_ranges_are_those_of_fifty_digits(a, low):
    found = kernels.log_range_mass(a, low, 0.5)
    with mp.workdps(50):
        at = mp.log(mpf(a))
        top = min(max(at, mpf(low)), mpf(low) + 0.5)

        def logs(u):
            return a * (u - at) - a * mp.expm1(u - at)

        ends = [mpf(low) + mpf(k) / 60 for k in range(31)]
        whole = mp.quad(
            lambda u: mp.exp(logs(u) - logs(top)), ends, method="gauss-legendre", maxdegree=4
        )
        exact = mp.log(whole) + logs(top)
    assert found == pytest.approx(float(exact), rel=1e-12, abs=1e-10)


# --- no release is refused -------------------------------------------------------------------------------


NETWORK = networkx.DiGraph()
NETWORK.add_node("a", cpt=[0.2, 0.3, 0.5])
NETWORK.add_node("b", cpt=[0.5, 0.5])
PAIR = models.BayesianNetwork(NETWORK)
SAMPLERS = [
    (COIN, Beta(1, 1), 0.5, [0, 1]),
    (COIN, Beta(0.01, 300), 50.0, [0, 1]),
    (models.Binomial(10), Beta(2, 1), 0.01, [0, 10]),
    (models.Geometric(), Beta(1, 1), 0.5, [0, 1, 1e6, 1e140]),
    (models.Exponential(), Exponential(1), 0.5, [0, 1e-300, 0.3, 1e9, 1e140]),
    (models.Poisson(), Gamma(2, 1), 0.5, [0, 3, 1e9, 1e140]),
    (models.LaplaceKnownLocation(3), Gamma(0.1, 1), 0.5, [3, -1e140, 1e-300, 1e140]),
    (models.NormalKnownMean(2), Gamma(1, 1), 0.5, [2, 1e-200, -1e140, 1e140]),
    (ONE, Normal(0, 1), 0.7, [5.5, 0, -1e140, 1e140]),
    (models.Categorical(3), Dirichlet([1, 1, 1]), 0.5, [0, 1, 2]),
    (models.Categorical(6), Dirichlet([1] * 6), 0.01, [0, 5]),
    (PAIR, PAIR.prior(0.5), 0.3, [[0, 0], [2, 1], [1, 0]]),
]


@pytest.mark.parametrize(("model", "prior", "level", "extremes"), SAMPLERS)
def test_no_dataset_is_refused_once_a_guarantee_is_printed(model, prior, level, extremes):
    sampler = PosteriorSampler(model, model.restrict(prior, level))
    assert sampler.guarantee().epsilon == 2 * level

    @settings(max_examples=15, deadline=None)
    @given(records=lists(sampled_from(extremes), min_size=1, max_size=4), power=integers(0, 4))
    def check(records, power):
        budget = DrawBudget(3)
        fitted = sampler.fit(records * 10**power)
        theta = fitted.release(lambda theta: theta, budget=budget, rng=rng(), draws=3)
        assert np.isfinite(theta).all()
        assert (model.lipschitz(theta) <= level * (1 + 1e-12) + 1e-12).all()
        assert budget.left == 0

    check()


@pytest.mark.parametrize("n", [1560, 1568, 1569, 1570, 3000])
def test_neighbours_that_were_told_apart_by_a_refusal_are_both_answered(n):
    sampler = PosteriorSampler(COIN, COIN.restrict(Beta(1, 1), 0.5))
    for x in ([1] * n, [1] * (n - 1) + [0]):
        drawn = sampler.fit(x).release(lambda t: t, budget=DrawBudget(60), rng=rng(), draws=60)
        assert ((drawn > 0.6) & (drawn <= 1 / (1 + math.exp(-0.5)))).all()


EDGE = networkx.DiGraph([("z", "y")])
EDGE.nodes["z"]["cpt"], EDGE.nodes["y"]["cpt"] = [0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]
CHAIN = models.BayesianNetwork(EDGE)
TWO = models.Independent([Exponential(1), Exponential(1)])


@pytest.mark.parametrize(
    ("model", "prior"),
    [
        (CHAIN, CHAIN.prior()),
        (models.NormalBoth(), models.NormalGamma(0, 1, 2, 2)),
        (models.LaplaceBoth(), TWO),
        (models.Beta(), TWO),
        (models.NormalVariance(), Exponential(1)),
    ],
)
def test_what_may_be_refused_later_is_refused_before_there_are_records(model, prior):
    with pytest.raises(DomainError, match="needs a draw from the posterior of every dataset"):
        PosteriorSampler(model, model.restrict(prior, 1.0))


def test_the_remedy_for_a_network_with_edges_is_a_finite_prior():
    finite = FiniteDistribution(models.draws(CHAIN.prior(2.0), 500, rng()))
    sampler = PosteriorSampler(CHAIN, CHAIN.restrict(finite, 1.5))
    assert sampler.guarantee().epsilon <= 3.0
    fitted = sampler.fit([[0, 0]] * 10_000)
    assert fitted.release(lambda t: t.shape, budget=DrawBudget(1), rng=rng()) == (6,)


def test_records_that_no_double_can_sum_up_are_outside_the_support():
    with pytest.raises(ValueError, match=r"at most 1e\+140 in size, and not all are; clip them$"):
        ONE.read([0, 1e200])
