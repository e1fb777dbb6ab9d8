"""Trade-off functions and profiles: what is proved needs each of its conditions, and the duality in numbers."""

from dataclasses import replace

import numpy as np
import pytest
import sympy
from scipy.stats import norm

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.lemmas import lemmas_used
from dpbook.engine.language.task import make_task
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.sequents import sequent_of
from dpbook.privacy.claims import general_duality as duality


def found(key, given, budget):
    """A certificate of a claim under other conditions."""
    claim = find(key)
    with sympy.evaluate(False):
        task = replace(claim.task(lemmas_used(claim)), given=make_task(claim.form, given).given)
    lemmas = {k: sequent_of(find(k).form, find(k).given) for k in claim.using}
    return certify(task, lemmas, budget=budget)


@pytest.mark.parametrize(
    ("key", "conditions"),
    [
        ("privacy:trade-off-to-profile", lambda: [duality.below_f(duality.multiple)]),
        ("privacy:second-error-above-a-line", list),
        ("privacy:trade-off-within", lambda: duality.named()[1:]),
    ],
)
def test_each_direction_needs_its_conditions(key, conditions):
    assert found(key, conditions(), 40) is None


def test_lines_of_the_profile_give_back_the_trade_off_function():
    # two Normals one standard deviation apart: all losses are needed, those below 0 as well
    losses = np.linspace(-12, 12, 4801)
    profile = norm.sf(losses - 0.5) - np.exp(losses) * norm.sf(losses + 0.5)
    first = np.array([0.01, 0.2, 0.5, 0.9])
    lines = -np.exp(losses) * first[:, None] - (profile - 1)
    exact = norm.cdf(norm.isf(first) - 1)
    assert lines.max(axis=1) == pytest.approx(exact, abs=1e-6)
    assert lines[:, losses >= 0].max(axis=1)[-1] < exact[-1] - 1e-3
