r"""Cell magics: ``%load_ext dpbook.ext.ipython``, then cells that begin with ``%%derive`` or ``%%claim``.

One line of a cell of ``%%derive`` is one step of a derivation; a cell of ``%%claim`` holds one statement.
How lines are read is said in `dpbook.ext.cells`. A name after the magic keeps the result under that
name.

    %%derive solved
    given: x > 0
    x^2 = 9          # the equation
    x = 3            # take the root

    %%claim
    given: x > 0
    log(x) <= x - 1
"""

from __future__ import annotations

from typing import Any

from IPython.core.error import UsageError

from dpbook.ext.cells import checked, derived


def cell_result(shell: Any, magic: str, line: str, cell: str) -> Any:
    """Check the derivation or the statement that a cell holds.

    Parameters
    ----------
    shell : InteractiveShell
    magic : {'derive', 'claim'}
    line : str
        What stands after the magic: a name to keep the result under; of a derivation also ``text``
        or ``latex``.
    cell : str
        The lines.

    Returns
    -------
    Derivation or Checked

    Raises
    ------
    UsageError
        With one line, when the cell cannot be read.
    """
    words = line.split()
    kinds = ("text", "latex") if magic == "derive" else ()
    syntax = next((word for word in words if word in kinds), None)
    names = [word for word in words if word not in kinds]
    if len(names) > 1 or not all(name.isidentifier() for name in names):
        more = ", and text or latex" if kinds else ""
        raise UsageError(f"%%{magic} takes a name{more}, got {line.strip()}")
    for name in names:  # a result of before must not stand for a cell that cannot be read
        shell.user_ns.pop(name, None)
    try:
        made: Any = derived(cell, syntax) if magic == "derive" else checked(cell)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if names:
        shell.user_ns[names[0]] = made
    return made


def load_ipython_extension(shell: Any) -> None:
    """Register the magics; IPython calls this on ``%load_ext dpbook.ext.ipython``."""
    for magic in ("derive", "claim"):

        def run(line: str, cell: str, magic: str = magic) -> Any:
            return cell_result(shell, magic, line, cell)

        shell.register_magic_function(run, "cell", magic)
