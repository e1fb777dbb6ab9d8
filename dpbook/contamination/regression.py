"""Regression under contamination: Algorithm 1 for several parameters (Section 4.3, Figures 2 and 3).

The records depend on the parameters through the predictor s = theta'w alone, with covariates w in
[-1, 1] whose first is 1. That makes Algorithm 1's suprema over records, covariates and a box of
parameters problems in few numbers:

- over the box around theta* of half width phi, s runs over s* - a to s* + a with s* = theta*'w and
  a = phi * (abs(w_1) + ... + abs(w_d)), and the supremum is at an end or, where the model is not
  monotone, on a grid between;
- where g is centred at theta*'w and f is a location model, only a matters, and it is largest at
  the corners: a = phi d;
- else, for a fixed s* the supremum grows with a, so it lies on edges of the cube, where all
  covariates but one are 1 or -1.

The posterior is taken for its Laplace approximation, and the tails of the box come from it; or
particles from a Student t with its mode and covariance are weighted, whose tails resolve a delta
that those of a Gaussian do not. With few records the posterior is skew (of 1000 zeros and ones and
10 parameters by much), and only the particles are right.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.polynomial import hermite_e
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from dpbook.contamination.calculator import check_tails
from dpbook.contamination.estimator import (
    CONDITION,
    RESOLVED,
    DatasetEpsilon,
    EpsilonEstimate,
    Unresolved,
)
from dpbook.contamination.models.densities import (
    BernoulliDensity,
    CauchyDensity,
    ContaminationDensity,
    StudentTDensity,
)
from dpbook.contamination.models.likelihoods import Cauchy, Likelihood, Logistic, Normal
from dpbook.contamination.models.mixture import Contaminated, contaminate, warn_of_fit
from dpbook.contamination.regression_data import RegressionData
from dpbook.contamination.theory import default_delta, default_rate
from dpbook.engine.language.card import Described
from dpbook.privacy.reading import count, generator, number

Floats = NDArray[np.float64]

__all__ = [
    "LaplaceApproximation",
    "Regression",
    "cauchy_regression",
    "linear_regression",
    "logistic_regression",
]

STEPS = 60  # of Newton's method, at most
MOST_COVARIATES = 16  # whose corners are counted
HALVINGS = 40
ROUNDS = 3  # of particles that do not resolve a tail
PARTICLE_DF = 5.0  # degrees of freedom of the distribution of the particles


@dataclass(frozen=True, eq=False)
class LaplaceApproximation:
    """The Laplace approximation of a posterior of several parameters.

    Attributes
    ----------
    mode : array of float, shape (d,)
    covariance : array of float, shape (d, d)
        Inverse of minus the Hessian of the log posterior at the mode.

    Examples
    --------
    >>> import numpy as np
    >>> distribution = LaplaceApproximation(np.array([0.3, -0.1]), np.diag([0.04, 0.01]))
    >>> distribution.sd.tolist()
    [0.2, 0.1]
    """

    mode: Floats
    covariance: Floats

    @property
    def sd(self) -> Floats:
        """Standard deviations, shape (d,)."""
        return np.sqrt(np.diag(self.covariance))

    def box(self, centre: Floats, delta: float) -> float:
        """Half width of a cube around a centre with at most delta outside.

        The chances of leaving it by each of the coordinates are added up: the cube is slightly too
        large, never too small.
        """
        low, high = 0.0, float((np.abs(self.mode - centre) + 40 * self.sd).max())
        for _ in range(60):
            half = 0.5 * (low + high)
            up, down = (centre + half - self.mode) / self.sd, (self.mode - centre + half) / self.sd
            outside = float(np.sum(ndtr(-up) + ndtr(-down)))
            low, high = (low, half) if outside < delta else (half, high)
        return high

    def __repr__(self) -> str:
        mode, sd = (", ".join(f"{v:.3g}" for v in row[:4]) for row in (self.mode, self.sd))
        more = ", ..." if self.mode.size > 4 else ""
        return f"LaplaceApproximation(mode=({mode}{more}), sd=({sd}{more}); privacy of a draw: {CONDITION})"


@dataclass(frozen=True)
class Regression(Described):
    """A regression with public covariates in [-1, 1], the first of which is 1.

    Parameters
    ----------
    n : int
        Number of records, >= 2.
    likelihood : Likelihood
        Of a record given the predictor theta'w.
    density : ContaminationDensity or None
        g; None: no contamination.
    theta : tuple of float
        theta*, whose length is d.
    rate : float, optional
        In (0, 1), without it n**(-1/8); 0 without contamination.
    delta : float, optional
        In (0, 1), without it 1 / (10 n).
    prior_sd : float
        Of each parameter, whose prior mean is 0; 10 in Section 4.3.

    Raises
    ------
    ValueError
        A number out of its range, more than 16 parameters.

    Notes
    -----
    What is computed is random DP, conditional on the model, as of `Setting`.

    Examples
    --------
    >>> linear_regression(500).n
    500
    """

    n: int
    likelihood: Likelihood
    density: ContaminationDensity | None
    theta: tuple[float, ...]
    rate: float = None  # type: ignore[assignment]  # filled in from n
    delta: float = None  # type: ignore[assignment]
    prior_sd: float = 10.0

    def __post_init__(self) -> None:
        n = count("n", self.n, 2)
        if not isinstance(self.likelihood, Likelihood):
            raise ValueError(f"likelihood must be a Likelihood, got {self.likelihood!r:.60}")
        truth = tuple(number("theta", value, "finite") for value in np.ravel(self.theta))
        object.__setattr__(self, "theta", truth)
        count("length of theta", len(truth), 1, MOST_COVARIATES)
        if self.rate is None:
            rate = 0.0 if self.density is None else default_rate(n)
            object.__setattr__(self, "rate", rate)
        if self.delta is None:
            object.__setattr__(self, "delta", default_delta(n))
        number("delta", self.delta, "in (0, 1)")
        number("prior_sd", self.prior_sd, "> 0 and finite")
        self.model  # noqa: B018  checks the rate and the density
        if self.density is not None:
            self.density.check_coefficients(len(truth))

    @cached_property
    def model(self) -> Contaminated:
        """The contaminated likelihood."""
        return Contaminated(self.likelihood, self.density, self.rate)

    @cached_property
    def _tails(self) -> float:
        centre = 0.0 if self.density is None else self.density.centre
        return check_tails(self.model, centre)

    @property
    def d(self) -> int:
        """Number of parameters."""
        return len(self.theta)

    def __getstate__(self) -> dict[str, Any]:
        names = ("n", "likelihood", "density", "theta", "rate", "delta", "prior_sd")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return (
            f"Regression(n={self.n}, d={self.d}, {self.likelihood}, {self.density}, "
            f"rate={self.rate:.4g}, delta={self.delta:.3g}; {CONDITION})"
        )

    def describe(self) -> str:
        """Return the setting in words."""
        replaced = (
            f"each replaced with probability {self.rate:.4g} by a draw from {self.density}"
            if self.density is not None
            else "none replaced"
        )
        return (
            f"{self.n} records of {self.likelihood} with {self.d} parameters, {replaced}; "
            f"delta {self.delta:.3g}, {CONDITION}."
        )

    def replace(self, **changes: Any) -> Regression:
        """Return another setting; where n changes, a rate and a delta that are not given follow."""
        if "n" in changes:
            changes = {"rate": None, "delta": None, **changes}
        return replace(self, **changes)

    # --- data --------------------------------------------------------------------------------------

    def simulate(self, rng: Generator | None = None) -> tuple[Floats, Floats]:
        """Draw contaminated records and their covariates, shapes (n,) and (n, d).

        The covariates but the first are uniform on [-1, 1]: the paper does not say what they are.
        """
        rng = generator(rng)
        w = rng.uniform(-1.0, 1.0, (self.n, self.d))
        w[:, 0] = 1.0
        x = self.likelihood.draw(w @ np.array(self.theta), rng)
        if self.density is not None:
            x = contaminate(x, self.rate, self.density, rng, covariates=w)
        return x, w

    # --- the posterior -----------------------------------------------------------------------------

    def log_posterior(self, theta: ArrayLike, x: Floats, w: Floats) -> Floats:
        """Log posterior at parameters of shape (m, d), up to a constant; shape (m,)."""
        points = np.atleast_2d(np.asarray(theta, dtype=float))
        return self._log_posterior(points, RegressionData(self.model, x, w))

    def _log_posterior(self, points: Floats, data: RegressionData) -> Floats:
        prior = -0.5 * np.sum((points / self.prior_sd) ** 2, axis=1)
        return prior + data.log_likelihood(points)

    def laplace(self, x: ArrayLike, covariates: ArrayLike) -> LaplaceApproximation:
        """Return the Laplace approximation, by Newton's method from theta*.

        Raises
        ------
        ValueError
            Records or covariates that do not fit; no maximum found near theta*.

        Warns
        -----
        DataDependent
            The density looks as if it was fitted to these records; see `contaminate`.
        """
        records, w = self._read(x, covariates)
        warn_of_fit(records, self.density, w)
        return self._approximation(RegressionData(self.model, records, w))

    def _approximation(self, data: RegressionData) -> LaplaceApproximation:
        theta = np.array(self.theta)
        value = float(self._log_posterior(theta[None, :], data)[0])
        for _ in range(STEPS):
            gradient, hessian = data.derivatives(theta)
            slope = gradient - theta / self.prior_sd**2
            bend = -hessian + np.eye(self.d) / self.prior_sd**2
            least = float(np.linalg.eigvalsh(bend)[0])
            if least <= 0:  # not a hill here: smaller steps uphill
                bend = bend + (1e-3 * np.trace(np.abs(bend)) / self.d - least) * np.eye(self.d)
            step = np.linalg.solve(bend, slope)
            gain = float(slope @ step)
            if gain < 1e-12 and least > 0:
                return LaplaceApproximation(theta, _inverse(bend))
            for _ in range(HALVINGS):
                tried = float(self._log_posterior((theta + step)[None, :], data)[0])
                if tried >= value - 1e-9 * abs(value):
                    break
                step = 0.5 * step
            theta, value = theta + step, tried
        raise ValueError(
            f"no maximum of the posterior was found near theta* = {self.theta}: the records do not "
            "look like the model's"
        )

    def _read(self, x: ArrayLike, covariates: ArrayLike) -> tuple[Floats, Floats]:
        records, w = self.model.read(x, covariates)
        assert w is not None
        if w.shape != (self.n, self.d):
            raise ValueError(f"covariates must have shape ({self.n}, {self.d}), got {w.shape}")
        off = w[:, 0] != 1
        if off.any():
            place = int(np.argmax(off))
            raise ValueError(
                f"covariates must have 1 in their first column, got {w[place, 0]} at ({place}, 0); "
                "put a column of ones before them"
            )
        return records, w

    def importance(
        self, x: ArrayLike, covariates: ArrayLike, size: int = 2000, rng: Generator | None = None
    ) -> tuple[Floats, Floats]:
        """Draw particles around the mode, with weights (lines 5 to 7 of algorithm 1).

        The print draws them from the Laplace approximation; here it is a Student t with 5 degrees
        of freedom, whose tails are not lighter than the posterior's.

        Returns
        -------
        particles : array of float, shape (size, d)
        weights : array of float, shape (size,)
            They add up to 1; 1 / sum(weights**2) is the effective number of particles.
        """
        records, w = self._read(x, covariates)
        data = RegressionData(self.model, records, w)
        return self._particles(self.laplace(records, w), data, count("size", size, 2), rng)

    def _particles(
        self, found: LaplaceApproximation, data: RegressionData, size: int, rng: Generator | None
    ) -> tuple[Floats, Floats]:
        z = student(size, self.d, generator(rng))
        particles = found.mode + z @ np.linalg.cholesky(found.covariance).T
        logs = self._log_posterior(particles, data)
        square = np.sum(z**2, axis=1)
        logs += 0.5 * (PARTICLE_DF + self.d) * np.log1p(square / PARTICLE_DF)
        weights = np.exp(logs - logs.max())
        return particles, weights / weights.sum()

    # --- epsilon -----------------------------------------------------------------------------------

    def epsilon(
        self,
        x: ArrayLike,
        covariates: ArrayLike,
        *,
        particles: int | tuple[Floats, Floats] | None = None,
        rng: Generator | None = None,
    ) -> DatasetEpsilon:
        """Algorithm 1 on one contaminated dataset.

        Parameters
        ----------
        x : array of float, shape (n,)
        covariates : array of float, shape (n, d)
            Within 1 in size, the first of them 1.
        particles : int or (array, array), optional
            Weighted particles in the place of the Laplace approximation, so many; where they do not
            resolve the tail, so many again around their mean, twice at most. Or points and weights,
            as of `tail_particles`.
        rng : numpy.random.Generator, optional
            Of the particles.

        Returns
        -------
        DatasetEpsilon
            phi is half the width of the cube around theta*.

        Raises
        ------
        ValueError
            Records or covariates that do not fit; a density whose tails are too light for the model
            (Assumption 4), or records without contamination that have no bound on their score.
        Unresolved
            Fewer than 10 particles lie outside the cube; of those that were given, effectively.
        """
        self._tails  # noqa: B018  refuses a density that no epsilon belongs to
        records, w = self._read(x, covariates)
        posterior, truth = self.laplace(records, w), np.array(self.theta)
        if particles is None:
            phi = posterior.box(truth, self.delta)
        elif isinstance(particles, tuple):
            points, weights = (np.asarray(part, dtype=float) for part in particles)
            if points.shape != (weights.size, self.d) or weights.ndim != 1:
                raise ValueError(
                    f"particles must have shapes (m, {self.d}) and (m,), got {points.shape} and "
                    f"{weights.shape}"
                )
            posterior = _moments(points, weights)
            phi = self._outside(points, weights, alike=False)
        else:
            size, rng = count("particles", particles, 2), generator(rng)
            data = RegressionData(self.model, records, w)
            for left in range(ROUNDS - 1, -1, -1):
                points, weights = self._particles(posterior, data, size, rng)
                posterior = _moments(points, weights)
                try:
                    phi = self._outside(points, weights)
                    break
                except Unresolved:  # around their own mean once more, if that is known
                    if not left or 1 / np.sum(weights**2) < 4 * self.d:
                        raise
        log_eta = self.log_eta(phi)
        rest = self._without(posterior, float(records[-1]), w[-1])
        log_alpha, log_beta = self._expectations(rest)
        return DatasetEpsilon(
            log_eta + log_alpha - log_beta,
            self.delta,
            "algorithm-1",
            phi,
            log_eta,
            log_alpha,
            log_beta,
        )

    def _outside(self, points: Floats, weights: Floats, *, alike: bool = True) -> float:
        """Half the width of the smallest cube around theta* with less than delta outside.

        Particles of a distribution that is made for the tail are many there and differ in weight by much:
        they are not `alike`, and what counts is their effective number. With the one at the edge,
        that the cube may hang on.
        """
        reach = np.abs(points - np.array(self.theta)).max(axis=1)
        order = np.argsort(reach)[::-1]
        place = int(np.searchsorted(np.cumsum(weights[order]), self.delta))
        found = place
        if not alike:
            tail = weights[order[: place + 1]]
            found = int(tail.sum() ** 2 / np.sum(tail**2))
        if found < RESOLVED:
            raise Unresolved(
                f"particles must be more, {found} of {reach.size} lie outside a cube with "
                f"delta = {self.delta:.3g} outside; take ten times as many, or particles=None"
            )
        return float(reach[order[place]])

    def _without(
        self, posterior: LaplaceApproximation, x: float, w: Floats
    ) -> LaplaceApproximation:
        """The approximation without one record: one Newton step with its derivatives."""
        s, centre = np.array([float(w @ posterior.mode)]), self._centre(w[None, :])
        record = np.array([x])
        slope = float(self.model.score(record, s, centre)[0])
        bend = float(self.model.curvature(record, s, centre)[0])
        precision = _inverse(posterior.covariance) + bend * np.outer(w, w)
        covariance = _inverse(precision)
        return LaplaceApproximation(posterior.mode - covariance @ w * slope, covariance)

    def _centre(self, w: Floats) -> Floats:
        if self.density is None:
            return np.zeros(len(w))
        return self.density.centres(len(w), w)

    @property
    def _centred(self) -> bool:
        """Decide whether d depends on x - theta*'w and (theta - theta*)'w alone."""
        location = isinstance(self.likelihood, Normal | Cauchy)
        if self.density is None:
            return location
        own = self.density.coefficients
        return location and own is not None and tuple(own) == self.theta

    def log_eta(self, phi: float) -> float:
        """Log of eta: the supremum over records, covariates and the box, above and below (line 9)."""
        if self._centred:
            reach = phi * self.d
            centre = self.density.centre if self.density is not None else 0.0
            return self._range(np.zeros(1), np.array([reach]), np.array([centre]))
        w = _edges(self.d)
        truth = w @ np.array(self.theta)
        return self._range(truth, phi * np.abs(w).sum(axis=1), self._centre(w))

    def _range(self, truth: Floats, reach: Floats, centre: Floats) -> float:
        """Largest less smallest log d, each over records, predictors and covariates."""
        x = self._candidates(truth, reach)
        part = np.linspace(-1.0, 1.0, 9)
        s = truth[:, None, None] + reach[:, None, None] * part[:, None]
        logs = self.model.log_density(x[:, None, :], s, centre[:, None, None])
        logs = logs - self.model.log_density(x, truth[:, None], centre[:, None])[:, None, :]
        return float(logs.max() - logs.min())

    def _candidates(self, truth: Floats, reach: Floats) -> Floats:
        """Records that may be the worst ones for each covariate, shape (k, m)."""
        if self.likelihood.values is not None:
            return np.broadcast_to(
                np.array(self.likelihood.values), (truth.size, len(self.likelihood.values))
            )
        points = 4001 if truth.size == 1 else 161
        near = np.linspace(-1.0, 1.0, points)
        scale = self.likelihood.scale
        offsets = (8 * scale + 2 * reach[:, None]) * near
        far = scale * np.array([-1e6, -1e3, -100.0, -30.0, 30.0, 100.0, 1e3, 1e6])
        return truth[:, None] + np.concatenate(
            [offsets, np.broadcast_to(far, (truth.size, far.size))], axis=1
        )

    def _expectations(self, rest: LaplaceApproximation) -> tuple[float, float]:
        """Log alpha and log beta: suprema over records and corners of the cube (line 12).

        The predictor is Gaussian under the approximation, its expectation a rule of 11 nodes.
        """
        w = _edges(self.d) if self.likelihood.values is not None else _corners(self.d)
        truth = w @ np.array(self.theta)
        if self._centred:
            centre = np.full(len(w), self.density.centre if self.density is not None else 0.0)
            base = np.zeros(len(w))
        else:
            centre, base = self._centre(w), truth
        mean = base + w @ (rest.mode - np.array(self.theta))
        sd = np.sqrt(np.einsum("ki,ij,kj->k", w, rest.covariance, w))
        nodes, weights = hermite_e.hermegauss(11)
        weights = weights / weights.sum()
        s = mean[:, None, None] + sd[:, None, None] * nodes[:, None]
        if self.likelihood.values is not None:
            x = self._candidates(base, 4 * sd)
        else:
            x = base[:, None] + self.likelihood.scale * np.linspace(-8.0, 8.0, 65)
        logs = self.model.log_density(x[:, None, :], s, centre[:, None, None])
        logs = logs - self.model.log_density(x, base[:, None], centre[:, None])[:, None, :]
        found = np.log(np.einsum("kjm,j->km", np.exp(logs), weights))
        # far away a record says nothing, whatever the parameters
        return max(float(found.max()), 0.0), min(float(found.min()), 0.0)

    def estimate(
        self,
        size: int = 100,
        rng: Generator | None = None,
        *,
        quantile: float = 0.99,
        particles: int | None = None,
    ) -> EpsilonEstimate:
        """Return a quantile of epsilon over simulated datasets.

        Parameters
        ----------
        size : int
            K, the number of datasets.
        rng : numpy.random.Generator, optional
            A stream is spawned from it for each dataset.
        quantile : float
            q / 100, in (0, 1).
        particles : int, optional
            As of `epsilon`.
        """
        level = number("quantile", quantile, "in (0, 1)")
        values = []
        for stream in generator(rng).spawn(count("size", size)):
            x, w = self.simulate(stream)
            values.append(self.epsilon(x, w, particles=particles, rng=stream).epsilon)
        return EpsilonEstimate(
            self.n, self.rate, self.delta, level, "algorithm-1", np.array(values)
        )


def student(size: int, d: int, rng: Generator) -> Floats:
    """Draw from the standard Student t of the particles, shape (size, d)."""
    z = rng.standard_normal((size, d))
    z *= np.sqrt(PARTICLE_DF / rng.chisquare(PARTICLE_DF, size))[:, None]
    return z


def _moments(points: Floats, weights: Floats) -> LaplaceApproximation:
    mean = weights @ points
    away = points - mean
    return LaplaceApproximation(mean, away.T @ (weights[:, None] * away))


def _inverse(matrix: Floats) -> Floats:
    found: Floats = np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    return found


@lru_cache(maxsize=8)
def _corners(d: int) -> Floats:
    """Corners of the cube of covariates whose first is 1, shape (2**(d - 1), d)."""
    rest = list(itertools.product((-1.0, 1.0), repeat=d - 1))
    return np.hstack([np.ones((len(rest), 1)), np.array(rest).reshape(len(rest), d - 1)])


@lru_cache(maxsize=8)
def _edges(d: int) -> Floats:
    """Points on its edges: corners, and on each edge where the free covariate is a quarter, half ..."""
    corners = _corners(d)
    if d == 1:
        return corners
    found = [corners]
    for j in range(1, d):
        for value in (-0.5, 0.0, 0.5):
            points = corners[corners[:, j] > 0].copy()
            points[:, j] = value
            found.append(points)
    return np.vstack(found)


# --- the three models of Section 4.3 -----------------------------------------------------------------


def _truth(d: int, theta: ArrayLike | None) -> tuple[float, ...]:
    if theta is None:
        return (1.0,) * count("d", d, 1, MOST_COVARIATES)
    return tuple(float(v) for v in np.ravel(np.asarray(theta, dtype=float)))


def linear_regression(
    n: int, d: int = 5, *, theta: ArrayLike | None = None, scale: float = 1.0
) -> Regression:
    """Return model 1 of Section 4.3: Gaussian errors, contaminated by a Student t at theta*'w.

    Parameters
    ----------
    n, d : int
    theta : array of float, shape (d,), optional
        Ones without it: the paper does not say.
    scale : float
        Of the Student t; the paper's dispersion lambda is not given.

    Examples
    --------
    >>> linear_regression(500).theta
    (1.0, 1.0, 1.0, 1.0, 1.0)
    """
    truth = _truth(d, theta)
    return Regression(n, Normal(1.0), StudentTDensity(5.0, 0.0, scale, truth), truth)


def logistic_regression(
    n: int, d: int = 5, *, theta: ArrayLike | None = None, contaminated: bool = True
) -> Regression:
    """Return model 2 of Section 4.3: zeros and ones, contaminated by a fair coin, or not at all.

    Parameters
    ----------
    n, d : int
        Number of records, and of coefficients.
    theta : array of float, optional
        The coefficients.
    contaminated : bool
        Whether a fair coin replaces some of the answers.

    Examples
    --------
    >>> logistic_regression(500, 2).theta
    (1.0, 1.0)
    """
    density = BernoulliDensity(0.5) if contaminated else None
    return Regression(n, Logistic(), density, _truth(d, theta))


def cauchy_regression(
    n: int,
    d: int = 5,
    *,
    theta: ArrayLike | None = None,
    scale: float = 2.0,
    contaminated: bool = True,
    centred: bool = True,
) -> Regression:
    """Return model 3 of Section 4.3: Cauchy errors, contaminated by another Cauchy, or not at all.

    Parameters
    ----------
    n, d : int
    theta : array of float, shape (d,), optional
        Ones without it.
    scale : float
        lambda of the paper, which does not give it.
    contaminated : bool
    centred : bool
        The contamination lies around theta*'w; False: around 0, as g is printed.

    Examples
    --------
    >>> cauchy_regression(500, 2).theta
    (1.0, 1.0)
    """
    truth = _truth(d, theta)
    density = CauchyDensity(0.0, scale, truth if centred else None) if contaminated else None
    return Regression(n, Cauchy(1.0), density, truth)
