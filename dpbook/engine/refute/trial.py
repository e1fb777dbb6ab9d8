"""Try a statement without a proof: at points, by examples of unknown functions, by draws.

At points each of its clauses is tried, on each conjunctive domain of its conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

import sympy
from sympy import Expr, Integral, Symbol

from dpbook.engine.evaluate.exact_points import SHOWN, digits_of, known_at
from dpbook.engine.evaluate.known import Known
from dpbook.engine.evaluate.sampler import Point, Sampler, as_sympy, short
from dpbook.engine.language.arrays import np
from dpbook.engine.language.budget import Deadline, TimeUp, alarm
from dpbook.engine.language.definedness import NotUnderstood, obligations
from dpbook.engine.language.domain import (
    MOST_CASES,
    Domain,
    DomainError,
    RangedSymbol,
    case_domains,
    collected,
    normal_form,
    range_of,
    with_ranges,
)
from dpbook.engine.language.function_symbols import has_unknown
from dpbook.engine.language.statement import (
    Both,
    Eventually,
    Every,
    Exists,
    Extreme,
    ForAll,
    Noted,
    Order,
    Recurrence,
    Relation,
    Statistical,
    Tree,
    evaluated,
    unfold_definitions,
)
from dpbook.engine.language.task import Task, free_symbols
from dpbook.engine.language.verdict import Counterexample, Evidence, Verdict, failing_at, weakest
from dpbook.engine.prove.large_values import refuse_bounded
from dpbook.engine.refute import finite_models, recurrences
from dpbook.engine.refute.closed_forms import closed
from dpbook.engine.refute.search import Refuter

EXAMPLES = 3.0  # times the time limit for examples of unknown functions
OPEN = "neither proved nor refuted"
DIGITS = 12  # of two sides that are the same as far as is seen
VALUES = 0.75  # part of the time limit for values of integrals, before points are tried
EQUALITIES = (["=="], ["<="], [">="])  # alternatives that hold where both sides are the same
THRESHOLD = 10**8  # threshold at which a statement about large values is tried, where it names none


class Trial:
    """Represent the trial of a statement in stages, with time for a proof between them."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.cases: Cases | None = None
        self.examples: Evidence | None = None
        self.doubt = ""  # why a failing point refutes nothing

    def run(self) -> Evidence:
        """Try all stages, and return the evidence."""
        for stage in (self.quick, self.few, self.thorough):
            found = stage()
            if found is not None:
                return found
        return self.seen()

    def quick(self) -> Evidence | None:
        """Return evidence that settles the statement at once; None where nothing settles it.

        Raises
        ------
        DomainError
            When an index is bounded, or a witness uses a bound symbol.
        """
        form, task = self.task.form, self.task
        if isinstance(form, Noted):
            return Evidence(Verdict.NOTED, reason=form.why)
        if isinstance(form, Statistical):
            return _drawn(form, task.seed)
        if has_unknown(form, task.given):
            most = finite_models.REPEATED if task.repeats else None
            with alarm(EXAMPLES * task.time_limit):
                self.examples = finite_models.decided(
                    form, task.given, task.seed, task.candidates, most
                )
            return self.examples if self.examples.verdict is Verdict.REFUTED else None
        with alarm(task.time_limit + 0.4):
            if isinstance(form, Recurrence):
                deadline = Deadline.after(task.time_limit)
                failing = recurrences.refuted(form, task.given, task.seed, deadline)
                return None if failing is None else failing_at(failing, failing.point)
            if isinstance(form, (Eventually, Order)):
                refuse_bounded(task)
            self.cases = Cases(task, Deadline.after(task.time_limit))
            return self._as_refutation(self.cases.first(Refuter.quick))

    def few(self) -> Evidence | None:
        """Return a counterexample among a few drawn points."""
        return self._within(Refuter.few)

    def thorough(self) -> Evidence | None:
        """Return a counterexample among far points and many drawn ones."""
        shown = isinstance(self.task.form, (ForAll, Extreme))
        return self._within(Refuter.thorough) if shown else None

    def _within(self, stage: Callable[[Refuter], Counterexample | None]) -> Evidence | None:
        """Return the counterexample of a stage, if it has one within the time limit."""
        if self.cases is None:
            return None
        with suppress(TimeUp), alarm(self.task.time_limit + 0.4):  # the evidence so far stands
            self.cases.allow(Deadline.after(self.task.time_limit))
            return self._as_refutation(self.cases.first(stage))
        return None

    def seen(self) -> Evidence:
        """Return the evidence so far, where nothing refutes the statement."""
        if self.examples is not None:
            return self.examples
        if self.cases is None:
            return Evidence(Verdict.UNDECIDED, reason=OPEN)
        evidence = self.cases.seen()
        if self.doubt or isinstance(self.task.form, (Eventually, Order, Extreme)):
            return Evidence(Verdict.UNDECIDED, reason=self.doubt or OPEN, sample=evidence.sample)
        return evidence

    def agrees(self) -> bool:
        """Say whether a statement compares numbers that have the same first digits."""
        cases = [] if self.cases is None else [c for _, here in self.cases.parts for c in here]
        return bool(cases) and all(case.shared for case in cases)

    def _as_refutation(self, found: Evidence | None) -> Evidence | None:
        """Return a counterexample to the statement; for an instance of it, only note a doubt."""
        form = self.task.form
        if found is None or isinstance(form, (ForAll, Extreme)):
            return found
        if isinstance(form, Exists):
            self.doubt = f"the witness fails at {found.counterexample}; another one may do"
        elif isinstance(form, Eventually):
            self.doubt = "it fails at some points, and its limit is open"
        else:
            self.doubt = "no constant found"
        return None


