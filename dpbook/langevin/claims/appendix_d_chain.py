"""Appendix D, claims D.12 to D.23: when the chain's variance is small, and what it then shows."""

from sympy import Eq, Ge, Gt, Le, Lt, Rational, Sum, erfc, exp, log, sqrt

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Order, derivative
from dpbook.langevin.notation import (
    alpha,
    amount,
    at_the_balance,
    balance,
    beta,
    c,
    component_gap,
    component_sd,
    epoch_rate,
    eta,
    growth,
    i,
    j,
    k,
    n,
    n_real,
    number,
    odd_number,
    odd_rate,
    other_number,
    r,
    rate,
    records_enough,
    records_for_k_dot,
    separation_bound,
    strong_data,
    variance_factor,
    x_h,
)

half = Rational(1, 2)


def total(records=n):
    """Precision of the posterior on D_1."""
    return alpha + records * x_h**2 * beta


def share():
    """How far noise may grow before it outweighs the prior: the argument of the logarithm in k."""
    return 1 + 1 / (alpha * eta) * (1 - rate**2)


def noise(steps, kept=rate, added=eta):
    """Variance that steps of noise make up, carried back to the start."""
    return kept**-2 * added * ((1 - kept ** (-2 * steps)) / (1 - kept**-2))


# --- the balance epoch ----------------------------------------------------------------------------


@claim(
    "note-growth",
    place="what k <= k-dot means",
    given=lambda: [Le(k, log(1 / growth) / log(number) / (2 * n) - 1)],
    proof=lambda: [
        step("the logarithm of the number", Lt(log(number), 0)),
        step("the condition, solved", Ge(2 * n * (k + 1) * log(number), -log(growth))),
        step(
            "a power as an exponential",
            Eq(number ** (-2 * (k + 1) * n), exp(-2 * n * (k + 1) * log(number))),
        ),
        step("exponentials grow", Le(exp(-2 * n * (k + 1) * log(number)), growth)),
    ],
)
def growth_before():
    """A power against its bound, while the exponent is small."""
    return Le(number ** (-2 * (k + 1) * n), growth)


@claim(
    "note-growth-next",
    place="what k < k-dot + 1 means",
    given=lambda: [Lt(k, log(1 / growth) / log(number) / (2 * n) - 1 + 1)],
    proof=lambda: [
        step("the logarithm of the number", Lt(log(number), 0)),
        step("the condition, solved", Gt(2 * n * k * log(number), -log(growth))),
        step(
            "a power as an exponential", Eq(number ** (-2 * k * n), exp(-2 * n * k * log(number)))
        ),
        step("exponentials grow", Lt(exp(-2 * n * k * log(number)), growth)),
    ],
)
def growth_after():
    """A power against its bound, while the exponent is small, one epoch later."""
    return Lt(number ** (-2 * k * n), growth)


@claim(
    "note-balance",
    place="what k <= k-dot means for the chain",
    given=lambda: [strong_data, Le(k, balance)],
    using=["note-chain", ("note-growth", lambda: {number: rate, growth: share()})],
)
def noise_before_the_balance():
    """How far noise has grown up to the balance epoch."""
    return Le(rate ** (-2 * (k + 1) * n), share())


@claim(
    "note-balance-next",
    place="what k < k-dot + 1 means for the chain",
    given=lambda: [strong_data, Lt(k, balance + 1)],
    using=["note-chain", ("note-growth-next", lambda: {number: rate, growth: share()})],
)
def noise_at_the_balance():
    """How far noise has grown one epoch before the balance epoch, rounded up."""
    return Lt(rate ** (-2 * k * n), share())


@claim(
    "note-noise-carried-back",
    place="proof of claim D.12",
    given=lambda: [strong_data, Le(rate ** (-2 * (k + 1) * n), share())],
    proof=lambda: [
        step(
            "the noise, summed up",
            Eq(noise((k + 1) * n), (rate ** (-2 * (k + 1) * n) - 1) / (total() - half)),
        ),
        step("what it may be", Eq(share(), 1 + (total() - half) / alpha)),
    ],
)
def noise_against_the_prior():
    """Noise of k + 1 epochs against the prior, carried back to the start."""
    return Ge(1 / alpha, noise((k + 1) * n))


