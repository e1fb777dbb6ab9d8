"""Run tasks in worker processes: a crash, a hang or a full memory ends only one of them.

The decisions of the engine (`Pool`, `run_one`) and the cells of a study (`Workers`) run here. A
worker is a fresh interpreter that stays warm. It speaks length-prefixed pickles, unpickled under
``sympy.evaluate(False)`` so that a statement stays as it was written.

(The pools of pebble have time limits as well, but start their processes as multiprocessing does:
that runs a user's script once more, or copies its threads.)
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import math
import os
import pickle
import resource
import select
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dpbook.engine.language.budget import SLOWEST, TimeUp
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.run import process

MEMORY = 6 * 2**30  # bytes of address space for one worker
ENDED, CRASHED = "the worker was ended", "the worker ended by itself"
START = 60.0  # seconds of work in which a worker imports its libraries
GRACE = 2.5  # seconds beyond a task's own limit before its worker is ended


class EngineFault(RuntimeError):
    """Report a fault of the engine itself, with the traceback of the worker."""


class NotStarted(EngineFault, ChildProcessError):
    """Report that a worker ended before it could take a task, and its replacement ended as well."""


@dataclass(frozen=True)
class Failure:
    """Describe an error in a worker: `kind` is "user" (an error to show) or "fault"."""

    kind: str
    error: Any
    text: str = ""


@dataclass(frozen=True)
class Lost:
    """Describe a lost answer: the worker was ended, as its time was up, or it ended by itself.

    Attributes
    ----------
    status : int or None
        The exit status of the process; None where it was ended.
    """

    status: int | None

    @property
    def crashed(self) -> bool:
        """Say whether a signal ended the process, except the signal for too much work."""
        return self.status is not None and self.status < 0 and self.status != -signal.SIGXCPU


class Worker:
    """Represent one worker process.

    Parameters
    ----------
    program : str
        The module that serves; the tests name others.
    """

    def __init__(self, program: str = process.PROGRAM) -> None:
        self.program = program
        self.process = process.start(program)
        self.until = 0.0
        self.warm = False

    def wait_until_warm(self) -> None:
        """Wait until the libraries are imported: this time does not count as time of a task."""
        try:
            if not self.ready(SLOWEST * START):  # the end of a worker is noticed at once
                raise EOFError
            self.receive()
        except EOFError:
            self.kill()
            raise NotStarted(f"a worker did not start; python -m {self.program} says why") from None
        self.warm = True

    def or_another(self) -> Worker:
        """Return this worker once it is warm; if it ends before, replace it, but only once."""
        # a worker may be ended by the system, for example when memory is short
        with contextlib.suppress(NotStarted):
            if self.process.poll() is None:
                if not self.warm:
                    self.wait_until_warm()
                return self
        self.kill()
        other = Worker(self.program)
        other.wait_until_warm()
        return other

    def send(self, task: Any, limit: float) -> None:
        """Hand over a task that has `limit` seconds of work."""
        try:
            data = _pickled((task, limit + GRACE))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            why = f"the statement cannot be sent to a worker process: {error}"
            raise ValueError(why) from error
        self.until = time.monotonic() + SLOWEST * limit + GRACE
        # a worker that has died in between is found by reading its answer
        with contextlib.suppress(BrokenPipeError):
            _framed(self.process.stdin, data)

    def ready(self, seconds: float) -> bool:
        """Say whether an answer has begun to arrive."""
        assert self.process.stdout is not None
        return bool(select.select([self.process.stdout], [], [], max(0.0, seconds))[0])

    def receive(self) -> Any:
        """Read one answer; raise EOFError when the process is gone."""
        return _read(self.process.stdout)

    def answer(self, arrived: bool) -> Any:
        """Read the answer; if it is lost, end the process."""
        status = self.process.poll()
        if arrived:
            try:
                return self.receive()
            except (EOFError, pickle.UnpicklingError):
                status = self.process.wait()
        self.kill()
        return Lost(status)

    def kill(self) -> None:
        """End the process at once."""
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.wait()
        for pipe in filter(None, (self.process.stdin, self.process.stdout)):
            with contextlib.suppress(OSError):
                pipe.close()


def _pickled(thing: Any) -> bytes:
    if "sympy" not in sys.modules:  # nothing of SymPy is in it
        return pickle.dumps(thing)
    from dpbook.engine.run.pickles import dumped

    return dumped(thing)


def _framed(stream: Any, data: bytes) -> None:
    stream.write(struct.pack("<Q", len(data)) + data)
    stream.flush()


def _read(stream: Any) -> Any:
    (size,) = struct.unpack("<Q", _exactly(stream, 8))
    data = _exactly(stream, size)
    if "sympy" not in sys.modules:
        return pickle.loads(data)
    from dpbook.engine.run.pickles import loaded

    return loaded(data)


def _exactly(stream: Any, size: int) -> bytes:
    data: bytes = stream.read(size)  # of a buffered stream: less only at its end
    if len(data) < size:
        raise EOFError
    return data


class Workers:
    """Hold several workers, each with one task at a time.

    Parameters
    ----------
    jobs : int
        The number of workers.
    program : str
        The module that serves in them.
    """

    def __init__(self, jobs: int, program: str = process.PROGRAM) -> None:
        self.program = program
        self.idle = [Worker(program) for _ in range(max(1, jobs))]
        self.busy: list[tuple[Worker, Any, Any]] = []

    def give(self, name: Any, task: Any, limit: float) -> None:
        """Give a task of `limit` seconds of work to an idle worker; there must be one (`idle`)."""
        worker = self.idle.pop().or_another()
        try:
            worker.send(task, limit)
        except BaseException:
            worker.kill()
            raise
        self.busy.append((worker, name, task))

    def take(self) -> Iterator[tuple[Any, Any, Any]]:
        """Wait for at least one task; yield its name, the task, and its result.

        The result is the answer of the program, a `Failure`, or `Lost`. The worker is free then.
        """
        while self.busy:
            pipes: dict[Any, Worker] = {one.process.stdout: one for one, _, _ in self.busy}
            first = min(worker.until for worker in pipes.values()) - time.monotonic()
            arrived, _, _ = select.select(
                list(pipes), [], [], None if math.isinf(first) else max(0.0, first)
            )
            now, there = time.monotonic(), [pipes[pipe] for pipe in arrived]
            over = [one for one in self.busy if one[0] in there or now > one[0].until]
            for item in over:
                worker, name, task = item
                self.busy.remove(item)
                answer = worker.answer(worker in there)
                alive = worker.process.poll() is None
                self.idle.append(worker if alive else Worker(self.program))
                yield name, task, answer
            if over:
                return

    def close(self) -> None:
        """End all workers."""
        for worker in [*self.idle, *(item[0] for item in self.busy)]:
            worker.kill()
        self.idle, self.busy = [], []


class Pool(Workers):
    """Hold workers that decide statements.

    Parameters
    ----------
    jobs, program
        As for `Workers`.
    patience : float
        A worker is ended after this many times the work that its task may take.
    """

    def __init__(self, jobs: int, program: str = process.PROGRAM, patience: float = 1.0) -> None:
        super().__init__(jobs, program)
        self.patience = patience
        self.again: list[Any] = []

    def submit(self, name: Any, task: Any) -> None:
        """Give a task to an idle worker; there must be one (see `idle`)."""
        self.give(name, task, self.patience * net(task))

    def wait(self) -> Iterator[tuple[Any, Evidence | ValueError]]:
        """Wait for at least one task; yield its name and evidence, and free the worker.

        A statement that cannot be decided as it stands gives an error in place of evidence.

        Raises
        ------
        EngineFault
            When a task met a fault of the engine.
        """
        told = False
        while self.busy and not told:
            for name, task, answer in self.take():
                if isinstance(answer, Lost) and answer.crashed and name not in self.again:
                    self.again.append(name)  # earlier tasks may have caused it: try once more
                    self.submit(name, task)
                    continue
                told = True
                if isinstance(answer, Failure) and answer.kind == "user":
                    yield name, answer.error
                else:
                    yield name, _evidence(answer, task, f"while deciding {name}: ")


def net(task: Any) -> float:
    """Return the seconds of work that a task may take in all, its proof steps included."""
    steps = getattr(task, "proof", ())  # only a statement of a claim has a written proof
    return float(task.time_limit) * (1 + 1.2 * len(steps)) + 0.5


def _evidence(answer: Any, task: Any, when: str = "") -> Any:
    if isinstance(answer, Failure):
        if answer.kind == "user":
            raise answer.error
        raise EngineFault(when + answer.text)
    if not isinstance(answer, Lost):
        return answer
    if answer.status in (None, -signal.SIGXCPU):
        why = f"no decision within {task.time_limit:g} s; {ENDED}"
    else:
        why = f"{CRASHED} (status {answer.status}): out of memory, or a crash of a library"
    return Evidence(Verdict.UNDECIDED, reason=why)


def was_lost(evidence: Evidence) -> bool:
    """Say whether a worker was lost before it had an answer: a second run may give an answer."""
    undecided = evidence.verdict is Verdict.UNDECIDED
    return undecided and (ENDED in evidence.reason or CRASHED in evidence.reason)


_own: list[Worker] = []
_lock = threading.Lock()


def run_one(task: Any) -> Any:
    """Decide one task in a warm worker of this process; safe from any thread.

    Returns
    -------
    Evidence
        For a task with its own method `run`, what this returns; evidence where the worker was lost.
    """
    with _lock:
        worker = (_own.pop() if _own else Worker()).or_another()
        _own.append(worker)
        try:
            worker.send(task, net(task))
            answer = worker.answer(worker.ready(worker.until - time.monotonic()))
        except BaseException:
            worker.kill()
            raise
        return _evidence(answer, task)


@atexit.register
def _close() -> None:
    for worker in _own:
        worker.kill()


def _limit_work(seconds: float) -> None:
    """Let the system end this process after that much work: no library call outlasts it."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        at = resource.RLIM_INFINITY
        if math.isfinite(seconds):
            at = math.ceil(time.process_time() + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (at, most))


