"""Linear regression with clamped, normalised sums (section 6.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpbook.privacy.reading import count, number
from dpbook.unknown_sample_size import kernels
from dpbook.unknown_sample_size.models.base import Model

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class LinearRegression(Model):
    """A `Model` of linear regression; made by `linear_regression`.

    Attributes
    ----------
    covariates : int
    low, high : float
        Covariates and response are clamped to it.
    leaks : bool
        The likelihood is the likelihood of the authors' code.
    """

    covariates: int = 0
    low: float = -5.0
    high: float = 5.0
    leaks: bool = False

    def __repr__(self) -> str:
        return (
            f"LinearRegression(covariates={self.covariates}, low={self.low:g}, high={self.high:g}"
            f"{', leaks n' * self.leaks})"
        )


def sensitivity(covariates: int) -> float:
    """Largest l1 norm of a row's statistics, (p + 1)(p + 4) / 2 (section 6.1, attained at corners)."""
    return (covariates + 1) * (covariates + 4) / 2


def parameters(covariates: int) -> tuple[str, ...]:
    """Names of theta: b, tau, mu, and the lower triangle of T with Phi = T T'."""
    return (
        *(f"beta_{j}" for j in range(covariates + 1)),
        "tau",
        *(f"mu_{j}" for j in range(1, covariates + 1)),
        *(f"T_{j}{k}" for j in range(1, covariates + 1) for k in range(1, j + 1)),
    )


def linear_regression(
    covariates: int = 2,
    *,
    low: float = -5.0,
    high: float = 5.0,
    a: float = 2.0,
    b: float = 2.0,
    df: float | None = None,
    as_the_authors_code: bool = False,
) -> LinearRegression:
    """Linear regression with random covariates, and the Normal, Gamma and Wishart prior of section 6.1.

    beta given tau is N(0, I / tau), tau is Gamma(a / 2, rate b / 2), mu is N(0, I), and the precision
    Phi of the covariates is Wishart(df, I). A record is (x_1, ..., x_p, y).

    Parameters
    ----------
    covariates : int
        p >= 1.
    low, high : float
        All variables are clamped to [low, high] and then mapped to [-1, 1], low < high.
    a, b : float
        > 0.
    df : float, optional
        Degrees of freedom, > p - 1; p when None.
    as_the_authors_code : bool
        Off. Score a release as the code behind Tables 1 and 2 does: an index slip leaves out the sum
        of the squares of the last covariate and takes in the number of records, released exactly.
        Only to show the consequences.

    Raises
    ------
    ValueError
        A number outside its range, bounds that are reversed.

    Notes
    -----
    Given rows, (b, tau) is drawn at once, then mu given Phi, and Phi given mu: the priors of mu and
    Phi are independent, so that is a Gibbs step, not a draw from p(theta | x).
    """
    p = count("covariates", covariates)
    low, high = number("low", low, "finite"), number("high", high, "finite")
    if not low < high:
        raise ValueError(f"low must be < high, got low = {low}, high = {high}")
    a, b = number("a", a, "> 0"), number("b", b, "> 0")
    df = float(p) if df is None else number("df", df, "finite")
    if not df > p - 1:
        raise ValueError(f"df must be > covariates - 1 = {p - 1}, got {df}")
    eye, wide = np.eye(p).ravel().tolist(), np.eye(p + 1).ravel().tolist()
    hyper = (float(p), low, high, a, b, df, *[0.0] * (p + 1), *wide, *[0.0] * p, *eye, *eye)

    def prior(rng: Generator) -> Floats:
        tau = rng.gamma(a / 2, 2 / b)
        corner = np.tril(rng.standard_normal((p, p)), -1)
        corner[np.diag_indices(p)] = np.sqrt(rng.chisquare(df - np.arange(p)))
        return np.concatenate(
            [
                rng.standard_normal(p + 1) / np.sqrt(tau),
                [tau],
                rng.standard_normal(p),
                corner[np.tril_indices(p)],
            ]
        )

    return LinearRegression(
        name="linear regression",
        parameters=parameters(p),
        columns=p + 1,
        statistics=p + p * (p + 1) // 2 + p + 2,
        hyper=hyper,
        update=kernels.regression_update,
        record=kernels.regression_record,
        statistic=kernels.leaked_statistic if as_the_authors_code else kernels.regression_statistic,
        prior=prior,
        sensitivity=sensitivity(p),
        covariates=p,
        low=low,
        high=high,
        leaks=as_the_authors_code,
    )
