"""The table and the figures: small versions, and that picture, words and table agree."""

import dataclasses
import math

import numpy as np
import pytest

from dpbook.contamination import Regression, private_mean, studies, tail_particles
from dpbook.contamination.estimator import EpsilonEstimate, Unresolved
from dpbook.study import Scale, compute, listed, run
from dpbook.teaching import figures


def small(study, settings, replicates=1):
    return run(dataclasses.replace(study, scales={"quick": Scale(settings, replicates)}))


@pytest.fixture(scope="module")
def table():
    settings = [{"n": n, "datasets": 150} for n in (2000, 10_000)]
    return small(studies.table_1, settings, replicates=2)


def test_table_has_the_papers_values_beside_ours(table):
    assert [row["paper"] for row in table.rows] == [0.72, 0.32]
    for row, exact, sharp in zip(table.rows, (0.266, 0.1285), (0.370, 0.181), strict=True):
        assert row["datasets"] == 300
        assert row["exact"] == pytest.approx(exact, rel=0.02)
        assert row["sharp"] == pytest.approx(sharp, rel=0.02)
        assert 0.9 < row["ratio"] < 1.35  # 300 datasets: an error of 5% or so
        gap = (row["Algorithm 1"] - row["paper"]) / row["gap in sd"]
        assert gap == pytest.approx(math.hypot(row["+-"], row["+-"] * math.sqrt(0.3)))
    assert "random DP, conditional on the model" in repr(table)


def test_too_few_datasets_have_no_error_and_no_gap():
    found = small(studies.table_1, [{"n": 1000, "datasets": 5}])
    (row,) = found.rows
    assert math.isinf(row["+-"])
    assert math.isinf(row["exact +-"])
    assert math.isnan(row["gap in sd"])
    assert " sd)" not in repr(found)


def test_quick_table_has_as_many_datasets_as_its_errors_need():
    scale = studies.table_1.scales["quick"]
    assert scale.light
    enough = EpsilonEstimate(10, 0.1, 0.1, 0.99, "exact", np.ones(1)).enough
    assert all(setting["datasets"] >= enough for setting in scale.settings)


def test_table_shows_what_its_words_say(table):
    lines = table.plot().get_lines()
    assert list(lines[2].get_ydata()) == [row["exact"] for row in table.rows]
    assert list(lines[3].get_ydata()) == [0.72, 0.32]
    assert f"the exact one {table.rows[0]['exact']:.3g}" in table.describe()
    assert figures.show(table).alt == table.describe()
    assert "<th>gap in sd</th>" in table._repr_html_()


@pytest.fixture(scope="module")
def means():
    return small(studies.figure_1, [{"n": 1000, "datasets": 40, "repetitions": 25}])


def test_means_have_the_errors_that_first_order_says(means):
    draw = means.at(1000, "posterior draw")
    first_order = 2 / (1000 * private_mean(1000).fisher_information())
    # 40 datasets: an error of 10% or so
    assert np.mean(draw.mse) == pytest.approx(first_order, rel=0.35)
    for one in means.spreads:
        assert np.mean(one.mse) == pytest.approx(
            np.mean(np.square(one.bias)) + np.mean(one.variance)
        )
    printed, standard = (
        np.mean(means.at(1000, "CoinPress, 10 steps", rule).mse)
        for rule in ("printed", "bun-steinke")
    )
    assert printed < standard  # the printed budget is twice as large
    assert np.mean(draw.mse) > printed  # the paper's ranking
    assert draw.spread < means.at(1000, "clipped mean").spread


def test_figure_1_shows_itself(means):
    assert len(means.rows) == 12
    assert "posterior draw" in repr(means)
    assert figures.show(means).alt == " ".join(means.describe().split())
    with pytest.raises(ValueError, match="no clipped mean at n = 5"):
        means.at(5, "clipped mean")


def test_figure_2_falls_like_a_power_of_n():
    found = small(
        studies.figure_2,
        [
            {"model": model, "d": 2, "n": n, "datasets": 5}
            for model in ("logistic", "Cauchy, not contaminated")
            for n in (1000, 16_000)
        ],
    )
    for curve in found.curves:
        assert -0.6 < curve.trend[0] < -0.25
        assert curve.extrapolated(16_000) == pytest.approx(curve.epsilon[1])
        assert curve.extrapolated(10**7) < curve.epsilon[1]
    assert found.at("Cauchy, not contaminated", 2).estimates[0].rate == 0
    assert figures.show(found).alt == " ".join(found.describe().split())
    assert len(found.rows) == 4


