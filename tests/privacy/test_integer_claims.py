"""Sums over all integers, and discrete Gaussian noise: what is proved, and near misses."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
import sympy
from scipy.stats import chisquare
from sympy import Abs, Le

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.lemmas import lemmas_used
from dpbook.engine.language.statement import Every
from dpbook.engine.language.task import make_task
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.sequents import sequent_of
from dpbook.privacy.claims import discrete_gaussian as noise
from dpbook.privacy.claims import integer_sums as sums
from dpbook.privacy.distributions import DiscreteGaussian
from dpbook.privacy.noise import discrete_gaussian
from dpbook.privacy.notation import (
    count,
    epsilon,
    integer_output,
    other_count,
    sensitivity,
    sigma_1,
    start,
)

BUDGET = 40  # goals
FAR = 400  # integers on each side of 0; the rest of the weights here is below 1e-300
DISTANCES = (1, 2, 5)
SPREADS = (Fraction(1, 3), Fraction(9, 10), Fraction(2), Fraction(13, 2))
LOSSES = (0.0, 0.1, 1.0, 3.0)


def masses(center, sd):
    """Masses of discrete Gaussian noise on -FAR, ..., FAR, by the definition."""
    k = np.arange(-FAR, FAR + 1)
    weights = np.exp(-((k - center) ** 2) / (2 * float(sd) ** 2))
    return weights / math.fsum(weights)


def excess(first, second, loss):
    return math.fsum(np.maximum(first - math.exp(loss) * second, 0))


def level_of(first, second, sd, loss):
    """Where the event of the claim begins, by the claim's own formula."""
    values = {count: first, other_count: second, sigma_1: sympy.Rational(sd)}
    with_loss = noise.level().xreplace({**values, epsilon: sympy.Rational(loss)})
    return int(with_loss.doit())


@pytest.mark.parametrize(("apart", "sd"), list(product(DISTANCES, SPREADS)))
def test_the_smallest_delta_is_the_excess_over_all_integers(apart, sd):
    for other, loss in product((-3, 0, 4), LOSSES):
        first, second = masses(other + apart, sd), masses(other, sd)
        level = level_of(other + apart, other, sd, loss)
        above = np.arange(-FAR, FAR + 1) >= level
        found = math.fsum(first[above]) - math.exp(loss) * math.fsum(second[above])
        assert found == pytest.approx(excess(first, second, loss), rel=1e-9, abs=1e-15)
        assert found == pytest.approx(excess(second, first, loss), rel=1e-9, abs=1e-15)
        # no other event of this kind has more, and one integer further on has less where masses count
        for moved in (-1, 1):
            beside = np.arange(-FAR, FAR + 1) >= level + moved
            less = math.fsum(first[beside]) - math.exp(loss) * math.fsum(second[beside])
            assert less <= found + 1e-15


@pytest.mark.parametrize("sd", SPREADS)
def test_the_delta_at_a_sensitivity_is_the_largest_of_all_distances(sd):
    noise_alone = masses(0, sd)
    outputs = np.arange(-FAR, FAR + 1)
    for most, loss in product((1, 3, 5), LOSSES):
        values = {sensitivity: most, sigma_1: sympy.Rational(sd), epsilon: sympy.Rational(loss)}
        place = int(noise.place().xreplace(values).doit())
        beyond = (math.fsum(noise_alone[outputs >= place + shift]) for shift in (0, most))
        found = next(beyond) - math.exp(loss) * next(beyond)
        apart = [excess(masses(d, sd), noise_alone, loss) for d in range(1, most + 1)]
        assert found == pytest.approx(max(apart), rel=1e-9, abs=1e-15)
        assert apart == sorted(apart)


