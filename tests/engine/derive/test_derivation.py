"""The derivation checker: what is right passes, what is wrong is named, what is open is never right."""

import random
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
import sympy
import traitlets.config
from IPython.core.interactiveshell import InteractiveShell
from sympy import Eq, Le, Or, S, Symbol, exp, log, sqrt

import dpbook
from dpbook import derive, implies
from dpbook.engine.claims.claim import claim
from dpbook.engine.derive.derivation import Derivation, Step, step
from dpbook.engine.language.domain import DomainError, symbol
from dpbook.engine.language.statement import Relation, typed
from dpbook.engine.language.task import Certified
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.read.refusals import ParseError
from dpbook.engine.run import workers
from dpbook.engine.run.decide import decided

CASES = tomllib.loads((Path(__file__).parents[1] / "derivations.toml").read_text(encoding="utf-8"))[
    "derivation"
]
DECIDED = [case for case in CASES if "failure" not in case]
FAILURES = [case for case in CASES if "failure" in case]


def marked(case, **options):
    return derive(case["lines"], given=case.get("given", ()), **options)


def word(derivation):
    return derivation.verdict.value


# --- the cases of the book's page -----------------------------------------------------------------


@pytest.mark.parametrize("case", DECIDED, ids=[case["title"] for case in DECIDED])
def test_case_is_marked_rightly(case):
    found = marked(case)
    assert word(found) == case["verdict"]
    assert found.first_wrong == case.get("first_wrong")
    assert list(map(str, found.conditions)) == case.get("where", [])
    if "hint" in case:
        assert case["hint"] in found.steps[found.first_wrong].hint


@pytest.mark.parametrize("case", FAILURES, ids=[case["title"] for case in FAILURES])
def test_known_failure_is_open_and_not_wrong(case):
    assert word(marked(case, time_limit=5)) in ("supported", "undecided", case["verdict"])


def test_cases_have_titles_of_their_own():
    titles = [case["title"] for case in CASES]
    assert len(titles) == len(set(titles)) >= 250


# --- symmetry, names, seeds, processes -----------------------------------------------------------------

PAIRS = [case for case in DECIDED if len(case["lines"]) == 2 and "=>" not in case["lines"][1]]
SOME = random.Random(1).sample(
    [c for c in PAIRS if not any("\\" in x or x.startswith("=") for x in c["lines"])], 24
)


@pytest.mark.parametrize("case", SOME, ids=[case["title"] for case in SOME])
def test_order_of_two_lines_does_not_change_the_verdict(case):
    assert word(derive(case["lines"][::-1], given=case.get("given", ()))) == case["verdict"]


@pytest.mark.parametrize("case", SOME[:8], ids=[case["title"] for case in SOME[:8]])
def test_seed_does_not_change_the_verdict(case):
    for seed in (1, 2, 12345):
        found = marked(case, seed=seed)
        assert (word(found), found.first_wrong) == (case["verdict"], case.get("first_wrong"))


@pytest.mark.parametrize("names", ["x y", "y x", "lambda beta", "z_9 a", "q E_1", "x__1 x__0"])
def test_name_of_a_symbol_does_not_change_the_verdict(names):
    first, second = names.split()
    lines = [f"{first}*{second} = 0", f"{first} = 0 or {second} = 0"]
    assert word(derive(lines)) == "proved"
    assert word(derive([lines[0], f"{first} = 0"])) == "refuted"


def test_counterexample_speaks_of_the_symbols_of_the_lines():
    point = derive(["x = 3", "sigma = 3"]).steps[1].counterexample.as_dict()
    assert set(point) == {"x", "sigma"}
    assert (point["x"] == "3") != (point["sigma"] == "3")


def test_another_process_says_the_same():
    program = (
        "from dpbook import derive; d = derive(['a*x > b', 'x > b/a']); "
        "print(d.verdict, d.first_wrong, d.steps[1].counterexample)"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }
    assert len(runs) == 1
    assert runs.pop().startswith("refuted 1")


