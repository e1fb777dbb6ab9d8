"""Sums over all integers: where the numbers fall like a square, the place where the sum is cut is free.

A sum over all integers is the sum from a number on, and the sum of all below. Both exist where the terms
fall like 1/x^2. From one place to the next the first loses a term, and the second gains that term.
"""

from sympy import Abs, Eq, Ge, Integer, Lambda, Le, Sum, Symbol, oo

from dpbook import Every, Relation, claim, step
from dpbook.privacy.claims.sources import HERE
from dpbook.privacy.notation import (
    count,
    integer_output,
    more,
    multiple,
    other_multiple,
    outcome,
    scale,
)
from dpbook.privacy.selection import AnyFunction

g = AnyFunction("g")
k = Symbol("k", integer=True)
x = integer_output
size = scale


def falls():
    """State that numbers from 0 on fall like a square."""
    return Every(outcome, Le(Abs(g(outcome)) * ((outcome + 1) * (outcome + 2)), size))


def example(*names, **more_functions):
    """Return a function that is 0."""
    t = Symbol("t", real=True)
    return {g: Lambda((t,), Integer(0)), **{one: Integer(1) for one in names}}


def from_0(body):
    return Sum(body(k), (k, 0, oo))


def larger():
    """Return the series that is larger, term by term."""
    return from_0(lambda i: size / ((i + 1) * (i + 2)))


@claim(
    "series-exists",
    source=HERE,
    given=lambda: [falls()],
    example=lambda: example(size),
    proof=lambda: [
        step("the larger series", Eq(larger(), size)),
        step("the series is below", [Le(from_0(g), larger()), Le(-from_0(g), larger())]),
    ],
)
def series_of_numbers_that_fall():
    """Series of numbers that fall like a square."""
    return [Le(from_0(g), size), Le(-from_0(g), size)]


@claim(
    "series-of-differences",
    source=HERE,
    given=lambda: [falls()],
    example=lambda: example(size),
)
def series_of_differences():
    """Series of the differences of numbers that fall like a square."""
    return Eq(from_0(lambda i: g(i + 1) - g(i)), -g(Integer(0)))


def moved():
    """Return the numbers from the second on."""
    t = Symbol("t", real=True)
    return {g: Lambda((t,), g(t + 1)), size: size}


@claim(
    "series-moved",
    source=HERE,
    given=lambda: [falls()],
    example=lambda: example(size),
    using=[
        ("series-exists", lambda: {size: size}),
        ("series-exists", moved),
        ("series-of-differences", lambda: {size: size}),
    ],
    proof=lambda: [
        step(
            "term by term",
            Eq(from_0(lambda i: g(i + 1) - g(i)), from_0(lambda i: g(i + 1)) - from_0(g)),
        )
    ],
)
def series_from_the_second_number_on():
    """Series of numbers that fall like a square, from the second on; the series from the first on exists."""
    return [Eq(from_0(lambda i: g(i + 1)), from_0(g) - g(Integer(0))), Le(from_0(g), size)]


@claim(
    "series-of-zeros",
    source=HERE,
    given=lambda: [Every(outcome, Eq(g(outcome), 0))],
    example=lambda: example(),
)
def series_of_zeros():
    """Series of numbers that are 0."""
    return Eq(from_0(g), 0)


h = AnyFunction("h")
f = AnyFunction("f")


def of_difference():
    """Functions that are 0."""
    t = Symbol("t", real=True)
    return {one: Lambda((t,), Integer(0)) for one in (f, g, h)} | {multiple: Integer(1)}


@claim(
    "series-of-a-difference",
    source=HERE,
    given=lambda: [
        Every(outcome, Eq(f(outcome), g(outcome) - multiple * h(outcome))),
        Ge(from_0(g), 0),
        Ge(from_0(h), 0),
    ],
    example=of_difference,
)
def series_of_a_difference():
    """Series of numbers less multiples of others."""
    return Eq(from_0(f), from_0(g) - multiple * from_0(h))


@claim(
    "series-of-multiples",
    source=HERE,
    given=lambda: [Every(outcome, Eq(f(outcome), multiple * g(outcome))), Ge(from_0(g), 0)],
    example=lambda: {one: value for one, value in of_difference().items() if one != h},
)
def series_of_multiples():
    """Series of multiples of numbers."""
    return Eq(from_0(f), multiple * from_0(g))


@claim(
    "series-below",
    source=HERE,
    given=lambda: [
        Every(outcome, Ge(f(outcome), 0)),
        Every(outcome, Le(f(outcome), g(outcome))),
        Relation(from_0(g), "==", from_0(g)),
    ],
    example=lambda: {one: value for one, value in of_difference().items() if one in (f, g)},
)
def series_below():
    """Series of numbers that are below others."""
    return Le(from_0(f), from_0(g))


# --- over all integers ----------------------------------------------------------------------------


@claim("square-of-a-sum", source=HERE)
def square_of_a_sum():
    """Square of a sum."""
    return (multiple + other_multiple) ** 2 <= (1 + multiple**2) * (1 + other_multiple**2)


G = AnyFunction("G")


