r"""Sums of weighted powers at many exponents, by products of matrices of whole numbers.

    S_m = sum_j w_j e^(m alpha_j),    m = a columns + b,    Re alpha_j <= 0.

With u = 2^-bits all numbers are whole multiples of u, rounded down. Tables hold e^(b alpha_j) and w_j e^(a columns alpha_j),
each number the one before times a factor. The factors are off by f, so is a product by f more, and rounding adds
sqrt(2) u; as moduli are at most 1, the b-th power is off by b (f + 2u), and a second-order term. Products of the tables are exact. With the
mass W = sum |w_j| the sums are off by less than

    2 [W (columns (f + 2u) + rows g) + size (v + 2 rows u)],

f and g for the factors of the two tables, v for the weights; twice, for the second order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import acb, arb, ctx, fmpz, fmpz_mat

from dpbook.privacy.accounting.enclosure import units

Whole = tuple[Any, Any]  # arrays of integers: real and imaginary parts over the unit


def power_sums(
    weights: Sequence[acb], angles: Sequence[acb], mass: float, rows: int, columns: int
) -> list[acb]:
    """Return S_m for m from 0 to rows * columns - 1, in balls.

    Parameters
    ----------
    weights, angles : sequence of acb
        As many of each; the real parts of the angles are <= 0, up to their radii.
    mass : float
        At least the sum of the moduli of the weights.
    rows, columns : int
    """
    size = len(weights)
    bits = ctx.prec + (size * rows).bit_length()
    with ctx.workprec(bits + 16):
        turns, off_turns = _whole([angle.exp() for angle in angles], bits)
        leaps, off_leaps = _whole([(angle * columns).exp() for angle in angles], bits)
        first, off_first = _whole(weights, bits)
    ones = np.full(size, fmpz(1) << bits, dtype=object), np.full(size, fmpz(0), dtype=object)
    near_real, near_imag = (
        fmpz_mat(columns, size, part).transpose() for part in _powers(ones, turns, columns, bits)
    )
    far_real, far_imag = (fmpz_mat(rows, size, part) for part in _powers(first, leaps, rows, bits))
    real = (far_real * near_real - far_imag * near_imag).entries()
    imag = (far_real * near_imag + far_imag * near_real).entries()
    unit = arb(2) ** -bits
    off = 2 * (
        arb(mass) * (columns * (off_turns + 2 * unit) + rows * off_leaps)
        + size * (off_first + 2 * rows * unit)
    )
    if not off < 2.0**-20:  # the second order is not small
        return [acb(arb.nan())] * (rows * columns)
    error = arb(0, off.upper())
    square = unit * unit
    return [acb(x * square + error, y * square + error) for x, y in zip(real, imag, strict=True)]


def _whole(values: Sequence[acb], bits: int) -> tuple[Whole, arb]:
    """Return the values over the unit, rounded down, and a bound of the error of each."""
    parts: list[list[fmpz]] = [[], []]
    most = arb(0)
    for value in values:
        for part, number in zip(parts, (value.real, value.imag), strict=True):
            part.append(units(number, bits))
            most = max(most, number.rad())
    real, imag = (np.array(part, dtype=object) for part in parts)
    return (real, imag), 2 * most + 2 * arb(2) ** -bits


def _powers(first: Whole, factor: Whole, number: int, bits: int) -> tuple[list[fmpz], list[fmpz]]:
    """`first`, first * factor, first * factor^2 and so on, one after the other."""
    (real, imag), (x, y) = first, factor
    reals, imags = [*real], [*imag]
    for _ in range(number - 1):
        real, imag = (real * x - imag * y) >> bits, (real * y + imag * x) >> bits
        reals += [*real]
        imags += [*imag]
    return reals, imags
