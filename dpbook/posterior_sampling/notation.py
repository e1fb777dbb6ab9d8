"""Notation of the posterior sampling paper. Claims, chapters and the notation table all use these.

Statements on all models are put in the numbers that every model has: the likelihoods of two
datasets at one parameter, their evidences, the moments of the log likelihood ratio under a
posterior. What ties those numbers together stands in the claims that need it.
"""

from typing import Any

from sympy import Abs, Expr, Integral, Max, Rational, beta, cosh, exp, log, sinh

from dpbook import Defined, symbol, symbols

# --- privacy and its assumptions (section 2) ------------------------------------------------------

epsilon = symbol("epsilon", at_least=0, meaning="privacy loss")
delta = symbol("delta", above=0, below=1, meaning="probability of a larger loss, or of an error")
rho = symbol("rho", above=0, meaning="distance of two datasets, rho(x, y)")
rho_1, rho_2 = symbols("rho_1 rho_2", at_least=0, meaning="distances of two pairs of datasets")
L = symbol("L", above=0, meaning="a Lipschitz constant of the log likelihood, assumptions 1 and 2")
L_0 = symbol("L_0", at_least=0, meaning="the least Lipschitz constant of any parameter")
L_1, L_n = symbols(
    "L_1 L_n", at_least=0, meaning="Lipschitz constants of a parameter, for a record and for n"
)
c = symbol("c", above=0, meaning="rate of assumption 2")
t = symbol("t", at_least=0, meaning="a Lipschitz constant that a parameter may exceed")
k = symbol("k", integer=True, at_least=1, meaning="number of records in which two datasets differ")
step_index = symbol("i_0", integer=True, at_least=0, meaning="a dataset in a row of them")
n = symbol("n", integer=True, at_least=1, meaning="number of records, or size of a binomial")
draws = symbol("T", integer=True, at_least=1, meaning="number of posterior draws; n in the paper")
event_x, event_y, event_z = symbols(
    "P_x P_y P_z",
    at_least=0,
    at_most=1,
    meaning="probability of an event given x, y or a dataset between them",
    role="placeholder",
)
f_1, f_n = symbols(
    "f_1 f_n",
    meaning="log likelihood ratio of one record, and of those before it",
    role="placeholder",
)
d_1, d_2, d_3 = symbols("d_1 d_2 d_3", at_least=0, meaning="numbers that eq. 2.7 compares")

# --- likelihoods, evidences and their ratio -------------------------------------------------------

theta = symbol("theta", above=0, below=1, meaning="the parameter, where it is a probability")
parameter = symbol("vartheta", meaning="the parameter, told by any real number")
weight_0 = symbol("w_3", at_least=0, meaning="a weight, such as the prior density")
multiplier = symbol("m_0", meaning="any number")
difference_1 = symbol("D_1", meaning="a difference of two probabilities", role="placeholder")
variation_1 = symbol(
    "V_1", at_least=0, meaning="a distance of two distributions", role="placeholder"
)
size = symbol("a_0", at_least=0, meaning="a bound of an absolute log likelihood ratio")
any_x, any_y = symbols("x_2 y_2", meaning="any two datasets, told by real numbers")
p_x, p_y, p_z = symbols("p_x p_y p_z", above=0, meaning="likelihood of a dataset at one parameter")
q_x, q_y = symbols("q_x q_y", above=0, meaning="likelihood of a record at one parameter")
phi_x, phi_y = symbols(
    "phi_x phi_y", above=0, meaning="evidence of a dataset, eq. 2.3", role="placeholder"
)
part_x, part_y = symbols(
    "B_x B_y",
    at_least=0,
    meaning="integral of the likelihood of a dataset over a set of parameters",
    role="placeholder",
)
first_x_part, second_x_part, first_y_part, second_y_part = symbols(
    "A_1 A_2 A_3 A_4",
    at_least=0,
    meaning="integrals of the likelihood of x over two sets of parameters, and of that of y",
    role="placeholder",
)
in_s = symbol("I_S", meaning="1 in a set of parameters, and 0 outside", role="placeholder")
outlying = symbol(
    "r_0",
    at_least=0,
    below=1,
    meaning="a bound of the posterior probability of large constants",
    role="placeholder",
)
prior_mass = symbol("v", at_least=0, at_most=1, meaning="prior probability of a parameter")
a = symbol("a", above=0, meaning="L rho(x, y): the most that the log likelihood ratio can be")
f = symbol("f", at_least=-a, at_most=a, meaning="log likelihood ratio ln p(y) - ln p(x)")
lowest, highest, one_log_ratio = symbols(
    "f_0 f_2 f_3", meaning="least and largest log likelihood ratio, and that of one parameter"
)
mean_loss = symbol(
    "f_mean", latex=r"\bar{f}", meaning="mean of f under the posterior of x", role="placeholder"
)
mean_ratio = symbol(
    "M", above=0, meaning="mean of exp(f) under the posterior of x", role="placeholder"
)
mean_root = symbol(
    "h", above=0, meaning="mean of exp(f / 2) under the posterior of x", role="placeholder"
)
share = symbol(
    "p",
    at_least=0,
    at_most=1,
    meaning="posterior probability of f = a, or of an event",
    role="placeholder",
)
inside, outside = symbols(
    "E_B E_C",
    above=0,
    meaning="mean of exp(f) under the posterior of x, on an event and off it",
    role="placeholder",
)
quotient = symbol("u", at_least=1, meaning="largest likelihood ratio over the smallest")
part_1, part_2 = symbols(
    "X Y", above=0, meaning="parts of 1 that two moments of the likelihood ratio take"
)
b = symbol("b", above=0, meaning="a (nu - 1), for the Renyi divergence of order nu")
end = symbol("z", above=0, meaning="a nu, for the Renyi divergence of order nu")


