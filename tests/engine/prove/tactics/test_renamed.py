"""Bases and addends as variables, facts near the goal first, logarithms compared, powers a step apart."""

from __future__ import annotations

import pytest

from tests.effort import effort
from tests.engine.prove.tactics.searched import DEPTHS, certificate, rules

RATE = "(1 - (a + n*y)/(a + n*y)^2)"
CHAIN = {
    "variables": {"a": "real", "n": "integer", "y": "real"},
    "given": ["a > 0", "n >= 2", "y > 3"],
}
FRACTIONS = {
    "variables": {"x": "real", "y": "real", "z": "real", "p": "real", "q": "real"},
    "given": [
        "x > 0",
        "y > 0",
        "z > 0",
        "(p + x)/(x + z^2) <= (p + y)/(y + z^2)",
        "(q + x)/(x + z^2) >= (q + y)/(y + z^2)",
        "(p + y)/(y + z^2) - (q + y)/(y + z^2) <= 3",
    ],
}

# the tactics that are needed, a rule of the certificate, the statement
TRUE: list[tuple[tuple[str, ...], str, dict[str, object]]] = [
    (
        ("renamed", "combination"),
        "substitute",
        {**CHAIN, "goal": f"defined(1/(1 - {RATE}^2)) and 1/a >= 2/(a + n*y)^2/(1 - {RATE}^2)"},
    ),
    (
        ("renamed", "closed sums", "combination", "stripped"),
        "telescope",
        {**CHAIN, "goal": f"sum({RATE}^i, i, 0, n - 1) == (a + n*y)*(1 - {RATE}^n)"},
    ),
    (
        ("monomials", "combination"),
        "generalise",
        {**FRACTIONS, "goal": "(p + x)/(x + z^2) - (q + x)/(x + z^2) <= 3"},
    ),
    (
        ("renamed", "combination", "logarithms"),
        "axiom",
        {
            "variables": {"o": "real", "w": "real", "n": "integer"},
            "given": ["o > 0", "o < 1", "w > 1", "n >= 2"],
            "goal": "o*((w - 1)/w)^(n - 1) < 1",
        },
    ),
    (
        ("few axioms", "combination"),
        "axiom",
        {
            "variables": {"g": "real", "s": "real"},
            "given": ["g > 0", "s > 0"],
            "goal": "erfc(g/s)/2 <= exp(-g^2/s^2)",
        },
    ),
    (
        ("combination",),
        "combination",
        {
            "variables": {"n": "real", "m": "real", "s": "real", "t": "real"},
            "given": [
                "n >= 8192",
                "m >= n/2",
                "s > 0",
                "t > 0",
                "n^(1/5) >= 180*s",
                "t^(5/4) <= 5/2*n^(5/4)",
                "m^(9/20) >= 7/10*n^(9/20)",
            ],
            "goal": "(8*(m - 1) + 16)/(m*(m - 1)) <= 49/n",
        },
    ),
]

FALSE: list[tuple[tuple[str, ...], dict[str, object]]] = [
    (
        ("renamed", "combination"),
        {
            "variables": {"a": "real", "n": "integer", "y": "real"},
            "given": ["a > 0", "n >= 1", "y > 0"],  # 2 n y > 1 is lost
            "goal": f"defined(1/(1 - {RATE}^2)) and 1/a >= 2/(a + n*y)^2/(1 - {RATE}^2)",
        },
    ),
    (
        ("renamed", "closed sums", "combination", "stripped"),
        {**CHAIN, "goal": f"sum({RATE}^i, i, 0, n) == (a + n*y)*(1 - {RATE}^n)"},
    ),
    (
        ("monomials", "combination"),
        {**FRACTIONS, "goal": "(p + x)/(x + z^2) - (q + x)/(x + z^2) < 3"},
    ),
    (
        ("renamed", "combination", "logarithms"),
        {
            "variables": {"o": "real", "w": "real", "n": "integer"},
            "given": ["o > 0", "o <= 1", "w > 1", "n >= 1"],
            "goal": "o*((w - 1)/w)^(n - 1) < 1",
        },
    ),
    (
        ("few axioms", "combination"),
        {
            "variables": {"g": "real", "s": "real"},
            "given": ["s > 0"],  # erfc is close to 2 far on the left
            "goal": "erfc(g/s)/2 <= exp(-g^2/s^2)",
        },
    ),
]


@pytest.mark.parametrize(("names", "rule", "data"), TRUE)
def test_true_statements_get_a_certificate(
    names: tuple[str, ...], rule: str, data: dict[str, object]
) -> None:
    node = certificate(data, names)
    assert node is not None
    assert rule in rules(node)


# of the true ones none takes more than six goals, or is deeper than 1
@pytest.mark.parametrize(("names", "data"), FALSE)
def test_false_twins_get_none(names: tuple[str, ...], data: dict[str, object]) -> None:
    assert certificate(data, names, effort(12, 60), effort((0, 1), DEPTHS)) is None
