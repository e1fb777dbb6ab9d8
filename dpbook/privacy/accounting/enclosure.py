"""Intervals of doubles with a true value inside, and the exact numbers that go in."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any, NoReturn

import sympy
from flint import acb, arb, fmpq, fmpz

from dpbook.engine.language.card import Described
from dpbook.privacy.reading import short

SMALLEST_NORMAL = 2.0**-1022
_LEAST, _MOST = Fraction(1, 10**300), Fraction(10**300)


@dataclass(frozen=True)
class Enclosure(Described):
    """An interval of doubles that holds the true value, ``lower <= truth <= upper``.

    Attributes
    ----------
    lower, upper : float
        The ends. An end beyond the doubles is the largest double below, or infinity above.
    log_lower, log_upper : float or None
        The same for the logarithm of a delta, which says more where the delta is below the normal
        doubles (2.2e-308): there `lower` and `upper` have few digits, or none. None for an epsilon.
    quantity : str
        The enclosed number: "epsilon" or "delta".
    certified : bool
        Whether the ends are proved. Only estimates of another package are not.
    method : str
        How it was found.

    Examples
    --------
    >>> from dpbook.privacy import gaussian_epsilon
    >>> gaussian_epsilon(1e-6, 2.0)
    Enclosure(lower=2.25408, upper=2.25409, width=5e-16)
    """

    lower: float
    upper: float
    log_lower: float | None = None
    log_upper: float | None = None
    quantity: str = "epsilon"
    certified: bool = True
    method: str = ""

    @property
    def width(self) -> float:
        """``upper - lower``, rounded up."""
        difference = self.upper - self.lower
        if math.isfinite(difference) and Fraction(difference) < (
            Fraction(self.upper) - Fraction(self.lower)
        ):
            return math.nextafter(difference, math.inf)
        return difference

    def _no_number(self, other: object = None) -> NoReturn:
        raise TypeError(
            f"an Enclosure is an interval and no number: take .upper, which {self.quantity} is at "
            "most, or .lower, which it is at least"
        )

    __lt__ = __le__ = __gt__ = __ge__ = __float__ = _no_number

    def __contains__(self, value: object) -> bool:
        return bool(self.lower <= value <= self.upper)  # type: ignore[operator]

    def __repr__(self) -> str:
        logs = ""
        if self._tiny:
            low, high = _shown(self.log_lower or 0.0, ROUND_FLOOR), self.log_upper or 0.0
            logs = f", log_lower={low}, log_upper={_shown(high, ROUND_CEILING)}"
        label = "" if self.certified else ", certified=False"
        return (
            f"Enclosure(lower={_shown(self.lower, ROUND_FLOOR)}, "
            f"upper={_shown(self.upper, ROUND_CEILING)}, "
            f"width={_shown(self.width, ROUND_CEILING, 1)}{logs}{label})"
        )

    def describe(self) -> str:
        """Return the interval in words; the ends are rounded outwards."""
        proved = "Proved" if self.certified else "Estimated, not certified"
        if self.lower == 0 and math.isinf(self.upper):
            return f"Nothing is known of {self.quantity}: no method here has a bound for these numbers."
        if self._tiny:
            low, high = self.log_lower or 0.0, self.log_upper or 0.0
            return (
                f"{proved}: log({self.quantity}) lies from {_shown(low, ROUND_FLOOR)} "
                f"to {_shown(high, ROUND_CEILING)}; the {self.quantity} itself is below "
                f"the normal doubles."
            )
        if self.lower == self.upper:
            return f"{proved}: {self.quantity} is {_shown(self.lower, ROUND_FLOOR)}."
        return (
            f"{proved}: {self.quantity} lies from {_shown(self.lower, ROUND_FLOOR)} to "
            f"{_shown(self.upper, ROUND_CEILING)}, in an interval "
            f"{_shown(self.width, ROUND_CEILING, 1)} wide."
        )

    @property
    def _tiny(self) -> bool:
        return (
            self.log_lower is not None
            and self.log_upper is not None
            and self.upper < SMALLEST_NORMAL
            and math.isfinite(self.log_upper)
        )


def _shown(value: float, rounding: str, digits: int = 6) -> str:
    """The value in a few digits, rounded in the direction that keeps an interval true."""
    if not math.isfinite(value):
        return str(value)
    rounded = Context(prec=digits, rounding=rounding).create_decimal(Decimal(value))
    return f"{rounded.normalize():g}".lower()


def exact(name: str, value: Any, rule: str = "") -> Fraction:
    """Read a number without rounding it: a float is the double that it is.

    Raises
    ------
    ValueError
        When it is not a finite rational number; `rule` completes the message.
    """
    read: Any = None
    if isinstance(value, float | Fraction) or (type(value) is int):
        read = value
    elif isinstance(value, bool):
        pass
    elif isinstance(value, sympy.Basic):
        if isinstance(value, sympy.Rational):
            return Fraction(int(value.p), int(value.q))
        if isinstance(value, sympy.Float):
            read = sympy.Rational(value)
            return Fraction(int(read.p), int(read.q))
        if isinstance(value, sympy.Expr) and value.is_rational and not value.free_symbols:
            return exact(name, sympy.nsimplify(value, rational=False), rule)
    elif isinstance(value, numbers.Integral):
        read = int(value)  # NumPy's integers are of a fixed width
    elif isinstance(value, Decimal | numbers.Rational):
        read = value
    elif isinstance(value, numbers.Real) and hasattr(value, "as_integer_ratio"):
        read = Fraction(*value.as_integer_ratio()) if math.isfinite(value) else value
    if read is None:
        said = f"a rational number or a float{' ' + rule if rule else ''}"
        raise ValueError(f"{name} must be {said}, got {short(value)}")
    try:
        return Fraction(read)
    except (ValueError, OverflowError):  # NaN and the infinities
        finite = "finite" if not rule else f"finite and {rule}" if rule[0] == ">" else rule
        raise ValueError(f"{name} must be {finite}, got {short(value)}") from None


def within_doubles(name: str, value: Fraction) -> Fraction:
    """Return a number that is 0 or from 1e-300 to 1e300 in size: methods in doubles need that.

    Raises
    ------
    ValueError
        For another number.
    """
    if value and not _LEAST <= abs(value) <= _MOST:
        raise ValueError(f"{name} must be 0 or from 1e-300 to 1e300 in size, got {short(value)}")
    return value


def positive(name: str, value: Any) -> Fraction:
    """Read a finite number > 0 exactly."""
    read = exact(name, value, "> 0")
    if read <= 0:
        raise ValueError(f"{name} must be > 0, got {short(value)}")
    return read


def nonnegative(name: str, value: Any) -> Fraction:
    """Read a finite number >= 0 exactly."""
    read = exact(name, value, ">= 0")
    if read < 0:
        raise ValueError(f"{name} must be >= 0, got {short(value)}")
    return read


def probability(value: Any, at_zero: str = "") -> Fraction:
    """Read a delta strictly between 0 and 1 exactly; `at_zero` says why it must not be 0."""
    read = exact("delta", value, "in (0, 1)")
    if not 0 < read < 1:
        why = f": {at_zero}" if at_zero and read == 0 else ""
        raise ValueError(f"delta must be in (0, 1), got {value}{why}")
    return read


def square(name: str, value: Any) -> Fraction:
    """Read the square of a number > 0 exactly; the number may be a root, such as sqrt(2)."""
    if isinstance(value, sympy.Pow) and value.is_positive and (value**2).is_Rational:
        return exact(name, value**2)
    return positive(name, value) ** 2


def ball(value: Fraction) -> arb:
    """The number as a ball at the current precision."""
    return arb(fmpq(value.numerator, value.denominator))


def floors(value: arb) -> list[int]:
    """Return the floors of the numbers in a ball: one, or two next to each other; none where there may be more."""
    first, last = (end.floor().unique_fmpz() for end in (value.lower(), value.upper()))
    if first is None or last is None or last - first > 1:
        return []
    return list(range(int(first), int(last) + 1))


def units(value: arb, bits: int) -> fmpz:
    """The middle of the ball in units of 2^-bits, rounded down."""
    mantissa, exponent = value.mid().man_exp()
    shift = int(exponent) + bits
    return mantissa << shift if shift >= 0 else mantissa >> -shift


def powers(base: acb, number: int) -> list[acb]:
    """1, base, base^2 and so on; each is a product of two near the middle, so that errors double few times."""
    found = [acb(1), base][:number]
    while len(found) < number:
        half = len(found) // 2
        found.append(found[half] * found[len(found) - half])
    return found


def round_down(value: arb) -> float:
    """The largest double that is certainly <= the ball, or one below it."""
    if not value.is_finite():
        return -math.inf  # nothing is known
    bound = value.lower()
    guess = _nearby(bound)
    if math.isinf(guess):
        guess = math.copysign(math.nextafter(math.inf, 0.0), guess)
    while not arb(guess) <= bound:
        guess = math.nextafter(guess, -math.inf)
    while (larger := math.nextafter(guess, math.inf)) < math.inf and arb(larger) <= bound:
        guess = larger
    return guess


def round_up(value: arb) -> float:
    """The smallest double that is certainly >= the ball, or one above it."""
    return -round_down(-value)


def _nearby(value: arb) -> float:
    """A double close to an exact number; `float` of a ball gives 0 below the normal doubles."""
    if abs(value) < SMALLEST_NORMAL:
        return math.ldexp(float(value * arb(2) ** 600), -600)
    return float(value)


def delta_enclosure(value: arb, method: str, log: arb | None = None) -> Enclosure:
    """The interval of a delta, in [0, 1], from a ball of it (and of its logarithm)."""
    log_lower = log_upper = log
    if log is None:
        low, high = value.lower(), value.upper()
        log_lower = low.log() if low > 0 else None
        log_upper = high.log() if high > 0 else None
    return Enclosure(
        max(0.0, round_down(value)),
        min(1.0, max(0.0, round_up(value))),
        -math.inf if log_lower is None else round_down(log_lower),
        -math.inf if log_upper is None else min(0.0, round_up(log_upper)),
        "delta",
        method=method,
    )
