"""Kinds of questions: a formula, a condition, a number, a point, a function; how each is decided."""

from __future__ import annotations

import contextlib
import copy
import html
import itertools
import math
import numbers
import random
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar

import sympy
from sympy import Expr, Rational, Symbol

from dpbook.engine.claims import catalog, record, topics
from dpbook.engine.claims import check as engine
from dpbook.engine.derive.derivation import Step, derive
from dpbook.engine.derive.reasons import Reason, reason_in
from dpbook.engine.evaluate.public import as_exact
from dpbook.engine.language.card import badge
from dpbook.engine.language.domain import Domain, DomainError, RangedSymbol, case_domains
from dpbook.engine.language.statement import (
    Both,
    Either,
    ForAll,
    Relation,
    Tree,
    as_tree,
    evaluated,
    latex,
    text,
    typed,
    unfold_definitions,
)
from dpbook.engine.language.task import Certified, Task, conditions_of, free_symbols, make_task
from dpbook.engine.language.verdict import LOOKS, Counterexample, Evidence, Verdict
from dpbook.engine.refute.search import verdict_at
from dpbook.engine.run import workers
from dpbook.teaching.answers import (
    Unreadable,
    as_condition,
    as_expression,
    as_number,
    as_point,
    refuse_restated,
)
from dpbook.teaching.apart import Apart, Ended, Late, Raised
from dpbook.teaching.plain import sent

ROUNDED = Rational(1, 10**9)  # a float that is as near to a number stands for the number
NOT_EXACT = "a decimal is not exact: write numbers as they are, such as log(2), sqrt(2) or 2/3"
NOTHING = "it returned None: is a `return` missing?"
TRIES = 60  # coordinates that are tried for a course, at most
SLIP_SECONDS = 4.0  # for each misconception that a wrong answer is compared with
END_SECONDS = 2.0  # for each end of a condition


class Mark(Enum):
    """Name the marks of an answer."""

    RIGHT = "right"
    WRONG = "wrong"
    OPEN = "not decided"

    def __str__(self) -> str:
        return self.value


_COLOURS = {
    mark: LOOKS[verdict].colour
    for mark, verdict in (
        (Mark.RIGHT, Verdict.PROVED),
        (Mark.WRONG, Verdict.REFUTED),
        (Mark.OPEN, Verdict.UNDECIDED),
    )
}


@dataclass(frozen=True)
class Reading:
    """An answer as it was read, to be compared with what was meant.

    Attributes
    ----------
    text, latex : str
        Empty for a function, which is taken as it is.
    """

    text: str = ""
    latex: str = ""

    def __bool__(self) -> bool:
        return bool(self.text)

    def __repr__(self) -> str:
        return f"read as {self.text}" if self else "taken as it is"

    def _repr_html_(self) -> str:
        if not self:
            return "<p>taken as it is</p>"
        maths = f"\\({html.escape(self.latex)}\\)"
        return f'<p>read as <span class="math notranslate nohighlight">{maths}</span></p>'


@dataclass(frozen=True)
class Outcome:
    """Hold the mark of an answer with its reasons; true only if the answer is right.

    Attributes
    ----------
    exercise : str
        The id.
    verdict : Mark
    message : str
        Why: where the answer fails, or what could not be read.
    hint : str
        For a misconception that has a name: what to look at again.
    evidence : Evidence or None
        Of the decision, where the engine took it.
    reading : Reading
        The answer as it was read, where it was text.
    held : pair of int
        Of an exercise in parts: how many parts are right, and how many there are.
    """

    exercise: str
    verdict: Mark
    message: str = ""
    hint: str = ""
    evidence: Evidence | None = field(default=None, compare=False, repr=False)
    reading: Reading = Reading()
    held: tuple[int, int] = (0, 1)

    def __bool__(self) -> bool:
        return self.verdict is Mark.RIGHT

    @property
    def share(self) -> Fraction:
        """The share of the points that a course gives for the answer."""
        return Fraction(1) if self.verdict is Mark.RIGHT else Fraction(*self.held)

    @property
    def reason(self) -> Reason | None:
        """Why a right answer is right: steps that the kernel checked, or the tactic that is trusted."""
        if self.verdict is not Mark.RIGHT or self.evidence is None:
            return None
        return reason_in(self.evidence)

    def __repr__(self) -> str:
        lines = [repr(self.reading)] if self.reading else []
        lines.append(
            f"{self.verdict.value}: {self.message}" if self.message else self.verdict.value
        )
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        shown = badge(self.verdict.value, _COLOURS[self.verdict])
        said = html.escape(self.message).replace("\n", "<br>")
        rows = [self.reading._repr_html_()] if self.reading else []
        rows.append(f"<p>{shown} {said}</p>")
        if self.hint:
            rows.append(f"<p><em>Hint:</em> {html.escape(self.hint)}</p>")
        return "<div>" + "".join(rows) + "</div>"


# --- misconceptions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slip:
    """A misconception: the answer that it leads to, and its own hint.

    Attributes
    ----------
    answer : object, or a function
        As an answer would be given; of a point or a program a test of it.
    hint : str
    given : function
        Returns conditions under which the answer that it leads to is defined.
    outside : bool
        Of a point: whether the hint is also for points outside the domain of the statement.
    """

    answer: Any
    hint: str
    given: Callable[[], Sequence[Any]] = tuple
    outside: bool = False


# --- exercises ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Exercise(ABC):
    """A question whose answers are decided.

    Attributes
    ----------
    question : str
    hints : tuple of str
        The first helps least.
    slips : tuple of Slip
    time_limit : float
        Seconds of work for the decision; of a program, seconds of computing for all its calls.
    points : int
        What a right answer counts in a course.
    key : str
        The id, ``topic:label``; given by `exercise`.
    """

    asks: ClassVar[str] = "an answer"

    question: str
    hints: tuple[str, ...]
    slips: tuple[Slip, ...] = ()
    time_limit: float = 10.0
    points: int = 1
    key: str = ""

    @abstractmethod
    def judge(self, answer: Any) -> Outcome:
        """Decide an answer.

        Raises
        ------
        Unreadable
            When it is none.
        """

    def as_graded(self, seed: str) -> Exercise:
        """Return the exercise as a grader tries it: with inputs that are drawn from another seed."""
        return self

    def read(self, answer: Any) -> Reading:
        """Return an answer as it is read; empty where there is nothing to read.

        Raises
        ------
        Unreadable
            When it cannot be read.
        """
        return Reading()

    def said(self, verdict: Mark, message: str = "", hint: str = "", **rest: Any) -> Outcome:
        """Return the outcome for this exercise."""
        return Outcome(self.key, verdict, message, hint, **rest)

    def __repr__(self) -> str:
        return f"{self.key}: {self.question}"

    def _repr_html_(self) -> str:
        return f"<p><code>{self.key}</code> {html.escape(self.question)}</p>"


