"""Appendix C: the chain on D_3 and D_4 with the step size of claim 4.2, after one epoch; eq. 31.

On D_4 the odd record is at any position of the cycle, each as likely, so the distribution is a mixture.
"""

from sympy import Eq, Ge, Gt, Integer, Le, Lt, Rational, Sum, exp, log, oo, sqrt

from dpbook import Recurrence, claim, step
from dpbook.engine.language.statement import unfold_definitions
from dpbook.langevin.claims.appendix_d_chain import half
from dpbook.langevin.claims.section_4_3 import at_eq_27, mean_on_d_4
from dpbook.langevin.notation import (
    alpha,
    amount,
    centre_4,
    component_gap,
    component_sd,
    delta,
    eta_4,
    first_bound,
    i,
    least_ratio,
    level_4,
    m,
    mu_1,
    mu_2,
    n_1,
    number,
    odd_number,
    odd_rate_4,
    of_the_first,
    of_the_others,
    other_bound,
    r_4,
    rate_4,
    spread,
    start_variance,
)
from dpbook.privacy.distributions import EvenMixture, Normal
from dpbook.privacy.statements import Interval, probability

# --- means and variances --------------------------------------------------------------------------


def noise_of(base, steps):
    """Noise of some ordinary steps, each as often multiplied as steps come after it."""
    return Sum(base ** (2 * i), (i, 0, steps - 1))


@claim(
    "note-31-variance",
    place="eq. 31: the variance after m ordinary steps, whatever they multiply by and whatever noise they add",
)
def variance_after_ordinary_steps_of_claim_2():
    """Variance after m ordinary steps, from any start, for any numbers."""
    return Recurrence(
        step=lambda before: number**2 * before + amount,
        start=start_variance,
        closed_form=number ** (2 * m) * start_variance + amount * noise_of(number, m),
        index=m,
    )


def mean_on_d_3():
    """Mean on D_3 after one epoch."""
    return level_4 * (1 - rate_4**n_1)


def variance_on_d_3():
    """Variance on D_3 after one epoch."""
    return rate_4 ** (2 * n_1) * (1 / alpha) + eta_4 * noise_of(rate_4, n_1)


def any_variance(ordinary, odd, added):
    """Variance after one epoch: ordinary steps, the odd record, ordinary steps."""
    before = (odd * ordinary ** (n_1 - r_4)) ** 2 * noise_of(ordinary, r_4 - 1)
    return (odd * ordinary ** (n_1 - 1)) ** 2 * (1 / alpha) + added * (
        before + noise_of(ordinary, n_1 - r_4 + 1)
    )


def variance_on_d_4():
    """Variance on D_4 after one epoch."""
    return any_variance(rate_4, odd_rate_4, eta_4)


@claim("note-31-sum", place="eq. 31: the noise of m ordinary steps, for any number")
def noise_of_some_steps():
    """Noise of some ordinary steps, bounded."""
    return [Ge(noise_of(number, m), 0), Le(noise_of(number, m), m)]


@claim(
    "note-31-any-variance",
    place="eq. 31: the variance after one epoch, for any numbers",
    using=[
        ("note-31-sum", lambda: {m: r_4 - 1}),
        ("note-31-sum", lambda: {m: n_1 - r_4 + 1}),
    ],
    proof=lambda: [
        step("an epoch's power", Gt((odd_number * number ** (n_1 - 1)) ** 2, 0)),
        step("which is below 1", Le((odd_number * number ** (n_1 - 1)) ** 2, 1)),
        step("another power", Gt((odd_number * number ** (n_1 - r_4)) ** 2, 0)),
        step("which is below 1", Le((odd_number * number ** (n_1 - r_4)) ** 2, 1)),
        step(
            "noise before the odd record",
            Le(
                (odd_number * number ** (n_1 - r_4)) ** 2 * noise_of(number, r_4 - 1),
                noise_of(number, r_4 - 1),
            ),
        ),
        step(
            "is not negative",
            Ge((odd_number * number ** (n_1 - r_4)) ** 2 * noise_of(number, r_4 - 1), 0),
        ),
    ],
)
def any_variance_is_bounded():
    """Variance after one epoch, for any numbers, from both sides."""
    found = any_variance(number, odd_number, amount)
    return [Gt(found, 0), Le(found, 1 / alpha + n_1 * amount)]


@claim(
    "note-31-rates",
    place="eq. 31: what a step multiplies by, at the numbers of eq. 27",
    given=at_eq_27,
)
def rates_of_claim_2():
    """Factor of a step of claim 4.2, with an ordinary record and with the odd record."""
    return [Gt(rate_4, 0), Lt(rate_4, 1), Gt(odd_rate_4, 0), Lt(odd_rate_4, 1), Gt(eta_4, 0)]


