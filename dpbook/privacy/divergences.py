"""Divergences as SymPy objects: short in a statement, written out for the proof.

Each is an integral over the support of its first law, or a sum where that law is discrete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sympy import (
    Add,
    Basic,
    Expr,
    Integer,
    Integral,
    Max,
    Piecewise,
    Sum,
    Symbol,
    Tuple,
    erfc,
    exp,
    log,
    oo,
    sqrt,
)

from dpbook.engine.statement import Defined
from dpbook.privacy.any_laws import OrNull, Releases, Repeated, Then
from dpbook.privacy.laws import Law

MOST_TERMS = 20  # outcomes that a sum is written out over

__all__ = [
    "affinity",
    "hockey_stick",
    "kl_divergence",
    "normal_profile",
    "renyi_divergence",
    "renyi_moment",
    "total_variation",
]


def over_support(
    body: Callable[..., Expr],
    laws: Sequence[Law],
    *more: Basic,
    ends: tuple[Expr, Expr] | None = None,
    weighed: Callable[[Expr], Expr] | None = None,
) -> Expr:
    """Sum or integrate ``body(p(t), q(t), ...)`` over a variable that occurs in none of the arguments.

    Parameters
    ----------
    body : callable
        Of as many densities as there are laws. Of laws of two outputs it is integrated over the second
        one first.
    laws : sequence of Law
        All on one support.
    *more : Basic
        What else occurs in the body.
    ends : tuple, optional
        In place of the support.
    weighed : callable, optional
        A factor of the body at the variable.

    Raises
    ------
    ValueError
        For laws that are not known to have the same outputs; for a weight, or ends, under a law whose
        outputs are no numbers on one line.

    Notes
    -----
    A sum over all integers is that from 0 on, and that from -1 down.
    """
    taken = {free.name for part in (*laws, *more) for free in part.free_symbols}
    first = laws[0]
    several = isinstance(first, (Releases, Repeated, OrNull, Then))
    if (several and weighed is not None) or (ends is not None and (several or first.discrete)):
        raise ValueError(f"an event on the line has no probability here under {first}")
    same_outputs(*laws)
    if isinstance(first, Releases):
        one, other = laws
        return one.total(other, body)(first.args[2], 0, 1, 1)
    if isinstance(first, Repeated):
        one, other = laws
        return one.total(other, body)(first.count, 1, 1)
    if isinstance(first, OrNull):

        def of_a_draw(*densities: Expr) -> Expr:
            return body(*(law.chance * p for law, p in zip(laws, densities, strict=True)))

        drawn = over_support(of_a_draw, [law.drawn for law in laws], *more, *laws)
        return drawn + body(*(1 - law.chance for law in laws))
    if isinstance(first, Then):
        at = _variable(first.first, taken)

        def of_both(*densities: Expr) -> Expr:
            return body(
                *(law.first.density(at) * p for law, p in zip(laws, densities, strict=True))
            )

        inner = over_support(of_both, [law.second(at) for law in laws], *more, at)
        return totalled(inner, at, first.first.discrete, first.first.support)
    low, high = first.support
    if first.discrete and high.is_Integer and high <= MOST_TERMS and weighed is None:
        outcomes = range(int(low), int(high) + 1)
        return Add(*(body(*(law.density(k) for law in laws)) for k in outcomes))
    at = _variable(first, taken)
    total = totalled if weighed is None else _as_it_is

    def at_output(z: Expr) -> Expr:
        inside = body(*(law.density(z) for law in laws))
        return inside if weighed is None else weighed(z) * inside

    if first.discrete and low == -oo:
        return Add(*(total(at_output(z), at, True, (Integer(0), oo)) for z in (at, -1 - at)))
    return total(at_output(at), at, first.discrete, ends or first.support)


def same_outputs(*laws: Law) -> None:
    """Refuse laws that are not known to have the same outputs: a density is right on its own support.

    Raises
    ------
    ValueError
        Laws on different supports, of another number of draws, or of outputs of another kind.
    """
    first = laws[0]
    for law in laws[1:]:
        if _outputs(law) != _outputs(first):
            raise ValueError(
                f"laws must have the same outputs to be compared, got {first} and {law}"
            )


def _outputs(law: Law) -> tuple[Any, ...]:
    """What the outputs of a law are."""
    if isinstance(law, Releases):
        return Releases, law.args[0].last, law.args[2]
    if isinstance(law, Repeated):
        return Repeated, _outputs(law.args[0]), law.count
    if isinstance(law, OrNull):
        return OrNull, _outputs(law.drawn)
    if isinstance(law, Then):
        return Then, _outputs(law.first), _outputs(law.args[2])
    return law.discrete, law.support


def _variable(law: Law, taken: set[str]) -> Symbol:
    name = "k" if law.discrete else "t"
    while name in taken:
        name += "_"
    return Symbol(name, integer=True) if law.discrete else Symbol(name, real=True)


def totalled(body: Expr, at: Symbol, discrete: bool, ends: tuple[Expr, Expr]) -> Expr:
    """Sum or integrate over the outputs; a choice in the density stays where it is."""
    if body.has(Piecewise):
        return _as_it_is(body, at, discrete, ends)
    return Sum(body, (at, *ends)) if discrete else Integral(body, (at, *ends))


def _as_it_is(body: Expr, at: Symbol, discrete: bool, ends: tuple[Expr, Expr]) -> Expr:
    """Sum or integrate what SymPy's own sums and integrals would take a choice in apart."""
    made = Expr.__new__(Sum if discrete else Integral, body, Tuple(at, *ends))
    made.is_commutative = True
    return made


def _over_support(body: Callable[..., Expr], first: Law, second: Law, *more: Basic) -> Expr:
    return over_support(body, (first, second), *more)


class renyi_divergence(Defined):
    """Renyi divergence ``renyi_divergence(P, Q, order)`` of two laws, from its integral."""

    nargs = 3

    def definition(self) -> Expr:
        first, second, order = self.args
        return log(renyi_moment(first, second, order)) / (order - 1)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        first, second, order = (printer.doprint(argument) for argument in self.args)
        return rf"D_{{{order}}}\left({first} \,\|\, {second}\right)"


class renyi_moment(Defined):
    """Moment ``renyi_moment(P, Q, order)``: the Renyi divergence is its logarithm over the order less 1."""

    nargs = 3

    def definition(self) -> Expr:
        first, second, order = self.args
        return _over_support(lambda p, q: p**order * q ** (1 - order), first, second, order)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        first, second, order = (printer.doprint(argument) for argument in self.args)
        return rf"M_{{{order}}}\left({first} \,\|\, {second}\right)"


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
