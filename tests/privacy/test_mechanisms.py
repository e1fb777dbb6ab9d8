"""The mechanisms draw from the distributions that their papers state."""

import dataclasses
import html
import itertools
import math
import re

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import chisquare, dlaplace, kstest, laplace, norm

from dpbook.engine.claims import record
from dpbook.privacy import gaussian_delta, mechanisms

LEAST = 1e-8  # p-value of a single test with a fixed seed
DRAWS = 50_000


def total(dataset):
    return sum(dataset)


def rng(seed=1):
    return np.random.default_rng(seed)


def fits(drawn, chances):
    """Whether counts of 0, 1, ... agree with chances."""
    counts = np.bincount(drawn, minlength=len(chances))
    return chisquare(counts, np.asarray(chances) * len(drawn)).pvalue > LEAST


def test_laplace_mechanism_has_the_stated_scale():
    drawn = mechanisms.LaplaceMechanism(total, 3.0, 2.0)([1, 2], DRAWS, rng())
    assert kstest(drawn, laplace(loc=3, scale=1.5).cdf).pvalue > LEAST


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (1, 1e-5), (10, 1e-9), (700, 0.1)])
def test_gaussian_scale_spends_delta_and_no_more(epsilon, delta):
    shift = 2.0 / mechanisms.gaussian_scale(epsilon, delta, 2.0)

    def excess(at):  # density of the first distribution above e^epsilon times that of the second
        return norm.pdf(at, shift) - np.exp(epsilon + norm.logpdf(at))

    start = epsilon / shift + shift / 2
    spent = quad(excess, start, max(start, shift) + 12, epsabs=1e-15, limit=200)[0]
    assert spent == pytest.approx(delta, rel=1e-6)


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [
        *[(1, 1e-5), (1e-12, 1e-30), (1e-16, 1e-18), (1e-300, 1e-300), (700, 0.1), (1e5, 1e-9)],
        *[(1e-9, 1e-320), (5e-324, 0.5), (1, 1 - 2**-53)],
    ],
)
def test_gaussian_scale_is_enough_by_the_certified_delta_and_hardly_more(epsilon, delta):
    scale = mechanisms.gaussian_scale(epsilon, delta, 2.0)
    assert gaussian_delta(epsilon, scale, 2.0).upper <= delta
    assert gaussian_delta(epsilon, scale * (1 - 1e-11), 2.0).upper > delta


def test_gaussian_scale_refuses_what_needs_more_than_the_doubles():
    with pytest.raises(ValueError, match="is beyond the doubles, got 5e-324, 5e-324 and 1.0"):
        mechanisms.gaussian_scale(5e-324, 5e-324)


def test_delta_of_vectors_at_a_budget_whose_rho_is_below_the_doubles():
    mechanism = mechanisms.GaussianMechanism(total, 1.0, 1e-300, 1e-300)
    assert 1e-300 < mechanism.delta_of_vectors < 1


def test_gaussian_mechanism_has_that_scale():
    drawn = mechanisms.GaussianMechanism(total, 2.0, 1.0, 1e-5)([1, 2], DRAWS, rng())
    scale = mechanisms.gaussian_scale(1.0, 1e-5, 2.0)
    assert kstest(drawn, norm(3, scale).cdf).pvalue > LEAST


def test_counting_has_two_sided_geometric_noise():
    drawn = mechanisms.Counting(lambda record: record > 1, 1.0)([1, 2, 3], DRAWS, rng()) - 2
    chances = dlaplace(1.0).pmf(np.arange(-6, 7))
    inside = np.abs(drawn) <= 6
    assert fits(drawn[inside] + 6, chances / chances.sum())
    assert drawn.dtype.kind == "i"


def test_randomised_response_has_ratio_exp_epsilon():
    drawn = mechanisms.RandomisedResponse(1.5, 3)([2, 0], DRAWS, rng())
    lie = 1 / (math.exp(1.5) + 2)
    assert drawn.shape == (DRAWS, 2)
    assert fits(drawn[:, 0], [lie, lie, 1 - 2 * lie])
    assert fits(drawn[:, 1], [1 - 2 * lie, lie, lie])


