"""Laws, couplings and balls on any space: examples of them, and statements that fail by a hair."""

import numpy as np
import pytest
from sympy import Abs, Eq, Integer, Le, Rational, evaluate

from dpbook.engine.finite_models import Model, Undefined, decided
from dpbook.engine.statement import ForAll, as_tree
from dpbook.engine.verdict import Verdict
from dpbook.langevin.any_spaces import DISTANCE, VOLUME, average
from dpbook.langevin.claims.appendix_e import SMALLER
from dpbook.langevin.claims.section_5 import (
    BALL,
    COUPLING,
    P,
    Q,
    coupled,
    having_volume,
    lipschitz_density,
    p,
)
from dpbook.langevin.notation import ball_centre, ball_radius, closeness, lipschitz, radius
from dpbook.privacy.statements import probability


def verdict(statement, given, points=()):
    with evaluate(False):
        conditions = [as_tree(c) for c in given()]
        form = ForAll(as_tree(statement()))
    return decided(form, conditions, 0, points).verdict


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
        law = model.table(P.density(0).function, ())
        room = model.table(VOLUME, ())
        try:
            density = [p.value(model, [i]) for i in places]
        except Undefined:
            assert any(m and not v for m, v in zip(law, room, strict=True))
            continue
        dense += 1
        assert all(q * v == m for q, v, m in zip(density, room, law, strict=True))
    assert dense


def claim_e_1(share):
    """Conditions of claim E.1, with what the mean square is at most, in epsilon**4."""
    return lambda: [
        Eq(radius, ball_radius + closeness),
        *coupled(SMALLER),
        Le(COUPLING.mean_square, share * closeness**4),
    ]


def test_claim_e_1_fails_for_twice_the_root_of_the_distance():
    numbers = {
        "r_ball": Rational(1, 4),
        "epsilon_W": Rational(1, 2),
        "lambda_ball": Rational(3, 4),
    }

    def bound():
        return Le(probability(P, SMALLER), probability(Q, BALL) + closeness)

    assert verdict(bound, claim_e_1(1), [numbers]) is Verdict.SUPPORTED  # examples prove nothing
    assert verdict(bound, claim_e_1(16), [numbers]) is Verdict.REFUTED


def test_claim_5_1_fails_for_a_tenth_of_the_radius():
    def given():
        return [*lipschitz_density(), *having_volume(BALL)]

    def error(share):
        gap = Abs(p(ball_centre) - average(P, BALL))
        return lambda: Le(gap, share * radius * lipschitz)

    assert verdict(error(Integer(1)), given) is Verdict.SUPPORTED
    assert verdict(error(Rational(1, 10)), given) is Verdict.REFUTED
