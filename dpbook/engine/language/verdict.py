"""Hold verdicts and the evidence behind them: frozen values that know how to show themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from dpbook.engine.language import card
from dpbook.engine.language.card import Card, Code, Maths, Row, as_html, as_text, row


class Verdict(StrEnum):
    """Name the finding of the engine about a statement; it is equal to its word, as "proved"."""

    PROVED = "proved"
    REFUTED = "refuted"
    SUPPORTED = "supported"
    UNDECIDED = "undecided"
    NOTED = "noted"

    @property
    def strength(self) -> int:
        """Return the order for "the weakest part of an `and`", from refuted up to proved."""
        return LOOKS[self].strength


@dataclass(frozen=True)
class Look:
    """Describe how a verdict is shown, and how it stands to the others.

    Attributes
    ----------
    strength : int
        In an `and`, the part with the least strength decides.
    on_record : int
        A verdict with less than the verdict on record is weaker.
    colour : str
        Behind white letters.
    frame : str
        Of lines and frames.
    terminal : str
        In a terminal.
    square : bool
        Whether its frame has sharp corners: not all eyes tell colours apart.
    """

    strength: int
    on_record: int
    colour: str
    frame: str
    terminal: str
    square: bool = False


LOOKS = {
    Verdict.PROVED: Look(4, 3, "#00614a", "#00876c", "green"),
    Verdict.REFUTED: Look(0, 3, "#a3260f", "#c8432b", "red", square=True),
    Verdict.SUPPORTED: Look(2, 2, "#7a5a00", "#d8a100", "yellow"),
    Verdict.NOTED: Look(3, 1, "#3b4a6b", "#6b7a99", "blue"),
    Verdict.UNDECIDED: Look(1, 0, "#5a5a5a", "#777777", "magenta"),
}

A_THEOREM = "a theorem of the literature"
TAKEN = (  # explains an axiom to a reader, where the kernel does not have the axiom
    "is taken as an axiom: a statement from which a proof begins, and which is not proved here; "
    'the page "What is trusted" of the book lists them all (trusted.html#named-axioms)'
)
NAMED = "named axiom "  # begins the name of a trusted theorem: its key and its source follow

FOLLOWED = "it fails there"  # by a certificate, at a point
EVERYWHERE = "the negation is proved for every value"
BOUNDED = "it bounds all values there"
NO_INTEGER = "with an end that is no integer"  # of a sum or a product, which has no value

# the work of each method, in words for a reader who does not know its name
HOW = {
    "kernel": "each step checked by the kernel",
    "identity": "normal form: both sides become the same expression",
    "cells": "interval by interval",
    "form": "by the form of the lines",
    "limit": "by a limit",
    "point": "computed at a point",
    "value": "computed: nothing is varied in it",
    "points": "tried at many points, without a failure",
    "example": "at the example that its author supplies",
    "examples": "on examples with a few outcomes, exactly",
    "start": "at the start of the sequence",
    "statistical": "a statistical test with a stated chance of error",
}


def how(method: str) -> str:
    """Say in words how a method works; `method` may name several, joined by commas."""
    names = [name.strip() for name in method.split(",") if name.strip()]
    return "; ".join(HOW.get(name, name) for name in names)


@dataclass(frozen=True)
class Counterexample:
    """Represent an exact point of the domain at which a statement fails.

    Attributes
    ----------
    point : tuple of (name, value)
        Each symbol with its exact value as text.
    lhs, relation, rhs : str
        Both sides there, to a few digits, and the relation; empty where a side is undefined.
    note : str
        ``undefined at ...`` where a side is not a real number, or the limit that refutes.
    shown : tuple of (name, value)
        The point as it is written, where this differs from `point`.
    """

    point: tuple[tuple[str, str], ...]
    lhs: str = ""
    relation: str = ""
    rhs: str = ""
    note: str = ""
    shown: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def as_dict(self) -> dict[str, str]:
        """Return the point as a mapping from symbol name to exact text."""
        return dict(self.point)

    @property
    def where(self) -> str:
        """Return the point as one line of text; empty where a limit or a proof refutes instead."""
        return ", ".join(f"{name} = {value}" for name, value in self.shown or self.point)

    @property
    def finding(self) -> str:
        """Describe the failure at the point, as one line of text."""
        sides = f"{self.lhs} {self.relation} {self.rhs} is false" if self.lhs else ""
        return "; ".join(part for part in (self.note, sides) if part)

    @property
    def told(self) -> list[tuple[str, str]]:
        """Return the lines that show the counterexample, each as a label and a text."""
        labels = ("counterexample", "there") if self.point else ("", "because")
        return [(k, v) for k, v in zip(labels, (self.where, self.finding), strict=True) if v]

    def __str__(self) -> str:
        return ": ".join(text for _, text in self.told)


@dataclass(frozen=True)
class Evidence:
    """Hold a verdict with everything that a reader needs to believe or to check it.

    It is true where it `holds`, so that ``assert check(...)`` fails for an unproved statement.

    Attributes
    ----------
    verdict : Verdict
    method : str
        The method that decided, e.g. ``kernel``, ``cells``, ``point``.
    trusted : tuple of str
        The names of everything that must be trusted for the verdict to hold.
    counterexample : Counterexample or None
    margin : str
        For a supported statement the smallest relative margin seen, and where.
    seconds : float
    reason : str
        Why the verdict is not stronger, or how the proof goes, in a line.
    statement, latex : str
        The statement as text and as LaTeX.
    sample : tuple of (name, value)
        An exact point of the domain, so that no proof is vacuous.
    certificate : dict
        The result of the proof: under ``proof``, a sequent and the certificate for the kernel.
    parts : tuple of Evidence
        For an `and`, the evidence of each part.
    given : tuple of str
        The conditions of a statement of one's own, as text.
    """

    verdict: Verdict
    method: str = ""
    trusted: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    margin: str = ""
    seconds: float = 0.0
    reason: str = ""
    statement: str = ""
    latex: str = ""
    sample: tuple[tuple[str, str], ...] = ()
    certificate: dict[str, Any] = field(default_factory=dict, compare=False)
    parts: tuple[Evidence, ...] = ()
    given: tuple[str, ...] = ()

    @property
    def named_axioms(self) -> tuple[str, ...]:
        """Return the facts of the literature that the verdict rests on, each with its source."""
        return tuple(name.removeprefix(NAMED) for name in self.trusted if name.startswith(NAMED))

    @property
    def word(self) -> str:
        """Return the text of the badge: the verdict, and how many theorems it takes as given."""
        count = len(self.named_axioms)
        theorems = A_THEOREM if count == 1 else f"{count} theorems of the literature"
        return f"{self.verdict.value}, given {theorems}" if count else self.verdict.value

    @property
    def by_tactic(self) -> bool:
        """Say whether a tactic alone proved the statement, without a certificate for the kernel."""
        named = any(name.startswith("tactic ") for name in self.trusted)
        return self.verdict is Verdict.SUPPORTED and named

    @property
    def holds(self) -> bool:
        """Say whether the kernel or a tactic alone proved it, which is enough to mark an answer."""
        return self.verdict is Verdict.PROVED or self.by_tactic

    def __bool__(self) -> bool:
        """Say whether the statement holds; compare with None to find missing evidence."""
        return self.holds

    @property
    def how(self) -> str:
        """Say in words how the verdict was reached."""
        return how(self.method) + (", of the part that is proved" if self.in_part else "")

    @property
    def in_part(self) -> bool:
        """Say whether the kernel accepted a proof that covers only a part of the claim."""
        return self.verdict is Verdict.SUPPORTED and self.method == "kernel"

    @property
    def tried(self) -> list[Row]:
        """Say how close points came to a failure, or how many were tried if rounding decides."""
        margin, _, drawn = self.margin.rpartition("; ")
        if margin.startswith(("-", "0 ")):
            return row("tried", f"{drawn}, none fails in exact numbers")
        only_counted = not margin and drawn.endswith(("point", "points"))
        return row("tried" if only_counted else "closest", self.margin)

    @property
    def rows(self) -> list[Row]:
        """Return rows for the finding, the method, and the names of everything that is trusted."""
        found = self.counterexample
        decided_at_a_point = self.verdict is Verdict.REFUTED and found is not None
        return [
            *row("given", "; ".join(self.given)),
            *(Row(label, (Code(said),)) for label, said in (found.told if found else ())),
            *row("how", "" if decided_at_a_point else self.how),
            # the name of an axiom may hold a comma: "gamma, from a point"
            *row(
                "trusted",
                *self.trusted,
                comma="; " if any("," in one for one in self.trusted) else ", ",
            ),
            *row("not proved here", f"the named theorem {TAKEN}" if self.named_axioms else ""),
            *self.tried,
            *row("remark", self.reason),
        ]

    def card(self, rows: Sequence[Row] = (), **of_claim: Any) -> Card:
        """Return the card that is shown; a claim has rows of its own, a key and a title."""
        look = LOOKS[self.verdict]
        statement = Maths(self.statement, self.latex)
        shown = tuple(rows or self.rows)
        return Card(self.word, look.colour, look.frame, statement, shown, **of_claim)

    def __repr__(self) -> str:
        return as_text(self.card())

    def _repr_html_(self) -> str:
        return as_html(self.card())


EXACT = "exact arithmetic and Arb"  # is trusted where a statement fails at a point


def failing_at(found: Counterexample, sample: Sequence[tuple[str, str]], *trusted: str) -> Evidence:
    """Return the evidence of a point at which a statement fails by exact numbers and balls."""
    return Evidence(
        Verdict.REFUTED,
        method="point",
        trusted=(*trusted, EXACT),
        counterexample=found,
        sample=tuple(sample),
    )


_KEPT = ("point", "lhs", "relation", "rhs", "note")  # of a counterexample


def to_json(evidence: Evidence) -> dict[str, Any]:
    """Return evidence as plain data, without the text of the statement."""
    found = evidence.counterexample
    return {
        "verdict": evidence.verdict.value,
        "method": evidence.method,
        "trusted": list(evidence.trusted),
        "counterexample": found and {name: getattr(found, name) for name in _KEPT},
        "margin": evidence.margin,
        "seconds": round(evidence.seconds, 3),
        "reason": evidence.reason,
        "sample": evidence.sample,
        "certificate": evidence.certificate,
    }


def from_json(row: Mapping[str, Any]) -> Evidence:
    """Read evidence from plain data, made by `to_json` or kept by a record, which keeps less."""
    found = row.get("counterexample")
    counterexample = None
    if isinstance(found, str):  # no point, but a limit or a proof of the contrary
        counterexample = Counterexample((), note=found)
    elif found and "point" in found and not isinstance(found["point"], str):
        counterexample = Counterexample(**{**found, "point": tuple(map(tuple, found["point"]))})
    elif found:
        counterexample = Counterexample(tuple(found.items()), note=row.get("finding", ""))
    return Evidence(
        Verdict(row["verdict"]),
        method=row.get("method", ""),
        trusted=tuple(row.get("trusted", ())),
        counterexample=counterexample,
        margin=row.get("margin", ""),
        seconds=row.get("seconds", 0.0),
        reason=row.get("reason", ""),
        sample=tuple((name, value) for name, value in row.get("sample", ())),
        certificate=row.get("certificate") or {},
    )


def badge(verdict: Verdict, word: str = "") -> str:
    """Return the verdict as a coloured word in HTML, or another `word` in its colour."""
    return card.badge(word or verdict.value, LOOKS[verdict].colour)


def weakest(parts: tuple[Evidence, ...]) -> Evidence:
    """Return the part with the weakest verdict (the first of them)."""
    return min(parts, key=lambda part: part.verdict.strength)
