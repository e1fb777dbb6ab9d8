"""Studies on a Dask cluster: no finished cell is lost, whatever ends, and no worker of other code helps.

Each test starts processes of its own on 127.0.0.1, and ends them.
"""

import contextlib
import importlib
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from dpbook.study import REGISTRY, Incomplete, cluster, run

TOYS = '''
"""A study of nothing, whose cells take a while or end their process when files say so."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from dpbook.study import Scale, grid, study

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Means:
    rows: tuple

    @classmethod
    def of(cls, cells):
        return cls(tuple({"mean": cell.record["mean"]} for cell in cells))

    def describe(self):
        return f"{len(self.rows)} means."

    def plot(self, ax=None):
        from dpbook.teaching import figures

        ax = ax or figures.axes()
        ax.plot([row["mean"] for row in self.rows])
        return ax


@study(
    "toy-cluster",
    place="Table 1",
    quick=Scale(grid(n=(10, 20, 30)), replicates=20),
    paper=Scale(grid(n=(10, 20, 30)), replicates=200),
    summary=Means.of,
)
def means(rng, n):
    """Means of normal numbers."""
    if (HERE / "slow").exists():
        time.sleep(0.1)
    if n == 20 and (HERE / "kills").exists():
        with (HERE / "kills").open("a") as file:
            file.write("x")
        os.kill(os.getpid(), signal.SIGKILL)
    if n == 30 and (HERE / "hogs").exists():
        held = []
        while True:
            held.append(bytearray(os.urandom(10**6)) * 20)
            time.sleep(0.02)
    return {"mean": rng.standard_normal(n).mean(), "all": rng.standard_normal(3)}
'''
COMMAND = "import toy_cluster\nfrom dpbook.cli import main\nmain()"
CELLS = 60


