"""Polynomials over Q in atoms: the arithmetic under the normal form.

A monomial is a sorted tuple of (atom, exponent) with exponents in Q, an atom an index. A negative or
fractional exponent stands only where the atom is known not to be 0, or not to be negative; whoever
makes one has shown that.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

Exponent = int | Fraction
Monomial = tuple[tuple[int, Exponent], ...]
Poly = dict[Monomial, Fraction]

ONE: Monomial = ()


def constant(value: Fraction | int) -> Poly:
    """Return a constant."""
    return {ONE: Fraction(value)} if value else {}


def atom(index: int, exponent: Exponent = 1) -> Poly:
    """Return an atom to a power."""
    return {((index, exponent),): Fraction(1)} if exponent else constant(1)


def whole(exponent: Exponent) -> Exponent:
    """Return an exponent as an int where it is one."""
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return exponent.numerator
    return exponent


def times(m: Monomial, n: Monomial) -> Monomial:
    """Multiply monomials."""
    if not m:
        return n
    if not n:
        return m
    powers = dict(m)
    for index, exponent in n:
        powers[index] = whole(powers[index] + exponent) if index in powers else exponent
    return tuple(sorted((i, e) for i, e in powers.items() if e))


def raised(m: Monomial, exponent: Exponent) -> Monomial:
    """Raise a monomial to a power."""
    return tuple((i, whole(e * exponent)) for i, e in m) if exponent else ONE


def plus(p: Poly, q: Poly, factor: Fraction | int = 1) -> Poly:
    """Return p + factor * q."""
    total = dict(p)
    for m, c in q.items():
        value = c if factor == 1 else c * factor
        _add(total, m, value)
    return total


def _add(total: Poly, m: Monomial, value: Fraction) -> None:
    """Add a term in place."""
    if m in total:
        value = total[m] + value
    if value:
        total[m] = value
    else:
        total.pop(m, None)


def scaled(p: Poly, factor: Fraction | int, by: Monomial = ONE) -> Poly:
    """Return factor * p * by."""
    if not factor:
        return {}
    return {times(m, by): c * factor for m, c in p.items()}


def product(p: Poly, q: Poly) -> Poly:
    """Return p * q."""
    if len(p) > len(q):
        p, q = q, p
    total: Poly = {}
    for m, c in p.items():
        for n, d in q.items():
            _add(total, times(m, n), c * d)
    return total


def content(p: Poly) -> Fraction:
    """Return the positive rational that makes the coefficients coprime integers."""
    top = below = 0
    for c in p.values():
        top = gcd(top, c.numerator)
        below = below * c.denominator // gcd(below, c.denominator) if below else c.denominator
    return Fraction(top, below or 1)


def common(p: Poly) -> Monomial:
    """Return the largest monomial that divides every term, negative exponents included."""
    least: dict[int, Exponent] | None = None
    for m in p:
        powers = dict(m)
        if least is None:
            least = powers
            continue
        for index in list(least.keys() | powers.keys()):
            least[index] = min(least.get(index, 0), powers.get(index, 0))
    return tuple(sorted((i, e) for i, e in (least or {}).items() if e))


def atoms_of(p: Poly) -> set[int]:
    """Return the atoms of a polynomial."""
    return {i for m in p for i, _ in m}


def leading(p: Poly) -> Monomial:
    """Return the greatest monomial, in the lexicographic order of the atoms."""
    indices = sorted(atoms_of(p))

    def key(m: Monomial) -> tuple[Exponent, ...]:
        powers = dict(m)
        return tuple(powers.get(i, 0) for i in indices)

    return max(p, key=key)


def quotient(p: Poly, q: Poly, most: int = 2000) -> Poly | None:
    """Return p / q where q divides p exactly; None where it does not, or not within `most` steps."""
    if not q:
        return None
    lead = leading(q)
    back, scale = raised(lead, -1), 1 / q[lead]
    indices = sorted(atoms_of(p) | atoms_of(q))

    def key(m: Monomial) -> tuple[Exponent, ...]:
        powers = dict(m)
        return tuple(powers.get(i, 0) for i in indices)

    rest: Poly = dict(p)
    found: Poly = {}
    for _ in range(most):
        if not rest:
            return found
        top = max(rest, key=key)
        step = times(top, back)
        if any(e < 0 for _, e in step):
            return None
        found[step] = rest[top] * scale
        rest = plus(rest, scaled(q, found[step], step), -1)
    return None


def frozen(p: Poly) -> frozenset[tuple[Monomial, Fraction]]:
    """Return a polynomial as a key."""
    return frozenset(p.items())


def total(parts: Iterable[Poly]) -> Poly:
    """Return the sum of polynomials."""
    result: Poly = {}
    for part in parts:
        result = plus(result, part)
    return result
