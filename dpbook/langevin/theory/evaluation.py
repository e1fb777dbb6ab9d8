"""Numbers from the expressions of the notation, compiled and rounded from balls."""

from functools import lru_cache
from typing import Any

import sympy
from flint import arb

from dpbook.engine.evaluate.public import compiled
from dpbook.engine.language.statement import unfold_definitions


@lru_cache(maxsize=64)
def _calculator(*expressions_and_names: Any) -> Any:
    expression, *names = expressions_and_names
    symbols = {free.name: free for free in expression.free_symbols}
    return compiled(expression, *(symbols[name] for name in names))


_plain = lru_cache(maxsize=64)(unfold_definitions)


def enclosed(expression: sympy.Expr, values: dict[str, float]) -> arb:
    """Return the value of an expression of the notation at numbers given by name, to 50 digits."""
    plain = _plain(expression)
    names = sorted(free.name for free in plain.free_symbols)
    return _calculator(plain, *names)(*(values[name] for name in names))


def evaluated(expression: sympy.Expr, values: dict[str, float]) -> float:
    """Return the same as a float."""
    return float(enclosed(expression, values))
