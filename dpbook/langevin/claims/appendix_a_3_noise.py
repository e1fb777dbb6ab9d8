"""Appendix A.3: how widely the chain on D_2 is spread: lemmas A.3 and A.4, eq. 19 to 23."""

from sympy import Eq, Ge, Gt, Le, Lt, Rational, Sum, exp, log

from dpbook import claim, step
from dpbook.langevin.claims.appendix_d_chain import chain, half, noise, share, total
from dpbook.langevin.claims.appendix_d_chain_odd import any_epoch, any_store, chain_with_odd
from dpbook.langevin.notation import (
    alpha,
    amount,
    balance,
    beta,
    epoch_rate,
    eta,
    first_variance,
    gap,
    growth,
    i,
    j,
    k,
    least_gap,
    least_ratio,
    most_spread,
    n,
    number,
    odd_number,
    odd_rate,
    other_number,
    r,
    rate,
    records_enough,
    share_of_data,
    shift,
    spread,
    strong_data,
    variance_odd,
    x_h,
)

# --- lemmas A.3 and A.4: variances ----------------------------------------------------------------


@claim(
    "note-eq-20",
    place="eq. 20, for any two numbers",
    given=lambda: [Gt(other_number, number**n)],
    using=[("note-eq-37", lambda: {k: k + 1})],
    time_limit=60,
    proof=lambda: [
        step(
            "a factor taken out",
            Eq(
                Sum(other_number ** (2 * j), (j, 0, k)),
                other_number ** (2 * (k + 1)) * Sum(other_number ** (2 * (j - (k + 1))), (j, 0, k)),
            ),
        ),
        step("a power", Gt(other_number ** (2 * (k + 1)), 0)),
        step(
            "the noise carried back",
            Le(
                amount
                * Sum(number ** (2 * i), (i, 0, n - 1))
                * Sum(other_number ** (2 * (j - (k + 1))), (j, 0, k)),
                noise((k + 1) * n, number, amount),
            ),
        ),
        step(
            "times the factor",
            Le(
                other_number ** (2 * (k + 1))
                * (
                    amount
                    * Sum(number ** (2 * i), (i, 0, n - 1))
                    * Sum(other_number ** (2 * (j - (k + 1))), (j, 0, k))
                ),
                other_number ** (2 * (k + 1)) * (noise((k + 1) * n, number, amount)),
            ),
        ),
    ],
)
def any_first_variance():
    """Variance after k + 1 epochs, odd record first, bounded, for any two numbers."""
    return Le(
        1 / alpha * other_number ** (2 * (k + 1))
        + amount * Sum(number ** (2 * i), (i, 0, n - 1)) * Sum(other_number ** (2 * j), (j, 0, k)),
        other_number ** (2 * (k + 1)) * (1 / alpha + noise((k + 1) * n, number, amount)),
    )


@claim(
    "eq-20",
    place="eq. 20, from its first line to its last",
    given=[strong_data],
    using=["note-chain", ("note-eq-20", chain)],
)
def first_variance_bounded():
    """Variance after k + 1 epochs, odd record first, bounded."""
    return Le(first_variance(), epoch_rate ** (2 * (k + 1)) * (1 / alpha + noise((k + 1) * n)))


@claim(
    "note-eq-21",
    place="eq. 21, for any numbers",
    given=lambda: [Ge(1 / alpha, shift)],
)
def any_bound_until_the_balance():
    """A bound with the noise, and without, for any numbers."""
    return Le(
        number ** (2 * (k + 1)) * (1 / alpha + shift), 2 * number ** (2 * (k + 1)) * (1 / alpha)
    )


@claim(
    "eq-21",
    place="eq. 21",
    given=lambda: [strong_data, Le(k, balance)],
    using=[
        "note-chain",
        "claim-d.12-corrected",
        (
            "note-eq-21",
            lambda: {number: epoch_rate, shift: noise((k + 1) * n)},
        ),
    ],
    cites=["claim-d.12"],
)
def bound_until_the_balance():
    """Bound of eq. 20 up to the balance epoch."""
    return Le(
        epoch_rate ** (2 * (k + 1)) * (1 / alpha + noise((k + 1) * n)),
        2 * epoch_rate ** (2 * (k + 1)) * (1 / alpha),
    )


