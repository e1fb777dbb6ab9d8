"""Rational enclosures: intervals that hold the value of a function, with directed rounding.

Every number is a `Fraction`. Inside, series are summed on integers that stand for m / 2**scale,
once rounded down and once rounded up, so that no error has to be counted. An end is *open* when it
is known that the value does not reach it: this is what makes a strict sign. Rounding outward moves
an end strictly away, and so opens it.

A result holds the value for every argument in the given intervals. It may be wide (large
arguments, little time), never wrong. Where an interval holds a point at which the function is
undefined, the result is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product as product_of
from typing import NamedTuple

from dpbook.kernel.rationals import Rational

FAR = 1 << 19  # ends lie between 2**-FAR and 2**FAR in size, or are 0 or infinite
LIMIT = 1 << 14  # bits of an argument, and its size for all functions but log
LONGEST_EXPONENT = 1024  # bits of a whole exponent
MOST_BITS = 1024  # a greater precision is lowered to this one


Bound = Fraction | None  # an end of an interval; None: it is infinite


class _Ends(NamedTuple):
    low: Bound
    high: Bound
    low_open: bool
    high_open: bool


class Interval(_Ends):
    """An interval of real numbers; None as an end is infinite, and open."""

    __slots__ = ()

    def __new__(
        cls, low: Bound, high: Bound, low_open: bool = False, high_open: bool = False
    ) -> Interval:
        """Return an interval that holds a number, and not oo."""
        if low is None or high is None:
            wrong = (low is None and not low_open) or (high is None and not high_open)
        else:
            wrong = low > high or ((low_open or high_open) and low == high)
        if wrong:
            raise ValueError(f"an interval must hold a number and not oo, got {low} to {high}")
        return tuple.__new__(cls, (low, high, low_open, high_open))

    def contains(self, value: Fraction) -> bool:
        return _inside(point(value), self)

    @property
    def positive(self) -> bool:
        return self.low is not None and (self.low > 0 or (self.low == 0 and self.low_open))

    @property
    def nonnegative(self) -> bool:
        return self.low is not None and self.low >= 0


End = tuple[Bound, bool]  # the value, and whether it is open
Ends = tuple[End, End]
Pair = tuple[int, int]  # a lower and an upper bound, both times 2**scale
Point = Callable[[Fraction, int], Interval]
Unary = Callable[[Interval, int], Interval | None]
Function = Callable[[Sequence[Interval], int], Interval | None]


def point(value: Fraction | int) -> Interval:
    """The interval that holds one number."""
    return Interval(Rational(value), Rational(value))


ZERO, ONE, HALF = point(0), point(1), Rational(1, 2)
REALS = Interval(None, None, True, True)
POSITIVE = Interval(Rational(0), None, True, True)
NONNEGATIVE = Interval(Rational(0), None, False, True)


# --- rounding ----------------------------------------------------------------------------------------


def _short(x: Fraction, bits: int, far: int = FAR) -> bool:
    """Return whether a number is kept as it is: a fraction or a dyadic number of few digits."""
    d = x.denominator
    length = d.bit_length()
    return x.numerator.bit_length() <= bits and (
        length <= bits or (length <= far and not d & (d - 1))
    )


def _down(x: Fraction, bits: int, far: int = FAR) -> Fraction | None:
    """A number of bounded size that is at most x; None: no bound."""
    size = x.numerator.bit_length() - x.denominator.bit_length()  # 2**(size-1) < |x| < 2**(size+1)
    if size > far:
        return Rational(1 << far) if x > 0 else None
    if size < -far:
        return Rational(0) if x > 0 else Rational(-1, 1 << far)
    return _dyadic(_floor(x, bits - size - 1), bits - size - 1)


def _floor(x: Fraction, scale: int) -> int:
    """The floor of x * 2**scale."""
    if scale >= 0:
        return (x.numerator << scale) // x.denominator
    return x.numerator // (x.denominator << -scale)


def _dyadic(mantissa: int, scale: int) -> Fraction:
    return Rational(mantissa, 1 << scale) if scale >= 0 else Rational(mantissa << -scale)


def _rounded(low: End, high: End, bits: int, far: int = FAR) -> Interval:
    """The interval of two ends, moved outward to at most `bits` bits; a moved end is open."""
    (lower, low_open), (upper, high_open) = low, high
    if lower is not None and not _short(lower, bits, far):
        lower = _down(lower, bits, far)
        low_open = low_open or lower != low[0]
    if upper is not None and not _short(upper, bits, far):
        below = _down(-upper, bits, far)
        upper = None if below is None else -below
        high_open = high_open or upper != high[0]
    return Interval(lower, upper, low_open, high_open)


def _around(pair: Pair, scale: int, bits: int) -> Interval:
    """Return the interval between the bounds of a pair, one unit wider on both sides: open ends."""
    low, high = pair[0] - 1, pair[1] + 1
    drop = max(0, max(low.bit_length(), high.bit_length()) - bits)
    low, high, scale = low >> drop, -(-high >> drop), scale - drop
    return Interval(_dyadic(low, scale), _dyadic(high, scale), True, True)


def _inside(u: Interval, domain: Interval) -> bool:
    """Return whether every number of u lies in the domain."""
    return intersect(u, domain) == u


# --- arithmetic --------------------------------------------------------------------------------------


def negate(u: Interval) -> Interval:
    """The interval of all -x, x in u."""
    low = None if u.high is None else -u.high
    high = None if u.low is None else -u.low
    return Interval(low, high, u.high_open, u.low_open)


def scaled(u: Interval, factor: Fraction, bits: int = 64) -> Interval:
    """The product with a number that is not 0."""
    low = None if u.low is None else u.low * factor, u.low_open
    high = None if u.high is None else u.high * factor, u.high_open
    return _rounded(low, high, bits) if factor > 0 else _rounded(high, low, bits)


def add(u: Interval, v: Interval, bits: int = 64) -> Interval:
    """The sum; a sum of ends is attained when both are."""
    low = None if u.low is None or v.low is None else u.low + v.low
    high = None if u.high is None or v.high is None else u.high + v.high
    return _rounded((low, u.low_open or v.low_open), (high, u.high_open or v.high_open), bits)


def subtract(u: Interval, v: Interval, bits: int = 64) -> Interval:
    """The difference."""
    return add(u, negate(v), bits)


def _product(u: Interval, v: Interval) -> Interval:
    """The product of u >= 0 and v >= 0.

    Both factors grow it. An end that is 0 is attained as soon as one of the factors attains it, for
    the other one is not empty; another end where both factors are at theirs. A factor with the high
    end 0 is 0, and 0 times anything is 0.
    """
    low = (u.low or 0) * (v.low or 0)
    zero = (u.low == 0 and not u.low_open) or (v.low == 0 and not v.low_open)
    if u.high == 0 or v.high == 0:
        return ZERO
    high = None if u.high is None or v.high is None else u.high * v.high
    low_open = (u.low_open or v.low_open) and not zero
    return Interval(Rational(low), high, low_open, u.high_open or v.high_open)


def multiply(u: Interval, v: Interval, bits: int = 64) -> Interval:
    """The product: of u, v >= 0; else of finite ends; else of the parts on both sides of 0.

    A product of finite intervals is greatest and least at corners. Elsewhere it has these values
    only where it is constant, that is 0 as a factor is: then that 0 is in a corner too.
    """
    if u.nonnegative and v.nonnegative:
        product = _product(u, v)
    elif None not in (u.low, u.high, v.low, v.high):
        corners: list[End] = []
        for (a, a_open), (b, b_open) in product_of((_low(u), _high(u)), (_low(v), _high(v))):
            zero = (a == 0 and not a_open) or (b == 0 and not b_open)
            corners.append(((a or 0) * (b or Rational(0)), (a_open or b_open) and not zero))
        return _rounded(_outermost(min, *corners), _outermost(max, *corners), bits)
    else:
        (above, below), (v_above, v_below) = _halves(u), _halves(v)
        same = [_product(a, b) for a, b in ((above, v_above), (below, v_below)) if a and b]
        other = [_product(a, b) for a, b in ((above, v_below), (below, v_above)) if a and b]
        product = reduce(hull, same + [negate(part) for part in other])
    return _rounded(_low(product), _high(product), bits)


def reciprocal(u: Interval, bits: int = 64) -> Interval | None:
    """1 / u, or None if 0 is in u."""
    if negate(u).positive:
        found = reciprocal(negate(u), bits)
        return None if found is None else negate(found)
    if not u.positive:
        return None
    low = Rational(0) if u.high is None else 1 / u.high
    return _rounded((low, u.high_open), (1 / u.low if u.low else None, u.low_open), bits)


def divide(u: Interval, v: Interval, bits: int = 64) -> Interval | None:
    """The quotient, or None if 0 is in v."""
    inverse = reciprocal(v, bits + 8)
    return None if inverse is None else multiply(u, inverse, bits)


def _outermost(extreme: Callable[[list[Fraction]], Fraction], *ends: End) -> End:
    """The greatest end (max), None being oo, or the least one (min), None being -oo.

    It is attained when one of the ends is that has its value.
    """
    values = [value for value, _ in ends if value is not None]
    if len(values) < len(ends):
        return None, True
    outermost = extreme(values)
    return outermost, all(is_open for value, is_open in ends if value == outermost)


def _low(u: Interval) -> End:
    return u.low, u.low_open


def _high(u: Interval) -> End:
    return u.high, u.high_open


def _inner_low(u: Interval, v: Interval) -> End:
    """The greater of two low ends; of equal ends, an open one."""
    if u.low is None or (v.low is not None and (v.low, v.low_open) > (u.low, u.low_open)):
        return _low(v)
    return _low(u)


def _inner_high(u: Interval, v: Interval) -> End:
    """The smaller of two high ends; of equal ends, an open one."""
    if u.high is None or (
        v.high is not None and (v.high, not v.high_open) < (u.high, not u.high_open)
    ):
        return _high(v)
    return _high(u)


def hull(u: Interval, v: Interval) -> Interval:
    """The smallest interval that holds both."""
    low, high = _outermost(min, _low(u), _low(v)), _outermost(max, _high(u), _high(v))
    return Interval(low[0], high[0], low[1], high[1])


def intersect(u: Interval, v: Interval) -> Interval | None:
    """Return the intersection of two intervals, or None if it is empty."""
    low, high = _inner_low(u, v), _inner_high(u, v)
    if low[0] is None or high[0] is None or low[0] < high[0]:
        return Interval(low[0], high[0], low[1], high[1])
    return None if low[0] > high[0] or low[1] or high[1] else Interval(low[0], high[0])


def _halves(u: Interval) -> tuple[Interval | None, Interval | None]:
    """The parts of u and of -u that are >= 0."""
    return (
        (u, None) if u.positive else (intersect(u, NONNEGATIVE), intersect(negate(u), NONNEGATIVE))
    )


def maximum(u: Interval, v: Interval) -> Interval:
    """The greater of the two; it reaches the greater low end only where both are at most that."""
    low, high = _inner_low(u, v), _outermost(max, _high(u), _high(v))
    return Interval(low[0], high[0], low[1], high[1])


def minimum(u: Interval, v: Interval) -> Interval:
    """The smaller of the two."""
    return negate(maximum(negate(u), negate(v)))


def absolute(u: Interval) -> Interval:
    """The absolute value."""
    return reduce(hull, [part for part in _halves(u) if part is not None])


def _integer_power(u: Interval, n: int, bits: int) -> Interval | None:
    """u**n: even powers of |u|, odd ones of both halves of u; u**0 is 1."""
    if abs(n).bit_length() > LONGEST_EXPONENT:
        return None
    work = bits + abs(n).bit_length() + 8
    if n < 0:
        inverse = reciprocal(u, work)
        return None if inverse is None else _integer_power(inverse, -n, bits)
    above, below = _halves(u if n % 2 else absolute(u))
    parts = [] if above is None else [_squared_up(above, n, work)]
    if n % 2 and below is not None:
        parts.append(negate(_squared_up(below, n, work)))
    result = reduce(hull, parts)
    return _rounded(_low(result), _high(result), bits)


def _squared_up(u: Interval, n: int, bits: int) -> Interval:
    """u**n for u >= 0 by repeated squaring."""
    power = ONE
    for digit in f"{n:b}":
        power = multiply(power, power, bits)
        if digit == "1":
            power = multiply(power, u, bits)
    return power


def power(u: Interval, v: Interval, bits: int = 64) -> Interval | None:
    """u**v: v an integer, or u > 0, or u >= 0 and v > 0 (where 0**v is 0); u**0 is 1."""
    exponent = v.low if v.low == v.high else None
    if exponent is not None and exponent.denominator == 1:
        return _integer_power(u, exponent.numerator, bits)
    if not (u.positive or (u.nonnegative and v.positive)):
        return None
    if exponent is not None and exponent.denominator <= 32:
        base = _integer_power(u, exponent.numerator, bits + 8)
        return None if base is None else _root(exponent.denominator)(base, bits)
    above = intersect(u, POSITIVE)
    if above is None:
        return ZERO
    result = _of(_EXP, multiply(v, _of(_LOG, above, bits + 16), bits + 16), bits)
    return result if u.positive else hull(result, ZERO)


# --- sums on integers --------------------------------------------------------------------------------


def _times(a: Pair, b: Pair, scale: int) -> Pair:
    """The product of two pairs of nonnegative numbers."""
    return a[0] * b[0] >> scale, -(-a[1] * b[1] >> scale)


def _pair(x: Fraction, scale: int) -> Pair:
    low = _floor(x, scale)
    return low, low + 1


def _series(first: Pair, t: Pair, scale: int, ratio: Callable[[int], tuple[int, int]]) -> Pair:
    """The sum of T(0) + T(1) + ..., T(0) = first, T(n + 1) = T(n) t p/q, (p, q) = ratio(n), all >= 0.

    Once t p/q <= 3/4 it must stay so: this holds where p/q falls, and where p/q <= 1 and t <= 3/4.
    Then what follows T(n) is at most T(n) (3/4 + 9/16 + ...) = 3 T(n).
    """
    low = high = n = 0
    lower, upper = first
    while True:
        low += lower
        high += upper
        p, q = ratio(n)
        n += 1
        if upper <= 4 and 4 * t[1] * p <= 3 * q << scale:
            return low, high + 3 * upper
        lower = (lower * t[0] * p // q) >> scale
        upper = -((upper * t[1] * p // -q) >> scale)


@lru_cache(maxsize=256)
def _log_2(scale: int) -> Pair:
    """log(2) = 2 atanh(1/3) = 2 (z + z**3/3 + ...)."""
    ninth = _pair(Rational(1, 9), scale)
    return _series(_pair(Rational(2, 3), scale), ninth, scale, lambda n: (2 * n + 1, 2 * n + 3))


# --- values at a point -------------------------------------------------------------------------------


def _exp(x: Fraction, bits: int) -> Interval:
    """exp(x) = 2**k exp(r / 256)**256, 0 <= r = x - k log(2) < 1, by Taylor's series.

    Its terms are positive with ratios r / 256 / (n + 1) < 1/2. For |x| >= FAR the bounds are
    exp(x) > 2**x for x > 0 and exp(x) < 2**x for x < 0.
    """
    if x == 0:
        return ONE
    if abs(x) >= FAR:
        if x > 0:
            return Interval(Rational(1 << FAR), None, True, True)
        return Interval(Rational(0), Rational(1, 1 << FAR), True, True)
    scale = bits + 24 + (abs(x.numerator) // x.denominator).bit_length()
    low, high = _pair(x, scale)
    log_2 = _log_2(scale)
    outer, inner = (log_2[1], log_2[0]) if x > 0 else log_2
    k = low // outer  # so that r >= 0
    t = (low - k * outer) >> 8, -((k * inner - high) >> 8)
    total = _series((1 << scale, 1 << scale), t, scale, lambda n: (1, n + 1))
    for _ in range(8):
        total = _times(total, total, scale)
    return _around(total, scale - k, bits)


def _log(x: Fraction, bits: int) -> Interval:
    """log(x) = k log(2) + 2 atanh(z), z = (m - 1) / (m + 1), x = m 2**k, 2/3 <= m <= 4/3.

    atanh(z) = z + z**3 / 3 + ... with z**2 <= 1/25, so that the ratios of terms are below 1/2. For
    k = 0 the scale is that of z, which keeps the relative precision near x = 1.
    """
    if x == 1:
        return ZERO
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    n, d = (n, d << k) if k >= 0 else (n << -k, d)
    if 3 * n > 4 * d:
        k, d = k + 1, 2 * d
    elif 3 * n < 2 * d:
        k, n = k - 1, 2 * n
    top, bottom = n - d, n + d
    scale = bits + 16 + (abs(k).bit_length() if k else bottom.bit_length() - top.bit_length())
    low = (abs(top) << scale) // bottom
    z = low, low + 1
    total = _series(z, _times(z, z, scale), scale, lambda n: (2 * n + 1, 2 * n + 3))
    total = (2 * total[0], 2 * total[1]) if top >= 0 else (-2 * total[1], -2 * total[0])
    if k:
        log_2 = _log_2(scale)
        a, b = k * log_2[0], k * log_2[1]
        total = total[0] + min(a, b), total[1] + max(a, b)
    return _around(total, scale, bits)


def integer_root(n: int, q: int) -> int:
    """The floor of the q-th root, by Newton's steps down from above (math.isqrt for q = 2)."""
    if q == 2 or n < 2:
        return math.isqrt(n) if q == 2 else n
    root = 1 << -(-n.bit_length() // q)
    while True:
        step = ((q - 1) * root + n // root ** (q - 1)) // q
        if step >= root:
            return root
        root = step


def _root_at(q: int) -> Point:
    """x**(1/q), from r <= (x 2**(qs))**(1/q) < r + 1 for an integer r."""

    def value(x: Fraction, bits: int) -> Interval:
        n, d = x.numerator, x.denominator
        if max(n.bit_length(), d.bit_length()) <= q * bits:
            top, bottom = integer_root(n, q), integer_root(d, q)
            if top**q == n and bottom**q == d:
                return point(Rational(top, bottom))
        s = bits + 4 - (n.bit_length() - d.bit_length()) // q
        root = integer_root(_floor(x, q * s), q)
        return _around((root, root + 1), s, bits + 4)

    return value


def _atan(x: Fraction, bits: int) -> Interval:
    """atan(x) by Euler's series: x / (1 + x**2) times 1 + 2/3 y + 2/3 4/5 y**2 + ..., y = x**2 / (1 + x**2).

    For 0 <= x <= 1 the ratios of its terms are at most y <= 1/2. Beyond 1 it is pi/2 - atan(1/x).
    """
    if x <= 0:
        return ZERO if x == 0 else negate(_atan(-x, bits))
    if x > 1:
        return subtract(scaled(_pi(bits + 8), HALF, bits + 8), _atan(1 / x, bits + 8), bits)
    scale = bits + 16 + math.ceil(1 / x).bit_length()
    first, y = _pair(x / (1 + x * x), scale), _pair(x * x / (1 + x * x), scale)
    return _around(_series(first, y, scale, lambda n: (2 * n + 2, 2 * n + 3)), scale, bits)


@lru_cache(maxsize=64)
def _pi(bits: int) -> Interval:
    """Machin (1706): pi = 16 atan(1/5) - 4 atan(1/239)."""
    work = bits + 8
    first, second = (_atan(Rational(1, n), work) for n in (5, 239))
    return subtract(scaled(first, Rational(16), work), scaled(second, Rational(4), work), bits)


def _factorials(k: int) -> Callable[[int], tuple[int, int]]:
    return lambda n: (1, math.prod(range(4 * n + k, 4 * n + k + 4)))


def _circular(odd: int) -> Point:
    """Either sin (1) or cos (0) by Taylor's series: the positive and the negative terms are summed apart."""

    def value(x: Fraction, bits: int) -> Interval:
        if x <= 0:
            found = value(-x, bits) if x else point(1 - odd)
            return negate(found) if odd else found
        if x > 64:
            return _UNIT
        scale = bits + 16 + 2 * math.ceil(x) + math.ceil(1 / x).bit_length()
        fourth = _pair(x**4, scale)
        second = _pair(x ** (odd + 2) / (2 + 4 * odd), scale)
        plus = _series(_pair(x**odd, scale), fourth, scale, _factorials(odd + 1))
        minus = _series(second, fourth, scale, _factorials(odd + 3))
        return _around((plus[0] - minus[1], plus[1] - minus[0]), scale, bits)

    return value


def _erf(x: Fraction, bits: int) -> Interval:
    """erf(x): 2 x exp(-x**2) / sqrt(pi) times the sum of 2**n x**(2n) / (2n + 1)!! (DLMF 7.6.2); odd.

    The ratios 2 x**2 / (2n + 3) fall. Far out it is 1 - erfc(x).
    """
    if x <= 0:
        return ZERO if x == 0 else negate(_erf(-x, bits))
    if x > 32:
        return subtract(ONE, _erfc(x, bits), bits)
    scale = bits + 8
    one = 1 << scale
    total = _series((one, one), _pair(2 * x * x, scale), scale, lambda n: (1, 2 * n + 3))
    root = _of(_ROOT, _pi(scale), scale)
    factor = divide(multiply(point(2 * x), _exp(-x * x, scale), scale), root, scale) or REALS
    return multiply(factor, _around(total, scale, scale), bits)


def _erfc(x: Fraction, bits: int) -> Interval:
    """1 - erf(x), with as many bits more as erfc(x) has zeros.

    For x > 32 it is exp(-x**2) / x times a number between 1/2 and 4/7: DLMF 7.8.2, 7.8.3, as
    pi**(-1/2) = 0.5641...
    """
    if x > 32:
        between = Interval(Rational(1, 2 * x), Rational(4, 7 * x))
        return multiply(_exp(-x * x, bits), between, bits)
    more = math.ceil(max(x, Rational(0)) ** 2 * 3 / 2)
    return subtract(ONE, _erf(x, bits + 8 + more), bits)


# --- functions of intervals --------------------------------------------------------------------------


def _of(function: Unary, u: Interval, bits: int) -> Interval:
    """The value where the function is known to be defined."""
    return function(u, bits) or REALS


def _ends(at: Point, u: Interval, domain: Interval, bits: int) -> tuple[Ends, Ends]:
    """Bounds of the values at both ends of u, open where u is; none at an open end of the domain."""
    found: list[Ends] = []
    sides = ((_low(u), _low(domain)), (_high(u), _high(domain)))
    for (x, is_open), edge in sides[:1] if u.low is not None and u.low == u.high else sides:
        v = REALS if x is None or edge == (x, True) else at(x, bits + 8)
        found.append(((v.low, v.low_open or is_open), (v.high, v.high_open or is_open)))
    return found[0], found[-1]


def _monotone(
    at: Point, domain: Interval = REALS, values: Interval = REALS, falling: bool = False
) -> Unary:
    """A strictly monotone function from the domain to the values: its values at two ends."""

    def enclosed(u: Interval, bits: int) -> Interval | None:
        if not _inside(u, domain):
            return None
        first, last = _ends(at, u, domain, bits)
        low, high = (last[0], first[1]) if falling else (first[0], last[1])
        found = intersect(Interval(low[0], high[0], low[1], high[1]), values) or values
        return _rounded(_low(found), _high(found), bits)

    return enclosed


def _root(q: int) -> Unary:
    return _monotone(_root_at(q), NONNEGATIVE, NONNEGATIVE)


_EXP, _LOG, _ROOT = _monotone(_exp, values=POSITIVE), _monotone(_log, POSITIVE), _root(2)
_PI = _pi(512)
_RIGHT_ANGLE = scaled(_PI, HALF, 512)
_ATAN = _monotone(_atan, values=hull(negate(_RIGHT_ANGLE), _RIGHT_ANGLE))


def _wave(odd: int) -> Unary:
    """Either sin (1) or cos (0): the values at the ends, and (-1)**k where a turn (k + odd / 2) pi may lie in u."""
    at = _circular(odd)

    def enclosed(u: Interval, bits: int) -> Interval | None:
        if u.low is None or u.high is None:
            return _UNIT
        turns = [x / p - Rational(odd, 2) for x in (u.low, u.high) for p in _PI[:2] if p]
        first = math.ceil(min(turns)) + (not odd and u.low == 0 and u.low_open)
        last = math.floor(max(turns)) - (not odd and u.high == 0 and u.high_open)
        if last - first > 1:
            return _UNIT
        low, high = _ends(at, u, REALS, bits)
        met = [(Rational((-1) ** (k % 2)), False) for k in range(first, last + 1)]
        least, most = _outermost(min, low[0], high[0], *met), _outermost(max, low[1], high[1], *met)
        found = intersect(Interval(least[0], most[0], least[1], most[1]), _UNIT) or _UNIT
        return _rounded(_low(found), _high(found), bits)

    return enclosed


def _asin(x: Fraction, bits: int) -> Interval:
    """2 atan(x / (1 + sqrt(1 - x**2)))."""
    below = add(ONE, _of(_ROOT, point(1 - x * x), bits), bits)
    return multiply(point(2), _of(_ATAN, divide(point(x), below, bits) or REALS, bits), bits)


def _acos(x: Fraction, bits: int) -> Interval:
    """2 atan(sqrt((1 - x) / (1 + x))), and pi at -1."""
    if x == -1:
        return _PI
    root = _of(_ROOT, point((1 - x) / (1 + x)), bits)
    return multiply(point(2), _of(_ATAN, root, bits), bits)


def _acosh(x: Fraction, bits: int) -> Interval:
    """log(x + sqrt(x**2 - 1))."""
    return _of(_LOG, add(point(x), _of(_ROOT, point(x * x - 1), bits), bits), bits)


def _tanh(x: Fraction, bits: int) -> Interval:
    """1 - 2 / (exp(2x) + 1)."""
    quotient = divide(point(2), add(_exp(2 * x, bits), ONE, bits), bits) or REALS
    return subtract(ONE, quotient, bits)


def _floor_of(u: Interval) -> Interval:
    """The floor; below an open integer end it is one less."""
    low = None if u.low is None else Rational(math.floor(u.low))
    if u.high is None:
        return Interval(low, None, low is None, True)
    high = math.ceil(u.high) - 1 if u.high_open else math.floor(u.high)
    return Interval(low, Rational(high), low is None)


def _sign_of(u: Interval) -> Interval:
    low, high = (1 if w.positive else 0 if w.nonnegative else -1 for w in (u, negate(u)))
    return Interval(Rational(low), Rational(-high))


def _guarded(function: Callable[..., Interval | None], far: int) -> Function:
    """Return the function with bounded precision, for arguments of bounded length and size."""

    def enclosed(arguments: Sequence[Interval], bits: int = 64) -> Interval | None:
        short = [_rounded(_low(u), _high(u), LIMIT, far) for u in arguments]
        return function(*short, max(8, min(bits, MOST_BITS)))

    return enclosed


_UNIT = Interval(Rational(-1), Rational(1))
_OPEN_UNIT = Interval(Rational(-1), Rational(1), True, True)
_TO_2 = Interval(Rational(0), Rational(2), True, True)
_ASIN, _TANH = _monotone(_asin, _UNIT), _monotone(_tanh, values=_OPEN_UNIT)
# `gamma` and its kin have none: facts about them are lemmas; nor have tan, sinh, sech, ...: other functions write them.
_UNGUARDED: Mapping[str, Callable[..., Interval | None]] = {
    "exp": _EXP,
    "log": _LOG,
    "erf": _monotone(_erf, values=_OPEN_UNIT),
    "erfc": _monotone(_erfc, values=_TO_2, falling=True),
    "sin": _wave(1),
    "cos": _wave(0),
    "atan": _ATAN,
    "asin": _ASIN,
    "acos": _monotone(_acos, _UNIT, falling=True),
    "acosh": _monotone(_acosh, Interval(Rational(1), None, False, True)),
    "atanh": _monotone(
        lambda x, bits: scaled(_log((1 + x) / (1 - x), bits), HALF, bits), _OPEN_UNIT
    ),
    "coth": lambda u, bits: reciprocal(_of(_TANH, u, bits + 8), bits),
    "abs": lambda u, bits: absolute(u),
    "sign": lambda u, bits: _sign_of(u),
    "floor": lambda u, bits: _floor_of(u),
    "ceiling": lambda u, bits: negate(_floor_of(negate(u))),
    "max": lambda *arguments: reduce(maximum, arguments[:-1]),
    "min": lambda *arguments: reduce(minimum, arguments[:-1]),
    "pi": _pi,
}
FUNCTIONS = {n: _guarded(one, FAR if n == "log" else LIMIT) for n, one in _UNGUARDED.items()}
