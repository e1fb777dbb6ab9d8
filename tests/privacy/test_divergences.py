"""Distributions and divergences: their definitions against quadrature, and how they show themselves."""

import math

import numpy as np
import pytest
import sympy
from scipy.integrate import quad
from scipy.stats import norm
from sympy import Eq, Integral, Symbol, symbols

from dpbook.engine.language.domain import symbol
from dpbook.engine.language.statement import as_form, text, unfold_definitions
from dpbook.privacy.any_distributions import OrNull, Repeated
from dpbook.privacy.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    EvenMixture,
    Exponential,
    Laplace,
    Normal,
    TruthOrNot,
    TwoSidedGeometric,
)
from dpbook.privacy.divergences import hockey_stick, normal_profile, renyi_divergence
from dpbook.privacy.statements import AtLeast, Exceeding, Interval, Outcomes, probability


def test_density_is_that_of_the_normal_distribution():
    t = Symbol("t", real=True)
    density = Normal(sympy.Rational(1, 2), 3).density(t)
    assert float(density.subs(t, 2)) == pytest.approx(norm.pdf(2, 0.5, 3), rel=1e-14)


def test_divergence_is_written_out_as_its_integral():
    order = Symbol("order", real=True)
    divergence = renyi_divergence(Normal(0, 1), Normal(1, 2), order)
    integral = next(iter(unfold_definitions(divergence).atoms(Integral)))
    integrand = integral.function.subs(order, 2)
    t = integral.variables[0]
    at = np.linspace(-3, 3, 7)
    ours = [float(integrand.subs(t, float(v))) for v in at]
    assert ours == pytest.approx(norm.pdf(at, 0, 1) ** 2 / norm.pdf(at, 1, 2), rel=1e-12)


def test_variable_of_integration_captures_nothing():
    t = Symbol("t", real=True)
    divergence = renyi_divergence(Normal(t, 1), Normal(0, 1), 2)
    assert unfold_definitions(divergence).free_symbols == {t}


@pytest.mark.parametrize(("here", "there"), [(0.6, 0.3), (0.2, 0.9)])
def test_null_is_an_outcome_beside_the_draws(here, there):
    distributions = (OrNull(here, Normal(0, 1)), OrNull(there, Normal(1, 2)))
    written = unfold_definitions(hockey_stick(*distributions, sympy.Rational(1, 5)))
    ours = float(sympy.N(written.replace(Integral, lambda f, t: sympy.Float(over(f, t[0])))))
    factor = math.exp(0.2)
    draws, _ = quad(
        lambda t: max(here * norm.pdf(t) - factor * there * norm.pdf(t, 1, 2), 0),
        -30,
        30,
        limit=400,
    )
    assert ours == pytest.approx(draws + max(1 - here - factor * (1 - there), 0), abs=1e-7)


def over(f, t):
    """Integral over the line, by quadrature."""
    value = sympy.lambdify(t, f, "math")
    return quad(lambda v: float(value(v)), -30, 30, limit=400)[0]


def test_a_draw_or_null_shows_itself():
    distribution = OrNull(sympy.Rational(1, 3), Normal(0, 1))
    assert str(distribution) == "Normal(0, 1) with chance 1/3, or null"
    assert sympy.latex(distribution).startswith(r"\left(\frac{1}{3} : ")
    with pytest.raises(TypeError, match="null has a mass"):
        distribution.density(0)


@pytest.mark.parametrize(
    ("level", "chance"), [(3, "exp(-3)/(1 + exp(-1))"), (0, "1/(1 + exp(-1))")]
)
def test_event_weighs_both_halves_of_a_distribution_on_all_integers(level, chance):
    shown = probability(TwoSidedGeometric(0, 1), AtLeast(level)).definition()
    by_hand = sum(
        float(one.function.subs(one.variables[0], k)) for one in shown.args for k in range(60)
    )
    assert by_hand == pytest.approx(float(sympy.sympify(chance)), rel=1e-12)


