"""The exercises of the depth_medians chapters: right, wrong and mistaken answers, and what is none."""

import sympy

from dpbook.depth_medians.notation import scale, tau

RIGHT = {
    "depth_medians:length-of-a-level": ["2*tau*sigma", 2 * tau * scale],
    "depth_medians:same-side": ["p > mu + 3*sigma", "p - mu > 3*sigma"],
    "depth_medians:equal-rows": ["n = 10, alpha = 1/5", {"n": 4, "alpha": sympy.Rational(1, 4)}],
    "depth_medians:kept-points": [
        "p = 0, mu = 0, sigma = 1, tau = 1",
        {"p": -1, "mu": 0, "sigma": 2, "tau": 1},
    ],
    "depth_medians:breakdown": [11, "11"],
    "depth_medians:cauchy-scale": ["sqrt(2)", 2**0.5, sympy.sqrt(2)],
    "depth_medians:deviation": ["sigma*g + 2*s_n", "2*s_n + g*sigma"],
    "depth_medians:margin": ["2/epsilon*log(1/(4*delta*rho))", "-2*log(4*delta*rho)/epsilon"],
    "depth_medians:margin-of-two": [
        "epsilon = 1, delta = 1/1000",
        {"epsilon": sympy.Rational(1, 2), "delta": sympy.Rational(1, 100)},
    ],
    "depth_medians:two-budgets": [
        "epsilon = 1, delta = 1/1000, s = 12, q = 1/2, q_1 = 184/1000",
        {"epsilon": 1, "delta": 0.001, "s": 11, "q": 0.5, "q_1": 0.19},
    ],
    "depth_medians:five-rows": ["x_1 = 0, x_2 = 1, x_3 = 1, x_4 = 3, x_5 = 6, y = 6"],
    "depth_medians:price-of-privacy": ["4*d*eta/epsilon", "d/(epsilon/(4*eta))"],
    "depth_medians:volume-ratio": [
        "epsilon = 2, eta = 1, tau = 10, d = 1, b = 1, B = 1, alpha_mu = 0",
    ],
    "depth_medians:error-of-the-mean": ["sqrt(d/n)", "sqrt(d)/sqrt(n)"],
    "depth_medians:bias-of-the-mean": ["5/4*sqrt(d)", "sqrt(25*d/16)"],
    "depth_medians:temperature": [90.478, "90.48"],
    "depth_medians:figure-threshold": ["log(500)/5", 1.243],
    "depth_medians:ideal-error": [0.149, "20/90.5*0.6745"],
    "depth_medians:level-of-coinpress": [
        "(sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta)))^2",
        "epsilon + 2*log(1/delta) - 2*sqrt(log(1/delta)*(log(1/delta) + epsilon))",
    ],
}

