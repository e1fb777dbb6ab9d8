"""Compute cells in worker processes of this machine; run as a program, serve in such a process."""

from __future__ import annotations

import math
import resource
from collections import deque
from collections.abc import Generator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from dpbook.engine.run import workers
from dpbook.study.cells import Failure, compute
from dpbook.study.definition import Place, Record, Study


def outcomes(
    study: Study,
    places: Sequence[Place],
    todo: Sequence[int],
    seed: int,
    data: Path | None,
    jobs: int,
) -> Generator[tuple[int, Record | Failure]]:
    """Compute cells, each in the first worker that is free; yield them as they are finished."""
    waiting, crew = deque(todo), workers.Workers(min(jobs, len(todo)), __name__)
    try:
        while waiting or crew.busy:
            while waiting and crew.idle:
                number = waiting.popleft()
                crew.give(number, (study, places[number], seed, data), math.inf)
            for number, _, found in crew.take():
                if isinstance(found, workers.Lost):
                    why = f"its process ended (status {found.status}): no memory, or a crash"
                    found = Failure(why)
                elif isinstance(found, workers.Failure):  # the study cannot be imported there
                    found = Failure(str(found.error or found.text))
                yield number, found
    finally:
        crew.close()


def serve() -> None:
    """Compute cells for another process, in all the memory that there is."""

    def answer(task: Any) -> Any:
        return compute(*task)

    workers.serve(answer, memory=resource.RLIM_INFINITY)


if __name__ == "__main__":
    import_module("dpbook.study.crew").serve()  # its messages name the class by that module
