"""Outlyingness and depth: by hand, by enumeration, and what must not change them."""

import math

import numpy as np
import pytest

from dpbook.depth_medians import (
    MedianIQR,
    MedianMAD,
    MedianOfMeans,
    Trimmed,
    exact_directions,
    kernels,
    outlyingness,
    outlyingness_of,
    projection_depth,
    random_directions,
    refined_directions,
)
from dpbook.depth_medians import projections as module
from dpbook.depth_medians.projections import Outlyingness, least_point

LINE = np.ones((1, 1))


def circle(size):
    angles = 2 * np.pi * np.arange(size) / size
    return np.column_stack((np.cos(angles), np.sin(angles)))


# --- by hand --------------------------------------------------------------------------------------


def test_outlyingness_on_a_line_is_what_one_computes_by_hand():
    data = np.array([[1.0], [2.0], [3.0], [5.0], [9.0]])  # median 3, MAD 2
    assert outlyingness([[3.0], [7.0], [-1.0]], data, LINE).tolist() == [0, 2, 2]
    assert projection_depth([[3.0], [7.0]], data, LINE).tolist() == [1, 1 / 3]
    even = np.array([[0.0], [1.0], [2.0], [10.0]])
    lower = MedianMAD().fit(even, LINE)
    average = MedianMAD("average").fit(even, LINE)
    assert [float(v[0]) for v in lower] == [1, 1]
    assert [float(v[0]) for v in average] == [1.5, 1.0]


def test_estimators_are_what_their_definitions_say():
    x = np.array([7.0, 1.0, 3.0, 100.0, 4.0, 0.0, 5.0, 2.0, 6.0, -50.0])[:, None]
    location, scale = Trimmed(0.1).fit(x, LINE)
    assert (location[0], scale[0]) == (3.5, 2.0)  # 0 .. 7
    location, scale = Trimmed(0.0).fit(x, LINE)
    assert location[0] == pytest.approx(x.mean())
    assert scale[0] == pytest.approx(np.abs(x - x.mean()).mean())
    location, scale = MedianIQR().fit(x, LINE)
    assert (location[0], scale[0]) == (3.0, 7.0)  # second smallest 0, second largest 7
    location, scale = MedianOfMeans(5).fit(x, LINE)
    means = x.reshape(5, 2).mean(axis=1)  # 4, 51.5, 2, 3.5, -22
    assert location[0] == 3.5
    assert scale[0] == np.sort(np.abs(means - 3.5))[2]
    constant = np.full((10, 1), 7.0)
    assert Trimmed(0.2).fit(constant, LINE)[0][0] == 7.0  # the printed index gives 49 / 6


def test_trimmed_mean_is_equivariant():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(23, 1))
    for estimator in (Trimmed(0.13), MedianMAD("average"), MedianIQR(), MedianOfMeans(7)):
        location, scale = estimator.fit(x, LINE)
        moved, stretched = estimator.fit(3 * x + 5, LINE)
        assert moved == pytest.approx(3 * location + 5)
        assert stretched == pytest.approx(3 * scale)


@pytest.mark.parametrize("estimator", [MedianMAD(), Trimmed(0.2), MedianIQR(), MedianOfMeans(9)])
def test_outlyingness_is_the_maximum_over_directions(estimator):
    rng = np.random.default_rng(2)
    data, points, units = rng.normal(size=(50, 3)), rng.normal(size=(8, 3)), circle(3)
    units = random_directions(3, 25, rng)
    expected = np.zeros(8)
    for u in units:
        location, scale = estimator.fit((data @ u)[:, None], LINE)
        expected = np.maximum(expected, np.abs(points @ u - location) / scale)
    fitted = outlyingness_of(data, units, estimator)
    assert fitted(points) == pytest.approx(expected, rel=1e-12)
    assert fitted.depth(points) == pytest.approx(1 / (1 + expected), rel=1e-12)
    assert isinstance(estimator.name, str)


# --- what must hold -------------------------------------------------------------------------------


