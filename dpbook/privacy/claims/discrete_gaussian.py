"""Discrete Gaussian noise on the integers: sums without an end, which may be cut at any place.

Canonne, Kamath and Steinke sum by Poisson's formula. For these claims the integers are enough:
the noise is moved by whole steps.
"""

from sympy import Abs, Eq, Ge, Integer, Lambda, Le, Max, Symbol, exp, floor

from dpbook import Relation, claim, step
from dpbook.privacy.claims.integer_sums import G, from_0, size
from dpbook.privacy.claims.sources import CANONNE, HERE
from dpbook.privacy.distributions import DiscreteGaussian
from dpbook.privacy.divergences import hockey_stick, renyi_moment
from dpbook.privacy.notation import (
    count,
    epsilon,
    integer_output,
    mu_1,
    multiple,
    nu,
    other_count,
    outcome,
    sensitivity,
    sigma_1,
    start,
    third_count,
)
from dpbook.privacy.selection import AnyFunction
from dpbook.privacy.statements import AtLeast, private, probability

AROUND_0 = DiscreteGaussian(Integer(0), sigma_1)
FIRST, SECOND = (DiscreteGaussian(one, sigma_1) for one in (count, other_count))


def fall(center):
    """Return a bound of a weight times a square."""
    return 1 + 2 * center**2 + 4 * sigma_1**2


def weight():
    """Return the weight of an integer under Gaussian noise around any number."""
    return DiscreteGaussian(mu_1, sigma_1).weight(integer_output)


def square():
    """Return the square of the distance of an integer from that number, in units of the noise."""
    return (integer_output - mu_1) ** 2 / (2 * sigma_1**2)


@claim(
    "gaussian-weight-falls",
    source=HERE,
    proof=lambda: [
        step("the exponential function", exp(square()) >= 1 + square()),
        step("its inverse", weight() * (1 + square()) <= 1),
        step("the squares", 1 + integer_output**2 <= fall(mu_1) * (1 + square())),
        step(
            "times the weight",
            weight() * (1 + integer_output**2) <= weight() * (fall(mu_1) * (1 + square())),
        ),
        step("so far", weight() * (1 + integer_output**2) <= fall(mu_1)),
        step("the size", Eq(Abs(weight()), weight())),
    ],
)
def weight_falls():
    """Weight of an integer under Gaussian noise, which falls faster than a square."""
    return Le(Abs(weight()) * (1 + integer_output**2), fall(mu_1))


def weights(center, then=None):
    """Return the substitution of weights around a center for numbers that fall like a square."""
    t = Symbol("t", real=True)
    distribution = DiscreteGaussian(center, sigma_1)
    return {
        G: Lambda((t,), distribution.weight(t)),
        size: fall(center),
        count: Integer(0) if then is None else then,
    }


def halves(distribution, place):
    """Return the sums of the weights from an integer up, and from the integer before it down."""
    return (
        from_0(lambda i: distribution.weight(place + i)),
        from_0(lambda i: distribution.weight(place - 1 - i)),
    )


@claim(
    "gaussian-weights-cut",
    source=HERE,
    using=[
        ("gaussian-weight-falls", lambda: {integer_output: integer_output, mu_1: mu_1}),
        ("sum-cut-anywhere", lambda: weights(mu_1, count)),
    ],
)
def weights_cut_anywhere():
    """Weights around any number, added up over all integers, from any integer up and down."""
    distribution = DiscreteGaussian(mu_1, sigma_1)
    here, there = (halves(distribution, place) for place in (count, Integer(0)))
    return [Eq(sum(here), sum(there)), *(Ge(part, 0) for part in (*here, *there))]


@claim(
    "gaussian-total",
    source=HERE,
    using=[
        ("gaussian-weight-falls", lambda: {integer_output: integer_output, mu_1: Integer(0)}),
        ("sum-from-the-next", lambda: weights(Integer(0))),
        ("gaussian-weights-cut", lambda: {mu_1: Integer(0), count: Integer(0)}),
        ("gaussian-weights-cut", lambda: {mu_1: Integer(0), count: Integer(1)}),
    ],
)
def total_of_the_weights():
    """Total of the weights around 0, of which one is 1; both of its parts exist."""
    return [Ge(AROUND_0.total, 1), *(Ge(part, 0) for part in AROUND_0.total.args)]


