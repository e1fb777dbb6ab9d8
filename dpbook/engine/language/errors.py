"""Distinguish the errors of a library that has no answer from the faults of this package."""

from __future__ import annotations

from traceback import walk_tb

# errors that SymPy raises at a form that it does not know; such a failure decides nothing
LIBRARY_ERRORS = (
    *(TypeError, ValueError, KeyError, IndexError, AttributeError, ArithmeticError),
    *(NotImplementedError, RecursionError, AssertionError),
)
# A library in C leaves no frame, and raises none of these: the last frame shows their origin.
TELLING = (AssertionError, AttributeError, KeyError, NameError, ImportError)


def unless_ours(error: BaseException) -> None:
    """Raise an error again if the code of this package has made it, for it is a fault of ours.

    A failure of a library leaves a statement undecided. A fault of ours must not look like one.
    """
    if isinstance(error, TELLING) and _module(error).startswith("dpbook."):
        raise error


def of_a_library(error: BaseException) -> bool:
    """Say whether the code of a library, and not of this package, has raised an error."""
    return not _module(error).startswith("dpbook.")


def _module(error: BaseException) -> str:
    """Return the name of the module in which an error was raised."""
    names = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
    return str(names[-1]) if names else ""
