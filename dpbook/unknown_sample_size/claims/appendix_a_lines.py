"""Appendix A, line by line: the displays of the proofs of Lemmas A.1, A.2 and A.13."""

from sympy import Abs, Eq, Ge, Gt, Integral, Le, Lt, Or, Sum, exp, log, oo, sqrt

from dpbook import Noted, claim, step
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent
from dpbook.privacy.notation import outcome
from dpbook.privacy.statements import probability
from dpbook.unknown_sample_size.claims.appendix_a import (
    COUNTS,
    all_weights,
    bell,
    both_ends,
    distances,
    falls,
    far_above,
    far_away,
    far_below,
    from_0,
    growth_below,
    next_distance,
    next_weight,
    noisy_and,
    normaliser,
    put_in,
    size_of_the_fall,
    weights,
    weights_of_whole_numbers,
)
from dpbook.unknown_sample_size.notation import (
    ceiling_above,
    chance,
    distance,
    distance_below,
    epsilon,
    first_ratio,
    floor_below,
    fraction,
    gap,
    index,
    index_more,
    level,
    little,
    most_epsilon,
    n_0,
    q,
    rest,
    second_ratio,
    told,
)

# --- Lemma A.1 ------------------------------------------------------------------------------------

ONE_NUMBER = AnyEvent("E")  # that n_dp is one number n


@claim(
    "text-a.1-mass",
    place="Proof of Lemma A.1, its first display: eta(n | n_0) is the probability that n_dp is n, and the sum in the denominator that n_dp is at least 1 (J)",
    given=lambda: [Gt(noisy_and(COUNTS), 0)],
    proof=lambda: [step("at most all", Le(noisy_and(COUNTS), 1))],
)
def mass_of_a_number():
    """Posterior mass of a number of records, and the mass of the noise."""
    return Ge(noisy_and(ONE_NUMBER) / noisy_and(COUNTS), noisy_and(ONE_NUMBER))


# --- Lemma A.2 ------------------------------------------------------------------------------------


def every_weight():
    """Sum of the weights of all whole numbers, the support of n-tilde."""
    below, above = weights_of_whole_numbers()
    return below + above


def weight():
    """Weight of the number that is j above the floor of n_dp."""
    return exp(-epsilon * Abs(index - fraction))


def closed():
    """Steps of a proof: both series."""
    return [
        step(
            "all weights",
            Eq(
                every_weight(),
                (exp((1 - fraction) * epsilon) + exp(fraction * epsilon)) / (exp(epsilon) - 1),
            ),
        ),
        step("some have weight", Gt(every_weight(), 0)),
    ]


@claim(
    "text-a.2-cut",
    place="Proof of Lemma A.2, n given n_dp = n_0 + a against n-tilde given that it is at least 1: the number j + n_0; the pmf of either is its weight over the sum of the weights",
    using=["text-a.2-closed"],
    proof=lambda: [
        *closed(),
        step("from 1 on", Eq(all_weights(), both_ends() / (1 - exp(-epsilon)))),
        step("they have weight too", [Gt(both_ends(), 0), Gt(all_weights(), 0)]),
    ],
)
def numbers_cut_off():
    """Mass of a number of records, and of a whole number given that it is at least 1."""
    share = all_weights() / every_weight()
    return Eq(weight() / all_weights(), (weight() / every_weight()) / share)


@claim(
    "text-a.2-mass",
    place="Proof of Lemma A.2, the bound on the pmf of n-tilde, at the number j + n_0",
    using=["text-a.2-closed", "text-a.2-series-corrected"],
    proof=lambda: [
        *closed(),
        step(
            "from below",
            Ge(every_weight(), 2 * exp(epsilon / 2) / (exp(epsilon) - 1)),
        ),
    ],
)
def mass_of_a_whole_number():
    """Mass of a whole number, and its weight."""
    return Le(weight() / every_weight(), (exp(epsilon) - 1) / (2 * exp(epsilon / 2)) * weight())