def put_in(**functions):
    """Return the substitution of functions of the index for the functions of a series."""
    t = Symbol("t", real=True)
    return {AnyFunction(name): Lambda((t,), body(t)) for name, body in functions.items()}


def shares(at):
    """Return the substitution of masses for multiples of the weights."""
    functions = put_in(f=lambda t: FIRST.density(at(t)), g=lambda t: FIRST.weight(at(t)))
    return {**functions, multiple: 1 / FIRST.total}


UP_AND_DOWN = (lambda i: i, lambda i: -1 - i)


@claim(
    "discrete-gaussian-total",
    source=CANONNE,
    place="Definition 1",
    using=[
        "gaussian-total",
        ("gaussian-weights-cut", lambda: {mu_1: Integer(0), count: -count}),
        *(("series-of-multiples", lambda at=at: shares(at)) for at in UP_AND_DOWN),
    ],
)
def masses_of_discrete_gaussian_noise():
    """Masses of discrete Gaussian noise around an integer, added up over all integers."""
    up, down = (from_0(lambda i, at=at: FIRST.density(at(i))) for at in UP_AND_DOWN)
    return [Eq(up + down, 1), Ge(up, 0), Ge(down, 0)]


# --- the smallest delta ---------------------------------------------------------------------------


def excess_at(at):
    """Return the excess of one noise over the other at an integer."""
    return Max(FIRST.density(at) - exp(epsilon) * SECOND.density(at), 0)


@claim(
    "discrete-gaussian-excess-falls",
    source=HERE,
    using=[
        "gaussian-total",
        ("gaussian-weight-falls", lambda: {integer_output: integer_output, mu_1: count}),
    ],
    proof=lambda: [
        step("the mass", FIRST.density(integer_output) <= FIRST.weight(integer_output)),
        step("is above the excess", excess_at(integer_output) <= FIRST.weight(integer_output)),
        step("which is no less than 0", Ge(excess_at(integer_output), 0)),
    ],
)
def excess_falls():
    """Excess of one discrete Gaussian noise over another at an integer, which falls like a square."""
    return Le(Abs(excess_at(integer_output)) * (1 + integer_output**2), fall(count))


def twice_the_loss(at):
    """Twice the loss at an integer, times the variance."""
    apart = count - other_count
    return 2 * apart * (at - count) + apart**2


@claim(
    "discrete-gaussian-loss-above",
    source=CANONNE,
    place="Theorem 7, proof",
    given=lambda: [twice_the_loss(integer_output) >= 2 * sigma_1**2 * epsilon],
    using=["gaussian-total"],
    proof=lambda: [
        step(
            "the exponents",
            -((integer_output - count) ** 2) / (2 * sigma_1**2)
            >= epsilon - (integer_output - other_count) ** 2 / (2 * sigma_1**2),
        ),
        step(
            "the weights",
            FIRST.weight(integer_output) >= exp(epsilon) * SECOND.weight(integer_output),
        ),
    ],
)
def loss_above():
    """Masses of two discrete Gaussian noises at an integer where the loss is at least epsilon."""
    return exp(epsilon) * SECOND.density(integer_output) <= FIRST.density(integer_output)


@claim(
    "discrete-gaussian-loss-below",
    source=CANONNE,
    place="Theorem 7, proof",
    given=lambda: [twice_the_loss(integer_output) <= 2 * sigma_1**2 * epsilon],
    using=["gaussian-total"],
    proof=lambda: [
        step(
            "the exponents",
            -((integer_output - count) ** 2) / (2 * sigma_1**2)
            <= epsilon - (integer_output - other_count) ** 2 / (2 * sigma_1**2),
        ),
        step(
            "the weights",
            FIRST.weight(integer_output) <= exp(epsilon) * SECOND.weight(integer_output),
        ),
    ],
)
def loss_below():
    """Masses of two discrete Gaussian noises at an integer where the loss is at most epsilon."""
    return FIRST.density(integer_output) <= exp(epsilon) * SECOND.density(integer_output)


def begins():
    """Return the conditions that the losses of at least epsilon begin at the integer `start`."""
    return [
        count > other_count,
        twice_the_loss(start) >= 2 * sigma_1**2 * epsilon,
        twice_the_loss(start - 1) <= 2 * sigma_1**2 * epsilon,
    ]


