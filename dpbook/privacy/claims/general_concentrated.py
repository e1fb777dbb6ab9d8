"""Bounded ratios and ranges, zero-concentrated privacy, and affinities of many outputs.

Two distributions have bounded range when the ratio of their densities varies by no more than a factor, from
outcome to outcome. They are zero-concentrated when their Renyi divergences grow no faster than the
order.
"""

from sympy import Eq, Ge, Le, Sum, Symbol, exp, log, sqrt

from dpbook import Every, Relation, claim, step
from dpbook.privacy.any_distributions import (
    AnyDistribution,
    AnyFiniteDistribution,
    Releases,
    distribution_for,
)
from dpbook.privacy.claims.sources import (
    BUN_STEINKE,
    CANONNE,
    DONG_DURFEE,
    HERE,
    MIRONOV,
    TSYBAKOV,
)
from dpbook.privacy.divergences import affinity, hockey_stick, renyi_divergence, renyi_moment
from dpbook.privacy.notation import (
    at,
    common_affinity,
    delta,
    density_1,
    density_3,
    divergence,
    epsilon,
    first_outcome,
    history,
    last_outcome,
    more,
    nu,
    order_taken,
    other_outcome,
    queries,
    rho,
)
from dpbook.privacy.statements import concentrated, private

P, Q = AnyDistribution("P"), AnyDistribution("Q")
F, G = (AnyFiniteDistribution(name, last_outcome) for name in ("F", "G"))


def within(first, second):
    """State that the ratio of two densities is at most exp(epsilon) at every output, both ways."""
    return [
        Every(at, Le(first.density(at), exp(epsilon) * second.density(at))),
        Every(at, Le(second.density(at), exp(epsilon) * first.density(at))),
    ]


@claim("pure-of-densities", source=HERE, given=lambda: within(P, Q))
def privacy_of_a_bounded_ratio():
    """Privacy of two distributions whose densities are within a factor at every output."""
    return private(P, Q, epsilon)


def of_densities(first, second, loss=epsilon):
    """Return the use of the claim, at two distributions and a loss."""
    return "pure-of-densities", lambda: {
        **distribution_for(P, first),
        **distribution_for(Q, second),
        epsilon: loss,
    }


def beside_others(first, second):
    """State bounded range for one outcome beside every other outcome."""
    j, k = first_outcome, other_outcome
    varies = Le(
        first.density(j) * second.density(k), exp(epsilon) * second.density(j) * first.density(k)
    )
    return Every(k, varies, (Relation(k, "<=", last_outcome),))


def whole(distribution):
    """Return the sum of the masses of all outcomes, which is 1."""
    k = Symbol("k", integer=True)
    return Sum(distribution.density(k), (k, 0, last_outcome))


@claim(
    "bounded-range-mass",
    source=DONG_DURFEE,
    place="bounded range implies pure privacy",
    given=lambda: [first_outcome <= last_outcome, beside_others(F, G)],
    proof=lambda: [
        step(
            "summed over the other outcome",
            F.density(first_outcome) * whole(G)
            <= exp(epsilon) * G.density(first_outcome) * whole(F),
        ),
    ],
)
def mass_of_an_outcome_of_bounded_range():
    """Mass of an outcome, by its mass under another distribution of bounded range."""
    return Le(F.density(first_outcome), exp(epsilon) * G.density(first_outcome))


def always_within(first, second):
    """State that a mass is at most exp(epsilon) times another at every outcome."""
    j = first_outcome
    below = Le(first.density(j), exp(epsilon) * second.density(j))
    return Every(j, below, (Relation(j, "<=", last_outcome),))


@claim("pure-of-masses", source=HERE, given=lambda: [always_within(F, G), always_within(G, F)])
def privacy_of_a_bounded_ratio_of_masses():
    """Privacy of two distributions whose masses are within a factor at every outcome."""
    return private(F, G, epsilon)


# --- zero-concentrated privacy ----------------------------------------------------------------------


@claim("powers-of-an-order", source=HERE)
def powers_of_the_order_in_a_conversion():
    """Powers of the order that a conversion to delta may leave out."""
    return Le((nu - 1) ** (nu - 1) / nu**nu, 1)


