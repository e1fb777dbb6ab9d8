"""Draw examples of unknown functions: tables of exact numbers on cells of the line, or outcomes.

An integral over the line becomes a sum over the cells. The sum is its value for densities that are
multiples of one another on each cell, as long as the integrand grows in proportion to them, which
is checked. So an example refutes a statement about all densities; if all examples hold, they
support it.

A few cells divide the line halfway between whole numbers: cell 0 is all numbers below 1/2, and the
last cell is all numbers above. A value of a function lies in one of the cells, so functions can
stand inside functions. At a place in a cell, the densities are the densities of the cell, all
multiplied by one positive number. At a single place this number is arbitrary; a condition on all
places must hold for small and for large numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, count, islice, pairwise
from typing import Any

import sympy
from sympy import Expr, Integral, Rational, Sum, Symbol

from dpbook.engine.language.arrays import np
from dpbook.engine.language.domain import Bounds, RangedSymbol, range_of, with_ranges
from dpbook.engine.language.function_symbols import Unknown, Value, unknowns_of
from dpbook.engine.language.statement import (
    COMPARE,
    Both,
    Every,
    ForAll,
    Form,
    Relation,
    Tree,
    everies,
    free_in,
    unfold_definitions,
    with_limits,
)
from dpbook.engine.language.task import expressions_of
from dpbook.engine.language.verdict import Counterexample, Evidence, Verdict

Point = Mapping[str, Expr]  # exact values of symbols, by name
Table = tuple[Fraction, ...]  # of a function, by cell or outcome

EXAMPLES = 150  # examples that satisfy the conditions, at most
FEW = 12  # the same, where an example takes long
REPEATED = 3  # the same, where the others are on record
TRIED = 900  # examples that are drawn, at most
VAIN = 60  # unclear examples, without any clear example
MENDED = 10  # examples that are repaired, for conditions that few examples satisfy
DRAWN_ANEW = 100  # times that a part of an example is drawn anew
CELLS = 3  # of the line, at most
SCALES = (1, Fraction(1, 10**6), 10**6)  # sizes of the densities at a place, relative to its cell
ENDLESS = 12  # whole numbers tried where functions of them go on for ever: past the tables' ends
DIGITS = 40
PLAIN = tuple(map(Rational, ("1/2", "1/3", "3/4", "1/5", 1, 2, 3, "3/2", 0, "1/10")))
IN_EXPONENTS = (0, sympy.log(2), sympy.log(3), sympy.log(Rational(3, 2)), sympy.log(5))
SIGNS = {  # signs of a difference: where a relation holds, and where it fails
    "<=": ("nonpositive", "positive"),
    "<": ("negative", "nonnegative"),
    ">=": ("nonnegative", "negative"),
    ">": ("positive", "nonpositive"),
    "==": ("zero", "nonzero"),
}
METHOD = "examples"


class NotModelled(ValueError):
    """Report a statement that cells do not evaluate."""


class Unclear(NotModelled):
    """Report a condition for all numbers that is not clear in an example."""


class NoExample(NotModelled):
    """Report numbers for which there is no distribution, as it would have no outcomes, or a series of unknown value."""


class Undefined(ArithmeticError):
    """Report a value that does not exist.

    Attributes
    ----------
    lacking : tuple of Expr
        Densities in it that are 0: with the condition that they are positive it may exist.
    """

    def __init__(self, what: str, lacking: tuple[Expr, ...] = ()) -> None:
        super().__init__(what)
        self.lacking = lacking


class Cell(int):
    """Represent the cell of a place, with the size of the densities there relative to the cell."""

    scale: Fraction

    def __new__(cls, cell: int, scale: Fraction | int = 1) -> Cell:
        made = super().__new__(cls, cell)
        made.scale = Fraction(scale)
        return made


@dataclass
class Model:
    """Hold numbers for symbols, and tables for unknown functions, which are drawn on demand."""

    rng: np.random.Generator
    cells: int
    symbols: dict[Symbol, Expr] = field(default_factory=dict)
    tables: dict[tuple[Unknown, tuple[int, ...]], Table] = field(default_factory=dict)
    proportional: set[Expr] = field(default_factory=set)
    points: dict[Symbol, int] = field(default_factory=dict)  # the cells that points lie in
    scales: dict[Expr, Fraction] = field(default_factory=dict)  # sizes of the densities at a place
    real: frozenset[tuple[Unknown, int]] = frozenset()  # arguments that are places everywhere
    found: dict[Any, Expr] | None = None  # values, once no number is drawn anew

    def table(self, function: Unknown, given: tuple[int, ...]) -> Table:
        key = (function, given)
        if key not in self.tables:
            size = self.cells
            if function.integer:
                last = self.value(function.args[2], {})
                if not last.is_Integer:
                    raise NotModelled("the number of outcomes is no number")
                if last < 0:
                    raise NoExample("there is no distribution without outcomes")
                size = int(last) + 1
            try:
                self.tables[key] = function.example(size, self.rng)
            except TypeError as error:  # other functions determine its values
                raise NotModelled(f"{function.name}: {error}") from None
        return self.tables[key]

    def value(self, e: Expr, at: Mapping[Symbol, Any]) -> Expr:
        """Evaluate an expression, written out; `at` gives bound variables a cell or an outcome."""
        if self.found is None or not e.args:
            return self._value(e, at)
        free = (s for s in free_in(e) if s in at)
        key = e, tuple((s, at[s], getattr(at[s], "scale", isinstance(at[s], Expr))) for s in free)
        if key not in self.found:
            self.found[key] = self._value(e, at)
        return self.found[key]

    def _value(self, e: Expr, at: Mapping[Symbol, Any]) -> Expr:
        if isinstance(e, Value):
            return self._table_value(e, at)
        if isinstance(e, Symbol):
            if e in at and (e.is_integer or isinstance(at[e], Expr)):  # any number
                return sympy.sympify(at[e])
            if e in at or e not in self.symbols:
                raise NotModelled(f"{e} stands by itself in an integral")
            return self.symbols[e]
        if isinstance(e, (Integral, Sum)) and len(e.args) > 2:
            # the first limits belong to the inner sum or integral, which SymPy would join
            inner = with_limits(type(e), *e.args[:2])
            return self.value(with_limits(type(e), inner, *e.args[2:]), at)
        if isinstance(e, Integral):
            return self._integral(e, at)
        if isinstance(e, Sum):
            return self._sum(e, at)
        if not e.args:
            return e
        if isinstance(e, sympy.Piecewise):
            # a branch that is not taken may have no value
            for part, condition in e.args:
                met = self.value(condition, at)
                if met == sympy.true:
                    return self.value(part, at)
                if met != sympy.false:
                    break
        values = [self.value(a, at) for a in e.args]
        try:
            made = e.func(*values)
        except ValueError:  # SymPy compares no 0 that it does not recognise
            made = e.func(*(sympy.cancel(value) for value in values))
        # sums and products of real numbers are real, and SymPy thinks long about that
        real = isinstance(e, (sympy.Add, sympy.Mul)) or made.is_real is not False
        if not real or made.has(sympy.nan, sympy.zoo, sympy.oo):
            raise Undefined(str(e), self._lacking(e, at))
        return made

    def _lacking(self, e: Expr, at: Mapping[Symbol, Any]) -> tuple[Expr, ...]:
        """Return the densities of distributions in an expression that are 0 at a place."""
        found = []
        for value in sorted((v for v in e.atoms(Value) if v.function.measure), key=str):
            with suppress(NotModelled, Undefined):
                if self.value(value, at) == 0:
                    found.append(value)
        return tuple(found)

    def _table_value(self, e: Value, at: Mapping[Symbol, Any]) -> Expr:
        function, indices = e.function, range(len(e.at))
        if type(function).value is not Unknown.value:
            if function.by_place:
                return function.value(self, [sympy.Integer(self._cell(a, at)) for a in e.at])
            return function.value(self, [self.value(a, at) for a in e.at])
        *others, place = (self._place(e, index, at) for index in indices)
        wholes = [a.is_integer for a in e.at]
        past = self._past()
        given = [self._held(o, past) if w else o for o, w in zip(others, wholes, strict=False)]
        if any(isinstance(o, Expr) for o in given):
            raise Unclear(f"{e} is about all numbers")
        table = self.table(function, tuple(map(int, given)))
        if function.endless:
            there = function.at(table, place)
            if there is not None and there != sympy.nan:
                return there
            place = self._held(place, len(table) - 1) if there is None else there
        if isinstance(place, Expr):
            raise Unclear(f"{e} is about all numbers")
        if not 0 <= place < len(table):
            raise NotModelled(f"{e} lies outside")
        value = table[place] * (self._scale(e.at[-1], at) if function.density else 1)
        return Rational(value.numerator, value.denominator)

    def _held(self, place: Any, last: int) -> Any:
        """Return a whole number within the table: a function is constant before and after it."""
        if not isinstance(place, Expr):
            return max(0, min(place, last))
        if (place - last).is_nonnegative:
            return last
        if place.is_nonpositive:
            return 0
        raise Unclear("a whole number is not known to lie beyond the table")

    def _past(self) -> int:
        """Return the first whole number above all values of symbols."""
        return 1 + max((0, *(int(v) for v in self.symbols.values() if v.is_Integer)))

    def _place(self, e: Value, index: int, at: Mapping[Symbol, Any]) -> Any:
        """Return the cell or whole number of an argument; an expression where it holds a letter."""
        function, a = e.function, e.at[index]
        last = index == function.parameters
        # a parameter that is always whole is the number of a distribution in a list
        listed = a.is_integer and (function, index) not in self.real
        if not (function.integer or function.endless if last else listed):
            return self._cell(a, at)
        if a in self.points and a not in at:
            return self.points[a]
        place = at[a] if a in at else self.value(a, at)
        if isinstance(place, Expr) and not (place.is_Integer or place.is_integer):
            raise NotModelled(f"{e} is no value at a whole number")
        return place if isinstance(place, Expr) and place.free_symbols else int(place)

    def _cell(self, a: Expr, at: Mapping[Symbol, Any]) -> int:
        if a in at and not a.is_integer and not isinstance(at[a], Expr):
            return int(at[a])
        if a in self.points and a not in at:
            return self.points[a]
        number = self.value(a, at)
        if number.free_symbols:
            raise Unclear(f"{a} is about all numbers")
        cell = sympy.floor(number + Rational(1, 2))
        if not cell.is_Integer:
            raise NotModelled(f"{a} is in no cell")
        return max(0, min(int(cell), self.cells - 1))

    def _scale(self, a: Expr, at: Mapping[Symbol, Any]) -> Fraction:
        """Return the size of densities at a place, relative to its cell."""
        if a in at:
            return getattr(at[a], "scale", Fraction(1))
        place = a if a in self.points else self.value(a, at)
        if place not in self.scales:
            self.scales[place] = (Fraction(1), Fraction(1, 2), Fraction(3))[self.rng.integers(3)]
        return self.scales[place]

    def _integral(self, e: Integral, at: Mapping[Symbol, Any]) -> Expr:
        body, (t, low, high) = e.args
        if (low, high) != (-sympy.oo, sympy.oo):
            ends = low, high = self.value(low, at), self.value(high, at)
            if not all(end.is_Rational or end.is_infinite for end in ends) or low > high:
                raise NotModelled("an integral does not go over the line, nor between numbers")
            level = _letter(t.name, at, real=True)
            return _steps_integrated(self.value(body, {**at, t: level}), level, low, high)
        values = [self.value(body, {**at, t: cell}) for cell in range(self.cells)]
        for cell, value in enumerate(values) if body not in self.proportional else ():
            if _sign(self.value(body, {**at, t: Cell(cell, 2)}) - 2 * value):
                raise NotModelled("an integrand does not grow in proportion to the densities")
        self.proportional.add(body)
        return sympy.Add(*values)

    def _sum(self, e: Sum, at: Mapping[Symbol, Any]) -> Expr:
        body, (k, low, high) = e.args
        ends = [self.value(end, at) for end in (low, high) if end != sympy.oo]
        if len(ends) == 1 and ends[0].is_Integer:
            later = _letter(k.name, at, integer=True, nonnegative=True)
            first = max(int(ends[0]), self._past(), ENDLESS)
            inside = [self.value(body, {**at, k: i}) for i in range(int(ends[0]), first)]
            return sympy.Add(*inside, _rest(self.value(body, {**at, k: first + later}), later))
        if len(ends) == 1 or not all(end.is_Integer for end in ends):
            raise NotModelled("a sum has no numbers as ends")
        if ends[1] < ends[0] - 1:
            raise Undefined(str(e))
        indices = range(int(ends[0]), int(ends[1]) + 1)
        return sympy.Add(*(self.value(body, {**at, k: i}) for i in indices))

    def holds(self, tree: Tree, at: Mapping[Symbol, int]) -> bool:
        """Say whether a tree holds; raise `Undefined` where a side has no value."""
        if isinstance(tree, Relation):
            gap = self.value(tree.lhs, at) - self.value(tree.rhs, at)
            return bool(COMPARE[tree.op](_sign(gap), 0))
        if isinstance(tree, Every):
            if _by_itself(tree):
                return self._for_all_numbers(tree, at)
            return all(
                self.holds(tree.tree, inner)
                for inner in self._places(tree, at, SCALES)
                if all(self.holds(c, inner) for c in tree.conditions)
            )
        joined = all if isinstance(tree, Both) else any
        return joined(self.holds(part, at) for part in tree.parts)

    def meets(self, tree: Tree, at: Mapping[Symbol, Any]) -> bool:
        """Say whether a condition holds, for all whole numbers that it is about.

        Raises
        ------
        Unclear
            Where this is not known.
        """
        if isinstance(tree, Every):
            if tree.variable.is_integer:
                return all(self._implied(tree, inner) for inner in self._all_whole(tree, at))
            if _by_itself(tree):
                return self._for_all_numbers(tree, at)
            return all(self._implied(tree, inner) for inner in self._places(tree, at, SCALES))
        if isinstance(tree, Relation):
            return self._clear(tree, at)
        joined = all if isinstance(tree, Both) else any
        return joined(self.meets(part, at) for part in tree.parts)

    def _implied(self, tree: Every, at: Mapping[Symbol, Any]) -> bool:
        """Say whether the body of a condition holds at a place, or the place is surely excluded."""
        for condition in tree.conditions:
            with suppress(Unclear):
                if not self.meets(condition, at):
                    return True
        return self.meets(tree.tree, at)

    def _all_whole(self, tree: Every, at: Mapping[Symbol, Any]) -> Iterator[dict[Symbol, Any]]:
        """Yield the whole numbers of a condition: some numbers one by one, the others by letters.

        One letter stands for all numbers before them, another letter for all numbers after them.
        """
        k = tree.variable
        bounds = [*range_of(k), *(c for c in tree.conditions if isinstance(c, Relation))]
        ends = {r.op: self.value(r.rhs, at) for r in bounds if r.lhs == k}
        least = [ends[">="]] if ">=" in ends else [ends[">"] + 1] if ">" in ends else []
        yield from self._places(tree, at)
        later = _letter(k.name, at, integer=True, nonnegative=True)
        tried = self._one_by_one(tree)
        if not any(end.is_nonnegative for end in least):
            yield {**at, k: tried.start - 1 - later}
        last = [ends["<="]] if "<=" in ends else [ends["<"] - 1] if "<" in ends else []
        if not any(end.is_number and _sign(end - tried.stop) < 0 for end in last):
            yield {**at, k: tried.stop + later}

    def _clear(self, tree: Relation, at: Mapping[Symbol, Any]) -> bool:
        """Say whether a relation holds for all values of a letter in it, by a difference's sign."""
        try:
            gap = self.value(tree.lhs, at) - self.value(tree.rhs, at)
            if not gap.free_symbols:
                return self.holds(tree, at)
        except (NotModelled, Undefined) as error:
            raise Unclear(str(error)) from None
        gap = sympy.powsimp(gap)
        for holds, sign in zip((True, False), SIGNS.get(tree.op, ()), strict=False):
            if getattr(gap, f"is_{sign}"):
                return holds
        raise Unclear(f"{tree} is about all numbers")

    def _for_all_numbers(self, tree: Every, at: Mapping[Symbol, Any]) -> bool:
        """Say whether a relation holds for all numbers: True where it holds for a letter.

        Raises
        ------
        Unclear
            Otherwise: some numbers are never enough to decide it.
        """
        if tree.conditions or not isinstance(tree.tree, Relation):
            raise Unclear(f"{tree} is about all numbers")
        variable = tree.variable
        above = {r.op for r in range_of(variable) if r.lhs == variable and r.rhs.is_nonnegative}
        positive, signed = ">" in above or None, not above.isdisjoint((">", ">=")) or None
        number = _letter(variable.name, at, real=True, positive=positive, nonnegative=signed)
        if not self._clear(tree.tree, {**at, variable: number}):
            raise Unclear(f"{tree} is about all numbers")
        return True

    def _places(
        self, tree: Every, at: Mapping[Symbol, Any], scales: Sequence[Fraction | int] = (1,)
    ) -> Iterator[dict[Symbol, Any]]:
        """Yield whole numbers or cells; the densities in a cell, if any, have several sizes."""
        variable, sizes = tree.variable, scales if _dense(tree) else (1,)
        within = range_of(variable) if variable.is_integer else []
        for place in self._one_by_one(tree):
            if not variable.is_integer:
                yield from ({**at, variable: Cell(place, size)} for size in sizes)
            elif all(self.holds(r, {**at, variable: place}) for r in within):
                yield {**at, variable: place}

    def _one_by_one(self, tree: Every) -> range:
        """Return the cells, or the whole numbers, that are tried one by one."""
        if not tree.variable.is_integer:
            return range(self.cells)
        if any(function.endless for function in unknowns_of([tree])):
            return range(-ENDLESS, max(self._past(), ENDLESS))
        return range(self._past())

    def told(self) -> tuple[tuple[str, str], ...]:
        """Return the numbers and tables as text, by name."""
        found = {s.name: str(v) for s, v in self.symbols.items()}
        for point, cell in self.points.items():
            size = self.scales.get(point, 1)
            times = f", densities times {size}" if size != 1 else ""
            found[point.name] = f"in cell {cell}{times}"
        for (function, given), table in self.tables.items():
            inside = f"({', '.join(map(str, given))})" if given else ""
            found[function.name + inside] = function.told(table)
        return tuple(sorted(found.items()))