def excesses():
    """Return the substitution of the excess for numbers that fall like a square."""
    t = Symbol("t", real=True)
    return {G: Lambda((t,), excess_at(t)), size: fall(count), count: start}


@claim(
    "discrete-gaussian-excess-cut",
    source=HERE,
    using=[
        ("discrete-gaussian-excess-falls", lambda: {integer_output: integer_output}),
        "gaussian-total",
        ("sum-cut-anywhere", excesses),
    ],
)
def excess_cut():
    """Excess of one discrete Gaussian noise over another, added up from an integer up and down."""
    here = [from_0(lambda i, at=at: excess_at(start + at(i))) for at in UP_AND_DOWN]
    return [Eq(hockey_stick(FIRST, SECOND, epsilon), sum(here)), *(Ge(part, 0) for part in here)]


def tail(distribution):
    """Return the masses from an integer on, added up."""
    return from_0(lambda i: distribution.density(start + i))


@claim(
    "discrete-gaussian-tails-exist",
    source=HERE,
    using=[
        "gaussian-total",
        ("gaussian-weights-cut", lambda: {mu_1: count, count: start}),
        ("series-of-multiples", lambda: shares(lambda i: start + i)),
    ],
)
def tails_exist():
    """Masses of discrete Gaussian noise from an integer on, added up."""
    return Ge(tail(FIRST), 0)


@claim(
    "discrete-gaussian-no-excess",
    source=CANONNE,
    place="Theorem 7, proof",
    given=begins,
    using=[
        "gaussian-total",
        ("discrete-gaussian-loss-below", lambda: {integer_output: start - 1 - outcome}),
    ],
)
def no_excess():
    """Excess of one discrete Gaussian noise over another at an integer where the loss is small."""
    return Eq(excess_at(start - 1 - outcome), 0)


@claim(
    "discrete-gaussian-all-excess",
    source=CANONNE,
    place="Theorem 7, proof",
    given=begins,
    using=[
        "gaussian-total",
        ("discrete-gaussian-loss-above", lambda: {integer_output: start + outcome}),
    ],
)
def all_excess():
    """Excess of one discrete Gaussian noise over another at an integer where the loss is large."""
    there = start + outcome
    return Eq(excess_at(there), FIRST.density(there) - exp(epsilon) * SECOND.density(there))


@claim(
    "discrete-gaussian-delta-tails",
    source=CANONNE,
    place="Theorem 7, as sums from the first integer on at which the loss is at least epsilon",
    given=begins,
    using=[
        "gaussian-total",
        "discrete-gaussian-excess-cut",
        ("discrete-gaussian-tails-exist", lambda: {count: count}),
        ("discrete-gaussian-tails-exist", lambda: {count: other_count}),
        ("discrete-gaussian-no-excess", lambda: {outcome: outcome}),
        ("discrete-gaussian-all-excess", lambda: {outcome: outcome}),
        ("series-of-zeros", lambda: put_in(g=lambda t: excess_at(start - 1 - t))),
        (
            "series-of-a-difference",
            lambda: {
                **put_in(
                    f=lambda t: excess_at(start + t),
                    g=lambda t: FIRST.density(start + t),
                    h=lambda t: SECOND.density(start + t),
                ),
                multiple: exp(epsilon),
            },
        ),
    ],
)
def delta_by_tails():
    """Smallest delta of discrete Gaussian noise: a difference of two tails."""
    return Eq(hockey_stick(FIRST, SECOND, epsilon), tail(FIRST) - exp(epsilon) * tail(SECOND))


def difference():
    """Return the difference of the two tails."""
    return tail(FIRST) - exp(epsilon) * tail(SECOND)


@claim(
    "discrete-gaussian-delta-reverse",
    source=CANONNE,
    place="Theorem 7, the other way",
    given=begins,
    using=[
        "gaussian-total",
        (
            "discrete-gaussian-excess-cut",
            lambda: {count: other_count, other_count: count, start: Integer(1)},
        ),
        ("discrete-gaussian-tails-exist", lambda: {count: count}),
        ("discrete-gaussian-tails-exist", lambda: {count: other_count}),
        (
            "discrete-gaussian-delta-tails",
            lambda: {
                count: -other_count,
                other_count: -count,
                start: start - count - other_count,
            },
        ),
    ],
)
def delta_by_tails_the_other_way():
    """Smallest delta of discrete Gaussian noise, the other way: the same difference of tails."""
    return Eq(hockey_stick(SECOND, FIRST, epsilon), difference())


