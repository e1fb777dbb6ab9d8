"""Appendix A, line by line: the displays of the proofs of Lemmas A.1, A.2 and A.13."""

from sympy import Abs, Eq, Ge, Gt, Le, Lt, Or, Sum, exp, log, oo, sqrt

from dpbook import Noted, claim, step
from dpbook.privacy.any_distributions import AnyEvent
from dpbook.unknown_sample_size.claims.appendix_a import (
    COUNTS,
    all_weights,
    both_ends,
    far_above,
    far_away,
    far_below,
    from_0,
    next_weight,
    noisy_and,
    normaliser,
    weights,
    weights_of_whole_numbers,
)
from dpbook.unknown_sample_size.notation import (
    ceiling_above,
    chance,
    epsilon,
    first_ratio,
    floor_below,
    fraction,
    index,
    level,
    little,
    most_epsilon,
    n_0,
    q,
    second_ratio,
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


@claim("eq-29", place="eq. 28 and 29", cites=["lemma-a.13.ii"])
def variance_of_the_noise():
    """Variance of discrete Gaussian noise."""
    return Noted(
        "k and -k have one probability, so the mean square is the variance; that this is at most 1/epsilon^2 is a theorem which the proof cites "
        "(Canonne, Kamath and Steinke, Corollary 9), and which lemma-a.13.ii does without"
    )


@claim("eq-30", place="eq. 30")
def root_of_the_parameter():
    """Root of the variance that the noise has at most."""
    return Eq(2 * sqrt(1 / epsilon**2), 2 / epsilon)
