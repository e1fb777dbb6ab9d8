"""Integrals in closed form, by named lemmas whose conditions are proved on the domain.

Each lemma is a classical integral; its conditions (a positive quadratic coefficient, a positive
order) are proved before it is used, and they are what makes the integral converge. Before a lemma
is looked for, a range is split where an absolute value or the larger of two functions has a kink,
and a logarithm of a product is written as a sum.
"""

from __future__ import annotations

import sympy
from sympy import Abs, Add, Basic, Expr, Integral, Max, Min, Mul, Pow, S, Symbol, log, oo

from dpbook.engine.definedness import NotUnderstood, obligations
from dpbook.engine.methods.identity import is_zero
from dpbook.engine.methods.primitives import by_primitive
from dpbook.engine.methods.side_conditions import SideConditionProver
from dpbook.engine.statement import evaluated


class NoClosedForm(Exception):
    """An integral that no lemma closes."""


def refuse_undefined(written: Expr, means: SideConditionProver) -> None:
    """Prove that integrands and limits are real numbers as they are written, before they are evaluated.

    Parameters
    ----------
    written : Expr
        An integral as written, in the symbols of the domain: evaluated, x/x is 1 and log(t) - log(t)
        is 0, whatever they are where they stand.

    Raises
    ------
    Open
        When one of them is not shown to be defined.
    """
    assert isinstance(written, Integral)
    if any(len(limit) != 3 for limit in written.limits):
        raise NoClosedForm("an integral without limits")
    narrowed, ranges = means, []
    for x, a, b in reversed(written.limits):  # the outermost first
        for end in (a, b):
            _refuse_undefined_number(end, narrowed)
        _, low, high = _ordered(evaluated(a), evaluated(b), narrowed)
        ranges.append((narrowed, x, low, high))
        narrowed = narrowed.inside(x, low, high)
    body = written.function
    for inner in _outermost(body):
        refuse_undefined(inner, narrowed)
        # what the inner integral is worth is not known yet, only that it is a number
        with sympy.evaluate(False):
            body = body.xreplace({inner: sympy.Dummy("I", real=True)})
    outside, x, a, b = ranges[-1]
    if not outside.defined(body, x, a, b, _narrow(a, b, outside)):
        raise NoClosedForm(f"the integrand {written.function} is not shown to be defined")


def _refuse_undefined_number(end: Expr, means: SideConditionProver) -> None:
    if end in (oo, -oo):
        return
    try:
        needed = obligations(end)
    except NotUnderstood as why:
        raise NoClosedForm(str(why)) from why
    for one in needed:
        relation = one.relation.map(evaluated)
        if (
            one.variables
            or one.conditions
            or not means.prove(relation.lhs - relation.rhs, relation.op)
        ):
            raise NoClosedForm(f"the limit {end} is not shown to be defined")


def _outermost(e: Basic) -> list[Integral]:
    if isinstance(e, Integral):
        return [e]
    return list(dict.fromkeys(found for a in e.args for found in _outermost(a)))


def _narrow(a: Expr, b: Expr, means: SideConditionProver) -> bool:
    """Whether both limits may be one point: the integrand must be a number there."""
    return a not in (-oo, oo) and b not in (-oo, oo) and not means.prove(b - a, ">")


def close_integrals(expression: Expr, means: SideConditionProver) -> Expr:
    """Replace every integral by its closed form, innermost first.

    Raises
    ------
    Open
        When an integral is met that no lemma closes.
    """
    if not expression.has(Integral):
        return expression
    if isinstance(expression, Integral):
        inner, *outer = expression.limits
        if len(inner) != 3 or any(len(limit) != 3 for limit in outer):
            raise NoClosedForm("an integral without limits")
        narrowed = means
        for x, a, b in reversed(outer):
            _, low, high = _ordered(a, b, narrowed)
            narrowed = narrowed.inside(x, low, high)
        x, a, b = inner
        body = _oriented(close_integrals(expression.function, narrowed), x, a, b, narrowed)
        return close_integrals(Integral(body, *outer), means) if outer else body
    return expression.func(*[close_integrals(a, means) for a in expression.args])


