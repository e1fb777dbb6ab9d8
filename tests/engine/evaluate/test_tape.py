import math
import random

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, ctx, fmpq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sympy import Integer, Piecewise, Product, Rational, Sum, Symbol

from dpbook.engine.evaluate.exact_points import Undefined, compare_at, evaluate_at, run
from dpbook.engine.evaluate.floats import FloatProgram
from dpbook.engine.evaluate.public import compiled
from dpbook.engine.evaluate.tape import CannotCompile, tape_of
from dpbook.engine.language.domain import symbol
from dpbook.engine.language.statement import Defined
from dpbook.kernel import enclosure

x, y = Symbol("x", real=True), Symbol("y", real=True)
n = Symbol("n", integer=True)
k = Symbol("k")


def at(expr, prec=128, **values):
    point = {s: fmpq(Rational(v).p, Rational(v).q) for s, v in _named(values)}
    return evaluate_at(expr, point, prec)


def _named(values):
    symbols = {"x": x, "y": y, "n": n}
    return [(symbols[name], value) for name, value in values.items()]


def mp(value):
    return mpmath.mpf(value.str(60, radius=False))


def ball(low, high):
    return arb(low) if low == high else arb(low).union(arb(high))


# --- random expressions: every evaluator against mpmath and against each other -------------------

ONE = [
    *(sympy.exp, sympy.log, sympy.sqrt, sympy.erf, sympy.erfc, sympy.erfi, sympy.gamma),
    *(sympy.loggamma, sympy.digamma, sympy.sinh, sympy.cosh, sympy.tanh, sympy.coth),
    *(sympy.asinh, sympy.acosh, sympy.atanh, sympy.sin, sympy.cos, sympy.tan, sympy.asin),
    *(sympy.acos, sympy.atan, sympy.Abs, sympy.sign, sympy.floor, sympy.ceiling, sympy.sech),
    *(lambda u: sympy.polygamma(1, u), lambda u: u**2, lambda u: u**3, lambda u: u**4),
    *(lambda u: u**-1, lambda u: u**-2, lambda u: u ** Rational(1, 3)),
    *(lambda u: u ** Rational(-3, 2), lambda u: u ** Rational(5, 2)),
]
TWO = [
    *(lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b, lambda a, b: a / b),
    *(lambda a, b: a**b, sympy.Max, sympy.Min, sympy.beta, sympy.lowergamma, sympy.uppergamma),
    *(lambda a, b: Piecewise((a, a < b), (b, True)), lambda a, b: sympy.betainc(a, 2, 0, b)),
    lambda a, b: Piecewise((a, a > 0), (b, b < 1), (a * b, True)),
]


def random_expression(r, depth):
    if depth == 0:
        return r.choice([x, y, x, y, Rational(r.randint(-6, 6), r.randint(1, 4)), sympy.pi])
    if r.random() < 0.5:
        return r.choice(ONE)(random_expression(r, depth - 1))
    other = random_expression(r, r.randint(0, depth - 1))
    return r.choice(TWO)(random_expression(r, depth - 1), other)


def random_case(seed):
    r = random.Random(seed)
    try:
        with sympy.evaluate(r.random() < 0.5):
            e = random_expression(r, r.randint(1, 3))
        strange = e.has(sympy.oo, sympy.zoo, sympy.nan, sympy.I) or not e.free_symbols
    except (ArithmeticError, KeyError, TypeError, ValueError, RecursionError):
        # SymPy itself fails on some of them
        return None
    if strange:
        return None
    low = [fmpq(r.randint(-8, 12), r.choice([1, 2, 3])) for _ in range(2)]
    width = [fmpq(r.randint(0, 16), r.choice([1, 4, 16, 64])) for _ in range(2)]
    box = [(a, a + w) for a, w in zip(low, width, strict=True)]
    shares = [[fmpq(r.choice([0, 64, r.randint(0, 64)]), 64) for _ in range(2)] for _ in range(4)]
    points = [[a + (b - a) * s for (a, b), s in zip(box, share, strict=True)] for share in shares]
    return e, box, points


