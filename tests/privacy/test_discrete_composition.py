"""Composition of discrete noise: its intervals hold exact sums."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import arb, arb_poly, ctx

from dpbook.privacy import PoissonSampled, calibrate, compose
from dpbook.privacy.accounting.lattice import (
    AtomicLoss,
    DiscreteGaussianLoss,
    LatticeLine,
    common_step,
)
from dpbook.privacy.accounting.line import Releases, enclose_delta
from dpbook.privacy.accounting.tail_sums import TailSums
from dpbook.privacy.distributions import DiscreteGaussian, Laplace, Normal, TwoSidedGeometric


def holds(found, truth):
    return arb(found.lower) <= truth <= arb(found.upper)


def excess(losses, masses, epsilon):
    """The sum of masses (1 - e^(epsilon - loss)) over the losses above epsilon."""
    total = arb(0)
    for loss, mass in zip(losses, masses, strict=True):
        if loss > arb(epsilon):
            total += mass * (1 - (arb(epsilon) - loss).exp())
    return total


@pytest.mark.parametrize(("rate", "times"), [(Fraction(1, 2), 10), (Fraction(1, 10), 100)])
@pytest.mark.parametrize("share", [0.0, 0.07, 0.4, 0.99])
def test_geometric_noise_on_a_count_is_randomised_response(rate, times, share):
    """At sensitivity 1 the loss is the rate or its negative: a binomial sum."""
    epsilon = share * times * float(rate)
    found = compose(TwoSidedGeometric(0, rate), times).delta(epsilon)
    with ctx.workprec(200):
        e = arb(rate.numerator) / rate.denominator
        falls = (-e).exp()
        masses = [math.comb(times, j) * falls**j / (1 + falls) ** times for j in range(times + 1)]
        truth = excess([(times - 2 * j) * e for j in range(times + 1)], masses, epsilon)
        assert holds(found, truth)
        assert found.width < 1e-9 * float(truth)


@pytest.mark.parametrize(("sd", "shift", "times"), [(2, 1, 1), (5, 1, 20), (3, 2, 7), (6, 9, 4)])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 2.0])
def test_discrete_gaussian_noise_is_a_power_of_a_polynomial(sd, shift, times, epsilon):
    found = compose(DiscreteGaussian(0, sd), times, sensitivity=shift).delta(epsilon)
    with ctx.workprec(300):
        reach = 14 * sd
        weights = [(-arb(k * k) / (2 * sd * sd)).exp() for k in range(-reach, reach + 1)]
        total = sum(weights, arb(0))
        power = arb_poly([w / total for w in weights]) ** times
        masses = [power[i] for i in range(2 * reach * times + 1)]
        losses = [
            arb(times * shift * shift - 2 * shift * (i - reach * times)) / (2 * sd * sd)
            for i in range(len(masses))
        ]
        truth = excess(losses, masses, epsilon)
        assert holds(found, truth + arb(0, "1e-35"))
        assert found.width < 1e-9 * float(truth)


def test_a_list_of_two_lattices_is_the_product_of_their_polynomials():
    composed = compose([DiscreteGaussian(0, 2), TwoSidedGeometric(0, Fraction(1, 4))], [3, 2])
    found = composed.delta(1)
    with ctx.workprec(300):
        weights = [(-arb(k * k) / 8).exp() for k in range(-40, 41)]
        total = sum(weights, arb(0))
        power = arb_poly([w / total for w in weights]) ** 3
        falls = (-arb(1) / 4).exp()
        truth = arb(0)
        for j in range(3):
            share = math.comb(2, j) * falls**j / (1 + falls) ** 2
            losses = [arb(3 - 2 * (i - 120)) / 8 + arb(2 - 2 * j) / 4 for i in range(241)]
            truth += share * excess(losses, [power[i] for i in range(241)], 1)
        assert holds(found, truth + arb(0, "1e-35"))


def test_pure_privacy_of_geometric_noise_is_its_rate():
    found = compose(TwoSidedGeometric(0, Fraction(1, 4)), 8, sensitivity=2).epsilon(0)
    assert (found.lower, found.upper) == (4, 4)


def test_known_values():
    gauss = compose(DiscreteGaussian(0, 5), 50).epsilon(1e-6)
    assert 7.28592890 < gauss.lower <= gauss.upper < 7.28592891
    laplace = compose(TwoSidedGeometric(0, Fraction(1, 10)), 100).epsilon(1e-6)
    assert 4.77456758 < laplace.lower <= laplace.upper < 4.77456759
    assert max(gauss.width, laplace.width) < 1e-9


def test_discrete_noise_beside_noise_with_a_density():
    alone = compose(DiscreteGaussian(0, 5), 50).epsilon(1e-6)
    more = compose([DiscreteGaussian(0, 5), Normal(0, 5)], [50, 3])
    found = more.epsilon(1e-6)
    assert alone.upper < found.lower <= found.upper < alone.lower + 1
    assert found.width < 1e-9
    assert found == compose([Normal(0, 5), DiscreteGaussian(9, 5)], [3, 50]).epsilon(1e-6)
    sampled = compose([DiscreteGaussian(0, 5), PoissonSampled(Normal(0, 1), 0.01)], [10, 500])
    assert sampled.epsilon(1e-6).width < 1e-8
    assert sampled.delta(sampled.epsilon(1e-6).lower).upper >= 1e-6


def test_a_wide_discrete_gaussian_is_close_to_the_normal():
    """By the loss of both: the sums differ from the integrals by e^(-2 pi^2 sd^2)."""
    discrete = compose(DiscreteGaussian(0, 50), 100).epsilon(1e-6)
    normal = compose(Normal(0, 50), 100).epsilon(1e-6)
    assert abs(discrete.lower - normal.lower) < 1e-3 * normal.lower


def test_common_step_divides_all():
    steps = [Fraction(1, 4), Fraction(1, 6), Fraction(5, 2)]
    step = common_step(steps)
    assert step == Fraction(1, 12)
    assert all((each / step).denominator == 1 for each in steps)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: compose(DiscreteGaussian(0, 1), sensitivity=0.5),
            "sensitivity must be an integer with discrete noise, got 1/2",
        ),
        (lambda: compose(DiscreteGaussian(0, 1)).epsilon(0), "with Gaussian noise every epsilon"),
        (lambda: compose(TwoSidedGeometric(0, sympy.log(2))), "rate must be a rational number"),
    ],
)
def test_wrong_discrete_noise_is_one_clear_line(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# calibration


def run(noise):
    return compose(PoissonSampled(Normal(0, noise), rate=0.01), 1000)


def test_the_least_noise_keeps_the_budget_and_less_does_not():
    noise = calibrate(run, 2, 1e-5, between=(0.5, 5))
    assert run(noise).delta(2).upper <= 1e-5 < run(noise * (1 - 1e-8)).delta(2).lower
    assert calibrate(run, 2, 1e-5, between=(5, 0.5)) == pytest.approx(noise, rel=1e-8)


def test_the_most_steps_keep_the_budget_and_one_more_does_not():
    def steps(many):
        return compose(PoissonSampled(Normal(0, 1), rate=0.01), many)

    most = calibrate(steps, 2, 1e-5, between=(1, 10**6), whole=True)
    assert isinstance(most, int)
    assert steps(most).delta(2).upper <= 1e-5 < steps(most + 1).delta(2).lower


def test_one_gaussian_is_calibrated_as_its_closed_form():
    noise = calibrate(lambda sd: compose(Normal(0, sd)), 1, 1e-5, between=(0.1, 100))
    assert noise == pytest.approx(3.730631634816464, rel=1e-8)
    scale = calibrate(lambda b: compose(Laplace(0, b), 100), 2, 1e-5, between=(1, 1000))
    assert compose(Laplace(0, scale), 100).delta(2).upper <= 1e-5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: calibrate(run, 2, 1e-5, between=(5, 50)),
            "must allow one end .* it allows both ends",
        ),
        (lambda: calibrate(run, 2, 1e-5, between=(0.5, 0.6)), "it allows neither end"),
        (lambda: calibrate(run, -1, 1e-5, between=(0.5, 5)), "epsilon must be >= 0, got -1"),
        (lambda: calibrate(run, 2, 0, between=(0.5, 5)), r"delta must be in \(0, 1\), got 0"),
        (lambda: calibrate(3, 2, 0.1, between=(0.5, 5)), "make must be a function"),
        (
            lambda: calibrate(abs, 2, 0.1, between=(0.5, 5)),
            "make must return a Composition, got 0.5",
        ),
        (lambda: calibrate(run, 2, 0.1, between=3), "between must be a pair of numbers, got 3"),
        (lambda: calibrate(run, 2, 0.1, between=(0, 3)), "between must be > 0, got 0"),
        (lambda: calibrate(run, 2, 0.1, between=(1, 1)), "two different numbers"),
        (
            lambda: calibrate(run, 2, 0.1, between=(0.5, 5), whole=True),
            "must be integers when whole",
        ),
    ],
)
def test_a_wrong_calibration_is_one_clear_line(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("sd", "shift"), [(5, 1), (6.5, 3), (20, 40)])
def test_moments_of_wide_noise_are_those_of_its_atoms(sd, shift):
    loss = DiscreteGaussianLoss(Fraction(sd) ** 2, shift)
    assert loss.is_wide
    for c in (0.25, 1.0, 7.5):
        with ctx.workprec(128):
            _, weights, left_out = loss.atoms(c)
            by_atoms = (sum(weights, arb(0)) * (1 + left_out.union(arb(0)))).log()
            found = loss.cumulant(arb(c))
            assert found.overlaps(by_atoms)
            assert abs(float(found - by_atoms)) < 1e-25
        losses, logs = loss.rough(c)
        top = logs.max()
        assert loss.moments(c)[0] == pytest.approx(top + math.log(np.exp(logs - top).sum()))


@pytest.mark.parametrize("variance", [25, Fraction(261, 2), 900])
@pytest.mark.parametrize("share", [-3, 0, Fraction(1, 10), 1, 4])
def test_tail_of_a_normal_density_on_the_integers_is_its_sum(variance, share):
    sd = math.sqrt(variance)
    first = int(share * sd)
    tails = TailSums([(AtomicLoss(DiscreteGaussianLoss(Fraction(variance), 1)), 1)])
    with ctx.workprec(256):
        v = arb(variance.numerator) / variance.denominator
        terms = [(-(arb(first + i) ** 2) / (2 * v)).exp() for i in range(int(40 * sd))]
        truth = sum(terms, arb(0)) / (2 * arb.pi() * v).sqrt()
        found = tails._tail(first)
        assert found.overlaps(truth + arb(0, "1e-100"))
        assert float(found.rad()) < 1e-30 * float(truth)


@pytest.mark.parametrize(("shift", "times"), [(2, 2), (4, 1), (1, 8), (3, 7)])
@pytest.mark.parametrize("epsilon", [0.0, 0.03125, 0.25, 1.0, 1.03])
def test_wide_noise_at_a_loss_and_between_has_the_delta_of_the_lattice(shift, times, epsilon):
    """Variance 64: most losses are doubles, so that epsilon is one of them."""
    releases = Releases(
        [(AtomicLoss(DiscreteGaussianLoss(Fraction(64), shift)), times)], Fraction(0)
    )
    found = compose(DiscreteGaussian(0, 8), times, sensitivity=shift).delta(epsilon)
    with ctx.workprec(128):
        other = enclose_delta(releases, Fraction(epsilon), LatticeLine)
    assert found.method == TailSums.method
    assert found.width <= 2 * math.ulp(found.upper)
    assert other.lower <= found.upper
    assert found.lower <= other.upper


@pytest.mark.parametrize(("sd", "shift"), [(1e3, 1), (1e5, 1), (1e12, 10**11)])
def test_much_discrete_noise_is_sharp_and_next_to_the_normal(sd, shift):
    found = compose(DiscreteGaussian(0, sd), 10, sensitivity=shift).epsilon(1e-6)
    normal = compose(Normal(0, sd), 10, sensitivity=shift).epsilon(1e-6)
    assert found.width <= 2 * math.ulp(found.upper)
    assert abs(found.lower - normal.lower) <= normal.lower / sd


def test_wide_noise_far_out_in_its_tail_is_left_to_the_lattice():
    found = compose(DiscreteGaussian(0, 5), sensitivity=5).epsilon(9.5e-11)
    assert found.method == LatticeLine.method
    assert found.width < 1e-11


@pytest.mark.parametrize(
    ("sd", "times"), [(Fraction(1, 10), 1), (Fraction(1, 10), 2), (Fraction(1, 100), 1)]
)
@pytest.mark.parametrize("off", [-34, -1, 0, 1, 34])
def test_an_epsilon_next_to_a_loss_that_is_no_double_has_its_own_delta(sd, times, off):
    """The double next to it is the loss itself, where a large atom has no part in delta."""
    loss = Fraction(times, 2) / sd**2
    epsilon = loss + Fraction(off, 10**16)
    found = compose(DiscreteGaussian(0, sd), times).delta(epsilon)
    with ctx.workprec(20_000):
        v = arb(sd.numerator) ** 2 / sd.denominator**2
        weights = [(-arb(k * k) / (2 * v)).exp() for k in range(-3, 4)]
        power = arb_poly([w / sum(weights, arb(0)) for w in weights]) ** times
        truth = arb(0)
        for i in range(6 * times + 1):
            each = loss - Fraction(i - 3 * times) / sd**2
            if each > epsilon:
                gap = epsilon - each
                truth += power[i] * (1 - (arb(gap.numerator) / gap.denominator).exp())
        assert holds(found, truth)
