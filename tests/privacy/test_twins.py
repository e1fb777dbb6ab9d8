"""Profiles against the compiled claims, at 50 digits: what runs is what was proved."""

import math

import numpy as np
import pytest
from scipy.special import betaln

from dpbook import compiled
from dpbook.engine.claims import catalog
from dpbook.privacy import kernels
from dpbook.privacy import notation as s
from dpbook.privacy.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Exponential,
    Gamma,
    Laplace,
    Normal,
)
from dpbook.privacy.profiles import profile

SEED = 20
TWINS = {
    "privacy:renyi-normal": (
        (s.mu_1, s.sigma_1, s.mu_2, s.sigma_2, s.nu),
        lambda m, a, n, b, o: profile(Normal(m, a), Normal(n, b)).renyi(o),
    ),
    "privacy:renyi-normal-low-order": (
        (s.mu_1, s.sigma_1, s.mu_2, s.sigma_2, s.low_order),
        lambda m, a, n, b, o: profile(Normal(m, a), Normal(n, b)).renyi(o),
    ),
    "privacy:kl-normal": (
        (s.mu_1, s.sigma_1, s.mu_2, s.sigma_2),
        lambda m, a, n, b: profile(Normal(m, a), Normal(n, b)).kl,
    ),
    "privacy:affinity-normal": (
        (s.mu_1, s.sigma_1, s.mu_2, s.sigma_2),
        lambda m, a, n, b: 1 - profile(Normal(m, a), Normal(n, b)).hellinger ** 2,
    ),
    "privacy:hockey-stick-normal": (
        (s.distance, s.epsilon),
        lambda d, e: profile(Normal(d, 1), Normal(0, 1)).delta(e),
    ),
    "privacy:total-variation-normal": (
        (s.distance,),
        lambda d: profile(Normal(d, 1), Normal(0, 1)).total_variation,
    ),
    "privacy:log-ratio-normal-attained": (
        (s.mu_1, s.sigma_1, s.mu_2, s.sigma_2),
        lambda m, a, n, b: profile(Normal(m, a), Normal(n, b)).max_log_ratio,
    ),
    "privacy:log-ratio-laplace-scales": (
        (s.scale, s.mean_distance, s.other_scale),
        lambda b, d, c: profile(Laplace(0, b), Laplace(d, c)).max_log_ratio,
    ),
    "privacy:renyi-laplace": (
        (s.scale, s.mean_distance, s.nu),
        lambda b, d, o: profile(Laplace(0, b), Laplace(d, b)).renyi(o),
    ),
    "privacy:kl-laplace": (
        (s.scale, s.mean_distance, s.other_scale),
        lambda b, d, c: profile(Laplace(0, b), Laplace(d, c)).kl,
    ),
    "privacy:affinity-laplace": (
        (s.scale, s.mean_distance),
        lambda b, d: 1 - profile(Laplace(0, b), Laplace(d, b)).hellinger ** 2,
    ),
    "privacy:hockey-stick-laplace": (
        (s.scale, s.mean_distance, s.epsilon),
        lambda b, d, e: profile(Laplace(0, b), Laplace(d, b)).delta(e),
    ),
    "privacy:total-variation-laplace": (
        (s.scale, s.mean_distance),
        lambda b, d: profile(Laplace(0, b), Laplace(d, b)).total_variation,
    ),
    "privacy:log-ratio-laplace": (
        (s.scale, s.mean_distance),
        lambda b, d: profile(Laplace(0, b), Laplace(d, b)).max_log_ratio,
    ),
    "privacy:renyi-gamma": (
        (s.shape, s.rate, s.other_shape, s.other_rate, s.order),
        lambda a, r, b, q, o: profile(Gamma(a, r), Gamma(b, q)).renyi(o),
    ),
    "privacy:kl-gamma": (
        (s.shape, s.rate, s.other_shape, s.other_rate),
        lambda a, r, b, q: profile(Gamma(a, r), Gamma(b, q)).kl,
    ),
    "privacy:affinity-gamma": (
        (s.shape, s.rate, s.other_rate),
        lambda a, r, q: 1 - profile(Gamma(a, r), Gamma(a, q)).hellinger ** 2,
    ),
    "privacy:hockey-stick-gamma": (
        (s.shape, s.rate_ratio, s.epsilon),
        lambda a, w, e: profile(Gamma(a, 1), Gamma(a, w)).delta(e),
    ),
    "privacy:hockey-stick-gamma-reverse": (
        (s.shape, s.rate_ratio, s.epsilon),
        lambda a, w, e: profile(Gamma(a, w), Gamma(a, 1)).delta(e),
    ),
    "privacy:renyi-exponential": (
        (s.rate, s.other_rate, s.order),
        lambda r, q, o: profile(Exponential(r), Exponential(q)).renyi(o),
    ),
    "privacy:kl-exponential": (
        (s.rate, s.other_rate),
        lambda r, q: profile(Exponential(r), Exponential(q)).kl,
    ),
    "privacy:hockey-stick-exponential": (
        (s.rate_ratio, s.epsilon),
        lambda w, e: profile(Exponential(1), Exponential(w)).delta(e),
    ),
    "privacy:total-variation-exponential": (
        (s.rate_ratio,),
        lambda w: profile(Exponential(1), Exponential(w)).total_variation,
    ),
    "privacy:renyi-beta": (
        (s.beta_a, s.beta_b, s.other_a, s.other_b, s.order),
        lambda a, b, c, d, o: profile(Beta(a, b), Beta(c, d)).renyi(o),
    ),
    "privacy:kl-beta": (
        (s.beta_a, s.beta_b, s.other_a, s.other_b),
        lambda a, b, c, d: profile(Beta(a, b), Beta(c, d)).kl,
    ),
    "privacy:affinity-beta-neighbours": (
        (s.beta_a, s.beta_b),
        lambda a, b: 1 - profile(Beta(a + 1, b), Beta(a, b + 1)).hellinger ** 2,
    ),
    "privacy:hockey-stick-beta-neighbours": (
        (s.beta_a, s.beta_b, s.epsilon),
        lambda a, b, e: profile(Beta(a + 1, b), Beta(a, b + 1)).delta(e),
    ),
    "privacy:hockey-stick-beta-neighbours-reverse": (
        (s.beta_a, s.beta_b, s.epsilon),
        lambda a, b, e: profile(Beta(a, b + 1), Beta(a + 1, b)).delta(e),
    ),
    "privacy:total-variation-beta-neighbours": (
        (s.beta_a, s.beta_b),
        lambda a, b: profile(Beta(a + 1, b), Beta(a, b + 1)).total_variation,
    ),
    "privacy:renyi-bernoulli": (
        (s.p, s.q, s.order),
        lambda p, q, o: profile(Bernoulli(p), Bernoulli(q)).renyi(o),
    ),
    "privacy:kl-bernoulli": (
        (s.p, s.q),
        lambda p, q: profile(Bernoulli(p), Bernoulli(q)).kl,
    ),
    "privacy:renyi-binomial": (
        (s.trials, s.p, s.q, s.order),
        lambda n, p, q, o: profile(Binomial(n, p), Binomial(n, q)).renyi(o),
    ),
    "privacy:kl-binomial": (
        (s.trials, s.p, s.q),
        lambda n, p, q: profile(Binomial(n, p), Binomial(n, q)).kl,
    ),
    "privacy:hockey-stick-bernoulli": (
        (s.p, s.q, s.epsilon),
        lambda p, q, e: profile(Bernoulli(p), Bernoulli(q)).delta(e),
    ),
}


