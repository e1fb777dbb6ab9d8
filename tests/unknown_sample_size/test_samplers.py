"""The compiled sampler against enumeration and closed forms, and its wrong variants against the same.

Many chains start from exact draws of the posterior and run a few cycles: where the sampler is right
their last states are again independent exact draws, and Pearson's statistic has its distribution. False
alarms: two-sided 1e-6 in all, each comparison at 1e-8, with fixed seeds.
"""

import importlib.util
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numba import njit
from scipy.special import betainc
from scipy.stats import beta, chi2, norm

from dpbook.privacy import diagnostics
from dpbook.unknown_sample_size import (
    Chain,
    DiscreteGaussian,
    DiscreteLaplace,
    FiniteModel,
    Flat,
    Gaussian,
    KNGMean,
    Known,
    Laplace,
    Missing,
    Poisson,
    Release,
    Setting,
    Uniform,
    exact_counts,
    exact_normal,
    kernels,
    models,
)

LEAST = 1e-8
DEVIATIONS = 5.731


def seeded(seed):
    return np.random.default_rng(seed)


# --- a finite model, compiled and listed -------------------------------------------------------------

MASSES, CHANCES = (1 / 4, 3 / 4), ((1 / 2, 1 / 2), (1 / 8, 7 / 8))
RELEASE = Release((0.2,), 2.6)


def compiled_setting():
    model = models.finite(MASSES, CHANCES)
    return Setting(model, Laplace(2.0), Laplace(0.7), Uniform(1, 3))


def listed_model():
    def exact(x):
        return Fraction(x)

    return FiniteModel(
        tuple(map(exact, MASSES)),
        tuple(tuple(map(exact, row)) for row in CHANCES),
        {n: exact(math.exp(-0.7 * abs(2.6 - n))) for n in (1, 2, 3)},
        lambda total, n: exact(math.exp(-2.0 * abs(0.2 - total))),
    )


run = kernels.run.compiled  # a part of another kernel here


@njit
def replay(
    a,
    b,
    c,
    d,
    e,
    f,
    rng,
    hyper,
    s,
    noise,
    n_dp,
    count_noise,
    prior,
    theta,
    sizes,
    rows,
    jumps,
    deaths,
    cycles,
    renew,
):
    tally, kept = np.zeros(kernels.TALLIES, np.int64), np.empty((cycles, 1))
    seen, stats = np.empty(cycles, np.int64), np.zeros((12, 1))
    room, size, at = np.zeros((12, 1)), np.empty(1, np.int64), np.empty(1)
    for i in range(sizes.size):
        size[0], at[0] = sizes[i], theta[i]
        room[:3, 0] = rows[i]
        stats[:3, 0] = rows[i]
        run(
            a, b, c, d, e, f, rng, hyper, s, noise, n_dp, count_noise, prior, room, stats, size, at, 1, jumps, 1,
            deaths, False, tally, kept, seen, 0, cycles, kernels.POINTERS, 0, renew,
        )  # fmt: skip
        theta[i], sizes[i] = at[0], size[0]
        rows[i] = room[:3, 0]


def pearson(deaths, seed, size=400_000, jumps=1, cycles=2, renew=0):
    """The p-value of the states after some cycles from exact draws."""
    setting, model = compiled_setting(), listed_model()
    target = np.array([float(mass) for mass in model.target])
    rng = seeded(seed)
    drawn = rng.choice(target.size, size, p=target)
    theta, sizes, rows = np.empty(size), np.empty(size, np.int64), np.zeros((size, 3))
    for i, (k, values) in enumerate(model.states):
        chosen = drawn == i
        theta[chosen], sizes[chosen] = k, len(values)
        rows[chosen, : len(values)] = values
    chain = Chain(setting, RELEASE, rng)
    replay(
        *setting.pieces, rng, chain._hyper, chain._s, chain._noise, chain._n_dp, chain._count_noise,
        chain._prior, theta, sizes, rows, jumps, deaths, cycles, renew,
    )  # fmt: skip
    code = (theta * 4 + sizes) * 8
    for j in range(3):
        code += np.where(sizes > j, rows[:, j], 0) * 2**j
    codes = [
        (k * 4 + len(values)) * 8 + sum(v * 2**j for j, v in enumerate(values))
        for k, values in model.states
    ]
    counts = np.array([(code == one).sum() for one in codes])
    assert counts.sum() == size
    statistic = ((counts - size * target) ** 2 / (size * target)).sum()
    return chi2.sf(statistic, target.size - 1)


