"""The kernels: as Python, against NumPy, and against closed forms of two normal distributions."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import kstest, norm, t

from dpbook.contamination import kernels
from dpbook.contamination.estimator import _matrix, epsilon_at, fast_model, hockey_stick
from dpbook.contamination.models import CauchyDensity, Normal, StudentTDensity
from dpbook.contamination.settings import Setting, private_mean
from dpbook.privacy import distributions
from dpbook.privacy.conversions import gaussian_to_dp

MODEL = fast_model(private_mean(1000))
OTHER = fast_model(
    Setting(
        1000, Normal(2.0), StudentTDensity(3.7, 1.0, 3.0), distributions.Normal(0, 5), 0.5, rate=0.2
    )
)


@pytest.mark.parametrize("model", [MODEL, OTHER])
def test_odds_are_the_ratio_of_the_two_densities(model):
    for u in (-30.0, -2.0, 0.0, 1.7, 25.0):
        g = t.pdf((u - model.centre) / model.scale, model.df) / model.scale
        wanted = (1 - model.rate) * norm.pdf(u) / (model.rate * g)
        assert kernels.odds(model, u) == pytest.approx(wanted, rel=1e-12)
        assert kernels.odds.py_func(model, u) == pytest.approx(wanted, rel=1e-12)


def test_cauchy_is_a_student_t_with_one_degree_of_freedom():
    one = Setting(10, Normal(), CauchyDensity(0.0, 2.0), distributions.Normal(0, 5), rate=0.2)
    other = Setting(
        10, Normal(), StudentTDensity(1.0, 0.0, 2.0), distributions.Normal(0, 5), rate=0.2
    )
    assert fast_model(one) == fast_model(other)


def test_simulated_records_follow_the_mixture():
    u = np.empty(20_000)
    kernels.simulate(OTHER, u, np.random.default_rng(3))

    def distribution(v):
        other = t.cdf((v - OTHER.centre) / OTHER.scale, OTHER.df)
        return (1 - OTHER.rate) * norm.cdf(v) + OTHER.rate * other

    assert kstest(u, distribution).pvalue > 1e-7
    slow = np.empty(50)
    kernels.simulate.py_func(OTHER, slow, np.random.default_rng(3))
    assert_allclose(slow, u[:50])


def test_log_posterior_is_the_sum_over_records():
    rng = np.random.default_rng(1)
    u, start, step = rng.standard_normal(77), -0.7, 0.11
    w = np.array([kernels.odds(OTHER, v) for v in u])
    found, slow = np.empty(9), np.empty(9)
    kernels.log_posterior(OTHER, u, w, start, step, found)
    kernels.log_posterior.py_func(OTHER, u, w, start, step, slow)
    at = start + step * np.arange(9)
    wanted = np.log1p(w[:, None] * np.exp(u[:, None] * at - at**2 / 2)).sum(axis=0)
    wanted -= 0.5 * ((at - OTHER.prior_mean) / OTHER.prior_sd) ** 2
    assert_allclose(found, wanted, rtol=1e-12)
    assert_allclose(slow, wanted, rtol=1e-12)


def test_newton_finds_the_mode():
    u, w = np.empty(500), np.empty(500)
    kernels.simulate(MODEL, u, np.random.default_rng(2))
    centre, sd = kernels.mode(MODEL, u, w, 8)
    slope, bend = kernels.derivatives(MODEL, u, w, centre)
    assert abs(slope) * sd < 1e-2
    assert sd == pytest.approx((-bend) ** -0.5, rel=1e-2)
    step = 1e-4
    three = np.empty(3)
    kernels.log_posterior(MODEL, u, w, centre - step, step, three)
    assert slope == pytest.approx((three[2] - three[0]) / (2 * step), abs=1e-5)
    assert bend == pytest.approx(np.diff(three, 2)[0] / step**2, rel=1e-4)
    assert kernels.mode.py_func(MODEL, u, w, 8) == pytest.approx((centre, sd))


def test_window_is_the_posterior_to_nine_digits():
    for n, nodes in ((100, 25), (5000, 17), (50_000, 13)):
        model = fast_model(private_mean(n))
        u, w = np.empty(n), np.empty(n)
        kernels.simulate(model, u, np.random.default_rng(7))
        logs, at = np.empty(1025), np.empty(1025)
        step = kernels.window(model, u, w, _matrix(nodes), np.empty(nodes), True, logs, at)
        wanted = np.empty(1025)
        kernels.log_posterior(model, u, w, at[0], step, wanted)
        near = wanted > wanted.max() - 25  # what has mass
        assert np.ptp((logs - wanted)[near]) < 2e-8


def test_tails_box_and_quantiles_are_those_of_a_normal_distribution():
    at = np.linspace(-9.0, 9.0, 1025)
    step = at[1] - at[0]
    density, below, above = norm.pdf(at), np.empty(1025), np.empty(1025)
    kernels.tails(density, step, below, above)
    for v in (-5.03, -1.0, 0.4):
        assert kernels.tail_at(below, at, step, v) == pytest.approx(norm.cdf(v), rel=1e-4)
        assert kernels.tail_at(above, at, step, -v) == pytest.approx(norm.cdf(v), rel=1e-4)
    assert kernels.quantile(at, step, below, 1e-6, True) == pytest.approx(norm.ppf(1e-6), abs=1e-5)
    assert kernels.quantile(at, step, above, 1e-6, False) == pytest.approx(norm.isf(1e-6), abs=1e-5)
    phi = kernels.box(at, step, below, above, 1e-5)
    assert phi == pytest.approx(norm.isf(5e-6), abs=1e-5)
    moved = kernels.box(at + 0.5, step, below, above, 1e-5)
    assert norm.sf(moved - 0.5) + norm.cdf(-moved - 0.5) == pytest.approx(1e-5, rel=1e-3)


@pytest.mark.parametrize("shift", [0.02, 0.4, 2.0])
def test_hockey_stick_and_its_level_are_those_of_two_normal_distributions(shift):
    at = np.linspace(-9.0, 9.0 + shift, 1025)
    step = at[1] - at[0]
    first, second = norm.pdf(at, shift), norm.pdf(at)
    for epsilon in (0.0, 0.01, 1.0):
        above = epsilon / shift
        wanted = norm.cdf(shift / 2 - above) - math.exp(epsilon) * norm.cdf(-shift / 2 - above)
        found = kernels.hockey_stick(first, second, math.exp(epsilon), step)
        assert found == pytest.approx(wanted, rel=1e-5, abs=1e-12)
        assert float(hockey_stick(first, second, math.exp(epsilon), step)) == pytest.approx(found)
        slow = kernels.hockey_stick.py_func(first, second, math.exp(epsilon), step)
        assert slow == pytest.approx(found)
    wanted = gaussian_to_dp(shift, 1e-5).epsilon
    found = kernels.level_at(first, second, 1e-5, step, 0.0, 50.0)
    assert found == pytest.approx(wanted, rel=2e-4)
    for least in (0.5 * found, found - 1e-5):  # wherever the search begins
        again = kernels.level_at(first, second, 1e-5, step, least, 50.0)
        assert again == pytest.approx(found, abs=1e-7)
    assert kernels.level_at(first, second, 1e-5, step, found + 1.0, 50.0) == found + 1.0
    assert epsilon_at(first, second, 1e-5, step) == pytest.approx(wanted, rel=2e-4)


def test_supremum_over_records_is_not_missed_between_the_nodes():
    q, at = np.array([1.0]), np.array([0.0])
    u = np.linspace(-15.0, 15.0, 300_001)
    w = np.array([kernels.odds(OTHER, v) for v in u])
    for end in (0.3, -0.05):
        d = np.log1p(w * np.exp(u * end - end * end / 2)) - np.log1p(w)
        for sign in (1.0, -1.0):
            found, where = kernels.extreme(OTHER, q, at, 1.0, end, 0, sign, 12.0)
            assert found == pytest.approx((sign * d).max(), rel=1e-7)
            assert where == pytest.approx(u[int(np.argmax(sign * d))], abs=1e-2)
            slow = kernels.extreme.py_func(OTHER, q, at, 1.0, end, 0, sign, 12.0)
            assert slow == pytest.approx((found, where))


def test_kernels_are_the_same_as_python():
    n, nodes = 30, 25
    u = np.empty(n)
    kernels.simulate(MODEL, u, np.random.default_rng(1))
    at = np.linspace(-1.0, 1.0, 41)
    step = at[1] - at[0]
    density = norm.pdf(at, 0.0, 0.15)
    results = []
    for call in (lambda f: f, lambda f: f.py_func):
        rest, below, above = np.empty(41), np.empty(41), np.empty(41)
        call(kernels.without)(MODEL, at, step, 0.7, density, rest)
        call(kernels.tails)(density, step, below, above)
        room = np.empty(41)
        q = rest[::8] * np.exp(-0.5 * at[::8] ** 2) * step * 8
        call(kernels.with_record)(MODEL, q, at, step, 8 * step, -1.1, rest, room)
        some = np.empty(4)
        call(kernels.algorithm_1)(MODEL, at, step, density, rest, below, above, 1e-3, q, some)
        sharp = call(kernels.sharp)(MODEL, at, step, below, above, 1e-3, q)
        three = np.empty(3)
        call(kernels.exact)(MODEL, at, step, rest, 1e-3, q, 50.0, three)
        results.append(np.concatenate([rest, below, above, room, some, [sharp], three]))
    assert_allclose(results[1], results[0], rtol=1e-9, atol=1e-12)
    assert nodes < n  # the fast way interpolates from fewer nodes than records


def test_record_in_the_place_of_the_last_is_bayes():
    at = np.linspace(-1.0, 1.0, 1025)
    step = at[1] - at[0]
    rest, room = norm.pdf(at, 0.05, 0.1), np.empty(1025)
    q = rest[::8] * np.exp(-0.5 * at[::8] ** 2) * step * 8
    kernels.with_record(OTHER, q, at, step, 8 * step, 2.2, rest, room)
    w = kernels.odds(OTHER, 2.2)
    wanted = rest * (1 + w * np.exp(2.2 * at - at**2 / 2))
    assert_allclose(room, wanted / (wanted.sum() * step), rtol=1e-9)


def test_bound_is_above_the_log_posterior_and_tight_at_a_point():
    rng = np.random.default_rng(3)
    u = np.concatenate([rng.standard_normal(40), [25.0, -60.0]])
    w = np.array([kernels.odds(OTHER, v) for v in u])
    log_w = np.array([math.log(kernels.odds(OTHER, v) or 1e-300) + v * v / 2 for v in u[:41]])
    log_w = np.append(log_w, -1e9)  # its odds are no double; away from it it does not matter
    at = np.linspace(0.4, 0.9, 51)
    found = np.empty(51)
    kernels.log_posterior(OTHER, u, w, 0.4, 0.01, found)
    assert kernels.bound(OTHER, u, log_w, 0.4, 0.9) >= found.max()
    assert kernels.bound(OTHER, u, log_w, at[7], at[7]) == pytest.approx(found[7], rel=1e-9)
    assert kernels.bound.py_func(OTHER, u, log_w, 0.4, 0.9) == pytest.approx(
        kernels.bound(OTHER, u, log_w, 0.4, 0.9)
    )


def test_another_mode_is_not_missed():
    rng = np.random.default_rng(5)
    bulk = rng.standard_normal(95)
    for others, alone in ((np.full(5, 0.3), True), (np.full(30, 34.0), False)):
        u, w = np.concatenate([bulk, others]), np.empty(95 + others.size)
        logs, at = np.empty(1025), np.empty(1025)
        step = kernels.window(MODEL, u, w, _matrix(25), np.empty(25), True, logs, at)
        assert (step > 0) == alone
