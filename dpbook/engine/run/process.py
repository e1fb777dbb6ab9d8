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
import time
from collections.abc import Iterator
from contextlib import contextmanager

PROGRAM = "dpbook.engine.run.serving"
_begun: dict[str, subprocess.Popen[bytes]] = {}


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
