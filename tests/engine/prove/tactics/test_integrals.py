"""Values of integrals: true ones get a certificate that the kernel accepts, false ones none."""

import pytest

from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.tactics.core import Node, Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel import Rejected, check
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import Sequent
from tests.effort import effort

GOALS = 60
FEW = effort(12, GOALS)  # of the true ones but one, none takes more than nine


def certificate(
    variables: str, given: str, goal: str, budget: int = GOALS
) -> tuple[Sequent, Node | None]:
    names = dict(v.split(":") for v in variables.split())
    s = sequent_from_json(
        {"variables": names, "given": [g for g in given.split("; ") if g], "goal": goal}
    )
    return s, Search(TACTICS, {}, budget).solve(s, (0, 1))


SLOPE = "t^(a - 1)*(1 - t)^(b - 1)*(a - (a + b)*t)"
SLICES = "integral((1 - t)^(a - 1)*x^(b - 1)*(t - x)^(c - 1), x, 0, t)"

TRUE = [
    (
        "s:real m:real",
        "s > 0",
        "integral(exp(-(t - m)^2/(2*s^2))/((2*pi)^(1/2)*s), t, -oo, oo) == 1",
    ),
    (
        "s:real m:real",
        "s > 0",
        "integral(t^2*exp(-(t - m)^2/(2*s^2))/((2*pi)^(1/2)*s), t, -oo, oo) == m^2 + s^2",
    ),
    ("r:real", "r > 0", "integral(t*r*exp(-r*t), t, 0, oo) == 1/r"),
    ("r:real c:real", "r > 0", "integral(r*exp(-r*t), t, c, oo) == exp(-r*c)"),
    ("r:real c:real", "r > 0", "integral(r*exp(r*t), t, -oo, c) == exp(r*c)"),
    ("b:real m:real", "b > 0", "integral(exp(-abs(t - m)/b)/(2*b), t, -oo, oo) == 1"),
    ("a:real", "a > 0", "integral(t^(a - 1)*(1 - t), t, 0, 1) == 1/(a*(a + 1))"),
    ("L:real r:real", "L > 0; r > 0", "integral(r*exp(-r*t), t, 0, L) == 1 - exp(-r*L)"),
    ("d:real", "d >= 0", "integral(max(0, t - d), t, 0, d + 1) == 1/2"),
    (
        "D:real",
        "D > 0",
        "integral(max(0, exp(-(t - D)^2/2)/(2*pi)^(1/2) - exp(-t^2/2)/(2*pi)^(1/2)), t, -oo, oo)"
        " == erf(D/8^(1/2))",
    ),
    (
        "r:real w:real",
        "r > 0; w > 1",
        "integral(max(0, r*exp(-r*t) - w*r*exp(-w*r*t)), t, 0, oo) == (1 - 1/w)*w^(-1/(w - 1))",
    ),
    ("x:real", "x >= 0", "defined(integral(1/(1 + t^4), t, 0, x))"),
    ("x:real", "x > 0", "integral(atan(t), t, 0, x) == x*atan(x) - log(1 + x^2)/2"),
    ("a:real", "a > 0", "integral(1/t^3, t, a, oo) == 1/(2*a^2)"),
    # a multiple of the derivative of t^a (1 - t)^b, up to an end where it is not defined
    ("a:real b:real", "a > 0; b > 0", f"integral({SLOPE}, t, 0, 1/2) == 2^(-a - b)"),
    (
        "a:real b:real m:real",
        "a > 0; b > 0; m > 0; m < 1",
        f"integral({SLOPE}, t, m, 1) == -m^a*(1 - m)^b",
    ),
    (
        "a:real b:real c:real",
        "a > 0; b > 0; c > 0",
        "integral(x^(a - 1)*(c - x)^(b - 1), x, 0, c) == c^(a + b - 1)*beta(a, b)",
    ),
    (
        "a:real b:real c:real",
        "a > 0; b > 0; c > 0",
        f"integral({SLICES}, t, 0, 1) == gamma(a)*gamma(b)*gamma(c)/gamma(a + b + c)",
    ),
    ("s:real", "", "defined(integral(abs(x - 2*s)*exp(-x^2/2), x, -oo, oo))"),
    (
        "s:real",
        "",
        "integral(abs(x - 2*s)*exp(-x^2), x, -oo, oo)"
        " <= integral((1 + (x - 2*s)^2)/2*exp(-x^2), x, -oo, oo)",
    ),
]
FALSE = [
    ("a:real b:real", "a > 0; b > 0", f"integral({SLOPE}, t, 0, 1/2) == 2^(-a - b) + 1/1000"),
    # without b > 0 the power has no limit at 1
    (
        "a:real b:real m:real",
        "a > 0; m > 0; m < 1",
        f"integral({SLOPE}, t, m, 1) == -m^a*(1 - m)^b",
    ),
    (
        "a:real b:real",
        "a > 0; b > 0",
        "integral(t^(a - 1)*(1 - t)^(b - 1)*(a - (a + b + 1)*t), t, 0, 1) == 0",
    ),
    (
        "a:real b:real c:real",
        "a > 0; b > 0",
        "integral(x^(a - 1)*(c - x)^(b - 1), x, 0, c) == c^(a + b - 1)*beta(a, b)",
    ),
    (
        "a:real b:real c:real",
        "a > 0; b > 0; c > 0",
        f"integral({SLICES}, t, 0, 1) == gamma(a)*gamma(b)*gamma(c)/gamma(a + b + c + 1)",
    ),
    ("s:real", "", "defined(integral(abs(x - 2*s)/(1 + x^2), x, -oo, oo))"),
    (
        "s:real",
        "",
        "integral(abs(x - 2*s)*exp(-x^2), x, -oo, oo)"
        " <= integral((1 + (x - 2*s)^2)/3*exp(-x^2), x, -oo, oo)",
    ),
    (
        "s:real m:real",
        "s > 0",
        "integral(exp(-(t - m)^2/(2*s^2))/((2*pi)^(1/2)*s), t, -oo, oo) == s",
    ),
    ("s:real", "", "integral(exp(-t^2/s), t, -oo, oo) == (pi*s)^(1/2)"),
    ("r:real", "", "integral(r*exp(-r*t), t, 0, oo) == 1"),
    ("r:real c:real", "r > 0", "integral(r*exp(r*t), t, -oo, c) == exp(-r*c)"),
    ("b:real m:real", "b > 0", "integral(exp(-abs(t - m)/b)/b, t, -oo, oo) == 1"),
    ("a:real", "", "integral(t^(a - 1)*(1 - t), t, 0, 1) == 1/(a*(a + 1))"),
    ("d:real", "d >= 0", "integral(max(0, t - d), t, 0, d + 1) == 1/3"),
    ("x:real", "x >= 0", "defined(integral(1/(1 - t), t, 0, x))"),
    ("a:real", "", "integral(1/t^3, t, a, oo) == 1/(2*a^2)"),
    ("", "", "defined(integral(1/t, t, 1, oo))"),
    ("L:real", "L > 0", "defined(integral(exp(t), t, L, oo))"),
]


