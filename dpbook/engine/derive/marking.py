"""Mark the lines of a derivation one after the other, in a worker.

A line is first given to the kernel's search, with few goals; a comparison of both lines, and then a
longer search, decide the others. An expression that equals the line before wherever both are
defined is right, and the worker says where both are defined. A wrong line gets a hint if one single
fault explains it: a root lost or won, a condition that is not stated, or a fault such as the
mutation engine plants. A hint is given only after the corrected step has been proved.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import islice, pairwise, product
from typing import Any, TypeVar

import sympy
from sympy import Add, Expr, Integer, Mul, Pow, Rational, S

from dpbook.engine.derive.comparison import (
    Comparison,
    ComparisonResult,
    Content,
    changed,
    differ_at,
    holds,
    meaningless,
    shown,
    sides_of,
    symbols_in_order,
    undefined_at,
)
from dpbook.engine.derive.elimination import FALSE, TRUE
from dpbook.engine.derive.reasons import FEW, GOALS, MORE, LineSearch, sequents_of
from dpbook.engine.evaluate.sampler import Point, Sampler
from dpbook.engine.language.budget import Deadline, attempt
from dpbook.engine.language.definedness import NotUnderstood, Obligation, obligations
from dpbook.engine.language.domain import DomainError, case_domains
from dpbook.engine.language.statement import SWAPPED, Both, Either, Relation, Tree, evaluated, typed
from dpbook.engine.language.verdict import Counterexample, Evidence, Verdict, weakest
from dpbook.engine.prove.proofs import METHOD
from dpbook.engine.prove.tactics.core import Exhausted
from dpbook.kernel import Sequent

# Nets, in seconds of work: what ends a step are numbers of points, goals, candidates and comparisons.
STEP_SECONDS, SEARCH_SECONDS = 10.0, 20.0
MOST_CANDIDATES = 60
MOST_COMPARISONS = 12  # for hints to all wrong lines of a derivation

T = TypeVar("T")
Searched = Callable[[tuple[Tree, ...]], dict[str, Any]]  # certificates under further conditions


@dataclass(frozen=True)
class Lines:
    """Hold the lines of a derivation, as a task for a worker.

    Attributes
    ----------
    lines : tuple of expressions and trees
    marks : tuple of str
        "implied" if a line only follows from the line before; "continues" if it is written as
        ``= c`` after ``a = b``, so that b and c are compared; a sign such as "<=" if the line
        bounds the line before; else "".
    given : tuple of trees
    only : int or None
        The index of the only line to mark; None for all lines.
    searched : bool
        Whether certificates are searched for.
    """

    lines: tuple[Content, ...]
    marks: tuple[str, ...]
    given: tuple[Tree, ...] = ()
    seed: int = 0
    time_limit: float = 20.0
    only: int | None = None
    searched: bool = True
    proof: tuple[()] = ()

    def run(self) -> Evidence:
        """Mark the lines; the evidence has a part for each line."""
        return _marked(self)

    def pair(self, index: int) -> tuple[Content, Content, bool]:
        """Return the two lines to compare, and whether the second only has to follow."""
        before, line, mark = self.lines[index - 1], self.lines[index], self.marks[index]
        if mark == "continues" and isinstance(before, Relation) and isinstance(line, Relation):
            return before.rhs, line.rhs, False
        if mark in SWAPPED and isinstance(line, Expr):
            start = before.rhs if isinstance(before, Relation) else before
            return TRUE, Relation(start, mark, line), True
        return before, line, mark == "implied"


@dataclass(frozen=True)
class Marked(Evidence):
    """Hold the evidence for a line, or for all lines, with the results of marking.

    Attributes
    ----------
    hint : str
        For a wrong line: the fault that was probably made.
    conditions : tuple of trees
        The conditions that both sides need to have a value, beyond the given ones: the line is
        right under them.
    gaps : bool
        For an expression: whether it is not shown that both sides have a value wherever the
        conditions hold. At points without a value the line says nothing.
    why : Reason or None
        The reason why the line is right: steps that the kernel has checked, or the tactic that
        alone shows it.
    """

    hint: str = ""
    conditions: tuple[Tree, ...] = ()
    gaps: bool = False
    why: Any = None

    @classmethod
    def of(cls, evidence: Evidence, **more: Any) -> Marked:
        """Make marked evidence from evidence and the results of marking."""
        own = {one.name: getattr(evidence, one.name) for one in fields(evidence)}
        return cls(**{**own, **more})


def _marked(task: Lines) -> Marked:
    """Mark all lines, and then search longer for certificates of the lines that have none."""
    deadline, comparisons = Deadline.after(task.time_limit), iter(range(MOST_COMPARISONS))
    # each part of the conditions may raise that they contradict each other
    found = [_has_point(part, task.seed) for part in _connected_parts(task.given)]
    chosen = range(len(task.lines)) if task.only is None else [task.only]
    lines = [_Line(task, index, deadline, comparisons) for index in chosen]
    parts = []
    for line in lines:
        started = time.perf_counter()
        parts.append(replace(line.marked(), seconds=time.perf_counter() - started))
    parts = [line.certified(part) for line, part in zip(lines, parts, strict=True)]
    if not all(found):
        why = "no point of the conditions was found, so a proof might be vacuous"
        open_: dict[str, Any] = {"verdict": Verdict.UNDECIDED, "reason": why, "certificate": {}}
        parts = [replace(p, **open_) if p.verdict is Verdict.PROVED else p for p in parts]
    weak = weakest(tuple(parts))
    return Marked(weak.verdict, method="derivation", parts=tuple(parts))


class _Line:
    """Mark one line; `comparisons` counts the comparisons that are left for hints to all lines."""

    def __init__(
        self, task: Lines, index: int, deadline: Deadline, comparisons: Iterator[int]
    ) -> None:
        self.task, self.index, self.deadline, self.comparisons = task, index, deadline, comparisons
        self.before, self.line, self.implied = task.pair(index)  # not used for the first line
        both = isinstance(self.before, Expr) and isinstance(self.line, Expr)
        self.sides: tuple[Any, ...] = (self.before, self.line) if both else ()  # two expressions
        self.searches: dict[tuple[Tree, ...], LineSearch] = {}

    def marked(self) -> Evidence:
        if self.index == 0:
            return self._start(self.task.lines[0])
        pair = self.before, self.line, self.implied
        if self.deadline.left < 0.02:
            return Evidence(Verdict.UNDECIDED, reason="the time was used up")
        wrong = self._in_time(lambda d: self._comparison(d).seems_wrong(*pair), False)
        shown = None if wrong else self._by_search(FEW)
        if shown is not None:
            return shown
        late = f"no decision within {self.deadline.part(STEP_SECONDS):.3g} s"
        finding = self._in_time(
            lambda d: self._comparison(d).compare(*pair),
            ComparisonResult(Verdict.UNDECIDED, reason=late),
        )
        evidence = _evidence(finding, self.before, self.line)
        if finding.verdict is Verdict.PROVED:
            conditions = self._only_where()
            certificate = self._found(conditions, GOALS) if conditions else {}
            proved = _by_certificate(certificate) if certificate else Marked.of(evidence)
            return self._said(replace(proved, conditions=conditions))
        apart = _apart(finding, self.before, self.line)
        shown = None if wrong or apart else self._by_search(GOALS)
        if shown is not None:
            return shown
        nowhere = finding.point is None and finding.verdict is Verdict.REFUTED
        where = None if nowhere or apart else self._where_both_are_defined()
        if where is not None:
            return self._said(where)
        hint = self._in_time(lambda d: Explainer(self, finding, d).hint(), "")
        return self._said(Marked.of(evidence, hint=hint))

    def _comparison(self, deadline: Deadline) -> Comparison:
        return Comparison(self.task.given, self.task.seed, deadline)

    def _in_time(self, work: Callable[[Deadline], T], otherwise: T) -> T:
        """Return the result of some work in the time for a step; `otherwise` where it has none."""
        seconds = self.deadline.part(STEP_SECONDS)
        if seconds <= 0.05:
            return otherwise
        with attempt(seconds + 0.5):
            return work(Deadline.after(seconds))
        return otherwise

    # --- certificates -----------------------------------------------------------------------------

    def _found(self, conditions: tuple[Tree, ...], goals: int) -> dict[str, Any]:
        """Search for certificates of a line, under further conditions; empty if none is found."""
        if not self.task.searched:
            return {}
        if conditions not in self.searches:
            self.searches[conditions] = LineSearch(ways_of(self.task, self.index, conditions))
        return self.searches[conditions].certificate(goals, self.deadline.part(SEARCH_SECONDS))

    def _by_search(self, goals: int) -> Marked | None:
        """Return evidence of a line that the kernel's search shows, and that says something."""
        certificate = self._found((), goals)
        if certificate and self._somewhere(certificate):
            return self._said(_by_certificate(certificate))
        return None

    def certified(self, part: Evidence) -> Evidence:
        """Search longer for a certificate of a line that is not refuted and has none."""
        if self.index == 0 or part.verdict is Verdict.REFUTED or part.certificate:
            return part
        marked = Marked.of(part)
        certificate = self._found(marked.conditions, MORE)
        if not certificate:
            return part
        proved = _by_certificate(certificate, marked.conditions)
        if part.verdict is Verdict.PROVED:
            return replace(proved, gaps=marked.gaps and not _everywhere(certificate))
        return self._said(proved) if self._somewhere(certificate) else part

    def _somewhere(self, certificate: Mapping[str, Any]) -> bool:
        """Say whether lines that have a certificate say something, around some point."""
        if _everywhere(certificate) or not self.sides:
            return True
        return self._in_time(lambda _: _open(self.task, _needs(*self.sides), *self.sides), False)

    def _said(self, marked: Marked) -> Marked:
        """Add to a line whether a side may lack a value at some points of the conditions."""
        if marked.verdict is Verdict.REFUTED or _everywhere(marked.certificate) or not self.sides:
            return marked
        given, seed = (*self.task.given, *marked.conditions), self.task.seed
        everywhere = self._in_time(
            lambda d: all(_always_defined(side, given, seed, d) for side in self.sides), False
        )
        return replace(marked, gaps=not everywhere)

    def _only_where(self) -> tuple[Tree, ...]:
        """Return the equations that follow from the conditions for a value, if there are any.

        ``sqrt(x) * sqrt(-x)`` needs ``x >= 0`` and ``-x >= 0``, which is ``x = 0``.
        """
        if not self.sides or self.deadline.left < 0.02:
            return ()

        def equations(deadline: Deadline) -> tuple[Tree, ...]:
            needs = _needs(*self.sides)
            edges = [n for n in needs if isinstance(n, Relation) and n.op in ("<=", ">=")]
            if len(edges) < 2 or _open(self.task, needs, *self.sides):
                return ()
            asked = self._comparison(deadline)
            ends = dict.fromkeys(_tidied(replace(edge, op="==")) for edge in edges)
            found: list[Tree] = []
            for one in sorted(ends, key=lambda end: len(str(end))):
                known = found and asked.follows(Both(tuple(found)), one)
                if not known and asked.follows(Both(needs), one):
                    found.append(one)
            return tuple(found)

        return self._in_time(equations, ())

    def _where_both_are_defined(self) -> Marked | None:
        """Return evidence that two expressions are equal where both are defined, with conditions.

        The conditions are all conditions that both lines need to have a value, so they leave out
        no point where both have one. Both must have a value around some point, and not only where
        an equation holds (a sum up to x needs an integer x): many unrelated lines agree at single
        points.
        """
        if not self.sides or self.deadline.left < 0.02:
            return None
        search = partial(self._found, goals=GOALS)
        return self._in_time(
            lambda d: _Equality(self.task, d, search, *self.sides).narrowed(), None
        )

    def _start(self, line: Content) -> Evidence:
        method, why = "form", meaningless(line)
        if not why and isinstance(line, Expr) and self._comparison(self.deadline).nowhere(line):
            method, why = "cells", "no real number anywhere"
        if not why:
            return Evidence(Verdict.PROVED, method="start")
        return Evidence(Verdict.REFUTED, method, counterexample=Counterexample((), note=why))


