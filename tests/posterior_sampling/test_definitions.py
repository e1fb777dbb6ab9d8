"""Every refuted claim once more, from the paper's definitions: likelihoods, Bayes, integrals.

Nothing here is shared with the claims. A model is a list of parameters with prior probabilities and
a likelihood, or a density that is integrated; assumption 2 is checked from the Lipschitz constants
of the parameters, which are found by comparing all pairs of records.
"""

import itertools
import math
from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf

from tests.claimed import Topic

recorded_points = Topic("posterior_sampling").recorded_points


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(50):
        yield


def real(fraction):
    return mpf(fraction.numerator) / fraction.denominator


def kappa():
    """The constant of Theorem 1(ii), from its own definition."""
    omega = mpmath.findroot(lambda w: mpmath.exp(w) - 2 * w - 1, mpf("1.25"))
    return 2 * omega / (1 - mpmath.exp(-omega)) ** 2


def test_constant_is_the_printed_one():
    assert mpmath.nstr(kappa(), 6) == "4.91081"


# --- finite models --------------------------------------------------------------------------------


def bayes(prior, likelihoods):
    """Posterior probabilities of finitely many parameters, exactly."""
    joint = [p * given for p, given in zip(prior, likelihoods, strict=True)]
    return [part / sum(joint) for part in joint]


def divergence(first, second):
    return mpmath.fsum(
        real(p) * mpmath.log(real(p) / real(q)) for p, q in zip(first, second, strict=True)
    )


def l1_distance(first, second):
    return sum(abs(p - q) for p, q in zip(first, second, strict=True))


def toss(odds):
    """Probabilities of 0 and 1 for a coin of these odds for 1."""
    return [Fraction(1) / (1 + odds), Fraction(odds) / (1 + odds)]


def likelihood(coin, tosses):
    return math.prod(coin[outcome] for outcome in tosses)


def constant_of(coin):
    """Lipschitz constant of a coin for one toss under the Hamming distance."""
    return max(abs(mpmath.log(real(coin[x]) / real(coin[y]))) for x, y in ((0, 1), (1, 0)))


def meets_assumption_2(prior, coins, rate):
    """Whether larger constants have an exponentially small prior probability.

    The prior probability of a constant above t is a step function of t, so it is compared with
    exp(-c t) where it falls, at each coin's constant. At equality 40 digits decide.
    """
    constants = [constant_of(coin) for coin in coins]
    for level in constants:
        beyond = sum(p for p, own in zip(prior, constants, strict=True) if own >= level)
        if real(beyond) > mpmath.exp(-real(rate) * level) * (1 + mpf(10) ** -40):
            return False
    return True


def two_coins(point):
    """Prior and coins, and the two datasets of n tosses that differ in one."""
    prior = [1 - point["w"], point["w"]]
    coins = [toss(Fraction(1)), toss(point["K"])]
    ones = [1] * int(point["n"])
    return prior, coins, ones, [*ones[:-1], 0]


def coin_posteriors(point):
    prior, coins, x, y = two_coins(point)
    return tuple(bayes(prior, [likelihood(coin, data) for coin in coins]) for data in (x, y))


SMALL_COINS = {"K": 5015, "w": "1/5015", "c": 1, "n": 14}


@pytest.mark.parametrize("point", recorded_points("theorem-1.ii", SMALL_COINS))
def test_theorem_1_ii_fails_for_two_coins(point):
    prior, coins, _, _ = two_coins(point)
    assert meets_assumption_2(prior, coins, point["c"])
    given_x, given_y = coin_posteriors(point)
    assert divergence(given_x, given_y) > kappa() / real(point["c"])


def test_assumption_2_is_checked_sharply():
    prior, coins, _, _ = two_coins({key: Fraction(value) for key, value in SMALL_COINS.items()})
    assert not meets_assumption_2(prior, coins, Fraction(1001, 1000))


