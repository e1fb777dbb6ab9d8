"""Profiles of two distributions against quadrature in balls, exact sums, and what must hold of any two distributions."""

import json
import math
import subprocess
import sys
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from flint import acb, arb, ctx
from hypothesis import given, settings
from hypothesis.strategies import floats, integers
from scipy.integrate import trapezoid
from sympy import Rational, Symbol

from dpbook.privacy import kernels
from dpbook.privacy.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Dirichlet,
    Exponential,
    Finite,
    Gamma,
    Laplace,
    Mixture,
    Normal,
)
from dpbook.privacy.profiles import Grid, _Betas, profile

INFINITY = math.inf
ORDERS = [0.01, 0.7, 0.999, 1.001, 7.0]
LEVELS = [0.0, 0.4, 2.0]
DIGITS = 3e-15  # 15 digits: half a unit of the 15th, six times

MIXED = Mixture([Normal(0, 1), Normal(3, 0.5), Normal(-2, 1)], [0.25, 0.25, 0.5])
OTHER = Mixture([Normal(0.5, 1), Normal(3.5, 1)])
PAIRS = [
    (Normal(1, 1), Normal(0, 1)),
    (Normal(0.01, 1), Normal(0, 1)),
    (Normal(1, 1), Normal(0, 2)),
    (Normal(1, 1), Normal(1, 1.01)),
    (Laplace(0, 1), Laplace(1, 1)),
    (Laplace(0, 1), Laplace(1.5, 1.25)),
    (Laplace(2, 0.5), Laplace(2, 1.25)),
    (Gamma(3, 2), Gamma(3, 1)),
    (Gamma(3, 1), Gamma(2, 3)),
    (Gamma(3, 3), Gamma(2, 1)),
    (Gamma(0.5, 1), Gamma(1.25, 1)),
    (Gamma(40.5, 10), Gamma(40, 10.25)),
    (Exponential(1), Exponential(1.5)),
    (Exponential(1), Gamma(2, 3)),
    (Beta(3, 2), Beta(2, 3)),
    (Beta(3, 2), Beta(2, 1)),
    (Beta(0.5, 2), Beta(1, 1)),
    (Beta(31, 20), Beta(30, 21)),
    (MIXED, Normal(0, 2)),
    (MIXED, OTHER),
    (Mixture([Normal(0, 1), Normal(2, 1)]), Normal(1, 1)),
]
BOTH_WAYS = [pair for P, Q in PAIRS for pair in ((P, Q), (Q, P))]


def close(got, wanted, digits=DIGITS):
    return got == pytest.approx(wanted, rel=digits, abs=0)


# --- the oracle: densities in balls, in a coordinate over the whole line; no code is shared ---


def log_density(distribution, t, analytic):
    if isinstance(distribution, Normal):
        m, s = acb(float(distribution.mean)), acb(float(distribution.sd))
        return -((t - m) ** 2) / (2 * s * s) - (s * (2 * acb.pi()).sqrt()).log()
    if isinstance(distribution, Laplace):
        m, s = acb(float(distribution.mean)), acb(float(distribution.scale))
        return -(t - m).real_abs(analytic=analytic) / s - (2 * s).log()
    if isinstance(distribution, (Gamma, Exponential)):
        a = acb(float(distribution.shape)) if isinstance(distribution, Gamma) else acb(1)
        b = acb(float(distribution.rate))
        return a * t - b * t.exp() + a * b.log() - a.lgamma()
    if isinstance(distribution, Beta):
        a, b = acb(float(distribution.a)), acb(float(distribution.b))
        spread = (1 + (-t).exp()).log(analytic=analytic)
        return -a * spread - b * (spread + t) + (a + b).lgamma() - a.lgamma() - b.lgamma()
    parts = zip(distribution.weights, distribution.distributions, strict=True)
    total = sum((acb(float(w)) * log_density(part, t, analytic).exp() for w, part in parts), acb(0))
    return total.log(analytic=analytic)


