"""Compare two lines of a derivation: say if they are equivalent, or if one follows from the other.

An expression equals another when both are defined at the same points and have the same value
there. A relation is true at a point where both its sides are real numbers and it holds; two
relations are equivalent when they are true at the same points. Cells decide lines with one
variable; normal forms and exact points decide other lines, and `glanced` sums and integrals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import chain, islice, product
from typing import Any, TypeAlias, TypeVar

import sympy
from flint import fmpq
from sympy import Expr, S, Symbol

from dpbook.engine.derive.cells import Cell, Line, Root, Unclear
from dpbook.engine.derive.elimination import (
    FALSE,
    TRUE,
    Eliminator,
    NotPlain,
    conjunction,
    negation,
    put_in,
    truth_of,
)
from dpbook.engine.evaluate.exact_points import (
    Undefined,
    compare_at,
    digits_of,
    evaluate_at,
    known_at,
)
from dpbook.engine.evaluate.known import Known
from dpbook.engine.evaluate.sampler import (
    ClosedForm,
    IsolatedRoot,
    Point,
    Sampler,
    as_coordinate,
    as_sympy,
    equal_exactly,
    is_whole,
    short,
)
from dpbook.engine.language.budget import Deadline, attempt
from dpbook.engine.language.definedness import (
    NotUnderstood,
    inexact_terms,
    obligations,
    plain_needs,
)
from dpbook.engine.language.domain import Domain, DomainError, case_domains
from dpbook.engine.language.errors import LIBRARY_ERRORS, unless_ours
from dpbook.engine.language.statement import (
    Both,
    Either,
    ForAll,
    Relation,
    Tree,
    evaluated,
    nodes_of,
    thing_or_both,
    with_parts,
)
from dpbook.engine.language.task import make_task
from dpbook.engine.language.verdict import Counterexample, Verdict
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.proofs import METHOD
from dpbook.engine.run.decide import glanced

Content: TypeAlias = "Expr | Relation | Both | Either"
Some = TypeVar("Some", bound=Content)
Formulas: TypeAlias = tuple[Tree, Tree, Tree]  # of the conditions, the first and the second line

NEVER = Relation(S.Zero, ">", S.Zero)
ALGEBRA = "exact algebra"
CELLS = "cells of the real line"
_POINTS = 60
_SMALL = 80
SHORT = (4, (0,))  # goals and depths of a short search
ASKED = (24, (0, 1))  # goals and depths of a search for one line
NET = 5.0  # seconds of work of either, which the number of goals ends


@contextmanager
def where_readable() -> Iterator[None]:
    """Leave the rest of a block out where a line holds something that these methods do not read."""
    try:
        yield
    except (NotPlain, Unclear, NotUnderstood, *LIBRARY_ERRORS) as error:
        unless_ours(error)


class EngineError(RuntimeError):
    """Report that two methods disagree: a fault of the engine, which must never be hidden."""


@dataclass(frozen=True)
class ComparisonResult:
    """Hold the result of a comparison of two lines.

    Attributes
    ----------
    verdict : Verdict
    method : str
    trusted : tuple of str
    point : dict or None
        A point where the lines differ.
    lost : bool
        Whether the first line is true at the point and the second line is not.
    isolated : bool
        Whether the lines differ at this single point, and at none of its neighbours.
    note : str
        The operation that is undefined at the point.
    reason : str
    sides : tuple of str
        The values of both lines at the point, for integrals that a proof has evaluated.
    """

    verdict: Verdict
    method: str = ""
    trusted: tuple[str, ...] = ()
    point: Point | None = None
    lost: bool = True
    isolated: bool = False
    note: str = ""
    reason: str = ""
    sides: tuple[str, ...] = ()


IDENTITY = ComparisonResult(Verdict.PROVED, "identity", (ALGEBRA,))
SHOWN = ComparisonResult(Verdict.PROVED, METHOD, (ALGEBRA, METHOD))
BY_CELLS = ComparisonResult(Verdict.PROVED, "cells", (ALGEBRA, CELLS))
APART = ComparisonResult(Verdict.REFUTED, "cells", (ALGEBRA, CELLS))  # at a point that is added
AT_POINT = ComparisonResult(Verdict.REFUTED, "point", ("exact arithmetic and Arb",))  # the same


def _left_open(reason: str = "", verdict: Verdict = Verdict.UNDECIDED) -> ComparisonResult:
    return ComparisonResult(verdict, reason=reason or "neither proved nor refuted")


def symbols_in_order(lines: Sequence[Content]) -> list[Symbol]:
    """Return the free symbols in the order in which they occur."""
    found: dict[Symbol, None] = {}
    for side in (side for line in lines for side in sides_of(line)):
        free = side.free_symbols
        found |= dict.fromkeys(node for node in nodes_of(side) if node in free)
    return list(found)


def sides_of(line: Content) -> list[Expr]:
    """Return the expressions of a line."""
    if isinstance(line, Tree):
        return [side for relation in line.relations() for side in (relation.lhs, relation.rhs)]
    return [line]


def changed(line: Some, changes: dict[Symbol, Symbol]) -> Some:
    """Put other symbols in place of a line's own, evaluating nothing."""
    made: Any = line
    with sympy.evaluate(False):
        if isinstance(line, Tree):
            return made.map(lambda e: with_parts(e, changes))
        return with_parts(line, changes)


