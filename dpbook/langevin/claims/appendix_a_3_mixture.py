"""Appendix A.3: the chain on D_2 is a mixture over the positions of the odd record.

Each position has a normal distribution (lemma A.1). A bound for the half-line above the mean
on D_1 that holds at every position holds for the mixture.
"""

from sympy import Eq, Ge, Gt, Integer, Lambda, Le, Lt, Sum, exp, log, oo, sqrt

from dpbook import claim, step
from dpbook.langevin.claims.appendix_a_3_separation import more_data_than_prior
from dpbook.langevin.claims.appendix_d_chain import equivalent, half
from dpbook.langevin.notation import (
    above_the_mean,
    above_the_plain_mean,
    any_event,
    away,
    balance,
    chain_on_d_1,
    chain_on_d_2,
    delta,
    epsilon,
    first_bound,
    first_gap,
    first_variance,
    gap,
    k,
    later_positions,
    least_ratio,
    level,
    mean_odd,
    mean_plain,
    mu_1,
    mu_2,
    n,
    odd_half_line,
    of_the_first,
    of_the_others,
    other_bound,
    r,
    records_enough,
    records_for_k_dot,
    separation_bound,
    spread,
    strong_data,
    variance_odd,
    variance_plain,
)
from dpbook.privacy.any_distributions import AnyScore
from dpbook.privacy.distributions import Normal
from dpbook.privacy.statements import Interval, not_private, probability


def at_the_balance_epoch():
    """Conditions of lemma A.5."""
    return [
        strong_data,
        *records_enough,
        *records_for_k_dot,
        *more_data_than_prior,
        Ge(k, balance),
        Lt(k, balance + 1),
        Ge(k, 1),
    ]


def chernoff(distance, variance):
    """Chernoff's bound of the probability that a normal distribution is a distance above its mean."""
    return exp(-(distance**2) / (2 * variance))


def means_and_variances():
    """Means and variances of the components of a mixture, by the position of the odd record."""
    return AnyScore("m", n), AnyScore("v", n)


def one_component():
    """Return the substitution for one component, first in lemma 4.4; the others are standard."""
    means, variances = means_and_variances()
    return {
        **{away: gap, level: Integer(0)},
        means(r).function: Lambda((r,), Integer(0)),
        variances(r).function: Lambda((r,), Integer(1)),
    }


@claim(
    "note-chernoff",
    place="Lemma 4.4 for one component, any gap and any variance",
    using=[("note-chernoff-mean", one_component)],
)
def chernoff_for_any_numbers():
    """Upper tail of a normal distribution, by Chernoff's bound."""
    return Le(above_the_plain_mean(gap, spread), chernoff(gap, spread))


@claim(
    "note-chernoff-later",
    place="used by Lemma 4.4, odd record later",
    given=[strong_data, Gt(r, 1)],
    using=[
        "note-gap-positive",
        "note-variance-sign",
        ("note-chernoff", lambda: {gap: mean_plain - mean_odd, spread: variance_odd}),
    ],
)
def chernoff_for_later_positions():
    """Half-line above the plain mean, odd record later, by Chernoff's bound."""
    return Le(
        above_the_plain_mean(mean_plain - mean_odd, variance_odd),
        chernoff(mean_plain - mean_odd, variance_odd),
    )


@claim(
    "note-chernoff-first",
    place="used by Lemma 4.4, odd record first",
    given=[strong_data],
    using=[
        ("note-gap-positive", {r: 1}),
        "note-first-sign",
        ("note-chernoff", lambda: {gap: first_gap(), spread: first_variance()}),
    ],
)
def chernoff_for_the_first_position():
    """Half-line above the plain mean, odd record first, by Chernoff's bound."""
    return Le(
        above_the_plain_mean(first_gap(), first_variance()),
        chernoff(first_gap(), first_variance()),
    )


@claim(
    "note-chernoff-positions",
    place="used by Lemma 4.4, all positions after the first",
    given=[strong_data],
    using=["note-chain", "note-variance-sign", "note-chernoff-later"],
)
def chernoff_for_all_later_positions():
    """Half-line above the plain mean, all later positions together, by Chernoff's bound."""
    return Le(
        later_positions(above_the_plain_mean(mean_plain - mean_odd, variance_odd)),
        later_positions(chernoff(mean_plain - mean_odd, variance_odd)),
    )


