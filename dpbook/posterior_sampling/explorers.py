"""Explorers of the posterior_sampling chapters."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit, xlog1py, xlogy

from dpbook.posterior_sampling import models
from dpbook.posterior_sampling.models.base import Model
from dpbook.posterior_sampling.theory.bounds import (
    delta_bound,
    relaxed_robustness_bound,
    relaxed_variation_bound,
)
from dpbook.posterior_sampling.theory.constants import (
    binomial_constant,
    exponential_constant,
    normal_constant,
)
from dpbook.posterior_sampling.theory.lipschitz import LipschitzProfile, lipschitz_profile
from dpbook.posterior_sampling.theory.pair import PosteriorPair, posterior_pair
from dpbook.privacy import distributions
from dpbook.privacy.value import Value
from dpbook.teaching import figures
from dpbook.teaching.explorer import Explorer, choice, number, slider

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


def _beside(ax: Axes) -> Axes:
    """Make room for a second picture to the right of one, and return its axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    grid = figure.add_gridspec(1, 2)
    ax.set_subplotspec(grid[0])
    return figure.add_subplot(grid[1])


# --- one draw ---------------------------------------------------------------------------------------

COIN = models.Bernoulli()
LEVELS = (0.1, 0.25, 0.5, 1.0, 2.0, math.inf)
CONCENTRATIONS = (1, 5, 20, 100)
RECORDS = (10, 100, 1000)
SHARES = (0.5, 0.7, 0.9, 1.0)
DELTA = 1e-3


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The posteriors of some tosses, and of the same with a one turned into a zero.

    Attributes
    ----------
    pair : PosteriorPair
    ones : int
        Among the tosses of x.
    """

    pair: PosteriorPair
    ones: int

    def __repr__(self) -> str:
        return f"Neighbours(n={self.pair.x.size}, ones={self.ones}, {self.pair})"

    def describe(self) -> str:
        """Return the words for the picture."""
        within = ""
        if math.isfinite(self.pair.exponent):
            low, high = self._ends
            within = f" between {low:.3g} and {high:.3g}"
        allowed = ""
        if math.isfinite(self.pair.exponent):
            allowed = f", of the {2 * self.pair.exponent:.4g} that theorem 2 allows"
        return (
            f"Posteriors of the chance of a one{within}, given {self.ones} ones in "
            f"{self.pair.x.size} tosses, and given one less. The total variation is "
            f"{self.pair.total_variation:.4g}, the largest log ratio {self.pair.epsilon:.4g}"
            f"{allowed}; at delta {DELTA:g} epsilon is {self.pair.epsilon_at(DELTA):.4g}."
        )

    @property
    def _ends(self) -> tuple[float, float]:
        """Chances at the least and the greatest odds that the prior allows."""
        if math.isinf(self.pair.exponent):
            return 0.0, 1.0
        low, high = COIN.within(self.pair.exponent)
        return low, high

    def _densities(self, at: Floats) -> list[Floats]:
        """Both densities at chances, up to a factor; then scaled to an area of 1."""
        n, a = self.pair.x.size, self._concentration
        found = []
        for ones in (self.ones, self.ones - 1):
            logs = xlogy(a + ones - 1, at) + xlog1py(a + n - ones - 1, -at)
            weights = np.exp(logs - logs.max())
            found.append(weights / np.trapezoid(weights, at))
        return found

    @property
    def _concentration(self) -> float:
        prior = self.pair.prior
        return float(getattr(prior, "distribution", prior).a)

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw both densities; in a new figure also delta against epsilon, beside them."""
        if ax is None:
            ax = figures.axes(height=3.0)
            self._deltas(_beside(ax))
        at = np.linspace(*self._ends, 4001)
        first, second = self._densities(at)
        seen = np.maximum(first, second) > 1e-3 * first.max()
        at, densities = at[seen], (first[seen], second[seen])
        for density, label in zip(densities, ("x", "y, a one less"), strict=True):
            ax.plot(at, density, label=label)
        ax.set_ylim(0, 1.4 * max(float(density.max()) for density in densities))
        ax.set_xlabel("chance of a one")
        ax.set_ylabel("density of the posterior")
        ax.legend(loc="upper left")
        return ax

    def _deltas(self, ax: Axes) -> None:
        a = self.pair.exponent
        at = np.linspace(0.0, min(2 * a, 8.0), 161)
        ax.plot(at, np.maximum(self.pair.delta(at), 1e-9), label="these data")
        if math.isfinite(a):
            worst = [max(delta_bound(a, float(epsilon)), 1e-9) for epsilon in at]
            ax.plot(at, worst, label="worst model")
        ax.set_yscale("log")
        ax.set_ylim(1e-6, 10)
        ax.minorticks_off()
        ax.set_xlabel("epsilon")
        ax.set_ylabel("delta")
        ax.legend(loc="upper right")


