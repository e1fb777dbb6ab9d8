"""Rules of enclosures: what each must accept, and what is false by a hair and must be rejected."""

from tests.kernel.instances import Instance, node, sequent

HALVES = ["x", "1/2", "value", "value"]


def bisect(tree):
    return node("bisect", tree=tree)


ENCLOSED = node("enclosed")

ACCEPTED = [
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "exp(x) - x > 0"), bisect(HALVES)),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "x^2 - x + 1 >= 0"), bisect("value")),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "x^2 - x + 1/2 != 0"), bisect(["x", "1/4", "value", ["x", "3/4", ["x", "1/2", "mean", "mean"], "value"]])),
    Instance("bisect", sequent("x y", "x >= 0|x <= 1|y >= 0|y <= 1|x + y >= 3/2", "x - 1/3 > 0"), bisect(["x", "2/5", 4, "value"])),
    Instance("bisect", sequent("x", "x >= 1|x <= 2", "log(x) - x < 0"), bisect(["x", "3/2", "value", "value"])),
    Instance("bisect", sequent("", "", "exp(1) > 2718281828/1000000000"), bisect("value")),
    # sides that are equal to 80 bits
    Instance("bisect", sequent("", "", "erfc((3^8)^8*(3^8)^8 - ((3^8)^8*(3^8)^8 - 3)) < 1/1000"), bisect("value")),
    Instance("bisect", sequent("", "", "(30*exp(-4))^15003 < 1/10"), bisect("value")),
    Instance("bisect", sequent("", "", "erfc(3) < 1/45000"), bisect("value")),
    Instance("enclosed", sequent("x", "x >= 1|x <= 2", "defined(log(x)/x)"), ENCLOSED),
    Instance("enclosed", sequent("x", "x > 0", "defined(log(x) + x^(1/2) + 1/x)"), ENCLOSED),
    Instance("enclosed", sequent("x", "x >= -1|x <= 1", "defined(asin(x))"), ENCLOSED),
    Instance("enclosed", sequent("x", "", "defined(1/(x^2 + 1))"), ENCLOSED),
]  # fmt: skip

REJECTED = [
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "x^2 - x + 1/4 > 0"), bisect(HALVES), "does not show"),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "x > 0"), bisect(HALVES), "does not show"),
    Instance("bisect", sequent("x", "x > 0|x <= 1", "x - 1 < 0"), bisect(HALVES), "does not show"),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "x == x"), bisect("value"), "no equality"),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "x + 1 > 0 and x > -1"), bisect("value"), "no relation"),
    Instance("bisect", sequent("x", "x >= 0", "10 - x > 0"), bisect(["x", "1", "value", "value"]), "does not show"),
    Instance("bisect", sequent("x", "x >= -1|x <= 1", "1/x < 2"), bisect(["x", "0", "value", "mean"]), "does not show"),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "abs(x - 1/2) > 0"), bisect("mean"), "no derivative"),
    Instance("bisect", sequent("x", "x >= -1|x <= 1", "x^2 > 0"), bisect(["x", "0", "value", "value"]), "does not show"),
    Instance("bisect", sequent("x y", "x >= 0|x <= 1|y >= 0|y <= 1|x + y >= 3/2", "x - 1/3 > 0"), bisect(["x", "3/5", 4, "value"]), "does not show"),
    Instance("bisect", sequent("x y", "x >= 0|x <= 1|y >= 0|y <= 1|x + y >= 1", "x > 0"), bisect(["x", "0", 4, "value"]), "does not show"),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "exp(x) > 0"), bisect(["y", "1/2", "value", "value"]), "a cut is"),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "exp(x) > 0"), bisect(["x", "1/0", "value", "value"]), "rational number"),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "exp(x) > 0"), bisect(["x", 0.5, "value", "value"]), "rational number"),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "x > -1"), bisect(2), "no hypothesis"),
    Instance("bisect", sequent("", "", "exp(1) > 2718281829/1000000000"), bisect("value"), "does not show"),
    Instance("bisect", sequent("x", "x >= 0|x <= 1", "f(x) - f(x) + 1 > 0", f=1), bisect("value"), "does not show"),
    Instance("bisect", sequent("x", "x >= -1|x <= 0", "x^(1/2) >= 0"), bisect("value"), "does not show"),
    Instance("bisect", sequent("", "", "erfc((3^8)^8*(3^8)^8 - ((3^8)^8*(3^8)^8 - 2)) < 1/1000"), bisect("value"), "does not show"),
    Instance("bisect", sequent("", "", "erfc(3) < 1/46000"), bisect("value"), "does not show"),
    Instance("enclosed", sequent("x", "x >= 0|x <= 2", "defined(log(x)/x)"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x >= -1|x <= 1", "defined(1/x)"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x >= -1001/1000|x <= 1", "defined(asin(x))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x >= 0", "defined(log(x))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x > 0", "defined(gamma(x))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x >= 1/4|x <= 1/2", "defined(factorial(x))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x >= 0|x <= 2", "defined(tan(x))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x >= 0|x <= 1", "defined(coth(x))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x >= 1/2|x <= 1", "defined(acosh(x))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x >= 0|x <= 1", "defined(atanh(x))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x >= -2|x <= -1", "defined(x^(1/3))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x y", "x >= -2|x <= -1|y == 2", "defined(x^y)"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x y", "x >= 0|x <= 1|y >= 0|y <= 1", "defined(x^y)"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("", "", "defined((0 - 2)^(1/2 + 1/2))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("", "", "defined(0^(1/2 + 1/2))"), ENCLOSED, "no enclosure"),
    Instance("bisect", sequent("", "", "(0 - 2)^(1/2 + 1/2) != 5"), bisect("value"), "does not show"),
    Instance("enclosed", sequent("x", "x >= 0|x <= 1", "defined(integral(1/y, y, -1, 1))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "x >= 0|x <= 1", "defined(ifgt(x, 0, 1, log(x)))"), ENCLOSED, "no enclosure"),
    Instance("enclosed", sequent("x", "", "x >= x"), ENCLOSED, "not that a term"),
]  # fmt: skip
