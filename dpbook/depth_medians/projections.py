"""Projected outlyingness: how far a point lies out, in the direction where that is most.

The supremum over the sphere is taken over a finite set of directions, a matrix of unit rows:
`random_directions`, `refined_directions`, or in the plane `exact_directions`, which loses nothing.

The median of an even number of values is the lower one of the two in the middle, unless asked
otherwise: then all sensitivities are sensitivities of one order statistic.
"""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog

from dpbook.depth_medians import kernels
from dpbook.engine.language.card import Described
from dpbook.privacy import reading
from dpbook.privacy.reading import generator
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

HELD = 2**21  # projections that are in memory at once, for each thread: 16 MB
BLOCK = 128  # directions at most that one thread takes at once
SMALL = 2**17  # so few projections are not worth a second thread


# --- input ----------------------------------------------------------------------------------------


def nearest_float(value: Any) -> float:
    """Return a number as a float, infinite where it is too large, nan for other objects."""
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, 1 if value > 0 else -1)
    except (TypeError, ValueError):
        return math.nan


def matrix(name: str, values: ArrayLike, columns: int | None = None) -> Floats:
    """Return an array of floats with rows; its entries may be anything.

    Raises
    ------
    ValueError
        No numbers, another shape, no rows.
    """
    if (
        isinstance(values, np.ma.MaskedArray)
        or getattr(values, "dtype", np.dtype(float)).kind in "mM"
    ):
        raise ValueError(f"{name} must be an array of real numbers, without a mask, dates or times")
    try:
        if np.iscomplexobj(values):
            raise TypeError  # their imaginary parts would be dropped
        with np.errstate(over="ignore"):  # a warning would reveal an entry
            try:
                found = np.ascontiguousarray(values, dtype=np.float64)
            except (OverflowError, TypeError, ValueError):  # an error would reveal an entry
                found = np.vectorize(nearest_float, otypes=[float])(np.array(values, dtype=object))
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be real numbers, in rows of one length") from None
    if found.ndim != 2 or 0 in found.shape:
        raise ValueError(f"{name} must have a shape (n, d) with n, d >= 1, got {found.shape}")
    if columns is not None and found.shape[1] != columns:
        raise ValueError(f"{name} must have {columns} columns, got {found.shape[1]}")
    return found


def finite(name: str, values: ArrayLike, columns: int | None = None) -> Floats:
    """Return an array of finite floats with rows.

    Raises
    ------
    ValueError
        Another shape, nan or infinities.
    """
    found = matrix(name, values, columns)
    if not np.isfinite(found).all():
        at = np.argwhere(~np.isfinite(found))[0]
        raise ValueError(f"{name} must be finite, got {found[tuple(at)]} in row {at[0]}")
    return found


def unit_rows(directions: ArrayLike, dimension: int | None = None) -> Floats:
    """Return directions that have length 1.

    Raises
    ------
    ValueError
        Another shape, or a row of another length.
    """
    found = finite("directions", directions, dimension)
    lengths = np.sqrt(np.einsum("ij,ij->i", found, found))
    wrong = np.flatnonzero(np.abs(lengths - 1) > 1e-9)
    if wrong.size:
        at = int(wrong[0])
        raise ValueError(
            f"directions must have rows of length 1, got {lengths[at]:.6g} in row {at}; "
            "divide each by its length"
        )
    return found


def spanning(directions: Floats) -> Floats:
    """Refuse directions that do not span the space: outlyingness would be bounded on a line.

    Raises
    ------
    ValueError
    """
    values = np.linalg.eigvalsh(directions.T @ directions)
    rank = int((values > 1e-12 * values[-1]).sum())
    if rank < directions.shape[1]:
        raise ValueError(
            f"directions must span all {directions.shape[1]} dimensions, got rank {rank} of "
            f"{len(directions)} directions; take more"
        )
    return directions


# --- directions -----------------------------------------------------------------------------------


