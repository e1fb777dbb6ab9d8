"""Appendix A: lemmas and proofs of Sections 3 and 4."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integer,
    Integral,
    Lambda,
    Le,
    Limit,
    Lt,
    Max,
    Min,
    Ne,
    Or,
    Rational,
    Sum,
    Symbol,
    erf,
    erfc,
    exp,
    log,
    oo,
    sinh,
    sqrt,
    tanh,
)
from sympy import floor as Floor

from dpbook import Exists, Recurrence, claim, for_all, step
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent, AnyTest
from dpbook.privacy.distributions import Bernoulli, Laplace, Normal
from dpbook.privacy.divergences import (
    affinity,
    kl_divergence,
    renyi_divergence,
    renyi_moment,
    total_variation,
)
from dpbook.privacy.notation import epsilon as loss
from dpbook.privacy.notation import first_delta, nu, order_taken, outcome, scale, second_delta
from dpbook.privacy.selection import AnyFunction
from dpbook.privacy.statements import Interval, concentrated, private, probability
from dpbook.unknown_sample_size.any_models import AnyChance, AnyCount, AnyTradeOff
from dpbook.unknown_sample_size.notation import (
    aside,
    beyond,
    ceiling_below,
    delta,
    distance,
    distance_below,
    down,
    eps_s,
    epsilon,
    fall,
    first_ratio,
    fixed_point,
    floor_below,
    fraction,
    gap,
    high,
    index,
    index_more,
    level,
    little,
    low,
    mu,
    n,
    n_0,
    p_x,
    p_y,
    part_1,
    q,
    rate,
    real_n_0,
    record,
    rho,
    second_ratio,
    sequence,
    start,
    steps,
    theta,
    told,
    told_too,
    trade_off_at,
    up,
    variation,
)


def normaliser():
    """Sum of the weights of all n >= 1 given n_dp = n_0, by note-size-posterior."""
    return (1 + q - q**n_0) / (1 - q)


# --- the noise of the number of records -----------------------------------------------------------


NOISE, CLOSE, COUNTS = (
    AnyDistribution("e"),
    AnyEvent("B"),
    AnyEvent("J"),
)  # of n_dp given n_0; near n_0; at least 1


def noisy_and(*events):
    """Probability of events of the noise."""
    inside = NOISE.density(told)
    for event in events:
        inside = inside * event.indicator(told)
    return Integral(inside, (told, -oo, oo))


@claim(
    "lemma-a.1",
    place="Lemma A.1: for each n_0 and any distribution of n_dp given n = n_0, told by a real number. B is that n_dp is near n_0, "
    "J that it is at least 1. By symmetry p(n | n_dp = n_0) is the mass of n_dp at n over that of all n >= 1. Where "
    "B and J have a probability of 1 - gamma/2 each, n is near n_0 with 1 - gamma",
    scope="the inequality of the proof, for each n_0: that the left side is the probability that n is near n_0 is in "
    "words, and so is the last step, from all gamma to O_p",
    given=lambda: [Gt(noisy_and(COUNTS), 0)],
    proof=lambda: [
        step("a union", Ge(noisy_and(CLOSE, COUNTS), noisy_and(CLOSE) + noisy_and(COUNTS) - 1)),
        step("at most all", [Le(noisy_and(COUNTS), 1), Ge(noisy_and(CLOSE, COUNTS), 0)]),
    ],
)
def rate_carries_over():
    """Probability that n is near n_dp, from the probability that the noise is small."""
    near = noisy_and(CLOSE, COUNTS) / noisy_and(COUNTS)
    return Ge(near, noisy_and(CLOSE) + noisy_and(COUNTS) - 1)


def far_above():
    """Weights of the numbers k and more above the floor of n_dp."""
    return Sum(exp(-epsilon * (index - fraction)), (index, distance, oo))


def far_below():
    """Weights of the numbers from 1 on that are k_0 and more below it."""
    return Sum(exp(-epsilon * (index + fraction)), (index, distance_below, n_0 - 1))


def all_weights():
    """Weights of all numbers from 1 on."""
    above = Sum(exp(-epsilon * (index - fraction)), (index, 1, oo))
    return above + Sum(exp(-epsilon * (index + fraction)), (index, 0, n_0 - 1))


def both_ends():
    """The sum of all weights, times 1 - exp(-epsilon)."""
    inside = exp(-epsilon * (1 - fraction)) + exp(-epsilon * fraction)
    return inside - exp(-epsilon * (n_0 + fraction))


def tails():
    """The weights far from n_dp, times 1 - exp(-epsilon)."""
    inside = exp(-epsilon * (distance - fraction)) + exp(-epsilon * (distance_below + fraction))
    return inside - exp(-epsilon * (n_0 + fraction))


def far_away():
    """Return the conditions that k above n_0 and k_0 below it are at least M / epsilon from n_dp.

    If k_0 = n_0, no number is left below, and nothing else is supposed of k_0.
    """
    return [
        distance >= 1,
        distance_below <= n_0,
        epsilon * (distance - fraction) >= level,
        Or(epsilon * (distance_below + fraction) >= level, Eq(distance_below, n_0)),
    ]


@claim(
    "note-lemma-a.2-weights",
    place="used by lemma-a.2: the weights far away, against all, both without their denominator 1 - exp(-epsilon)",
    given=lambda: far_away(),
    proof=lambda: [
        step(
            "the distances",
            [
                Le(exp(-epsilon * (distance - fraction)), exp(-level)),
                Le(
                    exp(-epsilon * (distance_below + fraction)) - exp(-epsilon * (n_0 + fraction)),
                    exp(-level),
                ),
            ],
        ),
        step(
            "the number is at least 1",
            Le(exp(-epsilon * (n_0 + fraction)), exp(-epsilon * (1 + fraction))),
        ),
        step(
            "below half, and above it",
            Ge(
                exp(-epsilon * (1 - fraction))
                + exp(-epsilon * fraction)
                - exp(-epsilon * (1 + fraction)),
                exp(-epsilon / 2),
            ),
        ),
        step("so is the sum of all weights", Ge(both_ends(), exp(-epsilon / 2))),
        step("the bound", Eq(2 * exp(epsilon / 2 - level) * exp(-epsilon / 2), 2 * exp(-level))),
    ],
)
def weights_far_away():
    """Weights of the numbers that are far from the noisy number."""
    return Le(tails(), 2 * exp(epsilon / 2 - level) * both_ends())


def weighed_by(centre):
    """Densities of a noisy number given n and n + 1 records, each times the weight of the other number."""
    here, there = (Laplace(centre(number), 1 / epsilon).density(real_n_0) for number in (n, n + 1))
    return Eq(
        here * exp(-epsilon * Abs(n + 1 - real_n_0)), there * exp(-epsilon * Abs(n - real_n_0))
    )


@claim(
    "lemma-a.2.centre",
    place="Lemma A.2, n_dp | n ~ Laplace(0, 1/epsilon), against the first display of its proof: under a flat prior the densities of n_dp given "
    "n and n + 1 are to be as exp(-epsilon |n - n_dp|) and exp(-epsilon |n + 1 - n_dp|)",
    fault="misprint",
    effect="The proof goes on with noise around n.",
)
def noise_around_0_as_printed():
    """Weights of two numbers of records under the noise of Lemma A.2, as printed."""
    return weighed_by(lambda number: 0)


@claim(
    "lemma-a.2.centre-corrected",
    place="Lemma A.2, n_dp | n ~ Laplace(n, 1/epsilon), against the first display of its proof",
    corrects=["lemma-a.2.centre"],
    why="The noise is around n, as n_dp is a noisy n.",
)
def noise_around_the_number():
    """Weights of two numbers of records under the noise of Lemma A.2, repaired."""
    return weighed_by(lambda number: number)


@claim(
    "lemma-a.2",
    place="Lemma A.2, eq. 6 to 16 from end to end, with the bound of its proof (eq. 14), for the flat prior on all "
    "n >= 1 and any n_dp = n_0 + a of at least 1: the probability that epsilon |n - n_dp| is M or more, so that n is "
    "k or more above n_0, or k_0 or more below it, where k_0 = n_0 leaves none. Several lines of the proof do not stand "
    "(text-a.2-series, text-a.2-tail, text-a.2-half, eq-11)",
    given=lambda: far_away(),
    using=["note-lemma-a.2-weights"],
    proof=lambda: [
        step(
            "all sums",
            [
                Eq(far_above(), exp(-epsilon * (distance - fraction)) / (1 - exp(-epsilon))),
                Eq(
                    far_below(),
                    (exp(-epsilon * (distance_below + fraction)) - exp(-epsilon * (n_0 + fraction)))
                    / (1 - exp(-epsilon)),
                ),
                Eq(all_weights(), both_ends() / (1 - exp(-epsilon))),
            ],
        ),
        step("some have weight", [Gt(both_ends(), 0), Gt(all_weights(), 0)]),
        step("together", Eq(far_above() + far_below(), tails() / (1 - exp(-epsilon)))),
    ],
)
def spread_under_laplace_noise():
    """Number of records given a Laplace noisy number."""
    return Le((far_above() + far_below()) / all_weights(), 2 * exp(epsilon / 2 - level))


def weights_of_whole_numbers():
    """Return the weights of the whole numbers up to the floor of n_dp, and above it."""
    below = Sum(exp(-epsilon * (fraction + index)), (index, 0, oo))
    above = Sum(exp(-epsilon * (index - fraction)), (index, 1, oo))
    return below, above


@claim(
    "text-a.2-closed",
    place="Proof of Lemma A.2, the series before it is bounded",
    proof=lambda: [
        step(
            "either side",
            [
                Eq(side, first / (1 - exp(-epsilon)))
                for side, first in zip(
                    weights_of_whole_numbers(),
                    (exp(-epsilon * fraction), exp(-epsilon * (1 - fraction))),
                    strict=True,
                )
            ],
        ),
    ],
)
def series_of_both_sides():
    """Sum of the weights of all whole numbers."""
    below, above = weights_of_whole_numbers()
    closed = (exp((1 - fraction) * epsilon) + exp(fraction * epsilon)) / (exp(epsilon) - 1)
    return Eq(below + above, closed)


@claim(
    "text-a.2-series",
    place="Proof of Lemma A.2, the bound on the series",
    fault="misprint",
    effect="The proof goes on with the series in a denominator, and so with the inequality that holds.",
)
def series_as_printed():
    """Bound on the sum of the weights of all whole numbers, as printed."""
    closed = (exp((1 - fraction) * epsilon) + exp(fraction * epsilon)) / (exp(epsilon) - 1)
    return Le(closed, 2 * exp(epsilon / 2) / (exp(epsilon) - 1))


@claim(
    "text-a.2-series-corrected",
    place="Proof of Lemma A.2, the bound on the series, repaired",
    corrects=["text-a.2-series"],
    why="The proof minimises the series over a, so what it finds is a bound from below.",
)
def series():
    """Bound on the sum of the weights of all whole numbers, repaired."""
    closed = (exp((1 - fraction) * epsilon) + exp(fraction * epsilon)) / (exp(epsilon) - 1)
    return Ge(closed, 2 * exp(epsilon / 2) / (exp(epsilon) - 1))


@claim(
    "text-a.2-tail",
    place="Proof of Lemma A.2, the weights of the numbers below 1, any real n_0",
    fault="misprint",
    effect="The bound 1/2 that follows holds with the right exponent too, as n_0 is at least 1.",
)
def tail_below_one_as_printed():
    """Sum of the weights of the numbers below 1, as printed."""
    return Eq(
        Sum(exp(-epsilon * (real_n_0 + index)), (index, 0, oo)),
        exp(-epsilon - real_n_0 * epsilon) / (exp(epsilon) - 1),
    )


@claim(
    "text-a.2-tail-corrected",
    place="Proof of Lemma A.2, the weights of the numbers below 1, any real n_0, repaired",
    corrects=["text-a.2-tail"],
    why="The sign of the first epsilon is wrong.",
)
def tail_below_one():
    """Sum of the weights of the numbers below 1, repaired."""
    return Eq(
        Sum(exp(-epsilon * (real_n_0 + index)), (index, 0, oo)),
        exp(epsilon - real_n_0 * epsilon) / (exp(epsilon) - 1),
    )


def probability_below_one():
    """Probability of the numbers below 1 for noise around n_0 that is not cut off."""
    return (q**n_0 / (1 - q)) / ((1 + q) / (1 - q))


@claim(
    "text-a.2-half",
    place="Proof of Lemma A.2, the probability of the numbers from 1 on, for whole n_0",
    fault="misprint",
    effect="The proof goes on with a probability of at least 1/2.",
)
def half_as_printed():
    """Probability of the numbers from 1 on, as printed."""
    return Le(1 - probability_below_one(), Rational(1, 2))


def chance_below_one():
    """Probability of the numbers below 1 for noise around n_0 + a that is not cut off."""
    return exp(-epsilon * (n_0 + fraction)) / (
        exp(-epsilon * fraction) + exp(-epsilon * (1 - fraction))
    )


@claim(
    "text-a.2-half-corrected",
    place="Proof of Lemma A.2, the probability of the numbers from 1 on, repaired: as eq. 8 needs it, for any noisy number n_0 + a of at least 1; "
    "the weights of the numbers below 1, and of all, both without their denominator 1 - exp(-epsilon)",
    corrects=["text-a.2-half"],
    why="The bound is one on the probability of the numbers below 1.",
    proof=lambda: [
        step("below all", Le(exp(-epsilon * (n_0 + fraction)), exp(-epsilon * fraction))),
        step("and above", Le(exp(-epsilon * (n_0 + fraction)), exp(-epsilon * (1 - fraction)))),
    ],
)
def half():
    """Probability of the numbers from 1 on, repaired."""
    return Ge(1 - chance_below_one(), Rational(1, 2))


@claim(
    "eq-11",
    place="eq. 11, its lower sum alone, where eq. 10 has the floor j_0 of a - M/epsilon and eq. 11 its ceiling "
    "j_1; the denominator is that of a geometric series (eq-11.denominator)",
    given=lambda: [
        floor_below <= fraction - level / epsilon,
        fraction - level / epsilon < floor_below + 1,
        ceiling_below >= fraction - level / epsilon,
        ceiling_below < fraction - level / epsilon + 1,
    ],
    try_at=[
        {
            epsilon: 1,
            fraction: Rational(1, 2),
            level: 3,
            floor_below: -3,
            ceiling_below: -2,
        }
    ],
    fault="misprint",
    effect="None: eq. 12 bounds the floor.",
)
def lower_sum_as_printed():
    """Sum of the weights that are far below, with the end as printed."""
    return Eq(
        Sum(exp(-epsilon * (fraction - floor_below + index)), (index, 0, oo)),
        exp(epsilon * (ceiling_below - fraction + 1)) / (exp(epsilon) - 1),
    )


@claim(
    "eq-11.denominator",
    place="eq. 11, its lower sum alone, over exp(epsilon - 1), from the floor j_0 of a - M/epsilon on, with which eq. 10 has it (eq-11)",
    try_at=[{epsilon: 1, fraction: Rational(1, 2), floor_below: -3}],
    fault="misprint",
    effect="None: eq. 12 has no trace of exp(epsilon - 1).",
)
def denominator_as_printed():
    """Sum of the weights that are far below, over the denominator as printed."""
    return Eq(
        Sum(exp(-epsilon * (fraction - floor_below + index)), (index, 0, oo)),
        exp(epsilon * (floor_below - fraction + 1)) / exp(epsilon - 1),
    )


@claim(
    "eq-11-corrected",
    place="eq. 11, its lower sum, repaired",
    corrects=["eq-11", "eq-11.denominator"],
    why="The sum ends at the floor, and a geometric series has exp(epsilon) - 1 below.",
)
def lower_sum():
    """Sum of the weights that are far below, repaired."""
    return Eq(
        Sum(exp(-epsilon * (fraction - floor_below + index)), (index, 0, oo)),
        exp(epsilon * (floor_below - fraction + 1)) / (exp(epsilon) - 1),
    )


# --- limit theorems -------------------------------------------------------------------------------


def on_a_grid(width):
    """Probability that a uniform draw from [0, 1] lies up to width/n above a multiple of 1/n."""
    return Sum((index + width) / n - index / n, (index, 0, n - 1))


@claim(
    "lemma-a.3",
    place="Lemma A.3, X_n and Y_n that depend on one another",
    scope="one counterexample to it: X_n = X uniform on [0, 1], c_n = 1, Y = 0 and Y_n = floor(n X)/n - X, which is within 1/n of 0 "
    "(note-lemma-a.3-rounding). The statement compares the probabilities that X_n + Y_n and that X is a multiple j/n of 1/n: of the x that are "
    "rounded to j/n, and of x = j/n alone. Where distributions come close in total variation, they are within 1/2 for some n",
    fault="error",
    effect="Where the paper uses it Y_n is a number, or independent of X_n, and the repaired lemma serves.",
)
def slutsky_as_printed():
    """Probabilities of a grid, of a sum and of its limit in Slutsky's theorem in total variation, as printed."""
    return Exists(Le(on_a_grid(1) - on_a_grid(0), Rational(1, 2)), {n: 100})


