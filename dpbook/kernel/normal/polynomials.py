"""Polynomials over Q in atoms: the arithmetic under the normal form.

A monomial is a sorted tuple of (atom, exponent) with exponents in Q, an atom an index. A negative or
fractional exponent stands only where the atom is known not to be 0, or not to be negative; whoever
makes one has shown that.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from math import gcd, lcm

from dpbook.kernel.rationals import Rational

Exponent = int | Fraction
Monomial = tuple[tuple[int, Exponent], ...]
Poly = dict[Monomial, Fraction]
Frozen = frozenset[tuple[Monomial, Fraction]]  # a polynomial as a key

ONE: Monomial = ()
UNIT = Rational(1)


def constant(value: Fraction | int) -> Poly:
    """Return a constant."""
    return {ONE: Rational(value)} if value else {}


def atom(index: int, exponent: Exponent = 1) -> Poly:
    """Return an atom to a power."""
    return {((index, exponent),): UNIT} if exponent else {ONE: UNIT}


def whole(exponent: Exponent) -> Exponent:
    """Return an exponent as an int where it is one."""
    if type(exponent) is int or exponent.denominator > 1:
        return exponent
    return exponent.numerator


def times(m: Monomial, n: Monomial) -> Monomial:
    """Multiply monomials."""
    if not m:
        return n
    if not n:
        return m
    if m[-1][0] < n[0][0]:
        return m + n
    if n[-1][0] < m[0][0]:
        return n + m
    powers = dict(m)
    for index, exponent in n:
        powers[index] = whole(powers[index] + exponent) if index in powers else exponent
    return tuple(sorted([pair for pair in powers.items() if pair[1]]))


def raised(m: Monomial, exponent: Exponent) -> Monomial:
    """Raise a monomial to a power."""
    return tuple((i, whole(e * exponent)) for i, e in m) if exponent else ONE


def plus(p: Poly, q: Poly, factor: Fraction | int = 1) -> Poly:
    """Return p + factor * q."""
    total = dict(p)
    for m, c in q.items():
        value = c if factor == 1 else -c if factor == -1 else c * factor
        if m not in total or (value := total[m] + value):
            total[m] = value
        else:
            del total[m]
    return total


def _add(total: Poly, m: Monomial, value: Fraction) -> None:
    """Add a term that is not 0 in place."""
    if m not in total or (value := total[m] + value):
        total[m] = value
    else:
        del total[m]


def scaled(p: Poly, factor: Fraction | int, by: Monomial = ONE) -> Poly:
    """Return factor * p * by."""
    if not factor:
        return {}
    if factor == 1:
        return {times(m, by): c for m, c in p.items()} if by else p
    if not by:
        return {m: c * factor for m, c in p.items()}
    return {times(m, by): c * factor for m, c in p.items()}


def product(p: Poly, q: Poly) -> Poly:
    """Return p * q."""
    if len(p) > len(q):
        p, q = q, p
    if len(p) == 1:
        ((m, c),) = p.items()
        return scaled(q, c, m)
    total: Poly = {}
    for m, c in p.items():
        for n, d in q.items():
            _add(total, times(m, n), c * d)
    return total


def content(p: Poly) -> Fraction:
    """Return the positive rational that makes the coefficients coprime integers."""
    top = gcd(*(c.numerator for c in p.values()))
    return Rational(top, lcm(*(c.denominator for c in p.values())))


def common(p: Poly) -> Monomial:
    """Return the largest monomial that divides every term, negative exponents included."""
    rest = iter(p)
    first = next(rest, ONE)
    if len(p) == 1:
        return first
    if ONE in p and all(e > 0 for _, e in powers_of(p)):
        return ONE
    least = dict(first)
    for m in rest:
        if least:
            powers = dict(m)
            for index, exponent in list(least.items()):
                other = powers.get(index, 0)
                if other == 0 < exponent:
                    del least[index]
                elif other < exponent:
                    least[index] = other
        for index, exponent in m:  # what did not stand in another term has the exponent 0 there
            if exponent < 0 and exponent < least.get(index, 0):
                least[index] = exponent
    return tuple(sorted(least.items()))


def atoms_of(p: Poly) -> set[int]:
    """Return the atoms of a polynomial."""
    return {i for i, _ in powers_of(p)}


def powers_of(p: Poly) -> set[tuple[int, Exponent]]:
    """Return the pairs of atoms and exponents that stand in a polynomial."""
    return set(chain.from_iterable(p))


def leading(p: Poly) -> Monomial:
    """Return the greatest monomial, in the lexicographic order of the atoms."""
    left = list(p)
    for index in sorted(atoms_of(p)):
        if len(left) == 1:
            break
        exponents = [dict(m).get(index, 0) for m in left]
        top = max(exponents)
        left = [m for m, e in zip(left, exponents, strict=True) if e == top]
    return left[0]


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


def frozen(p: Poly) -> Frozen:
    """Return a polynomial as a key."""
    return frozenset(p.items())


def total(parts: Iterable[Poly]) -> Poly:
    """Return the sum of polynomials."""
    result: Poly = {}
    for part in parts:
        for m, c in part.items():
            _add(result, m, c)
    return result
