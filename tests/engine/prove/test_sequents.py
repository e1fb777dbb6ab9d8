"""Existence, orders of growth, limits and failures as sequents: what stands for a statement, and what does not."""

import textwrap
from pathlib import Path

import pytest

from dpbook.engine.claims import catalog, proof_files, topics
from dpbook.engine.claims.claim import REGISTRY
from dpbook.engine.claims.confirm import Confirm
from dpbook.engine.claims.on_record import says_something, task_on_record
from dpbook.engine.language.terms import Untranslatable
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.prove.certify import certify, certify_failure
from dpbook.engine.prove.large_values import refuse_bounded, sequents_for
from dpbook.engine.prove.refutation_sequents import failing, kernel_point, refutes
from dpbook.engine.prove.sequents import bounded, near, same_statement, witnessed
from dpbook.kernel import Rejected, check
from dpbook.kernel.files.replay import replay
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.terms import parse_term

NOTATION = """
from sympy import Abs, Ge, Le, Eq, exp, log
from dpbook import claim, symbol
from dpbook.engine.language.statement import Eventually, Exists, Order, Recurrence
x, y = symbol("x", above=0), symbol("y", above=0)
c = symbol("c", above=0, below=x)
k = symbol("k", integer=True, at_least=0)
n = symbol("n", integer=True, at_least=1)
m = symbol("m", integer=True, at_least=1)
"""


@pytest.fixture
def made(tmp_path):
    """Make the claim of an expression."""

    def make(statement, given="[]", proof="None"):
        path = tmp_path / "growing.py"
        text = f'''
            @claim("eq-1", given=lambda: {given}, proof={proof})
            def one():
                """A statement."""
                return {statement}
        '''
        path.write_text(NOTATION + textwrap.dedent(text), encoding="utf-8")
        [claim] = catalog.load_anew(topics.at(path))[0]
        return claim

    yield make
    for key in [key for key in REGISTRY if key.startswith("growing:")]:
        del REGISTRY[key]


# --- existence ------------------------------------------------------------------------------------


def test_witness_must_lie_in_its_range_and_meet_the_conditions_on_it(made):
    claim = made("Exists(Le(c, y), {c: x / 2})", "[c < y, x < y]")
    sequent = witnessed(claim.form, claim.given)
    assert [str(h) for h in sequent.hypotheses] == ["x > 0", "y > 0", "x < y"]
    assert dict(sequent.variables) == {"x": "real", "y": "real"}
    shown = str(sequent.goal)
    for part in ("x*(1/2) <= y", "x*(1/2) > 0", "x*(1/2) < x", "x*(1/2) < y"):
        assert part in shown
    found = certify(claim.task())
    assert found is not None
    assert same_statement(claim.form, claim.given, found.sequent)


def test_witness_outside_of_its_range_is_none(made):
    claim = made("Exists(Le(c, y), {c: 2 * x})", "[2 * x < y]")
    assert certify(claim.task()) is None


def test_witness_that_uses_what_is_bound_is_refused(made):
    claim = made("Exists(Le(c * y, 1), {c: y, y: x})")
    with pytest.raises(Untranslatable, match="bound"):
        witnessed(claim.form, claim.given)


# --- order and limits -----------------------------------------------------------------------------


def test_order_has_a_constant_and_a_threshold_that_do_not_move(made):
    claim = made("Order(3 * n + x, n, n)")
    right = bounded(claim.form, claim.given, parse_term("3 + x"), parse_term("1"))
    assert "abs(n)" in str(right.goal)
    for constant, threshold, stands in (
        ("4", "x", True),
        ("4", "n", False),
        ("n", "1", False),
        ("4", "oo", False),
    ):
        sequent = bounded(claim.form, claim.given, parse_term(constant), parse_term(threshold))
        assert same_statement(claim.form, claim.given, sequent) is stands
    other = made("Order(4 * n + x, n, n)")
    assert not same_statement(other.form, other.given, right)
    stated = made("Order(3 * n + x, n, n, constant=5, threshold=2)")
    with pytest.raises(Untranslatable):
        bounded(stated.form, stated.given, parse_term("6"), parse_term("2"))
    with pytest.raises(Untranslatable):
        bounded(stated.form, stated.given, parse_term("5"), parse_term("3"))


