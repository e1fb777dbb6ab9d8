"""Renyi, Kullback-Leibler and Hellinger in closed form for pairs of distributions of one family."""

from sympy import Add, Eq, Ge, Gt, Integral, Le, Ne, Rational, beta, digamma, exp, gamma, log, sqrt

from dpbook import claim, step
from dpbook.privacy.claims.sources import GIL, HERE, MIRONOV
from dpbook.privacy.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Dirichlet,
    Exponential,
    Gamma,
    Laplace,
    Normal,
)
from dpbook.privacy.divergences import affinity, kl_divergence, renyi_divergence
from dpbook.privacy.notation import (
    at,
    beta_a,
    beta_b,
    cell_1,
    cell_2,
    cell_3,
    low_order,
    mean_distance,
    mu_1,
    mu_2,
    next_cell,
    nu,
    order,
    other_a,
    other_b,
    other_cell_1,
    other_cell_2,
    other_cell_3,
    other_rate,
    other_scale,
    other_shape,
    p,
    q,
    rate,
    scale,
    shape,
    shifted_variance,
    sigma_1,
    sigma_2,
    trials,
)

CELLS, OTHERS = (cell_1, cell_2, cell_3), (other_cell_1, other_cell_2, other_cell_3)


def between(first, second):
    """Mix two parameters with the weights of an order: the parameter of p^order q^(1-order)."""
    return order * first + (1 - order) * second


def mixed_cells():
    """Mix the parameters of two Dirichlet distributions on three cells."""
    return [between(g, h) for g, h in zip(CELLS, OTHERS, strict=True)]


# --- normal -------------------------------------------------------------------------------------


@claim("renyi-normal", source=GIL, place="univariate Gaussians", given=[shifted_variance > 0])
def renyi_divergence_of_normals():
    """Renyi divergence of two Normals."""
    return Eq(
        renyi_divergence(Normal(mu_1, sigma_1), Normal(mu_2, sigma_2), nu),
        log(sigma_2 / sigma_1)
        + log(sigma_2**2 / shifted_variance) / (2 * (nu - 1))
        + nu * (mu_1 - mu_2) ** 2 / (2 * shifted_variance),
    )


@claim("renyi-normal-low-order", source=GIL, place="univariate Gaussians, order below 1")
def renyi_divergence_of_normals_below_one():
    """Renyi divergence of two Normals, order below 1."""
    variance = low_order * sigma_2**2 + (1 - low_order) * sigma_1**2
    return Eq(
        renyi_divergence(Normal(mu_1, sigma_1), Normal(mu_2, sigma_2), low_order),
        log(sigma_2 / sigma_1)
        + log(sigma_2**2 / variance) / (2 * (low_order - 1))
        + low_order * (mu_1 - mu_2) ** 2 / (2 * variance),
    )


@claim(
    "renyi-normal-finite",
    source=GIL,
    place="univariate Gaussians, condition of finiteness",
    given=[shifted_variance <= 0],
)
def renyi_integrand_of_normals_does_not_decay():
    """Integrand of the Renyi divergence of two Normals where the shifted variance is not positive.

    The product of its values at the two ends of any interval is at least the square of its value in
    the middle: one of them is not below it, and the integral over the line is infinite.
    """

    def integrand(t):
        return Normal(mu_1, sigma_1).density(t) ** nu * Normal(mu_2, sigma_2).density(t) ** (1 - nu)

    return Ge(integrand(at + mean_distance) * integrand(at - mean_distance), integrand(at) ** 2)


@claim("kl-normal", source=GIL, place="univariate Gaussians, order 1")
def kl_divergence_of_normals():
    """Kullback-Leibler divergence of two Normals."""
    return Eq(
        kl_divergence(Normal(mu_1, sigma_1), Normal(mu_2, sigma_2)),
        log(sigma_2 / sigma_1)
        + (sigma_1**2 + (mu_1 - mu_2) ** 2) / (2 * sigma_2**2)
        - Rational(1, 2),
    )


@claim("affinity-normal", source=HERE)
def affinity_of_normals():
    """Hellinger affinity of two Normals."""
    total = sigma_1**2 + sigma_2**2
    return Eq(
        affinity(Normal(mu_1, sigma_1), Normal(mu_2, sigma_2)),
        sqrt(2 * sigma_1 * sigma_2 / total) * exp(-((mu_1 - mu_2) ** 2) / (4 * total)),
    )