def instance(task: Task) -> tuple[Tree, Sequence[Tree]]:
    """Return a statement for all values, and its conditions, that shows a task's statement.

    If the statement has a witness, a threshold or a constant, it is the statement at these.
    """
    form, given = task.form, list(task.given)
    if isinstance(form, ForAll):
        return form.tree, given
    if isinstance(form, Extreme):
        return form.at_points(), [*given, *form.conditions]
    if isinstance(form, Exists):
        return _with_witness(form, given)
    assert isinstance(form, (Eventually, Order))
    threshold = sympy.Integer(THRESHOLD) if form.threshold is None else form.threshold
    beyond = [*given, Relation(form.index, ">=", threshold)]
    if isinstance(form, Eventually):
        return form.relation, beyond
    with sympy.evaluate(False):
        constant = sympy.Integer(100) if form.constant is None else form.constant
        bound = sympy.Mul(constant, sympy.Abs(form.g))
        return Relation(sympy.Abs(form.f), "<=", bound), beyond


def _with_witness(form: Exists, given: Sequence[Tree]) -> tuple[Tree, list[Tree]]:
    """Put the witness in: it must lie in its range, meet the conditions and the relation.

    Conditions without a bound symbol are assumed; the others are to be proved for the witness.
    """
    bound = {symbol for symbol, _ in form.witness}
    for symbol, value in form.witness:
        if unfold_definitions(value).free_symbols & bound:
            raise DomainError(
                f"the witness of {symbol} must not use a symbol that is bound, got {value}"
            )

    def put(e: Expr) -> Expr:
        with sympy.evaluate(False):
            return unfold_definitions(e).xreplace(dict(form.witness))

    ranges: list[Tree] = []
    for symbol, value in form.witness:
        ranges += [relation.map(put) for relation in range_of(symbol)]
        if isinstance(symbol, RangedSymbol) and symbol.integer and not value.is_integer:
            ranges.append(Relation(sympy.floor(value), "==", value))
    others = with_ranges({*free_symbols(form), *(s for t in given for s in free_symbols(t))})
    for relation in (r for other in sorted(others - bound, key=str) for r in range_of(other)):
        if relation.map(unfold_definitions).free_symbols & bound:
            ranges.append(relation.map(put))
    about = [t for t in given if free_symbols(t) & bound]
    assumed = [t for t in given if t not in about]
    return Both((form.relation.map(put), *ranges, *(t.map(put) for t in about))), assumed


def _drawn(form: Statistical, seed: int) -> Evidence:
    """Test a random procedure by draws, which never prove a statement about it."""
    p_value = float(form.test(np.random.default_rng(seed), form.size))
    stated = f"p = {p_value:.3g} with {form.size} draws, two-sided error {form.error:g}"
    method = "statistical"
    if p_value < form.error:
        found = Counterexample((), note=stated)
        return Evidence(Verdict.REFUTED, method, ("a two-sided test",), counterexample=found)
    reason = "a random procedure is never proved by drawing from it"
    return Evidence(Verdict.SUPPORTED, method, margin=stated, reason=reason)


def point_of(task: Task) -> tuple[tuple[str, str], ...] | None:
    """Return an exact point of a statement's domain; None where no point is found."""
    if has_unknown(task.form, task.given):
        return finite_models.example_of(task.form, task.given, task.seed, task.candidates)
    previous = {task.form.previous} if isinstance(task.form, Recurrence) else set()
    given = [tree.map(unfold_definitions) for tree in task.given]
    symbols = collected([*(free_symbols(task.form) - previous), *given])
    for domain in case_domains(symbols, given):
        _, rest, values = _inlined([], domain)
        point = _some(Sampler(rest, task.seed), task.candidates, simplified=True)
        if point is not None:  # without variables it is empty
            named = [(v.name, short(point[v])) for v in rest.variables]
            exact: dict[Symbol, Any] = {v: as_sympy(x) for v, x in point.items()}
            if None not in exact.values():  # else a coordinate is a root without a closed form
                named += [(v.name, str(evaluated(e, exact))) for v, e in values]
            return tuple(named)
    return None


