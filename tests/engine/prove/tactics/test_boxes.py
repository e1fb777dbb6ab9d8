"""Bisection of boxes by rational enclosures."""

from __future__ import annotations

import pytest

from tests.engine.prove.tactics.searched import certificate, rules

NAMES = ("boxes",)


TRUE: list[tuple[str, dict[str, object]]] = [
    (
        "bisect",
        {
            "variables": {"x": "real"},
            "given": ["x >= 0", "x <= 3/2"],
            "goal": "sin(x) + cos(x) > 1/2",
        },
    ),
    (
        "bisect",
        {"variables": {"x": "real"}, "given": ["x >= -2", "x <= 5"], "goal": "x^3 - 3*x + 3 > 0"},
    ),
    ("bisect", {"variables": {"x": "real"}, "given": ["x >= -3"], "goal": "x + exp(-x) > 1/2"}),
    (
        "bisect",
        {"variables": {"x": "real"}, "given": ["x >= -1", "x <= 3"], "goal": "exp(x) - 2*x > 0"},
    ),
    (
        "bisect",
        {"variables": {"x": "real"}, "given": ["x >= 0", "x <= 8"], "goal": "exp(-x)*x < 1/2"},
    ),
    (
        "bisect",
        {
            "variables": {"x": "real", "y": "real"},
            "given": ["x >= 0", "x <= 1", "y >= 0", "y <= 1"],
            "goal": "x*y*(1 - x*y) < 3/10",
        },
    ),
    (
        "bisect",
        {
            "variables": {"x": "real", "y": "real"},
            "given": ["x >= 0", "x <= 1", "y >= 0", "y <= 1", "x + y >= 1"],
            "goal": "x^2 + y^2 - x*y > 1/8",
        },
    ),
    ("bisect", {"variables": {"x": "real"}, "given": ["x > 1/8", "x < 8"], "goal": "log(x) != x"}),
    (
        "bisect",
        {"variables": {"x": "real"}, "given": ["x >= 0", "x <= 2"], "goal": "atan(x) < x + 1/100"},
    ),
]

FALSE: list[dict[str, object]] = [
    {"variables": {"x": "real"}, "given": ["x >= 0", "x <= 2"], "goal": "sin(x) + cos(x) > 1/2"},
    {"variables": {"x": "real"}, "given": ["x >= -2", "x <= 5"], "goal": "x^3 - 3*x + 2 > 0"},
    {"variables": {"x": "real"}, "given": ["x >= -3"], "goal": "x + exp(-x) > 1"},
    {"variables": {"x": "real"}, "given": ["x >= -1", "x <= 3"], "goal": "exp(x) - 3*x > 0"},
    {
        "variables": {"x": "real", "y": "real"},
        "given": ["x >= 0", "x <= 1", "y >= 0", "y <= 1"],
        "goal": "x*y*(1 - x*y) < 1/4",
    },
    {
        "variables": {"x": "real", "y": "real"},
        "given": ["x >= 0", "x <= 1", "y >= 0", "y <= 1"],
        "goal": "x^2 + y^2 - x*y > 1/8",
    },
    {"variables": {"x": "real"}, "given": ["x > 1/8", "x < 8"], "goal": "log(x) != x - 2"},
]


@pytest.mark.parametrize(("rule", "data"), TRUE)
def test_true_statements_get_a_certificate(rule: str, data: dict[str, object]) -> None:
    node = certificate(data, NAMES)
    assert node is not None
    assert rule in rules(node)


@pytest.mark.parametrize("data", FALSE)
def test_false_twins_get_none(data: dict[str, object]) -> None:
    assert certificate(data, NAMES) is None
