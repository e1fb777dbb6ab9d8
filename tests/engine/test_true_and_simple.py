"""Statements that a reader takes for granted: each has a certificate, and false by a hair it has none."""

import pytest
from sympy import Integer, Rational, log

from dpbook import check, symbol
from dpbook.engine.statement import Order
from dpbook.engine.verdict import Verdict

WHOLE = ("n in integers", "n >= 1")

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
]


@pytest.mark.parametrize(("statement", "given"), PROVED, ids=[one for one, _ in PROVED])
def test_what_is_simple_has_a_certificate(statement, given):
    found = check(statement, given=given)
    assert found.verdict is Verdict.PROVED
    assert "kernel" in found.trusted


@pytest.mark.parametrize(("statement", "given"), FALSE, ids=[one for one, _ in FALSE])
def test_what_is_false_by_a_hair_has_none(statement, given):
    assert check(statement, given=given, time_limit=3).verdict is not Verdict.PROVED


n = symbol("n", integer=True, at_least=1)


@pytest.mark.parametrize(
    ("f", "limit", "proved"),
    [
        ((-1) ** n / n, 0, True),
        (log(n) / n, 0, True),
        (log(n) / n, Rational(1, 2), False),
        ((-1) ** n, 0, False),
    ],
    ids=str,
)
def test_limits_are_proved_from_a_rate_that_is_tried(f, limit, proved):
    found = check(Order(f, 1, n, limit=limit), time_limit=3)
    assert (found.verdict is Verdict.PROVED) is proved
    assert not proved or "kernel" in found.trusted


def test_limit_of_a_power_is_proved_from_its_base():
    from dpbook.engine.certify import certify
    from dpbook.engine.task import task_of

    a = symbol("a", above=0, below=1)
    assert certify(task_of(Order(a**n, Integer(1), n, limit=0))) is not None
    b = symbol("b", above=0, at_most=1)
    assert certify(task_of(Order(b**n, Integer(1), n, limit=0)), depths=(0, 1)) is None
