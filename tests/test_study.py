"""Studies: the same result for any number of workers and sessions, and no finished cell is lost."""

import dataclasses
import errno
import hashlib
import importlib
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpbook import study
from dpbook.study import (
    REGISTRY,
    Failure,
    Halted,
    Incomplete,
    Scale,
    compute,
    grid,
    merge,
    run,
    run_part,
    running,
    store,
)
from dpbook.teaching import figures

TOYS = '''
"""Studies for the tests: as those of the topics, but of nothing."""

import os
import signal
import time
from dataclasses import dataclass

from dpbook.study import Scale, grid, study


@dataclass(frozen=True)
class Means:
    rows: tuple

    @classmethod
    def of(cls, cells):
        return cls(tuple({"kind": c.setting["kind"], "mean": c.record["mean"]} for c in cells))

    def describe(self):
        return f"{len(self.rows)} means, the first {self.rows[0]['mean']:.6g}."

    def plot(self, ax=None):
        from dpbook.teaching import figures  # the worker processes do without

        ax = ax or figures.axes()
        ax.plot([row["mean"] for row in self.rows])
        return ax


@study(
    "toy-means",
    place="Table 1",
    quick=Scale(grid(kind=("a", "b", "c"), n=(10, 20)), replicates=3),
    paper=Scale(grid(kind=("a", "b", "c"), n=(1000, 2000)), replicates=3),
    summary=Means.of,
)
def means(rng, kind, n):
    """Means of normal numbers.

    Computed slowly when TOY_PAUSE says so, and not at all by the cells that TOY_FAILS and
    TOY_DIES name.
    """
    time.sleep(float(os.environ.get("TOY_PAUSE", "0")))
    if os.environ.get("TOY_FAILS") == kind:
        raise ZeroDivisionError(f"no mean\\nof {kind}")
    if os.environ.get("TOY_DIES") == f"{kind}{n}":
        os.kill(os.getpid(), signal.SIGKILL)
    return {"mean": rng.standard_normal(n).mean(), "first": rng.standard_normal(3), "low": -1e999}


@study(
    "toy-others",
    place="Table 2",
    quick=Scale(grid(kind=("a",), n=(10,))),
    paper=Scale(grid(kind=("a",), n=(10,))),
    summary=Means.of,
)
def others(rng, kind, n):
    """The same by another name."""
    return {"mean": rng.standard_normal()}


def read(path):
    return float(path.read_text())


@study(
    "toy-data",
    place="Table 3",
    quick=Scale(grid(kind=("a", "b"), n=(10,))),
    paper=Scale(grid(kind=("a",), n=(10,))),
    summary=Means.of,
    reads=read,
)
def from_data(rng, kind, n, data=None):
    """A number of the user's own, or 5."""
    return {"mean": 5.0 if data is None else read(data)}
'''
COMMAND = "import toy_studies\nfrom dpbook.cli import main\nmain()"
CELLS = 18


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """The folder of the module with the toy studies, importable here and in worker processes."""
    folder = tmp_path_factory.mktemp("toys")
    (folder / "toy_studies.py").write_text(TOYS)
    sys.path.insert(0, str(folder))
    importlib.import_module("toy_studies")
    yield folder
    sys.path.remove(str(folder))
    del sys.modules["toy_studies"]
    for name in ("toy-means", "toy-others", "toy-data"):
        del REGISTRY[name]


@pytest.fixture
def toy(home):
    return REGISTRY["toy-means"]


@pytest.fixture(scope="module")
def whole(home, tmp_path_factory):
    """The folder of a run that nothing happened to; to be compared with, not to be changed."""
    folder = tmp_path_factory.mktemp("whole")
    run("toy-means", out=folder)
    return folder


@pytest.fixture
def copied(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "copied")


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def cells_in(folder):
    path = folder / "cells.jsonl"
    return path.read_bytes().splitlines(keepends=True) if path.exists() else []


# --- streams ------------------------------------------------------------------------------------------


