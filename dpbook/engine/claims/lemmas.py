"""What the proof of a claim may use: the claims that it rests on, as lemmas with what those trust."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.claim import Claim
from dpbook.engine.language.statement import ForAll
from dpbook.engine.language.task import Lemma
from dpbook.engine.language.verdict import NAMED, Evidence, Verdict
from dpbook.engine.prove.sequents import Untranslatable, sequent_of
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Sequent
from dpbook.kernel.replay import lemmas_in


def lemmas_used(claim: Claim) -> list[Lemma]:
    """What a claim's proof uses; on what is no relation it rests without rewriting with it."""
    used = [(find(key), instance) for key, instance in claim.instances]
    return [
        replace(lemma, instance=instance)
        for other, instance in used
        if isinstance(other.form, ForAll)
        for lemma in other.lemmas()
    ]


def lemmas_of(
    claim: Claim, certificate: object, done: dict[str, tuple[Evidence, bool]]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The sequents of the lemmas that a certificate uses, and what those trust.

    Raises
    ------
    Rejected
        When the claim does not rest on one, or one is not proved.
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
    """Whether a proof may use a claim: it is proved, or an axiom that its examples bear out."""
    if claim.axiom and evidence.verdict is Verdict.SUPPORTED:
        return True
    return evidence.verdict is Verdict.PROVED


def named_axiom(claim: Claim) -> set[str]:
    """What a claim is called among what is trusted, where it is an axiom of the literature."""
    return {f"{NAMED}{claim.key} ({claim.source})"} if claim.axiom else set()


def sequent_of_claim(claim: Claim) -> Sequent:
    """Return what a claim states as a sequent.

    Raises
    ------
    Rejected
        When the kernel has no words for it.
    """
    try:
        return sequent_of(claim.form, claim.given)
    except Untranslatable as error:
        raise Rejected(str(error), "lemma") from None


def statement_of(claim: Claim, evidence: Evidence) -> Any:
    """A proved claim's sequent as plain data: that of its checked proof, else its own."""
    proof = (evidence.certificate or {}).get("proof")
    return proof["sequent"] if proof else sequent_of_claim(claim).to_json()
