"""Write the premises that are automatic into a certificate.

A search leaves them out: its tactics look at the premises that need a proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Sequent
from dpbook.kernel.rules import RULES

Node = dict[str, Any]
AUTO = "auto"
FAULTS = (ArithmeticError, ValueError, TypeError, KeyError, IndexError, RecursionError)

# rules all of whose premises go on with the proof, and rules without such a premise; of the other
# rules only the last premise goes on
EACH_GOES_ON = frozenset(("and", "or", "refute", "split", "cases", "have", "weaken", "all"))
NONE_GOES_ON = frozenset(
    ("defined", "monotone", "concave", "descend", "induct", "no root")
    + ("proper integral", "bounded integral")
)


def at_side(rule: str, count: int) -> int:
    """Return the number of side premises of a rule, which come before the others."""
    if rule in EACH_GOES_ON:
        return 0
    return count if rule in NONE_GOES_ON else count - 1


def left(rule: str, premises: Sequence[Sequent], env: Environment) -> list[Sequent]:
    """Return the premises of a rule without the side premises that are automatic."""
    beside = at_side(rule, len(premises))
    return [p for i, p in enumerate(premises) if i >= beside or not env.automatic(p)]


def explicit(
    sequent: Sequent, node: Mapping[str, Any], lemmas: Mapping[str, Sequent] | None = None
) -> Node:
    """Return a certificate in which each side premise that is automatic has its node.

    Parameters
    ----------
    sequent : Sequent
    node : mapping
        A certificate of it without these nodes.
    lemmas : mapping from names to sequents

    Raises
    ------
    Rejected
        When a rule does not apply, or another number of premises needs a proof.
    """
    try:
        return _completed(sequent, node, Environment(lemmas or {}))
    except FAULTS as error:
        raise Rejected(f"{type(error).__name__}: {error}") from None


def _completed(s: Sequent, node: Mapping[str, Any], env: Environment) -> Node:
    rule = node["rule"]
    premises = RULES[rule](s, Fields(node, s), env)
    given = iter(node.get("premises", ()))
    beside = at_side(rule, len(premises))
    made = []
    for i, premise in enumerate(premises):
        if i < beside and env.automatic(premise):
            made.append({"rule": AUTO})
            continue
        below = next(given, None)
        if below is None:
            raise Rejected("a premise has no proof", rule)
        made.append(_completed(premise, below, env))
    if next(given, None) is not None:
        raise Rejected("there are more proofs than premises", rule)
    fields = {name: value for name, value in node.items() if name != "premises"}
    return {**fields, "premises": made} if made else fields
