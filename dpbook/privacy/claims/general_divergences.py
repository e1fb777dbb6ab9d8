"""Divergences of any two distributions: from Renyi's to privacy, Pinsker's inequality, the affinity.

Each rests on an inequality between numbers, which is used at every output.
"""

from sympy import Abs, Ge, Le, Max, exp, log, oo, sqrt

from dpbook import Every, claim, step
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.claims.sources import CANONNE, HERE, TSYBAKOV
from dpbook.privacy.divergences import (
    affinity,
    hockey_stick,
    kl_divergence,
    renyi_divergence,
    renyi_moment,
    total_variation,
)
from dpbook.privacy.notation import (
    at,
    density_1,
    density_3,
    divergence,
    epsilon,
    multiple,
    nu,
    other_multiple,
)
from dpbook.privacy.statements import Interval, probability

P, Q = AnyDistribution("P"), AnyDistribution("Q")


def positive():
    """State that both densities are positive everywhere."""
    return [Every(at, P.density(at) > 0), Every(at, Q.density(at) > 0)]


def at_each_output():
    """Return the substitution of the two densities for two numbers."""
    return {density_1: P.density(at), density_3: Q.density(at)}


def total(distribution):
    """Return the probability of the whole line, which is 1."""
    return probability(distribution, Interval(-oo, oo))


# --- numbers --------------------------------------------------------------------------------------


@claim(
    "moment-above-tangent",
    source=HERE,
    given=lambda: [density_1 > 0, density_3 > 0],
)
def power_of_a_density_above_its_tangent():
    """Integrand of a moment, above a combination of the densities."""
    return Ge(density_1**nu * density_3 ** (1 - nu), nu * density_1 - (nu - 1) * density_3)


@claim(
    "excess-below-moment",
    source=CANONNE,
    place="Proposition 12, at one output",
    given=lambda: [density_1 > 0, density_3 > 0],
    using=[
        (
            "moment-above-tangent",
            lambda: {density_1: density_1 / nu, density_3: exp(epsilon) * density_3 / (nu - 1)},
        )
    ],
)
def excess_below_the_integrand_of_a_moment():
    """Excess of a density over a multiple of another, below the integrand of a moment."""
    factor = exp((1 - nu) * epsilon) * (nu - 1) ** (nu - 1) / nu**nu
    return Le(density_1 - exp(epsilon) * density_3, factor * density_1**nu * density_3 ** (1 - nu))


@claim(
    "difference-below-loss",
    source=TSYBAKOV,
    place="Lemma 2.5, proof",
    given=lambda: [density_1 > 0, density_3 > 0],
    proof=lambda: [
        step(
            "the loss is above a square over a weighted sum",
            density_1 * log(density_1 / density_3) - density_1 + density_3
            >= 3 * (density_1 - density_3) ** 2 / (2 * density_1 + 4 * density_3),
        ),
        step(
            "twice a product is below the sum of two squares",
            2 * multiple * Abs(density_1 - density_3)
            <= multiple**2 * (2 * density_1 + 4 * density_3) / 3
            + 3 * (density_1 - density_3) ** 2 / (2 * density_1 + 4 * density_3),
        ),
    ],
)
def difference_of_densities_below_a_loss():
    """Difference of two densities times any number, below a square and the loss."""
    return Le(
        2 * multiple * Abs(density_1 - density_3),
        multiple**2 * (2 * density_1 + 4 * density_3) / 3
        + density_1 * log(density_1 / density_3)
        - density_1
        + density_3,
    )


def roots_squared(sign):
    """Return the square of a combination of the difference and the sum of the roots."""
    first, second = sqrt(density_1), sqrt(density_3)
    return (multiple * (first - second) + sign * other_multiple * (first + second)) ** 2


@claim(
    "difference-below-roots",
    source=TSYBAKOV,
    place="Lemma 2.3, proof",
    proof=lambda: [
        step("a square", roots_squared(1) >= 0),
        step("another square", roots_squared(-1) >= 0),
    ],
)
def difference_of_densities_below_roots():
    """Excess of a density over another, times two numbers, below the densities and their roots."""
    product = multiple * other_multiple
    return Le(
        2 * product * Max(density_1 - density_3, 0),
        (multiple**2 + other_multiple**2) * (density_1 + density_3) / 2
        + product * (density_1 - density_3)
        + (other_multiple**2 - multiple**2) * sqrt(density_1 * density_3),
    )


# --- divergences ----------------------------------------------------------------------------------


