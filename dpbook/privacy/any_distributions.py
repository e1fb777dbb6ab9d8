"""Distributions and events that a statement leaves open: it holds for all of them.

A distribution with a density on the line stands for any distribution, and two of them for any pair: both have
densities for their sum, and cells of the line can carry them. A distribution on 0, ..., n is any distribution on
finitely many outcomes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from sympy import Basic, Expr, Integer, Integral, Lambda, Rational, Sum, Symbol, oo
from sympy.core.symbol import Str

from dpbook.engine.language.function_symbols import Unknown, Value
from dpbook.engine.language.statement import (
    Both,
    Either,
    Every,
    Relation,
    Tree,
    for_all,
    latex,
    text,
)
from dpbook.privacy.distributions import Distribution, parameter

__all__ = [
    "AnyChance",
    "AnyEvent",
    "AnyFiniteDistribution",
    "AnyFunction",
    "AnyDistribution",
    "AnyScore",
    "AnyTest",
    "AnyWholeDistribution",
    "ExponentialMechanism",
    "OrNull",
    "Processed",
    "Releases",
    "Repeated",
    "Then",
    "Where",
    "distribution_for",
]

LARGEST = 6  # weight of one cell of an example, before all are divided by their sum


class Density(Unknown):
    """An unknown density on the line; with parameters one for each of their values."""

    words = "distribution with a density on the line"
    density = True
    measure = True

    def known(self) -> Sequence[Tree]:
        others, t = self.arguments[:-1], Symbol("t", real=True)
        value = self(*others, t)
        total = Relation(Integral(value, (t, -oo, oo)), "==", Integer(1))
        return [
            for_all(*others, t, Relation(value, ">=", Integer(0))),
            for_all(*others, total),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return _weights(cells, rng)


class Mass(Unknown):
    """Unknown probabilities of the outcomes 0, ..., n."""

    words = "distribution on the outcomes 0 to n"
    integer = True
    measure = True

    def __new__(cls, name: Any, parameters: Any, last: Any) -> Mass:
        return sympy.Basic.__new__(cls, Str(str(name)), Integer(parameters), sympy.sympify(last))

    @property
    def last(self) -> Expr:
        return self.args[2]

    def known(self) -> Sequence[Tree]:
        others, k = self.arguments[:-1], Symbol("k", integer=True)
        value = self(*others, k)
        inside = (Relation(k, ">=", Integer(0)), Relation(k, "<=", self.last))
        total = Relation(Sum(value, (k, 0, self.last)), "==", Integer(1))
        positive = Every(k, Relation(value, ">=", Integer(0)), inside)
        return [for_all(*others, positive), for_all(*others, total)]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return _weights(cells, rng)


class Masses(Mass):
    """Unknown probabilities of all whole numbers from one of them on, or of all where that is -oo."""

    words = "distribution on the whole numbers"
    endless = True

    def __new__(cls, name: Any, parameters: Any, last: Any, low: Any) -> Masses:
        return sympy.Basic.__new__(cls, Str(str(name)), Integer(parameters), last, low)

    @property
    def low(self) -> Expr:
        return self.args[3]

    @property
    def said(self) -> str:
        return f"{self.words} >= {text(self.low)}" if self.low != -oo else self.words

    def known(self) -> Sequence[Tree]:
        others, k = self.arguments[:-1], Symbol("k", integer=True)
        value, whole = self(*others, k), self.low == -oo
        sums = [Sum(value, (k, 0 if whole else self.low, oo))]
        sums += [Sum(self(*others, -1 - k), (k, 0, oo))] if whole else []
        inside = () if whole else (Relation(k, ">=", self.low),)
        return [
            for_all(*others, Every(k, Relation(value, ">=", Integer(0)), inside)),
            *(for_all(*others, Relation(part, ">=", Integer(0))) for part in sums),
            for_all(*others, Relation(sympy.Add(*sums), "==", Integer(1))),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        """Return a first number, the factors from there down and from the last one up, and the masses between."""
        down, up = (Fraction(int(i), 3) for i in rng.integers(0, 3, 2) * rng.integers(0, 2, 2))
        down = down if self.low == -oo else Fraction(0)
        first = int(rng.integers(-2, 2)) if self.low == -oo else int(self.low)
        inside = _weights(int(rng.integers(1, cells + 1)), rng)
        total = sum(inside) + inside[0] * down / (1 - down) + inside[-1] * up / (1 - up)
        return Fraction(first), down, up, *(w / total for w in inside)

    def at(self, table: Sequence[Fraction], place: Any) -> Expr | None:
        low, down, up, *inside = (Rational(x.numerator, x.denominator) for x in table)
        sides = (place - low - len(inside) + 1, up, inside[-1]), (low - place, down, inside[0])
        for beyond, factor, mass in sides:
            if beyond.is_positive:
                return mass * factor**beyond if factor else Integer(0)
        return inside[place - low] if isinstance(place, int) else sympy.nan

    def told(self, table: Sequence[Any]) -> str:
        first, down, up, *inside = table
        tails = f", times {down} for each number below and {up} for each above"
        masses = ", ".join(f"{w} at {int(first) + i}" for i, w in enumerate(inside))
        return masses + (tails if down or up else "")


class Chosen(Unknown):
    """An unknown test: with which probability it accepts an outcome; of an event 0 or 1."""

    words = "test of the outcome"

    def known(self) -> Sequence[Tree]:
        t = Symbol("t", real=True)
        value = self(t)
        # a bounded function times a weight has an integral exactly where it is measurable
        weighed = Integral(value / (1 + t**2), (t, -oo, oo))
        return [*self.values(t), Relation(weighed, ">=", Integer(0))]

    def values(self, t: Symbol) -> list[Tree]:
        """Return which values it has."""
        return [
            Every(t, Relation(self(t), ">=", Integer(0))),
            Every(t, Relation(self(t), "<=", Integer(1))),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in rng.integers(0, 5, cells))


class AnyChance(Unknown):
    """A probability that depends on the outputs so far, ``AnyChance("T", 1)(x, y)``."""

    words = "probability that depends on the outputs so far"

    def known(self) -> Sequence[Tree]:
        at = self.arguments
        return [
            for_all(*at, Relation(self(*at), ">=", Integer(0))),
            for_all(*at, Relation(self(*at), "<=", Integer(1))),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i), 4) for i in rng.integers(0, 5, cells))


class AnyFunction(Unknown):
    """A function of an output of which nothing is known, ``AnyFunction("E")(x)``; an example integrates it."""

    words = "function of an output"
    density = True

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        signs = rng.choice((-1, 1), cells)
        return tuple(int(s) * w for s, w in zip(signs, _weights(cells, rng), strict=True))


class Indicator(Chosen):
    """The indicator of an unknown event."""

    words = "event"

    def values(self, t: Symbol) -> list[Tree]:
        ends = (Relation(self(t), "==", Integer(0)), Relation(self(t), "==", Integer(1)))
        return [Every(t, Either(ends))]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(0, 2, cells))


class Scored(Mass):
    """An unknown function of the outcomes 0, ..., n, of which nothing is known."""

    words = "list of real numbers"
    measure = False

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(-1, 3, cells))


class Later(Unknown):
    """Name the transcript after one more output: an unknown function of the transcript so far, and of the output."""

    words = "history of the outputs, as a number"
    integer = True

    def __new__(cls, name: Any, parameters: Any, last: Any) -> Later:
        return sympy.Basic.__new__(cls, Str(str(name)), Integer(parameters), sympy.sympify(last))

    def known(self) -> Sequence[Tree]:
        return []

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(i)) for i in rng.integers(0, LARGEST, cells))


class Total(Unknown):
    """A function of two joint masses, summed over all outputs of several releases.

    At i, h, a, b: over i more releases after the history h, where the masses of the outputs so far
    are a and b. So it is no free choice: its values for i releases are sums of its values for i - 1.
    """

    words = "sum over all outputs"
    costly = True

    def __new__(cls, name: Any, first: Mass, second: Mass, later: Later, *body: Any) -> Total:
        return sympy.Basic.__new__(cls, Str(str(name)), first, second, later, *body)

    @property
    def parameters(self) -> int:
        return 3

    @property
    def free_symbols(self) -> set[Symbol]:
        *_, a, b, body = self.args
        return (body.free_symbols - {a, b}) | self.args[1].free_symbols | self.args[2].free_symbols

    def known(self) -> Sequence[Tree]:
        _, first, second, later, a, b, body = self.args
        i, x = Symbol("i", integer=True), Symbol("x", integer=True)
        h = Symbol("h", real=True)
        after = self(i - 1, later(h, x), a * first(h, x), b * second(h, x))
        more = Relation(self(i, h, a, b), "==", Sum(after, (x, 0, first.last)))
        none = Relation(self(0, h, a, b), "==", body)
        return [
            for_all(h, a, b, none),
            Every(i, for_all(h, a, b, more), (Relation(i, ">=", Integer(1)),)),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("an example takes the values of the distributions")

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example: over the tree of all outputs."""
        _, first, second, later, a, b, body = self.args
        count, history, p, q = at
        if count == 0:
            with sympy.evaluate(True):
                put_in = body.xreplace({a: p, b: q})
            return model.value(put_in, {})
        last = int(model.value(first.last, {}))
        total = Integer(0)
        for x in range(last + 1):
            masses = [model.value(distribution(history, x), {}) for distribution in (first, second)]
            told = model.value(later(history, x), {}) % model.cells
            total += self.value(model, (count - 1, told, p * masses[0], q * masses[1]))
        return total


