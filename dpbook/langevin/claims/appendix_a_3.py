"""Appendix A.3: the law of the chain, and how far apart two chains are."""

from sympy import Eq, Ge, Gt, Integer, Integral, Le, Lt, Rational, Sum, exp, log, oo, sqrt

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Recurrence
from dpbook.langevin.claims.appendix_d_chain import (
    any_epoch,
    any_store,
    chain,
    chain_with_odd,
    half,
    noise,
    share,
    total,
)
from dpbook.langevin.claims.section_3 import drift_of_a_step
from dpbook.langevin.notation import (
    alpha,
    amount,
    balance,
    beta,
    c,
    delta,
    drift,
    ell,
    epoch_drift,
    epoch_noise,
    epoch_rate,
    epoch_shift,
    epoch_spread,
    epsilon,
    eta,
    event_hat,
    gap,
    growth,
    i,
    j,
    k,
    least_gap,
    least_ratio,
    long_run,
    m,
    mean_odd,
    mean_plain,
    most_spread,
    multiplier,
    n,
    noise_sd,
    number,
    odd_drift,
    odd_number,
    odd_rate,
    other_number,
    r,
    rate,
    records_enough,
    records_for_k_dot,
    separation_bound,
    share_of_data,
    shift,
    spread,
    start,
    start_variance,
    step_mean,
    step_sd,
    strong_data,
    theta,
    variance_factor,
    variance_odd,
    x,
    x_h,
)
from dpbook.privacy.laws import Normal

# --- one step -------------------------------------------------------------------------------------


@claim("eq-17", place="eq. 17, in one step of the chain on the data of eq. 7")
def step_of_the_chain():
    """One step of the chain, with an ordinary record and with the odd one."""
    return [
        Eq(drift_of_a_step(theta, x_h, c * x_h), rate * theta + drift),
        Eq(drift_of_a_step(theta, x_h / 2, c * (x_h / 2)), odd_rate * theta + odd_drift),
    ]


@claim("corollary-a.1", place="Corollary A.1, for one step: a normal law stays normal")
def law_after_a_step():
    """Law of the chain after a step."""
    before = Normal(step_mean, step_sd).density(theta)
    moved = Normal(multiplier * theta + shift, noise_sd).density(x)
    after = Normal(multiplier * step_mean + shift, sqrt(multiplier**2 * step_sd**2 + noise_sd**2))
    return Eq(Integral(before * moved, (theta, -oo, oo)), after.density(x))


@claim("note-rates", place="used by lemma A.2", given=[strong_data])
def order_of_the_rates():
    """Both rates lie between 0 and 1, the odd one nearer to 1."""
    return [Gt(rate, 0), Gt(odd_rate, rate), Lt(odd_rate, 1)]


# --- lemma A.1: means -----------------------------------------------------------------------------


@claim("lemma-a.1.steps", place="Lemma A.1, mean after m ordinary steps", given=[strong_data])
def mean_after_ordinary_steps():
    """Mean after m ordinary steps."""
    return Recurrence(
        step=lambda mean: rate * mean + drift,
        start=start,
        closed_form=rate**m * start + drift * Sum(rate**i, (i, 0, m - 1)),
        index=m,
    )


@claim("lemma-a.1.cycle", place="Lemma A.1, mean within an epoch, r = 1", given=[strong_data])
def mean_after_the_odd_record():
    """Mean after the odd record and m ordinary steps."""
    return Recurrence(
        step=lambda mean: rate * mean + drift,
        start=odd_rate * start + odd_drift,
        closed_form=start * odd_rate * rate**m
        + odd_drift * rate**m
        + drift * Sum(rate**i, (i, 0, m - 1)),
        index=m,
    )


@claim("lemma-a.1.mean", place="Lemma A.1, mean after k + 1 epochs, r = 1", given=[strong_data])
def mean_after_epochs():
    """Mean after k + 1 epochs, odd record first, whatever an epoch adds."""
    return Recurrence(
        step=lambda mean: odd_rate * rate ** (n - 1) * mean + epoch_shift,
        start=odd_rate * rate ** (n - 1) * start + epoch_shift,
        closed_form=start * odd_rate ** (k + 1) * rate ** ((n - 1) * (k + 1))
        + Sum((odd_rate * rate ** (n - 1)) ** j * epoch_shift, (j, 0, k)),
        index=k,
    )


