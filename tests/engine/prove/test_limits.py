"""Limits as SymPy writes them: within every error from a number on, or beyond every number."""

import pytest
from sympy import Eq, Limit, Sum, Symbol, evaluate, exp, oo, sqrt

from dpbook import check, symbol
from dpbook.engine.language.statement import StatementError, as_form
from dpbook.engine.language.task import make_task
from dpbook.engine.prove import large_values
from dpbook.engine.prove.certify import certify, certify_failure

n = symbol("n", integer=True, at_least=1)
c, r = symbol("c", above=0), symbol("r", above=0)


def certified(f, limit, index=n):
    return certify(make_task(Eq(Limit(f, index, oo), limit)), budget=60, depths=(0, 1)) is not None


@pytest.mark.parametrize(
    ("f", "limit"),
    [((n + 1) / n, 1), (c / n + 1 / n**2, 0), (n, oo), (c * n**2, oo), (-sqrt(n), -oo)],
)
def test_limit_is_proved(f, limit):
    assert certified(f, limit)


def test_limit_of_a_real_variable_is_proved():
    assert certified(c * r, oo, r)


@pytest.mark.parametrize(
    ("f", "limit"),
    [((n + 1) / n, 2), ((-1) ** n, 1), ((-1) ** n * n, oo), (-n, oo), (n, -oo), (1 / n, oo)],
)
def test_another_limit_has_no_proof(f, limit):
    assert not certified(f, limit)


def test_sum_tends_to_0_by_a_rate_for_each_term(monkeypatch):
    assert certified(c / n + exp(-n), 0)
    monkeypatch.setattr(large_values, "_rate_by_terms", lambda e, n: None)
    assert not certified(c / n + exp(-n), 0)


def test_quotient_of_sums_is_no_rate():
    i, k = Symbol("i", integer=True), Symbol("k", integer=True)

    def both(weight):
        terms = [weight(j) * exp(-(r**2) * (j + 1) ** 2 / 2) for j in (i, k)]
        return Sum(terms[0], (i, 0, n - 2)) + Sum(terms[1], (k, 0, oo))

    with evaluate(False):
        mean = both(lambda j: j + 1) / (1 + both(lambda j: 1))
    assert not list(large_values.sequents_for(as_form(Eq(Limit(mean, r, oo), 0))))


def test_infinite_limit_has_its_verdict_and_is_shown():
    statement = Eq(Limit(n**2, n, oo), oo)
    assert check(statement).verdict.value == "proved"
    assert str(as_form(statement)) == "n**2 -> oo as n -> oo"
    assert as_form(statement).latex() == r"\lim_{n\to\infty} n^{2} = \infty"


def test_infinite_limit_is_not_refuted_at_half_a_step():
    for f in (n, 1 / n):
        assert certify_failure(make_task(Eq(Limit(f, n, oo), oo)), {}, depths=(0,)) is None


def test_limit_inside_a_relation_is_refused():
    with pytest.raises(StatementError, match="one side of a whole statement"):
        as_form(Eq(Limit(1 / n, n, oo) + 1, 1))
