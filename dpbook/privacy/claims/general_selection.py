"""The largest of several answers, with noise of both signs or of one: private, however many there are.

The noise of all other answers is held; a shift of the noise of the answer in question
carries events on one dataset to events on its neighbour.
"""

from sympy import Abs, Eq, Ge, Integral, Lambda, Le, Max, Sum, Symbol, exp, oo

from dpbook import Every, Relation, claim, step
from dpbook.privacy.any_distributions import AnyScore
from dpbook.privacy.claims.sources import DING, DWORK_ROTH, HERE
from dpbook.privacy.coordinates import AnyNumbers
from dpbook.privacy.distributions import Laplace
from dpbook.privacy.notation import (
    at,
    density_1,
    density_2,
    density_3,
    density_4,
    epsilon,
    first_outcome,
    last_outcome,
    mean_distance,
    more,
    mu_1,
    mu_2,
    multiple,
    other_epsilon,
    other_multiple,
    other_outcome,
    outcome,
    ratio,
    scale,
)
from dpbook.privacy.selection import AnyIntegrable, NoisyMax, OneSided, Rising
from dpbook.privacy.statements import private

t = Symbol("t", real=True)
LESS, ANY_FUNCTION = (AnyIntegrable(name) for name in "AB")


def whole(function, shift=0):
    """Return the integral of a function over the line, moved."""
    return Integral(function(t + shift) if shift else function(t), (t, -oo, oo))


@claim(
    "integral-moved",
    source=DWORK_ROTH,
    place="Claim 3.9, proof: the noise is shifted under the integral",
)
def integral_of_what_is_moved():
    """Integral of a function over the line, and of the same function moved."""
    return Eq(whole(ANY_FUNCTION, multiple), whole(ANY_FUNCTION))


@claim(
    "integral-below",
    source=DWORK_ROTH,
    place="Claim 3.9, proof: point by point",
    given=lambda: [Every(at, Le(LESS(at), ratio * ANY_FUNCTION(at)))],
    using=[("integral-moved", lambda: {multiple: multiple})],
)
def integral_of_what_is_less():
    """Integral over the line of a function that is below a multiple of another one, which is moved."""
    return Le(whole(LESS), ratio * whole(ANY_FUNCTION, multiple))


def by_points(first, second, factor):
    """Return the substitution of two functions of the noise, where the second is moved up."""
    return {
        LESS: Lambda((t,), first(t)),
        ANY_FUNCTION: Lambda((t,), second(t + mean_distance)),
        multiple: -mean_distance,
        ratio: factor,
    }


# --- the other answers ------------------------------------------------------------------------------

f, g = AnyNumbers("f"), AnyNumbers("g")
ANY = Rising("F")


def largest(distribution, distribution_function=None):
    """The distributions of the number of the largest answer on two datasets, with noise of a distribution."""
    return [
        NoisyMax(answers, distribution, last_outcome, distribution_function) for answers in (f, g)
    ]


LAPLACE, ONE_SIDED = Laplace(0, scale), OneSided(scale)
FIRST, SECOND = largest(LAPLACE, ANY)
FIRST_UP, SECOND_UP = largest(ONE_SIDED, ANY)


def near(first=f, second=g):
    """State that the answers on two datasets are near each other."""
    apart = Abs(first(other_outcome) - second(other_outcome))
    return Every(other_outcome, Le(apart, mean_distance))


@claim(
    "answer-below-moved",
    source=DWORK_ROTH,
    place="Claim 3.9, proof, for one answer",
    given=lambda: [Abs(multiple - other_multiple) <= mean_distance],
    proof=lambda: [
        step("the levels, less the answers", at - multiple <= at + mean_distance - other_multiple),
    ],
)
def one_answer_below_a_level():
    """Probability that a noisy answer lies below a level, by the probability on a neighbour below a higher level."""
    return Le(ANY(at - multiple), ANY(at + mean_distance - other_multiple))


def shifted(number):
    """Bound the probability below a level by the neighbour's probability below a level moved up."""
    here, there = (distribution.below(number, outcome, level) for distribution, level in levels())
    return Le(here, there)


def levels(first=FIRST, second=SECOND):
    """Return a level, and on the neighbour the level that is moved up."""
    return [(first, at), (second, at + mean_distance)]


