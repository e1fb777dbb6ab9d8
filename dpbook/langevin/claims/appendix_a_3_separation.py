"""Appendix A.3: how far apart the two chains are: lemmas A.5 and A.6, eq. 15, 16, 24 and 25."""

from sympy import Eq, Ge, Gt, Integer, Le, Lt, Sum, exp

from dpbook import claim, step
from dpbook.langevin.claims.appendix_a_3 import leading_gap
from dpbook.langevin.claims.appendix_a_3_noise import later_variance
from dpbook.langevin.claims.appendix_d_chain import chain
from dpbook.langevin.claims.appendix_d_chain_odd import any_epoch, chain_with_odd
from dpbook.langevin.notation import (
    alpha,
    amount,
    balance,
    beta,
    c,
    epoch_rate,
    first_gap,
    first_variance,
    gap,
    i,
    j,
    k,
    least_gap,
    least_ratio,
    long_run,
    mean_odd,
    mean_plain,
    most_spread,
    n,
    number,
    odd_number,
    odd_rate,
    other_number,
    r,
    rate,
    records_enough,
    records_for_k_dot,
    separation_bound,
    share_of_data,
    spread,
    strong_data,
    variance_factor,
    variance_odd,
    x_h,
)

# --- lemmas A.5 and A.6: the chains apart ---------------------------------------------------------

more_data_than_prior = [n > alpha / (x_h**2 * beta)]
"""Condition of lemma A.5 besides the conditions of lemma A.3 and claim D.22."""


def most_variance():
    """Bound of lemma A.4, with one factor for all positions."""
    return variance_factor * (odd_rate * rate ** (n - r)) ** 2 * (1 / alpha) * epoch_rate ** (2 * k)


def most_first_variance():
    """Return the bound of lemma A.4 for the odd record first."""
    return most_variance().xreplace({r: Integer(1)})


def leading_product():
    """Fifth expression of the proof of lemma A.5."""
    quotient = (rate / odd_rate) ** (k + 1)
    return alpha * rate ** (2 * (r - 1)) / variance_factor * long_run() ** 2 * (1 - quotient) ** 2


@claim(
    "note-quotient",
    place="proof of Lemma A.5, its second to fifth expressions, for any numbers",
    given=lambda: [Gt(odd_number, number)],
)
def any_quotient():
    """Squared gap of the means over the bound of the variance, for any numbers."""
    difference = odd_number ** (k + 1) - number ** (k + 1)
    return Eq(
        (number ** (n - 1) * amount * number ** (k * (n - 1)) * difference) ** 2
        / (
            share_of_data
            * (odd_number * number ** (n - r)) ** 2
            * (1 / alpha)
            * any_epoch() ** (2 * k)
        ),
        alpha
        * number ** (2 * (r - 1))
        / share_of_data
        * amount**2
        * (1 - (number / odd_number) ** (k + 1)) ** 2,
    )


@claim("note-variance-factor", place="eq. 15, its v_1", given=[strong_data])
def factor_of_the_variance():
    """Factor of the variance bounds."""
    return Eq(variance_factor, 6)


@claim(
    "note-product",
    place="proof of Lemma A.5, its last five expressions, for any numbers",
    given=lambda: [
        Ge(gap, least_gap),
        Ge(1 - number, spread),
        Ge(most_spread, least_ratio),
        Lt(spread, 1),
    ],
)
def product_of_bounds():
    """Product of three numbers, each at its least."""
    return Ge(
        alpha * most_spread / share_of_data * gap**2 * (1 - number) ** 2,
        alpha * least_ratio / share_of_data * least_gap**2 * spread**2,
    )


@claim(
    "note-leading-quotient",
    place="proof of Lemma A.5, its second to fifth expressions",
    given=[strong_data],
    using=[
        "note-chain",
        (
            "note-quotient",
            lambda: {
                number: rate,
                odd_number: odd_rate,
                amount: long_run(),
                share_of_data: variance_factor,
            },
        ),
    ],
    time_limit=60,
)
def leading_quotient():
    """Leading part of the squared gap over the bound of the variance, as one product."""
    return Eq(leading_gap() ** 2 / most_variance(), leading_product())


