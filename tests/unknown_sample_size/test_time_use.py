"""The row-free route: its density against inversion, its distribution against chains on rows, its data.

False alarms: each comparison two-sided at 1e-8, with fixed seeds.
"""

import math
import re
import warnings

import numpy as np
import pytest
from scipy.special import gammaln, loggamma, polygamma, psi

from dpbook.privacy import diagnostics
from dpbook.unknown_sample_size import (
    Flat,
    Known,
    Laplace,
    Release,
    Setting,
    kernels,
    models,
)
from dpbook.unknown_sample_size.time_use import (
    SumsChain,
    fingerprint,
    load_time_use,
    sample_sums,
    shipped,
    stand_in,
    time_use_setting,
)

DEVIATIONS = 5.731


def seeded(seed):
    return np.random.default_rng(seed)


def test_special_functions_are_those_of_scipy():
    for x in (0.03, 0.7, 3.0, 7.9, 40.0, 1e4):
        assert kernels.digamma(x) == pytest.approx(psi(x), rel=1e-13, abs=1e-13)
        assert kernels.trigamma(x) == pytest.approx(polygamma(1, x), rel=1e-12)
    alpha = np.array([12.6, 1.6, 17.2])
    matrix = np.diag(polygamma(1, alpha)) - polygamma(1, alpha.sum())
    assert kernels.log_curvature(alpha) == pytest.approx(np.linalg.slogdet(matrix)[1])
    assert kernels.log_normaliser(alpha) == pytest.approx(
        gammaln(alpha).sum() - gammaln(alpha.sum())
    )
    mean, found = psi(alpha) - psi(alpha.sum()), np.ones(3)
    assert kernels.solve_mean(mean, found)
    assert found == pytest.approx(alpha, rel=1e-6)
    assert not kernels.solve_mean(
        np.log([0.5, 0.3, 0.2]), np.ones(3)
    )  # Jensen: no distribution has that mean


def inverted(n, alpha):
    """Log density of S at its mean, by inversion of the characteristic function on a whitened grid."""
    matrix = np.diag(polygamma(1, alpha)) - polygamma(1, alpha.sum())
    root = np.linalg.inv(np.linalg.cholesky(n * matrix)).T
    grid = np.linspace(-9, 9, 61)
    z = np.stack(np.meshgrid(grid, grid, grid, indexing="ij")).reshape(3, -1)
    t = root @ z
    mean = n * (psi(alpha) - psi(alpha.sum()))
    logs = loggamma(alpha[:, None] + 1j * t).sum(axis=0) - loggamma(
        alpha.sum() + 1j * t.sum(axis=0)
    )
    logs = n * (logs - gammaln(alpha).sum() + gammaln(alpha.sum())) - 1j * (mean @ t)
    value = np.exp(logs).sum().real * (grid[1] - grid[0]) ** 3 * abs(np.linalg.det(root))
    return math.log(value / (2 * math.pi) ** 3), mean


@pytest.mark.parametrize("alpha", [(12.6, 1.59, 17.2), (2.0, 0.8, 3.0), (30.0, 30.0, 30.0)])
@pytest.mark.parametrize("n", [20, 60])
def test_the_saddlepoint_density_is_the_inverted_one(alpha, n):
    alpha = np.array(alpha)
    exact, mean = inverted(n, alpha)
    ours = [
        kernels.log_density_of_sums(mean, n, alpha, alpha.copy(), -1, 0.0, corrected)
        - 1.5 * math.log(2 * math.pi)
        for corrected in (True, False)
    ]
    assert ours[0] == pytest.approx(exact, abs=2.0 / n**2 + 0.02 / n)
    assert exact - ours[1] == pytest.approx(-1.08 / n, rel=0.1)


