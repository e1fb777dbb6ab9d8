"""State the exercises of chapter 03, on posterior draws, with the way each is decided."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from sympy import Expr, Lt, Rational, log

from dpbook.engine.claims.catalog import find
from dpbook.engine.evaluate.public import compiled
from dpbook.engine.language.statement import unfold_definitions
from dpbook.langevin.claims.appendix_a import printed_divergence
from dpbook.langevin.notation import (
    alpha,
    beta,
    many_records,
    many_records_as_printed,
    mu,
    mu_1,
    mu_2,
    mu_hat,
    n,
    nu,
    posterior_variance,
    q,
    shifted_variance,
    sigma_1,
    sigma_2,
    square_sum,
    x_h,
    x_l,
    x_n,
    x_n_hat,
    y_n,
    y_n_hat,
    z,
)
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Agreement, Condition, Formula, Point, Program, Property, Slip

Divergence = Callable[[float, float, float, float, float], float]

# --- formulas and conditions ------------------------------------------------------------------------

exercise(
    "langevin:posterior-variance",
    Formula(
        question="The slope theta has the prior Normal(0, 1/sqrt(alpha)), a record is "
        "y = theta*x + noise of precision beta, and s_xx is the sum of x^2 over the records. "
        "What is the variance of theta's posterior?",
        hints=(
            "Collect what multiplies theta^2 in the logarithm of prior times likelihood.",
            "Precisions add: that of the prior, and one for each record.",
        ),
        solution=lambda: posterior_variance,
        symbols=lambda: [alpha, beta, square_sum],
        slips=(
            Slip("alpha + beta*s_xx", "This is the precision; the variance is one over it."),
            Slip("1/sqrt(alpha + beta*s_xx)", "This is the standard deviation."),
            Slip("1/(alpha + s_xx)", "A record of noise precision beta weighs beta times x^2."),
            Slip(
                "1/alpha + 1/(beta*s_xx)",
                "Precisions add, not variances.",
                given=lambda: [square_sum > 0],
            ),
        ),
    ),
)


def gap_of_responses() -> Expr:
    """Posterior means of two datasets that differ in one response only, subtracted."""
    return mu - unfold_definitions(mu_hat).xreplace({x_n_hat: x_n})


exercise(
    "langevin:mean-sensitivity",
    Formula(
        question="Two datasets differ in their last response only: y_n in one, y_n_hat in the "
        "other, both at the covariate x_n. The other records have sum of squares z and sum of "
        "products q. By how much do the two posterior means differ? (the first minus the second)",
        hints=(
            "Both means are a sum of products over one and the same denominator.",
            "Subtract the numerators: what the datasets share drops out.",
        ),
        solution=gap_of_responses,
        symbols=lambda: [alpha, beta, x_n, y_n, y_n_hat, z, q],
        slips=(
            Slip(
                "beta*x_n*(y_n - y_n_hat)/(alpha + beta*z)",
                "The last record counts in the denominator too: the datasets have n records.",
            ),
            Slip("x_n*(y_n - y_n_hat)/(alpha + beta*(z + x_n^2))", "Where is the beta on top?"),
            Slip(
                "beta*x_n*(y_n_hat - y_n)/(alpha + beta*(z + x_n^2))",
                "The first minus the second was asked for.",
            ),
            Slip(
                "beta*(y_n - y_n_hat)/(alpha + beta*(z + x_n^2))",
                "A response enters the mean times its covariate.",
            ),
        ),
    ),
)


def divergence_with_the_sign() -> Expr:
    """Return the paper's first logarithm, with the right factor of the second."""
    return (
        log(sigma_1 / sigma_2)
        + log(sigma_2**2 / shifted_variance) / (2 * (nu - 1))
        + nu * (mu_1 - mu_2) ** 2 / (2 * shifted_variance)
    )


def divergence_with_the_factor() -> Expr:
    """Return the paper's factor of the second logarithm, with the right sign of the first."""
    return (
        log(sigma_2 / sigma_1)
        + (nu - 1) / 2 * log(sigma_2**2 / shifted_variance)
        + nu * (mu_1 - mu_2) ** 2 / (2 * shifted_variance)
    )


