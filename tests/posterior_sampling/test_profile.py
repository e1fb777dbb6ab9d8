"""Lipschitz profiles, constants and bounds: against draws, exhaustive searches and 40 digits."""

import math

import mpmath
import networkx
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis.strategies import floats, integers, lists
from scipy.special import betaln, expit
from scipy.stats import binom, binomtest

from dpbook.engine.claims import catalog
from dpbook.engine.evaluate.public import compiled
from dpbook.engine.language.domain import DomainError
from dpbook.engine.language.function_symbols import Value
from dpbook.engine.language.statement import unfold_definitions
from dpbook.posterior_sampling import (
    FiniteDistribution,
    Model,
    binomial_constant,
    delta_bound,
    draw_curve,
    epsilon_bound,
    exponential_constant,
    kernels,
    laplace_constant,
    lipschitz_profile,
    models,
    network_constant,
    normal_constant,
    product_constant,
    relaxed_robustness_bound,
    relaxed_variation_bound,
    renyi_bound,
    robustness_bound,
    robustness_curve,
    zcdp_bound,
)
from dpbook.posterior_sampling.theory.bounds import KAPPA, OMEGA
from dpbook.privacy.conversions import zcdp_to_dp
from dpbook.privacy.distributions import Beta, Dirichlet, Exponential, Gamma, Normal

LEAST = 1e-9  # p-value of one test with a fixed seed; fewer than 100 of them
A1, A2, RELAXED = (
    "posterior_sampling:assumption-1",
    "posterior_sampling:assumption-2",
    "posterior_sampling:text-2.2-weaker-corrected",
)
INFINITY = math.inf


def edgeless():
    graph = networkx.DiGraph()
    graph.add_node("a", cpt=[0.5, 0.5])
    graph.add_node("b", cpt=[0.2, 0.3, 0.5])
    return models.BayesianNetwork(graph)


NETWORK = edgeless()

# model, prior, best rate without an offset (None: no closed form), what holds
CASES = [
    (models.Exponential(), Exponential(2), 2, (A2, RELAXED)),
    (models.Exponential(), Gamma(2, 1), 0, (RELAXED,)),
    (models.Exponential(), Gamma(0.5, 3), 3, (A2, RELAXED)),
    (models.LaplaceKnownLocation(1), Exponential(3), 3, (A2, RELAXED)),
    (models.LaplaceKnownScale(0.5), Normal(0, 1), 0, (A1, RELAXED)),
    (models.LaplaceBoth(), models.Independent([Normal(0, 1), Exponential(2)]), 2, (A2, RELAXED)),
    (models.Bernoulli(), Beta(1, 1), 0.5, (A2, RELAXED)),
    (models.Bernoulli(), Beta(10, 10), 1.7619705, (A2, RELAXED)),
    (models.Bernoulli(), Beta(50, 50), 3.9794619, (A2, RELAXED)),
    (models.Bernoulli(), Beta(0.01, 0.5), 0.01, (A2, RELAXED)),
    (models.Binomial(10), Beta(2, 2), 0.75, (A2, RELAXED)),
    (models.Binomial(10, base="counting"), Beta(2, 2), 0, (RELAXED,)),
    (models.Beta(), models.Independent([Exponential(1), Exponential(3)]), 0, (RELAXED,)),
    (models.Beta(), models.Independent([Gamma(0.3, 1), Gamma(0.4, 2)]), 1, (A2, RELAXED)),
    (models.Poisson(), Gamma(2, 1), 2 / math.e, (A2, RELAXED)),
    (models.Geometric(), Beta(1, 3), 3, (A2, RELAXED)),
    (models.Geometric(), Beta(2, 3), 0, (RELAXED,)),
    (models.Geometric(), Beta(0.5, 3), 3, (A2, RELAXED)),
    (models.NormalKnownMean(-4), Exponential(1), 0.5, (A2, RELAXED)),
    (models.NormalKnownMean(0.4), Exponential(1), 2, (A2, RELAXED)),
    (models.NormalVariance(0), Exponential(1), 0, ()),
    (models.NormalKnownVariance(1), Normal(0, 1), 0, (RELAXED,)),
    (models.NormalBoth(), models.NormalGamma(0, 1, 1, 1), 0, (RELAXED,)),
    (models.NormalBoth(), models.NormalGamma(0.7, 0.1, 0.4, 3), None, (A2, RELAXED)),
    (models.Categorical(2), Dirichlet([2, 2]), 0.75, (A2, RELAXED)),
    (models.Categorical(3), Dirichlet([1, 2, 3]), 0, (RELAXED,)),
    (NETWORK, NETWORK.prior(2.0), 0, (RELAXED,)),
    (models.Bernoulli(), models.Bernoulli().restrict(Beta(1, 1), 2.0), None, (A1, A2, RELAXED)),
    (
        models.Bernoulli(),
        FiniteDistribution([0.1, 0.5, 0.8], [0.2, 0.5, 0.3]),
        0.5,
        (A1, A2, RELAXED),
    ),
    (models.Bernoulli(), FiniteDistribution([0.1, 0.8]), 0, (A1, RELAXED)),
]
IDS = [f"{model}-{prior}" for model, prior, _, _ in CASES]


