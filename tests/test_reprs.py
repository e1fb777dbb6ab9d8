"""What a result prints in a session can be read: a line, no address in memory, no array."""

from fractions import Fraction

import numpy as np
import pytest

from dpbook import contamination, depth_medians, langevin, posterior_sampling, unknown_sample_size
from dpbook.posterior_sampling.models.priors import Restricted
from dpbook.privacy import profile
from dpbook.privacy.distributions import Exponential, Mixture, Normal
from dpbook.unknown_sample_size import Laplace
from dpbook.unknown_sample_size.models import bernoulli


def chain():
    setting = unknown_sample_size.Setting(bernoulli(), Laplace(1.0), Laplace(0.5))
    rng = np.random.default_rng(1)
    return unknown_sample_size.Chain(setting, setting.release(np.ones(20), rng), rng)


def finite_model():
    half = Fraction(1, 2)
    return unknown_sample_size.FiniteModel(
        (half, half), ((half, half), (half, half)), {1: Fraction(1)}, lambda s, t: half
    )


def smoothed_depth():
    rng = np.random.default_rng(1)
    directions = depth_medians.random_directions(2, 20, rng)
    return depth_medians.SmoothedDepth.of(rng.normal(size=(50, 2)), directions)


class Pareto(posterior_sampling.Model):
    inside = log_likelihood = lipschitz = None


RESULTS = {
    "langevin": lambda: langevin.FIGURE_1.step_profile(33321551),
    "mixture": lambda: profile(Normal(0, 1), Mixture([Normal(i, 1) for i in range(30)])),
    "chain": chain,
    "finite model": finite_model,
    "depth": smoothed_depth,
    "own model": Pareto,
    "restricted": lambda: Restricted(Exponential(2), Pareto(), 0.5),
    "theorem 4": lambda: contamination.theorem_4(contamination.PRIVATE_MEAN),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_prints_a_line(name):
    said = repr(RESULTS[name]())
    assert len(said) < 260
    assert "\n" not in said
    assert " at 0x" not in said
    assert "Fraction(" not in said


def test_no_share_above_one_is_told_as_a_bound():
    found = contamination.theorem_4(contamination.PRIVATE_MEAN)
    assert found.failure > 1
    assert "failure=1," in repr(found)
    assert "but any share" in found.describe()
    assert "1 is no bound" in found.describe()
