"""Studies at scale: overhead of a cell, 200,000 cells, eight workers, random kills, and the times of all cells.

    python benchmarks/studies.py            overhead, and 200,000 cells of a toy study on 4 workers
    python benchmarks/studies.py --eight    one process and eight workers, byte by byte
    python benchmarks/studies.py --kills    20 random kills of workers, schedulers and clients
    python benchmarks/studies.py --record   data/study_times.json, for the page on large runs
    python benchmarks/studies.py --again NAME ...   in it the cells of these studies alone, after a change of their code
    python benchmarks/studies.py --keep DIR ...   data/studies, from folders of `dpbook study run --scale paper`

The toy cells sleep: no processor is needed for them, and what remains is overhead.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pickle
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import toy_studies  # noqa: F401  registers the toy studies

from dpbook.study import cluster, compute, find, listed, run
from dpbook.study.cells import Failure
from dpbook.study.store import line_of, manifest_in

HERE = Path(__file__).resolve().parent
FILE = HERE.parent / "data" / "study_times.json"
RESULTS = HERE.parent / "data" / "studies"
CELLS, WORKERS = 200_000, 4
KILLS = 20
REPLICATES = 200  # enough for so many kills
ENOUGH = 60.0  # seconds of a study's cells that are measured


def folder() -> contextlib.AbstractContextManager[str]:
    """A new folder."""
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


def timed(name: str, **options: Any) -> tuple[float, float, int]:
    """Seconds of a run, of the processor time of this process in it, and how many batches there were."""
    given: list[int] = []
    submit = cluster._Dealer._submit

    def counted(dealer: Any, function: Any, task: Any) -> None:
        given.append(len(task.numbers))
        submit(dealer, function, task)

    cluster._Dealer._submit = counted  # type: ignore[method-assign]
    clock, began = time.process_time(), time.perf_counter()
    try:
        run(name, **options)
    finally:
        cluster._Dealer._submit = submit  # type: ignore[method-assign]
    return time.perf_counter() - began, time.process_time() - clock, sum(map(bool, given))


# --- overhead -------------------------------------------------------------------------------------------


def alone(count: int = 2000) -> float:
    """Seconds of a toy cell by itself."""
    study = find("toy-scale")
    began = time.perf_counter()
    for replicate in range(count):
        compute(study, ({"pause": 0.0}, replicate), 0)
    return (time.perf_counter() - began) / count


def overhead() -> None:
    cell = alone()
    print(f"a toy cell by itself: {1e3 * cell:.3f} ms")
    more: dict[str, Any]
    for how, count, more in (
        ("in one process", 10_000, {}),
        ("worker processes", 10_000, {"jobs": WORKERS}),
        ("LocalCluster", CELLS, {"jobs": WORKERS, "cluster": "local"}),
    ):
        with folder() as out:
            options = {"scale": "paper", "replicates": count // 200, "out": out}
            seconds, client, batches = timed("toy-scale", **options, **more)
            files = len(os.listdir(out))
            size = (Path(out) / "cells.jsonl").stat().st_size
            began = time.perf_counter()
            run("toy-scale", **options, resume=True)
            again = time.perf_counter() - began
        print(
            f"{how}: {count} cells in {seconds:.1f} s, {1e3 * (seconds / count - cell):.3f} ms a cell "
            f"over the cell's own time; client {1e3 * client / count:.3f} ms a cell, {batches} batches; "
            f"{files} files, {size / 1e6:.1f} MB; read and summarised again in {again:.1f} s"
        )


def eight() -> None:
    """Compare the files of two runs: in one process, and on eight workers."""
    with folder() as one, folder() as other:
        run("toy-scale", out=one, replicates=4000)
        run("toy-scale", out=other, replicates=4000, cluster="local", jobs=8)
        same = contents(one) == contents(other)
        print(f"eight workers: {len(contents(one))} files, {'the same' if same else 'OTHERS'}")
    if not same:
        sys.exit(1)


def contents(out: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(out).iterdir()}


# --- kills ------------------------------------------------------------------------------------------------


class Processes:
    """A scheduler, two workers and a client, each in a process of its own."""

    def __init__(self, out: str) -> None:
        self.out = Path(out)
        self.of: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start the processes that do not run."""
        if not self._runs("scheduler"):
            for name in list(self.of):
                self.kill(name)
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.port = str(probe.getsockname()[1])
            self._begin(
                "scheduler", *self._dask("scheduler"), "--host", "127.0.0.1", "--port", self.port
            )
        for name in ("worker 1", "worker 2"):
            if not self._runs(name):
                options = ("--nthreads", "1", "--host", "127.0.0.1", "--no-nanny")
                self._begin(name, *self._dask("worker"), f"tcp://127.0.0.1:{self.port}", *options)
        if not self._runs("client"):
            self._begin("client", str(HERE / "studies.py"), "--client", str(self.out), self.port)

    def _dask(self, kind: str) -> tuple[str, ...]:
        return "-m", f"distributed.cli.dask_{kind}", "--no-dashboard"

    def _begin(self, name: str, *arguments: str) -> None:
        paths = os.pathsep.join([str(HERE), *sys.path])
        self.of[name] = subprocess.Popen(
            [sys.executable, *arguments],
            env={**os.environ, "PYTHONPATH": paths},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _runs(self, name: str) -> bool:
        return name in self.of and self.of[name].poll() is None

    def kill(self, name: str) -> None:
        process = self.of.pop(name)
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        process.wait()

    def lines(self) -> list[bytes]:
        path = self.out / "cells.jsonl"
        found = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        return found[:-1] if found and not found[-1].endswith(b"\n") else found

    @property
    def ended(self) -> bool:
        return "client" in self.of and self.of["client"].poll() == 0

    def close(self) -> None:
        for name in list(self.of):
            self.kill(name)


def client(out: str, port: str) -> None:
    """Go on with a run; try again while no scheduler answers yet."""
    while True:
        try:
            address = f"tcp://127.0.0.1:{port}"
            options = {"replicates": REPLICATES, "out": out, "scheduler": address}
            run("toy-uneven", scale="paper", resume=True, **options)  # type: ignore[arg-type]
            return
        except ValueError as error:
            if "no Dask scheduler answers" not in str(error):
                raise


def kills() -> None:
    """Kill one process after another in the middle of a run; no stored cell may go."""
    rng = random.Random(43)
    with folder() as one, folder() as other:
        run("toy-uneven", scale="paper", replicates=REPLICATES, out=one, jobs=8)
        whole = contents(one)
        processes = Processes(other)
        done, lost = 0, 0
        try:
            while not processes.ended:
                processes.start()
                before = processes.lines()
                while len(processes.lines()) < len(before) + 3 and not processes.ended:
                    processes.start()  # a client ends when its scheduler does
                    time.sleep(0.05)
                time.sleep(rng.uniform(0.0, 1.0))
                if done < KILLS and not processes.ended:
                    kept = processes.lines()
                    name = rng.choice(["client", "scheduler", "worker 1", "worker 2"])
                    processes.kill(name)
                    now = processes.lines()
                    lost += sum(line not in now for line in kept)
                    done += 1
                    print(f"{done}: {name}, {len(now)} cells stored")
        finally:
            processes.close()
        same = contents(other) == whole
    print(
        f"{done} kills, {lost} stored cells lost; the files are {'the same' if same else 'OTHERS'}"
    )
    if lost or not same or done < KILLS:
        sys.exit(1)


# --- the record -------------------------------------------------------------------------------------------


def measured(name: str) -> dict[str, Any]:
    """Times and sizes of the cells of a study at the paper's scale, a replicate of each setting at most."""
    study = find(name)
    settings = study.scales["paper"].settings
    compute(study, (study.scales["quick"].settings[0], 0), 0)  # compiles
    seconds, order, record, line = {}, 0, 0, 0
    spent = 0.0
    for number in np.random.default_rng(0).permutation(len(settings)).tolist():
        place = (settings[number], 0)
        began = time.process_time()
        found = compute(study, place, 0)
        seconds[number] = time.process_time() - began
        if isinstance(found, Failure):
            sys.exit(f"{name}, {settings[number]}: {found.why}")
        order = max(order, len(pickle.dumps(cluster.Order(study, [place], 0, None))))
        record = max(record, len(pickle.dumps(cluster.Done([found], 0.0))))
        line = max(line, len(line_of(place, found)))
        spent += seconds[number]
        if spent > ENOUGH and len(seconds) > 2:
            break
    return {
        "replicates": study.scales["paper"].replicates,
        "measured": len(seconds),
        "seconds": [
            round(seconds[nearest(settings, number, seconds)], 6) for number in range(len(settings))
        ],
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "order": order,
        "record": record,
        "line": line,
    }


def nearest(settings: Any, number: int, known: dict[int, float]) -> int:
    """Return the number of a measured setting that has most values of this one, of those the nearest."""

    def gap(other: int) -> tuple[int, int]:
        unlike = sum(settings[number][name] != value for name, value in settings[other].items())
        return unlike, abs(number - other)

    return min(known, key=gap)


def costs() -> dict[str, float]:
    """Seconds that a run on a LocalCluster takes besides its cells."""
    local: dict[str, Any] = {"cluster": "local", "jobs": 1, "replicates": 1}
    with folder() as out:
        run("toy-scale", out=out, replicates=1)  # imports all that a run needs
    with folder() as out:
        start, once, _ = timed("toy-scale", out=out, **local)
    most = cluster.batch_size
    spent = []
    for size in (1, 500):  # cells in a batch
        cluster.batch_size = lambda waiting, *_, size=size: min(waiting, size)  # type: ignore[assignment]
        count = 400 if size == 1 else 40_000
        with folder() as out:
            seconds, processor, batches = timed(
                "toy-scale", out=out, **{**local, "replicates": count}
            )
        spent.append((count, batches, seconds - start, processor - once))
    cluster.batch_size = most
    (few, short, seconds, processor), (many, long, _, all_processor) = spent
    # two equations for the client's time for a batch and for a cell
    matrix = np.array([[short, few], [long, many]])
    batch, cell = np.linalg.solve(matrix, [processor, all_processor])
    latency = max(seconds / short - batch - cell - alone(), 0.0)
    return {"start": start, "batch": float(batch), "latency": latency, "cell": float(cell)}


def checks() -> Iterator[dict[str, Any]]:
    """Measure runs for the forecast to be held against, each with the start of so many workers on this machine."""
    local: dict[str, Any] = {"cluster": "local"}
    for workers in (1, 2, 4):
        with folder() as out:
            start, _, _ = timed("toy-scale", out=out, replicates=1, jobs=workers, **local)
        with folder() as out:
            seconds, _, batches = timed("toy-uneven", scale="paper", out=out, jobs=workers, **local)
        yield {
            "workers": workers,
            "start": round(start, 3),
            "seconds": round(seconds, 3),
            "batches": batches,
        }


def machine() -> dict[str, Any]:
    """Describe where and when this runs, and how busy the machine is."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return {
        "cpu": name,
        "processors": os.cpu_count(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "load": round(os.getloadavg()[0], 1),
    }


def record() -> None:
    """Write the file for the page."""
    where = machine()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # for the processes that compute cells, as in a worker of Dask
    found: dict[str, Any] = {"machine": where, "costs": costs()}
    settings = find("toy-uneven").scales["paper"]
    found["check"] = {
        "cells": [setting["pause"] for setting in settings.settings],
        "replicates": settings.replicates,
        "runs": list(checks()),
    }
    print(json.dumps(found, indent=1))
    found["studies"] = {}
    for name in listed():
        found["studies"][name] = measured_alone(name)
    FILE.write_text(json.dumps(found, indent=1) + "\n")


def measured_alone(name: str) -> dict[str, Any]:
    """Measure in a new process, which no other study has made larger."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = pool.submit(measured, name).result()
    print(name, sum(found["seconds"]), flush=True)
    return found


def again(names: list[str]) -> None:
    """Measure the cells of some studies anew, and leave the rest of the file as it is."""
    found = json.loads(FILE.read_text())
    for name in names:
        found["studies"][name] = {**measured_alone(name), "again": machine()}
    FILE.write_text(json.dumps(found, indent=1) + "\n")


def keep(folders: list[Path]) -> None:
    """Copy the results of runs at the size of the paper, with what was run, for the page on results."""
    for folder in folders:
        manifest = manifest_in(folder)
        name = manifest["study"]
        if manifest["scale"] != "paper" or not (folder / f"{name}.png").is_file():
            sys.exit(f"{folder} holds no finished run at the size of the paper")
        summary = json.loads((folder / "summary.json").read_text())
        found = {**{key: manifest[key] for key in ("seed", "replicates", "settings")}, **summary}
        (RESULTS / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")
        shutil.copy(folder / f"{name}.png", RESULTS)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("eight", "kills", "record"):
        options.add_argument(f"--{name}", action="store_true")
    options.add_argument("--again", nargs="+", choices=listed(), metavar="NAME")
    options.add_argument("--keep", nargs="+", type=Path, metavar="DIR")
    options.add_argument("--client", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.client:
        client(*chosen.client)
    elif chosen.eight:
        eight()
    elif chosen.kills:
        kills()
    elif chosen.record:
        record()
    elif chosen.again:
        again(chosen.again)
    elif chosen.keep:
        keep(chosen.keep)
    else:
        overhead()


if __name__ == "__main__":
    main()
