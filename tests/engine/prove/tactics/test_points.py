"""Points of a sequent: what is true is never refuted, what is clearly false is."""

from __future__ import annotations

import numpy as np
import pytest

from dpbook.engine.prove.tactics import points
from dpbook.kernel.environment import Environment
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import Sequent
from dpbook.kernel.terms import parse_term


def sequent(variables: dict[str, str], goal: str, *given: str) -> Sequent:
    return sequent_from_json({"variables": variables, "given": list(given), "goal": goal})


def refuted(s: Sequent) -> bool:
    return points.refuted(s, Environment({}).facts(s))


X = {"x": "real"}
XY = {"x": "real", "y": "real"}
N = {"n": "integer"}

PAIRS = [
    (X, "exp(x) >= 1 + x", "exp(x) >= 1 + 2*x", ()),
    (X, "log(1 + x) <= x", "log(1 + x) >= x", ("x > -1",)),
    (XY, "x + y > 1", "x + y > 2", ("x > 1/2", "y > x")),
    (XY, "x >= y", "x > 3*y", ("x == exp(y)",)),
    (N, "sum(k, k, 1, n) == n*(n + 1)/2", "sum(k, k, 1, n) == n*(n + 2)/2", ("n >= 1",)),
    (X, "abs(x) >= x and max(x, 0) >= 0", "abs(x) >= x and max(x, 0) > 0", ()),
    (X, "x < 1 or x >= 1", "x < 1 or x >= 2", ()),
    (X, "ifgt(x, 0, x, -x) >= 0", "ifgt(x, 0, -x, x) >= 0", ()),
    (XY, "x <= 1 + y", "x <= y", ("x == 0 or x == 1", "y == 0 or y == 1")),
    (N, "floor((2*n + 1)/2) == n", "integer((2*n + 1)/2)", ("n >= 3",)),
]


@pytest.mark.parametrize(("variables", "true", "false", "given"), PAIRS)
def test_only_false_goals_are_refuted(
    variables: dict[str, str], true: str, false: str, given: tuple[str, ...]
) -> None:
    assert not refuted(sequent(variables, true, *given))
    assert refuted(sequent(variables, false, *given))


def test_equal_terms_are_not_refuted_by_rounding() -> None:
    s = sequent(X, "(x + 1)^9 == x*(x + 1)^8 + (x + 1)^8", "x > -1")
    assert not refuted(s)
    assert not refuted(sequent(X, "exp(x)*exp(-x) >= 1"))


def test_contradictory_hypotheses_leave_no_points() -> None:
    s = sequent(X, "0 > 1", "x > 1", "x < 1")
    assert not refuted(s)


def test_points_meet_the_hypotheses() -> None:
    s = sequent(XY, "x > 0", "x > 1", "y < 1/x", "y > 0", "x*y > 1/4")
    at = points.sample(s, Environment({}).facts(s)).at
    assert len(at["x"]) > 0
    assert np.all((at["x"] > 1) & (at["y"] < 1 / at["x"]) & (at["x"] * at["y"] > 0.25))


@pytest.mark.parametrize(
    ("text", "x", "value"),
    [
        ("sum(k*x, k, 1, 4)", 2.0, 20.0),
        ("product(k, k, 1, 5)", 0.0, 120.0),
        ("x^(1/2)", 9.0, 3.0),
        ("factorial(x)", 4.0, 24.0),
        ("tanh(x)", 0.5, np.tanh(0.5)),
    ],
)
def test_terms_have_their_values(text: str, x: float, value: float) -> None:
    values, errors = points.evaluate(parse_term(text), {"x": np.array([x])})
    assert abs(values[0] - value) <= errors[0] + 1e-12


@pytest.mark.parametrize("text", ["log(x)", "x^(1/2)", "integral(k, k, 0, x)", "f(x)", "gamma(x)"])
def test_what_is_undefined_or_unknown_has_no_value(text: str) -> None:
    values, _ = points.evaluate(parse_term(text), {"x": np.array([-1.0])})
    assert np.isnan(values[0])
