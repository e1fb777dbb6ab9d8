"""Appendix D: the small claims that the proofs rest on."""

from sympy import Eq, Ge, Gt, Le, Lt, Rational, Sum, exp, log

from dpbook import claim, step
from dpbook.langevin.notation import (
    ONE_RATIO,
    alpha,
    below,
    beta,
    c,
    drift,
    eta,
    gamma_1,
    i,
    j,
    k,
    least_below,
    long_run,
    many_records,
    many_records_as_printed,
    mean_gap_bound,
    mu,
    mu_hat,
    n,
    nu,
    numerator,
    numerator_bound,
    odd_drift,
    odd_rate,
    other_below,
    positive_responses,
    q,
    rate,
    scale,
    shared,
    shifted_below,
    sigma,
    sigma_hat,
    starred_variance,
    strong_data,
    variance_hat,
    weight,
    x_h,
    x_l,
    x_n,
    x_n_hat,
    y_n,
    y_n_hat,
    z,
)

# --- the chain ------------------------------------------------------------------------------------


@claim("claim-d.1", place="Claim D.1")
def drift_over_loss():
    """Drift of a step over the share that a step forgets."""
    return Eq(drift * (1 / (1 - rate)), long_run())


def drift_over_what_is_lost(covariate):
    """Drift of a step over the share that a step forgets, written out with this covariate."""
    rate_there = 1 - eta / 2 * (alpha + n * covariate**2 * beta)
    return eta / 2 * n * c * x_h**2 * beta * (1 / (1 - rate_there))


@claim(
    "text-d.1",
    place="proof of Claim D.1, its second expression and its last",
    fault="misprint",
    effect="None: the third expression has x_h, and the claim is proved.",
)
def drift_over_loss_as_printed():
    """Drift of a step over the share that a step forgets, written out, as printed."""
    return Eq(drift_over_what_is_lost(x_h / 2), long_run())


@claim(
    "text-d.1-corrected",
    place="proof of Claim D.1, its second expression and its last, repaired",
    corrects=["text-d.1"],
    why="An ordinary step has the covariate x_h; x_h / 2 is that of the odd record.",
)
def drift_over_loss_written_out():
    """Drift of a step over the share that a step forgets, written out, repaired."""
    return Eq(drift_over_what_is_lost(x_h), long_run())


@claim(
    "claim-d.2",
    place="Claim D.2",
    without={"claim-d.1": "the sum is taken anew, as a geometric one"},
)
def drift_of_a_plain_epoch():
    """Drift of an epoch without the odd record."""
    return Eq(
        drift * ((1 - rate ** (n - 1)) / (1 - rate)) + drift * rate ** (n - 1),
        long_run() * (1 - rate**n),
    )


@claim(
    "claim-d.3",
    place="Claim D.3",
    given=[strong_data],
    without={"claim-d.1": "the sum is taken anew, as a geometric one"},
)
def drift_of_an_odd_epoch():
    """Drift of an epoch that begins with the odd record."""
    return Eq(
        drift * ((1 - rate ** (n - 1)) / (1 - rate)) + odd_drift * rate ** (n - 1),
        long_run() * (1 - rate**n * (Rational(3, 4) * rate**-1 + Rational(1, 4))),
    )


@claim("claim-d.4", place="Claim D.4")
def odd_rate_from_rate():
    """Rate of the odd record, from the ordinary rate."""
    return Eq(Rational(1, 4) * rate + Rational(3, 4) - odd_rate, Rational(3, 4) * (eta / 2) * alpha)


@claim(
    "claim-d.5",
    place="Claim D.5",
    given=[strong_data],
    without={"claim-d.4": "the rates are written out"},
)
def gap_of_first_position():
    """Difference of the two means for an odd record at position 1, without denominators."""
    odd_epoch = odd_rate * rate ** (n - 1)
    return Eq(
        (1 - rate ** (k * n)) * (1 - odd_epoch)
        - (1 - odd_epoch**k) * (1 - rate ** (n - 1) * (Rational(1, 4) * rate + Rational(3, 4))),
        rate ** (n - 1)
        * (Rational(3, 4) * (eta / 2) * alpha)
        * (1 - odd_rate**k * rate ** (k * (n - 1)))
        + rate ** (k * (n - 1)) * (odd_rate**k - rate**k) * (1 - rate ** (n - 1) * odd_rate),
    )


