"""Study the number of draws with which an adversary tells two datasets apart.

``dpbook study run posterior-adversary``; see `dpbook.study`.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator

from dpbook.posterior_sampling import FiniteDistribution, PosteriorPair, models, posterior_pair
from dpbook.posterior_sampling.theory.adversaries import likelihood_ratio_test, partition_adversary
from dpbook.posterior_sampling.theory.adversary_bounds import error_bound, relaxed_error_bound
from dpbook.privacy.distributions import Beta, Exponential
from dpbook.study import Cell, Scale, Setting, study
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = tuple[Mapping[str, Any], ...]

NAMES = {
    "coin": "coin, L = {:g}",
    "exponential": "rate, c = {:g}",
    "two coins": "two coins, c = {:g}",
}
ODDS, TOSSES = 1000, 105  # of the rare coin of theorem 2(ii), and how often it is tossed
FLOOR = 1e-6  # of the picture


@lru_cache(maxsize=64)
def attacked(model: str, constant: float) -> PosteriorPair:
    """Return the two datasets of a setting, with their posteriors.

    Parameters
    ----------
    model : {"coin", "exponential", "two coins"}
        Ten tosses, six ones against five, under a uniform prior on the chances whose Lipschitz
        constant is at most `constant` (assumption 1). Ten exponential records of sum 10 against
        12, under an exponential prior of the rate `constant` (assumption 2). Many tosses, all ones
        against all but one, of a fair coin or, with probability odds**-constant, one of high odds
        (assumption 2).
    constant : float
    """
    if model == "coin":
        coin = models.Bernoulli()
        tosses = [1.0] * 5 + [0.0] * 5
        return posterior_pair(
            coin, coin.restrict(Beta(1, 1), constant), [*tosses[:5], 1.0, *tosses[6:]], tosses
        )
    if model == "exponential":
        ones = np.ones(10)
        return posterior_pair(
            models.Exponential(), Exponential(constant), ones, np.append(ones[1:], 3.0)
        )
    rare = float(ODDS) ** -constant
    prior = FiniteDistribution([0.5, ODDS / (ODDS + 1)], [1 - rare, rare])
    heads = np.ones(TOSSES)
    return posterior_pair(models.Bernoulli(), prior, heads, np.append(heads[1:], 0.0))


@dataclass(frozen=True)
class Attack:
    """Errors of adversaries on one pair of datasets against the number of draws.

    Attributes
    ----------
    model : str
    constant : float
        L of assumption 1, or c of assumption 2.
    draws : tuple of int
    games : int
        So often the best test was tried for each dataset, in all.
    tried : tuple of float
        Share of them that it lost.
    best, nearest : tuple of float
        Exact error of the best test, and of the partition adversary.
    printed : tuple of float
        The error of eq. 4.3 or 4.4.
    least, most : tuple of float
        What the repairs say: of every adversary, and of the partition adversary. 0 where there is
        no such bound.
    """

    model: str
    constant: float
    draws: tuple[int, ...]
    games: int
    tried: tuple[float, ...]
    best: tuple[float, ...]
    nearest: tuple[float, ...]
    printed: tuple[float, ...]
    least: tuple[float, ...]
    most: tuple[float, ...]

    @property
    def name(self) -> str:
        """Model and constant."""
        return NAMES[self.model].format(self.constant)

    @property
    def above(self) -> int:
        """Count the numbers of draws at which even the best test errs more than the paper says."""
        return sum(best > printed for best, printed in zip(self.best, self.printed, strict=True))


@dataclass(frozen=True)
class PosteriorAdversaries:
    """Number of draws with which an adversary tells two datasets apart, on several pairs.

    Attributes
    ----------
    attacks : tuple of Attack
    """

    attacks: tuple[Attack, ...]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> PosteriorAdversaries:
        """Join the replicates of each setting, and the settings of each pair."""
        attacks = []
        for model, constant in dict.fromkeys(map(_pair, cells)):
            chosen = [cell for cell in cells if _pair(cell) == (model, constant)]
            draws = tuple(sorted({int(cell.setting["draws"]) for cell in chosen}))
            records = [[c.record for c in chosen if c.setting["draws"] == T] for T in draws]
            exact = {
                name: tuple(of_draws[0][name] for of_draws in records)
                for name in ("best", "nearest", "printed", "least", "most")
            }
            attacks.append(
                Attack(
                    model,
                    constant,
                    draws,
                    sum(int(c.setting["games"]) for c in chosen if c.setting["draws"] == draws[0]),
                    tuple(statistics.fmean(one["tried"] for one in some) for some in records),
                    **exact,
                )
            )
        return cls(tuple(attacks))

    @property
    def rows(self) -> Rows:
        """Return for each pair and number of draws the errors and their bounds."""
        return tuple(
            {
                "pair": attack.name,
                "draws": T,
                "tried": attack.tried[k],
                "best test": attack.best[k],
                "two cells": attack.nearest[k],
                "theorem 3": attack.printed[k],
                "best test is": "above" if attack.best[k] > attack.printed[k] else "below",
                "at least": attack.least[k],
                "at most": attack.most[k],
            }
            for attack in self.attacks
            for k, T in enumerate(attack.draws)
        )

    def __repr__(self) -> str:
        shown = "; ".join(
            f"{one.name}: best={one.best[0]:.4g} to {one.best[-1]:.4g}, above the print at "
            f"{one.above} of {len(one.draws)}"
            for one in self.attacks
        )
        return f"PosteriorAdversaries({shown})"

    def _repr_html_(self) -> str:
        return figures.html_table(self.rows)

    def describe(self) -> str:
        """Return the words for the picture."""
        said = [
            f"{one.name}: with {one.draws[0]} draw{'s' * (one.draws[0] > 1)} it is "
            f"{one.best[0]:.3g} where theorem 3 as printed says {one.printed[0]:.3g}, with "
            f"{one.draws[-1]} {one.best[-1]:.3g} and {one.printed[-1]:.3g}; it is above at "
            f"{one.above} of {len(one.draws)}."
            for one in self.attacks
        ]
        return (
            "Error of the best test of posterior draws from one of two datasets, against their "
            f"number; points were tried, lines are exact. {' '.join(said)}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the exact errors as lines, the errors of trials as points, and the bounds of the paper as thin lines."""
        ax = ax or figures.axes(height=4.2)
        models = list(dict.fromkeys(attack.model for attack in self.attacks))
        for attack in self.attacks:  # a colour for each model, a kind of line for each constant
            constants = [one.constant for one in self.attacks if one.model == attack.model]
            colour = f"C{models.index(attack.model)}"
            dashes = ("-", "--", "-.", ":")[constants.index(attack.constant) % 4]
            ax.plot(attack.draws, attack.best, dashes, color=colour, label=attack.name)
            ax.plot(attack.draws, attack.tried, "o", color=colour, markersize=4)
            ax.plot(attack.draws, attack.printed, dashes, color=colour, linewidth=0.8, alpha=0.7)
        ax.plot([], [], "o", color="black", markersize=4, label="tried")
        ax.plot([], [], "-", color="black", linewidth=0.8, label="theorem 3, as printed")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_ylim(FLOOR, 1.2)
        ax.minorticks_off()
        ax.set_xlabel("number of draws")
        ax.set_ylabel("error")
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
        return ax


