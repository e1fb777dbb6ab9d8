"""Apply rules one after the other; each rule starts from the last premise of the rule before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpbook.engine.prove.tactics.core import Node, Search
from dpbook.kernel.formulas import Formula, Relation, Sequent, terms_of
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.terms import BINDERS, Term, var

Step = tuple[str, dict[str, Any], list[Node]]


class Chain:
    """Hold a line of rules from a sequent to a remaining one; side premises are proved at once."""

    def __init__(self, search: Search, s: Sequent, depth: int) -> None:
        self.search, self.s, self.depth = search, s, depth
        self.steps: list[Step] = []

    def apply(self, rule: str, **fields: Any) -> bool:
        """Apply a rule; return False and change nothing where it or a side premise fails."""
        return self.apply_by(self._side, rule, **fields)

    def apply_by(
        self, prove: Callable[[Sequent], Node | None], rule: str, /, **fields: Any
    ) -> bool:
        """Apply a rule, with another way to prove the side premises."""
        premises = self.search.premises(self.s, rule, **fields)
        if premises is None:
            return False
        side = []
        for premise in premises[:-1]:
            node = prove(premise)
            if node is None:
                return False
            side.append(node)
        self.steps.append((rule, fields, side))
        self.s = premises[-1]
        return True

    def have(self, claim: Formula, depth: int) -> bool:
        """Prove a formula within a depth, and take it as a hypothesis."""
        return self.apply_by(lambda s: self.search.prove(s, depth), "have", formula=str(claim))

    def _side(self, s: Sequent) -> Node | None:
        """Prove a side premise; values that were found before are of no use for a relation."""
        if s in self.search.proved:
            return self.search.proved[s]
        if isinstance(s.goal, Relation) and not self.search.env.automatic(s):
            if s.goal.op in ("==", "<=", ">=") and self.search.premises(s, "identity") is not None:
                return self.search.node("identity")
            if not bound_terms([s.goal], "", everywhere=True):
                kept = [
                    i
                    for i, f in enumerate(s.hypotheses)
                    if not bound_terms([f], "", everywhere=True)
                ]
                if len(kept) < len(s.hypotheses):
                    return self.search.by(s, "weaken", self.depth, keep=kept)
        return self.search.prove(s, self.depth)

    def mark(self) -> tuple[int, Sequent]:
        return len(self.steps), self.s

    def back(self, mark: tuple[int, Sequent]) -> None:
        del self.steps[mark[0] :]
        self.s = mark[1]

    def close(self, last: Node | None) -> Node | None:
        """Return the whole certificate, given a certificate of the remaining sequent."""
        if last is None:
            return None
        for rule, fields, side in reversed(self.steps):
            last = self.search.node(rule, [*side, last], **fields)
        return last

    def close_if_clear(self) -> Node | None:
        """Return the whole certificate where the remaining sequent is automatic."""
        clear = self.search.env.automatic(self.s)
        return self.close(self.search.node("auto")) if clear else None

    def rewrite_known(self, head: str) -> bool:
        """Put known values of sums or integrals into a relation; return whether it changed."""
        changed = False
        for _ in range(60):
            inside = bound_terms([self.s.goal], head)
            for i in reversed(range(len(self.s.hypotheses))):
                f = self.s.hypotheses[i]
                if isinstance(f, Relation) and f.op == "==" and f.left in inside:
                    if f.left in bound_terms([Relation(f.right, "==", f.right)], head):
                        continue
                    before = self.s.goal
                    if self.apply("rewrite", equality=i) and self.s.goal != before:
                        changed = True
                        break
            else:
                return changed
        return changed

    def forget(self, head: str) -> None:
        """Drop hypotheses about sums or integrals if the goal contains no such term."""
        kept = [
            i
            for i, f in enumerate(self.s.hypotheses)
            if not bound_terms([f], head, everywhere=True)
        ]
        if len(kept) < len(self.s.hypotheses) and not bound_terms([self.s.goal], head):
            self.apply("weaken", keep=kept)


def bound_terms(formulas: list[Formula], head: str, everywhere: bool = False) -> dict[Term, None]:
    """Return the sums or integrals in formulas that stand in no other binder, each once.

    Without a head the terms of all binders are returned; with `everywhere` also the terms inside
    another binder.
    """
    found: dict[Term, None] = {}

    def visit(t: Term) -> None:
        if t.head == head or (not head and t.head in BINDERS):
            found[t] = None
        if t.head in BINDERS and not everywhere:
            visit(t.args[1])
            visit(t.args[2])
            return
        for a in t.args:
            visit(a)

    for f in formulas:
        for t in terms_of(f):
            visit(t)
    return found


def value_given(facts: Facts, h: Relation, name: str) -> dict[str, str] | None:
    """Return the fields of the rule `substitute` for the value that an equality gives a variable.

    The equality is linear in the variable, with a number for a coefficient once it has no
    denominators.
    """
    gap = facts.poly(h.left - h.right)
    cleared, _ = facts.clear(gap)
    ((own, _),) = facts.poly(var(name)).items()
    slope = cleared.get(own)
    rest = {m: c for m, c in cleared.items() if m != own}
    value = facts.term(P.scaled(rest, -1 / slope)) if slope else None
    if value is None or name in value.free:
        return None
    for m, c in gap.items():  # the way back to the equality as it is written
        if dict(m).get(own[0][0]) == 1:
            factor = facts.term({P.times(own, P.raised(m, -1)): 1 / c})
            return {"variable": name, "value": str(value), "factor": str(factor)}
    return None
