"""The exercises of the langevin chapters: right, wrong and mistaken answers, and what is none."""

import math

import numpy as np
import sympy
from scipy.integrate import quad

from dpbook.langevin import FIGURE_1
from dpbook.langevin.claims.appendix_c_privacy import tight_limit
from dpbook.langevin.notation import alpha, beta, dimension, radius, square_sum
from dpbook.privacy.distributions import Normal
from dpbook.privacy.divergences import renyi_divergence

DIVERGENCE = (
    "log(sigma_2/sigma_1) + log(sigma_2^2/shifted_variance)/(2*(nu - 1))"
    " + nu*(mu_1 - mu_2)^2/(2*shifted_variance)"
)
SHIFTED = "(nu*sigma_2^2 + (1 - nu)*sigma_1^2)"
PRINT = (
    "log(sigma_1/sigma_2) + (nu - 1)/2*log(sigma_2^2/shifted_variance)"
    " + nu*(mu_1 - mu_2)^2/(2*shifted_variance)"
)
NAMES = sympy.symbols("nu mu_1 mu_2 sigma_1 sigma_2")


def divergence(mean_1, sd_1, mean_2, sd_2, order):
    shifted = order * sd_2**2 + (1 - order) * sd_1**2
    if shifted <= 0:
        return math.inf
    first = math.log(sd_2 / sd_1) + math.log(sd_2**2 / shifted) / (2 * (order - 1))
    return first + order * (mean_1 - mean_2) ** 2 / (2 * shifted)


def by_quadrature(mean_1, sd_1, mean_2, sd_2, order):
    shifted = order * sd_2**2 + (1 - order) * sd_1**2
    if shifted <= 0:
        return math.inf
    centre = (order * mean_1 * sd_2**2 + (1 - order) * mean_2 * sd_1**2) / shifted
    width = sd_1 * sd_2 / math.sqrt(shifted)

    def log_density(t, mean, sd):
        return -(((t - mean) / sd) ** 2) / 2 - math.log(sd * math.sqrt(math.tau))

    def exponent(t):
        return order * log_density(t, mean_1, sd_1) + (1 - order) * log_density(t, mean_2, sd_2)

    most = exponent(centre)
    value, _ = quad(
        lambda s: math.exp(exponent(centre + width * s) - most), -12, 12, epsabs=0, epsrel=1e-10
    )
    return (most + math.log(width * value)) / (order - 1)


def printed(mean_1, sd_1, mean_2, sd_2, order):
    shifted = order * sd_2**2 + (1 - order) * sd_1**2
    second = (order - 1) / 2 * math.log(sd_2**2 / shifted)
    return math.log(sd_1 / sd_2) + second + order * (mean_1 - mean_2) ** 2 / (2 * shifted)


def without_infinity(mean_1, sd_1, mean_2, sd_2, order):
    shifted = abs(order * sd_2**2 + (1 - order) * sd_1**2)
    first = math.log(sd_2 / sd_1) + math.log(sd_2**2 / shifted) / (2 * (order - 1))
    return first + order * (mean_1 - mean_2) ** 2 / (2 * shifted)


def distance(n, alpha, beta, x_h, c, position, epochs, odd=(0.5, 0.5), pace=0.5):
    eta = 2 / (alpha + n * x_h**2 * beta) ** 2
    x, y = np.full(n, x_h), np.full(n, c * x_h)
    odd_x, odd_y = x.copy(), y.copy()
    odd_x[position - 1] *= odd[0]
    odd_y[position - 1] *= odd[1]
    means = []
    for xs, ys in ((x, y), (odd_x, odd_y)):
        mean = 0.0
        for covariate, response in [*zip(xs, ys, strict=True)] * epochs:
            mean += (
                pace * eta * (-alpha * mean + n * beta * covariate * (response - covariate * mean))
            )
        means.append(mean)
    return means[0] - means[1]


def distance_in_closed_form(n, alpha, beta, x_h, c, position, epochs):
    total = alpha + n * x_h**2 * beta
    rate, odd_rate = 1 - 1 / total, 1 - (total + 3 * alpha) / (4 * total**2)
    epoch = odd_rate * rate ** (n - 1)
    first = c * (1 - alpha / total) * (epoch**epochs - rate ** (n * epochs))
    left = (odd_rate - rate) * rate ** (n - position) * c * alpha / total
    return first + left * (1 - epoch**epochs) / (1 - epoch)


