"""Find limits at infinity, for the few forms whose limit is certain; trust no library limit."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import arb, fmpq
from sympy import Add, Expr, Mul, Pow, S, Symbol, oo

from dpbook.engine.evaluate import evaluate_at
from dpbook.engine.evaluate.identity import is_zero
from dpbook.engine.evaluate.sampler import Sampler
from dpbook.engine.language.domain import Domain
from dpbook.engine.language.functions_of_sympy import BY_CLASS, limits_at_ends


def limit_at(e: Expr, v: Symbol, far: Expr) -> Expr | None:
    """Return the limit at an infinite end, for the few forms whose limit is certain, or None.

    Rational functions by their degrees, polynomials times decaying exponentials, and continuous
    functions of arguments that have a limit. No library limit is trusted.
    """
    if v not in e.free_symbols:
        return e
    if far == -oo:
        w = sympy.Dummy(v.name, positive=True)
        return _limit(e.subs(v, -w), w)
    return _limit(e, v)


def _limit(e: Expr, v: Symbol) -> Expr | None:
    """Return the limit of e as v tends to infinity: a finite expression, oo, -oo, or None."""
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
        limits = [_limit(a, v) for a in parts]
        if any(limit is None for limit in limits):
            return _combined_logs(e, v)
        ends = {limit for limit in limits if limit in (oo, -oo)}
        if len(ends) == 2:
            return _combined_logs(e, v)
        if ends:
            return ends.pop()
        return Add(*limits)
    if isinstance(e, Mul):
        if _decaying(e, v):
            return S.Zero
        squeezed = _squeezed(e, v)
        if squeezed is not None:
            return squeezed
        limits = [_limit(a, v) for a in e.args]
        if any(limit is None for limit in limits):
            return None
        infinite = [limit for limit in limits if limit in (oo, -oo)]
        finite = Mul(*[limit for limit in limits if limit not in (oo, -oo)])
        if not infinite:
            return finite
        sign = 1
        for limit in infinite:
            sign *= 1 if limit == oo else -1
        if finite.is_positive:
            return oo if sign > 0 else -oo
        if finite.is_negative:
            return -oo if sign > 0 else oo
        return None
    row = BY_CLASS.get(e.func)
    if row is not None and row.grows:
        inner = _limit(e.args[0], v)
        if inner is None:
            return None
        if inner in (-oo, oo):
            return limits_at_ends(row)[inner == oo]
        if isinstance(e, sympy.log):
            return sympy.log(inner) if inner.is_positive else None
        return e.func(inner)
    if isinstance(e, Pow) and v in e.exp.free_symbols:
        exponent = _limit(e.exp * sympy.log(e.base), v)
        if exponent is None or exponent == oo:
            return exponent
        return S.Zero if exponent == -oo else sympy.exp(exponent)
    if isinstance(e, Pow):
        inner = _limit(e.base, v)
        if inner is None:
            return None
        if inner == oo:
            return oo if e.exp.is_positive else S.Zero if e.exp.is_negative else None
        if inner.is_positive:
            return Pow(inner, e.exp)
    return None


def _decaying(e: Expr, v: Symbol) -> bool:
    """Say whether a product is a rational function times exp(-p(v)) with p -> oo, and sines."""
    exponent, rest = S.Zero, S.One
    for factor in Mul.make_args(e):
        if isinstance(factor, sympy.exp):
            exponent += factor.args[0]
        elif (
            isinstance(factor, Pow)
            and v not in factor.base.free_symbols
            and factor.base.is_positive
        ):
            exponent += factor.exp * sympy.log(factor.base)
        elif factor.is_rational_function(v):
            rest *= factor
        elif isinstance(factor.as_base_exp()[0], (sympy.sin, sympy.cos)):
            if not (factor.as_base_exp()[1].is_Integer and factor.as_base_exp()[1] > 0):
                return False  # between -1 and 1 otherwise
        else:
            return False
    if exponent == 0:
        return False
    limit = _limit(sympy.expand(exponent), v)
    if limit != -oo:
        return False
    exponent = sympy.expand(exponent)
    return bool(exponent.is_polynomial(v))


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
    first = _limit(sympy.cancel(u), v)
    second = _limit(Add(*rest), v)
    if first is None or second is None:
        return None
    if first == oo:
        first_log: Expr | None = oo
    elif first == 0:
        first_log = -oo
    else:
        first_log = sympy.log(first) if first.is_positive else None
    if first_log is None:
        return None
    if first_log in (oo, -oo) and second in (oo, -oo) and first_log != second:
        return None
    return c * first_log + second


def _squeezed(e: Expr, v: Symbol) -> Expr | None:
    """Return the limit of c log(u) with u -> 1, between c (1 - 1/u) and c (u - 1)."""
    logs = [f for f in Mul.make_args(e) if isinstance(f, sympy.log)]
    if len(logs) != 1:
        return None
    u = logs[0].args[0]
    c = e / logs[0]
    if not (c.is_rational_function(v) and u.is_rational_function(v)) or _limit(u, v) != 1:
        return None
    above, below = (_limit(sympy.cancel(c * bound), v) for bound in (u - 1, 1 - 1 / u))
    if above is None or below is None or above in (oo, -oo):
        return None
    return above if sympy.cancel(above - below) == 0 else None


def tends_to(
    f: Expr, limit: Expr, n: Symbol, domain: Domain, positive: Callable[[Expr], bool]
) -> tuple[str, str]:
    """Decide whether f tends to a limit as n grows.

    Parameters
    ----------
    f, limit : Expr
        Evaluated, in symbols that carry the signs of the domain.
    positive : callable
        Sound positivity test for the normal form.

    Returns
    -------
    (str, str)
        "proved", "refuted" or "undecided", and the limit found.
    """
    found = _limit(f, n)
    if found is None:
        return "undecided", "no rule gives the limit"
    if found in (oo, -oo):
        return "refuted", f"the limit is {found}"
    if is_zero(found - limit, positive):
        _agrees(f, found, n, domain)
        return "proved", f"the limit is {found}"
    return "different", str(found)


def _agrees(f: Expr, limit: Expr, n: Symbol, domain: Domain) -> None:
    """Cross-check in balls: the distance to the limit falls along growing n."""
    others = Domain(
        tuple(v for v in domain.variables if v != n),
        {v: b for v, b in domain.bounds.items() if v != n},
        tuple(c for c in domain.conditions if n not in c.free_symbols),
    )
    point = Sampler(others).some()
    if point is None:
        return
    distances = []
    for exponent in (4, 8, 12):
        here = {**point, n: fmpq(10) ** exponent}
        value, there = (evaluate_at(e, here, 256).ball for e in (f, limit))
        if value is None or there is None:
            return
        distances.append(abs(value - there))
    if distances[2] > distances[0] and distances[2] > arb("1e-6"):
        raise ArithmeticError(f"the limit {limit} of {f} does not show at growing points")


# --- limits at a finite end, by Laurent series with exact coefficients ----------------------------

SERIES_TERMS = 8


class NoSeries(Exception):
    """Signal an expression without a Laurent series that this module can find with certainty."""


class _Laurent:
    """Represent ``t**order * (c[0] + c[1] t + ...)``, known up to SERIES_TERMS terms."""

    def __init__(self, order: int, coefficients: list[Expr]) -> None:
        self.order = order
        self.c = coefficients[:SERIES_TERMS]

    def led(self) -> _Laurent:
        """Drop leading zeros; every coefficient before the first kept one is exactly 0."""
        order, c = self.order, list(self.c)
        while c:
            lead = c[0]
            if lead.is_Rational or lead.is_nonzero:
                if lead != 0:
                    return _Laurent(order, c)
            elif not is_zero(lead):
                raise NoSeries
            c.pop(0)
            order += 1
        raise NoSeries

    def times(self, other: _Laurent) -> _Laurent:
        n = min(len(self.c), len(other.c))
        c = [sum((self.c[i] * other.c[k - i] for i in range(k + 1)), S.Zero) for k in range(n)]
        return _Laurent(self.order + other.order, [sympy.expand(x) for x in c])

    def plus(self, other: _Laurent) -> _Laurent:
        order = min(self.order, other.order)
        n = min(self.order + len(self.c), other.order + len(other.c)) - order

        def at(s: _Laurent, k: int) -> Expr:
            i = k + order - s.order
            return s.c[i] if 0 <= i < len(s.c) else S.Zero

        if n <= 0:
            raise NoSeries
        return _Laurent(order, [sympy.expand(at(self, k) + at(other, k)) for k in range(n)])

    def inverse(self) -> _Laurent:
        s = self.led()
        c: list[Expr] = [1 / s.c[0]]
        for k in range(1, len(s.c)):
            c.append(
                sympy.expand(-sum((s.c[i] * c[k - i] for i in range(1, k + 1)), S.Zero) / s.c[0])
            )
        return _Laurent(-s.order, c)


def _composed(inner: _Laurent, derivatives: Callable[[Expr, int], Expr]) -> _Laurent:
    """Compute f(inner) by Taylor's series at the constant term of an inner series without poles."""
    if inner.order < 0:
        raise NoSeries
    c = [S.Zero] * inner.order + list(inner.c)
    centre, rest = c[0], _Laurent(0, [S.Zero, *c[1:]])
    n = len(c)
    total = _Laurent(0, [derivatives(centre, 0), *[S.Zero] * (n - 1)])
    power = _Laurent(0, [S.One, *[S.Zero] * (n - 1)])
    for k in range(1, n):
        power = power.times(rest)
        factor = derivatives(centre, k) / sympy.factorial(k)
        total = total.plus(_Laurent(0, [sympy.expand(factor * x) for x in power.c]))
    return total