def test_each_cell_has_a_stream_of_its_own(toy):
    settings = [*toy.scales["quick"].settings, *toy.scales["paper"].settings]
    places = [(setting, replicate) for setting in settings for replicate in range(5)]
    first = [compute(toy, place, seed)["first"][0] for place in places for seed in (0, 1, 2**70)]
    first.append(compute(REGISTRY["toy-others"], places[0], 0)["mean"])
    assert len(set(first)) == len(first) == 12 * 5 * 3 + 1


def test_stream_stays_as_it_was_when_the_order_of_names_or_the_grid_changes(toy):
    record = compute(toy, ({"kind": "b", "n": 10}, 2), 7)
    assert compute(toy, ({"n": 10, "kind": "b"}, 2), 7) == record
    fewer = dataclasses.replace(toy, scales={"quick": Scale(grid(n=(10,), kind=("b",)), 3)})
    taken = []
    run(dataclasses.replace(fewer, summary=taken.extend), seed=7)
    assert taken[2].record == record


def test_stream_is_spawned_from_the_seed_and_known(toy):
    digest = hashlib.sha256(b'toy-means {"kind": "a", "n": 10}').digest()
    words = np.frombuffer(digest, "<u4").tolist()
    stream = np.random.SeedSequence(5, spawn_key=(*words, 1))
    expected = np.random.default_rng(stream).standard_normal(10).mean()
    assert compute(toy, ({"kind": "a", "n": 10}, 1), 5)["mean"] == expected


# --- the same result, whatever happens ---------------------------------------------------------------------


def test_result_does_not_depend_on_the_number_of_workers(home, whole, tmp_path):
    summary = run("toy-means", out=tmp_path, jobs=3)
    assert summary == run("toy-means")
    assert files(tmp_path) == files(whole)


