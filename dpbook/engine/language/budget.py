"""Limit the time of work, by a deadline that methods ask and an alarm that stops a library call.

Both count seconds of work, the processor time of this process, so that a busy machine changes as
few verdicts as it can.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import _GeneratorContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import FrameType
from typing import Any

from dpbook.engine.language.errors import LIBRARY_ERRORS, unless_ours

AGAIN = 0.5  # seconds of work after which an alarm that a library swallowed rings again
LONGEST = 86_400  # seconds of one call
SHORT = (24, (0, 1), 5.0)  # a short search: goals, depths, and seconds of work as a net
WHOLE = 1.5  # times the time limit, for the whole search for a certificate
SLOWEST = 4.0  # seconds of wall time that are granted for one second of work, on a busy machine


def refuse_time_limit(time_limit: float) -> None:
    """Raise a `ValueError` for a time limit that no call may have."""
    number = isinstance(time_limit, (int, float)) and not isinstance(time_limit, bool)
    if not number or not 0 < time_limit <= LONGEST:
        raise ValueError(f"time_limit must be > 0 and <= {LONGEST} seconds, got {time_limit!r}")


def time_in_all(time_limit: float, net: float) -> float:
    """Return the seconds of work: for points in two stages, and searches for and against."""
    return 2 * time_limit + 3 * net + SHORT[2]


class TimeUp(BaseException):
    """Signal that the time is used up; it is not an Exception, so that no library swallows it."""


_outside = 0.0  # seconds of processor time that are nobody's work


def worked() -> float:
    """Return the processor time that this process has used, in seconds, without `Later` imports."""
    return time.process_time() - _outside


@contextmanager
def uncounted() -> Iterator[None]:
    """Stop the clocks of `worked` and `alarm` in the body."""
    global _outside
    left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
    started = time.process_time()
    try:
        yield
    finally:
        _outside += time.process_time() - started
        if left:
            signal.setitimer(signal.ITIMER_PROF, left, AGAIN)


class Later:
    """Represent a module that is imported when it is first used.

    The import is not counted as work: otherwise a verdict could depend on whether a statement was
    the first of its worker.

    Parameters
    ----------
    name : str
        Of the module.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        with uncounted():
            module = import_module(self._name)
        setattr(self, attribute, getattr(module, attribute))
        return vars(self)[attribute]


@dataclass(frozen=True)
class Deadline:
    """Describe a moment after which no new work starts, in seconds of work."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        return cls(worked() + seconds)

    @property
    def left(self) -> float:
        return self.at - worked()

    @property
    def passed(self) -> bool:
        return self.left <= 0

    def part(self, seconds: float) -> float:
        """Return the smaller of `seconds` and the time that is left."""
        return max(0.0, min(seconds, self.left))


_HELD: list[None] = []
# An exception in these would end neither the body of a `with` nor its context manager.
DOORS = tuple(
    method.__code__
    for method in (_GeneratorContextManager.__enter__, _GeneratorContextManager.__exit__)
)


@contextmanager
def held() -> Iterator[None]:
    """Let no alarm stop the body: a library calls it back that cannot pass an exception on."""
    _HELD.append(None)
    try:
        yield
    finally:
        _HELD.pop()


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the body after some seconds of work.

    Alarms nest, and the inner one never outlives the outer. A body that is stopped may have
    switched SymPy's evaluation off; it is set back.

    Raises
    ------
    RuntimeError
        Outside the main thread, where no signal can be set. Statements are decided in worker
        processes (`dpbook.engine.run.workers`), so any thread may ask for them.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("a limit on work is kept in the main thread of a process only")
    if seconds <= 0:
        raise TimeUp

    def ring(_signal: int, frame: FrameType | None) -> None:
        at_a_door = frame is not None and frame.f_code in DOORS
        if not (_HELD or at_a_door):  # else it rings again
            raise TimeUp

    from sympy.core.parameters import global_parameters  # not needed where only tasks are sent

    previous = signal.signal(signal.SIGPROF, ring)
    outer, _ = signal.getitimer(signal.ITIMER_PROF)
    started = worked()
    evaluates = global_parameters.evaluate
    signal.setitimer(signal.ITIMER_PROF, min(seconds, outer) if outer else seconds, AGAIN)
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_PROF, 0)
        except TimeUp:  # it rang once more on the way here
            signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)
        global_parameters.evaluate = evaluates
        if outer:
            left = max(1e-3, outer - (worked() - started))
            signal.setitimer(signal.ITIMER_PROF, left, AGAIN)


@contextmanager
def attempt(seconds: float, *failures: type[BaseException]) -> Iterator[None]:
    """Leave the rest of the body out after some seconds of work, or where a library fails in it.

    Parameters
    ----------
    seconds : float
    *failures : classes of errors
        Further errors that only end the body.
    """
    try:
        with alarm(max(seconds, 1e-3)):  # a body cannot be left out as a whole
            yield
    except (TimeUp, *LIBRARY_ERRORS) as error:
        unless_ours(error)
    except failures:
        pass
