"""The auditor: its bound is right as often as it says, close to the truth, and never infinite."""

import importlib
import math

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc
from scipy.stats import binom, binomtest, norm

from dpbook.privacy.audit import audit, lower, pooled_lower, pooled_upper, upper

auditing = importlib.import_module("dpbook.privacy.audit")


def laplace(mean, size, rng):
    return rng.laplace(loc=mean, size=size)


def gaussian(mean, size, rng):
    return rng.normal(loc=mean, size=size)


def geometric(mean, size, rng):
    first, second = rng.geometric(1 - math.exp(-1), size=(2, size))
    return mean + first - second


# the bounds


@pytest.mark.parametrize("error", [0.3, 0.025, 1e-6])
def test_single_bounds_are_the_binomial_tails(error):
    for count, draws in ((1, 10), (7, 10), (30, 1000)):
        assert bdtrc(count - 1, draws, lower(count, draws, error)) == pytest.approx(error)
        assert bdtr(count, draws, upper(count, draws, error)) == pytest.approx(error)
    assert lower(0, 10, error) == 0
    assert upper(10, 10, error) == 1


def two_groups(n, first, second):
    """Distribution of the sum of n indicators of one chance and n of another."""
    at = np.arange(n + 1)
    return np.convolve(binom.pmf(at, n, first), binom.pmf(at, n, second))


@pytest.mark.parametrize("error", [0.45, 0.2, 0.025, 0.001])
def test_pooled_bounds_hold_by_exact_sums(error):
    for n in (1, 2, 5, 20):
        at = np.arange(2 * n + 1)
        low = np.array([pooled_lower(k, 2 * n, error) for k in at])
        high = np.array([pooled_upper(k, 2 * n, error) for k in at])
        for first in np.linspace(0, 1, 21):
            for second in np.linspace(0, 1, 21):
                chances = two_groups(n, first, second)
                mean = (first + second) / 2
                assert chances[low > mean + 1e-12].sum() <= error * (1 + 1e-9)
                assert chances[high < mean - 1e-12].sum() <= error * (1 + 1e-9)


def test_the_cut_of_the_pooled_bound_is_needed():
    error, n = 0.025, 50
    worst = 0.9999 * lower(1, 2 * n, error)
    assert two_groups(n, 2 * worst, 0)[1:].sum() > error
    assert pooled_lower(1, 2 * n, error) == 0


# coverage


def false_alarms(mechanism, X, Z, epsilon, repeats=1000, **options):
    rng = np.random.default_rng(20261121)
    found = [audit(mechanism, X, Z, rng=rng, **options).epsilon_lower for _ in range(repeats)]
    return sum(each > epsilon for each in found)


def mixed(mean, size, rng):
    """Vectors with atoms, nan and infinities."""
    first = np.where(rng.random(size) < 0.3, np.nan, rng.laplace(loc=mean, size=size))
    second = rng.choice([0.0, 1.0, -np.inf, np.inf], size=size)
    return np.column_stack((first, second))


@pytest.mark.parametrize(
    ("mechanism", "Z", "epsilon", "delta"),
    [
        (laplace, 0.0, 0.0, 0.0),
        (laplace, 1.0, 1.0, 0.0),
        (geometric, 0, 0.0, 0.0),
        (geometric, 1, 1.0, 0.0),
        # exact delta of the Gaussian mechanism at epsilon = 1/2
        (gaussian, 1.0, 0.5, norm.cdf(0.0) - math.exp(0.5) * norm.cdf(-1.0)),
    ],
    ids=["laplace-0", "laplace-1", "geometric-0", "geometric-1", "gaussian-delta"],
)
def test_false_alarms_are_no_more_than_stated(mechanism, Z, epsilon, delta):
    count = false_alarms(mechanism, type(Z)(0), Z, epsilon, size=1000, delta=delta)
    assert binomtest(count, 1000, 0.05, alternative="greater").pvalue > 1e-6


def test_false_alarms_on_vectors_are_no_more_than_stated():
    count = false_alarms(mixed, 0.0, 0.0, 0.0, repeats=200, size=500, confidence=0.8)
    assert binomtest(count, 200, 0.2, alternative="greater").pvalue > 1e-6


def test_bound_fails_as_often_as_stated_where_the_event_is_given():
    """Coverage of the bounds alone: with a fixed event nothing hides behind a poor choice."""
    rng = np.random.default_rng(5)
    n, p, q, error = 1000, 0.5, 0.5 * math.exp(-1), 0.05
    right = rng.binomial(n, p, size=(20_000, 2)).sum(axis=1)
    failed = sum(pooled_lower(k, 2 * n, error) > p for k in right)
    assert binomtest(failed, 20_000, error, alternative="greater").pvalue > 1e-6
    wrong = rng.binomial(n, q, size=(20_000, 2)).sum(axis=1)
    failed = sum(pooled_upper(k, 2 * n, error) < q for k in wrong)
    assert binomtest(failed, 20_000, error, alternative="greater").pvalue > 1e-6


