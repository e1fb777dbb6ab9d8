"""Appendix C: how private the counts and the centre of algorithm 1 are, claims C.6 to C.9.

What holds for all neighbours is an inequality between numbers that holds at every output: a privacy
loss is the logarithm of the ratio of two densities of the noise, at an output and at the same
output seen from the neighbour.
"""

from sympy import Abs, Eq, Ge, Le, Max, Or, Rational, exp, oo

from dpbook import Every, claim, step
from dpbook.langevin.claims.section_3 import A, P, Q
from dpbook.langevin.notation import (
    argument,
    change,
    data,
    data_hat,
    delta,
    epsilon,
    kept,
    kept_products,
    kept_squares,
    largest_ratio,
    margin,
    n_1,
    n_2,
    noise,
    noise_between,
    noise_loss,
    numerator,
    numerator_bound,
    rare_miss,
    second_change,
    second_noise,
    sensitivity,
    third_change,
    third_noise,
    x_h,
    x_kept,
    x_kept_hat,
    x_l,
    y_kept,
    y_kept_hat,
)
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent, Then, distribution_for
from dpbook.privacy.distributions import Laplace
from dpbook.privacy.divergences import hockey_stick, over_support
from dpbook.privacy.notation import (
    density_1,
    density_2,
    density_3,
    density_4,
    first_output,
    share,
)
from dpbook.privacy.notation import epsilon as any_loss
from dpbook.privacy.notation import mu_1 as any_mean
from dpbook.privacy.notation import mu_2 as other_mean
from dpbook.privacy.notation import scale as any_scale
from dpbook.privacy.statements import Exceeding, private, probability

FIRST, SECOND = (AnyDistribution("f", one, argument) for one in (data, data_hat))
"""Distributions of an algorithm's answer on two datasets, at one fixed argument."""


@claim(
    "definition-4",
    place="Definition 4, eq. 33, for any two datasets X and X-hat and any argument, each told by a number, and "
    "any algorithm f that answers on the line with densities: as for definition-1",
    using=[
        ("definition-1", lambda: {**distribution_for(P, FIRST), **distribution_for(Q, SECOND)}),
    ],
)
def privacy_with_respect_to_one_argument():
    """Approximate differential privacy with respect to one of two arguments."""
    small = Le(hockey_stick(FIRST, SECOND, epsilon), delta)

    def within(event):
        return Le(probability(FIRST, event), exp(epsilon) * probability(SECOND, event) + delta)

    return [
        Or(small.negated, within(A)),
        Or(small, within(Exceeding(FIRST, SECOND, epsilon)).negated),
    ]


# --- lines 6 to 13 --------------------------------------------------------------------------------


def loss_of_counts():
    """Privacy loss of the two noisy counts together."""
    return noise_loss(noise, change, 1 / epsilon) + noise_loss(
        second_noise, second_change, 1 / epsilon
    )


@claim(
    "claim-c.6",
    place="Claim C.6, at every pair of outputs, told by the noises u_1 and u_2 that give them: the sizes of the dataset and of V differ by "
    "h_1 and h_2 on the neighbour, from -1 to 1, that of V for a given noisy n_1",
)
def loss_of_two_counts():
    """Privacy loss of the two noisy counts."""
    return Le(loss_of_counts(), 2 * epsilon)


@claim("claim-c.7", place="Claim C.7", given=[rare_miss])
def noisy_count_is_no_overestimate():
    """Probability that the noisy size of V is no overestimate."""
    return [
        Eq(noise_between(-oo, margin), 1 - exp(-margin / (1 / epsilon)) / 2),
        Eq(1 - exp(-margin / (1 / epsilon)) / 2, 1 - delta),
    ]


def centre_of(squares, products):
    """Return the centre of the ratios, line 12: sums over V with the terms of its last record."""
    return (kept_products + products) / (kept_squares + squares)


def move_of_the_centre():
    """Centre of V less the centre where its last record is replaced."""
    ours = centre_of(x_kept**2, x_kept * y_kept)
    return ours - centre_of(x_kept_hat**2, x_kept_hat * y_kept_hat)


def centre_less_the_record():
    """Return the change of the centre by the last record of V."""
    return centre_of(x_kept**2, x_kept * y_kept) - kept_products / kept_squares


def limit_by_sums():
    """Third expression of the display of claim C.8."""
    return largest_ratio * (
        (2 * kept_squares * x_h**2 + x_h**4) / ((kept_squares + x_l**2) * kept_squares)
    )


