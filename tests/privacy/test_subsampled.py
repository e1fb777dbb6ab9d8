"""Composition of releases from Poisson samples: its intervals hold what is found by other formulas."""

import json
import math
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from flint import acb, arb, ctx

from dpbook.privacy import BoundedRange, PoissonSampled, WithoutReplacement, calibrate, compose
from dpbook.privacy.accounting.doubles import power_of_one_plus
from dpbook.privacy.accounting.line import Line, Releases, SharpLine
from dpbook.privacy.accounting.losses import LaplaceLoss
from dpbook.privacy.accounting.power_sums import power_sums
from dpbook.privacy.accounting.sampled import (
    ADD,
    REMOVE,
    Grid,
    SampledNormal,
    TwoReleases,
    _excess,
    _expm1_minus,
    _turn,
)
from dpbook.privacy.distributions import Laplace, Mixture, Normal, TruthOrNot

VALUES = json.loads((Path(__file__).parent / "sampled_values.json").read_text())


def holds(found, truth):
    return arb(found.lower) <= truth <= arb(found.upper)


@pytest.mark.parametrize("row", VALUES, ids=range(len(VALUES)))
def test_delta_holds_the_value_of_another_formula(row):
    noise = Normal(0, row["sigma"])
    found = compose(PoissonSampled(noise, row["rate"]), row["steps"]).delta(row["epsilon"])
    with ctx.workprec(200):
        truth = max((arb(row[way]) for way in ("remove", "add")), key=float)
        assert holds(found, truth)
        assert found.width < 1e-7 * float(truth)


@pytest.mark.parametrize("row", VALUES[:8], ids=range(len(VALUES[:8])))
def test_epsilon_is_where_the_other_formula_has_its_delta(row):
    composed = compose(PoissonSampled(Normal(0, row["sigma"]), row["rate"]), row["steps"])
    found = composed.epsilon(max(float(row["remove"]), float(row["add"])))
    assert abs(found.lower - row["epsilon"]) < 1e-8 * row["epsilon"]
    assert abs(found.upper - row["epsilon"]) < 1e-8 * row["epsilon"]


def normal_above(x):
    return (x / arb(2).sqrt()).erfc() / 2


@pytest.mark.parametrize(("rate", "sigma"), [(0.01, 1.0), (0.3, 0.7), (0.002, 4.0)])
def test_one_release_has_its_closed_form(rate, sigma):
    """Without powers, where the loss passes epsilon is one point."""
    for epsilon in (0.0, 0.001, 0.5 * rate / sigma):
        found = compose(PoissonSampled(Normal(0, sigma), rate)).delta(epsilon)
        with ctx.workprec(200):
            q, mu, factor = arb(rate), 1 / arb(sigma), arb(epsilon).exp()
            # removed: P > e^epsilon Q beyond x; added: Q > e^epsilon P below y
            x = ((factor - 1 + q) / q).log() / mu + mu / 2
            remove = (1 - q) * normal_above(x) + q * normal_above(x - mu) - factor * normal_above(x)
            add = arb(0)
            if 1 / factor > 1 - q:
                y = ((1 / factor - 1 + q) / q).log() / mu + mu / 2
                below, shifted = normal_above(-y), normal_above(mu - y)
                add = below - factor * ((1 - q) * below + q * shifted)
            truth = remove if remove > add else add
            assert holds(found, truth)
        assert found.width < 1e-6 * found.upper


@pytest.mark.parametrize(
    ("rate", "sigma", "steps", "delta", "digits"),
    [
        (0.01, 1, 1000, 1e-5, "1.8282366665"),
        (0.001, 0.8, 10_000, 1e-6, "0.9471956873"),
        (0.1, 2, 500, 1e-5, "5.5554682144"),
        (0.004, 0.6, 20_000, 1e-8, "16.325358998"),
    ],
)
def test_training_runs_have_ten_digits(rate, sigma, steps, delta, digits):
    found = compose(PoissonSampled(Normal(0, sigma), rate), steps).epsilon(delta)
    unit = 10.0 ** -len(digits.split(".")[1])
    assert float(digits) - unit < found.lower <= found.upper < float(digits) + unit
    assert found.width < 1e-9 * found.upper