def test_the_clamp_enters_the_generating_function_exactly():
    """Its term against a simulation, and against no clamp where it is out of reach."""
    rng, alpha, clamp = seeded(1), np.array([3.0, 0.7, 4.0]), 0.05
    logs = np.log(rng.dirichlet(alpha, 400_000))
    logs[:, 1] = np.maximum(logs[:, 1], math.log(clamp))
    for theta in ((0.3, -0.4, 0.5), (-0.5, 0.8, 0.2), (0.0, 0.0, 0.0)):
        p = alpha + theta
        ours = kernels.log_normaliser(p) - kernels.log_normaliser(alpha)
        ours += kernels.clamp_term(p[1], p[0] + p[2], alpha[1], clamp)
        values = np.exp(logs @ theta)
        error = values.std() / values.mean() / math.sqrt(len(logs))
        assert abs(ours - math.log(values.mean())) < DEVIATIONS * error + 1e-9
    S = np.array([-40.0, -80.0, -50.0])
    far, none = np.array([2.0, 1.0, 2.0]), np.array([2.0, 1.0, 2.0])
    assert kernels.solve_mean(S / 30, none)
    far[:] = none
    with_clamp = kernels.log_density_of_sums(S, 30, alpha, far, 1, -200.0, True)
    without = kernels.log_density_of_sums(S, 30, alpha, none, -1, -200.0, True)
    assert with_clamp == pytest.approx(without, abs=1e-6)


def means(chain, cycles, first):
    alpha, n = chain.advance(cycles)
    values = np.c_[n, np.log(alpha)][first:]
    errors = [v.std() / math.sqrt(diagnostics.ess_mean(v[None])) for v in values.T]
    return values.mean(axis=0), np.array(errors)


@pytest.mark.parametrize(
    ("clamp", "sums", "n_dp", "clamped"),
    [(1e-9, (-9.0, -16.0, -7.0), 8.4, None), (0.05, (-45.0, -88.0, -40.0), 40.0, 1)],
)
def test_chains_on_rows_have_the_same_distribution(clamp, sums, n_dp, clamped):
    model = models.dirichlet(3, clamp=clamp)
    setting = Setting(model, Laplace(model.sensitivity / 1.5), Laplace(1.0), Flat(2))
    release = Release(sums, n_dp)
    rows, rows_error = means(setting.chain(release, seeded(2), jumps=15), 25_000, 2000)
    ours, error = means(SumsChain(setting, release, seeded(3), clamped=clamped), 60_000, 2000)
    # what is left of the saddlepoint's error is of order n**-2
    slack = 0.02 / n_dp
    assert (np.abs(ours - rows) < DEVIATIONS * np.hypot(error, rows_error) + slack).all()


@pytest.mark.parametrize(("epsilon_s", "epsilon_n"), [(1.0, 0.01), (10.0, 1.0), (10.0, 10.0)])
def test_the_application_converges_from_far_away(epsilon_s, epsilon_n):
    held = load_time_use()
    setting = time_use_setting(epsilon_s, epsilon_n)
    release = setting.release_sums(held.sums, held.n, seeded(6))
    found = sample_sums(setting, release, seeded(7))
    assert max(found.starts) > 15_000
    assert found.converged
    assert abs(found.of("n").mean() - 6656) < 6 / epsilon_n + 1
    if epsilon_n == 0.01:  # the sums bound n above (Jensen) and below: sd far under that of n_dp
        assert found.of("n").std() < 110 < math.sqrt(2) / epsilon_n


