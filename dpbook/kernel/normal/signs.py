"""The possible signs of a number, as a set of bits, and the signs of the numbers in an interval."""

from __future__ import annotations

from functools import cache

from dpbook.kernel import enclosure
from dpbook.kernel.enclosure import Interval

NEGATIVE, NULL, POSITIVE = 1, 2, 4
ANY, NONNEGATIVE, NONPOSITIVE, NONZERO = 7, 6, 3, 5
ALLOWED = {
    ">": POSITIVE,
    ">=": NONNEGATIVE,
    "<": NEGATIVE,
    "<=": NONPOSITIVE,
    "==": NULL,
    "!=": NONZERO,
}


def flip(sign: int) -> int:
    """Return the signs of -x."""
    return sign & NULL | (sign & POSITIVE) >> 2 | (sign & NEGATIVE) << 2


@cache
def both(a: int, b: int) -> int:
    """Return the signs of a product."""
    result = NULL if (a | b) & NULL else 0
    if a & POSITIVE and b & POSITIVE or a & NEGATIVE and b & NEGATIVE:
        result |= POSITIVE
    if a & POSITIVE and b & NEGATIVE or a & NEGATIVE and b & POSITIVE:
        result |= NEGATIVE
    return result


def sign_of(i: Interval) -> int:
    """Return what signs a number in an interval may have."""
    sign = ANY
    if i.low is not None and (i.low > 0 or (i.low == 0 and i.low_open)):
        sign &= POSITIVE
    elif i.low == 0:
        sign &= NONNEGATIVE
    if i.high is not None and (i.high < 0 or (i.high == 0 and i.high_open)):
        sign &= NEGATIVE
    elif i.high == 0:
        sign &= NONPOSITIVE
    return sign or NULL


_INTERVALS = {
    POSITIVE: enclosure.POSITIVE,
    NONNEGATIVE: enclosure.NONNEGATIVE,
    NEGATIVE: enclosure.negate(enclosure.POSITIVE),
    NONPOSITIVE: enclosure.negate(enclosure.NONNEGATIVE),
    NULL: enclosure.ZERO,
}


def interval_of_sign(sign: int) -> Interval | None:
    """Return the interval of the numbers with a sign, if these numbers are an interval."""
    return _INTERVALS.get(sign)
