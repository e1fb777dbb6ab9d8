"""The search for a proof: goals, proofs, and rungs tried by iterative deepening.

A rung is a function ``rung(prover, goal, depth)`` that returns a Proof or None; it may ask the
prover for subgoals of smaller depth. A failed goal is remembered with the depth that was left, so
that a failure deep in one branch does not block the same goal higher up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy
from flint import fmpq
from sympy import Expr, Symbol

from dpbook.engine.budget import Deadline
from dpbook.engine.compile import FloatProgram, compare_at
from dpbook.engine.domain import Bounds, Domain
from dpbook.engine.errors import unless_ours
from dpbook.engine.methods.identity import is_zero
from dpbook.engine.methods.signs import Signs
from dpbook.engine.points import Sampler, ascending

DEPTHS = (1, 2, 3, 4, 6)


@dataclass(frozen=True)
class Goal:
    """``expr op 0`` on a domain; op is one of >=, >, ==, !=."""

    expr: Expr
    op: str
    domain: Domain

    @property
    def strict(self) -> bool:
        return self.op == ">"


@dataclass(frozen=True)
class Proof:
    """How a goal was proved: the rung, what it trusts, and the outline."""

    method: str
    trusted: frozenset[str] = frozenset()
    lines: tuple[str, ...] = ()
    certificate: dict[str, Any] = field(default_factory=dict, compare=False)

    def because(self, line: str, method: str = "", trusted: Iterable[str] = ()) -> Proof:
        """Put a step in front, and name the method that took it."""
        return Proof(
            method or self.method,
            self.trusted | frozenset(trusted),
            (line, *self.lines),
            self.certificate,
        )


def joined(method: str, line: str, proofs: Sequence[Proof], trusted: Iterable[str] = ()) -> Proof:
    """One proof from several subproofs."""
    base = frozenset(trusted).union(*(p.trusted for p in proofs))
    lines = (line, *(f"  {inner}" for p in proofs for inner in p.lines))
    return Proof(method, base, lines[:40], merged(p.certificate for p in proofs))


def merged(certificates: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """One certificate that holds the problems of all: a proof is rechecked whole or not at all."""
    found: dict[str, Any] = {}
    for certificate in certificates:
        for name, value in certificate.items():
            if name == "smt" and name in found:
                both = (found[name]["problems"], value["problems"])
                problems = None if None in both else list(dict.fromkeys(both[0] + both[1]))
                found[name] = {**value, "problems": problems}
            else:
                found.setdefault(name, value)
    return found


LONG = 120  # operations beyond which differentiating and expanding cost more than they bring
FOR_LONG = {
    *("identity", "different", "factors", "from_facts", "fraction", "cases"),
    *("z3_polynomial", "z3_axioms", "equality", "modular"),
}

Rung = Callable[["Prover", Goal, int], "Proof | None"]

ALGEBRA = "exact algebra"


@dataclass
class ProofCache:
    """What several provers of one task share: goals that are proved, signs, drawn points."""

    proved: dict[Goal, Proof] = field(default_factory=dict)
    signs: dict[Domain, Signs] = field(default_factory=dict)
    screens: dict[Domain, dict[Symbol, Any]] = field(default_factory=dict)


class Prover:
    """Proves goals with a list of rungs, until a deadline.

    Parameters
    ----------
    rungs : sequence of (name, rung, smallest depth)
    deadline : Deadline
    only : sequence of str
        Names of the rungs allowed; empty for all.
    """

    def __init__(
        self,
        rungs: Sequence[tuple[str, Rung, int]],
        deadline: Deadline,
        seed: int = 0,
        only: Sequence[str] = (),
        trace: Callable[[str], None] | None = None,
        memory: ProofCache | None = None,
    ) -> None:
        self.rungs = rungs
        self.deadline = deadline
        self.seed = seed
        self.only = only
        self.trace = trace
        memory = memory or ProofCache()
        self.failed: dict[Goal, int] = {}
        self.proved = memory.proved
        self._signs = memory.signs
        self._screens = memory.screens
        self._sizes: dict[tuple[Expr, tuple[Symbol, ...]], FloatProgram] = {}
        self._open: set[Goal] = set()
        self.effort = 1.0
        self.candidate_counterexamples: list[
            dict[Symbol, Any]
        ] = []  # points at which a goal failed

    # --- entry ------------------------------------------------------------------------------

    def solve(
        self, expr: Expr, op: str, domain: Domain, depths: Sequence[int] = DEPTHS
    ) -> Proof | None:
        """Prove ``expr op 0`` on a domain, deeper and deeper while there is time."""
        for depth in depths:
            if self.deadline.passed:
                return None
            self.effort = float(depth)
            proof = self.prove(expr, op, domain, depth)
            if proof is not None:
                return proof
        return None

    def prove(self, expr: Expr, op: str, domain: Domain, depth: int) -> Proof | None:
        """Prove one goal within a depth; None says nothing about its truth."""
        if op in ("<", "<="):
            expr, op = -expr, {"<": ">", "<=": ">="}[op]
        if depth < 0 or self.deadline.passed or expr.has(sympy.nan, sympy.zoo, sympy.I):
            return None
        goal = renamed(Goal(expr, op, domain))
        if goal in self.proved:
            return self.proved[goal]
        if self.failed.get(goal, -1) >= depth or goal in self._open:
            return None
        self._open.add(goal)
        try:
            proof = self._attempt(goal, depth)
        finally:
            self._open.discard(goal)
        if proof is not None:
            self.proved[goal] = proof
            if self.trace:
                self.trace(f"{'  ' * (6 - depth)}proved {goal.expr} {goal.op} 0 by {proof.method}")
            return proof
        if not self.deadline.passed:
            self.failed[goal] = depth
        return None

    def _attempt(self, goal: Goal, depth: int) -> Proof | None:
        if goal.expr.is_Rational:
            value = goal.expr
            holds = {">=": value >= 0, ">": value > 0, "==": value == 0, "!=": value != 0}[goal.op]
            return Proof("exact", frozenset({"exact arithmetic"})) if holds else None
        if goal.op in (">=", ">") and self.signs(goal.domain).range(goal.expr).positive:
            return Proof(
                "signs", frozenset({ALGEBRA}), (f"{goal.expr} > 0 by the signs of its parts",)
            )
        if goal.op == ">=" and self.signs(goal.domain).range(goal.expr).nonnegative:
            return Proof(
                "signs", frozenset({ALGEBRA}), (f"{goal.expr} >= 0 by the signs of its parts",)
            )
        if goal.op == "!=":
            r = self.signs(goal.domain).range(goal.expr)
            if r.positive or r.negative:
                return Proof("signs", frozenset({ALGEBRA}), (f"{goal.expr} != 0 by signs",))
        if self.numerically_refuted(goal):
            return None
        long = sympy.count_ops(goal.expr) > LONG
        for name, rung, least in self.rungs:
            if depth < least or (self.only and name not in self.only):
                continue
            if long and rung.__name__ not in FOR_LONG:
                continue
            if self.deadline.passed:
                return None
            if self.trace:
                self.trace(
                    f"{'  ' * (6 - depth)}{name}[{depth}]: {str(goal.expr)[:120]} {goal.op} 0"
                )
            try:
                proof = rung(self, goal, depth)
            except Exception as error:  # SymPy fails in many ways; a rung that fails proves nothing
                unless_ours(error)
                if self.trace:
                    self.trace(f"{name} failed: {type(error).__name__}: {error}")
                continue
            if proof is not None:
                return proof
        return None

    # --- helpers for rungs --------------------------------------------------------------------

    def signs(self, domain: Domain) -> Signs:
        key = domain
        if key not in self._signs:
            self._signs[key] = Signs(domain)
        return self._signs[key]

    def positive_on(self, domain: Domain) -> Callable[[Expr], bool]:
        """Return a sound, quick test of positivity on a domain."""
        signs = self.signs(domain)
        return lambda e: signs.range(e).positive

    def zero(self, expr: Expr, domain: Domain) -> bool:
        return is_zero(expr, self.positive_on(domain))

    def looks_zero(self, expr: Expr, domain: Domain, v: Symbol, c: Expr) -> bool:
        """Whether drawn points leave it open that an expression is zero where v = c."""
        drawn = self.floats(domain)
        order = tuple(drawn)
        if v not in order or not len(drawn[v]):
            return True
        try:
            if (expr, order) not in self._sizes:
                self._sizes[expr, order] = FloatProgram(sympy.Add.make_args(expr), order)
            points = {w: values[:24] for w, values in drawn.items()}
            (at,) = FloatProgram((c,), order)(*points.values())
            points[v] = np.broadcast_to(np.asarray(at, dtype=float), points[v].shape)
            terms = self._sizes[expr, order](*points.values())
        except (ValueError, TypeError, KeyError, NotImplementedError, OverflowError):
            return True
        with np.errstate(all="ignore"):
            size = sum(np.abs(np.asarray(term, dtype=float)) for term in terms)
            apart = np.abs(sum(np.asarray(term, dtype=float) for term in terms)) > 1e-6 * size
        return not bool(np.any(apart & np.isfinite(size)))

    def floats(self, domain: Domain) -> dict[Symbol, Any]:
        """Return about sixty drawn points of a domain, in floating point."""
        key = domain
        if key not in self._screens:
            try:
                self._screens[key] = Sampler(domain, self.seed).floats(96)
            except (ValueError, TypeError, ZeroDivisionError, OverflowError):
                self._screens[key] = {}
        return self._screens[key]

    def numerically_refuted(self, goal: Goal) -> bool:
        """Whether drawn points make the goal look clearly false: then no time is spent on it."""
        if goal.op == "!=":
            return False
        drawn = self.floats(goal.domain)
        order = tuple(drawn)
        if not order or not len(drawn[order[0]]):
            return False
        try:
            terms = sympy.Add.make_args(goal.expr)
            value, size = FloatProgram(
                (goal.expr, sympy.Add(*[sympy.Abs(t) for t in terms])), order
            )(*(drawn[v] for v in order))
        except (ValueError, TypeError, KeyError, NotImplementedError, OverflowError):
            return False
        value, size = np.asarray(value, dtype=float), np.asarray(size, dtype=float)
        sure = np.isfinite(value) & np.isfinite(size)
        gap = -np.abs(value) if goal.op == "==" else value
        with np.errstate(all="ignore"):
            below = np.where(sure, gap / (size + 1e-300), 0.0)
        for index in ascending(below)[:3]:
            if not below[index] < -1e-9:
                return False
            # rounding inside a logarithm or a root can look like a violation: ask a ball
            point = {v: _exact(float(np.broadcast_to(drawn[v], below.shape)[index])) for v in order}
            if compare_at(goal.expr, goal.op, sympy.S.Zero, point) is False:
                return True
        return False


def _exact(value: float) -> fmpq:
    numerator, denominator = value.as_integer_ratio()
    return fmpq(numerator, denominator)


def renamed(goal: Goal) -> Goal:
    """Give every variable the sign that its numeric range implies, so that SymPy may use it."""
    changes: dict[Symbol, Symbol] = {}
    for variable in goal.domain.variables:
        better = _with_sign(variable, goal.domain.bounds[variable])
        if better != variable:
            changes[variable] = better
    if not changes:
        return _trimmed(goal)
    domain = goal.domain.map(lambda e: e.xreplace(changes), changes)
    return _trimmed(Goal(goal.expr.xreplace(changes), goal.op, domain))


def _with_sign(variable: Symbol, bounds: Bounds) -> Symbol:
    assumptions: dict[str, bool] = {"integer": True} if bounds.integer else {"real": True}
    lower, upper = bounds.lower, bounds.upper
    if lower is not None and lower.is_number:
        if lower.is_positive or (lower.is_zero and bounds.lower_open):
            assumptions["positive"] = True
        elif lower.is_zero:
            assumptions["nonnegative"] = True
    if upper is not None and upper.is_number:
        if upper.is_negative or (upper.is_zero and bounds.upper_open):
            assumptions["negative"] = True
        elif upper.is_zero and "nonnegative" not in assumptions:
            assumptions["nonpositive"] = True
    if not assumptions.keys().isdisjoint({"positive", "nonnegative"}) and not (
        assumptions.keys().isdisjoint({"negative", "nonpositive"})
    ):  # an empty case, or the single point 0: no sign helps
        assumptions = {k: v for k, v in assumptions.items() if k in ("integer", "real")}
    if bool(variable.is_integer) == bounds.integer and all(
        variable.assumptions0.get(k) == v for k, v in assumptions.items()
    ):
        return variable
    return Symbol(variable.name, **assumptions)


def _trimmed(goal: Goal) -> Goal:
    """Drop variables that neither the goal nor a condition connected with it mentions."""
    needed = set(goal.expr.free_symbols)
    relations = [r.free_symbols for r in goal.domain.relations()]
    growing = True
    while growing:
        growing = False
        for free in relations:
            if free & needed and not free <= needed:
                needed |= free
                growing = True
    if needed >= set(goal.domain.variables):
        return goal
    variables = tuple(v for v in goal.domain.variables if v in needed)
    conditions = tuple(c for c in goal.domain.conditions if c.free_symbols & needed)
    facts = tuple(f for f in goal.domain.facts if f.free_symbols <= needed)
    bounds = {v: goal.domain.bounds[v] for v in variables}
    return Goal(goal.expr, goal.op, Domain(variables, bounds, conditions, facts))


def hypotheses(domain: Domain) -> list[tuple[Expr, str]]:
    """Return the domain as pairs (expr, op), each meaning ``expr op 0``."""
    facts = [fact for fact in domain.facts if sympy.count_ops(fact.lhs - fact.rhs) < LONG]
    return [(r.lhs - r.rhs, r.op) for r in (*domain.relations(), *facts)]
