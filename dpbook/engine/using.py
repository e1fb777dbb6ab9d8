"""Claims as lemmas: where they may be used, and what they then say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy
from sympy import Expr, Symbol

from dpbook.engine.budget import Deadline
from dpbook.engine.case import prove_relation, settled_by
from dpbook.engine.definedness import NotUnderstood, obligations
from dpbook.engine.domain import RangedSymbol, case_domains, collected, with_ranges
from dpbook.engine.methods.prover import Proof, ProofCache
from dpbook.engine.statement import Relation, Tree, bound_in, differentiates, unfold_definitions
from dpbook.engine.task import Lemma, Task, bound_symbols, expressions_of, free_symbols
from dpbook.engine.unknown import Unknown

BRIEF = 2.0  # seconds that a condition of a lemma is looked for while steps are still to come


class Lemmas:
    """Decides when the lemmas of a task hold, and uses them."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.deadline = Deadline.after(task.time_limit)
        self.shared = ProofCache()
        self.held: dict[tuple[Any, ...], bool] = {}  # whether a lemma holds at an instance
        self.conditions: list[Proof] = []  # of the lemmas that hold
        self.underway = False  # whether steps are still to come

    def _lemmas(
        self, tree: Tree, given: Sequence[Tree], shown: Sequence[Relation] = ()
    ) -> tuple[Tree, list[Relation]]:
        """Apply used equalities left to right, and add used inequalities at their instance.

        `shown` is proved already; it and the lemmas before one may give its conditions.
        """
        extra: list[Relation] = []
        for lemma in self.task.using:
            if not isinstance(lemma.relation, Relation):
                continue  # only a certificate uses alternatives, and what holds for all values
            known = [*shown, *extra]
            if lemma.relation.op == "==" and not lemma.instance:
                changed, instances = _rewritten(tree, lemma.relation)
                if instances and all(
                    self._holds(lemma, instance, given, known) for instance in instances
                ):
                    tree = changed
                    continue
            instance = dict(lemma.instance)
            if any(isinstance(what, Unknown) for what in instance):
                continue  # only a certificate uses a lemma at a function
            if self._holds(lemma, instance, given, known):
                extra.append(lemma.relation.map(put_in(instance)))
        return tree, extra

    def _holds(
        self,
        lemma: Lemma,
        instance: dict[Symbol, Expr],
        given: Sequence[Tree],
        known: Sequence[Relation],
    ) -> bool:
        """Whether the ranges and conditions of a lemma are proved at an instance."""
        place = (lemma, tuple(sorted(instance.items(), key=str)), tuple(given))
        if self.held.get(place):  # what is known only grows
            return True
        key = (*place, tuple(known))
        if key not in self.held:
            whole = self.deadline
            if self.underway:  # a later step may give what is missing
                self.deadline = Deadline.after(whole.part(BRIEF))
            holds = self._proved_for(lemma, instance, given, known)
            in_time = not self.deadline.passed
            self.deadline = whole
            if not (holds or in_time):  # the next step has time of its own
                return False
            self.held[key] = self.held[place] = holds
        return self.held[key]

    def _proved_for(
        self,
        lemma: Lemma,
        instance: dict[Symbol, Expr],
        given: Sequence[Tree],
        known: Sequence[Relation],
    ) -> bool:
        needed: list[Relation] = []
        there: list[Relation] = []
        settled = settled_by(known) if lemma.instance else set()
        for value in instance.values():
            try:
                found = obligations(unfold_definitions(value))
            except NotUnderstood:
                return False
            open_ = [o for o in found if o not in settled]
            if any(o.variables or o.conditions for o in open_):
                return False
            there.extend(o.relation for o in open_)
        symbols = collected(
            [
                lemma.relation.map(unfold_definitions),
                *(t.map(unfold_definitions) for t in lemma.given),
            ]
        )
        for symbol in symbols:
            if isinstance(symbol, RangedSymbol):
                for relation in symbol.range.relations(symbol):
                    needed.append(relation)
                if symbol.integer and not instance.get(symbol, symbol).is_integer:
                    return False
        plain = [condition.map(unfold_definitions) for condition in given]
        sure = {*known, *(r for condition in plain for r in condition.conjuncts())}
        for condition in lemma.given:
            if isinstance(condition, Relation):
                needed.append(condition)
            elif condition.map(put_in(instance)) not in plain:
                return False
        there.extend(relation.map(put_in(instance)) for relation in needed)
        if not self._own((*there, lemma.relation.map(put_in(instance)))):
            return False
        for moved in there:
            if moved in sure or (
                not instance
                and isinstance(moved.lhs, RangedSymbol)
                and moved in moved.lhs.range.relations(moved.lhs)
            ):
                continue
            domains = case_domains(collected([moved, *plain]), plain)
            for domain in domains:
                proof = prove_relation(moved, domain, self.deadline, self.task, self.shared)
                if proof is None:
                    return False
                self.conditions.append(proof)
        return True

    @cached_property
    def ours(self) -> set[Symbol]:
        """The symbols of the statement, its conditions and its steps, and of their ranges."""
        found = free_symbols(self.task.form) | set(bound_symbols(self.task.form))
        for tree in (*self.task.given, *(step for _, step in self.task.proof)):
            found |= free_symbols(tree)
        return with_ranges(found)

    def _own(self, relations: Iterable[Tree]) -> bool:
        """Whether all symbols are the statement's; another one has values whatever those are."""
        for stranger in {s for r in relations for s in free_symbols(r)} - self.ours:
            if not isinstance(stranger, RangedSymbol):
                return False
            ends = (stranger.range.lower, stranger.range.upper)
            if any(end is not None and end.free_symbols for end in ends):
                return False
        return True