def _series(e: Expr, t: Symbol) -> _Laurent:
    zeros = [S.Zero] * (SERIES_TERMS - 1)
    if t not in e.free_symbols:
        return _Laurent(0, [e, *zeros])
    if e == t:
        return _Laurent(0, [S.Zero, S.One, *zeros[1:]])
    if isinstance(e, Add):
        total = _series(e.args[0], t)
        for a in e.args[1:]:
            total = total.plus(_series(a, t))
        return total
    if isinstance(e, Mul):
        total = _series(e.args[0], t)
        for a in e.args[1:]:
            total = total.times(_series(a, t))
        return total
    if isinstance(e, Pow) and e.exp.is_Integer:
        base = _series(e.base, t)
        if e.exp < 0:
            base = base.inverse()
        total = base
        for _ in range(abs(int(e.exp)) - 1):
            total = total.times(base)
        return total
    if isinstance(e, Pow) and t not in e.exp.free_symbols:
        base = _series(e.base, t).led()
        if base.order != 0 or not base.c[0].is_positive:
            raise NoSeries
        return _composed(base, lambda c, k: sympy.ff(e.exp, k) * c ** (e.exp - k))
    if isinstance(e, Pow):
        return _series(sympy.exp(e.exp * sympy.log(e.base)), t)
    u = e.args[0]
    if isinstance(e, sympy.exp):
        return _composed(_series(u, t), lambda c, k: sympy.exp(c))
    if isinstance(e, sympy.log):
        inner = _series(u, t).led()
        if inner.order != 0 or not inner.c[0].is_positive:
            raise NoSeries
        return _composed(
            inner,
            lambda c, k: (
                sympy.log(c) if k == 0 else (-1) ** (k - 1) * sympy.factorial(k - 1) / c**k
            ),
        )
    if isinstance(e, (sympy.sinh, sympy.cosh, sympy.sin, sympy.cos)):
        return _composed(_series(u, t), lambda c, k: _derivative(e.func, k)(c))
    if isinstance(e, (sympy.tanh, sympy.coth, sympy.tan)):
        top, bottom = (
            (sympy.sin, sympy.cos) if isinstance(e, sympy.tan) else (sympy.sinh, sympy.cosh)
        )
        if isinstance(e, sympy.coth):
            top, bottom = bottom, top
        return _series(top(u), t).times(_series(bottom(u), t).inverse())
    if isinstance(e, (sympy.erf, sympy.erfc, sympy.atan)):
        x = sympy.Dummy("x")
        table = [e.func(x)]
        for _ in range(SERIES_TERMS):
            table.append(sympy.diff(table[-1], x))
        return _composed(_series(u, t), lambda c, k: table[k].subs(x, c))
    raise NoSeries


def _derivative(f: Callable[[Expr], Expr], k: int) -> Callable[[Expr], Expr]:
    x = sympy.Dummy("x")
    return lambda c: sympy.diff(f(x), x, k).subs(x, c) if k else f(c)
