"""Notation of the paper on unknown sample sizes. Claims, chapters and the notation table use these.

A sub-step of the sampler is reversible whatever the densities are. Such a statement is put in the
values that the densities take at the two states between which the step moves.
"""

from sympy import Abs, Rational, exp

from dpbook import symbol, symbols

# --- privacy and the number of records (sections 2 to 4) -----------------------------------------

epsilon = symbol("epsilon", above=0, meaning="privacy loss")
eps_s = symbol("epsilon_s", above=0, meaning="privacy loss of the sums s")
eps_n = symbol("epsilon_n", above=0, meaning="privacy loss of the noisy number of records")
delta = symbol("delta", at_least=0, below=1, meaning="probability of a larger loss")
mu = symbol("mu", above=0, meaning="loss of Gaussian differential privacy")
rho = symbol("rho", above=0, meaning="loss of zero-concentrated differential privacy")
n = symbol("n", integer=True, at_least=1, meaning="number of records")
m = symbol("m", integer=True, at_least=1, meaning="another number of records")
n_0 = symbol("n_0", integer=True, at_least=1, meaning="a value of n or of n_dp")
real_n_0 = symbol(
    "r_0", at_least=1, meaning="a value of n_dp that need not be whole; n_0 in the paper"
)
n_dp = symbol("n_dp", latex=r"n_{\mathrm{dp}}", meaning="the noisy number of records")
distance = symbol("k", integer=True, at_least=0, meaning="distance of two numbers of records")
distance_below = symbol(
    "k_0", integer=True, at_least=0, meaning="distance of a number of records from a larger one"
)
beyond = symbol(
    "N_0",
    integer=True,
    at_least=1,
    meaning="number of terms; numbers above n_0 that a prior allows",
)
index = symbol("j", integer=True, meaning="an index that a sum runs over")
q = symbol(
    "q",
    above=0,
    below=1,
    meaning="exp(-epsilon), the ratio of neighbouring masses of discrete Laplace noise",
)
fraction = symbol("a", at_least=0, below=1, meaning="n_dp less its floor, in Lemma A.2")
level = symbol("M", above=0, meaning="a level that epsilon times a distance may exceed")
floor_below, ceiling_below = symbols(
    "j_0 j_1", integer=True, meaning="floor and ceiling of a - M/epsilon, in eq. 10 and 11"
)

ceiling_above = symbol("j_2", integer=True, meaning="ceiling of a + M/epsilon, in eq. 10 and 11")
most_epsilon = symbol("epsilon_0", above=0, meaning="the largest loss that Lemma A.2 allows")
chance = symbol("gamma", above=0, meaning="a probability that is to be small")

# --- events and their probabilities --------------------------------------------------------------

p_x, p_y, p_z = symbols(
    "P_x P_y P_z",
    at_least=0,
    at_most=1,
    meaning="probability of an event given x, y or a dataset between them",
)
given_p, given_q = symbols(
    "S_P S_Q", above=0, at_most=1, meaning="probability of an event S under two distributions"
)
both_p = symbol(
    "A_P", at_least=0, at_most=given_p, meaning="probability of A and S, first distribution"
)
both_q = symbol(
    "A_Q", at_least=0, at_most=given_q, meaning="probability of A and S, second distribution"
)
variation = symbol(
    "V", at_least=0, at_most=1, meaning="total variation distance of two distributions"
)
first_ratio, second_ratio = symbols("u_3 u_4", above=0, meaning="two positive numbers")
fixed_point = symbol(
    "c", at_least=0, at_most=Rational(1, 2), meaning="fixed point of a trade-off function"
)
fall = symbol(
    "f_0", at_least=0, meaning="how steeply a trade-off function falls at its fixed point"
)
aside = symbol("h_0", at_least=0, meaning="distance of the threshold of a test from mu/2")
trade_off_at = symbol("alpha_0", at_least=0, at_most=1, meaning="an error of the first kind")

# --- the K-norm gradient mechanism, and records in an interval -----------------------------------

record = symbol("x", at_least=0, at_most=1, meaning="a record in [0, 1]")
release = symbol("s", at_least=0, at_most=1, meaning="a release in [0, 1]")
total = symbol("t", meaning="sum of the records")
mean = symbol("x_mean", at_least=0, at_most=1, latex=r"\bar{x}", meaning="mean of the records")
rate = symbol("r", above=0, meaning="rate of the exponential decay, n epsilon / 2")

# --- densities at the states of the sampler (section 5.1) ----------------------------------------

rest = symbol("w", above=0, meaning="the factors of the target that a step leaves alone")
f_old, f_new = symbols(
    "f_1 f_2", above=0, meaning="p(x_i | theta) at the old row, and at the proposed one"
)
f_3, f_4 = symbols("f_3 f_4", above=0, meaning="p(x | theta) at two more rows that are born")
g_old, g_new, g_mid = symbols(
    "g_1 g_2 g_3", above=0, meaning="mechanism density p(s | x) at datasets that a step connects"
)
size_old, size_new = symbols(
    "c_1 c_2", above=0, meaning="p(n) p(n_dp | n) before a jump, and after it"
)
up, down = symbols("q_1 q_2", above=0, at_most=1, meaning="q(n* | n) and q(n | n*)")
start = symbol(
    "z_0", at_least=0, at_most=1, meaning="probability of the first model at the start of a chain"
)
steps = symbol("t_3", integer=True, at_least=0, meaning="number of steps of a chain")
pi_old, pi_new = symbols("pi_1 pi_2", above=0, meaning="target at two states")
theta = symbol("theta", above=0, below=1, meaning="the parameter, where it is a probability")
toss, new_toss = symbols(
    "x_1 x_2", integer=True, at_least=0, at_most=1, meaning="a toss of a coin: 0 or 1"
)
s = symbol("s_1", meaning="a noisy sum")
# a coin of known theta, one record or two: the smallest model in which rows are born and die
g_0, g_1 = symbols("g_4 g_5", above=0, meaning="p(s | x) where the one record is 0, or 1")
g_00, g_01, g_11 = symbols(
    "g_6 g_7 g_8", above=0, meaning="p(s | x) where two records sum to 0, 1 or 2"
)

