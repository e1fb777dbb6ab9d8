"""What runs against the compiled claims, at 50 digits: what runs is what was proved."""

import math

import numpy as np
import pytest

from dpbook.contamination import (
    fisher_information,
    hellinger,
    ratio_bound,
    theory,
    zcdp_budget,
)
from dpbook.contamination.models import (
    Contaminated,
    Normal,
    StudentTDensity,
    densities,
    likelihoods,
)
from tests.claimed import Topic, value

PAPER = Topic("contamination")
relations, left, right = PAPER.relations, PAPER.left, PAPER.right


# --- budgets and rates ----------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.25), (0.9375, 2.0**-13), (4.0, 1e-9)])
def test_budgets_are_those_of_their_claims(epsilon, delta):
    numbers = {"epsilon": epsilon, "delta": delta}
    printed = zcdp_budget(epsilon, delta, "printed")
    assert printed.value == pytest.approx(
        right("text-4.2-stricter-corrected", **numbers), rel=1e-13
    )
    standard = zcdp_budget(epsilon, delta)
    assert standard.value == pytest.approx(
        left("text-4.2-stricter-corrected", **numbers), rel=1e-13
    )
    assert left("note-standard-rho", **numbers) == pytest.approx(epsilon, rel=1e-14)


@pytest.mark.parametrize("n", [2, 1000, 50_000])
def test_rate_of_the_simulations_is_that_of_its_claim(n):
    assert theory.default_rate(n) == pytest.approx(left("eq-18-corrected", n=n), rel=1e-15)


# --- theorem 4 ------------------------------------------------------------------------------------


def test_constants_of_lemma_8_are_those_of_their_claims():
    c_0, *_ = relations("text-b.2-c0")
    assert value(c_0.rhs) == pytest.approx(theory.C_0, rel=1e-14)
    assert value(relations("text-b.2-c1")[0].lhs) == pytest.approx(theory.C_1, rel=1e-14)
    assert value(relations("text-b.2-c2")[0].rhs) == pytest.approx(theory.printed_c_2(), rel=1e-14)
    printed, right_one = (relations(f"text-b.2-c{end}")[0] for end in ("", "-corrected"))
    assert value(printed.rhs) == pytest.approx(theory.printed_c(), rel=1e-14)
    # half the share: lemma 16 is used for the shells up to sqrt(2) t
    factor = 2 * 0.5**2.5
    assert theory.corrected_c() == pytest.approx(factor * value(right_one.rhs), rel=1e-14)


@pytest.mark.parametrize(("bound", "delta"), [(0.25, 0.125), (3.0, 2.0**-30)])
def test_epsilon_of_theorem_4_is_that_of_its_claim(bound, delta):
    claimed = right("note-theorem-4-epsilon", epsilon_0=bound, delta=delta)
    assert math.exp(theory.theorem_4_epsilon(bound, delta)) == pytest.approx(claimed, rel=1e-13)


def test_varepsilon_of_theorem_4_is_twice_the_bound_of_lemma_14():
    numbers = {"p": 0.25, "T": 1.5, "psi": 0.125}
    claimed = right("note-lemma-14", **numbers)
    assert theory.varepsilon(0.25, 1.5, 0.125) == pytest.approx(2 * claimed, rel=1e-15)
    assert right("note-lemma-14-eta", **numbers) == pytest.approx(2 * claimed, rel=1e-15)


@pytest.mark.parametrize(("n", "phi"), [(1000, 0.25), (10**6, 0.0625)])
def test_delta_and_failure_of_theorem_4_are_those_of_their_claims(n, phi):
    claimed = right("note-theorem-4-delta", n=n, phi=phi, c_1=theory.C_1, c_3=0.5)
    assert theory.theorem_4_delta(n, phi, 0.5) == pytest.approx(claimed, rel=1e-12)
    c_2, c_4, alpha = theory.corrected_c_2(), 2.0, 0.5
    steps = -math.log2(phi)
    constant = 4.0 if n * c_2 * phi**2 >= math.log(2) else 20 * max(steps, steps**2)
    numbers = {"n": n, "phi": phi, "C_0": constant, "alpha": alpha, "c_4": c_4, "c_2": c_2}
    claimed = right("note-theorem-4-failure", c_1=theory.C_1, **numbers)
    found = theory.theorem_4_failure(n, phi, c_2, c_4, alpha)
    assert found == pytest.approx(claimed, rel=1e-12)