@pytest.mark.parametrize(
    "point", recorded_points("text-1-iv", {"L": 1, "rho": 1, "e_0": 1, "delta": "1/2"})
)
def test_fewer_draws_tell_datasets_apart_that_are_further_apart(point):
    def draws(distance):  # at which eq. 4.3 holds with equality
        return 3 / (4 * real(point["L"]) * distance) * mpmath.log(1 / real(point["delta"]))

    near = real(point["rho"])
    assert draws(near + real(point["e_0"])) < draws(near)


@pytest.mark.parametrize(
    "point",
    recorded_points("text-1-iv-concentration", {"c": 1, "rho": 1, "e_0": 1, "delta": "1/2"}),
)
def test_more_draws_are_asked_for_under_a_more_concentrated_prior(point):
    def draws(rate):  # at which eq. 4.4 holds with equality
        return 3 * rate * mpmath.log(1 / real(point["delta"])) / (2 * kappa() * real(point["rho"]))

    assert draws(real(point["c"] + point["e_0"])) > draws(real(point["c"]))


@pytest.mark.parametrize(
    "point", recorded_points("eq-a.9-epsilon", {"K": 2, "n": 1, "w": "1/2", "epsilon": 2})
)
def test_no_epsilon_but_one_near_the_distance_stands_in_eq_a_9(point):
    _, coins, x, y = two_coins(point)
    constant, distance = (
        max(map(constant_of, coins)),
        sum(u != v for u, v in zip(x, y, strict=True)),
    )
    between = 2 * constant * real(point["epsilon"])
    at_most = divergence(*coin_posteriors(point)) <= between
    assert not (at_most and 2 * constant * distance >= between)


RARE_COIN = {"K": 1000, "w": Fraction(1, 10**30), "c": 10, "n": 105, "omega": "5/4"}


@pytest.mark.parametrize("point", recorded_points("eq-a.4-evidences", RARE_COIN))
def test_evidences_differ_by_more_than_the_width_of_the_first_shell(point):
    prior, coins, ones, other = two_coins(point)
    assert meets_assumption_2(prior, coins, point["c"])
    width = real(point["omega"]) / real(point["c"])
    assert [constant_of(coin) <= width for coin in coins] == [True, False]
    evidences = [
        sum(p * likelihood(coin, data) for p, coin in zip(prior, coins, strict=True))
        for data in (ones, other)
    ]
    assert real(prior[0]) * mpmath.log(real(evidences[0]) / real(evidences[1])) > width


@pytest.mark.parametrize("point", recorded_points("eq-a.4", {**SMALL_COINS, "omega": "5/4"}))
def test_eq_a_4_fails_for_two_coins(point):
    prior, coins, _, _ = two_coins(point)
    assert meets_assumption_2(prior, coins, point["c"])
    width = real(point["omega"]) / real(point["c"])
    bound = 2 * width / (1 - mpmath.exp(-real(point["c"]) * width)) ** 2
    assert divergence(*coin_posteriors(point)) > bound


@pytest.mark.parametrize("point", recorded_points("eq-a.1", {"K": 2, "n": 1, "w": "1/2"}))
def test_eq_a_1_is_not_the_divergence(point):
    prior, _, _, _ = two_coins(point)
    given_x, given_y = coin_posteriors(point)
    averaged = mpmath.fsum(
        real(p) * mpmath.log(real(u) / real(v))
        for p, u, v in zip(prior, given_x, given_y, strict=True)
    )
    assert abs(divergence(given_x, given_y) - averaged) > mpf("1e-3")


@pytest.mark.parametrize(
    "point", recorded_points("theorem-2.ii", {"K": 71, "w": Fraction(1, 71**4), "c": 4, "n": 28})
)
def test_theorem_2_ii_fails_for_two_coins(point):
    prior, coins, _, _ = two_coins(point)
    assert meets_assumption_2(prior, coins, point["c"])
    given_x, given_y = coin_posteriors(point)
    largest = max(
        abs(sum(given_x[i] - given_y[i] for i in event))
        for size in (1, 2)
        for event in itertools.combinations(range(2), size)
    )
    assert real(largest) > mpmath.sqrt(kappa() / (2 * real(point["c"])))


