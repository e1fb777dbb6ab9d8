"""Appendix C: how private the size of W and the draw from it are, claims C.10 to C.12."""

from sympy import Eq, Ge, Gt, Le, Rational, erfc, exp, log, oo, sqrt

from dpbook import claim, step
from dpbook.langevin.claims.appendix_b import radius_need
from dpbook.langevin.claims.appendix_c_taken import WITHOUT
from dpbook.langevin.claims.appendix_d_sizes import loss_of_the_draw
from dpbook.langevin.claims.section_3 import two_normals_by_variances
from dpbook.langevin.claims.section_4 import ON_D, ON_THE_NEIGHBOUR
from dpbook.langevin.notation import (
    alpha,
    at_a_large_loss,
    beta,
    c,
    change,
    chosen,
    chosen_hat,
    delta,
    entries,
    entries_as_printed,
    entries_with_the_square,
    epsilon,
    gamma_1,
    least,
    level,
    many_records,
    margin,
    mean_taken,
    mu,
    mu_1,
    mu_2,
    mu_hat,
    n,
    n_2,
    noise,
    noise_between,
    noise_loss,
    nu,
    nu_of_loss,
    null_in,
    other_level,
    positive_responses,
    product_weight,
    q,
    rare_miss,
    rho_2,
    square_weight,
    strong_data,
    variance,
    variance_1,
    variance_2,
    variance_hat,
    variance_taken,
    x_h,
    x_l,
    x_n,
    x_n_hat,
    y_n,
    y_n_hat,
    z,
)
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent, OrNull, distribution_for
from dpbook.privacy.claims.general_threshold import below
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import (
    density_1,
    density_2,
    first_delta,
    multiple,
    other_epsilon,
    other_multiple,
    scale,
    share,
    weight,
)
from dpbook.privacy.notation import epsilon as any_loss
from dpbook.privacy.statements import private, probability

# --- lines 14 to 19 -------------------------------------------------------------------------------


def passed(size):
    """Probability that line 16 is passed, where W has so many records: n_W is n_min at least."""
    return 1 - noise_between(-oo, least - (size - margin))


def output_of(size, drawn):
    """Return the distribution of the output of lines 14 to 19, from the size of W and the draw."""
    return OrNull(passed(size), drawn)


EVENT = AnyEvent("A")
HERE, THERE = AnyDistribution("P"), AnyDistribution("Q")
"""Distributions of line 19 on D and on its neighbour, for all n_2 and noisy centres."""


def one_record():
    """State that W has at most one record more, or less, than on the neighbour."""
    return [chosen - chosen_hat <= 1, chosen_hat - chosen <= 1]


def noise_below(at_most):
    """Distribution function of the noise of a count, written out."""
    return below(at_most).xreplace({scale: 1 / epsilon})


@claim(
    "note-noise-below",
    place="Laplace noise of scale 1 / epsilon",
    using=[("privacy:laplace-below", lambda: {multiple: level, scale: 1 / epsilon})],
)
def noise_below_a_level():
    """Distribution function of the noise of a count."""
    return Eq(noise_between(-oo, level), noise_below(level))


@claim(
    "note-noise-below-apart",
    place="Laplace noise of scale 1 / epsilon; that above a level is privacy:laplace-above-ratio",
    given=lambda: [level <= other_level + 1],
    proof=lambda: [
        step("the lower level", exp(level * epsilon) <= exp(epsilon) * exp(other_level * epsilon)),
        step("the loss", exp(epsilon) >= 1),
        step("the other way", exp(-other_level * epsilon) <= exp(epsilon) * exp(-level * epsilon)),
    ],
)
def noise_below_levels_that_are_near():
    """Probability of noise of a count below a level, by the probability below a lower level."""
    return Le(noise_below(level), exp(epsilon) * noise_below(other_level))


def levels():
    """Return the least noise that passes line 16, on D and on its neighbour."""
    return {
        level: least - (chosen - margin),
        other_level: least - (chosen_hat - margin),
    }


@claim(
    "note-passed",
    place="line 16",
    using=[("note-noise-below", lambda: {level: levels()[level]})],
)
def range_of_the_chance_of_line_16():
    """Probability that line 16 is passed, as one."""
    return [Ge(passed(chosen), 0), Le(passed(chosen), 1)]


BOTH_CHANCES = ["note-passed", ("note-passed", lambda: {chosen: chosen_hat})]


