"""Account for the budget of a mechanism, part by part."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass

__all__ = ["Accounting", "Spending"]


@dataclass(frozen=True)
class Spending:
    """Hold the budget of one part of a mechanism.

    Attributes
    ----------
    line : str
        The part: a line of an algorithm, or a name.
    what : str
        The output of the part.
    epsilon, delta : float
        An infinite epsilon: none is guaranteed at this delta.
    claim : str
        Key of the proved claim that says so; else the source, with the words that no claim does, or
        how far one does.
    """

    line: str
    what: str
    epsilon: float
    delta: float
    claim: str


@dataclass(frozen=True)
class Accounting:
    """Hold the budget of a mechanism, part by part; sequential composition adds it up.

    Attributes
    ----------
    lines : tuple of Spending
    claim : str
        Key of the claim that the sum rests on.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.privacy import LaplaceMechanism
    >>> LaplaceMechanism(np.sum, 1.0, 0.5).accounting
    Accounting(noise: (0.5, 0))
    """

    lines: tuple[Spending, ...]
    claim: str = "privacy:composition-basic"

    @property
    def epsilon(self) -> float:
        """Sum over the parts."""
        return math.fsum(line.epsilon for line in self.lines)

    @property
    def delta(self) -> float:
        """Sum over the parts."""
        return math.fsum(line.delta for line in self.lines)

    def __repr__(self) -> str:
        rows = ", ".join(f"{one.line}: ({one.epsilon:g}, {one.delta:g})" for one in self.lines)
        total = f"; in all ({self.epsilon:g}, {self.delta:g})" if len(self.lines) > 1 else ""
        return f"Accounting({rows}{total})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{html.escape(one.line)}</th><td>{html.escape(one.what)}</td>"
            f"<td>{one.epsilon:g}</td><td>{one.delta:g}</td><td>{_source(one.claim)}</td></tr>"
            for one in self.lines
        )
        if len(self.lines) > 1:
            total = f"<td></td><td>{self.epsilon:g}</td><td>{self.delta:g}</td>"
            rows += f"<tr><th>in all</th>{total}<td>{_source(self.claim)}</td></tr>"
        return (
            "<table><tr><th>line</th><th>what</th><th>epsilon</th><th>delta</th><th>claim</th></tr>"
            f"{rows}</table>"
        )

    def describe(self) -> str:
        """Return the words for the table."""
        rows = "; ".join(
            f"{'line ' * one.line.isdigit()}{one.line}, {one.what}: ({one.epsilon:g}, {one.delta:g})"
            for one in self.lines
        )
        total = f" In all ({self.epsilon:g}, {self.delta:g})." if len(self.lines) > 1 else ""
        return f"{rows}.{total}"


def _source(claim: str) -> str:
    """A key as code, a source as it is."""
    return f"<code>{html.escape(claim)}</code>" if " " not in claim else html.escape(claim)
