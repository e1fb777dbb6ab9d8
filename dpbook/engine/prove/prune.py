"""Remove unused steps from proofs, which are then shorter on record, and replayed sooner.

A step is left out when the kernel accepts the later steps without its facts. Hypotheses are
named by numbers in a certificate; they are numbered anew by their formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dpbook.kernel import Rejected, Sequent
from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.formulas import Formula
from dpbook.kernel.rules import RULES

__all__ = ["pruned"]

Node = dict[str, Any]
Number = Callable[[int], int]

ONE = ("hypothesis", "fact", "equality")  # fields that hold the number of a hypothesis
FAULTS = (Rejected, ArithmeticError, ValueError, TypeError, KeyError, IndexError, AttributeError)


class _Needed(Exception):
    """Report that a step uses a hypothesis that is left out."""


@dataclass
class _Step:
    """Hold a node of a proof with the sequent that it shows."""

    shows: Sequent
    node: Node
    premises: list[_Step]

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
    return _without_useless(_read(sequent, certificate, environment), environment).certificate()


def _premises(s: Sequent, node: Node, environment: Environment) -> list[Sequent]:
    return RULES[node["rule"]](s, Fields(node, s), environment)


def _read(s: Sequent, certificate: Node, environment: Environment) -> _Step:
    node = {name: value for name, value in certificate.items() if name != "premises"}
    premises = _premises(s, node, environment)
    given = certificate.get("premises", [])
    return _Step(s, node, [_read(p, c, environment) for p, c in zip(premises, given, strict=True)])


def _without_useless(step: _Step, environment: Environment) -> _Step:
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
    except (_Needed, *FAULTS):
        return step


def _adds(s: Sequent, wider: Sequent) -> bool:
    """Say whether a wider sequent differs at most by more hypotheses at the end."""
    count = len(s.hypotheses)
    return (
        wider.goal == s.goal
        and wider.variables == s.variables
        and wider.hypotheses[:count] == s.hypotheses
    )


def _refuse_mention(step: _Step, left_out: set[Formula]) -> None:
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


def _moved(step: _Step, s: Sequent, environment: Environment) -> _Step:
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
    if node["rule"] == "weaken":
        node["keep"] = [places[old[i]] for i in step.node["keep"] if old[i] in places]
    if node["rule"] == "generalise" and "given" in node:
        written = dict(zip(old, node["given"], strict=False))
        node["given"] = [written.get(f) for f in s.hypotheses]
    premises = _premises(s, node, environment)
    if len(premises) != len(step.premises):
        raise _Needed
    if node["rule"] == "weaken" and premises[0] == s:
        return _moved(step.premises[0], s, environment)
    pairs = zip(step.premises, premises, strict=True)
    return _Step(s, node, [_moved(inner, p, environment) for inner, p in pairs])


def _renumbered(node: Node, number: Number) -> Node:
    """Return a node with other numbers of the hypotheses that it names."""
    return dict(_fields(node, number))


def _fields(node: Node, number: Number) -> Iterator[tuple[str, Any]]:
    for name, value in node.items():
        if name in ONE and isinstance(value, int):
            yield name, number(value)
        elif name in ("equalities", "by") and isinstance(value, list):  # [number, factor]
            yield name, [[number(index), factor] for index, factor in value]
        elif name == "terms":  # of a combination: [coefficient, numbers, square]
            yield name, [[c, [number(i) for i in facts], square] for c, facts, square in value]
        elif name == "facts":
            yield name, [number(index) for index in value]
        elif name == "tree":
            yield name, _tree(value, number)
        else:
            yield name, value


def _tree(tree: Any, number: Number) -> Any:
    """Return the boxes of a bisection, renumbered: a number at a leaf names a hypothesis."""
    if isinstance(tree, int):
        return number(tree)
    if isinstance(tree, list):
        return [tree[0], tree[1], _tree(tree[2], number), _tree(tree[3], number)]
    return tree
