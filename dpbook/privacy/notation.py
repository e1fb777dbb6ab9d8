"""Notation of the privacy claims."""

from dpbook import symbol, symbols

# privacy and its measures
epsilon = symbol("epsilon", at_least=0, meaning="privacy loss")
other_epsilon = symbol("epsilon_2", at_least=0, meaning="privacy loss of a second release")
delta = symbol("delta", above=0, below=1, meaning="probability of a larger loss")
rho = symbol("rho", above=0, meaning="loss in zero-concentrated differential privacy")
nu = symbol("nu", above=1, meaning="order of the Renyi divergence")
order_taken = symbol("nu_1", above=1, meaning="order of the divergence that a conversion takes")
order = symbol("alpha", above=0, meaning="order of the Renyi divergence; 1 is left out")
low_order = symbol("lambda", above=0, below=1, meaning="order of the Renyi divergence below 1")
divergence = symbol("D", at_least=0, meaning="Renyi divergence of a pair")

# outputs
at = symbol("t", meaning="an output")
positive_output = symbol("t_1", above=0, meaning="a positive output")
tail_start = symbol("u", at_least=0, meaning="where a tail begins")
threshold = symbol("s", meaning="output above which a test rejects")

# normal distributions
mu_1, mu_2 = symbols("mu_1 mu_2", meaning="means of two normal distributions")
mu_3, mu_4 = symbols("mu_3 mu_4", meaning="means of two further distributions")
sigma_1, sigma_2 = symbols(
    "sigma_1 sigma_2", above=0, meaning="standard deviations of two distributions"
)
shifted_variance = symbol(
    "shifted_variance",
    equals=lambda: nu * sigma_2**2 + (1 - nu) * sigma_1**2,
    latex=r"(\sigma^2)_\nu^*",
    meaning="variance that the divergence divides by; finite where it is positive",
)
distance = symbol("Delta", above=0, meaning="distance of two means in standard deviations")
loss_distance, other_distance = symbols(
    "mu nu_2",
    above=0,
    meaning="distances of two pairs of normal distributions, in standard deviations",
)

# other distributions
mean_distance = symbol("d", at_least=0, meaning="distance of two means")
scale, other_scale = symbols("b b_2", above=0, meaning="scales of two Laplace distributions")
shape, other_shape = symbols("a a_2", above=0, meaning="shapes of two gamma distributions")
rate, other_rate = symbols(
    "r r_2", above=0, meaning="rates of two gamma or exponential distributions"
)
rate_ratio = symbol("w", above=1, meaning="ratio of two rates")
beta_a, beta_b = symbols("beta_1 beta_2", above=0, meaning="parameters of a beta distribution")
other_a, other_b = symbols(
    "gamma_1 gamma_2", above=0, meaning="parameters of another beta distribution"
)
cell_1, cell_2, cell_3 = symbols(
    "g_1 g_2 g_3", above=0, meaning="parameters of a Dirichlet distribution"
)
other_cell_1, other_cell_2, other_cell_3 = symbols(
    "h_1 h_2 h_3", above=0, meaning="parameters of another Dirichlet distribution"
)
next_cell = symbol("t_2", meaning="probability of the second cell")
p, q = symbols("p q", above=0, below=1, meaning="success probabilities of two distributions")
trials = symbol("n", integer=True, at_least=1, meaning="number of trials")

# the quantities of conversions and composition
ratio = symbol("x", above=0, meaning="ratio of two densities at one output")
weight = symbol("w_1", at_least=0, at_most=1, meaning="weight of the upper end of a range")
upper_end = symbol("y", at_least=1, meaning="upper end of a range, in units of the lower end")
queries = symbol("k", integer=True, at_least=1, meaning="number of releases, or size of a group")
kept = symbol("c", above=0, below=1, meaning="probability that a record is kept as it is")
density_1, density_2, density_3, density_4 = symbols(
    "p_1 p_2 q_1 q_2", at_least=0, meaning="densities of two releases on two datasets"
)
event, other_event, third_event = symbols(
    "P_B Q_B G_B",
    at_least=0,
    at_most=1,
    meaning="probabilities of one event under three distributions",
)

# distributions that are left open
first_delta, second_delta = symbols(
    "delta_1 delta_2", at_least=0, meaning="probabilities of a larger loss"
)
share = symbol(
    "theta", at_least=0, at_most=1, meaning="weight of the first distribution in a mixture"
)
multiple, other_multiple = symbols("a_1 a_3", meaning="real numbers")
third_multiple, fourth_multiple = symbols("a_4 a_5", meaning="further real numbers")
last_outcome = symbol("m", integer=True, at_least=0, meaning="the last of finitely many outcomes")
other_last = symbol("m_2", integer=True, at_least=0, meaning="the last outcome of a second release")
first_output = symbol("x_1", meaning="the first of two outputs")
first_outcome = symbol("j", integer=True, at_least=0, meaning="the first of two outcomes")
history = symbol("h", meaning="what the outputs so far were, as a number")
more = symbol("i", integer=True, at_least=0, meaning="number of releases that are still to come")
outcome = symbol("x", integer=True, at_least=0, meaning="an outcome of the next release")
first_mass, second_mass = symbols(
    "r_1 r_3", above=0, meaning="masses, under two distributions, of the outputs so far"
)
most = symbol(
    "most",
    latex="c",
    integer=True,
    at_least=1,
    meaning="how many answers may lie above a threshold",
)
short = symbol("short", above=0, latex="e", meaning="how far a line stays below a function")
other_outcome = symbol("l", integer=True, at_least=0, meaning="another outcome")
lowest = symbol("lowest", above=0, latex=r"\ell", meaning="lower end of the range of a ratio")
common_affinity = symbol("c_1", above=0, meaning="an affinity of two distributions")
count, other_count = symbols("n_1 n_3", integer=True, meaning="counts of records of two datasets")
integer_output = symbol("z", integer=True, meaning="an integer output")
start = symbol("start", latex="z_0", integer=True, meaning="integer from which on a tail is summed")
third_count = symbol("n_4", integer=True, meaning="count of records of a third dataset")
sensitivity = symbol(
    "sensitivity",
    latex=r"\Delta_1",
    integer=True,
    at_least=1,
    meaning="how far the counts of two neighbours are apart at most",
)