def _apart(finding: ComparisonResult, before: Content, line: Content) -> bool:
    """Say whether a point tells two lines apart: there both expressions have a value."""
    point = finding.point
    return point is not None and not any(
        isinstance(side, Expr) and undefined_at(side, point) for side in (before, line)
    )


def _everywhere(certificate: Mapping[str, Any]) -> bool:
    """Say whether a certificate of an equality shows that both sides have a value everywhere."""
    return certificate.get("way") == 0


def _by_certificate(certificate: dict[str, Any], conditions: tuple[Tree, ...] = ()) -> Marked:
    """Return evidence of a right line that has certificates; the parent has the kernel check them."""
    shown = Evidence(Verdict.PROVED, METHOD, trusted=(METHOD,), certificate=certificate)
    return Marked.of(shown, conditions=conditions)


def under(task: Lines, conditions: Sequence[Tree]) -> Lines:
    """Put lines under further conditions; a symbol that must be an integer becomes an integer."""
    changes = integers_for(conditions)
    given = [*task.given, *(one for one in conditions if whole_number(one) is None)]
    return replace(
        task,
        lines=tuple(changed(line, changes) for line in task.lines),
        given=tuple(changed(tree, changes) for tree in given),
    )


def ways_of(task: Lines, index: int, conditions: Sequence[Tree]) -> tuple[tuple[Sequent, ...], ...]:
    """Return the ways to show a line under further conditions; see `sequents_of`."""
    moved = under(task, conditions)
    return sequents_of(*moved.pair(index), moved.given)