def _oriented(body: Expr, x: Symbol, a: Expr, b: Expr, means: SideConditionProver) -> Expr:
    """Close an integral once its limits are in order and its integrand is shown to be defined."""
    sign, a, b = _ordered(a, b, means)
    if x not in body.free_symbols and -oo in (a, -b):
        raise NoClosedForm("the integral of a constant over an unbounded range")
    if not means.defined(body, x, a, b, _narrow(a, b, means)):
        raise NoClosedForm(f"the integrand {body} is not shown to be defined")
    return sign * _Range(x, a, b, means).integral(body)


def _ordered(a: Expr, b: Expr, means: SideConditionProver) -> tuple[Expr, Expr, Expr]:
    """Return (1, a, b) where a <= b is proved, and (-1, b, a) where a >= b is."""
    if a == -oo or b == oo or (oo not in (a, -b) and means.prove(b - a, ">=")):
        if a == oo or b == -oo:
            raise NoClosedForm("an integral over no range")
        return S.One, a, b
    if a == oo or b == -oo or means.prove(a - b, ">="):
        return S.NegativeOne, b, a
    raise NoClosedForm(f"which of {a} and {b} is larger is open")


class _Range:
    """The integral over x from a to b, of what is known to be defined there.

    On a positive range x is a symbol told to be positive.
    """

    def __init__(self, x: Symbol, a: Expr, b: Expr, means: SideConditionProver) -> None:
        self.a, self.b, self.means = a, b, means
        self.prove, self.used = means.prove, means.used
        self.old = x
        above = a.is_nonnegative or (a != -oo and self.prove(a, ">="))
        self.x = sympy.Dummy(x.name, positive=True) if above else x

    def integral(self, body: Expr) -> Expr:
        x, a, b = self.x, self.a, self.b
        body = body.xreplace({self.old: x})
        if x not in body.free_symbols and a.is_finite is not False and b.is_finite is not False:
            return body * (b - a)
        for part in sorted(body.atoms(Abs, Max, Min), key=lambda p: (len(p.atoms(Abs)), str(p))):
            if x in part.free_symbols:
                return self._split(body, part)
        named = len(self.used)
        try:
            return self._named(body)
        except NoClosedForm as why:
            del self.used[named:]
            value = by_primitive(body, x, a, b, self.means)
            if value is None:
                raise why
            self.used.append("fundamental theorem of calculus")
            return value

    def _named(self, body: Expr) -> Expr:
        """Close an integral without kinks by the lemmas."""
        x, a, b = self.x, self.a, self.b
        body = body.replace(
            lambda e: isinstance(e, log) and x in e.free_symbols,
            lambda e: self._log(e.args[0]),
        )
        if isinstance(body, Mul):
            powers = self._powers(Mul(*(f for f in body.args if x in f.free_symbols)))
            if (
                powers is not None and b != oo and a != -oo
            ):  # powers of 1 - x are not multiplied out
                return self._term(body)
        if isinstance(body, (Add, Mul)):
            body = sympy.expand_mul(body)
        terms = Add.make_args(body)
        whole = self._beta_derivative(*terms) if len(terms) == 2 else None
        return Add(*(self._term(term) for term in terms)) if whole is None else whole

    def _part(self, body: Expr, a: Expr, b: Expr) -> Expr:
        return S.Zero if body == 0 or a == b else _Range(self.x, a, b, self.means).integral(body)

    def _positive(self, factor: Expr) -> bool:
        return self.means.prove_within(factor, ">", self.x, self.a, self.b)

    # --- kinks -----------------------------------------------------------------------------------

    def _split(self, body: Expr, part: Expr) -> Expr:
        """Split the range where the two branches of a kink meet."""
        if isinstance(part, Abs):
            inner, upper, lower = part.args[0], part.args[0], -part.args[0]
        elif len(part.args) == 2:
            first, second = part.args
            inner = sympy.expand_mul(first - second)
            upper, lower = (first, second) if isinstance(part, Max) else (second, first)
        else:
            raise NoClosedForm(f"{part} has more than two branches")
        if inner.is_polynomial(self.x) and sympy.degree(inner, self.x) > 1:
            return self._split_at_roots(body, part, inner, upper, lower)
        above, below = body.xreplace({part: upper}), body.xreplace({part: lower})
        middle, up = self._sign_change(inner)
        if middle is None:
            return self._part(above if up else below, self.a, self.b)
        first_body, second_body = (below, above) if up else (above, below)
        return self._part(first_body, self.a, middle) + self._part(second_body, middle, self.b)

    def _split_at_roots(
        self, body: Expr, part: Expr, inner: Expr, upper: Expr, lower: Expr
    ) -> Expr:
        """Split the range at a root of a polynomial, or take the branch that its sign chooses."""
        x, a, b, means = self.x, self.a, self.b, self.means
        for root in sorted(sympy.roots(inner, x), key=sympy.default_sort_key):
            if root.is_real and (
                (a == -oo or self.prove(root - a, ">")) and (b == oo or self.prove(b - root, ">"))
            ):
                return self._part(body, a, root) + self._part(body, root, b)
        for branch, op in ((upper, ">="), (lower, "<=")):
            if means.prove_within(inner, op, x, a, b):
                return self._part(body.xreplace({part: branch}), a, b)
        raise NoClosedForm(f"the sign of {inner} is open")

    def _sign_change(self, inner: Expr) -> tuple[Expr | None, bool]:
        """Return where a function changes its sign (None: nowhere), and whether to plus."""
        slope, middle = self._monotone(inner)
        if middle is None:
            sign = slope
        else:
            up = self.prove(slope, ">")
            if not up and not self.prove(slope, "<"):
                raise NoClosedForm(f"the sign of {slope} is open")
            a, b = self.a, self.b
            if (a == -oo or self.prove(middle - a, ">=")) and (
                b == oo or self.prove(b - middle, ">=")
            ):
                return middle, up
            if a != -oo and self.prove(a - middle, ">="):
                return None, up
            if b != oo and self.prove(middle - b, ">="):
                return None, not up
            raise NoClosedForm(f"whether the kink at {middle} lies in the range is open")
        if self.prove(sign, ">="):
            return None, True
        if self.prove(sign, "<="):
            return None, False
        raise NoClosedForm(f"the sign of {sign} is open")

    def _monotone(self, inner: Expr) -> tuple[Expr, Expr | None]:
        """Return (k, r) where `inner` has the sign of k (x - r); (s, None) if always that of s."""
        x = self.x
        if x not in inner.free_symbols:
            return inner, None
        if inner.is_polynomial(x):
            slope, constant = sympy.diff(inner, x), inner.subs(x, 0)
            if x in slope.free_symbols:
                raise NoClosedForm(f"{inner} is not linear in {x}")
            return slope, sympy.cancel(-constant / slope)
        terms = Add.make_args(inner)
        plus = [t for t in terms if not t.could_extract_minus_sign()]
        minus = [-t for t in terms if t.could_extract_minus_sign()]
        if len(plus) != 1 or len(minus) != 1:
            raise NoClosedForm(f"{inner} is no difference of two products")
        if not (self._positive(plus[0]) and self._positive(minus[0])):
            raise NoClosedForm(f"the signs of the terms of {inner} are open")
        # of positive functions, the larger one has the larger logarithm
        ratio = sympy.expand(self._log(plus[0]) - self._log(minus[0]))
        to_x, to_log = ratio.coeff(x, 1), ratio.coeff(log(x), 1)
        to_rest = ratio.coeff(log(1 - x), 1)
        left = sympy.expand(ratio - to_x * x - to_log * log(x) - to_rest * log(1 - x))
        if x in left.free_symbols or any(x in k.free_symbols for k in (to_x, to_log, to_rest)):
            raise NoClosedForm(f"no lemma for the sign of {inner}")
        left = sympy.together(left)
        if to_x != 0 and to_log == to_rest == 0:
            return sympy.together(to_x), sympy.cancel(-left / to_x)
        if to_x == 0 and to_log != 0 and sympy.expand(to_log + to_rest) == 0:
            return to_log, 1 / (1 + sympy.exp(left / to_log))
        if to_x == to_rest == 0 and to_log != 0:
            return to_log, sympy.exp(-left / to_log)
        if to_x == to_log == to_rest == 0:
            return left, None
        raise NoClosedForm(f"no lemma for the sign of {inner}")

    def _log(self, argument: Expr) -> Expr:
        """Logarithm of a product of positive factors, as a sum."""
        parts = []
        for factor in Mul.make_args(argument):
            base, power = factor.as_base_exp()
            if isinstance(factor, sympy.exp):
                parts.append(factor.args[0])
            elif power != 1 and self._positive(base):
                parts.append(power * self._log(base))
            elif isinstance(base, Mul) and power == 1:
                raise NoClosedForm(f"the logarithm of {argument} is not a sum")
            elif not self._positive(factor):
                raise NoClosedForm(
                    f"the factor {factor} of a logarithm is not shown to be positive"
                )
            else:
                whole = sympy.together(factor)
                parts.append(self._log(whole) if isinstance(whole, Mul) else log(whole))
        return Add(*parts)

    # --- one term --------------------------------------------------------------------------------

    def _term(self, term: Expr) -> Expr:
        x = self.x
        outside, exponent, rest = self._exponential_form(term)
        constant = Mul(*outside)
        if exponent != 0:
            quadratic = sympy.Poly(sympy.expand(exponent), x) if exponent.is_polynomial(x) else None
            if quadratic is None:
                raise NoClosedForm(f"the exponent {exponent} is not a polynomial in {x}")
            if quadratic.degree() == 2 and rest.is_polynomial(x):
                return constant * self._gauss(quadratic, rest)
            if quadratic.degree() == 1:
                return constant * self._exponential(quadratic, rest)
            raise NoClosedForm(f"no lemma for the exponent {exponent}")
        if self.a == 0 and self.b not in (0, oo) or self.b == 1:
            closed = self._beta(rest)
            if closed is not None:
                return constant * closed
        if self.b == oo or self.a == -oo:
            return constant * self._power_tail(rest)
        raise NoClosedForm("no lemma for this integral")

    def _exponential_form(self, term: Expr) -> tuple[list[Expr], Expr, Expr]:
        """Write a product as (factors free of x) * exp(exponent) * rest."""
        x = self.x
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
                moving = [f for f in factor.args if not isinstance(f, sympy.exp)]
                signs = [f for f in moving if not self._positive(f)] if not power.is_integer else []
                if len([f for f in signs if x in f.free_symbols]) <= 1 and all(
                    x in f.free_symbols for f in signs
                ):
                    for f in factor.args:
                        take(f, power)
                else:
                    rest.append(Pow(factor, power))
            elif isinstance(factor, Pow) and x not in factor.exp.free_symbols:
                if power.is_integer or self._positive(factor.base):
                    take(factor.base, factor.exp * power)
                else:
                    rest.append(Pow(factor, power))
            elif isinstance(factor, Pow) and x not in factor.base.free_symbols:
                if self.prove(factor.base, ">"):
                    exponents.append(power * factor.exp * log(factor.base))
                else:
                    rest.append(Pow(factor, power))
            else:
                rest.append(Pow(factor, power))

        for factor in Mul.make_args(term):
            take(factor, S.One)
        exponent = sympy.expand(Add(*exponents))
        if x not in exponent.free_symbols:
            outside.append(sympy.exp(exponent))
            exponent = S.Zero
        return outside, exponent, Mul(*rest)

    def _gauss(self, quadratic: sympy.Poly, rest: Expr) -> Expr:
        """Integral of p(x) exp(-A x^2 + B x + C): over the line, or from/to a finite end."""
        x, a, b = self.x, self.a, self.b
        minus_a, linear, constant = (
            sympy.cancel(sympy.together(c)) for c in quadratic.all_coeffs()
        )
        coefficient = -minus_a
        if not self.prove(coefficient, ">"):
            raise NoClosedForm(f"the Gaussian integral needs {coefficient} > 0")
        centre = linear / (2 * coefficient)
        scale = sympy.exp(constant + linear**2 / (4 * coefficient))
        if (a, b) == (-oo, oo):
            self.used.append("Gaussian integral")
            t = sympy.Dummy("t")
            shifted = sympy.Poly(sympy.expand(rest.subs(x, t + centre)), t)
            total: Expr = S.Zero
            for (k,), c in shifted.terms():
                if k % 2 == 0:
                    moment = sympy.factorial2(k - 1) if k else S.One
                    total += c * moment / (2 * coefficient) ** (k // 2)
            return total * sympy.sqrt(sympy.pi / coefficient) * scale
        if x in rest.free_symbols:
            raise NoClosedForm("no lemma for a polynomial factor on a half line")
        root = sympy.sqrt(coefficient)
        self.used.append("Gaussian tail")
        front = rest * scale * sympy.sqrt(sympy.pi) / (2 * root)

        def below(end: Expr) -> Expr:  # erfc of minus the standardised end: mass below it
            return 2 * S.One if end == oo else sympy.erfc(-root * (end - centre))

        upper, lower = below(b), S.Zero if a == -oo else below(a)
        if b == oo and a != -oo:
            return front * sympy.erfc(root * (a - centre))
        return front * (upper - lower)

    def _exponential(self, exponent: sympy.Poly, rest: Expr) -> Expr:
        """Integral of p(x) exp(c x + d), or of x^(s-1) exp(-c x) over a part of the half line."""
        x, a, b = self.x, self.a, self.b
        slope, constant = (sympy.cancel(c) for c in exponent.all_coeffs())
        front = sympy.exp(constant)
        if rest.is_polynomial(x):
            if not self.prove(slope, "!="):
                raise NoClosedForm(f"the sign of {slope} is open")
            poly = sympy.Poly(rest, x)
            antiderivative, derivative = S.Zero, poly.as_expr()
            for k in range(poly.degree() + 1):
                antiderivative += (-1) ** k * derivative / slope ** (k + 1)
                derivative = sympy.diff(derivative, x)
            whole = antiderivative * sympy.exp(slope * x)
            upper = lower = S.Zero
            if b == oo:
                if not self.prove(-slope, ">"):
                    raise NoClosedForm(f"the integral needs {-slope} > 0")
            else:
                upper = whole.subs(x, b)
            if a == -oo:
                if not self.prove(slope, ">"):
                    raise NoClosedForm(f"the integral needs {slope} > 0")
            else:
                lower = whole.subs(x, a)
            self.used.append("exponential integral")
            return front * (upper - lower)
        powers = self._powers(rest)
        if self.x != self.old and powers is not None and powers[log(x)] in (0, 1):
            rate, order = -slope, sympy.expand(powers[x] + 1)
            if powers[1 - x] == 0 and self.prove(rate, ">") and self.prove(order, ">"):
                closed = self._gamma(rate, order, bool(powers[log(x)]))
                if closed is not None:
                    return front * closed
        raise NoClosedForm("no lemma for this exponential integral")

    def _gamma(self, rate: Expr, order: Expr, with_log: bool) -> Expr | None:
        """Integral of x^(order-1) exp(-rate x), times log(x) if asked."""
        front = Pow(rate, -order)
        if (self.a, self.b) == (S.Zero, oo):
            whole = front * sympy.gamma(order)
            if with_log:
                self.used.append("Gamma integral with a logarithm")
                return whole * (sympy.digamma(order) - log(rate))
            self.used.append("Gamma integral")
            return whole
        if with_log:
            return None
        self.used.append("incomplete Gamma integral")
        if self.b == oo:
            return front * sympy.uppergamma(order, rate * self.a)
        below = sympy.lowergamma(order, rate * self.b)
        return front * (below if self.a == 0 else below - sympy.lowergamma(order, rate * self.a))

    def _powers(self, rest: Expr) -> dict[Expr, Expr] | None:
        """Exponents of x, 1 - x and log(x), log(1 - x) where a product has no other factors."""
        x = self.x
        found: dict[Expr, Expr] = {x: S.Zero, 1 - x: S.Zero, log(x): S.Zero, log(1 - x): S.Zero}
        for factor in Mul.make_args(rest):
            base, power = factor.as_base_exp()
            if base not in found:
                fits = [known for known in found if _same(base, known)]
                if not fits:
                    return None
                base = fits[0]
            if x in power.free_symbols:
                return None
            found[base] += power
        return found

    def _beta(self, rest: Expr) -> Expr | None:
        """Integral of x^(p-1) (1-x)^(q-1) over a part of [0, 1]; over all of it also with a log."""
        x, a, b = self.x, self.a, self.b
        length = S.One
        if a == 0 and b != 1 and any(_same(f.as_base_exp()[0], b - x) for f in Mul.make_args(rest)):
            if not self.prove(b, ">"):
                return None
            scaled = []  # x = b u
            for factor in Mul.make_args(rest):
                base, power = factor.as_base_exp()
                if not (base == x or _same(base, b - x)):
                    return None
                length *= Pow(b, power)
                scaled.append(Pow(x if base == x else 1 - x, power))
            rest, length, b = Mul(*scaled), length * b, S.One
        powers = self._powers(rest)
        if powers is None:
            return None
        p, q = sympy.expand(powers[x] + 1), sympy.expand(powers[1 - x] + 1)
        logs = powers[log(x)], powers[log(1 - x)]
        whole = a == 0 and b == 1
        counted = p.is_Integer and q.is_Integer and p > 0 and q > 0
        if not counted and not (self.prove(p, ">") and self.prove(q, ">")):
            return None
        integral = sympy.gamma(p) * sympy.gamma(q) / sympy.gamma(p + q)
        if logs == (0, 0) and whole:
            self.used.append("Beta integral")
            return length * integral
        if whole and logs in ((1, 0), (0, 1)):
            self.used.append("Beta integral with a logarithm")
            order = p if logs == (1, 0) else q
            return length * integral * (sympy.digamma(order) - sympy.digamma(p + q))
        if logs == (0, 0) and length == 1 and not counted and self._in_unit_interval():
            self.used.append("incomplete Beta integral")
            return sympy.betainc(p, q, a, b)
        return None

    def _in_unit_interval(self) -> bool:
        above = self.a == 0 or self.prove(self.a, ">=")
        return above and (self.b == 1 or self.prove(1 - self.b, ">="))

    def _beta_derivative(self, one: Expr, other: Expr) -> Expr | None:
        """Integral of a multiple of the derivative of x^p (1-x)^q over a part of [0, 1]."""
        x, a, b = self.x, self.a, self.b
        parts = []
        for term in (one, other):
            outside, exponent, rest = self._exponential_form(term)
            powers = self._powers(rest) if exponent == 0 else None
            if powers is None or powers[log(x)] != 0 or powers[log(1 - x)] != 0:
                return None
            parts.append((Mul(*outside), powers[x], powers[1 - x]))
        if _same(parts[0][1] - parts[1][1], S.One):
            parts.reverse()
        (c, below, q), (d, p, rest) = parts  # of x^(p-1) (1-x)^q and of x^p (1-x)^(q-1)
        if not (_same(p - below, S.One) and _same(q - rest, S.One)):
            return None
        if not (self.prove(p, ">") and self.prove(q, ">")):
            return None
        if not is_zero(d * p + c * q, self.means.positive):
            return None
        if not self._in_unit_interval():
            return None
        self.used.append("fundamental theorem of calculus")

        def at(end: Expr) -> Expr:
            return S.Zero if end in (0, 1) else end**p * (1 - end) ** q

        return c / p * (at(b) - at(a))

    def _power_tail(self, rest: Expr) -> Expr:
        """Integral of x^(-s) from a > 0 to infinity, with s > 1."""
        x, a, b = self.x, self.a, self.b
        constant, moving = rest.as_independent(x, as_Add=False)
        base, power = moving.as_base_exp()
        fits = base == x and b == oo and a != -oo and x not in power.free_symbols
        if fits and self.prove(a, ">") and self.prove(-power - 1, ">"):
            self.used.append("power tail")
            return constant * Pow(a, power + 1) / (-power - 1)
        raise NoClosedForm("no lemma for this unbounded integral")


def _same(one: Expr, other: Expr) -> bool:
    return bool(sympy.expand(one - other) == 0)