FAR_APART = {"K": 1000, "w": Fraction(1, 10**12), "c": 4, "n": 44, "T": 3, "delta": "1/16"}


@pytest.mark.parametrize("point", recorded_points("eq-a.11", FAR_APART))
def test_eq_a_11_fails_for_two_coins(point):
    prior, coins, _, _ = two_coins(point)
    assert meets_assumption_2(prior, coins, point["c"])
    # two parameters make two cells, which Lemma 2 allows
    assert real(point["delta"]) <= mpf(1) / 16
    asked = 3 / real(point["T"]) * mpmath.log(1 / real(point["delta"]))
    assert real(l1_distance(*coin_posteriors(point))) >= mpmath.sqrt(asked)
    assert 2 * kappa() / real(point["c"]) < asked


@pytest.mark.parametrize(
    "point", recorded_points("text-3-larger-c", {"K": 9, "n": 1, "w": "9/10", "w_0": "1/2"})
)
def test_larger_c_can_be_less_robust(point):
    less = {**point, "w": point["w_0"]}
    rates = [mpmath.log(1 / real(p["w"])) / mpmath.log(real(p["K"])) for p in (point, less)]
    assert rates[0] < rates[1]
    given_x, given_y = coin_posteriors(point)
    x_less, y_less = coin_posteriors(less)
    assert divergence(x_less, y_less) > divergence(given_x, given_y)
    if point["n"] == 1:  # there are no other datasets: the worst of both directions is larger too
        assert divergence(x_less, y_less) > divergence(given_y, given_x)


THREE_COINS = {
    **{"c": "1/30000", "t_1": 12, "t_2": 195000, "w_1": "9981/10000", "w_2": "15/10000"},
}


@pytest.mark.parametrize("point", recorded_points("theorem-1.ii-two-datasets", THREE_COINS))
def test_theorem_1_ii_fails_for_one_toss(point):
    point = {name: real(value) for name, value in point.items()}
    prior = [1 - point["w_1"] - point["w_2"], point["w_1"], point["w_2"]]
    log_odds = [mpf(0), -point["t_1"], point["t_2"]]
    for level in log_odds:
        beyond = sum(p for p, own in zip(prior, log_odds, strict=True) if abs(own) >= abs(level))
        assert beyond <= mpmath.exp(-point["c"] * abs(level)) * (1 + mpf(10) ** -40)
    joint = {
        outcome: [
            p / (1 + mpmath.exp(-own if outcome else own))
            for p, own in zip(prior, log_odds, strict=True)
        ]
        for outcome in (0, 1)
    }
    given = {outcome: [part / sum(parts) for part in parts] for outcome, parts in joint.items()}
    apart = mpmath.fsum(p * mpmath.log(p / q) for p, q in zip(given[1], given[0], strict=True))
    assert apart > kappa() / point["c"]


# --- densities ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "point",
    recorded_points("theorem-1.ii-exponential", {"lambda": 1, "n": 10, "s_x": 0, "s_y": 10}),
)
def test_theorem_1_ii_fails_for_exponential_records(point):
    mpmath.mp.dps = 20  # the margin is of one part in a hundred
    n, prior_rate = int(point["n"]), real(point["lambda"])
    data = {name: [real(point[name]) / n] * n for name in ("s_x", "s_y")}
    distance = sum(abs(u - v) for u, v in zip(data["s_x"], data["s_y"], strict=True))

    def log_joint(theta, records):
        parts = [mpmath.log(theta) - theta * record for record in records]
        return mpmath.log(prior_rate) - prior_rate * theta + mpmath.fsum(parts)

    ends = [mpf(0), *(mpf(k) for k in (1, 2, 4, 6, 8, 10, 14, 18, 24, 32, 48, 80, 160))]
    ends = [end * (n + 1) / 10 / (prior_rate + real(point["s_x"])) for end in ends]
    evidences = {
        name: mpmath.quad(lambda s, r=records: mpmath.exp(log_joint(s, r)), ends)
        for name, records in data.items()
    }

    def integrand(theta):
        log_x = log_joint(theta, data["s_x"]) - mpmath.log(evidences["s_x"])
        log_y = log_joint(theta, data["s_y"]) - mpmath.log(evidences["s_y"])
        return mpmath.exp(log_x) * (log_x - log_y)

    apart = mpmath.quad(integrand, ends)
    # the constant of theta is theta, so assumption 2 holds with the prior's own rate
    assert apart > kappa() / prior_rate * distance * (1 + mpf(10) ** -6)


