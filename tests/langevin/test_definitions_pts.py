"""Refuted claims of section 4.3 to 5 and appendices B, C and E once more, from the definitions.

Nothing here is shared with the claims: eq. 26 is typed again from the paper, algorithm 1 is run on
its datasets line by line, and probabilities are integrals of densities.
"""

import itertools
from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf

from tests.claimed import recorded_points


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(80):
        yield


def real(point):
    return {name: mpf(value.numerator) / value.denominator for name, value in point.items()}


# --- Laplace noise, from its density --------------------------------------------------------------


def laplace(scale):
    return lambda t: mpmath.exp(-abs(t) / scale) / (2 * scale)


def probability(low, high, scale):
    """Integral of the density; beyond 300 scales nothing is left at these digits."""
    low, high = max(low, -300 * scale), min(high, 300 * scale)
    inside = sorted({low, high, *(t * scale for t in (-40, -10, -2, 0, 2, 10, 40))})
    ends = [t for t in inside if low <= t <= high]
    return mpmath.quad(laplace(scale), ends)


def margin(epsilon, delta):
    return mpmath.log(1 / (2 * delta)) / epsilon


# --- eq. 26 and algorithm 1, as printed -----------------------------------------------------------


def printed_entries(p, centre, records, power=1):
    """Everything that n_min is the largest of; with the square that its last entries lack, at power 2."""
    nu = 2 * mpmath.log(1 / p["delta"]) / p["epsilon"] + 1
    ratio = p["x_h"] ** 2 / p["x_l"] ** 2
    s = p["x_h"] ** 2 * p["alpha"] + p["x_h"] ** 4 * p["beta"]
    nine = mpf(9) / 10
    eps, beta, gamma = p["epsilon"], p["beta"], p["gamma_1"]
    product = (
        32 * nu * beta / eps * (p["x_h"] ** 2 * beta / (nine * (p["x_l"] ** 2 * beta) ** 2) * s)
    )
    square = 8 * nu / eps * (s**power / (nine * p["x_l"] ** 6 * beta))
    return [
        1 + ratio * 8 / eps,
        1 + nu * ratio * (1 + 8 * (nu - 1) / eps),
        (16 * nu * beta * p["x_h"] ** 4 / (nine * eps * p["x_l"] ** 2)) ** (1 / (1 - 2 * gamma)),
        (product * centre) ** (1 / (2 - gamma)),
        product ** (1 / (2 - 2 * gamma)),
        (square * centre) ** (mpf(2) / 3),
        square ** (2 / (3 - 2 * gamma)),
        1 + ratio * 10 * nu / beta,
        1 + nu * ratio,
        records ** (p["rho_2"] / gamma),
    ]


def is_a_setting(p):
    """The parameters of algorithm 1 and the assumptions below eq. 5."""
    return (
        0 < p["delta"] < mpf(1) / 2
        and p["epsilon"] > 0
        and 0 < p["x_l"] < p["x_h"]
        and p["x_h"] ** 2 * p["beta"] > 3
        and 0 < p["rho_2"] < p["gamma_1"] < mpf(1) / 2
    )


def neighbours(point):
    """Two datasets as pairs of a covariate and a count: all ratios y / x are c, one record differs."""
    n, z = int(point["n"]), point["z"]
    assert z == (n - 1) * point["x_l"] ** 2  # the common records all have the smallest covariate
    assert point["x_l"] <= min(point["x_n"], point["x_n_hat"])
    assert max(point["x_n"], point["x_n_hat"]) <= point["x_h"]
    common = (point["x_l"], n - 1)
    return [common, (point["x_n"], 1)], [common, (point["x_n_hat"], 1)]