def drawn(symbol, rng):
    """A value of the symbol, in eighths so that it is exact."""
    if symbol in (s.p, s.q, s.low_order):
        return int(rng.integers(1, 8)) / 8
    if symbol == s.trials:
        return int(rng.integers(1, 12))
    if symbol in (s.mu_1, s.mu_2):
        return int(rng.integers(-16, 17)) / 8
    if symbol in (s.nu, s.rate_ratio):
        return 1 + int(rng.integers(1, 24)) / 8
    if symbol == s.order:
        return float(rng.choice([0.25, 0.5, 1.5, 2.0, 3.5]))
    return int(rng.integers(1, 24)) / 8


def conditions_of(claim, symbols):
    """The conditions of a claim, as functions of values of its symbols."""
    relations = [
        relation
        for tree in claim.given
        for relation in (tree.parts if hasattr(tree, "parts") else [tree])
    ]
    gaps = [(compiled(r.lhs - r.rhs, *symbols), r.op) for r in relations]

    def hold(values):
        for function, op in gaps:
            gap = function(*values)
            signs = {">": gap > 0, ">=": gap >= 0, "<=": gap <= 0, "!=": gap != 0, "<": gap < 0}
            if not signs[op]:
                return False
        return True

    return hold


@pytest.mark.parametrize("name", TWINS)
def test_profile_is_what_its_claim_says(name):
    symbols, ours = TWINS[name]
    claim = catalog.find(name)
    closed = compiled(claim.rhs, *symbols)
    hold = conditions_of(claim, symbols)
    rng = np.random.default_rng(SEED)
    tried = 0
    for _ in range(200):
        values = [drawn(symbol, rng) for symbol in symbols]
        if not hold(values):
            continue
        tried += 1
        assert ours(*values) == pytest.approx(float(closed(*values)), rel=1e-13, abs=1e-15), values
        if tried == 6:
            break
    assert tried == 6


