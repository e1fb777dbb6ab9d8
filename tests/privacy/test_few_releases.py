"""Few releases from samples on a grid: the two losses are on either side of what other formulas give."""

import math
from fractions import Fraction
from itertools import product

import pytest
from flint import arb, ctx

from dpbook.privacy import PoissonSampled, compose
from dpbook.privacy.accounting.few_releases import FewReleases, _Total
from dpbook.privacy.accounting.line import Releases, SharpLine
from dpbook.privacy.accounting.sampled import REMOVE, OneRelease, SampledNormal, TwoReleases
from dpbook.privacy.accounting.solving import solve
from dpbook.privacy.distributions import Normal

TINY = 1e-24


def lost(rate, sigma):
    return SampledNormal(Fraction(rate), 1 / Fraction(sigma) ** 2, REMOVE)


@pytest.mark.parametrize(
    ("rate", "sigma", "most"), [(0.01, 0.65, 2.5), (0.0003, 0.6, 0.004), (0.3, 2.0, 1.0)]
)
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("points", [150, 3000])
def test_a_grid_is_on_either_side_of_closed_forms(rate, sigma, most, times, points):
    loss = lost(rate, sigma)
    with ctx.workprec(128):
        grid = FewReleases(loss, times, most, points)
        assert grid.below
        truth = (OneRelease if times == 1 else TwoReleases)(loss)
        for share in (0.0, 0.01, 0.37, 0.9, 1.0):
            x = arb(share * most)
            value, below, above = truth.delta(x), grid.below.delta(x), grid.above.delta(x)
            assert below - TINY <= value <= above + TINY  # equal at points of the grid
            if points == 3000:
                assert above - below < 2e-3 * value


@pytest.mark.parametrize(
    ("rate", "sigma", "times", "x", "about"),
    [(0.000247, 1.82, 10, 0.005, 2.477e-11), (0.02, 1.0, 7, 0.9, 0.005)],
)
def test_a_grid_is_on_either_side_of_a_contour_integral(rate, sigma, times, x, about):
    loss = lost(rate, sigma)
    releases = Releases([(loss, times)], Fraction(0))
    with ctx.workprec(128):
        saddle = releases.saddle_for_epsilon(x)
        line = SharpLine(releases, saddle, x, math.log(about), 1e-9)
        assert line.known
        truth, grid = line.delta(arb(x)), FewReleases(loss, times, x, 4000)
        assert grid.below.delta(arb(x)) <= truth <= grid.above.delta(arb(x))
        assert grid.delta(arb(x)).rad() < 1e-3 * truth.mid()


@pytest.mark.parametrize("most", [0.001, 0.01, 0.5])
@pytest.mark.parametrize("points", [50, 200])
def test_a_step_above_the_rate_leaves_the_bound_from_above(most, points):
    """There the loss without the record is all in one cell, and no convex function is surely below."""
    loss = lost(1e-7, 1)
    with ctx.workprec(128):
        grid = FewReleases(loss, 2, most, points)
        assert grid.below is None
        for share in (0.0, 0.3, 1.0):
            value = TwoReleases(loss).delta(arb(share * most))
            assert value <= grid.above.delta(arb(share * most)) + TINY
            assert grid.delta(arb(share * most)).overlaps(value)
            assert grid.from_above().delta(arb(share * most)) >= value - TINY


def test_a_tiny_rate_has_a_better_upper_end_from_above_alone():
    found = compose(PoissonSampled(Normal(0, 0.3), 1e-6), 200).epsilon(1e-5)
    assert found.method == FewReleases.method
    assert 0.00013 < found.lower < found.upper < 0.03


@pytest.mark.parametrize("times", [1, 2, 3, 6])
def test_a_total_is_a_sum_over_all_outcomes(times):
    masses = [Fraction(k, 64) for k in (20, 5, 11, 0, 3, 1)]  # the rest is beyond the grid
    with ctx.workprec(128):
        start, step = arb(-0.25) * times, arb(0.125)
        total = _Total([arb(m.numerator) / m.denominator for m in masses], times, start, step)
        x = arb(-0.25) * times + arb(0.3)
        truth = 1 - x.exp()
        for outcome in product(range(len(masses)), repeat=times):
            place = (start + step * sum(outcome)).exp()
            mass = math.prod(masses[k] for k in outcome)
            truth += (x.exp() - place).max(arb(0)) * mass.numerator / mass.denominator
        found = total.delta(x)
        assert found.overlaps(truth)
        assert found.rad() < 1e-30


def test_an_epsilon_far_beyond_the_grid_is_answered():
    composed = compose(PoissonSampled(Normal(0, 0.5), 0.001), 5)
    for epsilon in (30, 400, 1e4, 1e200):
        found = composed.delta(epsilon)
        assert 0 <= found.lower <= found.upper < 1e-6


def test_delta_of_few_steps_is_narrow():
    found = compose(PoissonSampled(Normal(0, 0.9), 0.00013), 3).delta(0.004)
    assert found.width < 1e-6 * found.upper


class Steep:
    """exp(-slope x) with a relative error; `slope` is given far too flat."""

    method, slope = "steep", -1.0

    def delta(self, epsilon):
        value = (-1e5 * epsilon).exp()
        return value + arb(0, 1e-6) * value


def test_ends_are_near_where_the_given_slope_is_too_flat():
    with ctx.workprec(128):
        wanted = (arb(-3)).exp()
        found = solve(Steep(), wanted, 3.0000000000001e-5, 1.0)
    assert found.lower < 3e-5 < found.upper
    assert found.width < 10e-11
