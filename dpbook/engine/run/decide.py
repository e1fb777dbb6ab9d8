"""Decide a statement: by a counterexample, or by a certificate that the kernel accepts.

It is first looked for among the axioms. Then come few and simple points, or examples of unknown
functions; a short search for a certificate; many points; the whole search. A statement that is
neither proved nor refuted is supported by the points or examples that were tried.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpbook.engine.language.budget import SHORT, TimeUp, alarm, attempt
from dpbook.engine.language.definedness import NotUnderstood, Obligation, obligations
from dpbook.engine.language.errors import LIBRARY_ERRORS, of_a_library
from dpbook.engine.language.function_symbols import has_unknown
from dpbook.engine.language.statement import (
    Eventually,
    Extreme,
    ForAll,
    Order,
    Recurrence,
    Relation,
    unfold_definitions,
)
from dpbook.engine.language.task import Certified, Task, expressions_of
from dpbook.engine.language.terms import Untranslatable
from dpbook.engine.language.verdict import Counterexample, Evidence, Verdict
from dpbook.engine.language.verdict import failing_at as at_a_point
from dpbook.engine.prove.certify import Found, certify, certify_failure, holds_at
from dpbook.engine.prove.proofs import METHOD, words
from dpbook.engine.prove.refutation_sequents import kernel_point, note_of
from dpbook.engine.prove.tactics.core import first
from dpbook.engine.prove.tactics.strategy import FIRST, STATED, Tactics
from dpbook.engine.refute.author_examples import METHOD as AT_EXAMPLE
from dpbook.engine.refute.author_examples import Told, example_point, failing_at
from dpbook.engine.refute.bounds import other_bounds
from dpbook.engine.refute.limits_of_quotients import decided_limit
from dpbook.engine.refute.trial import Trial, point_of
from dpbook.kernel import Rejected
from dpbook.kernel.files.sequents import sequent_from_json

FAILURES = (Untranslatable, Rejected)  # of a search
ALONE = 0.2  # seconds of work before points are drawn; the search after them has the same tactics
FEW_NEEDS = 6  # conditions of a side that are looked at where a statement stays open
NOTHING = ForAll(Relation(sympy.S.Zero, ">", sympy.S.Zero))  # contradictory conditions show it


def answered(task: Any) -> Any:
    """Decide a statement, or try it at points only; another task has its own method `run`."""
    if isinstance(task, Certified):
        return decided(task)
    return tried(task) if isinstance(task, Task) else task.run()


def refuted_at(task: Task, point: Told, net: float) -> Evidence | None:
    """Return evidence that a statement fails at a point: a certificate that the kernel accepts."""
    return _Decision(Certified(task, {}, net=net)).refuted_at(point)


def tried(task: Task) -> Evidence:
    """Try to refute a task, and search for no certificate; otherwise it is supported at most."""
    return _timed(task, Trial(task).run)


def decided(wanted: Certified) -> Evidence:
    """Decide a task: search for a counterexample, and for a certificate.

    Raises
    ------
    DomainError
        When the conditions contradict each other.
    """
    return _timed(wanted.task, _Decision(wanted).run)


def glanced(task: Task, budget: int, depths: tuple[int, ...], seconds: float) -> Evidence:
    """Decide a task by few points and one short search, within some seconds of work.

    Raises
    ------
    DomainError
        When the conditions contradict each other.
    """
    decision = _Decision(Certified(task, {}, budget, depths, seconds))

    def run() -> Evidence:
        try:
            with alarm(seconds):
                return decision.glance()
        except TimeUp:
            return decision.trial.seen()

    return _timed(task, run)


def _timed(task: Task, run: Callable[[], Evidence]) -> Evidence:
    started, why = time.perf_counter(), ""
    try:
        evidence = run()
    except TimeUp:
        why = f"no decision within {task.time_limit:g} s"
    except RecursionError:
        why = "the statement is nested too deeply"
    except LIBRARY_ERRORS as error:
        if not of_a_library(error):
            raise
        why = f"a library failed: {type(error).__name__}: {str(error)[:200]}"
    if why:
        evidence = Evidence(Verdict.UNDECIDED, reason=why)
    return replace(evidence, seconds=time.perf_counter() - started)


class _Decision:
    """Represent one statement on its way to a verdict."""

    def __init__(self, wanted: Certified) -> None:
        self.wanted, self.task = wanted, wanted.task
        self.trial = Trial(wanted.task)
        self.lemmas = {key: sequent_from_json(data) for key, data in wanted.lemmas.items()}

    def glance(self) -> Evidence:
        """Decide by few points and one search."""
        trial = self.trial
        stages = (trial.quick, self._refuse_contradictions, trial.few, self._searched)
        found = first(stage() for stage in stages)
        return trial.seen() if found is None else found

    def run(self) -> Evidence:
        found = first(stage() for stage in self._stages())
        return self._open() if found is None else found

    def _stages(self) -> Iterator[Callable[[], Evidence | None]]:
        """Yield the stages that may settle the statement, cheap stages first."""
        searched = not (self.task.proof or self.task.repeats)
        alone = searched and isinstance(self.task.form, ForAll) and not self.task.using
        if alone:
            yield partial(self._certified, *SHORT[:2], ALONE, STATED)
        yield self._at_once
        yield self._refuse_contradictions
        if alone:
            yield partial(self._certified, *SHORT[:2], ALONE, FIRST)
        yield lambda: self._with_certificate(self.trial.few())
        if searched:
            growing = isinstance(self.task.form, (Eventually, Order))  # with many thresholds each
            yield partial(self._certified, *SHORT[:2], self.wanted.net if growing else SHORT[2])
        yield lambda: self._with_certificate(self.trial.thorough())
        if isinstance(self.task.form, Extreme):  # a smaller bound is shown sooner than none found
            yield self._refuted_by_kernel
        yield self._searched
        yield self._refuted_by_kernel
        yield self._refuted_limit

    def _at_once(self) -> Evidence | None:
        try:
            found = self.trial.quick()
        except TimeUp:  # a proof may take less
            return None
        return self._with_certificate(found)

    # --- a proof ----------------------------------------------------------------------------------

    def _searched(self) -> Evidence | None:
        return self._certified(self.wanted.budget, self.wanted.depths, self.wanted.net)

    def _certified(
        self, budget: int, depths: tuple[int, ...], net: float, alone: Tactics = ()
    ) -> Evidence | None:
        """Return the proof that a search finds, if a point of the domain is known."""
        found = None
        with attempt(min(net, self.wanted.net), *FAILURES):
            found = certify(self.task, self.lemmas, budget, depths, alone)
        sample = None if found is None else known_point(self.task)
        if found is None or sample is None:  # without a point the proof might be vacuous
            return None
        return Evidence(
            Verdict.PROVED,
            method=METHOD,
            trusted=words(found.trust),
            sample=sample,
            certificate=found.proof(),
        )

    def _refuse_contradictions(self) -> None:
        """Refuse conditions that the kernel shows to contradict each other.

        Raises
        ------
        DomainError
            When they do.
        """
        if self.trial.cases is not None:
            self.trial.cases.drop(lambda d: _proves(Task(NOTHING, given=tuple(d.relations()))))

    # --- a refutation -----------------------------------------------------------------------------

    def _with_certificate(self, evidence: Evidence | None) -> Evidence | None:
        """Add a certificate to a counterexample, where one is found; a planted fault needs none."""
        if evidence is None or evidence.counterexample is None or self.task.repeats:
            return evidence
        if not (failing_there := self._failing(evidence.counterexample.point)):
            return evidence
        point, found = failing_there
        return replace(evidence, certificate=found.proof(point=point))

    def _refuted_by_kernel(self) -> Evidence | None:
        """Return evidence that a statement fails, by a certificate alone.

        At a proposed or simple point, the certificate decides terms that cannot be evaluated: an
        infinite sum, or an integral without ends. A statement of existence fails for every value, a
        statement about large values for every large value.
        """
        form = self.task.form
        if has_unknown(form, self.task.given):
            return refuted_at_example(self.task)
        if self.task.proof or self.task.repeats or isinstance(form, Recurrence):
            return None
        if isinstance(form, Extreme):
            return first(map(self.refuted_at, other_bounds(self.task)))
        if not isinstance(form, ForAll):
            return self.refuted_at(())
        if self.trial.seen().verdict is not Verdict.UNDECIDED or self.trial.agrees():
            return None
        proposed = [
            tuple(sorted((name, str(value)) for name, value in candidate.items()))
            for candidate in self.task.candidates
        ]
        points = [told for told in (*proposed, point_of(self.task)) if told is not None]
        return first(self.refuted_at(told) for told in points if not self._holds_at(told))

    def _holds_at(self, told: Told) -> bool:
        with attempt(SHORT[2], *FAILURES):
            return holds_at(self.task, kernel_point(told))
        return False

    def refuted_at(self, told: Told) -> Evidence | None:
        """Return evidence that the statement fails at a point, by a certificate alone."""
        if not (failing_there := self._failing(told)):
            return None
        point, found = failing_there
        note = note_of(self.task.form, found.sequent.hypotheses[-1:], told)
        return Evidence(
            Verdict.REFUTED,
            method="point",
            trusted=words(found.trust),
            counterexample=Counterexample(told, note=note),
            sample=told or point_of(self.task) or (),
            certificate=found.proof(point=point),
        )

    def _failing(self, told: Told) -> tuple[dict[str, str], Found] | None:
        """Return a point as kernel terms, and a certificate that the statement fails there."""
        with attempt(self.wanted.net, *FAILURES):
            point = kernel_point(told)
            found = certify_failure(self.task, point, self.wanted.budget, self.wanted.depths)
            return None if found is None else (point, found)
        return None

    def _refuted_limit(self) -> Evidence | None:
        form = self.task.form
        limited = isinstance(form, Order) and form.limit is not None and not form.endless
        if not limited or self.task.repeats:  # the rules are about limits that are numbers
            return None
        with alarm(self.wanted.net):
            return decided_limit(self.task, _proves)

    # --- neither ----------------------------------------------------------------------------------

    def _open(self) -> Evidence:
        evidence = self.trial.seen()
        if self.task.repeats or has_unknown(self.task.form, self.task.given):
            return evidence
        why = self._stuck() if self.task.proof else self._not_defined()
        return replace(evidence, reason=why) if why else evidence

    def _stuck(self) -> str:
        """Say which step of a written proof is refuted, or the first that is not shown."""
        for number, (title, step) in enumerate(self.task.proof, 1):
            there = replace(self.task, form=ForAll(step), proof=self.task.proof[: number - 1])
            shown = None
            with attempt(self.wanted.net, *FAILURES):
                trial = Trial(replace(there, proof=()))
                found = trial.quick() or trial.few()
                if found is not None and found.verdict is Verdict.REFUTED:
                    return f"step {number} ({title}) is refuted: {found.counterexample}"
                shown = certify(there, self.lemmas, self.wanted.budget, self.wanted.depths)
            if shown is None:
                return f"step {number} ({title}) is not shown"
        return ""

    def _not_defined(self) -> str:
        """Name a condition that a side needs to be defined, and that is not shown to hold."""
        form = self.task.form
        if not isinstance(form, ForAll):
            return ""
        needs: dict[Obligation, None] = {}
        with suppress(NotUnderstood):
            for side in expressions_of(form.tree.map(unfold_definitions)):
                needs |= dict.fromkeys(obligations(side))
        plain = [need for need in needs if not (need.variables or need.conditions)]
        for need in plain[:FEW_NEEDS]:
            shown = replace(self.task, form=ForAll(need.relation), using=())
            if not _proves(shown):
                return f"not shown to be defined: {need.why}, {need.relation}"
        return ""


def _proves(task: Task) -> bool:
    """Say whether a short search finds a certificate."""
    budget, depths, net = SHORT
    with attempt(net, *FAILURES):
        return certify(task, {}, budget, depths) is not None
    return False


def known_point(task: Task) -> Told | None:
    """Return a point that satisfies all conditions: the example of the task, or a found point.

    Raises
    ------
    ExampleError
        When the example is not shown to satisfy them.
    """
    return example_point(task, _shown) if task.example else point_of(task)


def refuted_at_example(task: Task) -> Evidence | None:
    """Return evidence that a statement with unknown functions fails at its example, if it does."""
    if not task.example or not has_unknown(task.form, task.given):
        return None
    point = known_point(task)
    failing_there = failing_at(task, _shown)
    if failing_there is None or point is None:
        return None
    return replace(at_a_point(failing_there, point), method=AT_EXAMPLE)


def _shown(task: Task) -> Evidence:
    return decided(Certified(task, {}))
