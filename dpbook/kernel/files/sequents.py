"""Sequents from plain data, as they stand in files."""

from __future__ import annotations

from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Sequent, flat, parse_formula


def sequent_from_json(data: object) -> Sequent:
    """Read a sequent from plain data."""
    if not isinstance(data, dict):
        raise Rejected("a sequent must be an object")
    variables, functions = data.get("variables", {}), data.get("functions", {})
    given, goal = data.get("given", []), data.get("goal", "")
    if not (
        isinstance(variables, dict)
        and isinstance(functions, dict)
        and isinstance(given, list)
        and all(isinstance(v, str) for v in variables.values())
        and all(isinstance(a, int) and 0 < a < 10 for a in functions.values())
    ):
        raise Rejected("a sequent has variables, functions, given and goal")
    sequent = Sequent(
        tuple(variables.items()),
        tuple(functions.items()),
        tuple(p for h in given for p in flat(parse_formula(h))),
        parse_formula(goal),
    )
    sequent.check_formed()
    return sequent