@claim(
    "note-leading-product",
    place="proof of Lemma A.5, its last five expressions",
    given=lambda: [strong_data, *more_data_than_prior],
    using=[
        "note-rates",
        "note-memory",
        ("note-claim-d.18", lambda: {k: k + 1}),
        (
            "note-product",
            lambda: {
                gap: long_run(),
                least_gap: c / 2,
                number: (rate / odd_rate) ** (k + 1),
                spread: 3 / (16 * n * x_h**2 * beta),
                most_spread: rate ** (2 * (r - 1)),
                least_ratio: exp(-2 / (x_h**2 * beta)),
                share_of_data: variance_factor,
            },
        ),
    ],
    proof=lambda: [
        step("the mean in the long run", Ge(long_run(), c / 2)),
        step("the odd rate", Gt(odd_rate, 0)),
        step("a quotient of the rates", Lt(rate / odd_rate, 1)),
        step("claim D.18", Ge(1 - (rate / odd_rate) ** (k + 1), 3 / (16 * n * x_h**2 * beta))),
        step("other positions keep more", Ge(rate ** (2 * (r - 1)), rate ** (2 * (n - 1)))),
        step("claim D.19, repaired", Ge(rate ** (2 * (r - 1)), exp(-2 / (x_h**2 * beta)))),
    ],
    time_limit=60,
)
def leading_product_from_below():
    """Fifth expression of the proof of lemma A.5, each factor at its least."""
    least = exp(-2 / (x_h**2 * beta))
    return Ge(
        leading_product(),
        alpha * least / variance_factor * (c / 2) ** 2 * (3 / (16 * n * x_h**2 * beta)) ** 2,
    )


@claim(
    "note-leading-gap",
    place="proof of Lemma A.5, from its second expression to its last",
    given=lambda: [strong_data, *more_data_than_prior],
    using=["note-chain", "note-leading-quotient", "note-leading-product"],
    time_limit=60,
)
def leading_gap_over_variance():
    """Leading part of the squared gap over the bound of the variance."""
    return Ge(leading_gap() ** 2 / most_variance(), separation_bound)


@claim(
    "note-ratio",
    place="proof of Lemma A.5, its first inequality, for any numbers",
    given=lambda: [
        Ge(gap, least_gap),
        Le(spread, most_spread),
        Ge(least_gap**2 / most_spread, least_ratio),
    ],
)
def ratio_of_bounds():
    """Square of a gap over a variance, from their bounds."""
    return Ge(gap**2 / spread, least_ratio)


@claim(
    "note-eq-15",
    place="eq. 15, for a gap as in lemma A.2 and a variance as in lemma A.4; lemma-a.5 puts them in",
    given=lambda: [
        strong_data,
        *more_data_than_prior,
        Ge(gap, leading_gap()),
        Le(spread, most_variance()),
    ],
    using=[
        "note-leading-sign",
        "note-leading-gap",
        (
            "note-ratio",
            lambda: {
                least_gap: leading_gap(),
                most_spread: most_variance(),
                least_ratio: separation_bound,
            },
        ),
    ],
    cites=["claim-d.18"],
    without={"claim-d.19": "refuted as printed, and not needed"},
    time_limit=60,
)
def separation_of_a_gap():
    """Squared gap over a variance, from the bounds of lemmas A.2 and A.4."""
    return Ge(gap**2 / spread, separation_bound)


@claim(
    "note-later-sign",
    place="used by Lemma A.5, for any two numbers",
    given=lambda: [Gt(odd_number, number), Gt(r, 1)],
    proof=lambda: [
        step("noise before the odd record", Ge(Sum(number ** (2 * i), (i, 0, r - 2)), 0)),
        step("noise after it", Gt(Sum(number ** (2 * i), (i, 0, n - r)), 0)),
        step("noise of a cycle", Gt(Sum(number ** (2 * i), (i, 0, n - 1)), 0)),
        step("noise of the epochs", Ge(Sum(any_epoch() ** (2 * j), (j, 0, k - 1)), 0)),
        step("a power", Gt(any_epoch() ** (2 * k), 0)),
        step(
            "the first part",
            Ge(
                (odd_number * number ** (n - r)) ** 2
                * amount
                * (
                    any_epoch() ** (2 * k) * Sum(number ** (2 * i), (i, 0, r - 2))
                    + Sum(any_epoch() ** (2 * j), (j, 0, k - 1))
                    * Sum(number ** (2 * i), (i, 0, n - 1))
                ),
                0,
            ),
        ),
        step("the second", Gt(amount * Sum(number ** (2 * i), (i, 0, n - r)), 0)),
        step("the third", Gt(1 / alpha * any_epoch() ** (2 * k) * any_epoch() ** 2, 0)),
    ],
    time_limit=60,
)
def any_sign_of_the_variance():
    """Sign of the variance, odd record at a later position, for any two numbers."""
    return Gt(later_variance(number, odd_number, amount), 0)