@pytest.mark.parametrize(
    "point", recorded_points("theorem-1.ii-bernoulli", {"alpha": 1, "n": 12000})
)
def test_theorem_1_ii_fails_for_all_ones_against_all_zeros(point):
    """By symmetry the evidences are equal, and the divergence is n times a mean of log odds."""
    n, alpha = int(point["n"]), real(point["alpha"])

    def density(u):  # of u = -ln(1 - theta), given n ones; not normalised
        return (1 - mpmath.exp(-u)) ** (n + alpha - 1) * mpmath.exp(-alpha * u)

    middle = mpmath.log(n / alpha)
    ends = [0, *(middle + step for step in (-4, -2, -1, 0, 1, 2, 4, 8, 16, 60))]
    whole = mpmath.quad(density, ends)
    mean = mpmath.quad(lambda u: density(u) * (mpmath.log(1 - mpmath.exp(-u)) + u), ends) / whole
    rate = mpf(2) ** (1 - 2 * alpha) / mpmath.quad(
        lambda s: (s * (1 - s)) ** (alpha - 1), [0, mpf(1) / 2, 1]
    )
    assert n * mean > kappa() / rate * n
    # assumption 2: the log odds exceed t with a probability of at most exp(-rate t)
    assert alpha == 1
    for t in mpmath.linspace(0, 40, 200):
        assert 2 / (1 + mpmath.exp(t)) <= mpmath.exp(-rate * t)


def rare_rate(point):
    """Prior of one exponential record's rate: integrals of a function over it."""
    large, small = real(point["R"]), real(point["theta_0"])
    rare = mpmath.exp(-large)

    def mean(function):
        inside = mpmath.quad(function, [0, small]) / small
        return (1 - rare) * inside + rare * function(large)

    def beyond(t):
        return (1 - rare) * max(1 - t / small, 0) + (rare if t < large else 0)

    levels = [small * k / 50 for k in range(51)] + [large * k / 50 for k in range(51)]
    assert all(beyond(t) <= mpmath.exp(-t) * (1 + mpf(10) ** -40) for t in levels)
    return mean, rare


def record_density(theta, record):
    return theta * mpmath.exp(-theta * record)


@pytest.mark.parametrize(
    "point",
    recorded_points("theorem-1.ii-one-record", {"R": 20, "theta_0": "1/10000000000", "y_1": 1}),
)
def test_theorem_1_ii_fails_for_one_record(point):
    mean, _ = rare_rate(point)
    y = real(point["y_1"])
    evidence_0, evidence_y = (mean(lambda s, r=r: record_density(s, r)) for r in (0, y))

    def integrand(theta):
        ratio = (record_density(theta, 0) / evidence_0) / (record_density(theta, y) / evidence_y)
        return record_density(theta, 0) / evidence_0 * mpmath.log(ratio)

    assert mean(integrand) > kappa() * y


