"""Studies on a Dask cluster: no finished cell is lost, whatever ends, and no worker of other code helps.

Each test starts processes of its own on 127.0.0.1, and ends them.
"""

import contextlib
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from dpbook.study import REGISTRY, Halted, Incomplete, cluster, run

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

    def start(self, kind, *options, path=None):
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *options],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(path or self.home), *sys.path])},
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