def frame(P):
    """Where the integrands live, and the scale on which they change."""
    if isinstance(P, Laplace):
        return -400.0, 400.0
    if isinstance(P, (Gamma, Exponential)):
        return -400.0, 7.0
    return (-400.0, 400.0) if isinstance(P, Beta) else (-60.0, 60.0)


def splits(P, Q, level):
    """Ends, kinks and crossings of a level, by a fine scan and bisection in balls."""
    low, high = frame(P)

    def over(t):
        return (log_density(P, acb(t), False) - log_density(Q, acb(t), False)).real - level

    kinks = [
        float(distribution.mean) for distribution in (P, Q) if isinstance(distribution, Laplace)
    ]
    scan = sorted({*np.linspace(low, high, 161), *np.linspace(-12, 6.9, 400), *kinks})
    roots = []
    signs = [over(float(t)) > 0 for t in scan]
    for a, b, before, after in zip(scan[:-1], scan[1:], signs[:-1], signs[1:], strict=True):
        if before != after:
            a, b = arb(float(a)), arb(float(b))
            for _ in range(90):
                middle = ((a + b) / 2).mid()
                a, b = (middle, b) if (over(middle) > 0) == before else (a, middle)
            roots.append(a)
    coarse = [arb(float(t)) for t in np.linspace(low, high, 9)]
    return sorted([*coarse, *(arb(k) for k in kinks), *roots], key=float)


def integral(function, ends):
    total = acb(0)
    for a, b in zip(ends[:-1], ends[1:], strict=True):
        if float(a) < float(b):
            total += acb.integral(function, acb(a), acb(b))
    return total.real


def exactly(quantity, P, Q, x=None):
    with ctx.workprec(140):
        if quantity == "delta":
            growth = acb(x).exp()
            ends = splits(P, Q, x)
            total = arb(0)
            for a, b in zip(ends[:-1], ends[1:], strict=True):
                middle = acb((a + b) / 2)
                if (log_density(P, middle, False) - log_density(Q, middle, False)).real > x:
                    total += integral(
                        lambda t, c: (
                            log_density(P, t, c).exp() - growth * log_density(Q, t, c).exp()
                        ),
                        [a, b],
                    )
            return total
        ends = splits(P, Q, 0.0)
        if quantity == "kl":
            return integral(
                lambda t, c: (
                    log_density(P, t, c).exp() * (log_density(P, t, c) - log_density(Q, t, c))
                ),
                ends,
            )
        nu = acb(x)
        total = integral(
            lambda t, c: (nu * log_density(P, t, c) + (1 - nu) * log_density(Q, t, c)).exp(), ends
        )
        return total.log() / (arb(x) - 1)


def named(pair):
    return f"{pair[0]} over {pair[1]}"


@pytest.mark.parametrize("pair", BOTH_WAYS, ids=named)
def test_kl_and_hellinger_are_their_integrals(pair):
    got = profile(*pair)
    assert close(got.kl, float(exactly("kl", *pair)))
    with ctx.workprec(140):
        affinity = (-exactly("renyi", *pair, 0.5) / 2).exp()
        wanted = float((1 - affinity).sqrt())
    assert close(got.hellinger, wanted)


@pytest.mark.parametrize("pair", BOTH_WAYS, ids=named)
def test_renyi_divergence_is_its_integral(pair):
    got = profile(*pair)
    finite = [order for order in ORDERS if got.renyi(order) < INFINITY]
    assert len(finite) >= 3
    for order in finite[
        :: 3 if any(isinstance(distribution, Mixture) for distribution in pair) else 1
    ]:
        assert close(got.renyi(order), float(exactly("renyi", *pair, order))), order


