"""Notation of the langevin paper. Claims, chapters and the notation table all use these.

The range of a symbol is what the paper assumes of it everywhere. Two assumptions tie several
symbols together and therefore stand in the claims that need them: `strong_data`, and the
conditions that put the sums of the common records inside the domain of eq. 5.
"""

from typing import Any

from sympy import (
    Expr,
    Integer,
    Integral,
    Max,
    Rational,
    Sum,
    erfc,
    exp,
    gamma,
    log,
    oo,
    pi,
    sqrt,
)

from dpbook import Defined, symbol, symbols
from dpbook.engine.language.statement import unfold_definitions
from dpbook.privacy.distributions import EvenMixture, Laplace, Normal
from dpbook.privacy.statements import Interval

# --- the model and its data (eq. 4 and 5) ---------------------------------------------------------

alpha = symbol("alpha", above=0, meaning="precision of the prior")
beta = symbol("beta", above=0, meaning="precision of the noise")
theta = symbol("theta", meaning="the parameter, a slope")
x = symbol("x", meaning="covariate of a record")
y = symbol("y", meaning="response of a record")
n = symbol("n", integer=True, at_least=2, meaning="number of records")
data, data_hat, argument = (
    symbol(name, latex=tex, meaning=f"{which}, told by a number")
    for name, tex, which in (
        ("D", "D", "a dataset"),
        ("D_hat", r"\hat{D}", "its neighbour"),
        ("y_fixed", r"y_{\mathrm{fixed}}", "what an algorithm takes beside the dataset"),
    )
)
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

# --- the divergence of two normal distributions ------------------------------------------------------------

nu = symbol("nu", above=1, meaning="order of the Renyi divergence")
mu_1, mu_2 = symbols("mu_1 mu_2", meaning="means of two normal distributions")
sigma_1, sigma_2 = symbols(
    "sigma_1 sigma_2", above=0, meaning="standard deviations of two distributions"
)
variance_1, variance_2 = symbols("V_1 V_2", above=0, meaning="variances of two distributions")
shifted_variance = symbol(
    "shifted_variance",
    equals=lambda: nu * sigma_2**2 + (1 - nu) * sigma_1**2,
    latex=r"(\sigma_{f_1, f_2}^2)_\nu^*",
    meaning="variance that the divergence divides by",
)
epsilon = symbol("epsilon", above=0, meaning="privacy loss")
delta = symbol("delta", above=0, below=1, meaning="probability of a larger loss")
smaller_loss = symbol("epsilon_0", above=0, meaning="a privacy loss that is at most epsilon")
distance = symbol("Delta", above=0, meaning="distance of two means in standard deviations")

ONE_RATIO = {
    **{alpha: 500, beta: 20, nu: 20, n: 322, x_l: 1, x_h: 4, gamma_1: Rational(1, 4)},
    **{c: 10**6, z: 321, q: 321 * 10**6, x_n: 1, y_n: 10**6, x_n_hat: 4, y_n_hat: 4 * 10**6},
}
"""Two neighbours with one ratio y / x throughout, and c far above n**(1 + gamma_1)."""

level = symbol("t", meaning="where a half-line of outputs begins")
other_level = symbol("t_other", latex="t'", meaning="where another half-line begins")

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
many_records_as_printed = [
    n > 1 + 10 * (x_h**2 / x_l**2) * (nu / beta),
    n > 1 + nu * (x_h**2 / x_l**2),
]
"""Condition of lemma 4.2."""
many_records = [n > 1 + 10 * nu * (x_h**2 / x_l**2)]
"""Condition of lemma 4.2, repaired."""

# --- the chain on the datasets of eq. 7 (eq. 17) --------------------------------------------------

