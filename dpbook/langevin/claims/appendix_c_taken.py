"""Appendix C: lemmas 4.2 and 4.3 for neighbours of which one has a record more than the other.

Lemma 4.2 allows the last record to be (0, 0) for one of the two. W and its neighbour in algorithm 1
may differ so, which is why claim 4.1 needs it.
"""

from sympy import Eq, Ge, Gt, Le, Rational, log

from dpbook import claim, step
from dpbook.langevin.claims.appendix_d_sizes import loss_of_the_draw
from dpbook.langevin.claims.section_3 import with_delta
from dpbook.langevin.claims.section_4 import ON_D
from dpbook.langevin.notation import (
    alpha,
    below,
    beta,
    c,
    delta,
    epsilon,
    gamma_1,
    least_below,
    many_records,
    mean_gap_bound,
    mean_taken,
    mu,
    mu_1,
    mu_2,
    n,
    nu,
    nu_of_loss,
    numerator,
    numerator_bound,
    other_below,
    positive_responses,
    q,
    repaired_loss_bound,
    scale,
    shared,
    shifted_below,
    sigma,
    sigma_taken,
    smaller_loss,
    starred_added,
    starred_taken,
    variance,
    variance_1,
    variance_2,
    variance_taken,
    weight,
    x_h,
    x_l,
    x_n,
    y_n,
    z,
)
from dpbook.privacy.distributions import Normal
from dpbook.privacy.divergences import hockey_stick, renyi_divergence
from dpbook.privacy.statements import private


def precision():
    """Posterior precision with the last record."""
    return alpha + (z + x_n**2) * beta


def precision_taken():
    """Posterior precision without the last record."""
    return alpha + z * beta


def cross_difference():
    """Numerator of the difference of the two posterior means, over beta."""
    return alpha * (x_n * y_n) + x_n**2 * z * (y_n / x_n - q / z) * beta


def limits():
    """Return upper bounds on two parts of the numerator: common records, and last record."""
    return 2 * x_h**2 * z * n**gamma_1 * beta, x_h**2 * alpha * (c + n**gamma_1)


@claim("note-taken-gap", place="lemma 4.2, a record taken away: the means")
def difference_without_the_record():
    """Difference of the posterior means with and without the last record, as one fraction."""
    return Eq(mu - mean_taken, beta * cross_difference() / (precision() * precision_taken()))


@claim(
    "note-taken-ends",
    place="lemma 4.2, a record taken away: the means",
    given=positive_responses,
    proof=lambda: [
        step(
            "the last record",
            Le(alpha * (x_n * y_n), limits()[1]),
        ),
        step(
            "ratios, from above",
            Le(x_n**2 * z * (y_n / x_n - q / z) * beta, limits()[0]),
        ),
        step(
            "ratios, from below",
            Ge(x_n**2 * z * (y_n / x_n - q / z) * beta, -limits()[0]),
        ),
    ],
)
def numerator_without_the_record():
    """Numerator of the difference of the posterior means, bounded."""
    return [
        Le(cross_difference(), limits()[0] + limits()[1]),
        Ge(cross_difference(), -(limits()[0] + limits()[1])),
    ]


def bounded_third_term(top):
    """Third term of the divergence with a tenth of the precision given away."""
    return nu / 2 * beta**2 * top / (Rational(9, 10) * precision_taken() * precision() ** 2)


@claim(
    "note-taken-square",
    place="lemma 4.2, a record taken away: the means",
    given=positive_responses,
    using=[
        "note-common-sum",
        "note-taken-ends",
        (
            "note-fraction-square",
            lambda: {
                weight: bounded_third_term(1),
                numerator: cross_difference(),
                numerator_bound: limits()[0] + limits()[1],
            },
        ),
    ],
)
def square_of_the_numerator():
    """Third term, after the difference of the means is bounded."""
    return Le(
        bounded_third_term(cross_difference() ** 2),
        bounded_third_term((limits()[0] + limits()[1]) ** 2),
    )


def last_two_factors():
    """Return the factor of top / precision_taken() in the bounded third term."""
    return nu / 2 * beta**2 / (Rational(9, 10) * precision() ** 2)


