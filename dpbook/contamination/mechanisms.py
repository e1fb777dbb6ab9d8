"""Private means to hold a contaminated posterior draw against, at the same budget (Section 4.2).

For teaching and studies; not for real releases: floating-point noise leaks what exact noise hides.
Use OpenDP for those.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.contamination.theory import ZCDP, exact_rho, printed_rho, standard_rho
from dpbook.privacy.coinpress import Sorted
from dpbook.privacy.reading import count, generator, number
from dpbook.privacy.value import Value, Version

Floats = NDArray[np.float64]
Conversion = Literal["printed", "bun-steinke", "gaussian"]

__all__ = ["QuantileClippedMean", "Conversion", "zcdp_budget"]


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
        Records are known to lie within radius of the centre, and are clipped to that; radius > 0.
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
        """Estimate the mean, with fresh noise each time; see `dpbook.privacy.CoinPress.draws`."""
        least, most = self.centre - self.radius, self.centre + self.radius
        data, size = Sorted.of(x).clipped(least, most), count("size", size)
        n, rounds = data.x.size, self.rounds
        noise = generator(rng).standard_normal((size, 2 * rounds + 1))
        first, second, last = 0.25 * self.rho, 0.0075 * self.rho, 0.7425 * self.rho
        sd_first, sd_second = (math.sqrt(rounds / (2.0 * rho)) for rho in (first, second))

        def sought(low: float, high: float, below: Callable[[int, Floats], Floats]) -> Floats:
            """Halve an interval for each release: where the answer is below 0, the left end moves."""
            left, right = np.full(size, low), np.full(size, high)
            for i in range(rounds):
                middle = 0.5 * (left + right)
                up = below(i, middle) <= 0.0
                left, right = np.where(up, middle, left), np.where(up, right, middle)
            return 0.5 * (left + right)

        def under_half(i: int, middle: Floats) -> Floats:
            counts = np.searchsorted(data.x, middle, side="right")
            return counts + sd_first * noise[:, i] - 0.5 * n

        centre = sought(least, most, under_half)
        rank = n - 4.0 * math.sqrt(1.0 / (2.0 * last)) - 2.0 * sd_second

        def too_few(i: int, middle: Floats) -> Floats:
            return data.within(centre, middle) + sd_second * noise[:, rounds + i] - rank

        half = sought(0.0, 2.0 * self.radius, too_few)
        mean = data.clipped_mean(centre - half, centre + half)
        return mean + 2.0 * half / (n * math.sqrt(2.0 * last)) * noise[:, 2 * rounds]
