"""Exercises of the langevin chapters: what is asked, and how it is decided."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from sympy import Expr, Rational, exp, log, sqrt

from dpbook.engine.compile import compiled
from dpbook.engine.ledger import find
from dpbook.engine.statement import written_out
from dpbook.langevin.claims.appendix_a import printed_divergence
from dpbook.langevin.claims.appendix_c_privacy import tight_limit
from dpbook.langevin.notation import (
    alpha,
    beta,
    delta,
    dimension,
    epoch_spread,
    kept,
    largest_ratio,
    many_records,
    many_records_as_printed,
    mu,
    mu_1,
    mu_2,
    mu_hat,
    n,
    nu,
    number,
    posterior_variance,
    q,
    radius,
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
from dpbook.langevin.theory.chain import exact_law
from dpbook.langevin.theory.loss_floor import loss_floor
from dpbook.langevin.theory.separation import FIGURE_1
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Condition, Formula, Number, Point, Program, Property, Slip

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
    return mu - written_out(mu_hat).xreplace({x_n_hat: x_n})


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
    """The print's first logarithm, with the right factor of the second."""
    return (
        log(sigma_1 / sigma_2)
        + log(sigma_2**2 / shifted_variance) / (2 * (nu - 1))
        + nu * (mu_1 - mu_2) ** 2 / (2 * shifted_variance)
    )


def divergence_with_the_factor() -> Expr:
    """The print's factor of the second logarithm, with the right sign of the first."""
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
            "Test with equal laws, where it is 0, and with equal means, where it is positive.",
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
            Slip(divergence_with_the_sign, "Which law is narrower? Look at the first logarithm."),
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

# --- a point ----------------------------------------------------------------------------------------

