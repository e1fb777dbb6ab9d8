"""Notation of the depth_medians paper. Claims, chapters and the notation table all use these.

Outlyingness is a supremum over directions. Statements for each direction are about the numbers
of one direction: the projection of a point, the projected location and scale of each of two
datasets. Costs and masses of the exponential mechanism are numbers too: their relations
stand in the claims. A probability or an integral that a number stands for is a placeholder, and only
notes are about these; numbers that the paper takes in a proof, or we in a counterexample, are
chosen, and all others are given.
"""

from sympy import Rational

from dpbook import symbol, symbols

# --- the mechanism's numbers ----------------------------------------------------------------------

epsilon = symbol("epsilon", above=0, meaning="privacy loss")
delta = symbol("delta", above=0, at_most=Rational(1, 2), meaning="probability of a larger loss")
any_delta = symbol(
    "delta_r", at_least=0, meaning="delta of Theorem 5.2 and Lemma D.1, which may exceed 1/2"
)
eta = symbol("eta", above=0, meaning="change of outlyingness by one row that is allowed")
tau = symbol("tau", above=0, meaning="largest outlyingness of a point that is drawn")
beta = symbol(
    "beta",
    equals=lambda: epsilon / (4 * eta),
    meaning="inverse temperature of the exponential mechanism",
)
n = symbol("n", integer=True, at_least=1, meaning="number of rows")
d = symbol("d", integer=True, at_least=1, meaning="dimension")
k = symbol("k", integer=True, at_least=1, meaning="number of replaced rows, or a level of a test")
margin = symbol("s", integer=True, at_least=0, meaning="safety margin")
failure = symbol(
    "rho", above=0, at_most=Rational(1, 2), meaning="chance that the test fails", role="chosen"
)
gamma = symbol(
    "gamma",
    above=0,
    at_most=1,
    meaning="chance that a release is further off than the bound of Theorem 3.2",
)
margin_next = symbol(
    "s_2", integer=True, at_least=0, meaning="safety margin of the neighbour", role="given"
)
noise = symbol("w", meaning="value of a standard Laplace variable")
excess = symbol("z", at_least=0, meaning="what noise must exceed, or fall short of")

# --- propose-test-release (section 5) -------------------------------------------------------------

epsilon_1, epsilon_2 = symbols(
    "epsilon_1 epsilon_2", at_least=0, meaning="losses of the test, and of what is released"
)
delta_1, delta_2, delta_3 = symbols(
    "delta_1 delta_2 delta_3", at_least=0, meaning="the deltas of Theorem 5.1"
)
passes, passes_next = symbols(
    "lambda lambda_1", above=0, below=1, meaning="chance that a dataset, or its neighbour, passes"
)
chance, chance_next = symbols(
    "q q_1", above=0, below=1, meaning="probability of an event under the mechanism that is tested"
)
accepts, accepts_next = symbols(
    "lambda_2 lambda_3",
    at_least=0,
    at_most=1,
    meaning="lambda of a test: the chance that a dataset, or its neighbour, passes",
    role="given",
)
nothing_too = symbol(
    "b_2",
    integer=True,
    at_least=0,
    at_most=1,
    meaning="1 where nothing released is in an event, else 0",
    role="given",
)
share_here, share_there = symbols(
    "m_a q_a",
    at_least=0,
    at_most=1,
    meaning="probabilities of an event of the mechanism, for two datasets",
    role="placeholder",
)
factor = symbol("k_0", above=1, meaning="the k of Theorem 5.2", role="chosen")

# --- one direction --------------------------------------------------------------------------------

