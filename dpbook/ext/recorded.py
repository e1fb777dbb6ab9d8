"""Claims with the verdicts on record: of the book's nothing is decided here.

Claims of one's own are decided, so that a verdict that differs from the record is seen.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from sympy import Expr

from dpbook.engine.claims import catalog, proof_files, record, topics
from dpbook.engine.claims.beside import FILES
from dpbook.engine.claims.claim import Claim
from dpbook.engine.claims.entry import Entry
from dpbook.engine.claims.on_record import proof_on_record
from dpbook.engine.claims.schedule import decide_one, with_rendering
from dpbook.engine.claims.verification import decided_now
from dpbook.engine.language.domain import RangedSymbol
from dpbook.engine.language.statement import Noted
from dpbook.engine.language.verdict import Counterexample, Evidence, from_json
from dpbook.engine.prove import proofs
from dpbook.ext import reports


@cache
def entries(topic: str) -> tuple[Entry, ...]:
    """Return the claims of a topic with their records, in the order of the paper.

    Raises
    ------
    ValueError
        When a claim is not on record, or its statement has changed since.
    """
    return tuple(entry(claim.key) for claim in catalog.load(topic))


@cache
def entry(key: str) -> Entry:
    """Return a claim with its record; a claim that is not the book's is decided.

    Raises
    ------
    ValueError
        When there is none of that key (the message names the nearest), when it is not on record, or
        when its statement has changed since.
    """
    claim = catalog.find(key)
    if claim.topic not in record.topics():
        if faults := catalog.unreadable([claim]):
            raise ValueError(faults[claim.key])
        return Entry(claim, decide_one(claim))
    row = _row(claim)
    if row["hash"] != claim.hash:
        raise _unfit(claim, "changed since it was recorded")
    return Entry(claim, _evidence(claim, row))


@cache
def difference(key: str) -> str:
    """Say how a claim that is not the book's differs from the record; empty where it does not.

    Without a record of its topic it differs where it is not as it is declared.
    """
    claim = catalog.find(key)
    if claim.topic in record.topics():
        return ""
    row, why = decided_now(claim)
    more = "; ".join(reports.details(row))
    return f"{key} is {row['verdict']}: {why}; {more}" if why else ""


def _row(claim: Claim) -> dict[str, Any]:
    row = verdicts(claim.topic).get(claim.key)
    if row is None:
        raise _unfit(claim, "not on record")
    return row


def _unfit(claim: Claim, state: str) -> ValueError:
    return ValueError(f"{claim.key} is {state}: dpbook verify --record")


@cache
def verdicts(topic: str) -> dict[str, dict[str, Any]]:
    """Return the records of a topic by key; no claim is read for it."""
    return record.read_record(topics.find(topic).record)


def changed(topic: str) -> list[str]:
    """Return the keys on record of a topic whose claim has changed since, or is gone."""
    claims = {claim.key: claim for claim in catalog.load(topic)}
    rows = record.read_record(topics.find(topic).record)
    return [k for k in rows if k not in claims or _statement(claims[k]) != rows[k]["hash"]]


def forget() -> None:
    """Forget what was read of records and claims, for a build in a process that made one before."""
    for remembered in (entries, entry, difference, verdicts, state):
        remembered.cache_clear()
    _IMPORTED.clear()
    FILES.clear()


_IMPORTED: set[Path] = set()  # files of the user's code that were imported with the topics


def note_imported() -> None:
    """Note the files of the user's own that are imported now: claims may depend on each of them."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    others = [Path(sysconfig.get_path(name)).resolve() for name in names]
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    found = {Path(file).resolve() for file in files if file}
    others.append(record.PACKAGE)
    _IMPORTED.update(f for f in found | FILES if not any(f.is_relative_to(o) for o in others))