@claim(
    "eq-7",
    place="eq. 6 and 7: the numbers that are k and more above the floor of n_dp, or k_0 and more below it and at least 1",
    given=lambda: far_away(),
    using=["text-a.2-closed"],
    proof=lambda: [
        *closed(),
        step("from 1 on", Eq(all_weights(), both_ends() / (1 - exp(-epsilon)))),
        step("they have weight too", [Gt(both_ends(), 0), Gt(all_weights(), 0)]),
    ],
)
def far_numbers_cut_off():
    """Probability of far numbers of records, and of far whole numbers given that they are at least 1."""
    far = far_above() + far_below()
    return Eq(far / all_weights(), (far / every_weight()) / (all_weights() / every_weight()))


@claim(
    "note-a.2-below",
    place="used by eq-8: the numbers far below that are at least 1, and all of them, from the floor j_0 of a - M/epsilon down; k_0 is -j_0, or n_0 where -j_0 is larger",
    given=lambda: uncut(),
    proof=lambda: [
        step(
            "far below",
            [
                Eq(
                    far_below(),
                    (exp(-epsilon * (distance_below + fraction)) - exp(-epsilon * (n_0 + fraction)))
                    / (1 - exp(-epsilon)),
                ),
                Eq(
                    from_the_floor(),
                    exp(-epsilon * (fraction - floor_below)) / (1 - exp(-epsilon)),
                ),
            ],
        ),
    ],
)
def more_weight_is_far_below():
    """Weights of the numbers far below that are at least 1, and of all whole numbers far below."""
    return Le(far_below(), from_the_floor())


def uncut():
    """Conditions: k_0 is -j_0, or n_0 where -j_0 is larger."""
    return [
        Le(distance_below, n_0),
        Le(distance_below, -floor_below),
        Or(Eq(distance_below, -floor_below), Eq(distance_below, n_0)),
    ]


@claim(
    "note-a.2-half",
    place="used by eq-8: the weights from 1 on, and those of all whole numbers",
    using=["text-a.2-closed"],
    proof=lambda: [
        closed()[0],
        step("from 1 on", Eq(all_weights(), both_ends() / (1 - exp(-epsilon)))),
        step("below all", Le(exp(-epsilon * (n_0 + fraction)), exp(-epsilon * fraction))),
        step("and above", Le(exp(-epsilon * (n_0 + fraction)), exp(-epsilon * (1 - fraction)))),
        step(
            "both ends",
            Ge(2 * both_ends(), exp(-epsilon * fraction) + exp(-epsilon * (1 - fraction))),
        ),
    ],
)
def half_of_the_weights():
    """Weights of the numbers from 1 on, and half of the weights of all whole numbers."""
    return Ge(all_weights(), every_weight() / 2)


@claim(
    "note-a.2-twice",
    place="used by eq-8, for any numbers: a number over a share, and twice a larger one, where the share is at least a half",
    given=[little <= gap, first_ratio >= second_ratio / 2],
)
def over_at_least_a_half():
    """Quotients of a number by a share of at least a half, and of a larger number."""
    return Le((little / second_ratio) / (first_ratio / second_ratio), 2 * (gap / second_ratio))


def far_from_1_on():
    """Weights of the far numbers from 1 on."""
    return far_above() + far_below()


def far():
    """Weights of all far whole numbers."""
    return far_above() + from_the_floor()


@claim(
    "eq-8",
    place="eq. 8, from eq. 7: the far numbers from 1 on, given that a whole number is at least 1, and all far whole numbers, which are those from k above the floor of n_dp on "
    "and from the floor j_0 of a - M/epsilon down; it holds wherever the far ones begin",
    given=lambda: [Ge(distance, 1), *uncut()],
    using=[
        "note-a.2-below",
        "note-a.2-half",
        "text-a.2-closed",
        (
            "note-a.2-twice",
            lambda: {
                little: far_from_1_on(),
                gap: far(),
                first_ratio: all_weights(),
                second_ratio: every_weight(),
            },
        ),
    ],
    proof=lambda: [
        *closed(),
        step("from 1 on", Eq(all_weights(), both_ends() / (1 - exp(-epsilon)))),
        step("they have weight too", [Gt(both_ends(), 0), Gt(all_weights(), 0)]),
        step("no weight is below 0", [Ge(far_above(), 0), Ge(far_below(), 0)]),
        step("more is far", Le(far_from_1_on(), far())),
        step("nor are sums of them", [Ge(far_from_1_on(), 0), Ge(far(), 0)]),
        step("at least a half", Ge(all_weights(), every_weight() / 2)),
    ],
)
def far_whole_numbers_twice():
    """Probability of far whole numbers given that they are at least 1, and twice the probability of all far ones."""
    return Le(
        (far_from_1_on() / every_weight()) / (all_weights() / every_weight()),
        2 * (far() / every_weight()),
    )