batch = symbol("b_s", integer=True, at_least=1, latex="b", meaning="records in a batch, eq. 3")
step_size = symbol("eta_j", above=0, meaning="step size of any step of the chain, eq. 3")
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
epochs = symbol("k_real", latex="k", meaning="number of epochs, as a real number")
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
variance_odd = symbol(
    "variance_odd",
    equals=lambda: (
        epoch_rate ** (2 * (k + 1)) / alpha
        + epoch_noise * Sum(epoch_rate ** (2 * ell), (ell, 0, k))
    ),
    latex=r"(\hat{\sigma}^r_{(k+1)n})^2",
    meaning="variance of the chain on D_2 after k + 1 epochs, odd record at position r",
)


variance_plain = symbol(
    "variance_plain",
    equals=lambda: (
        rate ** (2 * n * (k + 1)) / alpha + eta * Sum(rate ** (2 * i), (i, 0, (k + 1) * n - 1))
    ),
    latex=r"\sigma_{(k+1)n}^2",
    meaning="variance of the chain on D_1 after k + 1 epochs",
)


def first_variance():
    """Variance after k + 1 epochs, odd record first."""
    return 1 / alpha * epoch_rate ** (2 * (k + 1)) + eta * Sum(
        rate ** (2 * i), (i, 0, n - 1)
    ) * Sum(epoch_rate ** (2 * j), (j, 0, k))


def first_gap():
    """Mean on D_1 less the mean on D_2 with the odd record first."""
    return unfold_definitions(mean_plain - mean_odd).xreplace({r: Integer(1)})


def later_positions(term):
    """Sum of a term over the positions of the odd record after the first."""
    return Sum(unfold_definitions(term), (r, 2, n))


def above_the_plain_mean(distance, spread):
    """Probability that a normal distribution is above a point which is a distance above its mean."""
    return erfc(distance / (sqrt(spread) * sqrt(2))) / 2


of_the_first, of_the_others, first_bound, other_bound = symbols(
    "a_1 a_rest b_1 b_rest",
    meaning="a number for the first position or for all others, or its bound",
)
records_of_the_proof = symbol(
    "n_p", meaning="a number that is at least each entry of n_p, proof of theorem 1"
)
any_entries = symbols(
    "e_1 e_2 e_3 e_4 e_5 e_6 e_7 e_8 e_9 e_10", meaning="any number, such as an entry of n_p"
)
any_event = symbol("p_any", meaning="a number, such as the probability of an event on D_2")
odd_half_line = symbol(
    "P_odd",
    equals=lambda: (
        (
            above_the_plain_mean(first_gap(), first_variance())
            + later_positions(above_the_plain_mean(mean_plain - mean_odd, variance_odd))
        )
        / n
    ),
    latex=r"P(\theta_T > \mu_T \mid D_2)",
    meaning="probability that the chain on D_2 is above the mean on D_1 after k + 1 epochs: the "
    "mean over all positions of the odd record",
)
chain_on_d_1 = Normal(mean_plain, sqrt(variance_plain))
"""Distribution of the chain on D_1 after k + 1 epochs."""


def chain_on_d_2():
    """Distribution of the chain on D_2 after k + 1 epochs: each position of the odd record is as likely."""
    first = Normal(unfold_definitions(mean_odd).xreplace({r: Integer(1)}), sqrt(first_variance()))
    return EvenMixture(first, Normal(mean_odd, sqrt(variance_odd)), r, n)


