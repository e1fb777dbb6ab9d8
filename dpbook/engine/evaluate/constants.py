"""Rational bounds of named constants: computed by Arb, rounded outwards, never typed in."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import sympy
from flint import arb, ctx

_NAMED: dict[sympy.Basic, Callable[[], arb]] = {
    sympy.pi: arb.pi,
    sympy.E: arb.const_e,
    sympy.EulerGamma: arb.const_euler,
    sympy.Catalan: arb.const_catalan,
}


def enclosed(ball: arb, digits: int) -> tuple[Fraction, Fraction]:
    """Return decimal fractions of `digits` places, the first below a ball and the second above it.

    Raises
    ------
    ValueError
        When the ball is not finite.
    """
    if not ball.is_finite():
        raise ValueError(f"the ball must be finite, got {ball}")
    scale = 10**digits
    low, high = (_dyadic(end) * scale for end in (ball.lower(), ball.upper()))
    return Fraction(low.__floor__(), scale), Fraction(high.__ceil__(), scale)


def _dyadic(end: arb) -> Fraction:
    mantissa, exponent = (int(part) for part in end.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


@lru_cache(maxsize=64)
def bounds_of(constant: sympy.Expr, digits: int = 20) -> tuple[Fraction, Fraction] | None:
    """Return rational bounds of a named constant, None for anything else.

    The ends lie strictly below and above it: the constants here are no decimal fractions (of
    Euler's and Catalan's that is not known, but their first 20 digits tell it).
    """
    ball = _NAMED.get(constant)
    if ball is None:
        return None
    with ctx.workprec(4 * digits + 64):
        return enclosed(ball(), digits)


def of_ball(make: Callable[[], arb], digits: int) -> tuple[int, int, int]:
    """Return (low, high, scale): integers with ``low / scale <= the number <= high / scale``."""
    with ctx.workprec(4 * digits + 64):
        low, high = enclosed(make(), digits)
    scale = 10**digits
    return int(low * scale), int(high * scale), scale
