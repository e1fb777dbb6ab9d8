"""The Z3 rung: true axioms, no proof of a false statement, the standard hard ones."""

import random

import mpmath
import pytest
import sympy as sp

from dpbook.engine.methods import axioms, smt

x, y, z, u, v, a, b, c, d, n, p, q = sp.symbols("x y z u v a b c d n p q", real=True)

FUNCTIONS = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "tanh": mpmath.tanh,
    "cosh": mpmath.cosh,
    "sinh": mpmath.sinh,
    "erf": mpmath.erf,
    "atan": mpmath.atan,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "gamma": mpmath.gamma,
    "factorial": mpmath.factorial,
    "floor": mpmath.floor,
    "ceiling": mpmath.ceil,
}


def holds(tree):
    """Evaluate a formula at numbers of 80 digits, up to rounding."""
    if tree[0] in ("and", "or"):
        return (all if tree[0] == "and" else any)(holds(t) for t in tree[1])
    value, op = tree
    tiny = mpmath.mpf(10) ** -50
    # equalities and strict signs are judged with room, so that rounding excuses no axiom
    return {
        "==": abs(value) <= tiny,
        "!=": abs(value) > tiny,
        "<": value < tiny,
        "<=": value <= tiny,
        ">": value > -tiny,
        ">=": value >= -tiny,
    }[op]


def arguments(kind, rng):
    """Points at several scales, with the special ones."""
    special = [0, 1, -1, 2, -2, 3, "0.5", "-0.5", "1e-9", "-1e-9", "1.0000001", "3.141592653"]
    points = [mpmath.mpf(s) for s in special]
    points += [mpmath.mpf(rng.uniform(-w, w)) for w in (0.01, 1, 2, 4, 12) for _ in range(12)]
    if kind == "log":
        points = [t for t in points if t > 0]
    if kind == "gamma":
        points = [t for t in points if t > 0 or t != mpmath.floor(t)]
    if kind == "factorial":
        points = [mpmath.mpf(k) for k in range(12)]
    return points


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(80):
        yield


@pytest.mark.parametrize("name", sorted(axioms.UNARY))
def test_an_axiom_of_one_term_holds_at_all_points(name):
    kind, _, rule = axioms.UNARY[name]
    for t in arguments(kind, random.Random(name)):
        assert all(map(holds, rule(t, FUNCTIONS[kind](t)))), (name, t)


@pytest.mark.parametrize("name", sorted(axioms.PAIRS))
def test_an_axiom_of_two_terms_holds_at_all_points(name):
    kind, _, rule = axioms.PAIRS[name]
    points = arguments(kind, random.Random(name))[::2]
    f = FUNCTIONS[kind]
    for s in points:
        for t in points:
            assert all(map(holds, rule(s, f(s), t, f(t)))), (name, s, t)


@pytest.mark.parametrize("name", sorted(axioms.MIXED))
def test_an_axiom_of_two_kinds_holds_at_all_points(name):
    first, second, _, rule = axioms.MIXED[name]
    f, g = FUNCTIONS[first], FUNCTIONS[second]
    rng = random.Random(name)
    others = arguments(second, rng)[::2]
    for s in arguments(first, rng)[::2]:
        near = [s, -s * s, s * s / 2, mpmath.log(abs(s) + 1), mpmath.exp(min(s, 5))]
        for t in others + [t for t in near if second != "log" or t > 0]:
            assert all(map(holds, rule(s, f(s), t, g(t)))), (name, s, t)


def bases(rng):
    return [mpmath.mpf(s) for s in ("1", "2", "0.5", "1e-6", "1.000001", "30")] + [
        mpmath.mpf(rng.uniform(0, w)) for w in (1, 2, 9) for _ in range(5)
    ]


def exponents(rng):
    return [mpmath.mpf(s) for s in ("0", "1", "-1", "2", "0.5", "1e-6", "0.999")] + [
        mpmath.mpf(rng.uniform(-w, w)) for w in (1, 3, 8) for _ in range(5)
    ]


@pytest.mark.parametrize("name", sorted(axioms.POWERS))
def test_an_axiom_of_a_power_holds_at_all_points(name):
    rng = random.Random(name)
    for s in bases(rng):
        for t in exponents(rng):
            assert all(map(holds, axioms.POWERS[name][1](s, t, s**t))), (name, s, t)


@pytest.mark.parametrize("name", sorted(axioms.POWER_PAIRS))
def test_an_axiom_of_two_powers_holds_at_all_points(name):
    rng = random.Random(name)
    rule = axioms.POWER_PAIRS[name][1]
    for _ in range(4000):
        s, t = rng.choice(bases(rng)), rng.choice(exponents(rng))
        s2 = rng.choice([s, rng.choice(bases(rng))])
        t2 = rng.choice([t, rng.choice(exponents(rng))])
        assert all(map(holds, rule(s, t, s**t, s2, t2, s2**t2))), (name, s, t, s2, t2)


@pytest.mark.parametrize("name", sorted(axioms.POWER_MIXED))
def test_an_axiom_of_a_power_and_a_log_holds_at_all_points(name):
    kind, _, rule = axioms.POWER_MIXED[name]
    rng = random.Random(name)
    for s in bases(rng):
        for t in exponents(rng):
            for w in (s, s + 1):
                assert all(map(holds, rule(s, t, s**t, w, FUNCTIONS[kind](w)))), (name, s, t)


def test_a_false_axiom_would_be_noticed():
    points = arguments("exp", random.Random(0))
    assert not all(holds((mpmath.exp(t) - 1 - t - t * t / 2, ">=")) for t in points)