def at_a_whole_balance():
    """Two records and a prior for which k-dot is 5."""
    precision = (12 - half) / (Rational(12, 11) ** 24 - 1)
    return {alpha: precision, x_h: 1, beta: (12 - precision) / 2, n: 2, k: 5}


@claim(
    "claim-d.12",
    place="Claim D.12; its condition, k <= k-dot, in powers",
    given=lambda: [strong_data, Ge(rate ** (2 * (k + 1) * n) * share(), 1)],
    fault="boundary",
    effect="Equality holds where k is k-dot itself; the lemmas that use the claim need no more.",
    try_at=[at_a_whole_balance()],
)
def noise_until_the_balance_as_printed():
    """Noise of k + 1 epochs against the prior, up to the balance epoch, as printed."""
    return Gt(1 / alpha, noise((k + 1) * n))


@claim(
    "claim-d.12-corrected",
    place="Claim D.12, repaired",
    corrects=["claim-d.12"],
    why="At k = k-dot the two sides are equal.",
    given=lambda: [strong_data, Le(k, balance)],
    using=["note-balance", "note-noise-carried-back"],
)
def noise_until_the_balance():
    """Noise of k + 1 epochs against the prior, up to the balance epoch, repaired."""
    return Ge(1 / alpha, noise((k + 1) * n))


@claim(
    "note-chain",
    place="what the lemmas about any two numbers ask of the chain's",
    given=[strong_data],
    proof=lambda: [
        step("an ordinary step keeps some", Gt(rate, 0)),
        step("and loses some", Lt(rate, 1)),
        step("the odd record's step keeps more", Gt(odd_rate, rate)),
        step("and loses some", Lt(odd_rate, 1)),
        step("the other steps keep some", Gt(rate ** (n - 1), 0)),
        step("and lose some", Lt(rate ** (n - 1), 1)),
        step("a cycle of ordinary steps", Eq(rate**n, rate * rate ** (n - 1))),
    ],
)
def numbers_of_the_chain():
    """Order of what steps and epochs multiply by, and the sign of the noise."""
    return [
        Gt(rate, 0),
        Lt(rate, 1),
        Gt(odd_rate, 0),
        Lt(odd_rate, 1),
        Gt(odd_rate, rate),
        Gt(epoch_rate, 0),
        Lt(epoch_rate, 1),
        Gt(epoch_rate, rate**n),
        Gt(eta, 0),
    ]


def chain():
    """The chain's numbers in a lemma about any two numbers."""
    return {number: rate, other_number: epoch_rate, amount: eta}


@claim(
    "note-eq-37",
    place="eq. 37, for any two numbers",
    given=lambda: [Ge(k, 1), Gt(other_number, number**n)],
    proof=lambda: [
        step(
            "the other way round",
            Eq(
                Sum(other_number ** (2 * (j - k)), (j, 0, k - 1)),
                Sum(other_number ** (-2 * j), (j, 1, k)),
            ),
        ),
        step("a cycle adds noise", Gt(amount * Sum(number ** (2 * i), (i, 0, n - 1)), 0)),
        step(
            "the sum",
            Eq(
                amount
                * Sum(number ** (2 * i), (i, 0, n - 1))
                * Sum(number ** (-2 * n * j), (j, 1, k)),
                noise(n * k, number, amount),
            ),
        ),
    ],
    time_limit=60,
)
def any_noise_carried_back():
    """Noise of k epochs, carried back to the start, for any two numbers."""
    return Le(
        amount
        * Sum(number ** (2 * i), (i, 0, n - 1))
        * Sum(other_number ** (2 * (j - k)), (j, 0, k - 1)),
        noise(n * k, number, amount),
    )


@claim(
    "eq-37",
    place="eq. 37",
    given=lambda: [strong_data, Ge(k, 1)],
    using=["note-chain", ("note-eq-37", chain)],
)
def noise_carried_back():
    """Noise of k epochs, carried back to the start."""
    return Le(
        eta * Sum(rate ** (2 * i), (i, 0, n - 1)) * Sum(epoch_rate ** (2 * (j - k)), (j, 0, k - 1)),
        noise(n * k),
    )


