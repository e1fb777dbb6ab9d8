"""Try a statement without a proof: at points, by examples of unknown functions, by draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy
from sympy import Expr

from dpbook.engine.language.arrays import np
from dpbook.engine.language.budget import Deadline, TimeUp, alarm
from dpbook.engine.language.domain import DomainError, RangedSymbol, with_ranges
from dpbook.engine.language.statement import (
    Both,
    Eventually,
    Exists,
    ForAll,
    Noted,
    Order,
    Recurrence,
    Relation,
    Statistical,
    Tree,
    unfold_definitions,
)
from dpbook.engine.language.task import Task, free_symbols
from dpbook.engine.language.verdict import Counterexample, Evidence, Verdict
from dpbook.engine.prove.large_values import refuse_bounded
from dpbook.engine.refute import finite_models, recurrences
from dpbook.engine.refute.cases import Cases
from dpbook.engine.refute.finite_models import has_unknown

EXAMPLES = 3.0  # times the time limit for examples of unknown functions
OPEN = "neither proved nor refuted"
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
            return self._by_examples()
        with alarm(task.time_limit + 0.4):
            if isinstance(form, Recurrence):
                return self._followed(form)
            refuse_bounded(task)
            tree, given = instance(task)
            deadline = Deadline.after(task.time_limit)
            self.cases = Cases(tree, given, task.seed, deadline, task.candidates)
            return self._as_refutation(self.cases.quick())

    def few(self) -> Evidence | None:
        """Return a counterexample among a few drawn points."""
        return None if self.cases is None else self._within(self.cases, self.cases.few)

    def thorough(self) -> Evidence | None:
        """Return a counterexample among far points and many drawn ones."""
        if self.cases is None or not isinstance(self.task.form, ForAll):
            return None
        return self._within(self.cases, self.cases.thorough)

    def _within(self, cases: Cases, stage: Callable[[], Evidence | None]) -> Evidence | None:
        """Return the counterexample of a stage, if it has one within the time limit."""
        try:
            with alarm(self.task.time_limit + 0.4):
                cases.allow(Deadline.after(self.task.time_limit))
                return self._as_refutation(stage())
        except TimeUp:  # the evidence so far stands
            return None

    def seen(self) -> Evidence:
        """Return the evidence so far, where nothing refutes the statement."""
        if self.examples is not None:
            return self.examples
        if self.cases is None:
            return Evidence(Verdict.UNDECIDED, reason=OPEN)
        evidence = self.cases.seen()
        if self.doubt or isinstance(self.task.form, (Eventually, Order)):
            return Evidence(Verdict.UNDECIDED, reason=self.doubt or OPEN, sample=evidence.sample)
        return evidence

    def _as_refutation(self, found: Evidence | None) -> Evidence | None:
        """Return a counterexample to the statement; for an instance of it, only note a doubt."""
        form = self.task.form
        if found is None or isinstance(form, ForAll):
            return found
        if isinstance(form, Exists):
            self.doubt = f"the witness fails at {found.counterexample}; another one may do"
        elif isinstance(form, Eventually):
            self.doubt = "it fails at some points, and its limit is open"
        else:
            self.doubt = "no constant found"
        return None

    def _followed(self, form: Recurrence) -> Evidence | None:
        deadline = Deadline.after(self.task.time_limit)
        found = recurrences.refuted(form, self.task.given, self.task.seed, deadline)
        if found is None:
            return None
        return Evidence(
            Verdict.REFUTED,
            method="point",
            trusted=("exact arithmetic and Arb",),
            counterexample=found,
            sample=found.point,
        )

    def _by_examples(self) -> Evidence | None:
        with alarm(EXAMPLES * self.task.time_limit):
            self.examples = finite_models.decided(
                *(self.task.form, self.task.given, self.task.seed, self.task.candidates),
                most=finite_models.REPEATED if self.task.repeats else None,
            )
        return self.examples if self.examples.verdict is Verdict.REFUTED else None


def instance(task: Task) -> tuple[Tree, Sequence[Tree]]:
    """Return a statement for all values, and its conditions, that shows a task's statement.

    If the statement has a witness, a threshold or a constant, it is the statement at these.
    """
    form, given = task.form, list(task.given)
    if isinstance(form, ForAll):
        return form.tree, given
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
        if isinstance(symbol, RangedSymbol):
            ranges += [relation.map(put) for relation in symbol.range.relations(symbol)]
            if symbol.integer and not value.is_integer:
                ranges.append(Relation(sympy.floor(value), "==", value))
    others = with_ranges({*free_symbols(form), *(s for t in given for s in free_symbols(t))})
    for other in sorted(others - bound, key=str):
        if isinstance(other, RangedSymbol):  # its range may hold a bound symbol
            ranges += [
                relation.map(put)
                for relation in other.range.relations(other)
                if relation.map(unfold_definitions).free_symbols & bound
            ]
    about = [t for t in given if free_symbols(t) & bound]
    assumed = [t for t in given if t not in about]
    return Both((form.relation.map(put), *ranges, *(t.map(put) for t in about))), assumed


def _drawn(form: Statistical, seed: int) -> Evidence:
    """Test a random procedure by draws, which never prove a statement about it."""
    p_value = float(form.test(np.random.default_rng(seed), form.size))
    stated = f"p = {p_value:.3g} with {form.size} draws, two-sided error {form.error:g}"
    if p_value < form.error:
        return Evidence(
            Verdict.REFUTED,
            method="statistical",
            trusted=("a two-sided test",),
            counterexample=Counterexample((), note=stated),
        )
    return Evidence(
        Verdict.SUPPORTED,
        method="statistical",
        margin=stated,
        reason="a random procedure is never proved by drawing from it",
    )
