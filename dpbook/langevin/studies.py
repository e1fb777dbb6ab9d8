"""The paper's figure, and its mechanism at constants that can be run.

``dpbook study run langevin-figure-1`` and ``langevin-pts``; see `dpbook.study`.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.random import Generator

from dpbook.langevin import (
    FIGURE_1,
    OneRatio,
    ProposeTestSample,
    Setting,
    release_loss,
)
from dpbook.langevin.theory.separation import curve_steps
from dpbook.privacy.audit import audit
from dpbook.study import Cell, Scale, grid, study
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = tuple[Mapping[str, Any], ...]


# --- Figure 1 -------------------------------------------------------------------------------------

EPOCHS, POINTS = 60, 40
EPSILON, DELTA = 1.6, 0.01
"""Privacy of one posterior draw in the caption of Figure 1."""


@dataclass(frozen=True)
class Curve:
    """Separation of the chains on two neighbours over epochs.

    Attributes
    ----------
    n, c : int
        Number of records, and their ratio.
    epochs, separation : tuple of float
        Where it is taken, and what it is: every position is summed.
    ends : tuple of float
        Hockey-stick divergence at epsilon 1.6 at the ends of epochs, the larger of both ways.
    difference : float
        Largest difference of sum and quadrature, relative.
    """

    n: int
    c: int
    epochs: tuple[float, ...]
    separation: tuple[float, ...]
    ends: tuple[float, ...]
    difference: float

    @property
    def setting(self) -> Setting:
        """Return the setting of Figure 1 with other records."""
        return replace(FIGURE_1, n=self.n, c=self.c)

    @property
    def stop(self) -> int:
        """Epochs after which lemma A.6 stops the chain."""
        return self.setting.stopping_step() // self.n

    @property
    def at_stop(self) -> float:
        """Separation there."""
        return self.separation[self.stop * POINTS - 1]

    @property
    def peak(self) -> float:
        """Largest separation."""
        return max(self.separation)

    @property
    def peak_epoch(self) -> float:
        """Epochs at the largest separation."""
        return self.epochs[self.separation.index(self.peak)]

    @property
    def failing(self) -> tuple[int, ...]:
        """Epochs at whose ends (1.6, 0.01)-DP fails."""
        return tuple(k for k, divergence in enumerate(self.ends, 1) if divergence > DELTA)


@dataclass(frozen=True)
class FigureOne:
    """Figure 1: how two chains separate and meet again.

    Attributes
    ----------
    curves : tuple of Curve
        For each number of records.
    """

    curves: tuple[Curve, ...]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> FigureOne:
        """Join the epochs of each number of records; replicates of them are all alike."""
        curves = []
        cells = [cell for cell in cells if cell.replicate == 0]
        for n, c in dict.fromkeys((cell.setting["n"], cell.setting["c"]) for cell in cells):
            of_n = [cell.record for cell in cells if cell.setting["n"] == n]
            curves.append(
                Curve(
                    int(n),
                    int(c),
                    tuple(step / int(n) for record in of_n for step in record["step"]),
                    tuple(value for record in of_n for value in record["separation"]),
                    tuple(record["divergence"] for record in of_n),
                    max(record["difference"] for record in of_n),
                )
            )
        return cls(tuple(curves))

    @property
    def rows(self) -> Rows:
        """Return for each number of records the numbers of the figure, and the proved bounds."""
        return tuple(
            {
                "n": curve.n,
                "T/n": curve.stop,
                "at T": curve.at_stop,
                "peak": curve.peak,
                "epoch": curve.peak_epoch,
                "last": curve.separation[-1],
                "sum - rule": curve.difference,
                f"delta({EPSILON}) at T": curve.ends[curve.stop - 1],
                "fails at ends": _ends(curve.failing),
                "eq. 16": curve.setting.loss_floor(delta=DELTA).value,
            }
            for curve in self.curves
        )

    def __repr__(self) -> str:
        shown = "; ".join(
            f"n={curve.n}: at_stop={curve.at_stop:.6g}, peak={curve.peak:.6g} "
            f"at epoch {curve.peak_epoch:.5g}"
            for curve in self.curves
        )
        return f"FigureOne({shown})"

    def _repr_html_(self) -> str:
        return figures.html_table(self.rows, digits=6)

    def describe(self) -> str:
        """Return the words for the picture."""

        def shown(floor: float) -> str:
            """Put a lower bound on epsilon into words; a bound below 0 shows nothing."""
            return f"nothing (epsilon >= {floor:.3g})" if floor < 0 else f"epsilon >= {floor:.3g}"

        said = [
            f"With {row['n']} records it rises to {row['peak']:.5g} at epoch {row['epoch']:.5g}, "
            f"is {row['at T']:.5g} at the stopping step T after {row['T/n']} epochs, and ends at "
            f"{row['last']:.3g}; ({EPSILON}, {DELTA})-DP fails at epoch ends {row['fails at ends']}, "
            f"while eq. 16 shows {shown(row['eq. 16'])}."
            for row in self.rows
        ]
        return (
            "Squared distance of the means of two chains in variances, averaged over all positions "
            f"of the odd record, over {EPOCHS} epochs. {' '.join(said)}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curves with their stopping steps; of a single one, where privacy fails."""
        ax = ax or figures.axes()
        for curve in self.curves:
            ax.plot(curve.epochs, curve.separation, label=f"n = {curve.n}")
        stops = [(curve.stop, curve.at_stop) for curve in self.curves]
        ax.plot(*zip(*stops, strict=True), "o", color="black", label="stopping step T")
        failing = self.curves[0].failing
        if len(self.curves) == 1 and failing:
            told = f"({EPSILON}, {DELTA})-DP fails"
            ax.axvspan(failing[0], failing[-1], color="#ee6677", alpha=0.3, linewidth=0, label=told)
        ax.set_ylim(bottom=0)
        ax.set_xlabel("epoch")
        ax.set_ylabel("squared gap in variances")
        ax.legend()
        return ax