def test_a_clamp_that_is_wrongly_taken_for_out_of_reach_is_warned_of():
    setting = Setting(models.dirichlet(3, clamp=0.05), Laplace(5.0), Laplace(1.0), Flat(2))
    release = Release((-75.0, -75.0, -30.0), 40.0)
    options = {"chains": 2, "cycles": 400, "warm_up": 200, "ess": None}
    with pytest.warns(UserWarning, match="of part 0 is reached by about .* is too narrow"):
        sample_sums(setting, release, seeded(4), **options)
    held = load_time_use()
    survey = time_use_setting(1.0, 1.0)
    near = survey.release_sums(held.sums, held.n, seeded(5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sample_sums(survey, near, seeded(6), **options)
    with pytest.warns(UserWarning, match="of part 1 is reached"):
        sample_sums(survey, near, seeded(6), clamped=None, **options)


def test_a_public_number_stays_where_it_is():
    held = load_time_use()
    setting = time_use_setting(10.0, None)
    release = setting.release_sums(held.sums, held.n, seeded(8))
    found = sample_sums(setting, release, seeded(9))
    assert found.constant == ("n",)
    assert found.converged
    # the maximum likelihood estimate, and about its standard error
    for name, value, error in (("alpha_1", 12.604, 0.16), ("alpha_2", 1.594, 0.02)):
        assert abs(found.of(name).mean() - value) < 8 * error


@pytest.mark.parametrize("clamped", [1, None])
def test_it_is_stopped_and_resumed_bit_for_bit(tmp_path, clamped):
    held, setting = load_time_use(), time_use_setting(1.0, 0.1)
    release = setting.release_sums(held.sums, held.n, seeded(10))
    whole = SumsChain(setting, release, seeded(11), clamped=clamped).advance(300)
    parted = SumsChain(setting, release, seeded(11), clamped=clamped)
    parts = [parted.advance(25)]
    for cycles in (1, 274):
        parted.save(tmp_path / "chain.npz")
        parted = SumsChain.resume(tmp_path / "chain.npz", setting, release)
        parts.append(parted.advance(cycles))
    for k in range(2):
        assert (np.concatenate([part[k] for part in parts]) == whole[k]).all()


def test_data_files_are_those_that_the_readme_names():
    readme = shipped("README.md").read_text()
    named = re.findall(r"`([a-z_0-9]+\.json)`.*?([0-9a-f]{64})", readme)
    assert len(named) >= 2
    for name, digest in named:
        assert fingerprint(shipped(name)) == digest


def test_files_of_compositions_and_of_the_bureau_are_read(tmp_path):
    table = tmp_path / "a.csv"
    table.write_text("CARE,EATING,OTHER\n1,0.25,0.05,0.7\n2,0.5,0.1,0.4\n")
    held = load_time_use(table)
    assert held.n == 2
    assert held.sums == pytest.approx(np.log([[0.25, 0.05, 0.7], [0.5, 0.1, 0.4]]).sum(axis=0))
    assert load_time_use(tmp_path).n == 2
    bureau = tmp_path / "atussum_2019.dat"
    bureau.write_text(
        "TUCASEID,TEAGE,t010101,t010201,t110101,t120101\n1,50,480,60,60,840\n2,40,500,0,0,940\n"
    )
    held = load_time_use(bureau)
    assert held.n == 1  # the second has no meal
    assert held.shares[0] == pytest.approx(np.array([540, 60, 840]) / 1440)
    table.write_text("a,b,c\n0.5,0.1,0.3\n")
    with pytest.raises(ValueError, match=r"sum to 1, got \[0.5, 0.1, 0.3\] in line 2"):
        load_time_use(table)
    with pytest.raises(ValueError, match="cannot read"):
        load_time_use(tmp_path / "none.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"must hold a \.csv or \.dat file"):
        load_time_use(tmp_path / "empty")


def test_the_stand_in_is_in_whole_minutes():
    held = stand_in(seeded(12), 500)
    minutes = held.shares * 1440
    assert np.allclose(minutes, np.round(minutes))
    assert minutes.min() >= 1 - 1e-9
    assert np.allclose(held.shares.sum(axis=1), 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SumsChain(Setting(models.bernoulli(), Laplace(1), Laplace(1)), Release((1,), 2.0)), "must be dirichlet"),
        (lambda: SumsChain(time_use_setting(1, 1), Release((-3.0, -3, -3), 9.0), clamped=5), "clamped must be"),
        (lambda: time_use_setting(1, -1), "epsilon must be > 0, got -1"),
        (lambda: models.dirichlet(clamp=2), r"clamp must be in \(0, 1\)"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_known_numbers_need_no_noise():
    assert isinstance(time_use_setting(1.0, None).count, Known)