def from_the_floor():
    """Weights of the whole numbers up to the floor j_0 of a - M/epsilon, from n_0 on."""
    return Sum(exp(-epsilon * (fraction - floor_below + index)), (index, 0, oo))


def from_the_ceiling():
    """Weights of the whole numbers from the ceiling j_2 of a + M/epsilon, from n_0 on."""
    return Sum(exp(-epsilon * (ceiling_above - fraction + index)), (index, 0, oo))


def ends():
    """Conditions: j_0 and j_2 are the floor and the ceiling."""
    return [
        floor_below <= fraction - level / epsilon,
        fraction - level / epsilon < floor_below + 1,
        ceiling_above >= fraction + level / epsilon,
        ceiling_above < fraction + level / epsilon + 1,
    ]


@claim(
    "eq-9",
    place="eq. 9: the sums with the bound on the pmf of n-tilde for the pmf; j_0 and j_2 are the floor of a - M/epsilon and the ceiling of a + M/epsilon",
    given=ends,
    try_at=[
        {epsilon: 1, fraction: 0, level: 1, floor_below: -1, ceiling_above: 1},
    ],
    fault="misprint",
    effect="None: the lines go on to an upper bound, and the bound on the pmf is one.",
)
def far_whole_numbers_as_printed():
    """Probability of far whole numbers, and the sum of its bounds, as printed."""
    far = from_the_floor() + from_the_ceiling()
    return Eq(2 * far / every_weight(), 2 * ((exp(epsilon) - 1) / (2 * exp(epsilon / 2))) * far)


def least_of_all():
    """The bound on the sum of all weights from below."""
    return 2 * exp(epsilon / 2) / (exp(epsilon) - 1)


@claim(
    "note-a.2-over",
    place="used by eq-9-corrected, for any numbers",
    given=[first_ratio >= second_ratio],
)
def over_a_larger_number():
    """Quotients of a number by two others."""
    return Le(2 * little / first_ratio, 2 * little / second_ratio)


@claim(
    "eq-9-corrected",
    place="eq. 9, repaired, whatever whole numbers j_0 and j_2 are",
    corrects=["eq-9"],
    why="The display before has an upper bound on the pmf, which is the pmf at a = 1/2 alone.",
    using=[
        "text-a.2-closed",
        "text-a.2-series-corrected",
        (
            "note-a.2-over",
            lambda: {
                first_ratio: every_weight(),
                second_ratio: least_of_all(),
                little: from_the_floor() + from_the_ceiling(),
            },
        ),
    ],
    proof=lambda: [
        step("all weights", Ge(every_weight(), least_of_all())),
        step(
            "both sums",
            [
                Eq(
                    from_the_floor(),
                    exp(-epsilon * (fraction - floor_below)) / (1 - exp(-epsilon)),
                ),
                Eq(
                    from_the_ceiling(),
                    exp(-epsilon * (ceiling_above - fraction)) / (1 - exp(-epsilon)),
                ),
            ],
        ),
        step("there is weight far off", [Ge(from_the_floor(), 0), Ge(from_the_ceiling(), 0)]),
        step("some have weight", [Gt(every_weight(), 0), Gt(least_of_all(), 0)]),
        step(
            "over all",
            Le(
                2 * (from_the_floor() + from_the_ceiling()) / every_weight(),
                2 * (from_the_floor() + from_the_ceiling()) / least_of_all(),
            ),
        ),
    ],
)
def far_whole_numbers():
    """Probability of far whole numbers, and the sum of its bounds, repaired."""
    far = from_the_floor() + from_the_ceiling()
    return Le(2 * far / every_weight(), 2 * ((exp(epsilon) - 1) / (2 * exp(epsilon / 2))) * far)