@pytest.mark.parametrize("seed", range(20))
def test_a_sample_keeps_the_divergence_of_the_whole_up_to_a_factor(seed):
    """Both equalities of the pairs of a sample, on five outcomes."""
    rng = np.random.default_rng(seed)
    with_, without = rng.dirichlet(np.ones(5), 2)
    rate, epsilon = rng.uniform(), rng.exponential()

    def divergence(p, q, factor):
        return np.maximum(p - factor * q, 0).sum()

    sample, whole = rate * with_ + (1 - rate) * without, math.exp(epsilon)
    removed = divergence(sample, without, 1 + rate * (whole - 1))
    assert removed == pytest.approx(rate * divergence(with_, without, whole), abs=1e-15)
    fallen = rate + (1 - rate) * whole
    added = divergence(without, sample, whole / fallen)
    assert fallen * added == pytest.approx(rate * divergence(without, with_, whole), abs=1e-14)


# --- where large losses are rare --------------------------------------------------------------------


def two_releases(rate, sigma, x, direction):
    """Delta of two releases: the inner integral in closed form, the outer one by quadrature with 30 digits."""
    mp = mpmath.mp.clone()
    mp.dps = 30
    q, mu, factor = mp.mpf(rate), 1 / mp.mpf(sigma), mp.exp(x)

    def above(z):
        return mp.erfc(z / mp.sqrt(2)) / 2

    def inner(y):
        ratio = 1 - q + q * mp.exp(mu * y - mu * mu / 2)
        # the second ratio must be more (removed) or less (added) than this
        needed = factor / ratio if direction == REMOVE else 1 / (factor * ratio)
        if needed <= 1 - q:
            return (ratio - factor if direction == REMOVE else mp.mpf(0)) * mp.npdf(y)
        at = mp.log((needed - 1 + q) / q) / mu + mu / 2
        if direction == REMOVE:
            value = ratio * ((1 - q - needed) * above(at) + q * above(at - mu))
        else:
            value = above(-at) - ((1 - q) * above(-at) + q * above(mu - at)) / needed
        return value * mp.npdf(y)

    last = factor / (1 - q) if direction == REMOVE else 1 / (factor * (1 - q))
    points = {mp.mpf(-13), mp.mpf(0), mu, mu + 13}
    if last > 1 - q:
        end = mp.log((last - 1 + q) / q) / mu + mu / 2
        points |= {end, *(end - mp.mpf(2) ** -j for j in range(-3, 8))}
    return mp.quad(inner, sorted(p for p in points if -13 <= p <= mu + 13), maxdegree=9)


@pytest.mark.parametrize("direction", [REMOVE, ADD])
@pytest.mark.parametrize(
    ("rate", "sigma", "x"), [(0.3, 0.7, 0.5), (0.00024, 0.578, 0.003), (0.4, 5.0, 0.1)]
)
def test_two_releases_are_an_integral_of_one(rate, sigma, x, direction):
    truth = two_releases(rate, sigma, x, direction)
    with ctx.workprec(128):
        found = TwoReleases(SampledNormal(Fraction(rate), 1 / Fraction(sigma) ** 2, direction))
        value = found.delta(arb(x))
        assert abs(value - arb(mpmath.nstr(truth, 28))) < 1e-24
        assert value.rad() < 1e-24


@pytest.mark.parametrize("row", VALUES[:6], ids=range(len(VALUES[:6])))
@pytest.mark.parametrize("direction", [REMOVE, ADD])
@pytest.mark.parametrize("relative", [1e-6, 1e-10])
def test_the_sum_in_balls_holds_the_value_of_another_formula(row, direction, relative):
    loss = SampledNormal(Fraction(row["rate"]), 1 / Fraction(row["sigma"]) ** 2, direction)
    releases = Releases([(loss, row["steps"])], Fraction(0))
    x = row["epsilon"]
    with ctx.workprec(128):
        truth = arb(row["remove" if direction == REMOVE else "add"])
        saddle = releases.saddle_for_epsilon(x)
        line = SharpLine(releases, saddle, x, float(truth.log()), relative)
        assert line.known
        value = line.delta(arb(x))
        assert value.overlaps(truth)
        assert value.rad() < relative * truth.mid()


def test_the_sum_in_balls_lies_in_the_one_in_doubles_with_other_noise():
    loss = SampledNormal(Fraction(1, 1000), Fraction(1, 2), REMOVE)
    releases = Releases([(loss, 60)], Fraction(1, 400))
    with ctx.workprec(128):
        asked = releases, 20.0, 0.5, -20.0
        lines = Line(*asked), SharpLine(*asked, 1e-12)
        rough, sharp = (line.delta(arb(0.5)) for line in lines)
        assert rough.overlaps(sharp)
        assert sharp.rad() < 0.1 * rough.rad()


