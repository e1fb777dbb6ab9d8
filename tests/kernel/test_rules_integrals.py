"""Rules for integrals: what each must accept, and what is false by a hair and must be rejected."""

import pytest

from dpbook.kernel import Rejected, check
from tests.kernel.instances import IDENTITY, KNOWN, Instance, node, sequent

DEFINED = node("defined")
PROPER = node("proper integral", DEFINED)
PLAIN = node("proper integral")  # of an integrand that is a variable
TABLE = "integral of the table"
LIMIT = {"limit": "0", "from": "a + 1/e", "small": "e"}
VALUE = node("rewrite", IDENTITY, equality=2)  # the value of the integral is hypothesis 2


def use(rule, of, *premises, **fields):
    return node(rule, *premises, integral=of, **fields)


def primitive(of, by, *premises, **fields):
    return use("primitive", of, *premises, by=by, **fields)


def gaussian(*premises, a="1/s", b="0", of="integral(exp(-x^2/s), x, -oo, oo)"):
    return use(TABLE, of, *premises, entry="Gaussian", at={"a": a, "b": b, "c": "0"})


def compare(low, high, *premises, op="<="):
    return node("compare integrals", *premises, low=low, high=high, op=op)


def inner(whole, *premises):
    return node("inner integral", *premises, whole=whole)


A = "a > 0"
TAIL = "integral(1/x^2, x, a, oo)"
SUM = "integral(2*x + 3*x^2, x, 0, a)"
PARTS = [["2", "x"], ["3", "x^2"]]
SCALED = "integral(exp(-x*a), x, 0, 1)"
ONE, TWO = "integral(x^2, x, 0, 1)", "integral(x, x, 0, 1)"

# an unknown f >= 0 that has an integral, and one between 0 and 1 that is measurable
SIGN, EXISTS = "all(t; real; f(t) >= 0)", "defined(integral(f(x), x, -oo, oo))"
DENSITY = f"{SIGN}|{EXISTS}"
TEST = f"{SIGN}|all(t; real; f(t) <= 1)|defined(integral(f(x)*exp(-x^2), x, 0, 1))"
HALF = "defined(integral(f(x)/2, x, -oo, oo))"
UNIT = "defined(integral(f(x), x, 0, 1))"
AT_X = node("instance", KNOWN, hypothesis=0, value="x_")
BELOW_1 = node("instance", KNOWN, hypothesis=1, value="x_")


def bounded(*premises, by="f(x)", measurable=(("f(x)", "1"),)):
    return node("bounded integral", *premises, by=by, measurable=[list(m) for m in measurable])


WEIGHED = (("f(x)", "exp(-x^2)"),)

# u is at most the integral of what tends to 0, for each small number
FADING = "all(q; real; u <= integral(q, x, 0, 1))"
AT_E = node("instance", KNOWN, hypothesis=0, value="e")


def vanishing(*premises, of="integral(e, x, 0, 1)", **fields):
    given = {"small": "e", "below": "u", "by": "1", "close": "h", "from": "h"} | fields
    return node("vanishing integral", *premises, integral=of, **given)


# x == y^(1/2) in an integral up to oo, and x == 1/y - 1, which falls, in one of an unknown function
ROOT, HALVED = "integral(x*exp(-x^2), x, 0, oo)", "integral(exp(-y)/2, y, 0, oo)"
FALLS = "integral(f(1/y - 1)/y^2, y, 0, 1)"


def change(*premises, of=ROOT, other=HALVED, by="y^(1/2)", back="x^2", **more):
    return use("change integral", of, *premises, other=other, by=by, back=back, **more)


def unlike(
    goal,
    *premises,
    why="not settled",
    given=f"defined({HALVED})",
    names="",
    functions=None,
    **fields,
):
    """A change of a variable that does not hold."""
    s = sequent(names, given, goal, **(functions or {}))
    return Instance("change integral", s, change(*premises, KNOWN, **fields), why)


# of functions that are nowhere negative, f of x and g of y, the product has an integral in one order
BOTH = "all(t; real; f(t) >= 0)|all(t; real; g(t) >= 0)|defined(integral(f(x), x, 0, 1))|defined(integral(g(y), y, 0, oo))"
PAIR = "integral(integral(f(x)*g(y), y, 0, oo), x, 0, 1)"
OTHER = "integral(integral(f(x)*g(y), x, 0, 1), y, 0, oo)"
TWICE = f"{BOTH}|defined({PAIR})"
OF_X = node(
    "linear integral",
    DEFINED,
    KNOWN,
    integral="integral(f(x)*g(y_), x, 0, 1)",
    parts=[["g(y_)", "f(x)"]],
)
SIGNS = node(
    "instance", node("instance", KNOWN, hypothesis=0, value="x_"), hypothesis=1, value="y_"
)

# a series of such functions
EACH = "all(k; integer; k >= 0; defined(integral(f(k, x), x, 0, 1)))"
TERMS = f"all(k; integer; k >= 0; all(x; real; f(k, x) >= 0))|{EACH}"
SERIES = "integral(sum(f(k, x), k, 0, oo), x, 0, 1)"
BY_TERMS = "sum(integral(f(k, x), x, 0, 1), k, 0, oo)"
SUMMED = f"{TERMS}|defined({SERIES})"
AT_K = node("instance", KNOWN, hypothesis=1, value="k_")
TERM = node("instance", node("instance", KNOWN, hypothesis=7, value="x_"), hypothesis=0, value="k_")

