"""From SymPy to quotients: each term that is no polynomial gets a generator."""

# Z3 and FLINT terms pass through one variable in several types here.
# mypy: disable-error-code="assignment, return-value, list-item, arg-type, operator, misc, var-annotated"
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
from flint import arb, fmpq, fmpz
from sympy.core.function import AppliedUndef

from dpbook.engine.methods.axioms import NEGATED
from dpbook.engine.methods.ratios import ONE, RING, ZERO, Ratio, Unsupported, factored
from dpbook.engine.methods.smt_signs import KnownSigns, SmtTerm

# A formula is (expr, op), ("or", [formula, ...]) or ("and", [formula, ...]).
Formula = tuple[Any, Any]
READING = 5e-5  # seconds for an expression
MAX_DEGREE = 60  # of a power that is multiplied out


class Split(Exception):
    """A piecewise node was met: the question falls into the cases given."""

    def __init__(self, node: sp.Basic, cases: list[tuple[list[Formula], sp.Expr]]):
        super().__init__(str(node))
        self.node, self.cases = node, cases


CONSTANTS: dict[sp.Basic, Callable[[], arb]] = {
    sp.pi: arb.pi,
    sp.EulerGamma: arb.const_euler,
    sp.Catalan: arb.const_catalan,
}


def prime_powers(number: int) -> dict[int, int] | None:
    """Factors of a positive integer, or None where they are not cheap to find."""
    if number > 10**12:
        return None
    return {int(p): int(k) for p, k in fmpz(number).factor()} if number > 1 else {}


