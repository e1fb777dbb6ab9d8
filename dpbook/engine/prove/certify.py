"""Find the certificate of a task: lemmas and written steps in their order, then the search.

The kernel has accepted each result; None says only that no certificate was found.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy

from dpbook.engine.evaluate.sampler import Sampler
from dpbook.engine.language.budget import SHORT
from dpbook.engine.language.domain import DomainError, case_domains, collected
from dpbook.engine.language.function_symbols import Unknown
from dpbook.engine.language.statement import Eventually, Order, Recurrence, unfold_definitions
from dpbook.engine.language.statement import Relation as Step
from dpbook.engine.language.task import Certified, Task, free_symbols
from dpbook.engine.language.terms import (
    Untranslatable,
    formula_of,
    function_name,
    name_of,
    strict,
    term_of,
)
from dpbook.engine.prove.certificates import explicit, pruned
from dpbook.engine.prove.large_values import rates, refuse_bounded, sequents_for
from dpbook.engine.prove.lemma_instances import rewriting_instances
from dpbook.engine.prove.refutation_sequents import at_point, failing
from dpbook.engine.prove.sequents import sequent_of
from dpbook.engine.prove.tactics import discrete
from dpbook.engine.prove.tactics.core import Chain, Node, Search
from dpbook.engine.prove.tactics.names import generalised
from dpbook.engine.prove.tactics.strategy import TACTICS, Tactics
from dpbook.engine.prove.tactics.unknown import all_known
from dpbook.kernel import Rejected, Sequent, Trust, check
from dpbook.kernel.formulas import All, And, Formula, Is, Relation, flat, negated, put, terms_of
from dpbook.kernel.normal.automatic import same
from dpbook.kernel.terms import Term, fresh, parse_term, substitute, var

# They come first for a recurrence. A base of powers is any number there: the steps are shorter.
RECURRENCE = (("generalised", generalised, 0), ("induction", discrete.induct, 0))
BUDGET, DEPTHS = Certified.budget, Certified.depths
SMALL = 30  # parts of a statement that is tried alone
GUESSES = 2  # rates that are tried for a limit


@dataclass(frozen=True)
class Found:
    """Hold a sequent, the certificate that the kernel accepted, and its trusted base."""

    sequent: Sequent
    certificate: Node
    trust: Trust

    def proof(self, **more: object) -> dict[str, object]:
        """Return the proof in the form in which evidence holds it."""
        proof = {"sequent": self.sequent.to_json(), "certificate": self.certificate, **more}
        return {"proof": proof}


def _accepted(
    sequent: Sequent, node: Node | None, lemmas: Mapping[str, Sequent] | None = None
) -> Found | None:
    """Return the certificate of a search without unused steps, if the kernel accepts it."""
    if node is None:
        return None
    try:
        shorter = pruned(sequent, explicit(sequent, node, lemmas), lemmas)
        return Found(sequent, shorter, check(sequent, shorter, lemmas))
    except Rejected:
        return None


def certify(
    task: Task,
    lemmas: Mapping[str, Sequent] | None = None,
    budget: int = BUDGET,
    depths: tuple[int, ...] = DEPTHS,
    alone: Tactics = (),
) -> Found | None:
    """Search for a certificate of a task, and have the kernel check it.

    Parameters
    ----------
    task : Task
    lemmas : mapping from claim keys to their sequents
        The statements of the task's lemmas, as sequents.
    budget : int
        Number of goals that are tried; it counts work, so every machine has the same result.
    alone : tactics
        Those that try only the statement itself, and no other goal below it, where it is small.
    """
    found = _certified(task, lemmas or {}, budget, depths, alone)
    if found is not None or task.proof or not isinstance(task.form, Order):
        return found
    for rate in itertools.islice(rates(task.form, _numbers(task)), GUESSES):
        guessed = replace(task, proof=(("a rate", rate),))
        if found := _certified(guessed, lemmas or {}, budget, depths):
            return found
    return None


def _certified(
    task: Task,
    lemmas: Mapping[str, Sequent],
    budget: int,
    depths: tuple[int, ...],
    alone: Tactics = (),
) -> Found | None:
    """Search for a certificate along the steps of a written proof, where there is one."""
    try:
        large = isinstance(task.form, (Eventually, Order))
        if large:
            refuse_bounded(task)
        with sympy.evaluate(False):
            written = [tree for _, tree in task.proof]
            if large:
                sequents = list(sequents_for(task.form, task.given, written))
            else:
                sequents = [sequent_of(task.form, task.given)]
            for sequent in sequents:
                sequent.check_formed()
            steps = [strict(formula_of(tree)) for tree in written]
            used = _instances(task, lemmas)
    except (Untranslatable, Rejected, DomainError):
        return None
    formulas = [f for s in sequents for f in (s.goal, *s.hypotheses)]
    if alone and sum(t.size for f in formulas for t in terms_of(f)) > SMALL:
        return None
    induction = RECURRENCE if isinstance(task.form, Recurrence) else ()
    for sequent in sequents:
        search = Search((*induction, *(alone or TACTICS)), lemmas, budget)
        search.alone = bool(alone)
        names = {name for name, _ in sequent.variables}
        search.top = frozenset(names)
        # a lemma about outputs is used at each output under an integral, not once for all
        later = [one for one in used if not one.speaks_of <= names]
        search.at_points = later
        top = [one for one in used if one.speaks_of <= names]
        search.within = [one for one in top if not one.functions]
        for more in (*_within_error(task, sequent), []):
            chain = _Chain(search, top, later, [*more, *steps], budget, depths)
            if found := _accepted(sequent, chain.prove(sequent), lemmas):
                return found
    return None


def _numbers(task: Task) -> tuple[tuple[str, str], ...] | None:
    """Return a point of the domain of a statement, at which a rate is tried."""
    given = [tree.map(unfold_definitions) for tree in task.given]
    for domain in case_domains(collected([*free_symbols(task.form), *given]), given):
        point = Sampler(domain, task.seed).some()
        if point is not None:
            return tuple((v.name, str(point[v])) for v in domain.variables)
    return None


def _within_error(task: Task, sequent: Sequent) -> list[list[Formula]]:
    """Return the step that a written rate of a limit is at most the error, beyond the threshold."""
    last = task.proof[-1][1] if task.proof else None
    limited = isinstance(task.form, Order) and task.form.limit is not None
    if not limited or not isinstance(last, Step) or last.op != "<=":
        return []
    error = var(sequent.variables[-1][0])
    return [[strict(Relation(term_of(unfold_definitions(last.rhs)), "<=", error))]]


def certify_failure(
    task: Task, point: Mapping[str, str], budget: int = BUDGET, depths: tuple[int, ...] = DEPTHS
) -> Found | None:
    """Search for a certificate that a statement fails, and have the kernel check it.

    Parameters
    ----------
    task : Task
    point : mapping from names of variables to closed terms as text
        The point where it fails; empty for a statement of existence that fails for every value.
    """
    try:
        with sympy.evaluate(False):
            sequents = failing(task.form, task.given, point)
            for sequent in sequents:
                sequent.check_formed()
    except (Untranslatable, Rejected):
        return None
    searches = [Search(TACTICS, {}, budget) for _ in sequents]
    for depth in depths:  # an easy sequent does not wait for a deep search of another
        for search, sequent in zip(searches, sequents, strict=True):
            if found := _accepted(sequent, search.solve(sequent, (depth,))):
                return found
    return None


def holds_at(task: Task, point: Mapping[str, str]) -> bool:
    """Say whether a short search shows a statement at a point: no certificate refutes it there."""
    with sympy.evaluate(False):
        s = sequent_of(task.form, task.given)
        there = at_point(s, {name: parse_term(value) for name, value in point.items()}, s.goal)
    return Search(TACTICS, {}, SHORT[0]).solve(there, SHORT[1]) is not None


@dataclass(frozen=True)
class _Use:
    """Describe a lemma with the terms that are put in for its variables and its functions."""

    key: str
    at: Mapping[str, str]
    functions: Mapping[str, tuple[tuple[str, ...], Term]]
    says: Sequent

    @property
    def speaks_of(self) -> frozenset[str]:
        """Return the variables in the values."""
        free = [parse_term(value).free for value in self.at.values()]
        free += [body.free - set(of) for of, body in self.functions.values()]
        return frozenset().union(*free)

    def at_point(self, s: Sequent, values: Mapping[str, Term]) -> dict[str, Any]:
        """Return the fields of this use, with terms put in for the variables of its values."""
        at = {n: str(substitute(parse_term(v), values)) for n, v in self.at.items()}
        return self.fields(s, at, values)

    def fields(self, s: Sequent, at: dict[str, str], values: Mapping[str, Term]) -> dict[str, Any]:
        """Return the fields of this use; no parameter of a function is a variable of a sequent."""
        found: dict[str, Any] = {}
        for function, (of, body) in self.functions.items():
            taken = {name for name, _ in (*s.variables, *s.functions)} | (body.free - set(of))
            names: list[str] = []
            for name in of:
                names.append(fresh(name, taken.union(names)))
            moved = substitute(body, {**values, **dict(zip(of, map(var, names), strict=True))})
            found[function] = {"of": names, "is": str(moved)}
        defined = {"functions": found} if found else {}
        return {"name": self.key, "at": at, **defined}


def _instances(task: Task, lemmas: Mapping[str, Sequent]) -> list[_Use]:
    """Return the lemmas with the values that are put in."""
    found: list[_Use] = []
    for lemma in task.using:
        if lemma.key not in lemmas:
            continue
        own = [dict(lemma.instance)] if lemma.instance else [*rewriting_instances(task, lemma), {}]
        for instance in own:
            at: dict[str, str] = {}
            functions = {}
            for what, value in instance.items():
                if isinstance(what, Unknown):
                    of = tuple(name_of(parameter) for parameter in value.variables)
                    functions[function_name(what)] = (of, term_of(unfold_definitions(value.expr)))
                else:
                    at[name_of(what)] = str(term_of(unfold_definitions(value)))
            one = _Use(lemma.key, at, functions, lemmas[lemma.key])
            if one not in found:
                found.append(one)
    return found


@dataclass(frozen=True)
class _Chain:
    """Describe a proof: it uses each lemma once its conditions are shown, then takes the steps."""

    search: Search
    used: list[_Use]
    later: list[_Use]
    steps: list[Formula]
    budget: int
    depths: tuple[int, ...]

    def prove(self, s: Sequent) -> Node | None:
        return self._from(s, self.used, self.steps)

    def _from(self, s: Sequent, waiting: list[_Use], steps: list[Formula]) -> Node | None:
        written = [part for step in steps for part in flat(step) if not isinstance(part, Is)]
        for i, one in enumerate(waiting):
            fields = one.fields(s, self._complete(s, one.at, one.says), {})
            chain = Chain(self.search, s, 0)
            if chain.apply_by(lambda goal: self._condition(goal, written), "lemma", **fields):
                return chain.close(self._from(chain.s, waiting[:i] + waiting[i + 1 :], steps))
        self.search.budget = self.budget
        if not steps:
            return self._inside(s) or self.search.solve(s, self.depths)
        chain, formula = Chain(self.search, s, 0), str(steps[0])
        if self.search.premises(s, "have", formula=formula) is None:
            return self._from(s, waiting, steps[1:])
        if not chain.apply_by(self._step, "have", formula=formula):
            return None
        return chain.close(self._from(chain.s, waiting, steps[1:]))

    def _condition(self, s: Sequent, written: Sequence[Formula]) -> Node | None:
        """Show a condition of a lemma, but not by a search where a later step states it."""
        if isinstance(s.goal, Relation) and self.search.env.automatic(s.showing(negated(s.goal))):
            return None  # where two variables of a lemma are exchanged
        self.search.budget = max(self.search.budget, self.budget // 4)
        found = self._at_all_values(s)
        return found if found or _is_written(s, written) else self.search.solve(s, (0, 1))

    def _step(self, s: Sequent) -> Node | None:
        return self._at_all_values(s) or self.search.solve(s, self.depths)

    def _at_all_values(self, s: Sequent) -> Node | None:
        """Show a statement about all values by lemmas at these values, under given conditions."""
        chain, used = Chain(self.search, s, 0), set[int]()
        values: dict[str, Term] = {}
        while isinstance(chain.s.goal, All) and chain.apply("all"):
            new = chain.s.variables[-1][0]
            self._instances_at(chain, new)
            values[new.rstrip("_")] = var(new)
            names = {name for name, _ in chain.s.variables} | set(values)
            for i, one in enumerate(self.later):
                if i in used or not one.speaks_of <= names:
                    continue
                used.add(i)
                chain.apply_by(self._given, "lemma", **one.at_point(chain.s, values))
        return chain.close(all_known(self.search, chain.s)) if used else None

    def _instances_at(self, chain: Chain, name: str) -> None:
        """Use each hypothesis about all values at a new variable."""
        sort = dict(chain.s.variables)[name]
        for i, h in enumerate(chain.s.hypotheses):
            if isinstance(h, All) and h.sort == sort:
                chain.apply_by(self._given, "instance", hypothesis=i, value=name)

    def _given(self, s: Sequent) -> Node | None:
        """Show a given condition, or that a term is defined."""
        if self.search.env.automatic(s):
            return self.search.node("auto")
        return self.search.prove(s, 0) if isinstance(s.goal, Is) else None

    def _inside(self, s: Sequent) -> Node | None:
        """Prove a goal about sums with the lemmas at the index of their terms."""
        mine = {n for n, _ in s.variables}
        if all({n for n, _ in one.says.variables} <= mine for one in self.used):
            return None
        goal = s.goal
        if goal in s.hypotheses:
            return self.search.node("auto")
        fields: dict[str, str] = {}
        if isinstance(goal, And):
            rule = "and"
        elif isinstance(goal, Is) and goal.what == "defined" and goal.term.head != "integral":
            rule = "defined"
        elif isinstance(goal, Relation) and goal.op in ("<=", ">="):
            low, high = (goal.right, goal.left) if goal.op == ">=" else (goal.left, goal.right)
            if low.head != "sum" or high.head != "sum":
                return None
            rule, fields = "compare sums", {"low": str(low), "high": str(high), "op": "<="}
        else:
            return None

        def shown(premise: Sequent) -> Node | None:
            node = None
            if len(premise.variables) > len(s.variables):
                node = self._from(premise, self.used, [])
            elif premise.goal != goal:
                node = self._inside(premise)
            if node is None:
                self.search.budget = self.budget
                node = self.search.solve(premise, (0, 1))
            return node

        return self.search.by_each(shown, s, rule, **fields)

    def _complete(self, s: Sequent, at: Mapping[str, str], used: Sequent) -> dict[str, str]:
        """Give values to variables that only the lemma has: an index of that name, or a number."""
        mine = {n for n, _ in s.variables}
        indices = {n.rstrip("_"): n for n, sort in s.variables if sort == "integer"}
        found = dict(at)
        for name, _ in used.variables:
            if name not in found and name not in mine:
                found[name] = indices.get(name) or _some_value(name, used)
        return found


def _some_value(name: str, used: Sequent) -> str:
    """Return a number that the hypotheses on one variable allow, as far as can be seen."""
    low = 0
    for h in used.hypotheses:
        if not isinstance(h, Relation) or h.op not in (">", ">="):
            continue
        if h.left == var(name) and h.right.head == "num":
            low = max(low, int(h.right.value) + 1)
    return str(low or 1)


def _is_written(s: Sequent, written: Sequence[Formula]) -> bool:
    """Return whether one of the formulas is the goal, perhaps for all values of a variable."""
    for part in written:
        if part == s.goal or same(part, s.goal):
            return True
        if isinstance(part, All):
            said = (put(part.body, {part.name: var(name)}) for name, _ in s.variables)
            if any(same(p, s.goal) for f in said for p in flat(f)):
                return True
    return False