@pytest.fixture
def home(tmp_path):
    """The folder of the toy study, importable here and in other processes."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "toy_cluster.py").write_text(TOYS)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    importlib.import_module("toy_cluster")
    yield folder
    sys.path.remove(str(folder))
    del sys.modules["toy_cluster"], REGISTRY["toy-cluster"]


@pytest.fixture
def whole(home, tmp_path):
    """The files of a run in one process."""
    run("toy-cluster", out=tmp_path / "whole")
    return files(tmp_path / "whole")


class Cluster:
    """A scheduler and workers: processes of their own, which are to be ended."""

    def __init__(self, home):
        self.home, self.processes, self.workers = home, [], []
        self.address = f"tcp://127.0.0.1:{free_port()}"
        host, port = self.address.removeprefix("tcp://").split(":")
        self.scheduler = self.start("scheduler", "--host", host, "--port", port)
        until(lambda: answers(int(port)))

    def start(self, kind, *options, path=None):
        paths = [str(path or self.home), *(entry for entry in sys.path if entry != str(self.home))]
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *options],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.home.parent,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def worker(self, *options, nanny="--no-nanny", path=None):
        given = (self.address, "--nthreads", "1", "--host", "127.0.0.1", nanny, *options)
        self.workers.append(self.start("worker", *given, path=path))
        return self.workers[-1]

    def close(self):
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):  # its nanny's child too
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def dask(home):
    made = Cluster(home)
    yield made
    made.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def lines(folder):
    path = folder / "cells.jsonl"
    return path.read_bytes().splitlines(keepends=True) if path.exists() else []


def begun(home, folder, *options):
    """A client in a process of its own."""
    arguments = ["study", "run", "toy-cluster", "--out", str(folder), *options]
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(home), *sys.path])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def until(holds):
    limit = time.monotonic() + 300
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.02)


def test_local_cluster_finds_the_same_to_the_last_bit(home, whole, tmp_path):
    folder = tmp_path / "out"
    with socket.socket() as busy:  # on the port that another cluster's dashboard has
        with contextlib.suppress(OSError):
            busy.bind(("127.0.0.1", 8787))
            busy.listen()
        ended = begun(home, folder, "--cluster", "local", "--jobs", "2")
        out, err = ended.communicate(timeout=300)
    assert (ended.returncode, err) == (0, "")
    assert out.startswith("Means of normal numbers\n")
    assert files(folder) == whole


def test_worker_that_is_killed_costs_its_cells_another_try_only(home, whole, dask, tmp_path):
    (home / "slow").touch()
    folder = tmp_path / "out"
    first, _ = dask.worker(), dask.worker()
    client = begun(home, folder, "--scheduler", dask.address)
    until(lambda: len(lines(folder)) > 10)
    first.kill()
    out, err = client.communicate(timeout=300)
    assert (client.returncode, err) == (0, "")
    assert files(folder) == whole


def test_cell_that_ends_its_worker_is_tried_four_times_and_the_rest_goes_on(
    home, whole, dask, tmp_path
):
    (home / "kills").touch()
    dask.worker(nanny="--nanny")
    dask.worker(nanny="--nanny")
    folder = tmp_path / "out"
    with pytest.raises(Incomplete) as stop:
        run("toy-cluster", out=folder, replicates=1, scheduler=dask.address)
    why = "its worker ended, 4 times: a crash, or the system ended it"
    assert stop.value.failures == {"n=20, replicate 0": why}
    assert len(stop.value.cells) == len(lines(folder)) == 2
    assert (home / "kills").read_text() == "xxxx"
    (home / "kills").unlink()
    run("toy-cluster", out=folder, resume=True, scheduler=dask.address)
    assert files(folder) == whole


def test_worker_that_is_lost_to_memory_is_named_as_such(home, dask, tmp_path):
    (home / "hogs").touch()
    dask.worker("--memory-limit", "500MB", nanny="--nanny")
    with pytest.raises(Incomplete) as stop:
        run("toy-cluster", replicates=1, scheduler=dask.address)
    why = "its worker ended, 4 times: no memory (it needed more than Dask grants a worker)"
    assert stop.value.failures == {"n=30, replicate 0": why}


def test_scheduler_that_is_killed_ends_the_run_and_loses_no_finished_cell(
    home, whole, dask, tmp_path
):
    (home / "slow").touch()
    folder = tmp_path / "out"
    dask.worker()
    client = begun(home, folder, "--scheduler", dask.address)
    until(lambda: len(lines(folder)) > 5)
    dask.scheduler.kill()
    out, err = client.communicate(timeout=300)
    assert (client.returncode, out) == (2, "")
    assert err == (
        f"the scheduler at {dask.address} is gone; the finished cells are in {folder}: "
        "the same command with --resume goes on\n"
    )
    assert 5 < len(lines(folder)) < CELLS
    run("toy-cluster", out=folder, resume=True)
    assert files(folder) == whole


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_client_that_is_stopped_loses_no_finished_cell_and_leaves_the_cluster_as_it_was(
    home, whole, dask, tmp_path, how
):
    (home / "slow").touch()
    folder = tmp_path / "out"
    dask.worker()
    client = begun(home, folder, "--scheduler", dask.address)
    until(lambda: len(lines(folder)) > 5)
    client.send_signal(how)
    _, err = client.communicate(timeout=300)
    if how == signal.SIGINT:
        assert client.returncode == 130
        assert err.startswith("\nstopped; the finished cells are in ")
    kept = lines(folder)
    assert 5 < len(kept) < CELLS
    assert all(line in whole["cells.jsonl"] for line in kept)
    (home / "slow").unlink()
    from distributed import Client

    with Client(dask.address, set_as_default=False) as other:
        until(lambda: other.run_on_scheduler(held) == (0, 1))
    run("toy-cluster", out=folder, resume=True, scheduler=dask.address)
    assert files(folder) == whole


def held(dask_scheduler):
    tasks = [key for key in dask_scheduler.tasks if key.startswith("dpbook")]
    return len(tasks), len(dask_scheduler.workers)


def test_worker_with_other_code_gets_no_work(home, dask, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "toy_cluster.py").write_text(TOYS.replace("standard_normal(3)", "standard_normal(4)"))
    dask.worker(path=other)
    with pytest.raises(ValueError, match=r"^worker tcp://127.0.0.1:\d+ has other code: give it"):
        run("toy-cluster", out=tmp_path / "out", scheduler=dask.address)
    assert list((tmp_path / "out").iterdir()) == []


def test_worker_that_cannot_import_the_study_gets_no_work(home, dask, tmp_path):
    dask.worker(path=tmp_path)
    with pytest.raises(ValueError, match=r"cannot run toy-cluster: ModuleNotFoundError: No module"):
        run("toy-cluster", scheduler=dask.address)


def test_identity_of_a_worker_changes_with_its_data_and_its_libraries(home, tmp_path, monkeypatch):
    own = tmp_path / "own.txt"
    own.write_text("7")
    study = REGISTRY["toy-cluster"]
    first = cluster.identity(study, own)
    own.write_text("8")
    second = cluster.identity(study, own)
    assert {name for name in first if first[name] != second[name]} == {"data"}
    monkeypatch.setattr(cluster.record, "versions", lambda: "python=2.7")
    third = cluster.identity(study, own)
    assert {name for name in second if second[name] != third[name]} == {"libraries"}


def test_two_clients_on_one_folder(home, whole, dask, tmp_path):
    (home / "slow").touch()
    folder = tmp_path / "out"
    dask.worker()
    client = begun(home, folder, "--scheduler", dask.address)
    until(lambda: len(lines(folder)) > 1)
    with pytest.raises(ValueError, match=f"^another run writes to {folder}$"):
        run("toy-cluster", out=folder, resume=True, scheduler=dask.address)
    (home / "slow").unlink()
    client.communicate(timeout=300)
    assert client.returncode == 0
    assert files(folder) == whole


def test_address_where_no_scheduler_answers(home, tmp_path):
    with socket.socket() as mute:  # takes connections and says nothing
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        for address in (
            f"tcp://127.0.0.1:{free_port()}",
            f"tcp://127.0.0.1:{mute.getsockname()[1]}",
            "nowhere",
            "tcp://127.0.0.1",
            "",
        ):
            with pytest.raises(ValueError, match="^no Dask scheduler answers at ") as stop:
                run("toy-cluster", out=tmp_path / "out", scheduler=address)
            assert "\n" not in str(stop.value)
            assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"cluster": "moon"}, "cluster must be local, got 'moon'; other clusters: scheduler"),
        ({"cluster": "local", "scheduler": "x:1"}, "give scheduler or cluster, not both"),
        ({"jobs": 2, "scheduler": "x:1"}, "give scheduler or jobs, not both"),
    ],
)
def test_unusable_input_is_one_clear_line(home, wrong, told):
    with pytest.raises(ValueError, match=told):
        run("toy-cluster", **wrong)
