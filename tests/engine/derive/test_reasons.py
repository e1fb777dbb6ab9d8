"""The reason of a right line: checked by the kernel where it has numbered steps, else it names the tactic."""

import pytest
import sympy

from dpbook import derive, implies
from dpbook.engine.derive import derivation, reasons
from dpbook.engine.derive.marking import Lines
from dpbook.engine.derive.reasons import Wanted, reason_of, sequents_of
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.run import workers
from dpbook.kernel import Rejected, check

KNOWN = {
    "equality": ((["(x + 1)^2", "x^2 + 2*x + 1"], ()), 1),
    "equality under a condition": ((["(x^2 - 1)/(x - 1)", "x + 1"], ["x != 1"]), 1),
    "equality where both are defined": ((["1/x + 1/x", "2/x"], ()), 2),
    "equality but for a gap": ((["(x^2 - 1)/(x - 1)", "x + 1"], ()), 1),
    "equivalence": ((["x^2 - 3*x = 0", "x = 0 or x = 3"], ()), 2),
    "implication": ((["x > 2", "=> x^2 > 4"], ()), 1),
    "nothing left": ((["x^2 < 0", "false"], ()), 2),
    "functions": ((["exp(x)*exp(y)", "exp(x + y)"], ()), 1),
}


@pytest.mark.parametrize("name", KNOWN)
def test_reason_of_a_right_line_has_steps_that_the_kernel_checked(name):
    (lines, given), parts = KNOWN[name]
    found = derive(lines, given=given)
    first, why = found.reasons
    assert first is None
    assert len(why.parts) == parts
    assert why.trusted[0] == "kernel"
    assert all(steps for _, steps in why.parts)
    assert any(line.strip().startswith("1. ") for line in why.lines())


def test_line_without_a_certificate_names_the_tactic(monkeypatch):
    monkeypatch.setattr(derivation, "GOALS", 0)
    monkeypatch.setattr(derivation, "MORE", 0)
    monkeypatch.setattr(workers, "run_one", lambda task: task.run())
    found = derive(["x^2 - 3*x = 0", "x = 0 or x = 3"])
    assert found.steps[1].evidence.trusted == ("tactic cells",)
    assert str(found.reasons[1]) == "trusted: tactic cells"
    assert "trusted: tactic cells" in repr(found.explain())
    assert "trusted: tactic cells" in found.explain()._repr_html_()


def test_wrong_line_and_open_line_have_no_reason():
    found = derive(["x^2 = x", "x = 1", "2*x = 2"])
    assert [why is not None for why in found.reasons] == [False, False, True]


def test_certificates_are_looked_for_once_where_lines_are_marked(monkeypatch):
    asked = []
    run = workers.run_one
    monkeypatch.setattr(workers, "run_one", lambda task: asked.append(type(task)) or run(task))
    found = derive(["x + x", "2*x"])
    assert repr(found)
    assert asked == [Lines, Wanted]
    assert found.reasons[1].parts
    assert asked == [Lines, Wanted]


def wanted(before, line, given=(), implied=False):
    task = Lines((before, line), ("", "implied" if implied else ""), given)
    return sequents_of(task, 1)


def test_certificate_of_another_line_is_no_reason():
    x = sympy.Symbol("x", real=True)
    right, other = wanted(x + x, 2 * x), wanted(x + 1, x + 2)
    found = Wanted((right,)).run().parts[0]
    assert found.certificate["proofs"]
    assert reason_of(right, found, True).parts
    assert reason_of(other, found, True) is None
    with pytest.raises(Rejected):
        check(other[0][0], found.certificate["proofs"][0], {})


def test_false_line_gets_no_certificate():
    x = sympy.Symbol("x", real=True)
    with sympy.evaluate(False):
        false = [(sympy.sqrt(x**2), x), (x / x, sympy.S.One), (sympy.log(x**2), 2 * sympy.log(x))]
    for before, line in false:
        assert not Wanted((wanted(before, line),)).run().parts[0].certificate


def test_what_the_kernel_has_no_term_for_has_no_sequent():
    x = sympy.Symbol("x", real=True)
    assert wanted(sympy.besselj(0, x), x) == ()
    assert Wanted(((),)).run().parts[0].certificate == {}


def test_work_of_a_search_is_counted_in_goals():
    x = sympy.Symbol("x", real=True)
    hard = wanted(x**4 + 1, x**4 + 1 + 0 * x)
    assert Wanted((hard,)).time_limit == reasons.NET * len(hard[0])
    relation = derive(["x^2 - 3*x = 0", "x = 0 or x = 3"]).task
    ways = (sequents_of(relation, 1),)
    assert Wanted(ways).run().parts[0].certificate
    assert not Wanted(ways, goals=0).run().parts[0].certificate


def test_explanation_shows_steps_in_text_and_folded_in_html():
    found = derive(["x^2 = 9", implies("x < 4"), "x^2 = 9"]).explain()
    text = repr(found)
    assert "1. " in text
    assert "refuted" in text.splitlines()[-1]
    page = derive(["x + x", "2*x"]).explain()._repr_html_()
    assert "<details>" in page
    assert "<ol><li><code>" in page


def test_certificates_of_open_lines_take_what_is_left_of_the_time(monkeypatch):
    asked = []
    run = workers.run_one

    def noted(task):
        asked.append(task)
        return run(task)

    monkeypatch.setattr(workers, "run_one", noted)
    lines = ["integral(2*t, t, 0, x)", "x^2"]
    assert derive(lines, time_limit=15).verdict is Verdict.PROVED
    assert asked[1].seconds <= 15
    assert asked[1].time_limit <= 15
    found = derive(lines)
    assert not Wanted((sequents_of(found.task, 1),), seconds=0.0).run().parts[0].certificate