@claim(
    "note-passed-apart",
    place="line 16 on two neighbours, by claim C.12",
    given=one_record,
    using=[
        ("note-noise-below", lambda: {level: levels()[level]}),
        ("note-noise-below", lambda: {level: levels()[other_level]}),
        ("note-noise-below-apart", levels),
        (
            "privacy:laplace-above-ratio",
            lambda: {
                multiple: levels()[level],
                other_multiple: levels()[other_level],
                scale: 1 / epsilon,
                any_loss: epsilon,
            },
        ),
    ],
)
def chances_of_line_16():
    """Probability that line 16 is passed or not, by its probability on a neighbour."""
    here, there = passed(chosen), passed(chosen_hat)
    return [Le(here, exp(epsilon) * there), Le(1 - here, exp(epsilon) * (1 - there))]


@claim(
    "note-rarely-passed",
    place="eq. 35, repaired: where W is small",
    given=lambda: [rare_miss, chosen <= least],
    using=[("note-noise-below", lambda: {level: levels()[level]})],
)
def line_16_is_rarely_passed():
    """Probability that line 16 is passed where W is small."""
    return Le(passed(chosen), delta)


def lines_14_to_19():
    """Return the distributions of the output of lines 14 to 19, on D and on its neighbour."""
    return output_of(chosen, HERE), output_of(chosen_hat, THERE)


def of_a_test():
    """Return the substitution for the chances of a test that decides whether to draw."""
    chances = {share: passed(chosen), weight: passed(chosen_hat)}
    return {**chances, any_loss: epsilon, first_delta: delta}


def chances_together(test, drawn):
    """Return the probability of an event, from the probabilities of the test and of the draw."""
    return test * drawn + (1 - test) * null_in


def two_inequalities(here, there):
    """The two inequalities of eq. 34, for the probabilities of the test and of the draw on each side."""
    between = exp(epsilon) * ((1 - there[0]) * null_in) + delta
    return [
        Le(chances_together(*here), between),
        Le(between, exp(epsilon) * chances_together(*there) + delta),
    ]


@claim(
    "note-test-event",
    place="eq. 34, in numbers",
    given=lambda: [
        share <= delta,
        1 - share <= exp(epsilon) * (1 - weight),
        density_1 <= 1,
    ],
)
def event_where_a_test_fails():
    """Probability of an event where a test rarely passes, step by step."""
    return two_inequalities((share, density_1), (weight, density_2))


def probabilities():
    """Return the substitution for the probabilities of the test and of the draw."""
    draws = {density_1: probability(HERE, EVENT), density_2: probability(THERE, EVENT)}
    return {share: passed(chosen), weight: passed(chosen_hat), **draws}


@claim("note-event", place="eq. 34: a probability, whatever line 19 draws from")
def probability_of_an_event_of_the_draw():
    """Probability of an event of the draw."""
    return [Le(probability(HERE, EVENT), 1), Ge(probability(HERE, EVENT), 0)]


@claim(
    "eq-34",
    place="eq. 34, for each event, whatever line 19 draws from; the stray d is read as n_min",
    given=lambda: [rare_miss, chosen <= least, *one_record()],
    using=[
        *BOTH_CHANCES,
        "note-rarely-passed",
        "note-passed-apart",
        "note-event",
        ("note-event", lambda: distribution_for(HERE, THERE)),
        ("note-test-event", probabilities),
    ],
    without={"eq-35": "its repair is note-rarely-passed"},
)
def outcome_of_a_small_w():
    """Probability of an event of lines 14 to 19 where W is small, step by step."""
    draws = [probability(distribution, EVENT) for distribution in (HERE, THERE)]
    return two_inequalities((passed(chosen), draws[0]), (passed(chosen_hat), draws[1]))


@claim(
    "claim-c.10",
    place="Claim C.10, whatever line 19 draws from",
    given=lambda: [rare_miss, chosen <= least, *one_record()],
    using=[
        *BOTH_CHANCES,
        "note-rarely-passed",
        "note-passed-apart",
        ("privacy:null-where-a-test-fails", of_a_test),
    ],
    without={
        "eq-34": "it is about one event, and the distributions are compared here",
        "eq-35": "its repair is note-rarely-passed",
    },
)
def small_w_is_private():
    """Privacy of lines 14 to 19 where W is small."""
    return Le(hockey_stick(*lines_14_to_19(), epsilon), delta)


