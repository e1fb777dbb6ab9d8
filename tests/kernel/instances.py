"""Sequents and certificates written by hand, in one line each."""

from dataclasses import dataclass, field
from typing import Any

from dpbook.kernel import check
from dpbook.kernel.formulas import Sequent, sequent_from_json

KNOWN = {"rule": "known"}
IDENTITY = {"rule": "identity"}


def sequent(names: str, given: str, goal: str, **functions: int) -> Sequent:
    """Read a sequent: real names, after ``;`` integer ones; hypotheses with ``|`` between them."""
    reals, _, integers = names.partition(";")
    sorts = dict.fromkeys(reals.split(), "real") | dict.fromkeys(integers.split(), "integer")
    hypotheses = [h for h in given.split("|") if h.strip()]
    return sequent_from_json(
        {"variables": sorts, "functions": functions, "given": hypotheses, "goal": goal}
    )


def node(rule: str, *premises: object, **fields: Any) -> dict[str, Any]:
    """Return a node of a certificate."""
    made: dict[str, Any] = {"rule": rule, **fields}
    if premises:
        made["premises"] = list(premises)
    return made


def refuted(terms: object = (), equalities: object = ()) -> dict[str, Any]:
    """Return a proof by a combination that contradicts the negated goal."""
    return node("refute", node("combination", terms=list(terms), equalities=list(equalities)))


@dataclass(frozen=True)
class Instance:
    """A sequent with a certificate, and, where it must be rejected, a part of the reason."""

    rule: str
    sequent: Sequent
    certificate: Any
    why: str = ""
    lemmas: dict[str, Sequent] = field(default_factory=dict)

    def check(self) -> object:
        return check(self.sequent, self.certificate, self.lemmas)

    def __str__(self) -> str:
        return f"{self.rule}: {self.sequent.goal}"[:70]