@pytest.mark.parametrize("noise", [Laplace(0.3), Gaussian(5.0)])
def test_pieces_that_are_compiled_in_do_what_those_called_do(noise):
    """A copy of the statistic is called through a pointer: the same states, bit for bit."""
    model = models.normal_mean(0.0, 2.0, 1.0, (-4.0, 4.0))

    def copied(row, s, hyper, t):
        t[0] = min(max(row[0], hyper[3]), hyper[4])

    settings = [
        Setting(one, noise, Laplace(0.5)) for one in (model, replace(model, statistic=copied))
    ]
    assert [one.inlined for one in settings] == [
        kernels.NORMAL_LAPLACE if isinstance(noise, Laplace) else kernels.NORMAL_GAUSSIAN,
        kernels.POINTERS,
    ]
    chains = [Chain(one, Release((7.0,), 20.0), seeded(50), jumps=3) for one in settings]
    first, second = (chain.advance(200) for chain in chains)
    assert (first[0] == second[0]).all()
    assert (first[1] == second[1]).all()
    assert (chains[0].tally == chains[1].tally).all()


@pytest.mark.parametrize("deaths", [kernels.LAST, kernels.ANYWHERE])
def test_the_compiled_sampler_leaves_exact_draws_exact(deaths):
    assert pearson(deaths, seed=11) > LEAST


def test_with_more_jumps_too():
    assert pearson(kernels.LAST, seed=12, jumps=4, cycles=1) > LEAST


def test_with_renewals_too():
    assert pearson(kernels.LAST, seed=15, cycles=2, renew=1) > LEAST


@pytest.mark.parametrize("deaths", [kernels.APPEND_ANYWHERE, kernels.NO_RATIO])
def test_the_same_test_catches_the_wrong_variants(deaths):
    assert pearson(deaths, seed=13) < LEAST


def test_the_same_test_catches_a_likelihood_that_leaks_n():
    """With the exact number of records among the sums, as in the authors' code, n is too sure."""
    setting = replace(compiled_setting(), count=Laplace(0.7))

    def leaked(row, s, hyper, t):
        t[0] = 1.0

    leaky = replace(setting, model=replace(setting.model, statistic=leaked))
    draws = leaky.chain(Release((3.0,), 2.6), seeded(14), jumps=5).advance(20_000)[1]
    exact = listed_model().marginal()
    chance = float(exact[0, 3] + exact[1, 3])
    assert abs((draws == 3).mean() - chance) > 0.1


# --- blocks, and the interpreter ---------------------------------------------------------------------


def z_of(draws, value):
    """Standard scores of a mean, by the effective sample size."""
    draws = np.atleast_2d(draws).astype(float)
    return (draws.mean() - value) / (draws.std() / math.sqrt(diagnostics.ess_mean(draws)))


def coins(count=None, sizes=None, mechanism=None):
    return Setting(
        models.bernoulli(2.0, 1.0),
        mechanism or Laplace(1.0),
        count or Laplace(0.5),
        sizes or Flat(),
    )


