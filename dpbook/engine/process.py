"""How a worker process is started; it imports nothing heavy, so that one can start first of all.

The libraries take as long to import in the worker as in the caller. `begin` starts a worker before
the caller imports them, so that both do so at once.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys

PROGRAM = "dpbook.engine.workers"
_begun: dict[str, subprocess.Popen[bytes]] = {}


def start(program: str = PROGRAM) -> subprocess.Popen[bytes]:
    """Start a process that serves tasks; one that has begun already is taken over."""
    begun = _begun.pop(program, None)
    if begun is not None and begun.poll() is None:
        return begun
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": paths,
        "SYMPY_CACHE_SIZE": "20000",  # 1000, its default, is too small for long expressions
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


def begin(program: str = PROGRAM) -> None:
    """Start a worker that the first task will find."""
    _begun[program] = start(program)


@atexit.register
def _close() -> None:
    for process in _begun.values():
        process.kill()
        process.wait()
