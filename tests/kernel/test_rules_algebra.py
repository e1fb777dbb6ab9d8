"""Rules of algebra: what each must accept, and what is false by a hair and must be rejected."""

import pytest

from dpbook.kernel import Rejected
from tests.kernel.instances import IDENTITY, KNOWN, Instance, node, refuted, sequent

SQUARES = sequent("x y", "", "x^2 + y^2 >= 2*x*y")


def contradiction(terms=(), equalities=()):
    return node("combination", terms=list(terms), equalities=list(equalities))


def solver(*facts, solver="z3"):
    return node("smt", facts=list(facts), solver=solver)


ACCEPTED = [
    Instance("identity", sequent("x y", "", "(x + y)^2 == x^2 + 2*x*y + y^2"), IDENTITY),
    Instance("identity", sequent("x", "x != 0", "x/x >= 1"), IDENTITY),
    Instance("identity", sequent("x y", "x > 0|y > 0", "log(x*y) <= log(x) + log(y)"), IDENTITY),
    Instance("restate", sequent("x y", "y > 0|x >= 2*y", "x/y >= 2"), node("restate", KNOWN, goal="x - 2*y >= 0", factor="1/y")),
    Instance("restate", sequent("x y", "x != 0|y == 3", "x*y == 3*x"), node("restate", KNOWN, goal="y == 3", factor="x")),
    Instance("restate", sequent("x y", "x^2 == 2|y > 0", "x^2*y > y"), node("restate", KNOWN, goal="y > 0", equalities=[[0, "y"]])),
    Instance("restate", sequent("x", "x > 1", "x >= 1"), node("restate", KNOWN, goal="x > 1")),
    Instance("combination", SQUARES, refuted([["1", [0], None], ["1", [], "x - y"]])),
    Instance("combination", sequent("x y", "x > 0|y > 0|x + y <= 0", "0 > 1"), contradiction([["1", [0], None], ["1", [1], None], ["1", [2], None]])),
    Instance("combination", sequent("x", "x > 0|x^2 == 0", "0 > 1"), contradiction([["1", [0, 0], None]], [[1, "-1"]])),
    Instance("combination", sequent("x y", "x > 0|y < 0|x*y >= 0", "0 > 1"), contradiction([["1", [0, 1], None], ["1", [2], None]])),
    Instance("cancel", sequent("x y", "x > 0|x*y >= 0", "y >= 0"), node("cancel", KNOWN, fact=1, by=[[0, 1]], quotient="y")),
    Instance("cancel", sequent("x y", "x >= 0|x*y > 0", "y > 0"), node("cancel", KNOWN, fact=1, by=[[0, 1]], quotient="y")),
    Instance("cancel", sequent("x y", "x^2*y > 0", "y > 0"), node("cancel", KNOWN, fact=0, even=[["x", 2]], quotient="y")),
    Instance("cancel", sequent("x y", "x != 0|x^3*y == 0", "y == 0"), node("cancel", KNOWN, fact=1, by=[[0, 3]], quotient="y")),
    Instance("cancel", sequent("x y", "x >= 0|x*y != 0", "y != 0"), node("cancel", KNOWN, fact=1, by=[[0, 1]], quotient="y")),
    Instance("change", sequent("x y", "y > 0|x/y >= 2", "x - 2*y >= 0"), node("change", KNOWN, fact=1, formula="x - 2*y >= 0", factor="y")),
    Instance("change", sequent("x y", "x == y", "x^2 == x*y"), node("change", KNOWN, fact=0, formula="x^2 == x*y", factor="x")),
    Instance("change", sequent("x", "x > 1", "x != 1"), node("change", KNOWN, fact=0, formula="x != 1")),
    Instance("substitute", sequent("x y", "2*x == y", "4*x^2 == y^2"), node("substitute", IDENTITY, fact=0, variable="x", value="y/2", factor="1/2")),
    Instance("substitute", sequent("y; n", "n == y + 1", "integer(y)"), node("substitute", KNOWN, fact=0, variable="y", value="n - 1", factor="-1")),
    Instance("substitute", sequent("y; n", "n == y|y > 1", "integer(y)"), node("substitute", KNOWN, fact=0, variable="n", value="y")),
    Instance("rewrite", sequent("x y", "exp(x) == y", "exp(x)^2 == y^2"), node("rewrite", IDENTITY, equality=0)),
    Instance("rewrite", sequent("x y", "exp(x) == y|floor(y) > 2", "floor(exp(x)) > 2"), node("rewrite", KNOWN, equality=0, reversed="yes", hypothesis=1)),
    Instance("rewrite", sequent("x;n", "x == 1", "sum(k*x, k, 1, n) == sum(k*1, k, 1, n)"), node("rewrite", IDENTITY, equality=0)),
    Instance("name", sequent("x", "", "exp(x)^2 - exp(x) + 1 > 0"), node("name", node("refute", contradiction([["1", [1], None], ["1", [], "exp(x) - 1/2"], ["3/4", [], None]])), name="t", term="exp(x)")),
    Instance("generalise", sequent("x", "floor(x) > 0", "floor(x)^2 + floor(x) > 0"), node("generalise", KNOWN, name="t", term="floor(x)", goal="t^2 + t > 0", given=["t > 0"])),
    Instance("generalise", sequent("x", "floor(x) > 0|x > 1", "floor(x)^2 + floor(x) > 0"), node("generalise", KNOWN, name="t", term="floor(x)", given=[True, None])),
    Instance("smt", sequent("x y", "x^2 + y^2 < 1|x + y >= 2", "0 > 1"), solver(0, 1)),
    Instance("smt", sequent("x", "x > 2 or x < -2|x^2 <= 4", "0 > 1"), solver(0, 1)),
]  # fmt: skip

