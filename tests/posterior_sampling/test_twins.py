"""What runs against the compiled claims, at 50 digits: what runs is what was proved."""

import math

import numpy as np
import pytest

from dpbook.posterior_sampling import (
    binomial_constant,
    counterexamples,
    delta_bound,
    empirical_radius,
    exponential_constant,
    laplace_constant,
    models,
    network_constant,
    normal_constant,
    notation,
    product_constant,
    relaxed_variation_bound,
    risk_bound,
)
from dpbook.posterior_sampling.theory.bounds import KAPPA, OMEGA
from tests.claimed import Topic, value

PAPER = Topic("posterior_sampling")
relations, right = PAPER.relations, PAPER.right


# --- constants ------------------------------------------------------------------------------------


def test_constant_of_theorem_1_lies_where_its_claims_say():
    low, high = (value(one) for one in (notation.kappa_below, notation.kappa))
    assert low < KAPPA < high == counterexamples.KAPPA
    claimed = relations("text-a-kappa")[0].lhs
    assert value(claimed, omega=OMEGA) == pytest.approx(KAPPA, rel=1e-14)
    assert abs(value(relations("text-a-stationary")[0].rhs, omega=OMEGA)) < 1e-15


@pytest.mark.parametrize("rate", [0.25, 3.0])
@pytest.mark.parametrize("level", [0.125, 2.0])
def test_rates_of_lemmas_3_4_and_6_are_those_of_their_claims(rate, level):
    def mass(constant):
        return pytest.approx(-math.expm1(-constant.value * level), rel=1e-13)

    numbers = {"lambda": rate, "L": level}
    assert right("lemma-3", 1, **numbers) == mass(exponential_constant(rate))
    assert right("lemma-4-corrected", 1, **numbers) == mass(laplace_constant(rate))
    for mean in (0.5, -3.0):
        claimed = right("lemma-6-corrected", 1, mu=mean, **numbers)
        assert claimed == mass(normal_constant(rate, abs(mean)))


@pytest.mark.parametrize("alpha", [0.25, 1.0, 7.5, 2000.0, 2e6])
def test_rate_of_lemma_5_repaired_is_that_of_its_notation(alpha):
    assert binomial_constant(alpha).value == pytest.approx(
        value(notation.beta_rate, alpha=alpha), rel=1e-10
    )


def test_constants_of_lemmas_1_and_7_are_those_of_their_claims():
    for n in (2, 7):
        whole = right("note-lemma-1-step", n=n - 1, L=1.5, rho_1=0.25, rho_2=0.5)
        assert product_constant(1.5, n, version="printed").value * 0.75 == whole
        largest = right("note-lemma-1-largest", n=n - 1, L=1.5, rho=0.75)
        assert product_constant(1.5, n, metric="max").value * 0.75 == largest
        less = right("note-lemma-1-largest", 2, c=1.5, n=n, L=0.75)
        least = product_constant(1.5, n, "c", metric="max")
        assert math.exp(-least.value * 0.75) == pytest.approx(less, rel=1e-15)
    sharp = right("note-lemma-1-sharp", L=1.5, rho_1=0.25, rho_2=0.5)
    assert product_constant(1.5, 9).value * 0.75 == sharp
    one = right("note-lemma-7-hamming", epsilon_0=0.125, d_0=3, N_0=0)
    assert network_constant(0.125, 3).value == pytest.approx(one, rel=1e-15)


def test_lipschitz_constants_without_a_lemma_are_those_of_their_claims():
    assert float(models.Poisson().lipschitz(np.array([0.125]))[0]) * 3 == pytest.approx(
        right("note-constant-poisson", tau=0.125, k_3=2, k_4=5), rel=1e-15
    )
    assert float(models.Geometric().lipschitz(np.array([0.125]))[0]) * 3 == pytest.approx(
        right("note-constant-geometric", theta=0.125, k_3=2, k_4=5), rel=1e-15
    )
    for pair in ((0.5, 3.0), (3.0, 0.5)):
        found = float(models.Beta().lipschitz(np.array([pair]))[0])
        assert found == right("note-constant-beta", a_1=pair[0], b_1=pair[1])
    found = float(models.Categorical(3).lipschitz(np.array([[0.125, 0.25, 0.625]]))[0])
    claimed = right("note-constant-categories", p_4=0.125, p_5=0.625)
    assert found == pytest.approx(claimed, rel=1e-15)


