"""Closed forms of sums: true ones get a certificate that the kernel accepts, false ones none."""

import pytest

from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.tactics.core import Node, Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel import check
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import Sequent
from tests.effort import effort

DEPTHS = (0, 1)


def certificate(
    variables: str, given: str, goal: str, depths: tuple[int, ...] = DEPTHS
) -> tuple[Sequent, Node | None]:
    names = dict(v.split(":") for v in variables.split())
    s = sequent_from_json(
        {"variables": names, "given": [g for g in given.split("; ") if g], "goal": goal}
    )
    return s, Search(TACTICS, {}, 25).solve(s, depths)


TRUE = [
    ("n:integer", "n >= 1", "sum(k, k, 1, n) == n*(n + 1)/2"),
    ("n:integer", "n >= 1", "sum(k^3, k, 1, n) == n^2*(n + 1)^2/4"),
    ("n:integer q:real", "n >= 0; q > 0; q < 1", "sum(q^k, k, 0, n) == (1 - q^(n + 1))/(1 - q)"),
    ("n:integer q:real", "n >= 0; q != 1", "sum(q^k, k, 0, n) == (1 - q^(n + 1))/(1 - q)"),
    (
        "n:integer q:real",
        "n >= 0; q > 0; q < 1",
        "sum(q^(2*k), k, 0, n) == (1 - q^(2*n + 2))/(1 - q^2)",
    ),
    ("n:integer q:real", "n >= 0; q > 0; q < 1", "sum(q^k, k, 0, n) <= 1/(1 - q)"),
    (
        "n:integer q:real",
        "n >= 1; q > 0; q < 1",
        "sum(k*q^(k - 1), k, 1, n) == 1/(1 - q)^2 - q^n*(1 + n*(1 - q))/(1 - q)^2",
    ),
    ("a:real", "", "sum(a^k, k, 0, 3) == 1 + a + a^2 + a^3"),
    ("n:integer x:real", "n >= 2", "sum(x + k, k, 1, n) == n*x + n*(n + 1)/2"),
    (
        "n:integer r:integer a:real",
        "r >= 1; n >= r; a > 0; a < 1",
        "sum(a^(n - k), k, r, n) == (1 - a^(n - r + 1))/(1 - a)",
    ),
    (
        "n:integer x:real",
        "n >= 1; x > 0; x < 1",
        "sum(binomial(n, j)*x^j*(1 - x)^(n - j), j, 0, n) == 1",
    ),
    (
        "n:integer k:integer",
        "k >= 1; k <= n - 1",
        "binomial(n, k) == binomial(n - 1, k - 1) + binomial(n - 1, k)",
    ),
    ("n:integer k:integer", "k >= 1; k <= n", "k*binomial(n, k) == n*binomial(n - 1, k - 1)"),
]
FALSE = [
    (
        "n:integer k:integer",
        "k >= 1; k <= n - 1",
        "binomial(n, k) == binomial(n - 1, k - 1) + binomial(n - 1, k - 1)",
    ),
    ("n:integer k:integer", "k >= 1; k <= n", "k*binomial(n, k) == n*binomial(n, k - 1)"),
    ("n:integer", "n >= 1", "sum(k, k, 1, n) == n*(n - 1)/2"),
    ("n:integer", "n >= 1", "sum(k^3, k, 1, n) < n^2*(n + 1)^2/4"),
    ("n:integer q:real", "n >= 0; q > 0", "sum(q^k, k, 0, n) == (1 - q^(n + 1))/(1 - q)"),
    ("n:integer q:real", "n >= 0; q > 0; q < 1", "sum(q^k, k, 0, n) == (1 - q^n)/(1 - q)"),
    ("n:integer q:real", "n >= 0; q > 0; q < 1", "sum(q^k, k, 0, n) <= q/(1 - q)"),
    ("a:real", "", "sum(a^k, k, 0, 3) == 1 + a + a^2"),
    ("n:integer x:real", "n >= 2", "sum(x + k, k, 1, n) == n*x + n*(n + 2)/2"),
    (
        "n:integer x:real",
        "n >= 1; x > 0; x < 1",
        "sum(binomial(n, j)*x^j*(1 - x)^(n - j), j, 1, n) == 1",
    ),
    ("n:integer x:real", "n >= 1; x > 0", "sum(binomial(n, j)*x^j*x^(n - j), j, 0, n) == x^n"),
]


@pytest.mark.parametrize("statement", TRUE, ids=lambda s: s[2])
def test_closed_form_is_certified(statement):
    s, node = certificate(*statement)
    assert node is not None
    check(s, explicit(s, node), {})


@pytest.mark.parametrize("statement", FALSE, ids=lambda s: s[2])
def test_false_sum_gets_no_certificate(statement):
    _, node = certificate(*statement, depths=effort((0,), DEPTHS))
    assert node is None