@claim(
    "note-variance-sign",
    place="used by Lemma A.5",
    given=lambda: [strong_data, Gt(r, 1)],
    using=["note-chain", ("note-later-sign", chain_with_odd), "eq-22.first"],
)
def sign_of_the_variance():
    """Sign of the variance, odd record at a later position."""
    return Gt(variance_odd, 0)


@claim(
    "note-leading-sign",
    place="used by Lemma A.5",
    given=[strong_data],
    using=["note-chain"],
    proof=lambda: [
        step("powers of the rates", Gt(odd_rate ** (k + 1) - rate ** (k + 1), 0)),
        step("an epoch's power", Gt(epoch_rate ** (2 * k), 0)),
        step("the factor", Gt(variance_factor, 0)),
    ],
    time_limit=60,
)
def signs_of_the_bounds():
    """Signs of the leading part of the gap, of the variance's bound, and of the quotient's."""
    return [Gt(leading_gap(), 0), Gt(most_variance(), 0), Gt(separation_bound, 0)]


@claim(
    "note-most-variance",
    place="v_1 in place of the factors of Lemma A.4",
    given=[strong_data],
    using=["note-variance-factor"],
)
def one_factor_for_all():
    """Bound of lemma A.4 for later positions, against the bound with v_1."""
    later = 6 * (odd_rate * rate ** (n - r)) ** 2 * (1 / alpha) * epoch_rate ** (2 * k)
    return Le(later, most_variance())


@claim(
    "note-gap-positive",
    place="used by Lemma A.5",
    given=[strong_data],
    using=["lemma-a.2", "note-leading-sign"],
)
def sign_of_the_gap():
    """Sign of the gap of the means."""
    return Gt(mean_plain - mean_odd, 0)


@claim(
    "note-later-bounded",
    place="used by Lemma A.5",
    given=lambda: [strong_data, *records_enough, Ge(k, 1), Lt(k, balance + 1), Gt(r, 1)],
    using=["lemma-a.4.later", "note-most-variance"],
    time_limit=60,
)
def later_variance_with_one_factor():
    """Variance at the balance epoch, odd record later, with the factor for all positions."""
    return Le(variance_odd, most_variance())


@claim(
    "note-first-bounded",
    place="used by Lemma A.5",
    given=lambda: [strong_data, *records_enough, Ge(k, balance), Lt(k, balance + 1)],
    using=["lemma-a.4.first", "note-first-most-variance"],
    time_limit=60,
)
def first_variance_with_one_factor():
    """Variance at the balance epoch, odd record first, with the factor for all positions."""
    return Le(first_variance(), most_first_variance())


@claim(
    "lemma-a.5.later",
    place="Lemma A.5, r > 1",
    given=lambda: [
        strong_data,
        *records_enough,
        *records_for_k_dot,
        *more_data_than_prior,
        Ge(k, balance),
        Lt(k, balance + 1),
        Ge(k, 1),
        Gt(r, 1),
    ],
    using=[
        "lemma-a.2",
        "note-gap-positive",
        "note-later-bounded",
        "note-variance-sign",
        ("note-eq-15", lambda: {gap: mean_plain - mean_odd, spread: variance_odd}),
    ],
    cites=["lemma-a.2", "lemma-a.4.later", "claim-d.18"],
    without={
        "lemma-a.3.first": "about the other position of the odd record",
        "claim-d.19": "refuted as printed, and not needed",
        "claim-d.22": "k >= 1 is a condition here",
    },
    time_limit=60,
)
def separation_of_later_positions():
    """Squared gap of the means over the variance at the balance epoch, odd record later."""
    return Ge((mean_plain - mean_odd) ** 2 / variance_odd, separation_bound)


