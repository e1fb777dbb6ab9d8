"""How a statement is decided, within its time: `decide` runs in a worker."""

from __future__ import annotations

import time
from dataclasses import replace

from dpbook.engine import finite_models
from dpbook.engine.budget import TimeUp, alarm
from dpbook.engine.errors import LIBRARY_ERRORS, of_a_library
from dpbook.engine.forms import Forms
from dpbook.engine.task import Task
from dpbook.engine.verdict import Evidence, Verdict

EXAMPLES = 3.0  # times the time limit for examples of unknown functions


def decide(task: Task) -> Evidence:
    """Decide a task within its time limit.

    Raises
    ------
    DomainError
        When the conditions contradict each other.
    EngineError
        When a proof and a point disagree.
    """
    started = time.perf_counter()
    try:
        if finite_models.has_unknown(task.form, task.given):
            with alarm(EXAMPLES * task.time_limit):
                evidence = finite_models.decided(
                    *(task.form, task.given, task.seed, task.candidates),
                    most=finite_models.REPEATED if task.repeats else None,
                )
            return replace(evidence, seconds=time.perf_counter() - started)
        with alarm(task.time_limit * (1.05 + len(task.proof)) + 0.4):
            evidence = Forms(task).run()
    except TimeUp:
        evidence = Evidence(Verdict.UNDECIDED, reason=f"no decision within {task.time_limit:g} s")
    except RecursionError:
        evidence = Evidence(Verdict.UNDECIDED, reason="the statement is nested too deeply")
    except LIBRARY_ERRORS as error:
        if not of_a_library(error):
            raise
        why = f"a library failed: {type(error).__name__}: {str(error)[:200]}"
        evidence = Evidence(Verdict.UNDECIDED, reason=why)
    return replace(evidence, seconds=time.perf_counter() - started)
