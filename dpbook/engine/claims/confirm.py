"""Confirm the record without a search: a counterexample at its point, a proof at an example."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy import Expr

from dpbook.engine.language.budget import Deadline, attempt
from dpbook.engine.language.domain import case_domains, collected
from dpbook.engine.language.function_symbols import has_unknown
from dpbook.engine.language.statement import (
    Exists,
    Extreme,
    ForAll,
    evaluated,
    free_in,
    unfold_definitions,
)
from dpbook.engine.language.task import Task
from dpbook.engine.language.verdict import Counterexample, Evidence, Verdict, failing_at
from dpbook.engine.prove.proofs import Entry, Replay, checked, words
from dpbook.engine.prove.refutation_sequents import coordinate, note_of
from dpbook.engine.refute.search import Refuter
from dpbook.engine.refute.trial import Trial, clauses, point_of
from dpbook.engine.run.decide import known_point, refuted_at, refuted_at_example, tried
from dpbook.kernel.errors import Rejected

OPEN = "the point on record does not refute it"
SECONDS = 10.0  # of work for one point: a net; after this time the statement is searched


@dataclass(frozen=True)
class Confirm:
    """Hold a statement and the point at which it fails according to the record.

    Attributes
    ----------
    task : Task
    point : tuple of (name, exact value as text)
        Empty if a statement of existence fails for every value.
    entry : mapping, optional
        The sequent of the failure with the certificate on record, for the kernel.
    """

    task: Task
    point: tuple[tuple[str, str], ...]
    entry: Entry | None = None
    time_limit: float = SECONDS

    def run(self) -> Evidence:
        """Evaluate at the point; the evidence is undecided if the statement may hold there."""
        if has_unknown(self.task.form, self.task.given):
            drawn = tried(self.task)  # examples come in a fixed order
            refuted = None if drawn.counterexample else refuted_at_example(self.task)
            return drawn if refuted is None else refuted
        form = self.task.form
        bounded = isinstance(form, Extreme) and form.bound(self.task.given).name in dict(self.point)
        if isinstance(form, Extreme) and not bounded:  # it fails at a point of the set
            there, under = ForAll(form.at_points()), (*self.task.given, *form.conditions)
            return replace(self, task=replace(self.task, form=there, given=under)).run()
        if self.entry is None:
            return self._evaluated()
        try:
            trust = checked(self.entry, {})
        except Rejected as error:
            evidence = self._evaluated()
            return replace(evidence, certificate={"rejected": str(error)})
        if isinstance(self.task.form, ForAll):
            evidence = self._evaluated()
        elif isinstance(self.task.form, Exists) and point_of(self.task) is None:
            return Evidence(Verdict.UNDECIDED, reason=OPEN)  # the domain may have no points
        else:
            evidence = Evidence(Verdict.UNDECIDED)
        if evidence.verdict is not Verdict.REFUTED:
            note = note_of(self.task.form, self.entry["sequent"].get("given", ())[-1:], self.point)
            found = Counterexample(self.point, note=note)
            evidence = Evidence(
                Verdict.REFUTED, method="point", counterexample=found, sample=self.point
            )
        proof = {name: self.entry[name] for name in ("sequent", "certificate", "point")}
        return replace(evidence, trusted=words(trust), certificate={"proof": proof})

    def _evaluated(self) -> Evidence:
        values = {name: exact(value) for name, value in self.point}
        known = {name: value for name, value in values.items() if value is not None}
        if not isinstance(self.task.form, ForAll):
            return Evidence(Verdict.UNDECIDED, reason="only a search follows a sequence")
        found = None
        with attempt(self.time_limit):
            found = self._direct(known) if len(known) == len(values) else None
        if found is None and all(value.is_Rational for value in known.values()):
            return self._tried_first(known)
        if found is None:
            return Evidence(Verdict.UNDECIDED, reason=OPEN)
        return failing_at(found, self.point)

    def _direct(self, values: dict[str, Expr]) -> Counterexample | None:
        assert isinstance(self.task.form, ForAll)
        given = [tree.map(unfold_definitions) for tree in self.task.given]
        tree = self.task.form.tree.map(unfold_definitions)
        for relations in clauses(tree):
            for domain in case_domains(collected([*relations, *given]), given):
                found = Refuter(relations, domain, 0, Deadline.after(0.0)).at(values)
                if found is not None:
                    return found
        return None

    def _tried_first(self, values: dict[str, Expr]) -> Evidence:
        """Try few points, and the given point first."""
        found = self._quick(candidates=(values,))
        if found is None and self.entry is not None:  # the kernel accepts that it fails there
            found = self._sides(values)
        elif found is None:
            found = refuted_at(self.task, self.point, self.time_limit)
        return Evidence(Verdict.UNDECIDED, reason=OPEN) if found is None else found

    def _sides(self, values: dict[str, Expr]) -> Evidence | None:
        """Compute both sides where integrals have a value at the point alone."""
        assert isinstance(self.task.form, ForAll)

        def put(e: Expr) -> Expr:
            with sympy.evaluate(False):
                plain = unfold_definitions(e)
                return plain.xreplace(
                    {s: values[s.name] for s in free_in(plain) if s.name in values}
                )

        there = ForAll(self.task.form.tree.map(put))
        found = self._quick(form=there, given=(), candidates=())
        if found is None or found.counterexample is None:
            return None
        shown = replace(found.counterexample, point=self.point)
        return replace(found, counterexample=shown, sample=self.point, reason="")

    def _quick(self, **changes: Any) -> Evidence | None:
        """Try few points of the task with some changes, without lemmas and steps."""
        task = replace(self.task, **changes, using=(), proof=(), time_limit=self.time_limit)
        with attempt(2 * SECONDS):
            return Trial(task).quick()
        return None


@dataclass(frozen=True)
class WithExample:
    """Hold a proof on record if the kernel cannot evaluate the conditions at a point.

    Attributes
    ----------
    task : Task
        The statement, to find an example that satisfies its conditions: without an example a proof
        may be vacuous.
    replay : Replay
    """

    task: Task
    replay: Replay
    time_limit: float = float("inf")  # the search for examples and the kernel count their work

    def run(self) -> Evidence:
        """Find an example and check the proof; undecided without an example or a checked proof."""
        point = known_point(self.task)
        if point is None:
            return Evidence(Verdict.UNDECIDED, reason="no example satisfies the conditions")
        return replace(self.replay, entry={**self.replay.entry, "sample": dict(point)}).run()


def exact(text: str) -> Expr | None:
    """Return an exact number in a counterexample; None if the text is not a number."""
    written = coordinate(text)
    number = None if written is None else evaluated(written)
    return number if number is not None and not number.free_symbols else None