@claim(
    "note-claim-d.13",
    place="Claim D.13, for any two numbers",
    given=lambda: [
        Ge(k, 1),
        Gt(other_number, number**n),
        Lt(number ** (-2 * k * n), 1 + 1 / (alpha * amount) * (1 - number**2)),
    ],
    using=["note-eq-37"],
    proof=lambda: [
        step(
            "up to the balance epoch",
            Gt(
                1 / alpha,
                noise(n * k, number, amount),
            ),
        ),
        step(
            "a factor put in",
            Eq(
                Sum(other_number ** (2 * j), (j, 0, k - 1)),
                other_number ** (2 * k) * Sum(other_number ** (2 * (j - k)), (j, 0, k - 1)),
            ),
        ),
        step("a power", Gt(other_number ** (2 * k), 0)),
        step(
            "backwards",
            Gt(
                1 / alpha,
                amount
                * Sum(number ** (2 * i), (i, 0, n - 1))
                * Sum(other_number ** (2 * (j - k)), (j, 0, k - 1)),
            ),
        ),
    ],
    time_limit=60,
)
def any_noise_of_the_epochs():
    """Noise of k epochs against what is left of the prior, for any two numbers."""
    return Gt(
        1 / alpha * other_number ** (2 * k),
        amount
        * Sum(number ** (2 * i), (i, 0, n - 1))
        * Sum(other_number ** (2 * j), (j, 0, k - 1)),
    )


@claim(
    "claim-d.13",
    place="Claim D.13",
    given=lambda: [strong_data, Ge(k, 1), Lt(k, balance + 1)],
    using=["note-balance-next", "note-chain", ("note-claim-d.13", chain)],
    cites=["claim-d.12"],
)
def noise_of_the_epochs():
    """Noise of k epochs against what is left of the prior."""
    return Gt(
        1 / alpha * epoch_rate ** (2 * k),
        eta * Sum(rate ** (2 * i), (i, 0, n - 1)) * Sum(epoch_rate ** (2 * j), (j, 0, k - 1)),
    )


@claim("claim-d.14", place="Claim D.14, for every k", given=[strong_data], cites=["claim-d.13"])
def noise_of_one_cycle():
    """Noise of one cycle against the prior, after k epochs."""
    return Ge(
        1 / alpha * epoch_rate ** (2 * k),
        eta * epoch_rate ** (2 * k) * Sum(rate ** (2 * i), (i, 0, n - 1)),
    )


@claim(
    "eq-38",
    place="eq. 38; its sum is read as running over j",
    given=lambda: [strong_data, Ge(k, 1)],
    fault="boundary",
    effect="At k = 1 the sum is 1. Eq. 39 and claim D.14 hold without it.",
)
def powers_of_an_epoch_as_printed():
    """Powers of what an epoch keeps, around 1, as printed."""
    return [
        Lt(epoch_rate ** (2 * k), 1),
        Lt(1, Sum(epoch_rate ** (2 * j), (j, 0, k - 1))),
    ]


@claim("note-powers", place="eq. 38, for any number in (0, 1)", given=lambda: [Ge(k, 1)])
def powers_around_one():
    """Powers of a number around 1."""
    return [Lt(number ** (2 * k), 1), Le(1, Sum(number ** (2 * j), (j, 0, k - 1)))]


@claim(
    "eq-38-corrected",
    place="eq. 38, repaired",
    corrects=["eq-38"],
    why="The sum has its first term, 1, and no other at k = 1.",
    given=lambda: [strong_data, Ge(k, 1)],
    using=["note-chain", ("note-powers", lambda: {number: epoch_rate})],
)
def powers_of_an_epoch():
    """Powers of what an epoch keeps, around 1, repaired."""
    return [
        Lt(epoch_rate ** (2 * k), 1),
        Le(1, Sum(epoch_rate ** (2 * j), (j, 0, k - 1))),
    ]


