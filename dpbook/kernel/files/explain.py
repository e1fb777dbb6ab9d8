"""Say of a rejected step which goal stood there, from which hypotheses, and which premises it has.

The kernel names the place, the rule and the reason. A writer of a proof needs the goal too. It is computed
here a second time, along the way to the rejected step: a fault here changes a message, and accepts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dpbook.kernel.check import FAULTS, check
from dpbook.kernel.environment import (
    Environment,
    Fields,
    Trust,
    difference,
    literal_at,
    rational,
    read_term,
)
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Relation, Sequent
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.rules import RULES
from dpbook.kernel.terms import ZERO

LONGEST = 300  # characters of a line
MOST = 20  # hypotheses, or premises, that are shown
READ = ("combination", "cancel")  # rules that use hypotheses as they are read, ``polynomial op 0``
ERRORS = (Rejected, RecursionError, MemoryError, *FAULTS)


def checked(sequent: Sequent, certificate: object, lemmas: Mapping[str, Sequent]) -> Trust:
    """Check a certificate as `check` does; a rejection has notes on the goal of the rejected step.

    Raises
    ------
    Rejected
        When the certificate does not prove the sequent; its notes are lines of text.
    """
    try:
        return check(sequent, certificate, lemmas)
    except Rejected as error:
        for line in notes(sequent, certificate, lemmas, error):
            error.add_note(line)
        raise


def notes(
    sequent: Sequent, certificate: object, lemmas: Mapping[str, Sequent], error: Rejected
) -> list[str]:
    """Return lines on the step at which a certificate is rejected; none where it cannot be reached."""
    env = Environment(lemmas)
    node: Any = certificate
    found: list[str] = []
    try:
        for number in error.path:
            sequent, node = _premises(sequent, node, env)[number], node["premises"][number]
        found += _lines(sequent, node, env, error)
    except ERRORS:
        pass  # what was found before is shown
    return [line if len(line) <= LONGEST else f"{line[:LONGEST]} ..." for line in found]


def _premises(s: Sequent, node: Any, env: Environment) -> list[Sequent]:
    return RULES[node["rule"]](s, Fields(node, s), env)


def _lines(s: Sequent, node: Any, env: Environment, error: Rejected) -> Iterator[str]:
    yield f"the goal there: {s.goal}"
    facts = env.facts(s) if error.rule in READ else None
    for number, h in list(enumerate(s.hypotheses))[:MOST]:
        literal = facts.literals[number] if facts is not None else None
        read = f", read as {_said(facts, *literal)}" if facts is not None and literal else ""
        yield f"hypothesis {number}: {h}{read}"
    if len(s.hypotheses) > MOST:
        yield f"and {len(s.hypotheses) - MOST} more hypotheses"
    if error.why.startswith("the number of premises "):
        for number, premise in list(enumerate(_premises(s, node, env)))[:MOST]:
            yield f"premise {number}: {_premise(s, premise)}"
    elif error.rule == "combination" and error.why == "the combination is not 0":
        yield f"the combination is {_combined(s, node, env)}"
    elif error.rule == "identity" and error.why == "the normal forms differ":
        t, _ = difference(s)
        facts = env.facts(s)
        yield f"the difference of the sides is {facts.term(facts.poly(t))}"


def _said(facts: Facts, p: P.Poly, op: str) -> str:
    return str(Relation(facts.term(p), op, ZERO))


def _premise(s: Sequent, premise: Sequent) -> str:
    """Return a premise as text: its goal, and the variables and hypotheses that are new in it."""
    new = [f"{sort} {name}" for name, sort in premise.variables if (name, sort) not in s.variables]
    given = [str(h) for h in premise.hypotheses if h not in s.hypotheses]
    wide = f", for every {' and '.join(new)}" if new else ""
    return f"{premise.goal}{wide}{', given ' if given else ''}{'; '.join(given)}"


def _combined(s: Sequent, node: Mapping[str, Any], env: Environment) -> str:
    """Return the sum of a combination, which should be 0."""
    facts = env.facts(s)
    parts = []
    for number, factor in node.get("equalities", []):
        p, _ = literal_at(facts, s, number)
        parts.append(facts.product(p, facts.poly(read_term(factor, s))))
    for coefficient, numbers, square in node["terms"]:
        part = P.constant(1)
        for number in numbers:
            part = facts.product(part, literal_at(facts, s, number)[0])
        if square is not None:
            p = facts.poly(read_term(square, s))
            part = facts.product(part, facts.product(p, p))
        parts.append(P.scaled(part, rational(coefficient, 2000, "no coefficient")))
    return str(facts.term(P.total(parts)))
