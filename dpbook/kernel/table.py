"""The table of functions, and the facts about them that proofs use: all of it is text.

The domain, the derivative and the properties of a function stand in its row of ``functions.toml``; `u` and
`v` stand for the arguments, in their order. All else that the kernel knows of it is a fact that names it: an
axiom, an integral of the table, or a lemma that is proved from them.

A fact holds for all real values of its parameters, whatever a function is where it is not defined: a
condition on the domain stands among the alternatives, or among the conditions, which become premises.
What is taken as true stands in ``axioms.toml``, each with its source. A lemma of the kernel stands in
``lemmas.toml``, and its proof in ``lemmas/``; `kernel.files.lemmas` checks the proofs. A proof uses both
in the same way.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

E = TypeVar("E")


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


# --- the facts about functions ------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A fact that holds for all values of the parameters that satisfy the conditions.

    Attributes
    ----------
    names : str
        The parameters, with blanks between them.
    source : str
        Where it is published; empty for a lemma.
    why : str
        Why no rule proves it; empty for a lemma.
    conditions : tuple of str
    rests : tuple of str
        The axioms beneath the proof of a lemma.
    """

    names: str
    source: str = ""
    why: str = ""
    conditions: tuple[str, ...] = ()
    rests: tuple[str, ...] = field(default=(), compare=False)


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


_UNPROVED, _PROVED = rows("axioms.toml"), rows("lemmas.toml")
UNPROVED = frozenset(name for kind in _UNPROVED.values() for name in kind)  # taken as true


def _facts(kind: str, made: Callable[..., E]) -> dict[str, E]:
    """Return the axioms and lemmas, or the integrals, by their names.

    Raises
    ------
    ValueError
        When two facts have one name.
    """
    if twice := UNPROVED & {name for rows in _PROVED.values() for name in rows}:
        raise ValueError(f"two facts have the name {min(twice)}")
    return {name: made(**row) for name, row in {**_UNPROVED[kind], **_PROVED[kind]}.items()}


AXIOMS = _facts("axiom", Axiom)
INTEGRALS = _facts("integral", Integral)
