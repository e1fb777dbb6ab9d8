"""Ball averages against closed forms at 40 digits, SciPy, and plain quadrature."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, integers
from scipy.integrate import quad
from scipy.stats import ncx2

from dpbook.langevin import IsotropicNormal, ball_average, ball_volume
from dpbook.privacy.distributions import Normal


def at_distance(dimension, away):
    """A point so far from the origin, off the axes."""
    direction = np.arange(1.0, dimension + 1)
    return tuple(away * direction / np.linalg.norm(direction))


def sliced(dimension, away, radius):
    """Log of the average of the standard normal distribution at 40 digits, by elementary closed forms."""
    with mpmath.workdps(400):  # what the differences lose
        a, r = mpmath.mpf(away), mpmath.mpf(radius)
        mass = mpmath.ncdf(r - a) - mpmath.ncdf(-r - a)
        if dimension == 1:
            return float(mpmath.log(mass / (2 * r)))
        if a == 0:
            mass -= 2 * r * mpmath.npdf(r)
        else:
            mass -= (mpmath.npdf(a - r) - mpmath.npdf(a + r)) / a
        return float(mpmath.log(mass / (4 * mpmath.pi * r**3 / 3)))


@pytest.mark.parametrize("dimension", [1, 3])
@pytest.mark.parametrize("away", [0, 1e-9, 0.3, 2, 25, 37.5])
@pytest.mark.parametrize("radius", [1e-100, 1e-9, 1e-3, 1, 12, 1e4, 1e12])
def test_averages_are_the_closed_forms_in_the_middle_and_in_the_tails(dimension, away, radius):
    point = at_distance(dimension, away)
    distribution = IsotropicNormal((0.0,) * dimension, 1)
    found = ball_average(distribution, point, radius)
    assert found.certified
    assert found.error <= 1e-15 * found.value
    distance = math.hypot(*point)  # of the point as it is rounded
    assert math.log(found.value) == pytest.approx(sliced(dimension, distance, radius), abs=1e-12)


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("away", [0.5, 3, 12])
@pytest.mark.parametrize("radius", [1e-6, 0.1, 1, 5, 30])
def test_averages_are_noncentral_chi_squares(dimension, away, radius):
    sd, centre = 2.5, np.arange(dimension) - 0.5
    point = centre + sd * np.array(at_distance(dimension, away))
    found = ball_average(IsotropicNormal(tuple(centre), sd), point, sd * radius)
    mass = ncx2.cdf(radius**2, dimension, away**2)
    assert found.value * ball_volume(dimension, sd * radius) == pytest.approx(mass, rel=1e-10)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_averages_beyond_the_doubles_are_zero_with_an_error(dimension):
    distribution = IsotropicNormal((0.0,) * dimension, 1)
    found = ball_average(distribution, at_distance(dimension, 1e5), 1.0)
    assert found.value == 0
    assert 0 < found.error < 1e-300
    tiny = ball_average(distribution, at_distance(dimension, 0.0), 1e-300)
    assert tiny.value == pytest.approx(distribution.peak, rel=1e-15)


@pytest.mark.parametrize("dimension", [1, 2, 3])
@settings(max_examples=25, deadline=None)
@given(away=floats(0, 4), radius=floats(0.01, 4), sd=floats(0.5, 3))
def test_functions_are_averaged_within_the_stated_error(dimension, away, radius, sd):
    distribution = IsotropicNormal((0.0,) * dimension, sd)
    point = at_distance(dimension, away)
    certified = ball_average(distribution, point, radius)
    found = ball_average(distribution.density, point, radius)
    assert not found.certified
    assert abs(found.value - certified.value) <= found.error + certified.error
    assert found.error <= 1e-9 * found.value


def test_kinks_are_averaged_within_the_stated_error():
    line = ball_average(lambda x: np.exp(-np.abs(x)) / 2, 0.1, 0.5)
    assert abs(line.value - (1 - (math.exp(-0.6) + math.exp(-0.4)) / 2)) <= line.error < 1e-10

    def product(points):
        return np.exp(-np.abs(points).sum(axis=1)) / 2 ** points.shape[1]

    plane = ball_average(product, (0, 0), 0.5)
    height, _ = quad(lambda x: math.exp(-x) * -math.expm1(-math.sqrt(0.25 - x * x)), 0, 0.5)
    assert abs(plane.value - height / ball_volume(2, 0.5)) <= plane.error < 1e-6

    # the kink inside: a cone beside the centre of the ball, its mean distance in closed form
    space = ball_average(lambda p: 2 - np.linalg.norm(p - (0.2, 0, 0), axis=1), (0, 0, 0), 1)
    mean = 3 / 4 + 0.2**2 / 2 - 0.2**4 / 20
    assert abs(space.value - (2 - mean)) <= space.error < 1e-5


def test_a_distribution_comes_in_three_forms():
    expected = ball_average(IsotropicNormal(1, 2), 0.5, 0.25)
    assert ball_average(Normal(1, 2), 0.5, 0.25) == expected
    assert ball_average(IsotropicNormal((1,), 2), (0.5,), 0.25) == expected
    distribution = IsotropicNormal(1, 2)
    for at in (0.5, (0.5,)):  # densities of shape (m,) and (m, 1)
        assert ball_average(distribution.density, at, 0.25).value == pytest.approx(
            expected.value, rel=1e-12
        )


def test_an_average_says_what_it_is():
    found = ball_average(IsotropicNormal((0, 0), 1), (0, 0), 1)
    assert found.value == pytest.approx(-math.expm1(-0.5) / math.pi, rel=1e-15)
    assert repr(found) == "BallAverage(value=0.125245, error=3e-17)"
    assert "certified" in found.describe()
    assert "certified=False" in repr(ball_average(lambda x: np.exp(-x), 1.0, 0.5))
    assert found.describe() in found._repr_html_()


@settings(max_examples=60, deadline=None)
@given(dimension=integers(1, 40), radius=floats(1e-3, 1e3))
def test_volumes_follow_from_two_dimensions_less(dimension, radius):
    smaller = ball_volume(dimension, radius) * math.tau * radius**2 / (dimension + 2)
    assert ball_volume(dimension + 2, radius) == pytest.approx(smaller, rel=1e-12)


def test_volumes_on_the_line_and_in_the_plane():
    assert ball_volume(1, 3) == pytest.approx(6)
    assert ball_volume(2, 3) == pytest.approx(9 * math.pi)
    assert ball_volume(3, 0) == 0


@pytest.mark.parametrize("dimension", [1, 2, 3, 5])
@settings(max_examples=60, deadline=None)
@given(seed=integers(0, 2**32 - 1), sd=floats(0.1, 10), step=floats(1e-3, 3))
def test_lipschitz_constants_bound_each_difference(dimension, seed, sd, step):
    rng = np.random.default_rng(seed)
    distribution = IsotropicNormal(tuple(rng.normal(size=dimension)), sd)
    one = distribution.mean + sd * rng.normal(size=(50, dimension))
    two = one + sd * step * rng.normal(size=(50, dimension))
    differences = np.abs(distribution.density(one) - distribution.density(two))
    distances = np.linalg.norm(one - two, axis=1)
    assert (differences <= distribution.lipschitz * distances * (1 + 1e-9)).all()
    # attained one standard deviation away
    near = np.zeros((2, dimension))
    near[:, 0] = sd, sd * (1 + 1e-5)
    rise = np.diff(distribution.density(distribution.mean + near))[0]
    assert abs(rise) == pytest.approx(distribution.lipschitz * sd * 1e-5, rel=1e-4)


def test_densities_of_normal_distributions_integrate_to_one():
    for dimension in (1, 2, 3):
        distribution = IsotropicNormal((0.3,) * dimension, 0.7)
        wide = ball_average(distribution.density, distribution.mean, 7.0)
        assert wide.value * ball_volume(dimension, 7.0) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ball_volume(0, 1), "dimension must be an integer >= 1, got 0"),
        (lambda: ball_volume(2, -1), "radius must be >= 0, got -1"),
        (lambda: IsotropicNormal(0, 0), "sd must be > 0, got 0"),
        (lambda: IsotropicNormal((0, math.nan), 1), "every coordinate of mean must be finite"),
        (lambda: IsotropicNormal((), 1), "mean must be a number or a list of numbers, got ()"),
        (lambda: ball_average(Normal(0, 1), 0, 0), "radius must be > 0, got 0"),
        (lambda: ball_average(Normal(0, 1), (0, 0), 1), "at must have 1 coordinates, got 2"),
        (lambda: ball_average(Normal(0, 1), (0,) * 4, 1), "at must have 1 to 3 coordinates, got 4"),
        (
            lambda: ball_average("normal", 0, 1),
            "distribution must be a normal distribution or a function",
        ),
        (
            lambda: ball_average(lambda x: -x, 1, 0.5),
            "distribution must return 21 finite densities >= 0",
        ),
        (lambda: ball_average(lambda x: 1.0, (0, 0), 0.5), "densities >= 0 for as many points"),
    ],
)
def test_unusable_input_is_named(call, message):
    with pytest.raises(ValueError, match="must") as caught:
        call()
    assert message in str(caught.value)
