r"""A cell magic for derivations: ``%load_ext dpbook.ext.ipython``, then cells that begin with ``%%derive``.

One line of the cell is one step. ``given:`` begins a line of conditions, ``=>`` marks a line that only
follows from the one before, and what stands after ``#`` is the step's title. Text with a backslash is
LaTeX. A name after ``%%derive`` keeps the derivation under that name.

    %%derive solved
    given: x > 0
    x^2 = 9          # the equation
    x = 3            # take the root
"""

from __future__ import annotations

import re
from typing import Any

from IPython.core.error import UsageError

from dpbook.engine.derivation import Derivation, Step, derive, implies

_COMMENT = re.compile(r"(?<!\\)#")
# the colon may be left out where no product, sum or relation of a symbol `given` is meant
_GIVEN = re.compile(r"\s*given(\s*:|\s+(?=[\w\\|]))", re.IGNORECASE)


def derive_cell(shell: Any, line: str, cell: str) -> Derivation:
    """Check the derivation that a cell holds.

    Parameters
    ----------
    shell : InteractiveShell
    line : str
        What stands after ``%%derive``: a name to keep the derivation under, ``text`` or ``latex``.
    cell : str
        The lines.

    Returns
    -------
    Derivation

    Raises
    ------
    UsageError
        With one line, when the cell cannot be read.
    """
    words = line.split()
    syntax = next((word for word in words if word in ("text", "latex")), None)
    names = [word for word in words if word not in ("text", "latex")]
    if len(names) > 1 or not all(name.isidentifier() for name in names):
        raise UsageError(f"%%derive takes a name, and text or latex, got {line.strip()}")
    given, steps = read_cell(cell)
    try:
        made = derive(steps, given=given, syntax=syntax)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if names:
        shell.user_ns[names[0]] = made
    return made


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


def _titled(line: Any, title: str) -> Any:
    return Step(title, line) if title else line


def load_ipython_extension(shell: Any) -> None:
    """Register the magic; IPython calls this on ``%load_ext dpbook.ext.ipython``."""

    def magic(line: str, cell: str) -> Derivation:
        return derive_cell(shell, line, cell)

    shell.register_magic_function(magic, "cell", "derive")
