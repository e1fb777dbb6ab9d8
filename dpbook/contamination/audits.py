"""Random differential privacy is not differential privacy: two pairs of datasets that show it.

The guarantee of the paper (Definition 2) is about datasets that the model draws. Definition 1 is
about all datasets, and on these pairs of neighbours it fails by far, at the epsilon of Table 1:

`contaminated_pair`
    The contaminated records themselves: 499 lie at theta* + 10 sd and 500 at theta* - 10 sd, the
    last one at either. One record decides between two modes.
`clean_pair`
    The records before contamination, which the mechanism then contaminates: 95 of 100 lie at 30
    and 5 at 300, or 96 and 4. Where all five survive the contamination, the posterior jumps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import binom

from dpbook.contamination.estimator import CONDITION, hockey_stick
from dpbook.contamination.posterior import GridPosterior
from dpbook.contamination.settings import Setting, private_mean
from dpbook.engine.language.card import Described
from dpbook.privacy.reading import count, generator, number
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

__all__ = ["PairAudit", "clean_pair", "contaminated_pair"]


@dataclass(frozen=True, eq=False)
class PairAudit(Described):
    """Hold the loss of a posterior draw for two neighbouring datasets, beside the claimed loss.

    Attributes
    ----------
    what : str
        The two datasets.
    n : int
    epsilon, claimed : float
        The guarantee of Table 1: (epsilon, claimed)-random DP.
    delta : float
        What (epsilon, delta)-DP needs at least on these two datasets.
    error : float
        Standard error of delta; 0 where it is by quadrature alone.
    threshold : float
        The event: a draw above it.
    chance, other : float
        Of the event, on the first dataset and on the second.
    posteriors : tuple of GridPosterior
        Of the two datasets, where they are not random.

    Examples
    --------
    >>> from dpbook.contamination import contaminated_pair
    >>> found = contaminated_pair()
    >>> round(found.delta, 3)
    0.731
    """

    what: str
    n: int
    epsilon: float
    claimed: float
    delta: float
    error: float
    threshold: float
    chance: float
    other: float
    posteriors: tuple[GridPosterior, ...] = field(default=(), repr=False)

    @property
    def fails(self) -> bool:
        """Say whether the datasets refute (epsilon, claimed)-DP, by six standard errors if at all random."""
        return self.delta - 6 * self.error > self.claimed

    def __repr__(self) -> str:
        error = f" +- {self.error:.2g}" if self.error else ""
        return (
            f"PairAudit({self.what}: needs delta={self.delta:.4g}{error} at epsilon="
            f"{self.epsilon:.3g}, claimed {self.claimed:.3g}; above {self.threshold:g}: "
            f"{self.chance:.4g} and {self.other:.2g}; the claim is {CONDITION})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        error = f" (standard error {self.error:.2g})" if self.error else ""
        verdict = "The guarantee fails on them" if self.fails else "The guarantee holds on them"
        return (
            f"Two neighbouring datasets of {self.n} records: {self.what}. A draw lies above "
            f"{self.threshold:g} with probability {self.chance:.3g} on the one and {self.other:.2g} "
            f"on the other, so at epsilon {self.epsilon:.3g} delta must be at least "
            f"{self.delta:.3g}{error}; {self.claimed:.3g} is claimed. {verdict}: it is {CONDITION}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the two posteriors, or the two chances of the event."""
        ax = ax or figures.axes()
        if not self.posteriors:
            ax.bar(
                ["first dataset", "second dataset", "delta claimed"],
                [self.chance, self.other, self.claimed],
                color=[figures.PALETTE[0], figures.PALETTE[1], figures.PALETTE[3]],
            )
            ax.set_ylabel(f"chance of a draw above {self.threshold:g}")
            return ax
        for posterior, label in zip(self.posteriors, ("first", "second"), strict=True):
            ax.plot(posterior.points, posterior.density, label=f"{label} dataset")
        ax.set_xlabel("theta")
        ax.set_ylabel("density of the posterior")
        ax.legend()
        return ax


def contaminated_pair(
    n: int = 1000, *, away: float = 10.0, epsilon: float = 0.94, setting: Setting | None = None
) -> PairAudit:
    """Two contaminated datasets that differ in the last record, which chooses between two modes.

    Parameters
    ----------
    n : int
        Even, >= 4: n / 2 - 1 records above, n / 2 below, and the last one above or below.
    away : float
        How far from theta* they are, in standard deviations of a record, > 0.
    epsilon : float
        At which delta is computed, > 0; 0.94 is the value of Table 1 for n = 1000.
    setting : Setting, optional
        Without it the private mean of Section 4.2.

    Returns
    -------
    PairAudit
        By quadrature.

    Raises
    ------
    ValueError
        A number out of its range, a setting of another size.

    Examples
    --------
    >>> contaminated_pair()
    PairAudit(499 records at 110, 500 at -50, the last one at 110 or at -50: needs delta=0.731 at epsilon=0.94, claimed 0.0001; above 30: 0.731 and 1.5e-08; the claim is random DP, conditional on the model)
    """
    if count("n", n, 4) % 2:
        raise ValueError(f"n must be even, got {n}")
    number("away", away, "> 0 and finite")
    number("epsilon", epsilon, "> 0 and finite")
    setting = setting or private_mean(n)
    if setting.n != n:
        raise ValueError(f"n of the setting must be {n}, got {setting.n}")
    half = n // 2
    high = setting.theta + away * setting.likelihood.scale
    low = setting.theta - away * setting.likelihood.scale
    same = np.concatenate([np.full(half - 1, high), np.full(half, low)])
    first, second = (setting.posterior(np.append(same, last)) for last in (high, low))
    first, second = _together(setting, same, high, low, first, second)
    delta = max(
        float(hockey_stick(a.density, b.density, math.exp(epsilon), a.step))
        for a, b in ((first, second), (second, first))
    )
    return PairAudit(
        f"{half - 1} records at {high:g}, {half} at {low:g}, the last one at {high:g} or at {low:g}",
        n,
        float(epsilon),
        setting.delta,
        delta,
        0.0,
        setting.theta,
        float(first.above(setting.theta)),
        float(second.above(setting.theta)),
        (first, second),
    )