point = symbol("p", meaning="projection of a point, x'u")
other_point = symbol("p_2", meaning="projection of another point")
share = symbol("t_0", at_least=0, at_most=1, meaning="weight of the first of two points")
apiece = symbol("w_1", above=0, below=Rational(1, 2), meaning="chance of either of two rows")
stretch = symbol("a_0", above=0, meaning="factor by which a linear map stretches a direction")
moved = symbol("b_0", meaning="projection of a translation")
location, other_location = symbols(
    "mu mu_1", meaning="projected location of a dataset, and of another one"
)
scale, other_scale = symbols(
    "sigma sigma_1", above=0, meaning="projected scale of a dataset, and of another one"
)
truth = symbol("h", meaning="projection of the population's median, theta'u")
population = symbol("mu_0", meaning="projected location of the population")
centre = symbol("c", meaning="projection of the centre of a ball", role="chosen")
shift = symbol("S_mu", at_least=0, meaning="most by which a projected location differs")
spread = symbol("S_sigma", at_least=0, meaning="most by which a projected scale differs")
least_scale = symbol("b", above=0, meaning="lower bound on both projected scales")
largest_scale = symbol("B", at_least=least_scale, meaning="upper bound on the projected scales")
wide = symbol("alpha_mu", at_least=0, meaning="largest less smallest projected location")
level = symbol("t", at_least=0, meaning="a level of outlyingness, or a distance")
distance = symbol(
    "t_3",
    above=0,
    meaning="distance of a release from the truth, or error of a quantile: t of Lemmas B.4, C.1 and E.1",
)
radius = symbol("r", above=0, meaning="radius of a ball; half width of Condition 4")
out_1, out_2, far_1, far_2 = symbols(
    "o_1 o_2 f_1 f_2", at_least=0, meaning="outlyingness in two directions, for two datasets"
)

# --- conditions 1 to 4 ----------------------------------------------------------------------------

c_1 = symbol("c_1", above=0, meaning="lower bound on the population's projected scales")
c_2 = symbol("c_2", at_least=c_1, meaning="upper bound on the population's projected scales")
c_3 = symbol("c_3", at_least=0, meaning="bound on the distance of locations from the median")
sampling = symbol("s_n", at_least=0, meaning="largest sampling error of a projected location")
sampling_scale = symbol("s_sigma", at_least=0, meaning="largest sampling error of a scale")
tail_of_scales, tail_of_locations, tail_beside = symbols(
    "zeta_s zeta_m kappa_n",
    at_least=0,
    meaning="zeta of Condition 2 at a number, of the scale and of the location, and kappa of Condition 1",
)
density = symbol("M", above=0, meaning="least projected density, of Condition 4")
k_r, k_s = symbols(
    "k_r k_s", above=0, meaning="constants of the proof of Theorem 3.2", role="chosen"
)
C = symbol(
    "C", above=0, meaning="a universal constant of a bound; in Lemmas C.2 to C.5 n times a spacing"
)
trim = symbol("alpha", above=0, below=Rational(1, 2), meaning="fraction trimmed off each end")
trimmed = symbol("q_0", above=0, at_most=Rational(1, 2), meaning="q' of Lemma E.2, a quantile")
crossing = symbol(
    "q_u", above=0, below=Rational(1, 2), meaning="quantile at median - MAD, in one direction"
)
rate = symbol("c_0", above=0, meaning="a universal constant that is not specified")
other_rate = symbol("c_00", above=0, meaning="another one")

# --- distributions of the examples -------------------------------------------------------------------------

at = symbol("x", meaning="a value")
inner = symbol("y_0", at_least=0, meaning="a value that is integrated over")
deviation = symbol(
    "v", above=0, meaning="standard deviation of a normal distribution, or scale of a Cauchy"
)
quantile = symbol("h_0", above=0, meaning="upper quantile of the standard distribution")
smallest = symbol("v_1", above=0, at_most=deviation, meaning="smallest standard deviation")
largest = symbol("v_d", at_least=deviation, meaning="largest standard deviation")
u_1, u_2, u_3 = symbols("u_1 u_2 u_3", meaning="coordinates of a direction")
logs = symbol("ell", at_least=1, meaning="a logarithm in a bound")
packed, needed = symbols(
    "M_0 N_0",
    above=0,
    meaning="number of distributions of a packing, and of rows that an estimate needs",
)
alpha_0 = symbol("a_f", above=0, meaning="size of a packing, alpha of Appendix F", role="chosen")

# --- small samples --------------------------------------------------------------------------------

