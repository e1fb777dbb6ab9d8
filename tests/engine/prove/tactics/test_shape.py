"""Factors of known sign, logarithms of powers, products of logarithms."""

from __future__ import annotations

import pytest

from tests.effort import effort
from tests.engine.prove.tactics.searched import DEPTHS, certificate, rules

NAMES = (
    "combination",
    "stripped",
    "product",
    "nonzero",
    "unlog",
    "logarithms",
    "exponentials",
)


TRUE: list[tuple[str, dict[str, object]]] = [
    (
        "combination",
        {
            "variables": {"x": "real", "y": "real"},
            "given": ["x > 0", "exp(x)*y > exp(x)*x"],
            "goal": "exp(y)*(y - x)*(x^2 + 1) + x*(y - x) > 0",
        },
    ),
    (
        "combination",
        {
            "variables": {"x": "real", "y": "real"},
            "given": ["y*x > x", "x > 0"],
            "goal": "exp(x)*(y - 1)*(y^2 + 1) > 0",
        },
    ),
    (
        "have",
        {
            "variables": {"x": "real", "y": "real"},
            "given": ["x >= y + 1", "y > 1", "x >= 2*y"],
            "goal": "(x - 1)*(x - 2*y)*(1 + x^2)*exp(y) >= 0",
        },
    ),
    (
        "axiom",
        {"variables": {"x": "real"}, "given": ["x > 0"], "goal": "2*log(1 + x) >= log(1 + 2*x)"},
    ),
    (
        "axiom",
        {
            "variables": {"x": "real"},
            "given": ["x > 1"],
            "goal": "log(2 + x) - log(1 + x)/2 > log(3)/2",
        },
    ),
    (
        "axiom",
        {
            "variables": {"n": "integer", "a": "real"},
            "given": ["n >= 4", "a >= 1/2"],
            "goal": "n^a >= 2",
        },
    ),
    (
        "axiom",
        {
            "variables": {"n": "real", "m": "real"},
            "given": ["n >= 8192", "m >= n/2"],
            "goal": "m^(5/4) >= n^(23/20)",
        },
    ),
    (
        "axiom",
        {
            "variables": {"B": "real", "e": "real", "n": "real"},
            "given": ["B > 0", "e > 0", "n >= B^(1/e)"],
            "goal": "n^e >= B",
        },
    ),
    (
        "axiom",
        {
            "variables": {"x": "real", "y": "real"},
            "given": ["exp(x) > y", "y > 0"],
            "goal": "x > log(y)",
        },
    ),
]

FALSE: list[dict[str, object]] = [
    {
        "variables": {"x": "real", "y": "real"},
        "given": ["x > 0", "y >= x"],
        "goal": "x/(1 + x) >= y/(1 + y)",
    },
    {
        "variables": {"x": "real", "y": "real"},
        "given": ["y*x >= x", "x > 0"],
        "goal": "exp(x)*(y - 1)*(y^2 + 1) > 0",
    },
    {"variables": {"x": "real"}, "given": ["x >= 1"], "goal": "x^3 != 1"},
    {"variables": {"x": "real"}, "given": ["x > 0"], "goal": "2*log(1 + x) >= log(1 + 3*x)"},
    {
        "variables": {"n": "integer", "a": "real"},
        "given": ["n >= 4", "a >= 1/3"],
        "goal": "n^a >= 2",
    },
    {
        "variables": {"n": "real", "m": "real"},
        "given": ["n >= 8", "m >= n/2"],
        "goal": "m^(5/4) >= n^(23/20)",
    },
    {
        "variables": {"B": "real", "e": "real", "n": "real"},
        "given": ["B > 0", "e > 0", "n >= B^(1/e)"],
        "goal": "n^e > B",
    },
]


@pytest.mark.parametrize(("rule", "data"), TRUE)
def test_true_statements_get_a_certificate(rule: str, data: dict[str, object]) -> None:
    node = certificate(data, NAMES)
    assert node is not None
    assert rule in rules(node)


# of the true ones none takes more than six goals, or is deeper than 2
@pytest.mark.parametrize("data", FALSE)
def test_false_twins_get_none(data: dict[str, object]) -> None:
    assert certificate(data, NAMES, effort(12, 60), effort((0, 1, 2), DEPTHS)) is None


R = {"x": "real", "y": "real", "z": "real"}
WRITTEN: list[tuple[str, dict[str, object], dict[str, object]]] = [
    (
        "combination",
        {"variables": R, "given": ["x + y >= 1", "y*z >= x"], "goal": "2*y*z + 3*y + x >= 3"},
        {"variables": R, "given": ["x + y >= 1", "y*z >= x"], "goal": "2*y*z + 3*y + x > 3"},
    ),
    (
        "as written",
        {"variables": R, "given": ["x - y >= 1", "2 - z >= x"], "goal": "(x-y-1)*(2-z-x) >= 0"},
        {"variables": R, "given": ["x - y >= 1", "2 - z >= x"], "goal": "(x-y-1)*(2-z-x) > 0"},
    ),
    (
        "as written",
        {"variables": R, "given": ["x >= y", "z >= y^2"], "goal": "2*(x - y)*(z - y^2) >= 0"},
        {"variables": R, "given": ["x >= y", "z >= y^2"], "goal": "2*(x - y)*(y^2 - z) >= 0"},
    ),
]


@pytest.mark.parametrize(("name", "true", "twin"), WRITTEN)
def test_known_inequalities_are_added_and_multiplied(
    name: str, true: dict[str, object], twin: dict[str, object]
) -> None:
    assert certificate(true, (name,)) is not None
    assert certificate(twin, (name,)) is None
