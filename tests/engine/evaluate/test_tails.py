"""Series and tails at a point: enclosures against closed forms, and sums of which nothing is said."""

import pytest
import sympy
from flint import arb, ctx, fmpq
from sympy import (
    Abs,
    Integral,
    Rational,
    Sum,
    cosh,
    exp,
    factorial,
    gamma,
    log,
    oo,
    pi,
    sqrt,
)

from dpbook import check
from dpbook.engine.evaluate.exact_points import evaluate_at

k, n = sympy.symbols("k n", integer=True)
x, t = sympy.symbols("x t", real=True)
HALF = Rational(1, 2)

CLOSED = [
    (Sum(2**k / factorial(k), (k, 0, oo)), exp(2)),
    (Sum(x**k / factorial(k), (k, 0, oo)), exp(x)),
    (Sum((-1) ** k / factorial(k), (k, 0, oo)), exp(-1)),
    (Sum(k * 3**k / factorial(k) * exp(-3), (k, 0, oo)), 3),
    (Sum(Rational(1, 3) ** k, (k, 2, oo)), Rational(1, 6)),
    (Sum(k**2 * Rational(1, 2) ** k, (k, 1, oo)), 6),
    (Sum(exp(-Abs(k)), (k, -oo, oo)), cosh(HALF) / sympy.sinh(HALF)),
    (Sum(2**k, (k, -oo, 3)), 16),
    (Sum(1 / gamma(k + 1), (k, 0, oo)), sympy.E),
    (Integral(exp(-(t**3)), (t, 0, oo)), gamma(Rational(4, 3))),
    (Integral(exp(-t - exp(-t)), (t, -oo, oo)), 1),
    (Integral(exp(-exp(t)) * exp(t), (t, 0, oo)), exp(-1)),
    (Integral(2 ** (-t), (t, 0, oo)), 1 / log(2)),
]


@pytest.mark.parametrize(("thing", "known"), CLOSED, ids=[str(e) for e, _ in CLOSED])
@pytest.mark.parametrize("bits", [64, 128])
def test_the_enclosure_holds_the_closed_form(thing, known, bits):
    at = {x: fmpq(-3, 2)}
    found = evaluate_at(thing, at, bits).ball
    truth = evaluate_at(sympy.sympify(known), at, 256).ball
    assert found is not None
    assert found.overlaps(truth)
    assert found.rad() < 1e-11


def test_the_sum_of_a_discrete_normal_distribution():
    """Compare with the sum of the Fourier transform, by Poisson's formula, at 20 scales."""
    for i in range(1, 21):
        square = fmpq(i, 4)
        left = evaluate_at(Sum(exp(-(k**2) / (2 * x)), (k, -oo, oo)), {x: square}, 64).ball
        transform = exp(-2 * pi**2 * k**2 * x)
        right = evaluate_at(sqrt(2 * pi * x) * Sum(transform, (k, -oo, oo)), {x: square}, 64).ball
        assert left is not None
        assert right is not None
        assert left.overlaps(right)
        assert left.rad() < 1e-15 * left.mid()


def test_a_series_with_a_slow_tail_has_a_wide_ball():
    found = evaluate_at(Sum(1 / k**2, (k, 1, oo)), {}, 64).ball
    assert found is not None
    assert found.overlaps(evaluate_at(pi**2 / 6, {}, 128).ball)
    assert 1e-4 < found.rad() < 1e-2


NOTHING = [
    Sum(1 / k, (k, 1, oo)),
    Sum(2**k, (k, 0, oo)),
    Sum(1, (k, 0, oo)),
    Sum((-1) ** k, (k, 0, oo)),
    Sum(2 ** (k**2) / factorial(k), (k, 0, oo)),
    Sum(factorial(k) * Rational(1, 2) ** k, (k, 0, oo)),
    Sum(k**2 * x**k, (k, 0, oo)),
    Sum(exp(k), (k, 0, oo)),
    Sum(exp(k**3 - k**2), (k, 0, oo)),
    Integral(exp(t**3 - t**2), (t, 0, oo)),
    Integral(exp(-t + exp(t)), (t, 0, oo)),
    Integral(exp(-exp(-t)), (t, 0, oo)),
    Integral(Abs(t**3 - t) ** HALF, (t, 1, oo)),
]


@pytest.mark.parametrize("thing", NOTHING, ids=str)
def test_nothing_is_said_where_the_sum_may_have_no_value(thing):
    for bits in (64, 128):
        found = evaluate_at(thing, {x: fmpq(-3, 2)}, bits)
        assert found.ball is None
        assert found.exact is None


@pytest.mark.parametrize(
    ("thing", "why"),
    [
        (Sum(1 / (k - 3), (k, 0, oo)), "denominator is 0"),
        (Sum(log(x) ** k / factorial(k), (k, 0, oo)), "logarithm"),
        (Sum(2 ** (-k), (k, HALF, oo)), "a sum"),
    ],
    ids=str,
)
def test_a_term_without_a_value_is_named(thing, why):
    assert why in evaluate_at(thing, {x: fmpq(-3, 2)}, 64).undefined


def test_a_parameter_given_as_a_ball_widens_the_value():
    before = ctx.prec
    found = evaluate_at(Sum(x**k / factorial(k), (k, 0, oo)), {x: arb(2, 0.01)}, 64).ball
    assert ctx.prec == before
    assert found is not None
    assert found.overlaps(arb("1.99").exp())
    assert found.overlaps(arb("2.01").exp())


# each false statement differs from a true one by a sign, an end or a factor
STATEMENTS = [
    ("Sum(2^k/factorial(k), k, 0, oo) = exp(2)", "proved"),
    ("Sum(2^k/factorial(k), k, 1, oo) = exp(2)", "refuted"),
    ("Sum(2^k/factorial(k), k, 1, oo) = exp(2) - 1", "proved"),
    ("Sum(x^k/factorial(k), k, 0, oo) = exp(x)", "proved"),
    ("Sum(x^k/factorial(k), k, 0, oo) = exp(-x)", "refuted"),
    ("Sum(1/factorial(k), k, 2, oo) = exp(1) - 2", "proved"),
    ("Sum(exp(-x)*x^k/factorial(k), k, 0, oo) = 1", "proved"),
    ("Sum(log(x)^k/factorial(k), k, 0, oo) = x", "refuted"),
    ("Sum(exp(-n^2/2), n, 0, oo) >= 1", "proved"),
    ("Sum(exp(-n^2/2), n, 1, oo) >= 1", "refuted"),
    ("Sum(1/n^2, n, 1, oo) = 5/3", "refuted"),
    ("Integral(exp(-x^3), x, 0, oo) >= 1", "refuted"),
    (
        "Integral(exp(-(t-a)-exp(-(t-a)))*exp(-exp(-(t-b))), t, -oo, oo) = exp(b)/(exp(a)+exp(b))",
        "refuted",
    ),
]


@pytest.mark.parametrize(("statement", "verdict"), STATEMENTS, ids=[s for s, _ in STATEMENTS])
def test_a_statement_about_a_series_or_an_improper_integral(statement, verdict):
    found = check(statement)
    assert found.verdict.value == verdict
    assert found.latex


def test_a_series_with_a_sum_inside_whose_end_is_a_number_at_the_point():
    series, given = "Sum(exp(-n)*Sum(k, k, 1, m), n, 0, oo)", "m in integers, m >= 1"
    assert check(f"{series} >= 2", given).verdict.value == "refuted"  # 1.58 at m = 1
    assert check(f"{series} >= 3/2", given).verdict.value in ("proved", "supported")
