"""The regression's own sampler: its algebra exactly, its distribution by Geweke's joint test and against rows.

False alarms: each comparison two-sided at 1e-8, with fixed seeds.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpbook.privacy import diagnostics
from dpbook.unknown_sample_size import (
    Flat,
    Gaussian,
    Known,
    Laplace,
    Release,
    Setting,
    Uniform,
    kernels,
    models,
)
from dpbook.unknown_sample_size.estimation import complete_score
from dpbook.unknown_sample_size.streams import live_words, next_words, output
from dpbook.unknown_sample_size.surrogate import (
    RegressionChain,
    regression_setting,
    sample_regression,
)

DEVIATIONS = 5.731


def seeded(seed):
    return np.random.default_rng(seed)


def z_of(draws, value):
    draws = np.atleast_2d(draws).astype(float)
    return (draws.mean() - value) / (draws.std() / math.sqrt(diagnostics.ess_mean(draws)))


def unfolded(theta, p):
    """(b, tau, mu, Phi) of a packed parameter."""
    T = np.zeros((p, p))
    T[np.tril_indices(p)] = theta[2 * p + 2 :]
    return theta[: p + 1], theta[p + 1], theta[p + 2 : 2 * p + 2], T @ T.T


def moments(theta, p):
    """E z z', z = (1, x, y), from the definition of the model."""
    b, tau, mu, Phi = unfolded(theta, p)
    x = np.concatenate([[1], mu])
    second = np.outer(x, x)
    second[1:, 1:] += np.linalg.inv(Phi)
    found = np.empty((p + 2, p + 2))
    found[:-1, :-1] = second
    found[-1, :-1] = found[:-1, -1] = second @ b
    found[-1, -1] = b @ second @ b + 1 / tau
    return found


@pytest.mark.parametrize("p", [1, 2, 3])
def test_a_row_is_its_matrix_times_standard_normals(p):
    theta = models.linear_regression(p).prior(seeded(p))
    A = np.empty((p + 2, p + 2))
    kernels.shape_matrix(theta, p, A)
    assert np.allclose(A @ A.T, moments(theta, p))
    C = np.empty_like(A)
    kernels.standardising(theta, p, A, C)
    assert np.allclose(C, np.eye(p + 2))
    other = models.linear_regression(p).prior(seeded(p + 9))
    B = np.empty_like(A)
    kernels.shape_matrix(other, p, B)
    kernels.standardising(other, p, A, C)
    assert np.allclose(B @ C, A)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_the_move_keeps_the_totals_and_its_volume_is_the_jacobian(p):
    theta = models.linear_regression(p).prior(seeded(20 + p))
    found = np.empty_like(theta)
    ratio = 1.0 + 0.01 * p
    room = np.empty((3, p + 2, p + 2))
    assert kernels.same_totals(theta, p, ratio, found, *room)
    wanted = ratio * moments(theta, p)
    wanted[0, 0] = 1
    assert np.allclose(moments(found, p), wanted)

    move = -math.log(ratio)
    assert move != 0
    columns = []
    for j in range(1, theta.size + 1):  # central differences of psi's image by psi
        sides = []
        for sign in (1, -1):
            psi, at, image = np.zeros(theta.size + 1), np.empty_like(theta), np.empty_like(theta)
            kernels.to_psi(theta, p, psi)
            psi[j] += sign * 1e-5
            kernels.from_psi(psi, p, at)
            assert kernels.same_totals(at, p, ratio, image, *room)
            out = np.empty(theta.size + 1)
            kernels.to_psi(image, p, out)
            sides.append(out[1:])
        columns.append((sides[0] - sides[1]) / 2e-5)
    seen = np.linalg.slogdet(np.array(columns))[1]
    assert kernels.slide_volume(theta, found, p, move) == pytest.approx(seen, abs=1e-6)
    room = np.empty((3, 3, 3))
    assert not kernels.same_totals(np.array([0, 1, 1.0, 3, 1.0]), 1, 3.0, np.empty(5), *room)