above_the_mean = Interval(mean_plain, oo)
"""The event that the chain is above its mean on D_1."""
balance = symbol(
    "k_dot",
    equals=lambda: log(1 / (1 + (1 - rate**2) / (alpha * eta))) / log(rate) / (2 * n) - 1,
    latex=r"\dot{k}",
    meaning="epoch at which prior and noise have balanced, lemma A.4",
)
at_the_balance = [k >= balance, k < balance + 1]
"""The epoch k is the balance epoch, rounded up."""
n_real = symbol("n_real", at_least=2, latex="n", meaning="number of records, as a real number")
variance_factor = symbol(
    "v_1",
    equals=lambda: Max(6, 1 + 2 * exp(1 / (x_h**2 * beta))),
    meaning="factor of the variance bounds, eq. 15",
)
separation_bound = symbol(
    "B",
    equals=lambda: (
        exp(-2 / (x_h**2 * beta))
        * (alpha / variance_factor)
        * (3 / (32 * x_h**2 * beta)) ** 2
        * (c / n) ** 2
    ),
    meaning="what the squared gap is at least, in variances; eq. 15",
)
records_enough = [n > 1 / (2 * alpha * x_h**2 * beta) - 1 / (x_h**2 * beta)]
"""Condition of lemma A.3 and claims D.15 to D.21, as printed."""
records_for_k_dot = [
    n > alpha / (x_h**2 * beta) * (exp(2 / (x_h**2 * beta)) - 2) + 1 / (2 * x_h**2 * beta)
]
"""Condition of claim D.22."""

# any numbers in place of the rates of an ordinary step, of the odd step and of an epoch
number, odd_number, other_number = (
    symbol(name, above=0, below=1, latex=tex, meaning=f"a number in (0, 1), such as {what}")
    for name, tex, what in (
        ("a", "a", "the rate"),
        ("a_hat", r"\hat{a}", "the rate of the odd record"),
        ("a_epoch", r"a_M", "what an epoch multiplies by"),
    )
)
gap, least_gap, spread, most_spread, least_ratio = (
    symbol(name, above=0, latex=tex, meaning=meaning)
    for name, tex, meaning in (
        ("g", "g", "a distance of two means"),
        ("g_0", "g_0", "what it is at least"),
        ("V", "V", "a variance"),
        ("V_0", "V_0", "what it is at most"),
        ("B_0", "B_0", "what the square of one over the other is at least"),
    )
)
amount = symbol("v", above=0, meaning="variance that one step adds")
share_of_data = symbol("q_A", above=0, meaning="weight of the data in the precision, nearly")
growth = symbol("Y", above=1, meaning="how far noise may grow, backwards")
component_gap = symbol(
    "g_r",
    at_least=0,
    meaning="mean on D_1 less that of one component of the mixture on D_2",
    role="placeholder",
)
component_sd = symbol(
    "s_r", above=0, meaning="standard deviation of that component", role="placeholder"
)

# --- propose, test, sample (algorithm 1, appendices B and C) --------------------------------------

n_1 = symbol("n_1", integer=True, at_least=1, meaning="number of records that algorithm 1 is given")
rho_1 = symbol(
    "rho_1",
    above=1,
    below=Rational(3, 2),
    meaning="algorithm 1 keeps ratios up to the noisy n_1, to this power",
)
rho_2 = symbol(
    "rho_2", above=0, below=Rational(1, 2), meaning="the ratios are within n_2**rho_2 of the centre"
)
rho_3 = symbol(
    "rho_3", above=1, below=rho_1, meaning="the one ratio of D_3 and D_4 is n_1**rho_3, eq. 8"
)
rare_miss = delta < Rational(1, 2)
"""Condition of algorithm 1 on delta."""
margin = symbol(
    "tau",
    equals=lambda: log(1 / (2 * delta)) / epsilon,
    meaning="what algorithm 1 takes off each count before it is tested",
)
noisy_n_1 = symbol(
    "n_1_noisy", above=0, latex=r"\check{n}_1", meaning="number of records, with noise; line 6"
)
n_2 = symbol("n_2", above=1, meaning="number of records of V, with noise; line 8, after line 9")
noisy_centre = symbol(
    "m_noisy", above=0, latex=r"\check{m}", meaning="centre of the ratios, with noise; line 13"
)
kept = symbol("V", integer=True, at_least=2, latex="|V|", meaning="number of records of V, line 7")
size_of_v = symbol(
    "V_0", integer=True, at_least=1, latex="|V|", meaning="number of records of V, line 7"
)
chosen = symbol("W", integer=True, at_least=0, latex="|W|", meaning="number of records of W")
chosen_hat = symbol(
    "W_hat",
    integer=True,
    at_least=0,
    latex=r"|\hat{W}|",
    meaning="number of records of W on the neighbour of D",
)
line_8, line_13 = (
    symbol(f"r_L{i}", latex=rf"r_{{{i}}}", meaning=f"what line {i} finds") for i in (8, 13)
)
passing_9 = symbol(
    "u_9", at_least=0, at_most=1, meaning="1 where line 9 is passed, else 0", role="placeholder"
)
least = symbol("n_min", above=0, meaning="least noisy number of records of W, line 16")
noise, second_noise, third_noise = (
    symbol(f"u_{i}", meaning=f"noise that algorithm 1 draws, number {i}") for i in (1, 2, 3)
)
change, second_change = (
    symbol(f"h_{i}", at_least=-1, at_most=1, meaning="change of a count by one record")
    for i in (1, 2)
)
sensitivity = symbol("Delta_m", above=0, meaning="largest change of the centre by one record")
third_change = symbol(
    "h_3", at_least=-sensitivity, at_most=sensitivity, meaning="change of the centre by one record"
)