WRONG = {
    "depth_medians:length-of-a-level": [
        ("tau*sigma", "That is half of it"),
        ("2*tau", "That is so for sigma"),
        ("2*tau/sigma", "A larger scale"),
        ("tau", ""),
    ],
    "depth_medians:same-side": [
        ("p > 3*sigma", "That is so for mu"),
        ("p > mu + 3", "That is so for sigma"),
        ("p >= mu + 3*sigma", "At its end"),
        ("abs(p - mu) > 3*sigma", "This holds on both"),
        ("p > mu", ""),
    ],
    "depth_medians:equal-rows": [("n = 10, alpha = 1/7", "n*alpha is to be")],
    "depth_medians:kept-points": [
        ("p = 5, mu = 0, sigma = 1, tau = 1", "This point lies out"),
        ("p = 1, mu = 0, sigma = 1, tau = 1", ""),
    ],
    "depth_medians:breakdown": [
        (1, "That is so for the mean"),
        (10, "With ten huge ones"),
        (21, "Half of them"),
        (12, ""),
    ],
    "depth_medians:cauchy-scale": [
        (1, "That is so along"),
        (2, "The direction has length"),
        ("1/sqrt(2)", "That is one coordinate"),
        (3, ""),
    ],
    "depth_medians:deviation": [
        ("sigma*g + s_n", "The least outlyingness"),
        ("sigma*g", "The locations err"),
        ("g + 2*s_n", "Outlyingness is measured"),
        ("g", ""),
    ],
    "depth_medians:margin": [
        ("2/epsilon*log(1/(2*delta))", "That is the threshold"),
        ("1/epsilon*log(1/(4*delta*rho))", "The noise has"),
        ("2/epsilon*log(1/(2*delta*rho))", "A Laplace variable"),
        ("2/epsilon", ""),
    ],
    "depth_medians:margin-of-two": [
        ("epsilon = 10, delta = 1/1000", "Here log"),
        ("epsilon = 1, delta = 2", ""),
    ],
    "depth_medians:two-budgets": [
        ("epsilon = 1, delta = 1/1000, s = 12, q = 1/2, q_1 = 1/10", "The mechanism itself"),
        ("epsilon = 1, delta = 1/1000, s = 12, q = 1/2, q_1 = 1/2", "The mechanism has budget"),
    ],
    "depth_medians:five-rows": [
        ("x_1 = 0, x_2 = 1, x_3 = 1, x_4 = 3, x_5 = 6, y = 1", "Nothing is replaced"),
        ("x_1 = 0, x_2 = 2, x_3 = 1, x_4 = 3, x_5 = 6, y = 6", "The five numbers"),
        ("x_1 = 0, x_2 = 1, x_3 = 2, x_4 = 3, x_5 = 4, y = 0", "With such a y"),
        ("x_1 = 0, x_2 = 1, x_3 = 2, x_4 = 3, x_5 = 4, y = 5", ""),
    ],
    "depth_medians:price-of-privacy": [
        ("4*eta/epsilon", "That is so in one"),
        ("d*epsilon/(4*eta)", "beta is a rate"),
        ("d*eta/epsilon", "A factor 4"),
        ("eta", ""),
    ],
    "depth_medians:volume-ratio": [
        ("epsilon = 1/2, eta = 1, tau = 20, d = 1, b = 1, B = 1, alpha_mu = 0", "For epsilon of"),
        ("epsilon = 1/2, eta = 1, tau = 10, d = 1, b = 1, B = 1, alpha_mu = 0", ""),
    ],
    "depth_medians:error-of-the-mean": [
        ("1/sqrt(n)", "That is one"),
        ("d/sqrt(n)", "Squares add up"),
        ("d/n", "This is its square"),
        ("n", ""),
    ],
    "depth_medians:bias-of-the-mean": [
        ("5/4*d", "The length of a vector"),
        ("5/4", "That is one"),
        ("5*sqrt(d)", "Only a quarter"),
        ("d", ""),
    ],
    "depth_medians:temperature": [("100000/30/log(10000)", "There is a factor 4"), (1, "")],
    "depth_medians:figure-threshold": [
        ("log(1000)/5", "It is 1/(2*delta)"),
        ("log(500)/10", "The noise has"),
        (3, ""),
    ],
    "depth_medians:ideal-error": [
        ("20/90.5", "That is its outlyingness"),
        ("0.6745/90.5", "That is so in one"),
        ("20/90.5/0.6745", "The MAD multiplies"),
        (1, ""),
    ],
    "depth_medians:level-of-coinpress": [
        ("epsilon", "That is so without"),
        ("epsilon^2/(4*log(1/delta))", "That leaves out"),
        ("sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta))", "This is the root"),
        ("delta", ""),
    ],
}

UNDECIDED = {
    "depth_medians:length-of-a-level": ["2*tau*nu", "2*(", None],
    "depth_medians:same-side": ["mu + 3*sigma", "p > q", None],
    "depth_medians:equal-rows": ["n = 10", "n > 10", 5],
    "depth_medians:kept-points": ["p = 0", "p > 0", 5],
    "depth_medians:breakdown": ["half", "n > 11", None],
    "depth_medians:cauchy-scale": ["wide", "sigma > 1", None],
    "depth_medians:deviation": ["sigma*h + s_n", "g +", None],
    "depth_medians:margin": ["s", "2/epsilon*log(", None],
    "depth_medians:margin-of-two": ["epsilon = 1", "epsilon > 1", 5],
    "depth_medians:two-budgets": ["s = 12", "q > q_1", 5],
    "depth_medians:five-rows": ["y = 6", "y > 6", 5],
    "depth_medians:price-of-privacy": ["d*scale", "4*(", None],
    "depth_medians:volume-ratio": ["epsilon = 2", "epsilon > 1", 5],
    "depth_medians:error-of-the-mean": ["sqrt(d/m)", "d/", None],
    "depth_medians:bias-of-the-mean": ["mean", "5/(", None],
    "depth_medians:temperature": ["hot", "beta > 1", None],
    "depth_medians:figure-threshold": ["high", "s > 1", None],
    "depth_medians:ideal-error": ["far", "d > 1", None],
    "depth_medians:level-of-coinpress": ["rho", "sqrt(", None],
}