@dataclass(frozen=True, kw_only=True, repr=False)
class Formula(Exercise):
    """The answer is an expression, equal to the solution on the whole domain.

    Single points where the answer is not defined are a remark and no fault, as a cancelled factor
    leaves them.

    Attributes
    ----------
    solution : function
        Returns the expression: a claim's side, say. Called with evaluation off.
    symbols : function
        Returns the symbols that an answer may use, abbreviations among them.
    given : function
        Returns the conditions under which both are to be equal.
    functions : tuple of str, or None
        Names of SymPy functions that an answer may hold; None for all. An integral, a sum or a
        divergence left as it stands restates the question and is never an answer.
    """

    asks: ClassVar[str] = "a formula"

    solution: Callable[[], Any]
    symbols: Callable[[], Sequence[Symbol]]
    given: Callable[[], Sequence[Any]] = tuple
    functions: tuple[str, ...] | None = None

    def read(self, answer: Any) -> Reading:
        symbols = {symbol.name: symbol for symbol in self.symbols()}
        return _reading(as_expression(answer, symbols))

    def judge(self, answer: Any) -> Outcome:
        symbols = {symbol.name: symbol for symbol in self.symbols()}
        expression = as_expression(answer, symbols)
        refuse_restated(expression, self.functions)
        with sympy.evaluate(False):
            solution, given = sympy.sympify(self.solution()), list(self.given())
        found = _decide((expression, "==", solution), given, self.time_limit)
        if found.holds:
            return self.said(Mark.RIGHT, evidence=found)
        if found.verdict is not Verdict.REFUTED:
            return self.said(Mark.OPEN, _undecided(found, self.time_limit), evidence=found)
        step = _with_gaps(expression, solution, given, found, self.time_limit)
        if step is not None:
            message = "; ".join(step.remarks())
            return self.said(Mark.RIGHT, message, evidence=step.evidence)
        message = _difference(found, _names(expression, solution), expression, solution)
        if _inexact(answer) and _nearly(expression, solution, found.counterexample):
            message += f"; {NOT_EXACT}"
        for slip in self.slips:
            mistaken = as_expression(_called(slip.answer), symbols)
            if self._same(expression, mistaken, [*given, *_called(slip.given)]):
                return self.said(Mark.WRONG, message, slip.hint, evidence=found)
        return self.said(Mark.WRONG, message, evidence=found)

    def _same(self, expression: Expr, mistaken: Expr, given: list[Any]) -> bool:
        if evaluated(expression) == evaluated(mistaken):  # both may be undefined
            return True
        return _decide((expression, "==", mistaken), given, SLIP_SECONDS).holds


@dataclass(frozen=True, kw_only=True, repr=False)
class Condition(Exercise):
    """The answer is a condition that holds exactly where the solution does.

    Attributes
    ----------
    solution, symbols, given, functions
        As for a formula; the solution is a relation, or several.
    """

    asks: ClassVar[str] = "a condition"

    solution: Callable[[], Any]
    symbols: Callable[[], Sequence[Symbol]]
    given: Callable[[], Sequence[Any]] = tuple
    functions: tuple[str, ...] | None = None

    def read(self, answer: Any) -> Reading:
        return _reading(as_condition(answer, {symbol.name: symbol for symbol in self.symbols()}))

    def judge(self, answer: Any) -> Outcome:
        symbols = {symbol.name: symbol for symbol in self.symbols()}
        tree = as_condition(answer, symbols)
        for relation in tree.relations():
            refuse_restated(relation.lhs, self.functions)
            refuse_restated(relation.rhs, self.functions)
        with sympy.evaluate(False):
            solution, given = as_tree(self.solution()), list(self.given())
        names = _names(*symbols.values())  # a solution may hold others, which drop out of it
        rounded = _inexact(answer) or any(max(abs(v.p), v.q) > LONG for _, v in _plain_ends(tree))
        apart_near = _compared_near_ends(tree, solution, given, _inexact(answer)) if rounded else ""
        if apart_near:
            return self.said(Mark.WRONG, apart_near, self._slip(tree, symbols, given, names))
        for seconds in (self.time_limit / 4, self.time_limit):
            verdict, message, found = _compared(tree, solution, given, seconds, names)
            if verdict is Mark.OPEN:
                # conditions that are nearly the same differ where one of them ends
                apart = _compared_at_ends(tree, solution, given, names)
                verdict, message, found = apart or (verdict, message, found)
            if verdict is not Mark.OPEN:
                break
        if verdict is not Mark.WRONG:
            if verdict is Mark.OPEN and _inexact(answer):
                message += f"; {NOT_EXACT}"
            return self.said(verdict, message, evidence=found)
        return self.said(
            Mark.WRONG, message, self._slip(tree, symbols, given, names), evidence=found
        )

    def _slip(
        self, tree: Tree, symbols: Mapping[str, Symbol], given: Sequence[Any], names: set[str]
    ) -> str:
        """Return the hint of the misconception that leads to a condition; "" without one."""
        for slip in self.slips:
            mistaken = as_condition(_called(slip.answer), symbols)
            if _compared_near_ends(tree, mistaken, given):
                continue
            if _compared(tree, mistaken, given, SLIP_SECONDS, names)[0] is Mark.RIGHT:
                return slip.hint
        return ""