REJECTED = [
    Instance("identity", sequent("x y", "", "(x + y)^2 == x^2 + 3*x*y + y^2"), IDENTITY, "differ"),
    Instance("identity", sequent("x", "", "x/x == 1"), IDENTITY, "differ"),
    Instance("identity", sequent("x", "x != 0", "x/x > 1"), IDENTITY, "differ"),
    Instance("identity", sequent("x", "", "x == x and x == x"), IDENTITY, "no relation"),
    Instance("identity", sequent("x y", "x*y > 0", "log(x*y) == log(x) + log(y)"), IDENTITY, "differ"),
    Instance("restate", sequent("x y", "y != 0|x >= 2*y", "x/y >= 2"), node("restate", KNOWN, goal="x - 2*y >= 0", factor="1/y"), "positive"),
    Instance("restate", sequent("x y", "y == 3", "x*y != 3*x"), node("restate", KNOWN, goal="y != 3", factor="x"), "positive"),
    Instance("restate", sequent("x y", "y >= 0", "y > 0"), node("restate", KNOWN, goal="y >= 0"), "relations differ"),
    Instance("restate", sequent("x y", "x^2 >= 2|y > 0", "x^2*y < 2*y"), node("restate", KNOWN, goal="y > 0", equalities=[[0, "y"]]), "no equality"),
    Instance("restate", sequent("x y", "x^2 == 2|y > 0", "x^2*y > y"), node("restate", KNOWN, goal="y > 0", equalities=[[0, "2*y"]]), "differ"),
    Instance("restate", sequent("x", "x > 1", "x > 2"), node("restate", KNOWN, goal="x > 1"), "differ"),
    Instance("combination", SQUARES, refuted([["1", [0], None], ["1", [], "x + y"]]), "not 0"),
    Instance("combination", sequent("x y", "x >= 0|y >= 0|x + y <= 0", "0 > 1"), contradiction([["1", [0], None], ["1", [1], None], ["1", [2], None]]), "strictly positive"),
    Instance("combination", sequent("x y", "x > 0|y > 0|x - y <= 0", "0 > 1"), contradiction([["1", [0], None], ["-1", [1], None], ["1", [2], None]]), "must be > 0"),
    Instance("combination", sequent("x", "x != 0|x^2 == 0", "0 > 1"), contradiction([["1", [0, 0], None]], [[1, "-1"]]), "no inequality"),
    Instance("combination", sequent("x", "x > 0|x^2 >= 0", "0 > 1"), contradiction([["1", [0, 0], None]], [[1, "-1"]]), "no equality"),
    Instance("combination", sequent("x", "x^2 == 0", "0 > 1"), contradiction([["1", [], "x"]], [[0, "-1"]]), "strictly positive"),
    Instance("combination", sequent("x y", "x > 0|y <= 0|x*y >= 0", "0 > 1"), contradiction([["1", [0, 1], None], ["1", [2], None]]), "strictly positive"),
    Instance("combination", SQUARES, refuted([["0", [0], None], ["1", [], "x - y"]]), "must be > 0"),
    Instance("combination", SQUARES, refuted([["1/0", [0], None], ["1", [], "x - y"]]), "rational number"),
    Instance("cancel", sequent("x y", "x >= 0|x*y >= 0", "y >= 0"), node("cancel", KNOWN, fact=1, by=[[0, 1]], quotient="y"), "cannot be cancelled"),
    Instance("cancel", sequent("x y", "x != 0|x*y > 0", "y > 0"), node("cancel", KNOWN, fact=1, by=[[0, 1]], quotient="y"), "cannot be cancelled"),
    Instance("cancel", sequent("x y", "x >= 0|x*y == 0", "y == 0"), node("cancel", KNOWN, fact=1, by=[[0, 1]], quotient="y"), "cannot be cancelled"),
    Instance("cancel", sequent("x y", "x^2*y >= 0", "y >= 0"), node("cancel", KNOWN, fact=0, even=[["x", 2]], quotient="y"), "may be 0"),
    Instance("cancel", sequent("x y", "x^3*y > 0", "y > 0"), node("cancel", KNOWN, fact=0, even=[["x", 3]], quotient="y"), "must be even"),
    Instance("cancel", sequent("x y", "x > 0|x*y > 0", "y > 1"), node("cancel", KNOWN, fact=1, by=[[0, 1]], quotient="y - 1"), "not the hypothesis"),
    Instance("cancel", sequent("x y", "x < 0|x*y >= 0", "y >= 0"), node("cancel", KNOWN, fact=1, by=[[0, 1]], quotient="y"), "not the hypothesis"),
    Instance("change", sequent("x y", "y != 0|x/y >= 2", "x - 2*y >= 0"), node("change", KNOWN, fact=1, formula="x - 2*y >= 0", factor="y"), "positive"),
    Instance("change", sequent("x y", "x/y >= 2", "x - 2*y >= 0"), node("change", KNOWN, fact=0, formula="x - 2*y >= 0", factor="y"), "positive"),
    Instance("change", sequent("x", "x != 1", "x > 1"), node("change", KNOWN, fact=0, formula="x > 1"), "relations differ"),
    Instance("change", sequent("x", "x >= 1", "x > 1"), node("change", KNOWN, fact=0, formula="x > 1"), "relations differ"),
    Instance("change", sequent("x y", "x != y", "x^2 != x*y"), node("change", KNOWN, fact=0, formula="x^2 != x*y", factor="x"), "positive"),
    Instance("substitute", sequent("x y", "2*x == y", "x^2 == y^2"), node("substitute", IDENTITY, fact=0, variable="x", value="y", factor="1/2"), "another value"),
    Instance("substitute", sequent("x y", "2*x <= y", "2*x == y"), node("substitute", IDENTITY, fact=0, variable="x", value="y/2", factor="1/2"), "give the variable a value"),
    Instance("substitute", sequent("x", "x == x^2", "x == 0"), node("substitute", IDENTITY, fact=0, variable="x", value="x^2"), "give the variable a value"),
    Instance("substitute", sequent("x y", "x*y == 1", "x == 1/y"), node("substitute", IDENTITY, fact=0, variable="x", value="1/y", factor="1/y"), "another value"),
    Instance("substitute", sequent("y; n", "2*n == y", "integer(y/4)"), node("substitute", KNOWN, fact=0, variable="n", value="y/2", factor="1/2"), "not settled"),
    Instance("rewrite", sequent("x y", "exp(x) >= y", "exp(x)^2 == y^2"), node("rewrite", IDENTITY, equality=0), "no equality"),
    Instance("rewrite", sequent("k;n", "k == 1", "sum(k, k, 1, n) == sum(1, k, 1, n)"), node("rewrite", IDENTITY, equality=0), "differ"),
    Instance("rewrite", sequent("x", "1/x == 2", "defined(1/x)"), node("rewrite", node("defined"), equality=0), "into relations only"),
    Instance("rewrite", sequent("x y", "exp(x) == y", "exp(x)^2 == y^3"), node("rewrite", IDENTITY, equality=0), "differ"),
    Instance("name", sequent("x t", "t == 2", "x == 2"), node("name", KNOWN, name="t", term="x"), "not new"),
    Instance("name", sequent("x", "", "f(x) == 2", f=1), node("name", KNOWN, name="f", term="2"), "not new"),
    Instance("name", sequent("x", "", "x > 0"), node("name", KNOWN, name="t", term="x + t"), "not declared"),
    Instance("generalise", sequent("x", "floor(x) > 0", "floor(x)^2 >= floor(x)"), node("generalise", KNOWN, name="t", term="floor(x)", goal="t^2 >= t", given=["t > 0"]), "not settled"),
    Instance("generalise", sequent("x", "floor(x) > 0", "floor(x)^2 >= floor(x)"), node("generalise", KNOWN, name="t", term="floor(x)", given=[True]), "not settled"),
    Instance("generalise", sequent("x", "floor(x) > 0", "floor(x)^2 + floor(x) > 0"), node("generalise", KNOWN, name="t", term="floor(x)", given=[None]), "not settled"),
    Instance("generalise", sequent("x", "floor(x) > 0", "floor(x)^2 + floor(x) > 0"), node("generalise", KNOWN, name="t", term="floor(x)", given=[False]), "must be text"),
    Instance("generalise", sequent("x", "", "floor(x) + 1 > 0"), node("generalise", KNOWN, name="t", term="floor(x)", goal="t^2 + 1 > 0", given=[]), "not an instance"),
    Instance("generalise", sequent("x", "x >= 0", "x + 1 > 0"), node("generalise", KNOWN, name="t", term="x", goal="t + 1 > 0", given=["t > 0"]), "not an instance"),
    Instance("generalise", sequent(";n", "", "integer(n)"), node("generalise", KNOWN, name="t", term="n", goal="integer(t)", given=[]), "not settled"),
    Instance("smt", sequent("x y", "x^2 + y^2 <= 2|x + y >= 2", "0 > 1"), solver(0, 1), "does not find"),
    Instance("smt", sequent("x y", "x > 0|x < 0", "0 > 1"), solver(0), "does not find"),
    Instance("smt", sequent("x", "x > 2 or x < 2|x^2 <= 4", "0 > 1"), solver(0, 1), "does not find"),
    Instance("smt", sequent("x", "x > 0|x < 0", "0 > 1"), solver(0, 1, solver="me"), "no solver"),
    Instance("smt", sequent("x", "defined(1/x)|x == 0", "0 > 1"), solver(0, 1), "no relation"),
]  # fmt: skip


@pytest.mark.parametrize("case", ACCEPTED, ids=str)
def test_instance_is_accepted(case):
    case.check()


@pytest.mark.parametrize("case", REJECTED, ids=str)
def test_near_miss_is_rejected_with_its_reason(case):
    with pytest.raises(Rejected) as caught:
        case.check()
    assert case.why in caught.value.why
