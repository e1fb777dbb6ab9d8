"""Epsilon of one dataset, and of many: the fast way, the tables, and brute force agree."""

import math
import pickle

import mpmath as mp
import numpy as np
import pytest
from numpy.polynomial import chebyshev
from scipy.optimize import brentq
from scipy.stats import norm, t

from dpbook.contamination import (
    PRIVATE_MEAN,
    DatasetEpsilon,
    EpsilonEstimate,
    Unresolved,
    enclose_eta,
    estimate_epsilon,
    grid_posterior,
    kernels,
    private_mean,
)
from dpbook.contamination.estimator import Conditional, _matrix, exact, hockey_stick
from dpbook.contamination.models import (
    AsymmetricLaplace,
    BernoulliDensity,
    Cauchy,
    CauchyDensity,
    Likelihood,
    Logistic,
    Normal,
    StudentTDensity,
)
from dpbook.contamination.settings import Setting
from dpbook.privacy import distributions

METHODS = ("algorithm-1", "sharp", "exact")


class Plain:
    """The private mean on one grid in plain NumPy: shares no code with the package."""

    def __init__(self, x, rate, delta):
        self.rate, self.delta = rate, delta
        sd = 8 / math.sqrt(x.size * (1 - rate))
        self.theta = np.linspace(30 - 14 * sd, 30 + 14 * sd, 2001)
        self.step = self.theta[1] - self.theta[0]
        logs = norm.logpdf(self.theta, 40, 40)
        for one in x[:-1]:
            logs = logs + np.log(self.k(one, self.theta))
        self.rest = self.normal(logs)
        self.full = self.normal(logs + np.log(self.k(x[-1], self.theta)))
        self.records = np.linspace(-30, 90, 97)
        self.tables = {
            x: self.normal(np.log(self.rest + 1e-300) + np.log(self.k(x, self.theta)))
            for x in self.records
        }

    def k(self, x, theta):
        f, g = norm.pdf(x, theta, 8), t.pdf((x - 30) / 8, 5) / 8
        return (1 - self.rate) * f + self.rate * g

    def normal(self, logs):
        found = np.exp(logs - logs.max())
        return found / (found.sum() * self.step)

    def algorithm_1(self):
        def outside(phi):
            return float(self.full[np.abs(self.theta - 30) > phi].sum() * self.step)

        phi = brentq(lambda v: outside(v) - self.delta, 0, 60, xtol=1e-6)
        box = np.linspace(30 - phi, 30 + phi, 101)
        d = np.array([self.k(x, box) / self.k(x, 30.0) for x in self.records])
        expected = np.array(
            [
                (self.rest * self.k(x, self.theta)).sum() * self.step / self.k(x, 30.0)
                for x in self.records
            ]
        )
        return math.log(d.max() / d.min() * expected.max() / expected.min()), phi

    def exact(self):
        tables = np.array(list(self.tables.values()))

        def excess(epsilon):
            worst = 0.0
            for one in tables:
                gaps = np.maximum(tables - math.exp(epsilon) * one, 0).sum(axis=1)
                worst = max(worst, float(gaps.max()) * self.step)
            return worst - self.delta

        return brentq(excess, 0.3, 2, xtol=1e-3)

    def sharp(self):
        below = np.cumsum(self.full) * self.step
        inside = (below > self.delta / 2) & (below < 1 - self.delta / 2)
        logs = np.log(np.array(list(self.tables.values()))[:, inside])
        return float((logs.max(axis=0) - logs.min(axis=0)).max())


@pytest.fixture(scope="module")
def small():
    setting = private_mean(100)
    x = setting.simulate(np.random.default_rng(8))
    return setting, x, Plain(x, setting.rate, setting.delta)


def test_algorithm_1_is_what_brute_force_finds(small):
    setting, x, plain = small
    found = setting.epsilon(x, method="algorithm-1")
    epsilon, phi = plain.algorithm_1()
    assert found.phi == pytest.approx(phi, rel=2e-3)
    assert found.epsilon == pytest.approx(epsilon, rel=2e-3)
    assert found.epsilon == found.log_eta + found.log_alpha - found.log_beta