@pytest.mark.parametrize(
    ("setting", "release", "options"),
    [
        (coins(), Release((1.3,), 4.2), {}),
        (coins(), Release((1.3,), 4.2), {"deaths": "anywhere"}),
        (coins(), Release((1.3,), 4.2), {"block": 3, "jumps": 6}),
        (coins(), Release((1.3,), 4.2), {"renew": 1}),
        (coins(mechanism=Laplace(0.1)), Release((9.0,), 6.0), {"renew": 3, "block": 2}),
        (coins(mechanism=KNGMean(1.0)), Release((0.7,), 5.0), {"renew": 2}),
        (coins(), Release((2.5,), -6.0), {}),
        (coins(sizes=Poisson(5.0)), Release((3.0,), 1.0), {}),
        (coins(Missing(), Poisson(4.0)), Release((3.0,), None), {}),
        (coins(mechanism=Gaussian(1.5)), Release((3.0,), 6.0), {}),
        (coins(DiscreteLaplace(0.5), mechanism=DiscreteLaplace(1.0)), Release((3.0,), 6.0), {}),
        (coins(DiscreteGaussian(2.0), Uniform(2, 9)), Release((3.0,), 6.0), {"block": 2}),
        (coins(mechanism=KNGMean(1.0)), Release((0.7,), 5.0), {}),
        (coins(Known()), Release((3.0,), 5.0), {}),
    ],
)
def test_chains_of_coins_have_the_exact_distribution_of_theta_and_n(setting, release, options):
    exact = exact_counts(setting, release, 120)
    if isinstance(setting.count, Known):
        chosen = exact.sizes == 5
        exact = replace(
            exact,
            sizes=exact.sizes[chosen],
            sums=exact.sums[chosen],
            masses=exact.masses[chosen] / exact.masses[chosen].sum(),
        )
    chain = setting.chain(release, seeded(21), **{"jumps": 10, **options})
    theta, n = chain.advance(40_000)
    theta, n = theta[2000:, 0], n[2000:]
    a, b = 2 + exact.sums[:, 0], 1 + exact.sums[:, 1]
    for k in list(exact.size_masses())[:6]:
        mass = exact.size_masses()[k]
        if 0.01 < mass < 0.99:
            assert abs(z_of(n == k, mass)) < DEVIATIONS
            # jointly: theta is small and n = k
            joint = (exact.masses * (exact.sizes == k) * betainc(a, b, 0.5)).sum()
            assert abs(z_of((n == k) & (theta <= 0.5), joint)) < DEVIATIONS
    mean = float(exact.masses @ (a / (a + b)))
    assert abs(z_of(theta, mean)) < DEVIATIONS
    if not isinstance(setting.count, Known):
        assert abs(z_of(n, float(exact.masses @ exact.sizes))) < DEVIATIONS
    else:
        assert (n == 5).all()
    for share in beta.cdf([0.3, 0.8], 2, 1):
        assert 0 < share < 1


def test_chains_of_categories_have_the_exact_distribution():
    setting = Setting(models.multinomial((1.0, 2.0, 0.5)), Laplace(1.0), Laplace(1.0))
    release = Release((1.0, 3.0, -0.5), 4.0)
    exact = exact_counts(setting, release, 26)
    theta, n = setting.chain(release, seeded(22), jumps=10).advance(40_000)
    alpha = np.array(setting.model.hyper) + exact.sums
    means = exact.masses @ (alpha / alpha.sum(axis=1, keepdims=True))
    for j in range(3):
        assert abs(z_of(theta[2000:, j], means[j])) < DEVIATIONS
        joint = exact.masses @ np.where(exact.sizes == 4, alpha[:, j] / alpha.sum(axis=1), 0)
        assert abs(z_of(theta[2000:, j] * (n[2000:] == 4), joint)) < DEVIATIONS
    assert abs(z_of(n[2000:], float(exact.masses @ exact.sizes))) < DEVIATIONS


