"""Remark 20 and Corollary 30: one dataset has one record more, for any model, prior and contamination.

As in `general_privacy`; omega is a pair of strictly adjacent datasets, whichever of them is the larger. L_1
and L_2 are the products of d over their records.
"""

from functools import partial

from sympy import Eq, Ge, Gt, Lambda, Le, Lt, Min, Or, Rational, exp, log

from dpbook import Every, claim, step
from dpbook.contamination.any_models import AnyFunction
from dpbook.contamination.claims.general import (
    GIVEN_X,
    A,
    S,
    at_a_parameter,
    averaged,
    away,
    bad,
    bound_of_proposition_1,
    chosen,
    d,
    datasets,
    exchanged,
    exist,
    f_at,
    f_of,
    from_parts,
    g_at,
    inside,
    integrated,
    likelihood_ratio,
    mass_outside_the_sieve,
    moment_of_a_record,
    near,
    near_bound,
    neighbourhood,
    others,
    outside,
    power,
    prior,
    prior_mean,
    small_evidence,
    weighed,
)
from dpbook.contamination.claims.general_privacy import (
    contaminated_densities,
    delta_n,
    few_evidence,
    few_x,
    in_one_of_three,
    in_the_ball,
    in_the_set,
    lipschitz,
    many_x,
    many_z,
    moment_at_any_rate,
    moments_exist,
    near_the_truth,
    parts_of_a_failing_pair,
    rate,
    steps_to_the_prior,
    unless,
    x_of,
)
from dpbook.contamination.claims.general_theorem_4 import (
    by_lemma_13,
    conditions_of_lemma_12,
    conditions_of_lemma_13,
    large_x,
    large_z,
    put_in,
    radius_of_12,
)
from dpbook.contamination.claims.general_theorem_4 import outside_seldom as evidence_outside_seldom
from dpbook.contamination.notation import (
    T,
    all_x,
    alpha,
    at,
    bad_1,
    bad_2,
    bound_0,
    c_1,
    c_2,
    c_3,
    c_4,
    contaminated,
    d_x,
    d_z,
    data,
    eta,
    f_1,
    f_2,
    factor,
    far_x,
    first_size,
    g,
    in_a,
    level_0,
    level_2,
    mass_2,
    n,
    number,
    p,
    p_0,
    phi,
    psi,
    t,
    theta,
    weight,
    x,
    x_1,
    x_2,
    x_3,
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
    """State that eta is at least the supremum of d and of 1/d over all records and over A."""
    within = [Le(d(x, theta), eta), Le(1, eta * d(x, theta))]
    return [Every(theta, Or(Eq(inside(A), 0), one)) for one in within]


def with_one_more():
    """State that both posteriors exist, and that S and A are measurable."""
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
    corrects=["remark-20.i", "remark-20.root"],
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
    corrects=["remark-20.ii", "remark-20.root"],
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
    """State that one of the two datasets has one record more than the other."""
    more = likelihood_ratio(x_of(data))
    left, right = first_of(data, theta), second_of(data, theta)
    return Every(theta, Or(Eq(left, right * more), Eq(right, left * more)))


def mass_given(of, part=None):
    """m of a set of parameters, given the first dataset or the second."""
    return prior_mean(weighed(part, of(data, theta)))


def posteriors_exist():
    """State that the posteriors exist, and that S and A are measurable."""
    both = (partial(mass_given, of) for of in (first_of, second_of))
    return exist(tuple(both), (in_the_set(), outside()))


def posterior_of_the_set(of):
    """Posterior probability of S, given the first dataset or the second."""
    return mass_given(of, in_the_set()) / mass_given(of)


def epsilon_adjacent():
    """Epsilon of Corollary 30: as in Theorem 4, with half the bound on log eta."""
    return near_bound() + log(delta_n() + exp(near_bound()))


def fails():
    """State that the inequality of Corollary 30 fails for the set S of a pair of datasets."""
    allowed = exp(epsilon_adjacent()) * posterior_of_the_set(second_of) + delta_n()
    return Gt(posterior_of_the_set(first_of), allowed)


def bounds_hold_elsewhere():
    """State that outside three events the bounds of Lemmas 12 and 13 hold."""
    first_many, second_many = (mass_given(of, outside()) for of in (first_of, second_of))
    return [
        unless(few_x.indicator(data), then=Gt(mass_given(first_of), few_evidence())),
        unless(many_x.indicator(data), then=Lt(first_many, 2 * rate())),
        unless(many_z.indicator(data), then=Lt(second_many, 2 * rate())),
    ]


def pairs_of_datasets():
    """State that the datasets are adjacent, privacy fails on B, and the bounds hold elsewhere."""
    failing = Or(Eq(chosen(bad), 0), fails())
    return Every(data, [one_more(), *posteriors_exist(), failing, *bounds_hold_elsewhere()])


@claim(
    "note-corollary-30-record",
    place="Corollary 30: Lemma 14 at the record that one of the two has more, for a parameter in A; d_x and d_z are the two likelihood ratios, w_0 the "
    "distance from theta*",
    given=lambda: [
        Eq(in_a, 1),
        Le(in_a * weight, psi),
        Le(in_a * (x_1 - x_2), T * weight * x_3),
        Le(in_a * (x_2 - x_1), T * weight * x_3),
        Or(Eq(d_x, d_z * ratio_of_one()), Eq(d_z, d_x * ratio_of_one())),
    ],
    using=[
        ("note-lemma-14-ratio", lambda: {f_1: x_1, f_2: x_2, g: x_3}),
        ("note-lemma-14-ratio", lambda: {f_1: x_2, f_2: x_1, g: x_3}),
    ],
    proof=lambda: [
        step("at most the radius", Le(T * weight * x_3, T * psi * x_3)),
        step("the changes", [Le(x_1 - x_2, T * psi * x_3), Le(x_2 - x_1, T * psi * x_3)]),
        step(
            "the ratio",
            [Le(ratio_of_one(), exp(near_bound())), Le(1, exp(near_bound()) * ratio_of_one())],
        ),
    ],
)
def products_in_a():
    """Likelihood ratios of a dataset and of one with a record more, at a parameter in A."""
    return [Le(d_x, exp(near_bound()) * d_z), Le(d_z, exp(near_bound()) * d_x)]


def ratio_of_one():
    """Ratio d of the record that one of the two has more."""
    return contaminated(x_1, x_3) / contaminated(x_2, x_3)


def one_more_at(record):
    """State that one of two products of d has one factor more."""
    more = likelihood_ratio(record)
    left, right = first(theta), second(theta)
    return Every(theta, Or(Eq(left, right * more), Eq(right, left * more)))


@claim(
    "note-corollary-30-posterior",
    place="Corollary 30: Remark 20, repaired, with the bound of Lemma 14 on d",
    given=lambda: [
        lipschitz(),
        in_the_ball(),
        one_more_at(x),
        *exist((BY_FIRST, BY_SECOND), (inside(S), 1 - inside(A))),
    ],
    using=[
        (
            "note-corollary-30-record",
            lambda: {
                in_a: inside(A),
                weight: away(theta),
                x_1: f_of(x, theta),
                x_2: f_at(x),
                x_3: g_at(x),
                d_x: first(theta),
                d_z: second(theta),
            },
        ),
        ("note-remark-20", lambda: {eta: exp(near_bound())}),
    ],
)
def posterior_of_adjacent_datasets():
    """Privacy of a posterior draw of a contaminated model for adjacent datasets, from a set of parameters."""
    return bound_at(exp(near_bound()))


def bound_at(most):
    """Eq. 5 for two products of d, with a bound on their ratio."""
    far_first, far_second = (mass(1 - inside(A)) for mass in (BY_FIRST, BY_SECOND))
    of_s = BY_SECOND(inside(S)) / BY_SECOND()
    return Le(
        BY_FIRST(inside(S)) / BY_FIRST(),
        most * (most + far_second / BY_FIRST()) * of_s + far_first / BY_FIRST(),
    )


@claim(
    "note-corollary-30-constants",
    place="Corollary 30: delta from the bounds of Lemmas 12 and 13, and epsilon from those of (5)",
)
def constants_of_corollary_30():
    """Epsilon and delta of Corollary 30."""
    most = exp(near_bound())
    return [
        Eq(2 * rate(), delta_n() * few_evidence()),
        Eq(exp(epsilon_adjacent()), most * (most + delta_n())),
        Ge(most, 1),
    ]


def outside_seldom(of, event):
    """Return note-theorem-4-outside for the mass outside A, given one of the two datasets."""
    return (
        "note-theorem-4-outside",
        lambda: {
            bad_1: few_x.indicator(data),
            bad_2: event.indicator(data),
            far_x: mass_given(of, outside()),
            all_x: mass_given(first_of),
            level_0: few_evidence(),
            level_2: 2 * rate(),
            bound_0: delta_n(),
        },
    )


@claim(
    "note-corollary-30-dataset",
    place="Corollary 30 for a pair of datasets: if privacy fails, one of the bounds does",
    given=lambda: [
        lipschitz(),
        in_the_ball(),
        one_more(),
        *posteriors_exist(),
        Or(Eq(chosen(bad), 0), fails()),
        *bounds_hold_elsewhere(),
    ],
    using=[
        (
            "note-corollary-30-posterior",
            lambda: {
                x: x_of(data),
                first(theta).function: Lambda((theta,), first_of(data, theta)),
                second(theta).function: Lambda((theta,), second_of(data, theta)),
                S.indicator(theta).function: Lambda((theta,), in_the_set()),
            },
        ),
        "note-corollary-30-constants",
        outside_seldom(first_of, many_x),
        outside_seldom(second_of, many_z),
        (
            "note-theorem-4-failing",
            lambda: parts_of_a_failing_pair(
                (posterior_of_the_set(first_of), posterior_of_the_set(second_of)),
                (mass_given(first_of, outside()), mass_given(second_of, outside())),
                mass_given(first_of),
                (exp(epsilon_adjacent()), exp(near_bound())),
            ),
        ),
    ],
    proof=lambda: [
        step(
            "the posterior",
            [Ge(posterior_of_the_set(of), 0) for of in (first_of, second_of)],
        ),
    ],
)
def privacy_fails_for_few_pairs():
    """Failure of privacy for a pair of adjacent datasets, by the events where a bound fails."""
    one, two, three = (event.indicator(data) for event in (few_x, many_x, many_z))
    return Le(chosen(bad), one + two + three)


@claim(
    "note-corollary-30-datasets",
    place="Corollary 30: where privacy fails one of the bounds does",
    given=lambda: [lipschitz(), in_the_ball(), pairs_of_datasets()],
    using=[("note-corollary-30-dataset", lambda: {data: data})],
)
def privacy_fails_for_adjacent_datasets_in_three_events():
    """Failure of privacy for a pair of adjacent datasets, for all pairs."""
    return in_one_of_three()


# --- corollary 30: Lemma 12 for a dataset with one record more ----------------------------------------


def one_more_than_n():
    """Return the bounds on the size of the first dataset and on the radius."""
    return [Le(first_size, n + 1), Le(t, Rational(1, 8))]


@claim(
    "note-corollary-30-level",
    place="Corollary 30, the last step of Lemma 12 for one record more: q_2 is the probability, w_0 the prior mass of the neighbourhood, u_1 the prior "
    "mean of the moment in it",
    given=lambda: [
        weight > 0,
        *one_more_than_n(),
        Le(mass_2 * weight, (exp(-2 * n * t) / 2) ** alpha * number),
        Le(number, exp(first_size * alpha * t) * weight),
    ],
    proof=lambda: [
        step("the power", Le((exp(-2 * n * t) / 2) ** alpha, exp(-2 * n * t * alpha))),
        step("one record", Le(alpha * t, Rational(1, 8))),
        step("the records", Le(first_size * (alpha * t), (n + 1) * (alpha * t))),
        step("the exponents", Le(first_size * alpha * t, n * alpha * t + Rational(1, 8))),
        step("a factor", Le(exp(Rational(1, 8)), 4)),
        step("the exponential", Le(exp(first_size * alpha * t), 4 * exp(n * alpha * t))),
        step("together", Le(mass_2 * weight, 4 * exp(-n * alpha * t) * weight)),
    ],
)
def small_evidence_by_its_multiple():
    """Probability of a small evidence of one record more, by its multiple with the prior mass of the neighbourhood."""
    return Le(mass_2, 4 * exp(-n * alpha * t))


def seldom_small():
    """The inequality of Lemma 12 for one record more."""
    return Le(probability(datasets, bad), 4 * exp(-n * alpha * t))


def evidence_of_the_first(moment_of):
    """Return the conditions of Lemma 10, where the first dataset may have one record more."""
    return [
        neighbourhood(moment_of),
        exchanged(inside(near), power()),
        Gt(prior_mean(inside(near)), 0),
        Every(data, small_evidence(exp(-2 * n * t) / 2 * prior_mean(inside(near)))),
        *moments_exist(moment_of, first_size),
        *one_more_than_n(),
    ]


@claim(
    "note-corollary-30-lemma-10",
    place="Corollary 30: Lemma 10 for N_1 records, at most n + 1, with the bound on the evidence that it has for n",
    try_at=[{n: 1, first_size: 2, t: "1/8", alpha: 1}],
    given=lambda: evidence_of_the_first(moment_of_a_record),
    using=[
        "note-lemma-10-markov",
        ("note-lemma-10-averaged", lambda: {n: first_size}),
        (
            "note-corollary-30-level",
            lambda: {
                mass_2: probability(datasets, bad),
                weight: prior_mean(inside(near)),
                number: prior_mean(inside(near) * averaged(power())),
            },
        ),
    ],
)
def small_evidence_of_one_record_more():
    """Probability of a small evidence, for one record more."""
    return seldom_small()


@claim(
    "note-corollary-30-contaminated",
    place="Corollary 30: note-corollary-30-lemma-10 for contaminated records",
    try_at=[{n: 1, first_size: 2, t: "1/8", alpha: 1, p_0: "1/6"}],
    given=lambda: evidence_of_the_first(moment_at_any_rate),
    using=[
        "note-lemma-12-positive",
        (
            "note-corollary-30-lemma-10",
            contaminated_densities,
        ),
    ],
)
def small_evidence_of_contaminated_records():
    """Probability of a small evidence of contaminated records, for one record more."""
    return seldom_small()


@claim(
    "note-corollary-30-lemma-12",
    place="Corollary 30: Lemma 12 for N_1 records, at most n + 1, from Assumption 2 for n, with the bound on the evidence that it has for n. t_n is at most 1/8",
    try_at=[{n: 1, first_size: 2, t: "1/8", alpha: 1, p_0: "1/6", c_3: "1/10"}],
    given=lambda: [
        *near_the_truth(),
        *moments_exist(moment_at_any_rate, first_size),
        *one_more_than_n(),
    ],
    using=[
        ("note-lemma-12-parameter", lambda: {theta: at}),
        "note-lemma-12-mass",
        "note-corollary-30-contaminated",
    ],
    proof=steps_to_the_prior,
)
def evidence_of_one_record_more():
    """Probability of a small evidence for one record more, by the prior mass of a neighbourhood."""
    return seldom_small()


@claim(
    "note-corollary-30-index",
    place="Corollary 30: its failure probability has n, that of the larger dataset, in the exponent, and its proof has the n - 1 records of the smaller one, here n. The "
    "constant, which the corollary leaves open, takes the difference; c_2 stands for c_5, C_0 for the constant",
    proof=lambda: [
        step("the square", Le(c_2 * phi**2, c_2)),
        step("the exponents", Le(-c_2 * (n * phi**2), c_2 - c_2 * ((n + 1) * phi**2))),
    ],
)
def failure_by_the_larger_dataset():
    """Failure probability by the number of records of the smaller dataset, and of the larger one."""
    return Le(factor * exp(-c_2 * (n * phi**2)), factor * exp(c_2) * exp(-c_2 * ((n + 1) * phi**2)))


def ratio_of_first(parameter=theta):
    """Likelihood ratio of the records of the first dataset."""
    return first_of(data, parameter)


def ratio_of_second(parameter=theta):
    """Likelihood ratio of the records of the second dataset."""
    return second_of(data, parameter)


@claim(
    "note-corollary-30-evidence",
    place="Corollary 30: Lemma 12 for the first dataset, with t_n = c_1 phi_n**2 / 8, and c_1 of at most 1",
    try_at=[{n: 1, first_size: 2, phi: "1/6", alpha: 1, p: "1/6", c_1: 1, c_3: "1/10"}],
    given=lambda: [
        Le(first_size, n + 1),
        Le(c_1, 1),
        *conditions_of_lemma_12(ratio_of_first, first_size),
    ],
    using=[
        (
            "note-corollary-30-lemma-12",
            lambda: {**put_in(ratio_of_first, few_x), p_0: p, t: radius_of_12()},
        ),
    ],
    proof=lambda: [step("the radius", Le(radius_of_12(), Rational(1, 8)))],
)
def evidence_of_the_first_dataset():
    """Probability of a small evidence of the first dataset."""
    return Le(probability(datasets, few_x), 4 * exp(-n * alpha * radius_of_12()))


@claim(
    "note-corollary-30-outside-first",
    place="Corollary 30: Lemma 13 for the first dataset, from the conclusion of Lemma 8",
    given=lambda: [
        mass_outside_the_sieve(),
        *conditions_of_lemma_13(ratio_of_first, many_x, large_x),
    ],
    using=[by_lemma_13(ratio_of_first, many_x, large_x)],
)
def evidence_outside_of_the_first():
    """Probability of a large evidence outside A, of the first dataset."""
    return evidence_outside_seldom(many_x)


@claim(
    "note-corollary-30-outside-second",
    place="Corollary 30: Lemma 13 for the second dataset, from the conclusion of Lemma 8",
    given=lambda: [
        mass_outside_the_sieve(),
        *conditions_of_lemma_13(ratio_of_second, many_z, large_z),
    ],
    using=[by_lemma_13(ratio_of_second, many_z, large_z)],
)
def evidence_outside_of_the_second():
    """Probability of a large evidence outside A, of the second dataset."""
    return evidence_outside_seldom(many_z)


def bounds_for_the_two_sizes():
    """The bound of Lemma 12 for the first dataset, which may be the larger one, and of Lemma 13 for both."""
    weight_ = n * phi**2
    far_away = factor * exp(-c_2 * weight_) + c_4 * exp(-c_1 * weight_)
    return [
        Le(probability(datasets, few_x), 4 * exp(-c_1 * alpha / 8 * weight_)),
        *(Le(probability(datasets, event), far_away) for event in (many_x, many_z)),
    ]


@claim(
    "corollary-30",
    place="Corollary 30; B is any event of pairs of strictly adjacent datasets for each of which the "
    "inequality fails at some set S, whichever of the two is the larger. n is the number of records of the "
    "smaller one, n - 1 in the print (note-corollary-30-index)",
    scope="the step from the bounds of lemmas 12 and 13 for the two sizes, and from the conclusion of proposition 3, that A lies within psi_n of "
    "theta*, which are conditions here. The bounds are proved for either size (note-corollary-30-evidence, with 4 for the constant 2 of lemma 12, "
    "note-corollary-30-outside-first and note-corollary-30-outside-second); their combination with this step is not proved: no example was found that meets all "
    "their conditions at once. Lemma 13 rests on lemma 8, a bound on an empirical process. Assumption 4 is taken for a "
    "neighbourhood, with the mean value step, Remark 20 as repaired, and densities f that are positive",
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
        "remark-20.i": "what is used of its repair is note-remark-20, for both displays",
        "remark-20.ii": "what is used of its repair is note-remark-20, for both displays",
    },
    using=["note-corollary-30-datasets", "note-theorem-4-union", "note-theorem-4-failure"],
    given=lambda: [
        lipschitz(),
        in_the_ball(),
        pairs_of_datasets(),
        *bounds_for_the_two_sizes(),
    ],
    proof=lambda: [
        step(
            "the three events",
            Le(
                probability(datasets, bad),
                4 * exp(-c_1 * alpha / 8 * (n * phi**2))
                + 2 * factor * exp(-c_2 * (n * phi**2))
                + 2 * c_4 * exp(-c_1 * (n * phi**2)),
            ),
        ),
    ],
)
def posterior_draws_of_adjacent_datasets():
    """Random differential privacy of a posterior draw for strictly adjacent datasets."""
    return Le(
        probability(datasets, bad),
        (4 + 2 * factor + 2 * c_4) * exp(-Min(c_1 * alpha / 8, c_2) * (n * phi**2)),
    )