def last_lines_of_claim_d_5(factor):
    """State that the last two lines of the proof of claim D.5 are equal, with a factor in the second term."""
    prior = Rational(3, 4) * (eta / 2) * alpha
    others = rate ** (k * (n - 1))
    kept = 1 - rate ** (n - 1) * odd_rate
    return Eq(
        rate ** (n - 1) * prior
        - factor * odd_rate**k * rate ** (n - 1) * prior
        + others * (odd_rate**k * kept - rate**k * kept),
        rate ** (n - 1) * prior * (1 - odd_rate**k * others)
        + others * (odd_rate**k - rate**k) * kept,
    )


@claim(
    "text-d.5",
    place="proof of Claim D.5, its last line but one and its last",
    given=[strong_data],
    fault="misprint",
    effect="None: the last line has the factor, and the claim is proved.",
)
def last_lines_as_printed():
    """Last two lines of the proof of claim D.5, as printed."""
    return last_lines_of_claim_d_5(1)


@claim(
    "text-d.5-corrected",
    place="proof of Claim D.5, its last line but one and its last, repaired",
    given=[strong_data],
    corrects=["text-d.5"],
    why="The second term of the line loses the factor lambda**(k (n - 1)).",
)
def last_lines_repaired():
    """Last two lines of the proof of claim D.5, repaired."""
    return last_lines_of_claim_d_5(rate ** (k * (n - 1)))


@claim(
    "claim-d.6",
    place="Claim D.6",
    given=[strong_data],
    without={"claim-d.1": "the sum is taken anew, as a geometric one"},
)
def mean_of_plain_epochs():
    """Mean that k epochs without the odd record build up, times the rate."""
    return Eq(
        rate
        * Sum(rate ** ((n - 1) * j) * rate**j, (j, 0, k - 1))
        * (rate ** (n - 1) * drift + drift * Sum(rate**i, (i, 0, n - 2))),
        rate * (1 - rate ** (k * n)) * long_run(),
    )


@claim(
    "claim-d.7",
    place="Claim D.7",
    given=[strong_data],
    without={
        "claim-d.1": "the sum is taken anew, as a geometric one",
        "claim-d.3": "the sum is taken anew, as a geometric one",
    },
)
def mean_of_odd_epochs():
    """Mean that k epochs with the odd record first build up, times its rate."""
    return Eq(
        odd_rate
        * Sum(rate ** ((n - 1) * j) * odd_rate**j, (j, 0, k - 1))
        * (rate ** (n - 1) * odd_drift + drift * Sum(rate**i, (i, 0, n - 2))),
        odd_rate
        * ((1 - (rate ** (n - 1) * odd_rate) ** k) / (1 - rate ** (n - 1) * odd_rate))
        * long_run()
        * (1 - rate**n * (Rational(3, 4) * rate**-1 + Rational(1, 4))),
    )


@claim(
    "claim-d.8",
    place="Claim D.8",
    given=[strong_data],
    without={"claim-d.4": "the rates are written out"},
)
def bracket_of_claim_9():
    """Rearrangement that claim D.9 uses."""
    return Eq(
        rate * rate**k
        - rate**k * rate**n * odd_rate
        - odd_rate * odd_rate**k
        + odd_rate * odd_rate**k * rate**n * (Rational(3, 4) * rate**-1 + Rational(1, 4)),
        (1 - odd_rate * rate ** (n - 1)) * (rate ** (k + 1) - odd_rate ** (k + 1))
        + odd_rate ** (k + 1) * rate ** (n - 1) * (Rational(3, 4) * (eta / 2) * alpha),
    )


def difference_of_epochs():
    """Left side of claims D.9 and D.10, over a common denominator."""
    return rate * (1 - rate ** (k * n)) * (1 - rate ** (n - 1) * odd_rate) - odd_rate * (
        1 - (rate ** (n - 1) * odd_rate) ** k
    ) * (1 - rate**n * (Rational(3, 4) * rate**-1 + Rational(1, 4)))


def quotient_of_epochs():
    """Left side of claim D.10."""
    return rate * (1 - rate ** (k * n)) - odd_rate * (
        (1 - (rate ** (n - 1) * odd_rate) ** k) / (1 - rate ** (n - 1) * odd_rate)
    ) * (1 - rate**n * (Rational(3, 4) * rate**-1 + Rational(1, 4)))


