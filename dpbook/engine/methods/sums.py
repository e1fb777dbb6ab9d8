"""Sums in closed form, by lemmas whose conditions are proved and by telescoping.

SymPy or an ansatz may propose a closed form; what decides is the exact identity
``F(j + 1) - F(j) = f(j)``, checked by the normal form.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Add, Dummy, Expr, Mul, Pow, S, Sum, Symbol

from dpbook.engine.budget import TimeUp, alarm
from dpbook.engine.definedness import NotUnderstood, obligations
from dpbook.engine.errors import unless_ours
from dpbook.engine.methods.identity import is_zero

Prove = Callable[[Expr, str], bool]


def close_sums(expression: Expr, prove: Prove, positive: Callable[[Expr], bool]) -> Expr:
    """Replace every sum that has a closed form, innermost first.

    Parameters
    ----------
    prove : callable
        ``prove(expr, op)`` proves ``expr op 0`` on the domain.
    positive : callable
        Sound positivity test for the normal form.
    """
    if not expression.has(Sum):
        return expression
    if isinstance(expression, Sum) and len(expression.limits) == 1:
        index, lower, upper = expression.limits[0]
        body = close_sums(expression.function, prove, positive)
        closed = _closed_sum(body, index, lower, upper, prove, positive)
        return closed if closed is not None else Sum(body, (index, lower, upper))
    if isinstance(expression, Sum):
        body = expression.function
        for limit in expression.limits:
            body = Sum(body, limit)
        return close_sums(body, prove, positive)
    return expression.func(*[close_sums(a, prove, positive) for a in expression.args])


def _closed_sum(
    body: Expr,
    index: Symbol,
    lower: Expr,
    upper: Expr,
    prove: Prove,
    positive: Callable[[Expr], bool],
) -> Expr | None:
    length = sympy.expand(upper - lower)
    if length.is_Integer and -1 <= length <= 40:
        return Add(*[body.subs(index, lower + i) for i in range(int(length) + 1)])
    if index not in body.free_symbols:
        return body * (upper - lower + 1)
    # 1. linear: each term on its own
    if lower == 0 and body.has(sympy.binomial):
        body = _products_split(body, sympy.binomial(upper, index), positive)
    expanded = sympy.expand(body)
    total: list[Expr] = []
    for term in Add.make_args(expanded):
        closed = _closed_term(term, index, lower, upper, prove, positive)
        if closed is None:
            return _proposed(body, index, lower, upper, prove, positive)
        total.append(closed)
    return Add(*total)


def _closed_term(
    term: Expr,
    index: Symbol,
    lower: Expr,
    upper: Expr,
    prove: Prove,
    positive: Callable[[Expr], bool],
) -> Expr | None:
    outside: list[Expr] = []
    base: Expr = S.One  # the geometric ratio
    constant: Expr = S.One
    polynomial: list[Expr] = []
    chosen = False  # a binomial coefficient, with the sum over all of its range
    for factor in Mul.make_args(term):
        if lower == 0 and factor == sympy.binomial(upper, index) and not chosen:
            chosen = True
            continue
        if index not in factor.free_symbols:
            outside.append(factor)
            continue
        b, e = (sympy.E, factor.args[0]) if isinstance(factor, sympy.exp) else factor.as_base_exp()
        if index not in b.free_symbols:
            slope = sympy.expand(sympy.diff(e, index))
            if index in slope.free_symbols:
                return None
            rest = sympy.expand(e - slope * index)
            # a power is taken apart: its parts must be numbers too, which 0 to a negative power is not
            whole = slope.is_nonnegative and rest.is_nonnegative
            if not (whole or b.is_positive or prove(b, ">") or prove(b, "!=")):
                return None
            base = base * (sympy.exp(slope) if b is sympy.E else Pow(b, slope))
            constant = constant * (sympy.exp(rest) if b is sympy.E else Pow(b, rest))
        elif factor.is_polynomial(index):
            polynomial.append(factor)
        else:
            return None
    p = sympy.expand(Mul(*polynomial))
    weight = Mul(*outside) * constant
    if chosen:
        moving = index in p.free_symbols
        fits = upper.is_integer and prove(upper, ">=") and (not moving or prove(1 + base, "!="))
        return _binomial_sum(weight, p, base, index, upper) if fits else None
    if base == 1:
        closed = _polynomial_sum(p, index, lower, upper)
        return None if closed is None else weight * closed
    if index in p.free_symbols:
        return None
    if not prove(1 - base, "!="):
        return None
    return weight * p * (Pow(base, lower) - Pow(base, upper + 1)) / (1 - base)


def _binomial_sum(weight: Expr, p: Expr, base: Expr, index: Symbol, n: Expr) -> Expr:
    """The binomial theorem, for a polynomial written in falling factorials of the index.

    The sum of binomial(n, k) b^k k...(k-j+1) is n...(n-j+1) b^j (1 + b)^(n-j).
    """
    total: Expr = S.Zero
    for degree, coefficient in enumerate(_newton(p, index)):
        falling = Mul(*(n - i for i in range(degree)))
        total += coefficient * falling * base**degree * Pow(1 + base, n - degree)
    return weight * total


def _newton(p: Expr, index: Symbol) -> list[Expr]:
    """Coefficients of a polynomial in falling factorials of the index."""
    found: list[Expr] = []
    for degree in range(sympy.degree(p, index) + 1 if index in p.free_symbols else 1):
        known = Add(*(c * sympy.ff(degree, j) for j, c in enumerate(found)))
        found.append(sympy.expand(p.subs(index, degree) - known) / sympy.factorial(degree))
    return found


def _products_split(body: Expr, chosen: Expr, positive: Callable[[Expr], bool]) -> Expr:
    """Write powers and logarithms of products with positive bases as products and sums."""

    def parts_of(e: Expr) -> list[tuple[Expr, Expr]] | None:
        parts = [f.as_base_exp() for f in Mul.make_args(e)]
        return parts if all(base == chosen or positive(base) for base, _ in parts) else None

    def split(e: Expr) -> Expr:
        if not e.args:
            return e
        e = e.func(*[split(a) if isinstance(a, Expr) else a for a in e.args])
        if isinstance(e, sympy.log):
            parts = parts_of(e.args[0])
            if parts is not None:
                return Add(*(power * sympy.log(base) for base, power in parts))
        if isinstance(e, Pow) and not e.exp.is_Integer:
            parts = parts_of(e.base)
            if parts is not None:
                return Mul(*(Pow(base, power * e.exp) for base, power in parts))
        return e

    return sympy.powsimp(split(body), combine="exp")


def _polynomial_sum(p: Expr, index: Symbol, lower: Expr, upper: Expr) -> Expr | None:
    """Faulhaber's closed form, verified by its own difference equation."""
    poly = sympy.Poly(p, index)
    if poly.degree() > 12:
        return None
    x = Dummy("x")
    antidifference: Expr = S.Zero
    for (k,), c in poly.terms():
        antidifference += c * (sympy.bernoulli(k + 1, x) - sympy.bernoulli(k + 1, 0)) / (k + 1)
    step = sympy.expand(antidifference.subs(x, x + 1) - antidifference - p.subs(index, x))
    if step != 0:
        return None
    return antidifference.subs(x, upper + 1) - antidifference.subs(x, lower)