class noise_between(Defined):
    """Probability ``noise_between(low, high)`` that Laplace noise of scale 1 / epsilon lies there."""

    nargs = 2

    def definition(self) -> Expr:
        return Integral(Laplace(0, 1 / epsilon).density(noise), (noise, *self.args))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        low, high = (printer.doprint(argument) for argument in self.args)
        return rf"P\left({low} < \mathrm{{Lap}}(1/\epsilon) < {high}\right)"


class noise_loss(Defined):
    """Privacy loss ``noise_loss(noise, change, scale)`` of a release with Laplace noise.

    The logarithm of the ratio of two densities of the noise: at an output, and at the same output
    seen from the neighbour, whose value is less by the change.
    """

    nargs = 3

    def definition(self) -> Expr:
        at, by, scale = self.args
        return log(Laplace(0, scale).density(at) / Laplace(0, scale).density(at + by))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        at, by, scale = (printer.doprint(argument) for argument in self.args)
        density = rf"\mathrm{{Lap}}\left({scale}\right)"
        return rf"\ln\frac{{{density}({at})}}{{{density}({at} + {by})}}"


noise_low = symbol("a", below=0, meaning="lower end of a range of noise")
noise_high = symbol("b", above=0, meaning="upper end of a range of noise")

largest_ratio = symbol(
    "cap",
    above=0,
    latex=r"\check{n}_1^{\rho_1}",
    meaning="largest ratio y / x in V, the noisy n_1 to the power rho_1",
)
tenth_root = symbol("r_10", at_least=0, meaning="a number whose tenth power n_2 exceeds")
count_factor, count_bound, share_factor, share_bound = symbols(
    "G g_0 w_1 w_0", above=0, meaning="a factor in the exponent of claim C.4, or its bound"
)
kept_squares = symbol(
    "z_V",
    at_least=(kept - 1) * x_l**2,
    at_most=(kept - 1) * x_h**2,
    latex="z",
    meaning="sum of x**2 over the records of V but one, claim C.8",
)
kept_products = symbol(
    "q_V",
    at_least=0,
    at_most=largest_ratio * kept_squares,
    latex="q",
    meaning="sum of x * y over the same records",
)
x_kept, x_kept_hat = (
    symbol(name, at_least=x_l, at_most=x_h, latex=tex, meaning=f"covariate of {which}")
    for name, tex, which in (
        ("x_V", "x_{|V|}", "the last record of V"),
        ("x_V_hat", r"\hat{x}_{|V|}", "the record that replaces it"),
    )
)
y_kept, y_kept_hat = (
    symbol(
        name,
        at_least=0,
        at_most=largest_ratio * covariate,
        latex=tex,
        meaning=f"response of {which}",
    )
    for name, covariate, tex, which in (
        ("y_V", x_kept, "y_{|V|}", "the last record of V"),
        ("y_V_hat", x_kept_hat, r"\hat{y}_{|V|}", "the record that replaces it"),
    )
)

