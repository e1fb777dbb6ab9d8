"""Statements are kept as they were written, wherever they go."""

import copy
import os
import pickle
import time

import pytest
import sympy
from sympy import And, Eq, Integer, Le, Or, Symbol

from dpbook import Exists, check, derive, symbol
from dpbook.engine.language.statement import (
    AlreadyEvaluated,
    Both,
    Defined,
    Either,
    Every,
    ForAll,
    Noted,
    Order,
    Recurrence,
    Relation,
    StatementError,
    as_form,
    as_tree,
    entered,
    latex,
    nodes_of,
    refuse_long_products,
    typed,
    unfold_definitions,
)
from dpbook.engine.read.readings import read
from tests.reading import read_condition, read_line

x, y = symbol("x", above=0), symbol("y")
k, n = Symbol("k", integer=True), Symbol("n", integer=True)
with sympy.evaluate(False):
    POLE = as_tree(Eq(x / x, 1))


class Twice(Defined):
    def definition(self):
        return 2 * self.args[0]


def copied(thing):
    data = pickle.dumps(thing)
    with sympy.evaluate(False):
        return pickle.loads(data)


def test_fraction_keeps_its_pole_in_text_latex_and_copies():
    assert (str(POLE), POLE.latex()) == ("x/x = 1", r"\frac{x}{x} = 1")
    again = copied(POLE)
    assert again == POLE
    assert str(again) == "x/x = 1"


@pytest.mark.parametrize(
    "form",
    [
        ForAll(Both((POLE, Either((Relation(y, "<", x), Relation(y, ">", x)))))),
        Order(x, y, symbol("n", integer=True), limit=1),
        Noted("why"),
    ],
    ids=lambda form: type(form).__name__,
)
def test_form_survives_pickling(form):
    assert copied(form) == form
    assert str(copied(form)) == str(form)


def test_recurrence_survives_pickling():
    k = symbol("k", integer=True, at_least=0)
    form = Recurrence(lambda last: 2 * last, 1, 2**k, k)
    assert str(copied(form)) == str(form) == "x(k+1) = 2*x(k), x(0) = 1 gives x(k) = 2**k"


@pytest.mark.parametrize(
    ("bounds", "first", "latex"),
    [({"at_least": 0}, "0", "0"), ({"at_least": 1}, "1", "1"), ({"above": 1}, "2", "2"), ({}, "smallest k", r"\min k")],
)  # fmt: skip
def test_a_recurrence_says_where_it_starts(bounds, first, latex):
    k = symbol("k", integer=True, **bounds)
    form = Recurrence(lambda last: 2 * last, 2, 2**k, k)
    assert f", x({first}) = 2 gives" in str(form)
    assert rf"x_{{{latex}}} = 2 \;" in form.latex()


def test_range_of_a_symbol_survives_pickling():
    assert copied(x) == x
    assert copied(x) != symbol("x", above=1)


@pytest.mark.parametrize("mark", ["<=", "Le", Le])
def test_triple_may_name_its_relation(mark):
    assert as_tree((x, mark, y)) == Relation(x, "<=", y)


def test_single_equals_sign_is_read():
    assert as_tree((x, "=", y)).op == "=="


def test_and_or_and_lists_are_read():
    assert isinstance(as_tree(And(x < y, y < 2)), Both)
    assert isinstance(as_tree(Or(x < y, y < 2)), Either)
    assert as_tree([(x, "<", y)]) == Relation(x, "<", y)


@pytest.mark.parametrize("value", [True, sympy.false])
def test_folded_statement_is_told_apart(value):
    with pytest.raises(AlreadyEvaluated) as caught:
        as_tree(value)
    assert caught.value.value is bool(value)


@pytest.mark.parametrize("thing", [x, "x > 0 and", [], 3])
def test_what_is_no_statement_is_refused(thing):
    with pytest.raises(StatementError):
        as_tree(thing)


def test_float_is_refused_with_its_exact_form():
    with pytest.raises(StatementError, match=r"0\.1.*Rational\('1/10'\)"):
        as_tree((x, "<", 0.1))


