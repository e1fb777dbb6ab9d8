"""The picture of a composition: delta against epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpbook.engine.language.card import Described
from dpbook.privacy.accounting.enclosure import Enclosure
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEAST = 1e-8  # delta where the picture ends


@dataclass(frozen=True, repr=False)
class CompositionProfile(Described):
    """Delta of a composition at many epsilons.

    Attributes
    ----------
    composition : str
    epsilons : tuple of float
    deltas : tuple of Enclosure
    """

    composition: str
    epsilons: tuple[float, ...]
    deltas: tuple[Enclosure, ...]

    def describe(self) -> str:
        """Return the words for the picture."""
        places = dict.fromkeys((0, len(self.epsilons) // 2, len(self.epsilons) - 1))
        found = ", ".join(f"{self.deltas[i].upper:.4g} at {self.epsilons[i]:.4g}" for i in places)
        return f"Delta of {self.composition} is at most {found}."

    def __repr__(self) -> str:
        ends = f"{self.epsilons[0]:.4g} to {self.epsilons[-1]:.4g}"
        return f"CompositionProfile({self.composition}, {len(self.epsilons)} epsilons from {ends})"

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw delta against epsilon."""
        ax = ax or figures.axes()
        ax.plot(self.epsilons, [max(delta.upper, LEAST / 10) for delta in self.deltas])
        ax.set_yscale("log")
        ax.set_ylim(LEAST, 1)
        ax.minorticks_off()
        ax.set_xlabel("privacy loss ε")
        ax.set_ylabel("failure δ")
        return ax
