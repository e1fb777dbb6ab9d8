"""Claim 5.1 and theorem 2 on pairs of normal distributions, by ball averages that SciPy computes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, integers
from scipy.integrate import quad
from scipy.stats import ncx2, norm

from dpbook.engine.language.domain import DomainError
from dpbook.langevin import (
    IsotropicNormal,
    ball_average,
    ball_volume,
    lipschitz_bound,
    smoothing_error,
    theorem_2_bound,
    wasserstein_2,
    wasserstein_curve,
    wasserstein_region,
)
from dpbook.privacy.distributions import Laplace, Normal


def average(distribution, at, radius):
    """Ball average by the noncentral chi-square distribution of SciPy."""
    away = np.sum((np.asarray(at) - distribution.mean) ** 2) / distribution.sd**2
    mass = ncx2.cdf((radius / distribution.sd) ** 2, distribution.dimension, max(away, 1e-12))
    return mass / ball_volume(distribution.dimension, radius)


# --- the distance ---------------------------------------------------------------------------------


def test_distance_on_the_line_is_that_of_the_quantiles():
    def squared(level):
        return (norm.ppf(level, 1, 2) - norm.ppf(level, -0.5, 0.7)) ** 2

    integral, _ = quad(squared, 0, 1, epsabs=1e-10, limit=400)
    found = wasserstein_2(Normal(1, 2), Normal(-0.5, 0.7))
    assert found == pytest.approx(math.sqrt(integral), rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(dimension=integers(1, 5), seed=integers(0, 2**32 - 1))
def test_squared_distances_add_up_over_the_coordinates(dimension, seed):
    rng = np.random.default_rng(seed)
    means, sds = rng.normal(size=(2, dimension)), rng.uniform(0.1, 3, size=2)
    distributions = [IsotropicNormal(tuple(m), s) for m, s in zip(means, sds, strict=True)]
    each = [
        wasserstein_2(IsotropicNormal(a, sds[0]), IsotropicNormal(b, sds[1])) ** 2
        for a, b in means.T
    ]
    assert wasserstein_2(*distributions) ** 2 == pytest.approx(sum(each), rel=1e-12)
    assert wasserstein_2(*distributions[::-1]) == wasserstein_2(*distributions)


# --- claim 5.1 and the Lipschitz constant alone ---------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(dimension=integers(1, 6), away=floats(0, 5), radius=floats(0.01, 5), sd=floats(0.1, 10))
def test_claim_5_1_holds_on_normal_distributions(dimension, away, radius, sd):
    distribution = IsotropicNormal((0.0,) * dimension, sd)
    at = np.zeros(dimension)
    at[0] = away * sd
    off = abs(distribution.density(at) - average(distribution, at, radius * sd))
    sharp = smoothing_error(distribution.lipschitz, radius * sd, dimension)
    assert off <= sharp * (1 + 1e-9)
    assert sharp < smoothing_error(distribution.lipschitz, radius * sd)


def cone(dimension, lipschitz, peak):
    return lambda points: np.maximum(0, peak - lipschitz * np.linalg.norm(points, axis=1))


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("lipschitz", [0.01, 1.0, 30.0])
def test_a_cone_attains_what_the_lipschitz_constant_allows(dimension, lipschitz):
    peak = lipschitz_bound(lipschitz, dimension)
    density, foot = cone(dimension, lipschitz, peak), peak / lipschitz
    centre = (0.0,) * dimension
    mass = ball_average(density, centre, foot).value * ball_volume(dimension, foot)
    assert mass == pytest.approx(1, rel=1e-9)
    for share in (0.1, 0.5, 1.0):
        radius = share * foot
        found = ball_average(density, centre, radius).value
        assert lipschitz_bound(lipschitz, dimension, radius) == pytest.approx(found, rel=1e-9)
        error = smoothing_error(lipschitz, radius, dimension)
        assert peak - found == pytest.approx(error, rel=1e-9)
    wide = lipschitz_bound(lipschitz, dimension, 3 * foot)
    assert wide == pytest.approx(1 / ball_volume(dimension, 3 * foot), rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(dimension=integers(1, 6), radius=floats(0.01, 20), sd=floats(0.1, 10))
def test_normal_distributions_stay_below_what_the_lipschitz_constant_allows(dimension, radius, sd):
    distribution = IsotropicNormal((0.0,) * dimension, sd)
    found = average(distribution, np.zeros(dimension), radius * sd)
    assert found <= lipschitz_bound(distribution.lipschitz, dimension, radius * sd) * (1 + 1e-9)


# --- theorem 2 ------------------------------------------------------------------------------------


@settings(max_examples=400, deadline=None)
@given(
    dimension=integers(1, 3),
    closeness=floats(-6, 0.5),
    narrower=floats(0, 1),
    at=floats(-4, 4),
    wider=floats(0.01, 4),
    share=floats(0.01, 0.99),
)
def test_theorem_2_holds_on_pairs_of_normal_distributions(
    dimension, closeness, narrower, at, wider, share
):
    apart = 10**closeness
    second = IsotropicNormal((0.0,) * dimension, 1)
    sd = max(0.2, 1 - narrower * apart)
    first = IsotropicNormal((apart, *second.mean[1:]), sd)
    distance = wasserstein_2(first, second)
    epsilon = math.sqrt(distance) * (1 + 1e-9)
    lipschitz = max(first.lipschitz, second.lipschitz)
    point = np.zeros(dimension)
    point[0] = at
    radius = epsilon * (1 + wider)
    p, q = average(first, point, radius), average(second, point, radius)
    for shift in (None, "best", share * radius):
        bound = theorem_2_bound(
            q_average=q,
            radius=radius,
            epsilon=epsilon,
            lipschitz=lipschitz,
            dimension=dimension,
            shift=shift,
        )
        assert p <= bound.value * (1 + 1e-9)
    small = share * epsilon  # the sharper trade needs no radius above epsilon
    p, q = average(first, point, small), average(second, point, small)
    bound = theorem_2_bound(
        q_average=q,
        radius=small,
        epsilon=epsilon,
        lipschitz=lipschitz,
        dimension=dimension,
        shift="best",
    )
    assert p <= bound.value * (1 + 1e-9)


def test_theorem_2_fails_for_distributions_that_are_far_apart():
    """The distance is needed: the bound is no bound for an epsilon that is too small."""
    first, second = IsotropicNormal(0, 1), IsotropicNormal(3, 1)
    p, q = average(first, [0], 0.5), average(second, [0], 0.5)
    assert wasserstein_2(first, second) > 0.05**2
    assert (
        p
        > theorem_2_bound(
            q_average=q, radius=0.5, epsilon=0.05, lipschitz=first.lipschitz, dimension=1
        ).value
    )


def test_the_bound_is_what_the_paper_prints():
    bound = theorem_2_bound(q_average=0.1, radius=0.5, epsilon=0.02, lipschitz=0.3, dimension=3)
    inner, outer = ball_volume(3, 0.48), ball_volume(3, 0.5)
    assert bound.factor == pytest.approx(outer / inner)
    assert bound.factor == pytest.approx((1 + 0.02 / 0.48) ** 3)
    assert bound.from_lipschitz == pytest.approx((outer / inner - 1) * 2 * 0.5 * 0.3)
    assert bound.from_distance == pytest.approx(0.02 / inner)
    parts = bound.factor * 0.1 + bound.from_lipschitz + bound.from_distance
    assert bound.value == pytest.approx(parts)
    assert bound.claim == "langevin:theorem-2-corrected"
    chebyshev = theorem_2_bound(
        q_average=0.1, radius=0.5, epsilon=0.02, lipschitz=0.3, dimension=3, shift=0.02
    )
    assert chebyshev.from_distance == pytest.approx(0.02**2 / inner)
    assert chebyshev.factor == bound.factor


@settings(max_examples=100, deadline=None)
@given(
    dimension=integers(1, 12),
    q=floats(0, 10),
    radius=floats(0.01, 10),
    epsilon=floats(1e-12, 3),
    lipschitz=floats(1e-3, 10),
)
def test_no_shift_is_better_than_the_best(dimension, q, radius, epsilon, lipschitz):
    best = theorem_2_bound(
        q_average=q,
        radius=radius,
        epsilon=epsilon,
        lipschitz=lipschitz,
        dimension=dimension,
        shift="best",
    ).value
    for share in np.geomspace(1e-6, 0.999, 60):
        other = theorem_2_bound(
            q_average=q,
            radius=radius,
            epsilon=epsilon,
            lipschitz=lipschitz,
            dimension=dimension,
            shift=share * radius,
        )
        assert best <= other.value * (1 + 1e-9)


def test_the_sharper_trade_depends_on_no_unit_of_length_and_the_printed_one_does():
    def ratio(unit, shift):
        distribution = IsotropicNormal((0.0, 0.0), unit)
        q = ball_average(distribution, (0, unit), 0.5 * unit).value
        epsilon = math.sqrt(0.001 * unit)
        bound = theorem_2_bound(
            q_average=q,
            radius=0.5 * unit,
            epsilon=epsilon,
            lipschitz=distribution.lipschitz,
            dimension=2,
            shift=shift,
        )
        return bound.value / q

    assert ratio(1.0, "best") == pytest.approx(ratio(50.0, "best"), rel=1e-9)
    assert ratio(50.0, None) > 2 * ratio(1.0, None)


def test_tiny_distances_leave_the_average():
    for shift in (None, "best"):
        bound = theorem_2_bound(
            q_average=0.2, radius=0.1, epsilon=1e-150, lipschitz=1.0, dimension=3, shift=shift
        )
        assert bound.value == pytest.approx(0.2, rel=1e-9)
        assert bound.says_something


def test_extreme_arguments_give_numbers_and_not_errors():
    assert (
        theorem_2_bound(
            q_average=0.1, radius=2e-150, epsilon=1e-150, lipschitz=1, dimension=3
        ).value
        == math.inf
    )
    assert (
        theorem_2_bound(
            q_average=0.1, radius=2e-150, epsilon=1e-150, lipschitz=1, dimension=3, shift="best"
        ).value
        == math.inf
    )
    assert theorem_2_bound(
        q_average=0.1, radius=1.0, epsilon=1e-300, lipschitz=1, dimension=3, shift="best"
    ).value == pytest.approx(0.1)
    # far distributions: nearly all of the ball is taken off, 2 / (d + 2) of its radius
    far = theorem_2_bound(
        q_average=0, radius=1, epsilon=1e60, lipschitz=1, dimension=3, shift="best"
    )
    assert far.factor == pytest.approx((5 / 3) ** 3)
    assert lipschitz_bound(1e200, 3) == pytest.approx(1e150 * lipschitz_bound(1, 3))
    assert lipschitz_bound(1, 3, 1e200) == 0
    assert ball_volume(3, 1e200) == math.inf


# --- when it says something -----------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [None, 1.5])
def test_the_region_ends_where_the_bound_meets_what_is_known(ratio):
    region = wasserstein_region(away=0.7, ratio=ratio, dimensions=(1, 2, 3, 6))
    met = 0
    for d, printed, sharp in zip(region.dimensions, region.printed, region.sharp, strict=True):
        distribution = IsotropicNormal((0.0,) * d, 1)
        at = np.zeros(d)
        at[0] = 0.7 * math.sqrt(d)
        for place in range(0, len(region.radius), 15):
            radius = region.radius[place]
            q = average(distribution, at, radius)
            known = lipschitz_bound(distribution.lipschitz, d, radius)
            level = known if ratio is None else min(known, ratio * q)
            for distance, shift in ((printed[place], None), (sharp[place], "best")):
                if not distance:
                    assert level < q * (1 + 1e-11)
                    continue
                epsilon = math.sqrt(distance)
                bound = theorem_2_bound(
                    q_average=q,
                    radius=radius,
                    epsilon=epsilon,
                    lipschitz=distribution.lipschitz,
                    dimension=d,
                    shift=shift,
                )
                # where nearly nothing is left to say the levels themselves have few digits
                assert bound.value == pytest.approx(level, rel=1e-8)
                met += 1
    assert met > 60


def test_small_balls_need_distances_that_fall_with_the_dimension():
    region = wasserstein_region(dimensions=(1, 2, 3, 10))
    small = [row[60] for row in region.printed]
    assert region.radius[60] == pytest.approx(0.1)
    assert small == pytest.approx([5.35e-4, 1.55e-5, 8.14e-8, 1.76e-27], rel=5e-3)
    for d, row in zip(region.dimensions, region.printed, strict=True):
        slope = math.log(row[30] / row[0]) / math.log(region.radius[30] / region.radius[0])
        assert slope == pytest.approx(2 * d, rel=0.05)
    assert all(
        chebyshev >= printed
        for rows in zip(region.printed, region.sharp, strict=True)
        for printed, chebyshev in zip(*rows, strict=True)
    )


def test_a_region_shows_what_its_words_say():
    region = wasserstein_region()
    assert repr(region) == "WassersteinRegion(away=1, d=1: 0.00959, d=2: 0.00841, d=3: 0.00661)"
    assert "d = 3: 0.00661, with radius 1.36 and a factor of 1.2" in region.describe()
    assert "8.14e-08 with radius 0.1" in region.describe()
    assert "<td>0.00661</td>" in region._repr_html_()
    lines = region.plot().get_lines()
    for line, row in zip(lines, region.printed, strict=True):
        assert list(line.get_ydata()) == list(row)
    bounded = wasserstein_region(ratio=1.1)
    assert "bounds the ratio by 1.1" in bounded.describe()
    assert all(max(a) < max(b) for a, b in zip(bounded.printed, region.printed, strict=True))


@pytest.mark.parametrize("dimension", [1, 3, 8])
def test_a_curve_is_made_of_the_bounds(dimension):
    curve = wasserstein_curve(1e-3, dimension=dimension, away=0.5)
    distribution = IsotropicNormal((0.0,) * dimension, 1)
    at = np.zeros(dimension)
    at[0] = 0.5 * math.sqrt(dimension)
    epsilon = math.sqrt(1e-3)
    for place in range(0, len(curve.radius), 20):
        radius = curve.radius[place]
        q = average(distribution, at, radius)
        assert curve.alone[place] == pytest.approx(
            lipschitz_bound(distribution.lipschitz, dimension, radius) / q, rel=1e-9
        )
        best = theorem_2_bound(
            q_average=q,
            radius=radius,
            epsilon=epsilon,
            lipschitz=distribution.lipschitz,
            dimension=dimension,
            shift="best",
        )
        assert curve.sharp[place] == pytest.approx(best.value / q, rel=1e-9)
        if radius > epsilon:
            printed = theorem_2_bound(
                q_average=q,
                radius=radius,
                epsilon=epsilon,
                lipschitz=distribution.lipschitz,
                dimension=dimension,
            )
            assert curve.printed[place] == pytest.approx(printed.value / q, rel=1e-9)
        else:
            assert curve.printed[place] == math.inf


def test_a_curve_shows_what_its_words_say():
    curve = wasserstein_curve(1e-3, dimension=3)
    assert repr(curve) == (
        "WassersteinCurve(distance=0.001, dimension=3, away=1, printed=1.788, sharp=1.197)"
    )
    assert "bounds it by 1.788 at best, with radius 1.85" in curve.describe()
    assert "for radii from 0.607 to 2.33" in curve.describe()
    assert min(curve.printed) == pytest.approx(1.788, rel=1e-3)
    lines = curve.plot().get_lines()
    assert list(lines[2].get_ydata()) == list(curve.alone)
    far = wasserstein_curve(200.0, dimension=2)
    assert "Theorem 2 needs a larger radius. At no radius it says more" in far.describe()
    assert far.factor == math.inf
    assert not far.informative


def test_bounds_say_whether_they_say_something():
    said = theorem_2_bound(q_average=0.1, radius=0.5, epsilon=0.001, lipschitz=0.1, dimension=1)
    assert said.says_something
    assert "is below what the Lipschitz constant says alone" in said.describe()
    assert repr(said).startswith("DensityBound(value=0.101403, factor=1.002")
    vacuous = theorem_2_bound(q_average=0.1, radius=0.5, epsilon=0.4, lipschitz=0.1, dimension=1)
    assert not vacuous.says_something
    assert "is not below" in vacuous._repr_html_()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: theorem_2_bound(
                q_average=0.1, radius=0.02, epsilon=0.02, lipschitz=1, dimension=1
            ),
            DomainError,
            "langevin:theorem-2-corrected needs radius > epsilon = 0.02, got 0.02",
        ),
        (
            lambda: theorem_2_bound(
                q_average=0.1, radius=0.02, epsilon=0.02, lipschitz=1, dimension=1, shift=0.03
            ),
            DomainError,
            "langevin:theorem-2-corrected needs radius > shift = 0.03, got 0.02",
        ),
        (
            lambda: theorem_2_bound(q_average=-1, radius=1, epsilon=0.1, lipschitz=1, dimension=1),
            ValueError,
            "q_average must be >= 0, got -1",
        ),
        (
            lambda: theorem_2_bound(q_average=1, radius=1, epsilon=0.1, lipschitz=0, dimension=1),
            ValueError,
            "lipschitz must be > 0, got 0",
        ),
        (
            lambda: theorem_2_bound(
                q_average=1, radius=1, epsilon=0.1, lipschitz=1, dimension=1, shift="least"
            ),
            ValueError,
            "shift must be > 0, got 'least'",
        ),
        (lambda: lipschitz_bound(1, 0), ValueError, "dimension must be an integer >= 1, got 0"),
        (lambda: smoothing_error(-1, 1), ValueError, "lipschitz must be >= 0, got -1"),
        (
            lambda: wasserstein_2(Normal(0, 1), Laplace(0, 1)),
            ValueError,
            "first and second must be normal distributions",
        ),
        (
            lambda: wasserstein_2(Normal(0, 1), IsotropicNormal((0, 0), 1)),
            ValueError,
            "first and second must be of one dimension, got 1 and 2",
        ),
        (lambda: wasserstein_curve(0), ValueError, "distance must be > 0, got 0"),
        (
            lambda: wasserstein_curve(1, dimension=21),
            ValueError,
            "dimension must be an integer <= 20, got 21",
        ),
        (lambda: wasserstein_region(away=4), ValueError, "away must be <= 3, got 4"),
        (lambda: wasserstein_region(ratio=1), ValueError, "ratio must be > 1, got 1"),
        (
            lambda: wasserstein_region(dimensions=()),
            ValueError,
            "dimensions must hold at least one, got none",
        ),
    ],
)
def test_unusable_input_is_named(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)
