"""Appendix D: noise of the chain up to the balance epoch: claims D.12 to D.14, eq. 37 to 39."""

from sympy import Eq, Ge, Gt, Le, Lt, Or, Rational, Sum, exp, log

from dpbook import claim, step
from dpbook.langevin.notation import (
    alpha,
    amount,
    balance,
    beta,
    epoch_rate,
    eta,
    growth,
    i,
    j,
    k,
    n,
    number,
    odd_rate,
    other_number,
    rate,
    strong_data,
    x_h,
)

half = Rational(1, 2)


def equivalent(one, other):
    """State that two relations hold together or not at all."""
    return [Or(one, other.negated), Or(other, one.negated)]


def total(records=n):
    """Precision of the posterior on D_1."""
    return alpha + records * x_h**2 * beta


def share():
    """Return the growth at which noise outweighs the prior: the argument of the logarithm in k."""
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
    """Growth of noise up to the balance epoch."""
    return Le(rate ** (-2 * (k + 1) * n), share())


@claim(
    "note-balance-next",
    place="what k < k-dot + 1 means for the chain",
    given=lambda: [strong_data, Lt(k, balance + 1)],
    using=["note-chain", ("note-growth-next", lambda: {number: rate, growth: share()})],
)
def noise_at_the_balance():
    """Growth of noise up to one epoch before the balance epoch, rounded up."""
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
    """Order of the factors of steps and epochs, and the sign of the noise."""
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
        step("the last one keeps more", Gt(other_number ** (2 * k), number ** (2 * n * k))),
        step(
            "it is carried back by strictly less",
            Lt(other_number ** (-2 * k), number ** (-2 * n * k)),
        ),
        step(
            "the other way round",
            Eq(
                Sum(other_number ** (2 * (j - k)), (j, 0, k - 1)),
                Sum(other_number ** (-2 * j), (j, 1, k)),
            ),
        ),
        step("a cycle adds noise", Gt(amount * Sum(number ** (2 * i), (i, 0, n - 1)), 0)),
        step(
            "an epoch more is carried back by less",
            Le(
                Sum(other_number ** (-2 * j), (j, 1, k - 1)),
                Sum(number ** (-2 * n * j), (j, 1, k - 1)),
            ),
        ),
        *(
            step(
                "the last one apart",
                Eq(
                    Sum(one ** (-2 * power * j), (j, 1, k)),
                    Sum(one ** (-2 * power * j), (j, 1, k - 1)) + one ** (-2 * power * k),
                ),
            )
            for one, power in ((other_number, 1), (number, n))
        ),
        step(
            "together",
            Lt(
                Sum(other_number ** (-2 * j), (j, 1, k)),
                Sum(number ** (-2 * n * j), (j, 1, k)),
            ),
        ),
        step(
            "times the noise of a cycle",
            Lt(
                amount
                * Sum(number ** (2 * i), (i, 0, n - 1))
                * Sum(other_number ** (2 * (j - k)), (j, 0, k - 1)),
                amount
                * Sum(number ** (2 * i), (i, 0, n - 1))
                * Sum(number ** (-2 * n * j), (j, 1, k)),
            ),
        ),
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
    return Lt(
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
    return Lt(
        eta * Sum(rate ** (2 * i), (i, 0, n - 1)) * Sum(epoch_rate ** (2 * (j - k)), (j, 0, k - 1)),
        noise(n * k),
    )


@claim(
    "note-claim-d.13",
    place="Claim D.13, for any two numbers",
    given=lambda: [
        Ge(k, 1),
        Gt(other_number, number**n),
        Le(number ** (-2 * k * n), 1 + 1 / (alpha * amount) * (1 - number**2)),
    ],
    using=["note-eq-37"],
    proof=lambda: [
        step(
            "up to the balance epoch",
            Ge(
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
    """Noise of k epochs, against the remaining variance of the prior, for any two numbers."""
    return Gt(
        1 / alpha * other_number ** (2 * k),
        amount
        * Sum(number ** (2 * i), (i, 0, n - 1))
        * Sum(other_number ** (2 * j), (j, 0, k - 1)),
    )


@claim(
    "claim-d.13",
    place="Claim D.13, for an epoch up to the balance epoch and one more",
    given=lambda: [strong_data, Ge(k, 1), Le(k, balance + 1)],
    using=[
        ("note-balance", lambda: {k: k - 1}),
        "note-chain",
        ("note-claim-d.13", chain),
    ],
    proof=lambda: [step("one epoch earlier", Le(rate ** (-2 * k * n), share()))],
    without={"claim-d.12": "refuted as printed; note-claim-d.13 bounds the sum over epochs"},
)
def noise_of_the_epochs():
    """Noise of k epochs, against the remaining variance of the prior."""
    return Gt(
        1 / alpha * epoch_rate ** (2 * k),
        eta * Sum(rate ** (2 * i), (i, 0, n - 1)) * Sum(epoch_rate ** (2 * j), (j, 0, k - 1)),
    )


@claim(
    "claim-d.14",
    place="Claim D.14, for every k",
    given=[strong_data],
    without={"claim-d.13": "one cycle is bounded by itself, for every k"},
)
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
    """Powers of the factor of an epoch, around 1, as printed."""
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
    """Powers of the factor of an epoch, around 1, repaired."""
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
    """Noise of one cycle after k epochs, against the noise of all, for any two numbers."""
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
    """Noise of one cycle after k epochs, against the noise of all."""
    return Lt(
        eta * epoch_rate ** (2 * k) * Sum(rate ** (2 * i), (i, 0, n - 1)),
        eta * Sum(epoch_rate ** (2 * j), (j, 0, k - 1)) * Sum(rate ** (2 * i), (i, 0, n - 1)),
    )
