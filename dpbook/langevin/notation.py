"""Notation of the langevin paper. Claims, chapters and the notation table all use these.

The range of a symbol is what the paper assumes of it everywhere. Two assumptions tie several
symbols together and therefore stand in the claims that need them: `strong_data`, and the
conditions that put the sums of the common records inside the domain of eq. 5.
"""

from sympy import Rational, Sum, sqrt

from dpbook.engine.domain import symbol, symbols

# --- the model and its data (eq. 4 and 5) ---------------------------------------------------------

alpha = symbol("alpha", above=0, meaning="precision of the prior")
beta = symbol("beta", above=0, meaning="precision of the noise")
theta = symbol("theta", meaning="the parameter, a slope")
x = symbol("x", meaning="covariate of a record")
y = symbol("y", meaning="response of a record")
n = symbol("n", integer=True, at_least=2, meaning="number of records")
c = symbol("c", above=0, meaning="centre of the ratios y / x")
gamma_1 = symbol(
    "gamma_1", above=0, below=Rational(1, 2), meaning="the ratios are within n**gamma_1 of c"
)
x_h = symbol("x_h", above=0, meaning="largest covariate")
x_l = symbol("x_l", above=0, at_most=x_h, meaning="smallest covariate")
strong_data = x_h**2 * beta > 3
"""The paper's assumption below eq. 5."""

# --- two neighbouring datasets (eq. 12 and 13) ----------------------------------------------------

z = symbol(
    "z",
    at_least=(n - 1) * x_l**2,
    at_most=(n - 1) * x_h**2,
    meaning="sum of x**2 over the n - 1 common records",
)
q = symbol(
    "q",
    at_least=(c - n**gamma_1) * z,
    at_most=(c + n**gamma_1) * z,
    meaning="sum of x * y over the n - 1 common records",
)
x_n, x_n_hat = (
    symbol(name, at_least=x_l, at_most=x_h, latex=tex, meaning=f"covariate of {which}")
    for name, tex, which in (
        ("x_n", "x_n", "the last record"),
        ("x_n_hat", r"\hat{x}_n", "the record that replaces the last"),
    )
)
y_n, y_n_hat = (
    symbol(
        name,
        at_least=(c - n**gamma_1) * covariate,
        at_most=(c + n**gamma_1) * covariate,
        latex=tex,
        meaning=f"response of {which}",
    )
    for name, covariate, tex, which in (
        ("y_n", x_n, "y_n", "the last record"),
        ("y_n_hat", x_n_hat, r"\hat{y}_n", "the record that replaces the last"),
    )
)

positive_responses = [q > 0, y_n > 0, y_n_hat > 0]
"""Responses are positive in eq. 5; it binds only where the radius exceeds c."""

# --- posterior of one dataset (eq. 6 and 11) ------------------------------------------------------

square_sum = symbol("s_xx", at_least=0, latex=r"\sum x_i^2", meaning="sum of x**2 over all records")
cross_sum = symbol("s_xy", latex=r"\sum x_i y_i", meaning="sum of x * y over all records")
response_sum = symbol("s_yy", latex=r"\sum y_i^2", meaning="sum of y**2 over all records")
prior_mean = symbol("m_0", meaning="mean of the prior, in the general model of eq. 11")
prior_variance = symbol("S_0", above=0, meaning="variance of the prior, in eq. 11")
posterior_mean = symbol(
    "mu_D",
    equals=lambda: cross_sum * beta / (alpha + square_sum * beta),
    latex=r"\mu",
    meaning="mean of the posterior, eq. 6",
)
posterior_variance = symbol(
    "sigma_D_squared",
    equals=lambda: 1 / (alpha + square_sum * beta),
    latex=r"\sigma^2",
    meaning="variance of the posterior, eq. 6",
)

# --- posteriors of the two neighbours (eq. 13 and 14) ---------------------------------------------

