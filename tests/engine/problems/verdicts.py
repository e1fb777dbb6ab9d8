"""Write which problems a short search proves and refutes, and which it leaves open.

    python -m tests.engine.problems.verdicts [COLLECTION ...]

The verdicts stand in verdicts.list beside this file, one line for each problem of the collections:
``collection:name | proved, refuted, open or contradictory | long or nothing``. A search is limited
by the goals that it may try, never by time, so the file is the same on every machine. A problem is
long if it took more than `LONG` seconds when it joined the file; the mark of a problem that is in
the file already stays. Long problems are compared by ``.ci/full`` only.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path
from typing import Any

from dpbook.engine.language.domain import DomainError
from dpbook.engine.language.task import Task, make_task
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.read.readings import probability_ranges, read_statement
from dpbook.engine.run.decide import glanced

HERE = Path(__file__).parent
FILE = HERE / "verdicts.list"
GOALS, DEPTHS = 8, (0, 1)
NET = 600.0  # seconds of work that no problem takes
LONG = 0.25

Problem = tuple[str, list[str]]


def _loaded(name: str) -> Any:
    path = HERE.parents[2] / "benchmarks" / f"{name}.py"
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def collections() -> dict[str, dict[str, Problem]]:
    """Return the statement and the conditions of each problem, by collection and name."""
    trial, integrals = _loaded("trial"), _loaded("integrals")
    found = {
        path.stem: {name: (statement, given) for name, _, statement, given in trial.problems(path)}
        for path in sorted(HERE.glob("*.txt"))
    }
    rows = integrals.problems()
    found["integrals"] = {name: (f"{lines[0]} = {lines[-1]}", given) for name, lines, given in rows}
    return found


def on_file() -> dict[str, tuple[str, bool]]:
    """Return the verdict of each problem, and whether it is long, by collection and name."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    rows = [
        [field.strip() for field in f"{line} |".split("|")] for line in lines if line[:1] != "#"
    ]
    return {name: (verdict, long == "long") for name, verdict, long, *_ in rows}


def verdict_of(statement: str, given: list[str]) -> str:
    """Decide a problem by few points and one short search."""
    try:
        evidence = glanced(_task(statement, given), GOALS, DEPTHS, NET)
    except DomainError:
        return "contradictory"
    return evidence.verdict.value if evidence.verdict in DECIDED else "open"


DECIDED = (Verdict.PROVED, Verdict.REFUTED)


def _task(statement: str, given: list[str]) -> Task:
    read = read_statement(statement, given)
    conditions = [read.given] if read.given.parts else []
    conditions += probability_ranges((read.tree, *conditions))
    return make_task(read.tree, conditions, time_limit=NET)


def main(names: list[str]) -> None:
    """Write the file, or the lines of some collections in it."""
    found = collections()
    kept = on_file()
    for collection in names or found:
        for name, problem in found[collection].items():
            key = f"{collection}:{name}"
            started = time.process_time()
            verdict = verdict_of(*problem)
            slow = time.process_time() - started > LONG
            before, long = kept.get(key, (verdict, slow))
            kept[key] = verdict, long
            if verdict != before:
                print(f"{key}: {verdict}, {before} before", flush=True)
        lines = [
            f"{key} | {kept[key][0]} | {'long' if kept[key][1] else ''}".rstrip()
            for key in (f"{stem}:{name}" for stem, rows in found.items() for name in rows)
            if key in kept
        ]
        FILE.write_text("\n".join([HEAD, *lines]) + "\n", encoding="utf-8")


HEAD = "# collection:name | proved, refuted, open or contradictory | long; see verdicts.py"

if __name__ == "__main__":
    main(sys.argv[1:])