x_1 = symbol("x_1", meaning="smallest of some numbers")
x_2 = symbol("x_2", at_least=x_1, meaning="next number after it")
x_3 = symbol("x_3", at_least=x_2, meaning="median of five numbers")
x_4 = symbol("x_4", at_least=x_3, meaning="fourth of five numbers")
x_5 = symbol("x_5", at_least=x_4, meaning="largest of five numbers")
value = symbol("y", meaning="value that replaces one of them")
half = symbol(
    "s_0",
    integer=True,
    at_least=1,
    meaning="a quarter of n - 1, of the rows c - 2s..c + 2s",
    role="chosen",
)
middle = symbol("c_m", integer=True, at_least=0, meaning="median of those rows", role="chosen")

# --- costs, volumes and masses of the exponential mechanism ---------------------------------------

cost, other_cost = symbols("phi phi_1", at_least=0, meaning="cost of a point for two datasets")
below = symbol("y_1", above=0, meaning="the y of eq. D.6", role="chosen")
volume_in, volume_out = symbols(
    "V_1 V_2", above=0, meaning="volume of the points of small cost, and of a shell of large cost"
)
volume_near, volume_far = symbols(
    "W_1 W_2", above=0, meaning="volumes of two level sets, of a smaller and a larger level"
)
least = symbol("o", at_least=0, meaning="least outlyingness of any point")
near_level = symbol("t_1", above=least, meaning="a level of outlyingness")
far_level = symbol("t_2", above=near_level, meaning="a higher level of outlyingness")
gain = symbol("g", at_least=0, meaning="outlyingness of a draw above the least one")
mass_in, mass_out, ball_in, ball_out = symbols(
    "m_1 m_2 g_1 g_2",
    above=0,
    meaning="masses within a level and beyond it, and those of a Gamma variable",
    role="placeholder",
)
mass_beyond, ball_beyond = symbols(
    "m_3 g_3",
    at_least=0,
    meaning="mass beyond a level, which may be 0, and that of a Gamma variable",
    role="placeholder",
)
per_ball = symbol(
    "r_0", above=0, meaning="volume of a level set over that of a cone's", role="placeholder"
)
kept = symbol(
    "p_c",
    above=0,
    at_most=1,
    meaning="probability of the points that both datasets keep",
    role="placeholder",
)
event = symbol(
    "p_b",
    at_least=0,
    at_most=kept,
    meaning="probability of an event among those",
    role="placeholder",
)
lost = symbol(
    "p_l",
    at_least=0,
    at_most=1,
    meaning="probability of the points that one keeps",
    role="placeholder",
)
event_next = symbol(
    "q_b",
    at_least=0,
    at_most=1,
    meaning="probability of the event, other dataset",
    role="placeholder",
)
shell = symbol("x_s", at_least=0, meaning="mass beyond tau - eta", role="placeholder")
shell_next = symbol(
    "x_n", at_least=0, below=1, meaning="mass beyond tau - eta, other dataset", role="placeholder"
)
whole, whole_next, inside, inside_next, both, both_next = symbols(
    "H_1 H_2 H_3 H_4 H_5 H_6",
    above=0,
    meaning="integrals of exp(-beta phi) for each dataset: over all that it keeps, over what both "
    "keep, over an event of that",
    role="placeholder",
)
numerator = symbol("J_3", meaning="a number over another", role="placeholder")
inner_mass, caught, caught_next, shell_mass, shell_mass_next, shell_volume = symbols(
    "J_0 J_1 J_2 D_1 D_2 V_3",
    at_least=0,
    meaning="integrals of the weights over an inner part, over an event and over an outer part, for "
    "two datasets, and the volume of a shell",
    role="placeholder",
)
factor_above, factor_beside = symbols(
    "a_w b_w", meaning="factors of a bound that holds at each point", role="placeholder"
)

# --- counting -------------------------------------------------------------------------------------

