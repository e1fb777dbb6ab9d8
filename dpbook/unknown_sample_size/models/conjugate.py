"""Models whose prior is conjugate: coins, categories, finitely many parameters, a Normal mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.privacy.reading import number
from dpbook.unknown_sample_size import kernels
from dpbook.unknown_sample_size.models.base import Model, everywhere

Floats = NDArray[np.float64]


def _ordered(low: float, high: float) -> None:
    if not low < high:
        raise ValueError(f"low must be < high, got low = {low}, high = {high}")


def bernoulli(a: float = 1.0, b: float = 1.0) -> Model:
    """Coin tosses with a Beta(a, b) prior; released is the number of heads.

    Raises
    ------
    ValueError
        A parameter of the prior that is not > 0.
    """
    a, b = number("a", a, "> 0"), number("b", b, "> 0")

    def prior(rng: Generator) -> Floats:
        return np.array([rng.beta(a, b)])

    return Model(
        name="bernoulli",
        parameters=("theta",),
        columns=1,
        statistics=1,
        hyper=(a, b),
        update=kernels.bernoulli_update,
        record=kernels.bernoulli_record,
        statistic=kernels.first_column,
        prior=prior,
        sensitivity=1.0,
        inside=lambda rows: (rows[:, 0] == 0) | (rows[:, 0] == 1),
    )


def multinomial(prior: Sequence[float] = (1.0, 1.0, 1.0)) -> Model:
    """Categories, as unit vectors, with a Dirichlet prior of the chances; released are the counts.

    Raises
    ------
    ValueError
        Fewer than two categories, a parameter of the prior that is not > 0.
    """
    shapes = tuple(number("prior", one, "> 0") for one in prior)
    if len(shapes) < 2:
        raise ValueError(f"prior must have at least two parameters, got {len(shapes)}")

    def draw(rng: Generator) -> Floats:
        return rng.dirichlet(shapes)

    def inside(rows: Floats) -> NDArray[np.bool_]:
        whole: NDArray[np.bool_] = np.isin(rows, (0, 1)).all(axis=1) & (rows.sum(axis=1) == 1)
        return whole

    return Model(
        name="multinomial",
        parameters=tuple(f"p_{j}" for j in range(1, len(shapes) + 1)),
        columns=len(shapes),
        statistics=len(shapes),
        hyper=shapes,
        update=kernels.multinomial_update,
        record=kernels.unit_record,
        statistic=kernels.whole_row,
        prior=draw,
        sensitivity=1.0,
        inside=inside,
    )


def finite(masses: ArrayLike, chances: ArrayLike) -> Model:
    """Finitely many parameters and finitely many values; released is the sum of the values.

    Parameters
    ----------
    masses : array
        Prior mass of each parameter, shape (K,).
    chances : array
        Chance of the value r = 0, 1, ... under each parameter, shape (K, R).

    Raises
    ------
    ValueError
        Masses or chances that are not > 0 or do not sum to 1, shapes that do not fit.
    """
    mass, table = np.asarray(masses, dtype=float), np.asarray(chances, dtype=float)
    if mass.ndim != 1 or table.ndim != 2 or len(mass) != len(table):
        raise ValueError(
            f"masses must have shape (K,) and chances (K, R), got {mass.shape} and {table.shape}"
        )
    for name, values in (("masses", mass[None]), ("chances", table)):
        if not (values > 0).all() or not np.allclose(values.sum(axis=1), 1, atol=1e-12, rtol=0):
            raise ValueError(f"{name} must be > 0 and sum to 1, got {values.tolist()}")
    K, R = table.shape

    def prior(rng: Generator) -> Floats:
        return np.array([float(rng.choice(K, p=mass))])

    return Model(
        name="finite",
        parameters=("theta",),
        columns=1,
        statistics=1,
        hyper=(K, R, *np.log(mass).tolist(), *np.log(table).ravel().tolist()),
        update=kernels.finite_update,
        record=kernels.finite_record,
        statistic=kernels.first_column,
        prior=prior,
        sensitivity=float(max(R - 1, 1)),
        inside=lambda rows: np.isin(rows[:, 0], np.arange(R)),
    )


def normal_mean(
    mean: float = 0.0,
    sd: float = 1.0,
    record_sd: float = 1.0,
    bounds: tuple[float, float] | None = None,
) -> Model:
    """Normal records with a Normal prior of their mean; released is the sum, of clamped records.

    Parameters
    ----------
    mean, sd : float
        Of the prior; sd > 0.
    record_sd : float
        > 0.
    bounds : (float, float), optional
        Records are clamped to it. Without it the sum has no sensitivity: then the noise of the
        mechanism is a standard deviation that the caller chose, as in `Gaussian`.

    Raises
    ------
    ValueError
        A spread that is not > 0, bounds that are reversed.
    """
    number("mean", mean, "finite")
    sd, record_sd = number("sd", sd, "> 0"), number("record_sd", record_sd, "> 0")
    low, high = bounds or (-np.inf, np.inf)
    _ordered(low, high)

    def prior(rng: Generator) -> Floats:
        return np.array([rng.normal(mean, sd)])

    return Model(
        name="normal_mean",
        parameters=("theta",),
        columns=1,
        statistics=1,
        hyper=(float(mean), sd, record_sd, float(low), float(high)),
        update=kernels.normal_update,
        record=kernels.normal_record,
        statistic=kernels.clamped_column,
        prior=prior,
        sensitivity=float(max(abs(low), abs(high))),
        inside=everywhere,
    )
