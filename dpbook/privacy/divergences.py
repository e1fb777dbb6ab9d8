"""Divergences as SymPy objects: short in a statement, written out for the proof.

Each is an integral over the support of its first distribution, or a sum where that distribution is discrete.
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

from dpbook.engine.language.statement import Defined
from dpbook.privacy.any_distributions import OrNull, Releases, Repeated, Then
from dpbook.privacy.distributions import Distribution

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
    distributions: Sequence[Distribution],
    *more: Basic,
    ends: tuple[Expr, Expr] | None = None,
    weighed: Callable[[Expr], Expr] | None = None,
) -> Expr:
    """Sum or integrate ``body(p(t), q(t), ...)`` over a variable that occurs in none of the arguments.

    Parameters
    ----------
    body : callable
        Of as many densities as there are distributions. Of distributions of two outputs it is integrated over the second
        one first.
    distributions : sequence of Distribution
        All on one support.
    *more : Basic
        Other objects in the body.
    ends : tuple, optional
        In place of the support.
    weighed : callable, optional
        A factor of the body at the variable.

    Raises
    ------
    ValueError
        For distributions that are not known to have the same outputs; for a weight, or ends, under a distribution whose
        outputs are no numbers on one line.

    Notes
    -----
    A sum over all integers is the sum from 0 on, and the sum from -1 down.
    """
    taken = {free.name for part in (*distributions, *more) for free in part.free_symbols}
    first = distributions[0]
    several = isinstance(first, (Releases, Repeated, OrNull, Then))
    if (several and weighed is not None) or (ends is not None and (several or first.discrete)):
        raise ValueError(f"an event on the line has no probability here under {first}")
    same_outputs(*distributions)
    if isinstance(first, Releases):
        one, other = distributions
        return one.total(other, body)(first.args[2], 0, 1, 1)
    if isinstance(first, Repeated):
        one, other = distributions
        return one.total(other, body)(first.count, 1, 1)
    if isinstance(first, OrNull):

        def of_a_draw(*densities: Expr) -> Expr:
            return body(
                *(
                    distribution.chance * p
                    for distribution, p in zip(distributions, densities, strict=True)
                )
            )

        drawn = over_support(
            of_a_draw, [distribution.drawn for distribution in distributions], *more, *distributions
        )
        return drawn + body(*(1 - distribution.chance for distribution in distributions))
    if isinstance(first, Then):
        at = _variable(first.first, taken)

        def of_both(*densities: Expr) -> Expr:
            return body(
                *(
                    distribution.first.density(at) * p
                    for distribution, p in zip(distributions, densities, strict=True)
                )
            )

        inner = over_support(
            of_both, [distribution.second(at) for distribution in distributions], *more, at
        )
        return totalled(inner, at, first.first.discrete, first.first.support)
    low, high = first.support
    if first.discrete and high.is_Integer and high <= MOST_TERMS and weighed is None:
        outcomes = range(int(low), int(high) + 1)
        return Add(
            *(body(*(distribution.density(k) for distribution in distributions)) for k in outcomes)
        )
    at = _variable(first, taken)
    total = totalled if weighed is None else _as_it_is

    def at_output(z: Expr) -> Expr:
        inside = body(*(distribution.density(z) for distribution in distributions))
        return inside if weighed is None else weighed(z) * inside

    if first.discrete and low == -oo:
        return Add(*(total(at_output(z), at, True, (Integer(0), oo)) for z in (at, -1 - at)))
    return total(at_output(at), at, first.discrete, ends or first.support)


def same_outputs(*distributions: Distribution) -> None:
    """Refuse distributions that are not known to have the same outputs: a density is right on its own support.

    Raises
    ------
    ValueError
        Distributions on different supports, of another number of draws, or of outputs of another kind.
    """
    first = distributions[0]
    for distribution in distributions[1:]:
        if _outputs(distribution) != _outputs(first):
            raise ValueError(
                f"distributions must have the same outputs to be compared, got {first} and {distribution}"
            )


def _outputs(distribution: Distribution) -> tuple[Any, ...]:
    """Name the kinds of outputs of a distribution."""
    if isinstance(distribution, Releases):
        return Releases, distribution.args[0].last, distribution.args[2]
    if isinstance(distribution, Repeated):
        return Repeated, _outputs(distribution.args[0]), distribution.count
    if isinstance(distribution, OrNull):
        return OrNull, _outputs(distribution.drawn)
    if isinstance(distribution, Then):
        return Then, _outputs(distribution.first), _outputs(distribution.args[2])
    return distribution.discrete, distribution.support


def _variable(distribution: Distribution, taken: set[str]) -> Symbol:
    name = "k" if distribution.discrete else "t"
    while name in taken:
        name += "_"
    return Symbol(name, integer=True) if distribution.discrete else Symbol(name, real=True)


def totalled(body: Expr, at: Symbol, discrete: bool, ends: tuple[Expr, Expr]) -> Expr:
    """Sum or integrate over the outputs; a choice in the density stays where it is."""
    if body.has(Piecewise):
        return _as_it_is(body, at, discrete, ends)
    return Sum(body, (at, *ends)) if discrete else Integral(body, (at, *ends))


def _as_it_is(body: Expr, at: Symbol, discrete: bool, ends: tuple[Expr, Expr]) -> Expr:
    """Sum or integrate a body as it is; SymPy's own sums and integrals would split a choice."""
    made = Expr.__new__(Sum if discrete else Integral, body, Tuple(at, *ends))
    made.is_commutative = True
    return made


def _over_support(
    body: Callable[..., Expr], first: Distribution, second: Distribution, *more: Basic
) -> Expr:
    return over_support(body, (first, second), *more)


class renyi_divergence(Defined):
    """Renyi divergence ``renyi_divergence(P, Q, order)`` of two distributions, from its integral."""

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
    """Smallest delta at a given epsilon for two normal distributions of one spread.

    ``normal_profile(distance, epsilon)``: the distance of the means is in standard deviations.
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