# --- truth at a point ---------------------------------------------------------------------------------


def holds(tree: Tree, point: Point) -> bool | None:
    """Say whether a tree is true at an exact point; return None when this is not settled."""

    def of(relation: Relation) -> bool | None:
        result = compare_at(relation.lhs, relation.op, relation.rhs, point)
        if result is None and equal_exactly(relation, point):
            return relation.op in ("==", "<=", ">=")
        return False if isinstance(result, Undefined) else result

    return truth_of(tree, of)


def undefined_at(line: Content, point: Point) -> str:
    """Say which operation of a line has no value at a point; return "" when all have one."""
    whys = (evaluate_at(side, point, 128).undefined for side in sides_of(line))
    return next(filter(None, whys), "")


def differ_at(first: Content, second: Content, point: Point, implies: bool = False) -> bool:
    """Say whether two lines certainly differ at a point; the second one may only have to follow."""
    if isinstance(first, Expr) and isinstance(second, Expr):
        undefined = [bool(undefined_at(line, point)) for line in (first, second)]
        if any(undefined):
            other = second if undefined[0] else first
            return not all(undefined) and evaluate_at(other, point, 128).ball is not None
        return compare_at(first, "==", second, point) is False
    if isinstance(first, Expr) or isinstance(second, Expr):
        return False
    before, now = holds(first, point), holds(second, point)
    lost = before is True and now is False
    return lost or (not implies and before is False and now is True)


def meaningless(line: Content) -> str:
    """Say which term in a line is not a real number, such as 1/0 or log(-1); else return ""."""
    for one in (need for side in sides_of(line) for need in plain_needs(side)):
        left, op, right = one.relation.lhs, one.relation.op, one.relation.rhs
        if not one.relation.free_symbols and compare_at(left, op, right, {}) is False:
            return f"no real number: {one.why} is {sympy.sstr(evaluated(left))}"
    return ""


# --- comparing ------------------------------------------------------------------------------------------


