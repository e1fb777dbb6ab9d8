"""Monotone and concave functions, falls to a limit: no axiom is at hand in these searches."""

from __future__ import annotations

import pytest

from tests.engine.prove.tactics.searched import certificate, rules

NAMES = (
    "combination",
    "stripped",
    "monotone",
    "concave",
    "descend",
    "product",
)


TRUE: list[tuple[str, dict[str, object]]] = [
    ("monotone", {"variables": {"x": "real"}, "given": ["x >= 0"], "goal": "exp(x) >= 1 + x"}),
    ("cases", {"variables": {"x": "real"}, "given": [], "goal": "exp(x) >= 1 + x"}),
    ("monotone", {"variables": {"x": "real"}, "given": ["x > 0"], "goal": "log(x) <= x - 1"}),
    ("monotone", {"variables": {"x": "real"}, "given": ["x > 0"], "goal": "x*log(x) >= x - 1"}),
    (
        "monotone",
        {"variables": {"x": "real"}, "given": ["x >= 0"], "goal": "log(1 + x) >= 2*x/(2 + x)"},
    ),
    (
        "monotone",
        {
            "variables": {"x": "real", "y": "real"},
            "given": ["x >= y"],
            "goal": "exp(x) - exp(y) >= (x - y)*exp(y)",
        },
    ),
    (
        "monotone",
        {"variables": {"x": "real"}, "given": ["x > 0"], "goal": "exp(x) > 1 + x + x^2/2"},
    ),
    (
        "monotone",
        {
            "variables": {"x": "real"},
            "given": ["x > 0", "x < 1"],
            "goal": "-x*log(x) - (1 - x)*log(1 - x) <= log(2)",
        },
    ),
    (
        "concave",
        {
            "variables": {"x": "real"},
            "given": ["x >= 0", "x <= 1"],
            "goal": "exp(x) <= 1 + x*(exp(1) - 1)",
        },
    ),
    (
        "descend",
        {"variables": {"x": "real"}, "given": ["x > 0"], "goal": "log(1 + 1/x) > 1/(x + 1)"},
    ),
    ("monotone", {"variables": {"x": "real"}, "given": ["x >= 0"], "goal": "atan(x) <= x"}),
]

FALSE: list[dict[str, object]] = [
    {"variables": {"x": "real"}, "given": ["x >= 0"], "goal": "exp(x) >= 1 + 2*x"},
    {"variables": {"x": "real"}, "given": [], "goal": "exp(x) > 1 + x"},
    {"variables": {"x": "real"}, "given": ["x >= -1"], "goal": "x*log(x) >= x - 1"},
    {"variables": {"x": "real"}, "given": ["x >= 0"], "goal": "log(1 + x) >= x/2"},
    {
        "variables": {"x": "real", "y": "real"},
        "given": ["x >= y"],
        "goal": "exp(x) - exp(y) >= (x - y)*exp(x)",
    },
    {
        "variables": {"x": "real"},
        "given": ["x >= 0", "x <= 11/10"],
        "goal": "exp(x) <= 1 + x*(exp(1) - 1)",
    },
    {"variables": {"x": "real"}, "given": ["x > 0"], "goal": "log(1 + 1/x) > 1/x"},
]


@pytest.mark.parametrize(("rule", "data"), TRUE)
def test_true_statements_get_a_certificate(rule: str, data: dict[str, object]) -> None:
    node = certificate(data, NAMES)
    assert node is not None
    assert rule in rules(node)


@pytest.mark.parametrize("data", FALSE)
def test_false_twins_get_none(data: dict[str, object]) -> None:
    assert certificate(data, NAMES) is None
