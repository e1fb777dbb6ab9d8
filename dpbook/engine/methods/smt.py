"""Z3 over the reals: polynomials exactly, everything else as a fresh real with true axioms.

A question is a conjunction of formulas ``expr op 0``. Every expression becomes a quotient of
two polynomials in generators: the symbols, and one generator for each distinct term that is
no polynomial (exp(u), log(u), a root, a power a**b, ...). Roots are defined exactly; other
terms are known only by axioms, each true for all real arguments at which the term is
defined. So `unsat` carries over from the generators to the real numbers, `sat` does not.

Precondition of every function here: the caller has proved that all expressions are finite
real numbers wherever the hypotheses hold. Only then may a denominator be taken as nonzero,
the argument of a log as positive and that of a root as nonnegative: Z3's own division is
total and is never used.

Axioms are added lazily: Z3 is asked, and those that its model violates are added.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import sympy as sp
import z3
from flint import arb, ctx, fmpq, fmpq_mat, fmpq_mpoly_ctx, fmpz
from sympy.core.function import AppliedUndef

from dpbook.engine.budget import SLOWEST, worked
from dpbook.engine.methods.axioms import (
    MIXED,
    NEGATED,
    PAIRS,
    POWER_MIXED,
    POWER_PAIRS,
    POWERS,
    TRIPLES,
    UNARY,
    either,
)

__all__ = ["SmtProof", "SmtResult", "prove", "unsat"]

# A formula is (expr, op), ("or", [formula, ...]) or ("and", [formula, ...]).
Formula = tuple[Any, Any]

FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
MAX_TERMS = 20000  # of a polynomial
MAX_DEGREE = 60  # of a power that is multiplied out
MAX_CASES = 16  # of one question, when Abs, Max, Min and Piecewise are split
CERTIFICATE_LIMIT = 60_000  # characters


@dataclass(frozen=True)
class SmtResult:
    """What Z3 said about a conjunction: ``status`` is "unsat", "sat" or "unknown".

    ``model`` gives a rational for each symbol (an algebraic value is approximated); it is a
    candidate and nothing more. ``problems`` holds the SMT-LIB text of each case.
    """

    status: str
    model: dict[sp.Symbol, fmpq] | None = None
    used_axioms: tuple[str, ...] = ()
    seconds: float = 0.0
    problems: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class SmtProof:
    """A goal follows from the hypotheses: with its negation they are unsatisfiable."""

    axioms: tuple[str, ...] = ()
    certificate: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    method: str = "z3"


class _Unsupported(Exception):
    """Something that has no sound encoding here, or is too large for one."""


class _Clock:
    """Seconds of work; Z3 itself counts those on the wall, of which a busy machine has more."""

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.wall, self.work = time.monotonic(), worked()

    def left(self) -> float:
        return self.seconds - (worked() - self.work)

    def slowness(self) -> float:
        """Seconds on the wall for a second of work."""
        wall, work = time.monotonic() - self.wall, worked() - self.work
        return min(SLOWEST, max(1.0, wall / max(work, 1e-3)))


class _Split(Exception):
    """A piecewise node was met: the question falls into the cases given."""

    def __init__(self, node: sp.Basic, cases: list[tuple[list[Formula], sp.Expr]]):
        super().__init__(str(node))
        self.node, self.cases = node, cases


# --------------------------------------------------------------------------------------
# Quotients of polynomials
# --------------------------------------------------------------------------------------

GENERATORS = 96
_RING = fmpq_mpoly_ctx.get([f"g{i}" for i in range(GENERATORS)], "degrevlex")
_GENS = _RING.gens()
_ONE = _RING.constant(1)
_ZERO = _RING.constant(0)


class Ratio:
    """A quotient of two polynomials in lowest terms; the denominator is monic."""

    __slots__ = ("_key", "den", "num")

    def __init__(self, num, den=_ONE, reduced: bool = False):
        if not reduced and not den.is_one() and len(num) <= 400 and len(den) <= 400:
            common = num.gcd(den)
            if not common.is_one():
                num, den = num / common, den / common
        if not den.is_one():
            lead = den.leading_coefficient()
            if lead != 1:
                num, den = num / lead, den / lead
        self.num, self.den, self._key = num, den, None

    @property
    def key(self) -> str:
        if self._key is None:
            self._key = f"{self.num}/{self.den}"
        return self._key

    def constant(self) -> fmpq | None:
        if self.den.is_constant() and self.num.is_constant():
            return self.num.leading_coefficient() if self.num != 0 else fmpq(0)
        return None

    def _of(self, other) -> Ratio:
        return other if isinstance(other, Ratio) else Ratio(_RING.constant(fmpq(other)), _ONE, True)

    def __add__(self, other):
        other = self._of(other)
        if self.den == other.den:
            return Ratio(self.num + other.num, self.den)
        return Ratio(
            _times(self.num, other.den) + _times(other.num, self.den), _times(self.den, other.den)
        )

    __radd__ = __add__

    def __neg__(self):
        return Ratio(-self.num, self.den, True)

    def __sub__(self, other):
        return self + (-self._of(other))

    def __rsub__(self, other):
        return self._of(other) - self

    def __mul__(self, other):
        other = self._of(other)
        return Ratio(_times(self.num, other.num), _times(self.den, other.den))

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = self._of(other)
        if other.num == 0:
            raise _Unsupported("division by zero")
        return Ratio(_times(self.num, other.den), _times(self.den, other.num))

    def __rtruediv__(self, other):
        return self._of(other) / self

    def __pow__(self, exponent: int):
        if exponent < 0:
            return (1 / self) ** (-exponent)
        result, base = self._of(1), self
        while exponent:
            if exponent & 1:
                result = result * base
            exponent >>= 1
            if exponent:
                base = base * base
        return result


def _times(a, b):
    """Multiply, unless the product could be too large to be of use."""
    if a.is_one():
        return b
    if b.is_one():
        return a
    if len(a) * len(b) > MAX_TERMS:
        raise _Unsupported("polynomial too large")
    return a * b


_FACTORS: dict[str, tuple[fmpq, list[tuple[Any, int]]]] = {}


def _factor(poly) -> tuple[fmpq, list[tuple[Any, int]]]:
    """Content and irreducible factors, or the polynomial itself if it is large."""
    if poly.is_constant():
        return (poly.leading_coefficient() if poly != 0 else fmpq(0)), []
    key = str(poly)
    if key not in _FACTORS:
        if len(_FACTORS) > 5000:
            _FACTORS.clear()
        if len(poly) > 150 or poly.total_degree() > 40:
            lead = poly.leading_coefficient()
            _FACTORS[key] = lead, [(poly / lead, 1)]
        else:
            content, factors = poly.factor()
            monic = []
            for factor, power in factors:
                lead = factor.leading_coefficient()
                content *= lead**power
                monic.append((factor / lead, power))
            _FACTORS[key] = content, sorted(monic, key=lambda item: (len(item[0]), str(item[0])))
    return _FACTORS[key]


# --------------------------------------------------------------------------------------
# From SymPy to quotients
# --------------------------------------------------------------------------------------

_ARB: dict[str, Callable[[arb], arb]] = {
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "tanh": lambda x: x.tanh(),
    "cosh": lambda x: x.cosh(),
    "sinh": lambda x: x.sinh(),
    "erf": lambda x: x.erf(),
    "atan": lambda x: x.atan(),
    "sin": lambda x: x.sin(),
    "cos": lambda x: x.cos(),
    "gamma": lambda x: x.gamma(),
    "loggamma": lambda x: x.lgamma(),
    "digamma": lambda x: x.digamma(),
}
_CONSTANTS: dict[sp.Basic, Callable[[], arb]] = {
    sp.pi: arb.pi,
    sp.EulerGamma: arb.const_euler,
    sp.Catalan: arb.const_catalan,
}


@dataclass
class _Term:
    """A generator that stands for a term which is no polynomial."""

    kind: str
    arguments: list[Ratio]
    value: Ratio
    index: int
    conditions: tuple  # it is a real number where these hold
    everywhere: bool = True  # it occurs outside of disjunctions, so it is defined

    def needs(self) -> list:
        """Its conditions, and that the denominators of its arguments are not 0."""
        below = [a.den for a in self.arguments if not a.den.is_constant()]
        return [*self.conditions, *((Ratio(d, _ONE, True), "!=") for d in below)]


def _enclosure(ball: arb) -> tuple[fmpq, fmpq]:
    """Rational bounds of about 20 digits."""
    if not ball.is_finite():
        raise _Unsupported("no finite enclosure")
    with ctx.workprec(64):
        low, high = arb(ball.lower()), arb(ball.upper())
    return _dyadic(low), _dyadic(high)


def _dyadic(point: arb) -> fmpq:
    mantissa, exponent = point.mid().man_exp()
    mantissa, exponent = int(mantissa), int(exponent)
    if abs(exponent) > 4000:
        raise _Unsupported("number too large")
    return fmpq(mantissa * 2**exponent) if exponent >= 0 else fmpq(mantissa, 2**-exponent)


def _ball(kind: str, point: fmpq) -> tuple[fmpq, fmpq]:
    with ctx.workprec(100):
        return _enclosure(_ARB[kind](arb(point)))


def _prime_powers(number: int) -> dict[int, int] | None:
    """Factors of a positive integer, or None where they are not cheap to find."""
    if number > 10**12:
        return None
    return {int(p): int(k) for p, k in fmpz(number).factor()} if number > 1 else {}


class _Problem:
    """One conjunction without cases: its formulas, terms and what is known of signs."""

    def __init__(self, integers: frozenset[sp.Symbol], choices: dict, clock: _Clock):
        self.integers, self.choices, self.clock = integers, choices, clock
        self.used = 0
        self.symbols: dict[sp.Symbol, int] = {}
        self.whole: set[int] = set()  # generators that take integer values
        self.terms: list[_Term] = []
        self.by_key: dict[tuple, _Term] = {}
        self.memo: dict[sp.Basic, tuple[Ratio, tuple]] = {}
        self.sink: list = []  # conditions of definedness met on the way
        self.signs: dict[str, str] = {}  # of monic polynomials
        self.bounds: dict[int, list] = {}  # generator -> [low, strict, high, strict]
        self.raw: list = []  # asserted as they are: the sources of `signs`
        self.formulas: list = []
        self.scaled: list[_Term] = []  # a log(cu) that was split into log(c) + log(u)
        self.nested = 0  # depth inside a disjunction, where conditions are local

    # ---- generators ----

    def generator(self) -> int:
        if self.used >= GENERATORS:
            raise _Unsupported("too many terms")
        self.used += 1
        return self.used - 1

    def symbol(self, symbol: sp.Symbol) -> Ratio:
        if symbol not in self.symbols:
            self.symbols[symbol] = self.generator()
            if symbol in self.integers:
                self.whole.add(self.symbols[symbol])
        return Ratio(_GENS[self.symbols[symbol]], _ONE, True)

    def term(self, kind: str, arguments: list[Ratio], conditions: Iterable = ()) -> Ratio:
        """The generator of kind(arguments), one for equal arguments."""
        key = (kind, *(a.key if isinstance(a, Ratio) else a for a in arguments))
        conditions = tuple(conditions)
        if key not in self.by_key:
            index = self.generator()
            value = Ratio(_GENS[index], _ONE, True)
            ratios = [a for a in arguments if isinstance(a, Ratio)]
            term = _Term(kind, ratios, value, index, conditions, not self.nested)
            self.by_key[key] = term
            self.terms.append(term)
            if kind in ("floor", "ceiling"):
                self.whole.add(index)
            positive = kind in ("power", "gamma") and self.sign(ratios[0]) == ">"
            if positive or kind in ("exp", "cosh", "factorial"):
                self.signs[str(value.num)] = ">"
        self.require(conditions)
        return self.by_key[key].value

    # ---- signs ----

    def require(self, conditions: Iterable) -> None:
        for ratio, op in conditions:
            if ratio == "or":
                # which case of a piecewise value holds
                if not self.nested and all(op is not tree[1] for tree in self.formulas):
                    self.formulas.append(("or", op))
            elif ratio.constant() is not None:
                continue
            elif not self.nested:
                self.fact(ratio, op)
            self.sink.append((ratio, op))

    def fact(self, ratio: Ratio, op: str) -> None:
        """Assert `ratio op 0` as it stands, and remember the signs that it tells."""
        key = ("fact", ratio.key, op)
        if key in self.by_key:
            return
        self.by_key[key] = None
        if op == "!=" and self.sign(ratio) in (">", "<", "!="):
            return
        self.raw.append((ratio, op))
        content, factors = _factor(ratio.num)
        _, below = _factor(ratio.den)
        if op == "!=":
            for factor, _ in factors:
                self._learn(factor, "!=")
        elif op in ("<", ">", "<=", ">=") and not below:
            sign = op if content > 0 else FLIPPED[op]
            odd = [f for f, k in factors if k % 2]
            if len(factors) == 1 and len(odd) == 1:
                self._learn(odd[0], sign)
                self._bound(odd[0], sign)

    def _learn(self, poly, sign: str) -> None:
        key = str(poly)
        old = self.signs.get(key)
        if old in (">", "<"):
            return
        if {old, sign} == {">=", "!="}:
            sign = ">"
        elif {old, sign} == {"<=", "!="}:
            sign = "<"
        self.signs[key] = sign

    def _bound(self, poly, sign: str) -> None:
        """Read `g - c sign 0` as a bound of the generator g."""
        if poly.total_degree() != 1 or len(poly) > 2:
            return
        index, constant, lead = None, fmpq(0), fmpq(0)
        for exponents, coefficient in poly.terms():
            if any(exponents):
                if index is not None:
                    return
                index, lead = next(i for i, e in enumerate(exponents) if e), coefficient
            else:
                constant = coefficient
        if index is None:
            return
        value = -constant / lead
        low, low_open, high, high_open = self.bounds.get(index, [None, False, None, False])
        if sign in (">", ">=") and (low is None or value >= low):
            low, low_open = value, sign == ">" or (low == value and low_open)
        if sign in ("<", "<=") and (high is None or value <= high):
            high, high_open = value, sign == "<" or (high == value and high_open)
        self.bounds[index] = [low, low_open, high, high_open]

    def _generator_sign(self, index: int) -> str | None:
        known = self.signs.get(str(_GENS[index]))
        if known in (">", "<"):
            return known
        low, low_open, high, high_open = self.bounds.get(index, (None, False, None, False))
        if low is not None and (low > 0 or (low == 0 and low_open)):
            return ">"
        if high is not None and (high < 0 or (high == 0 and high_open)):
            return "<"
        if low is not None and low == 0:
            return ">=" if known != "!=" else ">"
        return known

    def poly_sign(self, poly) -> str | None:
        """The sign of a polynomial where it is plain, else None."""
        if poly.is_constant():
            value = poly.leading_coefficient() if poly != 0 else 0
            return ">" if value > 0 else "<" if value < 0 else "=="
        lead = poly.leading_coefficient()
        known = self.signs.get(str(poly / lead))
        if known in (">", "<"):
            return known if lead > 0 else FLIPPED[known]
        guess = self._termwise(poly)
        if guess in (">", "<"):
            return guess
        interval = self._interval(poly)
        if interval in (">", "<"):
            return interval
        if known:
            known = known if lead > 0 else FLIPPED[known]
        return guess or interval or known

    def _termwise(self, poly) -> str | None:
        strict, direction = False, 0
        for exponents, coefficient in poly.terms():
            sign, zero = (1 if coefficient > 0 else -1), False
            for index, exponent in enumerate(exponents):
                if not exponent:
                    continue
                known = self._generator_sign(index)
                if exponent % 2 == 0:
                    zero = zero or known not in (">", "<", "!=")
                elif known in (">", ">="):
                    zero = zero or known == ">="
                elif known in ("<", "<="):
                    sign, zero = -sign, zero or known == "<="
                else:
                    return None
            if direction and sign != direction:
                return None
            direction, strict = sign, strict or not zero
        return (">" if direction > 0 else "<") + ("" if strict else "=")

    def _interval(self, poly) -> str | None:
        """The sign by the ranges of nonnegative generators, term by term."""
        low: fmpq | None = fmpq(0)
        high: fmpq | None = fmpq(0)
        low_open = high_open = False
        for exponents, coefficient in poly.terms():
            small, large, small_open, large_open = fmpq(1), fmpq(1), False, False
            for index, exponent in enumerate(exponents):
                if not exponent:
                    continue
                a, a_open, b, b_open = self.bounds.get(index, (None, False, None, False))
                if a is None or a < 0:
                    if self._generator_sign(index) not in (">", ">="):
                        return None
                    a, a_open = fmpq(0), False
                small, small_open = small * a**exponent, small_open or a_open
                if b is None or large is None:
                    large = None
                else:
                    large, large_open = large * b**exponent, large_open or b_open
            if large == 0 or small == 0:
                # a product that touches 0 is open there only if each factor is
                small_open = small_open and sum(exponents) == max(exponents)
            if large is not None and large_open:
                large_open = sum(exponents) == max(exponents)
            if coefficient < 0:
                small, large, small_open, large_open = large, small, large_open, small_open
            low = None if low is None or small is None else low + coefficient * small
            high = None if high is None or large is None else high + coefficient * large
            low_open, high_open = low_open or small_open, high_open or large_open
        if low is not None and low >= 0:
            return ">" if low > 0 or low_open else ">="
        if high is not None and high <= 0:
            return "<" if high < 0 or high_open else "<="
        return None

    def sign(self, ratio: Ratio) -> str | None:
        """The sign of a quotient from those of its factors."""
        content, factors = _factor(ratio.num)
        if content == 0:
            return "=="
        whole = self.poly_sign(ratio.num)
        if ratio.den.is_constant() and whole in (">", "<"):
            return whole
        sign, zero, unknown = (1 if content > 0 else -1), False, False
        for part, defined in ((factors, False), (_factor(ratio.den)[1], True)):
            for factor, power in part:
                known = self.poly_sign(factor)
                if power % 2 == 0:
                    zero = zero or (not defined and known not in (">", "<", "!="))
                elif known in (">", ">="):
                    zero = zero or (known == ">=" and not defined)
                elif known in ("<", "<="):
                    sign, zero = -sign, zero or (known == "<=" and not defined)
                else:
                    unknown = True
                    zero = zero or (known != "!=" and not defined)
        if unknown:
            if ratio.den.is_constant() and whole:
                return whole
            return None if zero else "!="
        return (">" if sign > 0 else "<") + ("=" if zero else "")

    # ---- conversion ----

    def convert(self, expr: sp.Expr) -> Ratio:
        """The quotient that an expression is; its conditions go to the sink."""
        if expr in self.memo:
            ratio, conditions = self.memo[expr]
            self.require(conditions)
            return ratio
        if self.clock.left() < 0:
            raise _Unsupported("out of time while reading")
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
            return Ratio(_RING.constant(fmpq(int(expr.p), int(expr.q))), _ONE, True)
        if expr.is_Symbol:
            return self.symbol(expr)
        if expr.is_Float or expr.has(sp.I, sp.zoo, sp.nan, sp.oo, -sp.oo):
            raise _Unsupported(f"{expr} is not read here")
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
        if expr in _CONSTANTS:
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
            power = self._symbolic_power(value, Ratio(_RING.constant(fmpq(abs(n))), _ONE, True))
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
        content, above = _factor(u.num)
        if content == 0:
            return u
        content, result = fmpq(content), Ratio(_ONE, _ONE, True)
        rest = Ratio(_ONE, _ONE, True)
        for factor, power in above + [(f, -k) for f, k in _factor(u.den)[1]]:
            value = Ratio(factor, _ONE, True)
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
            primes = _prime_powers(number)
            if primes is None:
                rest = rest * fmpq(number) ** direction
                continue
            for prime, power in primes.items():
                value = Ratio(_RING.constant(fmpq(prime)), _ONE, True)
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
            raise _Unsupported("power too large")
        result = u**whole
        if p:
            value = self.term("root", [u, str(q)], [(u, ">=")])
            self.signs[str(value.num)] = ">"
            result = result * value**p
        return result

    def _exp(self, argument: sp.Expr) -> Ratio:
        """exp(u); exp(c log a + w) is a**c exp(w) for rational c."""
        u = self.convert(argument)
        result = Ratio(_ONE, _ONE, True)
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
            content, above = _factor(a.num)
            parts = above + [(f, -k) for f, k in _factor(a.den)[1]]
            if len(parts) > 1 and all(self.poly_sign(f) == ">" for f, _ in parts):
                # (ac)**b = a**b c**b for positive a and c
                result = self._symbolic_power(Ratio(_RING.constant(content), _ONE, True), b)
                for factor, power in parts:
                    value = self._symbolic_power(Ratio(factor, _ONE, True), power * b)
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
        content, above = _factor(u.num)
        if content == 0:
            raise _Unsupported("log of 0")
        content, total = fmpq(content), Ratio(_ZERO, _ONE, True)
        rest = Ratio(_ONE, _ONE, True)
        for factor, power in above + [(f, -k) for f, k in _factor(u.den)[1]]:
            value = Ratio(factor, _ONE, True)
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
            primes = _prime_powers(number)
            if primes is None:
                primes = {number: 1}
            for prime, power in primes.items():
                total = total + power * direction * self.term(
                    "log", [Ratio(_RING.constant(fmpq(prime)), _ONE, True)]
                )
        if rest.constant() != 1:
            total = total + self.term("log", [rest], [(rest, ">")])
        simple = u.constant() is None and len(above) == 1 and u.den.is_constant()
        if content != 1 and simple and all(t.arguments[0].key != u.key for t in self.scaled):
            self.scaled.append(_Term("log", [u], total, -1, ((u, ">"),), not self.nested))
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
            return Ratio(_ONE, _ONE, True)
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
            return Ratio(_RING.constant(fmpq(math.factorial(int(value) - 1))), _ONE, True)
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
        u, result = self.convert(n), Ratio(_ONE, _ONE, True)
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
            raise _Unsupported("too many cases")
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
            raise _Split(expr, cases)
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
            raise _Unsupported(f"no relation: {tail}")
        return (self.convert(_expression(head)), tail)

    def load(self, formulas: Sequence) -> None:
        """Read all formulas; those that tell signs come first."""
        later = []
        for formula in formulas:
            if _is_plain(formula):
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
        content, factors = _factor(ratio.num)
        if content != 0 and len(factors) == 1 and ratio.den.is_constant() and op != "==":
            self.fact(ratio, op)
        else:
            self.formulas.append((ratio, op))

    # ---- relations among exponentials ----

    def relate_powers(self) -> None:
        """Write exponentials of dependent arguments by those of a basis."""
        groups: dict[str, list[_Term]] = {}
        for t in self.terms:
            if t.kind == "exp":
                groups.setdefault("exp", []).append(t)
            elif t.kind == "power" and self.sign(t.arguments[0]) == ">":
                groups.setdefault(t.arguments[0].key, []).append(t)
        table: dict[int, Ratio] = {}
        for group in groups.values():
            if len(group) > 1:
                table.update(self._basis(group))
        if table:
            self.substitute(table)

    def relate_logs(self) -> None:
        """log(u) is q log(s) for a root s**q = u that occurs."""
        roots = {t.arguments[0].key: t for t in self.terms if t.kind == "root"}
        table: dict[int, Ratio] = {}
        for t in [t for t in self.terms if t.kind == "log"]:
            root = roots.get(t.arguments[0].key)
            if root is not None and t.arguments[0].constant() is None:
                fresh = self.term("log", [root.value], t.needs())
                table[t.index] = self._root_degree(root) * fresh
        if table:
            self.substitute(table)

    def _basis(self, group: list[_Term]) -> dict[int, Ratio]:
        vectors = _as_vectors([t.arguments[-1] for t in group])
        if vectors is None:
            return {}
        order = sorted(range(len(group)), key=lambda i: (sum(1 for x in vectors[i] if x != 0), i))
        basis: list[int] = []
        written: dict[int, list[fmpq]] = {}
        for i in order:
            solution = _combination([vectors[j] for j in basis], vectors[i])
            if solution is None:
                basis.append(i)
            else:
                written[i] = solution
        if not written:
            return {}
        scales = [
            math.lcm(1, *(int(s[k].q) for s in written.values() if k < len(s)))
            for k in range(len(basis))
        ]
        powers = [c * d for s in written.values() for c, d in zip(s, scales, strict=False)]
        if max(scales) > 12 or max(abs(int(p.p)) for p in powers) > 24:
            return {}
        table: dict[int, Ratio] = {}
        roots = []
        for j, scale in zip(basis, scales, strict=True):
            t = group[j]
            if scale == 1:
                roots.append(t.value)
                continue
            arguments = [*t.arguments[:-1], t.arguments[-1] / scale]
            fresh = self.term(t.kind, arguments)
            self.signs[str(fresh.num)] = ">"
            roots.append(fresh)
            table[t.index] = fresh**scale
        for i, solution in written.items():
            value = Ratio(_ONE, _ONE, True)
            for c, d, root in zip(solution, scales, roots, strict=False):
                value = value * root ** int((c * d).p)
            if value.key != group[i].value.key:
                table[group[i].index] = value
        return table

    def substitute(self, table: dict[int, Ratio]) -> None:
        """Put quotients in place of generators, everywhere."""
        gone = set(table)
        self.terms = [t for t in self.terms if t.index not in gone]

        def put(ratio: Ratio) -> Ratio:
            return _put(ratio, table)

        for t in [*self.terms, *self.scaled]:
            t.arguments, t.value = [put(a) for a in t.arguments], put(t.value)
            t.conditions = tuple((put(r), op) for r, op in t.conditions)
        self.raw = [(put(r), op) for r, op in self.raw]
        self.formulas = [_map(f, put) for f in self.formulas]

    # ---- what is asserted ----

    def assertions(self) -> tuple[list, list]:
        """What is asserted as it stands, and what may be simplified by known signs.

        The first part holds whatever the known signs were read from.
        """
        firm: list = list(self.raw)
        sure = {(r.key, op) for r, op in self.raw}
        for t in self.terms:
            if t.kind == "root":
                q = self._root_degree(t)
                for part in ((t.value, ">="), (t.value**q - t.arguments[0], "==")):
                    firm.append(self._guard(t.needs(), part, sure))
            known = self.signs.get(str(t.value.num))
            if known in (">", ">=", "!="):
                firm.append((t.value, known))
        loose = list(self.formulas)
        if self.whole:
            firm = [_map_atoms(f, self._tighten) for f in firm]
            loose = [_map_atoms(f, self._tighten) for f in loose]
        return firm, loose

    def _root_degree(self, term: _Term) -> int:
        return next(int(k[2]) for k, t in self.by_key.items() if t is term)

    def _guard(self, conditions, formula, sure) -> Any:
        open_ones = [
            (r, NEGATED[op])
            for r, op in conditions
            if (r.key, op) not in sure and not _implies(self.sign(r), op)
        ]
        # a denominator inside the formula may vanish only where it was not required
        return ("or", [*open_ones, formula]) if open_ones else formula

    def _tighten(self, ratio: Ratio, op: str) -> tuple[Ratio, str]:
        """Write p > 0 as p >= 1 for a polynomial with integer values."""
        if op not in (">", "<") or not ratio.den.is_one():
            return ratio, op
        scale = math.lcm(1, *(int(c.q) for _, c in ratio.num.terms()))
        for exponents, _ in ratio.num.terms():
            if any(e and i not in self.whole for i, e in enumerate(exponents)):
                return ratio, op
        scaled = ratio * scale
        return (scaled - 1, ">=") if op == ">" else (scaled + 1, "<=")

    def axioms(self) -> list[tuple[int, str, Any]]:
        """All instances: (rank, name, formula)."""
        found: list[tuple[int, str, Any]] = []
        sure = {(r.key, op) for r, op in self.raw}

        def add(rank: int, name: str, formulas: Iterable, *terms: _Term) -> None:
            conditions = [c for t in terms for c in t.needs()]
            for formula in formulas:
                found.append((rank, name, self._guard(conditions, formula, sure)))

        def attempt(rank, name, rule, values, *terms):
            try:
                add(rank, name, rule(*values), *terms)
            except _Unsupported:
                return

        kinds: dict[str, list[_Term]] = {}
        for t in self.terms:
            kinds.setdefault(t.kind, []).append(t)
            self._constant_bounds(t, found)
        kinds.setdefault("log", []).extend(self.scaled)
        for name, (kind, rank, rule) in UNARY.items():
            for t in kinds.get(kind, ()):
                if t.arguments[0].constant() is None:
                    attempt(rank, name, rule, (t.arguments[0], t.value), t)
        for name, (kind, rank, rule) in PAIRS.items():
            for s, t in combinations(kinds.get(kind, ())[:8], 2):
                if s.arguments[0].constant() is None or t.arguments[0].constant() is None:
                    values = (s.arguments[0], s.value, t.arguments[0], t.value)
                    attempt(rank, name, rule, values, s, t)
        exps = [t for t in kinds.get("exp", ())[:5] if t.arguments[0].constant() is None]
        for name, (rank, rule) in TRIPLES.items():
            for (r, s), t in product(combinations(exps, 2), exps):
                if t is not r and t is not s:
                    values = (x for e in (r, s, t) for x in (e.arguments[0], e.value))
                    attempt(rank, name, rule, tuple(values), r, s, t)
        for name, (rank, rule) in POWERS.items():
            for t in kinds.get("power", ()):
                attempt(rank, name, rule, (*t.arguments, t.value), t)
        for t in kinds.get("power", ()):
            b = t.arguments[1].constant()
            if b is not None and b.q == 1 and b > 0:
                # a whole power is defined for all a
                a, even = t.arguments[0], int(b.p) % 2 == 0
                product_ = (t.value, ">") if even else (t.value * a, ">")
                formulas = [either((a, "=="), product_), either((a, "!="), (t.value, "=="))]
                add(1, "sign of a whole power", formulas, t)
        for name, (rank, rule) in POWER_PAIRS.items():
            for s, t in combinations(kinds.get("power", ())[:8], 2):
                values = (*s.arguments, s.value, *t.arguments, t.value)
                attempt(rank, name, rule, values, s, t)
        for name, (first, second, rank, rule) in MIXED.items():
            for s, t in product(kinds.get(first, ())[:6], kinds.get(second, ())[:6]):
                values = (s.arguments[0], s.value, t.arguments[0], t.value)
                attempt(rank, name, rule, values, s, t)
        for name, (second, rank, rule) in POWER_MIXED.items():
            for s, t in product(kinds.get("power", ())[:6], kinds.get(second, ())[:6]):
                values = (*s.arguments, s.value, t.arguments[0], t.value)
                attempt(rank, name, rule, values, s, t)
        for kind, members in kinds.items():
            if kind.startswith("function "):
                for s, t in combinations(members[:8], 2):
                    if len(s.arguments) == len(t.arguments):
                        apart = [
                            (a - b, "!=") for a, b in zip(s.arguments, t.arguments, strict=True)
                        ]
                        add(1, "equal arguments", [either(*apart, (s.value - t.value, "=="))], s, t)
        for r, s, t in product(kinds.get("log", ())[:6], repeat=3):
            # log(ab) = log a + log b
            if r is not s and r is not t and s.index <= t.index:
                try:
                    equal = (r.arguments[0] - s.arguments[0] * t.arguments[0]).num == 0
                except _Unsupported:
                    continue
                if equal:
                    guard = [(s.arguments[0], "<="), (t.arguments[0], "<=")]
                    whole = (r.value - s.value - t.value, "==")
                    add(0, "log of a product", [either(*guard, whole)], r, s, t)
        return found

    def _constant_bounds(self, t: _Term, found: list) -> None:
        """Enclosures of a term whose arguments are numbers."""
        try:
            if t.kind == "constant":
                name = next(k[1] for k, v in self.by_key.items() if v is t)
                with ctx.workprec(100):
                    low, high = _enclosure(_CONSTANTS[name]())
            elif t.kind in _ARB and t.arguments and t.arguments[0].constant() is not None:
                low, high = _ball(t.kind, t.arguments[0].constant())
            elif t.kind == "power" and all(a.constant() is not None for a in t.arguments):
                a, b = (x.constant() for x in t.arguments)
                if a <= 0:
                    return
                with ctx.workprec(100):
                    low, high = _enclosure((arb(a).log() * arb(b)).exp())
            else:
                return
        except (_Unsupported, OverflowError, ZeroDivisionError):
            return
        found.append((0, "enclosure of a constant", (t.value - low, ">=")))
        found.append((0, "enclosure of a constant", (t.value - high, "<=")))

    def tangents(self, values: list[fmpq]) -> list[tuple[int, str, Any]]:
        """Instances of convexity at numbers that the model suggests."""
        found = []
        sure = {(r.key, op) for r, op in self.raw}
        members: dict[str, list[_Term]] = {"exp": [], "log": []}
        for t in self.terms:
            if t.kind in members and t.arguments[0].constant() is None:
                members[t.kind].append(t)
        for kind, terms in members.items():
            rule = self._exp_tangent if kind == "exp" else self._log_tangent
            pairs = [(t, None) for t in terms]
            pairs += [(s, t) for s in terms[:6] for t in terms[:6] if s is not t]
            for s, t in pairs:
                try:
                    formulas = rule(s, t, values)
                except (_Unsupported, OverflowError, ZeroDivisionError):
                    continue
                needs = s.needs() + (t.needs() if t else [])
                name = f"{kind} at a rational point" if t is None else f"{kind}, shifted tangent"
                for formula in formulas:
                    found.append((2 if t is None else 3, name, self._guard(needs, formula, sure)))
        return found

    def _exp_tangent(self, s: _Term, t: _Term | None, values: list[fmpq]) -> list:
        """exp(u) = exp(c) exp(w) exp(u-w-c) for a number c near u - w."""
        u, e = s.arguments[0], s.value
        w, f = (t.arguments[0], t.value) if t else (0, 1)
        here = _value(u - w, values)
        if here is None:
            return []
        point = _short(here, 200)
        if t and point == 0:
            return []
        low, high = _ball("exp", point)
        low, high = _short_below(low), _short_above(high)
        step = u - w - point
        return [(e - low * f * (1 + step), ">="), (e * (1 - step) - high * f, "<=")]

    def _log_tangent(self, s: _Term, t: _Term | None, values: list[fmpq]) -> list:
        """log(u) = log(c) + log(w) + log(u/(cw)) for a number c near u/w."""
        u, v = s.arguments[0], s.value
        w, z = (t.arguments[0], t.value) if t else (1, 0)
        here = _value(u / w, values)
        if here is None or here <= 0:
            return []
        point = _short(here, 10**6)
        if point <= 0 or (t and point == 1):
            return []
        exact = self._known_log(point)
        if exact is None:
            low, high = _ball("log", point)
            low, high = _short_below(low), _short_above(high)
        else:
            low = high = exact
        shifted = point * w
        outside = [(u, "<="), (w, "<=")] if t else [(u, "<=")]
        return [
            either(*outside, (shifted * (v - z - high) - u + shifted, "<=")),
            either(*outside, (u * (v - z - low) - u + shifted, ">=")),
        ]

    def _known_log(self, number: fmpq) -> Ratio | None:
        """The log of a rational by the logs of primes that occur already."""
        total = Ratio(_ZERO, _ONE, True)
        for part, direction in ((int(number.p), 1), (int(number.q), -1)):
            primes = _prime_powers(part)
            if primes is None:
                return None
            for prime, power in primes.items():
                key = ("log", Ratio(_RING.constant(fmpq(prime)), _ONE, True).key)
                if key not in self.by_key:
                    return None
                total = total + direction * power * self.by_key[key].value
        return total


def _short(value: fmpq, limit: int) -> fmpq:
    """A rational of small denominator nearby."""
    if abs(value) > limit:
        value = fmpq(limit if value > 0 else -limit)
    p, q = int(value.p), int(value.q)
    if q <= 1000:
        return value
    small = Fraction(p, q).limit_denominator(max(64, min(10**6, 64 * q // max(1, abs(p)))))
    return fmpq(small.numerator, small.denominator)


def _short_below(value: fmpq) -> fmpq:
    """Round down to about 12 digits."""
    scale = _scale(value)
    return fmpq((value * scale).p // (value * scale).q) / scale


def _short_above(value: fmpq) -> fmpq:
    return -_short_below(-value)


def _scale(value: fmpq) -> fmpq:
    size = abs(int(value.p)).bit_length() - int(value.q).bit_length()
    shift = 40 - size
    return fmpq(2**shift) if shift >= 0 else fmpq(1, 2**-shift)


def _implies(sign: str | None, op: str) -> bool:
    if sign is None:
        return False
    return (
        sign == op or (sign == ">" and op in (">=", "!=")) or (sign == "<" and op in ("<=", "!="))
    )


def _map(tree, put):
    if tree[0] in ("and", "or"):
        return (tree[0], [_map(t, put) for t in tree[1]])
    return (put(tree[0]), tree[1])


def _map_atoms(tree, rule):
    if tree[0] in ("and", "or"):
        return (tree[0], [_map_atoms(t, rule) for t in tree[1]])
    return rule(*tree)


def _put(ratio: Ratio, table: dict[int, Ratio]) -> Ratio:
    def poly(p) -> Ratio:
        if not any(d for i, d in enumerate(p.degrees()) if i in table):
            return Ratio(p, _ONE, True)
        total = Ratio(_ZERO, _ONE, True)
        for exponents, coefficient in p.terms():
            rest = [0 if i in table else int(e) for i, e in enumerate(exponents)]
            value = Ratio(_RING.term(coeff=coefficient, exp_vec=tuple(rest)), _ONE, True)
            for i, e in enumerate(exponents):
                if e and i in table:
                    value = value * table[i] ** int(e)
            total = total + value
        return total

    top = poly(ratio.num)
    return top if ratio.den.is_one() else top / poly(ratio.den)


def _as_vectors(arguments: list[Ratio]) -> list[list[fmpq]] | None:
    """Quotients as rational vectors over common monomials."""
    common = _ONE
    for a in arguments:
        if not a.den.is_constant():
            common = common * (a.den / common.gcd(a.den))
            if len(common) > 60:
                return None
    rows = []
    for a in arguments:
        top = a.num * (common / a.den)
        rows.append(dict(top.terms()))
    monomials = sorted({e for row in rows for e in row})
    return [[fmpq(row.get(e, 0)) for e in monomials] for row in rows]


def _combination(basis: list[list[fmpq]], vector: list[fmpq]) -> list[fmpq] | None:
    """Rational coefficients that write the vector by the basis, or None."""
    if not basis:
        return None
    rows = len(vector)
    entries = [[b[i] for b in basis] + [vector[i]] for i in range(rows)]
    reduced, rank = fmpq_mat(entries).rref()
    n = len(basis)
    if rank > n:
        return None
    if any(reduced[r, n] != 0 and all(reduced[r, c] == 0 for c in range(n)) for r in range(rows)):
        return None
    return [reduced[i, n] for i in range(n)]


def _value(ratio: Ratio, values: list[fmpq]) -> fmpq | None:
    below = ratio.den(*values)
    return None if below == 0 else ratio.num(*values) / below


def _holds(tree, values: list[fmpq]) -> bool:
    if tree[0] == "and":
        return all(_holds(t, values) for t in tree[1])
    if tree[0] == "or":
        return any(_holds(t, values) for t in tree[1])
    value = _value(tree[0], values)
    if value is None:
        return True
    return {
        "==": value == 0,
        "!=": value != 0,
        "<": value < 0,
        "<=": value <= 0,
        ">": value > 0,
        ">=": value >= 0,
    }[tree[1]]


def _expression(value) -> sp.Expr:
    """The value as an expression: text is not read here."""
    if isinstance(value, int):
        return sp.Integer(value)
    if not isinstance(value, sp.Expr):
        raise _Unsupported(f"{type(value).__name__} is no expression")
    return value


def _is_plain(formula) -> bool:
    """A polynomial comparison in symbols alone."""
    head, tail = formula
    if not isinstance(tail, str):
        return False
    head = _expression(head)
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
        return _negate(_boolean(condition.args[0]))
    ops = {sp.Eq: "==", sp.Ne: "!=", sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">="}
    op = ops.get(type(condition))
    if op is None:
        raise _Unsupported(f"condition {condition}")
    return (condition.lhs - condition.rhs, op)


def _negate(formula) -> Formula:
    head, tail = formula
    if head == "and" and isinstance(tail, (list, tuple)):
        return ("or", [_negate(f) for f in tail])
    if head == "or" and isinstance(tail, (list, tuple)):
        return ("and", [_negate(f) for f in tail])
    return (head, NEGATED[tail])


# --------------------------------------------------------------------------------------
# Z3
# --------------------------------------------------------------------------------------


class _Writer:
    """Formulas as SMT-LIB text: what is asked is what a certificate stores."""

    def __init__(self, problem: _Problem, mode: str = "cleared"):
        self.problem, self.mode = problem, mode
        # a context of its own for each problem, so that answers do not depend on earlier ones
        self.context = z3.Context()
        self.names: dict[int, str] = {}
        self.inverse: dict[str, str] = {}
        self.extra: list[str] = []
        self.polys: dict[str, str] = {}
        self.known: dict[tuple, str] = {}

    def variable(self, index: int) -> str:
        if index not in self.names:
            whole = self.mode == "integer" and index in self.problem.whole
            self.names[index] = f"(to_real g{index})" if whole else f"g{index}"
        return self.names[index]

    def poly(self, poly) -> str:
        key = str(poly)
        if key in self.polys:
            return self.polys[key]
        terms = []
        for exponents, coefficient in poly.terms():
            factors = [] if coefficient == 1 else [_numeral(coefficient)]
            for index, exponent in enumerate(exponents):
                if exponent:
                    factors += [self.variable(index)] * int(exponent)
            terms.append(_application("*", factors, "1.0"))
        self.polys[key] = _application("+", terms, "0.0")
        return self.polys[key]

    def quotient(self, poly) -> str:
        """A fresh r with r * poly = 1."""
        key = str(poly)
        if key not in self.inverse:
            r = f"r{len(self.inverse)}"
            self.inverse[key] = r
            self.extra.append(f"(= (* {r} {self.poly(poly)}) 1.0)")
            sign = self.problem.poly_sign(poly)
            if sign in (">", "<"):
                self.extra.append(f"({sign} {r} 0.0)")
        return self.inverse[key]

    def atom(self, ratio: Ratio, op: str, raw: bool = False) -> str:
        key = (ratio.key, op, raw)
        if key not in self.known:
            self.known[key] = self._atom(ratio, op, raw)
        return self.known[key]

    def _atom(self, ratio: Ratio, op: str, raw: bool) -> str:
        if ratio.num == 0:
            return "true" if op in ("==", "<=", ">=") else "false"
        if raw:
            parts = [self.poly(ratio.num)]
            parts += [self.poly(factor) for factor, power in _factor(ratio.den)[1] if power % 2]
            return _compare(parts, op)
        if self.mode == "quotient" and not ratio.den.is_constant():
            parts = [self.poly(ratio.num)]
            for factor, power in _factor(ratio.den)[1]:
                parts += [self.quotient(factor)] * power
            return _compare(parts, op)
        content, above = _factor(ratio.num)
        if content < 0:
            op = FLIPPED[op]
        parts = []
        for factor, power in above:
            sign = self.problem.poly_sign(factor)
            if sign == ">" or (sign in ("<", "!=") and power % 2 == 0):
                continue
            if op in ("==", "!="):
                if sign not in ("<", "!="):
                    parts.append(self.poly(factor))
            elif sign == "<":
                op = FLIPPED[op]
            else:
                parts += [self.poly(factor)] * (2 - power % 2)
        if op not in ("==", "!="):
            for factor, power in _factor(ratio.den)[1]:
                # a denominator is not 0, so "not negative" is positive
                sign = self.problem.poly_sign(factor)
                if power % 2 and sign in ("<", "<="):
                    op = FLIPPED[op]
                elif power % 2 and sign not in (">", ">="):
                    parts.append(self.poly(factor))
        if not parts:
            return "true" if op in (">", ">=", "!=") else "false"
        return _compare(parts, op)

    def formula(self, tree, raw: bool = False) -> str:
        if tree[0] in ("and", "or"):
            parts = [self.formula(t, raw) for t in tree[1]]
            return _application(tree[0], parts, "true" if tree[0] == "and" else "false")
        return self.atom(tree[0], tree[1], raw)

    def text(self, parts: list[str]) -> str:
        """A whole SMT-LIB problem."""
        logic = "QF_NIRA" if self.mode == "integer" else "QF_NRA"
        names = ", ".join(f"g{i} = {s}" for s, i in self.problem.symbols.items())
        lines = [f"; {names}".replace("\n", " "), f"(set-logic {logic})"]
        for index, name in self.names.items():
            sort = "Int" if name.startswith("(to_real") else "Real"
            lines.append(f"(declare-const g{index} {sort})")
        lines += [f"(declare-const {r} Real)" for r in self.inverse.values()]
        seen = dict.fromkeys([*parts, *self.extra])
        lines += [f"(assert {part})" for part in seen if part != "true"]
        return "\n".join([*lines, "(check-sat)", ""])


def _numeral(value: fmpq) -> str:
    p, q = abs(int(value.p)), int(value.q)
    text = f"{p}.0" if q == 1 else f"(/ {p}.0 {q}.0)"
    return f"(- {text})" if value < 0 else text


def _application(head: str, parts: list[str], empty: str) -> str:
    if not parts:
        return empty
    return parts[0] if len(parts) == 1 else f"({head} {' '.join(parts)})"


def _compare(factors: list[str], op: str) -> str:
    value = _application("*", factors, "1.0")
    if op == "!=":
        return f"(not (= {value} 0.0))"
    return f"({'=' if op == '==' else op} {value} 0.0)"


def _ask(writer: _Writer, text: str, solver_name: str, seconds: float, seed: int):
    """One call of Z3: its answer and, if satisfiable, the values of the generators."""
    context = writer.context
    if solver_name.startswith("nlsat"):
        tactic = z3.Tactic("qfnra-nlsat", context)
        # another order of the variables is often a hundred times faster or slower
        solver = (tactic if solver_name == "nlsat" else z3.With(tactic, reorder=False)).solver()
    else:
        solver = z3.Solver(ctx=context)
        solver.set("random_seed", seed)
    solver.set("timeout", max(5, int(1000 * seconds)))
    solver.from_string(text)
    answer = solver.check()
    if answer == z3.sat:
        return "sat", _model_values(solver.model())
    return ("unsat" if answer == z3.unsat else "unknown"), None


def _model_values(model) -> list[fmpq]:
    values = [fmpq(0)] * GENERATORS
    for declaration in model.decls():
        name = declaration.name()
        if not name.startswith("g") or not name[1:].isdigit():
            continue
        value = model[declaration]
        if z3.is_algebraic_value(value):
            value = value.approx(20)
        if z3.is_rational_value(value):
            values[int(name[1:])] = fmpq(value.numerator_as_long(), value.denominator_as_long())
        elif z3.is_int_value(value):
            values[int(name[1:])] = fmpq(value.as_long())
    return values


# (solver, encoding, share of the time left)
_SCHEDULE = (
    ("nlsat", "cleared", 0.1),
    ("nlsat, as written", "cleared", 0.12),
    ("smt", "cleared", 0.12),
    ("nlsat", "quotient", 0.3),
    ("nlsat", "cleared", 0.5),
    ("nlsat, as written", "cleared", 1.0),
)


# (largest rank, skipped families, axioms added in a round, share of the time left)
_POLICIES = (
    (3, ("increasing", "sign", "square root", "strictly", "monotone"), 2, 0.3),
    (9, (), 6, 0.5),
    (9, (), 3, 1.0),
)


def _decide(problem: _Problem, clock: _Clock, use_axioms: bool, seed: int) -> SmtResult:
    """Ask Z3 with several choices of axioms, unless they make no difference."""
    problem.relate_powers()
    problem.relate_logs()
    session = _Session(problem, clock, seed)
    pool = problem.axioms() if use_axioms else []
    if all(item[0] == 0 for item in pool):
        return session.run(pool, (9, (), 6, 1.0), False, _SCHEDULE)
    result = SmtResult("unknown")
    for number, policy in enumerate(_POLICIES):
        last = number == len(_POLICIES) - 1
        result = session.run(pool, policy, True, _SCHEDULE if last else _SCHEDULE[:2])
        if result.status != "unknown" and (result.status == "unsat" or policy[0] == 9):
            break
        if clock.left() < 0.01:
            break
    return result


class _Session:
    """Calls of Z3 on one problem: its texts are made once."""

    def __init__(self, problem: _Problem, clock: _Clock, seed: int):
        self.problem, self.clock, self.seed = problem, clock, seed
        self.firm, self.loose = problem.assertions()
        self.writers: dict[str, _Writer] = {}
        self.quotients = any(not f[0].den.is_constant() for f in _atoms(self.firm + self.loose))
        floors = all(t.kind in ("floor", "ceiling") for t in problem.terms)
        self.integer = 0 < len(problem.whole) <= 4 and floors

    def ask(self, active: list, schedule, seconds: float):
        """The first answer that a schedule gives: (status, values, text)."""
        end = self.clock.left() - seconds
        schedule = [item for item in schedule if self.quotients or item[1] != "quotient"]
        if self.integer:
            schedule = [schedule[0], ("smt", "integer", 0.5), *schedule[1:]]
        for name, mode, share in schedule:
            left = self.clock.left() - end
            if left <= 0.003:
                break
            writer = self.writers.setdefault(mode, _Writer(self.problem, mode))
            parts = [writer.formula(f, raw=True) for f in self.firm]
            parts += [writer.formula(f) for f in self.loose]
            parts += [writer.formula(f) for _, _, f in active]
            text = writer.text(parts)
            limit = self.clock.slowness() * min(left, left * share + 0.01)
            status, values = _ask(writer, text, name, limit, self.seed)
            if status == "unsat" and "false" in text:
                # what signs have closed already is written out, for another solver to see
                told = [*self.firm, *self.loose, *(f for _, _, f in active)]
                text = writer.text([writer.formula(f, raw=True) for f in told])
            if status != "unknown":
                return status, values, text
        return "unknown", None, ""

    def run(self, pool: list, policy, tangents: bool, schedule) -> SmtResult:
        """Ask, and add axioms that the model violates, until there is an answer."""
        rank, skipped, number, share = policy
        end = self.clock.left() * (1 - share)
        active = [item for item in pool if item[0] == 0]
        pool = [
            item
            for item in pool
            if 0 < item[0] <= rank and not any(word in item[1] for word in skipped)
        ]
        for _ in range(10 if skipped else 40):
            seconds = self.clock.left() - end
            if seconds < 0.003:
                break
            status, values, text = self.ask(active, schedule, seconds)
            used = tuple(sorted({name for _, name, _ in active}))
            if status == "unsat":
                return SmtResult("unsat", None, used, 0.0, (text,))
            if values is None:
                return SmtResult("unknown", None, used, reason="Z3 gave no answer in time")
            wrong = [item for item in pool if not _holds(item[2], values)]
            if tangents:
                wrong += [t for t in self.problem.tangents(values) if not _holds(t[2], values)]
            if not wrong:
                model = {s: values[i] for s, i in self.problem.symbols.items()}
                return SmtResult("sat", model, used)
            chosen = sorted(wrong, key=lambda item: item[0])[:number]
            active += chosen
            keep = {id(item) for item in chosen}
            pool = [item for item in pool if id(item) not in keep]
        return SmtResult("unknown", None, (), reason="no answer in time")


def _atoms(trees: Iterable) -> list:
    found = []
    for tree in trees:
        if tree[0] in ("and", "or"):
            found += _atoms(tree[1])
        else:
            found.append(tree)
    return found


# --------------------------------------------------------------------------------------
# The public functions
# --------------------------------------------------------------------------------------


def unsat(
    hypotheses: Sequence[Formula],
    seconds: float = 0.4,
    axioms: bool = False,
    seed: int = 0,
    integers: Iterable[sp.Symbol] = (),
) -> SmtResult:
    """Ask Z3 whether formulas contradict each other over the real numbers.

    Parameters
    ----------
    hypotheses : sequence of formulas
        Each ``(expr, op)``, read ``expr op 0``, or ``("or", [...])``, ``("and", [...])``.
        All expressions must be defined wherever the hypotheses hold.
    seconds : float
        For the whole call.
    axioms : bool
        Whether terms such as exp(u) come with axioms; else nothing is known of them.
    seed : int
        Of Z3's own choices.
    integers : iterable of symbols
        Symbols that take integer values only.

    Returns
    -------
    SmtResult
        "unsat" is a proof; "sat" has a model, which is a hint and not trusted.
    """
    start = time.monotonic()
    whole = frozenset(integers)
    try:
        formulas = list(hypotheses)
        if len(_nodes_with_cases(formulas)) > 2:
            # with few cases their signs are worth more to Z3 than one problem in place of two
            formulas = [part for formula in formulas for part in _relaxed(formula)]
        clock = _Clock(seconds)
        degree = _largest_power(formulas) if axioms else 0
        result = SmtResult("unknown")
        if degree > 8:
            # powers as terms of their own: known by monotonicity, not multiplied out
            half = _Clock(seconds * (0.5 if degree <= MAX_DEGREE else 1))
            result = _cases(formulas, {"powers": True}, whole, half, axioms, seed, [0])
        if result.status != "unsat" and degree <= MAX_DEGREE:
            result = _cases(formulas, {}, whole, clock, axioms, seed, [0])
    except _Unsupported as why:
        result = SmtResult("unknown", reason=str(why))
    except (z3.Z3Exception, RecursionError, ArithmeticError, ValueError, TypeError) as why:
        result = SmtResult("unknown", reason=f"{type(why).__name__}: {why}")
    return SmtResult(
        result.status,
        result.model,
        result.used_axioms,
        time.monotonic() - start,
        result.problems,
        result.reason,
    )


def _nodes_with_cases(formulas: Sequence) -> set:
    found: set = set()
    for head, tail in formulas:
        if isinstance(tail, (list, tuple)):
            found |= _nodes_with_cases(tail)
        else:
            found |= _expression(head).atoms(sp.Abs, sp.Max, sp.Min, sp.Piecewise, sp.sign)
    return found


def _largest_power(formulas: Sequence) -> int:
    found = 0
    for head, tail in formulas:
        if isinstance(tail, (list, tuple)):
            found = max(found, _largest_power(tail))
        else:
            powers = (w.exp for w in _expression(head).atoms(sp.Pow) if w.exp.is_Integer)
            found = max([found, *(abs(int(n)) for n in powers)])
    return found


def _relaxed(formula: Formula) -> list[Formula]:
    """Write |u| <= t, Max(u, v) <= t, Min(u, v) >= t as formulas without cases."""
    head, op = formula
    if not isinstance(op, str) or op in ("==", "!=") or isinstance(head, str):
        return [formula]
    if op in ("<", "<="):
        head, op = -head, FLIPPED[op]
    terms = sp.Add.make_args(head)
    if len(terms) > 30:
        return [formula]
    for index, term in enumerate(terms):
        number, node = term.as_coeff_Mul()
        if not number.is_Rational:
            continue
        if number < 0 and isinstance(node, sp.Abs):
            choices = (node.args[0], -node.args[0])
        elif isinstance(node, sp.Max if number < 0 else sp.Min):
            choices = tuple(sorted(node.args, key=sp.default_sort_key))
        else:
            continue
        others = [t for i, t in enumerate(terms) if i != index]
        parts = [sp.Add(*others, number * choice) for choice in choices]
        if len(terms) * len(choices) > 40:
            return [formula]
        return [done for part in parts for done in _relaxed((part, op))]
    return [(head, op)]


def _cases(formulas, choices, whole, clock, axioms, seed, count) -> SmtResult:
    """Decide one conjunction, or each of the cases into which it falls."""
    problem = _Problem(whole, choices, clock)
    try:
        problem.load(formulas)
    except _Split as split:
        count[0] += len(split.cases) - 1
        if count[0] >= MAX_CASES:
            return _cases(
                formulas, {**choices, "disjunction": True}, whole, clock, axioms, seed, [0]
            )
        used: set[str] = set()
        texts: list[str] = []
        for conditions, value in split.cases:
            part = _cases(
                [*formulas, *conditions],
                {**choices, split.node: value},
                whole,
                clock,
                axioms,
                seed,
                count,
            )
            if part.status != "unsat":
                return part
            used |= set(part.used_axioms)
            texts += part.problems
        return SmtResult("unsat", None, tuple(sorted(used)), 0.0, tuple(texts))
    return _decide(problem, clock, axioms, seed)


def prove(
    goal: tuple[sp.Expr, str],
    hypotheses: Sequence[Formula],
    integers: Iterable[sp.Symbol] = (),
    seconds: float = 0.4,
    axioms: bool = True,
    seed: int = 0,
) -> SmtProof | None:
    """Prove ``expr op 0`` from hypotheses, by unsatisfiability of the negation.

    The caller has proved that goal and hypotheses are defined on the domain, and that the
    domain is not empty.

    Returns
    -------
    SmtProof or None
        With the SMT-LIB text of every case in ``certificate["problems"]``.
    """
    result = unsat([*hypotheses, _negate(goal)], seconds, axioms, seed, integers)
    if result.status != "unsat":
        return None
    certificate: dict[str, Any] = {"kind": "smt", "problems": list(result.problems)}
    if sum(map(len, result.problems)) > CERTIFICATE_LIMIT:
        certificate = {"kind": "smt", "problems": None, "reason": "longer than the limit"}
    return SmtProof(result.used_axioms, certificate, result.seconds)