def test_a_noisy_mean_of_known_size_has_the_closed_form():
    """Data augmentation of Ju et al.; sums of Normal records under Gaussian noise."""
    setting = Setting(models.normal_mean(0.5, 2.0, 1.3), Gaussian(6.0), Known())
    release = Release((-41.0,), 20)
    exact = exact_normal(setting, release, 20)
    theta, n = setting.chain(release, seeded(23)).advance(60_000)
    theta = theta[2000:, 0]
    assert (n == 20).all()
    assert abs(z_of(theta, exact.mean)) < DEVIATIONS
    assert abs(z_of(theta < exact.mean - exact.sd, norm.cdf(-1))) < DEVIATIONS
    assert abs(z_of((theta - exact.mean) ** 2, exact.sd**2)) < DEVIATIONS


def test_a_noisy_mean_of_unknown_size_has_the_closed_form():
    setting = Setting(models.normal_mean(0.0, 1.0, 1.0), Gaussian(3.0), Gaussian(2.0))
    release = Release((9.0,), 7.5)
    exact = exact_normal(setting, release, 60)
    theta, n = setting.chain(release, seeded(24), jumps=10).advance(60_000)
    theta, n = theta[2000:, 0], n[2000:]
    assert abs(z_of(theta, exact.mean)) < DEVIATIONS
    assert abs(z_of(n, float(exact.masses @ exact.sizes))) < DEVIATIONS
    together = float(exact.masses @ (exact.sizes * exact.means))
    assert abs(z_of(theta * n, together)) < DEVIATIONS


def test_the_posterior_of_the_tools_example_is_the_known_one():
    """A mean of 100 Normal records with sd 1 and Gaussian noise: N(-2.036, 0.343 as a sd)."""
    setting = Setting(models.normal_mean(0.0, 2.0, 1.0), Gaussian(100 / 3), Known())
    exact = exact_normal(setting, Release((-209.8,), 100), 100)
    # by hand: the mean of the records is N(theta, 1 / 100 + 1 / 9)
    spread = 1 / 100 + 1 / 9
    assert exact.mean == pytest.approx(-2.098 / (1 + spread / 4))
    assert exact.sd == pytest.approx((1 / (1 / 4 + 1 / spread)) ** 0.5)


def test_kernels_do_the_same_in_the_interpreter():
    row, t, s = np.array([1.0, -7.0, 2.0]), np.empty(9), np.zeros(9)
    hyper = np.array(models.linear_regression().hyper)
    found = np.empty(9)
    kernels.regression_statistic(row, s, hyper, found)
    kernels.regression_statistic.py_func(row, s, hyper, t)
    assert (found == t).all()
    x, z, y = 0.2, -1.0, 0.4
    assert t == pytest.approx([x, z, x * x, x * z, z * z, x * y, z * y, y, y * y])
    total, noise = np.array([0.3]), np.array([1.4])
    for piece in (kernels.laplace_release, kernels.gaussian_release, kernels.kng_release):
        assert piece(total, total * 2, 3, noise) == piece.py_func(total, total * 2, 3, noise)
    for piece in (kernels.laplace_count, kernels.gaussian_count, kernels.no_count):
        assert piece(2.5, 3, noise) == piece.py_func(2.5, 3, noise)


# --- faces ---------------------------------------------------------------------------------------------


def test_a_chain_that_is_stopped_and_resumed_is_the_same_bit_for_bit(tmp_path):
    setting = Setting(models.dirichlet(), Laplace(2.0), Laplace(0.3))
    release = Release((-40.0, -60.0, -30.0), 33.3)
    whole = setting.chain(release, seeded(31), jumps=5).advance(40)
    parted = setting.chain(release, seeded(31), jumps=5)
    first = parted.advance(17)
    parted.save(tmp_path / "chain.npz")
    resumed = Chain.resume(tmp_path / "chain.npz", setting, release)
    second = resumed.advance(23)
    for k in range(2):
        assert (np.concatenate([first[k], second[k]]) == whole[k]).all()
    assert resumed.cycles == 40
    with pytest.raises(ValueError, match="another release"):
        Chain.resume(tmp_path / "chain.npz", setting, Release((-40.0, -60.0, -31.0), 33.3))
    with pytest.raises(ValueError, match="holds a chain of"):
        Chain.resume(tmp_path / "chain.npz", replace(setting, count=Laplace(0.2)), release)
    other = replace(setting, model=models.dirichlet(clamp=0.2))
    with pytest.raises(ValueError, match="holds a chain of"):
        Chain.resume(tmp_path / "chain.npz", other, release)
    whole_file = (tmp_path / "chain.npz").read_bytes()
    middle = len(whole_file) // 2
    turned = whole_file[:middle] + bytes([whole_file[middle] ^ 255]) + whole_file[middle + 1 :]
    for damaged in (b"nothing", b"", whole_file[:middle], turned):
        (tmp_path / "no.npz").write_bytes(damaged)
        with pytest.raises(ValueError, match="must hold a saved Chain"):
            Chain.resume(tmp_path / "no.npz", setting, release)


