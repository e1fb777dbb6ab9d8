"""Appendix D: noise where the odd record comes later: claims D.15 and D.16, eq. 40 to 42."""

from sympy import Eq, Ge, Gt, Le, Lt, Rational, Sum, exp, log

from dpbook import claim, step
from dpbook.langevin.claims.appendix_d_chain import total
from dpbook.langevin.notation import (
    alpha,
    amount,
    beta,
    epoch_rate,
    eta,
    i,
    j,
    k,
    n,
    number,
    odd_number,
    odd_rate,
    r,
    rate,
    records_enough,
    strong_data,
    x_h,
)

# --- noise of later positions (claims D.15 and D.16) ----------------------------------------------


def chain_with_odd():
    """The chain's numbers in a lemma about a number, a larger one, and an amount."""
    return {number: rate, odd_number: odd_rate, amount: eta}


def any_epoch():
    """Return the factor of an epoch, for any two numbers."""
    return odd_number * number ** (n - 1)


def any_store():
    """Return the variance that k epochs keep of the prior and add as noise, for any two numbers."""
    return 1 / alpha * any_epoch() ** (2 * k) + amount * Sum(
        any_epoch() ** (2 * j), (j, 0, k - 1)
    ) * Sum(number ** (2 * i), (i, 0, n - 1))


def any_plain_store():
    """Return the variance that k epochs keep and add without the odd record, for any number."""
    power = number ** (2 * k * n)
    return 1 / alpha * power + amount * ((1 - power) / (1 - number**2))


@claim(
    "note-store",
    place="eq. 40, its brackets, for any two numbers",
    given=lambda: [Gt(odd_number, number)],
    proof=lambda: [
        step("other steps", Gt(number ** (n - 1), 0)),
        step("a cycle of ordinary steps", Eq(number**n, number * number ** (n - 1))),
        step("an epoch keeps more", Gt(any_epoch(), number**n)),
        step("several keep more", Ge(any_epoch() ** (2 * k), number ** (2 * k * n))),
        step(
            "of the noise too",
            Ge(
                Sum(any_epoch() ** (2 * j), (j, 0, k - 1)),
                Sum(number ** (2 * j * n), (j, 0, k - 1)),
            ),
        ),
        step("a cycle adds noise", Gt(Sum(number ** (2 * i), (i, 0, n - 1)), 0)),
        step(
            "what is left of the prior",
            Ge(1 / alpha * any_epoch() ** (2 * k), 1 / alpha * number ** (2 * k * n)),
        ),
        step(
            "the noise",
            Ge(
                amount
                * Sum(any_epoch() ** (2 * j), (j, 0, k - 1))
                * Sum(number ** (2 * i), (i, 0, n - 1)),
                amount
                * Sum(number ** (2 * j * n), (j, 0, k - 1))
                * Sum(number ** (2 * i), (i, 0, n - 1)),
            ),
        ),
        step(
            "the sums",
            Eq(
                amount
                * Sum(number ** (2 * j * n), (j, 0, k - 1))
                * Sum(number ** (2 * i), (i, 0, n - 1)),
                amount * ((1 - number ** (2 * k * n)) / (1 - number**2)),
            ),
        ),
    ],
    time_limit=60,
)
def store_without_the_odd_record():
    """Variance that k epochs keep and add, with the odd record and without, for any two numbers."""
    return Ge(any_store(), any_plain_store())


@claim(
    "note-eq-40",
    place="eq. 40, for any two numbers",
    given=lambda: [Gt(odd_number, number), Gt(r, 1)],
    using=["note-store"],
    proof=lambda: [
        step("the odd record's step", Gt(odd_number * number ** (n - r), number ** (n - r + 1))),
        step("fewer steps keep more", Gt(number ** (n - r + 1), number**n)),
        step("squared", Gt((odd_number * number ** (n - r)) ** 2, number ** (2 * n))),
        step("what is kept", Gt(any_plain_store(), 0)),
        step(
            "the larger factor",
            Gt(
                (odd_number * number ** (n - r)) ** 2 * any_plain_store(),
                number ** (2 * n) * any_plain_store(),
            ),
        ),
        step(
            "the larger store",
            Ge(
                (odd_number * number ** (n - r)) ** 2 * any_store(),
                (odd_number * number ** (n - r)) ** 2 * any_plain_store(),
            ),
        ),
    ],
    time_limit=60,
)
def any_noise_of_later_positions_from_below():
    """Lower bound on the variance kept from before the odd record, for any two numbers."""
    return Gt(
        (odd_number * number ** (n - r)) ** 2 * any_store(), number ** (2 * n) * any_plain_store()
    )


