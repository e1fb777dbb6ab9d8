"""Write domains for SymPy, in symbols with the signs of their ranges."""

from __future__ import annotations

from sympy import Symbol

from dpbook.engine.language.domain import Bounds, Domain
from dpbook.engine.language.statement import evaluated


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