@dataclass(frozen=True, kw_only=True, repr=False)
class Number(Exercise):
    """The answer is a number, right within a stated tolerance.

    Attributes
    ----------
    solution : function
        Returns the number or an expression without symbols; a decimal only with a tolerance.
    relative, absolute : Rational, int or str
        An answer is right within either. Both 0: the number exactly, or a float next to it.
    """

    asks: ClassVar[str] = "a number"

    solution: Callable[[], Any]
    relative: Any = 0
    absolute: Any = 0

    def __post_init__(self) -> None:
        _refuse_tolerance(self.relative, self.absolute)

    def read(self, answer: Any) -> Reading:
        return _reading(as_number(answer))

    def judge(self, answer: Any) -> Outcome:
        expression = as_number(answer)
        refuse_restated(expression, None)
        solution = sympy.sympify(_called(self.solution))
        if solution.has(sympy.Float):
            if not self.tolerance:
                why = "the solution of this exercise is a decimal, without a tolerance"
                return self.said(Mark.OPEN, f"{why}: tell who wrote it")
            solution = as_number(solution)  # exactly the decimals that it shows
        found = self._near(expression, solution, self.time_limit)
        if found.holds:
            return self.said(Mark.RIGHT, evidence=found)
        if found.verdict is not Verdict.REFUTED:
            return self.said(Mark.OPEN, _undecided(found, self.time_limit), evidence=found)
        if not self.tolerance and self._rounded(answer, solution):
            exact = text(solution)
            return self.said(Mark.RIGHT, f"to the digits that were given; exactly it is {exact}")
        point = found.counterexample
        if point is not None and point.note:  # one of them is no number at all: 1/0
            own = _decide((solution, "==", solution), [])
            if own.verdict is Verdict.REFUTED:
                why = "the solution of this exercise is no number: tell who wrote it"
                return self.said(Mark.OPEN, why, evidence=own)
            message = f"it is {point.note}"
        elif self.tolerance:
            message = f"it is not within {self.tolerance}"
        else:
            message = "it is another number"
        if not self.tolerance and _inexact(answer) and _nearly(expression, solution):
            message += f"; {NOT_EXACT}"
        for slip in self.slips:
            mistaken = as_expression(_called(slip.answer), {})
            if self._near(expression, mistaken, SLIP_SECONDS).holds:
                return self.said(Mark.WRONG, message, slip.hint, evidence=found)
        return self.said(Mark.WRONG, message, evidence=found)

    @property
    def tolerance(self) -> str:
        """The tolerance in words; empty where the number is asked for exactly."""
        parts = []
        if self.relative:
            parts.append(f"{float(100 * Rational(self.relative)):g} % of the right number")
        if self.absolute:
            parts.append(f"{float(Rational(self.absolute)):g} of the right number")
        return " or ".join(parts)

    def _rounded(self, answer: Any, solution: Expr) -> bool:
        """Say whether an answer is a float, or decimals, that agrees with a number to nine digits."""
        return (
            _inexact(answer)
            and replace(self, relative=ROUNDED)
            ._near(as_number(answer), solution, self.time_limit)
            .holds
        )

    def _near(self, answer: Expr, solution: Expr, limit: float) -> Evidence:
        with sympy.evaluate(False):
            if not (self.relative or self.absolute):
                return _decide((answer, "==", solution), [], limit)
            allowed = sympy.Max(
                Rational(self.relative) * sympy.Abs(solution), Rational(self.absolute)
            )
            return _decide((sympy.Abs(answer - solution), "<=", allowed), [], limit)


@dataclass(frozen=True, kw_only=True, repr=False)
class Point(Exercise):
    """The answer is a point of a claim's domain at which the claim is false, decided exactly.

    Attributes
    ----------
    claim : str
        A key of the ledger; empty for a statement of the exercise's own.
    statement, given : function
        Return the statement and its conditions, where there is no claim.
    slips : tuple of Slip
        Here `answer` is a function of the point, a mapping from names to exact values.
    fixed : pair of str
        A coordinate and its value, where a course asks for one; see `varied`.
    values : pair of a str and a tuple of str
        A coordinate and values for it, each that of a counterexample, where exact numbers alone do
        not say that the claim fails: it is about divergences, say.
    example : tuple of pairs of str
        A point with the fixed coordinate at which the claim was seen to fail.
    """

    asks: ClassVar[str] = "a point, as in {'x': 2} or \"x = 2, y = 1/3\""

    claim: str = ""
    statement: Callable[[], Any] = tuple
    given: Callable[[], Sequence[Any]] = tuple
    fixed: tuple[str, str] | None = None
    values: tuple[str, tuple[str, ...]] | None = None
    example: tuple[tuple[str, str], ...] = ()

    @property
    def varies(self) -> bool:
        """Say whether `varied` has other coordinates to ask for.

        A point with one coordinate has none: to give that one is to give the answer.
        """
        return self.values is not None or len(_row_of(self.claim).get("counterexample") or ()) > 1

    def varied(self, rng: random.Random) -> Point:
        """Return the exercise with a coordinate that the counterexample on record does not have.

        There is an answer: a point with that coordinate at which the claim was seen to fail. Where
        one is found, the counterexample with that coordinate alone put in is no answer either.
        """
        if self.values is not None:
            return self._with_fixed(self.values[0], rng.choice(self.values[1]))
        if not self.varies:
            return self
        task, names = self._asked()
        row = _row_of(self.claim)
        known = {name: Rational(value) for name, value in row["counterexample"].items()}
        domains = case_domains(names.values(), task.given)

        if not isinstance(task.form, ForAll):
            return self
        tree = task.form.tree

        def fails(point: Mapping[str, Expr]) -> bool:
            """Say whether the claim fails there; in exact numbers and without a clock, so again and again."""
            at: Any = {names[n]: as_exact(value) for n, value in point.items()}
            return not _outside(domains, names, point) and _fails_at(tree, at)

        second = None
        for _ in range(TRIES):
            name = rng.choice(sorted(known))
            value = _another(known[name], bool(names[name].is_integer), rng)
            alone = {**known, name: value}
            if fails(alone):
                second = second or (name, alone)
                continue
            for other in sorted(known):
                moved = _another(known[other], bool(names[other].is_integer), rng)
                point = {**alone, other: moved}
                if other != name and fails(point):
                    return self._with_fixed(name, str(value), point)
        if second is None:
            return self
        name, point = second
        return self._with_fixed(name, str(point[name]), point)

    def _with_fixed(self, name: str, value: str, point: Mapping[str, Any] | None = None) -> Point:
        question = f"{self.question} Take {name} = {value}."
        example = tuple((other, str(at)) for other, at in (point or {}).items())
        return replace(self, question=question, fixed=(name, value), example=example)

    def read(self, answer: Any) -> Reading:
        point = as_point(answer, sorted(self._asked()[1]))
        pairs = [Relation(Symbol(name), "==", point[name]) for name in sorted(point)]
        return Reading(", ".join(map(str, pairs)), r",\; ".join(pair.latex() for pair in pairs))

    def _asked(self) -> tuple[Task, dict[str, Symbol]]:
        """The statement, and its symbols by name."""
        task = catalog.find(self.claim).task() if self.claim else self._own_task()
        names = {symbol.name: symbol for symbol in free_symbols(task.form)}
        for tree in task.given:
            names |= {symbol.name: symbol for symbol in free_symbols(tree)}
        return task, names

    def judge(self, answer: Any) -> Outcome:
        task, names = self._asked()
        point = as_point(answer, sorted(names))
        for name, value in point.items():
            same = (
                Verdict.PROVED if value.is_Rational else _decide((value, "==", value), []).verdict
            )
            if same is not Verdict.PROVED:
                raise Unreadable(f"{name} needs a real number, got {value}")
        if self.fixed is not None:
            name, value = self.fixed
            if point[name] != Rational(value):
                return self.said(
                    Mark.WRONG, f"your numbers have {name} = {value}, not {point[name]}"
                )
        where = ", ".join(f"{name} = {point[name]}" for name in sorted(point))
        found_slips = [slip for slip in self.slips if slip.answer(point)]
        hint = next((slip.hint for slip in found_slips), "")
        beyond = next((slip.hint for slip in found_slips if slip.outside), "")
        domains = case_domains(names.values(), task.given)
        outside = _outside(domains, names, point)
        if outside:
            message = f"{where} is outside the domain: the statement is about {outside}"
            return self.said(Mark.WRONG, message, beyond)
        try:
            found = self._decided(task, domains, {names[name]: v for name, v in point.items()})
        except DomainError:
            return self.said(Mark.WRONG, f"outside the domain of the statement: {where}", beyond)
        if found.verdict is Verdict.REFUTED:
            finding = found.counterexample.finding if found.counterexample else ""
            return self.said(Mark.RIGHT, f"the statement fails there: {finding}", evidence=found)
        if found.holds:
            return self.said(
                Mark.WRONG, f"the statement holds there: {where}", hint, evidence=found
            )
        return self.said(Mark.OPEN, _undecided(found, self.time_limit), evidence=found)

    def _decided(self, task: Task, domains: Sequence[Domain], at: dict[Symbol, Expr]) -> Evidence:
        """Decide the statement at one point."""
        if all(value.is_Rational for value in at.values()) or not isinstance(task.form, ForAll):
            pins = tuple(Relation(symbol, "==", value) for symbol, value in at.items())
            limited = replace(task, given=(*task.given, *pins), time_limit=self.time_limit)
            return workers.run_one(Certified(limited, {}, net=self.time_limit))
        put = _substitution(at)
        outside = 0
        for domain in domains:  # whether a condition holds there has to be proved as well
            found = [_decide(r.map(put), []).verdict for r in domain.relations()]
            if all(verdict is Verdict.PROVED for verdict in found):
                return _decide(task.form.tree.map(put), [], self.time_limit)
            outside += Verdict.REFUTED in found
        if outside == len(domains):
            raise DomainError("the point is outside the domain")
        return Evidence(Verdict.UNDECIDED, reason="whether it is in the domain is not decided")

    def _own_task(self) -> Task:
        with sympy.evaluate(False):
            return make_task(self.statement(), self.given())


