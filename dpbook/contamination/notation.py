"""Notation of the contamination paper. Claims, chapters and the notation table all use these.

A density at one record is a number: f for the model at theta, f_0 at the true theta*, g for the
contamination. What ties such numbers to distributions stands in the claims that need it; statements about
one model write its distributions out. The paper calls two things p_n: here p is the rate of contamination.
"""

from __future__ import annotations

from typing import Any

from sympy import Abs, Expr, Rational, exp, log, pi, sqrt

from dpbook import Defined, symbol, symbols

# --- privacy (section 2.1) ------------------------------------------------------------------------

epsilon = symbol("epsilon", at_least=0, meaning="privacy loss")
delta = symbol("delta", above=0, below=1, meaning="probability of a larger loss")
n = symbol("n", integer=True, at_least=1, meaning="number of records")
distance = symbol("mu", above=0, meaning="standard deviations between two normal outputs")

# --- contamination (section 2.2) ------------------------------------------------------------------

p = symbol("p", above=0, below=1, meaning="rate of contamination; p_n in the paper")
p_0 = symbol("p_0", at_least=0, below=1, meaning="a rate of contamination, or none")
p_less = symbol("p_1", at_least=0, at_most=p, meaning="a smaller rate, p' of lemma 9")
f, f_star = symbols(
    "f f_0", above=0, meaning="density of the model at a record, under theta, theta*"
)
f_1, f_2, f_3, f_4 = symbols(
    "f_1 f_2 f_3 f_4",
    at_least=0,
    meaning="densities of the model, which may be 0: at a record under theta, theta*, and at another",
)
g = symbol("g", above=0, meaning="density of the contamination at a record")
share = symbol("g_1", at_least=0, at_most=1, meaning="probability of 1 under the contamination")
answer_0, answer_1 = symbols(
    "a_0 a_1", at_least=0, at_most=1, meaning="probability of an answer, given the record 0 or 1"
)


def contaminated(density: Any, contamination: Any, rate: Any = p) -> Expr:
    """Density k_p of a contaminated record."""
    return (1 - rate) * density + rate * contamination


# --- the posterior and its parts (section 2.3): integrals of the likelihood ratio -----------------

eta = symbol("eta", at_least=1, meaning="largest ratio of d(x; theta) and d(z; theta) on A")
in_x, in_z = symbols("s_x s_z", at_least=0, meaning="m_n(S in A, X), and for Z")
rest_x, rest_z = symbols("r_x r_z", at_least=0, meaning="m_n(A without S, X), and for Z")
far_x, far_z = symbols("o_x o_z", at_least=0, meaning="m_n(S outside A, X), and for Z")
off_x, off_z = symbols("b_x b_z", at_least=0, meaning="m_n(outside A and S, X), and for Z")
w_1, w_2, w_3, w_4 = (
    symbol(f"w_{k}", above=0, meaning=f"prior probability of parameter {k}") for k in (1, 2, 3, 4)
)
e_1, e_2, e_3, e_4 = (
    symbol(f"e_{k}", above=0, meaning=f"product of d over the other records, at parameter {k}")
    for k in (1, 2, 3, 4)
)
x_1, x_2, x_3, x_4 = (
    symbol(f"x_{k}", above=0, meaning=f"d(x; theta) at parameter {k}") for k in (1, 2, 3, 4)
)
z_1, z_2, z_3, z_4 = (
    symbol(f"z_{k}", above=0, meaning=f"d(z; theta) at parameter {k}") for k in (1, 2, 3, 4)
)
all_x, all_z = symbols("m_x m_z", above=0, meaning="m_n(Omega, X), and for Z")
bad_0, bad_1, bad_2, bad_3 = symbols(
    "J_0 J_1 J_2 J_3", meaning="1 for the datasets of an event, 0 for others"
)
after_x, after_z = symbols("P_x P_z", at_least=0, meaning="posterior probability of S, given X, Z")
in_a, in_s, in_b = symbols("I_A I_S I_B", meaning="1 in a set of parameters and 0 outside")
weight = symbol("w_0", at_least=0, meaning="prior density times the likelihood of shared records")
d_x, d_z = symbols("d_x d_z", above=0, meaning="d at the last record of X, and of Z")
mass_0, mass_1 = symbols("q_0 q_1", at_least=0, meaning="two integrals under the prior")
mass_2 = symbol("q_2", meaning="a probability")
level_0 = symbol("b_0", above=0, meaning="a bound on the evidence, or on a likelihood ratio")
bound_0 = symbol("D_0", above=0, meaning="a bound on the posterior probability outside A")
level_2 = symbol("b_2", above=0, meaning="a bound on the evidence outside A")
moment = symbol("v_0", at_least=0, meaning="moment of the likelihood ratio at a parameter")
data = symbol("omega", meaning="a pair of datasets")
first_size = symbol(
    "N_1", integer=True, at_least=1, meaning="number of records of the first of two datasets"
)
y, y_1, y_2 = symbols("y y_1 y_2", meaning="records of which all are meant")
inner = symbol("theta_1", meaning="a parameter under an integral")
at = symbol("vartheta", meaning="a parameter of which all are meant")
w = symbol("w", above=0, below=1, meaning="prior probability of the parameter that is not theta*")
ratio = symbol("d", above=0, meaning="d(x; theta) at the parameter that is not theta*")

