"""Theorem 4, information, sensitivity, rates and the tuner: against formulas, SymPy and simulation."""

import math

import numpy as np
import pytest
import sympy
from scipy.integrate import quad
from scipy.stats import norm, t

from dpbook.contamination import (
    contaminated_pair,
    enclose_eta,
    fisher_information,
    hellinger,
    kappa,
    linear_regression,
    metropolis,
    private_mean,
    rates,
    ratio_bound,
    theorem_4,
    theory,
    tune_rate,
)
from dpbook.contamination.estimator import CONDITION
from dpbook.contamination.models import (
    BernoulliDensity,
    Cauchy,
    CauchyDensity,
    Contaminated,
    Logistic,
    Normal,
    StudentTDensity,
)
from dpbook.contamination.settings import Setting
from dpbook.privacy import distributions

GAUSS = Contaminated(Normal(), StudentTDensity(5.0), 0.3)


def k(x, theta, rate=0.3):
    return (1 - rate) * norm.pdf(x, theta) + rate * t.pdf(x, 5)


def test_information_is_the_integral_of_the_squared_score():
    def integrand(x):
        return ((1 - 0.3) * x * norm.pdf(x)) ** 2 / k(x, 0)

    assert fisher_information(GAUSS) == pytest.approx(quad(integrand, -40, 40)[0], rel=1e-9)
    coin = Contaminated(Logistic(), BernoulliDensity(), 0.2)
    one = 0.8 / (1 + math.exp(-0.7)) + 0.1
    slope = 0.8 * math.exp(-0.7) / (1 + math.exp(-0.7)) ** 2
    assert fisher_information(coin, 0.7) == pytest.approx(slope**2 / (one * (1 - one)), rel=1e-12)
    cauchy = Contaminated(Cauchy(2.0), None, 0.0)
    assert fisher_information(cauchy) == pytest.approx(1 / 8, rel=1e-9)


def test_information_tends_to_the_uncontaminated_one_and_stays_below():
    last = 0.0
    for rate in (0.5, 0.1, 1e-2, 1e-4):
        found = fisher_information(Contaminated(Normal(), StudentTDensity(5.0), rate))
        assert last < found <= 1 - rate
        last = found
    assert (1 - last) / 1e-4 == pytest.approx(8 / 3, rel=0.1)  # 1 + variance of g


def test_bounds_of_assumption_4_are_closed_forms():
    # Gaussian against t5: x (1 + x**2 / 5)**3 exp(-x**2 / 2) is largest where its derivative is 0
    x = sympy.symbols("x", positive=True)
    slope = sympy.diff(sympy.log(x) + 3 * sympy.log(1 + x**2 / 5) - x**2 / 2, x)
    peaks = sympy.real_roots(sympy.together(slope).as_numer_denom()[0])
    peak = max(float(r) for r in peaks if r > 0)
    wanted = peak * norm.pdf(peak) / t.pdf(peak, 5)
    assert ratio_bound(Normal(), StudentTDensity(5.0), psi=0) == pytest.approx(wanted, rel=1e-8)
    assert ratio_bound(Cauchy(), CauchyDensity(0.0, 1.0), psi=0) == pytest.approx(1.0, rel=1e-9)
    wider = ratio_bound(Normal(), StudentTDensity(5.0), psi=1.0)
    x = np.linspace(-8, 8, 160_001)
    slowly = max(
        float((np.abs(x - s) * norm.pdf(x, s) / t.pdf(x, 5)).max()) for s in (-1, -0.5, 0, 1)
    )
    assert wider == pytest.approx(slowly, rel=1e-5)
    assert math.isinf(ratio_bound(Cauchy(), StudentTDensity(5.0), psi=0))  # its tails are too light


def test_sensitivity_index_is_that_of_a_fine_table():
    x = np.linspace(-40, 40, 80_001)
    score = np.abs(0.7 * x * norm.pdf(x) / k(x, 0)).max()
    wanted = score / math.sqrt(fisher_information(GAUSS))
    assert kappa(GAUSS) == pytest.approx(wanted, rel=1e-6)
    assert private_mean(100, rate=0.3).kappa() == pytest.approx(wanted, rel=1e-6)  # no units


