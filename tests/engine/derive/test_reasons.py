"""The reason of a right line: checked by the kernel where it has numbered steps, else it names the tactic."""

import pytest
import sympy

from dpbook import derive, implies
from dpbook.engine.derive import marking
from dpbook.engine.derive.comparison import Comparison
from dpbook.engine.derive.marking import Lines
from dpbook.engine.derive.reasons import FEW, GOALS, LineSearch, reason_of, sequents_of
from dpbook.engine.language.verdict import Evidence, Verdict
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
    for stage in ("FEW", "GOALS", "MORE"):
        monkeypatch.setattr(marking, stage, 0)
    monkeypatch.setattr(workers, "run_one", lambda task: task.run())
    found = derive(["x^2 - 3*x = 0", "x = 0 or x = 3"])
    assert found.steps[1].evidence.trusted == ("tactic cells",)
    assert str(found.reasons[1]) == "trusted: tactic cells"
    assert "trusted: tactic cells" in repr(found.explain())
    assert "trusted: tactic cells" in found.explain()._repr_html_()


def test_wrong_line_and_open_line_have_no_reason():
    found = derive(["x^2 = x", "x = 1", "2*x = 2"])
    assert [why is not None for why in found.reasons] == [False, False, True]


@pytest.fixture
def here(monkeypatch):
    """Mark lines in this process, so that a test can look on."""
    monkeypatch.setattr(workers, "run_one", lambda task: task.run())


def test_lines_and_their_certificates_are_one_task(monkeypatch):
    asked = []
    run = workers.run_one
    monkeypatch.setattr(workers, "run_one", lambda task: asked.append(type(task)) or run(task))
    found = derive(["x + x", "2*x"])
    assert repr(found)
    assert found.reasons[1].parts
    assert asked == [Lines]


@pytest.mark.parametrize(
    "name", [n for n in KNOWN if not n.startswith("equality ") or "under" in n]
)
def test_line_with_a_certificate_is_not_compared(name, here, monkeypatch):
    monkeypatch.setattr(Comparison, "compare", lambda *_args, **_options: pytest.fail("compared"))
    (lines, given), _ = KNOWN[name]
    assert derive(lines, given=given).steps[1].verdict is Verdict.PROVED


def test_line_that_only_a_comparison_proves_is_searched_once_more(here, monkeypatch):
    goals = []
    search = LineSearch.certificate

    def noted(self, most, seconds):
        goals.append(most)
        return search(self, most, seconds)

    monkeypatch.setattr(LineSearch, "certificate", noted)
    monkeypatch.setattr(marking, "FEW", 0)
    found = derive(["x^2 - 3*x = 0", "x = 0 or x = 3"])
    assert goals == [0, marking.MORE]
    assert found.reasons[1].parts
    goals.clear()
    assert derive(["x^2 = x", "x = 1"]).first_wrong == 1
    assert goals == []  # what a point refutes is not searched


def test_certificate_that_the_kernel_refuses_proves_nothing(monkeypatch):
    false = {"way": 0, "proofs": [{"rule": "weaken", "keep": [0]}]}

    def changed(task):
        first, second = task.run().parts
        assert second.certificate
        second = marking.Marked.of(second, certificate=false)
        return Evidence(Verdict.PROVED, parts=(first, second))

    monkeypatch.setattr(workers, "run_one", changed)
    found = derive(["x + x", "2*x"])
    assert found.steps[1].verdict is Verdict.SUPPORTED
    assert found.reasons[1] is None
    assert "the kernel does not accept" in repr(found)


def wanted(before, line, given=(), implied=False):
    return sequents_of(before, line, implied, given)


def certificate(ways, goals=GOALS):
    return LineSearch(ways).certificate(goals, 20.0)


def test_certificate_is_checked_against_its_own_line():
    x = sympy.Symbol("x", real=True)
    right, other = wanted(x + x, 2 * x), wanted(x + 1, x + 2)
    found = certificate(right)
    assert found["proofs"]
    assert reason_of(right, found, True).parts
    assert reason_of(other, found, True) is None
    assert reason_of(right, {}, True) is None
    with pytest.raises(Rejected):
        check(other[0][0], found["proofs"][0], {})


def test_false_line_gets_no_certificate():
    x = sympy.Symbol("x", real=True)
    with sympy.evaluate(False):
        false = [(sympy.sqrt(x**2), x), (x / x, sympy.S.One), (sympy.log(x**2), 2 * sympy.log(x))]
    for before, line in false:
        assert certificate(wanted(before, line)) == {}


def test_what_the_kernel_has_no_term_for_has_no_sequent():
    x = sympy.Symbol("x", real=True)
    assert wanted(sympy.besselj(0, x), x) == ()
    assert certificate(()) == {}


def test_work_of_a_search_is_counted_in_goals_and_a_second_call_goes_on():
    task = derive(["x^2 - 3*x = 0", "x = 0 or x = 3"]).task
    search = LineSearch(marking.ways_of(task, 1, ()))
    assert search.certificate(0, 20.0) == {}
    assert search.certificate(GOALS, 20.0)


def test_few_goals_are_for_the_strongest_way_alone():
    x = sympy.Symbol("x", real=True)
    with sympy.evaluate(False):
        ways = wanted(1 / x + 1 / x, 2 / x)
    assert certificate(ways, FEW) == {}
    assert certificate(ways)["way"] == 1


def test_a_hint_takes_a_number_of_comparisons(monkeypatch):
    monkeypatch.setattr(workers, "run_one", lambda task: task.run())
    lines = ["x^2 + y^2 = 5 and x*y = 2", "(x = 1 and y = 2) or (x = 2 and y = 1)"]
    assert "solutions are lost" in derive(lines).steps[1].hint
    monkeypatch.setattr(marking, "MOST_COMPARISONS", 0)
    assert derive(lines).steps[1].hint == ""


def test_explanation_shows_steps_in_text_and_folded_in_html():
    found = derive(["x^2 = 9", implies("x < 4"), "x^2 = 9"]).explain()
    text = repr(found)
    assert "1. " in text
    assert "refuted" in text.splitlines()[-1]
    page = derive(["x + x", "2*x"]).explain()._repr_html_()
    assert "<details>" in page
    assert "<ol><li><code>" in page
