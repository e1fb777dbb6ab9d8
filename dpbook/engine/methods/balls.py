"""Proofs on boxes by ball arithmetic: subdivision, the mean value theorem, convexity.

Only certain comparisons of balls count, and NaN (a function not defined on a whole ball) never
passes one. What is trusted is Arb.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, ctx, fmpq
from sympy import Expr, Symbol

from dpbook.engine.budget import worked
from dpbook.engine.compile import (
    ArbProgram,
    CannotCompile,
    PointValue,
    compare_at,
    compiled,
    digits_of,
    known_at,
)
from dpbook.engine.compile import points as exact
from dpbook.engine.compile.arbs import ZERO
from dpbook.engine.compile.public import as_exact
from dpbook.engine.compile.ranges import Range, ranges_of, rooted
from dpbook.engine.compile.tape import Tape, gradient, hessian, tape_of
from dpbook.engine.statement import (
    Relation,
    StatementError,
    Tree,
    as_tree,
    evaluated,
    nodes_of,
    unfold_definitions,
)
from dpbook.engine.verdict import Counterexample, Evidence, Verdict, weakest

__all__ = ["BoxResult", "compiled", "decide_on_box", "prove_on_box"]

Condition = tuple[Expr, str]
_PRECISIONS = (64, 128, 256)
# second derivatives are worth their price for a few variables only, or for short programs
_LONGEST_HESSIAN = 4000
_QUARTER = arb(1) / 4


@dataclass(frozen=True)
class BoxResult:
    """What subdivision found.

    Attributes
    ----------
    status : str
        ``proved``, ``refuted`` or ``undecided``.
    boxes : int
        How many boxes were looked at.
    point : dict or None
        An exact point where the statement fails.
    seconds : float
    note : str
        ``undefined: ...`` when the expression has no value at the point; why it is undecided.
    precision : int
        The highest precision used, in bits.
    """

    status: str
    boxes: int = 0
    point: dict[Symbol, fmpq] | None = None
    seconds: float = 0.0
    note: str = ""
    precision: int = 64


class _Edge:
    """One side of a box: exact ends, the ball between them, its middle and its half-width."""

    __slots__ = ("ball", "float_high", "float_low", "half", "high", "low", "mid", "spread", "width")

    def __init__(self, low: fmpq | float, high: fmpq | float) -> None:
        self.low, self.high = low, high
        self.float_low, self.float_high = _to_float(low), _to_float(high)
        self.width = self.float_high - self.float_low
        if low == high:
            self.ball = self.mid = arb(low)
            self.half: float | fmpq = low
            self.spread = ZERO
            self.width = 0.0
            return
        self.ball = arb(low).union(arb(high))
        half = (self.float_low + self.float_high) / 2
        if not (
            low < half < high
            if isinstance(low, float) and isinstance(high, float)
            else _exact(low) < _exact(half) < _exact(high)
        ):
            self.half = (_exact(low) + _exact(high)) / 2
        else:
            self.half = half
        self.mid = arb(self.half)
        self.spread = self.ball - self.mid

    def at(self, end: fmpq | float) -> _Edge:
        return _Edge(end, end)

    def halves(self) -> tuple[_Edge, _Edge]:
        return _Edge(self.low, self.half), _Edge(self.half, self.high)


def _exact(x: fmpq | float) -> fmpq:
    if isinstance(x, float):
        p, q = x.as_integer_ratio()
        return fmpq(p, q)
    return x


def _to_float(x: fmpq | float) -> float:
    return x if isinstance(x, float) else int(x.p) / int(x.q)


def decide_on_box(
    difference: Expr,
    strict: bool,
    box: Mapping[Symbol, tuple[fmpq, fmpq]],
    conditions: Sequence[Condition] = (),
    *,
    max_boxes: int = 50_000,
    seconds: float = 5.0,
    prec: int = 64,
) -> BoxResult:
    """Decide ``difference >= 0`` (``> 0`` if strict) on a closed box, where the conditions hold.

    Parameters
    ----------
    difference : Expr
    strict : bool
    box : mapping of Symbol to (fmpq, fmpq)
    conditions : sequence of (Expr, op)
        Each means ``expr op 0``.
    max_boxes, seconds, prec
        Limits of the work, and the precision to begin with.

    Returns
    -------
    BoxResult
        ``proved`` includes that the difference is defined at every point of the box that the
        conditions do not certainly exclude.
    """
    started = worked()
    try:
        search = _Search(difference, strict, box, conditions, prec)
    except (CannotCompile, KeyError) as problem:
        return BoxResult("undecided", note=f"not compiled: {problem}")
    before = ctx.prec
    ctx.prec = prec
    try:
        status, point, note = search.run(max_boxes, started + seconds)
    finally:
        ctx.prec = before
    return BoxResult(status, search.boxes, point, worked() - started, note, search.highest)


class _Worth:
    """Whether a dearer step is worth trying: always at first, then by how often it has helped."""

    __slots__ = ("helped", "skipped", "tried")

    def __init__(self) -> None:
        self.tried = self.helped = self.skipped = 0

    def now(self, always: bool) -> bool:
        if always or self.tried < 24 or self.helped * 5 >= self.tried or self.skipped >= 15:
            self.skipped = 0
            return True
        self.skipped += 1
        return False

    def note(self, helped: bool) -> None:
        self.tried += 1
        self.helped += helped
        if self.tried >= 200:
            self.tried, self.helped = self.tried // 2, self.helped // 2


class _Search:
    """The queue of boxes of one statement."""

    def __init__(
        self,
        difference: Expr,
        strict: bool,
        box: Mapping[Symbol, tuple[fmpq, fmpq]],
        conditions: Sequence[Condition],
        prec: int,
    ) -> None:
        self.symbols = tuple(box)
        self.strict, self.prec, self.highest = strict, prec, prec
        self.root = [(fmpq(low), fmpq(high)) for low, high in box.values()]
        self.plain = tape_of((difference,), self.symbols)
        self.tape = tape_of((_narrowed(difference, box),), self.symbols)
        self.value = ArbProgram.of(rooted(self.tape, self.root))
        self.operators = [op for _, op in conditions]
        self.condition_tapes = [tape_of((e,), self.symbols) for e, _ in conditions]
        self.conditions = [ArbProgram.of(rooted(t, self.root)) for t in self.condition_tapes]
        self.involved = [
            {i for i, s in enumerate(self.symbols) if s in e.free_symbols} for e, _ in conditions
        ]
        self.pairs = [(i, j) for i in range(len(self.symbols)) for j in range(i, len(self.symbols))]
        self._slopes: ArbProgram | None = None
        self._slope_tape: Tape | None = None
        self._curves: ArbProgram | None | bool = False
        self.sizes = [_to_float(high - low) or 1.0 for low, high in self.root]
        self.boxes = 0
        self.slopes_pay, self.curves_pay = _Worth(), _Worth()

    # --- programs, compiled when they are first needed ------------------------------------------

    @property
    def slope_tape(self) -> Tape:
        if self._slope_tape is None:
            self._slope_tape = gradient(self.tape)
        return self._slope_tape

    @property
    def slopes(self) -> ArbProgram:
        if self._slopes is None:
            self._slopes = ArbProgram.of(rooted(self.slope_tape, self.root))
        return self._slopes

    @property
    def curves(self) -> ArbProgram | None:
        if self._curves is False:
            self._curves = None
            if len(self.slope_tape.steps) * len(self.symbols) <= _LONGEST_HESSIAN:
                tape = hessian(self.tape)
                if len(tape.steps) <= _LONGEST_HESSIAN:
                    self._curves = ArbProgram.of(rooted(tape, self.root))
        return self._curves  # type: ignore[return-value]

    # --- the search -------------------------------------------------------------------------------

    def run(self, max_boxes: int, deadline: float) -> tuple[str, dict[Symbol, fmpq] | None, str]:
        for low, high in self.root:
            if low > high:
                return "undecided", None, "the box is empty"
        if not self.conditions:
            least, _ = ranges_of(self.plain, self.root)[self.plain.outputs[0]]
            enough = least is not None and (least > 0 or (least == 0 and not self.strict))
            if enough and self.value.run(*[_Edge(*r).ball for r in self.root])[0].is_finite():
                self.boxes = 1
                return "proved", None, ""
        edges = [_Edge(low, high) for low, high in self.root]
        queue = deque([(edges, tuple(range(len(self.conditions))), self.prec)])
        while queue:
            if self.boxes >= max_boxes:
                return "undecided", None, f"{self.boxes} boxes were not enough"
            if worked() > deadline:
                return "undecided", None, f"out of time after {self.boxes} boxes"
            self.boxes += 1
            edges, active, prec = queue.popleft()
            ctx.prec = prec
            found = self._look(edges, active, prec)
            if found is None:
                continue
            if isinstance(found, dict):
                return "refuted", found, ""
            if isinstance(found, str):
                return "undecided", None, found
            if isinstance(found, tuple):
                point, note = found
                return "refuted", point, note
            queue.extend(found)
        return "proved", None, ""

    def _look(self, edges: list[_Edge], active: tuple[int, ...], prec: int) -> Any:
        """Decide one box: None when done, a point that refutes, a text to give up, or new boxes."""
        balls = [edge.ball for edge in edges]
        if active:
            left = self._still_active(balls, active)
            if left is None:
                return None
            active = left
        value = self.value.run(*balls)[0]
        if self._passes(value):
            return None
        open_ = [i for i, edge in enumerate(edges) if edge.width > 0]
        if not open_:
            return self._at_point(edges, active)
        if not value.is_finite():
            return self._without_value(edges, active, prec, open_)
        tiny = max(edges[i].width / self.sizes[i] for i in open_) < 1e-3
        try_slopes = self.slopes_pay.now(tiny)
        at_middle = None
        if try_slopes or not value.mid() > value.rad() * _QUARTER:
            # around a violation the middle of the value is soon low
            at_middle = self.value.run(*[edge.mid for edge in edges])[0]
            if not at_middle.is_finite():
                return self._without_value(edges, active, prec, open_)
            if self._violates(at_middle):
                point = self._confirmed(edges, active)
                if point is not None:
                    return point
            if prec < 256 and at_middle.rad() > value.rad() / 8:
                # rounding, not the width of the box, blurs the value
                self.highest = max(self.highest, prec * 2)
                return [(edges, active, prec * 2)]
        if not try_slopes or at_middle is None:
            return self._split(edges, active, prec, open_, None)
        slopes = self.slopes.run(*balls)[1:]
        if not all(slopes[i].is_finite() for i in open_):
            self.slopes_pay.note(False)
            return self._split(edges, active, prec, open_, None)
        total = at_middle
        for i in open_:
            total = total + slopes[i] * edges[i].spread
        if self._passes(total):
            self.slopes_pay.note(True)
            return None
        held = set().union(*(self.involved[c] for c in active)) if active else set()
        fixed = None
        # balls round outwards: a slope that touches 0 shows its sign in exact arithmetic only
        signs = self._exact_slopes(edges) if tiny or self.boxes == 1 else None
        for i in open_:
            if i in held:
                continue
            low, high = signs[i] if signs is not None else (None, None)
            if slopes[i] >= ZERO or (low is not None and low >= 0):
                fixed = fixed or list(edges)
                fixed[i] = edges[i].at(edges[i].low)
            elif slopes[i] <= ZERO or (high is not None and high <= 0):
                fixed = fixed or list(edges)
                fixed[i] = edges[i].at(edges[i].high)
        self.slopes_pay.note(fixed is not None)
        if fixed is not None:
            return [(fixed, active, prec)]
        if self.curves_pay.now(tiny) and self.curves is not None:
            found = self._curved(edges, balls, active, prec, open_, held)
            self.curves_pay.note(found is not False)
            if found is not False:
                return found
        return self._split(edges, active, prec, open_, slopes)

    def _exact_slopes(self, edges: list[_Edge]) -> list[Range]:
        box = [(_exact(edge.low), _exact(edge.high)) for edge in edges]
        ranges = ranges_of(self.slope_tape, box)
        return [ranges[place] for place in self.slope_tape.outputs[1:]]

    def _without_value(
        self, edges: list[_Edge], active: tuple[int, ...], prec: int, open_: list[int]
    ) -> Any:
        """A box on which the difference is not shown to be defined: look at points, then split."""
        found = self._undefined(edges, active)
        if found is None and max(edges[i].width / self.sizes[i] for i in open_) < 1e-6:
            # a pole is often at a simple fraction
            simple = [_simplest(_exact(e.low), _exact(e.high)) for e in edges]
            found = self._undefined([_Edge(s, s) for s in simple], active)
        return found or self._split(edges, active, prec, open_, None)

    def _curved(
        self,
        edges: list[_Edge],
        balls: list[arb],
        active: tuple[int, ...],
        prec: int,
        open_: list[int],
        held: set[int],
    ) -> Any:
        """Use second derivatives: faces where it is concave, tangents where it is convex."""
        assert self.curves is not None
        outputs = self.curves.run(*balls)
        second = dict(zip(self.pairs, outputs[1 + len(edges) :], strict=True))
        for i in open_:
            if i not in held and second[i, i] <= ZERO:
                # concave along one variable: least at one of its ends
                lower, upper = list(edges), list(edges)
                lower[i], upper[i] = edges[i].at(edges[i].low), edges[i].at(edges[i].high)
                return [(lower, active, prec), (upper, active, prec)]
        if all(second[i, i] > ZERO for i in open_) and _positive_definite(second, open_):
            return self._tangent(edges, active, open_)
        return False

    def _tangent(self, edges: list[_Edge], active: tuple[int, ...], open_: list[int]) -> Any:
        """Bound a convex function from below by its tangent plane close to its least point.

        None when that proves the box, a point when it refutes, else False.
        """
        place = self._least_point(edges, open_)
        if place is None:
            return False
        candidates = [place]
        simple = [
            _Edge(s, s) if i in open_ else edges[i]
            for i, s in enumerate(_simple_near(edges, place, open_))
        ]
        candidates.append(simple)
        for candidate in candidates:
            point = [edge.ball for edge in candidate]
            outputs = self.slopes.run(*point)
            total = outputs[0]
            for i in open_:
                total = total + outputs[1 + i] * (edges[i].ball - point[i])
            if self._passes(total):
                return None
            refuted = self._refutes(candidate, point, outputs[0], active)
            if refuted is not None:
                return refuted
        # a tie: both the value and the slopes must be exact
        values = self._exactly([_exact(edge.low) for edge in simple])
        if values is None:
            return False
        least = values[0]
        for i in open_:
            at, slope = _exact(simple[i].low), values[1 + i]
            ends = (_exact(edges[i].low) - at, _exact(edges[i].high) - at)
            least += min(slope * ends[0], slope * ends[1])
        if least > 0 or (least == 0 and not self.strict):
            return None
        if values[0] < 0 or (values[0] == 0 and self.strict):
            return self._confirmed(simple, active) or False
        return False

    def _exactly(self, point: list[fmpq]) -> list[fmpq] | None:
        values = exact.run(self.slope_tape, point)
        return values if all(isinstance(v, fmpq) for v in values) else None  # type: ignore

    def _least_point(self, edges: list[_Edge], open_: list[int]) -> list[_Edge] | None:
        """A few steps of Newton's method in floating point, kept inside the box."""
        at = [float(edge.mid) for edge in edges]
        assert self.curves is not None
        free = list(open_)
        for _ in range(8):
            outputs = self.curves.run(*[arb(x) for x in at])
            if not all(value.is_finite() for value in outputs):
                return None
            numbers = [float(value) for value in outputs]
            slope = numbers[1 : 1 + len(edges)]
            second = dict(zip(self.pairs, numbers[1 + len(edges) :], strict=True))
            free = [
                i
                for i in open_
                if not (at[i] <= edges[i].float_low and slope[i] > 0)
                and not (at[i] >= edges[i].float_high and slope[i] < 0)
            ]
            if not free:
                break
            step = _solve(
                [[second[min(i, j), max(i, j)] for j in free] for i in free],
                [-slope[i] for i in free],
            )
            if step is None:
                break
            for i, move in zip(free, step, strict=True):
                at[i] = min(max(at[i] + move, edges[i].float_low), edges[i].float_high)
            if all(abs(m) <= 1e-15 * (abs(at[i]) + 1e-30) for i, m in zip(free, step, strict=True)):
                break
        return [
            _Edge(_inside(at[i], edge), _inside(at[i], edge)) if i in open_ else edge
            for i, edge in enumerate(edges)
        ]

    # --- pieces ----------------------------------------------------------------------------------

    def _passes(self, value: arb) -> bool:
        return bool(value > ZERO) if self.strict else bool(value >= ZERO)

    def _violates(self, value: arb) -> bool:
        return bool(value <= ZERO) if self.strict else bool(value < ZERO)

    def _still_active(self, balls: list[arb], active: tuple[int, ...]) -> tuple[int, ...] | None:
        """The conditions that are not certain on a box; None when one certainly fails."""
        left = []
        for c in active:
            truth = _truth(self.conditions[c].run(*balls)[0], self.operators[c])
            if truth is False:
                return None
            if truth is None:
                left.append(c)
        return tuple(left)

    def _refutes(
        self, edges: list[_Edge], point: list[arb], value: arb, active: tuple[int, ...]
    ) -> Any:
        """An exact point of a box, when the difference certainly violates there."""
        if value.is_finite():
            return self._confirmed(edges, active) if self._violates(value) else None
        return self._undefined(edges, active)

    def _confirmed(self, edges: list[_Edge], active: tuple[int, ...]) -> dict[Symbol, fmpq] | None:
        """The middle as an exact point, if every condition certainly holds there."""
        point = [_exact(edge.half) for edge in edges]
        balls = [arb(x) for x in point]
        for c in active:
            truth = _truth(self.conditions[c].run(*balls)[0], self.operators[c])
            if truth is None:
                truth = self._condition_at(c, point)
            if truth is not True:
                return None
        return dict(zip(self.symbols, point, strict=True))

    def _condition_at(self, c: int, point: list[fmpq]) -> bool | None:
        (value,) = exact.run(self.condition_tapes[c], point)
        if isinstance(value, fmpq):
            return exact._exactly(value, self.operators[c], fmpq(0))
        return None

    def _undefined(self, edges: list[_Edge], active: tuple[int, ...]) -> Any:
        (value,) = exact.run(self.plain, [_exact(edge.half) for edge in edges])
        if isinstance(value, exact.Undefined):
            point = self._confirmed(edges, active)
            if point is not None:
                return point, f"undefined: {value.why}"
        return None

    def _at_point(self, edges: list[_Edge], active: tuple[int, ...]) -> Any:
        """A box that has shrunk to a point."""
        point = [_exact(edge.low) for edge in edges]
        (value,) = exact.run(self.plain, point)
        if isinstance(value, exact.Undefined):
            confirmed = self._confirmed(edges, active)
            return (confirmed, f"undefined: {value.why}") if confirmed else self._gave_up(edges)
        if isinstance(value, fmpq):
            if value > 0 or (value == 0 and not self.strict):
                return None
            return self._confirmed(edges, active) or self._gave_up(edges)
        for more in (*_PRECISIONS, 1024):
            ctx.prec = more
            self.highest = max(self.highest, more)
            ball = self.value.run(*[arb(x) for x in point])[0]
            if self._passes(ball):
                return None
            if self._violates(ball):
                return self._confirmed(edges, active) or self._gave_up(edges)
        return self._gave_up(edges)

    def _gave_up(self, edges: list[_Edge]) -> str:
        where = ", ".join(
            f"{s} = {float(e.mid):.6g}" for s, e in zip(self.symbols, edges, strict=True)
        )
        return f"no ball decides at {where}"

    def _split(
        self,
        edges: list[_Edge],
        active: tuple[int, ...],
        prec: int,
        open_: list[int],
        slopes: Sequence[arb] | None,
    ) -> Any:
        if slopes is None:
            best = max(open_, key=lambda i: edges[i].width / self.sizes[i])
        else:
            # the side along which the value varies most; ties go to the first
            best = max(open_, key=lambda i: float(slopes[i].abs_upper()) * edges[i].width)
        if edges[best].width < 1e-14 * max(abs(edges[best].float_low), 1e-280):
            widest = max(open_, key=lambda i: edges[i].width / self.sizes[i])
            best = widest
            if edges[best].width < 1e-15 * max(abs(edges[best].float_low), 1e-280):
                # a tie is often at a simple fraction
                simple = [_simplest(_exact(e.low), _exact(e.high)) for e in edges]
                found = self._at_point([_Edge(s, s) for s in simple], active)
                return found or self._gave_up(edges)
        lower, upper = list(edges), list(edges)
        lower[best], upper[best] = edges[best].halves()
        return [(lower, active, prec), (upper, active, prec)]


