"""Every refuted claim once more, from the paper's definitions: sorted rows, sums, costs, integrals.

Nothing here is shared with the claims. Medians and sensitivities are found by trying all
replacements of a row, distributions are integrated numerically, and the printed test is run as it stands in
Algorithm 2 on rows in exact arithmetic.
"""

import itertools
import math
import random
import re
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpbook.engine.claims import catalog
from tests.claimed import Topic

recorded_points = Topic("depth_medians").recorded_points


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(50):
        yield


def real(number):
    return mpf(number.numerator) / number.denominator


def reals(point):
    return {name: real(value) for name, value in point.items()}


# --- section 3.2: estimators ----------------------------------------------------------------------


def trimmed_mean(rows, alpha):
    """Definition 3.4 as printed: ranks from [n alpha] to n - [n alpha], counted from 1."""
    n = len(rows)
    cut = math.floor(n * alpha)
    ordered = sorted(rows)
    return sum(ordered[rank - 1] for rank in range(cut, n - cut + 1)) / (n * (1 - 2 * alpha))


@pytest.mark.parametrize("point", recorded_points("definition-3.4", {"n": 10, "alpha": "1/5"}))
def test_printed_trimmed_mean_of_equal_rows_is_another_number(point):
    rows = [Fraction(1)] * int(point["n"])
    assert (point["n"] * point["alpha"]).denominator == 1
    assert trimmed_mean(rows, point["alpha"]) != 1


@pytest.mark.parametrize("point", recorded_points("definition-3.5", {"n": 5}))
def test_printed_median_of_equal_rows_is_another_number(point):
    n = int(point["n"])
    assert n % 2 == 1
    assert trimmed_mean([Fraction(1)] * n, Fraction(1, 2) - Fraction(1, 2 * n)) != 1


def test_printed_median_of_five_rows_is_3():
    assert trimmed_mean([Fraction(k) for k in (0, 1, 2, 3, 10)], Fraction(2, 5)) == 3


# --- appendix A: sensitivities by trying ----------------------------------------------------------


