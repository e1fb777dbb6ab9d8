"""Compute the medians and means that Figure 1 compares with the projection-depth median.

The smoothed integrated dual depth median is the point that maximises the mean over directions of
F(x'u) * (1 - F(x'u)), where F is the distribution function of the projections, smoothed by a logistic
distribution; its private version is an exponential mechanism.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from dpbook.depth_medians import kernels
from dpbook.depth_medians.projections import (
    finite,
    over_directions,
    spanning,
    unit_rows,
)
from dpbook.privacy import reading
from dpbook.privacy.reading import generator

Floats = NDArray[np.float64]

NODES = 1024  # of a table of F
WINDOW = 10.0  # half width of a table, in units of the data


@dataclass(frozen=True, eq=False)
class SmoothedDepth:
    """Smoothed integrated dual depth of a dataset, tabulated.

    Attributes
    ----------
    directions : array of float, shape (N, d)
    first : array of float, shape (N,)
        First node of each table.
    width : float
        Between nodes.
    tables : array of float, shape (N, nodes)
        The smoothed distribution function in each direction.
    start : array of float, shape (d,)
        Coordinatewise median.
    n : int
        Number of rows.

    Notes
    -----
    Source: Ramsay, Jagannath, Chenouri (2022), *Differentially private multivariate medians*; used
    in the depth_medians paper, Section 4 (depth_medians:figure-1).

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.depth_medians import random_directions
    >>> rng = np.random.default_rng(1)
    >>> depth = SmoothedDepth.of(rng.normal(size=(500, 2)), random_directions(2, 20, rng))
    >>> depth.n
    500
    """

    directions: Floats
    first: Floats
    width: float
    tables: Floats
    start: Floats
    n: int

    def __repr__(self) -> str:
        count, dimension = self.directions.shape
        return f"SmoothedDepth(n={self.n}, dimension={dimension}, directions={count})"

    @classmethod
    def of(cls, data: ArrayLike, directions: ArrayLike, smoothing: float = 10.0) -> SmoothedDepth:
        """Tabulate F within 10 units of the median of each projection.

        Parameters
        ----------
        data : array of float, shape (n, d)
        directions : array of float, shape (N, d)
            Unit rows.
        smoothing : float
            > 0; F is smoothed by a logistic distribution of scale 1 / smoothing.

        Returns
        -------
        SmoothedDepth

        Raises
        ------
        ValueError
            Other shapes, entries that are not finite, a number outside its range.
        """
        rows = finite("data", data)
        units = spanning(unit_rows(directions, rows.shape[1]))
        reading.positive(smoothing=smoothing)
        width = 2 * WINDOW / (NODES - 1)
        first = np.empty(len(units))
        weights = np.zeros((len(units), NODES))
        centre = np.median(rows, axis=0)

        def work(samples: Floats, part: slice) -> None:
            first[part] = units[part] @ centre - WINDOW
            kernels.histogram(samples, first[part], width, weights[part])

        over_directions(rows, units, work)
        steps = width * np.arange(-NODES + 1, NODES)
        size = 2 * NODES  # the part that wraps around falls outside of the part that is kept
        kernel = np.fft.rfft(expit(smoothing * steps), size)
        tables = np.fft.irfft(np.fft.rfft(weights, size, axis=1) * kernel, size, axis=1)
        tables = tables[:, NODES - 1 : 2 * NODES - 1] / len(rows)
        return cls(
            units, first, width, np.ascontiguousarray(np.clip(tables, 0, 1)), centre, len(rows)
        )

    def __call__(self, points: ArrayLike) -> Floats:
        """Return the depth of points of shape (p, d), in 0 .. 1/4."""
        places = finite("points", points, self.directions.shape[1])
        held = np.empty(len(self.directions)), np.empty(len(self.directions))
        return np.array(
            [
                kernels.smooth_depth(x, self.directions, self.tables, self.first, self.width, *held)
                for x in places
            ]
        )

    def median(self) -> Floats:
        """Return a point of largest depth, by Gauss-Newton steps from the coordinatewise median.

        Depth is 1/4 less the mean square of F - 1/2.
        """
        x = self.start.copy()
        values, slopes = np.empty(len(self.directions)), np.empty(len(self.directions))

        def depth(at: Floats) -> float:
            return float(
                kernels.smooth_depth(
                    at, self.directions, self.tables, self.first, self.width, values, slopes
                )
            )

        here = depth(x)
        for _ in range(50):
            jacobian = slopes[:, None] * self.directions
            normal = jacobian.T @ jacobian + 1e-12 * np.eye(len(x))
            step = np.linalg.solve(normal, jacobian.T @ (0.5 - values))
            size = 1.0
            while size > 1e-6 and (there := depth(x + size * step)) <= here:
                size /= 2
            if size <= 1e-6 or there - here < 1e-15:
                break
            x, here = x + size * step, there
        return x

    def private(
        self,
        epsilon: float,
        prior: float,
        rng: Generator | None = None,
        steps: int | None = None,
    ) -> Floats:
        """Draw from exp(n * epsilon * depth / 2) times a normal prior: epsilon-private in the limit.

        Parameters
        ----------
        epsilon : float
            > 0. One row changes F by at most 1 / n, and depth by at most as much.
        prior : float
            Variance of the prior in each coordinate, > 0; 25 * d in the paper.
        rng : Generator, optional
        steps : int, optional
            Of a Metropolis chain from the median; default 200 + 60 * d.

        Returns
        -------
        array of float, shape (d,)

        Raises
        ------
        ValueError
            A number outside its range.
        """
        reading.positive(epsilon=epsilon, prior=prior)
        x = self.median()
        d = len(x)
        steps = reading.count("steps", 200 + 60 * d if steps is None else steps)
        values, slopes = np.empty(len(self.directions)), np.empty(len(self.directions))
        kernels.smooth_depth(
            x, self.directions, self.tables, self.first, self.width, values, slopes
        )
        jacobian = slopes[:, None] * self.directions / math.sqrt(len(self.directions))
        curvature = self.n * epsilon * jacobian.T @ jacobian + np.eye(d) / prior
        root = np.linalg.inv(np.linalg.cholesky(curvature)).T * (2.38 / math.sqrt(d))
        kernels.smooth_chain(
            *(x, self.directions, self.tables, self.first, self.width, self.n * epsilon / 2),
            *(prior, np.ascontiguousarray(root), steps, generator(rng)),
        )
        return x
