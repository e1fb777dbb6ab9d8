"""Figure 1, its competitors, the explorers, and what Langevin steps spend."""

import dataclasses
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import kstest

from dpbook.depth_medians import (
    Setting,
    SmoothedDepth,
    dataset,
    divergence_on_line,
    kernels,
    outlyingness_of,
    random_directions,
    studies,
)
from dpbook.depth_medians.audits import langevin_distributions
from dpbook.depth_medians.explorers import one_release, plane, plane_explorer, release_explorer
from dpbook.study import Cell, Scale, compute, run
from dpbook.teaching import figures

# --- competitors ----------------------------------------------------------------------------------


def test_smoothed_depth_is_the_mean_over_directions_of_sums():
    rng = np.random.default_rng(1)
    data, units = rng.normal(size=(80, 2)) + [1.0, 0.0], random_directions(2, 15, rng)
    points = rng.normal(size=(6, 2)) + [1.0, 0.0]
    whole = SmoothedDepth.of(data, units)
    for x, found in zip(points, whole(points), strict=True):
        f = np.array([expit(10 * (x - data) @ u).mean() for u in units])
        assert found == pytest.approx((f * (1 - f)).mean(), abs=2e-4)


def test_deepest_point_is_deeper_than_others_near_it():
    rng = np.random.default_rng(2)
    depth = SmoothedDepth.of(dataset("contaminated", 2000, 3, rng), random_directions(3, 60, rng))
    best = depth.median()
    others = best + 0.1 * rng.normal(size=(100, 3))
    assert depth(best[None, :])[0] >= depth(others).max() - 1e-6


def test_private_smoothed_median_follows_its_density():
    """In one dimension against a grid; false alarm 1e-6, two-sided."""
    rng = np.random.default_rng(3)
    depth = SmoothedDepth.of(rng.normal(size=(50, 1)), np.ones((1, 1)))
    draws = [depth.private(1.0, 25.0, rng, 100)[0] for _ in range(300)]
    at = np.linspace(-9, 9, 20_001)
    density = np.exp(50 * 1.0 / 2 * depth(at[:, None]) - at**2 / 50)
    mass = np.cumsum(density) / density.sum()
    assert kstest(draws, lambda v: np.interp(v, at, mass)).pvalue > 1e-6


def test_one_row_changes_smoothed_depth_by_at_most_one_over_n():
    rng = np.random.default_rng(4)
    units = random_directions(2, 20, rng)
    for _ in range(5):
        data = rng.normal(size=(40, 2))
        other = data.copy()
        other[0] = 5 * rng.normal(size=2)
        points = rng.normal(size=(60, 2))
        change = [SmoothedDepth.of(rows, units)(points) for rows in (data, other)]
        assert np.abs(change[0] - change[1]).max() <= 1 / 40 + 1e-3


def test_panels_are_what_they_say():
    rng = np.random.default_rng(6)
    rows = dataset("contaminated", 1000, 2, rng)
    assert rows[:250].mean() == pytest.approx(5, abs=0.2)
    assert rows[250:].mean() == pytest.approx(0, abs=0.2)
    assert np.median(np.abs(dataset("cauchy", 4000, 1, rng))) == pytest.approx(1, abs=0.15)
    with pytest.raises(ValueError, match="panel must be one of clean, contaminated, cauchy"):
        dataset("dirty", 10, 2)


# --- Figure 1 -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def figure():
    small = Scale(
        [{"panel": p, "dimension": 2, "n": 5000} for p in ("clean", "contaminated", "cauchy")], 2
    )
    return run(dataclasses.replace(studies.figure_1, scales={"quick": small}))


def test_figure_says_what_the_paper_leaves_out(figure):
    clean, dirty, cauchy = figure.places
    assert [place.repetitions for place in figure.places] == [2, 2, 2]
    assert dirty.margins["printed"] == 0
    assert dirty.passes["printed"] == pytest.approx(1e-3)
    assert dirty.volume > math.log(1e-3) > clean.volume
    assert clean.errors["mean"] < 0.1 < 1.5 < dirty.errors["mean"]
    assert dirty.errors["median"] < 0.5 * dirty.errors["mean"]
    assert cauchy.errors["median"] < 0.1


def test_default_test_passes_on_every_panel_at_the_size_of_the_paper():
    for panel in ("contaminated", "cauchy"):
        setting = {"panel": panel, "dimension": 2, "n": 10_000}
        record = compute(studies.figure_1, (setting, 0), 0)
        assert record["margin_nested"] >= 3
        assert record["passes_nested"] > 0.999
        assert math.isfinite(record["private"])
        assert compute(studies.figure_1, (setting, 0), 0) == record


