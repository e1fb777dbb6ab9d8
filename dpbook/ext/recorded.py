"""Claims with the verdicts on record: nothing is decided here."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from functools import cache
from typing import Any

import sympy
from sympy import Expr

from dpbook.engine import ledger, proofs, record
from dpbook.engine.claim import Claim
from dpbook.engine.domain import RangedSymbol
from dpbook.engine.ledger import Entry
from dpbook.engine.statement import Noted
from dpbook.engine.verdict import Evidence, from_json


@cache
def entries(topic: str) -> tuple[Entry, ...]:
    """Return the claims of a topic with what is on record of them, in the order of the paper.

    Raises
    ------
    ValueError
        When a claim is not on record, or its statement has changed since.
    """
    rows = record.read_record(record.record_path(topic))
    found = []
    for claim in ledger.load(topic):
        row = rows.get(claim.key)
        if row is None or row["hash"] != claim.hash:
            state = "not on record" if row is None else "changed since it was recorded"
            raise ValueError(f"{claim.key} is {state}: dpbook verify --record")
        found.append(Entry(claim, _evidence(claim, row)))
    return tuple(found)


def entry(key: str) -> Entry:
    """Return one claim with what is on record of it.

    Raises
    ------
    ValueError
        When there is none of that key; the message names the nearest.
    """
    topic = ledger.find(key).topic
    return next(one for one in entries(topic) if one.claim.key == key)


def rows(topic: str) -> list[dict[str, Any]]:
    """Return the claims of a topic as rows of the ledger."""
    return [
        ledger.row_of(one.claim, one.evidence, True, one.corrected_by) for one in entries(topic)
    ]


def anchor(key: str) -> str:
    """Return the anchor of a claim on its page: ``langevin-lemma-4.2``."""
    return key.replace(":", "-")


def groups(topic: str) -> list[tuple[str, str, list[Entry]]]:
    """Return the claims of a topic by section of the paper, with the section's name and title."""
    found: dict[str, list[Entry]] = {}
    for one in entries(topic):
        found.setdefault(one.claim.function.__module__, []).append(one)
    return [
        (module.rpartition(".")[2], _first_line(module), of_module)
        for module, of_module in found.items()
    ]


def symbols(topic: str) -> dict[str, RangedSymbol]:
    """Return the symbols of a topic by their names in Python, in the order of its notation."""
    ledger.load(topic)  # a wrong topic is an error that names the nearest
    module = importlib.import_module(f"dpbook.{topic}.notation")
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
    with sympy.evaluate(False):
        latex = claim.form.latex()
    return replace(
        from_json({**row, "certificate": None}),
        reason=claim.form.why if isinstance(claim.form, Noted) else "",
        latex=latex,
        certificate=_proof(claim) if row.get("method") == proofs.METHOD else {},
    )


def _proof(claim: Claim) -> dict[str, Any]:
    entry = proofs.of_topic(claim.topic).get(claim.key)
    return {"proof": entry} if entry else {}
