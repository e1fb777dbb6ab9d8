"""The facts about functions that are taken as true: axioms and a table of integrals, each with its source.

An axiom holds for all real values of its parameters, whatever a function is where it is not
defined: a condition on the domain stands among the alternatives, or among the conditions, which
become premises. All stand in ``axioms.toml``; the tests evaluate every one at many points.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpbook.kernel.table import rows


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An axiom: it holds for all values of the parameters that satisfy the conditions."""

    names: str
    source: str
    conditions: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(self.names.split())


@dataclass(frozen=True, kw_only=True)
class Axiom(Entry):
    """Formulas that hold."""

    formulas: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Integral(Entry):
    """The integral of `body` in x from `low` to `high` exists and is `value`."""

    low: str
    high: str
    body: str
    value: str


_TABLES = rows("axioms.toml")
AXIOMS = {name: Axiom(**row) for name, row in _TABLES["axiom"].items()}
INTEGRALS = {name: Integral(**row) for name, row in _TABLES["integral"].items()}
