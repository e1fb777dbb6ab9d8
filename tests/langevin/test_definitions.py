"""Every refuted claim once more, from the paper's definitions: data, densities, recursions.

Nothing here is shared with the claims: the printed sides are typed again from the paper, the other
sides come from sums over records, from integrals and from following the chain step by step.
"""

from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf

from tests.claimed import real_points, recorded_points


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(60):
        yield


# --- distributions, from their densities -------------------------------------------------------------------


def log_normal_density(mean, sd):
    return lambda t: -((t - mean) ** 2) / (2 * sd**2) - mpmath.log(sd * mpmath.sqrt(2 * mpmath.pi))


def log_integral(log_f, start):
    """Logarithm of the integral of a function with one peak; `start` is somewhere near it."""
    peak = start
    for _ in range(40):
        slope, bend = mpmath.diff(log_f, peak), mpmath.diff(log_f, peak, 2)
        moved = peak - slope / bend
        if abs(moved - peak) <= mpf(10) ** -45 * (1 + abs(peak)):
            break
        peak = moved
    width = 1 / mpmath.sqrt(-bend)
    top = log_f(peak)
    inside = mpmath.quad(
        lambda u: mpmath.exp(log_f(peak + width * u) - top), [-30, -12, -6, -3, 0, 3, 6, 12, 30]
    )
    return top + mpmath.log(inside * width)


def renyi(log_p, log_q, order, start):
    """Definition 2."""
    integral = log_integral(lambda t: order * log_p(t) + (1 - order) * log_q(t), start)
    return integral / (order - 1)


def records(point, last):
    """A dataset with the sums z and q of a point: n - 1 equal records, then the last one."""
    n = int(point["n"])
    covariate = mpmath.sqrt(point["z"] / (n - 1))
    common = (covariate, point["q"] / ((n - 1) * covariate))
    return [common] * (n - 1) + [last]


def log_posterior(data, alpha, beta):
    """Bayes's rule with eq. 4, normalised by its integral."""
    squares = mpmath.fsum(x * x for x, _ in data)
    products = mpmath.fsum(x * y for x, y in data)
    responses = mpmath.fsum(y * y for _, y in data)

    def log_joint(theta):
        misfit = responses - 2 * theta * products + theta**2 * squares
        return -alpha * theta**2 / 2 - beta * misfit / 2

    centre = products / squares
    constant = log_integral(log_joint, centre)
    return (lambda theta: log_joint(theta) - constant), centre


def moments(data, alpha, beta):
    """Mean and variance of the posterior, from its density."""
    log_p, centre = log_posterior(data, alpha, beta)
    curvature = -mpmath.diff(log_p, centre, 2)
    return centre + mpmath.diff(log_p, centre) / curvature, 1 / curvature


def neighbours(point):
    return (
        records(point, (point["x_n"], point["y_n"])),
        records(point, (point["x_n_hat"], point["y_n_hat"])),
    )


def is_in_the_domain(point, data):
    """Eq. 5 and the assumptions below it."""
    n, c, radius = point["n"], point["c"], mpf(point["n"]) ** point["gamma_1"]
    slack = mpf(10) ** -40 * (1 + abs(c))
    return (
        0 < point["gamma_1"] < mpf(1) / 2
        and c > 0
        and point["x_h"] ** 2 * point["beta"] > 3
        and len(data) == n
        and all(
            point["x_l"] - slack <= x <= point["x_h"] + slack
            and y > 0
            and abs(y / x - c) <= radius + slack
            for x, y in data
        )
    )


def meets_printed_condition(point):
    ratio = point["x_h"] ** 2 / point["x_l"] ** 2
    return point["n"] > max(1 + 10 * ratio * point["nu"] / point["beta"], 1 + point["nu"] * ratio)


def printed_mean_terms(point):
    """Claim D.28 as printed."""
    a, b, nu, n = (point[name] for name in ("alpha", "beta", "nu", "n"))
    x_h, x_l, c, g1 = (point[name] for name in ("x_h", "x_l", "c", "gamma_1"))
    weight = x_h**2 * a + x_h**4 * b
    nine = mpf(9) / 10
    return (
        2 * nu * b * x_h**4 / (nine * n ** (1 - 2 * g1) * x_l**2)
        + 2
        * nu
        * b
        * (x_h**2 * b)
        * weight
        / (nine * (x_l**2 * b) ** 2)
        * (c + n**g1)
        / n ** (2 - g1)
        + nu / 2 * weight**2 / (nine * x_l**6 * b) * (c + n**g1) ** 2 / n**3
    )