class Repetitions(Unknown):
    """A function of two joint densities, integrated over all outputs of independent draws on the line.

    At i, a, b: over i more draws, where the densities of the draws so far are a and b. As for
    `Total`, its values for i draws are integrals of its values for i - 1.
    """

    words = "integral over all draws"
    costly = True

    def __new__(cls, name: Any, output: Symbol, first: Expr, second: Expr, *body: Any) -> Any:
        return sympy.Basic.__new__(cls, Str(str(name)), output, first, second, *body)

    @property
    def parameters(self) -> int:
        return 2

    @property
    def free_symbols(self) -> set[Symbol]:
        _, output, first, second, a, b, body, *index = self.args
        densities = (first.free_symbols | second.free_symbols) - {output, *index}
        return densities | (body.free_symbols - {a, b})

    def densities(self, number: Expr) -> tuple[Expr, ...]:
        """Return the two densities of a draw, by its number from 0 on: here the same for every draw."""
        return self.args[2:4]

    def known(self) -> Sequence[Tree]:
        _, output, _, _, a, b, body, *_ = self.args
        i = Symbol("i", integer=True)
        first, second = self.densities(i - 1)
        after = Integral(self(i - 1, a * first, b * second), (output, -oo, oo))
        more = Relation(self(i, a, b), "==", after)
        return [
            for_all(a, b, Relation(self(0, a, b), "==", body)),
            Every(i, for_all(a, b, more), (Relation(i, ">=", Integer(1)),)),
        ]

    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        raise TypeError("an example takes the values of the distributions")

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example: over all rows of cells."""
        _, output, _, _, a, b, body, *_ = self.args
        count, p, q = at
        if count == 0:
            with sympy.evaluate(True):
                put_in = body.xreplace({a: p, b: q})
            return model.value(put_in, {})
        total = Integer(0)
        densities = self.densities(count - 1)
        for cell in range(model.cells):
            masses = [model.value(density, {output: cell}) for density in densities]
            total += self.value(model, (count - 1, p * masses[0], q * masses[1]))
        return total


def _weights(cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
    """Probabilities with a small denominator, some of them 0."""
    while True:
        found = [int(w) for w in rng.integers(0, LARGEST + 1, cells)]
        if sum(found):
            return tuple(Fraction(w, sum(found)) for w in found)


class AnyDistribution(Distribution):
    """Any distribution on the line that has a density, ``AnyDistribution("P")``; ``AnyDistribution("P", x)`` given x.

    Parameters
    ----------
    name : str
    *given : expressions
        Arguments of the distribution: there is one distribution for each value.
    """

    def __new__(cls, name: Any, *given: Any) -> AnyDistribution:
        return sympy.Basic.__new__(cls, Str(str(name)), *map(sympy.sympify, given))

    @property
    def name(self) -> str:
        return str(self.args[0].name)

    @property
    def given(self) -> tuple[Expr, ...]:
        return tuple(self.args[1:])

    def density(self, at: Any) -> Expr:
        return Value(Density(self.name, len(self.given)), *self.given, at)

    def _sympystr(self, printer: Any) -> str:
        inside = ", ".join(text(g) for g in self.given)
        return f"{self.name}({inside})" if inside else self.name

    def _latex(self, printer: Any) -> str:
        head, _, index = self.name.partition("_")
        name = f"{head}_{{{index}}}" if index else head
        inside = ", ".join(latex(g) for g in self.given)
        return rf"{name}\left({inside}\right)" if inside else name


def distribution_for(distribution: AnyDistribution, other: Distribution) -> dict[Basic, Lambda]:
    """Return the substitution of another distribution for any distribution, where a lemma is used.

    Parameters
    ----------
    distribution : AnyDistribution
        Given nothing else.
    other : Distribution
        On the same outcomes: the line, or 0, ..., last.
    """
    at = Symbol("k", integer=True) if distribution.discrete else Symbol("t", real=True)
    return {distribution.density(at).function: Lambda((at,), other.density(at))}


class AnyFiniteDistribution(AnyDistribution):
    """Any distribution on 0, ..., last, ``AnyFiniteDistribution("P", last)``; with more arguments given those.

    Parameters
    ----------
    name : str
    last : expression
        The largest outcome, an integer >= 0.
    *given : expressions
    """

    discrete = True

    @property
    def last(self) -> Expr:
        return self.args[1]

    @property
    def given(self) -> tuple[Expr, ...]:
        return tuple(self.args[2:])

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), self.last

    def density(self, at: Any) -> Expr:
        return Value(Mass(self.name, len(self.given), self.last), *self.given, at)


class AnyWholeDistribution(AnyDistribution):
    """Any distribution on the whole numbers from `low` on, ``AnyWholeDistribution("P", 0)``; on all, where `low` is -oo.

    Parameters
    ----------
    name : str
    low : expression
        A whole number, or -oo.
    *given : expressions
    """

    discrete = True

    def __new__(cls, name: Any, low: Any, *given: Any) -> AnyWholeDistribution:
        first = sympy.sympify(low)
        if first != -oo and not first.is_integer:
            raise ValueError(f"the first outcome must be a whole number or -oo, got {first}")
        return super().__new__(cls, name, first, *given)

    @property
    def given(self) -> tuple[Expr, ...]:
        return tuple(self.args[2:])

    @property
    def support(self) -> tuple[Expr, Expr]:
        return self.args[1], oo

    def density(self, at: Any) -> Expr:
        last = Integer(LARGEST)
        return Value(Masses(self.name, len(self.given), last, self.args[1]), *self.given, at)


class Then(Distribution):
    """Two outputs, ``Then(first, x, second)``: the second's distribution may depend on the first output, x."""

    def __new__(cls, first: Distribution, output: Symbol, second: Distribution) -> Then:
        return sympy.Basic.__new__(cls, first, output, second)

    @property
    def first(self) -> Distribution:
        return self.args[0]

    @property
    def support(self) -> tuple[Expr, Expr]:
        return self.first.support

    @property
    def free_symbols(self) -> set[Symbol]:
        return self.args[0].free_symbols | (self.args[2].free_symbols - {self.args[1]})

    def second(self, output: Any) -> Distribution:
        """Return the distribution of the second output, given the first."""
        found: Distribution = self.args[2].xreplace({self.args[1]: output})
        return found

    def density(self, at: Any) -> Expr:
        first, second = at
        return self.first.density(first) * self.second(first).density(second)

    def _sympystr(self, printer: Any) -> str:
        return f"({printer.doprint(self.args[0])}, {printer.doprint(self.args[2])})"

    def _latex(self, printer: Any) -> str:
        first, second = (printer.doprint(self.args[i]) for i in (0, 2))
        return rf"\left({first}, {second}\right)"