def test_renewals_come_at_the_same_cycles_however_a_run_is_cut():
    whole, parted = (coins().chain(Release((1.3,), 4.2), seeded(34), renew=3) for _ in range(2))
    theta, n = whole.advance(40)
    parts = [parted.advance(cycles) for cycles in (4, 1, 35)]
    assert (np.concatenate([part[0] for part in parts]) == theta).all()
    assert (np.concatenate([part[1] for part in parts]) == n).all()
    assert whole.tally[kernels.RENEWALS] == 13
    with pytest.raises(ValueError, match="renew must be 0 for dirichlet"):
        Setting(models.dirichlet(), Laplace(2.0), Laplace(0.3)).chain(
            Release((-40.0, -60.0, -30.0), 33.3), renew=1
        )


def test_a_chain_is_not_resumed_under_another_prior(tmp_path):
    setting = Setting(models.bernoulli(1, 1), Laplace(1.0), Laplace(0.5), Uniform(1, 12))
    release = Release((1.3,), 4.2)
    chain = setting.chain(release, seeded(33))
    chain.advance(3)
    chain.save(tmp_path / "chain.npz")
    Chain.resume(tmp_path / "chain.npz", setting, release)
    with pytest.raises(ValueError, match="holds a chain of"):
        Chain.resume(
            tmp_path / "chain.npz", replace(setting, model=models.bernoulli(500, 1)), release
        )


def test_what_is_drawn_does_not_depend_on_the_number_of_threads():
    options = {"chains": 3, "cycles": 50, "ess": None, "jumps": 3}
    one = coins().sample(Release((1.3,), 4.2), seeded(32), workers=1, **options)
    three = coins().sample(Release((1.3,), 4.2), seeded(32), workers=3, **options)
    assert (one.draws == three.draws).all()
    assert (one.sizes == three.sizes).all()


def test_chains_run_until_they_have_converged_and_say_so():
    found = coins().sample(Release((1.3,), 4.2), seeded(33), cycles=200, jumps=10)
    assert found.converged
    assert found.least_ess >= 400
    assert found.largest_r_hat < 1.01
    assert "converged" in repr(found)
    assert "NOT" not in repr(found)
    assert "proposition 5.1" in found.describe()
    assert found.acceptance["swaps"] >= found.bounds[0]
    assert min(found.acceptance["births"], found.acceptance["deaths"]) >= found.bounds[1] / 2
    assert found.plot().get_ylabel() == "number of records"


def test_a_chain_that_has_not_converged_says_so():
    release = Release((1200.0,), 4000.0)
    short = coins(Laplace(0.001)).sample(
        release, seeded(34), cycles=40, ess=None, jumps=1, starts=(500, 9000, 2000, 4000)
    )
    assert not short.converged
    assert "NOT converged" in repr(short)
    assert short.largest_r_hat > 1.5


def test_starts_lie_where_the_prior_has_mass():
    setting = coins(sizes=Uniform(2, 6))
    assert setting.chain(Release((1.0,), 40.0), seeded(1)).n == 6
    found = setting.sample(Release((1.0,), -40.0), seeded(1), cycles=20, ess=None)
    assert set(found.starts) <= set(range(2, 7))
    with pytest.raises(ValueError, match="start must have positive prior mass, got 9"):
        setting.chain(Release((1.0,), 4.0), start=9)