@pytest.mark.parametrize("block", range(4))
def test_the_ball_of_a_box_holds_the_value_at_every_point_and_no_undefined_point(block):
    found = 0
    for seed in range(block * 50, block * 50 + 50):
        case = random_case(seed)
        if case is None:
            continue
        e, box, points = case
        tape = tape_of((e,), (x, y))
        balls = [ball(*ends) for ends in box]
        (value,) = run(tape, balls)
        known = isinstance(value, (arb, fmpq))
        for point in points:
            there = evaluate_at(e, dict(zip((x, y), point, strict=True)), 128)
            if there.undefined:
                assert not known, (seed, e, point)
            elif there.ball is not None:
                found += known
                assert not isinstance(value, Undefined), (seed, e, point)
                assert not known or arb(value).overlaps(there.ball), (seed, e, point)
    assert found > 20


@pytest.mark.parametrize("block", range(3))
def test_points_agree_with_mpmath(block):
    found = 0
    with mpmath.workdps(40):
        for seed in range(2000 + block * 50, 2050 + block * 50):
            case = random_case(seed)
            if case is None:
                continue
            e, _, points = case
            if e.has(Piecewise):
                # SymPy's printer for mpmath does not end on nested ones
                continue
            function = sympy.lambdify((x, y), e, modules=["mpmath"])
            for point in points:
                there = evaluate_at(e, dict(zip((x, y), point, strict=True)), 160)
                if there.ball is None:
                    continue
                try:
                    value = function(*[mpmath.mpf(int(p.p)) / int(p.q) for p in point])
                except (ValueError, ZeroDivisionError, OverflowError, TypeError, NameError):
                    continue
                value = mpmath.mpmathify(value)
                if value.imag != 0 or not mpmath.isfinite(value):
                    continue
                found += 1
                error = abs(value.real - mp(there.ball.mid()))
                slack = mp(there.ball.rad()) + mpmath.mpf(10) ** -25 * (1 + abs(value))
                assert error <= slack, (seed, e, point)
    assert found > 20


FIFTY = [
    sympy.exp(x) - 1 - x,
    sympy.log(1 + x * x) / (1 + sympy.sqrt(x * x + 1)),
    sympy.erfc(x) * sympy.exp(x * x),
    sympy.gamma(x * x + Rational(1, 3)) / (1 + sympy.cosh(x)),
    sympy.loggamma(x * x + 2) - sympy.digamma(x * x + 1),
    sympy.tanh(x) + sympy.atan(x) * sympy.sin(3 * x) - sympy.asinh(x),
    sympy.Max(x, sympy.cos(x)) + sympy.Abs(x) ** Rational(7, 3),
]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(FIFTY), st.fractions(min_value=-6, max_value=6, max_denominator=10**6))
def test_compiled_is_right_to_45_digits(expression, value):
    with mpmath.workdps(120):
        point = mpmath.mpf(value.numerator) / value.denominator
        truth = sympy.lambdify(x, expression, modules=["mpmath"])(point)
        answer = compiled(expression, x)(value)
        assert abs(mp(answer.mid()) - truth) <= mpmath.mpf(10) ** -45 * abs(truth) + 1e-100


def test_compiled_raises_its_precision_where_digits_cancel():
    tiny = fmpq(1, 10**40)
    answer = compiled(sympy.exp(x) - 1 - x, x)(tiny)
    assert answer.rel_accuracy_bits() >= 160
    assert answer.overlaps(arb(tiny) ** 2 / 2 * (1 + arb(tiny, tiny)))


def test_compiled_takes_every_kind_of_number_exactly():
    third = compiled(1 / x, x)
    for three in (3, sympy.Integer(3), fmpq(3), 3.0, np.int64(3), np.float64(3.0), arb(3)):
        assert third(three).overlaps(arb(fmpq(1, 3)))
    assert not compiled(x, x)(0.1).overlaps(compiled(x, x)(fmpq(1, 10)))