# --- constants and sequences of the theorems (section 3) ------------------------------------------

phi = symbol("phi", above=0, below=1, meaning="Hellinger radius of A, phi_n")
psi = symbol("psi", above=0, meaning="radius of A in the parameter, psi_n of proposition 3")
T = symbol("T", above=0, meaning="largest ratio of the derivative of f to g, T_n of lemma 14")
alpha = symbol("alpha", above=0, at_most=1, meaning="order of the divergence of definition 6")
t = symbol("t", above=0, meaning="radius in that divergence, t_n = c_1 phi_n^2 / 8")
c, c_1, c_2, c_3, c_4 = symbols(
    "c c_1 c_2 c_3 c_4", above=0, meaning="constants of assumptions 1 to 3"
)
C = symbol("C", at_least=4, meaning="the factor C(n, phi_n) of lemma 13")
factor = symbol("C_0", above=0, meaning="the factor of the probability in lemma 8")
small = symbol("epsilon_0", at_least=0, meaning="the bound varepsilon_n of theorem 4 on log eta")
odds = symbol("o_1", above=0, meaning="odds p/(1 - p) of a rate of contamination")
slack = symbol("epsilon_1", meaning="what two informations differ by at least")
index = symbol("k_1", integer=True, meaning="a number of records of which all are meant")
particles = symbol("m", integer=True, at_least=1, meaning="number of particles of Algorithm 1")
after_a = symbol("P_A", above=0, at_most=1, meaning="posterior probability outside A")
drawn_a = symbol("Q_A", above=0, at_most=1, meaning="probability outside A of a drawn particle")
slope_1, slope_2 = symbols("s_1 s_2", meaning="two derivatives of f at a record, at theta*")
size = symbol("r_0", above=0, meaning="a distance from theta*")
distance_0, distance_1 = symbols(
    "H_0 H_1",
    at_least=0,
    meaning="squared Hellinger distances of two distributions, and contaminated",
)
gap_at = symbol("h_0", above=0, meaning="infimum of the Hellinger distance beyond a distance")
q = symbol("q", above=4, meaning="phi_n is n**(-1/q)")
u = symbol("u", above=0, meaning="size of a bracket; what an exponent is above its end")

# --- constants of lemmas 8 and 16 -----------------------------------------------------------------

