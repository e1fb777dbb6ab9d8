"""State the exercises of the contamination chapters, with the way each is decided."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sympy import Expr, exp, log, sqrt

from dpbook.contamination.notation import (
    T,
    answer_0,
    delta,
    epsilon,
    n,
    p,
    psi,
    q,
    r,
    scale,
    share,
    small,
)
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Condition, Formula, Number, Point, Slip

# --- contaminate, then draw ---------------------------------------------------------------------------

exercise(
    "contamination:chance-of-an-answer",
    Formula(
        question="An answer is 1 with probability a_0. It is replaced, with probability p, by a draw "
        "that is 1 with probability g_1. What is now the probability of a 1?",
        hints=("It stays with probability 1 - p.", "It is the density k_p at the record 1."),
        solution=lambda: (1 - p) * answer_0 + p * share,
        symbols=lambda: [answer_0, p, share],
        slips=(
            Slip("(1 - p)*a_0", "A replaced answer may be 1 as well."),
            Slip("p*a_0 + (1 - p)*g_1", "p is the probability of being replaced."),
            Slip("a_0 + p*g_1", "An answer that is replaced does not count any more."),
        ),
    ),
)


def log_ratio_bound() -> Expr:
    """Bound of lemma 14 on the log likelihood ratio of a record."""
    return (1 - p) / p * T * psi


exercise(
    "contamination:log-ratio-bound",
    Formula(
        question="At any record abs(f - f_0) <= T*psi*g for the densities under theta and theta*. Both "
        "contaminated densities are at least p*g. What is the most that lemma 14 allows for the "
        "absolute log ratio of the contaminated densities?",
        hints=(
            "The contaminated densities differ by (1 - p)*(f - f_0).",
            "log(a/b) is at most (a - b)/b, and b is at least p*g.",
        ),
        solution=log_ratio_bound,
        symbols=lambda: [p, T, psi],
        slips=(
            Slip("T*psi/p", "Only the share 1 - p of the densities depends on theta."),
            Slip("2*(1 - p)/p*T*psi", "That is for two records x and z, the bound on log eta."),
            Slip("p/(1 - p)*T*psi", "The more contamination, the smaller the ratio."),
            Slip("(1 - p)*T*psi", "Divide by the smallest that the density can be, p*g."),
        ),
    ),
)


def epsilon_of_theorem_4() -> Expr:
    """Epsilon of theorem 4, from the bound on log eta and delta."""
    return small + log(delta + exp(small))


exercise(
    "contamination:epsilon-of-theorem-4",
    Formula(
        question="Proposition 1 has the factor eta*(eta + delta) before the neighbour's probability. "
        "With eta = exp(epsilon_0), what is the epsilon of Theorem 4?",
        hints=("exp(epsilon) is that factor.", "Take the logarithm."),
        solution=epsilon_of_theorem_4,
        symbols=lambda: [small, delta],
        slips=(
            Slip("2*epsilon_0", "This is so for delta = 0."),
            Slip("exp(epsilon_0)*(exp(epsilon_0) + delta)", "That is exp(epsilon)."),
            Slip("log(delta + exp(epsilon_0))", "eta stands before the bracket, too."),
            Slip("epsilon_0 + delta", "The logarithm of the bracket is not that simple."),
        ),
    ),
)

exercise(
    "contamination:brackets-of-squares",
    Point(
        question="A proof has three distributions on {0, 1}. Under theta* a 1 has probability a_0, under theta "
        "a_1, and g_1 >= a_1 is the upper end of a bracket there. The distributions of theta* and theta are "
        "within the Hellinger distance t_0, and so is the bracket: (sqrt(a_1) - sqrt(a_0))^2 + "
        "(sqrt(1 - a_1) - sqrt(1 - a_0))^2 <= 2*t_0^2 and (sqrt(g_1) - sqrt(a_1))^2 <= 2*t_0^2. It "
        "concludes (sqrt(g_1) - sqrt(a_0))^2 + (sqrt(1 - a_1) - sqrt(1 - a_0))^2 <= 2*t_0^2. Give a_0, "
        "a_1, g_1 and t_0 at which that is wrong.",
        hints=(
            "Take squares of rational numbers, such as 1/100 and 1/25.",
            "Let the three roots go up in equal steps; then t_0 is a little more than a step over "
            "sqrt(2).",
        ),
        claim="contamination:text-b.2-triangle",
        slips=(
            Slip(
                lambda at: at["g_1"] == at["a_1"],
                "A bracket without a width hides the fault.",
            ),
            Slip(
                lambda at: at["g_1"] > at["a_1"] and 2 * at["t_0"] ** 2 > 4 * at["g_1"],
                "t_0 is so large that nothing can exceed it.",
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "contamination:two-covariates",
    Point(
        question="Logistic regression with the two covariates (1, 1), so the answer depends on the sum "
        "of the two parameters only. Lemma 22 says that near theta* the Hellinger distance is at least "
        "a constant times the distance of the parameters. Give theta (the sum at theta*), Delta_1 and "
        "Delta_2 (the changes of the two) at which the Hellinger distance is 0 and the change is not.",
        hints=("What change of the two parameters leaves their sum as it is?",),
        claim="contamination:lemma-22",
        slips=(
            Slip(
                lambda at: at["Delta_1"] == 0 and at["Delta_2"] == 0,
                "Then the parameters are the same.",
                outside=True,
            ),
            Slip(
                lambda at: at["Delta_1"] + at["Delta_2"] != 0,
                "The sum changes, so the answers do.",
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "contamination:one-record-more",
    Point(
        question="A prior gives the probability w to one parameter and 1 - w to theta*. Z is empty, and "
        "X has one record, d times as likely under the parameter as under theta*. So the evidence of X is "
        "1 - w + w*d. Remark 20 says w*d/(1 - w + w*d) <= (1 + w/(1 - w + w*d))*w + w/(1 - w + w*d). Give "
        "w and d at which it fails.",
        hints=(
            "On the left is a posterior probability. Make it large.",
            "On the right everything is small if w is small and the evidence 1 - w + w*d is large.",
        ),
        claim="contamination:remark-20.i",
        slips=(
            Slip(
                lambda at: 0 < at["w"] < 1 and 0 < at["d"] <= 1,
                "Then the record speaks for theta*, and the left side is at most w.",
            ),
            Slip(
                lambda at: 0 < at["w"] < 1 and 1 < at["d"] <= 2 / (1 - at["w"]),
                "The record speaks too softly: take a larger d.",
            ),
        ),
    ),
)

exercise(
    "contamination:delta-rate",
    Formula(
        question="With phi = n^(-1/q) the delta of Theorem 4 is a constant times exp(-c*n*phi^2). What "
        "is n*phi^2, as a power of n?",
        hints=("phi^2 is n^(-2/q).",),
        solution=lambda: n ** (1 - 2 / q),
        symbols=lambda: [n, q],
        slips=(
            Slip("n^(1 - 1/q)", "phi is squared."),
            Slip("n", "That would be an exponential; phi falls, too."),
            Slip("n^(-1/(2*q))", "That is the rate of epsilon."),
            Slip("n^(2/q)", "n*phi^2, with phi^2 = n^(-2/q)."),
        ),
    ),
)

# --- the private mean ---------------------------------------------------------------------------------


def _gaussian_delta(point: Mapping[str, Any]) -> float:
    """Delta of the Gaussian mechanism at the printed epsilon."""
    mu = float(point["mu"])
    loss = mu * math.sqrt(math.log(1 / float(point["delta"])))

    def tail(at: float) -> float:
        return math.erfc(at / math.sqrt(2)) / 2

    return tail(loss / mu - mu / 2) - math.exp(loss) * tail(loss / mu + mu / 2)


def _in_range(point: Mapping[str, Any]) -> bool:
    return bool(point["mu"] > 0 and 0 < point["delta"] < 1)


exercise(
    "contamination:conversion",
    Point(
        question="Two outputs of the Gaussian mechanism are mu standard deviations apart; it is "
        "mu^2/2-zCDP. Section 4.2 has it (mu*sqrt(log(1/delta)), delta)-private for every delta. Give "
        "mu and delta at which that fails.",
        hints=(
            "At epsilon = mu*sqrt(log(1/delta)) the smallest delta is normal_profile(mu, epsilon).",
            "Its first term is the tail of a normal distribution beyond sqrt(log(1/delta)) - mu/2.",
            "exp(-s^2/2) is the tail beyond s, about: what is left of delta?",
        ),
        claim="contamination:text-4.2-zcdp",
        values=("delta", ("1/1000", "1/10000", "1/1000000", "1/10000000")),
        slips=(
            Slip(
                lambda at: _in_range(at) and _gaussian_delta(at) <= float(at["delta"]),
                "Here it holds: delta is so large that little is promised. Take a smaller one.",
            ),
        ),
        time_limit=20.0,
    ),
)


def standard_budget() -> Expr:
    """Largest rho whose epsilon at delta is the given one."""
    return (sqrt(log(1 / delta) + epsilon) - sqrt(log(1 / delta))) ** 2


exercise(
    "contamination:budget",
    Formula(
        question="rho-zCDP implies (rho + 2*sqrt(rho*log(1/delta)), delta)-DP. Which rho has exactly "
        "the given epsilon?",
        hints=(
            "Write r for sqrt(rho): a quadratic equation.",
            "(r + sqrt(log(1/delta)))^2 is epsilon + log(1/delta).",
        ),
        solution=standard_budget,
        symbols=lambda: [epsilon, delta],
        slips=(
            Slip("epsilon^2/(2*log(1/delta))", "That is the printed one; it is too large."),
            Slip("epsilon^2/(4*log(1/delta))", "Almost: rho itself has been left out."),
            Slip("sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta))", "That is the root of rho."),
        ),
    ),
)

exercise(
    "contamination:student-integral",
    Formula(
        question="Section 4.3 prints the density 8/(3*sqrt(3)*pi*lambda)*(1 + x^2/lambda)^(-3). The "
        "integral of (1 + u^2)^(-3) over all u is 3*pi/8. What is the integral of the density over x?",
        hints=("Put x = sqrt(lambda)*u.", "dx is sqrt(lambda)*du."),
        solution=lambda: 1 / sqrt(3 * scale),
        symbols=lambda: [scale],
        slips=(
            Slip("1", "That would be a density; check the constant."),
            Slip("1/(sqrt(3)*lambda)", "Changing the variable gives a factor sqrt(lambda)."),
            Slip("1/sqrt(3)", "It depends on lambda."),
            Slip("sqrt(3*lambda)", "One over that."),
        ),
    ),
)


def amplified() -> Expr:
    """Epsilon of a mechanism that contaminates its data itself."""
    return log(1 + (1 - p) * (exp(epsilon) - 1))


exercise(
    "contamination:at-run-time",
    Formula(
        question="A mechanism is epsilon-private. It replaces the record, with probability p, before it "
        "reads it. For an event let a be its largest probability given the record and b its "
        "probability given a replacement, a <= exp(epsilon)*b. Given a neighbour the probability is at "
        "least b. What is the largest log ratio of (1 - p)*a + p*b and b?",
        hints=("Put a = exp(epsilon)*b, and divide by b.",),
        solution=amplified,
        symbols=lambda: [p, epsilon],
        slips=(
            Slip("epsilon", "The record is read with probability 1 - p only."),
            Slip("(1 - p)*epsilon", "The mean is inside the logarithm."),
            Slip("log(1 + p*(exp(epsilon) - 1))", "p is the probability of being replaced."),
            Slip("1 + (1 - p)*(exp(epsilon) - 1)", "This is the ratio itself."),
        ),
    ),
)

exercise(
    "contamination:slow-rate",
    Number(
        question="The paper contaminates at the rate n^(-1/8). How many records are needed until one "
        "in ten is replaced?",
        hints=("n^(1/8) is to be 10.",),
        solution=lambda: 10**8,
        slips=(
            Slip(80, "It is a power, not a multiple."),
            Slip(10**4, "An eighth root, not a fourth one."),
            Slip(100, "An eighth root, not a square root."),
        ),
    ),
)


exercise(
    "contamination:printed-budget",
    Condition(
        question="An epsilon > 0 and a delta are given. By which factor r may the printed rho, "
        "epsilon^2/(2*log(1/delta)), be divided so that rho/r is still at least epsilon^2 / "
        "(4*log(1/delta)), the budget of Bun and Steinke for small epsilon? Give the condition on r "
        "in terms of r alone; r stands for any number above 0.",
        hints=("Divide both by epsilon^2/(4*log(1/delta)).",),
        solution=lambda: r <= 2,
        symbols=lambda: [r],
        slips=(
            Slip("r >= 2", "Dividing by more makes it smaller."),
            Slip("r < 2", "At its end the two are equal."),
        ),
    ),
)
