"""Adversaries: exact errors against enumeration and closed forms, bounds against both, and the risk."""

import itertools
import math
from fractions import Fraction

import mpmath
import networkx
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis.strategies import floats, integers
from scipy.optimize import linprog
from scipy.special import digamma
from scipy.stats import beta, binom, multinomial

from dpbook.engine.claims import catalog
from dpbook.engine.evaluate.public import compiled
from dpbook.engine.language.domain import DomainError
from dpbook.engine.language.statement import unfold_definitions
from dpbook.posterior_sampling import (
    FiniteDistribution,
    distinguishing_curve,
    empirical_radius,
    error_bound,
    kernels,
    le_cam_bound,
    likelihood_ratio_test,
    minimax_risk,
    models,
    partition_adversary,
    posterior_pair,
    relaxed_error_bound,
    risk_bound,
)
from dpbook.posterior_sampling.theory import convolution
from dpbook.posterior_sampling.theory.convolution import best_test, count_test
from dpbook.posterior_sampling.theory.minimax import _counted, least_risk
from dpbook.privacy.distributions import Beta, Dirichlet, Exponential, Gamma, Normal
from dpbook.teaching import figures

COIN = models.Bernoulli()
TOSSES = [1] * 6 + [0] * 4, [1] * 5 + [0] * 5


def coins():
    """Six ones of ten tosses against five, under a uniform prior."""
    return posterior_pair(COIN, Beta(1, 1), *TOSSES)


def rates():
    return posterior_pair(models.Exponential(), Exponential(1), np.ones(10), np.full(10, 1.2))


def means():
    return posterior_pair(models.NormalKnownVariance(1), Normal(0, 2), [0.1, 0.4, 2], [0.1, 0.4, 1])


def restricted(level=2.0):
    return posterior_pair(COIN, COIN.restrict(Beta(1, 1), level), *TOSSES)


def finite(seed, size=4):
    """Posteriors of a random model of two outcomes."""
    chances = np.random.default_rng(seed).uniform(0.05, 0.95, size)
    table = np.column_stack([chances, 1 - chances])
    return posterior_pair(
        models.FiniteModel(table), FiniteDistribution(np.arange(size)), [0, 1], [0, 0]
    )


# --- the likelihood-ratio test -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draws", "best", "nearest"),
    [(1, 0.383, 0.383), (5, 0.249, 0.285), (20, 0.087, 0.142), (50, 0.015, 0.045)],
)
def test_errors_of_both_adversaries_are_those_simulated_elsewhere(draws, best, nearest):
    assert likelihood_ratio_test(coins(), draws).error == pytest.approx(best, abs=0.003)
    assert partition_adversary(coins(), draws).error == pytest.approx(nearest, abs=0.003)


@pytest.mark.parametrize("draws", [1, 2, 7, 60])
@pytest.mark.parametrize("make", [coins, rates, means])
def test_best_error_encloses_the_total_variation_of_all_draws(make, draws):
    pair = make()
    exact = posterior_pair(pair.model, pair.prior, pair.x, pair.y, draws=draws).total_variation
    found = likelihood_ratio_test(pair, draws)
    assert found.low - 1e-12 <= (1 - exact) / 2 <= found.high + 1e-12
    assert found.high - found.low < 3e-5
    assert found.error == pytest.approx(found.high, abs=2e-11)


def by_sequences(p, q, draws):
    """Both errors of the likelihood-ratio test, over all sequences of draws, in rationals."""
    errors = [Fraction(0), Fraction(0)]
    for sequence in itertools.product(range(len(p)), repeat=draws):
        first = math.prod(p[i] for i in sequence)
        second = math.prod(q[i] for i in sequence)
        if first <= second:
            errors[0] += first / (2 if first == second else 1)
        if first >= second:
            errors[1] += second / (2 if first == second else 1)
    return errors