@claim(
    "eq-10",
    place="eq. 10: i = n_0 + j, where n_0 is whole and n_dp is n_0 + a; i is at most n_0 + a - M/epsilon, or at least n_0 + a + M/epsilon, where j is at most a - M/epsilon, or at least a + M/epsilon, and its weight is that of j",
)
def far_weights_from_0():
    """Far numbers and their weights, counted from the floor of the noisy number."""
    near, number = level / epsilon, n_0 + index
    return [
        Or(Gt(index, fraction - near), Le(number, n_0 + fraction - near)),
        Or(Gt(number, n_0 + fraction - near), Le(index, fraction - near)),
        Or(Lt(index, fraction + near), Ge(number, n_0 + fraction + near)),
        Or(Lt(number, n_0 + fraction + near), Ge(index, fraction + near)),
        Eq(exp(-epsilon * Abs(number - (n_0 + fraction))), weight()),
    ]


def over_the_root(first, second):
    """Two exponentials over exp(epsilon/2)."""
    return (exp(epsilon * first) + exp(epsilon * second)) / exp(epsilon / 2)


def part_of_the_bound(exponent):
    """An exponential over exp(epsilon/2): a half of eq. 12."""
    return exp(epsilon * exponent) / exp(epsilon / 2)


@claim(
    "eq-12",
    place="eq. 12, term by term, from eq. 11 as repaired: where j_2 is at least a + M/epsilon, as its ceiling is, and where j_0 is at most a - M/epsilon, as its floor is",
)
def far_weights_without_floors():
    """Bounds on the weights of far numbers, without floor and ceiling."""
    near = level / epsilon
    return [
        Or(
            Lt(ceiling_above, fraction + near),
            Le(
                part_of_the_bound(-ceiling_above + fraction + 1),
                part_of_the_bound(-(fraction + near) + fraction + 1),
            ),
        ),
        Or(
            Gt(floor_below, fraction - near),
            Le(
                part_of_the_bound(floor_below - fraction + 1),
                part_of_the_bound(fraction - near - fraction + 1),
            ),
        ),
    ]


@claim("eq-13", place="eq. 13")
def far_weights_without_the_fraction():
    """Bound on the weights of far numbers, without a."""
    return Eq(
        over_the_root(
            -(fraction + level / epsilon) + fraction + 1,
            fraction - level / epsilon - fraction + 1,
        ),
        over_the_root(1 - level / epsilon, 1 - level / epsilon),
    )


@claim("eq-14", place="eq. 14")
def far_weights_by_the_level():
    """Bound on the weights of far numbers, by the level."""
    return Eq(
        over_the_root(1 - level / epsilon, 1 - level / epsilon),
        2 * exp(epsilon / 2) * exp(-level),
    )


@claim("eq-15", place="eq. 15, for epsilon of at most epsilon_0", given=[epsilon <= most_epsilon])
def far_weights_for_all_losses():
    """Bound on the weights of far numbers, for all losses up to one."""
    return Le(2 * exp(epsilon / 2) * exp(-level), 2 * exp(most_epsilon / 2) * exp(-level))


@claim("eq-16", place="eq. 16, at M = log(2/gamma) + epsilon_0/2")
def far_weights_at_the_level():
    """Bound on the weights of far numbers, at the level of the proof."""
    at_level = log(2 / chance) + most_epsilon / 2
    return Le(2 * exp(most_epsilon / 2) * exp(-at_level), chance)


# --- Lemma A.13, part 1 ---------------------------------------------------------------------------


def powers_below():
    """Weights of the numbers below n_0, from 1 on."""
    return Sum(q**index, (index, 1, n_0 - 1))


def powers():
    """Weights of n_0 and the numbers above it."""
    return Sum(q**index, (index, 0, oo))


