"""Which facts and clauses Z3 needs for a contradiction: a hint for the search, trusted in nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3

from dpbook.engine.tactics.positivstellensatz import Literal, Poly

RLIMIT = {1: 1_500_000, 2: 6_000_000, 3: 20_000_000}
NET = {1: 3_000, 2: 12_000, 3: 40_000}  # milliseconds: algebraic numbers escape Z3's own count
MOST = 40  # checks of what can be left out
HIGHEST = 1_000  # of a power: Z3 is given its factors one by one


def core(
    facts: Sequence[Literal], clauses: Sequence[list[list[Literal]]], effort: int
) -> tuple[list[int], list[int]] | None:
    """Return the numbers of facts and clauses that Z3 finds contradictory; None: it finds none."""
    literals = [*facts, *(one for clause in clauses for part in clause for one in part)]
    if any(e > HIGHEST for p, _ in literals for m in p for _, e in m):
        return None
    context = z3.Context()
    variables: dict[int, Any] = {}

    def term(p: Poly) -> Any:
        parts = []
        for m, c in p.items():
            part = z3.RealVal(f"{c.numerator}/{c.denominator}", ctx=context)
            for v, e in m:
                if v not in variables:
                    variables[v] = z3.Real(f"x{v}", ctx=context)
                for _ in range(e):
                    part = part * variables[v]
            parts.append(part)
        return z3.Sum(parts) if parts else z3.RealVal(0, ctx=context)

    def literal(one: Literal) -> Any:
        p, op = one
        t = term(p)
        return {
            ">": lambda: t > 0,
            ">=": lambda: t >= 0,
            "==": lambda: t == 0,
            "!=": lambda: t != 0,
        }[op]()

    parts: list[tuple[str, int, Any]] = [("f", i, literal(f)) for i, f in enumerate(facts)]
    for i, clause in enumerate(clauses):
        alternatives = [z3.And([literal(one) for one in part]) for part in clause]
        parts.append(("c", i, z3.Or(alternatives)))

    def contradict(chosen: Sequence[tuple[str, int, Any]]) -> bool:
        # plain checks: those with tracked assumptions were seen to hang
        solver = z3.SolverFor("QF_NRA", ctx=context)
        solver.set("rlimit", RLIMIT[effort])
        solver.set("timeout", NET[effort])
        solver.add(*(f for _, _, f in chosen))
        try:
            return bool(solver.check() == z3.unsat)
        except z3.Z3Exception:
            return False

    if not contradict(parts):
        return None
    # clauses first, for each splits the search; halves, then one by one
    needed = sorted(parts, key=lambda p: (p[0] == "f", -p[1]))
    size, checks = len(needed) // 2, 0
    while size and checks < MOST:
        place = 0
        while place < len(needed) and checks < MOST:
            fewer = needed[:place] + needed[place + size :]
            checks += 1
            if contradict(fewer):
                needed = fewer
            else:
                place += size
        size //= 2
    return (
        sorted(i for kind, i, _ in needed if kind == "f"),
        sorted(i for kind, i, _ in needed if kind == "c"),
    )