@pytest.mark.parametrize("p", [1, 2])
def test_the_prior_of_psi_is_that_of_the_draws(p):
    """Differences of the log prior against densities from SciPy, the logarithms' Jacobian added."""
    from scipy.stats import gamma, multivariate_normal, wishart

    hyper = np.array(models.linear_regression(p, a=3.0, b=1.5).hyper)
    logs, ours = [], []
    for seed in range(4):
        theta = models.linear_regression(p).prior(seeded(seed))
        b, tau, mu, Phi = unfolded(theta, p)
        diagonal = [theta[2 * p + 2 + j * (j + 1) // 2 + j] for j in range(p)]
        logs.append(
            multivariate_normal.logpdf(b, np.zeros(p + 1), np.eye(p + 1) / tau)
            + gamma.logpdf(tau, 1.5, scale=2 / 1.5)
            + np.log(tau)
            + multivariate_normal.logpdf(mu, np.zeros(p), np.eye(p))
            + wishart.logpdf(Phi, p, np.eye(p))
            # dPhi = 2**p prod T_jj**(p - j) dT, and d log T_jj
            + sum((p - j + 1) * math.log(one) for j, one in enumerate(diagonal))
        )
        ours.append(kernels.log_prior(theta, p, hyper))
    assert np.diff(ours) == pytest.approx(np.diff(logs), abs=1e-9)


def test_expected_statistics_are_those_of_rows_where_nothing_is_clamped():
    p, rng = 2, seeded(5)
    model = models.linear_regression(p, low=-90.0, high=100.0)
    theta = model.prior(rng)
    A, u = np.empty((4, 4)), rng.standard_normal((50, 3))
    kernels.shape_matrix(theta, p, A)
    z = np.c_[np.ones(50), u] @ A.T
    total = np.empty(9)
    kernels.expected_statistics(
        A, p, z.T @ z, 50, np.array(model.hyper), False, np.empty((3, 4)), total
    )
    assert np.allclose(total, model.total(z[:, 1:]))


def test_expected_clamping_is_right_for_each_variable():
    """Sums and squares exactly; products nearly: where n is large the clamped sums are near these."""
    p, rng = 2, seeded(6)
    model = models.linear_regression(p, low=-1.0, high=2.0)
    theta = np.array([0.3, -1.0, 0.5, 1.2, 0.4, -0.6, 0.9, 0.2, 1.1])
    rows = model.draw(theta, 400_000, rng)
    A, total = np.empty((4, 4)), np.empty(9)
    kernels.shape_matrix(theta, p, A)
    expected = moments(theta, p)
    kernels.expected_statistics(
        A, p, expected, 1, np.array(model.hyper), False, np.empty((3, 4)), total
    )
    seen = model.total(rows) / len(rows)
    exact = [0, 1, 2, 4, 7, 8]
    assert total[exact] == pytest.approx(seen[exact], abs=5 / math.sqrt(len(rows)))
    assert total == pytest.approx(seen, abs=0.05)


def test_sums_over_blocks_are_sums_over_rows():
    u = seeded(7).standard_normal((200, 3))
    blocks, sums = np.empty((6, 9)), np.empty((7, 9))
    kernels.fill_blocks(u, 0, 6, blocks)
    kernels.add_up(blocks, sums)
    for n in (1, 31, 32, 33, 191, 192, 199):
        gram = np.empty((4, 4))
        kernels.products(u, n, sums, np.empty(9), gram)
        z = np.c_[np.ones(n), u[:n]]
        assert np.allclose(gram, z.T @ z)


def test_sums_that_are_kept_for_a_block_are_the_same_to_the_last_bit():
    rng = seeded(8)
    partial, seen, sums = np.empty((200, 9)), np.full(7, -1), np.empty((7, 9))
    for turn in range(3):  # other rows in each
        u, blocks = rng.standard_normal((200, 3)), np.empty((6, 9))
        kernels.fill_blocks(u, 0, 6, blocks)
        kernels.add_up(blocks, sums)
        for n in (40, 41, 63, 40, 1, 32, 199, 0, 31):
            one, other = np.empty((4, 4)), np.empty((4, 4))
            kernels.products(u, n, sums, np.empty(9), one)
            kernels.products_again(u, n, sums, partial, seen, turn, np.empty(9), other)
            assert np.array_equal(one, other)
    assert set(seen.tolist()) == {-1, 2}  # blocks without an n are left out


@pytest.mark.parametrize(
    "options",
    [
        {"jumps": 2, "steps": 10, "exact_steps": 1},
        {"jumps": 0, "steps": 10, "exact_steps": 0},
        {"jumps": 0, "steps": 0, "exact_steps": 3},
        {"jumps": 4, "block": 2, "steps": 0, "exact_steps": 0},
    ],
)
def test_geweke_every_move_keeps_the_joint_distribution(options):
    """theta and n from the prior, rows, a release; then a cycle and a fresh release, in turn."""
    setting = Setting(models.linear_regression(1), Laplace(2.0), Laplace(1.0), Uniform(1, 6))
    rng = seeded(8)
    chain = RegressionChain(setting, Release((0.0,) * 5, 3.0), rng, warm_up=0, **options)
    chain.scales[:] = 1.0  # far steps, so that a wrong ratio shows
    kept, sizes = [], []
    for _ in range(6_000):
        total = chain.stats[: chain.n].sum(axis=0)
        chain.release = setting.release_sums(total, chain.n, rng)
        held, size = chain.advance(1)
        kept.append(held[0])
        sizes.append(size[0])
    theta, n = np.array(kept)[500:], np.array(sizes)[500:]
    assert abs(z_of(n, 3.5)) < DEVIATIONS
    assert abs(z_of(n == 1, 1 / 6)) < DEVIATIONS
    assert abs(z_of(n == 6, 1 / 6)) < DEVIATIONS
    assert abs(z_of(theta[:, 2] <= math.log(2), 0.5)) < DEVIATIONS  # tau is Gamma(1, 1)
    for j in (0, 1):
        assert abs(z_of(theta[:, j] <= math.sqrt(2 / 3), 0.75)) < DEVIATIONS
    assert abs(z_of(theta[:, 3] <= 0.6744897501960817, 0.75)) < DEVIATIONS
    assert abs(z_of(theta[:, 4] ** 2 <= 0.454936423119572, 0.5)) < DEVIATIONS  # chi2(1)
    # tied: large n under tau below its median
    assert abs(z_of((theta[:, 2] <= math.log(2)) & (n > 3), 0.25)) < DEVIATIONS


@pytest.mark.parametrize("leaks", [False, True])
def test_it_agrees_with_chains_on_rows(leaks):
    model = models.linear_regression(1, as_the_authors_code=leaks)
    setting = Setting(model, Laplace(3.0), Laplace(0.5), Flat())
    release = Release((3.0, 14.0 if leaks else 6.0, -2.0, -3.0, 4.0), 12.4)
    rows = setting.chain(release, seeded(9), jumps=30).advance(20_000)
    ours = RegressionChain(setting, release, seeded(10))
    ours.advance(1000)
    theta, n = ours.advance(8_000)

    def difference(a, b):
        errors = [x.std() / math.sqrt(diagnostics.ess_mean(x[None].astype(float))) for x in (a, b)]
        return (a.mean() - b.mean()) / math.hypot(*errors)

    for held, other in (
        (n, rows[1][2000:]),
        *((np.arctan(theta[:, j]), np.arctan(rows[0][2000:, j])) for j in range(5)),
    ):
        assert abs(difference(held, other)) < DEVIATIONS


def test_blocks_of_rows_have_the_statistics_of_their_rows():
    for p, leaks in ((1, False), (2, False), (2, True), (3, True)):
        model = models.linear_regression(p, low=-1.5, high=2.0, as_the_authors_code=leaks)
        theta, hyper = model.prior(seeded(30 + p)), np.array(model.hyper)
        A, u = np.empty((p + 2, p + 2)), seeded(31).standard_normal((75, p + 1))
        kernels.shape_matrix(theta, p, A)
        stats, total = np.zeros((75, model.statistics)), np.empty(model.statistics)
        kernels.rows_statistics(u, 70, A, hyper, leaks, stats, total)
        rows = (np.c_[np.ones(75), u] @ A.T)[:, 1:]
        for i in (0, 31, 32, 69):
            assert stats[i] == pytest.approx(model.total(rows[i : i + 1]), abs=1e-12)
        assert total == pytest.approx(model.total(rows[:70]), abs=1e-10)
        assert (stats[70:] == 0).all()


@pytest.mark.parametrize("noise", [Laplace(0.7), Gaussian(3.0)])
@pytest.mark.parametrize(("p", "leaks"), [(1, False), (2, False), (2, True)])
def test_the_slope_of_a_release_is_its_difference_quotient(noise, p, leaks):
    model = models.linear_regression(p, low=-1.0, high=2.0, as_the_authors_code=leaks)
    rng = seeded(40 + p)
    theta, hyper, n = model.prior(rng), np.array(model.hyper), 20
    u = rng.standard_normal((n, p + 1))
    s = rng.normal(0, 5, model.statistics)
    scale = np.array(noise.noise(model.sensitivity))
    piece = type(noise).release_piece
    A, stats, total = np.empty((p + 2, p + 2)), np.empty((n, s.size)), np.empty(s.size)

    def log_g(matrix):
        kernels.rows_statistics(u, n, matrix, hyper, leaks, stats, total)
        return piece(s, total, n, scale)

    kernels.shape_matrix(theta, p, A)
    found = np.empty_like(A)
    log_g(A)
    kernels.release_slope(piece, s, total, n, scale, hyper, leaks, A, u, found)
    assert (found[0] == 0).all()
    for j in range(1, p + 2):
        for c in range(p + 2):
            sides = []
            for sign in (1, -1):
                moved = A.copy()
                moved[j, c] += sign * 1e-7
                sides.append(log_g(moved))
            assert found[j, c] == pytest.approx((sides[0] - sides[1]) / 2e-7, abs=1e-5)


def test_the_score_at_fixed_normals_has_the_mean_of_that_of_complete_rows():
    """Fisher's identity is the other way to the same mean; the rows move by swaps and jumps alone."""
    model = models.linear_regression(1, low=-2, high=2)
    setting = Setting(model, Laplace(3.0), Laplace(1.0), Uniform(1, 40))
    rng, theta = seeded(41), np.array([0.5, -0.7, 1.2, 0.1, 0.9])
    release = setting.release(model.draw(np.array([0.0, -1.0, 1.0, 0.0, 1.0]), 20, rng), rng)

    def chain(seed):
        found = RegressionChain(setting, release, seeded(seed), theta=theta, fixed=True, block=3)
        found.advance(200)
        return found

    ours, sizes = chain(42).scores(20_000)
    kept, other, _, packed = chain(43).advance_in_detail(20_000)
    assert (kept == theta).all()
    grams = np.empty((len(packed), 3, 3))
    rows, columns = np.tril_indices(3)
    grams[:, rows, columns] = grams[:, columns, rows] = packed
    fisher = np.array([complete_score(theta, gram) for gram in grams])

    def apart(a, b):
        errors = [x.std() / math.sqrt(diagnostics.ess_mean(x[None].astype(float))) for x in (a, b)]
        return (a.mean() - b.mean()) / math.hypot(*errors)

    assert np.abs([apart(a, b) for a, b in zip(ours.T, fisher.T, strict=True)]).max() < DEVIATIONS
    on_rows = setting.chain(release, seeded(44), theta=theta, fixed=True, jumps=20)
    for n in (sizes, other):
        assert abs(apart(n, on_rows.advance(20_000)[1])) < DEVIATIONS
    with pytest.raises(ValueError, match="fixed=True"):
        RegressionChain(setting, release, rng).scores(3)


def test_a_chain_moves_to_another_parameter_with_its_rows():
    setting = Setting(models.linear_regression(), Laplace(1.0), Laplace(0.1))
    theta = setting.model.prior(seeded(45))
    chain = RegressionChain(
        setting, setting.release(data()[:60], seeded(46)), seeded(47), fixed=True
    )
    rows, sums = chain.records, chain.stats[: chain.n].copy()
    chain.move_to(theta)
    assert (chain.theta == theta).all()
    assert np.allclose(chain.records, rows)
    assert np.allclose(setting.model.total(chain.records), sums.sum(axis=0))
    with pytest.raises(ValueError, match="theta must have 9 numbers"):
        RegressionChain(setting, chain.release, theta=(1.0, 2.0))


def data():
    rng = seeded(3)
    x = np.array([1, -1]) + rng.standard_normal((1000, 2))
    return np.c_[x, x @ [-1, 1] + rng.standard_normal(1000)]


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_the_sums_say_nothing_about_n_where_its_noise_is_small(epsilon):
    """Var(n) at epsilon_n = 1 is near that of p(n | n_dp), 2.00 on average, for both budgets."""
    setting = Setting(models.linear_regression(), Laplace(epsilon), Laplace(1.0))
    release = setting.release(data(), seeded(11))
    found = sample_regression(setting, release, seeded(12), chains=2, cycles=1500, ess=200.0)
    assert found.converged
    n = np.arange(900, 1100)
    masses = np.exp(-np.abs(n - release.n_dp))
    masses /= masses.sum()
    alone = masses @ n**2 - (masses @ n) ** 2
    assert found.of("n").var() == pytest.approx(alone, rel=0.12)


def test_chains_from_far_away_meet():
    setting = Setting(models.linear_regression(), Laplace(1.0), Laplace(0.001))
    release = setting.release(data(), seeded(13))
    found = sample_regression(
        setting, release, seeded(14), chains=3, cycles=1200, ess=200.0, starts=(20, 1000, 11_000)
    )
    assert found.converged
    assert set(found.acceptance) >= {"swaps", "exact decisions", "moves that keep the totals"}


def test_a_known_number_never_moves():
    setting = Setting(models.linear_regression(), Laplace(1.0), Known())
    release = setting.release(data()[:50], seeded(15))
    found = sample_regression(setting, release, seeded(16), chains=2, cycles=600, ess=None)
    assert found.constant == ("n",)
    assert (found.sizes == 50).all()


def test_it_is_stopped_and_resumed_bit_for_bit(tmp_path):
    setting = Setting(models.linear_regression(), Laplace(1.0), Laplace(0.1))
    release = setting.release(data()[:60], seeded(17))
    whole = RegressionChain(setting, release, seeded(18), warm_up=150).advance(300)
    for cut in (77, 200):  # within the warm-up, and after it
        parted = RegressionChain(setting, release, seeded(18), warm_up=150)
        first = parted.advance(cut)
        parted.save(tmp_path / "chain.npz")
        second = RegressionChain.resume(tmp_path / "chain.npz", setting, release).advance(300 - cut)
        for k in range(2):
            assert (np.concatenate([first[k], second[k]]) == whole[k]).all()


def test_records_are_those_that_the_sums_are_of():
    setting = Setting(models.linear_regression(), Laplace(1.0), Laplace(0.1))
    chain = RegressionChain(setting, setting.release(data()[:60], seeded(19)), seeded(20))
    _, _, totals, grams = chain.advance_in_detail(20)
    assert np.allclose(setting.model.total(chain.records), totals[-1])
    z = np.c_[np.ones(chain.n), chain.records]
    assert np.allclose((z.T @ z)[np.tril_indices(4)], grams[-1])


def test_another_model_is_refused():
    setting = Setting(models.bernoulli(), Laplace(1.0), Laplace(1.0))
    with pytest.raises(ValueError, match="must be a LinearRegression"):
        RegressionChain(setting, Release((1.0,), 3.0))
    other = replace(models.linear_regression(), record=models.bernoulli().record)
    with pytest.raises(ValueError, match="record must come from linear_regression"):
        RegressionChain(Setting(other, Laplace(1.0), Laplace(1.0)), Release((1.0,) * 9, 3.0))


THETA = np.array([0.1, -1.0, 1.0, 1.3, 0.5, -0.5, 1.1, 0.2, 0.9])


@pytest.fixture
def two_covariates():
    """A regression of two covariates: hyper, A, u."""
    rng = np.random.default_rng(3)
    A = np.empty((4, 4))
    kernels.shape_matrix(THETA, 2, A)
    return np.array(models.linear_regression(2).hyper, dtype=float), A, rng.standard_normal((77, 3))


@pytest.mark.parametrize("leak", [False, True])
def test_statistics_of_two_covariates_are_the_same_to_the_last_bit(two_covariates, leak):
    hyper, A, u = two_covariates
    hyper[1:3] = -0.7, 0.9  # many are clamped
    found = []
    for pieces in (
        (kernels.rows_statistics, kernels._sum_rows),
        (kernels.rows_statistics_two_covariates, kernels._sum_nine),
    ):
        stats, total, again = np.zeros((77, 9)), np.empty(9), np.empty(9)
        pieces[0](u, 70, A, hyper, leak, stats, total)
        pieces[1](stats, 70, again)
        found.append((stats, total, again))
    for first, other in zip(*found, strict=True):
        assert np.array_equal(first, other)
    assert (np.abs(found[0][0][:70, 0]) == 1).mean() > 0.2


def test_rows_of_two_covariates_are_the_same_to_the_last_bit(two_covariates):
    _, A, u = two_covariates
    one, other = u.copy(), u.copy()
    kernels.standardise(one, 70, A, np.empty(3))
    kernels.standardise_two_covariates(other, 70, A)
    assert np.array_equal(one, other)
    blocks, same = np.zeros((3, 9)), np.zeros((3, 9))
    kernels.fill_blocks(one, 1, 2, blocks)
    kernels.fill_blocks_two_covariates(one, 1, 2, same)
    assert np.array_equal(blocks, same)
    assert not blocks[0].any()
    assert blocks[1].all()


def test_swaps_of_two_covariates_are_the_same_to_the_last_bit(two_covariates):
    hyper, A, u = two_covariates
    n, stats, total = len(u), np.empty((len(u), 9)), np.empty(9)
    kernels.rows_statistics(u, n, A, hyper, False, stats, total)
    s, noise = total + np.random.default_rng(6).laplace(0, 5, 9), np.array([5.0])
    found = []
    for swap in (kernels.swap_rows, kernels.swap_rows_two_covariates):
        rows, sums, held = u.copy(), total.copy(), stats.copy()
        tally = np.zeros(kernels.ALL_TALLIES, dtype=np.int64)
        stream = np.random.default_rng(4)
        own = (
            (kernels.laplace_release, stream)
            if swap is kernels.swap_rows
            else (stream, live_words(stream))
        )
        log = kernels.laplace_release(s, sums, n, noise)
        for _ in range(20):
            log = swap(*own, A, hyper, False, s, noise, rows, held, n, sums, log, tally)
        found.append((rows, held, sums, log, tally, stream.random()))
    for first, other in zip(*found, strict=True):
        assert np.array_equal(first, other)
    tally = found[0][4]
    assert 0 < tally[kernels.SWAPPED] < tally[kernels.SWAPS] == 20 * n


@pytest.mark.parametrize(
    ("loss", "leak", "options"),
    [
        (1.0, False, {"warm_up": 100, "jumps": 3, "block": 4}),
        (0.01, True, {"warm_up": 0, "steps": 40}),
        (math.inf, False, {"warm_up": 60}),
        (0.1, False, {"fixed": True, "jumps": 10}),
    ],
)
@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937])
def test_runs_of_two_covariates_are_the_same_to_the_last_bit(
    monkeypatch, loss, leak, options, bits
):
    """The loops for two covariates beside those for any number of them."""
    setting = regression_setting(1.0, loss, as_the_authors_code=leak)
    release = setting.release(setting.model.draw(THETA, 150, seeded(1)), seeded(2))
    found = []
    run = kernels.regression_run
    for two in (True, False):
        monkeypatch.setattr(
            kernels, "regression_run", lambda *given, two=two: run(*given[:-1], two)
        )
        chain = RegressionChain(setting, release, np.random.Generator(bits(5)), **options)
        draws = (*chain.advance(120), *chain.advance_in_detail(9)[2:])
        if chain.fixed:
            draws += chain.scores(9)
        found.append((*draws, chain.u, chain.tally, chain.walk, chain.rng.random()))
    for first, other in zip(*found, strict=True):
        assert np.array_equal(first, other)


def test_the_words_of_a_generator_give_its_next_number_and_move_it():
    rng, twin = np.random.default_rng(9), np.random.default_rng(9)
    words = live_words(rng)
    for _ in range(100):
        low, high = map(np.uint64, next_words(*words))  # else Numba takes them for signed numbers
        assert output(low, high) == twin.random()
        words[0], words[1] = low, high
    assert rng.bit_generator.state == twin.bit_generator.state
    assert rng.standard_normal() == twin.standard_normal()
    assert live_words(np.random.Generator(np.random.MT19937(1))).size == 0
    assert live_words(np.random.Generator(np.random.PCG64DXSM(1))).size == 0
