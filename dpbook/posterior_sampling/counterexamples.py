"""Small models on which the printed bounds under assumption 2 fail, found and then confirmed.

The model is that of `posterior_sampling:theorem-1.ii`: a fair coin or one of odds K, a prior that
meets assumption 2 with the rate c, n tosses that are all ones against all but one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from flint import fmpq

from dpbook.engine.claims import catalog
from dpbook.engine.evaluate.exact_points import compare_at, evaluate_at
from dpbook.engine.language.statement import unfold_definitions
from dpbook.posterior_sampling import notation
from dpbook.privacy.reading import count
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bound = Literal["divergence", "total variation"]
CLAIMS = {
    "divergence": "posterior_sampling:theorem-1.ii",
    "total variation": "posterior_sampling:theorem-2.ii",
}
KAPPA = float(unfold_definitions(notation.kappa))  # rounded up, as in the claims
DIGITS = 128  # bits of the values that are shown


@dataclass(frozen=True)
class CoinCounterexample:
    """Two coins and a number of tosses at which a printed bound fails, confirmed in balls.

    Attributes
    ----------
    bound : str
        "divergence" or "total variation".
    claim : str
        Key of the refuted claim.
    odds : int
        Of the biased coin, for 1.
    prior : Fraction
        Prior probability of the biased coin: odds ** (-rate), the most that assumption 2 allows.
    rate : Fraction
        The rate c of assumption 2.
    tosses : int
    value, printed : float
        What the posteriors are apart, and the printed bound on it.
    """

    bound: str
    claim: str
    odds: int
    prior: Fraction
    rate: Fraction
    tosses: int
    value: float
    printed: float

    def __repr__(self) -> str:
        return (
            f"CoinCounterexample({self.bound}, tosses={self.tosses}, odds={_power(self.odds)}, "
            f"rate={self.rate}, value={self.value:.6g}, printed={self.printed:.6g})"
        )

    def _repr_html_(self) -> str:
        rows = {
            "tosses": str(self.tosses),
            "odds of the biased coin": _power(self.odds),
            "rate of assumption 2": str(self.rate),
            self.bound: f"{self.value:.6g}",
            "printed bound": f"{self.printed:.6g}",
            "refuted claim": self.claim,
        }
        return figures.html_facts(rows.items())

    def describe(self) -> str:
        """Return the words for the picture."""
        return (
            f"The {self.bound} of two posteriors on a fair coin and one of odds "
            f"{_power(self.odds)}, after up to {2 * self.tosses} tosses that are all ones, or all "
            f"but one. At {self.tosses} tosses it is {self.value:.5g}, above the printed bound of "
            f"{self.printed:.5g}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the distance of the posteriors against the number of tosses, and the bound."""
        ax = ax or figures.axes()
        tosses = np.arange(1, 2 * self.tosses + 1)
        apart = _apart(self.bound, tosses, float(self.rate), math.log(self.odds))
        ax.plot(tosses, apart, marker="o", markersize=3, label=self.bound)
        ax.plot(tosses, np.full(tosses.shape, self.printed), label="bound as printed")
        ax.plot([self.tosses], [self.value], "o", color="black", zorder=3)
        ax.set_xlabel("tosses")
        ax.set_ylabel(self.bound)
        ax.legend()
        return ax