def test_event_on_the_line_is_refused_where_outputs_are_no_numbers():
    released = OrNull(sympy.Rational(1, 2), Normal(0, 1))
    with pytest.raises(ValueError, match="no probability here under"):
        probability(released, AtLeast(0)).definition()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Exponential(1), Laplace(0, 1)),
        (Bernoulli(sympy.Rational(1, 2)), Binomial(2, sympy.Rational(1, 2))),
        (Repeated(Normal(0, 1), 1), Repeated(Normal(0, 1), 5)),
        (OrNull(sympy.Rational(1, 2), Beta(1, 1)), OrNull(sympy.Rational(1, 2), Exponential(1))),
    ],
)
def test_distributions_with_other_outputs_are_not_compared(first, second):
    with pytest.raises(ValueError, match="must have the same outputs"):
        hockey_stick(first, second, 1).definition()
    with pytest.raises(ValueError, match="must have the same outputs"):
        probability(Laplace(0, 1), Exceeding(Exponential(1), Laplace(0, 1), 0)).definition()


@pytest.mark.parametrize("ends", [(1, 0), (sympy.oo, -sympy.oo), (1, 1), symbols("a b", real=True)])
def test_interval_has_ends_that_are_known_to_be_in_order(ends):
    with pytest.raises(ValueError, match="must be known to be below"):
        Interval(*ends)


def test_interval_of_a_width_is_one():
    low, width = symbol("a"), symbol("w", above=0)
    assert Interval(low, low + width).high == low + width


@pytest.mark.parametrize(
    "outcomes", [(1, 1), (sympy.Rational(1, 2),), symbols("i j", integer=True)]
)
def test_outcomes_are_integers_that_are_known_to_differ(outcomes):
    with pytest.raises(ValueError, match="must be known to"):
        Outcomes(*outcomes)


def test_outcome_outside_of_the_support_has_no_probability():
    assert probability(
        Bernoulli(sympy.Rational(1, 4)), Outcomes(1, 2)
    ).definition() == sympy.Rational(1, 4)
    with pytest.raises(ValueError, match="no probability of"):
        probability(Exponential(1), Interval(-3, 0)).definition()


def test_index_of_a_mixture_is_not_that_of_an_event():
    i = Symbol("i", integer=True)
    mixture = EvenMixture(TwoSidedGeometric(0, 1), TwoSidedGeometric(i, 1), i, 2)
    with pytest.raises(ValueError, match="must occur in its distributions only"):
        probability(mixture, Outcomes(i)).definition()


def test_chance_and_truth_are_in_their_ranges():
    with pytest.raises(ValueError, match="chance must be in"):
        OrNull(2, Normal(0, 1))
    with pytest.raises(ValueError, match="truth must be in"):
        TruthOrNot(7, 2, 1)


def test_distributions_show_themselves_as_in_a_book():
    mean, sd, order = symbols("mu sigma nu", real=True)
    with sympy.evaluate(False):
        form = as_form(Eq(renyi_divergence(Normal(mean, sd), Normal(0, sd), order), 0))
    assert form.latex().startswith(r"D_{\nu}\left(\mathcal{N}\left(\mu, \sigma^2\right) \,\|\, ")
    assert text(Normal(mean, sd)) == "Normal(mu, sigma)"


@pytest.mark.parametrize(("distance", "epsilon"), [(1, 0.5), (0.3, 0.1), (2.0, 4.0)])
def test_profile_is_the_integral_of_the_excess(distance, epsilon):
    excess, _ = quad(
        lambda t: max(norm.pdf(t, distance) - math.exp(epsilon) * norm.pdf(t), 0),
        -12,
        14,
        points=[epsilon / distance + distance / 2],
    )
    d, e = symbols("d e", real=True)
    profile = unfold_definitions(normal_profile(d, e)).subs({d: distance, e: epsilon})
    assert float(profile) == pytest.approx(excess, abs=1e-9)
