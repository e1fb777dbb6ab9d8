"""Check the result of a search with the kernel.

This module is separate from the ledger, which needs the whole search: a user's own statement is
searched in another process, and here only the kernel has to run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from dpbook.engine.language.statement import Form, Tree
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.prove import proofs
from dpbook.engine.prove.proofs import Replay
from dpbook.engine.prove.refutation_sequents import refutes
from dpbook.engine.prove.sequents import same_statement
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.replay import lemmas_in
from dpbook.kernel.formulas import sequent_from_json


def entry_refutes(form: Form, given: Sequence[Tree], entry: proofs.Entry) -> bool:
    """Say whether a proof shows that a statement fails."""
    if "point" not in entry:
        return False
    try:
        sequent = sequent_from_json(entry["sequent"])
    except (Rejected, RecursionError):
        return False
    return refutes(form, given, entry["point"], sequent)


def fits(form: Form, given: Sequence[Tree], entry: proofs.Entry) -> bool:
    """Say whether a proof is a proof of a statement."""
    if "point" in entry:
        return False
    try:
        sequent = sequent_from_json(entry["sequent"])
    except (Rejected, RecursionError):
        return False
    return same_statement(form, given, sequent)


def checked(
    evidence: Evidence,
    form: Form,
    given: Sequence[Tree],
    lemmas_of: Callable[[object], tuple[dict[str, Any], tuple[str, ...]]],
) -> Evidence:
    """Return the evidence of a search, checked by the kernel.

    Without a certificate, a statement is supported at most.

    Parameters
    ----------
    evidence : Evidence
    form, given
        The statement that was searched.
    lemmas_of : function
        Takes a certificate; returns the sequents of its lemmas as data, and their trusted base. It
        raises `Rejected` where a lemma may not be used.
    """
    entry = proofs.entry_of(evidence.certificate, evidence.sample)
    if evidence.verdict is Verdict.REFUTED and entry is not None:
        return _failure_checked(evidence, form, given, entry)
    if evidence.verdict is not Verdict.PROVED:
        return evidence
    if entry is None:
        return proofs.without_certificate(evidence)
    if not fits(form, given, entry):
        told = "it is one of another statement, or of numbers that are too long"
        return replace(proofs.refused(evidence, told), verdict=Verdict.UNDECIDED, method="")
    try:
        replayed = Replay(entry, *lemmas_of(entry["certificate"])).run()
    except Rejected as error:
        return proofs.refused(evidence, str(error))
    if replayed.verdict is not Verdict.PROVED:
        return proofs.refused(evidence, replayed.reason)
    return replace(replayed, sample=evidence.sample, seconds=evidence.seconds)


def _failure_checked(
    evidence: Evidence, form: Form, given: Sequence[Tree], entry: proofs.Entry
) -> Evidence:
    """Return a counterexample as checked by the kernel, or as found where the kernel refuses it."""
    try:
        if not entry_refutes(form, given, entry):
            raise Rejected("it is one of another statement")
        trust = proofs.checked(entry, {})
    except Rejected:
        return replace(evidence, certificate={})
    return replace(evidence, trusted=proofs.words(trust))


def no_lemmas(certificate: object) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the lemmas of a certificate that may use no lemma.

    Raises
    ------
    Rejected
        When it uses a lemma.
    """
    if names := lemmas_in(certificate):
        raise Rejected(f"it uses {min(names)}", "lemma")
    return {}, ()