@claim(
    "note-eq-39",
    place="eq. 39, for any two numbers",
    given=lambda: [Ge(k, 1)],
    proof=lambda: [
        step("a cycle adds noise", Gt(Sum(number ** (2 * i), (i, 0, n - 1)), 0)),
        step(
            "the last power",
            Lt(other_number ** (2 * k), Sum(other_number ** (2 * j), (j, 0, k - 1))),
        ),
    ],
)
def any_noise_of_one_epoch():
    """Noise of one cycle after k epochs against that of all, for any two numbers."""
    return Lt(
        amount * other_number ** (2 * k) * Sum(number ** (2 * i), (i, 0, n - 1)),
        amount
        * Sum(other_number ** (2 * j), (j, 0, k - 1))
        * Sum(number ** (2 * i), (i, 0, n - 1)),
    )


@claim(
    "eq-39",
    place="eq. 39",
    given=lambda: [strong_data, Ge(k, 1)],
    using=["note-chain", ("note-eq-39", chain)],
)
def noise_of_one_epoch():
    """Noise of one cycle after k epochs against that of all."""
    return Lt(
        eta * epoch_rate ** (2 * k) * Sum(rate ** (2 * i), (i, 0, n - 1)),
        eta * Sum(epoch_rate ** (2 * j), (j, 0, k - 1)) * Sum(rate ** (2 * i), (i, 0, n - 1)),
    )


# --- noise of later positions (claims D.15 and D.16) ----------------------------------------------


def chain_with_odd():
    """The chain's numbers in a lemma about a number, a larger one, and an amount."""
    return {number: rate, odd_number: odd_rate, amount: eta}


def any_epoch():
    """What an epoch multiplies by, for any two numbers."""
    return odd_number * number ** (n - 1)


def any_store():
    """What k epochs leave of the prior, and the noise that they make up, for any two numbers."""
    return 1 / alpha * any_epoch() ** (2 * k) + amount * Sum(
        any_epoch() ** (2 * j), (j, 0, k - 1)
    ) * Sum(number ** (2 * i), (i, 0, n - 1))


def any_plain_store():
    """The same without the odd record."""
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
    """What k epochs keep and make up, with the odd record and without, for any two numbers."""
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
    """What is kept before the odd record, from below, for any two numbers."""
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
    """What is kept before the odd record, from below."""
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
    """What claim D.15 comes down to."""
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
    """What is enough for claim D.15, as printed."""
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
    """Noise after the odd record against what is kept before it, for any two numbers."""
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
    """What the n - 1 other steps of a cycle multiply a variance by, from below."""
    return Ge(rate ** (2 * (n - 1)), exp(-2 / (x_h**2 * beta)))


@claim(
    "note-other-records",
    place="in place of claim D.19 in the proof of claim D.15",
    given=[strong_data],
    using=["note-memory", "claim-d.16"],
)
def half_is_left():
    """What the n - 1 other steps of a cycle leave of a variance, at the least."""
    return Ge(2 * rate ** (2 * (n - 1)), 1)


@claim("note-wide-prior", place="proof of claim D.15", given=[strong_data])
def prior_against_the_noise():
    """Variance of the prior against that of the noise in the long run."""
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
    cites=["claim-d.16", "claim-d.19", "eq-40", "eq-41", "eq-42"],
)
def noise_of_later_positions():
    """Noise after the odd record against what is kept before it."""
    return Gt(
        (odd_rate * rate ** (n - r)) ** 2 * store(), eta * Sum(rate ** (2 * i), (i, 0, n - r))
    )


# --- one epoch after the balance (claim D.17) -----------------------------------------------------


def factor_of_claim_d17(correction):
    """Left side of claim D.17."""
    growth_of_a_cycle = exp(2 / (x_h**2 * beta))
    return (
        1 / alpha * (growth_of_a_cycle + alpha * ((growth_of_a_cycle - 1) / (total() + correction)))
    )


@claim(
    "eq-43",
    place="eq. 43",
    given=[strong_data],
    fault="error",
    effect="It goes into claim D.17 only; lemma A.4 keeps its constants.",
)
def noise_in_the_long_run_as_printed():
    """Variance of the noise in the long run, as printed."""
    return Eq(eta / (rate**2 - 1), 1 / (total() + Rational(1, 8)))


@claim(
    "eq-43-corrected",
    place="eq. 43, repaired",
    corrects=["eq-43"],
    why="The denominator has the wrong sign, and so has the square; that square times eta / 4 is "
    "1 / 2, as in eq. 50.",
    given=[strong_data],
)
def noise_in_the_long_run():
    """Variance of the noise in the long run, repaired."""
    return Eq(eta / (1 - rate**2), 1 / (total() - half))


