"""The exercises of the contamination chapters: right, wrong and mistaken answers, and what is none."""

import sympy

from dpbook.contamination.notation import T, p, psi

RIGHT = {
    "contamination:chance-of-an-answer": ["(1 - p)*a_0 + p*g_1", "a_0 + p*(g_1 - a_0)"],
    "contamination:log-ratio-bound": [
        "(1 - p)/p*T*psi",
        "T*psi/p - T*psi",
        (1 / p - 1) * T * psi,
    ],
    "contamination:epsilon-of-theorem-4": [
        "epsilon_0 + log(delta + exp(epsilon_0))",
        "log(exp(epsilon_0)*(exp(epsilon_0) + delta))",
    ],
    "contamination:brackets-of-squares": [
        "a_0 = 1/100, a_1 = 1/25, g_1 = 9/100, t_0 = 13/180",
        {"a_0": sympy.Rational(1, 25), "a_1": 0.09, "g_1": 0.16, "t_0": 0.08},
    ],
    "contamination:two-covariates": [
        "theta = 0, Delta_1 = 1, Delta_2 = -1",
        {"theta": 2, "Delta_1": -0.5, "Delta_2": 0.5},
    ],
    "contamination:one-record-more": ["w = 1/10, d = 50", {"w": 0.1, "d": 1000}],
    "contamination:delta-rate": ["n^(1 - 2/q)", "n*(n^(-1/q))^2", "n/n^(2/q)"],
    "contamination:conversion": ["mu = 1, delta = 1/100000", {"mu": 2, "delta": 0.1}],
    "contamination:budget": [
        "(sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta)))^2",
        "epsilon + 2*log(1/delta) - 2*sqrt(log(1/delta))*sqrt(log(1/delta) + epsilon)",
    ],
    "contamination:student-integral": ["1/sqrt(3*lambda)", "(3*lambda)^(-1/2)"],
    "contamination:at-run-time": [
        "log(1 + (1 - p)*(exp(epsilon) - 1))",
        "log(p + (1 - p)*exp(epsilon))",
    ],
    "contamination:slow-rate": [10**8, "10^8"],
    "contamination:printed-budget": ["r <= 2", "1/r >= 1/2"],
}

WRONG = {
    "contamination:chance-of-an-answer": [
        ("(1 - p)*a_0", "A replaced answer"),
        ("p*a_0 + (1 - p)*g_1", "p is the probability"),
        ("a_0 + p*g_1", "An answer that is replaced"),
        ("a_0", ""),
    ],
    "contamination:log-ratio-bound": [
        ("T*psi/p", "Only the share"),
        ("2*(1 - p)/p*T*psi", "That is for two"),
        ("p/(1 - p)*T*psi", "The more contamination"),
        ("(1 - p)*T*psi", "Divide by the smallest"),
        ("T", ""),
    ],
    "contamination:epsilon-of-theorem-4": [
        ("2*epsilon_0", "This is so for"),
        ("exp(epsilon_0)*(exp(epsilon_0) + delta)", "That is exp"),
        ("log(delta + exp(epsilon_0))", "eta stands before"),
        ("epsilon_0 + delta", "The logarithm of"),
        ("epsilon_0", ""),
    ],
    "contamination:brackets-of-squares": [
        ("a_0 = 1/100, a_1 = 1/25, g_1 = 1/25, t_0 = 13/180", "A bracket without"),
        ("a_0 = 1/100, a_1 = 1/25, g_1 = 9/100, t_0 = 1", "t_0 is so large"),
        ("a_0 = 1/100, a_1 = 1/25, g_1 = 9/100, t_0 = 1/100", ""),
    ],
    "contamination:two-covariates": [
        ("theta = 0, Delta_1 = 0, Delta_2 = 0", "Then the parameters"),
        ("theta = 0, Delta_1 = 1, Delta_2 = 1", "The sum changes"),
    ],
    "contamination:one-record-more": [
        ("w = 1/10, d = 1/2", "Then the record speaks"),
        ("w = 1/10, d = 2", "The record speaks too"),
        ("w = 2, d = 5", ""),
    ],
    "contamination:delta-rate": [
        ("n^(1 - 1/q)", "phi is squared"),
        ("n", "That would be"),
        ("n^(-1/(2*q))", "That is the rate"),
        ("n^(2/q)", "n*phi^2"),
        ("q", ""),
    ],
    "contamination:conversion": [
        ("mu = 1, delta = 1/2", "Here it holds"),
        ("mu = 1, delta = 2", ""),
    ],
    "contamination:budget": [
        ("epsilon^2/(2*log(1/delta))", "That is the printed"),
        ("epsilon^2/(4*log(1/delta))", "Almost"),
        ("sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta))", "That is the root"),
        ("epsilon", ""),
    ],
    "contamination:student-integral": [
        ("1", "That would be"),
        ("1/(sqrt(3)*lambda)", "Changing the variable"),
        ("1/sqrt(3)", "It depends"),
        ("sqrt(3*lambda)", "One over"),
        ("lambda", ""),
    ],
    "contamination:at-run-time": [
        ("epsilon", "The record is read"),
        ("(1 - p)*epsilon", "The mean is inside"),
        ("log(1 + p*(exp(epsilon) - 1))", "p is the probability"),
        ("1 + (1 - p)*(exp(epsilon) - 1)", "This is the ratio"),
        ("p", ""),
    ],
    "contamination:slow-rate": [
        (80, "It is a power"),
        (10**4, "An eighth root, not a fourth"),
        (100, "An eighth root, not a square"),
        (10, ""),
    ],
    "contamination:printed-budget": [
        ("r >= 2", "Dividing by more"),
        ("r < 2", "At its end"),
        ("r <= 1", ""),
    ],
}

UNDECIDED = {
    "contamination:chance-of-an-answer": ["x", "(1 - p", None],
    "contamination:log-ratio-bound": ["T*psi/eta", "T*", None],
    "contamination:epsilon-of-theorem-4": ["epsilon_0 + log(", "rho", None],
    "contamination:brackets-of-squares": ["a_0 = 1/100", "a_0 > 0", 5],
    "contamination:two-covariates": ["theta = 0", "theta > 0", 5],
    "contamination:one-record-more": ["w = 1/10", "d > 5", 5],
    "contamination:delta-rate": ["n^", "m", None],
    "contamination:conversion": ["mu = 1", "mu > 1", 5],
    "contamination:budget": ["rho", "sqrt(", None],
    "contamination:student-integral": ["1/sqrt(3*mu)", "1/", None],
    "contamination:at-run-time": ["log(1 + a)", "log(", None],
    "contamination:slow-rate": ["many", "n > 5", None],
    "contamination:printed-budget": ["2", "r <= k", None],
}
