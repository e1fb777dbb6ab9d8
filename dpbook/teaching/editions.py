"""Copies of the notebooks for readers, for students and for nbgrader."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dpbook.teaching.chapters import NAME, Notebook, NotebookError, home, read_notebook
from dpbook.teaching.guards import text_of

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


def copy(folder: Path, edition: str = "reader", notebooks: Path | None = None) -> list[str]:
    """Write an edition of the notebooks into a folder; what stands there is never overwritten.

    Parameters
    ----------
    folder : Path
        Where to write; made when it is missing.
    edition : {'reader', 'student', 'nbgrader'}
        ``reader``: as committed. ``student``: without solutions. ``nbgrader``: a course folder
        with ``source/NAME/NAME.ipynb``, of those chapters that have an exercise to be graded.
    notebooks : Path, optional
        Where the notebooks are, when they are not those of dpbook.

    Returns
    -------
    list of str
        The report, a line each.

    Raises
    ------
    NotebookError
        When there is nothing to copy, or `folder` is a file.
    """
    shelf = notebooks or home("notebooks")
    paths = sorted(shelf.glob(f"{NAME}.ipynb"))
    if not paths:
        raise NotebookError(f"no notebooks in {shelf}; make notebooks, or install dpbook again")
    if folder.exists() and not folder.is_dir():
        raise NotebookError(f"{folder} is a file; name a folder")
    written, same, kept = 0, 0, []
    for name, content in _contents(paths, edition):
        goal = folder / name
        if not goal.exists():
            goal.parent.mkdir(parents=True, exist_ok=True)
            goal.write_bytes(content)
            written += 1
        elif goal.read_bytes() == content:
            same += 1
        else:
            kept.append(goal)
    books = "notebook" if written == 1 else "notebooks"
    report = [f"{written} {books} written to {folder}" + (f", {same} there already" * bool(same))]
    if kept:
        names = ", ".join(str(path.relative_to(folder)) for path in kept)
        report.append(f"kept as they are, because they differ: {names}; remove one to get it anew")
    return report


def _contents(paths: Sequence[Path], edition: str) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        if edition == "reader":
            yield path.name, path.read_bytes()
        elif edition == "student":
            yield path.name, _packed(student(read_notebook(path)))
        elif edition == "nbgrader":
            made = graded(read_notebook(path), path.stem)
            if made is not None:
                yield f"source/{path.stem}/{path.name}", _packed(made)
        else:
            raise NotebookError(f"edition must be reader, student or nbgrader, got {edition}")


def _packed(notebook: Notebook) -> bytes:
    return f"{json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)}\n".encode()


def role_of(cell: Mapping[str, Any]) -> tuple[str, str]:
    """Return what a cell is to an exercise, and the exercise: ``("check", "ex-sign")``."""
    for role, label in cell["metadata"].get("dpbook", {}).items():
        return role, label
    return "", ""


def _untied(notebook: Notebook) -> Notebook:
    """A notebook without the hashes that tie it to its chapter: the copy is the reader's own."""
    made: Notebook = json.loads(json.dumps(notebook))
    tie = made["metadata"].get("dpbook", {})
    made["metadata"]["dpbook"] = {k: v for k, v in tie.items() if k == "generated_from"}
    return made


def student(notebook: Notebook) -> Notebook:
    """Return a notebook without its solutions."""
    made = _untied(notebook)
    made["cells"] = [cell for cell in made["cells"] if role_of(cell)[0] != "solution"]
    return made


def graded(notebook: Notebook, name: str) -> Notebook | None:
    """Return a notebook as an instructor hands it to nbgrader; None when nothing is graded.

    The answer cell holds the solution between the marks that nbgrader cuts out; the check becomes
    a locked test of one point, which fails unless its last expression is true.
    """
    made = _untied(notebook)
    solutions: dict[str, list[str]] = {}
    for cell in made["cells"]:
        role, label = role_of(cell)
        if role == "solution" and cell["cell_type"] == "code":
            solutions.setdefault(label, []).append(text_of(cell["source"]))
    cells, points, checks = [], 0, dict[str, int]()
    for cell in made["cells"]:
        role, label = role_of(cell)
        if role == "solution":
            continue
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        if role == "answer":
            source = "\n".join([BEGIN, *solutions.get(label, []), END])
            cell["source"] = source.splitlines(keepends=True)
            cell["metadata"]["nbgrader"] = _mark(f"{name}-{label}", solution=True)
        elif role == "check":
            checks[label] = checks.get(label, 0) + 1
            again = f"-{checks[label]}" if checks[label] > 1 else ""
            cell["source"] = asserted(text_of(cell["source"])).splitlines(keepends=True)
            identity = f"{name}-{label}-check{again}"
            cell["metadata"]["nbgrader"] = {
                **_mark(identity, grade=True, locked=True),
                "points": 1,
            }
            points += 1
        cells.append(cell)
    made["cells"] = cells
    return made if points else None


def _mark(identity: str, **true: bool) -> dict[str, Any]:
    fields = {"solution": False, "grade": False, "locked": False, "task": False}
    return {"schema_version": 3, "grade_id": identity, **fields, **true}


def asserted(source: str) -> str:
    """Return a check whose last expression has to be true.

    Examples
    --------
    >>> print(asserted("answer == 3"))
    feedback = answer == 3
    assert feedback, feedback
    """
    body = ast.parse(source).body
    if not body or not isinstance(body[-1], ast.Expr):
        return source
    lines = source.encode().splitlines()
    last = body[-1]
    before = [line.decode() for line in lines[: last.lineno - 1]]
    first = lines[last.lineno - 1]
    head, rest = first[: last.col_offset].decode(), first[last.col_offset :].decode()
    tail = [line.decode() for line in lines[last.lineno :]]
    return "\n".join([*before, f"{head}feedback = {rest}", *tail, "assert feedback, feedback"])
