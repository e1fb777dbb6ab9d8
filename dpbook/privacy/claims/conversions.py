"""From one notion of privacy to another, composition, groups and contamination.

Conversions hold for all mechanisms because an inequality between numbers holds at every output:
the claims here are these inequalities, with the ranges in which they hold.
"""

from sympy import Eq, Ge, Le, Max, exp, log, sqrt

from dpbook import Recurrence, claim, step
from dpbook.privacy.claims.sources import (
    AMPLIFICATION,
    BUN_STEINKE,
    CANONNE,
    DONG,
    DWORK_ROTH,
    HERE,
    MIRONOV,
)
from dpbook.privacy.distributions import Bernoulli, Normal
from dpbook.privacy.divergences import renyi_divergence
from dpbook.privacy.notation import (
    delta,
    density_1,
    density_2,
    density_3,
    density_4,
    distance,
    divergence,
    epsilon,
    event,
    kept,
    loss_distance,
    nu,
    other_distance,
    other_epsilon,
    other_event,
    queries,
    ratio,
    rho,
    third_event,
    upper_end,
    weight,
)

# --- Renyi and zero-concentrated privacy ----------------------------------------------------------


@claim("renyi-to-dp", source=CANONNE, place="Proposition 12", given=[ratio > 1])
def excess_over_a_loss_is_at_most_a_moment():
    """Excess of a ratio of densities over exp(epsilon), bounded by its power, in logarithms.

    The ratio is p over exp(epsilon) q. Integrated against exp(epsilon) q it says that delta
    is at most exp((nu - 1) (D - epsilon)) (nu - 1)^(nu - 1) / nu^nu.
    """
    return Le(log(ratio - 1), nu * log(ratio) + (nu - 1) * log(nu - 1) - nu * log(nu))


@claim("renyi-to-dp-epsilon", source=CANONNE, place="Proposition 12, solved for epsilon")
def epsilon_of_a_renyi_divergence():
    """Delta of the conversion at the epsilon that is solved for."""
    solved = divergence + log(1 - 1 / nu) - (log(delta) + log(nu)) / (nu - 1)
    return Eq(exp((nu - 1) * (divergence - solved)) * (nu - 1) ** (nu - 1) / nu**nu, delta)


@claim("renyi-to-dp-simple", source=MIRONOV, place="beside Proposition 3")
def simple_epsilon_of_a_renyi_divergence():
    """Two epsilons of a Renyi divergence, compared: the sharper conversion and the simple one."""
    return Le(
        divergence + log(1 - 1 / nu) - (log(delta) + log(nu)) / (nu - 1),
        divergence + log(1 / delta) / (nu - 1),
    )


@claim("zcdp-to-dp", source=BUN_STEINKE, place="Proposition 1.3")
def epsilon_of_zero_concentrated_privacy():
    """Epsilon of the simple conversion at every order, beside epsilon at the best order."""
    return Ge(
        rho * nu + log(1 / delta) / (nu - 1),
        rho + 2 * sqrt(rho * log(1 / delta)),
    )


@claim("zcdp-to-dp-order", source=BUN_STEINKE, place="Proposition 1.3, the order taken")
def order_of_the_conversion():
    """Epsilon of the simple conversion at its best order."""
    best = 1 + sqrt(log(1 / delta) / rho)
    return Eq(
        rho * best + log(1 / delta) / (best - 1),
        rho + 2 * sqrt(rho * log(1 / delta)),
    )


@claim("pure-to-zcdp-ends", source=BUN_STEINKE, place="Proposition 1.4, proof")
def power_of_a_bounded_ratio():
    """Power of a ratio between exp(-epsilon) and exp(epsilon), below the chord of its ends.

    So the moments of a bounded ratio are largest where it takes its two ends only, which is
    randomised response. The ratio is measured in units of its lower end.
    """
    return Le((1 - weight + weight * upper_end) ** nu, 1 - weight + weight * upper_end**nu)


def randomised_response():
    """Return the distribution of a truthful answer, with the odds exp(epsilon)."""
    return Bernoulli(exp(epsilon) / (1 + exp(epsilon)))


def scaled_moment():
    """Return the moment of randomised response, times 1 + exp(epsilon)."""
    return exp(nu * epsilon) + exp((1 - nu) * epsilon)


@claim(
    "pure-to-zcdp",
    source=BUN_STEINKE,
    place="Proposition 1.4, at its extreme pair",
    using=["renyi-bernoulli"],
    proof=lambda: [
        step(
            "the logarithm of the moment is convex in the order, and 0 at the orders 0 and 1",
            log(scaled_moment()) - log(1 + exp(epsilon)) <= nu * (nu - 1) * epsilon**2 / 2,
        ),
        step(
            "divide by the order less 1",
            (log(scaled_moment()) - log(1 + exp(epsilon))) / (nu - 1) <= nu * epsilon**2 / 2,
        ),
    ],
)
def renyi_divergence_of_randomised_response():
    """Renyi divergence of randomised response, bounded."""
    return Le(
        renyi_divergence(randomised_response(), Bernoulli(1 / (1 + exp(epsilon))), nu),
        nu * epsilon**2 / 2,
    )


