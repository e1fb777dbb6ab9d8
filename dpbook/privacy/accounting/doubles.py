r"""Sums and products in doubles, each with the bound of its error.

Only + - * / and sqrt are used, which IEEE 754 rounds correctly (relative error u = 2^-53); no library exp, log or cos is
called, so nothing is taken on trust about them. Complex products have a relative error below 3u (sqrt(5) u by separate, 2u
by fused operations).

- e^(im angle) for m = 0..N: m is written in base 32; the table of each digit is computed in balls and rounded (error
  below 2u), a product of d tables has the error eta = (5d - 3) u.
- 1/w: the parts of w have a relative error u, so 1/w = conj(w) / |w|^2 has 8u.
- e^(-y): `exp_of_minus` reduces by log 2 in two parts and sums 15 Taylor terms: 5u.
- A sum in pairs: ceil(log2 N) additions a term, u each.
"""

from __future__ import annotations

import math

import numpy as np
from flint import arb
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Complexes = NDArray[np.complex128]

U = 2.0**-53
_BASE = 32


def turns(angle: arb, most: int) -> tuple[Complexes, float]:
    """e^(i m angle) for m = 0..most, and the bound of the error of each."""
    turns: Complexes = np.ones(1, dtype=complex)
    digits, unit = 0, 1
    while unit <= most:
        size = min(_BASE, most // unit + 1)
        table = np.empty(size, dtype=complex)
        for j in range(size):
            sine, cosine = (angle * (j * unit)).sin_cos()
            table[j] = complex(rounded(cosine), rounded(sine))
        turns = table if digits == 0 else (table[:, None] * turns[None, :]).ravel()
        digits += 1
        unit *= _BASE
    return turns[: most + 1], max(5 * digits - 3, 2) * U


def rounded(value: arb) -> float:
    """A double within 2^-53 of the ball; the ball must be far sharper than a double."""
    if not value.rad() < 2.0**-70:
        return math.nan
    return float(value.mid())


def reciprocal(x: float, y: Reals) -> Complexes:
    """1 / (x + iy), by operations whose errors are bounded."""
    square = x * x + y * y
    inverse = np.empty(y.size, dtype=complex)
    inverse.real = x / square
    inverse.imag = -y / square
    return inverse


_LN2_HIGH = float.fromhex("0x1.62e42fep-1")  # 28 bits: n times it is exact for n < 2^25
_LN2_LOW = float.fromhex("0x1.f473de6af278fp-30")  # log 2 - _LN2_HIGH, rounded


def exp_of_minus(y: Reals) -> Reals:
    """e^-y for 0 <= y <= 700, relative error below 5 * 2^-53."""
    n = np.rint(y / math.log(2))
    r = (y - n * _LN2_HIGH) - n * _LN2_LOW
    total = np.full(y.size, 1 / math.factorial(15))
    for k in range(14, -1, -1):
        total = 1 / math.factorial(k) - r * total
    # Horner in -r: sum of (-r)^k / k!
    return np.ldexp(total, -n.astype(int))


def sum_in_pairs(terms: Reals) -> float:
    """The sum by halving, ceil(log2 size) additions a term."""
    size = 1 << max(0, math.ceil(math.log2(terms.size)))
    padded = np.zeros(size)
    padded[: terms.size] = terms
    while padded.size > 1:
        half = padded.size // 2
        padded = padded[:half] + padded[half:]
    return float(padded[0])


def modulus(values: Complexes) -> Reals:
    """At least the modulus, and at most 1.42 times it."""
    return np.abs(values.real) + np.abs(values.imag)


def product(a: Complexes, off_a: Reals, b: Complexes, off_b: Reals) -> tuple[Complexes, Reals]:
    """The product, and the bound of its error: a complex product has a relative error below 3u."""
    product = a * b
    large, other = modulus(a), modulus(b)
    return product, off_a * other + (large + off_a) * off_b + 3 * U * large * other


def power_of_one_plus(excess: Complexes, error: Reals, k: int) -> tuple[Complexes, Reals]:
    """(1 + excess)^k and the bound of its error, which is small where the excess is.

    Powers less 1, by repeated squaring: (1 + a)(1 + b) - 1 = a + b + ab.
    """
    result: tuple[Complexes, Reals] | None = None
    base = excess, error
    while True:
        if k & 1:
            result = base if result is None else joined(*result, *base)
        k >>= 1
        if not k:
            break
        base = joined(*base, *base)
    assert result is not None
    total, off = result
    return 1 + total, off + U * (1 + modulus(total))


def joined(a: Complexes, off_a: Reals, b: Complexes, off_b: Reals) -> tuple[Complexes, Reals]:
    """A + b + ab, and the bound of its error: 3u for the product and 2u for each sum."""
    product = a * b
    size_a, size_b = modulus(a), modulus(b)
    one_a, one_b = np.hypot(1 + a.real, a.imag), np.hypot(1 + b.real, b.imag)
    off = off_a * (one_b + off_b) + off_b * one_a + 8 * U * (size_a + size_b + size_a * size_b)
    return a + b + product, off * (1 + 8 * U)


def short(value: float) -> float:
    """A float with few bits: 2c and c + 1 are exact then."""
    fraction, exponent = math.frexp(value)
    return math.ldexp(round(fraction * 2**20), exponent - 20)
