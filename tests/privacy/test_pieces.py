"""Sampled Laplace noise and samples without replacement, beside other formulas.

The truth is the sum of Davies (1973) on the real line (`by_davies`) for many releases, and for few the integral of the closed
form of one release; characteristic functions and moments come from other integrals than the package's.
"""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import acb, arb, ctx

from dpbook.privacy import Laplace, Normal, PoissonSampled, WithoutReplacement, compose
from dpbook.privacy.accounting.pieces import (
    PieceNodes,
    SampledLaplace,
    WithoutReplacementNormal,
    _decay,
    _rule,
)
from dpbook.privacy.accounting.sampled import ADD, REMOVE

MP = mpmath.mp.clone()
MP.dps = 30

LAPLACE = [(0.1, 0.5), (0.01, 1.0), (0.4, 2.5)]  # rate, sensitivity / scale
NORMAL = [(0.1, 0.25), (0.004, 1.5), (0.5, 0.7)]  # rate, sensitivity / sd


def laplace_profile(rate, e, direction):
    """Delta of one release at each epsilon, negative ones too, by the interval where the density ratio is above."""
    q = MP.mpf(rate)

    def below(x):  # the mass of Laplace noise around 0 below x
        return MP.exp(x) / 2 if x < 0 else 1 - MP.exp(-x) / 2

    def delta(x):
        factor = MP.exp(x)
        # the ratio of the noise, y, must be above this (removed) or below it (added)
        needed = ((factor if direction == REMOVE else 1 / factor) - 1 + q) / q
        # the ratio at an output x is e^(2x - e), kept in [-e, e]
        if direction == REMOVE:
            if needed >= MP.exp(e):
                return MP.mpf(0)
            if needed <= MP.exp(-e):
                return 1 - factor
            at = (MP.log(needed) + e) / 2
            p, r = 1 - below(at - e), 1 - below(at)
            return q * p + (1 - q) * r - factor * r
        if needed <= MP.exp(-e):
            return MP.mpf(0)
        if needed >= MP.exp(e):
            return 1 - factor
        at = (MP.log(needed) + e) / 2
        p, r = below(at - e), below(at)
        return r - factor * (q * p + (1 - q) * r)

    low, high = MP.log(1 - q + q * MP.exp(-e)), MP.log(1 - q + q * MP.exp(e))
    return delta, sorted([low, high] if direction == REMOVE else [-low, -high])


def normal_profile(rate, mu):
    """Delta of one release without replacement: two divergences, at factors above and below 1."""
    q, mu = MP.mpf(rate), MP.mpf(mu)

    def above(x):
        return MP.erfc(x / MP.sqrt(2)) / 2

    def delta(x):
        factor = MP.exp(x)
        if x >= 0:
            at = MP.log((factor - 1 + q) / q) / mu + mu / 2
            return q * above(at - mu) + (1 - q - factor) * above(at)
        # P - factor ((1 - q) P + q Q) > 0 where P / Q > factor q / (1 - factor (1 - q))
        at = MP.log(factor * q / (1 - factor * (1 - q))) / mu + mu / 2
        return (1 - factor * (1 - q)) * above(at - mu) - factor * q * above(at)

    return delta


def moment(delta, c, points):
    """E e^(cL), from delta: its integral against c (c + 1) e^(cx)."""
    return c * (c + 1) * MP.quad(lambda x: MP.exp(c * x) * delta(x), points, maxdegree=8)


@pytest.mark.parametrize("direction", [REMOVE, ADD])
@pytest.mark.parametrize(("rate", "e"), LAPLACE)
@pytest.mark.parametrize("c", [0.5, 7.0])
def test_moments_of_sampled_laplace_noise_are_those_of_its_profile(rate, e, direction, c):
    delta, (low, high) = laplace_profile(rate, e, direction)
    # below the least loss delta is 1 - e^x, whose integral is known
    rest = MP.exp(c * low) / c - MP.exp((c + 1) * low) / (c + 1)
    truth = moment(delta, c, [low, 0, high]) + c * (c + 1) * rest
    with ctx.workprec(128):
        found = SampledLaplace(Fraction(rate), Fraction(e), direction).cumulant(arb(c))
        assert found.overlaps(arb(mpmath.nstr(MP.log(truth), 26)) + arb(0, 1e-20))
        assert found.rad() < 1e-17


