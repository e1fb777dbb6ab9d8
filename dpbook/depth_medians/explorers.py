"""Explorers of the depth_medians chapters: the geometry in the plane, and one private release."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpbook.depth_medians.mechanisms import Mode, Release, Setting
from dpbook.depth_medians.models import Panel, dataset
from dpbook.depth_medians.projections import Outlyingness, outlyingness_of, random_directions
from dpbook.engine.language.card import Described
from dpbook.teaching import figures
from dpbook.teaching.explorer import Explorer, choice, slider

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

ROWS = 400
FRACTIONS = (0.0, 0.1, 0.25, 0.4, 0.45, 0.55)
SHIFTS = (0.0, 2.0, 5.0, 10.0, 30.0)
STRETCHES = (1.0, 3.0)
COUNTS = (2, 4, 8, 30, 300)
LEVELS = (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0)


@dataclass(frozen=True, eq=False)
class Plane(Described):
    """Points in the plane, their outlyingness, and three centres.

    Attributes
    ----------
    data : array of float, shape (n, 2)
        The last rows are contaminated.
    moved : int
        How many.
    outlyingness : Outlyingness
    median : array of float, shape (2,)
        A point of least outlyingness.
    minimum : float
        Its outlyingness.
    """

    data: Floats
    moved: int
    outlyingness: Outlyingness
    median: Floats
    minimum: float

    @property
    def mean(self) -> Floats:
        """Of all points."""
        found: Floats = self.data.mean(axis=0)
        return found

    def __repr__(self) -> str:
        return (
            f"Plane({len(self.data)} points, {self.moved} moved; median at distance "
            f"{np.linalg.norm(self.median):.4g} of 0, mean at {np.linalg.norm(self.mean):.4g}, least "
            f"outlyingness {self.minimum:.4g})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        return (
            f"{len(self.data)} points in the plane, {self.moved} of them moved away. Over "
            f"{len(self.outlyingness.directions)} directions outlyingness is least at distance "
            f"{np.linalg.norm(self.median):.4g} from 0, where the other points are centred, and is "
            f"{self.minimum:.4g} there; the mean is {np.linalg.norm(self.mean):.4g} from 0. Each level "
            "set is a polygon whose sides are normal to directions."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the points, level sets of outlyingness, the median and the mean."""
        ax = ax or figures.axes(height=4.4)
        kept = len(self.data) - self.moved
        ax.plot(*self.data[:kept].T, ".", color=figures.PALETTE[3], markersize=2.5)
        if self.moved:
            ax.plot(*self.data[kept:].T, "x", color=figures.PALETTE[1], markersize=3)
        low, high = self.data.min(axis=0) - 1, self.data.max(axis=0) + 1
        x, y = (np.linspace(low[k], high[k], 160) for k in (0, 1))
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        out = self.outlyingness(grid).reshape(len(y), len(x))
        lines = ax.contour(x, y, out, LEVELS, colors="black", linewidths=0.8)
        ax.clabel(lines, fontsize=7)
        ax.plot(*self.median, "D", color="black", label="PD median")
        ax.plot(*self.mean, "s", color=figures.PALETTE[2], label="mean")
        ax.plot(0, 0, "+", color="black", markersize=12, label="centre")
        ax.set_aspect("equal")
        ax.legend(loc="upper left")
        return ax


@lru_cache(maxsize=32)
def plane(fraction: float, shift: float, stretch: float, directions: int) -> Plane:
    """Draw points around 0, move a fraction of them, and look at outlyingness over directions.

    Parameters
    ----------
    fraction : float
        Of points that are moved, in [0, 1).
    shift : float
        By how much, in each coordinate.
    stretch : float
        Standard deviation of the first coordinate; the second has 1.
    directions : int
        >= 2; evenly spread for up to 8, else random.

    Returns
    -------
    Plane

    Raises
    ------
    ValueError
        A number outside its range.
    """
    data = dataset("contaminated", ROWS, 2, np.random.default_rng(3), fraction=fraction, shift=0.0)
    moved = int(fraction * ROWS)
    data = data * [stretch, 1.0]
    data[ROWS - moved :] += shift
    if directions <= 8:
        angles = np.pi * (np.arange(directions) + 0.25) / directions
        units = np.column_stack((np.cos(angles), np.sin(angles)))
    else:
        units = random_directions(2, directions, np.random.default_rng(4))
    fitted = outlyingness_of(data, units)
    point, minimum, _ = fitted.minimum()
    return Plane(data, moved, fitted, point, minimum)


