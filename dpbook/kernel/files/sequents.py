"""Sequents from plain data, as they stand in files."""

from __future__ import annotations

import re

from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Sequent, flat, parse_formula

FIELDS = {"variables", "functions", "given", "goal"}
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9']*")  # of a variable or a function, as the terms have them


def sequent_from_json(data: object) -> Sequent:
    """Read a sequent from plain data.

    Raises
    ------
    Rejected
        When the data are no sequent, or are nested too deeply.
    """
    try:
        return _sequent(data)
    except RecursionError:
        raise Rejected("the sequent is nested too deeply") from None
    except MemoryError:
        raise Rejected("the sequent takes too much memory") from None


def _sequent(data: object) -> Sequent:
    if not isinstance(data, dict):
        raise Rejected("a sequent must be an object")
    if strange := min(data.keys() - FIELDS, default=""):
        raise Rejected(
            f"a sequent has no field {strange[:40]!r}, but variables, functions, given, goal"
        )
    variables, functions = data.get("variables", {}), data.get("functions", {})
    given, goal = data.get("given", []), data.get("goal", "")
    if not (
        isinstance(variables, dict)
        and isinstance(functions, dict)
        and isinstance(given, list)
        and all(isinstance(v, str) for v in variables.values())
        and all(type(a) is int and 0 < a < 10 for a in functions.values())
    ):
        raise Rejected("a sequent has variables, functions, given and goal")
    for name in (*variables, *functions):
        if not NAME.fullmatch(name):
            raise Rejected(
                f"{name[:40]!r} is no name: write ASCII letters, digits, _ and ', no digit first"
            )
    sequent = Sequent(
        tuple(variables.items()),
        tuple(functions.items()),
        tuple(p for h in given for p in flat(parse_formula(h))),
        parse_formula(goal),
    )
    sequent.check_formed()
    return sequent