@pytest.mark.parametrize(("rate", "mu"), NORMAL)
@pytest.mark.parametrize("c", [0.5, 7.0])
def test_moments_of_a_sample_without_replacement_are_those_of_both_divergences(rate, mu, c):
    delta = normal_profile(rate, mu)
    points = [-120, -40, -10, -3, -1, -0.1, 0, 0.05, 0.2, 0.5, 1, 2, 4, 8, 16, 32]
    truth = moment(delta, c, points)
    with ctx.workprec(128):
        mu_squared = Fraction(mu) ** 2
        found = WithoutReplacementNormal(Fraction(rate), mu_squared).cumulant(arb(c))
        assert found.overlaps(arb(mpmath.nstr(MP.log(truth), 24)) + arb(0, 1e-13))
        assert found.rad() < 1e-17


def transform(kind, z):
    """E_P e^(zL) of one release, by adaptive integration in balls over the losses' outputs."""

    def integral(f, points):
        return sum(
            (acb.integral(f, a, b) for a, b in zip(points, points[1:], strict=False)), acb(0)
        )

    if isinstance(kind, SampledLaplace):
        q, e = arb(kind.rate.numerator) / kind.rate.denominator, arb(float(kind.loss))
        u = z + 1 if kind.direction == REMOVE else -z
        ends = [((1 - q + q * (s * e).exp()).log() * u).exp() for s in (-1, 1)]

        def density(x, _):
            return (-x).exp() / 2 * ((1 - q + q * (2 * x - e).exp()).log() * u).exp()

        return ends[0] / 2 + ends[1] * (-e).exp() / 2 + integral(density, [acb(0), acb(e)])
    q, mu = arb(kind.rate.numerator) / kind.rate.denominator, arb(math.sqrt(kind.mu_squared))

    def density(x, _):
        log = (1 - q + q * (mu * x - mu * mu / 2).exp()).log()
        bell = (-x * x / 2).exp() / (2 * arb.pi()).sqrt()
        return bell * (((z + 1) * log).exp() + (-z * log).exp())

    none = (1 - q) * (1 - (mu / 2 / arb(2).sqrt()).erfc())
    return none + integral(density, [acb(mu / 2), acb(4), acb(16)])


def by_davies(kind, times, x, period, nodes):
    """Delta of many releases: Pr(L > x) - e^x Pr(L > x) under the other distribution, on the real line."""
    step = 2 * arb.pi() / period
    tails = []
    for start in (acb(0), acb(-1)):  # under Q the transform is that at z - 1
        total = arb(1) / 2
        for k in range(nodes):
            t = step * (2 * k + 1) / 2
            value = transform(kind, start + acb(0, t)) ** times * acb(0, -t * x).exp()
            total += value.imag / (arb.pi() * (2 * k + 1) / 2)
        tails.append(total)
    return tails[0] - arb(x).exp() * tails[1]


@pytest.mark.parametrize(
    ("make", "kinds", "times", "sensitivity", "x", "period", "nodes"),
    [
        (
            lambda: PoissonSampled(Laplace(0, 2), 0.25),
            [SampledLaplace(Fraction(1, 4), Fraction(1, 2), way) for way in (REMOVE, ADD)],
            200,
            1,
            3.0,
            40,
            220,
        ),
        (
            lambda: WithoutReplacement(Normal(0, 4), 0.25),
            [WithoutReplacementNormal(Fraction(1, 4), Fraction(1, 16))],
            100,
            1,
            2.0,
            24,
            160,
        ),
    ],
)
def test_many_releases_have_the_delta_of_another_formula(
    make, kinds, times, sensitivity, x, period, nodes
):
    found = compose(make(), times, sensitivity=sensitivity).delta(x)
    with ctx.workprec(100):
        truth = max(float(by_davies(kind, times, x, period, nodes).mid()) for kind in kinds)
    assert found.lower * (1 - 1e-9) <= truth <= found.upper * (1 + 1e-9)
    assert found.width < 1e-9 * found.upper


