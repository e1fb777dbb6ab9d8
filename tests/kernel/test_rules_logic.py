"""Rules of logic: what each must accept, and what is false by a hair and must be rejected."""

import pytest

from dpbook.kernel import Rejected, check
from dpbook.kernel.normal import automatic
from dpbook.kernel.rules.logic import instantiated
from dpbook.kernel.terms import parse_term
from tests.kernel.instances import IDENTITY, KNOWN, Instance, node, refuted, sequent

SQUARE = {"t:square": sequent("x y", "x > 0|y > 0", "x^2 + y^2 >= 2*x*y")}
WHOLE = {"t:whole": sequent(";n", "n > 0", "n >= 1")}
SHIFT = {"t:shift": sequent("x", "all(z; real; f(z) >= 0)", "f(x) + f(x + 1) >= 0", f=1)}
AT = {"t:at": sequent("x y", "", "f(x) - f(y) >= f(x) - f(y)", f=1)}
ABOVE_ALL = {"t:above": sequent("x", "all(z; real; f(z) >= z)", "f(x) >= x", f=1)}


def use(name, *premises, **fields):
    return node("lemma", *premises, name=name, **fields)


ACCEPTED = [
    Instance("and", sequent("x", "x > 1", "x > 0 and x^2 > 0"), node("and", KNOWN, KNOWN)),
    Instance("and", sequent("x", "x > 0", "defined(1/x) and x/x == 1"), node("and", node("defined"), IDENTITY)),
    Instance("or", sequent("x", "", "x > 0 or x <= 0"), node("or", KNOWN, part=0)),
    Instance("or", sequent("x", "x > 0", "x > 0 or (defined(1/x) and x == 1)"), node("or", KNOWN, part=0)),
    Instance("or", sequent("x", "", "x != 0 or x^2 == 0"), node("or", node("substitute", IDENTITY, fact=0, variable="x", value="0"), part=1)),
    Instance("refute", sequent("x y", "", "x^2 + y^2 >= 2*x*y"), refuted([["1", [0], None], ["1", [], "x - y"]])),
    Instance("auto", sequent("x", "x > 0", "x^3 > 0"), KNOWN),
    Instance("auto", sequent("x", "x >= 0", "x^3 >= 0"), KNOWN),
    Instance("auto", sequent(";m n", "", "integer(m*n - 3)"), KNOWN),
    Instance("auto", sequent("x", "x > 1 or x < 0", "x > 1 or x < 0"), KNOWN),
    Instance("split", sequent("x", "x > 1 or x < -1", "x^2 > 0"), node("split", KNOWN, KNOWN, hypothesis=0)),
    Instance("cases", sequent("x", "", "x^2 >= 0"), node("cases", KNOWN, KNOWN, KNOWN, term="x", ops=[">", "==", "<"])),
    Instance("cases", sequent("x", "", "x > 0 or x <= 0"), node("cases", node("or", KNOWN, part=0), node("or", KNOWN, part=1), term="x", ops=[">", "<="])),
    Instance("have", sequent("x y", "x > 1|y > x", "y > 1"), node("have", refuted([["1", [0], None], ["1", [1], None], ["1", [2], None]]), refuted([["1", [2], None], ["1", [3], None]]), formula="y - 1 > 0")),
    Instance("weaken", sequent("x y", "x > 0|y > 0", "y^3 > 0"), node("weaken", KNOWN, keep=[1])),
    Instance("axiom", sequent("x", "", "exp(x) - 1 - x >= 0"), node("axiom", KNOWN, name="exp above its tangent", at={"u": "x"})),
    Instance("axiom", sequent(";n", "n >= 0", "factorial(n) >= 1"), node("axiom", KNOWN, name="factorial at least 1", at={"u": "n"})),
    Instance("axiom", sequent("x", "x > 0", "log(x) <= x - 1"), node("axiom", node("split", refuted([["1", [0], None], ["1", [2], None]]), KNOWN, hypothesis=1), name="log below u-1", at={"u": "x"})),
    Instance("instance", sequent("y", "all(x; real; x > 1; f(x) > x)|y > 2", "f(y) > 2", f=1), node("instance", refuted([["1", [1], None], ["1", [2], None], ["1", [3], None]]), hypothesis=0, value="y")),
    Instance("instance", sequent(";n", "all(k; integer; f(k) == 0)", "f(n + 1) == 0", f=1), node("instance", KNOWN, hypothesis=0, value="n + 1")),
    Instance("instance", sequent("y", "all(x; real; all(y; real; f(x, y) > 0))", "all(z; real; f(y + 1, z) > 0)", f=2), node("instance", node("all", node("instance", KNOWN, hypothesis=1, value="z")), hypothesis=0, value="y + 1")),
    Instance("all", sequent("y", "y > 0", "all(x; real; x > y; x > 0)"), node("all", refuted([["1", [0], None], ["1", [1], None], ["1", [2], None]]))),
    Instance("all", sequent("x", "x > 0", "all(x; real; x > 1; x^2 > 0)"), node("all", KNOWN)),
    Instance("lemma", sequent("x y", "x > 0|y > 0", "x^2 + y^2 >= 2*x*y"), use("t:square", KNOWN), lemmas=SQUARE),
    Instance("lemma", sequent("x", "x > 0", "x^2 + 1 >= 2*x"), use("t:square", node("restate", KNOWN, goal="x^2 + 1^2 >= 2*x*1"), at={"y": "1"}), lemmas=SQUARE),
    Instance("lemma", sequent(";m", "m > 0", "m >= 1"), use("t:whole", KNOWN, at={"n": "m"}), lemmas=WHOLE),
    Instance("lemma", sequent("y", "", "y^2 + (y + 1)^2 >= 0"), use("t:shift", node("all", KNOWN), KNOWN, at={"x": "y"}, functions={"f": {"of": ["t"], "is": "t^2"}}), lemmas=SHIFT),
    Instance("defined", sequent("x", "x > 0", "defined(log(x)/x)"), node("defined")),
    Instance("defined", sequent("x", "x >= 0", "defined(x^(1/2))"), node("defined")),
    Instance("defined", sequent(";n", "n >= 0", "defined(sum(1/k, k, 1, n))"), node("defined")),
    Instance("defined", sequent("x;n", "n >= 0", "defined(x^n)"), node("defined", node("or", KNOWN, part=1))),
    Instance("defined", sequent("x", "", "defined(ifgt(x, 0, log(x), 0))"), node("defined")),
]  # fmt: skip