@claim("note-lemma-a.3-rounding", place="Lemma A.3, its Y_n for lemma-a.3, which vanishes")
def rounding():
    """Distance of a number from its rounding to multiples of 1/n."""
    return [Le(Floor(n * record) / n - record, 0), Ge(Floor(n * record) / n - record, -1 / n)]


COUPLED = AnyDistribution("w_Y")  # of the number that determines Y_n and Y
MET, MET_LATE, MET_LAST, KEPT = (AnyCount(name) for name in ("M_1", "M_2", "M_3", "K"))


def coupled_mean(function):
    """Return the mean of a function of the number that determines Y_n and Y."""
    return Integral(COUPLED.density(told) * function(told), (told, -oo, oo))


def within(first, second, bound):
    """State that two functions differ by at most a bound."""
    return [
        for_all(told, Le(first(told), second(told) + bound)),
        for_all(told, Le(second(told), first(told) + bound)),
    ]


def both_steps():
    """Steps of a proof: from the first probability to the last one, at each value."""
    return [step("both at once", one) for one in within(MET, MET_LAST, variation + KEPT(told))]


def exchanged():
    """Return the conditions on the probabilities of a set given t_1, which determines Y_n and Y."""
    return [
        *within(MET, MET_LATE, variation),
        *within(MET_LATE, MET_LAST, KEPT(told)),
        *(Ge(coupled_mean(function), 0) for function in (MET, MET_LAST, KEPT)),
    ]


def close_means():
    """State that the probabilities of the set differ by at most the sum of both distances."""
    difference = coupled_mean(MET) - coupled_mean(MET_LAST)
    bound = variation + coupled_mean(KEPT)
    return [Le(difference, bound), Le(-difference, bound)]


@claim(
    "lemma-a.3-corrected",
    place="Lemma A.3, repaired, at each n: Y_n and Y are told by one real number t_1 that is independent of X_n "
    "and of X. So they can be, near to one another, by Skorokhod's theorem. Of any set M_1, M_2, M_3 are the "
    "probabilities, given t_1, of c_n X_n + Y_n, of c_n X + Y_n and of c X + Y. The first two differ by at most the "
    "distance V of X_n and X (note-variation-of-an-event); K bounds the difference of the others",
    corrects=["lemma-a.3"],
    why="Y_n must be independent of X_n, and Y of X.",
    scope="the inequality; that the mean of K vanishes is that a density, moved and stretched by a little, changes "
    "little in mean, with dominated convergence",
    using=["note-variation-of-an-event"],
    given=lambda: exchanged(),
    proof=lambda: both_steps(),
)
def slutsky():
    """Slutsky's theorem in total variation, repaired."""
    return close_means()


SUM, NORMAL = AnyDistribution("P_S"), AnyDistribution("P_Z")  # of S_n, and of the normal vector


def in_common(at):
    """Return the common part of the densities of S_n and of the normal vector."""
    return Min(SUM.density(at), NORMAL.density(at))