@claim(
    "note-claim-d.17",
    place="Claim D.17 for any numbers: a, the precision A, and a bound E on a cycle's growth",
    given=lambda: [
        Lt(number ** (-2 * k * n), 1 + 1 / (alpha * amount) * (1 - number**2)),
        Le(number ** (-2 * n), growth),
    ],
    proof=lambda: [
        step(
            "one cycle more",
            Eq(number ** (-2 * (k + 1) * n), number ** (-2 * k * n) * number ** (-2 * n)),
        ),
        step("a cycle", Gt(number ** (-2 * n), 0)),
        step(
            "the growth",
            Lt(
                number ** (-2 * (k + 1) * n),
                (1 + 1 / (alpha * amount) * (1 - number**2)) * number ** (-2 * n),
            ),
        ),
        step(
            "and its bound",
            Le(
                (1 + 1 / (alpha * amount) * (1 - number**2)) * number ** (-2 * n),
                (1 + 1 / (alpha * amount) * (1 - number**2)) * growth,
            ),
        ),
        step(
            "the noise, summed up",
            Eq(
                noise((k + 1) * n, number, amount),
                amount / (1 - number**2) * (number ** (-2 * (k + 1) * n) - 1),
            ),
        ),
    ],
)
def any_noise_after_the_balance():
    """Noise of one epoch more, carried back to the start, for any numbers."""
    return Gt(
        1 / alpha * growth + amount / (1 - number**2) * (growth - 1),
        noise((k + 1) * n, number, amount),
    )


@claim(
    "claim-d.19",
    place="Claim D.19, with the conditions of claim D.21",
    given=[strong_data, *records_enough],
    cites=["claim-d.20", "claim-d.21"],
    fault="error",
    effect="Lemmas A.3 to A.6 and theorem 1 need the power 2 (n - 1) only, which note-memory "
    "bounds without any condition on alpha.",
)
def memory_of_a_cycle_as_printed():
    """What the steps of a cycle multiply a variance by, from below, as printed."""
    return Ge((1 - 1 / total()) ** (2 * n), exp(-2 / (x_h**2 * beta)))


strong_prior = [alpha > half, alpha + n * x_h**2 * beta > 1 / (2 * alpha - 1)]
"""Where eq. 48 holds."""


@claim(
    "note-claim-d.19",
    place="claim D.19 for n x_h**2 beta, as a number",
    given=lambda: [Gt(alpha, half), Gt(alpha + growth, 1 / (2 * alpha - 1)), Gt(alpha + growth, 1)],
    time_limit=60,
)
def logarithm_from_below():
    """Logarithm of a rate, times the weight of the data, from below."""
    return Ge(growth * log(1 - 1 / (alpha + growth)), -1)


@claim(
    "claim-d.19-corrected",
    place="Claim D.19, repaired",
    corrects=["claim-d.19"],
    why="The power rises to its limit, instead of falling, where alpha <= 1/2; see text-d.21.",
    given=lambda: [strong_data, *strong_prior],
    using=[("note-claim-d.19", lambda: {growth: n * x_h**2 * beta})],
    proof=lambda: [
        step(
            "the logarithm, times 2 / (x_h**2 beta)",
            Ge(2 * n * log(1 - 1 / total()), -2 / (x_h**2 * beta)),
        ),
        step(
            "a power as an exponential",
            Eq((1 - 1 / total()) ** (2 * n), exp(2 * n * log(1 - 1 / total()))),
        ),
    ],
    time_limit=60,
)
def memory_of_a_whole_cycle():
    """What the steps of a cycle multiply a variance by, from below, repaired."""
    return Ge((1 - 1 / total()) ** (2 * n), exp(-2 / (x_h**2 * beta)))


@claim(
    "note-growth-of-a-cycle",
    place="claim D.19, repaired, upside down",
    given=lambda: [strong_data, *strong_prior],
    using=["claim-d.19-corrected"],
    proof=lambda: [
        step("the rate", Eq(rate ** (-2 * n), 1 / (1 - 1 / total()) ** (2 * n))),
        step("exponentials", Eq(exp(2 / (x_h**2 * beta)), 1 / exp(-2 / (x_h**2 * beta)))),
    ],
)
def growth_of_a_cycle():
    """What the steps of a cycle divide a variance by, from above."""
    return Le(rate ** (-2 * n), exp(2 / (x_h**2 * beta)))