def positive(*distributions):
    """State that the densities of distributions are positive everywhere."""
    return [Every(at, distribution.density(at) > 0) for distribution in distributions]


def existing(order):
    """State that both densities are positive and the moment exists."""
    return [*positive(P, Q), Ge(renyi_moment(P, Q, order), 0)]


@claim(
    "renyi-to-dp-laws-simple",
    source=MIRONOV,
    place="Proposition 3",
    given=lambda: [*existing(nu), Le(renyi_divergence(P, Q, nu), divergence)],
    using=["renyi-to-dp-laws", "powers-of-an-order"],
)
def simple_delta_of_a_renyi_divergence():
    """Delta of two distributions by their Renyi divergence, in the simple form."""
    return Le(hockey_stick(P, Q, epsilon), exp((nu - 1) * (divergence - epsilon)))


@claim(
    "zcdp-to-dp-laws",
    source=BUN_STEINKE,
    place="Proposition 1.3",
    given=lambda: [
        *existing(concentrated_order()),
        Le(renyi_divergence(P, Q, concentrated_order()), rho * concentrated_order()),
    ],
    using=[
        (
            "renyi-to-dp-laws-simple",
            lambda: {
                nu: concentrated_order(),
                divergence: rho * concentrated_order(),
                epsilon: concentrated_loss(),
            },
        )
    ],
    proof=lambda: [
        step("the order is above 1", concentrated_order() > 1),
        step("the loss is not negative", concentrated_loss() >= 0),
        step(
            "the exponent",
            Eq(
                (concentrated_order() - 1) * (rho * concentrated_order() - concentrated_loss()),
                log(delta),
            ),
        ),
    ],
)
def delta_of_concentrated_distributions():
    """Delta of two distributions that are zero-concentrated at the best order: no other order is used."""
    return Le(hockey_stick(P, Q, concentrated_loss()), delta)


@claim(
    "zcdp-to-dp-one-way",
    source=BUN_STEINKE,
    place="Proposition 1.3, from one distribution to the other",
    given=lambda: [*positive(P, Q), concentrated(P, Q, rho)],
    using=["zcdp-to-dp-laws"],
    proof=lambda: [
        step("the order is above 1", concentrated_order() > 1),
        step("the moment at the best order", renyi_moment(P, Q, concentrated_order()) > 0),
        step(
            "the divergence at the best order",
            renyi_divergence(P, Q, concentrated_order()) <= rho * concentrated_order(),
        ),
    ],
)
def delta_of_two_concentrated_distributions():
    """Delta of two distributions that are zero-concentrated."""
    return Le(hockey_stick(P, Q, concentrated_loss()), delta)


@claim(
    "zcdp-to-dp-private",
    source=BUN_STEINKE,
    place="Proposition 1.3",
    given=lambda: [*positive(P, Q), concentrated(P, Q, rho)],
    using=[
        "zcdp-to-dp-one-way",
        ("zcdp-to-dp-one-way", lambda: {**distribution_for(P, Q), **distribution_for(Q, P)}),
    ],
)
def privacy_of_two_concentrated_distributions():
    """Privacy of two distributions that are zero-concentrated."""
    return private(P, Q, concentrated_loss(), delta)


def sharp_loss(nu):
    """Epsilon of zero-concentrated privacy, by the divergence of one order."""
    return rho * nu + log(1 - 1 / nu) - (log(delta) + log(nu)) / (nu - 1)


def sharp_delta(loss):
    """Delta of zero-concentrated privacy, by the divergence of one order."""
    nu = order_taken
    return exp((nu - 1) * (rho * nu - loss)) * (nu - 1) ** (nu - 1) / nu**nu


