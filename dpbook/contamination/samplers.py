"""Run the paper's random-walk Metropolis on a contaminated posterior, and measure its cost.

And what else its states are good for: distributions for particles where one Student t does not do
(`tail_particles`).

A chain's state is not a draw from the posterior. Where its distribution is within a total variation tv of
it on both datasets, (epsilon, delta) becomes (epsilon, delta + (1 + e**epsilon) tv)
(`Chains.delta`); no diagnostic bounds tv.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from dpbook.contamination.estimator import CONDITION
from dpbook.contamination.regression import PARTICLE_DF, LaplaceApproximation, Regression, student
from dpbook.contamination.regression_data import RegressionData
from dpbook.contamination.settings import Setting
from dpbook.contamination.theory import with_approximation
from dpbook.engine.language.card import Described
from dpbook.privacy import diagnostics
from dpbook.privacy.reading import count, generator, number
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

__all__ = ["Chains", "metropolis", "tail_particles"]

SCALE = 2.38  # of a step in one dimension; it falls with the square root of the dimension
WANTED = (0.44, 0.234)  # acceptance rates in one dimension and in more

# of the chains that proposals are fitted to
CHAINS, KEPT = 100, 200
WARMUP = (1000, 100)  # from around the mode, and from states that are far out already
SHARE = 0.1  # of the states that are beyond a level
WIDER = 1.3  # proposals are, than the covariance of the states they are fitted to


@dataclass(frozen=True, eq=False)
class Chains(Described):
    """States of independent chains after their warm-up.

    Attributes
    ----------
    states : array of float, shape (chains, size, d)
    acceptance : array of float, shape (chains,)
        Share of proposals that each chain accepted.
    scale : float
        Of a step, in those of the Laplace approximation, after the warm-up.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.contamination import PRIVATE_MEAN, metropolis
    >>> x = PRIVATE_MEAN.simulate(np.random.default_rng(1))
    >>> chains = metropolis(PRIVATE_MEAN, x, size=50, warmup=200, rng=np.random.default_rng(2))
    >>> chains.states.shape
    (4, 50, 1)
    """

    states: Floats = field(repr=False)
    acceptance: Floats
    scale: float

    def to_arviz(self) -> Any:
        """Return the states as ArviZ `InferenceData`: the parameter `theta`.

        Raises
        ------
        ImportError
            ArviZ is not installed; it is in the extra infer.
        """
        return diagnostics.arviz().from_dict(posterior={"theta": self.states})

    @cached_property
    def r_hat(self) -> Floats:
        """Rank-normalised R-hat of each parameter, shape (d,); near 1 where chains agree.

        ArviZ's number, without ArviZ; nan for fewer than four states a chain.
        """
        return self._each(diagnostics.r_hat)

    @cached_property
    def ess(self) -> Floats:
        """Effective number of draws for each parameter (bulk), shape (d,); as `r_hat`."""
        return self._each(diagnostics.ess)

    def _each(self, of: Callable[[Floats], float]) -> Floats:
        _, size, d = self.states.shape
        if size < 4:
            return np.full(d, math.nan)
        return np.array([of(self.states[:, :, j]) for j in range(d)])

    @property
    def _worst(self) -> tuple[str, str]:
        """R-hat and ESS of the parameter that is known least, as they are shown."""
        return f"{np.max(self.r_hat):.3f}", f"{np.min(self.ess):.0f}"

    def delta(self, epsilon: float, delta: float, total_variation: float) -> float:
        """Return the delta of a state in the place of a posterior draw.

        Parameters
        ----------
        epsilon, delta : float
            Of an exact draw; epsilon >= 0, delta in [0, 1).
        total_variation : float
            Of a state's distribution from the posterior, on both datasets at most; in [0, 1). No diagnostic
            bounds it.

        Raises
        ------
        ValueError
            A number out of its range.
        """
        return with_approximation(
            number("epsilon", epsilon, ">= 0"),
            number("delta", delta, "in [0, 1)"),
            number("total_variation", total_variation, "in [0, 1)"),
        )

    def __repr__(self) -> str:
        chains, size, d = self.states.shape
        mean = ", ".join(f"{v:.4g}" for v in self.states.mean(axis=(0, 1))[:4])
        r_hat, ess = self._worst
        return (
            f"Chains(chains={chains}, size={size}, mean=({mean}{', ...' if d > 4 else ''}), "
            f"acceptance={float(self.acceptance.mean()):.3f}, r_hat={r_hat}, ess={ess}; "
            f"privacy of a draw: {CONDITION})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        chains, size, d = self.states.shape
        r_hat, ess = self._worst
        mean = ", ".join(f"{v:.4g}" for v in self.states.mean(axis=(0, 1)))
        sd = ", ".join(f"{v:.3g}" for v in self.states.std(axis=(0, 1)))
        return (
            f"{chains} chains of {size} states: mean {mean}, standard deviation {sd}; "
            f"{float(self.acceptance.mean()):.3g} of the proposals were accepted. "
            f"{'R-hat is' if d == 1 else 'The largest R-hat is'} {r_hat}, "
            f"{'the' if d == 1 else 'the least'} effective number of draws {ess}. What a draw "
            f"keeps private is {CONDITION}, and a state is not quite a draw (`Chains.delta`)."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the first parameter of every chain against the step."""
        ax = ax or figures.axes()
        for k, chain in enumerate(self.states):
            colour = figures.PALETTE[k % len(figures.PALETTE)]
            ax.plot(chain[:, 0], "-", linewidth=0.7, color=colour)
        ax.set_xlabel("step after the warm-up")
        ax.set_ylabel("theta" if self.states.shape[2] == 1 else "first parameter")
        return ax


