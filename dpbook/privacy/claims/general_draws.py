"""Independent draws from one distribution on the line, any number of them: the distance of two distributions.

Statements about the densities of all draws are shown by induction on the draws still to come.
"""

from sympy import Eq, Ge, Le, Max, sqrt

from dpbook import Every, claim, step
from dpbook.privacy.any_distributions import AnyDistribution, Repeated
from dpbook.privacy.claims.sources import TSYBAKOV
from dpbook.privacy.divergences import affinity, total_variation
from dpbook.privacy.notation import (
    common_affinity,
    density_1,
    density_3,
    fourth_multiple,
    more,
    multiple,
    other_multiple,
    queries,
    third_multiple,
)

P, Q = AnyDistribution("P"), AnyDistribution("Q")
ALL_P, ALL_Q = Repeated(P, queries), Repeated(Q, queries)


def for_all_densities(tree):
    """For any number of draws to come, and all densities of those so far."""
    for variable in (density_3, density_1, more):
        tree = Every(variable, tree)
    return tree


def squares(sign):
    """Factor of a mass: half of the square of a sum of two numbers, or of their difference."""
    return (multiple + sign * other_multiple) ** 2 / 2


def below(excess, first, second, common):
    """State that an excess times two numbers is at most a combination of two masses and their affinity."""
    return Le(
        2 * multiple * other_multiple * excess,
        first + second + (other_multiple**2 - multiple**2) * common,
    )


@claim("affinity-nonnegative", source=TSYBAKOV, place="Section 2.4, the Hellinger affinity")
def affinity_is_not_negative():
    """Affinity of two distributions."""
    return Ge(affinity(P, Q), 0)


@claim(
    "excess-below-roots",
    source=TSYBAKOV,
    place="Lemma 2.3, proof",
    given=lambda: [Eq(third_multiple, squares(1)), Eq(fourth_multiple, squares(-1))],
    using=["difference-below-roots"],
)
def excess_below_roots():
    """Excess of a density over another, times two numbers, below the densities and their roots."""
    return below(
        Max(density_1 - density_3, 0),
        third_multiple * density_1,
        fourth_multiple * density_3,
        sqrt(density_1 * density_3),
    )


@claim(
    "excess-of-draws",
    source=TSYBAKOV,
    place="Section 2.4, total variation of product distributions, proof",
    given=lambda: [
        Eq(affinity(P, Q), common_affinity),
        Eq(third_multiple, squares(1)),
        Eq(fourth_multiple, squares(-1)),
    ],
    try_at=[
        {multiple: 1, other_multiple: 1, third_multiple: 2, fourth_multiple: 0, common_affinity: 1}
    ],
    using=[("excess-below-roots", lambda: {density_1: density_1, density_3: density_3})],
    proof=lambda: [
        step(
            "by induction on the draws to come",
            for_all_densities(
                below(
                    ALL_P.total(ALL_Q, lambda a, b: Max(a - b, 0))(more, density_1, density_3),
                    third_multiple * density_1,
                    fourth_multiple * density_3,
                    sqrt(density_1 * density_3) * common_affinity**more,
                )
            ),
        )
    ],
)
def excess_of_many_draws():
    """Total variation distance of many draws, times two numbers, with the affinity of one."""
    return below(
        total_variation(ALL_P, ALL_Q), third_multiple, fourth_multiple, common_affinity**queries
    )


@claim(
    "variation-of-draws-linear",
    source=TSYBAKOV,
    place="Section 2.4, total variation of product distributions, proof",
    given=lambda: [Eq(affinity(P, Q), common_affinity)],
    using=[
        (
            "excess-of-draws",
            lambda: {third_multiple: squares(1), fourth_multiple: squares(-1)},
        )
    ],
)
def variation_of_draws_with_weights():
    """Total variation distance of many draws, times two numbers, by the affinity of one."""
    return below(total_variation(ALL_P, ALL_Q), squares(1), squares(-1), common_affinity**queries)


@claim(
    "variation-of-draws",
    source=TSYBAKOV,
    place="Section 2.4, total variation of product distributions",
    given=lambda: [Eq(affinity(P, Q), common_affinity)],
    using=[
        (
            "variation-of-draws-linear",
            lambda: {
                multiple: 1 + common_affinity**queries,
                other_multiple: total_variation(ALL_P, ALL_Q),
            },
        )
    ],
    proof=lambda: [step("the affinity is positive", Ge(common_affinity**queries, 0))],
)
def variation_of_many_draws():
    """Total variation distance of many draws from two distributions, by the affinity of one."""
    return Le(total_variation(ALL_P, ALL_Q) ** 2, 1 - (common_affinity**queries) ** 2)
