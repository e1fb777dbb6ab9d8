"""Samplers against distributions that are known: false alarms at 1e-6 a test, two-sided, with fixed seeds."""

import math

import numpy as np
import pytest
from scipy.stats import ks_2samp, kstest

from dpbook.depth_medians import (
    Draws,
    ExponentialMechanism,
    GammaCut,
    Outlyingness,
    elliptical_draws,
    outlyingness_of,
    random_directions,
)
from dpbook.depth_medians.samplers import Quadratic

ALARM = 1e-6


def gauge(d, size, rng):
    """Locations 0: outlyingness is a norm, whose distribution under the mechanism is a cut Gamma."""
    units = random_directions(d, size, rng)
    return Outlyingness(units, np.zeros(len(units)), rng.uniform(0.5, 2, len(units)))


def uneven(d, size, rng):
    """Locations and scales of their own: no symmetry is left."""
    units = random_directions(d, size, rng)
    return Outlyingness(units, 0.3 * rng.normal(size=size), rng.uniform(0.7, 1.3, size))


@pytest.mark.parametrize("sampler", ["hit-and-run", "rejection"])
@pytest.mark.parametrize(
    ("d", "size", "draws"),
    [(1, 1, 3000), (2, 50, 3000), (3, 60, 2000), (6, 90, 700), (10, 200, 300)],
)
def test_outlyingness_of_draws_is_a_cut_gamma_where_locations_are_0(sampler, d, size, draws):
    rng = np.random.default_rng(d)
    mechanism = ExponentialMechanism(gauge(d, size, rng), 10.0, 0.2, 1.0)
    found = mechanism.draws(draws, rng, sampler=sampler)
    assert mechanism.minimum == 0
    assert found.exact == (sampler == "rejection" or d == 1)
    distribution = GammaCut(d, 12.5, 1.0)
    assert kstest(mechanism.outlyingness(found.values), distribution.cdf).pvalue > ALARM


def test_a_wrong_temperature_would_be_seen():
    rng = np.random.default_rng(1)
    mechanism = ExponentialMechanism(gauge(2, 50, rng), 10.0, 0.2, 1.0)
    out = mechanism.outlyingness(mechanism.draws(3000, rng).values)
    assert kstest(out, GammaCut(2, 10.5, 1.0).cdf).pvalue < ALARM


def test_both_samplers_draw_the_distribution_on_a_grid_without_symmetry():
    rng = np.random.default_rng(2)
    mechanism = ExponentialMechanism(uneven(2, 40, rng), 10.0, 0.3, 2.0)
    at = (np.arange(1600) + 0.5) / 1600 * 8 - 4
    grid = np.stack(np.meshgrid(at, at, indexing="ij"), axis=-1).reshape(-1, 2)
    cost = mechanism.outlyingness(grid)
    mass = np.where(cost <= 2, np.exp(-mechanism.beta * (cost - cost.min())), 0)
    mass /= mass.sum()
    order = np.argsort(cost)
    costs, cumulated = cost[order], np.cumsum(mass[order])
    along = np.cumsum(mass.reshape(1600, 1600).sum(axis=1))
    for sampler in ("hit-and-run", "rejection"):
        values = mechanism.draws(3000, rng, sampler=sampler).values
        out = mechanism.outlyingness(values)
        assert kstest(out, lambda v: np.interp(v, costs, cumulated)).pvalue > ALARM
        assert kstest(values[:, 0], lambda v: np.interp(v, at + 0.0025, along)).pvalue > ALARM
        assert out.max() <= 2 + 1e-9
        assert out.min() >= mechanism.minimum - 1e-9


@pytest.mark.parametrize("d", [2, 3, 4, 5])
def test_chain_and_rejection_agree_in_even_and_odd_dimensions(d):
    rng = np.random.default_rng(d + 10)
    mechanism = ExponentialMechanism(uneven(d, 30 * d, rng), 10.0, 0.3, 3.0)
    one = mechanism.draws(700, rng).values
    other = mechanism.draws(700, rng, sampler="rejection").values
    for k in range(d):
        assert ks_2samp(one[:, k], other[:, k]).pvalue > ALARM
    assert ks_2samp(mechanism.outlyingness(one), mechanism.outlyingness(other)).pvalue > ALARM


def test_a_draw_on_a_line_is_a_cut_laplace():
    rng = np.random.default_rng(3)
    mechanism = ExponentialMechanism(
        Outlyingness(np.ones((1, 1)), np.array([2.0]), np.array([0.5])), 4.0, 0.5, 1.5
    )
    x = mechanism.draws(5000, rng).values[:, 0]
    assert np.abs(x - 2).max() <= 0.75 + 1e-12
    share = (x > 2).mean()
    assert abs(share - 0.5) < 5 * math.sqrt(0.25 / 5000)
    assert kstest(np.abs(x - 2) / 0.5, GammaCut(1, 2.0, 1.5).cdf).pvalue > ALARM


def test_elliptical_draws_are_those_of_the_mechanism_of_an_ellipse():
    rng = np.random.default_rng(4)
    shape = np.array([[2.0, 0.6], [0.6, 0.5]])
    values = elliptical_draws([1.0, -1.0], shape, beta=6.0, tau=1.2, size=4000, rng=rng)
    out = np.sqrt(
        np.einsum("ij,jk,ik->i", values - [1, -1], np.linalg.inv(shape), values - [1, -1])
    )
    assert kstest(out, GammaCut(2, 6.0, 1.2).cdf).pvalue > ALARM
    angles = 2 * np.pi * np.arange(48) / 48
    units = np.column_stack((np.cos(angles), np.sin(angles)))
    scale = np.sqrt(np.einsum("ij,jk,ik->i", units, shape, units))
    ellipse = Outlyingness(units, units @ [1.0, -1.0], scale)
    chain = ExponentialMechanism(ellipse, 24.0, 1.0, 1.2).draws(400, rng).values
    for k in (0, 1):
        assert ks_2samp(chain[:, k], values[:, k]).pvalue > ALARM
    for wrong, said in [
        ({"shape": [[1.0, 0.0], [0.0, -1.0]]}, "shape must be a positive definite matrix"),
        ({"beta": 0.0}, "beta must be > 0"),
    ]:
        with pytest.raises(ValueError, match=said):
            elliptical_draws(**({"centre": [0, 0], "shape": shape, "beta": 1, "tau": 1} | wrong))


