"""What the search finds a certificate for, by the tactic that does it; false by a hair it finds none."""

from __future__ import annotations

import pytest

from tests.effort import effort
from tests.engine.prove.tactics.searched import DEPTHS, certificate, rules

Data = dict[str, object]


def given(goal: str, *conditions: str, **sorts: str) -> Data:
    return {"variables": sorts, "given": list(conditions), "goal": goal}


R = "real"
SUMS = ("combination", "largest sum")
# tactics, a rule that the certificate uses, and the sequent
TRUE: list[tuple[tuple[str, ...], str, Data]] = [
    (SUMS, "combination", given("x*y*z <= 1/27", "x >= 0", "y >= 0", "z >= 0", "x + y + z == 1", x=R, y=R, z=R)),
    (SUMS, "combination", given("(x^2 + 1)^(1/2) > x", x=R)),
    (SUMS, "combination", given("x + y <= 2^(1/2)", "x^2 + y^2 == 1", x=R, y=R)),
    (SUMS, "combination", given("x == 0 or x == 1", "y == x^2", "y == x", x=R, y=R)),
    (
        SUMS, "combination",
        given(
            "a^2*b*(a - b) + b^2*c*(b - c) + c^2*a*(c - a) >= 0",
            "a > 0", "b > 0", "c > 0", "a < b + c", "b < a + c", "c < a + b", a=R, b=R, c=R,
        ),
    ),
    (
        SUMS, "combination",
        given("a^2 + b^2 >= (a*b)^(1/2)*(a + b)", "a > 0", "b > 0", a=R, b=R),
    ),
    (
        (*SUMS, "few axioms", "denominators", "axioms"), "have",
        given("(x - 1)/log(x) >= 1", "x > 1", x=R),
    ),
    (
        (*SUMS, "squared"), "have",
        given(
            "a^2 + b^2 + c^2 >= 3^(1/2)*((a + b + c)*(a + b - c)*(b + c - a)*(c + a - b))^(1/2)",
            "a > 0", "b > 0", "c > 0", "a < b + c", "b < a + c", "c < a + b", a=R, b=R, c=R,
        ),
    ),
    (
        (*SUMS, "kinks", "squared"), "have",
        given(
            "abs(p - q) <= 2^(1/2)*(1 - (p*q)^(1/2) - ((1 - p)*(1 - q))^(1/2))^(1/2)",
            "p >= 0", "p <= 1", "q >= 0", "q <= 1",
            "1 - (p*q)^(1/2) - ((1 - p)*(1 - q))^(1/2) >= 0", p=R, q=R,
        ),
    ),
    (("boxes",), "bisect", given("x < 3927/1250", "sin(x) == 0", "x > 3", "x < 4", x=R)),
    (("boxes",), "bisect", given("x > 693/1000", "exp(x) == 2", x=R)),
    (("combination", "kinks"), "cases", given("abs(x) == x or abs(x) == -x", x=R)),
    (
        ("combination", "kinks", "monomials"), "cases",
        given("x <= 1", "abs(x - 1) + abs(x) + abs(x + 1) == x + 2", x=R),
    ),
    (
        ("combination", "equalities", "stepped", "whole", "few axioms"), "whole",
        given("floor(floor(x)/2) == floor(x/2)", x=R),
    ),
    (
        ("combination", "equalities", "stepped", "whole", "few axioms"), "whole",
        given("ceiling(ceiling(x)/3) == ceiling(x/3)", x=R),
    ),
    (
        ("closed sums", "equalities"), "axiom",
        given(
            "sum(binomial(n, k)*p^k*(1 - p)^(n - k), k, 0, n) == 1",
            "n >= 0", "p > 0", "p < 1", n="integer", p=R,
        ),
    ),
    (
        ("combination", "sums by integrals", "closed sums"), "compare sums",
        given("sum(1/k^(1/2), k, 2, 10000) < 198"),
    ),
    (
        ("combination", "sums by integrals", "closed sums"), "telescope",
        given("sum(1/k^2, k, 1, n) < 2", "n >= 2", n="integer"),
    ),
    (("few axioms",), "axiom", given("2*atan(x) < pi", x=R)),
    (("few axioms", "squeezed"), "axiom", given("asin(x) + acos(x) == pi/2", "x >= -1", "x <= 1", x=R)),
    (("few axioms",), "axiom", given("binomial(n, k) >= 1", "k >= 0", "k <= n", n="integer", k="integer")),
    (("few axioms",), "axiom", given("n*(log(n + 1) - log(n)) < 1", "n > 0", n=R)),
]  # fmt: skip


@pytest.mark.parametrize(("names", "rule", "data"), TRUE, ids=[str(d["goal"]) for _, _, d in TRUE])
def test_a_certificate_is_found(names: tuple[str, ...], rule: str, data: Data) -> None:
    node = certificate(data, names)
    assert node is not None
    assert rule in rules(node)


FALSE: list[tuple[tuple[str, ...], Data]] = [
    (SUMS, given("x*y*z <= 1/28", "x >= 0", "y >= 0", "z >= 0", "x + y + z == 1", x=R, y=R, z=R)),
    (SUMS, given("x + y < 2^(1/2)", "x^2 + y^2 == 1", x=R, y=R)),
    (SUMS, given("x == 0", "y == x^2", "y == x", x=R, y=R)),
    (
        SUMS,
        given(
            "a^2*b*(a - b) + b^2*c*(b - c) + c^2*a*(c - a) > 0",
            "a > 0", "b > 0", "c > 0", "a < b + c", "b < a + c", "c < a + b", a=R, b=R, c=R,
        ),
    ),
    # B of A - B >= 0 may be negative, A may not
    ((*SUMS, "squared"), given("x >= (x^2 - 1)^(1/2)", "x^2 >= 1", x=R)),
    ((*SUMS, "squared"), given("(x^2 + 1)^(1/2) >= 2*x", x=R)),
    (("boxes",), given("x < 3141/1000", "sin(x) == 0", "x > 3", "x < 4", x=R)),
    (("boxes",), given("x > 694/1000", "exp(x) == 2", x=R)),
    (("combination", "kinks"), given("abs(x) == x or x == 1", x=R)),
    (("combination", "equalities", "stepped", "whole", "few axioms"), given("floor(floor(x)/2) == ceiling(x/2)", x=R)),
    (("closed sums", "equalities"), given("sum(binomial(n, k)*p^k*(1 - p)^(n - k), k, 1, n) == 1", "n >= 0", "p > 0", "p < 1", n="integer", p=R)),
    (("combination", "sums by integrals", "closed sums"), given("sum(1/k^2, k, 1, n) < 8/5", "n >= 2", n="integer")),
    (("few axioms", "squeezed"), given("asin(x) + acos(x) == pi/2", "x >= -2", "x <= 1", x=R)),
    (("few axioms",), given("binomial(n, k) >= 1", "k >= 0", "k <= n + 1", n="integer", k="integer")),
]  # fmt: skip


FEW = effort((0, 1, 2), DEPTHS)  # all that is true is found at these depths


@pytest.mark.parametrize(("names", "data"), FALSE, ids=[str(d["goal"]) for _, d in FALSE])
def test_none_is_found(names: tuple[str, ...], data: Data) -> None:
    assert certificate(data, names, depths=FEW) is None
