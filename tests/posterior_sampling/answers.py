"""The exercises of the posterior_sampling chapters: right, wrong and mistaken answers, and what is none."""

import sympy

from dpbook.posterior_sampling import PosteriorSampler, models
from dpbook.posterior_sampling.notation import L, a, delta, n, prior_b, share, t
from dpbook.privacy.distributions import Beta

COIN = models.Bernoulli()
SAMPLER = PosteriorSampler(COIN, COIN.restrict(Beta(3, 3), 0.05))

RIGHT = {
    "posterior_sampling:rare-parameter": [
        "log(p*exp(2*a) + 1 - p)",
        "a + log(p*exp(a) + (1 - p)*exp(-a))",
        2 * a + sympy.log(share + (1 - share) * sympy.exp(-2 * a)),
    ],
    "posterior_sampling:draws-for-sale": [81, "81", SAMPLER.budget(2, 1e-6).total],
    "posterior_sampling:two-coins": [
        "K = 5015, c = 1, n = 14, w = 1/5015",
        {"K": 1000, "c": 10, "n": 105, "w": sympy.Rational(1, 10**30)},
        "K = 100, c = 4, n = 28, w = 1/100000000",
    ],
    "posterior_sampling:larger-rate": [
        "K = 9, n = 1, w = 9/10, w_0 = 1/2",
        {"K": 100, "n": 3, "w": 0.999, "w_0": 0.5},
    ],
    "posterior_sampling:draws-needed": [
        "4/a^2*log(1/(4*delta*(1 - delta)))",
        "-4*log(4*delta - 4*delta^2)/a^2",
        4 * sympy.log(1 / (4 * delta * (1 - delta))) / a**2,
    ],
    "posterior_sampling:empty-set": ["L < log(n)", "exp(L) < n", sympy.Lt(L, sympy.log(n))],
    "posterior_sampling:last-step": [
        "L = 1/2, alpha = 3/2, c = 1/4, n = 1",
        "L = 1/10, alpha = 2, c = 1/5, n = 1",
        {"L": 0.25, "alpha": 3, "c": sympy.Rational(1, 1000), "n": 1},
    ],
    "posterior_sampling:variance-prior": [
        "L = 1, lambda = 1, mu = 1",
        {"L": 10, "lambda": 1, "mu": 0},
        "L = 1, lambda = 20, mu = -3",
    ],
    "posterior_sampling:two-variables": [
        "epsilon_0 = 1/4, q_1 = 1/4, q_2 = 3/4, q_3 = 1/4",
        {"epsilon_0": 0.1, "q_1": 0.9, "q_2": 0.1, "q_3": 0.9},
    ],
    "posterior_sampling:geometric-survival": [
        "exp(-b_0*t)",
        "exp(-t)^b_0",
        sympy.exp(-t) ** prior_b,
    ],
    "posterior_sampling:largest-chance": [
        "1/(1 + exp(-epsilon/(2*T)))",
        "exp(epsilon/(2*T))/(1 + exp(epsilon/(2*T)))",
    ],
    "posterior_sampling:largest-rate": ["1/20", 0.05, "5/100"],
}