def _some(
    sampler: Sampler, candidates: Iterable[dict[str, Any]], simplified: bool = False
) -> Point | None:
    """Return a point that is drawn, or else one of some candidates."""
    point = sampler.some()
    if point is None:
        named = (sampler.named(candidate, simplified) for candidate in candidates)
        point = next((one for one in named if one is not None), None)
    return point


# --- at points ------------------------------------------------------------------------------------


class Case:
    """Hold alternatives of relations on one conjunctive domain, which are tried at points."""

    def __init__(
        self, relations: list[Relation], domain: Domain, task: Task, deadline: Deadline
    ) -> None:
        self.asked = domain
        self.relations, self.domain, self.defined_by = _inlined(relations, domain)
        self.trusted: tuple[str, ...] = ()
        if any(side.has(Integral) for r in self.relations for side in (r.lhs, r.rhs)):
            # an integral without a value is enclosed at points, which need time too
            seconds = VALUES * deadline.left
            values = closed(self.relations, self.domain.relations(), seconds)
            if values is not None:
                self.relations, self.trusted = values.relations, values.trusted
        self.point = _some(Sampler(self.domain, task.seed), task.candidates)
        self.refuter = Refuter(self.relations, self.domain, task.seed, deadline, task.candidates)

    def refuted(self, found: Counterexample | None) -> Evidence | None:
        """Return the evidence of a counterexample."""
        if found is None:
            return None
        named = (*found.point, *((v.name, str(e)) for v, e in self.defined_by))
        return failing_at(replace(found, point=named), self.sample, *self.trusted)

    @property
    def sample(self) -> tuple[tuple[str, str], ...]:
        """Return a point of the domain, as text; empty where no point is found."""
        if self.point is None:
            return ()
        return tuple((v.name, short(self.point[v])) for v in self.domain.variables)

    @cached_property
    def shared(self) -> str:
        """Return a number near which both sides of a relation of numbers are; empty where unknown."""
        if self.domain.variables or [r.op for r in self.relations] not in EQUALITIES:
            return ""
        (relation,) = self.relations
        left, right = (known_at(side, {}).ball for side in (relation.lhs, relation.rhs))
        if left is None or right is None or not left.overlaps(right):
            return ""
        known = min(left.rel_accuracy_bits(), right.rel_accuracy_bits()) >= SHOWN
        return digits_of(left, DIGITS) if known else ""

    def seen(self) -> Evidence:
        """Return the evidence of the points, where no point refutes."""
        if self.point is None:
            reason = "no point of the domain was found, so a proof might be vacuous"
            return Evidence(Verdict.UNDECIDED, reason=reason)
        seen, sample = self.refuter.seen, self.sample
        if seen.tried == 0:
            reason = "neither proved nor evaluated at any point"
            if self.shared:
                reason = f"{OPEN}; both sides are {self.shared} to {DIGITS} digits"
            elif not self.domain.variables:
                reason = f"{OPEN}; nothing varies in it"
            return Evidence(Verdict.UNDECIDED, reason=reason, sample=sample)
        if seen.doubt:
            return Evidence(Verdict.UNDECIDED, reason=f"{OPEN}; {seen.doubt}", sample=sample)
        # without variables there are no points, and nothing is close or far
        method, margin = ("points", seen.describe()) if self.domain.variables else ("value", "")
        return Evidence(Verdict.SUPPORTED, method=method, margin=margin, reason=OPEN, sample=sample)


