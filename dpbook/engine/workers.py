"""Worker processes: they decide tasks, and a crash, a hang or a full memory takes only one of them.

A worker is a fresh interpreter that stays warm. It speaks length-prefixed pickles, unpickled under
``sympy.evaluate(False)`` so that a statement stays as it was written.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import resource
import select
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbook.engine.verdict import Evidence, Verdict

MEMORY = 6 * 2**30  # bytes of address space for one worker
GRACE = 2.5  # seconds beyond a task's own limit before its worker is killed


class EngineFault(RuntimeError):
    """A fault of the engine itself, with the traceback of the worker."""


@dataclass(frozen=True)
class Failure:
    """What went wrong in a worker: `kind` is "user" (an error to show) or "fault"."""

    kind: str
    error: Any
    text: str = ""


class Worker:
    """One warm process."""

    def __init__(self) -> None:
        environment = {
            **os.environ,
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dpbook.engine.workers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the parent, which then ends its workers
        )
        self.until = 0.0
        self.warm = False

    def wait_until_warm(self) -> None:
        """Wait until the libraries are imported: that is not the time of a task."""
        self.ready(60.0)
        self.receive()
        self.warm = True

    def send(self, task: Any, limit: float) -> None:
        """Hand over a task that has `limit` seconds."""
        assert self.process.stdin is not None
        self.until = time.monotonic() + limit + GRACE
        data = pickle.dumps(task)
        self.process.stdin.write(struct.pack("<Q", len(data)) + data)
        self.process.stdin.flush()

    def ready(self, seconds: float) -> bool:
        """Whether an answer has begun to arrive."""
        assert self.process.stdout is not None
        return bool(select.select([self.process.stdout], [], [], max(0.0, seconds))[0])

    def receive(self) -> Any:
        """Read one answer; EOFError when the process is gone."""
        assert self.process.stdout is not None
        return _read(self.process.stdout)

    def kill(self) -> None:
        """End the process at once."""
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _read(stream: Any) -> Any:
    head = _exactly(stream, 8)
    (size,) = struct.unpack("<Q", head)
    with sympy.evaluate(False):
        return pickle.loads(_exactly(stream, size))


def _exactly(stream: Any, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = stream.read(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def net(task: Any) -> float:
    """Seconds that a task may take in all, its proof steps included."""
    return float(task.time_limit) * (1 + 1.2 * len(task.proof)) + 0.5


def _ended(worker: Worker, task: Any) -> Evidence:
    code = worker.process.poll()
    if code is None:
        return Evidence(
            Verdict.UNDECIDED,
            reason=f"no decision within {task.time_limit:g} s; the worker was ended",
        )
    return Evidence(
        Verdict.UNDECIDED,
        reason=f"the worker ended by itself (status {code}): out of memory, or a crash of a library",
    )


class Pool:
    """Several warm workers.

    Parameters
    ----------
    jobs : int
        How many.
    """

    def __init__(self, jobs: int) -> None:
        self.idle = [Worker() for _ in range(max(1, jobs))]
        self.busy: list[tuple[Worker, Any, Any]] = []

    def submit(self, name: Any, task: Any) -> None:
        """Give a task to an idle worker; there must be one (see `idle`)."""
        worker = self.idle.pop()
        if worker.process.poll() is not None:
            worker.kill()
            worker = Worker()
        if not worker.warm:
            worker.wait_until_warm()
        worker.send(task, net(task))
        self.busy.append((worker, name, task))

    def wait(self) -> Iterator[tuple[Any, Evidence]]:
        """Wait for at least one task; yields its name and evidence, and frees the worker.

        Raises
        ------
        EngineFault
            When a task met a fault of the engine.
        ValueError
            When a statement cannot be decided as it stands, with the reason.
        """
        while self.busy:
            finished = [item for item in self.busy if item[0].ready(0)]
            late = [
                item
                for item in self.busy
                if item not in finished and time.monotonic() > item[0].until
            ]
            if not finished and not late:
                select.select(
                    [w.process.stdout for w, _, _ in self.busy if w.process.stdout], [], [], 0.1
                )
                continue
            for item in finished + late:
                worker, name, task = item
                self.busy.remove(item)
                answer = _answer(worker, task, item in finished)
                self.idle.append(worker if worker.process.poll() is None else Worker())
                yield name, _raised(answer)
            return

    def close(self) -> None:
        """End all workers."""
        for worker in [*self.idle, *(item[0] for item in self.busy)]:
            worker.kill()
        self.idle, self.busy = [], []


def _answer(worker: Worker, task: Any, arrived: bool) -> Any:
    if arrived:
        try:
            return worker.receive()
        except (EOFError, pickle.UnpicklingError):
            worker.process.wait()
    evidence = _ended(worker, task)
    worker.kill()
    return evidence


def _raised(answer: Any) -> Evidence:
    if isinstance(answer, Failure):
        if answer.kind == "user":
            raise answer.error
        raise EngineFault(answer.text)
    assert isinstance(answer, Evidence)
    return answer


_own: list[Worker] = []
_lock = threading.Lock()


def run_one(task: Any) -> Evidence:
    """Decide one task in a warm worker of this process; safe from any thread."""
    with _lock:
        if not _own or _own[0].process.poll() is not None:
            _own[:] = [Worker()]
            _own[0].wait_until_warm()
        worker = _own[0]
        try:
            worker.send(task, net(task))
            arrived = worker.ready(worker.until - time.monotonic())
            answer = _answer(worker, task, arrived)
        except BaseException:
            worker.kill()
            raise
        return _raised(answer)


@atexit.register
def _close() -> None:
    for worker in _own:
        worker.kill()


def serve(decide: Callable[[Any], Evidence]) -> None:
    """Read tasks and answer them until the parent is gone."""
    source = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not reach the protocol
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def reply(thing: Any) -> None:
        data = pickle.dumps(thing)
        answers.write(struct.pack("<Q", len(data)) + data)
        answers.flush()

    reply("ready")
    while True:
        try:
            task = _read(source)
        except EOFError:
            return
        answer: Any
        try:
            answer = decide(task)
        except MemoryError:
            os._exit(9)
        except ValueError as error:
            answer = Failure("user", error)
        except Exception:
            answer = Failure("fault", None, traceback.format_exc())
        try:
            reply(answer)
        except (pickle.PicklingError, TypeError, AttributeError):
            reply(Failure("fault", None, traceback.format_exc()))


if __name__ == "__main__":
    # the classes must be those of the importable module, not of __main__, to be pickled
    from dpbook.engine import workers
    from dpbook.engine.decide import decide

    workers.serve(decide)
