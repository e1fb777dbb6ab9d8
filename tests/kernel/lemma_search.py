"""Prove the lemmas of the kernel, and write the files in which their proofs are on record.

A sketch gives the first steps of a proof, and a search the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from types import EllipsisType
from typing import Any

from dpbook.engine.claims.proof_files import formatted
from dpbook.engine.claims.record import write_atomically
from dpbook.engine.prove.prune import pruned
from dpbook.engine.prove.tactics import axioms as chosen
from dpbook.kernel import Rejected, Sequent, check
from dpbook.kernel.axioms import AXIOMS, INTEGRALS, LEMMAS, Axiom, Integral
from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.formulas import And, Is, Or, Relation, negated, sequent_from_json
from dpbook.kernel.replay import read
from dpbook.kernel.rules import RULES

Node = dict[str, Any]
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
    below : mapping from int or str to sketches
        How the premises are shown that do not hold at once, by their place among these, from the
        last one where it is negative, or by the beginning of their goal. The others are searched for.
    """

    rule: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    below: Mapping[int | str, Sketch] = field(default_factory=dict)


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
    steps = {k % len(left): one for k, one in sketch.below.items() if left and isinstance(k, int)}
    begins = {k: one for k, one in sketch.below.items() if isinstance(k, str)}
    named = [
        next((one for k, one in begins.items() if str(p.goal).startswith(k)), ...) for p in left
    ]
    order = iter([steps.get(place, one) for place, one in enumerate(named)])
    nodes = [filled(p, next(order) if p in left else ...) for p in premises]
    return {"rule": sketch.rule, **fields, **({"premises": nodes} if nodes else {})}


def _at_once(s: Sequent, environment: Environment) -> bool:
    try:
        return environment.settled(s)
    except Rejected:
        return False


def _premises(s: Sequent, rule: str, **fields: Any) -> list[Sequent] | None:
    """Return the premises of a rule; None where it does not apply."""
    try:
        return RULES[rule](s, Fields(fields, s), Environment({}))
    except (Rejected, ArithmeticError, ValueError):
        return None


def _by(s: Sequent, rule: str, **fields: Any) -> Node | None:
    """Return the node of a rule, where its premises are shown by few steps; None elsewhere."""
    premises = _premises(s, rule, **fields)
    nodes = [_short(p) for p in premises] if premises is not None else [None]
    if None in nodes:
        return None
    return {"rule": rule, **fields, **({"premises": nodes} if nodes else {})}


def _short(s: Sequent) -> Node | None:
    """Return a proof by the form of a goal, from one or two facts, or from the part left of an alternative."""
    if _at_once(s, Environment({})):
        return {"rule": "known"}
    goal = s.goal
    if isinstance(goal, And):
        return _by(s, "and")
    if isinstance(goal, Or):
        nodes = (_by(s, "or", part=part) for part in range(len(goal.parts)))
        return next((node for node in nodes if node is not None), None)
    if isinstance(goal, Is):
        return _by(s, "defined") if goal.what == "defined" else None
    if (node := _by(s, "identity") or _from_facts(s)) is not None:
        return node
    for number, given in enumerate(s.hypotheses):
        if isinstance(given, Or) and not _has_one_of(s, given):
            branches = [_contradiction(s.assuming(part)) for part in given.parts]
            if branches.count(None) <= 1:
                left = branches.index(None) if None in branches else 0
                branches[left] = branches[left] or _short(s.assuming(given.parts[left]))
                if branches[left] is not None:
                    return {"rule": "split", "hypothesis": number, "premises": branches}
                return None
    return None


def _has_one_of(s: Sequent, given: Or) -> bool:
    return any(part in s.hypotheses for part in given.parts)


def _from_facts(s: Sequent) -> Node | None:
    """Return a proof that a relation follows from one fact, or is its negation's contradiction."""
    contrary = _premises(s, "refute")
    node = _contradiction(contrary[0]) if contrary is not None else None
    if node is not None:
        return {"rule": "refute", "premises": [node]}
    for number in range(len(s.hypotheses)):
        for factor in ("1", "-1"):
            fields = {"goal": "0 == 0", "equalities": [[number, factor]]}
            if (found := _by(s, "restate", **fields)) is not None:
                return found
    return None


def _contradiction(s: Sequent) -> Node | None:
    """Return a proof that the last hypothesis contradicts one fact before it, or none."""
    *before, new = s.hypotheses
    if not isinstance(new, Relation):
        return None
    last = len(before)
    literals = Environment({}).facts(s).literals
    for number in range(last + 1):
        ratio = _ratio(literals[number], literals[last]) if number < last else None
        terms = [["1", [last], None]] if new.op != "==" else []
        fields: dict[str, Any] = {"terms": terms}
        if ratio is not None and literals[number][1] == "==":  # type: ignore[index]
            fields["equalities"] = [[number, str(ratio)]]
        elif ratio is not None and new.op == "==":
            terms.append(["1", [number], None])
            fields["equalities"] = [[last, str(1 / ratio)]]
        elif ratio is not None:
            terms.append([str(ratio), [number], None])
        if _premises(s, "combination", **fields) is not None:
            return {"rule": "combination", **fields}
    opposite = [negated(new)] if new.op != "==" else []
    opposite += [Relation(new.left, op, new.right) for op in ("<", ">") if new.op == "=="]
    for fact in opposite:
        if fact not in before and _at_once(s.showing(fact), Environment({})):
            fields = {"terms": [["1", [last + 1], None]]}
            if new.op == "==":
                fields["equalities"] = [[last, "1" if fact.op == "<" else "-1"]]
            else:
                fields["terms"].append(["1", [last], None])
            node = _by(s.assuming(fact), "combination", **fields)
            if node is not None:
                return {"rule": "have", "formula": str(fact), "premises": [{"rule": "known"}, node]}
    return None


def _ratio(one: Any, other: Any) -> Fraction | None:
    """Return c where c p + q may be 0, for the polynomials p and q of two relations."""
    if one is None or other is None or not other[0]:
        return None
    monomial = next(iter(other[0]))
    return -other[0][monomial] / one[0][monomial] if one[0].get(monomial) else None


def _searched(s: Sequent) -> Node:
    if (short := _short(s)) is not None:
        return short
    if isinstance(s.goal, Or):  # the last part, given that the others do not hold
        try:
            return filled(s, Step("or", {"part": len(s.goal.parts) - 1}))
        except Unproved:
            pass
    # imported when it is needed: a second, of which many lemmas need nothing
    from dpbook.engine.language.budget import TimeUp, alarm
    from dpbook.engine.prove.tactics.core import Search
    from dpbook.engine.prove.tactics.strategy import TACTICS

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