@pytest.mark.parametrize("draws", [1, 2, 5])
@pytest.mark.parametrize(
    ("p", "q"),
    [
        ((1, 2, 3), (3, 2, 1)),  # ties, for any number of draws
        ((1, 4, 1), (2, 2, 2)),
        ((0, 3, 3), (3, 3, 0)),  # outcomes that only one distribution has
        ((6, 0, 0), (1, 2, 3)),
    ],
)
def test_errors_of_finite_posteriors_are_the_sums_over_all_sequences(p, q, draws, monkeypatch):
    distributions = [FiniteDistribution([0, 1, 2], np.array(one) / 6) for one in (p, q)]
    exact = by_sequences(*[[Fraction(k, 6) for k in one] for one in (p, q)], draws)
    found = best_test(*distributions, draws)
    assert (found.given_p, found.given_q) == pytest.approx([float(e) for e in exact], abs=1e-14)
    assert found.method == ("sums" if draws == 1 else "counts")
    monkeypatch.setattr(convolution, "MOST_STEPS", 0)
    found = best_test(*distributions, draws)
    assert found.low - 1e-15 <= float(sum(exact)) / 2 <= found.high + 1e-15
    assert found.high - found.low < 1e-3


@settings(max_examples=20, deadline=None)
@given(seed=integers(0, 10**6), draws=integers(2, 12))
def test_convolution_encloses_the_enumeration(seed, draws):
    pair = finite(seed)
    exact = best_test(pair.P, pair.Q, draws)
    assert exact.method == "counts"
    outcomes = convolution.finite_outcomes(pair.P, pair.Q)
    above = sum(convolution._convolved(outcomes, draws, split=False)) / 2
    below = sum(convolution._convolved(outcomes, draws, split=True)) / 2
    assert below - 1e-11 <= exact.low <= above + 1e-11
    assert above - below < 1e-3


@settings(max_examples=50, deadline=None)
@given(ratio=floats(-5, 5), gone=floats(0, 3), left=floats(0, 3), end=integers(0, 2))
def test_a_split_outcome_keeps_both_masses_and_has_the_ratios_that_it_should(
    ratio, gone, left, end
):
    gone, left = (math.inf, left + 0.1) if end == 1 else (gone, left)
    gone, left = (gone + 0.1, math.inf) if end == 2 else (gone, left)
    up_p, up_q = (float(one) for one in convolution._shares_above(np.array(gone), np.array(left)))
    p, q = math.exp(ratio), 1.0
    assert 0 <= up_q <= up_p <= 1
    if up_p > 1e-9:
        assert q * up_q == pytest.approx(p * up_p * math.exp(-ratio - left), abs=1e-12)
    if gone + left > 1e-3:
        down_p, down_q = p * (1 - up_p), q * (1 - up_q)
        assert down_p == pytest.approx(down_q * math.exp(ratio - gone), rel=1e-8, abs=1e-10)


def test_data_that_are_alike_are_not_told_apart():
    for pair in (
        posterior_pair(COIN, Beta(2, 3), [1, 0], [0, 1]),
        posterior_pair(COIN, FiniteDistribution([0.2, 0.5]), [1, 0], [0, 1]),
    ):
        for draws in (1, 9):
            assert likelihood_ratio_test(pair, draws).error == pytest.approx(0.5, abs=1e-10)
            assert partition_adversary(pair, draws).error == pytest.approx(0.5)


def several():
    """Pairs whose errors are simulated only, with the total variation of all draws."""
    graph = networkx.DiGraph()
    graph.add_node("rain", cpt=[0.5, 0.5])
    graph.add_node("wet", cpt=[[0.5, 0.5], [0.5, 0.5]])
    graph.add_edge("rain", "wet")
    network = models.BayesianNetwork(graph)
    model = models.NormalBoth()
    return [
        posterior_pair(models.Categorical(3), Dirichlet([1, 2, 3]), [0, 1], [0, 2], draws=5),
        posterior_pair(
            model, models.NormalGamma(0, 1, 2, 1), [0.1, 0.9, 2.0], [0.1, 0.9, 0.5], draws=5
        ),
        posterior_pair(
            network, network.prior(1.0), [[0, 1], [1, 1], [0, 0]], [[0, 1], [1, 1], [1, 0]], draws=5
        ),
    ]