@claim(
    "lemma-a.3.first",
    place="Lemma A.3, eq. 19, r = 1; k-dot is positive by claim D.22",
    given=lambda: [strong_data, *records_enough, Gt(k, 0), Le(k, balance)],
    using=["eq-20", "eq-21"],
    cites=["eq-20", "eq-21"],
)
def first_variance_until_the_balance():
    """Variance up to the balance epoch, odd record first."""
    return Le(first_variance(), 2 * epoch_rate ** (2 * (k + 1)) * (1 / alpha))


@claim(
    "note-noise-constant",
    place="Lemma A.4, its constant for r = 1; 2 / (x_h**2 beta) is v, the other number q_A is "
    "n x_h**2 beta over the precision less 1",
    given=lambda: [
        Le(amount, Rational(2, 3)),
        Le(share_of_data, Rational(6, 5)),
        Le(spread, 1 + (exp(amount * share_of_data) - 1) * (Rational(11, 5) - share_of_data)),
    ],
)
def noise_below_its_constant():
    """Noise below a constant, for any numbers."""
    return Le(spread, 2 * exp(amount / 2))


def data_share():
    """Weight of the data in the precision, nearly."""
    return n * x_h**2 * beta / (total() - 1)


def with_the_data(expression):
    """An expression of lemma A.4's constant at the numbers of the chain."""
    return expression.xreplace({amount: 2 / (x_h**2 * beta), share_of_data: data_share()})


def cycle_growth():
    """Return the upper bound on the growth of noise over a cycle, backwards."""
    return with_the_data(exp(amount * share_of_data))


def prior_part():
    """Return the upper bound on the part of the prior, nearly."""
    return with_the_data(Rational(11, 5) - share_of_data)


@claim(
    "note-cycle-growth",
    place="Lemma A.4, in place of claim D.19",
    given=[strong_data],
    proof=lambda: [
        step("a logarithm from below", Ge(log(1 - 1 / total()), -1 / (total() - 1))),
        step("the rate", Eq(rate, 1 - 1 / total())),
        step("a power as an exponential", Eq(rate ** (-2 * n), exp(-2 * n * log(rate)))),
        step("a cycle", Le(-2 * n * log(rate), 2 * n / (total() - 1))),
        step("the exponent", Eq(2 / (x_h**2 * beta) * data_share(), 2 * n / (total() - 1))),
    ],
)
def growth_over_a_cycle():
    """Growth of noise over a cycle, backwards."""
    return Le(rate ** (-2 * n), cycle_growth())


@claim(
    "note-cycle-more",
    place="Lemma A.4, for any numbers",
    given=lambda: [Lt(number ** (-2 * k * n), most_spread), Le(number ** (-2 * n), growth)],
    proof=lambda: [
        step("a power", Gt(number ** (-2 * n), 0)),
        step(
            "one cycle more",
            Eq(number ** (-2 * (k + 1) * n), number ** (-2 * k * n) * number ** (-2 * n)),
        ),
        step(
            "the first factor",
            Le(number ** (-2 * k * n) * number ** (-2 * n), most_spread * number ** (-2 * n)),
        ),
    ],
)
def growth_of_one_cycle_more():
    """Growth of noise over one more cycle, for any numbers."""
    return Le(number ** (-2 * (k + 1) * n), most_spread * growth)


@claim(
    "note-noise-bound",
    place="Lemma A.4, for any numbers",
    given=lambda: [
        Eq(spread, least_gap * (gap - 1)),
        Le(gap, most_spread * growth),
        Eq(most_spread, 1 + 1 / least_gap),
        Le(1 + least_gap, least_ratio),
    ],
    proof=lambda: [
        step("in the growth", Le(spread, 1 + (growth - 1) * (1 + least_gap))),
    ],
)
def noise_from_its_growth():
    """Noise from how far it has grown, for any numbers."""
    return Le(spread, 1 + (growth - 1) * least_ratio)


@claim("note-prior-part", place="Lemma A.4", given=[strong_data])
def part_of_the_prior():
    """Part of the prior in the precision."""
    return Le(1 + alpha / (total() - half), prior_part())


@claim(
    "note-growth-at-the-balance",
    place="Lemma A.4",
    given=lambda: [strong_data, Lt(k, balance + 1)],
    using=[
        "note-chain",
        "note-balance-next",
        "note-cycle-growth",
        ("note-cycle-more", lambda: {number: rate, most_spread: share(), growth: cycle_growth()}),
    ],
    proof=lambda: [
        step("the growth of a cycle", Gt(cycle_growth(), 1)),
        step("the share", Gt(share(), 0)),
    ],
)
def growth_at_the_balance():
    """Growth of noise over the balance epoch and the epoch before, backwards."""
    return Le(rate ** (-2 * (k + 1) * n), share() * cycle_growth())


