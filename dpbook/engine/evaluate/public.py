"""Offer the public compiler, which turns one expression into one function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import arb, ctx, fmpq
from sympy import Expr, Symbol

from dpbook.engine.evaluate.exact_points import evaluate_at
from dpbook.engine.evaluate.tape import tape_of
from dpbook.engine.language.statement import unfold_definitions

_MOST_BITS = 16384


def compiled(expr: Any, *symbols: Symbol, digits: int = 50) -> Callable[..., arb]:
    """Compile an expression to a function of its symbols, in the order given.

    Parameters
    ----------
    expr : Expr
        A SymPy expression; definitions in it are written out.
    *symbols : Symbol
        The parameters of the function.
    digits : int
        Relative accuracy of the ball that the function returns, whatever is lost on the way.

    Returns
    -------
    callable
        Its arguments may be int, Fraction, Rational, fmpq, arb, or float (exactly).

    Examples
    --------
    >>> x = sympy.Symbol("x")
    >>> compiled(sympy.exp(x), x)(1).str(20)
    '[2.7182818284590452354 +/- 3.98e-20]'
    """
    read = sympy.sympify(expr) if isinstance(expr, (int, float, sympy.Basic)) else None
    if not isinstance(read, sympy.Expr) or not all(isinstance(s, Symbol) for s in symbols):
        raise ValueError(
            f"expr must be a SymPy expression, and symbols SymPy symbols, got {expr!r} and {symbols!r}"
        )
    expr = unfold_definitions(read)
    missing = sorted(str(s) for s in expr.free_symbols - set(symbols))
    if missing:
        raise ValueError(f"symbols must hold every free symbol, got none for {', '.join(missing)}")
    return _Accurate(expr, symbols, digits)


class _Accurate:
    """Represent an expression as a function that raises the precision until enough digits hold."""

    def __init__(self, expr: Expr, symbols: tuple[Symbol, ...], digits: int) -> None:
        tape_of((expr,), symbols)  # what no evaluator knows is refused at once
        self.expr, self.symbols, self.digits = expr, symbols, digits

    def __call__(self, *values: Any) -> arb:
        if len(values) != len(self.symbols):
            names = ", ".join(str(s) for s in self.symbols)
            raise TypeError(f"expected {len(self.symbols)} values ({names}), got {len(values)}")
        exact = [as_exact(value) for value in values]
        point = dict(zip(self.symbols, exact, strict=True))
        bits = int(self.digits * 3.3219281) + 2
        prec = bits + 30
        while True:
            found = evaluate_at(self.expr, point, prec)
            if found.exact is not None:
                with ctx.workprec(prec):
                    return arb(found.exact)
            value = found.ball
            if value is not None and (value.rel_accuracy_bits() >= bits or value.is_zero()):
                return value
            inexact = not all(isinstance(v, fmpq) for v in exact)
            if prec >= _MOST_BITS or inexact or found.undefined:
                break
            prec *= 2
        if value is not None:
            return value
        why = found.undefined
        where = ", ".join(f"{s} = {v}" for s, v in zip(self.symbols, values, strict=True))
        raise ValueError(
            f"{self.expr} has no value at {where or 'this point'}" + (f": {why}" if why else "")
        )

    def __repr__(self) -> str:
        return f"compiled({self.expr}, {', '.join(str(s) for s in self.symbols)})"


def as_exact(value: Any) -> fmpq | arb:
    """Read a number exactly; a float is taken as the binary fraction that it is."""
    if isinstance(value, (fmpq, arb)):
        return value
    if isinstance(value, bool):
        raise TypeError("a number is needed, got a truth value")
    try:
        if isinstance(value, sympy.Rational):
            return fmpq(int(value.p), int(value.q))
        ratio = getattr(value, "as_integer_ratio", lambda: (value.__index__(), 1))
        return fmpq(*map(int, ratio()))
    except (TypeError, ValueError, OverflowError, AttributeError):
        raise TypeError(f"a finite number is needed, got {value!r}") from None