@claim(
    "claim-d.17",
    place="Claim D.17, with the conditions of claim D.19",
    given=[strong_data, *records_enough, *at_the_balance],
    cites=["claim-d.19", "eq-43"],
    fault="error",
    effect="Lemma A.4 keeps its constants.",
    try_at=[{alpha: Rational(77, 1000), x_h: 1, beta: Rational(301, 100), n: 2, k: 6}],
)
def noise_after_the_balance_as_printed():
    """Noise of one epoch more, carried back to the start, as printed."""
    return Gt(factor_of_claim_d17(Rational(1, 8)), noise((k + 1) * n))


@claim(
    "claim-d.17-corrected",
    place="Claim D.17, repaired",
    corrects=["claim-d.17"],
    why="It needs claim D.19, whose condition has to be the repaired one, and eq. 43, which has "
    "1 / 2 less where the print has 1 / 8 more.",
    given=lambda: [strong_data, *strong_prior, Lt(k, balance + 1)],
    using=[
        "note-chain",
        "note-balance-next",
        "note-growth-of-a-cycle",
        (
            "note-claim-d.17",
            lambda: {number: rate, amount: eta, growth: exp(2 / (x_h**2 * beta))},
        ),
    ],
    proof=lambda: [
        step(
            "eq. 43, repaired",
            Eq(
                factor_of_claim_d17(-half),
                1 / alpha * exp(2 / (x_h**2 * beta))
                + eta / (1 - rate**2) * (exp(2 / (x_h**2 * beta)) - 1),
            ),
        ),
    ],
)
def noise_after_the_balance():
    """Noise of one epoch more, carried back to the start, repaired."""
    return Gt(factor_of_claim_d17(-half), noise((k + 1) * n))


@claim("claim-d.18", place="Claim D.18", given=lambda: [strong_data, Gt(k, 0)])
def share_that_the_odd_record_leaves():
    """Powers of the two rates, apart."""
    return Ge(
        1 - (rate / odd_rate) ** k,
        Rational(3, 4)
        * n
        * x_h**2
        * beta
        / (total() ** 2 - (alpha + Rational(1, 4) * n * x_h**2 * beta)),
    )


# --- the limit of a cycle (claims D.20 and D.21) --------------------------------------------------


def cycle_of(records):
    """What the steps of a cycle multiply a variance by."""
    return (1 - 1 / total(records)) ** (2 * records)


@claim("claim-d.20", place="Claim D.20", cites=["eq-44", "eq-45"])
def limit_of_a_cycle():
    """What two cycles of ordinary steps multiply by, for many records."""
    return Order(
        (1 - 1 / (alpha + n * x_h**2 * beta)) ** (2 * n), 1, n, limit=exp(-2 / (x_h**2 * beta))
    )


@claim("eq-44", place="eq. 44", given=[strong_data])
def cycle_as_an_exponential():
    """Power of a rate as an exponential."""
    return [
        Eq(cycle_of(n), exp(log(cycle_of(n)))),
        Eq(cycle_of(n), exp(2 * n * log(1 - 1 / total()))),
        Eq(cycle_of(n), exp(log(1 - 1 / total()) / (1 / (2 * n)))),
    ]


@claim("eq-45", place="eq. 45, its derivatives", given=[n_real * x_h**2 * beta > 3])
def derivatives_for_the_limit():
    """Derivatives of the two parts of the quotient."""
    return Eq(
        derivative(log(1 - 1 / total(n_real)), n_real) / derivative(1 / (2 * n_real), n_real),
        x_h**2 * beta / ((total(n_real) - 1) * total(n_real)) / (-1 / (2 * n_real**2)),
    )


@claim("eq-45.limit", place="eq. 45, its limit", given=[strong_data])
def limit_of_the_quotient():
    """Limit of the quotient of the derivatives."""
    return Order(
        x_h**2 * beta / ((total() - 1) * total()) / (-1 / (2 * n**2)),
        1,
        n,
        limit=-2 / (x_h**2 * beta),
    )