# --- models ---------------------------------------------------------------------------------------


def test_densities_are_those_of_the_notation():
    x = np.array([-3.0, 0.25, 7.0])
    zero = np.array(0.0)
    student = np.exp(StudentTDensity(5).log_density(x, zero))
    cauchy = np.exp(densities.CauchyDensity().log_density(x, zero))
    normal = np.exp(likelihoods.Normal(1.0).log_density(x, zero))
    for k, at in enumerate(x):
        # |x| n(x) <= 7/4 t(x), and <= 2 c(x): the three densities, at abs(x)
        away = abs(float(at))
        claimed = right("note-bound-normal", Delta=away) / 1.75
        assert student[k] == pytest.approx(claimed, rel=1e-13)
        claimed = right("note-bound-normal-cauchy", Delta=away) / 2
        assert cauchy[k] == pytest.approx(claimed, rel=1e-13)
        claimed = left("note-bound-normal", Delta=away) / away
        assert normal[k] == pytest.approx(claimed, rel=1e-13)


def test_bounds_of_assumption_4_keep_those_of_their_claims():
    assert 1.67 < ratio_bound(Normal(), StudentTDensity(5), psi=0) <= 1.75
    assert 1.98 < ratio_bound(Normal(), densities.CauchyDensity(), psi=0) <= 2


@pytest.mark.parametrize("theta", [0.0, 1.5])
@pytest.mark.parametrize("rate", [0.125, 0.5])
def test_information_of_logistic_answers_is_that_of_its_claim(theta, rate):
    likelihood = likelihoods.Logistic()
    model = Contaminated(likelihood, densities.BernoulliDensity(0.5), rate)
    found = fisher_information(model, theta)
    assert found == pytest.approx(left("note-theorem-5-logistic", p=rate, theta=theta), rel=1e-12)
    clean = fisher_information(Contaminated(likelihood, None, 0.0), theta)
    assert clean == pytest.approx(right("note-fisher-logistic", theta=theta), rel=1e-12)


def test_information_of_the_other_families_is_that_of_their_claims():
    normal = Contaminated(Normal(2.0), None, 0.0)
    assert fisher_information(normal) == pytest.approx(
        right("note-fisher-normal", sigma=2.0), rel=1e-9
    )
    cauchy = Contaminated(likelihoods.Cauchy(), None, 0.0)
    far = right("note-fisher-cauchy", r=1e9)
    assert fisher_information(cauchy) == pytest.approx(far, rel=1e-7)


@pytest.mark.parametrize("gap", [0.5, 3.0])
def test_hellinger_distance_of_normal_distributions_is_that_of_its_claim(gap):
    model = Contaminated(Normal(), None, 0.0)
    claimed = 1 - right("note-hellinger-normal", Delta=gap)
    assert hellinger(model, 0.0, gap) ** 2 == pytest.approx(claimed, rel=1e-8)


def test_contaminated_density_is_that_of_remark_2():
    x, at = np.array([0.5]), np.array(0.25)
    model = Contaminated(Normal(), StudentTDensity(5), 0.25)
    f = float(np.exp(model.likelihood.log_density(x, at))[0])
    g = float(np.exp(model.density.log_density(x, np.array(0.0)))[0])
    numbers = {"a_0": f, "g_1": g, "p": 0.25}
    claimed = left("note-remark-2-amplified", **numbers)
    found = float(np.exp(model.log_density(x, at, 0.0))[0])
    assert found == pytest.approx(claimed, rel=1e-13)