@pytest.mark.parametrize("direction", [REMOVE, ADD])
def test_one_release_of_laplace_noise_has_the_closed_form(direction):
    for rate, e in LAPLACE:
        delta, _ = laplace_profile(rate, e, direction)
        other, _ = laplace_profile(rate, e, ADD if direction == REMOVE else REMOVE)
        for x in (0.0, 0.02, 0.3):
            truth = max(delta(x), other(x))
            found = compose(PoissonSampled(Laplace(0, 1), rate), sensitivity=e).delta(x)
            assert found.lower <= float(truth) * (1 + 1e-15)
            assert found.upper >= float(truth) * (1 - 1e-15)
            assert found.width <= 1e-15 * found.upper


def test_two_releases_of_laplace_noise_are_an_integral_of_one():
    rate, e, x = 0.25, 1.0, 0.4
    values = []
    for direction in (REMOVE, ADD):
        delta, _ = laplace_profile(rate, e, direction)
        q, sign = MP.mpf(rate), 1 if direction == REMOVE else -1

        def after(loss, delta=delta, q=q, sign=sign):
            g = 1 - q + q * MP.exp(loss)
            weight = g if sign > 0 else MP.mpf(1)
            return weight * delta(x - sign * MP.log(g))

        # where the second loss reaches its ends the integrand has a kink
        points = sorted({MP.mpf(k) / 16 for k in range(17)})
        between = MP.quad(
            lambda y, after=after: MP.exp(-y) / 2 * after(2 * y - e), points, maxdegree=8
        )
        values.append(after(-e) / 2 + after(e) * MP.exp(-e) / 2 + between)
    found = compose(PoissonSampled(Laplace(0, 1), rate), 2).delta(x)
    assert found.lower <= float(max(values)) * (1 + 1e-7)
    assert found.upper >= float(max(values)) * (1 - 1e-7)
    assert found.width < 1e-3 * found.upper


def test_two_releases_without_replacement_are_an_integral_of_one():
    rate, mu, x = 0.25, 1.0, 0.4
    delta, q = normal_profile(rate, mu), MP.mpf(rate)
    none = (1 - q) * (1 - MP.erfc(MP.mpf(mu) / 2 / MP.sqrt(2)))

    def between(y):
        g = 1 - q + q * MP.exp(mu * y - MP.mpf(mu) ** 2 / 2)
        log = MP.log(g)
        return MP.npdf(y) * (g * delta(x - log) + delta(x + log))

    kink = MP.log((MP.exp(x) - 1 + q) / q) / mu + MP.mpf(mu) / 2  # where x - log g is 0
    truth = none * delta(x) + MP.quad(between, [mu / 2, kink, 4, 8, 16], maxdegree=8)
    found = compose(WithoutReplacement(Normal(0, 1), rate), 2).delta(x)
    assert found.lower <= float(truth) * (1 + 1e-12)
    assert found.upper >= float(truth) * (1 - 1e-12)
    assert found.width < 1e-2 * found.upper


@pytest.mark.parametrize(
    "kind",
    [
        SampledLaplace(Fraction(1, 10), Fraction(3, 2), REMOVE),
        SampledLaplace(Fraction(1, 10), Fraction(3, 2), ADD),
        WithoutReplacementNormal(Fraction(1, 5), Fraction(1, 2)),
    ],
)
def test_a_factor_is_within_its_bounds(kind):
    c, last = 3.0, 60.0
    at = np.array([0.0, 2.0, 11.0, last])
    with ctx.workprec(128):
        nodes = PieceNodes(kind, c, last, 10)
        found, error = nodes.excess(at)
        assert (error < 1e-12).all()
        whole = transform(kind, acb(c))
        for t, one, off in zip(at, found, error, strict=True):
            ratio = transform(kind, acb(c, t)) / whole
            truth = ratio * acb(0, -t * nodes.center).exp() - 1
            assert abs(complex(float(truth.real), float(truth.imag)) - one) <= off + 1e-15
            if t:
                assert float(abs(ratio)) <= math.exp(_decay(kind, c).log_far(float(t)))


