"""Collect the relations that must be proved before both sides of a statement are real numbers.

The word "defined" gets its meaning at one place, in `evaluate.exact_points`, at a point:

- y**x has a value for y > 0; for y = 0 and x > 0 (it is 0); for y = 0 = x (it is 1); for y < 0 where
  x is an integer. A literal exponent p/q that is no integer needs y >= 0, also for odd q.
- Gamma and the functions made of it (Beta, polygamma, binomials, factorials, incomplete functions)
  have their usual values, also at negative arguments that are no poles.
- A sum or a product has integer ends, and the upper one is at least the lower one minus 1.

An obligation is sufficient for a value. It is `exact` where it is necessary as well. The
obligations of y**x and Gamma ask for more than a value needs (y > 0, a positive argument). A proof
may rest on any obligation. Lines of a derivation are compared by the points at which they are
defined; only exact obligations count for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import sympy
from sympy import Basic, Expr, Integral, Mul, Pow, Product, S, Sum, Symbol

from dpbook.engine.language.domain import Bounds
from dpbook.engine.language.errors import unless_ours
from dpbook.engine.language.functions_of_sympy import BY_CLASS, EVERYWHERE
from dpbook.engine.language.statement import (
    COMPARE,
    Relation,
    StatementError,
    as_tree,
    nodes_of,
    text,
)
from dpbook.kernel import formulas
from dpbook.kernel.defined import domain_of
from dpbook.kernel.table import FUNCTIONS as OF_THE_KERNEL
from dpbook.kernel.table import PARAMETERS
from dpbook.kernel.terms import Term


class NotUnderstood(ValueError):
    """Signal a function whose domain the engine does not know."""


@dataclass(frozen=True)
class Obligation:
    """Say that `relation` must hold on the domain, with further bound variables and conditions.

    Attributes
    ----------
    relation : Relation
    variables : tuple of (symbol, Bounds)
        Indices of sums and branches that the relation may use.
    conditions : tuple of Relation
        Relations that hold on the branch of a piecewise expression.
    why : str
        Such as "denominator", "logarithm".
    exact : bool
        Whether the obligation is necessary for a value. The obligations of Gamma, real powers and
        others ask for more than a value needs.
    """

    relation: Relation
    variables: tuple[tuple[Symbol, Bounds], ...] = ()
    conditions: tuple[Relation, ...] = ()
    why: str = ""
    exact: bool = True


_WORDS = {  # for a condition on an argument of a function; most are called "argument of NAME"
    "log": "argument of a logarithm",
    "gamma": "argument of Gamma",
    "loggamma": "argument of Gamma",
    "beta": "argument of Beta",
    "factorial": "argument of a factorial",
    "binomial u": "upper index of a binomial",
    "binomial v": "lower index of a binomial",
    **{
        f"{name} {place}": f"{what} of an incomplete {kind} function"
        for name, kind, parts in (
            ("lowergamma", "Gamma", {"u": "order", "v": "end"}),
            ("uppergamma", "Gamma", {"u": "order", "v": "end"}),
            ("betainc", "Beta", {"u": "order", "v": "order", "w": "end", "x": "end"}),
        )
        for place, what in parts.items()
    },
}


def obligations(expression: Expr) -> list[Obligation]:
    """Return the obligations under which an expression is a real number, innermost first.

    Raises
    ------
    NotUnderstood
        When it holds a function that the engine does not know.
    """
    return list(dict.fromkeys(_collected(expression, (), ())))


def plain_needs(expression: Expr) -> list[Obligation]:
    """Return the plain conditions without which an expression has no value.

    The list is empty also where the expression holds a function that the engine does not know.
    """
    try:
        found = obligations(expression)
    except NotUnderstood:
        return []
    return [one for one in found if one.exact and not one.variables and not one.conditions]


def inexact_terms(expression: Expr) -> frozenset[Basic]:
    """Return the terms whose obligations ask for more than a value needs.

    If two expressions have the same inexact terms, these terms have values at the same points in
    both. If the terms differ, nothing is known about these points.
    """
    found = set()
    for node in nodes_of(expression):
        if not isinstance(node, Expr) or not node.args:
            continue
        if isinstance(node, (Sum, Product, Integral, sympy.Piecewise)):
            found.add(node)
            continue
        inner = {o for a in node.args if isinstance(a, Expr) for o in obligations(a)}
        if any(not o.exact and o not in inner for o in obligations(node)):
            found.add(node)
    return frozenset(found)


def _collected(
    e: Expr, variables: tuple[tuple[Symbol, Bounds], ...], conditions: tuple[Relation, ...]
) -> Iterator[Obligation]:
    def need(
        left: Expr, op: str, right: Expr, why: str, exact: bool = True
    ) -> Iterator[Obligation]:
        if not (left.is_Rational and right.is_Rational and COMPARE[op](left, right)):
            yield Obligation(Relation(left, op, right), variables, conditions, why, exact)

    def inside(part: Expr) -> Iterator[Obligation]:
        return _collected(part, variables, conditions)

    if isinstance(e, (Sum, Product)):
        for index, lower, upper in e.limits:
            if lower.is_infinite or upper.is_infinite:
                raise NotUnderstood(f"the infinite sum {text(e)} has no closed form here")
            yield from inside(lower)
            yield from inside(upper)
            for end in (lower, upper):
                if not _integer(end, variables):
                    yield from need(sympy.floor(end, evaluate=False), "==", end, "end of a sum")
            yield from need(lower, "<=", upper + 1, "bounds of a sum")
            variables = (*variables, (index, Bounds(lower, False, upper, False, True)))
        yield from inside(e.function)
        return
    if isinstance(e, Integral):
        raise NotUnderstood(f"no lemma closes the integral {e}")
    if isinstance(e, sympy.Piecewise):
        for value, condition in e.args:
            if condition == True:  # noqa: E712  (a SymPy object)
                yield from inside(value)
                return
            relation = as_tree(condition)
            if not isinstance(relation, Relation):
                raise StatementError("a condition of a piecewise expression must be one relation")
            yield from inside(relation.lhs)
            yield from inside(relation.rhs)
            yield from _collected(value, variables, (*conditions, relation))
            conditions = (*conditions, relation.negated())
        yield from need(S.One, "<", S.Zero, "piecewise", False)
        return
    for argument in e.args:
        if isinstance(argument, Expr):
            yield from inside(argument)
    if not e.args:
        if e in (sympy.oo, -sympy.oo, sympy.zoo, sympy.nan) or e.has(sympy.I):
            yield from need(S.One, "<", S.Zero, f"{e} is not a real number", False)
        return
    if isinstance(e, (sympy.Add, Mul, *EVERYWHERE)):
        return
    if isinstance(e, Pow):
        if asked := _power(e.base, e.exp):
            yield from need(*asked)
        return
    row = BY_CLASS.get(e.func)
    if row is None:
        raise NotUnderstood(f"the function {e.func.__name__} is not understood")
    if isinstance(e, sympy.polygamma) and not (e.args[0].is_Integer and e.args[0] >= 0):
        raise NotUnderstood(f"polygamma needs an order that is a number, got {e.args[0]}")
    places = dict(zip(PARAMETERS, (*e.args, e.args[-1]), strict=False))
    for condition in domain_of(row.name):
        assert isinstance(condition, (formulas.Relation, formulas.Is))
        term = condition.term if isinstance(condition, formulas.Is) else condition.left
        (letter,) = term.free
        why = _WORDS.get(row.name) or _WORDS.get(f"{row.name} {letter}", f"argument of {row.name}")
        left, exact = _filled(term, places), not OF_THE_KERNEL[row.name].wider
        if isinstance(condition, formulas.Relation):
            yield from need(left, condition.op, _filled(condition.right, places), why, exact)
        elif not _integer(left, variables):  # the table asks for no other property
            yield from need(sympy.floor(left, evaluate=False), "==", left, why, exact)
    if isinstance(e, sympy.log) and len(e.args) > 1:
        yield from need(e.args[1], ">", S.Zero, "base of a logarithm")
        yield from need(e.args[1], "!=", S.One, "base of a logarithm")


def _filled(t: Term, places: dict[str, Expr]) -> Expr:
    """Put arguments in place of the letters of a term of the kernel's table, evaluating nothing."""
    if t.head == "var":
        return places[t.name]
    if t.head == "num":
        return sympy.Rational(t.value.numerator, t.value.denominator)
    return getattr(sympy, t.head)(*(_filled(u, places) for u in t.args), evaluate=False)


