"""The exercises of the unknown_sample_size chapters: right, wrong and mistaken answers, and what is none."""

import sympy

from dpbook.unknown_sample_size.notation import (
    cell_rate,
    covariates,
    distance,
    eps_n,
    eps_s,
    floor,
    fraction,
    n,
    n_0,
    poisson_rate,
    q,
)

KEY = "unknown_sample_size:"

RIGHT = {
    KEY + "mass-at-the-noisy-number": [
        "(1 - q)/(1 + q - q^n_0)",
        "1/((1 + q - q^n_0)/(1 - q))",
        (1 - q) / (1 - q**n_0 + q),
    ],
    KEY + "mean-distance": ["1/sinh(1)", "0.851", 2 * sympy.E / (sympy.E**2 - 1)],
    KEY + "distance-of-sums": [
        "1 - exp(-epsilon_s*k/2)",
        "1 - exp(-epsilon_s/2)^k",
        1 - sympy.exp(-eps_s * distance / 2),
    ],
    KEY + "loss-of-a-swap": [
        "epsilon_s*(p + 3)^2/((p + 2)*(p + 4))",
        "epsilon_s*(p^2 + 6*p + 9)/(p^2 + 6*p + 8)",
        eps_s * (1 + 1 / ((covariates + 2) * (covariates + 4))),
    ],
    KEY + "where-the-series": [
        "a = 1/2",
        "2*a = 1",
        sympy.Eq(fraction, sympy.Rational(1, 2)),
    ],
    KEY + "tail-slip": [
        "epsilon = 1, r_0 = 1",
        "epsilon = 1/10, r_0 = 30",
        {"epsilon": 2, "r_0": sympy.Rational(5, 2)},
    ],
    KEY + "poisson-prior": ["lambda/(n + 1)", "1/((n + 1)/lambda)", poisson_rate / (n + 1)],
    KEY + "forgotten-ratio": ["1/3", 1 / 3, sympy.Rational(1, 3), "2/6"],
    KEY + "least-swaps": ["exp(-2*epsilon_s)", "exp(-epsilon_s)^2", sympy.exp(-2 * eps_s)],
    KEY + "least-first-birth": [
        "exp(-(epsilon_s + epsilon_n))/2",
        "exp(-epsilon_s)*exp(-epsilon_n)/2",
        sympy.exp(-eps_s - eps_n) / 2,
    ],
    KEY + "wrong-grave": [
        "c_1 = 1, c_2 = 3, g_4 = 1, g_5 = 2, g_7 = 1, theta = 1/2",
        {"c_1": 1, "c_2": 10, "g_4": 3, "g_5": 1, "g_7": 1, "theta": sympy.Rational(1, 4)},
        "c_1 = 1, c_2 = 5, g_4 = 1/2, g_5 = 2, g_7 = 2, theta = 2/3",
    ],
    KEY + "one-way-sweep": [
        "g_6 = 2, g_7 = 1, g_8 = 1",
        {"g_6": 1, "g_7": 2, "g_8": 3},
        "g_6 = 1/3, g_7 = 1, g_8 = 2",
    ],
    KEY + "first-count": ["lambda_1/2", "lambda_1*0.5", cell_rate / 2],
    KEY + "sensitivity-of-shares": [
        "-2*log(a_0) - log(1 - 2*a_0)",
        "-log(a_0^2*(1 - 2*a_0))",
        -2 * sympy.log(floor) - sympy.log(1 - 2 * floor),
    ],
    KEY + "noise-of-a-day": ["3*sqrt(2)*log(1440)", 30.856, "30.85"],
    KEY + "random-walk": ["sqrt(1860)", 43, "43.1"],
    KEY + "most-people": [6912, "6912", sympy.Integer(6912)],
    KEY + "plateau": ["n^2", "n*n", n**2],
    KEY + "blocks": [1600, "40^2", sympy.Integer(1600)],
}

