"""Random DP is not DP: the two pairs of datasets, recomputed without the package."""

import math

import numpy as np
import pytest
from scipy.stats import norm, t

from dpbook.contamination import clean_pair, contaminated_pair, private_mean


def log_posterior(x, rate):
    theta = np.linspace(-120, 420, 20_001)
    logs = norm.logpdf(theta, 40, 40)
    for value, count in zip(*np.unique(x, return_counts=True), strict=True):
        g = t.pdf((value - 30) / 8, 5) / 8
        logs = logs + count * np.log((1 - rate) * norm.pdf(theta, value, 8) + rate * g)
    return theta, logs


def chance(x, rate, threshold):
    theta, logs = log_posterior(x, rate)
    weights = np.exp(logs - logs.max())
    return float(weights[theta > threshold].sum() / weights.sum())


def test_last_record_chooses_between_the_two_clusters():
    found = contaminated_pair()
    same = np.concatenate([np.full(499, 110.0), np.full(500, -50.0)])
    rate = 1000**-0.125
    first, second = (chance(np.append(same, v), rate, 30.0) for v in (110.0, -50.0))
    # 500 records a side: the prior alone decides, by exp(((-50 - 40)**2 - (110 - 40)**2) / 3200)
    assert first == pytest.approx(1 / (1 + math.exp(-1)), abs=2e-3)
    assert found.chance == pytest.approx(first, rel=1e-6)
    assert found.other == pytest.approx(second, rel=1e-3)
    assert found.delta >= found.chance - math.exp(0.94) * found.other - 1e-9
    assert found.delta == pytest.approx(0.731, abs=5e-4)
    assert found.fails
    assert found.claimed == 1e-4


def test_clusters_that_are_near_do_not_refute_the_guarantee():
    found = contaminated_pair(100, away=0.5, epsilon=2.85)
    assert found.delta == 0
    assert not found.fails


def test_five_records_far_away_refute_the_guarantee_although_the_mechanism_contaminates():
    found = clean_pair(20, np.random.default_rng(1))
    # the event is almost that all five survive and win, which has probability (1 - p)**5 = .0161
    rate = 100**-0.125
    assert found.delta <= (1 - rate) ** 5 * 1.02
    assert found.delta == pytest.approx(0.0159, rel=0.03)
    assert found.other < 1e-4
    assert found.claimed == 1e-3
    assert found.fails
    # by running the mechanism, stratum by stratum: contaminated data, posterior by another grid
    rng = np.random.default_rng(2)
    setting = private_mean(100)
    means = {}
    for kept, total in ((5, 5), (4, 5), (4, 4)):
        chances = []
        for _ in range(10):
            near = np.where(
                rng.random(100 - total) < rate, 30 + 8 * rng.standard_t(5, 100 - total), 30.0
            )
            far = np.concatenate([np.full(kept, 300.0), 30 + 8 * rng.standard_t(5, total - kept)])
            chances.append(chance(np.concatenate([near, far]), setting.rate, 165.0))
        means[kept, total] = np.mean(chances)
    assert means[5, 5] > 0.95
    assert means[4, 4] < 0.01
    rough = (1 - rate) ** 5 * means[5, 5] + 5 * (1 - rate) ** 4 * rate * means[4, 5]
    assert found.chance == pytest.approx(rough, rel=0.1)


def test_audits_show_themselves():
    for found in (
        contaminated_pair(100, away=3.0, epsilon=2.85),
        clean_pair(3, np.random.default_rng(1)),
    ):
        assert "random DP, conditional on the model" in repr(found)
        assert "The guarantee fails on them" in found.describe()
        assert found.describe() in found._repr_html_().replace("&#x27;", "'")
        found.plot()


def test_bad_pairs_are_refused():
    with pytest.raises(ValueError, match="n must be even, got 7"):
        contaminated_pair(7)
    with pytest.raises(ValueError, match="n of the setting must be 10, got 100"):
        contaminated_pair(10, setting=private_mean(100))
    with pytest.raises(ValueError, match="far must be an integer"):
        clean_pair(5, far=100)