class OrNull(Distribution):
    """Null, or with a chance a draw from a distribution: ``OrNull(chance, distribution)``."""

    def __new__(cls, chance: Any, distribution: Distribution) -> OrNull:
        return sympy.Basic.__new__(cls, parameter("chance", "probability", chance), distribution)

    @property
    def chance(self) -> Expr:
        return self.args[0]

    @property
    def drawn(self) -> Distribution:
        """The distribution of the draw."""
        return self.args[1]

    @property
    def support(self) -> tuple[Expr, Expr]:
        return self.drawn.support

    def density(self, at: Any) -> Expr:
        raise TypeError("null has a mass beside the density of a draw")

    def _sympystr(self, printer: Any) -> str:
        return (
            f"{printer.doprint(self.args[1])} with chance {printer.doprint(self.args[0])}, or null"
        )

    def _latex(self, printer: Any) -> str:
        chance, distribution = (printer.doprint(argument) for argument in self.args)
        return rf"\left({chance} : {distribution},\ \mathrm{{null}}\right)"


class Processed(Distribution):
    """Name the answer of a channel to an output, ``Processed(distribution, x, channel)``; its distribution depends on x.

    The outcomes of the distribution and the answers are finitely many integers.
    """

    discrete = True

    def __new__(
        cls, distribution: Distribution, output: Symbol, channel: Distribution
    ) -> Processed:
        return sympy.Basic.__new__(cls, distribution, output, channel)

    @property
    def support(self) -> tuple[Expr, Expr]:
        found: tuple[Expr, Expr] = self.args[2].support
        return found

    @property
    def free_symbols(self) -> set[Symbol]:
        return self.args[0].free_symbols | (self.args[2].free_symbols - {self.args[1]})

    def density(self, at: Any) -> Expr:
        distribution, output, channel = self.args
        i = Symbol("i", integer=True)
        answers = channel.xreplace({output: i})
        return Sum(distribution.density(i) * answers.density(at), (i, *distribution.support))

    def _sympystr(self, printer: Any) -> str:
        return f"{printer.doprint(self.args[2])} after {printer.doprint(self.args[0])}"

    def _latex(self, printer: Any) -> str:
        distribution, channel = (printer.doprint(self.args[i]) for i in (0, 2))
        return rf"{channel} \circ {distribution}"


