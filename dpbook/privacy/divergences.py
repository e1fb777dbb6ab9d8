"""Divergences as SymPy objects: short in a statement, written out for the proof.

Each is an integral over the support of its first law, or a sum where that law is discrete.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Add, Basic, Expr, Integral, Max, Sum, Symbol, erfc, exp, log, sqrt

from dpbook.engine.statement import Defined
from dpbook.privacy.laws import Law

MOST_TERMS = 20  # outcomes that a sum is written out over

__all__ = [
    "affinity",
    "hockey_stick",
    "kl_divergence",
    "normal_profile",
    "renyi_divergence",
    "total_variation",
]


def _over_support(
    body: Callable[[Expr, Expr], Expr], first: Law, second: Law, *more: Basic
) -> Expr:
    """Sum or integrate ``body(p(t), q(t))`` over a variable that occurs in none of the arguments."""
    taken = {free.name for part in (first, second, *more) for free in part.free_symbols}
    low, high = first.support
    name = "k" if first.discrete else "t"
    while name in taken:
        name += "_"
    if first.discrete and high.is_Integer and high <= MOST_TERMS:
        outcomes = range(int(low), int(high) + 1)
        return Add(*(body(first.density(k), second.density(k)) for k in outcomes))
    if first.discrete:
        at = Symbol(name, integer=True)
        return Sum(body(first.density(at), second.density(at)), (at, low, high))
    at = Symbol(name, real=True)
    return Integral(body(first.density(at), second.density(at)), (at, low, high))


class renyi_divergence(Defined):
    """Renyi divergence ``renyi_divergence(P, Q, order)`` of two laws, from its integral."""

    nargs = 3

    def definition(self) -> Expr:
        first, second, order = self.args
        power = _over_support(lambda p, q: p**order * q ** (1 - order), first, second, order)
        return log(power) / (order - 1)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        first, second, order = (printer.doprint(argument) for argument in self.args)
        return rf"D_{{{order}}}\left({first} \,\|\, {second}\right)"


class kl_divergence(Defined):
    """Kullback-Leibler divergence ``kl_divergence(P, Q)`` in nats: the mean loss under P."""

    nargs = 2

    def definition(self) -> Expr:
        return _over_support(lambda p, q: p * log(p / q), *self.args)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        first, second = (printer.doprint(argument) for argument in self.args)
        return rf"\mathrm{{KL}}\left({first} \,\|\, {second}\right)"


class affinity(Defined):
    """Hellinger affinity ``affinity(P, Q)``, the integral of sqrt(p q).

    The squared Hellinger distance is 1 less this.
    """

    nargs = 2

    def definition(self) -> Expr:
        return _over_support(lambda p, q: sqrt(p * q), *self.args)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        first, second = (printer.doprint(argument) for argument in self.args)
        return rf"\mathrm{{BC}}\left({first}, {second}\right)"


class hockey_stick(Defined):
    """Hockey-stick divergence ``hockey_stick(P, Q, epsilon)``: smallest delta at an epsilon.

    The largest ``P(A) - exp(epsilon) Q(A)`` over all events A.
    """

    nargs = 3

    def definition(self) -> Expr:
        first, second, epsilon = self.args
        return _over_support(lambda p, q: Max(p - exp(epsilon) * q, 0), first, second, epsilon)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        first, second, epsilon = (printer.doprint(argument) for argument in self.args)
        return rf"H_{{e^{{{epsilon}}}}}\left({first} \,\|\, {second}\right)"


class total_variation(Defined):
    """Total variation distance ``total_variation(P, Q)``, in [0, 1]."""

    nargs = 2

    def definition(self) -> Expr:
        return _over_support(lambda p, q: Max(p - q, 0), *self.args)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        first, second = (printer.doprint(argument) for argument in self.args)
        return rf"\mathrm{{TV}}\left({first}, {second}\right)"


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