def draw_above(level, data, ratio, alpha, beta):
    """Probability that a posterior draw exceeds a level, from Bayes's rule with eq. 4.

    The logarithm of the joint density is a square; the ratio is subtracted from the slope, exactly,
    before anything is rounded.
    """

    def log_joint(shift):  # theta = ratio + shift, so that y - theta x = -shift x
        theta = ratio + shift
        misfit = sum(count * (shift * x) ** 2 for x, count in data)
        return -alpha * theta**2 / 2 - beta * misfit / 2

    bend = log_joint(Fraction(1)) + log_joint(Fraction(-1)) - 2 * log_joint(Fraction(0))
    slope = (log_joint(Fraction(1)) - log_joint(Fraction(-1))) / 2
    mean = ratio - slope / bend
    sd = 1 / mpmath.sqrt(mpf(-bend.numerator) / bend.denominator)
    away = level - mean
    start = mpf(away.numerator) / away.denominator / sd
    density = lambda u: mpmath.exp(-(u**2) / 2) / mpmath.sqrt(2 * mpmath.pi)  # noqa: E731
    if start > 0:
        return mpmath.quad(density, [start, start + 2, start + 8, start + 40])
    return 1 - mpmath.quad(density, [-start, -start + 2, -start + 8, -start + 40])


FAR = {
    **{"alpha": 4 * 10**9, "beta": "1/2500000000000000", "x_l": 5 * 10**7, "x_h": 10**8},
    **{"epsilon": 1, "delta": "1/10", "n": 10**20, "c": 10**21, "gamma_1": "13/50"},
    **{"rho_2": "1/4", "z": (10**20 - 1) * 25 * 10**14, "x_n": 10**8, "x_n_hat": 5 * 10**7},
    **{"t": "999999999960000000001.6000000006"},
}


@pytest.mark.parametrize("point", recorded_points("langevin:eq-26", FAR))
def test_eq_26_does_not_give_the_last_condition_of_claim_d_29(point):
    p = real(point)
    assert is_a_setting(p)
    assert all(p["n"] >= entry for entry in printed_entries(p, p["c"], p["n"]))
    nu = 2 * mpmath.log(1 / p["delta"]) / p["epsilon"] + 1
    s = p["x_h"] ** 2 * p["alpha"] + p["x_h"] ** 4 * p["beta"]
    factor = 4 * nu / p["epsilon"] * s**2 / (mpf(9) / 10 * p["x_l"] ** 6 * p["beta"])
    centre = p["c"] + p["n"] ** p["gamma_1"]
    assert p["n"] < (factor * centre) ** (mpf(2) / 3)  # claim D.29
    assert p["n"] < (factor * centre**2) ** (mpf(1) / 3)  # eq. 58


def draws(point):
    ours, theirs = neighbours(point)
    given = point["c"], point["alpha"], point["beta"]
    return draw_above(point["t"], ours, *given), draw_above(point["t"], theirs, *given)


def large_loss(loss, n, c):
    """Two neighbours of one ratio, and a level at the posterior mean on the first."""
    common = (n - 1) * Fraction(9, 16)
    weight = (common + 1) * Fraction(301, 100)
    return {
        **{"alpha": 3, "beta": "301/100", "x_l": "3/4", "x_h": 1, "delta": "1/3"},
        **{"epsilon": loss, "n": n, "c": c, "gamma_1": "1/3", "rho_2": "1/4"},
        **{"z": common, "x_n": 1, "x_n_hat": "3/4", "t": weight * c / (3 + weight)},
    }


def entries_in_both_readings(p):
    """Entries of eq. 26 as printed, and with the square of S."""
    return [entry for power in (1, 2) for entry in printed_entries(p, p["c"], p["n"], power)]


@pytest.mark.parametrize(
    "point", recorded_points("langevin:claim-c.11", large_loss(300000, 33000, 3 * 10**9))
)
def test_claim_c_11_fails_on_two_datasets(point):
    p = real(point)
    assert is_a_setting(p)
    assert all(p["n"] >= entry for entry in entries_in_both_readings(p))
    here, there = draws(point)
    assert here > mpmath.exp(p["epsilon"]) * there + p["delta"]


def test_the_failure_of_claim_c_11_needs_a_centre_above_the_ratios_that_line_7_keeps():
    p = real(recorded_points("langevin:claim-c.11", large_loss(300000, 33000, 3 * 10**9))[0])
    assert (
        p["c"] > p["n"] ** 1.5
    )  # rho_1 is below 3/2, so V is empty unless the noise of line 6 is large