def prior_part():
    """Term of the mean gap that is due to the prior, without denominators."""
    return Rational(3, 4) * (eta / 2) * alpha * (1 - odd_rate**k * rate ** (k * (n - 1)))


@claim(
    "claim-d.9",
    place="Claim D.9",
    given=[strong_data],
    without={
        "claim-d.4": "the rates are written out",
        "claim-d.8": "the difference is multiplied out at once",
    },
)
def gap_of_later_positions():
    """Difference of the two means for a later position, without denominators."""
    return Eq(
        difference_of_epochs(),
        (rate - odd_rate) * (1 - odd_rate * rate ** (n - 1))
        + rate ** (n - 1) * odd_rate * prior_part()
        + rate ** (k * (n - 1))
        * ((1 - odd_rate * rate ** (n - 1)) * (odd_rate ** (k + 1) - rate ** (k + 1))),
    )


@claim(
    "claim-d.10",
    place="Claim D.10",
    given=[strong_data],
    cites=["claim-d.9"],
    fault="error",
    effect="Claim D.11 and lemma A.2 go on without the factor; the term stays positive with it, "
    "so both survive.",
)
def gap_of_later_positions_divided_as_printed():
    """Difference of the two means for a later position, as printed."""
    return Eq(
        quotient_of_epochs(),
        (rate - odd_rate)
        + rate ** (n - 1) * prior_part() / (1 - odd_rate * rate ** (n - 1))
        + rate ** (k * (n - 1)) * (odd_rate ** (k + 1) - rate ** (k + 1)),
    )


@claim(
    "claim-d.10-corrected",
    place="Claim D.10, repaired",
    corrects=["claim-d.10"],
    why="Claim D.9 has the odd rate as a factor of the second term; the print loses it in the "
    "last line of the division.",
    given=[strong_data],
)
def gap_of_later_positions_divided():
    """Difference of the two means for a later position, repaired."""
    return Eq(
        quotient_of_epochs(),
        (rate - odd_rate)
        + rate ** (n - 1) * odd_rate * prior_part() / (1 - odd_rate * rate ** (n - 1))
        + rate ** (k * (n - 1)) * (odd_rate ** (k + 1) - rate ** (k + 1)),
    )


@claim(
    "claim-d.11",
    place="Claim D.11",
    given=[strong_data],
    using=["note-rates"],
    proof=lambda: [
        step(
            "what the odd record drags is no loss",
            Gt(long_run() * (rate - odd_rate) + (drift - odd_drift), 0),
        ),
        step("a power of the rate", Gt(rate ** (n - 1), 0)),
        step("which is at most 1", Le(rate ** (n - 1), 1)),
        step("an epoch shrinks", Lt(odd_rate * rate ** (n - 1), 1)),
        step("powers of the odd rate", Le(odd_rate**k, 1)),
        step("and of the rate", Le(rate ** (k * (n - 1)), 1)),
        step("several epochs", Le(odd_rate**k * rate ** (k * (n - 1)), 1)),
        step("the part of the prior", Ge(prior_part(), 0)),
        step(
            "its weight",
            Ge(rate ** (n - 1) * prior_part() / (1 - odd_rate * rate ** (n - 1)), 0),
        ),
    ],
)
def rest_of_the_gap():
    """Part of the mean gap that lemma A.2 drops."""
    return Gt(
        long_run()
        * (rate - odd_rate + rate ** (n - 1) * prior_part() / (1 - odd_rate * rate ** (n - 1)))
        + (drift - odd_drift),
        0,
    )


@claim("claim-d.16", place="Claim D.16", given=[strong_data])
def memory_of_a_cycle():
    """Weight that the noise keeps over one cycle's time."""
    return Gt(2 * exp(-2 / (x_h**2 * beta)) - 1, 0)


# --- the posterior --------------------------------------------------------------------------------


def precision():
    """Posterior precision on D."""
    return alpha + (z + x_n**2) * beta


def precision_hat():
    """Posterior precision on the neighbour of D."""
    return alpha + (z + x_n_hat**2) * beta


@claim(
    "claim-d.24",
    place="Claim D.24",
    given=[many_records_as_printed[0], strong_data],
)
def tenth_of_the_precision_as_printed():
    """A tenth of the precision against the change by one record, without the noise precision."""
    return Gt(Rational(1, 10) * precision(), nu * (x_n_hat**2 - x_n**2))