def metropolis(
    setting: Setting | Regression,
    x: ArrayLike,
    covariates: ArrayLike | None = None,
    *,
    size: int = 1000,
    chains: int = 4,
    warmup: int = 2000,
    rng: Generator | None = None,
) -> Chains:
    """Run random-walk Metropolis on the posterior of contaminated records.

    Parameters
    ----------
    setting : Setting or Regression
    x : array of float, shape (n,)
        Contaminated.
    covariates : array of float, shape (n, d), optional
        Of a regression.
    size : int
        States that each chain keeps, >= 1.
    chains : int
        >= 1.
    warmup : int
        Steps before, in which the scale of a step is adapted and after which it stays, >= 0.
    rng : numpy.random.Generator, optional

    Returns
    -------
    Chains

    Raises
    ------
    ValueError
        A number out of its range, records that do not fit.

    Notes
    -----
    Steps are Gaussian with 2.38**2 / d times the covariance of the Laplace approximation. The chains
    start from three of its standard deviations around the mode. The paper says "ordinary
    random-walk Metropolis" and nothing on steps; for one parameter `Setting.draws` is exact.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.contamination import PRIVATE_MEAN
    >>> x = PRIVATE_MEAN.simulate(np.random.default_rng(1))
    >>> metropolis(PRIVATE_MEAN, x, size=50, warmup=200, rng=np.random.default_rng(2)).states.shape
    (4, 50, 1)
    """
    size, chains = count("size", size), count("chains", chains)
    warmup, rng = count("warmup", warmup, 0), generator(rng)
    if isinstance(setting, Regression):
        if covariates is None:
            raise ValueError("covariates must be given for a regression, got None")
        records, w = setting._read(x, covariates)
        approximation = setting.laplace(records, w)
        mode, covariance = approximation.mode, approximation.covariance

        data = RegressionData(setting.model, records, w)

        def log_density(theta: Floats) -> Floats:
            return setting._log_posterior(theta, data)

    else:
        posterior = setting.posterior(x)
        plain, prior = setting._records(x), setting.prior
        mode, covariance = np.array([posterior.mode]), np.array([[posterior.sd**2]])

        def log_density(theta: Floats) -> Floats:
            away = (theta[:, 0] - float(prior.mean)) / float(prior.sd)
            return setting.model.log_likelihood(theta[:, 0], plain) - 0.5 * away**2

    start = _around(mode, covariance, chains, rng)
    return _run(log_density, start, covariance, size, warmup, rng)


def _around(mode: Floats, covariance: Floats, chains: int, rng: Generator) -> Floats:
    z = rng.standard_normal((chains, mode.size))
    return mode + 3 * z @ np.linalg.cholesky(covariance).T


def _run(
    log_density: Callable[[Floats], Floats],
    theta: Floats,
    covariance: Floats,
    size: int,
    warmup: int,
    rng: Generator,
) -> Chains:
    chains, d = theta.shape
    factor = np.linalg.cholesky(covariance)
    value = log_density(theta)
    log_scale = math.log(SCALE / math.sqrt(d))
    wanted = WANTED[0] if d == 1 else WANTED[1]
    states, accepted = np.empty((chains, size, d)), np.zeros(chains)
    for step in range(warmup + size):
        moved = theta + math.exp(log_scale) * rng.standard_normal((chains, d)) @ factor.T
        tried = log_density(moved)
        better = np.log(rng.random(chains)) < tried - value
        theta = np.where(better[:, None], moved, theta)
        value = np.where(better, tried, value)
        if step < warmup:  # Robbins and Monro, one scale for all chains
            log_scale += (float(better.mean()) - wanted) / math.sqrt(step + 1)
        else:
            states[:, step - warmup] = theta
            accepted += better
    return Chains(states, accepted / size, math.exp(log_scale))


# --- particles for a tail ------------------------------------------------------------------------------


