"""Rules of calculus: what each must accept, and what is false by a hair and must be rejected."""

from tests.kernel.instances import KNOWN, Instance, node, sequent

DEFINED = node("defined")


def monotone(*premises, **fields):
    return node("monotone", *premises, **{"variable": "x", "side": "above", **fields})


def concave(*premises, **fields):
    return node("concave", *premises, **{"variable": "x", **fields})


def descend(*premises, **fields):
    return node("descend", *premises, **{"variable": "x", "side": "up", "small": "e", **fields})


ACCEPTED = [
    Instance("monotone", sequent("x", "x >= 1", "x - log(x) - 1 >= 0"), monotone(DEFINED, DEFINED, end="1")),
    Instance("monotone", sequent("x", "x > 1", "x - log(x) - 1 > 0"), monotone(DEFINED, DEFINED, end="1", strict="slope")),
    Instance("monotone", sequent("x", "x <= 0", "exp(x) - 1 - x >= 0"), monotone(DEFINED, DEFINED, end="0", side="below")),
    Instance("monotone", sequent("x", "x >= 0", "sin(x)^2 + cos(x)^2 == 1"), monotone(DEFINED, DEFINED, end="0")),
    Instance("monotone", sequent("x y", "x >= y|y > 0", "x^2 >= y^2"), monotone(DEFINED, DEFINED, end="y")),
    Instance("concave", sequent("x", "x >= 0|x <= 1", "x*(1 - x) >= 0"), concave(DEFINED, DEFINED, DEFINED, low="0", high="1")),
    Instance("concave", sequent("x", "x >= 1|x <= 4", "log(x) - (x - 1)*log(4)/3 >= 0"), concave(DEFINED, DEFINED, DEFINED, low="1", high="4")),
    Instance("descend", sequent("x", "x > 0", "1/x >= 0"), descend(DEFINED, DEFINED, reach="x + 1/e")),
    Instance("descend", sequent("x", "x > 0", "1/x > 0"), descend(DEFINED, DEFINED, reach="x + 1 + 1/e")),
    Instance("descend", sequent("x", "", "exp(x) > 0"), descend(DEFINED, DEFINED, side="down", reach="x - 1 - 1/e")),
    Instance("descend", sequent("x", "x > 0", "exp(-1/x) >= 0"), descend(DEFINED, DEFINED, side="down", end="0", reach="x/2")),
    Instance("descend", sequent("x", "x > 0", "exp(-1/x) > 0"), descend(DEFINED, DEFINED, side="down", end="0", reach="x/2")),
    Instance("descend", sequent("x", "x < 1", "1 - x > 0"), descend(DEFINED, end="1", reach="(1 + x)/2")),
]  # fmt: skip