# a series of series of such numbers
ROWS, COLUMNS = "sum(sum(f(k, j), j, 0, oo), k, 0, oo)", "sum(sum(f(k, j), k, 0, oo), j, 0, oo)"
TWO_SERIES = f"all(k; integer; all(j; integer; f(k, j) >= 0))|all(j; integer; defined(sum(f(k, j), k, 0, oo)))|defined({ROWS})"
AT_J = node("instance", KNOWN, hypothesis=1, value="j_")
POSITIVE = node(
    "instance", node("instance", KNOWN, hypothesis=6, value="j_"), hypothesis=0, value="k_"
)

# whose two orders differ, or of which one does not exist
PLANE = "defined(integral(integral({0}, y, 0, 1), x, 0, 1))|all(y; real; y > 0; y < 1; defined(integral({0}, x, 0, 1)))"
AT_Y = node("instance", KNOWN, hypothesis=1, value="y_")


def square(body, *premises, given="", measurable=(), why="not settled", names="", **functions):
    """An integral over the unit square, all of which is given but what is to be missed."""
    of = f"integral(integral({body}, y, 0, 1), x, 0, 1)"
    other = f"integral(integral({body}, x, 0, 1), y, 0, 1)"
    s = sequent(names, PLANE.format(body) + given, f"{of} == {other}", **functions)
    return Instance(
        "exchange integrals", s, exchange(AT_Y, *premises, KNOWN, of=of, measurable=measurable), why
    )


def exchange(*premises, of=PAIR, measurable=()):
    if of == PAIR:
        measurable = (("f(x)", "1"), ("g(y)", "1"))
    return use("exchange integrals", of, *premises, measurable=[list(m) for m in measurable])


ACCEPTED = [
    Instance("proper integral", sequent("a", A, "defined(integral(1/x, x, 1, 1 + a))"), PROPER),
    Instance("proper integral", sequent("a", A, "defined(integral(abs(x), x, -a, a))"), PROPER),
    Instance("primitive", sequent("a", A, "integral(2*x, x, 0, a) == a^2"), primitive("integral(2*x, x, 0, a)", "x^2", DEFINED, DEFINED, VALUE)),
    Instance("primitive", sequent("a", A, f"{TAIL} == 1/a"), primitive(TAIL, "-1/x", DEFINED, DEFINED, DEFINED, VALUE, high=LIMIT)),
    Instance("primitive", sequent("a", A, "integral(x^(-1/2), x, 0, a) == 2*a^(1/2)"), primitive("integral(x^(-1/2), x, 0, a)", "2*x^(1/2)", DEFINED, DEFINED, DEFINED, VALUE)),
    Instance(TABLE, sequent("s", "s > 0", "integral(exp(-x^2/s), x, -oo, oo) == (pi*s)^(1/2)"), gaussian(DEFINED, VALUE)),
    Instance("linear integral", sequent("a", A, f"{SUM} == 2*integral(x, x, 0, a) + 3*integral(x^2, x, 0, a)"), use("linear integral", SUM, DEFINED, PLAIN, PROPER, KNOWN, parts=PARTS)),
    Instance("cut integral", sequent("a", "a > 1", "integral(x, x, 0, a) == integral(x, x, 0, 1) + integral(x, x, 1, a)"), use("cut integral", "integral(x, x, 0, a)", PLAIN, PLAIN, KNOWN, at="1")),
    Instance("compare integrals", sequent("", "", f"{ONE} <= {TWO}"), compare(ONE, TWO, PROPER, PLAIN, KNOWN)),
    Instance("move integral", sequent("a", A, f"{SCALED} == integral(exp(-x)/a, x, 0, a)"), use("move integral", SCALED, PROPER, DEFINED, VALUE, scale="1/a", shift="0")),
    Instance("move integral", sequent("", "", f"{TWO} == integral(1 - x, x, 0, 1)"), use("move integral", TWO, PROPER, node("rewrite", IDENTITY, equality=1), scale="-1", shift="1", reflected="yes")),
    Instance("reverse integral", sequent("", "", "integral(x, x, 1, 0) == -integral(x, x, 0, 1)"), use("reverse integral", "integral(x, x, 1, 0)", PLAIN, KNOWN)),
    Instance("reverse integral", sequent("a", "a < 0", "defined(integral(x, x, 0, a))"), use("reverse integral", "integral(x, x, 0, a)", PLAIN, KNOWN)),
    Instance("bounded integral", sequent("", DENSITY, HALF, f=1), bounded(DEFINED, AT_X, AT_X)),
    Instance("bounded integral", sequent("", TEST, UNIT, f=1), bounded(DEFINED, PLAIN, BELOW_1, AT_X, DEFINED, by="1", measurable=WEIGHED)),
    Instance("bounded integral", sequent("", DENSITY.replace("x", "y"), HALF, f=1), bounded(DEFINED, AT_X, AT_X)),
    Instance("inner integral", sequent("a b", f"a < b|{EXISTS}", "defined(integral(f(t), t, a, b))", f=1), inner("integral(f(x), x, -oo, oo)")),
    Instance("inner integral", sequent("a", f"a >= 0|a <= 1|{UNIT}", "defined(integral(f(x), x, a, a))", f=1), inner(UNIT[8:-1])),
    Instance("inner integral", sequent("a", f"a > 0|{EXISTS}", "defined(integral(f(x), x, log(a), oo))", f=1), inner("integral(f(x), x, -oo, oo)")),
    Instance("change integral", sequent("", f"defined({HALVED})", f"{ROOT} == {HALVED}"), change(DEFINED, DEFINED, DEFINED, KNOWN)),
    Instance("change integral", sequent("", f"defined({FALLS})", f"integral(f(x), x, 0, oo) == {FALLS}", f=1), change(DEFINED, DEFINED, DEFINED, KNOWN, of="integral(f(x), x, 0, oo)", other=FALLS, by="1/y - 1", back="1/(1 + x)", reflected="yes")),
    Instance("exchange integrals", sequent("", TWICE, f"{PAIR} == {OTHER}", f=1, g=1), exchange(OF_X, SIGNS, KNOWN)),
    Instance("exchange integrals", sequent("", TWICE, f"defined({OTHER})", f=1, g=1), exchange(OF_X, SIGNS, KNOWN)),
    Instance("exchange integrals", sequent("", SUMMED, f"{SERIES} == {BY_TERMS}", f=2), exchange(AT_K, TERM, KNOWN, of=SERIES)),
    Instance("exchange integrals", sequent("", TWO_SERIES, f"{ROWS} == {COLUMNS}", f=2), exchange(AT_J, POSITIVE, KNOWN, of=ROWS)),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN)),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, node("instance", KNOWN, hypothesis=0, value="s"), KNOWN, of="integral(s, x, 0, 1)", small="s", close="k", **{"from": "k"})),
]  # fmt: skip