def _letter(name: str, at: Mapping[Symbol, Any], **assumptions: bool | None) -> Symbol:
    """Return a letter for any number, which no value in `at` holds yet.

    Examples share their letters, so that SymPy derives the facts about an expression only once.
    """
    letters = map(partial(_letters, name, tuple(assumptions.items())), count())
    taken = {s for value in at.values() if isinstance(value, Expr) for s in value.free_symbols}
    return next(letter for letter in letters if letter not in taken)


@lru_cache(maxsize=1000)
def _letters(name: str, assumptions: tuple[tuple[str, bool | None], ...], number: int) -> Symbol:
    return sympy.Dummy(name, **dict(assumptions))


def _steps_integrated(steps: Expr, level: Symbol, low: Expr, high: Expr) -> Expr:
    """Integrate a function of a number that is constant between the ends of its conditions.

    Raises
    ------
    NotModelled
        When it is no such function.
    Undefined
        When it has no integral.
    """
    relations = steps.atoms(sympy.core.relational.Relational)
    conditions = [c for c in sorted(relations, key=str) if level in c.free_symbols]
    ends = {low, high}
    for condition in conditions:
        gap = sympy.expand(condition.lhs - condition.rhs)
        slope = gap.coeff(level, 1)
        end = sympy.expand(level - gap / slope) if slope.is_Rational and slope != 0 else level
        if not end.is_Rational:
            raise NotModelled(f"{condition} is no condition on a number")
        if low < end < high:
            ends.add(end)
    total = sympy.Integer(0)
    for first, last in pairwise(sorted(ends)):
        points = ((first + last) / 2, first + 1, last - 1, sympy.Integer(0))
        inside = next(point for point in points if point.is_Rational)
        there = steps.xreplace({c: c.subs(level, inside) for c in conditions})
        if level in there.free_symbols:
            raise NotModelled("an integrand changes with a number in another way than by steps")
        if (last - first).is_finite:
            total += there * (last - first)
        elif _sign(there):
            raise Undefined("an integral of steps does not end")
    return total