def test_hellinger_distance_is_that_of_quadrature():
    def integrand(x):
        return 0.5 * (math.sqrt(k(x, 0)) - math.sqrt(k(x, 1.5))) ** 2

    wanted = math.sqrt(quad(integrand, -60, 60, limit=200)[0])
    assert hellinger(GAUSS, 0.0, 1.5) == pytest.approx(wanted, rel=1e-7)
    plain = Contaminated(Normal(), None, 0.0)
    assert hellinger(plain, -1.0, 1.0) == pytest.approx(math.sqrt(1 - math.exp(-0.5)), rel=1e-9)
    assert hellinger(plain, -500.0, 500.0) == pytest.approx(1, rel=1e-9)
    # Proposition 3, constructive: at least (1 - p) h**2 / sqrt(2), at most sqrt(1 - p) h
    h = hellinger(plain, 0.0, 1.5)
    assert 0.7 * h * h / math.sqrt(2) <= hellinger(GAUSS, 0.0, 1.5) <= math.sqrt(0.7) * h


def test_constants_are_those_of_the_two_proofs():
    k, root = sympy.Rational(2, 3), 5
    c_0 = (root - 1 - sympy.log(root)) / (1 - sympy.Rational(1, root)) ** 2
    assert pytest.approx(float(c_0)) == theory.C_0
    assert theory.printed_c_2() == pytest.approx(float((1 - k) * k**2 / (32 * c_0 + 4 * k)))
    assert theory.printed_c_2() == pytest.approx(1.212e-3, rel=1e-3)  # as the paper rounds it
    # the repair: k / 2, balls of radius sqrt(2) t, and 32 c_0 t**2 in the place of 8 c_0 t**2
    n, small = sympy.symbols("n t", positive=True)
    size = (k / 2) * sympy.sqrt(n) * (2 * small**2)
    psi = size**2 / (4 * (32 * c_0 * 2 * small**2 + size / sympy.sqrt(n)))
    wanted = sympy.simplify((1 - k / 2) * psi / (n * small**2))
    assert theory.corrected_c_2() == pytest.approx(float(wanted))
    wanted = sympy.sqrt(3) * (k / 2) ** sympy.Rational(5, 2) * 2 / (2**10 * root)
    assert theory.corrected_c() == pytest.approx(float(wanted))
    own = theory.corrected_c(2 / 3) / 2  # the printed derivation, carried out
    assert own == pytest.approx(2**-7.5 * 3**-2 / 5)
    assert theory.printed_c() == pytest.approx(own * math.sqrt(3))


def test_theorem_4_is_its_formula():
    found = theorem_4(private_mean(1000, rate=0.3), phi=0.5, psi=0.02, c_3=0.5)
    bound = ratio_bound(Normal(8.0), StudentTDensity(5.0, 30.0, 8.0), 30.0, psi=0.02)
    small = 2 * (0.7 / 0.3) * bound * 0.02
    delta = 4 / 0.5 * math.exp(-1000 * 0.25 / 24)
    assert found.bound == bound
    assert found.varepsilon == pytest.approx(small)
    assert found.delta == pytest.approx(delta)
    assert found.epsilon == pytest.approx(small + math.log(delta + math.exp(small)))
    c_5 = min(1 / 96, theory.corrected_c_2())
    assert found.failure == pytest.approx(
        (4 + 2 * 24 + 2) * math.exp(-c_5 * 250)
    )  # 2 shells, 12 scales
    assert found.vacuous
    assert found.claim == "contamination:lemma-14-corrected"
    printed = theorem_4(private_mean(1000, rate=0.3), phi=0.5, psi=0.02, version="printed")
    assert printed.bound < found.bound  # at theta* alone
    assert printed.claim == "contamination:lemma-14"


