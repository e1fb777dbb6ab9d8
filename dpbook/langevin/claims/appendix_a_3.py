"""Appendix A.3: the distribution of the chain: lemmas A.1 and A.2."""

from sympy import (
    Eq,
    Ge,
    Gt,
    Integer,
    Lambda,
    Le,
    Lt,
    Rational,
    Sum,
    Symbol,
    log,
    sqrt,
    sympify,
)

from dpbook import Every, Recurrence, claim, derivative, step
from dpbook.engine.language.statement import unfold_definitions
from dpbook.langevin.any_chains import (
    ADDED,
    LAW,
    MEAN,
    TIMES,
    VARIANCE,
    after_a_step,
    normal_density,
)
from dpbook.langevin.claims.section_3 import drift_of_a_step
from dpbook.langevin.notation import (
    alpha,
    beta,
    c,
    drift,
    ell,
    epoch_drift,
    epoch_noise,
    epoch_rate,
    epoch_shift,
    epoch_spread,
    eta,
    first_bound,
    i,
    j,
    k,
    long_run,
    m,
    mean_odd,
    mean_plain,
    multiplier,
    n,
    noise_sd,
    number,
    odd_drift,
    odd_rate,
    of_the_first,
    of_the_others,
    r,
    rate,
    shift,
    spread,
    start,
    start_variance,
    step_mean,
    step_sd,
    strong_data,
    theta,
    variance_odd,
    x,
    x_h,
)
from dpbook.privacy.any_distributions import AnyDistribution, distribution_for
from dpbook.privacy.distributions import Normal

# --- one step -------------------------------------------------------------------------------------


@claim("eq-17", place="eq. 17, in one step of the chain on the data of eq. 7")
def step_of_the_chain():
    """A step of the chain, with an ordinary record and with the odd record."""
    return [
        Eq(drift_of_a_step(theta, x_h, c * x_h), rate * theta + drift),
        Eq(drift_of_a_step(theta, x_h / 2, c * (x_h / 2)), odd_rate * theta + odd_drift),
    ]


@claim("note-a.1-step", place="Corollary A.1, for one step: a normal distribution stays normal")
def distribution_after_a_step():
    """Distribution of the chain after a step, from a normal distribution."""
    after = Normal(multiplier * step_mean + shift, sqrt(multiplier**2 * step_sd**2 + noise_sd**2))
    return Eq(after_a_step(Normal(step_mean, step_sd), multiplier, shift), after.density(x))


BEFORE = AnyDistribution("P")


@claim(
    "note-a.1-any",
    place="Corollary A.1, for one step, from a distribution that is known to be normal",
    given=lambda: [
        Every(theta, Eq(BEFORE.density(theta), Normal(step_mean, sqrt(spread)).density(theta)))
    ],
    using=[("note-a.1-step", lambda: {step_sd: sqrt(spread)})],
    example=lambda: {
        **distribution_for(BEFORE, Normal(0, 1)),
        **{step_mean: Integer(0), spread: Integer(1)},
    },
    proof=lambda: [
        step(
            "the distribution before it",
            Eq(
                after_a_step(BEFORE, multiplier, shift),
                after_a_step(Normal(step_mean, sqrt(spread)), multiplier, shift),
            ),
        ),
    ],
)
def distribution_after_a_step_from_any():
    """Distribution of the chain after a step, from a distribution that is known to be normal."""
    after = Normal(multiplier * step_mean + shift, sqrt(multiplier**2 * spread + noise_sd**2))
    return Eq(after_a_step(BEFORE, multiplier, shift), after.density(x))


def distribution_of_the_chain():
    """State the prior, each step, and the change of mean and variance in a step."""
    start_distribution = Normal(0, 1 / sqrt(alpha))
    moved = after_a_step(LAW(i), TIMES(i), ADDED(i))
    inside = [Ge(i, 0)]
    return [
        Every(x, Eq(LAW(Integer(0)).density(x), start_distribution.density(x))),
        Every(i, Every(x, Eq(LAW(i + 1).density(x), moved)), inside),
        Eq(MEAN(0), 0),
        Eq(VARIANCE(0), 1 / alpha),
        Every(i, Eq(MEAN(i + 1), TIMES(i) * MEAN(i) + ADDED(i)), inside),
        Every(i, Eq(VARIANCE(i + 1), TIMES(i) ** 2 * VARIANCE(i) + noise_sd**2), inside),
    ]


