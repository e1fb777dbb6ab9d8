"""Weaken the evidence of a claim by the claims that it uses and the parts that it leaves out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.claim import Claim, ClaimError
from dpbook.engine.claims.lemmas import named_axiom, sequent_of_claim, usable
from dpbook.engine.claims.on_record import axiom_on_record, proof_on_record
from dpbook.engine.claims.record import Row
from dpbook.engine.language.verdict import NAMED, Evidence, Verdict
from dpbook.engine.refute import finite_models
from dpbook.kernel.errors import Rejected


def downgraded(
    claim: Claim, evidence: Evidence, done: dict[str, tuple[Evidence, bool]]
) -> Evidence:
    """Return weaker evidence if a claim uses a claim that is not proved, or leaves out a part."""
    if evidence.verdict is not Verdict.PROVED:
        return evidence
    why = ""
    if weak := [key for key in claim.using if not usable(find(key), done[key][0])]:
        why = f"it rests on {weak[0]}, which is {done[weak[0]][0].verdict.value}"
    elif claim.scope:
        why = f"proved in part: {claim.scope}"
    elif left := ", ".join(_unaccounted(claim)):
        why = f"the source cites {left} for it: name them in using, or in without with a reason"
    if why:
        return replace(evidence, verdict=Verdict.SUPPORTED, reason=why)
    # a claim trusts each axiom that it names in using, also if the certificate does not use it
    named = {f"{NAMED}{one}" for key in claim.using for one in done[key][0].named_axioms}
    named = named.union(*(named_axiom(find(key)) for key in claim.using)) - set(evidence.trusted)
    return replace(evidence, trusted=(*evidence.trusted, *sorted(named))) if named else evidence


def _unaccounted(claim: Claim) -> list[str]:
    """Return the claims that the source cites, and our proof neither uses nor names in `without`.

    A proof that uses the repair of a claim uses the claim.
    """
    rests_on: set[str] = set()
    waiting = list(claim.using)
    while waiting:
        key = waiting.pop()
        if key not in rests_on:
            rests_on.add(key)
            waiting += find(key).using
    repaired = {printed for key in rests_on for printed in find(key).corrects}
    return [key for key in claim.cites if key not in rests_on | repaired | set(claim.without)]


def tested(claim: Claim, evidence: Evidence, before: Row) -> Evidence:
    """Return the evidence of examples for an axiom, with its sequent.

    The sequent goes on record without a proof.

    Raises
    ------
    ClaimError
        When an example refutes the axiom, no example could be evaluated, or it is not a sequent.
    """
    fault = ""
    if evidence.verdict is Verdict.REFUTED:
        fault = f"an example refutes the axiom: {evidence.counterexample}"
    elif evidence.verdict is not Verdict.SUPPORTED or evidence.method != finite_models.METHOD:
        fault = f"no example tests the axiom: {evidence.reason}"
    try:
        entry = {"sequent": sequent_of_claim(claim).to_json(), "axiom": str(claim.source)}
    except Rejected as error:
        fault = fault or f"the axiom is no sequent: {error}"
    if fault:
        raise ClaimError(f"{claim.key} ({claim.location}): {fault}")
    found: dict[str, Any] = {"proof": entry}
    recorded = before.get("hash") == claim.hash
    source = (proof_on_record(claim) or {}).get("axiom")
    if recorded and not (axiom_on_record(claim) and source == entry["axiom"]):
        found["rejected"] = "the axiom on record has another statement, or another source"
    return replace(evidence, trusted=(), certificate=found)