def _ends(epochs: tuple[int, ...]) -> str:
    whole = epochs == tuple(range(epochs[0], epochs[-1] + 1)) if epochs else True
    if len(epochs) > 1 and whole:
        return f"{epochs[0]} to {epochs[-1]}"
    return ", ".join(map(str, epochs)) or "none"


def _epochs_of(*sizes: int) -> list[Mapping[str, Any]]:
    """Every epoch for numbers of records, with the ratio n**1.001 of the figure."""
    return [
        {"n": n, "c": round(n**1.001), **epoch}
        for n in sizes
        for epoch in grid(epoch=range(EPOCHS))
    ]


@study(
    "langevin-figure-1",
    place="Figure 1",
    quick=Scale(_epochs_of(2000, 20000)),
    paper=Scale(_epochs_of(FIGURE_1.n)),
    summary=FigureOne.of,
)
def figure_1(rng: Generator, n: int, c: int, epoch: int) -> dict[str, Any]:
    """How two chains separate and meet again.

    One cell is one epoch; nothing in it is random.
    """
    steps = curve_steps(n, epoch + 1, POINTS)[-POINTS:]
    setting = replace(FIGURE_1, n=n, c=c)
    summed = setting.separation(steps, method="direct").value
    by_rule = setting.separation(steps).value
    end = setting.step_profile((epoch + 1) * n)
    return {
        "step": steps,
        "separation": summed,
        "difference": np.max(np.abs(by_rule / summed - 1)),
        "divergence": max(end.delta(EPSILON), end.reverse.delta(EPSILON)),
    }


# --- algorithm 1 ----------------------------------------------------------------------------------

RHO_3 = 1.1
CONSTANTS: dict[str, Any] = {
    **{"delta": 0.05, "alpha": 1.0, "beta": 3.3, "x_l": 0.5, "x_h": 1.0},
    **{"rho_1": 1.15, "rho_2": 0.29, "gamma_1": 0.3},
}
"""At the constants of eq. 27 n_min exceeds 10**76, so nothing is ever released."""

CONFIDENCE = 0.99
NAMES = {"posterior": "posterior", "sgld": "SGLD"}


@dataclass(frozen=True)
class Audited:
    """Algorithm 1 at one setting, run and audited a few times.

    Attributes
    ----------
    sampler : {"posterior", "sgld"}
    epsilon : float
        Of each line; all of it is said to be (5 epsilon, 0.1)-private.
    n, runs : int
        Number of records; how many runs there were in all.
    released, probability : float
        Share of the runs that released a draw, and its exact probability.
    shown : tuple of float
        What each audit shows that epsilon is at least, at confidence 0.99 each.
    loss : float
        What it is on this pair, by the exact distributions.
    """

    sampler: str
    epsilon: float
    n: int
    runs: int
    released: float
    probability: float
    shown: tuple[float, ...]
    loss: float

    @property
    def guarantee(self) -> float:
        """The epsilon of claim 4.1, at delta 0.1."""
        return 5 * self.epsilon

    @property
    def audit(self) -> float:
        """Return the median of the bounds of the audits."""
        return statistics.median(self.shown)

    @property
    def verdict(self) -> str:
        """Compare the guarantee with distributions and with draws."""
        if self.probability == 0:
            return "kept: all is null"
        if self.audit > self.guarantee:
            return "broken, as draws show"
        return (
            "broken, as the distributions show"
            if self.loss > self.guarantee
            else "kept on this pair"
        )