def term_of_the_last_record():
    """Last term of claim D.28."""
    top = nu / 2 * (scale * (c + n**gamma_1)) ** 2
    return top / (Rational(9, 10) * n**3 * x_l**6 * beta)


@claim(
    "note-taken-own",
    place="lemma 4.2, a record taken away: the last record",
    using=[
        "note-common-sum",
        (
            "note-fraction-cube",
            lambda: {
                weight: nu / 2 * beta**2 / Rational(9, 10) * (c + n**gamma_1) ** 2 * scale**2,
                below: precision(),
                other_below: n * x_l**2 * beta,
                least_below: n * x_l**2 * beta,
            },
        ),
    ],
    proof=lambda: [
        step(
            "what it weighs",
            Le((x_h**2 * alpha) ** 2 / precision_taken(), scale**2 / (n * x_l**2 * beta)),
        ),
        step(
            "by its weight",
            Le(
                bounded_third_term(limits()[1] ** 2),
                last_two_factors() * (c + n**gamma_1) ** 2 * (scale**2 / (n * x_l**2 * beta)),
            ),
        ),
        step(
            "and by the size of the others",
            Le(
                last_two_factors() * (c + n**gamma_1) ** 2 * (scale**2 / (n * x_l**2 * beta)),
                term_of_the_last_record(),
            ),
        ),
    ],
)
def third_term_of_the_last_record():
    """Third term of the divergence: the part of the last record."""
    return Le(bounded_third_term(limits()[1] ** 2), term_of_the_last_record())


@claim(
    "note-taken-both",
    place="lemma 4.2, a record taken away: common records times the last",
    using=[
        "note-common-sum",
        (
            "note-fraction-shared",
            lambda: {
                weight: 2
                * nu
                * beta**2
                * x_h**2
                * n**gamma_1
                * (x_h**2 * alpha * (c + n**gamma_1))
                / Rational(9, 10),
                shared: z * beta,
                below: precision(),
                other_below: precision_taken(),
                least_below: n * x_l**2 * beta,
            },
        ),
    ],
)
def third_term_of_both():
    """Third term of the divergence: the joint part of the common records and the last record."""
    top = 2 * nu * x_h**2 * (scale * (c + n**gamma_1)) * n**gamma_1
    return Le(
        bounded_third_term(2 * limits()[0] * limits()[1]), top / (Rational(9, 10) * n**2 * x_l**4)
    )


@claim(
    "note-taken-others",
    place="lemma 4.2, a record taken away: the common records",
    proof=lambda: [
        step(
            "what they weigh",
            Le((z * beta) ** 2 / (precision_taken() * precision() ** 2), 1 / (n * x_l**2 * beta)),
        ),
    ],
)
def third_term_of_the_common_records():
    """Third term of the divergence: the part of the common records."""
    return Le(
        bounded_third_term(limits()[0] ** 2),
        2 * nu * beta * (x_h**4 / (Rational(9, 10) * n ** (1 - 2 * gamma_1) * x_l**2)),
    )


@claim(
    "note-taken-sum",
    place="lemma 4.2, a record taken away: the sizes",
    using=["note-common-sum", "note-taken-own", "note-taken-both", "note-taken-others"],
)
def records_of_least_size_without_the_record():
    """Third term where a record is taken away, after all records are put to their least size."""
    return Le(bounded_third_term((limits()[0] + limits()[1]) ** 2), mean_gap_bound())


@claim("note-taken-third", place="lemma 4.2, a record taken away: third term")
def third_term_without_the_record():
    """Third term where the record is taken away."""
    return Le(
        nu * (mu - mean_taken) ** 2 / (2 * starred_taken),
        bounded_third_term(cross_difference() ** 2),
    )


def precision_added():
    """Precision without the last record with nu times its change put in."""
    return nu * precision_taken() + (1 - nu) * precision()


@claim(
    "note-added-precision",
    place="lemma 4.2, a record added: the precision",
    given=many_records,
    proof=lambda: [
        step("times x_l**2", Ge((n - 1) * x_l**2, 10 * nu * x_h**2)),
        step("times beta", Ge((n - 1) * x_l**2 * beta, 10 * nu * x_h**2 * beta)),
        step("the last record", Le(nu * x_n**2 * beta, nu * x_h**2 * beta)),
    ],
)
def nine_tenths_are_left_with_the_record():
    """Precision with nu times the change by the record, against nine tenths of the precision."""
    return [
        Ge(precision_added(), Rational(9, 10) * precision()),
        Ge(precision_added(), precision_taken() - (nu - 1) * x_h**2 * beta),
    ]