def falls_both_ways():
    """State that numbers fall like a square, up and down."""
    return Every(x, Le(Abs(G(x)) * (1 + x**2), size))


def of_0(*names):
    """Return a function that is 0 at all integers."""
    t = Symbol("t", real=True)
    return {G: Lambda((t,), Integer(0)), **{one: Integer(1) for one in names}}


def far(number, way):
    """Return the factors of the bound of a number from 0 on, where the first is not at 0."""
    return (number + 1) * (number + 2), 1 + (2 - way * count) ** 2


def bound_from(way):
    """State that the numbers from a place on, or down, fall like a square."""
    (far_out, factor), there = far(outcome, way), count + way * outcome
    return Le(Abs(G(there)) * far_out, size * factor)


def fall_moved(way):
    """Return the claim about the numbers from a place on, or down."""
    far_out, factor = far(outcome, way)
    there = count + way * outcome
    return {
        "source": HERE,
        "given": lambda: [falls_both_ways()],
        "example": lambda: of_0(size, count, outcome),
        "using": [
            (
                "square-of-a-sum",
                lambda: {multiple: 2 - way * count, other_multiple: way * there},
            )
        ],
        "proof": lambda: [
            step("a square", far_out <= (outcome + 2) ** 2),
            step("of a sum", Eq((2 - way * count + way * there), outcome + 2)),
            step("the squares", far_out <= factor * (1 + there**2)),
            step(
                "times the number",
                Le(Abs(G(there)) * far_out, Abs(G(there)) * (factor * (1 + there**2))),
            ),
        ],
    }


@claim("fall-from-a-place", **fall_moved(1))
def fall_from_a_place_on():
    """Numbers that fall like a square, from a place on."""
    return bound_from(1)


@claim("fall-below-a-place", **fall_moved(-1))
def fall_below_a_place():
    """Numbers that fall like a square, from a place down."""
    return bound_from(-1)


def up_from(place):
    """Return the sum from a place on."""
    return from_0(lambda i: G(place + i))


def below(place):
    """Return the sum of all below a place."""
    return from_0(lambda i: G(place - 1 - i))


def cut_at(place):
    """Return the sum over all integers, cut at one."""
    return up_from(place) + below(place)


def parts_exist(place):
    """State that both parts have a value."""
    return [Relation(part, "==", part) for part in (up_from(place), below(place))]


def half(way):
    """Return the substitution of the numbers from a place on, or down."""
    t = Symbol("t", real=True)
    return {g: Lambda((t,), G(count + way * t)), size: size * far(outcome, way)[1]}


@claim(
    "sum-cut-at-the-next",
    source=HERE,
    given=lambda: [falls_both_ways()],
    example=lambda: of_0(size, count),
    using=[
        ("fall-from-a-place", lambda: {outcome: outcome}),
        ("fall-below-a-place", lambda: {outcome: outcome}),
        ("series-moved", lambda: half(1)),
        ("series-moved", lambda: half(-1)),
    ],
)
def sum_cut_at_the_next_place():
    """Sum over all integers, cut at the next place; both of its parts exist."""
    return [Eq(cut_at(count + 1), cut_at(count)), *parts_exist(count)]


@claim(
    "sum-from-the-next",
    source=HERE,
    given=lambda: [falls_both_ways()],
    example=lambda: of_0(size, count),
    using=[
        ("fall-from-a-place", lambda: {outcome: outcome}),
        ("series-moved", lambda: half(1)),
    ],
)
def sum_from_the_next_place():
    """Sum from a place on, and the sum from the next place on."""
    return Eq(up_from(count + 1), up_from(count) - G(count))


def cut_anywhere(steps):
    """State that the sum is the same when it is cut some places further on."""
    return Eq(cut_at(count + steps), cut_at(count))


@claim(
    "sum-cut-further-on",
    source=HERE,
    given=lambda: [falls_both_ways()],
    example=lambda: of_0(size, count, more),
    using=[
        ("sum-cut-at-the-next", lambda: {count: count, size: size}),
        ("sum-cut-at-the-next", lambda: {count: count + more, size: size}),
        ("sum-cut-at-the-next", lambda: {count: count + more + 1, size: size}),
    ],
)
def sum_cut_further_on():
    """Sum over all integers, cut some places further on."""
    return cut_anywhere(more)


@claim(
    "sum-cut-anywhere",
    source=HERE,
    given=lambda: [falls_both_ways()],
    example=lambda: of_0(size, count),
    using=[
        ("sum-cut-at-the-next", lambda: {count: count, size: size}),
        ("sum-cut-at-the-next", lambda: {count: Integer(0), size: size}),
        ("sum-cut-further-on", lambda: {count: -Abs(count), more: Abs(count), size: size}),
        ("sum-cut-further-on", lambda: {count: -Abs(count), more: Abs(count) + count, size: size}),
    ],
)
def sum_cut_anywhere():
    """Sum over all integers, cut at any place; the parts exist."""
    zero = Integer(0)
    return [Eq(cut_at(count), cut_at(zero)), *parts_exist(count), *parts_exist(zero)]
