"""Privacy as a statement: of two distributions, by the definition, and probabilities of events under a distribution."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Basic, Expr, oo

from dpbook.engine.language.domain import RangedSymbol
from dpbook.engine.language.statement import Both, Defined, Every, Relation, latex, text
from dpbook.privacy.any_distributions import AnyTest
from dpbook.privacy.distributions import Distribution, EvenMixture, parameter
from dpbook.privacy.divergences import (
    hockey_stick,
    over_support,
    renyi_divergence,
    renyi_moment,
    same_outputs,
)
from dpbook.privacy.notation import nu

__all__ = [
    "AtLeast",
    "Exceeding",
    "Interval",
    "Outcomes",
    "Private",
    "concentrated",
    "not_private",
    "private",
    "probability",
]


class Interval(Basic):
    """The event that an output lies between two ends, which may be infinite.

    Raises
    ------
    ValueError
        Where the low end is not known to be below the high one: write ``Interval(a, a + width)`` with a
        positive width.
    """

    def __new__(cls, low: Any, high: Any) -> Interval:
        ends = sympy.sympify(low), sympy.sympify(high)
        if not _known_below(*ends):
            raise ValueError(
                f"an interval's low end must be known to be below its high end, got {low} and {high}: "
                "write Interval(a, a + width) with a positive width"
            )
        return Basic.__new__(cls, *ends)

    @property
    def low(self) -> Expr:
        return self.args[0]

    @property
    def high(self) -> Expr:
        return self.args[1]

    def _sympystr(self, printer: Any) -> str:
        return f"[{text(self.low)}, {text(self.high)}]"

    def _latex(self, printer: Any) -> str:
        return rf"\left[{latex(self.low)}, {latex(self.high)}\right]"


def _known_below(low: Expr, high: Expr) -> bool:
    """Say whether one end lies below the other, as numbers or by the range of a symbol."""
    if low == -oo or high == oo:
        return low != oo and high != -oo
    if isinstance(high, RangedSymbol) and high.range.lower_open and high.range.lower == low:
        return True
    return bool(_gap(high, low).is_positive)


def _gap(high: Expr, low: Expr) -> Expr:
    """Return the difference of two numbers, with the signs from the ranges of symbols."""
    with sympy.evaluate(True):
        gap = high - low
        signs = {}
        for symbol in gap.free_symbols:
            least = symbol.range.lower if isinstance(symbol, RangedSymbol) else None
            if least is not None and least.is_nonnegative:
                positive = True if symbol.range.lower_open or least.is_positive else None
                signs[symbol] = sympy.Dummy(
                    integer=symbol.is_integer, nonnegative=True, positive=positive
                )
        return gap.xreplace(signs)


class Outcomes(Basic):
    """The event that an output is one of some integers, ``Outcomes(0, 2)``.

    Raises
    ------
    ValueError
        For an outcome that is not known to be an integer, or not known to differ from the rest.
    """

    def __new__(cls, *outcomes: Any) -> Outcomes:
        read = [parameter("outcome", "real", o) for o in outcomes]
        for i, one in enumerate(read):
            if not one.is_integer:
                raise ValueError(f"an outcome must be known to be an integer, got {one}")
            if not all(_gap(one, other).is_nonzero for other in read[:i]):
                raise ValueError(f"outcomes must be known to differ from each other, got {one}")
        return Basic.__new__(cls, *read)

    def _sympystr(self, printer: Any) -> str:
        return f"{{{', '.join(map(text, self.args))}}}"

    def _latex(self, printer: Any) -> str:
        return rf"\left\{{{', '.join(map(latex, self.args))}\right\}}"


class AtLeast(Basic):
    """The event that an output is no smaller than a level, ``AtLeast(3)``."""

    def __new__(cls, level: Any) -> AtLeast:
        return Basic.__new__(cls, sympy.sympify(level))

    def indicator(self, at: Any) -> Expr:
        """Return 1 where the output is at least the level, and 0 elsewhere."""
        (level,) = self.args
        above = sympy.Ge(at, level)
        return sympy.Piecewise((sympy.S.One, above), (sympy.S.Zero, sympy.true), evaluate=False)

    def _sympystr(self, printer: Any) -> str:
        return f"[{text(self.args[0])}, oo)"

    def _latex(self, printer: Any) -> str:
        return rf"\left[{latex(self.args[0])}, \infty\right)"


class Exceeding(Basic):
    """The event that one density exceeds another, ``Exceeding(P, Q, epsilon)``: p > exp(epsilon) q."""

    def __new__(cls, first: Distribution, second: Distribution, epsilon: Any) -> Exceeding:
        return Basic.__new__(cls, first, second, sympy.sympify(epsilon))

    def indicator(self, at: Any) -> Expr:
        """Return 1 where the first density exceeds the second one, and 0 elsewhere."""
        first, second, epsilon = self.args
        above = sympy.Gt(first.density(at), sympy.exp(epsilon) * second.density(at))
        return sympy.Piecewise((sympy.S.One, above), (sympy.S.Zero, sympy.true), evaluate=False)

    def _sympystr(self, printer: Any) -> str:
        first, second, epsilon = (printer.doprint(a) for a in self.args)
        return f"{{{first} > exp({epsilon}) {second}}}"

    def _latex(self, printer: Any) -> str:
        first, second = (printer.doprint(a) for a in self.args[:2])
        return rf"\left\{{{first} > e^{{{latex(self.args[2])}}} {second}\right\}}"


class probability(Defined):
    """Probability ``probability(distribution, event)`` that an output of a distribution lies in an event.

    The event is an `Interval`, `Outcomes` of a distribution on integers, or any event or test of `any_distributions`.
    """

    nargs = 2

    def definition(self) -> Expr:
        distribution, event = self.args
        if isinstance(distribution, EvenMixture):
            return distribution.mean(lambda one: probability(one, event), event)
        if isinstance(event, Exceeding):
            same_outputs(distribution, *event.args[:2])
        if isinstance(event, (AnyTest, AtLeast, Exceeding)):
            return over_support(lambda p: p, (distribution,), event, weighed=event.indicator)
        if isinstance(event, Outcomes) and distribution.discrete:
            return sympy.Add(
                *(distribution.density(k) for k in event.args if _within(k, distribution))
            )
        if isinstance(event, Interval) and (event.low, event.high) == (-oo, oo):
            return over_support(lambda p: p, (distribution,), event)
        if (
            isinstance(event, Interval)
            and not distribution.discrete
            and distribution.support == (-oo, oo)
        ):
            return over_support(lambda p: p, (distribution,), event, ends=(event.low, event.high))
        raise ValueError(f"no probability of {event} under {distribution}")

    def _latex(self, printer: Any, exp: Any = None) -> str:
        distribution, event = (printer.doprint(argument) for argument in self.args)
        return rf"{distribution}\left({event}\right)"


class Private(Both):
    """Privacy of two distributions: neither exceeds the other by more than it may, at any event."""

    def _named(self) -> tuple[Expr, ...] | None:
        first = self.parts[0]
        if isinstance(first, Relation) and isinstance(first.lhs, hockey_stick):
            return (*first.lhs.args, first.rhs)
        return None

    def latex(self) -> str:
        named = self._named()
        if named is None:
            return super().latex()
        p, q, epsilon, delta = map(latex, named)
        return rf"{p} \approx_{{{epsilon},\, {delta}}} {q}"

    def __str__(self) -> str:
        named = self._named()
        if named is None:
            return super().__str__()
        p, q, epsilon, delta = map(text, named)
        return f"{p} and {q} are ({epsilon}, {delta})-private"


def private(first: Distribution, second: Distribution, epsilon: Any, delta: Any = 0) -> Private:
    """Return that two distributions are (epsilon, delta)-private: both of their hockey-stick divergences are small.

    So ``P(A) <= exp(epsilon) Q(A) + delta`` and ``Q(A) <= exp(epsilon) P(A) + delta`` for every event
    A; claim ``privacy:events`` shows that this is the same.
    """
    loss, excess = sympy.sympify(epsilon), sympy.sympify(delta)
    return Private(
        (
            Relation(hockey_stick(first, second, loss), "<=", excess),
            Relation(hockey_stick(second, first, loss), "<=", excess),
        )
    )


def concentrated(first: Distribution, second: Distribution, rho: Any) -> Both:
    """Return that two distributions are rho-zero-concentrated, by Renyi divergences of every order.

    Both ways the divergence of order nu exists and is at most rho * nu, for all nu > 1.
    """
    both: list[Any] = []
    for p, q in ((first, second), (second, first)):
        moment = Relation(renyi_moment(p, q, nu), ">", sympy.S.Zero)
        bound = Relation(renyi_divergence(p, q, nu), "<=", sympy.sympify(rho) * nu)
        both += [Every(nu, moment), Every(nu, bound)]
    return Both(tuple(both))


def _within(outcome: Expr, distribution: Distribution) -> bool:
    """Say whether an outcome lies in the support of a distribution; refused where that is not known."""
    low, high = distribution.support
    inside = [
        _gap(outcome, low).is_extended_nonnegative,
        _gap(high, outcome).is_extended_nonnegative,
    ]
    if False in inside:
        return False
    if None in inside:
        raise ValueError(
            f"the outcome {outcome} must be known to lie among the outcomes of {distribution}, or outside"
        )
    return True


def not_private(
    first: Distribution, second: Distribution, epsilon: Any, delta: Any, event: Basic
) -> Relation:
    """Return that an event distinguishes two distributions: its probability exceeds its bound."""
    allowed = sympy.exp(sympy.sympify(epsilon)) * probability(second, event) + sympy.sympify(delta)
    return Relation(probability(first, event), ">", allowed)