# power


def test_median_bound_of_a_laplace_mechanism_is_close_to_one():
    found = [audit(laplace, 0.0, 1.0, rng=np.random.default_rng(seed)) for seed in range(200)]
    assert np.median([each.epsilon_lower for each in found]) >= 0.975
    assert sum(each.epsilon_lower > 1 for each in found) <= 20


def test_delta_is_granted_and_the_rest_is_found():
    delta = norm.cdf(0.0) - math.exp(0.5) * norm.cdf(-1.0)
    found = audit(gaussian, 0.0, 1.0, rng=np.random.default_rng(3), delta=delta)
    assert 0.3 < found.epsilon_lower <= 0.5


def atom_in_the_middle(answer, size, rng):
    noisy = rng.laplace(size=size)
    return np.where(rng.random(size) < (0.02 if answer else 0.0), 0.25, noisy)


def refusal(answer, size, rng):
    return np.where(rng.random(size) < (0.1 if answer else 0.01), np.nan, rng.random(size))


def infinities(answer, size, rng):
    return rng.choice([-np.inf, np.inf, 0.0], p=[0.1, 0.4, 0.5], size=size) * (-1 if answer else 1)


def equal_or_opposite(answer, size, rng):
    first = rng.integers(0, 2, size=size)
    flipped = rng.random(size) < (0.1 if answer else 0.5)
    return np.column_stack((first, np.where(flipped, 1 - first, first)))


def narrow(answer, size, rng):
    return rng.normal(scale=0.5 if answer else 1.0, size=(size, 5))


def direction(answer, size, rng):
    noisy = rng.normal(size=(size, 4))
    return noisy + (0.5 if answer else -0.5) * np.array([1, -1, 1, -1])


@pytest.mark.parametrize(
    ("mechanism", "least"),
    [
        (atom_in_the_middle, 3.0),
        (refusal, 2.0),
        (infinities, 1.2),
        (equal_or_opposite, 1.4),
        (narrow, 2.5),
        (direction, 2.5),
    ],
)
def test_differences_of_every_kind_are_found(mechanism, least):
    for X, Z in ((0, 1), (1, 0)):
        found = audit(mechanism, X, Z, size=50_000, rng=np.random.default_rng(11))
        assert found.epsilon_lower > least


def test_infinite_evidence_gives_a_finite_bound():
    found = audit(lambda data, size, rng: np.full(size, data), 0, 1, rng=np.random.default_rng(0))
    assert 8 < found.epsilon_lower < 15
    assert found.wrong == 0


def test_a_mechanism_that_never_answers_is_refused():
    with pytest.raises(ValueError, match="must give an answer, got nan in all 1000 draws on X and"):
        audit(lambda data, size, rng: np.full(size, np.nan), 0, 1, 1000)


def test_outcomes_that_are_nan_on_one_side_only_are_told_apart():
    found = audit(
        lambda data, size, rng: np.full(size, data), math.nan, 1.0, rng=np.random.default_rng(0)
    )
    assert found.epsilon_lower > 5


def test_nan_on_both_sides_tells_nothing_where_there_are_other_answers():
    def rare(data, size, rng):
        return np.where(rng.random(size) < 0.999, np.nan, 0.0)

    assert audit(rare, 0, 1, rng=np.random.default_rng(0)).epsilon_lower == 0.0


def test_one_distribution_on_both_sides_tells_nothing():
    found = audit(laplace, 0.0, 0.0, confidence=0.999999, rng=np.random.default_rng(8))
    assert found.epsilon_lower == 0.0


def test_many_coordinates_are_searched():
    def one_of_many(answer, size, rng):
        noisy = rng.laplace(size=(size, 80))
        noisy[:, 70] += 2.0 * answer
        return noisy

    found = audit(one_of_many, 0, 1, size=10_000, rng=np.random.default_rng(4))
    assert 1.5 < found.epsilon_lower <= 2.0


# what is returned


def test_one_seed_gives_one_audit():
    first, again = (audit(mixed, 0.0, 1.0, 2000, rng=np.random.default_rng(7)) for _ in range(2))
    assert first == again
    assert repr(first) == repr(again)


def test_event_and_counts_are_those_of_the_held_out_draws():
    samples = 5000
    found = audit(laplace, 0.0, 1.0, samples, rng=np.random.default_rng(9))
    rng = np.random.default_rng(9)
    sides = [laplace(mean, samples, rng)[samples - found.held_out :] for mean in (0.0, 1.0)]
    for counts, draws in zip((found.x_counts, found.z_counts), sides, strict=True):
        said = found.event(draws)
        assert counts == (np.sum(said == 1), np.sum(said == -1))
    ratio = found.right_lower / found.wrong_upper
    assert found.epsilon_lower == pytest.approx(math.log(ratio))