def test_theorem_4_says_nothing_at_fifty_thousand_records():
    found = private_mean(50_000).theorem_4()
    assert "Assumption 1 allows no phi <= 1, it needs phi >= 79.2" in found.reasons
    assert found.vacuous
    assert "It says nothing here" in found.describe()
    # with no assumption in the way it says something
    large = Setting(
        10**12, Normal(), StudentTDensity(5.0), distributions.Normal(0, 1), rate=0.3
    ).theorem_4(phi=0.3)
    assert large.vacuous is None  # never False: the prior's mass is not looked at
    assert "not shown to be vacuous" in repr(large)
    assert "It is not shown to be vacuous, and not shown to hold" in large.describe()
    assert 0 < large.failure < 1e-100
    assert 0 < large.delta < 1e-300  # an underflow is no 0
    assert "at most 0," not in large.describe()


def test_theorem_4_counts_shells_and_scales_as_its_repaired_proof():
    for phi in (0.999, 0.9, 0.6, 0.5, 0.4, 1 / 3, 0.1, 1e-3, 1e-9):
        small, reached = (1 / 3) ** 2 * 2 * phi**2 / (2**4.5 * 5), 0
        while 2**reached * small <= math.sqrt(2) * phi:
            reached += 1
        shells, square = 0, 2 * phi**2
        while square < 1:  # h**2 doubles from phi**2 to 1
            shells, square = shells + 1, 2 * square
        found = theory.repaired_shells(phi)
        assert found >= (1 + shells) * (1 + reached)
        assert found >= theory.printed_shells(phi)
        # for a small radius the printed bound is the larger one, as text-b.2-shells-corrected says
        assert (found == theory.printed_shells(phi)) == (phi < 0.33)
    for phi in (0.9, 0.6):  # text-b.2-shells: refuted there
        product = (1 + math.ceil(-2 * math.log2(phi) - 1)) * (1 + math.ceil(8 - math.log2(phi)))
        assert theory.printed_shells(phi) < product <= theory.repaired_shells(phi)


def test_theorem_4_does_not_trust_its_arguments():
    setting = Setting(10**12, Normal(), StudentTDensity(5.0), distributions.Normal(0, 1), rate=0.3)
    many = setting.theorem_4(phi=1e-5, c_3=1e15)
    assert "Assumption 2 needs a prior probability of " in " ".join(many.reasons)
    near = setting.theorem_4(phi=0.3, psi=1e-9)
    assert "parameters within phi reach 1.34 from theta*, beyond psi" in near.reasons
    for wrong in (1.5, 1e15):
        with pytest.raises(ValueError, match=r"alpha must be in \(0, 1\], as in Definition 6, got"):
            setting.theorem_4(alpha=wrong)
    with pytest.raises(ValueError, match="entropy must be >= log 2, the entropy for two brackets"):
        setting.theorem_4(entropy=1e-15)


def test_least_phi_is_where_the_integral_meets_its_bound():
    n, c, entropy = 10**9, theory.corrected_c(), math.log(2)
    phi = theory.least_phi(n, c, entropy)
    integral = math.sqrt(entropy) * (phi - phi**2 / 2**10)
    assert integral == pytest.approx(c * math.sqrt(n) * phi**2)


def test_theorem_4_refuses_what_is_none():
    setting = private_mean(1000)
    with pytest.raises(ValueError, match="phi must be <= 1, a Hellinger distance, got 2"):
        setting.theorem_4(phi=2.0)
    with pytest.raises(ValueError, match='version must be "corrected" or "printed", got \'new\''):
        setting.theorem_4(version="new")
    for calculated in (theorem_4, lambda wrong: tune_rate(wrong, 1.0)):
        with pytest.raises(ValueError, match=r"setting must be a Setting, .* got 1000"):
            calculated(1000)
    for calculated in (fisher_information, kappa, lambda wrong: hellinger(wrong, 0.0, 1.0)):
        with pytest.raises(ValueError, match=r"model must be a Contaminated, .* got 3"):
            calculated(3)
    with pytest.raises(ValueError, match="q must be > 4, got 4"):
        rates(4)
    far = setting.theorem_4(phi=0.999)
    assert "parameters however far are within phi" in far.reasons


