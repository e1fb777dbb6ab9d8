"""Ball arithmetic: the functions of a tape on Arb balls, around the numbers at an exact point.

A function that is not defined on the whole ball gives a ball that is not finite, which passes no
comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, ctx, fmpq, fmpz

NAN = arb.nan()
ZERO, ONE = arb(0), arb(1)
_SIGNS = ONE.union(-ONE)


def as_int(x: arb) -> int:
    """Return the integer that an exact ball holds."""
    value = x.unique_fmpz()
    assert value is not None
    return int(value)


def hull(x: arb, y: arb) -> arb:
    """Return the smallest ball that holds two balls; NaN if one of them is NaN."""
    return x.union(y) if x.is_finite() and y.is_finite() else NAN


def ipow(x: arb, n: int) -> arb:
    """Return a power with an integer exponent other than 0."""
    if n < 0:
        return ONE / ipow(x, -n)
    if n <= 400:
        return x**n
    # exp(n log |x|): a library power with a huge exponent cannot be interrupted
    if x.is_zero():
        return ZERO
    size = (abs(x).log() * n).exp()
    if x > ZERO:
        return size
    if x < ZERO:
        return -size if n % 2 else size
    top = (x.abs_upper().log() * n).exp()
    return hull(top, -top if n % 2 else ZERO)


def root(x: arb, q: fmpq) -> arb:
    """Return a power with a rational exponent q > 0 that is no integer, for x >= 0."""
    if x.is_zero():
        return ZERO
    if not x > ZERO:
        return NAN
    if q.p <= 400 and q.q <= 64:
        y = x.sqrt() if q.q == 2 else x.root(int(q.q))
        return y if q.p == 1 else ipow(y, int(q.p))
    return (x.log() * arb(q)).exp()


def power(b: arb, e: arb) -> arb:
    """Return a power: base > 0, or base >= 0 and exponent > 0, or an exact integer exponent."""
    if e.is_exact() and e.is_integer():
        n = as_int(e)
        if n != 0:
            return ipow(b, n)
        return ONE if b.is_finite() else NAN  # 0^0 is 1
    if b > ZERO:
        return (b.log() * e).exp()
    if b.is_zero() and e > ZERO:
        return ZERO
    return NAN


def _polygamma(x: arb, n: int) -> arb:
    """Return the n-th derivative of digamma; NaN below 0, where it has poles."""
    if not x > ZERO:
        return NAN
    # (-1)^(n+1) n! zeta(n+1, x)
    value = arb(n + 1).zeta(x) * fmpz.fac_ui(fmpz(n))
    return value if n % 2 else -value


def beta(a: arb, b: arb) -> arb:
    """Return Gamma(a) Gamma(b) / Gamma(a+b) for a, b > 0."""
    return a.gamma() * b.gamma() * (a + b).rgamma() if a > ZERO and b > ZERO else NAN


def binomial(n: arb, k: arb) -> arb:
    """Return Gamma(n+1) / (Gamma(k+1) Gamma(n-k+1)) for n >= 0 and k >= 0."""
    if not (n > -ONE and k > -ONE):
        return NAN
    return (n + ONE).gamma() * (k + ONE).rgamma() * (n - k + ONE).rgamma()


def _lowergamma(a: arb, x: arb) -> arb:
    """Return the integral of t^(a-1) e^(-t) from 0 to x, for x >= 0."""
    if not (x >= ZERO and a > ZERO):
        return NAN
    if x.is_zero():
        return ZERO
    if a <= 50 or x <= 50:
        return x.gamma_lower(a)
    # FLINT takes seconds where both are large
    if x > a:
        return a.gamma() - x.gamma_upper(a)
    total, rest = _positive_series(lambda n: x / (a + 1 + n), ZERO)
    return (a * x.log() - x).exp() / a * (total + hull(ZERO, rest))


def _positive_series(ratio: Callable[[int], arb], limit: arb) -> tuple[arb, arb]:
    """Sum 1 + r_0 + r_0 r_1 + ... with ratios that tend to `limit` from one side.

    Returns the sum of the terms taken and a bound on the rest; not a number where they are many.
    """
    term = total = ONE
    small = arb(2) ** -ctx.prec
    for n in range(20_000):
        by = ratio(n)
        term = term * by
        total = total + term
        if term < small * total:
            largest = maximum(by, limit)
            rest = term * largest / (ONE - largest)
            return (total, rest) if rest >= ZERO else (NAN, NAN)
    return NAN, NAN


def _uppergamma(a: arb, x: arb) -> arb:
    """Return the integral of t^(a-1) e^(-t) from x on, for x >= 0."""
    if x.is_zero():
        return a.gamma() if a > ZERO else NAN
    return x.gamma_upper(a) if x > ZERO else NAN


def _betainc(a: arb, b: arb, x: arb) -> arb:
    """Return the integral of t^(a-1) (1-t)^(b-1) from 0 to x, for x in [0, 1]."""
    if not (a > ZERO and b > ZERO and x >= ZERO and x <= ONE):
        return NAN
    if x.is_zero():
        return ZERO
    if x == ONE:
        return beta(a, b)
    if a <= 20 and b <= 20:
        return x.beta_lower(a, b)
    # FLINT takes seconds where a parameter is large
    if x * (a + b) > a:
        return beta(a, b) - _beta_series(b, a, ONE - x)
    return _beta_series(a, b, x)


def _beta_series(a: arb, b: arb, x: arb) -> arb:
    """Return the integral of t^(a-1) (1-t)^(b-1) from 0 to x, by a series of positive terms."""
    total, rest = _positive_series(lambda n: (a + b + n) * x / (a + 1 + n), x)
    return (a * x.log() + b * (ONE - x).log()).exp() / a * (total + hull(ZERO, rest))


def _betareg(a: arb, b: arb, x: arb) -> arb:
    """Return the distribution function of the Beta distribution, for x in [0, 1]."""
    inside = a > ZERO and b > ZERO and x >= ZERO and x <= ONE
    if not inside or x.is_zero() or x == ONE:
        return x if inside else NAN
    if a <= 20 and b <= 20:
        return x.beta_lower(a, b, regularized=True)
    return _betainc(a, b, x) / beta(a, b)


def maximum(x: arb, y: arb) -> arb:
    """Return the larger of two numbers."""
    return arb.max(x, y) if x.is_finite() and y.is_finite() else NAN


def sign(x: arb) -> arb:
    """Return the sign; [-1, 1] where it is not certain."""
    if x > ZERO:
        return ONE
    if x < ZERO:
        return -ONE
    if x.is_zero():
        return ZERO
    return _SIGNS if x.is_finite() else NAN


# --- conditions: True, False, or None when a ball does not say --------------------------------


def _gt(x: arb, y: arb) -> bool | None:
    return True if x > y else False if x <= y else None


def _ge(x: arb, y: arb) -> bool | None:
    return negation(_gt(y, x))


def _eq(x: arb, y: arb) -> bool | None:
    if x > y or x < y:
        return False
    return True if x.is_exact() and y.is_exact() and x == y else None


def negation(x: bool | None) -> bool | None:
    """Return the three-valued `not`."""
    return None if x is None else not x


def conjunction(x: bool | None, y: bool | None) -> bool | None:
    """Return the three-valued `and`."""
    if x is False or y is False:
        return False
    return True if x and y else None


def disjunction(x: bool | None, y: bool | None) -> bool | None:
    """Return the three-valued `or`."""
    return negation(conjunction(negation(x), negation(y)))


_PLAIN = (  # Arb has them under these names, and gives no finite ball where they are not defined
    "exp", "log", "erf", "erfc", "erfi", "erfinv", "gamma", "digamma", "sinh", "cosh", "tanh",
    "coth", "asinh", "acosh", "atanh", "sin", "cos", "tan", "asin", "acos", "atan", "floor",
)  # fmt: skip
FUNCTIONS: dict[str, Any] = {
    **{name: getattr(arb, name) for name in _PLAIN},
    "ceiling": arb.ceil,
    "loggamma": arb.lgamma,
    "ipow": ipow,
    "rpow": root,
    "pow": power,
    "polygamma": _polygamma,
    "factorial": lambda x: (x + ONE).gamma() if x > -ONE else NAN,
    "abs": abs,
    "sign": sign,
    "beta": beta,
    "lowergamma": _lowergamma,
    "uppergamma": _uppergamma,
    "binomial": binomial,
    "betainc": _betainc,
    "betareg": _betareg,
    "max": maximum,
    "min": lambda x, y: -maximum(-x, -y),
    "where_nonnegative": lambda n, value: value if n >= ZERO else NAN,
    ">": _gt,
    ">=": _ge,
    "<": lambda x, y: _gt(y, x),
    "<=": lambda x, y: _ge(y, x),
    "==": _eq,
    "!=": lambda x, y: negation(_eq(x, y)),
    "not": negation,
    "and": conjunction,
    "or": disjunction,
}
NAMED: dict[str, Callable[[], arb]] = {
    "pi": arb.pi,
    "e": arb.const_e,
    "euler": arb.const_euler,
    "catalan": arb.const_catalan,
}