def _proposed(
    body: Expr,
    index: Symbol,
    lower: Expr,
    upper: Expr,
    prove: Prove,
    positive: Callable[[Expr], bool],
) -> Expr | None:
    """An antidifference found by Gosper's algorithm, accepted only if it telescopes exactly.

    Premise: it is a number at every step. What has to hold for that and is free of the index is
    proved; what is not must be needed by the body as well, at the same index or the one before.
    """
    if body.has(Sum) or sympy.count_ops(body) > 60:
        return None
    try:
        with alarm(0.5):
            from sympy.concrete.gosper import gosper_term

            ratio = gosper_term(body, index)
            if ratio is None:
                return None
            candidate = ratio * body
    except (
        TimeUp,
        ValueError,
        TypeError,
        AttributeError,
        NotImplementedError,
        sympy.PolynomialError,
    ) as error:
        unless_ours(error)
        return None
    if not is_zero(candidate.subs(index, index + 1) - candidate - body, positive):
        return None
    if not _exists(candidate, body, index, prove):
        return None
    return candidate.subs(index, upper + 1) - candidate.subs(index, lower)


def _exists(candidate: Expr, body: Expr, index: Symbol, prove: Prove) -> bool:
    try:
        needed = obligations(candidate)
        own = [o.relation for o in obligations(body)]
    except NotUnderstood:
        return False
    own += [r.map(lambda e: e.subs(index, index - 1)) for r in own]
    for one in needed:
        relation = one.relation
        if one.variables or one.conditions:
            return False
        if index in relation.free_symbols:
            if relation not in own:
                return False
        elif not prove(relation.lhs - relation.rhs, relation.op):
            return False
    return True