@claim(
    "note-noise-signs",
    place="Lemma A.4, what its lemmas for any numbers ask",
    given=[strong_data],
    using=["note-chain"],
    proof=lambda: [step("a power", Gt(rate ** (-2 * (k + 1) * n), 1))],
)
def signs_of_the_noise():
    """Signs of the terms in which the noise is written."""
    return [
        Gt(noise((k + 1) * n), 0),
        Gt(alpha * noise((k + 1) * n), 0),
        Gt(alpha / (total() - half), 0),
        Gt(rate ** (-2 * (k + 1) * n), 0),
        Gt(share(), 0),
        Gt(cycle_growth(), 1),
        Gt(prior_part(), 0),
    ]


@claim("note-data-share", place="Lemma A.4", given=[strong_data])
def weight_of_the_data():
    """Bounds of the numbers that the constant of lemma A.4 is made of."""
    return [
        Le(2 / (x_h**2 * beta), Rational(2, 3)),
        Le(data_share(), Rational(6, 5)),
        Gt(data_share(), 0),
    ]


@claim(
    "note-noise-by-growth",
    place="Lemma A.4",
    given=lambda: [strong_data, Lt(k, balance + 1)],
    using=[
        "note-noise-signs",
        "note-growth-at-the-balance",
        "note-prior-part",
        (
            "note-noise-bound",
            lambda: {
                spread: alpha * noise((k + 1) * n),
                least_gap: alpha / (total() - half),
                gap: rate ** (-2 * (k + 1) * n),
                most_spread: share(),
                growth: cycle_growth(),
                least_ratio: prior_part(),
            },
        ),
    ],
    proof=lambda: [
        step("the share", Eq(share(), 1 + 1 / (alpha / (total() - half)))),
        step(
            "the noise, summed up",
            Eq(
                alpha * noise((k + 1) * n),
                alpha / (total() - half) * (rate ** (-2 * (k + 1) * n) - 1),
            ),
        ),
    ],
)
def noise_by_the_growth_of_a_cycle():
    """Noise of the epoch after the balance, by the growth over a cycle."""
    return Le(alpha * noise((k + 1) * n), 1 + (cycle_growth() - 1) * prior_part())


@claim(
    "note-noise-at-the-balance",
    place="Lemma A.4, in place of claims D.17 and D.19",
    given=lambda: [strong_data, Lt(k, balance + 1)],
    using=[
        "note-noise-signs",
        "note-data-share",
        "note-noise-by-growth",
        (
            "note-noise-constant",
            lambda: {
                spread: alpha * noise((k + 1) * n),
                amount: 2 / (x_h**2 * beta),
                share_of_data: data_share(),
            },
        ),
    ],
)
def noise_one_epoch_later():
    """Noise of the epoch after the balance, carried back to the start."""
    return Le(alpha * noise((k + 1) * n), 2 * exp(2 / (x_h**2 * beta) / 2))


@claim(
    "note-first-variance",
    place="Lemma A.4, r = 1, for any numbers",
    given=lambda: [Le(alpha * spread, 2 * exp(2 / (x_h**2 * beta) / 2))],
    proof=lambda: [step("a power", Gt(other_number ** (2 * (k + 1)), 0))],
)
def first_variance_from_the_noise():
    """Bound of eq. 20 from the noise in variances of the prior, for any numbers."""
    return Le(
        other_number ** (2 * (k + 1)) * (1 / alpha + spread),
        (1 + 2 * exp(1 / (x_h**2 * beta))) * other_number ** (2 * (k + 1)) * (1 / alpha),
    )


@claim(
    "note-first-variance-bound",
    place="Lemma A.4, r = 1",
    given=lambda: [strong_data, Lt(k, balance + 1)],
    using=[
        "note-chain",
        "note-noise-signs",
        "note-noise-at-the-balance",
        ("note-first-variance", lambda: {other_number: epoch_rate, spread: noise((k + 1) * n)}),
    ],
)
def first_variance_by_the_constant():
    """Bound of eq. 20 at the balance epoch."""
    return Le(
        epoch_rate ** (2 * (k + 1)) * (1 / alpha + noise((k + 1) * n)),
        (1 + 2 * exp(1 / (x_h**2 * beta))) * epoch_rate ** (2 * (k + 1)) * (1 / alpha),
    )