# --- proved is proved, refuted has a point ---------------------------------------------------------------


def test_every_refuted_step_has_a_counterexample_and_no_other_has():
    found = derive(["x^2 = x", "x = 1", "2*x = 2", "x = 2"])
    assert [one.verdict.value for one in found.steps] == ["proved", "refuted", "proved", "refuted"]
    assert found.first_wrong == 1
    assert [one.counterexample is not None for one in found.steps] == [False, True, False, True]


@cache
def neither():
    """A derivation with a step that is neither shown nor refuted, which takes all its time."""
    return derive(["x^x = 4", "x = 2"], given="x > 0", time_limit=3)


def test_step_that_is_neither_is_open():
    found = neither()
    assert found.verdict not in (Verdict.PROVED, Verdict.REFUTED)
    assert found.steps[1].word == "open"
    assert found.first_wrong is None
    assert "open" in repr(found)
    assert "proved" not in repr(found).splitlines()[2]


def test_missing_assumption_is_named_and_mends_the_step():
    lines = ["(x^2 - 1)/(x - 1) = 2", "x + 1 = 2"]
    assert "x = 1 came in" in derive(lines).steps[1].hint
    assert word(derive(lines, given="x != 1")) == "proved"
    # the same condition in other words
    assert word(derive(lines, given="x > 1 or x < 1")) == "proved"
    # and one that does not help
    assert word(derive(lines, given="x > 0")) == "refuted"


def test_right_step_says_where_it_holds():
    x = Symbol("x", real=True)
    found = derive([(x**2 - 1) / (x - 1), "x + 1", "1 + x"])
    assert [one.word for one in found.steps] == ["proved"] * 3
    assert found.steps[1].conditions == (Relation(x, "!=", S.One),)
    assert found.steps[2].conditions == ()
    assert found.conditions == found.steps[1].conditions
    assert "       holds where x != 1" in repr(found).splitlines()
    assert repr(found).endswith("proved: every step, where x != 1")
    assert "holds where x != 1" in found._repr_html_()
    # where it is stated there is nothing left to say
    for given in ("x != 1", "x > 1 or x < 1", "x > 1"):
        assert derive(["(x^2 - 1)/(x - 1)", "x + 1"], given=given).conditions == ()
    # a condition that does not bear on it says nothing
    assert list(map(str, derive(["x/x", "1"], given="x < 5").conditions)) == ["x != 0"]


@pytest.mark.parametrize(
    "lines",
    [
        ("sqrt(x/y)", "sqrt(x)/sqrt(y)"),
        ("1/(1/x - 1/y)", "x*y/(y - x)"),
        ("(a/b)/(c/d)", "a*d/(b*c)"),
        ("1/(1 + 1/(1 + 1/x))", "(x + 1)/(2*x + 1)"),
        ("x/x + sqrt(x)", "1 + sqrt(x)"),
        ("sqrt(-x)*sqrt(x)", "sqrt(-x^2)"),
        ("log(x*y)", "log(x) + log(y)"),
    ],
)
def test_conditions_of_a_step_are_complete(lines):
    step = derive(list(lines)).steps[1]
    assert step.conditions
    assert not step.gaps
    found = dpbook.check(f"{lines[0]} = {lines[1]}", given=[typed(c) for c in step.conditions])
    assert found.verdict == "proved"
    for left_out in step.conditions:  # none is there without need
        fewer = [typed(c) for c in step.conditions if c != left_out]
        assert dpbook.check(f"{lines[0]} = {lines[1]}", given=fewer).verdict != "proved"