def _rest(term: Expr, later: Symbol) -> Expr:
    """Add up the terms of a series: multiples of powers of numbers, times 1, the index or its square.

    Raises
    ------
    NoExample
        Where a term is no such multiple, or does not fall.
    """
    total = sympy.Integer(0)
    for part in sympy.Add.make_args(sympy.expand(term)):
        c, d, rate = sympy.Integer(1), 0, sympy.Integer(1)
        for factor in sympy.Mul.make_args(part):
            base, exponent = factor.as_base_exp()
            slope = exponent.diff(later)
            if later not in factor.free_symbols:
                c *= factor
            elif base == later and exponent in (1, 2):
                d += int(exponent)
            elif base.is_Rational and base > 0 and slope.is_Integer:
                rate *= base**slope
                c *= base ** (exponent - slope * later)
            else:
                raise NoExample(f"the series of {term} is not known")
        if c != 0 and not (rate < 1 and d <= 2):
            raise NoExample(f"the series of {term} is not known")
        sums = 1 / (1 - rate), rate / (1 - rate) ** 2, rate * (1 + rate) / (1 - rate) ** 3
        total += c * sums[d] if c != 0 else 0
    return total


def _sign(gap: Expr) -> int:
    """Return the sign of a number; digits decide the sign of an irrational number.

    Raises
    ------
    NotModelled
        Where the digits do not decide it, and the number is not known to be 0.
    """
    if gap.free_symbols:
        gap = sympy.powsimp(sympy.piecewise_fold(gap))
    if gap.is_Rational:
        return (gap.p > 0) - (gap.p < 0)
    for digits in (DIGITS, 10 * DIGITS):
        value = gap.evalf(digits)
        if not value.is_Float and value != 0:
            raise NotModelled(f"{gap} is no number")
        if abs(value) >= Rational(10) ** (10 - digits):
            return 1 if value > 0 else -1
        exact = sympy.powsimp(sympy.expand(gap))
        for sign, known in ((0, exact.is_zero), (1, exact.is_positive), (-1, exact.is_negative)):
            if known:
                return sign
    raise NotModelled("a number is not known to be 0, nor its sign")


