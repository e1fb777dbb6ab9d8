"""Write decided claims as rows of plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sympy import Expr

from dpbook.engine.claims import proof_files
from dpbook.engine.claims.claim import REGISTRY, Claim, ClaimError
from dpbook.engine.claims.entry import Entry
from dpbook.engine.claims.mutants import plant
from dpbook.engine.claims.on_record import proof_on_record
from dpbook.engine.claims.record import Row
from dpbook.engine.claims.schedule import Schedule, decide_all, rational_point
from dpbook.engine.language.statement import Relation
from dpbook.engine.language.task import free_symbols
from dpbook.engine.language.verdict import Counterexample, Evidence, Verdict
from dpbook.engine.run.workers import run_one


def row_of(
    claim: Claim,
    evidence: Evidence,
    cached: bool,
    corrected_by: Sequence[str],
    readable: bool = True,
) -> Row:
    """Return the row of a claim as plain data; a claim that is not `readable` has no statement."""
    found, certificate = evidence.counterexample, evidence.certificate or {}
    return {
        "key": claim.key,
        "topic": claim.topic,
        "label": claim.label,
        "title": claim.title,
        "source": str(claim.source),
        "form": type(claim.form).__name__ if readable else "",
        "latex": evidence.latex,
        "verdict": evidence.verdict.value,
        "recorded": None,
        "method": evidence.method,
        "trusted": list(evidence.trusted),
        "seconds": round(evidence.seconds, 3),
        "cached": cached,
        "counterexample": (found.as_dict() or found.note) if found else None,
        "margin": evidence.margin or None,
        "fault": claim.fault or None,
        "effect": claim.effect or None,
        "scope": claim.scope or None,
        "corrected_by": list(corrected_by),
        "cites": list(claim.cites),
        "using": list(claim.using),
        "reason": evidence.reason or None,
        "mutants": None,
        # the fields that the other commands show
        "statement": evidence.statement,
        "finding": found.finding if found else "",
        "given": [str(tree) for tree in claim.given] if readable else [],
        "where": Entry(claim, evidence).meanings if readable else [],
        "sample": [list(p) for p in evidence.sample],
        "place": claim.place,
        "why": claim.why,
        "corrects": list(claim.corrects),
        "location": claim.location,
        "hash": claim.hash if readable else "",
        "certificate": evidence.certificate,
        "entry": proof_files.kind_of(proof_on_record(claim)),
        "rejected": certificate.get("rejected"),
        "kept": bool(certificate.get("kept")),  # a search did not find it anew
    }


def row_of_unreadable(claim: Claim, why: str) -> Row:
    """Return the row of a claim that has no statement, with the reason `why` in one line."""
    blank = Evidence(Verdict.UNDECIDED, reason=" ".join(why.split()))
    return row_of(claim, blank, False, (), readable=False)


def rows_of(
    claims: Sequence[Claim], *, jobs: int = 2, mutants: bool = False, **settings: Any
) -> list[Row]:
    """Decide claims and return their rows, in the order given; see `decide_all`."""
    decided = decide_all(claims, jobs=jobs, **settings)
    repairs: dict[str, list[str]] = {}
    for claim in list(REGISTRY.values()):
        for key in claim.corrects:
            repairs.setdefault(key, []).append(claim.key)
    rows = []
    for claim in claims:
        _check_repair(claim, decided)
        corrected_by = [
            key
            for key in repairs.get(claim.key, [])
            if key not in decided or decided[key][0].verdict is not Verdict.REFUTED
        ]
        rows.append(row_of(claim, *decided[claim.key], corrected_by))
    if mutants:
        run = Schedule(**settings)
        plant(claims, rows, jobs, run.use_cache, run.progress)
    return rows


def _check_repair(claim: Claim, decided: dict[str, tuple[Evidence, bool]]) -> None:
    """Refuse a repair of a claim that is proved, or a repair that fails where the claim fails."""
    for key in claim.corrects:
        printed = decided[key][0]
        if printed.verdict is Verdict.PROVED:
            raise ClaimError(
                f"{claim.key} corrects {key}, which is proved: nothing is to be corrected"
            )
        if decided[claim.key][0].verdict is Verdict.REFUTED:
            found = _decided_at(claim, rational_point(printed))
            if found is not None:
                raise ClaimError(f"{claim.key} fails where {key} fails: {found}")


def _decided_at(claim: Claim, point: dict[str, Expr]) -> Counterexample | None:
    """Return the counterexample to a claim at one point; None if its domain lacks the point."""
    task = claim.task()
    names = {symbol.name: symbol for symbol in free_symbols(task.form)}
    pins = tuple(Relation(names[name], "==", x) for name, x in point.items() if name in names)
    try:
        return run_one(replace(task, given=(*task.given, *pins))).counterexample
    except ValueError:
        return None
