"""Noisy answers and a noisy threshold: which answer is the first above it, however many lie below.

The noise of the answers below is held; a shift of the noise of the threshold carries events on
one dataset to events on its neighbour. The rest of the loss is for the answer above.
"""

from sympy import Abs, Add, Eq, Ge, Integral, Lambda, Le, Lt, Piecewise, Symbol, exp, oo

from dpbook import Every, Relation, claim, step
from dpbook.privacy.claims.general_selection import (
    ANY,
    both_ways,
    by_points,
    f,
    g,
    near,
    product,
    put_in,
    whole,
)
from dpbook.privacy.claims.sources import DWORK_ROTH, LYU_SU_LI
from dpbook.privacy.distributions import Laplace
from dpbook.privacy.notation import (
    at,
    epsilon,
    first_outcome,
    last_outcome,
    mean_distance,
    more,
    mu_1,
    mu_2,
    multiple,
    other_multiple,
    outcome,
    scale,
)
from dpbook.privacy.selection import AboveThreshold
from dpbook.privacy.statements import private

t, v = (Symbol(name, real=True) for name in "tv")
# with any noise of the answers, and with the noise of the mechanism
FIRST, SECOND = (AboveThreshold(one, mu_1, scale, last_outcome, ANY) for one in (f, g))
NOISY, OTHER = (AboveThreshold(one, mu_1, scale, last_outcome) for one in (f, g))
NOISE = NOISY.noise


def wide():
    """State that the threshold's noise is wide enough for a shift by the distance of two answers."""
    return Relation(2 * mean_distance, "<=", epsilon * scale)


# --- no answer above ---------------------------------------------------------------------------------


def none(distribution, number=first_outcome):
    """Return the probability that none of some answers lies above the threshold."""
    return whole(lambda x: distribution.under(number, x))


def bar(level):
    """Return the density of the noisy threshold."""
    return Laplace(mu_1, scale).density(level)


def shifted_bar():
    """Return the values for the lemma about Laplace noise: the threshold, and the place to move it to."""
    return {mu_2: mu_1 - mean_distance, epsilon: epsilon / 2, at: at}


@claim(
    "none-above-moved",
    source=LYU_SU_LI,
    place="Theorem 2, proof: the threshold is shifted, for the answers below it",
    given=lambda: [near(), wide()],
    using=[
        ("laplace-ratio", shifted_bar),
        ("below-moved", lambda: {more: first_outcome, outcome: 0}),
        (
            "composition-pure",
            lambda: product(
                (bar(at), FIRST.below(first_outcome, 0, at)),
                (
                    bar(at + mean_distance),
                    SECOND.below(first_outcome, 0, at + mean_distance),
                ),
                loss=epsilon / 2,
            ),
        ),
    ],
)
def density_of_a_threshold_above_all():
    """Density of a noisy threshold above some answers, by the density on a neighbour, moved up."""
    return Le(
        FIRST.under(first_outcome, at),
        exp(epsilon / 2) * SECOND.under(first_outcome, at + mean_distance),
    )


@claim(
    "none-above-exists",
    source=LYU_SU_LI,
    place="Theorem 2, proof",
    using=[("laplace-total", lambda: {mu_1: mu_1})],
)
def probability_of_none_above():
    """Probability that none of the first noisy answers lies above a noisy threshold."""
    return Le(none(FIRST, multiple), 1)


@claim(
    "none-above-mass",
    source=LYU_SU_LI,
    place="Theorem 2, for the outcome that no answer is above the threshold",
    given=lambda: [near(), wide()],
    using=[
        ("none-above-exists", lambda: {multiple: first_outcome}),
        ("none-above-exists", lambda: {multiple: first_outcome, **put_in([(FIRST, SECOND)])}),
        ("none-above-moved", lambda: {at: at}),
        (
            "integral-below",
            lambda: by_points(
                lambda x: FIRST.under(first_outcome, x),
                lambda x: SECOND.under(first_outcome, x),
                exp(epsilon / 2),
            ),
        ),
    ],
)
def probability_that_none_is_above():
    """Probability that none of the first answers lies above the threshold, by the probability on a neighbour."""
    return Le(none(FIRST), exp(epsilon / 2) * none(SECOND))


