"""Sequents and certificates written by hand, in one line each."""

from dataclasses import dataclass, field
from typing import Any

from dpbook.engine.prove.certificates import at_side
from dpbook.kernel import Rejected, check
from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import Sequent
from dpbook.kernel.rules import RULES

KNOWN = {"rule": "auto"}
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


def filled(s: Sequent, node: Any, lemmas: dict[str, Sequent] | None = None) -> Any:
    """Return a certificate in which side premises that are automatic have their nodes.

    One that fits no rule, or has other premises, stays so: the kernel must reject it.
    """
    env = Environment(lemmas or {})

    def visit(s: Sequent, node: Any) -> Any:
        if not isinstance(node, dict) or node.get("rule") not in RULES:
            return node
        try:
            premises = RULES[node["rule"]](s, Fields(node, s), env)
        except (Rejected, ArithmeticError, TypeError, KeyError, IndexError, AttributeError):
            return node
        given, made = list(node.get("premises", [])), []
        beside = at_side(node["rule"], len(premises))
        for i, premise in enumerate(premises):
            if i < beside and env.automatic(premise):
                made.append(KNOWN)
            elif given:
                made.append(visit(premise, given.pop(0)))
        made += given
        return {**node, "premises": made} if made else node

    return visit(s, node)


@dataclass(frozen=True)
class Instance:
    """A sequent with a certificate, and, where it must be rejected, a part of the reason.

    Side premises that are automatic are not written.
    """

    rule: str
    sequent: Sequent
    certificate: Any
    why: str = ""
    lemmas: dict[str, Sequent] = field(default_factory=dict)

    @property
    def explicit(self) -> Any:
        return filled(self.sequent, self.certificate, self.lemmas)

    def check(self) -> object:
        return check(self.sequent, self.explicit, self.lemmas)

    def __str__(self) -> str:
        return f"{self.rule}: {self.sequent.goal}"[:70]