class Releases(Distribution):
    """The outputs of ``Releases(distribution, state, count)``: each distribution is chosen by all outputs before.

    Parameters
    ----------
    distribution : AnyFiniteDistribution
        Of one output, given the history of those before as a real number.
    state : Symbol
        That number in the distribution.
    count : expression
    """

    discrete = True

    def __new__(cls, distribution: AnyFiniteDistribution, state: Symbol, count: Any) -> Releases:
        if not isinstance(distribution, AnyFiniteDistribution):
            raise ValueError(f"{distribution} has no last outcome")
        return sympy.Basic.__new__(cls, distribution, state, sympy.sympify(count))

    @property
    def free_symbols(self) -> set[Symbol]:
        return (self.args[0].free_symbols - {self.args[1]}) | self.args[2].free_symbols

    def mass(self) -> Mass:
        """Return the probabilities of one output, given the history."""
        return Mass(self.args[0].name, 1, self.args[0].last)

    def density(self, at: Any) -> Expr:
        raise TypeError("the outputs of several releases are summed over by a recursion")

    def total(self, other: Releases, body: Callable[[Expr, Expr], Expr]) -> Total:
        """Return the sum of a function of the masses under two distributions, for any number of releases."""
        a, b = Symbol("a'", real=True), Symbol("b'", real=True)
        names = [distribution.args[0].name for distribution in (self, other)]
        later = Later("history", 1, self.args[0].last)
        return Total("_".join(["S", *names]), self.mass(), other.mass(), later, a, b, body(a, b))

    def _sympystr(self, printer: Any) -> str:
        return f"{self.args[0].name}^{printer.doprint(self.args[2])}"

    def _latex(self, printer: Any) -> str:
        return rf"{self.args[0].name}^{{{printer.doprint(self.args[2])}}}"