@pytest.mark.parametrize(("model", "prior", "rate", "holds"), CASES, ids=IDS)
def test_assumptions_and_their_best_rate(model, prior, rate, holds):
    profile = lipschitz_profile(model, prior)
    assert profile.assumptions == holds
    if rate is not None:
        assert profile.rate() == pytest.approx(rate, rel=1e-7)


@pytest.mark.parametrize(("model", "prior"), [case[:2] for case in CASES], ids=IDS)
def test_survival_function_is_that_of_draws(model, prior):
    profile = lipschitz_profile(model, prior)
    drawn = model.lipschitz(models.draws(prior, 20_000, np.random.default_rng(5)))
    assert drawn.min() >= profile.smallest - 1e-12
    assert drawn.max() <= profile.largest
    for level in np.quantile(drawn, [0.1, 0.5, 0.9, 0.999]) + 1e-9:
        above = int((drawn > level).sum())
        assert binomtest(above, drawn.size, min(profile.survival(level), 1.0)).pvalue > LEAST


@pytest.mark.parametrize(("model", "prior"), [case[:2] for case in CASES], ids=IDS)
def test_exponential_bounds_the_survival_function_and_touches_it(model, prior):
    profile = lipschitz_profile(model, prior)
    rate, offset = profile.best
    if not 0 < rate < INFINITY:
        return
    top = offset + 40 / rate
    levels = np.concatenate([np.linspace(offset, top, 40), offset + np.geomspace(1e-6, 1, 12)])
    with np.errstate(divide="ignore"):
        slack = -np.log(profile.survival(levels)) - rate * (levels - offset)
    assert (slack >= -1e-7 * (1 + rate * levels)).all()
    touches = offset if profile.rate(profile.smallest) == rate else profile.offset(rate)
    assert touches == pytest.approx(offset, abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(a=floats(0.05, 20), b=floats(0.05, 20))
def test_rate_of_log_odds_is_the_least_of_three_numbers(a, b):
    """The proof stands in `Bernoulli`; this is the search over levels that it makes needless."""
    profile = lipschitz_profile(models.Bernoulli(), Beta(a, b))
    least = min(2 ** (1 - a - b) / math.exp(betaln(a, b)), a, b)
    assert profile.rate() == pytest.approx(least, rel=1e-6)
    levels = np.geomspace(1e-3, 600 / min(a, b), 400)
    survival = profile.survival(levels)
    kept = (survival > 1e-280) & (survival < 1 - 1e-9)
    ratio = -np.log(survival[kept]) / levels[kept]
    assert ratio.min() >= least * (1 - 1e-5)


def test_offset_trades_against_the_rate():
    profile = lipschitz_profile(models.Exponential(), Gamma(2, 1))  # survival (1 + t) exp(-t)
    assert profile.offset(0.5) == pytest.approx(2 * math.log(2) - 1, abs=1e-9)
    assert profile.rate(profile.offset(0.5)) == pytest.approx(0.5, abs=1e-4)
    assert profile.offset(1.0) == INFINITY
    normal = lipschitz_profile(models.NormalKnownVariance(1), Normal(0, 1))
    assert normal.smallest == 0.5
    assert normal.rate(0.4) == 0
    assert normal.offset(normal.rate(0.5)) == pytest.approx(0.5)
    assert lipschitz_profile(models.LaplaceKnownScale(0.5), Normal(0, 1)).best == (INFINITY, 2.0)
    variance = lipschitz_profile(models.NormalVariance(0), Exponential(1))
    assert variance.best == (0.0, INFINITY)
    assert variance.offset(0.1) == INFINITY


def test_tail_of_a_normal_with_both_unknown_is_as_derived():
    for prior in (
        models.NormalGamma(0, 0.1, 0.4, 3),
        models.NormalGamma(2, 1, 1, 1),
        models.NormalGamma(0.2, 9, 1, 1),
    ):
        model = models.NormalBoth()
        tail = model.limits(prior)[1]
        far = np.array([60.0, 66.0]) / tail
        logs = np.log(model.survival(prior, far))
        assert -np.diff(logs)[0] / np.diff(far)[0] == pytest.approx(tail, rel=0.03)


def test_mean_constant_is_that_of_the_distribution():
    assert lipschitz_profile(models.Exponential(), Gamma(3, 2)).mean == pytest.approx(1.5)
    assert lipschitz_profile(models.Exponential(), Gamma(3e4, 2e-3)).mean == pytest.approx(1.5e7)
    assert lipschitz_profile(models.LaplaceKnownScale(0.5), Normal(0, 1)).mean == 2
    finite = lipschitz_profile(
        models.Bernoulli(), FiniteDistribution([0.1, 0.5, 0.8], [0.2, 0.5, 0.3])
    )
    assert finite.mean == pytest.approx(0.2 * math.log(9) + 0.3 * math.log(4))
    # mean of abs(logit) under a uniform distribution: 2 log 2
    assert lipschitz_profile(models.Bernoulli(), Beta(1, 1)).mean == pytest.approx(2 * math.log(2))


@settings(max_examples=25, deadline=None)
@given(
    chances=lists(floats(0.01, 0.99), min_size=2, max_size=6, unique=True),
    offset=floats(0, 3),
)
def test_rate_of_a_finite_prior_is_exact(chances, offset):
    profile = lipschitz_profile(models.Bernoulli(), FiniteDistribution(chances))
    rate = profile.rate(offset)
    levels = np.abs(np.log(np.array(chances) / (1 - np.array(chances))))
    if rate == INFINITY:
        assert levels.max() <= offset
        return
    at = levels * (1 - 1e-9)  # the survival function is largest, for its level, before each jump
    at = at[at > offset]
    survival = np.array(profile.survival(at))
    assert (survival <= np.exp(-rate * (at - offset)) * (1 + 1e-6)).all()
    assert (survival >= np.exp(-(1.001 * rate + 1e-6) * (at - offset))).any()


def test_a_model_without_limits_is_searched():
    class Silent(models.Exponential):
        def limits(self, prior):
            return None, None

    assert lipschitz_profile(Silent(), Exponential(2)).rate() == pytest.approx(2, rel=1e-6)
    assert lipschitz_profile(Silent(), Gamma(2, 1)).rate() == 0
    assert lipschitz_profile(Silent(), Gamma(0.5, 1)).rate() == pytest.approx(1, rel=0.02)
    assert lipschitz_profile(Silent(), Gamma(2, 1)).assumptions == (RELAXED,)
    assert lipschitz_profile(Silent(), Gamma(2, 1)).offset(1.0) == INFINITY

    class Rough(Model):
        support = "anything"

        def inside(self, records):
            return np.isfinite(records)

        def log_likelihood(self, theta, records):
            return -theta * records.sum() ** 2

        def lipschitz(self, theta):
            return np.full(np.shape(theta), np.inf)

    with pytest.raises(
        ValueError, match="must be finite for a parameter of the prior, got inf for all"
    ):
        lipschitz_profile(Rough(), FiniteDistribution([1.0, 2.0]))
    zeros = models.FiniteModel([[1.0, 0.0]])
    with pytest.raises(
        ValueError, match="take other parameters, distances or another base measure"
    ):
        lipschitz_profile(zeros, FiniteDistribution([0.0]))


def test_unusable_questions_are_refused():
    profile = lipschitz_profile(models.Bernoulli(), Beta(1, 1))
    for call, message in (
        (lambda: profile.rate(-1), "offset must be >= 0, got -1"),
        (lambda: profile.offset(0), "rate must be > 0, got 0"),
        (lambda: profile.survival(math.nan), "level must be a number, got nan"),
        (
            lambda: lipschitz_profile(models.Bernoulli(), Gamma(1, 1)),
            "must be one of Beta, FiniteDistribution",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    graph = networkx.DiGraph([("a", "b")])
    graph.nodes["a"]["cpt"], graph.nodes["b"]["cpt"] = [0.5, 0.5], [[0.5, 0.5]] * 2
    network = models.BayesianNetwork(graph)
    with pytest.raises(ValueError, match="none for a network with edges; take a finite prior"):
        lipschitz_profile(network, network.prior()).survival(1.0)
    unknown = lipschitz_profile(network, network.prior())
    assert "assumptions: 1 fails, 2 not known)" in repr(unknown)
    assert "is not known in closed form" in unknown.describe()
    bounded = lipschitz_profile(network, network.restrict(network.prior(), 1.0))
    assert "largest=1, assumptions: 1, 2 with an offset, 2 not known)" in repr(bounded)
    assert bounded._repr_html_().count("<tr>") == 5
    with pytest.raises(ValueError, match="must fall below 1e-16 for a mean, got"):
        _ = lipschitz_profile(models.NormalVariance(0), Exponential(1)).mean
    drawn = FiniteDistribution(models.draws(network.prior(), 200, np.random.default_rng(1)))
    assert 0 < lipschitz_profile(network, drawn).survival(1.0) < 1


def test_a_picture_shows_what_its_words_say():
    profile = lipschitz_profile(models.Bernoulli(), Beta(1, 1))
    lines = profile.plot().get_lines()
    at, found = lines[0].get_data()
    assert found == pytest.approx(2 / (1 + np.exp(at)))
    assert lines[1].get_ydata() == pytest.approx(np.exp(-at / 2))
    assert "stays below exp(-0.5 t)" in profile.describe()
    assert "rate=0.5, assumptions: 2, 2 with an offset" in repr(profile)
    assert "<td>fails</td>" in profile._repr_html_()
    heavy = lipschitz_profile(models.NormalVariance(0), Exponential(1))
    assert "No exponential bounds it." in heavy.describe()
    assert len(heavy.plot().get_lines()) == 1
    shifted = lipschitz_profile(models.NormalKnownVariance(1), Normal(0, 1))
    assert "Without an offset no rate fits." in shifted.describe()
    constant = lipschitz_profile(models.LaplaceKnownScale(1), Normal(0, 1))
    assert "It never exceeds its smallest value." in constant.describe()


# --- the constants of the lemmas ---------------------------------------------------------------------------


def test_constants_of_the_lemmas_are_those_of_the_profiles():
    for rate in (0.3, 2.0):
        profile = lipschitz_profile(models.Exponential(), Exponential(rate))
        assert exponential_constant(rate).value == profile.rate()
        profile = lipschitz_profile(models.LaplaceKnownLocation(), Exponential(rate))
        assert laplace_constant(rate).value == profile.rate()
        for mean in (0.4, -3.0):
            profile = lipschitz_profile(models.NormalKnownMean(mean), Exponential(rate))
            assert normal_constant(rate, abs(mean)).value == pytest.approx(profile.rate())
    for alpha in (0.7, 1, 3, 20):
        profile = lipschitz_profile(models.Binomial(7), Beta(alpha, alpha))
        assert binomial_constant(alpha, 7).value == pytest.approx(profile.rate())
        counted = binomial_constant(alpha, 7, base="counting")
        profile = lipschitz_profile(models.Binomial(7, base="counting"), Beta(alpha, alpha))
        assert counted["offset"] == pytest.approx(profile.smallest)
        assert counted.value == pytest.approx(profile.rate(counted["offset"]))
    assert network_constant(0.05, 2).value == pytest.approx(3 * math.log(20))


def test_printed_constants_carry_the_refuted_claim():
    """Lemma 5: values of the notes, from v = 2 n**a / (a B(a, a)) by hand."""
    for alpha, trials, value in ((2, 10, -4.39693), (4, 1, -0.248495), (3, 1, 0.00430)):
        found = binomial_constant(alpha, trials, "printed")
        v = 2 * trials**alpha / alpha / math.exp(math.lgamma(alpha) * 2 - math.lgamma(2 * alpha))
        assert found.value == pytest.approx(alpha - math.log(v))
        assert found.value == pytest.approx(value, abs=1e-4)
        assert found.claim == "posterior_sampling:lemma-5"
    assert laplace_constant(2, "printed").claim == "posterior_sampling:lemma-4"
    printed, corrected = exponential_constant(2, "printed"), exponential_constant(2)
    assert (printed.value, printed.claim) == (corrected.value, corrected.claim)
    assert normal_constant(1.5, 3, "printed").value == 1.5
    assert normal_constant(1.5, 3, "printed").claim == "posterior_sampling:lemma-6"
    assert network_constant(0.1, 3, "printed").value == pytest.approx(math.log(10))
    assert network_constant(0.1, 3, "printed").claim == "posterior_sampling:lemma-7"
    assert product_constant(2, 5, version="printed").value == 10
    assert product_constant(2, 5, "c", "printed").value == 0.4
    assert product_constant(2, 5).value == 2
    assert product_constant(2, 5, "c", metric="max").value == 0.4
    for symbol in ("L", "c"):
        largest = product_constant(2, 5, symbol, metric="max")
        assert largest.claim == "posterior_sampling:note-lemma-1-largest"
    assert network_constant(0.1, 3).claim == "posterior_sampling:note-lemma-7-hamming"
    assert "c=0.5" in repr(binomial_constant(1))
    assert "offset=1.94591" in repr(binomial_constant(1, 7, base="counting"))
    assert "c is 0.5 at offset 1.946, by" in binomial_constant(1, 7, base="counting").describe()
    assert "offset 1.946, by" in binomial_constant(1, 7, base="counting")._repr_html_()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: binomial_constant(0.5, 2, "printed"),
            "alpha must be > 1 in lemma 5 as printed, got 0.5",
        ),
        (lambda: binomial_constant(0), "alpha must be > 0, got 0"),
        (lambda: binomial_constant(1, 1, "wrong"), 'version must be "corrected" or "printed"'),
        (lambda: binomial_constant(1, base="x"), 'base must be "coefficient" or "counting"'),
        (lambda: normal_constant(1, -1), "largest_mean must be >= 0, got -1"),
        (lambda: network_constant(1), r"smallest must be in \(0, 1\), got 1"),
        (lambda: network_constant(0.5, -1), "children must be an integer >= 0, got -1"),
        (lambda: product_constant(1, 0), "n must be an integer >= 1, got 0"),
        (lambda: product_constant(1, 1, "K"), "symbol must be one of L, c, got 'K'"),
        (lambda: robustness_bound(-1), "exponent must be >= 0, got -1"),
        (lambda: delta_bound(1, -1), "epsilon must be >= 0, got -1"),
        (lambda: delta_bound(1, 1, 10_001), "draws must be an integer <= 10000, got 10001"),
        (lambda: epsilon_bound(1, 1), r"delta must be in \[0, 1\), got 1"),
        (lambda: renyi_bound(1, 1.0), "order must be > 1 and finite, got 1.0"),
        (lambda: robustness_curve(0), "most must be > 0, got 0"),
        (lambda: draw_curve(1, 1e-6, 1), "most must be an integer >= 2, got 1"),
        (lambda: relaxed_robustness_bound(0, 1), "rate must be > 0, got 0"),
    ],
)
def test_unusable_constants_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# --- bounds under assumption 1 -----------------------------------------------------------------------------