draw_3, draw_4 = (
    symbol(
        f"p_{i}",
        above=0,
        at_most=1,
        latex=rf"P(r \in S \mid D_{i}, A_{i})",
        meaning=f"probability that the output on D_{i} is in S, if all of D_{i} is kept",
        role="placeholder",
    )
    for i in (3, 4)
)
release_3, release_4 = (
    symbol(
        f"a_{i}",
        at_least=0,
        at_most=1,
        latex=rf"P(A_{i} \mid D_{i})",
        meaning=f"probability that algorithm 1 reaches line 19 on D_{i} with all of it kept",
        role="placeholder",
    )
    for i in (3, 4)
)
largest_noise = symbol(
    "s_0", above=0, meaning="noise of a count that is exceeded as rarely as is wanted"
)
r_4 = symbol(
    "r_4",
    integer=True,
    at_least=1,
    at_most=n_1,
    latex="r",
    meaning="position of the odd record of D_4 in a cycle",
)
centre_4 = symbol("c_4", above=0, latex="c", meaning="the one ratio of D_3 and D_4, n_1**rho_3")
eta_4 = symbol(
    "eta_4",
    equals=lambda: 1 / (alpha + n_1 * x_h**2 * beta) ** 2,
    latex=r"\eta",
    meaning="step size of claim 4.2",
)
rate_4 = symbol(
    "lambda_4",
    equals=lambda: 1 - eta_4 / 2 * (alpha + n_1 * x_h**2 * beta),
    latex=r"\lambda",
    meaning="what one step with an ordinary record multiplies by, claim 4.2",
)
odd_rate_4 = symbol(
    "lambda_4_hat",
    equals=lambda: 1 - eta_4 / 2 * (alpha + n_1 * (x_h / 2) ** 2 * beta),
    latex=r"\hat{\lambda}",
    meaning="what the step with the odd record multiplies by, claim 4.2",
)
drift_4 = symbol(
    "drift_4",
    equals=lambda: eta_4 / 2 * n_1 * centre_4 * x_h**2 * beta,
    latex=r"\rho",
    meaning="what one step with an ordinary record adds, claim 4.2",
)
odd_drift_4 = symbol(
    "drift_4_hat",
    equals=lambda: eta_4 / 2 * n_1 * centre_4 * (x_h / 2) ** 2 * beta,
    latex=r"\hat{\rho}",
    meaning="what the step with the odd record adds, claim 4.2",
)
level_4 = symbol(
    "mu_4",
    equals=lambda: n_1 * centre_4 * x_h**2 * beta / (alpha + n_1 * x_h**2 * beta),
    latex=r"\mu_\infty",
    meaning="mean of the chain on D_3 in the long run",
)
chain_loss = symbol(
    "epsilon_chain", above=0, latex=r"\epsilon'", meaning="privacy loss of the chain, eq. 31"
)
chain_rate = symbol("k_chain", above=0, latex="k", meaning="constant below the loss of the chain")
true_rate = symbol("k_true", above=0, latex="k'", meaning="constant in the order of eq. 31")
counted, kept_centre, passed, all_kept = (
    symbol(
        name,
        at_least=0,
        at_most=1,
        latex=tex,
        meaning=f"probability that {which}",
        role="placeholder",
    )
    for name, tex, which in (
        ("p_n", "p_n", "n_2 is large enough, given that V is whole; claim C.3"),
        ("p_m", "p_m", "the noisy centre is near the centre, given all before; claim C.4"),
        ("p_W", "p_W", "the test of line 16 passes, given all before; claim C.5"),
        ("p_V", "p_V", "V is whole and the noisy n_1 no overestimate; corollary C.1"),
    )
)
entry_factor = symbol("C", above=0, meaning="factor of the noisy centre in an entry of n_min")
base, larger_base = symbols("B_1 B_2", above=0, meaning="base of a power, or a larger one")
centre_power, entry_power = symbols(
    "e_m e_n", above=0, meaning="power of n_1 that bounds the centre, or that an entry takes"
)
centre_3 = symbol("m", above=0, meaning="centre of the ratios of V, line 12")
largest_fixed = symbol(
    "n_fixed", above=0, meaning="largest entry of n_min that depends on neither n_1 nor the centre"
)
first_factor, second_factor = symbols(
    "C_1 C_2", above=0, meaning="factor of the noisy centre in an entry of n_min"
)
null_in = symbol(
    "null_in", integer=True, at_least=0, at_most=1, meaning="1 if an event holds null, else 0"
)
missed = symbol("kappa", above=0, below=1, meaning="probability of a noise that is too large")
deviation = symbol(
    "s",
    equals=lambda: log(1 / missed) / epsilon,
    meaning="noise that is exceeded with probability kappa",
)