def agrees(found, exact):
    """Whether a simulated mean error agrees, at 1e-8 two-sided."""
    games = 2 * found.simulations
    lost = round(found.error * games)
    return binom.cdf(lost, games, exact) > 5e-9 and binom.sf(lost - 1, games, exact) > 5e-9


@pytest.mark.parametrize("make", [coins, rates, means, restricted, lambda: finite(3)])
def test_games_are_lost_as_often_as_computed(make):
    pair, rng = make(), np.random.default_rng(7)
    for draws, size in ((1, 50_000), (8, 20_000)):
        exact = likelihood_ratio_test(pair, draws)
        tried = likelihood_ratio_test(pair, draws, simulations=size, rng=rng)
        assert tried.method == "simulation"
        # two-sided, 1e-8 each; means are Poisson-binomial, with lighter tails
        assert agrees(tried, exact.error)
        assert tried.low < tried.error < tried.high
        for one, other in ((tried.given_x, exact.given_x), (tried.given_y, exact.given_y)):
            assert abs(one - other) < 6 * math.sqrt(other / size)


def test_games_are_lost_as_often_as_computed_also_with_several_parameters():
    for pair in several():
        tried = likelihood_ratio_test(pair, 5, rng=np.random.default_rng(5))
        assert tried.simulations == 100_000
        assert agrees(tried, (1 - pair.total_variation) / 2)


# --- kernels ----------------------------------------------------------------------------------------------


def test_totals_of_draws_are_those_of_the_plain_function():
    distribution, values = (
        FiniteDistribution([0, 1, 2], [0.2, 0.5, 0.3]),
        np.array([1.5, -2.0, 0.25]),
    )
    got = [
        kernel(values, *distribution.cuts, np.random.default_rng(4), 6, 50)
        for kernel in (kernels.drawn_totals, kernels.drawn_totals.py_func)
    ]
    assert (got[0] == got[1]).all()
    args = (3.5, 2.0, 0.1, 0.8, 1.0, -2.0)
    got = [
        kernel(*args, np.random.default_rng(4), 6, 50)
        for kernel in (kernels.drawn_beta_totals, kernels.drawn_beta_totals.py_func)
    ]
    assert got[0] == pytest.approx(got[1], rel=1e-13)
    p, q = np.array([0.2, 0.5, 0.3]), np.array([0.3, 0.3, 0.4])
    for nearest in (False, True):
        got = [
            kernel(p, q, np.log(p / q), 7, nearest)
            for kernel in (kernels.count_errors, kernels.count_errors.py_func)
        ]
        assert got[0] == pytest.approx(got[1], rel=1e-13)


def test_products_of_draws_lose_nothing_where_they_leave_the_doubles():
    """The mean of 4000 logarithms of tiny beta draws; six standard errors, 2e-9."""
    rng = np.random.default_rng(2)
    totals = kernels.drawn_beta_totals(0.05, 3.0, 0.0, 1.0, 1.0, 0.0, rng, 4000, 100)
    assert np.isfinite(totals).all()
    mean = 4000 * (digamma(0.05) - digamma(3.05))
    assert abs(totals.mean() - mean) < 6 * math.sqrt(4000 * (1 / 0.05**2 + 2) / 100)


# --- the partition adversary ---------------------------------------------------------------------------------