@pytest.mark.parametrize(
    ("rate", "sigma", "steps", "delta", "width"),
    [
        (0.00064456, 2.7245, 54, 1.561e-12, 1e-9),
        (0.00024306, 0.57766, 2, 6.245e-05, 1e-9),
        (0.0109368, 0.64950, 2, 5.229e-07, 1e-9),
        (0.00010347, 1.00717, 429, 1.546e-12, 1e-9),
        (0.00024747, 2.16272, 899, 7.939e-12, 1e-9),
        # few releases on a grid
        (0.00013308, 0.90608, 3, 5.196e-07, 3e-7),
        (0.00028202, 0.78353, 3, 4.473e-05, 3e-7),
        (0.0087317, 0.59281, 4, 9.064e-04, 3e-7),
        (0.00030718, 0.76850, 4, 8.055e-11, 3e-7),
        (0.00012945, 0.69825, 10, 2.135e-12, 3e-7),
    ],
)
def test_epsilon_is_narrow_where_large_losses_are_rare(rate, sigma, steps, delta, width):
    composed = compose(PoissonSampled(Normal(0, sigma), rate), steps)
    found = composed.epsilon(delta)
    assert found.width < width * max(found.upper, 1e-3)
    assert composed.delta(found.lower).upper >= delta >= composed.delta(found.upper).lower


def test_a_mixture_of_two_normals_is_a_sample():
    mixture = Mixture([Normal(0, 1), Normal(1, 1)], [0.99, 0.01])
    found = compose(mixture, 1000).epsilon(1e-5)
    assert found == compose(PoissonSampled(Normal(0, 1), 0.01), 1000).epsilon(1e-5)
    wide = Mixture([Normal(5, 2), Normal(1, 2)], [0.9, 0.1])
    assert compose(wide, 9).delta(1) == compose(PoissonSampled(Normal(0, 0.5), 0.1), 9).delta(1)


def test_a_rate_of_one_is_no_sample():
    assert compose(PoissonSampled(Normal(0, 3), 1), 7).delta(1) == compose(Normal(0, 3), 7).delta(1)
    nothing = compose(PoissonSampled(Normal(0, 3), 0.1), sensitivity=0).epsilon(0.1)
    assert nothing.upper == 0


def test_epsilon_is_0_where_delta_at_0_is_enough():
    composed = compose(PoissonSampled(Normal(0, 4), 0.001), 10)
    at_zero = composed.delta(0)
    found = composed.epsilon(2 * at_zero.upper)
    assert (found.lower, found.upper) == (0, 0)
    assert composed.epsilon(at_zero.lower / 2).lower > 0


@pytest.mark.parametrize(
    ("rate", "steps", "epsilon"), [(4.19e-3, 20_054, 6.58), (1.12e-4, 401_842, 7.82)]
)
@pytest.mark.parametrize("sigma", [1000, 5000, 10**6])
def test_much_noise_leaves_no_delta_where_the_saddle_has_no_moments(rate, steps, epsilon, sigma):
    found = compose(PoissonSampled(Normal(0, sigma), rate), steps).delta(epsilon)
    assert found.lower == 0 <= found.upper < 1e-300


def test_a_budget_between_little_noise_and_much_is_met():
    def run(noise):
        return compose(PoissonSampled(Normal(0, noise), 4.19e-3), 20_054)

    noise = calibrate(run, 6.58, 6.2e-9, between=(0.2, 5000))
    assert run(noise).delta(6.58).upper <= 6.2e-9 < run(noise * (1 - 1e-8)).delta(6.58).lower


def test_both_directions_are_enclosed():
    """Removing is dearer at a small delta; at epsilon = 0 they are one total variation distance."""
    composed = compose(PoissonSampled(Normal(0, 1), 0.05), 40)
    remove, add = composed._directions()
    with ctx.workprec(128):
        lines = [Line(each, each.saddle_for_epsilon(0.0), 0.0, -3.0) for each in (remove, add)]
        first, second = (line.delta(arb(0)) for line in lines)
        assert first.overlaps(second)
        assert first.rad() + second.rad() < 1e-10