@pytest.mark.parametrize(("threshold", "stands"), [("7", True), ("x", True), ("m", False)])
def test_threshold_does_not_use_what_is_tied_to_the_index(made, threshold, stands):
    claim = made("Order(n, n, n)", "[m >= n / 2]")
    one = parse_term("1")
    sequent = bounded(claim.form, [*claim.given], one, parse_term("7"))
    assert same_statement(claim.form, claim.given, sequent)
    wide = made("Order(n * x, n * x, n)", "[m >= n / 2]")
    sequent = bounded(wide.form, wide.given, one, parse_term(threshold))
    assert same_statement(wide.form, wide.given, sequent) is stands


def test_limit_is_reached_within_every_error(made):
    claim = made("Order(x, n, n, limit=0)", proof="lambda: [('a rate', Le(Abs(x / n), x / n))]")
    found = certify(claim.task())
    assert found is not None
    hypotheses = [str(h) for h in found.sequent.hypotheses]
    assert hypotheses == ["n >= 1", "x > 0", "error > 0", "n >= x/error"]
    assert same_statement(claim.form, claim.given, found.sequent)
    for wrong in ("n >= n", "n >= n + x/error"):
        data = found.sequent.to_json()
        data["given"] = [*data["given"][:-1], wrong]
        assert not same_statement(claim.form, claim.given, sequent_from_json(data))
    data = found.sequent.to_json()
    data["given"] = [h for h in data["given"] if h != "error > 0"]
    assert not same_statement(claim.form, claim.given, sequent_from_json(data))
    data = {**found.sequent.to_json(), "given": [*data["given"], "error > 0", "error > 1"]}
    assert not same_statement(claim.form, claim.given, sequent_from_json(data))


def test_exponent_of_a_rate_may_be_a_letter(made):
    steps = "lambda: [('a rate', Le(Abs(x * n**(-1 / y)), x * n**(-1 / y)))]"
    claim = made("Order(x * n**(-1 / y), 1, n, limit=0)", proof=steps)
    found = certify(claim.task())
    assert found is not None
    assert "n >= (x/error)^y" in [str(h) for h in found.sequent.hypotheses]
    other = made("Order(x * n**(1 / y), 1, n, limit=0)")
    assert certify(other.task(), budget=20, depths=(0, 1)) is None


def test_wrong_limit_has_no_certificate(made):
    steps = "lambda: [('a rate', Le(Abs(x / n - 1), x / n))]"
    claim = made("Order(x, n, n, limit=1)", proof=steps)
    assert list(sequents_for(claim.form, claim.given, [s.tree for s in claim.proof.steps]))
    assert certify(claim.task(), budget=20, depths=(0, 1)) is None
    sequent = near(claim.form, claim.given, parse_term("x/error"))
    with pytest.raises(Rejected):
        check(sequent, {"rule": "auto"})


@pytest.mark.parametrize("statement", ["Order(n, n, n)", "Eventually(n, Ge(n, x), x)"])
def test_bounded_index_says_nothing(made, statement):
    claim = made(statement, "[n <= 5]")
    assert not says_something(claim)
    with pytest.raises(ValueError, match="unbounded above"):
        refuse_bounded(claim.task())
    # not even a certificate that the kernel accepts counts
    sequent = next(iter(sequents_for(claim.form, claim.given)))
    entry = {"sequent": sequent.to_json(), "certificate": {"rule": "auto"}}
    proof_files.write(proof_files.beside(_path(claim)), {claim.key: entry})
    assert task_on_record(claim, {}, {}) is None
    free = made(statement)
    assert says_something(free)


