"""Theorem 4, from Lemmas 12, 13 and 14 and Proposition 3, for any model, prior and contamination.

As in `general_privacy`: omega is a pair of neighbouring datasets, whose likelihood ratios are products of d over the
records of X, and of Z. The rate of contamination p and the radius phi of A are members of the sequences p_n and phi_n.
"""

from functools import partial

from sympy import Eq, Ge, Gt, Lambda, Le, Or, Rational, exp

from dpbook import Every, claim, step
from dpbook.contamination.any_models import settled, with_values
from dpbook.contamination.claims.general import (
    A,
    averaged,
    away,
    bad,
    datasets,
    exchanged,
    f_any,
    f_at,
    f_of,
    f_true,
    far,
    g_at,
    inside,
    large,
    likelihood,
    mass_outside_the_sieve,
    near,
    on_the_sieve,
    outside,
    prior_mean,
    zero_or_one,
)
from dpbook.contamination.claims.general_models import hellinger, is_density, radii, rates
from dpbook.contamination.claims.general_privacy import (
    bounds_of_lemmas_12_and_13,
    density_of_a_record,
    existing_divergences,
    few_x,
    in_the_ball,
    lipschitz,
    many_x,
    many_z,
    mass_near_the_truth,
    moment_at_any_rate,
    pairs_of_datasets,
    prior_near_the_truth,
    ratio_given,
    seldom,
    with_contamination,
    without_contamination,
    x_of,
    z_of,
)
from dpbook.contamination.notation import (
    T,
    alpha,
    at,
    c_1,
    c_2,
    c_3,
    c_4,
    data,
    f,
    f_star,
    factor,
    g,
    gap_at,
    n,
    p,
    p_0,
    phi,
    psi,
    size,
    t,
    theta,
    y,
)
from dpbook.privacy.any_distributions import AnyEvent
from dpbook.privacy.statements import probability

large_x, large_z = AnyEvent("F_1"), AnyEvent("F_2")


def at_n(thing):
    """A statement at the rate p and with t_n = c_1 phi_n**2 / 8."""
    return with_values(thing, {p_0: p, t: radius_of_12()})


def radius_of_12():
    """The radius t_n of Assumption 2."""
    return c_1 * phi**2 / 8


# --- A lies in the ball -----------------------------------------------------------------------------


def contaminated_at_n(record, parameter=None):
    """Density of a record at the rate p_n."""
    return with_contamination(record, parameter, rates(n))


def told_apart():
    """Assumption 5 at the radius psi_n: beyond it the Hellinger distance is at least its infimum."""
    apart = Ge(hellinger(at, without_contamination), gap_at**2)
    return Every(at, Or(Le(away(at), psi), apart))


def hellinger_ball():
    """State that A lies in the Hellinger ball of radius phi_n of the contaminated distributions."""
    close = Le(hellinger(at, contaminated_at_n), radii(n) ** 2)
    return Every(at, close, [Eq(A.indicator(at), 1)])


def densities_at(parameter):
    """State that the contaminated density at a parameter integrates to 1.

    The Hellinger distance without contamination exists.
    """
    return [
        is_density(parameter, contaminated_at_n),
        Ge(hellinger(parameter, without_contamination), 0),
    ]


def many_records():
    """State that p_n is at most 1/2, and phi_n at most a quarter of the squared infimum."""
    return [n >= settled(rates, Rational(1, 2)), n >= settled(radii, gap_at**2 / 4)]


@claim(
    "note-theorem-4-ball",
    place="Theorem 4: Proposition 3 at a parameter in A, for positive densities f",
    given=lambda: [
        told_apart(),
        *many_records(),
        hellinger_ball(),
        Eq(inside(A), 1),
        is_density(None, contaminated_at_n),
        *densities_at(theta),
    ],
    using=[
        (
            "note-proposition-3-ball",
            lambda: {
                f_any(y, theta).function: Lambda((y, theta), f_of(y, theta)),
                f_true(y).function: Lambda((y,), f_at(y)),
                size: psi,
            },
        )
    ],
    proof=lambda: [
        step("close", Le(hellinger(theta, contaminated_at_n), radii(n) ** 2)),
    ],
)
def parameters_in_a_are_near():
    """Distance of a parameter in A from the true one."""
    return Le(away(theta), psi)


def near_in_a():
    """The conclusion of Proposition 3 for the parameters in A."""
    return Every(at, Le(away(at), psi), [Eq(A.indicator(at), 1)])


@claim(
    "note-theorem-4-weighed",
    place="Theorem 4: Proposition 3 at a parameter in A or not",
    given=lambda: [near_in_a()],
    proof=lambda: [
        step("in A or not", zero_or_one(inside(A))),
        step("near, or not in A", Or(Eq(inside(A), 0), Le(away(theta), psi))),
    ],
)
def distance_on_a():
    """Distance of a parameter from the true one, where it counts in A only."""
    return Le(inside(A) * away(theta), psi)