@claim(
    "eq-35",
    place="eq. 35, its first equality: null is returned where the noisy size is below n_min",
    given=[rare_miss, chosen < least],
    fault="misprint",
    effect="None: the next line has the right bound, and claim C.10 rests on it.",
)
def probability_of_null_as_printed():
    """Probability of null where W is small, as printed."""
    return Eq(
        noise_between(-oo, least - chosen + margin),
        noise_between(-oo, least + margin - chosen + margin),
    )


@claim(
    "eq-35-corrected",
    place="eq. 35, repaired",
    corrects=["eq-35"],
    why="The margin is in the noisy size already; the print adds it to n_min once more.",
    given=[rare_miss, chosen < least],
)
def probability_of_null():
    """Probability of null where W is small, repaired."""
    return [
        Ge(noise_between(-oo, least - chosen + margin), noise_between(-oo, margin)),
        Ge(noise_between(-oo, margin), 1 - delta),
    ]


@claim(
    "claim-c.12",
    place="Claim C.12, at every output, told by the noise u_1 that gives it, for a size of W that differs by h_1 on the neighbour, from -1 "
    "to 1; lines 14 to 18 release no other number",
)
def loss_of_the_size():
    """Privacy loss of the noisy size of W."""
    return Le(noise_loss(noise, change, 1 / epsilon), epsilon)


@claim(
    "eq-36",
    place="eq. 36",
    given=lambda: [rho_2 < gamma_1, n >= n_2 ** (rho_2 / gamma_1)],
)
def radius_of_a_large_w():
    """Radius of the ratios in W, against the radius of eq. 5."""
    return [Gt(n ** Rational(1, 2), n**gamma_1), Ge(n**gamma_1, n_2**rho_2)]


# --- line 19, and lines 14 to 19 together ---------------------------------------------------------


def above_the_level(last):
    """Probability that a posterior draw exceeds the level, all ratios y / x being the centre.

    `last` is the covariate of the last record, and z the sum of x**2 over the others.
    """
    mean = beta * (c * z + last * (c * last)) / (alpha + (z + last**2) * beta)
    sd = sqrt(1 / (alpha + (z + last**2) * beta))
    return erfc((level - mean) / (sd * sqrt(2))) / 2


def large_by_print(size, centre):
    """Two neighbours of one ratio, of which W keeps all, and as many as eq. 26 asks.

    They are as many as it asks as printed, and as it asks with the square of S that it lacks.
    """
    return [
        strong_data,
        rare_miss,
        rho_2 < gamma_1,
        *(size >= entry for entry in entries_as_printed(centre, n)),
        *(size >= entry for entry in entries_with_the_square(centre)),
    ]


ONE_LEVEL = (
    "two neighbours of one ratio, the centre, and draws above a level; n is what eq. 26 asks, as printed and with the "
    "square of S = x_h**2 alpha + x_h**4 beta"
)
FROM_CLAIM_D_29 = (
    "It fails even where eq. 26 has the square of S that it lacks (then each condition of claim D.29, "
    "as printed, is met, and that claim fails), and it holds with the repaired eq. 26. The failures found "
    "with the square have a loss of 3 * 10**5 or more and a centre above n**(3/2), which algorithm 1 reaches only where the noise of "
    "line 6 or line 13 is huge; the statement is for any given n_2 and centre. So they are no failures of claim 4.1."
)


@claim(
    "claim-c.11",
    place=f"Claim C.11, for {ONE_LEVEL}",
    given=lambda: large_by_print(n, c),
    cites=["eq-26", "claim-d.29", "eq-36"],
    fault="consequence",
    effect=FROM_CLAIM_D_29,
    try_at=[at_a_large_loss(300000, 33000, 3 * 10**9)],
)
def draw_from_a_large_w_as_printed():
    """Probability of draws above a level where W is large, as printed."""
    return Le(above_the_level(x_n), exp(epsilon) * above_the_level(x_n_hat) + delta)


def far_above_the_least():
    """Half of the records would be enough for line 16, so it is passed but for noise below -n / 2."""
    return [n > 4 * margin, *large_by_print(n / 2 - margin, c)]


def outcome_above_the_level():
    """State the corollaries for a draw above the level, at the least chance to pass line 16."""
    return Le(
        noise_between(-n / 2, oo) * above_the_level(x_n),
        exp(2 * epsilon) * above_the_level(x_n_hat) + delta,
    )