def limit_by_size(size):
    """Last expression of the display of claim C.8, for a size of V."""
    return largest_ratio * (
        (2 * (size - 1) * x_h**2 * x_l**2 + x_h**4) / (size * (size - 1) * x_l**4)
    )


def tight_limit():
    """Largest change of the centre."""
    return largest_ratio * x_h**2 / ((kept - 1) * x_l**2 + x_h**2)


def largest_centre():
    """Centre with the largest last record, of the largest ratio."""
    return centre_of(x_h**2, largest_ratio * x_h**2)


def smallest_centre():
    """Centre with the largest last record, of ratio 0."""
    return centre_of(x_h**2, 0)


@claim(
    "note-c.8-ends",
    place="claim C.8: between which ends the centre lies",
    proof=lambda: [
        step(
            "the largest response",
            Le(
                centre_of(x_kept**2, x_kept * y_kept),
                centre_of(x_kept**2, largest_ratio * x_kept**2),
            ),
        ),
        step(
            "of the largest record",
            Le(centre_of(x_kept**2, largest_ratio * x_kept**2), largest_centre()),
        ),
    ],
)
def ends_of_the_centre():
    """Centre of V against its largest and its smallest value, as the last record varies."""
    return [
        Le(centre_of(x_kept**2, x_kept * y_kept), largest_centre()),
        Ge(centre_of(x_kept**2, x_kept * y_kept), smallest_centre()),
    ]


@claim("note-c.8-width", place="claim C.8: the distance of the two ends")
def distance_of_the_ends():
    """Distance of the largest and the smallest value of the centre."""
    return Le(largest_centre() - smallest_centre(), tight_limit())


@claim(
    "note-c.8-above",
    place="claim C.8 with the best constant, from above",
    using=[
        "note-c.8-ends",
        ("note-c.8-ends", lambda: {x_kept: x_kept_hat, y_kept: y_kept_hat}),
        "note-c.8-width",
    ],
)
def largest_move_of_the_centre():
    """Move of the centre by a record that is replaced, with the best constant."""
    return Le(move_of_the_centre(), tight_limit())


@claim(
    "note-c.8-below",
    place="claim C.8 with the best constant, from below: the two records change places",
    using=[
        (
            "note-c.8-above",
            lambda: {
                **{x_kept: x_kept_hat, y_kept: y_kept_hat},
                **{x_kept_hat: x_kept, y_kept_hat: y_kept},
            },
        )
    ],
)
def smallest_move_of_the_centre():
    """Move of the centre by a record that is replaced, from below, with the best constant."""
    return Ge(move_of_the_centre(), -tight_limit())


@claim(
    "note-c.8-taken",
    place="claim C.8 with the best constant, for a record that is taken away",
    using=["note-c.8-ends", "note-c.8-width"],
    proof=lambda: [
        step(
            "the centre without the record",
            Ge(kept_products / kept_squares, smallest_centre()),
        ),
        step(
            "its ratio is at most the largest",
            Le(kept_products / kept_squares, largest_centre()),
        ),
    ],
)
def move_without_the_record():
    """Move of the centre by a record that is taken away, with the best constant."""
    return [
        Le(centre_less_the_record(), tight_limit()),
        Ge(centre_less_the_record(), -tight_limit()),
    ]


@claim("note-c.8-attained", place="claim C.8: its best constant is reached")
def change_that_is_reached():
    """Change of the centre by one record, for ratios 0 and then the largest one."""
    return Eq(
        Abs(
            x_h * (largest_ratio * x_h) / ((kept - 1) * x_l**2 + x_h**2)
            - x_h * 0 / ((kept - 1) * x_l**2 + x_h**2)
        ),
        tight_limit(),
    )


@claim("note-c.8-size", place="proof of claim C.8, last line", given=[n_2 < kept])
def limits_of_the_centre():
    """Limits of the change of the centre, by the size of V and by its noisy size."""
    return [Le(tight_limit(), limit_by_size(kept)), Le(limit_by_size(kept), limit_by_size(n_2))]


@claim(
    "note-c.8-move",
    place="Claim C.8, the sensitivity, for a record that is replaced",
    given=[n_2 < kept],
    using=[
        "note-c.8-above",
        "note-c.8-below",
        "note-c.8-size",
        (
            "note-fraction-size",
            lambda: {numerator: move_of_the_centre(), numerator_bound: limit_by_size(n_2)},
        ),
    ],
)
def change_of_the_centre_is_bounded():
    """Change of the centre by one record."""
    return Le(Abs(move_of_the_centre()), limit_by_size(n_2))