@claim(
    "text-a.4",
    place="proof of Lemma A.4, r = 1: its last inequality, from claim D.17, times alpha and without what both sides have",
    given=lambda: [strong_data, *records_enough],
    fault="error",
    effect="None beyond the proof: lemma A.4 is proved otherwise (lemma-a.4.first).",
    try_at=[{alpha: 1000, beta: Rational(301, 100), x_h: 1, n: 2}],
)
def from_claim_d_17_as_printed():
    """Step from claim D.17 to the bound of lemma A.4, as printed."""
    memory = exp(2 / (x_h**2 * beta))
    by_claim_d_17 = memory + alpha * ((memory - 1) / (total() + Rational(1, 8)))
    return Le(1 + by_claim_d_17, 1 + 2 * exp(1 / (x_h**2 * beta)))


@claim(
    "lemma-a.4.first",
    place="Lemma A.4, r = 1",
    corrects=["text-a.4"],
    why="The bound of claim D.17 is too large for the step where alpha is far above n x_h**2 beta; the variance itself "
    "is within the bound of the lemma.",
    given=lambda: [strong_data, *records_enough, Ge(k, balance), Lt(k, balance + 1)],
    using=["eq-20", "note-first-variance-bound"],
    cites=["eq-20"],
    without={"claim-d.17": "refuted as printed; eq. 20 is bounded at the balance epoch by itself"},
    time_limit=60,
)
def first_variance_at_the_balance():
    """Variance at the balance epoch, odd record first."""
    return Le(
        first_variance(),
        (1 + 2 * exp(1 / (x_h**2 * beta))) * epoch_rate ** (2 * (k + 1)) * (1 / alpha),
    )


def later_variance(kept=rate, odd=odd_rate, added=eta):
    """Variance after k + 1 epochs, odd record at a later position, first line of eq. 22."""
    epoch = odd * kept ** (n - 1)
    return (
        (odd * kept ** (n - r)) ** 2
        * added
        * (
            epoch ** (2 * k) * Sum(kept ** (2 * i), (i, 0, r - 2))
            + Sum(epoch ** (2 * j), (j, 0, k - 1)) * Sum(kept ** (2 * i), (i, 0, n - 1))
        )
        + added * Sum(kept ** (2 * i), (i, 0, n - r))
        + 1 / alpha * epoch ** (2 * k) * epoch**2
    )


@claim("eq-22.first", place="eq. 22, its first line", given=[strong_data, r > 1])
def later_variance_by_cycles():
    """Variance after k + 1 epochs, odd record at a later position, cycle by cycle."""
    return Eq(variance_odd, later_variance())


def later_bound(kept=rate, odd=odd_rate, added=eta):
    """Last line of eq. 22."""
    epoch = odd * kept ** (n - 1)
    cycle = Sum(kept ** (2 * i), (i, 0, n - 1))
    return (
        2
        * (odd * kept ** (n - r)) ** 2
        * (
            1 / alpha * epoch ** (2 * k)
            + added * epoch ** (2 * k) * cycle
            + added * Sum(epoch ** (2 * j), (j, 0, k - 1)) * cycle
        )
    )


@claim(
    "note-eq-22",
    place="eq. 22, for any two numbers",
    given=lambda: [
        Gt(odd_number, number),
        Gt(r, 1),
        Gt(
            (odd_number * number ** (n - r)) ** 2 * any_store(),
            amount * Sum(number ** (2 * i), (i, 0, n - r)),
        ),
    ],
    proof=lambda: [
        step("a power", Gt(any_epoch() ** (2 * k), 0)),
        step(
            "the last epoch of the prior",
            Le(
                1 / alpha * any_epoch() ** (2 * k) * any_epoch() ** 2,
                1 / alpha * any_epoch() ** (2 * k) * (odd_number * number ** (n - r)) ** 2,
            ),
        ),
        step(
            "fewer steps",
            Le(Sum(number ** (2 * i), (i, 0, r - 2)), Sum(number ** (2 * i), (i, 0, n - 1))),
        ),
        step("a square", Gt(amount * (odd_number * number ** (n - r)) ** 2, 0)),
        step(
            "times what they are worth",
            Le(
                amount
                * (odd_number * number ** (n - r)) ** 2
                * (any_epoch() ** (2 * k) * Sum(number ** (2 * i), (i, 0, r - 2))),
                amount
                * (odd_number * number ** (n - r)) ** 2
                * (any_epoch() ** (2 * k) * Sum(number ** (2 * i), (i, 0, n - 1))),
            ),
        ),
        step(
            "noise after the odd record, claim D.15",
            Gt(
                (odd_number * number ** (n - r)) ** 2 * any_store(),
                amount * Sum(number ** (2 * i), (i, 0, n - r)),
            ),
        ),
        step(
            "more noise of the last epoch",
            Ge(
                amount
                * (odd_number * number ** (n - r)) ** 2
                * (any_epoch() ** (2 * k) * Sum(number ** (2 * i), (i, 0, n - 1))),
                0,
            ),
        ),
    ],
    time_limit=60,
)
def any_later_variance():
    """Variance after k + 1 epochs, odd record at a later position, bounded, for any two numbers."""
    return Le(later_variance(number, odd_number, amount), later_bound(number, odd_number, amount))