@claim(
    "text-a.13-denominator",
    place="Proof of Lemma A.13, part 1, the bound on its denominator, with q = exp(-epsilon): exp(epsilon)/(exp(epsilon) - 1) is 1/(1 - q)",
    proof=lambda: [step("no weight is below 0", Ge(powers_below(), 0))],
)
def weights_from_the_number_on():
    """Weights of all numbers of records, and of the numbers from n_0 on."""
    return [Ge(powers_below() + powers(), powers()), Eq(powers(), 1 / (1 - q))]


def below():
    """Distances of the numbers below n_0, from 1 on, times their weights."""
    return Sum(index * q**index, (index, 0, n_0 - 1))


def above():
    """Distances of all numbers above n_0, times their weights; as many are below it, without an end."""
    return Sum(index * q**index, (index, 1, oo))


@claim(
    "eq-17",
    place="eq. 17, with q = exp(-epsilon), so that (exp(epsilon) - 1)/exp(epsilon) is 1 - q; the sum of all weights is note-size-posterior",
    proof=lambda: [
        step("no distance is below 0", [Ge(below(), 0), Ge(above(), 0)]),
        step("a power", Le(q**n_0, q)),
        step("all weights", Ge(normaliser(), 1 / (1 - q))),
    ],
)
def mean_distance_without_the_denominator():
    """Mean distance of the number of records, and the sum of all distances times their weights."""
    return Le((below() + above()) / normaliser(), (below() + above()) * (1 - q))


@claim(
    "eq-18",
    place="eq. 18, with q = exp(-epsilon): the numbers below 1 are taken in",
    proof=lambda: [
        step(
            "both sums",
            [
                Eq(below(), (q - n_0 * q**n_0 + (n_0 - 1) * q ** (n_0 + 1)) / (1 - q) ** 2),
                Eq(above(), q / (1 - q) ** 2),
            ],
        ),
        step("what is left out", Ge(q**n_0 * (n_0 - (n_0 - 1) * q), 0)),
    ],
)
def distances_on_both_sides():
    """Distances of the numbers from 1 on and of all whole numbers, times their weights."""
    return Le((below() + above()) * (1 - q), (above() + above()) * (1 - q))


def half_of_the_mean():
    """Distances above 0 of discrete Laplace noise, times their probabilities."""
    return Sum(index * ((1 - q) / (1 + q) * q**index), (index, 1, oo))


@claim(
    "eq-20",
    place="eq. 20, from eq. 19 as repaired, with q = exp(-epsilon): the mean of |X|, of which k and -k have the probability (1 - q)/(1 + q) q^k each",
    proof=lambda: [
        step("the factor", Eq(half_of_the_mean(), (1 - q) / (1 + q) * above())),
    ],
)
def distances_as_a_mean():
    """Distances times their weights, and the mean size of discrete Laplace noise."""
    return Eq((above() + above()) * (1 - q), (1 + q) * (half_of_the_mean() + half_of_the_mean()))


@claim(
    "eq-21",
    place="eq. 21: the first absolute moment of discrete Laplace noise, with q = exp(-epsilon)",
    proof=lambda: [
        step("the factor", Eq(half_of_the_mean(), (1 - q) / (1 + q) * above())),
        step("the series", Eq(above(), q / (1 - q) ** 2)),
    ],
)
def mean_size_of_the_noise():
    """Mean size of discrete Laplace noise."""
    return Eq(
        (1 + q) * (half_of_the_mean() + half_of_the_mean()),
        (1 + q) * (2 * q / ((1 + q) * (1 - q))),
    )


@claim("eq-22", place="eq. 22")
def bound_by_the_loss():
    """Bound on the mean distance, in the loss."""
    at = exp(-epsilon)
    return Eq((1 + at) * (2 * at / ((1 + at) * (1 - at))), 2 / (exp(epsilon) - 1))


# --- Lemma A.13, part 2 ---------------------------------------------------------------------------


def one_side():
    """A of the proof: the weights of n_0 and of all numbers above it."""
    return 1 + from_0(next_weight)