@claim(
    "lemma-a.1.cycle-r",
    place="Lemma A.1, mean within an epoch, any r: r - 1 steps, the odd record, n - r steps",
    given=[strong_data],
)
def mean_after_an_epoch():
    """Mean after one epoch, odd record at any position."""
    before = rate ** (r - 1) * start + drift * Sum(rate**i, (i, 0, r - 2))
    after = odd_rate * before + odd_drift
    return Eq(
        rate ** (n - r) * after + drift * Sum(rate**i, (i, 0, n - r - 1)),
        start * epoch_rate + epoch_drift,
    )


@claim("lemma-a.1.mean-r", place="Lemma A.1, mean after k + 1 epochs, any r", given=[strong_data])
def mean_after_epochs_any_position():
    """Mean after k + 1 epochs, odd record at any position, whatever an epoch adds."""
    return Recurrence(
        step=lambda mean: epoch_rate * mean + epoch_shift,
        start=epoch_rate * start + epoch_shift,
        closed_form=start * (odd_rate * rate ** (n - 1)) ** (k + 1)
        + epoch_shift * Sum((odd_rate * rate ** (n - 1)) ** ell, (ell, 0, k)),
        index=k,
    )


def mean_by_the_odd_record(bracketed):
    """Second form of the mean for r > 1, in the proof of lemma A.2, with and without a bracket."""
    first = drift * Sum(rate**i, (i, 0, r - 2)) * (odd_rate**k * rate ** (k * (n - 1)))
    cycles = Sum((odd_rate * rate ** (n - 1)) ** j, (j, 0, k - 1)) * (
        odd_drift * rate ** (n - 1) + drift * Sum(rate**i, (i, 0, n - 2))
    )
    carried = odd_rate * rate ** (n - r)
    last = odd_drift * rate ** (n - r) + drift * Sum(rate**j, (j, 0, n - r - 1))
    return (first + cycles) * carried + last if bracketed else first + cycles * carried + last


@claim(
    "text-a-mean",
    place="proof of Lemma A.2, mean for r > 1",
    given=[r > 1, strong_data],
    fault="misprint",
    effect="The display that follows has the bracket; lemma A.2 is not touched.",
)
def mean_cycle_by_cycle_as_printed():
    """Mean after k + 1 epochs, cycles begun at the odd record, as printed."""
    return Eq(mean_odd, mean_by_the_odd_record(bracketed=False))


@claim(
    "text-a-mean-corrected",
    place="proof of Lemma A.2, mean for r > 1, repaired",
    corrects=["text-a-mean"],
    why="The first summand, too, still meets the odd record and the last n - r steps.",
    given=[r > 1, strong_data],
)
def mean_cycle_by_cycle():
    """Mean after k + 1 epochs, cycles begun at the odd record, repaired."""
    return Eq(mean_odd, mean_by_the_odd_record(bracketed=True))


# --- lemma A.1: variances -------------------------------------------------------------------------


@claim(
    "lemma-a.1.steps-variance",
    place="Lemma A.1, variance after m ordinary steps",
    given=[strong_data],
)
def variance_after_ordinary_steps():
    """Variance after m ordinary steps."""
    return Recurrence(
        step=lambda spread: rate**2 * spread + eta,
        start=start_variance,
        closed_form=rate ** (2 * m) * start_variance + eta * Sum(rate ** (2 * i), (i, 0, m - 1)),
        index=m,
    )


def noise_of_an_epoch():
    """Variance that an epoch adds where the odd record comes first."""
    return eta * Sum(rate ** (2 * i), (i, 0, n - 1))


@claim(
    "lemma-a.1.noise",
    place="Lemma A.1, r = 1, read literally: the xi_i of one epoch serve in all epochs",
    given=[strong_data],
    fault="misprint",
    effect="Eq. 20 and 22 go on with fresh noise in every epoch; nothing rests on the literal "
    "reading.",
)
def variance_with_noise_reused():
    """Variance after k + 1 epochs, odd record first, as printed."""
    return Recurrence(
        step=lambda spread: (odd_rate * rate ** (n - 1)) ** 2 * spread + noise_of_an_epoch(),
        start=(odd_rate * rate ** (n - 1)) ** 2 / alpha + noise_of_an_epoch(),
        closed_form=(odd_rate * rate ** (n - 1)) ** (2 * (k + 1)) / alpha
        + noise_of_an_epoch() * Sum((odd_rate * rate ** (n - 1)) ** j, (j, 0, k)) ** 2,
        index=k,
    )


