"""Suprema and infima: the least bound is proved, and no larger or smaller number."""

import pytest
import sympy
from sympy import And, Eq, FiniteSet, Integer, Interval, Or, Rational, exp, log, oo

from dpbook import DomainError, Inf, Sup, check, symbol
from dpbook.engine.language.statement import StatementError, as_form
from dpbook.engine.language.task import make_task
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.sequents import same_statement, sequent_of
from dpbook.engine.prove.tactics import suprema

x, y, free = symbol("x"), symbol("y"), symbol("bound")
a, n = symbol("a", above=0), symbol("n", integer=True, at_least=1)
unit, inside = Interval(0, 1), Interval.open(0, 1)

TRUE = {
    "attained at an end": Eq(Sup(x, (x, unit)), 1),
    "at an open end": Eq(Sup(x, (x, inside)), 1),
    "at a turning point": Eq(Sup(x * (1 - x), (x, unit)), Rational(1, 4)),
    "by an exponential": Eq(Sup(x * exp(-x), (x, x >= 0)), exp(-1)),
    "far out": Eq(Sup(x / (1 + x), (x, x > 0)), 1),
    "infinite": Eq(Inf(log(x), (x, x > 0, x <= 1)), -oo),
    "over the range of a symbol": Eq(Sup(1 - 1 / n, n), 1),
    "over three numbers": Eq(Sup(x, (x, FiniteSet(1, 2, 5))), 5),
    "over two pieces": Eq(Sup(x**2, (x, Or(Eq(x, 1), And(x > 2, x < 3)))), 9),
    "over two symbols": Eq(Sup(x * y, (x, unit), (y, Interval(0, x))), 1),
    "by a parameter": Eq(Inf((x - a) ** 2, (x, x > a)), 0),
    "below a number": Sup(x, (x, inside)) <= 1,
    "above a number": Sup(x, (x, inside)) > Rational(1, 2),
    "at least the number": Sup(x, (x, inside)) >= 1,
}
FALSE = {
    "too small": (Eq(Sup(x, (x, inside)), Rational(1, 2)), "x = 3/4"),
    "too large": (Eq(Sup(x, (x, inside)), 2), "bound = 13/7: it bounds all values there"),
    "too large by a parameter": (Eq(Sup(x, (x, x <= a)), a + 1), "a = 1, bound = 13/7"),
    "not infinite": (Eq(Sup(x, (x, inside)), oo), "bound"),
    "too low": (Eq(Inf(x, (x, inside)), -1), "bound = -6/7"),
    "not attained at an open end": (Sup(x, (x, inside)) > 1, "bound = 1"),
    "a number beyond three": (Eq(Sup(x, (x, FiniteSet(1, 2, 5))), 6), "bound = 41/7"),
    "without a value at an end": (Eq(Sup(log(x), (x, unit)), 0), "x = 0: undefined"),
    "for one sign of a parameter": (Eq(Sup(x * free, (x, unit)), free), "x = 0"),
}


@pytest.mark.parametrize("name", TRUE)
def test_least_bound_is_proved(name):
    assert check(TRUE[name]).verdict.value == "proved"


@pytest.mark.parametrize("name", FALSE)
def test_another_number_is_refuted(name):
    statement, shown = FALSE[name]
    found = check(statement)
    assert found.verdict.value == "refuted"
    assert shown in str(found.counterexample)


def test_value_nearby_is_what_the_tactic_adds():
    task = make_task(TRUE["at an open end"])
    assert certify(task, depths=(0,)) is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suprema, "POINTS", 0)
        assert certify(task, depths=(0,)) is None


def test_empty_set_has_no_supremum():
    for statement in (Eq(Sup(x, (x, x > 1, x < 0)), 1), Sup(x, (x, x > a, x < a)) <= a):
        with pytest.raises(DomainError, match="contradict"):
            check(statement)
    # at a = 0 the set is empty, and the proof has to say so: 1 bounds no number there
    wide = symbol("w", at_least=0)
    task = make_task(Sup(x, (x, x > 0, x < wide)) <= wide)
    assert certify(task, budget=20, depths=(0,)) is None


def test_proof_of_one_number_is_none_of_another():
    one, two = (make_task(Eq(Sup(x, (x, inside)), number)) for number in (1, 2))
    assert same_statement(one.form, (), sequent_of(one.form))
    assert not same_statement(two.form, (), sequent_of(one.form))
    closed = make_task(Eq(Sup(x, (x, unit)), 1))
    assert not same_statement(closed.form, (), sequent_of(one.form))


@pytest.mark.parametrize(
    ("statement", "given", "why"),
    [
        (lambda: Eq(Sup(x, (x, unit)), x), (), "binds each of its symbols once"),
        (lambda: Sup(x, (x, unit)) < 2, (), "cannot say that a sup is < 2"),
        (lambda: Eq(Sup(x, (x, unit)) + 1, 2), (), "one side of a whole statement"),
        (lambda: Eq(Sup(x, (x, unit)), Sup(y, (y, unit))), (), "one side of a whole statement"),
        (lambda: Eq(Sup(x, (x, unit)), 1), [x < 1], "state conditions on it in its set"),
        (lambda: Eq(Sup(x, (x, sympy.S.EmptySet)), 1), (), "empty"),
        (lambda: Eq(Sup(x), 1), (), "names its variable"),
    ],
)
def test_other_statements_are_refused(statement, given, why):
    with pytest.raises((StatementError, ValueError), match=why):
        check(statement(), given=given)


def test_supremum_is_shown_as_it_is_written():
    form = as_form(Integer(1) >= Sup(x, (x, x > 0, x < 1)))
    assert str(form) == "sup_{x > 0, x < 1} (x) <= 1"
    assert form.latex() == r"\sup_{x > 0, x < 1} \left(x\right) \leq 1"
    assert str(as_form(Eq(Inf(1 / n, n), 0))) == "inf_{n} (1/n) = 0"
