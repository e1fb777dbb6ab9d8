"""Sparse vector: the noisy answers above a noisy threshold, until some number lies above.

The threshold pays half of the loss, however many answers lie below it; the answers above share the
other half, and their number is all that counts.
"""

from sympy import Abs, Eq, Ge, Integer, Integral, Lambda, Le, Symbol, exp, oo

from dpbook import Either, Every, Relation, claim, step
from dpbook.privacy.claims.general_selection import (
    ANY,
    by_points,
    f,
    g,
    masses,
    near,
    product,
)
from dpbook.privacy.claims.general_threshold import bar, shifted_bar, wide
from dpbook.privacy.claims.sources import LYU_SU_LI
from dpbook.privacy.coordinates import AnyNumbers, Running, RunningProduct
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
    most,
    mu_1,
    multiple,
    other_last,
    other_multiple,
    other_outcome,
    scale,
    third_multiple,
)
from dpbook.privacy.selection import AnyFunction, SparseVector, chance, counted
from dpbook.privacy.statements import private

v = Symbol("v", real=True)
index = other_outcome
HERE, THERE = (SparseVector(one, mu_1, scale, most, other_last, last_outcome) for one in (f, g))
ANY_NOISE = AnyFunction("F")
FIRST, SECOND = (
    SparseVector(one, mu_1, scale, most, other_last, last_outcome, ANY_NOISE) for one in (f, g)
)
NOISE, ABOVE = HERE.noise, HERE.above


def share():
    """Return the part of the loss of an answer above the threshold."""
    return epsilon / (2 * most)


def rests():
    """Return a level less an answer, and on the neighbour the level moved up less the answer there."""
    return at - multiple, at + mean_distance - other_multiple


def up_to(level):
    """Return the integral of the density of the noise of the answers, up to a level."""
    return Integral(Laplace(0, 2 * most * scale).density(v), (v, -oo, level))


@claim(
    "one-of-many-above-ratio",
    source=LYU_SU_LI,
    place="Theorem 2, proof: the noise of an answer above is shifted",
    given=lambda: [Abs(multiple - other_multiple) <= mean_distance, wide()],
    using=[
        ("answers-apart-moved", lambda: {multiple: multiple, other_multiple: other_multiple}),
        *(
            (
                "laplace-below",
                lambda i=i: {multiple: rests()[i], scale: 2 * most * scale},
            )
            for i in (0, 1)
        ),
        (
            "laplace-above-ratio",
            lambda: {
                multiple: rests()[0],
                other_multiple: rests()[1],
                epsilon: share(),
                scale: 2 * most * scale,
            },
        ),
    ],
    proof=lambda: [step("its distribution", Eq(up_to(rest), NOISE(rest))) for rest in rests()],
)
def one_of_many_above_a_level():
    """Probability that an answer lies above a level, by the probability on a neighbour above a higher level."""
    here, there = (1 - NOISE(rest) for rest in rests())
    return [Le(here, exp(share()) * there), Ge(here, 0), Ge(there, 0)]


def is_a_mark(number):
    """State that a number is a mark."""
    return Either(tuple(Relation(number, "==", Integer(end)) for end in (-1, 0, 1)))


@claim(
    "mark-moved",
    source=LYU_SU_LI,
    place="Theorem 2, proof, for one answer",
    given=lambda: [
        Abs(multiple - other_multiple) <= mean_distance,
        wide(),
        is_a_mark(third_multiple),
    ],
    using=[
        ("one-of-many-above-ratio", lambda: {at: at}),
        ("answer-below-moved", lambda: {at: at, ANY: Lambda((v,), NOISE(v))}),
    ],
)
def one_mark_moved():
    """Probability of the mark of an answer, by the probability on a neighbour at a level that is moved up."""
    here, there = (chance(third_multiple, NOISE(rest)) for rest in rests())
    return [
        Le(here, exp(counted(third_multiple) * share()) * there),
        Ge(here, 0),
        Ge(there, 0),
    ]


@claim(
    "product-moved",
    source=LYU_SU_LI,
    place="Theorem 2, proof: the noise of the answers is independent",
    given=lambda: [
        density_1 <= exp(multiple) * density_3,
        density_2 <= exp(other_multiple) * density_4,
    ],
    proof=lambda: [
        step("the second factor", density_1 * density_2 <= exp(multiple) * density_3 * density_2),
        step(
            "the first one",
            exp(multiple) * density_3 * density_2
            <= exp(multiple) * density_3 * (exp(other_multiple) * density_4),
        ),
    ],
)
def product_within_factors():
    """Product of two probabilities that are each within a factor of another."""
    return Le(density_1 * density_2, exp(multiple + other_multiple) * density_3 * density_4)


