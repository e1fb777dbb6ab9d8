"""What the explorer of the unknown_sample_size chapters shows, recomputed by other means."""

import itertools
import math

import numpy as np
import pytest

from dpbook.unknown_sample_size.explorers import (
    RELEASED,
    NoisyNumber,
    noisy_number,
    number_explorer,
)


@pytest.mark.parametrize(("carriers", "epsilon_s", "epsilon_n"), [(12, 1.0, 0.5), (36, 3.0, 1.0)])
def test_posteriors_are_those_of_a_plain_sum(carriers, epsilon_s, epsilon_n):
    found = noisy_number(carriers, epsilon_s, epsilon_n)
    weights, means = {}, {}
    for n, x in itertools.product(range(1, 101), range(101)):
        if x <= n:  # a uniform prior of the share makes every count as likely
            noise = epsilon_s * abs(carriers - x) + epsilon_n * abs(RELEASED - n)
            weights[n, x] = math.exp(-noise) / (n + 1)
            means[n, x] = (x + 1) / (n + 2)
    total = sum(weights.values())
    mean = sum(weights[at] * means[at] for at in weights) / total
    size = sum(weights[at] * at[0] for at in weights) / total
    assert NoisyNumber.moments(found.found)[0] == pytest.approx(mean, abs=1e-6)
    assert found.sizes[0] == pytest.approx(size, abs=1e-6)
    public = {at: w for at, w in weights.items() if at[0] == RELEASED}
    mean = sum(w * means[at] for at, w in public.items()) / sum(public.values())
    assert NoisyNumber.moments(found.public)[0] == pytest.approx(mean, abs=1e-9)


def test_the_picture_is_a_density_and_masses():
    found = noisy_number(12, 1.0, 0.5)
    density, masses = found.plot().get_figure().axes
    for line in density.get_lines():
        at, height = line.get_data()
        assert np.trapezoid(height, at) == pytest.approx(1, abs=0.01)
    for line in masses.get_lines():
        assert line.get_ydata().sum() == pytest.approx(1, abs=1e-6)
    for number in (*NoisyNumber.moments(found.found), found.sizes[0]):
        assert f"{number:.1f}"[:3] in found.describe()


def test_every_frame_shows_itself():
    assert "n_dp alone" in repr(number_explorer())
