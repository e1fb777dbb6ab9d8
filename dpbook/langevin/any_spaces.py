"""Spaces with a distance and a volume, distributions on them and couplings that a statement leaves open.

A point of the space is told by a real number: the line carries every space that the paper speaks of,
R^d among them, with any volume and any distribution on it (`privacy.any_distributions`). A coupling of two distributions is one
distribution of pairs of points; a pair is told by a real number, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import Basic, Expr, Integer, Integral, Rational, Symbol, oo
from sympy.core.symbol import Str

from dpbook.engine.language.function_symbols import Unknown
from dpbook.engine.language.statement import Defined, Relation, Tree, for_all
from dpbook.engine.refute.finite_models import Undefined
from dpbook.privacy.any_distributions import AnyDistribution, Density, Where
from dpbook.privacy.statements import probability

__all__ = [
    "DISTANCE",
    "VOLUME",
    "Coupling",
    "average",
    "ball",
    "density_of",
    "volume",
]


class Distance(Unknown):
    """A distance of two points of a space, or of two numbers that may tell the same point."""

    words = "distance of two points"
    by_place = True

    def known(self) -> Sequence[Tree]:
        x, y, z = (Symbol(name, real=True) for name in "xyz")
        detour = self(y, x) + self(y, z)
        return [
            for_all(x, y, Relation(self(x, y), ">=", Integer(0))),
            for_all(x, Relation(self(x, x), "==", Integer(0))),
            for_all(x, y, z, Relation(self(x, z), "<=", detour)),  # with z = y it is symmetric
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in rng.integers(0, 9, cells))

    def told(self, table: Sequence[Fraction]) -> str:
        points = "the points" if len(table) > 1 else "one point"
        return f"distance on the line, of {points} {super().told(table)}"

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example: the cells are points of a line."""
        one, other = (model.table(self, ())[int(place)] for place in at)
        gap = abs(one - other)
        return Rational(gap.numerator, gap.denominator)


class Volume(Density):
    """The volume at each number, per length of the line."""

    words = "volume"

    def known(self) -> Sequence[Tree]:
        t = Symbol("t", real=True)
        return [for_all(t, Relation(self(t), ">=", Integer(0)))]


class Relative(Unknown):
    """The density of a distribution with respect to the volume."""

    words = "density with respect to the volume"
    by_place = True

    def __new__(cls, name: Any, distribution: Any) -> Relative:
        return Basic.__new__(cls, Str(str(name)), distribution)

    @property
    def parameters(self) -> int:
        return 0

    def known(self) -> Sequence[Tree]:
        t = Symbol("t", real=True)
        distribution = self.args[1].density(t)
        return [
            for_all(t, Relation(self(t), ">=", Integer(0))),
            for_all(t, Relation(distribution, "==", self(t) * VOLUME(t))),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("its values come from the distribution and the volume")

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example."""
        distribution, volume = self.args[1].density(at[0]).function, VOLUME
        mass, size = (model.table(f, ())[int(at[0])] for f in (distribution, volume))
        if mass and not size:
            raise Undefined("a distribution has no density where there is no volume")
        found = mass / size if size else Fraction(0)
        return Rational(found.numerator, found.denominator)


class Point(Unknown):
    """A random point: of each outcome a point of the space."""

    words = "random point"

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(0, cells, cells))


DISTANCE, VOLUME = Distance("d", 1), Volume("V")
_AT, _POINT = Symbol("t", real=True), Symbol("z", real=True)


def density_of(distribution: AnyDistribution) -> Relative:
    """Return the density of a distribution with respect to the volume, named as the distribution is, in lower case."""
    return Relative(distribution.name.lower(), distribution)


def ball(name: str, centre: Any, radius: Any) -> Where:
    """Return the ball of the points within a distance of its centre, as an event."""
    return Where(name, _POINT, DISTANCE(centre, _POINT), "<=", radius)


class volume(Defined):
    """Volume ``volume(event)`` of an event."""

    nargs = 1

    def definition(self) -> Expr:
        return Integral(VOLUME(_AT) * self.args[0].indicator(_AT), (_AT, -oo, oo))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        found = rf"\mathrm{{vol}}\left({printer.doprint(self.args[0])}\right)"
        return found if exp is None else f"{found}^{{{exp}}}"


def average(distribution: AnyDistribution, event: Where) -> Expr:
    """Return the average of the density of a distribution over an event."""
    return probability(distribution, event) / volume(event)


class Coupling:
    """Name a distribution of pairs of points, ``Coupling("Gamma", "X", "Y")``.

    Parameters
    ----------
    distribution, first, second : str
        Names.
    """

    def __init__(self, distribution: str, first: str, second: str) -> None:
        self.distribution = AnyDistribution(distribution)
        self.points = (Point(first), Point(second))

    def at(self, pair: Any) -> tuple[Expr, Expr]:
        """Return the two points of a pair."""
        first, second = (point(pair) for point in self.points)
        return first, second

    def apart(self, pair: Any) -> Expr:
        """Return the distance of the two points of a pair."""
        return DISTANCE(*self.at(pair))

    def within(self, event: Where, which: int) -> Expr:
        """Return the probability that the first or the second point, 0 or 1, lies in an event."""
        body = self.distribution.density(_AT) * event.indicator(self.at(_AT)[which])
        return Integral(body, (_AT, -oo, oo))

    @property
    def mean(self) -> Expr:
        """The mean distance of a pair."""
        return Integral(self.distribution.density(_AT) * self.apart(_AT), (_AT, -oo, oo))

    @property
    def mean_square(self) -> Expr:
        """The mean square of the distance of a pair."""
        return Integral(self.distribution.density(_AT) * self.apart(_AT) ** 2, (_AT, -oo, oo))