RIGHT = {
    "langevin:posterior-variance": [
        "1/(alpha + beta*s_xx)",
        "(s_xx*beta + alpha)^-1",
        r"(\alpha + \beta s_{xx})^{-1}",
        1 / (alpha + square_sum * beta),
        1 / (sympy.Symbol("alpha", positive=True) + sympy.Symbol("beta") * sympy.Symbol("s_xx")),
    ],
    "langevin:mean-sensitivity": [
        "beta*x_n*(y_n - y_n_hat)/(alpha + beta*(z + x_n^2))",
        "x_n*(y_n - y_n_hat)/(alpha/beta + z + x_n^2)",
        r"\frac{\beta x_n (y_n - \hat y_n)}{\alpha + \beta (z + x_n^2)}",
        r"\frac{\beta x_n (y_n - \hat{y}_n)}{\alpha + \beta (z + x_n^2)}",
        "beta*(q + x_n*y_n)/(alpha + beta*(z + x_n^2)) - beta*(q + x_n*y_n_hat)/(alpha + beta*(z + x_n^2))",
    ],
    "langevin:renyi-sign": [
        DIVERGENCE,
        DIVERGENCE.replace("shifted_variance", SHIFTED),
        "nu/(nu - 1)*log(sigma_2) - log(sigma_1) - log(shifted_variance)/(2*nu - 2)"
        " + nu*(mu_2 - mu_1)^2/(2*shifted_variance)",
        r"\ln\frac{\sigma_2}{\sigma_1} + \frac{1}{2(\nu - 1)} \ln\frac{\sigma_2^2}{\nu \sigma_2^2 + (1 - \nu) \sigma_1^2}"
        r" + \frac{\nu (\mu_1 - \mu_2)^2}{2 (\nu \sigma_2^2 + (1 - \nu) \sigma_1^2)}",
    ],
    "langevin:records-needed": [
        "n > 1 + 10*nu*x_h^2/x_l^2",
        "(n - 1)*x_l^2 > 10*nu*x_h^2",
        "beta*(n - 1)*x_l^2/10 > nu*beta*x_h^2",
        r"n > 1 + 10 \nu \frac{x_h^2}{x_l^2}",
        "10*nu*(x_h/x_l)^2 < n - 1",
    ],
    "langevin:print-fails": [
        "nu = 2, mu_1 = 0, mu_2 = 0, sigma_1 = 1, sigma_2 = 2",
        {"nu": 1.5, "mu_1": 3, "mu_2": "1/7", "sigma_1": 0.5, "sigma_2": "2/3"},
        dict(zip(map(str, NAMES), (3, 0, 0, sympy.Rational(9, 10), 1), strict=True)),
    ],
    "langevin:divergence-program": [divergence, by_quadrature, lambda *values: divergence(*values)],
    "langevin:fresh-noise": [
        "a^4/alpha + w*(1 + a^2)",
        "a^2*(a^2/alpha + w) + w",
        r"\frac{a^4}{\alpha} + w (1 + a^2)",
    ],
    "langevin:certified-c": [
        "sqrt(2*(1.6 - log(0.49))/7.739964e-6)",
        773.15,
        math.sqrt(2 * (1.6 - math.log(0.49)) / FIGURE_1.loss_floor(delta=0.01).ratio),
    ],
    "langevin:cycle-forgets": [
        "alpha = 1/2, beta = 4, n = 10, x_h = 1",
        {"alpha": 0.1, "beta": 1, "n": 1149019, "x_h": 1.8},
        "alpha = 51/100, beta = 31/10, n = 2, x_h = 1",
    ],
    "langevin:gap-program": [distance, distance_in_closed_form],
    "langevin:centre-sensitivity": [
        "cap*x_h^2/((V - 1)*x_l^2 + x_h^2)",
        "cap/(1 + (V - 1)*(x_l/x_h)^2)",
        "cap*x_h^2/(V*x_l^2 + x_h^2 - x_l^2)",
        tight_limit(),
    ],
    "langevin:null-and-delta": [
        "delta < 1/7",
        "(1 - 5*delta)/2 > delta",
        "1 - 5*delta - 2*delta > 0",
        r"\delta < \frac{1}{7}",
    ],
    "langevin:audit-draws": [
        "log(100)*exp(25)*5/2",
        math.log(0.01) / math.log1p(-0.4 * math.exp(-25)),
        "8.3e11",
        sympy.log(100) / (sympy.Rational(2, 5) * sympy.exp(-25)),
    ],
    "langevin:close-enough": [
        "lambda_ball*(1 - 2^(-1/d))",
        "lambda_ball - lambda_ball/2^(1/d)",
        "lambda_ball*(2^(1/d) - 1)/2^(1/d)",
        radius * (1 - sympy.exp(-sympy.log(2) / dimension)),
    ],
    "langevin:finite-orders": ["nu < 4/3", "3*nu < 4", "nu + 4*(1 - nu) > 0"],
    "langevin:long-run": ["w/(1 - a^2)", "w/((1 - a)*(1 + a))", r"\frac{w}{1 - a^2}"],
    "langevin:epochs-to-forget": ["3.24*log(100)", 14.92, 15],
    "langevin:null-though-enough": ["5*exp(-10)", 2.27e-4, "exp(-5*(2 - log(10)/5))/2"],
    "langevin:highest-density": ["sqrt(L)", "L^(1/2)", r"\sqrt{L}"],
}