@claim(
    "note-c.8-move-taken",
    place="Claim C.8, the sensitivity, for a record that is taken away",
    given=[n_2 < kept],
    using=[
        "note-c.8-taken",
        "note-c.8-size",
        (
            "note-fraction-size",
            lambda: {numerator: centre_less_the_record(), numerator_bound: limit_by_size(n_2)},
        ),
    ],
)
def change_without_the_record_is_bounded():
    """Change of the centre by a record that is taken away."""
    return Le(Abs(centre_less_the_record()), limit_by_size(n_2))


def noisy(value):
    """Distribution of the noisy centre, line 13."""
    return Laplace(value, limit_by_size(n_2) / epsilon)


def centre_of_v():
    """Centre of V."""
    return centre_of(x_kept**2, x_kept * y_kept)


def centre_with_another():
    """Centre of V where its last record is replaced."""
    return centre_of(x_kept_hat**2, x_kept_hat * y_kept_hat)


@claim(
    "note-c.8-size-sign",
    place="Claim C.8: the scale of line 13",
    proof=lambda: [step("one less", n_2 - 1 > 0)],
)
def limit_is_positive():
    """Sign of the limit of the change of the centre."""
    return limit_by_size(n_2) > 0


def noise_of_line_13(value, other):
    """The Laplace mechanism on two values of the centre."""
    return {
        **{any_mean: value, other_mean: other, any_loss: epsilon},
        any_scale: limit_by_size(n_2) / epsilon,
    }


@claim(
    "claim-c.8",
    place="Claim C.8, for a record of V that is replaced, any two records that line 7 lets through; if V is the "
    "same on both, the distributions are one",
    given=[n_2 < kept],
    using=[
        "note-c.8-move",
        "note-c.8-size-sign",
        (
            "privacy:laplace-mechanism",
            lambda: noise_of_line_13(centre_of_v(), centre_with_another()),
        ),
    ],
)
def noisy_centre_is_private():
    """Privacy of the noisy centre."""
    return private(noisy(centre_of_v()), noisy(centre_with_another()), epsilon)


@claim(
    "claim-c.8.taken",
    place="Claim C.8, for a record of V that is taken away",
    given=[n_2 < kept],
    using=[
        "note-c.8-move-taken",
        "note-c.8-size-sign",
        (
            "privacy:laplace-mechanism",
            lambda: noise_of_line_13(centre_of_v(), kept_products / kept_squares),
        ),
    ],
)
def noisy_centre_is_private_without_the_record():
    """Privacy of the noisy centre where one of the neighbours lacks a record."""
    return private(noisy(centre_of_v()), noisy(kept_products / kept_squares), epsilon)


@claim("claim-c.8.noise", place="Claim C.8, by the Laplace mechanism; line 13 has this scale")
def loss_of_the_centre():
    """Privacy loss of the noisy centre."""
    return Le(noise_loss(noise, third_change, sensitivity / epsilon), epsilon)


def numerator_of_the_change():
    """Numerator of the change of the centre, second line of the display of claim C.8."""
    return (
        kept_products * x_kept_hat**2
        + x_kept * y_kept * x_kept_hat**2
        + x_kept * y_kept * kept_squares
        - kept_products * x_kept**2
        - x_kept_hat * y_kept_hat * x_kept**2
        - x_kept_hat * y_kept_hat * kept_squares
    )


def largest_numerator():
    """Return the upper bound on the numerator of the change of the centre."""
    return kept_products * x_h**2 + largest_ratio * x_h**2 * kept_squares + largest_ratio * x_h**4


@claim("text-c.8-fraction", place="proof of claim C.8, second line of the display")
def change_of_the_centre_as_a_fraction():
    """Change of the centre as one fraction, and its denominator."""
    return [
        Eq(
            move_of_the_centre(),
            numerator_of_the_change()
            / ((kept_squares + x_kept**2) * (kept_squares + x_kept_hat**2)),
        ),
        Ge(
            (kept_squares + x_kept**2) * (kept_squares + x_kept_hat**2),
            (kept_squares + x_l**2) * kept_squares,
        ),
    ]


