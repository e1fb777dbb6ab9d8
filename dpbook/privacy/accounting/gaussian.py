"""The Gaussian mechanism: epsilon and delta to two adjacent doubles.

With mu = sensitivity / sigma, a = epsilon / mu - mu / 2 and b = epsilon / mu + mu / 2,

    delta = Phi(-a) - e^epsilon Phi(-b) = e^(-a^2 / 2) (erfcx(a / sqrt 2) - erfcx(b / sqrt 2)) / 2

(Balle and Wang 2018, theorem 8). All of it is done in balls (Arb): a rounding, a loss of digits in the
difference or a cut of a series widens the ball, so a comparison that holds of balls is a proof. Floats
only propose where to look.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from flint import arb, ctx
from scipy.special import erfc, erfcx, ndtri

from dpbook.privacy.accounting.enclosure import (
    Enclosure,
    ball,
    delta_enclosure,
    nonnegative,
    probability,
    round_down,
    round_up,
    square,
)

NEVER_PURE = "with Gaussian noise every epsilon has a delta above 0"
_METHOD = "closed form in balls"
_MOST_BITS = 8192  # the precision grows until the answer is sharp, at most to this


def gaussian_delta(epsilon: Any, sigma: Any, sensitivity: Any = 1.0) -> Enclosure:
    """Enclose the smallest delta for which Gaussian noise is (epsilon, delta)-private.

    Parameters
    ----------
    epsilon : number
        At least 0.
    sigma : number
        Standard deviation of the noise, > 0, in the units of the query.
    sensitivity : number
        The most by which the query moves between neighbours, >= 0, in the same units.

    Returns
    -------
    Enclosure
        Two adjacent doubles with the truth between them, of delta and of its logarithm. It is the delta of
        either order of the two neighbours: the pair is symmetric.

    Raises
    ------
    ValueError
        An argument outside its range, or not a rational number or a float.

    Notes
    -----
    A float is read as the double that it is, and an int, a Fraction or a SymPy Rational exactly.
    Source: Balle and Wang, Improving the Gaussian mechanism (2018), theorem 8.

    Examples
    --------
    >>> gaussian_delta(1, sigma=1)
    Enclosure(lower=0.126936, upper=0.126937, width=3e-17)
    """
    at = nonnegative("epsilon", epsilon)
    mu_squared = nonnegative("sensitivity", sensitivity) ** 2 / square("sigma", sigma)
    return delta_of_gaussian(at, mu_squared)


def gaussian_epsilon(delta: Any, sigma: Any, sensitivity: Any = 1.0) -> Enclosure:
    """Enclose the smallest epsilon for which Gaussian noise is (epsilon, delta)-private.

    Parameters
    ----------
    delta : number
        In (0, 1).
    sigma, sensitivity : number
        As in `gaussian_delta`.

    Returns
    -------
    Enclosure
        Two adjacent doubles with the truth between them; [0, 0] when delta is at least the delta at
        epsilon = 0. An epsilon beyond the doubles has the upper end infinity.

    Raises
    ------
    ValueError
        An argument outside its range, or not a rational number or a float.

    Notes
    -----
    Floats propose an epsilon, a Newton step in balls refines it; then two signs in balls prove that
    delta is at least the one asked for at the lower end and at most it at the upper end. Delta
    decreases in epsilon, so the answer lies between.

    Examples
    --------
    >>> gaussian_epsilon(1e-6, sigma=2)
    Enclosure(lower=2.25408, upper=2.25409, width=5e-16)
    """
    target = probability(delta, NEVER_PURE)
    mu_squared = nonnegative("sensitivity", sensitivity) ** 2 / square("sigma", sigma)
    return epsilon_of_gaussian(target, mu_squared)


def delta_of_gaussian(epsilon: Fraction, mu_squared: Fraction) -> Enclosure:
    """Enclose delta for exact numbers; `mu_squared` is (sensitivity / sigma)^2, over all releases."""
    if mu_squared == 0:
        return Enclosure(0.0, 0.0, -math.inf, -math.inf, "delta", method=_METHOD)
    bits = 120 + 2 * max(0, epsilon.numerator.bit_length() - epsilon.denominator.bit_length())
    while True:
        with ctx.workprec(bits):
            value, log, _ = _delta(ball(epsilon), ball(mu_squared).sqrt())
            if value.is_finite() and (value > 0 or bits >= _MOST_BITS):
                found = delta_enclosure(value, _METHOD, log if log.is_finite() else None)
                if _adjacent(found) or bits >= _MOST_BITS:
                    return found
            elif bits >= _MOST_BITS:
                return Enclosure(0.0, 1.0, -math.inf, 0.0, "delta", method=_METHOD)
        bits *= 2


def epsilon_of_gaussian(target: Fraction, mu_squared: Fraction) -> Enclosure:
    """Enclose epsilon for exact numbers."""
    if mu_squared == 0:
        return Enclosure(0.0, 0.0, method=_METHOD)
    start = _float_start(target, mu_squared)
    bits = 128
    guess: arb | None = None
    while bits <= _MOST_BITS:
        with ctx.workprec(bits):
            wanted, mu = ball(target), ball(mu_squared).sqrt()
            unsettled = guess is None or start is None
            if unsettled and (mu / arb(8).sqrt()).erf() <= wanted:
                return Enclosure(0.0, 0.0, method=_METHOD)
            if guess is None:
                tail = (wanted.log() * -2).sqrt() if start is None else arb(start)
                guess = mu * (tail + mu / 2)
            for _ in range(8 if start is None else 1):
                guess = _newton(guess.mid(), mu, wanted)
            found = _certified(guess, mu, wanted)
            if found is not None:
                return found
        bits += bits // 2
    # the sure bound delta <= Phi(-a) <= e^(-a^2 / 2): wide, but valid
    with ctx.workprec(128):
        mu = ball(mu_squared).sqrt()
        return Enclosure(
            0.0, round_up(mu * ((ball(target).log() * -2).sqrt() + mu / 2)), method="tail bound"
        )


def _delta(epsilon: arb, mu: arb) -> tuple[arb, arb, arb]:
    """Balls of delta, of its logarithm and of its slope in epsilon, -e^epsilon Phi(-b)."""
    root = arb(2).sqrt()
    a, b = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    far, square_ = scaled_erfc(b / root), a * a / 2
    scale = (-square_).exp() / 2
    slope = -scale * far
    if a > 0:
        bracket = scaled_erfc(a / root) - far
        return scale * bracket, (bracket / 2).log() - square_, slope
    missing = (-a / root).erfc() / 2 - slope
    return 1 - missing, (-missing).log1p(), slope


def scaled_erfc(x: arb) -> arb:
    """e^(x^2) erfc(x); Arb's erfc loses an inexact argument that is large, U(1/2, 1/2, x^2) does not."""
    square_ = x * x
    if x > 100:
        return square_.hypgeom_u(arb(0.5), arb(0.5)) / arb.pi().sqrt()
    return square_.exp() * x.erfc()


