"""Likelihoods, contamination densities and their mixture: against SymPy, differences and quadrature."""

import math
import warnings

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import binom, kstest, norm, t

from dpbook.contamination import (
    Regression,
    Setting,
    linear_regression,
    metropolis,
    private_mean,
    tune_rate,
)
from dpbook.contamination.models import (
    AsymmetricLaplace,
    BernoulliDensity,
    Cauchy,
    CauchyDensity,
    Contaminated,
    ContaminationDensity,
    DataDependent,
    Likelihood,
    Logistic,
    Normal,
    StudentTDensity,
    check_likelihood,
    contaminate,
)
from dpbook.privacy import distributions

X, S = sympy.symbols("x s", real=True)
FORMULAS = {  # of the paper, in SymPy
    Normal(2.0): sympy.exp(-((X - S) ** 2) / 8) / sympy.sqrt(8 * sympy.pi),
    Cauchy(0.5): 2 / (sympy.pi * (1 + 4 * (X - S) ** 2)),
    Logistic(): (1 + sympy.exp(-S)) ** (-X) * (1 + sympy.exp(S)) ** (X - 1),
}
OTHERS = {
    StudentTDensity(5.0, 1.0, 2.0): sympy.gamma(3)
    / (2 * sympy.sqrt(5 * sympy.pi) * sympy.gamma(sympy.Rational(5, 2)))
    * (1 + (X - 1) ** 2 / 20) ** (-3),
    CauchyDensity(0.0, 3.0): 1 / (3 * sympy.pi * (1 + X**2 / 9)),
    BernoulliDensity(0.25): sympy.Rational(1, 4) ** X * sympy.Rational(3, 4) ** (1 - X),
}
PAIRS = [
    (Normal(2.0), StudentTDensity(5.0, 1.0, 2.0)),
    (Normal(2.0), CauchyDensity(0.0, 3.0)),
    (Cauchy(0.5), CauchyDensity(0.0, 3.0)),
    (Logistic(), BernoulliDensity(0.25)),
]


def points(likelihood):
    records = (0.0, 1.0) if likelihood.values else (-7.0, -0.3, 0.9, 4.0)
    return [(x, s) for x in records for s in (-1.2, 0.0, 2.5)]


@pytest.mark.parametrize(("likelihood", "density"), PAIRS)
def test_mixture_and_its_derivatives_are_those_of_the_formula(likelihood, density):
    p = sympy.Rational(3, 10)
    log_k = sympy.log((1 - p) * FORMULAS[likelihood] + p * OTHERS[density])
    wanted = [sympy.lambdify((X, S), sympy.diff(log_k, S, k), "mpmath") for k in range(3)]
    model = Contaminated(likelihood, density, 0.3)
    for x, s in points(likelihood):
        at = np.array(x), np.array(s), density.centre
        found = model.log_density(*at), model.score(*at), model.curvature(*at)
        assert_allclose([float(v) for v in found], [float(f(x, s)) for f in wanted], atol=1e-12)


@pytest.mark.parametrize("likelihood", [*FORMULAS, AsymmetricLaplace(0.3), AsymmetricLaplace(0.9)])
def test_likelihoods_integrate_to_one_and_have_their_derivatives(likelihood):
    for s in (-2.0, 0.0, 1.3):
        check_likelihood(likelihood, s)


def test_asymmetric_laplace_is_the_check_loss_and_s_its_quantile():
    tau, model = 0.3, AsymmetricLaplace(0.3)
    for u in (-2.0, 1.5):
        loss = 0.5 * (abs(u) + (2 * tau - 1) * u)  # Q_tau of the paper
        wanted = math.log(tau * (1 - tau)) - loss
        assert float(model.log_density(np.array(u), np.array(0.0))) == pytest.approx(wanted)
    below = quad(lambda x: math.exp(float(model.log_density(np.array(x), np.array(0.0)))), -200, 0)
    assert below[0] == pytest.approx(tau, abs=1e-9)


class Wrong(Likelihood):
    """A standard normal density with a score or a constant that is not its own."""

    def __init__(self, factor=1.0, shift=0.0):
        self.factor, self.shift = factor, shift

    def log_density(self, x, s):
        return norm.logpdf(x - s) + self.shift

    def score(self, x, s):
        return self.factor * (x - s)

    def curvature(self, x, s):
        return np.full(np.broadcast(x, s).shape, -self.factor)

    def draw(self, s, rng):
        return rng.normal(s)


