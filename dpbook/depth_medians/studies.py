"""Compute the paper's figure, with pass rates and the Cauchy panel, which it leaves out.

``dpbook study run depth-figure-1``; see `dpbook.study`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator

from dpbook.depth_medians.competitors import SmoothedDepth
from dpbook.depth_medians.mechanisms import FIGURE_1
from dpbook.depth_medians.models import PANELS, dataset
from dpbook.depth_medians.projections import outlyingness_of
from dpbook.privacy.coinpress import CoinPress
from dpbook.privacy.conversions import dp_to_zcdp
from dpbook.study import Cell, Scale, Setting, grid, study
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = tuple[Mapping[str, Any], ...]

ESTIMATES = {
    "mean": "mean",
    "coinpress": "CoinPress",
    "median": "PD median",
    "private": "private PD",
    "integrated": "IDD median",
    "integrated_private": "private IDD",
}
"""Names of the errors in a record, and in the figure."""

MODES = ("nested", "nested_wide", "corrected", "printed")
LEVELS = 9  # no larger margin is looked for
DIRECTIONS = 500  # 1000 in 20 dimensions


@dataclass(frozen=True)
class Place:
    """Hold one panel and dimension of the figure.

    Attributes
    ----------
    panel : str
    dimension : int
    repetitions : int
    errors : dict of str to float
        Root mean squared error of each estimate; of the private median over its releases.
    released : float
        Share of the repetitions in which the private median was released.
    passes : dict of str to float
        For each mode, the mean chance that its test passes.
    margins : dict of str to float
        For each mode, the median margin, at most 9.
    exact : float
        Share of the releases whose draw was exact.
    volume : float
        Mean logarithm of the printed ratio of volumes; the test needs log(delta) = -6.9.
    minimum : float
        Mean least outlyingness.
    """

    panel: str
    dimension: int
    repetitions: int
    errors: Mapping[str, float]
    released: float
    passes: Mapping[str, float]
    margins: Mapping[str, float]
    exact: float
    volume: float
    minimum: float

    @classmethod
    def of(cls, panel: str, dimension: int, records: Sequence[Mapping[str, Any]]) -> Place:
        """Join the repetitions."""

        def column(name: str) -> Any:
            return np.array([record[name] for record in records], dtype=np.float64)

        def root_mean_square(name: str) -> float:
            errors = column(name)
            kept = errors[np.isfinite(errors)]
            return float(np.sqrt(np.mean(kept**2))) if kept.size else math.nan

        released = np.isfinite(column("private"))
        return cls(
            panel,
            dimension,
            len(records),
            {name: root_mean_square(name) for name in ESTIMATES},
            float(released.mean()),
            {mode: float(column(f"passes_{mode}").mean()) for mode in MODES},
            {mode: float(np.median(column(f"margin_{mode}"))) for mode in MODES},
            float(column("exact")[released].mean()) if released.any() else math.nan,
            float(column("volume").mean()),
            float(column("minimum").mean()),
        )


@dataclass(frozen=True)
class FigureOne:
    """Figure 1: errors of private and other estimates of location, over dimensions.

    Attributes
    ----------
    places : tuple of Place
    """

    places: tuple[Place, ...]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> FigureOne:
        """Join the repetitions of each panel and dimension."""
        keys = dict.fromkeys(
            (str(cell.setting["panel"]), int(cell.setting["dimension"])) for cell in cells
        )
        return cls(
            tuple(
                Place.of(
                    panel,
                    dimension,
                    [
                        cell.record
                        for cell in cells
                        if (cell.setting["panel"], cell.setting["dimension"]) == (panel, dimension)
                    ],
                )
                for panel, dimension in keys
            )
        )

    @property
    def rows(self) -> Rows:
        """Errors, margins and chances, for each panel and dimension."""
        return tuple(
            {
                "panel": place.panel,
                "d": place.dimension,
                "repetitions": place.repetitions,
                **{ESTIMATES[name]: place.errors[name] for name in ESTIMATES},
                "released": place.released,
                **{f"passes, {mode}": place.passes[mode] for mode in MODES},
                **{f"margin, {mode}": place.margins[mode] for mode in MODES},
                "exact draws": place.exact,
                "printed log volume": place.volume,
                "least outlyingness": place.minimum,
            }
            for place in self.places
        )

    def at(self, panel: str) -> list[Place]:
        """Return the places of a panel, by dimension."""
        return [place for place in self.places if place.panel == panel]

    def __repr__(self) -> str:
        shown = "; ".join(
            f"{one.panel} d={one.dimension}: PD {one.errors['median']:.3g}, private "
            f"{one.errors['private']:.3g}, released {one.released:.3g}"
            for one in self.places
        )
        return f"FigureOne({shown})"

    def _repr_html_(self) -> str:
        return figures.html_table(self.rows)

    def describe(self) -> str:
        """Return the words for the picture."""
        said = []
        for panel in dict.fromkeys(place.panel for place in self.places):
            low, high = self.at(panel)[0], self.at(panel)[-1]
            parts = ", ".join(
                f"{ESTIMATES[name]} {low.errors[name]:.3g} and {high.errors[name]:.3g}"
                for name in ESTIMATES
            )
            said.append(
                f"{panel.capitalize()}, in {low.dimension} and {high.dimension} dimensions: {parts}; "
                f"the default test passes with chance {low.passes['nested']:.3g} and "
                f"{high.passes['nested']:.3g}, the printed one with {low.passes['printed']:.3g} and "
                f"{high.passes['printed']:.3g}."
            )
        return f"Root mean squared errors of estimates of a centre at 0. {' '.join(said)}"

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the panels below each other; into given axes the first panel only."""
        panels = list(dict.fromkeys(place.panel for place in self.places))
        if ax is not None:
            self._panel(ax, panels[0])
            ax.legend(fontsize=7)
            return ax
        first = figures.axes(height=2.4 * len(panels) + 0.6)
        figure = first.get_figure(root=True)
        assert figure is not None
        spaces = figure.add_gridspec(len(panels), 1)
        first.set_subplotspec(spaces[0])
        drawn = [first, *(figure.add_subplot(spaces[k]) for k in range(1, len(panels)))]
        for axes, panel in zip(drawn, panels, strict=True):
            self._panel(axes, panel)
            axes.set_xlabel("dimension" if axes is drawn[-1] else "")
        handles, labels = first.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3)
        return first

    def _panel(self, ax: Axes, panel: str) -> None:
        places = self.at(panel)
        dimensions = [place.dimension for place in places]
        markers = "os^vDx"
        for (name, label), marker in zip(ESTIMATES.items(), markers, strict=True):
            errors = [place.errors[name] for place in places]
            lines = {"marker": marker, "markersize": 4, "linewidth": 1.3, "label": label}
            if name == "integrated_private":  # the sixth of five colours
                lines |= {"color": "#767676", "linestyle": "--"}
            ax.plot(dimensions, errors, **lines)  # type: ignore[arg-type]
        ax.set_xticks(dimensions)
        ax.set_yscale("log")
        ax.set_title(panel, fontsize=9)
        ax.set_xlabel("dimension")
        ax.set_ylabel("root mean squared error")