class sharp_divergence(Defined):
    """The largest divergence of two posteriors whose log likelihood ratio is at most a.

    ``sharp_divergence(a)`` is ln(sinh(a) / a) + a coth(a) - 1.
    """

    nargs = 1

    def definition(self) -> Expr:
        (most,) = self.args
        return log(sinh(most) / most) + most * cosh(most) / sinh(most) - 1

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return rf"D^*\left({printer.doprint(self.args[0])}\right)"


# --- sums and cells (appendix A) ------------------------------------------------------------------

q = symbol("q", above=0, below=1, meaning="ratio of a geometric series; probability of a cell")
index = symbol("j", integer=True, meaning="an index that a sum runs over")
density_ratio = symbol(
    "u_0", above=0, meaning="ratio of two densities at a point", role="placeholder"
)

# --- what is left of the results under assumption 2 -----------------------------------------------

divergence = symbol("D", at_least=0, meaning="divergence of two posteriors", role="placeholder")
mean_x, mean_y = symbols(
    "l_x l_y",
    at_least=0,
    meaning="mean of the Lipschitz constant under a posterior",
    role="placeholder",
)
peak = symbol("C", at_least=1, meaning="a bound on densities of posteriors against the prior")
peak_x, peak_y = symbols(
    "C_x C_y",
    at_least=1,
    meaning="largest density of a posterior against the prior",
    role="placeholder",
)
tail_x, tail_y = symbols(
    "r_x r_y",
    at_least=0,
    at_most=1,
    meaning="posterior probability of the parameters whose constant exceeds t",
    role="placeholder",
)
kept_x, kept_y = symbols(
    "b_x b_y",
    at_least=0,
    at_most=1,
    meaning="probability of an event given a constant of at most t",
    role="placeholder",
)
lost_x, lost_y = symbols(
    "g_x g_y",
    at_least=0,
    at_most=1,
    meaning="probability of an event given a constant above t",
    role="placeholder",
)

# --- the adversary (section 4.3, appendix B) ------------------------------------------------------

cells = symbol("m", integer=True, at_least=1, meaning="number of cells of a partition")
radius = symbol("r", above=0, meaning="a deviation of the empirical distribution, in the l1 norm")
variation = symbol(
    "V",
    at_least=0,
    meaning="total variation distance of the distributions of the draws",
    role="placeholder",
)
overlap = symbol(
    "B", at_least=0, meaning="Hellinger affinity of two posteriors", role="placeholder"
)
spread = symbol("c_0", at_least=1, meaning="a hyperbolic cosine", role="placeholder")
weight = symbol("ell", above=0, meaning="weight of a mean of two squares")
hits = symbol("k_8", integer=True, at_least=0, meaning="number of draws in an event")
tilt = symbol("tau_0", meaning="exponent of a moment generating function")
gap = symbol("Delta", above=0, meaning="half the distance of two sets of datasets")
share_1, share_2 = symbols(
    "theta_2 theta_3", at_least=0, at_most=1, meaning="weight of the first of two posteriors"
)
worst = symbol("W_1", at_least=0, meaning="a bound on the risk of a guess at all datasets")
risk_1 = symbol(
    "R_1",
    at_least=0,
    meaning="mean distance of a guess from a dataset under its distribution",
    role="placeholder",
)

