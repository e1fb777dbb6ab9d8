"""The conditions under which a term is defined, and the derivative of a term: both come from the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from dpbook.kernel import terms
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Or, Relation, negated, parse_formula, put
from dpbook.kernel.table import FUNCTIONS, PARAMETERS
from dpbook.kernel.terms import BINDERS, ONE, ZERO, Term, add, infinite, mul, num, substitute, var


@dataclass(frozen=True)
class Obligation:
    """`goal` must hold, for all values of further variables under further conditions.

    The obligations of a term are sufficient. Only one that is `exact` is necessary as well: a term
    may be defined elsewhere too where another fails (Gamma at -1/2, x^y at x = -1 and y = 2).
    """

    goal: Formula
    exact: bool = True
    variables: tuple[tuple[str, str], ...] = ()
    given: tuple[Formula, ...] = ()


@cache
def domain_of(head: str) -> tuple[Formula, ...]:
    """Return the formulas in u, v, ... that say where a function is defined."""
    return tuple(parse_formula(source) for source in FUNCTIONS[head].domain)


@cache
def derivative_of(head: str, place: int) -> Term | None:
    """Return the derivative of a function by one argument, in u, v, ...; None: not known."""
    row = FUNCTIONS[head]
    source = row.derivatives[place] if place < len(row.derivatives) else ""
    return terms.parse_term(source) if source else None


def obligations(t: Term, integers: frozenset[str], taken: frozenset[str]) -> tuple[Obligation, ...]:
    """Return the conditions under which a term is defined, innermost first.

    Parameters
    ----------
    integers : names of the integer variables
    taken : names that a bound variable must not have

    Raises
    ------
    Rejected
        Where the table does not say.
    """
    # names that do not stand in the term, and taken ones where nothing is bound, change nothing
    return _obligations(t, integers & t.free, taken if t.height else frozenset())


@lru_cache(maxsize=4096)
def _obligations(
    t: Term, integers: frozenset[str], taken: frozenset[str]
) -> tuple[Obligation, ...]:
    return tuple(dict.fromkeys(_collect(t, integers, taken, (), ())))


Given = tuple[Formula, ...]
Bound = tuple[tuple[str, str], ...]


def _collect(
    t: Term, integers: frozenset[str], taken: frozenset[str], bound: Bound, given: Given
) -> Iterator[Obligation]:
    def need(*goals: Formula, exact: bool = True) -> Iterator[Obligation]:
        for goal in goals:
            yield Obligation(goal, exact, bound, given)

    def inside(part: Term) -> Iterator[Obligation]:
        return _collect(part, integers, taken, bound, given)

    if t.plain:
        return
    if t.head == "oo":
        raise Rejected("oo stands outside the ends of an integral")
    if t.head == "integral" or (
        t.head == "sum" and t.args[2] == terms.OO and not infinite(t.args[1])
    ):
        yield from need(Is("defined", t))
        return
    if t.head in BINDERS:
        body, low, high = t.args
        if infinite(low) or infinite(high):
            raise Rejected("an infinite product, or a sum without a start, has no value here")
        yield from inside(low)
        yield from inside(high)
        yield from need(Is("integer", low), Is("integer", high))
        yield from need(Relation(low, "<=", add(high, ONE)))
        name = terms.fresh(t.name, taken | t.free | {n for n, _ in bound})
        k = var(name)
        moved = substitute(body, {t.name: k})
        more = (Relation(low, "<=", k), Relation(k, "<=", high))
        yield from _collect(
            moved, integers | {name}, taken | {name}, (*bound, (name, "integer")), (*given, *more)
        )
        return
    if t.head in terms.CHOICES:
        a, b, first, other = t.args
        yield from inside(a)
        yield from inside(b)
        here = Relation(a, terms.CHOICES[t.head], b)
        yield from _collect(first, integers, taken, bound, (*given, here))
        yield from _collect(other, integers, taken, bound, (*given, negated(here)))
        return
    for part in t.args:
        if not part.plain:
            yield from inside(part)
    if t.head == "pow":
        literal = t.args[1].head == "num"
        yield from need(*_power(t.args[0], t.args[1], integers), exact=literal)
    elif t.head in FUNCTIONS:
        values = dict(zip(PARAMETERS, t.args, strict=False))
        domain = (put(f, values) for f in domain_of(t.head))
        yield from need(*domain, exact=not FUNCTIONS[t.head].wider)


def _power(base: Term, exponent: Term, integers: frozenset[str]) -> tuple[Formula, ...]:
    """Where a^b is defined: a whole exponent, a root, a whole variable exponent, or a > 0."""
    if exponent.head == "num":
        b = exponent.value
        if b.denominator == 1:
            return () if b >= 0 or _positive(base) else (Relation(base, "!=", ZERO),)
        return () if _positive(base) else (Relation(base, ">=" if b > 0 else ">", ZERO),)
    if _positive(base):
        return ()
    if is_integer(exponent, integers):
        # 0^0 = 1 for a whole exponent, as in polynomials
        return (Or((Relation(base, "!=", ZERO), Relation(exponent, ">=", ZERO))),)
    return (Relation(base, ">", ZERO),)


def _positive(t: Term) -> bool:
    return t.head == "num" and t.value > 0 or t.head in ("pi", "EulerGamma", "exp")


def is_integer(t: Term, integers: frozenset[str]) -> bool:
    """Return whether a term is an integer by its form, wherever it is defined."""
    if t.head == "num":
        return t.value.denominator == 1
    if t.head == "var":
        return t.name in integers
    if t.head in ("add", "mul", "max", "min", "abs"):
        return all(is_integer(a, integers) for a in t.args)
    if t.head == "pow":
        base, exponent = t.args
        whole = exponent.head == "num" and exponent.value.denominator == 1
        return whole and exponent.value >= 0 and is_integer(base, integers)
    if t.head in FUNCTIONS and FUNCTIONS[t.head].integral:
        return True
    if t.head in ("sum", "product"):
        return is_integer(t.args[0], integers | {t.name})
    return False


def continuous(t: Term, name: str) -> bool:
    """Return whether a term, as written, is continuous in a variable wherever it is defined."""
    if name not in t.free:
        return True
    if t.head in BINDERS:
        body, *ends = t.args
        fixed = all(name not in end.free and not infinite(end) for end in ends)
        return t.head != "integral" and fixed and continuous(body, name)
    if t.head in FUNCTIONS and not FUNCTIONS[t.head].continuous:
        return False
    if t.head not in FUNCTIONS and t.head not in ("var", "add", "mul", "pow"):
        return False  # an unknown function
    return all(continuous(a, name) for a in t.args)


def derivative(t: Term, name: str) -> Term:
    """Differentiate a term, as written.

    Where the term is defined on a neighbourhood, and what this returns is defined, it is the
    derivative there.

    Raises
    ------
    Rejected
        At a function that has no derivative in the table.
    """
    if name not in t.free:
        return ZERO
    if t.head == "var":
        return ONE
    if t.head == "add":
        parts = [derivative(a, name) for a in t.args if name in a.free]
        return add(*parts)
    if t.head == "mul":
        found = []
        for i, a in enumerate(t.args):
            if name in a.free:
                slope = derivative(a, name)
                rest = (*t.args[:i], *t.args[i + 1 :])
                found.append(mul(*rest) if slope == ONE else mul(slope, *rest))
        return add(*found)
    if t.head == "pow":
        return _slope_of_power(t, name)
    if t.head == "sum":
        body, low, high = t.args
        if name in low.free | high.free or infinite(low) or infinite(high):
            raise Rejected(f"an end of a sum depends on {name}, or is infinite")
        return terms.bind("sum", derivative(body, name), t.name, low, high)
    if t.head not in FUNCTIONS:
        raise Rejected(f"no derivative of {t.head} is known")
    values = dict(zip(PARAMETERS, t.args, strict=False))
    found = []
    for place, argument in enumerate(t.args):
        if name not in argument.free:
            continue
        outer = derivative_of(t.head, place)
        if outer is None:
            raise Rejected(f"no derivative of {t.head} is known")
        slope = derivative(argument, name)
        there = substitute(outer, values)
        found.append(there if slope == ONE else mul(slope, there))
    return add(*found)


def _slope_of_power(t: Term, name: str) -> Term:
    base, exponent = t.args
    if name not in exponent.free:
        slope = derivative(base, name)
        if exponent.head == "num":
            less = num(exponent.value - 1)
            lower = ONE if less == ZERO else base if less == ONE else terms.power(base, less)
        else:
            lower = terms.power(base, add(exponent, terms.MINUS_ONE))
        return mul(*(p for p in (exponent, slope, lower) if p != ONE))
    # a^b = exp(b log a); the base must be positive, which log(a) says
    return mul(t, derivative(mul(exponent, terms.call("log", base)), name))