def printed_bound(point):
    """epsilon_1 of lemma 4.2 as printed."""
    nu, n, x_h, x_l = (point[name] for name in ("nu", "n", "x_h", "x_l"))
    return (
        x_h**2 / (2 * (n - 1) * x_l**2)
        + (nu - 1) / 2 * nu * x_h**2 / ((n - 1) * x_l**2 - nu * x_h**2)
        + printed_mean_terms(point)
    )


ONE_RATIO = {
    **{"alpha": 500, "beta": 20, "nu": 20, "n": 322, "x_l": 1, "x_h": 4, "gamma_1": "1/4"},
    **{"c": 10**6, "z": 321, "q": 321 * 10**6},
    **{"x_n": 1, "y_n": 10**6, "x_n_hat": 4, "y_n_hat": 4 * 10**6},
}


def test_lemma_4_2_regime_of_the_paper():
    """The issue's own point: c is 100 times n**(1 + gamma_1), and the bound fails by 3.81."""
    n, gamma = 1602, mpf(1) / 4
    radius = n**gamma
    c = 100 * mpf(n) ** (1 + gamma)
    point = {
        **{"alpha": 1000, "beta": 10, "nu": 100, "n": n, "x_l": 1, "x_h": 4, "gamma_1": gamma},
        **{"c": c, "z": n - 1, "q": (c - radius) * (n - 1)},
        **{"x_n": 1, "y_n": c - radius, "x_n_hat": 4, "y_n_hat": 4 * (c + radius)},
    }
    point = {name: mpf(value) for name, value in point.items()}
    ours, theirs = neighbours(point)
    assert is_in_the_domain(point, ours)
    assert is_in_the_domain(point, theirs)
    assert meets_printed_condition(point)
    (log_p, start), (log_q, _) = (
        log_posterior(d, point["alpha"], point["beta"]) for d in (ours, theirs)
    )
    ratio = renyi(log_p, log_q, point["nu"], start) / printed_bound(point)
    assert ratio == pytest.approx(3.81, abs=0.01)


@pytest.mark.parametrize("point", real_points("langevin:lemma-4.2", ONE_RATIO))
def test_lemma_4_2_fails_on_two_datasets(point):
    ours, theirs = neighbours(point)
    assert is_in_the_domain(point, ours)
    assert is_in_the_domain(point, theirs)
    assert meets_printed_condition(point)
    (log_p, start), (log_q, _) = (
        log_posterior(d, point["alpha"], point["beta"]) for d in (ours, theirs)
    )
    assert renyi(log_p, log_q, point["nu"], start) > printed_bound(point)


@pytest.mark.parametrize("point", real_points("langevin:claim-d.28", ONE_RATIO))
def test_claim_d_28_fails_on_two_datasets(point):
    ours, theirs = neighbours(point)
    assert is_in_the_domain(point, ours)
    assert is_in_the_domain(point, theirs)
    assert meets_printed_condition(point)
    (mean, variance), (other_mean, other) = (
        moments(d, point["alpha"], point["beta"]) for d in (ours, theirs)
    )
    nu = point["nu"]
    assert nu * (mean - other_mean) ** 2 / (2 * (nu * other + (1 - nu) * variance)) > (
        printed_mean_terms(point)
    )


BELOW_A_LEVEL = {
    **{"alpha": "1/100", "beta": 10, "nu": 8, "n": 85, "x_l": 1, "x_h": 3, "gamma_1": "1/100"},
    **{"c": 2, "z": 84, "q": 84, "x_n": 1, "y_n": 1, "x_n_hat": 3, "y_n_hat": 9},
    **{"delta": "1/1" + "0" * 1000, "t": "-5/4"},
}


def log_probability_below(level, log_p, centre):
    """Integral of a density below a level, far out in its tail."""
    slope = mpmath.diff(log_p, level)
    assert level < centre
    assert slope > 0
    inside = mpmath.quad(
        lambda u: mpmath.exp(log_p(level - u / slope) - log_p(level)), [0, 1, 4, 16, 64, 200]
    )
    return log_p(level) + mpmath.log(inside / slope)


