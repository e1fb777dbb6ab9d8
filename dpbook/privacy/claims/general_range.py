"""Bounded range: the ratio of two distributions stays between an end and exp(epsilon) times that end.

A power of the ratio is below the chord of the two ends, so the moments are largest where the ratio
takes its ends only. Their logarithm is a function of two points whose second derivative is at most 1/4.
"""

from sympy import Eq, Ge, Integer, Lambda, Le, Sum, Symbol, exp, log, oo

from dpbook import Every, Relation, claim, step
from dpbook.privacy.any_distributions import (
    AnyDistribution,
    AnyFiniteDistribution,
    AnyScore,
    Releases,
    distribution_for,
)
from dpbook.privacy.claims.general_advanced import advanced_loss, best_order, left_over
from dpbook.privacy.claims.general_concentrated import within
from dpbook.privacy.claims.general_releases import exchanged
from dpbook.privacy.claims.sources import BUN_STEINKE, DONG_DURFEE, HERE
from dpbook.privacy.divergences import hockey_stick, renyi_divergence, renyi_moment
from dpbook.privacy.notation import (
    at,
    delta,
    density_1,
    density_3,
    divergence,
    epsilon,
    first_delta,
    history,
    last_outcome,
    lowest,
    multiple,
    nu,
    other_epsilon,
    outcome,
    queries,
    ratio,
    upper_end,
    weight,
)
from dpbook.privacy.statements import Interval, private, probability

P, Q = AnyDistribution("P"), AnyDistribution("Q")

# --- two points -----------------------------------------------------------------------------------


def mean_ratio(end):
    """Return the mean of two points, 1 and an end, where the end has the weight."""
    return 1 - weight + weight * end


@claim(
    "log-moment-of-a-range",
    source=DONG_DURFEE,
    place="Lemma 3.2: Hoeffding's lemma, with a tilted distribution",
)
def log_moment_of_two_points():
    """Logarithm of the moment of two points, beside its value at the order 1."""
    return Le(
        log(mean_ratio(exp(nu * epsilon))),
        nu * log(mean_ratio(exp(epsilon))) + nu * (nu - 1) * epsilon**2 / 8,
    )


def in_range():
    """Return the factor that a range of length epsilon gives to a moment."""
    return exp(nu * (nu - 1) * epsilon**2 / 8)


@claim(
    "moment-of-two-ends",
    source=DONG_DURFEE,
    place="Lemma 3.2",
    using=["log-moment-of-a-range"],
    proof=lambda: [
        step(
            "the exponential function is increasing",
            exp(log(mean_ratio(exp(nu * epsilon))))
            <= exp(nu * log(mean_ratio(exp(epsilon))) + nu * (nu - 1) * epsilon**2 / 8),
        ),
    ],
)
def moment_of_two_ends():
    """Moment of two points, beside the power of their mean."""
    return Le(mean_ratio(exp(nu * epsilon)), mean_ratio(exp(epsilon)) ** nu * in_range())


@claim(
    "power-in-a-range",
    source=DONG_DURFEE,
    place="Lemma 3.2, proof",
    given=lambda: [
        upper_end > 1,
        density_1 > 0,
        density_3 > 0,
        density_3 <= density_1 * mean_ratio(upper_end),
        density_1 * mean_ratio(upper_end) <= upper_end * density_3,
    ],
    using=[("power-below-chord", lambda: {ratio: density_1 / density_3 * mean_ratio(upper_end)})],
)
def power_of_a_ratio_in_a_range():
    """Integrand of a moment where the ratio lies in a range, below a combination of the densities."""
    scaled = density_1 * mean_ratio(upper_end)
    return Le(
        (upper_end - 1) * mean_ratio(upper_end) ** nu * density_1**nu * density_3 ** (1 - nu),
        (scaled - density_3) * upper_end**nu + upper_end * density_3 - scaled,
    )


def densities(first, second):
    """Return the substitution for the two densities and for the end of the range of their ratio."""
    return {upper_end: exp(epsilon), density_1: first, density_3: second}


# --- two distributions on the line ---------------------------------------------------------------------------


def total(distribution):
    """Return the probability of the whole line, which is 1."""
    return probability(distribution, Interval(-oo, oo))