@pytest.mark.parametrize("a", [1e-9, 1e-3, 0.1, 0.99, 1.0, 1.01, 2.0, 8.0, 700.0, 1e5])
def test_sharp_robustness_bound_to_the_last_digits(a):
    with mpmath.workdps(60):
        at = mpmath.mpf(a)
        exact = mpmath.log(mpmath.sinh(at) / at) + at * mpmath.coth(at) - 1
        assert robustness_bound(a).value == pytest.approx(float(exact), rel=5e-16)
    assert kernels.largest_divergence.py_func(a) == pytest.approx(
        robustness_bound(a).value, rel=1e-15
    )


def right_side(key, *names):
    """The claim's bound at 50 digits, as a function of its symbols."""
    expression = unfold_definitions(catalog.find(f"posterior_sampling:{key}").rhs)
    for metric in expression.atoms(Value):  # a number, where two datasets are given
        expression = expression.xreplace({metric: sympy.Symbol(metric.function.name)})
    symbols = {free.name: free for free in expression.free_symbols}
    function = compiled(expression, *(symbols[name] for name in names))
    return lambda *values: float(function(*(sympy.Rational(value) for value in values)))


def test_bounds_agree_with_the_claims_to_the_last_digits():
    loose, sharp = right_side("theorem-1.i", "L", "rho"), right_side("note-divergence", "a")
    renyi = right_side("note-renyi", "a", "b")
    relaxed = right_side("note-theorem-1.ii-means", "rho", "L_0", "c", "C_x", "C_y")
    for a in (0.01, 0.75, 3.0):
        assert robustness_bound(a).value == pytest.approx(sharp(a), rel=1e-15)
        assert robustness_bound(a, "printed").value == loose(a, 1)
        for order in (1.01, 1.5, 9.0):
            assert renyi_bound(a, order) == pytest.approx(renyi(a, a * (order - 1)), rel=1e-12)
    found = relaxed_robustness_bound(0.5, 3, offset=0.25, log_densities=(math.log(7), math.log(2)))
    assert found.value == pytest.approx(relaxed(3, 0.25, 0.5, 7, 2), rel=1e-14)