def chain_in_balance():
    """A chain whose distribution is the standard normal one before every step."""
    at_step, value = Symbol("j", real=True), Symbol("t", real=True)
    numbers = {TIMES: Rational(3, 5), ADDED: 0, MEAN: 0, VARIANCE: 1}
    return {
        LAW(m).density(x).function: Lambda((at_step, value), Normal(0, 1).density(value)),
        **{one: Lambda((at_step,), sympify(number)) for one, number in numbers.items()},
        **{noise_sd: Rational(4, 5), alpha: Integer(1)},
    }


@claim(
    "note-a.1-first",
    place="Corollary A.1, before the first step",
    given=distribution_of_the_chain,
    example=chain_in_balance,
)
def distribution_at_the_start():
    """Distribution of the chain at the start."""
    return Eq(LAW(Integer(0)).density(x), normal_density(Integer(0), x))


@claim(
    "note-a.1-next",
    place="Corollary A.1, from each step to the next",
    given=lambda: [
        *distribution_of_the_chain(),
        Every(theta, Eq(LAW(m).density(theta), normal_density(m, theta))),
    ],
    example=lambda: {**chain_in_balance(), m: Integer(0)},
    using=[
        (
            "note-a.1-any",
            lambda: {
                **distribution_for(BEFORE, LAW(m)),
                **{step_mean: MEAN(m), spread: VARIANCE(m)},
                **{multiplier: TIMES(m), shift: ADDED(m)},
            },
        )
    ],
    proof=lambda: [
        step("variance", Eq(VARIANCE(m + 1), TIMES(m) ** 2 * VARIANCE(m) + noise_sd**2)),
        step("mean", Eq(MEAN(m + 1), TIMES(m) * MEAN(m) + ADDED(m))),
        step("distribution", Eq(LAW(m + 1).density(x), after_a_step(LAW(m), TIMES(m), ADDED(m)))),
    ],
)
def distribution_at_the_next_step():
    """Distribution of the chain one step later."""
    return Eq(LAW(m + 1).density(x), normal_density(m + 1, x))


@claim(
    "note-a.1-steps",
    place="Corollary A.1, after any number of steps",
    given=distribution_of_the_chain,
    example=chain_in_balance,
    using=[("note-a.1-first", lambda: {x: x}), ("note-a.1-next", lambda: {m: m, x: x})],
)
def distribution_at_any_step():
    """Distribution of the chain after any number of steps."""
    return Every(x, Eq(LAW(m).density(x), normal_density(m, x)))


@claim(
    "corollary-a.1",
    place="Corollary A.1: a(i) and b(i) are what step i multiplies by and adds, with an ordinary record or, at "
    "any position in its cycle, the odd one, as in eq. 17; mu(i) and v(i) are mean and variance, which lemma A.1 "
    "writes out; the noise has the variance eta. So it holds whatever the records are",
    given=distribution_of_the_chain,
    example=chain_in_balance,
    using=[("note-a.1-steps", lambda: {m: (k + 1) * n})],
)
def distribution_after_whole_epochs():
    """Distribution of the chain after k + 1 epochs."""
    steps = (k + 1) * n
    return Every(x, Eq(LAW(steps).density(x), normal_density(steps, x)))


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


# --- lemma A.1: both distributions, epoch by epoch -----------------------------------------------------------


def an_epoch(mean, spread):
    """Mean and variance after one epoch on D_2: r - 1 steps, the odd record, n - r steps."""
    before = rate ** (r - 1) * mean + drift * Sum(rate**i, (i, 0, r - 2))
    after = odd_rate * before + odd_drift
    noisy = rate ** (2 * (r - 1)) * spread + eta * Sum(rate ** (2 * i), (i, 0, r - 2))
    return (
        rate ** (n - r) * after + drift * Sum(rate**i, (i, 0, n - r - 1)),
        rate ** (2 * (n - r)) * (odd_rate**2 * noisy + eta)
        + eta * Sum(rate ** (2 * i), (i, 0, n - r - 1)),
    )