@dataclass(frozen=True)
class _Equality:
    """Hold two expressions that are compared under the conditions that they need for a value."""

    task: Lines
    deadline: Deadline
    search: Searched
    before: Expr
    line: Expr

    def narrowed(self) -> Marked | None:
        """Return evidence that the expressions are equal under the conditions that they need."""
        task, needs = self.task, _needs(self.before, self.line)
        whole = [need for need in needs if whole_number(need) is not None]
        if whole:
            return self._among_integers(whole)
        if not needs or not _open(task, needs, self.before, self.line):
            return None
        asked = Comparison(task.given, task.seed, self.deadline, quick=True)
        kept = list(needs)
        for need in sorted(needs, key=lambda one: len(str(one)), reverse=True):
            others = [one for one in kept if one is not need]
            if asked.follows(Both(tuple(others)), need):
                kept = others
        for conditions in dict.fromkeys((_joined(kept), needs)):
            thin = any(r.op == "==" for tree in conditions for r in tree.relations())
            found = None if thin or self.deadline.passed else self._under(conditions)
            if found is not None:
                return found
        return None

    def _under(self, conditions: tuple[Tree, ...]) -> Marked | None:
        """Return evidence that the expressions are equal under further conditions."""
        if certificate := self.search(conditions):
            return _by_certificate(certificate, conditions)
        comparison = Comparison((*self.task.given, *conditions), self.task.seed, self.deadline)
        finding = comparison.compare(self.before, self.line)
        if finding.verdict is Verdict.PROVED:
            return Marked.of(_evidence(finding, self.before, self.line), conditions=conditions)
        return None

    def _among_integers(self, whole: list[Tree]) -> Marked | None:
        """Return evidence that the expressions are equal, if they need integers for a value."""
        changes = integers_for(whole)
        task = replace(self.task, given=tuple(changed(tree, changes) for tree in self.task.given))
        first, second = changed(self.before, changes), changed(self.line, changes)
        if not _open(task, _needs(first, second), first, second):
            return None
        back = {new: old for old, new in changes.items()}

        def of_reals(conditions: Sequence[Tree]) -> tuple[Any, ...]:
            return (*whole, *(changed(one, back) for one in conditions))

        def search(conditions: tuple[Tree, ...]) -> dict[str, Any]:
            return self.search(of_reals(conditions))

        moved = _Equality(task, self.deadline, search, first, second)
        found = moved._under(()) or moved.narrowed()
        return None if found is None else replace(found, conditions=of_reals(found.conditions))