def test_compiled_follows_the_order_of_its_symbols_and_refuses_strangers():
    assert compiled(x - y, y, x)(1, 3) == 2
    with pytest.raises(ValueError, match="none for y"):
        compiled(x - y, x)
    with pytest.raises(TypeError, match="expected 1 values"):
        compiled(x, x)(1, 2)


def test_compiled_says_why_there_is_no_value():
    with pytest.raises(ValueError, match="logarithm of a number that is not positive"):
        compiled(sympy.log(x), x)(-1)
    with sympy.evaluate(False):
        quotient = x / x
    with pytest.raises(ValueError, match="denominator is 0"):
        compiled(quotient, x)(0)


def test_definitions_and_abbreviations_are_written_out():
    class Twice(Defined):
        def definition(self):
            return 2 * self.args[0]

    ratio = symbol("R", equals=lambda: x**2)
    assert compiled(Twice(x) + ratio, x)(3) == 15
    assert at(Twice(x) + ratio, x=3).exact == 15


FLOATS = [
    (1 / n**2, (3,)),
    (sympy.digamma(n) + sympy.polygamma(2, n) + sympy.loggamma(n + 1) + sympy.beta(n, 2), (2,)),
    (sympy.lowergamma(n, 3) + sympy.uppergamma(n, 7) + sympy.uppergamma(4, n), (3,)),
    (sympy.betainc(n, 3, 0, Rational(1, 3)) + sympy.betainc(3, n, 0, Rational(9, 10)), (2,)),
    (sympy.betainc_regularized(n, 3, 0, Rational(1, 3)), (2,)),
    (sympy.binomial(n, 2) + sympy.binomial(7, n) + sympy.factorial(n), (4,)),
    (Sum(k**2 / n, (k, 1, n)) + Product(1 + 1 / k, (k, 1, n)), (6,)),
    (Piecewise((n, n < 2), (n**2, sympy.And(n < 5, n > 3)), (7, True)), (4,)),
    (sympy.Max(n, 3) * sympy.sign(-n) + sympy.coth(n) + sympy.floor(n / 3), (2,)),
    (sympy.erfinv(n / Integer(10)) + sympy.erfi(n / Integer(3)), (9,)),
]


@pytest.mark.parametrize(
    ("expression", "pole"), [(sympy.erfinv(x), 1), (sympy.digamma(x), 0), (sympy.gamma(x), 0)]
)
def test_no_float_is_infinite_where_a_function_has_no_value(expression, pole):
    assert math.isnan(FloatProgram((expression,), (x,))(pole)[0])


@pytest.mark.parametrize(("expression", "values"), FLOATS)
def test_numpy_agrees_with_arb(expression, values):
    (fast,) = FloatProgram((expression,), (n,))(np.array([*values, *values]))
    slow = float(compiled(expression, n)(*values))
    assert np.broadcast_to(fast, (2,)) == pytest.approx([slow, slow], rel=1e-12)


def test_0_to_the_power_0_is_1_in_all_arithmetics():
    power, zero = x**y, np.zeros(1)
    assert compiled(power, x, y)(0, 0) == 1
    assert FloatProgram((power,), (x, y))(zero, zero)[0].item() == 1
    assert on_balls(power, arb(0), arb(0)) == 1
    assert enclosure.power(enclosure.point(0), enclosure.point(0)) == enclosure.ONE


def test_floats_overflow_and_go_undefined_without_a_word():
    program = FloatProgram((sympy.exp(x), sympy.log(x), sympy.sqrt(x), x**-1), (x,))
    grown, log, root, inverse = program(np.array([1000.0, -1.0, 0.0]))
    assert grown[0] == math.inf
    assert np.isnan(log[1:]).all()
    assert np.isnan(root[1])
    assert not np.isfinite(inverse[2])
    (huge,) = FloatProgram((x + Integer(10) ** 400,), (x,))(np.zeros(2))
    assert np.isinf(huge).all()


