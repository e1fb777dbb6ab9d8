"""Integrals by primitives: SymPy proposes one, and everything that makes it one is proved.

Let F be continuous on [a, b], or have limits at its ends, and let F' = f on (a, b). Then the integral of
f from a to b, improper where f is unbounded there, is F(b) - F(a) (Gordon 1994, chapters 9 and 12). What
is proved of a proposal: F is made of functions that are continuous where they are defined; F, F' and
f are defined on (a, b); F' - f is 0 there; F is defined at each end, or a limit rule gives its limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy
from sympy import Expr, Pow, S, Symbol, oo
from sympy.integrals.heurisch import heurisch

from dpbook.engine.budget import TimeUp, alarm
from dpbook.engine.definedness import NotUnderstood, obligations
from dpbook.engine.errors import LIBRARY_ERRORS, unless_ours
from dpbook.engine.methods.identity import is_zero
from dpbook.engine.methods.limits import limit_at, limit_beside
from dpbook.engine.methods.side_conditions import SideConditionProver
from dpbook.engine.statement import evaluated
from dpbook.engine.tactics import symbolic

SECONDS = 1.5  # for one proposal
# a primitive is made of these, of powers and of numbers: each is continuous where it is defined
CONTINUOUS = (
    *(sympy.exp, sympy.log, sympy.sin, sympy.cos, sympy.tan, sympy.asin, sympy.acos, sympy.atan),
    *(sympy.sinh, sympy.cosh, sympy.tanh, sympy.asinh, sympy.acosh, sympy.atanh),
    *(sympy.erf, sympy.erfc),
)
FAILURES = (TimeUp, sympy.PolynomialError, *LIBRARY_ERRORS)


def by_primitive(
    body: Expr, x: Symbol, a: Expr, b: Expr, means: SideConditionProver
) -> Expr | None:
    """Return the integral of f over (a, b), a <= b, where it is defined; None where no proposal is shown.

    The caller has proved that f is defined on (a, b).
    """
    tried: set[Expr] = set()
    for proposed in _proposals(body, x):
        for F in _real(proposed, x, a, b, means):
            if F in tried:
                continue
            tried.add(F)
            value = _value(F, body, x, a, b, means)
            if value is not None:
                return value
    return None


def _value(
    F: Expr, f: Expr, x: Symbol, a: Expr, b: Expr, means: SideConditionProver
) -> Expr | None:
    if not _continuous(F, x):
        return None
    slope = sympy.diff(F, x)
    inside = means.inside(x, a, b)
    if not (
        is_zero(slope - f, inside.positive)
        or any(is_zero(form(slope - f), inside.positive) for form in (_halved, _exponential))
        or means.prove_within(slope - f, "==", x, a, b)
    ):
        return None
    if not (means.defined(F, x, a, b, False) and means.defined(slope, x, a, b, False)):
        return None
    low = _at_end(F, x, a, True, means)
    high = None if low is None else _at_end(F, x, b, False, means)
    return None if low is None or high is None else high - low


def _halved(e: Expr) -> Expr:
    """Write sines and cosines of x, 2 x, ... in those of half the angle: sin(x) = 2 sin(x/2) cos(x/2)."""

    def whole(t: object) -> bool:
        return isinstance(t, (sympy.sin, sympy.cos)) and t.args[0].as_coeff_Mul()[0].is_integer

    def half(t: Expr) -> Expr:
        sine, cosine = sympy.sin(t.args[0] / 2), sympy.cos(t.args[0] / 2)
        return 2 * sine * cosine if isinstance(t, sympy.sin) else 2 * cosine**2 - 1

    return e.replace(sympy.tan, lambda u: sympy.sin(u) / sympy.cos(u)).replace(whole, half)


def _exponential(e: Expr) -> Expr:
    return e.rewrite(sympy.exp) if e.has(sympy.sinh, sympy.cosh, sympy.tanh) else e


# --- proposals ------------------------------------------------------------------------------------


def _proposals(body: Expr, x: Symbol) -> Iterator[Expr]:
    """Yield what SymPy takes for primitives; nothing of it is trusted."""
    ways: list[Callable[[], Expr | None]] = [
        lambda: symbolic.manual.manualintegrate(body, x),
        lambda: sympy.integrate(body, x),
        lambda: symbolic.manual.manualintegrate(sympy.apart(body, x), x),
        lambda: symbolic.manual.manualintegrate(sympy.expand(body), x),
        lambda: heurisch(body, x),
    ]
    for way in ways:
        symbolic.forget()
        try:
            with alarm(SECONDS):
                found = way()
        except FAILURES as error:
            unless_ours(error)
            continue
        if isinstance(found, Expr) and not found.has(sympy.Integral, sympy.nan, sympy.zoo, oo):
            yield found


def _real(F: Expr, x: Symbol, a: Expr, b: Expr, means: SideConditionProver) -> Iterator[Expr]:
    """Yield real forms of a proposal, branch by branch: its steps left out, its logarithms turned."""
    branches = [F]
    while any(e.has(sympy.Piecewise) for e in branches) and len(branches) < 12:
        whole = next(e for e in branches if e.has(sympy.Piecewise))
        part = sorted(whole.atoms(sympy.Piecewise), key=sympy.default_sort_key)[0]
        branches.remove(whole)
        branches += [whole.xreplace({part: value}) for value, _ in part.args]
    for branch in branches:
        flat = branch.replace(sympy.floor, lambda u: S.Zero)
        flat = flat.replace(
            lambda e: isinstance(e, (sympy.log, sympy.Abs)) and x in e.free_symbols,
            lambda e: _turned(e, x, a, b, means),
        )
        if not flat.has(sympy.I):
            yield flat
            yield from _simpler(flat)


def _simpler(F: Expr) -> Iterator[Expr]:
    for way in (sympy.factor_terms, sympy.together, sympy.simplify):
        try:
            with alarm(SECONDS):
                yield way(F)
        except FAILURES as error:
            unless_ours(error)
            continue


def _turned(e: Expr, x: Symbol, a: Expr, b: Expr, means: SideConditionProver) -> Expr:
    """Return log(-u) for log(u), and u or -u for |u|, where the sign of u is known inside the range."""
    u = e.args[0]
    negative = means.prove_within(u, "<", x, a, b)
    if isinstance(e, sympy.log):
        return sympy.log(sympy.expand(-u)) if negative else e
    if negative:
        return -u
    return u if means.prove_within(u, ">", x, a, b) else e


# --- continuity and ends --------------------------------------------------------------------------


def _continuous(F: Expr, x: Symbol) -> bool:
    """Whether an expression is made of functions that are continuous where they are defined."""
    if x not in F.free_symbols or x == F:
        return True
    if isinstance(F, Pow):
        if x in F.exp.free_symbols and not F.base.is_positive:
            return False
    elif not isinstance(F, (sympy.Add, sympy.Mul, *CONTINUOUS)):
        return False
    return all(_continuous(part, x) for part in F.args)


def _at_end(
    F: Expr, x: Symbol, end: Expr, from_above: bool, means: SideConditionProver
) -> Expr | None:
    """Return the value of a continuous F at an end of its range, or its limit there."""
    if end not in (-oo, oo) and _defined_at(F, x, end, means):
        return F.subs(x, end)
    others = sorted(F.free_symbols - {x}, key=sympy.default_sort_key)
    signed = {s: Symbol(s.name, positive=True) for s in others if means.prove(s, ">")}
    found = _limit(F.xreplace(signed), x, end.xreplace(signed), from_above)
    if found is None or found.has(oo, -oo, sympy.nan, sympy.zoo):
        return None
    return found.xreplace({new: old for old, new in signed.items()})


def _limit(F: Expr, x: Symbol, end: Expr, from_above: bool) -> Expr | None:
    """Return a limit that is certain: as it stands, or with x = exp(w), c + exp(-w), c + 1/w, w to oo."""
    w = sympy.Dummy("w", positive=True)
    if end in (oo, -oo):
        direct = limit_at(F, x, end)
        if direct is None and end == oo:
            direct = limit_at(sympy.expand(F.subs(x, sympy.exp(w))), w, oo)
        return direct
    beside = limit_beside(F, x, end, from_above)
    for step in (sympy.exp(-w), 1 / w):
        if beside is None:
            near = end + step if from_above else end - step
            beside = limit_at(sympy.expand(F.subs(x, near)), w, oo)
    return beside


def _defined_at(F: Expr, x: Symbol, end: Expr, means: SideConditionProver) -> bool:
    """Whether what F needs is proved at x = end, read off before the value is put in."""
    try:
        needed = obligations(F)
    except NotUnderstood:
        return False
    for one in needed:
        if one.variables or one.conditions:
            return False
        relation = one.relation.map(lambda side: evaluated(side.subs(x, end)))
        if not means.prove(relation.lhs - relation.rhs, relation.op):
            return False
    return True
