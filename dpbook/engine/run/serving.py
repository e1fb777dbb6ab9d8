"""Run a worker that decides statements: ``python -m dpbook.engine.run.serving``."""

from __future__ import annotations

from typing import Any

from dpbook.engine.run.process import uncollected

with uncollected():
    from dpbook.engine.language.task import Certified, Task
    from dpbook.engine.language.verdict import Evidence
    from dpbook.engine.run import workers
    from dpbook.engine.run.decide import decided, tried


def answered(task: Any) -> Evidence:
    """Decide a statement, or try it at points only; another task has its own method `run`."""
    if isinstance(task, Certified):
        return decided(task)
    return tried(task) if isinstance(task, Task) else task.run()


if __name__ == "__main__":
    workers.serve(answered)