def test_sharp_and_exact_are_what_brute_force_finds(small):
    setting, x, plain = small
    assert setting.epsilon(x, method="sharp").epsilon == pytest.approx(plain.sharp(), rel=5e-3)
    assert setting.epsilon(x).epsilon == pytest.approx(plain.exact(), rel=5e-3)


@pytest.mark.parametrize("n", [100, 2000])
def test_fast_way_and_tables_agree(n):
    setting = private_mean(n)
    x = setting.simulate(np.random.default_rng(n))
    for method, error in zip(METHODS, (1e-5, 1e-5, 5e-5), strict=True):
        fast, slow = setting.epsilon(x, method=method), setting._slow(x, method)
        assert fast.epsilon == pytest.approx(slow.epsilon, rel=error)


def test_fast_way_and_tables_agree_where_g_is_off_centre():
    setting = Setting(
        800,
        Normal(2.0),
        CauchyDensity(1.0, 3.0),
        distributions.Normal(0, 5),
        0.5,
        rate=0.05,
        delta=1e-3,
    )
    x = setting.simulate(np.random.default_rng(4))
    for method in METHODS:
        fast, slow = setting.epsilon(x, method=method), setting._slow(x, method)
        assert fast.epsilon == pytest.approx(slow.epsilon, rel=1e-4)


def test_dataset_that_no_window_holds_is_computed_by_tables():
    setting = private_mean(100)
    x = np.concatenate([np.full(50, 110.0), np.full(49, -50.0), [-50.0]])
    found = setting.epsilon(x)
    # the last record chooses between two modes: nothing but a large epsilon will do
    assert found.epsilon > 10
    assert found.epsilon == setting._slow(x, "exact").epsilon


def test_exact_epsilon_of_coins_is_the_worst_of_both_pairs():
    setting = Setting(
        60, Logistic(), BernoulliDensity(), distributions.Normal(0, 3), 0.4, rate=0.3, delta=1e-3
    )
    x = setting.simulate(np.random.default_rng(1))
    found = setting.epsilon(x)
    theta = np.linspace(-12, 12, 20_001)
    step, logs = theta[1] - theta[0], norm.logpdf(theta, 0, 3)
    ones = 0.7 / (1 + np.exp(-theta)) + 0.15
    for one in x[:-1]:
        logs = logs + np.log(ones if one else 1 - ones)
    rest = np.exp(logs - logs.max())
    pair = [rest * ones, rest * (1 - ones)]
    pair = [one / (one.sum() * step) for one in pair]

    def excess(epsilon):
        ways = ((0, 1), (1, 0))
        worst = max(
            float(np.maximum(pair[a] - math.exp(epsilon) * pair[b], 0).sum() * step)
            for a, b in ways
        )
        return worst - 1e-3

    assert found.epsilon == pytest.approx(brentq(excess, 0.01, 5), rel=5e-4)


def coins_told_apart(x, prior_sd, delta):
    """Exact epsilon of coins contaminated at rate 0.3: 30 digits, and no grid.

    The ratio of both posteriors rises in theta, so that the event that tells them apart best ends
    at one parameter, which has a closed form.
    """
    with mp.workdps(30):
        ones = int(x[:-1].sum())
        zeros = x.size - 1 - ones
        rate = mp.mpf(0.3)
        ends = (0, 1, 2, 3, 5, 10, 20, 40, 80, 150, 300)
        ends = sorted({sign * v for sign in (-1, 1) for v in ends})

        def k(v):
            return (1 - rate) / (1 + mp.exp(-v)) + rate / 2

        def rest(v):
            return k(v) ** ones * (1 - k(v)) ** zeros * mp.exp(-((v / prior_sd) ** 2) / 2)

        one = mp.quad(lambda v: rest(v) * k(v), ends)
        zero = mp.quad(lambda v: rest(v) * (1 - k(v)), ends)

        def excess(epsilon, up):
            level = mp.exp(epsilon)
            odds = level * one / zero if up else one / (zero * level)
            chance = (odds / (1 + odds) - rate / 2) / (1 - rate)
            end = mp.log(chance / (1 - chance))
            if up:
                inside = [end, *(v for v in ends if v > end)]
                return mp.quad(lambda v: rest(v) * (k(v) / one - level * (1 - k(v)) / zero), inside)
            inside = [*(v for v in ends if v < end), end]
            return mp.quad(lambda v: rest(v) * ((1 - k(v)) / zero - level * k(v) / one), inside)

        options = {"solver": "anderson", "tol": 1e-14}
        return max(
            float(mp.findroot(lambda e, w=up: excess(e, w) - delta, (0.5, 0.8), **options))
            for up in (True, False)
        )