def test_points_at_which_no_side_has_a_value_are_said_in_the_summary():
    for lines, given in (
        (["1/(x*(x - 1))", "1/(x - 1) - 1/x"], "x > 0"),
        (["1/x + 1/x", "2/x"], ()),
        (["gamma(x + 1)", "x*gamma(x)"], ()),
    ):
        found = derive(lines, given=given)
        assert found.steps[1].gaps
        assert "every step" not in repr(found) or repr(found).endswith("both sides are defined")
    assert repr(derive(["1/x + 1/x", "2/x"])).endswith(
        "proved: every step, wherever both sides are defined"
    )
    for given in ("x > 1", "x != 0 and x != 1"):
        found = derive(["1/(x*(x - 1))", "1/(x - 1) - 1/x"], given=given)
        assert repr(found).endswith("proved: every step")
        assert not found.steps[1].gaps


def test_sum_up_to_a_number_holds_where_that_is_an_integer():
    found = derive(["Sum(k, k, 1, n)", "n*(n + 1)/2"])
    assert "       holds where n is an integer, n >= 0" in repr(found).splitlines()
    assert found.holds
    # equal at two integers, and not at others
    assert derive(["Sum(k, k, 1, n)", "n^2"]).first_wrong == 1
    # no integer is left
    assert not derive(["Sum(k, k, 1, n)*y", "n*(n + 1)/2*y"], given="1 < n < 2").holds


def test_derivation_is_true_where_every_step_is_shown():
    assert derive(["x + x", "2*x"])
    assert not derive(["x", "x + 1"])
    assert not derive(["x = 1"])
    assert not neither()


def test_symbol_that_sympy_loses_is_an_error():
    with pytest.raises(ValueError, match="x cancels in the term"):
        derive(["Sum((k - x)/(k - x), k, 1, 3)", "3"])


def test_step_that_is_wrong_where_both_are_defined_is_wrong():
    for lines in (["(x^2 - 1)/(x - 1)", "x + 2"], ["sqrt(x)^2", "x + 1"], ["log(x^2)", "log(x)"]):
        found = derive(lines)
        assert found.first_wrong == 1
        assert found.conditions == ()
        assert "undefined" not in str(found.steps[1].counterexample)


def test_lines_that_have_values_at_single_points_only_say_where():
    found = derive(["sqrt(-x)*sqrt(x)", "sqrt(-x^2)"])
    assert found.verdict is Verdict.PROVED
    assert list(map(str, found.conditions)) == ["x = 0"]
    assert (
        derive(["sqrt(x - 100)*sqrt(x - 99)", "sqrt((x-99)*(x-100))"], given="x > 100").conditions
        == ()
    )


def test_hint_names_the_kind_of_the_slip():
    hints = {
        ("2*(x + 3)", "2*x + 3"): "a factor",
        ("5 - (x - 2)", "5 - x - 2"): "a sign",
        ("x^2 = 4", "x = 2 and x = -2"): "`and` for `or`",
        ("x^2 = 4", "x = 2"): "a root is lost: x = -2",
        ("sqrt(x) = x - 2", "x = (x - 2)^2"): "an extraneous root: x = 1",
        ("-x < 1", "x < -1"): "the relation must turn",
        ("x^2*x^3", "x^6"): "an exponent",
        ("x*y = x*z", "y = z"): "a condition is not stated: the step holds where x != 0",
    }
    for lines, hint in hints.items():
        assert hint in derive(list(lines)).steps[1].hint


def test_lines_that_are_defined_at_the_same_points_need_no_remark():
    for lines in (["1/x + 1/x", "2/x"], ["sqrt(x) + x", "sqrt(x)*(1 + sqrt(x))"]):
        found = derive(lines)
        assert word(found) == "proved"
        assert found.steps[1].remarks() == []


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (["1/0", "1/0"], 0),
        (["log(0) = x", "log(0) = x"], 0),
        (["x = 1", "x = 1 + 0*(1/0)"], 1),
        (["1", "sqrt(-1)^2 + 2"], 1),
        (["log(-x^2 - 1)", "log(-x^2 - 1)"], 0),
    ],
)
def test_line_without_a_real_value_is_never_right(lines, wrong):
    assert derive(lines).first_wrong == wrong