@claim("note-nine-tenths", place="what claim D.28 needs of claim D.24", given=many_records)
def tenth_of_the_precision():
    """A tenth of the precision against the change by one record."""
    return Gt(Rational(1, 10) * precision(), nu * beta * (x_n_hat**2 - x_n**2))


def shifted_precision():
    """Precision on the neighbour with nu times the change by one record taken back."""
    return precision_hat() + nu * beta * (x_n**2 - x_n_hat**2)


@claim(
    "note-least-precision",
    place="proofs of claims D.25 to D.28: the precision of records of the least size",
    proof=lambda: [
        step("common records", Ge(z * beta, (n - 1) * x_l**2 * beta)),
        step("the last record", Ge(x_n**2 * beta, x_l**2 * beta)),
        step("its neighbour", Ge(x_n_hat**2 * beta, x_l**2 * beta)),
    ],
)
def least_precision():
    """Precisions on the two datasets, from below, and without the last record."""
    return [
        Ge(precision(), n * x_l**2 * beta),
        Ge(precision_hat(), n * x_l**2 * beta),
        Ge(alpha + z * beta, (n - 1) * x_l**2 * beta),
        Ge(precision(), (n - 1) * x_l**2 * beta),
    ]


@claim(
    "note-shifted-precision",
    place="proofs of claims D.25 and D.27",
    proof=lambda: [
        step("the last record", Ge(x_n**2 * beta * (nu - 1), 0)),
        step("its neighbour", Le(x_n_hat**2 * beta * (nu - 1), x_h**2 * beta * (nu - 1))),
    ],
)
def shifted_precision_is_large():
    """Precision with the change by one record taken back, from below."""
    return Ge(shifted_precision(), precision() - (nu - 1) * x_h**2 * beta)


@claim(
    "note-records-for-the-shift",
    place="proofs of claims D.25 and D.27: what their condition says",
    given=[n > 1 + nu * (x_h**2 / x_l**2)],
    proof=lambda: [
        step("times x_l**2", Gt((n - 1) * x_l**2, nu * x_h**2)),
        step("one less", Gt((n - 1) * x_l**2, (nu - 1) * x_h**2)),
    ],
)
def records_for_the_shift():
    """Least precision against the change by one record."""
    return [
        Gt((n - 1) * x_l**2 - (nu - 1) * x_h**2, 0),
        Gt((n - 1) * x_l**2 * beta, (nu - 1) * x_h**2 * beta),
    ]


@claim(
    "claim-d.25",
    place="Claim D.25",
    given=[*many_records_as_printed, strong_data],
    using=[
        "note-least-precision",
        "note-shifted-precision",
        "note-records-for-the-shift",
    ],
    without={
        "claim-d.24": "the sign of the numerator is shown from the least precision",
        "eq-51": "refuted as printed; the variance is written as one fraction anew",
    },
    proof=lambda: [
        step("the numerator", Gt(shifted_precision(), 0)),
        step(
            "eq. 51, repaired",
            Eq(starred_variance, shifted_precision() / (precision() * precision_hat())),
        ),
    ],
)
def starred_variance_is_positive():
    """Sign of the variance that the divergence divides by."""
    return Gt(starred_variance, 0)


@claim(
    "eq-51",
    place="eq. 51, its first and last expressions",
    given=[*many_records_as_printed, strong_data],
    fault="error",
    effect="Claim D.25 survives through the second condition of lemma 4.2; claim D.28 and lemma "
    "4.2 do not, for they need the noise precision that is lost here.",
)
def starred_variance_as_printed():
    """Variance that the divergence divides by, as one fraction, as printed."""
    return Eq(
        starred_variance,
        (precision() + nu * (x_n**2 - x_n_hat**2)) / (precision() * precision_hat()),
    )


@claim(
    "eq-51-corrected",
    place="eq. 51, repaired",
    corrects=["eq-51"],
    why="The print starts from nu times the variance on D, eq. 14 has nu times that on its "
    "neighbour; and in the numerator it loses beta and swaps the two records.",
)
def starred_variance_as_a_fraction():
    """Variance that the divergence divides by, as one fraction, repaired."""
    return Eq(
        starred_variance,
        (precision_hat() + nu * beta * (x_n**2 - x_n_hat**2)) / (precision() * precision_hat()),
    )


