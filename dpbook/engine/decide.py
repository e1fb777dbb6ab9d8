"""The ladder: how a statement is decided, from a counterexample to a proof.

`task_of` reads a statement in the caller's process, and `decide` runs in a worker.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Integral, Sum, Symbol, sympify

from dpbook.engine.budget import Deadline, TimeUp, alarm
from dpbook.engine.compile import compare_at
from dpbook.engine.definedness import NotUnderstood, Obligation, obligations
from dpbook.engine.domain import (
    Bounds,
    Domain,
    DomainError,
    RangedSymbol,
    collected,
    domains_of,
    entered,
    with_ranges,
)
from dpbook.engine.methods import algebra, calculus, induction, smt
from dpbook.engine.methods.integrals import Means, Open, close_integrals
from dpbook.engine.methods.lemmas import close_sums
from dpbook.engine.methods.limits import tends_to
from dpbook.engine.methods.prover import (
    ALGEBRA,
    DEPTHS,
    Goal,
    Memory,
    Proof,
    Prover,
    hypotheses,
    merged,
    renamed,
)
from dpbook.engine.methods.signs import Signs
from dpbook.engine.points import Point, Sampler
from dpbook.engine.refute import Refuter, short, verdict_at
from dpbook.engine.statement import (
    Both,
    Either,
    Eventually,
    Exists,
    Folded,
    ForAll,
    Form,
    Noted,
    Order,
    Recurrence,
    Relation,
    Statistical,
    Tree,
    abbreviations_out,
    as_form,
    as_tree,
    bound_in,
    bound_renamed,
    differentiates,
    evaluated,
    written_out,
)
from dpbook.engine.verdict import Counterexample, Evidence, Verdict, weakest

# (name, rung, smallest depth at which it is tried); cheap and decisive first
RUNGS = (
    ("identity", algebra.identity, 0),
    ("calculus", induction.derivative_zero, 0),
    ("induction", induction.equality, 0),
    ("induction", induction.zeilberger, 1),
    ("enumeration", algebra.modular, 0),
    ("identity", algebra.different, 0),
    ("identity", algebra.factors, 0),
    ("identity", algebra.from_facts, 0),
    ("substitution", algebra.corner, 0),
    ("z3", algebra.z3_polynomial, 0),
    ("cases", algebra.cases, 0),
    ("identity", algebra.fraction, 1),
    ("calculus", calculus.unlog, 1),
    ("calculus", calculus.exp_polynomial, 1),
    ("z3", algebra.z3_axioms, 1),
    ("balls", calculus.box, 1),
    ("calculus", calculus.monotone, 1),
    ("calculus", calculus.anchor, 1),
    ("induction", induction.inequality, 1),
    ("induction", induction.ratio, 1),
    ("calculus", calculus.compare_logs, 1),
    ("calculus", calculus.concave, 2),
    ("calculus", calculus.tail, 2),
    ("calculus", calculus.split_range, 2),
)
BRIEF = 2.0  # seconds that a condition of a lemma is looked for while steps are still to come
METHODS = tuple(dict.fromkeys(name for name, _, _ in RUNGS)) + ("point",)


# what SymPy raises when it meets a form that it does not know; such a failure decides nothing
LIBRARY_ERRORS = (
    *(TypeError, ValueError, KeyError, IndexError, AttributeError, ArithmeticError),
    *(NotImplementedError, RecursionError, AssertionError),
)


LONGEST = 86_400  # seconds of one call


def refuse_time_limit(time_limit: float) -> None:
    """Raise a `ValueError` for a time limit that no call may have."""
    if not 0 < time_limit <= LONGEST:
        raise ValueError(f"time_limit must be > 0 and <= {LONGEST} seconds, got {time_limit}")


class EngineError(RuntimeError):
    """Two ways of deciding disagree: a fault of the engine, never to be hidden."""


@dataclass(frozen=True)
class Lemma:
    """A statement that a proof may use: a relation with its conditions, and its key.

    With an instance it is used there only; else an equality is applied wherever its left side
    occurs, and an inequality is used as it stands.
    """

    key: str
    relation: Relation
    given: tuple[Tree, ...] = ()
    instance: tuple[tuple[Symbol, Expr], ...] = ()


@dataclass(frozen=True)
class Task:
    """Everything a worker needs to decide one statement."""

    form: Form
    given: tuple[Tree, ...] = ()
    using: tuple[Lemma, ...] = ()
    proof: tuple[tuple[str, Tree], ...] = ()
    by: tuple[str, ...] = ()
    seed: int = 0
    time_limit: float = 10.0
    hint: str = ""
    search_only: bool = False
    candidates: tuple[dict[str, Any], ...] = ()


# --- reading a statement ------------------------------------------------------------------------


def task_of(
    statement: Any,
    given: Iterable[Any] = (),
    *,
    by: str | Sequence[str] | None = None,
    using: Sequence[Lemma] = (),
    proof: Sequence[tuple[str, Any]] = (),
    seed: int = 0,
    time_limit: float = 10.0,
    hint: str = "",
    search_only: bool = False,
    candidates: Sequence[dict[Any, Any]] = (),
) -> Task:
    """Read a statement, its conditions and what may be used, in the caller's process.

    Raises
    ------
    Folded
        When the statement arrived as True or False.
    ValueError
        When something cannot be read: a float, an unknown method, two symbols of one name.
    """
    methods = (by,) if isinstance(by, str) else tuple(by or ())
    for method in methods:
        if method not in METHODS:
            raise ValueError(f"by must name methods of {', '.join(METHODS)}, got {method!r}")
    refuse_time_limit(time_limit)
    if seed < 0:
        raise ValueError(f"seed must be >= 0, got {seed}")
    with sympy.evaluate(False):
        form = as_form(statement)
        trees = conditions_of(given)
        steps = [(title, as_tree(step)) for title, step in proof]
    change, more = _entering(form, [*trees, *(step for _, step in steps)])
    keep_names = bool(using)

    def read(e: Expr) -> Expr:
        with sympy.evaluate(False):
            return (
                abbreviations_out(e.xreplace(change))
                if keep_names
                else written_out(e.xreplace(change))
            )

    def moved(thing: Any) -> Any:
        return thing.map(read)

    form = _symbols_changed(form, change)
    task = Task(
        form=moved(form),
        given=tuple(moved(tree) for tree in (*trees, *more)),
        using=tuple(
            Lemma(
                lemma.key,
                lemma.relation.map(abbreviations_out),
                tuple(tree.map(abbreviations_out) for tree in lemma.given),
                tuple((symbol, abbreviations_out(value)) for symbol, value in lemma.instance),
            )
            for lemma in using
        ),
        proof=tuple((title, moved(step)) for title, step in steps),
        by=methods,
        seed=seed,
        time_limit=float(time_limit),
        hint=hint,
        search_only=search_only,
        candidates=tuple({str(k): sympify(v) for k, v in c.items()} for c in candidates),
    )
    return _bound_apart(task)


def _bound_apart(task: Task) -> Task:
    """Rename what sums and integrals bind where it is free elsewhere: no value is then captured."""
    things: list[Any] = [task.form, *task.given, *(step for _, step in task.proof)]
    for lemma in task.using:
        things += [lemma.relation, *lemma.given]
    values = [value for lemma in task.using for _, value in lemma.instance]
    if isinstance(task.form, Exists):
        values += [value for _, value in task.form.witness]
    expressions = [written_out(e) for e in (*(e for t in things for e in _expressions(t)), *values)]
    bound = {v for e in expressions for v in bound_in(e)}
    free = {v for e in expressions for v in e.free_symbols} | set(_bound_symbols(task.form))
    clash = sorted(bound & free, key=str)
    if not clash:
        return task
    taken = {v.name for v in bound | free}
    names: dict[Symbol, Symbol] = {}
    for symbol in clash:
        name = symbol.name + "_"
        while name in taken:
            name += "_"
        taken.add(name)
        names[symbol] = (
            RangedSymbol(name, symbol.details)
            if isinstance(symbol, RangedSymbol)
            else Symbol(name, **symbol.assumptions0)
        )

    def apart(e: Expr) -> Expr:
        with sympy.evaluate(False):
            # a function that is kept by name may bind the symbol in its definition
            plain = written_out(e)
            return bound_renamed(plain, names) if bound_in(plain) & set(clash) else e

    return replace(
        task,
        form=task.form.map(apart),
        given=tuple(tree.map(apart) for tree in task.given),
        proof=tuple((title, tree.map(apart)) for title, tree in task.proof),
        using=tuple(
            Lemma(
                lemma.key,
                lemma.relation.map(apart),
                tuple(tree.map(apart) for tree in lemma.given),
                tuple((symbol, apart(value)) for symbol, value in lemma.instance),
            )
            for lemma in task.using
        ),
    )


def conditions_of(given: Any) -> list[Tree]:
    """Read conditions. One that SymPy evaluated to True assumes nothing, and is left out.

    Raises
    ------
    DomainError
        When one was evaluated to False.
    """
    trees = []
    for condition in listed(given):
        try:
            trees.append(as_tree(condition))
        except Folded as folded:
            if not folded.value:
                raise DomainError(
                    "the conditions contradict each other: SymPy evaluated one to False"
                ) from folded
    return trees


def listed(given: Any) -> list[Any]:
    """Return conditions as a list; one alone, a triple among them, counts as one."""
    if given is None:
        return []
    if isinstance(given, (list, tuple, set, frozenset)) and not (
        len(given) == 3 and isinstance(given, tuple) and isinstance(given[1], str)
    ):
        return list(given)
    return [given]


def _bound_symbols(form: Form) -> list[Symbol]:
    if isinstance(form, Exists):
        return [symbol for symbol, _ in form.witness]
    if isinstance(form, (Eventually, Order)):
        return [form.index]
    if isinstance(form, Recurrence):
        return [form.index, form.previous]
    return []


def _expressions(thing: Any) -> list[Expr]:
    found: list[Expr] = []

    def note(e: Expr) -> Expr:
        found.append(e)
        return e

    thing.map(note)
    return found


def free_symbols(thing: Any) -> set[Symbol]:
    """Return the free symbols of a form or a tree, written out."""
    free: set[Symbol] = set()
    for e in _expressions(thing):
        free |= written_out(e).free_symbols
    return free


def _entering(form: Form, trees: Sequence[Tree]) -> tuple[dict[Symbol, Symbol], list[Relation]]:
    """Turn strangers' symbols into variables with ranges."""
    free: set[Symbol] = set()
    for thing in (form, *trees):
        free |= free_symbols(thing)
    free |= set(_bound_symbols(form))
    collected(list(free))
    change: dict[Symbol, Symbol] = {}
    more: list[Relation] = []
    for symbol in sorted(free, key=lambda s: s.name):
        if isinstance(symbol, RangedSymbol):
            continue
        if isinstance(form, Recurrence) and symbol == form.previous:
            continue
        change[symbol], conditions = entered(symbol)
        more += conditions
    return change, more