@pytest.mark.parametrize("draws", [1, 2, 9, 40])
def test_two_cells_are_compared_with_a_threshold_half_way(draws):
    pair = coins()
    p, q = beta.sf(6 / 11, 7, 5), beta.sf(6 / 11, 6, 6)  # where both densities cross
    assert p - q == pytest.approx(pair.total_variation)
    counts = np.arange(draws + 1)
    score = counts - draws * (p + q) / 2
    wrong_x = binom.pmf(counts, draws, p)[score < 0].sum()
    wrong_y = binom.pmf(counts, draws, q)[score > 0].sum()
    found = partition_adversary(pair, draws)
    assert (found.given_x, found.given_y) == pytest.approx((wrong_x, wrong_y), rel=1e-10)
    assert found.error >= likelihood_ratio_test(pair, draws).low - 1e-12


def test_two_cells_can_be_counted_for_every_number_of_draws():
    found = partition_adversary(coins(), 10_000)
    assert 0 < found.error < 1e-90


def test_cells_between_cuts_are_compared_in_absolute_differences():
    pair, draws = restricted(), 6
    found = partition_adversary(pair, draws, cuts=[0.4, 0.55, 0.7])
    low = 1 / (1 + math.exp(2))
    ends = np.array([low, 0.4, 0.55, 0.7, 1 - low])
    cells = [np.diff(beta.cdf(ends, *ab)) for ab in ((7, 5), (6, 6))]
    p, q = (one / one.sum() for one in cells)
    wrong = [0.0, 0.0]
    for counts in itertools.product(range(draws + 1), repeat=4):
        if sum(counts) != draws:
            continue
        shares = np.array(counts) / draws
        score = np.abs(shares - q).sum() - np.abs(shares - p).sum()
        chances = [multinomial.pmf(counts, draws, one) for one in (p, q)]
        if abs(score) < 1e-12:
            wrong = [w + c / 2 for w, c in zip(wrong, chances, strict=True)]
        else:
            wrong[int(score > 0)] += chances[int(score > 0)]
    assert (found.given_x, found.given_y) == pytest.approx(wrong, rel=1e-9)


def test_finite_posteriors_are_cut_between_their_points():
    prior = FiniteDistribution([0.2, 0.4, 0.6, 0.8])
    pair = posterior_pair(COIN, prior, [1, 1, 0], [1, 0, 0])
    by_ratio, by_cut = partition_adversary(pair, 5), partition_adversary(pair, 5, cuts=[0.5])
    assert by_ratio == by_cut  # the log ratio grows with the chance
    p, q = (distribution.masses for distribution in (pair.P, pair.Q))
    whole = partition_adversary(pair, 5, cuts=[0.3, 0.5, 0.7])
    exact = count_test(p, q, 5)
    assert (whole.given_x, whole.given_y) == pytest.approx((exact.given_p, exact.given_q))


# --- what the paper says, and its repairs ----------------------------------------------------------------------


def test_theorem_3_as_printed_promises_what_no_test_can_do():
    level = math.log(99)
    pair = posterior_pair(COIN, COIN.restrict(Beta(1000, 1000), level), [1], [0])
    best = likelihood_ratio_test(pair)
    assert best.success == pytest.approx(0.5089, abs=5e-5)
    assert error_bound(pair.exponent, 1, "printed").value < 1 / 16 < best.low
    printed = error_bound(pair.exponent, 1, "printed")
    assert printed.claim == "posterior_sampling:theorem-3.i"
    assert 3 / (4 * level) * math.log(1 / printed.value) == pytest.approx(pair.distance)
    relaxed = relaxed_error_bound(3, "printed", rate=2.0, distance=0.5)
    kappa = 4.9108149646
    assert 3 * 2.0 / (2 * kappa * 3) * math.log(1 / relaxed.value) == pytest.approx(0.5)


def sides(key, **values):
    """Both sides of a claim at rational points, at 50 digits."""
    claim = catalog.find(key)
    found = []
    for side in (claim.lhs, claim.rhs):
        expression = unfold_definitions(side)
        symbols = {free.name: free for free in expression.free_symbols}
        function = compiled(expression, *symbols.values())
        found.append(float(function(*(sympy.Rational(values[name]) for name in symbols))))
    return found