@claim(
    "lemma-a.1.variance",
    place="Lemma A.1, variance after k + 1 epochs, r = 1; first line of eq. 20",
    corrects=["lemma-a.1.noise"],
    why="Each step draws its own noise, so the squares of the weights add up, not the weights.",
    given=[strong_data],
)
def variance_after_epochs():
    """Variance after k + 1 epochs, odd record first, whatever an epoch adds."""
    return Recurrence(
        step=lambda spread: (odd_rate * rate ** (n - 1)) ** 2 * spread + epoch_spread,
        start=(odd_rate * rate ** (n - 1)) ** 2 / alpha + epoch_spread,
        closed_form=(odd_rate * rate ** (n - 1)) ** (2 * (k + 1)) / alpha
        + epoch_spread * Sum((odd_rate**2 * rate ** (2 * (n - 1))) ** j, (j, 0, k)),
        index=k,
    )


@claim(
    "lemma-a.1.cycle-variance-r",
    place="Lemma A.1, variance within an epoch, any r",
    given=[strong_data],
)
def variance_after_an_epoch():
    """Variance after one epoch, odd record at any position."""
    before = rate ** (2 * (r - 1)) * start_variance + eta * Sum(rate ** (2 * i), (i, 0, r - 2))
    after = odd_rate**2 * before + eta
    return Eq(
        rate ** (2 * (n - r)) * after + eta * Sum(rate ** (2 * i), (i, 0, n - r - 1)),
        start_variance * epoch_rate**2 + epoch_noise,
    )


@claim(
    "lemma-a.1.variance-r",
    place="Lemma A.1, variance after k + 1 epochs, any r",
    given=[strong_data],
)
def variance_after_epochs_any_position():
    """Variance after k + 1 epochs, odd record at any position, whatever an epoch adds."""
    return Recurrence(
        step=lambda spread: epoch_rate**2 * spread + epoch_spread,
        start=epoch_rate**2 / alpha + epoch_spread,
        closed_form=epoch_rate ** (2 * (k + 1)) / alpha
        + epoch_spread * Sum(epoch_rate ** (2 * ell), (ell, 0, k)),
        index=k,
    )


# --- lemma A.2 ------------------------------------------------------------------------------------


def leading_gap():
    """Lower bound of lemma A.2, as printed."""
    return (
        rate ** (n - 1)
        * long_run()
        * rate ** (k * (n - 1))
        * (odd_rate ** (k + 1) - rate ** (k + 1))
    )


def prior_gap():
    """What lemma A.2 leaves out of the exact gap."""
    pull = c * alpha / (alpha + n * x_h**2 * beta)
    return (
        (odd_rate - rate)
        * rate ** (n - r)
        * pull
        * ((1 - epoch_rate ** (k + 1)) / (1 - epoch_rate))
    )


@claim("note-gap", place="in place of claims D.5 to D.11", given=[strong_data])
def exact_gap():
    """Distance of the two means after k + 1 epochs, exactly."""
    return Eq(mean_plain - mean_odd, leading_gap() + prior_gap())


@claim(
    "lemma-a.2",
    place="Lemma A.2",
    given=[strong_data],
    cites=["claim-d.5", "claim-d.6", "claim-d.7", "claim-d.10", "claim-d.11"],
    using=["note-gap", "note-rates"],
    proof=lambda: [
        step("the exact gap", Eq(mean_plain - mean_odd, leading_gap() + prior_gap())),
        step("an epoch shrinks", Lt(epoch_rate, 1)),
        step("so do several", Le(epoch_rate ** (k + 1), 1)),
        step("the rest is not negative", Ge(prior_gap(), 0)),
    ],
)
def gap_of_the_means():
    """Distance of the two means after k + 1 epochs, bounded from below."""
    return Ge(mean_plain - mean_odd, leading_gap())