p, q, loss = (AnyNumbers(name) for name in ("p", "q", "L"))
ALL_P, ALL_Q = (RunningProduct(f"all_{one.name}", index, one(index)) for one in (p, q))
LOSSES = Running("losses", index, loss(index))


def products(number):
    """Bound a product of factors by another product, times the factors of their losses."""
    return Le(ALL_P(number), exp(LOSSES(number)) * ALL_Q(number))


@claim(
    "products-moved",
    source=LYU_SU_LI,
    place="Theorem 2, proof: the noise of the answers is independent",
    given=lambda: [Every(index, [Ge(p(index), 0), Le(p(index), exp(loss(index)) * q(index))])],
    using=[
        (
            "product-moved",
            lambda: {
                density_1: ALL_P(more),
                density_2: p(more),
                density_3: ALL_Q(more),
                density_4: q(more),
                multiple: LOSSES(more),
                other_multiple: loss(more),
            },
        ),
    ],
    proof=lambda: [
        step("both are positive", Every(more, [Ge(ALL_P(more), 0), Ge(ALL_Q(more), 0)])),
        step("by induction on the factors", Every(more, products(more))),
    ],
)
def products_within_factors():
    """Product of many probabilities that are each within a factor of another."""
    return [products(more), Ge(ALL_P(more), 0)]


def told(here, there, number):
    """Bound the probability of the first marks by the probability on the neighbour.

    The factor counts the answers above only.
    """
    cost = ABOVE(number, first_outcome) * share()
    left = here.told(number, first_outcome, at)
    return Le(left, exp(cost) * there.told(number, first_outcome, at + mean_distance))


def put_in(pairs):
    """Return the substitution of the answers of another distribution, and of their marks."""
    x, o, i = (Symbol(name, real=True) for name in ("x", "o", "i"))
    found = {}
    for distribution, other in pairs:
        if distribution.answers != other.answers:
            found[distribution.answers] = Lambda((x,), other.answers(x))
        found[distribution.told] = Lambda((i, o, x), other.told(i, o, x))
    return found


def marks(here, there, number):
    """Return the probabilities of one answer's mark, here and at a higher level on the neighbour."""
    mark = here.marks(number, first_outcome)
    return [
        chance(mark, distribution.noise(level - distribution.answers(number)))
        for distribution, level in ((here, at), (there, at + mean_distance))
    ]


def as_products():
    """Return the substitution of the probability of each mark for the factors of two products."""
    x = Symbol("x", real=True)
    first, second = marks(FIRST, SECOND, x)
    return {
        p: Lambda((x,), first),
        q: Lambda((x,), second),
        loss: Lambda((x,), counted(FIRST.marks(x, first_outcome)) * share()),
        LOSSES: Lambda((x,), ABOVE(x, first_outcome) * share()),
        ALL_P: Lambda((x,), FIRST.told(x, first_outcome, at)),
        ALL_Q: Lambda((x,), SECOND.told(x, first_outcome, at + mean_distance)),
        more: other_last,
    }


def each_moved():
    """Bound the probability of each mark by its factor times the probability on the neighbour."""
    first, second = marks(FIRST, SECOND, index)
    factor = exp(counted(FIRST.marks(index, first_outcome)) * share())
    return Every(index, [Ge(first, 0), Le(first, factor * second)])


@claim(
    "marks-moved-any-noise",
    source=LYU_SU_LI,
    place="Theorem 2, proof: the answers one after the other",
    given=lambda: [each_moved()],
    using=[("products-moved", as_products)],
)
def marks_moved_with_any_noise():
    """Probability of the marks of some answers, by the probabilities of each mark."""
    return [
        told(FIRST, SECOND, other_last),
        Ge(FIRST.told(other_last, first_outcome, at), 0),
    ]


@claim(
    "marks-moved",
    source=LYU_SU_LI,
    place="Theorem 2, proof: the answers one after the other",
    given=lambda: [near(), wide()],
    using=[
        (
            "mark-moved",
            lambda: {
                at: at,
                multiple: f(index),
                other_multiple: g(index),
                third_multiple: HERE.marks(index, first_outcome),
            },
        ),
        (
            "marks-moved-any-noise",
            lambda: {
                ANY_NOISE: Lambda((v,), NOISE(v)),
                **put_in([(FIRST, HERE), (SECOND, THERE)]),
            },
        ),
    ],
    proof=lambda: [step("the marks", Every(index, is_a_mark(HERE.marks(index, first_outcome))))],
)
def marks_moved():
    """Probability of the marks of some answers, by the probability on a neighbour at a level moved up."""
    return [
        told(HERE, THERE, other_last),
        Ge(HERE.told(other_last, first_outcome, at), 0),
    ]


