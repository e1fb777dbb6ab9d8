"""Inequalities of integrals between numbers, and integrals of functions with kinks."""

import pytest

from dpbook import check
from dpbook.engine.evaluate.exact_points import evaluate_at
from dpbook.engine.prove.tactics import pieces
from dpbook.engine.read.readings import read
from dpbook.kernel.formulas import parse_formula

# each true statement stands beside a false one with the next number
BOUNDS = [
    ("Integral(exp(sin(x)), x, 0, 1) > 1", "Integral(exp(sin(x)), x, 0, 1) > 17/10"),
    ("Integral(1/(cos(x)+2), x, 0, 1) < 1/2", "Integral(1/(cos(x)+2), x, 0, 1) < 1/4"),
    ("Integral(1/(cos(x)+2), x, 0, 2*pi) < 4", "Integral(1/(cos(x)+2), x, 0, 2*pi) < 7/2"),
    ("Integral(1/(cos(x)+2), x, 0, 2*pi) != 0", "Integral(1/(cos(x)+2), x, 0, 2*pi) = 0"),
    ("Integral(sin(x)/x, x, 1, pi) < 1", "Integral(sin(x)/x, x, 1, pi) < 9/10"),
    ("Integral(1/sqrt(1+x^4), x, 0, 1) <= 1", "Integral(1/sqrt(1+x^4), x, 0, 1) >= 1"),
]
KINKS = [
    ("Integral(abs(cos(x)), x, -pi/2, 0) = 1", "Integral(abs(cos(x)), x, -pi/2, 0) = -1"),
    ("Integral(abs(sin(x)), x, 0, 2*pi) = 4", "Integral(abs(sin(x)), x, 0, 2*pi) = 2"),
    ("Integral(abs(x^3-x), x, -1, 1) = 1/2", "Integral(abs(x^3-x), x, -1, 1) = 1/3"),
    ("Integral(max(x^2, x), x, 0, 2) = 17/6", "Integral(max(x^2, x), x, 0, 2) = 16/6"),
]


@pytest.mark.parametrize(("true", "false"), [*BOUNDS, *KINKS], ids=[t for t, _ in BOUNDS + KINKS])
def test_the_true_statement_is_proved_and_the_false_one_refuted(true, false):
    assert check(true).verdict.value == "proved"
    assert check(false).verdict.value == "refuted"


@pytest.mark.parametrize("number", pieces.NUMBERS)
def test_the_bounds_of_pieces_hold_the_integral(number):
    """Add the bounds up, beside the enclosure by quadrature."""
    for text in ("exp(sin(x))", "1/(2 + x*x)", "exp(-x)*cos(3*x)"):
        t = parse_formula(f"integral({text}, x, 0, 2) == 0").left
        ends = pieces._cut(t, number)
        bounds = pieces._bounds(t, ends)
        assert bounds is not None
        low, high = (sum(pair[side] for pair in bounds) * 2 / number for side in (0, 1))
        reading = read(f"Integral({text}, x, 0, 2) = 0")
        value = evaluate_at(reading.condition({}).lhs, {}, 64).ball
        assert low <= float(value.mid()) <= high
