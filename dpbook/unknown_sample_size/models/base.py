"""Define a model as five small pieces, each of which can be swapped by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numba
import numpy as np
from numba.core.registry import CPUDispatcher
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.privacy import reading
from dpbook.unknown_sample_size import kernels

Floats = NDArray[np.float64]


def everywhere(rows: Floats) -> NDArray[np.bool_]:
    """Every finite row may be a record."""
    good: NDArray[np.bool_] = np.asarray(np.isfinite(rows).all(axis=1))
    return good


def compiled(piece: Any, signature: Any) -> Any:
    """Return a piece as a function with the signature that the kernels call.

    Raises
    ------
    ValueError
        It is no function, or Numba cannot compile it with this signature.
    """
    if not callable(piece):
        raise ValueError(f"a piece must be a function that Numba compiles, got {piece!r:.60}")
    if isinstance(piece, CPUDispatcher) and piece.signatures == [signature.args]:
        return piece
    try:
        if isinstance(piece, CPUDispatcher) and not piece.signatures:
            piece.compile(signature)
            piece.disable_compile()
            return piece
        return numba.njit(signature)(getattr(piece, "py_func", piece))
    except Exception as error:
        name = getattr(piece, "__name__", repr(piece))
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"{name} must compile with Numba as {signature}: {reason}") from error


@dataclass(frozen=True)
class Model:
    """A model of records, and the statistic whose sum is released.

    Swap any piece: ``dataclasses.replace(model, statistic=mine)``. A piece is Python that Numba
    compiles; arrays are of float64, and a piece writes its result into its last array argument.

    Attributes
    ----------
    name : str
    parameters : tuple of str
        Names of theta's entries.
    columns : int
        Numbers in a record.
    statistics : int
        Numbers that are released.
    hyper : tuple of float
        Constants that the pieces are handed.
    update : function
        ``update(rng, rows, n, theta, hyper)``: draw theta from its distribution given rows[:n], in place, or
        take a step that keeps that distribution (step 1(a) of Algorithm 1).
    record : function
        ``record(rng, theta, hyper, row)``: draw a record given theta.
    statistic : function
        ``statistic(row, s, hyper, t)``: the record's part of the sum (assumption A3). It may depend
        on the release s, as with objective perturbation.
    prior : function
        ``prior(rng)`` returns theta, shape (k,).
    sensitivity : float
        Largest l1 norm of a statistic, the effect of one added record (section 2.1).
    inside : function
        ``inside(rows)``: which rows may be records; shape (n, columns) to (n,).

    Raises
    ------
    ValueError
        A size that is no integer >= 1, a sensitivity that is not > 0.

    Examples
    --------
    Coin tosses of which only every heads counts double:

    >>> from dataclasses import replace
    >>> from dpbook.unknown_sample_size import models
    >>> def twice(row, s, hyper, t):
    ...     t[0] = 2 * row[0]
    >>> replace(models.bernoulli(), statistic=twice, sensitivity=2.0)
    Model(bernoulli, theta)
    """

    name: str
    parameters: tuple[str, ...]
    columns: int
    statistics: int
    hyper: tuple[float, ...]
    update: Callable[..., None] = field(repr=False)
    record: Callable[..., None] = field(repr=False)
    statistic: Callable[..., None] = field(repr=False)
    prior: Callable[[Generator], Floats] = field(repr=False)
    sensitivity: float
    inside: Callable[[Floats], NDArray[np.bool_]] = field(default=everywhere, repr=False)

    def __post_init__(self) -> None:
        for name in ("columns", "statistics"):
            if not (isinstance(getattr(self, name), int) and getattr(self, name) >= 1):
                raise ValueError(f"{name} must be an integer >= 1, got {getattr(self, name)!r}")
        if not self.sensitivity > 0:
            raise ValueError(f"sensitivity must be > 0, got {self.sensitivity}")

    def __repr__(self) -> str:
        return f"Model({self.name}, {', '.join(self.parameters)})"

    def pieces(self) -> tuple[Any, Any, Any]:
        """Update, record and statistic as the kernels take them.

        Raises
        ------
        ValueError
            A piece that Numba cannot compile.
        """
        return (
            compiled(self.update, kernels.UPDATE),
            compiled(self.record, kernels.RECORD),
            compiled(self.statistic, kernels.STATISTIC),
        )

    def read(self, records: ArrayLike, least: int = 1) -> Floats:
        """Return a dataset as an array of shape (n, columns), with n >= `least`.

        Raises
        ------
        ValueError
            Too few records, another shape, a record outside the support.
        """
        rows = reading.records(f"records of {self.name}", records)
        if rows.ndim == 1 and (self.columns == 1 or not rows.size):
            rows = rows.reshape(-1, self.columns)
        if rows.ndim != 2 or rows.shape[1] != self.columns or len(rows) < least:
            raise ValueError(
                f"records of {self.name} must have shape (n, {self.columns}), n >= {least}, "
                f"got {rows.shape}"
            )
        good = np.asarray(self.inside(rows))
        if not good.all():
            # no value and no place: the records are private
            raise ValueError(f"records of {self.name} must lie in its support, and not all do")
        return np.ascontiguousarray(rows)

    def draw(self, theta: ArrayLike, size: int, rng: Generator) -> Floats:
        """Draw records given theta, shape (size, columns).

        Raises
        ------
        ValueError
            The record piece returns a row that the model calls impossible.
        """
        _, record, statistic = self.pieces()
        rows, stats = np.empty((size, self.columns)), np.empty((size, self.statistics))
        s = np.zeros(self.statistics)
        at, hyper = np.array(theta, dtype=float), np.array(self.hyper, dtype=float)
        kernels.fill(record, statistic, rng, at, hyper, s, rows, stats, size)
        good = np.asarray(self.inside(rows))
        if not good.all():
            raise ValueError(
                f"record of {self.name} must return a row in the support, got "
                f"{rows[int(np.argmin(good))].tolist()} at theta = {at.tolist()}"
            )
        return rows

    def total(self, records: ArrayLike, s: ArrayLike | None = None) -> Floats:
        """Sum of the statistic over records, shape (statistics,); 0 of no records."""
        rows = self.read(records, 0)
        statistic = self.pieces()[2]
        t, total = np.empty(self.statistics), np.zeros(self.statistics)
        released = np.zeros(self.statistics) if s is None else np.array(s, dtype=float)
        hyper = np.array(self.hyper, dtype=float)
        for row in rows:
            statistic(row, released, hyper, t)
            total += t
        return total
