"""Write the premises that are automatic into a certificate, and leave out the steps that nothing uses.

A search leaves automatic premises out: its tactics look at the premises that need a proof. A step
is left out when the kernel accepts the later steps without its facts: proofs are then shorter on
record, and replayed sooner. Hypotheses are named by numbers in a certificate; they are numbered
anew by their formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Sequent
from dpbook.kernel.rules import RULES

Node = dict[str, Any]
AUTO = "auto"
FAULTS = (ArithmeticError, ValueError, TypeError, KeyError, IndexError, RecursionError)

# rules all of whose premises go on with the proof, and rules without such a premise; of the other
# rules only the last premise goes on
EACH_GOES_ON = frozenset(("and", "or", "refute", "split", "cases", "have", "weaken", "all"))
NONE_GOES_ON = frozenset(
    ("defined", "monotone", "concave", "descend", "induct", "no root")
    + ("proper integral", "inner integral", "bounded integral")
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
    rule, premises = node["rule"], _premises(s, node, env)
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


# --- unused steps ---------------------------------------------------------------------------------

Number = Callable[[int], int]

ONE = ("hypothesis", "fact", "equality")  # fields that hold the number of a hypothesis
REFUSALS = (Rejected, ArithmeticError, ValueError, TypeError, KeyError, IndexError, AttributeError)


class _Needed(Exception):
    """Report that a step uses a hypothesis that is left out."""


@dataclass
class Step:
    """Hold a node of a proof with the sequent that it shows."""

    shows: Sequent
    node: Node
    premises: list[Step]

    def certificate(self) -> Node:
        if not self.premises:
            return dict(self.node)
        return {**self.node, "premises": [p.certificate() for p in self.premises]}


def pruned(
    sequent: Sequent, certificate: Node, lemmas: Mapping[str, Sequent] | None = None
) -> Node:
    """Return a certificate of the same sequent without the steps that nothing uses.

    Parameters
    ----------
    sequent : Sequent
    certificate : dict
        Each of its rules applies, with these premises.
    lemmas : mapping from names to sequents

    Returns
    -------
    dict
        Each of its steps was taken with the kernel's rules; `check` has the last word.
    """
    environment = Environment(lemmas or {})
    return _without_useless(steps_of(sequent, certificate, environment), environment).certificate()


def _premises(s: Sequent, node: Mapping[str, Any], environment: Environment) -> list[Sequent]:
    return RULES[node["rule"]](s, Fields(node, s), environment)


def steps_of(s: Sequent, certificate: Node, environment: Environment) -> Step:
    """Return the last step of a proof that the kernel has accepted, with all steps above it.

    Raises
    ------
    Rejected
        When a lemma has changed since, and the certificate does not fit it any more.
    """
    node = {name: value for name, value in certificate.items() if name != "premises"}
    given = certificate.get("premises", [])
    premises = _premises(s, node, environment) if given else []
    if len(premises) != len(given):
        raise Rejected("it is one of another statement", node["rule"])
    pairs = zip(premises, given, strict=True)
    return Step(s, node, [steps_of(p, below, environment) for p, below in pairs])


def _without_useless(step: Step, environment: Environment) -> Step:
    """Leave out the useless steps above a step, then the step itself where it is useless."""
    step.premises = [_without_useless(p, environment) for p in step.premises]
    if not step.premises:
        return step
    last = step.premises[-1]
    if not _adds(step.shows, last.shows):
        return step
    try:
        left_out = set(last.shows.hypotheses) - set(step.shows.hypotheses)
        _refuse_mention(last, left_out)
        return _moved(last, step.shows, environment)
    except (_Needed, *REFUSALS):
        return step


def _adds(s: Sequent, wider: Sequent) -> bool:
    """Say whether a wider sequent differs at most by more hypotheses at the end."""
    first = wider.hypotheses[: len(s.hypotheses)]
    return (wider.goal, wider.variables, first) == (s.goal, s.variables, s.hypotheses)


def _refuse_mention(step: Step, left_out: set[Formula]) -> None:
    """Raise where a node names a hypothesis that is left out; uses without a name are not seen."""
    if not left_out & set(step.shows.hypotheses):
        return
    given = step.shows.hypotheses

    def number(index: int) -> int:
        if given[index] in left_out:
            raise _Needed
        return index

    _renumbered(step.node, number)
    for premise in step.premises:
        _refuse_mention(premise, left_out)


def _moved(step: Step, s: Sequent, environment: Environment) -> Step:
    """Show another sequent, with fewer hypotheses, by the same steps.

    Raises
    ------
    _Needed, Rejected
        Where one of the steps cannot be taken.
    """
    old = step.shows.hypotheses
    places = {f: i for i, f in reversed(list(enumerate(s.hypotheses)))}

    def number(index: int) -> int:
        if old[index] not in places:
            raise _Needed
        return places[old[index]]

    node = _renumbered(step.node, number)
    if "keep" in node:
        node["keep"] = [places[old[i]] for i in step.node["keep"] if old[i] in places]
    premises = _premises(s, node, environment)
    if len(premises) != len(step.premises):
        raise _Needed
    if node["rule"] == "weaken" and premises[0] == s:
        return _moved(step.premises[0], s, environment)
    pairs = zip(step.premises, premises, strict=True)
    return Step(s, node, [_moved(inner, p, environment) for inner, p in pairs])


def _renumbered(node: Node, number: Number) -> Node:
    """Return a node with other numbers of the hypotheses that it names."""
    made = dict(node)
    for name, value in node.items():
        if name in ONE and isinstance(value, int):
            made[name] = number(value)
        elif name in ("equalities", "by") and isinstance(value, list):  # [number, factor]
            made[name] = [[number(index), factor] for index, factor in value]
        elif name == "terms":  # of a combination: [coefficient, numbers, square]
            made[name] = [[c, [number(i) for i in facts], square] for c, facts, square in value]
        elif name == "facts":
            made[name] = [number(index) for index in value]
        elif name == "tree":
            made[name] = _tree(value, number)
    return made


def _tree(tree: Any, number: Number) -> Any:
    """Return the boxes of a bisection, renumbered: a number at a leaf names a hypothesis."""
    if isinstance(tree, int):
        return number(tree)
    if isinstance(tree, list):
        return [tree[0], tree[1], _tree(tree[2], number), _tree(tree[3], number)]
    return tree