def test_bounds_solve_the_numbers_of_the_claims_that_they_name_with_equality():
    for exponent, draws in ((0.25, 7), (2.0, 1), (3.0, 2)):
        bound = error_bound(exponent, draws)
        assert bound.claim.endswith("theorem-3.i-corrected")
        numbers = {"c_0": math.cosh(exponent / 2), "T": draws, "delta": bound.value}
        left, right = sides("posterior_sampling:note-theorem-3-error", **numbers)
        assert left == pytest.approx(right, rel=1e-12)
    bound = relaxed_error_bound(9, variation=0.75)
    assert bound.claim.endswith("theorem-3.ii-corrected")
    left, right = sides("posterior_sampling:note-theorem-3-enough", V=0.75, T=9, delta=bound.value)
    assert (left, right) == pytest.approx((bound.value, bound.value))


@settings(max_examples=40, deadline=None)
@given(exponent=floats(1e-3, 15), draws=integers(1, 40))
def test_least_error_is_the_threshold_and_eq_4_3_is_weaker(exponent, draws):
    delta = error_bound(exponent, draws).value
    assert 0 < delta < 0.5
    left = 2 * draws * math.log(math.cosh(exponent / 2))
    right = -math.log(4) - math.log(delta) - math.log1p(-delta)
    assert left == pytest.approx(right, rel=1e-9, abs=1e-9)
    printed = error_bound(exponent, draws, "printed").value
    assert printed > 1 / 16 or printed <= delta


def test_least_error_survives_large_exponents():
    assert error_bound(1e4, 10**6).value == 0
    assert error_bound(2000, 1).value == pytest.approx(0, abs=1e-300)
    assert error_bound(0, 5).value == 0.5


@pytest.mark.parametrize("exponent", [1e-300, 1e-8, 1e-3, 0.7, 1.99, 2.01, 30.0, 1000.0])
@pytest.mark.parametrize("draws", [1, 7, 10**6, 10**15])
def test_least_error_keeps_its_digits_for_small_exponents_and_many_draws(exponent, draws):
    with mpmath.workdps(700):
        affinity = mpmath.exp(-2 * draws * mpmath.log(mpmath.cosh(mpmath.mpf(exponent) / 2)))
        exact = (1 - mpmath.sqrt(1 - affinity)) / 2
        found = error_bound(exponent, draws).value
        assert abs(found - exact) <= max(1e-13 * exact * (1 - mpmath.log(affinity)), 1e-300)


@settings(max_examples=20, deadline=None)
@given(seed=integers(0, 10**6), draws=integers(1, 15))
def test_errors_of_finite_models_keep_the_repaired_bounds(seed, draws):
    pair = finite(seed)
    best, two = likelihood_ratio_test(pair, draws), partition_adversary(pair, draws)
    assert best.error >= error_bound(pair.exponent, draws).value * (1 - 1e-12)
    assert best.error <= two.error + 1e-12
    most = relaxed_error_bound(draws, variation=pair.total_variation).value
    assert max(two.given_x, two.given_y) <= most


@pytest.mark.parametrize(("cells", "delta", "worst"), [(2, 1 / 16, 0.0063), (3, 1 / 64, 0.0011)])
def test_radius_of_lemma_2_is_exceeded_less_often_than_it_says(cells, delta, worst):
    found = 0.0
    for draws in range(1, 13):
        wide = empirical_radius(draws, delta, cells, "printed")
        sharp = empirical_radius(draws, delta, cells)
        assert sharp <= wide
        for masses in ((0.5, 0.5), (0.2, 0.8), (1 / 3, 1 / 3, 1 / 3), (0.6, 0.2, 0.2)):
            if len(masses) != cells:
                continue
            tails = [0.0, 0.0]
            for counts in itertools.product(range(draws + 1), repeat=cells):
                if sum(counts) == draws:
                    off = np.abs(np.array(counts) / draws - masses).sum()
                    chance = multinomial.pmf(counts, draws, masses)
                    tails[0] += chance * (off >= wide)
                    tails[1] += chance * (off >= sharp)
            assert tails[0] <= delta
            assert tails[1] <= delta
            found = max(found, tails[0])
    assert found < worst + 5e-5