@claim(
    "note-31-spread",
    place="eq. 31: the variance on D_4 after one epoch, at the numbers of eq. 27",
    given=at_eq_27,
    using=[
        "note-31-rates",
        "note-4.2-spread",
        (
            "note-31-any-variance",
            lambda: {number: rate_4, odd_number: odd_rate_4, amount: eta_4},
        ),
    ],
)
def variance_on_d_4_is_bounded():
    """Variance on D_4 after one epoch."""
    return [Gt(variance_on_d_4(), 0), Le(variance_on_d_4(), Rational(10, 9))]


@claim(
    "note-31-spread-3",
    place="eq. 31: the variance on D_3 after one epoch, at the numbers of eq. 27",
    given=at_eq_27,
    using=["note-31-rates", ("note-31-sum", lambda: {number: rate_4, m: n_1})],
    proof=lambda: [step("a power", Gt(rate_4 ** (2 * n_1), 0))],
)
def variance_on_d_3_is_positive():
    """Variance on D_3 after one epoch."""
    return Gt(variance_on_d_3(), 0)


def datasets_of_eq_27():
    """State the numbers of eq. 27, and the single ratio of the records of D_3 and D_4."""
    return [*at_eq_27(), Eq(centre_4, n_1 ** Rational(23, 20))]


@claim(
    "note-31-gap",
    place="eq. 31: the means after one epoch, at the numbers of eq. 27",
    given=datasets_of_eq_27,
    using=["note-4.2-gap", "note-4.2-far"],
)
def means_are_apart():
    """Mean on D_3 less the mean on D_4, after one epoch."""
    return Ge(mean_on_d_3() - mean_on_d_4(), n_1 ** Rational(23, 20) / (25 * n_1))


# --- one component of the distribution on D_4, and all of them -------------------------------------------------


def rarely():
    """Bound of the probability on D_4 of a value above the mean on D_3."""
    return exp(-(n_1 ** Rational(3, 10) / 1400))


@claim(
    "note-31-tail",
    place="eq. 31: a normal distribution above a point far from its mean, for any numbers",
    given=lambda: [
        mu_2 - mu_1 >= n_1 ** Rational(23, 20) / (25 * n_1),
        spread <= Rational(10, 9),
    ],
    using=[
        "note-tail-bound",
        ("note-4.2-tail", lambda: {component_gap: mu_2 - mu_1, component_sd: sqrt(spread)}),
    ],
    proof=lambda: [step("the gap", Ge(mu_2 - mu_1, 0))],
)
def tail_of_any_component():
    """Probability that a normal distribution is above a point far from its mean."""
    return Le(probability(Normal(mu_1, sqrt(spread)), Interval(mu_2, oo)), rarely())


def component():
    """Distribution on D_4 after one epoch, for one position of the odd record."""
    return Normal(mean_on_d_4(), sqrt(variance_on_d_4()))


def at_the_first(number_of_a_position):
    """A number where the odd record is the first."""
    return unfold_definitions(number_of_a_position).xreplace({r_4: Integer(1)})


def first_component():
    """Return the distribution on D_4 after one epoch, for the odd record first."""
    return Normal(at_the_first(mean_on_d_4()), sqrt(at_the_first(variance_on_d_4())))


def on_d_3():
    """Distribution of the chain on D_3 after one epoch."""
    return Normal(mean_on_d_3(), sqrt(variance_on_d_3()))


def on_d_4():
    """Distribution of the chain on D_4 after one epoch."""
    return EvenMixture(first_component(), component(), r_4, n_1)


def above_the_mean_on_d_3():
    """The event S."""
    return Interval(mean_on_d_3(), oo)


@claim(
    "note-31-component",
    place="eq. 31: one component of the distribution on D_4",
    given=datasets_of_eq_27,
    using=[
        "note-31-gap",
        "note-31-spread",
        (
            "note-31-tail",
            lambda: {mu_1: mean_on_d_4(), mu_2: mean_on_d_3(), spread: variance_on_d_4()},
        ),
    ],
)
def tail_of_one_component():
    """Probability of the event, for one position of the odd record."""
    return Le(probability(component(), above_the_mean_on_d_3()), rarely())


@claim(
    "note-31-first",
    place="eq. 31: the component of the first position",
    given=datasets_of_eq_27,
    using=[
        ("note-31-gap", {r_4: 1}),
        ("note-31-spread", {r_4: 1}),
        (
            "note-31-tail",
            lambda: {
                mu_1: first_component().mean,
                mu_2: mean_on_d_3(),
                spread: at_the_first(variance_on_d_4()),
            },
        ),
    ],
)
def tail_of_the_first_component():
    """Probability of the event where the odd record comes first."""
    return Le(probability(first_component(), above_the_mean_on_d_3()), rarely())


def at_later_positions(term):
    """Sum of a term over the positions of the odd record after the first."""
    return Sum(unfold_definitions(term), (r_4, 2, n_1))


@claim(
    "note-31-positions",
    place="eq. 31: all components but that of the first position",
    given=datasets_of_eq_27,
    using=["note-31-component"],
)
def tails_of_later_components():
    """Probabilities of the event, for all later positions of the odd record together."""
    return Le(
        at_later_positions(probability(component(), above_the_mean_on_d_3())),
        at_later_positions(rarely()),
    )


