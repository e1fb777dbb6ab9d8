"""The lines of a statement or a derivation as they stand in a document or a cell of a notebook.

One line is one step. ``given:`` begins a line of conditions, ``=>`` marks a line that only follows from
the one before, and what stands after ``#`` is the step's title. Text with a backslash is LaTeX.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

from dpbook.engine.claims.check import check
from dpbook.engine.derive.derivation import Derivation, Step, derive, implies
from dpbook.engine.language.verdict import Evidence, Verdict, badge

_COMMENT = re.compile(r"(?<!\\)#")
# the colon may be left out where no product, sum or relation of a symbol `given` is meant
_GIVEN = re.compile(r"\s*given(\s*:|\s+(?=[\w\\|]))", re.IGNORECASE)


def read_cell(cell: str) -> tuple[list[str], list[Any]]:
    """Split a cell into conditions and lines."""
    given: list[str] = []
    steps: list[Any] = []
    for row in cell.splitlines():
        text, *rest = _COMMENT.split(row, maxsplit=1)
        title = rest[0].strip() if rest else ""
        match = _GIVEN.match(text)
        if match is not None:
            given.append(text[match.end() :].strip())
        elif text.strip().startswith("implies:"):
            steps.append(_titled(implies(text.strip().removeprefix("implies:")), title))
        elif text.strip():
            steps.append(_titled(text.strip(), title))
    return given, steps


def step_rows(cell: str) -> list[int]:
    """Return the numbers, from 0 on, of those rows of a cell that are lines and not conditions."""
    return [number for number, row in enumerate(cell.splitlines()) if read_cell(row)[1]]


def _titled(line: Any, title: str) -> Any:
    return Step(title, line) if title else line


@dataclass(frozen=True)
class Checked:
    """A statement that was decided; it shows itself in one line, the same each time."""

    evidence: Evidence

    @property
    def verdict(self) -> Verdict:
        return self.evidence.verdict

    def __bool__(self) -> bool:
        return bool(self.evidence)

    @property
    def failure(self) -> str:
        """Where it fails; empty where no counterexample is known, or it is the statement itself."""
        found = self.evidence.counterexample
        if found is None or found.finding == f"{self.evidence.statement} is false":  # of numbers
            return ""
        point = ", ".join(f"{name} = {value}" for name, value in found.as_dict().items())
        return ": ".join(part for part in (f"at {point}" if point else "", found.finding) if part)

    def __repr__(self) -> str:
        parts = (f"{self.verdict.value}: {self.evidence.statement}", self.failure)
        return ", ".join(part for part in parts if part)

    def _repr_html_(self) -> str:
        failure = f" <span>{html.escape(self.failure)}</span>" if self.failure else ""
        said = badge(self.verdict, self.verdict.value)
        return f"<p>{said} \\({html.escape(self.evidence.latex)}\\){failure}</p>"


def checked(cell: str) -> Checked:
    """Decide the statement that a cell holds.

    Raises
    ------
    ValueError
        When it holds no statement or several, or one that cannot be read.
    """
    given, steps = read_cell(cell)
    if len(steps) != 1:
        raise ValueError(f"one statement is to stand here, got {len(steps)} lines")
    [line] = steps
    line = line.line if isinstance(line, Step) else line
    return Checked(check(line, given=given))


def briefly(found: Derivation) -> str:
    """Return a derivation in one line: the line that is wrong and why, or the verdict on all lines."""
    wrong = found.first_wrong
    if wrong is None:
        return repr(found).splitlines()[-1]
    one = found.steps[wrong]
    return ": ".join([f"refuted: line {wrong + 1} is wrong", one.written, "; ".join(one.remarks())])


def derived(cell: str, syntax: str | None = None) -> Derivation:
    """Check the derivation that a cell holds.

    Raises
    ------
    ValueError
        When it cannot be read.
    """
    given, steps = read_cell(cell)
    return derive(steps, given=given, syntax=syntax)
