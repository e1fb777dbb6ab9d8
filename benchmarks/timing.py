"""How the benchmarks measure: calls take turns, and the best of several rounds counts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any


def best(
    calls: dict[str, Callable[[], Any]],
    repeats: int,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, float]:
    """Return the seconds of each call, after a first one that compiles.

    The other rounds measure what else the machine did.

    Parameters
    ----------
    calls : dict of str to callable
    repeats : int
        Rounds.
    clock : callable
        Processor time; `time.perf_counter` where several threads work.
    """
    found = dict.fromkeys(calls, math.inf)
    for call in calls.values():
        call()
    for _ in range(repeats):
        for name, call in calls.items():
            start = clock()
            call()
            found[name] = min(found[name], clock() - start)
    return found
