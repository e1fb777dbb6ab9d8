"""Integrals in closed form, by named lemmas whose conditions are proved on the domain.

Each lemma is a classical integral; its conditions (a positive quadratic coefficient, a positive
order) are proved before it is used, and they are what makes the integral converge.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Add, Expr, Integral, Mul, Pow, S, Symbol, oo

from dpbook.engine.budget import TimeUp, alarm
from dpbook.engine.methods.identity import is_zero

Prove = Callable[[Expr, str], bool]
Defined = Callable[[Expr, Symbol, Expr, Expr, bool], bool]


class Open(Exception):
    """An integral that no lemma closes."""


def close_integrals(
    expression: Expr,
    prove: Prove,
    defined: Defined,
    positive: Callable[[Expr], bool],
    used: list[str],
) -> Expr:
    """Replace every integral by its closed form, innermost first.

    Parameters
    ----------
    prove : callable
        ``prove(expr, op)`` proves ``expr op 0`` on the domain.
    defined : callable
        ``defined(expr, x, a, b, closed)`` proves that an expression is a real number for all x
        of (a, b), or of [a, b] when `closed`.
    used : list of str
        Receives the names of the lemmas used.

    Raises
    ------
    Open
        When an integral is met that no lemma closes.
    """
    if not expression.has(Integral):
        return expression
    if isinstance(expression, Integral):
        body = expression.function
        for limit in expression.limits:
            if len(limit) != 3:
                raise Open("an integral without limits")
            body = close_integrals(body, prove, defined, positive, used)
            x, a, b = limit
            body = _close_one(body, x, a, b, prove, defined, positive, used)
        return body
    return expression.func(
        *[close_integrals(a, prove, defined, positive, used) for a in expression.args]
    )


def _close_one(
    body: Expr,
    x: Symbol,
    a: Expr,
    b: Expr,
    prove: Prove,
    defined: Defined,
    positive: Callable[[Expr], bool],
    used: list[str],
) -> Expr:
    if x not in body.free_symbols and a.is_finite is not False and b.is_finite is not False:
        return body * (b - a)
    if not defined(body, x, a, b, False):
        raise Open(f"the integrand {body} is not shown to be defined")
    split = _split_absolute(body, x, a, b, prove)
    if split is not None:
        left, right, middle = split
        return _close_one(left, x, a, middle, prove, defined, positive, used) + _close_one(
            right, x, middle, b, prove, defined, positive, used
        )
    terms = []
    for term in Add.make_args(_expanded_in(body, x)):
        terms.append(_close_term(term, x, a, b, prove, defined, positive, used))
    return Add(*terms)


def _expanded_in(body: Expr, x: Symbol) -> Expr:
    return sympy.expand_mul(body) if isinstance(body, (Add, Mul)) else body


def _split_absolute(
    body: Expr, x: Symbol, a: Expr, b: Expr, prove: Prove
) -> tuple[Expr, Expr, Expr] | None:
    for part in sorted(body.atoms(sympy.Abs), key=str):
        inner = part.args[0]
        if x not in inner.free_symbols:
            continue
        slope = sympy.diff(inner, x)
        if x in slope.free_symbols:
            raise Open(f"{part} is not linear in {x}")
        middle = sympy.cancel(-inner.subs(x, 0) / slope)
        inside = (a == -oo or prove(middle - a, ">=")) and (b == oo or prove(b - middle, ">="))
        if not inside:
            raise Open(f"the kink of {part} is not shown to lie in the range")
        up = prove(slope, ">")
        if not up and not prove(-slope, ">"):
            raise Open(f"the sign of {slope} is open")
        right = inner if up else -inner
        return body.subs(part, -right), body.subs(part, right), middle
    return None


def _close_term(
    term: Expr,
    x: Symbol,
    a: Expr,
    b: Expr,
    prove: Prove,
    defined: Defined,
    positive: Callable[[Expr], bool],
    used: list[str],
) -> Expr:
    outside, exponent, rest = _exponential_form(term, x, prove)
    constant = Mul(*outside)
    if exponent != 0:
        quadratic = sympy.Poly(sympy.expand(exponent), x) if exponent.is_polynomial(x) else None
        if quadratic is None:
            raise Open(f"the exponent {exponent} is not a polynomial in {x}")
        if quadratic.degree() == 2 and rest.is_polynomial(x):
            return constant * _gauss(quadratic, rest, x, a, b, prove, used)
        if quadratic.degree() == 1:
            return constant * _exponential(quadratic, rest, x, a, b, prove, used)
        raise Open(f"no lemma for the exponent {exponent}")
    if (a, b) == (S.Zero, S.One):
        closed = _beta(rest, x, prove, used)
        if closed is not None:
            return constant * closed
    if b == oo or a == -oo:
        return constant * _power_tail(rest, x, a, b, prove, used)
    return constant * _antiderivative(rest, x, a, b, defined, positive, used)


def _exponential_form(term: Expr, x: Symbol, prove: Prove) -> tuple[list[Expr], Expr, Expr]:
    """Write a product as (factors free of x) * exp(exponent) * rest."""
    outside: list[Expr] = []
    exponents: list[Expr] = []
    rest: list[Expr] = []

    def take(factor: Expr, power: Expr) -> None:
        if x not in factor.free_symbols:
            outside.append(Pow(factor, power))
        elif isinstance(factor, sympy.exp):
            exponents.append(power * factor.args[0])
        elif isinstance(factor, Mul):
            # (u v)^w = u^w v^w needs an integer w, or positive factors
            free = [f for f in factor.args if x not in f.free_symbols]
            moving = [f for f in factor.args if f not in free and not isinstance(f, sympy.exp)]
            if power.is_integer or (len(moving) <= 1 and all(prove(f, ">") for f in free)):
                for f in factor.args:
                    take(f, power)
            else:
                rest.append(Pow(factor, power))
        elif isinstance(factor, Pow) and x not in factor.exp.free_symbols:
            if (
                power.is_integer
                or isinstance(factor.base, sympy.exp)
                or (x not in factor.base.free_symbols)
            ):
                take(factor.base, factor.exp * power)
            else:
                rest.append(Pow(factor, power))
        elif isinstance(factor, Pow) and x not in factor.base.free_symbols:
            if prove(factor.base, ">"):
                exponents.append(power * factor.exp * sympy.log(factor.base))
            else:
                rest.append(Pow(factor, power))
        else:
            rest.append(Pow(factor, power))

    for factor in Mul.make_args(term):
        take(factor, S.One)
    exponent = sympy.expand(Add(*exponents))
    return outside, exponent, Mul(*rest)


def _gauss(
    quadratic: sympy.Poly, rest: Expr, x: Symbol, a: Expr, b: Expr, prove: Prove, used: list[str]
) -> Expr:
    """Integral of p(x) exp(-A x^2 + B x + C): over the line, or from/to a finite end."""
    minus_a, linear, constant = (sympy.cancel(sympy.together(c)) for c in quadratic.all_coeffs())
    coefficient = -minus_a
    if not prove(coefficient, ">"):
        raise Open(f"the Gaussian integral needs {coefficient} > 0")
    centre = linear / (2 * coefficient)
    scale = sympy.exp(constant + linear**2 / (4 * coefficient))
    if (a, b) == (-oo, oo):
        used.append("Gaussian integral")
        t = sympy.Dummy("t")
        shifted = sympy.Poly(sympy.expand(rest.subs(x, t + centre)), t)
        total: Expr = S.Zero
        for (k,), c in shifted.terms():
            if k % 2 == 0:
                moment = sympy.factorial2(k - 1) if k else S.One
                total += c * moment / (2 * coefficient) ** (k // 2)
        return total * sympy.sqrt(sympy.pi / coefficient) * scale
    if x in rest.free_symbols:
        raise Open("no lemma for a polynomial factor on a half line")
    root = sympy.sqrt(coefficient)
    used.append("Gaussian tail")
    front = rest * scale * sympy.sqrt(sympy.pi) / (2 * root)

    def below(end: Expr) -> Expr:  # erfc of minus the standardised end: mass below it
        return 2 * S.One if end == oo else sympy.erfc(-root * (end - centre))

    upper, lower = below(b), S.Zero if a == -oo else below(a)
    if b == oo and a != -oo:
        return front * sympy.erfc(root * (a - centre))
    return front * (upper - lower)


def _exponential(
    exponent: sympy.Poly, rest: Expr, x: Symbol, a: Expr, b: Expr, prove: Prove, used: list[str]
) -> Expr:
    """Integral of p(x) exp(c x + d), or of x^(s-1) exp(-c x) over the positive half line."""
    slope, constant = (sympy.cancel(c) for c in exponent.all_coeffs())
    front = sympy.exp(constant)
    if rest.is_polynomial(x):
        if not prove(slope, "!="):
            raise Open(f"the sign of {slope} is open")
        poly = sympy.Poly(rest, x)
        antiderivative, derivative = S.Zero, poly.as_expr()
        for k in range(poly.degree() + 1):
            antiderivative += (-1) ** k * derivative / slope ** (k + 1)
            derivative = sympy.diff(derivative, x)
        whole = antiderivative * sympy.exp(slope * x)
        upper = lower = S.Zero
        if b == oo:
            if not prove(-slope, ">"):
                raise Open(f"the integral needs {-slope} > 0")
        else:
            upper = whole.subs(x, b)
        if a == -oo:
            if not prove(slope, ">"):
                raise Open(f"the integral needs {slope} > 0")
        else:
            lower = whole.subs(x, a)
        used.append("exponential integral")
        return front * (upper - lower)
    if (a, b) == (S.Zero, oo):
        base, power = rest.as_base_exp()
        constant_factor, base_part = base.as_independent(x, as_Add=False)
        if base_part == x and x not in power.free_symbols and constant_factor == 1:
            if not (prove(-slope, ">") and prove(power + 1, ">")):
                raise Open(f"the Gamma integral needs {-slope} > 0 and {power + 1} > 0")
            used.append("Gamma integral")
            return front * sympy.gamma(power + 1) / Pow(-slope, power + 1)
    raise Open("no lemma for this exponential integral")


def _beta(rest: Expr, x: Symbol, prove: Prove, used: list[str]) -> Expr | None:
    p = q = S.Zero
    for factor in Mul.make_args(rest):
        base, power = factor.as_base_exp()
        if x in power.free_symbols:
            return None
        if base == x:
            p += power
        elif sympy.expand(base - (1 - x)) == 0:
            q += power
        else:
            return None
    if p.is_Integer and q.is_Integer and p >= 0 and q >= 0:
        used.append("Beta integral")
        return sympy.gamma(p + 1) * sympy.gamma(q + 1) / sympy.gamma(p + q + 2)
    if not (prove(p + 1, ">") and prove(q + 1, ">")):
        return None
    used.append("Beta integral")
    return sympy.gamma(p + 1) * sympy.gamma(q + 1) / sympy.gamma(p + q + 2)


def _power_tail(rest: Expr, x: Symbol, a: Expr, b: Expr, prove: Prove, used: list[str]) -> Expr:
    """Integral of x^(-s) from a > 0 to infinity, with s > 1."""
    constant, moving = rest.as_independent(x, as_Add=False)
    base, power = moving.as_base_exp()
    fits = base == x and b == oo and a != -oo and x not in power.free_symbols
    if fits and prove(a, ">") and prove(-power - 1, ">"):
        used.append("power tail")
        return constant * Pow(a, power + 1) / (-power - 1)
    raise Open("no lemma for this unbounded integral")


def _antiderivative(
    body: Expr,
    x: Symbol,
    a: Expr,
    b: Expr,
    defined: Defined,
    positive: Callable[[Expr], bool],
    used: list[str],
) -> Expr:
    """SymPy proposes an antiderivative; it must be defined on the closed range and be exact."""
    try:
        with alarm(1.0):
            candidate = sympy.integrate(body, x)
    except (TimeUp, NotImplementedError, ValueError, TypeError, AttributeError):
        raise Open("no antiderivative found") from None
    if candidate.has(Integral, sympy.Piecewise, sympy.I):
        raise Open("no elementary antiderivative")
    if not is_zero(sympy.diff(candidate, x) - body, positive):
        raise Open("the proposed antiderivative is not exact")
    if not (defined(candidate, x, a, b, True) and defined(body, x, a, b, True)):
        raise Open("the antiderivative is not defined on the whole range")
    used.append("fundamental theorem of calculus")
    return candidate.subs(x, b) - candidate.subs(x, a)
