"""What an adversary once got proved though it is false: no certificate, and none by hand either."""

import pytest
from sympy import Eq, Function, Integer, Integral, Rational, Sum, Symbol, exp, sqrt

from dpbook import symbol
from dpbook.engine.language.statement import Eventually, Every, Exists, ForAll, Relation
from dpbook.engine.language.task import make_task
from dpbook.engine.language.terms import Untranslatable, term_of
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.refutation_sequents import failing
from dpbook.engine.prove.sequents import sequent_of
from dpbook.engine.prove.tactics.core import Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel import Rejected, check
from tests.kernel.instances import IDENTITY, KNOWN, node, refuted, sequent

BUDGET = 6
DEFINED = node("defined")
PROPER = node("proper integral", DEFINED)
THIRD = "-x*(x - 3/2)*(x - 2) >= 0"
NEAR = "x > 1499999999999/1000000000000|x <= 2|-1 <= a|a <= 0|x >= a"
SLOPE = "(n - 1000)*sum(1/k^2, k, 1, n) == (n - 1000)*(sum(1/(k + 1)^2, k, 0, n - 1) + 7)"
LOGS = "integral(log(t) - log(t), t, -1, 1)"

# class, sequent, tempting certificates
FALSE = [
    ("a false constant", sequent("x", "", "1000000*(x^2 - 2)^2 + exp(1) > 27183/10000"), [refuted([["1", [0], None], ["1000000", [], "x^2 - 2"]]), node("bisect", tree="value"), KNOWN]),
    ("a false constant", sequent("", "", "exp(1) >= 27183/10000"), [node("bisect", tree="value"), KNOWN]),
    ("a closed end opened", sequent("y", "", "(1 + (y - 1234567/7654321)^2)^61 > 1"), [KNOWN, node("bisect", tree=["y", "1234567/7654321", "value", "value"]), node("monotone", KNOWN, DEFINED, DEFINED, KNOWN, variable="y", end="1234567/7654321", side="above", strict="slope")]),
    ("concavity between other ends", sequent("x a", NEAR, THIRD), [node("concave", DEFINED, DEFINED, DEFINED, variable="x", low="3/2", high="2"), node("concave", KNOWN, DEFINED, DEFINED, DEFINED, KNOWN, variable="x", low="3/2", high="2"), node("concave", DEFINED, DEFINED, DEFINED, KNOWN, variable="x", low="a", high="2")]),
    ("induction with a slope of 0", sequent(";n", "n >= 1000", SLOPE), [node("induct", KNOWN, variable="n", start="1000"), node("induct", IDENTITY, KNOWN, variable="n", start="1000"), IDENTITY]),
    ("a multiple of an undefined fact", sequent("a b", "a/b >= 1|b >= 0", "a >= b"), [node("change", KNOWN, fact=0, formula="a - b >= 0", factor="b"), node("restate", KNOWN, goal="a/b >= 1", factor="b")]),
    ("a multiple of an undefined fact", sequent("a b", "b != 0", "a^2/b*b > 0 or b*(1/b) == 2"), [KNOWN, node("or", IDENTITY, part=1)]),
    ("given is forgotten", sequent("x", "x > 0", "-1 > 0"), [KNOWN, node("substitute", KNOWN, fact=0, variable="x", value="-1")]),
    ("a captured name", sequent("x previous", "previous == x", "sum(previous, x, 1, 2) == sum(x, x, 1, 2)"), [node("rewrite", IDENTITY, equality=0), IDENTITY]),
    ("an integrand before it is defined", sequent("", "", "defined(integral(x/x, x, -1, 1)) and integral(x/x, x, -1, 1) == 2"), [node("and", PROPER, IDENTITY), node("and", node("proper integral", node("defined", KNOWN)), IDENTITY)]),
    ("an integrand before it is defined", sequent("", "", f"defined({LOGS}) and {LOGS} == 0"), [node("and", PROPER, IDENTITY), node("and", node("proper integral", node("defined", KNOWN)), IDENTITY)]),
    ("ends that are no integers", sequent(";n", "n >= 1", "defined(sum(1, k, 1, pi*n)) and sum(1, k, 1, pi*n) == pi*n"), [node("and", DEFINED, IDENTITY), node("and", node("defined", KNOWN), IDENTITY)]),
    ("assumptions of bound symbols", sequent("", "", "integral((t^2)^(1/2), t, -1, 1) == 0"), [IDENTITY, node("primitive", DEFINED, DEFINED, IDENTITY, integral="integral((t^2)^(1/2), t, -1, 1)", by="t^2/2")]),
    ("assumptions dropped", sequent("q", "", "q^2 != 2"), [node("residues", modulus=5), KNOWN, node("refute", KNOWN)]),
    ("two meanings of defined", sequent("x y", "y^x > 0", "y > 0"), [KNOWN, DEFINED]),
    ("two meanings of defined", sequent("x", "gamma(x) < 1", "x > 0"), [KNOWN, DEFINED]),
    ("a sort that was dropped", sequent("n", "n >= 0", "n^2 >= n"), [node("induct", IDENTITY, KNOWN, variable="n", start="0"), node("whole", KNOWN, hypothesis=0), refuted([["1", [1], None], ["1", [0, 0], None]])]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("false", "tempting"), [row[1:] for row in FALSE], ids=[kind for kind, *_ in FALSE]
)
def test_false_statement_has_no_certificate(false, tempting):
    assert Search(TACTICS, {}, BUDGET).solve(false, (0, 1)) is None
    for certificate in tempting:
        with pytest.raises(Rejected):
            check(false, certificate)


x, y = symbol("x"), symbol("y")
n = Symbol("n", integer=True)
k, t = Symbol("k", integer=True), Symbol("t", real=True)


@pytest.mark.parametrize(
    "statement",
    [
        1000000 * (x**2 - 2) ** 2 + exp(1) > Rational("2.7183"),
        (1 + (y - Rational(1234567, 7654321)) ** 2) ** 61 > 1,
        (Integral(sqrt(t**2), (t, -1, 1)), "==", 0),
        Eq((n - 1000) * Sum(1 / k**2, (k, 1, n)), (n - 1000) * (Sum(1 / (k + 1) ** 2, (k, 0, n - 1)) + 7)),
    ],
    ids=str,
)  # fmt: skip
def test_false_statement_is_not_certified(statement):
    assert certify(make_task(statement, [n >= 1000]), budget=BUDGET) is None


def test_conditions_of_a_form_are_not_forgotten():
    some = make_task(Exists((x, "<", 0), {x: -1}), [x > 0])
    assert "(-1) > 0" in str(sequent_of(some.form, some.given).goal)  # the witness must meet it
    assert certify(some, budget=BUDGET) is None


@pytest.mark.parametrize("own", [{"rational": True}, {"complex": True}, {"commutative": False}])
def test_symbol_whose_assumptions_have_no_range_is_refused(own):
    q = Symbol("q", **own)
    with pytest.raises(ValueError, match="q"):
        make_task((q**2, "!=", 2))


def test_sorts_are_a_part_of_a_statement():
    whole, real = (sequent(names, "n >= 0", "n^2 >= n") for names in (";n", "n"))
    assert whole.to_json() != real.to_json()


def test_form_that_says_nothing_has_no_certificate():
    bounded = Symbol("m", integer=True)
    try:
        task = make_task(Eventually(bounded, (bounded, "<", 11)), [bounded <= 10])
    except ValueError:
        return
    assert certify(task, budget=BUDGET) is None


def test_function_that_is_called_as_a_known_one_is_unknown():
    for name in ("exp", "Abs", "Max", "gamma"):
        with pytest.raises(Untranslatable, match="does not know"):
            term_of(Function(name)(x))


A, B = Symbol("k_", real=True), Symbol("k.", real=True)


@pytest.mark.parametrize(
    "form",
    [
        ForAll(Relation(Sum(A * B, (B, 1, 3)), "==", Integer(14))),  # else it is the sum of the squares
        ForAll(Relation(Sum(Sum(A * B, (B, 1, 3)), (A, 1, 3)), "==", Integer(42))),
        ForAll(Every(B, Relation(A, "==", B))),
        Exists(Relation(A, "!=", B), {A: 1, B: 2}),
    ],
    ids=["sum", "inner sum", "every", "exists"],
)  # fmt: skip
def test_two_symbols_of_one_name_in_a_sequent_are_not_taken_for_one(form):
    with pytest.raises(Untranslatable, match="called|one name"):
        sequent_of(form)


def test_point_does_not_refute_what_holds_for_every_value():
    """The value of the free t is none of the bound one, of which a condition speaks."""
    bound = Every(t, Relation(t, ">", Integer(0)), [Relation(t, ">", Integer(1))])
    with pytest.raises(Untranslatable, match="bound"):
        failing(ForAll(bound), (Relation(t, "==", Integer(-1)),), {"t": "-1"})