# --- datasets of any length, each told by one number (any_models) ----------------------------------

rows = symbol("d", meaning="a dataset, as a number; or the rows of one that a step leaves alone")
old_row, new_row = symbols("y z", meaning="a row of the dataset, and one that takes its place")

told, told_too = symbols("t_1 t_2", meaning="a real number that tells the number of records")
index_more = symbol("i", integer=True, at_least=0, meaning="a number of further records")
sequence = symbol("y_4", meaning="a sequence of records, as a number")
little = symbol(
    "eta_0", at_least=0, meaning="largest distance of distributions at numbers that are close"
)
gap = symbol("e_0", at_least=0, meaning="what an approximate maximiser may lose")

# --- acceptance (proposition 5.1), sensitivity (section 6) ---------------------------------------

sensitivity = symbol("Delta", above=0, meaning="l1 sensitivity of the sums")
statistic_old = symbol(
    "u_1", at_least=-sensitivity, at_most=sensitivity, meaning="statistic t(x_i) of the old row"
)
statistic_new = symbol(
    "u_2", at_least=-sensitivity, at_most=sensitivity, meaning="statistic t(x*) of the new row"
)
covariates = symbol("p", integer=True, at_least=1, meaning="number of covariates")
chernoff = symbol("t_4", above=0, below=1, meaning="rate of the exponential in Markov's inequality")
v_1, v_2, v_y = symbols(
    "v_1 v_2 v_3",
    at_least=-1,
    at_most=1,
    meaning="two covariates and a response, clamped and mapped to [-1, 1]",
)
low = symbol("L", meaning="lower clamping bound")
high = symbol("U", above=low, meaning="upper clamping bound")
clamped = symbol("x_c", at_least=low, at_most=high, meaning="a record clamped to [L, U]")
floor = symbol("a_0", above=0, at_most=Rational(1, 3), meaning="shares below it count as it")
share_1 = symbol("x_3", at_least=floor, at_most=1, meaning="a share of the day, clamped from below")
share_2 = symbol("x_4", at_least=floor, at_most=1, meaning="another share, clamped from below")
share_3 = symbol("x_5", at_least=floor, at_most=1, meaning="a third share, clamped from below")

gram = symbol("S_xx", at_least=0, meaning="sum of x^2 over the rows, for one covariate")
cross, square = symbols("S_xy S_yy", meaning="sums of x y and of y^2 over the rows")
coefficient, prior_mean = symbols("beta_1 m_0", meaning="a coefficient, and its prior mean")
prior_precision = symbol("V_0", above=0, meaning="prior precision of a coefficient, over tau")

residual = symbol("R_1", above=0, meaning="residual sum of squares of a regression")
precision = symbol("tau", above=0, meaning="precision of a response")

# --- EM (section 5.2) ----------------------------------------------------------------------------

ones = symbol("T_1", above=0, meaning="ones among all latent tosses of all draws")
tosses = symbol("N", above=ones, meaning="number of all latent records of all draws")
draws = symbol(
    "m_1", integer=True, at_least=1, meaning="number of draws of latent data, m of Section 5.2"
)
latent_1, latent_2 = symbols(
    "l_1 l_2", above=0, meaning="p(s, x, n | theta) at two latent datasets, old theta"
)
latent_new_1, latent_new_2 = symbols("l_3 l_4", above=0, meaning="the same at the new theta")
failures_1, failures_2, ones_1, ones_2 = symbols(
    "b_1 b_2 b_3 b_4", integer=True, at_least=0, meaning="zeros and ones in two latent datasets"
)
poisson_rate = symbol("lambda", above=0, meaning="rate of a Poisson distribution")
cost_draw, cost_swap, cost_jump = symbols(
    "k_1 k_2 k_3",
    above=0,
    meaning="time of a draw of the parameter over n, of a swap, and of a jump",
)

# --- cells with Poisson counts (appendix B) ------------------------------------------------------

cell_rate = symbol("lambda_1", above=0, meaning="intensity of a cell")
cell_rates = symbols("lambda_1 lambda_2 lambda_3", above=0, meaning="intensities of three cells")
count = symbol("x_6", integer=True, at_least=0, meaning="count of a cell")
counts = symbols("y_1 y_2 y_3", integer=True, at_least=0, meaning="counts of three cells")
shape = symbol("alpha", above=0, meaning="shape of a gamma prior")
shapes = symbols("alpha_1 alpha_2 alpha_3", above=0, meaning="shapes of three gamma priors")
prior_rate = symbol("beta", above=0, meaning="rate of the gamma priors; theta in the paper")
part_1 = symbol("p_1", above=0, below=1, meaning="probability of the first cell")
part_2 = symbol("p_2", above=0, below=1 - part_1, meaning="probability of the second cell")
intensity = symbol("lambda_0", above=0, meaning="sum of the intensities")


def laplace_kernel(at, centre, loss):
    """Density of Laplace noise of scale 1/loss, up to its constant."""
    return exp(-loss * Abs(at - centre))
