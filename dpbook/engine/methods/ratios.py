"""Quotients of polynomials in generators, by FLINT."""

# Z3 and FLINT terms pass through one variable in several types here.
# mypy: disable-error-code="assignment, return-value, list-item, arg-type, operator, misc, var-annotated"
from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mpoly_ctx

MAX_TERMS = 20000  # of a polynomial
GENERATORS = 96
RING = fmpq_mpoly_ctx.get([f"g{i}" for i in range(GENERATORS)], "degrevlex")
GENS = RING.gens()
ONE = RING.constant(1)
ZERO = RING.constant(0)


class Unsupported(Exception):
    """Something that has no sound encoding here, or is too large for one."""


class Ratio:
    """A quotient of two polynomials in lowest terms; the denominator is monic."""

    __slots__ = ("_key", "den", "num")

    def __init__(self, num, den=ONE, reduced: bool = False):
        if not reduced and not den.is_one() and len(num) <= 400 and len(den) <= 400:
            common = num.gcd(den)
            if not common.is_one():
                num, den = num / common, den / common
        if not den.is_one():
            lead = den.leading_coefficient()
            if lead != 1:
                num, den = num / lead, den / lead
        self.num, self.den, self._key = num, den, None

    @property
    def key(self) -> str:
        if self._key is None:
            self._key = f"{self.num}/{self.den}"
        return self._key

    def constant(self) -> fmpq | None:
        if self.den.is_constant() and self.num.is_constant():
            return self.num.leading_coefficient() if self.num != 0 else fmpq(0)
        return None

    def _of(self, other) -> Ratio:
        return other if isinstance(other, Ratio) else Ratio(RING.constant(fmpq(other)), ONE, True)

    def __add__(self, other):
        other = self._of(other)
        if self.den == other.den:
            return Ratio(self.num + other.num, self.den)
        return Ratio(
            times(self.num, other.den) + times(other.num, self.den), times(self.den, other.den)
        )

    __radd__ = __add__

    def __neg__(self):
        return Ratio(-self.num, self.den, True)

    def __sub__(self, other):
        return self + (-self._of(other))

    def __rsub__(self, other):
        return self._of(other) - self

    def __mul__(self, other):
        other = self._of(other)
        return Ratio(times(self.num, other.num), times(self.den, other.den))

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = self._of(other)
        if other.num == 0:
            raise Unsupported("division by zero")
        return Ratio(times(self.num, other.den), times(self.den, other.num))

    def __rtruediv__(self, other):
        return self._of(other) / self

    def __pow__(self, exponent: int):
        if exponent < 0:
            return (1 / self) ** (-exponent)
        result, base = self._of(1), self
        while exponent:
            if exponent & 1:
                result = result * base
            exponent >>= 1
            if exponent:
                base = base * base
        return result


def times(a, b):
    """Multiply, unless the product could be too large to be of use."""
    if a.is_one():
        return b
    if b.is_one():
        return a
    if len(a) * len(b) > MAX_TERMS:
        raise Unsupported("polynomial too large")
    return a * b


_FACTORS: dict[str, tuple[fmpq, list[tuple[Any, int]]]] = {}


def factored(poly) -> tuple[fmpq, list[tuple[Any, int]]]:
    """Content and irreducible factors, or the polynomial itself if it is large."""
    if poly.is_constant():
        return (poly.leading_coefficient() if poly != 0 else fmpq(0)), []
    key = str(poly)
    if key not in _FACTORS:
        if len(_FACTORS) > 5000:
            _FACTORS.clear()
        if len(poly) > 150 or poly.total_degree() > 40:
            lead = poly.leading_coefficient()
            _FACTORS[key] = lead, [(poly / lead, 1)]
        else:
            content, factors = poly.factor()
            monic = []
            for factor, power in factors:
                lead = factor.leading_coefficient()
                content *= lead**power
                monic.append((factor / lead, power))
            _FACTORS[key] = content, sorted(monic, key=lambda item: (len(item[0]), str(item[0])))
    return _FACTORS[key]