@claim(
    "note-chernoff-constant",
    place="used by Claim D.23, for any numbers",
    given=[Ge(gap**2 / spread, least_ratio)],
)
def bound_for_any_numbers():
    """Chernoff's bound, by the squared distance over the variance."""
    return Le(chernoff(gap, spread), exp(-least_ratio / 2))


@claim(
    "note-half-line-later",
    place="used by Claim D.23, odd record later",
    given=lambda: [*at_the_balance_epoch(), Gt(r, 1)],
    using=[
        "note-rates",
        "lemma-4.5.later",
        "note-gap-positive",
        "note-variance-sign",
        (
            "note-chernoff-constant",
            lambda: {
                gap: mean_plain - mean_odd,
                spread: variance_odd,
                least_ratio: separation_bound,
            },
        ),
    ],
)
def bound_of_later_positions():
    """Chernoff's bound at the balance epoch, odd record later."""
    return Le(chernoff(mean_plain - mean_odd, variance_odd), exp(-separation_bound / 2))


@claim(
    "note-half-line-first",
    place="used by Claim D.23, odd record first",
    given=at_the_balance_epoch,
    using=[
        "note-rates",
        ("lemma-4.5.first", {r: 1}),
        ("note-gap-positive", {r: 1}),
        "note-first-sign",
        (
            "note-chernoff-constant",
            lambda: {gap: first_gap(), spread: first_variance(), least_ratio: separation_bound},
        ),
    ],
)
def bound_of_the_first_position():
    """Chernoff's bound at the balance epoch, odd record first."""
    return Le(chernoff(first_gap(), first_variance()), exp(-separation_bound / 2))


@claim(
    "note-half-line-positions",
    place="used by Claim D.23, all positions after the first",
    given=at_the_balance_epoch,
    using=["note-chain", "note-variance-sign", "note-half-line-later"],
)
def bound_of_all_later_positions():
    """Chernoff's bound at the balance epoch, all later positions together."""
    return Le(
        later_positions(chernoff(mean_plain - mean_odd, variance_odd)),
        later_positions(exp(-separation_bound / 2)),
    )


@claim(
    "note-mean-of-bounds",
    place="used by Lemma 4.4, for any numbers",
    given=lambda: [Le(of_the_first, first_bound), Le(of_the_others, other_bound)],
)
def mean_of_bounds():
    """A mean over positions, bounded."""
    return Le((of_the_first + of_the_others) / n, (first_bound + other_bound) / n)


@claim(
    "note-mean-of-one-bound",
    place="used by Claim D.23, for any numbers",
    given=lambda: [
        Le(of_the_first, first_bound),
        Le(of_the_others, other_bound),
        Eq(other_bound, (n - 1) * first_bound),
    ],
)
def mean_of_one_bound():
    """A mean over positions that all have one bound."""
    return Le((of_the_first + of_the_others) / n, first_bound)


@claim("note-equal-positions", place="used by Claim D.23")
def positions_of_one_bound():
    """A bound that is the same at all positions after the first."""
    return Eq(Sum(least_ratio, (r, 2, n)), (n - 1) * least_ratio)


@claim(
    "note-mean-of-chernoff",
    place="used by Claim D.23: the mean of Chernoff's bounds, by lemma 4.5",
    given=at_the_balance_epoch,
    using=[
        "note-half-line-first",
        "note-half-line-positions",
        ("note-equal-positions", lambda: {least_ratio: exp(-separation_bound / 2)}),
        ("note-mean-of-one-bound", lambda: {**parts_of_the_bound(), **equal_bounds()}),
    ],
)
def mean_of_the_chernoff_bounds():
    """Mean of Chernoff's bounds over all positions of the odd record."""
    bounds = chernoff_bounds()
    return Le((bounds[first_bound] + bounds[other_bound]) / n, exp(-separation_bound / 2))


@claim(
    "note-put-below",
    place="used by Claim D.23, for any numbers",
    given=lambda: [Le(of_the_first, of_the_others), Le(of_the_others, first_bound)],
)
def below_what_is_below():
    """A number below another number, and the bound of the larger number."""
    return Le(of_the_first, first_bound)


