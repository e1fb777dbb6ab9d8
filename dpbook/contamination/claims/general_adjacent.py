"""Remark 20 and Corollary 30: one dataset has one record more, for any model, prior and contamination.

As in `general_privacy`; omega is a pair of strictly adjacent datasets, whichever of them is the larger. L_1
and L_2 are the products of d over their records.
"""

from functools import partial

from sympy import Eq, Gt, Lambda, Le, Lt, Min, Or, exp, log

from dpbook import Every, claim
from dpbook.contamination.any_models import AnyFunction
from dpbook.contamination.claims.general import (
    GIVEN_X,
    A,
    S,
    at_a_parameter,
    bad,
    bound_of_proposition_1,
    chosen,
    d,
    datasets,
    exist,
    from_parts,
    inside,
    integrated,
    likelihood_ratio,
    near_bound,
    others,
    outside,
    prior,
    prior_mean,
    weighed,
)
from dpbook.contamination.claims.general_privacy import (
    bounds_of_lemmas_12_and_13,
    delta_n,
    few_evidence,
    few_x,
    in_the_ball,
    in_the_set,
    lipschitz,
    many_x,
    many_z,
    rate,
    unless,
    x_of,
)
from dpbook.contamination.notation import (
    T,
    alpha,
    c_1,
    c_2,
    c_3,
    c_4,
    data,
    eta,
    factor,
    n,
    p,
    phi,
    psi,
    theta,
    x,
)
from dpbook.privacy.statements import probability

# --- remark 20 --------------------------------------------------------------------------------------

first, second = AnyFunction("L_1"), AnyFunction("L_2")


def mass_by(of, part=None):
    """m of a set of parameters, from the product of d over the records."""
    return prior_mean(weighed(part, of(theta)))


BY_FIRST, BY_SECOND = partial(mass_by, first), partial(mass_by, second)


@claim(
    "note-remark-20",
    place="Remark 20: proposition 1 for two products of d of which each is at most eta times the other on A",
    given=lambda: [
        Every(theta, Or(Eq(inside(A), 0), Le(first(theta), eta * second(theta)))),
        Every(theta, Or(Eq(inside(A), 0), Le(second(theta), eta * first(theta)))),
        *exist((BY_FIRST, BY_SECOND), (inside(S), 1 - inside(A))),
    ],
    using=[
        at_a_parameter(first(theta), second(theta), prior.density(theta)),
        at_a_parameter(second(theta), first(theta), prior.density(theta)),
        ("note-proposition-1-parts", lambda: from_parts(BY_FIRST, BY_SECOND)),
    ],
    proof=lambda: integrated(BY_FIRST, BY_SECOND, "the first", "the second"),
)
def posteriors_of_two_products():
    """Privacy of a posterior draw, for two products of likelihood ratios that are close on A."""
    return bound_of_proposition_1(BY_FIRST, BY_SECOND)


def none(part=None):
    """m_{n-1} of a set of parameters, given the records that both have."""
    return prior_mean(weighed(part, others(theta)))


def close_to_one():
    """That eta is at least the supremum of d and of 1/d over all records and over A."""
    within = [Le(d(x, theta), eta), Le(1, eta * d(x, theta))]
    return [Every(theta, Or(Eq(inside(A), 0), one)) for one in within]


def with_one_more():
    """That both posteriors exist, and that S and A are measurable."""
    return exist((GIVEN_X, none), (inside(S), 1 - inside(A)))


def products(left, right):
    """The two products of d of a pair of adjacent datasets, in an order."""
    bodies = (others(theta) * d(x, theta), others(theta))
    return {
        left(theta).function: Lambda((theta,), bodies[0]),
        right(theta).function: Lambda((theta,), bodies[1]),
    }


SQUARE_ROOT = (
    " The square root of eta of (6) is no bound on d; here eta is the supremum of d and 1/d, in the place "
    "of the root, which Lemma 14 bounds as well."
)


@claim(
    "remark-20.i-corrected",
    place="Remark 20, first display, for all models; E is the product of d over the records of Z",
    corrects=["remark-20.i"],
    why="The mass outside A is that of the larger dataset, m_n(A^c, X) over m_n(Omega, X)."
    + SQUARE_ROOT,
    given=lambda: [*close_to_one(), *with_one_more()],
    using=[("note-remark-20", lambda: products(first, second))],
)
def one_record_more():
    """Privacy of a posterior draw with one record more."""
    return bound_of_proposition_1(GIVEN_X, none)


