"""Start another process; this module imports nothing heavy, so that it can run first of all.

The libraries take as long to import in the worker as in the caller. `begin` starts a worker before
the caller imports them, so that both do so at once.
"""

from __future__ import annotations

import atexit
import gc
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Protocol

PROGRAM = "dpbook.engine.run.serving"
_begun: dict[str, subprocess.Popen[bytes]] = {}


class Process(Protocol):
    """Describe the process that a worker needs: a fresh interpreter (a Popen), or a fork."""

    @property
    def stdin(self) -> IO[bytes] | None: ...

    @property
    def stdout(self) -> IO[bytes] | None: ...

    def poll(self) -> int | None: ...

    def kill(self) -> None: ...

    def wait(self) -> int: ...


def start(program: str = PROGRAM) -> subprocess.Popen[bytes]:
    """Start a process that serves tasks, or take over a process that has begun already."""
    begun = _begun.pop(program, None)
    if begun is not None and begun.poll() is None:
        return begun
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": paths,
        "SYMPY_CACHE_SIZE": "20000",  # 1000, its default, is too small for long expressions
        "OPENBLAS_NUM_THREADS": "1",  # the matrices are small, and idle threads count as work
        "OMP_NUM_THREADS": "1",
    }
    return subprocess.Popen(
        # -P: a file random.py in the user's folder must not shadow Python's own
        [sys.executable, "-P", "-m", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,  # Ctrl-C is for the parent, which then ends its workers
    )


class Fork:
    """Represent a copy of this process: it has functions that no other process can import.

    Parameters
    ----------
    body : function
        The work of the copy; it gets the pipe that is `stdout` here.
    """

    stdin = None

    def __init__(self, body: Callable[[IO[bytes]], None]) -> None:
        import multiprocessing  # only here: a worker that begins need not wait for it

        here, there = os.pipe()
        parent = os.getpid()

        def run() -> None:
            os.close(here)
            threading.Thread(target=follow, args=(parent,), daemon=True).start()
            with os.fdopen(there, "wb") as answers:
                body(answers)

        self._process = multiprocessing.get_context("fork").Process(target=run, daemon=True)
        with warnings.catch_warnings():
            # threads of the notebook are not in the fork; if it waits for one, its time is up
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        os.close(there)
        self.stdout = os.fdopen(here, "rb", buffering=0)  # `select` sees all that is there

    def poll(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> int:
        self._process.join()
        return self._process.exitcode or 0


def follow(parent: int) -> None:
    """End this process soon after its parent, also in the middle of a task."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


@contextmanager
def uncollected() -> Iterator[None]:
    """Import libraries in the body without garbage collection: their objects are there to stay."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def begin(program: str = PROGRAM) -> None:
    """Start a worker that the first task will find."""
    _begun[program] = start(program)


@atexit.register
def _close() -> None:
    for process in _begun.values():
        process.kill()
        process.wait()