def test_a_list_holds_less_than_its_parts_and_more_than_each():
    sampled, laplace = PoissonSampled(Normal(0, 1), 0.01), Laplace(0, 20)
    together = compose([sampled, laplace, Normal(0, 30)], [1000, 100, 10]).epsilon(1e-5)
    assert together.width < 1e-9
    parts = [
        compose(sampled, 1000).epsilon(5e-6),
        compose(laplace, 100).epsilon(4e-6),
        compose(Normal(0, 30), 10).epsilon(1e-6),
    ]
    assert max(each.upper for each in parts) < together.lower
    assert together.upper < sum(each.lower for each in parts)


def test_laplace_noise_as_a_factor_is_laplace_noise():
    """The list of normal and Laplace noise by both programs."""
    known = compose([Laplace(0, 20), Normal(0, 30)], [500, 500])
    releases = Releases([(LaplaceLoss(Fraction(1, 20)), 500)], Fraction(500, 900))
    with ctx.workprec(128):
        line = Line(releases, releases.saddle_for_epsilon(5.0), 5.0, -10.0)
        value = line.delta(arb(5))
    found = known.delta(5)
    assert arb(found.lower) <= value
    assert value <= arb(found.upper) or value.overlaps(arb(found.upper))
    assert value.rad() < 1e-9 * value.mid()


# the parts of the error bound


@pytest.mark.parametrize("direction", [REMOVE, ADD])
@pytest.mark.parametrize(
    ("rate", "sigma", "c", "t"), [(0.01, 1.0, 5.0, 9.0), (0.3, 0.6, 2.0, 30.0)]
)
def test_a_factor_is_within_its_bound_of_a_finer_sum(direction, rate, sigma, c, t):
    loss = SampledNormal(Fraction(rate), 1 / Fraction(sigma) ** 2, direction)
    with ctx.workprec(128):
        grid = Grid.choose(loss, c, t, 100)
        at = np.arange(8) * t / 7
        found, error = grid.excess(at)
    assert (error < 1e-12).all()
    x = np.arange(-14, 14 + 40 * c / sigma, 1 / 512).astype(np.longdouble)
    q, mu = np.longdouble(rate), 1 / np.longdouble(sigma)
    log = np.log(1 - q + q * np.exp(mu * x - mu * mu / 2))
    value = log if direction == REMOVE else -log
    weight = np.exp(-x * x / 2 + (np.longdouble(c) + (direction == REMOVE)) * value)
    weight /= weight.sum()
    for s, one in zip(at, found, strict=True):
        angle = np.longdouble(s) * (value - np.longdouble(grid.center))
        truth = complex(
            float((weight * (np.cos(angle) - 1)).sum()), float((weight * np.sin(angle)).sum())
        )
        assert abs(truth - one) < 1e-14 + error.max()
        beyond = np.longdouble(1.3) * s + 5
        modulus = abs(
            complex(*(float((weight * f(beyond * value)).sum()) for f in (np.cos, np.sin)))
        )
        if s <= t:
            with ctx.workprec(128):
                assert modulus <= float(grid.log_far(float(s)).exp()) * (1 + 1e-12)


@pytest.mark.parametrize(("scale", "turn"), [(1e-6, 1e-9), (0.02, 0.5), (3.0, 40.0)])
def test_the_compiled_sum_is_as_close_as_said(scale, turn):
    """Terms, tables of turns and the sum over them, against balls."""
    rng = np.random.default_rng(3)
    weights = rng.normal(size=40) + 1j * rng.normal(size=40)
    args, losses = scale * rng.exponential(size=40), turn * rng.normal(size=40)
    t = np.arange(57) * 0.37
    found = np.empty(t.size, dtype=complex)
    _excess(weights, args, losses, t, found)
    mass, spread = np.abs(weights).sum(), np.abs(weights) @ (args + np.abs(losses))
    error = 2.0**-53 * (64 * np.minimum(t * spread, 2 * mass) + 4 * t * spread) + 1e-290
    with ctx.workprec(160):
        for s, one, off in zip(t, found, error, strict=True):
            truth = sum(
                acb(w) * (acb(-arb(s) * a, arb(s) * x).exp() - 1)
                for w, a, x in zip(weights, args, losses, strict=True)
            )
            assert abs(acb(one) - truth) <= arb(off)