def after_epochs(value, epochs):
    """Mean or variance after some epochs and one."""
    return unfold_definitions(value).xreplace({k: sympify(epochs)})


@claim("note-epoch-more", place="used by Lemma A.1, for any numbers")
def sum_with_one_more_epoch():
    """A sum over epochs, with one more."""
    return Eq(
        epoch_shift * Sum(number**ell, (ell, 0, k + 1)),
        epoch_shift * Sum(number**ell, (ell, 0, k)) * number + epoch_shift,
    )


@claim(
    "note-epoch-shrinks",
    place="used by Lemma A.1",
    given=[strong_data],
    using=["note-rates"],
)
def epoch_rate_below_one():
    """Factor of an epoch, between 0 and 1."""
    return [Gt(epoch_rate, 0), Lt(epoch_rate, 1)]


@claim(
    "note-one-number",
    place="used by Lemma A.1, for any numbers",
    given=lambda: [Eq(of_the_first, of_the_others), Eq(first_bound, of_the_others)],
)
def what_is_equal_to_one_number():
    """Two numbers that are equal to a third."""
    return Eq(of_the_first, first_bound)


@claim(
    "lemma-a.1.mean-epochs",
    place="Lemma A.1, mean on D_2 epoch by epoch, any r",
    given=[strong_data],
    using=[
        "note-epoch-shrinks",
        ("note-epoch-more", lambda: {number: epoch_rate, epoch_shift: epoch_drift}),
        ("lemma-a.1.cycle-r", lambda: {start: mean_odd}),
        (
            "note-one-number",
            lambda: {
                of_the_first: after_epochs(mean_odd, k + 1),
                of_the_others: mean_odd * epoch_rate + epoch_drift,
                first_bound: an_epoch(mean_odd, variance_odd)[0],
            },
        ),
    ],
    time_limit=2,
)
def mean_epoch_by_epoch():
    """Mean of the chain on D_2 after one epoch more than k + 1."""
    return Eq(after_epochs(mean_odd, k + 1), an_epoch(mean_odd, variance_odd)[0])


@claim("note-first-epoch", place="used by Lemma A.1, for any numbers")
def sums_over_one_epoch():
    """Sums over one epoch, and a start at 0."""
    return [
        Eq(epoch_shift * Sum(number**ell, (ell, 0, 0)), 0 * number + epoch_shift),
        Eq(
            number**2 / alpha + epoch_shift * Sum(number ** (2 * ell), (ell, 0, 0)),
            1 / alpha * number**2 + epoch_shift,
        ),
    ]


@claim(
    "lemma-a.1.mean-first",
    place="Lemma A.1, mean on D_2 after the first epoch, any r: the prior has mean 0",
    given=[strong_data],
    using=[
        "note-epoch-shrinks",
        ("note-first-epoch", lambda: {number: epoch_rate, epoch_shift: epoch_drift}),
        ("lemma-a.1.cycle-r", lambda: {start: 0}),
        (
            "note-one-number",
            lambda: {
                of_the_first: after_epochs(mean_odd, 0),
                of_the_others: 0 * epoch_rate + epoch_drift,
                first_bound: an_epoch(Integer(0), Integer(0))[0],
            },
        ),
    ],
    time_limit=2,
)
def mean_after_the_first_epoch():
    """Mean of the chain on D_2 after the first epoch."""
    return Eq(after_epochs(mean_odd, 0), an_epoch(Integer(0), Integer(0))[0])


def variance_after(epochs):
    """Variance after epochs that each multiply by a number and add noise, for any numbers."""
    total = Sum(number ** (2 * ell), (ell, 0, epochs))
    return number ** (2 * (epochs + 1)) / alpha + epoch_shift * total


@claim("note-variance-more", place="used by Lemma A.1, for any numbers")
def variance_with_one_more_epoch():
    """Variance over epochs, with one more."""
    return Eq(variance_after(k + 1), variance_after(k) * number**2 + epoch_shift)


def of_the_first_position():
    """Return the substitution with the odd record first: factor and added variance of an epoch."""
    return {number: epoch_rate, epoch_shift: eta * Sum(rate ** (2 * i), (i, 0, n - 1))}


def variance_of_the_first(epochs):
    """Variance after some epochs and one, odd record first: first line of eq. 20."""
    return variance_after(epochs).xreplace(of_the_first_position())


