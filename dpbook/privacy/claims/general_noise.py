"""Noise in many coordinates: independent outputs, of which each has a law of its own."""

from sympy import Abs, Integer, Lambda, Le, Max, Symbol, exp

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every, Relation
from dpbook.privacy.any_laws import AnyLaw
from dpbook.privacy.claims.sources import DWORK_ROTH, MIRONOV
from dpbook.privacy.coordinates import AnyNumbers, Independent, Running
from dpbook.privacy.divergences import hockey_stick, renyi_moment
from dpbook.privacy.laws import Laplace
from dpbook.privacy.notation import (
    at,
    density_1,
    density_2,
    density_3,
    density_4,
    epsilon,
    first_mass,
    first_outcome,
    more,
    multiple,
    nu,
    other_multiple,
    queries,
    scale,
    second_mass,
)
from dpbook.privacy.statements import private

j = first_outcome
P, Q = (AnyLaw(name, j) for name in ("P", "Q"))
ALL_P, ALL_Q = (Independent(law, j, queries) for law in (P, Q))
loss = AnyNumbers("L")


def within(first, second):
    """That the ratio of the densities of every coordinate is within what it adds to the loss."""
    factor = exp(loss(j + 1) - loss(j))
    return Every(j, Every(at, Le(first.density(at), factor * second.density(at))))


@claim(
    "excess-within-a-factor",
    source=DWORK_ROTH,
    place="Theorem 3.6, proof",
    given=lambda: [density_2 <= exp(multiple - other_multiple) * density_4],
)
def excess_within_a_factor():
    """Excess of a product of masses, of which one is within a factor of another."""
    return Le(
        Max(density_1 * density_2 - exp(epsilon - other_multiple) * (density_3 * density_4), 0),
        density_2 * Max(density_1 - exp(epsilon - multiple) * density_3, 0),
    )


def so_far(count):
    """Loss of the first coordinates."""
    return loss(count) - loss(Integer(0))


def excess(a, b):
    """What is integrated over all outputs."""
    return Max(a - exp(epsilon) * b, 0)


def by_induction():
    """Bound of the excess over some coordinates, by their losses."""
    left = ALL_P.total(ALL_Q, excess)(more, density_1, density_3)
    right = Max(density_1 - exp(epsilon - so_far(more)) * density_3, 0)
    tree = Le(left, right)
    for variable in (density_3, density_1):
        tree = Every(variable, tree)
    return Every(more, tree)


@claim(
    "pure-of-coordinates-one-way",
    source=DWORK_ROTH,
    place="Theorem 3.6, proof",
    given=lambda: [
        within(P, Q),
        Relation(so_far(queries), "<=", epsilon),
    ],
    using=[
        (
            "excess-within-a-factor",
            lambda: {
                density_1: density_1,
                density_2: P.density(at).xreplace({j: more}),
                density_3: density_3,
                density_4: Q.density(at).xreplace({j: more}),
                multiple: so_far(more + 1),
                other_multiple: so_far(more),
            },
        )
    ],
    proof=lambda: [step("by induction on the coordinates", by_induction())],
)
def excess_of_coordinates():
    """Excess of independent coordinates whose losses add up to no more than epsilon."""
    return Le(hockey_stick(ALL_P, ALL_Q, epsilon), Integer(0))


def put_in(first, second, loss_so_far):
    """What puts laws of the coordinates, and the loss of the first ones, in for those left open."""
    i, x, a, b = (Symbol(name, real=True) for name in ("i", "x", "a", "b"))
    t = Symbol("t", real=True)
    sums = [
        ALL_P.total(ALL_Q, excess),
        ALL_Q.total(ALL_P, excess),
        *(
            Independent(one, j, queries).total(Independent(other, j, queries), excess)
            for one, other in ((first, second), (second, first))
        ),
    ]
    return {
        P.density(t).function: Lambda((x, t), first.density(t).xreplace({j: x})),
        Q.density(t).function: Lambda((x, t), second.density(t).xreplace({j: x})),
        loss: Lambda((x,), loss_so_far(x)),
        sums[0]: Lambda((i, a, b), sums[2](i, a, b)),
        sums[1]: Lambda((i, a, b), sums[3](i, a, b)),
    }


