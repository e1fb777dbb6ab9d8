"""Find the proof or counterexample of a claim on record, and make the task that replays it."""

from __future__ import annotations

from dataclasses import replace

from dpbook.engine.claims import proof_files, topics
from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.claim import Claim
from dpbook.engine.claims.confirm import Confirm, WithExample
from dpbook.engine.claims.lemmas import lemmas_of
from dpbook.engine.claims.record import Row
from dpbook.engine.language.statement import Eventually, Order
from dpbook.engine.language.terms import Untranslatable
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.prove import proofs
from dpbook.engine.prove.large_values import refuse_bounded
from dpbook.engine.prove.proofs import Replay, entry_refutes, fits
from dpbook.engine.prove.refutation_sequents import kernel_point
from dpbook.kernel.errors import Rejected


def proof_on_record(claim: Claim) -> proofs.Entry | None:
    """Return the proof of a claim on record, also if it does not fit the claim any more."""
    topic = topics.of_claim(claim)
    return None if topic is None else proof_files.of_topic(topic).get(claim.key)


def task_on_record(
    claim: Claim, before: Row, done: dict[str, tuple[Evidence, bool]]
) -> Replay | WithExample | Confirm | None:
    """Return the task that replays the record of a claim; None if it is about another statement."""
    if claim.axiom:
        return None
    entry = proof_on_record(claim)
    if entry is not None and "axiom" in entry:
        entry = None  # the file says axiom, but this claim needs a proof
    if entry is not None and says_something(claim) and fits(claim.form, claim.given, entry):
        try:
            lemmas = lemmas_of(claim, entry["certificate"], done)
        except Rejected:
            return None  # a lemma is not proved any more
        other = [key for key in lemmas[0] if find(key).axiom and not axiom_on_record(find(key))]
        if other:
            return Replay(entry, *lemmas, f"the axiom {other[0]} on record is another statement")
        replay = Replay(entry, *lemmas)
        # the engine may evaluate conditions that the kernel cannot evaluate
        sure = proofs.inhabited(entry) and not claim.example
        return replay if sure else WithExample(claim.task(), replay)
    point = before.get("counterexample") if before.get("hash") == claim.hash else None
    shown = point if isinstance(point, dict) else None
    if entry is not None and entry_refutes(claim.form, claim.given, entry):
        there = entry["point"] if shown is None or not _alike(shown, entry) else shown
        return Confirm(claim.task(), tuple(there.items()), entry)
    return None if shown is None else Confirm(claim.task(), tuple(shown.items()))


def is_proof_of_another(claim: Claim, before: Row) -> bool:
    """Say whether the record is about this statement, and its proof is about another statement."""
    entry = proof_on_record(claim)
    if entry is None or "axiom" in entry or before.get("hash") != claim.hash:
        return False
    return not (
        fits(claim.form, claim.given, entry) or entry_refutes(claim.form, claim.given, entry)
    )


def axiom_on_record(claim: Claim) -> bool:
    """Say whether the entry of an axiom in the files of proofs is its statement, as an axiom."""
    entry = proof_on_record(claim)
    return entry is not None and "axiom" in entry and fits(claim.form, claim.given, entry)


def says_something(claim: Claim) -> bool:
    """Say whether a statement about large values of an index has any; True for other statements."""
    if not isinstance(claim.form, (Eventually, Order)):
        return True
    try:
        refuse_bounded(claim.task())
    except ValueError:
        return False  # the search then says why
    return True


def _alike(point: dict[str, str], entry: proofs.Entry) -> bool:
    """Say whether a point as shown is the point of an entry."""
    try:
        return kernel_point(point.items()) == entry["point"]
    except Untranslatable:
        return False


def supported_before(claim: Claim, before: Row) -> bool:
    """Say whether the record says that no proof of this same statement was found."""
    same = before.get("hash") == claim.hash
    return same and before.get("verdict") == Verdict.SUPPORTED.value and "reason" in before


def as_on_record(evidence: Evidence, before: Row) -> Evidence:
    """Return evidence of repeated points or examples, with the results of the search on record."""
    return replace(
        evidence,
        method=before.get("method", ""),
        reason=before["reason"],
        trusted=tuple(before.get("trusted", ())),
        certificate=before.get("certificate", {}),
    )
