"""SymPy expressions compiled: to Arb balls, to exact points, to NumPy arrays, to Numba."""

from dpbook.engine.compile.arbs import ArbProgram
from dpbook.engine.compile.points import PointValue, Undefined, compare_at, evaluate_at
from dpbook.engine.compile.tape import CannotCompile

__all__ = [
    "ArbProgram",
    "CannotCompile",
    "PointValue",
    "Undefined",
    "compare_at",
    "evaluate_at",
]