def test_run_that_was_stopped_and_resumed_is_one_that_was_not(home, whole, tmp_path):
    folder = tmp_path / "deep" / "run"
    arguments = ["study", "run", "toy-means", "--jobs", "2", "--resume", "--out", str(folder)]
    command = [sys.executable, "-c", COMMAND, *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(home), *sys.path])}
    finished = 0
    for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        slow = subprocess.Popen(
            command,
            env={**environment, "TOY_PAUSE": "0.3"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        until = time.monotonic() + 60
        while len(cells_in(folder)) < finished + 2 and time.monotonic() < until:
            time.sleep(0.01)
        slow.send_signal(how)
        out, err = slow.communicate(timeout=60)
        if how == signal.SIGKILL:
            assert (slow.returncode, out, err) == (-signal.SIGKILL, "", "")
        else:
            line = "the same command with --resume goes on"
            assert err == f"\nstopped; the finished cells are in {folder}: {line}\n"
            assert (slow.returncode, out) == (130, "")
        kept = cells_in(folder)
        assert finished + 2 <= len(kept) < CELLS
        assert set(kept) < set(cells_in(whole))
        finished = len(kept)
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("Means of normal numbers\n")
    assert f"\n{CELLS} means, the first " in ended.stdout
    assert files(folder) == files(whole)


def test_finished_run_is_resumed_without_computing_anything(home, copied, whole, monkeypatch):
    monkeypatch.setenv("TOY_FAILS", "a")
    assert run("toy-means", out=copied, resume=True, jobs=2) == run_of(whole)
    assert files(copied) == files(whole)


def run_of(folder):
    rows = json.loads((folder / "summary.json").read_text())["rows"]
    return REGISTRY["toy-means"].summary.__self__(tuple(rows))


def test_more_replicates_keep_the_earlier_ones(home, copied, whole, tmp_path):
    run("toy-means", out=copied, resume=True, replicates=5)
    assert len(cells_in(whole)) == CELLS
    assert set(cells_in(whole)) < set(cells_in(copied))
    assert len(cells_in(copied)) == 6 * 5
    fresh = tmp_path / "fresh"
    run("toy-means", out=fresh, replicates=5)
    assert files(fresh) == files(copied)
    run("toy-means", out=copied, resume=True)  # fewer lose none
    assert cells_in(copied) == cells_in(fresh)


def test_summary_sees_the_cells_in_the_order_of_the_grid(toy):
    taken = []
    run(dataclasses.replace(toy, summary=taken.extend))
    wanted = [(dict(s), r) for s in toy.scales["quick"].settings for r in range(3)]
    assert [(cell.setting, cell.replicate) for cell in taken] == wanted


# --- failing cells ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [None, 2])
def test_cell_that_raises_is_named_and_loses_no_other(home, whole, tmp_path, monkeypatch, jobs):
    monkeypatch.setenv("TOY_FAILS", "b")
    with pytest.raises(Incomplete) as stop:
        run("toy-means", out=tmp_path, jobs=jobs)
    grid = [f"kind=b, n={n}, replicate {r}" for n in (10, 20) for r in range(3)]
    assert list(stop.value.failures) == grid
    line = stop.value.failures["kind=b, n=20, replicate 1"]
    assert line.startswith("ZeroDivisionError: no mean of b (toy_studies.py:")
    assert str(stop.value).splitlines()[-1] == "6 of 18 cells failed"
    assert len(stop.value.cells) == len(cells_in(tmp_path)) == 12
    assert not (tmp_path / "summary.json").exists()
    monkeypatch.delenv("TOY_FAILS")
    run("toy-means", out=tmp_path, resume=True)
    assert files(tmp_path) == files(whole)


def test_worker_that_is_killed_loses_its_own_cell_only(home, whole, tmp_path, monkeypatch):
    monkeypatch.setenv("TOY_DIES", "c10")
    with pytest.raises(Incomplete) as stop:
        run("toy-means", out=tmp_path, jobs=2)
    why = "its process ended (status -9): no memory, or a crash"
    assert stop.value.failures == {f"kind=c, n=10, replicate {r}": why for r in range(3)}
    monkeypatch.delenv("TOY_DIES")
    run("toy-means", out=tmp_path, resume=True)
    assert files(tmp_path) == files(whole)


def test_only_some_of_many_failures_are_listed():
    lines = str(Incomplete({f"n={n}": "no" for n in range(30)}, [])).splitlines()
    assert len(lines) == running.NAMED + 2
    assert lines[-2:] == ["and 20 more", "30 of 30 cells failed"]


@pytest.mark.parametrize(
    "value", ["1.0", None, {"a": 1}, [1, "2"], 1 + 2j, np.array(["a"])], ids=repr
)
def test_cell_returns_numbers_or_fails(toy, value):
    answer = compute(dataclasses.replace(toy, cell=lambda rng: {"x": value}), ({}, 0), 0)
    assert isinstance(answer, Failure)
    assert "a cell returns numbers and lists of numbers, not" in answer.why


# --- files --------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.floats(), max_size=5), st.integers(), st.booleans(), st.floats(width=32), st.text()
)
def test_numbers_come_back_from_the_file_to_the_last_bit(xs, n, flag, small, text):
    place = ({"name": text, "n": n}, 3)
    toy = study.Study(
        "toy", "", "", {}, lambda rng, **_: {"xs": np.array(xs), "n": n, "flag": flag, "s": [[small]]}, list
    )  # fmt: skip
    record = compute(toy, place, 0)
    line = store.line_of(place, record)
    there, back = store.cell_of(line)
    assert there == place
    assert str(back) == str(record)  # nan is not equal to itself
    assert np.array_equal(np.signbit(back["xs"]), np.signbit([x if x == x else 0.0 for x in xs]))
    assert (back["n"], back["flag"]) == (n, flag)
    assert line.count(b"\n") == 1
    json.loads(line, parse_constant=pytest.fail)  # strict JSON


DAMAGES = {
    "truncated": lambda line, other: line[:-20],
    "without an end": lambda line, other: line[:-1],
    "empty": lambda line, other: b"",
    "an empty line": lambda line, other: b"\n",
    "of noise": lambda line, other: bytes(range(128, 256)) + b"\n",
    "of another cell": lambda line, other: other,
    "with another digit": lambda line, other: line.replace(b'"mean": ', b'"mean": 1'),
    "of another shape": lambda line, other: b'{"cell": [], "sha256": 0}\n',
    "of another shape, with its checksum": lambda line, other: sealed(b"[]"),
    "no object": lambda line, other: b"[1]\n",
    "of zeros": lambda line, other: b"\0" * len(line),
}


def sealed(body):
    digest = hashlib.sha256(body).hexdigest()
    return f'{{"sha256": "{digest}", "cell": {body.decode()}}}\n'.encode()


@pytest.mark.parametrize("where", [0, 7, CELLS - 1])
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_cell_is_computed_again(home, copied, whole, damage, where):
    lines = cells_in(copied)
    assert sealed(lines[0][len(sealed(b"")) - 2 : -2]) == lines[0]
    lines[where] = DAMAGES[damage](lines[where], lines[where - 1])
    (copied / "cells.jsonl").write_bytes(b"".join(lines))
    assert files(copied) != files(whole)
    run("toy-means", out=copied, resume=True)
    assert files(copied) == files(whole)


def test_cells_that_are_gone_are_computed_again(home, copied, whole):
    (copied / "cells.jsonl").unlink()
    run("toy-means", out=copied, resume=True)
    assert files(copied) == files(whole)


@pytest.mark.parametrize("how_much", [0, 1, 30, 100])
def test_cell_is_written_whole_or_not_at_all(tmp_path, monkeypatch, how_much):
    write = os.write

    def stopped(file, line):
        write(file, line[:how_much])
        raise KeyboardInterrupt

    kept = store.Store(tmp_path)
    kept.write(({"n": 1}, 0), {"x": 1.0})
    with monkeypatch.context() as broken:
        broken.setattr(os, "write", stopped)
        with pytest.raises(KeyboardInterrupt):
            kept.write(({"n": 2}, 0), {"x": 2.0})
    assert len(cells_in(tmp_path)) == 1
    kept.write(({"n": 3}, 0), {"x": 3.0})  # what was left behind is in nobody's way
    kept.close()
    again = store.Store(tmp_path)
    assert [again.read(({"n": n}, 0)) for n in (1, 2, 3)] == [{"x": 1.0}, None, {"x": 3.0}]
    again.close()


def test_folder_tells_what_was_computed(whole, home):
    manifest = json.loads((whole / "study.json").read_text())
    assert set(manifest) == {*store.FIELDS, "replicates"}
    assert (manifest["study"], manifest["scale"], manifest["seed"]) == ("toy-means", "quick", 0)
    assert (manifest["part"], manifest["replicates"]) == (None, 3)
    cell = json.loads(cells_in(whole)[0])["cell"]
    assert list(cell) == ["setting", "replicate", "record"]
    assert cell["record"]["low"] == "-inf"
    summary = json.loads((whole / "summary.json").read_text())
    assert len(summary["rows"]) == CELLS
    assert summary["words"] == figures.words_of((whole / "toy-means.png").read_bytes())
    assert summary["words"] == run("toy-means").describe()


# --- refusals -----------------------------------------------------------------------------------------------------


def test_folder_that_holds_cells_is_not_written_to_without_resume(home, copied, whole):
    with pytest.raises(ValueError, match="already holds cells.jsonl: go on with that run"):
        run("toy-means", out=copied)
    assert files(copied) == files(whole)


@pytest.mark.parametrize(
    ("name", "other", "told"),
    [
        ("toy-others", {}, "for study toy-means"),
        ("toy-means", {"scale": "paper"}, "at scale quick"),
        ("toy-means", {"seed": 1}, "with seed 0"),
    ],
)
def test_results_of_different_runs_are_never_mixed(home, copied, whole, name, other, told):
    with pytest.raises(ValueError, match=f"holds cells computed {told}: resume with the same, or"):
        run(name, out=copied, resume=True, **other)
    assert files(copied) == files(whole)


def test_results_of_other_settings_or_code_are_never_mixed(toy, home, copied, whole):
    def refused(study, told):
        with pytest.raises(ValueError, match=f"holds cells computed {told}"):
            run(study, out=copied, resume=True)
        assert files(copied) == files(whole)

    less = Scale(toy.scales["quick"].settings[:-1], 3)
    refused(dataclasses.replace(toy, scales={"quick": less}), "on another grid of settings")
    source = home / "toy_studies.py"
    source.write_text(TOYS.replace("rng.standard_normal(n).mean()", "rng.standard_normal(n).sum()"))
    refused(toy, "by other code, or with other versions of its libraries")
    source.write_text(TOYS)
    run(toy, out=copied, resume=True)


@pytest.mark.parametrize("jobs", [None, 1])
def test_data_of_ones_own_reach_every_cell_and_are_never_mixed(home, tmp_path, jobs):
    own, out = tmp_path / "own.txt", tmp_path / "out"
    own.write_text("7")
    assert {row["mean"] for row in run("toy-data").rows} == {5.0}
    found = run("toy-data", out=out, jobs=jobs, data=own)
    assert [row["mean"] for row in found.rows] == [7.0, 7.0]
    for other in (None, "8"):
        if other:
            own.write_text(other)
        with pytest.raises(ValueError, match="holds cells computed from other data"):
            run("toy-data", out=out, resume=True, data=own if other else None)
    own.write_text("7")
    assert run("toy-data", out=out, resume=True, data=str(own)).rows == found.rows
    own.write_text("seven")
    with pytest.raises(ValueError, match="seven"):
        run("toy-data", data=own)
    with pytest.raises(ValueError, match="data must be left out: toy-means reads none"):
        run("toy-means", data=own)


def test_folder_of_somebody_else_is_left_alone(home, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    for resume, told in (
        (False, "already holds thesis.tex"),
        (True, "holds no run: no study.json"),
    ):
        with pytest.raises(ValueError, match=told):
            run("toy-means", out=tmp_path, resume=resume)
    assert list(files(tmp_path)) == ["thesis.tex"]


def test_two_runs_do_not_share_a_folder(toy, home, tmp_path):
    def meanwhile(cells):
        with pytest.raises(ValueError, match="another run writes to"):
            run("toy-means", out=tmp_path, resume=True)
        return toy.summary(cells)

    run(dataclasses.replace(toy, summary=meanwhile), out=tmp_path)
    run("toy-means", out=tmp_path, resume=True)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"scale": "huge"}, "scale must be quick or paper, got huge"),
        ({"seed": -1}, "seed must be an integer >= 0, got -1"),
        ({"seed": 1.0}, "seed must be an integer >= 0, got 1.0"),
        ({"jobs": 0}, "jobs must be an integer >= 1, got 0"),
        ({"replicates": True}, "replicates must be an integer >= 1, got True"),
        ({"resume": True}, "resume needs out"),
        ({"out": "/dev/null"}, "results go to a folder, and /dev/null is a file"),
        ({"out": "/dev/null/x"}, "cannot write to /dev/null/x: Not a directory"),
    ],
)
def test_unusable_input_is_one_clear_line(home, wrong, told):
    with pytest.raises(ValueError, match=told) as stop:
        run("toy-means", **wrong)
    assert "\n" not in str(stop.value)


