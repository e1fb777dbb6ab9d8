"""Many releases, each chosen by the outputs of all before: composition for any number of them.

A number stands for the outputs so far, and the distribution of the next output may depend on it in
any way. The excess of the joint masses over all outputs is a sum over the next output, of the excess
over the outputs that follow.
"""

from sympy import Integer, Lambda, Le, Max, Symbol, exp

from dpbook import Every, Relation, claim, step
from dpbook.privacy.any_distributions import AnyFiniteDistribution, Releases
from dpbook.privacy.claims.sources import DWORK_ROTH, MIRONOV
from dpbook.privacy.divergences import hockey_stick, renyi_moment
from dpbook.privacy.notation import (
    density_1,
    density_2,
    density_3,
    density_4,
    divergence,
    epsilon,
    first_delta,
    first_mass,
    history,
    last_outcome,
    more,
    nu,
    outcome,
    queries,
    ratio,
    second_mass,
    upper_end,
)
from dpbook.privacy.statements import private

F, G = (AnyFiniteDistribution(name, last_outcome, history) for name in ("F", "G"))
ALL_F, ALL_G = (Releases(distribution, history, queries) for distribution in (F, G))


def excess(first, second, loss):
    """Excess over all outputs of some number of releases, from a history and masses that are given."""
    return first.total(second, lambda a, b: Max(a - exp(loss) * b, 0))


def always(tree, *conditions):
    """For all histories, all masses so far, and any number of releases to come."""
    for variable in (density_3, density_1, history):
        tree = Every(variable, tree)
    return Every(more, tree, conditions)


def rising(first, second):
    """Bound the excess by the excess of the masses so far and a delta for each release to come."""
    left = excess(first, second, queries * epsilon)(more, history, density_1, density_3)
    so_far = Max(density_1 - exp((queries - more) * epsilon) * density_3, 0)
    return always(Le(left, so_far + more * first_delta * density_1), Relation(more, "<=", queries))


@claim(
    "composition-adaptive-one-way",
    source=DWORK_ROTH,
    place="Theorem 3.16, any number of releases, from one distribution to the other",
    given=lambda: [Every(history, private(F, G, epsilon, first_delta))],
    using=[
        (
            "composition-basic-excess",
            lambda: {
                density_1: density_1,
                density_2: F.density(outcome),
                density_3: density_3,
                density_4: G.density(outcome),
                ratio: exp((queries - more - 1) * epsilon),
                upper_end: exp(epsilon),
            },
        )
    ],
    proof=lambda: [step("by induction on the releases to come", rising(ALL_F, ALL_G))],
)
def delta_of_many_releases():
    """Delta of many releases, each of which may depend on the outputs of all before."""
    return Le(hockey_stick(ALL_F, ALL_G, queries * epsilon), queries * first_delta)


def exchanged(loss):
    """Return the substitution that exchanges the two distributions, and their sums over all outputs."""
    i, k = Symbol("i", integer=True), Symbol("k", integer=True)
    h, a, b = (Symbol(name, real=True) for name in ("h", "a", "b"))
    sums = [
        hockey_stick(first, second, loss).definition().function
        for first, second in ((ALL_F, ALL_G), (ALL_G, ALL_F))
    ]
    return {
        F.density(k).function: Lambda((h, k), G.density(k).xreplace({history: h})),
        G.density(k).function: Lambda((h, k), F.density(k).xreplace({history: h})),
        sums[0]: Lambda((i, h, a, b), sums[1](i, h, a, b)),
    }


@claim(
    "composition-adaptive-many",
    source=DWORK_ROTH,
    place="Theorem 3.16, any number of releases, each chosen by those before",
    given=lambda: [Every(history, private(F, G, epsilon, first_delta))],
    using=[
        "composition-adaptive-one-way",
        ("composition-adaptive-one-way", lambda: exchanged(queries * epsilon)),
    ],
)
def privacy_of_many_releases():
    """Privacy of many releases, each of which may depend on the outputs of all before."""
    return private(ALL_F, ALL_G, queries * epsilon, queries * first_delta)


# --- moments --------------------------------------------------------------------------------------


def positive(*distributions):
    """State that every outcome has a positive mass, after every history."""
    inside = (Relation(outcome, "<=", last_outcome),)
    return [
        Every(
            history,
            Every(outcome, Relation(distribution.density(outcome), ">", Integer(0)), inside),
        )
        for distribution in distributions
    ]


def power(a, b):
    """Return the term of a moment."""
    return a**nu * b ** (1 - nu)


def bounded_moment():
    """Bound the Renyi divergence of a release by D after every history, without its logarithm."""
    return Every(history, Le(renyi_moment(F, G, nu), exp((nu - 1) * divergence)))


def for_positive(tree):
    """For all histories, positive masses so far, and any number of releases to come."""
    tree = Every(second_mass, tree)
    return Every(more, Every(history, Every(first_mass, tree)))


@claim(
    "composition-renyi-many",
    source=MIRONOV,
    place="Proposition 1, any number of releases, each chosen by those before",
    given=lambda: [*positive(F, G), bounded_moment()],
    proof=lambda: [
        step(
            "by induction on the releases to come",
            for_positive(
                Le(
                    ALL_F.total(ALL_G, power)(more, history, first_mass, second_mass),
                    power(first_mass, second_mass) * exp(more * (nu - 1) * divergence),
                )
            ),
        ),
    ],
)
def moment_of_many_releases():
    """Moment of many releases, each of which may depend on the outputs of all before."""
    return Le(renyi_moment(ALL_F, ALL_G, nu), exp(queries * (nu - 1) * divergence))
