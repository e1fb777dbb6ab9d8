"""The facts about functions that proofs use: axioms, an integral table, and lemmas that are proved from them.

A fact holds for all real values of its parameters, whatever a function is where it is not defined: a
condition on the domain stands among the alternatives, or among the conditions, which become premises.
What is taken as true stands in ``axioms.toml``, each with its source. A lemma of the kernel stands in
``lemmas.toml``, and its proof in ``lemmas/``; `kernel.files.lemmas` checks the proofs. A proof uses both
in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from dpbook.kernel.table import rows

E = TypeVar("E")


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