@pytest.mark.parametrize(
    "point",
    recorded_points(
        "theorem-2.ii-one-record", {"R": 25, "theta_0": "1/100000000000", "y_1": "3/10"}
    ),
)
def test_theorem_2_ii_fails_for_one_record(point):
    mean, rare = rare_rate(point)
    y, large = real(point["y_1"]), real(point["R"])
    at_large = [
        rare * record_density(large, r) / mean(lambda s, r=r: record_density(s, r)) for r in (0, y)
    ]
    assert abs(at_large[0] - at_large[1]) > mpmath.sqrt(kappa() / 2 * y)


MANY_RECORDS = {"lambda": 1, "s_x": 0, "s_y": "1/5", "n": 200, "theta_1": 183}


@pytest.mark.parametrize("point", recorded_points("theorem-2.ii-exponential", MANY_RECORDS))
def test_theorem_2_ii_fails_for_exponential_records(point):
    n, level, prior_rate = int(point["n"]), real(point["theta_1"]), real(point["lambda"])

    def below(total):
        """Posterior probability of a rate below the level: n + 1 points of a Poisson process."""
        mean = (prior_rate + real(total)) * level
        fewer = mpmath.fsum(mean**k / mpmath.factorial(k) for k in range(n + 1))
        return 1 - mpmath.exp(-mean) * fewer

    distance = real(point["s_y"] - point["s_x"])
    assert abs(below(point["s_x"]) - below(point["s_y"])) > mpmath.sqrt(
        kappa() / (2 * prior_rate) * distance
    )


# --- the adversary --------------------------------------------------------------------------------


def best_success(given_x, given_y):
    """Largest mean probability of a right answer over all tests of one draw."""
    return max(
        (sum(p for p, says in zip(given_x, test, strict=True) if says)) / 2
        + (sum(q for q, says in zip(given_y, test, strict=True) if not says)) / 2
        for test in itertools.product([True, False], repeat=len(given_x))
    )


@pytest.mark.parametrize("point", recorded_points("theorem-3.i", {"K": 9, "delta": "1/16"}))
def test_theorem_3_fails_for_a_uniform_prior_on_two_coins(point):
    coins = [toss(point["K"]), toss(1 / point["K"])]
    constant = max(constant_of(coin) for coin in coins)
    asked = 3 / (4 * constant) * mpmath.log(1 / real(point["delta"]))
    assert asked <= 1  # the Hamming distance of the tosses 1 and 0
    given = [bayes([Fraction(1, 2)] * 2, [coin[outcome] for coin in coins]) for outcome in (1, 0)]
    assert best_success(*given) < 1 - point["delta"]


@pytest.mark.parametrize(
    "point",
    recorded_points("theorem-3.ii", {"K": 2, "c": 1, "delta": "1/16", "n": 1, "w": "1/2"}),
)
def test_theorem_3_fails_under_assumption_2(point):
    prior, coins, _, _ = two_coins(point)
    assert meets_assumption_2(prior, coins, point["c"])
    assert 3 * real(point["c"]) / (2 * kappa()) * mpmath.log(1 / real(point["delta"])) <= 1
    assert best_success(*coin_posteriors(point)) < 1 - point["delta"]


# --- assumptions, products and families -----------------------------------------------------------


def log_ratio(first, second):
    """Eq. 2.7."""
    if first == second == 0:
        return mpf(0)
    if 0 in (first, second):
        return mpmath.inf
    return abs(mpmath.log(real(first) / real(second)))


@pytest.mark.parametrize("point", recorded_points("eq-2.7", {"d_1": 0, "d_2": 1, "d_3": 1}))
def test_absolute_log_ratio_is_not_finite(point):
    numbers = [point[name] for name in ("d_1", "d_2", "d_3")]
    assert all(number >= 0 for number in numbers)
    assert any(mpmath.isinf(log_ratio(u, v)) for u, v in itertools.combinations(numbers, 2))


def laplace_log_density(x, mu, scale):
    return -abs(x - mu) / scale - mpmath.log(2 * scale)


