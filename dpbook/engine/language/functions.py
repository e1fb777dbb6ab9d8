"""Read the engine's table of functions: names, SymPy, floats, ranges, limits. It needs no SymPy.

The kernel's table, ``dpbook/kernel/functions.toml``, has a row of the same name with the domain and
the derivatives. A new function is these two rows, and its enclosure.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpbook.kernel.table import FUNCTIONS as OF_THE_KERNEL


@dataclass(frozen=True)
class Function:
    """Hold a row of the table.

    Attributes
    ----------
    name : str
        The name in sequents and on tapes.
    names : tuple of str
        The names that a text may use; the first is shown. The row's own name, if the field is left
        out.
    sympy : str
        The name in SymPy, or "" if SymPy has no such function.
    inverse_of : str
        The function of which this is 1 over.
    known : tuple of (int, int)
        A rational number, and the rational value there; empty if none is simple.
    range : tuple of (Fraction or None, Fraction or None)
        Bounds of all values.
    grows : str
        "up" or "down" if it is strictly monotone where it is defined.
    limits : tuple of (str, str)
        Limits at -oo and at oo; "" where there is none or none is used.
    command : str
        The name of its LaTeX command, without the backslash.
    numpy, scipy : str
        Names in NumPy and in `scipy.special`, where these agree on the domain.
    """

    name: str
    names: tuple[str, ...]
    sympy: str
    inverse_of: str = ""
    known: tuple[int, ...] = ()
    range: tuple[Fraction | None, Fraction | None] = (None, None)
    grows: str = ""
    limits: tuple[str, str] = ("", "")
    command: str = ""
    numpy: str = ""
    scipy: str = ""

    @property
    def everywhere(self) -> bool:
        """Say whether it has a value at all real numbers."""
        return not OF_THE_KERNEL[self.name].domain

    @property
    def arguments(self) -> int:
        """Return how many arguments it has; -1 for one or more."""
        return OF_THE_KERNEL[self.name].arguments


def _row(name: str, fields: dict[str, Any]) -> Function:
    if "range" in fields:
        fields["range"] = tuple(Fraction(end) if end else None for end in fields["range"])
    if "limits" in fields:
        fields["limits"] = tuple(fields["limits"])
    names = tuple(fields.pop("names", [name]))
    return Function(name, names, fields.pop("sympy", name), **fields)


_TEXT = Path(__file__).with_name("functions.toml").read_text(encoding="utf-8")
FUNCTIONS = {name: _row(name, fields) for name, fields in tomllib.loads(_TEXT).items()}
