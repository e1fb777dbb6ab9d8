"""A small real dataset for the chapters, made from counts that ship with the package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpbook.engine.claims import record


def shipped(name: str) -> Path:
    """Return the path of a small data file of the package."""
    inside = record.PACKAGE / "shipped" / "data" / name
    return inside if inside.is_file() else record.PACKAGE.parent / "data" / name


def admissions() -> NDArray[Any]:
    """Return the applicants to six departments of a university, a record each.

    Returns
    -------
    array
        Shape (4526,), with the fields `department` ("A" to "F"), `sex` ("man" or "woman") and
        `admitted` (true or false), in the order of the table.

    Notes
    -----
    Berkeley, autumn 1973: Bickel, Hammel, O'Connell (1975), *Sex bias in graduate admissions*. The
    counts are public; each applicant of a cell becomes one record.

    Examples
    --------
    >>> people = admissions()
    >>> len(people), int(people["admitted"].sum())
    (4526, 1755)
    """
    table = json.loads(shipped("admissions_1973.json").read_text(encoding="utf-8"))
    rows: list[tuple[str, str, bool]] = []
    for department, sex, admitted, rejected in table["counts"]:
        rows += [(department, sex, True)] * admitted + [(department, sex, False)] * rejected
    return np.array(rows, dtype=[("department", "U1"), ("sex", "U5"), ("admitted", "?")])
