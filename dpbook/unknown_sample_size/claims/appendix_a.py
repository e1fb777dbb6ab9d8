"""Appendix A: lemmas and proofs of Sections 3 and 4."""

from sympy import (
    Eq,
    Ge,
    Gt,
    Integer,
    Integral,
    Le,
    Lt,
    Max,
    Ne,
    Rational,
    Sum,
    erf,
    exp,
    log,
    oo,
    sinh,
    sqrt,
    tanh,
)

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Exists, Noted, for_all
from dpbook.privacy.any_laws import AnyEvent, AnyLaw
from dpbook.privacy.divergences import kl_divergence, total_variation
from dpbook.privacy.laws import Bernoulli, Normal
from dpbook.privacy.notation import epsilon as loss
from dpbook.privacy.notation import first_delta, second_delta
from dpbook.privacy.statements import private, probability
from dpbook.unknown_sample_size.any_models import AnyChance, AnyCount
from dpbook.unknown_sample_size.notation import (
    beyond,
    ceiling_below,
    delta,
    distance,
    epsilon,
    first_ratio,
    floor_below,
    fraction,
    index,
    index_more,
    level,
    little,
    mu,
    n,
    n_0,
    p_x,
    p_y,
    part_1,
    q,
    real_n_0,
    rho,
    second_ratio,
    sequence,
    theta,
    told,
    trade_off_at,
)


def normaliser():
    """Weights of n = 1, ..., n_0 + N given n_dp = n_0, by note-size-posterior."""
    return (1 + q - q**n_0 - q ** (beyond + 1)) / (1 - q)


# --- the noise of the number of records -----------------------------------------------------------


NOISE, CLOSE, COUNTS = (
    AnyLaw("e"),
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
    place="Lemma A.1, for each n_0 and any noise, told by a real number: by symmetry p(n | n_dp = n_0) is the "
    "noise's mass at n over that of all n >= 1. Where the noise is near n_0, and at least 1, with a probability of "
    "1 - gamma/2 each, n is near n_0 with 1 - gamma: what O_p says",
    given=lambda: [Gt(noisy_and(COUNTS), 0)],
    proof=lambda: [
        step("a union", Ge(noisy_and(CLOSE, COUNTS), noisy_and(CLOSE) + noisy_and(COUNTS) - 1)),
        step("at most all", [Le(noisy_and(COUNTS), 1), Ge(noisy_and(CLOSE, COUNTS), 0)]),
    ],
)
def rate_carries_over():
    """Probability that the number is near the noisy number, and of the noise that it is small."""
    near = noisy_and(CLOSE, COUNTS) / noisy_and(COUNTS)
    return Ge(near, noisy_and(CLOSE) + noisy_and(COUNTS) - 1)


@claim(
    "lemma-a.2",
    place="Lemma A.2, with the bound of its proof: the probability that n is k or more away from n_dp = n_0, "
    "where k epsilon is M. Several lines of the proof do not stand (text-a.2-series, text-a.2-tail, "
    "text-a.2-half, eq-11)",
    scope="whole n_dp, and priors that are flat on 1, ..., n_0 + N, for every N",
    given=[distance <= n_0, distance <= beyond],
    using=[("lemma-a.2-whole", lambda: {q: exp(-epsilon)})],
    proof=lambda: [
        step("a power", Eq(exp(-epsilon) ** distance, exp(-epsilon * distance))),
        step("a root", Eq(sqrt(exp(-epsilon)), exp(-epsilon / 2))),
        step(
            "their quotient",
            Eq(
                2 * exp(-epsilon * distance) / exp(-epsilon / 2),
                2 * exp(epsilon / 2 - distance * epsilon),
            ),
        ),
    ],
)
def spread_under_laplace_noise():
    """Number of records given a Laplace noisy number."""
    tail = Sum(q**index, (index, distance, beyond)) + Sum(q**index, (index, distance, n_0 - 1))
    far = (tail / normaliser()).xreplace({q: exp(-epsilon)})
    return Le(far, 2 * exp(epsilon / 2 - distance * epsilon))