WRONG = {
    KEY + "mass-at-the-noisy-number": [
        ("(1 - q)/(1 + q)", "This is the noise's"),
        ("(1 - q)/(1 + q - q^(n_0 + 1))", "One weight too many"),
        ("1 - q", "That counts the numbers"),
        ("q", ""),
    ],
    KEY + "mean-distance": [
        ("2/(exp(1) - 1)", "This is the bound"),
        (1, "That is so for continuous"),
        ("1/2", ""),
    ],
    KEY + "distance-of-sums": [
        ("1 - exp(-epsilon_s*k)", "They cross half way"),
        ("tanh(epsilon_s*k/2)", "This bounds it"),
        ("k*tanh(epsilon_s/2)", "This is Lemma A.12"),
        ("exp(-epsilon_s*k/2)", "That is what the two"),
        ("epsilon_s*k", ""),
    ],
    KEY + "loss-of-a-swap": [
        ("2*epsilon_s", "This holds for any"),
        ("epsilon_s*(p + 2)*(p + 4)/(p + 3)^2", "Turned over"),
        ("epsilon_s", "A swap moves the sums"),
        ("p*epsilon_s", ""),
    ],
    KEY + "where-the-series": [
        ("a = 0", "There the sum is largest"),
        ("a >= 1/2", "The sum is the same"),
        ("a = 1/3", ""),
    ],
    KEY + "tail-slip": [
        ("epsilon = 1, r_0 = 1/2", "The noisy number is"),
        ("epsilon = -1, r_0 = 2", "A privacy loss"),
    ],
    KEY + "poisson-prior": [
        ("lambda/n", "This is p(n)/p(n - 1)"),
        ("(n + 1)/lambda", "This is that of the death"),
        ("lambda", "And the factorials"),
        ("n", ""),
    ],
    KEY + "forgotten-ratio": [
        ("1/2", "This is the posterior"),
        ("2/3", "It leaves 1 faster"),
        ("1/4", ""),
    ],
    KEY + "least-swaps": [
        ("exp(-epsilon_s)", "A swap is two steps"),
        ("exp(2*epsilon_s)", "This is above 1"),
        ("1 - 2*epsilon_s", "This is its tangent"),
        ("1/2", ""),
    ],
    KEY + "least-first-birth": [
        ("exp(-(epsilon_s + epsilon_n))", "From n = 1 the ratio"),
        ("2*exp(-(epsilon_s + epsilon_n))", "That is the way back"),
        ("exp(-(2*epsilon_s + epsilon_n))/2", "A birth adds a row"),
        ("1/2", ""),
    ],
    KEY + "wrong-grave": [
        ("c_1 = 1, c_2 = 3, g_4 = 1, g_5 = 1, g_7 = 1, theta = 1/2", "With g_4 = g_5"),
        ("c_1 = 1, c_2 = 1, g_4 = 1, g_5 = 2, g_7 = 1, theta = 1/2", "Here both deaths"),
        ("c_1 = 1, c_2 = 3, g_4 = 1, g_5 = 2, g_7 = 1, theta = 2", ""),
    ],
    KEY + "one-way-sweep": [
        ("g_6 = 1, g_7 = 2, g_8 = 1", "With g_6 = g_8"),
        ("g_6 = 1, g_7 = 2, g_8 = 4", "Here the two quotients"),
        ("g_6 = 1, g_7 = 2, g_8 = -3", ""),
    ],
    KEY + "first-count": [
        ("lambda_1", "As displayed"),
        ("2*lambda_1", "The way back"),
        ("1/2", "And the Poisson"),
        ("lambda_1/3", ""),
    ],
    KEY + "sensitivity-of-shares": [
        ("-3*log(a_0)", "That is the printed"),
        ("-2*log(a_0)", "The third share"),
        ("-log(a_0) - 2*log((1 - a_0)/2)", "Two of them"),
        ("a_0", ""),
    ],
    KEY + "noise-of-a-day": [
        ("3*log(1440)", "This is its scale"),
        ("sqrt(2)*log(1440)", "All three sums"),
        (30, ""),
    ],
    KEY + "random-walk": [
        (1860, "This is its mean square"),
        (2000, "Only if it always"),
        (50, ""),
    ],
    KEY + "most-people": [(6656, "So many there are"), (6913, "")],
    KEY + "plateau": [
        ("n", "Only if it always"),
        ("sqrt(n)", "So far does it get"),
        ("2*n", ""),
    ],
    KEY + "blocks": [(40, "So much longer"), (80, "")],
}

UNDECIDED = {
    **{
        KEY + label: ["x_", "log(", None]
        for label in (
            *("mass-at-the-noisy-number", "distance-of-sums", "loss-of-a-swap", "poisson-prior"),
            *("least-swaps", "least-first-birth", "first-count", "sensitivity-of-shares"),
            "plateau",
        )
    },
    **{
        KEY + label: ["many", "x > 3", None]
        for label in (
            *("mean-distance", "forgotten-ratio", "noise-of-a-day", "random-walk"),
            *("most-people", "blocks"),
        )
    },
    KEY + "where-the-series": ["a", "b = 1/2", None],
    KEY + "tail-slip": ["epsilon = 1", "r_0 > 1", 3],
    KEY + "wrong-grave": ["c_1 = 1", "c_2 > 1", 3],
    KEY + "one-way-sweep": ["g_6 = 1", "g_6 > 1", 3],
}