@claim(
    "lemma-a.4",
    place="Lemma A.4, at an n whose distance is below 1; both distributions have densities for their sum. What the densities "
    "have in common is a component of S_n, of probability p = 1 - TV, and no set that is null for the normal distribution has "
    "any of it: it is absolutely continuous. The covariance must be regular, as its root is divided by",
    scope="from convergence to a component: n_0 is an n with a distance below 1; the converse is the theorem that "
    "is cited",
    given=lambda: [Lt(total_variation(SUM, NORMAL), 1)],
    proof=lambda: [
        step(
            "what is in common, and what exceeds it",
            for_all(
                told,
                Eq(
                    in_common(told),
                    SUM.density(told) - Max(SUM.density(told) - NORMAL.density(told), 0),
                ),
            ),
        ),
        step(
            "its probability",
            Eq(Integral(in_common(told), (told, -oo, oo)), 1 - total_variation(SUM, NORMAL)),
        ),
    ],
)
def limit_theorem_in_total_variation():
    """Component of a sum that has a density, where its distribution is near a normal one."""
    return [
        for_all(told, Le(in_common(told), SUM.density(told))),
        for_all(told, Le(in_common(told), NORMAL.density(told))),
        Gt(Integral(in_common(told), (told, -oo, oo)), 0),
    ]


def probability_of_a_number(number):
    """Probability that sqrt(n) Z, rounded down, is a number, for a standard normal Z."""
    width = sqrt(2 * n)
    return (erf((number + 1) / width) - erf(number / width)) / 2


def probability_of_even_numbers():
    """Probability that it is one of the even numbers from -2 N to 2 N - 2."""
    return erf(2 * beyond / sqrt(2 * n)) / 2


@claim(
    "note-lemma-a.5-even",
    place="Lemma A.5 for records of mean 0 and variance 1, used by lemma-a.5: sqrt(n) Z, rounded down, is an even "
    "number of at least 0 and below 2 N, or of at least -2 N and below 0",
)
def even_numbers_of_a_normal_distribution():
    """Probability of even numbers under a normal distribution that is rounded down."""
    above = Sum(probability_of_a_number(2 * index), (index, 0, beyond - 1))
    below = Sum(probability_of_a_number(-2 * index - 2), (index, 0, beyond - 1))
    return Eq(above + below, probability_of_even_numbers())


@claim(
    "lemma-a.5",
    place="Lemma A.5, its first limit, on the even numbers",
    scope="one counterexample to it: an even number n of records that are 1 or -1, with a probability of 1/2 each, "
    "so mu = 0 and sigma = 1. The sum n^(1/2) S_n is even with probability 1. That n^(1/2) Z, rounded down, is an even "
    "number from -2 N_0 to 2 N_0 - 2 has the probability erf(2 N_0/sqrt(2 n))/2 (note-lemma-a.5-even). Where the distributions "
    "come close in total variation, that is within 1/4 of 1 for some n and N_0",
    fault="error",
    effect="The third part of Lemma A.6 rests on it, and fails in the same way (lemma-a.6.iii). Counts, of which the "
    "summands have the span 1, are not touched.",
)
def limit_theorem_on_whole_numbers_as_printed():
    """Probability of the even numbers under a sum of signs and under its limit on whole numbers, as printed."""
    return Exists(Le(1 - probability_of_even_numbers(), Rational(1, 4)), {n: 100, beyond: 1000})


@claim(
    "lemma-a.5-corrected",
    place="Lemma A.5, repaired: for records that are 0 or 1, with probabilities 3/4 and 1/4, the probability that the "
    "sum of k records is even. Each record that is 1 makes an even sum odd. The normal distribution, rounded down, has 1/2 where "
    "its mean k/4 is whole, as the mirror image of the even numbers is then the odd ones (note-lemma-a.5-span)",
    corrects=["lemma-a.5"],
    why="The summands must have the span 1, as those that are 1 or -1 do not.",
    scope="the set at which the printed statement fails, for tosses of a coin; in total variation it is the theorem "
    "that is cited",
)
def limit_theorem_on_whole_numbers():
    """Central limit theorem on whole numbers, repaired."""
    return Recurrence(
        lambda even: Rational(3, 4) * even + Rational(1, 4) * (1 - even),
        1,
        Rational(1, 2) + Rational(1, 2) * Rational(1, 2) ** distance,
        distance,
    )


@claim(
    "lemma-a.5.centre",
    place="Lemma A.5, its mean, on the numbers from sqrt(n) on",
    scope="one counterexample to it: n = k + 4 records that are 1 or 2, with a probability of 1/2 each, so mu = 3/2 and sigma = 1/2. "
    "S_n is at least sqrt(n) with probability 1. The rounded variable is at least sqrt(n) just where Z is. Where the "
    "distributions come close in total variation, the probability of that is within 1/4 of 1 for some n",
    fault="misprint",
    effect="Assumption A1 and Lemma A.6 centre the sum, and so go on with the right mean.",
)
def centre_on_whole_numbers_as_printed():
    """Probability of the numbers from sqrt(n) on under a sum and under its limit, with the centre as printed."""
    above = erfc(sqrt(2) * (sqrt(distance + 4) - Rational(3, 2))) / 2
    return Exists(Le(1 - above, Rational(1, 4)), {distance: 100})


@claim(
    "lemma-a.5.centre-corrected",
    place="Lemma A.5, its mean, repaired: for records that are 1 or 2, with a probability of 1/2 each, the probability "
    "that sqrt(n) Z, of the mean 3n/2 and the variance n/4 of the sum, is below n, where the sum never is",
    corrects=["lemma-a.5.centre"],
    why="The sum has the mean n mu, and sqrt(n) Z must have it too.",
    scope="the set at which the printed statement fails, for tosses of a coin; in total variation, where the distance "
    "times sqrt(n) goes to 1/sqrt(2 pi) for this coin, it is the theorem that is cited",
)
def centre_on_whole_numbers():
    """Centre of the limit theorem on whole numbers, repaired."""
    return Le(erfc(sqrt(n / 2)) / 2, exp(-n / 2) / 2)


SPREAD, SIDE = (
    AnyDistribution("f"),
    AnyEvent("E"),
)  # of the distance from the centre; at a distance above it


@claim(
    "note-lemma-a.5-span",
    place="Lemmas A.5 and A.6, for summands on a lattice of span 2. A distribution that is symmetric, as the normal limit is "
    "around its mean, is that of a distance t_1 with a fair sign; E is that the point above the centre lies in a set, of "
    "which the mirror image is the complement, but for points of length 0: then it has the probability 1/2. Of 2m "
    "records that are 1 or -1 the sum is even, and the mirror image of the numbers in [2j, 2j + 1) is rounded down to "
    "odd ones: the distance from a normal variable, rounded down, stays at least 1/2",
)
def probability_of_half_a_lattice():
    """Probability of a set whose mirror image is its complement, under a symmetric distribution."""
    above, below = SIDE.indicator(told), 1 - SIDE.indicator(told)
    either = SPREAD.density(told) * (above / 2 + below / 2)
    return Eq(Integral(either, (told, -oo, oo)), Rational(1, 2))


@claim(
    "lemma-a.6.i",
    place="Lemma A.6, part 1, at each n, and its last step in part 3: M_1, M_2 and M_3 are the probabilities of a set, "
    "given the noise, which t_1 tells, of the scaled and centred sum with the scaled noise, of its normal limit with "
    "it, and of the limit alone; the first two differ by at most V, by Lemma A.4, the others by K, where the noise is "
    "small. That t(x) clamped has a component is text-a.6-clamp",
    scope="the inequality; the limits are those of Lemmas A.3 and A.4",
    cites=["lemma-a.3", "lemma-a.4"],
    using=["lemma-a.3-corrected", "lemma-a.4"],
    given=lambda: exchanged(),
    proof=lambda: both_steps(),
)
def noise_that_vanishes():
    """Scaled sum with its noise, and the normal limit."""
    return close_means()


@claim(
    "text-a.6-clamp",
    place="Lemma A.6, part 1, its example: the component that a clamped variable is said to have is what lies strictly "
    "between the bounds L and U; for an exponential variable, which is absolutely continuous",
    fault="boundary",
    effect="A variable with a density around some point between the bounds, as every normal one, has the component.",
)
def clamped_component_as_printed():
    """Probability that a variable is not clamped, as printed."""
    return Gt(exp(-rate * Max(low, 0)) - exp(-rate * Max(high, 0)), 0)


@claim(
    "text-a.6-clamp-corrected",
    place="Lemma A.6, part 1, its example, repaired: for an exponential variable; between the bounds lie some of its "
    "values",
    scope="an exponential variable; others have the component where they lie between the bounds with a positive probability, which is in words",
    corrects=["text-a.6-clamp"],
    why="Where the variable has no values between the bounds, the clamped one is discrete.",
    given=[high > 0],
)
def clamped_component():
    """Probability that a variable is not clamped, repaired."""
    return Gt(exp(-rate * Max(low, 0)) - exp(-rate * Max(high, 0)), 0)


STATISTIC, MOVED = AnyDistribution("p_t"), AnyCount("R")


@claim(
    "lemma-a.6.ii",
    place="Lemma A.6, part 2: any statistic t(x_i), and independent noise N_i that has a density. Of any set R(t_1) is "
    "the probability that N_i moved by t_1 lies in it. Where that is at most eta_0, the sum lies in the set with "
    "probability eta_0 at most. A set of length 0 has R = 0, as moved back it has length 0 too: so the sum is absolutely "
    "continuous",
    scope="that each term of the sum is absolutely continuous; that the sum then converges in total variation, which "
    "is what the lemma says, is the half of Lemma A.4 that is not proved",
    cites=["lemma-a.4"],
    given=lambda: [for_all(told, Le(MOVED(told), little)), Ge(moved_mean(), 0)],
)
def noise_of_every_record():
    """Probability that a statistic with its own noise lies in a set."""
    return Le(moved_mean(), little)


def moved_mean():
    """Probability that the sum lies in the set."""
    return Integral(STATISTIC.density(told) * MOVED(told), (told, -oo, oo))


def near_even():
    """Probability that U + N is within 1/2 of 0, for N uniform on [-1/4, 1/4]: N and -N are alike."""
    return 2 * Integral(2 * (1 - told), (told, 0, Rational(1, 4)))