REJECTED = [
    Instance("monotone", sequent("x", "x >= 1", "x - log(x) - 1 > 0"), monotone(KNOWN, DEFINED, DEFINED, end="1"), "not settled"),
    Instance("monotone", sequent("x", "x >= 1", "x - log(x) - 1 > 0"), monotone(KNOWN, DEFINED, DEFINED, end="1", strict="slope"), "not settled"),
    Instance("monotone", sequent("x", "x >= 1/2", "x - log(x) - 1/2 >= log(2)"), monotone(DEFINED, DEFINED, KNOWN, end="1/2"), "not settled"),
    Instance("monotone", sequent("x", "x >= -1", "x^2 >= 1"), monotone(DEFINED, DEFINED, KNOWN, end="-1"), "not settled"),
    Instance("monotone", sequent("x", "x >= 1", "1/x < 0"), monotone(KNOWN, DEFINED, end="-1"), "not settled"),
    Instance("monotone", sequent("x", "x != 0|x >= -1", "1/x <= -1"), monotone(KNOWN, KNOWN, end="-1"), "not settled"),
    Instance("monotone", sequent("x", "x >= 0", "floor(x) == 0"), monotone(KNOWN, KNOWN, end="0"), "may jump"),
    Instance("monotone", sequent("x", "x >= 0", "sign(x) <= 0"), monotone(KNOWN, KNOWN, end="0"), "may jump"),
    Instance("monotone", sequent("x", "x >= 0", "ifgt(x, 1, 1, 0) == 0"), monotone(KNOWN, KNOWN, end="0"), "may jump"),
    Instance("monotone", sequent("x", "x >= 0", "integral(y, y, 0, x) >= 0"), monotone(KNOWN, KNOWN, end="0"), "may jump"),
    Instance("monotone", sequent("x", "x >= 0", "f(x) >= f(0)", f=1), monotone(KNOWN, KNOWN, end="0"), "may jump"),
    Instance("monotone", sequent("x", "x >= -1", "1 - abs(x) <= 0"), monotone(KNOWN, KNOWN, end="-1"), "no derivative"),
    Instance("monotone", sequent("x", "x >= 0", "x^2 >= 0"), monotone(KNOWN, DEFINED, DEFINED, KNOWN, end="0", side="below"), "not settled"),
    Instance("monotone", sequent("x", "x >= 0", "x^2 >= 0"), monotone(DEFINED, DEFINED, end="0", side="left"), "not stated well"),
    Instance("monotone", sequent("x", "x >= 0", "x^2 >= 0"), monotone(DEFINED, DEFINED, end="x"), "not stated well"),
    Instance("monotone", sequent("x", "x >= 0", "x + 1 != 0"), monotone(DEFINED, DEFINED, end="0"), "differs from 0"),
    Instance("monotone", sequent("x y", "x >= 0", "y >= 0"), monotone(DEFINED, DEFINED, end="0"), "does not depend"),
    Instance("monotone", sequent(";n", "n >= 0", "(-1)^n >= 0"), monotone(DEFINED, KNOWN, KNOWN, variable="n", end="0"), "the number of premises must be"),
    Instance("concave", sequent("x", "x >= 0|x <= 1", "x*(1 - x) > 0"), concave(DEFINED, DEFINED, DEFINED, low="0", high="1"), "the number of premises must be"),
    Instance("concave", sequent("x", "x >= 0", "x*(1 - x) >= 0"), concave(KNOWN, DEFINED, DEFINED, DEFINED, low="0", high="1"), "not settled"),
    Instance("concave", sequent("x", "x >= 0|x <= 2", "-x*(x - 3/2)*(x - 2) >= 0"), concave(DEFINED, DEFINED, DEFINED, KNOWN, low="0", high="2"), "not settled"),
    Instance("concave", sequent("x", "x >= -1|x <= 1", "x^2 >= 1"), concave(DEFINED, DEFINED, KNOWN, low="-1", high="1"), "not settled"),
    Instance("concave", sequent("x", "x >= 0|x <= 1", "-(abs(x - 1/2) - 1/2) >= 0"), concave(DEFINED, DEFINED, DEFINED, low="0", high="1"), "no derivative"),
    Instance("concave", sequent("x", "x >= 0|x <= 1", "floor(x) >= 0"), concave(DEFINED, DEFINED, DEFINED, low="0", high="1"), "may jump"),
    Instance("concave", sequent("x", "x >= 0|x <= 1", "x*(1 - x) == 0"), concave(DEFINED, DEFINED, DEFINED, low="0", high="1"), "not stated well"),
    Instance("concave", sequent("x", "x >= -1|x <= 1", "-1/x >= 1"), concave(KNOWN, DEFINED, DEFINED, DEFINED, KNOWN, low="-1", high="1"), "not settled"),
    Instance("descend", sequent("x", "x > 0", "1/x - 1/1000 >= 0"), descend(DEFINED, DEFINED, KNOWN, reach="x + 1/e"), "not settled"),
    Instance("descend", sequent("x", "x > 0", "1/x > 0"), descend(DEFINED, DEFINED, KNOWN, reach="x + 1/e"), "not settled"),
    Instance("descend", sequent("x", "x != 0", "1/x >= 0"), descend(KNOWN, DEFINED, KNOWN, reach="x + 1/e"), "not settled"),
    Instance("descend", sequent("x", "", "exp(x) - 1 > 0"), descend(DEFINED, DEFINED, KNOWN, side="down", reach="x - 1 - 1/e"), "not settled"),
    Instance("descend", sequent("x", "", "exp(x) <= 0"), descend(DEFINED, DEFINED, KNOWN, reach="x + 1/e"), "not settled"),
    Instance("descend", sequent("x", "x > 0", "1/x == 0"), descend(DEFINED, DEFINED, reach="x + 1/e"), "not stated well"),
    Instance("descend", sequent("x", "x > 0", "1/x >= 0"), descend(DEFINED, DEFINED, reach="x + 1/x", small="x"), "variable already"),
    Instance("descend", sequent("x", "x > 0", "ceiling(1/x) - 1 >= 0"), descend(DEFINED, DEFINED, reach="x + 1/e"), "may jump"),
    Instance("descend", sequent("x", "x > 0", "exp(-1/x) - 1/1000 >= 0"), descend(DEFINED, DEFINED, KNOWN, side="down", end="0", reach="x/2"), "not settled"),
    Instance("descend", sequent("x", "x > 0", "exp(-1/x) > 0"), descend(DEFINED, DEFINED, KNOWN, side="down", end="0", reach="2*x/3"), "not settled"),
    Instance("descend", sequent("x", "x > 0", "exp(-1/x) >= 0"), descend(DEFINED, DEFINED, KNOWN, side="down", end="0", reach="0"), "not settled"),
    Instance("descend", sequent("x", "", "exp(-1/x) >= 0"), descend(KNOWN, KNOWN, KNOWN, KNOWN, side="down", end="0", reach="x/2"), "not settled"),
    Instance("descend", sequent("x", "x > 0", "exp(-1/x) - x/4 >= 0"), descend(DEFINED, DEFINED, KNOWN, KNOWN, side="down", end="0", reach="x/2"), "not settled"),
    Instance("descend", sequent("x", "x < 2", "1 - x >= 0"), descend(DEFINED, KNOWN, end="2", reach="x/2 + 1"), "not settled"),
    Instance("descend", sequent("x", "x < 1", "1 - x > 0"), descend(end="x", reach="(1 + x)/2"), "not stated well"),
]  # fmt: skip