# --- as probabilities -----------------------------------------------------------------------------


def counted(at):
    """Return the mass of an integer that is no smaller than the start, and else 0."""
    return AtLeast(start).indicator(at) * FIRST.density(at)


@claim(
    "discrete-gaussian-counted-falls",
    source=HERE,
    using=[
        "gaussian-total",
        ("gaussian-weight-falls", lambda: {integer_output: integer_output, mu_1: count}),
    ],
    proof=lambda: [
        step("the mass", FIRST.density(integer_output) <= FIRST.weight(integer_output)),
        step("is no less", counted(integer_output) <= FIRST.weight(integer_output)),
        step("nor less than 0", Ge(counted(integer_output), 0)),
    ],
)
def counted_falls():
    """Mass that is counted at an integer, which falls like a square."""
    return Le(Abs(counted(integer_output)) * (1 + integer_output**2), fall(count))


@claim("discrete-gaussian-counted-below", source=HERE, using=["gaussian-total"])
def counted_below():
    """Mass that is counted at an integer before the start."""
    return Eq(counted(start - 1 - outcome), 0)


@claim("discrete-gaussian-counted-above", source=HERE, using=["gaussian-total"])
def counted_above():
    """Mass that is counted at an integer from the start on."""
    return Eq(counted(start + outcome), 1 * FIRST.density(start + outcome))


@claim(
    "discrete-gaussian-tail",
    source=HERE,
    using=[
        "gaussian-total",
        "discrete-gaussian-tails-exist",
        ("discrete-gaussian-counted-falls", lambda: {integer_output: integer_output}),
        ("discrete-gaussian-counted-below", lambda: {outcome: outcome}),
        ("discrete-gaussian-counted-above", lambda: {outcome: outcome}),
        (
            "sum-cut-anywhere",
            lambda: {**put_in(G=counted), size: fall(count), count: start},
        ),
        ("series-of-zeros", lambda: put_in(g=lambda t: counted(start - 1 - t))),
        (
            "series-of-multiples",
            lambda: {
                **put_in(
                    f=lambda t: counted(start + t),
                    g=lambda t: FIRST.density(start + t),
                ),
                multiple: Integer(1),
            },
        ),
    ],
)
def tail_of_discrete_gaussian_noise():
    """Probability that discrete Gaussian noise around an integer is no smaller than another integer."""
    whole = probability(FIRST, AtLeast(start))
    exist = (Relation(part, "==", part) for part in whole.definition().args)
    return [Eq(whole, tail(FIRST)), *exist]


def level():
    """First integer at which the loss is above epsilon."""
    apart = count - other_count
    return count + floor(epsilon * sigma_1**2 / apart - apart / 2) + 1


@claim(
    "discrete-gaussian-level",
    source=CANONNE,
    place="Theorem 7, proof",
    given=lambda: [count > other_count],
)
def losses_at_the_level():
    """Losses of two discrete Gaussian noises at the first integer where the loss is large, and before."""
    return [
        twice_the_loss(level()) >= 2 * sigma_1**2 * epsilon,
        twice_the_loss(level() - 1) <= 2 * sigma_1**2 * epsilon,
    ]


def smallest_delta(place):
    """Return the difference of two probabilities of one event."""
    first, second = (probability(distribution, AtLeast(place)) for distribution in (FIRST, SECOND))
    return first - exp(epsilon) * second


def both_ways(place):
    """State that the smallest delta is the difference of two probabilities, both ways."""
    return [
        Eq(hockey_stick(FIRST, SECOND, epsilon), smallest_delta(place)),
        Eq(hockey_stick(SECOND, FIRST, epsilon), smallest_delta(place)),
    ]


@claim(
    "discrete-gaussian-delta-from",
    source=CANONNE,
    place="Theorem 7, proof",
    given=begins,
    using=[
        "gaussian-total",
        ("discrete-gaussian-tail", lambda: {count: count}),
        ("discrete-gaussian-tail", lambda: {count: other_count}),
        "discrete-gaussian-delta-tails",
        "discrete-gaussian-delta-reverse",
    ],
)
def smallest_delta_from_a_start():
    """Smallest delta of discrete Gaussian noise: two probabilities of one event, at its first integer."""
    return both_ways(start)