def test_renyi_divergence_of_normals_is_infinite_where_its_claim_says():
    pair = profile(Normal(0, 2), Normal(0, 1))
    edge = 4 / 3  # there nu sd_2^2 + (1 - nu) sd_1^2 is 0
    assert math.isinf(pair.renyi(edge + 1e-9))
    assert math.isfinite(pair.renyi(edge - 1e-6))


@pytest.mark.parametrize(
    ("key", "levels"),
    [("low", (1e-9, 0.03125)), ("middle", (0.1875, 0.375)), ("high", (0.5, 0.625, 0.9375))],
)
def test_trade_off_of_laplaces_is_that_of_its_claims(key, levels):
    *_, alarm, missed = catalog.find(f"privacy:trade-off-laplace-{key}").form.tree.parts
    symbols = {free.name: free for free in missed.rhs.free_symbols}
    right = compiled(missed.rhs, symbols["Delta"], symbols["alpha_1"])
    for level in levels:
        claimed = float(right(1.0, level))
        assert float(kernels.laplace_trade_off(1.0, level)) == pytest.approx(claimed, rel=1e-13)
        assert kernels.laplace_trade_off.py_func(1.0, level) == pytest.approx(claimed, rel=1e-13)
    assert alarm.rhs == symbols["alpha_1"]


def test_epsilon_of_laplaces_solves_the_equation_of_its_claim():
    left = compiled(catalog.find("privacy:epsilon-laplace").lhs, s.distance, s.delta)
    for distance, delta in ((2.0, 0.125), (0.5, 1e-9)):
        assert float(left(distance, delta)) == pytest.approx(delta, rel=1e-13)
        epsilon = kernels.laplace_epsilon(distance, delta)
        assert kernels.laplace_delta(distance, epsilon) == pytest.approx(delta, rel=1e-6)


def test_largest_log_ratios_of_gammas_and_betas_are_those_of_their_claims():
    symbols = (s.shape, s.rate, s.other_shape, s.other_rate)
    most = compiled(catalog.find("privacy:log-ratio-gamma-shapes").rhs, *symbols)
    a, b, c, d = 3.5, 2.25, 1.25, 0.75
    start = math.lgamma(c) - math.lgamma(a) + a * math.log(b) - c * math.log(d)
    assert kernels.gamma_max_log_ratio(a, b, c, d) == pytest.approx(
        start + float(most(a, b, c, d)), rel=1e-13
    )
    symbols = (s.beta_a, s.beta_b, s.other_a, s.other_b)
    most = compiled(catalog.find("privacy:log-ratio-beta").rhs, *symbols)
    start = betaln(c, d) - betaln(a, b)
    assert kernels.beta_max_log_ratio(a, b, c, d) == pytest.approx(
        start + float(most(a, b, c, d)), rel=1e-13
    )