@pytest.mark.parametrize("pair", BOTH_WAYS, ids=named)
def test_delta_is_its_integral(pair):
    got = profile(*pair)
    assert close(got.total_variation, float(exactly("delta", *pair, 0.0)))
    mixed = any(isinstance(distribution, Mixture) for distribution in pair)  # slow to integrate
    for level in LEVELS[1:2] if mixed else LEVELS[1:]:
        if level >= got.max_log_ratio:
            assert got.delta(level) == 0
        elif got.delta(level) > 1e-25:  # the oracle has 42 digits
            assert close(got.delta(level), float(exactly("delta", *pair, level))), level


@pytest.mark.parametrize("pair", BOTH_WAYS, ids=named)
def test_epsilon_is_the_inverse_of_delta(pair):
    got = profile(*pair)
    for delta in (1e-9, 0.01):
        epsilon = got.epsilon(delta)
        if epsilon == 0:
            assert got.total_variation <= delta
        else:
            room = got.max_log_ratio - epsilon  # a rounding of epsilon counts against it
            assert got.delta(epsilon) == pytest.approx(
                delta, rel=max(1e-11, 1e-15 * epsilon / room) if room < INFINITY else 1e-11
            )
            assert got.delta(epsilon * (1 - 1e-6)) > delta
            assert epsilon <= got.max_log_ratio


@pytest.mark.parametrize("pair", BOTH_WAYS, ids=named)
def test_largest_log_ratio_bounds_the_orders_and_is_reached(pair):
    got = profile(*pair)
    assert got.renyi(INFINITY) == got.max_log_ratio
    low, high = frame(pair[0])
    at = [*np.linspace(low, high, 121), *np.linspace(-8, 6.5, 146)]
    ratios = [
        float((log_density(pair[0], acb(t), False) - log_density(pair[1], acb(t), False)).real)
        for t in at
    ]
    assert max(ratios) <= got.max_log_ratio + 1e-12
    if got.max_log_ratio < INFINITY:
        assert max(ratios) >= got.max_log_ratio - 0.2  # the scan is coarse
        assert got.renyi(1e6) == pytest.approx(got.max_log_ratio, abs=1e-4)
        assert got.renyi(1e6) <= got.max_log_ratio + 1e-12


@pytest.mark.parametrize("pair", [*BOTH_WAYS[:36:3], BOTH_WAYS[-1]], ids=named)
def test_trade_off_is_the_best_tangent_of_the_reversed_profile(pair):
    forth, back = profile(*pair), profile(*pair).reverse
    for alpha in (1e-6, 0.1, 0.5):
        missed = forth.trade_off(alpha)
        for level in (0.0, 0.1, 0.5, 2.0):
            assert missed >= 1 - back.delta(level) - math.exp(level) * alpha - 1e-13
            assert missed >= math.exp(-level) * (1 - alpha - forth.delta(level)) - 1e-13
        # the curve of the reversed pair is its inverse
        assert back.trade_off(missed) == pytest.approx(alpha, rel=1e-9)
    assert forth.trade_off(0) == 1
    assert forth.trade_off(1) == 0


# --- discrete distributions, in exact arithmetic ---


def chances(distribution, size):
    if isinstance(distribution, Finite):
        found = [Fraction(float(p)) for p in distribution.probabilities]
    else:
        n = int(distribution.n) if isinstance(distribution, Binomial) else 1
        p = Fraction(float(distribution.p))
        found = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    return found + [Fraction(0)] * (size - len(found))


DISCRETE = [
    (Bernoulli(0.75), Bernoulli(0.25)),
    (Bernoulli(0.5), Bernoulli(0.5 + 2**-30)),
    (Binomial(10, 0.25), Binomial(10, 0.375)),
    (Binomial(12, 0.25), Binomial(10, 0.375)),
    (Binomial(3, 0.5), Finite([0.25, 0.25, 0.25, 0.125, 0.125])),
    (Finite([0.5, 0.5, 0]), Finite([0.25, 0.25, 0.5])),
]