@claim(
    "zcdp-to-dp-sharp-one-way",
    source=CANONNE,
    place="Corollary 13, from one distribution to the other",
    given=lambda: [
        *positive(P, Q),
        concentrated(P, Q, rho),
        Ge(epsilon, sharp_loss(order_taken)),
    ],
    using=[
        (
            "renyi-to-dp-laws",
            lambda: {nu: order_taken, divergence: rho * order_taken},
        )
    ],
    proof=lambda: [
        step("the moment at the order", renyi_moment(P, Q, order_taken) > 0),
        step("the divergence", renyi_divergence(P, Q, order_taken) <= rho * order_taken),
        step("delta at the loss solved for", Eq(sharp_delta(sharp_loss(order_taken)), delta)),
        step(
            "delta at a larger loss",
            sharp_delta(epsilon) <= sharp_delta(sharp_loss(order_taken)),
        ),
        step("by the divergence", hockey_stick(P, Q, epsilon) <= sharp_delta(epsilon)),
    ],
)
def sharp_delta_of_two_concentrated_distributions():
    """Delta of two distributions that are zero-concentrated, at a loss that any one order gives."""
    return Le(hockey_stick(P, Q, epsilon), delta)


@claim(
    "zcdp-to-dp-sharp",
    source=CANONNE,
    place="Corollary 13",
    given=lambda: [
        *positive(P, Q),
        concentrated(P, Q, rho),
        Ge(epsilon, sharp_loss(order_taken)),
    ],
    using=[
        "zcdp-to-dp-sharp-one-way",
        ("zcdp-to-dp-sharp-one-way", lambda: {**distribution_for(P, Q), **distribution_for(Q, P)}),
    ],
)
def sharp_privacy_of_two_concentrated_distributions():
    """Privacy of two distributions that are zero-concentrated, at a loss that any one order gives."""
    return private(P, Q, epsilon, delta)


def loss_of(nu):
    """Epsilon by the divergence of an order, at the delta whose best order is nu_1."""
    log_delta = -(rho * (order_taken - 1) ** 2 + log(order_taken))
    return rho * nu + log(1 - 1 / nu) - (log_delta + log(nu)) / (nu - 1)


def excess_of_logarithms():
    """Return the share of the logarithms of two orders in the difference of their losses, times nu - 1."""
    return (nu - 1) * log((nu - 1) / (order_taken - 1)) - nu * log(nu / order_taken)


@claim(
    "zcdp-to-dp-sharp-order",
    source=HERE,
    proof=lambda: [
        step("the logarithms, a divergence of two points", Ge(excess_of_logarithms(), 0)),
        step(
            "the difference, times the other order less 1",
            Eq(
                (nu - 1) * (loss_of(nu) - loss_of(order_taken)),
                rho * (nu - order_taken) ** 2 + excess_of_logarithms(),
            ),
        ),
        step("it is not negative", (nu - 1) * (loss_of(nu) - loss_of(order_taken)) >= 0),
    ],
)
def best_order_of_the_sharp_conversion():
    """Epsilon of zero-concentrated privacy by any order, at delta = exp(-rho (nu_1 - 1)^2) / nu_1, whose best order is nu_1."""
    return Ge(loss_of(nu), loss_of(order_taken))


def concentrated_order():
    """Return the best order of the conversion."""
    return 1 + sqrt(log(1 / delta) / rho)


def concentrated_loss():
    """Epsilon of zero-concentrated privacy."""
    return rho + 2 * sqrt(rho * log(1 / delta))


# --- affinities -------------------------------------------------------------------------------------

F_H, G_H = (AnyFiniteDistribution(name, last_outcome, history) for name in ("F", "G"))
ALL_F, ALL_G = (Releases(distribution, history, queries) for distribution in (F_H, G_H))


def roots(a, b):
    """Return the term of an affinity."""
    return sqrt(a * b)


@claim(
    "affinity-of-many",
    source=TSYBAKOV,
    place="Section 2.4, Hellinger distance of product distributions",
    given=lambda: [Every(history, Le(affinity(F_H, G_H), common_affinity))],
    proof=lambda: [
        step(
            "by induction on the outputs to come",
            Every(
                more,
                Every(
                    history,
                    Every(
                        density_1,
                        Every(
                            density_3,
                            Le(
                                ALL_F.total(ALL_G, roots)(more, history, density_1, density_3),
                                sqrt(density_1 * density_3) * common_affinity**more,
                            ),
                        ),
                    ),
                ),
            ),
        )
    ],
)
def affinity_of_many_outputs():
    """Affinity of many outputs, each of which may depend on all before."""
    return Le(affinity(ALL_F, ALL_G), common_affinity**queries)