@claim(
    "claim-d.23",
    place="Claim D.23, by lemmas 4.4 and 4.5; the exponent written out as eq. 15 has it",
    given=at_the_balance_epoch,
    using=[
        "note-lemma-4.4",
        "note-mean-of-chernoff",
        ("note-put-below", lambda: {of_the_first: odd_half_line, **below_the_constant()}),
    ],
    time_limit=2,
    cites=["lemma-a.5.first", "lemma-a.5.later"],
    without={"lemma-4.4": "note-lemma-4.4 is lemma 4.4 for the chain, without its condition"},
)
def half_line_on_the_odd_dataset():
    """Probability of the half-line above the plain mean, on the dataset with the odd record."""
    return Le(odd_half_line, exp(-separation_bound / 2))


def parts_of_the_mixture():
    """Probability of the half-line at the first position, and at all others together."""
    return {
        of_the_first: above_the_plain_mean(first_gap(), first_variance()),
        of_the_others: later_positions(above_the_plain_mean(mean_plain - mean_odd, variance_odd)),
    }


def below_the_constant():
    """Return the substitution for the mean of Chernoff's bounds, and for its bound."""
    bounds = chernoff_bounds()
    mean = (bounds[first_bound] + bounds[other_bound]) / n
    return {of_the_others: mean, first_bound: exp(-separation_bound / 2)}


def equal_bounds():
    """Bound of the half-line at the first position, and at all others together."""
    bound = exp(-separation_bound / 2)
    return {first_bound: bound, other_bound: later_positions(bound)}


def chernoff_bounds():
    """Chernoff's bound at the first position, and at all others together."""
    return {
        first_bound: chernoff(first_gap(), first_variance()),
        other_bound: later_positions(chernoff(mean_plain - mean_odd, variance_odd)),
    }


def parts_of_the_bound():
    """Return the substitution of Chernoff's bounds for the bounded probabilities."""
    bounds = chernoff_bounds()
    return {of_the_first: bounds[first_bound], of_the_others: bounds[other_bound]}


# --- lemma A.6 and eq. 16, 24 and 25 --------------------------------------------------------------


def lost_privacy():
    """Right side of eq. 16."""
    return separation_bound / 2 + log(half - delta)


@claim(
    "eq-16",
    place="eq. 16, that it is of the order of (c / n)**2: once c / n is large, as lemma 4.6 has it, the "
    "right side is between a quarter and a half of the bound of eq. 15",
    given=[Lt(delta, half), Ge(separation_bound, -4 * log(half - delta))],
)
def loss_of_the_half_line():
    """Loss that the half-line shows, by the bound of eq. 15."""
    return [
        Ge(lost_privacy(), separation_bound / 4),
        Le(lost_privacy(), separation_bound / 2),
    ]


@claim(
    "note-lemma-a.6",
    place="eq. 25, for any bound",
    given=lambda: [
        Lt(delta, half),
        Le(any_event, exp(-least_ratio / 2)),
        Lt(epsilon, least_ratio / 2 + log(half - delta)),
    ],
    proof=lambda: [
        step("the loss against the bound", Lt(epsilon - least_ratio / 2, log(half - delta))),
        step("exponentials grow", Lt(exp(epsilon - least_ratio / 2), half - delta)),
        step(
            "times an exponential",
            Lt(exp(epsilon - least_ratio / 2) * exp(-epsilon), (half - delta) * exp(-epsilon)),
        ),
        step(
            "the exponents added",
            Eq(exp(epsilon - least_ratio / 2) * exp(-epsilon), exp(-least_ratio / 2)),
        ),
    ],
)
def any_loss():
    """Probability of an event, against the probability of the half-line on D_1, for any bound."""
    return Lt(any_event, (half - delta) * exp(-epsilon))


@claim(
    "eq-25",
    place="eq. 25, its first line and its last; (epsilon / n) is read as (c / n)",
    given=lambda: [Lt(delta, half)],
    using=[("note-eq-25", lambda: {least_ratio: separation_bound})],
)
def condition_on_the_loss():
    """Sign of the bound of eq. 24: the lines are equivalent."""
    first = Lt(exp(epsilon - separation_bound / 2) + delta - half, 0)
    return equivalent(first, Lt(epsilon, lost_privacy()))