@claim(
    "lemma-a.6.iii",
    place="Lemma A.6, part 3, on the numbers near even ones",
    scope="one counterexample to it: an odd number n of statistics that are 0 or 2, with probabilities 3/4 and 1/4, and N uniform on "
    "[-1/4, 1/4]. Their sum is even, so s is within 1/2 of an even number with the probability that U + N is within "
    "1/2 of 0. The normal distribution has the mean n/2, and the mirror image of an even number is an odd one, so it is as "
    "near to an even number with probability 1/2 (note-lemma-a.5-span). Where the distributions come "
    "close, both are within 1/4 for large n",
    fault="error",
    effect="Counts, of which single records have the span 1, are not touched. For the others Theorem 3.1 "
    "is left with convergence in distribution, or with U of the width of the span.",
)
def uniform_noise_as_printed():
    """Probabilities near even numbers, of a sum with uniform noise and of its limit, as printed."""
    return Le(near_even() - Rational(1, 2), Rational(1, 4))


@claim(
    "lemma-a.6.iii-corrected",
    place="Lemma A.6, part 3, repaired: for statistics that are 0 or 1, with probabilities 3/4 and 1/4, the probability "
    "that s is within 1/2 of an even number. Each record that is 1 makes it one of being near an odd number. The normal "
    "distribution has 1/2, where its mean n/4 is half of an odd number",
    corrects=["lemma-a.6.iii"],
    why="The statistics must have the span 1, or U its width.",
    scope="the set at which the printed statement fails, for tosses of a coin; in total variation it is Lemma A.5",
    cites=["lemma-a.5", "lemma-a.3"],
    without={
        "lemma-a.5": "the set and the coin are treated by hand",
        "lemma-a.3": "the noise is kept as it is",
    },
)
def uniform_noise():
    """Probabilities near even numbers, of a sum with uniform noise and of its limit, repaired."""
    return Recurrence(
        lambda near: Rational(3, 4) * near + Rational(1, 4) * (1 - near),
        near_even(),
        Rational(1, 2) + Rational(3, 8) * Rational(1, 2) ** distance,
        distance,
    )


LAW, LIMIT = AnyDistribution("P_n"), AnyDistribution("X")
BELOW, BETWEEN, ABOVE = AnyEvent("A_1"), AnyEvent("A_2"), AnyEvent("A_3")


def nested(inner, outer):
    """State that one event lies in another."""
    return for_all(told, Le(inner.indicator(told), outer.indicator(told)))


def apart(event):
    """Difference of the probabilities of an event under the two distributions."""
    return probability(LAW, event) - probability(LIMIT, event)


@claim(
    "lemma-a.7",
    place="Lemma A.7: for any two distributions, and a point between two of a grid; the events that a draw lies below the "
    "one, below the point, and below the other",
    scope="distribution functions at one point, against a grid whose steps have probability eta_0 at "
    "most; the limit, and rectangles in several dimensions, are sums of these",
    given=lambda: [
        nested(BELOW, BETWEEN),
        nested(BETWEEN, ABOVE),
        Le(apart(ABOVE), delta),
        Le(-apart(BELOW), delta),
        Le(probability(LIMIT, ABOVE) - probability(LIMIT, BELOW), little),
    ],
    proof=lambda: [
        step(
            "an event lies in a larger one",
            [
                Le(probability(LAW, BETWEEN), probability(LAW, ABOVE)),
                Le(probability(LAW, BELOW), probability(LAW, BETWEEN)),
                Le(probability(LIMIT, BETWEEN), probability(LIMIT, ABOVE)),
                Le(probability(LIMIT, BELOW), probability(LIMIT, BETWEEN)),
            ],
        ),
    ],
)
def uniform_convergence():
    """Distance of two distribution functions between the points of a grid."""
    return [Le(apart(BETWEEN), delta + little), Le(-apart(BETWEEN), delta + little)]


OTHER, FIRST, SECOND, APART = AnyDistribution("pi"), AnyCount("C_1"), AnyCount("C_2"), AnyCount("K")


def mean_of(function):
    """Mean of a function of y."""
    return Integral(OTHER.density(told) * function(told), (told, -oo, oo))


@claim(
    "lemma-a.8",
    place="Lemma A.8: for any distribution pi of y and any set of pairs, the probabilities of its section at y under the "
    "two conditional distributions differ by at most K(y), their distance",
    scope="the inequality; that the mean of the distances vanishes with them is dominated convergence",
    given=lambda: [
        for_all(told, Le(FIRST(told) - SECOND(told), APART(told))),
        for_all(told, Le(SECOND(told) - FIRST(told), APART(told))),
        *(Ge(mean_of(function), 0) for function in (FIRST, SECOND, APART)),
    ],
)
def joint_convergence():
    """Joint probabilities, and the mean distance of the conditional distributions."""
    difference = mean_of(FIRST) - mean_of(SECOND)
    return [Le(difference, mean_of(APART)), Le(-difference, mean_of(APART))]


@claim(
    "lemma-a.9",
    place="Lemma A.9, the term of its proof that a difference of the numbers n and m = n + k leaves, for "
    "a = 1 and b = 1/2: it vanishes where k is small beside n^(1-b)",
    scope="one pair of a and b, and m of at least n; the limit distributions are assumption A1 and Lemma A.7",
)
def close_numbers():
    """Shift of the scaled release between two numbers of records that are close."""
    other = n + distance
    return Le(sqrt(n / other) * sqrt(n) * (other / n - 1), distance / sqrt(n))


# --- conversions to (0, delta) --------------------------------------------------------------------


P, Q = AnyDistribution("P"), AnyDistribution("Q")


TRADED = AnyTradeOff("f", fixed_point, fall)
REJECTED = AnyEvent("S")


def errors():
    """Return both errors of the test that rejects the distribution Q in S."""
    return probability(Q, REJECTED), 1 - probability(P, REJECTED)


def trade_off_holds():
    """State f-privacy of the test, and of the opposite test with the datasets exchanged."""
    first, second = errors()
    return [Ge(second, TRADED(first)), Ge(first, TRADED(second))]


def above_the_tangent(at):
    """State that the trade-off function lies above its tangent at the fixed point."""
    return Ge(TRADED(at), fixed_point - fall * (at - fixed_point))


@claim(
    "lemma-a.11.i",
    place="Lemma A.11, part 1: for any trade-off function f with the fixed point c, the distributions of any mechanism at "
    "neighbours, and any event S. f-privacy bounds the errors of a test from below, whichever dataset is the "
    "hypothesis. The proof in the paper has the tangent at c in its place, which needs a symmetric f "
    "(note-lemma-a.11.i-asymmetric)",
    given=lambda: trade_off_holds(),
    proof=lambda: [
        step("the tangent", [above_the_tangent(error) for error in errors()]),
        step("both", Ge((1 + fall) * (errors()[0] + errors()[1] - 2 * fixed_point), 0)),
    ],
)
def trade_off_gives_additive():
    """Difference of probabilities under a trade-off function."""
    return Le(probability(P, REJECTED), probability(Q, REJECTED) + (1 - 2 * fixed_point))


@claim(
    "lemma-a.11.vi",
    place="Lemma A.11, part 6: for two normal distributions at the distance mu, whose divergence of order nu is nu mu^2/2; "
    "rho stands in the bound, of which nothing is said",
    given=[nu * mu**2 / 2 <= epsilon],
    fault="misprint",
    effect="The proof bounds the divergence by epsilon, and so is the repaired bound.",
)
def renyi_gives_additive_as_printed():
    """Total variation distance under Renyi privacy, as printed."""
    return Le(erf(mu / (2 * sqrt(2))), Min(sqrt(rho / 2), sqrt(1 - exp(-rho))))


@claim(
    "note-power-above-loss",
    time_limit=3,
    place="Lemma A.11, parts 5 and 6, at one output of densities u_3 and u_4: the integrand of a moment against the loss",
    proof=lambda: [
        step(
            "the powers",
            Eq(
                first_ratio**nu * second_ratio ** (1 - nu) * exp(-(nu - 1) * epsilon),
                first_ratio * exp((nu - 1) * (log(first_ratio / second_ratio) - epsilon)),
            ),
        ),
        step(
            "the tangent of exp",
            Ge(
                exp((nu - 1) * (log(first_ratio / second_ratio) - epsilon)),
                1 + (nu - 1) * (log(first_ratio / second_ratio) - epsilon),
            ),
        ),
    ],
)
def power_above_a_loss():
    """Integrand of a moment, above the loss at an output."""
    loss_there = log(first_ratio / second_ratio)
    return Ge(
        exp(-(nu - 1) * epsilon) * (first_ratio**nu * second_ratio ** (1 - nu)),
        first_ratio + (nu - 1) * (first_ratio * loss_there) - (nu - 1) * epsilon * first_ratio,
    )


def of_small_renyi_divergence():
    """State that the densities are positive and the divergence of order nu is at most epsilon."""
    return [
        for_all(told, Gt(P.density(told), 0)),
        for_all(told, Gt(Q.density(told), 0)),
        Ge(kl_divergence(P, Q), 0),
        Ge(renyi_moment(P, Q, nu), 0),
        Le(renyi_divergence(P, Q, nu), epsilon),
    ]


@claim(
    "note-divergence-order",
    place="Lemma A.11, parts 5 and 6: Renyi divergences grow with their order, from that of Kullback and Leibler on, "
    "for any distributions with positive densities",
    given=lambda: of_small_renyi_divergence(),
    using=[
        (
            "note-power-above-loss",
            lambda: {first_ratio: P.density(told), second_ratio: Q.density(told)},
        ),
        "privacy:renyi-moment-at-least-1",
    ],
    proof=lambda: [
        step(
            "what holds at every output, integrated",
            Ge(
                exp(-(nu - 1) * epsilon) * renyi_moment(P, Q, nu),
                probability(P, Interval(-oo, oo))
                + (nu - 1) * kl_divergence(P, Q)
                - (nu - 1) * epsilon * probability(P, Interval(-oo, oo)),
            ),
        ),
        step(
            "the moment, without its logarithm",
            Le(renyi_moment(P, Q, nu), exp((nu - 1) * epsilon)),
        ),
        step(
            "against 1",
            Le(exp(-(nu - 1) * epsilon) * renyi_moment(P, Q, nu), 1),
        ),
        step("times nu - 1", Le((nu - 1) * (kl_divergence(P, Q) - epsilon), 0)),
    ],
)
def divergence_below_its_order():
    """Kullback-Leibler divergence of two distributions, and the divergence of higher order."""
    return Le(kl_divergence(P, Q), epsilon)