@claim(
    "note-added-third",
    place="lemma 4.2, a record added: third term",
    given=many_records,
    using=[
        "note-common-sum",
        "note-added-precision",
        (
            "note-fraction-nine-tenths",
            lambda: {
                weight: nu / 2 * beta**2 * cross_difference() ** 2,
                below: precision(),
                other_below: precision_taken(),
                shifted_below: precision_added(),
            },
        ),
    ],
    proof=lambda: [
        step("eq. 14 divides by more than 0", Gt(precision_added(), 0)),
        step(
            "one fraction",
            Eq(
                nu * (mean_taken - mu) ** 2 / (2 * starred_added),
                nu
                / 2
                * beta**2
                * cross_difference() ** 2
                / (precision() * precision_taken() * precision_added()),
            ),
        ),
    ],
)
def third_term_with_the_record():
    """Third term where the record is added."""
    return Le(
        nu * (mean_taken - mu) ** 2 / (2 * starred_added),
        bounded_third_term(cross_difference() ** 2),
    )


def first_two_limits():
    """First two terms of the repaired bound of lemma 4.2."""
    return (
        x_h**2 / (2 * (n - 1) * x_l**2),
        x_h**2 / (2 * ((n - 1) * x_l**2 - (nu - 1) * x_h**2)),
    )


@claim(
    "note-added-records",
    place="lemma 4.2, a record added: what its condition says",
    given=many_records,
    proof=lambda: [
        step("times x_l**2", Gt((n - 1) * x_l**2, 10 * nu * x_h**2)),
        step("less", Gt((n - 1) * x_l**2, (nu - 1) * x_h**2)),
    ],
)
def records_for_the_change():
    """Least precision against the change by the record."""
    return [
        Gt((n - 1) * x_l**2 - (nu - 1) * x_h**2, 0),
        Gt((n - 1) * x_l**2 * beta, (nu - 1) * x_h**2 * beta),
    ]


@claim(
    "note-taken-first",
    place="lemma 4.2, a record taken away: first two terms",
    given=many_records,
    proof=lambda: [
        step("times x_l**2", Ge((n - 1) * x_l**2, 10 * nu * x_h**2)),
        step(
            "one record changes the precision by little",
            Le(precision() / precision_taken(), 1 + x_h**2 / ((n - 1) * x_l**2)),
        ),
        step(
            "the logarithm lies below its tangent at 1",
            Le(log(precision() / precision_taken()), precision() / precision_taken() - 1),
        ),
        step(
            "spreads are roots of precisions",
            Eq(log(sigma_taken / sigma), log(precision() / precision_taken()) / 2),
        ),
        step(
            "eq. 14 divides by more",
            Ge(nu * precision() + (1 - nu) * precision_taken(), precision()),
        ),
        step(
            "one fraction",
            Eq(
                variance_taken / starred_taken,
                precision() / (nu * precision() + (1 - nu) * precision_taken()),
            ),
        ),
        step("which is at most 1", Le(variance_taken / starred_taken, 1)),
        step("its logarithm", Le(log(variance_taken / starred_taken), 0)),
        step("the bound is positive", Gt(first_two_limits()[1], 0)),
    ],
)
def first_terms_without_the_record():
    """First two terms of the divergence where a record is taken away, bounded."""
    first, second = first_two_limits()
    return [
        Le(log(sigma_taken / sigma), first),
        Le(log(variance_taken / starred_taken) / (2 * (nu - 1)), second),
    ]