def decided(
    form: Form,
    given: Sequence[Tree],
    seed: int,
    points: Sequence[Point] = (),
    most: int | None = None,
) -> Evidence:
    """Look for an example that refutes a statement with unknown functions.

    A statement that is not refuted is supported at most: only a certificate proves it. Every other
    example takes its numbers from `points`, where there are some: they only help the search. After
    `most` examples the search ends.
    """
    if not isinstance(form, ForAll):
        return Evidence(Verdict.UNDECIDED, reason="no examples of a statement of this form")
    tree = form.tree.map(unfold_definitions)
    holding = 0
    lacking: set[str] = set()
    sample: tuple[tuple[str, str], ...] = ()
    try:
        for model in islice(models(form, given, seed, points), most):
            try:
                fine = model.holds(tree, {})
            except NoExample:
                continue
            except Undefined as error:
                # a divergence without the condition that makes it finite: that is no counterexample
                lacking.update(map(str, error.lacking))
                if error.lacking:
                    continue
                fine = False
            if not fine:
                trusted, found = ("exact arithmetic",), _counterexample(model, tree)
                return Evidence(Verdict.REFUTED, METHOD, trusted, found, sample=model.told())
            sample = sample or model.told()
            holding += 1
    except NotModelled as error:
        return Evidence(Verdict.UNDECIDED, reason=f"no examples: {error}", sample=sample)
    if holding and not lacking:
        why = f"it holds for {holding} examples on a few outcomes, and has no certificate"
        return Evidence(Verdict.SUPPORTED, method=METHOD, reason=why, sample=sample)
    reason = "no example satisfies the conditions"
    if lacking:
        wanted = " and ".join(f"{value} > 0" for value in sorted(lacking))
        zero = " or ".join(f"{value} = 0" for value in sorted(lacking))
        reason = f"a side is not defined where {zero}: add the condition {wanted}"
    return Evidence(Verdict.UNDECIDED, reason=reason, sample=sample)