k = symbol("k", above=0, below=1, meaning="share k of lemma 16")
tau = symbol("tau", above=0, meaning="where the log likelihood ratio is cut off, below -tau")
M = symbol("M", above=0, meaning="deviation of the empirical process")
tilt = symbol("lambda_1", above=0, meaning="rate of an exponential moment")
variance = symbol("v_1", above=0, meaning="a bound on the variance of a record")
mean_1 = symbol("m_1", meaning="mean of the value of a record")
level_1, level_3 = symbols("b_1 b_3", meaning="two exponents")
count = symbol("j", integer=True, at_least=0, meaning="number of a shell")
shells = symbol("L_0", integer=True, at_least=0, meaning="number of the last shell")
lost_0 = symbol("rho_0", above=0, meaning="the share rho of lemma 8's proof, or more")
scales = symbol("N_0", integer=True, at_least=0, meaning="number N of scales in lemma 16")
number = symbol("u_1", meaning="a real number")
radius = symbol("t_0", above=0, at_most=1, meaning="Hellinger radius t of lemma 16")
entropies = symbol("H_2", above=0, meaning="sum of the bracketing entropies of the first scales")
level = symbol("ell", equals=lambda: -log(phi) / log(2), latex=r"\ell", meaning="-log_2 phi")
split = symbol("k_0", equals=lambda: Rational(2, 3), meaning="the share k that the paper takes")
tau_0 = symbol("tau_0", equals=lambda: 2 * log(5), meaning="the cut-off tau that the paper takes")


class moment_constant(Defined):
    """The constant c_0 of lemma 16 at a cut-off: ``(e - 1 - tau/2) / (1 - 1/e)**2``, e = exp(tau/2)."""

    nargs = 1

    def definition(self) -> Expr:
        (cut,) = self.args
        return (exp(cut / 2) - 1 - cut / 2) / (1 - exp(-cut / 2)) ** 2

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return rf"c_0\left({printer.doprint(self.args[0])}\right)"


class lost_share(Defined):
    """The share rho of lemma 8's proof at a cut-off: ``2 exp(-tau/2) / (1 - exp(-tau/2))**2``."""

    nargs = 1

    def definition(self) -> Expr:
        (cut,) = self.args
        return 2 * exp(-cut / 2) / (1 - exp(-cut / 2)) ** 2

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return rf"\varrho\left({printer.doprint(self.args[0])}\right)"


# --- families (sections 4.2, 4.3 and appendix C) --------------------------------------------------

x, z = symbols("x z", meaning="a record, and another in its place")
theta, theta_star = symbols("theta theta_0", meaning="a parameter theta'w, and the true one")
shift = symbol("s", meaning="theta'w, less the true one")
gap = symbol("Delta", above=0, meaning="distance of two parameters theta'w")
Delta_1, Delta_2 = symbols("Delta_1 Delta_2", meaning="entries of theta - theta* in two dimensions")
sigma, sigma_star = symbols(
    "sigma sigma_0", above=0, meaning="a standard deviation, and the true one"
)
scale = symbol("lambda", above=0, meaning="dispersion of the contamination")
gamma_1 = symbol(
    "gamma_1", above=0, meaning="dispersion gamma of a Cauchy distribution: its squared scale"
)
quantile = symbol("tau_1", above=0, below=1, meaning="level tau of a quantile regression")
d = symbol("dim", integer=True, at_least=1, latex=r"\dim", meaning="dimension of the parameter, d")
R = symbol("R", at_least=1, meaning="radius of the sieve, R_n")
r = symbol("r", above=0, meaning="largest distance of two parameters")
mean_0, total = symbols(
    "mu_0 S", meaning="mean of the prior; sum of the records that X and Z share"
)


def logistic(at: Any) -> Expr:
    """Probability Phi of a one in logistic regression."""
    return 1 / (1 + exp(-at))


def normal(at: Any, sd: Any = 1) -> Expr:
    """Density of a normal distribution around 0."""
    return exp(-(at**2) / (2 * sd**2)) / (sqrt(2 * pi) * sd)


def student(at: Any, dispersion: Any = 1) -> Expr:
    """Density of Student's t with 5 degrees of freedom around 0, of a squared scale."""
    return 8 / (3 * pi * sqrt(5 * dispersion)) * (1 + at**2 / (5 * dispersion)) ** (-3)


def cauchy(at: Any, width: Any = 1) -> Expr:
    """Density of a Cauchy distribution around 0."""
    return 1 / (pi * width * (1 + at**2 / width**2))


def check_loss(at: Any, level_of: Any = quantile) -> Expr:
    """The loss Q_tau of quantile regression."""
    return (Abs(at) + (2 * level_of - 1) * at) / 2
