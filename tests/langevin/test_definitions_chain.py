"""The refuted claims on the chain's balance epoch once more, from steps of the chain.

Nothing here is shared with the claims: variances come from following the chain step by step.
"""

import mpmath
import pytest
from mpmath import mpf

from tests.claimed import real_points


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(60):
        yield


def setting(point):
    """Precision, rates and learning rate, from eq. 3 with a batch of one on the data of eq. 7."""
    n, weight = int(point["n"]), point["x_h"] ** 2 * point["beta"]
    precision = point["alpha"] + n * weight
    step = 2 / precision**2
    kept = 1 - step / 2 * (point["alpha"] + n * weight)
    kept_odd = 1 - step / 2 * (point["alpha"] + n * weight / 4)
    return n, weight, precision, step, kept, kept_odd


def meets_the_standing_assumption(point):
    return point["x_h"] ** 2 * point["beta"] > 3 and point["alpha"] > 0 and int(point["n"]) >= 2


def has_records_enough(point):
    weight = point["x_h"] ** 2 * point["beta"]
    return point["n"] > 1 / (2 * point["alpha"] * weight) - 1 / weight


def noise_by_steps(steps, kept, step):
    """Variance of the noise of some steps, carried back to the start, step by step."""
    spread = mpf(0)
    for _ in range(steps):
        spread = kept**2 * spread + step
    return spread / kept ** (2 * steps)


def balance(point):
    """k-dot of lemma A.4."""
    n, _, _, step, kept, _ = setting(point)
    share = 1 + (1 - kept**2) / (point["alpha"] * step)
    return mpmath.log(share) / (-2 * n * mpmath.log(kept)) - 1


WHOLE = {
    "alpha": "9849732675807611094711841/6056270828485498525106930",
    "beta": "62825517266018371206571319/12112541656970997050213860",
    **{"x_h": 1, "n": 2, "k": 5},
}


@pytest.mark.parametrize("point", real_points("langevin:claim-d.12", WHOLE))
def test_claim_d_12_is_an_equality_where_k_is_k_dot(point):
    assert meets_the_standing_assumption(point)
    n, _, _, step, kept, _ = setting(point)
    k = int(point["k"])
    assert abs(balance(point) - k) < mpf(10) ** -40
    noise = noise_by_steps((k + 1) * n, kept, step)
    assert abs(1 / point["alpha"] - noise) < mpf(10) ** -40


@pytest.mark.parametrize(
    "point", real_points("langevin:eq-38", {"alpha": 1, "beta": 5, "x_h": 1, "n": 2, "k": 1})
)
def test_eq_38_has_one_term_at_k_1(point):
    assert meets_the_standing_assumption(point)
    n, _, _, _, kept, kept_odd = setting(point)
    epoch = kept_odd * kept ** (n - 1)
    assert sum(epoch ** (2 * j) for j in range(int(point["k"]))) == 1  # and 1 < 1 is false


@pytest.mark.parametrize(
    "point", real_points("langevin:eq-43", {"alpha": 1, "beta": 5, "x_h": 1, "n": 2})
)
def test_eq_43_has_another_sign_and_another_number(point):
    assert meets_the_standing_assumption(point)
    _, _, precision, step, kept, _ = setting(point)
    in_the_long_run = noise_by_steps(4000, kept, step) * kept**8000  # a geometric series
    assert abs(in_the_long_run - 1 / (precision - mpf(1) / 2)) < mpf(10) ** -30
    printed = 1 / (precision + mpf(1) / 8)
    assert step / (kept**2 - 1) < 0 < printed
    assert abs(in_the_long_run - printed) > mpf(10) ** -3


@pytest.mark.parametrize(
    "point",
    real_points(
        "langevin:text-d.15", {"alpha": "1/10", "beta": "301/100", "x_h": 1, "n": 2, "k": 15}
    ),
)
def test_what_is_enough_for_claim_d_15_is_not_true(point):
    assert meets_the_standing_assumption(point)
    assert has_records_enough(point)
    n, weight, _, _, kept, _ = setting(point)
    k = int(point["k"])
    first = (2 * n * weight - 1) / point["alpha"] * kept ** (2 * (k + 1) * n)
    assert first + 2 * (2 * kept ** (2 * n) - 1) < 0


