"""Enclosures hold the true value, are narrow, and claim an open end only where it is one."""

import itertools
import random
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis.strategies import booleans, builds, composite, fractions, integers, sampled_from

from dpbook.kernel import enclosure
from dpbook.kernel.enclosure import (
    FAR,
    POSITIVE,
    REALS,
    Interval,
    absolute,
    add,
    divide,
    hull,
    intersect,
    maximum,
    minimum,
    multiply,
    negate,
    point,
    power,
    reciprocal,
    subtract,
)
from dpbook.kernel.table import ARITIES

F = Fraction
FUNCTIONS = {
    **enclosure.FUNCTIONS,
    "sqrt": lambda arguments, bits: power(arguments[0], point(F(1, 2)), bits),
}
UNIT = Interval(F(0), F(1))
OPEN_UNIT = Interval(F(0), F(1), True, True)
BELOW_0 = Interval(None, F(0), True, True)

# Between which numbers mpmath is asked.
RANGES = {
    "exp": (-20, 20),
    "log": (0, 30),
    "sqrt": (0, 30),
    "erf": (-5, 5),
    "erfc": (-5, 25),
    "sin": (-30, 30),
    "cos": (-30, 30),
    "asin": (-1, 1),
    "acos": (-1, 1),
    "atan": (-20, 20),
    "coth": (-20, 20),
    "acosh": (1, 30),
    "atanh": (-1, 1),
}


def value(name, *numbers):
    """The function at rational numbers, by mpmath with 60 digits."""
    others = {"max": max, "min": min}
    function = others.get(name) or getattr(mpmath, name)
    return function(*(mpmath.mpf(x.numerator) / x.denominator for x in numbers))


def holds(u, true):
    """Whether an interval holds a number that is known to 60 digits; ties count as held."""
    slack = abs(true) * mpmath.mpf(10) ** -50
    above = u.low is None or mpmath.mpf(u.low.numerator) / u.low.denominator <= true + slack
    return above and (
        u.high is None or true - slack <= mpmath.mpf(u.high.numerator) / u.high.denominator
    )


def narrow(u, bits):
    return u.high - u.low <= min(abs(u.low), abs(u.high)) / 2**bits


def within(u, v):
    return intersect(u, v) == u


@pytest.fixture(autouse=True)
def sixty_digits():
    with mpmath.workdps(60):
        yield


def draws(name, count, seed):
    stream = random.Random(f"{name} {seed}")
    low, high = RANGES[name]
    for _ in range(count):
        d = stream.choice([7, 1000, 10**6 + 3, 2**20, 10**15 + 37])
        yield F(stream.randint(low * d + 1, high * d - 1), d)


def test_each_enclosure_is_tried():
    """A function of one real argument has its row above; the others have tests by themselves."""
    steps, several, constants = {"abs", "sign", "floor", "ceiling"}, {"max", "min"}, {"pi"}  # fmt: skip
    assert set(FUNCTIONS) | {"sqrt"} == set(RANGES) | steps | several | constants, (
        "give the new function a range in RANGES"
    )


@pytest.mark.parametrize("name", RANGES)
def test_a_value_at_a_point_is_held_and_narrow(name):
    for x in draws(name, 60, 1):
        found = FUNCTIONS[name]([point(x)], 64)
        if x == 0 and found is None:
            continue
        true = value(name, x)
        assert holds(found, true), (x, found)
        assert found.low == found.high or narrow(found, 58), (x, found)
        assert found.low == found.high or (found.low_open and found.high_open)


@pytest.mark.parametrize("name", RANGES)
def test_an_interval_holds_the_values_of_its_points(name):
    stream = draws(name, 60, 2)
    for a, b in zip(stream, stream, strict=True):
        a, b = min(a, b), max(a, b)
        found = FUNCTIONS[name]([Interval(a, b)], 64)
        if found is None:
            assert name == "coth"
            continue
        for i in range(6):
            assert holds(found, value(name, a + (b - a) * F(i, 5))), (a, b, i)


@pytest.mark.parametrize("name", RANGES)
def test_narrow_intervals_have_narrow_values(name):
    for x in filter(None, draws(name, 20, 3)):
        found = FUNCTIONS[name]([Interval(x, x + F(1, 2**90))], 64)
        assert found is not None
        assert found.low == found.high or narrow(found, 50), (x, found)


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("bits", [30, 200])
def test_precision_is_a_choice(name, bits):
    for x in draws(name, 5, 4):
        with mpmath.workdps(100):
            found = FUNCTIONS[name]([point(x)], bits)
            assert holds(found, value(name, x))
            assert found.low == found.high or narrow(found, bits - 6)


