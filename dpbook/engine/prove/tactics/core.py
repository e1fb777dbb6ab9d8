"""Search for certificates: tactics propose rules, and the kernel itself computes the premises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import partial
from typing import Any, Protocol, TypeVar

from dpbook.engine.prove.certificates import left
from dpbook.engine.prove.tactics import points
from dpbook.engine.prove.tactics.reading import bound_terms, heads, parts_of, relations
from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import FALSE, All, And, Formula, Is, Or, Relation, Sequent
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.automatic import same
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.rules import RULES
from dpbook.kernel.terms import ONE, Term, infinite, var

Node = dict[str, Any]
KNOWN_SIDES = ("restate", "change", "whole")  # their side premises are not searched for
Tactic = Callable[["Search", Sequent, int], "Node | None"]
T = TypeVar("T", bound=Tactic)
R = TypeVar("R")
Prove = Callable[[Sequent], "Node | None"]
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
LEAST = 3  # goals of such a part: fewer prove little, so it has none where no more are left


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

    def by_each(self, prove: Prove, s: Sequent, rule: str, **fields: Any) -> Node | None:
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

    def at_once(self, s: Sequent) -> Node | None:
        """Return the leaf of a sequent that is automatic."""
        return self.node("auto") if self.env.automatic(s) else None

    def leaf(self, s: Sequent, rule: str, **fields: Any) -> Node | None:
        """Return the node of a rule that leaves nothing to prove, where it applies."""
        return self.node(rule, **fields) if self.premises(s, rule, **fields) == [] else None

    # --- goals ------------------------------------------------------------------------------------

    def solve(self, s: Sequent, depths: Iterable[int] = (0, 1, 2, 3, 4)) -> Node | None:
        """Prove a sequent, deeper and deeper, until the budget is used up."""
        try:
            return first(self.prove(s, depth) for depth in depths)
        except Exhausted:
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
        part = max(self.budget // PART, LEAST) if self.budget > LEAST else 0
        rest = self.budget - part
        self.budget -= rest
        try:
            with suppress(Exhausted):
                yield
        finally:
            self.budget = max(self.budget, 0) + rest

    def _goal(self, s: Sequent, depth: int) -> Node | None:
        with suppress(Rejected):  # a normal form may take too much work where an enclosure does not
            if (node := self.at_once(s)) is not None:
                return node
        goal = s.goal
        if isinstance(goal, And):
            if any(isinstance(part, All) for part in goal.parts):
                # each part separately, as a part for all values has many instances
                keep = list(range(len(s.hypotheses)))
                return self.by_each(
                    partial(self.by, rule="weaken", depth=depth, keep=keep), s, "and"
                )
            if all(any(same(h, part) for h in s.hypotheses) for part in goal.parts):
                return self.by(s, "and", 0)
            # give sums and integrals their values once, before the conjunction is taken apart
            node = self._by_name(("integrals", "sums", "series"), s, depth)
            return node or self.by(s, "and", depth)
        if isinstance(goal, All):
            index = self.index_of(s, goal)
            if index is None:
                return self.by(s, "all", depth)
            return self._by_name(("induction for all",), s, depth) or self.by(
                s, "induct", depth, variable=index, start="0"
            )
        if isinstance(goal, Is):
            return self._property(s, goal, depth)
        if isinstance(goal, Or):
            return self._disjunction(s, goal, depth)
        return self._relation(s, goal, depth)

    @staticmethod
    def index_of(s: Sequent, goal: All) -> str | None:
        """Return the variable that is an unknown function's index in a goal for other values."""
        unknown = dict(s.functions)
        found = [t for t in parts_of(goal) if t.head in unknown]
        # a recursion has its index as the first argument; the values that it carries follow
        first = {t.args[0] for t in found if len(t.args) > 1}
        integers = (name for name, sort in s.variables if sort == "integer")
        return next((name for name in integers if var(name) in first), None)

    def _by_name(self, names: Sequence[str], s: Sequent, depth: int) -> Node | None:
        """Try the tactics of some names."""
        return first(tactic(self, s, depth) for name, tactic, _ in self.tactics if name in names)

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
        # with functions, first in the cases of a hypothesis for all values
        return (
            (self._by_name(("unknown",), s, depth) if s.functions else None)
            or self.one_part(s, goal, 0)
            or self._tactics(s, depth)
            or self.one_part(s, goal, depth - 1)
        )

    def one_part(self, s: Sequent, goal: Or, depth: int) -> Node | None:
        """Show one of the alternatives."""
        return first(self.by(s, "or", depth, part=part) for part in range(len(goal.parts)))

    def _relation(self, s: Sequent, goal: Relation, depth: int) -> Node | None:
        if goal.op in ("==", "<=", ">=") and (node := self.leaf(s, "identity")) is not None:
            return node
        if not goal.left.free | goal.right.free and (node := self.enclosed(s, goal)) is not None:
            return node
        return self._tactics(s, depth)

    def enclosed(self, s: Sequent, goal: Relation | Is) -> Node | None:
        """Enclose the numbers of a goal: floating point would take small ones for 0."""
        rule = "enclosed" if isinstance(goal, Is) else "bisect"
        return self.leaf(s, rule, **({} if isinstance(goal, Is) else {"tree": "value"}))

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