count = symbol("N", integer=True, at_least=0, meaning="number of rows in an interval")
removed, added, removed_next, added_next = symbols(
    "r_1 r_2 r_3 r_4",
    integer=True,
    at_least=0,
    at_most=1,
    meaning="1 where the replaced row, or the new one, is inside",
)
allowed = symbol("j", integer=True, at_least=0, meaning="a level of the nested test")
rank = symbol("m", integer=True, at_least=1, meaning="rank of the median, and of MAD")
index = symbol("i", integer=True, meaning="a rank, or a number of rows")
order = symbol("i_2", integer=True, meaning="any rank")
within, within_next, within_less = symbols(
    "N_1 N_2 N_3", integer=True, at_least=0, meaning="numbers of rows within a distance of a point"
)
between = symbol("N_4", integer=True, at_least=0, meaning="number of rows in an annulus")
low_end = symbol("l_0", meaning="order statistic m - j of the data")
high_end = symbol("l_1", at_least=low_end, meaning="order statistic m + j of the data")
looked_at = symbol("z_0", at_least=low_end, at_most=high_end, meaning="where a median may stand")
near_distance = symbol(
    "d_1", at_least=0, meaning="a smaller distance, MAD of one dataset around z_0"
)
far_distance = symbol("d_2", at_least=near_distance, meaning="a larger one, of another dataset")
reach = symbol("g_j", at_least=0, meaning="g of the nested test: no MAD exceeds it")
shift_1, shift_2 = symbols(
    "V_j V_n", at_least=0, meaning="V of the nested test, here and next door"
)
spread_1, spread_2 = symbols("D_j D_n", at_least=0, meaning="D of the nested test, or 2 W - V")
bottom_1, bottom_2 = symbols("b_j b_n", above=0, meaning="b of the nested test, here and next door")
window_low, window_next_low = symbols(
    "a_j a_n", meaning="low end of a window of the nested test, here and next door"
)
window_high, window_next_high = symbols(
    "e_j e_n", meaning="high end of a window of the nested test, here and next door"
)
side_1, side_2, side_next_1, side_next_2 = symbols(
    "y_j z_j y_n z_n", at_least=0, meaning="largest spacing of one side, here and next door"
)
low_next, high_next = symbols("l_2 l_3", meaning="order statistics of the neighbour, one rank out")
reach_next = symbol("g_n", at_least=0, meaning="g of the nested test, next door")
least_1, least_2 = symbols("o_j o_n", at_least=0, meaning="least outlyingness of two neighbours")
fraction = symbol(
    "v_0", at_least=0, at_most=1, meaning="what an integral over a Gamma distribution runs over"
)

inner_rank = symbol(
    "l_q",
    integer=True,
    at_least=1,
    meaning="first inner rank: n q' of Lemma C.4, rounded up; the last is n less it",
)
widest = symbol("w_k", at_least=0, meaning="largest k-spacing between inner ranks")
risen = symbol(
    "u_0", integer=True, at_least=0, at_most=k, meaning="how many of k new rows are larger"
)
mad, mad_next = symbols("a_1 a_2", at_least=0, meaning="MAD of two samples, around their medians")
first_row, first_row_next = symbols(
    "i_3 i_4",
    integer=True,
    at_least=1,
    at_most=n + 1 - rank,
    meaning="rank of the first of m rows in a row that are all within MAD of the median",
)
raised = symbol(
    "u_3", integer=True, at_least=0, at_most=3, meaning="how many of three new rows are larger"
)
other_quantile = symbol("q_3", above=0, below=Rational(1, 4), meaning="q of Lemma C.4")

# --- samples of any distribution ---------------------------------------------------------------------------

sample = symbol("omega", meaning="a sample of n rows")
place = symbol("x_0", meaning="a point of the space, told by a real number")
enough, rows = symbols(
    "k_1 s_1", at_least=0, meaning="margins, in rows: one to be reached, another one", role="given"
)
low_here, high_here, wide_here, steep_here = symbols(
    "l_4 h_4 a_4 v_4",
    meaning="least and largest projected scale of a sample, its largest less its smallest projected "
    "location, and the infimum of eq. D.6",
    role="placeholder",
)
