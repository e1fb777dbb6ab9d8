"""Find limits at infinity, for the few forms whose limit is certain; trust no library limit."""

from __future__ import annotations

import sympy
from sympy import Add, Expr, Mul, Pow, S, Symbol, oo

from dpbook.engine.language.domain import Bounds, Domain
from dpbook.engine.language.functions_of_sympy import BY_CLASS, limits_at_ends
from dpbook.engine.language.statement import evaluated


def limit_at_infinity(e: Expr, v: Symbol) -> Expr | None:
    """Return the limit of e as v tends to infinity: a finite expression, oo, -oo, or None.

    The limit is certain: of rational functions by their degrees, of polynomials times decaying
    exponentials, and of continuous functions of arguments that have a limit.
    """
    if v not in e.free_symbols:
        return e
    if e == v:
        return oo
    if e.is_rational_function(v):
        numerator, denominator = (sympy.Poly(part, v) for part in sympy.fraction(sympy.together(e)))
        if not denominator.LC().is_nonzero:
            return None
        lead = sympy.cancel(numerator.LC() / denominator.LC())
        if numerator.degree() < denominator.degree():
            return S.Zero
        if numerator.degree() == denominator.degree():
            return lead
        return oo if lead.is_positive else -oo if lead.is_negative else None
    if isinstance(e, Add):
        rational = [a for a in e.args if a.is_rational_function(v)]
        others = [a for a in e.args if not a.is_rational_function(v)]
        parts = ([Add(*rational)] if rational else []) + others
        limits = [limit_at_infinity(a, v) for a in parts]
        ends = {oo, -oo}.intersection(limits)
        if None in limits or len(ends) == 2:
            return _combined_logs(e, v)
        return ends.pop() if ends else Add(*limits)
    if isinstance(e, Mul):
        if _decaying(e, v):
            return S.Zero
        squeezed = _squeezed(e, v)
        if squeezed is not None:
            return squeezed
        limits = [limit_at_infinity(a, v) for a in e.args]
        if None in limits:
            return None
        finite = Mul(*[limit for limit in limits if limit not in (oo, -oo)])
        if oo not in limits and -oo not in limits:
            return finite
        far = oo * (-1) ** limits.count(-oo)
        return far if finite.is_positive else -far if finite.is_negative else None
    row = BY_CLASS.get(e.func)
    if row is not None and row.grows:
        inner = limit_at_infinity(e.args[0], v)
        if inner is None:
            return None
        if inner in (-oo, oo):
            return limits_at_ends(row)[inner == oo]
        if isinstance(e, sympy.log):
            return sympy.log(inner) if inner.is_positive else None
        return e.func(inner)
    if isinstance(e, Pow) and v in e.exp.free_symbols:
        exponent = limit_at_infinity(e.exp * sympy.log(e.base), v)
        if exponent is None or exponent == oo:
            return exponent
        return S.Zero if exponent == -oo else sympy.exp(exponent)
    if isinstance(e, Pow):
        inner = limit_at_infinity(e.base, v)
        if inner is None:
            return None
        if inner == oo:
            return oo if e.exp.is_positive else S.Zero if e.exp.is_negative else None
        if inner.is_positive:
            return Pow(inner, e.exp)
    return None


def exponent_of(e: Expr, varying: set[Symbol]) -> Expr | None:
    """Return u of ``exp(u)``, or of a power whose base is positive and free of some symbols."""
    if isinstance(e, sympy.exp):
        return e.args[0]
    if isinstance(e, Pow) and e.base.is_positive and not e.base.free_symbols & varying:
        return e.exp * sympy.log(e.base)
    return None


def _decaying(e: Expr, v: Symbol) -> bool:
    """Say whether a product is a rational function times exp(-p(v)) with p -> oo, and sines."""
    exponent = S.Zero
    for factor in Mul.make_args(e):
        u = exponent_of(factor, {v})
        if u is not None:
            exponent += u
        elif not factor.is_rational_function(v):
            base, power = factor.as_base_exp()  # a positive power of a sine is between -1 and 1
            if not (isinstance(base, (sympy.sin, sympy.cos)) and power.is_Integer and power > 0):
                return False
    exponent = sympy.expand(exponent)
    return exponent.is_polynomial(v) and limit_at_infinity(exponent, v) == -oo