class Cases:
    """Hold a tree of relations under conditions, which is tried at points.

    Attributes
    ----------
    parts : list of (Tree, list of Case)
        The parts of an `and` with their cases: each is a clause of the part's conjunctive normal
        form on a domain.
    """

    def __init__(self, task: Task, deadline: Deadline) -> None:
        tree, given = instance(task)
        conditions = [condition.map(unfold_definitions) for condition in given]
        self.parts: list[tuple[Tree, list[Case]]] = []
        for part in parts_of(tree.map(unfold_definitions)):
            here = [
                Case(relations, domain, task, deadline)
                for relations in clauses(part)
                for domain in case_domains(collected([*relations, *conditions]), conditions)
            ]
            self.parts.append((part, here))

    def drop(self, empty: Callable[[Domain], bool]) -> None:
        """Leave out domains without a found point that are shown to be empty.

        Raises
        ------
        DomainError
            When no domain is left of a part: its conditions contradict each other.
        """
        for place, (part, here) in enumerate(self.parts):
            kept = [case for case in here if case.point is not None or not empty(case.asked)]
            if not kept:
                raise DomainError(f"the conditions contradict each other: {here[0].asked}")
            self.parts[place] = (part, kept)

    def allow(self, deadline: Deadline) -> None:
        """Give all cases another deadline."""
        for case in (case for _, here in self.parts for case in here):
            case.refuter.deadline = deadline

    def first(self, stage: Callable[[Refuter], Counterexample | None]) -> Evidence | None:
        """Return the first counterexample that a stage of the search for it finds."""
        for part, case in ((part, case) for part, here in self.parts for case in here):
            found = None if case.point is None else case.refuted(stage(case.refuter))
            if found is not None:
                return replace(found, reason=f"the part {part}" if len(self.parts) > 1 else "")
        return None

    def seen(self) -> Evidence:
        """Return the evidence of the points, where no point refutes: the weakest of all cases."""
        found = [weakest(tuple(case.seen() for case in here)) for _, here in self.parts]
        weak = weakest(tuple(found))
        if len(found) == 1:
            return weak
        named = f"the part {self.parts[found.index(weak)][0]}"
        reason = named + (f": {weak.reason}" if weak.reason else "")
        return replace(weak, reason=reason, parts=tuple(found))


def parts_of(tree: Tree) -> list[Tree]:
    """Return the parts of an `and`, with the parts of an inner `and`.

    Another tree is its only part.
    """
    if isinstance(tree, Both) and not isinstance(tree, Every):
        return [inner for part in tree.parts for inner in parts_of(part)]
    return [tree]


def clauses(tree: Tree) -> list[list[Relation]]:
    """Return the conjunctive normal form of a tree: in each list one relation holds.

    Raises
    ------
    DomainError
        When it has too many clauses, or is about all values of a variable.
    """

    def refuse(every: Every) -> list[list[Relation]]:
        raise DomainError(f"move the part for all {every.variable} out of the `or`")

    why = f"`and` inside `or` splits into more than {MOST_CASES} parts; state fewer of them"
    return normal_form(tree, Both, refuse, why)


def _needed(e: Expr, known: Known) -> list[Relation] | None:
    """Return conditions for an expression to be defined, except plain ones; None where unknown."""
    try:
        found = obligations(e)
    except NotUnderstood:
        return None
    rest = [o for o in found if not known.holds(o.relation)]
    if any(o.variables or o.conditions or not o.exact for o in rest):
        return None
    return [o.relation for o in rest]


def _inlined(
    relations: list[Relation], domain: Domain
) -> tuple[list[Relation], Domain, list[tuple[Symbol, Expr]]]:
    """Replace a symbol by the expression that a condition ``symbol == expression`` gives.

    This is done where the expression is not rational.
    """
    for relation in domain.conditions:
        found = _symbol_in(relation, domain)
        if found is None:
            continue
        v, e = found
        # the condition itself would say that its sides have a value, and it is left out below
        rest = tuple(c for c in domain.conditions if c is not relation)
        needed = _needed(e, Known(replace(domain, conditions=rest)))
        kept = tuple(w for w in domain.variables if w != v)
        bounds = {w: domain.bounds[w] for w in kept}
        ranges = [r for w in kept for r in bounds[w].relations(w)]
        if needed is None or any(v in r.free_symbols for r in ranges):
            continue

        def put(x: Expr, symbol: Symbol = v, value: Expr = e) -> Expr:
            with sympy.evaluate(False):
                return x.xreplace({symbol: value})

        conditions = (c.map(put) for c in (*rest, *domain.bounds[v].relations(v)))
        relations = [r.map(put) for r in relations]
        relations, domain, done = _inlined(relations, Domain(kept, bounds, (*conditions, *needed)))
        for w, x in done:
            e = put(e, w, x)
        return relations, domain, [(v, e), *done]
    return relations, domain, []


def _symbol_in(relation: Relation, domain: Domain) -> tuple[Symbol, Expr] | None:
    """Return a symbol of the domain and the expression, not rational, that is equal to it."""
    for v, e in ((relation.lhs, relation.rhs), (relation.rhs, relation.lhs)):
        real = v in domain.bounds and not domain.bounds[v].integer
        explicit = relation.op == "==" and v not in e.free_symbols
        if real and explicit and not e.is_rational_function(*e.free_symbols):
            return v, e
    return None