def positive():
    """State that both densities are positive everywhere."""
    return [Every(at, distribution.density(at) > 0) for distribution in (P, Q)]


def from_mean(first, second):
    """State that the ratio of densities lies in a range with the mean ratio 1."""
    scaled = first.density(at) * mean_ratio(exp(epsilon))
    return [
        Every(at, Le(second.density(at), scaled)),
        Every(at, Le(scaled, exp(epsilon) * second.density(at))),
    ]


def existing():
    """State that the moment exists."""
    return Ge(renyi_moment(P, Q, nu), 0)


@claim(
    "moment-of-a-range",
    source=DONG_DURFEE,
    place="Lemma 3.2",
    given=lambda: [epsilon > 0, *positive(), *from_mean(P, Q), existing()],
    using=[
        (
            "power-in-a-range",
            lambda: densities(P.density(at), Q.density(at)),
        ),
        "moment-of-two-ends",
    ],
    proof=lambda: [
        step(
            "what holds at every output, integrated",
            (exp(epsilon) - 1) * mean_ratio(exp(epsilon)) ** nu * renyi_moment(P, Q, nu)
            <= (mean_ratio(exp(epsilon)) * total(P) - total(Q)) * exp(epsilon) ** nu
            + exp(epsilon) * total(Q)
            - mean_ratio(exp(epsilon)) * total(P),
        ),
        step(
            "at the mean",
            mean_ratio(exp(epsilon)) ** nu * renyi_moment(P, Q, nu)
            <= mean_ratio(exp(nu * epsilon)),
        ),
        step(
            "below the moment of the ends",
            mean_ratio(exp(epsilon)) ** nu * renyi_moment(P, Q, nu)
            <= mean_ratio(exp(epsilon)) ** nu * in_range(),
        ),
    ],
)
def moment_of_distributions_in_a_range():
    """Moment of two distributions whose ratio lies in a range of length epsilon."""
    return Le(renyi_moment(P, Q, nu), in_range())


def from_end(first, second):
    """State that the ratio of densities lies between an end and exp(epsilon) times it."""
    end = lowest * second.density(at)
    return [
        Every(at, Le(end, first.density(at))),
        Every(at, Le(first.density(at), exp(epsilon) * end)),
    ]


@claim(
    "lower-end-of-a-range",
    source=DONG_DURFEE,
    given=lambda: from_end(P, Q)[:1],
    proof=lambda: [step("integrated", lowest * total(Q) <= total(P))],
)
def lower_end_of_a_range():
    """Lower end of the range of the ratio of two distributions."""
    return Le(lowest, 1)


def turned():
    """Return the substitution that exchanges the distributions of the range."""
    return {**distribution_for(P, Q), **distribution_for(Q, P), lowest: exp(-epsilon) / lowest}


def range_turned():
    """State that the inverse ratio is above the end of the exchanged range."""
    return Every(at, Le(exp(-epsilon) / lowest * P.density(at), Q.density(at)))


def share_of_the_end():
    """Weight of the upper end at which the mean of the two ends, in units of the lower, is 1 over that end."""
    return (1 / lowest - 1) / (exp(epsilon) - 1)


def mean_at_the_end():
    """Return the mean of the two ends at that weight, in units of the lower one."""
    return 1 - share_of_the_end() + share_of_the_end() * exp(epsilon)


def on_the_weight_of_the_end():
    """Return the steps from both ends of a range to the weight of the upper one."""
    return [
        step("its end", exp(-epsilon) / lowest <= 1),
        step("so the upper end is at least 1", exp(epsilon) * lowest >= 1),
        step("the weight is not negative", share_of_the_end() >= 0),
        step("and at most 1", share_of_the_end() <= 1),
        step("the mean of the ends", Eq(mean_at_the_end(), 1 / lowest)),
    ]