@claim(
    "note-eq-25",
    place="eq. 25, for any bound",
    given=lambda: [Lt(delta, half)],
    proof=lambda: [
        step("a power of e", Eq(half - delta, exp(log(half - delta)))),
    ],
)
def any_condition_on_the_loss():
    """Sign of the bound of eq. 24, for any bound."""
    first = Lt(exp(epsilon - least_ratio / 2) + delta - half, 0)
    return equivalent(first, Lt(epsilon, least_ratio / 2 + log(half - delta)))


@claim(
    "lemma-a.6",
    place="Lemma A.6, eq. 16 and 25: the half-line has probability 1/2 on D_1, more than exp(epsilon) "
    "times the left side and delta",
    given=lambda: [*at_the_balance_epoch(), Lt(delta, half), Lt(epsilon, lost_privacy())],
    using=[
        "claim-d.23",
        (
            "note-lemma-a.6",
            lambda: {any_event: odd_half_line, least_ratio: separation_bound},
        ),
    ],
    cites=["claim-d.23"],
    without={
        "eq-24": "the half-line is bounded first, and eq. 24 follows",
        "eq-25": "its sign is part of note-lemma-a.6",
    },
)
def privacy_is_lost():
    """Probability of the half-line above the plain mean, at the balance epoch."""
    return Lt(odd_half_line, (half - delta) * exp(-epsilon))


# --- the distributions -------------------------------------------------------------------------------------


@claim("note-tail", place="used by Lemma A.6")
def tail_of_a_normal_distribution():
    """Probability that a normal distribution is above a point."""
    return Eq(
        probability(Normal(mu_1, sqrt(spread)), Interval(mu_2, oo)),
        above_the_plain_mean(mu_2 - mu_1, spread),
    )


@claim("note-tail-bound", place="used by Lemma A.6", using=["note-tail"])
def tail_of_a_normal_distribution_bounded():
    """Probability that a normal distribution is above a point, bounded."""
    return Le(
        probability(Normal(mu_1, sqrt(spread)), Interval(mu_2, oo)),
        above_the_plain_mean(mu_2 - mu_1, spread),
    )


@claim(
    "note-tail-first",
    place="used by Lemma A.6, odd record first",
    given=[strong_data],
    using=[
        "note-rates",
        "note-first-sign",
        (
            "note-tail-bound",
            lambda: {mu_1: chain_on_d_2().args[0].mean, mu_2: mean_plain, spread: first_variance()},
        ),
    ],
)
def tail_of_the_first_position():
    """Probability of the half-line where the odd record comes first."""
    return Le(
        probability(chain_on_d_2().args[0], above_the_mean),
        above_the_plain_mean(first_gap(), first_variance()),
    )


@claim(
    "note-tail-later",
    place="used by Lemma A.6, odd record later",
    given=[strong_data, Gt(r, 1)],
    using=[
        "note-rates",
        "note-variance-sign",
        ("note-tail-bound", lambda: {mu_1: mean_odd, mu_2: mean_plain, spread: variance_odd}),
    ],
)
def tail_of_a_later_position():
    """Probability of the half-line where the odd record comes later."""
    return Le(
        probability(chain_on_d_2().args[1], above_the_mean),
        above_the_plain_mean(mean_plain - mean_odd, variance_odd),
    )


@claim(
    "note-tail-positions",
    place="used by Lemma A.6, all positions after the first",
    given=[strong_data],
    using=["note-chain", "note-variance-sign", "note-tail-later"],
)
def tails_of_all_later_positions():
    """Probabilities of the half-line for all later positions together."""
    return Le(
        later_positions(probability(chain_on_d_2().args[1], above_the_mean)),
        later_positions(above_the_plain_mean(mean_plain - mean_odd, variance_odd)),
    )


def parts_of_the_distribution():
    """Probability of the half-line at the first position, and at all others together."""
    first, other = chain_on_d_2().args[:2]
    return {
        of_the_first: probability(first, above_the_mean),
        of_the_others: later_positions(probability(other, above_the_mean)),
    }


def written_parts():
    """Return the substitution of the two probabilities, by the error function, for their bounds."""
    parts = parts_of_the_mixture()
    return {first_bound: parts[of_the_first], other_bound: parts[of_the_others]}


@claim(
    "note-law-on-d-2",
    place="used by Lemma A.6",
    given=[strong_data],
    using=[
        "note-tail-first",
        "note-tail-positions",
        ("note-mean-of-bounds", lambda: {**parts_of_the_distribution(), **written_parts()}),
    ],
    time_limit=2,
)
def half_line_under_the_mixture():
    """Probability of the half-line under the distribution of the chain on D_2."""
    return Le(probability(chain_on_d_2(), above_the_mean), odd_half_line)


