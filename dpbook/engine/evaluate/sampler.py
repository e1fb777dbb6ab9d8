"""Find exact points of a domain: drawn in floating point, made exact, checked rigorously.

Floats only propose. Every point that leaves this module is made of exact rationals and has been
checked against each range and condition in exact or ball arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Expr, Integral, Max, Symbol

from dpbook.engine.evaluate.exact_points import compare_at, evaluate_at
from dpbook.engine.evaluate.floats import FloatProgram
from dpbook.engine.evaluate.known import Known
from dpbook.engine.evaluate.tape import CannotCompile
from dpbook.engine.language.arrays import np
from dpbook.engine.language.domain import Domain
from dpbook.engine.language.statement import COMPARE, MANY, SWAPPED, Relation, evaluated


@dataclass(frozen=True)
class ClosedForm:
    """Represent an irrational coordinate in closed form, such as sqrt(2)."""

    expr: Expr

    def at(self, prec: int) -> arb:
        """Enclose the number in a ball."""
        ball = evaluate_at(self.expr, {}, prec).ball
        return arb("nan") if ball is None else ball

    def __str__(self) -> str:
        return str(self.expr)


@dataclass(frozen=True)
class IsolatedRoot:
    """Represent a root of an equation in a rational interval, known by a change of sign."""

    equation: Expr
    variable: Symbol
    low: fmpq
    high: fmpq

    def at(self, prec: int) -> arb:
        """Enclose the root in a ball, by bisection with certain signs."""
        low, high = self.low, self.high
        rising = compare_at(self.equation, "<", sympy.S.Zero, {self.variable: low}) is True
        for _ in range(min(prec, 400)):
            middle = (low + high) / 2
            below = compare_at(self.equation, "<", sympy.S.Zero, {self.variable: middle})
            if not isinstance(below, bool):
                break
            if below == rising:
                low = middle
            else:
                high = middle
        return arb(low).union(arb(high))

    def __str__(self) -> str:
        middle = (self.low + self.high) / 2
        return f"the root of {self.equation} = 0 near {arb(middle).str(8, radius=False)}"


Coordinate = fmpq | ClosedForm | IsolatedRoot
Point = dict[Symbol, Coordinate]


def equal_exactly(relation: Relation, point: Point) -> bool:
    """Say by the normal form whether both sides are equal at a point; no ball can show this."""
    exact: dict[Symbol, Any] = {v: as_sympy(x) for v, x in point.items()}
    if any(x is None or len(str(x)) > 40 for x in exact.values()):
        return False
    if any(abs(x) > LONGEST_SUM for x in exact.values()) and _grows(relation):
        return False  # powers and sums of that length are not written out
    try:
        return Known().equal(evaluated(relation.lhs, exact), evaluated(relation.rhs, exact))
    except (ValueError, TypeError, ArithmeticError):
        return False


def _grows(relation: Relation) -> bool:
    """Say whether a large coordinate makes a side long."""
    return any(
        side.has(sympy.Sum)
        or any(e.free_symbols for e in side.atoms(sympy.exp))
        or any(power.exp.free_symbols for power in side.atoms(sympy.Pow))
        for side in (relation.lhs, relation.rhs)
    )


def as_sympy(value: Coordinate) -> Expr | None:
    """Return a coordinate as a SymPy number; None for a root without closed form."""
    if isinstance(value, fmpq):
        return sympy.Rational(int(value.p), int(value.q))
    return value.expr if isinstance(value, ClosedForm) else None


def short(value: Coordinate) -> str:
    """Return an exact number as text; powers of ten are not written out."""
    text = str(value)
    if not isinstance(value, fmpq) or len(text) <= 40:
        return text
    for number, inverted in ((value, False), (1 / value, True)):
        digits = str(number.p)
        lead = digits.rstrip("0")
        zeros = len(digits) - len(lead)
        if number.q == 1 and zeros > 20 and len(lead) < 20:
            if lead == "1":
                return f"10^-{zeros}" if inverted else f"10^{zeros}"
            return f"1/({lead}*10^{zeros})" if inverted else f"{lead}*10^{zeros}"
    return text


def as_coordinate(number: Expr) -> fmpq | ClosedForm:
    """Return a real SymPy number as a coordinate."""
    return fmpq(int(number.p), int(number.q)) if number.is_Rational else ClosedForm(number)


LONGEST_SUM = 100  # terms of a sum, or exponent, that a tie is decided for


def rationals(written: str) -> list[fmpq]:
    """Return numbers that are separated by blanks.

    Examples
    --------
    >>> rationals("-1 1/2")
    [-1, 1/2]
    """
    return [fmpq(*map(int, one.split("/"))) for one in written.split()]


SMALL = rationals("1 0 2 1/2 3 -1 1/3 1/4 5 3/4 3/2 -2 10")
SPECIAL = (0, 1, -1, 2, -2, 3, 0.5, -0.5, 0.25, 0.1, 5, 10, -10, 0.01, 100, 1e-6, 1e6, 1e-60, 1e60)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of smallest denominator in a closed interval (Stern and Brocot)."""
    if low > high:
        low, high = high, low
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    if math.ceil(low) <= high:
        return Fraction(math.ceil(low))
    whole = math.floor(low)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