@claim("eq-52", place="eq. 52", given=[x_n_hat > x_n])
def ratio_of_precisions():
    """Ratio of the two precisions, bounded."""
    return [
        Gt(x_h**2 / ((n - 1) * x_l**2), (x_n_hat**2 - x_n**2) / (z + x_n**2)),
        Gt(
            (x_n_hat**2 - x_n**2) / (z + x_n**2),
            (x_n_hat**2 * beta - x_n**2 * beta) / precision(),
        ),
        Eq((x_n_hat**2 * beta - x_n**2 * beta) / precision(), precision_hat() / precision() - 1),
    ]


@claim(
    "claim-d.26",
    place="Claim D.26",
    proof=lambda: [
        step(
            "one record changes the precision by little",
            Le(precision_hat() / precision(), 1 + x_h**2 / ((n - 1) * x_l**2)),
        ),
        step(
            "the logarithm lies below its tangent at 1",
            Le(log(precision_hat() / precision()), precision_hat() / precision() - 1),
        ),
        step(
            "spreads are roots of precisions",
            Eq(log(sigma / sigma_hat), log(precision_hat() / precision()) / 2),
        ),
    ],
)
def ratio_of_spreads():
    """First term of the divergence, bounded."""
    return Le(log(sigma / sigma_hat), x_h**2 / (2 * (n - 1) * x_l**2))


@claim(
    "note-d.26-swapped",
    place="claim D.26 with the sign of eq-14-corrected",
    proof=lambda: [
        step(
            "one record changes the precision by little",
            Le(precision() / precision_hat(), 1 + x_h**2 / ((n - 1) * x_l**2)),
        ),
        step(
            "the logarithm lies below its tangent at 1",
            Le(log(precision() / precision_hat()), precision() / precision_hat() - 1),
        ),
        step(
            "spreads are roots of precisions",
            Eq(log(sigma_hat / sigma), log(precision() / precision_hat()) / 2),
        ),
    ],
)
def ratio_of_spreads_swapped():
    """First term of the repaired divergence, bounded."""
    return Le(log(sigma_hat / sigma), x_h**2 / (2 * (n - 1) * x_l**2))


@claim(
    "claim-d.27",
    place="Claim D.27",
    given=[*many_records_as_printed, strong_data],
    cites=["eq-51"],
    fault="misprint",
    effect="The proof ends without the 2 in the denominator, and so does lemma 4.2.",
    try_at=[{alpha: 1, beta: 10, nu: 10, n: 2001, x_l: 1, x_h: 10, z: 2000, x_n: 1, x_n_hat: 10}],
)
def second_term_as_printed():
    """Second term of the divergence, bounded, as printed."""
    return Le(
        (nu - 1) / 2 * log(variance_hat / starred_variance),
        (nu - 1) / 2 * (nu * x_h**2 / (2 * ((n - 1) * x_l**2 - nu * x_h**2))),
    )


@claim(
    "claim-d.27-corrected",
    place="Claim D.27, repaired",
    corrects=["claim-d.27"],
    why="The logarithm has the wrong factor of eq. 14. Its bound needs neither "
    "the factor nu (nu - 1) nor the 2 that the print puts in the denominator.",
    given=[n > 1 + nu * (x_h**2 / x_l**2)],
    using=[
        "note-least-precision",
        "note-shifted-precision",
        "note-records-for-the-shift",
        (
            "note-fraction-shifted",
            lambda: {
                below: precision(),
                shifted_below: shifted_precision(),
                least_below: (n - 1) * x_l**2 * beta,
                weight: (nu - 1) * x_h**2 * beta,
            },
        ),
    ],
    proof=lambda: [
        step("the numerator of eq. 51", Gt(shifted_precision(), 0)),
        step(
            "eq. 51, repaired",
            Eq(variance_hat / starred_variance, precision() / shifted_precision()),
        ),
        step(
            "the largest change of the data",
            Le(
                precision() / shifted_precision(),
                1 + (nu - 1) * x_h**2 / ((n - 1) * x_l**2 - (nu - 1) * x_h**2),
            ),
        ),
        step(
            "a logarithm lies below its tangent at 1",
            Le(
                log(precision() / shifted_precision()),
                precision() / shifted_precision() - 1,
            ),
        ),
        step(
            "the same logarithm",
            Eq(log(variance_hat / starred_variance), log(precision() / shifted_precision())),
        ),
        step(
            "the logarithm lies below its tangent at 1",
            Le(
                log(variance_hat / starred_variance),
                (nu - 1) * x_h**2 / ((n - 1) * x_l**2 - (nu - 1) * x_h**2),
            ),
        ),
    ],
)
def second_term():
    """Second term of the divergence, bounded, repaired."""
    return Le(
        log(variance_hat / starred_variance) / (2 * (nu - 1)),
        x_h**2 / (2 * ((n - 1) * x_l**2 - (nu - 1) * x_h**2)),
    )


