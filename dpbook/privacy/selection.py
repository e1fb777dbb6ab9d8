"""Mechanisms that answer which: the largest of several noisy answers, or the first above a threshold."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Integer, Integral, Lt, Piecewise, Symbol, oo, true
from sympy.core.symbol import Str

from dpbook.engine.language.function_symbols import Unknown, Value
from dpbook.engine.language.statement import Either, Every, Relation, Tree, for_all
from dpbook.privacy.coordinates import AnyNumbers
from dpbook.privacy.distributions import Distribution, Laplace
from dpbook.privacy.divergences import totalled

__all__ = [
    "AboveThreshold",
    "AnyFunction",
    "AnyIntegrable",
    "Below",
    "DistributionFunction",
    "NoisyMax",
    "OneSided",
    "Rising",
    "Selection",
    "SparseVector",
    "Told",
]


class AnyIntegrable(Unknown):
    """Any function on the line that has an integral."""

    words = "function with an integral over the line"
    density = True

    def known(self) -> Sequence[Tree]:
        t = Symbol("t", real=True)
        whole = Integral(self(t), (t, -oo, oo))
        return [Relation(whole, "==", whole)]  # so both sides exist

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(-3, 4, cells))


class AnyFunction(Unknown):
    """Any function of numbers; an example has one value where the last is below 0, and one from 0 on."""

    words = "function"

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in rng.integers(0, 5, 2))

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example."""
        below, above = model.table(self, ())
        found = below if at[-1] < 0 else above
        return sympy.Rational(found.numerator, found.denominator)


class Rising(Unknown):
    """Any function on the line that never falls, with values between 0 and 1."""

    words = "function that never falls, between 0 and 1"

    def known(self) -> Sequence[Tree]:
        t, u = (Symbol(name, real=True) for name in "tu")
        rises = Relation(self(t), "<=", self(u))
        return [
            Every(t, Relation(self(t), ">=", Integer(0))),
            Every(t, Relation(self(t), "<=", Integer(1))),
            Every(t, Every(u, rises, (Relation(t, "<=", u),))),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in np.sort(rng.integers(0, 5, cells)))


class Determined(Unknown):
    """A function of one argument with no free choice: its second argument says all of it."""

    def __new__(cls, name: Any, by: Any) -> Determined:
        return sympy.Basic.__new__(cls, Str(str(name)), sympy.sympify(by))

    @property
    def parameters(self) -> int:
        return 0

    @property
    def free_symbols(self) -> set[Symbol]:
        return set(self.args[1].free_symbols)


class DistributionFunction(Determined, Rising):
    """The distribution function of a distribution, ``DistributionFunction("F", distribution)``."""

    words = "distribution function"

    def known(self) -> Sequence[Tree]:
        s, t = (Symbol(name, real=True) for name in "st")
        up_to = Integral(self.args[1].density(s), (s, -oo, t))
        return [*super().known(), Every(t, Relation(up_to, "==", self(t)))]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("its values are integrals")

    def _sympystr(self, printer: Any) -> str:
        return f"{self.name} of {printer.doprint(self.args[1])}"


class OneSidedDensity(Determined):
    """The density of exponential noise on the line, ``OneSidedDensity("E", scale)``."""

    words = "density of exponential noise"

    def known(self) -> Sequence[Tree]:
        t = Symbol("t", real=True)
        return [
            Every(t, Relation(self(t), "==", self.cases(t))),
            Every(t, Relation(self(t), ">=", Integer(0))),
            Relation(Integral(self(t), (t, -oo, oo)), "==", self.total(t)),
        ]

    def total(self, at: Symbol) -> Expr:
        """Return its integral over the line, in two cases."""
        return totalled(self.cases(at), at, discrete=False, ends=(-oo, oo))

    def cases(self, at: Any) -> Expr:
        """Return its value, which is 0 below 0."""
        scale = self.args[1]
        with sympy.evaluate(False):
            above = sympy.exp(-at / scale) / scale
            return Piecewise((above, sympy.Ge(at, 0)), (Integer(0), true), evaluate=False)

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("its values are given")

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        (level,), scale = at, model.value(self.args[1], {})
        found: Expr = Piecewise((sympy.exp(-level / scale) / scale, level >= 0), (0, True))
        return found