@claim(
    "below-moved",
    source=DWORK_ROTH,
    place="Claim 3.9, proof: all other noise is held",
    given=lambda: [near()],
    using=[
        (
            "answer-below-moved",
            lambda: {
                at: at,
                multiple: f(outcome + first_outcome),
                other_multiple: g(outcome + first_outcome),
            },
        )
    ],
    proof=lambda: [
        step(
            "by induction on the answers", Every(first_outcome, Every(at, shifted(first_outcome)))
        ),
    ],
)
def other_answers_below_a_level():
    """Probability that some noisy answers lie below a level, by the probability on a neighbour below a higher level."""
    here, there = (distribution.below(more, outcome, level) for distribution, level in levels())
    return [shifted(more), Ge(here, 0), Ge(there, 0)]


# --- the largest ------------------------------------------------------------------------------------


def close():
    """State that the answers are near each other, in units of the noise."""
    return [near(), Relation(2 * mean_distance, "<=", epsilon * scale)]


@claim(
    "answers-apart-moved",
    source=DWORK_ROTH,
    place="Claim 3.9, proof: how far the noise is shifted",
    given=lambda: [
        Abs(multiple - other_multiple) <= mean_distance,
        Relation(2 * mean_distance, "<=", epsilon * scale),
    ],
    proof=lambda: [
        step("the answers", multiple - other_multiple <= mean_distance),
        step("the other way", -mean_distance <= multiple - other_multiple),
    ],
)
def distance_of_answers_that_are_moved():
    """Distance of two answers of which one is moved, in units of the noise."""
    apart = multiple - (other_multiple - mean_distance)
    return [Le(Abs(apart), epsilon * scale), Le(apart, epsilon * scale)]


def before(distribution, level, number=first_outcome):
    """Return the probability that the earlier answers lie below a level."""
    return distribution.below(number, 0, level)


def after(distribution, level, number=first_outcome):
    """Return the probability that the later answers lie below a level."""
    return distribution.below(last_outcome - number, number + 1, level)


def others(distribution, level, number=first_outcome):
    """Return the probability that all other answers lie below a level."""
    return before(distribution, level, number) * after(distribution, level, number)


def product(here, there, *, loss, other_loss=0):
    """Return the substitution of two densities, here and on the neighbour, for two releases."""
    densities = dict(
        zip((density_1, density_2, density_3, density_4), (*here, *there), strict=True)
    )
    return {**densities, epsilon: loss, other_epsilon: other_loss}


def winner(first, second, ratio):
    """Return the uses for the density of the largest answer: the ratio of noise, and other answers."""
    both = levels(first, second)
    told = [
        (distribution.told(first_outcome, level), others(distribution, level))
        for distribution, level in both
    ]
    parts = [(before(*one), after(*one)) for one in both]
    return [
        *ratio,
        ("below-moved", lambda: {more: first_outcome, outcome: 0}),
        ("below-moved", lambda: {more: last_outcome - first_outcome, outcome: first_outcome + 1}),
        ("composition-pure", lambda: product(*parts, loss=0)),
        ("composition-pure", lambda: product(*told, loss=epsilon)),
    ]


def moved(first, second):
    """Bound the density of the largest answer by the factor times a neighbour's density further up."""
    there = second.won(first_outcome, at + mean_distance)
    return Le(first.won(first_outcome, at), exp(epsilon) * there)


def one_number():
    """Return the conditions for the number of one answer."""
    return [*close(), first_outcome <= last_outcome]


@claim(
    "winner-moved",
    source=DWORK_ROTH,
    place="Claim 3.9, proof: the noise of the winner is shifted",
    given=one_number,
    using=winner(
        FIRST,
        SECOND,
        [
            (
                "answers-apart-moved",
                lambda: {multiple: f(first_outcome), other_multiple: g(first_outcome)},
            ),
            (
                "laplace-ratio",
                lambda: {mu_1: f(first_outcome), mu_2: g(first_outcome) - mean_distance, at: at},
            ),
        ],
    ),
)
def density_of_the_winner():
    """Density of the largest answer and its noise, by the density on a neighbour, where the noise is moved up."""
    return moved(FIRST, SECOND)


def put_in(pairs):
    """Return the substitution of other distributions, with their answers and products of answers."""
    x, i, o = (Symbol(name, real=True) for name in ("x", "i", "o"))
    found = {}
    for distribution, other in pairs:
        if distribution.answers != other.answers:
            found[distribution.answers] = Lambda((x,), other.answers(x))
        found[distribution.below] = Lambda((i, o, x), other.below(i, o, x))
    return found


def number(at_number, answers=f):
    """Return the substitution of the number of the answer in question, and of its dataset."""
    there = put_in([(FIRST, SECOND)]) if answers == g else {}
    return {multiple: at_number, **there}