def _adjacent(found: Enclosure) -> bool:
    low, high = found.log_lower or 0.0, found.log_upper or 0.0
    return found.upper <= math.nextafter(found.lower, math.inf) and (
        high <= math.nextafter(low, math.inf)
    )


def _newton(epsilon: arb, mu: arb, wanted: arb) -> arb:
    """Make a Newton step on log(delta); it is no more than a proposal, so its error is dropped."""
    value, log, slope = _delta(epsilon, mu)
    step = (log - wanted.log()) * value / slope
    better = (epsilon - step).mid() if step.is_finite() else epsilon
    if better > 0:
        return better
    value, _, slope = _delta(arb(0), mu)  # the truth is close to 0: start there
    better = ((wanted - value) / slope).mid()
    return better if better > 0 else epsilon / 2


def _certified(guess: arb, mu: arb, wanted: arb) -> Enclosure | None:
    """The adjacent doubles around the guess, if the signs there prove that they hold the truth."""
    low = max(0.0, round_down(guess))
    for _ in range(3):
        high = math.nextafter(low, math.inf)
        if low > 0:
            value = _delta(arb(low), mu)[0]
            if value < wanted:
                low = math.nextafter(low, 0.0)
                continue
            if not value >= wanted:
                return None
        elif not (mu / arb(8).sqrt()).erf() >= wanted:
            return None
        if math.isinf(high):
            return Enclosure(low, high, method=_METHOD)
        value = _delta(arb(high), mu)[0]
        if value <= wanted:
            return Enclosure(low, high, method=_METHOD)
        if not value > wanted:
            return None
        low = high
    return None


def _float_start(target: Fraction, mu_squared: Fraction) -> float | None:
    """Newton in doubles for a, from the right, where delta < Phi(-a); None where doubles do not reach."""
    try:
        mu, delta, rest = math.sqrt(mu_squared), float(target), float(1 - target)
    except OverflowError:
        return None
    if not (1e-100 < mu < 1e100 and delta > 1e-307 and rest > 0):
        return None
    root = math.sqrt(2)
    wanted = math.log(delta) if delta < 0.5 else math.log1p(-rest)
    a = -float(ndtri(delta)) if delta < 0.5 else float(ndtri(rest))
    for _ in range(100):
        far = float(erfcx((a + mu) / root))
        if a > 0:
            if mu < 1e-4:  # the difference would cancel
                middle = (a + mu / 2) / root
                near = far + mu * root * (1 / math.sqrt(math.pi) - middle * float(erfcx(middle)))
            else:
                near = float(erfcx(a / root))
            if not near > far:
                return None
            log, slope = math.log((near - far) / 2) - a * a / 2, -mu * far / (near - far)
        else:
            scale = math.exp(-a * a / 2) / 2
            missing = float(erfc(-a / root)) / 2 + scale * far
            if not missing < 1:
                return None
            log, slope = math.log1p(-missing), -mu * scale * far / (1 - missing)
        if slope == 0:
            return None
        step = (log - wanted) / slope
        if not math.isfinite(step):
            return None
        a = max(a - step, -mu / 2)
        if abs(step) <= 1e-9 * max(1e-3, abs(a)):  # the next step would be below rounding
            return a if a > -mu / 2 else None
    return None