@claim(
    "text-c.8-numerator",
    place="proof of claim C.8, first inequality of the display",
    proof=lambda: [
        step("common records", Le(kept_products * x_kept_hat**2, kept_products * x_h**2)),
        step("products", Le(x_kept * y_kept * kept_squares, largest_ratio * x_h**2 * kept_squares)),
        step("cross terms", Le(x_kept * y_kept * x_kept_hat**2, largest_ratio * x_h**4)),
        step("common records", Le(kept_products * x_kept**2, kept_products * x_h**2)),
        step(
            "products",
            Le(x_kept_hat * y_kept_hat * kept_squares, largest_ratio * x_h**2 * kept_squares),
        ),
        step("cross terms", Le(x_kept_hat * y_kept_hat * x_kept**2, largest_ratio * x_h**4)),
    ],
)
def numerator_of_the_change_is_bounded():
    """Numerator of the change of the centre, bounded."""
    return [
        Le(numerator_of_the_change(), largest_numerator()),
        Ge(numerator_of_the_change(), -largest_numerator()),
    ]


@claim("text-c.8-sums", place="proof of claim C.8, second and third inequality of the display")
def limit_of_the_centre_by_sums():
    """Limit of the change of the centre, by the sums over V and by its size."""
    return [
        Le(largest_numerator() / ((kept_squares + x_l**2) * kept_squares), limit_by_sums()),
        Le(limit_by_sums(), limit_by_size(kept)),
    ]


@claim(
    "text-c.8-split",
    place="proof of claim C.8, third line of the display",
    fault="misprint",
    effect="The next line has the square, and claim C.8 with it.",
)
def limit_in_two_parts_as_printed():
    """Limit of the change of the centre in two parts, as printed."""
    return Eq(
        limit_by_sums(),
        largest_ratio
        * (2 * x_h**2 / (kept_squares + x_l) + x_h**4 / ((kept_squares + x_l**2) * kept_squares)),
    )


@claim(
    "text-c.8-split-corrected",
    place="proof of claim C.8, third line of the display, repaired",
    corrects=["text-c.8-split"],
    why="The first denominator has x_l for x_l**2.",
)
def limit_in_two_parts():
    """Limit of the change of the centre in two parts, repaired."""
    return Eq(
        limit_by_sums(),
        largest_ratio
        * (
            2 * x_h**2 / (kept_squares + x_l**2) + x_h**4 / ((kept_squares + x_l**2) * kept_squares)
        ),
    )


def outputs_of_lines_6_and_8():
    """Lines 6 to 9: the noisy counts, and a largest ratio that some rho_1 in (1, 3/2) gives."""
    first = n_1 - margin + noise
    return [
        rare_miss,
        x_l < x_h,
        n_1 >= kept,
        first > 1,
        largest_ratio > first,
        largest_ratio < first ** Rational(3, 2),
        Eq(n_2, kept - margin + second_noise),
        n_2 < kept,
    ]


@claim(
    "text-c.9-chain",
    place="proof of claim C.9, inequality **, by claims C.6 and C.8 at each output; one record is "
    "taken away",
    given=outputs_of_lines_6_and_8,
    cites=["claim-c.6", "claim-c.8"],
    fault="misprint",
    effect="Claim C.9 says 3 epsilon, and so does the sum in claim 4.1.",
    try_at=[
        {
            **{
                x_l: 1,
                x_h: Rational(101, 100),
                n_1: 100,
                kept: 100,
                kept_squares: 99,
                kept_products: 0,
            },
            **{x_kept: 1, y_kept: 150, largest_ratio: 150, delta: Rational(1, 15)},
            **{epsilon: 1, noise: 1, second_noise: 1, third_noise: 2},
            **{change: 1, second_change: 1},
        }
    ],
)
def sum_of_the_losses_as_printed():
    """Privacy loss in the chain of claim C.9, as printed."""
    scale = limit_by_size(n_2) / epsilon
    return Le(
        loss_of_counts() + noise_loss(third_noise, centre_less_the_record(), scale), 2 * epsilon
    )


@claim(
    "text-c.9-chain-corrected",
    place="proof of claim C.9, inequality **, repaired; by claim C.8 for any change that it allows",
    corrects=["text-c.9-chain"],
    why="Claim C.6 gives 2 epsilon and claim C.8 gives one more; the print leaves the latter out.",
    using=["claim-c.6", ("claim-c.8.noise", lambda: {noise: third_noise})],
    without={"claim-c.8": "the change of the centre stands among the conditions"},
)
def sum_of_the_losses():
    """Privacy loss in the chain of claim C.9, repaired."""
    scale = sensitivity / epsilon
    return Le(loss_of_counts() + noise_loss(third_noise, third_change, scale), 3 * epsilon)