def _joined(needs: Sequence[Tree]) -> tuple[Tree, ...]:
    """Replace ``x >= 0`` and ``x != 0`` by ``x > 0``."""
    found: dict[Tree, None] = {}
    for need in needs:
        if isinstance(need, Relation):
            if need.op == "!=" and any(replace(need, op=op) in needs for op in ("<=", ">=")):
                continue
            if replace(need, op="!=") in needs:
                need = _strict(need)
        found[need] = None
    return tuple(found)


def _strict(need: Tree) -> Tree:
    """Leave the edge of a condition out."""
    if isinstance(need, Relation) and need.op in ("<=", ">="):
        return replace(need, op=need.op.rstrip("="))
    return need


def whole_number(need: Tree) -> sympy.Symbol | None:
    """Return the symbol n of a condition ``floor(n) = n``, which makes n an integer."""
    if not isinstance(need, Relation) or need.op != "==" or not need.rhs.is_Symbol:
        return None
    same = isinstance(need.lhs, sympy.floor) and need.lhs.args == (need.rhs,)
    return need.rhs if same else None


def integers_for(conditions: Sequence[Tree]) -> dict[sympy.Symbol, sympy.Symbol]:
    """Return an integer symbol for each symbol that the conditions make an integer."""
    found = (whole_number(one) for one in conditions)
    return {s: sympy.Symbol(s.name, integer=True) for s in found if s is not None}


