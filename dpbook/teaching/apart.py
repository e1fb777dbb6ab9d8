"""A student's function in a process of its own: inputs go there, values come back.

The process that decides never runs what a student wrote, and gets numbers and text only
(`dpbook.teaching.plain`). So nothing that the function does to its process is a verdict: not an
exit status, no frame, no object with an equality of its own.

``python -I -m dpbook.teaching.apart`` is that process: a line for each question, one for each
answer.
"""

from __future__ import annotations
import __future__

import contextlib
import functools
import importlib
import inspect
import math
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
import types
from collections.abc import Sequence
from typing import Any

from dpbook.teaching import plain

PYTHON = sys.executable  # before any notebook can name another one
MEMORY = 4 << 30
SECONDS = 60.0  # for a start on a busy machine, and for a call without a limit
WAIT = 10  # seconds of a clock for one of computing: a machine may be busy
LEAST = 60.0  # of them


class Raised(Exception):
    """An error of the student's function, in words."""


class Late(Exception):
    """The function did not come back in the time that the message names."""


class Ended(Exception):
    """The process of the function is gone, or does not answer as it should."""


class Apart:
    """A function that runs in a process of its own, started when it is first called.

    Parameters
    ----------
    data : bytes
        What `dpbook.teaching.plain.sent` wrote.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._until: float | None = None
        self._seconds, self._wait = 0.0, SECONDS
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def start(self) -> None:
        """Start the process, and read the function there.

        Raises
        ------
        Raised
            When the function cannot be read there.
        Ended
            When the process is gone.
        """
        if self._process is not None:
            return
        self._process = subprocess.Popen(
            [PYTHON, "-I", "-m", "dpbook.teaching.apart"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
        self._asked(self.data, time.monotonic() + SECONDS)

    def stop(self) -> None:
        """End the process, and the processes that it started."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def __del__(self) -> None:
        self.stop()

    def __call__(self, *arguments: Any) -> Any:
        """Return the value of the function; see `Raised`, `Late` and `Ended`."""
        return self._say("call", list(arguments))

    def refused(self, parameters: Sequence[str]) -> str:
        """Return its signature when it cannot be called so; nothing when it can."""
        return str(self._say("binds", list(parameters)) or "")

    def allow(self, seconds: float) -> None:
        """End the function once its calls have taken so many seconds of computing.

        Seconds of a clock would mark a program by how busy the machine is; they are a net alone, for a
        function that sleeps.
        """
        self._say("limit", [seconds])
        self._seconds, self._wait = seconds, max(LEAST, WAIT * seconds)
        self._until = time.monotonic() + self._wait

    def _say(self, what: str, arguments: list[Any]) -> Any:
        self.start()
        until = time.monotonic() + SECONDS if self._until is None else self._until
        return self._asked(plain.sent([what, arguments]), until)

    def _asked(self, question: bytes, until: float) -> Any:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            process.stdin.write(question + b"\n")
            process.stdin.flush()
            kind, value = plain.read(plain.opened(self._line(until))[0])
        except Late:
            self.stop()
            raise
        except (OSError, ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)  # its output may end before it does
            self.stop()
            if process.returncode == -signal.SIGXCPU:
                raise Late(f"{self._seconds:g} s of computing") from None
            raise Ended(str(error)) from None
        except Exception as error:  # values that SymPy or NumPy refuse
            raise Raised(f"it returned what cannot be read: {error}") from None
        if kind == "raised":
            raise Raised(str(value))
        return value

    def _line(self, until: float) -> bytes:
        """Read one line; what came before it is not an answer to this question."""
        assert self._process is not None
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\n" not in self._rest:
            if not select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
                raise Late(f"{self._wait:g} s")
            more = os.read(pipe, 1 << 16)
            if not more or len(self._rest) > plain.LONGEST:
                raise OSError("it ended by itself")
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line


def received(data: bytes) -> Any:
    """Read an answer that was sent; a function among them runs apart.

    Raises
    ------
    ValueError
        When it is nothing that was sent.
    """
    try:
        root, _ = plain.opened(data)
        return Apart(data) if root[0] in plain.CALLED else plain.read(root)
    except ValueError:
        raise
    except Exception as error:  # what SymPy says of parts that do not fit
        raise ValueError(f"the answer cannot be read: {error}") from None


# --- the process of the function --------------------------------------------------------------------


class _Reader:
    """Makes the functions that were sent; they may use each other."""

    def __init__(self, functions: Sequence[Any]) -> None:
        self.functions = functions
        self.made: dict[int, Any] = {}
        self.begun: set[int] = set()
        self.later: list[tuple[dict[str, Any], str, int]] = []

    def root(self, written: Any) -> Any:
        found = plain.read(written, self.called)
        for space, name, number in self.later:
            space[name] = self.made[number]
        return found

    def called(self, written: list[Any]) -> Any:
        kind, *rest = written
        if kind == "module":
            return importlib.import_module(rest[0])
        if kind == "named":
            return plain.named(*rest)
        if kind == "partial":
            function, arguments, named = (plain.read(one, self.called) for one in rest)
            return functools.partial(function, *arguments, **named)
        return self.function(rest[0])

    def function(self, number: int) -> Any:
        if number in self.made:
            return self.made[number]
        self.begun.add(number)
        name, source, uses, defaults, named = self.functions[number]
        space: dict[str, Any] = {"__name__": "answer"}
        used: dict[str, Any] = {}
        for one, written in uses.items():
            if written[0] == "function" and written[1] in self.begun - set(self.made):
                self.later.append((space, one, written[1]))
            else:
                used[one] = plain.read(written, self.called)
        space.update(used)
        flags = __future__.annotations.compiler_flag
        exec(compile(source, f"<answer {name}>", "exec", flags, dont_inherit=True), space)
        made = self.made[number] = space[name]
        space.update(used)  # its own name may stand for another function there
        bare = inspect.unwrap(made)
        if isinstance(bare, types.FunctionType):
            bare.__defaults__ = tuple(plain.read(defaults, self.called)) or None
            bare.__kwdefaults__ = plain.read(named, self.called) or None
        return made


def _answered(function: Any, question: bytes) -> list[Any]:
    what, arguments = plain.read(plain.opened(question)[0])
    if what == "call":
        return ["value", function(*arguments)]
    if what == "limit":
        most = math.ceil(time.process_time() + arguments[0])
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
        return ["value", None]
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # it is not written in Python
        return ["value", ""]
    try:
        signature.bind(*arguments)
    except TypeError:
        return ["value", str(signature)]
    return ["value", ""]


def _told(error: Exception) -> list[Any]:
    return ["raised", f"{type(error).__name__}: {error}"[:2000]]


def main() -> None:
    """Read a function, then answer questions until the parent is gone."""
    from dpbook.engine.run import process

    threading.Thread(target=process.follow, args=(os.getppid(),), daemon=True).start()
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # the input and output of a function are no question and no answer
        os.dup2(nowhere, stream)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    function: Any = None
    for number, question in enumerate(questions):
        try:
            if number:
                reply = _answered(function, question)
            else:
                root, functions = plain.opened(question)
                function, reply = _Reader(functions).root(root), ["value", None]
            data = plain.sent(reply)
        except plain.Unsendable as problem:
            data = plain.sent(["raised", f"TypeError: it returned what is no number: {problem}"])
        except Exception as error:
            data = plain.sent(_told(error))
        answers.write(data + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