@claim(
    "corollary-c.2",
    place=f"Corollary C.2, for {ONE_LEVEL}; half of n, less tau, is enough for line 16, so it is passed at least "
    "where its noise is above -n / 2",
    given=far_above_the_least,
    cites=["eq-26", "claim-c.11", "claim-c.12"],
    fault="consequence",
    effect=FROM_CLAIM_D_29,
    try_at=[at_a_large_loss(10**7, 66000, 10**11)],
)
def outcome_of_a_large_w_as_printed():
    """Probability of an event of lines 14 to 19 where W is large, as printed."""
    return outcome_above_the_level()


@claim(
    "corollary-c.3",
    place=f"Corollary C.3, for {ONE_LEVEL}; half of n, less tau, is enough for line 16, so it is passed at least "
    "where its noise is above -n / 2",
    given=far_above_the_least,
    cites=["eq-26", "claim-c.10", "corollary-c.2"],
    fault="consequence",
    effect=FROM_CLAIM_D_29,
    try_at=[at_a_large_loss(10**7, 66000, 10**11)],
)
def outcome_of_any_w_as_printed():
    """Probability of an event of lines 14 to 19, as printed."""
    return outcome_above_the_level()


def variance_terms():
    """First two terms of the repaired bound of lemma 4.2."""
    return x_h**2 / (2 * (n - 1) * x_l**2) + x_h**2 / (2 * ((n - 1) * x_l**2 - (nu - 1) * x_h**2))


def radius_term():
    """Third term of the bound of lemma 4.2."""
    return 2 * nu * beta * (x_h**4 / (Rational(9, 10) * n ** (1 - 2 * gamma_1) * x_l**2))


def centre_term():
    """Fourth term of the bound of lemma 4.2."""
    weight = (
        x_h**2 * beta * (x_h**2 * alpha + x_h**4 * beta) / (Rational(9, 10) * (x_l**2 * beta) ** 2)
    )
    return 2 * nu * beta * weight * ((c + n**gamma_1) / n ** (2 - gamma_1))


def square_term():
    """Last term of the bound of lemma 4.2."""
    weight = (x_h**2 * alpha + x_h**4 * beta) ** 2 / (Rational(9, 10) * x_l**6 * beta)
    return nu / 2 * weight * ((c + n**gamma_1) ** 2 / n**3)


def of_order(expression):
    """Replace the order in eq. 26 by the order of the divergence, in an expression written out."""
    meant = getattr(expression, "definition", None)
    return (meant() if meant else expression).xreplace({nu_of_loss: nu})


@claim(
    "note-c.11-variance",
    place="claim C.11, first two terms of lemma 4.2, repaired",
    given=lambda: [*many_records, (nu - 1) * epsilon >= 1],
)
def share_of_the_variances():
    """Terms of lemma 4.2 that the variances give, against an eighth of epsilon."""
    return Le(variance_terms(), epsilon / 8)


@claim(
    "note-c.11-radius",
    place="claim C.11, third term of lemma 4.2",
    given=lambda: [n ** (1 - 2 * gamma_1) >= of_order(radius_need())],
)
def share_of_the_radius():
    """Term of lemma 4.2 that the radius gives, against an eighth of epsilon."""
    return Le(radius_term(), epsilon / 8)


@claim(
    "note-c.11-centre",
    place="claim C.11, fourth term of lemma 4.2",
    given=lambda: [n ** (2 - gamma_1) >= of_order(product_weight) / 2 * (c + n**gamma_1)],
)
def share_of_the_centre():
    """Term of lemma 4.2 that radius and centre give, against an eighth of epsilon."""
    return Le(centre_term(), epsilon / 8)


@claim(
    "note-c.11-square",
    place="claim C.11, last term of lemma 4.2",
    given=lambda: [n**3 >= of_order(square_weight) / 4 * (c + n**gamma_1) ** 2],
)
def share_of_the_square():
    """Last term of lemma 4.2, against an eighth of epsilon."""
    return Le(square_term(), epsilon / 8)


def records_of_order():
    """The conditions of claim D.29 on the number of records, for any order of the divergence."""
    return [
        *many_records,
        (nu - 1) * epsilon >= 1,
        n ** (1 - 2 * gamma_1) >= of_order(radius_need()),
        n ** (2 - gamma_1) >= of_order(product_weight) / 2 * (c + n**gamma_1),
        n**3 >= of_order(square_weight) / 4 * (c + n**gamma_1) ** 2,
    ]


def loss_of_a_draw():
    """Repaired bound of lemma 4.2, term by term."""
    return variance_terms() + radius_term() + centre_term() + square_term()