@pytest.mark.parametrize(
    "pair", [pair for P, Q in DISCRETE for pair in ((P, Q), (Q, P))], ids=named
)
def test_discrete_profiles_are_their_sums(pair):
    got = profile(*pair)
    rows = list(zip(chances(pair[0], 13), chances(pair[1], 13), strict=True))
    assert close(got.total_variation, float(sum(max(p - q, 0) for p, q in rows)))
    with ctx.workprec(300):

        def ball(x):
            return arb(x.numerator) / x.denominator

        growth = arb(0.4).exp()
        over = [ball(p) - growth * ball(q) for p, q in rows]
        wanted = sum((x for x in over if x > 0), arb(0))
        assert got.delta(0.4) == pytest.approx(float(wanted), rel=4e-15, abs=1e-300)
        single = any(p > 0 and q == 0 for p, q in rows)
        both = [(ball(p), ball(q)) for p, q in rows if p > 0 and q > 0]
        for nu in (0.01, 0.7, 1.001, 7.0):
            order = arb(nu)  # 1 - nu in floats would be another number
            powers = ((p.log() * order + q.log() * (1 - order)).exp() for p, q in both)
            value = float(sum(powers, arb(0)).log() / (order - 1))
            assert close(got.renyi(nu), INFINITY if single and nu > 1 else value, 1e-14)
        kl = sum((p * (p / q).log() for p, q in both), arb(0))
        assert close(got.kl, INFINITY if single else float(kl), 1e-14)
        most = max((float((p / q).log()) for p, q in both), default=0)
        assert close(got.max_log_ratio, INFINITY if single else most)
    for delta in (1e-9, 0.01, 0.2):
        epsilon = got.epsilon(delta)
        if 0 < epsilon < INFINITY:
            assert got.delta(epsilon) == pytest.approx(delta, rel=1e-9, abs=1e-15)
    for alpha in (0.01, 0.3, 0.8):
        tangents = [1 - got.reverse.delta(e) - math.exp(e) * alpha for e in np.linspace(0, 9, 91)]
        assert got.trade_off(alpha) >= max(tangents) - 1e-13


def test_randomised_response_has_its_textbook_profile():
    got = profile(Bernoulli(Rational(3, 4)), Bernoulli(Rational(1, 4)))
    assert close(got.max_log_ratio, math.log(3))
    assert close(got.delta(0.5), 0.75 - math.exp(0.5) * 0.25)
    assert close(got.trade_off(0.25), 0.25)


# --- far out ---


@pytest.mark.parametrize("distance", [0.003, 0.2, 1.0, 7.3, 40.0])
def test_normal_delta_at_many_levels_is_that_of_balls(distance):
    pair = profile(Normal(distance, 1), Normal(0, 1))._pair
    levels = np.append(np.linspace(0, 3 * distance**2 + 9 * distance, 97), [1e300, 300.0])
    for got, level in zip(pair.deltas(levels), levels, strict=True):
        assert close(got, pair.delta(float(level)), 2 * DIGITS), level


def test_normal_delta_keeps_its_digits_to_the_smallest_doubles():
    for distance in (1e-6, 0.03, 1.0, 20.0, 1e4):
        got = profile(Normal(distance, 1), Normal(0, 1))
        for above in (0.5, 5.0, 36.5):
            level = distance**2 / 2 + above * distance
            with ctx.workprec(4000):
                d, e, root = arb(distance), arb(level), arb(2).sqrt()
                wanted = ((e / d - d / 2) / root).erfc() / 2
                wanted -= e.exp() * ((e / d + d / 2) / root).erfc() / 2
            assert got.delta(level) == pytest.approx(float(wanted), rel=1e-13, abs=0)


def test_posteriors_of_exponential_records_have_the_known_values():
    # prior Gamma(1, 1), ten records with sums 10 and 12; T draws are one with T times the shape
    for draws, wanted in ((1, 0.216595), (5, 0.463685), (10, 0.618538), (50, 0.949794)):
        got = profile(Gamma(11 * draws, 11), Gamma(11 * draws, 13))
        assert got.total_variation == pytest.approx(wanted, abs=6e-7)


