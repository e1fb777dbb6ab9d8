"""Point estimates and approximate posteriors: Algorithm 2, Newton's method on scores, bootstrap, ABC."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.privacy.reading import count, generator, number
from dpbook.privacy.value import Version, check_version
from dpbook.unknown_sample_size import kernels
from dpbook.unknown_sample_size.mechanisms import Laplace
from dpbook.unknown_sample_size.models.regression import LinearRegression
from dpbook.unknown_sample_size.problem import Release
from dpbook.unknown_sample_size.setting import Setting
from dpbook.unknown_sample_size.surrogate import RegressionChain, largest_size

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
FLAT = (
    0.1  # of the posterior's own curvature: below it a direction of the likelihood is called flat
)
BLOCK = 16  # rows of every second jump: at small epsilon_n, n given theta varies by tens


def _regression(setting: Setting) -> LinearRegression:
    if not isinstance(setting.model, LinearRegression):
        raise ValueError(f"the model must be a LinearRegression, got {setting.model!r}")
    return setting.model


# --- the complete data's likelihood, from moments ------------------------------------------------------


def complete_fit(gram: Floats) -> Floats:
    """Maximum likelihood estimate (b, tau, mu, T) from the sum of (1, x, y)(1, x, y)' (example 5.6)."""
    p, n = len(gram) - 2, gram[0, 0]
    X, xy = gram[:-1, :-1], gram[:-1, -1]
    b = np.linalg.solve(X, xy)
    tau = n / (gram[-1, -1] - b @ xy)
    mu = gram[1:-1, 0] / n
    T = np.linalg.cholesky(np.linalg.inv(gram[1:-1, 1:-1] / n - np.outer(mu, mu)))
    return np.concatenate([b, [tau], mu, T[np.tril_indices(p)]])


def complete_score(theta: Floats, gram: Floats) -> Floats:
    """Gradient of the log likelihood of rows by (b, log tau, mu, T with log of its diagonal)."""
    p, n = len(gram) - 2, gram[0, 0]
    b, tau, mu = theta[: p + 1], theta[p + 1], theta[p + 2 : 2 * p + 2]
    T = np.zeros((p, p))
    T[np.tril_indices(p)] = theta[2 * p + 2 :]
    residual = gram[:-1, -1] - gram[:-1, :-1] @ b
    squares = gram[-1, -1] - b @ gram[:-1, -1] - b @ residual
    sums = gram[1:-1, 0]
    scatter = gram[1:-1, 1:-1] - np.outer(sums, mu) - np.outer(mu, sums) + n * np.outer(mu, mu)
    by_T = -scatter @ T
    diagonal = np.diag(T)
    by_T[np.diag_indices(p)] = n + np.diag(by_T) * diagonal
    return np.concatenate(
        [
            tau * residual,
            [n / 2 - tau * squares / 2],
            T @ T.T @ (sums - n * mu),
            by_T[np.tril_indices(p)],
        ]
    )


def _expected_gram(chain: RegressionChain, theta: Floats, cycles: int) -> tuple[Floats, Integers]:
    """Mean of the moments at a fixed parameter, and n after each cycle: the E step."""
    chain.move_to(theta)
    _, sizes, _, grams = chain.advance_in_detail(cycles)
    size = chain.u.shape[1] + 1
    gram = np.empty((size, size))
    rows, columns = np.tril_indices(size)
    gram[rows, columns] = gram[columns, rows] = grams.mean(axis=0)
    return gram, sizes


