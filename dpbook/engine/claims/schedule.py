"""Decide claims in parallel, each after the claims that it uses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import sympy
from sympy import Expr

from dpbook.engine.claims import record, topics
from dpbook.engine.claims.catalog import closure, find
from dpbook.engine.claims.claim import Claim, ClaimError
from dpbook.engine.claims.confirm import Confirm, WithExample, exact
from dpbook.engine.claims.content import content_key, file_name
from dpbook.engine.claims.downgrade import downgraded, tested
from dpbook.engine.claims.lemmas import lemmas_of, lemmas_used, statement_of, usable
from dpbook.engine.claims.on_record import (
    as_on_record,
    is_proof_of_another,
    proof_on_record,
    supported_before,
    task_on_record,
)
from dpbook.engine.claims.record import Row
from dpbook.engine.claims.search_results import SearchResults, state
from dpbook.engine.language.statement import Noted
from dpbook.engine.language.task import Certified, Task
from dpbook.engine.language.verdict import Evidence, Verdict, from_json, to_json
from dpbook.engine.prove import proofs
from dpbook.engine.prove.proofs import Replay, kernel_checked
from dpbook.engine.run.workers import Pool, was_lost
from dpbook.kernel.errors import Rejected

Progress = Callable[[str], None]
Job = Task | Certified | Replay | WithExample | Confirm
WIDE = 3.0  # the factor of the time limit for a claim on record


class Stage(Enum):
    """Describe the stages of a claim on its way to evidence.

    A way begins at `ASKED` if a search is requested, else at `RECORD`. An answer ends the way, or
    leads on: from `ASKED` to `INSTEAD`, from `RECORD`, `REPEAT` and `INSTEAD` to `SEARCH`.
    """

    ASKED = "its proof is searched, whatever is on record"
    RECORD = "what is on record is replayed"
    REPEAT = "only what refutes it is looked for, as no proof was found before"
    INSTEAD = "what is on record is replayed, as the search found nothing"
    SEARCH = "it is searched, as nothing on record holds"


@dataclass
class Way:
    """Hold a claim on its way to evidence.

    Attributes
    ----------
    claim : Claim
    before : Row
        The row of the claim on record; empty if there is no row.
    stage : Stage
    needs : set of str
        Keys of the claims that this claim uses or corrects, and that have no evidence yet.
    rejected : str
        The reason why its proof on record does not count.
    recalled : bool
        Whether an earlier run has searched the claim.
    """

    claim: Claim
    before: Row
    stage: Stage
    needs: set[str]
    rejected: str = ""
    recalled: bool = False


def decide_all(
    claims: Sequence[Claim], *, jobs: int = 2, **settings: Any
) -> dict[str, tuple[Evidence, bool]]:
    """Decide claims in parallel, each after the claims that it uses.

    A proof on record is replayed, and a counterexample on record is confirmed. For a statement that
    is supported on record, only a counterexample is searched again: the record says that no proof
    was found. Any other claim, and each claim named in `search`, is searched, with a certificate
    for the kernel. If the search finds nothing, the proof or point on record stands if it holds. If
    the record of this same statement has no certificate, it is searched again with `certify` only,
    since this takes long. The result of a search is put into `found` at once, and a claim with a
    result there is not searched again.

    Parameters
    ----------
    claims : sequence of Claim
    jobs : int
    **settings
        The first fields of a `Schedule`.

    Returns
    -------
    dict
        For each key the evidence, and whether it was remembered.
    """
    return Schedule(**settings).run(closure(claims), jobs)


@dataclass
class Schedule:
    """Hold the claims of one run with their evidence, and the settings of the run."""

    use_cache: bool = True
    progress: Progress | None = None
    recorded: Mapping[str, Row] = field(default_factory=dict)  # the rows on record, by key
    search: Collection[str] = ()  # keys
    certify: bool = False
    found: SearchResults | None = None
    done: dict[str, tuple[Evidence, bool]] = field(default_factory=dict)
    ways: dict[str, Way] = field(default_factory=dict)  # of claims without evidence
    keys: dict[str, str] = field(default_factory=dict)  # hashes of content, each made once

    def run(self, ordered: Sequence[Claim], jobs: int) -> dict[str, tuple[Evidence, bool]]:
        """Decide claims that stand after the claims that they use."""
        for claim in ordered:
            self._begin(claim)
        waiting = list(self.ways.values())
        pool: Pool | None = None
        try:
            while waiting or (pool and pool.busy):
                ready = [way for way in waiting if not way.needs]
                while ready and (pool is None or pool.idle):
                    way = ready.pop(0)
                    waiting.remove(way)
                    task: Job | Evidence | ValueError = self._task(way)
                    if isinstance(task, (Replay, WithExample)) and jobs == 1:  # needs no worker
                        try:
                            task = task.run()
                        except ValueError as error:
                            task = error
                    if isinstance(task, (Evidence, ValueError)):
                        waiting[:0] = self._take(way, task)
                        continue
                    pool = pool or Pool(min(jobs, len(waiting) + 1), patience=WIDE)
                    pool.submit(way.claim.key, task)
                for key, answer in pool.wait() if pool else ():
                    waiting[:0] = self._take(self.ways[key], answer)
        finally:
            if pool:
                pool.close()
        return {claim.key: self.done[claim.key] for claim in ordered}

    def _begin(self, claim: Claim) -> None:
        """Take remembered evidence of a claim, or put the claim on its way to evidence."""
        if isinstance(claim.form, Noted):
            self._end(claim, Evidence(Verdict.NOTED, reason=claim.form.why), False)
            return
        key, stored, name = claim.key, None, file_name(claim)
        if self.use_cache and key not in self.search and record.remembers("claims", name):
            stored = record.recall("claims", name, self._content(claim))
            if self.certify and claim.topic not in record.topics() and not _on_proof(stored):
                stored = None  # no run has looked for a certificate of a user's claim yet
        if stored is not None:
            self._end(claim, from_json(stored), True)
            return
        needs = {other for other in (*claim.using, *claim.corrects) if other not in self.done}
        stage = Stage.ASKED if key in self.search else Stage.RECORD
        self.ways[key] = Way(claim, self.recorded.get(key, {}), stage, needs)

    def _content(self, claim: Claim) -> str:
        return content_key(claim, self.keys)

    def _task(self, way: Way) -> Job | Evidence:
        """Return the task of a stage, or of a later stage if nothing is on record.

        The result of an earlier run of the search stands in place of its task.
        """
        claim, before = way.claim, way.before
        if self.found is not None and way.stage is Stage.ASKED:
            answer = self.found.recall(claim.key, state(self._content(claim), before))
            way.recalled = answer is not None
            if answer is not None:
                return answer
        if way.stage in (Stage.RECORD, Stage.INSTEAD):
            task = task_on_record(claim, before, self.done)
            if task is not None:
                return task
            if is_proof_of_another(claim, before):
                way.rejected = record.ANOTHER
            repeats = not self.certify and supported_before(claim, before)
            way.stage = Stage.REPEAT if repeats and not way.rejected else Stage.SEARCH
            if repeats:
                return replace(_task(claim, self.done), repeats=True)
        return _search(claim, before, self.done, self.certify)

    def _take(self, way: Way, answer: Evidence | ValueError) -> list[Way]:
        """Take the answer to a task; return the way in a list, or an empty list if the way ends."""
        if isinstance(answer, ValueError):
            answer = _refused(way.claim, answer)
        if way.stage in (Stage.ASKED, Stage.SEARCH):
            evidence = self._searched(way, answer)
        else:
            evidence = self._replayed(way, answer)
        if evidence is None:
            return [way]
        self._conclude(way, evidence)
        return []

    def _searched(self, way: Way, answer: Evidence) -> Evidence | None:
        """Check the result of a search; return None to replay the record instead."""
        claim = way.claim
        if way.stage is Stage.ASKED and self.found and not way.recalled and not was_lost(answer):
            self.found.keep(claim.key, state(self._content(claim), way.before), answer)
        answer = kernel_checked(
            answer, claim.form, claim.given, lambda proof: lemmas_of(claim, proof, self.done)
        )
        is_open = answer.verdict not in (Verdict.PROVED, Verdict.REFUTED)
        if way.stage is Stage.ASKED and is_open and task_on_record(claim, way.before, self.done):
            way.stage = Stage.INSTEAD
            return None
        return answer

    def _replayed(self, way: Way, answer: Evidence) -> Evidence | None:
        """Return the evidence of a replay; None if it does not hold and a search must follow."""
        if way.stage is Stage.REPEAT:
            if answer.verdict is Verdict.SUPPORTED:
                return as_on_record(answer, way.before)
        elif answer.verdict is not Verdict.UNDECIDED:
            if way.stage is Stage.RECORD:
                return answer
            return replace(answer, certificate={**answer.certificate, "kept": True})
        way.rejected = answer.reason if answer.method == proofs.METHOD else ""
        way.stage = Stage.SEARCH
        return None

    def _conclude(self, way: Way, answer: Evidence) -> None:
        """Weaken an answer by the claims that this claim rests on, and remember it."""
        claim, key = way.claim, way.claim.key
        if claim.axiom:
            evidence = tested(claim, answer, way.before)
        else:
            evidence = downgraded(claim, answer, self.done)
        if way.rejected:
            certificate = {**evidence.certificate, "rejected": way.rejected}
            evidence = replace(evidence, certificate=certificate)
        # A new search may find less than the record, or another proof: cards show the record.
        if key in self.search and (key in self.recorded or proof_on_record(claim)):
            record.forget("claims", file_name(claim))
        elif self.use_cache and evidence.verdict is not Verdict.UNDECIDED:
            record.remember("claims", file_name(claim), self._content(claim), to_json(evidence))
        del self.ways[key]
        self._end(claim, evidence, way.recalled)

    def _end(self, claim: Claim, evidence: Evidence, remembered: bool) -> None:
        self.done[claim.key] = (with_rendering(claim, evidence), remembered)
        for other in self.ways.values():
            other.needs.discard(claim.key)
        if self.progress:
            self.progress(claim.key)


def _refused(claim: Claim, error: ValueError) -> Evidence:
    """Return one line for a user's claim that cannot be decided; raise ClaimError for the book's."""
    said = f"{claim.key} ({claim.location}): {error}"
    if claim.topic in record.topics():
        raise ClaimError(said) from error
    return Evidence(Verdict.UNDECIDED, reason=said)


def _on_proof(stored: Row | None) -> bool:
    """Say whether remembered evidence holds a certificate, or needs no certificate."""
    if stored is None or stored.get("verdict") not in ("proved", "refuted"):
        return True
    return "proof" in (stored.get("certificate") or {})


def _task(claim: Claim, done: dict[str, tuple[Evidence, bool]]) -> Task:
    """Return the task of a claim, with the points where the statement that it corrects fails."""
    failed_at = [rational_point(done[key][0]) for key in claim.corrects]
    points = [point for point in failed_at if point]
    return claim.task(lemmas_used(claim), points)


def _search(
    claim: Claim, before: Row, done: dict[str, tuple[Evidence, bool]], certify: bool
) -> Task | Certified:
    """Return the task that decides a claim again by a search."""
    task = _task(claim, done)
    if before.get("verdict") == "proved":  # a slow machine must not change a verdict
        task = replace(task, time_limit=WIDE * task.time_limit)
    looked = before.get("hash") == claim.hash and before.get("verdict") != "proved"
    if claim.axiom or (looked and not certify):  # the record says that no proof was found
        return task
    lemmas = {}
    for other in map(find, claim.using):
        if usable(other, done[other.key][0]):
            with suppress(Rejected):
                lemmas[other.key] = statement_of(other, done[other.key][0])
    return Certified(task, lemmas)


def decide_one(claim: Claim, progress: Progress | None = None) -> Evidence:
    """Decide one claim, with the claims that it uses, by the record and remembered evidence."""
    recorded: dict[str, Row] = {}
    for topic in {topics.of_claim(c) for c in closure([claim])}:
        recorded |= record.read_record(topic.record) if topic is not None else {}
    found = decide_all([claim], jobs=1, recorded=recorded, progress=progress)
    return found[claim.key][0]


def rational_point(evidence: Evidence) -> dict[str, Expr]:
    """Return the rational coordinates of a counterexample: a repair is tried there first."""
    point = evidence.counterexample.point if evidence.counterexample else ()
    numbers = ((name, exact(value)) for name, value in point)
    return {name: x for name, x in numbers if x is not None and x.is_Rational}


def with_rendering(claim: Claim, evidence: Evidence) -> Evidence:
    """Add the statement as text and as LaTeX."""
    with sympy.evaluate(False):
        return replace(evidence, statement=str(claim.form), latex=claim.form.latex())
