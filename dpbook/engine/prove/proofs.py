"""Check proofs with the kernel: those on record, and the result of a search.

Proofs are plain data, and this module imports no SymPy: it is imported only to compare a proof with
a statement.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.kernel.check import check
from dpbook.kernel.environment import Environment, Fields, Trust
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.lemmas import BENEATH
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import FALSE, And, Is, Or, Relation, Sequent, put
from dpbook.kernel.rules import RULES
from dpbook.kernel.terms import parse_term, substitute

if TYPE_CHECKING:
    from dpbook.engine.language.statement import Form, Tree

METHOD = "kernel"
Entry = Mapping[str, Any]


def entry_of(certificate: Mapping[str, Any] | None, sample: Iterable[Any] = ()) -> Entry | None:
    """Return the proof of evidence, or of a row, as it goes on record; None where it has no proof.

    For an axiom of the literature it is the sequent with its source.
    """
    proof = (certificate or {}).get("proof")
    if proof is None or "axiom" in proof:
        return proof
    entry = {"sequent": proof["sequent"], "certificate": proof["certificate"]}
    if "point" in proof:
        return {**entry, "point": proof["point"]}  # it shows that the statement fails there
    point = dict(sample)
    return {**entry, "sample": point} if point else entry


# --- replaying ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Replay:
    """Hold a proof on record as plain data, to be checked here or in a worker.

    Attributes
    ----------
    entry : mapping
        Sequent, certificate, and a point of the domain.
    lemmas : mapping from keys to sequents as data
    trusted : tuple of str
        The trusted base of the lemmas.
    refused : str
        The reason why it is no proof, whatever the kernel says of it; empty without such a reason.
    """

    entry: Entry
    lemmas: Mapping[str, Any]
    trusted: tuple[str, ...] = ()
    refused: str = ""
    time_limit: float = float("inf")  # the kernel counts its work itself

    def run(self) -> Evidence:
        """Check the proof; if the kernel refuses it, the evidence is undecided, with a reason."""
        started = time.perf_counter()
        if self.refused:
            return Evidence(Verdict.UNDECIDED, method=METHOD, reason=self.refused)
        try:
            trust = checked(self.entry, self.lemmas)
        except Rejected as error:
            return Evidence(Verdict.UNDECIDED, method=METHOD, reason=str(error))
        return Evidence(
            Verdict.PROVED,
            method=METHOD,
            trusted=words(trust, self.trusted),
            seconds=time.perf_counter() - started,
            sample=tuple(dict(self.entry.get("sample", {})).items()),
            certificate={"proof": {what: self.entry[what] for what in ("sequent", "certificate")}},
        )


def checked(entry: Entry, lemmas: Mapping[str, Any]) -> Trust:
    """Check a proof with lemmas as plain data.

    Raises
    ------
    Rejected
        When it is no proof.
    """
    sequents: dict[str, Sequent] = {n: sequent_from_json(data) for n, data in lemmas.items()}
    return check(sequent_from_json(entry["sequent"]), entry["certificate"], sequents)


def inhabited(entry: Entry) -> bool:
    """Say whether the point of an entry certainly satisfies all hypotheses.

    The proof is not vacuous then.

    Where this is False, nothing is known: the kernel evaluates no sums and no unknown functions.
    """
    try:
        sequent = sequent_from_json(entry["sequent"])
        values = {name: parse_term(source) for name, source in entry.get("sample", {}).items()}
        names = {name for name, _ in sequent.variables}
        for h in sequent.hypotheses:  # a name that a condition defines need not stand in the point
            if isinstance(h, Relation) and h.op == "==" and h.left.head == "var":
                value = substitute(h.right, values)
                if h.left.name not in values and not value.free:
                    values[h.left.name] = value
        if set(values) < names or any(t.free for t in values.values()):
            return False
        empty = Sequent((), sequent.functions, (), FALSE)
        whole = [Is("integer", values[n]) for n, sort in sequent.variables if sort == "integer"]
        goals = [*(put(h, values) for h in sequent.hypotheses), *whole]
        environment = Environment({})
        return all(_holds(empty.showing(goal), environment) for goal in goals)
    except (Rejected, RecursionError):
        return False


def _holds(s: Sequent, environment: Environment) -> bool:
    if isinstance(s.goal, (And, Or)):
        each = all if isinstance(s.goal, And) else any
        return each(_holds(s.showing(part), environment) for part in s.goal.parts)
    if environment.automatic(s):
        return True
    defined = isinstance(s.goal, Is) and s.goal.what == "defined"
    rule, fields = ("defined", {}) if defined else ("bisect", {"tree": "value"})
    try:
        premises = RULES[rule](s, Fields(fields, s), environment)
    except (Rejected, ArithmeticError, ValueError):
        return False
    return all(_holds(premise, environment) for premise in premises)


def words(trust: Trust, more: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the trusted base of a proof: the kernel, the axioms beneath it, and the base of its lemmas.

    Facts that the kernel proves are left out: `python -m dpbook.kernel` checks their proofs.
    """
    named = {*(f"axiom {axiom}" for name in trust.axioms for axiom in BENEATH[name]), *more}
    return (METHOD, *sorted(named - {METHOD}))