@cache
def state(topic: str) -> str:
    """Return a hash of all on which the verdicts of a topic depend; of "", of dpbook alone.

    Of a topic of the user's own these are its code, all files of the user's that were imported with
    it, its record and its proofs.
    """
    digest = hashlib.sha256(record.source_hash("kernel", "engine", "ext").encode())
    if not topic or topic in record.topics():
        return record.topic_hash(topic) + digest.hexdigest() if topic else digest.hexdigest()
    files = set(_IMPORTED)
    homes = set(topics.OPENED.values())  # claims may use claims of another topic
    try:
        homes.add(topics.find(topic))
    except topics.NoTopic as error:
        digest.update(str(error).encode())
    for home in homes:
        whole = home.root / home.module.partition(".")[0] if home.installed else home.path
        files |= {home.path} if home.is_file else {*whole.rglob("*.py")}
        files |= {home.record, *proof_files.files(home)}
    for path in sorted(files):
        digest.update(str(path).encode())
        digest.update(path.read_bytes() if path.is_file() else b"")
    for claim in _claims_of(home.name for home in homes):  # it may read a file of numbers
        digest.update(f"{claim.key} {_statement(claim)}".encode())
    return digest.hexdigest()


def _claims_of(names: Iterable[str]) -> Iterator[Claim]:
    for name in sorted(set(names)):
        with suppress(ValueError):
            yield from catalog.load(name)


def _statement(claim: Claim) -> str:
    """Return a hash of a statement, or the words why it has none."""
    try:
        return claim.hash
    except ValueError as error:
        return str(error)


def repairs(topic: str) -> dict[str, list[str]]:
    """Return the keys of what repairs each claim of a topic."""
    found: dict[str, list[str]] = {}
    for claim in catalog.load(topic):
        for key in claim.corrects:
            found.setdefault(key, []).append(claim.key)
    return found


def drawn(topic: str) -> list[dict[str, Any]]:
    """Return the data of a topic's graph; of the book's topics no statement is read for it.

    Raises
    ------
    ValueError
        When a claim is not on record.
    """
    found = []
    for claim in catalog.load(topic):
        ours = claim.topic in record.topics()
        verdict = _row(claim)["verdict"] if ours else entry(claim.key).evidence.verdict.value
        shown = {"key": claim.key, "title": claim.title, "verdict": verdict}
        rests = {"using": claim.using, "cites": claim.cites, "corrects": claim.corrects}
        found.append({**shown, **rests})
    return found


def anchor(key: str) -> str:
    """Return the anchor of a claim on its page: ``langevin-lemma-4.2``."""
    return key.replace(":", "-")


def groups(topic: str) -> list[tuple[str, str, list[Entry]]]:
    """Return the claims of a topic by section of the paper, with the section's name and title."""
    found: dict[str, list[Entry]] = {}
    for one in entries(topic):
        found.setdefault(one.claim.module, []).append(one)
    return [
        (module.rpartition(".")[2], _first_line(module), of_module)
        for module, of_module in found.items()
    ]


def symbols(topic: str) -> dict[str, RangedSymbol]:
    """Return the symbols of a topic by their names in Python, in the order of its notation."""
    catalog.load(topic)  # a wrong topic is an error that names the nearest
    found = topics.find(topic)
    if not (found.is_file or catalog.import_part(found, "notation")):
        return {}
    module = sys.modules[found.module if found.is_file else f"{found.module}.notation"]
    return {name: one for name, one in vars(module).items() if isinstance(one, RangedSymbol)}


def abbreviations(claim: Claim) -> list[tuple[str, str, RangedSymbol]]:
    """Return the symbols with a definition in a statement, each with its topic and name there."""
    sides: list[Expr] = []

    def noted(side: Expr) -> Expr:
        sides.append(side)
        return side

    for part in () if isinstance(claim.form, Noted) else (claim.form, *claim.given):
        part.map(noted)
    free = {symbol for side in sides for symbol in side.free_symbols}
    return [
        (topic, name, symbol)
        for topic in dict.fromkeys((claim.topic, "privacy"))
        for name, symbol in symbols(topic).items()
        if symbol in free and symbol.definition is not None
    ]


def _first_line(module: str) -> str:
    return (sys.modules[module].__doc__ or module).strip().splitlines()[0].rstrip(".")


def _evidence(claim: Claim, row: dict[str, Any]) -> Evidence:
    found = with_rendering(claim, from_json({**row, "certificate": None}))
    if found.counterexample is None and row.get("finding"):  # no variables: both sides are numbers
        found = replace(found, counterexample=Counterexample((), note=row["finding"]))
    return replace(
        found,
        reason=claim.form.why if isinstance(claim.form, Noted) else "",
        certificate=_proof(claim) if row.get("method") == proofs.METHOD else {},
    )


def _proof(claim: Claim) -> dict[str, Any]:
    entry = proof_on_record(claim)
    return {"proof": entry} if entry else {}
