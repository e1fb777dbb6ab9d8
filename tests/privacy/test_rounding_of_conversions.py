"""Conversions are never below what their claims say, and above it by no more than a few units in the last place.

The formulas are written out here once more, in mpmath, with 80 digits.
"""

import math

import mpmath
import numpy as np
import pytest

from dpbook.privacy import conversions as c

mp = mpmath.mp.clone()
mp.dps = 80
GRID = np.random.default_rng(7)
SETTINGS = [
    (10 ** GRID.uniform(-9, 3), 10 ** GRID.uniform(-15, -0.01), int(10 ** GRID.uniform(0, 4)))
    for _ in range(40)
]


def is_rounded_up(found, truth, units=1):
    assert truth <= mp.mpf(found)
    assert mp.mpf(found) <= truth * (1 + units * mp.mpf(2) ** -52)


def drawn(epsilon, share):
    return mp.log1p(share * mp.expm1(epsilon))


@pytest.mark.parametrize(("loss", "chance", "times"), SETTINGS)
def test_closed_forms_are_rounded_up(loss, chance, times):
    e, d = mp.mpf(loss), mp.mpf(chance)
    is_rounded_up(c.pure_to_zcdp(loss), e * e / 2)
    is_rounded_up(c.gaussian_to_zcdp(loss), e * e / 2)
    is_rounded_up(c.compose_zcdp([loss, chance, 0.1]), e + d + mp.mpf(0.1))
    is_rounded_up(c.compose_gaussian([loss, chance]), mp.sqrt(e * e + d * d))
    basic = c.compose_basic([(loss, chance / 4), (0.1, chance / 3)])
    is_rounded_up(basic.epsilon, e + mp.mpf(0.1))
    is_rounded_up(basic.delta, mp.mpf(chance / 4) + mp.mpf(chance / 3))
    sampled = c.poisson_sampled(loss, 0.3, rate=chance)
    is_rounded_up(sampled.epsilon, drawn(e, d))
    is_rounded_up(sampled.delta, mp.mpf(0.3) * d)
    is_rounded_up(c.contaminated(loss, 0.3, chance).epsilon, drawn(e, d))
    many = c.group(loss, chance, times)
    is_rounded_up(many.epsilon, times * e)
    grown = sum((mp.exp(k * e) for k in range(times)), mp.mpf(0)) * d
    assert many.delta == 1 if grown >= 1 else grown <= many.delta <= grown * (1 + mp.mpf(2) ** -52)
    if loss < 700:
        advanced = c.compose_advanced(loss, times, chance).epsilon
        is_rounded_up(advanced, e * mp.sqrt(2 * times * -mp.log(d)) + times * e * mp.expm1(e))


@pytest.mark.parametrize(("divergence", "chance", "times"), SETTINGS)
def test_conversion_of_a_renyi_divergence_is_rounded_up(divergence, chance, times):
    order = 1 + times / 7
    found = c.renyi_to_dp(divergence, order, chance)
    nu = mp.mpf(order)
    truth = mp.mpf(divergence) + mp.log1p(-1 / nu) - (mp.log(chance) + mp.log(nu)) / (nu - 1)
    if truth > 0:
        is_rounded_up(found.epsilon, truth)
    else:
        assert found.epsilon == 0


def least(rho, delta):
    """The least epsilon over all orders, by bisection on the sign of the derivative."""
    rho, delta = mp.mpf(rho), mp.mpf(delta)

    def epsilon(s):
        return rho * (1 + s) + mp.log(s / (1 + s)) - (mp.log(delta) + mp.log1p(s)) / s

    low, high = mp.mpf(10) ** -400, mp.mpf(10) ** 400
    for _ in range(600):
        middle = mp.sqrt(low * high)
        # the derivative is rho + log(delta (1 + s)) / s^2
        if rho * middle**2 + mp.log(delta) + mp.log1p(middle) < 0:
            low = middle
        else:
            high = middle
    best = epsilon(mp.sqrt(low * high))
    assert best <= min(epsilon(low * factor) for factor in (0.5, 0.99, 1.01, 2))
    return best


@pytest.mark.parametrize(("rho", "delta", "_"), SETTINGS)
def test_conversion_of_zcdp_is_the_best_and_rounded_up(rho, delta, _):
    truth = least(rho, delta)
    found = c.zcdp_to_dp(rho, delta)
    if truth > 0:
        is_rounded_up(found.epsilon, truth, units=2)
    else:
        assert found.epsilon == 0
    assert found.epsilon <= rho + 2 * math.sqrt(rho * -math.log(delta)) * (1 + 1e-15)


def test_half_a_unit_of_concentration_loses_4_7284():
    assert c.zcdp_to_dp(0.5, 1e-5).epsilon == pytest.approx(4.7284, abs=5e-5)
    assert c.zcdp_to_dp(1e-320, 1e-5).epsilon == 0  # at most sqrt(rho / 2) in total variation
    assert c.zcdp_to_dp(1e300, 1e-5).epsilon > 1e300


@pytest.mark.parametrize(("epsilon", "delta", "_"), SETTINGS)
def test_largest_rho_is_allowed_and_no_larger_one_is(epsilon, delta, _):
    rho = c.dp_to_zcdp(epsilon, delta)
    assert c.zcdp_to_dp(rho, delta).epsilon <= epsilon
    assert least(rho * (1 + 1e-11), delta) > epsilon
