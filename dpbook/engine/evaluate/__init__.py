"""Evaluate SymPy expressions on Arb balls, at exact points, and on NumPy arrays."""

from dpbook.engine.evaluate.exact_points import (
    PointValue,
    Undefined,
    compare_at,
    digits_of,
    evaluate_at,
    known_at,
)
from dpbook.engine.evaluate.floats import FloatProgram
from dpbook.engine.evaluate.public import compiled
from dpbook.engine.evaluate.tape import CannotCompile

__all__ = [
    "CannotCompile",
    "FloatProgram",
    "PointValue",
    "Undefined",
    "compare_at",
    "compiled",
    "digits_of",
    "evaluate_at",
    "known_at",
]