def _symbols_changed(form: Form, change: dict[Symbol, Symbol]) -> Form:
    if isinstance(form, Exists):
        return Exists(form.relation, [(change.get(s, s), v) for s, v in form.witness])
    if isinstance(form, Eventually):
        return Eventually(change.get(form.index, form.index), form.relation, form.threshold)
    if isinstance(form, Order):
        return replace_order(form, change.get(form.index, form.index))
    if isinstance(form, Recurrence):
        index = change.get(form.index, form.index)
        return Recurrence(form.step, form.start, form.closed_form, index, form.previous)
    return form


def replace_order(form: Order, index: Symbol) -> Order:
    """Return the same statement with another index symbol."""
    return Order(form.f, form.g, index, form.constant, form.threshold, form.limit)


# --- deciding ------------------------------------------------------------------------------------


def decide(task: Task) -> Evidence:
    """Decide a task within its time limit.

    Raises
    ------
    DomainError
        When the conditions contradict each other.
    EngineError
        When a proof and a point disagree.
    """
    started = time.perf_counter()
    try:
        with alarm(task.time_limit * (1.05 + len(task.proof)) + 0.4):
            evidence = _Decider(task).run()
    except TimeUp:
        evidence = Evidence(Verdict.UNDECIDED, reason=f"no decision within {task.time_limit:g} s")
    except RecursionError:
        evidence = Evidence(Verdict.UNDECIDED, reason="the statement is nested too deeply")
    return replace(evidence, seconds=time.perf_counter() - started)