@pytest.mark.parametrize("key", ["langevin:corollary-c.2", "langevin:corollary-c.3"])
def test_corollaries_c_2_and_c_3_fail_on_two_datasets(key):
    for point in recorded_points(key, large_loss(10**7, 66000, 10**11)):
        p = real(point)
        assert is_a_setting(p)
        least = max(entries_in_both_readings(p))
        assert p["n"] > least
        here, there = draws(point)
        # line 15: W is all of the dataset on both sides, so the test is passed equally often
        passes = probability(
            least - p["n"] + margin(p["epsilon"], p["delta"]), mpf("inf"), 1 / p["epsilon"]
        )
        assert passes * here > mpmath.exp(2 * p["epsilon"]) * (passes * there) + p["delta"]


def lines_6_to_16(p, ratio, noises, rho_1):
    """Run algorithm 1 on a dataset of one ratio: whether all of it reaches line 19."""
    n, tau = p["n"], margin(p["epsilon"], p["delta"])
    first = n - tau + noises[0]
    if first <= 0 or ratio > first**rho_1:
        return False  # V is empty
    second = n - tau + noises[1]
    if second <= 1:
        return False
    weight = (2 * (second - 1) * p["x_h"] ** 2 * p["x_l"] ** 2 + p["x_h"] ** 4) / (
        second * (second - 1) * p["x_l"] ** 4
    )
    centre = ratio + noises[2] * (first**rho_1 * weight)  # in units of 1 / epsilon
    if abs(ratio - centre) > second ** p["rho_2"]:
        return False  # W is empty
    return n - tau + noises[3] >= max(printed_entries(p, centre, n))


@pytest.mark.parametrize(
    "point", recorded_points("langevin:claim-4.1", {**FAR, "kappa": "1/100", "rho_1": "11/10"})
)
def test_claim_4_1_fails_on_two_datasets(point):
    p = real(point)
    assert is_a_setting(p)
    assert 1 < p["rho_1"] < mpf(3) / 2
    scale = 1 / p["epsilon"]
    most = mpmath.log(1 / p["kappa"]) * scale
    # each test is monotone in each noise, so what passes at the ends passes between them
    for signs in itertools.product((-1, 0, 1), repeat=4):
        assert lines_6_to_16(p, p["c"], [sign * most for sign in signs], p["rho_1"])
    released = probability(-most, most, scale) ** 4
    here, there = draws(point)
    # on the neighbour W is all of it or empty, and null is not above the level
    assert released * here > mpmath.exp(5 * p["epsilon"]) * there + 2 * p["delta"]


# --- parameters -----------------------------------------------------------------------------------


@pytest.mark.parametrize("point", recorded_points("langevin:eq-27", {"beta": 3, "x_h": 1}))
def test_eq_27_is_at_the_end_of_the_assumption(point):
    assert (point["beta"], point["x_h"]) == (3, 1)
    assert not point["x_h"] ** 2 * point["beta"] > 3


# --- the proof of claim 4.2 -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "point",
    recorded_points(
        "langevin:eq-31", {"delta": "3/20", "epsilon_chain": 1, "p_4": f"1/1{'0' * 100}"}
    ),
)
def test_eq_31_needs_six_delta_below_one_half(point):
    p = real(point)
    assert 0 < p["delta"] < mpf(1) / 6
    # S lies above the mean of a normal distribution
    above = mpmath.quad(mpmath.npdf, [0, 2, 8, 40])
    assert above == pytest.approx(0.5, abs=1e-30)
    assert p["p_4"] > 0
    assert mpmath.exp(p["epsilon_chain"]) * p["p_4"] + 6 * p["delta"] > mpf(1) / 2


@pytest.mark.parametrize("point", recorded_points("langevin:text-c-six-delta", {"delta": "3/20"}))
def test_six_delta_may_exceed_one_half(point):
    assert 0 < point["delta"] < Fraction(1, 6)
    assert not 6 * point["delta"] < Fraction(1, 2)