@claim(
    "lemma-a.2-whole",
    place="Lemma A.2, the bound that its proof ends with, 2 exp(epsilon/2 - M), for whole n_dp = n_0 and "
    "M = k epsilon, under a prior that is flat on 1, ..., n_0 + N: the probability that n is k or more "
    "away from n_0; N grows",
    given=[distance <= n_0, distance <= beyond],
    proof=lambda: [
        step(
            "both sums",
            [
                Eq(
                    Sum(q**index, (index, distance, beyond)),
                    (q**distance - q ** (beyond + 1)) / (1 - q),
                ),
                Eq(
                    Sum(q**index, (index, distance, n_0 - 1)),
                    (q**distance - q**n_0) / (1 - q),
                ),
            ],
        ),
        step("the powers of the ends", [Le(q**n_0, q), Le(q ** (beyond + 1), q**2)]),
        step(
            "the power of the distance",
            [Le(q**distance, 1), Le(q**n_0, q**distance), Gt(q**distance, 0)],
        ),
        step("the root", Lt(sqrt(q), 1)),
        step(
            "without denominators",
            Le(
                (2 * q**distance - q**n_0 - q ** (beyond + 1)) * sqrt(q),
                2 * q**distance * (1 + q - q**n_0 - q ** (beyond + 1)),
            ),
        ),
    ],
)
def tail_of_the_number():
    """Probability that the number of records is far from the noisy number."""
    tail = Sum(q**index, (index, distance, beyond)) + Sum(q**index, (index, distance, n_0 - 1))
    return Le(tail / normaliser(), 2 * q**distance / sqrt(q))


def part(number):
    """What the first terms of a geometric series have of it."""
    return 1 - exp(-epsilon * number)


@claim(
    "text-a.2-closed",
    place="Proof of Lemma A.2, the series before it is bounded: N terms on either side, and N grows",
)
def series_of_both_sides():
    """Sum of the weights of all whole numbers."""
    below = Sum(exp(-epsilon * (fraction + index)), (index, 0, beyond - 1))
    above = Sum(exp(-epsilon * (index - fraction)), (index, 1, beyond))
    whole = (exp((1 - fraction) * epsilon) + exp(fraction * epsilon)) / (exp(epsilon) - 1)
    return Eq(below + above, whole * part(beyond))


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
    place="Proof of Lemma A.2, the weights of the numbers below 1, any real n_0: N terms, which have the share "
    "1 - exp(-N epsilon) of all",
    fault="misprint",
    effect="The bound 1/2 that follows holds with the right exponent too, as n_0 is at least 1.",
)
def tail_below_one_as_printed():
    """Sum of the weights of the numbers below 1, as printed."""
    return Eq(
        Sum(exp(-epsilon * (real_n_0 + index)), (index, 0, beyond - 1)),
        exp(-epsilon - real_n_0 * epsilon) / (exp(epsilon) - 1) * part(beyond),
    )


@claim(
    "text-a.2-tail-corrected",
    place="Proof of Lemma A.2, the weights of the numbers below 1, repaired: N terms",
    corrects=["text-a.2-tail"],
    why="The sign of the first epsilon is wrong.",
)
def tail_below_one():
    """Sum of the weights of the numbers below 1, repaired."""
    return Eq(
        Sum(exp(-epsilon * (real_n_0 + index)), (index, 0, beyond - 1)),
        exp(epsilon - real_n_0 * epsilon) / (exp(epsilon) - 1) * part(beyond),
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


@claim(
    "text-a.2-half-corrected",
    place="Proof of Lemma A.2, the probability of the numbers from 1 on, repaired",
    corrects=["text-a.2-half"],
    why="The bound is one on the probability of the numbers below 1.",
)
def half():
    """Probability of the numbers from 1 on, repaired."""
    return Ge(1 - probability_below_one(), Rational(1, 2))


@claim(
    "eq-11",
    place="eq. 11, its lower sum alone, where eq. 10 has the floor j_0 of a - M/epsilon and eq. 11 its ceiling "
    "j_1, over exp(epsilon - 1); N terms, which have the share 1 - exp(-N epsilon) of all",
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
            beyond: 1,
        }
    ],
    fault="misprint",
    effect="Eq. 12 bounds the floor, and has no trace of exp(epsilon - 1).",
)
def lower_sum_as_printed():
    """Sum of the weights that are far below, as printed."""
    return Eq(
        Sum(exp(-epsilon * (fraction - floor_below + index)), (index, 0, beyond - 1)),
        exp(epsilon * (ceiling_below - fraction + 1)) / exp(epsilon - 1) * part(beyond),
    )