class Comparison:
    """Compare lines under conditions.

    Parameters
    ----------
    given : sequence of trees
        The conditions that are assumed.
    seed : int
        Seed of the points drawn.
    deadline : Deadline
    quick : bool
        Whether no points are searched for: then no lines are refuted by points.
    """

    def __init__(
        self, given: Sequence[Tree], seed: int, deadline: Deadline, quick: bool = False
    ) -> None:
        self.given = tuple(given)
        self.seed, self.deadline, self.quick = seed, deadline, quick

    def nowhere(self, line: Expr) -> bool:
        """Say whether an expression is shown to be defined at no point of the conditions."""
        if plain_needs(line):
            with where_readable():
                found = self._pair(line, line, False)._in_cells()
                return found is not None and found.verdict is Verdict.REFUTED
        return False

    def solutions(self, line: Tree, most: int) -> list[Point]:
        """Return some exact points where the conditions and a line hold."""
        found: list[Point] = []
        with where_readable():
            for point in islice(self._pair(line, line, True).true_points(), most):
                found.append(point)
                if self.deadline.passed:
                    break
        return found

    def seems_wrong(self, first: Content, second: Content, implies: bool = False) -> bool:
        """Say whether the lines differ at one of a few points: no certificate shows them then."""
        mixed = isinstance(first, Tree) != isinstance(second, Tree)
        if mixed or meaningless(first) or meaningless(second):
            return True
        with where_readable():
            return self._pair(first, second, implies).differs_at_a_point()
        return False

    def follows(self, first: Tree, second: Tree) -> bool:
        """Say whether the second line is shown to follow from the first."""
        return self.compare(first, second, implies=True).verdict is Verdict.PROVED

    def compare(self, first: Content, second: Content, implies: bool = False) -> ComparisonResult:
        """Decide whether the second line follows from the first, and the first from the second."""
        given = self._connected(first, second)
        # order and names are fixed, so that they do not change a verdict; all names are new
        prefix = "x__"
        sides = [side for content in (first, second, *given) for side in sides_of(content)]
        while any(s.name.startswith(prefix) for side in sides for s in side.atoms(Symbol)):
            prefix += "_"
        ways = []
        for lines in ((first, second),) if implies else ((first, second), (second, first)):
            names = {
                s: Symbol(f"{prefix}{index}", **{"integer" if s.is_integer else "real": True})
                for index, s in enumerate(symbols_in_order([*lines, *given]))
            }
            moved = tuple(changed(line, names) for line in lines)
            ways.append((str(moved), lines[0] is first, moved, names))
        _, straight, (left, right), names = min(ways, key=lambda way: way[0])
        moved_given = tuple(changed(tree, names) for tree in given)
        pair = _Pair(left, right, moved_given, self.seed, self.deadline, implies, self.quick)
        found = pair.decided()
        back = {new.name: old for old, new in names.items()}
        point = found.point
        if point is not None:
            point = {back[s.name]: _renamed(v, back[s.name]) for s, v in point.items()}
        name = re.compile(rf"\b{prefix}\d+\b")
        called = {new: old.name for new, old in back.items()}
        reason = name.sub(lambda m: called.get(m.group(), m.group()), found.reason)
        values = found.sides if straight else found.sides[::-1]
        return replace(found, point=point, lost=found.lost is straight, reason=reason, sides=values)

    def _pair(self, first: Content, second: Content, implies: bool) -> _Pair:
        given = self._connected(first, second)
        return _Pair(first, second, given, self.seed, self.deadline, implies, self.quick)

    def _connected(self, first: Content, second: Content) -> tuple[Tree, ...]:
        """Return the conditions on the symbols of the lines, directly or through other symbols."""
        needed = set(symbols_in_order([first, second]))
        trees = [(tree, set(tree.free_symbols)) for tree in self.given]
        for _ in trees:  # each round reaches further symbols
            needed = needed.union(*(free for _, free in trees if free & needed))
        return tuple(tree for tree, free in trees if not free or free & needed)


def _renamed(value: Any, symbol: Symbol) -> Any:
    """Give a root the name of its own variable."""
    if isinstance(value, Root):
        return replace(value, name=symbol.name)
    if isinstance(value, IsolatedRoot):
        equation = value.equation.xreplace({value.variable: symbol})
        return IsolatedRoot(equation, symbol, value.low, value.high)
    return value


