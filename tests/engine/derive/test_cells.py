"""Cells of the real line: each formula is decided at every point where its truth may change."""

import pytest
from flint import fmpq
from sympy import Rational, S, Symbol, exp, log, pi, sin, sqrt

from dpbook.engine.derive.cells import Line, Root, Unclear, at
from dpbook.engine.language.statement import Both, Either, Relation

x = Symbol("x", real=True)
n = Symbol("n", integer=True)


def zero(e, op):
    """Return the formula ``e op 0``."""
    return Relation(e, op, S.Zero)


def cells(*formulas, variable=x):
    return Line(formulas, variable).cells()


def shape(found):
    """What each cell is, and the truth of the first formula there."""
    return [("point" if cell.single else "interval", cell.truths[0]) for cell in found]


def test_roots_are_points_and_the_gaps_between_them_intervals():
    found = cells(zero(x**2 - 2, ">="))
    assert shape(found) == [
        ("interval", True), ("point", True), ("interval", False), ("point", True), ("interval", True),
    ]  # fmt: skip
    low, high = (float(at(found[i].point[x], 64).mid()) for i in (1, 3))
    assert low == pytest.approx(-high) == pytest.approx(-(2**0.5))


def test_point_of_an_interval_lies_between_its_ends():
    found = cells(zero(x**3 - x, ">"))
    places = [float(at(cell.point[x], 64).mid()) for cell in found]
    assert places == sorted(places)
    assert len(set(places)) == 7


@pytest.mark.parametrize(
    ("formulas", "truths"),
    [
        ([zero(x**2 - 4, "=="), zero(x - 2, "==")], {(True, True), (True, False), (False, False)}),
        ([zero(x - 1, ">"), zero(x**2 - 1, ">")], {(True, True), (False, True), (False, False)}),
        ([zero(x - 1, ">"), zero(-x - 1, ">=")], {(True, False), (False, True), (False, False)}),
        ([Either((zero(x, ">"), zero(-x, ">=")))], {(True,)}),
        ([Both((zero(x, ">"), zero(-x, ">=")))], {(False,)}),
        ([zero(exp(x) - 2, ">"), zero(x - log(2), ">")], {(True, True), (False, False)}),
        ([zero(x - pi, "=="), zero(2 * x - 2 * pi, "==")], {(True, True), (False, False)}),
    ],
    ids=lambda value: "" if isinstance(value, set) else str(value),
)
def test_cells_show_every_combination_of_truths_and_no_other(formulas, truths):
    assert {cell.truths for cell in cells(*formulas)} == truths


def test_points_of_an_integer_are_integers():
    found = cells(zero(n**2 - 2, ">"), variable=n)
    assert all(isinstance(cell.point[n], fmpq) and cell.point[n].q == 1 for cell in found)
    assert [cell.truths for cell in found] == [(True,), (False,), (True,)]
    assert {cell.truths for cell in cells(zero(2 * n - 3, "=="), variable=n)} == {(False,)}


def test_without_a_variable_there_is_one_cell():
    found = Line([zero(sqrt(2) - Rational(3, 2), ">")], None).cells()
    assert [cell.truths for cell in found] == [(False,)]
    assert found[0].point == {}


@pytest.mark.parametrize("term", [sin(x) + x, exp(x) + x, exp(x) + exp(x**2)], ids=str)
def test_term_of_another_kind_is_not_decided(term):
    with pytest.raises(Unclear):
        cells(zero(term, ">"))


def test_root_of_an_irreducible_polynomial_names_its_equation():
    (root,) = (c.point[x] for c in cells(zero(x**5 - x - 1, "==")) if c.single)
    assert isinstance(root, Root)
    assert "x**5 - x - 1 = 0 near 1.16730" in str(root)