# --- Laplace ------------------------------------------------------------------------------------


@claim("renyi-laplace", source=MIRONOV, place="Proposition 6")
def renyi_divergence_of_laplaces():
    """Renyi divergence of two Laplace distributions of one scale."""
    return Eq(
        renyi_divergence(Laplace(0, scale), Laplace(mean_distance, scale), nu),
        log(
            nu / (2 * nu - 1) * exp((nu - 1) * mean_distance / scale)
            + (nu - 1) / (2 * nu - 1) * exp(-nu * mean_distance / scale)
        )
        / (nu - 1),
    )


@claim("kl-laplace", source=GIL, place="Laplace distributions, order 1")
def kl_divergence_of_laplaces():
    """Kullback-Leibler divergence of two Laplace distributions."""
    return Eq(
        kl_divergence(Laplace(0, scale), Laplace(mean_distance, other_scale)),
        log(other_scale / scale)
        - 1
        + (mean_distance + scale * exp(-mean_distance / scale)) / other_scale,
    )


@claim("affinity-laplace", source=HERE)
def affinity_of_laplaces():
    """Hellinger affinity of two Laplace distributions of one scale."""
    return Eq(
        affinity(Laplace(0, scale), Laplace(mean_distance, scale)),
        (1 + mean_distance / (2 * scale)) * exp(-mean_distance / (2 * scale)),
    )


@claim("log-ratio-laplace", source=MIRONOV, place="Table II, pure differential privacy")
def log_ratio_of_laplaces():
    """Logarithm of the ratio of two Laplace densities of one scale."""
    ratio = Laplace(0, scale).density(at) / Laplace(mean_distance, scale).density(at)
    return Le(log(ratio), mean_distance / scale)


# --- gamma and exponential ----------------------------------------------------------------------


@claim(
    "renyi-gamma",
    source=GIL,
    place="gamma distributions",
    given=lambda: [
        Ne(order, 1),
        between(shape, other_shape) > 0,
        between(rate, other_rate) > 0,
    ],
)
def renyi_divergence_of_gammas():
    """Renyi divergence of two gamma distributions."""
    mixed = between(shape, other_shape)
    return Eq(
        renyi_divergence(Gamma(shape, rate), Gamma(other_shape, other_rate), order),
        log(gamma(other_shape) * rate**shape / (gamma(shape) * other_rate**other_shape))
        + log(gamma(mixed) * rate**shape / (gamma(shape) * between(rate, other_rate) ** mixed))
        / (order - 1),
    )


@claim("kl-gamma", source=GIL, place="gamma distributions, order 1")
def kl_divergence_of_gammas():
    """Kullback-Leibler divergence of two gamma distributions."""
    return Eq(
        kl_divergence(Gamma(shape, rate), Gamma(other_shape, other_rate)),
        (shape - other_shape) * digamma(shape)
        + log(gamma(other_shape) / gamma(shape))
        + other_shape * log(rate / other_rate)
        + shape * (other_rate - rate) / rate,
    )


@claim("affinity-gamma", source=HERE)
def affinity_of_gammas():
    """Hellinger affinity of two gamma distributions of one shape."""
    return Eq(
        affinity(Gamma(shape, rate), Gamma(shape, other_rate)),
        (2 * sqrt(rate * other_rate) / (rate + other_rate)) ** shape,
    )


@claim(
    "renyi-exponential",
    source=GIL,
    place="exponential distributions",
    given=lambda: [Ne(order, 1), between(rate, other_rate) > 0],
)
def renyi_divergence_of_exponentials():
    """Renyi divergence of two exponential distributions."""
    return Eq(
        renyi_divergence(Exponential(rate), Exponential(other_rate), order),
        log(rate / other_rate) + log(rate / between(rate, other_rate)) / (order - 1),
    )


@claim("kl-exponential", source=GIL, place="exponential distributions, order 1")
def kl_divergence_of_exponentials():
    """Kullback-Leibler divergence of two exponential distributions."""
    return Eq(
        kl_divergence(Exponential(rate), Exponential(other_rate)),
        log(rate / other_rate) + other_rate / rate - 1,
    )


