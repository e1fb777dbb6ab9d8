"""Search for counterexamples, and confirm them exactly.

Floating point screens; exact rationals and balls confirm. A point refutes only when it certainly
lies in the domain and the relation certainly fails there, or a side is undefined there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Expr, Symbol

from dpbook.engine.evaluate.exact_points import Undefined, compare_at, digits_of, known_at
from dpbook.engine.evaluate.floats import FloatProgram
from dpbook.engine.evaluate.sampler import (
    ClosedForm,
    Coordinate,
    Point,
    Sampler,
    ascending,
    equal_exactly,
    float_holds,
    rationals,
    short,
)
from dpbook.engine.language.arrays import np
from dpbook.engine.language.budget import Deadline
from dpbook.engine.language.domain import Domain
from dpbook.engine.language.statement import COMPARE, Relation, evaluated
from dpbook.engine.language.verdict import Counterexample

SIMPLE = rationals("0 1 2 -1 1/2 3 1/3 1/4 4 -2 5 10 3/4 1/10 100")
# where elementary functions turn or tie, besides the rational numbers
KNOWN = tuple(
    sign * number
    for number in (*(sympy.pi * k / 2 for k in range(1, 5)), sympy.E, 1 / sympy.E, sympy.log(2))
    for sign in (1, -1)
)
FAR = [fmpq(10) ** 60, fmpq(1, 10**60), fmpq(10) ** 400, fmpq(10) ** 6, fmpq(1, 10**6), fmpq(1000)]


@dataclass
class SearchStatistics:
    """Record the points that a search has compared for one alternative of relations on one domain.

    Attributes
    ----------
    tried : int
        Points at which both sides were compared.
    margin : float
        The smallest relative slack seen, ``inf`` when none was.
    where : dict
        The point of that margin, in floating point.
    open : dict
        A point that clearly fails in floating point, and is open in exact numbers.
    """

    tried: int = 0
    margin: float = float("inf")
    where: dict[str, float] | None = None
    open: dict[str, float] | None = None

    def describe(self) -> str:
        if self.where is None:
            return "1 point" if self.tried == 1 else f"{self.tried} points"
        return f"{self.margin:.3g} (relative) at {_named(self.where)}; {self.tried} points drawn"

    @property
    def doubt(self) -> str:
        """Say where the relation fails in floating point alone; empty where it does not."""
        if self.open is None:
            return ""
        return (
            f"in floating point it fails at {_named(self.open)}, in exact numbers it is open there"
        )


def _named(point: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:.6g}" for name, value in sorted(point.items()))


def verdict_at(relations: Sequence[Relation], point: Point) -> tuple[bool | None, str]:
    """Decide an alternative of relations at a point: (False, why) when it certainly fails there.

    Returns
    -------
    (bool or None, str)
        False with ``undefined at ...`` when a side is certainly no real number.
    """
    results = [compare_at(r.lhs, r.op, r.rhs, point) for r in relations]
    for result in results:
        if isinstance(result, Undefined):
            return False, f"undefined: {result.why}"
    if True in results:
        return True, ""
    open_ = [r for r, result in zip(relations, results, strict=True) if result is None]
    ties = all(r.op in ("<", ">", "!=") and equal_exactly(r, point) for r in open_)
    return (False if ties else None), ""


QUICK = 300  # points drawn before many
KEPT = 24  # points that are moved
CLEAR = -1e-6  # relative slack that is no rounding
CHECKS = (60, 180)  # of suspicious points, few and many drawn: rounding makes some that never fail
FAILURES = (TypeError, ValueError, KeyError, NotImplementedError)  # of a compilation


class Refuter:
    """Search one domain for a point at which an alternative of relations fails."""

    def __init__(
        self,
        relations: Sequence[Relation],
        domain: Domain,
        seed: int,
        deadline: Deadline,
        candidates: Iterable[dict[str, Any]] = (),
    ) -> None:
        self.relations = list(relations)
        self.domain = domain
        self.deadline = deadline
        self.sampler = Sampler(domain, seed)
        self.seed = seed + 1
        self.candidates = list(candidates)
        self.seen = SearchStatistics()
        self.order = tuple(domain.variables)

    @cached_property
    def rng(self) -> np.random.Generator:
        """Return the generator that moves points."""
        return np.random.default_rng(self.seed)

    @cached_property
    def programs(self) -> tuple[FloatProgram, list[tuple[str, FloatProgram]]] | None:
        """Return both sides of each relation, and the conditions, in floating point.

        None where one of them has no value there.
        """
        sides = tuple(side for r in self.relations for side in (r.lhs, r.rhs))
        conditions = self.domain.relations()
        try:
            inside = [(r.op, FloatProgram((r.lhs, r.rhs), self.order)) for r in conditions]
            return FloatProgram(sides, self.order), inside
        except FAILURES:
            return None

    # --- stages ---------------------------------------------------------------------------------

    def quick(self) -> Counterexample | None:
        """Try a few suggested and simple points."""
        named = map(self.sampler.named, self.candidates)
        tried = [self._check(point) for point in named if point is not None]
        suggested = [failing for failing in tried if failing is not None]
        if suggested:
            return self._simplest(suggested)
        found: list[tuple[Point, str]] = []
        for count, point in enumerate(self.sampler.simple(40)):
            if self.deadline.passed or (found and count > 12):
                break
            result = self._check(point)
            if result is not None:
                found.append(result)
        return self._simplest(found) if found else None

    def few(self) -> Counterexample | None:
        """Try some hundred drawn points."""
        return self._drawn(QUICK)

    def thorough(self) -> Counterexample | None:
        """Try far points and some thousand drawn points, then search for the smallest slack."""
        return self._far() or self._drawn(3000) or self._descend()

    # --- points ---------------------------------------------------------------------------------

    def _decided(self, point: Point) -> tuple[bool | None, str]:
        result, why = verdict_at(self.relations, point)
        self.seen.tried += result is not None
        return result, why

    def _check(self, point: Point) -> tuple[Point, str] | None:
        result, why = self._decided(point)
        return (point, why) if result is False else None

    def _far(self) -> Counterexample | None:
        starts = () if self.sampler.equations else self.sampler.simple(3)
        values = FAR if len(self.order) <= 8 else FAR[:1]
        for start, variable, value in product(starts, self.order, values):
            found = list(self._failing({**start, variable: far} for far in (value, -value)))
            if found:
                return self._simplest(found)
        return None

    def _failing(self, points: Iterable[Point]) -> Iterator[tuple[Point, str]]:
        """Yield the points of the domain among some points at which the relations fail."""
        for point in points:
            if self.deadline.passed:
                return
            result = self._check(point) if self.sampler.contains(point) else None
            if result is not None:
                yield result

    def _measure(self, arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Return relative slack (negative: violated), and mark points where a side is undefined."""
        assert self.programs is not None
        program, _ = self.programs
        with np.errstate(all="ignore"):
            shape = arrays[0].shape
            values = [np.broadcast_to(np.float64(v), shape) for v in program(*arrays)]
            slack, undefined = np.full(shape, -np.inf), np.zeros(shape, dtype=bool)
            sides = zip(values[::2], values[1::2], strict=True)
            for relation, (left, right) in zip(self.relations, sides, strict=True):
                # a division by zero is infinite in floating point
                undefined |= ~(np.isfinite(left) & np.isfinite(right))
                size = np.abs(left) + np.abs(right) + 1e-300
                gap = (right - left if relation.op in ("<=", "<") else left - right) / size
                if relation.op in ("==", "!="):
                    gap = np.abs(gap)
                if relation.op == "==":
                    gap = np.where(gap < 1e-9, 0.0, -gap)
                slack = np.maximum(slack, np.where(np.isnan(gap), np.inf, gap))
        return slack, undefined

    def _arrays(self, count: int) -> list[np.ndarray]:
        """Draw up to `count` points; return their coordinates, or nothing where floats do not help."""
        if self.programs is None or not self.order:
            return []
        drawn = self.sampler.floats(count)
        return [drawn[v] for v in self.order] if len(drawn[self.order[0]]) else []

    def _drawn(self, count: int) -> Counterexample | None:
        arrays = self._arrays(count)
        if not arrays:
            return None
        slack, undefined = self._measure(arrays)
        self._note(arrays, slack)
        return self._confirm(arrays, slack, undefined)

    def _note(self, arrays: Sequence[np.ndarray], slack: np.ndarray) -> None:
        finite = np.isfinite(slack)
        self.seen.tried += int(finite.sum())
        if finite.any():
            best = int(np.argmin(np.where(finite, slack, np.inf)))
            if slack[best] < self.seen.margin:
                self.seen.margin = float(slack[best])
                self.seen.where = {v.name: x for v, x in self._at(arrays, best).items()}

    def _at(self, arrays: Sequence[np.ndarray], index: int) -> dict[Symbol, float]:
        return {v: float(a[index]) for v, a in zip(self.order, arrays, strict=True)}

    def _confirm(
        self, arrays: Sequence[np.ndarray], slack: np.ndarray, undefined: np.ndarray
    ) -> Counterexample | None:
        strict = any(r.op in ("<", ">", "!=") for r in self.relations)
        suspicious = np.where(undefined, -1.0, slack)
        level = 1e-13 if strict else -1e-13
        order = ascending(suspicious)
        picked = [int(i) for i in order[:200] if suspicious[i] <= level]
        # the largest violations round best; a few of the smallest points round shortest
        bulk = sorted(picked, key=lambda i: sum(abs(np.log10(abs(a[i]) + 1e-300)) for a in arrays))
        found: list[tuple[Point, str]] = []
        checks = CHECKS[len(slack) > QUICK]
        for index in list(dict.fromkeys(picked[:12] + bulk[:12] + picked[12:24])):
            if checks < 0 or self.deadline.passed or len(found) >= 6:
                break
            floats = self._at(arrays, index)
            checks -= 1
            drawn = self.sampler.exact(floats, 1e-13)
            settled = False if drawn is None else self._decided(drawn)[0]
            if settled is None and slack[index] < CLEAR and not undefined[index]:
                self.seen.open = {v.name: x for v, x in floats.items()}
            if settled is not False:
                continue  # only rounding made it suspicious, or exact numbers leave it open
            for tolerance in (0.2, 0.03, 1e-3, 1e-6, 1e-9, 1e-13):
                checks -= 1
                point = self.sampler.exact(floats, tolerance)
                result = None if point is None else self._check(point)
                if result is not None:
                    found.append(result)
                    break
        return self._simplest(found) if found else None

    def _descend(self) -> Counterexample | None:
        """Move the points of smallest slack to smaller slack, at shrinking scales."""
        arrays = self._arrays(1500)
        if not arrays or self.programs is None:
            return None
        _, conditions = self.programs
        slack, _ = self._measure(arrays)
        for round_ in range(36):
            if self.deadline.passed:
                return None
            order = ascending(slack)[:KEPT]
            scale = 10.0 ** (-round_ / 5.0)
            moved = []
            for variable, a in zip(self.order, arrays, strict=True):
                base = np.repeat(a[order], 16)
                noise = self.rng.standard_normal(base.shape)
                step = base + scale * noise * (abs(base) + 0.1)
                if round_ % 2:
                    step = base * np.exp(scale * noise)
                hold = self.rng.random(base.shape) < 0.4
                # the smallest slack is often at an end of a range
                low, high = self.sampler.numeric_range(variable)
                value = np.where(hold, base, np.fmin(np.fmax(step, low), high))
                if self.domain.bounds[variable].integer:
                    value = np.round(value)
                moved.append(np.concatenate([a[order], value]))
            inside = np.ones(moved[0].shape, dtype=bool)
            with np.errstate(all="ignore"):
                for op, program in conditions:
                    left, right = program(*moved)
                    inside &= np.broadcast_to(float_holds(left, op, right), inside.shape)
            inside[: len(order)] = True
            arrays = [a[inside] for a in moved]
            slack, undefined = self._measure(arrays)
            self._note(arrays, slack)
            if (slack < -1e-12).any():
                found = self._confirm(arrays, slack, undefined)
                if found is not None:
                    return found
        return self._near_ties(arrays, slack)

    def _near_ties(self, arrays: Sequence[np.ndarray], slack: np.ndarray) -> Counterexample | None:
        """Check exact numbers near the points of smallest slack: ties are often at simple ones."""
        if not any(r.op in ("<", ">", "!=") for r in self.relations) or self.sampler.equations:
            return None
        for index in ascending(slack)[:4]:
            near = _exact_near(self._at(arrays, index), self.relations)
            for failing in self._failing(near):
                return self._simplest([failing])
        return None

    def at(self, values: Mapping[str, Expr]) -> Counterexample | None:
        """Check one point and no other; its values are exact numbers, by name."""
        point = self.sampler.named(values)
        result = None if point is None else self._check(point)
        return None if result is None else self._shown(*result)

    # --- the simplest counterexample -----------------------------------------------------------

    def _simplest(self, found: list[tuple[Point, str]]) -> Counterexample:
        plain = [item for item in found if not item[1]] or found
        point, why = min(plain, key=lambda item: _length(item[0]))
        improved = all(isinstance(value, fmpq) for value in point.values())
        for _ in range(3):
            if not improved or self.deadline.passed:
                break
            improved = False
            for variable in self.order:
                for value in _simpler(point[variable]):
                    trial = {**point, variable: value}
                    if not self.sampler.contains(trial):
                        continue
                    result, reason = verdict_at(self.relations, trial)
                    if result is False and bool(reason) == bool(why):
                        point, why, improved = trial, reason, True
                        break
        return self._shown(point, why)

    def _shown(self, point: Point, why: str) -> Counterexample:
        exact = tuple((v.name, short(point[v])) for v in self.order)
        if why:
            return Counterexample(exact, note=why)
        relation = self.relations[0]
        values = [known_at(side, point) for side in (relation.lhs, relation.rhs)]
        if compare_at(relation.lhs, relation.op, relation.rhs, point) is None:  # a tie
            # a ball around 0 is not 0: both sides get the value that is known better
            values = [next((v for v in values if v.exact is not None), values[0])] * 2
        left, right = _told_apart(relation.op, *values)
        note = "" if len(self.relations) == 1 else "every alternative fails there"
        return Counterexample(exact, left, "=" if relation.op == "==" else relation.op, right, note)


