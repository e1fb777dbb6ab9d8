"""Verdicts and the evidence behind them: frozen values that know how to show themselves."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Verdict(Enum):
    """What the engine found out about a statement."""

    PROVED = "proved"
    REFUTED = "refuted"
    SUPPORTED = "supported"
    UNDECIDED = "undecided"
    NOTED = "noted"

    @property
    def strength(self) -> int:
        """Order used for "the weakest part of an `and`": refuted is the weakest, proved the best."""
        return _STRENGTH[self]

    def __str__(self) -> str:
        return self.value


_STRENGTH = {
    Verdict.REFUTED: 0,
    Verdict.UNDECIDED: 1,
    Verdict.SUPPORTED: 2,
    Verdict.NOTED: 3,
    Verdict.PROVED: 4,
}

_COLOURS = {
    Verdict.PROVED: "#00614a",
    Verdict.REFUTED: "#a3260f",
    Verdict.SUPPORTED: "#7a5a00",
    Verdict.UNDECIDED: "#5a5a5a",
    Verdict.NOTED: "#3b4a6b",
}


@dataclass(frozen=True)
class Counterexample:
    """An exact point of the domain at which a statement fails.

    Attributes
    ----------
    point : tuple of (name, value)
        Each symbol with its exact value as text.
    lhs, relation, rhs : str
        What both sides are there, to a few digits; empty where a side is undefined.
    note : str
        ``undefined at ...`` where a side is not a real number, the limit where one refutes.
    """

    point: tuple[tuple[str, str], ...]
    lhs: str = ""
    relation: str = ""
    rhs: str = ""
    note: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return the point as a mapping from symbol name to exact text."""
        return dict(self.point)

    @property
    def where(self) -> str:
        """The point as one line of text; empty where no point refutes, but a limit or a proof."""
        return ", ".join(f"{name} = {value}" for name, value in self.point)

    @property
    def finding(self) -> str:
        """What happens at the point, as one line of text."""
        sides = f"{self.lhs} {self.relation} {self.rhs} is false" if self.lhs else ""
        return "; ".join(part for part in (self.note, sides) if part)

    @property
    def told(self) -> list[tuple[str, str]]:
        """What is shown of it: a label and a text each."""
        labels = ("counterexample", "there") if self.point else ("", "because")
        return [(k, v) for k, v in zip(labels, (self.where, self.finding), strict=True) if v]

    @property
    def paragraph(self) -> str:
        """What is shown of it, in HTML."""
        told = (f"{label}: <code>{html.escape(text)}</code>" for label, text in self.told)
        return f"<p>{'<br>'.join(told)}</p>"

    def __str__(self) -> str:
        return ": ".join(text for _, text in self.told)


@dataclass(frozen=True)
class Evidence:
    """A verdict with everything that a reader needs to believe or to check it.

    Attributes
    ----------
    verdict : Verdict
    method : str
        The method that decided, e.g. ``identity``, ``calculus``, ``z3``, ``balls``, ``point``.
    trusted : tuple of str
        What has to be trusted for the verdict to hold.
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
        A small record from which `dpbook verify --recheck` decides again.
    parts : tuple of Evidence
        For an `and`, the evidence of each part.
    steps : tuple of str
        The outline of the proof, one line a step.
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
    steps: tuple[str, ...] = ()

    def __repr__(self) -> str:
        lines = [
            f"{self.verdict.value}: {self.statement}" if self.statement else self.verdict.value
        ]
        if self.counterexample is not None:
            lines += [f"  {label}: {text}" for label, text in self.counterexample.told]
        if self.method:
            trusted = f" (trusted: {', '.join(self.trusted)})" if self.trusted else ""
            lines.append(f"  by {self.method}{trusted}")
        if self.margin:
            lines.append(f"  margin: {self.margin}")
        if self.reason:
            lines.append(f"  {self.reason}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        maths = (
            f'<span class="math notranslate nohighlight">\\({html.escape(self.latex)}\\)</span>'
            if self.latex
            else html.escape(self.statement)
        )
        rows = [f"<p>{badge(self.verdict)} {maths}</p>"]
        if self.counterexample is not None:
            rows.append(self.counterexample.paragraph)
        if self.method:
            trusted = f"; trusted: {', '.join(self.trusted)}" if self.trusted else ""
            rows.append(f"<p>by {html.escape(self.method + trusted)}</p>")
        if self.margin:
            rows.append(f"<p>margin: {html.escape(self.margin)}</p>")
        if self.reason:
            rows.append(f"<p>{html.escape(self.reason)}</p>")
        return "<div>" + "".join(rows) + "</div>"


def badge(verdict: Verdict) -> str:
    """Return the verdict as a coloured word in HTML."""
    style = f"background:{_COLOURS[verdict]};color:#fff;border-radius:3px;padding:1px 6px"
    return f'<strong style="{style}">{verdict.value}</strong>'


def weakest(parts: tuple[Evidence, ...]) -> Evidence:
    """Return the part with the weakest verdict (the first of them)."""
    return min(parts, key=lambda part: part.verdict.strength)
