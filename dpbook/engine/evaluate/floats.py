"""Evaluate expressions on arrays of floats, for screening: floats propose and never decide."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from flint import fmpq
from sympy import Expr, Symbol

from dpbook.engine.evaluate.tape import AT_POINTS, CannotCompile, Loop, Tape, tape_of
from dpbook.engine.language.arrays import np
from dpbook.engine.language.budget import Later
from dpbook.engine.language.functions import FUNCTIONS
from dpbook.engine.language.statement import COMPARE

_NAMED = {"pi": math.pi, "e": math.e, "euler": 0.5772156649015329, "catalan": 0.915965594177219}
_scipy = Later("scipy.special")


def as_float(x: fmpq) -> float:
    """Return the nearest float, infinite when it is too large."""
    try:
        return int(x.p) / int(x.q)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


class FloatProgram:
    """Represent expressions as one vectorised function, for screening points.

    Overflow gives inf, an undefined value gives nan, and nothing warns.

    Parameters
    ----------
    expressions : tuple of Expr
    symbols : tuple of Symbol
        The order of the arguments.

    Raises
    ------
    CannotCompile
        When an expression holds something without a value in floating point.
    """

    def __init__(self, expressions: Sequence[Expr], symbols: Sequence[Symbol]) -> None:
        self.tape = tape_of(tuple(expressions), tuple(symbols))
        if self.tape.opaque:
            opaque = ", ".join(sorted(self.tape.opaque))
            raise CannotCompile(f"{opaque} has no value in floating point")

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """Evaluate on arrays (or numbers) that broadcast together."""
        with np.errstate(all="ignore"):
            return _run(self.tape, values)


def _run(tape: Tape, inputs: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(tape.run(list(map(np.float64, inputs)), _applied))


def _applied(op: str, args: list[Any], static: Any) -> Any:
    if op == "const":
        return np.float64(as_float(static))
    if op == "named":
        return np.float64(_NAMED[static])
    if op == "truth":
        return bool(static)
    if op == "ipow" and static <= 4:  # the general power of NumPy is ten times slower
        return reduce(operator.mul, args * static)
    if op == "ipow":
        return np.power(args[0], float(static))
    if op == "rpow":
        q = as_float(static)
        return np.sqrt(args[0]) if q == 0.5 else np.power(args[0], q)
    if op == "polygamma":
        return _scipy.polygamma(static, args[0])
    if op == "piecewise":
        chosen: Any = math.nan
        for condition, value in reversed(list(zip(args[::2], args[1::2], strict=True))):
            chosen = np.where(condition, value, chosen)
        return chosen
    if op == "loop":
        return _loop(static, *args)
    return _FUNCTIONS[op](*args)


def _loop(loop: Loop, low: Any, high: Any, *rest: Any) -> Any:
    sound = np.isfinite(low) & np.isfinite(high) & (high >= low - 1) & (high - low < 2000)
    sound &= (low == np.floor(low)) & (high == np.floor(high))
    shape = np.broadcast_shapes(*(np.shape(end) for end in (low, high, *rest)))
    start = 1.0 if loop.product else 0.0
    total = np.full(shape, start)
    if np.any(sound):
        width = int(np.max(np.where(sound, high - low, -1.0)))
        # far ranges differ from point to point: step from each lower end
        for j in range(width + 1):
            (term,) = _run(loop.tape, (low + j, *rest))
            term = np.where(low + j <= high, term, start)
            total = total * term if loop.product else total + term
    return np.where(sound, total, np.nan)


def _of(library: Any, name: str) -> Callable[..., Any]:
    """Return a function of NumPy or SciPy, which is imported when the function is called."""
    return lambda *args: getattr(library, name)(*args)


def _where(condition: Any, value: Any) -> Any:
    return np.where(condition, value, math.nan)


def _gamma(x: Any) -> Any:
    return _where((x > 0) | (x != np.floor(x)), _scipy.gamma(x))  # SciPy: inf at a pole


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _of(np, row.numpy) for name, row in FUNCTIONS.items() if row.numpy},
    **{name: _of(_scipy, row.scipy) for name, row in FUNCTIONS.items() if row.scipy},
    **dict.fromkeys(AT_POINTS, lambda *_: math.nan),
    **COMPARE,
    "mul": operator.mul,
    "neg": operator.neg,
    "add": lambda *args: reduce(operator.add, args),
    "div": operator.truediv,
    "one": lambda x: x * 0.0 + 1.0,
    "pow": _of(np, "power"),
    "and": _of(np, "logical_and"),
    "or": _of(np, "logical_or"),
    "not": _of(np, "logical_not"),
    "max": _of(np, "maximum"),
    "min": _of(np, "minimum"),
    "where_nonnegative": lambda n, value: _where(n >= 0, value),
    # -inf at 0 would hide that the logarithm is undefined there
    "log": lambda x: _where(x > 0, np.log(x)),
    "coth": lambda x: _where(x != 0, 1.0 / np.tanh(x)),
    "atanh": lambda x: _where(np.abs(x) < 1, np.arctanh(x)),
    "erfi": _of(_scipy, "erfi"),
    "erfinv": lambda x: _where(np.abs(x) < 1, _scipy.erfinv(x)),
    "digamma": lambda x: _where(x != 0, _scipy.psi(x)),
    "gamma": _gamma,
    "loggamma": lambda x: _where(x > 0, _scipy.gammaln(x)),
    "factorial": lambda x: _gamma(x + 1),
    "beta": _of(_scipy, "beta"),
    "binomial": lambda n, k: _where(k >= 0, _scipy.binom(n, k)),
    "lowergamma": lambda a, x: _where(a > 0, _scipy.gammainc(a, x) * _scipy.gamma(a)),
    "uppergamma": lambda a, x: _where(a > 0, _scipy.gammaincc(a, x) * _scipy.gamma(a)),
    "betainc": lambda a, b, x: _scipy.betainc(a, b, x) * _scipy.beta(a, b),
    "betareg": _of(_scipy, "betainc"),
}