@claim(
    "lemma-a.11.vi-corrected",
    place="Lemma A.11, part 6, repaired: the squares of its two bounds, for the distributions of any mechanism at neighbours. "
    "Their divergences are finite both ways, so both densities are positive, or both are 0 and the output is left out",
    corrects=["lemma-a.11.vi"],
    why="epsilon is the bound on the divergence, and belongs where rho stands.",
    given=lambda: of_small_renyi_divergence(),
    using=[
        "privacy:pinsker",
        "note-divergence-order",
        ("note-bretagnolle-huber", lambda: {rho: epsilon}),
    ],
    proof=lambda: [
        step("the divergence", Le(kl_divergence(P, Q), epsilon)),
        step("Pinsker", Le(2 * total_variation(P, Q) ** 2, kl_divergence(P, Q))),
    ],
)
def renyi_gives_additive():
    """Total variation distance under Renyi privacy, repaired."""
    return [
        Le(total_variation(P, Q) ** 2, epsilon / 2),
        Le(total_variation(P, Q) ** 2, 1 - exp(-epsilon)),
    ]


@claim(
    "lemma-a.11.ii",
    place="Lemma A.11, part 2: for the distributions of any mechanism at neighbours",
    given=lambda: [private(P, Q, epsilon)],
    using=[
        (
            "privacy:private-total-variation",
            lambda: {loss: epsilon, first_delta: Integer(0), second_delta: Integer(0)},
        )
    ],
)
def pure_gives_additive():
    """Total variation distance under pure privacy."""
    return Le(total_variation(P, Q), (exp(epsilon) - 1) / (exp(epsilon) + 1))


@claim(
    "lemma-a.11.iii",
    place="Lemma A.11, part 3: for the distributions of any mechanism at neighbours",
    given=lambda: [private(P, Q, epsilon, delta)],
    using=[
        (
            "privacy:private-total-variation",
            lambda: {loss: epsilon, first_delta: delta, second_delta: delta},
        )
    ],
)
def approximate_gives_additive():
    """Total variation distance under approximate privacy."""
    return Le(total_variation(P, Q), (2 * delta + exp(epsilon) - 1) / (exp(epsilon) + 1))


@claim(
    "note-root-above-loss",
    place="Lemma A.11, parts 5 and 6, at one output of densities u_3 and u_4: its root against its loss",
    proof=lambda: [
        step(
            "the root",
            Eq(log(sqrt(first_ratio * second_ratio)), log(first_ratio * second_ratio) / 2),
        ),
        step(
            "the tangent of exp",
            Ge(
                sqrt(first_ratio * second_ratio) * exp(rho / 2) / first_ratio,
                1 + log(sqrt(first_ratio * second_ratio) * exp(rho / 2) / first_ratio),
            ),
        ),
    ],
)
def root_above_a_loss():
    """Root of a product of densities, above the loss at an output."""
    loss_there = log(first_ratio / second_ratio)
    return Ge(
        sqrt(first_ratio * second_ratio) * exp(rho / 2),
        first_ratio - first_ratio * loss_there / 2 + first_ratio * rho / 2,
    )


def of_small_divergence():
    """State that the densities are positive and the divergence is at most rho."""
    return [
        for_all(told, Gt(P.density(told), 0)),
        for_all(told, Gt(Q.density(told), 0)),
        Ge(kl_divergence(P, Q), 0),
        Le(kl_divergence(P, Q), rho),
    ]


@claim(
    "note-affinity-loss",
    place="Lemma A.11, parts 5 and 6: for any distributions with positive densities and a divergence of at most rho",
    given=lambda: of_small_divergence(),
    using=[
        (
            "note-root-above-loss",
            lambda: {first_ratio: P.density(told), second_ratio: Q.density(told)},
        )
    ],
    proof=lambda: [
        step(
            "what holds at every output, integrated",
            Ge(
                exp(rho / 2) * affinity(P, Q),
                probability(P, Interval(-oo, oo))
                - kl_divergence(P, Q) / 2
                + rho / 2 * probability(P, Interval(-oo, oo)),
            ),
        ),
        step("the divergence", Ge(affinity(P, Q) * exp(rho / 2), 1)),
    ],
)
def affinity_above_a_divergence():
    """Affinity of two distributions, above an exponential of their divergence."""
    return Ge(affinity(P, Q), exp(-rho / 2))


@claim(
    "note-bretagnolle-huber",
    place="Lemma A.11, parts 5 and 6, their second bound: Bretagnolle and Huber's inequality",
    given=lambda: of_small_divergence(),
    using=["note-affinity-loss", "privacy:affinity"],
    proof=lambda: [
        step("the square of the affinity", Ge(affinity(P, Q) ** 2, exp(-rho / 2) ** 2)),
        step("powers", Eq(exp(-rho / 2) ** 2, exp(-rho))),
    ],
)
def total_variation_below_an_exponential():
    """Total variation distance of two distributions, below an exponential of their divergence."""
    return Le(total_variation(P, Q) ** 2, 1 - exp(-rho))


def of_concentrated():
    """Return the conditions: two distributions have positive densities and are rho-zero-concentrated."""
    return [
        for_all(told, Gt(P.density(told), 0)),
        for_all(told, Gt(Q.density(told), 0)),
        Ge(kl_divergence(P, Q), 0),
        concentrated(P, Q, rho),
    ]


@claim(
    "note-lemma-a.11-order",
    place="used by lemma-a.11.v: any one order",
    given=of_concentrated,
    using=[("note-divergence-order", lambda: {nu: order_taken, epsilon: rho * order_taken})],
    proof=lambda: [
        step("the moment", Gt(renyi_moment(P, Q, order_taken), 0)),
        step("the divergence", Le(renyi_divergence(P, Q, order_taken), rho * order_taken)),
    ],
)
def divergence_below_a_multiple():
    """Kullback-Leibler divergence of two distributions that are zero-concentrated, and any order."""
    return Le(kl_divergence(P, Q), rho * order_taken)


def halfway():
    """An order between 1 and the divergence over rho, where that is more."""
    return (kl_divergence(P, Q) / rho + 1) / 2


@claim(
    "note-lemma-a.11-limit",
    place="used by lemma-a.11.v: an order between 1 and the divergence over rho, where that is more than 1, would say that it is not",
    given=of_concentrated,
    using=[("note-lemma-a.11-order", lambda: {order_taken: halfway()})],
    proof=lambda: [
        step("an order", Or(Le(kl_divergence(P, Q), rho), Gt(halfway(), 1))),
        step(
            "its bound",
            Or(Le(kl_divergence(P, Q), rho), Le(kl_divergence(P, Q), rho * halfway())),
        ),
    ],
)
def divergence_of_concentrated_distributions():
    """Kullback-Leibler divergence of two distributions that are zero-concentrated."""
    return Le(kl_divergence(P, Q), rho)


@claim(
    "lemma-a.11.v",
    place="Lemma A.11, part 5: the squares of its two bounds, for the distributions of any mechanism at neighbours. Their divergences are finite both ways, so both densities "
    "are positive, or both are 0 and the output is left out",
    given=of_concentrated,
    using=["note-lemma-a.11-limit", "privacy:pinsker", "note-bretagnolle-huber"],
    proof=lambda: [
        step("Pinsker", Le(2 * total_variation(P, Q) ** 2, kl_divergence(P, Q))),
    ],
)
def concentrated_gives_additive():
    """Total variation distance under concentrated privacy."""
    return [
        Le(total_variation(P, Q) ** 2, rho / 2),
        Le(total_variation(P, Q) ** 2, 1 - exp(-rho)),
    ]


@claim(
    "note-lemma-a.11.ii",
    place="Lemma A.11, part 2, for an event and its complement",
    given=[p_x <= exp(epsilon) * p_y, 1 - p_y <= exp(epsilon) * (1 - p_x)],
)
def pure_to_additive():
    """Difference of probabilities under pure privacy."""
    return Le(p_x - p_y, (exp(epsilon) - 1) / (exp(epsilon) + 1))


@claim(
    "note-lemma-a.11.iii",
    place="Lemma A.11, part 3, for an event and its complement",
    given=[p_x <= exp(epsilon) * p_y + delta, 1 - p_y <= exp(epsilon) * (1 - p_x) + delta],
)
def approximate_to_additive():
    """Difference of probabilities under approximate privacy."""
    return Le(p_x - p_y, (2 * delta + exp(epsilon) - 1) / (exp(epsilon) + 1))


def normal_tail(at):
    """Probability that a standard normal variable is above a number."""
    return erfc(at / sqrt(2)) / 2


def gaussian_fixed_point():
    """The fixed point of the trade-off function of Gaussian privacy."""
    return normal_tail(mu / 2)


GAUSSIAN = AnyTradeOff("G", gaussian_fixed_point(), Integer(1))


@claim(
    "lemma-a.11.iv",
    place="Lemma A.11, part 4: for the distributions of any mechanism at neighbours, and any event S. G is the trade-off function "
    "of mu-GDP, that of the distributions N(0, 1) and N(mu, 1). Of it are used its fixed point Phi(-mu/2), and that it lies "
    "above the line of slope -1 through it (note-lemma-a.11.iv-fixed-point, note-lemma-a.11.iv-tangent). The bound is "
    "2 Phi(mu/2) - 1, and is reached (note-lemma-a.11.iv-reached)",
    given=lambda: [
        Ge(1 - probability(P, REJECTED), GAUSSIAN(probability(Q, REJECTED))),
        Ge(probability(Q, REJECTED), GAUSSIAN(1 - probability(P, REJECTED))),
    ],
    using=[
        (
            "lemma-a.11.i",
            lambda: {
                fixed_point: gaussian_fixed_point(),
                fall: 1,
                TRADED: Lambda((told,), GAUSSIAN(told)),
            },
        ),
        "note-lemma-a.11.iv-fixed-point",
        "note-lemma-a.11.iv-tangent",
    ],
)
def gaussian_gives_additive():
    """Difference of probabilities under Gaussian privacy."""
    return Le(probability(P, REJECTED), probability(Q, REJECTED) + erf(mu / (2 * sqrt(2))))