class OneSided(Distribution):
    """Exponential noise on the line, ``OneSided(scale)``: never below 0, with the mean `scale`.

    Its density has a name, so that a product with other factors is not split at 0.

    Examples
    --------
    >>> OneSided(2)
    OneSided(2)
    """

    parameters = (("scale", "positive"),)

    def density(self, at: Any) -> Expr:
        return Value(OneSidedDensity("E", self.args[0]), at)


class Below(Unknown):
    """The probability that some noisy answers lie below a level, ``Below("K", F, answers)``.

    At i, o, x: that the i answers from number o on, each with its own noise of the distribution F, lie
    below x. So it is a product of values of F, 1 without an answer: no free choice.
    """

    words = "probability that noisy answers lie below a level"

    def __new__(cls, name: Any, distribution_function: Rising, answers: AnyNumbers) -> Below:
        return sympy.Basic.__new__(cls, Str(str(name)), distribution_function, answers)

    @property
    def parameters(self) -> int:
        return 2

    @property
    def free_symbols(self) -> set[Symbol]:
        return set(self.args[1].free_symbols)

    def known(self) -> Sequence[Tree]:
        _, distribution_function, answers = self.args
        o, i = (Symbol(name, integer=True) for name in "oi")
        x = Symbol("x", real=True)
        with sympy.evaluate(False):
            last = distribution_function(x - answers(o + (i - 1)))
            more = Relation(self(i, o, x), "==", self(i - 1, o, x) * last)
            # of a bounded function it says that it is measurable, as products of rising ones are
            numbers = [Symbol(name, real=True) for name in "io"]  # 1 at all that are no whole ones
            value = self(*numbers, x)
            weighed = Integral(value / (1 + x**2), (x, -oo, oo))
        return [
            for_all(o, x, Relation(self(Integer(0), o, x), "==", Integer(1))),
            Every(i, for_all(o, x, more), (Relation(i, ">=", Integer(1)),)),
            for_all(*numbers, x, Relation(value, ">=", Integer(0))),
            for_all(*numbers, x, Relation(value, "<=", Integer(1))),
            for_all(*numbers, Relation(weighed, ">=", Integer(0))),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("its values are products")


class Marks(AnyNumbers):
    """Return the mark of each answer in an outcome: 1 above the threshold, 0 below, -1 not asked any more."""

    words = "1, 0 or -1 for each answer, in each outcome"

    def known(self) -> Sequence[Tree]:
        j, o = (Symbol(name, integer=True) for name in "jo")
        ends = (Relation(self(j, o), "==", Integer(end)) for end in (-1, 0, 1))
        return [for_all(j, o, Either(tuple(ends)))]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(-1, 2, cells))