@claim(
    "eq-11-corrected",
    place="eq. 11, its lower sum, repaired",
    corrects=["eq-11"],
    why="The sum ends at the floor, and a geometric series has exp(epsilon) - 1 below.",
)
def lower_sum():
    """Sum of the weights that are far below, repaired."""
    return Eq(
        Sum(exp(-epsilon * (fraction - floor_below + index)), (index, 0, beyond - 1)),
        exp(epsilon * (floor_below - fraction + 1)) / (exp(epsilon) - 1) * part(beyond),
    )


# --- limit theorems -------------------------------------------------------------------------------


@claim("lemma-a.3", place="Lemma A.3")
def slutsky_in_total_variation():
    """Slutsky's theorem in total variation."""
    return Noted(
        "a citation, of limits in law. As printed it lacks that X_n and Y_n are independent: with X "
        "normal and X_n + Y_n its rounding to 1/n, Y_n vanishes, and the sum keeps the distance 1 from X. "
        "In the paper's uses they are independent"
    )


@claim("lemma-a.4", place="Lemma A.4")
def limit_theorem_in_total_variation():
    """Central limit theorem in total variation."""
    return Noted("a citation")


@claim("lemma-a.5", place="Lemma A.5")
def limit_theorem_on_whole_numbers():
    """Central limit theorem on whole numbers."""
    return Noted(
        "a citation, misquoted: the sum is not centred, where the limit has the mean mu of one record, so it "
        "fails for a fair coin; and summands must not live on a coarser lattice, as 1 and -1 do"
    )


@claim("lemma-a.6", place="Lemma A.6")
def examples_of_the_limit():
    """Examples of assumption A1'."""
    return Noted("limits in total variation; its third part needs the span 1 that lemma-a.5 lacks")


LAW, LIMIT = AnyLaw("P_n"), AnyLaw("X")
BELOW, BETWEEN, ABOVE = AnyEvent("A_1"), AnyEvent("A_2"), AnyEvent("A_3")


def nested(inner, outer):
    """That one event lies in another."""
    return for_all(told, Le(inner.indicator(told), outer.indicator(told)))


def apart(event):
    """Difference of the probabilities of an event under the two laws."""
    return probability(LAW, event) - probability(LIMIT, event)