@pytest.mark.parametrize("name", RANGES)
def test_a_number_beside_the_value_is_told_from_it(name):
    """What is off by a part in 2**45 is outside, on both sides."""
    for x in draws(name, 10, 5):
        found, true = FUNCTIONS[name]([point(x)], 64), value(name, x)
        for off in (1 - mpmath.mpf(2) ** -45, 1 + mpmath.mpf(2) ** -45):
            assert true == 0 or not holds(found, true * off)


@pytest.mark.parametrize("name", ["max", "min"])
def test_functions_of_two_arguments(name):
    stream = random.Random(name)
    for _ in range(40):
        a, b = F(stream.randint(1, 4000), 97), F(stream.randint(1, 4000), 89)
        found = FUNCTIONS[name]([point(a), point(b)], 64)
        assert holds(found, value(name, a, b)), (a, b)
        assert narrow(found, 55)
        wider = [Interval(a, a + 1), Interval(b * F(9, 10), b)]
        found = FUNCTIONS[name](wider, 64)
        for x, y in itertools.product(
            (wider[0].low, wider[0].high), (b, b * F(19, 20), b * F(9, 10))
        ):
            assert holds(found, value(name, x, y)), (x, y)


def test_exact_values_are_points():
    third = point(F(1, 3))
    assert multiply(third, point(3)) == point(1)
    assert subtract(third, third) == point(0)
    exact = {
        "exp": (0, 1),
        "log": (1, 0),
        "sqrt": (F(4, 9), F(2, 3)),
        "erf": (0, 0),
        "erfc": (0, 1),
    }
    exact |= {"sin": (0, 0), "cos": (0, 1)}
    exact |= {"atan": (0, 0), "asin": (0, 0), "acos": (1, 0), "acosh": (1, 0), "atanh": (0, 0)}
    for name, (x, y) in exact.items():
        assert FUNCTIONS[name]([point(F(x))], 64) == point(F(y)), name
    assert power(point(8), point(F(1, 3))) == point(2)
    assert power(point(F(4, 9)), point(F(-3, 2))) == point(F(27, 8))


def test_constants():
    for bits in (64, 150):
        assert holds(FUNCTIONS["pi"]([], bits), +mpmath.pi)
        assert narrow(FUNCTIONS["pi"]([], bits), bits - 3)


def test_undefined_points_give_nothing():
    outside = {
        "log": (UNIT, BELOW_0, point(0)),
        "sqrt": (Interval(F(-1, 10**9), F(1)),),
        "asin": (Interval(F(0), F(1) + F(1, 10**30)),),
        "acos": (point(-2),),
        "atanh": (UNIT, point(-1)),
        "acosh": (OPEN_UNIT, point(0)),
        "coth": (UNIT, point(0), REALS),
    }
    for name, cases in outside.items():
        for u in cases:
            assert FUNCTIONS[name]([u], 64) is None, (name, u)


def test_open_ends_at_the_edge_of_a_domain():
    assert FUNCTIONS["log"]([OPEN_UNIT], 64) == BELOW_0
    assert FUNCTIONS["exp"]([BELOW_0], 64) == OPEN_UNIT
    assert FUNCTIONS["exp"]([REALS], 64) == POSITIVE
    assert FUNCTIONS["sqrt"]([UNIT], 64) == UNIT
    assert FUNCTIONS["sqrt"]([OPEN_UNIT], 64) == OPEN_UNIT
    assert FUNCTIONS["erf"]([REALS], 64) == Interval(F(-1), F(1), True, True)
    assert FUNCTIONS["erfc"]([POSITIVE], 64) == OPEN_UNIT
    assert FUNCTIONS["cos"]([Interval(F(0), F(1), True, False)], 64).high_open
    assert not FUNCTIONS["cos"]([Interval(F(-1), F(1), True, False)], 64).high_open
    assert FUNCTIONS["coth"]([POSITIVE], 64) == Interval(F(1), None, True, True)
    assert FUNCTIONS["floor"]([OPEN_UNIT], 64) == point(0)
    assert FUNCTIONS["floor"]([UNIT], 64) == UNIT
    assert FUNCTIONS["ceiling"]([OPEN_UNIT], 64) == point(1)
    assert FUNCTIONS["sign"]([OPEN_UNIT], 64) == point(1)
    assert FUNCTIONS["sign"]([UNIT], 64) == UNIT
    assert FUNCTIONS["sign"]([REALS], 64) == Interval(F(-1), F(1))


