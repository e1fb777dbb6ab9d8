"""The exact law of the chain on two neighbouring datasets."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dpbook.langevin import notation
from dpbook.langevin.kernels import epoch_laws
from dpbook.langevin.theory.evaluation import evaluated
from dpbook.privacy.reading import positive
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class ChainLaw:
    """Law of the chain at the ends of epochs, on two neighbouring datasets.

    Attributes
    ----------
    mean, variance : tuple of float
        On n ordinary records; entry 0 is the start.
    odd_mean, odd_variance : tuple of float
        With one record halved.
    """

    mean: tuple[float, ...]
    variance: tuple[float, ...]
    odd_mean: tuple[float, ...]
    odd_variance: tuple[float, ...]

    @property
    def gap(self) -> tuple[float, ...]:
        """Distance of the means in standard deviations of the first law."""
        rows = zip(self.mean, self.odd_mean, self.variance, strict=True)
        return tuple(abs(m - o) / math.sqrt(v) for m, o, v in rows)

    def __repr__(self) -> str:
        return (
            f"ChainLaw(epochs={len(self.mean) - 1}, mean={self.mean[-1]:.6g}, "
            f"odd_mean={self.odd_mean[-1]:.6g}, gap={self.gap[-1]:.6g})"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.describe())}</p>"

    def describe(self) -> str:
        """Return the words for the picture."""
        gap, last = self.gap, len(self.mean) - 1
        widest = max(range(len(gap)), key=gap.__getitem__)
        return (
            f"Distance of the chain's means on two neighbours over {last} epochs, beside the standard "
            f"deviation. At the end the means are {self.mean[-1]:.4g} and {self.odd_mean[-1]:.4g}, "
            f"the standard deviation is {math.sqrt(self.variance[-1]):.4g} and the distance is "
            f"{gap[-1]:.4g} of it; it is most after epoch {widest}, {gap[widest]:.4g} of it."
        )

    @figures.style()
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the distance of the means and the standard deviation."""
        ax = ax or figures.axes()
        epochs = range(len(self.mean))
        apart = [abs(m - o) for m, o in zip(self.mean, self.odd_mean, strict=True)]
        ax.plot(epochs[1:], apart[1:], label="distance of the means")  # both start at 0
        ax.plot(epochs, np.sqrt(self.variance), label="standard deviation")
        ax.set_yscale("log")
        ax.minorticks_off()  # dozens of them, slow to draw
        ax.set_xlabel("epoch")
        ax.set_ylabel("slope")
        ax.legend()
        return ax


def chain_law(
    n: int,
    *,
    alpha: float,
    beta: float,
    x_h: float,
    c: float,
    epochs: int,
    position: int = 1,
) -> ChainLaw:
    """Law of the chain of section 4.2 at the ends of epochs, on the two datasets of eq. 7.

    Parameters
    ----------
    n : int
        Number of records, >= 2.
    alpha, beta : float
        Prior and noise precision, > 0.
    x_h, c : float
        Covariate of the ordinary records, and the ratio of all, > 0.
    epochs : int
        How many, >= 1.
    position : int
        Where in a cycle the odd record stands, 1 to n.

    Returns
    -------
    ChainLaw

    Raises
    ------
    ValueError
        A parameter outside its range.
    """
    positive(alpha=alpha, beta=beta, x_h=x_h, c=c)
    if n < 2:
        raise ValueError(f"n must be >= 2, got {n}")
    if epochs < 1:
        raise ValueError(f"epochs must be >= 1, got {epochs}")
    if not 1 <= position <= n:
        raise ValueError(f"position must be 1 to n = {n}, got {position}")
    values = {"n": n, "alpha": alpha, "beta": beta, "x_h": x_h, "c": c}
    rate, odd_rate, drift, odd_drift, added = (
        evaluated(e, values)
        for e in (
            *(notation.rate, notation.odd_rate),
            *(notation.drift, notation.odd_drift, notation.eta),
        )
    )
    laws = []
    for odd in (-1, position - 1):
        mean, variance = np.zeros(epochs + 1), np.full(epochs + 1, 1 / alpha)
        epoch_laws(mean, variance, n, rate, odd_rate, drift, odd_drift, added, odd)
        laws += [tuple(mean.tolist()), tuple(variance.tolist())]
    return ChainLaw(*laws)