class Above(Unknown):
    """The number of first answers above the threshold, ``Above("A", marks)``: at i, o in outcome o.

    It is no free choice, but given by its start and by its terms.
    """

    words = "number of answers above the threshold"

    def __new__(cls, name: Any, marks: Marks) -> Above:
        return sympy.Basic.__new__(cls, Str(str(name)), marks)

    @property
    def parameters(self) -> int:
        return 1

    def known(self) -> Sequence[Tree]:
        marks = self.args[1]
        o, i = (Symbol(name, integer=True) for name in "oi")
        with sympy.evaluate(False):
            more = Relation(self(i, o), "==", self(i - 1, o) + counted(marks(i - 1, o)))
        return [
            for_all(o, Relation(self(Integer(0), o), "==", Integer(0))),
            Every(i, for_all(o, more), (Relation(i, ">=", Integer(1)),)),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("its values are sums")

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example."""
        count, outcome = at
        marks = (self.args[1](sympy.Integer(i), outcome) for i in range(int(count)))
        return sympy.Add(*(counted(model.value(mark, {})) for mark in marks))


def counted(mark: Any) -> Expr:
    """Return 1 where a mark says that an answer lies above the threshold, and else 0."""
    return mark * (mark + 1) / 2


def chance(mark: Any, below: Any) -> Expr:
    """Return the probability of a mark, where an answer lies below with a given probability."""
    with sympy.evaluate(False):
        asked = (1 - mark**2) * below + mark * (mark + 1) / 2 * (1 - below)
        return asked + mark * (mark - 1) / 2


class Told(Unknown):
    """The probability of an outcome's marks of the first answers.

    It is written ``Told("W", F, answers, marks)``.

    At i, o, x: that the first i answers, each with its own noise of the distribution F, lie below and
    above x as outcome o says. So it is a product: no free choice.
    """

    words = "probability of what an outcome says of noisy answers, at a level"

    def __new__(
        cls, name: Any, distribution_function: Rising, answers: AnyNumbers, marks: Marks
    ) -> Told:
        return sympy.Basic.__new__(cls, Str(str(name)), distribution_function, answers, marks)

    @property
    def parameters(self) -> int:
        return 2

    @property
    def free_symbols(self) -> set[Symbol]:
        return set(self.args[1].free_symbols)

    def known(self) -> Sequence[Tree]:
        _, distribution_function, answers, marks = self.args
        o, i = (Symbol(name, integer=True) for name in "oi")
        x = Symbol("x", real=True)
        with sympy.evaluate(False):
            last = chance(marks(i - 1, o), distribution_function(x - answers(i - 1)))
            more = Relation(self(i, o, x), "==", self(i - 1, o, x) * last)
            # of a bounded function it says that it is measurable, as products of rising ones are
            numbers = [Symbol(name, real=True) for name in "io"]  # 1 at all that are no whole ones
            value = self(*numbers, x)
            weighed = Integral(value / (1 + x**2), (x, -oo, oo))
        return [
            for_all(o, x, Relation(self(Integer(0), o, x), "==", Integer(1))),
            Every(i, for_all(o, x, more), (Relation(i, ">=", Integer(1)),)),
            for_all(*numbers, x, Relation(value, ">=", Integer(0))),
            for_all(*numbers, x, Relation(value, "<=", Integer(1))),
            for_all(*numbers, Relation(weighed, ">=", Integer(0))),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("its values are products")


class Selection(Distribution):
    """Choose among several noisy answers: an outcome is a number, and the other answers lie below a level."""

    discrete = True

    @property
    def answers(self) -> AnyNumbers:
        """The answers without noise."""
        return self.args[0]

    @property
    @abstractmethod
    def noise(self) -> Rising:
        """The distribution function of the noise of the answers that lie below."""

    @property
    def below(self) -> Below:
        """The probability that some answers lie below a level."""
        return Below(f"{self.noise.name}_{self.answers.name}", self.noise, self.answers)


class NoisyMax(Selection):
    """The number of the largest answer of 0, ..., last, each with noise of its own.

    ``NoisyMax(answers, distribution, last)``, with the distribution of the noise itself: the number of an answer is put
    out where all others lie below it, at whatever value it has with its noise.
    """

    def __new__(
        cls, answers: AnyNumbers, distribution: Distribution, last: Any, noise: Rising | None = None
    ) -> NoisyMax:
        if noise is None:
            noise = DistributionFunction("G", distribution)
        return sympy.Basic.__new__(cls, answers, distribution, sympy.sympify(last), noise)

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), self.args[2]

    @property
    def noise(self) -> Rising:
        return self.args[3]

    def told(self, winner: Any, at: Any) -> Expr:
        """Return the density at which an answer has a value with its noise."""
        answers, distribution = self.args[:2]
        with sympy.evaluate(False):
            if isinstance(
                distribution, Laplace
            ):  # the theorems on Laplace distributions are about their centres
                return Laplace(answers(winner), distribution.args[1]).density(at)
            return distribution.density(at - answers(winner))

    def won(self, winner: Any, at: Any) -> Expr:
        """Return the density of the largest answer with its noise, where its number is the winner."""
        last = self.args[2]
        before, after = self.below(winner, 0, at), self.below(last - winner, winner + 1, at)
        with sympy.evaluate(False):
            return self.told(winner, at) * (before * after)

    def density(self, at: Any) -> Expr:
        t = Symbol("t", real=True)
        return Integral(self.won(at, t), (t, -oo, oo))


class AboveThreshold(Selection):
    """The number of the first answer of 0, ..., last - 1 above a threshold, all with Laplace noise.

    ``AboveThreshold(answers, threshold, scale, last)``: the threshold has noise of that scale, each
    answer noise of its own and of twice that scale. The outcome `last` is that none lies above.
    """

    def __new__(
        cls, answers: AnyNumbers, threshold: Any, scale: Any, last: Any, noise: Rising | None = None
    ) -> AboveThreshold:
        if noise is None:
            noise = DistributionFunction("G", Laplace(0, 2 * scale))
        given = map(sympy.sympify, (threshold, scale, last))
        return sympy.Basic.__new__(cls, answers, *given, noise)

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), self.args[3]

    @property
    def noise(self) -> Rising:
        return self.args[4]

    def under(self, number: Any, at: Any) -> Expr:
        """Return the density of the noisy threshold, where a number of answers lie below it."""
        threshold, scale = self.args[1:3]
        with sympy.evaluate(False):
            return Laplace(threshold, scale).density(at) * self.below(number, 0, at)

    def above(self, number: Any, at: Any) -> Expr:
        """Return the density of the noisy threshold, where the answer of a number is the first above it."""
        return self.under(number, at) - self.under(number + 1, at)

    def density(self, at: Any) -> Expr:
        t, last = Symbol("t", real=True), self.args[3]
        first, none = (
            Integral(body, (t, -oo, oo)) for body in (self.above(at, t), self.under(last, t))
        )
        return Piecewise((first, Lt(at, last)), (none, true), evaluate=False)


class SparseVector(Selection):
    """Name the answers that lie above a threshold, until some number of them does.

    ``SparseVector(answers, threshold, scale, most, asked, last)``: the threshold has Laplace noise of that
    scale, each of the answers 0, ..., asked - 1 noise of its own and of 2 * most times that scale. The
    outcomes 0, ..., last are any list of marks of the answers.
    """

    marks = Marks("s", 1)

    def __new__(
        cls,
        answers: AnyNumbers,
        threshold: Any,
        scale: Any,
        most: Any,
        asked: Any,
        last: Any,
        noise: Rising | None = None,
    ) -> SparseVector:
        given = map(sympy.sympify, (threshold, scale, most, asked, last))
        if noise is None:
            noise = DistributionFunction("G", Laplace(0, 2 * most * scale))
        return sympy.Basic.__new__(cls, answers, *given, noise)

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), self.args[5]

    @property
    def noise(self) -> Rising:
        return self.args[6]

    @property
    def told(self) -> Told:
        """The probability of an outcome's marks of the first answers, at a level."""
        return Told(f"W_{self.answers.name}", self.noise, self.answers, self.marks)

    @property
    def above(self) -> Above:
        """The number of the first answers that lie above in an outcome."""
        return Above("A", self.marks)

    def under(self, outcome: Any, at: Any) -> Expr:
        """Return the density of the noisy threshold, where the answers are as an outcome says."""
        threshold, scale, _, asked = self.args[1:5]
        with sympy.evaluate(False):
            return Laplace(threshold, scale).density(at) * self.told(asked, outcome, at)

    def density(self, at: Any) -> Expr:
        t = Symbol("t", real=True)
        return Integral(self.under(at, t), (t, -oo, oo))