def both_sides():
    """Weights of all whole numbers."""
    return 1 + 2 * from_0(next_weight)


@claim(
    "text-a.13-sides",
    place="Proof of Lemma A.13, part 2, its displays on A, the sum of the weights of n_0 and of the numbers above it: against the weights from 1 on, and against those of all whole numbers",
    using=["note-lemma-a.13-series"],
    proof=lambda: [step("no weight is below 0", Ge(weights(n_0 - 1), 0))],
)
def weights_of_the_sides():
    """Weights of one side, of the numbers from 1 on, and of all whole numbers."""
    return [
        Ge(1 + weights(n_0 - 1) + from_0(next_weight), one_side()),
        Eq(both_sides(), 2 * one_side() - 1),
        Le(both_sides(), 2 * one_side()),
    ]


def next_square(number):
    """The square of the distance after a number, times its weight."""
    return (number + 1) ** 2 * bell(number + 1)


@claim(
    "note-a.13-square-falls",
    place="used by note-a.13-squares: a weight, times a power",
    proof=lambda: [
        step(
            "the exponential function",
            Ge(exp(epsilon**2 * outcome**2 / 4), 1 + epsilon**2 * outcome**2 / 4),
        ),
        step("squared", Ge(exp(epsilon**2 * outcome**2 / 4) ** 2, growth_below())),
        step("its inverse", Le(bell(outcome) * growth_below(), 1)),
        step("powers", Le(outcome**3 * (1 + outcome), 16 + 8 * outcome**4)),
        step("by the tangent", Le(16 + 8 * outcome**4, size_of_the_fall() * growth_below())),
        step(
            "times the weight",
            Le(
                bell(outcome) * (outcome**3 * (1 + outcome)),
                bell(outcome) * (size_of_the_fall() * growth_below()),
            ),
        ),
    ],
)
def weights_fall_faster():
    """Weight of a distance under discrete Gaussian noise, times a power of it."""
    return Le(bell(outcome) * (outcome**3 * (1 + outcome)), size_of_the_fall())


@claim(
    "note-a.13-squares",
    place="used by eq-27: the series of the squares",
    using=[
        ("note-a.13-square-falls", lambda: {outcome: outcome + 1}),
        ("privacy:series-exists", lambda: put_in(next_square)),
    ],
    proof=lambda: [
        step("sizes", Eq(Abs(next_square(outcome)), next_square(outcome))),
        step("it falls", falls(next_square)),
    ],
)
def series_of_squares():
    """Series of the squares of distances, times their weights."""
    return Ge(from_0(next_square), 0)


def over(function, total):
    """A function of whole numbers, over a total."""
    return lambda number: function(number) / total


def shares(function):
    """Series of the terms of a function over a total."""
    return from_0(lambda number: function(number) / first_ratio)


@claim(
    "eq-23",
    place="eq. 23: the mean of |n - n_0| under the flat prior on all n >= 1, where a number has its weight over u_3 for its probability, and u_3 is the sum of all weights, "
    "or any number",
    using=["note-lemma-a.13-series"],
)
def mean_distance_by_weights():
    """Mean distance of the number of records under discrete Gaussian noise, by its probabilities and by weights."""
    below = (index_more + 1) * bell(index_more + 1) / first_ratio
    return Eq(
        Sum(below, (index_more, 0, n_0 - 2)) + shares(next_distance),
        (distances(n_0 - 1) + from_0(next_distance)) / first_ratio,
    )


def all_distances():
    """Distances of all whole numbers from one of them, times their weights."""
    return from_0(next_distance) + from_0(next_distance)


@claim(
    "note-a.13-over",
    place="used by eq-24, for any numbers",
    given=[little <= gap, rest >= first_ratio, second_ratio <= 2 * first_ratio],
)
def over_less_than_a_half():
    """Quotients of a number by a share of a total, and of a larger number by the total."""
    return Le(little / rest, gap * (2 * first_ratio) / (first_ratio * second_ratio))


def distances_from_1_on():
    """Distances of the numbers from 1 on, times their weights."""
    return distances(n_0 - 1) + from_0(next_distance)