@pytest.mark.parametrize(
    "point",
    real_points(
        "langevin:claim-d.17", {"alpha": "77/1000", "beta": "301/100", "x_h": 1, "n": 2, "k": 6}
    ),
)
def test_claim_d_17_fails_at_its_epoch(point):
    assert meets_the_standing_assumption(point)
    assert has_records_enough(point)
    n, weight, precision, step, kept, _ = setting(point)
    k = int(point["k"])
    assert k == mpmath.ceil(balance(point))
    growth = mpmath.exp(2 / weight)
    printed = (growth + point["alpha"] * (growth - 1) / (precision + mpf(1) / 8)) / point["alpha"]
    assert printed < noise_by_steps((k + 1) * n, kept, step)


@pytest.mark.parametrize(
    "point",
    real_points("langevin:claim-d.18", {"alpha": 1, "beta": 4, "x_h": 1, "n": 2, "k_real": "1/2"}),
)
def test_claim_d_18_fails_at_a_power_below_1(point):
    assert 0 < point["k_real"] < 1
    total = point["alpha"] + point["n"] * point["x_h"] ** 2 * point["beta"]
    less = point["alpha"] + point["n"] * point["x_h"] ** 2 * point["beta"] / 4
    step = 2 / total**2
    rates = (1 - step * total / 2) / (1 - step * less / 2)
    printed = 3 * point["n"] * point["x_h"] ** 2 * point["beta"] / (4 * (total**2 - less))
    assert 1 - rates ** point["k_real"] < printed <= 1 - rates


@pytest.mark.parametrize(
    "point", real_points("langevin:claim-d.19", {"alpha": "1/2", "beta": 1, "x_h": 2, "n": 3})
)
def test_claim_d_19_fails_where_the_power_rises_to_its_limit(point):
    assert meets_the_standing_assumption(point)
    assert has_records_enough(point)
    n, weight, _, _, kept, _ = setting(point)
    product = mpf(1)
    for _ in range(2 * n):
        product *= kept
    assert product < mpmath.exp(-2 / weight)


@pytest.mark.parametrize(
    "point", real_points("langevin:text-d.21", {"alpha": "1/2", "beta": 1, "x_h": 2, "n": 2})
)
def test_the_condition_on_n_does_not_give_that_on_alpha(point):
    assert meets_the_standing_assumption(point)
    assert has_records_enough(point)
    weight = point["x_h"] ** 2 * point["beta"]
    assert not point["alpha"] > (1 / (point["n"] * weight) + 1) / 2


@pytest.mark.parametrize(
    "point",
    real_points("langevin:claim-d.21", {"alpha": "1/4", "beta": 4, "x_h": 1, "n_real": 2}),
)
def test_claim_d_21_has_a_rising_power(point):
    weight = point["x_h"] ** 2 * point["beta"]
    n = point["n_real"]
    assert weight > 3
    assert n > 1 / (2 * point["alpha"] * weight) - 1 / weight

    def power(records):
        return (1 - 1 / (point["alpha"] + records * weight)) ** (2 * records)

    assert power(n + mpf(10) ** -12) > power(n)
    assert mpmath.diff(power, n) > 0


@pytest.mark.parametrize(
    "point",
    real_points(
        "langevin:text-d.29",
        {
            **{"alpha": "1/1000", "beta": "31/10", "x_h": 1, "x_l": "999/1000", "epsilon": 200},
            **{"delta": "45/100", "gamma_1": "1/20", "c": 10**6, "n": 1700},
        },
    ),
)
def test_the_terms_of_claim_d_29_add_up_to_more_than_epsilon(point):
    assert meets_the_standing_assumption(point)
    alpha, beta, high, low = (point[name] for name in ("alpha", "beta", "x_h", "x_l"))
    epsilon, delta, gamma, c, n = (point[s] for s in ("epsilon", "delta", "gamma_1", "c", "n"))
    order = 2 * mpmath.log(1 / delta) / epsilon + 1
    ratio, weight, radius = high**2 / low**2, high**2 * alpha + high**4 * beta, n**gamma
    nine = mpf(9) / 10
    product = 16 * order * beta / epsilon * high**2 * beta * weight / (nine * (low**2 * beta) ** 2)
    square = 4 * order / epsilon * weight**2 / (nine * low**6 * beta)
    assert n > max(1 + 10 * ratio * order / beta, 1 + order * ratio)
    assert n >= max(
        1 + ratio * 8 / epsilon,
        1 + order * ratio * (1 + 8 * (order - 1) / epsilon),
        (16 * order * beta * high**4 / (nine * epsilon * low**2)) ** (1 / (1 - 2 * gamma)),
        (product * (c + radius)) ** (1 / (2 - gamma)),
        (square * (c + radius)) ** (mpf(2) / 3),
    )
    terms = [
        high**2 / (2 * (n - 1) * low**2),
        (order - 1) * order * high**2 / (2 * ((n - 1) * low**2 - order * high**2)),
        2 * order * beta * high**4 / (nine * n ** (1 - 2 * gamma) * low**2),
        2
        * order
        * beta
        * (high**2 * beta * weight / (nine * (low**2 * beta) ** 2))
        * ((c + radius) / n ** (2 - gamma)),
        order / 2 * weight**2 / (nine * low**6 * beta) * (c + radius) ** 2 / n**3,
        mpmath.log(1 / delta) / (order - 1),
    ]
    assert sum(terms) > epsilon


