"""Each conversion is no less than its truth at 60 digits, and above it by few doubles, at 290 settings."""

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from dpbook.privacy import conversions

# by conversions_oracle.py, whose texts are rounded in the 62nd digit
ROWS = json.loads((Path(__file__).parent / "conversions_values.json").read_text())
ROUNDED = Fraction(1, 10**61)

# How many doubles an answer may lie beyond the nearest one on its side of the truth. Of `zcdp_to_dp` the order is a double;
# epsilon of normal noise is the upper of two adjacent doubles; `dp_to_zcdp` gives the largest rho that
# `zcdp_to_dp` converts to no more than epsilon: both round.
BEYOND = {"zcdp_to_dp": 1, "gaussian_to_dp": 1, "dp_to_zcdp": 2}


def least_above(number):
    """The least double that is no less than a fraction; infinity beyond the largest."""
    try:
        found = float(number)
    except OverflowError:
        return math.inf
    return found if Fraction(found) >= number else math.nextafter(found, math.inf)


def answers(row):
    """Parts of the answer of the package."""
    arguments, made = row["arguments"], getattr(conversions, row["call"])
    if row["call"] == "poisson_sampled":
        found = made(*arguments[:2], rate=arguments[2])
    elif row["call"] == "compose_basic":
        found = made([tuple(pair) for pair in arguments[0]])
    else:
        found = made(*arguments)
    return {part: getattr(found, part) if part else found for part in row["truths"]}


def test_each_conversion_has_settings():
    asked = Counter(row["call"] for row in ROWS)
    assert set(asked) == set(conversions.__all__) - {"Budget"}
    assert min(asked.values()) >= 12
    assert len({json.dumps([row["call"], row["arguments"]]) for row in ROWS}) >= 280


@pytest.mark.parametrize("call", sorted({row["call"] for row in ROWS}))
def test_answers_are_the_truth_rounded_up(call):
    for row in ROWS:
        if row["call"] != call:
            continue
        for part, found in answers(row).items():
            truth = Fraction(row["truths"][part])
            if call == "dp_to_zcdp":  # rounded down
                truth, found = -truth, -found
            near = abs(truth) * ROUNDED
            assert found >= least_above(truth - near), (row, part, found)
            most = least_above(truth + near)
            for _ in range(BEYOND.get(call, 0)):
                most = math.nextafter(most, math.inf)
            assert found <= most, (row, part, found)