def rounded(value: float, tolerance: float) -> Fraction:
    """Return a short fraction within a relative tolerance of a float."""
    exact = Fraction(value)
    slack = abs(exact) * Fraction(tolerance)
    if abs(exact) > 10**9 or (exact and abs(exact) < Fraction(1, 10**9)):
        return Fraction(f"{value:.{max(0, int(-np.log10(tolerance)))}e}")
    return simplest_between(exact - slack, exact + slack)


def ascending(slack: np.ndarray) -> np.ndarray:
    """Order points by slack; points that differ by rounding keep their order, on any processor."""
    known = np.where(np.isnan(slack), np.inf, slack)
    return np.argsort(np.round(known, 9), kind="stable")


@lru_cache(maxsize=512)
def _program(expressions: tuple[Expr, ...], symbols: tuple[Symbol, ...]) -> FloatProgram | None:
    """Compile expressions; None where one has no value in floating point, such as an integral."""
    try:
        return FloatProgram(expressions, symbols)
    except CannotCompile:
        return None


def _vanishes(integrand: Expr) -> bool:
    """Say whether an integrand is 0 everywhere: as written, or as a maximum of 0 and terms <= 0."""
    if isinstance(integrand, Max):
        signs = [bool(sympy.factor(a).is_nonpositive) for a in integrand.args]
        return all(signs) and any(a.is_zero for a in integrand.args)
    return bool(integrand.is_zero)


@dataclass(frozen=True)
class _Limit:
    """Represent a bound on a variable: ``a * v + b op 0`` with a and b free of v."""

    a: Expr
    b: Expr
    op: str
    program: FloatProgram

    def edge(self, point: Point) -> Any:
        """Return the value of v at which both sides are equal; None if it is not known exactly."""
        a, b = evaluate_at(self.a, point, 64), evaluate_at(self.b, point, 64)
        if a.exact is not None and b.exact is not None:
            return -b.exact / a.exact if a.exact != 0 else None
        if self.op != "==":
            return None
        values = {v: as_sympy(x) for v, x in point.items()}
        sides = self.a, self.b
        # a bound that moves with other coordinates needs a logarithm: other points are exact
        logarithm = None not in values.values() and any(side.has(sympy.log) for side in sides)
        if any(side.free_symbols for side in sides) and not logarithm:
            return None
        slope, rest = (evaluated(side, values) for side in sides)
        if slope.free_symbols or rest.free_symbols or slope.is_zero is not False:
            return None
        value = -rest / slope
        return ClosedForm(value) if value.is_real else None