nu_of_loss = symbol(
    "nu_epsilon",
    equals=lambda: 2 * log(1 / delta) / epsilon + 1,
    latex=r"\nu",
    meaning="order of the divergence that leaves half of epsilon, eq. 26",
)
product_weight = symbol(
    "K_1",
    equals=lambda: (
        32
        * nu_of_loss
        * beta
        / epsilon
        * (x_h**2 * beta / (Rational(9, 10) * (x_l**2 * beta) ** 2))
        * (x_h**2 * alpha + x_h**4 * beta)
    ),
    meaning="factor in the fourth and fifth entry of n_b1, eq. 26",
)
square_weight_as_printed = symbol(
    "K_2_printed",
    equals=lambda: (
        8
        * nu_of_loss
        / epsilon
        * ((x_h**2 * alpha + x_h**4 * beta) / (Rational(9, 10) * x_l**6 * beta))
    ),
    latex="K_2",
    meaning="factor in the last two entries of n_b1, eq. 26, as printed",
)
square_weight = symbol(
    "K_2",
    equals=lambda: (
        16
        * nu_of_loss
        / epsilon
        * ((x_h**2 * alpha + x_h**4 * beta) ** 2 / (Rational(9, 10) * x_l**6 * beta))
    ),
    latex="K_2'",
    meaning="factor in the last two entries of n_b1, repaired",
)

mean_taken = symbol(
    "mu_taken",
    equals=lambda: beta * q / (alpha + z * beta),
    latex=r"\mu_0",
    meaning="posterior mean without the last record",
)
variance_taken = symbol(
    "variance_taken",
    equals=lambda: 1 / (alpha + z * beta),
    latex=r"\sigma_0^2",
    meaning="posterior variance without the last record",
)
sigma_taken = symbol(
    "sigma_taken",
    equals=lambda: sqrt(variance_taken),
    latex=r"\sigma_0",
    meaning="posterior standard deviation without the last record",
)
starred_taken, starred_added = (
    symbol(
        name, equals=definition, latex=tex, meaning=f"variance of eq. 14 where a record is {how}"
    )
    for name, definition, tex, how in (
        (
            "starred_taken",
            lambda: nu * variance_taken + (1 - nu) * variance,
            r"(\sigma^2)_{\nu,-}^*",
            "taken away",
        ),
        (
            "starred_added",
            lambda: nu * variance + (1 - nu) * variance_taken,
            r"(\sigma^2)_{\nu,+}^*",
            "added",
        ),
    )
)

