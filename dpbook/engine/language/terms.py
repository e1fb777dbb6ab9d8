"""Translate from SymPy to the kernel: expressions become terms, trees become formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial, reduce
from math import prod

import sympy
from sympy import Basic, Expr, Symbol

from dpbook.engine.language.domain import RangedSymbol, range_of, with_ranges
from dpbook.engine.language.function_symbols import Unknown, Value
from dpbook.engine.language.functions import FUNCTIONS
from dpbook.engine.language.statement import (
    Both,
    Every,
    Relation,
    Tree,
    as_tree,
    unfold_definitions,
)
from dpbook.kernel import formulas as k
from dpbook.kernel.formulas import Formula
from dpbook.kernel.table import ARITIES
from dpbook.kernel.terms import (
    CONSTANTS,
    MINUS_ONE,
    MINUS_OO,
    ONE,
    OO,
    Term,
    add,
    bind,
    call,
    mul,
    num,
    power,
    var,
)

_NAMES = {row.sympy: name for name, row in FUNCTIONS.items() if row.sympy}
_CONSTANTS = {sympy.pi: Term("pi"), sympy.E: call("exp", ONE), sympy.EulerGamma: Term("EulerGamma")}
_RESERVED = {*CONSTANTS, "and", "or", "all", "defined", "integer", "real", "sum", "product"}


class Untranslatable(ValueError):
    """Report an expression that the kernel has no term for."""


def name_of(symbol: Symbol) -> str:
    """Return the name of a symbol in a sequent."""
    name = re.sub(r"[^A-Za-z0-9_']", "_", symbol.name)
    if not re.match(r"[A-Za-z_]", name):
        name = "v" + name
    return name + "_" if name in _RESERVED or name == "integral" else name


def function_name(function: Unknown) -> str:
    """Return the name of an unknown function in a sequent."""
    name = re.sub(r"[^A-Za-z0-9_']", "_", function.name)
    return name + "_" if name in ARITIES or name in _RESERVED else name


def term_of(e: Basic) -> Term:
    """Return an expression, written out, as a term; nothing is evaluated.

    Raises
    ------
    Untranslatable
        Where the kernel knows no such function or number.
    """
    if isinstance(e, sympy.Rational):
        return num(Fraction(int(e.p), int(e.q)))
    if isinstance(e, Symbol):
        return var(name_of(e))
    if e in _CONSTANTS:
        return _CONSTANTS[e]
    if isinstance(e, sympy.Add):
        return add(*map(term_of, e.args))
    if isinstance(e, sympy.Mul):
        return mul(*map(term_of, e.args))
    if isinstance(e, sympy.Pow):
        base, exponent = e.args
        if base is sympy.E:
            return call("exp", term_of(exponent))
        below, above = term_of(base), _exponent(exponent)
        if below.head == "num" and below.value and above == MINUS_ONE:
            return num(1 / below.value)
        return power(below, above)
    if isinstance(e, (sympy.Sum, sympy.Product, sympy.Integral)):
        return _binder(e)
    if isinstance(e, sympy.Piecewise):
        return _piecewise(e)
    if isinstance(e, Value):
        return call(function_name(e.function), *map(term_of, e.at))
    name = _NAMES.get(type(e).__name__)
    # a function that somebody calls exp is not the exponential
    if name is None or type(e) is not getattr(sympy, type(e).__name__, None):
        raise Untranslatable(f"the kernel does not know {type(e).__name__}")
    args = [term_of(a) for a in e.args]
    if name in ("max", "min"):
        return reduce(partial(call, name), args)
    if name == "log" and len(args) == 2:
        return call("log", args[0]) / call("log", args[1])
    return call(name, *args)


def _exponent(e: Basic) -> Term:
    """Return an exponent as a term; an expression of numbers, such as -(1/2), becomes one number.

    The number decides which powers are defined.
    """
    found = term_of(e)
    if found.free or found.head == "num":
        return found
    value = _number(found)
    return found if value is None else num(value)


def _number(t: Term) -> Fraction | None:
    if t.head == "num":
        return t.value
    if t.head not in ("add", "mul", "pow"):
        return None
    parts = [value for value in map(_number, t.args) if value is not None]
    if len(parts) < len(t.args):
        return None
    if t.head != "pow":
        return sum(parts, Fraction(0)) if t.head == "add" else prod(parts, start=Fraction(1))
    base, exponent = parts
    if abs(exponent) > 64 or exponent.denominator > 1 or (base == 0 and exponent < 0):
        return None
    return base ** int(exponent)


def _binder(e: Expr) -> Term:
    head = {sympy.Sum: "sum", sympy.Product: "product", sympy.Integral: "integral"}[type(e)]
    found, inside = term_of(e.args[0]), e.args[0].free_symbols
    for limit in e.args[1:]:
        if len(limit) != 3:
            raise Untranslatable("an integral needs both ends")
        symbol, low, high = limit
        found = bind(head, found, _bound_name(symbol, inside), _end(low), _end(high))
        inside = (inside - {symbol}) | low.free_symbols | high.free_symbols
    return found


def _bound_name(symbol: Symbol, inside: Iterable[Symbol]) -> str:
    """Return the name of a bound symbol; no other symbol inside may have it in a sequent."""
    name = name_of(symbol)
    if any(other != symbol and name_of(other) == name for other in inside):
        raise Untranslatable(f"a bound symbol and another one are called {name}")
    return name


def _end(e: Basic) -> Term:
    if e is sympy.oo:
        return OO
    if e is sympy.S.NegativeInfinity or e == -sympy.oo:
        return MINUS_OO
    return term_of(e)


def _piecewise(e: Expr) -> Term:
    *parts, (value, condition) = e.args
    if condition != True:  # noqa: E712  (a SymPy object)
        raise Untranslatable("a piecewise expression needs a value for all other cases")
    found = term_of(value)
    for value, condition in reversed(parts):
        tree = as_tree(condition)
        if not isinstance(tree, Relation):
            raise Untranslatable("a condition of a piecewise expression must be one relation")
        found = _choice(tree, term_of(value), found)
    return found


def _choice(tree: Relation, first: Term, other: Term) -> Term:
    a, b = term_of(tree.lhs), term_of(tree.rhs)
    if tree.op == "!=":
        return call("ifeq", a, b, other, first)
    if tree.op in ("<", "<="):
        a, b = b, a
    return call({"==": "ifeq", ">": "ifgt", "<": "ifgt"}.get(tree.op, "ifge"), a, b, first, other)


# --- formulas -------------------------------------------------------------------------------------


def formula_of(tree: Tree) -> Formula:
    """Return a tree of relations, written out, as a formula."""
    if isinstance(tree, Relation):
        lhs, rhs = unfold_definitions(tree.lhs), unfold_definitions(tree.rhs)
        return k.Relation(term_of(lhs), tree.op, term_of(rhs))
    if isinstance(tree, Every):
        _bound_name(tree.variable, free_of([tree.tree, *tree.conditions]))
        variables, ranges = declared([tree.variable])
        (name, sort), *others = variables
        if others:
            raise Untranslatable("the range of a variable inside a statement must be numbers")
        conditions = (*ranges, *(assumed(formula_of(c)) for c in tree.conditions))
        given = tuple(p for c in conditions for p in k.flat(c))
        return k.All(name, sort, given, formula_of(tree.tree))
    parts = tuple(formula_of(part) for part in tree.parts)
    return k.And(parts) if isinstance(tree, Both) else k.Or(parts)


def natural(t: Term) -> bool:
    """Say whether a term is a whole number that is not negative."""
    return t.head == "num" and t.value.denominator == 1 and t.value >= 0


def plain(t: Term) -> bool:
    """Say whether a term is a polynomial as written, possibly with exp: so defined everywhere."""
    if t.head == "pow":
        return natural(t.args[1]) and plain(t.args[0])
    return t.head in ("num", "var", "pi") or (
        t.head in ("add", "mul", "exp") and all(map(plain, t.args))
    )


def conjunction(parts: tuple[Formula, ...]) -> Formula:
    """Return the conjunction of formulas; a single formula stays as it is."""
    return parts[0] if len(parts) == 1 else k.And(parts)


def strict(f: Formula) -> Formula:
    """Return the formula that all sides of a formula are defined, and then that it holds."""
    if isinstance(f, k.All):
        return k.All(f.name, f.sort, f.conditions, conjunction(k.flat(strict(f.body))))
    if isinstance(f, k.And) and any(isinstance(p, k.All) for p in f.parts):
        # a side may hold a variable that only its own part binds
        return k.And(tuple(q for p in f.parts for q in k.flat(strict(p))))
    sides = dict.fromkeys(t for t in k.terms_of(f) if not plain(t))
    return conjunction((*(k.Is("defined", t) for t in sides), *k.flat(f)))


def assumed(f: Formula) -> Formula:
    """Return a condition with the definedness that it brings along, alternative by alternative."""
    if isinstance(f, k.Or):
        return k.Or(tuple(assumed(p) for p in f.parts))
    if isinstance(f, k.And):
        return k.And(tuple(q for p in f.parts for q in k.flat(assumed(p))))
    if isinstance(f, k.All):
        return k.All(f.name, f.sort, f.conditions, conjunction(k.flat(assumed(f.body))))
    return strict(f)


def declared(symbols: Iterable[Symbol]) -> tuple[tuple[tuple[str, str], ...], list[Formula]]:
    """Return symbols, and the symbols in their ranges, as variables and hypotheses."""
    variables: dict[str, str] = {}
    ranges: list[Formula] = []
    for symbol in sorted(with_ranges(symbols), key=lambda s: s.name):
        whole = symbol.integer if isinstance(symbol, RangedSymbol) else bool(symbol.is_integer)
        name = name_of(symbol)
        if name in variables:
            raise Untranslatable(f"two symbols are called {name}")
        variables[name] = "integer" if whole else "real"
        ranges += [assumed(formula_of(r)) for r in range_of(symbol)]
    return tuple(variables.items()), ranges


def free_of(trees: Sequence[Tree]) -> set[Symbol]:
    """Return the free symbols of trees, written out."""
    return set().union(*(tree.map(unfold_definitions).free_symbols for tree in trees))
