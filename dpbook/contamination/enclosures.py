"""Eta of Algorithm 1 enclosed in balls: both suprema, over all records and the whole box.

For Gaussian records and a Student t (a Cauchy is one), in standard deviations from theta*. For a
fixed record u, exp(u t - t**2 / 2) rises in t up to u and falls from there. So over the box from
-a to a the infimum of d is at an end, and the supremum at the end that is nearer to u or, where
abs(u) < a, at t = u. What is left is one record: intervals of records are halved until the largest
ball that may hold the supremum is narrow. Beyond some record d falls towards 1 in a straight way.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx

from dpbook.contamination.estimator import CONDITION
from dpbook.contamination.models.densities import CauchyDensity, StudentTDensity
from dpbook.contamination.models.likelihoods import Normal
from dpbook.contamination.settings import Setting
from dpbook.engine.language.card import Described
from dpbook.privacy.accounting.enclosure import round_down, round_up
from dpbook.privacy.reading import number

__all__ = ["EtaEnclosure", "enclose_eta"]

BITS = 64
MOST = 200_000  # intervals


@dataclass(frozen=True)
class EtaEnclosure(Described):
    """Log eta between two doubles.

    Attributes
    ----------
    lower, upper : float
    phi : float
        Half the width of the box.
    intervals : int
        Intervals of records that were looked at.

    Examples
    --------
    >>> from dpbook.contamination import enclose_eta
    >>> from dpbook.contamination.settings import private_mean
    >>> found = enclose_eta(private_mean(1000), 2.0)
    >>> found.lower < found.upper
    True
    """

    lower: float
    upper: float
    phi: float
    intervals: int

    def __repr__(self) -> str:
        return (
            f"EtaEnclosure({self.lower:.8g} <= log eta <= {self.upper:.8g}, phi={self.phi:.4g}, "
            f"intervals={self.intervals}; what it bounds is {CONDITION})"
        )

    def describe(self) -> str:
        """Return the enclosure in words."""
        return (
            f"Over all records and the box of half width {self.phi:.4g} log eta lies between "
            f"{self.lower:.8g} and {self.upper:.8g}, by {self.intervals} intervals of records. "
            f"The epsilon that it is part of is {CONDITION}."
        )


def enclose_eta(setting: Setting, phi: float, *, width: float = 1e-6) -> EtaEnclosure:
    """Enclose log eta of Algorithm 1, line 9, on the box around theta*.

    Parameters
    ----------
    setting : Setting
        Of Gaussian records and a Student t or Cauchy density.
    phi : float
        Half the width of the box, > 0.
    width : float
        Of the enclosure, > 0: where halving ends.

    Returns
    -------
    EtaEnclosure

    Raises
    ------
    ValueError
        Another model, a number out of its range, or a width that 200 000 intervals do not reach.

    Examples
    --------
    >>> from dpbook.contamination.settings import private_mean
    >>> found = enclose_eta(private_mean(1000), 2.0)
    >>> found.upper - found.lower < 3e-6
    True
    """
    likelihood, density = setting.likelihood, setting.density
    # a class that is derived from one of these may have another density
    if type(likelihood) is not Normal or type(density) not in (StudentTDensity, CauchyDensity):
        raise ValueError(
            "eta is enclosed for Normal records and a Student t or Cauchy density, got "
            f"{type(likelihood).__name__} and {type(density).__name__}"
        )
    phi = number("phi", phi, "> 0 and finite")
    width = number("width", width, "> 0 and finite")
    with ctx.workprec(BITS):
        found = _Eta(setting, phi).enclosed(width)
    return EtaEnclosure(found[0], found[1], phi, found[2])


class _Eta:
    """Log d as balls, for intervals of records."""

    def __init__(self, setting: Setting, phi: float) -> None:
        density: Any = setting.density
        sd = arb(setting.likelihood.scale)
        self.df = arb(1 if isinstance(density, CauchyDensity) else density.df)
        self.half = (self.df + 1) / 2
        self.centre = (arb(density.centre) - arb(setting.theta)) / sd
        self.scale = arb(density.scale) / sd
        self.a = arb(phi) / sd
        rate = arb(setting.rate)
        constant = (self.half.gamma() / (self.df / 2).gamma()) / (self.df * arb.pi()).sqrt()
        # (1 - p) f / (p g) at the centre of g
        self.odds = (1 - rate) / rate * self.scale / constant / (2 * arb.pi()).sqrt()
        # from here on w exp(u a) falls: the derivative of its logarithm is below
        # (df + 1) / (2 sqrt(df) scale) - (u - a)
        edge = self.half / self.df.sqrt() / self.scale + self.a + abs(self.centre) + 10
        self.reach = float(edge.upper()) + 1.0

    def w(self, u: arb) -> arb:
        v = (u - self.centre) / self.scale
        return self.odds * (-(u * u) / 2).exp() * (1 + v * v / self.df) ** self.half

    def log_d(self, u: arb, t: arb) -> arb:
        """Log d(u; t) where t may be an interval: 1 + w / (1 + w) (exp(u t - t**2 / 2) - 1)."""
        kept = 1 - 1 / (1 + self.w(u))
        return (kept * (u * t - t * t / 2).expm1()).log1p()

    def interior(self, u: arb) -> arb:
        """Log d(u; u): the supremum over the box of a record within it."""
        kept = 1 - 1 / (1 + self.w(u))
        return (kept * (u * u / 2).expm1()).log1p()

    def enclosed(self, width: float) -> tuple[float, float, int]:
        a = self.a
        reach, edge = self.reach, float(a.upper())
        up = [
            (lambda u: self.log_d(u, a), -reach, reach),
            (lambda u: self.log_d(u, -a), -reach, reach),
            (self.interior, -edge, edge),
        ]
        down = [
            (lambda u: -self.log_d(u, a), -reach, reach),
            (lambda u: -self.log_d(u, -a), -reach, reach),
        ]
        # farther out abs(log d) is at most log(1 + w exp(abs(u) a)), which falls
        far = arb(reach)
        tail = max(float((self.w(u) * (far * a).exp()).log1p().upper()) for u in (far, -far))
        first, second = _supremum(up, width, tail), _supremum(down, width, tail)
        return (
            round_down(arb(first[0]) + arb(second[0])),
            round_up(arb(first[1]) + arb(second[1])),
            first[2] + second[2],
        )


def _interval(low: float, high: float) -> arb:
    return arb(low).union(arb(high))


def _supremum(
    pieces: list[tuple[Callable[[arb], arb], float, float]], width: float, tail: float
) -> tuple[float, float, int]:
    """Enclose the supremum of functions on intervals; elsewhere they are at most `tail`.

    It is at least 0, the limit far away.
    """
    order, queue = itertools.count(), []
    lower = 0.0
    for function, low, high in pieces:
        queue.append((-math.inf, next(order), function, low, high))
    looked = 0
    while queue:
        bound = -queue[0][0]
        if bound <= lower + width:
            return lower, max(bound, lower, tail), looked
        _, _, function, low, high = heapq.heappop(queue)
        middle = 0.5 * (low + high)
        value = function(arb(middle))
        if value.is_finite():
            lower = max(lower, float(value.lower()))
        for left, right in ((low, middle), (middle, high)):
            looked += 1
            if looked > MOST:
                raise ValueError(f"width must be larger, {MOST} intervals do not reach {width:g}")
            ball = function(_interval(left, right))
            most = float(ball.upper()) if ball.is_finite() else math.inf
            heapq.heappush(queue, (-most, next(order), function, left, right))
    return lower, max(lower, tail), looked