def test_implication_and_equivalence_are_told_apart():
    assert word(derive(["x = 2", implies("x^2 = 4")])) == "proved"
    assert word(derive(["x = 2", "x^2 = 4"])) == "refuted"
    assert word(derive(["x^2 = 4", implies("x = 2")])) == "refuted"
    assert word(derive(["x > 2", "=> x > 1"])) == "proved"
    assert word(derive(["x > 2", "<=> x > 1"])) == "refuted"
    assert word(derive([r"x > 2 \,", r"\implies x > 1"])) == "proved"


def test_roots_of_high_degree_are_told_apart():
    assert word(derive(["x^5 - x - 1 = 0", "x^5 = x + 1"])) == "proved"
    found = derive(["x^5 - x - 1 = 0", "x = 1.16730397826141868425604589985484218"])
    assert word(found) == "refuted"
    assert word(derive(["x^5 - x - 1 = 0 and x > 1", "x^5 - x - 1 = 0"])) == "proved"


def test_contradictory_conditions_are_an_error():
    for given in (["x > 1", "x < 0"], ["x^2 < 0"], ["exp(x) = -1"], ["x > 0", "y = 1", "y = 2"]):
        with pytest.raises(DomainError, match="contradict"):
            derive(["x = 1", "x = 1"], given=given)


# --- what lines may be -----------------------------------------------------------------------------------


def test_lines_may_be_sympy_text_latex_or_all_of_them():
    x = Symbol("x")
    assert word(derive([Eq(x**2, 4), Or(Eq(x, 2), Eq(x, -2))])) == "proved"
    assert word(derive([Eq(x**2, 4), "x = 2 or x = -2", r"x = \pm 2"])) == "proved"
    assert word(derive([(x**2, "==", 4), "x = 2"])) == "refuted"
    assert word(derive([(x + 1) ** 2, "x^2 + 2*x + 1", r"x(x+2) + \frac{2}{2}"])) == "proved"


def test_assumptions_of_a_symbol_are_conditions():
    plain, positive = Symbol("x"), Symbol("x", positive=True)
    assert word(derive([sqrt(positive**2, evaluate=False), positive])) == "proved"
    assert word(derive([sympy.Pow(plain**2, S.Half), plain])) == "refuted"
    assert word(derive([Eq(positive**2, 9), Eq(plain, 3)])) == "proved"
    ranged = symbol("x", above=0)
    assert word(derive([Eq(ranged**2, 9), "x = 3"])) == "proved"
    assert word(derive(["2 < n < 5", "n = 3 or n = 4"], given="n in integers")) == "proved"


def test_steps_keep_the_callers_symbols():
    ranged = symbol("sigma", above=0, latex=r"\sigma_0")
    found = derive([Eq(2 * ranged, 4), Eq(ranged, 2)])
    assert found.steps[1].line.lhs is ranged
    assert r"\sigma_0" in found._repr_html_()


def test_booleans():
    x = Symbol("x", real=True)
    assert word(derive(["x^2 < 0", "false"])) == "proved"
    assert word(derive(["x^2 >= 0", S.true])) == "proved"
    with pytest.raises(ValueError, match=r"line 2: Python's False is no line"):
        derive([Eq(x, 3), x == 3])


def test_continued_calculation():
    assert word(derive(["y = x^2 - 1", "= (x - 1)*(x + 1)"])) == "proved"
    assert derive(["y = x^2 - 1", "= (x - 1)*(x + 1)", "= (x - 1)^2"]).first_wrong == 2
    assert word(derive(["(x - 1)*(x + 1)", "= x^2 - 1"])) == "proved"