def weights_from_1_on():
    """Weights of the numbers from 1 on."""
    return 1 + weights(n_0 - 1) + from_0(next_weight)


@claim(
    "eq-24",
    place="eq. 24: the mean of |n - n_0|, and the distances of all whole numbers from n_0 times their weights; A of the proof is the sum of the weights of n_0 and of the numbers above it",
    scope="that the distances of the n_0 - 1 numbers below n_0, times their weights, add up to no more than those of all numbers above it is a condition",
    given=lambda: [Le(distances(n_0 - 1), from_0(next_distance))],
    using=[
        "note-lemma-a.13-series",
        "text-a.13-sides",
        (
            "note-a.13-over",
            lambda: {
                little: distances_from_1_on(),
                gap: all_distances(),
                rest: weights_from_1_on(),
                first_ratio: one_side(),
                second_ratio: both_sides(),
            },
        ),
    ],
    proof=lambda: [
        step("some have weight", [Gt(one_side(), 0), Gt(both_sides(), 0)]),
        step("more weight", Ge(weights_from_1_on(), one_side())),
        step("no distance is below 0", Ge(distances(n_0 - 1), 0)),
        step("more distances", Le(distances_from_1_on(), all_distances())),
    ],
)
def mean_distance_by_all_numbers():
    """Mean distance of the number of records, and the distances of all whole numbers times their weights."""
    return Le(
        distances_from_1_on() / weights_from_1_on(),
        all_distances() * (2 * one_side()) / (one_side() * both_sides()),
    )


@claim(
    "eq-25",
    place="eq. 25: the number n_0 + j is at the distance |j| from n_0, and A cancels",
    using=["note-lemma-a.13-series"],
    proof=lambda: [step("some have weight", [Gt(one_side(), 0), Gt(both_sides(), 0)])],
)
def distances_from_0():
    """Distances of all whole numbers from one of them, and from 0, times their weights."""
    number = n_0 + index
    return [
        Eq(Abs(number - n_0) * bell(number - n_0), Abs(index) * bell(index)),
        Eq(
            all_distances() * (2 * one_side()) / (one_side() * both_sides()),
            2 * all_distances() / both_sides(),
        ),
    ]


def mean_of_the_noise(function):
    """Mean of an even function of discrete Gaussian noise that is 0 at 0: its terms over the sum of all weights."""
    return (from_0(function) + from_0(function)) / both_sides()


def some_have_weight():
    """Step of a proof: the sum of all weights is positive."""
    return step("some have weight", Gt(both_sides(), 0))


@claim(
    "eq-26",
    place="eq. 26: the mean of |X|, of which k and -k have their weight over u_3 for their probability, and u_3 is the sum of all weights, or any number",
    using=["note-lemma-a.13-series"],
)
def distances_as_a_mean_of_gaussian_noise():
    """Distances times their weights, and the mean size of discrete Gaussian noise."""
    return Eq(
        2 * all_distances() / first_ratio, 2 * (shares(next_distance) + shares(next_distance))
    )


def squared_difference(number):
    """The square of the difference of a distance and a number, times the weight of the distance."""
    return (number + 1 - gap) ** 2 * bell(number + 1)


@claim(
    "note-a.13-jensen",
    place="used by eq-27: the squares of the differences from a number",
    using=["note-lemma-a.13-series", "note-a.13-squares"],
    proof=lambda: [
        step(
            "term by term",
            Eq(
                from_0(squared_difference),
                from_0(next_square)
                - 2 * gap * from_0(next_distance)
                + gap**2 * from_0(next_weight),
            ),
        ),
        step("no term is below 0", Ge(from_0(squared_difference), 0)),
    ],
)
def squares_against_distances():
    """Series of squares, of distances and of weights."""
    return Ge(
        from_0(next_square) - 2 * gap * from_0(next_distance) + gap**2 * from_0(next_weight), 0
    )


def mean_size():
    """The mean size of the noise."""
    return mean_of_the_noise(next_distance)