def test_extreme_parameters_are_right_or_refused():
    assert profile(Normal(0, 1e-150), Normal(0, 1e150)).kl == pytest.approx(690.2755, abs=1e-3)
    assert profile(Gamma(1e6 + 1, 1), Gamma(1e6, 1)).kl == pytest.approx(
        4.999999166667e-7, rel=1e-11
    )
    assert profile(Normal(0, 1), Normal(0, 1 + 2.0**-30)).kl == pytest.approx(2.0**-60, rel=1e-8)
    assert profile(Laplace(0, 1), Laplace(1e9, 1)).renyi(3) == pytest.approx(1e9, rel=1e-8)
    assert profile(Beta(1e-3, 1e-3), Beta(1e-3, 1)).reverse.max_log_ratio < INFINITY
    with pytest.raises(ValueError, match="n must be <= 100000"):
        profile(Binomial(10**6, 0.5), Binomial(10**6, 0.25))
    with pytest.raises(ValueError, match="sd must be a number that a double holds"):
        profile(Normal(0, Rational(1, 10**400)), Normal(0, 1))


@pytest.mark.parametrize(
    ("found", "truth"),
    [
        # values at 60 digits from the integrals
        (lambda: profile(Normal(0, 1e-7), Normal(0, 10)).renyi(0.3), 17.56070016943386),
        (lambda: profile(Normal(0, 10), Normal(0, 1e-5)).renyi(0.3), 5.666165279171614),
        (lambda: profile(Binomial(1000, 0.9), Binomial(1000, 0.1)).epsilon(0.5), 1757.310062308536),
        (lambda: profile(Gamma(2, 1), Gamma(2, 1e9)).trade_off(1e-20), 0.990894640422874),
        (lambda: profile(Laplace(0, 1), Laplace(1, 1)).renyi(1e308), 1.0),
    ],
)
def test_far_apart_distributions_keep_their_digits(found, truth):
    assert found() == pytest.approx(truth, rel=1e-11)


def test_every_crossing_of_mixtures_is_found():
    comb = Mixture([Normal(4 * i, 1) for i in range(4)])
    moved = Mixture([Normal(4 * i + 0.5, 1) for i in range(4)])
    pair = profile(comb, moved)._pair
    at = np.linspace(-20, 40, 60_001)
    for level in (-0.3, 0.0, 0.1):
        over = pair.log_ratio(at)[0] > level
        found = [end for one in pair.regions(level) for end in one if math.isfinite(end)]
        assert len(found) == np.count_nonzero(over[1:] != over[:-1])
    narrow = profile(Mixture([Normal(0, 1), Normal(1e-3, 1e-3)]), Normal(0, 1))
    assert len(narrow._pair.regions(0.0)) == 1
    assert narrow.total_variation == pytest.approx(0.5, abs=0.003)


# --- Dirichlet and grids ---


def test_dirichlet_distributions_that_differ_by_one_moved_count_are_beta_distributions():
    got, beta = (
        profile(Dirichlet([3, 3, 1.5]), Dirichlet([2, 4, 1.5])),
        profile(Beta(3, 3), Beta(2, 4)),
    )
    for name in ("kl", "hellinger", "total_variation", "max_log_ratio"):
        assert close(getattr(got, name), getattr(beta, name))
    assert got.delta(0.3) == beta.delta(0.3)
    assert got.trade_off(0.1) == beta.trade_off(0.1)
    known = profile(Dirichlet([3, 3, 1.5]), Dirichlet([2, 4, 1.5]))  # gamma = (2, 3, 1.5)
    assert known.total_variation == pytest.approx(0.34560, abs=1e-5)
    added = profile(Dirichlet([3, 3, 1.5]), Dirichlet([2, 3, 1.5]))
    assert close(added.delta(0.1), profile(Beta(3, 4.5), Beta(2, 4.5)).delta(0.1))


