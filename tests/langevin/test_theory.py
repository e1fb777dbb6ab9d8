"""Kernels and calculators against the compiled claims, plain Python and quadrature."""

import math

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis.strategies import floats
from scipy.integrate import quad
from scipy.stats import norm

from dpbook.engine.claims import catalog
from dpbook.engine.evaluate.public import compiled
from dpbook.engine.language.domain import DomainError
from dpbook.langevin import Posterior, Setting, divergence, kernels, notation, posterior
from tests.langevin.asking import asked

PAIRS = {
    "mu_1": np.array([0.0, 1.0, -2.0, 0.3, 5.0]),
    "mu_2": np.array([0.0, 0.5, 3.0, 0.3, 5.0001]),
    "sigma_1": np.array([1.0, 0.7, 1.0, 0.999, 2.0]),
    "sigma_2": np.array([2.0, 0.9, 1.0, 1.0, 2.5]),
}


def oracle(order):
    """Right side of privacy:renyi-normal at 50 digits."""
    claim = catalog.find("privacy:renyi-normal")
    symbols = {free.name: free for free in claim.rhs.free_symbols}
    names = ("mu_1", "mu_2", "nu", "sigma_1", "sigma_2")
    function = compiled(claim.rhs, *(symbols[name] for name in names))
    rows = zip(*(PAIRS[name] for name in ("mu_1", "mu_2", "sigma_1", "sigma_2")), strict=True)
    return [
        float(function(*(sympy.Rational(float(v)) for v in (m_1, m_2, order, s_1, s_2))))
        for m_1, m_2, s_1, s_2 in rows
    ]


@pytest.mark.parametrize("order", [1.01, 1.5, 2.0, 10.0])
def test_divergence_kernel_agrees_with_the_claim_to_the_last_digits(order):
    arrays = [PAIRS[name] for name in ("mu_1", "sigma_1", "mu_2", "sigma_2")]
    got = kernels.normal_divergences(*arrays, order)
    assert got == pytest.approx(oracle(order), rel=1e-12, abs=1e-16)
    assert np.array_equal(kernels.normal_divergences.py_func(*arrays, order), got)


def test_divergence_is_infinite_where_the_integral_diverges():
    assert divergence(Posterior(0, 4), Posterior(0, 1), 2).value == math.inf
    assert divergence(Posterior(0, 4), Posterior(0, 1), 2, version="printed").value == math.inf


def test_divergence_is_the_integral():
    got = divergence(Posterior(0, 1), Posterior(0, 4), 2).value
    ratio, _ = quad(lambda t: norm.pdf(t, 0, 1) ** 2 / norm.pdf(t, 0, 2), -12, 12)
    assert got == pytest.approx(math.log(ratio), abs=1e-9)
    assert divergence(Posterior(0, 1), Posterior(0, 4), 2, version="printed").value < 0


@settings(max_examples=60, deadline=None)
@given(
    order=floats(1.01, 20),
    more=floats(0.01, 5),
    gap=floats(-5, 5),
    spread=floats(0.2, 1),
)
def test_divergence_grows_with_the_order(order, more, gap, spread):
    first, second = Posterior(gap, spread), Posterior(0.0, 1.0)
    low, high = (
        divergence(first, second, order).value,
        divergence(first, second, order + more).value,
    )
    assert low <= high * (1 + 1e-9) + 1e-12
    assert low >= -1e-12


def test_printed_divergence_names_the_refuted_claim():
    loss = divergence(Posterior(0, 1), Posterior(0, 4), 2, version="printed")
    assert loss.claim == "langevin:eq-14"
    assert repr(loss) == (
        "Value(Renyi loss=-0.972955, order=2, claim='langevin:eq-14', version='printed')"
    )


def test_posterior_is_the_normalised_product_of_prior_and_likelihood():
    x, y, alpha, beta = [1.0, 2.0, 1.5], [3.1, 5.8, 4.4], 0.7, 2.5

    def joint(theta):
        likelihood = [norm.pdf(b, theta * a, beta**-0.5) for a, b in zip(x, y, strict=True)]
        return norm.pdf(theta, 0, alpha**-0.5) * np.prod(likelihood)

    mass, _ = quad(joint, 0, 6, points=[2.83])
    mean, _ = quad(lambda t: t * joint(t), 0, 6, points=[2.83])
    got = posterior(x, y, alpha=alpha, beta=beta)
    assert got.mean == pytest.approx(mean / mass, rel=1e-8)
    assert norm.pdf(2.8, got.mean, got.sd) == pytest.approx(joint(2.8) / mass, rel=1e-8)


SETTING = {"alpha": 1.0, "beta": 2.0, "x_l": 1.0, "x_h": 2.0, "c": 3.0, "gamma_1": 0.25}


def test_repaired_bound_holds_where_the_largest_loss_is_sought():
    n, order = 500, 10.0
    bound = Setting(n=n, **SETTING).loss_bound(order=order).value
    radius = n ** SETTING["gamma_1"]
    low, high = 3.0 - radius, 3.0 + radius
    worst = 0.0
    for common, last, other in (
        (max(low, 0.01), max(low, 0.01), high),
        (high, high, max(low, 0.01)),
    ):
        for x_last, x_other in ((1.0, 2.0), (2.0, 1.0), (2.0, 2.0)):
            distributions = [
                posterior(
                    np.append(np.ones(n - 1), x),
                    np.append(np.full(n - 1, common), ratio * x),
                    alpha=1.0,
                    beta=2.0,
                )
                for x, ratio in ((x_last, last), (x_other, other))
            ]
            worst = max(worst, divergence(*distributions, order).value)
    assert 0 < worst < bound


def test_bound_is_the_notation_evaluated():
    got = Setting(n=500, **SETTING).loss_bound(order=10.0, version="printed")
    plain = notation.loss_bound.definition()
    values = {**SETTING, "n": 500, "nu": 10.0}
    by_sympy = plain.subs({s: sympy.Rational(values[s.name]) for s in plain.free_symbols})
    assert got.value == pytest.approx(float(by_sympy), rel=1e-14)
    assert got.claim == "langevin:lemma-4.2"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": -1.0}, "alpha must be > 0 and finite, got -1.0"),
        ({"x_l": 3.0}, "x_l must be <= x_h = 2, got 3"),
        ({"gamma_1": 0.5}, "langevin:lemma-4.2-corrected needs gamma_1 < 1/2, got 0.5"),
        ({"order": 1.0}, "order must be > 1 and finite, got 1.0"),
        ({"version": "new"}, 'version must be "corrected" or "printed", got \'new\''),
    ],
)
def test_wrong_input_is_named(change, message):
    with pytest.raises(ValueError, match="must be|needs") as caught:
        asked("loss_bound", **{"n": 500, "order": 10.0, **SETTING, **change})
    assert str(caught.value) == message


def test_too_few_records_name_the_claim():
    with pytest.raises(DomainError) as caught:
        Setting(n=100, **SETTING).loss_bound(order=10.0)
    assert str(caught.value) == (
        "langevin:lemma-4.2-corrected needs n > 1 + 10 * nu * x_h**2 / x_l**2 = 401, got n = 100"
    )
