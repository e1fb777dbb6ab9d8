"""Compile expressions to floating point: vectorised NumPy for screening, Numba for speed.

Floats propose and never decide. Both compile the same source, which is made from a tape.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from flint import fmpq
from sympy import Expr, Symbol

from dpbook.engine.evaluate.tape import AT_POINTS, CannotCompile, Step, Tape, tape_of
from dpbook.engine.language.arrays import np
from dpbook.engine.language.budget import Later
from dpbook.engine.language.functions import FUNCTIONS

_NAMED = {
    "pi": math.pi,
    "e": math.e,
    "euler": 0.5772156649015329,
    "catalan": 0.915965594177219,
}
_INFIX = {
    "mul": "*", "div": "/", "add": "+", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==",
    "ne": "!=",
}  # fmt: skip
_SCIPY = Later("scipy.special")
_GAMMA = "where(({0} <= 0) & ({0} == np.floor({0})), nan, sc_gamma({0}))"  # SciPy: inf at a pole
_FORMULAS = {  # functions of scipy.special begin with sc_
    **{name: f"np.{row.numpy}({{0}})" for name, row in FUNCTIONS.items() if row.numpy},
    **{name: f"sc_{row.scipy}({{0}})" for name, row in FUNCTIONS.items() if row.scipy},
    **dict.fromkeys(AT_POINTS, "nan"),
    "neg": "-{0}",
    "one": "{0} * 0.0 + 1.0",
    "pow": "np.power({0}, {1})",
    "and": "np.logical_and({0}, {1})",
    "or": "np.logical_or({0}, {1})",
    "not": "np.logical_not({0})",
    "max": "np.maximum({0}, {1})",
    "min": "np.minimum({0}, {1})",
    "where_nonnegative": "where({0} >= 0, {1}, nan)",
    # -inf at 0 would hide that the logarithm is undefined there
    "log": "where({0} > 0, np.log({0}), nan)",
    "coth": "where({0} == 0, nan, 1.0 / np.tanh({0}))",
    "atanh": "where(np.abs({0}) < 1, np.arctanh({0}), nan)",
    "erfi": "sc_erfi({0})",
    "erfinv": "where(np.abs({0}) < 1, sc_erfinv({0}), nan)",
    "digamma": "where({0} == 0, nan, sc_psi({0}))",
    "gamma": _GAMMA,
    "loggamma": "where({0} > 0, sc_gammaln({0}), nan)",
    "factorial": _GAMMA.replace("{0}", "({0} + 1)"),
    "beta": "sc_beta({0}, {1})",
    "binomial": "where({1} >= 0, sc_binom({0}, {1}), nan)",
    "lowergamma": "where({0} > 0, sc_gammainc({0}, {1}) * sc_gamma({0}), nan)",
    "uppergamma": "where({0} > 0, sc_gammaincc({0}, {1}) * sc_gamma({0}), nan)",
    "betainc": "sc_betainc({0}, {1}, {2}) * sc_beta({0}, {1})",
    "betareg": "sc_betainc({0}, {1}, {2})",
}


def as_float(x: fmpq) -> float:
    """Return the nearest float, infinite when it is too large."""
    try:
        return int(x.p) / int(x.q)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


class FloatProgram:
    """Represent expressions as one vectorised NumPy function, for screening points.

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
        _refuse_opaque(self.tape)

    @cached_property
    def _function(self) -> Callable[..., tuple[Any, ...]]:
        return _array_function(self.tape)

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """Evaluate on arrays (or numbers) that broadcast together."""
        with np.errstate(all="ignore"):
            return self._function(*values)


def numba_function(expr: Expr, symbols: Sequence[Symbol]) -> Callable[..., float]:
    """Compile one expression with Numba; integers become floats, so that n**(-k) is no 0."""
    tape = tape_of((expr,), tuple(symbols))
    _refuse_opaque(tape)
    return _scalar_function(tape)


def _refuse_opaque(tape: Tape) -> None:
    if tape.opaque:
        raise CannotCompile(f"{', '.join(sorted(tape.opaque))} has no value in floating point")


# --- the source -----------------------------------------------------------------------------------


def _source(tape: Tape, single: bool = False) -> str:
    """Write the steps that the outputs need as a function, of one value or of a tuple."""
    needed = tape.needed()
    names = {
        place: f"{'x' if step.op == 'input' else 't'}{place}"
        for place, step in enumerate(tape.steps)
    }
    head = f"def program({', '.join(f'x{i}' for i in range(len(tape.inputs)))}):"
    lines = [
        f"    {names[place]} = {_text(step, place, [names[arg] for arg in step.args])}"
        for place, step in enumerate(tape.steps)
        if place in needed or step.op == "input"
    ]
    back = ", ".join(names[place] for place in tape.outputs)
    return "\n".join([head, *lines, f"    return {back}" + ("" if single else ","), ""])


