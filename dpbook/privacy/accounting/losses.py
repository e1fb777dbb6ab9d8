"""The losses of Laplace noise and of finitely many outcomes, as factors of a contour integral (see `line`)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import NDArray

from dpbook.privacy.accounting.contour import (
    _cumulant,
    _curvature,
    _inverse,
    _shares,
    _slope,
    _turns,
    _value,
    _variance,
)
from dpbook.privacy.accounting.enclosure import ball

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]

_U = 2.0**-53


@dataclass(frozen=True)
class LaplaceLoss:
    """The loss of one release of Laplace noise, the same in both directions.

    Attributes
    ----------
    loss : Fraction
        sensitivity / scale, > 0.
    """

    loss: Fraction

    @property
    def most(self) -> arb | None:
        """The largest loss."""
        return ball(self.loss)

    def moments(self, c: float) -> tuple[float, float, float]:
        """K(c), K'(c) and K''(c), about."""
        one = [(float(self.loss), 1.0)]
        return _value(one, 0.0, c), _slope(one, 0.0, c), _curvature(one, 0.0, c)

    def cumulant(self, c: arb) -> arb:
        """K(c), in a ball."""
        return _cumulant(((self.loss, 1),), arb(0), c)

    def far(self, c: float, t: float) -> tuple[float, float]:
        """About the log of the bound on |r(s)|, s >= t."""
        return min(float(self.grid(c, t, 1).log_far(t)), 0.0), 0.0

    def grid(self, c: float, t: float, times: int) -> LaplaceNodes:
        """The factor on the line Re z = c."""
        return LaplaceNodes(self, c)


class LaplaceNodes:
    """r(t) = A E (1 + 1/w) + B conj(E) (1 - 1/w) on one line: see `contour`."""

    center = 0.0

    def __init__(self, loss: LaplaceLoss, c: float) -> None:
        self.loss, self.c = loss.loss, c
        self.known = 1e-100 < float(loss.loss) < 1e100
        if not self.known:
            return
        self.w = 2 * arb(c) + 1
        self.a, self.b = _shares(loss.loss, arb(c))
        self.log_peak = loss.cumulant(arb(c))

    def log_far(self, t: float) -> arb:
        """An upper bound of log |r(s)| for all s >= t: the near bound up to its end, the far bound beyond."""
        a, b, w = self.a, self.b, self.w
        turn = (arb.pi() / (2 * ball(self.loss))).lower()
        at = arb(t) if arb(t) > turn else turn
        s = 4 * at * at
        plus, minus, all_ = ((w + 1) ** 2 + s).sqrt(), ((w - 1) ** 2 + s).sqrt(), (w * w + s).sqrt()
        if a * (2 * w + 1) * minus >= b * (2 * w - 1) * plus:
            share = (a * plus + b * minus) / all_
        else:
            share = a * (1 + 1 / (2 * at)) + b
        if arb(t) < turn:
            variance = _variance(ball(self.loss), w)
            near = arb(1)
            if variance > 0:
                near = (-2 * variance.lower() * arb(t) ** 2 / arb.pi() ** 2).exp()
            share = share.max(near)
        return share.upper().min(arb(1)).log()

    def excess(self, t: Reals) -> tuple[Complexes, Reals]:
        """Give r - 1 at the nodes m t[1], and the bounds of the errors."""
        turns, eta = _turns(arb(float(t[1])) * ball(self.loss), t.size - 1)
        inverse = _inverse(2 * self.c + 1, 2 * t)
        ratio = float(self.a) * (turns * (1 + inverse))
        ratio += float(self.b) * (turns.conj() * (1 - inverse))
        return ratio - 1, np.full(t.size, 2 * eta + 32 * _U)