# --- bounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [0.0625, 0.5, 3.0, 20.0])
@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.9375])
def test_delta_of_one_draw_is_that_of_its_claims(a, share):
    claimed = right("note-bounded-range", a=a, epsilon=2 * a * share)
    assert delta_bound(a, 2 * a * share) == pytest.approx(claimed, rel=1e-12)
    if not share:
        assert delta_bound(a, 0.0) == pytest.approx(
            right("note-total-variation-attained", a=a), rel=1e-13
        )


def test_relaxed_variation_bound_is_the_least_of_its_claim_over_the_levels():
    rate, distance, offset, peaks = 2.0, 0.0625, 0.5, (4.0, 16.0)
    found = relaxed_variation_bound(
        rate, distance, offset=offset, log_densities=tuple(map(math.log, peaks))
    ).value
    numbers = {"rho": distance, "c": rate, "L_0": offset, "C_x": peaks[0], "C_y": peaks[1]}
    claimed = [right("note-theorem-2.ii-parts", t=t, **numbers) for t in np.linspace(0.5, 12, 231)]
    assert found <= min(claimed) * (1 + 1e-6)
    assert found == pytest.approx(min(claimed), rel=1e-3)
    for distance in (0.25, 3.0):
        printed = right("theorem-2.ii-exponential", s_x=1.0, s_y=1.0 + distance, **{"lambda": rate})
        assert relaxed_variation_bound(rate, distance, "printed").value == pytest.approx(
            printed, rel=2e-6
        )  # the claims have the constant to six digits, rounded up


@pytest.mark.parametrize(
    ("draws", "delta", "cells"), [(1, 0.5, 2), (30, 1e-6, 5), (10**6, 0.25, 9)]
)
def test_radius_of_lemma_2_solves_the_equation_of_its_claim(draws, delta, cells):
    left = relations("note-lemma-2-sharp")[0].lhs
    assert value(left, T=draws, delta=delta, m=cells) == pytest.approx(delta, rel=1e-13)
    sharp = empirical_radius(draws, delta, cells)
    assert (2**cells - 2) * math.exp(-draws * sharp**2 / 2) == pytest.approx(delta, rel=1e-12)
    if delta <= 4.0**-cells:
        printed = empirical_radius(draws, delta, cells, "printed")
        most = value(relations("note-lemma-2-bound")[0].lhs, T=draws, delta=delta, m=cells)
        assert (2**cells - 2) * math.exp(-draws * printed**2 / 2) == pytest.approx(most, rel=1e-12)


@pytest.mark.parametrize(("lipschitz", "distance", "draws"), [(1e-5, 0.5, 3), (2.0, 1.5, 7)])
def test_risk_bound_is_that_of_its_claim(lipschitz, distance, draws):
    claimed = right("note-le-cam", a=lipschitz * distance, Delta=distance / 2, T=draws)
    assert risk_bound(lipschitz, distance, draws).value == pytest.approx(claimed, rel=1e-12)


@pytest.mark.parametrize(("bound", "key"), [("divergence", "1.ii"), ("total variation", "2.ii")])
def test_search_for_coins_proposes_by_the_formula_of_its_claim(bound, key):
    for odds, rate, tosses in ((5015, 1, 14), (71, 4, 28), (3, 2, 5)):
        relation = relations(f"theorem-{key}")[0]
        claimed = value(relation.lhs, **{"K": odds, "w": odds ** -float(rate), "n": tosses})
        found = counterexamples._apart(bound, tosses, float(rate), math.log(odds))
        assert float(found) == pytest.approx(claimed, rel=1e-9)