def test_unreadable_line_is_an_error_with_its_position():
    for lines, message in (
        (["x = 1", "x = "], r"line 2: .* at character 5"),
        (["x = 1", "x y = 2"], r"line 2: .* at character 3: .*x\*y"),
        (["x = 1", r"\frac{1}{2}x = \frac{1}"], r"line 2: .* at character 24"),
        (["x = 1", "=> x >"], r"line 2: .* at character 7"),
        (["x = 1", "x = 1; import os"], r"line 2: .* at character 6"),
        (["x = 1", "__import__('os').system('true')"], "line 2: .* at character 1"),
        (["x = 1", "x.real = 1"], "line 2: .* at character 2"),
        (["x = 1", "x = 1 or 2"], "line 2: .* relation"),
        (["x = 1", "9^9^9^9 = x"], "line 2: .* digits"),
        (["x = 1", "(" * 500 + "x" + ")" * 500 + " = 1"], "line 2: .* nested deeper"),
    ):
        with pytest.raises(ParseError, match=message):
            derive(lines)
    with pytest.raises(ParseError, match="given: .* at character 5"):
        derive(["x = 1"], given="x > ")
    for steps in ([], "x = 1", Eq(Symbol("x"), 1)):
        with pytest.raises(ValueError, match="steps|at least one line"):
            derive(steps)
    with pytest.raises(ValueError, match="exact"):
        derive([Eq(Symbol("x"), 0.5)])
    with pytest.raises(ValueError, match="cannot be implied"):
        derive(["x", implies("x + 0")])


@pytest.mark.parametrize(
    ("second", "sign"),
    [("<= exp(x)", "<="), (r"\leq e^{x}", "<="), ("&≥ 1 - x^2 + x", ">="), (r"&\lt 2 e^{x}", "<")],
)
def test_a_line_that_begins_with_an_inequality_bounds_the_line_before(second, sign):
    found = derive(["1 + x", second])
    assert word(found) == "proved"
    assert found.steps[1].sign == sign
    assert f"  2 {sign:>2} " in repr(found)
    assert found.forwards().steps[0].line.op == sign
    assert word(derive(["2 + x", "<= exp(x)"])) == "refuted"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["x^2 + 1", "=> x^2 + 1 >= 2*x"], "line 2: a relation cannot follow an expression"),
        (["x", "x <= x + 1"], "line 2: a relation cannot follow an expression"),
        (["<= x", "<= x + 1"], "line 1: <= needs a line before"),
        (["x", "<= y <= z"], "line 2: .* one expression"),
        (["x", "=> <= y"], "line 2: .*cannot be implied"),
    ],
)
def test_lines_that_cannot_follow_each_other_are_told_what_to_write(lines, said):
    with pytest.raises(ValueError, match=said):
        derive(lines)


@pytest.mark.parametrize(
    ("lines", "given", "wrong", "count"),
    [
        (["(x + 1)^2 = x^2 + 1", "= 1 + x^2"], (), 1, 3),
        (r"\begin{align} (x+1)^2 &= x^2 + 1 \\ &= 1 + x^2 \end{align}", (), 1, 3),
        (["(x - 1)^2 = (x - 1)*(x - 1)", "= x^2 - 2*x + 2"], (), 2, 3),
        (["x*y <= (x^2 + y^2)/3", "<= x^2 + y^2"], (), 1, 3),
        (["x^2 + 2*x = x*(x + 2)", "= (x + 1)^2 - 1"], (), None, 3),
        (["f = x^2 + 2*x", "= x*(x + 2)"], (), None, 2),  # f is a name for it
        (["f = x^2", "= abs(x)^2"], "f >= 0", None, 2),
        (["x^2 = 4", "x = 2 or x = -2"], (), None, 2),  # an equation to be solved
    ],
)
def test_a_chain_is_checked_from_its_first_equality(lines, given, wrong, count):
    found = derive(lines, given)
    assert found.first_wrong == wrong
    assert len(found.steps) == count


def test_a_false_integral_shows_both_sides_in_their_order():
    found = derive(["Integral(exp(-x/b), x, 0, oo)", "1/b"], "b > 0")
    assert str(found.steps[1].counterexample) == "b = 2: 2 = 1/2 is false"


def test_a_false_bound_shows_both_sides():
    found = derive(["x*y", "<= (x^2 + y^2)/3"])
    assert str(found.steps[1].counterexample) == "x = 1, y = 1: 1 <= 2/3 is false"