def _pair(cell: Cell) -> tuple[str, float]:
    return str(cell.setting["model"]), float(cell.setting["constant"])


def _settings(
    games: int, draws: Sequence[int], constants: Mapping[str, Sequence[float]]
) -> list[Setting]:
    """Every number of draws for every constant of every model."""
    return [
        {"model": model, "constant": constant, "draws": T, "games": games}
        for model, of_model in constants.items()
        for constant in of_model
        for T in draws
    ]


@study(
    "posterior-adversary",
    place="Section 4.3, Theorem 3",
    quick=Scale(
        _settings(
            20_000,
            (1, 2, 5, 10, 20, 50, 100),
            {"coin": (0.5, 2.0), "exponential": (1.0, 10.0), "two coins": (10.0,)},
        )
    ),
    paper=Scale(
        _settings(
            200_000,
            (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
            {"coin": (0.5, 1.0, 2.0, 4.0), "exponential": (0.1, 1.0, 10.0), "two coins": (10.0,)},
        )
    ),
    summary=PosteriorAdversaries.of,
)
def posterior_adversary(
    rng: Generator, model: str, constant: float, draws: int, games: int
) -> dict[str, float]:
    """How soon an adversary tells two datasets apart, and how soon the paper says so."""
    pair = attacked(model, constant)
    tried = likelihood_ratio_test(pair, draws, simulations=games, rng=rng)
    if model == "coin":
        printed = error_bound(constant * pair.distance, draws, "printed")
        least = error_bound(constant * pair.distance, draws).value
    else:
        printed = relaxed_error_bound(draws, "printed", rate=constant, distance=pair.distance)
        least = 0.0
    most = relaxed_error_bound(draws, variation=pair.total_variation)
    return {
        "tried": tried.error,
        "best": likelihood_ratio_test(pair, draws).error,
        "nearest": partition_adversary(pair, draws).error,
        "printed": printed.value,
        "least": least,
        "most": most.value,
    }