@claim(
    "bounded-range-moment",
    source=DONG_DURFEE,
    place="Lemma 3.2",
    given=lambda: [epsilon > 0, *positive(), *from_end(P, Q), existing()],
    using=[
        "lower-end-of-a-range",
        ("lower-end-of-a-range", turned),
        ("moment-of-a-range", lambda: {weight: share_of_the_end()}),
    ],
    proof=lambda: [
        step("the range the other way", range_turned()),
        *on_the_weight_of_the_end(),
        step(
            "the range from its mean, below",
            Every(at, Le(Q.density(at), P.density(at) * mean_at_the_end())),
        ),
        step(
            "and above",
            Every(at, Le(P.density(at) * mean_at_the_end(), exp(epsilon) * Q.density(at))),
        ),
    ],
)
def moment_of_distributions_of_bounded_range():
    """Moment of two distributions of bounded range."""
    return Le(renyi_moment(P, Q, nu), in_range())


@claim(
    "bounded-range-renyi",
    source=DONG_DURFEE,
    place="Lemma 3.2",
    given=lambda: [
        epsilon > 0,
        *positive(),
        *from_end(P, Q),
        existing(),
        renyi_moment(P, Q, nu) > 0,
    ],
    using=["bounded-range-moment"],
)
def renyi_divergence_of_distributions_of_bounded_range():
    """Renyi divergence of two distributions of bounded range."""
    return Le(renyi_divergence(P, Q, nu), nu * epsilon**2 / 8)


@claim(
    "moment-positive",
    source=HERE,
    given=lambda: [*positive(), existing()],
    using=["renyi-moment-at-least-1"],
)
def moment_is_positive():
    """Moment of two distributions with positive densities."""
    return Relation(renyi_moment(P, Q, nu), ">", Integer(0))


@claim(
    "pure-to-zcdp-laws",
    source=BUN_STEINKE,
    place="Proposition 1.4, for any two distributions at every order",
    given=lambda: [epsilon > 0, *positive(), *within(P, Q), existing()],
    using=[
        "moment-positive",
        ("bounded-range-renyi", lambda: {epsilon: 2 * epsilon, lowest: exp(-epsilon)}),
    ],
    proof=lambda: [
        step("the range, from below", Every(at, Le(exp(-epsilon) * Q.density(at), P.density(at)))),
        step(
            "and from above",
            Every(at, Le(P.density(at), exp(2 * epsilon) * (exp(-epsilon) * Q.density(at)))),
        ),
    ],
)
def renyi_divergence_of_pure_distributions():
    """Renyi divergence of two distributions whose densities are within a factor: zero-concentrated privacy."""
    return Le(renyi_divergence(P, Q, nu), nu * epsilon**2 / 2)


# --- many releases ----------------------------------------------------------------------------------

NOW_F, NOW_G = (AnyFiniteDistribution(name, last_outcome) for name in ("F", "G"))
F, G = (AnyFiniteDistribution(name, last_outcome, history) for name in ("F", "G"))
ALL_F, ALL_G = (Releases(distribution, history, queries) for distribution in (F, G))
lowest_ratio = AnyScore("c", Integer(0), history)


def whole(distribution):
    """Return the sum of the masses of all outcomes, which is 1."""
    k = Symbol("k", integer=True)
    return Sum(distribution.density(k), (k, 0, last_outcome))


def at_outcomes(*relations):
    """At every outcome."""
    inside = (Relation(outcome, "<=", last_outcome),)
    return [Every(outcome, Relation(*one), inside) for one in relations]


def masses_from_end(first, second, end):
    """State that masses are positive, with a ratio between an end and exp(epsilon) times it."""
    a, b = first.density(outcome), second.density(outcome)
    zero = Integer(0)
    return at_outcomes(
        (a, ">", zero), (b, ">", zero), (end * b, "<=", a), (a, "<=", exp(epsilon) * (end * b))
    )


@claim(
    "lower-end-of-a-range-finite",
    source=DONG_DURFEE,
    given=lambda: at_outcomes(
        (lowest * NOW_G.density(outcome), "<=", NOW_F.density(outcome)),
    ),
    proof=lambda: [step("summed", lowest * whole(NOW_G) <= whole(NOW_F))],
)
def lower_end_of_a_range_of_masses():
    """Lower end of the range of the ratio of two distributions on finitely many outcomes."""
    return Le(lowest, 1)


