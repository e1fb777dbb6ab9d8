"""Every release of the book in `compose`: its intervals hold what other formulas give."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import acb, arb, ctx

from dpbook.engine.claims.catalog import find
from dpbook.privacy import (
    Bernoulli,
    BoundedRange,
    ClippedMean,
    Counting,
    ExponentialMechanism,
    Finite,
    GaussianMechanism,
    Laplace,
    LaplaceMechanism,
    Mixture,
    NoisySumAndCount,
    Normal,
    Pair,
    PoissonSampled,
    PosteriorDraw,
    PrivateMedian,
    ProposeTestRelease,
    RandomisedResponse,
    ReportNoisyMax,
    SparseVector,
    TreeAggregation,
    compose,
)
from dpbook.privacy.accounting.finite import FiniteLoss, Sums
from dpbook.privacy.accounting.lattice import AtomicLoss
from dpbook.privacy.accounting.line import Releases, Smoothed
from dpbook.privacy.distributions import (
    Cauchy,
    DiscreteGaussian,
    Exponential,
    TruthOrNot,
    TwoSidedGeometric,
)


def holds(found, truth):
    return arb(found.lower) <= truth <= arb(found.upper)


def all_outputs(p, q, times):
    """Probabilities of all lists of outcomes, with the record and without it."""
    first, second = [arb(1)], [arb(1)]
    for _ in range(times):
        first = [a * b for a in first for b in p]
        second = [a * b for a in second for b in q]
    return first, second


def excess(first, second, epsilon):
    """The sum of the positive parts of p - e^epsilon q, at the worse order."""
    factor = arb(epsilon).exp()
    sums = []
    for p, q in ((first, second), (second, first)):
        total = arb(0)
        for a, b in zip(p, q, strict=True):
            total += (a - factor * b).max(arb(0))
        sums.append(total)
    return sums[0].max(sums[1])


@pytest.mark.parametrize("others", [1, 2, 5])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.7, 1.2])
def test_randomised_response_is_the_sum_over_all_answers(others, epsilon):
    each = Fraction(1, 2)
    found = compose(TruthOrNot(0, others, each), 4).delta(epsilon)
    with ctx.workprec(200):
        odds = (arb(1) / 2).exp()
        whole = odds + others
        p = [odds / whole, 1 / whole] + [1 / whole] * (others - 1)
        q = [1 / whole, odds / whole] + [1 / whole] * (others - 1)
        assert holds(found, excess(*all_outputs(p, q, 4), epsilon))
    assert found.width < 1e-15
    assert compose(TruthOrNot(0, others, each), 4).epsilon(0).upper == 2


@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.4, 0.9])
def test_a_pair_is_the_sum_over_all_outcomes_in_both_orders(epsilon):
    pair = Pair(Finite([0.125, 0.375, 0.5]), Finite([0.25, 0.25, 0.5]))
    found = compose([pair, Pair(Bernoulli(0.25), Bernoulli(0.5))], [3, 2]).delta(epsilon)
    with ctx.workprec(200):
        first, second = all_outputs(
            [arb(0.125), arb(0.375), arb(0.5)], [arb(0.25), arb(0.25), arb(0.5)], 3
        )
        other = all_outputs([arb(0.75), arb(0.25)], [arb(0.5), arb(0.5)], 2)
        first = [a * b for a in first for b in other[0]]
        second = [a * b for a in second for b in other[1]]
        assert holds(found, excess(first, second, epsilon))
    assert found.width < 1e-14


def test_many_outcomes_by_a_smoothed_line_hold_the_sum():
    loss = FiniteLoss(
        (
            (Fraction(1, 4), Fraction(1, 3)),
            (Fraction(1, 4), Fraction(1, 6)),
            (Fraction(1, 2), Fraction(1, 2)),
        )
    )
    factors = [(AtomicLoss(loss), 40)]
    releases = Releases(factors, Fraction(0))
    with ctx.workprec(128):
        for epsilon in (0.5, 2.0):
            saddle = releases.saddle_for_epsilon(epsilon)
            line = Smoothed(releases, saddle, epsilon, releases.size(saddle, epsilon))
            value, truth = line.delta(arb(epsilon)), Sums(factors).delta(arb(epsilon))
            assert value.overlaps(truth)
            assert value.rad() < 1e-5 * value.mid()


@pytest.mark.parametrize("epsilon", [0.0, 0.02, 0.25, 0.4])
def test_one_release_of_a_bounded_range_has_its_closed_form(epsilon):
    found = compose(BoundedRange(0.5)).delta(epsilon)
    with ctx.workprec(200):
        truth = (1 - ((arb(epsilon) - 0.5) / 2).exp()) ** 2 / (1 - (-arb(0.5)).exp())
        assert holds(found, truth)
    assert found.width < 1e-6


def test_the_pair_of_a_bounded_range_has_the_largest_divergence_of_two_points():
    for epsilon in np.linspace(0, 0.99, 12):
        best = 0.0
        for t in np.linspace(0.001, 0.999, 400):
            q = (1 - math.exp(t - 1)) / (math.exp(t) - math.exp(t - 1))
            best = max(best, q * (math.exp(t) - math.exp(epsilon)))
        found = compose(BoundedRange(1)).delta(float(epsilon))
        assert best - 1e-12 <= found.upper <= best + 1e-4


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 0.8])
def test_two_releases_of_a_bounded_range_by_quadrature(epsilon):
    e = 0.5
    found = compose(BoundedRange(e), 2).delta(epsilon)
    with ctx.workprec(128):
        scale = 2 * (arb(e / 2).exp() - arb(-e / 2).exp())

        def one(y):
            """Delta of one release at y in [-e, e]."""
            return (1 - ((y - e) / 2).exp()) ** 2 / (1 - (-acb(e)).exp())

        # beyond -e one release has 1 - e^y
        middle = acb.integral(
            lambda x, _: (x / 2).exp() / scale * one(acb(epsilon) - x),
            acb(max(epsilon - e, -e)),
            acb(e),
        )
        truth = middle.real
        if epsilon - e < -e:
            truth += acb.integral(
                lambda x, _: (x / 2).exp() / scale * (1 - (acb(epsilon) - x).exp()),
                acb(-e),
                acb(epsilon - e),
            ).real
        assert holds(found, truth)
    assert found.width < 1e-5 * found.upper


@pytest.mark.parametrize("rate", [0.125, 0.5])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.6])
def test_sampled_geometric_noise_is_the_sum_over_all_outputs(rate, epsilon):
    noise = TwoSidedGeometric(0, Fraction(1, 2))
    found = compose(PoissonSampled(noise, rate), 3, sensitivity=2).delta(epsilon)
    with ctx.workprec(200):
        falls = (-arb(1) / 2).exp()
        # the outputs up to 0, 1, and from 2 on
        tail = 1 / (1 + falls)
        without = [tail, (1 - falls) / (1 + falls) * falls, tail * falls**2]
        moved = [tail * falls**2, (1 - falls) / (1 + falls) * falls, tail]
        with_ = [rate * a + (1 - rate) * b for a, b in zip(moved, without, strict=True)]
        assert holds(found, excess(*all_outputs(with_, without, 3), epsilon))
    assert found.width < 1e-12


@pytest.mark.parametrize(("rate", "sd"), [(0.25, 1), (0.0625, 2)])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
def test_a_sampled_discrete_gaussian_is_the_sum_over_all_outputs(rate, sd, epsilon):
    found = compose(PoissonSampled(DiscreteGaussian(0, sd), rate), 2).delta(epsilon)
    with ctx.workprec(200):
        weights = [(-arb(k * k) / (2 * sd * sd)).exp() for k in range(-15 * sd, 15 * sd + 2)]
        total = sum(weights, arb(0))
        without = [w / total for w in weights]
        moved = [arb(0), *without[:-1]]
        with_ = [rate * a + (1 - rate) * b for a, b in zip(moved, without, strict=True)]
        truth = excess(*all_outputs(with_, without, 2), epsilon)
        assert holds(found, truth + arb(0, "1e-40"))
    assert found.width < 1e-3 * found.upper


def test_a_tree_has_one_node_of_each_level():
    for leaves, levels in ((1, 1), (2, 2), (3, 3), (4, 3), (1024, 11), (1025, 12)):
        assert TreeAggregation(Normal(0, 10), leaves).levels == levels
    tree = compose(TreeAggregation(Normal(0, 10), 1024), 3)
    assert tree.epsilon(1e-6) == compose(Normal(0, 10), 33).epsilon(1e-6)
    noisy = compose(TreeAggregation(Laplace(0, 40), 100))
    assert noisy.delta(0.1) == compose(Laplace(0, 40), 8).delta(0.1)


@pytest.mark.parametrize(
    ("mechanism", "release", "sensitivity"),
    [
        (LaplaceMechanism(len, 3, 0.25), Laplace(0, 4), 1),
        (
            GaussianMechanism(len, 1, 1, 1e-6),
            Normal(0, GaussianMechanism(len, 1, 1, 1e-6).scale),
            1,
        ),
        (Counting(bool, 0.5), TwoSidedGeometric(0, Fraction(1, 2)), 1),
        (RandomisedResponse(0.5, 4), TruthOrNot(0, 3, Fraction(1, 2)), 1),
        (ExponentialMechanism(len, [1, 2], 3, 0.25), BoundedRange(0.25), 1),
        (PrivateMedian(0, 1, 0.25), BoundedRange(0.25), 1),
        (PosteriorDraw([0.25, 0.75], 0.25), BoundedRange(0.25), 1),
        (ClippedMean(0, 1, 0.25), Laplace(0, 4), 1),
        (NoisySumAndCount(0, 1, 0.5), [Laplace(0, 4), Laplace(1, 4)], 1),
        (ReportNoisyMax(len, 1, 0.5), TruthOrNot(0, 1, Fraction(1, 2)), 1),
        (SparseVector(len, 1, 0.5), TruthOrNot(0, 1, Fraction(1, 2)), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_mechanism_is_its_noise(mechanism, release, sensitivity):
    releases = release if isinstance(release, list) else [release]
    known = compose(releases, 3, sensitivity=sensitivity)
    assert compose(mechanism, 3).delta(0.3) == known.delta(0.3)


def test_a_list_of_all_kinds_costs_more_than_each():
    releases = [
        Normal(0, 20), Laplace(0, 20), TwoSidedGeometric(0, Fraction(1, 20)), DiscreteGaussian(0, 20),
        TruthOrNot(0, 2, Fraction(1, 20)), PoissonSampled(Normal(0, 1), 0.01), BoundedRange(0.05),
        TreeAggregation(Normal(0, 50), 100), Pair(Bernoulli(0.5), Bernoulli(0.51)),
    ]  # fmt: skip
    together = compose(releases, 20).epsilon(1e-6)
    assert together.width < 1e-8
    parts = [compose(each, 20).epsilon(1e-6) for each in releases]
    assert max(each.upper for each in parts) < together.lower
    assert together.upper < sum(each.lower for each in parts)


# the other questions


def test_renyi_divergences_have_their_closed_forms():
    for order in (1.5, 2, Fraction(7, 3), 30):
        found = compose(Normal(0, 3), 4).renyi(order)
        assert found.lower <= float(order) * 4 / 18 * (1 + 1e-15)
        assert found.upper >= float(order) * 4 / 18 * (1 - 1e-15)
        assert found.width < 1e-14
        laplace = compose(Laplace(0, 2), 3).renyi(order)
        a, t = float(order), 0.5
        moment = a / (2 * a - 1) * math.exp((a - 1) * t) + (a - 1) / (2 * a - 1) * math.exp(-a * t)
        assert 3 * math.log(moment) / (a - 1) == pytest.approx(laplace.lower, rel=1e-13)
    sampled = compose(PoissonSampled(Normal(0, 1), 0.25)).renyi(2)
    truth = math.log(1 + 0.0625 * math.expm1(1))
    assert sampled.lower - 1e-12 <= truth <= sampled.upper + 1e-12
    answer = compose(TruthOrNot(0, 1, 1), 5).renyi(2)
    p = math.e / (1 + math.e)
    assert answer.upper == pytest.approx(
        5 * math.log(p * p / (1 - p) + (1 - p) ** 2 / p), rel=1e-13
    )


def test_a_profile_has_the_deltas_and_draws_them():
    composed = compose([Laplace(0, 20), Normal(0, 30)], 10)
    found = composed.profile([0, 0.5, 1])
    assert found.deltas == tuple(composed.delta(x) for x in (0, 0.5, 1))
    assert f"{found.deltas[1].upper:.4g} at 0.5" in found.describe()
    line = composed.plot().lines[0]
    assert len(line.get_xdata()) == 25
    assert line.get_ydata()[0] == composed.delta(0).upper


def test_the_result_says_whether_it_is_attained():
    sharp = compose([Laplace(0, 1), PoissonSampled(Normal(0, 1), 0.1)])
    assert sharp.attained
    assert "so it is attained" in sharp.describe()
    assert sharp.claims == (
        "privacy:axiom-dominating-pairs-compose",
        "privacy:sampled-pair-removed",
        "privacy:sampled-pair-added",
    )
    loose = compose([Laplace(0, 1), BoundedRange(1)])
    assert loose.claims[-1] == "privacy:range-two-points"
    assert all(find(key).key == key for key in (*sharp.claims, *loose.claims))
    assert compose(Laplace(0, 1)).claims == ()
    assert not loose.attained
    assert "only an upper bound: a release of a bounded range" in loose.describe()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compose(Cauchy(0, 1)), r"compose has no method for Cauchy\(0, 1\): distributions must be Normal"),
        (lambda: compose("Normal", 3), "compose has no method for 'Normal'"),
        (lambda: compose(Exponential(1)), "compose has no method for Exponential"),
        (lambda: compose(ProposeTestRelease(0.1, 1, 1e-6)), "compose has no method for ProposeTestRelease"),
        (lambda: compose(LaplaceMechanism(len, 1, 1), sensitivity=2), "sensitivity must be 1 with a mechanism"),
        (lambda: compose(Mixture([Normal(0, 1), Normal(1, 2)])), "a Mixture must be of two Normal of one sd"),
        (lambda: compose(TruthOrNot(0, 1, sympy.Symbol("e"))), "epsilon must be a rational number"),
        (lambda: Pair(Bernoulli(0.5), Finite([0.5, 0.25, 0.25])), "as many outcomes, got 2 and 3"),
        (lambda: Pair(Bernoulli(0), Bernoulli(0.5)), "the same outcomes of positive probability"),
        (lambda: Pair(Normal(0, 1), Bernoulli(0.5)), r"first must be Bernoulli or Finite, got Normal\(0, 1\)"),
        (lambda: BoundedRange(0), "epsilon must be > 0, got 0"),
        (lambda: BoundedRange(math.nan), "epsilon must be finite and > 0, got nan"),
        (lambda: TreeAggregation(Normal(0, 1), 0), "leaves must be an integer >= 1, got 0"),
        (lambda: TreeAggregation(Normal(0, 1), 2.5), "leaves must be an integer >= 1, got 2.5"),
        (lambda: TreeAggregation(Cauchy(0, 1), 2), "noise must be Normal, Laplace, .* got Cauchy"),
        (lambda: compose(Normal(0, 1)).renyi(1), "order must be > 1, got 1"),
        (lambda: compose(Normal(0, 1)).renyi(math.inf), "order must be finite and > 1, got inf"),
        (lambda: compose(Normal(0, 1)).profile(3), "epsilons must be a sequence of numbers >= 0, got 3"),
        (lambda: compose(Normal(0, 1)).profile([-1]), "epsilons must be >= 0, got -1"),
        (lambda: compose(Normal(0, 1)).profile([]), "epsilons must hold at least one number"),
    ],
)  # fmt: skip
def test_wrong_input_is_one_clear_line(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
