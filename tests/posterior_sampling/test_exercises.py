"""The solutions of the posterior_sampling exercises, from the definitions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, integers
from scipy.integrate import quad

from dpbook.posterior_sampling import FiniteDistribution, delta_bound, models, posterior_pair
from dpbook.posterior_sampling.exercises import least_draws, loss_at_the_rare_parameter
from dpbook.posterior_sampling.notation import a, delta, share
from dpbook.teaching.exercises import check, find
from dpbook.teaching.questions import Mark


@given(odds=floats(1.1, 50), chance=floats(0.01, 0.99))
@settings(max_examples=30, deadline=None)
def test_loss_at_the_rare_parameter_is_the_log_ratio_of_posteriors(odds, chance):
    model = models.FiniteModel([[1, odds], [odds, 1]] / np.array(1 + odds))
    weights = np.array([chance / 1, (1 - chance) / odds])  # posterior of outcome 0: chance, rest
    pair = posterior_pair(model, FiniteDistribution([0, 1], weights / weights.sum()), [0], [1])
    assert pair.P.masses[0] == pytest.approx(chance)
    values = {a: math.log(odds), share: chance}
    solution = float(loss_at_the_rare_parameter().subs(values))
    assert math.log(pair.P.masses[1] / pair.Q.masses[1]) == pytest.approx(solution, abs=1e-9)


def test_draws_for_sale_are_as_many_as_the_worst_model_allows():
    draws = find("posterior_sampling:draws-for-sale").solution()
    assert delta_bound(0.05, 2.0, draws) <= 1e-6 < delta_bound(0.05, 2.0, draws + 1)


@given(odds=floats(1.05, 3), draws=integers(1, 30))
@settings(max_examples=30, deadline=None)
def test_no_test_of_fewer_draws_has_so_small_an_error(odds, draws):
    # one toss, and the odds K or 1/K: given 1 or 0 the posteriors are K/(K + 1) and 1/(K + 1)
    up = odds / (1 + odds)
    given_x = np.array(
        [math.comb(draws, k) * up**k * (1 - up) ** (draws - k) for k in range(draws + 1)]
    )
    error = float(np.minimum(given_x, given_x[::-1]).sum()) / 2
    needed = float(least_draws().subs({a: math.log(odds), delta: error}))
    assert draws >= needed * (1 - 1e-9)


@pytest.mark.parametrize(("shape", "level"), [(0.5, 0.3), (2, 1.0), (3, 2.0)])
def test_survival_of_the_geometric_family_by_quadrature(shape, level):
    far = list(range(6))

    def constant(theta):
        logs = [math.log(theta) + k * math.log1p(-theta) for k in far]
        pairs = ((p, q) for p in far for q in far if p != q)
        return max(abs(logs[p] - logs[q]) / abs(p - q) for p, q in pairs)

    edge = 1 - math.exp(-level)
    assert constant(edge - 1e-6) < level < constant(edge + 1e-6)
    mass, _ = quad(lambda t: shape * (1 - t) ** (shape - 1), edge, 1)
    outcome = check("posterior_sampling:geometric-survival", "exp(-b_0*t)")
    assert outcome.verdict is Mark.RIGHT
    assert mass == pytest.approx(math.exp(-shape * level), rel=1e-6)