class Repeated(Distribution):
    """Independent draws from one distribution on the line, ``Repeated(distribution, count)``."""

    def __new__(cls, distribution: Distribution, count: Any) -> Repeated:
        return sympy.Basic.__new__(cls, distribution, sympy.sympify(count))

    @property
    def count(self) -> Expr:
        return self.args[1]

    def density(self, at: Any) -> Expr:
        raise TypeError("the outputs of several draws are integrated over by a recursion")

    def total(self, other: Repeated, body: Callable[[Expr, Expr], Expr]) -> Repetitions:
        """Return the integral of a function of the densities under two distributions, for any number of draws."""
        a, b, t = (Symbol(name, real=True) for name in ("a'", "b'", "t"))
        distributions = [distribution.args[0] for distribution in (self, other)]
        name = "_".join(
            ["R", *(re.sub(r"\W", "", str(distribution)) for distribution in distributions)]
        )
        return Repetitions(
            name, t, *(distribution.density(t) for distribution in distributions), a, b, body(a, b)
        )

    def _sympystr(self, printer: Any) -> str:
        return f"{printer.doprint(self.args[0])}^{printer.doprint(self.args[1])}"

    def _latex(self, printer: Any) -> str:
        return rf"{printer.doprint(self.args[0])}^{{{printer.doprint(self.args[1])}}}"