WRONG = {
    "posterior_sampling:rare-parameter": [
        ("2*a", "This is the bound"),
        ("log(p*exp(a) + (1 - p)*exp(-a))", "That is the evidences'"),
        ("-log(p*exp(2*a) + 1 - p)", "This is the ratio given y"),
        ("log((1 - p)*exp(2*a) + p)", "p is the probability"),
        ("log(p + (1 - p)*exp(-2*a))", "The likelihoods at this parameter"),
        ("a", ""),
    ],
    "posterior_sampling:draws-for-sale": [
        (20, "That is theorem 2(i)"),
        (40, "By theorem 2(i) a draw"),
        (70, "zCDP is a little less"),
        (82, ""),
    ],
    "posterior_sampling:two-coins": [
        ("K = 1000, c = 1, n = 14, w = 1/100", "Assumption 2 fails"),
        ("K = 5015, c = 1, n = 5, w = 1/5015", "Even n ones"),
        ("K = 5015, c = 1, n = 40, w = 1/5015", "In spite of a zero"),
        ("K = 10, c = 1, n = 5, w = 1/10", ""),
        ("K = 1/2, c = 1, n = 5, w = 1/10", ""),
        ("K = 10, c = 1, n = 5, w = 2", ""),
    ],
    "posterior_sampling:larger-rate": [
        ("K = 9, n = 1, w = 1/2, w_0 = 1/2", "These are the same"),
        ("K = 9, n = 1, w = 1/2, w_0 = 9/10", "w_0 is to be"),
        ("K = 9, n = 1, w = 1/100, w_0 = 1/1000", "Where the biased coin"),
        ("K = 9, n = 1, w = 2, w_0 = 1/2", ""),
    ],
    "posterior_sampling:draws-needed": [
        ("3/(4*a)*log(1/delta)", "That is eq. 4.3"),
        ("2/a*sqrt(log(1/(4*delta*(1 - delta))))", "This is the root"),
        ("4/a^2*log(1/delta)", "The error enters"),
        ("a^2/4*log(1/(4*delta*(1 - delta)))", "The factor belongs"),
        ("1/a", ""),
    ],
    "posterior_sampling:empty-set": [
        ("L <= log(n)", "At its end"),
        ("L < n", "A Lipschitz constant"),
        ("L > log(n)", "These are the L"),
        ("L < log(2)", "That is so for n = 2"),
        ("L < 1", ""),
    ],
    "posterior_sampling:last-step": [
        ("L = 1/2, alpha = 3/2, c = 1/4, n = 2", "The proof is about"),
        ("L = 1/2, alpha = 1, c = 1/4, n = 1", "The lemma wants"),
        ("L = 2, alpha = 3/2, c = 1/4, n = 1", "For L of at least 1"),
        ("L = 9/10, alpha = 3/2, c = 1/4, n = 2", "For n of 2"),
        ("L = 1/2, alpha = 3/2, c = 2, n = 1", ""),
    ],
    "posterior_sampling:variance-prior": [
        ("L = 1, lambda = 1/10, mu = 0", "For so small a lambda"),
        ("L = 0, lambda = 1, mu = 1", ""),
    ],
    "posterior_sampling:two-variables": [
        ("epsilon_0 = 1/4, q_1 = 1/4, q_2 = 3/4, q_3 = 3/4", "Then the second variable"),
        ("epsilon_0 = 1/4, q_1 = 1/2, q_2 = 3/4, q_3 = 1/4", "The factor of the first"),
        ("epsilon_0 = 1/4, q_1 = 1/4, q_2 = 1/4, q_3 = 3/4", "Here one factor"),
        ("epsilon_0 = 1/4, q_1 = 1/8, q_2 = 3/4, q_3 = 1/8", ""),
        ("epsilon_0 = 1/100, q_1 = 1/4, q_2 = 3/4, q_3 = 1/4", ""),
    ],
    "posterior_sampling:geometric-survival": [
        ("1 - exp(-b_0*t)", "This is the probability"),
        ("exp(-t)", "That is so for a uniform"),
        ("(1 - exp(-t))^b_0", "L exceeds t"),
        ("2/(1 + exp(t))", "That is for tosses"),
        ("exp(-b_0)", ""),
    ],
    "posterior_sampling:largest-chance": [
        ("1/(1 + exp(-epsilon/T))", "A draw loses"),
        ("1/(1 + exp(-epsilon/2))", "That is for a single"),
        ("exp(epsilon/(2*T))", "Those are the odds"),
        ("1/(1 + exp(epsilon/(2*T)))", "That is the smallest"),
        ("epsilon/(2*T)", ""),
    ],
    "posterior_sampling:largest-rate": [
        ("1/10", "A draw loses"),
        ("1/2", "That is for times"),
        ("5", "The longer"),
        ("20", "That is one over"),
        ("1/30", ""),
    ],
}

UNDECIDED = {
    "posterior_sampling:rare-parameter": ["log(q*exp(2*a))", "log(", None],
    "posterior_sampling:draws-for-sale": ["many", "T > 81", None],
    "posterior_sampling:two-coins": ["K = 5015", "K > 5015", 14],
    "posterior_sampling:larger-rate": ["w = 1/2", "w_0 < w", 5],
    "posterior_sampling:draws-needed": ["4/a^2*log(1/eta)", "T", None],
    "posterior_sampling:empty-set": ["log(n)", "L < log(k)", None],
    "posterior_sampling:last-step": ["L = 1/2", "L < 1", 5],
    "posterior_sampling:variance-prior": ["L = 1", "L > 1", 5],
    "posterior_sampling:two-variables": ["q_1 = 1/4", "q_1 < 1/2", 5],
    "posterior_sampling:geometric-survival": ["exp(-beta*t)", "exp(", None],
    "posterior_sampling:largest-chance": ["theta", "1/(1 + exp(-a))", "high"],
    "posterior_sampling:largest-rate": ["small", "theta"],
}
