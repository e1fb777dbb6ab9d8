"""Statements that a reader takes for granted: each has a certificate, and false by a hair it has none."""

import pytest
from sympy import Integer, Rational, log, sqrt

from dpbook import check, derive, symbol
from dpbook.engine.language.statement import Order
from dpbook.engine.language.verdict import Verdict

WHOLE = ("n in integers", "n >= 1")
TURN = ("x > -pi/2", "x < pi/2")
ACUTE = ("cos(x) > 0", "cos(y) > 0", "cos(x + y) > 0")
PAIRS = ("n in integers", "k in integers", "k >= 0", "n >= k")

PROVED = [
    ("floor(-x) = -ceiling(x)", ()),
    ("floor(n/2) + ceiling(n/2) = n", ("n in integers",)),
    ("(x^2 - 2)^2 > 0", ("x in integers",)),
    ("sum(1/k^2, k, 1, n) < 2", WHOLE),
    ("integral(sign(x), x, -1, 2) = 1", ()),
    ("integral(floor(x), x, 0, 5/2) = 2", ()),
    ("integral(ceiling(x), x, 0, 2) = 3", ()),
    ("integral(x*floor(2*x), x, 0, 1) = 3/8", ()),
    ("integral(Piecewise((x, x < 1), (1, True)), x, 0, 2) = 3/2", ()),
    ("integral(Piecewise((1, x > 1), (a*x, True)), x, 0, 2) = 1 + a/2", ("a > 0",)),
    ("integral(1/x, x, 1, p) = log(p)", ("p >= 1",)),
    ("integral(x*exp(-a*x^2), x, 0, oo) = 1/(2*a)", ("a > 0",)),
    ("integral(2*t, t, 0, x) = x^2", ("x >= 0",)),
    ("integral(2*t, t, 0, x) = x^2", ()),
    ("integral(1/x, x, 1, p) = log(p)", ("p > 0",)),
    ("integral(exp(t), t, a, b) = exp(b) - exp(a)", ()),
    ("floor(floor(x)/2) = floor(x/2)", ()),
    ("ceiling(ceiling(x)/3) = ceiling(x/3)", ()),
    ("floor(x) = 2", ("x >= 2", "x < 3")),
    ("x >= 2 and x < 3", ("floor(x) = 2",)),
    ("(x > 1 and x < 2) or x <= 1 or x >= 2", ()),
    ("(x > 0 and y > 0) or (x < 0 and y < 0)", ("x*y > 0",)),
    ("(x = 1 and y = 2) or (x = 2 and y = 1)", ("x + y = 3", "x*y = 2")),
    ("atan(tan(x)) = x", TURN),
    ("tan(atan(x)) = x", ()),
    ("asin(sin(x)) = x", TURN),
    ("cos(acos(x)) = x", ("x >= -1", "x <= 1")),
    ("acosh(cosh(x)) = abs(x)", ()),
    ("x = y", ("sinh(x) = sinh(y)",)),
    ("4*atan(1/5) - atan(1/239) = pi/4", ()),
    ("atan(1) + atan(2) + atan(3) = pi", ()),
    ("cos(pi/7)*cos(2*pi/7)*cos(3*pi/7) = 1/8", ()),
    ("sin(pi/10)*sin(3*pi/10) = 1/4", ()),
    ("sin(3*x) = 3*sin(x) - 4*sin(x)^3", ()),
    ("sin(x + y)*sin(x - y) = sin(x)^2 - sin(y)^2", ()),
    ("sin(x + pi/3) + sin(x - pi/3) = sin(x)", ()),
    ("cos(pi/12) = (sqrt(6) + sqrt(2))/4", ()),
    ("sin(x + pi/4) = (sin(x) + cos(x))/sqrt(2)", ()),
    ("tan(x + y) = (tan(x) + tan(y))/(1 - tan(x)*tan(y))", ACUTE),
    ("x = y", ("exp(x) = exp(y)",)),
    ("n^2 != 2*m^2", ("n in integers", "m in integers", "m >= 1")),
    ("n^3 != 5*m^3", ("n in integers", "m in integers", "m != 0")),
    ("n = 0", ("n in integers", "m in integers", "n^2 = 2*m^2")),
    ("binomial(n, k) <= 2^n", PAIRS),
    ("sum(1/2^k, k, 0, oo) = 2", ()),
    ("sum(x^k, k, 0, oo) = 1/(1 - x)", ("abs(x) < 1",)),
    ("sum(a*x^k, k, 0, oo) = a/(1 - x)", ("abs(x) < 1",)),
    ("sum(1/2^k + 1/3^k, k, 0, oo) = 7/2", ()),
    ("sum(k*x^k, k, 0, oo) = x/(1 - x)^2", ("x > 0", "x < 1")),
    ("sum(1/(k*(k + 1)), k, 1, oo) = 1", ()),
    ("sum(1/k^2, k, 1, oo) < 2", ()),
    ("sum(1/k^2, k, 1, oo) > 3/2", ()),
]

