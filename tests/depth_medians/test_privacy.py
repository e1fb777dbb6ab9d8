"""The privacy argument of the nested tests, step by step, by brute force on small datasets."""

import itertools
import math
import warnings
from dataclasses import replace

import numpy as np
import pytest

from dpbook.depth_medians import (
    FIGURE_1,
    PRINTED_LEAK,
    Setting,
    dataset,
    divergence_on_line,
    enumerate_samples,
    kernels,
    leaking_pair,
    normal_scores,
    outlyingness_of,
    search_for_jumps,
)
from dpbook.depth_medians.mechanisms import Ingredients, wide_rank
from dpbook.engine.claims import catalog

LEVELS = 4
LINE = np.ones((1, 1))


def ingredients(x, wide):
    """V_j, S_j and b_j of a sorted sample, for j = 0 .. LEVELS - 1."""
    shifts, spreads, scales = np.empty(LEVELS), np.empty(LEVELS), np.empty(LEVELS + 1)
    lowest = wide_rank(len(x))
    assert kernels.levels(x, 0, len(x) - 1, wide, lowest, shifts, spreads, scales)
    return shifts, spreads, scales


def median_and_mad(x):
    centre = x[(len(x) - 1) // 2]
    return centre, np.sort(np.abs(x - centre))[(len(x) - 1) // 2]


def neighbours(x):
    """A sample with each entry replaced by each of many values."""
    values = np.unique(np.concatenate((x, (x[1:] + x[:-1]) / 2, [x[0] - 50, x[-1] + 50])))
    for at, value in itertools.product(range(len(x)), values):
        y = x.copy()
        y[at] = value
        yield np.sort(y)


def samples(seed, count, sizes=(2, 3, 6, 9, 12)):
    rng = np.random.default_rng(seed)
    for turn in range(count):
        n = sizes[turn % len(sizes)]
        if turn % 3 == 0:
            yield np.sort(rng.normal(size=n))
        elif turn % 3 == 1:
            yield np.sort(rng.integers(0, 9, n).astype(float))
        else:
            yield np.sort(np.where(rng.random(n) < 0.4, 20.0, 0.0) + rng.integers(0, 5, n))


# --- 1: what one more row does is bounded, and level j is dominated by level j + 1 ----------------


@pytest.mark.parametrize("wide", [False, True])
def test_level_0_bounds_what_one_replaced_row_does(wide):
    moved = 0
    for x in samples(1, 60):
        shifts, spreads, scales = ingredients(x, wide)
        centre, mad = median_and_mad(x)
        assert scales[0] == mad
        for y in neighbours(x):
            other_centre, other_mad = median_and_mad(y)
            assert abs(other_centre - centre) <= shifts[0]
            assert abs(other_mad - mad) <= spreads[0] * (1 + 1e-12)
            assert scales[1] <= min(mad, other_mad)
            moved += other_mad != mad
    assert moved > 1000


@pytest.mark.parametrize("wide", [False, True])
def test_each_ingredient_is_dominated_by_that_of_a_neighbour_one_level_up(wide):
    """Without any tolerance: rounding keeps the order."""
    finite = 0
    for x in samples(2, 45):
        shifts, spreads, scales = ingredients(x, wide)
        for y in neighbours(x):
            others = ingredients(y, wide)
            for j in range(LEVELS - 1):
                assert shifts[j] <= others[0][j + 1]
                assert spreads[j] <= others[1][j + 1]
                assert scales[j] >= others[2][j + 1]
                finite += np.isfinite(others[1][j + 1])
    assert finite > 1000


# --- 2: so the margin changes by at most 1 --------------------------------------------------------

GRIDS = [(9, 6), (10, 6), (13, 5), (14, 5), (17, 4)]


@pytest.mark.parametrize(("n", "cells"), GRIDS)
@pytest.mark.parametrize("mode", ["nested", "nested_wide"])
def test_margins_of_all_neighbours_on_a_grid_differ_by_at_most_1(n, cells, mode):
    positive = 0
    counts = np.array(
        [
            np.bincount(row, minlength=cells)
            for row in itertools.combinations_with_replacement(range(cells), n)
        ]
    )
    sorted_rows = np.array([np.repeat(np.arange(float(cells)), row) for row in counts])
    code = counts @ (n + 1) ** np.arange(cells)
    order = np.argsort(code)
    found = np.empty(len(counts), dtype=np.int64)
    for tau, eta in ((1.0, 1.5), (1.0, 4.0), (3.0, 6.0), (0.2, 1.0), (1.0, 20.0)):
        kernels.margins(sorted_rows, tau, eta, 6, mode == "nested_wide", wide_rank(n), found)
        positive += int((found > 0).sum())
        for a, b in itertools.permutations(range(cells), 2):
            has = counts[:, a] > 0
            moved = code[has] - (n + 1) ** a + (n + 1) ** b
            there = order[np.searchsorted(code[order], moved)]
            assert (code[there] == moved).all()
            assert np.abs(found[has] - found[there]).max() <= 1
    assert positive > 0


def test_a_million_tries_find_no_jump_of_the_nested_margin():
    found = search_for_jumps(Setting(1, 1e-3, 3.0, 1.0, levels=8), 15, rng=np.random.default_rng(1))
    assert found.tries == 1_000_000
    assert found.largest == 1
    assert found.positive > 1_500_000


def test_a_search_finds_no_jump_of_a_nested_margin():
    for mode, n, tau, eta in (
        ("nested", 40, 1.0, 0.8),
        ("nested_wide", 16, 1.0, 4.0),
        ("nested", 101, 2.0, 0.5),
    ):
        setting = Setting(1, 1e-3, eta, tau, mode=mode, levels=8)
        found = search_for_jumps(setting, n, 60_000, rng=np.random.default_rng(n))
        assert found.largest == 1
        assert found.positive > 12_000
        assert "largest change 1 in 60000 tries" in repr(found)
        assert "changed by at most 1" in found.describe()


def test_whole_margin_in_the_plane_changes_by_at_most_1_with_its_volume_part():
    """The least outlyingness comes from a linear program; the volume part binds."""
    rng = np.random.default_rng(3)
    setting = Setting(17, 0.05, 0.44, 2.0, directions=12, levels=4)
    units = setting.directions_in(2)
    seen, bound_by_volume = set(), 0
    for turn in range(40):
        n = 101 if turn % 4 == 0 else 301
        x = rng.normal(size=(n, 2)) if turn % 2 else np.round(8 * rng.normal(size=(n, 2))) / 8
        if turn % 3 == 0:
            x[: n // 3] += 3
        first = setting.safety(x, units)
        for _ in range(6):
            y = x.copy()
            y[rng.integers(n)] = rng.choice([-30.0, 0.0, 1.0, 40.0], 2) + rng.random(2)
            second = setting.safety(y, units)
            assert abs(first.margin - second.margin) <= 1
            seen |= {first.margin, second.margin}
            stops = second.margin
            bound_by_volume += stops < 4 and second.deviation[stops] <= setting.eta
            if min(first.margin, second.margin) > 0:
                assert abs(first.minimum - second.minimum) <= setting.eta
    assert {0, 1, 2} <= seen
    assert bound_by_volume > 10


# --- 3: and level 0 implies safety ----------------------------------------------------------------


@pytest.mark.parametrize("mode", ["nested", "nested_wide"])
def test_a_positive_margin_means_that_all_neighbours_are_close(mode):
    """Exact divergences in one dimension."""
    rng = np.random.default_rng(4)
    tried, worst = 0, 0.0
    for turn in range(90):
        n = int(rng.integers(60, 260))
        x = np.sort(rng.normal(size=n) if turn % 2 else rng.uniform(-1, 1, n))
        delta = 10 ** rng.uniform(-4, -0.5)
        setting = Setting(
            rng.uniform(4, 40), delta, rng.uniform(0.05, 0.6), 2.0, mode=mode, levels=1
        )
        if setting.safety(x[:, None], LINE).margin == 0:
            continue
        places = [0, n // 4, n // 2 - 1, n // 2, n // 2 + 1, 3 * n // 4, n - 1]
        values = [-1e3, 1e3, x[n // 2], x[n // 4] + 1e-6, *x[places]]
        for at, value in itertools.product(places, values):
            y = x.copy()
            y[at] = value
            divergence = divergence_on_line(x, y, setting)
            assert divergence <= delta
            worst = max(worst, divergence / delta)
            tried += 1
    assert tried > 500
    assert 1e-6 < worst < 1  # close to nothing would show nothing


def test_sharp_safety_lemma_holds_on_random_costs():
    """Two costs within eta of each other on what either keeps: (epsilon / 2, x + x')-close."""
    rng = np.random.default_rng(5)
    tight = 0.0
    for _ in range(3000):
        epsilon, eta = rng.uniform(0.1, 4), rng.uniform(0.05, 1)
        tau = eta * rng.uniform(1.1, 5)
        cells = int(rng.integers(2, 9))
        volume = 10 ** rng.uniform(-2, 2, cells)
        one = rng.uniform(0, tau + eta, cells)
        other = np.abs(one + rng.choice([-eta, 0, eta, 0.3 * eta], cells))
        if (one <= tau).sum() == 0 or (other <= tau).sum() == 0:
            continue
        distributions, shells = [], 0.0
        for cost in (one, other):
            mass = np.where(cost <= tau, volume * np.exp(-epsilon * cost / (4 * eta)), 0)
            distributions.append(mass / mass.sum())
            shells += distributions[-1][cost > tau - eta].sum()
        for p, q in (distributions, distributions[::-1]):
            divergence = np.maximum(p - math.exp(epsilon / 2) * q, 0).sum()
            assert divergence <= shells + 1e-12
            if shells > 0:
                tight = max(tight, divergence / shells)
    assert tight > 0.5


def test_margins_of_tiny_samples_do_not_exceed_the_distance_to_unsafe_ones():
    found = enumerate_samples(
        Setting(20, 0.4, 3.0, 9.0, levels=6), 15, [0.0, 1.0, 2.0, 3.0, 5.0, 9.0]
    )
    assert len(found.samples) == 15_504
    assert found.largest_change == 1
    assert (found.margins > 0).sum() == 68
    assert (found.margins <= found.distances).all()
    assert 0 < found.worst <= 1
    assert (found.distances == 0).any()
    assert (found.distances[found.margins > 0] > 0).all()


# --- 4: the whole mechanism -----------------------------------------------------------------------


def test_unsafe_data_pass_with_chance_delta():
    setting = Setting(2, 0.01, 0.05, 1.0, directions=5)
    safety = setting.safety(np.zeros((20, 2)))
    assert safety.margin == 0
    assert safety.probability == pytest.approx(0.01)


AWKWARD = {
    "nan": np.full((30, 2), np.nan),
    "infinite": np.full((30, 2), np.inf),
    "huge": np.where(np.arange(60).reshape(30, 2) % 3 == 0, 1e308, -1e308),
    "constant": np.zeros((30, 2)),
    "one row": np.ones((1, 2)),
    "two rows": np.array([[0.0, 1.0], [2.0, 3.0]]),
    "half tied": np.where(np.arange(30)[:, None] < 16, 1.0, np.arange(60).reshape(30, 2)),
    "on a line": np.column_stack((np.arange(30.0), np.arange(30.0))),
    "smallest": 5e-324 * (np.arange(60).reshape(30, 2) % 4),
    "tiny": 1e-300 * np.arange(60.0).reshape(30, 2),
    "mixed": np.where(np.arange(60).reshape(30, 2) % 5 == 0, np.nan, np.arange(60).reshape(30, 2)),
    "far rows": np.concatenate((np.random.default_rng(0).normal(size=(40, 2)), [[1e300, -np.inf]])),
}


@pytest.mark.parametrize("name", AWKWARD)
@pytest.mark.parametrize("mode", ["nested", "nested_wide", "corrected", "printed"])
def test_no_data_make_the_private_path_fail(name, mode):
    """With delta = 1/2 the test passes on all data half of the time: draws are asked for too."""
    for eta in (0.05, 1e6):
        setting = Setting(1, 0.5, eta, 1e3, mode=mode, directions=6, levels=2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            released = [setting.release(AWKWARD[name], np.random.default_rng(k)) for k in range(6)]
            draws = setting(AWKWARD[name], 5, np.random.default_rng(1))
        assert draws.shape == (5, 2)
        for one in released:
            assert one.value is None or np.isfinite(one.value).all()
            assert isinstance(repr(one) + one.describe() + one._repr_html_(), str)


def test_more_dimensions_than_rows_give_nothing_but_no_error():
    data = np.random.default_rng(1).normal(size=(4, 7))
    setting = Setting(1, 1e-3, 0.1, 1.0, directions=40)
    assert setting.safety(data).margin == 0
    assert setting.release(data, np.random.default_rng(1)).value is None


def test_shapes_are_public_and_refused():
    setting = Setting(1, 1e-3, 0.1, 1.0, directions=3)
    for data in (
        np.zeros(5),
        np.zeros((0, 2)),
        np.zeros((2, 2, 2)),
        [[1.0], [1, 2]],
        [[1j]],
    ):
        with pytest.raises(ValueError, match="data must"):
            setting.release(data)
    with pytest.raises(ValueError, match="directions must span all 5 dimensions, got rank 3"):
        setting.release(np.zeros((9, 5)))


def test_rows_are_cleaned_one_by_one():
    data = np.array([[np.nan, 1.0], [np.inf, -np.inf], [2.0, 1e200]])
    from dpbook.depth_medians.mechanisms import cleaned

    assert cleaned(data).tolist() == [[0.0, 1.0], [1e100, -1e100], [2.0, 1e100]]


def test_numbers_that_no_float_holds_are_infinite_and_none_is_told_of():
    from dpbook.depth_medians.mechanisms import cleaned

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cleaned([[10**400, 1], [2, -(10**400)]]).tolist() == [[1e100, 1.0], [2.0, -1e100]]
        long = np.array([[1.0, 2.0]], dtype=np.longdouble)
        assert cleaned(long * np.longdouble("1e4000")).tolist() == [[1e100, 1e100]]
    setting = Setting(1, 1e-3, 0.1, 1.0, directions=3)
    assert setting.release([[10**400, 1], [2, 3]], np.random.default_rng(1)).value is None


# --- 5: the printed test leaks --------------------------------------------------------------------


def test_one_row_moves_the_printed_margin_from_16_to_0():
    jump = leaking_pair()
    assert jump.margins == (16, 0)
    assert (jump.before != jump.after).any(axis=1).sum() == 1
    first, second = (one.probability for one in jump.safeties)
    assert (round(first, 4), round(second, 4)) == (0.9161, 0.001)
    assert jump.delta == pytest.approx(0.913, abs=5e-4)
    assert jump.delta == pytest.approx(first - math.e * second)
    assert "needs delta 0.9134" in jump.describe()
    assert "16 to 0" in repr(jump)
    heights = [bar.get_height() for bar in jump.plot().patches]
    assert heights == [first, second]


def test_mended_constants_do_not_make_it_private():
    jump = leaking_pair(replace(PRINTED_LEAK, mode="corrected"))
    assert jump.change > 1
    assert jump.delta > 0.05


def test_nested_margins_of_the_same_pair_are_close():
    jump = leaking_pair()
    for mode in ("nested", "nested_wide"):
        setting = replace(PRINTED_LEAK, mode=mode)
        margins = [setting.safety(data).margin for data in (jump.before, jump.after)]
        assert abs(margins[0] - margins[1]) <= 1


def test_pairs_are_asked_for_where_there_are_any():
    with pytest.raises(ValueError, match="mode must be printed or corrected"):
        leaking_pair(replace(PRINTED_LEAK, mode="nested"))
    with pytest.raises(ValueError, match="n must be odd"):
        leaking_pair(n=100)
    with pytest.raises(ValueError, match="volume part must hold"):
        leaking_pair(replace(PRINTED_LEAK, tau=0.01))
    with pytest.raises(ValueError, match="mode must be nested"):
        search_for_jumps(PRINTED_LEAK, 9, 10)
    with pytest.raises(ValueError, match="at most 300 000"):
        enumerate_samples(Setting(1, 0.1, 1, 1), 30, range(30))
    assert normal_scores(3)[:, 0] == pytest.approx([-0.967422, 0, 0.967422], abs=1e-6)


# --- 6: the panels of Figure 1 --------------------------------------------------------------------


@pytest.mark.parametrize("panel", ["clean", "contaminated", "cauchy"])
def test_default_test_releases_every_panel_and_the_printed_one_not_the_contaminated(panel):
    data = dataset(panel, 10_000, 2, np.random.default_rng(6))
    few = replace(FIGURE_1, directions=120, levels=9)
    margins = {
        mode: replace(few, mode=mode).safety(data).margin
        for mode in ("nested", "nested_wide", "printed")
    }
    assert margins["nested"] >= 3
    assert (margins["printed"] == 0) == (panel == "contaminated")
    assert margins["nested_wide"] < margins["nested"]
    assert (margins["nested_wide"] == 0) == (panel == "contaminated")
    released = few.release(data, np.random.default_rng(7))
    assert released.value is not None
    assert released.exact
    fitted = outlyingness_of(data, few.directions_in(2))
    assert fitted(released.value[None, :])[0] <= few.tau
    assert released.spent == "(10, 0.001)"


def test_a_margin_by_scales_of_its_own_is_affine_invariant():
    """Each direction is measured by its own scale: units of the data do not matter."""
    rng = np.random.default_rng(8)
    data = rng.normal(size=(3000, 2))
    setting = replace(FIGURE_1, eta=0.06, directions=60, levels=12)
    units = setting.directions_in(2)
    stretch = np.array([[300.0, 10.0], [0.0, 0.01]])
    mapped = units @ np.linalg.inv(stretch)
    mapped /= np.linalg.norm(mapped, axis=1)[:, None]
    first = setting.safety(data, units)
    second = setting.safety(data @ stretch.T + [7.0, -1e3], mapped)
    assert 0 < first.margin < 12
    assert first.margin == second.margin
    assert first.deviation == pytest.approx(second.deviation, rel=1e-6)
    assert first.minimum == pytest.approx(second.minimum, rel=1e-6)


def test_ingredients_are_those_of_each_direction_alone():
    rng = np.random.default_rng(9)
    data, units = rng.normal(size=(501, 3)), FIGURE_1.directions_in(3)[:7]
    whole = Ingredients.of(data, units, 3)
    for k, u in enumerate(units):
        shifts, spreads, scales = np.empty(3), np.empty(3), np.empty(4)
        x = np.sort(data @ u)
        kernels.levels(x, 0, 500, False, 1, shifts, spreads, scales)
        assert whole.shifts[k] == pytest.approx(shifts, rel=1e-9)
        assert whole.spreads[k] == pytest.approx(spreads, rel=1e-9)
        assert whole.scales[k] == pytest.approx(scales, rel=1e-9)
        alone = Ingredients.of(data, units[k : k + 1], 3)
        assert alone.deviation(1.0)[0] <= whole.deviation(1.0)[0] * (1 + 1e-12)


def test_only_the_nested_tests_spend_a_finite_epsilon():
    for mode, epsilon in (
        *(("nested", 2.0), ("nested_wide", 2.0)),
        *(("corrected", math.inf), ("printed", math.inf)),
    ):
        spent = Setting(epsilon=2, delta=0.01, eta=0.1, tau=1, mode=mode).accounting
        assert (spent.epsilon, spent.delta) == (epsilon, 0.01)
        assert catalog.find(spent.lines[0].claim) is not None
