"""What the explorer of two chains shows, recomputed by other means."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad

from dpbook.langevin import FIGURE_1
from dpbook.langevin.explorers import DATASETS, EPOCHS, POWERS, chain_explorer, two_chains


def test_distance_is_that_of_the_exact_distribution():
    found = two_chains(epoch=7, n=40, power=1.05)
    distribution = replace(FIGURE_1, n=40, c=found.c).distribution(
        step=280, position=np.arange(1, 41)
    )
    assert found.c == round(40**1.05)
    assert found.distance == pytest.approx(
        np.mean(distribution.gap) / math.sqrt(distribution.variance), rel=1e-9
    )
    at = replace(FIGURE_1, n=40, c=found.c).separation(step=280)
    assert found.here == pytest.approx(float(at), rel=1e-9)


@pytest.mark.parametrize("epoch", [3, 12])
def test_delta_is_the_integral_over_the_mixture(epoch):
    found = two_chains(epoch=epoch, n=40, power=1.5)
    distribution = replace(FIGURE_1, n=40, c=found.c).distribution(
        step=40 * epoch, position=np.arange(1, 41)
    )
    means = -distribution.gap / math.sqrt(distribution.variance)
    sds = np.sqrt(distribution.odd_variance / distribution.variance)

    def densities(t):
        odd = np.mean(np.exp(-0.5 * ((t - means) / sds) ** 2) / sds)
        return np.array([math.exp(-0.5 * t * t), odd]) / math.sqrt(math.tau)

    def over(t, way):
        plain, odd = densities(t)
        return max((plain - math.exp(1.6) * odd, odd - math.exp(1.6) * plain)[way], 0.0)

    places = np.linspace(min(means) - 9, 9, 200)
    both = [
        sum(quad(over, a, b, args=(way,))[0] for a, b in zip(places, places[1:], strict=False))
        for way in (0, 1)
    ]
    assert found.delta > 1e-3
    assert found.delta == pytest.approx(max(both), rel=1e-5)


def test_a_draw_tells_little_where_the_chain_tells_much():
    apart, together = two_chains(25, 1_149_019, 1.001), two_chains(60, 1_149_019, 1.001)
    assert apart.c == FIGURE_1.c
    assert apart.stop == 29
    assert apart.delta > 0.01 > together.delta
    assert apart.epsilon > 1.6 > apart.draw == together.draw
    assert "epsilon is 4.942, and that of one posterior draw 0.0836" in apart.describe()


@pytest.mark.parametrize("n", DATASETS)
def test_every_setting_is_shown(n):
    for power in POWERS:
        for epoch in (EPOCHS[0], 25, EPOCHS[-1]):
            found = two_chains(epoch, n, power)
            assert math.isfinite(found.epsilon)
            assert 0 <= found.delta <= 1
            assert 1 < found.stop < 60


def test_the_picture_shows_both_distributions_and_the_place_on_the_curve():
    found = chain_explorer().at(epoch=29)
    distributions, curve = found.plot().get_figure().axes
    plain, odd = distributions.get_lines()
    assert odd.get_xdata()[np.argmax(odd.get_ydata())] == pytest.approx(-found.distance, abs=0.02)
    assert plain.get_xdata()[np.argmax(plain.get_ydata())] == pytest.approx(0, abs=0.02)
    _, place, _ = curve.get_lines()
    assert np.ravel(place.get_xydata()) == pytest.approx([29, found.here])