CHOICE = {
    **{"rho_3": "23/20", "n_1": 10**20, "epsilon": 10, "k_chain": 1, "k_true": "1/1000000"},
    **{"epsilon_chain": 1},
}


@pytest.mark.parametrize("point", recorded_points("langevin:text-c-choice", CHOICE))
def test_chosen_records_need_not_give_the_loss(point):
    p = real(point)
    power = 2 * (p["rho_3"] - 1)
    slack = 1 + mpf(10) ** -60
    assert p["rho_3"] > 1
    assert p["n_1"] > mpf(2) ** (9 + 10 * mpf("0.45"))
    assert p["epsilon_chain"] * slack >= p["k_true"] * p["n_1"] ** power  # eq. 31
    assert p["epsilon_chain"] > p["k_chain"] * p["n_1"] ** -power  # as printed
    assert p["n_1"] > (p["epsilon"] / p["k_chain"]) ** (1 / power)
    assert not p["epsilon_chain"] > p["epsilon"]


@pytest.mark.parametrize(
    "point", recorded_points("langevin:text-c.3-tail", {"delta": "1/4", "epsilon": "1/2"})
)
def test_noise_falls_below_the_margin_with_probability_delta(point):
    p = real(point)
    below = probability(mpf("-inf"), -margin(p["epsilon"], p["delta"]), 1 / p["epsilon"])
    assert abs(below - p["delta"]) < mpf(10) ** -30


def small_noise_given_a_bound(low, epsilon, delta):
    scale = 1 / epsilon
    rare = mpmath.log(1 / delta) * scale
    return probability(low, rare, scale) / probability(low, mpf("inf"), scale)


@pytest.mark.parametrize(
    "point",
    recorded_points("langevin:text-c.5-condition", {"a": -1, "delta": "1/10", "epsilon": 1}),
)
def test_a_bound_from_below_makes_large_noise_likelier(point):
    p = real(point)
    assert p["a"] < 0
    assert p["delta"] < mpf(1) / 6  # claim 4.2
    found = small_noise_given_a_bound(p["a"], p["epsilon"], p["delta"])
    assert found < 1 - p["delta"] / 2 - mpf(10) ** -20


def test_event_b_makes_large_noise_likelier_at_eq_27():
    """B of claim C.5 with the noisy n_1 at n_1: n_2 is large, and the centre near."""
    n, epsilon, delta = mpf(12000), mpf(1) / 5000, mpf(3) / 10
    tau, scale = margin(epsilon, delta), 1 / epsilon
    assert n > max(4 * tau, mpf(2) ** 13.5)  # eq. 27
    start = n ** (mpf(125) / 135) - n + tau  # n_2**(0.9 + rho_2) exceeds the noisy n_1**rho_1

    def weighted(noise):
        second = n - tau + noise
        spread = n ** mpf("1.25") * (8 * (second - 1) + 16) / (second * (second - 1)) / epsilon
        near = -mpmath.expm1(-(second ** mpf("0.45")) / spread)
        return laplace(scale)(noise) * near

    rare = mpmath.log(1 / delta) * scale
    with mpmath.workdps(30):
        ends = [start, 0, rare, 5 * scale, 20 * scale, 80 * scale]
        pieces = [mpmath.quad(weighted, list(pair)) for pair in itertools.pairwise(ends)]
    assert sum(pieces[:2]) / sum(pieces) < 1 - delta / 2 - mpf("0.01")


# --- claims C.8 to C.10 ---------------------------------------------------------------------------


SPLIT = {"V": 3, "cap": 3, "x_h": 1, "x_l": "1/3", "z_V": 1}


