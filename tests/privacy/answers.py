"""The exercises of the chapter on claims: right, wrong and mistaken answers, and what is none."""

import math

from sympy import Symbol, log, sqrt

RIGHT = {
    "claims:pole": ["x = 0", {"x": 0}, {"x": "1 - 1"}, "x = pi - pi"],
    "claims:tanh": ["x >= 0", "0 <= x", "x^3 >= 0", "x > 0 or x = 0", "x in [0, oo)", r"x \geq 0", Symbol("x") >= 0],
    "claims:scientific-notation": [10, 10.0, "10", "sqrt(100)", 10e-5 / 1e-5, "10e-5/1e-5"],
    "claims:advanced-composition": [
        {"epsilon": 1, "k": 100, "delta": 1e-5},
        "epsilon = 1, k = 1000, delta = 1/10",
        {"epsilon": "log(3)", "k": 500, "delta": "10^-9"},
    ],
    "claims:composition-gains": ["epsilon >= log(2)", "2*epsilon >= log(4)", "epsilon >= -log(1/2)", r"\epsilon \geq \ln 2"],
    "claims:zcdp": [
        "rho + 2*sqrt(rho*log(1/delta))",
        "rho + sqrt(-4*rho*log(delta))",
        "(sqrt(rho) + sqrt(log(1/delta)))^2 - log(1/delta)",
        r"\rho + 2 \sqrt{\rho \ln(1/\delta)}",
        Symbol("rho") + 2 * sqrt(Symbol("rho") * log(1 / Symbol("delta"))),
    ],
}  # fmt: skip

# an answer, and how the hint for it begins
WRONG = {
    "claims:pole": [
        ("x = 2", "There the quotient"),
        ({"x": -1}, "There the quotient"),
        ("x = sqrt(2)", "There the quotient"),
    ],
    "claims:tanh": [
        ("x > 0", "What happens at 0"),
        ("x <= 0", "The tangent at 0"),
        ("0 >= x", "The tangent at 0"),
        ("x^2 >= 0", "Try a negative x"),
        ("x >= x - 1", "Try a negative x"),
        ("x < 5", ""),
        ("x > 0 and x < 0", ""),
    ],
    "claims:scientific-notation": [
        (1, "10e-5 is 10 times"),
        (0.1, "The other way round"),
        ("1/10", "The other way round"),
        (5, "The exponents are the same"),
        (9.99, ""),
        (10**5, ""),
    ],
    "claims:advanced-composition": [
        ({"epsilon": 1, "k": 1, "delta": 0.1}, "For few queries"),
        ({"epsilon": 0.01, "k": 100, "delta": 1e-5}, "For a small epsilon"),
        ({"epsilon": 1, "k": 100, "delta": 2}, ""),
        ({"epsilon": 1, "k": 1.5, "delta": 0.1}, ""),
        ({"epsilon": -1, "k": 100, "delta": 0.1}, ""),
        ({"epsilon": "-log(3)", "k": 100, "delta": 0.1}, ""),
    ],
    "claims:composition-gains": [
        ("epsilon >= 1", "It begins below 1"),
        ("epsilon > log(2)", "At the end of the range"),
        ("epsilon <= log(2)", "There the second term"),
        ("epsilon >= log(10)/log(2)", "The logarithm to base e"),
        ("epsilon >= 0.69", ""),
        ("epsilon > -1", ""),
    ],
    "claims:zcdp": [
        ("2*sqrt(rho*log(1/delta))", "The rho that does not depend"),
        ("rho + sqrt(rho*log(1/delta))", "Both terms contribute"),
        ("sqrt(2*rho*log(1/delta))", "This is epsilon*sqrt"),
        ("sqrt(2)*sqrt(-rho*log(delta))", "This is epsilon*sqrt"),
        ("rho + 2*sqrt(rho*log(delta))", "log(delta) is negative"),
        ("rho + 3*sqrt(rho*log(1/delta))", ""),
        ("rho", ""),
    ],
}

UNDECIDED = {
    "claims:pole": ["y = 0", "x > 0", "x = sqrt(-2)", "x = 1/0", "x = log(0)", "x = x", "x", 0, None],
    "claims:tanh": ["tanh(x) <= x", "abs(x) = x", "x", "x >=", True, 0, "y > 0", r"\tanh x \leq x"],
    "claims:scientific-notation": ["oo", "ten", None, "", math.inf, "10 or 11", [10]],
    "claims:advanced-composition": [
        {"epsilon": 1, "k": 100},
        {"epsilon": 1, "k": 100, "delta": 0.1, "n": 3},
        {"epsilon": 1, "k": 100, "delta": "many"},
        "epsilon = 1, k = 100",
    ],
    "claims:composition-gains": ["exp(epsilon) >= 2", "k*epsilon*(exp(epsilon) - 1) >= k*epsilon", "epsilon"],
    "claims:zcdp": ["rho*a + log(1/delta)/(a - 1)", "rho +", "2rho", lambda rho: rho, "rho > 1"],
}  # fmt: skip
