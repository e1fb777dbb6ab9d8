"""Releases of all kinds in lists: the intervals hold values of another formula, by `kinds_oracle.py`."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from dpbook.privacy import (
    BoundedRange,
    Laplace,
    Mixture,
    Normal,
    PoissonSampled,
    TreeAggregation,
    WithoutReplacement,
    compose,
)
from dpbook.privacy.distributions import DiscreteGaussian, TruthOrNot, TwoSidedGeometric

ROWS = json.loads((Path(__file__).parent / "kinds_values.json").read_text())
KINDS = sorted({row["kind"] for row in ROWS})


def release(part):
    """A release and how often it is used."""
    kind, times = part["kind"], part["times"]
    if "levels" in part:
        tree = TreeAggregation(Laplace(0, part["scale"]), 2 ** (part["levels"] - 1))
        return tree, times // part["levels"]
    rate, sd = part.get("rate"), part.get("sd")
    made = {
        "normal": lambda: Normal(0, sd),
        "laplace": lambda: Laplace(0, part["scale"]),
        "sampled laplace": lambda: PoissonSampled(Laplace(0, part["scale"]), rate),
        "sampled normal": lambda: PoissonSampled(Normal(0, sd), rate),
        "mixture": lambda: Mixture([Normal(0, sd), Normal(1, sd)], [1 - rate, rate]),
        "without replacement": lambda: WithoutReplacement(Normal(0, sd), rate),
        "sampled discrete gauss": lambda: PoissonSampled(DiscreteGaussian(0, sd), rate),
        "sampled discrete laplace": lambda: PoissonSampled(
            TwoSidedGeometric(0, part["slope"]), rate
        ),
        "range": lambda: BoundedRange(part["epsilon"]),
        "response": lambda: TruthOrNot(0, part["others"], part["epsilon"]),
    }
    return made[kind](), times


@pytest.mark.parametrize("kind", KINDS)
def test_the_interval_holds_the_value_of_another_formula(kind):
    for row in (row for row in ROWS if row["kind"] == kind):
        listed, times = zip(*(release(part) for part in row["parts"]), strict=True)
        found = compose(list(listed), list(times)).delta(row["epsilon"])
        truth = max(Fraction(row["remove"]), Fraction(row["add"]))
        near = truth / 10**17  # two runs of the oracle agree to 18 digits
        assert Fraction(found.lower) <= truth + near, (row, found)
        assert truth - near <= Fraction(found.upper), (row, found)
        assert found.width < 1e-8 * float(truth), (row, found)


def test_all_kinds_are_there():
    assert len(KINDS) == 8
    assert len({json.dumps(row["parts"]) for row in ROWS}) == len(ROWS)