def test_exact_epsilon_is_right_where_the_tail_of_the_posterior_is_long():
    setting = Setting(
        60, Logistic(), BernoulliDensity(), distributions.Normal(0, 25), 0.0, rate=0.3, delta=1e-3
    )
    x = setting.simulate(np.random.default_rng(1))
    found = coins_told_apart(x, 25, mp.mpf("0.001"))
    assert found == pytest.approx(0.650995722991, rel=1e-10)
    assert setting.epsilon(x).epsilon == pytest.approx(found, rel=1e-5)
    posterior = setting.posterior(x)
    assert posterior.step <= 0.032 * posterior.sd


@pytest.mark.parametrize(("n", "delta"), [(30, 1e-8), (200, 1e-2)])
@pytest.mark.parametrize(
    ("likelihood", "density"),
    [
        (Cauchy(), CauchyDensity(0, 2)),
        (AsymmetricLaplace(0.3), CauchyDensity(0, 2)),
        (Normal(), StudentTDensity()),
    ],
)
def test_exact_epsilon_does_not_depend_on_the_grid(likelihood, density, n, delta):
    setting = Setting(n, likelihood, density, distributions.Normal(0, 10), rate=0.3, delta=delta)
    x = setting.simulate(np.random.default_rng(1))
    finer = grid_posterior(setting.model, setting.prior, x, points=16_385)
    found = exact(setting, finer, float(x[-1]), delta).epsilon
    assert setting.epsilon(x).epsilon == pytest.approx(found, rel=2e-5)


def test_record_is_looked_for_with_parameters_that_are_close_everywhere():
    # two modes far apart: a grid of 2048 points is 0.4 deviations wide there
    x = np.concatenate([np.full(2000, 110.0), np.full(2000, -50.0)])
    setting = private_mean(4000)
    posterior = setting.posterior(x)
    few, seen = [], Conditional.densities

    def densities(self, at):
        few.append(self.posterior.step)
        return seen(self, at)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Conditional, "densities", densities)
        exact(setting, posterior, float(x[-1]), setting.delta)
    assert max(few) <= 0.13 * 8 / math.sqrt(2000)


def test_divergence_on_few_points_is_that_of_two_normals():
    for few in (181, 182, 183, 184):  # the sign changes anywhere between two points
        theta = np.linspace(-9, 9, few)
        first, second = norm.pdf(theta, 0.2), norm.pdf(theta, -0.2)
        exact_one = norm.cdf(-1.2 + 0.2) - math.exp(0.4 * 1.2) * norm.cdf(-1.2 - 0.2)
        step = theta[1] - theta[0]
        for found in (
            hockey_stick(first, second, math.exp(0.4 * 1.2), step),
            kernels.hockey_stick(first, second, math.exp(0.4 * 1.2), step),
        ):
            assert found == pytest.approx(exact_one, rel=5e-4)


class Laplace(Likelihood):
    """A likelihood of a user's own."""

    def log_density(self, x, s):
        return -np.abs(x - s) - math.log(2)

    def score(self, x, s):
        return np.sign(x - s)

    def curvature(self, x, s):
        return np.zeros(np.broadcast(x, s).shape)

    def draw(self, s, rng):
        return rng.laplace(s)


class LaplaceFromNormal(Laplace, Normal):
    """The same density, in a class that is derived from one with a fast way."""


