"""Integrals at a point: enclosures against closed forms, and integrals of which nothing is said."""

import pytest
import sympy
from flint import arb, ctx, fmpq
from sympy import (
    Abs,
    Integral,
    Max,
    Piecewise,
    Rational,
    cos,
    erf,
    exp,
    floor,
    gamma,
    log,
    oo,
    pi,
    sin,
    sqrt,
)

from dpbook import check
from dpbook.engine.evaluate.exact_points import evaluate_at

x, a, b = sympy.symbols("x a b", real=True)
ONE = {a: fmpq(1), b: fmpq(3, 2)}


def unevaluated(build):
    with sympy.evaluate(False):
        return build()


CLOSED = [
    (Integral(1 / (cos(x) + 2), (x, 0, 2 * pi)), 2 * pi / sqrt(3)),
    (Integral(Abs(cos(x)), (x, 0, 2 * pi)), 4),
    (Integral(Abs(cos(x)), (x, 2 * pi, 0)), -4),
    (Integral(exp(-(x**2) / 2), (x, -oo, oo)), sqrt(2 * pi)),
    (Integral(exp(-((x - a) ** 2) * b), (x, -oo, oo)), sqrt(pi / b)),
    (Integral(exp(-Abs(x - a)), (x, -oo, oo)), 2),
    (Integral(x * exp(-b * x), (x, a, oo)), exp(-b) * (1 / b + 1 / b**2)),
    (Integral(exp(b * x), (x, -oo, a)), exp(b) / b),
    (Integral((1 + x**2) ** -2, (x, -oo, oo)), pi / 2),
    (Integral((1 + x**2 / 3) ** Rational(-3, 2), (x, -oo, oo)), 2 * sqrt(3)),
    (Integral(x**-2, (x, a, oo)), 1),
    (Integral(Piecewise((x, x < a), (1, True)), (x, 0, 2)), Rational(3, 2)),
    (Integral(floor(x), (x, 0, 10)), 45),
    (Integral(Max(x, a), (x, 0, 2)), Rational(5, 2)),
    (Integral(log(x), (x, 1, b)), b * log(b) - b + 1),
    (Integral(erf(x), (x, 0, a)), erf(1) + exp(-1) / sqrt(pi) - 1 / sqrt(pi)),
    (Integral(sin(x) * exp(-x), (x, 0, oo)), Rational(1, 2)),
    (Integral(exp(-1000 * (x - 1000) ** 2), (x, -oo, oo)), sqrt(pi / 1000)),
]


@pytest.mark.parametrize(("integral", "value"), CLOSED, ids=[str(e) for e, _ in CLOSED])
@pytest.mark.parametrize("bits", [64, 128])
def test_the_enclosure_holds_the_closed_form(integral, value, bits):
    found = evaluate_at(integral, ONE, bits)
    known = evaluate_at(sympy.sympify(value), ONE, 256)
    assert found.ball is not None
    assert known.ball is not None
    assert found.ball.overlaps(known.ball)
    assert found.ball.rad() < 1e-11
    assert found.exact is None


def test_the_hockey_stick_of_two_normal_distributions():
    """Compare with the formula by distribution functions, at 40 points drawn by a seed."""
    ratio = unevaluated(
        lambda: Max(
            exp(-((x - a) ** 2) / 2) / sqrt(2 * pi) - exp(b) * exp(-(x**2) / 2) / sqrt(2 * pi), 0
        )
    )
    tail = (1 + erf((a / 2 - b / a) / sqrt(2))) / 2 - exp(b) * (
        1 + erf((-a / 2 - b / a) / sqrt(2))
    ) / 2
    for i in range(1, 9):
        for j in range(5):
            at = {a: fmpq(i, 3), b: fmpq(j, 2)}
            found = evaluate_at(Integral(ratio, (x, -oo, oo)), at, 64).ball
            assert found is not None
            assert found.overlaps(evaluate_at(tail, at, 256).ball)
            assert found.rad() < 1e-14


NOTHING = [
    Integral(1 / x, (x, -1, 1)),  # diverges
    Integral(1 / x, (x, 1, oo)),
    Integral(exp(x), (x, 0, oo)),
    Integral(1, (x, 0, oo)),
    Integral(x**3 * exp(-x), (x, -oo, oo)),
    Integral(cos(x), (x, 0, oo)),
    Integral(log(x), (x, -1, 1)),  # the integrand has no real value on a part of the range
    Integral(log(x) ** 2 + pi**2, (x, -2, -1)),
    Integral(gamma(x), (x, Rational(-1, 2), 1)),
    Integral(sympy.tan(x), (x, 0, 3)),
    Integral(Piecewise((1, x < 1)), (x, 0, 2)),  # no case beyond 1
    unevaluated(lambda: Integral(sqrt(x) ** 2, (x, -2, -1))),
    unevaluated(lambda: Integral(x**0 * exp(-x) / (x - x), (x, 0, oo))),
]


@pytest.mark.parametrize("integral", NOTHING, ids=str)
def test_nothing_is_said_where_the_integral_may_have_no_value(integral):
    for bits in (64, 128):
        found = evaluate_at(integral, {}, bits)
        assert found.ball is None
        assert found.exact is None


def test_a_parameter_given_as_a_ball_widens_the_value():
    before = ctx.prec
    found = evaluate_at(Integral(exp(-a * x), (x, 0, oo)), {a: arb(2, 0.01)}, 64).ball
    assert ctx.prec == before
    assert found is not None
    assert found.overlaps(arb(1) / arb("1.99"))
    assert found.overlaps(arb(1) / arb("2.01"))


@pytest.mark.parametrize(
    ("integral", "bound"),
    [
        (Integral(1 / (cos(x) + 2), (x, 0, 2 * pi)), Rational(36, 10)),
        (Integral(Abs(cos(x)), (x, 0, 2 * pi)), Rational(39, 10)),
        (Integral(exp(-(x**2)) * cos(x) ** 2, (x, -oo, oo)), Rational(12, 10)),
    ],
    ids=str,
)
def test_a_false_bound_of_an_integral_is_refuted_and_a_true_bound_is_not(integral, bound):
    assert check((integral, "<=", bound)).verdict.value == "refuted"
    assert check((integral, ">=", bound)).verdict.value in ("proved", "supported")