@claim(
    "discrete-gaussian-delta",
    source=CANONNE,
    place="Theorem 7, both ways",
    given=lambda: [count > other_count],
    using=[
        "discrete-gaussian-level",
        ("discrete-gaussian-delta-from", lambda: {start: level()}),
    ],
)
def smallest_delta_of_discrete_gaussian_noise():
    """Smallest delta of discrete Gaussian noise: two probabilities of one event."""
    return both_ways(level())


# --- at a sensitivity -----------------------------------------------------------------------------

FURTHER = DiscreteGaussian(third_count, sigma_1)


def further(at):
    """Return the excess of the first noise over a third one at an integer."""
    return Max(FIRST.density(at) - exp(epsilon) * FURTHER.density(at), 0)


@claim(
    "discrete-gaussian-excess-grows",
    source=CANONNE,
    place="Theorem 7, proof: at the sensitivity delta is largest",
    given=lambda: [*begins(), third_count <= other_count],
    using=[
        "gaussian-total",
        ("discrete-gaussian-all-excess", lambda: {outcome: outcome}),
    ],
    proof=lambda: [
        step("the loss there", twice_the_loss(start + outcome) >= 0),
        step("nearer to the first center", 2 * (start + outcome) >= count + other_count),
        step(
            "so further from the third one",
            (start + outcome - other_count) ** 2 <= (start + outcome - third_count) ** 2,
        ),
        step(
            "the weights",
            FURTHER.weight(start + outcome) <= SECOND.weight(start + outcome),
        ),
        step(
            "the masses",
            FURTHER.density(start + outcome) <= SECOND.density(start + outcome),
        ),
    ],
)
def excess_grows():
    """Excess of one discrete Gaussian noise over another, which is larger over one further away."""
    return [
        Le(excess_at(start + outcome), further(start + outcome)),
        Ge(excess_at(start + outcome), 0),
    ]


@claim(
    "discrete-gaussian-delta-grows",
    source=CANONNE,
    place="Theorem 7, proof: at the sensitivity delta is largest",
    given=lambda: [*begins(), third_count <= other_count],
    using=[
        "gaussian-total",
        "discrete-gaussian-excess-cut",
        ("discrete-gaussian-excess-cut", lambda: {other_count: third_count}),
        ("discrete-gaussian-no-excess", lambda: {outcome: outcome}),
        ("discrete-gaussian-excess-grows", lambda: {outcome: outcome}),
        ("series-of-zeros", lambda: put_in(g=lambda t: excess_at(start - 1 - t))),
        (
            "series-below",
            lambda: put_in(
                f=lambda t: excess_at(start + t),
                g=lambda t: further(start + t),
            ),
        ),
    ],
)
def delta_grows():
    """Smallest delta of discrete Gaussian noise, which grows with the distance of the counts."""
    return Le(hockey_stick(FIRST, SECOND, epsilon), hockey_stick(FIRST, FURTHER, epsilon))


def place():
    """First integer at which the loss is large, where the noise is around 0."""
    return floor(epsilon * sigma_1**2 / sensitivity - sensitivity / 2) + 1


def delta_at_the_sensitivity():
    """Difference of two probabilities of the noise alone: to exceed where the loss is epsilon, and further on."""
    levels = (place(), place() + sensitivity)
    first, second = (probability(AROUND_0, AtLeast(level_)) for level_ in levels)
    return first - exp(epsilon) * second


def furthest():
    """Return the noise around the other count that is as far away as the sensitivity allows."""
    return DiscreteGaussian(count - sensitivity, sigma_1)


@claim(
    "discrete-gaussian-delta-of-a-distance",
    source=CANONNE,
    place="Theorem 7, for counts that differ by the sensitivity",
    using=[
        "gaussian-total",
        ("discrete-gaussian-level", lambda: {other_count: count - sensitivity}),
        ("discrete-gaussian-tail", lambda: {count: Integer(0), start: place()}),
        ("discrete-gaussian-tail", lambda: {count: Integer(0), start: place() + sensitivity}),
        (
            "discrete-gaussian-delta-tails",
            lambda: {other_count: count - sensitivity, start: count + place()},
        ),
    ],
)
def smallest_delta_at_a_distance():
    """Smallest delta of discrete Gaussian noise around two integers, by the noise around 0."""
    return Eq(hockey_stick(FIRST, furthest(), epsilon), delta_at_the_sensitivity())


