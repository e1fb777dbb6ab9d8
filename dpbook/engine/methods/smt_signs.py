"""The generators of one question, and what is known of the signs of polynomials in them."""

# Z3 and FLINT terms pass through one variable in several types here.
# mypy: disable-error-code="assignment, return-value, list-item, arg-type, operator, misc, var-annotated"
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp
from flint import fmpq

from dpbook.engine.methods.ratios import GENERATORS, GENS, ONE, Ratio, Unsupported, factored

FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Clock:
    """Work in seconds of an idle core, counted in steps of Z3 and readings: no clock is read.

    So an answer does not depend on how fast or busy the machine is.
    """

    def __init__(self, seconds: float):
        self.left = seconds

    def spend(self, seconds: float) -> None:
        self.left -= seconds


@dataclass
class SmtTerm:
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
        return [*self.conditions, *((Ratio(d, ONE, True), "!=") for d in below)]


class KnownSigns:
    """The generators of one conjunction without cases, its formulas, and what is known of signs."""

    def __init__(self, integers: frozenset[sp.Symbol], choices: dict, clock: Clock):
        self.integers, self.choices, self.clock = integers, choices, clock
        self.used = 0
        self.symbols: dict[sp.Symbol, int] = {}
        self.whole: set[int] = set()  # generators that take integer values
        self.terms: list[SmtTerm] = []
        self.by_key: dict[tuple, SmtTerm] = {}
        self.memo: dict[sp.Basic, tuple[Ratio, tuple]] = {}
        self.sink: list = []  # conditions of definedness met on the way
        self.signs: dict[str, str] = {}  # of monic polynomials
        self.bounds: dict[int, list] = {}  # generator -> [low, strict, high, strict]
        self.raw: list = []  # asserted as they are: the sources of `signs`
        self.formulas: list = []
        self.scaled: list[SmtTerm] = []  # a log(cu) that was split into log(c) + log(u)
        self.nested = 0  # depth inside a disjunction, where conditions are local

    # ---- generators ----

    def generator(self) -> int:
        if self.used >= GENERATORS:
            raise Unsupported("too many terms")
        self.used += 1
        return self.used - 1

    def symbol(self, symbol: sp.Symbol) -> Ratio:
        if symbol not in self.symbols:
            self.symbols[symbol] = self.generator()
            if symbol in self.integers:
                self.whole.add(self.symbols[symbol])
        return Ratio(GENS[self.symbols[symbol]], ONE, True)

    def term(self, kind: str, arguments: list[Ratio], conditions: Iterable = ()) -> Ratio:
        """The generator of kind(arguments), one for equal arguments."""
        key = (kind, *(a.key if isinstance(a, Ratio) else a for a in arguments))
        conditions = tuple(conditions)
        if key not in self.by_key:
            index = self.generator()
            value = Ratio(GENS[index], ONE, True)
            ratios = [a for a in arguments if isinstance(a, Ratio)]
            term = SmtTerm(kind, ratios, value, index, conditions, not self.nested)
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
        content, factors = factored(ratio.num)
        _, below = factored(ratio.den)
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
        known = self.signs.get(str(GENS[index]))
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
        content, factors = factored(ratio.num)
        if content == 0:
            return "=="
        whole = self.poly_sign(ratio.num)
        if ratio.den.is_constant() and whole in (">", "<"):
            return whole
        sign, zero, unknown = (1 if content > 0 else -1), False, False
        for part, defined in ((factors, False), (factored(ratio.den)[1], True)):
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
