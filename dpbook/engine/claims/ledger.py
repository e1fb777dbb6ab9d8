"""Provide the ledger: every claim with its evidence, by its key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import sympy

from dpbook.engine.claims import record, topics
from dpbook.engine.claims.catalog import NoClaim, find, load
from dpbook.engine.claims.claim import FAULTS, REGISTRY, Claim, ClaimError
from dpbook.engine.claims.entry import Entry
from dpbook.engine.claims.lemmas import statement_of
from dpbook.engine.claims.schedule import decide_one
from dpbook.engine.language.statement import entered
from dpbook.engine.language.task import Lemma
from dpbook.engine.language.verdict import Verdict
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.replay import lemmas_in


class Ledger:
    """Hold all claims by key: ``ledger["langevin:lemma-4.2"]`` decides and shows a claim."""

    def __getitem__(self, key: str) -> Entry:
        claim = find(key)
        return Entry(claim, decide_one(claim))

    def __iter__(self) -> Iterator[str]:
        for topic in record.topics():
            for claim in load(topic):
                yield claim.key

    def __contains__(self, key: str) -> bool:
        try:
            find(key)
        except NoClaim:
            return False
        return True

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def errata(self, topic: str) -> dict[str, list[str]]:
        """Return the labels of a topic's claims that are refuted on record, by kind of fault."""
        claims, rows = load(topic), record.read_record(topics.find(topic).record)
        refuted = [claim for claim in claims if rows[claim.key]["verdict"] == "refuted"]
        kinds = {kind: [c.label for c in refuted if c.fault == kind] for kind in FAULTS}
        return {FAULTS[kind]: labels for kind, labels in kinds.items() if labels}

    def __repr__(self) -> str:
        return f"ledger of {len(self)} claims in {', '.join(record.topics())}"


ledger = Ledger()


def lemmas(using: Sequence[Any]) -> list[Lemma]:
    """Return claims, also by keys or at values in a pair, as lemmas; each must be proved."""
    found: list[Lemma] = []
    if not isinstance(using, (str, Claim, list, tuple)):
        raise ValueError(f"using must be a claim's key, or several, got {using!r}")
    items: Sequence[Any] = [using] if isinstance(using, (str, Claim)) or _is_pair(using) else using
    for item in items:
        named, values = item if _is_pair(item) else (item, dict)
        with sympy.evaluate(False):
            instance = tuple((what, entered(v)) for what, v in values().items())
        claim = named if isinstance(named, Claim) else find(named)
        evidence = ledger[claim.key].evidence if claim.key in REGISTRY else decide_one(claim)
        if evidence.verdict is not Verdict.PROVED:
            raise ClaimError(f"{claim.key} is {evidence.verdict.value}, so a proof cannot use it")
        found.extend(replace(lemma, instance=instance) for lemma in claim.lemmas())
    return found


def _is_pair(item: Any) -> bool:
    """Say whether an item is a claim, or its key, with a function that returns values."""
    return isinstance(item, tuple) and len(item) == 2 and callable(item[1])


def lemmas_among(
    keys: Collection[str],
) -> Callable[[object], tuple[dict[str, Any], tuple[str, ...]]]:
    """Return a function that finds the lemmas of a certificate among proved claims of `keys`."""

    def of(certificate: object) -> tuple[dict[str, Any], tuple[str, ...]]:
        names = lemmas_in(certificate)
        if set(names) - set(keys):
            raise Rejected(f"it uses {min(set(names) - set(keys))}", "lemma")
        said = statements(names)
        if len(said) < len(set(names)):
            raise Rejected("a lemma is not proved", "lemma")
        return said, tuple({t for name in names for t in ledger[name].evidence.trusted})

    return of


def statements(keys: Collection[str]) -> dict[str, Any]:
    """Return the sequents, as plain data, of registered claims that are proved."""
    said = {}
    for key in keys:
        if key in REGISTRY and ledger[key].evidence.verdict is Verdict.PROVED:
            with suppress(Rejected):
                said[key] = statement_of(ledger[key].claim, ledger[key].evidence)
    return said
