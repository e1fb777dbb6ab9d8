"""Appendix A: the divergence between two posteriors, and the law of the chain."""

from sympy import Eq, Expr, Ge, Integral, Le, Rational, Sum, exp, log, oo, sqrt

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every
from dpbook.langevin.notation import (
    alpha,
    beta,
    c,
    cross_sum,
    gamma_1,
    i,
    larger_base,
    mu,
    mu_1,
    mu_2,
    mu_hat,
    n,
    nu,
    positive_responses,
    prior_mean,
    prior_variance,
    q,
    response_sum,
    shifted_variance,
    sigma,
    sigma_1,
    sigma_2,
    sigma_hat,
    square_sum,
    starred_variance,
    strong_data,
    theta,
    variance_hat,
    x_h,
    x_l,
    x_n,
    x_n_hat,
    y_n,
    y_n_hat,
    z,
)
from dpbook.privacy.any_laws import AnyScore
from dpbook.privacy.divergences import renyi_divergence
from dpbook.privacy.laws import Normal

# --- A.1 posterior sampling -----------------------------------------------------------------------


def bayes(mean, precision, squares, products, responses):
    """Density at theta by Bayes's rule, from the prior and the sums over the records."""
    misfit = responses - 2 * theta * products + theta**2 * squares
    joint = exp(-precision * (theta - mean) ** 2 / 2 - beta * misfit / 2)
    return joint / Integral(joint, (theta, -oo, oo))


def slope_posterior():
    """Bayes's rule against the normal law of eq. 11, for one covariate."""
    spread = 1 / (1 / prior_variance + beta * square_sum)
    mean = spread * (prior_mean / prior_variance + beta * cross_sum)
    return Eq(
        bayes(prior_mean, 1 / prior_variance, square_sum, cross_sum, response_sum),
        Normal(mean, sqrt(spread)).density(theta),
    )


@claim("eq-11", place="eq. 11", scope="one covariate, phi(x) = x (note-eq-11)")
def posterior_of_weights():
    """Posterior of a linear model under a normal prior."""
    return slope_posterior()


@claim("note-eq-11", place="eq. 11 for one covariate, phi(x) = x")
def posterior_of_a_slope():
    """Posterior of a slope under a normal prior."""
    return slope_posterior()


X, Y = AnyScore("x", n - 1), AnyScore("y", n - 1)
SQUARES, PRODUCTS = Sum(X(i) ** 2, (i, 1, n - 1)), Sum(Y(i) * X(i), (i, 1, n - 1))


SMALL_DOMAIN = {n: 2, x_l: 1, x_h: 2, c: 1, gamma_1: Rational(1, 4)}
"""Domain in which small integers are records."""


def of_every_record(*bounds):
    """That bounds hold of each of the common records."""
    return [Every(i, bound, [Ge(i, 1), Le(i, n - 1)]) for bound in bounds]


def records_in_the_domain():
    """That the common records are in the domain of eq. 5."""
    low, high = (c - n**gamma_1) * X(i), (c + n**gamma_1) * X(i)
    return of_every_record(Le(x_l, X(i)), Le(X(i), x_h), Le(low, Y(i)), Le(Y(i), high))


@claim(
    "note-eq-12",
    place="eq. 12, at each of the records",
    given=records_in_the_domain,
    try_at=[SMALL_DOMAIN],
)
def bounds_of_each_record():
    """Square and product of a record in the domain of eq. 5."""
    square, radius = X(i) ** 2, n**gamma_1
    return of_every_record(
        Le(x_l**2, square),
        Le(square, x_h**2),
        Le((c - radius) * square, Y(i) * X(i)),
        Le(Y(i) * X(i), (c + radius) * square),
    )


@claim("note-eq-12-sum", place="eq. 12, for any number")
def sum_of_one_number():
    """Sum of one number over the common records."""
    return Eq(Sum(larger_base, (i, 1, n - 1)), (n - 1) * larger_base)