def test_check_of_a_likelihood_finds_what_is_wrong():
    check_likelihood(Wrong())
    with pytest.raises(ValueError, match="the score of Wrong must be what differences give"):
        check_likelihood(Wrong(factor=1.01))
    with pytest.raises(ValueError, match=r"integrate to 1, got 1\.10517"):
        check_likelihood(Wrong(shift=0.1))


class WrongDraw(Wrong):
    def draw(self, s, rng):
        return rng.normal(s, 1.2)


class Stuck(Wrong):
    def draw(self, s, rng):
        return rng.normal(np.zeros(np.shape(s)))


class Short(Wrong):
    def draw(self, s, rng):
        return rng.normal(0.0, 1.0, 3)


class Backwards(Logistic):
    def draw(self, s, rng):
        return 1.0 - super().draw(s, rng)


def test_check_of_a_likelihood_finds_draws_that_are_not_its_own():
    for wrong in (WrongDraw(), Stuck(), Backwards()):
        with pytest.raises(ValueError, match="draw of .* must be from its density: at s = "):
            check_likelihood(wrong)
        with pytest.raises(ValueError, match="draw of .* must be from its density: at s = "):
            check_likelihood(wrong, 0.5, rng=np.random.default_rng(7))
    with pytest.raises(ValueError, match="draw of Short must return one record"):
        check_likelihood(Short())
    with pytest.raises(ValueError, match="rng must be"):
        check_likelihood(Wrong(), rng=7)
    for seed in range(40):  # 4e-5 for all of them
        check_likelihood(Logistic(), 0.3, rng=np.random.default_rng(seed))


@pytest.mark.parametrize("density", list(OTHERS))
def test_densities_integrate_to_one(density):
    def g(x):
        return math.exp(float(density.log_density(np.array(x), np.array(density.centre))))

    if density.values:
        assert sum(map(g, density.values)) == pytest.approx(1)
    else:
        assert quad(g, -math.inf, math.inf)[0] == pytest.approx(1, abs=1e-7)


def test_printed_student_t_is_not_normalised():  # Section 4.3, with lambda = 5
    def printed(x):
        constant = math.gamma(3) / (5 * math.sqrt(3 * math.pi) * math.gamma(2.5))
        return constant * (1 + x * x / 5) ** -3

    assert quad(printed, -math.inf, math.inf)[0] == pytest.approx(1 / math.sqrt(15), abs=1e-9)


def test_log_likelihood_gradient_and_hessian_agree_with_differences():
    rng = np.random.default_rng(1)
    w = np.hstack([np.ones((40, 1)), rng.uniform(-1, 1, (40, 2))])
    theta, step = np.array([0.3, -1.0, 0.5]), 1e-5
    for likelihood, density in (
        (Normal(1.0), StudentTDensity(5.0, 0.0, 1.0, (0.3, -1.0, 0.5))),
        (Logistic(), BernoulliDensity()),
        (Cauchy(1.0), CauchyDensity(0.0, 2.0)),
    ):
        model = Contaminated(likelihood, density, 0.4)
        x = likelihood.draw(w @ theta, rng)
        around = theta + step * np.vstack([np.eye(3), -np.eye(3)])
        values = model.log_likelihood(around, x, w)
        assert_allclose(
            model.gradient(theta, x, w),
            (values[:3] - values[3:]) / (2 * step),
            rtol=1e-6,
            atol=1e-6,
        )
        slopes = np.array([model.gradient(at, x, w) for at in around])
        assert_allclose(
            model.hessian(theta, x, w), (slopes[:3] - slopes[3:]) / (2 * step), rtol=1e-6, atol=1e-6
        )


def test_log_density_does_not_overflow_far_away():
    model = Contaminated(Normal(1.0), StudentTDensity(5.0), 0.3)
    found = model.log_density(np.array([1e8]), np.array([0.0]))
    assert found == pytest.approx(math.log(0.3) + t.logpdf(1e8, 5), rel=1e-12)
    assert model.score(np.array([1e8]), np.array([0.0])) == 0


def test_contamination_replaces_a_binomial_number_by_draws_of_the_density():
    rng, x = np.random.default_rng(5), np.arange(20_000.0) + 1000
    found = contaminate(x, 0.3, StudentTDensity(5.0, 2.0, 3.0), rng)
    replaced = found[found != x]
    count = binom(x.size, 0.3)  # two-sided, 1e-7
    assert count.ppf(5e-8) <= replaced.size <= count.ppf(1 - 5e-8)
    assert kstest((replaced - 2) / 3, t(5).cdf).pvalue > 1e-7
    again = contaminate(x, 0.3, StudentTDensity(5.0, 2.0, 3.0), np.random.default_rng(5))
    assert np.array_equal(found, again)