@lru_cache(maxsize=64)
def neighbours(level: float, concentration: int, n: int, share: float) -> Neighbours:
    """Return the posteriors of tosses with a share of ones, and of a neighbour with one less."""
    prior: Any = distributions.Beta(concentration, concentration)
    if math.isfinite(level):
        prior = COIN.restrict(prior, level)
    ones = round(share * n)
    x = (np.arange(n) < ones).astype(float)
    y = (np.arange(n) < ones - 1).astype(float)
    return Neighbours(posterior_pair(COIN, prior, x, y), ones)


def neighbour_explorer() -> Explorer:
    """Show how much one posterior draw reveals of a toss, over prior and data."""

    def frame(
        level: float, concentration: int = 1, n: int = 100, share: float = 0.7
    ) -> dict[str, object]:
        return {"level": level, "concentration": concentration, "n": n, "share": share}

    return Explorer(
        neighbours,
        controls={
            "level": slider(
                "log odds up to", LEVELS, lambda v: "any" if math.isinf(v) else number(v)
            ),
            "concentration": slider("prior alpha = beta", CONCENTRATIONS),
            "n": slider("tosses n", RECORDS),
            "share": slider("share of ones", SHARES),
        },
        frames=[
            frame(0.5),  # the data are cut off
            frame(1.0),
            frame(2.0),  # and here they are not
            frame(math.inf),  # no epsilon
            frame(math.inf, share=1.0),  # the worst data
            frame(math.inf, n=1000, share=1.0),  # more records do not help there
            frame(math.inf, concentration=20, share=1.0),  # a stronger prior does
            frame(2.0, n=10, share=1.0),
        ],
        title="What does one draw tell of one toss?",
    )


# --- two coins --------------------------------------------------------------------------------------

ODDS = (2, 10, 100, 1000, 5000, 100_000)
RATES = (0.5, 1, 2, 4, 10)
TOSSES = (1, 5, 10, 14, 20, 28, 40, 70, 105, 150)