def slope_of_a_cycle():
    """Right side of eq. 46, after its second line."""
    records = n_real
    logarithm = 2 * log(1 - 1 / total(records))
    return cycle_of(records) * (
        logarithm + 2 * records * x_h**2 * beta / ((total(records) - 1) * total(records))
    )


@claim("eq-46", place="eq. 46", given=[n_real * x_h**2 * beta > 3])
def derivative_of_a_cycle():
    """Derivative of what a cycle multiplies by, in the number of records."""
    return Eq(derivative(cycle_of(n_real), n_real), slope_of_a_cycle())


@claim("eq-47", place="eq. 47; the text calls this upper bound a lower one", given=[strong_data])
def logarithm_of_the_rate():
    """Logarithm of the rate, from above."""
    return Le(log(1 - 1 / total()), -1 / total() - half * (1 / total()) ** 2)


@claim("eq-48", place="eq. 48, times 2 (A - 1) A**2, which is positive", given=[strong_data])
def sign_of_the_derivative():
    """What the sign of the derivative depends on."""
    weight = n * x_h**2 * beta
    return [
        Eq(
            2
            * (total() - 1)
            * total() ** 2
            * (1 / total() + 1 / (2 * total() ** 2) - weight / ((total() - 1) * total())),
            2 * alpha**2 + 2 * weight * alpha - 2 * alpha - 2 * weight + alpha + weight - 1,
        ),
        Eq(
            2 * alpha**2 + 2 * weight * alpha - 2 * alpha - 2 * weight + alpha + weight - 1,
            weight * (2 * alpha - 1) + alpha * (2 * alpha - 1) - 1,
        ),
    ]


@claim(
    "text-d.21",
    place="before eq. 48, its condition on n read as giving that on alpha",
    given=[strong_data, *records_enough],
    fault="error",
    effect="Claims D.19 and D.21 fail with it where alpha <= 1/2, lemmas A.3 to A.6 do not.",
)
def condition_for_the_sign_as_printed():
    """Condition under which eq. 48 holds, as printed."""
    return Gt(alpha, half * (1 / (n * x_h**2 * beta) + 1))


@claim(
    "text-d.21-corrected",
    place="before eq. 48, repaired",
    corrects=["text-d.21"],
    why="Solved for n, the condition on alpha is n > 1 / ((2 alpha - 1) x_h**2 beta), and it "
    "needs alpha > 1/2.",
    given=lambda: [Gt(alpha, half), Gt(n, 1 / ((2 * alpha - 1) * x_h**2 * beta))],
)
def condition_for_the_sign():
    """Condition under which eq. 48 holds, repaired."""
    return Gt(alpha, half * (1 / (n * x_h**2 * beta) + 1))


@claim(
    "claim-d.21",
    place="Claim D.21",
    given=[strong_data, n_real > 1 / (2 * alpha * x_h**2 * beta) - 1 / (x_h**2 * beta)],
    cites=["eq-46", "eq-47", "eq-48"],
    fault="error",
    effect="Claim D.19 fails with it where alpha <= 1/2, lemmas A.3 to A.6 do not.",
)
def cycle_falls_as_printed():
    """Sign of the derivative of what a cycle multiplies by, as printed."""
    return Lt(derivative(cycle_of(n_real), n_real), 0)


@claim(
    "claim-d.21-corrected",
    place="Claim D.21, repaired",
    corrects=["claim-d.21"],
    why="The condition on n is the one that eq. 48 needs, see text-d.21-corrected.",
    given=lambda: [strong_data, Gt(alpha, half), Gt(n_real, 1 / ((2 * alpha - 1) * x_h**2 * beta))],
    proof=lambda: [
        step("eq. 46", Eq(derivative(cycle_of(n_real), n_real), slope_of_a_cycle())),
        step(
            "eq. 47",
            Le(
                log(1 - 1 / total(n_real)),
                -1 / total(n_real) - half * (1 / total(n_real)) ** 2,
            ),
        ),
        step(
            "eq. 48",
            Lt(
                n_real * x_h**2 * beta / ((total(n_real) - 1) * total(n_real)),
                1 / total(n_real) + 1 / (2 * total(n_real) ** 2),
            ),
        ),
        step("a power", Gt(cycle_of(n_real), 0)),
    ],
    time_limit=60,
)
def cycle_falls():
    """Sign of the derivative of what a cycle multiplies by, repaired."""
    return Lt(derivative(cycle_of(n_real), n_real), 0)


