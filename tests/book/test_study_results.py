"""The page with the results of the studies: each study is there, and its result is of the present grid."""

import os
from pathlib import Path

import pytest

from dpbook.ext import large_runs, study_results
from dpbook.study import find, listed, run
from dpbook.study.forecast import forecast
from dpbook.study.running import Plan

CHAPTERS = Path(__file__).resolve().parents[2] / "chapters"


def test_page_shows_every_study():
    page = study_results.page(CHAPTERS)
    assert "%%" not in page
    for name in listed():
        cells = large_runs.cells_of(large_runs.figures()["studies"][name])
        seconds = large_runs.time(forecast(cells, 2, large_runs.costs()).seconds)
        assert f"`dpbook study run {name} --scale paper --jobs 2` takes about {seconds}, by" in page
        assert f"## {find(name).title}\n" in page
        assert f"studies/{name}.png" in page


@pytest.mark.parametrize("name", listed())
def test_result_is_of_the_grid_that_the_study_has(name):
    found, study = study_results.result(name), find(name)
    replicates = study.scales["paper"].replicates
    expected = Plan(study, "paper", found["seed"], replicates, None).manifest
    assert {key: found[key] for key in ("study", "replicates", "settings")} == {
        key: expected[key] for key in ("study", "replicates", "settings")
    }


@pytest.mark.parametrize("name", ["langevin-figure-1"])
def test_result_is_computed_again(name, tmp_path):
    found = study_results.result(name)
    summary = run(name, scale="paper", seed=found["seed"], out=tmp_path, jobs=1)
    for new, old in zip(summary.rows, found["rows"], strict=True):
        texts = {column for column, value in old.items() if isinstance(value, str)}
        assert {column: new[column] for column in texts} == {c: old[c] for c in texts}
        for column in old.keys() - texts:  # another processor may round otherwise
            assert new[column] == pytest.approx(old[column], rel=1e-9, nan_ok=True)


def test_pictures_are_copied_beside_the_page(tmp_path):
    study_results.copy_pictures(tmp_path / "studies")
    assert sorted(os.listdir(tmp_path / "studies")) == sorted(f"{name}.png" for name in listed())
