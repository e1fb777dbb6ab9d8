"""What is taken as true about functions: axioms and a table of integrals, each with its source.

An axiom holds for all real values of its parameters, whatever a function is where it is not
defined: a condition on the domain stands among the alternatives, or among the conditions, which
become premises. All stand in ``axioms.toml``; the tests evaluate every one at many points.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpbook.kernel.table import rows


@dataclass(frozen=True)
class Axiom:
    """Formulas that hold for all values of the parameters that satisfy the conditions."""

    names: str
    formulas: tuple[str, ...]
    source: str
    conditions: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(self.names.split())


@dataclass(frozen=True)
class Integral:
    """The integral of `body` in x from `low` to `high` exists and is `value`."""

    names: str
    low: str
    high: str
    body: str
    value: str
    conditions: tuple[str, ...]
    source: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(self.names.split())


_TABLES = rows("axioms.toml")
AXIOMS = {name: Axiom(**row) for name, row in _TABLES["axiom"].items()}
INTEGRALS = {name: Integral(**row) for name, row in _TABLES["integral"].items()}