class AnyTest(sympy.Basic):
    """Any test of an output, ``AnyTest("A")``: it accepts with a probability that depends on it."""

    kind: type[Chosen] = Chosen

    def __new__(cls, name: Any) -> AnyTest:
        return sympy.Basic.__new__(cls, Str(str(name)))

    @property
    def name(self) -> str:
        return str(self.args[0].name)

    def indicator(self, at: Any) -> Expr:
        """Return with which probability it accepts an output."""
        return Value(self.kind(self.name), at)

    def _sympystr(self, printer: Any) -> str:
        return self.name

    def _latex(self, printer: Any) -> str:
        return self.name


class AnyEvent(AnyTest):
    """Any event of an output, ``AnyEvent("A")``."""

    kind = Indicator


class Happening(Indicator):
    """The indicator of an event that is defined by a relation between functions of the output."""

    words = "event defined by a relation"
    by_place = True

    def __new__(cls, name: Any, parameters: Any, output: Symbol, *relation: Any) -> Happening:
        left, op, right = relation
        mark = op if isinstance(op, Basic) else Str(op)
        parts = (Str(str(name)), sympy.Integer(parameters), output, left, mark, right)
        return sympy.Basic.__new__(cls, *parts)

    @property
    def free_symbols(self) -> set[Symbol]:
        found: set[Symbol] = self.args[3].free_symbols | self.args[5].free_symbols
        return found - {self.args[2]}

    def relation(self, at: Any) -> Relation:
        """Return the relation that defines it, at an output."""
        _, _, output, left, op, right = self.args
        with sympy.evaluate(False):
            put_in = {output: at}
            return Relation(left.xreplace(put_in), op.name, right.xreplace(put_in))

    def given_by(self) -> tuple[str, str]:
        here = self.relation(self.args[2])
        value = self(self.args[2])
        return (
            f"{text(value)} = 1 where {here}, and 0 elsewhere",
            rf"{latex(value)} = 1 \text{{ where }} {here.latex()} \text{{, and 0 elsewhere}}",
        )

    def values(self, t: Symbol) -> list[Tree]:
        holds = self.relation(t)
        there = Both((Relation(self(t), "==", sympy.Integer(1)), holds))
        not_there = Both((Relation(self(t), "==", sympy.Integer(0)), holds.negated()))
        return [Every(t, Either((there, not_there)))]

    def value(self, model: Any, at: Sequence[Expr]) -> Expr:
        """Return its value in an example: whether the relation holds there."""
        place = Symbol("place", real=True)
        return sympy.Integer(model.holds(self.relation(place), {place: int(at[0])}))