def test_other_dirichlet_distributions_have_no_delta():
    got = profile(Dirichlet([1, 2, 3]), Dirichlet([2, 3, 4]))
    assert got.kl > 0
    assert "total" not in repr(got)
    assert got.describe()
    with pytest.raises(
        ValueError, match="delta and tests of Dirichlet distributions are available where"
    ):
        got.delta(0.1)


def test_a_grid_is_the_trapezoid_rule():
    at = np.linspace(-14, 15, 5801)
    first, second = (np.exp(-((at - m) ** 2) / 2) / math.sqrt(math.tau) for m in (0, 1))
    got, exact = profile(Grid(at, first), Grid(at, second)), profile(Normal(0, 1), Normal(1, 1))
    assert close(got.kl, exact.kl, 1e-13)  # smooth, and nothing at the ends
    assert close(got.renyi(3), exact.renyi(3), 1e-12)
    kinked = trapezoid(np.maximum(first - math.e * second, 0), at)
    assert got.delta(1) == pytest.approx(kinked, rel=1e-13)
    assert got.delta(1) == pytest.approx(exact.delta(1), rel=1e-5)
    for points, density, words in (
        ([0, 1], [1, -1], "density must be finite and >= 0"),
        ([0, 0], [1, 1], "points must be finite and increase"),
        ([0, 1], [1, 2], "density must integrate to 1"),
        ([0, 1], [1, 1, 1], "points and density must have one shape"),
    ):
        with pytest.raises(ValueError, match=words):
            Grid(points, density)
    with pytest.raises(ValueError, match="same points"):
        profile(Grid([0, 1], [1, 1]), Grid([0, 0.5], [2, 2]))


# --- what must hold of any two distributions ---


@settings(max_examples=60, deadline=None)
@given(kind=integers(0, 4), a=floats(0.2, 9), b=floats(0.2, 9), c=floats(0.2, 9), d=floats(0.2, 9))
def test_the_divergences_obey_their_inequalities(kind, a, b, c, d):
    made = (Normal, Laplace, Gamma, Beta, lambda x, y: Bernoulli(x / 10))[kind]
    got = profile(made(a, b), made(c, d))
    tv, hellinger = got.total_variation, got.hellinger
    slack = 1e-12
    assert hellinger**2 <= tv + slack
    assert tv <= hellinger * math.sqrt(2 - hellinger**2) + slack
    assert tv <= math.sqrt(got.kl / 2) + slack
    orders = got.renyi([0.1, 0.5, 0.9, 1.0, 1.1, 2.0, INFINITY])
    assert (np.diff(orders[np.isfinite(orders)]) >= -slack * (1 + got.kl)).all()
    assert got.renyi(0.25) == pytest.approx(got.reverse.renyi(0.75) / 3, rel=1e-12, abs=1e-300)
    assert tv == pytest.approx(got.reverse.total_variation, rel=1e-11, abs=1e-14)
    assert got.delta(0.5) <= tv + slack


@pytest.mark.parametrize(
    "distribution",
    [
        Gamma(2, 3),
        Beta(2, 3),
        Normal(0, 1),
        Laplace(0, 1),
        Bernoulli(0.5),
        Dirichlet([1, 2]),
        MIXED,
    ],
)
def test_a_distribution_over_itself_is_nothing(distribution):
    got = profile(distribution, distribution)
    assert (got.kl, got.total_variation, got.hellinger, got.max_log_ratio) == (0, 0, 0, 0)
    assert got.renyi([0.3, 1, 4, INFINITY]).tolist() == [0, 0, 0, 0]
    assert got.delta([0.0, 1.0]).tolist() == [0, 0]
    assert got.epsilon(1e-9) == 0
    assert got.trade_off(0.25) == 0.75


# --- the face ---