@pytest.mark.parametrize("sd", SPREADS)
def test_the_density_of_the_claims_is_that_of_the_noise_that_is_drawn(sd):
    distribution = DiscreteGaussian(0, sympy.Rational(sd))
    with mpmath.workdps(30):
        total = mpmath.nsum(
            lambda k: mpmath.exp(-(k**2) / (2 * mpmath.mpf(float(sd)) ** 2)), [-99, 99]
        )
    weight = sympy.lambdify(integer_output, distribution.weight(integer_output), "mpmath")
    inside = range(-math.ceil(5 * sd), math.ceil(5 * sd) + 1)
    expected = np.array([float(weight(k) / total) for k in inside])
    assert expected == pytest.approx(masses(0, sd)[[FAR + k for k in inside]], rel=1e-12)
    drawn = discrete_gaussian(float(sd), 100_000, np.random.default_rng(5))
    seen = np.array([(drawn == k).sum() for k in inside])
    often = expected * drawn.size >= 10
    rest = 1 - expected[often].sum()
    seen, expected = seen[often], expected[often]
    if rest * drawn.size >= 10:
        seen, expected = np.append(seen, drawn.size - seen.sum()), np.append(expected, rest)
    if seen.size > 1:
        assert chisquare(seen, expected * seen.sum() / expected.sum()).pvalue > 1e-7


@pytest.mark.parametrize("sd", SPREADS)
def test_the_moment_is_that_of_normal_distributions_at_integer_orders_and_smaller_between_them(sd):
    k = np.arange(-FAR, FAR + 1)
    twice = 2 * float(sd) ** 2
    total = math.fsum(np.exp(-(k**2) / twice))
    for apart, order in product(DISTANCES, (2, 3, 1.5)):
        exponents = -(order * (k - apart) ** 2 + (1 - order) * k**2) / twice
        normal = order * (order - 1) * apart**2 / twice
        found = (
            math.fsum(np.exp(exponents - normal)) / total
        )  # in units of that of normal distributions
        if float(order * apart).is_integer():
            assert found == pytest.approx(1, rel=1e-9)
        else:  # the center of the integrand is halfway between two integers
            assert found <= 1 + 1e-9
            if sd < 0.5:
                assert found < 0.7


def lemmas_of(claim):
    return {key: sequent_of(find(key).form, find(key).given) for key in claim.using}


def certified(key, given=None):
    """A certificate of a claim, perhaps under other conditions."""
    claim = find(key)
    task = claim.task(lemmas_used(claim))
    if given is not None:
        with sympy.evaluate(False):
            task = replace(task, given=make_task(claim.form, given()).given)
    return certify(task, lemmas_of(claim), budget=BUDGET, depths=(0, 1))


def losses(before):
    """Conditions of the difference of tails, with a start so many integers too late."""
    return [
        count > other_count,
        noise.twice_the_loss(start) >= 2 * sigma_1**2 * epsilon,
        noise.twice_the_loss(start - before) <= 2 * sigma_1**2 * epsilon,
    ]


def test_a_start_that_is_one_integer_too_late_leaves_an_excess_below_it():
    assert certified("privacy:discrete-gaussian-no-excess", lambda: losses(1)) is not None
    assert certified("privacy:discrete-gaussian-no-excess", lambda: losses(2)) is None


def within(most):
    """Conditions for two counts that differ by at most a number."""
    return [count > other_count, count - other_count <= most]


def test_counts_that_differ_by_more_than_the_sensitivity_are_not_shown_to_be_private():
    key = "privacy:discrete-gaussian-below-a-distance"
    assert certified(key, lambda: within(sensitivity)) is not None
    assert certified(key, lambda: within(sensitivity + 1)) is None


def falling(power):
    """That numbers fall like a power of their place."""
    return [
        Every(
            integer_output,
            Le(Abs(sums.G(integer_output)) * (1 + Abs(integer_output) ** power), sums.size),
        )
    ]


def test_numbers_that_fall_like_their_place_need_not_have_a_sum():
    assert certified("privacy:fall-from-a-place", lambda: falling(2)) is not None
    assert certified("privacy:fall-from-a-place", lambda: falling(1)) is None