REJECTED = [
    Instance("and", sequent("x", "x > 1", "x > 0 and x^2 > 2"), node("and", KNOWN, KNOWN), "not settled"),
    Instance("and", sequent("x", "x > 1", "x > 0 or x^2 > 0"), node("and", KNOWN, KNOWN), "no conjunction"),
    Instance("and", sequent("x", "", "x/x == 1 and x != 0"), node("and", IDENTITY, KNOWN), "normal forms differ"),
    Instance("or", sequent("x", "", "x > 0 or x < 0"), node("or", KNOWN, part=0), "not settled"),
    Instance("or", sequent("x", "", "x > 0 or (defined(1) and x <= 0)"), node("or", KNOWN, part=0), "not settled"),
    Instance("or", sequent("x", "", "x > 0 or x <= 0"), node("or", KNOWN, part=2), "no such part"),
    Instance("or", sequent("x", "", "x > 0 or x <= 0"), node("or", KNOWN, part=-1), "no such part"),
    Instance("refute", sequent("x y", "", "x^2 + y^2 > 2*x*y"), refuted([["1", [0], None], ["1", [], "x - y"]]), "strictly positive"),
    Instance("refute", sequent("x", "", "defined(1/x)"), node("refute", KNOWN), "no negation"),
    Instance("auto", sequent("x", "x >= 0", "x^3 > 0"), KNOWN, "not settled"),
    Instance("auto", sequent("x", "x != 0", "x^3 > 0"), KNOWN, "not settled"),
    Instance("auto", sequent("x", "", "x^2 > 0"), KNOWN, "not settled"),
    Instance("auto", sequent(";m n", "", "integer(m*n/2)"), KNOWN, "not settled"),
    Instance("auto", sequent("x;n", "", "integer(n*x)"), KNOWN, "not settled"),
    Instance("auto", sequent("x;n", "x > 0", "integer(3*n + x - 1)"), KNOWN, "not settled"),
    Instance("auto", sequent("x", "", "defined(1/x)"), KNOWN, "not settled"),
    Instance("auto", sequent("x y", "x > 0", "y > 0"), KNOWN, "not settled"),
    Instance("split", sequent("x", "x > 1 or x < 1", "x^2 > 0"), node("split", KNOWN, KNOWN, hypothesis=0), "not settled"),
    Instance("split", sequent("x", "x > 1 or x < -1", "x^2 > 0"), node("split", KNOWN, hypothesis=0), "the number of premises must be 2"),
    Instance("split", sequent("x", "x > 1", "x^2 > 0"), node("split", KNOWN, hypothesis=0), "no disjunction"),
    Instance("cases", sequent("x", "", "x^2 > 0"), node("cases", KNOWN, KNOWN, term="x", ops=[">", "<"]), "leave something out"),
    Instance("cases", sequent("x", "", "x^2 > 0"), node("cases", KNOWN, KNOWN, KNOWN, term="x", ops=[">", "==", "<"]), "not settled"),
    Instance("have", sequent("x", "", "x > 0"), node("have", KNOWN, KNOWN, formula="x > 0"), "not settled"),
    Instance("have", sequent("x", "", "x > 0"), node("have", KNOWN, formula="x^2 >= 0"), "the number of premises must be 2"),
    Instance("have", sequent("x", "", "x > 0"), node("have", KNOWN, KNOWN, formula="z > 0"), "not declared"),
    Instance("weaken", sequent("x y", "x > 0|y > 0", "y^3 > 0"), node("weaken", KNOWN, keep=[0]), "not settled"),
    Instance("weaken", sequent("x y", "x > 0|y > 0", "y^3 > 0"), node("weaken", KNOWN, keep=[2]), "no hypothesis"),
    Instance("weaken", sequent("x y", "x > 0|y > 0", "y^3 > 0"), node("weaken", KNOWN, keep=[-1]), "no hypothesis"),
    Instance("axiom", sequent("x", "", "exp(x) - 1 - x > 0"), node("axiom", KNOWN, name="exp above its tangent", at={"u": "x"}), "not settled"),
    Instance("axiom", sequent(";n", "n >= -1", "factorial(n) >= 1"), node("axiom", KNOWN, KNOWN, name="factorial at least 1", at={"u": "n"}), "not settled"),
    Instance("axiom", sequent("n", "n >= 0", "factorial(n) >= 1"), node("axiom", KNOWN, KNOWN, name="factorial at least 1", at={"u": "n"}), "not settled"),
    Instance("axiom", sequent("x", "x >= 0", "log(x) <= x - 1"), node("axiom", node("split", refuted([["1", [0], None], ["1", [2], None]]), KNOWN, hypothesis=1), name="log below u-1", at={"u": "x"}), "strictly positive"),
    Instance("axiom", sequent("x", "", "exp(x) - 1 - x >= 0"), node("axiom", KNOWN, name="exp above its tangent", at={}), "needs u"),
    Instance("instance", sequent("y", "all(x; real; x > 1; f(x) > x)|y >= 1", "f(y) > y", f=1), node("instance", KNOWN, KNOWN, hypothesis=0, value="y"), "not settled"),
    Instance("instance", sequent("y", "all(k; integer; f(k) == 0)", "f(y) == 0", f=1), node("instance", KNOWN, KNOWN, hypothesis=0, value="y"), "not settled"),
    Instance("instance", sequent("y", "all(x; real; all(y; real; f(x, y) > 0))", "f(y, y) < 1", f=2), node("instance", KNOWN, hypothesis=0, value="y"), "not settled"),
    Instance("instance", sequent("y", "all(x; real; sum(x, y, 1, 2) == 2*x)", "sum(y, y, 1, 2) == 2*y", f=2), node("instance", KNOWN, hypothesis=0, value="y"), "not settled"),
    Instance("all", sequent("y", "y >= 0", "all(x; real; x >= y; x > 0)"), node("all", KNOWN), "not settled"),
    Instance("all", sequent("x", "x > 1", "all(x; real; x > 0)"), node("all", KNOWN), "not settled"),
    Instance("all", sequent("x", "", "all(k; real; integer(k))"), node("all", KNOWN), "not settled"),
    Instance("lemma", sequent("x y", "x > 0|y >= 0", "x^2 + y^2 >= 2*x*y"), use("t:square", KNOWN, KNOWN), "not settled", SQUARE),
    Instance("lemma", sequent("x y", "x > 0|y > 0", "x^2 + y^2 > 2*x*y"), use("t:square", KNOWN), "not settled", SQUARE),
    Instance("lemma", sequent("x", "x > 0", "x >= 1"), use("t:whole", KNOWN, KNOWN, at={"n": "x"}), "not settled", WHOLE),
    Instance("lemma", sequent("z", "z > 0", "z^2 >= 0"), use("t:square", KNOWN), "needs a value", SQUARE),
    Instance("lemma", sequent("x y", "x > 0|y > 0", "x^2 >= 0"), use("t:none", KNOWN), "no lemma", SQUARE),
    Instance("lemma", sequent("y", "", "y^3 + (y + 1)^3 >= 0"), use("t:shift", node("all", KNOWN), KNOWN, at={"x": "y"}, functions={"f": {"of": ["t"], "is": "t^3"}}), "not settled", SHIFT),
    Instance("lemma", sequent("y", "", "y + 1 >= y"), use("t:above", node("all", KNOWN), KNOWN, at={"x": "y"}, functions={"f": {"of": ["t"], "is": "y + 1"}}), "not settled", ABOVE_ALL),
    Instance("lemma", sequent("y", "", "y >= y"), use("t:above", node("all", KNOWN), KNOWN, at={"x": "y"}, functions={"f": {"of": ["y"], "is": "y"}}), "name of a variable", ABOVE_ALL),
    Instance("lemma", sequent("y", "", "y >= y"), use("t:above", node("all", KNOWN), KNOWN, at={"x": "y"}, functions={"f": {"of": ["t"], "is": "z"}}), "not declared", ABOVE_ALL),
    Instance("defined", sequent("x", "x >= 0", "defined(log(x))"), node("defined"), "the number of premises must be 1"),
    Instance("defined", sequent("x", "x >= 0", "defined(x^(-1/2))"), node("defined", KNOWN), "not settled"),
    Instance("defined", sequent("x", "", "defined(x/x)"), node("defined", KNOWN), "not settled"),
    Instance("defined", sequent("x", "", "defined(0*log(x))"), node("defined", KNOWN), "not settled"),
    Instance("defined", sequent(";n", "n >= -1", "defined(sum(1/k, k, 1, n))"), node("defined", KNOWN), "not settled"),
    Instance("defined", sequent("x", "x >= 1", "defined(sum(1/k, k, 1, x))"), node("defined", KNOWN), "not settled"),
    Instance("defined", sequent(";n", "n >= 1", "defined(sum(1/k, k, 0, n))"), node("defined", KNOWN), "not settled"),
    Instance("defined", sequent("x;n", "n >= -1", "defined(x^n)"), node("defined", node("or", KNOWN, part=1)), "not settled"),
    Instance("defined", sequent("x", "", "defined(ifge(x, 0, log(x), 0))"), node("defined", KNOWN), "not settled"),
    Instance("defined", sequent("x", "", "defined(integral(1, x, 0, 1))"), node("defined"), "rule of its own"),
    Instance("defined", sequent("x", "x >= 0|x <= 1", "x^2 >= 0"), node("defined"), "not that a term"),
]  # fmt: skip