def _text(step: Step, place: int, args: list[str]) -> str:
    op, static = step.op, step.static
    if op == "input":
        return f"float64(x{static})"
    if op in ("const", "named"):
        return f"float64({as_float(static.value) if op == 'const' else _NAMED[static]!r})"
    if op == "truth":
        return str(bool(static))
    if op in _INFIX:
        return f" {_INFIX[op]} ".join(args)
    if op == "ipow":  # the general power of NumPy is ten times slower than small products
        return " * ".join(args * static) if static <= 4 else f"np.power({args[0]}, {float(static)})"
    if op == "rpow":
        q = as_float(static.value)
        return f"np.sqrt({args[0]})" if q == 0.5 else f"np.power({args[0]}, {q!r})"
    if op == "polygamma":
        return f"sc_polygamma({int(static)}, {args[0]})"
    if op == "piecewise":
        text = "nan"
        for condition, value in reversed(list(zip(args[::2], args[1::2], strict=True))):
            text = f"where({condition}, {value}, {text})"
        return text
    if op == "loop":
        return f"loop_{place}({', '.join(args)})"
    return _FORMULAS[op].format(*args)


def _made(source: str, space: dict[str, Any], special: Callable[[str], Any]) -> Any:
    """Return the function of a source, with the functions of SciPy that it calls."""
    space |= {name: special(name[3:]) for name in set(re.findall(r"\bsc_\w+", source))}
    space |= {"nan": math.nan, "inf": math.inf}
    # the source is made of the whitelisted steps of the tape only: no text of a user in it
    exec(source, space)
    return space["program"]


# --- NumPy ----------------------------------------------------------------------------------------


def _array_function(tape: Tape) -> Callable[..., tuple[Any, ...]]:
    space: dict[str, Any] = {
        f"loop_{place}": partial(
            _array_loop, _array_function(step.static.value.tape), step.static.value.product
        )
        for place, step in enumerate(tape.steps)
        if step.op == "loop"
    }
    space |= {"np": np, "where": np.where, "float64": np.float64}
    made: Callable[..., tuple[Any, ...]] = _made(_source(tape), space, partial(getattr, _SCIPY))
    return made


def _array_loop(
    body: Callable[..., tuple[Any, ...]], product: bool, low: Any, high: Any, *rest: Any
) -> Any:
    sound = np.isfinite(low) & np.isfinite(high) & (high >= low - 1) & (high - low < 2000)
    sound &= (low == np.floor(low)) & (high == np.floor(high))
    shape = np.broadcast_shapes(*(np.shape(end) for end in (low, high, *rest)))
    total = np.full(shape, 1.0 if product else 0.0)
    if np.any(sound):
        width = int(np.max(np.where(sound, high - low, -1.0)))
        # far ranges differ from point to point: step from each lower end
        for j in range(width + 1):
            (term,) = body(low + j, *rest)
            inside = low + j <= high
            total = (
                total * np.where(inside, term, 1.0)
                if product
                else total + np.where(inside, term, 0.0)
            )
    return np.where(sound, total, np.nan)


# --- Numba ----------------------------------------------------------------------------------------


def _scalar_function(tape: Tape) -> Any:
    import numba
    import numpy

    jit = numba.njit(error_model="numpy")
    space = {
        f"loop_{place}": _scalar_loop(
            jit, _scalar_function(step.static.value.tape), step.static.value.product
        )
        for place, step in enumerate(tape.steps)
        if step.op == "loop"
    }
    space |= {"np": numpy, "where": jit(_where), "float64": numpy.float64}
    return jit(_made(_source(tape, single=True), space, partial(_scalar_special, jit)))


def _scalar_loop(jit: Any, body: Any, product: bool) -> Any:
    def loop(low: float, high: float, *rest: float) -> float:
        if not (high >= low - 1.0 and math.floor(low) == low and math.floor(high) == high):
            return math.nan
        total = 1.0 if product else 0.0
        k = low
        while k <= high:
            total = total * body(k, *rest) if product else total + body(k, *rest)
            k += 1.0
        return total

    return jit(loop)


def _scalar_special(jit: Any, name: str) -> Any:
    """Return a function of SciPy that Numba can call: from its interface to Cython, by its address."""
    if name == "polygamma":  # which has no such interface
        return jit(_polygamma)
    from numba.extending import get_cython_function_address
    from scipy.special import cython_special

    for kind in (name, f"__pyx_fuse_0{name}", f"__pyx_fuse_1{name}"):
        signature = str(cython_special.__pyx_capi__.get(kind))
        if '"double (' in signature:
            address = get_cython_function_address(cython_special.__name__, kind)
            return ctypes.CFUNCTYPE(*[ctypes.c_double] * signature.count("double"))(address)
    raise CannotCompile(f"{name} has no value in Numba")


def _where(condition: bool, value: float, other: float) -> float:
    return value if condition else other  # the `where` of Numba makes an array of numbers


def _polygamma(n: float, x: float) -> float:
    if not x > 0.0:
        return math.nan
    factorial = math.gamma(n + 1.0)
    total = 0.0
    while x < 20.0 + n:
        total += factorial * x ** (-n - 1.0)
        x += 1.0
    tail = math.gamma(n) * x ** (-n) + 0.5 * factorial * x ** (-n - 1.0)
    term = factorial * (n + 1.0) / 2.0 * x ** (-n - 2.0)
    # Bernoulli numbers 1/6, -1/30, 1/42, -1/30, 5/66, -691/2730, 7/6 over (2j)!, times (2j+n-1)!
    numbers = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
    for j in range(7):
        tail += numbers[j] * term
        m = 2.0 * j + 2.0
        term *= (m + n) * (m + n + 1.0) / ((m + 1.0) * (m + 2.0)) / (x * x)
    value = total + tail
    return value if n % 2.0 == 1.0 else -value