@dataclass
class _Pair:
    first: Content
    second: Content
    given: tuple[Tree, ...]
    seed: int
    deadline: Deadline
    implies: bool
    quick: bool
    agree: bool = False  # whether both lines are true at a point that was tried

    def __post_init__(self) -> None:
        self._sure: Callable[[Relation], bool] = cache(self._holds_everywhere)
        self.symbols = symbols_in_order([self.first, self.second, *self.given])
        self.sides = [*sides_of(self.first), *sides_of(self.second)]

    def decided(self) -> ComparisonResult:
        relation = isinstance(self.first, Tree)
        if relation != isinstance(self.second, Tree):
            note = "a relation and an expression: one has a truth, the other a value"
            return ComparisonResult(Verdict.REFUTED, method="form", note=note)
        for line, lost in ((self.first, False), (self.second, True)):
            if why := meaningless(line):
                return ComparisonResult(Verdict.REFUTED, "form", (ALGEBRA,), note=why, lost=lost)
        if self.first == self.second and self._meaningful():
            return IDENTITY
        for way in (self._in_cells, self._relations if relation else self._expressions):
            with where_readable():
                found = way()
                if found is not None:
                    return found
        return _left_open()

    def differs_at_a_point(self) -> bool:
        """Say whether the lines differ at a small point, or at one where a line alone is true."""
        slow = any(side.has(sympy.Integral, sympy.Sum, sympy.Product) for side in self.sides)
        points: Iterator[Point] = islice(self._small(), 8 if slow else 40)
        if isinstance(self.first, Tree) and len(self.symbols) == 1:
            back = replace(self, first=self.second, second=self.first, implies=False)
            points = chain(points, self.true_points(), back.true_points())
        return any(differ_at(self.first, self.second, point, self.implies) for point in points)

    def _meaningful(self) -> bool:
        """Say whether a line that is repeated is known to have a value somewhere."""
        try:
            return not isinstance(self.first, Expr) or not obligations(self.first)
        except NotUnderstood:
            return False

    # --- one variable ---------------------------------------------------------------------------------

    def _in_cells(self) -> ComparisonResult | None:
        if len(self.symbols) > 1:
            return None
        x = self.symbols[0] if self.symbols else None
        eliminator = Eliminator(sure=self._sure)
        base = conjunction([eliminator.truth(tree) for tree in self.given])
        if isinstance(self.first, Expr) and isinstance(self.second, Expr):
            truths = self._values(eliminator, self.first, self.second)
        else:
            truths = [eliminator.truth(line) for line in (self.first, self.second)]
        cells = [cell for cell in Line([base, *truths], x).cells() if cell.truths[0]]
        if not cells:
            raise DomainError("the conditions contradict each other")
        if not isinstance(self.first, Tree):
            return self._values_compared(cells)
        self._cross_checked(cells)
        wrong = []
        for cell in cells:
            _, first, second = cell.truths
            if first > second or (second > first and not self.implies):
                wrong.append(cell)
        return _in_one_of(wrong, lambda c: (_length(c), not c.truths[1]))

    def _values(self, eliminator: Eliminator, first: Expr, second: Expr) -> list[Tree]:
        """Return formulas: an expression is defined, the other one is, they have one value."""
        defined = [eliminator.defined(line) for line in (first, second)]
        both = conjunction(defined)
        if both == FALSE:
            return [*defined, FALSE]
        equal = eliminator.opened(evaluated(first) - evaluated(second), "==")
        return [*defined, conjunction([both, equal])]

    def _values_compared(self, cells: list[Cell]) -> ComparisonResult:
        """Compare expressions: truths are (given, first defined, second defined, equal)."""
        wrong = [
            c for c in cells if c.truths[1] != c.truths[2] or (c.truths[1] and not c.truths[3])
        ]
        if not any(c.truths[1] or c.truths[2] for c in cells):
            return replace(APART, point=cells[0].point, note="defined nowhere")
        # a point where both are defined and differ says more than a point without a value
        return _in_one_of(wrong, lambda c: (not (c.truths[1] and c.truths[2]), _length(c)))

    def _cross_checked(self, cells: list[Cell]) -> None:
        """Check that the cells and the lines as written agree; else the engine has a fault."""
        for cell in cells[:40]:
            for line, truth in zip((self.first, self.second), cell.truths[1:], strict=True):
                if holds(line, cell.point) not in (None, truth):
                    raise EngineError(f"cells say {truth} of {line} at {cell.point}")

    # --- several variables, and lines that cells do not read --------------------------------------

    def _relations(self) -> ComparisonResult:
        formulas = self._formulas()
        ways = (True,) if self.implies else (True, False)
        shown = {forward: self._implication(formulas, forward) for forward in ways}
        if None not in shown.values():
            return SHOWN if SHOWN in shown.values() else IDENTITY
        for forward in () if self.quick else ways:
            a, b = (self.first, self.second) if forward else (self.second, self.first)
            point = None if shown[forward] else self._witness(a, b)
            if point is not None:
                note = undefined_at(b, point)
                return replace(AT_POINT, point=point, lost=forward, note=note)
        return _left_open("", Verdict.SUPPORTED if self.agree else Verdict.UNDECIDED)

    def _formulas(self) -> list[Formulas]:
        """Return the formulas of the lines, solved for logarithms and as they stand."""
        found: dict[Formulas, None] = {}
        for inverted in (True, False):
            eliminator = Eliminator(inverted, self._sure)
            with suppress(NotPlain, NotUnderstood):
                base = conjunction([eliminator.truth(tree) for tree in self.given])
                first, second = (eliminator.truth(line) for line in (self.first, self.second))
                found[base, first, second] = None
        return list(found)

    def _implication(self, formulas: list[Formulas], forward: bool) -> ComparisonResult | None:
        for base, first, second in formulas:
            before, after = (first, second) if forward else (second, first)
            if before in (FALSE, after) or after == TRUE:
                return IDENTITY
            if self._contradict([base, before, negation(after)]):
                return SHOWN
        return None

    def _contradict(self, formulas: list[Tree]) -> bool:
        joined = conjunction(formulas)
        return joined == FALSE or (joined != TRUE and self._certified(NEVER, (joined,)))

    def _certified(self, goal: Tree, given: Sequence[Tree]) -> bool:
        """Say whether a short search finds a certificate."""
        with attempt(self.deadline.part(NET)):
            task = make_task(goal, given, seed=self.seed)
            return certify(task, {}, *SHORT) is not None
        return False

    def true_points(self) -> Iterator[Point]:
        """Yield points where the first line is true, along one variable; single points first."""
        formulas = self._formulas()
        if not formulas:
            return
        for fixed in islice(self._fixed(), 4):
            for symbol in self.symbols:
                values = {s: v for s, v in fixed.items() if s != symbol}
                cells: list[Cell] = []
                with where_readable():
                    cells = self._cells_along(formulas[0], symbol, values)
                true = [cell for cell in cells if cell.truths[0] and cell.truths[1]]
                for cell in sorted(true, key=lambda c: (not c.single, _length(c)))[:2]:
                    yield {**values, symbol: cell.point[symbol]}

    def _fixed(self) -> Iterator[Point]:
        """Yield points of the conditions, then points at which nothing is special."""
        for domain in case_domains(self.symbols, self.given)[:2]:
            yield from islice(Sampler(domain, self.seed).simple(), 3)
        odd = (fmpq(3, 2), fmpq(-2), fmpq(5, 3), fmpq(7), fmpq(-1, 2))
        yield {s: odd[i % len(odd)] for i, s in enumerate(self.symbols) if not s.is_integer}
        yield {s: fmpq(-1) for s in self.symbols}

    def _cells_along(self, way: Formulas, symbol: Symbol, values: Point) -> list[Cell]:
        """Return the cells of one variable, where the other variables are fixed."""
        numbers = {s: as_sympy(v) for s, v in values.items()}
        if len(numbers) + 1 < len(self.symbols) or None in numbers.values():
            return []
        moved = [put_in(f, lambda e: e.xreplace(numbers)) for f in way]
        return [] if moved[0] == FALSE else Line(moved, symbol).cells()

    def _witness(self, a: Any, b: Any) -> Point | None:
        """Find an exact point where the conditions and `a` hold, and `b` does not."""
        along = replace(self, first=a, second=b).true_points()
        for point in chain(self._angles(), self._small(), along, self._points(a)):
            if self.deadline.passed:
                return None
            there = holds(b, point)
            if there is False and self._separates(point, a):
                return point
            self.agree = self.agree or (there is True and holds(a, point) is True)
        return None

    def _angles(self) -> Iterator[Point]:
        """Yield multiples of pi/12, if the only variable stands in a sine, cosine or tangent."""
        if len(self.symbols) == 1 and self._has_angles():
            for k in sorted(range(-36, 37), key=lambda k: (abs(k), k < 0)):
                yield {self.symbols[0]: as_coordinate(sympy.pi * k / 12)}

    def _separates(self, point: Point, a: Tree) -> bool:
        if not all(isinstance(value, (fmpq, ClosedForm)) for value in point.values()):
            return True  # at such a root the conditions and `a` hold
        if not all(is_whole(value) for symbol, value in point.items() if symbol.is_integer):
            return False
        return all(holds(tree, point) is True for tree in (*self.given, a))

    def _points(self, a: Tree) -> Iterator[Point]:
        """Yield exact points where the conditions and a line hold, case by case."""
        more = [need for side in sides_of(a) for need in _needed(side)]
        try:
            domains = case_domains(self.symbols, [*self.given, a, *more])
        except DomainError:
            return
        yield from self._drawn(domains)

    # --- expressions -------------------------------------------------------------------------------------

    def _expressions(self) -> ComparisonResult | None:
        first, second = self.first, self.second
        assert isinstance(first, Expr)
        assert isinstance(second, Expr)
        try:
            same = self._same_domain(first, second)
        except (NotUnderstood, NotPlain):
            return self._integrals(first, second)
        if same and self._equal(first, second):
            return IDENTITY
        if self.quick:
            return _left_open()
        point = self._difference(first, second)
        if point is not None:
            return replace(AT_POINT, point=point, lost=not undefined_at(first, point))
        # the search of a line takes for granted that a side is defined, and not what that needs
        needs = [_needed(line) for line in (first, second)]
        if needs[0] and self._certified(NEVER, [*self.given, *needs[0]]):
            note = "the line before is defined nowhere"
            return ComparisonResult(Verdict.REFUTED, "form", (ALGEBRA, METHOD), note=note)
        goal = Relation(first, "==", second)
        if all(self._certified(goal, [*self.given, *n]) for n in (needs[:1] if same else needs)):
            return SHOWN
        values = not same and self._equal(first, second)
        return _left_open("not shown to be defined at the same points" if values else "")

    def _integrals(self, first: Expr, second: Expr) -> ComparisonResult:
        """Compare sums, integrals, binomials: points and a short search decide about their values."""
        seconds = self.deadline.part(NET)
        if self.quick or seconds < 0.05:
            return _left_open("the time was used up" if seconds < 0.05 else "")
        statement = ForAll(Relation(first, "==", second))
        try:
            task = make_task(statement, self.given, seed=self.seed, time_limit=seconds)
            evidence = glanced(task, *ASKED, seconds)
        except DomainError as error:
            return _left_open(str(error))
        if evidence.verdict is Verdict.SUPPORTED and self._equal(first, second):
            return IDENTITY
        if evidence.verdict is Verdict.PROVED:
            return ComparisonResult(Verdict.PROVED, evidence.method, evidence.trusted)
        found = evidence.counterexample
        if evidence.verdict is Verdict.REFUTED and found is not None and not found.note:
            with suppress(ValueError):  # a number that is not rational
                named = {name: Fraction(value).as_integer_ratio() for name, value in found.point}
                point: Point = {s: fmpq(*named.get(s.name, (0, 1))) for s in self.symbols}
                apart = ComparisonResult(Verdict.REFUTED, evidence.method, evidence.trusted, point)
                return replace(apart, sides=(found.lhs, found.rhs))
        return _left_open(evidence.reason)

    def _same_domain(self, first: Expr, second: Expr) -> bool:
        needs = [frozenset(obligations(line)) for line in (first, second)]
        terms = [inexact_terms(line) for line in (first, second)]
        alike = terms[0] == terms[1]
        if alike and needs[0] == needs[1]:
            return True
        eliminator = Eliminator(inverted=False, sure=self._sure)
        base = conjunction([eliminator.truth(tree) for tree in self.given])
        # the same terms have the same unknown conditions, so these are left out
        a, b = (eliminator.defined(line, inexact=not alike) for line in (first, second))
        return a == b or (
            self._contradict([base, a, negation(b)]) and self._contradict([base, b, negation(a)])
        )

    def _holds_everywhere(self, relation: Relation) -> bool:
        """Say whether a relation is shown to hold wherever the conditions hold."""
        return any(relation in tree.conjuncts() for tree in self.given) or all(
            Known(domain).holds(relation) for domain in case_domains(self.symbols, self.given)
        )

    def _equal(self, first: Expr, second: Expr) -> bool:
        """Say whether the difference is zero wherever both expressions are defined."""
        given = [*self.given, *_needed(first), *_needed(second)]
        if all(Known(domain).equal(first, second) for domain in case_domains(self.symbols, given)):
            return True
        # the angles in sines and cosines are not in the normal form; a tactic knows them
        return self._has_angles() and self._certified(Relation(first, "==", second), given)

    def _has_angles(self) -> bool:
        return any(side.has(sympy.sin, sympy.cos, sympy.tan) for side in self.sides)

    def _difference(self, first: Expr, second: Expr) -> Point | None:
        """Find an exact point where the expressions differ, or only one of them is defined."""
        best: Point | None = None
        for point in chain(self._small(), self._drawn(case_domains(self.symbols, self.given))):
            if self.deadline.passed:
                return best
            if differ_at(first, second, point):
                if not any(undefined_at(line, point) for line in (first, second)):
                    return point
                best = best or point
        return best

    def _small(self) -> Iterator[Point]:
        """Yield points of the conditions whose coordinates are all small."""
        if not 0 < len(self.symbols) <= 5:
            return
        numbers = [fmpq(n) for n in (1, 2, -1, 3, -2, 0)] + [fmpq(1, 2), fmpq(-1, 2)]
        choices = [[n for n in numbers if n.q == 1 or not s.is_integer] for s in self.symbols]
        every = islice(product(*(range(len(c)) for c in choices)), 5000)
        ranks = sorted(every, key=lambda rank: (sum(rank), rank))
        small = ([c[i] for c, i in zip(choices, rank, strict=True)] for rank in ranks[:_SMALL])
        zeros = product(map(fmpq, (0, 1, -1)), repeat=len(self.symbols))  # all, with zeros
        for values in chain(small, zeros):
            point: Point = dict(zip(self.symbols, values, strict=True))
            if all(holds(tree, point) is True for tree in self.given):
                yield point

    def _drawn(self, domains: Sequence[Domain]) -> Iterator[Point]:
        """Yield simple points of some domains, and drawn points made exact."""
        for sampler in (Sampler(domain, self.seed) for domain in domains[:8]):
            yield from sampler.simple(40)
            yield from sampler.drawn(200, _POINTS, (0.1, 1e-6))


