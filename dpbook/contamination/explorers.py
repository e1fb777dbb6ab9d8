"""Explorers of the contamination chapters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dpbook.contamination.audits import PairAudit, contaminated_pair
from dpbook.contamination.calculator import TunedRate, tune_rate
from dpbook.contamination.estimator import CONDITION, METHODS
from dpbook.contamination.settings import Setting, private_mean
from dpbook.teaching import figures
from dpbook.teaching.explorer import Explorer, slider

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# --- one dataset ------------------------------------------------------------------------------------------

RECORDS = (100, 1000, 10_000)
RATES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
SEEDS = tuple(range(1, 9))


@dataclass(frozen=True, eq=False)
class OneDataset:
    """Epsilon of one contaminated dataset by three estimators, and its posterior.

    Attributes
    ----------
    setting : Setting
    seed : int
    epsilons : dict of str to float
        By method.
    means, sds : tuple of float
        Of the posterior without contamination, and with it.
    """

    setting: Setting
    seed: int
    epsilons: dict[str, float]
    means: tuple[float, float]
    sds: tuple[float, float]

    def __repr__(self) -> str:
        found = ", ".join(f"{name}={value:.4g}" for name, value in self.epsilons.items())
        return f"OneDataset(n={self.setting.n}, rate={self.setting.rate:g}, {found}; {CONDITION})"

    def describe(self) -> str:
        """Return the words for the picture."""
        found = ", ".join(f"{METHODS[name]} {v:.3g}" for name, v in self.epsilons.items())  # type: ignore[index]
        return (
            f"{self.setting.n} records, replaced with probability {self.setting.rate:g}. The "
            f"posterior has mean {self.means[1]:.4g} and standard deviation {self.sds[1]:.3g}, "
            f"before contamination {self.means[0]:.4g} and {self.sds[0]:.3g}. Epsilon at delta "
            f"{self.setting.delta:.2g}: {found}; {CONDITION}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw both posteriors as normal curves around theta*."""
        ax = ax or figures.axes(height=3.2)
        wide = 5 * max(self.sds)
        at = np.linspace(self.setting.theta - wide, self.setting.theta + wide, 401)
        for mean, sd, label in zip(
            self.means, self.sds, ("clean records", "contaminated records"), strict=True
        ):
            ax.plot(at, np.exp(-0.5 * ((at - mean) / sd) ** 2) / sd, label=label)
        ax.axvline(self.setting.theta, color="black", linewidth=0.8, linestyle="-")
        ax.set_yticks([])
        ax.set_xlabel("theta")
        ax.set_ylabel("posterior")
        ax.legend()
        return ax


@lru_cache(maxsize=64)
def one_dataset(n: int, rate: float, seed: int) -> OneDataset:
    """Return epsilon of one contaminated dataset of the private mean."""
    setting, rng = private_mean(n, rate=rate), np.random.default_rng(seed)
    clean = setting.clean(rng)
    x = setting.contaminate(clean, rng)
    epsilons = {name: setting.epsilon(x, method=name).epsilon for name in METHODS}
    posterior = setting.posterior(x)
    precision = 1 / 40**2 + n / 8**2  # of the prior, and of clean records
    mean = (40 / 40**2 + float(clean.sum()) / 8**2) / precision
    return OneDataset(
        setting,
        seed,
        {str(k): v for k, v in epsilons.items()},
        (mean, posterior.mean),
        (precision**-0.5, posterior.sd),
    )


def dataset_explorer() -> Explorer:
    """Show the cost of contamination in precision and its gain in privacy, on one dataset."""

    def frame(n: int, rate: float, seed: int = 1) -> dict[str, object]:
        return {"n": n, "rate": rate, "seed": seed}

    return Explorer(
        one_dataset,
        controls={
            "n": slider("records n", RECORDS),
            "rate": slider("rate p", RATES),
            "seed": slider("dataset", SEEDS),
        },
        frames=[
            frame(1000, 0.3),
            frame(1000, 0.05),  # less contamination: a sharper draw, a larger epsilon
            frame(1000, 0.8),  # more: not much is won
            frame(1000, 0.3, 2),  # algorithm 1 depends on the dataset, the exact one hardly
            frame(100, 0.3),
            frame(10_000, 0.3),
            frame(10_000, 0.01),
        ],
        title="What does contamination cost, and what does it buy?",
    )


# --- which rate? ------------------------------------------------------------------------------------------

TARGETS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
SIZES = (1000, 10_000, 50_000)


@lru_cache(maxsize=64)
def tuned(n: int, epsilon: float) -> TunedRate:
    """Return the rate of the smallest error that keeps a target epsilon, or none."""
    return tune_rate(private_mean(n), epsilon)


def rate_explorer() -> Explorer:
    """Find the contamination rate that keeps a target epsilon with the smallest error."""

    def frame(n: int, epsilon: float) -> dict[str, object]:
        return {"n": n, "epsilon": epsilon}

    return Explorer(
        tuned,
        controls={
            "n": slider("records n", SIZES),
            "epsilon": slider("target epsilon", TARGETS),
        },
        frames=[
            frame(10_000, 0.2),
            frame(10_000, 0.15),
            frame(10_000, 0.1),  # none
            frame(1000, 0.5),
            frame(1000, 0.3),  # none
            frame(50_000, 0.1),
        ],
        title="Which contamination rate keeps a target?",
    )


# --- where the guarantee fails ----------------------------------------------------------------------------

AWAY = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
EVEN = (100, 1000)


@lru_cache(maxsize=32)
def torn(n: int, away: float) -> PairAudit:
    """Return the audit of two datasets in two clusters, the last record in either."""
    return contaminated_pair(n, away=away, epsilon=2.85 if n == 100 else 0.94)


def pair_explorer() -> Explorer:
    """Two clusters of records: how far apart they must be for the guarantee to fail."""

    def frame(n: int, away: float) -> dict[str, object]:
        return {"n": n, "away": away}

    return Explorer(
        torn,
        controls={
            "n": slider("records n", EVEN),
            "away": slider("distance in sd", AWAY),
        },
        frames=[frame(1000, 10.0), frame(1000, 2.0), frame(1000, 0.5), frame(100, 10.0)],
        title="Random DP is not DP: when does one record decide?",
    )