def test_integrals_and_unknown_functions_are_refused_by_name():
    with pytest.raises(CannotCompile, match="Integral"):
        FloatProgram((sympy.Integral(sympy.exp(-k * k), (k, 0, x)),), (x,))
    with pytest.raises(CannotCompile, match="besselj"):
        compiled(sympy.besselj(0, x), x)
    with pytest.raises(CannotCompile, match="floating-point"):
        compiled(x + sympy.Float("0.1"), x)
    assert at(sympy.besselj(0, x), x=1).ball is None
    assert compare_at(sympy.besselj(0, x), "<=", Integer(2), {x: fmpq(1)}) is None


# --- pitfalls of balls ----------------------------------------------------------------------------


def on_balls(expression, *balls):
    (value,) = run(tape_of((expression,), (x, y)[: len(balls)]), balls)
    return value


def test_constants_are_made_at_the_precision_of_the_call():
    expression = x + Rational(1, 3) + sympy.sqrt(2) * sympy.pi
    coarse, fine = (evaluate_at(expression, {x: arb(0)}, prec).ball for prec in (64, 512))
    assert fine.rad() < arb(2) ** -480
    assert coarse.overlaps(fine)
    assert ctx.prec == 53


def test_no_pole_inside_a_ball_ends_in_a_finite_ball():
    wide = arb(-1).union(arb(2))
    for e in (
        *(1 / x, sympy.tan(x - 1), sympy.coth(x), sympy.gamma(x), sympy.digamma(x), sympy.log(x)),
        *(sympy.cot(x), sympy.csch(x), x ** Rational(-1, 2), sympy.loggamma(x), sympy.acosh(x)),
    ):
        for wrapped in (e, sympy.atan(e), sympy.tanh(e), sympy.Max(e, 1), sympy.erf(e), 0 * y + e):
            with sympy.evaluate(False):
                value = on_balls(wrapped + 0 * e, wide, arb(1))
            assert value is None or isinstance(value, Undefined), wrapped


def test_a_jump_inside_a_ball_has_the_hull_as_value():
    step = Piecewise((1, x < 0), (2, True))
    value = on_balls(step, arb(-1).union(arb(1)))
    assert value.contains(arb(1))
    assert value.contains(arb(2))
    assert on_balls(step, arb(1).union(arb(2))) == 2


def test_huge_exponents_neither_hang_nor_lie():
    near, at_e = {x: fmpq(1, 10**8)}, (1 + x) ** (1 / x)
    assert evaluate_at(x ** Integer(2 * 10**8), near, 128).ball.is_finite()
    assert abs(evaluate_at(at_e, near, 128).ball - arb.const_e()) < arb(1e-7)
    assert compare_at(x ** Integer(2 * 10**8), ">", Integer(0), {x: fmpq(1, 3)}) is True


# --- exact points, as written ---------------------------------------------------------------------


def as_written():
    with sympy.evaluate(False):
        return [
            (x / x, {"x": 0}, "denominator is 0"),
            (x * (1 / x) * x, {"x": 0}, "denominator is 0"),
            (0 * x**-1, {"x": 0}, "denominator is 0"),
            (sympy.log(x) - sympy.log(x), {"x": 0}, "logarithm"),
            (sympy.log(x**2) - 2 * sympy.log(x), {"x": -1}, "logarithm"),
            (sympy.log(sympy.cos(x) - 2), {"x": 1}, "logarithm"),
            (sympy.sqrt(x) * 0, {"x": -1}, "root of a negative number"),
            (x ** Rational(1, 3), {"x": -8}, "root of a negative number"),
            (sympy.gamma(x), {"x": -3}, "gamma at the pole -3"),
            (sympy.digamma(x), {"x": 0}, "digamma at the pole 0"),
            (x**y, {"x": 0, "y": -2}, "0 to a negative power"),
            (x**y, {"x": -2, "y": "1/2"}, "negative number to a fractional power"),
            (sympy.coth(x), {"x": 0}, "coth of 0"),
            (sympy.factorial(x), {"x": -1}, "factorial of -1"),
            (sympy.atanh(x), {"x": 1}, "atanh"),
            (Sum(k, (k, 5, n)), {"n": 2}, "below its lower end"),
            (Sum(k, (k, 1, x)), {"x": "1/2"}, "no integer"),
            (Sum(1 / k, (k, 0, n)), {"n": 2}, "denominator is 0"),
            (Piecewise((1, x > 0)), {"x": 0}, "no case"),
        ]