def test_lemma_2_says_nothing_for_large_errors():
    assert empirical_radius(10, 0.3) == pytest.approx(math.sqrt(0.2 * math.log(2 / 0.3)))
    with pytest.raises(DomainError, match="lemma-2 needs delta <= 4\\*\\*-cells = 0.0625, got 0.3"):
        empirical_radius(10, 0.3, version="printed")


def test_curve_shows_what_its_words_and_its_table_say():
    curve = distinguishing_curve(restricted(), 20)
    assert curve.printed_claim == "posterior_sampling:theorem-3.i"
    assert curve.broken == curve.draws
    for k, T in enumerate(curve.draws):
        assert curve.least[k] <= curve.best[k] <= curve.nearest[k] + 1e-12
        assert curve.nearest[k] <= curve.most[k]
        assert curve.printed[k] == error_bound(2.0, T, "printed").value
    ax = curve.plot()
    assert list(ax.get_lines()[0].get_ydata()) == list(curve.best)
    assert len(ax.get_lines()) == 5
    assert figures.show(curve).alt == curve.describe()
    assert f"1 draw: best test {curve.best[0]:.3g}" in curve.describe()
    assert repr(curve).startswith("DistinguishingCurve(1 to 20 draws: best=0.383 to")
    assert curve._repr_html_().count("<tr>") == 1 + len(curve.draws)
    relaxed = distinguishing_curve(rates(), 5)
    assert relaxed.printed_claim == "posterior_sampling:theorem-3.ii"
    assert max(relaxed.least) == 0
    neither = distinguishing_curve(means(), 3)  # L is never small, so assumption 2 fails
    assert neither.printed_claim == ""
    assert "theorem 3" not in neither.describe()


def test_results_show_themselves():
    found = likelihood_ratio_test(coins(), 5)
    assert repr(found) == (
        "AdversaryErrors(likelihood ratio, 5 draws: error=0.249678, given_x=0.250968, "
        "given_y=0.248388, by convolution)"
    )
    assert "0.2497 on average." in found.describe()
    assert found.success == 1 - found.error
    tried = likelihood_ratio_test(coins(), simulations=100, rng=np.random.default_rng(1))
    assert "simulated 100 times" in tried.describe()
    assert "<caption>likelihood ratio test of 5 draws" in found._repr_html_()
    bound = error_bound(1, 3)
    assert repr(bound) == (
        f"Value(error of the adversary >= {bound.value:.6g}, "
        "claim='posterior_sampling:theorem-3.i-corrected')"
    )
    assert "at least" in bound.describe()
    assert "theorem-3.i-corrected" in bound._repr_html_()


# --- the risk of a guess ----------------------------------------------------------------------------------------


def whole_program(chances, distances):
    """The minimax risk by the dense linear program with all guesses."""
    s, outcomes = chances.shape
    above = np.hstack(
        [(chances[:, :, None] * distances[:, None, :]).reshape(s, -1), -np.ones((s, 1))]
    )
    whole = np.hstack([np.kron(np.eye(outcomes), np.ones((1, s))), np.zeros((outcomes, 1))])
    cost = np.append(np.zeros(s * outcomes), 1.0)
    return linprog(cost, above, np.zeros(s), whole, np.ones(outcomes), method="highs").fun