# --- beta ---------------------------------------------------------------------------------------


@claim(
    "renyi-beta",
    source=GIL,
    place="beta distributions",
    given=lambda: [
        Ne(order, 1),
        between(beta_a, other_a) > 0,
        between(beta_b, other_b) > 0,
    ],
)
def renyi_divergence_of_betas():
    """Renyi divergence of two beta distributions."""
    return Eq(
        renyi_divergence(Beta(beta_a, beta_b), Beta(other_a, other_b), order),
        log(beta(other_a, other_b) / beta(beta_a, beta_b))
        + log(beta(between(beta_a, other_a), between(beta_b, other_b)) / beta(beta_a, beta_b))
        / (order - 1),
    )


@claim("kl-beta", source=GIL, place="beta distributions, order 1")
def kl_divergence_of_betas():
    """Kullback-Leibler divergence of two beta distributions."""
    return Eq(
        kl_divergence(Beta(beta_a, beta_b), Beta(other_a, other_b)),
        log(beta(other_a, other_b) / beta(beta_a, beta_b))
        + (beta_a - other_a) * digamma(beta_a)
        + (beta_b - other_b) * digamma(beta_b)
        + (other_a - beta_a + other_b - beta_b) * digamma(beta_a + beta_b),
    )


@claim("affinity-beta-neighbours", source=HERE)
def affinity_of_beta_posteriors():
    """Hellinger affinity of two beta posteriors whose data differ in one outcome."""
    half = Rational(1, 2)
    return Eq(
        affinity(Beta(beta_a + 1, beta_b), Beta(beta_a, beta_b + 1)),
        gamma(beta_a + half)
        * gamma(beta_b + half)
        / (gamma(beta_a) * gamma(beta_b) * sqrt(beta_a * beta_b)),
    )


# --- Dirichlet ----------------------------------------------------------------------------------


@claim(
    "renyi-dirichlet-three-cells",
    source=HERE,
    place="t is the probability of the last two cells, t_2 that of the second one: every point of the simplex has one such pair",
    given=lambda: [Ne(order, 1), *(cell > 0 for cell in mixed_cells())],
    proof=lambda: [step("the total is positive", Gt(Add(*mixed_cells()), 0))],
)
def renyi_moment_of_dirichlets():
    """Integral of p^alpha q^(1 - alpha) of two Dirichlet distributions on three cells."""

    def whole(cells):
        return gamma(cells[0]) * gamma(cells[1]) * gamma(cells[2]) / gamma(Add(*cells))

    point = (1 - at, next_cell, at - next_cell)
    first, second = Dirichlet(CELLS).density(point), Dirichlet(OTHERS).density(point)
    return Eq(
        Integral(first**order * second ** (1 - order), (next_cell, 0, at), (at, 0, 1)),
        whole(mixed_cells()) / (whole(CELLS) ** order * whole(OTHERS) ** (1 - order)),
    )


# --- discrete -----------------------------------------------------------------------------------


@claim("renyi-bernoulli", source=HERE, given=[Ne(order, 1)])
def renyi_divergence_of_bernoullis():
    """Renyi divergence of two Bernoulli distributions."""
    return Eq(
        renyi_divergence(Bernoulli(p), Bernoulli(q), order),
        log(p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)) / (order - 1),
    )


@claim("renyi-binomial", source=HERE, given=[Ne(order, 1)])
def renyi_divergence_of_binomials():
    """Renyi divergence of two binomial distributions of one number of trials."""
    return Eq(
        renyi_divergence(Binomial(trials, p), Binomial(trials, q), order),
        trials * renyi_divergence(Bernoulli(p), Bernoulli(q), order),
    )


@claim("kl-bernoulli", source=HERE)
def kl_divergence_of_bernoullis():
    """Kullback-Leibler divergence of two Bernoulli distributions."""
    return Eq(
        kl_divergence(Bernoulli(p), Bernoulli(q)),
        p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)),
    )


@claim("kl-binomial", source=HERE)
def kl_divergence_of_binomials():
    """Kullback-Leibler divergence of two binomial distributions of one number of trials."""
    return Eq(
        kl_divergence(Binomial(trials, p), Binomial(trials, q)),
        trials * (p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))),
    )
