"""Show decimals as a reader typed them: they are read as exact fractions, and shown as decimals."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy
from sympy import Basic, Rational, Symbol
from sympy.concrete.expr_with_limits import ExprWithLimits

from dpbook.engine.language.verdict import Counterexample

DIGITS = 8  # after the point, of a fraction that is shown as a decimal
_FRACTION = re.compile(r"(?<![\w./*)])(\d+)/(\d+)(?![\w./*(])")


def typed_decimals(decimals: Iterable[str]) -> dict[Basic, Basic]:
    """Return the symbols that are shown in place of fractions that were typed as decimals."""
    shown: dict[Basic, Basic] = {}
    for found in decimals:
        exact = Rational(found)
        if not exact.is_Integer:
            name = Symbol(f"0{found}" if found.startswith(".") else found)
            shown |= {exact: name, -exact: sympy.Mul(-1, name, evaluate=False)}
    return shown


def with_decimals(expression: Basic, shown: dict[Basic, Basic]) -> Any:
    """Return an expression, to be shown, with decimals; an exponent 1/2 stays a square root."""
    if expression in shown:
        return shown[expression]
    if not expression.args or isinstance(expression, (ExprWithLimits, sympy.Piecewise)):
        return expression
    arguments = [with_decimals(argument, shown) for argument in expression.args]
    if isinstance(expression, sympy.Pow) and expression.exp in shown:
        arguments[1] = expression.exp
    if all(new is old for new, old in zip(arguments, expression.args, strict=True)):
        return expression
    return expression.func(*arguments)


def found_in_decimals(found: Counterexample) -> Counterexample:
    """Return a counterexample whose fractions are shown as decimals, where these are exact."""
    point = tuple((name, decimal(value)) for name, value in found.point)
    return replace(found, shown=point, lhs=decimal(found.lhs), rhs=decimal(found.rhs))


def decimal(value: str) -> str:
    """Return a text in which each fraction with a short, exact decimal becomes the decimal."""

    def written(match: re.Match[str]) -> str:
        numerator, denominator = int(match[1]), int(match[2])
        scaled = Fraction(numerator, denominator or 1) * 10**DIGITS
        if not denominator or scaled.denominator != 1:
            return match[0]
        whole, rest = divmod(scaled.numerator, 10**DIGITS)
        return f"{whole}.{rest:0{DIGITS}d}".rstrip("0").rstrip(".")

    return _FRACTION.sub(written, value)
