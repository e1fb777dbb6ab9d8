"""The least noise, the most steps or the largest rate that a budget of epsilon and delta allows."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpbook.privacy.accounting.composition import Composition
from dpbook.privacy.accounting.enclosure import nonnegative, positive, probability

_CLOSE = 1e-9  # of the end that is returned, relative
_MOST_CALLS = 200


def calibrate(
    make: Callable[[Any], Composition],
    epsilon: Any,
    delta: Any,
    *,
    between: tuple[Any, Any],
    whole: bool = False,
) -> float | int:
    """Return the parameter of a composition that a budget just allows: it is certified not to exceed the budget.

    The composition is made some dozen times; a rate or noise at which one composition takes long, such as a tiny rate, makes
    that long as well.

    Parameters
    ----------
    make : callable
        From a number to a `Composition` that has it for a standard deviation, a number of steps or a rate.
    epsilon : number
        >= 0.
    delta : number
        In (0, 1).
    between : pair of numbers > 0
        Where to look. The budget must allow one end and not the other; delta must be monotone between them.
    whole : bool
        Whether the parameter is an integer, as a number of steps is.

    Returns
    -------
    float or int
        At it the upper end of delta at `epsilon` is at most `delta`; at a number 1e-9 (relative) or 1 (whole) beyond it is not.
        The upper end of epsilon at `delta` may be above `epsilon` in the last digits of a double.

    Raises
    ------
    ValueError
        An argument outside its range, a `make` that makes no Composition, or a budget that allows both ends or neither.

    Examples
    --------
    >>> from dpbook.privacy import Normal, PoissonSampled, compose
    >>> run = lambda noise: compose(PoissonSampled(Normal(0, noise), rate=0.01), 1000)
    >>> round(calibrate(run, epsilon=2, delta=1e-5, between=(0.5, 5)), 6)
    0.959102
    >>> run = lambda steps: compose(PoissonSampled(Normal(0, 1), rate=0.01), steps)
    >>> calibrate(run, epsilon=2, delta=1e-5, between=(1, 10**6), whole=True)
    1202
    """
    at, target = nonnegative("epsilon", epsilon), probability(delta)
    if not callable(make):
        raise ValueError(f"make must be a function of one number, got {make!r}")
    try:
        first, second = between
    except (TypeError, ValueError):
        raise ValueError(f"between must be a pair of numbers, got {between!r}") from None
    ends = [positive("between", end) for end in (first, second)]
    if whole and any(end.denominator != 1 for end in ends):
        raise ValueError(f"between must be integers when whole, got {between!r}")
    if ends[0] == ends[1]:
        raise ValueError(f"between must be two different numbers, got {between!r}")

    def excess(value: float | int) -> float:
        """The log of delta's upper end over the target; at most 0 where the budget allows the value."""
        try:
            composed = make(value)
        except TypeError as error:
            raise ValueError(f"make must be a function of one number, got {error}") from error
        if not isinstance(composed, Composition):
            raise ValueError(f"make must return a Composition, got {composed!r}")
        upper = composed.delta(at).upper
        if Fraction(upper) <= target:
            return min(math.log(upper / float(target)), 0.0) if upper > 1e-300 else -700.0
        return max(math.log(upper / float(target)), 5e-17)

    points = [int(end) if whole else float(end) for end in ends]
    values = [excess(point) for point in points]
    if (values[0] <= 0) == (values[1] <= 0):
        words = "both ends" if values[0] <= 0 else "neither end"
        raise ValueError(
            f"the budget must allow one end of between, it allows {words} of {between!r}"
        )
    side = 0 if values[0] <= 0 else 1
    good, bad = points[side], points[1 - side]
    slack, over = values[side], values[1 - side]
    stalled = 0
    for _ in range(_MOST_CALLS):
        if abs(good - bad) <= (1 if whole else _CLOSE * abs(good)):
            break
        # a secant in logarithms, a little towards the good end; halves where it stalls
        share = slack / (slack - over) if stalled < 2 else 0.5
        share = min(max(share, 1e-3), 1 - 1e-3)
        middle: float | int = math.exp(math.log(good) + share * (math.log(bad) - math.log(good)))
        if whole:
            middle = min(max(round(middle), min(good, bad) + 1), max(good, bad) - 1)
        elif middle in (good, bad):
            break
        value = excess(middle)
        if value <= 0:
            stalled = stalled + 1 if abs(middle - good) < 0.1 * abs(good - bad) else 0
            good, slack = middle, value
            over = over / 2 if stalled else over
        else:
            stalled = stalled + 1 if abs(middle - bad) < 0.1 * abs(good - bad) else 0
            bad, over = middle, value
            slack = slack / 2 if stalled else slack
    return good