def _row_of(claim: str) -> Mapping[str, Any]:
    """Return the record of a claim, or nothing."""
    if not claim:
        return {}
    path = topics.find(claim.partition(":")[0]).record
    return record.read_record(path).get(claim, {}) if path.is_file() else {}


def _fails_at(tree: Tree, at: Any) -> bool:
    """Say whether a statement certainly fails at a point."""
    if isinstance(tree, Either):
        return all(_fails_at(part, at) for part in tree.parts)
    if isinstance(tree, Both):
        return any(_fails_at(part, at) for part in tree.parts)
    return isinstance(tree, Relation) and verdict_at([tree], at)[0] is False


def _another(value: Rational, whole: bool, rng: random.Random) -> Rational:
    """A number near another one, an integer where that is asked for."""
    if whole:
        return value + rng.randint(1, 4 + abs(int(value)) // 4)
    share = Rational(rng.choice([n for n in range(5, 21) if n != 10]), 10)
    return share * value if value else share - 1


@dataclass(frozen=True)
class Property:
    """Hold a property that a function must have.

    Attributes
    ----------
    title : str
    test : function
        Takes the answer; returns nothing, or the words for where the property fails.
    """

    title: str
    test: Callable[[Callable[..., Any]], str | None]


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Hold the values that a program must return, at named edges and at drawn inputs.

    Attributes
    ----------
    reference : function
        Takes the parameters, in order; returns the right number, or ``math.inf``.
    edges : tuple of tuples
        Inputs where a slip shows: the boundary of a case, a far value, an empty range.
    draw : function
        Takes a random generator; returns inputs.
    draws : int
        How many are drawn.
    relative, absolute : float
        How far a number may be from the right one.
    """

    reference: Callable[..., float]
    edges: tuple[tuple[Any, ...], ...]
    draw: Callable[[random.Random], tuple[Any, ...]]
    draws: int = 40
    relative: float = 1e-6
    absolute: float = 1e-9

    def __post_init__(self) -> None:
        if not self.edges and self.draws < 1:
            raise ValueError("an agreement needs edges, or draws: else each program would be right")
        _refuse_tolerance(self.relative, self.absolute)

    def tried(self, parameters: tuple[str, ...], seed: str) -> Property:
        """Return the property that a function agrees; the seed alone decides the draws."""
        rng = random.Random(seed)
        inputs = (*self.edges, *(self.draw(rng) for _ in range(self.draws)))

        def test(answer: Callable[..., Any]) -> str | None:
            for values in inputs:
                if len(values) != len(parameters):
                    raise _NoReference(
                        f"it takes {', '.join(parameters)}, and an input is {values!r}"
                    )
                pairs = zip(parameters, values, strict=True)
                at = ", ".join(f"{name} = {_briefly(given)}" for name, given in pairs)
                right = self._right(values, at)
                try:
                    value = answer(*values)
                except Raised as error:
                    return f"it raised {error}, at {at}"
                if not math.isclose(value, right, rel_tol=self.relative, abs_tol=self.absolute):
                    return f"it is {_briefly(value)} and not {right:.6g} at {at}"
            return None

        return Property("is right at edges, and at inputs that are drawn", test)

    def _right(self, values: tuple[Any, ...], at: str) -> float:
        """Return the right number at an input; a reference that has none there says nothing of an answer."""
        try:
            right = float(self.reference(*copy.deepcopy(values)))  # it may change a list
        except Exception as error:
            raise _NoReference(f"it raises {type(error).__name__}: {error}, at {at}") from error
        if math.isnan(right):
            raise _NoReference(f"it is not a number at {at}")
        return right


class _NoReference(Exception):
    """The reference of an exercise fails: a fault of the exercise."""


def _briefly(value: Any) -> str:
    """Write a number in few digits, and anything else as Python writes it."""
    return f"{value:.6g}" if isinstance(value, (int, float)) else repr(value)


@dataclass(frozen=True, kw_only=True, repr=False)
class Program(Exercise):
    """The answer is a function, right if it has all the properties.

    It runs in a process of its own, which is ended when its time is up and gets inputs only: the
    properties are tried here, on the values that it hands back.

    Attributes
    ----------
    parameters : tuple of str
        How it is called, in order.
    properties : tuple of Property
        Tried in this order, up to the first that fails.
    agrees : Agreement, optional
        What it must return, tried last.
    seed : str
        Of the inputs that are drawn; without one they are drawn from the exercise's own id. A
        grader has another one, that of the lecturer.
    partial : bool
        Whether a program that has some of the properties gets that share of the points in a course.
    slips : tuple of Slip
        Here `answer` is a function of the answer that says whether this is the slip.
    """

    asks: ClassVar[str] = "a function"

    parameters: tuple[str, ...]
    properties: tuple[Property, ...]
    agrees: Agreement | None = None
    seed: str = ""
    partial: bool = False

    def __post_init__(self) -> None:
        if not self.properties and self.agrees is None:
            raise ValueError(
                "a program needs properties, or an agreement: else each would be right"
            )

    def as_graded(self, seed: str) -> Exercise:
        return replace(self, seed=seed)

    def judge(self, answer: Any) -> Outcome:
        if isinstance(answer, type) or not callable(answer):
            raise Unreadable(
                f"a function of {', '.join(self.parameters)} is asked for, "
                f"got {type(answer).__name__}"
            )
        apart = answer if isinstance(answer, Apart) else Apart(sent(answer))
        try:
            return self._judged(apart)
        finally:
            apart.stop()

    def _judged(self, answer: Apart) -> Outcome:
        try:
            signature = answer.refused(self.parameters)
            if not signature:
                answer.allow(self.time_limit)
        except Raised as error:
            raise Unreadable(f"your function cannot be read: {error}") from None
        except (Late, Ended):
            return self.said(Mark.OPEN, "the process that runs your function did not start")
        if signature:
            raise Unreadable(
                f"a function of {', '.join(self.parameters)} is asked for, got one of {signature}"
            )
        properties = self.properties
        if self.agrees is not None:
            drawn = self.agrees.tried(self.parameters, f"{self.key} {self.seed}")
            properties = (*properties, drawn)
        first: Outcome | None = None
        held = 0
        for number, one in enumerate(properties, 1):
            mark, failure = self._tried(one, answer)
            if not failure:
                held += 1
                continue
            if mark is Mark.OPEN:  # its process is gone, or the exercise is at fault
                parts = (held, len(properties)) if self.partial else (0, 1)
                if first is None:
                    return self.said(mark, failure, held=parts)
                break
            if first is None:
                place = f"property {number} of {len(properties)}"
                message = f"{place} fails, that it {one.title}: {failure}"
                first = self.said(Mark.WRONG, message, self._slip(answer))
            if not self.partial:
                return first
        if first is not None:
            message = f"{first.message}; it has {held} of {len(properties)} properties"
            return replace(first, message=message, held=(held, len(properties)))
        message = f"it has all {len(properties)} properties"
        if self.agrees is not None and not self.seed:
            message += "; grading in a course tries other inputs as well"
        return self.said(Mark.RIGHT, message)

    def _tried(self, one: Property, answer: Apart) -> tuple[Mark, str]:
        """Try a property; return the mark of a failure and its words, no words where it holds."""
        returned: list[Any] = []
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                words = one.test(_noted(answer, returned))
            if words is not None and not isinstance(words, str):
                raise _NoReference(f"its test returned {words!r}, which is no text")
            lacks = words and any(value is None for value in returned)
            return Mark.WRONG, f"{words}; {NOTHING}" if lacks else words or ""
        except Late as late:
            limit = f"did not come back within {late}"
            message = f"your function {limit}, while it was tried whether it {one.title}"
            return Mark.OPEN, message
        except Ended:
            message = "the process that ran your function ended by itself"
            return Mark.OPEN, f"{message}, while it was tried whether it {one.title}"
        except Raised as error:
            return Mark.WRONG, f"it raised {error}"
        except _NoReference as error:
            return Mark.OPEN, f"the reference of this exercise fails: {error}"
        except Exception as error:
            if any(value is None for value in returned):
                return Mark.WRONG, NOTHING
            if isinstance(error, _OF_THE_TEST) and all(map(_is_plain, returned)):
                words = f"its test raises {type(error).__name__}: {error}"
                return Mark.OPEN, f"the reference of this exercise fails: {words}"
            return Mark.WRONG, f"it raised {type(error).__name__}: {error}"

    def _slip(self, answer: Callable[..., Any]) -> str:
        for slip in self.slips:
            with contextlib.suppress(Exception):
                if slip.answer(answer):
                    return slip.hint
        return ""


# errors of a test that no finite number causes which a function returns
_OF_THE_TEST = (NameError, AttributeError, ImportError, TypeError, KeyError)


def _is_plain(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _noted(answer: Callable[..., Any], returned: list[Any]) -> Callable[..., Any]:
    """Return the function with a note of its returned values."""

    def noted(*arguments: Any, **named: Any) -> Any:
        value = answer(*arguments, **named)
        returned.append(value)
        return value

    return noted


BLANK = re.compile(r"\[([a-z])\]")  # in a line of a derivation
SEPARATOR = re.compile(r"[;\n]|,(?=\s*[a-z]\s*=(?!=))")  # of blanks in an answer


@dataclass(frozen=True, kw_only=True, repr=False)
class Blanks(Exercise):
    """The answer fills the blanks of a derivation; each blank is decided by itself.

    A blank is right if it is equal to its solution on the whole domain. In a course each blank counts
    the same share of the points. The author's own lines are decided as well: an exercise whose lines
    are refuted gives no verdict.

    Attributes
    ----------
    lines : tuple of str
        The derivation, a line each, as `dpbook.derive` takes it, with blanks ``[a]``, ``[b]``.
    solution : mapping of str to str
        A formula for each blank.
    symbols, given, functions
        As for a formula.
    slips : tuple of Slip
        Here `answer` is a mapping of one blank to the formula of the misconception.
    """

    asks: ClassVar[str] = 'formulas for blanks, as in {\'a\': "x^2"} or "a = x^2; b = 2*x"'

    lines: tuple[str, ...]
    solution: Mapping[str, str]
    symbols: Callable[[], Sequence[Symbol]]
    given: Callable[[], Sequence[Any]] = tuple
    functions: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        holes = [name for line in self.lines for name in BLANK.findall(line)]
        if not holes or sorted(holes) != sorted(set(holes)) or set(holes) != set(self.solution):
            raise ValueError(
                "each blank, such as [a], must stand in one line and have a solution, got "
                f"blanks {', '.join(holes) or 'none'} and solutions {', '.join(self.solution) or 'none'}"
            )

    def read(self, answer: Any) -> Reading:
        given = self._given(answer)
        symbols = {symbol.name: symbol for symbol in self.symbols()}
        found = {name: as_expression(value, symbols) for name, value in given.items()}
        return Reading(
            "; ".join(f"{name} = {_typed(e)}" for name, e in found.items()),
            r",\; ".join(f"{name} = {latex(e)}" for name, e in found.items()),
        )

    def _given(self, answer: Any) -> dict[str, Any]:
        """Return the text of an answer for each blank that it fills."""
        names = sorted(self.solution)
        if isinstance(answer, str):
            parts = [part for part in SEPARATOR.split(answer) if part.strip()]
            found = [re.match(r"\s*([a-z])\s*=(?!=)(.*)$", part, re.S) for part in parts]
            if not parts or not all(found):
                shown = "; ".join(f"{name} = ..." for name in names)
                raise Unreadable(f'formulas for the blanks are asked for, as in "{shown}"')
            pairs = [(match[1], match[2].strip()) for match in found if match]
        elif isinstance(answer, Mapping):
            pairs = [(str(name), value) for name, value in answer.items()]
        else:
            raise Unreadable(f"{self.asks} are asked for, got {type(answer).__name__}")
        for name, _ in pairs:
            if name not in self.solution:
                raise Unreadable(f"there is no blank {name}; there are {', '.join(names)}")
        if len(dict(pairs)) < len(pairs):
            raise Unreadable("a blank is filled twice")
        filled = {name: value for name, value in sorted(pairs) if value is not None}
        return {n: v for n, v in filled.items() if not (isinstance(v, str) and not v.strip())}

    def judge(self, answer: Any) -> Outcome:
        given = self._given(answer)
        if not given:
            raise Unreadable("no blank is filled")
        found = {name: self._part(name).judge(value) for name, value in given.items()}
        held = sum(map(bool, found.values()))
        wrong = any(one.verdict is Mark.WRONG for one in found.values())
        if (wrong or held == len(self.solution)) and (fault := self._fault()):
            return self.said(Mark.OPEN, fault)
        if held == len(self.solution):
            return self.said(Mark.RIGHT)
        said = [
            f"{name} is {found[name].verdict}: {found[name].message}".removesuffix(": ")
            if name in found
            else f"{name} is empty"
            for name in sorted(self.solution)
        ]
        hint = next((one.hint for one in found.values() if one.hint), "")
        mark = Mark.WRONG if wrong else Mark.OPEN
        parts = (held, len(self.solution))
        return self.said(mark, "\n".join(said), hint, held=parts)

    def _part(self, name: str) -> Formula:
        """Return the question for one blank."""
        return Formula(
            question=self.question,
            hints=self.hints,
            key=self.key,
            time_limit=self.time_limit,
            solution=lambda: as_expression(
                self.solution[name], {symbol.name: symbol for symbol in self.symbols()}
            ),
            symbols=self.symbols,
            given=self.given,
            functions=self.functions,
            slips=tuple(
                replace(slip, answer=slip.answer[name])
                for slip in self.slips
                if name in slip.answer
            ),
        )

    def _fault(self) -> str:
        """Return the line of the author's derivation that is refuted; "" where none is."""
        filled = self._read(lambda name: f"({self.solution[name]})")
        given = list(self.given())
        for number, ((_, before), (sign, after)) in enumerate(itertools.pairwise(filled), 2):
            found = _decide((before, sign, after), given, self.time_limit)
            point = found.counterexample
            if found.verdict is Verdict.REFUTED and not (
                point is not None and point.note.startswith("undefined")
            ):
                return f"line {number} of this exercise does not follow: tell who wrote it"
        return ""

    def _read(self, put: Callable[[str], str]) -> list[tuple[str, Expr]]:
        """Return each line as its sign and its formula; `put` gives the text for a blank."""
        symbols = {symbol.name: symbol for symbol in self.symbols()}
        symbols |= {f"blank_{name}": Symbol(f"blank_{name}") for name in self.solution}
        made = []
        for line in self.lines:
            sign = re.match(r"\s*(<=|>=|==|=|<|>|)", line)
            assert sign is not None
            rest = BLANK.sub(lambda match: put(match[1]), line[sign.end() :])
            relation = "==" if sign[1] in ("", "=") else sign[1]
            made.append((relation, as_expression(rest, symbols)))
        return made

    def _shown(self) -> list[str]:
        """Return the lines in LaTeX, blanks as boxes."""
        boxes = {Symbol(f"blank_{n}"): Symbol(rf"\boxed{{{n}}}") for n in self.solution}
        shown: list[str] = []
        for sign, expression in self._read(lambda name: f"blank_{name}"):
            with sympy.evaluate(False):
                boxed = expression.xreplace(boxes)
            relation = {"<=": r"\le", ">=": r"\ge", "==": "="}.get(sign, sign)
            shown.append(f"& {relation} {latex(boxed)}" if shown else f"& {latex(boxed)}")
        return shown

    def __repr__(self) -> str:
        return "\n".join([super().__repr__(), *(f"  {line}" for line in self.lines)])

    def _repr_html_(self) -> str:
        maths = r" \\ ".join(self._shown())
        whole = html.escape(rf"\[\begin{{aligned}} {maths} \end{{aligned}}\]")
        return f'{super()._repr_html_()}<div class="math notranslate nohighlight">{whole}</div>'


# --- deciding -------------------------------------------------------------------------------------------


def _refuse_tolerance(relative: Any, absolute: Any) -> None:
    """Refuse a tolerance that no answer meets, or that 0 meets for every number."""

    def plain(value: Any) -> Rational:
        endless = isinstance(value, float) and not math.isfinite(value)  # SymPy makes 0 of it
        return Rational(-1) if endless else Rational(value)

    try:
        right = 0 <= plain(relative) < 1 and plain(absolute) >= 0
    except (TypeError, ValueError):
        right = False
    if not right:
        raise ValueError(
            "relative must be from 0 to below 1, and absolute 0 or more, got "
            f"{relative} and {absolute}"
        )


def _called(thing: Any) -> Any:
    with sympy.evaluate(False):
        return thing() if callable(thing) and not isinstance(thing, sympy.Basic) else thing


def _decide(statement: Any, given: Sequence[Any], limit: float = END_SECONDS) -> Evidence:
    try:
        return engine.check(statement, given=list(given), time_limit=limit)
    except DomainError as error:
        return Evidence(Verdict.UNDECIDED, reason=str(error))


def _with_gaps(
    answer: Expr, solution: Expr, given: Sequence[Any], found: Evidence, limit: float
) -> Step | None:
    """The step from a solution to an answer that is right but for gaps; None if it is not.

    Gaps are where something is 0. An answer that is defined on a part of the domain only, such as
    ``sqrt(x)^2`` for ``x``, is not the solution.
    """
    if found.counterexample is None or not found.counterexample.note.startswith("undefined"):
        return None
    try:
        step = derive([solution, answer], list(given), time_limit=limit).steps[1]
    except ValueError:
        return None
    if step.evidence is None or not step.evidence.holds:
        return None
    gaps = all(_is_gap(r, given) for tree in step.conditions for r in tree.relations())
    return step if gaps else None


_SMOOTH = (sympy.exp, sympy.log, sympy.sinh, sympy.cosh, sympy.tanh, sympy.erf)


def _is_gap(relation: Relation, given: Sequence[Any]) -> bool:
    """Say whether a relation fails at single points, or on curves; ``sign(x) != 1`` leaves out a half.

    So does ``x > 0`` where only ``x >= 0`` is given.
    """
    if relation.op in (">", "<"):
        if not _decide(replace(relation, op=f"{relation.op}="), given).holds:
            return False
    elif relation.op != "!=":
        return False
    for side in (relation.lhs, relation.rhs):
        whole = any(free.is_integer for free in side.free_symbols)
        smooth = all(isinstance(f, _SMOOTH) for f in side.atoms(sympy.Function))
        if not (side.is_rational_function(*side.free_symbols) or (smooth and not whole)):
            return False
    return True


def _undecided(found: Evidence, limit: float) -> str:
    if found.verdict is Verdict.SUPPORTED:
        return "no difference was found, and no proof either; try another form of your answer"
    return found.reason or f"no decision within {limit:g} s"


def _names(*things: Any) -> set[str]:
    """The names that occur in expressions and relations, abbreviations written out."""
    sides = [side for t in things for side in _sides(t)]
    return {free.name for side in sides for free in unfold_definitions(side).free_symbols}


def _sides(thing: Any) -> list[Expr]:
    if isinstance(thing, Expr):
        return [thing]
    return [side for relation in thing.relations() for side in (relation.lhs, relation.rhs)]


def _where(found: Evidence, names: set[str]) -> str:
    """Return the point of a failure, in the variables of the question only."""
    if found.counterexample is None:
        return "a point"
    shown = [f"{name} = {value}" for name, value in found.counterexample.point if name in names]
    return ", ".join(shown)


def _reading(thing: Expr | Tree) -> Reading:
    return Reading(_typed(thing), latex(thing) if isinstance(thing, Expr) else thing.latex())


def _typed(thing: Expr | Tree) -> str:
    """A formula or a condition as a student types it."""
    return typed(thing).replace("**", "^").replace("Abs(", "abs(")


def _difference(found: Evidence, names: set[str], answer: Expr, solution: Expr) -> str:
    point = found.counterexample
    if point is None:
        return found.reason
    where = f"at {_where(found, names)} " if _where(found, names) else ""
    if point.note or not point.lhs:
        return f"{where}it is {point.finding}"
    own, right = point.lhs, point.rhs
    if own == right:
        own, right = _apart(answer, solution, point) or (own, f"{right} to all digits shown")
    return f"{where}your answer is {own}, and the right one is {right}"


def _apart(answer: Expr, solution: Expr, point: Counterexample) -> tuple[str, str] | None:
    """Both values with as many digits as it takes to tell them apart."""
    for digits in (20, 40, 80):
        values = _values(answer, solution, point, digits)
        if values is None:
            return None
        own, right = map(str, values)
        if own[: digits - 2] != right[: digits - 2]:
            return own, right
    return None


def _values(
    answer: Expr, solution: Expr, point: Counterexample | None, digits: int
) -> tuple[Expr, Expr] | None:
    """Both values at a point, in so many digits; None where one of them is no number."""
    at = point.point if point else ()
    put = {name: sympy.Rational(value) for name, value in at if _rational(value)}

    def value(side: Expr) -> Expr:
        whole = unfold_definitions(side)
        free = {one: put[one.name] for one in whole.free_symbols if one.name in put}
        return sympy.N(whole.xreplace(free), digits)

    values = value(answer), value(solution)
    return values if all(one.is_Float for one in values) else None


def _inexact(answer: Any) -> bool:
    """Say whether an answer is a float, or has decimals."""
    if isinstance(answer, str):
        return re.search(r"[0-9]\.[0-9]", answer) is not None
    if isinstance(answer, sympy.Basic):
        return answer.has(sympy.Float)
    if isinstance(answer, Decimal):
        return True
    return isinstance(answer, numbers.Real) and not isinstance(answer, numbers.Rational)


def _nearly(answer: Expr, solution: Expr, point: Counterexample | None = None) -> bool:
    """Say whether values agree to five digits; only to say that an answer is rounded."""
    values = _values(answer, solution, point, 20)
    return bool(values and abs(values[0] - values[1]) <= abs(values[1]) / 10**5)


def _rational(value: str) -> bool:
    return re.fullmatch(r"-?[0-9]+(/[0-9]+)?", value) is not None


def _compared(
    tree: Tree, other: Tree, given: Sequence[Any], limit: float, names: set[str]
) -> tuple[Mark, str, Evidence]:
    """Say whether two conditions hold at the same points; of points that differ, `names` are shown."""
    undecided = []
    for said, claimed, assumed in _directions(tree, other):
        found = _decide(claimed, [*given, assumed], limit)
        if found.verdict is Verdict.REFUTED:
            return Mark.WRONG, f"{said} {_where(found, names)}", found
        if not found.holds:
            undecided.append(found)
    if undecided:
        return Mark.OPEN, _undecided(undecided[0], limit), undecided[0]
    return Mark.RIGHT, "", found


def _directions(tree: Tree, other: Tree) -> tuple[tuple[str, Tree, Tree], ...]:
    return (("too narrow: it leaves out", tree, other), ("too wide: it lets in", other, tree))


def _compared_at_ends(
    tree: Tree, other: Tree, given: Sequence[Any], names: set[str]
) -> tuple[Mark, str, Evidence] | None:
    """Compare two conditions where a relation of theirs is an equality; only to tell them apart."""
    for end in (r for t in (tree, other) for r in t.relations()):
        for variable, value in ((end.lhs, end.rhs), (end.rhs, end.lhs)):
            if (
                not isinstance(variable, RangedSymbol)
                or variable.integer
                or variable.definition
                or variable in unfold_definitions(value).free_symbols
            ):
                continue
            put = _substitution({variable: unfold_definitions(value)})
            ranges = [r.map(put) for r in variable.range.relations(variable)]
            for said, claimed, assumed in _directions(tree, other):
                conditions = [t.map(put) for t in (*conditions_of(given), assumed)]
                found = _decide(claimed.map(put), [*conditions, *ranges])
                if found.verdict is Verdict.REFUTED:
                    where = _where(found, names)
                    place = f"{variable} = {text(value)}" + (f", {where}" if where else "")
                    return Mark.WRONG, f"{said} {place}", found
    return None


LONG = 1000  # a number with a larger numerator or denominator may be a rounded one
SMALLEST = 40  # digits behind the point of the shares by which an end is moved
OTHERS = tuple(map(Rational, ("1", "2", "1/2", "3", "10", "1/10", "-1", "0")))


def _compared_near_ends(
    tree: Tree, other: Tree, given: Sequence[Any], decimals: bool = False
) -> str:
    """Compare two conditions at points near the ends that are plain numbers; "" if none differs.

    No search: a few exact points, so that a decimal beside the end that was meant is told apart at
    once. Each point is in the domain, and both conditions are decided there.

    Parameters
    ----------
    tree, other
        An answer, and the condition that it is compared with.
    given
        The conditions on the domain.
    decimals : bool
        Whether the answer has decimals, so that a point is shown in decimals too.
    """
    tree, other = tree.map(unfold_definitions), other.map(unfold_definitions)
    assumed = conditions_of(given)
    free = {one for t in (tree, other, *assumed) for one in free_symbols(t)}
    try:
        domains = case_domains(free, assumed)
    except DomainError:
        return ""
    for variable, end in _plain_ends(tree):
        differing = _differing(tree, other, variable, end, domains)
        digits, value, own = next(differing, (0, end, None))
        if own is None:
            continue
        said = "too wide: it lets in" if own else "too narrow: it leaves out"
        shown = f"{said} {variable} = {_decimal(value) if decimals else _short(value)}"
        if (
            decimals
        ):  # at the end itself they differ however near it is: the next point says how near
            digits = digits or next(differing, (0,))[0]
        return f"{shown}; {NOT_EXACT}" if decimals and digits >= 3 else shown
    return ""


def _differing(
    tree: Tree, other: Tree, variable: Symbol, end: Rational, domains: Sequence[Domain]
) -> Iterator[tuple[int, Rational, bool]]:
    """Yield values near an end at which one of two conditions holds, and whether the first does.

    The number with each value is that of its digits that agree with the end.
    """
    rest = sorted({v for domain in domains for v in domain.variables} - {variable}, key=str)
    asked = 3  # points at which the prover is asked, at most
    for digits, value in _near(end, bool(variable.is_integer)):
        for at in _completed(variable, value, rest, domains):
            own = _truth(tree, at)
            theirs = _truth(other, at)
            if own is not None and theirs is None and asked:
                asked -= 1
                found = _decide(other.map(_substitution(at)), [])
                theirs = {Verdict.PROVED: True, Verdict.REFUTED: False}.get(found.verdict)
            if own is not None and theirs is not None and own != theirs:
                yield digits, value, own


def _plain_ends(tree: Tree) -> Iterator[tuple[Symbol, Rational]]:
    """Yield each variable that a condition compares with a number, and the number."""
    for relation in tree.relations():
        for variable, side in (
            (relation.lhs, relation.rhs),
            (relation.rhs, relation.lhs),
        ):
            if isinstance(variable, Symbol) and not side.free_symbols:
                value = evaluated(side)
                if value.is_Rational:
                    yield variable, value


def _near(end: Rational, whole: bool) -> Iterator[tuple[int, Rational]]:
    """Yield a number and numbers on both sides of it, each nearer; with the digits that agree."""
    if whole:
        yield from ((0, Rational(n)) for n in range(sympy.floor(end) - 1, sympy.ceiling(end) + 2))
        return
    yield 0, end
    for digits in range(1, SMALLEST):
        share = Rational(1, 10**digits)
        for moved in (-share, share):
            yield digits, end * (1 + moved) if end else moved


def _completed(
    variable: Symbol, value: Rational, rest: Sequence[Symbol], domains: Sequence[Domain]
) -> Iterator[dict[Symbol, Expr]]:
    """Yield a point of the domain with the value, and simple values of the other symbols."""
    choices = [[o for o in OTHERS if o.is_Integer or not symbol.is_integer] for symbol in rest]
    for values in itertools.islice(itertools.product(*choices), 200):
        at = {variable: value, **dict(zip(rest, values, strict=True))}
        if any(all(_truth(r, at) is True for r in domain.relations()) for domain in domains):
            yield at
            return


def _truth(tree: Tree, at: Mapping[Symbol, Expr]) -> bool | None:
    """Say whether a condition holds at an exact point; None where that is not decided."""
    if isinstance(tree, (Both, Either)):
        found = [_truth(part, at) for part in tree.parts]
        ends = isinstance(tree, Either)  # one such part decides it
        return ends if ends in found else None if None in found else not ends
    if not isinstance(tree, Relation):
        return None
    exact: Any = {symbol: as_exact(value) for symbol, value in at.items()}
    return verdict_at([tree], exact)[0]


def _decimal(value: Rational) -> str:
    """Return a number as it is typed with decimals; as a fraction where it has no end."""
    for digits in range(1, 120):
        if (10**digits) % value.q == 0:
            whole, part = divmod(abs(value.p) * 10**digits // value.q, 10**digits)
            return f"{'-' if value < 0 else ''}{whole}.{part:0{digits}}"
    return str(value)


def _short(value: Rational) -> str:
    """Return a number as it is typed; a large power of ten as a power."""
    zeros = len(str(value.q)) - 1
    return f"{value.p}/10^{zeros}" if zeros > 9 and value.q == 10**zeros else str(value)


def _substitution(values: Mapping[Symbol, Expr]) -> Callable[[Expr], Expr]:
    def put(e: Expr) -> Expr:
        with sympy.evaluate(False):
            return unfold_definitions(e).xreplace(values)

    return put


def _outside(
    domains: Sequence[Domain], names: Mapping[str, Symbol], point: Mapping[str, Expr]
) -> str:
    """Return a condition that certainly fails at a point; a disjunction needs only one.

    Of a point that is not rational only the integers are looked at: a root, or a logarithm, is none
    unless it was written as one.
    """
    rational = all(value.is_Rational for value in point.values())
    at: Any = {names[n]: as_exact(value) for n, value in point.items()} if rational else {}
    failures = []
    for domain in domains:
        failed = [
            f"{v} in integers"
            for v in domain.variables
            if domain.bounds[v].integer and not evaluated(point[v.name]).is_Integer
        ]
        if rational:
            failed += [_shortest(r) for r in domain.relations() if verdict_at([r], at)[0] is False]
        if not failed:
            return ""
        failures.append(failed[0])
    return failures[0] if failures else ""


def _shortest(relation: Relation) -> str:
    """A condition as a student types it; claims may hold products that are not carried out."""
    return min(_typed(relation), _typed(relation.map(evaluated)), key=len)