def test_rates_are_the_exponents_of_section_5():
    found = rates(6)
    q = sympy.Integer(6)
    assert found.phi == float(-1 / q)
    assert found.rate == found.epsilon == float(-1 / (2 * q))
    assert found.delta == pytest.approx(float(1 + 2 * sympy.Rational(-1, 6)))  # n phi**2
    assert found.radius == pytest.approx(1 / 3)
    assert theory.default_rate(2**24) == pytest.approx(1 / 8)  # n**(-1 / (2 q)) at q = 4


@pytest.mark.parametrize("method", ["exact", "sharp"])
def test_tuned_rate_keeps_its_target_by_simulation(method):
    found = tune_rate(private_mean(5000), 0.3, method=method)
    setting = private_mean(5000, rate=found.rate)
    values = setting.epsilons(40, np.random.default_rng(1), (method,))[method]
    assert np.median(values) == pytest.approx(0.3, rel=0.02)
    assert found.error == pytest.approx(2 / (5000 * setting.fisher_information()))
    smaller = private_mean(5000, rate=found.rate / 2).epsilons(
        10, np.random.default_rng(1), (method,)
    )
    assert np.median(smaller[method]) > 0.31  # less contamination does not keep it


def test_tuner_can_say_none():
    found = private_mean(10_000).tune(0.1)
    assert found.rate is None
    assert found.error is None
    assert found.epsilon == found.epsilons.min() > 0.1
    assert "no contamination rate keeps epsilon 0.1" in found.describe()
    assert repr(found).startswith("TunedRate(none: least epsilon=0.109")
    assert len(found.plot().get_lines()) == 3
    with pytest.raises(ValueError, match="epsilon must be > 0"):
        private_mean(1000).tune(0.0)


def test_approximate_draws_cost_what_the_definition_says():
    rng = np.random.default_rng(1)
    for _ in range(200):  # all sets of a finite distribution
        p, q, r, s = rng.dirichlet(np.ones(4), 4)
        tv = max(0.5 * np.abs(p - r).sum(), 0.5 * np.abs(q - s).sum())
        epsilon = rng.uniform(0, 2)
        delta = float(np.maximum(p - math.exp(epsilon) * q, 0).sum())
        worst = float(np.maximum(r - math.exp(epsilon) * s, 0).sum())
        assert worst <= theory.with_approximation(epsilon, delta, tv) + 1e-12
    assert theory.with_approximation(1.0, 0.1, 0.01) == pytest.approx(0.1 + (1 + math.e) * 0.01)
    assert theory.with_approximation(700.0, 0.1, 0.5) == 1.0


def test_tuned_rate_says_where_the_first_order_is_rough():
    for setting, why in (
        (private_mean(20), "n is small, one record may move the posterior by"),
        (private_mean(100), "n is small"),
        (private_mean(5000).replace(prior=distributions.Normal(30, 0.1)), "the prior is only"),
    ):
        for target in (0.01, 1.5):  # out of reach, and not
            found = tune_rate(setting, target)
            assert why in found.rough
            assert f"first order, rough: {found.rough}" in repr(found)
            assert "The first order is rough here" in found.describe()
    large = tune_rate(private_mean(10_000), 0.2)
    assert large.rough == ""
    assert "rough" not in repr(large) + large.describe()


def printed_results():
    """One of each result that has a guarantee behind it."""
    setting, rng = private_mean(1000), np.random.default_rng(1)
    x = setting.simulate(rng)
    regression = linear_regression(50, 2)
    records, w = regression.simulate(rng)
    return [
        setting,
        regression,
        setting.posterior(x),
        setting.epsilon(x),
        setting.estimate(2, rng),
        setting.theorem_4(),
        setting.tune(0.4),
        rates(5),
        enclose_eta(setting, 2.0, width=0.01),
        regression.laplace(records, w),
        regression.epsilon(records, w),
        metropolis(setting, x, size=10, warmup=10, rng=rng),
        contaminated_pair(),
    ]


def test_every_printed_result_says_what_kind_of_privacy_it_is():
    for one in printed_results():
        assert CONDITION in repr(one), type(one)
        if hasattr(one, "describe"):
            assert CONDITION in one.describe(), type(one)
