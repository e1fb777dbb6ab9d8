"""Deciding: every form gets the verdict it deserves, for every seed and every letter."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest
import sympy
from sympy import And, Eq, Ge, Gt, Integral, Le, Lt, Max, Or, Rational, Symbol, exp, log, oo

import dpbook
from dpbook import check, symbol
from dpbook.engine.claims.check import decided_by
from dpbook.engine.evaluate.sampler import Sampler, ascending
from dpbook.engine.language.domain import case_domains
from dpbook.engine.language.statement import (
    Eventually,
    Exists,
    Noted,
    Order,
    Recurrence,
    Relation,
    Statistical,
    as_tree,
)
from dpbook.engine.language.task import make_task
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.refute.search import _exact_near
from dpbook.engine.run import decide, workers
from dpbook.engine.run.decide import tried

ROOT = next(p for p in Path(dpbook.__file__).resolve().parents if (p / "pyproject.toml").exists())
x, y = symbol("x"), symbol("y")
p = symbol("p", above=0)
n = symbol("n", integer=True, at_least=1)
t = Symbol("t", real=True)
with sympy.evaluate(False):
    POLE = Eq(x / x, 1)


def verdict(*arguments, **options):
    return check(*arguments, **options).verdict.value


# --- relations -----------------------------------------------------------------------------------


def test_method_and_base_of_a_proof_are_named():
    found = check(Ge(exp(x), 1 + x))
    assert found.verdict.value == "proved"
    assert found.method
    assert found.trusted


def test_counterexample_is_exact_and_lies_in_the_domain():
    found = check(Le(p**2, p))
    assert found.verdict.value == "refuted"
    value = Rational(found.counterexample.as_dict()["p"])
    assert value > 0
    assert value**2 > value


def test_conjunction_has_its_weakest_verdict_and_names_the_part():
    found = check([(x**2, ">=", 0), (x**2, ">", 0)])
    assert found.verdict.value == "refuted"
    assert found.reason == "the part x**2 > 0"
    assert verdict([(x**2, ">=", 0), (exp(x), ">", 0)]) == "proved"
    assert verdict(And(Gt(exp(x), 0), Gt(x, 0))) == "refuted"


@pytest.mark.parametrize("given", [[x > 1, x < 0], [Eq(x, 1), Eq(x, 2)], [x**2 < 0], [False]])
def test_contradictory_conditions_prove_nothing(given):
    with pytest.raises(ValueError, match="contradict"):
        check(Ge(x, 0), given)


def test_condition_that_floats_cannot_tell_draws_no_point():
    mass = Integral(Max(exp(-(t**2)) - x, 0), (t, -oo, oo))
    for condition in (Le(mass, p), Le(mass, p**2), Eq(mass, exp(p) + p)):
        assert verdict(Gt(x, p), [condition, x > 0]) == "undecided"
        sampler = Sampler(case_domains([x, p], [as_tree(condition)])[0])
        assert all(len(values) == 0 for values in sampler.floats(8).values())
        point = sampler.some()  # of a few simple points, whose integrals are enclosed
        assert point is None or sampler.contains(point)


def test_points_are_tried_where_the_values_of_integrals_take_too_long():
    arches = Integral(abs(sympy.cos(t)), (t, 0, 2 * sympy.pi))  # its value takes seconds
    found = tried(make_task((arches, "<=", Rational(39, 10)), time_limit=2))
    assert found.verdict.value == "refuted"


def test_a_proposed_point_may_be_irrational_and_must_be_exact():
    tie = (x**2 + exp(x), "!=", 2 + exp(sympy.sqrt(2)))
    for value, expected in ((sympy.sqrt(2), "refuted"), (oo, "supported"), (True, "supported")):
        found = tried(make_task(tie, candidates=[{x: value}], time_limit=2))
        assert found.verdict.value == expected
    with pytest.raises(ValueError, match="write it exactly"):
        make_task(tie, candidates=[{x: 0.5}])


def test_ranges_are_read_where_sympy_evaluates_nothing():
    conditions = [(x, ">=", 1), (x, ">", 2), (x, "<", 5), (x, "<=", 4)]
    with sympy.evaluate(False):
        (domain,) = case_domains([x], [as_tree(condition) for condition in conditions])
    assert str(domain) == "x > 2, x <= 4"


@pytest.mark.parametrize("folded", [True, False, sympy.false, x**2 >= 0])
def test_what_sympy_has_folded_is_an_error_that_names_the_remedy(folded):
    with pytest.raises(ValueError, match="evaluated it while it was built; pass it as text"):
        check(folded)


def test_evidence_is_true_where_the_statement_holds():
    proved, refuted, supported = check("x^2 >= 0"), check("x >= 1"), check("binomial(2, 5) = 0")
    assert proved
    assert not refuted
    assert not supported
    assert (proved.verdict, refuted.verdict) == ("proved", "refuted")
    assert {Verdict.PROVED: 1} == {"proved": 1}


def test_statement_without_a_variable_is_not_said_to_be_tried_at_points():
    found = check("binomial(2, 5) = 0")
    assert found.verdict is Verdict.SUPPORTED
    assert "points" not in repr(found)
    assert "not shown to be defined: upper index of a binomial, 2 >= 5" in repr(found)


def test_counterexample_shows_values_of_which_a_digit_is_known():
    assert "-0.37237612 > 0 is false" in repr(check("sin(10^100) > 0"))
    for given in ("n > 0", "n >= 1"):
        found = check("(1 + 1/n)^n < 2.7182818", given=given)
        assert found.verdict is Verdict.REFUTED
        assert "n = 10^60" in repr(found)
        assert found.counterexample.lhs == "2.7182818"


@pytest.mark.parametrize("folded", [True, x**2 >= 0, p > 0])
def test_condition_that_sympy_has_folded_decides_nothing(folded):
    assert verdict(Gt(x, 5), [folded]) == "refuted"
    assert verdict((x, "==", x + 1), folded) == "refuted"
    assert verdict(Gt(x, 5), [folded, Gt(x, 6)]) == "proved"


def test_part_that_sympy_has_folded_does_not_speak_for_the_others():
    assert verdict([x**2 >= 0, (x, ">", 5)]) == "refuted"
    assert verdict([(x, ">", 5), x**2 >= 0]) == "refuted"


def test_float_is_refused_with_the_remedy():
    with pytest.raises(ValueError, match=r"floating-point number 0\.5.*Rational"):
        check(Ge(x, 0.5))


def test_two_symbols_of_one_name_are_refused():
    with pytest.raises(ValueError, match="x"):
        check(Ge(x + Symbol("x", positive=True), 0))


@pytest.mark.parametrize(
    ("assumptions", "expected"),
    [({"positive": True}, "proved"), ({"nonnegative": True}, "refuted"), ({}, "refuted")],
)
def test_assumptions_of_a_stranger_become_ranges(assumptions, expected):
    assert verdict((Symbol("s", **assumptions), ">", 0)) == expected


def test_integers_are_integers():
    m = Symbol("m", integer=True)
    assert verdict(Ge(m**2, m)) == "proved"
    assert verdict(Ge(x**2, x)) == "refuted"
    found = check(Ge(m**2, 2 * m))
    assert found.counterexample.as_dict() == {"m": "1"}


def test_point_that_is_named_shows_that_a_narrow_domain_is_not_empty():
    a, b = symbol("a", above=0), symbol("b", above=0)
    at = {a: Rational(217, 71), b: Rational(1, 977)}
    narrow = [Le((a - at[a]) ** 2 + (b - at[b]) ** 2, 0), Lt(a * b**2, Rational(1, 300_000))]
    assert tried(make_task(Lt(a + b, 3), given=narrow)).verdict.value == "undecided"
    found = tried(make_task(Lt(a + b, 3), given=narrow, candidates=[at]))
    assert found.counterexample.as_dict() == {"a": "217/71", "b": "1/977"}


def test_undefined_point_refutes():
    found = check(POLE)
    assert found.verdict.value == "refuted"
    assert found.counterexample.as_dict() == {"x": "0"}
    assert "undefined" in found.counterexample.note
    assert verdict(POLE, [x > 0]) == "proved"
    assert verdict(Eq(log(x**2), 2 * log(x)), [x < 0]) != "proved"


def test_tie_refutes_what_is_strict_only():
    assert verdict(Le(2 * x, x**2 + 1)) == "proved"
    found = check(Lt(2 * x, x**2 + 1))
    assert found.verdict.value == "refuted"
    assert found.counterexample.as_dict() == {"x": "1"}


def test_condition_with_or_holds_in_every_case():
    outside = Or(Ge(x, 2), Le(x, -2))
    assert verdict(Ge(x**2, 4), [outside]) == "proved"
    found = check(Ge(x, 2), [outside])
    assert found.verdict.value == "refuted"
    assert Rational(found.counterexample.as_dict()["x"]) <= -2


def test_condition_with_equality_gives_irrational_counterexample():
    curve = [Eq(x**2, 2), x > 0]
    assert verdict(Eq(x**4, 4), curve) == "proved"
    found = check(Lt(x, 1), curve)
    assert found.verdict.value == "refuted"
    assert found.counterexample.as_dict() == {"x": "sqrt(2)"}


def test_statement_is_shown_as_written():
    found = check(POLE)
    assert found.statement == "x/x = 1"
    assert found.latex == r"\frac{x}{x} = 1"


@pytest.mark.parametrize("shape", [lambda z: Ge(z**2, z), lambda z: Ge(exp(z), 1 + z)])
def test_letter_does_not_change_the_verdict(shape):
    seen = []
    for name in ("x", "t", "zeta"):
        found = check(shape(symbol(name)))
        point = found.counterexample and tuple(found.counterexample.as_dict().values())
        seen.append((found.verdict, found.method, point))
    assert len(set(seen)) == 1


def test_hash_seed_does_not_change_the_answer(tmp_path):
    script = tmp_path / "ask.py"
    script.write_text(
        textwrap.dedent(
            """
            from dpbook import check
            for text in ("x^2*y^2 + 1 >= 2*x*y", "x*y <= x + y", "x^2 + y^2 > 0"):
                e = check(text)
                print(e.verdict, e.method, e.counterexample)
            """
        )
    )
    said = []
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, str(script)]
        said.append(subprocess.run(command, env=env, capture_output=True, text=True))
    assert said[0].stdout.count("\n") == 3, said[0].stderr
    assert said[0].stdout == said[1].stdout


# --- the other forms -----------------------------------------------------------------------------


def test_witness_proves_existence_and_a_wrong_one_does_not():
    e = symbol("e", above=0)
    assert verdict(Exists((e, "<", p), {e: p / 2})) == "proved"
    assert verdict(Exists((e, "<", p), {e: p})) != "proved"
    assert verdict(Exists((e, "<", p), {e: -p})) != "proved"  # outside the range of e


def test_what_no_value_satisfies_is_refuted_without_a_point():
    found = check(Exists((x**2 + 1, "<", 0), {x: p}))
    assert found.verdict.value == "refuted"
    assert "because: the negation is proved for every value" in repr(found)
    assert "counterexample" not in repr(found)
    assert str(found.counterexample) == "the negation is proved for every value"


def test_eventually_holds_from_its_threshold():
    assert verdict(Eventually(n, (2 * n + 3, "<=", n**2), 3)) == "proved"
    assert verdict(Eventually(n, (2 * n + 3, "<=", n**2), 2)) != "proved"
    assert verdict(Eventually(n, (n**2, "<=", n))) != "proved"


def test_limit_is_proved_and_a_wrong_one_refuted():
    assert verdict(Order(2 * n + 1, n, n, limit=2)) == "proved"
    assert verdict(Order(2 * n + 1, n, n, limit=3)) == "refuted"


def test_order_needs_a_constant_that_holds():
    assert verdict(Order(2 * n + 1, n, n, constant=3, threshold=1)) == "proved"
    assert verdict(Order(2 * n + 1, n, n, constant=2, threshold=1)) != "proved"


def test_recurrence_is_proved_and_a_false_form_refuted_at_an_index():
    k = symbol("k", integer=True, at_least=0)
    assert verdict(Recurrence(lambda last: 2 * last + 1, 0, 2**k - 1, k)) == "proved"
    found = check(Recurrence(lambda last: 2 * last + 1, 0, k**2, k))
    assert found.verdict.value == "refuted"
    assert int(found.counterexample.as_dict()["k"]) == 2


def test_what_is_noted_stays_noted():
    assert verdict(Noted("a definition")) == "noted"


# --- random procedures and what may go wrong in them ---------------------------------------------

HELPER = """
import os, time
def fair(rng, size): return 0.4
def close(rng, size): return 1e-8
def unfair(rng, size): return 1e-12
def hangs(rng, size): time.sleep(60)
def dies(rng, size): os._exit(3)
def greedy(rng, size): return float(len(bytearray(64 * 2**30)))
"""


@pytest.fixture
def helper(tmp_path, monkeypatch):
    (tmp_path / "procedures_on_trial.py").write_text(HELPER)
    monkeypatch.syspath_prepend(tmp_path)
    end_worker()  # a worker started before does not know the folder
    import procedures_on_trial

    yield procedures_on_trial
    sys.modules.pop("procedures_on_trial")
    end_worker()


def end_worker():
    for worker in workers._own:
        worker.kill()


def test_call_after_its_worker_was_killed_starts_another():
    assert verdict((x**2, ">=", 0)) == "proved"
    [worker] = workers._own
    os.kill(worker.process.pid, signal.SIGKILL)
    worker.process.wait()
    assert verdict((x**2, ">=", 0)) == "proved"


def test_worker_killed_in_the_middle_leaves_the_statement_undecided(helper):
    verdict(Noted("warm"))
    [worker] = workers._own
    threading.Timer(1.0, os.kill, (worker.process.pid, signal.SIGKILL)).start()
    found = check(Statistical(helper.hangs, "a test", 1), time_limit=8)
    assert found.verdict.value == "undecided"
    assert verdict((x**2, ">=", 0)) == "proved"


@pytest.mark.parametrize(
    ("name", "expected"), [("fair", "supported"), ("close", "supported"), ("unfair", "refuted")]
)
def test_random_procedure_is_refuted_at_its_error_and_never_proved(helper, name, expected):
    assert verdict(Statistical(getattr(helper, name), "a test", 100)) == expected


@pytest.mark.parametrize("name", ["hangs", "dies", "greedy"])
def test_procedure_that_goes_wrong_is_undecided_and_the_next_call_works(helper, name):
    assert verdict(Statistical(getattr(helper, name), "a test", 1), time_limit=0.5) == "undecided"
    assert verdict((x**2, ">=", 0)) == "proved"


def test_what_is_evaluated_at_no_point_is_not_supported():
    found = check("sum((-1)^k, k, 0, oo) = 1/2")
    assert found.verdict.value == "undecided"
    assert found.reason == "neither proved nor refuted; nothing varies in it"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"using": 3}, "using must be a claim's key, or several, got 3"),
        ({"seed": "a"}, "seed must be a whole number >= 0, got 'a'"),
        ({"time_limit": "5"}, "time_limit must be > 0 and <= 86400 seconds, got '5'"),
    ],
)
def test_options_of_a_wrong_type_are_named(option, message):
    with pytest.raises(ValueError, match=message):
        check("x > 0", **option)


def test_conditions_stand_with_what_was_found():
    found = check("sqrt(n^2) = n", given=["n in integers", "n >= 0"])
    assert found.given == ("n in integers", "n >= 0")
    assert "  given: n in integers; n >= 0\n" in repr(found)


def test_points_that_differ_by_rounding_keep_their_order():
    # equal numbers are sorted as the processor likes, and logarithms end in other digits
    noise = np.random.default_rng(1).uniform(-1e-14, 1e-14, 500)
    slack = np.concatenate([np.full(500, -1.0) + noise, [np.nan, -2.0]])
    assert list(ascending(slack)) == [501, *range(500), 500]


def test_points_near_a_tie_are_tried_where_sympy_reads_no_polynomial():
    p = sympy.Symbol("p", real=True)
    weight = p / sympy.sqrt(sympy.pi)
    side = p**2 + p * sympy.sqrt(sympy.pi) + 1
    with pytest.raises(sympy.PolynomialError):
        sympy.factor_list(side - weight, p)
    assert list(_exact_near({p: 0.5}, [Relation(side, ">", weight)]))


@pytest.mark.parametrize(
    ("statement", "given", "point"),
    [
        ("Sum(2^(-k), k, 1, oo) = 2", (), ()),
        ("Sum(1/2^k, k, 0, oo) < 1", (), ()),
        ("Sum(exp(-eps*k), k, 0, oo) <= 1/eps", "eps > 0", (("epsilon", "1"),)),
        ("Sum(x^k, k, 0, oo) = 1/(1 + x)", "0 < x < 1", (("x", "1/2"),)),
        ("Sum(x^k, k, 0, oo) = 1/(1 - x)", "-1 < x <= 1", (("x", "1"),)),  # no value at 1
    ],
)
def test_what_nothing_evaluates_is_refuted_by_the_kernel_alone(statement, given, point):
    found = check(statement, given)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample.point == point
    assert found.trusted[0] == "kernel"


@pytest.mark.parametrize("statement", ["Sum(1/k, k, 1, oo) = 3", "Sum((-1)^k, k, 0, oo) = 1/2"])
def test_a_series_without_a_value_is_not_refuted_by_a_convention(statement):
    assert check(statement).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        ("Sum(k, k, 1, n) = n*(n + 1)/2", "n >= 0"),
        ("Sum(k, k, 1, n - 1) = n*(n - 1)/2", "n >= 1"),
        (r"\sum_{k=1}^n k = \frac{n(n+1)}{2}", r"n \ge 1"),
    ],
)
def test_where_a_sum_ends_at_a_real_number_the_missing_condition_is_named(statement, given):
    found = check(statement, given)
    assert found.verdict is Verdict.REFUTED
    assert found.reason == 'for an integer n add the condition "n in integers"'
    assert check(statement, [given, "n in integers"]).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        ("exp(b)*r <= exp(-b)", ["b > 0", "r <= q", "q = exp(-2*b)"]),
        ("q*exp(s) = exp(s - s^2)", ["s = sqrt(t)", "q = exp(-t)", "t > 0"]),
    ],
)
def test_point_of_equations_that_are_not_rational_is_found(statement, given):
    """Without a point of the domain a proof might be vacuous, and would not count."""
    found = check(statement, given=given)
    assert found.verdict.value == "proved"
    assert "q" in dict(found.sample)


def test_open_equality_shows_its_digits_and_is_not_searched_for_a_refutation(monkeypatch):
    searched = []
    monkeypatch.setattr(decide, "certify_failure", lambda *_, **__: searched.append(1))
    found = decided_by(decide.answered, "integral(1/sqrt(9 - x^2), x, 0, 3/2) = pi/6")
    assert found.verdict is Verdict.UNDECIDED
    assert found.reason.endswith("both sides are 0.523598775598 to 12 digits")
    assert not searched


def test_what_is_shown_at_a_point_is_not_searched_for_a_refutation_there(monkeypatch):
    searched = []
    monkeypatch.setattr(decide, "certify_failure", lambda *_, **__: searched.append(1))
    found = decided_by(decide.answered, "integral(1/x^p, x, 1, oo) = 1/(p - 1)", "p > 1")
    assert found.verdict is Verdict.UNDECIDED
    assert not searched


@pytest.mark.parametrize("bound", [7, 7.4])
def test_failure_in_floating_point_alone_leaves_a_statement_undecided(bound):
    found = check(f"Sum(1/k, k, 1, n) <= {bound}", ["n in integers", "n >= 1"])
    assert found.verdict is Verdict.UNDECIDED  # the sum is 7.485 at n = 1000: too long to be exact
    assert "in floating point it fails at n = " in found.reason


def test_sum_that_does_not_fail_where_it_is_drawn_is_supported():
    found = check("Sum(1/k, k, 1, n) <= 20", ["n in integers", "n >= 1"])
    assert found.verdict is Verdict.SUPPORTED


def test_integral_from_the_upper_end_is_refuted():
    found = check("Integral(1, x, b, a) >= 0")
    assert found.verdict is Verdict.REFUTED
