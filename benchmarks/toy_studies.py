"""Toy studies for `studies.py`: their cells draw one number and sleep."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.random import Generator

from dpbook.study import Cell, Scale, grid, study
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Total:
    """The sum of all cells."""

    cells: int
    total: float

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> "Total":
        return cls(len(cells), math.fsum(cell.record["x"] for cell in cells))

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        return ({"cells": self.cells, "total": self.total},)

    def describe(self) -> str:
        return f"{self.cells} cells."

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        ax = ax or figures.axes()
        ax.plot([0, self.total])
        return ax


@study(
    "toy-scale",
    place="none",
    quick=Scale(grid(pause=[0.0]), replicates=1000),
    paper=Scale(grid(pause=[0.0], n=range(200)), replicates=1000),
    summary=Total.of,
)
def nothing(rng: Generator, pause: float, n: int = 0) -> dict[str, float]:
    """A normal number, and a pause."""
    time.sleep(pause)
    return {"x": rng.standard_normal()}


@study(
    "toy-uneven",
    place="none",
    quick=Scale(grid(pause=[0.02]), replicates=150),
    paper=Scale(grid(pause=[0.02, 0.05, 0.3, 0.01, 0.1]), replicates=60),
    summary=Total.of,
)
def uneven(rng: Generator, pause: float) -> dict[str, float]:
    """A normal number, after a pause that differs from setting to setting."""
    time.sleep(pause)
    return {"x": rng.standard_normal()}