def _always_defined(side: Expr, given: Sequence[Tree], seed: int, deadline: Deadline) -> bool:
    """Say whether an expression is shown to have a value wherever conditions hold."""
    changes = integers_for(given)
    given = [changed(tree, changes) for tree in given if whole_number(tree) is None]
    for need in obligations(changed(side, changes)):
        bounds = [r for v, bound in need.variables for r in bound.relations(v)]
        comparison = Comparison((*given, *bounds, *need.conditions), seed, deadline, quick=True)
        if not comparison.follows(TRUE, need.relation):
            return False
    return True


def _needs(*sides: Expr) -> tuple[Tree, ...]:
    """Return the conditions that lines need to have a value; without them they have none."""
    plain = [
        one
        for side in sides
        for one in obligations(side)
        if one.exact and not (one.variables or one.conditions) and one.relation.free_symbols
    ]
    return tuple(dict.fromkeys(tree for one in plain for tree in _factors(_read(one))))


def _factors(need: Tree) -> list[Tree]:
    """Split a condition that a fraction is not 0 into conditions for the factors of its numerator.

    Other conditions say that its denominators are not 0.
    """
    if not isinstance(need, Relation) or whole_number(need) is not None:
        return [need]
    if need.rhs.free_symbols and need.op != "==":  # the ends of a sum: 1 <= n + 1 is n >= 0
        difference = sympy.expand(need.map(evaluated).difference)
        moved = _tidied(Relation(difference, need.op, S.Zero))
        return [moved if moved.rhs != 0 or moved.lhs.is_Symbol else need]
    if need.op != "!=" or need.rhs != 0:
        return [need]
    left = evaluated(need.lhs)
    if not left.is_rational_function(*left.free_symbols) or sympy.count_ops(left) > 60:
        return [need]
    top, _ = sympy.fraction(sympy.together(left))
    number, rest = top.as_independent(*top.free_symbols, as_Add=False)
    if number.is_zero is not False:
        return [need]
    try:
        factors = sympy.factor_list(rest)[1] if rest.free_symbols else []
    except sympy.PolynomialError:  # coefficients that SymPy cannot write over one field
        return [need]
    return [_tidied(Relation(factor, "!=", S.Zero)) for factor, _ in factors]


def _read(need: Obligation) -> Tree:
    """Return a condition in a form that is easy to read."""
    left = need.relation.lhs
    if need.why == "power" and isinstance(left, sympy.Max) and len(left.args) == 2:
        for size, above in (left.args, left.args[::-1]):
            if isinstance(size, sympy.Abs):  # Max(|b|, e + 1) > 0 with an integer e
                base = Relation(size.args[0], "!=", S.Zero)
                return Either((base, Relation(sympy.expand(above - 1), ">=", S.Zero)))
    return _tidied(need.relation)


def _open(task: Lines, needs: tuple[Tree, ...], *lines: Expr) -> bool:
    """Say whether lines are defined at a point, and around it as far as the conditions go."""
    return _defined_somewhere([*task.given, *map(_strict, needs)], lines, task.seed)


def _defined_somewhere(trees: Sequence[Tree], lines: Sequence[Content], seed: int) -> bool:
    points = _simple_points(trees, lines, seed)
    return any(not any(undefined_at(one, point) for one in lines) for point in points)


def _simple_points(trees: Sequence[Tree], lines: Sequence[Content], seed: int) -> Iterator[Point]:
    """Yield points of conditions, with values for all symbols of some lines."""
    for domain in case_domains(symbols_in_order([*trees, *lines]), trees):
        yield from Sampler(domain, seed).simple(12)


def _evidence(finding: ComparisonResult, before: Content, line: Content) -> Evidence:
    return Evidence(
        finding.verdict,
        method=finding.method,
        trusted=finding.trusted,
        counterexample=shown(finding, before, line) if finding.verdict is Verdict.REFUTED else None,
        reason=finding.reason,
    )