@dataclass(frozen=True)
class ProposeTestSampleAudits:
    """Count releases of algorithm 1 and audit them, with a posterior draw and with SGLD at its last line.

    Attributes
    ----------
    settings : tuple of Audited
    """

    settings: tuple[Audited, ...]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> ProposeTestSampleAudits:
        """Join the replicates of each setting."""
        found = []
        for setting in {str(cell.setting): cell.setting for cell in cells}.values():
            records = [cell.record for cell in cells if cell.setting == setting]
            found.append(
                Audited(
                    str(setting["sampler"]),
                    float(setting["epsilon"]),
                    int(setting["n"]),
                    len(records) * int(setting["draws"]),
                    statistics.fmean(record["released"] for record in records),
                    records[0]["probability"],
                    tuple(record["shown"] for record in records),
                    records[0]["loss"],
                )
            )
        return cls(tuple(found))

    @property
    def rows(self) -> Rows:
        """For each setting, release probabilities and losses."""
        return tuple(
            {
                "line 19": NAMES[one.sampler],
                "epsilon": one.epsilon,
                "n": one.n,
                "released": one.released,
                "exactly": one.probability,
                "guarantee": one.guarantee,
                "audit": one.audit,
                "exact loss": one.loss,
                "the guarantee is": one.verdict,
            }
            for one in self.settings
        )

    def __repr__(self) -> str:
        shown = "; ".join(
            f"{one.sampler}, epsilon={one.epsilon:g}, n={one.n}: released={one.released:.4g}, "
            f"audit={one.audit:.4g}, loss={one.loss:.4g}"
            for one in self.settings
        )
        return f"ProposeTestSampleAudits({shown})"

    def _repr_html_(self) -> str:
        return figures.html_table(self.rows, digits=6)

    def describe(self) -> str:
        """Return the words for the picture."""
        said = [
            f"{NAMES[one.sampler]}, epsilon {one.epsilon:g}, n = {one.n}: released {one.released:.3g}, "
            f"guarantee {one.guarantee:g}, audit {one.audit:.3g}, exact {one.loss:.4g}, so "
            f"{one.verdict}."
            for one in self.settings
        ]
        return (
            "Epsilon of algorithm 1 at delta 0.1 on two neighbouring datasets: what it guarantees, "
            f"what audits of draws show, and what it is. {' '.join(said)}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw guarantee, audit and exact loss of each setting on a line of its own."""
        ax = ax or figures.axes(height=1.4 + 0.35 * len(self.settings))
        lines = range(len(self.settings))
        for values, mark, size, label in (
            ([one.guarantee for one in self.settings], "s", 7, "guarantee of claim 4.1"),
            ([one.audit for one in self.settings], "^", 11, "shown by draws"),
            ([one.loss for one in self.settings], "o", 5, "exact"),
        ):
            ax.plot(values, lines, mark, markersize=size, label=label)
        model = "{}, $\\epsilon$ = {:g}, n = {:.3g}"
        names = [model.format(NAMES[one.sampler], one.epsilon, one.n) for one in self.settings]
        ax.set_yticks(lines, names)
        ax.margins(y=0.12)
        ax.invert_yaxis()
        ax.set_xscale("symlog", linthresh=1)  # what shows nothing stands at 0
        ax.set_xlim(-0.2, 2.5 * max(one.loss for one in self.settings) + 50)
        ax.set_xlabel("epsilon at delta 0.1")
        ax.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, handlelength=1)
        return ax


def _settings(draws: int, sizes: Mapping[float, Sequence[int]]) -> list[Mapping[str, Any]]:
    """Both samplers at numbers of records for each epsilon."""
    return [
        {"sampler": sampler, "epsilon": epsilon, "n": n, "draws": draws}
        for epsilon, of_epsilon in sizes.items()
        for n in of_epsilon
        for sampler in NAMES
    ]


@lru_cache(maxsize=64)
def _exact(mechanism: ProposeTestSample, n: int) -> tuple[float, float]:
    """Probability of a release and its loss: the same for all replicates, and slow."""
    found = release_loss(mechanism, n, n**RHO_3)
    return found.release.value, found.epsilon


@study(
    "langevin-pts",
    place="Algorithm 1, claims 4.1 and 4.2",
    quick=Scale(_settings(20_000, {1.0: (330_000_000,), 5.0: (200_000,)}), replicates=3),
    paper=Scale(
        _settings(
            1_000_000,
            {1.0: (100_000_000, 330_000_000, 1_000_000_000), 5.0: (100_000, 200_000, 1_000_000)},
        ),
        replicates=20,
    ),
    summary=ProposeTestSampleAudits.of,
)
def algorithm_1(
    rng: Generator, sampler: Literal["posterior", "sgld"], epsilon: float, n: int, draws: int
) -> dict[str, float]:
    """Propose, test, sample: how often it releases, and what a release tells.

    The records are those of eq. 8; draws are from the exact distributions.
    """
    mechanism = ProposeTestSample(epsilon=epsilon, sampler=sampler, **CONSTANTS)
    plain, odd = OneRatio(n, n**RHO_3), OneRatio(n, n**RHO_3, odd=True)
    probability, loss = _exact(mechanism, n)
    shown = 0.0
    if probability > 0:  # else every draw is null, and there is nothing to audit
        granted = 2 * mechanism.delta
        shown = audit(mechanism, plain, odd, draws, CONFIDENCE, rng, delta=granted).epsilon_lower
    return {
        "released": mechanism.runs(plain, draws, rng).probability,
        "shown": shown,
        "probability": probability,
        "loss": loss,
    }