def smallest_counterexample(
    bound: Bound = "divergence",
    rates: Iterable[int | Fraction] = tuple(range(1, 13)),
    most_odds: int = 10_000,
    most_tosses: int = 60,
) -> CoinCounterexample:
    """Find the fewest tosses at which a printed bound under assumption 2 fails for two coins.

    Floating point proposes, for each number of tosses and each rate, the odds at which the bound is
    exceeded most; the proposal counts when the claim's own relation is certainly false there, in
    exact numbers and balls.

    Parameters
    ----------
    bound : {"divergence", "total variation"}
        Of theorem 1(ii), or of theorem 2(ii).
    rates : iterable of int or Fraction
        Rates p / q of assumption 2, > 0. Odds are q-th powers, so that the prior is rational.
    most_odds : int
        The odds searched are 2 ** q to most_odds ** q.
    most_tosses : int

    Returns
    -------
    CoinCounterexample
        Of the proposals with the fewest tosses the one that exceeds its bound most.

    Raises
    ------
    ValueError
        For another bound, a rate that is not positive, odds below 2, or where none is found.

    Notes
    -----
    `posterior_sampling:theorem-1.ii` and `posterior_sampling:theorem-2.ii`. Assumption 2 holds by
    `posterior_sampling:note-coins`.

    Examples
    --------
    >>> smallest_counterexample()
    CoinCounterexample(divergence, tosses=14, odds=5015, rate=1, value=5.07118, printed=4.91082)
    """
    if bound not in CLAIMS:
        raise ValueError(f"bound must be one of {', '.join(CLAIMS)}, got {bound!r}")
    read = [_rate(rate) for rate in rates]
    bases = np.arange(2, count("most_odds", most_odds, least=2, most=10**7) + 1)
    for tosses in range(1, count("most_tosses", most_tosses) + 1):
        found = []
        for rate in read:
            log_odds = rate.denominator * np.log(bases)
            excess = _apart(bound, tosses, float(rate), log_odds) / _printed(bound, float(rate))
            best = int(np.argmax(excess))
            if excess[best] > 1:
                found.append((float(excess[best]), rate, int(bases[best])))
        for _, rate, base in sorted(found, reverse=True):
            confirmed = _confirmed(bound, tosses, rate, base)
            if confirmed is not None:
                return confirmed
    raise ValueError(
        f"no counterexample with at most {most_tosses} tosses; allow more tosses, or larger odds"
    )


def _rate(value: int | Fraction) -> Fraction:
    if isinstance(value, int | Fraction) and not isinstance(value, bool) and value > 0:
        return Fraction(value)
    raise ValueError(f"rates must be integers or fractions > 0, got {value!r}")


def _printed(bound: str, rate: float) -> float:
    return KAPPA / rate if bound == "divergence" else math.sqrt(KAPPA / (2 * rate))


def _apart(bound: str, tosses: Any, rate: float, log_odds: Any) -> np.ndarray:
    """Return the distance of the two posteriors; the log odds belong to the biased coin."""
    with np.errstate(under="ignore"):
        gain = tosses * (math.log(2.0) - np.log1p(np.exp(-log_odds)))
        first = gain - rate * log_odds - np.log1p(-np.exp(-rate * log_odds))
        second = first - log_odds
        biased = np.exp(-np.logaddexp(0.0, -first))
        if bound == "total variation":
            apart: np.ndarray = biased - np.exp(-np.logaddexp(0.0, -second))
            return apart
        fair_ratio = np.logaddexp(0.0, second) - np.logaddexp(0.0, first)
        return biased * (fair_ratio + log_odds) + np.exp(-np.logaddexp(0.0, first)) * fair_ratio


def _confirmed(bound: str, tosses: int, rate: Fraction, base: int) -> CoinCounterexample | None:
    """The counterexample, where the claim's relation is certainly false; else None."""
    odds = base**rate.denominator
    prior = Fraction(1, base**rate.numerator)
    if prior**rate.denominator * odds**rate.numerator > 1:  # assumption 2
        return None
    relation = catalog.find(CLAIMS[bound]).relation.map(unfold_definitions)
    point = {
        notation.K: fmpq(odds),
        notation.w: fmpq(prior.numerator, prior.denominator),
        notation.c: fmpq(rate.numerator, rate.denominator),
        notation.n: fmpq(tosses),
    }
    if compare_at(relation.lhs, relation.op, relation.rhs, point) is not False:
        return None
    left, right = (evaluate_at(side, point, DIGITS) for side in (relation.lhs, relation.rhs))
    return CoinCounterexample(
        bound, CLAIMS[bound], odds, prior, rate, tosses, _as_float(left), _as_float(right)
    )


def _as_float(value: Any) -> float:
    return float(Fraction(str(value.exact))) if value.exact is not None else float(value.ball)


def _power(number: int) -> str:
    """A number of many digits as a power of ten."""
    return str(number) if number < 10**9 else f"about 1e{len(str(number)) - 1}"