def test_quadratic_bound_is_below_outlyingness_everywhere_and_close_to_it():
    rng = np.random.default_rng(5)
    for d in (2, 3, 7):
        fitted = outlyingness_of(rng.normal(size=(400, d)) + 2.0, random_directions(d, 60, rng))
        bound = Quadratic.of(fitted.scaled, fitted.offset, 50.0)
        points = bound.centre + rng.normal(size=(2000, d)) * 10 ** rng.uniform(-3, 1, (2000, 1))
        radius = np.linalg.norm((points - bound.centre) @ np.linalg.inv(bound.root).T, axis=1)
        ratio = np.sqrt(bound.floor**2 + radius**2) / fitted(points)
        assert ratio.max() <= 1 + 1e-9
        assert ratio.max() > 0.7


@pytest.mark.parametrize("d", [2, 3, 4, 7])
@pytest.mark.parametrize("floor", [0.0, 0.4])
def test_mixture_of_gammas_is_the_distribution_of_the_bound(d, floor):
    """Where cost and bound are one, nothing is rejected; else the density is integrated here."""
    bound = Quadratic(np.zeros(d), np.eye(d), floor)
    shapes, chances = bound.shapes(3.0)
    rng = np.random.default_rng(6)
    part = np.searchsorted(chances, rng.random(40_000) * chances[-1])
    t = rng.standard_gamma(shapes[part]) / 3.0
    if d % 2:
        t = t[rng.random(len(t)) * (t + floor) <= np.sqrt(t * (t + 2 * floor))]
    at = np.linspace(0, 30, 200_001)[1:]
    density = (at * (at + 2 * floor)) ** (d / 2 - 1) * (at + floor) * np.exp(-3 * at)
    mass = np.cumsum(density)
    assert kstest(t, lambda v: np.interp(v, at, mass / mass[-1])).pvalue > ALARM


def test_auto_says_what_it_did():
    rng = np.random.default_rng(7)
    easy = ExponentialMechanism(gauge(3, 60, rng), 10.0, 0.2, 1.0)
    assert easy.draws(3, rng, sampler="auto").sampler == "rejection"
    many = ExponentialMechanism(gauge(12, 60, rng), 10.0, 0.2, 1.0)
    found = many.draws(2, rng, sampler="auto")
    assert (found.sampler, found.exact) == ("hit-and-run", False)
    assert "a chain's, so approximate" in found.describe()
    none = many.draws(2, rng, sampler="rejection", steps=1)
    assert np.isnan(none.values).all()
    assert none.tries == 0


def test_langevin_as_printed_starts_outside_and_is_far_off():
    rng = np.random.default_rng(8)
    mechanism = ExponentialMechanism(gauge(2, 50, rng), 10.0, 0.0276, 1.0)
    values = mechanism.draws(400, rng, sampler="langevin").values
    exact = mechanism.draws(400, rng, sampler="rejection").values
    assert np.sqrt((values**2).sum(axis=1).mean()) > 10 * np.sqrt((exact**2).sum(axis=1).mean())


def test_seeds_decide_what_is_drawn():
    mechanism = ExponentialMechanism(gauge(3, 60, np.random.default_rng(9)), 10.0, 0.2, 1.0)
    for sampler in ("hit-and-run", "rejection", "langevin"):
        pair = [mechanism.draws(2, np.random.default_rng(1), sampler=sampler) for _ in range(2)]
        assert (pair[0].values == pair[1].values).all()


def test_bad_input_gets_one_clear_line():
    rng = np.random.default_rng(10)
    fitted = uneven(2, 20, rng)
    least = fitted.minimum()[1]
    for call, said in [
        (lambda: ExponentialMechanism(fitted, 1, 0.1, least / 2), "tau must be > the least"),
        (lambda: ExponentialMechanism(fitted, 1, 0.0, 1), "eta must be > 0"),
        (lambda: ExponentialMechanism(fitted, -1, 0.1, 1), "epsilon must be > 0"),
        (lambda: ExponentialMechanism(fitted, 1, 0.1, 9).draws(0), "size must be an integer >= 1"),
        (lambda: ExponentialMechanism(fitted, 1, 0.1, 9).draws(1, sampler="x"), "sampler must be"),
    ]:
        with pytest.raises(ValueError, match=said):
            call()


def test_words_and_pictures_say_the_same():
    draws = Draws(np.arange(6.0).reshape(3, 2), "rejection", True, 5)
    assert "3 by rejection, exact, mean (2, 3)" in repr(draws)
    assert draws.describe() in draws._repr_html_()
    [line] = draws.plot().get_lines()
    assert list(line.get_xdata()) == [0, 2, 4]
    assert Draws(np.arange(6.0)[:, None], "x", True, 5).plot().get_xlabel() == "draw"
    mechanism = ExponentialMechanism(gauge(2, 20, np.random.default_rng(1)), 10.0, 0.2, 1.0)
    assert "beta=12.5" in repr(mechanism)
    assert mechanism.excess == GammaCut(2, 12.5, 1.0)