def _counterexample(model: Model, tree: Tree) -> Counterexample:
    note = "the statement fails there"
    for relation in tree.relations():
        try:
            if not isinstance(tree, Every) and not model.holds(relation, {}):
                sides = [str(model.value(side, {})) for side in (relation.lhs, relation.rhs)]
                return Counterexample(model.told(), sides[0], relation.op, sides[1])
        except Undefined as error:
            note = f"undefined: {error}"
        except NotModelled:
            continue
    return Counterexample(model.told(), note=note)


def example_of(
    form: Form, given: Sequence[Tree], seed: int, points: Sequence[Point] = ()
) -> tuple[tuple[str, str], ...] | None:
    """Return an example that satisfies all conditions, as text: so no proof is vacuous."""
    tree = form.tree.map(unfold_definitions) if isinstance(form, ForAll) else Both(())
    with suppress(NotModelled, Undefined):
        for model in chain(models(form, given, seed, points), _mended(form, given, seed)):
            for relation in tree.relations():
                with suppress(NotModelled, Undefined):  # the conditions hold all the same
                    model.value(relation.lhs, {})  # draws all tables
            return model.told()
    return None


def _mended(form: Form, given: Sequence[Tree], seed: int) -> Iterator[Model]:
    """Yield examples of many conditions: a part of a condition that fails is drawn anew."""
    rng = np.random.default_rng(seed)
    trees, expressions, places, symbols = _parts_of(form, given)
    for _ in range(MENDED):
        model = Model(rng, 1, real=_always_real(tuple(expressions)))
        model.symbols = _numbers(symbols, expressions, rng)
        model.points = dict.fromkeys(sorted(places, key=str), 0)
        for _ in range(DRAWN_ANEW):
            if not _in_range(model, symbols):
                model.symbols = _numbers(symbols, expressions, rng)
                continue
            failing = next((tree for tree in trees if not _fine(model, tree)), None)
            if failing is None:
                yield model
                break
            there = {s for e in _expressions([failing]) for s in e.free_symbols} & set(symbols)
            things = [*unknowns_of([failing]), *sorted(there, key=str)]
            again = things[int(rng.integers(len(things)))]
            if isinstance(again, Symbol):
                model.symbols |= _numbers([again], expressions, rng)
            model.tables = {key: made for key, made in model.tables.items() if key[0] != again}