@pytest.mark.parametrize("point", real_points("langevin:lemma-4.3", BELOW_A_LEVEL))
def test_lemma_4_3_fails_on_two_datasets_and_a_half_line(point):
    ours, theirs = neighbours(point)
    assert is_in_the_domain(point, ours)
    assert is_in_the_domain(point, theirs)
    assert meets_printed_condition(point)
    (log_p, centre), (log_q, other) = (
        log_posterior(d, point["alpha"], point["beta"]) for d in (ours, theirs)
    )
    loss = printed_bound(point) + mpmath.log(1 / point["delta"]) / (point["nu"] - 1)
    here = mpmath.exp(log_probability_below(point["t"], log_p, centre))
    there = mpmath.exp(log_probability_below(point["t"], log_q, other))
    assert here > mpmath.exp(loss) * there + point["delta"]


# --- the divergence and its terms -----------------------------------------------------------------


TWO_SPREADS = {"nu": 2, "sigma_1": 1, "sigma_2": 2, "mu_1": 0, "mu_2": 0}


def test_divergence_of_two_spreads_to_six_digits():
    value = renyi(log_normal_density(mpf(0), mpf(1)), log_normal_density(mpf(0), mpf(2)), 2, mpf(0))
    assert value == pytest.approx(0.413339, abs=1e-6)


@pytest.mark.parametrize("point", real_points("langevin:text-a-renyi", TWO_SPREADS))
def test_printed_divergence_of_normals_is_not_the_integral(point):
    nu, s_1, s_2, m_1, m_2 = (point[k] for k in ("nu", "sigma_1", "sigma_2", "mu_1", "mu_2"))
    starred = nu * s_2**2 + (1 - nu) * s_1**2
    assert starred > 0
    printed = (
        mpmath.log(s_1 / s_2)
        + (nu - 1) / 2 * mpmath.log(s_2**2 / starred)
        + nu * (m_1 - m_2) ** 2 / (2 * starred)
    )
    truth = renyi(log_normal_density(m_1, s_1), log_normal_density(m_2, s_2), nu, m_1)
    assert abs(truth - printed) > mpf(10) ** -9 * (1 + abs(truth))


FOUR_RECORDS = {
    **{"alpha": 1, "beta": 1, "nu": 2, "n": 4, "x_l": 1, "x_h": 2, "gamma_1": "1/4", "c": 3},
    **{"z": 3, "q": 9, "x_n": 1, "y_n": 3, "x_n_hat": 2, "y_n_hat": 6},
}


@pytest.mark.parametrize("point", real_points("langevin:eq-14", FOUR_RECORDS))
def test_printed_divergence_of_posteriors_is_not_the_integral(point):
    ours, theirs = neighbours(point)
    assert is_in_the_domain(point, ours)
    assert is_in_the_domain(point, theirs)
    alpha, beta, nu = point["alpha"], point["beta"], point["nu"]
    (mean, variance), (other_mean, other) = (moments(d, alpha, beta) for d in (ours, theirs))
    starred = nu * other + (1 - nu) * variance
    assert starred > 0
    printed = (
        mpmath.log(variance / other) / 2
        + (nu - 1) / 2 * mpmath.log(other / starred)
        + nu * (mean - other_mean) ** 2 / (2 * starred)
    )
    (log_p, start), (log_q, _) = (log_posterior(d, alpha, beta) for d in (ours, theirs))
    truth = renyi(log_p, log_q, nu, start)
    assert abs(truth - printed) > mpf(10) ** -9 * (1 + abs(truth))


LARGEST_CHANGE = {
    **{"alpha": 1, "beta": 10, "nu": 10, "n": 2001, "x_l": 1, "x_h": 10, "z": 2000},
    **{"x_n": 1, "x_n_hat": 10},
}


def with_responses(point):
    """Responses do not enter: all ratios are put to c."""
    c = mpf(1)
    return {
        **{"c": c, "gamma_1": mpf(1) / 4, "q": c * point["z"]},
        **{"y_n": c * point["x_n"], "y_n_hat": c * point["x_n_hat"]},
        **point,
    }