@pytest.mark.parametrize(
    "decided",
    [
        lambda: check("Product(k, k, 1, 10^7) > 0"),
        lambda: check("x + Product(k, k, 1, 10^7) > 0", given="x > 0"),
        lambda: check("x > 0", given="x > Product(k, k, 3, 10^6)"),
        lambda: check(sympy.Gt(sympy.Product(k, (k, 1, 10**7)), 0, evaluate=False)),
        lambda: derive(["x*Product(k, k, 1, 10^7)", "x"]),
    ],
)
def test_product_of_very_many_numbers_is_refused_before_anything_multiplies_them(decided):
    started = time.process_time()
    with pytest.raises(ValueError, match=r"a product of \d+ factors is too long"):
        decided()
    assert time.process_time() - started < 5  # of work; 10^7 factors take 20 or more


def test_products_that_are_short_or_have_a_symbol_at_an_end_are_read():
    for side in (sympy.Product(k, (k, 1, 10**4)), sympy.Product(k, (k, 1, 10**7 * n))):
        refuse_long_products(side)


@pytest.mark.parametrize("op", ["==", "!=", "<", "<=", ">", ">="])
def test_negation_twice_is_the_relation(op):
    relation = Relation(x, op, y)
    assert relation.negated() != relation
    assert relation.negated().negated() == relation


def test_defined_name_stands_until_it_is_written_out():
    with sympy.evaluate(False):
        tree = as_tree((Twice(x) / Twice(x), "==", Integer(1)))
    assert "Twice(x)" in str(tree)
    assert tree.map(unfold_definitions).lhs.subs(x, 0) is sympy.nan  # the pole is still there


def test_relation_becomes_a_form_and_a_form_stays():
    assert as_form(Relation(x, ">", y)) == ForAll(Relation(x, ">", y))
    assert as_form(Noted("why")) == Noted("why")


def test_free_symbols_are_those_of_all_parts():
    z = Symbol("z")
    assert Both((Relation(x, "<", y), Relation(z, ">", x))).free_symbols == {x, y, z}


def test_sum_is_written_out_alike_however_often_it_was_built_again():
    i = sympy.Symbol("i", integer=True)
    with sympy.evaluate(False):
        once = sympy.Sum(x * i, (i, 0, 3))
        again = once.func(*once.func(*once.args).args)
    assert again != once  # SymPy adds a factor 1 whenever it builds a sum unevaluated
    assert unfold_definitions(again) == unfold_definitions(once)
    assert copied(unfold_definitions(once)) != unfold_definitions(once)
    assert unfold_definitions(copied(unfold_definitions(once))) == unfold_definitions(once)


def test_beta_function_is_set_with_the_names_of_its_symbols():
    alpha = symbol("alpha", above=0)
    assert latex(sympy.beta(alpha, 2)) == r"\operatorname{B}\left(\alpha, 2\right)"
    assert latex(sympy.beta(alpha, 2) ** 2) == r"\operatorname{B}^{2}\left(\alpha, 2\right)"


@pytest.mark.parametrize(
    "line", ["1/(1/x)", "2**(1/(1/x))", "x/(1/y) = 1/(1/x)", "x = 1/(1/y) or x > 1", "x**2/y"]
)
def test_what_is_typed_is_read_as_the_same(line):
    table = {name: sympy.Symbol(name, real=True) for name in "xy"}
    found = read_line(line, table)
    assert typed(found) == line
    assert read_line(typed(found), table) == found


@pytest.mark.parametrize("statement", [(y / y, "==", 1), (y / y, "==", 2), (y + 0 / y, ">=", y)])
def test_sides_that_sympy_may_have_folded_are_told(statement):
    left, _, right = statement
    assert check(statement).reason.startswith(f"its sides arrived as {left} and {right}: if they")
    written = "y/y = 1"
    assert "arrived as" not in check(written).reason
    with sympy.evaluate(False):
        kept = check((y / y, "==", 1))
    assert kept.verdict.value == "refuted"
    assert "arrived as" not in kept.reason


def test_a_condition_for_all_values_is_told_as_one():
    """It was told without its quantifier: another, stronger condition."""
    t = Symbol("t", real=True)
    under = Every(t, Relation(t**2, ">=", Integer(0)), (Relation(t, ">=", Integer(0)),))
    assert typed(under) == "t**2 >= 0 for all t, t >= 0"