def errors_at(at):
    """Return both errors of the test of N(0, 1) against N(mu, 1) that rejects from a number on."""
    rejecting = Interval(at, oo)
    return probability(Normal(0, 1), rejecting), 1 - probability(Normal(mu, 1), rejecting)


@claim(
    "note-lemma-a.11.iv-fixed-point",
    place="used by lemma-a.11.iv: a test that rejects from mu/2 on, which is a point of the trade-off function",
)
def fixed_point_of_gaussian_privacy():
    """Errors of the test of two normal distributions that treats both alike."""
    return [Eq(error, gaussian_fixed_point()) for error in errors_at(mu / 2)]


@claim(
    "note-lemma-a.11.iv-tangent",
    place="used by lemma-a.11.iv: each point of the trade-off function has the two errors of a test that rejects from "
    "some number on, above mu/2 or below it",
    proof=lambda: [
        step(
            "both errors add up to more, the further from mu/2",
            Ge(normal_tail(mu / 2 + aside) + normal_tail(mu / 2 - aside), 2 * normal_tail(mu / 2)),
        ),
    ],
)
def tangent_of_gaussian_privacy():
    """Errors of a test of two normal distributions, and the line through the fixed point."""

    def above_the_line(first, second):
        return Ge(second, gaussian_fixed_point() - (first - gaussian_fixed_point()))

    return [above_the_line(*errors_at(mu / 2 + side)) for side in (aside, -aside)]


@claim(
    "note-lemma-a.11.iv-reached",
    place="Lemma A.11, part 4: 2 Phi(mu/2) - 1, for the pair of normal distributions that defines mu-GDP",
)
def gaussian_to_additive():
    """Total variation distance of two normal distributions."""
    return Eq(total_variation(Normal(0, 1), Normal(mu, 1)), erf(mu / (2 * sqrt(2))))


@claim(
    "note-lemma-a.11.v",
    place="Lemma A.11, parts 5 and 6, for an event: its two distributions are coins, whose divergence is at most "
    "that of all outputs",
)
def divergence_to_additive():
    """Difference of probabilities, against the divergence of two coins."""
    found = kl_divergence(Bernoulli(theta), Bernoulli(part_1))
    return Le(2 * (theta - part_1) ** 2, found)


def coin_affinity():
    """Hellinger affinity of two coins."""
    return sqrt(theta * part_1) + sqrt((1 - theta) * (1 - part_1))


@claim(
    "note-lemma-a.11.v-second",
    place="Lemma A.11, parts 5 and 6, for an event: the squared affinity of two coins, which is at least the "
    "exponential of minus their divergence, by note-concave-logarithm at the roots of p_1 / theta and of "
    "(1 - p_1) / (1 - theta); together Bretagnolle and Huber's inequality",
    proof=lambda: [
        step(
            "roots of products",
            [
                Eq(sqrt(theta * part_1), sqrt(theta) * sqrt(part_1)),
                Eq(sqrt((1 - theta) * (1 - part_1)), sqrt(1 - theta) * sqrt(1 - part_1)),
            ],
        ),
        step(
            "the difference of the sides",
            Ge((sqrt(theta) * sqrt(1 - theta) - sqrt(part_1) * sqrt(1 - part_1)) ** 2, 0),
        ),
    ],
)
def affinity_to_additive():
    """Difference of probabilities, against the affinity of two coins."""
    return Le((theta - part_1) ** 2, 1 - coin_affinity() ** 2)


@claim("note-concave-logarithm", place="used by note-lemma-a.11.v-second")
def concave_logarithm():
    """Logarithm of a mean of two numbers, and mean of their logarithms."""
    return Le(
        theta * log(first_ratio) + (1 - theta) * log(second_ratio),
        log(theta * first_ratio + (1 - theta) * second_ratio),
    )


@claim(
    "text-a.11-fixed-point",
    place="Proof of Lemma A.11, parts 2 and 3: the fixed point c, and 1 - 2 c",
)
def fixed_points():
    """Fixed points of the trade-off functions of pure and approximate privacy."""
    fixed = (1 - delta) / (1 + exp(epsilon))
    return [
        Eq(1 - delta - exp(epsilon) * fixed, exp(-epsilon) * (1 - delta - fixed)),
        Eq(1 - 2 * fixed, (2 * delta + exp(epsilon) - 1) / (exp(epsilon) + 1)),
        Eq((exp(epsilon) - 1) / (exp(epsilon) + 1), tanh(epsilon / 2)),
    ]


@claim(
    "note-lemma-a.11.i-asymmetric",
    place="Proof of Lemma A.11, part 1: a trade-off function that is not symmetric, with the fixed point "
    "2/7, exceeds 1 - 2 c",
)
def asymmetric_trade_off():
    """Largest difference under a trade-off function that is not symmetric."""

    def function(at):
        return Max(0, 1 - 4 * at, Rational(2, 5) * (1 - at))

    return Exists(
        [
            Eq(function(Rational(2, 7)), Rational(2, 7)),
            Gt(1 - trade_off_at - function(trade_off_at), 1 - 2 * Rational(2, 7)),
        ],
        {trade_off_at: Rational(1, 6)},
    )


# --- Lemmas A.12 to A.15 --------------------------------------------------------------------------


RECORDS, SET = (
    AnyDistribution("f"),
    AnyChance("M", 1),
)  # of a sequence of records; P(s in S | its first rows)


def set_probability(more):
    """Probability of the set given the parameter, for n rows and some more."""
    inside = RECORDS.density(sequence) * SET(more, sequence)
    return Integral(inside, (sequence, -oo, oo))


def one_row_more():
    """State that the release is (0, delta)-private when one row is added."""
    here, there = SET(index_more, sequence), SET(index_more + 1, sequence)
    return for_all(index_more, sequence, [Le(there - here, delta), Le(here - there, delta)])


@claim(
    "lemma-a.12",
    place="Lemma A.12: for any distribution of independent records, told by one number for all of the sequence, any "
    "mechanism that is (0, delta)-private in the unbounded sense, and any set of releases; n rows and k more. The "
    "total variation is the largest difference of all sets",
    given=lambda: [one_row_more(), for_all(index_more, Ge(set_probability(index_more), 0))],
    proof=lambda: [
        step(
            "group privacy",
            for_all(
                index_more,
                sequence,
                [
                    Le(SET(index_more, sequence) - SET(0, sequence), index_more * delta),
                    Le(SET(0, sequence) - SET(index_more, sequence), index_more * delta),
                ],
            ),
        ),
    ],
)
def distance_of_two_numbers():
    """Probability of a set of releases at two numbers of records."""
    difference = set_probability(distance) - set_probability(0)
    return [Le(difference, distance * delta), Le(-difference, distance * delta)]


ROWS, FURTHER, ACCEPTED = AnyDistribution("f_n"), AnyDistribution("f_k"), AnyTest("M")


def over_both_groups():
    """Probability of a set of releases from the first rows, as an integral over these and further rows."""
    inside = ROWS.density(told) * FURTHER.density(told_too) * ACCEPTED.indicator(told)
    return Integral(Integral(inside, (told_too, -oo, oo)), (told, -oo, oo))


@claim(
    "text-a.12-further",
    place="Proof of Lemma A.12, from its first display to its second, which integrates over k further rows too: for any distributions f_n of n "
    "rows and f_k of the further ones, independent of each other, each group told by one number, and any set of releases. M is its probability given the n rows",
)
def further_rows():
    """Probability of a set of releases, as an integral over the rows and over further rows."""
    return Eq(over_both_groups(), probability(ROWS, ACCEPTED))


@claim(
    "text-a.12-size",
    place="Proof of Lemma A.12, its first display, which has f(y | theta, n) for f(y | theta, m), so that both integrals are one number: for records that are all 1 and a "
    "sum with Laplace noise, the distance of the distributions at n and n + k records, which lemma-a.12-laplace has",
    given=[Ge(distance, 1)],
    fault="misprint",
    effect="None: the next display has m - n records more.",
)
def distance_as_printed():
    """Distance of two distributions at numbers of records that differ, as printed."""
    return Eq(1 - exp(-eps_s * distance / 2), 0)


@claim(
    "text-a.12-size-corrected",
    place="Proof of Lemma A.12, its first display, repaired, for the same records and noise: half the integral of the difference of the densities at n and at n + k records",
    corrects=["text-a.12-size"],
    why="The second density is that of m records.",
    using=["lemma-a.12-laplace"],
)
def distance_by_both_numbers():
    """Distance of two distributions at numbers of records that differ, repaired."""
    return Eq(
        total_variation(Laplace(0, 1 / eps_s), Laplace(distance, 1 / eps_s)),
        1 - exp(-eps_s * distance / 2),
    )


def mean_distance():
    """Mean of |n - n_0| given n_dp = n_0."""
    below, above = distances_from_the_number()
    return (below + above) / normaliser()


@claim(
    "lemma-a.13.i",
    place="Lemma A.13, part 1, eq. 17 to 22 from end to end: the flat prior on all n >= 1, whose sum of weights is "
    "note-size-posterior",
    using=[("lemma-a.13.i-uniform", lambda: {q: exp(-epsilon)})],
)
def mean_distance_under_laplace_noise():
    """Mean distance of the number of records under discrete Laplace noise and a flat prior."""
    return Le(mean_distance_at_a_loss(), 2 / (exp(epsilon) - 1))


def mean_distance_at_a_loss():
    """Mean of |n - n_0| given n_dp = n_0, in the privacy loss."""
    return mean_distance().xreplace({q: exp(-epsilon)})


@claim(
    "lemma-a.13.i-limit",
    place="Lemma A.13, its last sentence, for part 1: the mean itself goes to 0 as the privacy loss grows, as its bound does",
    using=["lemma-a.13.i"],
    proof=lambda: [
        step(
            "sizes",
            [
                Ge(size.xreplace({q: exp(-epsilon)}), 0)
                for size in (*distances_from_the_number(), normaliser())
            ],
        ),
        step("a mean of distances", Ge(mean_distance_at_a_loss(), 0)),
        step("the tangent of exp", Le(2 / (exp(epsilon) - 1), 2 / epsilon)),
        step("a rate", Le(Abs(mean_distance_at_a_loss()), 2 / epsilon)),
    ],
)
def vanishing_distance_under_laplace_noise():
    """Limit of the mean distance of the number of records under discrete Laplace noise."""
    return Eq(Limit(mean_distance_at_a_loss(), epsilon, oo), 0)


