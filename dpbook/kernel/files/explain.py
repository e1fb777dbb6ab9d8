"""Say of a rejected step which goal stood there, from which hypotheses, and which premises it has.

The kernel names the place, the rule and the reason. A writer of a proof needs the goal too. It is computed
here a second time, along the way to the rejected step: a fault here changes a message, and accepts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dpbook.kernel.check import FAULTS
from dpbook.kernel.environment import Environment, Fields, difference
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Relation, Sequent
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.rules import RULES
from dpbook.kernel.rules.algebra import combined
from dpbook.kernel.terms import ZERO

LONGEST = 300  # characters of a line
MOST = 20  # hypotheses, or premises, that are shown
READ = ("combination", "cancel")  # rules that use hypotheses as they are read, ``polynomial op 0``
ERRORS = (Rejected, RecursionError, MemoryError, *FAULTS)


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
        facts = env.facts(s)
        total, _ = combined(facts, s, Fields(node, s))
        yield f"the combination is {facts.term(total)}"
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
