"""Induction, sums, recurrences, residues and integer bounds."""

from __future__ import annotations

import pytest

from dpbook.engine.prove.tactics import equations
from dpbook.engine.prove.tactics.core import Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel.files.sequents import sequent_from_json
from tests.engine.prove.tactics.searched import certificate, rules

NAMES = (
    "residues",
    "equalities",
    "combination",
    "sums",
    "stripped",
    "whole",
    "induction",
)


TRUE: list[tuple[str, dict[str, object]]] = [
    (
        "induct",
        {
            "variables": {"n": "integer"},
            "given": ["n >= 1"],
            "goal": "sum(k, k, 1, n) == n*(n + 1)/2",
        },
    ),
    (
        "induct",
        {
            "variables": {"n": "integer"},
            "given": ["n >= 0"],
            "goal": "sum(k^2, k, 1, n) == n*(n + 1)*(2*n + 1)/6",
        },
    ),
    (
        "induct",
        {
            "variables": {"n": "integer", "r": "real"},
            "given": ["n >= 0"],
            "goal": "(1 - r)*sum(r^k, k, 0, n) == 1 - r^(n + 1)",
        },
    ),
    (
        "induct",
        {"variables": {"n": "integer"}, "given": ["n >= 1"], "goal": "product(k, k, 1, n) >= 1"},
    ),
    (
        "induct",
        {
            "variables": {"n": "integer", "x": "real"},
            "given": ["n >= 0", "x > -1"],
            "goal": "(1 + x)^n >= 1 + n*x",
        },
    ),
    ("induct", {"variables": {"n": "integer"}, "given": ["n >= 0"], "goal": "2^n > n"}),
    (
        "instance",
        {
            "variables": {"n": "integer", "r": "real"},
            "given": ["n >= 0", "f(0) == 1", "all(j; integer; j >= 0; f(j + 1) == r*f(j))"],
            "goal": "f(n) == r^n",
            "functions": {"f": 1},
        },
    ),
    (
        "unroll",
        {
            "variables": {"n": "integer"},
            "given": [],
            "goal": "sum(f(k), k, n, n + 2) == f(n) + f(n + 1) + f(n + 2)",
            "functions": {"f": 1},
        },
    ),
    (
        "residues",
        {"variables": {"n": "integer", "m": "integer"}, "given": [], "goal": "n^2 - 4*m != 2"},
    ),
    ("residues", {"variables": {"n": "integer"}, "given": [], "goal": "n^2 + n + 1 != 0"}),
    ("whole", {"variables": {"n": "integer"}, "given": ["n > 2"], "goal": "n^2 >= 4*n - 3"}),
]

FALSE: list[dict[str, object]] = [
    {"variables": {"n": "integer"}, "given": ["n >= 1"], "goal": "sum(k, k, 1, n) == n*(n + 2)/2"},
    {"variables": {"n": "integer"}, "given": ["n >= -2"], "goal": "sum(k, k, 1, n) == n*(n + 1)/2"},
    {
        "variables": {"n": "integer", "r": "real"},
        "given": ["n >= 0", "f(0) == 1", "all(j; integer; j >= 0; f(j + 1) == r*f(j))"],
        "goal": "f(n) == r^(n + 1)",
        "functions": {"f": 1},
    },
    {
        "variables": {"n": "integer", "r": "real"},
        "given": ["n >= -1", "f(0) == 1", "all(j; integer; j >= 0; f(j + 1) == r*f(j))"],
        "goal": "f(n) == r^n",
        "functions": {"f": 1},
    },
    {"variables": {"n": "integer", "m": "integer"}, "given": [], "goal": "n^2 - 4*m != 1"},
    {"variables": {"n": "real"}, "given": ["n > 2"], "goal": "n^2 >= 4*n - 3"},
    {
        "variables": {"n": "integer", "x": "real"},
        "given": ["n >= 0"],
        "goal": "(1 + x)^n >= 1 + n*x",
    },
    {"variables": {"n": "integer"}, "given": ["n >= 0"], "goal": "2^n > n^2"},
]


@pytest.mark.parametrize(("rule", "data"), TRUE)
def test_true_statements_get_a_certificate(rule: str, data: dict[str, object]) -> None:
    node = certificate(data, NAMES)
    assert node is not None
    assert rule in rules(node)


@pytest.mark.parametrize("data", FALSE)
def test_false_twins_get_none(data: dict[str, object]) -> None:
    assert certificate(data, NAMES) is None


@pytest.mark.parametrize(
    ("known", "tried"),
    [
        (["k - 2 == 0"], False),
        (["2*k == 0"], False),
        (["k == 0"], False),
        (["k - n == 0"], True),
        ([], True),
    ],
)
def test_an_integer_whose_value_is_known_is_not_tried_value_by_value(known, tried, monkeypatch):
    split = {"rule": "cases"}
    monkeypatch.setattr(equations, "_one_by_one", lambda *_: split)
    s = sequent_from_json(
        {
            "variables": {"k": "integer", "n": "real"},
            "given": ["0 <= k", "k <= 3", *known],
            "goal": "k*n > 2",
        }
    )
    assert equations.values(Search(TACTICS), s, 1) == (split if tried else None)


WITH_AN_INTEGRAL = {
    "variables": {"a": "real", "x": "real"},
    "given": ["x > 0", "a > 0", "integral(exp(-u), u, x, oo) == exp(-x)", "exp(a) > x"],
    "goal": "integral(exp(-u), u, x, oo) <= 1",
}


def test_goal_without_its_integrals_is_shown_without_hypotheses_about_them():
    node = certificate(WITH_AN_INTEGRAL, ("equalities", "few axioms"))
    assert node["rule"] == "restate"
    assert [premise["rule"] for premise in node["premises"]] == ["weaken"]


def test_no_exponential_is_taken_of_a_known_integral():
    known = "integral(exp(-u), u, log(x), oo) == 1/x"
    s = sequent_from_json({"variables": {"x": "real"}, "given": ["x > 1", known], "goal": "x > 2"})
    search = Search(TACTICS, budget=20)
    assert equations.in_logarithms(search, s, 1) is None
    assert search.budget == 20