@claim(
    "pure-of-coordinates",
    source=DWORK_ROTH,
    place="Theorem 3.14, pure releases that are independent, each with a loss of its own",
    given=lambda: [
        within(P, Q),
        within(Q, P),
        Relation(so_far(queries), "<=", epsilon),
    ],
    using=[
        "pure-of-coordinates-one-way",
        ("pure-of-coordinates-one-way", lambda: put_in(Q, P, loss)),
    ],
)
def privacy_of_coordinates():
    """Privacy of independent coordinates whose losses add up to no more than epsilon."""
    return private(ALL_P, ALL_Q, epsilon)


# --- Laplace noise --------------------------------------------------------------------------------

value, other_value = AnyNumbers("mu"), AnyNumbers("nu")
NOISY, OTHER = (Laplace(one(j), scale) for one in (value, other_value))


TAXICAB = Running("taxicab", j, Abs(value(j) - other_value(j)))


@claim(
    "laplace-mechanism-many",
    source=DWORK_ROTH,
    place="Theorem 3.6",
    given=lambda: [Relation(TAXICAB(queries), "<=", epsilon * scale)],
    using=[
        ("pure-of-coordinates", lambda: put_in(NOISY, OTHER, lambda x: TAXICAB(x) / scale)),
    ],
)
def privacy_of_laplace_noise_in_many_coordinates():
    """Privacy of k values with Laplace noise each, for a distance of at most epsilon times its scale."""
    return private(*(Independent(law, j, queries) for law in (NOISY, OTHER)), epsilon)


# --- moments --------------------------------------------------------------------------------------


def power(a, b):
    """Integrand of a moment."""
    return a**nu * b ** (1 - nu)


def moments(first, second):
    """That densities are positive, and the moment of every coordinate is within what it adds to D."""
    added = loss(j + 1) - loss(j)
    return [
        *(
            Every(j, Every(at, Relation(law.density(at), ">", Integer(0))))
            for law in (first, second)
        ),
        Every(j, Le(renyi_moment(first, second, nu), exp((nu - 1) * added))),
    ]


def by_moments(body, bound):
    """Bound of an integral over some coordinates, for all positive densities of the others."""
    left = ALL_P.total(ALL_Q, body)(more, first_mass, second_mass)
    tree = Le(left, bound * power(first_mass, second_mass) * exp((nu - 1) * so_far(more)))
    for variable in (second_mass, first_mass, more):
        tree = Every(variable, tree)
    return tree


@claim(
    "moment-of-coordinates",
    source=MIRONOV,
    place="Proposition 1, independent releases",
    given=lambda: moments(P, Q),
    proof=lambda: [step("by induction on the coordinates", by_moments(power, 1))],
)
def moment_of_coordinates():
    """Moment of independent coordinates."""
    return Le(renyi_moment(ALL_P, ALL_Q, nu), exp((nu - 1) * so_far(queries)))


@claim(
    "delta-of-coordinates",
    source=MIRONOV,
    place="Proposition 3, for independent releases",
    given=lambda: moments(P, Q),
    using=[("excess-below-power", lambda: {density_1: first_mass, density_3: second_mass})],
    proof=lambda: [
        step("by induction on the coordinates", by_moments(excess, exp((1 - nu) * epsilon)))
    ],
)
def delta_of_coordinates():
    """Delta of independent coordinates, by their moments."""
    return Le(
        hockey_stick(ALL_P, ALL_Q, epsilon),
        exp((1 - nu) * epsilon) * exp((nu - 1) * so_far(queries)),
    )
