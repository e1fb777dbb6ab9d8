"""Integrals by primitives: textbook integrals, and none where the primitive jumps or has no limit."""

import importlib.util
import os
from pathlib import Path

import pytest
import sympy
from sympy.integrals.manualintegrate import _cache_dummy, _integral_cache, manualintegrate

from dpbook import check, derive
from dpbook.engine.budget import Deadline
from dpbook.engine.case import means_on
from dpbook.engine.domain import Bounds, Domain
from dpbook.engine.ladder import RUNGS
from dpbook.engine.methods import primitives
from dpbook.engine.methods.primitives import by_primitive
from dpbook.engine.methods.prover import Prover
from dpbook.engine.tactics import symbolic
from dpbook.kernel import parse_term

ROOT = Path(__file__).resolve().parents[2]
_specification = importlib.util.spec_from_file_location(
    "integrals", ROOT / "benchmarks" / "integrals.py"
)
integrals = importlib.util.module_from_spec(_specification)
_specification.loader.exec_module(integrals)

PROBLEMS = integrals.problems()
# all of them, and the shares, in benchmarks/integrals.py
OPEN = {"secant", "x-over-cosine-squared"}  # no certificate is found of these two
SOME = PROBLEMS if os.environ.get("DPBOOK_FULL") else PROBLEMS[::24]
x, c = sympy.Symbol("x", real=True), sympy.Symbol("c", real=True)


@pytest.mark.parametrize(("name", "lines", "given"), SOME, ids=[row[0] for row in SOME])
def test_value_of_a_textbook_integral_is_proved_and_one_off_by_a_hair_refuted(name, lines, given):
    assert check(f"{lines[0]} = {lines[-1]}", given=given).holds is (name not in OPEN)
    twin = f"{lines[0]} = {integrals.twin(lines[-1])}"
    assert check(twin, given=given).verdict.value == "refuted"


@pytest.mark.parametrize(("name", "lines", "given"), SOME[::2], ids=[row[0] for row in SOME[::2]])
def test_derivation_of_a_textbook_integral_has_no_wrong_line(name, lines, given):
    found = derive(lines, given=given)
    assert found.first_wrong is None


def test_textbook_integrals_are_many_and_have_names_of_their_own():
    names = [name for name, _, _ in PROBLEMS]
    assert len(set(names)) == len(names) >= 200


NO_NUMBER = {
    "pole inside": ("integral(1/x^2, x, -1, 1) = -2", []),
    "odd pole inside": ("integral(1/x, x, -1, 1) = 0", []),
    "pole of a tangent": ("integral(tan(x), x, 0, pi) = 0", []),
    "pole of a secant": ("integral(1/cos(x)^2, x, 0, pi) = 0", []),
    "pole at the lower end": ("integral(x^(-3/2), x, 0, 1) = -2", []),
    "logarithm at the upper end": ("integral(1/(1 - x), x, 0, 1) = 0", []),
    "no decay": ("integral(1/x, x, 1, oo) = 1", []),
    "waves": ("integral(cos(x), x, 0, oo) = 0", []),
    "growing waves": ("integral(exp(x)*cos(x), x, 0, oo) = -1/2", []),
    "exponent too small": ("integral(1/x^p, x, 1, oo) = 1/(p - 1)", ["p > 1/2", "p != 1"]),
    "exponent too small at zero": (
        "integral(x^a*log(x), x, 0, 1) = -1/(a + 1)^2",
        ["a > -2", "a != -1"],
    ),
    "sign of the rate open": ("integral(exp(-a*x), x, 0, oo) = 1/a", ["a != 0"]),
    "root of a negative": ("integral(1/sqrt(x), x, -1, 4) = 4", []),
}
JUMPS = {
    "half angle": ("integral(1/(2 + cos(x)), x, 0, 2*pi) = 0", []),
    "half angle, other end": ("integral(1/(2 + sin(x)), x, 0, 2*pi) = 0", []),
    "arctangent of a reciprocal": ("integral(-1/(1 + x^2), x, -1, 1) = pi/2", []),
    "sine of an arcsine": ("integral(cos(x)/sqrt(1 - sin(x)^2/2), x, 0, 2*pi) = 1", []),
    "square root of a square": ("integral(x/sqrt(x^2 + 1), x, -1, 1) = 1/1000", []),
}


