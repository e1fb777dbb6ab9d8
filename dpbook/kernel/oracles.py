"""The only module that asks another program: a solver, on a problem that the kernel writes itself."""

from __future__ import annotations

import importlib
from math import lcm

from dpbook.kernel import polynomials as P
from dpbook.kernel.environment import Environment, Fields, hypothesis_at, literal_at
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Or, Relation, Sequent
from dpbook.kernel.normal import Facts
from dpbook.kernel.polynomials import Poly
from dpbook.kernel.rationals import Rational
from dpbook.kernel.signs import NONNEGATIVE, POSITIVE

SOLVERS = ("z3", "cvc5")
LIMIT = 1_000_000  # Z3's own count of its work, of which polynomials of high degree take long
DEGREE = 32


def smt(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude anything from hypotheses that a solver finds contradictory over the reals.

    Condition    the polynomials of the hypotheses named, with an unknown real for each atom, have no
                 solution: the solver says so, and is trusted for it
    Fields       facts: the numbers of relations and of disjunctions of relations; solver
    """
    solver = fields.text("solver")
    if solver not in SOLVERS:
        raise Rejected(f"there is no solver {solver}")
    problem = written(s, fields.items("facts"), env.facts(s))
    if not (_z3(problem) if solver == "z3" else _cvc5(problem)):
        raise Rejected(f"{solver} does not find a contradiction")
    env.trust.oracles.add(solver)
    return []


def written(s: Sequent, numbers: list[object], facts: Facts) -> str:
    """Return the SMT-LIB text of hypotheses."""
    clauses: list[list[tuple[Poly, str]]] = []
    for number in numbers:
        f = hypothesis_at(s, number)
        if isinstance(f, Or) and all(isinstance(p, Relation) for p in f.parts):
            clauses.append([facts.literal(p) for p in f.parts if isinstance(p, Relation)])
        else:
            clauses.append([literal_at(facts, s, number)])
    scale: dict[int, int] = {}
    for clause in clauses:
        for p, _ in clause:
            for m in p:
                for i, e in m:
                    scale[i] = lcm(scale.get(i, 1), e.denominator)
    lines = ["(set-logic QF_NRA)"]
    for i, k in sorted(scale.items()):
        lines.append(f"(declare-const g{i} Real)")
        a = facts.atoms[i]
        if a.sign == POSITIVE:
            lines.append(f"(assert (> g{i} 0.0))")
        elif k > 1 or a.sign == NONNEGATIVE:
            lines.append(f"(assert (>= g{i} 0.0))")
    for i in sorted(scale):
        a = facts.atoms[i]
        inner = a.poly or ({(): Rational(int(str(a.key[1])))} if a.key[0] == "prime" else {})
        if inner and all(
            j in scale and e > 0 and (e * scale[j]).denominator == 1 for j, e in P.powers_of(inner)
        ):
            lines.append(f"(assert (= {_monomial(((i, 1),), scale)} {_poly(inner, scale)}))")
    for clause in clauses:
        parts = [_literal(p, op, scale) for p, op in clause]
        lines.append(
            f"(assert {parts[0]})" if len(parts) == 1 else f"(assert (or {' '.join(parts)}))"
        )
    return "\n".join([*lines, "(check-sat)"])


def _literal(p: Poly, op: str, scale: dict[int, int]) -> str:
    if op == "!=":
        return f"(not (= {_poly(p, scale)} 0.0))"
    return f"({'=' if op == '==' else op} {_poly(p, scale)} 0.0)"


def _poly(p: Poly, scale: dict[int, int]) -> str:
    terms = []
    for m, c in sorted(p.items()):
        number = (
            f"(/ {abs(c.numerator)}.0 {c.denominator}.0)"
            if c.denominator > 1
            else f"{abs(c.numerator)}.0"
        )
        terms.append(f"(* {number if c > 0 else f'(- {number})'} {_monomial(m, scale)})")
    return f"(+ {' '.join(terms)} 0.0)" if terms else "0.0"


def _monomial(m: P.Monomial, scale: dict[int, int]) -> str:
    if any(e < 0 for _, e in m):
        raise Rejected("a fact has a negative power")
    factors = [f"g{i}" for i, e in m for _ in range(int(e * scale[i]))]
    if len(factors) > DEGREE:
        raise Rejected("a power is too large for a solver")
    return f"(* {' '.join(factors)} 1.0)" if factors else "1.0"


def _z3(problem: str) -> bool:
    z3 = importlib.import_module("z3")
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", LIMIT)
    solver.from_string(problem.replace("(check-sat)", ""))
    return bool(solver.check() == z3.unsat)


def _cvc5(problem: str) -> bool:
    cvc5 = importlib.import_module("cvc5")
    solver = cvc5.Solver()
    solver.setOption("rlimit", "20000000")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, problem, "problem")
    symbols = parser.getSymbolManager()
    answer = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return answer.strip() == "unsat"
        answer = command.invoke(solver, symbols)