def test_a_line_may_begin_with_a_large_bracket():
    assert word(derive([r"\left(x\right) = 1", r"\left(2 x\right) = 2"])) == "proved"


@pytest.mark.parametrize("line", ["1 = 2", "x = 1", "log(x)", r"x \leq 1"])
def test_one_line_alone_is_not_called_proved(line):
    alone = derive([line])
    assert word(alone) == "noted"
    for shown in (repr(alone), alone._repr_html_(), repr(alone.explain())):
        assert "no step to check" in shown
        assert "proved" not in shown
    assert word(derive(["1/0 = 2"])) == "refuted"


def test_an_integer_is_shown_among_the_conditions():
    made = derive(["n^2 >= n", "n >= 1 or n <= 0"], given="n in integers")
    assert word(made) == "proved"
    assert repr(made).startswith("given n in integers\n")
    assert r"n \in \mathbb{Z}" in made._repr_html_()


def test_a_line_that_only_follows_is_told_to_be_marked():
    step = derive(["2*x + 1 <= 5", "x <= 3"]).steps[1]
    assert "mark it as implied" in step.hint


def test_error_is_of_the_text_that_is_wrong_in_latex_too():
    assert word(derive(["x^{2} = 1", "x = 1 or x = -1"])) == "proved"
    assert word(derive(["x^2 = 1", "x = 1 or x = -1"], syntax="latex")) == "proved"
    with pytest.raises(ParseError, match="belong to the exponent"):
        derive(["x^2y = 1", "x = 1"])
    with pytest.raises(ParseError, match=r"text \(ab = 1\) or LaTeX \(a\*b = 1\)"):
        derive([r"a \cdot b = 1", "ab = 1"])  # a symbol in text, a product in LaTeX
    assert word(derive([r"x^{2} = \frac{4}{1}", "x^{2} = 4"])) == "proved"


def test_time_limit_is_kept_and_leaves_the_step_open():
    found = derive(["x^x + sin(x) = 4", "x = sin(x^2)"], time_limit=1.0)
    assert found.steps[1].word in ("open", "refuted")


def test_line_that_hangs_takes_only_itself_down(monkeypatch):
    answered = []

    def ended_when_whole(task):
        answered.append(task.only)
        if task.only is None:
            return Evidence(Verdict.UNDECIDED, reason="the worker was ended")
        if task.only == 2:
            return Evidence(Verdict.UNDECIDED, reason="the worker was ended")
        return task.run()

    monkeypatch.setattr(workers, "run_one", ended_when_whole)
    found = derive(["x = 1", "2*x = 2", "4*x = 4", "x = 2"])
    assert [one.word for one in found.steps] == ["proved", "proved", "open", "refuted"]
    assert answered == [None, 0, 1, 2, 2, 3]
    assert found.first_wrong == 3


def test_line_whose_search_hangs_is_still_compared(monkeypatch):
    def ended_where_searched(task):
        if task.searched:
            return Evidence(Verdict.UNDECIDED, reason="the worker was ended")
        return task.run()

    monkeypatch.setattr(workers, "run_one", ended_where_searched)
    found = derive(["x = 1", "2*x = 2", "x = 2"])
    assert [one.word for one in found.steps] == ["proved", "supported", "refuted"]


# --- how it shows itself ---------------------------------------------------------------------------------


def test_derivation_shows_itself_as_a_table():
    found = derive(["x^2 = x", "x = 1"], given="x < 5")
    text = repr(found)
    assert "given x < 5" in text
    assert text.splitlines()[-1] == "refuted: line 2 is wrong"
    html = found._repr_html_()
    assert html.count("<tr>") == 3
    assert r"\(x^{2} = x\)" in html
    assert "a root is lost: x = 0" in html
    assert "$" not in html
    assert "&lt;" in derive(["x < 1", "x < 2"])._repr_html_()


