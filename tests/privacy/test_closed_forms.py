"""Every interval holds the truth at 60 digits, at a thousand settings that have a closed form or a finite sum."""

import json
import math
import statistics
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from flint import arb, ctx, fmpq

from dpbook.privacy import (
    BoundedRange,
    Finite,
    Laplace,
    Normal,
    Pair,
    PoissonSampled,
    TreeAggregation,
    WithoutReplacement,
    compose,
)
from dpbook.privacy.distributions import DiscreteGaussian, TruthOrNot, TwoSidedGeometric

# by closed_forms_oracle.py, whose texts are rounded in the 62nd digit
ROWS = json.loads((Path(__file__).parent / "closed_forms_values.json").read_text())
KINDS = sorted({row["kind"] for row in ROWS})
ROUNDED = Fraction(1, 10**61)


def release(listed):
    """A release, from its name and its numbers."""
    name, *rest = listed
    if name in ("PoissonSampled", "WithoutReplacement", "TreeAggregation"):
        made = {
            "PoissonSampled": PoissonSampled,
            "WithoutReplacement": WithoutReplacement,
            "TreeAggregation": TreeAggregation,
        }
        return made[name](release(rest[0]), rest[1])
    if name == "Pair":
        return Pair(*(Finite(each) for each in rest))
    if name == "BoundedRange":
        return BoundedRange(*rest)
    noise = {
        "Normal": Normal,
        "Laplace": Laplace,
        "TwoSidedGeometric": TwoSidedGeometric,
        "DiscreteGaussian": DiscreteGaussian,
        "TruthOrNot": TruthOrNot,
    }
    return noise[name](0, *rest)


@cache
def answers(kind):
    """The settings of a kind with the intervals of the package."""
    found = []
    for row in ROWS:
        if row["kind"] == kind:
            listed, times = zip(*row["releases"], strict=True)
            made = compose(
                [release(each) for each in listed], list(times), sensitivity=row["sensitivity"]
            )
            at = Fraction(row["at"])
            found.append((row, getattr(made, row["ask"])(at)))
    return found


def test_there_are_a_thousand_settings_of_all_kinds():
    assert len(ROWS) >= 1000
    assert len({json.dumps([row["ask"], row["at"], row["releases"]]) for row in ROWS}) == len(ROWS)
    assert len(KINDS) >= 14
    asked = Counter(row["ask"] for row in ROWS)
    assert min(asked["delta"], asked["epsilon"], asked["renyi"]) >= 150


@pytest.mark.parametrize("kind", KINDS)
def test_the_interval_holds_the_truth(kind):
    for row, found in answers(kind):
        truth = Fraction(row["truth"])
        near = truth * ROUNDED
        assert Fraction(found.lower) <= truth + near, (row, found)
        if math.isfinite(found.upper):
            assert truth - near <= Fraction(found.upper), (row, found)


@pytest.mark.parametrize("kind", KINDS)
def test_the_interval_of_the_logarithm_holds_it(kind):
    for row, found in answers(kind):
        if row["ask"] != "delta":
            continue
        truth = Fraction(row["truth"])
        if not truth:
            assert found.lower == 0, (row, found)
            assert found.log_lower == -math.inf, (row, found)
            continue
        with ctx.workprec(300):
            log = arb(fmpq(truth.numerator, truth.denominator)).log() + arb(0, 1e-60)
            assert not log < arb(found.log_lower), (row, found)
            assert not log > arb(found.log_upper), (row, found)


@pytest.mark.parametrize("kind", KINDS)
def test_the_intervals_are_narrow(kind):
    """An interval that says nothing holds the truth as well."""
    widths = []
    for row, found in answers(kind):
        size = max(float(Fraction(row["truth"])), 1e-12 if row["ask"] == "delta" else 1e-3)
        widths.append(found.width / size)
    # two releases of a bounded range, or lists with one, are the widest
    assert max(widths) < 1e-3, (kind, max(widths))
    assert statistics.median(widths) < (1e-6 if kind == "spline_list" else 1e-9), kind