WRONG = {
    "langevin:posterior-variance": [
        ("alpha + beta*s_xx", "This is the precision"),
        ("1/sqrt(beta*s_xx + alpha)", "This is the standard deviation"),
        ("1/(alpha + s_xx)", "A record of noise precision"),
        ("1/alpha + 1/(beta*s_xx)", "Precisions add"),
        ("1/(beta*s_xx)", ""),
        ("0", ""),
    ],
    "langevin:mean-sensitivity": [
        ("beta*x_n*(y_n - y_n_hat)/(alpha + beta*z)", "The last record counts"),
        ("x_n*(y_n - y_n_hat)/(alpha + beta*z + beta*x_n^2)", "Where is the beta"),
        ("beta*x_n*(y_n_hat - y_n)/(alpha + beta*(z + x_n^2))", "The first minus"),
        ("beta*(y_n - y_n_hat)/(alpha + beta*(z + x_n^2))", "A response enters"),
        ("q", ""),
    ],
    "langevin:renyi-sign": [
        (PRINT, "This is the paper's print"),
        (
            DIVERGENCE.replace("sigma_2/sigma_1", "sigma_1/sigma_2"),
            "Which distribution is narrower",
        ),
        (PRINT.replace("sigma_1/sigma_2", "sigma_2/sigma_1"), "The definition divides"),
        ("nu*(mu_2 - mu_1)^2/(2*shifted_variance)", "That is all only if"),
        (DIVERGENCE + " + 1", ""),
    ],
    "langevin:records-needed": [
        (
            "n > 1 + 10*nu*x_h^2/(x_l^2*beta) and n > 1 + nu*x_h^2/x_l^2",
            "This is the paper's print",
        ),
        ("n > 1 + 10*nu*x_h^2/(x_l^2*beta)", "beta stands on both sides"),
        ("n > 10*nu*x_h^2/x_l^2", "It is n - 1 records"),
        ("n >= 1 + 10*nu*x_h^2/x_l^2", "Exceed means more"),
        ("n > 1 + nu*x_h^2/x_l^2", "A tenth of the precision"),
        ("n > 5", ""),
    ],
    "langevin:print-fails": [
        ("nu = 2, mu_1 = 0, mu_2 = 1, sigma_1 = 1, sigma_2 = 1", "With equal spreads"),
        ("nu = 1, mu_1 = 0, mu_2 = 0, sigma_1 = 1, sigma_2 = 2", "Orders are above 1"),
        ("nu = 2, mu_1 = 0, mu_2 = 0, sigma_1 = 2, sigma_2 = 1", "There shifted_variance"),
        ("nu = 2, mu_1 = 0, mu_2 = 0, sigma_1 = -1, sigma_2 = 2", ""),
    ],
    "langevin:divergence-program": [
        (printed, "This is the paper's print"),
        (
            lambda m_1, v_1, m_2, v_2, order: divergence(
                m_1, math.sqrt(v_1), m_2, math.sqrt(v_2), order
            ),
            "sd is a standard deviation",
        ),
        (
            lambda a, s, b, t, order: divergence(b, t, a, s, order),
            "The two distributions are exchanged",
        ),
        (without_infinity, ""),
        (lambda a, s, b, t, order: 0, ""),
        (lambda a, s, b, t, order: None, ""),
        (lambda a, s, b, t, order: divergence(a, s, b, t, max(order, 2)), ""),
        (lambda a, s, b, t, order: divergence(a, s, b, t, order) + 1e-4 * (a != b), ""),
        (lambda a, s, b, t, order: divergence(a, s, b, t, min(order, 1000)), ""),
        (lambda a, s, b, t, order: divergence(a, min(s, 1000), b, min(t, 1000), order), ""),
    ],
    "langevin:fresh-noise": [
        ("a^4/alpha + w*(1 + 2*a + a^2)", "That is the noise of one epoch"),
        ("a^2/alpha + w*(1 + a)", "A factor on the state"),
        ("a^4/alpha + 2*w", "The second epoch shrinks"),
        ("w + a^2*w", "Where is what two epochs leave"),
        ("a^4/alpha", ""),
    ],
    "langevin:certified-c": [
        (597768, "B grows with the square"),
        (546.7, "In eq. 16 stands half"),
        (643, "The logarithm takes its share"),
        (478.64, "log(1/2 - delta) is negative"),
        (1000, ""),
    ],
    "langevin:cycle-forgets": [
        ("alpha = 1, beta = 4, n = 10, x_h = 1", "With so strong a prior"),
        ("alpha = 1/10, beta = 3, n = 10, x_h = 1", "The paper assumes"),
        ("alpha = 1/1000, beta = 4, n = 2, x_h = 1", "A prior as weak as that"),
        ("alpha = 1/10, beta = 4, n = 5/2, x_h = 1", ""),
    ],
    "langevin:gap-program": [
        (lambda *values: distance(*values, odd=(0.5, 1)), "The odd record's response"),
        (lambda *values: distance(*values, odd=(0, 0)), "The odd record is halved"),
        (lambda *values: distance(*values, pace=1), "A slope is multiplied"),
        (lambda *values: -distance(*values), "The plain mean"),
        (lambda *values: distance(*values[:5], 1, values[-1]), "The odd record is not always"),
        (lambda *values: 0, ""),
        (lambda *values: 1, ""),
        (lambda *values: distance(*values) ** 2, ""),
        (lambda *values: 1.001 * distance(*values), ""),
        *(
            (
                lambda *values, at=at: distance(
                    *(min(v, 100) if i == at else v for i, v in enumerate(values))
                ),
                "",
            )
            for at in range(7)
        ),
    ],
    "langevin:centre-sensitivity": [
        ("cap*(2*(V - 1)*x_h^2*x_l^2 + x_h^4)/(V*(V - 1)*x_l^4)", "This is the paper's bound"),
        ("cap*(x_h/x_l)^2/(V - 1)", "The record counts in the sum of squares too"),
        ("cap*x_h^2/(V*x_l^2)", "The record counts in the sum with its own"),
        ("cap/V", "The others may have smaller"),
        ("cap*x_l^2/((V - 1)*x_h^2 + x_l^2)", "Which covariates give"),
        ("cap", ""),
    ],
    "langevin:null-and-delta": [
        ("delta < 1/12", "That is as far as"),
        ("6*delta < 1", "This is what the claim says"),
        ("delta <= 1/7", "At its end nothing"),
        ("1 - 5*delta > 0", "Then something is released"),
        ("delta < 1/2", "Where all is released"),
        ("delta < 1/10", ""),
    ],
    "langevin:audit-draws": [
        ("2*log(100)*exp(25)", "delta explains a part"),
        ("exp(25)", "How sure is that"),
        ("2.5*exp(25)", "That many draws hold"),
        ("log(20)*exp(25)/0.4", "The confidence is"),
        ("log(100)*exp(5)/0.4", "Claim 4.1 promises"),
        ("10^6", ""),
    ],
    "langevin:close-enough": [
        ("lambda_ball*(2^(1/d) - 1)", "That is epsilon in parts"),
        ("lambda_ball/2", "That is so on the line"),
        ("lambda_ball*(1 - 1/2^d)", "A root was to be taken"),
        ("lambda_ball/2^(1/d)", "This is the smaller radius"),
        ("(lambda_ball - lambda_ball/2^(1/d))^2", "This is the distance"),
        ("lambda_ball/d", ""),
    ],
    "langevin:finite-orders": [
        ("nu > 4/3", "A larger order"),
        ("nu <= 4/3", "At 4/3"),
        ("nu < 2", "The variances count"),
        ("nu < 4", "The second density"),
        ("nu < 3", ""),
    ],
    "langevin:long-run": [
        ("w/(1 - a)", "A factor"),
        ("w*(1 + a^2)", "That is after two"),
        ("w", "That is the noise"),
        ("w*a^2/(1 - a^2)", "The noise of the last"),
        ("1/(1 - a^2)", ""),
    ],
    "langevin:epochs-to-forget": [
        ("3.24*log(100)/2", "That is so"),
        ("log(100)", "An epoch keeps"),
        ("log(100)/3.24", "x_h^2*beta"),
        ("1.8*log(100)", "The covariate"),
        ("100", ""),
    ],
    "langevin:null-though-enough": [
        ("exp(-10)/2", "The margin is taken"),
        ("exp(-10)/20", "The margin makes"),
        ("10*exp(-10)", "Half of the noise"),
        ("5*exp(-2)", "The noise has"),
        ("1/20", ""),
    ],
    "langevin:highest-density": [
        ("L", "Density is one"),
        ("sqrt(2*L)", "The triangle has two"),
        ("1/sqrt(L)", "The steeper"),
        ("sqrt(L/2)", "The triangle has half"),
        ("2*L", ""),
    ],
}

