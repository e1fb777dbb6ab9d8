"""Distributions, couplings and balls on any space: examples of them, and statements that fail by a hair."""

import numpy as np
import pytest
from sympy import Abs, Integer, Le, Rational, evaluate

from dpbook.engine.language.statement import ForAll, as_tree
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.refute.finite_models import Model, Undefined, decided
from dpbook.langevin.any_spaces import DISTANCE, VOLUME, average
from dpbook.langevin.claims.section_5 import (
    BALL,
    P,
    having_volume,
    lipschitz_density,
    p,
)
from dpbook.langevin.notation import ball_centre, lipschitz, radius


def verdict(statement, given):
    with evaluate(False):
        conditions = [as_tree(c) for c in given()]
        form = ForAll(as_tree(statement()))
    return decided(form, conditions, 0).verdict


@pytest.mark.parametrize("cells", [1, 2, 3])
def test_examples_have_distances_and_densities(cells):
    rng = np.random.default_rng(cells)
    places = [Integer(i) for i in range(cells)]
    dense = 0
    for _ in range(40):
        model = Model(rng, cells)
        d = np.array([[DISTANCE.value(model, [i, j]) for j in places] for i in places])
        assert (d == d.T).all()
        assert (d.diagonal() == 0).all()
        assert (d[:, None, :] <= d.T[:, :, None] + d[None, :, :]).all()
        distribution = model.table(P.density(0).function, ())
        room = model.table(VOLUME, ())
        try:
            density = [p.value(model, [i]) for i in places]
        except Undefined:
            assert any(m and not v for m, v in zip(distribution, room, strict=True))
            continue
        dense += 1
        assert all(q * v == m for q, v, m in zip(density, room, distribution, strict=True))
    assert dense


def test_claim_e_1_on_finite_couplings_and_not_with_half_of_epsilon():
    rng = np.random.default_rng(3)
    failed = 0
    for _ in range(3000):
        pairs = rng.integers(2, 6)
        weights = rng.dirichlet(np.ones(pairs))
        first = rng.normal(size=(pairs, 2))
        moves = rng.normal(size=(pairs, 2)) * (rng.random((pairs, 1)) < 0.5)
        second = first + moves * 10.0 ** rng.uniform(-2, 0.5)
        apart = np.linalg.norm(first - second, axis=1)
        close = (weights @ apart**2) ** 0.25
        size = rng.choice(np.linalg.norm(first, axis=1))
        inside = weights @ (np.linalg.norm(first, axis=1) <= size)

        def bound(share, weights=weights, second=second, size=size, close=close):
            away = np.linalg.norm(second, axis=1)
            return weights @ (away <= size + share * close) + share * close

        assert inside <= bound(1) + 1e-12
        failed += inside > bound(0.5)
    assert failed


def test_claim_5_1_fails_for_a_tenth_of_the_radius():
    def given():
        return [*lipschitz_density(), *having_volume(BALL)]

    def error(share):
        gap = Abs(p(ball_centre) - average(P, BALL))
        return lambda: Le(gap, share * radius * lipschitz)

    assert verdict(error(Integer(1)), given) is Verdict.SUPPORTED
    assert verdict(error(Rational(1, 10)), given) is Verdict.REFUTED