def _connected_parts(given: tuple[Tree, ...]) -> list[tuple[Tree, ...]]:
    """Sort conditions into groups that share no symbol."""
    groups: list[tuple[set[sympy.Symbol], tuple[Tree, ...]]] = []
    for tree in given:
        free = set(tree.free_symbols)
        trees: tuple[Tree, ...] = (tree,)
        for group in [g for g in groups if g[0] & free]:
            groups.remove(group)
            free, trees = free | group[0], (*group[1], *trees)
        groups.append((free, trees))
    return [trees for _, trees in groups]


def _has_point(given: tuple[Tree, ...], seed: int) -> bool:
    """Say whether a point of some conditions was found.

    Raises
    ------
    DomainError
        When they contradict each other.
    """
    tree: Tree = given[0] if len(given) == 1 else Both(given)
    for domain in case_domains(symbols_in_order(list(given)), given):
        if Sampler(domain, seed).some() is not None:
            return True
    found = Comparison((), seed, Deadline.after(STEP_SECONDS)).compare(tree, FALSE, implies=True)
    if found.verdict is Verdict.PROVED:
        raise DomainError("the conditions contradict each other: " + ", ".join(map(str, given)))
    return found.verdict is Verdict.REFUTED


# --- hints -------------------------------------------------------------------------------------------------