def contradiction(s: Sequent) -> bool:
    """Say whether a sequent asks for a contradiction of its hypotheses."""
    return s.goal == FALSE


def first(found: Iterable[R | None]) -> R | None:
    """Return the first thing that was found; what comes after it is not looked for."""
    return next((one for one in found if one is not None), None)


# --- rules one after the other --------------------------------------------------------------------


Step = tuple[str, dict[str, Any], list[Node]]


class Chain:
    """Hold a line of rules from a sequent to a remaining one; side premises are proved at once."""

    def __init__(self, search: Search, s: Sequent, depth: int) -> None:
        self.search, self.s, self.depth = search, s, depth
        self.steps: list[Step] = []

    def apply(self, rule: str, **fields: Any) -> bool:
        """Apply a rule; return False and change nothing where it or a side premise fails."""
        return self.apply_by(self.shown, rule, **fields)

    def apply_by(self, prove: Prove, rule: str, /, **fields: Any) -> bool:
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

    def have(self, claim: Formula | str, depth: int | None = None) -> bool:
        """Prove a formula, within a depth where one is given, and take it as a hypothesis."""
        prove = self.shown if depth is None else partial(self.search.prove, depth=depth)
        return self.have_by(prove, claim)

    def have_by(self, prove: Prove, claim: Formula | str) -> bool:
        """Prove a formula in another way, and take it as a hypothesis."""
        return self.apply_by(prove, "have", formula=str(claim))

    def shown(self, s: Sequent) -> Node | None:
        """Prove a side premise; values that were found before are of no use for a relation."""
        if s in self.search.proved:
            return self.search.proved[s]
        if isinstance(s.goal, Relation) and not self.search.env.automatic(s):
            if s.goal.op in ("==", "<=", ">=") and (node := self.search.leaf(s, "identity")):
                return node
            if not bound_terms([s.goal], "", everywhere=True):
                inner = Chain(self.search, s, self.depth)
                inner.forget("")
                if inner.steps:
                    return inner.close(self.search.prove(inner.s, self.depth))
        return self.search.prove(s, self.depth)

    def one_of(self, ways: Iterable[Callable[[Chain, Term], bool]], t: Term) -> bool:
        """Take the first of some ways that applies to a term; the others change nothing."""
        mark = self.mark()
        for way in ways:
            with suppress(Rejected, ArithmeticError):
                if way(self, t):
                    return True
            self.back(mark)
        return False

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
        return self.close(self.search.at_once(self.s))

    def rewrite_known(self, head: str) -> bool:
        """Put known values of sums or integrals into a relation; return whether it changed."""
        changed = False
        for _ in range(60):
            inside, before = bound_terms([self.s.goal], head), self.s.goal
            for i, h in reversed([*relations(self.s, "==")]):
                within = [Relation(h.right, "==", h.right)]
                new = h.left in inside and h.left not in bound_terms(within, head)
                if new and self.apply("rewrite", equality=i) and self.s.goal != before:
                    changed = True
                    break
            else:
                return changed
        return changed

    def forget(self, head: str) -> None:
        """Drop hypotheses about sums or integrals if the goal contains no such term."""
        if not bound_terms([self.s.goal], head):
            self.keep(lambda f: not bound_terms([f], head, everywhere=True))

    def keep(self, wanted: Callable[[Formula], bool]) -> None:
        """Drop the other hypotheses, where there are others."""
        kept = [i for i, f in enumerate(self.s.hypotheses) if wanted(f)]
        if len(kept) < len(self.s.hypotheses):
            self.apply("weaken", keep=kept)
