"""Weights of the exponential mechanism as statements hold them, and the lemmas that rest on them.

What is proved of all costs is tried on finite spaces here, with none of the code of the claims; and
what is false by a little must not be proved.
"""

import math

import numpy as np
import pytest
from sympy import Eq, Ge, Gt, Integral, Le, exp

from dpbook import check
from dpbook.depth_medians.claims import appendix_d as d
from dpbook.depth_medians.claims import section_3 as three
from dpbook.depth_medians.claims import section_5 as five
from dpbook.depth_medians.notation import (
    accepts,
    accepts_next,
    delta_1,
    delta_2,
    delta_3,
    epsilon,
    epsilon_1,
    epsilon_2,
    eta,
    largest_scale,
    place,
    tau,
)
from dpbook.depth_medians.samples import AnyQuantity, AnySize, Weight, Where
from dpbook.engine.language.statement import Every
from dpbook.engine.language.verdict import Verdict
from dpbook.privacy.notation import at
from dpbook.privacy.statements import probability

# --- weights --------------------------------------------------------------------------------------


def test_a_weight_needs_a_cost_that_is_at_least_0():
    with pytest.raises(TypeError, match="at least 0"):
        Weight("w", AnyQuantity("f"), epsilon, tau)


def test_a_weight_is_told_by_its_cost_and_level():
    f = AnySize("f")
    w, lower = Weight("w", f, epsilon, tau), Weight("w_2", f, epsilon, tau - eta)
    assert w.free_symbols == {epsilon, tau}
    assert w.func(*w.args) == w
    assert check(Every(place, Le(lower(place), w(place)))).verdict is Verdict.PROVED
    assert check(Every(place, Le(w(place), lower(place)))).verdict is Verdict.REFUTED


def test_outside_of_a_level_a_weight_is_0_and_inside_it_is_not():
    f = AnySize("f")
    w = Weight("w", f, epsilon, tau)
    beyond = [Every(place, Gt(f(place), tau))]
    assert check(Every(place, Eq(w(place), 0)), given=beyond).verdict is Verdict.PROVED
    within = [Every(place, Le(f(place), tau))]
    assert check(Every(place, Gt(w(place), 0)), given=within).verdict is Verdict.PROVED
    assert check(Every(place, Eq(w(place), 0)), given=within).verdict is Verdict.REFUTED


# --- what is false by a little --------------------------------------------------------------------


def proved(statement, given):
    return check(statement, given=given).verdict is Verdict.PROVED


def test_a_neighbour_may_weigh_a_point_by_the_whole_factor():
    larger = Le(d.KEPT_NEXT(place), exp(epsilon / 8) * d.OUTER(place))
    assert not proved(Every(place, larger), d.close_costs())


def test_a_neighbour_may_keep_a_point_that_the_dataset_does_not():
    inner = Le(d.KEPT_NEXT(place), d.one_factor() * d.KEPT(place))
    assert not proved(Every(place, inner), d.close_costs())


def test_the_inner_weight_does_not_bound_the_weight():
    assert not proved(Le(d.total(d.KEPT), d.total(d.INNER)), d.integrals_exist())


def test_the_shell_is_not_as_light_as_its_far_end():
    """Eq. D.9 as printed has this weight."""
    shell = d.HIGH.indicator(place) - d.MIDDLE.indicator(place)
    light = exp(-epsilon * (tau + eta) / (4 * eta)) * shell
    assert not proved(Every(place, Le(d.KEPT(place), d.INNER(place) + light)), d.around(d.COST))


def test_draws_may_leave_the_ball_without_the_location():
    ball = Where("N", place, three.NORM(place), "<=", tau * largest_scale)
    inside = Le(d.KEPT(place), ball.indicator(place) * d.KEPT(place))
    assert not proved(Every(place, inside), three.bounded_estimates())


def test_propose_test_release_spends_the_delta_of_the_test_too():
    here, there = probability(five.P, five.A), probability(five.Q, five.A)
    given = [*five.private_test(), (here, "<=", exp(epsilon_2) * there + delta_2)]
    total = exp(epsilon_1 + epsilon_2) * (accepts_next * there)
    assert not proved((accepts * here, "<=", total + delta_2), given)
    less = exp(epsilon_2) * (accepts_next * there) + delta_1 + delta_2
    assert not proved((accepts * here, "<=", less), given)


def test_a_dataset_that_is_not_safe_spends_its_chance_to_pass():
    here, there = probability(five.P, five.A), probability(five.Q, five.A)
    given = [*five.private_test(), Le(accepts, delta_3)]
    total = exp(epsilon_1 + epsilon_2) * (accepts_next * there)
    assert not proved((accepts * here, "<=", total + delta_1), given)


def test_a_mean_over_an_event_exists_and_is_no_larger():
    chance = Integral(five.A.indicator(at) * five.P.density(at), (at, *five.P.support))
    assert proved(Ge(chance, 0), [])
    assert not proved(Le(chance, 0), [])


# --- the lemmas on finite spaces ------------------------------------------------------------------


def cut(costs, volume, beta, level):
    """Masses of the cells of a finite space."""
    return np.where(costs <= level, volume * np.exp(-beta * costs), 0.0)


def excess(first, second, loss):
    """Largest excess of the probability of an event, both ways."""
    p, q = first / first.sum(), second / second.sum()
    ways = ((p, q), (q, p))
    return max(float(np.maximum(a - math.exp(loss) * b, 0).sum()) for a, b in ways)


def space(rng):
    loss, change = rng.uniform(0.1, 6), rng.uniform(0.05, 1)
    level = change * rng.uniform(1.1, 8)
    volume = 10 ** rng.uniform(-2, 2, int(rng.integers(2, 9)))
    return loss, change, level, volume, rng.uniform(0, level + 2 * change, len(volume))


def test_lemma_d_1_on_finite_spaces():
    rng, tried = np.random.default_rng(17), 0
    for _ in range(3000):
        loss, change, level, volume, costs = space(rng)
        other = np.abs(costs + rng.choice([-1, 0, 1, 0.3], len(costs)) * change)
        beta = loss / (4 * change)
        inner, outer = (cut(costs, volume, beta, level + side * change).sum() for side in (-1, 1))
        if not inner or not (other <= level).any():
            continue
        least = 3 * math.exp(loss / 2) * (1 - inner / outer)  # the least delta of eq. D.2
        if least > math.exp(loss / 2) / 2:
            continue
        distributions = (cut(one, volume, beta, level) for one in (costs, other))
        assert excess(*distributions, loss / 2) <= least + 1e-12
        tried += 1
    assert tried > 300


def test_lemma_d_2_on_finite_spaces():
    rng, tried = np.random.default_rng(18), 0
    for _ in range(3000):
        loss, change, level, volume, costs = space(rng)
        beta = loss / (4 * change)
        near = [np.abs(costs + rng.choice([-0.5, 0, 0.5, 0.2], len(costs)) * change) for _ in "12"]
        shell = volume[(costs <= level + 2 * change) & (costs > level - 2 * change)].sum()
        ratios = [
            math.exp(-beta * (level - 2 * change - c)) * shell / volume[costs <= c].sum()
            for c in costs
            if c < level - 2 * change
        ]
        if not ratios:
            continue
        least = 2 * math.exp(loss / 4) * min(ratios)  # 1/2 in eq. D.6, where the print has 1/3
        distributions = (cut(one, volume, beta, level) for one in near)
        assert excess(*distributions, loss / 2) <= least + 1e-12
        tried += 1
    assert tried > 300