# --- the answer above ---------------------------------------------------------------------------------


def below(level):
    """Return the probability that Laplace noise lies below a level."""
    negative = (exp(level / scale) / 2, Lt(level, 0))
    return Piecewise(negative, (1 - exp(-level / scale) / 2, True), evaluate=False)


@claim("laplace-below", source=DWORK_ROTH, place="Definition 3.2")
def distribution_function_of_a_laplace_distribution():
    """Distribution function of a Laplace distribution."""
    return Eq(Integral(Laplace(0, scale).density(v), (v, -oo, multiple)), below(multiple))


@claim(
    "laplace-above-ratio",
    source=DWORK_ROTH,
    place="Theorem 3.23, proof: the noise of the answer above is shifted",
    given=lambda: [other_multiple <= multiple + epsilon * scale],
    proof=lambda: [
        step(
            "the higher level",
            exp(other_multiple / scale) <= exp(epsilon) * exp(multiple / scale),
        ),
        step("the loss", exp(epsilon) >= 1),
        step(
            "the other way",
            exp(-multiple / scale) <= exp(epsilon) * exp(-other_multiple / scale),
        ),
    ],
)
def ratio_of_laplace_tails():
    """Probability that Laplace noise lies above a level, by the probability for a higher level."""
    return Le(1 - below(multiple), exp(epsilon) * (1 - below(other_multiple)))


def up_to(level):
    """Return the integral of the density of the noise of the answers, up to a level."""
    return Integral(Laplace(0, 2 * scale).density(v), (v, -oo, level))


def rests():
    """Return a level less an answer, and on the neighbour the level moved up less the answer there."""
    return at - multiple, at + mean_distance - other_multiple


@claim(
    "answer-above-ratio",
    source=DWORK_ROTH,
    place="Theorem 3.23, proof: the noise of the answer above is shifted",
    given=lambda: [Abs(multiple - other_multiple) <= mean_distance, wide()],
    using=[
        ("answers-apart-moved", lambda: {multiple: multiple, other_multiple: other_multiple}),
        *(("laplace-below", lambda i=i: {multiple: rests()[i], scale: 2 * scale}) for i in (0, 1)),
        (
            "laplace-above-ratio",
            lambda: {
                multiple: rests()[0],
                other_multiple: rests()[1],
                epsilon: epsilon / 2,
                scale: 2 * scale,
            },
        ),
    ],
    proof=lambda: [step("its distribution", Eq(up_to(rest), NOISE(rest))) for rest in rests()],
)
def one_answer_above_a_level():
    """Probability that a noisy answer lies above a level, by the probability on a neighbour above a higher level."""
    here, there = (1 - NOISE(rest) for rest in rests())
    return [Le(here, exp(epsilon / 2) * there), Ge(here, 0), Ge(there, 0)]


def as_noisy(pairs=((FIRST, NOISY), (SECOND, OTHER))):
    """Return the substitution of the noise of the answers, and of answers below a level, for any noise."""
    return {ANY: Lambda((t,), NOISE(t)), **put_in(pairs)}


@claim(
    "first-above-apart",
    source=DWORK_ROTH,
    place="Theorem 3.23, proof",
)
def answers_before_and_the_first_above():
    """Density of a noisy threshold below an answer and above the answers before: their noise is independent."""
    before, tail = FIRST.under(first_outcome, at), 1 - ANY(at - f(first_outcome))
    return [Eq(FIRST.above(first_outcome, at), before * tail), Ge(before, 0)]


def levels():
    """Return a distribution and a level, and on the neighbour the level that is moved up."""
    return [(NOISY, at), (OTHER, at + mean_distance)]


def factors(distribution, level):
    """The threshold above the answers before, and the answer above: each has half of the loss."""
    return distribution.under(first_outcome, level), 1 - NOISE(
        level - distribution.answers(first_outcome)
    )


