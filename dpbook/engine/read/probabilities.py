r"""Probabilities that are written out, as ``\Pr[M(x) \in S]``: symbols, whose events are not understood."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

import sympy

from dpbook.engine.read.names import PROBABILITY
from dpbook.engine.statement import Relation
from dpbook.engine.verdict import Evidence, Verdict

Found = TypeVar("Found", bound=Evidence)


def probability_ranges(trees: Iterable[Any]) -> list[Relation]:
    """Return the ranges of the probabilities in trees and expressions: from 0 to 1."""
    found = sorted(
        {s for tree in trees for s in tree.free_symbols if s.name.startswith(PROBABILITY)}, key=str
    )
    ends = ((">=", sympy.S.Zero), ("<=", sympy.S.One))
    return [Relation(symbol, sign, end) for symbol in found for sign, end in ends]


def without_chosen_events(evidence: Found, trees: Iterable[Any]) -> Found:
    """Take back a refutation that chose probabilities as it liked: events are not understood."""
    if evidence.verdict is not Verdict.REFUTED or not probability_ranges(trees):
        return evidence
    where = evidence.counterexample.where if evidence.counterexample else ""
    return replace(
        evidence,
        verdict=Verdict.UNDECIDED,
        counterexample=None,
        reason="it does not follow from 0 <= probability <= 1 alone"
        + (f": it fails at {where}" if where else ""),
    )