@claim(
    "note-c.9-output",
    place="proof of claim C.9, inequality **, at an output of lines 6 to 13",
    given=lambda: [
        density_1 <= exp(2 * epsilon) * density_3,
        share * density_2 <= exp(epsilon) * (share * density_4),
    ],
    proof=lambda: [
        step("the losses", Eq(exp(3 * epsilon), exp(2 * epsilon) * exp(epsilon))),
        step(
            "of the counts",
            Le(
                density_1 * (share * density_2),
                exp(2 * epsilon) * density_3 * (share * density_2),
            ),
        ),
        step(
            "of the centre",
            Le(
                exp(2 * epsilon) * density_3 * (share * density_2),
                exp(2 * epsilon) * density_3 * (exp(epsilon) * (share * density_4)),
            ),
        ),
        step(
            "a part of the whole",
            share * (density_3 * density_4) <= density_3 * density_4,
        ),
        step("the rest", density_1 * (1 - share) * density_2 >= 0),
    ],
)
def excess_at_counts_and_centre():
    """Excess of the density of counts and centre, by the density where line 8 overestimates."""
    return Le(
        Max(density_1 * density_2 - exp(3 * epsilon) * (density_3 * density_4), 0),
        density_1 * (1 - share) * density_2,
    )


def excess_of_the_centre(first, second, here, there):
    """Integral over the noisy centre of the excess, at densities of the counts."""
    return over_support(
        lambda p, q: Max(first * p - exp(3 * epsilon) * (second * q), 0),
        (here, there),
        *(epsilon, first, second),
    )


@claim(
    "note-c.9-centre",
    place="proof of claim C.9, the integral over the noisy centre",
    given=lambda: [
        density_1 <= exp(2 * epsilon) * density_3,
        Every(
            argument, Le(share * P.density(argument), exp(epsilon) * (share * Q.density(argument)))
        ),
    ],
    using=[
        (
            "note-c.9-output",
            lambda: {density_2: P.density(argument), density_4: Q.density(argument)},
        )
    ],
)
def excess_at_the_counts():
    """Excess of the noisy centre at two noisy counts."""
    return Le(excess_of_the_centre(density_1, density_3, P, Q), density_1 * (1 - share))


COUNTS, COUNTS_THERE = AnyDistribution("P_1"), AnyDistribution("Q_1")
CENTRE, CENTRE_THERE = AnyDistribution("P_2", first_output), AnyDistribution("Q_2", first_output)
LINES_6_13, LINES_6_13_THERE = (
    Then(COUNTS, first_output, CENTRE),
    Then(COUNTS_THERE, first_output, CENTRE_THERE),
)
NO_OVERESTIMATE = AnyEvent("G")


def counts_and_centre():
    """State claims C.6, C.8 and C.7 for the two noisy counts and the noisy centre."""
    good = NO_OVERESTIMATE.indicator(first_output)
    loss = Le(
        good * CENTRE.density(argument), exp(epsilon) * (good * CENTRE_THERE.density(argument))
    )
    overestimated = over_support(
        lambda p: p * 1, (COUNTS,), weighed=lambda r: 1 - NO_OVERESTIMATE.indicator(r)
    )
    return [
        Every(
            first_output,
            Le(COUNTS.density(first_output), exp(2 * epsilon) * COUNTS_THERE.density(first_output)),
        ),
        Every(first_output, Every(argument, loss)),
        Le(overestimated, delta),
        Ge(hockey_stick(LINES_6_13, LINES_6_13_THERE, 3 * epsilon), 0),
    ]


@claim(
    "claim-c.9",
    scope="from what claims C.6 to C.8 say of the losses, which stands among the conditions, whatever the distributions "
    "of the lines are",
    place="Claim C.9, for a dataset and its neighbour: the two noisy counts are told by a number, and G is where "
    "line 8 is no overestimate",
    given=counts_and_centre,
    using=[
        (
            "note-c.9-centre",
            lambda: {
                density_1: COUNTS.density(first_output),
                density_3: COUNTS_THERE.density(first_output),
                share: NO_OVERESTIMATE.indicator(first_output),
                **distribution_for(P, CENTRE),
                **distribution_for(Q, CENTRE_THERE),
            },
        )
    ],
    cites=["claim-c.6", "claim-c.7", "claim-c.8"],
)
def counts_and_centre_are_private():
    """Privacy of lines 6 to 13."""
    return Le(hockey_stick(LINES_6_13, LINES_6_13_THERE, 3 * epsilon), delta)