def test_a_substitution_costs_at_least_a_removal_and_a_list_takes_it():
    poisson = compose(PoissonSampled(Normal(0, 2), 0.1), 200)
    fixed = compose(WithoutReplacement(Normal(0, 2), 0.1), 200)
    assert fixed.epsilon(1e-5).lower > poisson.epsilon(1e-5).upper
    assert not fixed.attained
    assert "privacy:subsampling-replaced-record" in fixed.claims
    both = compose([WithoutReplacement(Normal(0, 2), 0.1), Normal(0, 20)], [200, 10])
    assert both.epsilon(1e-5).lower > fixed.epsilon(1e-5).upper
    assert both.epsilon(1e-5).width < 1e-9


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: WithoutReplacement(Laplace(0, 1), 0.1), "noise must be Normal, got Laplace"),
        (lambda: WithoutReplacement(Normal(0, 1), 2), r"rate must be in \(0, 1\], got 2"),
    ],
)
def test_wrong_input_is_one_clear_line(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("seed", range(12))
def test_no_bound_of_a_panel_or_of_the_decay_is_below_the_truth(seed):
    """Drawn at random, sharp rates and sizes among them: the bounds are in balls, so none may fail."""
    rng = np.random.default_rng(seed)
    rate = Fraction(float(rng.choice([1e-6, 0.01, 0.5, 0.99, 1 - 1e-9])))
    size = Fraction(float(10 ** rng.uniform(-2, 0.8)))
    c = float(10 ** rng.uniform(-1, 1.2))
    for kind in (
        SampledLaplace(rate, size, REMOVE),
        SampledLaplace(rate, size, ADD),
        WithoutReplacementNormal(rate, size**2),
    ):
        with ctx.workprec(128):
            low, high = kind._range(c, 20.0)
            a, b, k = kind._g
            for t in (0.0, float(10 ** rng.uniform(0, 2.5))):
                share = arb(float(rng.uniform(0, 0.9)))
                h = (high - low) * arb(float(rng.uniform(0.02, 0.3)))
                m = low + (high - low) * share + h
                for sign, u in kind.powers(c):
                    for rho in (1.3, 2.0, 5.0):
                        bound = kind.error(m, h, u, t, rho)

                        def term(x, _, u=u, turn=sign * t, kind=kind, parts=(a, b, k)):
                            log = (parts[0] + parts[1] * (parts[2] * x).exp()).log()
                            weight = kind._weight(x)
                            return weight * ((acb(u) + acb(0, turn)) * log).exp()

                        truth = acb.integral(term, acb(m - h), acb(m + h))
                        rule = sum(
                            (w * h * term(acb(m + h * x), None) for x, w in _rule(128)), acb(0)
                        )
                        assert not abs(rule - truth) > bound
            decay = _decay(kind, c)
            whole = transform(kind, acb(c))
            for t in 10 ** rng.uniform(-1, 2.5, 4) if decay.known else ():
                ratio = abs(transform(kind, acb(c, float(t))) / whole)
                assert not ratio > decay.bound(float(t)).exp()
                assert abs(float(decay.bound(float(t))) - decay.log_far(float(t))) < 1e-5


def test_the_argument_of_g_is_bounded_where_it_is_larger_than_its_sine():
    """With a = 0 the argument in an ellipse is theta, the ratio of its parts tan(theta): not sin(theta)."""
    kind = SampledLaplace(1 - Fraction(1, 10**12), Fraction(3), REMOVE)
    with ctx.workprec(128):
        m, h, rho, t = arb(2), arb(1) / 4, 2.0, 200.0
        a, b, k = kind._g
        high = h * (arb(rho) - 1 / arb(rho)) / 2
        corner = acb(m, high)  # the top of the ellipse
        argument = (a + b * (k * corner).exp()).log().imag
        assert argument > (k * high).sin() * (1 + 1e-3)
        # so f is larger there than with the sine
        one = 8 * h / (arb(rho) ** 63 * (arb(rho) - 1)) * kind._most(m, high * 0, high)
        assert kind.error(m, h, arb(0), t, rho) > one * (t * argument).exp()