def plane_explorer() -> Explorer:
    """Outlyingness in the plane: contours, directions, and a cloud that drags the centres."""

    def frame(
        fraction: float = 0.25, shift: float = 5.0, stretch: float = 1.0, directions: int = 300
    ) -> dict[str, object]:
        names = ("fraction", "shift", "stretch", "directions")
        return dict(zip(names, (fraction, shift, stretch, directions), strict=True))

    return Explorer(
        plane,
        controls={
            "fraction": slider("share moved", FRACTIONS),
            "shift": slider("moved by", SHIFTS),
            "stretch": slider("stretch", STRETCHES),
            "directions": slider("directions", COUNTS),
        },
        frames=[
            frame(0.0, 0.0),
            frame(0.0, 0.0, 3.0),  # contours follow the shape of the data
            frame(0.0, 0.0, 1.0, 2),  # two directions: rectangles
            frame(0.0, 0.0, 1.0, 4),
            frame(),  # the panel of Figure 1
            frame(0.25, 30.0),  # the median stays, the mean does not
            frame(0.4, 10.0),
            frame(0.45, 30.0),
            frame(0.55, 30.0),  # more than half: it breaks down
            frame(0.25, 5.0, 1.0, 4),
        ],
        title="Which point lies out least?",
    )


# --- one release ----------------------------------------------------------------------------------

EPSILONS = (1.0, 2.0, 5.0, 10.0)
ETAS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2)
TAUS = (0.25, 0.5, 1.0, 2.0, 5.0)


@lru_cache(maxsize=8)
def _panel(panel: Panel) -> Floats:
    return dataset(panel, 10_000, 2, np.random.default_rng(5))


@lru_cache(maxsize=64)
def one_release(panel: Panel, mode: Mode, epsilon: float, eta: float, tau: float) -> Release:
    """Run the mechanism once on 10 000 points in the plane, with delta 0.001.

    Parameters
    ----------
    panel : {"clean", "contaminated", "cauchy"}
    mode : {"nested", "nested_wide", "corrected", "printed"}
    epsilon, eta, tau : float
        > 0.

    Returns
    -------
    Release

    Raises
    ------
    ValueError
        A number outside its range, an unknown panel or mode.
    """
    setting = Setting(epsilon, 1e-3, eta, tau, mode, directions=200)
    return setting.release(_panel(panel), np.random.default_rng(6))


def release_explorer() -> Explorer:
    """Show one run of propose-test-release: the numbers that its test compares, and the release."""

    def frame(
        panel: str = "clean",
        mode: str = "nested",
        epsilon: float = 10.0,
        eta: float = 0.03,
        tau: float = 1.0,
    ) -> dict[str, object]:
        names = ("panel", "mode", "epsilon", "eta", "tau")
        return dict(zip(names, (panel, mode, epsilon, eta, tau), strict=True))

    return Explorer(
        one_release,
        controls={
            "panel": choice("data", ("clean", "contaminated", "cauchy")),
            "mode": choice("test", ("nested", "nested_wide", "corrected", "printed")),
            "epsilon": slider("epsilon", EPSILONS),
            "eta": slider("eta", ETAS),
            "tau": slider("tau", TAUS),
        },
        frames=[
            frame(),  # close to Figure 1
            frame("contaminated"),
            frame("cauchy"),
            frame("contaminated", "printed"),  # never
            frame("contaminated", "nested_wide"),
            frame(eta=0.01),  # too little is allowed
            frame(tau=5.0, eta=0.02),  # a larger tau asks for more
            frame(tau=0.25),  # the volume part fails
            frame(epsilon=1.0),  # a higher threshold, and too wide a distribution
            frame(epsilon=1.0, eta=0.01, tau=0.25),
        ],
        title="What does one private release return?",
    )