# --- the constant of theorem 1(ii) ----------------------------------------------------------------

omega = symbol("omega", above=0, meaning="c times the width of the shells in eq. A.4")
narrow = symbol("omega_0", above=0, meaning="a width before that of the least bound")
negative = symbol("omega_2", below=0, meaning="a negative argument")
wider = symbol("omega_1", above=omega, meaning="a width that is larger than another")
kappa = symbol(
    "kappa",
    equals=lambda: Rational(491082, 100000),
    meaning="constant of theorem 1(ii), 4.910814..., rounded up; text-a-kappa encloses it",
)
kappa_below = symbol(
    "kappa_0",
    equals=lambda: Rational(491081, 100000),
    latex=r"\kappa_0",
    meaning="the same, rounded down as the paper has it",
)

# --- two coins: a fair one and one of odds K : 1; n tosses are all ones, or all but one -----------

K = symbol("K", above=1, meaning="odds of a biased coin for 1")
w = symbol("w", above=0, below=1, meaning="prior probability of the biased coin")
w_less = symbol("w_0", above=0, at_most=w, meaning="a smaller prior probability of it")
gain = symbol(
    "g",
    equals=lambda: (2 * K / (K + 1)) ** n,
    meaning="likelihood of n ones under the biased coin, over that under the fair one",
)


def coin_posteriors(weight):
    """Posterior probability of the biased coin given n ones, and given n - 1 ones and a zero."""
    return (
        weight * gain / (1 - weight + weight * gain),
        weight * gain / ((1 - weight) * K + weight * gain),
    )


coin_x = symbol(
    "u_x",
    equals=lambda: coin_posteriors(w)[0],
    meaning="posterior probability of the biased coin, given n ones",
)
coin_y = symbol(
    "u_y",
    equals=lambda: coin_posteriors(w)[1],
    meaning="posterior probability of the biased coin, given n - 1 ones and a zero",
)
coins = [w * K**c <= 1]
"""Assumption 2 for a prior on the two coins, by note-coins."""

biased_odds = symbol("o", above=0, meaning="posterior odds of the biased coin")

# --- one toss, and a prior on three coins: fair, odds exp(-t_1), odds exp(t_2) --------------------

w_1 = symbol("w_1", above=0, below=1, meaning="prior probability of the odds exp(-t_1)")
w_2 = symbol("w_2", above=0, below=1 - w_1, meaning="prior probability of the odds exp(t_2)")
t_1 = symbol("t_1", above=0, meaning="smaller of two log odds, for 0")
t_2 = symbol("t_2", above=t_1, meaning="larger of two log odds, for 1")

evidence_1 = symbol(
    "phi_1",
    equals=lambda: (1 - w_1 - w_2) / 2 + w_1 / (1 + exp(t_1)) + w_2 / (1 + exp(-t_2)),
    meaning="evidence of a toss that is 1",
)
evidence_2 = symbol(
    "phi_2",
    equals=lambda: (1 - w_1 - w_2) / 2 + w_1 / (1 + exp(-t_1)) + w_2 / (1 + exp(t_2)),
    meaning="evidence of a toss that is 0",
)

# --- n exponential records, their rate drawn from an exponential distribution ------------------------------

rate = symbol("lambda", above=0, meaning="rate of an exponential prior")
rate_more = symbol("lambda_1", at_least=rate, meaning="a larger rate")
sum_x = symbol("s_x", at_least=0, meaning="sum of the records of x")
sum_y = symbol("s_y", above=sum_x, meaning="sum of the records of y, none smaller than in x")
level = symbol("theta_1", above=0, meaning="where a half-line of rates ends")

# --- one exponential record, 0 or y; its rate is uniform below theta_0, or R ----------------------