def test_exponential_mechanism_draws_by_scores():
    mechanism = mechanisms.ExponentialMechanism(np.asarray, [10, 20, 30], 2.0, 1.0)
    drawn = mechanism([0.0, 4.0, 1000.0], 1000, rng())
    assert set(drawn) == {30}
    drawn = mechanism([0.0, 4.0, 2.0], DRAWS, rng())
    weights = np.exp([0.0, 1.0, 0.5])
    assert fits(drawn // 10 - 1, weights / weights.sum())


def test_candidates_without_a_chance_are_never_drawn():
    mechanism = mechanisms.ExponentialMechanism(np.asarray, [0, 1, 2], 1.0, 1.0)
    assert set(mechanism([-np.inf, 0.0, -np.inf], 1000, rng())) == {1}


def test_noisy_max_agrees_with_the_integral():
    def chance(at):
        return laplace.pdf(at, 1, 2) * laplace.cdf(at, 0, 2)

    first = sum(quad(chance, *ends)[0] for ends in ((-80, 0), (0, 1), (1, 80)))
    drawn = mechanisms.ReportNoisyMax(np.asarray, 1.0, 1.0)([1.0, 0.0], DRAWS, rng())
    assert fits(drawn, [first, 1 - first])


def test_sparse_vector_agrees_with_the_integral():
    """All answers patterns of three queries with one above, by integrating over the threshold."""
    answers, epsilon = np.array([0.0, 1.0, -1.0]), 2.0
    drawn = mechanisms.SparseVector(np.asarray, 0.5, epsilon)(answers, DRAWS, rng())

    def chance(found):
        def density(bar):
            below = laplace.cdf(bar - answers, scale=2.0)
            stop = found.index(1) if 1 in found else 3
            above = 1 - below[stop] if stop < 3 else 1.0
            return laplace.pdf(bar, 0.5, 1.0) * np.prod(below[:stop]) * above

        ends = (-40, -1, 0, 0.5, 1, 40)
        return sum(quad(density, *pair)[0] for pair in itertools.pairwise(ends))

    patterns = [(1, -1, -1), (0, 1, -1), (0, 0, 1), (0, 0, 0)]
    at = [np.all(drawn == pattern, axis=1) for pattern in patterns]
    assert np.all(np.sum(at, axis=0) == 1)
    assert fits(np.argmax(at, axis=0), [chance(pattern) for pattern in patterns])


def test_sparse_vector_stops_after_its_count():
    drawn = mechanisms.SparseVector(np.asarray, 0.0, 1.0, count=2)([50.0] * 5, 1000, rng())
    assert np.all((drawn == 1).sum(axis=1) <= 2)
    ended = (drawn == 1).sum(axis=1) == 2
    assert np.all(drawn[~ended] >= 0)
    assert ended.mean() > 0.9


def test_median_has_the_density_of_its_scores():
    records, epsilon = np.array([0.1, 0.4, 0.5]), 2.0
    drawn = mechanisms.PrivateMedian(0.0, 1.0, epsilon)(records, DRAWS, rng())
    cells = np.searchsorted(records, drawn)
    weights = np.diff([0, 0.1, 0.4, 0.5, 1.0]) * np.exp(-np.abs(np.arange(4) - 1.5))
    assert fits(cells, weights / weights.sum())
    assert kstest(drawn[cells == 3], "uniform", args=(0.5, 0.5)).pvalue > LEAST


def test_median_of_equal_records_is_never_drawn_between_them():
    drawn = mechanisms.PrivateMedian(0.0, 1.0, 1.0)([0.5] * 4, 1000, rng())
    assert np.all(drawn != 0.5)


def sensitivity_of_median(records, values):
    """Largest change of the median when one record becomes any of the values."""
    centre = np.median(records)
    return max(
        abs(np.median([*records[:i], value, *records[i + 1 :]]) - centre)
        for i, value in itertools.product(range(len(records)), values)
    )


def test_distance_to_instability_is_that_of_a_search_over_all_datasets():
    values, bound = (0, 1, 2, 3, 9), 2.0  # 0 and 9 are as far out as need be
    datasets = list(itertools.product(values, repeat=3))
    unstable = [d for d in datasets if sensitivity_of_median(d, values) > bound]
    for records in itertools.combinations_with_replacement((1, 2, 3), 3):
        nearest = min(sum(a != b for a, b in zip(records, d, strict=True)) for d in unstable)
        assert mechanisms.distance_to_instability(records, bound) == nearest


def test_distance_to_instability_moves_by_one_at_most():
    source = rng()
    for _ in range(200):
        first = source.integers(0, 6, size=7)
        second = first.copy()
        second[source.integers(7)] = source.integers(0, 6)
        ours, others = (mechanisms.distance_to_instability(d, 1.5) for d in (first, second))
        assert abs(ours - others) <= 1


def test_propose_test_release_refuses_and_releases():
    mechanism = mechanisms.ProposeTestRelease(0.1, 2.0, 1e-3)
    refused = np.isnan(mechanism([0, 0, 0, 1, 1], DRAWS, rng()))
    assert refused.mean() > 1 - 1e-3
    drawn = mechanism([1.0] * 101, DRAWS, rng())
    assert kstest(drawn, laplace(1.0, 0.1).cdf).pvalue > LEAST
    near = mechanism([0.0] * 12 + [1.0] * 3, DRAWS, rng())
    distance = mechanisms.distance_to_instability([0.0] * 12 + [1.0] * 3, 0.1)
    passed = laplace.sf(math.log(1e3) - distance)
    assert fits(np.isnan(near).astype(int), [passed, 1 - passed])


def test_clipped_mean_clips_and_scales():
    drawn = mechanisms.ClippedMean(0.0, 2.0, 1.0)([-5, 1, 1, 8], DRAWS, rng())
    assert kstest(drawn, laplace(1.0, 0.5).cdf).pvalue > LEAST


def test_sum_and_count_have_their_scales():
    drawn = mechanisms.NoisySumAndCount(-3.0, 2.0, 1.0)([1, 1, 9], DRAWS, rng())
    assert kstest(drawn[:, 0], laplace(4.0, 6.0).cdf).pvalue > LEAST
    assert kstest(drawn[:, 1], laplace(3.0, 2.0).cdf).pvalue > LEAST


def test_posterior_draw_is_tempered_to_the_widest_logit():
    grid = (0.2, 0.5, 0.6)
    drawn = mechanisms.PosteriorDraw(grid, 1.0)([1, 1, 0], DRAWS, rng())
    weights = np.array([t * t * (1 - t) for t in grid]) ** (1 / (2 * math.log(4)))
    assert fits(np.searchsorted(grid, drawn), weights / weights.sum())


def test_one_seed_gives_one_release():
    mechanism = mechanisms.SparseVector(np.asarray, 0.0, 1.0)
    assert np.array_equal(*(mechanism([0.0, 1.0], 50, rng(3)) for _ in range(2)))


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        (lambda: mechanisms.LaplaceMechanism(total, 1, -1.0), "epsilon must be > 0 .*, got -1.0"),
        (lambda: mechanisms.LaplaceMechanism(total, 0, 1.0), "sensitivity must be > 0 .*, got 0"),
        (lambda: mechanisms.GaussianMechanism(total, 1, 1, 1.0), r"delta must be in \(0, 1\), .*"),
        (lambda: mechanisms.gaussian_scale(math.inf, 0.1), "epsilon must be > 0 and finite"),
        (lambda: mechanisms.Counting(bool, math.nan), "epsilon must be > 0 and finite, got nan"),
        (
            lambda: mechanisms.RandomisedResponse(1.0, 1),
            "categories must be an integer >= 2, got 1",
        ),
        (
            lambda: mechanisms.ExponentialMechanism(total, [], 1.0, 1.0),
            "candidates must not be empty",
        ),
        (
            lambda: mechanisms.ExponentialMechanism(total, [1, 2], 1.0, 1.0)([1], 2, rng()),
            r"one number for each of 2 candidates, got shape \(\)",
        ),
        (lambda: mechanisms.ReportNoisyMax(total, 1.0, 0.0), "epsilon must be > 0"),
        (lambda: mechanisms.Counting(bool, 1e-20), "epsilon must be >= 1e-12"),
        (lambda: mechanisms.Counting(bool, "1"), "epsilon must be > 0 and finite, got '1'"),
        (
            lambda: mechanisms.SparseVector(total, 0.0, 1.0, count=0),
            "count must be an integer >= 1, got 0",
        ),
        (lambda: mechanisms.PrivateMedian(1.0, 1.0, 1.0), "low must be < high, .* got low = 1.0"),
        (lambda: mechanisms.ClippedMean(0.0, math.inf, 1.0), "high must be finite, got inf"),
        (lambda: mechanisms.NoisySumAndCount(0.0, 1.0, 0.0), "epsilon must be > 0"),
        (lambda: mechanisms.ProposeTestRelease(0.0, 1.0, 0.1), "bound must be > 0"),
        (lambda: mechanisms.distance_to_instability([1, 2], 1.0), "records must be odd, got 2"),
        (lambda: mechanisms.PosteriorDraw([0.5], 1.0), "grid must hold two or more chances"),
        (lambda: mechanisms.PosteriorDraw([0.5, 0.5], 1.0), "two or more different chances"),
    ],
)
def test_a_bad_parameter_is_named(factory, message):
    with pytest.raises(ValueError, match=message):
        factory()