def test_a_class_derived_from_the_normal_likelihood_keeps_its_own_density():
    x = np.random.default_rng(0).laplace(size=50)
    model = {
        "density": StudentTDensity(5),
        "prior": distributions.Normal(0, 10),
        "rate": 0.3,
        "delta": 1e-3,
    }
    derived = Setting(50, LaplaceFromNormal(1.0), **model)
    own = Setting(50, Laplace(), **model)
    for method in METHODS:
        assert derived.epsilon(x, method=method).epsilon == own.epsilon(x, method=method).epsilon
    with pytest.raises(ValueError, match="LaplaceFromNormal"):
        enclose_eta(derived, 2.0)


@pytest.mark.parametrize("likelihood", [Laplace(), Cauchy(1.0)])
def test_other_likelihoods_have_the_same_three_estimates(likelihood):
    setting = Setting(
        200, likelihood, CauchyDensity(0.0, 2.0), distributions.Normal(0, 10), rate=0.3, delta=1e-3
    )
    x = setting.simulate(np.random.default_rng(2))
    found = [setting.epsilon(x, method=method).epsilon for method in METHODS]
    # to first order, with the largest score and the spread of this posterior
    score = np.abs(setting.model.score(np.linspace(-50, 50, 20_001), np.array(0.0))).max()
    order = 2 * -norm.ppf(0.5e-3) * score * setting.posterior(x).sd
    assert found[1] == pytest.approx(order, rel=0.25)
    assert found[2] < found[1] < found[0]


def test_balls_enclose_the_supremum_that_the_fast_way_finds():
    for n in (100, 5000):
        setting = private_mean(n)
        x = setting.simulate(np.random.default_rng(1))
        found = setting.epsilon(x, method="algorithm-1")
        balls = enclose_eta(setting, found.phi, width=1e-4)
        assert balls.upper - balls.lower <= 2.1e-4
        assert balls.lower - 2e-4 <= found.log_eta <= balls.upper
    with pytest.raises(ValueError, match="eta is enclosed for Normal records"):
        enclose_eta(Setting(10, Cauchy(), CauchyDensity(0.0, 2.0), distributions.Normal(0, 1)), 1.0)


def test_balls_hold_where_g_is_off_centre():
    setting = Setting(
        100, Normal(2.0), StudentTDensity(3.5, 2.0, 3.0), distributions.Normal(0, 5), 0.5, rate=0.1
    )
    balls = enclose_eta(setting, 1.5, width=1e-4)
    x = np.linspace(-60, 60, 120_001)[:, None]
    theta = 0.5 + 1.5 * np.linspace(-1, 1, 21)
    logs = setting.model.log_density(x, theta, 2.0) - setting.model.log_density(x, 0.5, 2.0)
    assert balls.lower - 1e-6 <= np.ptp(logs) <= balls.upper


# --- particles --------------------------------------------------------------------------------------


def test_many_particles_find_what_quadrature_finds():
    setting = private_mean(1000, delta=0.01)
    x = setting.simulate(np.random.default_rng(1))
    exact = setting.epsilon(x, method="algorithm-1")
    # 200 particles lie outside: the standard error of phi is about .03 sd of 2.6
    found = setting.epsilon(x, method="algorithm-1", particles=20_000, rng=np.random.default_rng(2))
    assert found.phi == pytest.approx(exact.phi, rel=0.06)
    assert found.epsilon == pytest.approx(exact.epsilon, rel=0.07)


def test_too_few_particles_are_refused_or_said_to_be():
    setting = private_mean(1000)
    x = setting.simulate(np.random.default_rng(1))
    options = {"method": "algorithm-1", "particles": 2000}
    with pytest.raises(
        Unresolved, match="particles must be >= 100000 for a tail of delta = 0.0001"
    ):
        setting.epsilon(x, **options)
    exact = setting.epsilon(x, method="algorithm-1")
    rng = np.random.default_rng(3)
    normal = setting.epsilon(x, **options, tail="normal", rng=rng)
    assert normal.phi == pytest.approx(exact.phi, rel=0.02)
    printed = setting.epsilon(x, **options, tail="printed", rng=rng)
    assert printed.phi < exact.phi  # it ends at the farthest of 2000
    with pytest.raises(ValueError, match="particles are of algorithm-1"):
        setting.epsilon(x, method="exact", particles=2000)