@claim("eq-18", place="eq. 18", given=[strong_data])
def two_means():
    """Means after k + 1 epochs, odd record first and none."""
    return [
        Eq(
            drift * Sum(rate**i, (i, 0, n - 2)) * Sum((odd_rate * rate ** (n - 1)) ** j, (j, 0, k))
            + odd_drift * rate ** (n - 1) * Sum((odd_rate * rate ** (n - 1)) ** j, (j, 0, k)),
            (odd_drift * rate ** (n - 1) + drift * Sum(rate**i, (i, 0, n - 2)))
            * Sum(epoch_rate**j, (j, 0, k)),
        ),
        Eq(mean_plain, drift * Sum(rate**i, (i, 0, (k + 1) * n - 1))),
    ]


@claim("note-gap-sign", place="used by Lemma 4.4, for one step")
def gap_after_a_step():
    """Distance of the two means after an ordinary step, and after one with the odd record."""
    gap = step_mean - start
    return [
        Eq(rate * step_mean + drift - (rate * start + drift), rate * gap),
        Eq(
            rate * step_mean + drift - (odd_rate * start + odd_drift),
            odd_rate * gap + (odd_rate - rate) * (c - step_mean),
        ),
    ]


# --- lemmas A.3 and A.4: variances ----------------------------------------------------------------


def first_variance():
    """Variance after k + 1 epochs, odd record first."""
    return 1 / alpha * epoch_rate ** (2 * (k + 1)) + eta * Sum(
        rate ** (2 * i), (i, 0, n - 1)
    ) * Sum(epoch_rate ** (2 * j), (j, 0, k))


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
    """What noise is multiplied by over a cycle, backwards, at the most."""
    return with_the_data(exp(amount * share_of_data))


def prior_part():
    """What the prior's part is at the most, nearly."""
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
    """What noise is multiplied by over a cycle, backwards."""
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
    """What noise is multiplied by over a cycle more, for any numbers."""
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
    """What noise is multiplied by over the balance epoch and the one before, backwards."""
    return Le(rate ** (-2 * (k + 1) * n), share() * cycle_growth())


@claim(
    "note-noise-signs",
    place="Lemma A.4, what its lemmas for any numbers ask",
    given=[strong_data],
    using=["note-chain"],
    proof=lambda: [step("a power", Gt(rate ** (-2 * (k + 1) * n), 1))],
)
def signs_of_the_noise():
    """Signs of what the noise is written with."""
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
    "lemma-a.4.first",
    place="Lemma A.4, r = 1",
    given=lambda: [strong_data, *records_enough, Ge(k, balance), Lt(k, balance + 1)],
    using=["eq-20", "note-first-variance-bound"],
    cites=["eq-20", "claim-d.17"],
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
    cites=["claim-d.12", "claim-d.14"],
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


# --- lemmas A.5 and A.6: the chains apart ---------------------------------------------------------

more_data_than_prior = [n > alpha / (x_h**2 * beta)]
"""What lemma A.5 asks besides the conditions of lemma A.3 and claim D.22."""


def most_variance():
    """Bound of lemma A.4, with one factor for all positions."""
    return variance_factor * (odd_rate * rate ** (n - r)) ** 2 * (1 / alpha) * epoch_rate ** (2 * k)


def most_first_variance():
    """That bound for the odd record first."""
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
        ("claim-d.18", lambda: {k: k + 1}),
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
    """That product, each factor at its least."""
    least = exp(-2 / (x_h**2 * beta))
    return Ge(
        leading_product(),
        alpha * least / variance_factor * (c / 2) ** 2 * (3 / (16 * n * x_h**2 * beta)) ** 2,
    )


@claim(
    "note-leading-gap",
    place="proof of Lemma A.5, from its second expression to its last",
    given=lambda: [strong_data, *more_data_than_prior],
    using=["note-leading-quotient", "note-leading-product"],
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
    "eq-15",
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
    cites=["claim-d.18", "claim-d.19"],
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
    """Bound of lemma A.4 for later positions against the one with v_1."""
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
        ("eq-15", lambda: {gap: mean_plain - mean_odd, spread: variance_odd}),
    ],
    cites=[
        "lemma-a.2",
        "lemma-a.3.first",
        "lemma-a.4.later",
        "claim-d.18",
        "claim-d.19",
        "claim-d.22",
    ],
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
    """Factor of the variance bound, odd record first, against the one for all positions."""
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
    """Bound of lemma A.4 for the first position against the one with v_1."""
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
        ("eq-15", lambda: {gap: mean_plain - mean_odd, spread: first_variance(), r: 1}),
    ],
    cites=["lemma-a.2", "lemma-a.4.first", "claim-d.18", "claim-d.19", "claim-d.22"],
    time_limit=60,
)
def separation_of_the_first_position():
    """Squared gap of the means over the variance at the balance epoch, odd record first."""
    return Ge((mean_plain - mean_odd) ** 2 / first_variance(), separation_bound)


