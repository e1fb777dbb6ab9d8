"""Search for certificates: tactics propose rules, and the kernel itself computes the premises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from dpbook.engine.prove.certificates import left
from dpbook.engine.prove.tactics import points
from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import FALSE, All, And, Formula, Is, Or, Relation, Sequent, terms_of
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.automatic import same
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.rules import RULES
from dpbook.kernel.terms import ONE, Term, infinite, subterms, var

Node = dict[str, Any]
KNOWN_SIDES = ("restate", "change", "whole")  # their side premises are not searched for
Tactic = Callable[["Search", Sequent, int], "Node | None"]
T = TypeVar("T", bound=Tactic)
NEEDS: dict[Tactic, frozenset[str]] = {}


def needs(*features: str) -> Callable[[T], T]:
    """Say that a tactic can do something only where a sequent has one of some features.

    A feature is the head of a term, ``given`` (a hypothesis), ``goal ==`` (the relation of the goal),
    ``integer`` (such a variable), ``functions`` (unknown ones), or ``lemmas`` (about outputs).
    """

    def noted(tactic: T) -> T:
        NEEDS[tactic] = frozenset(features)
        return tactic

    return noted


PART = 4  # the part of a budget for one way that has others beside it, as a divisor


class Exhausted(Exception):
    """Signal that the budget of a search is used up."""


class AtPoint(Protocol):
    """Describe a lemma about outputs, which is used at each of them."""

    @property
    def speaks_of(self) -> frozenset[str]:
        """Return the variables in the values that are put in."""

    def at_point(self, s: Sequent, values: Mapping[str, Term]) -> dict[str, Any]:
        """Return the fields of a use of the lemma, with other values for its variables."""


class Search:
    """Hold a search for a certificate within a budget that counts work, never time.

    Attributes
    ----------
    tactics : sequence of (name, tactic, smallest depth)
        Tried in order at a goal that is one relation.
    budget : int
        Goals that may still be tried.
    """

    def __init__(
        self,
        tactics: Sequence[tuple[str, Tactic, int]],
        lemmas: Mapping[str, Sequent] | None = None,
        budget: int = 2000,
    ) -> None:
        self.tactics = tactics
        self.env = Environment(lemmas or {})
        self.budget = budget
        self.failed: dict[Sequent, int] = {}
        self.proved: dict[Sequent, Node] = {}
        self.combined: dict[Sequent, int] = {}  # the depth at which the hypotheses were combined
        self.open: set[Sequent] = set()
        self.level = 0
        self.entered = 0  # tactics that wait for a goal below theirs
        self.alone = False  # whether no goal below the first is tried, and no points are drawn
        self.at_points: Sequence[AtPoint] = ()  # lemmas under integrals
        self.within: Sequence[AtPoint] = ()  # lemmas at points of a segment
        self.top: frozenset[str] = frozenset()  # the variables of the statement
        self.lemmas_within = 0  # how many of them are being used, one for a condition of another
        self.putting = 0  # the same number for uses of hypotheses for all values
        self.cutting = False  # whether ranges of integrals are cut already

    # --- rules ------------------------------------------------------------------------------------

    def facts(self, s: Sequent) -> Facts:
        """Return the normal forms under a sequent's hypotheses."""
        return self.env.facts(s)

    def premises(self, s: Sequent, rule: str, **fields: Any) -> list[Sequent] | None:
        """Return the premises of a rule that need a proof; None where the rule does not apply.

        Side premises that are automatic are left out in the search; `explicit` writes them.
        """
        try:
            found = left(rule, RULES[rule](s, Fields(fields, s), self.env), self.env)
        except (Rejected, ArithmeticError, ValueError):  # a slip in a tactic is seen
            return None
        return None if rule in KNOWN_SIDES and len(found) > 1 else found

    def cut(self, s: Sequent, t: Term, at: Term) -> dict[str, str]:
        """Return the fields of the rule `parts` that cuts a sum after a term."""
        fields = {"sum": str(t), "at": str(at)}
        low, high = t.args[1:]
        for side, first, last in (("below", low, at), ("above", at + ONE, high)):
            length = self.difference(s, last, first)
            if length in (0, -1):
                fields[side] = "none" if length else "one"
        return fields

    def unrolled(self, s: Sequent, t: Term) -> dict[str, Any]:
        """Return the fields of the rule `unroll`; the kernel refuses a length that is not known."""
        length = self.difference(s, t.args[2], t.args[1])
        known = length is not None and length.denominator == 1
        return {"sum": str(t), "length": int(length) + 1 if length is not None and known else -1}

    def difference(self, s: Sequent, last: Term, first: Term) -> Fraction | None:
        """Return the number by which two terms differ; None where it is not known."""
        try:
            gap = self.facts(s).poly(last - first)
        except Rejected:  # a normal form that takes too much work
            return None
        return gap.get(P.ONE, Fraction(0)) if not set(gap) - {P.ONE} else None

    def by(self, s: Sequent, rule: str, depth: int, **fields: Any) -> Node | None:
        """Apply a rule and prove all its premises."""
        return self.by_each(lambda premise: self.prove(premise, depth), s, rule, **fields)

    def by_each(
        self, prove: Callable[[Sequent], Node | None], s: Sequent, rule: str, /, **fields: Any
    ) -> Node | None:
        """Apply a rule, with another way to prove its premises, one after the other."""
        premises = self.premises(s, rule, **fields)
        if premises is None:
            return None
        found = []
        for premise in premises:
            node = prove(premise)
            if node is None:
                return None
            found.append(node)
        return self.node(rule, found, **fields)

    @staticmethod
    def node(rule: str, premises: Sequence[Node] = (), **fields: Any) -> Node:
        """Return a node of a certificate."""
        made: Node = {"rule": rule, **fields}
        if premises:
            made["premises"] = list(premises)
        return made

    # --- goals ------------------------------------------------------------------------------------

    def solve(self, s: Sequent, depths: Iterable[int] = (0, 1, 2, 3, 4)) -> Node | None:
        """Prove a sequent, deeper and deeper, until the budget is used up."""
        try:
            for depth in depths:
                node = self.prove(s, depth)
                if node is not None:
                    return node
        except Exhausted:
            return None
        return None

    def prove(self, s: Sequent, depth: int) -> Node | None:
        """Prove a sequent within a depth; None says nothing about its truth."""
        if s in self.proved:
            return self.proved[s]
        if depth < 0 or self.failed.get(s, -1) >= depth or s in self.open:
            return None
        if self.alone and self.entered:
            return None
        self.open.add(s)
        self.level += 1
        try:
            node = self._goal(s, depth)
        except Rejected:  # a normal form that takes too much work
            node = None
        finally:
            self.open.discard(s)
            self.level -= 1
        if node is None:
            self.failed[s] = depth
        else:
            self.proved[s] = node
        return node

    @contextmanager
    def in_part(self) -> Iterator[None]:
        """Give the body a part of the goals that are left; other ways have the rest."""
        rest = self.budget - self.budget // PART
        self.budget -= rest
        try:
            with suppress(Exhausted):
                yield
        finally:
            self.budget = max(self.budget, 0) + rest

    def _goal(self, s: Sequent, depth: int) -> Node | None:
        with suppress(Rejected):  # a normal form may take too much work where an enclosure does not
            if self.env.automatic(s):
                return self.node("auto")
        goal = s.goal
        if isinstance(goal, And):
            if any(isinstance(part, All) for part in goal.parts):
                return self._apart(s, depth)
            if all(any(same(h, part) for h in s.hypotheses) for part in goal.parts):
                return self.by(s, "and", 0)
            return self._opening(s, depth) or self.by(s, "and", depth)
        if isinstance(goal, All):
            index = self.index_of(s, goal)
            if index is None:
                return self.by(s, "all", depth)
            for name, tactic, _ in self.tactics:
                if name == "induction for all" and (node := tactic(self, s, depth)) is not None:
                    return node
            return self.by(s, "induct", depth, variable=index, start="0")
        if isinstance(goal, Is):
            return self._property(s, goal, depth)
        if isinstance(goal, Or):
            return self._disjunction(s, goal, depth)
        return self._relation(s, goal, depth)

    @staticmethod
    def index_of(s: Sequent, goal: All) -> str | None:
        """Return the variable that is an unknown function's index in a goal for other values."""
        unknown = dict(s.functions)
        found = [t for f in terms_of(goal) for t in subterms(f) if t.head in unknown]
        # a recursion has its index as the first argument; the values that it carries follow
        first = {t.args[0] for t in found if len(t.args) > 1}
        integers = (name for name, sort in s.variables if sort == "integer")
        return next((name for name in integers if var(name) in first), None)

    def _apart(self, s: Sequent, depth: int) -> Node | None:
        """Prove the parts of a conjunction separately: a part for all values has many instances."""
        keep = list(range(len(s.hypotheses)))
        return self.by_each(lambda part: self.by(part, "weaken", depth, keep=keep), s, "and")

    def _opening(self, s: Sequent, depth: int) -> Node | None:
        """Give sums and integrals their values once, before a conjunction is taken apart."""
        for name, tactic, least in self.tactics:
            if name in ("integrals", "sums", "series") and depth >= least:
                node = tactic(self, s, depth)
                if node is not None:
                    return node
        return None

    def _property(self, s: Sequent, goal: Is, depth: int) -> Node | None:
        if goal.what == "integer":
            return None
        t = goal.term
        if not t.free and (node := self.enclosed(s, goal)) is not None:
            return node
        if t.head == "integral" or (t.head == "sum" and infinite(t.args[2])):
            return self._tactics(s, depth)
        return self.by(s, "defined", depth)

    def _disjunction(self, s: Sequent, goal: Or, depth: int) -> Node | None:
        if s.functions:  # in the cases of a hypothesis for all values
            for name, tactic, _ in self.tactics:
                if name == "unknown" and (node := tactic(self, s, depth)) is not None:
                    return node
        for part in range(len(goal.parts)):
            node = self.by(s, "or", 0, part=part)
            if node is not None:
                return node
        found = self._tactics(s, depth)
        if found is not None:
            return found
        for part in range(len(goal.parts)):
            node = self.by(s, "or", depth - 1, part=part)
            if node is not None:
                return node
        return None

    def _relation(self, s: Sequent, goal: Relation, depth: int) -> Node | None:
        if goal.op in ("==", "<=", ">=") and self.premises(s, "identity") is not None:
            return self.node("identity")
        if not goal.left.free | goal.right.free and (node := self.enclosed(s, goal)) is not None:
            return node
        return self._tactics(s, depth)

    def enclosed(self, s: Sequent, goal: Relation | Is) -> Node | None:
        """Enclose the numbers of a goal: floating point would take small ones for 0."""
        rule = "enclosed" if isinstance(goal, Is) else "bisect"
        fields: dict[str, Any] = {} if isinstance(goal, Is) else {"tree": "value"}
        return None if self.premises(s, rule, **fields) is None else self.node(rule, **fields)

    def _tactics(self, s: Sequent, depth: int) -> Node | None:
        if not self.alone and points.hopeless(s, self.facts(s)):
            return None  # false at a point, so nothing can show it
        self.budget -= 1
        if self.budget < 0:
            raise Exhausted
        self.entered += 1
        try:
            return self._one_by_one(s, depth)
        finally:
            self.entered -= 1

    def _one_by_one(self, s: Sequent, depth: int) -> Node | None:
        """Try the tactics in their order."""
        features = self.features(s)
        for _, tactic, least in self.tactics:
            if depth < least or (tactic in NEEDS and not NEEDS[tactic] & features):
                continue
            with suppress(Rejected, ArithmeticError):  # a normal form that takes too much work
                node = tactic(self, s, depth)
                if node is not None:
                    return node
        return None

    def features(self, s: Sequent) -> set[str]:
        """Return the features of a sequent that tactics need."""
        found = set[str]().union(*map(heads, (s.goal, *s.hypotheses)))
        found |= {sort for _, sort in s.variables}
        if isinstance(s.goal, Relation):
            found.add(f"goal {s.goal.op}")
        there = {"given": s.hypotheses, "functions": s.functions, "lemmas": self.at_points}
        return found.union(name for name, things in there.items() if things)


@lru_cache(maxsize=20_000)
def heads(f: Formula) -> frozenset[str]:
    """Return the heads of all terms in a formula."""
    return frozenset(part.head for t in terms_of(f) for part in subterms(t))


def contradiction(s: Sequent) -> bool:
    """Say whether a sequent asks for a contradiction of its hypotheses."""
    return s.goal == FALSE