def median(rows):
    return sorted(rows)[(len(rows) - 1) // 2]


def mad(rows):
    return median([abs(row - median(rows)) for row in rows])


def distances(rows, at):
    return sorted(abs(row - at) for row in rows)


MOVED = {"x_1": 0, "x_2": 1, "x_3": 1, "x_4": 3, "x_5": 6, "y": 6}


def five(point):
    rows = [point[f"x_{k}"] for k in range(1, 6)]
    assert rows == sorted(rows)
    return rows, [rows[0], point["y"], *rows[2:]]


@pytest.mark.parametrize("point", recorded_points("note-a-mad-observations", MOVED))
def test_mad_moves_by_more_than_the_bound_over_three_observations(point):
    rows, other = five(point)
    m, k = 3, 1
    centres = sorted(rows)[m - k - 1 : m + k]
    bound = max(
        abs(distances(rows, z)[m - 1 + step] - distances(rows, z)[m - 1])
        for z in centres
        for step in (-k, k)
    )
    assert abs(mad(other) - mad(rows)) > bound


def test_the_bound_fails_with_centres_between_observations_too():
    rows, other = five({name: Fraction(value) for name, value in MOVED.items()})
    centres = [Fraction(k, 60) for k in range(60, 181)]  # from the 2nd to the 4th row
    bound = max(
        abs(distances(rows, z)[2 + step] - distances(rows, z)[2])
        for z in centres
        for step in (-1, 1)
    )
    assert abs(mad(other) - mad(rows)) > bound


COMPUTED = {
    **{"x_1": 0, "x_2": 3, "x_3": 4, "x_4": 8, "x_5": 8, "y": "33/4"},
    **{"tau": 1, "eta": "1/100", "p": 0},
}


def bounds_of_appendix_a(rows):
    """The bounds on the change of median and MAD and on b, k = 1, over centres on a fine grid with all knots."""
    m = (len(rows) + 1) // 2
    low, high = sorted(rows)[m - 2], sorted(rows)[m]
    grid = [low + (high - low) * Fraction(i, 48) for i in range(49)]
    knots = [(one + other) / 2 for one in rows for other in rows]
    centres = [z for z in (*grid, *knots) if low <= z <= high]
    spread = max(
        max(abs(distances(rows, z)[m] - distances(rows, z)[m - 1]) for z in centres),
        max(abs(distances(rows, z)[m - 2] - distances(rows, z)[m - 1]) for z in centres),
    )
    moved = max(high - median(rows), median(rows) - low)
    return spread, moved, min(distances(rows, z)[m - 1] for z in centres)


@pytest.mark.parametrize("point", recorded_points("text-a-mad", MOVED))
def test_mad_moves_by_more_than_the_bound_over_all_centres(point):
    rows, other = five(point)
    assert abs(mad(other) - mad(rows)) > bounds_of_appendix_a(rows)[0]


@pytest.mark.parametrize("point", recorded_points("text-a-delta", COMPUTED))
def test_outlyingness_changes_by_more_than_the_computed_bound(point):
    rows, other = five(point)
    spread, moved, least = bounds_of_appendix_a(rows)
    here, there = (abs(point["p"] - median(r)) / mad(r) for r in (rows, other))
    assert here <= point["tau"]
    assert abs(here - there) > ((point["tau"] + point["eta"]) * spread + moved) / least


KNOT = {"x_1": 0, "x_2": 10, "x_3": 12, "x_4": 21, "x_5": 30}


@pytest.mark.parametrize("point", recorded_points("text-a-knots", KNOT))
def test_ranks_change_most_between_observations(point):
    rows = [point[f"x_{k}"] for k in range(1, 6)]
    assert rows == sorted(rows)

    def change(z):
        y = distances(rows, z)
        return max(abs(y[3] - y[2]), abs(y[1] - y[2]))

    z = (rows[0] + rows[3]) / 2
    assert rows[1] <= z <= rows[3]
    assert change(z) > max(change(x) for x in rows[1:4])


def test_least_mad_of_neighbours_is_at_most_its_printed_bound():
    rng = random.Random(44)
    for _ in range(200):
        rows = sorted(Fraction(rng.randint(0, 12)) for _ in range(5))
        found = min(
            mad([*rows[:i], *rows[i + 1 :], z])
            for i in range(5)
            for z in {(one + other) / 2 for one in rows for other in rows}
        )
        assert found <= bounds_of_appendix_a(rows)[2]


# --- appendix A: the volume part and the test -----------------------------------------------------

WIDE = {"epsilon": 2, "eta": 1, "tau": 10, "d": 1, "b": 1, "B": 1, "alpha_mu": 0}


def ball_bound(y, epsilon, eta, tau, d, b, B, alpha_mu):
    """exp(-epsilon y / (4 eta)) times the first term of Lemma B.3."""
    top = B * (tau + 2 * eta) + alpha_mu
    return mpmath.exp(-epsilon * y / (4 * eta)) * (top / (b * (tau - y - 2 * eta) - alpha_mu)) ** d


def printed_volume_ratio(epsilon, eta, tau, d, b, B, alpha_mu):
    """VR_k of Appendix A, read from left to right."""
    exponent = -epsilon * tau / (4 * eta) + epsilon * (mpf(1) / 2 + alpha_mu / (4 * b * eta)) + d
    return (
        mpmath.exp(exponent) * ((B * (tau + 2 * eta) + alpha_mu) / (b * 4 * eta * d * epsilon)) ** d
    )


@pytest.mark.parametrize("point", recorded_points("text-a-volume-ratio", WIDE))
def test_printed_volume_ratio_is_below_the_bound_at_every_y(point):
    at = reals(point)
    end = at["tau"] - 2 * at["eta"] - at["alpha_mu"] / at["b"]
    least = min(ball_bound(end * mpf(k) / 4000, **at) for k in range(1, 4000)) if end > 0 else None
    best = end - 4 * at["eta"] * at["d"] / at["epsilon"]
    at_best = ball_bound(best, **at)
    assert at_best > printed_volume_ratio(**at)
    if best > 0:
        assert least == pytest.approx(at_best, rel=1e-3)


GRID = {
    "epsilon": 1,
    "delta": "1/1000",
    "eta": "8/100",
    "tau": 6,
    "s_0": 1000,
    "c_m": 1131,
    "s": 18,
}


def printed_margin(rows, point, most):
    """Algorithm 2 on rows in one dimension, up to its noise; from sorted rows, exactly."""
    rows = sorted(rows)
    n = len(rows)
    m = (n + 1) // 2
    centre, scale = median(rows), mad(rows)
    numbers = {name: real(point[name]) for name in ("epsilon", "eta", "tau")}
    ratio = printed_volume_ratio(
        **numbers, d=1, b=mpf(int(scale)), B=mpf(int(scale)), alpha_mu=mpf(2 * abs(int(centre)))
    )

    def deviation(k):
        first = max(rows[m - 1 + k] - rows[m - 1], rows[m - 1] - rows[m - 1 - k])
        spread, least = 0, None
        for z in {rows[r] for r in range(m - 1 - k, m + k)}:
            y = distances(rows, z)
            spread = max(spread, abs(y[m - 1 + k] - y[m - 1]), abs(y[m - 1] - y[m - 1 - k]))
            least = y[m - 1] if least is None else min(least, y[m - 1])
        return ((point["tau"] + point["eta"]) * spread + first) / Fraction(int(least))

    k = 1
    while True:
        k += 1
        if k > most or not (ratio < real(point["delta"]) and deviation(k) < point["eta"]):
            return k - 2


def chance_to_pass(margin, epsilon, delta):
    """By quadrature of the Laplace density."""
    gap = mpmath.log(1 / (2 * delta)) - epsilon * margin / 2
    below = mpmath.quad(lambda w: mpmath.exp(-abs(w)) / 2, sorted({mpf(-80), mpf(0), gap} - {None}))
    if gap < 0:
        below = mpmath.quad(lambda w: mpmath.exp(w) / 2, [mpf(-80), gap])
    return 1 - below


@pytest.mark.parametrize("point", recorded_points("note-algorithm-2", GRID))
def test_printed_test_lets_one_row_change_the_chance_of_a_release(point):
    quarter, centre = int(point["s_0"]), int(point["c_m"])
    rows = list(range(centre - 2 * quarter, centre + 2 * quarter + 1))
    other = [*rows[1:], centre + 2 * quarter]
    most = int(point["s"]) + 2
    first, second = (printed_margin(one, point, most) for one in (rows, other))
    assert first >= point["s"]
    assert second == 0
    epsilon, delta = real(point["epsilon"]), real(point["delta"])
    here, there = (chance_to_pass(k, epsilon, delta) for k in (first, second))
    assert here > mpmath.exp(epsilon) * there + delta


# --- section 3.1 ----------------------------------------------------------------------------------

TWO_BUDGETS = {"epsilon": 1, "delta": "1/1000", "s": 12, "q": "1/2", "q_1": "23/125"}


@pytest.mark.parametrize("point", recorded_points("note-two-budgets", TWO_BUDGETS))
def test_a_test_of_the_printed_margin_spends_more_than_epsilon(point):
    """Datasets are counts of ones among many bits; neighbours differ by one."""
    at = reals(point)
    epsilon, delta, margin = at["epsilon"], at["delta"], int(point["s"])
    # up to the count margin the event has q_1, from there on q; with 0 it is far from both
    size = 2 * margin + 6
    far = min(mpf(1), mpmath.exp(epsilon) * max(at["q"], at["q_1"]) + 2 * delta)
    if far >= 1:
        far = max(mpf(0), (min(at["q"], at["q_1"]) - 2 * delta) / mpmath.exp(epsilon) / 2)
    chances = [far, *[at["q_1"]] * (margin + 1), *[at["q"]] * (size - margin - 1)]

    def close(p, q):
        pairs = [(p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p)]
        return all(one <= mpmath.exp(epsilon) * other + delta for one, other in pairs)

    unsafe = {
        s
        for s in range(size + 1)
        for t in (s - 1, s + 1)
        if 0 <= t <= size and not close(chances[s], chances[t])
    }
    assert unsafe == {0, 1}
    margins = [min(abs(s - t) for t in unsafe) for s in range(size + 1)]
    here = margins.index(margin + 1)
    assert margins[here - 1] == margin
    released = [chance_to_pass(margins[s], epsilon, delta) * chances[s] for s in (here, here - 1)]
    assert released[0] > mpmath.exp(epsilon) * released[1] + delta


@pytest.mark.parametrize(
    "point",
    recorded_points(
        "theorem-3.1.denominator",
        {"c_1": "1/10", "c_3": "1/1000", "eta": "9/10", "tau": "193/50"},
    ),
)
def test_condition_on_delta_takes_the_logarithm_of_a_negative_number(point):
    assert 0 < point["eta"] < 1
    assert point["tau"] > 4 * point["eta"] + 16 * point["c_3"] / point["c_1"]
    assert point["c_1"] * point["tau"] / 4 - point["eta"] - 4 * point["c_3"] <= 0


@pytest.mark.parametrize(
    "point", recorded_points("text-3.1-breakdown", {"p": 0, "mu": 0, "sigma": 1, "tau": 1})
)
def test_a_kept_point_is_below_the_printed_end(point):
    both_ways = [
        abs(u * point["p"] - u * point["mu"]) / point["sigma"] for u in (-1, 1)
    ]  # the sphere of one dimension
    assert max(both_ways) <= point["tau"]
    assert point["p"] < point["tau"] * point["sigma"] - max(point["mu"], -point["mu"])


# --- appendix B -----------------------------------------------------------------------------------


@pytest.mark.parametrize("point", recorded_points("eq-b.6", {"epsilon": 1, "delta": "1/1000"}))
def test_a_margin_of_2_fails_more_often_than_printed(point):
    epsilon, delta = real(point["epsilon"]), real(point["delta"])
    assert mpmath.log(1 / (2 * delta)) >= epsilon
    assert 1 - chance_to_pass(2, epsilon, delta) > delta * mpmath.exp(epsilon)


B14 = {"epsilon": 2, "eta": 1, "c_1": 1, "c_2": 1, "c_3": 1, "t": 1, "tau": 25}


@pytest.mark.parametrize("point", recorded_points("eq-b.14", B14))
def test_exponent_of_lemma_b_4_exceeds_that_of_eq_b_14(point):
    c_1, c_2, c_3, t, eps, eta = (
        point[name] for name in ("c_1", "c_2", "c_3", "t", "epsilon", "eta")
    )
    r = t * c_1 / (10 * c_2)
    s = r
    assert 0 < s < c_1 * point["tau"] / 2 - c_3
    assert 0 < r < c_1 * point["tau"] / 2 - s - c_3
    left = eps * (c_1 / 2 + 2 * c_2) * (c_3 + s) / (4 * eta * c_1 * c_2)
    left += -eps * t / (8 * eta * c_2) + eps * r / (2 * c_1 * eta)
    assert left > -t * eps / (80 * c_2 * eta) + 5 * c_3 / (8 * c_1)


@pytest.mark.parametrize(
    "point", recorded_points("text-b-sixteen", {"c_1": 1, "c_2": 1, "c_3": 1, "t": 1, "tau": 25})
)
def test_a_term_of_eq_b_15_is_lost(point):
    c_1, c_2, c_3, t, tau = (point[name] for name in ("c_1", "c_2", "c_3", "t", "tau"))
    assert tau >= 20 * (2 * c_3 / (10 * c_2 - c_1) + c_3 / c_1)
    eq_b_15 = 10 * c_2 / c_1 * ((2 * c_2 * tau + c_3) / t + c_1 / (10 * c_2))
    assert eq_b_15 > 20 * c_2**2 * tau / (t * c_1) + 1


LOGARITHM = {"C": 1, "c_1": 1, "c_2": 1, "c_3": 1, "tau": 60, "d": 1, "gamma": 1, "n": 100}


@pytest.mark.parametrize("point", recorded_points("text-b-logarithm", LOGARITHM))
def test_proof_of_theorem_3_2_ends_with_a_larger_logarithm(point):
    v = reals(point)
    proof = v["d"] * mpmath.log(20 * v["c_2"] ** 2 * v["n"] * v["tau"] / v["c_1"] + 1)
    theorem = v["d"] * mpmath.log(2 * v["c_2"] * v["tau"] / v["c_3"] + 1)
    assert proof > v["C"] * (mpmath.log(1 / v["gamma"]) + theorem + v["c_3"] / v["c_1"])


# --- appendices C to E ----------------------------------------------------------------------------


@pytest.mark.parametrize("point", recorded_points("text-c.3-range", {"k": 1, "n": 1000}))
def test_there_is_no_quantile_in_the_range_of_lemma_c_3(point):
    first, last = Fraction(1, 2), 1 - Fraction(1, 2) - point["k"] / point["n"]
    assert first > last


def test_mean_of_a_folded_normal_is_not_the_printed_one():
    mean = mpmath.quad(
        lambda z: abs(z) * mpmath.exp(-(z**2) / 2) / mpmath.sqrt(2 * mpmath.pi), [-40, 0, 40]
    )
    assert abs(mean - mpmath.sqrt(2 * mpmath.pi)) > 1
    assert mean == pytest.approx(mpmath.sqrt(2 / mpmath.pi), rel=1e-30)


def distribution(costs, volumes, beta, end):
    """Exponential mechanism on cells."""
    weights = [
        volume * mpmath.exp(-beta * cost) if cost <= end else mpf(0)
        for cost, volume in zip(costs, volumes, strict=True)
    ]
    return [weight / sum(weights) for weight in weights]


@pytest.mark.parametrize(
    "point",
    recorded_points("eq-d.9", {"epsilon": 1, "eta": 1, "tau": 4, "phi": 4, "phi_1": 4}),
)
def test_shell_of_one_cell_weighs_more_than_eq_d_9_says(point):
    at = reals(point)
    tau, eta = at["tau"], at["eta"]
    assert tau - eta < at["phi"] <= tau + eta
    assert (
        tau - 2 * eta < at["phi_1"] <= tau + 2 * eta
    )  # so the shell of the right side is the cell
    assert abs(at["phi"] - at["phi_1"]) <= eta / 2
    weight = mpmath.exp(-at["epsilon"] * at["phi"] / (4 * eta))
    assert weight > mpmath.exp(-at["epsilon"] * (tau + eta) / (4 * eta))


D7 = {
    **{"epsilon": 2, "eta": 1, "tau": 4, "y_1": 2, "delta": "1/20"},
    **{"phi": "3001/1000", "V_1": 1, "V_2": "2747/100000"},
}


@pytest.mark.parametrize("point", recorded_points("eq-d.7", D7))
def test_shell_of_two_cells_has_more_mass_than_eq_d_7_says(point):
    at = reals(point)
    epsilon, eta, tau, delta = (at[name] for name in ("epsilon", "eta", "tau", "delta"))
    beta = epsilon / (4 * eta)
    volumes = [at["V_1"], at["V_2"]]
    here, neighbour = [mpf(0), at["phi"]], [eta / 2, at["phi"]]  # eq. D.5: within eta / 2
    assert delta <= mpmath.exp(-epsilon / 2) / 2
    assert at["y_1"] > 0
    inner = [v for c, v in zip(here, volumes, strict=True) if c <= tau - at["y_1"] - 2 * eta]
    shell = [v for c, v in zip(here, volumes, strict=True) if tau - 2 * eta < c <= tau + 2 * eta]
    assert (
        mpmath.exp(-beta * at["y_1"]) * sum(shell) / sum(inner)
        <= mpmath.exp(-epsilon / 4) * delta / 3
    )
    kept = distribution(neighbour, volumes, beta, tau + eta)
    outer = sum(p for p, c in zip(kept, neighbour, strict=True) if c > tau - eta)
    assert outer > mpmath.exp(-epsilon / 2) * delta / 3


@pytest.mark.parametrize(
    "point",
    recorded_points(
        "example-3.2", {"n": 2, "d": 1, "eta": 1, "tau": 1, "epsilon": 1, "delta": "1/1000"}
    ),
)
def test_printed_bound_on_a_chance_of_a_release_exceeds_1(point):
    v = reals(point)
    change = mpmath.exp(-v["n"] * v["eta"] / (mpmath.sqrt(v["d"]) * v["tau"])) * mpmath.exp(v["d"])
    change *= v["n"]
    quantiles = mpmath.exp(-v["n"] / v["d"] ** 2) * (v["n"] / v["d"]) ** v["d"]
    assert 1 - mpmath.exp(v["epsilon"]) * v["delta"] + change - quantiles > 1


def test_no_cauchy_coordinate_has_the_width_that_lemma_e_2_asks_for():
    for r in mpmath.linspace(mpf("0.01"), 40, 400):
        least = 1 / (mpmath.pi * (1 + r**2))  # of the density within r of the median
        assert r * least < mpf(1) / 3


@pytest.mark.parametrize(
    "point", recorded_points("algorithm-2.noise", {"epsilon": 1, "delta": "1/1000", "s": 0})
)
def test_last_line_of_algorithm_2_passes_with_another_chance(point):
    at = reals(point)
    passes = at["s"] + 2 / at["epsilon"] > 2 * mpmath.log(1 / (2 * at["delta"])) / at["epsilon"]
    chance = chance_to_pass(at["s"], at["epsilon"], at["delta"])
    assert abs((1 if passes else 0) - chance) > mpf(10) ** -30


@pytest.mark.parametrize("point", recorded_points("algorithm-2.change", {"S_mu": 3, "eta": 4}))
def test_algorithm_2_passes_changes_that_lemma_d_2_does_not(point):
    assert point["S_mu"] < point["eta"]
    assert 2 * point["S_mu"] > point["eta"]


BUDGET = {"epsilon": 1, "delta": "1/1000", "V_1": "1/1000"}


@pytest.mark.parametrize("point", recorded_points("text-a-volume-ratio.budget", BUDGET))
def test_the_test_passes_volumes_that_lemma_d_2_does_not(point):
    at = reals(point)
    assert at["V_1"] <= at["delta"]
    assert at["V_1"] > mpmath.exp(-at["epsilon"] / 4) * at["delta"] / 3


@pytest.mark.parametrize("point", recorded_points("eq-b.6.change", {"S_mu": 3, "eta": 4}))
def test_event_of_lemma_5_3_is_larger_than_that_of_eq_b_6(point):
    assert point["eta"] / 2 < point["S_mu"] <= point["eta"]


RATIO = {"epsilon": 1, "delta": "1/2", "W_1": "1/4"}


@pytest.mark.parametrize("point", recorded_points("eq-b.6.volume", RATIO))
def test_event_of_volumes_of_lemma_5_3_is_no_part_of_that_after_eq_b_6(point):
    at = reals(point)
    assert at["W_1"] > mpmath.exp(-at["epsilon"] / 4) * at["delta"] / 3
    assert at["W_1"] <= mpmath.exp(-at["epsilon"] / 2) * at["delta"]


@pytest.mark.parametrize("point", recorded_points("algorithm-3", {"lambda_2": "1/4"}))
def test_algorithm_3_releases_where_the_test_fails(point):
    passes = point["lambda_2"]
    released = sum(chance for chance, test in ((passes, True), (1 - passes, False)) if not test)
    assert released != passes


LAST = {
    **{"z": 100, "C": 1, "t_3": 1, "eta": "1/2", "tau": 1, "zeta_m": 1, "zeta_s": 1, "kappa_n": 1},
    **{"epsilon": 1, "delta": "1/100"},
}


@pytest.mark.parametrize("point", recorded_points("text-b-last", LAST))
def test_last_line_of_theorem_3_1_loses_a_factor(point):
    v = reals(point)
    a_1, kappa, zeta, zeta_mu = v["z"], v["kappa_n"], v["zeta_s"], v["zeta_m"]
    change = min(mpf(1), v["eta"] / max(v["tau"], mpf(1)))
    beside = kappa + zeta + mpmath.exp(v["epsilon"]) * v["delta"]
    before = a_1 * mpmath.exp(-v["t_3"]) + kappa + min(zeta, zeta_mu)
    before += a_1 * mpmath.exp(-v["t_3"] * change) + beside
    assert before > v["C"] * (mpmath.exp(-v["t_3"] * change) + beside)


CHANGE = {"C": 1, "c_1": 1, "c_2": 2, "eta": "1/2", "tau": 1, "t_3": 8}


@pytest.mark.parametrize("point", recorded_points("theorem-3.1.exponent", CHANGE))
def test_exponent_of_theorem_3_1_is_larger_than_that_of_its_proof(point):
    v = reals(point)
    assert v["eta"] < 1
    tau = max(v["tau"], mpf(1))
    proof = mpmath.exp(-v["t_3"] * v["c_1"] / 4 * min(mpf(1), v["eta"] / tau))
    assert proof > v["C"] * mpmath.exp(-v["t_3"] * v["c_2"] * v["eta"] / (4 * tau))


@pytest.mark.parametrize(
    "point", recorded_points("theorem-3.4.level", {"tau": 1, "p": 0, "p_2": 0})
)
def test_no_point_of_the_plane_is_near_enough_to_five_rows(point):
    rows = [(2, -2), (2, 1), (-3, 2), (3, 3), (-3, 3)]
    directions = [(1, 0), (0, 1), (1, 1)]  # outlyingness does not depend on their lengths

    def outlyingness(x):
        found = []
        for u in directions:
            seen = [Fraction(u[0] * a + u[1] * b) for a, b in rows]
            found.append(abs(u[0] * x[0] + u[1] * x[1] - median(seen)) / mad(seen))
        return max(found)

    grid = [Fraction(k, 12) for k in range(-60, 61)]
    least = min(outlyingness((a, b)) for a in grid for b in grid)
    assert least == Fraction(4, 3)
    assert outlyingness((point["p"], point["p_2"])) > point["tau"]
    assert least > point["tau"]


DISPLAY = {
    **{"mu": 0, "mu_1": 1, "sigma": 1, "sigma_1": 1, "b": 1, "S_mu": 1, "S_sigma": 1},
    **{"tau": 1, "p": 2},
}


@pytest.mark.parametrize("point", recorded_points("text-b.2-display", DISPLAY))
def test_display_of_lemma_b_2_has_the_wrong_location(point):
    v = point
    assert abs(v["mu"] - v["mu_1"]) <= v["S_mu"]
    assert abs(v["sigma"] - v["sigma_1"]) <= v["S_sigma"]
    assert v["b"] <= min(v["sigma"], v["sigma_1"])
    assert abs(v["p"] - v["mu_1"]) <= v["tau"] * v["sigma_1"]
    parts = abs(v["p"] - v["mu"]) * v["S_sigma"] + v["sigma"] * v["S_mu"]
    bound = (v["tau"] * v["S_sigma"] + v["S_mu"]) / v["b"]
    assert parts / (v["sigma"] * v["sigma_1"]) > bound


LEVEL = {
    **{"mu": 0, "mu_1": 0, "sigma": 2, "sigma_1": 1, "b": 1, "S_mu": 0, "S_sigma": 1},
    **{"tau": 1, "eta": 1, "p": 4},
}


@pytest.mark.parametrize("point", recorded_points("text-b-level", LEVEL))
def test_a_point_of_a_larger_level_changes_by_more_than_delta_k(point):
    v = point
    assert abs(v["mu"] - v["mu_1"]) <= v["S_mu"]
    assert abs(v["sigma"] - v["sigma_1"]) <= v["S_sigma"]
    assert v["b"] <= min(v["sigma"], v["sigma_1"])
    assert abs(v["p"] - v["mu"]) <= (v["tau"] + v["eta"]) * v["sigma"]
    here, there = abs(v["p"] - v["mu"]) / v["sigma"], abs(v["p"] - v["mu_1"]) / v["sigma_1"]
    assert abs(here - there) > (v["tau"] * v["S_sigma"] + v["S_mu"]) / v["b"]


def test_so_it_is_for_nine_rows_by_trying():
    rows = [Fraction(k) for k in (-2, -2, -2, 0, 0, 0, 1, 2, 2)]
    tau = eta = Fraction(1)
    others = [
        [*rows[:i], Fraction(y), *rows[i + 1 :]]
        for i in range(len(rows))
        for y in (-50, -2, -1, 0, 1, 2, 50)
    ]
    shift = max(abs(median(other) - median(rows)) for other in others)
    spread = max(abs(mad(other) - mad(rows)) for other in others)
    least = min(mad(other) for other in [rows, *others])
    assert (shift, spread, least) == (0, 1, 1)
    kept = median(rows) + (tau + eta) * mad(rows)
    change = max(
        abs((kept - median(o)) / mad(o) - (kept - median(rows)) / mad(rows)) for o in others
    )
    assert change > (tau * spread + shift) / least
    assert change <= ((tau + eta) * spread + shift) / least


B13 = {"C": 1, "n": 100, "eta": "1/100", "s_n": 1, "r": 1}


@pytest.mark.parametrize("point", recorded_points("eq-b.13", B13))
def test_no_radii_make_the_tail_of_lemma_b_4_small_at_the_t_of_the_proof(point):
    v = reals(point)
    epsilon = c_1 = c_2 = c_3 = gamma = mpf(1)
    tau, d, eta = mpf(25), 1, v["eta"]
    assert tau >= 20 * (2 * c_3 / (10 * c_2 - c_1) + c_3 / c_1)
    logs = max(
        mpmath.log(1 / gamma), d * mpmath.log(20 * c_2**2 * v["n"] * tau / c_1 + 1), c_3 / c_1
    )
    t = v["C"] * max(eta * c_2 / epsilon * logs, 1 / v["n"])

    def tail(s, r):
        exponent = epsilon * (c_1 / 2 + 2 * c_2) * (c_3 + s) / (4 * eta * c_1 * c_2)
        exponent += -epsilon * t / (8 * eta * c_2) + epsilon * r / (2 * c_1 * eta)
        return mpmath.exp(exponent) * ((2 * c_2 * tau + s + c_3) ** d - t**d) / r**d

    end = c_1 * tau / 2 - c_3
    some = [
        (end * i / 40, (end - end * i / 40) * j / 40) for i in range(1, 40) for j in range(1, 40)
    ]
    assert 0 < v["s_n"] < end
    assert 0 < v["r"] < end - v["s_n"]
    assert min(tail(s, r) for s, r in [*some, (v["s_n"], v["r"])]) > gamma / 3


def mean_and_deviation(rows):
    """Definition 3.4 with alpha = 1/4, without the term too many."""
    cut = len(rows) // 4
    kept = sorted(rows)[cut : len(rows) - cut]
    centre = Fraction(sum(kept), len(kept))
    return centre, sum(abs(row - centre) for row in kept) / len(kept)


@pytest.mark.parametrize("point", recorded_points("text-b-e5", {"C": 1, "n": 195}))
def test_locations_of_signs_are_far_apart_in_every_sample(point):
    n, constant = int(point["n"]), point["C"]
    n += 1 - n % 2  # the sample is of odd size
    assert constant * Fraction(65, n) < 1
    size = 101
    chance_off = Fraction(0)
    for ones in range(size + 1):
        rows = [1] * ones + [-1] * (size - ones)
        centre, deviation = mean_and_deviation(rows)
        c_3 = Fraction(1, 4 * size)
        assert 2 * abs(centre) > 4 * c_3  # largest less smallest location, in directions 1 and -1
        if abs(deviation - 1) >= Fraction(1, 4):
            chance_off += Fraction(math.comb(size, ones), 2**size)
        for values in ((10**6,) * 3, (-(10**6),) * 3, (0, 10**6, 10**6), (1, 1, 1), (-1, -1, -1)):
            for first in (0, max(0, ones - 3), size - 3):
                moved = rows[:first] + list(values) + rows[first + 3 :]
                assert all(
                    abs(new - old) <= Fraction(24, size)
                    for new, old in zip(mean_and_deviation(moved), (centre, deviation), strict=True)
                )
    assert chance_off <= Fraction(64, size)


@pytest.mark.parametrize("point", recorded_points("eq-b.8", {"C": 1, "w_1": "1/24"}))
def test_a_small_scale_is_no_error_of_the_location(point):
    chance, constant = point["w_1"], point["C"]
    weights = {0: 1 - 2 * chance, 1: chance, -1: chance}
    bad = tail = Fraction(0)
    for rows in itertools.product(weights, repeat=3):
        weight = math.prod(weights[row] for row in rows)
        mean = Fraction(sum(rows), 3)
        variance = sum((row - mean) ** 2 for row in rows) / 3
        median = sorted(rows)[1]
        tail += weight * (median != 0)
        bad += weight * (4 * variance < 2 * chance)  # the scale is below half of sqrt(2 w_1)
    assert tail == 6 * chance**2 - 4 * chance**3
    assert bad >= (1 - 2 * chance) ** 3 > constant * 2 * tail


@pytest.mark.parametrize("point", recorded_points("text-3.5-display", {"n": 9, "i": 3, "k": 2}))
def test_some_rows_move_a_trimmed_mean_by_more_than_the_display_says(point):
    n, cut, k = (int(point[name]) for name in ("n", "i", "k"))
    rows = [Fraction(0)] * (n - cut) + [Fraction(1)] * cut
    other = [Fraction(1)] * k + rows[k:]

    def mean_of_the_middle(some):
        return sum(sorted(some)[cut : n - cut]) / (n - 2 * cut)

    ranks = [(n - cut + 1 + k - i, cut + 1 - i) for i in range(k + 2)]
    inside = [(a, b) for a, b in ranks if b >= 1 and a <= n]
    bound = max((rows[a - 1] - rows[b - 1]) / (n - 2 * cut) for a, b in inside)
    assert mean_of_the_middle(other) - mean_of_the_middle(rows) > bound


C4 = {"d": 1, "n": 1000, "r": 1, "M": 1, "c_0": 1, "k": 1, "C": 100}


@pytest.mark.parametrize("point", recorded_points("eq-c.4", C4))
def test_event_e_8_is_more_likely_than_eq_c_4_says(point):
    v = reals(point)
    left = (
        1 - mpmath.exp(-v["n"] * v["r"] ** 2 * v["M"] ** 2) * (v["c_0"] * v["n"] / v["d"]) ** v["d"]
    )
    assert left > mpf(9) ** v["d"] * (v["n"] + 1) * mpmath.exp(-3 * v["M"] * v["C"] / (4 * v["k"]))


@pytest.mark.parametrize(
    "point", recorded_points("eq-c.4.spacing", {"w_k": 1, "C": 2, "k": 2, "n": 1})
)
def test_a_net_need_not_see_a_spacing_without_k(point):
    assert point["w_k"] >= point["C"] / (point["k"] * point["n"])
    assert Fraction(3, 4) * point["w_k"] < 3 * point["C"] / (4 * point["n"])


FOUR = {"x_1": 0, "x_2": 5, "x_3": 6, "x_4": 7, "y": 0}


@pytest.mark.parametrize("point", recorded_points("eq-c.7", FOUR))
def test_lower_median_of_four_rows_moves_by_more_than_eq_c_7_says(point):
    rows = [point[f"x_{k}"] for k in range(1, 5)]
    assert rows == sorted(rows)
    moved = abs(median([*rows[:3], point["y"]]) - median(rows))
    bound = 0
    for sign in (1, -1):
        projected = sorted(sign * row for row in rows)
        m = (len(rows) + 1) // 2
        bound = max(bound, abs(projected[m] - projected[m - 1]))
    assert moved > bound


@pytest.mark.parametrize("point", recorded_points("text-e.3-inclusion", {"p": 0, "p_2": 0, "M": 1}))
def test_an_interval_is_shorter_than_the_proof_of_lemma_e_2_says(point):
    assert point["p"] <= point["p_2"]
    assert point["p_2"] + 1 / (3 * point["M"]) > point["p"]


@pytest.mark.parametrize("point", recorded_points("eq-e.5", {"n": 1, "M": 2}))
def test_bound_of_eq_e_5_is_below_that_of_eq_e_3(point):
    v = reals(point)
    t = 1 / (3 * v["M"])
    assert mpmath.exp(-2 * v["n"] * t**2 * v["M"] ** 2) > mpmath.exp(
        -2 * v["n"] * v["M"] ** 2 * (v["M"] / 3) ** 2
    )


@pytest.mark.parametrize("point", recorded_points("eq-e.8", {"C": 2, "t": 2}))
def test_a_normal_row_is_further_off_than_eq_e_8_says(point):
    v = reals(point)
    chance = mpmath.quad(lambda r: r * mpmath.exp(-(r**2) / 2), [v["t"], mpmath.inf])
    assert chance > v["C"] * mpmath.exp(-(v["t"] ** 2))


@pytest.mark.parametrize("point", recorded_points("eq-e.8.dimension", {"C": 1, "c_0": 1, "d": 16}))
def test_a_normal_row_of_many_coordinates_is_further_off_than_eq_e_8_says(point):
    v = reals(point)
    chance = mpmath.gammainc(v["d"] / 2, v["d"] / 8, mpmath.inf, regularized=True)
    assert chance >= 1 - 4 / v["d"]
    assert chance > v["C"] * mpmath.exp(-v["c_0"] * v["d"] / 4)


E8 = {"p": 0, "p_2": 1, "r": 1, "x_1": 0, "x_2": "3/2"}


@pytest.mark.parametrize("point", recorded_points("eq-c.2.event", E8))
def test_a_row_near_its_quantile_is_above_that_of_another_order(point):
    v = point
    assert v["p"] <= v["p_2"]
    assert abs(v["x_2"] - v["p_2"]) <= v["r"]
    assert v["x_2"] > v["p"] + v["r"]


def test_rows_at_their_quantiles_are_not_in_the_printed_e_8():
    """Rows j/n of the uniform distribution err by nothing; k is an eighth of them."""
    n, k, q, r = 800, 100, Fraction(1, 4), Fraction(1, 16)
    row = [Fraction(j, n) for j in range(1, n + 1)]
    m = int(q * n)
    assert row[m - 1] == q
    assert row[m + k - 1] == q + Fraction(k, n)
    assert row[m + k - 1] > q + r


@pytest.mark.parametrize("point", recorded_points("eq-c.6.given", {"M": "99/100", "t": "1/10"}))
def test_a_spacing_is_larger_given_e_8(point):
    v = reals(point)
    size = float(v["t"])
    rng = np.random.default_rng(44)
    rows = np.sort(rng.random((400_000, 8)), axis=1)

    def near(rank, quantile):
        return abs(rows[:, rank - 1] - quantile) <= 1 / 8

    kept = near(2, 1 / 4) & near(3, 1 / 4) & near(6, 3 / 4) & near(7, 3 / 4)
    apart = (rows[:, 5] - rows[:, 4] >= size)[kept]
    error = 5 * np.sqrt(apart.mean() * (1 - apart.mean()) / len(apart))
    assert apart.mean() - error > float((1 - v["M"] * v["t"]) ** 8)


@pytest.mark.parametrize(
    "point", recorded_points("text-d.1-reason", {"delta_r": "1/10", "epsilon": 1})
)
def test_reason_for_a_ratio_is_not_enough(point):
    v = reals(point)
    x = mpmath.exp(-v["epsilon"] / 2) * v["delta_r"] / 3
    assert 0 < x <= mpf(1) / 2
    right = mpmath.exp(v["epsilon"] / 2) + 2 * v["delta_r"] / 3
    assert mpmath.exp(v["epsilon"] / 2) * (1 + 1 / x) > right
    assert mpmath.exp(v["epsilon"] / 2) / (1 - x) <= right


COORDINATES = {"x_1": 0, "x_2": 1, "x_3": 5, "y": 5, "p": 0, "p_2": 1}


@pytest.mark.parametrize("point", recorded_points("text-e.3-linear", COORDINATES))
def test_trimmed_mean_is_not_linear_in_the_direction(point):
    first = [point[name] for name in ("x_1", "x_2", "x_3")]
    second = [point[name] for name in ("y", "p", "p_2")]
    assert first == sorted(first)
    sums = [a + b for a, b in zip(first, second, strict=True)]
    cut_once = [sorted(some)[1] for some in (sums, first, second)]
    assert cut_once[0] != cut_once[1] + cut_once[2]


@pytest.mark.parametrize("point", recorded_points("text-e.3-sum", {"p": 2, "p_2": 0, "c": 1}))
def test_size_of_a_mean_is_less_than_the_mean_of_sizes(point):
    differences = [point["p"] - point["c"], point["p_2"] - point["c"]]
    assert abs(sum(differences)) < sum(abs(one) for one in differences)


WINDOW = {"x_1": 0, "x_2": 1, "x_3": 2, "x_4": 3, "x_5": 4, "y": 5}


@pytest.mark.parametrize("point", recorded_points("text-a-window", WINDOW))
def test_median_is_not_between_the_exchanged_ends(point):
    rows, other = five(point)
    assert not rows[3] <= median(other) <= rows[1]
    assert rows[1] <= median(other) <= rows[3]


LEAST = {"x_1": 0, "x_2": 1, "x_3": 10, "x_4": 11, "x_5": 20, "y": 10}


@pytest.mark.parametrize("point", recorded_points("text-a-least", LEAST))
def test_mad_of_the_dataset_is_no_infimum_over_others(point):
    rows, other = five(point)
    assert mad(rows) > mad(other)


DRIFT = {"C": 1, "epsilon": 1, "eta": 1, "tau": 4, "t": 3}


@pytest.mark.parametrize("point", recorded_points("algorithm-1.drift", DRIFT))
def test_steps_without_a_drift_keep_no_distribution(point):
    v = reals(point)
    beta = v["epsilon"] / (4 * v["eta"])

    def drift(out):
        return -beta if out <= v["tau"] else mpf(0)

    def density(out):  # its logarithm has the drift as its slope
        return mpmath.exp(mpmath.quad(drift, [0, min(out, v["tau"]), out]))

    mass = v["t"] * density(v["tau"] + v["t"])
    assert abs(density(v["tau"] + v["t"]) - density(v["tau"] + v["t"] / 2)) < mpf(10) ** -20
    assert mass > v["C"]


SPACING = {"C": 1, "n": 100, "M": 1, "eta": 1, "alpha": "1/4"}


@pytest.mark.parametrize("point", recorded_points("text-3.5-spacing", SPACING))
def test_lemma_c_2_gives_less_than_the_proof_of_theorem_3_5_takes_from_it(point):
    v = reals(point)
    summed = v["n"] * (1 - 2 * v["alpha"])
    k = summed + 3  # from rank n alpha + 1 - i to n - n alpha + 4 - i
    c = v["n"] * summed * v["eta"]  # a distance of c / n over the number of terms is eta
    lemma = mpmath.exp(-3 * v["M"] * c / (4 * k))
    assert lemma > v["C"] * mpmath.exp(-v["M"] * v["n"] * summed * v["eta"] / 4)


SENTENCE = {"C": 1, "n": 1000, "M": 1, "eta": "1/1000", "alpha": "1/4"}


@pytest.mark.parametrize("point", recorded_points("text-3.5-chance", SENTENCE))
def test_sentence_of_theorem_3_5_has_another_chance_than_its_display(point):
    v = reals(point)
    summed = v["M"] * v["n"] * (1 - 2 * v["alpha"]) / 4
    display = mpmath.exp(-summed * v["n"] * v["eta"])
    assert display > v["C"] * mpmath.exp(-summed * mpmath.log(v["n"]))


@pytest.mark.parametrize("point", recorded_points("theorem-3.6.net", {"C": 1, "d": 1, "n": 1}))
def test_a_net_has_more_points_than_theorem_3_6_says(point):
    v = reals(point)
    assert v["n"] * mpf(9) ** v["d"] > v["C"] * v["n"] * mpmath.exp(v["d"])


@pytest.mark.parametrize("point", recorded_points("example-3.1.scales", {"v": 1, "h_0": 1}))
def test_trimmed_deviation_of_normal_rows_is_below_their_deviation(point):
    v, end = real(point["v"]), real(point["h_0"])

    def density(z):
        return mpmath.exp(-(z**2) / 2) / mpmath.sqrt(2 * mpmath.pi)

    mass = mpmath.quad(density, [-end, 0, end])
    trimmed = v * mpmath.quad(lambda z: abs(z) * density(z), [-end, 0, end]) / mass
    assert v > trimmed


UNITS = {"c_0": 1, "v_d": "1/2", "n": 1, "eta": 1}


@pytest.mark.parametrize("point", recorded_points("example-3.1.exponent", UNITS))
def test_exponent_of_example_3_1_is_more_than_theorem_3_1_gives(point):
    v = reals(point)
    a_2, c_2 = v["n"] / v["v_d"], v["v_d"]
    assert a_2 * c_2 * v["n"] * v["eta"] < v["c_0"] * v["n"] ** 2 * v["eta"] / v["v_d"]


COST = {"C": 1, "v_d": 10, "tau": 20, "gamma": "1/2", "d": 1, "n": 1, "epsilon": 1}


@pytest.mark.parametrize("point", recorded_points("example-3.1.cost", COST))
def test_cost_of_example_3_1_is_less_than_theorem_3_2_gives(point):
    v = reals(point)
    eta, c_2, c_3 = 1 / v["n"], v["v_d"], 1
    logs = mpmath.log(1 / v["gamma"])
    theorem = c_2 * eta / v["epsilon"] * (logs + v["d"] * mpmath.log(2 * c_2 * v["tau"] / c_3 + 1))
    printed = (logs + v["d"] * mpmath.log(v["v_d"] ** 2 + 1)) / (v["n"] * v["epsilon"])
    assert theorem > v["C"] * printed


@pytest.mark.parametrize(
    "point", recorded_points("example-3.2.cost", {"C": 1, "d": 4, "n": 1, "epsilon": 1})
)
def test_cost_of_example_3_2_is_less_than_theorem_3_2_gives(point):
    v = reals(point)
    c_2, eta = mpmath.sqrt(v["d"]), v["d"] ** mpf("1.5") / v["n"]
    printed = v["d"] ** mpf("1.5") / (v["n"] * v["epsilon"])
    assert c_2 * eta / v["epsilon"] > v["C"] * printed


@pytest.mark.parametrize(
    "point", recorded_points("example-3.2.sampling", {"C": 1, "d": 4, "n": 1, "ell": 1})
)
def test_sampling_error_of_example_3_2_is_less_than_theorem_3_2_gives(point):
    v = reals(point)
    # zeta(t) = exp(-2 n t^2 / d + d ell) is 1 there
    inverse = mpmath.sqrt(v["d"] * (v["d"] * v["ell"]) / (2 * v["n"]))
    printed = mpmath.sqrt(v["d"] ** 2 * v["ell"] / v["n"])
    assert mpmath.sqrt(v["d"]) * inverse > v["C"] * printed


NUMBERED = {"2": 2, "3": 1, "b": 16, "c": 8, "d": 9, "e": 9, "f": 1}  # the paper's equations


def test_each_numbered_equation_has_a_claim():
    found = {claim.key.partition(":")[2]: claim.place for claim in catalog.load("depth_medians")}
    for section, many in NUMBERED.items():
        for number in range(1, many + 1):
            label = f"eq-{section}.{number}"
            place = re.compile(rf"eq\. {section.upper()}\.{number}(?![\d])")
            own = [key for key in found if not key.startswith("note-")]
            assert label in found or any(place.search(found[key]) for key in own), label


# --- the private median with the printed margin: 29 rows -------------------------------------------

PRIVACY = {"epsilon": 2, "delta": "1/100", "eta": "1/50", "tau": "1/2", "s": 3, "s_2": 2}


def rows_of_29(gap, moved):
    """The 29 rows, and the same with one zero moved to the far end."""
    zeros, ends = 6 - moved, 11 + moved
    return [Fraction(-1)] * 9 + [Fraction(0)] * zeros + [gap] * 3 + [1 + gap] * ends


def density_of_a_draw(rows, at):
    """Density of the mechanism on the line, from its definition, and the ends of what it keeps."""
    centre, scale = real(median(rows)), real(mad(rows))
    beta, width = at["epsilon"] / (4 * at["eta"]), at["tau"] * scale
    ends = (centre - width, centre + width)

    def mass(low, high):
        """Integral of the weights; those of a side of the median have a primitive."""
        low, high = (min(max(x, ends[0]), ends[1]) for x in (low, high))

        def up_to(x):
            size = -mpmath.expm1(-beta * abs(x - centre) / scale)
            return size if x >= centre else -size

        return max(mpf(0), up_to(high) - up_to(low))

    whole = mass(*ends)
    return (lambda low, high: mass(low, high) / whole), ends, (centre, scale, beta)


def largest_excess(first, second, at):
    """The largest of P(B) - exp(epsilon) Q(B) over events B, by the sign of the densities on a fine partition."""
    (p, ends, (c, s, beta)), (q, other, (c_1, s_1, _)) = (
        density_of_a_draw(rows, at) for rows in (first, second)
    )
    cuts = sorted({*ends, *other, c, c_1, *mpmath.linspace(ends[0], ends[1], 25)})
    loss = mpmath.exp(at["epsilon"])
    pieces = zip(cuts, cuts[1:], strict=False)
    return sum(max(mpf(0), p(a, b) - loss * q(a, b)) for a, b in pieces)


def some_replaced(rows, many, rng):
    """The rows with a number of them replaced, by rows near those that matter or by any."""
    kept = rng.sample(rows, len(rows) - many)
    ends = [
        Fraction(-10),
        Fraction(-1),
        Fraction(0),
        Fraction(1, 25),
        Fraction(2, 25),
        Fraction(27, 25),
        Fraction(9),
    ]
    return kept + [
        rng.choice([rng.choice(ends), Fraction(rng.randint(-60, 60), 40)]) for _ in range(many)
    ]


@pytest.mark.parametrize("point", recorded_points("text-3.1-privacy", PRIVACY))
def test_private_median_with_the_printed_margin_is_not_private(point):
    at = reals(point)
    gap = 4 * point["eta"]
    here, there = rows_of_29(gap, 0), rows_of_29(gap, 1)
    assert len(here) == len(there) == 29
    assert (Counter(here) - Counter(there)).total() == 1

    # the margin of the first is at least 3: all within 3 rows have such a median and MAD
    rng = random.Random(29)
    for _ in range(400):
        rows = some_replaced(here, rng.randint(0, 3), rng)
        centre = median(rows)
        assert 0 <= centre <= gap
        assert mad(rows) == 1 + min(centre, gap - centre)

    # and any two of such a median and MAD are close at epsilon
    def as_good_as(centre):
        half = mad_for(centre)
        return [centre - half] * 9 + [centre] * 11 + [centre + half] * 9

    def mad_for(centre):
        return 1 + min(centre, gap - centre)

    centres = [gap * Fraction(i, 4) for i in range(5)]
    for one, other in itertools.permutations(centres, 2):
        first, second = as_good_as(one), as_good_as(other)
        assert (median(first), mad(first)) == (one, mad_for(one))
        assert largest_excess(first, second, at) <= at["delta"]

    # the margin of the second is at most 2: with two zeros far away it is not safe
    far = [*there]
    for _ in range(2):
        far[far.index(Fraction(0))] = Fraction(3)
    farther = [*far]
    farther[farther.index(Fraction(0))] = Fraction(3)
    assert mad(far) == mad(farther) == 1
    assert largest_excess(far, farther, at) > at["delta"]

    # so the chances of a release up to 0 are too far apart
    chances = [
        chance_to_pass(at[margin], at["epsilon"], at["delta"])
        * density_of_a_draw(rows, at)[0](mpf(-1), mpf(0))
        for margin, rows in (("s", here), ("s_2", there))
    ]
    needed = chances[0] - mpmath.exp(at["epsilon"]) * chances[1]
    assert needed > at["delta"]
    assert needed == pytest.approx(0.0635, abs=1e-4)


# --- theorems whose constants are not specified: distributions of test_distributions_against_theorems ---------------


def binomial_tail(n, least, share):
    """Chance that a binomial number is at least so large."""
    share = mpf(share.numerator) / share.denominator
    term = mpmath.binomial(n, least) * share**least * (1 - share) ** (n - least)
    total = mpf(0)
    for k in range(least, n + 1):
        total += term
        term *= share / (1 - share) * (n - k) / (k + 1)
        if term < total * mpf(10) ** -40:
            break
    return total


@pytest.mark.parametrize("point", recorded_points("theorem-3.1", {"C": 1, "n": 1001}))
def test_theorem_3_1_promises_releases_of_samples_that_are_near_an_unsafe_one(point):
    n, constant = int(point["n"]), real(point["C"])
    epsilon, delta, tau, eta = 1, mpmath.exp(-n) / 2, 1, mpf(1) / (32 * n)
    c_1, c_2, c_3 = 1, 1, mpf(1) / 1000
    ratio = (2 * c_2 * (tau + 2 * eta) + 4 * c_3) / (c_1 * mpf(tau) / 4 - eta - 4 * c_3)
    assert tau > 4 * eta + 16 * c_3 / c_1
    assert delta > mpmath.exp(-epsilon * tau / (8 * eta) + mpf(epsilon) / 2) * ratio
    # rows of 0, -1 and 1: MED stays 0 and MAD 1 but where a value has nearly half of the rows
    m = (n + 1) // 2
    bad = binomial_tail(n, m - 3, Fraction(2, 5)) + 2 * binomial_tail(n, m - 3, Fraction(3, 10))
    kappa = zeta = 8 * mpf(49) ** n / mpf(50) ** n
    assert bad <= kappa
    a_1, a_2 = 1, 128 * n
    first = mpmath.exp(epsilon) * delta + a_1 * mpmath.exp(-a_2 * c_2 * n * eta / 4)
    nothing = 1 - chance_to_pass(n, epsilon, delta)  # no margin exceeds n
    assert nothing > constant * (first + kappa + zeta)


@pytest.mark.parametrize("point", recorded_points("theorem-3.2", {"C": 1, "n": 10**6}))
def test_theorem_3_2_promises_releases_that_are_too_close(point):
    n, constant = real(point["n"]), real(point["C"])
    c_1, c_2, c_3, tau, gamma = mpf(7) / 10, 4, 2, 60, mpf(1) / 2
    logs = max(mpmath.log(1 / gamma), 3 * mpmath.log(2 * c_2 * mpf(tau) / c_3 + 1), c_3 / c_1)
    t = constant * c_2 / n * logs
    # within t of the origin, against a part of the segment: outlyingness is 1 + max(y, -x, x - y)
    beta = n / 4
    around = mpf("0.9") * mpmath.gammainc(2, 0, beta / 80, regularized=True)
    assert 2 * t / around <= 3 * t < 1 - gamma


@pytest.mark.parametrize("point", recorded_points("theorem-3.5", {"c_0": 1, "c_00": 1, "n": 4000}))
def test_theorem_3_5_bounds_what_one_row_does_by_less_than_it_does(point):
    n, alpha, r, d = int(point["n"]), mpf(1) / 4, mpf(1) / 8, 1
    density, t = mpf(1) / 2, mpf(1) / (2 * n)
    # it moves the mean by 2 (X_b - X_a) / n at least, where the rows next to the ends are 1/4 apart
    chance = 1 - 2 * binomial_tail(n, 3 * n // 4, Fraction(5, 8))
    a_1 = mpmath.exp(d + mpmath.log(n * (1 - 2 * alpha)))
    a_2 = real(point["c_0"]) * density * n * (1 - 2 * alpha)
    kappa = mpmath.exp(-n * r**2 * density**2) * real(point["c_00"]) * n
    assert chance > a_1 * mpmath.exp(-a_2 * n * t) + kappa


WIDE = {"C": 1, "c_0": 1, "d": 240, "t": 40000}


def bounds_for_wide_rows(point, slope, terms):
    """Twice the bound of a lemma of Appendix C, and the chance that all of 60 rows are wide."""
    n, r, density, d = 60, 1, mpf(1) / 300, real(point["d"])
    kappa = mpmath.exp(-n * r**2 * density**2 + d * mpmath.log(real(point["c_0"]) * n / d))
    moved = mpmath.exp(-slope * density * n * real(point["t"])) * terms
    return 2 * real(point["C"]) * (kappa + moved), mpf(1) / 10**60


@pytest.mark.parametrize("point", recorded_points("lemma-c.2", WIDE))
def test_wide_rows_are_further_apart_than_lemma_c_2_allows(point):
    bound, chance = bounds_for_wide_rows(point, mpf(3) / 4, 9 ** real(point["d"]) * (45 + 1))
    assert chance > bound


@pytest.mark.parametrize("point", recorded_points("lemma-c.3", WIDE))
def test_medians_of_wide_rows_move_more_than_lemma_c_3_allows(point):
    bound, chance = bounds_for_wide_rows(point, mpf(3) / 4, 9 ** real(point["d"]) * 60)
    assert chance > bound


@pytest.mark.parametrize("point", recorded_points("lemma-c.4", WIDE))
def test_mad_of_wide_rows_moves_more_than_lemma_c_4_allows(point):
    bound, chance = bounds_for_wide_rows(point, mpf(3) / 8, 9 ** real(point["d"]) * (45 + 1))
    assert chance > bound


@pytest.mark.parametrize("point", recorded_points("lemma-c.5", WIDE))
def test_the_quartiles_of_wide_rows_move_more_than_lemma_c_5_allows(point):
    bound, chance = bounds_for_wide_rows(point, mpf(3) / 8, 9 ** real(point["d"]) * (30 + 1))
    assert chance > bound


@pytest.mark.parametrize("point", recorded_points("theorem-3.6", WIDE))
def test_mad_of_wide_rows_moves_more_than_theorem_3_6_allows(point):
    bound, chance = bounds_for_wide_rows(point, mpf(1) / 8, 60 * mpmath.exp(real(point["d"])))
    assert chance > bound


@pytest.mark.parametrize("point", recorded_points("lemma-b.4", {"C": 1, "n": 120003}))
def test_lemma_b_4_promises_draws_nearby_that_come_from_no_sample(point):
    n, constant = int(point["n"]), real(point["C"])
    epsilon, i = 48, (n - 3) // 6
    log_delta = -5 * n
    log_passes = log_delta + mpf(epsilon) * i / 2  # of a bad sample, whose margin is i
    near = mpmath.exp(mpmath.log(2) + log_delta + n * mpmath.log(30) - log_passes)
    zeta = 2 * mpmath.exp(-mpf(n) / 10000)
    assert 6 * i + 3 == n
    assert 1 - near > constant * (mpmath.exp(-n) + zeta + zeta)


@pytest.mark.parametrize("point", recorded_points("text-c.1-slope", {"t_3": Fraction(201, 200)}))
def test_density_at_the_end_is_more_than_the_mean_density_of_the_proof_of_lemma_c_1(point):
    t = point["t_3"]
    pieces = [(0, 1, Fraction(1, 4)), (1, Fraction(101, 100), Fraction(25))]  # symmetric about 0
    assert 2 * sum((high - low) * height for low, high, height in pieces) == 1
    below = Fraction(1, 2) + sum(
        max(0, min(t, high) - low) * height for low, high, height in pieces
    )
    largest = max(below, 1 - below)  # of the distances to the row at t, from below and from above
    (there,) = [height for low, high, height in pieces if low < t < high]
    assert largest < t * there


@pytest.mark.parametrize("point", recorded_points("lemma-c.1", {"c_0": 1, "d": 4}))
def test_one_row_is_further_off_than_lemma_c_1_allows(point):
    d = real(point["d"])
    first = 2 * mpmath.quad(lambda x: mpmath.npdf(x), [1, 40])  # its first coordinate alone
    assert first > (real(point["c_0"]) / d) ** d


@pytest.mark.parametrize("point", recorded_points("lemma-e.1", {"C": 1, "t": 101}))
def test_one_row_is_further_off_than_lemma_e_1_allows(point):
    t = real(point["t"])
    beyond = 2 * mpmath.quad(lambda x: 1 / (2 * (1 + x) ** 2), [t, 10 * t, mpmath.inf])
    assert beyond > real(point["C"]) * mpmath.exp(-2 * t**2 / 100)


@pytest.mark.parametrize("point", recorded_points("lemma-e.3", {"C": 1, "c_0": 1, "v": 2}))
def test_the_mean_of_wide_normal_rows_errs_more_than_lemma_e_3_allows(point):
    v, n = real(point["v"]), 7
    t = v / mpmath.sqrt(n)
    error = 2 * mpmath.quad(lambda x: mpmath.npdf(x, 0, v / mpmath.sqrt(n)), [t, 40 * v])
    inverse_root = 1 / v
    bound = mpmath.exp(-real(point["c_0"]) * n * t**2 / inverse_root**2 + 1)
    assert error > real(point["C"]) * bound


@pytest.mark.parametrize("size", [5])
def test_repaired_sensitivity_of_mad_is_never_exceeded(size):
    """The largest change over all samples of small whole numbers and all replacements of a row."""
    m, tried = (size + 1) // 2, 0
    for rows in itertools.combinations_with_replacement(range(5), size):
        knots = {
            Fraction(a + b, 2)
            for a in rows
            for b in rows
            if rows[m - 2] <= Fraction(a + b, 2) <= rows[m]
        }
        up = max(distances(rows, z)[m] for z in knots) - mad(rows)
        down = mad(rows) - min(distances(rows, z)[m - 2] for z in knots)
        for place, value in itertools.product(range(size), (-50, 0, 1, 2, 3, 4, 50)):
            other = [*rows[:place], value, *rows[place + 1 :]]
            assert abs(mad(other) - mad(rows)) <= max(up, down)
            tried += 1
    assert tried > 4000
