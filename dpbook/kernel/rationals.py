"""Calculate with rational numbers: Python's fractions, with shorter ways for the most frequent operations.

A `Rational` is a `Fraction` in lowest terms, equal to it and with its hash. Arithmetic of two of
them, or of one and an integer or a `Fraction`, returns a `Rational`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import Any, ClassVar

_new = object.__new__


def _hash(value: Rational) -> int:
    return hash(value._numerator) if value._denominator == 1 else Fraction.__hash__(value)


def _comparison(holds: Callable[[int, int], bool], other_kinds: Callable[..., Any]) -> Any:
    """Return a comparison of fractions by integers, for denominators are > 0."""

    def compared(self: Rational, other: Any) -> Any:
        kind = type(other)
        if kind is Rational or kind is Fraction:
            return holds(self._numerator * other._denominator, other._numerator * self._denominator)
        if kind is int:
            return holds(self._numerator, other * self._denominator)
        return other_kinds(self, other)

    return compared


_LONG = 1 << 2000


class Rational(Fraction):
    """A rational number in lowest terms, its denominator > 0."""

    __slots__ = ()
    _numerator: int
    _denominator: int
    numerator = property(operator.attrgetter("_numerator"))
    denominator = property(operator.attrgetter("_denominator"))

    def __new__(
        cls, numerator: int | str | Fraction = 0, denominator: int | Fraction = 1
    ) -> Rational:
        if denominator != 1:
            found = Fraction(numerator, denominator)  # type: ignore[arg-type]
        elif type(numerator) is int:
            return _made(numerator, 1)
        elif type(numerator) is Rational:
            return numerator
        else:
            found = Fraction(numerator)
        return _made(found.numerator, found.denominator)

    def __add__(self, other: Any) -> Any:
        kind = type(other)
        if kind is Rational or kind is Fraction:
            below = other._denominator
            if self._denominator == below:
                if below == 1:
                    return _made(self._numerator + other._numerator, 1)
                return _lowest(self._numerator + other._numerator, below)
            return _lowest(
                self._numerator * below + other._numerator * self._denominator,
                self._denominator * below,
            )
        if kind is int:
            return _made(self._numerator + other * self._denominator, self._denominator)
        return super().__add__(other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        kind = type(other)
        if kind is Rational or kind is Fraction:
            top = self._numerator * other._numerator
            below = self._denominator * other._denominator
            return _made(top, 1) if below == 1 else _lowest(top, below)
        if kind is int:
            if self._denominator == 1:
                return _made(self._numerator * other, 1)
            return _lowest(self._numerator * other, self._denominator)
        return super().__mul__(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        kind = type(other)
        if kind is Rational or kind is Fraction:
            top, below = self._numerator * other._denominator, self._denominator * other._numerator
        elif kind is int:
            top, below = self._numerator, self._denominator * other
        else:
            return super().__truediv__(other)
        if below < 0:
            top, below = -top, -below
        if not below:
            raise ZeroDivisionError(f"division of {self} by 0")
        return _lowest(top, below)

    def __rtruediv__(self, other: Any) -> Any:
        return Rational(other) / self if isinstance(other, (int, Fraction)) else NotImplemented

    def __neg__(self) -> Rational:
        return _made(-self._numerator, self._denominator)

    def __abs__(self) -> Rational:
        return _made(abs(self._numerator), self._denominator)

    def __pow__(self, exponent: Any, modulo: None = None) -> Any:
        if type(exponent) is int and exponent >= 0:
            return _made(self._numerator**exponent, self._denominator**exponent)
        found = Fraction(self._numerator, self._denominator) ** exponent
        return Rational(found) if isinstance(found, Fraction) else found

    __hash__: ClassVar[Any] = _hash

    def __bool__(self) -> bool:
        return self._numerator != 0

    __eq__: ClassVar[Any] = _comparison(operator.eq, Fraction.__eq__)
    __lt__: ClassVar[Any] = _comparison(operator.lt, Fraction.__lt__)
    __le__: ClassVar[Any] = _comparison(operator.le, Fraction.__le__)
    __gt__: ClassVar[Any] = _comparison(operator.gt, Fraction.__gt__)
    __ge__: ClassVar[Any] = _comparison(operator.ge, Fraction.__ge__)


def _made(numerator: int, denominator: int) -> Rational:
    """Return a number whose terms are lowest already."""
    made = _new(Rational)
    made._numerator, made._denominator = numerator, denominator
    return made


def _lowest(numerator: int, denominator: int) -> Rational:
    """Return a quotient with a denominator > 0."""
    made = _new(Rational)
    if denominator >= _LONG and numerator and not denominator & (denominator - 1):
        common = min(denominator, numerator & -numerator).bit_length() - 1  # of powers of 2
        made._numerator, made._denominator = numerator >> common, denominator >> common
        return made
    common = gcd(numerator, denominator)
    made._numerator, made._denominator = numerator // common, denominator // common
    return made
