"""Compute the paper's table and figures, side by side with the paper's numbers.

``dpbook study run contamination-table-1``, ``contamination-figure-1`` and
``contamination-figure-2`` (Figure 3 is Figure 2 on a logarithmic scale); see `dpbook.study`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter
from numpy.random import Generator
from numpy.typing import NDArray

from dpbook.contamination.estimator import CONDITION, EpsilonEstimate, Method, Unresolved
from dpbook.contamination.mechanisms import Conversion, QuantileClippedMean, zcdp_budget
from dpbook.contamination.regression import (
    Regression,
    cauchy_regression,
    linear_regression,
    logistic_regression,
)
from dpbook.contamination.samplers import tail_particles
from dpbook.contamination.settings import private_mean
from dpbook.privacy.coinpress import CoinPress, Sorted
from dpbook.study import Cell, Scale, grid, study
from dpbook.study import Setting as Place
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Rows = tuple[Mapping[str, Any], ...]

PRINTED_EPSILON = {
    100: 2.85,
    1000: 0.94,
    2000: 0.72,
    5000: 0.46,
    10_000: 0.32,
    20_000: 0.26,
    50_000: 0.18,
}
"""Table 1 of the paper: epsilon at delta = 1 / (10 n), by n."""

PRINTED_DATASETS = 1000  # of each of its values: what its own error is taken from

COLUMNS: tuple[Method, ...] = ("algorithm-1", "sharp", "exact")
CONVERSIONS: tuple[Conversion, ...] = ("printed", "bun-steinke", "gaussian")


def _joined(cells: Sequence[Cell], name: str, **where: Any) -> Floats:
    """Return one list from the replicates of a setting."""
    chosen = [c for c in cells if all(c.setting[key] == value for key, value in where.items())]
    return np.array([value for cell in chosen for value in cell.record[name]])


# --- Table 1 ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableOne:
    """Table 1 of the paper beside three estimates on the same datasets.

    Attributes
    ----------
    estimates : tuple of tuple of EpsilonEstimate
        For each n: algorithm 1, sharp, exact.
    """

    estimates: tuple[tuple[EpsilonEstimate, ...], ...]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> TableOne:
        """Join the datasets of each number of records."""
        found = []
        for n in dict.fromkeys(int(cell.setting["n"]) for cell in cells):
            at = private_mean(n)
            found.append(
                tuple(
                    EpsilonEstimate(n, at.rate, at.delta, 0.99, method, _joined(cells, method, n=n))
                    for method in COLUMNS
                )
            )
        return cls(tuple(found))

    @property
    def rows(self) -> Rows:
        """For each n: the paper's value, ours with their errors, and the gap in errors."""
        found = []
        for of_n in self.estimates:
            ours, paper = of_n[0], PRINTED_EPSILON[of_n[0].n]
            printed_error = ours.error * math.sqrt(ours.values.size / PRINTED_DATASETS)
            row: dict[str, Any] = {
                "n": ours.n,
                "datasets": ours.values.size,
                "paper": paper,
                "Algorithm 1": ours.epsilon,
                "+-": ours.error,
                "ratio": ours.epsilon / paper,
                "gap in sd": math.nan,  # of too few datasets there is no error
            }
            if math.isfinite(ours.error):
                row["gap in sd"] = (ours.epsilon - paper) / math.hypot(ours.error, printed_error)
            for estimate in of_n[1:]:
                row[estimate.method] = estimate.epsilon
                row[f"{estimate.method} +-"] = estimate.error
            found.append(row)
        return tuple(found)

    def __repr__(self) -> str:
        gaps = [
            f" ({row['gap in sd']:+.1f} sd)" if math.isfinite(row["gap in sd"]) else ""
            for row in self.rows
        ]
        shown = "; ".join(
            f"n={row['n']}: paper={row['paper']:g}, algorithm 1={row['Algorithm 1']:.3g}{gap}, "
            f"sharp={row['sharp']:.3g}, exact={row['exact']:.3g}"
            for row, gap in zip(self.rows, gaps, strict=True)
        )
        return f"TableOne({shown}; {CONDITION})"

    def _repr_html_(self) -> str:
        return f"{figures.html_table(self.rows)}<p>Epsilon: {CONDITION}.</p>"

    def describe(self) -> str:
        """Return the words for the picture."""
        said = [
            f"With {row['n']} records the paper has {row['paper']:g}, Algorithm 1 gives "
            f"{row['Algorithm 1']:.3g}, the sharp estimate {row['sharp']:.3g}, the exact one "
            f"{row['exact']:.3g}."
            for row in self.rows
        ]
        return (
            "Epsilon that 99% of contaminated datasets keep at delta = 1/(10 n), against n, "
            f"{CONDITION}: Table 1 of the paper and three estimates. {' '.join(said)}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the paper's values as points and the three estimates as lines."""
        ax = ax or figures.axes()
        rows = self.rows
        n = [row["n"] for row in rows]
        for name, label in (
            ("Algorithm 1", "Algorithm 1"),
            ("sharp", "sharp"),
            ("exact", "exact"),
        ):
            ax.plot(n, [row[name] for row in rows], label=label)
        ax.plot(n, [row["paper"] for row in rows], "o", color="black", label="Table 1")
        ax.set_xscale("log")
        ax.set_yscale("log")
        for axis, leading in ((ax.xaxis, (1,)), (ax.yaxis, (1, 2, 5))):
            axis.set_major_locator(LogLocator(subs=leading))
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter(NullFormatter())
        ax.set_xlabel("number of records n")
        ax.set_ylabel("epsilon")
        ax.legend()
        return ax


def _places(sizes: Sequence[int], **more: Any) -> list[Place]:
    return [{"n": n, **more} for n in sizes]


@study(
    "contamination-table-1",
    place="Section 4.2, Table 1",
    # as many as the error of a 99% quantile needs
    quick=Scale(_places((100, 1000, 10_000), datasets=300), light=True),
    paper=Scale(_places(tuple(PRINTED_EPSILON), datasets=250), replicates=4),
    summary=TableOne.of,
)
def table_1(rng: Generator, n: int, datasets: int) -> dict[str, Floats]:
    """Epsilon of the private mean: the paper's seven values beside three estimates."""
    found = private_mean(n).epsilons(datasets, rng, COLUMNS)
    return {method: found[method] for method in COLUMNS}


# --- Figure 1 -------------------------------------------------------------------------------------------

MECHANISMS = ("posterior draw", "CoinPress, 3 steps", "CoinPress, 10 steps", "clipped mean")
STATISTICS = ("bias", "variance", "mse")


@dataclass(frozen=True)
class Spread:
    """Errors of one mechanism on many datasets, each repeated.

    Attributes
    ----------
    n : int
    mechanism : str
    conversion : str
        Of the budget; of the posterior draw it is the same in all.
    bias, variance, mse : tuple of float
        One number a dataset, over its repetitions.
    """

    n: int
    mechanism: str
    conversion: str
    bias: tuple[float, ...]
    variance: tuple[float, ...]
    mse: tuple[float, ...]

    @property
    def log_mse(self) -> float:
        """Decimal logarithm of the mean of the mean squared errors."""
        return math.log10(float(np.mean(self.mse)))

    @property
    def spread(self) -> float:
        """Standard deviation of the decimal logarithms of the datasets' mean squared errors."""
        return float(np.std(np.log10(self.mse)))


@dataclass(frozen=True)
class FigureOne:
    """Figure 1: four private means at the budget that Table 1 gives, under three conversions.

    Attributes
    ----------
    spreads : tuple of Spread
        For each n, conversion and mechanism.
    """

    spreads: tuple[Spread, ...]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> FigureOne:
        """Join the datasets of each number of records."""
        found = []
        for n in dict.fromkeys(int(cell.setting["n"]) for cell in cells):
            for conversion in CONVERSIONS:
                for mechanism in MECHANISMS:
                    key = mechanism if mechanism == MECHANISMS[0] else f"{mechanism}, {conversion}"
                    values = (
                        tuple(_joined(cells, f"{key}, {one}", n=n).tolist()) for one in STATISTICS
                    )
                    found.append(Spread(n, mechanism, conversion, *values))
        return cls(tuple(found))

    @property
    def rows(self) -> Rows:
        """Bias, variance and mean squared error of each, over all datasets."""
        return tuple(
            {
                "n": one.n,
                "budget": one.conversion,
                "mechanism": one.mechanism,
                "bias": float(np.mean(one.bias)),
                "variance": float(np.mean(one.variance)),
                "MSE": float(np.mean(one.mse)),
                "median MSE": float(np.median(one.mse)),
                "sd of log10 MSE": one.spread,
            }
            for one in self.spreads
        )

    def at(self, n: int, mechanism: str, conversion: str = "printed") -> Spread:
        """Return one of the spreads.

        Raises
        ------
        ValueError
            There is none.
        """
        for one in self.spreads:
            if (one.n, one.mechanism, one.conversion) == (n, mechanism, conversion):
                return one
        raise ValueError(f"no {mechanism} at n = {n} under {conversion}")

    def __repr__(self) -> str:
        sizes = dict.fromkeys(one.n for one in self.spreads)
        shown = "; ".join(
            f"n={n}: " + ", ".join(f"{one}={self.at(n, one).log_mse:.2f}" for one in MECHANISMS)
            for n in sizes
        )
        return f"FigureOne(log10 MSE at the printed budgets: {shown}; the draw: {CONDITION})"

    def _repr_html_(self) -> str:
        return f"{figures.html_table(self.rows)}<p>The posterior draw: {CONDITION}.</p>"

    def describe(self) -> str:
        """Return the words for the picture."""
        said = []
        for n in dict.fromkeys(one.n for one in self.spreads):
            parts = ", ".join(
                f"{name} {10 ** self.at(n, name).log_mse:.3g}"
                + (
                    f" (at true zCDP budgets {10 ** self.at(n, name, 'bun-steinke').log_mse:.3g})"
                    if name != MECHANISMS[0]
                    else ""
                )
                for name in MECHANISMS
            )
            said.append(f"n = {n}: {parts}.")
        return (
            "Mean squared error of one contaminated posterior draw and of three other private "
            "means, at the budgets of Table 1 as the paper converts them; the draw's guarantee is "
            f"{CONDITION}, that of the others holds for all data. {' '.join(said)}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw box plots of the datasets' mean squared errors at the printed budgets."""
        ax = ax or figures.axes(width=7.0)
        sizes = list(dict.fromkeys(one.n for one in self.spreads))
        for k, mechanism in enumerate(MECHANISMS):
            boxes = ax.boxplot(
                [np.log10(self.at(n, mechanism).mse) for n in sizes],
                positions=[i + 0.2 * (k - 1.5) for i in range(len(sizes))],
                widths=0.16,
                whis=(5, 95),
                showfliers=False,
                patch_artist=True,
            )
            for patch in boxes["boxes"]:
                patch.set_facecolor(figures.PALETTE[k])
            for median in boxes["medians"]:
                median.set_color("white")
            ax.plot([], [], "s", color=figures.PALETTE[k], label=mechanism)
        ax.set_xticks(range(len(sizes)), [str(n) for n in sizes])
        ax.set_xlabel("number of records n")
        ax.set_ylabel("log10 of the mean squared error")
        ax.legend()
        return ax


@study(
    "contamination-figure-1",
    place="Section 4.2, Figure 1",
    quick=Scale(_places((100, 1000, 5000), datasets=40, repetitions=30), light=True),
    paper=Scale(_places(tuple(PRINTED_EPSILON), datasets=50, repetitions=100), replicates=20),
    summary=FigureOne.of,
)
def figure_1(rng: Generator, n: int, datasets: int, repetitions: int) -> dict[str, list[float]]:
    """Four private means at one budget: bias, variance and mean squared error."""
    at = private_mean(n)
    others = {}
    for conversion in CONVERSIONS:
        rho = zcdp_budget(PRINTED_EPSILON[n], at.delta, conversion).value
        others[f"CoinPress, 3 steps, {conversion}"] = CoinPress(rho, 8.0, 3)
        others[f"CoinPress, 10 steps, {conversion}"] = CoinPress(rho, 8.0, 10)
        others[f"clipped mean, {conversion}"] = QuantileClippedMean(rho)  # type: ignore[assignment]
    found: dict[str, list[float]] = {}
    for _ in range(datasets):
        clean = at.clean(rng)
        estimates = {MECHANISMS[0]: at._release(clean, repetitions, rng, simulated=True)}
        ordered = Sorted.of(clean)
        for name, mechanism in others.items():
            estimates[name] = mechanism.draws(ordered, repetitions, rng)
        for name, values in estimates.items():
            errors = values - at.theta
            for statistic, value in (
                ("bias", errors.mean()),
                ("variance", errors.var()),
                ("mse", np.mean(errors**2)),
            ):
                found.setdefault(f"{name}, {statistic}", []).append(float(value))
    return found


# --- Figures 2 and 3 --------------------------------------------------------------------------------------

REGRESSIONS = {
    "linear": lambda n, d: linear_regression(n, d),
    "logistic": lambda n, d: logistic_regression(n, d),
    "logistic, not contaminated": lambda n, d: logistic_regression(n, d, contaminated=False),
    "Cauchy": lambda n, d: cauchy_regression(n, d),
    "Cauchy, not contaminated": lambda n, d: cauchy_regression(n, d, contaminated=False),
}
"""The curves of Figures 2 and 3."""

SKEW = 5000  # up to so many records, so many weighted particles stand for the posterior
PARTICLES = 4000
REFUSED = (
    "a part of the posterior lies far from its Laplace approximation, and too few particles "
    "for its tail came from there"
)
LARGEST = 10_000_000  # records, that the trend is drawn to


@dataclass(frozen=True)
class Curve:
    """Epsilon of one regression against the number of records.

    Attributes
    ----------
    model : str
    d : int
    estimates : tuple of EpsilonEstimate
    refused : tuple of int
        How many datasets of each number of records have no epsilon, as particles do not resolve
        the tail of their posteriors.
    """

    model: str
    d: int
    estimates: tuple[EpsilonEstimate, ...]
    refused: tuple[int, ...]

    @property
    def n(self) -> tuple[int, ...]:
        """Numbers of records."""
        return tuple(one.n for one in self.estimates)

    @property
    def epsilon(self) -> tuple[float, ...]:
        """The 99% quantile at each."""
        return tuple(one.epsilon for one in self.estimates)

    @property
    def trend(self) -> tuple[float, float]:
        """Slope and intercept of log epsilon against log n, by least squares on the upper half."""
        upper = len(self.n) // 2 if len(self.n) > 3 else 0
        slope, start = np.polyfit(np.log(self.n[upper:]), np.log(self.epsilon[upper:]), 1)
        return float(slope), float(start)

    def extrapolated(self, n: float) -> float:
        """Return the value of the trend at a number of records."""
        slope, start = self.trend
        return math.exp(start + slope * math.log(n))


@dataclass(frozen=True)
class FigureTwo:
    """Figures 2 and 3: epsilon of regressions against the number of records.

    Attributes
    ----------
    curves : tuple of Curve
    """

    curves: tuple[Curve, ...]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> FigureTwo:
        """Join the datasets of each regression and size."""
        found = []
        pairs = dict.fromkeys((str(c.setting["model"]), int(c.setting["d"])) for c in cells)
        for model, d in pairs:
            sizes = dict.fromkeys(
                int(c.setting["n"])
                for c in cells
                if (c.setting["model"], c.setting["d"]) == (model, d)
            )
            estimates, refused = [], []
            for n in sizes:
                at = _regression(model, n, d)
                values = _joined(cells, "epsilon", model=model, d=d, n=n)
                drawn = values[~np.isnan(values)]
                estimates.append(EpsilonEstimate(n, at.rate, at.delta, 0.99, "algorithm-1", drawn))
                refused.append(values.size - drawn.size)
            found.append(Curve(model, d, tuple(estimates), tuple(refused)))
        return cls(tuple(found))

    def at(self, model: str, d: int) -> Curve:
        """Return one of the curves.

        Raises
        ------
        ValueError
            There is none.
        """
        for curve in self.curves:
            if (curve.model, curve.d) == (model, d):
                return curve
        raise ValueError(f"no curve of {model} with d = {d}")

    @property
    def rows(self) -> Rows:
        """For each regression and size, the quantile, the median and the trend."""
        return tuple(
            {
                "model": curve.model,
                "d": curve.d,
                "n": one.n,
                "datasets": one.values.size,
                "epsilon": one.epsilon,
                "+-": one.error,
                "median": one.median,
                "slope": curve.trend[0],
                "at n = 10^7": curve.extrapolated(LARGEST),
                "refused": refused,
                "reason": REFUSED if refused else "",
            }
            for curve in self.curves
            for one, refused in zip(curve.estimates, curve.refused, strict=True)
        )

    def __repr__(self) -> str:
        shown = "; ".join(
            f"{curve.model}, d={curve.d}: {curve.epsilon[0]:.3g} to {curve.epsilon[-1]:.3g}, "
            f"slope {curve.trend[0]:.2f}"
            for curve in self.curves
        )
        return f"FigureTwo({shown}; {CONDITION})"

    def _repr_html_(self) -> str:
        return f"{figures.html_table(self.rows)}<p>Epsilon: {CONDITION}.</p>"

    def describe(self) -> str:
        """Return the words for the picture."""
        said = [
            f"{curve.model}, d = {curve.d}: from {curve.epsilon[0]:.3g} at n = {curve.n[0]} to "
            f"{curve.epsilon[-1]:.3g} at n = {curve.n[-1]}, falling like n to the power "
            f"{curve.trend[0]:.2f}."
            for curve in self.curves
        ]
        few = min((one for curve in self.curves for one in curve.estimates), key=_size)
        rough = ""
        if few.values.size < few.enough:
            rough = (
                f" Of {few.values.size} datasets the 99% quantile is nearly the largest: it has an "
                f"error from {few.enough} on."
            )
        count = sum(sum(curve.refused) for curve in self.curves)
        refused = f" {count} datasets are refused and do not count: {REFUSED}." if count else ""
        return (
            "Epsilon of contaminated regressions by Algorithm 1 against the number of records, "
            f"with the trend to 10^7 records, {CONDITION}. {' '.join(said)}{rough}{refused}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curves with their trends, on logarithmic axes as in Figure 3."""
        ax = ax or figures.axes(width=7.0, height=4.4)
        for curve in self.curves:
            label = f"{curve.model}, d = {curve.d}"
            (line,) = ax.plot(curve.n, curve.epsilon, marker="o", markersize=4, label=label)
            on = np.geomspace(curve.n[-1], LARGEST, 20)
            ax.plot(on, [curve.extrapolated(n) for n in on], color=line.get_color(), alpha=0.4)
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("number of records n")
        ax.set_ylabel("epsilon")
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        return ax


def _size(one: EpsilonEstimate) -> int:
    return one.values.size


def _regression(model: str, n: int, d: int) -> Regression:
    return REGRESSIONS[model](n, d)


def _regressions(sizes: Sequence[int], dimensions: Sequence[int], datasets: int) -> list[Place]:
    return grid(model=REGRESSIONS, d=dimensions, n=sizes, datasets=[datasets])


@study(
    "contamination-figure-2",
    place="Section 4.3, Figure 2; Appendix F, Figure 3",
    quick=Scale(_regressions((1000, 8000, 32_000), (5,), 6)),
    paper=Scale(
        _regressions(
            (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000), (5, 10), 10
        ),
        replicates=4,
    ),
    summary=FigureTwo.of,
)
def figure_2(rng: Generator, model: str, d: int, n: int, datasets: int) -> dict[str, Floats]:
    """Epsilon of three regressions with several parameters, contaminated and not."""
    at = _regression(model, n, d)
    if n > SKEW:
        return {"epsilon": at.estimate(datasets, rng).values}
    # with few records the posterior is skew, and its Laplace approximation too narrow
    found = np.full(datasets, np.nan)
    for i, stream in enumerate(rng.spawn(datasets)):
        x, w = at.simulate(stream)
        try:
            found[i] = _resolved(at, x, w, stream)
        except Unresolved:
            if i == datasets - 1 and np.isnan(found).all():  # nothing is left to draw
                raise
    return {"epsilon": found}


def _resolved(at: Regression, x: Floats, w: Floats, rng: Generator) -> float:
    """Epsilon of one dataset, with more particles where they are too few for the tail."""
    few = None
    for particles in _particles(at, x, w, rng):
        try:
            return at.epsilon(x, w, particles=particles, rng=rng).epsilon
        except Unresolved as error:
            few = error
    assert few is not None
    raise few


def _particles(
    at: Regression, x: Floats, w: Floats, rng: Generator
) -> Iterator[int | tuple[Floats, Floats]]:
    yield from (PARTICLES, 4 * PARTICLES, 16 * PARTICLES)
    # no number of them helps where the posterior has a part far from its mode
    for size in (16 * PARTICLES, 64 * PARTICLES):
        yield tail_particles(at, x, w, size, rng)