def change_of_the_precision(sign):
    """State the fraction of the proof of claim D.27 as a quotient less 1, with this sign below the line."""
    precision = alpha + (z + x_n**2) * beta
    moved = nu * beta * (x_n**2 - x_n_hat**2)
    return Eq(
        nu * beta * (x_n_hat**2 - x_n**2) / (precision + sign * moved),
        precision / (precision + moved) - 1,
    )


@claim(
    "text-d.27",
    place="proof of Claim D.27, the first equality of its display",
    given=[*many_records_as_printed, strong_data],
    fault="misprint",
    effect="None: the next expression has the other sign; lemma 4.2, repaired, bounds this term from claim-d.27-corrected.",
)
def change_of_the_precision_as_printed():
    """Fraction in the proof of claim D.27, as a quotient less 1, as printed."""
    return change_of_the_precision(-1)


@claim(
    "text-d.27-corrected",
    place="proof of Claim D.27, the first equality of its display, repaired",
    given=[n > 1 + nu * (x_h**2 / x_l**2)],
    corrects=["text-d.27"],
    why="Below the line the change is added, as in the expression after it.",
    using=["note-least-precision", "note-records-for-the-shift"],
)
def change_of_the_precision_repaired():
    """Fraction in the proof of claim D.27, as a quotient less 1, repaired."""
    return change_of_the_precision(1)


def third_term_as_one_fraction(numerator_of_the_variance, twice):
    """State that two lines of the proof of claim D.28 are equal: a quotient of fractions and one fraction."""
    here, there = (alpha + (z + one**2) * beta for one in (x_n, x_n_hat))
    means = 2 * x_h**2 * beta * z * n**gamma_1 + (x_h**2 * alpha + x_h**4 * beta) * (c + n**gamma_1)
    return Eq(
        nu
        / 2
        * beta**2
        * (means / (here * there)) ** 2
        * (numerator_of_the_variance / (here * there)) ** -1,
        nu / 2 * (beta**2 * means**2 / (twice * here * there * numerator_of_the_variance)),
    )


@claim(
    "text-d.28-half",
    place="proof of Claim D.28, second display, its second line and its third",
    given=[*many_records_as_printed, strong_data],
    fault="misprint",
    effect="None: the next line goes on without the 2. That the numerator of the variance is that of eq. 51 is another slip.",
)
def third_term_as_one_fraction_as_printed():
    """Third term of the divergence as one fraction, as printed."""
    here = alpha + (z + x_n**2) * beta
    return third_term_as_one_fraction(here + nu * (x_n**2 - x_n_hat**2), 2)


@claim(
    "text-d.28-half-corrected",
    place="proof of Claim D.28, second display, its second line and its third, repaired; the numerator is that of eq. 51, repaired",
    given=[n > 1 + nu * (x_h**2 / x_l**2)],
    corrects=["text-d.28-half"],
    why="The 2 below the line stands before the fraction already.",
    using=["note-least-precision", "note-shifted-precision", "note-records-for-the-shift"],
)
def third_term_as_one_fraction_repaired():
    """Third term of the divergence as one fraction, repaired."""
    there = alpha + (z + x_n_hat**2) * beta
    return third_term_as_one_fraction(there + nu * beta * (x_n**2 - x_n_hat**2), 1)


@claim(
    "claim-d.28",
    place="Claim D.28",
    given=[*many_records_as_printed, strong_data, *positive_responses],
    cites=["claim-d.24", "eq-51"],
    fault="error",
    effect="Lemma 4.2 fails with it, and claim D.29 with the lemma. Theorem 1 rests on the repair "
    "(claim-d.28-corrected).",
    try_at=[ONE_RATIO],
)
def third_term_as_printed():
    """Third term of the divergence, bounded, as printed."""
    return Le(nu * (mu - mu_hat) ** 2 / (2 * starred_variance), mean_gap_bound())


