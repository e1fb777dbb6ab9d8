"""Appendix D: noise after the balance epoch, and the limit of a cycle: claims D.17 to D.23, eq. 43 to 50."""

from sympy import Abs, Eq, Ge, Gt, Le, Lt, Or, Rational, exp, log

from dpbook import Order, claim, derivative, step
from dpbook.langevin.claims.appendix_d_chain import equivalent, half, noise, share, total
from dpbook.langevin.notation import (
    alpha,
    amount,
    at_the_balance,
    balance,
    beta,
    epochs,
    eta,
    growth,
    k,
    least_gap,
    n,
    n_real,
    number,
    odd_rate,
    rate,
    records_enough,
    records_for_k_dot,
    spread,
    strong_data,
    x_h,
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
    """Factor of a variance over the steps of a cycle, from below, as printed."""
    return Ge((1 - 1 / total()) ** (2 * n), exp(-2 / (x_h**2 * beta)))


strong_prior = [alpha > half, alpha + n * x_h**2 * beta > 1 / (2 * alpha - 1)]
"""Conditions under which eq. 48 holds."""


@claim("note-logarithm-below", place="claim D.19, for any number")
def logarithm_of_a_rate():
    """Logarithm of a number below 1, from below."""
    return Ge(log(1 - number), -number - number**2 / (2 * (1 - number)))


@claim(
    "note-claim-d.19",
    place="claim D.19 for n x_h**2 beta, as a number",
    given=lambda: [Gt(alpha, half), Gt(alpha + growth, 1 / (2 * alpha - 1)), Gt(alpha + growth, 1)],
    using=[("note-logarithm-below", lambda: {number: 1 / (alpha + growth)})],
    proof=lambda: [
        step("the prior is strong", Le(alpha, (2 * alpha - 1) * (alpha + growth))),
        step(
            "the bound of the logarithm",
            Ge(
                growth
                * (
                    -1 / (alpha + growth)
                    - (1 / (alpha + growth)) ** 2 / (2 * (1 - 1 / (alpha + growth)))
                ),
                -1,
            ),
        ),
        step(
            "times the weight of the data",
            Ge(
                growth * log(1 - 1 / (alpha + growth)),
                growth
                * (
                    -1 / (alpha + growth)
                    - (1 / (alpha + growth)) ** 2 / (2 * (1 - 1 / (alpha + growth)))
                ),
            ),
        ),
    ],
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
    """Factor of a variance over the steps of a cycle, from below, repaired."""
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
    """Divisor of a variance over the steps of a cycle, from above."""
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


@claim("note-first-power", place="used by Claim D.18, for any number", given=[epochs >= 1])
def power_of_a_number_below_one():
    """A power of a number below 1, and the number."""
    return Le(number**epochs, number)


@claim(
    "note-one-cycle-apart",
    place="used by Claim D.18",
    given=[strong_data],
    using=["note-chain"],
)
def share_after_one_cycle():
    """The two rates, apart."""
    return Ge(1 - rate / odd_rate, share_of_a_cycle())


def share_of_a_cycle():
    """Right side of claim D.18."""
    return (
        Rational(3, 4)
        * n
        * x_h**2
        * beta
        / (total() ** 2 - (alpha + Rational(1, 4) * n * x_h**2 * beta))
    )


@claim(
    "claim-d.18",
    place="Claim D.18, for all k > 0, as printed",
    given=lambda: [strong_data, Gt(epochs, 0)],
    fault="boundary",
    effect="None: it holds at every whole k (note-claim-d.18), and lemma A.5 takes it there. It holds from "
    "k = 1 on, where both sides are equal, and fails at every k below 1.",
    try_at=[{alpha: 1, x_h: 1, beta: Rational(81, 25), n: 100, epochs: Rational(1, 2)}],
)
def share_that_the_odd_record_leaves_as_printed():
    """Powers of the two rates, apart, as printed."""
    return Ge(1 - (rate / odd_rate) ** epochs, share_of_a_cycle())


@claim(
    "claim-d.18-corrected",
    place="Claim D.18, repaired",
    corrects=["claim-d.18"],
    why="Its first step takes a power of a number below 1 to be at most the number, so the power has to "
    "be 1 or more.",
    given=lambda: [strong_data, Ge(epochs, 1)],
    using=[
        "note-chain",
        ("note-first-power", lambda: {number: rate / odd_rate}),
        "note-one-cycle-apart",
    ],
)
def share_that_the_odd_record_leaves():
    """Powers of the two rates, apart, repaired."""
    return Ge(1 - (rate / odd_rate) ** epochs, share_of_a_cycle())


@claim(
    "note-claim-d.18",
    place="Claim D.18 as lemma A.5 uses it",
    given=lambda: [strong_data, Gt(k, 0)],
    using=[("claim-d.18-corrected", lambda: {epochs: k})],
)
def share_after_whole_epochs():
    """Powers of the two rates, apart, after whole epochs."""
    return Ge(1 - (rate / odd_rate) ** k, share_of_a_cycle())


# --- the limit of a cycle (claims D.20 and D.21) --------------------------------------------------


def cycle_of(records):
    """Return the factor of a variance over the steps of a cycle."""
    return (1 - 1 / total(records)) ** (2 * records)


@claim("note-exponentials-near", place="claim D.20, for any two numbers")
def exponentials_of_near_numbers():
    """Two exponentials of negative numbers, by the distance of the numbers."""
    near = Abs(spread - least_gap)
    return Le(Abs(exp(-spread) - exp(-least_gap)), near)


def limit_exponent():
    """Return the limit of a cycle's exponent."""
    return 2 / (x_h**2 * beta)


@claim(
    "note-claim-d.20",
    place="claim D.20, of the exponents",
    given=[strong_data],
    proof=lambda: [
        step("many data", Gt(n * x_h**2 * beta, 6)),
        step("from above", Le(log(1 - 1 / total()), -1 / total())),
        step("a logarithm from below", Ge(log(1 - 1 / total()), -1 / (total() - 1))),
        step("times the records", Ge(-2 * n * log(1 - 1 / total()), 2 * n / total())),
        step("and from below", Le(-2 * n * log(1 - 1 / total()), 2 * n / (total() - 1))),
        step("the one side", Ge(2 * n / total(), limit_exponent() - distance_of_the_limit())),
        step("the other", Le(2 * n / (total() - 1), limit_exponent() + distance_of_the_limit())),
    ],
)
def exponent_near_its_limit():
    """Exponent of a cycle, and its limit."""
    exponent = -2 * n * log(1 - 1 / total())
    return [
        Gt(exponent, 0),
        Le(Abs(exponent - limit_exponent()), distance_of_the_limit()),
    ]


def distance_of_the_limit():
    """Return the upper bound on the distance of a cycle's exponent from its limit."""
    return (2 * alpha + 4) / (x_h**2 * beta) ** 2 / n


@claim(
    "note-claim-d.20-rate",
    place="claim D.20, with a rate",
    given=[strong_data],
    using=[
        "note-claim-d.20",
        (
            "note-exponentials-near",
            lambda: {spread: -2 * n * log(1 - 1 / total()), least_gap: limit_exponent()},
        ),
    ],
    proof=lambda: [
        step(
            "a power as an exponential",
            Eq((1 - 1 / total()) ** (2 * n), exp(-(-2 * n * log(1 - 1 / total())))),
        ),
    ],
)
def rate_of_a_cycle():
    """Factor of two cycles of ordinary steps, and its limit."""
    cycle = (1 - 1 / total()) ** (2 * n)
    return Le(Abs(cycle - exp(-limit_exponent())), distance_of_the_limit())


@claim(
    "claim-d.20",
    place="Claim D.20",
    given=[strong_data],
    using=["note-claim-d.20-rate"],
    without={
        "eq-44": "the limit is bounded from both sides",
        "eq-45": "the limit is bounded from both sides",
    },
    proof=lambda: [
        (
            "a rate",
            Le(
                Abs((1 - 1 / (alpha + n * x_h**2 * beta)) ** (2 * n) - exp(-2 / (x_h**2 * beta))),
                distance_of_the_limit(),
            ),
        ),
    ],
)
def limit_of_a_cycle():
    """Factor of two cycles of ordinary steps, for many records."""
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


@claim(
    "eq-45.limit",
    place="eq. 45, its limit",
    given=[strong_data],
    proof=lambda: [
        (
            "a rate",
            Le(
                Abs(
                    x_h**2 * beta / ((total() - 1) * total()) / (-1 / (2 * n**2))
                    + 2 / (x_h**2 * beta)
                ),
                3 * (2 * alpha + 1) / (x_h**2 * beta) ** 2 / n,
            ),
        ),
    ],
)
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
    """Derivative of the factor of a cycle, in the number of records."""
    return Eq(derivative(cycle_of(n_real), n_real), slope_of_a_cycle())


@claim("eq-47", place="eq. 47; the text calls this upper bound a lower one", given=[strong_data])
def logarithm_of_the_rate():
    """Logarithm of the rate, from above."""
    return Le(log(1 - 1 / total()), -1 / total() - half * (1 / total()) ** 2)


@claim("eq-48", place="eq. 48, times 2 (A - 1) A**2, which is positive", given=[strong_data])
def sign_of_the_derivative():
    """Expression on which the sign of the derivative depends."""
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
    """Sign of the derivative of the factor of a cycle, as printed."""
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
    """Sign of the derivative of the factor of a cycle, repaired."""
    return Lt(derivative(cycle_of(n_real), n_real), 0)


# --- k-dot is positive (claim D.22), and what it shows (claim D.23) -------------------------------


def exponent_of_the_balance():
    """First line of eq. 49, for any numbers."""
    return log(1 / growth) / log(number) / (2 * n) - 1


@claim(
    "note-eq-49-solved",
    place="eq. 49, its logarithms, for any numbers",
    proof=lambda: [
        step("the logarithm of the number", Lt(log(number), 0)),
        step("the second line", Eq(log(1 / growth), -log(growth))),
        step(
            "solved",
            Eq(
                exponent_of_the_balance() * (-2 * n * log(number)),
                log(growth) - (-2 * n * log(number)),
            ),
        ),
    ],
)
def exponent_solved():
    """Sign of the exponent at which a power reaches its bound, in logarithms."""
    last = Lt(-2 * n * log(number), log(growth))
    return equivalent(Gt(exponent_of_the_balance(), 0), last)


@claim(
    "note-eq-49",
    place="eq. 49, its lines, for any numbers",
    using=["note-eq-49-solved"],
    proof=lambda: [
        step("a power as an exponential", Eq(number ** (-2 * n), exp(-2 * n * log(number)))),
        step("and its bound", Eq(growth, exp(log(growth)))),
        step(
            "exponentials grow",
            Or(
                Ge(-2 * n * log(number), log(growth)),
                Lt(exp(-2 * n * log(number)), exp(log(growth))),
            ),
        ),
        step(
            "and back",
            Or(
                Lt(-2 * n * log(number), log(growth)),
                Ge(exp(-2 * n * log(number)), exp(log(growth))),
            ),
        ),
    ],
)
def positive_exponent():
    """Sign of the exponent at which a power reaches its bound."""
    last = Lt(number ** (-2 * n) - 1, growth - 1)
    return equivalent(Gt(exponent_of_the_balance(), 0), last)


@claim(
    "eq-49",
    place="eq. 49, its first line and its last",
    given=lambda: [strong_data],
    using=["note-chain", ("note-eq-49", lambda: {number: rate, growth: share()})],
)
def positive_balance():
    """Sign of the balance epoch, by the growth of a cycle: the lines are equivalent."""
    last = Lt(rate ** (-2 * n) - 1, 1 / (alpha * eta) * (1 - rate**2))
    return equivalent(Gt(balance, 0), last)


@claim(
    "eq-50",
    place="eq. 50, its first line and its last",
    given=[strong_data],
)
def growth_against_the_share():
    """Condition of claim D.22: the first line and the last line are equivalent."""
    first = Lt(exp(2 / (x_h**2 * beta)) - 1, 1 / (alpha * eta) * (1 - rate**2))
    return equivalent(first, *records_for_k_dot)


@claim("note-exponential-above", place="claim D.22, for any number")
def exponential_from_above():
    """Exponential of a number below 1, from above."""
    return Le(exp(number), 1 / (1 - number))


def exponent_at_most():
    """Return the upper bound on the exponent of a cycle."""
    return Rational(2, 3) * (n * x_h**2 * beta) / (total() - 1)


@claim(
    "note-exponent-of-a-cycle",
    place="claim D.22: what the exponent of a cycle is at most",
    given=[strong_data],
    proof=lambda: [step("the data weigh", Gt(n * x_h**2 * beta, 6))],
)
def exponent_of_a_cycle():
    """Upper bound u on the exponent of a cycle: its range, and 1 / (1 - u) against the share."""
    return [
        Gt(exponent_at_most(), 0),
        Lt(exponent_at_most(), 1),
        Lt(1 / (1 - exponent_at_most()), 2 + (n * x_h**2 * beta - half) / alpha),
    ]


@claim(
    "note-claim-d.22",
    place="in place of claim D.19 in the proof of claim D.22",
    given=[strong_data],
    using=[
        "note-exponent-of-a-cycle",
        ("note-exponential-above", lambda: {number: exponent_at_most()}),
    ],
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
        step("its exponent", Le(-2 * n * log(rate), exponent_at_most())),
        step("which it is at most", Le(exp(-2 * n * log(rate)), exp(exponent_at_most()))),
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
    without={
        "claim-d.19": "refuted as printed; eq. 49 is shown from note-claim-d.22",
        "eq-50": "a step of the print's calculation",
    },
)
def balance_is_positive():
    """Sign of the balance epoch."""
    return Gt(balance, 0)
