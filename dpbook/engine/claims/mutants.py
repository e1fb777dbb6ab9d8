"""Plant faults: change a proved statement a little; the engine should find the change.

Faults strengthen or break the statement: a constant scaled, a sign turned, a condition lost, an
index shifted, two symbols swapped, a relation made strict.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import sympy
from sympy import Add, Expr, Mul, Rational

from dpbook.engine.claims import record
from dpbook.engine.claims.claim import Claim
from dpbook.engine.claims.content import content_key, file_name
from dpbook.engine.claims.lemmas import lemmas_used
from dpbook.engine.claims.record import Row
from dpbook.engine.claims.schedule import Progress
from dpbook.engine.language.statement import Both, ForAll, Form, Recurrence, Relation, Tree
from dpbook.engine.language.task import Certified, Task
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.run.workers import Pool

MOST = 7  # faults planted in one statement: each kind once
GOALS = 6  # the number of goals that the search for a proof of one mutant tries
NET = 20.0  # seconds of work for each of the two searches: a net, for both count their attempts


@dataclass(frozen=True)
class Mutant:
    """Hold a changed statement, with the kind of the fault."""

    kind: str
    task: Task

    @property
    def job(self) -> Certified:
        """Return the task of a worker: look for a counterexample, then for a short certificate.

        No tactic proves a mutant: a mutant that is not refuted survives without a certificate.
        """
        return Certified(self.task, {}, GOALS, (0,), NET)


def mutants_of(task: Task) -> list[Mutant]:
    """Plant faults in the statement of a task; no two mutants are the same."""
    found: dict[str, Mutant] = {}
    base = replace(task, using=(), proof=(), candidates=(), time_limit=NET, repeats=True)
    for kind, form in _changed_form(task.form):
        found.setdefault(str(form), Mutant(kind, replace(base, form=form)))
    for index, condition in enumerate(task.given):
        kept = task.given[:index] + task.given[index + 1 :]
        found.setdefault(
            f"without {condition}", Mutant("lost condition", replace(base, given=kept))
        )
    found.pop(str(task.form), None)
    # spread over the kinds: every kind once before any kind twice
    by_kind: dict[str, list[Mutant]] = {}
    for mutant in found.values():
        by_kind.setdefault(mutant.kind, []).append(mutant)
    rows = zip_longest(*(by_kind[kind] for kind in sorted(by_kind)))
    return [mutant for row in rows for mutant in row if mutant is not None][:MOST]


def _changed_form(form: Form) -> Iterator[tuple[str, Form]]:
    if isinstance(form, ForAll):
        for kind, relation in _changed(form.tree):
            yield kind, ForAll(relation)
    elif isinstance(form, Recurrence):
        with sympy.evaluate(False):
            closed = form.closed_form
            for kind, e in (("factor", Mul(2, closed)), *_changed_expression(closed)):
                yield kind, Recurrence(form.step, form.start, e, form.index, form.previous)


def _changed(tree: Tree) -> Iterator[tuple[str, Relation]]:
    if isinstance(tree, Both):
        for part in tree.parts:  # the other parts are proved, so a changed part stands alone
            yield from _changed(part)
    elif isinstance(tree, Relation):
        with sympy.evaluate(False):
            yield from _changed_relation(tree)


def _changed_relation(relation: Relation) -> Iterator[tuple[str, Relation]]:
    left, op, right = relation.lhs, relation.op, relation.rhs
    against_zero = left == 0 or right == 0  # then a scaled side gives the same statement
    if op in ("<=", "<", ">=", ">") and not against_zero:
        # the upper side a little smaller, or the lower side a little larger
        for share in (Rational(1, 2), Rational(99, 100), Rational(1, 10)):
            if op in ("<=", "<"):
                yield "strengthened", Relation(left, op, Mul(share, right))
            else:
                yield "strengthened", Relation(Mul(share, left), op, right)
    if op in ("<=", ">="):
        yield "strict", Relation(left, op[0], right)
    for side in ("rhs", "lhs"):
        e = getattr(relation, side)
        # twice the upper side is a weaker statement, which is not a fault
        upper = op in (("<=", "<") if side == "rhs" else (">=", ">"))
        if not (against_zero or upper):
            yield "factor", replace(relation, **{side: Mul(2, e)})
        for kind, new in _changed_expression(e):
            yield kind, replace(relation, **{side: new})


def _changed_expression(e: Expr) -> Iterator[tuple[str, Expr]]:
    if isinstance(e, Add):
        for index, term in enumerate(e.args):
            for kind, factor in (("sign", -1), ("factor", 2)):
                yield kind, Add(*e.args[:index], Mul(factor, term), *e.args[index + 1 :])
    integers = sorted((s for s in e.free_symbols if s.is_integer), key=str)
    for n in integers[:2]:
        yield "index", e.xreplace({n: Add(n, 1)})
    names = sorted(e.free_symbols, key=str)
    for a, b in list(zip(names, names[1:], strict=False))[:3]:
        if bool(a.is_integer) == bool(b.is_integer):
            yield "swapped", e.xreplace({a: b, b: a})


def tally(outcomes: list[Evidence]) -> dict[str, int]:
    """Count the outcomes of mutants.

    Returns
    -------
    dict
        ``planted``, ``killed`` (refuted, or undefined on the domain), ``true`` (proved: the
        statement has slack there) and ``survived``. A proved mutant has a certificate.
    """
    words = {Verdict.REFUTED: "killed", Verdict.PROVED: "true"}
    counts = {"planted": len(outcomes), "killed": 0, "true": 0, "survived": 0}
    for evidence in outcomes:
        counts[words.get(evidence.verdict, "survived")] += 1
    return counts


def score(counts: dict[str, Any]) -> float | None:
    """Return killed / (killed + survived), or None when both are 0."""
    total = counts["killed"] + counts["survived"]
    return counts["killed"] / total if total else None


def plant(
    claims: Sequence[Claim], rows: list[Row], jobs: int, use_cache: bool, progress: Progress | None
) -> None:
    """Decide planted faults in every proved claim and put the counts into the rows."""
    by_key = {row["key"]: row for row in rows}
    todo: deque[tuple[str, int, Any]] = deque()
    left: Counter[str] = Counter()
    keys: dict[str, str] = {}
    stored_at: dict[str, tuple[str, str]] = {}

    def tell(key: str, found: list[Evidence]) -> None:
        """Store the counts of a claim at once: a run that is stopped loses few claims' mutants."""
        by_key[key]["mutants"] = counts = tally(found)
        if use_cache:
            record.remember("mutants", *stored_at[key], counts)

    for claim in claims:
        row = by_key[claim.key]
        if row["verdict"] != "proved":
            continue
        content = content_key(claim, keys) + record.source_hash("engine")
        stored = record.recall("mutants", file_name(claim), content) if use_cache else None
        if stored is not None:
            row["mutants"] = stored
            continue
        stored_at[claim.key] = file_name(claim), content
        mutants = mutants_of(claim.task(lemmas_used(claim)))
        todo.extend((claim.key, number, mutant.job) for number, mutant in enumerate(mutants))
        left[claim.key] = len(mutants)
        if not mutants:
            tell(claim.key, [])
    outcomes: dict[str, list[Evidence]] = {key: [] for key in left}
    pool = Pool(jobs)
    try:
        while todo or pool.busy:
            while pool.idle and todo:
                key, number, job = todo.popleft()
                pool.submit((key, number), job)
            for (key, _), answer in pool.wait():
                if isinstance(answer, Evidence):  # a mutant without a domain says nothing
                    outcomes[key].append(answer)
                if progress:
                    progress(f"mutants of {key}")
                left[key] -= 1
                if not left[key]:
                    tell(key, outcomes.pop(key))
    finally:
        pool.close()