@claim(
    "note-c.11-half",
    place="claim C.11, lemma 4.2, repaired",
    given=records_of_order,
    using=["note-c.11-variance", "note-c.11-radius", "note-c.11-centre", "note-c.11-square"],
)
def half_of_epsilon():
    """Bound of lemma 4.2 against half of epsilon."""
    return Le(loss_of_a_draw(), epsilon / 2)


@claim("note-c.11-order", place="eq. 26, first line", given=[rare_miss])
def order_that_leaves_half():
    """Order of the divergence in eq. 26."""
    return [
        Ge((nu_of_loss - 1) * epsilon, 1),
        Eq(log(1 / delta) / (nu_of_loss - 1), epsilon / 2),
    ]


@claim(
    "note-c.11-bound",
    place="Claim C.11, repaired: the bound of lemma 4.3 for W",
    given=lambda: [rare_miss, *large_w()],
    using=[
        "note-26-radius",
        "note-26-centre",
        "note-26-squares",
        "note-c.11-order",
        ("note-c.11-half", lambda: {nu: nu_of_loss}),
    ],
)
def bound_for_a_large_w():
    """Bound of lemma 4.3 for a draw from a large W."""
    return Le(loss_of_the_draw(), epsilon)


def large_w():
    """State that W has more records than eq. 26 asks for, repaired."""
    first, *others = entries(c, n_2)
    return [n > first, *(n >= entry for entry in others[:5])]


POSITIVE_CENTRE = (
    "the noisy centre is positive, as eq. 5 and eq. 26 ask; algorithm 1 does not ensure that "
    "(note-4.3-negative-centre)"
)


@claim(
    "claim-c.11-corrected",
    place="Claim C.11, repaired, for W and a neighbour in which a record is replaced, taken away or "
    f"added; W is in the domain of eq. 5, and {POSITIVE_CENTRE}",
    corrects=["claim-c.11"],
    why="With the repaired eq. 26 each term of lemma 4.2 takes at most an eighth of epsilon, and "
    "lemma 3.1 the other half.",
    given=lambda: [rare_miss, *large_w(), *positive_responses],
    using=["note-c.11-bound", "note-private-draw", "note-taken-private"],
    without={
        "claim-d.29": "its repair has other entries; both rest on note-private-draw",
        "eq-36": "the ratios of W are within the radius of eq. 5 here",
    },
    time_limit=2,
)
def draw_from_a_large_w():
    """Privacy of a draw from a large W."""
    return [private(ON_D, other, epsilon, delta) for other in (ON_THE_NEIGHBOUR, WITHOUT)]


@claim(
    "note-lines-14-19",
    place="Corollary C.2, whatever line 19 draws from, if it is private",
    given=lambda: [*one_record(), Le(hockey_stick(HERE, THERE, epsilon), delta)],
    using=[
        *BOTH_CHANCES,
        "note-passed-apart",
        (
            "privacy:draw-where-a-test-passes",
            lambda: {**of_a_test(), other_epsilon: epsilon, multiple: 2 * epsilon},
        ),
    ],
)
def lines_14_to_19_where_the_draw_is_private():
    """Privacy of lines 14 to 19 where the draw is private."""
    return Le(hockey_stick(*lines_14_to_19(), 2 * epsilon), delta)


@claim(
    "note-lines-14-19-normal",
    place="Corollary C.2, where line 19 draws from a normal distribution",
    given=lambda: [
        *one_record(),
        Le(hockey_stick(*two_normals_by_variances(), epsilon), delta),
    ],
    using=[("note-lines-14-19", lambda: for_both(two_normals_by_variances()))],
    try_at=[
        {
            **{delta: Rational(1, 3), epsilon: 1, least: 1, chosen: 1, chosen_hat: 1},
            **{mu_1: 0, mu_2: 0, variance_1: 1, variance_2: 1},
        }
    ],
)
def lines_14_to_19_with_normal_draws():
    """Privacy of lines 14 to 19 where normal draws are private."""
    here, there = two_normals_by_variances()
    return Le(
        hockey_stick(output_of(chosen, here), output_of(chosen_hat, there), 2 * epsilon), delta
    )


def for_both(distributions):
    """Put distributions in for those that line 19 draws from, on D and on its neighbour."""
    return distribution_for(HERE, distributions[0]) | distribution_for(THERE, distributions[1])


@claim("note-positive-variances", place="Lemma 4.1, for W and its neighbours")
def variances_are_positive():
    """Posterior variances on two neighbours, and where the last record is taken away."""
    return [Gt(variance, 0), Gt(variance_hat, 0), Gt(variance_taken, 0)]


