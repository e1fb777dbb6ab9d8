"""The table of functions against SymPy's values: where a function is said to be defined, and only there."""

import inspect
from itertools import product

import pytest
import sympy
from sympy import Rational

from dpbook.engine.language.terms import _NAMES
from dpbook.kernel import check
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Is, Relation, Sequent, parse_formula
from dpbook.kernel.normal.facts import Functions
from dpbook.kernel.normal.polynomials import Poly
from dpbook.kernel.table import ARITIES, FUNCTIONS, PARAMETERS
from dpbook.kernel.terms import call, num, var
from tests.kernel.instances import filled

SYMPY = {name: getattr(sympy, known) for known, name in _NAMES.items()}
AT = [Rational(*a) for a in ((-5, 2), (-1, 1), (-1, 2), (0, 1), (1, 3), (1, 1), (2, 1))]
LIMITED = [name for name, row in FUNCTIONS.items() if row.domain and not name.startswith("if")]


def sequent(names, given, goal):
    return Sequent(tuple((n, "real") for n in names), (), tuple(given), goal)


def value(name, arguments):
    """Return SymPy's value, a finite real number; None where there is none."""
    if name == "polygamma" and not (arguments[0].is_Integer and arguments[0] >= 0):
        return None
    found = SYMPY[name](*arguments)
    if found.has(sympy.zoo, sympy.oo, sympy.nan):
        return None
    number = complex(sympy.N(found, 20))
    real = abs(number.imag) < 1e-12 and number.real == number.real and abs(number.real) < 1e12
    return number.real if real else None


def inside(name, arguments):
    """Whether the kernel shows that the function is defined at numbers."""
    s = sequent((), (), Is("defined", call(name, *map(num, arguments))))
    try:
        check(s, filled(s, {"rule": "defined"}))
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("name", LIMITED)
def test_function_has_a_value_where_the_table_says_so(name):
    row = FUNCTIONS[name]
    points = list(product(AT, repeat=row.arguments)) if row.arguments < 3 else []
    if row.arguments > 2:
        points = [(Rational(2), Rational(3), low, high) for low, high in product(AT, repeat=2)]
    outside = [p for p in points if not inside(name, p)]
    assert all(value(name, p) is not None for p in points if p not in outside)
    if not row.wider:
        assert all(value(name, p) is None for p in outside)


@pytest.mark.parametrize("name", [name for name in LIMITED if FUNCTIONS[name].wider])
def test_that_a_wider_function_is_defined_says_nothing(name):
    row = FUNCTIONS[name]
    names = PARAMETERS[: row.arguments]
    term = call(name, *map(var, names))
    for source in row.domain:
        goal = parse_formula(source)
        if not isinstance(goal, Relation):
            continue
        given = (Is("defined", term), Relation(var("z"), "==", term))
        with pytest.raises(Rejected):
            check(sequent((*names, "z"), given, goal), {"rule": "auto"})


def test_that_a_power_is_defined_bounds_its_base_for_a_number_alone():
    root, general = parse_formula("defined(x^(1/2))"), parse_formula("defined(x^y)")
    goal = parse_formula("x >= 0")
    check(sequent("xy", [root], goal), {"rule": "auto"})
    with pytest.raises(Rejected):
        check(sequent("xy", [general], goal), {"rule": "auto"})


def test_a_function_finds_no_method_but_its_own():
    """What is known of a function stands in the method of its name: polynomials in, one out."""
    found = [name for name in FUNCTIONS if hasattr(Functions, f"_{name}")]
    assert len(found) > 25
    for name in found:
        method = getattr(Functions(), f"_{name}")
        method = getattr(method, "func", method)
        told = inspect.signature(method, eval_str=True)
        taken = [p for p in told.parameters.values() if p.annotation is Poly]
        several = any(p.kind is p.VAR_POSITIONAL for p in taken)
        assert several or len(taken) == ARITIES[name], name
        assert told.return_annotation in (Poly, Poly | None), name