@claim(
    "note-plain-variance-sign", place="used by Lemma A.6", given=[strong_data], using=["note-rates"]
)
def variance_on_d_1_is_positive():
    """Variance of the chain on D_1."""
    return Gt(variance_plain, 0)


@claim(
    "note-law-on-d-1",
    place="used by Lemma A.6",
    given=[strong_data],
    using=[
        "note-plain-variance-sign",
        ("note-tail", lambda: {mu_1: mean_plain, mu_2: mean_plain, spread: variance_plain}),
    ],
)
def half_line_under_the_plain_distribution():
    """Probability of the half-line under the distribution of the chain on D_1."""
    return Eq(probability(chain_on_d_1, above_the_mean), half)


@claim(
    "note-excess",
    place="used by Lemma A.6, for any numbers",
    given=lambda: [
        Eq(first_bound, half),
        Le((of_the_first + of_the_others) / n, other_bound),
        Lt(other_bound, (half - delta) * exp(-epsilon)),
    ],
)
def excess_of_any_numbers():
    """Probability of the half-line on D_1, against the bound of privacy, for any numbers."""
    return Gt(first_bound, exp(epsilon) * ((of_the_first + of_the_others) / n) + delta)


@claim(
    "note-eq-24",
    place="eq. 24, for any numbers",
    given=lambda: [
        Eq(first_bound, half),
        Le((of_the_first + of_the_others) / n, other_bound),
        Le(other_bound, exp(-least_ratio / 2)),
    ],
)
def any_excess():
    """Allowed probability of an event less its probability, bounded, for any numbers."""
    return Le(
        exp(epsilon) * ((of_the_first + of_the_others) / n) + delta - first_bound,
        exp(epsilon) * exp(-least_ratio / 2) + delta - half,
    )


@claim(
    "eq-24",
    place="eq. 24, of the distributions of the chain on D_1 and D_2; (epsilon / n) there is read as (c / n)",
    given=at_the_balance_epoch,
    using=[
        "note-tail-first",
        "note-tail-positions",
        "note-law-on-d-1",
        "note-law-on-d-2",
        "claim-d.23",
        (
            "note-eq-24",
            lambda: {
                first_bound: probability(chain_on_d_1, above_the_mean),
                **parts_of_the_distribution(),
                other_bound: odd_half_line,
                least_ratio: separation_bound,
            },
        ),
    ],
    cites=["claim-d.23"],
    time_limit=2,
)
def excess_of_the_half_line():
    """Allowed probability of the half-line less its probability on D_1, bounded."""
    allowed = exp(epsilon) * probability(chain_on_d_2(), above_the_mean) + delta
    return Le(
        allowed - probability(chain_on_d_1, above_the_mean),
        exp(epsilon) * exp(-separation_bound / 2) + delta - half,
    )


LAWS_OF_THE_CHAIN = (
    "lemma-a.1.mean-first",
    "lemma-a.1.mean-epochs",
    "lemma-a.1.variance",
    "lemma-a.1.variance-epochs",
)
"""Lemma A.1: the steps of the chain give the mean and the variance of the notation on D_2."""


@claim(
    "lemma-a.6.laws",
    place="Lemma A.6, its conclusion: the half-line tells the two distributions of the chain apart; that "
    "they are its distributions is lemma A.1, of the mean and the variance on D_2 for all positions",
    given=lambda: [*at_the_balance_epoch(), Lt(delta, half), Lt(epsilon, lost_privacy())],
    using=[
        "note-tail-first",
        "note-tail-positions",
        "note-law-on-d-1",
        "note-law-on-d-2",
        "lemma-a.6",
        *LAWS_OF_THE_CHAIN,
        (
            "note-excess",
            lambda: {
                first_bound: probability(chain_on_d_1, above_the_mean),
                **parts_of_the_distribution(),
                other_bound: odd_half_line,
            },
        ),
    ],
    cites=["lemma-a.6"],
    time_limit=2,
)
def chain_is_not_private():
    """Chain on two neighbours at the balance epoch."""
    return not_private(chain_on_d_1, chain_on_d_2(), epsilon, delta, above_the_mean)
