"""Explorers of the unknown_sample_size chapters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, xlog1py, xlogy

from dpbook.teaching import figures
from dpbook.teaching.explorer import Explorer, number, slider
from dpbook.unknown_sample_size import models
from dpbook.unknown_sample_size.enumeration import Mixture, exact_counts
from dpbook.unknown_sample_size.mechanisms import DiscreteLaplace, Known
from dpbook.unknown_sample_size.problem import Release
from dpbook.unknown_sample_size.setting import Setting

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

LOSSES_S = (0.1, 0.3, 1.0, 3.0, 10.0)
LOSSES_N = (0.2, 0.5, 1.0, 3.0, 10.0)
CARRIERS = (0, 6, 12, 18, 24, 36, 48)
RELEASED = 30


@dataclass(frozen=True, eq=False)
class NoisyNumber:
    """Exact posterior of a share and of the number of records, beside the posterior with n public.

    Attributes
    ----------
    carriers : int
        Noisy number of carriers (records that are 1), s; the noisy number of records is 30.
    epsilon_s, epsilon_n : float
    found, public : Mixture
    """

    carriers: int
    epsilon_s: float
    epsilon_n: float
    found: Mixture
    public: Mixture

    @staticmethod
    def moments(mixture: Mixture) -> tuple[float, float]:
        """Mean and standard deviation of the share."""
        a, b = (mixture.sums + 1).T
        means = a / (a + b)
        second = means * (a + 1) / (a + b + 1)
        mean = float(mixture.masses @ means)
        return mean, math.sqrt(float(mixture.masses @ second) - mean**2)

    @property
    def sizes(self) -> tuple[float, float]:
        """Mean and standard deviation of the number of records."""
        mean = float(self.found.masses @ self.found.sizes)
        return mean, math.sqrt(float(self.found.masses @ (self.found.sizes - mean) ** 2))

    @property
    def alone(self) -> tuple[float, float]:
        """Do the same from the noisy number of records alone."""
        at = np.arange(1, 4 * RELEASED + 1)
        masses = np.exp(-self.epsilon_n * np.abs(at - RELEASED))
        masses /= masses.sum()
        mean = float(masses @ at)
        return mean, math.sqrt(float(masses @ (at - mean) ** 2))

    def __repr__(self) -> str:
        return (
            f"NoisyNumber(s={self.carriers}, epsilon_s={self.epsilon_s:g}, "
            f"epsilon_n={self.epsilon_n:g})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        (mean, sd), (mean_0, sd_0) = self.moments(self.found), self.moments(self.public)
        (size, spread), (_, alone) = self.sizes, self.alone
        return (
            f"Given s = {self.carriers} at epsilon_s = {self.epsilon_s:g} and n_dp = {RELEASED} at "
            f"epsilon_n = {self.epsilon_n:g}, the share has the mean {mean:.3f} and the standard "
            f"deviation {sd:.3f}; with n = {RELEASED} public {mean_0:.3f} and {sd_0:.3f}. The number of "
            f"records has the mean {size:.1f} and the standard deviation {spread:.2f}; from n_dp "
            f"alone {alone:.2f}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the density of the share; in a new figure also the masses of n, beside it."""
        if ax is None:
            ax = figures.axes(height=3.0)
            figure = ax.get_figure(root=True)
            assert figure is not None
            grid = figure.add_gridspec(1, 2)
            ax.set_subplotspec(grid[0])
            self._masses(figure.add_subplot(grid[1]))
        at = np.linspace(0.001, 0.999, 301)
        for mixture, label in ((self.found, "n noisy"), (self.public, "n public")):
            ax.plot(at, _density(mixture, at), label=label)
        ax.set_ylim(bottom=0)
        ax.set_xlabel("share theta")
        ax.set_ylabel("posterior density")
        ax.legend()
        return ax

    def _masses(self, ax: Axes) -> None:
        held = self.found.size_masses()
        at = np.array([n for n in held if n <= 3 * RELEASED])
        alone = np.exp(-self.epsilon_n * np.abs(at - RELEASED))
        ax.plot(at, [held[int(n)] for n in at], label="s and n_dp")
        ax.plot(at, alone / alone.sum(), label="n_dp alone")
        ax.set_ylim(bottom=0)
        ax.set_xlabel("number of records n")
        ax.set_ylabel("posterior mass")
        ax.legend()


def _density(mixture: Mixture, at: Floats) -> Floats:
    """Density of the share: a mixture of beta distributions."""
    kept = mixture.masses > 1e-7
    a, b = (mixture.sums[kept] + 1).T
    logs = xlogy(a[:, None] - 1, at) + xlog1py(b[:, None] - 1, -at) - betaln(a, b)[:, None]
    found: Floats = mixture.masses[kept] @ np.exp(logs)
    return found


@lru_cache(maxsize=64)
def noisy_number(carriers: int, epsilon_s: float, epsilon_n: float) -> NoisyNumber:
    """Return the posteriors given s = carriers and n_dp = 30, under discrete Laplace noise."""
    coin, noise = models.bernoulli(), DiscreteLaplace(epsilon_s)
    release = Release((float(carriers),), float(RELEASED))
    secret = Setting(coin, noise, DiscreteLaplace(epsilon_n))
    public = Setting(coin, noise, Known())
    everything = exact_counts(secret, release, 4 * RELEASED)
    listed = exact_counts(public, release, RELEASED)
    known = listed.sizes == RELEASED  # a public number has no other
    masses = listed.masses[known] / listed.masses[known].sum()
    held = Mixture(listed.sizes[known], listed.sums[known], masses)
    return NoisyNumber(carriers, epsilon_s, epsilon_n, everything, held)


def number_explorer() -> Explorer:
    """Show the effect of a noisy number of records on the posterior of a share, and of the release s."""

    def frame(carriers: int, epsilon_s: float, epsilon_n: float) -> dict[str, object]:
        return {"carriers": carriers, "epsilon_s": epsilon_s, "epsilon_n": epsilon_n}

    return Explorer(
        noisy_number,
        controls={
            "carriers": slider("noisy carriers s", CARRIERS),
            "epsilon_s": slider("epsilon_s", LOSSES_S, number),
            "epsilon_n": slider("epsilon_n", LOSSES_N, number),
        },
        frames=[
            frame(12, 1.0, 0.2),  # much noise on n
            frame(12, 1.0, 1.0),
            frame(12, 1.0, 10.0),  # hardly any
            frame(12, 10.0, 0.2),  # s exact: n as uncertain as before
            frame(36, 1.0, 0.2),  # more carriers than records: now s speaks
            frame(48, 10.0, 0.2),
            frame(12, 0.1, 1.0),
        ],
        title="What does the noise on n cost?",
    )
