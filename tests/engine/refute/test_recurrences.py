"""Recurrences: undefined steps, and conditions on the index."""

import pytest
import sympy
from sympy import Integer, Rational, log

from dpbook import Recurrence, check, symbol
from dpbook.engine.language.budget import Deadline
from dpbook.engine.language.task import make_task
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.sequents import sequent_of
from dpbook.engine.refute.recurrences import first_index, refuted
from dpbook.kernel.formulas import Relation

n = symbol("n", integer=True, at_least=0)
p = symbol("p", integer=True)


def recurrence(step, start, closed, index=n):
    with sympy.evaluate(False):
        return Recurrence(step, start, closed, index)


@pytest.mark.parametrize(
    ("step", "start", "closed", "first"),
    [
        (lambda u: u / (n - 100), 0, 0, 101),
        (lambda u: u / (n - 3), 0, 0, 4),
        (lambda u: u + Integer(0) / (n - 100), 1, 1, 101),
        (lambda u: 2 * u + Integer(0) / (n - 137), 1, 2**n, 138),
        (lambda u: u + log(100 - n) - log(100 - n), 1, 1, 101),
        (lambda u: u / (1 - u), Rational(1, 4), 1 / (4 - n), 4),
    ],
)
def test_sequence_without_a_term_has_no_closed_form(step, start, closed, first):
    form = recurrence(step, start, closed)
    found = check(form)
    assert found.verdict.value == "refuted"
    assert found.counterexample.as_dict() == {"n": str(first)}
    assert "undefined" in found.counterexample.note
    assert certify(make_task(form), None, 40, (0, 1)) is None


@pytest.mark.parametrize(
    ("step", "start", "closed"),
    [
        (lambda u: u / (n + 1), 1, 1 / sympy.factorial(n)),
        (lambda u: u + log(100 + n) - log(100 + n), 1, 1),
        (lambda u: u + Integer(0) / (n + 1), 1, 1),
    ],
)
def test_step_that_has_a_value_everywhere_is_fine(step, start, closed):
    assert check(recurrence(step, start, closed)).verdict.value == "proved"


def test_definedness_of_each_step_is_a_part_of_the_goal():
    goal = sequent_of(recurrence(lambda u: u / (n - 100), 0, 0)).goal
    assert [type(part).__name__ for part in goal.parts] == ["All", "Relation"]
    assert goal.parts[0].body.what == "defined"
    polynomial = sequent_of(recurrence(lambda u: u * (n - 100), 0, 0)).goal
    assert isinstance(polynomial, Relation)


def test_step_beyond_the_last_index_needs_no_value():
    up_to_3 = symbol("n", integer=True, at_least=0, at_most=3)
    up_to_4 = symbol("n", integer=True, at_least=0, at_most=4)
    for index, fails in ((up_to_3, False), (up_to_4, True)):
        with sympy.evaluate(False):
            form = Recurrence(lambda u, i=index: u + Integer(0) / (i - 3), 1, 1, index)
        assert (refuted(form, (), 0, Deadline.after(60)) is not None) is fails


def test_step_before_a_condition_needs_a_value():
    task = make_task(recurrence(lambda u: u + Integer(0) / (n - 3), 1, 1), [n >= 200])
    found = refuted(task.form, task.given, 0, Deadline.after(60))
    assert found.as_dict() == {"n": "200"}
    assert "x(4) is undefined" in found.note


@pytest.mark.parametrize(
    ("step", "start", "closed", "given", "verdict"),
    [
        (lambda u: u + 1, 0, n, n >= 5, "proved"),
        (lambda u: u + 1, 0, n - 5, n >= 5, "refuted"),
        (lambda u: u * (n - 3), 1, 0, n >= 4, "proved"),
        (lambda u: u * (n - 3), 1, 0, n >= 3, "refuted"),
    ],
)
def test_condition_on_the_index_does_not_move_the_start(step, start, closed, given, verdict):
    assert check(recurrence(step, start, closed), given=[given]).verdict.value == verdict


def test_sequence_starts_where_its_index_does():
    assert first_index(recurrence(lambda u: u + 1, 0, n), make_task(n >= 0, [n >= 5]).given) == 0
    form = recurrence(lambda u: u + 1, 5, p, p)
    assert first_index(form, make_task(p >= 0, [p >= 5]).given) == 5
    assert check(form, given=[p >= 5]).verdict.value == "proved"
    assert check(form, given=[p >= 4]).verdict.value == "refuted"


def test_base_of_powers_is_any_number_before_the_induction():
    a, b = symbol("a", above=0), symbol("b", above=0)
    with sympy.evaluate(False):
        base = 1 - (a + b / 4) / (a + b) ** 2
    form = recurrence(lambda u: base * u, 1, base**n)
    found = certify(make_task(form, [a > 3]), None, 40, (0, 1))
    written = str(found.certificate)
    assert "generalise" in written[: written.index("induct")]