def serve(decide: Callable[[Any], Evidence], memory: int = MEMORY) -> None:
    """Read tasks and answer them until the parent is gone."""
    import dpbook.engine.run.pickles  # noqa: F401 - so that a task is read as it was written

    gc.set_threshold(50_000, 20, 20)  # tasks make many objects, and hardly any cycle of them
    threading.Thread(target=process.follow, args=(os.getppid(),), daemon=True).start()
    source = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # a library that reads or writes must not touch the protocol
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    def reply(thing: Any) -> None:
        _framed(answers, pickle.dumps(thing))

    reply("ready")
    while True:
        answer: Any
        try:
            task, seconds = _read(source)
        except EOFError:
            return
        except (ImportError, AttributeError) as error:
            why = f"a worker process cannot read the statement: {error}"
            reply(Failure("user", ValueError(why)))
            continue
        _limit_work(seconds)
        try:
            answer = decide(task)
        except MemoryError:
            os._exit(9)
        except TimeUp:
            answer = Evidence(Verdict.UNDECIDED, reason=f"no decision within {task.time_limit:g} s")
        except ValueError as error:
            answer = Failure("user", error)
        except Exception:
            answer = Failure("fault", None, traceback.format_exc())
        try:
            reply(answer)
        except (pickle.PicklingError, TypeError, AttributeError):
            reply(Failure("fault", None, traceback.format_exc()))
