"""Write domains in symbols for SymPy: plain symbols, or symbols with the signs of their ranges."""

from __future__ import annotations

from sympy import Expr, Symbol

from dpbook.engine.language.domain import Bounds, Domain
from dpbook.engine.language.statement import evaluated


def plain_domain(domain: Domain) -> tuple[Domain, dict[Symbol, Symbol]]:
    """Return the domain in plain symbols, evaluated; these symbols carry no ranges."""
    changes: dict[Symbol, Symbol] = {}
    for v in domain.variables:
        kind = {"integer": True} if domain.bounds[v].integer else {"real": True}
        changes[v] = Symbol(v.name, **kind)
    moved = domain.map(lambda e: evaluated(e, changes), changes)
    conditions = moved.conditions
    base = Domain(moved.variables, moved.bounds, ())
    return base.with_conditions(*conditions), changes


def signed(expr: Expr, domain: Domain) -> tuple[Expr, Domain]:
    """Give every variable the sign that its numeric range implies, so that SymPy may use it.

    Variables that neither the expression nor a condition connected with it mentions are left out.
    """
    changes = {v: _with_sign(v, domain.bounds[v]) for v in domain.variables}
    changes = {old: new for old, new in changes.items() if new != old}
    if changes:
        domain = domain.map(lambda e: e.xreplace(changes), changes)
        expr = expr.xreplace(changes)
    return expr, _trimmed(expr, domain)


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
        assumptions = {k: v for k, v in assumptions.items() if k in ("integer", "real")}
    if bool(variable.is_integer) == bounds.integer and all(
        variable.assumptions0.get(k) == v for k, v in assumptions.items()
    ):
        return variable
    return Symbol(variable.name, **assumptions)


def _trimmed(expr: Expr, domain: Domain) -> Domain:
    needed = set(expr.free_symbols)
    relations = [r.free_symbols for r in domain.relations()]
    growing = True
    while growing:
        growing = False
        for free in relations:
            if free & needed and not free <= needed:
                needed |= free
                growing = True
    if needed >= set(domain.variables):
        return domain
    variables = tuple(v for v in domain.variables if v in needed)
    conditions = tuple(c for c in domain.conditions if c.free_symbols & needed)
    bounds = {v: domain.bounds[v] for v in variables}
    return Domain(variables, bounds, conditions)