def test_assumption_1_does_not_give_assumption_2():
    """Laplace records of scale 1/2 and unknown location: every constant is 2."""
    for mu in (-3, 0, 7):
        ratios = [
            abs(laplace_log_density(x, mu, mpf(1) / 2) - laplace_log_density(y, mu, mpf(1) / 2))
            / abs(x - y)
            for x, y in itertools.combinations([mu + step for step in range(-4, 5)], 2)
        ]
        assert max(ratios) == pytest.approx(2)
    no_parameter = 0  # has a constant of at most L = 1, so eq. 2.6 fails there for every c > 0
    assert all(no_parameter < 1 - mpmath.exp(-(mpf(10) ** -power)) for power in range(-3, 30))


@pytest.mark.parametrize(
    "point", recorded_points("text-a-lemma-1", {"p_x": "3/4", "p_y": "1/4", "q_x": 1, "q_y": 1})
)
def test_log_ratio_of_a_product_has_no_factor_n(point):
    product = log_ratio(point["p_x"] * point["q_x"], point["p_y"] * point["q_y"])
    summed = log_ratio(point["p_x"], point["p_y"]) + log_ratio(point["q_x"], point["q_y"])
    assert abs(product - 2 * summed) > mpf("0.1")


@pytest.mark.parametrize(
    "point", recorded_points("text-a-lemma-1-metric", {"lambda": 1, "x": 2, "y": 1})
)
def test_log_ratio_of_exponential_records_is_bounded_by_their_distance_only(point):
    values = {name: real(value) for name, value in point.items()}
    rate, x, y = (values[name] for name in ("lambda", "x", "y"))
    densities = [rate * mpmath.exp(-rate * record) for record in (x, y)]
    ratio = abs(mpmath.log(densities[0] / densities[1]))
    assert abs(ratio - rate * abs(x - y)) < mpf("1e-20")
    assert ratio > rate * abs(mpmath.log(x / y))


@pytest.mark.parametrize("point", recorded_points("text-c-supremum", {"n": 1, "o_0": 2, "L": 1}))
def test_supremum_of_equal_counts_is_not_negative_for_any_constant(point):
    """The counts 0 to n, at the parameter of these log odds."""
    values = {name: real(value) for name, value in point.items()}
    trials, constant = int(values["n"]), values["L"]
    theta = 1 / (1 + mpmath.exp(-values["o_0"]))
    masses = [
        mpmath.binomial(trials, k) * theta**k * (1 - theta) ** (trials - k)
        for k in range(trials + 1)
    ]
    excess = [
        abs(mpmath.log(masses[i] / masses[j])) - constant * abs(i - j)
        for i in range(trials + 1)
        for j in range(trials + 1)
    ]
    assert max(excess) >= 0  # as the print asks
    assert any(one > 0 for one in excess)  # and yet the constant is too small


@pytest.mark.parametrize(
    "point",
    recorded_points("text-5-scalar", {"eta": -1, "T_x": 1, "T_y": 0, "L": 1, "rho": 1}),
)
def test_scalar_condition_needs_the_absolute_value(point):
    """Two densities exp(eta T) of any base measure that is constant."""
    values = {name: real(value) for name, value in point.items()}
    densities = [mpmath.exp(values["eta"] * values[name]) for name in ("T_x", "T_y")]
    assert abs(mpmath.log(densities[0] / densities[1])) <= values["L"] * values["rho"]
    printed = values["L"] / values["eta"]
    assert abs(values["T_x"] - values["T_y"]) / values["rho"] > printed


@pytest.mark.parametrize(
    "point", recorded_points("lemma-4", {"L": "1/3", "mu": 0, "s": 2, "x": 1, "y": 2})
)
def test_scales_above_l_do_not_have_a_small_constant(point):
    assert point["s"] >= point["L"]
    x, y, mu, scale = (real(point[name]) for name in ("x", "y", "mu", "s"))
    ratio = abs(laplace_log_density(x, mu, scale) - laplace_log_density(y, mu, scale))
    assert ratio > real(point["L"]) * abs(x - y)


