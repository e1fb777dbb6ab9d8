"""Planted faults: they are faults, they are found, and they are counted as what they are."""

import textwrap

import pytest
import sympy
from sympy import Eq, Le

from dpbook import symbol
from dpbook.engine.claims import catalog, record, topics
from dpbook.engine.claims.claim import REGISTRY
from dpbook.engine.claims.mutants import MOST, mutants_of, score, tally
from dpbook.engine.claims.rows import rows_of
from dpbook.engine.language.statement import Noted, Recurrence
from dpbook.engine.language.task import make_task
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.run.decide import decided

x, y = symbol("x", above=0), symbol("y", above=0)
n = symbol("n", integer=True, at_least=1)


def planted(statement, given=()):
    with sympy.evaluate(False):
        return mutants_of(make_task(statement, given))


def texts(statement, given=()):
    return {str(mutant.task.form) for mutant in planted(statement, given)}


def test_every_kind_of_fault_is_planted():
    with sympy.evaluate(False):
        statement = Le(x * y**n, x + y - n)
    kinds = {mutant.kind for mutant in planted(statement, [x * y < 1])}
    names = {"strengthened", "strict", "factor", "sign", "index", "swapped", "lost condition"}
    assert kinds == names


def test_faults_are_few_all_different_and_none_is_the_statement_itself():
    with sympy.evaluate(False):
        statement = Le(x * y**n, x + y - n)
    found = planted(statement)
    said = [(str(m.task.form), str(m.task.given)) for m in found]
    assert len(said) == len(set(said)) <= MOST
    assert "x*y**n <= x + y - n" not in {form for form, _ in said}
    assert all(m.task.repeats for m in found)


def test_upper_side_of_an_inequality_becomes_smaller():
    found = texts((x, "<=", y))
    assert {"x <= y/2", "x <= 99*y/100", "x <= y/10", "x < y"} <= found, found


def test_closed_form_of_a_recurrence_gets_faults_too():
    form = Recurrence(step=lambda last: 2 * last, start=2, closed_form=2**n, index=n)
    found = mutants_of(make_task(form))
    assert {"factor", "index"} <= {mutant.kind for mutant in found}
    assert {decided(mutant.job).verdict for mutant in found} == {Verdict.REFUTED}


def test_what_is_only_noted_gets_no_faults():
    assert mutants_of(make_task(Noted("a definition"))) == []


def test_faults_in_an_equality_are_found():
    with sympy.evaluate(False):
        found = planted(Eq((x + y) ** 2, x**2 + 2 * x * y + y**2))
    outcomes = [decided(mutant.job) for mutant in found]
    verdicts = [evidence.verdict for evidence in outcomes]
    assert set(verdicts) == {Verdict.REFUTED, Verdict.PROVED}
    assert verdicts.count(Verdict.PROVED) == 2  # x and y swapped, on either side
    assert all("proof" in e.certificate for e in outcomes if e.verdict is Verdict.PROVED)


def test_outcomes_are_counted_by_what_they_are():
    outcomes = [
        Evidence(Verdict.REFUTED),
        Evidence(Verdict.REFUTED),
        Evidence(Verdict.PROVED, method="kernel", certificate={"proof": {}}),
        Evidence(Verdict.SUPPORTED),
        Evidence(Verdict.UNDECIDED),
    ]
    counts = tally(outcomes)
    assert counts == {"planted": 5, "killed": 2, "true": 1, "survived": 2}
    assert score(counts) == 0.5
    assert score(tally([])) is None


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("DPBOOK_CACHE", str(tmp_path / "cache"))
    record.cache_folder.cache_clear()
    yield
    record.cache_folder.cache_clear()
    for key in [key for key, c in REGISTRY.items() if c.topic == "planted"]:
        del REGISTRY[key]


def test_ledger_counts_and_remembers_the_faults(tmp_path, own_cache):
    path = tmp_path / "planted.py"
    path.write_text(
        textwrap.dedent(
            """
            from dpbook import claim, symbol

            x = symbol("x", above=0)

            @claim("eq-1")
            def square():
                return 2 * x <= x**2 + 1

            @claim("eq-2")
            def slip():
                return x <= 1
            """
        )
    )
    claims = catalog.load_anew(topics.at(path))[0]
    proved, refuted = rows_of(claims, mutants=True)
    counts = proved["mutants"]
    assert refuted["mutants"] is None
    assert counts["planted"] == sum(counts[k] for k in ("killed", "true", "survived"))
    assert counts["killed"] >= 4
    assert counts["survived"] == 0
    assert rows_of(claims, mutants=True)[0]["mutants"] == counts
