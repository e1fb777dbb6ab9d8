"""Noise on all integers: sums without an end, as privacy of the distributions of their outputs."""

from sympy import Abs, Eq, Integer, Sum, Symbol, oo

from dpbook import claim
from dpbook.privacy.claims.sources import GHOSH
from dpbook.privacy.distributions import TwoSidedGeometric
from dpbook.privacy.notation import count, epsilon, integer_output, other_count
from dpbook.privacy.statements import private

FIRST, SECOND = (TwoSidedGeometric(value, epsilon) for value in (count, other_count))


def exchanged():
    """Return the substitution that inverts the ratio."""
    return {count: other_count, other_count: count}


@claim("geometric-total", source=GHOSH, given=lambda: [epsilon > 0])
def masses_of_the_geometric_mechanism():
    """Masses of the geometric mechanism around 0, added up over all integers."""
    distribution = TwoSidedGeometric(Integer(0), epsilon)
    k = Symbol("k", integer=True)
    halves = [Sum(distribution.density(at), (k, 0, oo)) for at in (k, -1 - k)]
    return Eq(halves[0] + halves[1], 1)


@claim(
    "geometric-mechanism",
    source=GHOSH,
    place="geometric mechanism, for counts that differ by at most 1",
    given=lambda: [epsilon > 0, Abs(count - other_count) <= 1],
    using=[
        ("geometric-ratio", lambda: {integer_output: integer_output}),
        ("geometric-ratio", lambda: {integer_output: -1 - integer_output}),
        ("geometric-ratio", lambda: {integer_output: integer_output, **exchanged()}),
        ("geometric-ratio", lambda: {integer_output: -1 - integer_output, **exchanged()}),
    ],
)
def privacy_of_the_geometric_mechanism():
    """Privacy of a count with geometric noise, for counts that differ by at most 1."""
    return private(FIRST, SECOND, epsilon)
