"""SymPy expressions compiled: to Arb balls, to exact points, to NumPy arrays, to Numba."""

from dpbook.engine.compile.arbs import ArbProgram
from dpbook.engine.compile.floats import FloatProgram
from dpbook.engine.compile.points import (
    PointValue,
    Undefined,
    compare_at,
    digits_of,
    evaluate_at,
    known_at,
)
from dpbook.engine.compile.public import compiled
from dpbook.engine.compile.tape import CannotCompile

__all__ = [
    "ArbProgram",
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