@pytest.mark.parametrize(
    "point",
    real_points(
        "langevin:text-a-theorem-1",
        {
            **{"alpha": 10, "beta": 3, "x_h": 2, "x_l": 1, "epsilon": 1, "delta": "1/10"},
            **{"gamma_1": "1/20", "gamma_2": "27/20", "n": 2727 * 10**9},
        },
    ),
)
def test_the_numbers_in_the_proof_of_theorem_1_leave_more_than_epsilon(point):
    assert meets_the_standing_assumption(point)
    alpha, beta, high, low = (point[name] for name in ("alpha", "beta", "x_h", "x_l"))
    epsilon, delta, n = (point[name] for name in ("epsilon", "delta", "n"))
    first, second = point["gamma_1"], point["gamma_2"]
    assert 1 + first < second < mpf(3) / 2
    assert low == high / 2
    order = 2 * mpmath.log(1 / delta) / epsilon + 1
    ratio, weight = high**2 / low**2, high**2 * alpha + high**4 * beta
    room = 1 + (1 + 10 * ratio * order / beta) ** (first - second)
    product = 16 * order * beta / epsilon * weight / (9 * (low**2 * beta) ** 2)
    square = 4 * order / epsilon * weight / (9 * low**6 * beta)
    assert n > max(1 + 10 * ratio * order / beta, 1 + order * ratio)
    assert n >= max(
        1 + ratio * 8 / epsilon,
        1 + order * ratio * (1 + 8 * (order - 1) / epsilon),
        (16 * order * beta * high**4 / (9 * epsilon * low**2)) ** (1 / (1 - 2 * first)),
        (product * room) ** (2 - 1 / (first - second)),
        (square * room) ** (2 / (3 - 2 * second)),
    )
    nine, both = mpf(9) / 10, n**second + n**first
    terms = [
        high**2 / (2 * (n - 1) * low**2),
        high**2 / (2 * ((n - 1) * low**2 - (order - 1) * high**2)),
        2 * order * beta * high**4 / (nine * n ** (1 - 2 * first) * low**2),
        2
        * order
        * beta
        * (high**2 * beta * weight / (nine * (low**2 * beta) ** 2))
        * (both / n ** (2 - first)),
        order / 2 * weight**2 / (nine * low**6 * beta) * both**2 / n**3,
        mpmath.log(1 / delta) / (order - 1),
    ]
    assert sum(terms) > epsilon


def spread_by_steps(point, fresh):
    """Variance after k + 1 epochs, odd record first: the weight of each noise is followed by steps."""
    n, _, _, step, kept, kept_odd = setting(point)
    prior, weights = mpf(1), {}
    for epoch in range(int(point["k"]) + 1):
        for i in range(n):
            rate = kept if i else kept_odd
            prior *= rate
            weights = {name: rate * weight for name, weight in weights.items()}
            name = (epoch, i) if fresh else i
            weights[name] = weights.get(name, mpf(0)) + mpmath.sqrt(step)
    return prior**2 / point["alpha"] + sum(weight**2 for weight in weights.values())


@pytest.mark.parametrize(
    "point",
    real_points("langevin:text-a.1-noise", {"alpha": 1, "beta": 5, "x_h": 1, "n": 2, "k": 1}),
)
def test_the_noise_of_lemma_a_1_is_not_the_same_in_every_epoch(point):
    assert meets_the_standing_assumption(point)
    n, _, _, step, kept, kept_odd = setting(point)
    cycle, k = kept_odd * kept ** (n - 1), int(point["k"])
    printed = (
        cycle ** (2 * (k + 1)) / point["alpha"]
        + step * sum(kept ** (2 * i) for i in range(n)) * sum(cycle**j for j in range(k + 1)) ** 2
    )
    assert abs(printed - spread_by_steps(point, fresh=False)) < mpf(10) ** -40
    assert printed > spread_by_steps(point, fresh=True) + mpf(10) ** -3