def two_point(a, mass):
    """Posterior masses when the log-likelihood ratio is a with a mass, and else -a."""
    p = np.array([mass, 1 - mass])
    q = p * np.exp([a, -a])
    return p, q / q.sum()


@pytest.mark.parametrize("a", [0.05, 0.5, 2.0, 6.0])
def test_bounds_of_assumption_1_are_attained(a):
    p, q = two_point(a, 0.5 * (1 + 1 / a - 1 / math.tanh(a)))
    assert np.sum(p * np.log(p / q)) == pytest.approx(robustness_bound(a).value, rel=1e-9)
    p, q = two_point(a, 1 / (1 + math.exp(a)))
    assert np.abs(p - q).sum() / 2 == pytest.approx(delta_bound(a, 0.0), rel=1e-12)
    assert delta_bound(a, 0.0) == pytest.approx(math.tanh(a / 2), rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(
    f=lists(floats(-1, 1), min_size=2, max_size=5),
    weights=lists(floats(0.01, 1), min_size=5, max_size=5),
    a=floats(0.01, 6),
    order=floats(1.001, 30),
    epsilon=floats(0, 8),
)
def test_no_finite_model_exceeds_the_bounds_of_assumption_1(f, weights, a, order, epsilon):
    p = np.array(weights[: len(f)])
    p /= p.sum()
    f = a * np.array(f)
    q = p * np.exp(f)
    q /= q.sum()
    ratio = np.log(p) - np.log(q)
    assert np.sum(p * ratio) <= robustness_bound(a).value * (1 + 1e-9) + 1e-14
    assert np.abs(ratio).max() <= 2 * a + 1e-12
    assert np.maximum(p - math.exp(epsilon) * q, 0).sum() <= delta_bound(a, epsilon) + 1e-14
    renyi = math.log(np.sum(p * np.exp((order - 1) * ratio))) / (order - 1)
    assert renyi <= renyi_bound(a, order) * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize("a", [0.1, 1.0, 2.0, 4.0, 20.0])
def test_largest_renyi_divergence_over_its_order_falls_from_the_sharp_bound(a):
    """What makes a draw D*(a)-zCDP: the worst pair has two outcomes, with log odds 2 a apart."""
    u = np.linspace(-4 * a - 30, 4 * a + 30, 40_001)

    def log_cosh(s):
        return np.logaddexp(s / 2, -s / 2)

    def largest(order):
        total = log_cosh(u + (2 * order - 1) * a) - order * log_cosh(u + a)
        return float(((total + (order - 1) * log_cosh(u - a)) / (order * (order - 1))).max())

    found = [largest(order) for order in (1.01, 1.1, 1.5, 2, 4, 16)]
    assert found == sorted(found, reverse=True)
    assert found[0] <= zcdp_bound(a)
    assert found[0] == pytest.approx(zcdp_bound(a), rel=0.01)
    for order, value in zip((1.01, 1.5, 4), (found[0], found[2], found[4]), strict=True):
        assert renyi_bound(a, order) / order == pytest.approx(value, rel=1e-5)
    assert renyi_bound(a, 1.00001) == pytest.approx(1.00001 * zcdp_bound(a))
    assert zcdp_bound(a) < a * a / 2
    assert zcdp_bound(2.0) == pytest.approx(2 / 1.198, rel=1e-3)  # a**2 / 2 is 20 % above


@pytest.mark.parametrize(
    ("a", "draws", "epsilon"),
    [(0.3, 1, 0.2), (0.3, 7, 1.0), (1, 5, 0.0), (1, 20, 6.0), (0.05, 300, 0.9), (2, 3, 0.5)],
)
def test_delta_of_draws_is_the_largest_over_pairs_of_two_outcomes(a, draws, epsilon):
    k = np.arange(draws + 1)
    middle = np.linspace(-3 * a - 12, 12 + a, 801)[:, None]  # of the log odds of both outcomes
    over = binom.pmf(k, draws, expit(middle + a)) - math.exp(epsilon) * binom.pmf(
        k, draws, expit(middle - a)
    )
    best = float(np.maximum(over, 0).sum(axis=1).max())
    found = delta_bound(a, epsilon, draws)
    assert best <= found * (1 + 1e-12)
    assert found == pytest.approx(best, rel=5e-3)
    assert kernels.bounded_range_delta.py_func(float(a), epsilon, draws) == pytest.approx(
        found, rel=1e-13
    )


@settings(max_examples=30, deadline=None)
@given(a=floats(0.01, 3), delta=floats(1e-12, 0.5), draws=integers(1, 60))
def test_epsilon_of_draws_inverts_delta_and_rounds_up(a, delta, draws):
    epsilon = epsilon_bound(a, delta, draws)
    assert 0 <= epsilon <= 2 * a * draws
    assert delta_bound(a, epsilon, draws) <= delta
    if epsilon > 1e-6:
        assert delta_bound(a, epsilon * (1 - 1e-6), draws) > delta


def test_very_many_draws_are_accounted_by_concentrated_privacy():
    assert epsilon_bound(0.5, 0.0, 3) == 3
    assert epsilon_bound(0.0, 1e-6, 3) == 0
    many = epsilon_bound(0.01, 1e-6, 10_001)
    simple = zcdp_to_dp(zcdp_bound(0.01, 10_001), 1e-6).epsilon
    assert 0.9 * simple < many < simple
    assert epsilon_bound(0.01, 1e-6, 2000) < many
    assert epsilon_bound(1e-9, 1e-40, 10_001) == pytest.approx(2e-9 * 10_001)


def test_constants_of_theorem_1_solve_their_equation():
    assert math.exp(OMEGA) == pytest.approx(2 * OMEGA + 1, rel=1e-15)
    assert pytest.approx(1.2564312086, abs=1e-10) == OMEGA
    assert pytest.approx(2 * OMEGA / (1 - math.exp(-OMEGA)) ** 2, rel=1e-14) == KAPPA
    assert pytest.approx(4.9108149646, abs=1e-10) == KAPPA


# --- bounds under assumption 2 -----------------------------------------------------------------------------


def test_relaxed_bounds_as_printed_and_repaired():
    printed = relaxed_robustness_bound(2, 3, "printed")
    assert printed.value == pytest.approx(KAPPA * 1.5)
    assert printed.claim == "posterior_sampling:theorem-1.ii"
    printed = relaxed_variation_bound(2, 3, "printed")
    assert printed.value == pytest.approx(math.sqrt(KAPPA * 0.75))
    assert printed.claim == "posterior_sampling:theorem-2.ii"
    repaired = relaxed_robustness_bound(2, 3, offset=0.5, log_densities=(1.0, 2.0))
    assert repaired.value == pytest.approx(3 * (1 + 5 / 2))
    small = relaxed_variation_bound(2, 1e-4, offset=0.5, log_densities=(1.0, 2.0))
    levels = 0.5 + np.linspace(0, 30, 400_001)
    tails = sum(np.minimum(np.exp(c - 2 * (levels - 0.5)), 1) for c in (1.0, 2.0))
    assert small.value == pytest.approx((np.tanh(levels * 5e-5) + tails).min(), rel=1e-4)
    assert relaxed_variation_bound(2, 30, log_densities=(1.0, 2.0)).value == 1
    keys = {
        relaxed_robustness_bound: "posterior_sampling:note-theorem-1.ii-means",
        relaxed_variation_bound: "posterior_sampling:note-theorem-2.ii-parts",
    }
    for bound, key in keys.items():
        with pytest.raises(DomainError, match=f"^{key} needs a pair of finite log_densities"):
            bound(2, 3)
        with pytest.raises(DomainError, match="no function of the rate bounds anything"):
            bound(2, 3, log_densities=(INFINITY, 1))


def test_pictures_of_the_bounds_show_what_their_words_say():
    curve = robustness_curve(2)
    lines = curve.plot().get_lines()
    assert [line.get_ydata()[-1] for line in lines] == pytest.approx([1.6698496, 4, 2])
    assert "at a = 2 sharp 1.67, printed 4, a**2 / 2 2." in curve.describe()
    assert curve.describe() in repr(curve)
    draws = draw_curve(0.1, 1e-6, 100)
    assert draws.pure[-1] == pytest.approx(20)
    for k, sharp, concentrated, hoeffding in zip(
        draws.draws, draws.sharp, draws.concentrated, draws.hoeffding, strict=True
    ):
        assert sharp == epsilon_bound(0.1, 1e-6, k)
        assert sharp <= concentrated <= hoeffding
    assert [line.get_ydata()[0] for line in draws.plot().get_lines()] == [
        values[0] for values in (draws.pure, draws.hoeffding, draws.concentrated, draws.sharp)
    ]
    assert "100 draws: theorem 2(i), composed 20" in draws.describe()
    assert "<td>20</td>" in draws._repr_html_()
    assert "Value(KL divergence <= 4, claim=" in repr(robustness_bound(2, "printed"))
    assert (
        "at most 4, by posterior_sampling:theorem-1.i, as printed."
        in robustness_bound(2, "printed").describe()
    )
    assert "at most 4" in robustness_bound(2, "printed")._repr_html_()


def test_what_is_not_measured_is_called_not_known_and_not_none():
    graph = networkx.DiGraph([("z", "y")])
    graph.nodes["z"]["cpt"], graph.nodes["y"]["cpt"] = [0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]
    network = models.BayesianNetwork(graph)
    free = lipschitz_profile(network, network.prior())
    assert not free.measured
    assert repr(free).endswith("assumptions: 1 fails, 2 not known)")
    assert "<th>assumption 1</th><td>fails</td>" in free._repr_html_()
    assert "<th>assumption 2</th><td>not known</td>" in free._repr_html_()
    bounded = lipschitz_profile(network, network.restrict(network.prior(), 1.0))
    assert repr(bounded).endswith("assumptions: 1, 2 with an offset, 2 not known)")
    known = lipschitz_profile(models.NormalVariance(), Exponential(1))
    assert repr(known).endswith("assumptions: none)")


def test_constant_of_very_concentrated_coins_has_the_limit_of_stirlings_series():
    for alpha in (9e5, 1.1e6):
        series = math.sqrt(alpha / math.pi) * (1 - 1 / (8 * alpha))
        assert binomial_constant(alpha).value == pytest.approx(series, rel=1e-8)
    assert binomial_constant(1e300).value == pytest.approx(1e150 / math.sqrt(math.pi), rel=1e-12)
    assert binomial_constant(1e300, version="printed").value < 0


@pytest.mark.parametrize("given", [3, (1.0,), (1.0, -1.0), (1.0, "x"), "ab"])
def test_log_densities_that_are_no_pair_of_numbers_are_refused(given):
    with pytest.raises(DomainError, match="needs a pair of finite log_densities >= 0"):
        relaxed_robustness_bound(1.0, 1.0, log_densities=given)