def test_algorithm_1_as_printed_runs_over_many_datasets():
    setting, options = private_mean(1000, delta=0.01), {"particles": 4000}
    found = estimate_epsilon(setting, 12, np.random.default_rng(4), **options)
    exact = setting.epsilons(12, np.random.default_rng(4), ("algorithm-1",))["algorithm-1"]
    # the same datasets: 40 particles outside, so that each is right to a few percent
    assert found.values == pytest.approx(exact, rel=0.25)
    assert (found.values != exact).all()
    assert np.median(found.values / exact) == pytest.approx(1, abs=0.08)
    with pytest.raises(Unresolved, match="particles must be >= 100000"):
        estimate_epsilon(private_mean(1000), 2, np.random.default_rng(1), **options)
    with pytest.raises(ValueError, match="particles are of algorithm-1"):
        setting.estimate(2, method="sharp", **options)


# --- many datasets ------------------------------------------------------------------------------------


def test_first_value_of_the_table_is_about_the_papers():
    found = private_mean(5000).epsilons(60, np.random.default_rng(1), METHODS)
    # notes: medians .3075, .2416, .1723
    for method, median in zip(METHODS, (0.3075, 0.2416, 0.1723), strict=True):
        assert np.median(found[method]) == pytest.approx(median, rel=0.1)
    assert (found["exact"] < found["sharp"]).all()


def test_records_are_no_number_of_datasets():
    with pytest.raises(ValueError, match=r"size must be how many datasets.*epsilon\(records\)"):
        private_mean(1000).estimate(np.zeros(1000))


def test_estimate_depends_on_the_seed_alone_and_extends():
    few = private_mean(1000).estimate(5, np.random.default_rng(1))
    more = private_mean(1000).estimate(9, np.random.default_rng(1))
    assert np.array_equal(few.values, more.values[:5])
    assert few.epsilon == np.quantile(few.values, 0.99)
    again = estimate_epsilon(private_mean(1000), 5, np.random.default_rng(1), method="exact")
    assert np.array_equal(few.values, again.values)


def test_error_and_limit_of_the_quantile_are_those_of_order_statistics():
    rng = np.random.default_rng(6)
    values = rng.standard_normal((400, 1000))
    found = [EpsilonEstimate(10, 0.1, 0.1, 0.99, "exact", row) for row in values[:40]]
    spread = np.std(np.quantile(values, 0.99, axis=1))
    assert np.mean([one.error for one in found]) == pytest.approx(spread, rel=0.25)
    upper = [EpsilonEstimate(10, 0.1, 0.1, 0.99, "exact", row).upper() for row in values]
    # the 996th of 1000 exceeds the quantile with probability .971 (binomial)
    assert np.sort(values[0])[995] == upper[0]
    assert np.mean(np.array(upper) > norm.ppf(0.99)) == pytest.approx(0.971, abs=0.05)
    few, enough = (EpsilonEstimate(10, 0.1, 0.1, 0.99, "exact", values[0][:k]) for k in (298, 299))
    # of 298 all are below the quantile with probability 0.99**298 = 0.0500, of 299 with 0.0495
    assert math.isinf(few.upper())
    assert math.isfinite(enough.upper())
    assert math.isinf(few.error)
    assert math.isfinite(enough.error)
    assert "error not told by fewer than 299 datasets" in repr(few)
    assert "fewer than 299 datasets do not tell" in few.describe()
    assert f"+- {enough.error:.2g}" in repr(enough)


def test_matrix_of_the_fast_way_interpolates_polynomials():
    for nodes in (13, 17, 25):
        matrix = _matrix(nodes)
        few, many = np.linspace(-1, 1, nodes), np.linspace(-1, 1, len(matrix))
        wave = chebyshev.Chebyshev.basis(nodes - 1)
        assert np.abs(matrix @ wave(few) - wave(many)).max() < 1e-9
        assert np.array_equal(matrix[[0, -1]], np.eye(nodes)[[0, -1]])