@dataclass(frozen=True, eq=False)
class Estimate:
    """A maximum likelihood estimate from a noisy release.

    Attributes
    ----------
    parameters : tuple of str
    theta : array
        The estimate, shape (k,).
    path : array
        After each round, shape (rounds, k).
    n : float
        Mean number of records at the end.
    converged : bool
    note : str
        Why it is not to be trusted, or how flat the likelihood is.
    information : array or None
        Eigenvalues of the observed information, in units of the posterior's curvature.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import Laplace, Setting, expectation_maximisation, models
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(0, 1, (150, 1))
    >>> rows = np.c_[x, 1 - x + rng.normal(0, 1, (150, 1))]
    >>> setting = Setting(models.linear_regression(1), Laplace(3.0), Laplace(1.0))
    >>> release = setting.release(rows, rng)
    >>> found = expectation_maximisation(setting, release, rng, rounds=8, cycles=10)
    >>> found.theta.shape, found.converged
    ((5,), False)
    """

    parameters: tuple[str, ...]
    theta: Floats
    path: Floats
    n: float
    converged: bool
    note: str
    information: Floats | None = None

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name}={value:.4g}" for name, value in zip(self.parameters, self.theta, strict=True)
        )
        return (
            f"Estimate({shown}; {'converged' if self.converged else 'NOT converged'}: {self.note})"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>"


def expectation_maximisation(
    setting: Setting,
    release: Release,
    rng: Generator | None = None,
    *,
    rounds: int = 100,
    cycles: int = 100,
    jumps: int = 1,
    start: ArrayLike | None = None,
) -> Estimate:
    """Algorithm 2 with the closed M step of example 5.6, for the regression.

    Parameters
    ----------
    setting : Setting
    release : Release
    rng : numpy.random.Generator, optional
    rounds, cycles, jumps : int
        Rounds, cycles of the E step in each, jumps in a cycle. The authors take 100, 100 and 1.
    start : array, optional
        The parameter to start from; b = 0, tau = 1, mu = 0, T = I when None.

    Returns
    -------
    Estimate
        Flagged as not converged where the last rounds still drift by more than their noise. At
        epsilon_s = 1 about 99.7 % of the information on b is missing, and a round makes up .3 % of
        what is left: hundreds of rounds show more of the start than of the likelihood.

    Raises
    ------
    ValueError
        Another model, numbers that are not >= 1.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import Laplace, Setting, models
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(0, 1, (150, 1))
    >>> rows = np.c_[x, 1 - x + rng.normal(0, 1, (150, 1))]
    >>> setting = Setting(models.linear_regression(1), Laplace(3.0), Laplace(1.0))
    >>> release = setting.release(rows, rng)
    >>> found = expectation_maximisation(setting, release, rng, rounds=8, cycles=10)
    >>> found.path.shape
    (8, 5)
    """
    model = _regression(setting)
    rounds, cycles = count("rounds", rounds, 8), count("cycles", cycles)
    p = model.covariates
    theta = np.concatenate([np.zeros(p + 1), [1.0], np.zeros(p), np.eye(p)[np.tril_indices(p)]])
    if start is not None:
        theta = np.array(start, dtype=float)
    chain = RegressionChain(setting, release, rng, theta=theta, jumps=jumps, fixed=True)
    path, n = [], float(chain.n)
    for _ in range(rounds):
        gram, sizes = _expected_gram(chain, theta, cycles)
        theta, n = complete_fit(gram), float(sizes.mean())
        path.append(theta)
    held = np.array(path)
    last, before = held[-rounds // 4 :], held[-rounds // 2 : -rounds // 4]
    drift = np.abs(last.mean(axis=0) - before.mean(axis=0))
    noise = np.diff(last, axis=0).std(axis=0) * math.sqrt(2 / len(last))
    worst = int(np.argmax(drift / np.maximum(noise, 1e-300)))
    settled = bool((drift < 2 * noise).all())
    note = (
        f"{rounds} rounds of {cycles} cycles; {model.parameters[worst]} moved by {drift[worst]:.2g} "
        f"between the last two quarters, noise {noise[worst]:.1g}"
    )
    return Estimate(model.parameters, theta, held, n, settled, note)


def gradient_step(
    theta: Floats, gram: Floats, rate: float, size: int, version: Version = "corrected"
) -> Floats:
    """The gradient step of Algorithm 2 in (b, log tau, mu, T with log of its diagonal).

    As printed the sum over the `size` states of the E step is not divided by their number, so that a
    step grows with it; and it is called descent. `gram` is the mean of the moments.
    """
    check_version(version)
    factor = size if version == "printed" else 1
    psi = np.empty(theta.size + 1)
    p = len(gram) - 2
    kernels.to_psi(theta, p, psi)
    psi[1:] += rate * factor * complete_score(theta, gram)
    found = np.empty_like(theta)
    kernels.from_psi(psi, p, found)
    return found


def newton_on_scores(
    setting: Setting,
    release: Release,
    rng: Generator | None = None,
    *,
    rounds: int = 40,
    cycles: int = 100,
    jumps: int = 100,
    posterior_cycles: int = 1000,
) -> Estimate:
    """Maximise the likelihood by stochastic Newton steps on its score, for the regression.

    The score of the release is the mean of the scores of `RegressionChain.scores`. Steps are
    scaled by the posterior's covariance, of a first run; later ones shrink, and are averaged. The
    information comes from differences of scores along the posterior's axes.

    Parameters
    ----------
    setting : Setting
    release : Release
    rng : numpy.random.Generator, optional
    rounds, cycles, jumps : int
        Steps, cycles of the E step in each, jumps in a cycle.
    posterior_cycles : int
        Cycles of the run that gives the start and the scale.

    Returns
    -------
    Estimate
        `information` < .1 in a direction means that the likelihood is flat there: no standard error
        follows. The note names the parameter that dominates it.

    Raises
    ------
    ValueError
        Another model, numbers that are not >= 1.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import Laplace, Setting, models
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(0, 1, (150, 1))
    >>> rows = np.c_[x, 1 - x + rng.normal(0, 1, (150, 1))]
    >>> setting = Setting(models.linear_regression(1), Laplace(3.0), Laplace(1.0))
    >>> release = setting.release(rows, rng)
    >>> found = newton_on_scores(
    ...     setting, release, rng, rounds=8, cycles=20, posterior_cycles=400
    ... )
    >>> found.theta.shape
    (5,)
    """
    model = _regression(setting)
    rounds, cycles = count("rounds", rounds, 8), count("cycles", cycles)
    rng = generator(rng)
    p = model.covariates
    posterior = RegressionChain(setting, release, rng.spawn(1)[0])
    posterior.advance(posterior.warm_up)
    draws = posterior.advance(count("posterior_cycles", posterior_cycles, 100))
    psi = posterior._psi(*draws)[:, 1:]
    centre, covariance = psi.mean(axis=0), np.cov(psi.T)
    room = np.empty(psi.shape[1] + 1)

    def parameter(at: Floats) -> Floats:
        found = np.empty(at.size)
        room[1:] = at
        kernels.from_psi(room, p, found)
        return found

    chain = RegressionChain(
        *(setting, release, rng.spawn(1)[0]),
        theta=parameter(centre),
        jumps=jumps,
        block=BLOCK,
        start=posterior.n,
        fixed=True,
    )

    def score(at: Floats, size: int) -> tuple[Floats, float]:
        """Score at a parameter, and the mean of n there."""
        chain.move_to(parameter(at))
        settling = max(1, size // 10)  # the rows belonged to another parameter
        scores, sizes = chain.scores(settling + size)
        return scores[settling:].mean(axis=0), float(sizes[settling:].mean())

    root = np.linalg.cholesky(covariance)
    at, path, burn = centre, [], rounds // 3
    for step in range(rounds):
        gain = 0.5 if step < burn else 1.0 / (step - burn + 2)
        move = root.T @ score(at, cycles)[0]  # in units of posterior standard deviations
        move *= min(1.0, 1.0 / max(float(np.abs(move).max()), 1e-300))
        at = at + gain * root @ move
        path.append(at)
    final = np.mean(path[-(rounds - burn) // 2 :], axis=0)
    information = np.empty((at.size, at.size))
    for j in range(at.size):
        sides = [root.T @ score(final + sign * 0.5 * root[:, j], cycles)[0] for sign in (1, -1)]
        information[:, j] = sides[1] - sides[0]
    values, vectors = np.linalg.eigh((information + information.T) / 2)
    left, n = score(final, 4 * cycles)
    rest = root.T @ left
    flat = [
        model.parameters[int(np.argmax(np.abs(vectors[:, k])))]
        for k in range(len(values))
        if values[k] < FLAT
    ]
    note = f"the score left is {np.abs(rest).max():.2f} posterior units"
    note += (
        f"; the likelihood is flat in directions of {', '.join(dict.fromkeys(flat))}"
        if flat
        else ""
    )
    return Estimate(
        model.parameters,
        parameter(final),
        np.array([parameter(one) for one in path]),
        n,
        bool(np.abs(rest).max() < 0.3),
        note,
        values,
    )


# --- parametric bootstrap (Table 3) ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Plug-in estimate of the regression, and bootstrap draws of b.

    Attributes
    ----------
    b : array
        Shape (p + 1,).
    draws : array
        Shape (size, p + 1).
    variance : float
        Estimate of 1 / tau; negative where the noisy matrix is no moment matrix.
    divisor : float
        max(n_dp, p + 1).
    regulariser : float
        r, added to the diagonal.
    """

    b: Floats
    draws: Floats
    variance: float
    divisor: float
    regulariser: float

    def __repr__(self) -> str:
        b = ", ".join(f"{one:.4g}" for one in self.b)
        return f"Bootstrap(b=({b}), variance={self.variance:.4g}, r={self.regulariser:.4g})"


def parametric_bootstrap(
    setting: Setting,
    release: Release,
    rng: Generator | None = None,
    *,
    size: int = 10_000,
    normalised: bool = True,
) -> Bootstrap:
    """The competitor of Table 3: plug in the noisy matrix, made positive definite, and resample.

    Parameters
    ----------
    setting : Setting
        Regression under Laplace noise, clamped to bounds symmetric about 0.
    release : Release
    rng : numpy.random.Generator, optional
    size : int
        Bootstrap draws.
    normalised : bool
        Regularise the matrix of variables in [-1, 1], as the text says. False: in their own units,
        which is what Table 3 shows; the regulariser depends on the scale, and the estimate with it.

    Raises
    ------
    ValueError
        Another model or mechanism, bounds that are not symmetric, no n_dp.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import Laplace, Setting, models
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(0, 1, (150, 1))
    >>> rows = np.c_[x, 1 - x + rng.normal(0, 1, (150, 1))]
    >>> setting = Setting(models.linear_regression(1), Laplace(3.0), Laplace(1.0))
    >>> release = setting.release(rows, rng)
    >>> found = parametric_bootstrap(setting, release, rng, size=20)
    >>> found.draws.shape
    (20, 2)
    """
    model = _regression(setting)
    if type(setting.mechanism) is not Laplace or model.low != -model.high:
        raise ValueError("parametric_bootstrap needs Laplace noise and bounds symmetric about 0")
    setting.check(release)
    if release.n_dp is None:
        raise ValueError("parametric_bootstrap needs n_dp, got None")
    rng, size, p = generator(rng), count("size", size), model.covariates
    unit = 1.0 if normalised else model.high
    scales = np.array([1.0, *[unit] * (p + 1)])

    def matrix(s: Floats) -> Floats:
        """Sums as a matrix of (1, x, y)(1, x, y)', without its corner."""
        found = np.zeros((p + 2, p + 2))
        found[0, 1 : p + 1] = s[:p]
        at = p
        for j in range(p):
            found[j + 1, j + 1 : p + 1] = s[at : at + p - j]
            at += p - j
        found[1 : p + 1, p + 1] = s[at : at + p]
        found[0, p + 1], found[p + 1, p + 1] = s[-2], s[-1]
        found = found + np.triu(found, 1).T
        return found * np.outer(scales, scales)

    divisor = max(release.n_dp, p + 1.0)
    M = matrix(np.array(release.s))
    M[0, 0] = divisor
    least = float(np.linalg.eigvalsh(M)[0])
    r = -2 * least if least <= 0 else 0.0
    M = M + r * np.eye(p + 2)
    n_hat = float(M[0, 0])
    Q = M[: p + 1, : p + 1] / n_hat
    b = np.linalg.solve(M[: p + 1, : p + 1], M[: p + 1, -1])
    variance = float(M[-1, -1] - b @ M[: p + 1, -1]) / max(n_hat - (p + 1), 1e-300)
    scale = setting.mechanism.noise(model.sensitivity)[0]
    noise = rng.laplace(0.0, scale, (size, model.statistics))
    errors = np.array([matrix(one) for one in noise]) / n_hat
    u = rng.multivariate_normal(np.zeros(p + 1), max(variance, 0.0) * Q / n_hat, size)
    right = Q @ b - errors[:, : p + 1, : p + 1] @ b + u + errors[:, : p + 1, -1]
    draws = np.linalg.solve(Q, right.T).T
    own = np.array([model.high / unit, *[1.0] * p])  # the intercept in units of y
    return Bootstrap(b * own, draws * own, variance * (model.high / unit) ** 2, divisor, r)


# --- approximate Bayesian computation (sections 3.2 and 4) --------------------------------------------


@dataclass(frozen=True, eq=False)
class AbcPosterior:
    """Hold the parameters that are kept, as a release simulated with them fell near the observed release.

    Attributes
    ----------
    draws : array
        Shape (kept, k).
    sizes : array of int
        Shape (kept,).
    tried : int
    """

    draws: Floats
    sizes: NDArray[np.int64]
    tried: int

    def __repr__(self) -> str:
        mean = ", ".join(f"{one:.4g}" for one in self.draws.mean(axis=0))
        return f"AbcPosterior({len(self.draws)} of {self.tried} kept, mean=({mean}))"


def abc_posterior(
    setting: Setting,
    release: Release,
    radius: ArrayLike,
    rng: Generator | None = None,
    *,
    size: int = 10_000,
    n: int | None = None,
) -> AbcPosterior:
    """Draw from p(theta | s in R, n_dp), R the box of a radius around s (theorems 3.3 and 4.2).

    Parameters
    ----------
    setting : Setting
    release : Release
    radius : float or array
        Half widths of the box, > 0, for each coordinate of s.
    rng : numpy.random.Generator, optional
    size : int
        Simulations.
    n : int, optional
        A number of records that is known; drawn from p(n | n_dp) when None.

    Raises
    ------
    ValueError
        A radius that is not > 0, or nothing kept.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import DiscreteLaplace, Release, Setting, models
    >>> setting = Setting(models.bernoulli(), DiscreteLaplace(1.0), DiscreteLaplace(0.2))
    >>> abc_posterior(setting, Release((12.0,), 30.0), 2.0, np.random.default_rng(1), size=2000)
    AbcPosterior(343 of 2000 kept, mean=(0.4449))
    """
    setting.check(release)
    rng, size, model = generator(rng), count("size", size), setting.model
    half = np.broadcast_to(np.asarray(radius, dtype=float), (model.statistics,))
    number("radius", float(half.min()), "> 0")
    if n is None:
        top = largest_size(setting, release)
        sizes = np.arange(setting.sizes.least, top + 1)
        log_count, noise = setting.pieces[4], np.array(setting.count.noise(1.0))
        logs = setting.sizes.log_mass(sizes)
        if release.n_dp is not None:
            logs = logs + [log_count(float(release.n_dp), int(k), noise) for k in sizes]
        masses = np.exp(logs - logs.max())
        chosen = rng.choice(sizes, size, p=masses / masses.sum())
    else:
        chosen = np.full(size, count("n", n))
    _, record, statistic = model.pieces()
    hyper, s = np.array(model.hyper), np.array(release.s)
    room = int(chosen.max())
    rows, stats = np.empty((room, model.columns)), np.empty((room, model.statistics))
    kept: list[Any] = []
    for k in chosen:
        theta = model.prior(rng)
        kernels.fill(record, statistic, rng, theta, hyper, s, rows, stats, int(k))
        total = stats[:k].sum(axis=0)
        drawn = setting.mechanism.draw(total, int(k), model.sensitivity, rng)
        if (np.abs(drawn - s) <= half).all():
            kept.append((theta, k))
    if not kept:
        raise ValueError(
            f"radius must be large enough to keep some of {size} simulations, got {half.tolist()}"
        )
    return AbcPosterior(np.array([t for t, _ in kept]), np.array([k for _, k in kept]), size)