LONG = " + ".join(["x"] * 200) + " > 0"  # too long to be read at once


@pytest.mark.parametrize(
    ("given", "goal", "settled"),
    [
        (f"y > 1|{LONG}", "y > 0", True),
        (f"y > 1|{LONG}", "x > 0", True),
        (f"y > 1|{LONG}", "x + y > 1", True),
        (f"y > -1|{LONG}", "y > 0", False),
        (f"y > 1|{LONG}", "x > 1", False),
        (f"y > 1|{LONG.replace('>', '>=')}", "x > 0", False),
    ],
)
def test_long_hypothesis_is_read_where_the_short_ones_do_not_do(given, goal, settled):
    s = sequent("x y", given, goal)
    assert any(h.left.size > automatic.LONG for h in s.hypotheses)
    if settled:
        check(s, KNOWN)
    else:
        with pytest.raises(Rejected, match="not settled"):
            check(s, KNOWN)


def test_variables_and_functions_of_a_lemma_are_put_in_at_once():
    used = sequent("x y", "x < y|f(x) > 0", "f(y) > x", f=1)
    values = {"x": parse_term("y"), "y": parse_term("x + 1")}
    found = instantiated(used, values, {"f": (("t",), parse_term("t*y"))}, {"x", "y"})
    assert list(map(str, found)) == ["y < x + 1", "y*y > 0", "(x + 1)*y > y"]


def test_bound_variables_of_a_lemma_step_aside():
    used = sequent("x", "all(t; real; t <= x)", "sum(k + x, k, 1, 3) > f(x)", f=1)
    values = {"x": parse_term("k*t")}
    found = instantiated(used, values, {"f": (("a",), parse_term("sum(a*t, k, 1, 2)"))}, {"k", "t"})
    assert list(map(str, found)) == [
        "all(t_; real; t_ <= k*t)",
        "sum(k_ + k*t, k_, 1, 3) > sum(k*t*t, k_, 1, 2)",
    ]