def test_open_and_infinite_ends_in_arithmetic():
    assert multiply(OPEN_UNIT, UNIT) == Interval(F(0), F(1), False, True)
    assert multiply(OPEN_UNIT, OPEN_UNIT) == OPEN_UNIT
    assert multiply(OPEN_UNIT, POSITIVE) == POSITIVE
    assert multiply(UNIT, POSITIVE) == Interval(F(0), None, False, True)
    assert multiply(point(0), REALS) == point(0)
    assert multiply(BELOW_0, POSITIVE) == BELOW_0
    assert multiply(REALS, OPEN_UNIT) == REALS
    assert multiply(
        Interval(F(-1), F(2), True, False), Interval(F(0), F(3), True, True)
    ) == Interval(F(-3), F(6), True, True)
    assert multiply(Interval(F(-1), F(0)), OPEN_UNIT) == Interval(F(-1), F(0), True, False)
    assert add(OPEN_UNIT, UNIT) == Interval(F(0), F(2), True, True)
    assert add(POSITIVE, BELOW_0) == REALS
    assert reciprocal(OPEN_UNIT) == Interval(F(1), None, True, True)
    assert reciprocal(UNIT) is None
    assert reciprocal(BELOW_0) == BELOW_0
    assert reciprocal(Interval(F(2), None, False, True)) == Interval(F(0), F(1, 2), True, False)
    assert reciprocal(Interval(F(-1), F(1))) is None
    assert maximum(OPEN_UNIT, point(0)) == OPEN_UNIT
    assert maximum(UNIT, point(0)) == UNIT
    assert minimum(UNIT, OPEN_UNIT) == Interval(F(0), F(1), False, True)
    assert absolute(Interval(F(-2), F(1), True, False)) == Interval(F(0), F(2), False, True)
    assert hull(OPEN_UNIT, point(1)) == Interval(F(0), F(1), True, False)
    assert intersect(OPEN_UNIT, point(1)) is None


def test_powers():
    u = Interval(F(-1), F(2), True, False)
    assert power(u, point(2)) == Interval(F(0), F(4))
    assert power(u, point(3)) == Interval(F(-1), F(8), True, False)
    assert power(u, point(0)) == point(1)
    assert power(u, point(-1)) is None
    assert power(u, point(F(1, 2))) is None
    assert power(OPEN_UNIT, point(-2)) == Interval(F(1), None, True, True)
    assert power(BELOW_0, point(-3)) == BELOW_0
    assert power(BELOW_0, point(-2)) == POSITIVE
    assert power(UNIT, point(F(3, 2))) == UNIT
    assert power(UNIT, point(F(-1, 2))) is None
    assert power(UNIT, OPEN_UNIT) == UNIT
    assert power(OPEN_UNIT, POSITIVE) == OPEN_UNIT
    assert power(point(0), OPEN_UNIT) == point(0)
    assert power(UNIT, UNIT) is None
    for base, exponent in itertools.product(
        (F(2, 7), F(19, 3)), (F(5, 7), F(-9, 40), F(22), F(1, 1000))
    ):
        found = power(point(base), point(exponent))
        assert holds(found, value("power", base, exponent))
        assert narrow(found, 55)


def test_enormous_arguments_end_in_bounds_and_soon():
    huge, small = point(F(10) ** 9), F(1, 2**FAR)
    found = FUNCTIONS["exp"]([huge], 64)
    assert found.high is None
    assert found.low > 2**1000
    assert FUNCTIONS["exp"]([negate(huge)], 64) == Interval(F(0), small, True, True)
    assert FUNCTIONS["exp"]([negate(huge)], 64).positive
    back = FUNCTIONS["log"]([FUNCTIONS["exp"]([point(10**5)], 64)], 64)
    assert back.contains(F(10**5))
    assert narrow(back, 50)
    assert FUNCTIONS["erfc"]([huge], 64).positive
    assert FUNCTIONS["erf"]([huge], 64).high <= 1
    assert power(huge, huge).high is None
    assert power(point(F(1, 2)), huge).positive
    assert within(FUNCTIONS["sin"]([point(F(10) ** 3000)], 64), Interval(F(-1), F(1)))
    tiny = point(F(1, 10**6000))
    for name in ("log", "erf", "sin", "atan", "sqrt", "asin"):
        assert FUNCTIONS[name]([tiny], 64) is not None
    assert FUNCTIONS["exp"]([point(1)], 10**9) is not None


def test_relative_precision_of_small_values():
    for name, x in (
        ("erfc", F(20)),
        ("exp", F(-700)),
    ):
        found = FUNCTIONS[name]([point(x)], 64)
        assert holds(found, value(name, x))
        assert narrow(found, 58)
    with mpmath.workdps(120):
        for name in ("log",):
            found = FUNCTIONS[name]([point(1 + F(1, 10**40))], 64)
            assert holds(found, value(name, 1 + F(1, 10**40)))
            assert narrow(found, 58)