# --- Gaussian privacy -----------------------------------------------------------------------------


@claim("gaussian-to-zcdp", source=BUN_STEINKE, place="Proposition 1.6", using=["renyi-normal"])
def renyi_divergence_of_unit_normals():
    """Renyi divergence of two unit Normals."""
    return Eq(renyi_divergence(Normal(distance, 1), Normal(0, 1), nu), nu * distance**2 / 2)


@claim(
    "gaussian-composition",
    source=DONG,
    place="Corollary 3.3, by Renyi divergences",
    using=["renyi-normal"],
)
def renyi_divergences_of_two_gaussian_releases():
    """Renyi divergences of two Gaussian releases together."""

    def loss(by):
        return renyi_divergence(Normal(by, 1), Normal(0, 1), nu)

    return Eq(
        loss(loss_distance) + loss(other_distance),
        loss(sqrt(loss_distance**2 + other_distance**2)),
    )


# --- composition ----------------------------------------------------------------------------------


@claim(
    "composition-pure",
    source=DWORK_ROTH,
    place="Theorem 3.14",
    given=lambda: [
        density_1 <= exp(epsilon) * density_3,
        density_2 <= exp(other_epsilon) * density_4,
    ],
)
def density_of_two_releases():
    """Density of two releases, each of bounded loss."""
    return Le(density_1 * density_2, exp(epsilon + other_epsilon) * density_3 * density_4)


@claim(
    "composition-renyi",
    source=MIRONOV,
    place="Proposition 1, for independent releases",
    given=lambda: [density > 0 for density in (density_1, density_2, density_3, density_4)],
)
def moment_of_two_releases():
    """Integrand of the Renyi divergence of two releases: so divergences add."""
    return Eq(
        (density_1 * density_2) ** nu * (density_3 * density_4) ** (1 - nu),
        density_1**nu * density_3 ** (1 - nu) * (density_2**nu * density_4 ** (1 - nu)),
    )


@claim("composition-basic", source=DWORK_ROTH, place="Theorem 3.16")
def excess_of_two_releases():
    """Excess of two releases over the sum of their losses, bounded by their own excesses."""
    return Le(
        density_1 * density_2 - exp(epsilon + other_epsilon) * density_3 * density_4,
        Max(density_1 - exp(epsilon) * density_3, 0) * density_2
        + density_1 * Max(density_2 - exp(other_epsilon) * density_4, 0),
    )


@claim("composition-basic-excess", source=DWORK_ROTH, place="Theorem 3.16, proof")
def positive_excess_of_two_releases():
    """Positive part of the excess of two releases over any factors, bounded by their own excesses."""
    return Le(
        Max(density_1 * density_2 - ratio * upper_end * density_3 * density_4, 0),
        Max(density_1 - ratio * density_3, 0) * density_2
        + density_1 * Max(density_2 - upper_end * density_4, 0),
    )


@claim(
    "composition-advanced",
    source=DWORK_ROTH,
    place="beside Theorem 3.20",
    without={"pure-to-zcdp": "the two bounds are compared as numbers"},
)
def losses_of_many_pure_releases():
    """Two bounds on the loss of many pure releases, compared: concentrated and advanced."""
    deviation = epsilon * sqrt(2 * queries * log(1 / delta))
    return Le(
        queries * epsilon**2 / 2 + deviation,
        deviation + queries * epsilon * (exp(epsilon) - 1),
    )


@claim(
    "group",
    source=HERE,
    given=[epsilon > 0],
)
def delta_of_a_group():
    """Delta of a group, record by record."""
    return Recurrence(
        step=lambda d: exp(epsilon) * d + delta,
        start=delta,
        closed_form=delta * (exp(queries * epsilon) - 1) / (exp(epsilon) - 1),
        index=queries,
    )


# --- contamination --------------------------------------------------------------------------------


@claim(
    "contamination",
    source=AMPLIFICATION,
    place="Theorem 2, for a record replaced by a public draw",
    given=lambda: [
        event <= exp(epsilon) * other_event + delta,
        event <= exp(epsilon) * third_event + delta,
    ],
)
def probability_of_an_event_after_contamination():
    """Probability of an event when a record is kept with a probability, and else replaced.

    G is the distribution of the output when the record is replaced: it neighbours both P and Q.
    """
    return Le(
        kept * event + (1 - kept) * third_event,
        (1 + kept * (exp(epsilon) - 1)) * (kept * other_event + (1 - kept) * third_event)
        + kept * delta,
    )