class Sampler:
    """Draw points of a domain."""

    def __init__(self, domain: Domain, seed: int = 0) -> None:
        self.domain = domain
        self.seed = seed
        conditions = [part for relation in domain.conditions for part in _plain(relation)]
        ends = (end for v in domain.variables for end in domain.bounds[v].relations(v))
        conditions += [end for end in ends if end.rhs.free_symbols]
        self.order, attached = _plan(domain.variables, conditions)
        if any(sum(one.op == "==" for one in found) > 1 for found in attached.values()):
            # a variable cannot be chosen such that two equations hold
            self.order, attached = _plan(domain.variables, _solved(conditions))
        self.limits: dict[Symbol, list[_Limit]] = {v: [] for v in self.order}
        self.filters: dict[Symbol, list[Relation]] = {v: [] for v in self.order}
        self.equations: dict[Symbol, Relation] = {}
        for position, variable in enumerate(self.order):
            before = tuple(self.order[:position])
            for relation in attached[variable]:
                linear = _linear(relation, variable)
                program = None if linear is None else _program(linear, before)
                if linear is not None and program is not None:
                    self.limits[variable].append(_Limit(*linear, relation.op, program))
                elif linear is None and relation.op == "==" and variable not in self.equations:
                    self.equations[variable] = relation
                else:
                    self.filters[variable].append(relation)
        self.decided_by: dict[Symbol, list[Relation]] = {v: [] for v in self.order}
        for relation in domain.relations() if self.order else ():
            last = max(map(self.order.index, relation.free_symbols), default=0)
            self.decided_by[self.order[last]].append(relation)

    # --- floats -----------------------------------------------------------------------------

    @cached_property
    def rng(self) -> np.random.Generator:
        """Return the generator of this domain, from which each draw goes on."""
        return np.random.default_rng(self.seed)

    def floats(self, count: int) -> dict[Symbol, np.ndarray]:
        """Draw up to `count` points in floating point; returns an array for each variable.

        No point is drawn where floats cannot tell whether a condition holds.
        """
        drawn: dict[Symbol, np.ndarray] = {}
        alive = np.ones(count, dtype=bool)
        with np.errstate(all="ignore"):
            for variable in self.order:
                drawn[variable] = self._draw(variable, drawn, count)
                alive &= np.isfinite(drawn[variable])
                for relation in self.filters[variable]:
                    program = _program((relation.lhs, relation.rhs), tuple(drawn))
                    if program is None:
                        alive[:] = False
                        break
                    left, right = program(*drawn.values())
                    alive &= np.broadcast_to(float_holds(left, relation.op, right), (count,))
        return {v: drawn[v][alive] for v in self.domain.variables}

    def _draw(self, variable: Symbol, drawn: dict[Symbol, np.ndarray], count: int) -> np.ndarray:
        bounds = self.domain.bounds[variable]
        low, high = (np.full(count, end) for end in self.numeric_range(variable))
        fixed = None
        left_out: list[np.ndarray] = []
        for limit in self.limits[variable]:
            a, b = (np.broadcast_to(x, (count,)) for x in limit.program(*drawn.values()))
            edge = -b / a
            if limit.op == "==":
                fixed = edge
                continue
            if limit.op in ("<", ">"):
                left_out.append(edge)
            upward = (limit.op in (">", ">=")) == (a > 0)
            low = np.where(upward & (edge > low), edge, low)
            high = np.where(~upward & (edge < high), edge, high)
        if fixed is not None:
            inside = (fixed >= low - 1e-9 * abs(low)) & (fixed <= high + 1e-9 * abs(high))
            return np.where(inside, fixed, np.nan)
        values = self._between(low, high, count)
        if variable in self.equations:
            return self._solved_floats(variable, low, high, drawn)
        if bounds.integer:
            values = np.fmin(np.fmax(np.round(values), np.ceil(low)), np.floor(high))
        values = np.where((values < low) | (values > high), np.nan, values)
        at_open_end = ((values == low) & bounds.lower_open) | ((values == high) & bounds.upper_open)
        for edge in left_out:
            at_open_end |= values == edge
        return np.where(at_open_end, np.nan, values)

    def _between(self, low: np.ndarray, high: np.ndarray, count: int) -> np.ndarray:
        rng = self.rng
        span = rng.choice([1.0, 2.0, 4.0], size=count, p=[0.5, 0.35, 0.15])
        scale = 10.0 ** (span * rng.uniform(-1, 1, size=count))
        sign = rng.choice([-1.0, 1.0], size=count)
        share = rng.beta(0.5, 0.5, size=count)
        near = 10.0 ** (-rng.uniform(0, 9, size=count))
        use_near = rng.random(count) < 0.2
        share = np.where(use_near, np.where(sign > 0, near, 1 - near), share)
        finite_low, finite_high = np.isfinite(low), np.isfinite(high)
        safe_low, safe_high = np.where(finite_low, low, 0.0), np.where(finite_high, high, 0.0)
        above, below = (
            scale * np.where(use_near, 1.0, np.maximum(1.0, abs(end)))
            for end in (safe_low, safe_high)
        )
        values = np.select(
            [finite_low & finite_high, finite_low, finite_high],
            [safe_low + (safe_high - safe_low) * share, safe_low + above, safe_high - below],
            sign * scale,
        )
        special = rng.choice(np.array(SPECIAL), size=count)
        return np.where(
            (rng.random(count) < 0.3) & (special >= low) & (special <= high), special, values
        )

    # --- exact ------------------------------------------------------------------------------

    def exact(self, floats: dict[Symbol, float], tolerance: float) -> Point | None:
        """Make a drawn point exact with short fractions; None when it falls out of the domain."""
        point: Point = {}
        for variable in self.order:
            value = floats[variable]
            if not np.isfinite(value):
                return None
            edges = [limit.edge(point) for limit in self.limits[variable] if limit.op == "=="]
            if edges:
                chosen = None if None in edges else edges[-1]
            elif variable in self.equations:
                roots = [(abs(_middle(x) - value), x) for x in self.solutions(variable, point)]
                near = [one for one in roots if one[0] <= 1e-2 * (1e-9 + abs(value))]
                _, chosen = min(near, key=lambda one: one[0], default=(0.0, None))
            else:
                whole = self.domain.bounds[variable].integer
                short = Fraction(int(value)) if whole else rounded(float(value), tolerance)
                chosen = fmpq(*short.as_integer_ratio())
            if chosen is None:
                return None
            point[variable] = chosen
        return point if self.contains(point) else None

    def named(self, coordinates: Mapping[str, Any], simplified: bool = False) -> Point | None:
        """Return the point with coordinates that are given by name, if it is one.

        With `simplified`, a condition may hold after its integrands are simplified at the point:
        good enough for an example of the conditions, not for a counterexample.
        """
        point: Point = {}
        for variable in self.domain.variables:
            value = coordinates.get(variable.name)
            if not isinstance(value, Expr) or value.free_symbols or not value.is_real:
                return None
            point[variable] = as_coordinate(value)
        return point if self.contains(point, simplified) else None

    def contains(self, point: Point, simplified: bool = False) -> bool:
        """Say whether a point certainly lies in the domain."""
        whole = (v for v in self.domain.variables if self.domain.bounds[v].integer)
        return all(is_whole(point[v]) for v in whole) and all(
            self._surely(relation, point) or simplified and self._simplified(relation, point)
            for relation in self.domain.relations()
        )

    def _surely(self, relation: Relation, point: Point) -> bool:
        result = compare_at(relation.lhs, relation.op, relation.rhs, point)
        if result is not None or relation.op in ("<", ">", "!="):
            return result is True
        solved = [v for v, equation in self.equations.items() if equation is relation]
        return any(self._solves(v, point) for v in solved) or equal_exactly(relation, point)

    def _simplified(self, relation: Relation, point: Point) -> bool:
        """Say whether a relation holds at a point where the integrands in it are 0 everywhere."""
        if not (relation.lhs.has(Integral) or relation.rhs.has(Integral)):
            return False
        values = {v: as_sympy(x) for v, x in point.items()}
        left, right = (
            evaluated(side, values).replace(
                lambda e: isinstance(e, Integral) and _vanishes(e.function), lambda e: sympy.S.Zero
            )
            for side in (relation.lhs, relation.rhs)
        )
        known = not (left.has(Integral) or right.has(Integral))
        return known and compare_at(left, relation.op, right, {}) is True

    def _solves(self, variable: Symbol, point: Point) -> bool:
        root, others = point[variable], {v: as_sympy(x) for v, x in point.items() if v != variable}
        if not isinstance(root, IsolatedRoot) or None in others.values():
            return False
        return root.equation == self._equation(variable, others)

    def _equation(self, variable: Symbol, others: dict[Symbol, Expr | None]) -> Expr:
        return self.equations[variable].map(lambda side: evaluated(side, others)).difference

    def solutions(self, variable: Symbol, point: Point) -> list[Coordinate]:
        """Solve the equation of a variable when the variables before it are fixed."""
        others = {v: as_sympy(x) for v, x in point.items()}
        if None in others.values():
            return []
        equation = self._equation(variable, others)
        if equation.is_polynomial(variable) and sympy.degree(equation, variable) == 2:
            a, b, c = (sympy.expand(equation).coeff(variable, k) for k in (2, 1, 0))
            square = b**2 - 4 * a * c
            if not square.is_nonnegative:
                return []
            roots = ((-b + sign * sympy.sqrt(square)) / (2 * a) for sign in (1, -1))
            return [as_coordinate(sympy.radsimp(root)) for root in roots]
        try:
            program = FloatProgram((equation,), (variable,))
        except (ValueError, TypeError, NotImplementedError):
            return []
        solved = Relation(equation, "==", sympy.S.Zero)
        simple = rationals("0 1 -1 2 -2 3 -3 1/2")
        found: list[Coordinate] = [x for x in simple if equal_exactly(solved, {variable: x})]
        closed = _closed_solution(equation, variable)
        if closed is not None:
            return [*found, closed]
        jumps = equation.has(sympy.floor, sympy.ceiling, sympy.sign, sympy.Piecewise)
        for interval in () if jumps else _sign_changes(program, *self.numeric_range(variable)):
            ends = [fmpq(*end.as_integer_ratio()) for end in interval]
            signs = [  # below and above 0: at an end it is not 0 itself
                [compare_at(equation, op, sympy.S.Zero, {variable: end}) is True for op in "<>"]
                for end in ends
            ]
            if sorted(signs) == [[False, True], [True, False]]:
                # finite on the whole interval, and continuous: it has a root there
                ball = arb(ends[0]).union(arb(ends[1]))
                if evaluate_at(equation, {variable: ball}, 128).ball is not None:
                    found.append(IsolatedRoot(equation, variable, *ends))
        return found

    def numeric_range(self, variable: Symbol) -> tuple[float, float]:
        """Return the ends of a range as numbers, infinite where an end is missing or varies."""
        bounds = self.domain.bounds[variable]
        return _as_float(bounds.lower, -np.inf), _as_float(bounds.upper, np.inf)

    def _solved_floats(
        self, variable: Symbol, low: np.ndarray, high: np.ndarray, drawn: dict[Symbol, np.ndarray]
    ) -> np.ndarray:
        program = _program((self.equations[variable].difference,), (*drawn, variable))
        values = np.full(low.shape, np.nan)
        if program is None:
            return values
        for row in range(min(len(low), 48)):
            fixed = [float(column[row]) for column in drawn.values()]
            if not np.all(np.isfinite(fixed)):
                continue

            def along(x: np.ndarray, fixed: list[float] = fixed) -> Sequence[np.ndarray]:
                return program(*(np.full(x.shape, f) for f in fixed), x)

            if changes := _sign_changes(along, float(low[row]), float(high[row])):
                left, right = changes[self.rng.integers(len(changes))]
                values[row] = (left + right) / 2
        return values

    def some(self) -> Point | None:
        """Return one exact point of the domain, a simple one where possible, or None."""
        tolerances = (0.1, 1e-3, 1e-6, 1e-12)
        tries = (self.drawn(64 if n < 3 else 2000, 24, tolerances) for n in range(8))
        return next(chain(self.simple(), chain.from_iterable(tries)), None)

    def drawn(self, count: int, most: int, tolerances: Sequence[float]) -> Iterator[Point]:
        """Draw points and make the first of them exact, with fractions as short as they may be."""
        drawn = self.floats(count)
        for row in zip(*(column[:most].tolist() for column in drawn.values()), strict=True):
            floats = dict(zip(drawn, row, strict=True))
            found = (self.exact(floats, tolerance) for tolerance in tolerances)
            point = next((one for one in found if one is not None), None)
            if point is not None:
                yield point

    def simple(self, most: int = 40) -> Iterator[Point]:
        """Yield points whose coordinates are all from a short list of simple numbers."""
        if not self.order:
            if self.contains({}):
                yield {}
            return
        budget = [400]
        most_each = {1: len(SMALL), 2: 6}.get(len(self.order), 3)

        def extend(position: int, point: Point) -> Iterator[Point]:
            if position == len(self.order):
                yield dict(point)
                return
            variable = self.order[position]
            bounds = self.domain.bounds[variable]
            choices: list[Any] = list(SMALL)
            for limit in self.limits[variable]:
                edge = limit.edge(point)
                if edge is None:
                    continue
                if limit.op == "==":
                    choices = [edge]
                    break
                choices += [edge, edge + 1, edge - 1]
            if variable in self.equations:
                choices = list(self.solutions(variable, point))
            else:
                given = (end for end in (bounds.lower, bounds.upper) if end is not None)
                ends: list[Any] = [as_coordinate(end) for end in given if end.is_Rational]
                choices += ends + [e + 1 for e in ends[:1]]
                if len(ends) == 2:
                    choices.append((ends[0] + ends[1]) / 2)
            yielded = 0
            for value in dict.fromkeys(choices):
                if bounds.integer and not is_whole(value):
                    continue
                budget[0] -= 1
                if budget[0] < 0 or yielded >= most_each:
                    return
                trial = {**point, variable: value}
                further = extend(position + 1, trial) if self._allowed(variable, trial) else ()
                for found in islice(further, most_each - yielded):
                    yielded += 1
                    yield found

        yield from islice(extend(0, {}), most)

    def _allowed(self, variable: Symbol, trial: Point) -> bool:
        """Say whether all relations certainly hold that this variable, with a value, decides."""
        ends = self.domain.bounds[variable].relations(variable)
        known = [end for end in ends if end.rhs.free_symbols <= trial.keys()]
        return all(self._surely(one, trial) for one in (*known, *self.decided_by[variable]))