exercise(
    "langevin:renyi-sign",
    Formula(
        question="What is the Renyi divergence of order nu of Normal(mu_1, sigma_1) from "
        "Normal(mu_2, sigma_2)? You may write shifted_variance for "
        "nu*sigma_2^2 + (1 - nu)*sigma_1^2, which is positive here.",
        hints=(
            "It is log(integral of f_1^nu * f_2^(1 - nu)) / (nu - 1): complete the square.",
            "The constants before the exponentials give "
            "sigma_2^(nu - 1) / sigma_1^nu; the square gives sigma_1*sigma_2/sqrt(shifted_variance).",
            "Test with equal distributions, where it is 0, and with equal means, where it is positive.",
        ),
        solution=lambda: find("privacy:renyi-normal").rhs,
        symbols=lambda: [mu_1, mu_2, nu, sigma_1, sigma_2, shifted_variance],
        given=lambda: [shifted_variance > 0],
        slips=(
            Slip(
                printed_divergence,
                "This is the paper's print: the first logarithm has the wrong sign, "
                "the second the wrong factor.",
            ),
            Slip(
                divergence_with_the_sign,
                "Which distribution is narrower? Look at the first logarithm.",
            ),
            Slip(
                divergence_with_the_factor,
                "The definition divides by nu - 1: so does the second logarithm's factor.",
            ),
            Slip(
                "nu*(mu_1 - mu_2)^2/(2*shifted_variance)",
                "That is all only if the spreads are equal; here they need not be.",
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "langevin:records-needed",
    Condition(
        question="Lemma 4.2 wants a tenth of the data's precision, at the least "
        "beta*(n - 1)*x_l^2/10, to exceed nu*beta*x_h^2, the most that one record can change it. "
        "Which condition on n is that?",
        hints=(
            "Both sides hold the noise precision beta.",
            "Divide by beta*x_l^2/10, which is positive, and add 1.",
        ),
        solution=lambda: many_records,
        symbols=lambda: [n, nu, x_h, x_l, beta],
        slips=(
            Slip(
                lambda: many_records_as_printed,
                "This is the paper's print. beta stands on both sides, so it cancels.",
            ),
            Slip("n > 1 + 10*nu*x_h^2/(x_l^2*beta)", "beta stands on both sides, so it cancels."),
            Slip("n > 10*nu*x_h^2/x_l^2", "It is n - 1 records that the two datasets share."),
            Slip("n >= 1 + 10*nu*x_h^2/x_l^2", "Exceed means more than; what if it is equal?"),
            Slip("n > 1 + nu*x_h^2/x_l^2", "A tenth of the precision is to exceed it."),
        ),
    ),
)

exercise(
    "langevin:finite-orders",
    Condition(
        question="Two normal distributions have mean 0; the first has standard deviation 2, the second 1. For "
        "which orders nu above 1 is the Renyi divergence of the first from the second finite?",
        hints=(
            "The integrand is p^nu*q^(1 - nu). Add up its exponents: what stands before t^2?",
            "It is -(nu/8 + (1 - nu)/2), and has to be negative.",
        ),
        solution=lambda: [Lt(nu, Rational(4, 3))],
        symbols=lambda: [nu],
        slips=(
            Slip(
                "nu > 4/3", "A larger order weighs the wide tails of the first distribution more."
            ),
            Slip("nu <= 4/3", "At 4/3 the integrand is a constant."),
            Slip("nu < 2", "The variances count, 4 and 1, not the standard deviations."),
            Slip("nu < 4", "The second density has the power 1 - nu, which counts as well."),
        ),
    ),
)

# --- a point ----------------------------------------------------------------------------------------

exercise(
    "langevin:print-fails",
    Point(
        question="Before its eq. 14 the paper prints "
        "log(sigma_1/sigma_2) + (nu - 1)/2*log(sigma_2^2/shifted_variance) "
        "+ nu*(mu_1 - mu_2)^2/(2*shifted_variance) for the Renyi divergence of two normal distributions. "
        "Give nu, mu_1, mu_2, sigma_1 and sigma_2 at which that fails.",
        hints=(
            "Equal means leave the two logarithms alone.",
            "A divergence is never negative. Make the first logarithm negative.",
        ),
        claim="langevin:text-a-renyi",
        values=("nu", ("3/2", "2", "3", "5", "6")),
        slips=(
            Slip(
                lambda point: point["sigma_1"] == point["sigma_2"],
                "With equal spreads both logarithms are 0, and the print is right.",
            ),
            Slip(lambda point: point["nu"] <= 1, "Orders are above 1 here.", outside=True),
            Slip(
                lambda point: (
                    point["nu"] * point["sigma_2"] ** 2 + (1 - point["nu"]) * point["sigma_1"] ** 2
                    <= 0
                ),
                "There shifted_variance is not positive: the divergence is infinite.",
                outside=True,
            ),
        ),
        time_limit=20.0,
    ),
)

# --- a function -------------------------------------------------------------------------------------

PAIRS = (
    *((0.0, 1.0, 0.0, 2.0), (1.0, 0.5, -1.0, 0.75), (0.3, 1.0, 0.3, 1.001)),
    *((5.0, 2.0, 4.0, 2.0), (-2.0, 1.2, 1.0, 1.1)),
)
ORDERS = (1.25, 2.0, 3.5, 6.0)
CLOSE = 1e-9


@lru_cache(maxsize=1)
def oracle() -> Callable[..., Any]:
    """The right side of privacy:renyi-normal to 50 digits."""
    symbols = {free.name: free for free in find("privacy:renyi-normal").rhs.free_symbols}
    names = ("mu_1", "sigma_1", "mu_2", "sigma_2", "nu")
    return compiled(find("privacy:renyi-normal").rhs, *(symbols[name] for name in names))


def printed(first: float, sd: float, second: float, other_sd: float, order: float) -> float:
    """Return the bound of the paper, in floats."""
    shifted = order * other_sd**2 + (1 - order) * sd**2
    return (
        math.log(sd / other_sd)
        + (order - 1) / 2 * math.log(other_sd**2 / shifted)
        + order * (first - second) ** 2 / (2 * shifted)
    )


def _settings() -> Sequence[tuple[float, ...]]:
    """Distributions and orders at which the divergence is finite."""
    return [(*pair, order) for pair in PAIRS for order in ORDERS if _shifted(*pair, order) > 0]


def _shifted(first: float, sd: float, second: float, other_sd: float, order: float) -> float:
    return order * other_sd**2 + (1 - order) * sd**2


def _at(values: Sequence[float]) -> str:
    names = ("mean_1", "sd_1", "mean_2", "sd_2", "order")
    return ", ".join(f"{name} = {value:g}" for name, value in zip(names, values, strict=True))


def _is_never_negative(answer: Divergence) -> str | None:
    for values in _settings():
        value = answer(*values)
        if not value >= -CLOSE:
            return f"it is {value:.6g} at {_at(values)}"
    return None


def _vanishes_for_equal_distributions(answer: Divergence) -> str | None:
    for mean, sd, *_ in PAIRS:
        for order in ORDERS:
            value = answer(mean, sd, mean, sd, order)
            if not abs(value) <= CLOSE:
                return f"it is {value:.6g} at {_at((mean, sd, mean, sd, order))}"
    return None


def _is_positive_for_others(answer: Divergence) -> str | None:
    for values in _settings():
        value = answer(*values)
        if not value > 0:
            return f"it is {value:.6g} at {_at(values)}"
    return None


def _grows_with_the_order(answer: Divergence) -> str | None:
    for pair in PAIRS:
        before = 0.0
        for order in ORDERS:
            if _shifted(*pair, order) <= 0:
                break
            value = answer(*pair, order)
            if not value >= before * (1 - CLOSE):
                return f"it falls from {before:.6g} to {value:.6g} at {_at((*pair, order))}"
            before = value
    return None


def right_divergence(
    first: float, sd: float, second: float, other_sd: float, order: float
) -> float:
    """Return the divergence, as the claim has it; infinite where the integral diverges."""
    if _shifted(first, sd, second, other_sd, order) <= 0:
        return math.inf
    return float(oracle()(first, sd, second, other_sd, order))


def drawn_distributions(rng: random.Random) -> tuple[float, ...]:
    """Draw two normal distributions and an order, on either side of where it diverges, not close."""
    while True:
        other_sd = math.exp(rng.uniform(math.log(1e-5), math.log(1e3)))
        sd = other_sd * math.exp(rng.uniform(-3, 1.2))
        order = 1 + math.exp(rng.uniform(math.log(0.05), math.log(500)))
        second = rng.uniform(-10, 10) * other_sd
        first = second + math.exp(rng.uniform(math.log(0.1), math.log(300))) * other_sd
        # where the two terms nearly cancel, floats do not have six digits of it
        if abs(_shifted(first, sd, second, other_sd, order)) > 1e-3 * order * other_sd**2:
            return first, sd, second, other_sd, order


def _is_infinite_where_the_integral_diverges(answer: Divergence) -> str | None:
    for values in ((0.0, 2.0, 0.0, 1.0, 2.0), (1.0, 3.0, 0.0, 1.0, 1.5)):
        value = answer(*values)
        if value != math.inf:
            return f"it is {value:.6g} at {_at(values)}; give math.inf"
    return None


def _takes_variances(answer: Divergence) -> bool:
    return all(
        math.isclose(answer(a, s**2, b, t**2, order), float(oracle()(a, s, b, t, order)))
        for a, s, b, t, order in _settings()
    )


def _is_the_print(answer: Divergence) -> bool:
    return all(math.isclose(answer(*values), printed(*values)) for values in _settings())


def _is_exchanged(answer: Divergence) -> bool:
    settings = [(b, t, a, s, order) for a, s, b, t, order in _settings()]
    finite = [values for values in settings if _shifted(*values) > 0]
    exchanged = [(b, t, a, s, order) for a, s, b, t, order in finite]
    return all(
        math.isclose(answer(*there), float(oracle()(*here)))
        for here, there in zip(finite, exchanged, strict=True)
    )


exercise(
    "langevin:divergence-program",
    Program(
        question="Write a function of mean_1, sd_1, mean_2, sd_2 and order that returns the Renyi "
        "divergence of the first normal distribution from the second, and math.inf where it is infinite.",
        hints=(
            "shifted = order*sd_2**2 + (1 - order)*sd_1**2 decides whether it is finite.",
            "Three terms, as in langevin:text-a-renyi-corrected.",
        ),
        parameters=("mean_1", "sd_1", "mean_2", "sd_2", "order"),
        properties=(
            Property("is zero for equal distributions", _vanishes_for_equal_distributions),
            Property("is never negative", _is_never_negative),
            Property("is positive for distributions that differ", _is_positive_for_others),
            Property("grows with the order", _grows_with_the_order),
            Property(
                "is infinite where the integral diverges", _is_infinite_where_the_integral_diverges
            ),
        ),
        agrees=Agreement(
            reference=right_divergence,
            # where the shifted variance is exactly 0, and on both sides; far means, a large order
            edges=(
                *((0.0, 3.0, 0.0, 1.0, 1.125), (2.0, 5.0, -1.0, 3.0, 1.5625)),
                *((0.0, 3.0, 0.0, 1.0, 1.1), (0.0, 3.0, 0.0, 1.0, 1.15)),
                *((200.0, 1.0, -150.0, 2.0, 2.0), (0.5, 1.0, 0.0, 1.0, 400.0)),
                *((0.0, 1e-5, 1e-5, 2e-5, 2.0), (0.7, 1.3, -0.4, 1.9, 2.75)),
                (-9e6, 2e6, 0.0, 4e6, 2e6),
            ),
            draw=drawn_distributions,
        ),
        points=3,
        slips=(
            Slip(_is_the_print, "This is the paper's print; look at the two logarithms."),
            Slip(_takes_variances, "sd is a standard deviation, not a variance."),
            Slip(
                _is_exchanged, "The two distributions are exchanged: a divergence is not symmetric."
            ),
        ),
    ),
)