weight, shared = symbols(
    "w_f z_f",
    at_least=0,
    meaning="a factor of a fraction, or what common records put above its line",
    role="placeholder",
)
below, other_below, least_below = symbols(
    "p_f q_f s_f", above=0, meaning="what stands below the line, or its bound", role="placeholder"
)
shifted_below, numerator, numerator_bound = symbols(
    "p_s d_f l_f", meaning="a number below the line, above it, or its bound", role="placeholder"
)

FAR_SCALE = {
    **{alpha: 4 * 10**9, beta: Rational(4, 10**16), x_l: 5 * 10**7, x_h: 10**8},
    **{epsilon: 1, delta: Rational(1, 10), n: 10**20, c: 10**21, gamma_1: Rational(13, 50)},
    **{rho_1: Rational(11, 10), rho_2: Rational(1, 4), n_1: 10**20},
    **{z: (10**20 - 1) * 25 * 10**14, x_n: 10**8, x_n_hat: 5 * 10**7},
    **{level: 10**21 - Rational(399999999983999999994, 10**10)},
}
"""Two neighbours of one ratio, in units of x in which S and its square differ much.

Their posterior means are twelve standard deviations apart; the level is between them.
"""


LARGE_LOSS = {
    **{alpha: 3, beta: Rational(301, 100), x_l: Rational(3, 4), x_h: 1},
    **{delta: Rational(1, 3), gamma_1: Rational(1, 3), rho_2: Rational(1, 4)},
    **{x_n: 1, x_n_hat: Rational(3, 4)},
}
"""Two neighbours of one ratio, for a loss at which the factor of the last entries of n_b1 is below 1."""


def at_a_large_loss(loss: int, records: int, centre: int) -> dict[Expr, Any]:
    """Return a pair of neighbours of one ratio, with the level at the first posterior mean."""
    common = Rational(9, 16) * (records - 1)
    mean = Rational(301, 100) * centre * (common + 1) / (3 + (common + 1) * Rational(301, 100))
    return {**LARGE_LOSS, epsilon: loss, n: records, c: centre, z: common, level: mean}


def radius_entry() -> Expr:
    """Third entry of n_b1, which the radius of the ratios asks for."""
    return (16 * nu_of_loss * beta * x_h**4 / (Rational(9, 10) * epsilon * x_l**2)) ** (
        1 / (1 - 2 * gamma_1)
    )


def product_entries(centre: Expr) -> list[Expr]:
    """Fourth and fifth entry of n_b1."""
    return [
        (product_weight * centre) ** (1 / (2 - gamma_1)),
        product_weight ** (1 / (2 - 2 * gamma_1)),
    ]


def entries_as_printed(centre: Expr, records: Expr) -> list[Expr]:
    """Everything that n_min is the largest of, eq. 26 as printed."""
    ratio = x_h**2 / x_l**2
    return [
        1 + ratio * (8 / epsilon),
        1 + nu_of_loss * ratio * (1 + 8 * ((nu_of_loss - 1) / epsilon)),
        radius_entry(),
        *product_entries(centre),
        (square_weight_as_printed * centre) ** Rational(2, 3),
        square_weight_as_printed ** (2 / (3 - 2 * gamma_1)),
        1 + ratio * (10 * nu_of_loss / beta),
        1 + nu_of_loss * ratio,
        records ** (rho_2 / gamma_1),
    ]


def entries_with_the_square(centre: Expr) -> list[Expr]:
    """Last two entries of n_b1 as they are meant: with the square of S, as claim D.29 has it."""
    return [
        (square_weight / 2 * centre) ** Rational(2, 3),
        (square_weight / 2) ** (2 / (3 - 2 * gamma_1)),
    ]


def entries(centre: Expr, records: Expr) -> list[Expr]:
    """Everything that n_min is the largest of, repaired; `records` is n_2."""
    return [
        1 + 10 * nu_of_loss * (x_h**2 / x_l**2),
        radius_entry(),
        *product_entries(centre),
        (square_weight * centre**2) ** Rational(1, 3),
        square_weight ** (1 / (3 - 2 * gamma_1)),
        records ** (rho_2 / gamma_1),
    ]


