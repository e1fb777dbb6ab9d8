"""Each tactic fires on a sequent of its own, and the kernel accepts its certificate.

A tactic is called by itself; the others are at hand for the goals that it leaves.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.tactics.core import NEEDS, Search
from dpbook.engine.prove.tactics.strategy import STATED, TACTICS
from dpbook.kernel import check
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import Sequent
from tests.engine.prove.tactics.searched import certificate

R, Z = "real", "integer"


def sequent(
    goal: str, *given: str, functions: dict[str, int] | None = None, **variables: str
) -> Sequent:
    data = {"variables": variables, "given": list(given), "goal": goal}
    return sequent_from_json({**data, "functions": functions} if functions else data)


SEQUENTS = {
    "residues": sequent("n^2 - 4*m != 2", n=Z, m=Z),
    "equalities": sequent("2*f(1) + 1 == 5 + 2*a", "f(1) == 2 + a", a=R, functions={"f": 1}),
    "no root": sequent("n^2 != 2*m^2", "m >= 1", n=Z, m=Z),
    "inverted": sequent("atan(tan(x)) == x", "2*x > -pi", "2*x < pi", x=R),
    "arcs": sequent("4*atan(1/5) - atan(1/239) == pi/4"),
    "same exponentials": sequent("exp(1/(x*(x + 1)))*exp(1/(x + 1)) == exp(1/x)", "x > 0", x=R),
    "monomials": sequent("x/(2*y) <= 1", "x/y <= 2", "y > 0", x=R, y=R),
    "renamed": sequent(
        "sum((1 - (a + n*y)/(a + n*y)^2)^i, i, 0, n - 1) == (a + n*y)*(1 - (1 - (a + n*y)/(a + n*y)^2)^n)",
        "a > 0",
        "n >= 2",
        "y > 3",
        a=R,
        n=Z,
        y=R,
    ),
    "vanishing": sequent(
        "u <= 0",
        "defined(integral(p(x), x, 0, 1))",
        "all(x; real; x >= 0 and x <= 1; p(x) >= 0)",
        "all(q; real; q > 0; u <= integral(q*p(x), x, 0, 1))",
        u=R,
        functions={"p": 1},
    ),
    "exchanged": sequent(
        "integral(integral(p(x)*q(y), x, 0, 1), y, 0, oo) == integral(integral(p(x)*q(y), y, 0, oo), x, 0, 1)",
        "all(x; real; p(x) >= 0)",
        "all(x; real; q(x) >= 0)",
        "defined(integral(p(x), x, 0, 1))",
        "defined(integral(q(x), x, 0, oo))",
        "defined(integral(integral(p(x)*q(y), y, 0, oo), x, 0, 1))",
        functions={"p": 1, "q": 1},
    ),
    "unknown": sequent(
        "integral(P(t)^m*Q(t)^(1 - m), t, -oo, oo) <= m",
        "m > 2",
        "all(nu; real; nu > 1; integral(P(t)^nu*Q(t)^(1 - nu), t, -oo, oo) <= nu)",
        m=R,
        functions={"P": 1, "Q": 1},
    ),
    "in parts": sequent(
        "integral(p(t), t, a, oo) <= integral(p(x), x, -oo, oo)",
        "all(t; real; defined(p(t)) and p(t) >= 0)",
        "defined(integral(p(t), t, -oo, oo))",
        a=R,
        functions={"p": 1},
    ),
    "integrals": sequent("integral(x^2, x, 0, 1) == 1/3"),
    "substituted": sequent(
        "integral(p(t^2)*t, t, 0, oo) == integral(p(t)/2, t, 0, oo)",
        "defined(integral(p(t)/2, t, 0, oo))",
        functions={"p": 1},
    ),
    "integrals in pieces": sequent("integral(exp(sin(x)), x, 0, 1) > 1"),
    "series": sequent("sum(1/2^k, k, 0, oo) == 2"),
    "small powers": sequent(
        "abs(x^n) <= w", "abs(x) < 1", "w > 0", "n*w*(1 - abs(x))^3 >= 6", x=R, w=R, n=Z
    ),
    "closed sums": sequent(
        "sum(binomial(n, k)*p^k*(1 - p)^(n - k), k, 0, n) == 1",
        "n >= 0",
        "p > 0",
        "p < 1",
        n=Z,
        p=R,
    ),
    "binomials": sequent(
        "binomial(n, k) == binomial(n - 1, k - 1) + binomial(n - 1, k)",
        "k >= 1",
        "k <= n - 1",
        n=Z,
        k=Z,
    ),
    "binomial term": sequent("binomial(n, k) <= 2^n", "k >= 0", "n >= k", n=Z, k=Z),
    "combination": sequent(
        "x*y*z <= 1/27", "x >= 0", "y >= 0", "z >= 0", "x + y + z == 1", x=R, y=R, z=R
    ),
    "sums by integrals": sequent("sum(1/k^(1/2), k, 2, 10000) < 198"),
    "subtracted": sequent("x + log(2) <= y + log(3)", "x <= y", x=R, y=R),
    "roots": sequent("x == 1 or x == -1", "x^40 == 1", x=R),
    "angle not 0": sequent("1 - tan(x)^2 != 0", "cos(x) != 0", "cos(2*x) != 0", x=R),
    "nonzero": sequent("exp(x)*(x^2 + 1) != 0", x=R),
    "sums": sequent("sum(k^2, k, 1, 3) == 14"),
    "stripped": sequent("exp(x)*(y - 1) > 0", "y > 1", x=R, y=R),
    "freed": sequent("x >= log(2)", "y >= 1", "x > 0", "y*x*(exp(x) - 1) >= y*x", x=R, y=R),
    "told": sequent("x*y != 0", "defined(1/x)", "defined(1/y)", x=R, y=R),
    "not zero": sequent("x != 0", "x^2 + x != 0", x=R),
    "alternatives": sequent("x^2 == 1", "x == 1 or x == -1", x=R),
    "factors": sequent("x^2 == x", "x*(x - 1) == 0", x=R),
    "solved": sequent("x == 1", "x + y == 3", "x - y == -1", x=R, y=R),
    "signs of sines": sequent("sin(x) > 0", "x > 0", "x < pi", x=R),
    "sums of angles": sequent("cos(4*x) == 8*cos(x)^4 - 8*cos(x)^2 + 1", x=R),
    "injective": sequent("x == y", "sinh(x) == sinh(y)", x=R, y=R),
    "kinks": sequent("abs(x) == x or abs(x) == -x", x=R),
    "one function": sequent(
        "log((a + 1)/b) <= log(c/b)", "a > 0", "b > 0", "a + 1 <= c", a=R, b=R, c=R
    ),
    "in logarithms": sequent("x == 3", "2^x == 8", x=R),
    "squeezed": sequent("max(x, 0) == 0", "x <= 0", x=R),
    "as written": sequent("(x + 1)*(y + 2) > 0", "x > -1", "y > -2", x=R, y=R),
    "few axioms": sequent("(x - 1)/log(x) >= 1", "x > 1", x=R),
    "attained": sequent("1 <= u", "all(x; real; x > 0; x < 1; x <= u)", u=R),
    "largest sum": sequent("(x^2 + 1)^(1/2) > x", x=R),
    "squared": sequent("a^2 + b^2 >= (a*b)^(1/2)*(a + b)", "a > 0", "b > 0", a=R, b=R),
    "whole": sequent("floor(floor(x)/2) == floor(x/2)", x=R),
    "rounded": sequent("n >= 1", "n > 1/2", n=Z),
    "values": sequent("n == 0 or n == 1", "n >= 0", "n <= 1", n=Z),
    "positive": sequent("(n^2 - 2)^2 > 0", n=Z),
    "boxes": sequent("x < 3927/1250", "sin(x) == 0", "x > 3", "x < 4", x=R),
    "logarithms": sequent(
        "o*((w - 1)/w)^(n - 1) < 1", "o > 0", "o < 1", "w > 1", "n >= 2", o=R, w=R, n=Z
    ),
    "unlog": sequent("2*log(1 + x) >= log(1 + 2*x)", "x > 0", x=R),
    "induction": sequent(
        "f(k) == 2*(1 + a/(1 + a + b^2))^k",
        "k >= 0",
        "a > 0",
        "f(0) == 2",
        "all(j; integer; j >= 0; f(j + 1) == (1 + a/(1 + a + b^2))*f(j))",
        k=Z,
        a=R,
        b=R,
        functions={"f": 1},
    ),
    "strengthened": sequent("sum(1/k^2, k, 1, n) < 2", "n >= 1", n=Z),
    "monotone": sequent("exp(x) >= 1 + x", "x >= 0", x=R),
    "axioms": sequent("exp(x) >= 1 + x", x=R),
    "stated": sequent("x + 1 <= exp(x)", x=R),
}
# tactics that need lemmas, or many sequents: their tests name them
ELSEWHERE = {
    "near 0": "test_near_zero.py",
    "denominators": "test_found.py",
    "stepped": "test_found.py",
    "product": "test_calculus.py",
    "generalised": "test_names.py",
    "induction for all": "test_unknown.py",
    "concave": "test_calculus.py",
    "exponentials": "test_shape.py",
    "descend": "test_calculus.py",
    "cut": "test_each_tactic.py",
}
# the whole search shows these; no tactic is for them alone
BY_ALL = {
    "powers of sums": sequent("b^n == b^(n - 1)*b", "n >= 1", b=R, n=Z),
    "square root": sequent("(3 + 2*2^(1/2))^(1/2) == 1 + 2^(1/2)"),
    "powers": sequent("2^m*d^(1/2) <= 1", "d > 0", "m >= 1", "m*log(2) + log(d)/2 <= 0", m=Z, d=R),
}
BY_NAME = {name: (tactic, least) for name, tactic, least in (*STATED, *TACTICS)}


@pytest.mark.parametrize("name", SEQUENTS)
def test_tactic_fires(name):
    (tactic, least), s = BY_NAME[name], SEQUENTS[name]
    search = Search(TACTICS, budget=60)
    assert tactic not in NEEDS or NEEDS[tactic] & search.features(s)
    node = tactic(search, s, least)
    assert node is not None
    check(s, explicit(s, node))


@pytest.mark.parametrize("name", BY_ALL)
def test_tactics_together_show_what_none_is_for(name):
    s = BY_ALL[name]
    node = Search(TACTICS, budget=60).solve(s)
    assert node is not None
    check(s, explicit(s, node))


def test_a_factor_that_may_be_negative_stays():
    s = sequent("x >= 2", "y != 0", "y*exp(x) >= y*exp(2)", x=R, y=R)
    assert BY_NAME["freed"][0](Search(TACTICS, budget=60), s, 1) is None


@pytest.mark.parametrize("name", [name for name, (tactic, _) in BY_NAME.items() if tactic in NEEDS])
def test_tactic_does_nothing_where_it_is_not_entered(name):
    tactic, _ = BY_NAME[name]
    lacking = 0
    for s in SEQUENTS.values():
        search = Search(TACTICS, budget=60)
        if not NEEDS[tactic] & search.features(s):
            lacking += 1
            assert tactic(search, s, 2) is None, s
            assert (search.budget, search.failed) == (60, {}), s
    assert lacking > 5


def test_range_is_cut_where_a_function_is_not_monotone():
    data = {"variables": {"x": R}, "given": ["x >= 0"], "goal": "exp(x) >= x^2"}
    assert certificate(data, ("monotone", "cut"))
    assert certificate(data, ("monotone",)) is None


def test_every_tactic_has_a_test():
    tried = {*SEQUENTS, *ELSEWHERE}
    assert sorted(set(BY_NAME) - tried) == [], "give each of these tactics a sequent in SEQUENTS"
    assert sorted(tried - set(BY_NAME)) == [], "no tactic in tactics/strategy.py has these names"
    assert not SEQUENTS.keys() & ELSEWHERE.keys()
    for file in ELSEWHERE.values():
        assert Path(__file__).with_name(file).is_file()