# --- k-dot is positive (claim D.22), and what it shows (claim D.23) -------------------------------


@claim(
    "note-eq-49",
    place="eq. 49, from its last line to its second, for any numbers",
    given=lambda: [Lt(number ** (-2 * n) - 1, growth - 1)],
    proof=lambda: [
        step("the logarithm of the number", Lt(log(number), 0)),
        step("a power as an exponential", Eq(number ** (-2 * n), exp(-2 * n * log(number)))),
        step("exponentials grow", Lt(-2 * n * log(number), log(growth))),
    ],
)
def positive_exponent():
    """Sign of the exponent at which a power reaches its bound."""
    return Gt(log(1 / growth) / log(number) / (2 * n) - 1, 0)


@claim(
    "eq-49",
    place="eq. 49, from its last line to its first",
    given=lambda: [strong_data, Lt(rate ** (-2 * n) - 1, 1 / (alpha * eta) * (1 - rate**2))],
    using=["note-chain", ("note-eq-49", lambda: {number: rate, growth: share()})],
    proof=lambda: [
        step("the same, with 1 on both sides", Lt(rate ** (-2 * n) - 1, share() - 1)),
    ],
)
def positive_balance():
    """Sign of the balance epoch, by the growth of a cycle."""
    return Gt(balance, 0)


@claim(
    "eq-50",
    place="eq. 50, from its last line to its first",
    given=[strong_data, *records_for_k_dot],
)
def growth_against_the_share():
    """What the condition of claim D.22 gives."""
    return Lt(exp(2 / (x_h**2 * beta)) - 1, 1 / (alpha * eta) * (1 - rate**2))


@claim(
    "note-claim-d.22",
    place="in place of claim D.19 in the proof of claim D.22",
    given=[strong_data],
    proof=lambda: [
        step("a logarithm from below", Ge(log(1 - 1 / total()), -1 / (total() - 1))),
        step("the rate", Eq(rate, 1 - 1 / total())),
        step("a cycle", Le(-2 * n * log(rate), 2 * n / (total() - 1))),
        step("records are many", Le(2 * n, Rational(2, 3) * (n * x_h**2 * beta))),
        step(
            "the share",
            Eq(1 / (alpha * eta) * (1 - rate**2), 1 + (n * x_h**2 * beta - half) / alpha),
        ),
        step("a power as an exponential", Eq(rate ** (-2 * n), exp(-2 * n * log(rate)))),
    ],
    time_limit=60,
)
def growth_of_a_cycle_against_the_share():
    """Growth of a cycle against the prior's share."""
    return Lt(rate ** (-2 * n) - 1, 1 / (alpha * eta) * (1 - rate**2))


@claim(
    "claim-d.22",
    place="Claim D.22",
    given=[strong_data, *records_enough, *records_for_k_dot],
    using=["note-claim-d.22", "eq-49"],
    cites=["claim-d.19", "eq-50"],
)
def balance_is_positive():
    """Sign of the balance epoch."""
    return Gt(balance, 0)


@claim(
    "claim-d.23",
    place="Claim D.23, for each component of the mixture, by lemma A.5",
    given=lambda: [Ge(component_gap**2 / component_sd**2, separation_bound)],
    using=["lemma-4.4"],
    cites=["lemma-4.4", "lemma-a.5"],
    proof=lambda: [
        step(
            "exponentials grow",
            Le(exp(-(component_gap**2) / (2 * component_sd**2)), exp(-separation_bound / 2)),
        ),
    ],
)
def half_line_on_the_odd_dataset():
    """Probability of the half-line above the plain mean, on the dataset with the odd record."""
    return Le(
        erfc(component_gap / (component_sd * sqrt(2))) / 2,
        exp(
            -exp(-2 / (x_h**2 * beta))
            * (alpha / (2 * variance_factor))
            * (3 / (32 * x_h**2 * beta)) ** 2
            * (c / n) ** 2
        ),
    )