@claim(
    "note-added-first",
    place="lemma 4.2, a record added: first two terms",
    given=many_records,
    using=[
        "note-common-sum",
        "note-added-precision",
        "note-added-records",
        (
            "note-fraction-shifted",
            lambda: {
                below: precision_taken(),
                shifted_below: precision_added(),
                least_below: (n - 1) * x_l**2 * beta,
                weight: (nu - 1) * x_h**2 * beta,
            },
        ),
    ],
    proof=lambda: [
        step("the record adds precision", Le(precision_taken() / precision(), 1)),
        step("its logarithm", Le(log(precision_taken() / precision()), 0)),
        step(
            "spreads are roots of precisions",
            Eq(log(sigma / sigma_taken), log(precision_taken() / precision()) / 2),
        ),
        step("the first bound is positive", Gt(first_two_limits()[0], 0)),
        step("eq. 14 divides by more than 0", Gt(precision_added(), 0)),
        step(
            "one fraction",
            Eq(variance / starred_added, precision_taken() / precision_added()),
        ),
        step(
            "the largest change of the data",
            Le(
                precision_taken() / precision_added(),
                1 + (nu - 1) * x_h**2 / ((n - 1) * x_l**2 - (nu - 1) * x_h**2),
            ),
        ),
        step(
            "a logarithm lies below its tangent at 1",
            Le(
                log(precision_taken() / precision_added()),
                precision_taken() / precision_added() - 1,
            ),
        ),
        step(
            "the same logarithm",
            Eq(log(variance / starred_added), log(precision_taken() / precision_added())),
        ),
        step(
            "the second term before it is divided",
            Le(
                log(variance / starred_added),
                (nu - 1) * x_h**2 / ((n - 1) * x_l**2 - (nu - 1) * x_h**2),
            ),
        ),
    ],
)
def first_terms_with_the_record():
    """First two terms of the divergence where a record is added, bounded."""
    first, second = first_two_limits()
    return [
        Le(log(sigma / sigma_taken), first),
        Le(log(variance / starred_added) / (2 * (nu - 1)), second),
    ]


@claim(
    "note-taken-means",
    place="claim D.28 where a record is taken away",
    given=positive_responses,
    using=["note-taken-third", "note-taken-square", "note-taken-sum"],
)
def means_without_the_record():
    """Third term of the divergence where a record is taken away, bounded."""
    return Le(nu * (mu - mean_taken) ** 2 / (2 * starred_taken), mean_gap_bound())


@claim(
    "note-added-means",
    place="claim D.28 where a record is added",
    given=lambda: [*many_records, *positive_responses],
    using=["note-added-third", "note-taken-square", "note-taken-sum"],
)
def means_with_the_record():
    """Third term of the divergence where a record is added, bounded."""
    return Le(nu * (mean_taken - mu) ** 2 / (2 * starred_added), mean_gap_bound())


@claim(
    "note-taken-starred",
    place="eq. 14, repaired, a record taken away: what it divides by",
    using=["note-common-sum"],
    proof=lambda: [
        step("the numerator", Gt(nu * precision() + (1 - nu) * precision_taken(), 0)),
        step(
            "one fraction",
            Eq(
                starred_taken,
                (nu * precision() + (1 - nu) * precision_taken())
                / (precision() * precision_taken()),
            ),
        ),
    ],
)
def starred_variance_without_the_record():
    """Sign of the variance that the divergence divides by where a record is taken away."""
    return Gt(starred_taken, 0)


@claim(
    "note-added-starred",
    place="eq. 14, repaired, a record added: what it divides by",
    given=many_records,
    using=["note-common-sum", "note-added-precision"],
    proof=lambda: [
        step("the numerator", Gt(precision_added(), 0)),
        step(
            "one fraction",
            Eq(starred_added, precision_added() / (precision() * precision_taken())),
        ),
    ],
)
def starred_variance_with_the_record():
    """Sign of the variance that the divergence divides by where a record is added."""
    return Gt(starred_added, 0)


@claim(
    "note-taken-divergence",
    place="eq. 14, repaired, a record taken away",
    using=["note-common-sum", "note-taken-starred", "privacy:renyi-normal"],
)
def divergence_without_the_record():
    """Renyi divergence of two posteriors where a record is taken away."""
    return Eq(
        renyi_divergence(Normal(mu, sigma), Normal(mean_taken, sigma_taken), nu),
        log(sigma_taken / sigma)
        + log(variance_taken / starred_taken) / (2 * (nu - 1))
        + nu * (mu - mean_taken) ** 2 / (2 * starred_taken),
    )