def test_facts_that_fail_by_a_hair_are_not_shown():
    """e**pi - pi is 19.9990999..., and exp(pi sqrt(163)) is an integer less 7.5e-13."""
    pi = FUNCTIONS["pi"]([], 128)
    almost = FUNCTIONS["exp"]([multiply(pi, FUNCTIONS["sqrt"]([point(163)], 128), 128)], 128)
    gap = subtract(point(640320**3 + 744), almost, 128)
    assert gap.positive
    assert gap.high < F(1, 10**12)
    coarse = FUNCTIONS["exp"]([multiply(pi, FUNCTIONS["sqrt"]([point(163)], 32), 32)], 32)
    assert coarse.contains(F(640320**3 + 744))


def test_what_is_no_interval_is_refused():
    for ends in ((F(1), F(0)), (F(1), F(1), True, False), (None, F(0)), (F(0), None)):
        with pytest.raises(ValueError, match="must hold a number"):
            Interval(*ends)


@pytest.mark.parametrize("scale", range(4, 16))
def test_what_a_sum_leaves_out_is_counted(scale):
    """The geometric series of 3/4 is 4, which no partial sum reaches."""
    one, t = 1 << scale, 3 << (scale - 2)
    low, high = enclosure._series((one, one), (t, t), scale, lambda n: (1, 1))
    assert low <= 4 * one <= high
    low, high = enclosure._series((one, one), (one // 2, one // 2), scale, lambda n: (1, 1))
    assert low < 2 * one <= high


# --- one interval inside another -----------------------------------------------------------------------

NUMBERS = fractions(-40, 40, max_denominator=10**4)


@composite
def nested(draw):
    """An interval, and another one that holds it."""
    a, b, c, d = sorted(draw(NUMBERS) for _ in range(4))
    flags = [draw(booleans()) for _ in range(4)]
    inner = Interval(b, c, flags[0], flags[1]) if b < c else point(b)
    low_open = flags[2] and (a < b or inner.low_open)
    high_open = flags[3] and (c < d or inner.high_open)
    return inner, Interval(a, d, low_open, high_open) if a < d else point(a)


@settings(max_examples=150, deadline=None)
@given(nested(), sampled_from(sorted(RANGES)))
def test_a_larger_argument_has_a_larger_value(pair, name):
    """Up to rounding: two ends that differ are not rounded alike."""
    inner, outer = (FUNCTIONS[name]([u], 64) for u in pair)
    if inner is None:
        assert outer is None
    elif outer is not None:
        assert outer.low is None or inner.low >= outer.low - abs(outer.low) / 2**60
        assert outer.high is None or inner.high <= outer.high + abs(outer.high) / 2**60


@settings(max_examples=150, deadline=None)
@given(nested(), nested(), sampled_from([add, subtract, multiply, divide, maximum, minimum, hull]))
def test_larger_terms_have_a_larger_result(first, second, operation):
    inner, outer = (operation(first[i], second[i]) for i in (0, 1))
    assert outer is None or within(inner, outer)


@settings(max_examples=150, deadline=None)
@given(
    nested(),
    nested(),
    integers(0, 8),
    integers(0, 8),
    sampled_from([add, subtract, multiply, divide]),
)
def test_exact_results_are_held_with_their_open_ends(first, second, i, j, operation):
    """With the ends, where they belong to the interval: this is what openness promises."""
    u, v = first[1], second[1]
    x, y = u.low + (u.high - u.low) * F(i, 8), v.low + (v.high - v.low) * F(j, 8)
    found = operation(u, v)
    if found is not None and u.contains(x) and v.contains(y):
        plain = {add: x + y, subtract: x - y, multiply: x * y}
        assert found.contains(x / y if operation is divide else plain[operation])


@settings(max_examples=100, deadline=None)
@given(nested(), integers(-6, 6), integers(0, 8))
def test_exact_powers_are_held_with_their_open_ends(pair, n, i):
    u = pair[1]
    x = u.low + (u.high - u.low) * F(i, 8)
    found = power(u, point(n))
    if found is not None and u.contains(x):
        assert found.contains(x**n)


@settings(max_examples=100, deadline=None)
@given(builds(F, integers(-(10**30), 10**30), integers(1, 10**30)), integers(8, 80))
def test_rounding_moves_outward_and_opens(x, bits):
    found = add(point(x), point(0), bits)
    assert found == point(x) or found.low < x < found.high
    assert found == point(x) or (found.low_open and found.high_open)
    digits = found.low.numerator // max(1, found.low.numerator & -found.low.numerator)
    assert found == point(x) or digits.bit_length() <= bits
    assert add(found, point(0), bits) == found


def test_only_functions_of_the_table_are_enclosed_and_none_that_lemmas_are_about():
    assert set(enclosure.FUNCTIONS) <= set(ARITIES)
    assert {"gamma", "digamma", "beta", "factorial", "binomial"}.isdisjoint(enclosure.FUNCTIONS)