@claim(
    "discrete-gaussian-both-ways",
    source=CANONNE,
    place="Theorem 7, proof",
    given=lambda: [count > other_count],
    using=[
        "discrete-gaussian-level",
        ("discrete-gaussian-delta-tails", lambda: {start: level()}),
        ("discrete-gaussian-delta-reverse", lambda: {start: level()}),
    ],
)
def same_delta_both_ways():
    """Smallest delta of discrete Gaussian noise, which is the same both ways."""
    there, back = ((FIRST, SECOND), (SECOND, FIRST))
    return Eq(hockey_stick(*back, epsilon), hockey_stick(*there, epsilon))


@claim(
    "discrete-gaussian-below-a-distance",
    source=CANONNE,
    place="Theorem 7, one way",
    given=lambda: [count > other_count, count - other_count <= sensitivity],
    using=[
        "discrete-gaussian-level",
        (
            "discrete-gaussian-delta-grows",
            lambda: {third_count: count - sensitivity, start: level()},
        ),
    ],
)
def delta_below_that_of_a_distance():
    """Smallest delta of discrete Gaussian noise, below the smallest delta at the sensitivity."""
    return Le(hockey_stick(FIRST, SECOND, epsilon), hockey_stick(FIRST, furthest(), epsilon))


@claim(
    "discrete-gaussian-mechanism",
    source=CANONNE,
    place="Theorem 7, the larger count first",
    given=lambda: [count > other_count, count - other_count <= sensitivity],
    using=[
        ("discrete-gaussian-both-ways", lambda: {count: count}),
        ("discrete-gaussian-below-a-distance", lambda: {count: count}),
        ("discrete-gaussian-delta-of-a-distance", lambda: {count: count}),
    ],
)
def privacy_of_discrete_gaussian_noise():
    """Privacy of a count with discrete Gaussian noise, within a sensitivity."""
    return private(FIRST, SECOND, epsilon, delta_at_the_sensitivity())


# --- the Renyi divergence -------------------------------------------------------------------------


def between():
    """Return the center of the noise whose weights the integrand of a moment is proportional to."""
    return nu * count + (1 - nu) * other_count


def growth():
    """Return the moment of a normal distribution in place of the discrete one."""
    return exp(nu * (nu - 1) * (count - other_count) ** 2 / (2 * sigma_1**2))


THIRD = DiscreteGaussian(start, sigma_1)


def integrand(at):
    """Return the term of the moment at an integer."""
    return FIRST.density(at) ** nu * SECOND.density(at) ** (1 - nu)


@claim(
    "discrete-gaussian-moment-term",
    source=CANONNE,
    place="Theorem 4, proof",
    given=lambda: [Eq(start, between())],
    using=["gaussian-total"],
)
def term_of_a_moment():
    """Term of the moment of two discrete Gaussian noises: a multiple of a mass of a third one."""
    return Eq(integrand(integer_output), growth() * THIRD.density(integer_output))


@claim(
    "discrete-gaussian-moment",
    source=CANONNE,
    place="Theorem 4, proof, at orders for which the order times the distance of the counts is an integer",
    given=lambda: [Eq(start, between())],
    using=[
        "gaussian-total",
        ("discrete-gaussian-total", lambda: {count: start}),
        ("discrete-gaussian-moment-term", lambda: {integer_output: outcome}),
        ("discrete-gaussian-moment-term", lambda: {integer_output: -1 - outcome}),
        *(
            (
                "series-of-multiples",
                lambda at=at: {
                    **put_in(
                        f=lambda t: integrand(at(t)),
                        g=lambda t: THIRD.density(at(t)),
                    ),
                    multiple: growth(),
                },
            )
            for at in UP_AND_DOWN
        ),
    ],
)
def moment_of_discrete_gaussian_noise():
    """Moment of two discrete Gaussian noises: the moment of normal distributions, at every integer order among others."""
    return Eq(renyi_moment(FIRST, SECOND, nu), growth())