@pytest.mark.parametrize("size", [2, 3, 10])
def test_no_binomial_parameter_has_a_constant_below_ln_n(size):
    """So the set of eq. 2.5 is empty there, and its prior probability 0."""

    def mass(k, theta):
        return math.comb(size, k) * theta**k * (1 - theta) ** (size - k)

    for theta in [Fraction(k, 40) for k in range(1, 40)]:
        constant = max(
            log_ratio(mass(j, theta), mass(k, theta)) / abs(j - k)
            for j, k in itertools.combinations(range(size + 1), 2)
        )
        assert constant >= mpmath.log(size) - mpf(10) ** -40


@pytest.mark.parametrize("point", recorded_points("lemma-5", {"n": 2, "L": "1/2", "alpha": 2}))
@pytest.mark.parametrize("rate", ["1/1000", "2", "1000"])
def test_lemma_5_fails_below_ln_n(point, rate):
    n, level, alpha = int(point["n"]), real(point["L"]), real(point["alpha"])

    def prior(theta):
        return (theta * (1 - theta)) ** (alpha - 1)

    def constant(theta):
        mass = [math.comb(n, k) * theta**k * (1 - theta) ** (n - k) for k in range(n + 1)]
        pairs = itertools.combinations(range(n + 1), 2)
        return max(log_ratio(mass[j], mass[k]) / abs(j - k) for j, k in pairs)

    grid = [Fraction(2 * i + 1, 400) for i in range(200)]
    whole = sum(prior(real(theta)) for theta in grid)
    mass = sum(prior(real(theta)) for theta in grid if constant(theta) <= level) / whole
    assert mass < 1 - mpmath.exp(-real(Fraction(rate)) * level)


@pytest.mark.parametrize("point", recorded_points("lemma-6", {"L": 10, "lambda": 1, "mu": 0}))
def test_lemma_6_fails(point):
    level, prior_rate, mu = (real(point[name]) for name in ("L", "lambda", "mu"))

    def distance(x, y):
        return abs(x**2 - y**2) + 2 * abs(x - y)

    # the constant is the supremum over pairs of records, over 2 variance
    pairs = [(1, -1), *((mpf(10) ** k, mpf(10) ** k + 1) for k in range(1, 12))]
    pairs += [(-x, -y) for x, y in pairs]
    largest = max(abs((x - mu) ** 2 - (y - mu) ** 2) / distance(x, y) for x, y in pairs)
    needed = largest / (2 * level)  # least variance of a constant of at most L
    mass = mpmath.quad(
        lambda v: prior_rate * mpmath.exp(-prior_rate * v), [needed, needed + 1, mpmath.inf]
    )
    assert mass < (1 - mpmath.exp(-prior_rate * level)) * (1 - mpf(10) ** -6)


NETWORK = {"epsilon_0": "1/4", "q_1": "1/4", "q_2": "3/4", "q_3": "1/4"}


@pytest.mark.parametrize("point", recorded_points("lemma-7", NETWORK))
def test_lemma_7_fails_for_a_chain_of_two_variables(point):
    first = [1 - point["q_1"], point["q_1"]]
    second = [[1 - row, row] for row in (point["q_2"], point["q_3"])]
    entries = [*first, *second[0], *second[1]]
    assert min(entries) >= point["epsilon_0"]
    joint = {(u, v): first[u] * second[u][v] for u, v in itertools.product((0, 1), repeat=2)}
    assert sum(joint.values()) == 1
    ratio = max(joint[0, 1] / joint[1, 1], joint[1, 1] / joint[0, 1])  # Hamming distance 1
    assert ratio > 1 / min(entries)


@pytest.mark.parametrize(
    "point",
    recorded_points("text-c-rate", {"L": "1/2", "alpha": 2, "c": "1/5", "n": 1}),
)
def test_last_step_of_lemma_5_fails(point):
    level, alpha, rate, n = (real(point[name]) for name in ("L", "alpha", "c", "n"))
    whole = mpmath.quad(lambda s: (s * (1 - s)) ** (alpha - 1), [0, mpf(1) / 2, 1])
    factor = 2 / whole / alpha * n**alpha
    assert alpha > 1
    assert level >= mpmath.log(n)
    assert rate <= mpmath.log(1 / factor) + alpha
    assert factor * mpmath.exp(-alpha * level) > mpmath.exp(-rate * level)