@pytest.mark.parametrize("point", real_points("langevin:claim-d.27", LARGEST_CHANGE))
def test_claim_d_27_fails_on_two_datasets(point):
    point = with_responses(point)
    ours, theirs = neighbours(point)
    assert is_in_the_domain(point, ours)
    assert is_in_the_domain(point, theirs)
    assert meets_printed_condition(point)
    nu, x_h, x_l, n = (point[name] for name in ("nu", "x_h", "x_l", "n"))
    (_, variance), (_, other) = (moments(d, point["alpha"], point["beta"]) for d in (ours, theirs))
    starred = nu * other + (1 - nu) * variance
    printed = (nu - 1) / 2 * nu * x_h**2 / (2 * ((n - 1) * x_l**2 - nu * x_h**2))
    assert (nu - 1) / 2 * mpmath.log(other / starred) > printed


@pytest.mark.parametrize("point", real_points("langevin:eq-51", LARGEST_CHANGE))
def test_eq_51_is_not_the_starred_variance(point):
    point = with_responses(point)
    ours, theirs = neighbours(point)
    assert is_in_the_domain(point, ours)
    assert is_in_the_domain(point, theirs)
    assert meets_printed_condition(point)
    alpha, beta, nu, z = (point[name] for name in ("alpha", "beta", "nu", "z"))
    x, x_hat = point["x_n"], point["x_n_hat"]
    (_, variance), (_, other) = (moments(d, alpha, beta) for d in (ours, theirs))
    starred = nu * other + (1 - nu) * variance
    printed = (alpha + (z + x**2) * beta + nu * (x**2 - x_hat**2)) / (
        (alpha + (z + x**2) * beta) * (alpha + (z + x_hat**2) * beta)
    )
    assert abs(starred - printed) > mpf(10) ** -20 * abs(starred)


# --- the chain, followed step by step in exact arithmetic -----------------------------------------


def rates(point):
    """Eq. 17, with the learning rate of section 4.2."""
    alpha, beta, n, x_h, c = (
        point.get(name, Fraction(1)) for name in ("alpha", "beta", "n", "x_h", "c")
    )
    eta = 2 / (alpha + n * x_h**2 * beta) ** 2
    rate = 1 - eta / 2 * (alpha + n * x_h**2 * beta)
    odd_rate = 1 - eta / 2 * (alpha + n * (x_h / 2) ** 2 * beta)
    drift = eta / 2 * n * c * x_h**2 * beta
    odd_drift = eta / 2 * n * c * (x_h / 2) ** 2 * beta
    return eta, rate, odd_rate, drift, odd_drift


SMALL_CHAIN = {"alpha": 1, "beta": 4, "x_h": 1, "n": 5, "k": 3, "c": 2, "r": 3, "theta_0": 0}


@pytest.mark.parametrize("point", recorded_points("langevin:claim-d.10", SMALL_CHAIN))
def test_claim_d_10_fails_in_exact_arithmetic(point):
    assert point["x_h"] ** 2 * point["beta"] > 3
    eta, rate, odd, _, _ = rates(point)
    alpha, n, k = point["alpha"], int(point["n"]), int(point["k"])
    bracket = 1 - rate**n * (Fraction(3, 4) / rate + Fraction(1, 4))
    left = (
        rate * (1 - rate ** (k * n))
        - odd * (1 - (rate ** (n - 1) * odd) ** k) / (1 - rate ** (n - 1) * odd) * bracket
    )
    prior = Fraction(3, 4) * eta / 2 * alpha * (1 - odd**k * rate ** (k * (n - 1)))
    right = (
        (rate - odd)
        + rate ** (n - 1) * prior / (1 - odd * rate ** (n - 1))
        + rate ** (k * (n - 1)) * (odd ** (k + 1) - rate ** (k + 1))
    )
    assert left != right


def mean_by_steps(point):
    """Mean of the chain on D_2 after k + 1 epochs, one step after the other."""
    _, rate, odd, drift, odd_drift = rates(point)
    mean = Fraction(0)
    for _ in range(int(point["k"]) + 1):
        for position in range(1, int(point["n"]) + 1):
            here = position == point["r"]
            mean = (odd if here else rate) * mean + (odd_drift if here else drift)
    return mean