@claim(
    "remark-20.ii-corrected",
    place="Remark 20, second display, for all models",
    corrects=["remark-20.ii"],
    why="The mass outside A is that of the smaller dataset, m_{n-1}(A^c, Z) over m_{n-1}(Omega, Z)."
    + SQUARE_ROOT,
    given=lambda: [*close_to_one(), *with_one_more()],
    using=[("note-remark-20", lambda: products(second, first))],
)
def one_record_less():
    """Privacy of a posterior draw with one record less."""
    return bound_of_proposition_1(none, GIVEN_X)


# --- corollary 30 -----------------------------------------------------------------------------------

first_of, second_of = AnyFunction("L_1", 2), AnyFunction("L_2", 2)


def one_more():
    """That one of the two datasets has one record more than the other."""
    more = likelihood_ratio(x_of(data))
    left, right = first_of(data, theta), second_of(data, theta)
    return Every(theta, Or(Eq(left, right * more), Eq(right, left * more)))


def mass_given(of, part=None):
    """m of a set of parameters, given the first dataset or the second."""
    return prior_mean(weighed(part, of(data, theta)))


def posteriors_exist():
    """That the posteriors exist, and that S and A are measurable."""
    both = (partial(mass_given, of) for of in (first_of, second_of))
    return exist(tuple(both), (in_the_set(), outside()))


def posterior_of_the_set(of):
    """Posterior probability of S, given the first dataset or the second."""
    return mass_given(of, in_the_set()) / mass_given(of)


def epsilon_adjacent():
    """Epsilon of Corollary 30: as in Theorem 4, with half the bound on log eta."""
    return near_bound() + log(delta_n() + exp(near_bound()))


def fails():
    """That the inequality of Corollary 30 fails for the set S of a pair of datasets."""
    allowed = exp(epsilon_adjacent()) * posterior_of_the_set(second_of) + delta_n()
    return Gt(posterior_of_the_set(first_of), allowed)


def bounds_hold_elsewhere():
    """That outside three events the bounds of Lemmas 12 and 13 hold."""
    first_many, second_many = (mass_given(of, outside()) for of in (first_of, second_of))
    return [
        unless(few_x.indicator(data), then=Gt(mass_given(first_of), few_evidence())),
        unless(many_x.indicator(data), then=Lt(first_many, 2 * rate())),
        unless(many_z.indicator(data), then=Lt(second_many, 2 * rate())),
    ]


def pairs_of_datasets():
    """That the datasets are adjacent, that privacy fails on B, and that the bounds hold elsewhere."""
    failing = Or(Eq(chosen(bad), 0), fails())
    return Every(data, [one_more(), *posteriors_exist(), failing, *bounds_hold_elsewhere()])


@claim(
    "corollary-30",
    place="Corollary 30; B is any event of pairs of strictly adjacent datasets for each of which the "
    "inequality fails at some set S, whichever of the two is the larger. n is the number of records of the "
    "smaller one, n - 1 in the print, of which the constant takes the rest",
    scope="from the conclusions of lemmas 12 and 13 for the two sizes, and of proposition 3, that A lies within psi_n of theta*, "
    "which are conditions here; that of lemma 13 rests on lemma 8, a bound on an empirical process. Assumption 4 is taken for a "
    "neighbourhood, Remark 20 as repaired, and densities f that are positive",
    cites=["remark-20.i-corrected", "remark-20.ii-corrected"],
    try_at=[
        {
            n: 1,
            phi: "1/10",
            factor: 3,
            c_1: 1,
            c_2: 1,
            c_3: 1,
            c_4: 1,
            T: 1,
            psi: 1,
            p: "1/2",
            alpha: 1,
        }
    ],
    without={
        "theorem-4": "its proof is followed, and its conclusion not used",
        "remark-20.i-corrected": "it stands behind the step from the bounds to the inequality, which examples support",
        "remark-20.ii-corrected": "it stands behind the step from the bounds to the inequality, which examples support",
    },
    using=["note-theorem-4-union", "note-theorem-4-failure"],
    given=lambda: [
        lipschitz(),
        in_the_ball(),
        pairs_of_datasets(),
        *bounds_of_lemmas_12_and_13(),
    ],
)
def posterior_draws_of_adjacent_datasets():
    """Random differential privacy of a posterior draw for strictly adjacent datasets."""
    return Le(
        probability(datasets, bad),
        (4 + 2 * factor + 2 * c_4) * exp(-Min(c_1 * alpha / 8, c_2) * (n * phi**2)),
    )
