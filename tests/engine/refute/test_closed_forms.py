"""Integrals: what is closed, and that nothing is closed where the integrand is no number."""

import pytest
import sympy
from sympy import (
    Abs,
    Eq,
    Ge,
    Integral,
    Max,
    Piecewise,
    Rational,
    beta,
    betainc,
    digamma,
    erf,
    exp,
    gamma,
    log,
    lowergamma,
    oo,
    sqrt,
    symbols,
    uppergamma,
)

from dpbook import check, symbol

x, y, z = symbols("x y z", real=True)
a, b, p, q = (symbol(name, above=0) for name in "abpq")
r = symbol("r", above=1)


def integral(body, *limits):
    return Integral(body, limits)


CLOSED = {
    "two kinks": (integral(exp(-Abs(x) - Abs(x - a)), x, -oo, oo), (1 + a) * exp(-a)),
    "crossing of two exponentials": (
        integral(Max(exp(-x) - r * exp(-r * x), 0), x, 0, oo),
        r ** (-1 / (r - 1)) * (1 - 1 / r),
    ),
    "crossing of two bells": (
        integral(Abs(exp(-((x - a) ** 2) / 2) - exp(-(x**2) / 2)), x, -oo, oo),
        2 * sqrt(2 * sympy.pi) * erf(a / sqrt(8)),
    ),
    "gamma": (integral(x ** (p - 1) * exp(-b * x), x, 0, oo), gamma(p) / b**p),
    "gamma with a logarithm": (
        integral(x ** (p - 1) * log(x) * exp(-b * x), x, 0, oo),
        gamma(p) * (digamma(p) - log(b)) / b**p,
    ),
    "upper gamma": (integral(x ** (p - 1) * exp(-x), x, a, oo), uppergamma(p, a)),
    "lower gamma": (integral(x ** (p - 1) * exp(-x), x, 0, a), lowergamma(p, a)),
    "beta": (integral(x ** (p - 1) * (1 - x) ** (q - 1), x, 0, 1), beta(p, q)),
    "beta with a logarithm": (
        integral(x ** (p - 1) * (1 - x) ** (q - 1) * log(1 - x), x, 0, 1),
        beta(p, q) * (digamma(q) - digamma(p + q)),
    ),
    "beta on a shorter range": (
        integral(x ** (p - 1) * (a - x) ** (q - 1), x, 0, a),
        a ** (p + q - 1) * beta(p, q),
    ),
    "incomplete beta": (
        integral(x ** (p - 1) * (1 - x) ** (q - 1), x, 0, Rational(1, 3)),
        betainc(p, q, 0, Rational(1, 3)),
    ),
    "logarithm of a ratio": (
        integral(exp(-x) * log(exp(-x) / (r * exp(-r * x))), x, 0, oo),
        r - 1 - log(r),
    ),
    "improper at an end": (integral(log(x), x, 0, 1), -1),
    "limits in reverse": (integral(1 / x**2, x, 2, 1), -Rational(1, 2)),
}


@pytest.mark.parametrize("name", CLOSED)
def test_integral_is_proved_and_a_wrong_value_refuted(name):
    left, right = CLOSED[name]
    assert check((left, "==", right)).holds
    assert check((left, "==", right * Rational(1001, 1000))).verdict.value == "refuted"


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        (lambda: Eq(integral(1 / x**2, x, 1, -1), 2, evaluate=False), []),
        (lambda: Eq(integral(1 / x**2, x, 1, y), 1 - 1 / y, evaluate=False), [y < 0]),
        (lambda: Eq(integral(1 / x**2, x, z, y), 1 / z - 1 / y, evaluate=False), [z > 0, y < 0]),
        (lambda: Ge(integral((x - Rational(1, 2)) ** -2, x, 1, 0), 0, evaluate=False), []),
        (lambda: Eq(integral(log(y), x, 1, 1), 0, evaluate=False), []),
        (lambda: Eq(integral(1 / y, x, z, z), 0, evaluate=False), []),
        (lambda: Eq(integral(exp(x), x, 0, oo), -1, evaluate=False), []),
        (lambda: Eq(integral(1 / x, x, -1, 1), 0, evaluate=False), []),
        (lambda: Eq(integral(x ** (p - 2), x, 0, 1), 1 / (p - 1), evaluate=False), []),
    ],
)
def test_integral_that_is_no_number_is_never_proved(statement, given):
    assert check(statement(), given=given).verdict.value != "proved"


def test_integral_of_a_cauchy_density_is_proved_and_one_with_no_scale_is_not():
    free = symbol("c")
    two = [a / (a**2 + (x - y) ** 2), p * b / (b**2 + (x - z) ** 2)]
    for body, value, true in (
        (two[0] + two[1], (1 + p) * sympy.pi, True),
        (two[0], Rational(3141592653589793, 10**15), False),
        (free / (free**2 + x**2), sympy.pi, False),
    ):
        with sympy.evaluate(False):
            found = check(Eq(integral(body, x, -oo, oo), value)).verdict.value
        assert (found == "proved") == true


def test_jump_is_not_flat():
    jump = Piecewise((0, Abs(x - Rational(355, 1131)) > Rational(1, 10**40)), (1, True))
    assert check(Eq(jump, 0, evaluate=False)).verdict.value != "proved"


def test_induction_starts_at_an_integer():
    m = symbol("m", integer=True, at_least=10**20 * sqrt(2))
    near = (m - 141421356237309504881) ** 2
    assert check(near - Rational(43173315789, 125000000000) > 0).verdict.value != "proved"
