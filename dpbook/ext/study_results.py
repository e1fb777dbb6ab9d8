"""The page "The papers' studies": their results at the size of the papers, as they stand in `data/studies`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from dpbook.ext import large_runs
from dpbook.ext.large_runs import table
from dpbook.privacy.datasets import shipped
from dpbook.study import find, listed
from dpbook.study.forecast import forecast

NAME = "study_results"


def page(chapters: Path) -> str:
    """Return the page as MyST: each study with its words, picture and table."""
    text = (chapters / f"{NAME}.md").read_text(encoding="utf-8")
    return text.replace("%%studies%%", "\n".join(map(_section, listed())))


def result(name: str) -> dict[str, Any]:
    """Return the summary of a run at the size of the paper, with what was run."""
    found: dict[str, Any] = json.loads(shipped(f"studies/{name}.json").read_text(encoding="utf-8"))
    return found


def copy_pictures(folder: Path) -> None:
    """Copy the pictures that the page shows."""
    folder.mkdir()
    for name in listed():
        shutil.copy(shipped(f"studies/{name}.png"), folder)


def _section(name: str) -> str:
    found = result(name)
    head = list(found["rows"][0])
    rows = [[_shown(value) for value in row.values()] for row in found["rows"]]
    return f"""## {found["title"]}

{find(name).place}. `dpbook study run {name} --scale paper --jobs 2` takes about {_time_of(name)}, by the
forecast for two workers.

```{{image}} studies/{name}.png
:alt: {found["words"]}
```

{found["words"]}

:::{{dropdown}} Table, lines: {len(rows)}
{table(head, rows)}
:::
"""


def _time_of(name: str) -> str:
    """Return the forecast for two workers."""
    cells = large_runs.cells_of(large_runs.figures()["studies"][name])
    return large_runs.time(forecast(cells, 2, large_runs.costs()).seconds)


def _shown(value: object) -> str:
    if value == "nan":  # as in the file: where the paper has no number
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