def test_study_of_a_notebook_runs_in_its_own_process(toy):
    def cell(rng, kind, n):
        return {"mean": 1.0}

    cell.__module__ = "__main__"
    own = dataclasses.replace(toy, cell=cell)
    assert run(own).rows[0]["mean"] == 1.0
    with pytest.raises(ValueError, match="it runs in this process, jobs=None"):
        run(own, jobs=2)


def test_worker_processes_compute_no_other_study_of_the_same_cell(toy):
    with pytest.raises(ValueError, match="toy-twin is not the study at toy_studies.means"):
        run(dataclasses.replace(toy, name="toy-twin"), jobs=1)


def test_setting_stands_once_in_a_grid(toy):
    with pytest.raises(ValueError, match="a setting of toy-means stands twice"):
        dataclasses.replace(toy, scales={"quick": Scale(grid(n=(1, 2, 1)))})


# --- the shelf ------------------------------------------------------------------------------------------------------


def test_unknown_study_is_told_the_nearest(home):
    with pytest.raises(ValueError, match="^no study toy-mean; nearest: toy-means$"):
        run("toy-mean")


def test_list_is_what_the_modules_register_and_imports_none():
    found = study.listed()
    assert {"langevin-figure-1", "langevin-pts"} <= set(found)
    for name, one in found.items():
        made = study.find(name)
        assert (made.name, made.title, made.place) == (one.name, one.title, one.place)
        assert made.cell.__module__ == one.module
        assert list(made.scales) == ["quick", "paper"]
        assert name.split("-")[0] == one.module.split(".")[1].split("_")[0]
    code = """
        import sys
        from dpbook.study import listed
        listed()
        heavy = {"sympy", "numba", "matplotlib", "scipy", "z3", "flint"} & set(sys.modules)
        assert not heavy, heavy
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


def test_run_without_a_folder_writes_nothing(home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    summary = run("toy-means", seed=3)
    assert math.isfinite(summary.rows[0]["mean"])
    assert summary != run("toy-means", seed=4)
    assert list(tmp_path.iterdir()) == []


# --- a full disk --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", [0, 1, 40, 1000, 2500])
def test_full_disk_is_named_and_loses_no_finished_cell(home, whole, tmp_path, monkeypatch, room):
    write, left = os.write, [room]

    def almost_full(file, data):
        if not data.startswith(b'{"sha256"') and left[0] == room:
            return write(file, data)  # of somebody else
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = write(file, data[: left[0]])
        left[0] -= done
        return done

    with monkeypatch.context() as full:
        full.setattr(os, "write", almost_full)
        with pytest.raises(Halted) as stop:
            run("toy-means", out=tmp_path)
    assert str(stop.value) == (
        f"cannot write to {tmp_path}: No space left on device; the finished cells are in "
        f"{tmp_path}: the same command with --resume goes on"
    )
    fit = 0
    while sum(map(len, cells_in(whole)[: fit + 1])) <= room:
        fit += 1
    assert cells_in(tmp_path) == cells_in(whole)[:fit]
    run("toy-means", out=tmp_path, resume=True)
    assert files(tmp_path) == files(whole)


def test_disk_that_is_full_at_the_end_is_named(home, whole, tmp_path, monkeypatch):
    def full(kept, settings):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as broken:
        broken.setattr(store.Store, "order", full)
        with pytest.raises(Halted, match="No space left on device; "):
            run("toy-means", out=tmp_path)
    assert cells_in(tmp_path) == cells_in(whole)
    run("toy-means", out=tmp_path, resume=True)
    assert files(tmp_path) == files(whole)


# --- parts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 2, 5, CELLS])
def test_merged_parts_are_a_run_in_one(home, whole, tmp_path, parts):
    folders = [tmp_path / str(i) for i in range(1, parts + 1)]
    counts = [run_part("toy-means", (i + 1, parts), out=f) for i, f in enumerate(folders)]
    assert sum(counts) == CELLS
    assert max(counts) - min(counts) <= 1
    assert all(not (folder / "summary.json").exists() for folder in folders)
    made, summary = merge(folders[::-1], out=tmp_path / "all")
    assert (made.name, summary) == ("toy-means", run("toy-means"))
    assert files(tmp_path / "all") == files(whole)
    merge(folders, out=tmp_path / "all")  # once more changes nothing
    assert files(tmp_path / "all") == files(whole)


@pytest.fixture(scope="module")
def parts(home, tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    for i in (1, 2, 3):
        run_part("toy-means", (i, 3), out=folder / str(i), jobs=1 if i == 1 else None)
    run_part("toy-means", (1, 2), out=folder / "other")
    run_part("toy-means", (2, 3), out=folder / "seed", seed=1)
    run_part("toy-means", (2, 3), out=folder / "replicates", replicates=4)
    return folder


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("1 3", "^1 of 3 parts are missing: 2/3$"),
        ("1", "^2 of 3 parts are missing: 2/3, 3/3$"),
        ("1 2 2 3", "^part 2/3 stands twice: in .*/2 and in .*/2$"),
        ("1 other", "other and .*/1 hold parts that overlap: 1/2 and 1/3$"),
        ("1 seed 3", "seed and .*/1 hold parts of different runs: seed 1 and 0$"),
        ("1 replicates 3", "hold parts of different runs: replicates 4 and 3$"),
        ("whole", "whole holds a whole run, not a part of one$"),
        ("empty", "empty holds no run: no study.json to be read$"),
        ("nowhere", "nowhere holds no run: no study.json to be read$"),
        ("", "^merge needs the folders of the parts$"),
    ],
)
def test_parts_that_are_not_those_of_one_run_are_not_merged(parts, whole, tmp_path, names, told):
    (parts / "empty").mkdir(exist_ok=True)
    if not (parts / "whole").exists():
        shutil.copytree(whole, parts / "whole")
    with pytest.raises(ValueError, match=told):
        merge([parts / name for name in names.split()], out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_part_that_is_not_finished_is_not_merged(parts, tmp_path):
    shutil.copytree(parts / "2", tmp_path / "2")
    lines = cells_in(tmp_path / "2")
    (tmp_path / "2" / "cells.jsonl").write_bytes(b"".join(lines[:-2]))
    folders = [parts / "1", tmp_path / "2", parts / "3"]
    told = f"^{tmp_path}/2 lacks 2 of the 6 cells of part 2/3: finish it with --part 2/3 --resume$"
    with pytest.raises(ValueError, match=told):
        merge(folders, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    run_part("toy-means", (2, 3), out=tmp_path / "2", resume=True)
    merge(folders, out=tmp_path / "out")


def test_folder_of_a_part_takes_no_other_cells(home, parts, whole, tmp_path):
    folder = shutil.copytree(parts / "2", tmp_path / "2")
    for part in ((1, 3), (2, 6)):
        with pytest.raises(ValueError, match="holds cells computed for part 2/3: resume with"):
            run_part("toy-means", part, out=folder, resume=True)
    with pytest.raises(ValueError, match="holds cells computed for part 2/3: resume with"):
        run("toy-means", out=folder, resume=True)
    with pytest.raises(ValueError, match="holds part 2/3 of 3 replicates: resume with as many"):
        run_part("toy-means", (2, 3), out=folder, resume=True, replicates=4)
    whole = shutil.copytree(whole, tmp_path / "whole")
    with pytest.raises(ValueError, match="holds cells computed for a whole run: resume with"):
        run_part("toy-means", (2, 3), out=whole, resume=True)


def test_parts_of_other_code_are_not_merged(home, parts, tmp_path):
    source = home / "toy_studies.py"
    source.write_text(TOYS + "\n")
    try:
        with pytest.raises(ValueError, match="was computed with another code: merge with"):
            merge([parts / name for name in "123"], out=tmp_path / "out")
    finally:
        source.write_text(TOYS)


def test_parts_of_data_of_ones_own_are_merged_with_the_same_data(home, tmp_path):
    own = tmp_path / "own.txt"
    own.write_text("7")
    folders = [tmp_path / "1", tmp_path / "2"]
    for i, folder in enumerate(folders):
        run_part("toy-data", (i + 1, 2), out=folder, data=own)
    with pytest.raises(ValueError, match="was computed with another data: merge with"):
        merge(folders, out=tmp_path / "out")
    _, summary = merge(folders, out=tmp_path / "out", data=own)
    assert [row["mean"] for row in summary.rows] == [7.0, 7.0]


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b", "1.0/3"])
def test_part_is_a_number_of_a_number(text):
    with pytest.raises(ValueError, match="^part must be i/N with 1 <= i <= N, such as 2/8, got "):
        running.part_of(text)


def test_part_without_cells_is_refused(home, tmp_path):
    assert running.part_of("2/19") == (2, 19)
    with pytest.raises(
        ValueError, match="part 19/19 has no cell: there are fewer cells than parts"
    ):
        run_part("toy-means", (19, 19), out=tmp_path / "out")