W_HERE = (n, mu, variance)
NEIGHBOURS = ((n, mu_hat, variance_hat), (-1 + n, mean_taken, variance_taken))
"""Sizes of W and of its neighbours, where a record is replaced or taken away, and their posteriors."""


def put_in(here, there):
    """Put in W and its neighbour, by size and posterior."""
    return {
        **dict(zip((chosen, mu_1, variance_1), here, strict=True)),
        **dict(zip((chosen_hat, mu_2, variance_2), there, strict=True)),
    }


def lines_are_private():
    """State that lines 14 to 19 are private, for W and its neighbours."""
    here = output_of(n, ON_D)
    others = output_of(n, ON_THE_NEIGHBOUR), output_of(-1 + n, WITHOUT)
    return [private(here, other, 2 * epsilon, delta) for other in others]


@claim(
    "corollary-c.2-corrected",
    place="Corollary C.2, repaired, for W and a neighbour in which a record is replaced, taken away "
    f"or added; {POSITIVE_CENTRE}",
    corrects=["corollary-c.2"],
    why="It rests on claim C.11, so the least size has to be the repaired one.",
    given=lambda: [rare_miss, *large_w(), *positive_responses],
    using=[
        "claim-c.11-corrected",
        "note-positive-variances",
        *(
            ("note-lines-14-19-normal", lambda pair=pair: put_in(*pair))
            for other in NEIGHBOURS
            for pair in ((W_HERE, other), (other, W_HERE))
        ),
    ],
    without={"claim-c.12": "note-passed-apart is the same, for the output of line 16"},
    time_limit=2,
)
def outcome_of_a_large_w():
    """Privacy of lines 14 to 19 where W is large, repaired."""
    return lines_are_private()


@claim(
    "note-lines-14-19-small",
    place="Corollary C.3 where W is small, whatever line 19 draws from",
    given=lambda: [rare_miss, chosen <= least, *one_record()],
    using=[
        *BOTH_CHANCES,
        "note-rarely-passed",
        "note-passed-apart",
        ("privacy:null-where-a-test-fails", lambda: {**of_a_test(), any_loss: 2 * epsilon}),
    ],
    proof=lambda: [
        step(
            "a larger loss",
            Le(
                exp(epsilon) * (1 - passed(chosen_hat)), exp(2 * epsilon) * (1 - passed(chosen_hat))
            ),
        ),
        step("null", Le(1 - passed(chosen), exp(2 * epsilon) * (1 - passed(chosen_hat)))),
    ],
)
def lines_14_to_19_where_w_is_small():
    """Privacy of lines 14 to 19 where W is small, at the loss of corollary C.3."""
    return Le(hockey_stick(*lines_14_to_19(), 2 * epsilon), delta)


def the_least_size():
    """State that n_min is no smaller than any entry of eq. 26, repaired."""
    return [least >= entry for entry in entries(c, n_2)]


@claim(
    "corollary-c.3-corrected",
    place="Corollary C.3, repaired: for W of n_min records at most, whatever line 19 draws from, to "
    f"its neighbour; and both ways for W of more, as in corollary C.2; {POSITIVE_CENTRE}",
    corrects=["corollary-c.3"],
    why="It rests on claim C.11, so the least size has to be the repaired one. Claim C.10 is for "
    "sizes up to n_min, claim C.11 for those above; so no size is left out.",
    given=lambda: [
        rare_miss,
        *the_least_size(),
        *(chosen <= least, *one_record()),
        *(n > least, *positive_responses),
    ],
    using=["note-lines-14-19-small", "corollary-c.2-corrected"],
    without={"claim-c.10": "note-lines-14-19-small is the same, at a loss of 2 epsilon"},
    time_limit=2,
    try_at=[
        {
            **{alpha: 1, beta: 1, c: 1, delta: Rational(1, 3), epsilon: 100, n_2: 2},
            **{gamma_1: Rational(1, 4), rho_2: Rational(1, 8), x_h: 1, x_l: 1},
            **{n: 30, least: 20, chosen: 10, chosen_hat: 10, z: 29, q: 29},
            **{x_n: 1, y_n: 1, x_n_hat: 1, y_n_hat: 1},
        }
    ],
)
def outcome_of_any_w():
    """Privacy of lines 14 to 19, repaired."""
    small = Le(hockey_stick(*lines_14_to_19(), 2 * epsilon), delta)
    return [small, *lines_are_private()]