def by_hand(risk):
    """Both ends of a risk, summed up in plain loops."""
    rule = risk.rule.toarray()
    s, outcomes = risk.chances.shape
    assert rule.min() >= 0
    assert rule.sum(axis=1) == pytest.approx(np.ones(outcomes), abs=1e-12)
    assert risk.weights.min() >= 0
    assert risk.weights.sum() == pytest.approx(1, abs=1e-12)
    high = max(
        sum(
            risk.chances[x, o] * rule[o, g] * risk.distances[x, g]
            for o in range(outcomes)
            for g in range(s)
        )
        for x in range(s)
    )
    low = sum(
        min(
            sum(risk.weights[x] * risk.chances[x, o] * risk.distances[x, g] for x in range(s))
            for g in range(s)
        )
        for o in range(outcomes)
    )
    return low, high


@pytest.mark.parametrize("seed", range(4))
def test_risk_is_that_of_the_whole_program_and_certified(seed):
    rng = np.random.default_rng(seed)
    s, outcomes = 12, 20
    chances = rng.dirichlet(np.full(outcomes, 0.5), s)
    at = rng.normal(size=(s, 2))
    distances = np.linalg.norm(at[:, None] - at, axis=2)
    risk = least_risk(chances, distances)
    assert by_hand(risk) == pytest.approx((risk.low, risk.high), rel=1e-12)
    assert 0 <= risk.gap + 1e-15 <= 1.1e-8 * risk.high
    assert risk.high == pytest.approx(whole_program(chances, distances), rel=1e-6)
    assert risk.le_cam <= risk.high
    assert least_risk(chances, 3 * distances).high == pytest.approx(3 * risk.high, rel=1e-7)


def test_risk_of_three_datasets_by_hand():
    """Posterior chances of the coin 0.6 are 4/13, 1/2 and 9/13."""
    found = minimax_risk(COIN, FiniteDistribution([0.4, 0.6]), [[0, 0], [0, 1], [1, 1]])
    assert found.chances[:, 0] == pytest.approx([4 / 13, 1 / 2, 9 / 13])
    assert found.high == pytest.approx(13 / 18, rel=1e-8)
    assert found.le_cam == pytest.approx(8 / 13)
    assert found.risks == pytest.approx(np.full(3, 13 / 18), rel=1e-7)


@settings(max_examples=15, deadline=None)
@given(seed=integers(0, 10**6), draws=integers(1, 6))
def test_risk_of_two_datasets_is_at_least_le_cams(seed, draws):
    pair = finite(seed, 3)
    found = minimax_risk(pair.model, pair.prior, [pair.x, pair.y], draws)
    bound = le_cam_bound(pair, draws)
    assert found.high >= bound.value * (1 - 1e-9)
    assert found.le_cam == pytest.approx(bound.value, rel=1e-9)
    lipschitz = pair.exponent / pair.distance
    assert bound.value >= risk_bound(lipschitz, pair.distance, draws).value * (1 - 1e-12)


@pytest.mark.parametrize("draws", [1, 4, 100, 10_000])
def test_bound_at_the_best_distance_is_a_quarter_of_it(draws):
    apart = 1 / (2.0 * math.sqrt(draws))
    assert risk_bound(2.0, apart, draws).value >= apart / 4
    assert "note-le-cam" in risk_bound(2.0, apart, draws).describe()


@pytest.mark.parametrize(("size", "draws"), [(1, 3), (2, 5), (3, 4), (4, 2)])
def test_chances_of_counts_are_sums_over_sequences(size, draws):
    masses = np.random.default_rng(size).dirichlet(np.ones(size), 2)
    if size > 2:
        masses[0] = [0, *np.full(size - 1, 1 / (size - 1))]
    with np.errstate(divide="ignore"):
        found = _counted(np.log(masses), draws)
    tally = {}
    for sequence in itertools.product(range(size), repeat=draws):
        counts = tuple(np.bincount(sequence, minlength=size))
        chance = masses[:, list(sequence)].prod(axis=1)
        tally[counts] = tally.get(counts, 0) + chance
    assert found.shape == (2, len(tally))
    assert sorted(found[1]) == pytest.approx(sorted(chance[1] for chance in tally.values()))
    assert sorted(found[0]) == pytest.approx(sorted(chance[0] for chance in tally.values()))