@claim(
    "first-above-moved",
    source=DWORK_ROTH,
    place="Theorem 3.23, proof: the threshold is shifted, for the answers up to the first above it",
    given=lambda: [near(), wide()],
    using=[
        ("none-above-moved", lambda: {at: at, **as_noisy()}),
        (
            "answer-above-ratio",
            lambda: {at: at, multiple: f(first_outcome), other_multiple: g(first_outcome)},
        ),
        *(
            ("first-above-apart", lambda one=one: {at: one[1], **as_noisy([(FIRST, one[0])])})
            for one in levels()
        ),
        (
            "composition-pure",
            lambda: product(
                *(factors(*one) for one in levels()), loss=epsilon / 2, other_loss=epsilon / 2
            ),
        ),
    ],
)
def density_of_a_threshold_below_the_first():
    """Density of a noisy threshold below an answer and above the answers before, by the density on a neighbour."""
    here, there = (distribution.above(first_outcome, level) for distribution, level in levels())
    return Le(here, exp(epsilon) * there)


def first(distribution, number=first_outcome):
    """Return the probability that an answer is the first above the threshold."""
    return whole(lambda x: distribution.above(number, x))


@claim(
    "first-above-exists",
    source=DWORK_ROTH,
    place="Theorem 3.23, proof",
    using=[
        (
            "none-above-exists",
            lambda number=number: {multiple: number, **as_noisy([(FIRST, NOISY)])},
        )
        for number in (multiple, Add(multiple, 1, evaluate=False))
    ],
)
def probability_of_the_first_above():
    """Probability that an answer is the first above the threshold."""
    return Le(first(NOISY, multiple), 1)


def exist(number, answers):
    """Uses of the claims on probabilities, of the first above and of none above, on both datasets."""
    return [
        use
        for distribution in (NOISY, OTHER)
        for use in (
            (
                "first-above-exists",
                lambda distribution=distribution: {
                    multiple: number,
                    **put_in([(NOISY, distribution)]),
                },
            ),
            (
                "none-above-exists",
                lambda distribution=distribution: {
                    multiple: answers,
                    **as_noisy([(FIRST, distribution)]),
                },
            ),
        )
    ]


@claim(
    "above-threshold-mass",
    source=DWORK_ROTH,
    place="Theorem 3.23, proof",
    given=lambda: [near(), wide(), first_outcome <= last_outcome],
    using=[
        *exist(first_outcome, last_outcome),
        ("first-above-moved", lambda: {at: at}),
        (
            "integral-below",
            lambda: by_points(
                lambda x: NOISY.above(first_outcome, x),
                lambda x: OTHER.above(first_outcome, x),
                exp(epsilon),
            ),
        ),
        (
            "none-above-mass",
            lambda: {first_outcome: last_outcome, epsilon: 2 * epsilon, **as_noisy()},
        ),
    ],
    proof=lambda: [
        step("an answer above", Le(first(NOISY), exp(epsilon) * first(OTHER))),
        step("none", Le(none(NOISY, last_outcome), exp(epsilon) * none(OTHER, last_outcome))),
    ],
)
def probability_of_an_outcome_on_a_neighbour():
    """Probability that an answer is the first above the threshold, or none, by the probability on a neighbour."""
    return Le(NOISY.density(first_outcome), exp(epsilon) * OTHER.density(first_outcome))


@claim(
    "above-threshold",
    source=DWORK_ROTH,
    place="Theorem 3.23: at sensitivity 1 the noise has the scales 2/epsilon and 4/epsilon",
    given=lambda: [near(), wide()],
    using=[
        *both_ways("above-threshold-mass", NOISY, OTHER),
        *exist(multiple, multiple),
    ],
    proof=lambda: [
        step("the answers, the other way", near(g, f)),
        *(
            step(
                "the masses",
                Every(multiple, [Le(mass(distribution, multiple), 1) for mass in (first, none)]),
            )
            for distribution in (NOISY, OTHER)
        ),
    ],
)
def privacy_of_the_first_answer_above_a_threshold():
    """Privacy of the number of the first of several noisy answers above a noisy threshold."""
    return private(NOISY, OTHER, epsilon)