# --- what they show ---------------------------------------------------------------------------------

ALL = [
    (mechanisms.LaplaceMechanism(total, 3, 2.0), "query=total, sensitivity=3, epsilon=2.0"),
    (
        mechanisms.GaussianMechanism(total, 1, 2.0, 1e-5),
        "query=total, sensitivity=1, epsilon=2.0, delta=1e-05",
    ),
    (mechanisms.Counting(bool, 2.0), "predicate=bool, epsilon=2.0"),
    (mechanisms.RandomisedResponse(2.0, 3), "epsilon=2.0, categories=3"),
    (
        mechanisms.ExponentialMechanism(lambda x: x, np.array([1, 2]), 1, 2.0),
        "score=<lambda>, candidates=[1, 2], sensitivity=1, epsilon=2.0",
    ),
    (mechanisms.ReportNoisyMax(total, 1, 2.0), "queries=total, sensitivity=1, epsilon=2.0"),
    (
        mechanisms.SparseVector(total, 0, 2.0),
        "queries=total, threshold=0, epsilon=2.0, count=1, sensitivity=1.0",
    ),
    (mechanisms.PrivateMedian(0, 1, 2.0), "low=0, high=1, epsilon=2.0"),
    (mechanisms.ProposeTestRelease(0.1, 2.0, 1e-5), "bound=0.1, epsilon=2.0, delta=1e-05"),
    (mechanisms.ClippedMean(0, 1, 2.0), "low=0, high=1, epsilon=2.0"),
    (mechanisms.NoisySumAndCount(0, 1, 2.0), "low=0, high=1, epsilon=2.0"),
    (mechanisms.PosteriorDraw([0.25, 0.5], 2.0), "grid=[0.25, 0.5], epsilon=2.0"),
]