class Where(AnyTest):
    """The event that a relation holds at the output, ``Where("E_1", t, S(t), ">=", c)``.

    Parameters
    ----------
    name : str
    output : Symbol
        It is bound.
    left, op, right
        A relation between functions of the output.
    """

    def __new__(cls, name: Any, output: Symbol, left: Any, op: Any, right: Any) -> Where:
        mark = op if isinstance(op, Basic) else Str(op)
        parts = (Str(str(name)), output, sympy.sympify(left), mark, sympy.sympify(right))
        return sympy.Basic.__new__(cls, *parts)

    @property
    def free_symbols(self) -> set[Symbol]:
        return self._event().free_symbols

    def _event(self) -> Happening:
        return Happening(self.name, 0, *self.args[1:])

    def indicator(self, at: Any) -> Expr:
        """Return 1 where the relation holds, and 0 elsewhere."""
        return Value(self._event(), at)

    def _sympystr(self, printer: Any) -> str:
        relation = self._event().relation(self.args[1])
        return f"{{{text(relation.lhs)} {relation.op} {text(relation.rhs)}}}"

    def _latex(self, printer: Any) -> str:
        relation = self._event().relation(self.args[1])
        mark = {">=": r"\ge", "<=": r"\le"}.get(relation.op, relation.op)
        return rf"\left\{{{latex(relation.lhs)} {mark} {latex(relation.rhs)}\right\}}"


class AnyScore(sympy.Basic):
    """Any score of the outcomes 0, ..., last, ``AnyScore("u", last)``: a real number for each.

    With more arguments, numbers, it is given those.
    """

    def __new__(cls, name: Any, last: Any, *given: Any) -> AnyScore:
        return sympy.Basic.__new__(cls, Str(str(name)), *map(sympy.sympify, (last, *given)))

    @property
    def last(self) -> Expr:
        return self.args[1]

    def __call__(self, at: Any) -> Expr:
        given = self.args[2:]
        return Value(Scored(str(self.args[0].name), len(given), self.last), *given, at)

    def _sympystr(self, printer: Any) -> str:
        return str(self.args[0].name)

    def _latex(self, printer: Any) -> str:
        return str(self.args[0].name)


class ExponentialMechanism(Distribution):
    """A draw of 0, ..., n in proportion to exp(rate * score), ``ExponentialMechanism(score, rate)``."""

    discrete = True

    def __new__(cls, score: AnyScore, rate: Any) -> ExponentialMechanism:
        return sympy.Basic.__new__(cls, score, sympy.sympify(rate))

    @property
    def score(self) -> AnyScore:
        return self.args[0]

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), self.score.last

    def weight(self, at: Any) -> Expr:
        """Return the weight of an outcome."""
        return sympy.exp(self.args[1] * self.score(at))

    @property
    def total(self) -> Expr:
        """The sum of the weights of all outcomes."""
        i = Symbol("i", integer=True)
        return Sum(self.weight(i), (i, 0, self.score.last))

    def density(self, at: Any) -> Expr:
        return self.weight(at) / self.total