def test_affine_maps_of_data_points_and_directions_change_nothing():
    rng = np.random.default_rng(3)
    data, points = rng.normal(size=(60, 3)), rng.normal(size=(9, 3))
    units = random_directions(3, 40, rng)
    matrix, move = rng.normal(size=(3, 3)), rng.normal(size=3)
    mapped = units @ np.linalg.inv(matrix)
    mapped /= np.linalg.norm(mapped, axis=1)[:, None]
    for estimator in (MedianMAD(), Trimmed(0.1), MedianIQR()):
        first = outlyingness(points, data, units, estimator)
        second = outlyingness(points @ matrix.T + move, data @ matrix.T + move, mapped, estimator)
        assert second == pytest.approx(first, rel=1e-8)


def test_outlyingness_is_convex_and_its_gradient_is_a_subgradient():
    rng = np.random.default_rng(4)
    fitted = outlyingness_of(rng.normal(size=(80, 4)), random_directions(4, 60, rng))
    x, y = rng.normal(size=(50, 4)), rng.normal(size=(50, 4))
    weight = rng.random((50, 1))
    between = fitted(weight * x + (1 - weight) * y)
    assert (between <= weight[:, 0] * fitted(x) + (1 - weight[:, 0]) * fitted(y) + 1e-12).all()
    gradient = fitted.gradient(x)
    assert (fitted(y) >= fitted(x) + np.einsum("ij,ij->i", gradient, y - x) - 1e-12).all()
    step = 1e-6 * rng.normal(size=(50, 4))
    change = fitted(x + step) - fitted(x)
    assert change == pytest.approx(np.einsum("ij,ij->i", gradient, step), abs=1e-10)


def test_blocks_and_threads_change_nothing(monkeypatch):
    rng = np.random.default_rng(5)
    data, units = rng.normal(size=(700, 3)), random_directions(3, 600, rng)
    points = rng.normal(size=(300, 3))
    whole = outlyingness_of(data, units)
    first = whole(points)
    assert len(data) * len(units) > module.SMALL
    for held, small in ((3000, 1), (700, 10**9), (2**21, 10**9)):
        monkeypatch.setattr(module, "HELD", held)
        monkeypatch.setattr(module, "SMALL", small)
        again = outlyingness_of(data, units)
        assert (again.location == whole.location).all()
        assert (again.scale == whole.scale).all()
        assert (again(points) == first).all()
        assert (again.steepest(points)[2] == first).all()


def test_a_projection_does_not_depend_on_the_rows_beside_it():
    rng = np.random.default_rng(12)
    for d in (1, 2, 3, 8, 9):
        data, units = rng.normal(size=(1100, d)), random_directions(d, 5, rng)
        whole, part = np.empty((len(units), 1100)), np.empty((len(units), 37))
        kernels.project(units, np.ascontiguousarray(data.T), whole)
        rows = rng.permutation(1100)[:37]
        kernels.project(units, np.ascontiguousarray(data[rows].T), part)
        assert (part == whole[:, rows]).all()
        assert whole == pytest.approx(units @ data.T, rel=1e-12, abs=1e-14)