def store():
    """Brackets of claim D.15."""
    return 1 / alpha * epoch_rate ** (2 * k) + eta * Sum(
        epoch_rate ** (2 * j), (j, 0, k - 1)
    ) * Sum(rate ** (2 * i), (i, 0, n - 1))


@claim(
    "eq-40",
    place="eq. 40",
    given=lambda: [strong_data, Gt(r, 1)],
    using=["note-chain", ("note-eq-40", chain_with_odd)],
)
def noise_of_later_positions_from_below():
    """Lower bound on the variance kept from before the odd record."""
    power = rate ** (2 * k * n)
    return Gt(
        (odd_rate * rate ** (n - r)) ** 2 * store(),
        rate ** (2 * n) * (1 / alpha * power + eta * ((1 - power) / (1 - rate**2))),
    )


@claim(
    "note-eq-41",
    place="eq. 41, for any number",
    given=lambda: [Gt(r, 1)],
    proof=lambda: [
        step(
            "the shorter sum",
            Eq(
                Sum(number ** (2 * i), (i, 0, n - r)),
                (1 - number ** (2 * (n - r + 1))) / (1 - number**2),
            ),
        ),
        step("fewer steps keep more", Gt(number ** (2 * (n - r + 1)), number ** (2 * n))),
    ],
)
def any_noise_after_the_odd_record():
    """Noise of the steps after the odd record, for any number."""
    return Lt(Sum(number ** (2 * i), (i, 0, n - r)), (1 - number ** (2 * n)) / (1 - number**2))


@claim(
    "eq-41",
    place="eq. 41",
    given=lambda: [strong_data, Gt(r, 1)],
    using=["note-chain", ("note-eq-41", lambda: {number: rate})],
)
def noise_after_the_odd_record():
    """Noise of the steps after the odd record."""
    return Lt(
        eta * Sum(rate ** (2 * i), (i, 0, n - r)), eta * ((1 - rate ** (2 * n)) / (1 - rate**2))
    )


@claim(
    "eq-42",
    place="eq. 42, its second line, times (alpha + n x_h**2 beta)**2, and its last",
    given=[strong_data],
)
def what_is_to_be_shown():
    """Two forms of the difference in claim D.15."""
    return Eq(
        total() ** 2
        * (
            rate ** (2 * n) * (1 - rate**2) * (1 / alpha) * rate ** (2 * k * n)
            + eta * rate ** (2 * n) * (1 - rate ** (2 * k * n))
            - eta * (1 - rate ** (2 * n))
        ),
        (2 * n * x_h**2 * beta - 1) * (1 / alpha) * rate ** (2 * (k + 1) * n)
        + 2 * (2 * rate ** (2 * n) - 1),
    )


@claim(
    "text-d.15",
    place="proof of Claim D.15, what it is enough to show",
    given=[strong_data, *records_enough],
    cites=["claim-d.19", "claim-d.16"],
    fault="error",
    effect="Claim D.15 survives: eq. 40 and 41 give away more than they need to.",
    try_at=[{alpha: Rational(1, 10), x_h: 1, beta: Rational(301, 100), n: 2, k: 15}],
)
def what_is_enough():
    """Sufficient condition for claim D.15, as printed."""
    return Gt(
        (2 * n * x_h**2 * beta - 1) * (1 / alpha) * rate ** (2 * (k + 1) * n)
        + 2 * (2 * rate ** (2 * n) - 1),
        0,
    )


@claim(
    "note-claim-d.15",
    place="Claim D.15, for any two numbers",
    given=lambda: [
        Gt(odd_number, number),
        Gt(r, 1),
        Ge(2 * number ** (2 * (n - 1)), 1),
        Ge(1 / alpha, amount / (1 - number**2)),
    ],
    using=["note-store"],
    proof=lambda: [
        step("the odd record is not the first", Ge(r, 2)),
        step("a power", Gt(number ** (2 * k * n), 0)),
        step("what is kept and made up", Ge(any_plain_store(), amount / (1 - number**2))),
        step(
            "the sum",
            Eq(
                Sum(number ** (2 * i), (i, 0, n - r)),
                (1 - number ** (2 * (n - r + 1))) / (1 - number**2),
            ),
        ),
        step("not too few steps", Ge(number ** (2 * (n - r + 1)), number ** (2 * (n - 1)))),
        step(
            "the odd record's step",
            Gt((odd_number * number ** (n - r)) ** 2, number ** (2 * (n - r + 1))),
        ),
        step(
            "what it keeps",
            Gt((odd_number * number ** (n - r)) ** 2, 1 - number ** (2 * (n - r + 1))),
        ),
        step(
            "times the noise in the long run",
            Gt(
                (odd_number * number ** (n - r)) ** 2 * (amount / (1 - number**2)),
                amount * Sum(number ** (2 * i), (i, 0, n - r)),
            ),
        ),
        step("all that is kept", Ge(any_store(), amount / (1 - number**2))),
        step(
            "before the odd record",
            Ge(
                (odd_number * number ** (n - r)) ** 2 * any_store(),
                (odd_number * number ** (n - r)) ** 2 * (amount / (1 - number**2)),
            ),
        ),
    ],
    time_limit=60,
)
def any_noise_of_later_positions():
    """Noise after the odd record, against the variance kept from before it, for any two numbers."""
    return Gt(
        (odd_number * number ** (n - r)) ** 2 * any_store(),
        amount * Sum(number ** (2 * i), (i, 0, n - r)),
    )


