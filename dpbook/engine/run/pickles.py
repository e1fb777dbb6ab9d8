"""Write statements out for another process, and read them there as they were written.

This module imports SymPy; `workers` sends a task that holds nothing of SymPy without it.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.functions.elementary.piecewise import ExprCondPair

from dpbook.engine.language.statement import Defined, unfold_definitions


class _Pickler(pickle.Pickler):
    """Write out a user's own functions: a worker cannot import a notebook or a script.

    Piecewise expressions arrive as they were written: SymPy would build their conditions anew.
    """

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, Defined) and not type(thing).__module__.startswith("dpbook."):
            return _itself, (unfold_definitions(thing),)
        # SymPy would multiply the term of a sum by 1
        if isinstance(thing, (sympy.Piecewise, ExprCondPair, ExprWithLimits)):
            return _as_written, (type(thing), *thing.args)
        return NotImplemented


def _itself(thing: Any) -> Any:
    return thing


def _as_written(kind: type[sympy.Basic], *parts: sympy.Basic) -> sympy.Basic:
    made = sympy.Basic.__new__(kind, *parts)
    if isinstance(made, ExprWithLimits):
        made.is_commutative = True
    return made


def dumped(thing: Any) -> bytes:
    """Return a task or an answer as bytes."""
    buffer = io.BytesIO()
    _Pickler(buffer).dump(thing)
    return buffer.getvalue()


def loaded(data: bytes) -> Any:
    """Return the task or answer in bytes, whose expressions SymPy does not evaluate."""
    with sympy.evaluate(False):
        return pickle.loads(data)
