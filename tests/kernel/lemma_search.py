"""Prove the lemmas of the kernel, and write the files in which their proofs are on record.

A sketch gives the first steps of a proof, and a search the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import EllipsisType
from typing import Any

from dpbook.engine.claims.proof_files import formatted
from dpbook.engine.claims.record import write_atomically
from dpbook.engine.language.budget import TimeUp, alarm
from dpbook.engine.prove.prune import pruned
from dpbook.engine.prove.tactics import axioms as chosen
from dpbook.engine.prove.tactics.core import Node, Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel import Rejected, Sequent, check
from dpbook.kernel.axioms import AXIOMS, INTEGRALS, LEMMAS, Axiom, Integral
from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.formulas import And, Or, sequent_from_json
from dpbook.kernel.replay import read
from dpbook.kernel.rules import RULES

BUDGET = 3000  # goals that a search may try
SECONDS = 2.5  # of work of one search


@dataclass(frozen=True)
class Step:
    """Describe a node of a proof whose premises a search may prove.

    Attributes
    ----------
    rule : str
    fields : mapping
        Of the node; numbers of hypotheses below 0 count from the last one.
    below : mapping from int to sketches
        How the premises are shown that do not hold at once, by their place among these, from the
        last one where it is negative. The others are searched for.
    """

    rule: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    below: Mapping[int, Sketch] = field(default_factory=dict)


Sketch = Step | EllipsisType  # ... is a search


class Unproved(Exception):
    """Report a premise of a sketch that no search proves."""


def statement(fact: Axiom | Integral) -> Sequent:
    """Return a fact as a sequent, as it stands on record."""
    if isinstance(fact, Axiom):
        many = len(fact.formulas) > 1
        goal = " and ".join(f"({f})" if many else f for f in fact.formulas)
    else:
        integral = f"integral({fact.body}, x, {fact.low}, {fact.high})"
        goal = f"defined({integral}) and {integral} == {fact.value}"
    variables = dict.fromkeys(fact.parameters, "real")
    data = {"variables": variables, "given": list(fact.conditions), "goal": goal}
    return sequent_from_json(data)


@contextmanager
def only(names: Iterable[str]) -> Iterator[None]:
    """Let proofs use these axioms and integrals alone in the body."""
    for name in AXIOMS:
        chosen.formulas_of(name)  # tactics ask for some by name
    allowed, whole = set(names), (dict(AXIOMS), dict(INTEGRALS))
    try:
        for facts in (AXIOMS, INTEGRALS):
            for name in set(facts) - allowed:
                del facts[name]  # type: ignore[attr-defined]
        yield
    finally:
        for facts, all_of_them in zip((AXIOMS, INTEGRALS), whole, strict=True):
            facts.clear()
            facts.update(all_of_them)  # type: ignore[arg-type]


def prove(sequent: Sequent, sketches: Sequence[Sketch]) -> Node:
    """Return a certificate of a sequent, the parts of whose goal have a sketch each.

    Raises
    ------
    Unproved
        When a search fails, or a step cannot be taken.
    """
    if isinstance(sequent.goal, And) and len(sketches) > 1:
        premises = RULES["and"](sequent, Fields({}, sequent), Environment({}))
        count = len(sequent.hypotheses)
        nodes = []
        for number, (premise, sketch) in enumerate(zip(premises, sketches, strict=True)):
            alone = Step("weaken", {"keep": list(range(count))}, {0: sketch})
            nodes.append(filled(premise, alone if number else sketch))
        node: Node = {"rule": "and", "premises": nodes}
    else:
        (sketch,) = sketches
        node = filled(sequent, sketch)
    try:
        check(sequent, node)
        shorter: Node = pruned(sequent, node)
        check(sequent, shorter)
    except Rejected as error:
        raise Unproved(str(error)) from None
    return shorter


def filled(s: Sequent, sketch: Sketch) -> Node:
    """Return the node of a sketch, with proofs of its premises."""
    if isinstance(sketch, EllipsisType):
        return _searched(s)
    environment = Environment({})
    fields = _numbered(sketch.fields, len(s.hypotheses))
    if sketch.rule == "or" and isinstance(s.goal, Or):
        fields["part"] %= len(s.goal.parts)
    try:
        premises = RULES[sketch.rule](s, Fields(fields, s), environment)
    except (Rejected, ArithmeticError, ValueError) as error:
        raise Unproved(f"{sketch.rule}: {error}, for {_shown(s)}") from None
    left = premises
    if sketch.rule not in ("have", "cases"):  # for these the place says which one is meant
        left = [p for p in premises if not _at_once(p, environment)]
    steps = {place % len(left): step for place, step in sketch.below.items() if left}
    order = iter([steps.get(place, ...) for place in range(len(left))])
    nodes = [filled(p, next(order) if p in left else ...) for p in premises]
    return {"rule": sketch.rule, **fields, **({"premises": nodes} if nodes else {})}


def _at_once(s: Sequent, environment: Environment) -> bool:
    try:
        return environment.settled(s)
    except Rejected:
        return False


def _searched(s: Sequent) -> Node:
    if isinstance(s.goal, Or):  # the last part, given that the others do not hold
        try:
            return filled(s, Step("or", {"part": len(s.goal.parts) - 1}))
        except Unproved:
            pass
    try:
        with alarm(SECONDS):
            found = Search(TACTICS, {}, BUDGET).solve(s)
    except TimeUp:
        found = None
    if found is None:
        raise Unproved(f"no proof found of {_shown(s)}")
    return found


def _shown(s: Sequent) -> str:
    return f"{'; '.join(map(str, s.hypotheses))} |- {s.goal}"


def _numbered(fields: Mapping[str, Any], count: int) -> dict[str, Any]:
    """Return fields in which numbers of hypotheses count from the first one."""

    def number(index: Any) -> Any:
        return index + count if isinstance(index, int) and index < 0 else index

    made = dict(fields)
    for name in ("equality", "fact", "hypothesis"):
        if name in made:
            made[name] = number(made[name])
    if "equalities" in made:
        made["equalities"] = [[number(index), factor] for index, factor in made["equalities"]]
    if "terms" in made:
        made["terms"] = [[c, [*map(number, facts)], square] for c, facts, square in made["terms"]]
    return made


# --- files ----------------------------------------------------------------------------------------


def renewed(
    order: Mapping[str, Sequence[str]],
    sketches: Mapping[str, Sequence[Sketch]],
    names: Sequence[str] = (),
) -> bool:
    """Prove lemmas again, write the files, and return whether every proof was found.

    Parameters
    ----------
    order : mapping from subjects to names
        The files with their lemmas, in their order.
    sketches : mapping from names to sketches
        One for each part of the goal; without them all parts are searched for.
    names : sequence of str
        Lemmas that are proved again; the others keep their proofs on record, where they have one.
    """
    facts: dict[str, Axiom | Integral] = {**AXIOMS, **INTEGRALS}
    before = set(facts) - {name for each in order.values() for name in each}
    whole = True
    for path in LEMMAS:
        kept = read(path) if path.exists() else {}
        entries: dict[str, Any] = {}
        for name in order[path.stem]:
            sequent = statement(facts[name])
            if name in kept and name not in names:
                entries[name] = kept[name]
            else:
                try:
                    with only(before):
                        node = prove(sequent, sketches.get(name, [...] * _parts(facts[name])))
                    entries[name] = {"sequent": sequent.to_json(), "certificate": node}
                    print(f"proved: {name}", flush=True)
                except Unproved as error:
                    whole = False
                    print(f"open: {name}: {str(error)[:1000]}", flush=True)
                    if name in kept:
                        entries[name] = kept[name]
            if name in entries:
                before.add(name)
                write_atomically(path, formatted({**kept, **entries}))
                _leave_axioms(entries)
        write_atomically(path, formatted(entries))
    return whole


def _parts(fact: Axiom | Integral) -> int:
    return len(fact.formulas) if isinstance(fact, Axiom) else 1


def _leave_axioms(names: Iterable[str]) -> None:
    """Take the rows of lemmas out of ``axioms.toml``."""
    path = LEMMAS[0].parent.with_name("axioms.toml")
    kept = text = path.read_text(encoding="utf-8")
    for name in names:
        head = re.escape(f".{json.dumps(name)}]\n")
        kept = re.sub(rf"\[(axiom|integral){head}(.+\n)*\n?", "", kept)
    if kept != text:
        write_atomically(path, kept)