# --- the evidence: Lemma 12 for X, Lemma 13 for X and Z ---------------------------------------------


def ratio_at_n(record, parameter=theta):
    """Likelihood ratio of the records of X or of Z, by the record in which they differ."""
    return ratio_given(record).xreplace({theta: parameter})


OF_X, OF_Z = partial(ratio_at_n, x_of), partial(ratio_at_n, z_of)


def conditions_of_lemma_12(ratio_=OF_X, records=n):
    """State the conditions of Lemma 12 for X or another ratio: Assumption 2, and the conditions of its proof.

    These are the moments of a record and of n records, and the order of integration.
    """
    mean = averaged(ratio_(at) ** (-alpha))
    power_ = ratio_() ** (-alpha)
    few = Le(prior_mean(ratio_()), c_3 / 2 * exp(-4 * n * radius_of_12()))
    return [
        at_n(density_of_a_record()),
        at_n(Every(at, existing_divergences(at))),
        at_n(prior_near_the_truth()),
        at_n(mass_near_the_truth()),
        exchanged(inside(near), power_),
        Every(
            data,
            [
                Or(Eq(few_x.indicator(data), 0), few),
                Ge(prior_mean(inside(near) * power_), 0),
                Ge(prior_mean(ratio_()), 0),
            ],
        ),
        at_n(Every(at, Eq(mean, moment_at_any_rate(at) ** records))),
        at_n(Every(at, Ge(moment_at_any_rate(at), 0))),
        Every(at, Ge(mean, 0)),
    ]


def rate_of_8():
    """The bound of Lemma 8 on a likelihood ratio, at the radius phi_n."""
    return exp(-c_1 * n * phi**2)


def conditions_of_lemma_13(ratio_, many, exceed):
    """State the conditions of Lemma 13 for X, for Z or for another ratio.

    The evidence outside A is large in the event `many`; `exceed` is the event of Lemma 8.
    """
    total = prior_mean(outside() * ratio_())
    small = with_values(
        on_the_sieve(rate_of_8()),
        {
            likelihood(data, at): ratio_(at),
            large.indicator(data): exceed.indicator(data),
        },
    )
    return [
        Every(at, Eq(averaged(ratio_(at)), 1)),
        exchanged(far(), ratio_()),
        conclusion_of_lemma_8(exceed),
        Every(
            data,
            [
                Or(Eq(many.indicator(data), 0), Ge(total, 2 * rate_of_8())),
                Ge(total, 0),
                Ge(prior_mean(far() * ratio_()), 0),
                small,
            ],
        ),
    ]


def conclusion_of_lemma_8(exceed):
    """State that a likelihood ratio on the sieve outside A is rarely large."""
    return Le(probability(datasets, exceed), factor * exp(-c_2 * n * phi**2))


def put_in(ratio_, where):
    """Return the substitution for the likelihood ratio and the event of Lemmas 12 and 13."""
    return {
        likelihood(data, theta).function: Lambda((data, theta), ratio_()),
        bad.indicator(data).function: Lambda((data,), where.indicator(data)),
    }


def ratio_at(record):
    """Return note-theorem-4-ratio for the densities at the record in which X and Z differ."""
    return (
        "note-theorem-4-ratio",
        lambda: {
            f: f_of(record(data), theta),
            f_star: f_at(record(data)),
            g: g_at(record(data)),
        },
    )


def positive_products(record):
    """State that the likelihood ratios of X or of Z are positive."""
    return Every(data, Every(theta, Gt(ratio_at_n(record), 0)))


@claim(
    "note-theorem-4-product-x",
    place="used by note-theorem-4-evidence and note-theorem-4-outside-x",
    using=[ratio_at(x_of)],
)
def products_of_x_are_positive():
    """Likelihood ratios of the records of X, for all pairs of datasets and parameters."""
    return positive_products(x_of)


@claim(
    "note-theorem-4-product-z",
    place="used by note-theorem-4-outside-z",
    using=[ratio_at(z_of)],
)
def products_of_z_are_positive():
    """Likelihood ratios of the records of Z, for all pairs of datasets and parameters."""
    return positive_products(z_of)


@claim(
    "note-theorem-4-evidence",
    place="Theorem 4: Lemma 12 for X, with t_n = c_1 phi_n**2 / 8",
    given=conditions_of_lemma_12,
    using=[
        "note-theorem-4-product-x",
        (
            "note-lemma-12-prior",
            lambda: {**put_in(OF_X, few_x), p_0: p, t: radius_of_12()},
        ),
    ],
)
def evidence_of_x():
    """Probability of a small evidence of X."""
    return Le(probability(datasets, few_x), 2 * exp(-n * alpha * radius_of_12()))