def _path(claim):
    return Path(claim.function.__code__.co_filename)


# --- failures -------------------------------------------------------------------------------------


def test_counterexample_is_checked_by_the_kernel(made):
    claim = made("Le(x * y, x + y)")
    point = {"x": "7", "y": "9/2"}
    [sequent] = failing(claim.form, claim.given, point)
    assert sequent.variables == sequent.hypotheses == ()
    found = certify_failure(claim.task(), point)
    assert found is not None
    assert refutes(claim.form, claim.given, point, found.sequent)
    assert not refutes(claim.form, claim.given, {"x": "7", "y": "5"}, found.sequent)
    entry = {
        "sequent": found.sequent.to_json(),
        "certificate": found.certificate,
        "point": point,
    }
    evidence = Confirm(claim.task(), tuple(point.items()), entry).run()
    assert (evidence.verdict, evidence.trusted) == (Verdict.REFUTED, ("kernel",))
    spoilt = {**entry, "certificate": {"rule": "auto"}}
    evidence = Confirm(claim.task(), tuple(point.items()), spoilt).run()
    assert evidence.trusted != ("kernel",)
    assert "rejected" in evidence.certificate


@pytest.mark.parametrize(
    "point",
    [
        {"x": "2", "y": "2"},  # both sides are equal
        {"x": "-1", "y": "-4"},  # out of the domain
        {"x": "1", "y": "1"},
    ],
)
def test_point_that_refutes_nothing_has_no_certificate(made, point):
    claim = made("Le(x * y, x + y)")
    assert certify_failure(claim.task(), point) is None


@pytest.mark.parametrize("point", [{}, {"x": "7"}, {"x": "7", "y": "x"}, {"x": "7", "y": "1/"}])
def test_point_must_give_every_variable_a_number(made, point):
    claim = made("Le(x * y, x + y)")
    with pytest.raises(Untranslatable):
        failing(claim.form, claim.given, point)


def test_integer_stays_one_and_conditions_hold_at_the_point(made):
    claim = made("Le(n, 2)", "[n < 4]")
    assert certify_failure(claim.task(), {"n": "3"}) is not None
    assert certify_failure(claim.task(), {"n": "5/2"}) is None
    assert certify_failure(claim.task(), {"n": "4"}) is None


def test_coordinates_may_be_stated_by_others():
    point = [("b", "a + log(2)"), ("a", "sqrt(2)")]
    assert kernel_point(point) == {"b": "2^(1/2) + log(2)", "a": "2^(1/2)"}


def test_sequence_is_followed_to_its_failure(made):
    claim = made("Recurrence(lambda before: 2 * before, 1, k + 1, k)")
    assert certify_failure(claim.task(), {"k": "1"}) is None  # 2 is right
    assert certify_failure(claim.task(), {"k": "2"}) is not None


def test_existence_is_refuted_for_every_value(made):
    claim = made("Exists(Le(y, -x), {y: 1})")
    found = certify_failure(claim.task(), {})
    assert found is not None
    assert dict(found.sequent.variables) == {"x": "real", "y": "real"}
    assert refutes(claim.form, claim.given, {}, found.sequent)
    true = made("Exists(Le(y, x), {y: 2 * x})")  # another witness would do
    assert certify_failure(true.task(), {}, budget=20, depths=(0, 1)) is None


def test_refuted_claim_is_no_lemma():
    node = {"rule": "auto"}
    sequent = {"variables": {}, "given": [], "goal": "1 > 0"}
    uses = {"rule": "lemma", "name": "t:a", "premises": [node]}
    entries = {
        "t:a": {"sequent": sequent, "certificate": node, "point": {}},
        "t:b": {"sequent": sequent, "certificate": uses},
    }
    first, second = replay(entries)
    assert first.rejected is None
    assert "refuted" in str(second.rejected)