def _as_float(end: Expr | None, far: float) -> float:
    if end is None or end.free_symbols:
        return far
    try:
        return float(end)
    except (OverflowError, TypeError, ValueError):
        return float("nan")


def float_holds(left: np.ndarray, op: str, right: np.ndarray) -> np.ndarray:
    """Compare arrays of floats; equality allows for rounding."""
    return np.asarray(np.isclose(left, right) if op == "==" else COMPARE[op](left, right))


def _plain(relation: Relation) -> list[Relation]:
    """Open an absolute value, a maximum or a minimum that bounds from the easy side."""
    left, op, right = relation.lhs, relation.op, relation.rhs
    if op in (">", ">="):
        left, op, right = right, SWAPPED[op], left
    if op not in ("<", "<="):
        return [relation]
    if isinstance(left, sympy.Abs):
        inner = left.args[0]
        return [Relation(inner, op, right), Relation(-inner, op, right)]
    if isinstance(left, sympy.Max):
        return [part for arg in left.args for part in _plain(Relation(arg, op, right))]
    if isinstance(right, sympy.Min):
        return [part for arg in right.args for part in _plain(Relation(left, op, arg))]
    return [relation]


@lru_cache(maxsize=MANY)
def _linear(relation: Relation, variable: Symbol) -> tuple[Expr, Expr] | None:
    """Write the difference of both sides as ``a * variable + b``; None when it is not linear."""
    if relation.op == "!=":
        return None
    if relation.lhs == variable and variable not in relation.rhs.free_symbols:
        return sympy.S.One, -relation.rhs
    if relation.rhs == variable and variable not in relation.lhs.free_symbols:
        return sympy.S.NegativeOne, relation.lhs
    difference = relation.difference
    if sympy.count_ops(difference) > 60:
        return None
    if any(variable in f.free_symbols for f in difference.atoms(sympy.Function)):
        return None
    a = sympy.diff(difference, variable)
    if variable in a.free_symbols and sympy.count_ops(a) <= 80:
        a = sympy.cancel(a)
    if variable in a.free_symbols:
        return None
    b = difference.subs(variable, 0)
    return None if b.has(sympy.zoo, sympy.nan, sympy.oo) else (a, b)