@claim(
    "note-memory",
    place="in place of claim D.19; all that lemmas A.3 to A.6 need of it",
    given=[strong_data],
    proof=lambda: [
        step("a logarithm from below", Ge(log(1 - 1 / total()), -1 / (total() - 1))),
        step("the records' share", Le((n - 1) / (total() - 1), 1 / (x_h**2 * beta))),
        step("the rate", Eq(rate, 1 - 1 / total())),
        step("their product", Ge(2 * (n - 1) * log(1 - 1 / total()), -2 / (x_h**2 * beta))),
        step(
            "a power as an exponential",
            Eq(rate ** (2 * (n - 1)), exp(2 * (n - 1) * log(1 - 1 / total()))),
        ),
    ],
    time_limit=60,
)
def memory_of_the_other_records():
    """Factor of a variance over the n - 1 other steps of a cycle, from below."""
    return Ge(rate ** (2 * (n - 1)), exp(-2 / (x_h**2 * beta)))


@claim(
    "note-other-records",
    place="in place of claim D.19 in the proof of claim D.15",
    given=[strong_data],
    using=["note-memory", "claim-d.16"],
)
def half_is_left():
    """Share of a variance that the n - 1 other steps of a cycle keep, from below."""
    return Ge(2 * rate ** (2 * (n - 1)), 1)


@claim(
    "text-d.15-corrected",
    place="proof of Claim D.15, what it is enough to show, repaired: eq. 42 with n - 1 for n in the powers of the n steps",
    corrects=["text-d.15"],
    why="As r > 1, the odd record is followed by at most n - 2 steps, so eq. 40 and 41 hold with lambda^(2 (n - 1)) for lambda^(2 n); that power is at least 1/2 for all n.",
    given=[strong_data],
    using=["note-other-records"],
    proof=lambda: [
        step("much data", Gt(2 * n * x_h**2 * beta - 1, 0)),
        step("a power", Gt(rate ** (2 * (k * n + n - 1)), 0)),
        step(
            "their product",
            Gt((2 * n * x_h**2 * beta - 1) * (1 / alpha) * rate ** (2 * (k * n + n - 1)), 0),
        ),
    ],
)
def what_is_enough_repaired():
    """Sufficient condition for claim D.15, repaired."""
    kept = rate ** (2 * (n - 1))
    return [
        Eq(
            total() ** 2
            * (
                kept * (1 - rate**2) * (1 / alpha) * rate ** (2 * k * n)
                + eta * kept * (1 - rate ** (2 * k * n))
                - eta * (1 - kept)
            ),
            (2 * n * x_h**2 * beta - 1) * (1 / alpha) * rate ** (2 * (k * n + n - 1))
            + 2 * (2 * kept - 1),
        ),
        Gt(
            (2 * n * x_h**2 * beta - 1) * (1 / alpha) * rate ** (2 * (k * n + n - 1))
            + 2 * (2 * kept - 1),
            0,
        ),
    ]


@claim("note-wide-prior", place="proof of claim D.15", given=[strong_data])
def prior_against_the_noise():
    """Variance of the prior, against the variance of the noise in the long run."""
    return Ge(1 / alpha, eta / (1 - rate**2))


@claim(
    "claim-d.15",
    place="Claim D.15",
    given=[strong_data, *records_enough, r > 1],
    using=[
        "note-chain",
        "note-other-records",
        "note-wide-prior",
        ("note-claim-d.15", chain_with_odd),
    ],
    cites=["claim-d.16"],
    without={
        "claim-d.19": "refuted as printed, and not needed",
        "eq-40": "note-claim-d.15 bounds both sides in one step",
        "eq-41": "note-claim-d.15 bounds both sides in one step",
        "eq-42": "note-claim-d.15 bounds both sides in one step",
    },
)
def noise_of_later_positions():
    """Noise after the odd record, against the variance kept from before it."""
    return Gt(
        (odd_rate * rate ** (n - r)) ** 2 * store(), eta * Sum(rate ** (2 * i), (i, 0, n - r))
    )
