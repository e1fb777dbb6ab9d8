"""What runs against the compiled claims: what runs is what was proved."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpbook.unknown_sample_size import (
    DiscreteLaplace,
    FiniteModel,
    Laplace,
    Release,
    Setting,
    Uniform,
    exact_counts,
    models,
    poisson_cell,
)
from dpbook.unknown_sample_size.mechanisms import KNGMean
from dpbook.unknown_sample_size.models.regression import sensitivity
from tests.claimed import Topic

F = Fraction


PAPER = Topic("unknown_sample_size")
relations, left, right = PAPER.relations, PAPER.left, PAPER.right


# --- the number of records ------------------------------------------------------------------------


@pytest.mark.parametrize(("loss", "n_0", "part"), [(1.2, 1, 0.3), (0.2, 7, 0), (0.05, 30, 0.75)])
def test_normaliser_mean_and_tail_of_the_number_are_those_of_its_posterior(loss, n_0, part):
    n = np.arange(1, 2000)
    weights, q = np.exp(-loss * np.abs(n - n_0)), math.exp(-loss)
    at = {"q": q, "n_0": n_0}
    assert weights.sum() == pytest.approx(right("note-size-posterior", **at))
    mean = weights @ np.abs(n - n_0) / weights.sum()
    assert mean <= right("note-lemma-a.13-sharp", **at) < right("lemma-a.13.i-uniform", **at)
    assert right("lemma-a.13.i", epsilon=loss) == pytest.approx(right("lemma-a.13.i-uniform", q=q))
    weights = np.exp(-loss * np.abs(n - n_0 - part))
    for level in (0.5, 1.0, 3.0):
        tail = weights[loss * np.abs(n - n_0 - part) >= level].sum() / weights.sum()
        assert tail <= right("lemma-a.2", epsilon=loss, M=level)
    weights = np.exp(-((loss * (n - n_0)) ** 2) / 2)
    mean = weights @ np.abs(n - n_0) / weights.sum()
    assert mean <= right("lemma-a.13.ii", epsilon=loss)


def test_the_setting_s_posterior_of_the_number_has_these_weights():
    """A sum under next to no budget says nothing: then n has the distribution of the claim."""
    loss, most = 0.7, 60
    blind = Setting(
        models.bernoulli(), DiscreteLaplace(1e-9), DiscreteLaplace(loss), Uniform(1, most)
    )
    found = exact_counts(blind, Release((3.0,), 5.0), most).size_masses()
    norm = right("note-size-posterior", q=math.exp(-loss), n_0=5)
    assert found[5] == pytest.approx(1 / norm, rel=1e-6)


# --- acceptance -----------------------------------------------------------------------------------


def tiny(release, sizes):
    return FiniteModel(
        masses=(F(1),),
        chances=((F(2, 3), F(1, 3)),),
        sizes=sizes,
        release=lambda total, n: release[n, total],
    )


def test_numbers_that_are_summed_up_to_too_small_a_number_are_refused():
    setting = Setting(models.bernoulli(), Laplace(1.0), Laplace(1.0), Uniform(1, 90))
    with pytest.raises(ValueError, match="most must be at least n_dp, 30, got 5"):
        exact_counts(setting, Release((12.0,), 30.0), 5)
    with pytest.raises(ValueError, match=r"s must be a tuple of 1 .* got 12.0"):
        exact_counts(setting, Release(12.0, 30.0), 50)


def test_the_jump_of_the_finite_model_is_the_one_of_the_claims():
    release = {(1, 0): F(1), (1, 1): F(3), (2, 0): F(2), (2, 1): F(1, 2), (2, 2): F(5)}
    model = tiny(release, {1: F(1), 2: F(4)})
    names = {"c_1": 1.0, "c_2": 4.0, "theta": 1 / 3}
    names |= {"g_4": 1.0, "g_5": 3.0, "g_6": 2.0, "g_7": 0.5, "g_8": 5.0}
    total = float(sum(model.weight(state) for state in model.states))
    place = model.index[0, (0, 1)]
    for key, deaths in (
        ("note-append-and-last-dies", "last"),
        ("note-append-and-die-anywhere", "appended"),
    ):
        after = model.after(model.target, [model.jump_step(deaths)])
        assert float(after[place]) * total == pytest.approx(left(key, **names))
        assert float(model.target[place]) * total == pytest.approx(right(key, **names))


def test_bounds_of_proposition_5_1_are_those_of_the_setting():
    setting = Setting(models.bernoulli(), Laplace(0.7), Laplace(0.3))
    swaps, jumps = setting.acceptance_bounds()
    assert swaps == pytest.approx(right("proposition-5.1.i-laplace", epsilon_s=0.7))
    assert jumps == pytest.approx(
        right("proposition-5.1.ii-laplace", part=0, epsilon_s=0.7, epsilon_n=0.3)
    )
    assert jumps / 2 == pytest.approx(
        right("proposition-5.1.ii-laplace", part=1, epsilon_s=0.7, epsilon_n=0.3)
    )


@pytest.mark.parametrize("x", [0, 1, 5])
def test_a_cell_steps_up_as_the_claim_says(x):
    rate, s, loss = 0.7, 1.2, 0.9
    at = np.arange(30)
    target, matrix = poisson_cell(rate, np.exp(-loss * np.abs(s - at)))
    names = {"lambda_1": rate, "s_1": s, "epsilon": loss, "x_6": x}
    # the claim's mass is not normalised: compare the shares of flow and mass
    part = 0 if x == 0 else 1
    flow = left("text-b-ratio-corrected-laplace", part=part, **names)
    poisson = math.exp(-rate) * rate**x / math.factorial(x) * math.exp(-loss * abs(s - x))
    assert matrix[x, x + 1] == pytest.approx(flow / poisson)


def test_a_cell_as_printed_steps_up_as_the_printed_claim_says():
    rate, s, loss = 0.7, 1.2, 0.9
    at = np.arange(30)
    _, matrix = poisson_cell(rate, np.exp(-loss * np.abs(s - at)), "printed")
    names = {"lambda_1": rate, "s_1": s, "epsilon": loss}
    poisson = math.exp(-rate) * math.exp(-loss * abs(s))
    assert matrix[0, 1] == pytest.approx(left("text-b-ratio", **names) / poisson)


# --- sensitivities and densities ------------------------------------------------------------------


@pytest.mark.parametrize("covariates", [1, 2, 5])
def test_sensitivity_of_the_regression_is_the_claimed_one(covariates):
    assert sensitivity(covariates) == right("text-6.1-number", part=0, p=covariates)
    assert sensitivity(covariates) == right("text-6.1-number", part=1, p=covariates)


def test_corners_reach_the_sensitivity_of_two_covariates():
    corner = {"v_1": 1, "v_2": 1, "v_3": 1}
    assert left("text-6.1-sensitivity-two", **corner) == sensitivity(2) == 9


def test_a_swap_moves_the_sums_of_a_regression_by_as_much_as_claimed():
    model = models.linear_regression()
    first, second = np.full((1, 3), 5.0), np.full((1, 3), -5 / 4)
    moved = np.abs(model.total(first) - model.total(second)).sum()
    assert moved == pytest.approx(right("note-swap-sensitivity", p=2))
    assert moved < right("note-swap-sensitivity", part=1, p=2) == 2 * model.sensitivity


def test_sensitivity_of_shares_is_the_printed_one():
    model = models.dirichlet(3, clamp=0.01)
    assert model.sensitivity == pytest.approx(right("text-6.2-sensitivity", a_0=0.01))
    worst = left("note-simplex-sensitivity", part=1, a_0=0.01)
    rows = np.log(np.array([[0.01, 0.01, 0.98]]))
    assert np.abs(model.total(rows)).sum() == pytest.approx(worst)


@pytest.mark.parametrize(("loss", "n", "mean"), [(0.5, 10, 0.2), (2.0, 3, 0.9)])
def test_density_of_the_gradient_mechanism_has_the_claimed_normaliser(loss, n, mean):
    rate = loss * n / 2
    norm = sum(right("example-3.2.iii", part=p, r=rate, x_mean=mean) for p in (0, 1))
    for s in (0.05, mean, 0.97):
        found = KNGMean.release_piece(np.array([s]), np.array([n * mean]), n, np.array([loss]))
        assert found == pytest.approx(-rate * abs(s - mean) - math.log(norm))
