"""The exercises of the langevin chapters: right, wrong and mistaken answers, and what is none."""

import math

import sympy
from scipy.integrate import quad

from dpbook.langevin.notation import alpha, beta, square_sum
from dpbook.privacy.divergences import renyi_divergence
from dpbook.privacy.laws import Normal

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
        (DIVERGENCE.replace("sigma_2/sigma_1", "sigma_1/sigma_2"), "Which law is narrower"),
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
        (lambda a, s, b, t, order: divergence(b, t, a, s, order), "The two laws are exchanged"),
        (without_infinity, ""),
        (lambda a, s, b, t, order: 0, ""),
        (lambda a, s, b, t, order: None, ""),
        (lambda a, s, b, t, order: divergence(a, s, b, t, max(order, 2)), ""),
        (lambda a, s, b, t, order: divergence(a, s, b, t, order) + 1e-4 * (a != b), ""),
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
}