def tail_particles(
    setting: Regression,
    x: ArrayLike,
    covariates: ArrayLike,
    size: int = 64_000,
    rng: Generator | None = None,
) -> tuple[Floats, Floats]:
    """Draw particles of which many lie where less than delta of the posterior is left.

    Parameters
    ----------
    setting : Regression
    x : array of float, shape (n,)
        Contaminated.
    covariates : array of float, shape (n, d)
    size : int
        >= 2.
    rng : numpy.random.Generator, optional

    Returns
    -------
    points : array of float, shape (size, d)
    weights : array of float, shape (size,)
        They add up to 1.

    Raises
    ------
    ValueError
        Records or covariates that do not fit, a size that is no integer >= 2.

    Notes
    -----
    For posteriors with a part far from the mode that one Student t does not reach, as where all
    zeros and ones may have been replaced. Metropolis runs on the posterior, then on what is left of
    it outside a cube around theta* that a tenth of the states are outside of, and so on, until
    delta is left (splitting). The particles come from a mixture of Student t distributions: the Laplace
    approximation's and those fitted to the states between two cubes. Each is weighted by the
    posterior over the density of the whole mixture, so what the chains found decides how good the
    weights are, and not what they are right for. A part that no chain came to is missed, though.

    The relative standard error of the mass of a tail is one over the root of the effective number
    of particles in it, sum(weights)**2 / sum(weights**2).

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.contamination import logistic_regression, tail_particles
    >>> at = logistic_regression(200, 2)
    >>> x, w = at.simulate(np.random.default_rng(1))
    >>> points, weights = tail_particles(at, x, w, 2000, np.random.default_rng(2))
    >>> points.shape
    (2000, 2)
    >>> found = at.epsilon(x, w, particles=(points, weights))
    """
    size, rng = count("size", size, 2), generator(rng)
    records, w = setting._read(x, covariates)
    truth = np.array(setting.theta)
    data = RegressionData(setting.model, records, w)
    points, logs = _mixture(
        lambda theta: setting._log_posterior(theta, data),
        lambda theta: np.abs(theta - truth).max(axis=1),
        setting.laplace(records, w),
        setting.delta,
        size,
        rng,
    )
    weights = np.exp(logs - logs.max())
    return points, weights / weights.sum()


def _mixture(
    log_density: Callable[[Floats], Floats],
    reach: Callable[[Floats], Floats],
    around: LaplaceApproximation,
    delta: float,
    size: int,
    rng: Generator,
) -> tuple[Floats, Floats]:
    """Particles for the tail beyond the quantile 1 - delta of `reach`, and their log weights.

    The weights' mean is the integral of the density.
    """
    distributions, least = [around], -math.inf

    def beyond(theta: Floats) -> Floats:
        return np.where(reach(theta) > least, log_density(theta), -math.inf)

    start = _around(around.mode, around.covariance, CHAINS, rng)
    covariance, warmup = around.covariance, WARMUP[0]
    levels = math.ceil(
        math.log(delta) / math.log(SHARE) - 1e-9
    )  # a tenth so often is delta or less
    for _ in range(max(levels, 1)):
        chains = _run(beyond, start, covariance, KEPT, warmup, rng)
        states = chains.states.reshape(-1, start.shape[1])
        away = reach(states)
        half, least = np.quantile(away, [0.5 * (1 - SHARE), 1 - SHARE])
        outer = states[away > least]
        distributions += [
            _fitted(states[away <= half]),
            _fitted(states[(half < away) & (away <= least)]),
        ]
        start, covariance, warmup = rng.choice(outer, CHAINS), _fitted(outer).covariance, WARMUP[1]
    distributions.append(_fitted(outer))
    counts = [
        (size + i) // len(distributions) for i in range(len(distributions))
    ]  # they add up to size
    factors = [
        np.asarray(np.linalg.cholesky(distribution.covariance), dtype=float)
        for distribution in distributions
    ]
    points = np.vstack(
        [
            distribution.mode + student(many, distribution.mode.size, rng) @ factor.T
            for distribution, factor, many in zip(distributions, factors, counts, strict=True)
        ]
    )
    parts = [
        math.log(many / size) + _log_student(points, distribution.mode, factor)
        for distribution, factor, many in zip(distributions, factors, counts, strict=True)
        if many
    ]
    return points, log_density(points) - np.logaddexp.reduce(parts)


def _fitted(states: Floats) -> LaplaceApproximation:
    return LaplaceApproximation(states.mean(axis=0), WIDER * np.atleast_2d(np.cov(states.T)))


def _log_student(points: Floats, mode: Floats, factor: Floats) -> Floats:
    """Log density of `student` about a mode, spread by a factor."""
    df, d = PARTICLE_DF, mode.size
    square = np.sum(np.linalg.solve(factor, (points - mode).T) ** 2, axis=0)
    constant = gammaln(0.5 * (df + d)) - gammaln(0.5 * df) - 0.5 * d * math.log(df * math.pi)
    log_spread = np.log(np.diag(factor)).sum()
    found: Floats = constant - log_spread - 0.5 * (df + d) * np.log1p(square / df)
    return found
