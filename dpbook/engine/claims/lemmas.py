"""Find the lemmas that the proof of a claim may use, with everything that they trust."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.claim import Claim
from dpbook.engine.language.statement import ForAll
from dpbook.engine.language.task import Lemma
from dpbook.engine.language.terms import Untranslatable
from dpbook.engine.language.verdict import NAMED, Evidence, Verdict
from dpbook.engine.prove.sequents import sequent_of
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.replay import lemmas_in
from dpbook.kernel.formulas import Sequent


def lemmas_used(claim: Claim) -> list[Lemma]:
    """Return the lemmas that the proof of a claim uses; claims that are not relations give none."""
    return [
        replace(lemma, instance=instance)
        for key, instance in claim.instances
        if isinstance(find(key).form, ForAll)
        for lemma in find(key).lemmas()
    ]


def lemmas_of(
    claim: Claim, certificate: object, done: dict[str, tuple[Evidence, bool]]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the sequents of the lemmas that a certificate uses, and the names that they trust.

    Raises
    ------
    Rejected
        When the claim does not rest on one of them, or one of them is not proved.
    """
    sequents: dict[str, Any] = {}
    trusted: set[str] = set()
    for key in lemmas_in(certificate):
        if key not in claim.using or not usable(find(key), done[key][0]):
            raise Rejected(f"{claim.key} does not rest on {key}, or that is not proved", "lemma")
        sequents[key] = statement_of(find(key), done[key][0])
        trusted |= set(done[key][0].trusted) | named_axiom(find(key))
    return sequents, tuple(trusted)


def usable(claim: Claim, evidence: Evidence) -> bool:
    """Say whether a proof may use a claim: it is proved, or an axiom that its examples support."""
    if claim.axiom and evidence.verdict is Verdict.SUPPORTED:
        return True
    return evidence.verdict is Verdict.PROVED


def named_axiom(claim: Claim) -> set[str]:
    """Return the name of an axiom of the literature for the trusted list; else an empty set."""
    return {f"{NAMED}{claim.key} ({claim.source})"} if claim.axiom else set()


def sequent_of_claim(claim: Claim) -> Sequent:
    """Return the statement of a claim as a sequent.

    Raises
    ------
    Rejected
        When the kernel cannot express the statement.
    """
    try:
        return sequent_of(claim.form, claim.given)
    except Untranslatable as error:
        raise Rejected(str(error), "lemma") from None


def statement_of(claim: Claim, evidence: Evidence) -> Any:
    """Return the sequent of a proved claim as plain data, from its checked proof if it has one."""
    proof = (evidence.certificate or {}).get("proof")
    return proof["sequent"] if proof else sequent_of_claim(claim).to_json()