@claim(
    "eq-27",
    place="eq. 27, Jensen's inequality",
    using=[
        "note-lemma-a.13-series",
        "note-a.13-squares",
        ("note-a.13-jensen", lambda: {gap: mean_size()}),
    ],
    proof=lambda: [
        some_have_weight(),
        step(
            "the mean",
            [Ge(mean_size(), 0), Eq(mean_size() * both_sides(), 2 * from_0(next_distance))],
        ),
        step("the squares", Ge(2 * from_0(next_square), mean_size() ** 2 * both_sides())),
        step("over all", Ge(mean_of_the_noise(next_square), mean_size() ** 2)),
    ],
)
def root_of_the_mean_square():
    """Mean size of discrete Gaussian noise, and the root of its mean square."""
    return Le(2 * mean_size(), 2 * sqrt(mean_of_the_noise(next_square)))


def opposite(number):
    """The number that is as far below 0, times its weight."""
    return -((number + 1) * bell(number + 1))


@claim(
    "eq-28",
    place="eq. 28: the variance is the mean square less the square of the mean, as k and -k have one probability",
    using=["note-lemma-a.13-series", "note-a.13-squares"],
    proof=lambda: [
        some_have_weight(),
        step("both sides", Eq(from_0(opposite), -from_0(next_distance))),
    ],
)
def variance_of_the_noise():
    """Mean square of discrete Gaussian noise, and its variance."""
    square = mean_of_the_noise(next_square)
    mean = (from_0(next_distance) + from_0(opposite)) / both_sides()
    return Eq(2 * sqrt(square), 2 * sqrt(square - mean**2))


@claim("eq-29", place="eq. 29", cites=["lemma-a.13.ii"])
def bound_on_the_variance():
    """Bound on the variance of discrete Gaussian noise."""
    return Noted(
        "that the variance is at most 1/epsilon^2 is a theorem which the proof cites "
        "(Canonne, Kamath and Steinke, Corollary 9), and which lemma-a.13.ii does without"
    )


@claim("eq-30", place="eq. 30")
def root_of_the_parameter():
    """Root of the variance that the noise has at most."""
    return Eq(2 * sqrt(1 / epsilon**2), 2 / epsilon)


# --- Theorem 4.3 ----------------------------------------------------------------------------------

# estimates given the noisy number, and given the number
NOISY_ESTIMATE, ESTIMATE = AnyDistribution("p_e"), AnyDistribution("p_f")
CLOSED, COMPACT = AnyEvent("F"), AnyEvent("K")


def inside(distribution, *events):
    """Probability of several events at once."""
    both = distribution.density(told)
    for event in events:
        both = both * event.indicator(told)
    return Integral(both, (told, -oo, oo))


@claim(
    "eq-31",
    place="eq. 31, its last step: F and K are any sets, and p_e and p_f any distributions of the estimates, p_e at an epsilon that is large. A limit superior is below a "
    "number where for every e_0 the probability is below it by e_0, from some epsilon on",
    scope="the last step of the proof, for each e_0: the inequality before it, that the estimate lies in F and K, and that the estimates are tight, are "
    "conditions; the first of them is the argmax theorem",
    given=lambda: [
        Le(
            inside(NOISY_ESTIMATE, CLOSED, COMPACT),
            probability(ESTIMATE, CLOSED) + 1 - probability(ESTIMATE, COMPACT) + gap,
        ),
        Ge(probability(NOISY_ESTIMATE, COMPACT), 1 - gap),
        Ge(probability(ESTIMATE, COMPACT), 1 - gap),
    ],
    proof=lambda: [
        step(
            "in K or not",
            Le(
                probability(NOISY_ESTIMATE, CLOSED),
                inside(NOISY_ESTIMATE, CLOSED, COMPACT) + 1 - probability(NOISY_ESTIMATE, COMPACT),
            ),
        ),
    ],
)
def estimate_in_a_closed_set():
    """Probability that the estimate given a noisy number lies in a closed set, at a large epsilon."""
    return Le(probability(NOISY_ESTIMATE, CLOSED), probability(ESTIMATE, CLOSED) + 3 * gap)
