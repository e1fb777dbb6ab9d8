"""Find the rows of the table of functions by the classes of SymPy."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr

from dpbook.engine.language.functions import FUNCTIONS, Function

_VALUES = {"oo": sympy.oo, "-oo": -sympy.oo, "pi/2": sympy.pi / 2, "-pi/2": -sympy.pi / 2}

CLASSES: dict[str, Any] = {
    name: getattr(sympy, row.sympy) for name, row in FUNCTIONS.items() if row.sympy
}
BY_CLASS: dict[Any, Function] = {made: FUNCTIONS[name] for name, made in CLASSES.items()}
EVERYWHERE = tuple(made for made, row in BY_CLASS.items() if row.everywhere)


def limits_at_ends(row: Function) -> tuple[Expr | None, Expr | None]:
    """Return the limits at -oo and at oo, each None where the table has no limit."""
    low, high = (
        None if not end else _VALUES[end] if end in _VALUES else sympy.Integer(end)
        for end in row.limits
    )
    return low, high
