"""Appendix D: fractions with precisions below the line, for any numbers; claims D.25 to D.28 use them."""

from sympy import Abs, Ge, Gt, Le, Rational

from dpbook import claim
from dpbook.langevin.notation import (
    below,
    least_below,
    numerator,
    numerator_bound,
    other_below,
    shared,
    shifted_below,
    weight,
    z,
)


@claim(
    "note-fraction-square",
    place="proof of claim D.28, for any numbers",
    given=lambda: [Le(numerator, numerator_bound), Ge(numerator, -numerator_bound)],
)
def weighted_square():
    """Weighted square of a number between two bounds."""
    return Le(weight * numerator**2, weight * numerator_bound**2)


@claim(
    "note-fraction-size",
    place="claim C.8, for any numbers",
    given=lambda: [Le(numerator, numerator_bound), Ge(numerator, -numerator_bound)],
)
def size_between_two_bounds():
    """Size of a number between two bounds."""
    return Le(Abs(numerator), numerator_bound)


@claim(
    "note-fraction-cube",
    place="proof of claim D.28, for any numbers",
    given=lambda: [Ge(below, least_below), Ge(other_below, least_below)],
)
def three_precisions_below():
    """Fraction with three precisions below the line."""
    return Le(weight / (below**2 * other_below), weight / least_below**3)


@claim(
    "note-fraction-shared",
    place="proof of claim D.28, for any numbers",
    given=lambda: [Ge(below, least_below), Le(shared, other_below)],
)
def three_precisions_below_one_share():
    """Fraction with three precisions below the line and a part of one above it."""
    return Le(weight * shared / (below**2 * other_below), weight / least_below**2)


@claim(
    "note-fraction-nine-tenths",
    place="proof of claim D.28, step *, for any numbers",
    given=lambda: [Ge(shifted_below, Rational(9, 10) * below)],
)
def nine_tenths_below():
    """Fraction after a tenth of a precision below the line is given away."""
    return Le(
        weight / (below * other_below * shifted_below),
        weight / (Rational(9, 10) * below**2 * other_below),
    )


@claim(
    "note-fraction-shifted",
    place="proof of claim D.27, for any numbers",
    given=lambda: [
        Ge(below, least_below),
        Ge(shifted_below, below - weight),
        Gt(least_below, weight),
    ],
)
def ratio_of_a_shift():
    """Ratio of a precision to itself less a shift."""
    return Le(below / shifted_below, 1 + weight / (least_below - weight))


@claim("note-common-sum", place="section 4.1: sum of x**2 over the common records")
def common_sum():
    """Sign of the sum of squares over the common records."""
    return Ge(z, 0)