FALSE = [
    ("floor(-x) = 1 - ceiling(x)", ()),
    ("floor(x/2) + ceiling(x/2) = x", ()),
    ("(x^2 - 4)^2 > 0", ("x in integers",)),
    ("sum(1/k^2, k, 1, n) < 8/5", WHOLE),
    ("integral(sign(x), x, -1, 2) = 2", ()),
    ("integral(floor(x), x, 0, 5/2) = 3", ()),
    ("integral(ceiling(x), x, 0, 2) = 2", ()),
    ("integral(floor(1/x), x, 0, 1) = 1", ()),
    ("integral(Piecewise((x, x < 1), (1, True)), x, 0, 2) = 1", ()),
    ("integral(2*t, t, 0, x) = x*abs(x)", ()),
    ("integral(1/x, x, 1, p) = log(p)", ("p > -1",)),
    ("integral(exp(t), t, b, a) = exp(b) - exp(a)", ()),
    ("floor(ceiling(x)/2) = floor(x/2)", ()),
    ("floor(x) = 2", ("x >= 2", "x <= 3")),
    ("x > 2", ("floor(x) = 2",)),
    ("atan(tan(x)) = x", ("x > -pi/2", "x < 2")),
    ("acos(cos(x)) = x", TURN),
    ("acosh(cosh(x)) = x", ()),
    ("x = y", ("cosh(x) = cosh(y)",)),
    ("4*atan(1/5) - atan(1/238) = pi/4", ()),
    ("atan(1) + atan(2) + atan(3) = 0", ()),
    ("cos(pi/7)*cos(2*pi/7)*cos(3*pi/7) = 1/7", ()),
    ("sin(3*x) = 3*sin(x) - 4*cos(x)^3", ()),
    ("cos(pi/12) = (sqrt(6) - sqrt(2))/4", ()),
    ("tan(x + y) = (tan(x) + tan(y))/(1 - tan(x)*tan(y))", ACUTE[:2]),
    ("x = y", ("sin(x) = sin(y)",)),
    ("n^2 != 4*m^2", ("n in integers", "m in integers", "m >= 1")),
    ("n^2 != 2*m^2", ("n in integers", "m in integers", "m >= 0")),
    ("n^2 != 2*m^2", ("m in integers", "m >= 1")),
    ("binomial(n, k) < 2^n", PAIRS),
    ("binomial(n, k) <= 2^(n - 1)", PAIRS),
    ("sum(1/2^k, k, 0, oo) = 3", ()),
    ("sum(x^k, k, 0, oo) = 1/(1 - x)", ("x < 1",)),
    ("sum(2^k, k, 0, oo) = -1", ()),
    ("sum(1/(k*(k + 1)), k, 1, oo) = 2", ()),
    ("sum(1/k, k, 1, oo) < 100", ()),
    ("sum(1/k^2, k, 1, oo) < 8/5", ()),
    ("(x > 1 and x < 2) or x < 1 or x >= 2", ()),
    ("(x > 0 and y > 0) or (x < 0 and y < 0)", ("x*y >= 0",)),
    ("(x = 1 and y = 2) or (x = 2 and y = 1)", ("x + y = 3", "x*y >= 2")),
]

LINES = [
    (["floor(x) = 2", "x >= 2 and x < 3"], (), True),
    (["floor(x) = 2", "x >= 2 and x <= 3"], (), False),
    (["integral(2*t, t, 0, x)", "x^2"], (), True),
    (["integral(2*t, t, 0, x)", "x^2 + x"], (), False),
    (["sinh(x) = sinh(y)", "x = y"], (), True),
    (["sum(x^k, k, 0, oo)", "1/(1 - x)"], ("abs(x) < 1",), True),
    (["sum(x^k, k, 0, oo)", "1/(1 + x)"], ("abs(x) < 1",), False),
    (["n^2 = 2*m^2", "n = 0 and m = 0"], ("n in integers", "m in integers"), True),
    (["n^2 = 4*m^2", "n = 0 and m = 0"], ("n in integers", "m in integers"), False),
]


@pytest.mark.parametrize(("statement", "given"), PROVED, ids=[one for one, _ in PROVED])
def test_what_is_simple_has_a_certificate(statement, given):
    found = check(statement, given=given)
    assert found.verdict is Verdict.PROVED
    assert "kernel" in found.trusted


@pytest.mark.parametrize(("statement", "given"), FALSE, ids=[one for one, _ in FALSE])
def test_what_is_false_by_a_hair_has_none(statement, given):
    assert check(statement, given=given, time_limit=3).verdict is not Verdict.PROVED


@pytest.mark.parametrize(("lines", "given", "right"), LINES, ids=str)
def test_a_line_that_is_open_without_a_certificate_is_right_by_one(lines, given, right):
    found = derive(lines, given=given)
    assert (found.verdict is Verdict.PROVED) is right


n = symbol("n", integer=True, at_least=1)


@pytest.mark.parametrize(
    ("f", "limit", "proved"),
    [
        ((-1) ** n / n, 0, True),
        (log(n) / n, 0, True),
        (log(n) / n, Rational(1, 2), False),
        ((-1) ** n, 0, False),
        (sqrt(n**2 + n) - n, Rational(1, 2), True),
        (sqrt(n**2 + n) - n, Rational(1, 3), False),
        (Rational(1, 2) ** n, 0, True),
        (symbol("a", above=-1, below=1) ** n, 0, True),
        (symbol("b", above=-1, at_most=1) ** n, 0, False),
    ],
    ids=str,
)
def test_limits_are_proved_from_a_rate_that_is_tried(f, limit, proved):
    found = check(Order(f, 1, n, limit=limit))
    assert (found.verdict is Verdict.PROVED) is proved
    assert not proved or "kernel" in found.trusted


def test_limit_of_a_power_is_proved_from_its_base():
    from dpbook.engine.language.task import make_task
    from dpbook.engine.prove.certify import certify

    a = symbol("a", above=0, below=1)
    assert certify(make_task(Order(a**n, Integer(1), n, limit=0))) is not None
    b = symbol("b", above=0, at_most=1)
    assert certify(make_task(Order(b**n, Integer(1), n, limit=0)), depths=(0, 1)) is None
