"""What the explorers of the contamination chapters show."""

import numpy as np
import pytest

from dpbook.contamination import private_mean
from dpbook.contamination.explorers import (
    dataset_explorer,
    one_dataset,
    pair_explorer,
    rate_explorer,
    torn,
    tuned,
)


def test_one_dataset_has_both_posteriors():
    found = one_dataset(1000, 0.3, 2)
    setting, rng = private_mean(1000, rate=0.3), np.random.default_rng(2)
    clean = setting.clean(rng)
    x = setting.contaminate(clean, rng)
    assert found.epsilons["exact"] == setting.epsilon(x).epsilon
    weight = 1000 / 64 / (1000 / 64 + 1 / 1600)  # the conjugate posterior
    assert found.means[0] == pytest.approx(weight * clean.mean() + (1 - weight) * 40)
    assert found.sds[0] < found.sds[1]
    first, second = found.plot().get_lines()[:2]
    assert first.get_xdata()[np.argmax(first.get_ydata())] == pytest.approx(
        found.means[0], abs=0.05
    )
    assert second.get_xdata()[np.argmax(second.get_ydata())] == pytest.approx(
        found.means[1], abs=0.05
    )


def test_every_frame_says_what_it_shows():
    for explorer in (dataset_explorer(), rate_explorer(), pair_explorer()):
        for frame in explorer.frames:
            assert "conditional on the model" in explorer.words(frame)
    assert tuned(10_000, 0.1).rate is None
    assert torn(1000, 10.0).fails
    assert not torn(1000, 0.5).fails
