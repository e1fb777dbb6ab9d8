"""Cut the real line into cells: this decides lines with one variable completely.

Every polynomial that occurs vanishes at finitely many points. Between two of them nothing
changes its sign, so a formula is decided by its truth at each of these points and at one rational
number in between. The polynomials may be in the variable itself or in one exponential or
logarithm of it; their coefficients may hold constants such as pi or log(2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import pairwise
from typing import Any

import sympy
from flint import arb, ctx, fmpq, fmpz_poly
from sympy import Dummy, Expr, Poly, Pow, S, Symbol

from dpbook.engine.derive.elimination import sign_of, truth_of
from dpbook.engine.evaluate.exact_points import compare_at
from dpbook.engine.evaluate.known import Known
from dpbook.engine.evaluate.limits import exponent_of
from dpbook.engine.evaluate.sampler import ClosedForm, as_coordinate, as_sympy, simplest_between
from dpbook.engine.language.statement import COMPARE, Relation, Tree

_PRECISIONS = (64, 128, 256, 512, 1024)
_MOST_ATOMS = 120
_HIGHEST = 60


class Unclear(Exception):
    """Report a question that this method does not settle."""


@dataclass(frozen=True)
class Root:
    """Represent a real root of an irreducible polynomial by its place among the real roots."""

    coefficients: tuple[int, ...]
    place: int
    name: str = "x"

    def at(self, prec: int) -> arb:
        """Enclose the root in a ball."""
        return _real_roots(self.coefficients, prec)[self.place]

    def __str__(self) -> str:
        x = Symbol(self.name)
        equation = sympy.sstr(sum(c * x**k for k, c in enumerate(self.coefficients)))
        return f"the root of {equation} = 0 near {self.at(64).mid().str(8, radius=False)}"


@dataclass(frozen=True)
class Preimage:
    """Represent the x at which ``a*x + b`` is the logarithm or exponential of a root."""

    root: Root
    core: str
    a: Expr
    b: Expr

    def at(self, prec: int) -> arb:
        """Enclose the point in a ball."""
        with ctx.workprec(prec + 20):
            value = self.root.at(prec + 20)
            inner = value.log() if self.core == "exp" else value.exp()
            return (inner - ClosedForm(self.b).at(prec + 20)) / ClosedForm(self.a).at(prec + 20)

    def __str__(self) -> str:
        return f"about {self.at(64).mid().str(8, radius=False)}"


Coordinate = Any


@dataclass
class Critical:
    """Represent a point at which factors vanish."""

    value: Coordinate
    zeros: set[Any]


@dataclass(frozen=True)
class Cell:
    """Hold a point, or one point of an open interval, with the truth of each formula there."""

    point: dict[Symbol, Coordinate]
    single: bool
    truths: tuple[bool, ...]


@lru_cache(maxsize=500)
def _real_roots(coefficients: tuple[int, ...], prec: int) -> list[arb]:
    with ctx.workprec(prec):
        roots: Any = fmpz_poly(list(coefficients)).complex_roots()
    # a real root has an imaginary part that is exactly zero
    found = [root.real for root, _ in roots if root.imag.is_exact() and root.imag == 0]
    return sorted(found, key=lambda r: float(r.mid()))


def at(value: Coordinate, prec: int) -> arb:
    """Enclose a coordinate in a ball."""
    if not isinstance(value, fmpq):
        return value.at(prec)
    with ctx.workprec(prec):
        return arb(value)


class Line:
    """Cut the line of one variable into cells, for the formulas given.

    Parameters
    ----------
    formulas : sequence of trees
        Formulas (see `elimination`) in one variable at most.
    x : Symbol or None
        The variable; an integer symbol takes integer values only.

    Raises
    ------
    Unclear
        When a formula holds a term of another kind, or two points cannot be distinguished.
    """

    def __init__(self, formulas: Sequence[Tree], x: Symbol | None) -> None:
        self.x = x
        self.whole = bool(x is not None and x.is_integer)
        self.formulas = list(formulas)
        self.factors: dict[Expr, frozenset[Any]] = {}
        self.signs: dict[Expr, int | None] = {}
        expressions = dict.fromkeys(r.lhs for f in formulas for r in f.relations())
        if len(expressions) > _MOST_ATOMS:
            raise Unclear
        points: dict[Any, Coordinate] = {}
        for e in expressions:
            if x is None or x not in e.free_symbols:
                self.signs[e] = _constant_sign(e)
            else:
                keys = self._roots(e)
                points.update(keys)
                self.factors[e] = frozenset(keys)
        self.critical = self._ordered(points)

    # --- critical points ------------------------------------------------------------------------------

    def _roots(self, e: Expr) -> dict[Any, Coordinate]:
        """Return the zeros of an expression, each by a key that names its factor."""
        assert self.x is not None
        core, t, moved = _core(e, self.x)
        ordered = sorted(_constants(moved), key=sympy.default_sort_key)
        constants = {c: Dummy(f"c{index}") for index, c in enumerate(ordered)}
        back = {dummy: c for c, dummy in constants.items()}
        moved = sympy.expand(moved.xreplace(constants))
        if moved == 0:
            raise Unclear
        try:
            _, factors = sympy.factor_list(moved, t, *constants.values())
        except (sympy.PolynomialError, NotImplementedError) as error:
            raise Unclear from error
        found: dict[Any, Coordinate] = {}
        for factor, _ in factors:
            exact = factor.xreplace(back)
            if t not in factor.free_symbols:
                if not sign_of(exact):
                    raise Unclear
                continue
            poly = Poly(factor, t)
            if poly.degree() > _HIGHEST:
                raise Unclear
            for place, value in enumerate(_zeros(poly, back, self.x.name)):
                x_value = core.pulled(value)
                if x_value is not None:
                    found[core, exact.xreplace({t: _T}), place] = x_value
        return found

    def _ordered(self, points: dict[Any, Coordinate]) -> list[Critical]:
        merged: list[Critical] = []
        by_value = cmp_to_key(_compared)
        for key, value in sorted(points.items(), key=lambda item: by_value(item[1])):
            if merged and _compared(merged[-1].value, value) == 0:
                merged[-1].zeros.add(key)
                if _simpler(value, merged[-1].value):
                    merged[-1].value = value
            else:
                merged.append(Critical(value, {key}))
        return merged

    # --- cells --------------------------------------------------------------------------------------------

    def cells(self) -> list[Cell]:
        """Return all cells from left to right."""
        if self.x is None:
            return [self._cell({}, True, frozenset())]
        found = []
        ends: list[Critical | None] = [None, *self.critical, None]
        for left, right in pairwise(ends):
            between = self._between(left, right)
            if between is not None:
                found.append(self._cell({self.x: between}, False, frozenset()))
            if right is not None:
                value = self._whole_value(right.value) if self.whole else right.value
                if value is not None:
                    found.append(self._cell({self.x: value}, True, frozenset(right.zeros)))
        return found

    def _cell(self, point: dict[Symbol, Coordinate], single: bool, zeros: frozenset[Any]) -> Cell:
        return Cell(point, single, tuple(self._truth(f, point, zeros) for f in self.formulas))

    def _whole_value(self, value: Coordinate) -> fmpq | None:
        if isinstance(value, fmpq):
            return value if value.q == 1 else None
        for prec in _PRECISIONS:
            ball = at(value, prec)
            if not ball.contains_integer():
                return None
            nearest = ball.unique_fmpz()
            if nearest is None or not isinstance(value, ClosedForm):
                continue
            if Known().equal(value.expr, sympy.Integer(int(nearest))):
                return fmpq(nearest)
        if isinstance(value, Root):
            return None  # irreducible and not linear: no rational root
        raise Unclear

    def _between(self, left: Critical | None, right: Critical | None) -> fmpq | None:
        """Return a short rational number strictly between two critical points."""
        low = None if left is None else _ends(left.value, right and right.value)[1]
        high = None if right is None else _ends(right.value, left and left.value)[0]
        if self.whole or low is None or high is None:
            return _whole_between(low, high)
        gap = (high - low) / 64
        short = simplest_between(low + gap, high - gap)
        return fmpq(short.numerator, short.denominator)

    # --- truth --------------------------------------------------------------------------------------------

    def _truth(self, formula: Tree, point: dict[Symbol, Coordinate], zeros: frozenset[Any]) -> bool:
        def holds(relation: Relation) -> bool | None:
            sign = self._sign(relation.lhs, point, zeros)
            return None if sign is None else bool(COMPARE[relation.op](sign, 0))

        truth = truth_of(formula, holds)
        if truth is None:
            raise Unclear
        return truth

    def _sign(self, e: Expr, point: dict[Symbol, Coordinate], zeros: frozenset[Any]) -> int | None:
        if e in self.signs:
            return self.signs[e]
        if self.factors[e] & zeros:
            return 0
        above = compare_at(e, ">", S.Zero, point)
        if not isinstance(above, bool):
            return None
        return 1 if above else -1  # no factor vanishes here


_T = Symbol("t")


@dataclass(frozen=True)
class _Substitution:
    """Describe the argument of a polynomial: x, or a function such as exp or log of ``a*x + b``."""

    kind: str
    a: Expr = S.One
    b: Expr = S.Zero

    def pulled(self, value: Coordinate) -> Coordinate | None:
        """Return the x that gives this value of the argument, or None when no x gives it."""
        if self.kind == "x":
            return value
        inverse, low, high, closed = _INVERSES[self.kind]
        exact = as_sympy(value)
        if exact is None:  # a root, which is not 0
            if self.kind not in ("exp", "log"):
                raise Unclear
            negative = self.kind == "exp" and _compared(value, fmpq(0)) < 0
            return None if negative else Preimage(value, self.kind, self.a, self.b)
        for end, inside in ((low, 1), (high, -1)):
            if end is None:
                continue
            sign = _constant_sign(exact - end)
            if sign is None:
                raise Unclear
            if sign == -inside or (sign == 0 and not closed):
                return None
        return _closed((inverse(exact) - self.b) / self.a)


# strictly monotone functions: inverse, range, and whether the ends belong to it
_INVERSES: dict[str, tuple[Any, Expr | None, Expr | None, bool]] = {
    "exp": (sympy.log, S.Zero, None, False),
    "log": (sympy.exp, None, None, False),
    "atan": (sympy.tan, -S.Pi / 2, S.Pi / 2, False),
    "asin": (sympy.sin, -S.Pi / 2, S.Pi / 2, True),
    "acos": (sympy.cos, S.Zero, S.Pi, True),
    "sinh": (sympy.asinh, None, None, False),
    "asinh": (sympy.sinh, None, None, False),
    "tanh": (sympy.atanh, S.NegativeOne, S.One, False),
    "atanh": (sympy.tanh, None, None, False),
    "acosh": (sympy.cosh, S.Zero, None, True),
}


def _closed(e: Expr) -> Coordinate:
    return as_coordinate(sympy.expand(e))


def _core(e: Expr, x: Symbol) -> tuple[_Substitution, Symbol, Expr]:
    """Write an expression as a polynomial in one term; return the term and the polynomial."""
    ordered = sorted(set(_outermost(e, x)), key=sympy.default_sort_key)
    if not ordered:
        return _Substitution("x"), x, e
    t = Dummy("t")
    kind = type(ordered[0]).__name__
    if kind in _INVERSES and kind != "exp":
        if len(ordered) != 1:
            raise Unclear
        a, b = _straight(ordered[0].args[0], x)
        moved = e.xreplace({ordered[0]: t})
    else:
        exponents = [sympy.expand(_exponent(node, x)) for node in ordered]
        shortest = exponents[0]
        ratios = [sympy.cancel(u / shortest) for u in exponents]
        if not all(ratio.is_Rational for ratio in ratios):
            raise Unclear
        over, under = sympy.igcd(0, *[r.p for r in ratios]), sympy.ilcm(1, *[r.q for r in ratios])
        unit = sympy.Rational(over, under)
        powers = [int(r / unit) for r in ratios]
        a, b = _straight(sympy.expand(shortest * unit), x)
        lowest = min(0, *powers)
        moved = e.xreplace({node: t**k for node, k in zip(ordered, powers, strict=True)})
        moved = sympy.expand(moved * t**-lowest)
        kind = "exp"
    if x in moved.free_symbols or not moved.is_polynomial(t):
        raise Unclear
    return _Substitution(kind, a, b), t, moved


def _outermost(e: Expr, x: Symbol) -> list[Expr]:
    """Return the terms of an expression that are not polynomials in x."""
    if x not in e.free_symbols or e == x:
        return []
    if e.is_Add or e.is_Mul or (isinstance(e, Pow) and e.exp.is_Integer and e.exp >= 0):
        return [node for argument in e.args for node in _outermost(argument, x)]
    if type(e).__name__ in _INVERSES or exponent_of(e, {x}) is not None:
        return [e]
    raise Unclear


def _exponent(node: Expr, x: Symbol) -> Expr:
    exponent = exponent_of(node, {x})
    if exponent is None:
        raise Unclear
    return exponent


def _straight(u: Expr, x: Symbol) -> tuple[Expr, Expr]:
    """Write an expression as ``a*x + b`` with constants a and b, where the sign of a is known."""
    a = sympy.diff(u, x)
    b = sympy.expand(u - a * x)
    if a.free_symbols or b.free_symbols or not sign_of(a):
        raise Unclear
    return a, b


def _constants(e: Expr) -> set[Expr]:
    """Return the numbers in an expression that are not rational."""
    if e.is_Rational or e.is_Symbol:
        return set()
    if e.free_symbols or e.is_Add or e.is_Mul or (isinstance(e, Pow) and e.exp.is_Integer):
        return set().union(*map(_constants, e.args))
    return {e}


def _zeros(poly: Poly, back: dict[Symbol, Expr], name: str) -> list[Coordinate]:
    """Return the real zeros of an irreducible polynomial, in a fixed order."""
    coefficients = [c.xreplace(back) for c in poly.all_coeffs()]
    if not sign_of(coefficients[0]):
        raise Unclear
    if poly.degree() == 1:
        return [_closed(sympy.cancel(-coefficients[1] / coefficients[0]))]
    if poly.degree() == 2:
        a, b, c = coefficients
        inside = sympy.expand(b**2 - 4 * a * c)
        sign = sign_of(inside)
        if sign is None:
            raise Unclear
        if sign < 0:
            return []
        root = sympy.sqrt(inside)
        return [_closed(sympy.radsimp((-b + s * root) / (2 * a))) for s in (-1, 1)]
    if not all(c.is_Rational for c in coefficients):
        raise Unclear
    scale = sympy.ilcm(*[c.q for c in coefficients])
    integers = tuple(int(c * scale) for c in reversed(coefficients))
    return [Root(integers, place, name) for place in range(len(_real_roots(integers, 64)))]


def _compared(p: Coordinate, q: Coordinate) -> int:
    """Compare two points: return -1, 0 or 1."""
    if p == q:
        return 0
    if isinstance(p, fmpq) and isinstance(q, fmpq):
        return -1 if p < q else 1
    for prec in _PRECISIONS:
        left, right = at(p, prec), at(q, prec)
        if left < right:
            return -1
        if left > right:
            return 1
        if prec == 128 and _same(p, q):
            return 0
    raise Unclear


def _same(p: Coordinate, q: Coordinate) -> bool:
    first, second = as_sympy(p), as_sympy(q)
    if first is None or second is None:
        return False
    return Known().equal(first, second) or sympy.radsimp(first - second) == 0


def _simpler(p: Coordinate, q: Coordinate) -> bool:
    return (isinstance(p, fmpq), -len(str(p))) > (isinstance(q, fmpq), -len(str(q)))


def _constant_sign(e: Expr) -> int | None:
    return 0 if Known().equal(e, S.Zero) else sign_of(e)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _ends(value: Coordinate, other: Coordinate | None) -> tuple[Fraction, Fraction]:
    """Return rational ends around a point, so close that they do not reach the other point."""
    if isinstance(value, fmpq):
        return _fraction(value), _fraction(value)
    for prec in _PRECISIONS:
        ball = at(value, prec)
        far = None if other is None else at(other, prec)
        if ball.is_finite() and (far is None or ball < far or ball > far):
            return _fraction(ball.lower().fmpq()), _fraction(ball.upper().fmpq())
    raise Unclear


def _whole_between(low: Fraction | None, high: Fraction | None) -> fmpq | None:
    least = None if low is None else low.numerator // low.denominator + 1
    most = None if high is None else -(-high.numerator // high.denominator) - 1
    if least is not None and most is not None and least > most:
        return None
    if least is not None and least > 0:
        return fmpq(least)
    return fmpq(0 if most is None else min(0, most))
