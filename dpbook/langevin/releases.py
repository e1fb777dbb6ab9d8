"""Report runs of algorithm 1: one run step by step, many runs counted, the budget of the lines."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpbook.langevin.theory.sizes import Threshold, shown
from dpbook.privacy.noise import NOT_FOR_RELEASES
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINES = {
    6: "the noisy number of records is not positive",
    10: "the noisy number of records of V is at most 1",
    12: "V is empty",
    13: "the noisy centre is not positive",
    14: "W is empty",
    17: "the noisy number of records of W is below n_min",
}
"""Lines of algorithm 1 that return null, with why; 6 and 12 to 14 are guards of ours."""


@dataclass(frozen=True)
class Release:
    """Hold one run of algorithm 1, with everything on its way.

    Only `value` is private, as far as anything is: the sizes of V and W and the centre are not.

    Attributes
    ----------
    value : float or None
        What is released; None: null.
    line : int
        The line that returned.
    n_1 : int
        Number of records.
    noisy_n_1 : float
        Line 6.
    size_v : int or None
        Records whose ratio is at most noisy_n_1**rho_1, line 7. From here on None where the run
        ended before.
    n_2 : float or None
        Line 8.
    centre, noisy_centre : float or None
        m and its noisy version, lines 12 and 13.
    size_w : int or None
        Records within n_2**rho_2 of the noisy centre, line 14.
    n_w : float or None
        Line 15.
    n_min : Threshold or None
        What line 16 compares it with.
    """

    value: float | None
    line: int
    n_1: int
    noisy_n_1: float
    size_v: int | None
    n_2: float | None
    centre: float | None
    noisy_centre: float | None
    size_w: int | None
    n_w: float | None
    n_min: Threshold | None

    @property
    def _outcome(self) -> str:
        if self.value is None:
            return f"null at line {self.line}: {LINES[self.line]}"
        return f"{self.value:.6g}"

    def _steps(self) -> list[tuple[str, str, str]]:
        """Line, what was computed there, and its value."""
        rows: list[tuple[str, str, Any]] = [
            ("input", "records", self.n_1),
            ("6", "noisy number of records", self.noisy_n_1),
            ("7", "records of V", self.size_v),
            ("8", "noisy number of records of V", self.n_2),
            ("12", "centre of V", self.centre),
            ("13", "noisy centre", self.noisy_centre),
            ("14", "records of W", self.size_w),
            ("15", "noisy number of records of W", self.n_w),
            ("16", "n_min", None if self.n_min is None else shown(self.n_min.log10)),
        ]
        kept = [row for row in rows if row[2] is not None]
        return [(line, what, v if isinstance(v, str) else f"{v:.10g}") for line, what, v in kept]

    def __repr__(self) -> str:
        rows = ", ".join(f"{what} {value}" for _, what, value in self._steps())
        return f"Release({self._outcome}; {rows})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{line}</th><td>{what}</td><td>{value}</td></tr>"
            for line, what, value in self._steps()
        )
        return (
            f"<table><caption>{html.escape(self._outcome)}</caption>{rows}</table>"
            f"<p>{NOT_FOR_RELEASES}</p>"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        rows = "; ".join(f"line {line}, {what}: {value}" for line, what, value in self._steps()[1:])
        returned = "null" if self.value is None else "a draw"
        return (
            f"Counts of one run of algorithm 1 on {self.n_1} records, from top to bottom: {rows}. "
            f"It returned {returned}: {self._outcome}. {NOT_FOR_RELEASES}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the counts, and n_min; as powers of ten where n_min is far beyond them."""
        ax = ax or figures.axes()
        rows = [
            ("records", self.n_1),
            ("noisy", self.noisy_n_1),
            ("of V", self.size_v),
            ("of V, noisy", self.n_2),
            ("of W", self.size_w),
            ("of W, noisy", self.n_w),
        ]
        least = -math.inf if self.n_min is None else self.n_min.log10
        far = least > 2 + math.log10(self.n_1)
        shown_rows = [(name, v) for name, v in rows if v is not None and (v > 0 or not far)]
        sizes = [math.log10(v) if far else v for _, v in shown_rows]
        ax.plot(sizes, range(len(sizes)), "o", color=figures.PALETTE[0])
        ax.set_yticks(range(len(sizes)), [name for name, _ in shown_rows])
        ax.invert_yaxis()
        if self.n_min is not None:
            at = least if far else 10**least
            ax.axvline(at, color=figures.PALETTE[1], linestyle="--", label="n_min")
            ax.legend(loc="center")
        if not far:
            ax.set_xlim(min(0, *sizes), 1.08 * max(10**least, *sizes))
        ax.set_xlabel("power of ten of the number of records" if far else "number of records")
        return ax


@dataclass(frozen=True)
class Runs:
    """Counts of the lines at which many runs of algorithm 1 ended.

    Attributes
    ----------
    size : int
    ended : dict of int to int
        How many returned null, by line.
    """

    size: int
    ended: Mapping[int, int]

    @property
    def released(self) -> int:
        """Number of runs that released a draw."""
        return self.size - sum(self.ended.values())

    @property
    def probability(self) -> float:
        """Share of the runs that released a draw."""
        return self.released / self.size

    def __repr__(self) -> str:
        rows = "".join(f", line {line}: {count}" for line, count in sorted(self.ended.items()))
        return f"Runs({self.size}, released: {self.released}{rows})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>null at line {line}</th><td>{count}</td><td>{LINES[line]}</td></tr>"
            for line, count in sorted(self.ended.items())
        )
        return (
            f"<table><tr><th>released</th><td>{self.released}</td><td>of {self.size} runs</td></tr>"
            f"{rows}</table>"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        rows = "".join(
            f", null at line {line} {count / self.size:.4g}"
            for line, count in sorted(self.ended.items())
        )
        return f"Shares of {self.size} runs of algorithm 1: released {self.probability:.4g}{rows}."

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the shares."""
        ax = ax or figures.axes()
        rows = [("released", self.released)]
        rows += [(f"null, line {line}", count) for line, count in sorted(self.ended.items())]
        names = [name for name, _ in rows]
        bars = ax.bar(names, [count / self.size for _, count in rows], color=figures.PALETTE[3])
        ax.bar_label(bars, fmt="%.3g")
        ax.grid(visible=False, axis="x")
        ax.set_ylim(0, 1.08)
        ax.set_ylabel("share of the runs")
        return ax
