"""The table of functions: the domain, the derivative and the properties of each, as text.

Everything that the kernel knows of a function stands in its row of ``functions.toml``, or among the
axioms that name it. `u` and `v` stand for the arguments, in their order.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Function:
    """A row of the table of functions.

    Attributes
    ----------
    arguments : int
        How many; -1 for one or more.
    domain : tuple of str
        Formulas in u, v, ...: where they hold, the function is defined.
    wider : bool
        Whether it has values elsewhere too (Gamma at -1/2): that it is defined says nothing then.
    derivatives : tuple of str
        By each argument; "" where it has none that is known here. Each holds wherever the function
        and the derivative as written are defined.
    continuous : bool
        Whether it is continuous wherever it is defined.
    integral : bool
        Whether its values are integers where the formulas of its domain hold.
    """

    arguments: int = 1
    domain: tuple[str, ...] = ()
    wider: bool = False
    derivatives: tuple[str, ...] = ("",)
    continuous: bool = True
    integral: bool = False


def rows(file: str) -> dict[str, Any]:
    """Return the tables of a data file beside this one, their lists as tuples."""
    data = tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))
    return {name: _tuples(row) for name, row in data.items()}


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _tuples(part) for name, part in value.items()}
    return tuple(value) if isinstance(value, list) else value


FUNCTIONS = {name: Function(**row) for name, row in rows("functions.toml").items()}
PARAMETERS = ("u", "v", "w", "x")
ARITIES: dict[str, int] = {
    **{name: row.arguments for name, row in FUNCTIONS.items()},
    **{"pow": 2, "pi": 0, "EulerGamma": 0, "oo": 0},
}