def distances_from_the_number():
    """Distances from n_0 times their weights, of the numbers from 1 on."""
    below = Sum(index * q**index, (index, 0, n_0 - 1))
    above = Sum(index * q**index, (index, 1, oo))
    return below, above


def distances_of_both_sides(exponent):
    """Numbers j from -N to N by their size, times exp(-epsilon) to the power of an exponent of them."""
    inside = Abs(index) * exp(-epsilon * exponent(index))
    return Sum(inside, (index, -beyond, beyond))


@claim(
    "eq-19",
    place="eq. 19, against eq. 18 with j = k - n_0, both without their common factor: N terms on either side, and N grows",
    fault="misprint",
    effect="Eq. 20 goes on with the first absolute moment of discrete Laplace noise, which has |j| in the exponent. As "
    "displayed the sum is infinite.",
)
def distances_as_printed():
    """Sum of all distances times their weights, as printed."""
    return Eq(distances_of_both_sides(Abs), distances_of_both_sides(lambda number: number))


@claim(
    "eq-19-corrected",
    place="eq. 19, repaired, with eq. 20 to 22: the numbers j above 0 and those below it, times the common factor 1 - q, "
    "where q = exp(-epsilon), against 2 / (exp(epsilon) - 1), which is 2 q / (1 - q)",
    corrects=["eq-19"],
    why="The exponent lacks the bars: the weight of j is exp(-epsilon |j|).",
)
def all_distances():
    """Sum of all distances times their weights, repaired."""
    below = above = Sum(index * q**index, (index, 1, oo))
    return Eq((below + above) * (1 - q), 2 * q / (1 - q))


@claim(
    "lemma-a.13.i-uniform",
    place="Lemma A.13, part 1, with q = exp(-epsilon), so that 2 / (exp(epsilon) - 1) is 2 q / (1 - q)",
    using=["note-lemma-a.13-sharp"],
    proof=lambda: [step("a larger denominator", Le(2 * q / (1 - q**2), 2 * q / (1 - q)))],
)
def mean_distance_of_the_number():
    """Mean distance of the number of records from the noisy number."""
    return Le(mean_distance(), 2 * q / (1 - q))


@claim(
    "note-lemma-a.13-sharp",
    place="Lemma A.13, part 1, sharpened: 1 / sinh(epsilon), which is the limit for large n_0",
    proof=lambda: [
        step(
            "both sums",
            [
                Eq(
                    Sum(index * q**index, (index, 0, n_0 - 1)),
                    (q - n_0 * q**n_0 + (n_0 - 1) * q ** (n_0 + 1)) / (1 - q) ** 2,
                ),
                Eq(Sum(index * q**index, (index, 1, oo)), q / (1 - q) ** 2),
            ],
        ),
        step("the powers", [Le(q**n_0, q), Gt(normaliser(), 0)]),
        step("what the end takes away", Ge(q**n_0 * (1 - q) * (n_0 * (1 + q) - q), 0)),
        step(
            "the sums against the normaliser",
            Le(
                Sum(index * q**index, (index, 0, n_0 - 1)) + Sum(index * q**index, (index, 1, oo)),
                2 * q / (1 - q**2) * normaliser(),
            ),
        ),
    ],
)
def sharp_mean_distance_of_the_number():
    """Mean distance of the number of records from the noisy number, the sharp bound."""
    return Le(mean_distance(), 2 * q / (1 - q**2))


@claim("note-lemma-a.13-sinh", place="Lemma A.13, part 1: the two bounds in epsilon")
def bounds_on_the_mean_distance():
    """Bounds on the mean distance, in the privacy loss."""
    at = exp(-epsilon)
    return [
        Eq(2 * at / (1 - at), 2 / (exp(epsilon) - 1)),
        Eq(2 * at / (1 - at**2), 1 / sinh(epsilon)),
        Le(1 / sinh(epsilon), 2 / (exp(epsilon) - 1)),
    ]


def bell(number):
    """Weight of a distance under discrete Gaussian noise."""
    return exp(-(epsilon**2) * number**2 / 2)


@claim(
    "note-lemma-a.13-step",
    place="used by lemma-a.13.ii: a term, against a difference of F_i = (1 + i) exp(-epsilon^2 i^2/2)",
    proof=lambda: [
        step(
            "the tangent of exp",
            Ge(
                bell(index_more + 1) * exp(epsilon**2 * (2 * index_more + 1) / 2),
                bell(index_more + 1) * (1 + epsilon**2 * (2 * index_more + 1) / 2),
            ),
        ),
        step(
            "a weight and the next",
            Eq(
                bell(index_more),
                bell(index_more + 1) * exp(epsilon**2 * (2 * index_more + 1) / 2),
            ),
        ),
        step("a square", Ge(surplus(), 0)),
        step("times a weight", Ge(bell(index_more + 1) * surplus(), 0)),
    ],
)
def term_below_a_difference():
    """Term of a sum of weighted distances, and a difference."""
    return Le(term(), difference_of_terms())


def surplus():
    """Return a lower bound of the excess of the difference over the term, divided by the weight."""
    growth = 1 + epsilon**2 * (2 * index_more + 1) / 2
    return (1 + index_more) * growth - (2 + index_more) - epsilon * (index_more + 1) + 2


def term():
    """Weight of the distance i + 1, times epsilon (i + 1) - 2."""
    return (epsilon * (index_more + 1) - 2) * bell(index_more + 1)


def difference_of_terms():
    """F_i less F_(i + 1)."""
    return (1 + index_more) * bell(index_more) - (2 + index_more) * bell(index_more + 1)


def surpluses(number):
    """Weighted epsilon times a distance, less 2, on one side."""
    return Sum(term(), (index_more, 0, number - 1))


@claim(
    "note-lemma-a.13-side",
    place="used by lemma-a.13.ii: the distances on one side of n_0, k of them",
    using=["note-lemma-a.13-step"],
    proof=lambda: [
        step(
            "term by term",
            Le(
                surpluses(distance),
                Sum(difference_of_terms(), (index_more, 0, distance - 1)),
            ),
        ),
        step(
            "a telescope",
            Eq(
                Sum(difference_of_terms(), (index_more, 0, distance - 1)),
                1 - (1 + distance) * bell(distance),
            ),
        ),
        step("what is left over", Ge((1 + distance) * bell(distance), 0)),
    ],
)
def distances_on_a_side():
    """Weighted distances on one side, times the loss and less 2."""
    return Le(surpluses(distance), 1)


def distances(number):
    """Distances 1, 2, ... on one side, times their weights."""
    return Sum((index_more + 1) * bell(index_more + 1), (index_more, 0, number - 1))


def weights(number):
    """Weights of the distances on one side."""
    return Sum(bell(index_more + 1), (index_more, 0, number - 1))


def from_0(body):
    """Series from 0 on."""
    k = Symbol("k", integer=True)
    return Sum(body(k), (k, 0, oo))


def next_weight(number):
    """Weight of the distance after a number."""
    return bell(number + 1)


def next_distance(number):
    """The distance after a number, times its weight."""
    return (number + 1) * bell(number + 1)


def below_0(number):
    """Less than 0 by the number and 1 times a weight."""
    return -((1 + number) * bell(number))


def size_of_the_fall():
    """Bound on a weight times a number and 1, by how fast they fall."""
    return 16 + 128 / epsilon**4


def falls(function):
    """Bound on a function of whole numbers by an inverse square."""
    far_out = (outcome + 1) * (outcome + 2)
    return Le(Abs(function(outcome)) * far_out, size_of_the_fall())


def put_in(function):
    """A function in the place of numbers that fall like a square."""
    t = Symbol("t", real=True)
    return {AnyFunction("g"): Lambda((t,), function(t)), scale: size_of_the_fall()}


def growth_below():
    """Square of a tangent of the exponential function, which is below the inverse of a weight."""
    return (1 + epsilon**2 * outcome**2 / 4) ** 2


@claim(
    "note-lemma-a.13-fall",
    place="used by lemma-a.13.ii: a weight, times a number and 1, and its square",
    proof=lambda: [
        step(
            "the exponential function",
            Ge(exp(epsilon**2 * outcome**2 / 4), 1 + epsilon**2 * outcome**2 / 4),
        ),
        step("squared", Ge(exp(epsilon**2 * outcome**2 / 4) ** 2, growth_below())),
        step("its inverse", Le(bell(outcome) * growth_below(), 1)),
        step("powers", Le((1 + outcome) ** 2 * (2 + outcome), 16 + 8 * outcome**4)),
        step("by the tangent", Le(16 + 8 * outcome**4, size_of_the_fall() * growth_below())),
        step(
            "times the weight",
            Le(
                bell(outcome) * ((1 + outcome) ** 2 * (2 + outcome)),
                bell(outcome) * (size_of_the_fall() * growth_below()),
            ),
        ),
    ],
)
def weights_fall():
    """Weight of a distance under discrete Gaussian noise, which falls faster than a power."""
    return Le(bell(outcome) * ((1 + outcome) ** 2 * (2 + outcome)), size_of_the_fall())


@claim(
    "note-lemma-a.13-falls",
    place="used by lemma-a.13.ii: the terms of three series",
    using=["note-lemma-a.13-fall"],
    proof=lambda: [
        step("the next weight", Le(bell(outcome + 1), bell(outcome))),
        step(
            "sizes",
            [
                Eq(Abs(next_weight(outcome)), next_weight(outcome)),
                Eq(Abs(next_distance(outcome)), next_distance(outcome)),
                Eq(Abs(below_0(outcome)), (1 + outcome) * bell(outcome)),
            ],
        ),
        step(
            "the largest",
            [
                Le(next_distance(outcome), (1 + outcome) * bell(outcome)),
                Le(next_weight(outcome), (1 + outcome) * bell(outcome)),
            ],
        ),
    ],
)
def terms_fall():
    """Terms of series of weights and distances, which fall like a square."""
    return [falls(function) for function in (next_weight, next_distance, below_0)]