@claim(
    "noisy-max-exists",
    source=DWORK_ROTH,
    place="Claim 3.9, proof",
    using=[("laplace-total", lambda: {mu_1: f(multiple)})],
)
def probability_of_a_winner():
    """Probability that a noisy answer is the largest."""
    return Le(FIRST.density(multiple), 1)


def exists(at_number, key="noisy-max-exists"):
    """Return the uses of the claim, on both datasets."""
    return [(key, lambda one=one: number(at_number, one)) for one in (f, g)]


def mass_of(first, second):
    """Return the use of the integrals of densities that are compared point by point."""
    return (
        "integral-below",
        lambda: by_points(
            lambda x: first.won(first_outcome, x),
            lambda x: second.won(first_outcome, x),
            exp(epsilon),
        ),
    )


def within(first, second):
    """Bound the probability of a number by the factor times the probability on a neighbour."""
    return Le(first.density(first_outcome), exp(epsilon) * second.density(first_outcome))


@claim(
    "noisy-max-mass",
    source=DWORK_ROTH,
    place="Claim 3.9, proof",
    given=one_number,
    using=[*exists(first_outcome), ("winner-moved", lambda: {at: at}), mass_of(FIRST, SECOND)],
)
def probability_of_the_winner():
    """Probability that a noisy answer is the largest, by the probability on a neighbour."""
    return within(FIRST, SECOND)


# --- from the masses to privacy -----------------------------------------------------------------------

p, q = (AnyScore(name, last_outcome) for name in ("p", "q"))


def excess(first, second):
    """Return the sum of the excesses of masses over other masses, beyond a factor."""
    k = Symbol("k", integer=True)
    return Sum(Max(first(k) - exp(epsilon) * second(k), 0), (k, 0, last_outcome))


def always_within(first, second):
    """State that a mass is at most exp(epsilon) times another at every outcome."""
    below = Le(first(first_outcome), exp(epsilon) * second(first_outcome))
    return Every(first_outcome, below, (Relation(first_outcome, "<=", last_outcome),))


@claim("no-excess-of-masses", source=HERE, given=lambda: [always_within(p, q)])
def no_excess():
    """Excess of masses over others that are within a factor at every outcome."""
    return Le(excess(p, q), 0)


def function(values):
    """Return the unknown function behind a score."""
    return values(Symbol("k", integer=True)).function


def masses(first, second):
    """Return the substitution of the masses of two distributions for two scores."""
    k = Symbol("k", integer=True)
    pairs = ((p, first), (q, second))
    return {function(one): Lambda((k,), distribution.density(k)) for one, distribution in pairs}


def both_ways(mass, first, second):
    """Return uses of a bound of masses, and of its consequences, both ways."""
    index = {first_outcome: first_outcome}
    return [
        (mass, lambda: index),
        (mass, lambda: {**index, **put_in([(first, second), (second, first)])}),
        ("no-excess-of-masses", lambda: masses(first, second)),
        ("no-excess-of-masses", lambda: masses(second, first)),
    ]


def both_datasets(first, second):
    """Return the steps from the probabilities of one number to privacy."""
    return [
        step("the answers, the other way", near(g, f)),
        step("the masses", Every(multiple, Le(first.density(multiple), 1))),
        step("on the neighbour", Every(multiple, Le(second.density(multiple), 1))),
    ]


def of_the_noise(key, distribution, pair):
    """Return the use of a claim about any noise of all other answers, for noise of one distribution."""
    here, there = largest(distribution)
    put = {ANY: Lambda((t,), here.noise(t)), **put_in(zip(pair, (here, there), strict=True))}
    return (key, lambda: put)


@claim(
    "noisy-max-any-noise",
    source=DWORK_ROTH,
    place="Claim 3.9, where the distribution of the other noise is left open",
    given=close,
    using=[*both_ways("noisy-max-mass", FIRST, SECOND), *exists(multiple)],
    proof=lambda: both_datasets(FIRST, SECOND),
)
def privacy_of_the_largest_answer():
    """Privacy of the number of the largest of several noisy answers, whatever the noise of all others."""
    return private(FIRST, SECOND, epsilon)


@claim(
    "noisy-max",
    source=DWORK_ROTH,
    place="Claim 3.9, with the scale that answers need which move in different directions",
    given=close,
    using=[of_the_noise("noisy-max-any-noise", LAPLACE, (FIRST, SECOND))],
)
def privacy_of_the_largest_answer_with_laplace_noise():
    """Privacy of the number of the largest of several answers, each with Laplace noise."""
    here, there = largest(LAPLACE)
    return private(here, there, epsilon)