def test_range_of_an_abbreviation_is_written_out():
    c = symbol("c", equals=lambda: Integer(1))
    x = symbol("x", above=c)
    assert x == symbol("x", above=1)
    assert pickle.loads(pickle.dumps(x)) == x
    assert copy.deepcopy(c) is copy.copy(c) is c


def test_exponentials_inside_each_other_are_printed_once_each():
    nested = x
    for _ in range(150):  # printed twice at each depth, this would take for ever
        nested = sympy.exp(nested, evaluate=False)
    assert as_tree(sympy.Gt(nested, 0, evaluate=False)).latex().count("e^") == 150


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("x*8*(1/3)", r"\frac{x \cdot 8}{3}"),
        ("x^2*8/(y*3)", r"\frac{x^{2} \cdot 8}{y \cdot 3}"),
        ("x/(y*(3*(x + 1)))", r"\frac{x}{y \cdot 3 \left(x + 1\right)}"),
        ("1/(2*3)", r"\frac{1}{2 \cdot 3}"),
        ("2*x/3", r"\frac{2 x}{3}"),
        ("2*(x + y)*3", r"2 \left(x + y\right) \cdot 3"),
        ("y^(-2)*x", r"\frac{x}{y^{2}}"),
        ("y^(-1)*3", r"\frac{3}{y}"),
        ("1 - x*3", r"1 - x \cdot 3"),
        ("(-1)*3", "- 3"),
        ("x - (-y)", r"x - \left(- y\right)"),
        ("x - (-(y*3))", r"x - \left(- y \cdot 3\right)"),
        ("1 - 2^x", "1 - 2^{x}"),
        ("1 - 3*x/4", r"1 - \frac{3 x}{4}"),
        ("x - (y + 1)", r"x - \left(y + 1\right)"),
        ("-(x + 1)*3/y - 1", r"- \frac{\left(x + 1\right) \cdot 3}{y} - 1"),
        ("-(2*x*3)", r"-2 x \cdot 3"),
        ("(-x*3)^2", r"\left(- x \cdot 3\right)^{2}"),
        ("x*y*2^x", r"x y \cdot 2^{x}"),
    ],
)
def test_a_number_behind_a_factor_has_a_dot_before_it(written, shown):
    expression = read_condition(f"0 = {written}").rhs
    assert latex(expression) == shown
    symbols = {s.name: s for s in expression.free_symbols}
    found = read(f"0 = {shown}", latex=True, factors=symbols).condition(symbols).rhs
    assert sympy.simplify(found - expression) == 0


def test_parts_come_in_the_order_of_arguments_whatever_the_hash_seed():
    largest = sympy.Max(*sympy.symbols("a:z", real=True))
    assert tuple(nodes_of(largest)) == (largest, *largest.args)


TEXT = "__import__('os').environ.setdefault('DPBOOK_WAS_EVALUATED', '1')"


@pytest.mark.parametrize(
    "made",
    [
        lambda: check((TEXT, "<", y)),
        lambda: check((y, "<", [TEXT])),
        lambda: check((y, "<", 2), given=[(TEXT, ">", 0)]),
        lambda: derive([("2", "<", TEXT)]),
        lambda: Exists((y, "<", 2), {y: TEXT}),
        lambda: Order(TEXT, 1, y),
        lambda: symbol("x", above=TEXT),
    ],
)
def test_text_within_a_statement_is_refused_and_never_evaluated(made):
    with pytest.raises(ValueError, match="an expression is needed, got"):
        made()
    assert "DPBOOK_WAS_EVALUATED" not in os.environ


@pytest.mark.parametrize("text", ["1/10", "-2", "0.25"])
def test_a_number_may_be_text(text):
    assert entered(text) == sympy.Rational(text)


@pytest.mark.parametrize("text", ["1/0", "1e9", "oo", "--1", " 1", "1/2/3", "", "x", "1_0"])
def test_other_text_is_no_number(text):
    with pytest.raises(ValueError, match="an expression is needed, got"):
        entered(text)