# --- small things -----------------------------------------------------------------------------------------


def _needed(side: Expr) -> list[Tree]:
    """Return the conditions that hold wherever an expression has a value, as one assumption."""
    needed = tuple(one.relation for one in plain_needs(side))
    return [thing_or_both(needed)] if needed else []


def _in_one_of(wrong: Sequence[Cell], order: Callable[[Cell], Any]) -> ComparisonResult:
    """Compare lines by the cells where they differ: the first cell, or equivalent without any."""
    if not wrong:
        return BY_CELLS
    cell = min(wrong, key=order)
    return replace(APART, point=cell.point, lost=cell.truths[1], isolated=cell.single)


def _length(cell: Cell) -> tuple[bool, int, bool]:
    texts = [short(v) for v in cell.point.values()]
    rational = all(isinstance(v, fmpq) for v in cell.point.values())
    return (not rational, sum(map(len, texts)), any("-" in t for t in texts))


def shown(finding: ComparisonResult, first: Content, second: Content) -> Counterexample:
    """Write a difference as a counterexample."""
    point = finding.point or {}
    where = tuple((s.name, short(v)) for s, v in sorted(point.items(), key=lambda p: p[0].name))
    if finding.point is None or (finding.note and not where):
        return Counterexample(where, note=finding.note)
    if finding.sides:
        return Counterexample(where, finding.sides[0], "=", finding.sides[1])
    op = "="
    if first == TRUE and isinstance(second, Relation):  # a bound of the line before
        first, op, second = second.lhs, second.sign, second.rhs
    if isinstance(first, Expr) and isinstance(second, Expr):
        whys = [undefined_at(line, point) for line in (first, second)]
        left, right = (
            f"undefined ({why})" if why else _digits(line, point)
            for line, why in zip((first, second), whys, strict=True)
        )
        if any(whys):
            return Counterexample(where, note=f"the line before is {left}, this line is {right}")
        return Counterexample(where, left, op, right)
    lines = [("the line before", first), ("this line", second)]
    (true, _), (false, fails) = lines if finding.lost else lines[::-1]
    why = undefined_at(fails, point)
    note = f"{true} is true there, {false} is false" + (f" ({why})" if why else "")
    return Counterexample(where, note=note)


def _digits(e: Expr, point: Point) -> str:
    value = known_at(e, point)
    if value.exact is not None:
        return short(value.exact)
    return "?" if value.ball is None else digits_of(value.ball, 8)