def by_lemma_13(ratio_, many, exceed):
    """Return the notes for the bound on the evidence outside A: the proof of Lemma 13."""
    return (
        "note-lemma-13-event",
        lambda: {
            **put_in(ratio_, many),
            large.indicator(data).function: Lambda((data,), exceed.indicator(data)),
        },
    )


@claim(
    "note-theorem-4-outside-x",
    place="Theorem 4: Lemma 13 for X, from the conclusion of Lemma 8",
    given=lambda: [
        mass_outside_the_sieve(),
        *conditions_of_lemma_13(OF_X, many_x, large_x),
    ],
    using=["note-theorem-4-product-x", by_lemma_13(OF_X, many_x, large_x)],
)
def evidence_outside_of_x():
    """Probability of a large evidence outside A, of X."""
    return outside_seldom(many_x)


@claim(
    "note-theorem-4-outside-z",
    place="Theorem 4: Lemma 13 for Z, from the conclusion of Lemma 8",
    given=lambda: [
        mass_outside_the_sieve(),
        *conditions_of_lemma_13(OF_Z, many_z, large_z),
    ],
    using=["note-theorem-4-product-z", by_lemma_13(OF_Z, many_z, large_z)],
)
def evidence_outside_of_z():
    """Probability of a large evidence outside A, of Z."""
    return outside_seldom(many_z)


def outside_seldom(many):
    """The bound of Lemma 13."""
    return Le(
        probability(datasets, many),
        factor * exp(-c_2 * n * phi**2) + c_4 * rate_of_8(),
    )


# --- theorem 4 --------------------------------------------------------------------------------------


@claim(
    "theorem-4",
    place="Theorem 4, eq. 14; B is any event of pairs of datasets for each of which the inequality fails at some set S, so it is "
    "about the outer measure. p and phi are p_n and phi_n, and psi_n is any radius psi; by Proposition 3 the Hellinger ball A lies within it from some n on, which "
    "is given, so that psi_n may tend to 0; h_0 is the infimum of Assumption 5 beyond psi. N is the neighbourhood of Assumption 2, Q the "
    "sieve, B_1, B_2 and B_3 the events in which the bounds of Lemmas 12 and 13 fail, F_1 and F_2 those of Lemma 8 for X and "
    "for Z, C_0 is C(n, phi_n)",
    scope="from the conclusion of Lemma 8, through Lemma 13, for X and for Z: a bound on an empirical process, which is a condition "
    "here. Assumption 4 is taken for a neighbourhood, as Lemma 14 needs it, with the mean value step; densities f that are "
    "positive; that the orders of integration agree, and that moments of independent records are products, are conditions; n is so "
    "large that Proposition 3 has a radius. That the bound tends to 0 is not part of this",
    using=[
        ("note-theorem-4-ball", lambda: {theta: at}),
        ("note-theorem-4-weighed", lambda: {theta: at}),
        "note-theorem-4-evidence",
        "note-theorem-4-outside-x",
        "note-theorem-4-outside-z",
        "note-theorem-4-bounds",
    ],
    without={
        "proposition-1": "it is used by note-theorem-4-posterior",
        "proposition-3": "what is used of it is note-proposition-3-ball",
        "lemma-8": "its conclusion, for X and for Z, is a condition",
        "lemma-9": "it is needed for Lemma 8",
        "lemma-11": "it is needed for Lemma 12",
        "lemma-12": "what is used of it is note-lemma-12-prior",
        "lemma-13": "what is used of it is note-lemma-13-event",
        "lemma-14": "what is used of its repair is note-lemma-14-two-records",
    },
    try_at=[
        {
            n: 4,
            p: "1/6",
            phi: "1/6",
            factor: 3,
            c_1: "1/2",
            c_2: 1,
            c_3: "1/2",
            c_4: 2,
            T: 1,
            psi: 2,
            gap_at: 1,
            alpha: 1,
        }
    ],
    given=lambda: [
        Eq(p, rates(n)),
        Eq(phi, radii(n)),
        lipschitz(),
        told_apart(),
        *many_records(),
        hellinger_ball(),
        is_density(None, contaminated_at_n),
        Every(at, densities_at(at)),
        pairs_of_datasets(),
        *conditions_of_lemma_12(),
        mass_outside_the_sieve(),
        *conditions_of_lemma_13(OF_X, many_x, large_x),
        *conditions_of_lemma_13(OF_Z, many_z, large_z),
    ],
    proof=lambda: [
        step("Proposition 3", near_in_a()),
        step("A lies in the ball", in_the_ball()),
        step("the exponent", Eq(n * alpha * radius_of_12(), c_1 * alpha / 8 * (n * phi**2))),
        step("the three bounds", bounds_of_lemmas_12_and_13()),
    ],
)
def posterior_draws_are_privately_random():
    """Random differential privacy of a posterior draw under contamination."""
    return seldom()