def without_certificate(evidence: Evidence) -> Evidence:
    """Return a tactic's finding as support, with the trusted tactics: only the kernel proves."""
    names = dict.fromkeys(evidence.method.split(", "))
    return replace(
        evidence,
        verdict=Verdict.SUPPORTED,
        trusted=tuple(f"tactic {name}" for name in names),
        reason="a tactic proved it, without a certificate that the kernel could check",
    )


def refused(evidence: Evidence, why: str) -> Evidence:
    """Return the evidence as support: a proof that the kernel does not accept proves nothing."""
    return replace(
        evidence,
        verdict=Verdict.SUPPORTED,
        trusted=(),
        certificate={},
        reason=f"the kernel does not accept its proof: {why}",
    )


# --- the result of a search -----------------------------------------------------------------------


def _sequent_in(entry: Entry) -> Sequent | None:
    with suppress(Rejected, RecursionError):
        return sequent_from_json(entry["sequent"])
    return None


def entry_refutes(form: Form, given: Sequence[Tree], entry: Entry) -> bool:
    """Say whether a proof shows that a statement fails."""
    if "point" not in entry or (sequent := _sequent_in(entry)) is None:
        return False
    from dpbook.engine.prove.refutation_sequents import refutes  # it needs SymPy

    return refutes(form, given, entry["point"], sequent)


def fits(form: Form, given: Sequence[Tree], entry: Entry) -> bool:
    """Say whether a proof is a proof of a statement."""
    if "point" in entry or (sequent := _sequent_in(entry)) is None:
        return False
    from dpbook.engine.prove.sequents import same_statement  # it needs SymPy

    return same_statement(form, given, sequent)


def kernel_checked(
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
    entry = entry_of(evidence.certificate, evidence.sample)
    if evidence.verdict is Verdict.REFUTED and entry is not None:
        return _failure_checked(evidence, form, given, entry)
    if evidence.verdict is not Verdict.PROVED:
        return evidence
    if entry is None:
        return without_certificate(evidence)
    if not fits(form, given, entry):
        told = "it is one of another statement, or of numbers that are too long"
        return replace(refused(evidence, told), verdict=Verdict.UNDECIDED, method="")
    try:
        replayed = Replay(entry, *lemmas_of(entry["certificate"])).run()
    except Rejected as error:
        return refused(evidence, str(error))
    if replayed.verdict is not Verdict.PROVED:
        return refused(evidence, replayed.reason)
    return replace(replayed, sample=evidence.sample, seconds=evidence.seconds)


def _failure_checked(
    evidence: Evidence, form: Form, given: Sequence[Tree], entry: Entry
) -> Evidence:
    """Return a counterexample as checked by the kernel, or as found where the kernel refuses it."""
    try:
        if not entry_refutes(form, given, entry):
            raise Rejected("it is one of another statement")
        trust = checked(entry, {})
    except Rejected:
        return replace(evidence, certificate={})
    return replace(evidence, trusted=words(trust))