@pytest.mark.parametrize("bits", [60, 110])
@pytest.mark.parametrize("spin", [1e-3, 2.0])
def test_sums_of_powers_hold_the_plain_sums(bits, spin):
    rng = np.random.default_rng(4)
    size, rows, columns = 9, 7, 8
    weights = [acb(complex(*z)) / 16 for z in rng.normal(size=(size, 2))]
    angles = [acb(-0.1 * abs(x), spin * y) for x, y in rng.normal(size=(size, 2))]
    mass = sum(abs(complex(w)) for w in weights) * (1 + 1e-9)
    with ctx.workprec(bits):
        sums = power_sums(weights, angles, mass, rows, columns)
    with ctx.workprec(200):
        for m, one in enumerate(sums):
            truth = sum(w * (m * angle).exp() for w, angle in zip(weights, angles, strict=True))
            assert one.contains(truth)
            assert one.real.rad() < 2.0 ** (4 - bits)


def test_a_line_in_x_that_is_free_needs_fewer_nodes_for_the_same_sum():
    loss = SampledNormal(Fraction(1, 10_000), Fraction(1), REMOVE)
    with ctx.workprec(160):
        asked = loss, 18.0, 400.0, 50_000
        long, short = Grid.choose(*asked), Grid.choose(*asked, far=False)
        assert short.known
        assert short.size < long.size / 4
        for one, other in zip(
            long.ratios(arb(12.0), 6, 6)[:34], short.ratios(arb(12.0), 6, 6), strict=False
        ):
            assert one.overlaps(other)
            assert max(float(one.real.rad()), float(other.real.rad())) < 1e-18


def test_exponential_and_turn_are_as_close_as_said():
    u = 2.0**-53
    with ctx.workprec(160):
        for tau in [*np.linspace(0, 45, 1001), 1e-300, 0.3749999, 0.375, 1e5]:
            off = abs(arb(_expm1_minus(tau)) - (-arb(tau)).expm1())
            assert off <= 12 * u * min(1.0, tau) + 1e-320
        for y in [
            *np.linspace(-9, 9, 1001),
            1e-300,
            0.0,
            1e5,
            -1.6e7,
            12345678.9,
            math.pi,
            -math.pi / 2,
        ]:
            cosine, sine = _turn(y)
            allowed = 12 * u * min(1.0, abs(y)) + 1e-320
            true_sine, true_cosine = arb(y).sin_cos()
            assert abs(arb(cosine) - (true_cosine - 1)) <= allowed
            assert abs(arb(sine) - true_sine) <= allowed


def test_a_power_of_one_plus_is_within_its_bound():
    excess = np.array([1e-9 + 1e-9j, -0.01 + 0.1j, -0.5 - 0.2j, -1.0 + 0j])
    for k in (1, 2, 7, 1000, 10**6):
        found, error = power_of_one_plus(excess, np.zeros(4), k)
        for one, power, off in zip(excess, found, error, strict=True):
            with ctx.workprec(400):
                real, imag = arb(1), arb(0)
                for bit in bin(k)[2:]:
                    real, imag = real * real - imag * imag, 2 * real * imag
                    if bit == "1":
                        a, b = 1 + arb(one.real), arb(one.imag)
                        real, imag = real * a - imag * b, real * b + imag * a
                assert (real - power.real) ** 2 + (imag - power.imag) ** 2 <= arb(off) ** 2
    assert power_of_one_plus(excess[:1], np.zeros(1), 10**6)[1][0] < 1e-15


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: PoissonSampled(TruthOrNot(0, 1, 1), 0.1),
            "noise must be Normal, Laplace, TwoSidedGeometric or DiscreteGaussian, got Truth",
        ),
        (lambda: PoissonSampled(Normal(0, 1), 0), r"rate must be in \(0, 1\], got 0"),
        (lambda: PoissonSampled(Normal(0, 1), 1.5), r"rate must be in \(0, 1\], got 1.5"),
        (lambda: PoissonSampled(Normal(0, 1), math.nan), r"rate must be in \(0, 1\], got nan"),
        (lambda: PoissonSampled(Normal(0, 1), "a"), "rate must be a rational number or a float"),
        (
            lambda: compose(PoissonSampled(Normal(0, 1), 0.1)).epsilon(0),
            r"delta must be in \(0, 1\), got 0",
        ),
        (
            lambda: compose(Mixture([Normal(0, 1), Normal(1, 2)])),
            "a Mixture must be of two Normal of one sd",
        ),
    ],
)
def test_wrong_input_is_one_clear_line(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("rate", "sigma", "steps"),
    [(1e-4, 0.05, 10), (1e-9, 1e-3, 5), (0.5, 1e4, 10**12), (0.999, 0.1, 3)],
)
def test_hard_input_gives_an_interval_inside_what_is_sure(rate, sigma, steps):
    composed = compose(PoissonSampled(Normal(0, sigma), rate), steps)
    found = composed.epsilon(1e-6)
    assert 0 <= found.lower <= found.upper
    one = composed.delta(1)
    assert 0 <= one.lower <= one.upper <= 1