def test_figure_shows_what_its_words_and_its_table_say(figure):
    ax = figure.plot()
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert list(lines) == list(studies.ESTIMATES.values())
    assert list(lines["PD median"].get_ydata()) == [figure.places[0].errors["median"]]
    assert len(ax.get_figure().get_axes()) == 3
    assert f"PD median {figure.places[0].errors['median']:.3g} and" in figure.describe()
    assert figures.show(figure).alt == figure.describe()
    assert "<td>contaminated</td>" in figure._repr_html_()
    assert "clean d=2: PD" in repr(figure)
    alone = figures.axes()
    assert figure.plot(alone) is alone
    assert figure.rows[1]["printed log volume"] == figure.places[1].volume


def test_errors_are_root_mean_squares_over_releases():
    base = dict.fromkeys(studies.ESTIMATES, 1.0)
    base |= {f"{what}_{mode}": 1.0 for what in ("margin", "passes") for mode in studies.MODES}
    base |= {"minimum": 0.1, "exact": 1.0, "volume": -70.0}
    records = [base, {**base, "private": 7.0, "exact": 0.0}, {**base, "private": math.nan}]
    cells = [Cell({"panel": "clean", "dimension": 2, "n": 9}, k, r) for k, r in enumerate(records)]
    [place] = studies.FigureOne.of(cells).places
    assert place.errors["private"] == 5
    assert place.released == 2 / 3
    assert place.exact == 0.5


def test_paper_scale_is_that_of_the_paper():
    scale = studies.figure_1.scales["paper"]
    assert scale.replicates == 50
    assert {s["dimension"] for s in scale.settings} == {2, 5, 10, 15, 20}
    assert {s["n"] for s in scale.settings} == {10_000}
    assert pickle.loads(pickle.dumps(studies.figure_1)) is studies.figure_1


# --- explorers ------------------------------------------------------------------------------------


def test_explorers_have_frames_that_say_different_things():
    for explorer in (plane_explorer(), release_explorer()):
        said = [explorer.function(**frame).describe() for frame in explorer.frames]
        assert len(set(said)) >= len(said) - 1


def test_median_stays_and_the_mean_goes_with_a_dragged_cloud():
    near, far = plane(0.25, 5.0, 1.0, 300), plane(0.25, 30.0, 1.0, 300)
    assert np.linalg.norm(far.median) < np.linalg.norm(near.median) + 0.5
    assert np.linalg.norm(far.mean) > 5 * np.linalg.norm(near.mean)
    broken = plane(0.55, 30.0, 1.0, 300)
    assert np.linalg.norm(broken.median) > 15
    ax = near.plot()
    assert ax.get_legend() is not None
    assert near.describe() in near._repr_html_()
    assert repr(near).startswith("Plane(400 points, 100 moved")


def test_release_explorer_shows_the_levels_and_what_is_allowed():
    released = one_release("clean", "nested", 10.0, 0.03, 1.0)
    ax = released.plot()
    shown, allowed = ax.get_lines()[:2]
    assert list(shown.get_ydata()) == list(released.safety.deviation)
    assert allowed.get_ydata()[0] == 0.03
    assert [row["level"] for row in released.safety.rows] == [0, 1, 2]
    assert "<td>" in released.safety._repr_html_()
    assert "margin 3" in released.safety.describe()
    assert "mode nested" in repr(released.safety)


# --- Langevin steps -------------------------------------------------------------------------------


def test_distributions_of_langevin_steps_are_those_of_simulated_chains():
    """False alarm 1e-6, two-sided."""
    x = np.random.default_rng(7).normal(size=51) + 0.5
    setting = Setting(2, 0.01, 0.1, 1.0)
    distributions = langevin_distributions(x, x, setting, 60, 0.01)
    centre = np.sort(x)[25]
    scale = np.sort(np.abs(x - centre))[25]
    ends = []
    for seed in range(1500):
        rng = np.random.default_rng(seed)
        y = rng.standard_normal(1)
        noise = rng.standard_normal((60, 1))
        kernels.langevin(
            np.array([[1 / scale]]), np.array([centre / scale]), setting.beta, 1.0, 0.01, y, noise
        )
        ends.append(y[0])
    mass = np.cumsum(distributions.first) * (distributions.grid[1] - distributions.grid[0])
    assert mass[-1] == pytest.approx(1, abs=1e-9)
    assert kstest(ends, lambda v: np.interp(v, distributions.grid, mass)).pvalue > 1e-6
    assert distributions.delta(0) == 0


