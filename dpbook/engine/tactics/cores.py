"""Which facts and clauses Z3 needs for a contradiction: a hint for the search, trusted in nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3

from dpbook.engine.tactics.positivstellensatz import Literal, Poly

Part = tuple[str, int, Any]

RLIMIT = {1: 1_500_000, 2: 6_000_000, 3: 20_000_000}
NET = {1: 3_000, 2: 12_000, 3: 40_000}  # milliseconds: algebraic numbers escape Z3's own count
GLANCE = 300_000  # of Z3's own count, to see whether facts can hold together
MOST = 40  # checks of what can be left out
HIGHEST = 1_000  # of a power: Z3 is given its factors one by one


def consistent(facts: Sequence[Literal], clauses: Sequence[list[list[Literal]]]) -> bool:
    """Whether Z3 finds at a glance that facts and clauses hold together: then nothing refutes them."""
    if _too_high(facts, clauses):
        return False
    context, parts = _stated(facts, clauses)
    return _checked(context, parts, GLANCE, NET[1]) == "sat"


def _too_high(facts: Sequence[Literal], clauses: Sequence[list[list[Literal]]]) -> bool:
    literals = [*facts, *(one for clause in clauses for part in clause for one in part)]
    return any(e > HIGHEST for p, _ in literals for m in p for _, e in m)


def _stated(
    facts: Sequence[Literal], clauses: Sequence[list[list[Literal]]]
) -> tuple[z3.Context, list[Part]]:
    """Facts and clauses in Z3's words, each with its kind and number."""
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

    parts: list[Part] = [("f", i, literal(f)) for i, f in enumerate(facts)]
    for i, clause in enumerate(clauses):
        alternatives = [z3.And([literal(one) for one in part]) for part in clause]
        parts.append(("c", i, z3.Or(alternatives)))
    return context, parts


def _checked(context: z3.Context, chosen: Sequence[Part], count: int, net: int) -> str:
    """What Z3 finds, or that it finds nothing."""
    # plain checks: those with tracked assumptions were seen to hang
    solver = z3.SolverFor("QF_NRA", ctx=context)
    solver.set("rlimit", count)
    solver.set("timeout", net)
    solver.add(*(f for _, _, f in chosen))
    try:
        return str(solver.check())
    except z3.Z3Exception:
        return "unknown"


def core(
    facts: Sequence[Literal], clauses: Sequence[list[list[Literal]]], effort: int
) -> tuple[list[int], list[int]] | None:
    """Return the numbers of facts and clauses that Z3 finds contradictory; None: it finds none."""
    if _too_high(facts, clauses):
        return None
    context, parts = _stated(facts, clauses)

    def contradict(chosen: Sequence[Part]) -> bool:
        return _checked(context, chosen, RLIMIT[effort], NET[effort]) == "unsat"

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
