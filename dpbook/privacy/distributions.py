"""Probability distributions as frozen SymPy objects: in a statement with symbols, at run time with numbers.

A distribution checks each parameter that is a number; a parameter with symbols is left to the claim's
domain. `density` is a probability mass function where `support` is a range of integers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import sympy
from sympy import (
    Abs,
    Basic,
    Expr,
    Integer,
    Rational,
    Sum,
    Symbol,
    Tuple,
    exp,
    oo,
    pi,
    sqrt,
    sympify,
)

from dpbook.engine.language.statement import evaluated, latex, unfold_definitions
from dpbook.privacy.reading import UNFIT, entries, short

__all__ = [
    "Bernoulli",
    "Beta",
    "Binomial",
    "Cauchy",
    "Dirichlet",
    "DiscreteGaussian",
    "EvenMixture",
    "Exponential",
    "Finite",
    "Gamma",
    "Laplace",
    "Distribution",
    "Mixture",
    "Normal",
    "TruthOrNot",
    "TwoSidedGeometric",
]


FEW = 4  # distributions of a mixture that a line has room for


class Distribution(Basic):
    """A distribution with named parameters; each is a real number in its range, or an expression.

    Attributes
    ----------
    support : tuple
        The ends of the line, the interval or the range of integers that holds all of the mass.
    discrete : bool
        Whether the distribution lives on integers.

    Raises
    ------
    ValueError
        A parameter that is no real number, or outside its range.
    """

    parameters: ClassVar[tuple[tuple[str, str], ...]] = ()
    discrete: ClassVar[bool] = False

    def __new__(cls, *values: Any, **named: Any) -> Distribution:
        names = [name for name, _ in cls.parameters]
        unknown = [name for name in named if name not in names]
        if unknown or len(values) + len(named) != len(names):
            raise TypeError(_needed(cls.__name__, names, values, named))
        given = [*values, *(named[name] for name in names[len(values) :] if name in named)]
        if len(given) != len(names):
            raise TypeError(_needed(cls.__name__, names, values, named))
        return Basic.__new__(
            cls,
            *(
                parameter(name, rule, value)
                for (name, rule), value in zip(cls.parameters, given, strict=True)
            ),
        )

    @property
    def support(self) -> tuple[Expr, Expr]:
        return -oo, oo

    @abstractmethod
    def density(self, at: Any) -> Expr:
        """Return the density (or the mass) at a point of the support."""

    def _sympystr(self, printer: Any) -> str:
        return f"{type(self).__name__}({', '.join(printer.doprint(a) for a in self.args)})"

    def _latex(self, printer: Any) -> str:
        inside = ", ".join(latex(a) for a in self.args)
        return rf"\mathrm{{{type(self).__name__}}}\left({inside}\right)"


def _needed(kind: str, names: list[str], values: tuple[Any, ...], named: dict[str, Any]) -> str:
    given = [*map(short, values), *(f"{name}={short(value)}" for name, value in named.items())]
    return f"{kind} needs {', '.join(names)}, got {', '.join(given) or 'nothing'}"


_RULES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "real": ("a finite real number", lambda v: True),
    "positive": ("> 0", lambda v: v > 0),
    "probability": ("in [0, 1]", lambda v: 0 <= v <= 1),
    "nonnegative": (">= 0", lambda v: v >= 0),
    "integer": ("an integer", lambda v: v == int(v)),
    "outcome": ("an integer >= 0", lambda v: v == int(v) and v >= 0),
    "count": ("an integer >= 1", lambda v: v == int(v) and v >= 1),
}


def parameter(name: str, rule: str, value: Any) -> Expr:
    """Read a parameter: a number is checked against its rule, an expression is passed on.

    Raises
    ------
    ValueError
        When it is no real number, or outside its range; the message names it.
    """
    words, holds = _RULES[rule]
    try:
        read = None if isinstance(value, UNFIT) else sympify(value, strict=True)
    except sympy.SympifyError:
        read = None
    if not isinstance(read, Expr):
        raise ValueError(f"{name} must be {words}, got {short(value)}")
    if not read.free_symbols:
        with sympy.evaluate(True):
            value_holds = read.is_extended_real and read.is_finite and holds(read)
        if not value_holds:
            infinite = " and finite" if read.is_infinite and words[0] == ">" else ""
            raise ValueError(f"{name} must be {words}{infinite}, got {short(value)}")
    return read


def _listed(name: str, values: Iterable[Any]) -> list[Any]:
    read = entries(values)
    if read is None:
        raise ValueError(f"{name} must be a list, got {short(values)}")
    return read


class Normal(Distribution):
    """The normal distribution ``Normal(mean, sd)``, with a standard deviation (not a variance).

    Parameters
    ----------
    mean : number
    sd : number
        > 0, in the units of the query.

    Raises
    ------
    ValueError
        A parameter outside its range.

    Examples
    --------
    >>> Normal(0, 1)
    Normal(0, 1)
    """

    parameters = (("mean", "real"), ("sd", "positive"))

    @property
    def mean(self) -> Expr:
        return self.args[0]

    @property
    def sd(self) -> Expr:
        return self.args[1]

    def density(self, at: Any) -> Expr:
        return exp(-((at - self.mean) ** 2) / (2 * self.sd**2)) / (sqrt(2 * pi) * self.sd)

    def _latex(self, printer: Any) -> str:
        mean, sd = latex(self.mean), latex(self.sd)
        square = f"{sd}^2" if self.sd.is_Atom and "^" not in sd else rf"\left({sd}\right)^2"
        return rf"\mathcal{{N}}\left({mean}, {square}\right)"


class Laplace(Distribution):
    """The Laplace distribution ``Laplace(mean, scale)``; its variance is 2 * scale**2.

    Parameters
    ----------
    mean : number
    scale : number
        > 0, in the units of the query.

    Raises
    ------
    ValueError
        A parameter outside its range.

    Examples
    --------
    >>> Laplace(0, 2)
    Laplace(0, 2)
    """

    parameters = (("mean", "real"), ("scale", "positive"))

    @property
    def mean(self) -> Expr:
        return self.args[0]

    @property
    def scale(self) -> Expr:
        return self.args[1]

    def density(self, at: Any) -> Expr:
        return exp(-Abs(at - self.mean) / self.scale) / (2 * self.scale)


class Cauchy(Distribution):
    """The Cauchy distribution ``Cauchy(center, scale)``; it has no mean.

    Examples
    --------
    >>> Cauchy(0, 2)
    Cauchy(0, 2)
    """

    parameters = (("center", "real"), ("scale", "positive"))

    def density(self, at: Any) -> Expr:
        center, scale = self.args
        return scale / (pi * (scale**2 + (at - center) ** 2))


class TwoSidedGeometric(Distribution):
    """Geometric noise around an integer, ``TwoSidedGeometric(center, rate)``, on all integers.

    The mass falls by the factor exp(-rate) from one integer to the next.

    Parameters
    ----------
    center : int
    rate : number
        > 0: the loss of a query that moves by 1, in nats.

    Raises
    ------
    ValueError
        A parameter outside its range.

    Examples
    --------
    >>> TwoSidedGeometric(0, 1)
    TwoSidedGeometric(0, 1)
    """

    parameters = (("center", "integer"), ("rate", "positive"))
    discrete = True

    def density(self, at: Any) -> Expr:
        center, rate = self.args
        return (1 - exp(-rate)) / (1 + exp(-rate)) * exp(-rate * Abs(at - center))


class DiscreteGaussian(Distribution):
    """Discrete Gaussian noise around an integer, ``DiscreteGaussian(center, sd)``, on all integers.

    The masses are proportional to ``exp(-(k - center)**2 / (2 * sd**2))``; `sd` is not quite the
    standard deviation when it is small.

    Parameters
    ----------
    center : int
    sd : number
        > 0, in the units of the query.

    Raises
    ------
    ValueError
        A parameter outside its range.

    Examples
    --------
    >>> DiscreteGaussian(0, 3)
    DiscreteGaussian(0, 3)
    """

    parameters = (("center", "integer"), ("sd", "positive"))
    discrete = True

    def weight(self, at: Any) -> Expr:
        """Return a term that is proportional to the mass."""
        center, sd = self.args
        return exp(-((at - center) ** 2) / (2 * sd**2))

    @property
    def total(self) -> Expr:
        """The sum of the weights around 0, which is the sum around any integer."""
        i = Symbol("i", integer=True)
        around_0 = DiscreteGaussian(0, self.args[1])
        return sympy.Add(*(Sum(around_0.weight(at), (i, 0, oo)) for at in (i, -1 - i)))

    def density(self, at: Any) -> Expr:
        return self.weight(at) / self.total


class Gamma(Distribution):
    """The gamma distribution ``Gamma(shape, rate)``, with a rate (not a scale): its mean is shape / rate.

    Examples
    --------
    >>> Gamma(2, 3)
    Gamma(2, 3)
    """

    parameters = (("shape", "positive"), ("rate", "positive"))

    @property
    def shape(self) -> Expr:
        return self.args[0]

    @property
    def rate(self) -> Expr:
        return self.args[1]

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), oo

    def density(self, at: Any) -> Expr:
        power = at ** (self.shape - 1) * exp(-self.rate * at)
        return self.rate**self.shape * power / sympy.gamma(self.shape)


class Exponential(Distribution):
    """The exponential distribution ``Exponential(rate)``; its mean is 1 / rate.

    Examples
    --------
    >>> Exponential(2)
    Exponential(2)
    """

    parameters = (("rate", "positive"),)

    @property
    def rate(self) -> Expr:
        return self.args[0]

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), oo

    def density(self, at: Any) -> Expr:
        return self.rate * exp(-self.rate * at)


class Beta(Distribution):
    """The beta distribution ``Beta(a, b)`` on [0, 1]; its mean is a / (a + b).

    Examples
    --------
    >>> Beta(2, 3)
    Beta(2, 3)
    """

    parameters = (("a", "positive"), ("b", "positive"))

    @property
    def a(self) -> Expr:
        return self.args[0]

    @property
    def b(self) -> Expr:
        return self.args[1]

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), Integer(1)

    def density(self, at: Any) -> Expr:
        constant = sympy.gamma(self.a + self.b) / (sympy.gamma(self.a) * sympy.gamma(self.b))
        return constant * at ** (self.a - 1) * (1 - at) ** (self.b - 1)


class Bernoulli(Distribution):
    """The distribution ``Bernoulli(p)`` on {0, 1}: the outcome 1 has probability p.

    Examples
    --------
    >>> Bernoulli(0.25)
    Bernoulli(0.25)
    """

    parameters = (("p", "probability"),)
    discrete = True

    @property
    def p(self) -> Expr:
        return self.args[0]

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), Integer(1)

    def density(self, at: Any) -> Expr:
        if at in (0, 1):
            return self.p if at == 1 else 1 - self.p
        return self.p**at * (1 - self.p) ** (1 - at)


class Binomial(Distribution):
    """The distribution ``Binomial(n, p)``: successes in n trials.

    Examples
    --------
    >>> Binomial(10, 0.5)
    Binomial(10, 0.5)
    """

    parameters = (("n", "count"), ("p", "probability"))
    discrete = True

    @property
    def n(self) -> Expr:
        return self.args[0]

    @property
    def p(self) -> Expr:
        return self.args[1]

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), self.n

    def density(self, at: Any) -> Expr:
        return sympy.binomial(self.n, at) * self.p**at * (1 - self.p) ** (self.n - at)


class _Weighted(Distribution):
    """A distribution given by numbers that sum to one."""

    @staticmethod
    def _weights(name: str, values: Iterable[Any]) -> Tuple:
        weights = Tuple(*(parameter(name, "probability", v) for v in _listed(name, values)))
        if not weights:
            raise ValueError(f"{name} must not be empty")
        with sympy.evaluate(True):  # a statement is written out with evaluation off
            total = evaluated(sympy.Add(*weights))
        exact = not total.has(sympy.Float)
        if not total.free_symbols and (total != 1 if exact else abs(total - 1) > 1e-12):
            raise ValueError(f"{name} must sum to 1, got {total}")
        return weights


class Finite(_Weighted):
    """The distribution ``Finite([p_0, p_1, ...])`` on 0, 1, ...: outcome i has probability p_i.

    Probabilities given as floats may miss 1 by rounding (1e-12); exact ones may not.

    Examples
    --------
    >>> Finite([0.25, 0.75])
    Finite((0.25, 0.75))
    """

    discrete = True

    def __new__(cls, probabilities: Iterable[Any]) -> Finite:
        return Basic.__new__(cls, cls._weights("probabilities", probabilities))

    @property
    def probabilities(self) -> Tuple:
        return self.args[0]

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), Integer(len(self.probabilities) - 1)

    def density(self, at: Any) -> Expr:
        if not getattr(at, "is_integer", int(at) == at) or not 0 <= at < len(self.probabilities):
            raise ValueError(f"an outcome must be in 0 to {len(self.probabilities) - 1}, got {at}")
        return self.probabilities[int(at)]


class TruthOrNot(Distribution):
    """The distribution ``TruthOrNot(truth, last, epsilon)`` on 0, ..., last of a randomised answer.

    The truth has the odds exp(epsilon) against each other answer. For `compose` it does not matter which
    answer is the truth.

    Parameters
    ----------
    truth : int
        In 0 to `last`.
    last : int
        >= 1.
    epsilon : number
        >= 0, in nats.

    Raises
    ------
    ValueError
        A parameter outside its range.

    Examples
    --------
    >>> TruthOrNot(0, 1, 2)
    TruthOrNot(0, 1, 2)
    """

    discrete = True

    def __new__(cls, truth: Any, last: Any, epsilon: Any) -> TruthOrNot:
        truth, last = parameter("truth", "outcome", truth), parameter("last", "count", last)
        epsilon = parameter("epsilon", "nonnegative", epsilon)
        if (last - truth).is_negative:
            raise ValueError(f"truth must be in 0 to {last}, got {truth}")
        return Basic.__new__(cls, truth, last, epsilon)

    @property
    def support(self) -> tuple[Expr, Expr]:
        return Integer(0), self.args[1]

    def density(self, at: Any) -> Expr:
        truth, last, epsilon = self.args
        odds = sympy.Piecewise(
            (exp(epsilon), sympy.Eq(at, truth, evaluate=False)),
            (Integer(1), sympy.true),
            evaluate=False,
        )
        return odds / (exp(epsilon) + last)


class Dirichlet(Distribution):
    """The distribution ``Dirichlet([g_1, ..., g_k])`` on the probability vectors of k >= 2 cells.

    Examples
    --------
    >>> Dirichlet([1, 2, 3])
    Dirichlet((1, 2, 3))
    """

    def __new__(cls, concentration: Iterable[Any]) -> Dirichlet:
        values = _listed("concentration", concentration)
        read = Tuple(*(parameter("concentration", "positive", value) for value in values))
        if len(read) < 2:
            raise ValueError(f"concentration must hold at least 2 numbers, got {len(read)}")
        return Basic.__new__(cls, read)

    @property
    def concentration(self) -> Tuple:
        return self.args[0]

    def density(self, at: Any) -> Expr:
        total = sympy.gamma(sympy.Add(*self.concentration))
        return total * sympy.Mul(
            *(x ** (g - 1) / sympy.gamma(g) for x, g in zip(at, self.concentration, strict=True))
        )


class Mixture(_Weighted):
    """A mixture ``Mixture(distributions, weights=None)`` of distributions on the line; equal weights when not given.

    Parameters
    ----------
    distributions : iterable of Distribution
        All continuous, on one support.
    weights : iterable of numbers, optional
        As many as distributions; they sum to 1 (floats to 1e-12).

    Examples
    --------
    >>> Mixture([Normal(0, 1), Normal(3, 1)])
    Mixture((Normal(0, 1), Normal(3, 1)), (1/2, 1/2))
    """

    def __new__(
        cls, distributions: Iterable[Distribution], weights: Iterable[Any] | None = None
    ) -> Mixture:
        parts = Tuple(*_listed("distributions", distributions))
        if not parts:
            raise ValueError("distributions must not be empty")
        for part in parts:
            if not isinstance(part, Distribution) or part.discrete or isinstance(part, Dirichlet):
                raise ValueError(
                    f"distributions must be continuous distributions on the line, got {part}"
                )
        if len({part.support for part in parts}) > 1:
            raise ValueError("distributions must have one support")
        if weights is None:
            weights = [Rational(1, len(parts))] * len(parts)
        shares = _listed("weights", weights)
        if len(shares) != len(parts):
            raise ValueError(
                f"weights must be as many as distributions, {len(parts)}, got {len(shares)}"
            )
        return Basic.__new__(cls, parts, cls._weights("weights", shares))

    @property
    def distributions(self) -> Tuple:
        return self.args[0]

    @property
    def weights(self) -> Tuple:
        return self.args[1]

    @property
    def support(self) -> tuple[Expr, Expr]:
        return self.distributions[0].support

    def density(self, at: Any) -> Expr:
        return sympy.Add(
            *(
                w * distribution.density(at)
                for w, distribution in zip(self.weights, self.distributions, strict=True)
            )
        )


def briefly(distribution: Any) -> str:
    """Write a distribution in a line: a mixture of many by their number and their ends."""
    if not isinstance(distribution, Mixture) or len(distribution.distributions) <= FEW:
        return str(distribution)
    kinds = sorted({type(part).__name__ for part in distribution.distributions})
    return f"Mixture of {len(distribution.distributions)} distributions ({', '.join(kinds)})"


class EvenMixture(Distribution):
    """Name a draw from one of several distributions, each as likely, ``EvenMixture(first, other, index, last)``.

    Parameters
    ----------
    first : Distribution
    other : Distribution
        One for each index from 2 to the last.
    index : Symbol
        It is bound.
    last : expression
        How many distributions there are.
    """

    def __new__(
        cls, first: Distribution, other: Distribution, index: Symbol, last: Any
    ) -> EvenMixture:
        return Basic.__new__(cls, first, other, index, sympify(last))

    @property
    def support(self) -> tuple[Expr, Expr]:
        first: Distribution = self.args[0]
        return first.support

    @property
    def free_symbols(self) -> set[Symbol]:
        first, other, index, last = self.args
        return first.free_symbols | (other.free_symbols - {index}) | last.free_symbols

    def mean(self, number: Callable[[Distribution], Expr], *more: Basic) -> Expr:
        """Return the mean over the distributions of a number that each of them has, and that `more` enters.

        Raises
        ------
        ValueError
            Where the index occurs in `more` as well: the sum would bind it there.
        """
        first, other, index, last = self.args
        if any(index in part.free_symbols for part in more):
            raise ValueError(
                f"index of a mixture must occur in its distributions only, got {index}; rename it"
            )
        # the term of an abbreviation may hold the index
        others = Sum(unfold_definitions(number(other)), (index, 2, last))
        return (number(first) + others) / last

    def density(self, at: Any) -> Expr:
        return self.mean(lambda distribution: distribution.density(at), sympify(at))

    def _sympystr(self, printer: Any) -> str:
        first, other, index, last = (printer.doprint(a) for a in self.args)
        return f"even mixture of {first} and {other} for {index} = 2, ..., {last}"

    def _latex(self, printer: Any) -> str:
        first, other, index, last = (printer.doprint(a) for a in self.args)
        return rf"\frac{{1}}{{{last}}}\left({first} + \sum_{{{index}=2}}^{{{last}}} {other}\right)"
