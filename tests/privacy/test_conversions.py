"""Conversions against exact curves, enumerations and their own claims."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbook import compiled
from dpbook.engine.claims import catalog
from dpbook.engine.language.domain import DomainError
from dpbook.privacy import PoissonSampled, compose, gaussian_scale
from dpbook.privacy import conversions as c
from dpbook.privacy.accounting import gaussian_epsilon
from dpbook.privacy.distributions import Bernoulli, Finite, Normal
from dpbook.privacy.notation import delta, divergence, nu
from dpbook.privacy.profiles import profile


def test_renyi_epsilon_is_the_one_that_the_claim_solves_for():
    # the claim says that this epsilon gives back delta
    claim = catalog.find("privacy:renyi-to-dp-simple")
    solved = compiled(claim.lhs, divergence, nu, delta)
    for loss, order, slack in [(0.5, 2.0, 1e-5), (0.01, 17.0, 1e-9), (3.0, 1.25, 0.1)]:
        budget = c.renyi_to_dp(loss, order, slack)
        assert budget.epsilon == pytest.approx(float(solved(loss, order, slack)), rel=1e-13)


@pytest.mark.parametrize("mu", [0.1, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("slack", [1e-3, 1e-6, 1e-12])
def test_conversions_of_a_gaussian_lie_above_its_exact_epsilon_in_order(mu, slack):
    exact = gaussian_epsilon(slack, 1.0, sensitivity=mu).lower
    orders = np.linspace(1.01, 400, 4000)
    renyi = c.renyi_to_dp(orders * mu**2 / 2, orders, slack).epsilon
    rho = c.gaussian_to_zcdp(mu)
    best = c.zcdp_to_dp(rho, slack).epsilon
    simple = rho + 2 * math.sqrt(rho * math.log(1 / slack))
    assert exact <= best <= renyi <= simple
    assert c.gaussian_to_dp(mu, slack).epsilon == pytest.approx(exact, rel=1e-15)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.floats(0.01, 3), st.integers(2, 4), st.floats(0.001, 0.2))
def test_composition_covers_an_enumerated_product(epsilon, times, slack):
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))

    def product(p):
        runs = itertools.product([0, 1], repeat=times)
        weights = np.array([math.prod(p if bit else 1 - p for bit in bits) for bits in runs])
        return Finite(list(weights / weights.sum()))

    pair = profile(product(truth), product(1 - truth))
    assert pair.max_log_ratio <= c.compose_basic([(epsilon, 0)] * times).epsilon * (1 + 1e-12)
    for budget in (
        c.compose_advanced(epsilon, times, slack),
        c.zcdp_to_dp(times * c.pure_to_zcdp(epsilon), slack),
    ):
        assert pair.delta(budget.epsilon) <= budget.delta * (1 + 1e-12)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0.01, 0.99))
def test_contamination_covers_every_mixture(p, q, g, kept):
    distributions = [Bernoulli(p), Bernoulli(q), Bernoulli(g)]
    pairs = [
        profile(distributions[0], distributions[1]),
        profile(distributions[0], distributions[2]),
    ]
    for epsilon in (0.0, 0.1, 0.5):
        slack = max(pair.delta(epsilon) for pair in pairs)
        budget = c.contaminated(epsilon, slack, kept)
        mixed = profile(Bernoulli(kept * p + (1 - kept) * g), Bernoulli(kept * q + (1 - kept) * g))
        assert mixed.delta(budget.epsilon) <= budget.delta + 1e-14


def test_group_covers_a_chain_of_neighbours():
    # three distributions, each the neighbour of the next
    chain = [Finite([0.5, 0.5]), Finite([0.6, 0.4]), Finite([0.72, 0.28])]
    epsilon = 0.1
    slack = max(
        profile(P, Q).delta(epsilon)
        for P, Q in [*itertools.pairwise(chain), *itertools.pairwise(chain[::-1])]
    )
    budget = c.group(epsilon, slack, 2)
    assert profile(chain[2], chain[0]).delta(budget.epsilon) <= budget.delta
    assert c.group(0.0, 1e-6, 5).delta == pytest.approx(5e-6)


def test_gaussian_releases_add_in_squares():
    assert c.compose_gaussian([0.3, 0.4]) == pytest.approx(0.5)
    assert c.compose_zcdp([0.1] * 10) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: c.renyi_to_dp(0.1, 1.0, 1e-5), "privacy:renyi-to-dp needs finite orders > 1, got 1.0"),
        (lambda: c.renyi_to_dp(-1, 2, 1e-5), "privacy:renyi-to-dp needs divergences >= 0, got -1.0"),
        (lambda: c.renyi_to_dp(math.inf, 2, 1e-5), "privacy:renyi-to-dp needs a finite divergence, got inf"),
        (lambda: c.renyi_to_dp(1, 2, 0), "privacy:renyi-to-dp needs delta in (0, 1), got 0"),
        (lambda: c.zcdp_to_dp(-1, 0.1), "privacy:zcdp-to-dp-sharp needs rho >= 0, got -1"),
        (lambda: c.pure_to_zcdp(math.nan), "privacy:pure-to-zcdp needs epsilon >= 0, got nan"),
        (lambda: c.gaussian_to_zcdp(0), "privacy:gaussian-to-zcdp needs mu > 0, got 0"),
        (lambda: c.compose_basic([(0.1, 2)]), "privacy:composition-basic needs every delta in [0, 1), got 2"),
        (lambda: c.compose_basic([1, 2]), "privacy:composition-basic needs a pair (epsilon, delta), got 1"),
        (lambda: c.compose_gaussian(3), "privacy:gaussian-composition needs a list of distances, got 3"),
        (lambda: c.compose_advanced(1, 2.5, 0.1), "privacy:composition-advanced needs an integer times >= 1, got 2.5"),
        (lambda: c.group(1, 0, 0), "privacy:group needs an integer size >= 1, got 0"),
        (lambda: c.group(1, 0, 10**400), "privacy:group needs an integer size <= 1000000000000000, got 10000000000000000000... (401 characters)"),
        (lambda: c.renyi_to_dp([], [], 0.1), "privacy:renyi-to-dp needs at least one order, in a row, got []"),
        (lambda: c.renyi_to_dp([1, 2], [2], 0.1), "privacy:renyi-to-dp needs numbers of one shape for divergence and order, got [1, 2] and [2]"),
        (lambda: c.renyi_to_dp(1, [2, 3], 0.1), "privacy:renyi-to-dp needs numbers of one shape for divergence and order, got 1 and [2, 3]"),
        (lambda: c.renyi_to_dp("a", 2, 0.1), "privacy:renyi-to-dp needs numbers of one shape for divergence and order, got 'a' and 2"),
        (lambda: c.zcdp_to_dp(None, 0.1), "privacy:zcdp-to-dp-sharp needs rho >= 0, got None"),
        (lambda: c.contaminated(1, 0, 1.5), "privacy:contamination needs kept in (0, 1), got 1.5"),
    ],
)  # fmt: skip
def test_outside_a_range_the_claim_is_named(call, message):
    with pytest.raises(DomainError) as error:
        call()
    assert str(error.value) == message


def test_extreme_budgets_are_finite():
    assert c.contaminated(1000, 1e-300, 0.5).epsilon == pytest.approx(1000 - math.log(2))
    assert c.contaminated(701, 0, 1e-305).epsilon == pytest.approx(0.2435, abs=1e-4)
    assert c.group(10, 1e-9, 100).delta == 1.0
    assert c.group(1e-320, 1e-5, 3).delta == pytest.approx(3e-5)
    # delta e^(k - 1) / (1 - e^-1), a little above delta e^(k - 1)
    assert c.group(1, 1e-320, 720).delta == pytest.approx(2.8637e-8, rel=1e-3)
    assert math.isinf(c.compose_advanced(710, 1, 0.1).epsilon)
    assert math.isinf(c.compose_basic([(1e308, 0)] * 3).epsilon)
    assert c.zcdp_to_dp(0, 0.1).epsilon == 0
    assert c.pure_to_zcdp(1e-200) > 0


def test_a_poisson_sample_is_more_private_and_holds_for_known_noise():
    for epsilon, rate in ((0.5, 0.1), (2.0, 0.01), (1000.0, 0.5)):
        budget = c.poisson_sampled(epsilon, 1e-5, rate=rate)
        assert budget.epsilon < epsilon
        assert budget.delta == pytest.approx(rate * 1e-5, rel=1e-15)
        if epsilon < 700:
            assert math.exp(budget.epsilon) == pytest.approx(1 + rate * math.expm1(epsilon))
            noise = Normal(0, gaussian_scale(epsilon, 1e-5))
            found = compose(PoissonSampled(noise, rate)).delta(budget.epsilon)
            assert found.lower <= budget.delta * (1 + 1e-9)
