"""Compositions: how a day is divided, as Dirichlet records (section 6.2)."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpbook.privacy.reading import count, number
from dpbook.unknown_sample_size import kernels
from dpbook.unknown_sample_size.models.base import Model

Floats = NDArray[np.float64]


def dirichlet(
    parts: int = 3, *, clamp: float = 1 / 1440, shape: float = 1.0, rate: float = 0.1
) -> Model:
    """Dirichlet records, as logarithms of shares; released are sums of clamped logarithms.

    Parameters
    ----------
    parts : int
        >= 2.
    clamp : float
        Shares below it count as it, in (0, 1). The paper prints .0006; the smallest share in its
        data is one minute of a day.
    shape, rate : float
        Each parameter has the gamma prior of this shape and rate, > 0.

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    Of shares that sum to 1 not all can be small: the l1 norm of the clamped logarithms is at most
    (parts - 1) abs(log a) + abs(log(1 - (parts - 1) a)), below the paper's parts * abs(log a), which
    `sensitivity` is, as printed.
    """
    parts = count("parts", parts, 2)
    clamp = number("clamp", clamp, "in (0, 1)")
    shape, rate = number("shape", shape, "> 0"), number("rate", rate, "> 0")

    def prior(rng: Generator) -> Floats:
        return np.maximum(rng.gamma(shape, 1 / rate, parts), 1e-6)

    def inside(rows: Floats) -> NDArray[np.bool_]:
        held: NDArray[np.bool_] = (rows <= 0).all(axis=1) & (
            np.abs(np.exp(rows).sum(axis=1) - 1) < 1e-8
        )
        return held

    return Model(
        name="dirichlet",
        parameters=tuple(f"alpha_{j}" for j in range(1, parts + 1)),
        columns=parts,
        statistics=parts,
        hyper=(shape, rate, math.log(clamp)),
        update=kernels.dirichlet_update,
        record=kernels.dirichlet_record,
        statistic=kernels.clamped_logs,
        prior=prior,
        sensitivity=-parts * math.log(clamp),
        inside=inside,
    )