def cross_difference():
    """Numerator of the difference of the two posterior means, over beta."""
    return (
        x_n_hat**2 * z * (q / z - y_n_hat / x_n_hat) * beta
        - x_n**2 * z * (q / z - y_n / x_n) * beta
        + alpha * (x_n * y_n - x_n_hat * y_n_hat)
        + x_n * x_n_hat * beta * (y_n * x_n_hat - y_n_hat * x_n)
    )


@claim("note-mean-gap", place="proof of claim D.28, fourth line")
def difference_of_posterior_means():
    """Difference of the two posterior means as one fraction."""
    return Eq(mu - mu_hat, beta * cross_difference() / (precision() * precision_hat()))


def parts_against(relation, sign):
    """Each part of the numerator against its own bound, with its factor."""
    largest = c + n**gamma_1
    ratios = x_n_hat**2 * (q / z - y_n_hat / x_n_hat) - x_n**2 * (q / z - y_n / x_n)
    products = x_n * y_n - x_n_hat * y_n_hat
    cross = x_n * x_n_hat * (y_n * x_n_hat - y_n_hat * x_n)
    return [
        step("ratios", relation(z * beta * ratios, sign * (z * beta * 2 * x_h**2 * n**gamma_1))),
        step("products", relation(alpha * products, sign * (alpha * x_h**2 * largest))),
        step("cross terms", relation(beta * cross, sign * (beta * x_h**4 * largest))),
    ]


def mean_gap_limit():
    """Return the upper bound on the numerator of the difference of the two posterior means."""
    return 2 * x_h**2 * z * n**gamma_1 * beta + scale * (c + n**gamma_1)


@claim(
    "note-mean-gap-above",
    place="proof of claim D.28, fifth line",
    given=positive_responses,
    proof=lambda: parts_against(Le, 1),
)
def difference_of_posterior_means_from_above():
    """Numerator of the difference of the two posterior means, bounded from above."""
    return Le(cross_difference(), mean_gap_limit())


@claim(
    "note-mean-gap-below",
    place="proof of claim D.28, fifth line",
    given=positive_responses,
    proof=lambda: parts_against(Ge, -1),
)
def difference_of_posterior_means_from_below():
    """Numerator of the difference of the two posterior means, bounded from below."""
    return Ge(cross_difference(), -mean_gap_limit())


def bounded_third_term(top):
    """Third term of the divergence with a tenth of the precision given away."""
    return nu / 2 * beta**2 * top / (Rational(9, 10) * precision() ** 2 * precision_hat())


def exact_third_term():
    """Third term of the divergence as one fraction."""
    return (
        nu
        / 2
        * beta**2
        * cross_difference() ** 2
        / (precision() * precision_hat())
        / (precision_hat() + nu * beta * (x_n**2 - x_n_hat**2))
    )


def of_common_records():
    """Return the upper bound on the part of the common records in the numerator."""
    return 2 * x_h**2 * z * n**gamma_1 * beta


def of_the_last_record():
    """Return the upper bound on the part of the last record in the numerator."""
    return scale * (c + n**gamma_1)


@claim(
    "note-d.28-last",
    place="proof of claim D.28, step **, exact: the last record",
    using=[
        "note-common-sum",
        "note-least-precision",
        (
            "note-fraction-cube",
            lambda: {
                weight: nu / 2 * beta**2 * of_the_last_record() ** 2 / Rational(9, 10),
                below: precision(),
                other_below: precision_hat(),
                least_below: n * x_l**2 * beta,
            },
        ),
    ],
)
def square_of_the_last_record():
    """Third term of the divergence: the part of the last record."""
    return Le(
        bounded_third_term(of_the_last_record() ** 2),
        nu / 2 * of_the_last_record() ** 2 / (Rational(9, 10) * n**3 * x_l**6 * beta),
    )


@claim(
    "note-d.28-both",
    place="proof of claim D.28, step **, exact: common records times the last",
    using=[
        "note-common-sum",
        "note-least-precision",
        (
            "note-fraction-shared",
            lambda: {
                weight: 2
                * nu
                * beta**2
                * x_h**2
                * n**gamma_1
                * of_the_last_record()
                / Rational(9, 10),
                shared: z * beta,
                below: precision(),
                other_below: precision_hat(),
                least_below: n * x_l**2 * beta,
            },
        ),
    ],
)
def common_records_times_the_last():
    """Third term of the divergence: the joint part of the common records and the last record."""
    return Le(
        bounded_third_term(2 * of_common_records() * of_the_last_record()),
        2 * nu * x_h**2 * of_the_last_record() * n**gamma_1 / (Rational(9, 10) * n**2 * x_l**4),
    )