def _power(base: Expr, exponent: Expr) -> tuple[Any, ...]:
    """Return the condition of a power: both sides, the relation, and why; empty without any."""
    if exponent.is_Integer:
        return (base, "!=", S.Zero, "denominator") if exponent < 0 else ()
    if exponent.is_Rational:
        return base, ">" if exponent < 0 else ">=", S.Zero, "argument of a root"
    if base.is_Rational and base > 0 or base in (sympy.E, sympy.pi):
        return ()
    if exponent.is_Mul and len(exponent.args) == 2:
        sign, size = exponent.args
        if sign == -1 and size.is_Integer:
            return _power(base, -size)
    evaluated = _number(exponent)
    if evaluated.is_Rational:
        return _power(base, evaluated)
    if is_integer(exponent):
        # 0^0 = 1 for an integer exponent, as in polynomials: b != 0 or e >= 0
        held = (sympy.Abs(base, evaluate=False), exponent + 1)
        return sympy.Max(*held, evaluate=False), ">", S.Zero, "power"
    return base, ">", S.Zero, "base of a real power", False


def _integer(e: Expr, variables: tuple[tuple[Symbol, Bounds], ...]) -> bool:
    """Say whether an expression is an integer by its form; indices of outer sums are integers."""
    indices = {v: Symbol(v.name, integer=True) for v, bounds in variables if bounds.integer}
    moved = e.xreplace(indices)
    return is_integer(moved) or _integer_valued(moved)


