"""Find ranges and signs of expressions on a domain, by exact interval arithmetic.

Ends are Fractions or infinities; transcendental functions are enclosed by Arb. The answer is a
superset of the values, so a sign that it shows is proved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import sympy
from flint import arb, ctx, fmpq
from sympy import Add, Expr, Mul, Pow, Symbol

from dpbook.engine.evaluate.constants import bounds_of
from dpbook.engine.language.definedness import NotUnderstood, obligations
from dpbook.engine.language.domain import Domain
from dpbook.engine.language.functions import FUNCTIONS, Function
from dpbook.engine.language.functions_of_sympy import BY_CLASS
from dpbook.engine.language.statement import Relation

INF = math.inf
End = Fraction | float


@dataclass(frozen=True)
class Range:
    """Represent an interval with open or closed ends."""

    low: End
    low_open: bool
    high: End
    high_open: bool

    @property
    def positive(self) -> bool:
        return self.low > 0 or (self.low == 0 and self.low_open)

    @property
    def nonnegative(self) -> bool:
        return self.low >= 0

    @property
    def negative(self) -> bool:
        return self.high < 0 or (self.high == 0 and self.high_open)

    @property
    def nonpositive(self) -> bool:
        return self.high <= 0

    def __neg__(self) -> Range:
        return Range(-self.high, self.high_open, -self.low, self.low_open)


ALL = Range(-INF, True, INF, True)


def _point(value: Fraction) -> Range:
    return Range(value, False, value, False)


def _add(a: Range, b: Range) -> Range:
    low = -INF if -INF in (a.low, b.low) else a.low + b.low
    high = INF if INF in (a.high, b.high) else a.high + b.high
    return Range(low, a.low_open or b.low_open, high, a.high_open or b.high_open)


def _times(x: End, y: End) -> End:
    if x == 0 or y == 0:
        return Fraction(0)
    if isinstance(x, float) or isinstance(y, float):
        return INF if (x > 0) == (y > 0) else -INF
    return x * y


def _mul(a: Range, b: Range) -> Range:
    corners = []
    for x, x_open in ((a.low, a.low_open), (a.high, a.high_open)):
        for y, y_open in ((b.low, b.low_open), (b.high, b.high_open)):
            product = _times(x, y)
            # 0 times an open end: 0 is attained where the zero itself is
            if product == 0:
                opened = (x == 0 and x_open and not (y == 0 and not y_open)) or (
                    y == 0 and y_open and not (x == 0 and not x_open)
                )
                if x == 0 and not x_open or y == 0 and not y_open:
                    opened = False
            else:
                opened = x_open or y_open
            corners.append((product, opened))
    low = min(value for value, _ in corners)
    high = max(value for value, _ in corners)
    low_open = all(opened for value, opened in corners if value == low)
    high_open = all(opened for value, opened in corners if value == high)
    # an interior zero makes 0 attained
    if low == 0 and ((a.low < 0 < a.high) or (b.low < 0 < b.high)):
        low_open = False
    if high == 0 and ((a.low < 0 < a.high) or (b.low < 0 < b.high)):
        high_open = False
    return Range(low, low_open, high, high_open)


def _arb(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def _down(value: arb) -> End:
    lower = value.lower()
    if not lower.is_finite():
        return -INF
    mantissa, exponent = (int(part) for part in lower.man_exp())
    if abs(exponent) > 4000:
        return Fraction(0) if mantissa >= 0 else -INF
    return Fraction(mantissa) * Fraction(2) ** exponent


def _up(value: arb) -> End:
    return -_down(-value)


def _monotone(name: str, r: Range, low_limit: End, high_limit: End) -> Range:
    """Return the image of a range under an increasing function with given limits at the ends."""

    def at(value: Fraction) -> arb:
        with ctx.workprec(80):
            return getattr(_arb(value), name)()

    exact = FUNCTIONS[name].known if name in FUNCTIONS else (0, 0)
    ends: list[tuple[End, bool]] = []
    for value, opened, rounding, limit in (
        (r.low, r.low_open, _down, low_limit),
        (r.high, r.high_open, _up, high_limit),
    ):
        if isinstance(value, float) or (name == "log" and value <= 0):
            ends.append((limit, True))
        elif value == exact[0]:
            ends.append((Fraction(exact[1]), opened))
        elif abs(value) > 10**6 and name in ("exp", "sinh"):
            if name == "exp" and value < 0:
                ends.append((Fraction(0) if rounding is _down else Fraction(1, 10**6), True))
            else:
                big = value > 0
                known = Fraction(10**6) if big else Fraction(-(10**6))
                outward = INF if big else -INF
                inward = (rounding is _down) == big
                ends.append((known if inward else outward, True))
        else:
            ball = at(value)
            ends.append((rounding(ball), opened) if ball.is_finite() else (limit, True))
    return Range(ends[0][0], ends[0][1], ends[1][0], ends[1][1])


def _image(row: Function, r: Range) -> Range:
    """Return the image of a range under a function that grows or falls."""
    least: End = -INF if row.range[0] is None else row.range[0]
    most: End = INF if row.range[1] is None else row.range[1]
    if row.grows == "down":  # only erfc, which is 1 - erf
        falling = -_monotone("erf", r, Fraction(-1), Fraction(1))
        image = Range(falling.low + 1, falling.low_open, falling.high + 1, falling.high_open)
    else:
        image = _monotone(row.name, r, least, most)
    low, high = max(image.low, least), min(image.high, most)
    return Range(low, image.low_open or low == least, high, image.high_open or high == most)


class Signs:
    """Find ranges of expressions on one domain, also from its conditions on differences."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.memo: dict[Expr, Range] = {}
        self.known: dict[Expr, tuple[bool, bool]] = {}
        for variable in domain.variables:
            self.memo[variable] = ALL
        for _ in range(2):
            for variable in domain.variables:
                self.memo = {v: self.memo[v] for v in domain.variables}
                self.memo[variable] = self._variable(variable)
        for relation in domain.relations():
            self._remember(relation)
        self.memo = {v: self.memo[v] for v in domain.variables}

    def _variable(self, variable: Symbol) -> Range:
        bounds = self.domain.bounds[variable]
        low: End = -INF
        high: End = INF
        low_open = high_open = True
        if bounds.lower is not None:
            r = self.range(bounds.lower)
            low, low_open = r.low, r.low_open or bounds.lower_open
        if bounds.upper is not None:
            r = self.range(bounds.upper)
            high, high_open = r.high, r.high_open or bounds.upper_open
        for relation in self.domain.conditions:
            for left, op, right in (
                (relation.lhs, relation.op, relation.rhs),
                (relation.rhs, _flipped(relation.op), relation.lhs),
            ):
                if left != variable:
                    continue
                r = self.range(right)
                if op in (">", ">=", "==") and r.low >= low:
                    low_open = (r.low_open or op == ">") or (r.low == low and low_open)
                    low = r.low
                if op in ("<", "<=", "==") and r.high <= high:
                    high_open = (r.high_open or op == "<") or (r.high == high and high_open)
                    high = r.high
        if low > high:
            return ALL
        return Range(low, low_open, high, high_open)

    def _remember(self, relation: Relation) -> None:
        if relation.op in ("==", "!="):
            return
        difference = relation.lhs - relation.rhs
        if relation.op in ("<", "<="):
            difference = -difference
        forms = [difference]
        if sympy.count_ops(difference) < 80:
            forms.append(sympy.expand(difference))
        for form in forms:
            key, _ = _primitive(form)
            strict = relation.op in ("<", ">")
            old = self.known.get(key, (False, False))
            self.known[key] = (True, strict or old[1])

    def range(self, e: Expr) -> Range:
        """Return a range that holds every value of the expression on the domain."""
        if e in self.memo:
            return self.memo[e]
        result = self._range(e)
        if self.known and isinstance(e, Add) and not (result.positive or result.negative):
            small = len(e.args) <= 12 and sympy.count_ops(e) < 80
            for sign in (1, -1):
                # a long expression is looked up as it stands
                forms = [sign * e] + ([sympy.expand(sign * e)] if small else [])
                key = next((k for k, _ in map(_primitive, forms) if k in self.known), None)
                if key is not None:
                    strict = self.known[key][1]
                    if sign > 0 and (result.low < 0 or (result.low == 0 and strict)):
                        result = Range(Fraction(0), strict, result.high, result.high_open)
                    elif sign < 0 and (result.high > 0 or (result.high == 0 and strict)):
                        result = Range(result.low, result.low_open, Fraction(0), strict)
        self.memo[e] = result
        return result

    def _range(self, e: Expr) -> Range:
        if e.is_Rational:
            return _point(Fraction(int(e.p), int(e.q)))
        if isinstance(e, Symbol):
            if e.is_positive:
                return Range(Fraction(0), True, INF, True)
            if e.is_nonnegative:
                return Range(Fraction(0), False, INF, True)
            return ALL
        if isinstance(e, Add):
            total = _point(Fraction(0))
            for a in e.args:
                total = _add(total, self.range(a))
            return total
        if isinstance(e, Mul):
            total = _point(Fraction(1))
            for a in e.args:
                total = _mul(total, self.range(a))
            return total
        if isinstance(e, Pow):
            return self._power(e)
        row = BY_CLASS.get(e.func)
        if row is not None and row.grows:
            return _image(row, self.range(e.args[0]))
        if isinstance(e, sympy.cosh):
            return Range(Fraction(1), False, INF, True)
        if isinstance(e, sympy.coth):
            r = self.range(e.args[0])
            if r.positive:
                return Range(Fraction(1), True, INF, True)
            if r.negative:
                return Range(-INF, True, Fraction(-1), True)
            return ALL
        if isinstance(e, sympy.sin) and e.args[0] in self.domain.bounds:
            bounds = self.domain.bounds[e.args[0]]
            if bounds.lower == 0 and bounds.upper == sympy.pi:
                inside = bounds.lower_open and bounds.upper_open
                return Range(Fraction(0), inside, Fraction(1), False)
        if isinstance(e, (sympy.sin, sympy.cos)):
            return Range(Fraction(-1), False, Fraction(1), False)
        if isinstance(e, (sympy.gamma, sympy.beta)):
            if all(self.range(a).positive for a in e.args):
                return Range(Fraction(0), True, INF, True)
            return ALL
        if isinstance(e, sympy.factorial):
            return Range(Fraction(1), False, INF, True)
        if isinstance(e, sympy.binomial):
            n, k = e.args
            if self.range(k).nonnegative and self.range(n - k).nonnegative:
                whole = n.is_integer and k.is_integer
                return Range(Fraction(1 if whole else 0), not whole, INF, True)
            return ALL
        if isinstance(e, sympy.Abs):
            r = self.range(e.args[0])
            if r.nonnegative:
                return r
            if r.nonpositive:
                return -r
            return Range(Fraction(0), False, max(-r.low, r.high), False)
        if isinstance(e, sympy.Max):
            parts = [self.range(a) for a in e.args]
            top = max(parts, key=lambda r: (r.low, r.low_open))
            peak = max(parts, key=lambda r: (r.high, not r.high_open))
            return Range(top.low, top.low_open, peak.high, peak.high_open)
        if isinstance(e, sympy.Min):
            return -self.range(sympy.Max(*[-a for a in e.args]))
        named = bounds_of(e) if not e.args else None
        if named is not None:
            return Range(named[0], True, named[1], True)
        return ALL

    def _power(self, e: Pow) -> Range:
        base, exponent = e.base, e.exp
        b = self.range(base)
        if exponent.is_Integer:
            k = int(exponent)
            if k < 0:
                return _inverse(self._integer_power(b, -k))
            return self._integer_power(b, k)
        if exponent.is_Rational:
            if not b.nonnegative:
                b = Range(Fraction(0), False, b.high, b.high_open) if b.high >= 0 else ALL
            if exponent.q == 2:
                root = _monotone("sqrt", b, Fraction(0), INF)
                if root.low < 0:
                    root = Range(Fraction(0), b.low_open, root.high, root.high_open)
                k = abs(int(exponent.p))
                powered = self._integer_power(root, k)
                return powered if exponent > 0 else _inverse(powered)
            if b.positive:
                return Range(Fraction(0), True, INF, True)
            return Range(Fraction(0), exponent < 0, INF, True)
        if self.known and b.nonnegative and b.high > 1:
            below_one = self.range(1 - base)  # a condition may say so of the base as a whole
            if below_one.nonnegative:
                b = Range(b.low, b.low_open, Fraction(1), below_one.positive)
        if b.positive:
            x = self.range(exponent)
            if b.low >= 1 and x.nonnegative:
                return Range(Fraction(1), b.low_open and x.positive and b.low == 1, INF, True)
            if b.high <= 1 and x.nonnegative:
                opened = (b.high < 1 or b.high_open) and x.positive
                return Range(Fraction(0), True, Fraction(1), opened)
            return Range(Fraction(0), True, INF, True)
        if b.nonnegative and self.range(exponent).nonnegative:
            if b.high <= 1:
                return Range(Fraction(0), False, Fraction(1), False)
            return Range(Fraction(0), False, INF, True)
        return ALL

    def _high_power(self, b: Range, k: int) -> Range:
        """Return crude bounds for a power too high to be multiplied out."""
        if b.nonnegative:
            low, high = _outward(b.low, k, False), _outward(b.high, k, True)
            # 0 and 1 are kept by a power, so a closed end stays closed; another end moves outwards
            low_open = b.low_open or b.low not in (0, 1)
            return Range(low, low_open, high, b.high_open or high != b.high)
        if b.nonpositive:
            mirrored = self._high_power(-b, k)
            return mirrored if k % 2 == 0 else -mirrored
        size = max(-b.low, b.high)
        high = _outward(size, k, True)
        return Range(Fraction(0) if k % 2 == 0 else -high, False, high, False)

    def _integer_power(self, b: Range, k: int) -> Range:
        if k == 0:
            return _point(Fraction(1))
        if k > 60:
            return self._high_power(b, k)

        def powered(value: End) -> End:
            if isinstance(value, float):
                return INF if value > 0 or k % 2 == 0 else -INF
            return value**k

        if k % 2:
            return Range(powered(b.low), b.low_open, powered(b.high), b.high_open)
        if b.nonnegative:
            return Range(powered(b.low), b.low_open, powered(b.high), b.high_open)
        if b.nonpositive:
            return Range(powered(b.high), b.high_open, powered(b.low), b.low_open)
        ends = sorted([(powered(b.low), b.low_open), (powered(b.high), b.high_open)])
        return Range(Fraction(0), False, ends[1][0], ends[1][1] and ends[0][0] != ends[1][0])

    def positive(self, e: Expr) -> bool:
        """Say whether an expression that is known to be defined is positive."""
        return self.range(e).positive

    def defined(self, e: Expr) -> bool:
        """Say whether ranges alone show that an expression is a real number on the domain.

        A range holds every value that there is; an expression without a value somewhere (1/b where
        b may be 0) has a range all the same. An expression that is not part of a statement, but
        made on the way (a quotient of two facts, the ratio of two terms), is defined only if this
        method says so.
        """
        try:
            needed = obligations(e)
        except NotUnderstood:
            return False
        return all(not o.variables and not o.conditions and self.holds(o.relation) for o in needed)

    def holds(self, relation: Relation) -> bool:
        """Say whether ranges show a relation between defined sides on the whole domain."""
        r = self.range(relation.lhs - relation.rhs)
        return {
            ">": r.positive,
            ">=": r.nonnegative,
            "<": r.negative,
            "<=": r.nonpositive,
            "!=": r.positive or r.negative,
            "==": r.low == r.high == 0,
        }[relation.op]

    def nonnegative(self, e: Expr) -> bool:
        return self.range(e).nonnegative


def _outward(value: End, k: int, up: bool) -> End:
    """Bound value**k for a large k and a value >= 0, by 0, 1, the value itself or infinity."""
    if value == 0 or value == 1:
        return value
    if value < 1:
        return value if up else Fraction(0)
    return INF if up else value


def _inverse(r: Range) -> Range:
    if r.positive:
        low = Fraction(0) if isinstance(r.high, float) else 1 / r.high
        high = INF if r.low == 0 else 1 / r.low
        return Range(low, r.high_open, high, r.low_open or r.low == 0)
    if r.negative:
        return -_inverse(-r)
    if r.nonnegative:
        # the value 0 itself is undefined there: whoever made the expression proves that (`defined`)
        return Range(Fraction(0), True, INF, True)
    return ALL


def _flipped(op: str) -> str:
    return {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}[op]


def _primitive(e: Expr) -> tuple[Expr, Expr]:
    """Write an expanded expression as a positive rational times one with leading coefficient ±1."""
    terms = Add.make_args(e)
    scale = abs(terms[0].as_coeff_Mul()[0])  # SymPy keeps the terms of a sum in one order
    if not scale.is_Rational or scale == 0:
        return e, sympy.S.One
    return (e if scale == 1 else Add(*[term / scale for term in terms])), scale