def is_whole(value: Any) -> bool:
    """Say whether a coordinate is a whole number."""
    return isinstance(value, fmpq) and value.q == 1


def _middle(value: Coordinate) -> float:
    ball = arb(value) if isinstance(value, fmpq) else value.at(64)
    return float(ball.mid()) if ball.is_finite() else np.nan


def _closed_solution(equation: Expr, variable: Symbol) -> ClosedForm | None:
    """Solve f(variable) = c for an invertible f: exp, log, a power."""
    rest, moving = equation.as_independent(variable, as_Add=True)
    scale, core = moving.as_independent(variable, as_Add=False)
    if isinstance(core, sympy.Add) or rest.free_symbols or scale.free_symbols:
        return None
    target = -rest / scale
    if not target.atoms(sympy.Function):
        target = sympy.cancel(target)
    if core == sympy.exp(variable) and target.is_positive:
        return ClosedForm(sympy.log(target))
    return ClosedForm(sympy.exp(target)) if core == sympy.log(variable) else None


def _sign_changes(
    program: Callable[..., Sequence[np.ndarray]], low: float, high: float
) -> list[tuple[float, float]]:
    """Return short intervals in which a function of one variable changes its sign."""
    if np.isfinite(low) and np.isfinite(high):
        grid = np.linspace(low, high, 257)
    elif np.isfinite(low) or np.isfinite(high):
        steps = np.concatenate([[0.0], np.logspace(-6, 4, 256)])
        grid = np.unique(low + steps if np.isfinite(low) else high - steps)
    else:
        wide = np.concatenate([-np.logspace(3, -4, 120), [0.0], np.logspace(-4, 3, 120)])
        grid = np.unique(np.concatenate([wide, np.linspace(-12, 12, 241)]))
    with np.errstate(all="ignore"):
        values = np.broadcast_to(np.asarray(program(grid)[0], dtype=float), grid.shape)
        found = []
        for i in np.flatnonzero(values[:-1] * values[1:] < 0)[:6]:
            left, right, at_left = grid[i], grid[i + 1], values[i]
            for _ in range(34):
                middle = 0.5 * (left + right)
                value = float(np.asarray(program(np.array([middle]))[0], dtype=float).ravel()[0])
                if value == 0:
                    break
                if (value > 0) == (at_left > 0):
                    left = middle
                else:
                    right = middle
            if np.isfinite(left) and np.isfinite(right) and left < right:
                found.append((float(left), float(right)))
    return found