def put_in(instance: Mapping[Symbol, Expr]) -> Callable[[Expr], Expr]:
    """Put values in; first everything is written out, or what an abbreviation hides would stay."""

    def put(e: Expr) -> Expr:
        with sympy.evaluate(False):
            return unfold_definitions(unfold_definitions(e).xreplace(dict(instance)))

    return put


def _rewritten(tree: Tree, lemma: Relation) -> tuple[Tree, list[dict[Symbol, Expr]]]:
    """Replace instances of the lemma's left side by its right side; return the instances."""
    wild = lemma.lhs.free_symbols
    instances: list[dict[Symbol, Expr]] = []
    bound = {v for e in expressions_of(tree) for v in bound_in(unfold_definitions(e))}

    def replaced(e: Any) -> Any:
        match = _matched(lemma.lhs, e, wild, {})
        if match is not None and not any(v.free_symbols & bound for v in match.values()):
            instances.append(match)
            return lemma.rhs.xreplace(match)
        # what is equal on a domain need not have one derivative there
        if not e.args or differentiates(e):
            return e
        arguments = [replaced(a) for a in e.args]
        same = all(new is old for new, old in zip(arguments, e.args, strict=True))
        return e if same else e.func(*arguments)

    with sympy.evaluate(False):
        return tree.map(replaced), instances


def rewriting_instances(task: Task, lemma: Lemma) -> list[dict[Symbol, Expr]]:
    """Return the values at which the left side of a lemma stands in a task's statement or steps."""
    if not isinstance(lemma.relation, Relation) or lemma.relation.op != "==":
        return []
    found: list[dict[Symbol, Expr]] = []
    for thing in (task.form, *(tree for _, tree in task.proof)):
        tree: Any = thing
        for instance in _rewritten(tree, lemma.relation)[1]:
            if instance not in found:
                found.append(instance)
    return found


def _matched(
    pattern: Any, e: Any, wild: set[Symbol], known: dict[Symbol, Expr]
) -> dict[Symbol, Expr] | None:
    if pattern in wild:
        if pattern in known:
            return known if known[pattern] == e else None
        return {**known, pattern: e}
    if not pattern.args:
        return known if pattern == e else None
    if pattern.func != e.func or len(pattern.args) != len(e.args):
        return None
    for p, a in zip(pattern.args, e.args, strict=True):
        found = _matched(p, a, wild, known)
        if found is None:
            return None
        known = found
    return known