def _fine(model: Model, tree: Tree) -> bool:
    """Say whether a condition holds in an example; False where it is undefined or unclear."""
    try:
        return model.meets(tree, {})
    except (Undefined, Unclear):
        return False


def models(
    form: Form, given: Sequence[Tree], seed: int, points: Sequence[Point] = ()
) -> Iterator[Model]:
    """Yield examples that satisfy the conditions, a limited number.

    Raises
    ------
    NotModelled
        When the statement is not about cells or outcomes.
    """
    rng = np.random.default_rng(seed)
    trees, expressions, places, symbols = _parts_of(form, given)
    proportional: set[Expr] = set()
    found = unclear = 0
    most = FEW if any(function.costly for function in unknowns_of([form, *trees])) else EXAMPLES
    for number in range(TRIED):
        cells = 1 + number % CELLS if number % 5 else CELLS
        model = Model(rng, cells, proportional=proportional, real=_always_real(tuple(expressions)))
        model.symbols = _numbers(symbols, expressions, rng)
        model.points = {s: int(rng.integers(cells)) for s in sorted(places, key=str)}
        there = points[number // 2 % len(points)] if points and number % 2 else {}
        try:
            if number % 3 and not there:
                _tightened(model, trees)
            model.symbols.update({s: there[s.name] for s in symbols if s.name in there})
            model.found = {}
            if _in_range(model, symbols) and all(model.meets(tree, {}) for tree in trees):
                yield model
                found += 1
        except (Undefined, NoExample):
            continue
        except Unclear:
            unclear += 1
        if found >= most or not found and unclear >= VAIN:
            return


def _parts_of(
    form: Form, given: Sequence[Tree]
) -> tuple[list[Tree], list[Expr], set[Symbol], list[RangedSymbol]]:
    """Return conditions and expressions, written out; places on the line, and other symbols."""
    trees = [tree.map(unfold_definitions) for tree in given]
    expressions = _expressions([form, *trees])
    shown = [form.tree.map(unfold_definitions)] if isinstance(form, ForAll) else []
    # a symbol that a condition binds may be free in the statement
    free = {s for e in expressions for s in free_in(e)}
    free -= {tree.variable for tree in everies(trees)}.difference(
        *(tree.free_symbols for tree in (*trees, *shown))
    )
    places = points_in(expressions) & free
    return trees, expressions, places, sorted(with_ranges(free - places), key=lambda s: s.name)


def _expressions(things: Sequence[Any]) -> list[Expr]:
    return [unfold_definitions(e) for thing in things for e in expressions_of(thing)]


@lru_cache(maxsize=1000)
def _dense(tree: Every) -> bool:
    """Say whether a density stands at the variable of a condition."""
    values = (v for side in _expressions([tree]) for v in side.atoms(Value))
    return any(v.function.density and v.at[-1] == tree.variable for v in values)


@lru_cache(maxsize=10)
def _always_real(expressions: tuple[Expr, ...]) -> frozenset[tuple[Unknown, int]]:
    """Return the arguments of functions that are a place on the line somewhere."""
    values = (v for e in expressions for v in e.atoms(Value))
    return frozenset(
        (v.function, i) for v in values for i, a in enumerate(v.at) if not a.is_integer
    )


def points_in(expressions: Sequence[Expr]) -> set[Symbol]:
    """Return symbols that are only arguments of functions on the line: only their cells matter."""

    def on_the_line(function: Unknown) -> bool:
        drawn = type(function).value is Unknown.value or function.by_place
        return drawn and not function.integer

    def outside(e: Expr) -> set[Symbol]:
        if isinstance(e, Symbol):
            return {e}
        parts = e.args
        if isinstance(e, Value) and on_the_line(e.function):  # such a symbol is only a place
            listed = e.function.density
            parts = [a for a in e.at if not isinstance(a, Symbol) or (listed and a.is_integer)]
        return set().union(*map(outside, parts))

    values = {v for e in expressions for v in e.atoms(Value)}
    inside = {a for v in values for a in v.at if isinstance(a, Symbol)}
    return inside - set().union(*map(outside, expressions))


def _by_itself(tree: Every) -> bool:
    """Say whether the variable of a condition is a number only, and no place on the line."""
    variable, sides = tree.variable, _expressions([tree])
    places = {a for side in sides for v in side.atoms(Value) for a in v.at}
    stands = any(side.has(variable) for side in sides)  # also in the conditions of cases
    return not variable.is_integer and variable not in places and stands


def _numbers(
    symbols: Sequence[Symbol], expressions: Sequence[Expr], rng: np.random.Generator
) -> dict[Symbol, Expr]:
    exponents, powers = _in_exponents(tuple(expressions))
    tried = {s: _tried(s, s in exponents, s in powers) for s in symbols}
    return {s: numbers[int(rng.integers(len(numbers)))] for s, numbers in tried.items()}


@lru_cache(maxsize=200)
def _tried(symbol: Symbol, exponent: bool, power: bool) -> tuple[Expr, ...]:
    """Return the numbers that a symbol may be given, also negative numbers of its range."""
    if symbol.is_integer:
        numbers: tuple[Expr, ...] = tuple(map(sympy.Integer, range(4)))
    elif power:
        numbers = (sympy.Integer(2), sympy.Integer(3), Rational(1, 2))
    else:
        numbers = tuple(map(sympy.sympify, IN_EXPONENTS if exponent else PLAIN))
    low, high = _ends(symbol)
    if low >= 0 and any(v <= high for v in numbers):
        return numbers
    near = [*(low + v for v in numbers), *(high - v for v in numbers)]
    found = dict.fromkeys((*numbers, *(-v for v in numbers), *near))
    return tuple(v for v in found if low <= v <= high and v.is_finite) or numbers


def _ends(symbol: Symbol) -> tuple[Expr, Expr]:
    """Return the numbers at the ends of a symbol's range, infinite where one is absent or varies."""
    bounds = symbol.range if isinstance(symbol, RangedSymbol) else Bounds()
    low = -sympy.oo if bounds.lower is None else unfold_definitions(bounds.lower)
    high = sympy.oo if bounds.upper is None else unfold_definitions(bounds.upper)
    return low if low.is_Rational else -sympy.oo, high if high.is_Rational else sympy.oo


@lru_cache(maxsize=10)
def _in_exponents(expressions: tuple[Expr, ...]) -> tuple[set[Symbol], set[Symbol]]:
    """Return the symbols in exponents of e, and the symbols in exponents of other numbers."""
    exps = (node.args[0] for e in expressions for node in e.atoms(sympy.exp))
    pows = (n.exp for e in expressions for n in e.atoms(sympy.Pow) if n.base is not sympy.E)
    return {s for u in exps for s in u.free_symbols}, {s for u in pows for s in u.free_symbols}


def _in_range(model: Model, symbols: Sequence[Symbol]) -> bool:
    return all(model.holds(relation, {}) for s in symbols for relation in range_of(s))


def _tightened(model: Model, trees: Sequence[Tree]) -> None:
    """Give a symbol that bounds a side of a condition the smallest value that bounds it."""
    least: dict[Symbol, Expr] = {}
    for symbol, value in (bound for tree in trees for bound in _bounded(model, tree, {})):
        if symbol not in least or _sign(value - least[symbol]) >= 0:
            least[symbol] = value
    model.symbols.update(least)


def _bounded(model: Model, tree: Tree, at: Mapping[Symbol, int]) -> Iterator[tuple[Symbol, Expr]]:
    """Yield symbols that bound a side of a condition from above, with the value of this side."""
    if isinstance(tree, Every):
        for inner in model._places(tree, at):
            if all(model.holds(c, inner) for c in tree.conditions):
                yield from _bounded(model, tree.tree, inner)
    elif isinstance(tree, Both):
        for part in tree.parts:
            yield from _bounded(model, part, at)
    elif isinstance(tree, Relation) and tree.op == "<=" and isinstance(tree.rhs, Symbol):
        yield tree.rhs, model.value(tree.lhs, at)