@claim(
    "eq-12",
    place="eq. 12: what the domain of eq. 5 leaves to z and q, the ranges that the notation gives them; any "
    "n - 1 common records",
    given=records_in_the_domain,
    using=[
        "note-eq-12",
        ("note-eq-12-sum", lambda: {larger_base: x_l**2}),
        ("note-eq-12-sum", lambda: {larger_base: x_h**2}),
    ],
    proof=lambda: [
        step("squares", Le(Sum(x_l**2, (i, 1, n - 1)), SQUARES)),
        step("squares from above", Le(SQUARES, Sum(x_h**2, (i, 1, n - 1)))),
    ],
    try_at=[SMALL_DOMAIN],
)
def common_records():
    """Sums over the common records of two neighbours."""
    radius = n**gamma_1
    return [
        Le((n - 1) * x_l**2, SQUARES),
        Le(SQUARES, (n - 1) * x_h**2),
        Le((c - radius) * SQUARES, PRODUCTS),
        Le(PRODUCTS, (c + radius) * SQUARES),
    ]


@claim("eq-13", place="eq. 13")
def posteriors_of_neighbours():
    """Posteriors of two neighbours, by the sums over their common records."""
    ours = bayes(0, alpha, z + x_n**2, q + x_n * y_n, response_sum)
    theirs = bayes(0, alpha, z + x_n_hat**2, q + x_n_hat * y_n_hat, response_sum)
    return [
        Eq(ours, Normal(mu, sigma).density(theta)),
        Eq(theirs, Normal(mu_hat, sigma_hat).density(theta)),
    ]


def printed_divergence() -> Expr:
    """What the paper prints for the divergence of two Normals."""
    return (
        log(sigma_1 / sigma_2)
        + (nu - 1) / 2 * log(sigma_2**2 / shifted_variance)
        + nu * (mu_1 - mu_2) ** 2 / (2 * shifted_variance)
    )


@claim(
    "text-a-renyi",
    place="Appendix A, before eq. 14",
    given=[shifted_variance > 0],
    fault="error",
    effect="The printed factor returns in lemma 4.2, claim D.27 and claim D.29. The second term of "
    "lemma 4.2 is larger than needed for it; theorem 1 does not depend on it.",
)
def divergence_of_normals_as_printed():
    """Renyi divergence of two Normals, as printed."""
    return Eq(
        renyi_divergence(Normal(mu_1, sigma_1), Normal(mu_2, sigma_2), nu), printed_divergence()
    )


@claim(
    "text-a-renyi-corrected",
    place="Appendix A, before eq. 14, repaired",
    corrects=["text-a-renyi"],
    why="The first logarithm of the print has the wrong sign, the second the wrong factor.",
    given=[shifted_variance > 0],
    using=["privacy:renyi-normal"],
)
def divergence_of_normals():
    """Renyi divergence of two Normals, repaired."""
    return Eq(
        renyi_divergence(Normal(mu_1, sigma_1), Normal(mu_2, sigma_2), nu),
        log(sigma_2 / sigma_1)
        + log(sigma_2**2 / shifted_variance) / (2 * (nu - 1))
        + nu * (mu_1 - mu_2) ** 2 / (2 * shifted_variance),
    )


@claim(
    "eq-14",
    place="eq. 14",
    given=[starred_variance > 0, strong_data, *positive_responses],
    cites=["text-a-renyi"],
    fault="error",
    effect="As for the divergence before eq. 14: the bounds on its terms survive for the repair, "
    "with a better second term.",
)
def divergence_of_posteriors_as_printed():
    """Renyi divergence of two posteriors, as printed."""
    return Eq(
        renyi_divergence(Normal(mu, sigma), Normal(mu_hat, sigma_hat), nu),
        log(sigma / sigma_hat)
        + (nu - 1) / 2 * log(sigma_hat**2 / starred_variance)
        + nu * (mu - mu_hat) ** 2 / (2 * starred_variance),
    )


@claim(
    "eq-14-corrected",
    place="eq. 14, repaired",
    corrects=["eq-14"],
    why="The first logarithm has the wrong sign. The second is multiplied by (nu - 1)/2, where it "
    "has to be divided by 2 (nu - 1).",
    given=[starred_variance > 0],
    using=["note-common-sum", "privacy:renyi-normal"],
)
def divergence_of_posteriors():
    """Renyi divergence of two posteriors, repaired."""
    return Eq(
        renyi_divergence(Normal(mu, sigma), Normal(mu_hat, sigma_hat), nu),
        log(sigma_hat / sigma)
        + log(variance_hat / starred_variance) / (2 * (nu - 1))
        + nu * (mu - mu_hat) ** 2 / (2 * starred_variance),
    )