record = symbol("y_1", above=0, meaning="the one record of y; that of x is 0")
R = symbol("R", above=0, meaning="a large rate, of prior probability exp(-R)")
theta_0 = symbol("theta_0", above=0, meaning="end of the small rates")
inner = symbol("theta_in", latex=r"\theta'", meaning="a parameter that is integrated over")
evidence_0 = symbol(
    "phi_0",
    equals=lambda: (1 - exp(-R)) * Integral(inner / theta_0, (inner, 0, theta_0)) + exp(-R) * R,
    meaning="evidence of the record 0",
)
evidence_y = symbol(
    "phi_r",
    equals=lambda: (
        (1 - exp(-R)) * Integral(inner * exp(-inner * record) / theta_0, (inner, 0, theta_0))
        + exp(-R) * R * exp(-R * record)
    ),
    meaning="evidence of the record y",
)
mean_rate = symbol(
    "l_0",
    equals=lambda: (
        ((1 - exp(-R)) * Integral(inner**2 / theta_0, (inner, 0, theta_0)) + exp(-R) * R**2)
        / evidence_0
    ),
    meaning="mean of the rate under the posterior of the record 0",
)
rare_rate = [theta_0 <= 1 - exp(-R), theta_0 <= R]
"""Assumption 2 with c = 1 for this prior, by note-one-record."""

# --- n tosses, all ones or all zeros; success probability drawn from a beta distribution -------------------

alpha = symbol("alpha", above=0, meaning="both parameters of a symmetric beta prior")
beta_rate = symbol(
    "c_alpha",
    equals=lambda: 2 ** (1 - 2 * alpha) / beta(alpha, alpha),
    meaning="best rate of assumption 2 for the log odds of a symmetric beta distribution",
)
prior_a, prior_b = symbols("a_0 b_0", above=0, meaning="parameters of a beta prior")
successes, failures = symbols(
    "n_1 n_0", integer=True, at_least=0, meaning="numbers of ones and of zeros"
)
whole_alpha = symbol(
    "alpha_0", integer=True, at_least=1, meaning="the same, where it is a whole number"
)
nearer = symbol(
    "z_0", above=0, at_most=Rational(1, 2), meaning="the smaller of theta and 1 - theta"
)
nearest = symbol("z_1", above=0, at_most=nearer, meaning="a smaller one")
more = symbol("e_0", above=0, meaning="by how much one number is larger than another")
gap_0 = symbol("g_0", above=0, meaning="a positive number, however small")
log_odds, more_log_odds = symbols("o_1 o_2", at_least=0, meaning="absolute log odds")

# --- exponential families and their priors (section 5, appendix C) --------------------------------

eta = symbol("eta", meaning="natural parameter")
statistic_x, statistic_y = symbols("T_x T_y", meaning="sufficient statistic of x and y")
base_x = symbol("h_x", above=0, meaning="base measure at x")
x, y = symbols("x y", meaning="a record of each dataset")
scale = symbol("s", above=0, meaning="scale of a Laplace distribution")
mu = symbol("mu", meaning="location of a Laplace or normal distribution")
sigma = symbol("sigma", above=0, meaning="standard deviation of a normal distribution")
inverse = symbol("tau", above=0, meaning="inverse scale, or precision")
factor = symbol(
    "m_mu",
    equals=lambda: Max(Abs(mu), 1),
    meaning="max(|mu|, 1) of Lemma 6",
)

# --- binomial counts ------------------------------------------------------------------------------

count = symbol("k_2", integer=True, at_least=0, at_most=n - 1, meaning="a count that is not n")
apart = symbol(
    "k_9", integer=True, at_least=1, at_most=n - count, meaning="difference of two counts"
)
bound_factor = symbol("v_0", above=0, meaning="the factor v of the proof of Lemma 5")
odds = symbol("o_0", meaning="log odds of theta")

# --- networks -------------------------------------------------------------------------------------

smallest = symbol("epsilon_0", above=0, below=1, meaning="smallest entry of the network's tables")
entry, other_entry = symbols(
    "p_1 p_2", at_least=smallest, at_most=1, meaning="two entries of one table"
)
root, child_0, child_1 = symbols(
    "q_1 q_2 q_3",
    at_least=smallest,
    at_most=1 - smallest,
    meaning="probability of 1 for the first variable, and for the second given 0 or 1",
)
last = symbol("K_0", integer=True, at_least=0, meaning="the last variable, counted from 0")
variable, other_variable, each = symbols(
    "k_5 k_6 k_7", integer=True, at_least=0, meaning="a variable, counted from 0"
)
changes = symbol(
    "n_2",
    at_least=0,
    meaning="number of variables that a factor reads and that differ",
    role="placeholder",
)
changed = symbol("N_0", integer=True, at_least=0, meaning="number of factors that differ so far")
largest = symbol("M_0", at_least=0, meaning="largest log ratio of two entries of one table")