def telescope():
    """Series of the differences of numbers that go to 0."""
    return from_0(lambda number: below_0(number + 1) - below_0(number))


@claim(
    "note-lemma-a.13-series",
    place="used by lemma-a.13.ii: the weights and distances above n_0, all of them",
    using=[
        ("note-lemma-a.13-falls", lambda: {outcome: outcome}),
        ("privacy:series-exists", lambda: put_in(next_weight)),
        ("privacy:series-exists", lambda: put_in(next_distance)),
        ("privacy:series-of-differences", lambda: put_in(below_0)),
    ],
)
def series_of_weights():
    """Series of weights and of distances under discrete Gaussian noise."""
    return [Ge(from_0(next_weight), 0), Ge(from_0(next_distance), 0), Eq(telescope(), 1)]


def left_over(number):
    """Return the excess of a difference over a term."""
    difference = below_0(number + 1) - below_0(number)
    return difference + 2 * next_weight(number) - epsilon * next_distance(number)


@claim(
    "note-lemma-a.13-above",
    place="used by lemma-a.13.ii: the distances above n_0, all of them",
    using=["note-lemma-a.13-series", ("note-lemma-a.13-step", lambda: {index_more: outcome})],
    proof=lambda: [
        step(
            "term by term",
            Eq(
                from_0(left_over),
                telescope() + 2 * from_0(next_weight) - epsilon * from_0(next_distance),
            ),
        ),
        step("no term is below 0", Ge(from_0(left_over), 0)),
    ],
)
def distances_above():
    """Weighted distances above the noisy number, times the loss and less 2."""
    return Le(epsilon * from_0(next_distance) - 2 * from_0(next_weight), 1)


@claim(
    "lemma-a.13.ii",
    place="Lemma A.13, part 2, eq. 23 to 30 from end to end: the flat prior on all n >= 1",
    using=[
        ("note-lemma-a.13-side", lambda: {distance: n_0 - 1}),
        "note-lemma-a.13-series",
        "note-lemma-a.13-above",
    ],
    proof=lambda: [
        step("weights", Ge(weights(n_0 - 1), 0)),
        step(
            "together",
            Le(
                epsilon * (distances(n_0 - 1) + from_0(next_distance)),
                2 * (1 + weights(n_0 - 1) + from_0(next_weight)),
            ),
        ),
    ],
)
def mean_distance_under_gaussian_noise():
    """Mean distance of the number of records under discrete Gaussian noise."""
    return Le(mean_distance_by_bells(), 2 / epsilon)


def mean_distance_by_bells():
    """Mean of |n - n_0| given n_dp = n_0, for discrete Gaussian noise."""
    both = distances(n_0 - 1) + from_0(next_distance)
    return both / (1 + weights(n_0 - 1) + from_0(next_weight))


@claim(
    "lemma-a.13.ii-limit",
    place="Lemma A.13, its last sentence, for part 2: the mean itself goes to 0 as the privacy loss grows, as its bound does",
    using=["lemma-a.13.ii", "note-lemma-a.13-series"],
    proof=lambda: [
        step("distances", [Ge(distances(n_0 - 1), 0), Ge(from_0(next_distance), 0)]),
        step("weights", [Ge(weights(n_0 - 1), 0), Ge(from_0(next_weight), 0)]),
        step("a mean of distances", Ge(mean_distance_by_bells(), 0)),
        step("a rate", Le(Abs(mean_distance_by_bells()), 2 / epsilon)),
    ],
)
def vanishing_distance_under_gaussian_noise():
    """Limit of the mean distance of the number of records under discrete Gaussian noise."""
    return Eq(Limit(mean_distance_by_bells(), epsilon, oo), 0)


@claim(
    "example-a.14",
    place="Example A.14, its first condition for a normal summary with normal noise: the likelihood of a "
    "location has its only maximum at the release",
    scope="a normal summary with normal noise; that a sum with noise of a log-concave density is unimodal is Ibragimov's theorem, and that its maximum is the only one is more (example-a.14.mode)",
    given=[Ne(mu, theta)],
)
def unimodal_example():
    """Likelihood of a location, and its value at the release."""
    spread = sqrt(1 + level**2)
    return Lt(Normal(theta, spread).density(mu), Normal(mu, spread).density(mu))


@claim(
    "example-a.14.mode",
    place="Example A.14, its first condition for any unimodal summary and any continuous, log-concave noise: here T is uniform within 1 of the parameter, and the noise uniform "
    "within 1/2 of 0; the likelihood of a parameter at a distance t_1 from the release, and of one at it",
    given=[Ne(told, 0)],
    try_at=[{told: "1/4"}],
    fault="boundary",
    effect="Laplace and normal noise, which the example names, are not touched. Two parameters may have the largest likelihood where the noise is bounded, and Theorem 4.3 asks for one.",
)
def flat_likelihood():
    """Likelihood of a location, and its value at the release, for bounded noise, as printed."""
    half = Rational(1, 2)

    def density(at):
        return (Min(at + half, 1) - Max(at - half, -1)) / 2

    return Lt(density(told), density(Integer(0)))


@claim(
    "example-a.14.mode-corrected",
    place="Example A.14, its first condition, for the same summary with Laplace noise of scale 1/epsilon: the likelihood of a parameter at a distance t_1 of at most 1 from the "
    "release, and of one at it",
    corrects=["example-a.14.mode"],
    why="The noise must have a density that is positive everywhere, as that of Laplace or normal noise is.",
    scope="one summary, and parameters within 1 of the release",
    given=[Gt(told, 0), Le(told, 1)],
    proof=lambda: [
        step("a power", Gt(exp(epsilon * told), 1)),
        step("a square", Gt((exp(epsilon * told) - 1) ** 2, 0)),
        step(
            "both sides",
            Gt(exp(epsilon * told) + exp(-epsilon * told), 2),
        ),
    ],
)
def pointed_likelihood():
    """Likelihood of a location, and its value at the release, for Laplace noise."""
    both = (exp(epsilon * told) + exp(-epsilon * told)) / 2
    return Lt((1 - exp(-epsilon) * both) / 2, (1 - exp(-epsilon)) / 2)


@claim(
    "lemma-a.15",
    place="Lemma A.15, for two models of one state each: the probability of the first one after t_3 steps. The chain "
    "moves to the second with probability q_1 and back with q_2; it stays with a positive probability, so both are "
    "below 1, and |1 - q_1 - q_2| is below 1 (note-lemma-a.15-rate): the distance from its limit falls geometrically",
    scope="one state for each of two models; in general it is the theorem that is cited (Qin), which demands a kernel "
    "within each n that is reversible, as a sweep is not (note-sweep-reversible)",
    cites=["note-sweep-reversible"],
    without={"note-sweep-reversible": "it is on the use of the lemma"},
)
def transdimensional_chains():
    """Probability of a model after some steps of a chain over several dimensions."""
    limit = down / (up + down)
    return Recurrence(
        lambda before: before * (1 - up) + (1 - before) * down,
        start,
        limit + (1 - up - down) ** steps * (start - limit),
        steps,
    )


@claim(
    "note-lemma-a.15-rate",
    place="Lemma A.15, its rate for lemma-a.15: the chain stays in either model with a positive probability",
    given=[up < 1, down < 1],
)
def rate_of_two_models():
    """Factor of the distance from the limit, in one step of a chain between two models."""
    return Lt(Abs(1 - up - down), 1)


FROM, ANOTHER, REACHED = AnyDistribution("mu_1"), AnyDistribution("mu_2"), AnyCount("R")


def after_a_step(distribution):
    """Probability of the set after a step."""
    return Integral(distribution.density(told) * REACHED(told), (told, -oo, oo))


@claim(
    "note-oscillation",
    place="used by note-doeblin: R has values between eta_0 and eta_0 + e_0",
    given=lambda: [
        for_all(told, Ge(REACHED(told), little)),
        for_all(told, Le(REACHED(told), little + gap)),
        Ge(after_a_step(FROM), 0),
        Ge(after_a_step(ANOTHER), 0),
    ],
    proof=lambda: [
        step(
            "at each state",
            for_all(
                told,
                Le(
                    FROM.density(told) * REACHED(told),
                    ANOTHER.density(told) * REACHED(told)
                    + little * FROM.density(told)
                    - little * ANOTHER.density(told)
                    + gap * Max(FROM.density(told) - ANOTHER.density(told), 0),
                ),
            ),
        ),
        step(
            "summed",
            Le(
                after_a_step(FROM),
                after_a_step(ANOTHER)
                + little * probability(FROM, Interval(-oo, oo))
                - little * probability(ANOTHER, Interval(-oo, oo))
                + gap * total_variation(FROM, ANOTHER),
            ),
        ),
    ],
)
def means_of_a_bounded_function():
    """Means of a function of small oscillation under two distributions."""
    return Le(after_a_step(FROM) - after_a_step(ANOTHER), gap * total_variation(FROM, ANOTHER))


@claim(
    "note-doeblin",
    place="Proposition 5.4 and Lemma A.15, in their stead: any chain that from every state goes by a distribution nu with "
    "probability delta at least, Doeblin's condition; R(t_1) is the probability of a set after a step from the state "
    "that t_1 tells, P_x that under nu. Two distributions of the state come nearer to one another by 1 - delta in each step, so "
    "the chain is uniformly ergodic, and nothing need be reversible",
    given=lambda: [
        for_all(told, Ge(REACHED(told), delta * p_x)),
        for_all(told, Ge(1 - REACHED(told), delta * (1 - p_x))),
        Ge(after_a_step(FROM), 0),
        Ge(after_a_step(ANOTHER), 0),
    ],
    using=[("note-oscillation", lambda: {little: delta * p_x, gap: 1 - delta})],
    proof=lambda: [
        step("the complement", for_all(told, Le(REACHED(told), delta * p_x + (1 - delta))))
    ],
)
def contraction():
    """Probabilities of a set after one step, from two distributions of the state."""
    return Le(
        after_a_step(FROM) - after_a_step(ANOTHER), (1 - delta) * total_variation(FROM, ANOTHER)
    )
