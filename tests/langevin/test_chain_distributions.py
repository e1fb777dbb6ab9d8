"""The distributions of claims about chains and of eq. 11, recomputed from their definitions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm
from sympy import Rational

from dpbook.engine.language.function_symbols import Value
from dpbook.engine.language.statement import unfold_definitions
from dpbook.langevin.claims import appendix_a, appendix_c_chain
from dpbook.langevin.notation import alpha, beta, centre_4, n_1, r_4, x_h


def step_by_step(count, position, ratio):
    """Mean and variance after one epoch of claim 4.2 with alpha = 1, beta = 3, x_h = 1; position 0: no odd record."""
    size = Fraction(1, (1 + 3 * count) ** 2)
    mean, variance = Fraction(0), Fraction(1)
    for i in range(1, count + 1):
        x = Fraction(1, 2) if i == position else Fraction(1)
        pull = count * 3 * x * (ratio * x)
        rate = 1 - size / 2 * (1 + count * 3 * x**2)
        mean, variance = rate * mean + size / 2 * pull, rate**2 * variance + size
    return mean, variance


@pytest.mark.parametrize(("count", "position"), [(1, 1), (2, 1), (5, 1), (5, 3), (5, 5), (7, 0)])
def test_moments_of_eq_31_are_those_of_the_steps(count, position):
    ratio = Fraction(7, 3)
    distribution = appendix_c_chain.component() if position else appendix_c_chain.on_d_3()
    numbers = {alpha: 1, beta: 3, x_h: 1, n_1: count, centre_4: Rational(7, 3)}
    numbers |= {r_4: position} if position else {}

    def exact(expression):
        found = unfold_definitions(expression).subs(numbers).doit()
        return Fraction(int(found.p), int(found.q))

    assert (exact(distribution.mean), exact(distribution.sd**2)) == step_by_step(
        count, position, ratio
    )


def test_first_component_of_eq_31_is_the_one_of_the_first_position():
    numbers = {alpha: 1, beta: 3, x_h: 1, n_1: 6, centre_4: 2}
    first, any_one = appendix_c_chain.first_component(), appendix_c_chain.component()
    for a, b in zip(first.args, any_one.args, strict=True):
        there = unfold_definitions(b).subs({r_4: 1, **numbers}).doit()
        assert unfold_definitions(a).subs(numbers).doit() == there


def test_tail_of_eq_31_is_below_its_bound_where_the_chains_are_apart():
    count = 30_000
    ratio = count**1.15
    size = 1 / (1 + 3 * count) ** 2
    gap = ratio / (25 * count)
    mean, odd = 0.0, 0.0
    for i in range(count):
        mean += size / 2 * (3 * count * (ratio - mean) - mean)
        weight = 0.25 if i == count - 1 else 1.0
        odd += size / 2 * (3 * count * weight * (ratio - odd) - odd)
    assert mean - odd >= gap
    assert norm.sf((mean - odd) / math.sqrt(10 / 9)) <= math.exp(-(count**0.3) / 1400)


@pytest.mark.parametrize(("records", "covariates"), [(1, 2), (4, 3), (6, 1)])
def test_densities_of_eq_11_have_the_ratio_of_the_normal_distribution(records, covariates):
    rng = np.random.default_rng(11)
    phi = rng.normal(size=(records, covariates))
    root = rng.normal(size=(covariates, covariates))
    precision = root @ root.T + np.eye(covariates)
    targets, prior = rng.normal(size=records), rng.normal(size=covariates)
    noise = 1.75
    spread = np.linalg.inv(precision + noise * phi.T @ phi)
    centre = spread @ (precision @ prior + noise * phi.T @ targets)
    w, v = rng.normal(size=(2, covariates))

    def log_joint(point):
        away, errors = point - prior, targets - phi @ point
        return -(away @ precision @ away + noise * errors @ errors) / 2

    def log_normal(point):
        away = point - centre
        return -away @ np.linalg.solve(spread, away) / 2

    ratio = log_joint(w) - log_joint(v)
    assert ratio == pytest.approx(log_normal(w) - log_normal(v), rel=1e-10)


@pytest.mark.parametrize(("records", "covariates"), [(2, 2), (3, 1)])
def test_statement_of_eq_11_is_about_these_densities(records, covariates):
    rng = np.random.default_rng(12)
    tables = {
        "Phi": rng.integers(-3, 4, (records, covariates)),
        "R": rng.integers(-3, 4, (covariates, covariates)),
        "w": rng.integers(-3, 4, covariates),
        "m_0": rng.integers(-3, 4, covariates),
        "t": rng.integers(-3, 4, records),
    }
    found = evaluated(appendix_a.loss_of_weights(appendix_a.WEIGHTS), tables, records, covariates)
    away, errors = tables["w"] - tables["m_0"], tables["t"] - tables["Phi"] @ tables["w"]
    assert found == away @ tables["R"] @ away + 2 * (errors @ errors)


def evaluated(expression, tables, records, covariates):
    """Evaluate sums over unknown tables, with beta = 2."""
    numbers = {beta: 2, appendix_a.n: records, appendix_a.dimension: covariates}
    written = expression.subs(numbers).doit()
    values = {
        one: int(tables[one.function.name][tuple(int(a) - 1 for a in one.at)])
        for one in written.atoms(Value)
    }
    return int(written.xreplace(values))