@pytest.mark.parametrize("point", recorded_points("langevin:text-a-mean", SMALL_CHAIN))
def test_printed_mean_for_later_positions_is_not_the_mean(point):
    assert point["x_h"] ** 2 * point["beta"] > 3
    _, rate, odd, drift, odd_drift = rates(point)
    n, k, r = (int(point[name]) for name in ("n", "k", "r"))
    assert r > 1
    printed = (
        drift * sum(rate**i for i in range(r - 1)) * odd**k * rate ** (k * (n - 1))
        + sum((odd * rate ** (n - 1)) ** j for j in range(k))
        * (odd_drift * rate ** (n - 1) + drift * sum(rate**i for i in range(n - 1)))
        * odd
        * rate ** (n - r)
        + odd_drift * rate ** (n - r)
        + drift * sum(rate**j for j in range(n - r))
    )
    assert mean_by_steps(point) != printed


# --- slips of the proofs in appendices A and D ----------------------------------------------------


@pytest.mark.parametrize("point", recorded_points("langevin:text-d.1", SMALL_CHAIN))
def test_second_expression_in_the_proof_of_claim_d_1_is_not_its_last(point):
    _, rate, odd, drift, _ = rates(point)
    alpha, beta, n, x_h, c = (point[name] for name in ("alpha", "beta", "n", "x_h", "c"))
    last = n * c * x_h**2 * beta / (alpha + n * x_h**2 * beta)
    assert drift / (1 - rate) == last  # claim D.1
    assert drift / (1 - odd) != last  # x_h / 2 in the rate is the odd record's


@pytest.mark.parametrize("point", recorded_points("langevin:text-d.5", SMALL_CHAIN))
def test_last_two_lines_in_the_proof_of_claim_d_5_differ(point):
    assert point["x_h"] ** 2 * point["beta"] > 3
    eta, rate, odd, _, _ = rates(point)
    n, k = int(point["n"]), int(point["k"])
    prior = Fraction(3, 4) * eta / 2 * point["alpha"]
    kept = 1 - rate ** (n - 1) * odd
    gap = rate ** (k * (n - 1)) * (odd**k - rate**k) * kept
    before = rate ** (n - 1) * prior - odd**k * rate ** (n - 1) * prior + gap
    assert before != rate ** (n - 1) * prior * (1 - odd**k * rate ** (k * (n - 1))) + gap


@pytest.mark.parametrize(
    "point", real_points("langevin:text-a.1-gradient", {"alpha": 2, "theta": 1})
)
def test_slope_of_the_prior_is_that_of_its_logarithm(point):
    alpha, theta = point["alpha"], point["theta"]
    log_density = log_normal_density(mpf(0), 1 / mpmath.sqrt(alpha))
    assert abs(mpmath.diff(log_density, theta) + theta * alpha) < mpf(10) ** -20
    slope = mpmath.diff(lambda at: mpmath.exp(log_density(at)), theta)
    assert abs(slope + theta * alpha) > mpf(10) ** -10


@pytest.mark.parametrize("point", recorded_points("langevin:text-d.27", LARGEST_CHANGE))
def test_sign_in_the_proof_of_claim_d_27(point):
    alpha, beta, nu, n, z = (point[name] for name in ("alpha", "beta", "nu", "n", "z"))
    x_l, x_h, here, there = (point[name] for name in ("x_l", "x_h", "x_n", "x_n_hat"))
    assert x_l <= min(here, there) <= max(here, there) <= x_h
    assert (n - 1) * x_l**2 <= z <= (n - 1) * x_h**2
    assert n > 1 + max(10 * nu / beta, nu) * (x_h / x_l) ** 2
    assert x_h**2 * beta > 3
    precision, moved = alpha + (z + here**2) * beta, nu * beta * (here**2 - there**2)
    assert -moved / (precision - moved) != precision / (precision + moved) - 1


HALF_MORE = {**LARGEST_CHANGE, "c": 3, "gamma_1": "1/4"}