def _together(
    setting: Setting,
    same: Floats,
    high: float,
    low: float,
    first: GridPosterior,
    second: GridPosterior,
) -> tuple[GridPosterior, GridPosterior]:
    """Two posteriors on one grid, that covers both."""
    start = min(first.points[0], second.points[0])
    stop = max(first.points[-1], second.points[-1])
    size = math.ceil((stop - start) / min(first.step, second.step)) + 1
    points = np.linspace(start, stop, size)
    found = []
    for last in (high, low):
        logs = setting.model.log_likelihood(points, np.append(same, last))
        logs -= 0.5 * ((points - float(setting.prior.mean)) / float(setting.prior.sd)) ** 2
        found.append(
            GridPosterior(points, logs - logsumexp(logs) - math.log(points[1] - points[0]))
        )
    return found[0], found[1]


def clean_pair(
    size: int = 100,
    rng: Generator | None = None,
    *,
    n: int = 100,
    far: int = 5,
    at: float = 300.0,
    epsilon: float = 2.85,
    setting: Setting | None = None,
) -> PairAudit:
    """Two clean datasets, contaminated by the mechanism: few records far away, or one fewer.

    Parameters
    ----------
    size : int
        Contaminations for each number of far records that survive, >= 2.
    rng : numpy.random.Generator, optional
        A fresh one when None.
    n, far : int
        n - far records at theta* and far records at `at`, or one record moved to theta*.
    at : float
    epsilon : float
        At which delta is computed, > 0; 2.85 is the value of Table 1 for n = 100.
    setting : Setting, optional
        Without it the private mean of Section 4.2.

    Returns
    -------
    PairAudit
        The event is a draw above the middle between theta* and `at`. Its chance is a sum over how
        many far records survive, with binomial weights; for each of these numbers it is the mean,
        over contaminations, of a chance by quadrature. So delta is at least what is told.

    Raises
    ------
    ValueError
        A number out of its range, a setting of another size.

    Examples
    --------
    >>> import numpy as np
    >>> clean_pair(size=4, rng=np.random.default_rng(3)).n
    100
    """
    size, rng = count("size", size, 2), generator(rng)
    count("n", n, 4)
    count("far", far, 1, n - 1)
    number("at", at, "finite")
    number("epsilon", epsilon, "> 0 and finite")
    setting = setting or private_mean(n)
    if setting.n != n:
        raise ValueError(f"n of the setting must be {n}, got {setting.n}")
    middle = 0.5 * (setting.theta + at)
    means, variances = [], []
    for number_far in (far, far - 1):
        mean, variance = 0.0, 0.0
        for kept in range(number_far + 1):
            weight = float(binom.pmf(kept, number_far, 1 - setting.rate))
            chances = _above(setting, kept, number_far, at, middle, size, rng)
            mean += weight * float(chances.mean())
            variance += weight**2 * float(chances.var(ddof=1)) / size
        means.append(mean)
        variances.append(variance)
    level = math.exp(epsilon)
    return PairAudit(
        f"{n - far} records at {setting.theta:g} and {far} at {at:g}, or {n - far + 1} and "
        f"{far - 1}, contaminated by the mechanism",
        n,
        float(epsilon),
        setting.delta,
        max(means[0] - level * means[1], 0.0),
        math.sqrt(variances[0] + level**2 * variances[1]),
        middle,
        means[0],
        means[1],
    )


def _above(
    setting: Setting, kept: int, far: int, at: float, middle: float, size: int, rng: Generator
) -> Floats:
    """Posterior chances above a threshold, where so many of the far records survive."""
    found = np.empty(size)
    low, high = setting.theta, at
    reach = 12 * setting.likelihood.scale
    points = np.linspace(min(low, high) - reach, max(low, high) + reach, GRID)
    log_prior = -0.5 * ((points - float(setting.prior.mean)) / float(setting.prior.sd)) ** 2
    near = setting.n - far
    fixed = setting.model.log_likelihood(points, np.array([at])) * kept
    fixed += log_prior
    stay = setting.model.log_likelihood(points, np.array([setting.theta]))
    for k in range(size):
        replaced = int(rng.binomial(near, setting.rate)) + far - kept
        fresh = setting.density.draw(setting.density.centres(replaced), rng)
        logs = fixed + (setting.n - kept - replaced) * stay
        if replaced:
            logs = logs + setting.model.log_likelihood(points, fresh)
        above = points > middle
        upper, lower = logsumexp(logs[above]), logsumexp(logs[~above])
        found[k] = 1 / (1 + math.exp(min(lower - upper, 700.0)))
    return found


GRID = 1537  # points between the two modes and beyond: an eighth of a record's deviation or less