def masses_turned():
    """Return the substitution that exchanges the masses of the range."""
    return {
        **distribution_for(NOW_F, NOW_G),
        **distribution_for(NOW_G, NOW_F),
        lowest: exp(-epsilon) / lowest,
    }


def from_mean_finite():
    """State that the masses are positive and their ratio lies in a range with the mean ratio 1."""
    a, b = NOW_F.density(outcome), NOW_G.density(outcome)
    scaled = a * mean_ratio(exp(epsilon))
    zero = Integer(0)
    return at_outcomes(
        (a, ">", zero), (b, ">", zero), (b, "<=", scaled), (scaled, "<=", exp(epsilon) * b)
    )


def scaled_finite():
    """Return the mean of the ends times the first masses, summed."""
    return mean_ratio(exp(epsilon)) * whole(NOW_F)


def chord_finite():
    """State that the moment is below the chord of the ends of the range."""
    return Le(
        (exp(epsilon) - 1) * mean_ratio(exp(epsilon)) ** nu * renyi_moment(NOW_F, NOW_G, nu),
        (scaled_finite() - whole(NOW_G)) * exp(epsilon) ** nu
        + exp(epsilon) * whole(NOW_G)
        - scaled_finite(),
    )


@claim(
    "chord-of-a-range-finite",
    source=DONG_DURFEE,
    place="Lemma 3.2, proof",
    given=lambda: [epsilon > 0, *from_mean_finite()],
    using=[
        (
            "power-in-a-range",
            lambda: densities(NOW_F.density(outcome), NOW_G.density(outcome)),
        ),
    ],
)
def chord_of_masses_in_a_range():
    """Moment of two distributions whose ratio lies in a range, below the chord of its ends."""
    return chord_finite()


@claim(
    "moment-at-the-mean-finite",
    source=DONG_DURFEE,
    place="Lemma 3.2, proof",
    given=lambda: [epsilon > 0, *from_mean_finite()],
    using=["chord-of-a-range-finite"],
    proof=lambda: [step("the chord", chord_finite())],
)
def moment_at_the_mean():
    """Moment of two distributions whose ratio lies in a range, below the moment of its ends."""
    return Le(
        mean_ratio(exp(epsilon)) ** nu * renyi_moment(NOW_F, NOW_G, nu),
        mean_ratio(exp(nu * epsilon)),
    )


@claim(
    "smaller-factor",
    source=HERE,
    given=lambda: [
        ratio * density_1 <= multiple,
        multiple <= ratio * density_3,
    ],
)
def smaller_factor():
    """Number whose multiple is below the same multiple of another number."""
    return Le(density_1, density_3)


@claim(
    "moment-of-a-range-finite",
    source=DONG_DURFEE,
    place="Lemma 3.2",
    given=lambda: [epsilon > 0, *from_mean_finite()],
    using=[
        "moment-at-the-mean-finite",
        "moment-of-two-ends",
        (
            "smaller-factor",
            lambda: {
                ratio: mean_ratio(exp(epsilon)) ** nu,
                multiple: mean_ratio(exp(nu * epsilon)),
                density_1: renyi_moment(NOW_F, NOW_G, nu),
                density_3: in_range(),
            },
        ),
    ],
    proof=lambda: [
        step("a power", mean_ratio(exp(epsilon)) ** nu > 0),
        step("the moment is not negative", renyi_moment(NOW_F, NOW_G, nu) >= 0),
    ],
)
def moment_of_masses_in_a_range():
    """Moment of two distributions on finitely many outcomes whose ratio lies in a range of length epsilon."""
    return Le(renyi_moment(NOW_F, NOW_G, nu), in_range())


@claim(
    "bounded-range-moment-finite",
    source=DONG_DURFEE,
    place="Lemma 3.2",
    given=lambda: [epsilon > 0, *masses_from_end(NOW_F, NOW_G, lowest)],
    using=[
        "lower-end-of-a-range-finite",
        ("lower-end-of-a-range-finite", masses_turned),
        ("moment-of-a-range-finite", lambda: {weight: share_of_the_end()}),
    ],
    proof=lambda: [
        step(
            "the range the other way",
            at_outcomes(
                (
                    exp(-epsilon) / lowest * NOW_F.density(outcome),
                    "<=",
                    NOW_G.density(outcome),
                ),
            ),
        ),
        *on_the_weight_of_the_end(),
        step(
            "the range from its mean",
            at_outcomes(
                (NOW_G.density(outcome), "<=", NOW_F.density(outcome) * mean_at_the_end()),
                (
                    NOW_F.density(outcome) * mean_at_the_end(),
                    "<=",
                    exp(epsilon) * NOW_G.density(outcome),
                ),
            ),
        ),
    ],
)
def moment_of_masses_of_bounded_range():
    """Moment of two distributions of bounded range on finitely many outcomes."""
    return Le(renyi_moment(NOW_F, NOW_G, nu), in_range())