@claim(
    "renyi-moment-at-least-1",
    source=HERE,
    given=lambda: [*positive(), Ge(renyi_moment(P, Q, nu), 0)],
    using=[("moment-above-tangent", at_each_output)],
    proof=lambda: [
        step(
            "the integrand is above its tangent, at every output",
            renyi_moment(P, Q, nu) >= nu * total(P) - (nu - 1) * total(Q),
        )
    ],
)
def moment_of_two_distributions():
    """Moment of the ratio of two densities: the Renyi divergence is not negative."""
    return Ge(renyi_moment(P, Q, nu), 1)


@claim(
    "renyi-nonnegative",
    source=HERE,
    given=lambda: [
        *positive(),
        Ge(renyi_moment(P, Q, nu), 0),
        Le(renyi_divergence(P, Q, nu), divergence),
    ],
    using=["renyi-moment-at-least-1"],
)
def renyi_divergence_is_not_negative():
    """Renyi divergence of two distributions."""
    return Ge(renyi_divergence(P, Q, nu), 0)


@claim(
    "renyi-to-dp-laws",
    source=CANONNE,
    place="Proposition 12",
    given=lambda: [
        *positive(),
        Ge(renyi_moment(P, Q, nu), 0),
        Le(renyi_divergence(P, Q, nu), divergence),
    ],
    using=[("excess-below-moment", at_each_output), "renyi-moment-at-least-1"],
    proof=lambda: [
        step(
            "the excess is below the integrand of the moment, at every output",
            hockey_stick(P, Q, epsilon)
            <= exp((1 - nu) * epsilon) * (nu - 1) ** (nu - 1) / nu**nu * renyi_moment(P, Q, nu),
        ),
        step(
            "the moment, without its logarithm",
            renyi_moment(P, Q, nu) <= exp((nu - 1) * divergence),
        ),
    ],
)
def delta_of_a_renyi_divergence():
    """Delta of two distributions by their Renyi divergence."""
    return Le(
        hockey_stick(P, Q, epsilon),
        exp((nu - 1) * (divergence - epsilon)) * (nu - 1) ** (nu - 1) / nu**nu,
    )


@claim(
    "pinsker-linear",
    source=TSYBAKOV,
    place="Lemma 2.5",
    given=lambda: [*positive(), Ge(kl_divergence(P, Q), 0)],
    using=[("difference-below-loss", at_each_output)],
    proof=lambda: [
        step(
            "what holds at every output, integrated",
            4 * multiple * total_variation(P, Q)
            <= multiple**2 * (2 * total(P) + 4 * total(Q)) / 3
            + kl_divergence(P, Q)
            - total(P)
            + total(Q)
            + 2 * multiple * (total(P) - total(Q)),
        )
    ],
)
def total_variation_below_a_loss():
    """Total variation distance times any number, below its square and the loss."""
    return Le(4 * multiple * total_variation(P, Q), 2 * multiple**2 + kl_divergence(P, Q))


@claim(
    "pinsker",
    source=TSYBAKOV,
    place="Lemma 2.5",
    given=lambda: [*positive(), Ge(kl_divergence(P, Q), 0)],
    using=[("pinsker-linear", lambda: {multiple: total_variation(P, Q)})],
)
def total_variation_below_the_divergence():
    """Square of the total variation distance, below half of the divergence: Pinsker's inequality."""
    return Le(2 * total_variation(P, Q) ** 2, kl_divergence(P, Q))


@claim(
    "affinity-linear",
    source=TSYBAKOV,
    place="Lemma 2.3, proof",
    using=[("difference-below-roots", at_each_output)],
    proof=lambda: [
        step(
            "what holds at every output, integrated",
            2 * multiple * other_multiple * total_variation(P, Q)
            <= (multiple**2 + other_multiple**2) * (total(P) + total(Q)) / 2
            + multiple * other_multiple * (total(P) - total(Q))
            + (other_multiple**2 - multiple**2) * affinity(P, Q),
        )
    ],
)
def total_variation_and_affinity_with_weights():
    """Total variation distance times two numbers, below squares and the affinity."""
    return Le(
        2 * multiple * other_multiple * total_variation(P, Q),
        multiple**2 * (1 - affinity(P, Q)) + other_multiple**2 * (1 + affinity(P, Q)),
    )


@claim(
    "affinity",
    source=TSYBAKOV,
    place="Lemma 2.3",
    using=[
        (
            "affinity-linear",
            lambda: {multiple: 1 + affinity(P, Q), other_multiple: total_variation(P, Q)},
        )
    ],
    proof=lambda: [step("the affinity is not negative", affinity(P, Q) >= 0)],
)
def total_variation_and_affinity():
    """Square of the total variation distance, below 1 less the square of the affinity."""
    return Le(total_variation(P, Q) ** 2, 1 - affinity(P, Q) ** 2)