@claim(
    "text-a.1-gradient",
    place="proof of Lemma A.1, the slope of the prior; the slope of the likelihood has the same slip",
    fault="misprint",
    effect="None: the step that follows has the slopes of the logarithms (eq-3-regression).",
)
def slope_of_the_prior_as_printed():
    """Slope of the prior, as printed."""
    return Eq(derivative(Normal(0, sqrt(1 / alpha)).density(theta), theta), -theta * alpha)


@claim(
    "text-a.1-gradient-corrected",
    place="proof of Lemma A.1, the slope of the prior, repaired",
    corrects=["text-a.1-gradient"],
    why="It is the slope of the logarithm, as eq. 3 has it.",
)
def slope_of_the_prior():
    """Slope of the log-prior."""
    return Eq(derivative(log(Normal(0, sqrt(1 / alpha)).density(theta)), theta), -theta * alpha)


@claim(
    "text-a.1-noise",
    place="Lemma A.1, r = 1, taken literally: xi_i, the noise of step i, is one number in all epochs, so what "
    "it adds in them stands under one square. The proof writes xi without a number, and may mean a fresh one",
    given=[strong_data],
    fault="misprint",
    effect="None: the first line of eq. 20 has fresh noise in each epoch, as eq. 3 draws it.",
)
def variance_with_one_noise():
    """Variance of the chain on D_2 after k + 1 epochs, odd record first, as printed."""
    one_noise = eta * Sum(rate ** (2 * i), (i, 0, n - 1)) * Sum(epoch_rate**j, (j, 0, k)) ** 2
    return Eq(variance_of_the_first(k), epoch_rate ** (2 * (k + 1)) / alpha + one_noise)


@claim(
    "lemma-a.1.variance",
    place="Lemma A.1, variance on D_2 epoch by epoch, r = 1; first line of eq. 20",
    corrects=["text-a.1-noise"],
    why="The noise is drawn anew in each epoch, so its variances add up; the letters of the print say otherwise.",
    given=[strong_data],
    using=[
        "note-epoch-shrinks",
        ("note-first-epoch", of_the_first_position),
        ("note-variance-more", of_the_first_position),
    ],
    time_limit=2,
)
def variance_with_the_odd_record_first():
    """Variance of the chain on D_2 after the first epoch, and after one more than k + 1, odd record first."""
    added = of_the_first_position()[epoch_shift]
    return [
        Eq(variance_of_the_first(0), 1 / alpha * epoch_rate**2 + added),
        Eq(variance_of_the_first(k + 1), variance_of_the_first(k) * epoch_rate**2 + added),
    ]


@claim(
    "lemma-a.1.variance-epochs",
    place="Lemma A.1, variance on D_2 epoch by epoch, any r > 1",
    given=[strong_data, Gt(r, 1)],
    using=[
        "note-epoch-shrinks",
        "note-variance-sign",
        ("note-variance-more", lambda: {number: epoch_rate, epoch_shift: epoch_noise}),
        ("lemma-a.1.cycle-variance-r", lambda: {start_variance: variance_odd}),
        (
            "note-one-number",
            lambda: {
                of_the_first: after_epochs(variance_odd, k + 1),
                of_the_others: variance_odd * epoch_rate**2 + epoch_noise,
                first_bound: an_epoch(mean_odd, variance_odd)[1],
            },
        ),
    ],
    time_limit=2,
)
def variance_epoch_by_epoch():
    """Variance of the chain on D_2 after one epoch more than k + 1."""
    return Eq(after_epochs(variance_odd, k + 1), an_epoch(mean_odd, variance_odd)[1])


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
    """Return the part of the exact gap that lemma A.2 leaves out."""
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
    without={
        "claim-d.5": "the exact gap (note-gap) replaces the print's rearrangements",
        "claim-d.6": "the exact gap (note-gap) replaces the print's rearrangements",
        "claim-d.7": "the exact gap (note-gap) replaces the print's rearrangements",
        "claim-d.10": "the exact gap (note-gap) replaces the print's rearrangements",
        "claim-d.11": "the exact gap (note-gap) replaces the print's rearrangements",
    },
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
    """Means after k + 1 epochs, with the odd record first and without an odd record."""
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