def _exact_near(at: dict[Symbol, float], relations: Sequence[Relation]) -> Iterator[Point]:
    """Yield points on a coarse grid; on the line also roots of quadratics and known numbers."""
    for grid in (1, 2, 3, 4, 5, 6, 8, 10, 12, 100):
        yield {v: fmpq(round(x * grid), grid) for v, x in at.items()}
    if len(at) == 1:
        ((v, x),) = at.items()
        for root in _quadratic_roots(relations, v):
            yield {v: ClosedForm(root)}
        for number in KNOWN:
            if abs(float(number) - x) <= 1e-4 * max(1.0, abs(x)):
                yield {v: ClosedForm(number)}


def _quadratic_roots(relations: Sequence[Relation], v: Symbol) -> Iterator[Expr]:
    for relation in relations:
        difference = relation.map(evaluated).difference
        if difference.is_polynomial(v) and sympy.count_ops(difference) < 60:
            # SymPy may not write the coefficients over one field
            with suppress(sympy.PolynomialError):
                for factor, _ in sympy.factor_list(difference, v)[1]:
                    if sympy.degree(factor, v) == 2:
                        yield from (root for root in sympy.roots(factor, v) if root.is_real)


def _simpler(value: Coordinate) -> list[fmpq]:
    size = len(str(value))
    return [candidate for candidate in SIMPLE if len(str(candidate)) < size][:12]


def _length(point: Point) -> tuple[int, int]:
    texts = [short(value) for value in point.values()]
    return (sum(map(len, texts)), sum("-" in text for text in texts))


def _told_apart(op: str, left: Any, right: Any) -> tuple[str, str]:
    """Return both sides with enough digits to see the relation fail; 8 where no number suffices."""
    for more in (0, 4, 8, 16, 24):
        sides = _digits(left, more), _digits(right, more)
        if not all(map(_PLAIN.fullmatch, sides)):  # a closed form, or too large to be written out
            break
        first, second = map(Fraction, sides)
        if not COMPARE[op](first, second):
            return sides
    return _digits(left), _digits(right)


_PLAIN = re.compile(r"-?[0-9]+(/[0-9]+|(\.[0-9]*)?(e[+-]?[0-9]{1,3})?)")


def _digits(value: Any, more: int = 0) -> str:
    if value.exact is not None:
        text = short(value.exact)
        return text if len(text) <= 24 else str(arb(value.exact).str(7 + more, radius=False))
    return "?" if value.ball is None else digits_of(value.ball, 8 + more)