# --- with noise of one sign ---------------------------------------------------------------------------


def cases(level):
    """Return the density of exponential noise in two cases."""
    return ONE_SIDED.density(level).function.cases(level)


@claim(
    "one-sided-total",
    source=DING,
    proof=lambda: [
        step("in two cases", Eq(ONE_SIDED.density(t).function.total(t), 1)),
    ],
)
def total_of_noise_of_one_sign():
    """Integral of the density of exponential noise over the line."""
    return Eq(Integral(ONE_SIDED.density(t), (t, -oo, oo)), 1)


def answer_moved():
    """Return a level less an answer, and on the neighbour a level moved up less the answer there."""
    return at - multiple, at + mean_distance - other_multiple


@claim(
    "one-sided-moved",
    source=DING,
    given=lambda: [
        Abs(multiple - other_multiple) <= mean_distance,
        Relation(2 * mean_distance, "<=", epsilon * scale),
    ],
    proof=lambda: [
        step(
            "the exponential function is increasing",
            exp(-answer_moved()[0] / scale) <= exp(epsilon) * exp(-answer_moved()[1] / scale),
        ),
        step("in two cases", cases(answer_moved()[0]) <= exp(epsilon) * cases(answer_moved()[1])),
    ],
)
def noise_of_one_sign_moved():
    """Density of an answer with exponential noise, by the density on a neighbour, where the noise is moved up."""
    here, there = (ONE_SIDED.density(level) for level in answer_moved())
    return [Le(here, exp(epsilon) * there), Ge(here, 0), Ge(there, 0)]


@claim(
    "winner-moved-one-sided",
    source=DING,
    given=one_number,
    using=winner(
        FIRST_UP,
        SECOND_UP,
        [
            (
                "one-sided-moved",
                lambda: {at: at, multiple: f(first_outcome), other_multiple: g(first_outcome)},
            )
        ],
    ),
)
def density_of_the_winner_with_noise_of_one_sign():
    """Density of the largest answer, with exponential noise, by the density on a neighbour further up."""
    return moved(FIRST_UP, SECOND_UP)


@claim(
    "noisy-max-exists-one-sided",
    source=DING,
    using=[
        "one-sided-total",
        (
            "integral-moved",
            lambda: {ANY_FUNCTION: Lambda((t,), ONE_SIDED.density(t)), multiple: -f(multiple)},
        ),
    ],
    proof=lambda: [
        step("the noise of the answer", Eq(whole(lambda x: FIRST_UP.told(multiple, x)), 1)),
        step("all other answers", Every(at, Le(others(FIRST_UP, at, multiple), 1))),
    ],
)
def probability_of_a_winner_with_noise_of_one_sign():
    """Probability that an answer with exponential noise is the largest."""
    return Le(FIRST_UP.density(multiple), 1)


@claim(
    "noisy-max-mass-one-sided",
    source=DING,
    given=one_number,
    using=[
        *exists(first_outcome, "noisy-max-exists-one-sided"),
        ("winner-moved-one-sided", lambda: {at: at}),
        mass_of(FIRST_UP, SECOND_UP),
    ],
)
def probability_of_the_winner_with_noise_of_one_sign():
    """Probability that an answer with exponential noise is the largest, by the probability on a neighbour."""
    return within(FIRST_UP, SECOND_UP)


@claim(
    "noisy-max-any-noise-one-sided",
    source=DING,
    given=close,
    using=[
        *both_ways("noisy-max-mass-one-sided", FIRST_UP, SECOND_UP),
        *exists(multiple, "noisy-max-exists-one-sided"),
    ],
    proof=lambda: both_datasets(FIRST_UP, SECOND_UP),
)
def privacy_of_the_largest_answer_above_others():
    """Privacy of the largest of several answers, with exponential noise, whatever the noise of all others."""
    return private(FIRST_UP, SECOND_UP, epsilon)


@claim(
    "noisy-max-one-sided",
    source=DING,
    place="report noisy max with exponential noise: the distribution of permute and flip",
    given=close,
    using=[of_the_noise("noisy-max-any-noise-one-sided", ONE_SIDED, (FIRST_UP, SECOND_UP))],
)
def privacy_of_the_largest_answer_with_noise_of_one_sign():
    """Privacy of the number of the largest of several answers, each with exponential noise."""
    here, there = largest(ONE_SIDED)
    return private(here, there, epsilon)