def test_distributions_in_the_plane_are_those_of_simulated_chains():
    """Coordinates, and outlyingness, which sees every cell of the drift; false alarm 1e-6 each."""
    x = np.random.default_rng(9).normal(size=(101, 2)) + [0.3, -0.2]
    setting = Setting(2, 0.01, 0.05, 1.0, directions=5)
    distributions = langevin_distributions(x, x, setting, 40, 0.01)
    assert distributions.first.sum() * distributions.width**2 == pytest.approx(1, abs=1e-7)
    assert distributions.delta(0) == 0
    fitted = outlyingness_of(x, setting.directions_in(2))
    ends = np.empty((4000, 2))
    for seed, y in enumerate(ends):
        rng = np.random.default_rng(seed)
        y[:] = rng.standard_normal(2)
        noise = rng.standard_normal((40, 2))
        kernels.langevin(fitted.scaled, fitted.offset, setting.beta, 1.0, 0.01, y, noise)
    upper = distributions.grid + distributions.width / 2
    for k in (0, 1):
        mass = np.cumsum(distributions.marginals(distributions.first)[k]) * distributions.width
        assert kstest(ends[:, k], lambda v, m=mass: np.interp(v, upper, m)).pvalue > 1e-6
    places = np.stack(
        np.meshgrid(distributions.grid, distributions.grid, indexing="ij"), axis=-1
    ).reshape(-1, 2)
    cost = fitted(places)
    order = np.argsort(cost)
    mass = np.cumsum(distributions.first.ravel()[order]) * distributions.width**2
    assert kstest(fitted(ends), lambda v: np.interp(v, cost[order], mass)).pvalue > 1e-6
    # without any drift the distribution is normal, and the same test sees it
    free = np.sqrt(1 + 2 * 0.01 * 40)
    assert kstest(ends[:, 0] / free, "norm").pvalue < 1e-6


def test_steps_in_the_plane_approach_the_mechanism():
    """The exact distribution on the same grid; the chain is stopped, and its steps are not small."""
    x = np.random.default_rng(8).normal(size=(41, 2))
    y = x.copy()
    y[:2] = y[:1] + 3.0
    setting = Setting(2, 0.01, 0.4, 10.0, directions=2)  # the cut is far away
    few, many = (langevin_distributions(x, y, setting, steps, 0.03) for steps in (3, 100))
    places = np.stack(np.meshgrid(many.grid, many.grid, indexing="ij"), axis=-1).reshape(-1, 2)
    exact = []
    for rows in (x, y):
        weight = np.exp(-setting.beta * outlyingness_of(rows, setting.directions_in(2))(places))
        exact.append(weight / weight.sum())
    wanted = np.maximum(exact[0] - exact[1], 0).sum()
    assert few.delta(0) < 0.3 * wanted
    assert many.delta(0) == pytest.approx(wanted, rel=0.15)
    assert many.delta(many.epsilon(0.01)) == pytest.approx(0.01, rel=1e-6)
    assert many.epsilon(0.999) == 0
    assert "by coordinate; the distributions are" in many.describe()
    assert many.plot().get_xlabel() == "first coordinate of the chain"
    for wrong, said in [
        (
            lambda: langevin_distributions(x, y[:, :1], setting, 1),
            "must have 1 column, or both 2, got 2",
        ),
        (lambda: langevin_distributions(x, 0 * y, setting, 1), "second must have a MAD > 0"),
        (
            lambda: langevin_distributions(x, y, replace(setting, directions=33), 1),
            "at most 32, got 33",
        ),
        (lambda: langevin_distributions(x, y, setting, 1, 1e-5), "rate must be larger"),
    ]:
        with pytest.raises(ValueError, match=said):
            wrong()


def test_steps_spend_little_at_first_and_approach_the_mechanism():
    x = np.sort(np.random.default_rng(8).normal(size=41))
    y = x.copy()
    y[0] = 3.0
    setting = Setting(2, 0.01, 0.2, 50.0)  # the cut is far away
    few, many = (langevin_distributions(x, y, setting, steps, 0.004) for steps in (5, 3000))
    exact = divergence_on_line(x, y, setting, 0.0)
    assert few.delta(0) < 0.2 * exact
    assert many.delta(0) == pytest.approx(exact, rel=0.1)
    assert many.delta(0.5) <= many.delta(0)
    assert "3000 steps" in repr(many)
    assert "in total variation" in many.describe()
    assert len(many.plot().get_lines()) == 2
    with pytest.raises(ValueError, match="second must have a MAD > 0"):
        langevin_distributions(x, np.zeros(41), setting, 1)
