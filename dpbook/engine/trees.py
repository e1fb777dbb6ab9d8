"""Universal statements: `and` and `or` of relations, step by step where a proof is written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod

from sympy import Sum

from dpbook.engine.budget import Deadline
from dpbook.engine.case import Case
from dpbook.engine.domain import DomainError, case_domains, collected
from dpbook.engine.methods.prover import merged
from dpbook.engine.statement import Both, Either, Every, Relation, Tree, unfold_definitions
from dpbook.engine.using import Lemmas
from dpbook.engine.verdict import Evidence, Verdict, weakest

MOST_CLAUSES = 64  # that `and` inside `or` may split into


class Trees(Lemmas):
    """Decides trees of relations."""

    def _with_steps(self, tree: Tree, given: Sequence[Tree] | None = None) -> Evidence:
        """Prove the steps of a written proof one after the other, then the statement itself."""
        given = list(self.task.given if given is None else given)
        if self.task.repeats:  # steps are for a proof
            return self._tree(tree, given)
        facts: list[Tree] = []
        shown: list[str] = []
        before: list[Evidence] = []
        total = self.task.time_limit
        self.underway = True
        for number, (title, step) in enumerate(self.task.proof, 1):
            self.deadline = Deadline.after(total)
            evidence = self._tree(step, given, facts)
            shown.append(f"{number}. {title}: {step} [{evidence.verdict.value}, {evidence.method}]")
            if evidence.verdict is not Verdict.PROVED:
                direct = self._tree(tree, given)
                if direct.verdict in (Verdict.REFUTED, Verdict.PROVED):
                    return replace(direct, steps=(*shown, *direct.steps))
                return replace(
                    direct,
                    verdict=Verdict.SUPPORTED
                    if direct.verdict is Verdict.SUPPORTED
                    else Verdict.UNDECIDED,
                    reason=f"step {number} ({title}) is {evidence.verdict.value}: {evidence.reason or evidence.counterexample}",
                    steps=tuple(shown),
                )
            facts.append(step)
            before.append(evidence)
        self.deadline = Deadline.after(total)
        self.underway = False
        evidence = self._tree(tree, given, facts)
        if shown:
            evidence = replace(
                evidence,
                steps=(*shown, *evidence.steps),
                method=f"derivation, {evidence.method}",
                trusted=tuple(sorted({t for e in (*before, evidence) for t in e.trusted})),
                certificate=merged(e.certificate for e in (*before, evidence)),
            )
        return evidence

    def _tree(self, tree: Tree, given: Sequence[Tree], facts: Sequence[Tree] = ()) -> Evidence:
        """Decide a tree; `facts` are proved on the domain, and only help."""
        shown = [r for fact in facts for r in fact.map(unfold_definitions).conjuncts()]
        tree, extra = self._lemmas(tree, given, shown)
        tree = tree.map(unfold_definitions)
        given = [condition.map(unfold_definitions) for condition in given]
        known = [
            r
            for fact in facts
            for r in self._lemmas(fact, given, shown)[0].map(unfold_definitions).conjuncts()
        ]
        # sums are closed in what is to be proved, not in conditions: as facts they are matched
        known += [
            r
            for condition in given
            for r in condition.conjuncts()
            if r.lhs.has(Sum) or r.rhs.has(Sum)
        ]
        return self._parts(tree, given, [*known, *extra])

    def _parts(self, tree: Tree, given: Sequence[Tree], facts: Sequence[Relation]) -> Evidence:
        if isinstance(tree, Both):
            parts = tuple(self._parts(part, given, facts) for part in tree.parts)
            weak = weakest(parts)
            named = str(tree.parts[parts.index(weak)])
            reason = weak.reason
            if weak.verdict is not Verdict.PROVED:
                reason = f"the part {named}" + (f": {weak.reason}" if weak.reason else "")
            methods = ", ".join(dict.fromkeys(part.method for part in parts if part.method))
            trusted = tuple(sorted({t for part in parts for t in part.trusted}))
            steps = tuple(line for part in parts for line in part.steps)
            if weak.verdict is Verdict.PROVED:
                certificate = merged(part.certificate for part in parts)
                return replace(
                    weak,
                    method=methods,
                    trusted=trusted,
                    parts=parts,
                    steps=steps,
                    certificate=certificate,
                )
            return replace(weak, reason=reason, parts=parts)
        clauses = _clauses(tree)
        if len(clauses) > 1:
            return self._parts(Both(tuple(map(_either, clauses))), given, facts)
        return self._alternative(clauses[0], given, facts)

    def _alternative(
        self, relations: list[Relation], given: Sequence[Tree], facts: Sequence[Relation]
    ) -> Evidence:
        symbols = collected([*relations, *given])
        # another symbol's range would become a condition on those that it speaks of
        facts = [fact for fact in facts if set(collected([fact])) <= set(symbols)]
        evidences = []
        domains = case_domains(symbols, given)
        empty = 0
        for domain in domains:
            evidence = Case(
                relations, domain, self.task, self.deadline, facts, self.shared
            ).decide()
            if evidence is None:
                empty += 1
            else:
                evidences.append(evidence)
        if not evidences:
            raise DomainError(f"the conditions contradict each other: {domains[0]}")
        weak = weakest(tuple(evidences))
        if weak.verdict is Verdict.PROVED and len(evidences) > 1:
            trusted = tuple(sorted({t for e in evidences for t in e.trusted}))
            return replace(
                weak,
                trusted=trusted,
                steps=tuple(s for e in evidences for s in e.steps),
                certificate=merged(e.certificate for e in evidences),
            )
        return weak


def _clauses(tree: Tree) -> list[list[Relation]]:
    """The conjunctive normal form of a tree: of each list one relation holds."""
    if isinstance(tree, Relation):
        return [[tree]]
    if isinstance(tree, Every):
        raise DomainError(f"state what holds for all {tree.variable} outside of `or`")
    parts = [_clauses(part) for part in tree.parts]
    if isinstance(tree, Both):
        return [clause for clauses in parts for clause in clauses]
    if prod(map(len, parts)) > MOST_CLAUSES:
        raise DomainError(
            f"`and` inside `or` splits into more than {MOST_CLAUSES} parts; state fewer of them"
        )
    return [[r for clause in chosen for r in clause] for chosen in product(*parts)]


def _either(relations: list[Relation]) -> Tree:
    return relations[0] if len(relations) == 1 else Either(tuple(relations))