def _truth(value: arb, op: str) -> bool | None:
    """Whether ``value op 0``; None when the ball does not tell."""
    if op == ">=":
        return True if value >= ZERO else False if value < ZERO else None
    if op == ">":
        return True if value > ZERO else False if value <= ZERO else None
    if op == "<=":
        return True if value <= ZERO else False if value > ZERO else None
    if op == "<":
        return True if value < ZERO else False if value >= ZERO else None
    apart = value > ZERO or value < ZERO
    if op == "==":
        return False if apart else True if value.is_zero() else None
    return True if apart else False if value.is_zero() else None


def _positive_definite(second: Mapping[tuple[int, int], arb], places: Sequence[int]) -> bool:
    """Whether every symmetric matrix in a matrix of balls is positive definite (elimination)."""
    n = len(places)
    a = [[second[min(i, j), max(i, j)] for j in places] for i in places]
    for k in range(n):
        if not a[k][k] > ZERO:
            return False
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            for j in range(i, n):
                a[i][j] = a[j][i] = a[i][j] - factor * a[k][j]
    return True


def _solve(matrix: list[list[float]], right: list[float]) -> list[float] | None:
    """Solve a small linear system by elimination; None when it is singular."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        if not abs(rows[k][k]) > 1e-300:
            return None
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    found = [0.0] * n
    for k in range(n - 1, -1, -1):
        rest = sum(rows[k][j] * found[j] for j in range(k + 1, n))
        found[k] = (rows[k][n] - rest) / rows[k][k]
    return found if all(abs(x) < 1e300 for x in found) else None


def _inside(x: float, edge: _Edge) -> fmpq | float:
    if x <= edge.float_low:
        return edge.low
    return edge.high if x >= edge.float_high else x


def _simple_near(edges: list[_Edge], place: list[_Edge], open_: list[int]) -> list[fmpq]:
    """Simple fractions close to a point, inside the box."""
    found = []
    for i, edge in enumerate(edges):
        at = _exact(place[i].half)
        if i not in open_:
            found.append(at)
            continue
        slack = fmpq(1, 10**7) * max(abs(at), fmpq(1, 10**4))
        low, high = max(at - slack, _exact(edge.low)), min(at + slack, _exact(edge.high))
        found.append(_simplest(low, high))
    return found


def _simplest(low: fmpq, high: fmpq) -> fmpq:
    """The fraction of smallest denominator in a closed interval (Stern and Brocot)."""
    if low <= 0 <= high:
        return fmpq(0)
    if high < 0:
        return -_simplest(-high, -low)
    whole = fmpq(low.floor())
    if whole == low:
        return whole
    if whole + 1 <= high:
        return whole + 1
    return whole + 1 / _simplest(1 / (high - whole), 1 / (low - whole))


# --- the public face ---------------------------------------------------------------------------


def prove_on_box(
    relation: Any,
    box: Mapping[Any, tuple[Any, Any]],
    *,
    max_boxes: int = 200_000,
    time_limit: float = 10.0,
) -> Evidence:
    """Decide a relation at every point of a closed box, by subdivision in ball arithmetic.

    Parameters
    ----------
    relation : relational or triple
        A SymPy relational such as ``Le(x, y)``, a triple ``(lhs, "<=", rhs)``, or an ``And``.
    box : mapping of symbol or name to (low, high)
        Exact ends: int, Fraction, Rational, or text such as ``"1/20"``.
    max_boxes : int
        How many boxes may be looked at.
    time_limit : float
        Seconds for the call.

    Returns
    -------
    Evidence
        ``proved`` when both sides are defined on the whole box and the relation holds there;
        ``refuted`` with an exact point where it fails or a side is undefined; else ``undecided``.

    Raises
    ------
    ValueError
        For an end that is not exact, an empty range, or a symbol without a range.

    Examples
    --------
    >>> x = sympy.Symbol("x", real=True)
    >>> prove_on_box(sympy.Le(sympy.sin(x), x), {x: (0, "1/2")}).verdict.value
    'proved'
    """
    started = worked()
    tree = as_tree(relation)
    if list(tree.conjuncts()) != list(tree.relations()):
        raise StatementError("prove_on_box takes a relation or an And of relations, got an Or")
    edges = _read_box(tree, box)
    deadline = started + time_limit
    parts = []
    for part in tree.relations():
        found = _on_box(part.map(unfold_definitions), edges, max_boxes, deadline)
        parts.append(replace(found, statement=str(part), latex=part.latex()))
    result = parts[0]
    if len(parts) > 1:
        result = replace(
            weakest(tuple(parts)), statement=str(tree), latex=tree.latex(), parts=tuple(parts)
        )
    return replace(result, seconds=worked() - started)


Box = dict[Symbol, tuple[fmpq, fmpq]]


def _read_box(tree: Tree, box: Mapping[Any, tuple[Any, Any]]) -> Box:
    free = {s for part in tree.relations() for s in part.map(unfold_definitions).free_symbols}
    by_name = {s.name: s for s in sorted(free, key=str)}
    edges: Box = {}
    for key, ends in box.items():
        name = str(key)
        symbol = key if isinstance(key, Symbol) else by_name.get(name)
        if symbol is None:
            known = ", ".join(sorted(by_name)) or "none"
            raise ValueError(f"box names {name}, which is no symbol of the relation ({known})")
        if not isinstance(ends, (tuple, list)) or len(ends) != 2:
            raise ValueError(f"box[{name}] must be a pair (low, high), got {ends!r}")
        low, high = (_end(name, end) for end in ends)
        if low > high:
            raise ValueError(f"box[{name}] must have low <= high, got ({low}, {high})")
        edges[symbol] = (low, high)
    for symbol in sorted(free - set(edges), key=str):
        raise ValueError(f"box must hold a range for every symbol, got none for {symbol}")
    return edges


def _end(name: str, end: Any) -> fmpq:
    if isinstance(end, (float, sympy.Float)):
        better = str(Fraction(str(end))) if math.isfinite(end) else "a number"
        raise ValueError(f"box[{name}] must have exact ends, got the float {end}; write {better!r}")
    try:
        value = as_exact(Fraction(end) if isinstance(end, str) else end)
    except (TypeError, ValueError, ZeroDivisionError):
        value = None
    if not isinstance(value, fmpq):
        raise ValueError(
            f"box[{name}] must have exact ends (int, Fraction, Rational or text), got {end!r}"
        )
    return value


def _on_box(relation: Relation, box: Box, max_boxes: int, deadline: float) -> Evidence:
    middle = {s: (low + high) / 2 for s, (low, high) in box.items()}
    sample = tuple((s.name, str(x)) for s, x in middle.items())
    refuted = None
    for point in _special(box, middle):
        refuted = _refuted_at(relation, point)
        if refuted is not None:
            return replace(refuted, sample=sample)
    boxes, undefined, why = _defined(relation, box, max_boxes, deadline)
    if undefined is not None:
        refuted = _refuted_at(relation, undefined)
        if refuted is not None:
            return replace(refuted, sample=sample)
    if why:
        return Evidence(Verdict.UNDECIDED, reason=f"not shown to be defined on the box: {why}")
    result = None
    for op in _directions(relation, middle):
        with_evaluation = evaluated(relation.lhs) - evaluated(relation.rhs)
        difference = with_evaluation if op in (">", ">=") else -with_evaluation
        left = max(0.0, deadline - worked())
        result = decide_on_box(
            difference, op in ("<", ">"), box, max_boxes=max_boxes - boxes, seconds=left
        )
        boxes += result.boxes
        if result.status != "proved":
            break
    assert result is not None
    if result.status == "refuted" and result.point is not None:
        found = _refuted_at(relation, _shortest(relation, result.point, box))
        if found is not None:
            return replace(found, sample=sample)
    if result.status != "proved":
        reason = result.note or "balls do not decide it"
        return Evidence(Verdict.UNDECIDED, reason=reason, sample=sample)
    return Evidence(
        Verdict.PROVED,
        method="balls",
        trusted=("Arb",),
        reason=f"{boxes} {'box' if boxes == 1 else 'boxes'}, {result.precision} bits",
        sample=sample,
        certificate={
            "boxes": boxes,
            "precision": result.precision,
            "box": {s.name: [str(low), str(high)] for s, (low, high) in box.items()},
        },
    )


def _directions(relation: Relation, middle: dict[Symbol, fmpq]) -> list[str]:
    """The inequalities that give a relation: both for =, the one in the middle for !=."""
    if relation.op == "==":
        return ["<=", ">="]
    if relation.op == "!=":
        return [">" if compare_at(relation.lhs, ">", relation.rhs, middle) is True else "<"]
    return [relation.op]


def _special(box: Box, middle: dict[Symbol, fmpq]) -> list[dict[Symbol, fmpq]]:
    """The middle, 0 where it lies inside, and the corners when there are not too many."""
    zero = {s: fmpq(0) if low <= 0 <= high else (low + high) / 2 for s, (low, high) in box.items()}
    corners: list[dict[Symbol, fmpq]] = [{}]
    for symbol, (low, high) in box.items():
        ends = [low] if low == high else [low, high]
        corners = [{**corner, symbol: end} for corner in corners for end in ends]
        if len(corners) > 64:
            return [middle, zero]
    return [middle, zero, *corners]


def _refuted_at(relation: Relation, point: dict[Symbol, fmpq]) -> Evidence | None:
    truth = compare_at(relation.lhs, relation.op, relation.rhs, point)
    where = tuple((s.name, str(x)) for s, x in point.items())
    if isinstance(truth, exact.Undefined):
        found = Counterexample(where, note=f"undefined: {truth.why}")
    elif truth is False:
        left, right = (_digits(known_at(side, point)) for side in (relation.lhs, relation.rhs))
        found = Counterexample(where, left, "=" if relation.op == "==" else relation.op, right)
    else:
        return None
    return Evidence(Verdict.REFUTED, method="balls", trusted=("Arb",), counterexample=found)


def _digits(value: PointValue) -> str:
    if value.exact is not None and len(str(value.exact)) <= 24:
        return str(value.exact)
    return "?" if value.ball is None else digits_of(value.ball, 8)


def _shortest(relation: Relation, point: dict[Symbol, fmpq], box: Box) -> dict[Symbol, fmpq]:
    """A point close by with short coordinates at which the relation still fails."""
    for digits in range(1, 13):
        trial = {}
        for symbol, value in point.items():
            low, high = box[symbol]
            slack = (high - low) / 10**digits
            trial[symbol] = _simplest(max(low, value - slack), min(high, value + slack))
        if compare_at(relation.lhs, relation.op, relation.rhs, trial) is False:
            return trial
    return point


def _defined(
    relation: Relation, box: Box, max_boxes: int, deadline: float
) -> tuple[int, dict[Symbol, fmpq] | None, str]:
    """Show that both sides, as written, have a value on the whole box.

    Returns how many boxes that took, a point where a side may be undefined, and why it failed.
    """
    symbols, root = tuple(box), list(box.values())
    try:
        tape = tape_of((relation.lhs, relation.rhs), symbols)
    except (CannotCompile, KeyError) as problem:
        return 0, None, f"not compiled: {problem}"
    program = ArbProgram.of(rooted(tape, root))
    queue = deque([[_Edge(low, high) for low, high in root]])
    count = 0
    while queue:
        if count >= max_boxes or worked() > deadline:
            return count, None, f"{count} boxes were not enough"
        count += 1
        edges = queue.popleft()
        if all(value.is_finite() for value in program(*[e.ball for e in edges], prec=64)):
            continue
        widest = max(range(len(edges)), key=lambda i: edges[i].width, default=None)
        simple = [_simplest(_exact(e.low), _exact(e.high)) for e in edges]
        for values in ([_exact(e.half) for e in edges], simple):
            point = dict(zip(symbols, values, strict=True))
            if any(isinstance(v, exact.Undefined) for v in exact.run(tape, values)):
                return count, point, "undefined at a point"
        if widest is None or edges[widest].width < 1e-12:
            return count, None, "no ball has a value close to a point"
        for half in edges[widest].halves():
            queue.append([half if i == widest else edge for i, edge in enumerate(edges)])
    return count, None, ""


# --- arguments of functions, written with fewer occurrences ------------------------------------


def _narrowed(e: Expr, box: Mapping[Symbol, tuple[fmpq, fmpq]]) -> Expr:
    """Cancel inside the arguments of functions, where no denominator there meets 0 on the box.

    ``(mu/2 - eps/mu)`` with eps = mu**2/2 + t*mu becomes -t: far fewer boxes.
    """
    changes: dict[Expr, Expr] = {}
    for part in sorted(e.atoms(sympy.Function), key=sympy.default_sort_key):
        if isinstance(part, (sympy.Piecewise, sympy.Max, sympy.Min)):
            continue
        for arg in part.args:
            if arg in changes or not arg.free_symbols or not arg.is_rational_function():
                continue
            if arg.is_Atom or _size(arg) > 60:
                continue
            shorter = _cancelled(arg, box)
            if shorter is not None:
                changes[arg] = shorter
    return _rebuilt(e, changes, {}) if changes else e


def _size(e: Expr) -> int:
    return sum(1 for _ in nodes_of(e))


def _cancelled(arg: Expr, box: Mapping[Symbol, tuple[fmpq, fmpq]]) -> Expr | None:
    if not any(isinstance(x, sympy.Pow) and x.exp.is_negative for x in nodes_of(arg)):
        shorter = sympy.expand(arg)
        return shorter if _size(shorter) < _size(arg) else None
    symbols = tuple(box)
    balls = [_Edge(low, high).ball for low, high in box.values()]
    if not ArbProgram((arg,), symbols)(*balls)[0].is_finite():
        return None
    shorter = sympy.cancel(arg)
    # expanded sums of quotients often repeat less than one quotient
    best = min((shorter, sympy.expand(shorter), arg), key=_size)
    return None if best == arg else best


def _rebuilt(e: Any, changes: Mapping[Expr, Expr], memo: dict[Any, Any]) -> Any:
    """Replace whole subtrees; everything else stays as it is written."""
    if e in changes:
        return changes[e]
    if e in memo:
        return memo[e]
    if not e.args:
        return e
    args = [_rebuilt(arg, changes, memo) for arg in e.args]
    if all(new is old for new, old in zip(args, e.args, strict=True)):
        memo[e] = e
    else:
        with sympy.evaluate(False):
            memo[e] = e.func(*args)
    return memo[e]