class Terms(KnownSigns):
    """Reads expressions and formulas into quotients."""

    def convert(self, expr: sp.Expr) -> Ratio:
        """The quotient that an expression is; its conditions go to the sink."""
        if expr in self.memo:
            ratio, conditions = self.memo[expr]
            self.require(conditions)
            return ratio
        self.clock.spend(READING)
        if self.clock.left < 0:
            raise Unsupported("too much to read")
        outer, self.sink = self.sink, []
        try:
            ratio = self._convert(expr)
            self.memo[expr] = ratio, tuple(self.sink)
        finally:
            outer.extend(self.sink)
            self.sink = outer
        return ratio

    def _convert(self, expr: sp.Expr) -> Ratio:
        if expr in self.choices:
            return self.convert(self.choices[expr])
        if expr.is_Rational:
            return Ratio(RING.constant(fmpq(int(expr.p), int(expr.q))), ONE, True)
        if expr.is_Symbol:
            return self.symbol(expr)
        if expr.is_Float or expr.has(sp.I, sp.zoo, sp.nan, sp.oo, -sp.oo):
            raise Unsupported(f"{expr} is not read here")
        if expr.is_Add:
            total = self.convert(expr.args[0])
            for part in expr.args[1:]:
                total = total + self.convert(part)
            return total
        if expr.is_Mul:
            total = self.convert(expr.args[0])
            for part in expr.args[1:]:
                total = total * self.convert(part)
            return total
        if expr.is_Pow:
            return self._power(expr.base, expr.exp)
        if expr in CONSTANTS:
            return self.term("constant", [expr])
        if expr == sp.E:
            return self.term("exp", [self.convert(sp.S.One)])
        if isinstance(expr, sp.exp):
            return self._exp(expr.args[0])
        name = type(expr).__name__
        reader = getattr(self, f"_read_{name.lower()}", None)
        if reader is not None:
            return reader(expr)
        if isinstance(expr, AppliedUndef):
            return self.term(f"function {name}", [self.convert(a) for a in expr.args])
        # anything else is a real number of which nothing is known
        return self.term("opaque", [expr])

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> Ratio:
        if base == sp.E:
            return self._exp(exponent)
        if exponent.is_Integer:
            n = int(exponent)
            value = self.convert(base)
            if n < 0:
                self.require([(value, "!=")])
            size = len(value.num) + len(value.den)
            limit = 3 if self.choices.get("powers") else MAX_DEGREE
            if abs(n) <= limit and (size <= 3 or abs(n) * size <= 60):
                return value**n
            power = self._symbolic_power(value, Ratio(RING.constant(fmpq(abs(n))), ONE, True))
            return 1 / power if n < 0 else power
        if exponent.is_Rational:
            p, q = int(exponent.p), int(exponent.q)
            if q > 24 or abs(p) > MAX_DEGREE:
                return self._symbolic_power(self.convert(base), self.convert(exponent))
            return self.root(self.convert(base), p, q)
        return self._symbolic_power(self.convert(base), self.convert(exponent))

    def root(self, u: Ratio, p: int, q: int) -> Ratio:
        """u**(p/q): factors that are no negative are taken apart."""
        self.require([(u, ">" if p < 0 else ">=")])
        content, above = factored(u.num)
        if content == 0:
            return u
        content, result = fmpq(content), Ratio(ONE, ONE, True)
        rest = Ratio(ONE, ONE, True)
        for factor, power in above + [(f, -k) for f, k in factored(u.den)[1]]:
            value = Ratio(factor, ONE, True)
            sign = self.poly_sign(factor)
            if sign == "<":
                value, content, sign = -value, content * (-1) ** (power % 2), ">"
            if sign == ">":
                result = result * self._simple_root(value, p * power, q)
            else:
                rest = rest * value**power
        if content < 0:
            rest, content = -rest, -content
        for number, direction in ((int(content.p), 1), (int(content.q), -1)):
            primes = prime_powers(number)
            if primes is None:
                rest = rest * fmpq(number) ** direction
                continue
            for prime, power in primes.items():
                value = Ratio(RING.constant(fmpq(prime)), ONE, True)
                result = result * self._simple_root(value, p * power * direction, q)
        if rest.constant() == 1:
            return result
        return result * self.term("root", [rest, str(q)], [(rest, ">=")]) ** p

    def _simple_root(self, u: Ratio, p: int, q: int) -> Ratio:
        """u**(p/q) for u > 0."""
        common = math.gcd(p, q)
        p, q = p // common, q // common
        whole, p = divmod(p, q)
        if abs(whole) > MAX_DEGREE:
            raise Unsupported("power too large")
        result = u**whole
        if p:
            value = self.term("root", [u, str(q)], [(u, ">=")])
            self.signs[str(value.num)] = ">"
            result = result * value**p
        return result

    def _exp(self, argument: sp.Expr) -> Ratio:
        """exp(u); exp(c log a + w) is a**c exp(w) for rational c."""
        u = self.convert(argument)
        result = Ratio(ONE, ONE, True)
        logs = [t for t in self.terms if t.kind == "log" and u.den.is_constant()]
        for t in logs:
            powers = {e: c for e, c in u.num.terms() if e[t.index]}
            for exponents, coefficient in powers.items():
                if sum(exponents) == 1:
                    p, q = int(coefficient.p), int(coefficient.q)
                    if q <= 12 and abs(p) <= 30:
                        u = u - coefficient * t.value
                        result = result * (
                            t.arguments[0] ** p if q == 1 else self.root(t.arguments[0], p, q)
                        )
        if u.constant() == 0:
            return result
        return result * self.term("exp", [u])

    def _symbolic_power(self, a: Ratio, b: Ratio) -> Ratio:
        base = a.constant()
        if base == 1:
            return a
        if self.sign(a) == ">":
            # a**(b+k) = a**b * a**k needs a > 0 (or no pole at 0)
            shift = fmpq(0)
            if b.den.is_constant():
                shift = next((c for e, c in b.num.terms() if not any(e)), fmpq(0))
                whole = fmpq(shift.p // shift.q) if abs(shift) < 40 else fmpq(0)
                if b.constant() is None and whole != 0 and len(a.num) <= 6:
                    return a ** int(whole.p) * self._symbolic_power(a, b - whole)
            content, above = factored(a.num)
            parts = above + [(f, -k) for f, k in factored(a.den)[1]]
            if len(parts) > 1 and all(self.poly_sign(f) == ">" for f, _ in parts):
                # (ac)**b = a**b c**b for positive a and c
                result = self._symbolic_power(Ratio(RING.constant(content), ONE, True), b)
                for factor, power in parts:
                    value = self._symbolic_power(Ratio(factor, ONE, True), power * b)
                    result = result * value
                return result
            if base is not None and base < 1:
                return 1 / self._symbolic_power(1 / a, b)
            lead = b.num.leading_coefficient()
            if b.constant() is None and lead < 0:
                return 1 / self._symbolic_power(a, -b)
        return self.term("power", [a, b])

    def _read_log(self, expr: sp.Expr) -> Ratio:
        u = self.convert(expr.args[0])
        value = self.log(u)
        return value / self.log(self.convert(expr.args[1])) if len(expr.args) > 1 else value

    def log(self, u: Ratio) -> Ratio:
        """log(u), with factors of known sign split off."""
        self.require([(u, ">")])
        content, above = factored(u.num)
        if content == 0:
            raise Unsupported("log of 0")
        content, total = fmpq(content), Ratio(ZERO, ONE, True)
        rest = Ratio(ONE, ONE, True)
        for factor, power in above + [(f, -k) for f, k in factored(u.den)[1]]:
            value = Ratio(factor, ONE, True)
            sign = self.poly_sign(factor)
            # u is not 0 here, so a factor that is not negative is positive
            if sign in ("<", "<="):
                value, content, sign = -value, content * (-1) ** (power % 2), ">"
            if sign in (">", ">="):
                total = total + power * self._simple_log(value)
            else:
                rest = rest * value**power
        if content < 0:
            rest, content = -rest, -content
        for number, direction in ((int(content.p), 1), (int(content.q), -1)):
            primes = prime_powers(number)
            if primes is None:
                primes = {number: 1}
            for prime, power in primes.items():
                total = total + power * direction * self.term(
                    "log", [Ratio(RING.constant(fmpq(prime)), ONE, True)]
                )
        if rest.constant() != 1:
            total = total + self.term("log", [rest], [(rest, ">")])
        simple = u.constant() is None and len(above) == 1 and u.den.is_constant()
        if content != 1 and simple and all(t.arguments[0].key != u.key for t in self.scaled):
            self.scaled.append(SmtTerm("log", [u], total, -1, ((u, ">"),), not self.nested))
        return total

    def _simple_log(self, u: Ratio) -> Ratio:
        """log(u) for an irreducible u > 0: exponentials are undone."""
        for t in self.terms:
            if t.value.num == u.num and u.den.is_one():
                if t.kind == "exp":
                    return t.arguments[0]
                if t.kind == "power" and self.sign(t.arguments[0]) == ">":
                    return t.arguments[1] * self.log(t.arguments[0])
        return self.term("log", [u], [(u, ">")])

    def _odd(self, kind: str, u: Ratio) -> Ratio:
        """An odd function: the argument's leading sign is taken out."""
        if u.num == 0:
            return u
        if u.num.leading_coefficient() < 0:
            return -self.term(kind, [-u])
        return self.term(kind, [u])

    def _even(self, kind: str, u: Ratio) -> Ratio:
        if u.num == 0:
            return Ratio(ONE, ONE, True)
        return self.term(kind, [-u if u.num.leading_coefficient() < 0 else u])

    def _read_tanh(self, expr):
        return self._odd("tanh", self.convert(expr.args[0]))

    def _read_coth(self, expr):
        value = self._odd("tanh", self.convert(expr.args[0]))
        self.require([(value, "!=")])
        return 1 / value

    def _read_sinh(self, expr):
        return self._odd("sinh", self.convert(expr.args[0]))

    def _read_csch(self, expr):
        value = self._odd("sinh", self.convert(expr.args[0]))
        self.require([(value, "!=")])
        return 1 / value

    def _read_cosh(self, expr):
        return self._even("cosh", self.convert(expr.args[0]))

    def _read_sech(self, expr):
        return 1 / self._even("cosh", self.convert(expr.args[0]))

    def _read_erf(self, expr):
        return self._odd("erf", self.convert(expr.args[0]))

    def _read_erfc(self, expr):
        return 1 - self._odd("erf", self.convert(expr.args[0]))

    def _read_atan(self, expr):
        return self._odd("atan", self.convert(expr.args[0]))

    def _read_sin(self, expr):
        return self._odd("sin", self.convert(expr.args[0]))

    def _read_cos(self, expr):
        return self._even("cos", self.convert(expr.args[0]))

    def _read_tan(self, expr):
        u = self.convert(expr.args[0])
        below = self._even("cos", u)
        self.require([(below, "!=")])
        return self._odd("sin", u) / below

    def _read_gamma(self, expr):
        return self._shifted_gamma(self.convert(expr.args[0]))

    def _shifted_gamma(self, u: Ratio) -> Ratio:
        value = u.constant()
        if value is not None and value.q == 1 and 0 < value <= 30:
            return Ratio(RING.constant(fmpq(math.factorial(int(value) - 1))), ONE, True)
        # Gamma(w + k) by Gamma(w), if that occurs: then it is defined
        for t in self.terms:
            if t.kind == "gamma" and t.everywhere:
                step = (u - t.arguments[0]).constant()
                if step is not None and step.q == 1 and 0 < step <= 12:
                    result = t.value
                    for i in range(int(step)):
                        result = result * (t.arguments[0] + i)
                    return result
        return self.term("gamma", [u])

    def _read_factorial(self, expr):
        argument = expr.args[0]
        u = self.convert(argument)
        whole = all(s in self.integers for s in argument.free_symbols)
        if whole and u.den.is_one() and all(c.q == 1 for _, c in u.num.terms()):
            for t in self.terms:
                if t.kind == "factorial" and t.everywhere:
                    step = (u - t.arguments[0]).constant()
                    if step is not None and step.q == 1 and 0 < step <= 12:
                        result = t.value
                        for i in range(1, int(step) + 1):
                            result = result * (t.arguments[0] + i)
                        return result
            return self.term("factorial", [u])
        return self._shifted_gamma(u + 1)

    def _read_binomial(self, expr):
        n, k = expr.args
        if not (k.is_Integer and 0 <= k <= 8):
            return self.term("opaque", [expr])
        u, result = self.convert(n), Ratio(ONE, ONE, True)
        for i in range(int(k)):
            result = result * (u - i) / (i + 1)
        return result

    def _read_loggamma(self, expr):
        return self.term("loggamma", [self.convert(expr.args[0])])

    def _read_floor(self, expr):
        return self.term("floor", [self.convert(expr.args[0])])

    def _read_ceiling(self, expr):
        return self.term("ceiling", [self.convert(expr.args[0])])

    # ---- nodes with cases ----

    def _read_abs(self, expr):
        argument = expr.args[0]
        sign = self.sign(self.convert(argument))
        if sign in (">", ">=", "=="):
            return self.convert(argument)
        if sign in ("<", "<="):
            return -self.convert(argument)
        return self._cases(expr, [([(argument, ">=")], argument), ([(argument, "<=")], -argument)])

    def _read_sign(self, expr):
        argument = expr.args[0]
        known = self.sign(self.convert(argument))
        if known in (">", "<", "=="):
            return self.convert(sp.Integer({">": 1, "<": -1, "==": 0}[known]))
        values = ((">", sp.S.One), ("<", sp.S.NegativeOne), ("==", sp.S.Zero))
        return self._cases(expr, [([(argument, op)], value) for op, value in values])

    def _extreme(self, expr, op: str):
        parts = sorted(expr.args, key=sp.default_sort_key)
        if len(parts) > 6:
            raise Unsupported("too many cases")
        return self._cases(
            expr,
            [([(p - other, op) for other in parts if other is not p], p) for p in parts],
        )

    def _read_max(self, expr):
        return self._extreme(expr, ">=")

    def _read_min(self, expr):
        return self._extreme(expr, "<=")

    def _read_piecewise(self, expr):
        cases, before = [], []
        for value, condition in expr.args:
            if condition != sp.false:
                cases.append(([*before, _boolean(condition)], value))
                before.append(_boolean(sp.Not(condition)))
            if condition == sp.true:
                break
        return self._cases(expr, cases)

    def _cases(self, expr, cases) -> Ratio:
        if not self.choices.get("disjunction"):
            raise Split(expr, cases)
        value = self.term("case", [expr])
        parts = []
        self.nested += 1
        for conditions, choice in cases:
            outer, self.sink = self.sink, []
            tree = [self.read(f) for f in conditions]
            difference = value - self.convert(choice)
            parts.append(("and", [*self.sink, *tree, (difference, "==")]))
            self.sink = outer
        self.nested -= 1
        self.require([("or", parts)])
        return value

    # ---- formulas ----

    def read(self, formula) -> Any:
        """A formula with quotients in place of expressions."""
        head, tail = formula
        if head in ("or", "and") and isinstance(tail, (list, tuple)):
            if head == "and":
                return ("and", [self.read(f) for f in tail])
            self.nested += 1
            parts = []
            for part in tail:
                outer, self.sink = self.sink, []
                tree = self.read(part)
                parts.append(("and", [*self.sink, tree]) if self.sink else tree)
                self.sink = outer
            self.nested -= 1
            return ("or", parts)
        if tail not in NEGATED:
            raise Unsupported(f"no relation: {tail}")
        return (self.convert(expression(head)), tail)

    def load(self, formulas: Sequence) -> None:
        """Read all formulas; those that tell signs come first."""
        later = []
        for formula in formulas:
            if is_plain(formula):
                ratio, op = self.read(formula)
                self.note(ratio, op)
            else:
                later.append(formula)
        for formula in later:
            tree = self.read(formula)
            if tree[0] == "and":
                for part in tree[1]:
                    self.note(*part)
            elif tree[0] == "or":
                self.formulas.append(tree)
            else:
                self.note(*tree)

    def note(self, ratio, op) -> None:
        """Assert a formula; one with a single factor also tells a sign."""
        if ratio in ("and", "or"):
            self.formulas.append((ratio, op))
            return
        content, factors = factored(ratio.num)
        if content != 0 and len(factors) == 1 and ratio.den.is_constant() and op != "==":
            self.fact(ratio, op)
        else:
            self.formulas.append((ratio, op))


def expression(value) -> sp.Expr:
    """The value as an expression: text is not read here."""
    if isinstance(value, int):
        return sp.Integer(value)
    if not isinstance(value, sp.Expr):
        raise Unsupported(f"{type(value).__name__} is no expression")
    return value


def is_plain(formula) -> bool:
    """A polynomial comparison in symbols alone."""
    head, tail = formula
    if not isinstance(tail, str):
        return False
    head = expression(head)
    return bool(head.is_polynomial(*head.free_symbols))


def _boolean(condition) -> Formula:
    """A formula from SymPy's Boolean of relationals."""
    if isinstance(condition, sp.And):
        return ("and", [_boolean(c) for c in condition.args])
    if isinstance(condition, sp.Or):
        return ("or", [_boolean(c) for c in condition.args])
    if condition == sp.true:
        return (sp.S.Zero, "==")
    if condition == sp.false:
        return (sp.S.One, "==")
    if isinstance(condition, sp.Not):
        return negated(_boolean(condition.args[0]))
    ops = {sp.Eq: "==", sp.Ne: "!=", sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">="}
    op = ops.get(type(condition))
    if op is None:
        raise Unsupported(f"condition {condition}")
    return (condition.lhs - condition.rhs, op)


def negated(formula) -> Formula:
    """Return the opposite of a formula."""
    head, tail = formula
    if head == "and" and isinstance(tail, (list, tuple)):
        return ("or", [negated(f) for f in tail])
    if head == "or" and isinstance(tail, (list, tuple)):
        return ("and", [negated(f) for f in tail])
    return (head, NEGATED[tail])