@pytest.mark.parametrize("order", [20.5, 40.25, 64.0])
def test_renyi_divergences_of_large_orders_are_known_between_integers(order):
    """g^order has two peaks there, far apart."""
    rate, mu = 0.01, 1.0
    found = compose(PoissonSampled(Normal(0, mu), rate), 10).renyi(order)
    with ctx.workprec(200):
        q = arb(rate)

        def moment(x, _):
            g = acb(1 - q) + q * (mu * x - acb(mu) ** 2 / 2).exp()
            return (order * g.log() - x * x / 2).exp()

        reach = order * mu + 30
        value = acb.integral(moment, acb(-30), acb(reach), rel_tol=arb(1e-25)).real
        truth = 10 * (value / (2 * arb.pi()).sqrt()).log() / (order - 1)
        assert arb(found.lower) <= truth + 1e-12
        assert truth - 1e-12 <= arb(found.upper)
    assert found.width < 0.01 * found.upper


@pytest.mark.parametrize(
    ("rate", "sd", "order", "truth"),
    [
        # by quadrature with 60 digits
        ("9/10", "1", "1000000000001/1000000000000", 0.40725773048687),
        ("9/10", "1", "1000001/1000000", 0.40725817149173427),
        ("9/10", "1", "101/100", 0.41167070071078115233),
        ("1/3", "1/2", "11/10", 0.43626620846489284),
    ],
)
def test_an_order_that_is_no_double_lies_between_two(rate, sd, order, truth):
    release = PoissonSampled(Normal(0, Fraction(sd)), Fraction(rate))
    found = compose(release).renyi(Fraction(order))
    assert found.lower <= truth * (1 + 1e-13)
    assert truth * (1 - 1e-13) <= found.upper


def test_a_larger_order_has_no_smaller_divergence():
    composed = compose(PoissonSampled(Normal(0, Fraction(1, 2)), Fraction(9, 10)))
    orders = [1 + Fraction(1, 10**k) for k in (20, 17, 15, 12, 9, 6, 3, 1)]
    found = [composed.renyi(order) for order in orders]
    least = 0.0
    for each in found:
        assert each.upper >= least
        least = max(least, each.lower)
    assert all(each.width < 1e-4 for each in found[3:])


def test_a_grid_whose_order_is_no_double_is_not_known():
    loss = SampledNormal(Fraction(9, 10), Fraction(1), REMOVE)
    with ctx.workprec(128):
        assert loss.cumulant(arb(2.0**-30)).is_finite()
        assert not loss.cumulant(arb(1e-12)).is_finite()


@pytest.mark.parametrize(
    ("release", "delta", "truth"),
    [
        (BoundedRange(1000), 0.05, 1000 + 2 * math.log(1 - math.sqrt(0.05))),
        (
            PoissonSampled(Laplace(0, Fraction(1, 1000)), Fraction(1, 10)),
            0.05,
            1000 - math.log(10) + 2 * math.log(1 - 0.5),
        ),
    ],
)
def test_a_large_loss_of_one_release_is_found(release, delta, truth):
    found = compose(release).epsilon(delta)
    assert found.width < 1e-9 * found.upper
    assert found.lower == pytest.approx(truth, abs=1e-6)


def test_neighbours_of_samples_are_named():
    one, other = PoissonSampled(Normal(0, 1), 0.01), WithoutReplacement(Normal(0, 2), 0.05)
    assert "one record that is added or removed. " in compose(one).describe()
    assert "one record that replaces another. " in compose(other).describe()
    assert "neighbours that are both" in compose([one, other]).describe()
    assert "Neighbours" not in compose(Normal(0, 1)).describe()


@pytest.mark.parametrize("order", [2**53, 10**16, 10**16 + 3, Fraction(10**40, 3), 1e299])
def test_a_large_order_is_enclosed(order):
    found = compose(Normal(0, 1)).renyi(order)
    assert found.lower <= Fraction(order) / 2 <= found.upper
    assert found.width <= 1e-15 * found.upper
    assert compose(Laplace(0, 1)).renyi(order).upper == pytest.approx(1.0)
