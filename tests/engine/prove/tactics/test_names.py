"""Bases of powers as new variables; cases of kinks; rests of goals and powers from logarithms."""

from __future__ import annotations

import pytest

from tests.engine.prove.tactics.searched import certificate, rules

NAMES = (
    "equalities",
    "combination",
    "subtracted",
    "few axioms",
    "kinks",
    "logarithms",
    "generalised",
    "induction",
)


TRUE: list[tuple[str, dict[str, object]]] = [
    (
        "generalise",
        {
            "variables": {"k": "integer", "a": "real", "b": "real"},
            "given": [
                "k >= 0",
                "a > 0",
                "f(0) == 2",
                "all(j; integer; j >= 0; f(j + 1) == (1 + a/(1 + a + b^2))*f(j))",
            ],
            "goal": "f(k) == 2*(1 + a/(1 + a + b^2))^k",
            "functions": {"f": 1},
        },
    ),
    (
        "generalise",
        {
            "variables": {"k": "integer", "a": "real"},
            "given": [
                "k >= 0",
                "f(0) == 1",
                "all(j; integer; j >= 0; f(j + 1) == (1 - 1/(2 + a^2))*f(j) + 1)",
            ],
            "goal": "f(k) == sum((1 - 1/(2 + a^2))^i, i, 0, k)",
            "functions": {"f": 1},
        },
    ),
    (
        "generalise",
        {
            "variables": {"k": "integer", "a": "real", "b": "real"},
            "given": [
                "k >= 0",
                "b > 0",
                "f(0) == 1",
                "all(j; integer; j >= 0; f(j + 1) == b*(1 + a^2/(1 + a^2 + b))*f(j))",
            ],
            "goal": "f(k) == (b*(1 + a^2/(1 + a^2 + b)))^k",
            "functions": {"f": 1},
        },
    ),
    (
        "weaken",
        {
            "variables": {"x": "real", "a": "real", "b": "real"},
            "given": ["a > 0", "b >= a"],
            "goal": "min(b, max(x, a)) >= a",
        },
    ),
    (
        "weaken",
        {
            "variables": {"x": "real", "y": "real"},
            "given": [],
            "goal": "abs(abs(x) - abs(y)) <= abs(x - y)",
        },
    ),
    (
        "have",
        {
            "variables": {"n": "real", "m": "real"},
            "given": ["n >= 1", "m >= n/2"],
            "goal": "m^(9/20) >= 7/10*n^(9/20)",
        },
    ),
    (
        "have",
        {
            "variables": {"m": "integer", "d": "real"},
            "given": ["d > 0", "m >= 1", "m*log(2) + log(d)/2 <= 0"],
            "goal": "2^m*d^(1/2) <= 1",
        },
    ),
]

FALSE: list[dict[str, object]] = [
    {
        "variables": {"k": "integer", "a": "real", "b": "real"},
        "given": [
            "k >= 0",
            "a > 0",
            "f(0) == 2",
            "all(j; integer; j >= 0; f(j + 1) == (1 + a/(1 + a + b^2))*f(j))",
        ],
        "goal": "f(k) == 3*(1 + a/(1 + a + b^2))^k",
        "functions": {"f": 1},
    },
    {
        "variables": {"x": "real", "a": "real", "b": "real"},
        "given": ["a > 0", "b >= a/2"],
        "goal": "min(b, max(x, a)) >= a",
    },
    {
        "variables": {"x": "real", "y": "real"},
        "given": [],
        "goal": "abs(abs(x) - abs(y)) < abs(x - y)",
    },
    {
        "variables": {"n": "real", "m": "real"},
        "given": ["n >= 1", "m >= n/2"],
        "goal": "m^(9/20) >= 3/4*n^(9/20)",
    },
    {
        "variables": {"m": "integer", "d": "real"},
        "given": ["d > 0", "m >= 1", "m*log(2) + log(d)/2 <= 0"],
        "goal": "2^m*d^(1/3) <= 1",
    },
]


@pytest.mark.parametrize(("rule", "data"), TRUE)
def test_true_statements_get_a_certificate(rule: str, data: dict[str, object]) -> None:
    node = certificate(data, NAMES)
    assert node is not None
    assert rule in rules(node)


@pytest.mark.parametrize("data", FALSE)
def test_false_twins_get_none(data: dict[str, object]) -> None:
    assert certificate(data, NAMES) is None