def _combined_logs(e: Expr, v: Symbol) -> Expr | None:
    """Join c log(a) - c log(b) to c log(a / b) before taking the limit."""
    groups: dict[Expr, Expr] = {}
    rest: list[Expr] = []
    for term in Add.make_args(e):
        logs = [f for f in Mul.make_args(term) if isinstance(f, sympy.log)]
        if len(logs) == 1:
            c = sympy.cancel(term / logs[0])
            if v in c.free_symbols or not c.is_Rational:
                return None
            groups.setdefault(abs(c), S.One)
            groups[abs(c)] *= logs[0].args[0] ** (1 if c > 0 else -1)
        else:
            rest.append(term)
    if len(groups) != 1:
        return None
    ((c, u),) = groups.items()
    first = limit_at_infinity(sympy.cancel(u), v)
    second = limit_at_infinity(Add(*rest), v)
    if first is None or second is None:
        return None
    if first not in (S.Zero, oo) and not first.is_positive:
        return None
    log = -oo if first == S.Zero else sympy.log(first)
    if {log, second} == {oo, -oo}:
        return None
    return c * log + second


def _squeezed(e: Expr, v: Symbol) -> Expr | None:
    """Return the limit of c log(u) with u -> 1, between c (1 - 1/u) and c (u - 1)."""
    logs = [f for f in Mul.make_args(e) if isinstance(f, sympy.log)]
    if len(logs) != 1:
        return None
    u = logs[0].args[0]
    c = e / logs[0]
    rational = c.is_rational_function(v) and u.is_rational_function(v)
    if not rational or limit_at_infinity(u, v) != 1:
        return None
    above, below = (limit_at_infinity(sympy.cancel(c * bound), v) for bound in (u - 1, 1 - 1 / u))
    if above is None or below is None or above in (oo, -oo):
        return None
    return above if sympy.cancel(above - below) == 0 else None


# --- symbols with the signs of their ranges ---------------------------------------------------------


def signed(domain: Domain) -> tuple[Domain, dict[Symbol, Symbol]]:
    """Return the domain, evaluated, in symbols that SymPy knows the signs of; and these symbols.

    A symbol has the sign that its numeric range implies, also by a condition, and no other range.
    """
    plain: dict[Symbol, Symbol] = {}
    for v in domain.variables:
        kind = {"integer": True} if domain.bounds[v].integer else {"real": True}
        plain[v] = Symbol(v.name, **kind)
    moved = domain.map(lambda e: evaluated(e, plain), plain)
    moved = Domain(moved.variables, moved.bounds).with_conditions(*moved.conditions)
    signs = {v: _with_sign(v, moved.bounds[v]) for v in moved.variables}
    found = moved.map(lambda e: e.xreplace(signs), signs)
    return found, {old: signs[new] for old, new in plain.items()}


def _with_sign(variable: Symbol, bounds: Bounds) -> Symbol:
    assumptions: dict[str, bool] = {"integer": True} if bounds.integer else {"real": True}
    lower, upper = bounds.lower, bounds.upper
    if lower is not None and lower.is_number:
        if lower.is_positive or (lower.is_zero and bounds.lower_open):
            assumptions["positive"] = True
        elif lower.is_zero:
            assumptions["nonnegative"] = True
    if upper is not None and upper.is_number:
        if upper.is_negative or (upper.is_zero and bounds.upper_open):
            assumptions["negative"] = True
        elif upper.is_zero and "nonnegative" not in assumptions:
            assumptions["nonpositive"] = True
    if not assumptions.keys().isdisjoint({"positive", "nonnegative"}) and not (
        assumptions.keys().isdisjoint({"negative", "nonpositive"})
    ):  # an empty case, or the single point 0: no sign helps
        return variable
    return Symbol(variable.name, **assumptions)
