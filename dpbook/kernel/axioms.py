"""The facts about functions that proofs use: axioms, an integral table, and lemmas that are proved from them.

A fact holds for all real values of its parameters, whatever a function is where it is not defined: a
condition on the domain stands among the alternatives, or among the conditions, which become premises.
What is taken as true stands in ``axioms.toml``, each with its source. A lemma of the kernel stands in
``lemmas/`` with its proof; `dpbook.kernel.lemmas` checks the proofs. A proof uses both in the same way.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import (
    And,
    Formula,
    Is,
    Or,
    Relation,
    Sequent,
    flat,
    sequent_from_json,
)
from dpbook.kernel.shorthand import Writer
from dpbook.kernel.table import rows
from dpbook.kernel.terms import text


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
    """

    names: str
    source: str = ""
    why: str = ""
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


def stated(sequent: Sequent) -> Axiom | Integral:
    """Return a lemma in the form in which proofs use it.

    Raises
    ------
    Rejected
        When a proof that uses the lemma would have to show more than its conditions: it is about
        integers or unknown functions, or says that something is defined other than an integral
        with a value.
    """
    names = tuple(name for name, _ in sequent.variables)
    plain = not sequent.functions and {sort for _, sort in sequent.variables} <= {"real"}
    if not plain or not all(map(_plain, sequent.hypotheses)):
        raise Rejected("a lemma of the kernel is about real numbers that satisfy relations")
    conditions, parts = tuple(map(str, sequent.hypotheses)), flat(sequent.goal)
    if all(map(_plain, parts)):
        formulas = tuple(map(str, parts))
        return Axiom(names=" ".join(names), conditions=conditions, formulas=formulas)
    value = parts[-1]
    if not isinstance(value, Relation) or parts != (Is("defined", value.left), value):
        raise Rejected("a lemma of the kernel concludes relations, or the value of an integral")
    t = value.left
    if value.op != "==" or t.head != "integral" or t.name != "x" or "x" in names:
        raise Rejected("an integral with a value binds x")
    body, low, high, found = map(text, (*t.args, value.right))
    return Integral(
        names=" ".join(names),
        conditions=conditions,
        low=low,
        high=high,
        body=body,
        value=found,
    )


def _plain(f: Formula) -> bool:
    """Return whether a formula is made of relations, and of terms being integers."""
    if isinstance(f, (And, Or)):
        return all(map(_plain, f.parts))
    return isinstance(f, Relation) or (isinstance(f, Is) and f.what == "integer")


def with_lemmas(axioms: dict[str, Axiom], integrals: dict[str, Integral]) -> None:
    """Add the lemmas to axioms and integrals.

    Raises
    ------
    ValueError
        When two facts have one name.
    """
    for path in LEMMAS:
        writer = Writer()
        for name, entry in json.loads(path.read_text(encoding="utf-8")).items():
            if name in axioms or name in integrals:
                raise ValueError(f"two facts have the name {name}")
            short = {what: entry[what] for what in ("names", "sequent") if what in entry}
            fact = stated(sequent_from_json(writer.entry(short)["sequent"]))
            if isinstance(fact, Axiom):
                axioms[name] = fact
            else:
                integrals[name] = fact


# the files of lemmas, in the order in which their proofs are checked
LEMMAS = tuple(
    Path(__file__).with_name("lemmas") / f"{subject}.json"
    for subject in (
        "definitions",
        "exponential",
        "logarithm",
        "powers",
        "hyperbolic",
        "trigonometric",
        "inverse",
        "erf_gamma",
        "integers",
        "integrals",
    )
)
_TABLES = rows("axioms.toml")
AXIOMS = {name: Axiom(**row) for name, row in _TABLES["axiom"].items()}
INTEGRALS = {name: Integral(**row) for name, row in _TABLES["integral"].items()}
UNPROVED = frozenset((*AXIOMS, *INTEGRALS))  # taken as true
with_lemmas(AXIOMS, INTEGRALS)