@pytest.mark.parametrize(("expression", "values", "why"), as_written())
def test_where_nothing_is_defined_the_reason_is_given(expression, values, why):
    assert why in at(expression, **values).undefined
    point = {s: fmpq(Rational(v).p, Rational(v).q) for s, v in _named(values)}
    assert isinstance(compare_at(expression, "==", expression, point), Undefined)


def values_as_written():
    with sympy.evaluate(False):
        return [
            (x**0, {"x": 0}, 1),
            (x**n, {"x": 0, "n": 0}, 1),
            (x**y, {"x": 0, "y": 0}, 1),
            (x**y, {"x": -2, "y": 3}, -8),
            (x**y, {"x": 4, "y": "-1/2"}, Rational(1, 2)),
            (Sum(x**k, (k, 0, 3)), {"x": 0}, 1),
            (Sum(k**2, (k, 1, n)), {"n": 10}, 385),
            (Sum(k**2, (k, 1, n)), {"n": 0}, 0),
            (Product(k, (k, 1, n)), {"n": 0}, 1),
            (Sum(x * k, (k, 1, x), (x, 1, n)), {"n": 4}, 65),
            (Sum(Sum(x + k, (k, 1, n)), (x, 1, n)), {"n": 4}, 80),
            (Piecewise((1 / x, x > 0), (x, True)), {"x": 0}, 0),
            (sympy.binomial(n, 3) + sympy.binomial(2, n), {"n": 10}, 120),
            (sympy.gamma(n) + sympy.factorial(n) + sympy.beta(n, 2), {"n": 4}, Rational(601, 20)),
            (sympy.floor(sympy.exp(x)) + sympy.ceiling(sympy.pi), {"x": 1}, 6),
            (sympy.Max(x, y, 3) - sympy.Min(x, y) + sympy.Abs(x), {"x": -1, "y": 2}, 5),
            (sympy.sqrt(x) / sympy.sqrt(4 * x), {"x": 9}, Rational(1, 2)),
            (sympy.exp(x) + sympy.log(1 + x) + sympy.cos(x) + sympy.erf(x), {"x": 0}, 2),
        ]


@pytest.mark.parametrize(("expression", "values", "value"), values_as_written())
def test_rational_values_are_exact(expression, values, value):
    value = Rational(value)
    assert at(expression, **values).exact == fmpq(value.p, value.q)


def test_comparisons_raise_the_precision_and_leave_ties_open():
    tiny = {x: fmpq(1, 10**60)}
    assert compare_at(sympy.exp(x), ">", 1 + x, tiny) is True
    assert compare_at(sympy.exp(x), "<=", 1 + x, tiny) is False
    assert compare_at(sympy.exp(x), "!=", 1 + x, tiny) is True
    assert compare_at((1 + 1 / x) ** x, "<", sympy.E, {x: fmpq(10) ** 60}) is True
    assert compare_at(sympy.sin(x) ** 2 + sympy.cos(x) ** 2, "==", Integer(1), {x: fmpq(1)}) is None
    assert compare_at(sympy.sqrt(x), "==", Integer(3), {x: fmpq(9)}) is True


def test_far_points_are_evaluated_exactly():
    far = {x: fmpq(10) ** 400}
    assert evaluate_at(x**2 - x, far).exact == fmpq(10) ** 800 - fmpq(10) ** 400
    assert compare_at(sympy.log(1 + x), "<=", Integer(100), far) is False


def test_truth_of_an_undefined_comparison_cannot_be_taken():
    with pytest.raises(TypeError, match="neither True nor False"):
        bool(compare_at(1 / x, ">", Integer(0), {x: fmpq(0)}))