@pytest.mark.parametrize("point", real_points("langevin:text-d.28-half", HALF_MORE))
def test_second_display_in_the_proof_of_claim_d_28_has_a_half_too_many(point):
    alpha, beta, nu, n, z = (point[name] for name in ("alpha", "beta", "nu", "n", "z"))
    x_l, x_h, c, gamma = (point[name] for name in ("x_l", "x_h", "c", "gamma_1"))
    x, x_hat = point["x_n"], point["x_n_hat"]
    assert x_l <= min(x, x_hat) <= max(x, x_hat) <= x_h
    assert (n - 1) * x_l**2 <= z <= (n - 1) * x_h**2
    assert n > 1 + max(10 * nu / beta, nu) * (x_h / x_l) ** 2
    assert x_h**2 * beta > 3
    here, there = alpha + (z + x**2) * beta, alpha + (z + x_hat**2) * beta
    means = 2 * x_h**2 * beta * z * n**gamma + (x_h**2 * alpha + x_h**4 * beta) * (c + n**gamma)
    top = here + nu * (x**2 - x_hat**2)
    before = nu / 2 * beta**2 * (means / (here * there)) ** 2 / (top / (here * there))
    after = nu / 2 * beta**2 * means**2 / (2 * here * there * top)
    assert abs(before / after - 2) < mpf(10) ** -40


WIDE_PRIOR = {"alpha": 1000, "beta": "301/100", "x_h": 1, "n": 2}


@pytest.mark.parametrize("point", real_points("langevin:text-a.4", WIDE_PRIOR))
def test_claim_d_17_does_not_give_the_bound_of_lemma_a_4(point):
    alpha, n = point["alpha"], point["n"]
    weight = point["x_h"] ** 2 * point["beta"]
    assert weight > 3
    assert n > 1 / (2 * alpha * weight) - 1 / weight
    memory = mpmath.exp(2 / weight)
    by_claim_d_17 = memory + alpha * (memory - 1) / (alpha + n * weight + mpf(1) / 8)
    assert 1 + by_claim_d_17 > 1 + 2 * mpmath.exp(1 / weight)


# --- claim D.29 -----------------------------------------------------------------------------------

FAR_MEANS = {
    **{"alpha": 3, "beta": "301/100", "x_h": 1, "x_l": "3/4", "gamma_1": "1/10", "n": 20786},
    **{"epsilon": 10**5, "delta": "1/10", "c": 10**9, "z": "187065/16"},
    **{"q": 11691562500000, "x_n": "3/4", "y_n": 750000000, "x_n_hat": 1, "y_n_hat": 10**9},
    "t": "9384879000000000/9385679",
}


@pytest.mark.parametrize("point", real_points("langevin:claim-d.29", FAR_MEANS))
def test_claim_d_29_fails_where_one_ratio_leaves_the_means_far_apart(point):
    alpha, beta, epsilon, delta, n = (point[k] for k in ("alpha", "beta", "epsilon", "delta", "n"))
    ratio = point["x_h"] ** 2 / point["x_l"] ** 2
    nu = 1 + 2 * mpmath.log(1 / delta) / epsilon
    weight = point["x_h"] ** 2 * alpha + point["x_h"] ** 4 * beta
    centre = point["c"] + n ** point["gamma_1"]
    radius = 16 * nu * beta * point["x_h"] ** 4 / (mpf("0.9") * epsilon * point["x_l"] ** 2)
    product = 16 * nu * beta / epsilon * point["x_h"] ** 2 * beta * weight
    product /= mpf("0.9") * (point["x_l"] ** 2 * beta) ** 2
    square = 4 * nu / epsilon * weight**2 / (mpf("0.9") * point["x_l"] ** 6 * beta)
    assert point["x_h"] ** 2 * beta > 3
    assert n > 1 + 10 * ratio * nu / beta
    assert n > 1 + nu * ratio
    assert n >= 1 + ratio * 8 / epsilon
    assert n >= 1 + nu * ratio * (1 + 8 * (nu - 1) / epsilon)
    assert n >= radius ** (1 / (1 - 2 * point["gamma_1"]))
    assert n >= (product * centre) ** (1 / (2 - point["gamma_1"]))
    assert n >= (square * centre) ** (mpf(2) / 3)
    below = []
    for x, y in ((point["x_n"], point["y_n"]), (point["x_n_hat"], point["y_n_hat"])):
        precision = alpha + beta * (point["z"] + x**2)
        mean = beta * (point["q"] + x * y) / precision
        below.append(mpmath.erfc((mean - point["t"]) * mpmath.sqrt(precision / 2)) / 2)
    assert below[0] > mpmath.exp(epsilon) * below[1] + delta