@claim("note-31-equal", place="eq. 31, for any number")
def one_number_at_all_positions():
    """A number that is the same at all positions after the first."""
    return Eq(Sum(first_bound, (r_4, 2, n_1)), (n_1 - 1) * first_bound)


@claim(
    "note-31-mean",
    place="eq. 31, for any numbers",
    given=lambda: [
        of_the_first <= first_bound,
        of_the_others <= other_bound,
        Eq(other_bound, (n_1 - 1) * first_bound),
    ],
)
def mean_of_equal_bounds():
    """A mean over all positions."""
    return Le((of_the_first + of_the_others) / n_1, first_bound)


def parts_on_d_4():
    """Probability of the event at the first position and at all others, and the bounds."""
    return {
        of_the_first: probability(first_component(), above_the_mean_on_d_3()),
        of_the_others: at_later_positions(probability(component(), above_the_mean_on_d_3())),
        first_bound: rarely(),
        other_bound: at_later_positions(rarely()),
    }


@claim(
    "note-31-mixture",
    place="eq. 31: the distribution on D_4",
    given=datasets_of_eq_27,
    using=[
        "note-31-first",
        "note-31-positions",
        ("note-31-equal", lambda: {first_bound: rarely()}),
        ("note-31-mean", parts_on_d_4),
    ],
)
def tail_on_the_mixture():
    """Probability of the event on D_4, bounded."""
    return Le(probability(on_d_4(), above_the_mean_on_d_3()), rarely())


@claim(
    "note-31-half",
    place="eq. 31: the distribution on D_3",
    given=at_eq_27,
    using=[
        "note-31-spread-3",
        (
            "note-tail",
            lambda: {mu_1: mean_on_d_3(), mu_2: mean_on_d_3(), spread: variance_on_d_3()},
        ),
    ],
)
def half_on_d_3():
    """Probability of the event on D_3."""
    return Eq(probability(on_d_3(), above_the_mean_on_d_3()), half)


def loss_of_the_chain():
    """Privacy loss of the chain in eq. 31, with its constant."""
    return n_1 ** Rational(3, 10) / 2800


def chains_apart():
    """State that n_1 is large enough for the chains to be apart."""
    return [delta < Rational(1, 12), loss_of_the_chain() > log(2 / (1 - 12 * delta))]


@claim("note-31-loss", place="eq. 31: the loss against the bound of the event")
def bound_by_the_loss():
    """Bound of the probability on D_4, by the loss."""
    return Eq(rarely(), exp(-2 * loss_of_the_chain()))


@claim(
    "note-31-numbers",
    place="eq. 31, for any numbers",
    given=lambda: [
        delta < Rational(1, 12),
        least_ratio > log(2 / (1 - 12 * delta)),
        Eq(of_the_first, half),
        of_the_others <= first_bound,
        Eq(first_bound, exp(-2 * least_ratio)),
    ],
    proof=lambda: [
        step("exponentials", Eq(exp(least_ratio) * exp(-2 * least_ratio), exp(-least_ratio))),
        step(
            "the event on D_4",
            Le(exp(least_ratio) * of_the_others, exp(least_ratio) * exp(-2 * least_ratio)),
        ),
        step("a logarithm", -least_ratio < log((1 - 12 * delta) / 2)),
        step("and below", exp(-least_ratio) < (1 - 12 * delta) / 2),
    ],
)
def event_of_any_numbers():
    """Probability of an event on D_3, against its probability on D_4, for any numbers."""
    return Gt(of_the_first, exp(least_ratio) * of_the_others + 6 * delta)


@claim(
    "eq-31-corrected",
    place="eq. 31, repaired, after one epoch, for the distributions of the chain on D_3 and D_4 at the numbers of eq. 27, where all "
    "of either is kept: S is above the mean on D_3, and n_1 so large that the loss, of the order of n_1**(2 (rho_3 - 1)), "
    "exceeds a number that depends on delta",
    corrects=["eq-31"],
    why="The left side is 1 / 2, so 6 delta has to be below it: delta < 1 / 12.",
    given=lambda: [*datasets_of_eq_27(), *chains_apart()],
    using=[
        "note-31-half",
        "note-31-first",
        "note-31-component",
        "note-31-mixture",
        "note-31-loss",
        (
            "note-31-numbers",
            lambda: {
                least_ratio: loss_of_the_chain(),
                first_bound: rarely(),
                of_the_first: probability(on_d_3(), above_the_mean_on_d_3()),
                of_the_others: probability(on_d_4(), above_the_mean_on_d_3()),
            },
        ),
        "note-4.2-mean",
        "note-31-variance",
    ],
    without={"lemma-4.6": "it has twice this step size; one epoch is enough here"},
)
def draws_apart():
    """Draws on D_3 and D_4 against 6 delta, repaired."""
    event = above_the_mean_on_d_3()
    on_the_other = exp(loss_of_the_chain()) * probability(on_d_4(), event)
    return Gt(probability(on_d_3(), event), on_the_other + 6 * delta)