class _Decider:
    def __init__(self, task: Task) -> None:
        self.task = task
        self.deadline = Deadline.after(task.time_limit)
        self.shared = Memory()
        self.held: dict[tuple[Any, ...], bool] = {}  # whether a lemma holds at an instance
        self.conditions: list[Proof] = []  # of the lemmas that hold
        self.underway = False  # whether steps are still to come

    def run(self) -> Evidence:
        form = self.task.form
        if isinstance(form, Noted):
            return Evidence(Verdict.NOTED, reason=form.why)
        if isinstance(form, Statistical):
            return self._statistical(form)
        if isinstance(form, ForAll):
            evidence = self._with_steps(form.tree)
        elif isinstance(form, Exists):
            evidence = self._exists(form)
        elif isinstance(form, Recurrence):
            evidence = self._recurrence(form)
        elif isinstance(form, Eventually):
            evidence = self._eventually(form)
        else:
            evidence = self._order(form)
        if evidence.verdict is not Verdict.PROVED:
            return evidence
        trusted = {*evidence.trusted, *(t for p in self.conditions for t in p.trusted)}
        return replace(
            evidence,
            certificate=merged([evidence.certificate, *(p.certificate for p in self.conditions)]),
            trusted=tuple(sorted(trusted)),
        )

    # --- universal statements --------------------------------------------------------------------

    def _with_steps(self, tree: Tree) -> Evidence:
        """Prove the steps of a written proof one after the other, then the statement itself."""
        given = list(self.task.given)
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
                direct = self._tree(tree, list(self.task.given))
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
        shown = [r for fact in facts for r in fact.map(written_out).certain()]
        tree, extra = self._lemmas(tree, given, shown)
        tree = tree.map(written_out)
        given = [condition.map(written_out) for condition in given]
        known = [
            r
            for fact in facts
            for r in self._lemmas(fact, given, shown)[0].map(written_out).certain()
        ]
        # sums are closed in what is to be proved, not in conditions: as facts they are matched
        known += [
            r
            for condition in given
            for r in condition.certain()
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
        relations = _alternatives(tree)
        return self._alternative(relations, given, facts)

    def _alternative(
        self, relations: list[Relation], given: Sequence[Tree], facts: Sequence[Relation]
    ) -> Evidence:
        symbols = collected([*relations, *given])
        # another symbol's range would become a condition on those that it speaks of
        facts = [fact for fact in facts if set(collected([fact])) <= set(symbols)]
        evidences = []
        domains = domains_of(symbols, given)
        empty = 0
        for domain in domains:
            evidence = _Case(
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

    # --- lemmas -----------------------------------------------------------------------------------

    def _lemmas(
        self, tree: Tree, given: Sequence[Tree], shown: Sequence[Relation] = ()
    ) -> tuple[Tree, list[Relation]]:
        """Apply used equalities left to right, and add used inequalities at their instance.

        `shown` is proved already; it and the lemmas before one may give its conditions.
        """
        extra: list[Relation] = []
        for lemma in self.task.using:
            known = [*shown, *extra]
            if lemma.relation.op == "==" and not lemma.instance:
                changed, instances = _rewritten(tree, lemma.relation)
                if instances and all(
                    self._holds(lemma, instance, given, known) for instance in instances
                ):
                    tree = changed
                    continue
            instance = dict(lemma.instance)
            if self._holds(lemma, instance, given, known):
                extra.append(lemma.relation.map(_put_in(instance)))
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
        settled = _settled(known) if lemma.instance else set()
        for value in instance.values():
            try:
                found = obligations(written_out(value))
            except NotUnderstood:
                return False
            open_ = [o for o in found if o not in settled]
            if any(o.variables or o.conditions for o in open_):
                return False
            there.extend(o.relation for o in open_)
        symbols = collected(
            [lemma.relation.map(written_out), *(t.map(written_out) for t in lemma.given)]
        )
        for symbol in symbols:
            if isinstance(symbol, RangedSymbol):
                for relation in symbol.range.relations(symbol):
                    needed.append(relation)
                if symbol.integer and not instance.get(symbol, symbol).is_integer:
                    return False
        plain = [condition.map(written_out) for condition in given]
        sure = {*known, *(r for condition in plain for r in condition.certain())}
        for condition in lemma.given:
            if isinstance(condition, Relation):
                needed.append(condition)
            elif condition.map(_put_in(instance)) not in plain:
                return False
        there.extend(relation.map(_put_in(instance)) for relation in needed)
        if not self._own((*there, lemma.relation.map(_put_in(instance)))):
            return False
        for moved in there:
            if moved in sure or (
                not instance
                and isinstance(moved.lhs, RangedSymbol)
                and moved in moved.lhs.range.relations(moved.lhs)
            ):
                continue
            domains = domains_of(collected([moved, *plain]), plain)
            for domain in domains:
                proof = _prove_relation(moved, domain, self.deadline, self.task, self.shared)
                if proof is None:
                    return False
                self.conditions.append(proof)
        return True

    @cached_property
    def ours(self) -> set[Symbol]:
        """The symbols of the statement, its conditions and its steps, and of their ranges."""
        found = free_symbols(self.task.form) | set(_bound_symbols(self.task.form))
        for tree in (*self.task.given, *(step for _, step in self.task.proof)):
            found |= free_symbols(tree)
        return with_ranges(found)

    def _own(self, relations: Iterable[Relation]) -> bool:
        """Whether all symbols are the statement's; another one has values whatever those are."""
        for stranger in {s for r in relations for s in free_symbols(r)} - self.ours:
            if not isinstance(stranger, RangedSymbol):
                return False
            ends = (stranger.range.lower, stranger.range.upper)
            if any(end is not None and end.free_symbols for end in ends):
                return False
        return True

    # --- other forms ------------------------------------------------------------------------------

    def _exists(self, form: Exists) -> Evidence:
        def put(e: Expr) -> Expr:
            with sympy.evaluate(False):
                return e.xreplace(dict(form.witness))

        ranges: list[Tree] = []
        for symbol, value in form.witness:
            if isinstance(symbol, RangedSymbol):
                for relation in symbol.range.relations(symbol):
                    ranges.append(relation.map(put))
                if symbol.integer and not value.is_integer:
                    ranges.append(Relation(sympy.floor(value), "==", value))
        tree = Both((form.relation.map(put), *ranges))
        evidence = self._with_steps(tree)
        if evidence.verdict is Verdict.REFUTED:
            negated = _negated(form.relation)
            if negated is not None:
                opposite = self._tree(negated, list(self.task.given))
                if opposite.verdict is Verdict.PROVED:
                    return replace(
                        opposite,
                        verdict=Verdict.REFUTED,
                        counterexample=Counterexample(
                            (), note="the negation is proved for every value"
                        ),
                    )
            return Evidence(
                Verdict.UNDECIDED,
                reason=f"the witness fails at {evidence.counterexample}; another one may do",
            )
        return evidence

    def _recurrence(self, form: Recurrence) -> Evidence:
        """Base at the lowest index, and the step from each index to the next, by exact algebra."""
        k = form.index
        bounds = k.range if isinstance(k, RangedSymbol) else Bounds(integer=True)
        if not bounds.integer or bounds.lower is None or bounds.lower_open:
            raise DomainError(
                f"the index {k} of a recurrence must be an integer with a lowest value"
            )
        lowest = written_out(bounds.lower)

        def at(e: Expr, value: Expr) -> Expr:
            with sympy.evaluate(False):
                return e.xreplace({k: value})

        base = Relation(at(form.closed_form, lowest), "==", at(form.start, lowest))
        with sympy.evaluate(False):
            following = Relation(
                at(form.closed_form, sympy.Add(k, 1)),
                "==",
                form.step.xreplace({form.previous: form.closed_form}),
            )
        parts = []
        for name, relation in (("base", base), ("step", following)):
            evidence = self._tree(relation, list(self.task.given))
            parts.append(
                replace(evidence, reason=f"{name}: {evidence.reason}" if evidence.reason else name)
            )
        weak = weakest(tuple(parts))
        if weak.verdict is Verdict.PROVED:
            trusted = tuple(sorted({"induction", *(t for p in parts for t in p.trusted)}))
            return replace(
                weak,
                method="induction",
                trusted=trusted,
                reason="",
                steps=tuple(line for p in parts for line in (f"{p.reason}:", *p.steps)),
            )
        if weak.verdict is Verdict.REFUTED and weak is parts[1]:
            # the closed form may fail its own step only where the sequence still agrees with it
            return self._recurrence_at_points(form, lowest, weak)
        return weak

    def _recurrence_at_points(self, form: Recurrence, lowest: Expr, evidence: Evidence) -> Evidence:
        """Follow the sequence from its start and compare it with the closed form exactly."""
        value = form.start.xreplace({form.index: lowest})
        for offset in range(6):
            here = lowest + offset
            with sympy.evaluate(False):
                relation = Relation(form.closed_form.xreplace({form.index: here}), "==", value)
            found = self._tree(relation, list(self.task.given))
            if found.verdict is Verdict.REFUTED:
                point = found.counterexample
                assert point is not None
                named = ((form.index.name, str(here)), *point.point)
                return replace(found, counterexample=replace(point, point=named))
            with sympy.evaluate(False):
                value = form.step.xreplace({form.index: here, form.previous: value})
        return replace(
            evidence,
            verdict=Verdict.UNDECIDED,
            counterexample=None,
            reason="the step fails at a point that the sequence was not followed to",
        )

    def _eventually(self, form: Eventually) -> Evidence:
        """With a threshold: the relation for every index from it on. Without one: try some."""
        thresholds: list[Expr] = []
        if form.threshold is not None:
            thresholds = [form.threshold]
        else:
            thresholds = [sympify(10) ** e for e in (0, 1, 2, 4, 8)]
        last = Evidence(Verdict.UNDECIDED, reason="no threshold found")
        share = self.task.time_limit / max(1, len(thresholds))
        for threshold in thresholds:
            self.deadline = Deadline.after(share)
            evidence = self._tree(
                form.relation, [*self.task.given, Relation(form.index, ">=", threshold)]
            )
            if evidence.verdict is Verdict.PROVED:
                return replace(evidence, reason=f"from {form.index} = {threshold} on")
            last = evidence
        if last.verdict is Verdict.REFUTED:
            limit = self._limit_sign(form)
            if limit is not None:
                return replace(last, counterexample=Counterexample((), note=limit))
            last = replace(
                last,
                verdict=Verdict.UNDECIDED,
                counterexample=None,
                reason="it fails at some points, and its limit is open",
            )
        return last

    def _limit_sign(self, form: Eventually) -> str | None:
        """Refute by proving that the opposite holds for all large indices."""
        opposite = form.relation.negated()
        for threshold in (1, 100, 10**4, 10**8):
            self.deadline = Deadline.after(self.task.time_limit / 4)
            evidence = self._tree(
                opposite, [*self.task.given, Relation(form.index, ">=", sympify(threshold))]
            )
            if evidence.verdict is Verdict.PROVED:
                return f"proved false for every {form.index} >= {threshold}"
        return None

    def _order(self, form: Order) -> Evidence:
        n = form.index
        if form.limit is not None:
            return self._limit(form)
        with sympy.evaluate(False):
            constants = (
                [form.constant]
                if form.constant is not None
                else [sympify(c) for c in (1, 2, 10, 100)]
            )
            thresholds = (
                [form.threshold]
                if form.threshold is not None
                else [sympify(t) for t in (1, 10, 1000)]
            )
        last = Evidence(Verdict.UNDECIDED, reason="no constant found")
        share = self.task.time_limit / (len(constants) * len(thresholds))
        for constant in constants:
            for threshold in thresholds:
                self.deadline = Deadline.after(share)
                with sympy.evaluate(False):
                    relation = Relation(
                        sympy.Abs(form.f), "<=", sympy.Mul(constant, sympy.Abs(form.g))
                    )
                evidence = self._tree(relation, [*self.task.given, Relation(n, ">=", threshold)])
                if evidence.verdict is Verdict.PROVED:
                    return replace(
                        evidence, reason=f"|f| <= {constant} |g| from {n} = {threshold} on"
                    )
                last = evidence
        if last.verdict is Verdict.REFUTED:
            last = replace(
                last, verdict=Verdict.UNDECIDED, counterexample=None, reason="no constant found"
            )
        return last

    def _limit(self, form: Order) -> Evidence:
        """``f / g -> limit``: a rate ``|f / g - limit| <= C / n`` on the domain, proved."""
        n = form.index
        assert form.limit is not None
        f, g, limit = (written_out(e) for e in (form.f, form.g, form.limit))
        given = [condition.map(written_out) for condition in self.task.given]
        domains = domains_of(
            collected([Relation(f, "==", g), Relation(limit, "==", n), *given]), given
        )
        if len(domains) != 1:
            return Evidence(Verdict.UNDECIDED, reason="a limit on a domain of several cases")
        with sympy.evaluate(False):
            quotient = f if g == 1 else f / g
        return _decide_limit(quotient, limit, n, domains[0], self.task, self.deadline)

    def _statistical(self, form: Statistical) -> Evidence:
        rng = np.random.default_rng(self.task.seed)
        p_value = float(form.test(rng, form.size))
        stated = f"{form.size} draws, two-sided error {form.error:g}"
        if p_value < form.error:
            return Evidence(
                Verdict.REFUTED,
                method="statistical",
                trusted=("a two-sided test",),
                counterexample=Counterexample((), note=f"p = {p_value:.3g} with {stated}"),
            )
        return Evidence(
            Verdict.SUPPORTED,
            method="statistical",
            margin=f"p = {p_value:.3g} with {stated}",
            reason="a random procedure is never proved by drawing from it",
        )


def _alternatives(tree: Tree) -> list[Relation]:
    """The relations of a disjunction; conjunctions inside one are not understood."""
    if isinstance(tree, Relation):
        return [tree]
    found = []
    for part in tree.parts:
        if isinstance(part, Both):
            raise DomainError(
                "state `or` of relations, or `and` of such; `and` inside `or` is not read"
            )
        found.extend(_alternatives(part))
    return found


def _negated(tree: Tree) -> Tree | None:
    if isinstance(tree, Relation):
        return tree.negated()
    parts = [_negated(part) for part in tree.parts]
    if any(part is None for part in parts):
        return None
    kept = tuple(part for part in parts if part is not None)
    return Either(kept) if isinstance(tree, Both) else Both(kept)


# --- using equalities -----------------------------------------------------------------------------


def _settled(proved: Iterable[Relation]) -> set[Obligation]:
    """What had to hold for relations to be defined that are proved on the same domain."""
    found: set[Obligation] = set()
    for relation in proved:
        try:
            found.update(o for side in (relation.lhs, relation.rhs) for o in obligations(side))
        except NotUnderstood:
            continue
    return found


def _put_in(instance: Mapping[Symbol, Expr]) -> Callable[[Expr], Expr]:
    """Put values in; first everything is written out, or what an abbreviation hides would stay."""

    def put(e: Expr) -> Expr:
        with sympy.evaluate(False):
            return written_out(written_out(e).xreplace(dict(instance)))

    return put


def _rewritten(tree: Tree, lemma: Relation) -> tuple[Tree, list[dict[Symbol, Expr]]]:
    """Replace instances of the lemma's left side by its right side; return the instances."""
    wild = lemma.lhs.free_symbols
    instances: list[dict[Symbol, Expr]] = []
    bound = {v for e in _expressions(tree) for v in bound_in(written_out(e))}

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


# --- one case ---------------------------------------------------------------------------------------


class _Case:
    """One alternative of relations on one conjunctive domain."""

    def __init__(
        self,
        relations: list[Relation],
        domain: Domain,
        task: Task,
        deadline: Deadline,
        facts: Sequence[Relation] = (),
        shared: Memory | None = None,
    ) -> None:
        self.facts = facts
        self.shared = shared or Memory()
        self.relations, self.domain, self.defined_by = _inlined(relations, domain)
        self.task = task
        self.deadline = deadline
        self.steps: list[str] = []
        self.trusted: set[str] = set()
        self.failure = ""

    def decide(self) -> Evidence | None:
        sampler = Sampler(self.domain, self.task.seed)
        point = sampler.some()
        if point is None:
            suggested = map(sampler.named, self.task.candidates)
            point = next((p for p in suggested if p is not None), None)
        if point is None:
            if _contradictory(self.domain, self.deadline):
                return None
            return Evidence(
                Verdict.UNDECIDED,
                reason="no point of the domain was found, so a proof might be vacuous",
            )
        sample = tuple((v.name, short(point[v])) for v in self.domain.variables)
        relations = self.relations
        prover = self._prover()
        clean = _plain_domain(self.domain)
        if any(side.has(Integral) for r in relations for side in (r.lhs, r.rhs)):
            try:
                relations = [r.map(lambda e: self._integrated(e, prover, clean)) for r in relations]
            except Open as why:
                return Evidence(
                    Verdict.UNDECIDED, reason=f"an integral stays open: {why}", sample=sample
                )
        refuter = Refuter(
            relations, self.domain, self.task.seed, self.deadline, self.task.candidates
        )
        found = refuter.quick()
        if found is not None:
            return self._refuted(found, sample)
        if self.task.search_only:
            found = refuter.thorough()
            if found is not None:
                return self._refuted(found, sample)
        proof = None
        try:
            # the alarm is for a library call that does not ask for the time
            with alarm(self.deadline.left + 0.1):
                proof = self._proof(relations, prover, clean, DEPTHS[:2])
                if proof is None and not self.task.search_only:
                    found = refuter.confirm_suggested(prover.suspects[:40]) or refuter.thorough()
                    if found is not None:
                        return self._refuted(found, sample)
                    proof = self._proof(relations, prover, clean, DEPTHS[2:])
        except TimeUp:
            self.failure = self.failure or "the time was used up"
        except LIBRARY_ERRORS as error:
            self.failure = f"a library failed: {type(error).__name__}: {str(error)[:200]}"
        if proof is not None:
            self._cross_check(relations, sampler)
            return Evidence(
                Verdict.PROVED,
                method=proof.method,
                trusted=tuple(sorted(self.trusted | proof.trusted)),
                sample=sample,
                steps=(*self.steps, *proof.lines),
                certificate=proof.certificate,
            )
        found = refuter.confirm_suggested(prover.suspects[:40])
        if found is not None:
            return self._refuted(found, sample)
        seen = refuter.seen
        if seen.tried == 0:
            return Evidence(
                Verdict.UNDECIDED, reason="neither proved nor evaluated at any point", sample=sample
            )
        reason = self.failure or "neither proved nor refuted"
        return Evidence(
            Verdict.SUPPORTED, method="points", margin=seen.describe(), reason=reason, sample=sample
        )

    def _refuted(self, found: Counterexample, sample: tuple[tuple[str, str], ...]) -> Evidence:
        if self.defined_by:
            named = (*found.point, *((v.name, str(e)) for v, e in self.defined_by))
            found = replace(found, point=named)
        return Evidence(
            Verdict.REFUTED,
            method="point",
            trusted=("exact arithmetic and Arb",),
            counterexample=found,
            sample=sample,
            steps=tuple(self.steps),
        )

    def _prover(self) -> Prover:
        # the method on record first; the order within both groups stays
        rungs = sorted(RUNGS, key=lambda rung: rung[0] != self.task.hint)
        return Prover(rungs, self.deadline, self.task.seed, self.task.by, memory=self.shared)

    # --- closing integrals and sums -----------------------------------------------------------------

    def _integrated(
        self, e: Expr, prover: Prover, clean: tuple[Domain, dict[Symbol, Symbol]]
    ) -> Expr:
        if not e.has(Integral):
            return e
        domain, changes = clean
        used: list[str] = []

        means = _means(prover, domain, used)

        def close(node: Any) -> Any:
            if isinstance(node, Integral):
                with sympy.evaluate(True):
                    body = evaluated(node, changes)
                    closed = close_integrals(body, means)
                back = {new: old for old, new in changes.items()}
                return closed.xreplace(back)
            if not node.args:
                return node
            with sympy.evaluate(False):
                return node.func(*[close(a) for a in node.args])

        result = close(e)
        for name in dict.fromkeys(used):
            self.steps.append(f"{name}, its conditions proved")
            self.trusted.add(f"the {name}" if "theorem" not in name else name)
        return result

    # --- proof -----------------------------------------------------------------------------------------

    def _proof(
        self,
        relations: list[Relation],
        prover: Prover,
        clean: tuple[Domain, dict[Symbol, Symbol]],
        depths: Sequence[int],
    ) -> Proof | None:
        domain, changes = clean
        if any(relation in self.facts for relation in relations):  # proved here, and so defined
            return Proof("known", frozenset({"exact algebra"}), ("it is a step, or a claim used",))
        try:
            needed = {
                o: None for r in relations for side in (r.lhs, r.rhs) for o in obligations(side)
            }
        except NotUnderstood as why:
            self.failure = str(why)
            return None
        known = domain.with_facts(*(_rebuilt(fact, changes) for fact in self.facts))
        proofs = []
        settled = _settled(self.facts)
        for obligation in needed:
            if obligation in settled:
                continue
            proof = None
            if self.facts:  # what is known often shows it at once
                proof = self._obligation(obligation, prover, known, changes, (0,))
            if proof is None:
                proof = self._obligation(obligation, prover, domain, changes, depths)
            if proof is None:
                self.failure = f"not shown to be defined: {obligation.why}, {obligation.relation}"
                return None
            proofs.append(proof)
        self.failure = ""
        for index, relation in enumerate(relations):
            where = domain
            for other, alternative in enumerate(relations):
                if other != index:
                    where = where.with_conditions(_rebuilt(alternative.negated(), changes))
            rebuilt = _rebuilt(relation, changes)
            difference = _difference(rebuilt)
            facts = [_rebuilt(fact, changes) for fact in self.facts]
            proof = None
            if facts and difference.has(Sum):  # sums as they stand, as in what is known
                proof = prover.solve(difference, rebuilt.op, where.with_facts(*facts), (0,))
            if proof is None and difference.has(Sum):
                quickly, positive = _quickly(prover, where), prover.positive_on(where)
                difference = close_sums(difference, quickly, positive)
                facts += [
                    Relation(
                        close_sums(_difference(fact), quickly, positive), fact.op, sympy.S.Zero
                    )
                    for fact in facts
                    if _difference(fact).has(Sum)
                ]
            goal_domain, eliminated = _eliminated(where, prover)
            for v, e in eliminated:
                difference = difference.xreplace({v: e})
            if proof is None and facts:
                helped = goal_domain.with_facts(*(_put(fact, eliminated) for fact in facts))
                # what is known decides most steps at once, before anything is searched for
                proof = (
                    prover.solve(difference, rebuilt.op, helped, (0,))
                    or prover.solve(difference, rebuilt.op, goal_domain, depths[:1])
                    or prover.solve(difference, rebuilt.op, helped, depths)
                )
            elif proof is None:
                proof = prover.solve(difference, rebuilt.op, goal_domain, depths)
            if proof is not None:
                self.trusted |= {t for p in proofs for t in p.trusted}
                certificate = merged(p.certificate for p in (proof, *proofs))
                return replace(proof, certificate=certificate)
        return None

    def _obligation(
        self,
        obligation: Obligation,
        prover: Prover,
        domain: Domain,
        changes: dict[Symbol, Symbol],
        depths: Sequence[int],
    ) -> Proof | None:
        where = domain
        for symbol, bounds in obligation.variables:
            moved = Bounds(
                None if bounds.lower is None else evaluated(bounds.lower, changes),
                bounds.lower_open,
                None if bounds.upper is None else evaluated(bounds.upper, changes),
                bounds.upper_open,
                bounds.integer,
            )
            index = Symbol(symbol.name, integer=True)
            changes = {**changes, symbol: index}
            where = where.with_variable(index, moved)
        where = where.with_conditions(*(_rebuilt(c, changes) for c in obligation.conditions))
        where, eliminated = _eliminated(where, prover)
        relation = _rebuilt(obligation.relation, changes)
        difference = _difference(relation)
        if difference.has(Sum):
            difference = close_sums(difference, _quickly(prover, where), prover.positive_on(where))
        for v, e in eliminated:
            difference = difference.xreplace({v: e})
        return prover.solve(difference, relation.op, where, depths)

    def _cross_check(self, relations: list[Relation], sampler: Sampler) -> None:
        """A proof and exact points must agree; a disagreement is the engine's fault."""
        points: list[Point] = list(sampler.simple(6))
        drawn = sampler.floats(40)
        size = len(next(iter(drawn.values()))) if drawn else 0
        for index in range(min(size, 8)):
            point = sampler.exact({v: float(a[index]) for v, a in drawn.items()}, 1e-3)
            if point is not None:
                points.append(point)
        for point in points:
            result, why = verdict_at(relations, point)
            if result is False:
                where = ", ".join(f"{v} = {short(x)}" for v, x in point.items())
                raise EngineError(f"proved, and yet false at {where} {why}: {relations[0]}")


def _means(prover: Prover, domain: Domain, used: list[str]) -> Means:
    """What the conditions of lemmas on integrals are proved with, on a domain."""

    def within(x: Symbol, a: Expr, b: Expr, closed: bool = False) -> Domain:
        lower = None if a == -sympy.oo else a
        upper = None if b == sympy.oo else b
        return domain.with_variable(x, Bounds(lower, not closed, upper, not closed, False))

    def prove(expr: Expr, op: str) -> bool:
        return prover.solve(evaluated(expr), op, domain, (1, 2)) is not None

    def prove_within(expr: Expr, op: str, x: Symbol, a: Expr, b: Expr) -> bool:
        return prover.solve(evaluated(expr), op, within(x, a, b), (1, 2)) is not None

    def defined(expr: Expr, x: Symbol, a: Expr, b: Expr, closed: bool) -> bool:
        return calculus.defined_on(prover, expr, within(x, a, b, closed), 2)

    def inside(x: Symbol, a: Expr, b: Expr) -> Means:
        return _means(prover, within(x, a, b), used)

    return Means(prove, prove_within, defined, prover.positive_on(domain), inside, used)


def _needed(e: Expr, signs: Signs) -> list[Relation] | None:
    """Return what must hold for an expression to be defined, but for what is plain; None: unknown."""
    try:
        found = obligations(e)
    except NotUnderstood:
        return None
    plain = {">": signs.positive, ">=": signs.nonnegative}
    rest = [
        o
        for o in found
        if not (o.relation.op in plain and plain[o.relation.op](_difference(o.relation)))
    ]
    if any(o.variables or o.conditions or not o.exact for o in rest):
        return None
    return [o.relation for o in rest]


def _inlined(
    relations: list[Relation], domain: Domain
) -> tuple[list[Relation], Domain, list[tuple[Symbol, Expr]]]:
    """Put in what a condition ``symbol == expression`` defines, where it is not rational."""
    done: list[tuple[Symbol, Expr]] = []
    again = True
    while again:
        again = False
        signs = Signs(domain)
        for relation in domain.conditions:
            sides = ((relation.lhs, relation.rhs), (relation.rhs, relation.lhs))
            pick = next(
                (
                    (v, e)
                    for v, e in sides
                    if relation.op == "=="
                    and v in domain.bounds
                    and v not in e.free_symbols
                    and not domain.bounds[v].integer
                    and not e.is_rational_function(*e.free_symbols)
                ),
                None,
            )
            if pick is None:
                continue
            v, e = pick
            needed = _needed(e, signs)
            if needed is None:
                continue

            def put(x: Expr, v: Symbol = v, e: Expr = e) -> Expr:
                with sympy.evaluate(False):
                    return x.xreplace({v: e})

            ranges = [r.map(put) for r in domain.bounds[v].relations(v)]
            others = [c.map(put) for c in domain.conditions if c is not relation]
            kept = tuple(w for w in domain.variables if w != v)
            bounds = {w: domain.bounds[w] for w in kept}
            if any(
                end is not None and v in end.free_symbols
                for b in bounds.values()
                for end in (b.lower, b.upper)
            ):
                continue
            domain = Domain(kept, bounds, (*others, *ranges, *needed))
            relations = [r.map(put) for r in relations]
            done = [(w, put(x)) for w, x in done] + [(v, e)]
            again = True
            break
    return relations, domain, done


def _rebuilt(relation: Relation, changes: dict[Symbol, Symbol]) -> Relation:
    return Relation(evaluated(relation.lhs, changes), relation.op, evaluated(relation.rhs, changes))


def _put(relation: Relation, solutions: Sequence[tuple[Symbol, Expr]]) -> Relation:
    for solution in solutions:
        put = dict([solution])
        relation = Relation(relation.lhs.xreplace(put), relation.op, relation.rhs.xreplace(put))
    return relation


def _quickly(prover: Prover, domain: Domain) -> Callable[[Expr, str], bool]:
    def prove(e: Expr, op: str) -> bool:
        return prover.solve(e, op, domain, (1, 2)) is not None

    return prove


def _difference(relation: Relation) -> Expr:
    return relation.lhs - relation.rhs


def _plain_domain(domain: Domain) -> tuple[Domain, dict[Symbol, Symbol]]:
    """The domain in plain symbols, evaluated; strangers to the ranges that their names carry."""
    changes: dict[Symbol, Symbol] = {}
    for v in domain.variables:
        kind = {"integer": True} if domain.bounds[v].integer else {"real": True}
        changes[v] = Symbol(v.name, **kind)
    moved = domain.map(lambda e: evaluated(e, changes), changes)
    conditions = moved.conditions
    base = Domain(moved.variables, moved.bounds, ())
    return base.with_conditions(*conditions), changes


def _eliminated(domain: Domain, prover: Prover) -> tuple[Domain, list[tuple[Symbol, Expr]]]:
    """Solve equalities that are linear in a variable and put the solution in everywhere."""
    done: list[tuple[Symbol, Expr]] = []
    for _ in range(len(domain.variables)):
        step = _one_elimination(domain, prover)
        if step is None:
            break
        v, e, domain = step
        done.append((v, e))
    return domain, done


def _one_elimination(domain: Domain, prover: Prover) -> tuple[Symbol, Expr, Domain] | None:
    for relation in domain.conditions:
        if relation.op != "==" or sympy.count_ops(relation.lhs - relation.rhs) > 60:
            continue
        difference = sympy.expand(relation.lhs - relation.rhs)
        for v in sorted(difference.free_symbols & set(domain.variables), key=lambda s: s.name):
            if domain.bounds[v].integer:
                continue
            a = sympy.diff(difference, v)
            if v in a.free_symbols:
                continue
            b = sympy.expand(difference - a * v)
            if not (a.is_Rational and a != 0):
                rest = Domain(
                    domain.variables,
                    domain.bounds,
                    tuple(c for c in domain.conditions if c != relation),
                )
                if prover.prove(a, "!=", rest, 0) is None:
                    continue
            solution = sympy.cancel(-b / a) if not b.atoms(sympy.Function) else -b / a
            if v in solution.free_symbols:
                continue

            def put(e: Expr, v: Symbol = v, solution: Expr = solution) -> Expr:
                return e.xreplace({v: solution})

            conditions = [c.map(put) for c in domain.conditions if c != relation]
            for own in domain.bounds[v].relations(v):
                conditions.append(own.map(put))
            bounds = {}
            for w in domain.variables:
                if w == v:
                    continue
                b_w = domain.bounds[w]
                touched = any(e is not None and v in e.free_symbols for e in (b_w.lower, b_w.upper))
                if touched:
                    conditions += [r.map(put) for r in b_w.relations(w)]
                    bounds[w] = Bounds(integer=b_w.integer)
                else:
                    bounds[w] = b_w
            kept = Domain(tuple(w for w in domain.variables if w != v), bounds, ())
            return v, solution, kept.with_conditions(*(c for c in conditions if not _trivial(c)))
    return None


def _trivial(relation: Relation) -> bool:
    return bool(relation.lhs.is_Rational and relation.rhs.is_Rational)


def _contradictory(domain: Domain, deadline: Deadline) -> bool:
    clean, _ = _plain_domain(domain)
    integers = tuple(v for v in clean.variables if clean.bounds[v].integer)
    proof = smt.prove(
        (sympy.S.NegativeOne, ">"),
        hypotheses(clean),
        integers=integers,
        seconds=deadline.part(2.0),
        axioms=True,
    )
    return proof is not None


def _prove_relation(
    relation: Relation, domain: Domain, deadline: Deadline, task: Task, shared: Memory
) -> Proof | None:
    case = _Case([relation], domain, task, deadline, shared=shared)
    clean = _plain_domain(domain)
    prover = case._prover()
    try:
        relation = relation.map(lambda e: case._integrated(e, prover, clean))
    except Open:
        return None
    return case._proof([relation], prover, clean, DEPTHS)


def _decide_limit(
    f: Expr, limit: Expr, n: Symbol, domain: Domain, task: Task, deadline: Deadline
) -> Evidence:
    """Decide ``f -> limit`` as n grows, by rules whose limits are certain."""
    point = Sampler(domain, task.seed).some()
    if point is None:
        return Evidence(Verdict.UNDECIDED, reason="no point of the domain was found")
    sample = tuple((v.name, short(point[v])) for v in domain.variables)
    clean, changes = _plain_domain(domain)
    prover = Prover(RUNGS, deadline, task.seed, task.by)
    try:
        needed = [o for side in (f, limit) for o in obligations(side)]
    except NotUnderstood as why:
        return Evidence(Verdict.UNDECIDED, reason=str(why))
    for obligation in needed:
        relation = _rebuilt(obligation.relation, changes)
        if prover.solve(_difference(relation), relation.op, clean) is None:
            return Evidence(
                Verdict.UNDECIDED,
                reason=f"not shown to be defined: {obligation.why}, {obligation.relation}",
                sample=sample,
            )
    goal = renamed(Goal(evaluated(f, changes) - evaluated(limit, changes), "==", clean))
    names = {v.name: v for v in goal.domain.variables}
    signed = {v: names.get(v.name, v) for v in clean.variables}
    outcome, found = tends_to(
        evaluated(f, {**changes, **{old: signed[new] for old, new in changes.items()}}),
        evaluated(limit, {**changes, **{old: signed[new] for old, new in changes.items()}}),
        signed[changes[n]],
        goal.domain,
        prover.positive_on(goal.domain),
    )
    if outcome == "proved":
        return Evidence(
            Verdict.PROVED,
            method="calculus",
            trusted=(ALGEBRA, "limits of rational functions", "1 - 1/u <= log(u) <= u - 1"),
            steps=(found,),
            sample=sample,
        )
    if outcome == "refuted":
        return Evidence(
            Verdict.REFUTED,
            method="limit",
            trusted=(ALGEBRA,),
            counterexample=Counterexample((), note=found),
            sample=sample,
        )
    if outcome == "different":
        for trial in Sampler(domain, task.seed).simple(10):
            exact = {signed[changes[v]]: x for v, x in trial.items()}
            value = sympify(found, locals={v.name: v for v in exact})
            if (
                compare_at(
                    value, "!=", evaluated(limit, {o: signed[w] for o, w in changes.items()}), exact
                )
                is True
            ):
                where = tuple((v.name, short(x)) for v, x in trial.items() if v != n)
                return Evidence(
                    Verdict.REFUTED,
                    method="limit",
                    trusted=(ALGEBRA, "Arb"),
                    counterexample=Counterexample(where, note=f"the limit is {found}"),
                    sample=sample,
                )
    return Evidence(Verdict.UNDECIDED, reason=found, sample=sample)