@pytest.mark.parametrize("statement", TRUE, ids=lambda s: s[2])
def test_value_is_certified(statement):
    s, node = certificate(*statement)
    assert node is not None
    check(s, explicit(s, node), {})


@pytest.mark.parametrize("statement", FALSE, ids=lambda s: s[2])
def test_false_value_gets_no_certificate(statement):
    _, node = certificate(*statement, budget=FEW)
    assert node is None


MOVED = "integral(exp(t), t, -oo, 0)"


def moved(**fields: str) -> Node:
    auto: Node = {"rule": "auto"}
    premises = [auto, auto, {"rule": "defined"}, auto]
    return {"rule": "move integral", "integral": MOVED, **fields, "premises": premises}


def test_reflection_turns_the_range_round():
    data = {
        "variables": {},
        "given": ["defined(integral((-1)*(-1)*exp(-t + 0), t, (0 - 0)/(-1), oo))"],
        "goal": f"defined({MOVED})",
    }
    s = sequent_from_json(data)
    with pytest.raises(Rejected):  # p < 0 without a reflection
        check(s, moved(scale="-1", shift="0"), {})
    with pytest.raises(Rejected):  # a reflection with p > 0
        check(s, moved(scale="1", shift="0", reflected="yes"), {})
    _, found = certificate("", "", f"{MOVED} == 1")
    assert found is not None
