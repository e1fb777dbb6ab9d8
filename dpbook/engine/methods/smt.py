"""Z3 over the reals: polynomials exactly, everything else as a fresh real with true axioms.

A question is a conjunction of formulas ``expr op 0``. Every expression becomes a quotient of
two polynomials in generators: the symbols, and one generator for each distinct term that is
no polynomial (exp(u), log(u), a root, a power a**b, ...). Roots are defined exactly; other
terms are known only by axioms, each true for all real arguments at which the term is
defined. So `unsat` carries over from the generators to the real numbers, `sat` does not.

Precondition of every function here: the caller has proved that all expressions are finite
real numbers wherever the hypotheses hold. Only then may a denominator be taken as nonzero,
the argument of a log as positive and that of a root as nonnegative: Z3's own division is
total and is never used.

Axioms are added lazily: Z3 is asked, and those that its model violates are added.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
import z3
from flint import fmpq

from dpbook.engine.methods.ratios import Unsupported
from dpbook.engine.methods.smt_axioms import Problem, holds
from dpbook.engine.methods.smt_signs import FLIPPED, Clock
from dpbook.engine.methods.smt_terms import MAX_DEGREE, Formula, Split, expression, negated
from dpbook.engine.methods.smtlib import Writer, ask_z3

__all__ = ["SmtProof", "SmtResult", "prove", "unsat"]

MAX_CASES = 16  # of one question, when Abs, Max, Min and Piecewise are split
CERTIFICATE_LIMIT = 60_000  # characters


@dataclass(frozen=True)
class SmtResult:
    """What Z3 said about a conjunction: ``status`` is "unsat", "sat" or "unknown".

    ``model`` gives a rational for each symbol (an algebraic value is approximated); it is a
    candidate and nothing more. ``problems`` holds the SMT-LIB text of each case.
    """

    status: str
    model: dict[sp.Symbol, fmpq] | None = None
    used_axioms: tuple[str, ...] = ()
    seconds: float = 0.0
    problems: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class SmtProof:
    """A goal follows from the hypotheses: with its negation they are unsatisfiable."""

    axioms: tuple[str, ...] = ()
    certificate: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    method: str = "z3"


# (solver, encoding, share of the time left)
_SCHEDULE = (
    ("nlsat", "cleared", 0.1),
    ("nlsat, as written", "cleared", 0.12),
    ("smt", "cleared", 0.12),
    ("nlsat", "quotient", 0.3),
    ("nlsat", "cleared", 0.5),
    ("nlsat, as written", "cleared", 1.0),
)


# (largest rank, skipped families, axioms added in a round, share of the time left)
_POLICIES = (
    (3, ("increasing", "sign", "square root", "strictly", "monotone"), 2, 0.3),
    (9, (), 6, 0.5),
    (9, (), 3, 1.0),
)


def _decide(problem: Problem, clock: Clock, use_axioms: bool, seed: int) -> SmtResult:
    """Ask Z3 with several choices of axioms, unless they make no difference."""
    problem.relate_powers()
    problem.relate_logs()
    session = _Session(problem, clock, seed)
    pool = problem.axioms() if use_axioms else []
    if all(item[0] == 0 for item in pool):
        return session.run(pool, (9, (), 6, 1.0), False, _SCHEDULE)
    result = SmtResult("unknown")
    for number, policy in enumerate(_POLICIES):
        last = number == len(_POLICIES) - 1
        result = session.run(pool, policy, True, _SCHEDULE if last else _SCHEDULE[:2])
        if result.status != "unknown" and (result.status == "unsat" or policy[0] == 9):
            break
        if clock.left < 0.01:
            break
    return result


class _Session:
    """Calls of Z3 on one problem: its texts are made once."""

    def __init__(self, problem: Problem, clock: Clock, seed: int):
        self.problem, self.clock, self.seed = problem, clock, seed
        self.firm, self.loose = problem.assertions()
        self.writers: dict[str, Writer] = {}
        self.quotients = any(not f[0].den.is_constant() for f in _atoms(self.firm + self.loose))
        floors = all(t.kind in ("floor", "ceiling") for t in problem.terms)
        self.integer = 0 < len(problem.whole) <= 4 and floors

    def ask(self, active: list, schedule, seconds: float):
        """The first answer that a schedule gives: (status, values, text)."""
        end = self.clock.left - seconds
        schedule = [item for item in schedule if self.quotients or item[1] != "quotient"]
        if self.integer:
            schedule = [schedule[0], ("smt", "integer", 0.5), *schedule[1:]]
        for name, mode, share in schedule:
            left = self.clock.left - end
            if left <= 0.003:
                break
            writer = self.writers.setdefault(mode, Writer(self.problem, mode))
            parts = [writer.formula(f, raw=True) for f in self.firm]
            parts += [writer.formula(f) for f in self.loose]
            parts += [writer.formula(f) for _, _, f in active]
            text = writer.text(parts)
            limit = min(left, left * share + 0.01)
            status, values, spent = ask_z3(writer, text, name, limit, self.seed)
            self.clock.spend(spent)
            if status == "unsat" and "false" in text:
                # what signs have closed already is written out, for another solver to see
                told = [*self.firm, *self.loose, *(f for _, _, f in active)]
                text = writer.text([writer.formula(f, raw=True) for f in told])
            if status != "unknown":
                return status, values, text
        return "unknown", None, ""

    def run(self, pool: list, policy, tangents: bool, schedule) -> SmtResult:
        """Ask, and add axioms that the model violates, until there is an answer."""
        rank, skipped, number, share = policy
        end = self.clock.left * (1 - share)
        active = [item for item in pool if item[0] == 0]
        pool = [
            item
            for item in pool
            if 0 < item[0] <= rank and not any(word in item[1] for word in skipped)
        ]
        for _ in range(10 if skipped else 40):
            seconds = self.clock.left - end
            if seconds < 0.003:
                break
            status, values, text = self.ask(active, schedule, seconds)
            used = tuple(sorted({name for _, name, _ in active}))
            if status == "unsat":
                return SmtResult("unsat", None, used, 0.0, (text,))
            if values is None:
                return SmtResult("unknown", None, used, reason="Z3 gave no answer in time")
            wrong = [item for item in pool if not holds(item[2], values)]
            if tangents:
                wrong += [t for t in self.problem.tangents(values) if not holds(t[2], values)]
            if not wrong:
                model = {s: values[i] for s, i in self.problem.symbols.items()}
                return SmtResult("sat", model, used)
            chosen = sorted(wrong, key=lambda item: item[0])[:number]
            active += chosen
            keep = {id(item) for item in chosen}
            pool = [item for item in pool if id(item) not in keep]
        return SmtResult("unknown", None, (), reason="no answer in time")


def _atoms(trees: Iterable) -> list:
    found = []
    for tree in trees:
        if tree[0] in ("and", "or"):
            found += _atoms(tree[1])
        else:
            found.append(tree)
    return found


def unsat(
    hypotheses: Sequence[Formula],
    seconds: float = 0.4,
    axioms: bool = False,
    seed: int = 0,
    integers: Iterable[sp.Symbol] = (),
) -> SmtResult:
    """Ask Z3 whether formulas contradict each other over the real numbers.

    Parameters
    ----------
    hypotheses : sequence of formulas
        Each ``(expr, op)``, read ``expr op 0``, or ``("or", [...])``, ``("and", [...])``.
        All expressions must be defined wherever the hypotheses hold.
    seconds : float
        For the whole call.
    axioms : bool
        Whether terms such as exp(u) come with axioms; else nothing is known of them.
    seed : int
        Of Z3's own choices.
    integers : iterable of symbols
        Symbols that take integer values only.

    Returns
    -------
    SmtResult
        "unsat" is a proof; "sat" has a model, which is a hint and not trusted.
    """
    start = time.monotonic()
    whole = frozenset(integers)
    try:
        formulas = list(hypotheses)
        if len(_nodes_with_cases(formulas)) > 2:
            # with few cases their signs are worth more to Z3 than one problem in place of two
            formulas = [part for formula in formulas for part in _relaxed(formula)]
        clock = Clock(seconds)
        degree = _largest_power(formulas) if axioms else 0
        result = SmtResult("unknown")
        if degree > 8:
            # powers as terms of their own: known by monotonicity, not multiplied out
            half = Clock(seconds * (0.5 if degree <= MAX_DEGREE else 1))
            granted = half.left
            result = _cases(formulas, {"powers": True}, whole, half, axioms, seed, [0])
            clock.spend(granted - half.left)
        if result.status != "unsat" and degree <= MAX_DEGREE:
            result = _cases(formulas, {}, whole, clock, axioms, seed, [0])
    except Unsupported as why:
        result = SmtResult("unknown", reason=str(why))
    except (z3.Z3Exception, RecursionError, ArithmeticError, ValueError, TypeError) as why:
        result = SmtResult("unknown", reason=f"{type(why).__name__}: {why}")
    return SmtResult(
        result.status,
        result.model,
        result.used_axioms,
        time.monotonic() - start,
        result.problems,
        result.reason,
    )


def _nodes_with_cases(formulas: Sequence) -> set:
    found: set = set()
    for head, tail in formulas:
        if isinstance(tail, (list, tuple)):
            found |= _nodes_with_cases(tail)
        else:
            found |= expression(head).atoms(sp.Abs, sp.Max, sp.Min, sp.Piecewise, sp.sign)
    return found


def _largest_power(formulas: Sequence) -> int:
    found = 0
    for head, tail in formulas:
        if isinstance(tail, (list, tuple)):
            found = max(found, _largest_power(tail))
        else:
            powers = (w.exp for w in expression(head).atoms(sp.Pow) if w.exp.is_Integer)
            found = max([found, *(abs(int(n)) for n in powers)])
    return found


def _relaxed(formula: Formula) -> list[Formula]:
    """Write |u| <= t, Max(u, v) <= t, Min(u, v) >= t as formulas without cases."""
    head, op = formula
    if not isinstance(op, str) or op in ("==", "!=") or isinstance(head, str):
        return [formula]
    if op in ("<", "<="):
        head, op = -head, FLIPPED[op]
    terms = sp.Add.make_args(head)
    if len(terms) > 30:
        return [formula]
    for index, term in enumerate(terms):
        number, node = term.as_coeff_Mul()
        if not number.is_Rational:
            continue
        if number < 0 and isinstance(node, sp.Abs):
            choices = (node.args[0], -node.args[0])
        elif isinstance(node, sp.Max if number < 0 else sp.Min):
            choices = tuple(sorted(node.args, key=sp.default_sort_key))
        else:
            continue
        others = [t for i, t in enumerate(terms) if i != index]
        parts = [sp.Add(*others, number * choice) for choice in choices]
        if len(terms) * len(choices) > 40:
            return [formula]
        return [done for part in parts for done in _relaxed((part, op))]
    return [(head, op)]


def _cases(formulas, choices, whole, clock, axioms, seed, count) -> SmtResult:
    """Decide one conjunction, or each of the cases into which it falls."""
    problem = Problem(whole, choices, clock)
    try:
        problem.load(formulas)
    except Split as split:
        count[0] += len(split.cases) - 1
        if count[0] >= MAX_CASES:
            return _cases(
                formulas, {**choices, "disjunction": True}, whole, clock, axioms, seed, [0]
            )
        used: set[str] = set()
        texts: list[str] = []
        for conditions, value in split.cases:
            part = _cases(
                [*formulas, *conditions],
                {**choices, split.node: value},
                whole,
                clock,
                axioms,
                seed,
                count,
            )
            if part.status != "unsat":
                return part
            used |= set(part.used_axioms)
            texts += part.problems
        return SmtResult("unsat", None, tuple(sorted(used)), 0.0, tuple(texts))
    return _decide(problem, clock, axioms, seed)


def prove(
    goal: tuple[sp.Expr, str],
    hypotheses: Sequence[Formula],
    integers: Iterable[sp.Symbol] = (),
    seconds: float = 0.4,
    axioms: bool = True,
    seed: int = 0,
) -> SmtProof | None:
    """Prove ``expr op 0`` from hypotheses, by unsatisfiability of the negation.

    The caller has proved that goal and hypotheses are defined on the domain, and that the
    domain is not empty.

    Returns
    -------
    SmtProof or None
        With the SMT-LIB text of every case in ``certificate["problems"]``.
    """
    result = unsat([*hypotheses, negated(goal)], seconds, axioms, seed, integers)
    if result.status != "unsat":
        return None
    certificate: dict[str, Any] = {"kind": "smt", "problems": list(result.problems)}
    if sum(map(len, result.problems)) > CERTIFICATE_LIMIT:
        certificate = {"kind": "smt", "problems": None, "reason": "longer than the limit"}
    return SmtProof(result.used_axioms, certificate, result.seconds)