@claim(
    "note-larger-factor",
    place="v_1 in place of the factors of Lemma A.4, for any numbers",
    given=lambda: [Le(spread, most_spread)],
    proof=lambda: [
        step("a power", Gt(any_epoch() ** (2 * k), 0)),
        step(
            "an epoch more",
            Eq(any_epoch() ** (2 * (k + 1)), any_epoch() ** 2 * any_epoch() ** (2 * k)),
        ),
    ],
)
def larger_factor():
    """A bound of the variance with one factor, and with a larger one, for any numbers."""
    return Le(
        spread * any_epoch() ** (2 * (k + 1)) * (1 / alpha),
        most_spread * any_epoch() ** 2 * (1 / alpha) * any_epoch() ** (2 * k),
    )


def factor_of_the_first():
    """Factor of lemma A.4 for r = 1."""
    return 1 + 2 * exp(1 / (x_h**2 * beta))


@claim("note-first-factor", place="eq. 15, its v_1", given=[strong_data])
def factor_of_the_first_position():
    """Factor of the variance bound, odd record first, against the factor for all positions."""
    return Le(factor_of_the_first(), variance_factor)


@claim(
    "note-first-most-variance",
    place="v_1 in place of the factors of Lemma A.4",
    given=[strong_data],
    using=[
        "note-chain",
        "note-first-factor",
        (
            "note-larger-factor",
            lambda: {
                number: rate,
                odd_number: odd_rate,
                spread: factor_of_the_first(),
                most_spread: variance_factor,
            },
        ),
    ],
)
def one_factor_for_the_first():
    """Bound of lemma A.4 for the first position, against the bound with v_1."""
    first = factor_of_the_first() * epoch_rate ** (2 * (k + 1)) * (1 / alpha)
    return Le(first, most_first_variance())


@claim(
    "note-any-first-sign",
    place="used by Lemma A.5, for any two numbers",
    proof=lambda: [
        step("noise of a cycle", Gt(Sum(number ** (2 * i), (i, 0, n - 1)), 0)),
        step("noise of the epochs", Gt(Sum(other_number ** (2 * j), (j, 0, k)), 0)),
    ],
)
def any_sign_of_the_first_variance():
    """Sign of the variance, odd record first, for any two numbers."""
    return Gt(
        1 / alpha * other_number ** (2 * (k + 1))
        + amount * Sum(number ** (2 * i), (i, 0, n - 1)) * Sum(other_number ** (2 * j), (j, 0, k)),
        0,
    )


@claim(
    "note-first-sign",
    place="used by Lemma A.5",
    given=[strong_data],
    using=["note-chain", ("note-any-first-sign", chain)],
)
def sign_of_the_first_variance():
    """Sign of the variance, odd record first."""
    return Gt(first_variance(), 0)


@claim(
    "lemma-a.5.first",
    place="Lemma A.5, r = 1",
    given=lambda: [
        strong_data,
        *records_enough,
        *records_for_k_dot,
        *more_data_than_prior,
        Ge(k, balance),
        Lt(k, balance + 1),
        Eq(r, 1),
    ],
    using=[
        "lemma-a.2",
        "note-gap-positive",
        "note-first-bounded",
        "note-first-sign",
        ("note-eq-15", lambda: {gap: mean_plain - mean_odd, spread: first_variance(), r: 1}),
    ],
    cites=["lemma-a.2", "lemma-a.4.first", "claim-d.18"],
    without={
        "claim-d.19": "refuted as printed, and not needed",
        "claim-d.22": "the sign of the balance epoch is not needed at the first position",
    },
    time_limit=60,
)
def separation_of_the_first_position():
    """Squared gap of the means over the variance at the balance epoch, odd record first."""
    return Ge((mean_plain - mean_odd) ** 2 / first_variance(), separation_bound)


@claim(
    "eq-15",
    place="eq. 15, at every position of the odd record: at the first, and at any later one, r; k is the balance "
    "epoch, rounded up",
    given=lambda: [
        strong_data,
        *records_enough,
        *records_for_k_dot,
        *more_data_than_prior,
        Ge(k, balance),
        Lt(k, balance + 1),
        Ge(k, 1),
        Gt(r, 1),
    ],
    using=[("lemma-a.5.first", {r: 1}), "lemma-a.5.later"],
    cites=["lemma-a.5.first", "lemma-a.5.later"],
    time_limit=2,
)
def separation_of_every_position():
    """Squared gap of the means over the variance at the balance epoch, for every position."""
    return [
        Ge(first_gap() ** 2 / first_variance(), separation_bound),
        Ge((mean_plain - mean_odd) ** 2 / variance_odd, separation_bound),
    ]