class Explainer:
    """Look for the single fault that explains a wrong line, by a number of comparisons at most."""

    def __init__(self, marked: _Line, finding: ComparisonResult, deadline: Deadline) -> None:
        self.comparisons = marked.comparisons
        self.before, self.line, self.implied = marked.before, marked.line, marked.implied
        self.given, self.seed = marked.task.given, marked.task.seed
        self.finding, self.deadline = finding, deadline
        self.bounds = self.before == TRUE  # the line does not have to follow from the line before

    def hint(self) -> str:
        """Return the hint, or "" if no single fault explains the line."""
        if isinstance(self.before, Tree) != isinstance(self.line, Tree):
            return ""
        tries = [self._fault, self._condition]
        if isinstance(self.line, Expr) or self.bounds:
            apart = _apart(self.finding, self.before, self.line)
            if self.finding.point is not None and not apart:  # a side is undefined there
                tries.reverse()
        elif any(r.op not in ("==", "!=") for r in self.line.relations()):
            tries = [self._connective, self._fault, self._one_way, self._condition, self._roots]
        else:
            tries = [self._connective, self._roots, self._fault, self._condition, self._one_way]
        with suppress(Exhausted):
            found = ("" if self.deadline.passed else way() for way in tries)
            return next(filter(None, found), "")
        return ""

    def _proved(self, line: Content, *more: Tree) -> bool:
        return self._shown(self.before, line, self.implied, *more)

    def _shown(self, before: Content, line: Content, implies: bool = True, *more: Tree) -> bool:
        if next(self.comparisons, None) is None:
            raise Exhausted
        comparison = Comparison((*self.given, *more), self.seed, self.deadline, quick=True)
        return comparison.compare(before, line, implies).verdict is Verdict.PROVED

    # --- relations ------------------------------------------------------------------------------------

    def _connective(self) -> str:
        line = self.line
        if isinstance(line, Both) and self._proved(Either(line.parts)):
            return "`and` for `or`: joined by `or` the line is right"
        if isinstance(line, Either) and self._proved(Both(line.parts)):
            return "`or` for `and`: joined by `and` the line is right"
        return ""

    def _roots(self) -> str:
        if not self.finding.point or not self.finding.isolated or len(self.finding.point) != 1:
            return ""
        ((symbol, value),) = self.finding.point.items()
        return self._one_direction(
            f"an extraneous root: {symbol} = {value} came in; "
            "the line only follows from the one before",
            f"a root is lost: {symbol} = {value}",
        )

    def _one_way(self) -> str:
        return self._one_direction(
            "the line follows from the one before, which does not follow from it: mark it as implied",
            "solutions are lost: the line before follows from this one, not the other way round",
        )

    def _one_direction(self, won: str, lost: str) -> str:
        """Return the first text if only this line follows, the second if only the line before does."""
        forward = not self.implied and self._shown(self.before, self.line)
        back = self._shown(self.line, self.before)
        return (lost if back else "") if self.finding.lost else (won if forward else "")

    # --- conditions --------------------------------------------------------------------------------------

    def _condition(self) -> str:
        for condition in self._conditions():
            if self.deadline.passed:
                return ""
            point = self.finding.point
            if point is not None and holds(condition, point) is True:
                continue  # the step fails there all the same
            if self._bearable(condition) and self._proved(self.line, condition):
                return f"a condition is not stated: the step holds where {condition}"
        return ""

    def _conditions(self) -> Iterator[Tree]:
        """Yield conditions that a student forgets: a denominator, an argument, a symbol's sign."""
        found: list[Tree] = []
        both = (self.before, self.line)
        for side in (side for line in both for side in sides_of(line)):
            with suppress(NotUnderstood):
                for one in obligations(side):
                    free = one.relation.free_symbols
                    # others are about the index of a sum
                    if free and free <= side.free_symbols and not (one.variables or one.conditions):
                        found.append(_tidied(one.relation))

        def signs(op: str, symbols: Sequence[sympy.Symbol]) -> Tree:
            return Both(tuple(Relation(symbol, op, S.Zero) for symbol in symbols))

        found = list(dict.fromkeys(found))
        if len(found) > 1:
            together = Both(tuple(found))
            found += [together, signs(">", symbols_in_order([together]))]
        symbols = symbols_in_order(both)[:4]
        found += [Relation(s, op, S.Zero) for op in ("!=", ">=", ">", "<=") for s in symbols]
        if len(symbols) > 1:
            found += [signs(op, symbols) for op in (">=", ">")]
        yield from dict.fromkeys(found)

    def _bearable(self, condition: Tree) -> bool:
        """Say whether a condition leaves points at which the lines say something."""
        if condition in self.given:
            return False
        if isinstance(condition, Relation) and replace(condition, op=">=") in self.given:
            return False  # it would leave an edge only
        trees, lines = [*self.given, condition], (self.before, self.line)
        if isinstance(self.before, Expr):
            return _defined_somewhere(trees, lines, self.seed)
        points = _simple_points([*trees, self.before], lines, self.seed)
        return any(all(holds(one, point) for one in lines) for point in points)

    # --- one fault of the mutation engine --------------------------------------------------------------

    def _fault(self) -> str:
        tests = self._tests()
        before = self.before
        if not isinstance(before, Expr) and not any(holds(before, point) for point in tests):
            return ""  # a line that is false everywhere is explained by every false line
        for kind, candidate in islice(self._candidates(), MOST_CANDIDATES + 1):
            if self.deadline.passed:
                return ""
            differs = any(differ_at(before, candidate, point, self.implied) for point in tests)
            if differs or not self._proved(candidate):
                continue
            # a line that should follow must not hold whatever the line before says
            if self.bounds or not self.implied or not self._shown(TRUE, candidate):
                return f"{kind}: {typed(candidate)} would be right"
        return ""

    def _tests(self) -> list[Point]:
        """Return a few points that sort out candidates before a proof is tried."""
        points = [] if self.finding.point is None else [self.finding.point]
        comparison = Comparison(self.given, self.seed, self.deadline)
        if not isinstance(self.before, Expr):
            points += comparison.solutions(self.before, 6)
        symbols = symbols_in_order([self.before, self.line, *self.given])
        for domain in case_domains(symbols, self.given)[:2]:
            points += list(Sampler(domain, self.seed).simple(5))
        return [p for p in points if set(p) >= set(symbols_in_order([self.before, self.line]))]

    def _candidates(self) -> Iterator[tuple[str, Content]]:
        """Yield the line with one fault taken back; the mutation engine has the same kinds."""
        line, left = self.line, None
        if self.bounds and isinstance(
            line, Relation
        ):  # its left side is the line before, and stays
            left = line.lhs
        with sympy.evaluate(False):  # not around a yield: it would stay off in the caller
            changes: Iterator[tuple[str, Any]] = (
                mended(line) if isinstance(line, Expr) else _mended_tree(line)
            )
            if left is not None:
                changes = (made for made in changes if made[1].lhs == left)
            made = list(islice(changes, 4 * MOST_CANDIDATES))
        seen = {str(line)}
        for kind, candidate in made:
            if str(candidate) not in seen:
                seen.add(str(candidate))
                yield _NAMES[kind], candidate


