"""The page on large runs: every study has its forecast, and the forecast is that of the runs that were measured."""

from pathlib import Path

import pytest

from dpbook.ext import large_runs
from dpbook.study import find, listed

CHAPTERS = Path(__file__).resolve().parents[2] / "chapters"
SECONDS = 0.1  # of a measured run, that its forecast may be off
BATCHES = 0.1


@pytest.fixture(scope="module")
def page():
    return large_runs.page(CHAPTERS)


def test_page_has_a_line_for_every_study(page):
    assert "%%" not in page
    for name in listed():
        assert page.count(f"| {name} |") == 2


def test_page_says_where_and_when_the_cells_were_measured(page):
    found = large_runs.figures()
    for where in (
        found["machine"],
        *(s["again"] for s in found["studies"].values() if "again" in s),
    ):
        assert where["cpu"] in page
        assert where["date"] in page
        assert f"a load average of {where['load']:g} at the start" in page


def test_measured_cells_are_those_of_the_grids():
    found = large_runs.figures()["studies"]
    assert set(found) == set(listed())
    for name, study in found.items():
        scale = find(name).scales["paper"]
        assert (len(study["seconds"]), study["replicates"]) == (
            len(scale.settings),
            scale.replicates,
        )
        assert 3 <= study["measured"] <= len(scale.settings)
        assert min(study["seconds"]) > 0
        assert len(large_runs.cells_of(study)) == len(scale.settings) * scale.replicates


def test_forecast_is_that_of_the_runs_that_were_measured():
    checked = large_runs.checked()
    assert [run["workers"] for run, _ in checked] == [1, 2, 4]
    for run, found in checked:
        assert found.seconds == pytest.approx(run["seconds"], rel=SECONDS), run
        assert found.batches == pytest.approx(run["batches"], rel=BATCHES), run


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.0123, "12 ms"), (3.21, "3.2 s"), (99.0, "99 s"), (600.0, "10 min"), (9000.0, "2.5 h")],
)
def test_times_have_a_unit(seconds, shown):
    assert large_runs.time(seconds) == shown


@pytest.mark.parametrize(
    ("count", "shown"), [(1234, "1.23 kB"), (5e6, "5 MB"), (12.3e9, "12.3 GB")]
)
def test_sizes_have_a_unit(count, shown):
    assert large_runs._size(count) == shown