gamma_2 = symbol(
    "gamma_2", above=gamma_1, below=Rational(3, 2), meaning="the ratios' centre is n**gamma_2"
)
wanted_loss = symbol(
    "epsilon_prime", above=0, latex=r"\epsilon'", meaning="loss that the chain is to exceed"
)

# --- ball averages (section 5, appendix E) --------------------------------------------------------

dimension = symbol("d", integer=True, at_least=1, meaning="dimension of the space, section 5")
radius = symbol(
    "lambda_ball", above=0, latex=r"\lambda", meaning="radius of the ball that is averaged over"
)
closeness = symbol(
    "epsilon_W",
    above=0,
    latex=r"\epsilon",
    meaning="root of what the 2-Wasserstein distance of two distributions is below",
)
lipschitz = symbol("L", above=0, meaning="Lipschitz constant of two densities")


class ball_volume(Defined):
    """Volume ``ball_volume(r)`` of a ball of radius r in the space of section 5."""

    nargs = 1

    def definition(self) -> Expr:
        (r,) = self.args
        return pi ** (dimension / 2) * r**dimension / gamma(dimension / 2 + 1)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        text = rf"\mathrm{{vol}}_d\left({printer.doprint(self.args[0])}\right)"
        return text if exp is None else rf"{text}^{{{exp}}}"


outer_volume = symbol("vol", above=0, meaning="volume of the ball of radius lambda")
inner_volume = symbol(
    "vol_inner",
    above=0,
    latex="vol'",
    meaning="volume of the ball of radius lambda - epsilon",
)
ball_p, inner_p, ball_q = (
    symbol(
        name,
        at_least=0,
        at_most=1,
        latex=tex,
        meaning=f"probability of {which}",
        role="placeholder",
    )
    for name, tex, which in (
        ("P_ball", r"P(B_\lambda)", "the ball of radius lambda under P"),
        ("P_inner", r"P(B_{\lambda-\epsilon})", "the ball of radius lambda - epsilon under P"),
        ("Q_ball", r"Q(B_\lambda)", "the ball of radius lambda under Q"),
    )
)
far_apart = symbol(
    "p_far",
    at_least=0,
    at_most=1,
    meaning="probability that a coupled pair is over epsilon apart",
    role="placeholder",
)
density_here = symbol(
    "p_x", at_least=0, latex="p(x)", meaning="a density at a point", role="placeholder"
)
away = symbol("t_z", at_least=0, meaning="distance of two points")
away_t = symbol("t_W", at_least=0, latex="t", meaning="a point of the half-line")
shift_of_distribution = symbol("s_W", above=0, meaning="length of an interval, or a scale")
away_share = symbol("u_W", at_least=0, at_most=1, latex="u", meaning="level of a quantile")
wanted = symbol("eta_W", above=0, meaning="a distance that is wanted")
ball_radius = symbol("r_ball", above=0, latex="r", meaning="radius of the ball of claim E.1")
point_p, point_q, ball_centre, other_centre = symbols(
    "x_p x_q x_0 y_0", meaning="a coupled pair, the centre of a ball, or another point"
)
first_square, second_square = symbols(
    "a_sq b_sq", at_least=0, meaning="squared length of a vector, claim E.1"
)
vector_product = symbol("a_b", meaning="inner product of these two vectors")
peak = symbol("p_max", above=0, meaning="what a density is at most")
first_point, second_point = symbols("z_1 z_2", meaning="any two points of the space of section 5")
pair = symbol("w_pair", latex="w", meaning="a coupled pair, told by a real number")
inside = symbol("b_W", at_least=0, meaning="any number that is not negative", role="placeholder")
factor_left, factor_right, most = symbols(
    "u_l u_r u_m", meaning="any three numbers", role="placeholder"
)