@claim(
    "note-added-divergence",
    place="eq. 14, repaired, a record added",
    given=many_records,
    using=["note-common-sum", "note-added-starred", "privacy:renyi-normal"],
)
def divergence_with_the_record():
    """Renyi divergence of two posteriors where a record is added."""
    return Eq(
        renyi_divergence(Normal(mean_taken, sigma_taken), Normal(mu, sigma), nu),
        log(sigma / sigma_taken)
        + log(variance / starred_added) / (2 * (nu - 1))
        + nu * (mean_taken - mu) ** 2 / (2 * starred_added),
    )


@claim(
    "lemma-4.2-taken",
    place="Lemma 4.2, repaired, where the neighbour lacks a record",
    given=lambda: [*many_records, *positive_responses],
    using=["note-taken-divergence", "note-taken-first", "note-taken-means"],
)
def privacy_of_a_draw_without_the_record():
    """Renyi privacy of one posterior draw where a record is taken away."""
    return Le(
        renyi_divergence(Normal(mu, sigma), Normal(mean_taken, sigma_taken), nu),
        repaired_loss_bound,
    )


@claim(
    "lemma-4.2-added",
    place="Lemma 4.2, repaired, where the neighbour has a record more",
    given=lambda: [*many_records, *positive_responses],
    using=["note-added-divergence", "note-added-first", "note-added-means"],
)
def privacy_of_a_draw_with_the_record():
    """Renyi privacy of one posterior draw where a record is added."""
    return Le(
        renyi_divergence(Normal(mean_taken, sigma_taken), Normal(mu, sigma), nu),
        repaired_loss_bound,
    )


# --- lemma 4.3 ------------------------------------------------------------------------------------

WITHOUT = Normal(mean_taken, sigma_taken)
"""The posterior where the last record is taken away."""


@claim(
    "note-taken-draw",
    place="Lemma 4.3, repaired, where the neighbour lacks a record",
    given=lambda: [*many_records, *positive_responses],
    using=[
        "note-common-sum",
        "note-taken-starred",
        "note-taken-first",
        "note-taken-means",
        "note-loss-bound",
        (
            "note-lemma-3.1-variances",
            lambda: {
                **{mu_1: mu, variance_1: variance, mu_2: mean_taken, variance_2: variance_taken},
                epsilon: repaired_loss_bound,
            },
        ),
    ],
    time_limit=2,
)
def approximate_privacy_without_the_record():
    """Approximate privacy of one posterior draw where a record is taken away."""
    return Le(hockey_stick(ON_D, WITHOUT, with_delta(repaired_loss_bound)), delta)


@claim(
    "note-added-draw",
    place="Lemma 4.3, repaired, where the neighbour has a record more",
    given=lambda: [*many_records, *positive_responses],
    using=[
        "note-common-sum",
        "note-added-starred",
        "note-added-first",
        "note-added-means",
        "note-loss-bound",
        (
            "note-lemma-3.1-variances",
            lambda: {
                **{mu_1: mean_taken, variance_1: variance_taken, mu_2: mu, variance_2: variance},
                epsilon: repaired_loss_bound,
            },
        ),
    ],
    time_limit=2,
)
def approximate_privacy_with_the_record():
    """Approximate privacy of one posterior draw where a record is added."""
    return Le(hockey_stick(WITHOUT, ON_D, with_delta(repaired_loss_bound)), delta)


@claim(
    "note-taken-private",
    place="Claim C.11: a draw where one of the neighbours lacks a record, for a loss that is wanted",
    given=lambda: [
        Gt(n, 1 + 10 * nu_of_loss * (x_h**2 / x_l**2)),
        *positive_responses,
        Le(loss_of_the_draw(), epsilon),
    ],
    using=[
        "note-common-sum",
        "note-order-of-the-loss",
        "note-loss-of-the-draw",
        ("note-taken-draw", lambda: {nu: nu_of_loss}),
        ("note-added-draw", lambda: {nu: nu_of_loss}),
        (
            "note-larger-loss",
            lambda: {
                **{mu_1: mu, variance_1: variance, mu_2: mean_taken, variance_2: variance_taken},
                smaller_loss: loss_of_the_draw(),
            },
        ),
    ],
    time_limit=2,
)
def draw_without_a_record():
    """Approximate privacy of one posterior draw, where one of the neighbours lacks a record."""
    return private(ON_D, WITHOUT, epsilon, delta)