def _linear_in_all(difference: Expr) -> bool:
    """Say whether an expression is linear in its symbols, with rational coefficients."""
    variables = sorted(difference.free_symbols, key=str)
    if not variables or not difference.is_polynomial(*variables):
        return False
    polynomial = sympy.Poly(difference, *variables)
    return polynomial.total_degree() == 1 and all(c.is_Rational for c in polynomial.coeffs())


def _solved(conditions: Sequence[Relation]) -> list[Relation]:
    """Solve the linear equations with rational coefficients among conditions for some variables."""
    equations = [c for c in conditions if c.op == "==" and _linear_in_all(c.lhs - c.rhs)]
    others = [c for c in conditions if c not in equations]
    variables = sorted({v for one in equations for v in one.free_symbols}, key=str)
    if len(equations) < 2:
        return list(conditions)
    matrix, right = sympy.linear_eq_to_matrix([one.lhs - one.rhs for one in equations], variables)
    reduced, pivots = matrix.row_join(right).rref()
    if len(variables) in pivots:  # no solution
        return list(conditions)
    solved = []
    for row, place in enumerate(pivots):
        rest = [reduced[row, j] * v for j, v in enumerate(variables) if j != place]
        solved.append(Relation(variables[place], "==", reduced[row, -1] - sympy.Add(*rest)))
    return [*solved, *others]


def _plan(
    variables: Sequence[Symbol], conditions: Sequence[Relation]
) -> tuple[list[Symbol], dict[Symbol, list[Relation]]]:
    """Order the variables so that conditions are linear in the last of their variables."""
    remaining = list(variables)
    order: list[Symbol] = []
    attached: dict[Symbol, list[Relation]] = {v: [] for v in variables}
    live = dict(enumerate(conditions))
    linear = {
        (index, v): _linear(relation, v) is not None
        for index, relation in live.items()
        for v in sorted(relation.free_symbols & attached.keys(), key=str)
    }
    while remaining:

        def cost(v: Symbol) -> tuple[int, int, int]:
            mine = [i for i, relation in live.items() if v in relation.free_symbols]
            bad = sum(not linear[i, v] for i in mine)
            equal = sum(live[i].op == "==" and linear[i, v] for i in mine)
            return (bad, -equal, -len(mine))

        last = min(remaining, key=lambda v: (cost(v), v.name))
        mine = [i for i, relation in live.items() if last in relation.free_symbols]
        attached[last] = [live.pop(i) for i in mine]
        remaining.remove(last)
        order.insert(0, last)
    return order, attached