def test_a_number_that_never_changes_is_said_not_to():
    known = coins(Known()).sample(Release((3.0,), 5.0), seeded(35), cycles=1000)
    assert known.constant == ("n",)
    assert known.converged
    assert "n never changed" in known.describe()


def test_the_prior_comes_back_where_the_release_says_nothing():
    """Regression with the data term nearly off: (b, tau, mu, Phi) and n return to their prior."""
    setting = Setting(models.linear_regression(), Laplace(1e-9), Laplace(1.0))
    theta, n = setting.chain(Release((0.0,) * 9, 3.4), seeded(36), jumps=5).advance(60_000)
    ns = np.arange(1, 60)
    masses = np.exp(-abs(ns - 3.4))
    masses /= masses.sum()
    assert abs(z_of(n, masses @ ns)) < DEVIATIONS
    assert abs(z_of(n == 1, masses[0])) < DEVIATIONS
    tau = theta[:, 3]
    assert abs(z_of(tau <= math.log(2), 0.5)) < DEVIATIONS  # Gamma(1, 1)
    # b_j given tau is N(0, 1 / tau): t with 2 degrees of freedom, whose quartiles are +-.8165
    for j in range(3):
        assert abs(z_of(theta[:, j] <= math.sqrt(2 / 3), 0.75)) < DEVIATIONS
    for j in (4, 5):
        assert abs(z_of(theta[:, j] <= 0.6744897501960817, 0.75)) < DEVIATIONS
    assert abs(z_of(theta[:, 6] ** 2 <= 2 * math.log(2), 0.5)) < DEVIATIONS  # Phi_11 is chi2(2)
    assert abs(z_of(theta[:, 7] <= 0, 0.5)) < DEVIATIONS
    assert abs(z_of(theta[:, 8] ** 2 <= 0.454936423119572, 0.5)) < DEVIATIONS  # chi2(1)


def test_geweke_the_joint_distribution_is_kept_by_release_and_cycle():
    """Regression: theta ~ prior, n ~ prior, rows, release; then a cycle and a fresh release, in turn."""
    setting = Setting(models.linear_regression(1), Laplace(0.7), Laplace(1.0), Uniform(1, 6))
    rng = seeded(37)
    theta, n, rows, release = setting.simulate(rng)
    chain = setting.chain(release, rng, jumps=3, theta=theta, start=n)
    chain.rows[:n] = rows
    for i in range(n):
        chain.stats[i] = setting.model.total(rows[i : i + 1])
    kept, sizes = [], []
    for _ in range(12_000):
        held, size = chain.advance(1)
        kept.append(held[0])
        sizes.append(size[0])
        total = chain.stats[: chain.n].sum(axis=0)
        release = setting.release_sums(total, chain.n, rng)
        chain._s[:] = release.s
        chain._n_dp = release.n_dp
    theta, n = np.array(kept), np.array(sizes)
    assert abs(z_of(n, 3.5)) < DEVIATIONS
    assert abs(z_of(n == 1, 1 / 6)) < DEVIATIONS
    assert abs(z_of(theta[:, 2] <= math.log(2), 0.5)) < DEVIATIONS
    assert abs(z_of(theta[:, 0] <= math.sqrt(2 / 3), 0.75)) < DEVIATIONS
    assert abs(z_of(theta[:, 3] <= 0, 0.5)) < DEVIATIONS
    assert abs(z_of(theta[:, 4] ** 2 <= 0.454936423119572, 0.5)) < DEVIATIONS