def test_contamination_of_a_regression_follows_the_covariates():
    w = np.ones((4000, 2))
    w[:2000, 1] = -1
    density = StudentTDensity(5.0, 0.0, 1e-3, (10.0, 5.0))
    found = contaminate(np.zeros(4000), 0.5, density, np.random.default_rng(1), covariates=w)
    assert set(np.round(found[:2000])) == {0.0, 5.0}
    assert set(np.round(found[2000:])) == {0.0, 15.0}


class Uniform(ContaminationDensity):
    """Uniform on [-50, 50]: 0 beyond."""

    def log_density(self, x, centre):
        return np.where(np.abs(x) <= 50, -math.log(100), -np.inf)

    def draw(self, centre, rng):
        return rng.uniform(-50, 50, np.shape(centre))


class Gap(Uniform):
    """0 from -5 to -4 alone."""

    def log_density(self, x, centre):
        return np.where((x >= -5) & (x <= -4), -np.inf, -1.0)


def test_bad_input_is_named():
    good = StudentTDensity(5.0)
    for rate in (0.0, 1.0, -0.1, 1.5, math.nan):
        with pytest.raises(ValueError, match=r"rate must be in \(0, 1\)"):
            Contaminated(Normal(), good, rate)
        with pytest.raises(ValueError, match=r"rate must be in \(0, 1\)"):
            contaminate([1.0, 2.0], rate, good)
    for density, nearest in ((Uniform(), "-50.2"), (Gap(), "-4.03")):
        with pytest.raises(ValueError, match=f"{type(density).__name__} is 0 at {nearest}"):
            Contaminated(Normal(), density, 0.3)
        with pytest.raises(ValueError, match=f"{type(density).__name__} is 0 at {nearest}"):
            contaminate([1.0, 2.0], 0.3, density)
    with pytest.raises(
        ValueError, match="records must be 0 or 1, the values of Bern.*, and not all are$"
    ):
        contaminate([1.0, 2.0], 0.3, BernoulliDensity())
    with pytest.raises(ValueError, match="the records of Normal are real numbers"):
        Contaminated(Normal(), BernoulliDensity(), 0.3)
    with pytest.raises(ValueError, match="rate must be 0 without a density"):
        Contaminated(Normal(), None, 0.3)
    model = Contaminated(Logistic(), BernoulliDensity(), 0.3)
    with pytest.raises(ValueError, match=r"records must be 0 or 1, and not all are$"):
        model.read([0.0, 0.5])
    with pytest.raises(ValueError, match=r"covariates must be within 1 .* got 1.5 at \(1, 0\)"):
        model.read([0.0, 1.0], [[1.0], [1.5]])
    with pytest.raises(ValueError, match="within 1 in size"):
        contaminate([1.0, 2.0], 0.3, good, covariates=[[1.0], [-3.0]])
    with pytest.raises(ValueError, match="records must be finite, and not all are$"):
        contaminate([1.0, math.nan], 0.3, good)
    with pytest.raises(ValueError, match="rng must be"):
        contaminate([1.0, 2.0], 0.3, good, 7)


class Bell(ContaminationDensity):
    """A normal density, times a factor."""

    def __init__(self, sd=1.0, factor=1.0, centre=0.0):
        self.sd, self.factor, self.centre = sd, factor, centre

    def log_density(self, x, centre):
        return norm.logpdf(x, centre, self.sd) + math.log(self.factor)

    def draw(self, centre, rng):
        return rng.normal(centre, self.sd)


class Dice(Bell):
    values = (1.0, 2.0, 3.0)


class Coin(BernoulliDensity):
    def log_density(self, x, centre):
        return super().log_density(x, centre) - math.log(2)


class FarGap(Bell):
    """0 between 10**4 and 10**4 + 1: many of its own scales away."""

    def log_density(self, x, centre):
        found = CauchyDensity().log_density(x, centre)
        return np.where((x > 1e4) & (x < 1e4 + 1), -np.inf, found)