@claim(
    "note-d.28-common",
    place="proof of claim D.28, step **, exact: the common records",
    using=["note-common-sum"],
    proof=lambda: [
        step(
            "what they weigh",
            Le((z * beta) ** 2 / (precision() ** 2 * precision_hat()), 1 / (n * x_l**2 * beta)),
        ),
    ],
)
def square_of_the_common_records():
    """Third term of the divergence: the part of the common records."""
    return Le(
        bounded_third_term(of_common_records() ** 2),
        2 * nu * beta * (x_h**4 / (Rational(9, 10) * n ** (1 - 2 * gamma_1) * x_l**2)),
    )


@claim("note-d.28-fraction", place="proof of claim D.28, eq. 51 repaired", given=many_records)
def third_term_as_a_fraction():
    """Third term of the divergence, as one fraction."""
    return Eq(nu * (mu - mu_hat) ** 2 / (2 * starred_variance), exact_third_term())


@claim(
    "note-d.28-nine-tenths",
    place="proof of claim D.28, step *, repaired: the precision",
    given=many_records,
    using=["note-least-precision", "note-shifted-precision"],
    proof=lambda: [
        step("times x_l**2", Ge((n - 1) * x_l**2, 10 * nu * x_h**2)),
        step("times beta", Ge((n - 1) * x_l**2 * beta, 10 * nu * x_h**2 * beta)),
    ],
)
def nine_tenths_are_left():
    """Precision with the change by one record taken back, against nine tenths of the precision."""
    return Ge(shifted_precision(), Rational(9, 10) * precision())


@claim(
    "note-d.28-variance",
    place="proof of claim D.28, step *, repaired",
    given=many_records,
    using=[
        "note-d.28-nine-tenths",
        (
            "note-fraction-nine-tenths",
            lambda: {
                weight: nu / 2 * beta**2 * cross_difference() ** 2,
                below: precision(),
                other_below: precision_hat(),
                shifted_below: shifted_precision(),
            },
        ),
    ],
)
def nine_tenths_of_the_precision():
    """Third term of the divergence, after a tenth of the precision is given away."""
    return Le(exact_third_term(), bounded_third_term(cross_difference() ** 2))


@claim(
    "note-d.28-means",
    place="proof of claim D.28, the difference of the means",
    given=positive_responses,
    using=[
        "note-common-sum",
        "note-mean-gap-above",
        "note-mean-gap-below",
        (
            "note-fraction-square",
            lambda: {
                weight: bounded_third_term(1),
                numerator: cross_difference(),
                numerator_bound: mean_gap_limit(),
            },
        ),
    ],
)
def largest_difference_of_the_means():
    """Third term of the divergence, after the difference of the means is bounded."""
    return Le(
        bounded_third_term(cross_difference() ** 2), bounded_third_term(mean_gap_limit() ** 2)
    )


@claim(
    "note-d.28-sum",
    place="proof of claim D.28, step **, exact",
    using=["note-common-sum", "note-d.28-last", "note-d.28-both", "note-d.28-common"],
    time_limit=60,
)
def records_of_least_size():
    """Third term of the divergence, after all records are put to their least size."""
    return Le(bounded_third_term(mean_gap_limit() ** 2), mean_gap_bound())


@claim(
    "claim-d.28-corrected",
    place="Claim D.28, repaired",
    corrects=["claim-d.28"],
    why="Claim D.24 lost the factor beta, so its condition gives the nine tenths only where beta "
    "is at most 1; with n > 1 + 10 nu x_h**2 / x_l**2 the noise precision cancels.",
    given=[*many_records, *positive_responses],
    using=[
        "note-common-sum",
        "note-d.28-fraction",
        "note-d.28-variance",
        "note-d.28-means",
        "note-d.28-sum",
    ],
    time_limit=60,
)
def third_term():
    """Third term of the divergence, bounded, repaired."""
    return Le(nu * (mu - mu_hat) ** 2 / (2 * starred_variance), mean_gap_bound())