def test_a_chain_goes_to_arviz():
    if importlib.util.find_spec("arviz") is None:
        pytest.skip("ArviZ, of the extra infer, is not installed")
    found = coins().sample(Release((1.3,), 4.2), seeded(33), cycles=100, ess=None).to_arviz()
    assert set(found.posterior.data_vars) == {"theta", "n"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Laplace(-1.0), "epsilon must be > 0, got -1.0"),
        (lambda: Gaussian(0), "sd must be > 0, got 0"),
        (lambda: Uniform(5, 2), "most must be >= least = 5, got 2"),
        (lambda: Flat(0), "least must be an integer >= 1, got 0"),
        (lambda: coins(Missing()), "must be finite, got infinity for Flat"),
        (lambda: Setting(models.normal_mean(), Laplace(1), Laplace(1)), "finite sensitivity"),
        (
            lambda: Setting(models.bernoulli(), Missing(), Laplace(1)),
            "mechanism must be a Mechanism",
        ),
        (lambda: Setting(models.bernoulli(), Laplace(1), KNGMean(1)), "count must be a Mechanism"),
        (lambda: models.linear_regression(low=5, high=-5), "low must be < high"),
        (lambda: models.normal_mean(bounds=(1, -1)), "low must be < high"),
        (lambda: coins().sample(Release((1.0, 2.0), 3.0)), "s must be a tuple of 1 for bernoulli"),
        (lambda: coins().sample(Release((math.nan,), 3.0)), "s must be finite"),
        (lambda: coins().sample(Release((1.0,), None)), "n_dp must be a number"),
        (lambda: coins().sample(Release((1.0,), math.inf)), "n_dp must be finite, got"),
        (lambda: coins().sample(Release(("one",), 3.0)), "s must be a tuple of numbers, got"),
        (lambda: coins().sample(None), "release must be a Release, got None"),
        (lambda: coins(DiscreteLaplace(1)).sample(Release((1.0,), 2.5)), "n_dp must be whole"),
        (lambda: coins(mechanism=KNGMean(1)).sample(Release((1.2,), 2.5)), r"in \[0, 1\]"),
        (lambda: coins(Known()).sample(Release((1.0,), 0.0)), "n_dp must be >= 1"),
        (lambda: coins().sample(Release((1.0,), 2.0), cycles=9, burn_in=8), "burn_in must be <"),
        (lambda: coins().sample(Release((1.0,), 2.0), starts=(3,)), "starts must have 4"),
        (lambda: coins().chain(Release((1.0,), 2.0), deaths="first"), "deaths must be"),
        (
            lambda: coins().chain(Release((1.0,), 2.0), block=2, deaths="anywhere"),
            "block must be 1",
        ),
        (lambda: coins().chain(Release((1.0,), 2.0), 7), "rng must be a numpy.random.Generator"),
        (lambda: coins().release([0, 1, 2]), "must lie in its support, and not all do$"),
        (lambda: coins().release([[0, 1]]), r"must have shape \(n, 1\), n >= 0, got \(1, 2\)"),
        (lambda: coins().release([0, 1j]), "real numbers, in rows of one length$"),
        (lambda: coins().release([[0], [1, 0]]), "real numbers, in rows of one length$"),
        (lambda: coins().release(["a secret"]), "real numbers, in rows of one length$"),
        (lambda: coins(mechanism=KNGMean(1)).release([]), "the mean of one record at least"),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_dataset_without_records_is_released_as_its_neighbours_are():
    drawn = [coins().release([], np.random.default_rng(seed)) for seed in range(400)]
    with_one = [coins().release([0], np.random.default_rng(seed)) for seed in range(400)]
    assert [one.s for one in drawn] == [one.s for one in with_one]  # a record of 0 adds nothing
    counts = np.array([[a.n_dp, b.n_dp] for a, b in zip(drawn, with_one, strict=True)])
    assert (counts[:, 0] < counts[:, 1]).all()


def test_a_record_sampler_that_leaves_the_support_is_refused():
    def halves(rng, theta, hyper, row):
        row[0] = 0.5

    setting = replace(coins(), model=replace(models.bernoulli(), record=halves))
    with pytest.raises(ValueError, match="record of bernoulli must return a row in the support"):
        setting.sample(Release((1.0,), 3.0))