def test_results_say_what_they_are_conditional_on():
    x = PRIVATE_MEAN.simulate(np.random.default_rng(1))
    said = "random DP, conditional on the model"
    for method in METHODS:
        one = PRIVATE_MEAN.epsilon(x, method=method)
        assert isinstance(one, DatasetEpsilon)
        assert said in repr(one)
        assert said in one._repr_html_()
    many = PRIVATE_MEAN.estimate(5, np.random.default_rng(1))
    assert said in repr(many)
    assert said in many.describe()
    assert many.plot().get_xlabel() == "epsilon of a dataset"


def test_setting_fills_in_rate_and_delta_and_refuses_what_is_none():
    setting = private_mean(1000)
    assert (setting.rate, setting.delta) == (1000**-0.125, 1e-4)
    other = setting.replace(n=10_000)
    assert (other.rate, other.delta) == (10_000**-0.125, 1e-5)
    assert pickle.loads(pickle.dumps(setting)) == setting
    with pytest.raises(ValueError, match=r"rate must be in \(0, 1\), got 1.2"):
        private_mean(1000, rate=1.2)
    with pytest.raises(ValueError, match=r"delta must be in \(0, 1\)"):
        private_mean(1000, delta=0.0)
    with pytest.raises(ValueError, match="n must be an integer >= 2, got 1"):
        private_mean(1)
    with pytest.raises(ValueError, match=r"prior must be a dpbook\.privacy\.distributions\.Normal"):
        Setting(10, Normal(), StudentTDensity(), distributions.Laplace(0, 1))
    with pytest.raises(ValueError, match="records must be 1000, as n of the setting, got 2"):
        setting.epsilon([1.0, 2.0])
    with pytest.raises(ValueError, match="method must be one of algorithm-1, sharp, exact"):
        setting.estimate(5, method="best")
    with pytest.raises(ValueError, match=r"quantile must be in \(0, 1\)"):
        setting.estimate(5, quantile=1.0)


def test_release_does_not_miss_a_mode_far_from_where_it_is_looked_for():
    # g explains the records at 30, where it is centred, and not those at 130
    setting = private_mean(800, rate=0.01)
    x = np.repeat([30.0, 130.0], 400)
    theta = np.array([30.0, 130.0])
    logs = setting.model.log_likelihood(theta, x) - (theta - 40) ** 2 / 3200
    assert logs[1] > logs[0] + 100
    found = setting.release(x, 3, np.random.default_rng(2))
    assert (np.abs(found - 130) < 5).all()


def test_release_is_a_posterior_draw_after_contamination():
    setting, rng = private_mean(400), np.random.default_rng(9)
    clean = setting.clean(rng)
    found = setting.release(clean, 1000, rng)
    slow = np.array(
        [setting.posterior(setting.contaminate(clean, rng)).draws(1, rng)[0] for _ in range(40)]
    )
    # two means and variances, 5 standard errors each
    error = math.sqrt(found.var() / found.size + slow.var() / slow.size)
    assert abs(found.mean() - slow.mean()) < 5 * error
    assert math.log(found.var() / slow.var()) == pytest.approx(0, abs=5 * math.sqrt(2 / 40))


def test_a_number_in_place_of_a_setting_is_refused():
    with pytest.raises(
        ValueError, match=r"setting must be a Setting, such as private_mean\(1000\), got 7"
    ):
        estimate_epsilon(7)


def test_epsilon_at_a_delta_below_double_precision_is_refused():
    setting = private_mean(1000, delta=1e-20)
    records = setting.simulate(np.random.default_rng(1))
    for asked in (lambda: setting.epsilon(records), lambda: setting.epsilons(1)):
        with pytest.raises(ValueError, match="delta must be at least 1e-15"):
            asked()
    assert setting.replace(delta=1e-15).epsilon(records).epsilon > 0
    assert private_mean(10**15).theorem_4().epsilon > 0  # its delta is 1e-16