mu = symbol(
    "mu",
    equals=lambda: beta * (q + x_n * y_n) / (alpha + (z + x_n**2) * beta),
    meaning="posterior mean on D",
)
mu_hat = symbol(
    "mu_hat",
    equals=lambda: beta * (q + x_n_hat * y_n_hat) / (alpha + (z + x_n_hat**2) * beta),
    latex=r"\hat{\mu}",
    meaning="posterior mean on the neighbour of D",
)
variance = symbol(
    "variance",
    equals=lambda: 1 / (alpha + (z + x_n**2) * beta),
    latex=r"\sigma^2",
    meaning="posterior variance on D",
)
variance_hat = symbol(
    "variance_hat",
    equals=lambda: 1 / (alpha + (z + x_n_hat**2) * beta),
    latex=r"\hat{\sigma}^2",
    meaning="posterior variance on the neighbour of D",
)
sigma = symbol("sigma", equals=lambda: sqrt(variance), meaning="posterior standard deviation on D")
sigma_hat = symbol(
    "sigma_hat",
    equals=lambda: sqrt(variance_hat),
    latex=r"\hat{\sigma}",
    meaning="posterior standard deviation on the neighbour of D",
)
starred_variance = symbol(
    "starred_variance",
    equals=lambda: nu * variance_hat + (1 - nu) * variance,
    latex=r"(\sigma^2)_\nu^*",
    meaning="variance that the divergence of the posteriors divides by, eq. 14",
)

# --- the divergence of two normal laws ------------------------------------------------------------

nu = symbol("nu", above=1, meaning="order of the Renyi divergence")
mu_1, mu_2 = symbols("mu_1 mu_2", meaning="means of two normal laws")
sigma_1, sigma_2 = symbols("sigma_1 sigma_2", above=0, meaning="standard deviations of two laws")
shifted_variance = symbol(
    "shifted_variance",
    equals=lambda: nu * sigma_2**2 + (1 - nu) * sigma_1**2,
    latex=r"(\sigma_{f_1, f_2}^2)_\nu^*",
    meaning="variance that the divergence divides by",
)
epsilon = symbol("epsilon", above=0, meaning="privacy loss")
delta = symbol("delta", above=0, below=1, meaning="probability of a larger loss")
distance = symbol("Delta", above=0, meaning="distance of two means in standard deviations")

ONE_RATIO = {
    **{alpha: 500, beta: 20, nu: 20, n: 322, x_l: 1, x_h: 4, gamma_1: Rational(1, 4)},
    **{c: 10**6, z: 321, q: 321 * 10**6, x_n: 1, y_n: 10**6, x_n_hat: 4, y_n_hat: 4 * 10**6},
}
"""Two neighbours with one ratio y / x throughout, and c far above n**(1 + gamma_1)."""

event, event_hat = (
    symbol(name, above=0, at_most=1, latex=tex, meaning=f"probability of an event on {which}")
    for name, tex, which in (
        ("p_S", "p_S", "D"),
        ("p_S_hat", r"\hat{p}_S", "the neighbour of D"),
    )
)
level = symbol("t", meaning="where a half-line of outputs begins")

# --- the bound of lemma 4.2 -----------------------------------------------------------------------

scale = symbol(
    "S",
    equals=lambda: x_h**2 * alpha + x_h**4 * beta,
    meaning="what one record can weigh, x_h**2 * alpha + x_h**4 * beta",
)


def mean_gap_bound():
    """Last three terms of the bound of lemma 4.2; claim D.28."""
    return (
        2 * nu * beta * (x_h**4 / (Rational(9, 10) * n ** (1 - 2 * gamma_1) * x_l**2))
        + 2
        * nu
        * beta
        * (
            x_h**2
            * beta
            * (x_h**2 * alpha + x_h**4 * beta)
            / (Rational(9, 10) * (x_l**2 * beta) ** 2)
        )
        * ((c + n**gamma_1) / n ** (2 - gamma_1))
        + nu
        / 2
        * ((x_h**2 * alpha + x_h**4 * beta) ** 2 / (Rational(9, 10) * x_l**6 * beta))
        * ((c + n**gamma_1) ** 2 / n**3)
    )


loss_bound = symbol(
    "epsilon_1",
    equals=lambda: (
        x_h**2 / (2 * (n - 1) * x_l**2)
        + (nu - 1) / 2 * (nu * x_h**2 / ((n - 1) * x_l**2 - nu * x_h**2))
        + mean_gap_bound()
    ),
    meaning="bound of lemma 4.2 as printed",
)
repaired_loss_bound = symbol(
    "epsilon_1_repaired",
    equals=lambda: (
        x_h**2 / (2 * (n - 1) * x_l**2)
        + x_h**2 / (2 * ((n - 1) * x_l**2 - (nu - 1) * x_h**2))
        + mean_gap_bound()
    ),
    latex=r"\epsilon_1'",
    meaning="bound of lemma 4.2, repaired",
)
loss_limit = symbol(
    "epsilon_1_limit",
    at_least=0,
    latex=r"\epsilon_1'",
    meaning="what the Renyi loss is at most, by lemma 4.2, repaired",
)
many_records_as_printed = [
    n > 1 + 10 * (x_h**2 / x_l**2) * (nu / beta),
    n > 1 + nu * (x_h**2 / x_l**2),
]
"""Condition of lemma 4.2."""
many_records = [n > 1 + 10 * nu * (x_h**2 / x_l**2)]
"""Condition of lemma 4.2, repaired."""