def test_a_piece_that_does_not_compile_is_refused():
    def wrong(row, s, hyper, t):
        t[0] = row.no_such_thing

    setting = replace(coins(), model=replace(models.bernoulli(), statistic=wrong))
    with pytest.raises(ValueError, match="wrong must compile with Numba"):
        setting.sample(Release((1.0,), 3.0))


def test_a_user_swaps_the_statistic():
    """Heads count double: half the noise, so the posterior is that of a release of half the sum."""

    def twice(row, s, hyper, t):
        t[0] = 2 * row[0]

    plain = coins(mechanism=Laplace(2.0))
    doubled = replace(
        coins(mechanism=Laplace(4.0)),
        model=replace(plain.model, statistic=twice, sensitivity=2.0 * 2.0),
    )
    # noise of scale 4 / 4 on twice the heads, of scale 1 / 2 on the heads
    one = plain.chain(Release((3.0,), 6.0), seeded(41), jumps=5).advance(3000)
    two = doubled.chain(Release((6.0,), 6.0), seeded(41), jumps=5).advance(3000)
    assert (one[1] == two[1]).all()
    assert one[0] == pytest.approx(two[0])


@pytest.mark.parametrize(
    "mechanism",
    [Laplace(1.3), Gaussian(2.0), DiscreteLaplace(0.7), DiscreteGaussian(1.7)],
)
def test_what_is_released_has_the_distribution_that_is_scored(mechanism):
    """Frequencies of releases, rounded to whole numbers, against the piece, summed or integrated."""
    rng = seeded(42)
    drawn = mechanism.draw(np.zeros(200_000), 10, 1.0, rng)
    noise = np.array(mechanism.noise(1.0))
    fine = np.arange(-40, 40, 1.0 if mechanism.whole else 0.01)
    at = fine if mechanism.whole else fine + 0.005
    masses = np.exp([mechanism.release_piece(np.array([x]), np.zeros(1), 10, noise) for x in at])
    masses /= masses.sum()
    for low, high in ((-1, 1), (-3, 0), (2, 6)):
        share = masses[(at >= low) & (at < high)].sum()
        seen = ((drawn >= low) & (drawn < high)).mean()
        error = math.sqrt(share * (1 - share) / drawn.size)
        assert abs(seen - share) < DEVIATIONS * error + 2e-3 * (not mechanism.whole)


def test_kng_draws_have_the_density_that_is_scored():
    mechanism, total, n = KNGMean(0.8), np.array([2.4]), 6
    drawn = mechanism.draw(np.full(200_000, 2.4), n, 1.0, seeded(43))
    grid = (np.arange(4000) + 0.5) / 4000
    density = np.exp([kernels.kng_release(np.array([x]), total, n, np.array([0.8])) for x in grid])
    assert density.mean() == pytest.approx(1, abs=1e-6)  # normalised: it depends on n
    for low, high in ((0, 0.2), (0.2, 0.4), (0.4, 1)):
        share = density[(grid >= low) & (grid < high)].mean() * (high - low)
        error = math.sqrt(share * (1 - share) / drawn.size)
        assert abs(((drawn >= low) & (drawn < high)).mean() - share) < DEVIATIONS * error


def test_sensitivities_are_attained_on_corners():
    from itertools import product

    for p in (1, 2, 3):
        model = models.linear_regression(p)
        norms = [
            np.abs(model.total([row])).sum() for row in product((-5.0, 0.0, 5.0), repeat=p + 1)
        ]
        assert max(norms) == model.sensitivity == (p + 1) * (p + 4) / 2
    model = models.dirichlet(clamp=0.01)
    shares = np.random.default_rng(44).dirichlet([0.2, 0.2, 0.2], 2000)
    worst = max(np.abs(model.total([np.log(np.maximum(x, 1e-300))])).sum() for x in shares)
    assert worst <= model.sensitivity