UNDECIDED = {
    "langevin:posterior-variance": ["1/(alpha + beta*sxx)", "1/", "1/(alpha + beta s_xx)", None],
    "langevin:mean-sensitivity": ["mu - mu_hat", "x_n_hat", "beta*x_n*(y_n - y_n_hat)/"],
    "langevin:renyi-sign": [
        renyi_divergence(Normal(NAMES[1], NAMES[3]), Normal(NAMES[2], NAMES[4]), NAMES[0]),
        "log(Integral(exp(-t^2), t, -oo, oo))/(nu - 1)",
        "renyi_divergence(mu_1, mu_2, nu)",
        "D",
        0.5j,
    ],
    "langevin:records-needed": ["1 + 10*nu*x_h^2/x_l^2", "n >> 5", "enough", True],
    "langevin:print-fails": ["nu = 2", "nu > 2", {"nu": 2, "mu": 1}, 5],
    "langevin:divergence-program": [3, "divergence", lambda x: x, renyi_divergence, None],
    "langevin:fresh-noise": [
        "v_0*a^4 + w*(1 + a^2)",
        "Sum(a^(2*i)*w, (i, 0, 1))",
        "a^4/alpha + w(",
    ],
    "langevin:certified-c": ["many", "c > 773", "sqrt(B)"],
    "langevin:cycle-forgets": ["alpha = 1/2", "alpha < 1/2", 5],
    "langevin:gap-program": [3, "distance", lambda n: n, None],
    "langevin:centre-sensitivity": ["cap*x_max^2/V", "q_V/z_V", None],
    "langevin:null-and-delta": ["1/7", "delta < epsilon", None],
    "langevin:audit-draws": ["many", "N > 10^11", None],
    "langevin:close-enough": ["1 - 2^(-1/d)*lambda", "epsilon", None],
    "langevin:finite-orders": ["4/3", "nu", True],
    "langevin:long-run": ["w/(1 - a^2", "v", "Sum(a^(2*i)*w, (i, 0, oo))"],
    "langevin:epochs-to-forget": ["many", "x_h^2*beta*log(100)"],
    "langevin:null-though-enough": ["delta", "rare"],
    "langevin:highest-density": ["h", "L < 1"],
}