@pytest.mark.parametrize("point", recorded_points("langevin:text-c.8-split", SPLIT))
def test_limit_of_claim_c_8_does_not_split_as_printed(point):
    p = point
    assert (p["V"] - 1) * p["x_l"] ** 2 <= p["z_V"] <= (p["V"] - 1) * p["x_h"] ** 2
    whole = p["cap"] * (2 * p["z_V"] * p["x_h"] ** 2 + p["x_h"] ** 4)
    whole /= (p["z_V"] + p["x_l"] ** 2) * p["z_V"]
    parts = 2 * p["x_h"] ** 2 / (p["z_V"] + p["x_l"])
    parts += p["x_h"] ** 4 / ((p["z_V"] + p["x_l"] ** 2) * p["z_V"])
    assert whole != p["cap"] * parts


CHAIN = {
    **{"V": 100, "n_1": 100, "cap": 150, "delta": "1/15", "epsilon": 1, "x_l": 1, "x_h": 1},
    **{"z_V": 99, "q_V": 0, "x_V": 1, "y_V": 150, "u_1": 1, "u_2": 1, "u_3": 2},
    **{"h_1": 1, "h_2": 1},
}


@pytest.mark.parametrize("point", recorded_points("langevin:text-c.9-chain", CHAIN))
def test_lines_6_to_13_lose_more_than_two_epsilon(point):
    p = real(point)
    size, tau, scale = int(p["V"]), margin(p["epsilon"], p["delta"]), 1 / p["epsilon"]
    assert (p["h_1"], p["h_2"]) == (1, 1)  # the neighbour lacks one record
    x = mpmath.sqrt(p["z_V"] / (size - 1))
    y = p["q_V"] / ((size - 1) * x)
    ours = [(x, y)] * (size - 1) + [(p["x_V"], p["y_V"])]
    theirs = ours[:-1]
    assert p["n_1"] >= size  # records that V leaves out are common to both
    first = p["n_1"] - tau + p["u_1"]
    rho_1 = mpmath.log(p["cap"]) / mpmath.log(first)
    assert 1 < rho_1 < mpf(3) / 2
    assert all(0 <= y / x <= first**rho_1 * (1 + mpf(10) ** -60) for x, y in ours)
    assert all(p["x_l"] <= x <= p["x_h"] for x, _ in ours)
    second = size - tau + p["u_2"]
    assert 1 < second < size
    weight = 2 * (second - 1) * p["x_h"] ** 2 * p["x_l"] ** 2 + p["x_h"] ** 4
    spread = scale * p["cap"] * weight / (second * (second - 1) * p["x_l"] ** 4)

    def centre(data):
        return mpmath.fsum(x * y for x, y in data) / mpmath.fsum(x * x for x, _ in data)

    released = centre(ours) + p["u_3"]

    def joint(data, records):
        counts = laplace(scale)(first - records + tau) * laplace(scale)(second - len(data) + tau)
        return counts * laplace(spread)(released - centre(data))

    ratio = joint(ours, p["n_1"]) / joint(theirs, p["n_1"] - 1)
    assert ratio > mpmath.exp(2 * p["epsilon"])
    assert ratio <= mpmath.exp(3 * p["epsilon"])


@pytest.mark.parametrize(
    "point", recorded_points("langevin:eq-35", {"W": 5, "n_min": 7, "delta": "1/4", "epsilon": 1})
)
def test_null_is_less_likely_than_eq_35_says(point):
    p = real(point)
    assert p["W"] < p["n_min"]
    tau, scale = margin(p["epsilon"], p["delta"]), 1 / p["epsilon"]
    # null: |W| - tau + noise < n_min
    null = probability(mpf("-inf"), p["n_min"] - p["W"] + tau, scale)
    printed = probability(mpf("-inf"), p["n_min"] + tau - p["W"] + tau, scale)
    assert null < printed - mpf(10) ** -20


# --- section 5 and appendix E ---------------------------------------------------------------------


def test_theorem_2_divides_by_nothing_where_lambda_is_epsilon():
    """Triangular densities 1 - |x|: Lipschitz with L = 1, and W_2 = 0 for two that are equal."""
    radius = closeness = mpf(1)
    density = lambda x: max(mpf(0), 1 - abs(x))  # noqa: E731
    assert mpmath.quad(density, [-1, 0, 1]) == pytest.approx(1)
    distance = mpf(0)
    assert distance < closeness**2
    volume = lambda r: mpmath.quad(lambda t: mpf(1), [-r, r])  # noqa: E731
    assert volume(radius - closeness) == 0


