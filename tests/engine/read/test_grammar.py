"""The grammar that is shown is the grammar that is read."""

import pytest
import sympy

from dpbook import cli
from dpbook.engine.read import grammar
from dpbook.engine.read.functions import FUNCTIONS
from dpbook.engine.read.readings import both, read
from dpbook.engine.read.refusals import ParseError
from tests.reading import read_line

ROWS = [row for title, rows in grammar.SECTIONS if title != "Conditions" for row in rows]


def same(one, other):
    if isinstance(one, sympy.Expr):
        return sympy.simplify(one - other) == 0 or one.doit() == other.doit()
    return str(one) == str(other)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.text)
def test_what_is_shown_is_read_and_means_what_is_said(row):
    meant = read_line(row.meaning)
    assert same(read_line(row.text), meant)
    if row.latex:
        assert same(read_line(row.latex, latex=True), meant)


@pytest.mark.parametrize("row", grammar.CONDITIONS, ids=lambda row: row.text)
def test_conditions_are_read_and_mean_what_is_said(row):
    def told(text, latex=False):
        reading = read(text, latex, given=True)
        conditions = str(both(reading.given({}))).replace("0 <= x", "x >= 0")
        return conditions, bool(reading.integers)

    assert told(row.meaning) == told(row.text) == told(row.latex, latex=True)


def test_every_function_is_named_once_and_aliases_are_the_same_function():
    names = [name for group in grammar.FUNCTIONS for name in group]
    assert sorted(names) == sorted(FUNCTIONS)
    values = [sympy.Rational(1, 3), sympy.Rational(1, 2), sympy.Rational(1, 4)]
    for first, *rest in grammar.FUNCTIONS:
        function = FUNCTIONS[first]
        arguments = values[: function.least]
        for name in rest:
            assert FUNCTIONS[name].make(*arguments) == function.make(*arguments), name


@pytest.mark.parametrize("one", grammar.REFUSALS, ids=lambda one: one.text)
def test_what_is_refused_is_refused_and_its_repairs_are_read(one):
    latex = "\\" in one.instead[0]
    with pytest.raises(ParseError):
        read_line(one.text, latex=latex)
    found = [str(read_line(text, latex=latex)) for text in one.instead]
    assert len(set(found)) == len(found)


def test_the_help_of_check_shows_the_grammar(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["check", "--help"])
    assert stop.value.code == 0
    said = capsys.readouterr().out
    for row in ROWS:
        assert row.text in said
    for group in grammar.FUNCTIONS:
        assert "=".join(group) in said


def test_the_page_of_the_grammar_has_every_row():
    page = grammar.page().replace(r"\|", "|")
    for row in [*ROWS, *grammar.CONDITIONS]:
        assert row.text in page
        assert row.latex in page