def test_a_profile_shows_and_describes_itself():
    got = profile(Normal(1, 1), Normal(0, 1))
    assert repr(got) == (
        "Profile(Normal(1, 1) over Normal(0, 1): kl=0.5, total_variation=0.382925, "
        "hellinger=0.342787, max_log_ratio=inf)"
    )
    assert "<caption>Normal(1, 1) over Normal(0, 1)</caption>" in got._repr_html_()
    assert "Delta falls from 0.3829" in got.describe()
    assert got.plot().get_xlabel() == "epsilon"
    assert got.reverse == profile(Normal(0, 1), Normal(1, 1))
    assert got == profile(Normal(1, 1), Normal(0, 1))


def test_arrays_keep_their_shape_and_their_values():
    got = profile(Normal(1, 1), Normal(0, 1))
    levels = np.array([[0.0, 0.5], [1.0, 6.0]])
    assert got.delta(levels).shape == (2, 2)
    assert got.delta(levels).tolist() == [[got.delta(float(x)) for x in row] for row in levels]
    assert isinstance(got.delta(0.5), float)


def test_bad_input_is_refused():
    got = profile(Normal(1, 1), Normal(0, 1))
    for call, bad, words in (
        (got.delta, (-0.1, math.nan, INFINITY, "a"), "epsilon must be finite and >= 0"),
        (got.epsilon, (1, -1, math.nan), r"delta must be in \[0, 1\)"),
        (got.renyi, (0, -1, math.nan), "order must be > 0"),
        (got.trade_off, (-0.1, 1.1, math.nan), r"alpha must be in \[0, 1\]"),
    ):
        for value in bad:
            with pytest.raises(ValueError, match=words):
                call(value)
    with pytest.raises(ValueError, match="P must have numbers for parameters, got mu_1"):
        profile(Normal(Symbol("mu_1"), 1), Normal(0, 1))
    with pytest.raises(ValueError, match="Q must be a distribution, got 3"):
        profile(Normal(0, 1), 3)
    with pytest.raises(ValueError, match="distributions of one family"):
        profile(Normal(0, 1), Laplace(0, 1))
    with pytest.raises(ValueError, match="same number of cells"):
        profile(Dirichlet([1, 2]), Dirichlet([1, 2, 3]))


@pytest.mark.parametrize(
    ("kernel", "arguments"),
    [
        (kernels.normal_renyi, (0.0, 1.0, 1.0, 2.0, 0.3)),
        (kernels.normal_renyi, (0.0, 1.0, 1.0, 2.0, 1.7)),
        (kernels.laplace_renyi, (0.0, 1.0, 1.0, 2.0, 0.3)),
        (kernels.laplace_renyi, (0.0, 1.0, 5.0, 2.0, 1.7)),
        (kernels.rate_renyi, (1.0, 1.5, -0.5, 0.7)),
    ],
)
def test_kernels_run_the_same_in_plain_python(kernel, arguments):
    assert kernel(*arguments) == pytest.approx(kernel.py_func(*arguments), rel=1e-15)


def test_importing_profiles_leaves_scipy_stats_alone():
    code = (
        "import sys, json, dpbook.privacy.profiles; print(json.dumps('scipy.stats' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) is False


@pytest.mark.parametrize(("a", "b"), [(1, 2), (1, 401), (30, 21), (2.5, 1.25), (7, 300)])
def test_one_success_more_has_a_closed_form(a, b):
    """Total variation of Beta(a, b) and Beta(a + 1, b - 1), beside the difference of two masses."""
    for P, Q in ((Beta(a, b), Beta(a + 1, b - 1)), (Beta(a + 1, b - 1), Beta(a, b))):
        pair = _Betas(P, Q)
        regions = pair.regions(0.0)
        by_masses = kernels.settled(partial(super(_Betas, pair)._excess, 0.0, regions))
        assert close(pair.delta(0.0), by_masses)