def is_integer(e: Expr) -> bool:
    """Say whether SymPy knows that an expression, as written, is an integer; False if it fails."""
    try:
        return bool(e.is_integer)
    except (
        ArithmeticError,
        ValueError,
        TypeError,
        AttributeError,
        NotImplementedError,
        RecursionError,
    ) as error:
        unless_ours(error)
        return False


def _number(e: Expr) -> Expr:
    """Evaluate an exponent that is a number by its form: quotients, sums and products only."""
    if e.free_symbols or e.atoms(sympy.Function) or any(p.base == 0 for p in e.atoms(Pow)):
        return e
    value = e.doit()
    return value if value.is_Rational else e


def _integer_valued(e: Expr) -> bool:
    """Say whether a polynomial takes integer values at integers, such as n (n + 1) / 2.

    With a common denominator d, it does so if d divides the numerator for all residues modulo d.
    """
    symbols = sorted(e.free_symbols, key=str)
    if not 0 < len(symbols) <= 3 or not all(s.is_integer for s in symbols):
        return False
    if not e.is_polynomial(*symbols):
        return False
    with sympy.evaluate(True):
        poly = sympy.Poly(e, *symbols)
        if not all(c.is_Rational for c in poly.coeffs()):
            return False
        d, whole = poly.clear_denoms(convert=True)
        if int(d) ** len(symbols) > 2000:
            return False
        terms = [(powers, int(c)) for powers, c in whole.terms()]
    return all(
        sum(c * prod(map(pow, values, powers)) for powers, c in terms) % int(d) == 0
        for values in product(range(int(d)), repeat=len(symbols))
    )