_NAMES = {
    "sign": "a sign",
    "factor": "a factor",
    "swapped": "two symbols are exchanged",
    "index": "an index is shifted",
    "strict": "strict or not",
    "turned": "the relation must turn",
    "power": "an exponent",
    "product": "a product for a sum",
    "sum": "a sum for a product",
}


def _tidied(relation: Relation) -> Relation:
    """Write a relation such as ``x - 1 != 0`` as ``x != 1``."""
    left = sympy.expand(relation.lhs.doit() if relation.lhs.is_polynomial() else relation.lhs)
    for symbol in sorted(left.free_symbols, key=str):
        slope = sympy.diff(left, symbol)
        if slope.is_Rational and slope != 0 and relation.rhs == 0:
            edge = sympy.expand(-(left - slope * symbol) / slope)
            op = relation.op if slope > 0 else SWAPPED[relation.op]
            if edge.is_Rational:
                return Relation(symbol, op, edge)
    return relation


def _mended_tree(tree: Tree) -> Iterator[tuple[str, Tree]]:
    if not isinstance(tree, Relation):
        for index, part in enumerate(tree.parts):
            for kind, new in _mended_tree(part):
                yield kind, type(tree)((*tree.parts[:index], new, *tree.parts[index + 1 :]))
        return
    if tree.op not in ("==", "!="):
        yield "turned", Relation(tree.lhs, SWAPPED[tree.op], tree.rhs)
        other = tree.op[0] if len(tree.op) == 2 else tree.op + "="
        yield "strict", Relation(tree.lhs, other, tree.rhs)
    yield from ((kind, replace(tree, rhs=side)) for kind, side in mended(tree.rhs))
    yield from ((kind, replace(tree, lhs=side)) for kind, side in mended(tree.lhs))


def mended(e: Expr) -> Iterator[tuple[str, Expr]]:
    """Take one fault back, at any place in an expression: outermost places first."""
    factors = {"sign": (S.NegativeOne,), "factor": (Integer(2), Rational(1, 2))}
    for kind, choices in factors.items() if e != 0 else ():
        yield from ((kind, _scaled(e, factor)) for factor in choices)
    for kind, choices in factors.items() if isinstance(e, Add) else ():
        for (index, term), factor in product(enumerate(e.args), choices):
            yield kind, Add(*e.args[:index], _scaled(term, factor), *e.args[index + 1 :])
    names = sorted(e.free_symbols, key=str)
    for n, step in product([s for s in names if s.is_integer][:2], (-1, 1)):
        yield "index", e.xreplace({n: Add(n, step)})
    for a, b in islice(pairwise(names), 3):
        if bool(a.is_integer) == bool(b.is_integer):
            yield "swapped", changed(e, {a: b, b: a})
    if isinstance(e, Pow) and e.exp.is_Integer and e.exp > 0:
        for exponent in (int(e.exp) + 1, int(e.exp) - 1):
            if exponent > 0:
                yield "power", Pow(e.base, Integer(exponent))
    if isinstance(e, (sympy.Sum, sympy.Product, sympy.Integral)):
        return
    if isinstance(e, (Add, Mul)) and len(e.args) == 2 and not any(a.is_Number for a in e.args):
        yield ("sum", Mul(*e.args)) if isinstance(e, Add) else ("product", Add(*e.args))
    for index, argument in enumerate(e.args):
        if isinstance(e, sympy.Function) and argument.is_Number and argument != 0:
            negated = _scaled(argument, S.NegativeOne)
            yield "sign", e.func(*e.args[:index], negated, *e.args[index + 1 :])
        if isinstance(argument, Expr) and not argument.is_Number:
            for kind, new in mended(argument):
                yield kind, e.func(*e.args[:index], new, *e.args[index + 1 :])


def _scaled(e: Expr, factor: Rational) -> Expr:
    if e.is_Rational:
        return _number(factor, e)
    if isinstance(e, Mul) and e.args[0].is_Rational:
        first = _number(factor, e.args[0])
        return Mul(*e.args[1:]) if first == 1 and len(e.args) > 1 else Mul(first, *e.args[1:])
    return Mul(factor, e)


def _number(a: Rational, b: Rational) -> Rational:
    with sympy.evaluate(True):
        return a * b