def test_cell_magic(capsys):
    config = traitlets.config.Config({"HistoryManager": {"enabled": False}})  # leaves no file
    shell = InteractiveShell(config=config)
    shell.run_line_magic("load_ext", "dpbook.ext.ipython")
    cell = "given: x > 0\nx^2 = 9   # the equation\n\nx = 3     # take the root\n=> x > 2\n"
    found = shell.run_cell_magic("derive", "solved", cell)
    assert word(found) == "proved"
    assert [one.title for one in found.steps] == ["the equation", "take the root", ""]
    assert shell.user_ns["solved"] is found
    latex = "x^2 = \\frac{18}{2}\nimplies: \\left|x\\right| = 3\nx = \\pm 3\n"
    assert word(shell.run_cell_magic("derive", "", latex)) == "proved"
    assert word(shell.run_cell_magic("derive", "", "given x > 0\nx^2 = 9\nx = 3")) == "proved"
    assert word(shell.run_cell_magic("derive", "", "given = 2\ngiven - 2 = 0")) == "proved"
    capsys.readouterr()
    shell.run_cell("%%derive\nx = 1\nx = (")
    shown = "".join(capsys.readouterr())
    assert "line 2: cannot read" in shown
    assert "Traceback" not in shown
    shell.run_cell("\n\n%%claim kept\nx^2 >= 0")  # blank lines may stand first
    assert shell.user_ns["kept"]
    shell.run_cell("%%claim kept\nx^2 >= (")
    assert "kept" not in shell.user_ns  # a result of before does not stand for it


# --- one object with the proofs of claims ---------------------------------------------------------------


def test_proof_of_a_claim_may_be_a_derivation():
    t = symbol("t", above=0)
    with sympy.evaluate(False):
        lines = [Eq((t + 1) ** 2 - t**2, (t + 1) ** 2 - t**2), Eq((t + 1) ** 2 - t**2, 2 * t + 1)]

    @claim("note-square-step", proof=lambda: derive(lines))
    def difference_of_squares():
        """Difference of two squares."""
        return Eq((t + 1) ** 2 - t**2, 1 + 2 * t)

    assert isinstance(difference_of_squares.proof, Derivation)
    evidence = decided(Certified(difference_of_squares.task(), {}))
    assert evidence.verdict is Verdict.PROVED
    assert evidence.method == "kernel"


def test_derivation_of_expressions_becomes_a_proof_by_equalities():
    found = derive(["(x + 1)^2", "x^2 + 2*x + 1", "x*(x + 2) + 1"]).forwards()
    assert [str(one.tree.op) for one in found.steps] == ["==", "=="]


def test_step_of_a_proof_is_a_step_of_a_derivation():
    x = symbol("x", above=0)
    made = step("take logarithms", Le(log(x), x - 1))
    assert isinstance(made, Step)
    assert isinstance(made.tree, Relation)
    assert made.verdict is Verdict.UNDECIDED
    titled = derive([Step("start", Eq(exp(x), 2)), Step("take logarithms", Eq(x, log(2)))])
    assert word(titled) == "proved"
    assert "take logarithms" in repr(titled)


def test_public_names():
    assert {"derive", "implies"} <= set(dpbook.__all__)


ADVANCED = "exp(-t^2/(2*k*epsilon^2)) = delta"
RANGES = ["t > 0", "k > 0", "epsilon > 0", "delta > 0", "delta < 1"]


def test_a_step_that_solves_for_what_an_equation_defines_by_a_logarithm_is_decided():
    """The domain of the way back has points with a logarithm in a coordinate only."""
    right = derive([ADVANCED, "t^2 = 2*k*epsilon^2*log(1/delta)"], given=RANGES)
    assert right.steps[1].evidence.verdict is Verdict.PROVED  # after a longer search, by the kernel
    wrong = derive([ADVANCED, "t^2 = k*epsilon^2*log(1/delta)"], given=RANGES)
    assert wrong.verdict is Verdict.REFUTED
    assert wrong.first_wrong == 1