@pytest.mark.parametrize(
    "point", recorded_points("langevin:text-5-ball-average", {"x": 1, "lambda_ball": 1})
)
def test_printed_ball_average_is_around_another_point(point):
    p = real(point)
    x, radius = p["x"], p["lambda_ball"]
    printed = mpmath.quad(lambda z: mpmath.npdf(x + z), [x - radius, x, x + radius])
    average = mpmath.quad(mpmath.npdf, [x - radius, x, x + radius])
    repaired = mpmath.quad(lambda z: mpmath.npdf(x + z), [-radius, 0, radius])
    assert abs(printed - average) > mpf(10) ** -20
    assert abs(repaired - average) < mpf(10) ** -20


def test_mean_distance_is_below_the_root_of_the_mean_square():
    """Exponential distributions of scales 1 and 2, coupled by their quantiles, which is optimal on a line."""
    gap = lambda u: -mpmath.log1p(-u) * (2 - 1)  # noqa: E731
    with mpmath.workdps(30):
        ends = [0, mpf(1) / 2, mpf(9) / 10, 1]
        mean = mpmath.quad(gap, ends)
        square = mpmath.quad(lambda u: gap(u) ** 2, ends)
    epsilon = mpmath.sqrt(mpmath.sqrt(square))  # W_2 = epsilon**2
    assert mean / epsilon < epsilon - mpf("0.1")


@pytest.mark.parametrize(
    "point",
    recorded_points(
        "langevin:text-e.1-inclusion",
        {"x_p": 0, "x_q": 0, "x_0": 0, "y_0": 10, "r_ball": 1, "epsilon_W": 1},
    ),
)
def test_larger_ball_around_another_point_misses_the_pair(point):
    p = point
    assert abs(p["x_p"] - p["x_0"]) <= p["r_ball"]
    assert abs(p["x_p"] - p["x_q"]) <= p["epsilon_W"]
    assert abs(p["x_q"] - p["y_0"]) > p["r_ball"] + p["epsilon_W"]
    assert abs(p["x_q"] - p["x_0"]) <= p["r_ball"] + p["epsilon_W"]


@pytest.mark.parametrize("point", recorded_points("text-e.1-markov", {"s_W": "2"}))
def test_mean_distance_of_two_exponential_distributions_is_below_the_root_of_its_square(point):
    scale = real(point)["s_W"]
    density = lambda t: mpmath.exp(-t)  # noqa: E731
    square = mpmath.quad(lambda t: ((scale - 1) * t) ** 2 * density(t), [0, 1, 10, mpmath.inf])
    mean = mpmath.quad(lambda t: abs(scale - 1) * t * density(t), [0, 1, 10, mpmath.inf])
    close = mpmath.root(square, 4)  # epsilon, where the distance W_2 is epsilon**2
    assert mean / close < close - mpf(10) ** -3


@pytest.mark.parametrize(
    "point", recorded_points("langevin:theorem-2", {"lambda_ball": 1, "epsilon_W": 1})
)
def test_theorem_2_says_nothing_true_for_a_ball_no_wider_than_the_shift(point):
    """One distribution against itself, of density max(0, 1 - |x|), which is 1-Lipschitz; averages at 0."""

    def sides(ball, shift):
        average = mpmath.quad(lambda x: max(0, 1 - abs(x)), [-ball, 0, ball]) / (2 * ball)
        ratio = 2 * ball / (2 * (ball - shift))
        return average, ratio * average + (ratio - 1) * 2 * ball + shift / (2 * (ball - shift))

    ball, shift = (real(point)[name] for name in ("lambda_ball", "epsilon_W"))
    assert ball <= shift
    with pytest.raises(ZeroDivisionError):  # the volume of a ball of no width
        sides(shift, shift)
    average, printed = sides(ball / 2, shift)
    assert printed < 0 < average
    average, printed = sides(4 * ball, shift)
    assert average <= printed