def random_directions(dimension: int, size: int, rng: Generator | None = None) -> Floats:
    """Draw directions uniformly from the sphere; in one dimension there is only one.

    Parameters
    ----------
    dimension, size : int
        >= 1.
    rng : Generator, optional

    Returns
    -------
    array of float, shape (size, dimension)
        (1, 1) in one dimension.

    Raises
    ------
    ValueError
        A number below 1.

    Notes
    -----
    Source: depth_medians paper, Appendix A. They must not depend on data that are private.

    Examples
    --------
    >>> import numpy as np
    >>> random_directions(3, 5, np.random.default_rng(1)).shape
    (5, 3)
    """
    reading.count("dimension", dimension)
    reading.count("size", size)
    if dimension == 1:
        return np.ones((1, 1))
    normals = generator(rng).standard_normal((size, dimension))
    found: Floats = normals / np.linalg.norm(normals, axis=1)[:, None]
    return found


def exact_directions(data: ArrayLike) -> Floats:
    """Directions in the plane over which outlyingness by median and MAD is the exact supremum.

    Parameters
    ----------
    data : array of float, shape (n, 2)
        Not too many: n**2 pairs are looked at, and once more for each point that is ever a median.

    Returns
    -------
    array of float, shape (N, 2)

    Raises
    ------
    ValueError
        Another shape, entries that are not finite, more than 400 rows.

    Notes
    -----
    Between two directions in which the point that is the median, or that gives MAD, changes,
    outlyingness is a ratio of linear functions of the direction, monotone in its angle, and
    continuous at all of them: so the supremum stands at one of them. They are normal to a
    difference of two points, or to the sum of two less twice the median.

    Examples
    --------
    >>> exact_directions([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).shape
    (12, 2)
    """
    points = finite("data", data, 2)
    n = len(points)
    if n > 400:
        raise ValueError(f"data must have at most 400 rows, got {n}; take random_directions")
    first, second = np.triu_indices(n, 1)

    def normal_angles(vectors: Floats) -> Floats:
        kept = vectors[np.einsum("ij,ij->i", vectors, vectors) > 0]
        return _apart(np.mod(np.arctan2(kept[:, 0], -kept[:, 1]), np.pi))

    swaps = normal_angles(points[first] - points[second])
    if not swaps.size:
        swaps = np.zeros(1)
    edges = np.append(swaps, swaps[0] + np.pi)
    centre = 0.5 * (edges[:-1] + edges[1:])
    angles = [swaps]
    for turn in (0.0, np.pi):  # the lower median of an even number is another one seen from behind
        arcs = centre + turn
        u = np.column_stack((np.cos(arcs), np.sin(arcs)))
        order = np.argsort(u @ points.T, axis=1, kind="stable")
        medians = order[:, (n - 1) // 2]
        for at in np.unique(medians):
            found = normal_angles(points[first] + points[second] - 2 * points[at])
            inside = medians[np.searchsorted(swaps, found, side="right") - 1] == at
            angles.append(found[inside] + turn)
    both = _apart(np.concatenate([*angles, swaps + np.pi]))
    return np.column_stack((np.cos(both), np.sin(both)))


def _apart(angles: Floats) -> Floats:
    """Angles in order, each once: two that differ by rounding are one, on any processor."""
    ordered = np.sort(angles)
    return ordered[np.diff(ordered, prepend=-np.inf) > 1e-12]


def refined_directions(
    points: ArrayLike,
    data: ArrayLike,
    directions: ArrayLike,
    *,
    rounds: int = 60,
    rng: Generator | None = None,
) -> Floats:
    """Add, for each point, a direction in which it lies out further, found by local ascent.

    Parameters
    ----------
    points : array of float, shape (p, d)
    data : array of float, shape (n, d)
    directions : array of float, shape (N, d)
        Unit rows to start from.
    rounds : int
        Of 16 tries near the best direction each, >= 1.
    rng : Generator, optional

    Returns
    -------
    array of float, shape (N + p, d)
        For `points` outlyingness over these is at least outlyingness over `directions`.

    Raises
    ------
    ValueError
        Other shapes, entries that are not finite, a scale that is zero.

    Notes
    -----
    They depend on the data: not for a private release.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> data = rng.normal(size=(50, 2))
    >>> start = random_directions(2, 5, rng)
    >>> refined_directions([[3.0, 0.0]], data, start, rng=rng).shape
    (6, 2)
    """
    sample = finite("data", data)
    places = finite("points", points, sample.shape[1])
    starts = unit_rows(directions, sample.shape[1])
    reading.count("rounds", rounds)
    stream = generator(rng)
    where, best = outlyingness_of(sample, starts).steepest(places)[::2]
    held = starts[where].copy()
    width = np.full(len(places), 0.5)
    for _ in range(rounds):
        steps = stream.standard_normal((len(places), 16, sample.shape[1]))
        tried = held[:, None, :] + width[:, None, None] * steps
        tried /= np.linalg.norm(tried, axis=2)[:, :, None]
        flat = tried.reshape(-1, sample.shape[1])
        location, scale = MedianMAD().fit(sample, flat)
        at = np.einsum("ikj,ij->ik", tried, places) - location.reshape(len(places), 16)
        out = np.abs(at) / scale.reshape(len(places), 16)
        winner = out.argmax(axis=1)
        rows = np.arange(len(places))
        better = out[rows, winner] > best
        held[better] = tried[rows, winner][better]
        best = np.where(better, out[rows, winner], best)
        width = np.where(better, width, width * 0.8)
    return np.concatenate((starts, held))


# --- location and scale of projections ------------------------------------------------------------


def over_directions(
    data: Floats, directions: Floats, work: Callable[[Floats, slice], None]
) -> None:
    """Call `work` on projections of shape (some, n) of all data, in blocks and threads.

    Its results must not depend on the blocks; then they do not depend on the threads either.
    """
    size = len(directions)
    threads = min(len(os.sched_getaffinity(0)), 4) if size * len(data) > SMALL else 1
    block = max(1, min(HELD // len(data), BLOCK))  # whatever the threads: so is the rounding
    slices = [slice(at, min(at + block, size)) for at in range(0, size, block)]

    columns = np.ascontiguousarray(data.T)

    def one(rows: slice) -> None:
        samples = np.empty((rows.stop - rows.start, len(data)))
        kernels.project(directions[rows], columns, samples)
        work(samples, rows)

    if threads == 1 or len(slices) == 1:
        for rows in slices:
            one(rows)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, slices))


class Estimator(ABC):
    """Location and scale of univariate samples, by which projections are measured."""

    name: str

    def fit(self, data: Floats, directions: Floats) -> tuple[Floats, Floats]:
        """Return location and scale of the data in each direction; nothing is validated."""
        location, scale = np.empty(len(directions)), np.empty(len(directions))

        def work(samples: Floats, rows: slice) -> None:
            self.rows(samples, location[rows], scale[rows])

        over_directions(self.reduced(data), directions, work)
        return location, scale

    def reduced(self, data: Floats) -> Floats:
        """Return the rows that are projected."""
        return data

    @abstractmethod
    def rows(self, samples: Floats, location: Floats, scale: Floats) -> None:
        """Write location and scale of each row."""


@dataclass(frozen=True)
class MedianMAD(Estimator):
    """Median, and median absolute deviation from it.

    Attributes
    ----------
    even : {"lower", "average"}
        Which median an even number of values has.

    Notes
    -----
    Source: depth_medians paper, Definition 3.5, with the lower median of Appendix A
    (depth_medians:definition-3.5).

    Examples
    --------
    >>> MedianMAD()
    MedianMAD(even='lower')
    """

    even: Literal["lower", "average"] = "lower"

    def __post_init__(self) -> None:
        if self.even not in ("lower", "average"):
            raise ValueError(f'even must be "lower" or "average", got {self.even!r}')

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the name of the estimator."""
        return "median and MAD"

    def rows(self, samples: Floats, location: Floats, scale: Floats) -> None:
        kernels.medians_and_mads(samples, self.even == "average", location, scale)


@dataclass(frozen=True)
class Trimmed(Estimator):
    """Return the trimmed mean, and the mean absolute deviation of the kept numbers from it.

    Attributes
    ----------
    fraction : float
        Of n, trimmed off each end, rounded down; in [0, 1/2).

    Notes
    -----
    Source: depth_medians paper, Definition 3.4, with its index repaired: the paper sums one entry
    more than it divides by (depth_medians:definition-3.4-corrected).

    Examples
    --------
    >>> Trimmed(0.2)
    Trimmed(fraction=0.2)
    """

    fraction: float = 0.1

    def __post_init__(self) -> None:
        if not 0 <= reading.number("fraction", self.fraction, ">= 0") < 0.5:
            raise ValueError(f"fraction must be in [0, 1/2), got {self.fraction}")

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the name of the estimator."""
        return f"mean and deviation, {self.fraction:g} trimmed off each end"

    def rows(self, samples: Floats, location: Floats, scale: Floats) -> None:
        samples.sort(axis=1)
        cut = math.floor(samples.shape[1] * self.fraction + 1e-12)
        kernels.trimmed(samples, min(cut, (samples.shape[1] - 1) // 2), location, scale)


@dataclass(frozen=True)
class MedianIQR(Estimator):
    """Lower median, and the distance of the quartiles.

    The quartiles are the k-th smallest and the k-th largest of n values, k = (n + 1) // 4, at least 1.

    Notes
    -----
    Source: depth_medians paper, Lemma C.5 (depth_medians:lemma-c.5).

    Examples
    --------
    >>> MedianIQR()
    MedianIQR()
    """

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the name of the estimator."""
        return "median and IQR"

    def rows(self, samples: Floats, location: Floats, scale: Floats) -> None:
        n = samples.shape[1]
        low = max((n + 1) // 4, 1) - 1
        ranks = sorted({low, (n - 1) // 2, n - 1 - low})
        parts = np.partition(samples, ranks, axis=1)
        location[:] = parts[:, (n - 1) // 2]
        scale[:] = parts[:, n - 1 - low] - parts[:, low]


@dataclass(frozen=True)
class MedianOfMeans(Estimator):
    """Median and MAD of the means of blocks of rows, in their order.

    Attributes
    ----------
    blocks : int
        >= 1; as equal as can be.

    Notes
    -----
    Source: depth_medians paper, Section 2.1, after Depersin and Lecué, *On the robustness to
    adversarial corruption and to heavy-tailed data of the Stahel-Donoho median of means*.

    Examples
    --------
    >>> MedianOfMeans(5)
    MedianOfMeans(blocks=5)
    """

    blocks: int = 11

    def __post_init__(self) -> None:
        reading.count("blocks", self.blocks)

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the name of the estimator."""
        return f"median and MAD of {self.blocks} means"

    def reduced(self, data: Floats) -> Floats:
        if self.blocks > len(data):
            raise ValueError(f"blocks must be <= n = {len(data)}, got {self.blocks}")
        parts = np.array_split(data, self.blocks)
        return np.array([part.mean(axis=0) for part in parts])

    def rows(self, samples: Floats, location: Floats, scale: Floats) -> None:
        kernels.medians_and_mads(samples, False, location, scale)


# --- outlyingness ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Outlyingness(Described):
    """Outlyingness with respect to one dataset: call it with points.

    Attributes
    ----------
    directions : array of float, shape (N, d)
        Unit rows.
    location, scale : array of float, shape (N,)
        Of the projections; scale > 0.

    Notes
    -----
    Source: depth_medians paper, eq. 2.1 (depth_medians:definition-2.1), over these directions.

    Examples
    --------
    >>> outlyingness_of([[0.0], [1.0], [2.0], [4.0]], [[1.0]])
    Outlyingness(1 directions in 1 dimensions, scale 1 to 1)
    """

    directions: Floats
    location: Floats
    scale: Floats

    @property
    def dimension(self) -> int:
        """D."""
        return int(self.directions.shape[1])

    @property
    def scaled(self) -> Floats:
        """Directions divided by their scales: outlyingness is max |scaled @ x - offset|."""
        found: Floats = self.directions / self.scale[:, None]
        return found

    @property
    def offset(self) -> Floats:
        """Locations divided by their scales."""
        found: Floats = self.location / self.scale
        return found

    def __call__(self, points: ArrayLike) -> Floats:
        """Return the outlyingness of points of shape (p, d), of shape (p,)."""
        places = finite("points", points, self.dimension)
        found = np.zeros(len(places))
        step = max(1, min(HELD // len(self.directions), 2 * BLOCK))
        parts = [slice(at, at + step) for at in range(0, len(places), step)]

        def one(part: slice) -> None:
            columns = np.ascontiguousarray(places[part].T)
            projected = np.empty((len(self.directions), columns.shape[1]))
            kernels.project(self.directions, columns, projected)
            kernels.widest(projected, self.location, self.scale, found[part])

        small = len(places) * len(self.directions) <= SMALL
        threads = 1 if small else min(len(os.sched_getaffinity(0)), 4)
        if threads == 1 or len(parts) == 1:
            for part in parts:
                one(part)
            return found
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(one, parts))
        return found

    def depth(self, points: ArrayLike) -> Floats:
        """Return the projection depth 1 / (1 + O) of points of shape (p, d)."""
        found: Floats = 1 / (1 + self(points))
        return found

    def steepest(self, points: ArrayLike) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Return the direction where each point lies out most, the side, and the outlyingness."""
        places = finite("points", points, self.dimension)
        largest = np.full(len(places), -1.0)
        where, sign = np.zeros(len(places), dtype=np.int64), np.ones(len(places))
        step = max(1, HELD // len(places))
        for at in range(0, len(self.directions), step):
            rows = slice(at, at + step)
            projected = np.empty((len(self.directions[rows]), len(places)))
            kernels.project(self.directions[rows], np.ascontiguousarray(places.T), projected)
            kernels.steepest(
                projected, self.location[rows], self.scale[rows], at, largest, where, sign
            )
        return where, sign, largest

    def gradient(self, points: ArrayLike) -> Floats:
        """Return a subgradient at each point, of shape (p, d); the gradient where there is one.

        Source: depth_medians paper, Appendix A (depth_medians:text-a-gradient).
        """
        where, sign, _ = self.steepest(points)
        found: Floats = sign[:, None] * self.directions[where] / self.scale[where, None]
        return found

    def minimum(self) -> tuple[Floats, float, float]:
        """Return a point of least outlyingness, its outlyingness, and a lower bound on the least.

        By a linear program (HiGHS); the bound comes from its dual solution.

        Raises
        ------
        ValueError
            The directions do not span the space.
        """
        spanning(self.directions)
        point, least, bound = least_point(self.scaled, self.offset)
        if not math.isfinite(least):
            raise ValueError("no least outlyingness was found; scale the data to moderate numbers")
        return point, least, bound

    def __repr__(self) -> str:
        return (
            f"Outlyingness({len(self.directions)} directions in {self.dimension} dimensions, "
            f"scale {self.scale.min():.4g} to {self.scale.max():.4g})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        return (
            f"Location and scale of projections on {len(self.directions)} directions in "
            f"{self.dimension} dimensions: locations {self.location.min():.4g} to "
            f"{self.location.max():.4g}, scales {self.scale.min():.4g} to {self.scale.max():.4g}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the scale of each direction; in the plane against its angle."""
        ax = ax or figures.axes()
        if self.dimension == 2:
            angle = np.mod(np.arctan2(self.directions[:, 1], self.directions[:, 0]), np.pi)
            order = np.argsort(angle)
            ax.plot(np.degrees(angle[order]), self.scale[order])
            ax.set_xlabel("angle of the direction, modulo 180 degrees")
        else:
            ax.plot(np.sort(self.scale))
            ax.set_xlabel("direction, by scale")
        ax.set_ylabel("scale")
        ax.set_ylim(bottom=0)
        return ax


def least_point(scaled: Floats, offset: Floats) -> tuple[Floats, float, float]:
    """Minimise max |scaled @ x - offset| by a linear program; infinite where it finds nothing.

    The value belongs to the point, so it is at least the minimum; the bound is at most the minimum.
    """
    size, d = scaled.shape
    nothing = np.full(d, np.nan), math.inf, 0.0
    if not (np.isfinite(scaled).all() and np.isfinite(offset).all()):
        return nothing
    gram = scaled.T @ scaled
    try:
        start = np.asarray(np.linalg.solve(gram, scaled.T @ offset), dtype=np.float64)
    except np.linalg.LinAlgError:
        return nothing
    rest = offset - scaled @ start
    unit = float(np.max(np.abs(rest)))
    if not math.isfinite(unit):
        return nothing
    if unit == 0.0:
        return start, 0.0, 0.0
    length = float(np.max(np.abs(scaled)))
    table = np.empty((2 * size, d + 1))
    table[:size, :d] = scaled / length
    table[size:, :d] = -table[:size, :d]
    table[:, d] = -1.0
    goal = np.zeros(d + 1)
    goal[d] = 1.0
    free = [(None, None)] * d + [(0, None)]
    try:
        found = linprog(goal, table, np.concatenate((rest, -rest)) / unit, bounds=free)
    except (ValueError, ArithmeticError):
        return nothing
    if found.status != 0:
        return nothing
    point: Floats = start + found.x[:d] * (unit / length)
    a = np.empty(size)
    value = float(kernels.state(scaled, offset, point, a))
    weights = np.maximum(-found.ineqlin.marginals, 0.0)
    signed = (weights[:size] - weights[size:]) / max(float(weights.sum()), 1e-300)
    # max |a| >= signed @ a at every x, if signed @ scaled = 0; the rest of it is projected out
    signed = signed - scaled @ np.linalg.solve(gram, scaled.T @ signed)
    bound = -float(signed @ offset) / max(float(np.abs(signed).sum()), 1e-300)
    if not math.isfinite(value):
        return nothing
    return point, value, max(0.0, min(bound, value))


def outlyingness_of(
    data: ArrayLike, directions: ArrayLike, estimator: Estimator | None = None
) -> Outlyingness:
    """Fit location and scale in each direction.

    Parameters
    ----------
    data : array of float, shape (n, d)
        n >= 2.
    directions : array of float, shape (N, d)
        Unit rows.
    estimator : Estimator, optional
        Default: `MedianMAD`.

    Returns
    -------
    Outlyingness

    Raises
    ------
    ValueError
        Other shapes, entries that are not finite, a scale that is zero.

    Notes
    -----
    Source: depth_medians paper, Definition 2.1 (depth_medians:definition-2.1).

    Examples
    --------
    >>> outlyingness_of([[0.0], [1.0], [2.0], [4.0]], [[1.0]])
    Outlyingness(1 directions in 1 dimensions, scale 1 to 1)
    """
    sample = finite("data", data)
    if len(sample) < 2:
        raise ValueError("data must have 2 rows at least, got 1")
    rows = unit_rows(directions, sample.shape[1])
    location, scale = (estimator or MedianMAD()).fit(sample, rows)
    return fitted(rows, location, scale)


def fitted(directions: Floats, location: Floats, scale: Floats) -> Outlyingness:
    """Make an outlyingness, or say in which direction it has no scale.

    Raises
    ------
    ValueError
        A scale that is zero, or not finite.
    """
    wrong = np.flatnonzero(~((scale > 0) & np.isfinite(scale) & np.isfinite(location)))
    if wrong.size:
        at = int(wrong[0])
        raise ValueError(
            f"scale must be > 0 in each direction, got {scale[at]:g} in direction {at} "
            f"({wrong.size} of {len(directions)}): half of the data project to one value, or they "
            "are fewer than their dimensions ask for"
        )
    return Outlyingness(directions, location, scale)


def outlyingness(
    points: ArrayLike,
    data: ArrayLike,
    directions: ArrayLike,
    estimator: Estimator | None = None,
) -> Floats:
    """Return the projected outlyingness of points with respect to data.

    Parameters
    ----------
    points : array of float, shape (p, d)
    data : array of float, shape (n, d)
    directions : array of float, shape (N, d)
        Unit rows.
    estimator : Estimator, optional
        Default: `MedianMAD`.

    Returns
    -------
    array of float, shape (p,)

    Raises
    ------
    ValueError
        Other shapes, entries that are not finite, a scale that is zero.

    Notes
    -----
    Source: depth_medians paper, eq. 2.1 (depth_medians:definition-2.1).

    Examples
    --------
    >>> outlyingness([[0.0], [7.0]], [[1.0], [2.0], [3.0], [5.0], [9.0]], [[1.0]])
    array([1.5, 2. ])
    """
    return outlyingness_of(data, directions, estimator)(points)


def projection_depth(
    points: ArrayLike,
    data: ArrayLike,
    directions: ArrayLike,
    estimator: Estimator | None = None,
) -> Floats:
    """Return the projection depth 1 / (1 + O) of points with respect to data.

    Parameters
    ----------
    points, data, directions, estimator
        As in `outlyingness`.

    Returns
    -------
    array of float, shape (p,)
        In (0, 1].

    Raises
    ------
    ValueError
        Other shapes, entries that are not finite, a scale that is zero.

    Notes
    -----
    Source: depth_medians paper, Section 2.1, after Zuo and Serfling.

    Examples
    --------
    >>> projection_depth([[1.0]], [[0.0], [1.0], [2.0], [4.0]], [[1.0]]).tolist()
    [1.0]
    """
    return outlyingness_of(data, directions, estimator).depth(points)