@claim(
    "lemma-a.7",
    place="Lemma A.7, for any two laws, and a point between two of a grid: the events that a draw lies below the "
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


OTHER, FIRST, SECOND, APART = AnyLaw("pi"), AnyCount("C_1"), AnyCount("C_2"), AnyCount("K")


def mean_of(function):
    """Mean of a function of y."""
    return Integral(OTHER.density(told) * function(told), (told, -oo, oo))


@claim(
    "lemma-a.8",
    place="Lemma A.8, for any law pi of y and any set of pairs: the probabilities of its section at y under the "
    "two conditional laws differ by at most K(y), their distance",
    scope="the inequality; that the mean of the distances vanishes with them is dominated convergence",
    given=lambda: [
        for_all(told, Le(FIRST(told) - SECOND(told), APART(told))),
        for_all(told, Le(SECOND(told) - FIRST(told), APART(told))),
        *(Ge(mean_of(function), 0) for function in (FIRST, SECOND, APART)),
    ],
)
def joint_convergence():
    """Joint probabilities, and the mean distance of the conditional laws."""
    difference = mean_of(FIRST) - mean_of(SECOND)
    return [Le(difference, mean_of(APART)), Le(-difference, mean_of(APART))]


@claim(
    "lemma-a.9",
    place="Lemma A.9, the term of its proof that a difference of the numbers n and m = n + k leaves, for "
    "a = 1 and b = 1/2: it vanishes where k is small beside n^(1-b)",
    scope="one pair of a and b; the limit laws are assumption A1 and Lemma A.7",
)
def close_numbers():
    """Shift of the scaled release between two numbers of records that are close."""
    other = n + distance
    return Le(sqrt(n / other) * sqrt(n) * (other / n - 1), distance / sqrt(n))


# --- conversions to (0, delta) --------------------------------------------------------------------


P, Q = AnyLaw("P"), AnyLaw("Q")


@claim("lemma-a.11", place="Lemma A.11, parts 1 and 6")
def conversions():
    """Conversions to additive privacy."""
    return Noted(
        "part 1 is the geometry of a trade-off function: its proof needs a symmetric one "
        "(note-lemma-a.11.i-asymmetric), which adjacency provides. Part 6 prints rho where the epsilon of "
        "Renyi privacy is meant. Parts 2 to 5 are lemma-a.11.ii to lemma-a.11.v"
    )


@claim(
    "lemma-a.11.ii",
    place="Lemma A.11, part 2, for the laws of any mechanism at neighbours",
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
    place="Lemma A.11, part 3, for the laws of any mechanism at neighbours",
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
    "lemma-a.11.v",
    place="Lemma A.11, part 5, its first bound, for the laws of any mechanism at neighbours with positive "
    "densities; the divergence is the limit of those of order alpha, which are at most rho alpha",
    scope="the first of the two bounds; of the second note-lemma-a.11.v-second has the step for an event",
    given=lambda: [
        for_all(told, Gt(P.density(told), 0)),
        for_all(told, Gt(Q.density(told), 0)),
        Ge(kl_divergence(P, Q), 0),
        Le(kl_divergence(P, Q), rho),
    ],
    using=["privacy:pinsker"],
)
def concentrated_gives_additive():
    """Total variation distance under concentrated privacy."""
    return Le(total_variation(P, Q) ** 2, rho / 2)


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


@claim(
    "lemma-a.11.iv",
    place="Lemma A.11, part 4: 2 Phi(mu/2) - 1, for the pair of normal laws that defines it",
)
def gaussian_to_additive():
    """Total variation distance of two normal laws."""
    return Eq(total_variation(Normal(0, 1), Normal(mu, 1)), erf(mu / (2 * sqrt(2))))


@claim(
    "note-lemma-a.11.v",
    place="Lemma A.11, parts 5 and 6, for an event: its two laws are coins, whose divergence is at most "
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
    AnyLaw("f"),
    AnyChance("M", 1),
)  # of a sequence of records; P(s in S | its first rows)


def set_probability(more):
    """Probability of the set given the parameter, for n rows and some more."""
    inside = RECORDS.density(sequence) * SET(more, sequence)
    return Integral(inside, (sequence, -oo, oo))


def one_row_more():
    """That the release is (0, delta)-private."""
    here, there = SET(index_more, sequence), SET(index_more + 1, sequence)
    return for_all(index_more, sequence, [Le(there - here, delta), Le(here - there, delta)])


@claim(
    "lemma-a.12",
    place="Lemma A.12, for any law of independent records, told by one number for all of the sequence, any "
    "mechanism that is (0, delta)-private in the unbounded sense, and any set of releases: n rows and k more. The "
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


def mean_distance():
    """Mean of |n - n_0| given n_dp = n_0."""
    below = Sum(index * q**index, (index, 0, n_0 - 1))
    above = Sum(index * q**index, (index, 1, beyond))
    return (below + above) / normaliser()


@claim(
    "lemma-a.13.i",
    place="Lemma A.13, part 1: a prior that is flat on 1, ..., n_0 + N; N grows",
    scope="every N; the flat prior on all numbers is the limit",
    using=[("lemma-a.13.i-uniform", lambda: {q: exp(-epsilon)})],
)
def mean_distance_under_laplace_noise():
    """Mean distance of the number of records under discrete Laplace noise and a flat prior."""
    with_loss = mean_distance().xreplace({q: exp(-epsilon)})
    return Le(with_loss, 2 / (exp(epsilon) - 1))


@claim(
    "lemma-a.13.i-uniform",
    place="Lemma A.13, part 1, for a prior that is flat on 1, ..., n_0 + N, with q = exp(-epsilon), so that "
    "2 / (exp(epsilon) - 1) is 2 q / (1 - q)",
    using=["note-lemma-a.13-sharp"],
    proof=lambda: [step("a larger denominator", Le(2 * q / (1 - q**2), 2 * q / (1 - q)))],
)
def mean_distance_of_the_number():
    """Mean distance of the number of records from the noisy number."""
    return Le(mean_distance(), 2 * q / (1 - q))


@claim(
    "note-lemma-a.13-sharp",
    place="Lemma A.13, part 1, for a prior that is flat on 1, ..., n_0 + N, sharpened: 1 / sinh(epsilon), which is "
    "the limit for large n_0 and N",
    proof=lambda: [
        step(
            "both sums",
            [
                Eq(
                    Sum(index * q**index, (index, 0, n_0 - 1)),
                    (q - n_0 * q**n_0 + (n_0 - 1) * q ** (n_0 + 1)) / (1 - q) ** 2,
                ),
                Eq(
                    Sum(index * q**index, (index, 1, beyond)),
                    (q - (beyond + 1) * q ** (beyond + 1) + beyond * q ** (beyond + 2))
                    / (1 - q) ** 2,
                ),
            ],
        ),
        step("the powers", [Le(q**n_0, q), Le(q ** (beyond + 1), q**2), Gt(normaliser(), 0)]),
        step(
            "what the ends take away",
            [
                Ge(q**n_0 * (1 - q) * (n_0 * (1 + q) - q), 0),
                Ge(q ** (beyond + 1) * (1 - q) * ((beyond + 1) * (1 + q) - q), 0),
            ],
        ),
        step(
            "the sums against the normaliser",
            Le(
                Sum(index * q**index, (index, 0, n_0 - 1))
                + Sum(index * q**index, (index, 1, beyond)),
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


@claim(
    "lemma-a.13.ii",
    place="Lemma A.13, part 2: a prior that is flat on n_0 - 1, n_0, n_0 + 1. With a flat prior on all numbers "
    "the mean, evaluated, is at most 0.4 times the bound, and falls as exp(-epsilon^2/2)",
    scope="a prior on three numbers; on more the mean is a ratio of theta series",
)
def mean_distance_under_gaussian_noise():
    """Mean distance of the number of records under discrete Gaussian noise."""
    weight = exp(-(epsilon**2) / 2)
    return Le(2 * weight / (1 + 2 * weight), 2 / epsilon)


@claim(
    "example-a.14",
    place="Example A.14, its first condition for a normal summary with normal noise: the likelihood of a "
    "location has its only maximum at the release",
    scope="normal laws; for others it is Ibragimov's theorem on strongly unimodal laws",
    given=[Ne(mu, theta)],
)
def unimodal_example():
    """Likelihood of a location, and its value at the release."""
    spread = sqrt(1 + level**2)
    return Lt(Normal(theta, spread).density(mu), Normal(mu, spread).density(mu))


@claim("lemma-a.15", place="Lemma A.15")
def transdimensional_chains():
    """Geometric ergodicity of chains over several dimensions."""
    return Noted(
        "a citation (Qin); it demands reversible kernels within each n, which a sweep is not "
        "(note-sweep-reversible)"
    )