# --- lemma A.6 and eq. 16, 24 and 25 --------------------------------------------------------------


def lost_privacy():
    """Right side of eq. 16."""
    return separation_bound / 2 + log(half - delta)


@claim("eq-16", place="eq. 16", given=[Lt(delta, half)])
def loss_of_the_half_line():
    """Loss that the half-line shows at the most that claim D.23 leaves to the chain on D_2."""
    return Eq(log((half - delta) / exp(-separation_bound / 2)), lost_privacy())


@claim(
    "note-lemma-a.6",
    place="eq. 25, for any bound",
    given=lambda: [
        Lt(delta, half),
        Le(event_hat, exp(-least_ratio / 2)),
        Lt(epsilon, least_ratio / 2 + log(half - delta)),
    ],
    proof=lambda: [
        step("the loss against the bound", Lt(epsilon - least_ratio / 2, log(half - delta))),
        step("exponentials grow", Lt(exp(epsilon - least_ratio / 2), half - delta)),
        step(
            "the event on D_2",
            Le(exp(epsilon) * event_hat, exp(epsilon) * exp(-least_ratio / 2)),
        ),
    ],
)
def any_loss():
    """Probabilities of an event, for any bound on the second one."""
    return Gt(half, exp(epsilon) * event_hat + delta)


@claim(
    "eq-24",
    place="eq. 24; (epsilon / n) there is read as (c / n)",
    given=lambda: [Le(event_hat, exp(-separation_bound / 2))],
    using=[("note-eq-24", lambda: {least_ratio: separation_bound})],
    cites=["claim-d.23"],
)
def excess_of_the_half_line():
    """What the half-line allows against its probability on D_1, bounded."""
    return Le(
        exp(epsilon) * event_hat + delta - half,
        exp(epsilon) * exp(-separation_bound / 2) + delta - half,
    )


@claim(
    "note-eq-24",
    place="eq. 24, for any bound",
    given=lambda: [Le(event_hat, exp(-least_ratio / 2))],
)
def any_excess():
    """What an event allows, bounded."""
    return Le(
        exp(epsilon) * event_hat + delta - half, exp(epsilon) * exp(-least_ratio / 2) + delta - half
    )


@claim(
    "eq-25",
    place="eq. 25, from its last line to its first; (epsilon / n) is read as (c / n)",
    given=lambda: [Lt(delta, half), Lt(epsilon, lost_privacy())],
    using=[("note-eq-25", lambda: {least_ratio: separation_bound})],
)
def condition_on_the_loss():
    """Sign of the bound of eq. 24."""
    return Lt(exp(epsilon - separation_bound / 2) + delta - half, 0)


@claim(
    "note-eq-25",
    place="eq. 25, for any bound",
    given=lambda: [Lt(delta, half), Lt(epsilon, least_ratio / 2 + log(half - delta))],
    proof=lambda: [
        step("the third line", Lt(epsilon - least_ratio / 2, log(half - delta))),
        step("the second line", Lt(exp(epsilon - least_ratio / 2), half - delta)),
    ],
)
def any_condition_on_the_loss():
    """Sign of the bound of eq. 24, for any bound."""
    return Lt(exp(epsilon - least_ratio / 2) + delta - half, 0)


@claim(
    "lemma-a.6",
    place="Lemma A.6, eq. 16 and 25: the half-line has probability 1/2 on D_1, and by claim D.23 "
    "at most exp(-B / 2) on D_2",
    given=lambda: [
        Lt(delta, half),
        Le(event_hat, exp(-separation_bound / 2)),
        Lt(epsilon, lost_privacy()),
    ],
    using=[
        (
            "note-lemma-a.6",
            lambda: {least_ratio: separation_bound},
        ),
    ],
    cites=["claim-d.23", "eq-24", "eq-25"],
)
def privacy_is_lost():
    """Probabilities of the half-line above the plain mean, at the balance epoch."""
    return Gt(half, exp(epsilon) * event_hat + delta)