@pytest.mark.parametrize("rate", ["1/1000", 1, 1000])
def test_assumption_1_does_not_give_assumption_2_below_the_least_constant(rate):
    """For "text-2.2-weaker": Laplace distributions of scale 1 have the constant 1 wherever they stand."""
    records = [Fraction(k, 4) for k in range(-20, 21)]
    locations = [Fraction(-3), Fraction(0), Fraction(7, 2)]
    constants = [
        max(abs(abs(x - at) - abs(y - at)) / abs(x - y) for x in records for y in records if x != y)
        for at in locations
    ]
    level = Fraction(1, 2)
    mass = sum(Fraction(1, 3) for constant in constants if constant <= level)  # a uniform prior
    assert constants == [1, 1, 1]
    assert mass < 1 - mpmath.exp(-real(Fraction(rate)) * real(level))


SAME_SIDE = {"P_x": 1, "P_y": 0, "delta": "1/4", "k": 1}


@pytest.mark.parametrize("point", recorded_points("remark-1.ii-display", SAME_SIDE))
def test_the_last_line_of_remark_1_holds_for_a_mechanism_that_is_not_private(point):
    """Datasets of k bits, and an event that has another probability at the zeros than elsewhere."""
    k, delta = int(point["k"]), point["delta"]
    x, y = (0,) * k, (1,) * k
    datasets = list(itertools.product((0, 1), repeat=k))
    chance = {data: point["P_x"] if data == x else point["P_y"] for data in datasets}

    def distance(one, other):
        return sum(a != b for a, b in zip(one, other, strict=True))

    pairs = list(itertools.product(datasets, repeat=2))
    assert all(chance[a] <= chance[a] + delta * distance(a, b) for a, b in pairs)  # as displayed
    assert chance[x] > chance[y] + delta * distance(x, y)  # Definition 2 with epsilon = 0


@pytest.mark.parametrize("point", recorded_points("text-c-lemma-3-set", {"L": 1, "tau": 1}))
def test_rate_at_the_end_of_the_interval_has_the_constant(point):
    rate = real(point["tau"])
    records = [mpf(i) / 4 for i in range(9)]
    constants = [
        abs(mpmath.log(rate * mpmath.exp(-rate * u)) - mpmath.log(rate * mpmath.exp(-rate * v)))
        / abs(u - v)
        for u, v in itertools.combinations(records, 2)
    ]
    assert max(constants) <= real(point["L"]) * (1 + mpf(10) ** -40)
    assert not rate < real(point["L"])


@pytest.mark.parametrize(
    "point", recorded_points("text-c-posterior", {"a_0": 1, "b_0": 1, "n_1": 1, "n_0": 1})
)
def test_posterior_of_a_success_probability_is_no_beta_binomial(point):
    ones, zeros = int(point["n_1"]), int(point["n_0"])
    a, b = real(point["a_0"]) + ones, real(point["b_0"]) + zeros
    weight = mpmath.quad(lambda u: u ** (a - 1) * (1 - u) ** (b - 1), [0, 1])
    mean = mpmath.quad(lambda u: u**a * (1 - u) ** (b - 1), [0, 1]) / weight
    tosses = ones + zeros
    counts = [
        mpmath.binomial(tosses, k) * mpmath.beta(a + k, b + tosses - k) / mpmath.beta(a, b)
        for k in range(tosses + 1)
    ]
    assert abs(mpmath.fsum(counts) - 1) < mpf(10) ** -30
    assert abs(mpmath.fsum(k * p for k, p in enumerate(counts)) - mean) > mpf(1) / 100