@pytest.mark.parametrize(("mechanism", "shown"), ALL, ids=[type(one).__name__ for one, _ in ALL])
def test_a_mechanism_shows_its_parameters_and_what_it_spends(mechanism, shown):
    assert repr(mechanism) == f"{type(mechanism).__name__}({shown})"
    spent = mechanism.accounting
    assert spent.epsilon == pytest.approx(2.0)
    assert spent.delta == getattr(mechanism, "delta", 0.0)
    assert all(line.claim for line in spent.lines)
    assert repr(mechanism) in mechanism.describe()
    assert html.escape(repr(mechanism)) in mechanism._repr_html_()
    with pytest.raises(dataclasses.FrozenInstanceError):
        mechanism.epsilon = 1.0


def test_all_mechanisms_are_shown():
    assert {type(one) for one, _ in ALL} == set(mechanisms.Textbook.__subclasses__())


UNPROVED = {(mechanisms.PrivateMedian, "draw")}  # what no claim is about: a density on an interval
# whose claims are about a part of what is said, with words for the rest
PARTLY = (mechanisms.GaussianMechanism, mechanisms.ProposeTestRelease)


def test_each_line_of_an_accounting_cites_a_proved_claim_or_says_that_there_is_none():
    found = [one for one, _ in ALL] + [
        mechanisms.SparseVector(total, 0, 2.0, count=3),
        mechanisms.RandomisedResponse(2.0, categories=5),
    ]
    without = set()
    cited = {one.accounting.claim for one in found}
    for one in found:
        for line in one.accounting.lines:
            if line.claim.endswith("; no claim here"):
                without.add((type(one), line.line))
            else:
                keys = re.findall(r"privacy:[a-z-]+", line.claim)
                assert keys == [line.claim] or type(one) in PARTLY
                cited.update(keys)
    assert without == UNPROVED
    rows = record.read_record(record.record_path("privacy"))
    assert {key: rows[key]["verdict"] for key in cited} == dict.fromkeys(cited, "proved")


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-6), (0.1, 1e-3), (8.0, 1e-9)])
def test_gaussian_noise_of_a_vector_says_which_delta_is_proved(epsilon, delta):
    gauss = mechanisms.GaussianMechanism(total, 3.0, epsilon, delta)
    proved = gauss.delta_of_vectors
    assert delta < proved < 1
    rho = (3.0 / gauss.scale) ** 2 / 2
    assert rho + 2 * math.sqrt(rho * math.log(1 / proved)) == pytest.approx(epsilon)
    (line,) = gauss.accounting.lines
    assert line.claim.endswith(f"privacy:gaussian-mechanism-many proves delta {proved:.2g}")


def test_noise_too_small_for_its_loss_has_no_delta_proved_for_vectors():
    gauss = mechanisms.GaussianMechanism(total, 1.0, 0.1, 0.5)
    assert (1 / gauss.scale) ** 2 / 2 > 0.1  # rho alone is more than epsilon
    assert gauss.delta_of_vectors == 1


def test_losses_of_parts_add_up_by_the_claim_of_how_they_are_put_together():
    assert [
        one.accounting.claim
        for one in (
            mechanisms.ProposeTestRelease(0.1, 2.0, 1e-5),
            mechanisms.NoisySumAndCount(0, 1, 2.0),
        )
    ] == ["privacy:propose-test-release-passed-both", "privacy:composition-independent"]


def test_accounting_adds_its_lines():
    spent = mechanisms.ProposeTestRelease(0.1, 2.0, 1e-5).accounting
    assert repr(spent) == "Accounting(test: (1, 1e-05), release: (1, 0); in all (2, 1e-05))"
    one = mechanisms.Counting(bool, 1.0).accounting
    assert repr(one) == "Accounting(noise: (1, 0))"
    assert one.describe() == "noise, the count: (1, 0)."
    assert "privacy:geometric-mechanism" in one._repr_html_()
