"""CoinPress: a private mean that clips records to a ball, and shrinks the ball around a noisy mean.

For teaching and studies; not for real releases: floating-point noise leaks what exact noise hides.
Use OpenDP for those.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.privacy import reading
from dpbook.privacy.reading import count, generator, number

Floats = NDArray[np.float64]

TAIL = math.log(100.0)  # a normal record is farther out than the bound with a chance of 1 in 100
LARGEST = 1e150  # size of a number whose square is finite


@dataclass(frozen=True)
class Sorted:
    """Records in order, with their running sums: clipped means and counts take a few steps each."""

    x: Floats = field(repr=False)
    sums: Floats = field(repr=False)

    @classmethod
    def of(cls, x: ArrayLike | Sorted) -> Sorted:
        """Read and sort records.

        Raises
        ------
        ValueError
            Fewer than two records, or a record that is no number below 1e150 in size.
        """
        if isinstance(x, Sorted):
            return x
        return cls._in_order(np.sort(_read(x, 1)))

    @classmethod
    def _in_order(cls, ordered: Floats) -> Sorted:
        return cls(ordered, np.concatenate([[0.0], np.cumsum(ordered)]))

    def clipped(self, low: float, high: float) -> Sorted:
        """Clip each record to an interval, so that no sum rounds to the size of one far away."""
        return self._in_order(np.clip(self.x, low, high))

    def clipped_mean(self, low: Floats, high: Floats) -> Floats:
        """Average the records after clipping, once for each interval."""
        first, last = np.searchsorted(self.x, low), np.searchsorted(self.x, high)
        inside = self.sums[last] - self.sums[first]
        found: Floats = (first * low + inside + (self.x.size - last) * high) / self.x.size
        return found

    def within(self, centre: Floats, distance: Floats) -> NDArray[np.intp]:
        """Count the records at most so far from a centre, once for each."""
        last = np.searchsorted(self.x, centre + distance, side="right")
        return last - np.searchsorted(self.x, centre - distance)


def _read(x: ArrayLike, *dimensions: int) -> Floats:
    """Read two or more records."""
    records = reading.records("records", x)
    if records.ndim not in dimensions or len(records) < 2 or not (abs(records) < LARGEST).all():
        raise ValueError(
            f"records must be finite numbers below {LARGEST:g}, n >= 2, got shape {records.shape}"
        )
    return records


def _in_ball(rows: Floats, centre: Floats, radius: float) -> Floats:
    """Move each row outside a ball to its nearest point there."""
    away = rows - centre
    lengths = np.linalg.norm(away, axis=1, keepdims=True)
    found: Floats = centre + away * (radius / np.maximum(lengths, radius))
    return found


@dataclass(frozen=True)
class CoinPress:
    """CoinPress (Biswas and others 2020) for a mean, where the standard deviation is known.

    The data are clipped to a ball that shrinks from step to step, a noisy mean is its next centre.
    The last step spends three quarters of the budget, the steps before share the rest; the
    constants come from the authors' public code. It is rho-zCDP where neighbours differ in one record.

    Parameters
    ----------
    rho : float
        zCDP budget, > 0.
    sd : float
        Of a record, in each coordinate, > 0.
    steps : int
        >= 1.
    centre, radius : float
        The mean is known to lie within radius of the point whose coordinates all are centre;
        radius > 0.

    Raises
    ------
    ValueError
        A number out of its range.

    Examples
    --------
    >>> import numpy as np
    >>> mechanism = CoinPress(0.5, 8.0, steps=3)
    >>> mechanism.draws(np.random.default_rng(1).normal(30.0, 8.0, 1000), 3, np.random.default_rng(2)).shape
    (3,)
    """

    rho: float
    sd: float
    steps: int = 10
    centre: float = 0.0
    radius: float = 300.0

    def __post_init__(self) -> None:
        number("rho", self.rho, "> 0 and finite")
        number("sd", self.sd, "> 0 and finite")
        number("centre", self.centre, "finite")
        number("radius", self.radius, "> 0 and finite")
        count("steps", self.steps)

    def budgets(self) -> Floats:
        """Return the budget of each step, shape (steps,); they add up to rho."""
        if self.steps == 1:
            return np.array([self.rho])
        shares = np.full(self.steps, 0.25 / (self.steps - 1))
        shares[-1] = 0.75
        return self.rho * shares

    def balls(self, n: int, d: int = 1) -> list[tuple[float, float]]:
        """List the radius of each ball and the standard deviation of the noise there.

        Parameters
        ----------
        n, d : int
            Number of records and of coordinates; both >= 1. Nothing else of the data counts.

        Raises
        ------
        ValueError
            A number out of its range, or a radius that is too large for its noise to be computed.
        """
        n, d = count("n", n), count("d", d)
        far = math.sqrt(d + 2.0 * math.sqrt(d * TAIL) + 2.0 * TAIL)
        r, found = self.radius / self.sd, []
        for budget in self.budgets().tolist():
            reach = min(math.sqrt(r * r + 6.0 * r + far * far), r + far)
            spread = 2.0 * reach / (n * math.sqrt(2.0 * budget))
            found.append((reach * self.sd, spread * self.sd))
            r = far * math.hypot(1.0 / math.sqrt(n), spread)
        if not np.max(found) + abs(self.centre) < LARGEST:
            raise ValueError(
                f"radius and noise must be below {LARGEST:g}, got radius = {self.radius}"
            )
        return found

    def draws(self, x: ArrayLike | Sorted, size: int = 1, rng: Generator | None = None) -> Floats:
        """Estimate the mean, with fresh noise each time.

        Parameters
        ----------
        x : array of float, shape (n,) or (n, d)
            n >= 2. A record that is not finite, or 1e150 or larger in size, is refused before
            any is used.
        size : int
            >= 1.
        rng : numpy.random.Generator, optional
            A fresh one when None.

        Returns
        -------
        array of float, shape (size,) or (size, d)
        """
        data = x if isinstance(x, Sorted) else _read(x, 1, 2)
        size, rng = count("size", size), generator(rng)
        if isinstance(data, Sorted) or data.ndim == 1:
            data = Sorted.of(data)
            balls = self.balls(data.x.size)
            data = data.clipped(self.centre - balls[0][0], self.centre + balls[0][0])
            c = np.full(size, float(self.centre))
            noise = rng.standard_normal((size, self.steps))
            for i, (ball, spread) in enumerate(balls):
                c = data.clipped_mean(c - ball, c + ball) + spread * noise[:, i]
            return c
        balls = self.balls(*data.shape)
        found = np.full((size, data.shape[1]), float(self.centre))
        rows = _in_ball(data, found[0], balls[0][0])
        noises = rng.standard_normal((size, self.steps, data.shape[1]))
        for c, noise in zip(found, noises, strict=True):
            for (ball, spread), z in zip(balls, noise, strict=True):
                c[:] = _in_ball(rows, c, ball).mean(axis=0) + spread * z
        return found