def test_what_is_no_density_on_the_records_is_refused_by_name():
    for likelihood, density, said in (
        (Logistic(), StudentTDensity(), "records of Logistic, 0 or 1, got StudentTDensity, a dens"),
        (Logistic(), Dice(), "records of Logistic, 0 or 1, got Dice on 1 or 2 or 3"),
        (Logistic(), Coin(), "must integrate to 1, Coin to 0.5"),
        (Normal(), Bell(3.0, 1.1), "must integrate to 1, Bell to 1.1"),
        (Cauchy(), Bell(3.0, 0.9), "must integrate to 1, Bell to 0.9"),
    ):
        with pytest.raises(ValueError, match=said):
            Contaminated(likelihood, density, 0.3)
        with pytest.raises(ValueError, match=said):
            Setting(10, likelihood, density, distributions.Normal(0, 1), rate=0.3)
        with pytest.raises(ValueError, match=said):
            Regression(10, likelihood, density, (1.0, 1.0), 0.3)
    with pytest.raises(ValueError, match="must integrate to 1, Bell to 1.1"):
        contaminate([1.0, 2.0], 0.3, Bell(3.0, 1.1))
    with pytest.raises(ValueError, match="FarGap is 0 at 10000"):
        Setting(10, Normal(), FarGap(), distributions.Normal(1e4, 1), 1e4 + 0.5, rate=0.3)
    for scale in (1e-6, 1.0, 1e6):  # of any width and place
        Contaminated(Normal(), Bell(scale, 1.0, 1e3), 0.3)


@pytest.mark.parametrize("sd", [0.5, 1.0, 3.0])
def test_density_with_tails_too_light_for_the_model_has_no_epsilon(sd):
    setting = Setting(50, Normal(), Bell(sd), distributions.Normal(0, 10), rate=0.3, delta=1e-3)
    x = setting.simulate(np.random.default_rng(1))
    said = "density must have tails .* heavy .*, got .*Bell.* no epsilon belongs to it"
    for method in ("exact", "sharp", "algorithm-1"):
        with pytest.raises(ValueError, match=said):
            setting.epsilon(x, method=method)
        with pytest.raises(ValueError, match=said):
            setting.epsilons(2, np.random.default_rng(1), (method,))
    with pytest.raises(ValueError, match=said):
        setting.epsilon(x, method="algorithm-1", particles=20_000, rng=np.random.default_rng(1))
    if sd <= 1:
        with pytest.raises(ValueError, match=said):
            tune_rate(setting, 0.3)
        regression = Regression(50, Normal(), Bell(sd), (1.0, 1.0), 0.3)
        with pytest.raises(ValueError, match=said):
            regression.epsilon(*regression.simulate(np.random.default_rng(1)))
    # a prior that is narrower than g keeps the posterior where it is
    narrow = setting.replace(prior=distributions.Normal(0, 0.5), density=Bell(2.0))
    assert narrow.epsilon(x, method="sharp").epsilon < 10


def test_other_records_without_a_bound_have_no_epsilon():
    setting = Setting(50, Cauchy(), StudentTDensity(5.0), distributions.Normal(0, 10), rate=0.3)
    x = setting.simulate(np.random.default_rng(1))
    with pytest.raises(
        ValueError, match="derivative of Cauchy has .Assumption 4., got StudentTDens"
    ):
        setting.epsilon(x)
    plain = Regression(50, Normal(), None, (1.0, 1.0))
    with pytest.raises(ValueError, match="records of Normal must be contaminated for an epsilon"):
        plain.epsilon(*plain.simulate(np.random.default_rng(1)))


def test_a_rate_that_is_nan_is_none():
    """It is not taken for one that was left out."""
    for wrong in (math.nan, -0.1, 1.0):
        for call in (
            lambda v=wrong: private_mean(100, rate=v),
            lambda v=wrong: private_mean(100).replace(rate=v),
            lambda v=wrong: linear_regression(100, 2).replace(rate=v),
        ):
            with pytest.raises(ValueError, match=r"rate must be in \(0, 1\)"):
                call()
    with pytest.raises(ValueError, match=r"delta must be in \(0, 1\)"):
        private_mean(100, delta=math.nan)
    assert private_mean(100).replace(n=400).rate == 400**-0.125


def test_density_that_was_fitted_to_the_records_is_warned_of():
    x = np.random.default_rng(2).normal(30, 8, 50)
    for density in (
        StudentTDensity(5.0, float(x.mean()), 8.0),
        StudentTDensity(5.0, float(np.median(x)), 8.0),
        CauchyDensity(30.0, float(x.std(ddof=1))),
        CauchyDensity(30.0, 1.4826 * float(np.median(np.abs(x - np.median(x))))),
        CauchyDensity(30.0, float(np.quantile(x, 0.75) - np.quantile(x, 0.25))),
    ):
        with pytest.warns(DataDependent, match="g must be public"):
            contaminate(x, 0.3, density, np.random.default_rng(1))
        with pytest.warns(DataDependent, match="g must be public"):
            private_mean(50).replace(density=density).release(x, 2, np.random.default_rng(1))
        for method in ("exact", "algorithm-1"):
            with pytest.warns(DataDependent, match="g must be public"):
                private_mean(50).replace(density=density).epsilon(x, method=method)
        with pytest.warns(DataDependent, match="g must be public"):
            private_mean(50).replace(density=density).posterior(x)
        with pytest.warns(DataDependent, match="g must be public"):
            private_mean(50).replace(density=density).draws(x, 2, np.random.default_rng(1))
    contaminate(x, 0.3, StudentTDensity(5.0, 30.0, 8.0), np.random.default_rng(1))  # no warning