def releases_of_bounded_range():
    """State that every release has bounded range after every history; the history may change the end."""
    end = lowest_ratio(0)
    return [
        epsilon > 0,
        Every(history, Relation(end, ">", Integer(0))),
        *(Every(history, tree) for tree in masses_from_end(F, G, end)),
    ]


def after_the_history():
    """Return the substitution of distributions after any history, and the end of their range."""
    return {**distribution_for(NOW_F, F), **distribution_for(NOW_G, G), lowest: lowest_ratio(0)}


def at_half(body):
    """Halve epsilon in a number of advanced composition: a range is as long as both sides together."""
    return body.xreplace({epsilon: epsilon / 2})


@claim(
    "bounded-range-composition-order",
    source=DONG_DURFEE,
    place="composition, at every order",
    given=releases_of_bounded_range,
    using=[
        ("bounded-range-moment-finite", after_the_history),
        (
            "composition-of-parts",
            lambda: parts_that_are_all(),
        ),
    ],
    proof=lambda: [
        step(
            "the moment after every history", Every(history, Le(renyi_moment(F, G, nu), in_range()))
        ),
    ],
)
def excess_of_many_releases_of_bounded_range():
    """Excess of many releases of bounded range, each chosen by the outputs of all before."""
    return Le(hockey_stick(ALL_F, ALL_G, other_epsilon), at_half(left_over(nu, other_epsilon)))


def parts_that_are_all():
    """Return the substitution of the distributions for their parts: nothing is left out."""
    k = Symbol("k", integer=True)
    parts = (AnyScore(name, last_outcome, history) for name in ("f", "g"))
    first, second = (part(k).function for part in parts)
    return {
        epsilon: other_epsilon,
        first_delta: Integer(0),
        divergence: nu * epsilon**2 / 8,
        first: Lambda((history, k), F.density(k)),
        second: Lambda((history, k), G.density(k)),
    }


def loss_of_many():
    """Return the loss of many releases of bounded range, for a given probability of a larger loss."""
    return at_half(advanced_loss())


@claim(
    "bounded-range-composition-one-way",
    source=DONG_DURFEE,
    place="composition, from one distribution to the other",
    given=releases_of_bounded_range,
    using=[
        ("left-over-at-the-best-order", lambda: {epsilon: epsilon / 2}),
        (
            "bounded-range-composition-order",
            lambda: {nu: at_half(best_order()), other_epsilon: loss_of_many()},
        ),
    ],
    proof=lambda: [
        step("the order is above 1", at_half(best_order()) > 1),
        step("the loss is not negative", loss_of_many() >= 0),
    ],
)
def delta_of_many_releases_of_bounded_range():
    """Delta of many releases of bounded range, each chosen by the outputs of all before."""
    return Le(hockey_stick(ALL_F, ALL_G, loss_of_many()), delta)


@claim(
    "bounded-range-composition",
    source=DONG_DURFEE,
    place="composition of releases of bounded range",
    given=releases_of_bounded_range,
    using=[
        "bounded-range-composition-one-way",
        (
            "bounded-range-composition-one-way",
            lambda: {
                **exchanged(loss_of_many()),
                lowest_ratio(0).function: Lambda(
                    (history, Symbol("k", integer=True)), exp(-epsilon) / lowest_ratio(0)
                ),
            },
        ),
    ],
)
def privacy_of_many_releases_of_bounded_range():
    """Privacy of many releases of bounded range: half of the deviation that privacy alone would cost."""
    return private(ALL_F, ALL_G, loss_of_many(), delta)