def test_held_out_draws_do_not_choose_the_event():
    held = int(1000 * (1 - auditing.CHOOSING))
    seen = []
    for late in (0.0, 50.0):

        def shifted(mean, size, rng, late=late):
            drawn = rng.laplace(loc=mean, size=size)
            drawn[size - held :] += late
            return drawn

        seen.append(audit(shifted, 0.0, 1.0, 1000, rng=np.random.default_rng(2)).event)
    assert seen[0] == seen[1]


def test_audit_says_what_it_found():
    found = audit(laplace, 0.0, 1.0, rng=np.random.default_rng(1))
    assert repr(found).startswith(f"Audit(epsilon_lower={found.epsilon_lower:.4g}, confidence=0.95")
    assert "speaks for X" in str(found.event)
    assert f"epsilon is at least {found.epsilon_lower:.4g}" in found.describe()
    assert "<table>" in found._repr_html_()
    axes = found.plot()
    assert axes.get_xlabel() == "chance of a wrong guess"
    assert found.plot(axes) is axes
    nothing = audit(laplace, 0.0, 0.0, 100, rng=np.random.default_rng(1), delta=0.5)
    assert "no evidence" in nothing.describe()
    assert "delta=0.5" in repr(nothing)
    nothing.plot()


def test_without_a_generator_an_audit_is_repeatable():
    first, again = (audit(laplace, 0.0, 1.0, 1000) for _ in range(2))
    assert first == again == audit(laplace, 0.0, 1.0, 1000, rng=np.random.default_rng(0))


# bad input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 99}, r"size must be an integer >= 100, got 99"),
        ({"size": 1e5}, r"size must be an integer >= 100, got 100000.0"),
        ({"confidence": 1.0}, r"confidence must be in \(0, 1\), got 1.0"),
        ({"confidence": math.nan}, r"confidence must be in \(0, 1\), got nan"),
        ({"delta": 1.0}, r"delta must be in \[0, 1\), got 1.0"),
        ({"delta": -0.1}, r"delta must be in \[0, 1\), got -0.1"),
        ({"rng": 3}, r"rng must be a numpy.random.Generator or None, got 3"),
    ],
)
def test_a_bad_option_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        audit(laplace, 0.0, 1.0, **options)


@pytest.mark.parametrize(
    ("mechanism", "message"),
    [
        (3, r"mechanism must be callable as .*, got 3"),
        (lambda data, size, rng: 1 / 0, r"draws on X, got ZeroDivisionError: .*; try mechanism"),
        (
            lambda data, size, rng: rng.random(size - 1),
            r"shape \(100,\) or \(100, d\), got \(99,\)",
        ),
        (lambda data, size, rng: 1.0, r"array of 100 draws, got one number on X; .*size=size"),
        (
            lambda data: data,
            r"of \(dataset, size, rng\) that returns size draws, got f\(data\); wrap it: "
            r"lambda dataset, size, rng: \[f\(dataset\) for _ in range\(size\)\]$",
        ),
        (lambda data, rng: data, r"got f\(data, rng\); .*: \[f\(dataset, rng\) for _ in range"),
        (lambda data, rng, size: data, r"got f\(data, rng, size\); .*: f\(dataset, rng, size\)$"),
        (lambda data, n: data, r"got f\(data, n\); wrap it: .*: f\(dataset, \.\.\.\)$"),
        (lambda data, size, rng: rng.random((size, 2, 2)), r"got \(100, 2, 2\) on X"),
        (lambda data, size, rng: rng.random((size, 0)), r"got \(100, 0\) on X"),
        (lambda data, size, rng: ["a"] * size, r"must return numbers, got dtype <U1 on X"),
        (lambda data, size, rng: [1j] * size, r"must return numbers, got dtype complex128 on X"),
        (lambda data, size, rng: rng.random((size, data + 1)), r"one shape on X and Z, got 1 .* 2"),
    ],
)
def test_a_bad_mechanism_is_named(mechanism, message):
    with pytest.raises(ValueError, match=message):
        audit(mechanism, 0, 1, 100, rng=np.random.default_rng(0))


def test_a_mechanism_with_defaults_or_stars_is_called():
    def noisy(data, size=3, rng=None, scale=1.0):
        return data + rng.laplace(scale=scale, size=size)

    rng = np.random.default_rng
    found = audit(noisy, 0, 1, 1000, rng=rng(1))
    assert found == audit(lambda *given: noisy(*given), 0, 1, 1000, rng=rng(1))