exercise(
    "langevin:print-fails",
    Point(
        question="Before its eq. 14 the paper prints "
        "log(sigma_1/sigma_2) + (nu - 1)/2*log(sigma_2^2/shifted_variance) "
        "+ nu*(mu_1 - mu_2)^2/(2*shifted_variance) for the Renyi divergence of two normal laws. "
        "Give nu, mu_1, mu_2, sigma_1 and sigma_2 at which that fails.",
        hints=(
            "Equal means leave the two logarithms alone.",
            "A divergence is never negative. Make the first logarithm negative.",
        ),
        claim="langevin:text-a-renyi",
        slips=(
            Slip(
                lambda point: point["sigma_1"] == point["sigma_2"],
                "With equal spreads both logarithms are 0, and the print is right.",
            ),
            Slip(
                lambda point: point["nu"] <= 1,
                "Orders are above 1 here.",
            ),
            Slip(
                lambda point: (
                    point["nu"] * point["sigma_2"] ** 2 + (1 - point["nu"]) * point["sigma_1"] ** 2
                    <= 0
                ),
                "There shifted_variance is not positive: the divergence is infinite.",
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
    """What the paper prints, in floats."""
    shifted = order * other_sd**2 + (1 - order) * sd**2
    return (
        math.log(sd / other_sd)
        + (order - 1) / 2 * math.log(other_sd**2 / shifted)
        + order * (first - second) ** 2 / (2 * shifted)
    )


def _settings() -> Sequence[tuple[float, ...]]:
    """Laws and orders at which the divergence is finite."""
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


def _vanishes_for_equal_laws(answer: Divergence) -> str | None:
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


def _agrees_with_the_claim(answer: Divergence) -> str | None:
    for values in _settings():
        value, right = answer(*values), float(oracle()(*values))
        if not math.isclose(value, right, rel_tol=1e-6, abs_tol=1e-12):
            return f"it is {value:.6g} and not {right:.6g} at {_at(values)}"
    return None


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
        "divergence of the first normal law from the second, and math.inf where it is infinite.",
        hints=(
            "shifted = order*sd_2**2 + (1 - order)*sd_1**2 decides whether it is finite.",
            "Three terms, as in langevin:text-a-renyi-corrected.",
        ),
        parameters=("mean_1", "sd_1", "mean_2", "sd_2", "order"),
        properties=(
            Property("is zero for equal laws", _vanishes_for_equal_laws),
            Property("is never negative", _is_never_negative),
            Property("is positive for laws that differ", _is_positive_for_others),
            Property("grows with the order", _grows_with_the_order),
            Property("agrees with the claim to 6 digits", _agrees_with_the_claim),
            Property(
                "is infinite where the integral diverges", _is_infinite_where_the_integral_diverges
            ),
        ),
        slips=(
            Slip(_is_the_print, "This is the paper's print; look at the two logarithms."),
            Slip(_takes_variances, "sd is a standard deviation, not a variance."),
            Slip(_is_exchanged, "The two laws are exchanged: a divergence is not symmetric."),
        ),
    ),
)

# --- two chains -------------------------------------------------------------------------------------


def variance_of_two_epochs() -> Expr:
    """Variance after two epochs from the prior, each with noise of its own."""
    return number**2 * (number**2 / alpha + epoch_spread) + epoch_spread


exercise(
    "langevin:fresh-noise",
    Formula(
        question="A chain starts with variance 1/alpha. Each epoch multiplies the state by a, with "
        "0 < a < 1, and adds noise of variance w, drawn anew. What is the variance after two "
        "epochs?",
        hints=(
            "A factor a on the state is a factor a^2 on its variance.",
            "The noise of the first epoch is there when the second one multiplies.",
        ),
        solution=variance_of_two_epochs,
        symbols=lambda: [alpha, number, epoch_spread],
        slips=(
            Slip(
                "a^4/alpha + w*(1 + a)^2",
                "That is the noise of one epoch used in both, as lemma A.1 is printed.",
            ),
            Slip("a^2/alpha + w*(1 + a)", "A factor on the state enters the variance squared."),
            Slip("a^4/alpha + 2*w", "The second epoch shrinks the noise of the first."),
            Slip("w*(1 + a^2)", "Where is what two epochs leave of the start?"),
        ),
    ),
)


def smallest_factor(squared_gap: Expr) -> Expr:
    """By what c must grow, at Figure 1, for a squared gap in variances, by eq. 15."""
    return sqrt(squared_gap / Rational(loss_floor(**FIGURE_1, delta=0.01).ratio))


exercise(
    "langevin:certified-c",
    Number(
        question="At the setting of Figure 1, and delta = 0.01, eq. 16 gives a negative epsilon. By "
        "which factor must c grow, all else unchanged, for it to give 1.6? (within 0.1 %)",
        hints=(
            "Which squared gap B must eq. 15 promise? Solve B/2 + log(1/2 - delta) = 1.6.",
            "loss_floor(**FIGURE_1, delta=0.01).ratio is what it promises; it grows with c^2.",
        ),
        solution=lambda: smallest_factor(2 * (Rational(8, 5) - log(Rational(49, 100)))),
        relative=Rational(1, 1000),
        slips=(
            Slip(
                lambda: smallest_factor(2 * (Rational(8, 5) - log(Rational(49, 100)))) ** 2,
                "B grows with the square of c.",
            ),
            Slip(
                lambda: smallest_factor(Rational(8, 5) - log(Rational(49, 100))),
                "In eq. 16 stands half of B.",
            ),
            Slip(
                lambda: smallest_factor(Rational(16, 5)),
                "The logarithm takes its share: it is negative, and does not shrink.",
            ),
            Slip(
                lambda: smallest_factor(2 * (Rational(8, 5) + log(Rational(49, 100)))),
                "log(1/2 - delta) is negative: B has to make up for it.",
            ),
        ),
    ),
)

exercise(
    "langevin:cycle-forgets",
    Point(
        question="Claim D.19 says that n ordinary steps multiply a variance by at least "
        "exp(-2/(x_h^2*beta)): (1 - 1/(alpha + n*x_h^2*beta))^(2*n) >= exp(-2/(x_h^2*beta)), where "
        "x_h^2*beta > 3 and n > 1/(2*alpha*x_h^2*beta) - 1/(x_h^2*beta), n >= 2 an integer. Give "
        "alpha, beta, n and x_h at which it fails.",
        hints=(
            "For many records the left side tends to the right one. From above, or from below?",
            "Its logarithm is -2/(x_h^2*beta) + (2*alpha - 1)/(x_h^4*beta^2*n), nearly.",
        ),
        claim="langevin:claim-d.19",
        slips=(
            Slip(
                lambda point: point["x_h"] ** 2 * point["beta"] <= 3,
                "The paper assumes x_h^2*beta > 3.",
            ),
            Slip(
                lambda point: (
                    (2 * point["alpha"]) * (1 + point["n"] * point["x_h"] ** 2 * point["beta"]) <= 1
                ),
                "A prior as weak as that needs more records.",
            ),
            Slip(
                lambda point: point["alpha"] > Rational(1, 2),
                "With so strong a prior the left side comes down to its limit.",
            ),
        ),
        time_limit=20.0,
    ),
)

Gap = Callable[..., float]
Chain = tuple[int, float, float, float, float, int, int]
"""Records, alpha, beta, x_h, c, position and epochs."""

MODELS = (
    *((2, 1.0, 4.0, 1.0, 10.0), (3, 0.1, 1.0, 1.8, 5.0), (5, 2.0, 0.5, 3.0, 0.7)),
    (8, 0.5, 3.5, 1.0, 100.0),
)
CHAINS: tuple[Chain, ...] = tuple(
    (*model, position, epochs)
    for model in MODELS
    for position in (1, 2, model[0])
    for epochs in (1, 2, 7)
)


def stepwise_gap(
    chain: Chain, *, response: float = 0.5, covariate: float = 0.5, pace: float = 0.5
) -> float:
    """Distance of the two means, one step after the other; the odd record has shares of the others.

    `pace` is what the learning rate is multiplied by before a slope.
    """
    records, prior, precision, x_h, c, position, epochs = chain
    eta = 2 / (prior + records * x_h**2 * precision) ** 2
    mean = odd_mean = 0.0
    for _ in range(epochs):
        for place in range(1, records + 1):
            x, y = x_h, c * x_h
            mean += pace * eta * (-prior * mean + records * precision * x * (y - x * mean))
            if place == position:
                x, y = covariate * x, response * y
            odd_mean += (
                pace * eta * (-prior * odd_mean + records * precision * x * (y - x * odd_mean))
            )
    return mean - odd_mean


def _of_chain(chain: Chain) -> str:
    names = ("n", "alpha", "beta", "x_h", "c", "position", "epochs")
    return ", ".join(f"{name} = {value:g}" for name, value in zip(names, chain, strict=True))


def _vanishes_at_the_start(answer: Gap) -> str | None:
    for model in MODELS:
        value = answer(*model, 1, 0)
        if not abs(value) <= CLOSE:
            return f"it is {value:.6g} at {_of_chain((*model, 1, 0))}"
    return None


def _is_positive_after_an_epoch(answer: Gap) -> str | None:
    for chain in CHAINS:
        value = answer(*chain)
        if not value > 0:
            return f"it is {value:.6g} at {_of_chain(chain)}"
    return None


def _grows_with_c(answer: Gap) -> str | None:
    for chain in CHAINS:
        value, twice = answer(*chain), answer(*chain[:4], 2 * chain[4], *chain[5:])
        if not math.isclose(twice, 2 * value, rel_tol=1e-6):
            return f"it is {value:.6g} at {_of_chain(chain)}, and {twice:.6g} at twice that c"
    return None


def _is_the_exact_gap(answer: Gap) -> str | None:
    for chain in CHAINS:
        records, prior, precision, x, c, position, epochs = chain
        law = exact_law(records, prior, precision, x, c, epochs * records, position)
        value = answer(*chain)
        if not math.isclose(value, law.gap, rel_tol=1e-6):
            return f"it is {value:.6g} and not {law.gap:.6g} at {_of_chain(chain)}"
    return None


def _agrees(mistaken: Callable[[Chain], float]) -> Callable[[Gap], bool]:
    def same(answer: Gap) -> bool:
        return all(math.isclose(answer(*one), mistaken(one), rel_tol=1e-6) for one in CHAINS)

    return same


exercise(
    "langevin:gap-program",
    Program(
        question="Write a function of n, alpha, beta, x_h, c, position and epochs that returns how "
        "far the mean of the chain on the plain data is above that on the odd data, after so many "
        "whole epochs. Both start at mean 0; the odd record is at `position`, 1 to n, of each epoch.",
        hints=(
            "Noise has mean 0: the means take the steps that the states take, without it.",
            "The mean moves by eta/2*(-alpha*mean + n*beta*x*(y - x*mean)).",
            "The odd record is (x_h/2, c*x_h/2): covariate and response are halved.",
        ),
        parameters=("n", "alpha", "beta", "x_h", "c", "position", "epochs"),
        properties=(
            Property("is zero at the start", _vanishes_at_the_start),
            Property("is positive after an epoch", _is_positive_after_an_epoch),
            Property("doubles with c", _grows_with_c),
            Property("agrees with the exact law to 6 digits", _is_the_exact_gap),
        ),
        slips=(
            Slip(
                _agrees(lambda one: stepwise_gap(one, response=1.0)),
                "The odd record's response is halved as well.",
            ),
            Slip(
                _agrees(lambda one: stepwise_gap(one, response=0.0, covariate=0.0)),
                "The odd record is halved, not gone.",
            ),
            Slip(
                _agrees(lambda one: stepwise_gap(one, pace=1.0)),
                "A slope is multiplied by eta/2, not eta.",
            ),
            Slip(_agrees(lambda one: -stepwise_gap(one)), "The plain mean is the higher one."),
            Slip(
                _agrees(lambda one: stepwise_gap((*one[:5], 1, one[6]))),
                "The odd record is not always the first of an epoch.",
            ),
        ),
    ),
)

# --- propose, test, sample --------------------------------------------------------------------------

exercise(
    "langevin:centre-sensitivity",
    Formula(
        question="V holds V >= 2 records with covariates from x_l to x_h and ratios y/x from 0 to "
        "cap. Its centre is the sum of x*y over the sum of x^2. One record is replaced by another "
        "one of this kind. By how much can the centre change, at most?",
        hints=(
            "The centre is an average of the ratios, weighted by x^2. Which weight can one have?",
            "Let all others have ratio 0, and the one go from ratio cap to ratio 0.",
            "A weight is largest for the largest covariate among the smallest ones.",
        ),
        solution=tight_limit,
        symbols=lambda: [largest_ratio, kept, x_l, x_h],
        slips=(
            Slip(
                "cap*(2*(V - 1)*x_h^2*x_l^2 + x_h^4)/(V*(V - 1)*x_l^4)",
                "This is the paper's bound, at |V| in the place of n_2. No record moves it so far.",
            ),
            Slip("cap*x_h^2/((V - 1)*x_l^2)", "The record counts in the sum of squares too."),
            Slip("cap*x_h^2/(V*x_l^2)", "The record counts in the sum with its own square."),
            Slip("cap/V", "The others may have smaller covariates, and then weigh less."),
            Slip(
                "cap*x_l^2/((V - 1)*x_h^2 + x_l^2)", "Which covariates give one record most weight?"
            ),
        ),
    ),
)

exercise(
    "langevin:null-and-delta",
    Condition(
        question="On D_3 a draw is released with probability 1 - 5*delta at least. A draw that is "
        "released there is in S with probability 1/2; on D_4 it is in S with a probability as "
        "small as one likes. For which delta is that enough to break (epsilon, delta)-privacy, "
        "whatever epsilon is?",
        hints=(
            "The output is in S on D_3 with the probability that it is released and in S.",
            "Nulls are not all taken from S: the draw would have been in S half of the time.",
        ),
        solution=lambda: (1 - 5 * delta) / 2 > delta,
        symbols=lambda: [delta],
        slips=(
            Slip(
                "delta < 1/12",
                "That is as far as the paper's proof goes: it takes the 5*delta off 1/2.",
            ),
            Slip("delta < 1/6", "This is what the claim says; do 5*delta of nulls allow it?"),
            Slip("delta <= 1/7", "At its end nothing is left for epsilon to multiply."),
            Slip("delta < 1/5", "Then something is released; is it in S often enough?"),
            Slip("delta < 1/2", "Where all is released; but here 5*delta of it is null."),
        ),
    ),
)


def draws_needed(share: Expr, miss: Expr, loss: int = 25) -> Expr:
    """Draws without the event that bound its probability p by share * exp(-loss).

    With log(1 - p) = -p, which is right to 10 digits for so small a p.
    """
    return log(1 / miss) * exp(loss) / share


exercise(
    "langevin:audit-draws",
    Number(
        question="On D_3 an event has probability 1/2. In N draws on D_4 it does not occur at all, "
        "so that its probability there is at most p, with (1 - p)^N = 1/100, at confidence 99 %. "
        "Which N shows that epsilon is 25 at least, at delta = 1/10? (within 1 %)",
        hints=(
            "Privacy would have 1/2 <= exp(epsilon)*p + delta.",
            "So p has to be 0.4*exp(-25) or less. Now solve for N, or use log(1 - p) = -p.",
        ),
        solution=lambda: draws_needed(Rational(2, 5), Rational(1, 100)),
        relative=Rational(1, 100),
        slips=(
            Slip(
                lambda: draws_needed(Rational(1, 2), Rational(1, 100)),
                "delta explains a part of the 1/2 before epsilon explains any.",
            ),
            Slip(lambda: exp(25), "How sure is that? The event may be rarer than 1/N."),
            Slip(
                lambda: Rational(5, 2) * exp(25),
                "That many draws hold the event once in the mean; they may well miss it.",
            ),
            Slip(
                lambda: draws_needed(Rational(2, 5), Rational(1, 20)),
                "The confidence is 99 %, not 95 %.",
            ),
            Slip(
                lambda: draws_needed(Rational(2, 5), Rational(1, 100), 5),
                "Claim 4.1 promises 5*epsilon: here all of it is to be shown, 25.",
            ),
        ),
    ),
)

exercise(
    "langevin:close-enough",
    Formula(
        question="Theorem 2 multiplies the average of q over a ball of radius lambda_ball in "
        "dimension d by the ratio of two volumes, (lambda_ball/(lambda_ball - epsilon))^d. Up to "
        "which epsilon is that at most 2?",
        hints=(
            "Set the ratio to 2, and take the d-th root on both sides.",
            "lambda_ball - epsilon is lambda_ball/2^(1/d).",
        ),
        solution=lambda: radius * (1 - 2 ** (-1 / dimension)),
        symbols=lambda: [radius, dimension],
        slips=(
            Slip(
                "lambda_ball*(2^(1/d) - 1)",
                "That is epsilon in parts of the smaller radius, lambda_ball - epsilon.",
            ),
            Slip("lambda_ball/2", "That is so on the line; and in dimension d?"),
            Slip("lambda_ball*(1 - 2^(-d))", "A root was to be taken, not a power."),
            Slip("lambda_ball*2^(-1/d)", "This is the smaller radius, lambda_ball - epsilon."),
            Slip(
                "lambda_ball^2*(1 - 2^(-1/d))^2",
                "This is the distance that the laws may have; epsilon is its root.",
            ),
        ),
    ),
)