def test_risk_shows_what_its_words_say():
    datasets = [[1] * k + [0] * (6 - k) for k in range(7)]
    found = minimax_risk(COIN, FiniteDistribution([0.3, 0.5, 0.7]), datasets, 8)
    ax = found.plot()
    assert list(ax.get_lines()[0].get_ydata()) == list(found.risks)
    assert figures.show(found).alt == found.describe()
    words = found.describe()
    assert f"is between {found.low:.9g} and {found.high:.9g}, a gap of {found.gap:.1e}." in words
    spread = f"from {found.risks.min():.4g} to {found.risks.max():.4g}"
    assert f"the risk of the minimax guess is {spread}" in words
    with pytest.raises(ValueError, match="datasets must be a sequence of two or more, got 5"):
        minimax_risk(COIN, FiniteDistribution([0.3, 0.5]), 5)
    assert "7 datasets, 45 outcomes" in repr(found)
    assert "Le Cam, best pair" in found._repr_html_()


# --- bad input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: likelihood_ratio_test(coins(), 0), "draws must be an integer >= 1, got 0"),
        (lambda: likelihood_ratio_test(coins(), 10**5), "draws must be an integer <= 10000"),
        (
            lambda: likelihood_ratio_test(coins(), simulations=5),
            "simulations must be an integer >=",
        ),
        (lambda: partition_adversary(several()[0]), "the cells need posteriors of one number"),
        (lambda: partition_adversary(coins(), cuts=[0.5, 0.2]), "cuts must be finite and increase"),
        (
            lambda: partition_adversary(coins(), 900, cuts=[0.2, 0.4, 0.6]),
            "draws must be few enough",
        ),
        (lambda: distinguishing_curve(several()[0]), "the cells need posteriors of one number"),
        (lambda: error_bound(-1, 1), "exponent must be >= 0, got -1"),
        (lambda: error_bound(1, 1, "best"), "version must be"),
        (lambda: relaxed_error_bound(1), "theorem-3.ii-corrected needs variation"),
        (lambda: relaxed_error_bound(1, variation=2), "needs variation <= 1, got 2"),
        (lambda: relaxed_error_bound(1, "printed", rate=1), "theorem-3.ii needs distance"),
        (lambda: le_cam_bound(several()[0]), "Le Cam's bound needs posteriors of one number"),
        (lambda: risk_bound(1, 0), "distance must be > 0, got 0"),
        (
            lambda: minimax_risk(COIN, Beta(1, 1), [[0], [1]]),
            "needs a FiniteDistribution for prior",
        ),
        (
            lambda: minimax_risk(COIN, FiniteDistribution([0.5]), [[0]]),
            "datasets must be two or more, got 1",
        ),
        (
            lambda: minimax_risk(COIN, FiniteDistribution([0.2, 0.5, 0.7]), [[0], [1]], 500),
            "draws must leave at most 20000 outcomes",
        ),
        (
            lambda: minimax_risk(COIN, FiniteDistribution([0.2, 0.5]), [[0], [1]] * 501),
            "datasets must be at most 1000, got 1002",
        ),
    ],
)
def test_bad_input_is_one_clear_error(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_gamma_posteriors_of_unequal_shapes_are_cut_as_well():
    """Poisson counts move the shape; the log ratio is a power of the rate."""
    pair = posterior_pair(models.Poisson(), Gamma(2, 1), [3, 1], [4, 1])
    exact = posterior_pair(pair.model, pair.prior, pair.x, pair.y, draws=4).total_variation
    found = likelihood_ratio_test(pair, 4)
    assert found.low - 1e-12 <= (1 - exact) / 2 <= found.high + 1e-12
