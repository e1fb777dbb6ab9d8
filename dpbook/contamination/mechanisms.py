"""Private means to hold a contaminated posterior draw against, at the same budget (Section 4.2).

For teaching and studies; not for real releases: floating-point noise leaks what exact noise hides.
Use OpenDP for those.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.contamination import kernels
from dpbook.contamination.theory import ZCDP, exact_rho, printed_rho, standard_rho
from dpbook.privacy import reading
from dpbook.privacy.reading import count, generator, number
from dpbook.privacy.value import Value, Version

Floats = NDArray[np.float64]
Conversion = Literal["printed", "bun-steinke", "gaussian"]

__all__ = ["QuantileClippedMean", "CoinPress", "Conversion", "zcdp_budget"]


def zcdp_budget(epsilon: float, delta: float, conversion: Conversion = "bun-steinke") -> Value:
    """Return the zCDP budget that stands for an epsilon and a delta.

    Parameters
    ----------
    epsilon : float
        > 0.
    delta : float
        In (0, 1).
    conversion : {"bun-steinke", "printed", "gaussian"}
        What implies (epsilon, delta)-DP for every mechanism; what Section 4.2 says does; or what
        does for one Gaussian mechanism, exactly.

    Raises
    ------
    ValueError
        A number out of its range, or a conversion that there is not.

    Examples
    --------
    >>> zcdp_budget(0.94, 1e-4)
    Value(rho=0.0228329, epsilon=0.94, delta=0.0001, claim='privacy:zcdp-to-dp')
    >>> zcdp_budget(0.94, 1e-4, "printed")
    Value(rho=0.0479678, epsilon=0.94, delta=0.0001, claim='contamination:text-4.2-zcdp', version='printed')
    """
    epsilon, delta = number("epsilon", epsilon, "> 0"), number("delta", delta, "in (0, 1)")
    if conversion not in ZCDP:
        raise ValueError(f"conversion must be one of {', '.join(ZCDP)}, got {conversion!r}")
    ways = {"printed": printed_rho, "bun-steinke": standard_rho, "gaussian": exact_rho}
    version: Version = "printed" if conversion == "printed" else "corrected"
    return Value(
        ways[conversion](epsilon, delta),
        ZCDP[conversion],
        version,
        of="rho",
        at={"epsilon": epsilon, "delta": delta},
    )


@dataclass(frozen=True)
class Sorted:
    """Records in order, with their running sums: clipped means and counts take a few steps each."""

    x: Floats = field(repr=False)
    sums: Floats = field(repr=False)

    @classmethod
    def of(cls, x: ArrayLike) -> Sorted:
        """Read and sort records.

        Raises
        ------
        ValueError
            No records, or one that is not finite.
        """
        records = reading.records("records", x)
        if records.ndim != 1 or records.size < 2 or not np.isfinite(records).all():
            raise ValueError(f"records must be finite numbers, n >= 2, got shape {records.shape}")
        ordered = np.sort(records)
        return cls(ordered, np.concatenate([[0.0], np.cumsum(ordered)]))


@dataclass(frozen=True)
class CoinPress:
    """CoinPress (Biswas and others 2020) for one mean and a known standard deviation.

    The data are clipped to an interval that shrinks from step to step, a noisy mean is its next
    centre. The last step spends three quarters of the budget, the others share the rest; the
    constants are those of the authors' public code.

    Parameters
    ----------
    rho : float
        zCDP budget, > 0.
    sd : float
        Of a record, > 0.
    steps : int
        >= 1; the paper takes 3 and 10.
    centre, radius : float
        The mean is known to lie within radius of the centre; radius > 0.

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
        """What each step spends, shape (steps,); they add up to rho."""
        if self.steps == 1:
            return np.array([self.rho])
        shares = np.full(self.steps, 0.25 / (self.steps - 1))
        shares[-1] = 0.75
        return self.rho * shares

    def draws(self, x: ArrayLike | Sorted, size: int = 1, rng: Generator | None = None) -> Floats:
        """Estimate the mean, with fresh noise each time.

        Parameters
        ----------
        x : array of float, shape (n,)
        size : int
            >= 1.
        rng : numpy.random.Generator, optional
            A fresh one when None.

        Returns
        -------
        array of float, shape (size,)
        """
        data = x if isinstance(x, Sorted) else Sorted.of(x)
        found = np.empty(count("size", size))
        noise = generator(rng).standard_normal((found.size, self.steps))
        kernels.coinpress(
            data.x, data.sums, self.budgets(), self.sd, self.centre, self.radius, noise, found
        )
        return found


@dataclass(frozen=True)
class QuantileClippedMean:
    """Private quantiles, then a mean of clipped records (Huang, Liang and Yi 2021).

    A noisy binary search finds the median, which is the centre (a quarter of the budget); another
    one, with a hundredth of the rest, a distance from it that few records exceed; the mean of the
    records clipped there is released with what is left. Ours from the paper's description. The mean
    of records clipped to an interval that is given is `dpbook.privacy.ClippedMean`.

    Parameters
    ----------
    rho : float
        zCDP budget, > 0.
    centre, radius : float
        Records are known to lie within radius of the centre; radius > 0.
    rounds : int
        Of a binary search, >= 1.

    Raises
    ------
    ValueError
        A number out of its range.

    Examples
    --------
    >>> import numpy as np
    >>> mechanism = QuantileClippedMean(0.5, radius=100.0)
    >>> mechanism.draws(np.full(1000, 30.0), 3, np.random.default_rng(1)).shape
    (3,)
    """

    rho: float
    centre: float = 0.0
    radius: float = 300.0
    rounds: int = 10

    def __post_init__(self) -> None:
        number("rho", self.rho, "> 0 and finite")
        number("centre", self.centre, "finite")
        number("radius", self.radius, "> 0 and finite")
        count("rounds", self.rounds)

    def draws(self, x: ArrayLike | Sorted, size: int = 1, rng: Generator | None = None) -> Floats:
        """Estimate the mean, with fresh noise each time; see `CoinPress.draws`."""
        data = x if isinstance(x, Sorted) else Sorted.of(x)
        found = np.empty(count("size", size))
        noise = generator(rng).standard_normal((found.size, 2 * self.rounds + 1))
        kernels.clipped_mean(
            data.x, data.sums, self.rho, self.centre, self.radius, self.rounds, noise, found
        )
        return found