@pytest.mark.parametrize("name", [*NO_NUMBER, *JUMPS])
def test_integral_without_a_value_and_value_beside_a_jump_are_never_proved(name):
    statement, given = {**NO_NUMBER, **JUMPS}[name]
    assert check(statement, given=given).verdict.value != "proved"


def means(*conditions):
    domain = Domain((c,), {c: Bounds()}, ())
    return means_on(Prover(RUNGS, Deadline.after(20), 0, ()), domain, [])


def test_search_that_was_ended_leaves_nothing_behind():
    # SymPy marks an integral as begun, and an alarm may end it before the mark is taken away
    f = (1 + x**2) ** -2
    _integral_cache[f.xreplace({x: _cache_dummy})] = None
    assert manualintegrate(f, x).has(sympy.Integral)  # the mark is why `forget` is needed
    assert symbolic.primitive(parse_term("(1 + x^2)^(-2)"), "x") is not None
    _integral_cache[f.xreplace({x: _cache_dummy})] = None
    found = by_primitive(f, x, sympy.S.Zero, sympy.S.One, means())
    assert sympy.simplify(found - sympy.pi / 8 - sympy.Rational(1, 4)) == 0


def proposing(monkeypatch, *found):
    monkeypatch.setattr(primitives, "_proposals", lambda body, v: iter(found))


def test_proposal_is_taken_only_with_the_right_derivative(monkeypatch):
    proposing(monkeypatch, x**3 / 3 + x / 1000, sympy.sin(x))
    assert by_primitive(x**2, x, sympy.S.Zero, sympy.S.One, means()) is None
    proposing(monkeypatch, sympy.sin(x), x**3 / 3 + 7)
    found = by_primitive(x**2, x, sympy.S.Zero, sympy.S.One, means())
    assert sympy.expand(found) == sympy.Rational(1, 3)


@pytest.mark.parametrize(
    "jumping",
    [
        sympy.floor(x),
        sympy.sign(x),
        sympy.Abs(x),
        sympy.Heaviside(x),
        sympy.Piecewise((0, x < 0), (1, True)),
        c**x,
        sympy.gamma(x),
    ],
)
def test_function_that_may_jump_makes_no_primitive(jumping):
    assert not primitives._continuous(jumping + x, x)
    assert primitives._continuous(sympy.sqrt(x) * sympy.log(1 + x) / sympy.atan(x), x)


def test_primitive_with_a_jump_is_refused(monkeypatch):
    # the derivative of both is 1/(1 + x^2), but that of the first jumps at 0
    jumping, smooth = -sympy.atan(1 / x), sympy.atan(x)
    proposing(monkeypatch, jumping)
    assert by_primitive(1 / (1 + x**2), x, -sympy.S.One, sympy.S.One, means()) is None
    proposing(monkeypatch, jumping, smooth)
    assert by_primitive(1 / (1 + x**2), x, -sympy.S.One, sympy.S.One, means()) == sympy.pi / 2


def test_end_without_a_limit_is_refused(monkeypatch):
    proposing(monkeypatch, sympy.log(x))
    assert by_primitive(1 / x, x, sympy.S.Zero, sympy.S.One, means()) is None
    assert by_primitive(1 / x, x, sympy.S.One, sympy.oo, means()) is None
    proposing(monkeypatch, sympy.sin(x))
    assert by_primitive(sympy.cos(x), x, sympy.S.Zero, sympy.oo, means()) is None


def test_limits_at_ends_are_those_that_are_certain():
    far = primitives._limit
    assert far(x * sympy.log(x), x, sympy.S.Zero, True) == 0
    assert far(sympy.log(x) / x, x, sympy.oo, False) == 0
    assert far(sympy.exp(-x) * sympy.sin(x) * x, x, sympy.oo, False) == 0
    assert far(sympy.sin(x), x, sympy.oo, False) is None
    assert far(sympy.exp(x) * sympy.sin(x), x, sympy.oo, False) is None