def test_many_rows_never_stand_in_memory_at_once():
    seen = []
    data, units = np.zeros((module.HELD // 3, 1)), np.ones((8, 1))
    module.over_directions(data, units, lambda samples, rows: seen.append(samples.shape[0]))
    assert sum(seen) == 8
    assert max(seen) * len(data) <= module.HELD


# --- directions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [5, 10, 21, 40])
def test_exact_directions_lose_nothing_in_the_plane(n):
    rng = np.random.default_rng(n)
    data, points = rng.normal(size=(n, 2)), 2 * rng.normal(size=(12, 2))
    if n == 10:
        data = np.round(2 * data)  # ties and points on one line
    exact = exact_directions(data)
    try:
        fitted = outlyingness_of(data, exact)
    except ValueError:  # a direction in which half of the points are one
        location, scale = MedianMAD().fit(data, exact)
        assert scale.min() == 0
        return
    fine = outlyingness_of(data, circle(20_000))
    gap = fitted(points) - fine(points)
    assert gap.min() >= -1e-9
    assert gap.max() < 0.05 * fitted(points).max()


def test_random_directions_come_close_from_below_and_refined_ones_closer():
    rng = np.random.default_rng(6)
    data, points = rng.normal(size=(31, 2)), rng.normal(size=(5, 2))
    exact = outlyingness_of(data, exact_directions(data))(points)
    start = random_directions(2, 12, rng)
    coarse = outlyingness_of(data, start)(points)
    refined = outlyingness_of(data, refined_directions(points, data, start, rng=rng))(points)
    assert (coarse <= exact + 1e-9).all()
    assert (refined <= exact + 1e-9).all()
    assert (refined >= coarse).all()
    assert (exact - refined).sum() < 0.3 * (exact - coarse).sum()


def test_random_directions_are_uniform_on_the_sphere():
    units = random_directions(3, 40_000, np.random.default_rng(7))
    assert np.linalg.norm(units, axis=1) == pytest.approx(np.ones(40_000))
    # each coordinate is uniform on -1 .. 1; six standard errors: 2e-9 a number, two-sided
    assert np.abs(units.mean(axis=0)).max() < 6 * math.sqrt(1 / 3 / 40_000)
    assert np.abs((units**2).mean(axis=0) - 1 / 3).max() < 6 * math.sqrt(4 / 45 / 40_000)
    assert random_directions(1, 50).tolist() == [[1.0]]


# --- the median -----------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_least_outlyingness_is_certified_by_its_dual(d):
    rng = np.random.default_rng(d)
    for units in (random_directions(d, 30 * d, rng),):
        fitted = outlyingness_of(rng.normal(size=(101, d)) + 3.0, units)
        point, least, bound = fitted.minimum()
        assert fitted(point[None, :])[0] == pytest.approx(least, rel=1e-12)
        assert bound <= least
        assert least - bound < 1e-9
        nearby = point + 0.1 * rng.normal(size=(300, d))
        assert (fitted(nearby) >= least - 1e-12).all()


def test_descent_comes_close_to_the_linear_program_from_above():
    rng = np.random.default_rng(8)
    fitted = outlyingness_of(rng.normal(size=(200, 3)), random_directions(3, 60, rng))
    point, least, _ = fitted.minimum()
    x, found = np.full(3, 1.0), np.inf
    for rate in 0.3 / np.sqrt(np.arange(1, 4001.0)) ** 1.4:  # subgradient descent
        out = fitted.scaled @ x - fitted.offset
        steepest = np.argmax(np.abs(out))
        if abs(out[steepest]) < found:
            found, best = abs(out[steepest]), x.copy()
        x -= rate * np.sign(out[steepest]) * fitted.scaled[steepest]
    assert least <= found < least + 0.01
    assert fitted(best[None, :])[0] == pytest.approx(found)
    assert np.linalg.norm(best - point) < 0.2


def test_median_moves_with_the_data_and_survives_a_quarter_of_them():
    rng = np.random.default_rng(9)
    data, units = rng.normal(size=(300, 2)), random_directions(2, 80, rng)
    first = outlyingness_of(data, units).minimum()[0]
    moved = outlyingness_of(data + [100.0, -7.0], units).minimum()[0]
    assert moved == pytest.approx(first + [100.0, -7.0], abs=1e-6)
    data[:75] = 1e9
    assert np.linalg.norm(outlyingness_of(data, units).minimum()[0]) < 5


def test_no_program_is_solved_where_there_is_nothing_to_solve():
    assert least_point(np.full((2, 1), np.inf), np.zeros(2))[1] == math.inf
    assert least_point(np.zeros((2, 2)), np.ones(2))[1] == math.inf
    assert least_point(np.eye(2), np.array([3.0, 4.0]))[1] == pytest.approx(0, abs=1e-12)


# --- what is refused ------------------------------------------------------------------------------


def test_bad_input_gets_one_clear_line():
    rng = np.random.default_rng(10)
    data, units = rng.normal(size=(20, 2)), random_directions(2, 10, rng)
    bad = data.copy()
    bad[3, 1] = np.nan
    for call, said in [
        (lambda: outlyingness_of(bad, units), "data must be finite, got nan in row 3"),
        (lambda: outlyingness_of([[1, 2], [3]], units), "real numbers, in rows of one length$"),
        (lambda: outlyingness_of([[1, 2j]], units), "real numbers, in rows of one length$"),
        (lambda: outlyingness_of(data[:1], units), "data must have 2 rows at least, got 1"),
        (lambda: outlyingness_of(data, 2 * units), "rows of length 1, got 2 in row 0"),
        (lambda: outlyingness_of(data, units[:, :1]), "directions must have 2 columns, got 1"),
        (lambda: outlyingness_of(np.zeros((9, 2)), units), "scale must be > 0 in each direction"),
        (lambda: outlyingness([[1.0]], data, units), "points must have 2 columns, got 1"),
        (lambda: outlyingness_of(data, units[:1]).minimum(), "span all 2 dimensions, got rank 1"),
        (lambda: outlyingness_of(data, units, MedianOfMeans(30)), "blocks must be <= n = 20"),
        (lambda: Trimmed(0.5), r"fraction must be in \[0, 1/2\)"),
        (lambda: MedianMAD("upper"), 'even must be "lower" or "average"'),
        (lambda: random_directions(0, 3), "dimension must be an integer >= 1"),
        (lambda: random_directions(2, 3, 7), "rng must be a numpy.random.Generator"),
        (lambda: exact_directions(np.zeros((401, 2))), "data must have at most 400 rows, got 401"),
        (lambda: exact_directions(np.zeros((4, 3))), "data must have 2 columns"),
    ]:
        with pytest.raises(ValueError, match=said) as error:
            call()
        assert "\n" not in str(error.value)


def test_words_and_picture_say_the_same():
    rng = np.random.default_rng(11)
    fitted = outlyingness_of(rng.normal(size=(30, 2)), random_directions(2, 10, rng))
    assert "10 directions in 2 dimensions" in repr(fitted)
    assert f"{fitted.scale.max():.4g}" in fitted.describe()
    assert fitted.describe() in fitted._repr_html_()
    [line] = fitted.plot().get_lines()
    assert sorted(line.get_ydata()) == sorted(fitted.scale)
    cube = Outlyingness(np.eye(3), np.zeros(3), np.ones(3))
    assert list(cube.plot().get_lines()[0].get_ydata()) == [1, 1, 1]


def test_directions_in_the_plane_do_not_depend_on_rounding():
    # the angles of a reversed or doubled sample are rounded otherwise, or at other places
    data = np.random.default_rng(5).standard_normal((31, 2))
    size = len(exact_directions(data))
    assert {len(exact_directions(other)) for other in (data[::-1], 3 * data, -data)} == {size}


def test_a_cell_that_is_no_number_is_nan_and_masks_and_dates_are_refused():
    from dpbook.depth_medians.projections import matrix

    rows = [[1.0, "N/A"], [2.0, 3.0]]
    for data in (rows, np.array(rows, dtype=object), np.array(rows, dtype=str)):
        np.testing.assert_array_equal(matrix("data", data), [[1.0, np.nan], [2.0, 3.0]])
    for data in (
        np.ma.masked_array([[1.0]], [[True]]),
        np.array([["2020-01-01"]], "datetime64[D]"),
    ):
        with pytest.raises(ValueError, match="without a mask, dates or times"):
            matrix("data", data)


@pytest.mark.parametrize("epsilon", [1e-4, 1e-9, 1e-300])
def test_an_epsilon_that_needs_too_many_levels_is_refused(epsilon):
    from dpbook.depth_medians import Setting

    with pytest.raises(ValueError, match="epsilon must be larger, .* more than 10000 levels"):
        Setting(epsilon=epsilon, delta=1e-3, eta=0.05, tau=1.5)