# --- the chain on the datasets of eq. 7 (eq. 17) --------------------------------------------------

multiplier, shift = symbols("a_t b_t", meaning="what a step multiplies by, and adds")
noise_sd = symbol("s_xi", above=0, meaning="standard deviation of the noise of a step")

eta = symbol(
    "eta", equals=lambda: 2 / (alpha + n * x_h**2 * beta) ** 2, meaning="learning rate, section 4.2"
)
rate = symbol(
    "lambda",
    equals=lambda: 1 - eta / 2 * (alpha + n * x_h**2 * beta),
    meaning="what one step with an ordinary record multiplies by",
)
odd_rate = symbol(
    "lambda_hat",
    equals=lambda: 1 - eta / 2 * (alpha + n * (x_h / 2) ** 2 * beta),
    latex=r"\hat{\lambda}",
    meaning="what the step with the odd record multiplies by",
)
drift = symbol(
    "rho",
    equals=lambda: eta / 2 * n * c * x_h**2 * beta,
    meaning="what one step with an ordinary record adds",
)
odd_drift = symbol(
    "rho_hat",
    equals=lambda: eta / 2 * n * c * (x_h / 2) ** 2 * beta,
    latex=r"\hat{\rho}",
    meaning="what the step with the odd record adds",
)
k = symbol("k", integer=True, at_least=0, meaning="number of epochs, or of epochs after the first")
r = symbol(
    "r", integer=True, at_least=1, at_most=n, meaning="position of the odd record in a cycle"
)
m = symbol("m", integer=True, at_least=0, meaning="number of ordinary steps")
i, j, ell = symbols("i j l", integer=True, meaning="an index that a sum runs over")
start = symbol("theta_0", meaning="where the chain starts, drawn from the prior")
start_variance = symbol("v_0", at_least=0, meaning="variance before the steps that are looked at")
step_mean = symbol("m_t", meaning="mean of the chain before a step")
step_sd = symbol("s_t", above=0, meaning="standard deviation of the chain before a step")


def long_run():
    """Mean of the chain on D_1 in the long run, as the paper writes it out."""
    return n * c * x_h**2 * beta / (alpha + n * x_h**2 * beta)


epoch_rate = symbol(
    "M",
    equals=lambda: odd_rate * rate ** (n - 1),
    meaning="what one epoch with the odd record multiplies by",
)
epoch_shift = symbol("d", meaning="what one epoch adds to the mean, whatever it is")
epoch_spread = symbol("w", at_least=0, meaning="what one epoch adds to the variance, likewise")
epoch_drift = symbol(
    "d_r",
    equals=lambda: (
        Sum(drift * odd_rate * rate ** (n - i - 1), (i, 1, r - 1))
        + odd_drift * rate ** (n - r)
        + Sum(drift * rate ** (n - j), (j, r + 1, n))
    ),
    meaning="what one epoch adds to the mean",
)
epoch_noise = symbol(
    "w_r",
    equals=lambda: (
        Sum(eta * odd_rate**2 * rate ** (2 * (n - i - 1)), (i, 1, r - 1))
        + eta * rate ** (2 * (n - r))
        + Sum(eta * rate ** (2 * (n - j)), (j, r + 1, n))
    ),
    meaning="what one epoch adds to the variance",
)
mean_plain = symbol(
    "mean_plain",
    equals=lambda: (
        drift * Sum(rate**i, (i, 0, n - 2)) * Sum(rate ** (j * n), (j, 0, k))
        + drift * rate ** (n - 1) * Sum(rate ** (j * n), (j, 0, k))
    ),
    latex=r"\mu_{(k+1)n}",
    meaning="mean of the chain on D_1 after k + 1 epochs",
)
mean_odd = symbol(
    "mean_odd",
    equals=lambda: epoch_drift * Sum(epoch_rate**ell, (ell, 0, k)),
    latex=r"\hat{\mu}^r_{(k+1)n}",
    meaning="mean of the chain on D_2 after k + 1 epochs, odd record at position r",
)