def test_density_that_was_fitted_and_rounded_is_warned_of():
    x = np.random.default_rng(2).normal(30, 8, 50)
    wide = 1000 * x
    for records, density in (
        (x, StudentTDensity(5.0, round(float(x.mean()), 2), 8.0)),
        (x, StudentTDensity(5.0, round(float(np.median(x)), 3), 8.0)),
        (x, CauchyDensity(30.0, round(float(x.std()), 2))),
        (wide, CauchyDensity(round(float(wide.mean())), 8000.0)),
        (wide, CauchyDensity(round(float(wide.mean()), -1), 8000.0)),
    ):
        with pytest.warns(DataDependent, match="g must be public"):
            contaminate(records, 0.3, density, np.random.default_rng(1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # that a guess hits by chance
        contaminate(x, 0.3, StudentTDensity(5.0, round(float(x.mean())), 8.0))
        contaminate(x, 0.3, StudentTDensity(5.0, round(float(x.mean()), 1), 8.0))
        contaminate(np.full(9, 30.0), 0.3, StudentTDensity(5.0, 30.0, 8.0))


def test_heavy_tails_are_no_reason_to_take_a_whole_number_for_fitted():
    x = np.random.default_rng(1).standard_cauchy(100)
    x[0] = 1e6
    for scale in (1.0, 2.0, 3.0, 1e5):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            contaminate(x, 0.3, CauchyDensity(0.0, scale), np.random.default_rng(1))


def test_a_public_centre_is_hardly_ever_taken_for_a_fitted_one():
    warned = 0
    for seed in range(400):
        x = np.random.default_rng(seed).normal(30, 8, 50)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            contaminate(x, 0.3, StudentTDensity(5.0, 30.01, 8.01), np.random.default_rng(1))
        warned += bool(told)
    assert warned <= 30


def test_coefficients_of_a_wrong_length_are_refused():
    said = r"coefficients of StudentTDensity must be 2 finite numbers, one for each covariate, got "
    for wrong in ((1.0,), (1.0, 2.0, 3.0), (1.0, math.nan)):
        density = StudentTDensity(5.0, 0.0, 1.0, wrong)
        with pytest.raises(ValueError, match=said + r".*; give 2, or None"):
            Regression(10, Normal(), density, (1.0, 1.0))
        with pytest.raises(ValueError, match=said):
            contaminate([1.0, 2.0], 0.3, density, covariates=[[1.0, 0.0], [1.0, 1.0]])


def test_density_that_was_fitted_by_least_squares_is_warned_of():
    at = linear_regression(60, 2)
    x, w = at.simulate(np.random.default_rng(1))
    slopes = tuple(float(v) for v in np.linalg.lstsq(w, x)[0])
    residual = x - w @ np.ones(2)
    for density, what in (
        (StudentTDensity(5.0, 0.0, 1.0, slopes), "coefficients of g is the least-squares fit"),
        (
            StudentTDensity(5.0, 0.0, float(residual.std()), (1.0, 1.0)),
            "scale of g is the standard",
        ),
    ):
        fitted = at.replace(density=density)
        for run in (
            lambda: contaminate(x, 0.3, density, np.random.default_rng(1), covariates=w),  # noqa: B023
            lambda: fitted.epsilon(x, w),  # noqa: B023
            lambda: fitted.importance(x, w, 100, np.random.default_rng(1)),  # noqa: B023
            lambda: metropolis(fitted, x, w, size=10, warmup=0, rng=np.random.default_rng(1)),  # noqa: B023
        ):
            with pytest.warns(DataDependent, match=what):
                run()
    # a theta* of one's own is no sign
    public = linear_regression(60, 2, theta=(0.123456, 1 / 3))
    public.epsilon(*public.simulate(np.random.default_rng(1)))


@pytest.mark.parametrize("method", ["exact", "algorithm-1"])
def test_records_too_far_for_the_accountant_are_refused(method):
    from dpbook.contamination import private_mean

    for far in (1e300, 1e160):
        with pytest.raises(ValueError, match=r"records must be within 1e\+100 scales .* clamp"):
            private_mean(3).epsilon([far, 0.0, 1.0], method=method)