def test_regression_of_few_records_takes_more_particles_where_they_are_too_few(monkeypatch):
    at = studies.REGRESSIONS["logistic"](600, 2)
    x, w = at.simulate(np.random.default_rng(4))
    with pytest.raises(Unresolved):
        at.epsilon(x, w, particles=60, rng=np.random.default_rng(1))
    monkeypatch.setattr(studies, "PARTICLES", 60)
    found = studies._resolved(at, x, w, np.random.default_rng(1))
    # phi rests on some ten particles: an error of 5% or so
    assert found == pytest.approx(
        at.epsilon(x, w, particles=50_000, rng=np.random.default_rng(2)).epsilon, rel=0.3
    )


def test_regression_takes_particles_from_another_distribution_only_where_no_number_of_them_helps(
    monkeypatch,
):
    at = studies.REGRESSIONS["logistic"](600, 2)
    x, w = at.simulate(np.random.default_rng(4))
    sizes = []

    def counted(*arguments):
        sizes.append(arguments[3])
        return tail_particles(*arguments)

    monkeypatch.setattr(studies, "tail_particles", counted)
    plain = at.epsilon(x, w, particles=4000, rng=np.random.default_rng(1)).epsilon
    assert studies._resolved(at, x, w, np.random.default_rng(1)) == plain
    assert not sizes

    def refused(self, *arguments, alike=True):
        if alike:
            raise Unresolved("particles must be more")
        return outside(self, *arguments, alike=False)

    outside = Regression._outside
    monkeypatch.setattr(Regression, "_outside", refused)
    monkeypatch.setattr(studies, "PARTICLES", 1000)
    found = studies._resolved(at, x, w, np.random.default_rng(1))
    assert sizes == [16_000]
    assert found == pytest.approx(plain, rel=0.1)
    monkeypatch.setattr(studies, "PARTICLES", 2)
    with pytest.raises(Unresolved, match="of 128 lie outside a cube"):
        studies._resolved(at, x, w, np.random.default_rng(1))
    assert sizes == [16_000, 32, 128]


def test_refused_datasets_do_not_count_and_stand_in_the_table_with_the_reason(monkeypatch):
    resolved, calls = studies._resolved, []

    def second_refused(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise Unresolved("particles must be more")
        return resolved(*arguments)

    places = [{"model": "logistic", "d": 2, "n": n, "datasets": 3} for n in (600, 1200)]
    plain = small(studies.figure_2, places)
    monkeypatch.setattr(studies, "_resolved", second_refused)
    found = small(studies.figure_2, places)
    (before,), (curve,) = plain.curves, found.curves
    assert (before.refused, curve.refused) == ((0, 0), (1, 0))
    np.testing.assert_array_equal(
        curve.estimates[0].values, np.delete(before.estimates[0].values, 1)
    )
    assert [(row["datasets"], row["refused"], row["reason"]) for row in found.rows] == [
        (2, 1, studies.REFUSED),
        (3, 0, ""),
    ]
    assert f"1 datasets are refused and do not count: {studies.REFUSED}." in found.describe()
    assert "refused" not in plain.describe()


def test_cell_without_a_dataset_that_is_drawn_fails(monkeypatch):
    def refused(*arguments):
        raise Unresolved("particles must be more")

    monkeypatch.setattr(studies, "_resolved", refused)
    found = compute(
        studies.figure_2, ({"model": "logistic", "d": 2, "n": 600, "datasets": 2}, 0), 0
    )
    assert found.why.startswith("Unresolved: particles must be more")


def test_studies_are_listed_and_a_cell_depends_on_its_seed_alone():
    names = {
        name for name, one in listed().items() if one.module.startswith("dpbook.contamination")
    }
    assert names == {
        "contamination-table-1",
        "contamination-figure-1",
        "contamination-figure-2",
    }
    place = {"n": 1000, "datasets": 3}, 0
    one, again, other = (compute(studies.table_1, place, seed) for seed in (1, 1, 2))
    assert one == again
    assert one["exact"] != other["exact"]
