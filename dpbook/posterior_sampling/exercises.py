"""State the exercises of the posterior_sampling chapters, with the way each is decided."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sympy import Expr, Rational, exp, log

from dpbook import posterior_sampling, privacy  # their public names are imported when they are used
from dpbook.posterior_sampling.notation import L, a, delta, draws, epsilon, n, prior_b, share, t
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Condition, Formula, Number, Point, Slip

# --- one draw and its price ---------------------------------------------------------------------------


def loss_at_the_rare_parameter() -> Expr:
    """Log ratio of the posteriors at f = -a, where f = a has probability p given x."""
    return log(share * exp(2 * a) + 1 - share)


exercise(
    "posterior_sampling:rare-parameter",
    Formula(
        question="A prior knows two parameters. Write f for ln p(y) - ln p(x) at a parameter: it is "
        "a at the one, which has posterior probability p given x, and -a at the other. What is the "
        "logarithm of the ratio of the two posteriors, given x over given y, at the other one?",
        hints=(
            "It is the log likelihood ratio there, plus the logarithm of phi(y)/phi(x).",
            "phi(y)/phi(x) is the mean of exp(f) under the posterior given x.",
        ),
        solution=loss_at_the_rare_parameter,
        symbols=lambda: [a, share],
        slips=(
            Slip("2*a", "This is the bound; it is approached as p tends to 1."),
            Slip(
                "log(p*exp(a) + (1 - p)*exp(-a))",
                "That is the evidences' share; the likelihoods at the parameter have theirs.",
            ),
            Slip(
                "-log(p*exp(2*a) + 1 - p)",
                "This is the ratio given y over given x.",
            ),
            Slip(
                "log((1 - p)*exp(2*a) + p)",
                "p is the probability of the first parameter, where f is a.",
            ),
            Slip(
                "log(p + (1 - p)*exp(-2*a))",
                "The likelihoods at this parameter favour x: there f is -a, so p(x)/p(y) is exp(a).",
            ),
        ),
    ),
)


@lru_cache(maxsize=1)
def _smooth_coin() -> posterior_sampling.PosteriorSampler:
    coin = posterior_sampling.models.Bernoulli()
    return posterior_sampling.PosteriorSampler(coin, coin.restrict(privacy.Beta(1, 1), 0.05))


def _most_by_concentration() -> int:
    """Draws that zCDP with a sharp rho allows, at epsilon 2 and delta 1e-6."""
    draws = 0
    while privacy.zcdp_to_dp(_smooth_coin().zcdp(draws + 1), 1e-6).epsilon <= 2:
        draws += 1
    return draws


exercise(
    "posterior_sampling:draws-for-sale",
    Number(
        question="Tosses of a coin, log odds between -1/20 and 1/20, neighbours that differ in one "
        "toss. How many posterior draws are certainly (2, 1e-6)-private together?",
        hints=(
            "PosteriorSampler(model, prior).budget(epsilon, delta) counts draws.",
            "Model.restrict(prior, level) makes the prior; which beta distribution it is does not matter.",
        ),
        solution=lambda: _smooth_coin().budget(2, 1e-6).total,
        slips=(
            Slip(
                lambda: _smooth_coin().budget(2).total,
                "That is theorem 2(i), added up; a delta buys more.",
            ),
            Slip(
                lambda: 2 * _smooth_coin().budget(2).total,
                "By theorem 2(i) a draw costs 2 a, and a delta buys more draws.",
            ),
            Slip(_most_by_concentration, "zCDP is a little less than the best account."),
        ),
    ),
)


def _posterior_log_odds(point: Mapping[str, Any]) -> float:
    """Log odds of the biased coin given n ones."""
    K, w, tosses = (float(point[name]) for name in ("K", "w", "n"))
    return math.log(w / (1 - w)) + tosses * math.log(2 * K / (K + 1))


def _is_a_prior(point: Mapping[str, Any]) -> bool:
    return bool(point["K"] > 1 and 0 < point["w"] < 1)


exercise(
    "posterior_sampling:two-coins",
    Point(
        question="A coin is fair, or it has odds K for a one, with prior probability w <= K^(-c). "
        "Theorem 1(ii) says that the divergence of the posterior given n ones from that given "
        "n - 1 ones and a zero is at most kappa/c, with kappa = 4.91. Give K, c, n and w at which "
        "it fails.",
        hints=(
            "Let the prior probability be as large as assumption 2 allows, w = K^(-c).",
            "Given n ones the biased coin should be likely, and given one zero unlikely. A zero "
            "divides its odds by K.",
            "Then the divergence is about half of ln K. Make ln K large beside kappa/c.",
        ),
        claim="posterior_sampling:theorem-1.ii",
        slips=(
            Slip(
                lambda at: _is_a_prior(at) and at["w"] * at["K"] ** at["c"] > 1,
                "Assumption 2 fails: w is larger than K^(-c).",
                outside=True,
            ),
            Slip(
                lambda at: _is_a_prior(at) and _posterior_log_odds(at) < 0,
                "Even n ones leave the biased coin unlikely: take more tosses.",
            ),
            Slip(
                lambda at: (
                    _is_a_prior(at) and _posterior_log_odds(at) > math.log(float(at["K"])) + 1
                ),
                "In spite of a zero the biased coin is likely: take fewer tosses.",
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "posterior_sampling:larger-rate",
    Point(
        question="The paper says that a larger c, which is a smaller prior probability of large "
        "Lipschitz constants, makes inference more robust. Take the two coins, with prior "
        "probability w of the biased one, or w_0 <= w. Give K, n, w and w_0 at which the divergence "
        "of the posterior given n ones from that given one zero is larger under w_0.",
        hints=(
            "If w is nearly 1, nothing moves the posterior: it is sure of the biased coin.",
            "So start from a w near 1, and let w_0 be about one half.",
        ),
        claim="posterior_sampling:text-3-larger-c",
        slips=(
            Slip(lambda at: at["w"] == at["w_0"], "These are the same prior."),
            Slip(lambda at: at["w"] < at["w_0"], "w_0 is to be the smaller one.", outside=True),
            Slip(
                lambda at: _is_a_prior(at) and _posterior_log_odds(at) < 0,
                "Where the biased coin is unlikely, a smaller w does make the divergence smaller.",
            ),
        ),
        time_limit=40.0,
    ),
)


def least_draws() -> Expr:
    """Draws that a test of error delta needs under assumption 1."""
    return 4 / a**2 * log(1 / (4 * delta * (1 - delta)))


exercise(
    "posterior_sampling:draws-needed",
    Formula(
        question="With T draws no test errs less than with probability delta on average, unless "
        "a^2*T/4 is at least log(1/(4*delta*(1 - delta))). From which T on is that so?",
        hints=("Solve for T.", "a^2 is positive: multiply by 4/a^2."),
        solution=least_draws,
        symbols=lambda: [a, delta],
        slips=(
            Slip(
                "3/(4*a)*log(1/delta)",
                "That is eq. 4.3, solved for the number of draws: it falls as 1/a.",
            ),
            Slip(
                "2/a*sqrt(log(1/(4*delta*(1 - delta))))",
                "This is the root of it: how large a*sqrt(T) must be, over a.",
            ),
            Slip(
                "4/a^2*log(1/delta)", "The error enters as 4*delta*(1 - delta), which is 1 at 1/2."
            ),
            Slip("a^2/4*log(1/(4*delta*(1 - delta)))", "The factor belongs under the line."),
        ),
    ),
)

# --- which priors, which constants ----------------------------------------------------------------------

exercise(
    "posterior_sampling:empty-set",
    Condition(
        question="Counts of n tosses, by the paper's density: no theta has a smaller Lipschitz "
        "constant than theta = 1/2. For which L does no theta at all have a constant of at most L?",
        hints=(
            "brute_force_lipschitz finds the constant of theta = 1/2 for some n.",
            "Neighbouring counts 0 and 1 have the densities 2^(-n) and n*2^(-n) there.",
        ),
        solution=lambda: log(n) > L,
        symbols=lambda: [L, n],
        slips=(
            Slip("L <= log(n)", "At its end there is one: theta = 1/2."),
            Slip("L < n", "A Lipschitz constant is one of the logarithm of the density."),
            Slip("L > log(n)", "These are the L for which there are some."),
            Slip("L < log(2)", "That is so for n = 2; and for more tosses?"),
        ),
    ),
)

exercise(
    "posterior_sampling:last-step",
    Point(
        question="The proof of lemma 5 bounds a prior probability by v*exp(-alpha*L), with "
        "v = 2*n^alpha/(alpha*B(alpha, alpha)). From v*exp(-alpha*L) <= exp(-c*L) it concludes "
        "c <= alpha + ln(1/v), and takes any such c > 0 for all L >= ln(n). Give L, alpha > 1, c and "
        "n at which that is wrong.",
        hints=(
            "Take logarithms of v*exp(-alpha*L) <= exp(-c*L). By what is ln(1/v) divided?",
            "v is above 1. What do both sides tend to as L tends to 0?",
            "For n = 1 any L > 0 is allowed. With alpha = 2, is there a c > 0?",
        ),
        claim="posterior_sampling:text-c-rate",
        slips=(
            Slip(
                lambda at: (
                    at["L"] > 0 and at["n"] >= 1 and float(at["L"]) < math.log(float(at["n"]))
                ),
                "The proof is about L >= ln(n).",
                outside=True,
            ),
            Slip(lambda at: at["alpha"] <= 1, "The lemma wants alpha > 1.", outside=True),
            Slip(
                lambda at: at["L"] >= 1,
                "For L of at least 1 the step is on the safe side: ln(1/v) is negative.",
            ),
            Slip(
                lambda at: at["n"] >= 2,
                "For n of 2 or more alpha + ln(1/v) is negative; is there a smaller n?",
                outside=True,
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "posterior_sampling:variance-prior",
    Point(
        question="Lemma 6 puts an exponential prior of rate lambda on the variance, and claims that "
        "the Lipschitz constant max(abs(mu), 1)/(2*variance) is at most L with a prior probability "
        "of at least 1 - exp(-lambda*L). Give L, lambda and mu at which it fails.",
        hints=(
            "The constant exceeds L where the variance is below max(abs(mu), 1)/(2*L).",
            "For large L that has about the probability lambda*max(abs(mu), 1)/(2*L).",
        ),
        claim="posterior_sampling:lemma-6",
        values=("mu", ("0", "1/2", "2", "-2", "3")),
        slips=(
            Slip(
                lambda at: at["L"] > 0 and at["lambda"] > 0,
                "For so small a lambda*L little is claimed: take a larger L.",
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "posterior_sampling:two-variables",
    Point(
        question="A network has two binary variables; the second depends on the first. q_1 is the "
        "probability of 1 for the first, q_2 and q_3 for the second, given 0 and given 1. All "
        "entries of its tables are at least epsilon_0. x = (0, 1) and y = (1, 1) differ in the first "
        "variable alone. Lemma 7 says that their log likelihood ratio is at most ln(1/epsilon_0). "
        "Give epsilon_0, q_1, q_2 and q_3 at which it fails.",
        hints=(
            "The likelihoods are (1 - q_1)*q_2 and q_1*q_3: two factors differ.",
            "Let both quotients be large, by entries epsilon_0 and 1 - epsilon_0.",
        ),
        claim="posterior_sampling:lemma-7",
        slips=(
            Slip(
                lambda at: at["q_2"] == at["q_3"],
                "Then the second variable does not depend on the first: one factor differs.",
            ),
            Slip(
                lambda at: 2 * at["q_1"] == 1,
                "The factor of the first variable is the same for 0 and 1.",
            ),
            Slip(
                lambda at: (2 * at["q_1"] - 1) * (at["q_3"] - at["q_2"]) < 0,
                "Here one factor makes up for the other.",
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "posterior_sampling:geometric-survival",
    Formula(
        question="Records k = 0, 1, 2, ... have probability theta*(1 - theta)^k, and the distance of "
        "k and l is abs(k - l). The prior is Beta(1, b_0), of density b_0*(1 - theta)^(b_0 - 1). "
        "What is the prior probability that the Lipschitz constant exceeds t?",
        hints=(
            "Two neighbouring records have the ratio 1 - theta. So L(theta) is -log(1 - theta).",
            "It exceeds t where 1 - theta is below exp(-t).",
        ),
        solution=lambda: exp(-prior_b * t),
        symbols=lambda: [prior_b, t],
        slips=(
            Slip("1 - exp(-b_0*t)", "This is the probability of the others."),
            Slip("exp(-t)", "That is so for a uniform prior."),
            Slip("(1 - exp(-t))^b_0", "L exceeds t where 1 - theta is small, not theta."),
            Slip(
                "2/(1 + exp(t))",
                "That is for tosses, where both 0 and 1 are bad; here only chances near 1 are.",
            ),
        ),
    ),
)

exercise(
    "posterior_sampling:largest-chance",
    Formula(
        question="Tosses of a coin, neighbours that differ in one toss. T posterior draws together are "
        "to be purely epsilon-private, by Theorem 2(i) for each. Up to which chance theta of a one "
        "may the prior reach?",
        hints=(
            "A draw loses at most 2*a, where a bounds the log odds; T draws lose 2*a*T.",
            "So the log odds are at most epsilon/(2*T). Solve log(theta/(1 - theta)) = a for theta.",
        ),
        solution=lambda: 1 / (1 + exp(-epsilon / (2 * draws))),
        symbols=lambda: [epsilon, draws],
        slips=(
            Slip("1/(1 + exp(-epsilon/T))", "A draw loses twice the largest log odds."),
            Slip("1/(1 + exp(-epsilon/2))", "That is for a single draw."),
            Slip("exp(epsilon/(2*T))", "Those are the odds; a chance is below 1."),
            Slip("1/(1 + exp(epsilon/(2*T)))", "That is the smallest chance."),
        ),
    ),
)

exercise(
    "posterior_sampling:largest-rate",
    Number(
        question="Waiting times have the density theta*exp(-theta*x). They are between 0 and 10 hours, "
        "and any of them may be replaced by any other. One posterior draw is to be purely 1-private, "
        "by Theorem 2(i). Which is the largest rate theta per hour that the prior may keep?",
        hints=(
            "The log likelihood changes by theta times the distance of the two times.",
            "That is a; a draw loses at most 2*a.",
        ),
        solution=lambda: Rational(1, 20),
        slips=(
            Slip("1/10", "A draw loses 2*a: once by the likelihoods, once by the evidences."),
            Slip("1/2", "That is for times that are an hour apart at most."),
            Slip("5", "The longer the times, the smaller the rate."),
            Slip("20", "That is one over the rate: a mean time, in hours."),
        ),
    ),
)