def _settings(dimensions: Sequence[int], n: int) -> list[Setting]:
    return grid(panel=PANELS, dimension=dimensions, n=[n])


@study(
    "depth-figure-1",
    place="Figure 1",
    quick=Scale(_settings((2, 5, 10), 10_000), replicates=4),
    paper=Scale(_settings((2, 5, 10, 15, 20), 10_000), replicates=50),
    summary=FigureOne.of,
)
def figure_1(rng: Generator, panel: str, dimension: int, n: int) -> dict[str, float]:
    """Errors of private and other medians and means.

    One cell is one dataset. Its private median is released, or not, by the default test; the
    results of the other tests are recorded beside it.
    """
    rows = dataset(panel, n, dimension, rng)  # type: ignore[arg-type]
    size = DIRECTIONS if dimension < 20 else 2 * DIRECTIONS
    setting = replace(FIGURE_1, directions=size)
    directions = setting.directions_in(dimension)
    epsilon, delta = setting.epsilon, setting.delta
    released = replace(setting, levels=LEVELS).release(rows, rng, directions)
    found: dict[str, float] = {
        "margin_nested": released.safety.margin,
        "passes_nested": released.safety.probability,
        "minimum": released.safety.minimum,
        "exact": float(released.exact),
    }
    for mode in MODES[1:]:
        safety = replace(setting, mode=mode).safety(rows, directions)  # type: ignore[arg-type]
        found[f"margin_{mode}"] = safety.margin
        found[f"passes_{mode}"] = safety.probability
        if mode == "printed":
            found["volume"] = float(safety.volume[0])
    smoothed = SmoothedDepth.of(rows, directions)
    estimates = {
        "mean": rows.mean(axis=0),
        "coinpress": CoinPress(
            dp_to_zcdp(epsilon, delta), 1.0, 4, radius=10 * math.sqrt(dimension)
        ).draws(rows, 1, rng)[0],
        "median": outlyingness_of(rows, directions).minimum()[0],
        "private": np.full(dimension, np.nan) if released.value is None else released.value,
        "integrated": smoothed.median(),
        "integrated_private": smoothed.private(epsilon, 25 * dimension, rng),
    }
    found |= {name: float(np.linalg.norm(value)) for name, value in estimates.items()}
    return found
