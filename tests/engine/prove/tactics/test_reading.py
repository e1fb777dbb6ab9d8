"""Sequents are read: given relations, known values, and linear terms."""

import pytest

from dpbook.engine.prove.tactics.reading import (
    defined_terms,
    heads,
    linear_in,
    linear_in_atom,
    literals,
    over_one_denominator,
    relations,
    value_given,
    value_known,
)
from dpbook.kernel.environment import Environment
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.terms import parse_term


def sequent(*hypotheses):
    variables = {"x": "real", "y": "real", "n": "integer"}
    return sequent_from_json({"variables": variables, "given": [*hypotheses], "goal": "x > 0"})


def facts(*hypotheses):
    return Environment({}).facts(sequent(*hypotheses))


def test_relations_of_some_kinds_are_found_with_their_numbers():
    s = sequent("x > 0", "defined(log(y))", "x == y", "y != 1")
    assert [i for i, _ in relations(s)] == [0, 2, 3]
    assert [(i, h.op) for i, h in relations(s, "==", "!=")] == [(2, "=="), (3, "!=")]
    assert [i for i, _ in literals(facts("x > 0", "x == y", "y >= 2"), ">", ">=")] == [0, 2]


def test_values_and_defined_terms_are_known_where_they_are_given():
    s = sequent("x == y + 1", "defined(log(y))")
    assert value_known(s, parse_term("x"))
    assert not value_known(s, parse_term("y"))
    assert defined_terms(s) == [parse_term("log(y)")]
    assert heads(s.hypotheses[1]) == {"log", "var"}


@pytest.mark.parametrize(
    ("term", "rest", "slope"),
    [("3*x + y", "y", "3"), ("x*y + x - 2", "-2", "y + 1"), ("y^2", "y^2", "0")],
)
def test_linear_terms_are_taken_apart(term, rest, slope):
    read = facts()
    a, b = linear_in(read, read.poly(parse_term(term)), "x")
    assert (a, b) == (read.poly(parse_term(rest)), read.poly(parse_term(slope)))


@pytest.mark.parametrize("term", ["x^2 + x", "x*exp(x)", "y + log(1 + x^2)", "1/(1 + x)"])
def test_other_terms_are_not_linear(term):
    read = facts()
    assert linear_in(read, read.poly(parse_term(term)), "x") is None


def test_an_atom_may_be_a_call():
    read = facts()
    ((atom, _),) = next(iter(read.poly(parse_term("exp(x)"))))
    (y,), (one,) = linear_in_atom(read.poly(parse_term("x*exp(x) + y")), atom)
    assert (read.term({y: 1}), read.term({one: 1})) == (parse_term("y"), parse_term("x"))
    assert linear_in_atom(read.poly(parse_term("exp(2*x) + y")), atom) is None


def test_a_value_is_read_off_an_equality():
    s = sequent("y != 0", "x/y + 1 == 1/y")
    read = Environment({}).facts(s)
    given = value_given(read, s.hypotheses[1], "x")
    assert read.poly(parse_term(given["value"])) == read.poly(parse_term("1 - y"))
    assert value_given(read, s.hypotheses[1], "n") is None


def test_a_sum_of_fractions_has_one_denominator():
    read = facts("x > 0", "y > 0")
    p = read.poly(parse_term("1/x + 1/y"))
    t = over_one_denominator(read, p)
    assert t.head == "mul"
    assert read.poly(t) == p