def few(outcome):
    """State that an outcome marks no more than `most` answers as above the threshold."""
    return Le(ABOVE(other_last, outcome), most)


@claim(
    "sparse-vector-moved",
    source=LYU_SU_LI,
    place="Theorem 2, proof: the threshold is shifted",
    given=lambda: [near(), wide(), few(first_outcome)],
    using=[
        ("laplace-ratio", shifted_bar),
        "marks-moved",
        (
            "composition-pure",
            lambda: product(
                (bar(at), HERE.told(other_last, first_outcome, at)),
                (
                    bar(at + mean_distance),
                    THERE.told(other_last, first_outcome, at + mean_distance),
                ),
                loss=epsilon / 2,
                other_loss=epsilon / 2,
            ),
        ),
    ],
    proof=lambda: [
        step(
            "the answers above",
            Le(ABOVE(other_last, first_outcome) * share(), epsilon / 2),
        ),
        step(
            "what they cost",
            Le(exp(ABOVE(other_last, first_outcome) * share()), exp(epsilon / 2)),
        ),
        step(
            "the answers",
            Le(
                HERE.told(other_last, first_outcome, at),
                exp(epsilon / 2) * THERE.told(other_last, first_outcome, at + mean_distance),
            ),
        ),
    ],
)
def density_of_the_threshold():
    """Density of a noisy threshold with the marks of the answers, by the density on a neighbour, moved up."""
    there = THERE.under(first_outcome, at + mean_distance)
    return Le(HERE.under(first_outcome, at), exp(epsilon) * there)


@claim(
    "sparse-vector-exists",
    source=LYU_SU_LI,
    place="Theorem 2, proof",
    using=[("laplace-total", lambda: {mu_1: mu_1})],
)
def probability_of_what_is_told():
    """Probability of the marks of the answers."""
    return Le(HERE.density(multiple), 1)


def swapped():
    """Return the substitution that exchanges the datasets."""
    return put_in([(HERE, THERE), (THERE, HERE)])


def exist(number):
    """Return the uses of the claim on probabilities, on both datasets."""
    return [
        ("sparse-vector-exists", lambda: {multiple: number}),
        ("sparse-vector-exists", lambda: {multiple: number, **put_in([(HERE, THERE)])}),
    ]


@claim(
    "sparse-vector-mass",
    source=LYU_SU_LI,
    place="Theorem 2, proof, for one outcome",
    given=lambda: [near(), wide(), few(first_outcome)],
    using=[
        *exist(first_outcome),
        ("sparse-vector-moved", lambda: {at: at}),
        (
            "integral-below",
            lambda: by_points(
                lambda x: HERE.under(first_outcome, x),
                lambda x: THERE.under(first_outcome, x),
                exp(epsilon),
            ),
        ),
    ],
)
def probability_of_an_outcome():
    """Probability of the marks of the answers, by the probability on a neighbour."""
    return Le(HERE.density(first_outcome), exp(epsilon) * THERE.density(first_outcome))


@claim(
    "sparse-vector",
    source=LYU_SU_LI,
    place="Theorem 2 with half of the loss for the threshold; noise of the scales 2/epsilon and 4c/epsilon",
    given=lambda: [
        near(),
        wide(),
        Every(first_outcome, few(first_outcome), (Relation(first_outcome, "<=", last_outcome),)),
    ],
    using=[
        ("sparse-vector-mass", lambda: {first_outcome: first_outcome}),
        ("sparse-vector-mass", lambda: {first_outcome: first_outcome, **swapped()}),
        ("no-excess-of-masses", lambda: masses(HERE, THERE)),
        ("no-excess-of-masses", lambda: masses(THERE, HERE)),
        *exist(multiple),
    ],
    proof=lambda: [
        step("the answers, the other way", near(g, f)),
        *(
            step("the masses", Every(multiple, Le(distribution.density(multiple), 1)))
            for distribution in (HERE, THERE)
        ),
    ],
)
def privacy_of_many_answers_beside_a_threshold():
    """Privacy of which answers lie above a noisy threshold, where no more than c of them may."""
    return private(HERE, THERE, epsilon)