@dataclass(frozen=True, eq=False)
class TwoCoins:
    """Posteriors on a fair coin and a biased one, after tosses that are all ones, or all but one.

    Attributes
    ----------
    odds : int
        Of the biased coin, for a one.
    rate : float
        c of assumption 2; the prior probability of the biased coin is odds ** (-rate).
    tosses : int
    """

    odds: int
    rate: float
    tosses: int

    def log_odds(self, tosses: Any) -> tuple[Any, Any]:
        """Posterior log odds of the biased coin, given ones only, and given one zero.

        Parameters
        ----------
        tosses : int or array
        """
        up, prior = math.log(self.odds), -self.rate * math.log(self.odds)
        each = math.log(2) + up - math.log1p(self.odds)
        ones = prior - math.log(-math.expm1(prior)) + np.asarray(tosses) * each
        return ones, ones - up

    def divergence(self, tosses: Any) -> Any:
        """KL divergence of the posteriors given ones only and given one zero, in nats.

        Parameters
        ----------
        tosses : int or array
        """
        ones, zero = self.log_odds(tosses)
        return expit(ones) * (log_expit(ones) - log_expit(zero)) + expit(-ones) * (
            log_expit(-ones) - log_expit(-zero)
        )

    @property
    def printed(self) -> float:
        """Return the bound of theorem 1(ii), as printed."""
        return relaxed_robustness_bound(self.rate, 1.0, "printed").value

    @property
    def printed_variation(self) -> float:
        """Return the bound of theorem 2(ii), as printed."""
        return relaxed_variation_bound(self.rate, 1.0, "printed").value

    def __repr__(self) -> str:
        return f"TwoCoins(odds={self.odds}, rate={self.rate:g}, tosses={self.tosses})"

    def describe(self) -> str:
        """Return the words for the picture."""
        ones, zero = (float(expit(v)) for v in self.log_odds(self.tosses))
        found = []
        for name, value, most in (
            ("divergence", float(self.divergence(self.tosses)), self.printed),
            ("total variation", ones - zero, self.printed_variation),
        ):
            said = "exceeds" if value > most else "is within"
            size = f"{value:.4g}" if value > 1e-6 else "below 1e-06"
            found.append(f"the {name}, {size}, {said} the printed bound of {most:.4g}")
        return (
            f"The biased coin, of odds {self.odds}, has prior probability "
            f"{self.odds**-self.rate:.3g}. After {self.tosses} tosses it has {ones:.3g} if all are "
            f"ones, and {zero:.3g} if one is a zero: {found[0]}; {found[1]}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the divergence over tosses; in a new figure the posteriors too, beside it."""
        at = np.arange(1, max(40, 2 * self.tosses) + 1)
        if ax is None:
            left = figures.axes(height=3.0)
            ax = _beside(left)
            for values, label in zip(self.log_odds(at), ("all ones", "one zero"), strict=True):
                left.plot(at, expit(values), label=label)
            left.axvline(self.tosses, color="#767676", linewidth=1)
            left.set_xlabel("tosses")
            left.set_ylabel("probability of the biased coin")
            left.legend(loc="lower right")
        ax.plot(at, self.divergence(at), label="divergence")
        ax.plot(at, np.full(at.shape, self.printed), label="as printed, at most")
        ax.plot(self.tosses, self.divergence(self.tosses), "o", color="black")
        ax.set_ylim(0, 1.5 * max(self.printed, float(self.divergence(at).max())))
        ax.set_xlabel("tosses")
        ax.set_ylabel("KL divergence")
        ax.legend(loc="upper right")
        return ax


def coin_explorer() -> Explorer:
    """Two posteriors on two coins against the bounds that are printed for assumption 2."""

    def frame(odds: int, rate: float, tosses: int) -> dict[str, object]:
        return {"odds": odds, "rate": rate, "tosses": tosses}

    return Explorer(
        TwoCoins,
        controls={
            "odds": slider("odds K", ODDS),
            "rate": slider("rate c", RATES),
            "tosses": slider("tosses n", TOSSES),
        },
        frames=[
            frame(10, 1, 5),  # all is well
            frame(10, 4, 20),
            frame(100, 1, 10),
            frame(100, 2, 14),
            frame(1000, 0.5, 10),
            frame(1000, 1, 14),
        ],
        title="How far apart does one zero move the posteriors?",
    )


# --- profiles ---------------------------------------------------------------------------------------

STRENGTHS = (0.5, 1, 2, 5, 20)


@dataclass(frozen=True)
class Family:
    """A model and its conjugate priors, as a lemma names them.

    Attributes
    ----------
    model : Model
    prior : callable
        From a strength to a prior.
    promise : callable
        From a strength to the constant of assumption 2 that the lemma gives; None where it gives
        none.
    """

    model: Model
    prior: Callable[[float], Any]
    promise: Callable[[float], Value | None]


def _symmetric(strength: float) -> distributions.Beta:
    return distributions.Beta(strength, strength)


FAMILIES = {
    "exponential": Family(models.Exponential(), distributions.Exponential, exponential_constant),
    "exponential, gamma prior of shape 2": Family(
        models.Exponential(),
        lambda strength: distributions.Gamma(2, strength),
        lambda strength: None,
    ),
    "counts of 10, as printed": Family(
        models.Binomial(10, "counting"),
        _symmetric,
        lambda strength: binomial_constant(strength, 10, "printed") if strength > 1 else None,
    ),
    "counts of 10, repaired": Family(
        models.Binomial(10), _symmetric, lambda strength: binomial_constant(strength, 10)
    ),
    "normal, prior on the variance": Family(
        models.NormalVariance(),
        distributions.Exponential,
        lambda strength: normal_constant(strength, version="printed"),
    ),
    "normal, prior on the precision": Family(
        models.NormalKnownMean(), distributions.Exponential, normal_constant
    ),
}


@dataclass(frozen=True, eq=False)
class PromisedProfile:
    """A Lipschitz profile beside the rate that a lemma promises.

    Attributes
    ----------
    profile : LipschitzProfile
    promise : Value or None
        None where the lemma does not cover the prior.
    """

    profile: LipschitzProfile
    promise: Value | None

    @property
    def last(self) -> float:
        """Last number of the picture: the tail beyond it is small, or it is 12."""
        levels = (0.5, 1.0, 2.0, 4.0, 8.0)
        return next((t for t in levels if self.profile.survival(t) < 1e-3), 12.0)

    @property
    def promised(self) -> float:
        """Return the rate that is promised; 0 where there is no positive rate."""
        return max(self.promise.value, 0.0) if self.promise else 0.0

    @property
    def broken(self) -> tuple[float, float, float] | None:
        """Return the level at which survival exceeds the promise most, with survival and promise there."""
        at = np.linspace(0.0, self.last, 1201)[1:]
        survival, promised = self.profile.survival(at), np.exp(-self.promised * at)
        place = int(np.argmax(survival - promised))
        if survival[place] <= promised[place] * (1 + 1e-9):
            return None
        return float(at[place]), float(survival[place]), float(promised[place])

    def __repr__(self) -> str:
        return f"PromisedProfile({self.profile}, {self.promise})"

    def describe(self) -> str:
        """Return the words for the picture."""
        at = [
            f"{self.profile.survival(t):.3g} at {t:g}" for t in self.last * np.array([0.25, 0.5, 1])
        ]
        rate, offset = self.profile.best
        if rate == 0:
            best = "No exponential bounds it."
        elif offset == 0:
            best = f"It stays below exp(-{rate:.4g} t), and no larger rate will do."
        else:
            best = f"No rate will do; from {offset:.4g} on it stays below exp(-{rate:.4g} (t - {offset:.4g}))."
        return (
            f"Probability that the Lipschitz constant exceeds t, for {self.profile.model} under "
            f"{self.profile.prior}: {', '.join(at)}. {best} {self._verdict()}"
        )

    def _verdict(self) -> str:
        if self.promise is None:
            return "No lemma speaks of this prior."
        lemma = f"The rate of {self.promise.claim}, {self.promise.value:.4g},"
        if not self.promised:
            return f"{lemma} is not positive."
        if self.broken is None:
            return f"{lemma} is kept."
        level, survival, promised = self.broken
        return f"{lemma} is broken: {survival:.3g} at {level:.3g}, where it allows {promised:.3g}."

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the survival function, the best exponential, and the promised one."""
        ax = ax or figures.axes()
        at = np.linspace(0.0, self.last, 401)
        ax.plot(at, self.profile.survival(at), label="Pr(L > t)")
        rate, offset = self.profile.best
        if rate:
            ax.plot(at, np.exp(-rate * np.maximum(at - offset, 0.0)), label="best exponential")
        if self.promised:
            ax.plot(at, np.exp(-self.promised * at), label="the lemma")
        ax.set_yscale("log")
        ax.set_ylim(1e-4, 2)
        ax.minorticks_off()
        ax.set_xlabel("Lipschitz constant t")
        ax.set_ylabel("prior probability of a larger one")
        ax.legend(loc="upper right" if self.profile.survival(self.last) < 0.02 else "center right")
        return ax


@lru_cache(maxsize=64)
def promised_profile(family: str, strength: float) -> PromisedProfile:
    """Return the profile of one of `FAMILIES` under a prior of a strength."""
    chosen = FAMILIES[family]
    profile = lipschitz_profile(chosen.model, chosen.prior(strength))
    return PromisedProfile(profile, chosen.promise(strength))


def profile_explorer() -> Explorer:
    """Probability of a large Lipschitz constant, over families and priors."""

    def frame(family: str, strength: float) -> dict[str, object]:
        return {"family": family, "strength": strength}

    return Explorer(
        promised_profile,
        controls={
            "family": choice("model and prior", tuple(FAMILIES)),
            "strength": slider("parameter", STRENGTHS),
        },
        frames=[
            frame("exponential", 1),
            frame("exponential, gamma prior of shape 2", 1),
            frame("counts of 10, as printed", 2),
            frame("counts of 10, repaired", 2),
            frame("counts of 10, repaired", 20),
            frame("normal, prior on the variance", 1),
            frame("normal, prior on the variance", 20),
            frame("normal, prior on the precision", 1),
        ],
        title="How often is the Lipschitz constant large?",
    )