REJECTED = [
    Instance("proper integral", sequent("a", "a >= 0", "defined(integral(1/x, x, a, 1 + a))"), PROPER, "premises"),
    Instance("proper integral", sequent("a", "", "defined(integral(x, x, 0, a))"), node("proper integral", KNOWN), "not settled"),
    Instance("proper integral", sequent("", "", "defined(integral(1/x, x, -1, 1))"), PROPER, "premises"),
    Instance("proper integral", sequent("", "", "defined(integral(x/x, x, -1, 1))"), PROPER, "premises"),
    Instance("proper integral", sequent("", "", "defined(integral(log(x) - log(x), x, -1, 1))"), PROPER, "premises"),
    Instance("proper integral", sequent("", "", "defined(integral(sign(x), x, -1, 1))"), PROPER, "may jump"),
    Instance("proper integral", sequent("", "", "defined(integral(f(x), x, -1, 1))", f=1), PROPER, "may jump"),
    Instance("proper integral", sequent("", "", "defined(integral(exp(-x), x, 0, oo))"), PROPER, "not bounded"),
    Instance("proper integral", sequent("", "", "defined(integral(x, x, oo, 0))"), PROPER, "out of order"),
    Instance("primitive", sequent("a", A, "integral(2*x, x, 0, a) == a^2 + 1"), primitive("integral(2*x, x, 0, a)", "x^2", DEFINED, DEFINED, VALUE), "differ"),
    Instance("primitive", sequent("a", A, "integral(2*x, x, 0, a) == a^3"), primitive("integral(2*x, x, 0, a)", "x^3", DEFINED, DEFINED, DEFINED, KNOWN, VALUE), "not settled"),
    Instance("primitive", sequent("a", "", "integral(2*x, x, 0, a) == a^2"), primitive("integral(2*x, x, 0, a)", "x^2", KNOWN, DEFINED, DEFINED, VALUE), "not settled"),
    Instance("primitive", sequent("", "", "integral(1/x^2, x, -1, 1) == -2"), primitive("integral(1/x^2, x, -1, 1)", "-1/x", DEFINED, DEFINED, DEFINED, KNOWN), "premises"),
    Instance("primitive", sequent("", "", "integral(1/x^2, x, -1, 1) == -2"), primitive("integral(1/x^2, x, -1, 1)", "-1/x", node("defined", KNOWN), DEFINED, DEFINED, KNOWN), "not settled"),
    Instance("primitive", sequent("", "", "integral(0*x, x, -1, 1) == 2"), primitive("integral(0*x, x, -1, 1)", "sign(x)", DEFINED, DEFINED, VALUE), "may jump"),
    Instance("primitive", sequent("a", A, f"{TAIL} == 1/a + 1"), primitive(TAIL, "-1/x", DEFINED, DEFINED, DEFINED, VALUE, high={**LIMIT, "limit": "1"}), "premises"),
    Instance("primitive", sequent("a", A, f"{TAIL} == 1/a"), primitive(TAIL, "-1/x", DEFINED, DEFINED, DEFINED, VALUE), "needs a limit"),
    Instance("primitive", sequent("a", A, f"{TAIL} == 1/a"), primitive(TAIL, "-1/x", DEFINED, DEFINED, DEFINED, VALUE, high={**LIMIT, "from": "a"}), "premises"),
    Instance("primitive", sequent("a e", A, f"{TAIL} == 1/a"), primitive(TAIL, "-1/x", DEFINED, DEFINED, DEFINED, VALUE, high=LIMIT), "variable already"),
    Instance("primitive", sequent("a x", A, "integral(2*x, x, 0, a) == a^2"), primitive("integral(2*x, x, 0, a)", "x^2", DEFINED, DEFINED, VALUE), "name of a variable"),
    Instance(TABLE, sequent("s", "s > 0", "integral(exp(-x^2/s), x, -oo, oo) == (2*pi*s)^(1/2)"), gaussian(DEFINED, VALUE), "differ"),
    Instance(TABLE, sequent("s", "s != 0", "integral(exp(-x^2/s), x, -oo, oo) == (pi*s)^(1/2)"), gaussian(KNOWN, DEFINED, VALUE), "not settled"),
    Instance(TABLE, sequent("s", "s > 0", "integral(exp(-x^2/s), x, -oo, oo) == (pi*s)^(1/2)"), gaussian(DEFINED, KNOWN, VALUE, a="2/s"), "not settled"),
    Instance(TABLE, sequent("s", "s > 0", "integral(exp(-x^2/s), x, 0, oo) == (pi*s)^(1/2)"), gaussian(DEFINED, VALUE, of="integral(exp(-x^2/s), x, 0, oo)"), "not the ends of the entry"),
    Instance(TABLE, sequent("s", "s > 0", "integral(exp(-x^2/s), x, oo, -oo) == (pi*s)^(1/2)"), gaussian(DEFINED, VALUE, of="integral(exp(-x^2/s), x, oo, -oo)"), "out of order"),
    Instance("linear integral", sequent("a", A, f"{SUM} == 2*integral(x, x, 0, a) + 2*integral(x^2, x, 0, a)"), use("linear integral", SUM, DEFINED, KNOWN, PROPER, PROPER, KNOWN, parts=[["2", "x"], ["2", "x^2"]]), "not settled"),
    Instance("linear integral", sequent("", "", "integral(0*x, x, 0, 1) == 0"), use("linear integral", "integral(0*x, x, 0, 1)", DEFINED, node("proper integral", KNOWN), node("proper integral", KNOWN), KNOWN, parts=[["1", "1/x"], ["-1", "1/x"]]), "not settled"),
    Instance("linear integral", sequent("x", "x > 0", "integral(2*x + 3*x^2, x, 0, 1) == 2"), use("linear integral", "integral(2*x + 3*x^2, x, 0, 1)", DEFINED, PROPER, PROPER, KNOWN, parts=PARTS), "name of a variable"),
    Instance("linear integral", sequent("", "", "integral(1, x, 1, 0) == 0"), use("linear integral", "integral(1, x, 1, 0)", KNOWN, node("refute", node("combination", terms=[["1", [0], None], ["1", [1], None], ["1", [], None]])), KNOWN, parts=[]), "not settled"),
    Instance("cut integral", sequent("a", "a > 0", "integral(x, x, 0, a) == integral(x, x, 0, 1) + integral(x, x, 1, a)"), use("cut integral", "integral(x, x, 0, a)", KNOWN, PROPER, PROPER, KNOWN, at="1"), "not settled"),
    Instance("cut integral", sequent("", "", "defined(integral(1/x, x, -1, 1))"), use("cut integral", "integral(1/x, x, -1, 1)", node("auto"), node("auto"), node("defined"), KNOWN, at="0"), "not settled"),
    Instance("inner integral", sequent("", UNIT, "defined(integral(f(x), x, 0, 2))", f=1), inner(UNIT[8:-1], KNOWN), "not settled"),
    Instance("inner integral", sequent("", UNIT, "defined(integral(f(x), x, -1, 1))", f=1), inner(UNIT[8:-1], KNOWN), "not settled"),
    Instance("inner integral", sequent("a b", EXISTS, "defined(integral(f(x), x, a, b))", f=1), inner("integral(f(x), x, -oo, oo)", KNOWN), "not settled"),
    Instance("inner integral", sequent("a", f"a < 1|{EXISTS}", "defined(integral(f(x), x, log(a), 1))", f=1), inner("integral(f(x), x, -oo, oo)", KNOWN, KNOWN), "not settled"),
    Instance("inner integral", sequent("", "", "defined(integral(f(x), x, 0, 1))", f=1), inner("integral(f(x), x, -oo, oo)", KNOWN), "not settled"),
    Instance("inner integral", sequent("", UNIT, "defined(integral(f(x), x, 0, oo))", f=1), inner(UNIT[8:-1]), "infinite end"),
    Instance("inner integral", sequent("", EXISTS, "defined(integral(f(2*x), x, 0, 1))", f=1), inner("integral(f(x), x, -oo, oo)"), "integrands differ"),
    Instance("inner integral", sequent("", UNIT, "integral(f(x), x, 0, 1/2) >= 0", f=1), inner(UNIT[8:-1]), "integral exists"),
    Instance("compare integrals", sequent("", "", f"{TWO} <= {ONE}"), compare(TWO, ONE, PLAIN, PROPER, KNOWN, KNOWN), "not settled"),
    Instance("compare integrals", sequent("", "", f"{ONE} < {TWO}"), compare(ONE, TWO, PROPER, PROPER, KNOWN, op="<"), "not <= or =="),
    Instance("compare integrals", sequent("", "", "integral(x^2, x, 0, 2) <= integral(x, x, 0, 1)"), compare("integral(x^2, x, 0, 2)", TWO, PROPER, PROPER, KNOWN), "other ends"),
    Instance("compare integrals", sequent("a", "", "integral(0*x, x, 0, a) <= integral(x^2, x, 0, a)"), compare("integral(0*x, x, 0, a)", "integral(x^2, x, 0, a)", KNOWN, PROPER, PROPER, KNOWN), "not settled"),
    Instance("compare integrals", sequent("", "", "integral(0*x, x, 0, 1) <= integral(1/x, x, 0, 1)"), compare("integral(0*x, x, 0, 1)", "integral(1/x, x, 0, 1)", PROPER, node("proper integral", DEFINED), KNOWN), "premises"),
    Instance("move integral", sequent("a", "", f"{SCALED} == integral(exp(-x)/a, x, 0, a)"), use("move integral", SCALED, KNOWN, PROPER, DEFINED, VALUE, scale="1/a", shift="0"), "not settled"),
    Instance("move integral", sequent("a", A, f"{SCALED} == integral(exp(-x)/a, x, 0, 2*a)"), use("move integral", SCALED, PROPER, DEFINED, VALUE, scale="1/a", shift="0"), "differ"),
    Instance("move integral", sequent("", "", f"{TWO} == integral(x - 1, x, 0, 1)"), use("move integral", TWO, PROPER, node("rewrite", IDENTITY, equality=1), scale="-1", shift="1", reflected="yes"), "differ"),
    Instance("move integral", sequent("x", "x > 0", f"{TWO} == 0"), use("move integral", TWO, PROPER, DEFINED, KNOWN, scale="x", shift="0"), "name that the integral binds"),
    Instance("reverse integral", sequent("", "", "integral(x, x, 1, 0) == integral(x, x, 0, 1)"), use("reverse integral", "integral(x, x, 1, 0)", PLAIN, KNOWN), "not settled"),
    Instance("reverse integral", sequent("a", "", "defined(integral(x, x, 0, a))"), use("reverse integral", "integral(x, x, 0, a)", node("proper integral", KNOWN), KNOWN), "not settled"),
    Instance("reverse integral", sequent("", "", "defined(integral(1/x, x, 1, -1))"), use("reverse integral", "integral(1/x, x, 1, -1)", node("proper integral", DEFINED), KNOWN), "premises"),
    Instance("reverse integral", sequent("", "", "defined(integral(exp(-x), x, oo, 0))"), use("reverse integral", "integral(exp(-x), x, oo, 0)", KNOWN, KNOWN), "finite ends"),
    Instance("reverse integral", sequent("x", "defined(integral(x, x, 1/x, 1))", "defined(integral(x, x, 1, 1/x))"), use("reverse integral", "integral(x, x, 1, 1/x)", KNOWN, KNOWN), "not settled"),
    Instance("reverse integral", sequent("x", "", "defined(integral(x, x, 1, 1/x))"), use("reverse integral", "integral(x, x, 1, 1/x)", KNOWN, KNOWN, KNOWN), "not settled"),
    Instance("bounded integral", sequent("", DENSITY, HALF, f=1), bounded(DEFINED, node("bounded integral", DEFINED, AT_X, AT_X, by="f(x)", measurable=[["f(x)", "1"]]), AT_X, AT_X, by="f(x)/4"), "not settled"),
    square("(x^2 - y^2)/(x^2 + y^2)^2", KNOWN),
    square("f(x, y)", node("instance", node("instance", KNOWN, hypothesis=7, value="y_"), hypothesis=2, value="x_"), given="|all(x; real; all(y; real; f(x, y) >= 0))", f=2, why="not known to be measurable"),
    square("f(x, y)", KNOWN, given="|all(x; real; all(y; real; f(x, y) >= 0))", f=2, measurable=[["f(x, y)", "1"]], why="depends on both variables"),
    square("f(x - y)", KNOWN, given="|all(x; real; f(x) >= 0)|defined(integral(f(x), x, 0, 1))", f=1, measurable=[["f(x)", "1"]], why="not known to be measurable"),
    square("f(x)^2", KNOWN, f=1, measurable=[["f(x)", "1"]]),
    square("f(x)^2", KNOWN, given="|defined(integral(f(x)*0, x, 0, 1))", f=1, measurable=[["f(x)", "0"]]),
    square("f(x)^2", KNOWN, f=1, measurable=[["f(x)", "f(x)"]], why="more than functions of the table"),
    square("f(x)^2", KNOWN, f=1, names="z", measurable=[["f(x)", "1"], ["z", "1"]], why="on none"),
    square("f(x)^2", KNOWN, f=1, measurable=[["f(x)", "y"]], why="not declared: y"),
    square("f(x)^2", KNOWN, KNOWN, given="|defined(integral(f(x)*(1/0), x, 0, 1))", f=1, measurable=[["f(x)", "1/0"]]),
    square("f(integral(g(x + y), z, 0, 1))^2", KNOWN, f=1, g=1, measurable=[["integral(g(x + y), z, 0, 1)", "1"]], why="depends on both variables"),
    square("sum(f(x*k)^2, k, 0, 3)", KNOWN, f=1, measurable=[["f(x)", "1"]], why="not known to be measurable"),
    unlike(f"{ROOT} == 0", DEFINED, DEFINED, DEFINED),
    unlike(f"{ROOT} == {HALVED}", KNOWN, DEFINED, DEFINED, DEFINED, given=""),
    # F lacks the slope; the point is taken for another one; the values of g leave the range; they do not fill it
    unlike(f"{ROOT} == integral(exp(-y), y, 0, oo)", DEFINED, DEFINED, DEFINED, KNOWN, given="defined(integral(exp(-y), y, 0, oo))", other="integral(exp(-y), y, 0, oo)"),
    unlike(f"{ROOT} == {HALVED}", DEFINED, DEFINED, DEFINED, KNOWN, back="x^2/2"),
    unlike("integral(1, x, 0, 1) == integral(2, y, 0, 1)", DEFINED, KNOWN, given="defined(integral(2, y, 0, 1))", of="integral(1, x, 0, 1)", other="integral(2, y, 0, 1)", by="2*y", back="x/2"),
    unlike("integral(1, x, 0, 2) == integral(1, y, 0, 1)", KNOWN, given="defined(integral(1, y, 0, 1))", of="integral(1, x, 0, 2)", other="integral(1, y, 0, 1)", by="y", back="x"),
    # not monotone, or flat at one point; it falls, and rises
    unlike("integral(x, x, 0, 1) == integral(2*y^3, y, -1, 1)", DEFINED, DEFINED, KNOWN, KNOWN, given="defined(integral(2*y^3, y, -1, 1))", of="integral(x, x, 0, 1)", other="integral(2*y^3, y, -1, 1)", by="y^2", back="x^(1/2)"),
    unlike("integral(1, x, -1, 1) == integral(3*y^2, y, -1, 1)", DEFINED, DEFINED, KNOWN, KNOWN, KNOWN, KNOWN, given="defined(integral(3*y^2, y, -1, 1))", of="integral(1, x, -1, 1)", other="integral(3*y^2, y, -1, 1)", by="y^3", back="ifge(x, 0, x^(1/3), -(-x)^(1/3))"),
    unlike("integral(1, x, 0, 1) == integral(-1, y, 0, 1)", DEFINED, KNOWN, given="defined(integral(-1, y, 0, 1))", of="integral(1, x, 0, 1)", other="integral(-1, y, 0, 1)", by="1 - y", back="1 - x"),
    unlike("integral(1, x, 0, 1) == integral(-1, y, 0, 1)", KNOWN, given="defined(integral(-1, y, 0, 1))", of="integral(1, x, 0, 1)", other="integral(-1, y, 0, 1)", by="y", back="x", reflected="yes"),
    # g rises wherever it is defined, but not over its pole, and takes no account of its jumps
    unlike("integral(exp(-x^2), x, -oo, oo) == integral(exp(-1/y^2)/y^2, y, -oo, oo)", DEFINED, node("defined", KNOWN), DEFINED, KNOWN, given="defined(integral(exp(-1/y^2)/y^2, y, -oo, oo))", of="integral(exp(-x^2), x, -oo, oo)", other="integral(exp(-1/y^2)/y^2, y, -oo, oo)", by="-1/y", back="-1/x"),
    unlike("integral(1, x, 0, 2) == integral(1, y, 0, 1)", KNOWN, given="defined(integral(1, y, 0, 1))", of="integral(1, x, 0, 2)", other="integral(1, y, 0, 1)", by="y + floor(2*y)", back="x", why="no derivative of floor"),
    unlike("integral(f(x), x, 0, 1) == integral(1, y, 0, 1)", KNOWN, given="defined(integral(1, y, 0, 1))", of="integral(f(x), x, 0, 1)", other="integral(1, y, 0, 1)", by="f(y)", back="x", functions={"f": 1}, why="no derivative of f"),
    # f is not defined at one point; an integral from 1 to 0 is not 0 though nothing is between its ends
    unlike("integral(x/x, x, -1, 1) == integral(1, y, -1, 1)", node("defined", KNOWN), KNOWN, given="defined(integral(1, y, -1, 1))", of="integral(x/x, x, -1, 1)", other="integral(1, y, -1, 1)", by="y", back="x"),
    unlike("integral(1, x, 1, 0) == integral(1, y, 0, 0)", KNOWN, KNOWN, given="defined(integral(1, y, 0, 0))", of="integral(1, x, 1, 0)", other="integral(1, y, 0, 0)", by="y", back="x"),
    unlike("integral(1, x, 0, 0) == integral(1, y, 1, 0)", KNOWN, KNOWN, given="defined(integral(1, y, 1, 0))", of="integral(1, x, 0, 0)", other="integral(1, y, 1, 0)", by="y", back="x"),
    unlike("defined(integral(1, x, 1/c, 1))", KNOWN, names="c", given="defined(integral(1, y, 0, 1))|1/c == 0", of="integral(1, x, 1/c, 1)", other="integral(1, y, 0, 1)", by="y", back="x"),
    unlike("integral(1, x, oo, 0) == 0", KNOWN, of="integral(1, x, oo, 0)", why="out of order"),
    unlike("integral(y, x, 0, 1) == 0", KNOWN, names="y", why="name of a variable"),
    unlike("integral(x, x, 0, 1) == 0", KNOWN, names="x", why="name of a variable"),
    unlike(f"{ROOT} == 0", KNOWN, by="y^(1/2)*x", why="not declared: x"),
    unlike(f"{ROOT} == 0", KNOWN, back="y", why="not declared: y"),
    # the size of y has a slope but at one point; a sum up to y jumps; a point that has no value is none
    unlike("integral(x, x, 0, 1) == integral(y, y, -1, 1)", DEFINED, node("defined", KNOWN), KNOWN, given="defined(integral(y, y, -1, 1))", of="integral(x, x, 0, 1)", other="integral(y, y, -1, 1)", by="(y^2)^(1/2)", back="x"),
    unlike("integral(1, x, 0, 2) == integral(1, y, 0, 1)", KNOWN, of="integral(1, x, 0, 2)", other="integral(1, y, 0, 1)", by="y + sum(1, k, 1, y)", back="x", why="depends on y"),
    unlike("integral(1, x, 0, 1) == integral(1, y, 0, 1)", KNOWN, KNOWN, KNOWN, given="defined(integral(1, y, 0, 1))", of="integral(1, x, 0, 1)", other="integral(1, y, 0, 1)", by="y", back="1/0"),
    unlike("integral(1, x, 0, 1) == integral(-1, y, 0, 1)", KNOWN, given="defined(integral(-1, y, 0, 1))", of="integral(1, x, 0, 1)", other="integral(-1, y, 0, 1)", by="y", back="x", reflected=True, why="must be text"),
    Instance("exchange integrals", sequent("", TWICE.replace(f"|defined({PAIR})", ""), f"{PAIR} == {OTHER}", f=1, g=1), exchange(KNOWN, OF_X, SIGNS, KNOWN), "not settled"),
    Instance("exchange integrals", sequent("", TWICE, f"{PAIR} == 0", f=1, g=1), exchange(OF_X, SIGNS, KNOWN), "not settled"),
    # at y == 1/2 the integral over x does not exist, and nowhere else is it missed
    Instance("exchange integrals", sequent("", "defined(integral(integral(ifeq(y, 1/2, 1/x, 1), y, 0, 1), x, 0, 1))", "defined(integral(integral(ifeq(y, 1/2, 1/x, 1), x, 0, 1), y, 0, 1))"), exchange(KNOWN, KNOWN, KNOWN, of="integral(integral(ifeq(y, 1/2, 1/x, 1), y, 0, 1), x, 0, 1)"), "not settled"),
    Instance("exchange integrals", sequent("", "", "integral(integral(1, y, 0, x), x, 0, 1) == 0"), exchange(KNOWN, of="integral(integral(1, y, 0, x), x, 0, 1)"), "an end holds a bound variable"),
    Instance("exchange integrals", sequent("y", "y > 0", "integral(integral(1, y, 0, 1), x, 0, y) == 0"), exchange(KNOWN, of="integral(integral(1, y, 0, 1), x, 0, y)"), "an end holds a bound variable"),
    Instance("exchange integrals", sequent("x", "x > 0", "integral(integral(x, y, 0, 1), x, 0, 1) == x"), exchange(KNOWN, of="integral(integral(x, y, 0, 1), x, 0, 1)"), "name of a variable"),
    Instance("exchange integrals", sequent("y", "y > 0", "integral(integral(y, y, 0, 1), x, 0, 1) == y"), exchange(KNOWN, of="integral(integral(y, y, 0, 1), x, 0, 1)"), "name of a variable"),
    Instance("exchange integrals", sequent("", "", "integral(integral(x, x, 0, 1), x, 0, 2) == 1"), exchange(KNOWN, of="integral(integral(x, x, 0, 1), x, 0, 2)"), "have one name"),
    Instance("exchange integrals", sequent("", "", "integral(product(k, k, 1, 2), x, 0, 1) == 1"), exchange(KNOWN, of="integral(product(k, k, 1, 2), x, 0, 1)"), "in another one"),
    Instance("exchange integrals", sequent("", "", "integral(sum(k, k, 1, 0), x, 0, 1) == 1"), exchange(KNOWN, of="integral(sum(k, k, 1, 0), x, 0, 1)"), "no series"),
    Instance("exchange integrals", sequent("", "", "integral(sum(k, k, -oo, oo), x, 0, 1) == 1"), exchange(KNOWN, of="integral(sum(k, k, -oo, oo), x, 0, 1)"), "no series"),
    Instance("exchange integrals", sequent("", "", "integral(integral(1, y, oo, 0), x, 0, 1) == 1"), exchange(KNOWN, of="integral(integral(1, y, oo, 0), x, 0, 1)"), "out of order"),
    # an integral over nothing says of the ends of the other one neither order nor that they are defined
    Instance("exchange integrals", sequent("", "defined(integral(integral(-1, y, 1, 0), x, 0, 0))", "defined(integral(integral(-1, x, 0, 0), y, 1, 0))"), exchange(KNOWN, KNOWN, KNOWN, KNOWN, of="integral(integral(-1, y, 1, 0), x, 0, 0)"), "not settled"),
    Instance("exchange integrals", sequent("c", "defined(integral(integral(1, y, 1/c, 1/c), x, 0, 0))|all(y; real; defined(integral(1, x, 0, 0)))", "defined(integral(integral(1, x, 0, 0), y, 1/c, 1/c))"), exchange(AT_Y, KNOWN, KNOWN, KNOWN, of="integral(integral(1, y, 1/c, 1/c), x, 0, 0)"), "not settled"),
    Instance("exchange integrals", sequent("c", "defined(integral(sum(0, k, c, oo), x, 0, 0))|all(k; real; defined(integral(0, x, 0, 0)))", "defined(sum(integral(0, x, 0, 0), k, c, oo))"), exchange(AT_K, KNOWN, KNOWN, of="integral(sum(0, k, c, oo), x, 0, 0)"), "not settled"),
    Instance("exchange integrals", sequent("", f"{EACH}|{EACH}|defined({SERIES})", f"{SERIES} == {BY_TERMS}", f=2), exchange(AT_K, KNOWN, KNOWN, of=SERIES), "not settled"),
    Instance("exchange integrals", sequent("", SUMMED.replace(EACH, "0 < 1"), f"{SERIES} == {BY_TERMS}", f=2), exchange(KNOWN, TERM, KNOWN, of=SERIES), "not settled"),
    Instance("vanishing integral", sequent("u", FADING, "u < 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN), "not settled"),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, KNOWN, KNOWN), "not settled"),
    Instance("vanishing integral", sequent("u", FADING.replace("integral(q", "integral(2*q"), "u <= 0"), vanishing(PLAIN, PROPER, AT_E, KNOWN, KNOWN, of="integral(2*e, x, 0, 1)", by="2"), "not settled"),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN, KNOWN, **{"from": "h - 1"}), "not settled"),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN, KNOWN, by="1/2"), "not settled"),
    Instance("vanishing integral", sequent("u", FADING.replace("0, 1", "0, oo"), "u <= 0"), vanishing(KNOWN, KNOWN, AT_E, KNOWN, of="integral(e, x, 0, oo)"), "not settled"),
    Instance("vanishing integral", sequent("u", FADING.replace("q, x, 0, 1", "1/q, x, 0, q"), "u <= 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN, of="integral(1/e, x, 0, e)"), "the ends of the integral change"),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN, by="e"), "not declared: e"),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN, below="e"), "not declared: e"),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN, below="x"), "not declared: x"),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN, **{"from": "h*e"}), "not declared: e"),
    Instance("vanishing integral", sequent("u e", "", "u <= 0"), vanishing(PLAIN, PLAIN, KNOWN), "is a variable already"),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN, small="x", of="integral(x, x, 0, 1)"), "names of their own"),
    Instance("vanishing integral", sequent("u", FADING, "u <= 0"), vanishing(PLAIN, PLAIN, AT_E, KNOWN, close="pi", **{"from": "pi"}), "cannot be the name"),
    Instance("vanishing integral", sequent("u", f"{FADING}|all(t; real; f(t) <= 1)", "u <= 0", f=1), vanishing(PLAIN, KNOWN, KNOWN, KNOWN, KNOWN, KNOWN, of="integral(f(x/e), x, 0, 1)"), "not settled"),
    Instance("bounded integral", sequent("", DENSITY, HALF, f=1), bounded(DEFINED, AT_X, AT_X, measurable=()), "not known to be measurable"),
    Instance("bounded integral", sequent("", SIGN, UNIT, f=1), bounded(DEFINED, KNOWN, AT_X, AT_X), "not settled"),
    Instance("bounded integral", sequent("", "all(t; real; f(t) <= 1)|all(t; real; f(t) <= 1)|" + EXISTS, UNIT, f=1), bounded(DEFINED, PLAIN, BELOW_1, KNOWN, KNOWN, DEFINED, by="1", measurable=WEIGHED), "not settled"),
    Instance("bounded integral", sequent("", TEST.replace("0, 1)", "-1, 1)").replace("exp(-x^2)", "x"), "defined(integral(f(x), x, -1, 1))", f=1), bounded(DEFINED, PLAIN, BELOW_1, AT_X, KNOWN, by="1", measurable=(("f(x)", "x"),)), "not settled"),
    Instance("bounded integral", sequent("", TEST, UNIT, f=1), bounded(DEFINED, PLAIN, BELOW_1, AT_X, by="1", measurable=(("f(x)", "f(x)"),)), "more than functions of the table"),
    Instance("bounded integral", sequent("", TEST, "defined(integral(f(x), x, -oo, oo))", f=1), bounded(DEFINED, PROPER, BELOW_1, AT_X, KNOWN, DEFINED, by="1", measurable=WEIGHED), "not bounded"),
    Instance("bounded integral", sequent("", TEST, "defined(integral(f(x), x, 1, 0))", f=1), bounded(KNOWN, DEFINED, PLAIN, BELOW_1, AT_X, KNOWN, DEFINED, by="1", measurable=WEIGHED), "not settled"),
    Instance("bounded integral", sequent("", DENSITY, "defined(integral(integral(f(x + y), y, 0, 1)/2, x, -oo, oo))", f=1), bounded(DEFINED, AT_X, AT_X), "not known to be measurable"),
    Instance("bounded integral", sequent("", f"{DENSITY}|all(t; real; g(t) <= f(t))|all(t; real; g(t) >= 0)", "defined(integral(g(x), x, -oo, oo))", f=1, g=1), bounded(DEFINED, AT_X, AT_X), "not known to be measurable"),
    Instance("bounded integral", sequent("x", DENSITY, HALF, f=1), bounded(DEFINED, AT_X, AT_X), "name of a variable"),
    Instance("bounded integral", sequent("", DENSITY, "integral(f(x)/2, x, -oo, oo) >= 0", f=1), bounded(DEFINED, AT_X, AT_X), "or an integral exists"),
    Instance("bounded integral", sequent("", DENSITY, "defined(integral(f(2*x), x, -oo, oo))", f=1), bounded(DEFINED, AT_X, AT_X), "not known to be measurable"),
]  # fmt: skip


GIVEN = "defined(integral(f(x, a), x, 0, 1))"


def test_name_of_what_is_bound_does_not_matter():
    check(sequent("a", GIVEN, "defined(integral(f(y, a), y, 0, 1))", f=2), KNOWN)


@pytest.mark.parametrize("other", ["f(a, a), a, 0, 1", "f(y, a), y, 0, 2", "f(a, y), y, 0, 1"])
def test_another_integral_is_not_the_same_under_other_names(other):
    with pytest.raises(Rejected):
        check(sequent("a", GIVEN, f"defined(integral({other}))", f=2), KNOWN)
