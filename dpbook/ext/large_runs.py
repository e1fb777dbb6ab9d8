"""The page "Plan a large run": forecasts of the papers' studies from measured times, when the page is made."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpbook.privacy.datasets import shipped
from dpbook.study.forecast import Costs, Forecast, forecast, most_workers

NAME = "large_runs"
FIGURES = "study_times.json"
MANY = 64  # workers of the table


def page(chapters: Path) -> str:
    """Return the page as MyST, its tables filled in."""
    found = (chapters / f"{NAME}.md").read_text(encoding="utf-8")
    for mark, table in (
        ("%%machine%%", _machine),
        ("%%costs%%", _costs),
        ("%%check%%", _check),
        ("%%measured%%", _measured),
        ("%%times%%", _times),
        ("%%sizes%%", _sizes),
    ):
        found = found.replace(mark, table())
    return found


def figures() -> dict[str, Any]:
    """Return the measurements of `benchmarks/studies.py --record`."""
    found: dict[str, Any] = json.loads(shipped(FIGURES).read_text(encoding="utf-8"))
    return found


def costs() -> Costs:
    """Return the measured costs of a run besides its cells."""
    return Costs(**figures()["costs"])


def cells_of(study: dict[str, Any]) -> list[float]:
    """Return the seconds of all cells of a study, in the order of its grid."""
    return [seconds for seconds in study["seconds"] for _ in range(study["replicates"])]


def checked() -> list[tuple[dict[str, Any], Forecast]]:
    """Return the runs that were measured, each with its forecast."""
    check = figures()["check"]
    cells = [seconds for seconds in check["cells"] for _ in range(check["replicates"])]
    return [
        (run, forecast(cells, run["workers"], replace(costs(), start=run["start"])))
        for run in check["runs"]
    ]


def _machine() -> str:
    found = figures()
    text = f"The numbers were measured by `python benchmarks/studies.py --record` {_where(found['machine'])}."
    for name, study in found["studies"].items():
        if "again" in study:
            text += f" Cells of {name} were measured again {_where(study['again'])}."
    return text


def _where(machine: dict[str, Any]) -> str:
    return (
        f"on {machine['date']}, on {machine['processors']} processors of the kind {machine['cpu']}, "
        f"with a load average of {machine['load']:g} at the start"
    )


def _costs() -> str:
    found = costs()
    return table(
        ["of a run", "of a batch", "between two batches of a worker", "of a cell"],
        [
            [
                f"{found.start:.1f} s",
                *(time(part) for part in (found.batch, found.latency, found.cell)),
            ]
        ],
    )


def _measured() -> str:
    return ", ".join(
        f"{name} {study['measured']} of {len(study['seconds'])}"
        for name, study in figures()["studies"].items()
    )


def _check() -> str:
    return table(
        ["workers", "their start, s", "measured, s", "forecast, s", "batches", "forecast"],
        [
            [
                str(run["workers"]),
                f"{run['start']:.1f}",
                f"{run['seconds']:.1f}",
                f"{found.seconds:.1f}",
                str(run["batches"]),
                str(found.batches),
            ]
            for run, found in checked()
        ],
    )


def _times() -> str:
    rows = []
    for name, study in figures()["studies"].items():
        cells = cells_of(study)
        one, many, most = (
            forecast(cells, 1, costs()),
            forecast(cells, MANY, costs()),
            most_workers(cells, costs()),
        )
        rows.append(
            [
                name,
                str(len(cells)),
                time(sum(cells) / len(cells)),
                time(max(cells)),
                time(one.seconds),
                time(many.seconds),
                str(most.workers),
                most.bottleneck,
            ]
        )
    head = [
        "study",
        "cells",
        "a cell",
        "longest",
        "1 worker",
        f"{MANY} workers",
        "worth it",
        "then",
    ]
    return table(head, rows)


def _sizes() -> str:
    rows = []
    for name, study in figures()["studies"].items():
        count = len(study["seconds"]) * study["replicates"]
        rows.append(
            [
                name,
                _size(study["memory"]),
                _size(MANY * study["memory"]),
                _size(count * study["order"]),
                _size(count * study["record"]),
                _size(count * study["line"]),
            ]
        )
    head = ["study", "a worker", f"{MANY} workers", "sent to workers", "sent back", "stored"]
    return table(head, rows)


def time(seconds: float) -> str:
    """Return a time with its unit."""
    if seconds < 1:
        return f"{float(f'{1e3 * seconds:.2g}'):g} ms"
    if seconds < 100:
        return f"{seconds:.2g} s"
    if seconds < 6000:
        return f"{seconds / 60:.3g} min"
    return f"{seconds / 3600:.3g} h"


def _size(count: float) -> str:
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count / 1e3:.3g} kB"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown: texts to the left in the first column, numbers to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
