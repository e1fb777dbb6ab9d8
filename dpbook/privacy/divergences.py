"""Laws and divergences as SymPy objects: short in a statement, written out for the proof."""

from __future__ import annotations

from typing import Any

from sympy import Basic, Expr, Integral, Symbol, erfc, exp, log, oo, sqrt

from dpbook.engine.statement import Defined


def _bound(*expressions: Basic) -> Symbol:
    """Return a variable of integration that occurs in none of the expressions."""
    taken = {free.name for expression in expressions for free in expression.free_symbols}
    name = "t"
    while name in taken:
        name += "_"
    return Symbol(name, real=True)


class renyi_divergence(Defined):
    """Renyi divergence ``renyi_divergence(P, Q, order)`` of two laws, from its integral."""

    nargs = 3

    def definition(self) -> Expr:
        first, second, order = self.args
        t = _bound(*self.args)
        ratio = first.density(t) ** order * second.density(t) ** (1 - order)
        return log(Integral(ratio, (t, -oo, oo))) / (order - 1)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        first, second, order = (printer.doprint(argument) for argument in self.args)
        return rf"D_{{{order}}}\left({first} \,\|\, {second}\right)"


class normal_profile(Defined):
    """Smallest delta at a given epsilon for two normal laws of one spread.

    ``normal_profile(distance, epsilon)``: `distance` is that of the means in standard deviations.
    """

    nargs = 2

    def definition(self) -> Expr:
        distance, epsilon = self.args
        above = epsilon / distance - distance / 2
        below = epsilon / distance + distance / 2
        return erfc(above / sqrt(2)) / 2 - exp(epsilon) * erfc(below / sqrt(2)) / 2

    def _latex(self, printer: Any, exp: Any = None) -> str:
        distance, epsilon = (printer.doprint(argument) for argument in self.args)
        return rf"\delta_{{{distance}}}\left({epsilon}\right)"
