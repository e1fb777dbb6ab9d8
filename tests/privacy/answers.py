"""The exercises of the chapters on claims and on privacy: right, wrong and mistaken answers, and what is none."""

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
    "privacy:gaussian-formula": [
        "epsilon = 10, delta = 10^-5",
        {"epsilon": 20, "delta": 1e-5},
        {"epsilon": "log(20000)", "delta": "1/1000"},
        "epsilon = 8, delta = 1/2",
    ],
    "privacy:advanced-beats-basic": [187, "187", 187.0, "floor(2*log(10^5)/(2 - exp(1/2))^2) + 1"],
    "privacy:exact-epsilon": [2.2541, "2.25408", 2.2552, "22541/10000"],
    "privacy:group": [
        "delta*(1 + exp(epsilon) + exp(2*epsilon))",
        "delta*(exp(3*epsilon) - 1)/(exp(epsilon) - 1)",
        "exp(epsilon)*(exp(epsilon)*delta + delta) + delta",
        r"\delta (1 + e^{\epsilon} + e^{2\epsilon})",
    ],
    "privacy:contamination": [
        "log(1 + c*(exp(epsilon) - 1))",
        "log(1 - c + c*exp(epsilon))",
        "epsilon + log(c + (1 - c)*exp(-epsilon))",
        r"\ln(1 + c (e^{\epsilon} - 1))",
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
    "privacy:gaussian-formula": [
        ("epsilon = 1/2, delta = 1/100", "There the theorem holds"),
        ("epsilon = 5, delta = 10^-5", "The theorem says nothing there"),
        ("epsilon = 8, delta = 10^-5", "The theorem says nothing there"),
        ("epsilon = 9, delta = 10^-12", ""),
        ("epsilon = 10, delta = 2", ""),
        ("epsilon = -1, delta = 1/2", ""),
    ],
    "privacy:advanced-beats-basic": [
        (186, "There the two are nearly equal"),
        ("floor(2*log(10^5)/(2 - exp(1/2))^2)", "There the two are nearly equal"),
        (24, "The second term"),
        (93, "The plotted"),
        (150, "Is delta 10e-5"),
        (82, "The logarithm to base e"),
        (188, ""),
        ("2*log(10^5)/(2 - exp(1/2))^2", ""),
    ],
    "privacy:exact-epsilon": [
        (1.9931, "That is the epsilon at delta = 10e-6"),
        ("sqrt(2*log(1.25*10^6))/2", "That is the textbook formula"),
        ("1/8 + sqrt(log(10^6)/2)", "That is the conversion"),
        (2.2586, ""),
        (-2.2541, ""),
    ],
    "privacy:group": [
        ("3*delta", "The inner deltas"),
        ("3*delta*exp(2*epsilon)", "That holds, but"),
        ("delta*exp(epsilon)*(1 + exp(epsilon) + exp(2*epsilon))", "The outermost delta"),
        ("delta*exp(3*epsilon)", "A delta is added"),
        ("delta", ""),
    ],
    "privacy:contamination": [
        ("c*epsilon", "The ratios are averaged"),
        ("log(c*exp(epsilon))", "A replaced record"),
        ("log(c + (1 - c)*exp(epsilon))", "c is the share"),
        ("1 - c + c*exp(epsilon)", "That is the ratio"),
        ("epsilon", "That holds, and would hold"),
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
    "privacy:gaussian-formula": ["epsilon = 10", {"epsilon": 10, "delta": "small"}, "epsilon > 8, delta = 10^-5", None],
    "privacy:advanced-beats-basic": ["k > 187", "many", None, math.inf],
    "privacy:exact-epsilon": ["gaussian_epsilon(10^-6, 2)", "", math.nan],
    "privacy:group": ["3*delta*k", "delta*(1 +", "delta > 0", None],
    "privacy:contamination": ["log(1 + kept*(exp(epsilon) - 1))", "c >= 0", [1]],
}  # fmt: skip
