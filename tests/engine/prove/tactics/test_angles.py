"""Angles: what is too large to be written out is left, and inverse functions keep to their ranges."""

from __future__ import annotations

import pytest

from dpbook.engine.prove.tactics import angles
from dpbook.kernel.table import AXIOMS
from tests.engine.prove.tactics.searched import certificate, rules

NAMES = ("inverted", "arcs", "signs of sines", "angle not 0", "sums of angles", "injective")


def found(goal, *given, **variables):
    sequent = {"variables": variables, "given": list(given), "goal": goal}
    return certificate(sequent, NAMES)


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        ("4*atan(1/5) - atan(1/239) == pi/4", []),
        ("cos(pi/7)*cos(2*pi/7)*cos(3*pi/7) == 1/8", []),
        ("cos(pi/5) == (1 + 5^(1/2))/4", []),
        ("cos(4*x) == 8*cos(x)^4 - 8*cos(x)^2 + 1", []),
        ("atan(tan(x)) == x", ["2*x > -pi", "2*x < pi"]),
        ("sin(x) > 0", ["x > 0", "x < pi"]),
        ("1 - tan(x)^2 != 0", ["cos(x) != 0", "cos(2*x) != 0"]),
        ("x == y", ["sinh(x) == sinh(y)"]),
    ],
)
def test_goal_about_angles_has_a_certificate(goal, given):
    assert found(goal, *given, x="real", y="real")


@pytest.mark.parametrize(
    ("goal", "given"),
    [
        ("4*atan(1/5) - atan(1/239) == -3*pi/4", []),
        ("10^15*atan(1/5) == 3", []),
        ("cos(10^9*x) == cos(x)", []),
        ("cos(pi/1000003) == 1", []),
        ("cos(2*pi/5) == (1 + 5^(1/2))/4", []),
        ("atan(tan(x)) == x", ["2*x > -pi", "2*x <= pi"]),
        ("asin(sin(x)) == x", ["x >= 0", "x <= pi"]),
        ("sin(x) > 0", ["x >= 0", "x < pi"]),
        ("1 - tan(x)^2 != 0", ["cos(x) != 0"]),
        ("x == y", ["cosh(x) == cosh(y)"]),
    ],
)
def test_false_or_too_large_has_none(goal, given):
    assert found(goal, *given, x="real", y="real") is None


def test_every_inverse_has_its_axiom():
    assert set(angles.INVERSES.values()) == {name for name in AXIOMS if " inverts " in name} - {
        "exp inverts log"
    }


def test_arcs_are_added_one_by_one():
    assert rules(found("atan(1) + atan(2) + atan(3) == pi")) == {"axiom", "restate", "auto"}
