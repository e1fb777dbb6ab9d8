"""The page on training runs: each block runs, each program's settings make the run, and peers stand on their sides."""

from pathlib import Path

import pytest

from dpbook.ext import training

CHAPTERS = Path(__file__).resolve().parents[2] / "chapters"


@pytest.fixture(scope="module")
def page():
    return training.made((CHAPTERS / "training_run.md").read_text(encoding="utf-8"))


def test_each_block_has_a_result(page):
    text, _ = page
    assert text.count("```python") == text.count("```text") >= 8
    assert "%%" not in text


def test_the_figures_of_peers_are_of_the_run_of_the_page(page):
    _, names = page
    setting = training.figures()["setting"]
    assert setting == {one: names[one] for one in ("rate", "noise", "steps", "delta")}


def test_upper_bounds_of_peers_are_above_and_lower_ones_below(page):
    _, names = page
    ours = names["run"].epsilon(names["delta"])
    for row in training.figures()["rows"]:
        if row["kind"] == "upper bound":
            assert row["epsilon"] > ours.lower, row
        else:
            assert row["epsilon"] < ours.upper, row


def test_the_settings_of_each_program_make_the_same_noise_and_about_the_same_rate(page):
    _, names = page
    for name in ("opacus", "tensorflow", "jax"):
        assert names[name].noise == names["opacus"].noise
        assert names[name].rate == pytest.approx(names["rate"], rel=0.01), name


def test_a_shuffled_run_is_dearer_by_what_is_sure(page):
    _, names = page
    delta = names["delta"]
    assert names["shuffled"].epsilon(delta).lower > names["run"].epsilon(delta).upper


def test_half_of_the_noise_is_found(page):
    _, names = page
    bounds = [
        names["audit"](
            program, [*names["others"], names["marked"]], names["others"], delta=1e-3
        ).epsilon_lower
        for program in (names["claimed"], names["halved"])
    ]
    assert bounds[0] <= names["claimed"].accounting.epsilon < bounds[1]


def test_a_substitution_is_dearer_than_a_removal(page):
    _, names = page
    delta = names["delta"]
    assert names["substituted"].epsilon(delta).lower > names["run"].epsilon(delta).upper


def test_a_block_that_fails_stops_the_page():
    with pytest.raises(ZeroDivisionError):
        training.made("```python\n1 / 0\n```\n")


def test_what_a_block_writes_and_what_it_is_stand_below():
    text, names = training.made("```python\nx = 2\nprint('a')\nx + 1\n```\n")
    assert text.endswith("```text\na\n3\n```\n")
    assert names["x"] == 2