@claim(
    "eq-22",
    place="eq. 22, from its first line to its last",
    given=[strong_data, *records_enough, r > 1],
    using=["note-chain", "claim-d.15", ("note-eq-22", chain_with_odd)],
    cites=["claim-d.15"],
    time_limit=60,
)
def later_variance_bounded():
    """Variance after k + 1 epochs, odd record at a later position, bounded."""
    return Le(later_variance(), later_bound())


@claim(
    "note-eq-23",
    place="eq. 23, for any two numbers",
    given=lambda: [
        Gt(
            1 / alpha * any_epoch() ** (2 * k),
            amount
            * Sum(number ** (2 * i), (i, 0, n - 1))
            * Sum(any_epoch() ** (2 * j), (j, 0, k - 1)),
        ),
        Ge(
            1 / alpha * any_epoch() ** (2 * k),
            amount * any_epoch() ** (2 * k) * Sum(number ** (2 * i), (i, 0, n - 1)),
        ),
    ],
    proof=lambda: [
        step("a square", Gt((odd_number * number ** (n - r)) ** 2, 0)),
        step(
            "noise of all epochs",
            Gt(
                1 / alpha * any_epoch() ** (2 * k),
                amount
                * Sum(number ** (2 * i), (i, 0, n - 1))
                * Sum(any_epoch() ** (2 * j), (j, 0, k - 1)),
            ),
        ),
        step(
            "noise of the last",
            Ge(
                1 / alpha * any_epoch() ** (2 * k),
                amount * any_epoch() ** (2 * k) * Sum(number ** (2 * i), (i, 0, n - 1)),
            ),
        ),
        step(
            "three times the prior's part",
            Le(
                1 / alpha * any_epoch() ** (2 * k)
                + amount * any_epoch() ** (2 * k) * Sum(number ** (2 * i), (i, 0, n - 1))
                + amount
                * Sum(any_epoch() ** (2 * j), (j, 0, k - 1))
                * Sum(number ** (2 * i), (i, 0, n - 1)),
                3 * (1 / alpha * any_epoch() ** (2 * k)),
            ),
        ),
    ],
    time_limit=60,
)
def any_later_bound():
    """Bound of eq. 22, in the prior's part alone, for any two numbers."""
    return Le(
        later_bound(number, odd_number, amount),
        6 * (odd_number * number ** (n - r)) ** 2 * (1 / alpha) * any_epoch() ** (2 * k),
    )


@claim(
    "eq-23",
    place="eq. 23, up to the balance epoch, rounded up; claim D.13 gives the sum over epochs",
    given=lambda: [strong_data, Ge(k, 1), Lt(k, balance + 1)],
    using=["note-chain", "claim-d.13", "claim-d.14", ("note-eq-23", chain_with_odd)],
    cites=["claim-d.14"],
    without={"claim-d.12": "refuted as printed; claim D.13 is used"},
    time_limit=60,
)
def later_bound_by_the_prior():
    """Bound of eq. 22, in the prior's part alone."""
    return Le(
        later_bound(),
        6 * (odd_rate * rate ** (n - r)) ** 2 * (1 / alpha) * epoch_rate ** (2 * k),
    )


@claim(
    "lemma-a.4.later",
    place="Lemmas A.3 and A.4, r > 1, up to the balance epoch, rounded up",
    given=lambda: [strong_data, *records_enough, Ge(k, 1), Lt(k, balance + 1), Gt(r, 1)],
    using=["eq-22.first", "eq-22", "eq-23"],
    cites=["eq-22", "eq-23"],
    time_limit=60,
)
def later_variance_at_the_balance():
    """Variance up to the balance epoch, odd record at a later position."""
    return Le(
        variance_odd, 6 * (odd_rate * rate ** (n - r)) ** 2 * (1 / alpha) * epoch_rate ** (2 * k)
    )
