"""Lemmas 11 and 12 and Theorem 4, for any model, prior and contamination.

As in `general`: densities are those for a measure mu, and omega is a pair of neighbouring datasets.
"""

from functools import partial

from sympy import Eq, Ge, Gt, Lambda, Le, Lt, Min, Or, exp, log

from dpbook import Every, claim, step
from dpbook.contamination.any_models import AnyFunction, Choice, Record, integral
from dpbook.contamination.claims.general import (
    FUBINI,
    A,
    S,
    averaged,
    away,
    bad,
    chosen,
    d,
    datasets,
    exchanged,
    exist,
    f_at,
    f_of,
    g_at,
    inside,
    k_at,
    k_of,
    likelihood,
    likelihood_ratio,
    near,
    near_bound,
    neighbourhood,
    others,
    outside,
    power,
    prior_mean,
    records,
    small_evidence,
    weighed,
    zero_or_one,
)
from dpbook.contamination.notation import (
    T,
    after_x,
    after_z,
    all_x,
    alpha,
    at,
    bad_0,
    bad_1,
    bad_2,
    bad_3,
    bound_0,
    c_1,
    c_2,
    c_3,
    c_4,
    contaminated,
    data,
    eta,
    f,
    f_1,
    f_2,
    f_3,
    f_4,
    f_star,
    factor,
    far_x,
    far_z,
    g,
    in_a,
    level_0,
    level_2,
    n,
    p,
    p_0,
    phi,
    psi,
    ratio,
    t,
    theta,
    weight,
    x,
    x_1,
    x_2,
    x_3,
    y,
    y_1,
    y_2,
    z,
    z_1,
    z_2,
    z_3,
)
from dpbook.privacy.any_distributions import AnyEvent
from dpbook.privacy.statements import probability

# --- neighbourhoods of the true parameter -----------------------------------------------------------


def without_contamination(record, parameter=None):
    """Density of a record that is not contaminated."""
    return f_at(record) if parameter is None else f_of(record, parameter)


def with_contamination(record, parameter=None, rate=p):
    """Density of a contaminated record."""
    return contaminated(without_contamination(record, parameter), g_at(record), rate)


def at_any_rate(record, parameter=None):
    """Density of a contaminated record, at any rate from 0 on."""
    return with_contamination(record, parameter, p_0)


def excess(parameter, density):
    """The integral in definition 6, of theta* and another parameter."""
    true, other = density(y_2), density(y_2, parameter)
    return integral(records.density(y_2) * (((true / other) ** alpha - 1) * true), y_2)


def divergence(parameter, density):
    """The divergence rho of definition 6, of theta* and another parameter."""
    return excess(parameter, density) / alpha


@claim(
    "note-lemma-11-tangent",
    place="Lemma 11: the integrand of definition 6 above its tangent",
    using=[("note-power-tangent", lambda: {ratio: ratio * f / f_star})],
    proof=lambda: [
        step(
            "the power",
            Eq(ratio**alpha * (ratio * f / f_star) ** (-alpha), (f_star / f) ** alpha),
        ),
        step(
            "times a power and the density",
            Ge(
                (f_star / f) ** alpha * f_star,
                ratio**alpha * (1 + alpha - alpha * (ratio * f / f_star)) * f_star,
            ),
        ),
    ],
)
def integrand_above_its_tangent():
    """Integrand of the divergence of two distributions, above its tangent in any direction."""
    return Ge(
        (f_star / f) ** alpha * f_star,
        ratio**alpha * ((1 + alpha) * f_star - alpha * ratio * f),
    )


@claim(
    "note-lemma-11-scaled",
    place="Lemma 11 at a record: d is the ratio of the contaminated densities",
    given=lambda: [Eq(ratio * raised(f), raised(f_star))],
    using=[
        "note-lemma-11-tangent",
        ("note-lemma-11-tangent", lambda: {f: g, f_star: g}),
    ],
    proof=lambda: [
        step("of g", Ge(g, ratio**alpha * ((1 + alpha) * g - alpha * ratio * g))),
        step(
            "together",
            Ge(
                (1 - p_0) * ((f_star / f) ** alpha * f_star) + p_0 * g,
                ratio**alpha * ((1 + alpha) * raised(f_star) - alpha * ratio * raised(f)),
            ),
        ),
        step(
            "the direction",
            Eq((1 + alpha) * raised(f_star) - alpha * ratio * raised(f), raised(f_star)),
        ),
    ],
)
def divergence_by_the_ratio():
    """Integrand of the divergence of two distributions, contaminated and not, by the ratio of the densities."""
    return Le(
        (ratio**alpha - 1) * raised(f_star),
        (1 - p_0) * (((f_star / f) ** alpha - 1) * f_star),
    )


def raised(density):
    """A density with contamination, at any rate from 0 on."""
    return contaminated(density, g, p_0)


@claim("note-lemma-11-quotient", place="used by note-lemma-11-record")
def quotient():
    """Quotient of two densities, times its denominator."""
    return Eq(f_star / f * f, f_star)


@claim(
    "note-lemma-11-record",
    place="Lemma 11 at a record",
    using=[
        (
            "note-lemma-11-scaled",
            lambda: {ratio: raised(f_star) / raised(f)},
        ),
        (
            "note-lemma-11-quotient",
            lambda: {f: raised(f), f_star: raised(f_star)},
        ),
    ],
    proof=lambda: [
        step("a density", [Gt(raised(f), 0), Gt(raised(f_star), 0)]),
        step(
            "without the weight",
            Le(
                ((raised(f_star) / raised(f)) ** alpha - 1) * raised(f_star),
                (1 - p_0) * (((f_star / f) ** alpha - 1) * f_star),
            ),
        ),
    ],
)
def divergence_of_a_contaminated_record():
    """Integrand of the divergence of two distributions, contaminated and not."""
    true, other = raised(f_star), raised(f)
    return Le(
        weight * (((true / other) ** alpha - 1) * true),
        (1 - p_0) * (weight * (((f_star / f) ** alpha - 1) * f_star)),
    )


@claim(
    "lemma-11",
    place="Lemma 11, for every rate p_0 with 0 <= p_0 < 1: a parameter in the neighbourhood without contamination is in the one with it. "
    "The densities f are positive, as Definition 6 divides by them; that its two integrals exist is said by the bound -1, which they have wherever "
    "they exist",
    cites=[],
    given=lambda: [
        Le(divergence(theta, without_contamination), t),
        Ge(excess(theta, without_contamination), -1),
        Ge(excess(theta, at_any_rate), -1),
    ],
    using=[
        (
            "note-lemma-11-record",
            lambda: {
                f: f_of(y_2, theta),
                f_star: f_at(y_2),
                g: g_at(y_2),
                weight: records.density(y_2),
            },
        )
    ],
    proof=lambda: [
        step(
            "integrated",
            Le(
                excess(theta, at_any_rate),
                (1 - p_0) * excess(theta, without_contamination),
            ),
        ),
    ],
)
def neighbourhoods_grow_with_contamination():
    """Neighbourhoods of Definition 6, with contamination and without."""
    return Le(divergence(theta, at_any_rate), t)


@claim("note-b.3-measure", place="Appendix B.3.2, first display, at a record")
def integrand_by_the_convex_function():
    """Integrand of the divergence of two distributions, by the convex function of the proof."""
    return Eq(
        weight * (((f_star / f) ** alpha - 1) * f_star),
        alpha * (weight * (f_star * (((f / f_star) ** (-alpha) - 1) / alpha))),
    )


@claim(
    "text-b.3-measure-corrected",
    place="Appendix B.3.2, first display, by Definition 6: the divergence is that of the convex function (u**(-alpha) - 1)/alpha "
    "of the ratio of the densities, under the distribution of theta*; at any rate from 0 on",
    corrects=["text-b.3-measure"],
    why="Under the distribution of theta the integral is 0 at alpha = 1; Definition 6 has that of theta*.",
    given=lambda: [Ge(excess(theta, at_any_rate), -1), Ge(by_convex_function(), -1 / alpha)],
    using=[
        (
            "note-b.3-measure",
            lambda: {
                f: at_any_rate(y_2, theta),
                f_star: at_any_rate(y_2),
                weight: records.density(y_2),
            },
        )
    ],
    proof=lambda: [
        step("integrated", Eq(excess(theta, at_any_rate), alpha * by_convex_function()))
    ],
)
def divergence_by_the_convex_function():
    """Divergence of Definition 6, as the divergence of a convex function."""
    return Eq(divergence(theta, at_any_rate), by_convex_function())


def by_convex_function():
    """Mean under the distribution of theta* of the convex function of the ratio of the densities."""
    true, other = at_any_rate(y_2), at_any_rate(y_2, theta)
    return integral(records.density(y_2) * (true * (((other / true) ** (-alpha) - 1) / alpha)), y_2)


@claim("note-lemma-12-record", place="Lemma 12: the integrands of Lemma 10 and of definition 6")
def moment_of_a_record_by_its_divergence():
    """Integrand of the moment of a record, by the integrand of its divergence."""
    return Eq(
        weight * (f_star ** (1 + alpha) * f ** (-alpha)),
        weight * (((f_star / f) ** alpha - 1) * f_star) + weight * f_star,
    )


def density_of_a_record():
    """State that k_p at theta* is a density."""
    return Eq(integral(records.density(y_2) * at_any_rate(y_2), y_2), 1)


def moment_at_any_rate(parameter=theta):
    """Moment of the likelihood ratio of a contaminated record."""
    true, other = at_any_rate(y_2), at_any_rate(y_2, parameter)
    return integral(records.density(y_2) * true ** (1 + alpha) * other ** (-alpha), y_2)


def existing_divergences(parameter):
    """State that the integrals of definition 6 exist."""
    return [
        Ge(excess(parameter, without_contamination), -1),
        Ge(excess(parameter, at_any_rate), -1),
        Ge(moment_at_any_rate(parameter), 0),
    ]


def prior_near_the_truth():
    """State that N lies in the neighbourhood of definition 6 without contamination."""
    close = Le(divergence(at, without_contamination), t)
    return Every(at, close, [Eq(near.indicator(at), 1)])


@claim(
    "note-lemma-12-parameter",
    place="Lemma 12 at a parameter: definition 6 in the form of Lemma 10",
    given=lambda: [
        density_of_a_record(),
        *existing_divergences(theta),
        prior_near_the_truth(),
        Eq(inside(near), 1),
    ],
    using=[
        "lemma-11",
        (
            "note-lemma-12-record",
            lambda: {
                f: at_any_rate(y_2, theta),
                f_star: at_any_rate(y_2),
                weight: records.density(y_2),
            },
        ),
    ],
    proof=lambda: [
        step("by Lemma 11", Le(divergence(theta, at_any_rate), t)),
        step(
            "the moment",
            Eq(moment_at_any_rate(), excess(theta, at_any_rate) + 1),
        ),
    ],
)
def moment_near_the_truth():
    """Moment of the likelihood ratio of a record in the neighbourhood without contamination."""
    return Le((moment_at_any_rate() - 1) / alpha, t)


@claim("note-lemma-12-positive", place="Lemma 12: a contaminated density, at any rate from 0 on")
def contaminated_densities_are_positive():
    """Density of a contaminated record, for all records and parameters."""
    return [
        Every(y, Every(theta, Gt(at_any_rate(y, theta), 0))),
        Every(y, Gt(at_any_rate(y), 0)),
    ]


def moments_exist(moment_of=moment_at_any_rate, size=n):
    """Return the conditions that the moments of a record and of a dataset exist, and that its records are independent."""
    mean = averaged(likelihood(data, at) ** (-alpha))
    return [
        Every(at, Eq(mean, moment_of(at) ** size)),
        *(Every(at, Ge(moment, 0)) for moment in (moment_of(at), mean)),
    ]


def few_datasets_are_bad():
    """State that the evidence is at most c_3 exp(-4 n t) / 2, or the dataset not in the event."""
    total = prior_mean(likelihood(data, theta))
    return [
        Or(Eq(chosen(bad), 0), Le(total, c_3 / 2 * exp(-4 * n * t))),
        Ge(prior_mean(inside(near) * power()), 0),
        Ge(total, 0),
    ]


def mass_near_the_truth():
    """Assumption 2."""
    return Ge(prior_mean(inside(near)), c_3 * exp(-2 * n * t))


@claim(
    "note-lemma-12-mass",
    place="Lemma 12: the bound on the evidence, by Assumption 2",
    given=lambda: [mass_near_the_truth()],
    proof=lambda: [
        step(
            "the exponentials",
            Eq(
                c_3 / 2 * exp(-4 * n * t),
                exp(-2 * n * t) / 2 * (c_3 * exp(-2 * n * t)),
            ),
        ),
    ],
)
def evidence_by_the_prior_mass():
    """Bound on the evidence under Assumption 2, by the prior mass of the neighbourhood."""
    return Le(c_3 / 2 * exp(-4 * n * t), exp(-2 * n * t) / 2 * prior_mean(inside(near)))


def contaminated_densities():
    """Return the densities of a contaminated record, in place of any densities."""
    return {
        k_of(y, theta).function: Lambda((y, theta), at_any_rate(y, theta)),
        k_at(y).function: Lambda((y,), at_any_rate(y)),
    }


@claim(
    "note-lemma-12-evidence",
    place="Lemma 12: Lemma 10 for contaminated records, at any rate from 0 on",
    given=lambda: [
        neighbourhood(moment_at_any_rate),
        exchanged(inside(near), power()),
        Gt(prior_mean(inside(near)), 0),
        Every(data, small_evidence(exp(-2 * n * t) / 2 * prior_mean(inside(near)))),
        *moments_exist(),
    ],
    using=[
        "note-lemma-12-positive",
        (
            "note-lemma-10-evidence",
            contaminated_densities,
        ),
    ],
)
def evidence_of_contaminated_records():
    """Probability of a small evidence of contaminated records."""
    return Le(probability(datasets, bad), 2 * exp(-n * alpha * t))


def near_the_truth():
    """Return the conditions of Lemma 12 but for moments: Assumption 2, and the other conditions of Lemma 10."""
    return [
        density_of_a_record(),
        Every(at, existing_divergences(at)),
        prior_near_the_truth(),
        mass_near_the_truth(),
        exchanged(inside(near), power()),
        Every(data, few_datasets_are_bad()),
    ]


def conditions_of_lemma_12():
    """Return the conditions of Lemma 12: Assumption 2, and the conditions of Lemma 10."""
    return [*near_the_truth(), *moments_exist()]


def steps_to_the_prior():
    """Return the steps from Assumption 2 to the neighbourhood of Lemma 10."""
    return [
        step("every parameter of N", neighbourhood(moment_at_any_rate)),
        step("the mass is positive", Gt(prior_mean(inside(near)), 0)),
    ]


@claim(
    "note-lemma-12-prior",
    place="Lemma 12, for every rate from 0 on, where the two orders of integration agree, and the moments of n records are powers of that of one",
    given=conditions_of_lemma_12,
    using=[
        ("note-lemma-12-parameter", lambda: {theta: at}),
        "note-lemma-12-mass",
        "note-lemma-12-evidence",
    ],
    proof=steps_to_the_prior,
)
def evidence_by_the_prior():
    """Probability of a small evidence, by the prior mass of a neighbourhood."""
    return evidence_seldom_small()


def evidence_seldom_small():
    """The inequality of Lemma 12."""
    return Le(probability(datasets, bad), 2 * exp(-n * alpha * t))


@claim(
    "lemma-12",
    place="Lemma 12, for every rate from 0 on; N is the neighbourhood of Assumption 2, or a part of it, and B any event "
    "in which the evidence is small",
    cites=["lemma-10", "lemma-11"],
    without={
        "lemma-10": "what is used of it is note-lemma-10-evidence",
        "lemma-11": "it is used by note-lemma-12-parameter",
    },
    scope=FUBINI,
    given=conditions_of_lemma_12,
    using=["note-lemma-12-prior"],
)
def evidence_under_assumption_2():
    """Probability of a small evidence under Assumption 2."""
    return evidence_seldom_small()


@claim(
    "text-3.2-sketch-corrected",
    place="Section 3.2, sketch, first bound: that of Lemma 12, with the names of that lemma",
    corrects=["text-3.2-sketch"],
    why="The exponent of Lemma 12 is n alpha t_n, without the 2.",
    scope=FUBINI,
    given=conditions_of_lemma_12,
    using=["note-lemma-12-prior"],
)
def failure_of_the_evidence():
    """Probability of a small evidence, as the lemma has it."""
    return evidence_seldom_small()


# --- theorem 4: one pair of datasets ----------------------------------------------------------------

x_of, z_of = AnyFunction("x", 1, Record), AnyFunction("z", 1, Record)
shared, chosen_s = AnyFunction("E", 2), AnyFunction("S", 2, Choice)
few_x, many_x, many_z = AnyEvent("B_1"), AnyEvent("B_2"), AnyEvent("B_3")


def rate():
    """The bound of lemma 8 on a likelihood ratio."""
    return exp(-c_1 * n * phi**2)


def delta_n():
    """Delta of Theorem 4."""
    return 4 / c_3 * exp(-c_1 * n * phi**2 / 2)


def epsilon_n():
    """Epsilon of Theorem 4: the bound on log eta is 2 (1 - p) T psi / p."""
    return 2 * near_bound() + log(delta_n() + exp(2 * near_bound()))


def unless(*events, then):
    """State that something holds, or the datasets lie in one of the events."""
    return Or(*(Eq(event, 1) for event in events), then)


@claim(
    "note-theorem-4-outside",
    place="Theorem 4 for a pair of datasets: the mass outside A. J_1 and J_2 are 1 where the evidence is "
    "small, and where it is large outside A",
    given=lambda: [
        unless(bad_1, then=Gt(all_x, level_0)),
        unless(bad_2, then=Lt(far_x, level_2)),
        Eq(level_2, bound_0 * level_0),
    ],
    proof=lambda: [step("the evidence", unless(bad_1, then=Le(level_2, bound_0 * all_x)))],
)
def mass_outside():
    """Mass outside A, by the mass of all parameters, or one of the bounds fails."""
    return unless(bad_1, bad_2, then=Le(far_x, bound_0 * all_x))


@claim(
    "note-theorem-4-failing",
    place="Theorem 4 for a pair of datasets, from proposition 1: if privacy fails a bound does. J_0 is 1 "
    "where it fails, J_1 where the evidence is small, J_2 and J_3 where it is large outside A, given X "
    "and given Z",
    given=lambda: [
        zero_or_one(bad_0),
        *(Ge(event, 0) for event in (bad_1, bad_2, bad_3)),
        Le(after_x, eta * (eta + far_z / all_x) * after_z + far_x / all_x),
        Or(Eq(bad_0, 0), Gt(after_x, factor * after_z + bound_0)),
        Eq(factor, eta * (eta + bound_0)),
        unless(bad_1, bad_2, then=Le(far_x, bound_0 * all_x)),
        unless(bad_1, bad_3, then=Le(far_z, bound_0 * all_x)),
    ],
    proof=lambda: [
        step("outside", unless(bad_1, bad_2, then=Le(far_x / all_x, bound_0))),
        step("outside, given Z", unless(bad_1, bad_3, then=Le(far_z / all_x, bound_0))),
        step("the factor", unless(bad_1, bad_3, then=Le(eta * (eta + far_z / all_x), factor))),
        step(
            "times a probability",
            unless(
                bad_1,
                bad_3,
                then=Le(eta * (eta + far_z / all_x) * after_z, factor * after_z),
            ),
        ),
        step(
            "together",
            unless(bad_1, bad_2, bad_3, then=Le(after_x, factor * after_z + bound_0)),
        ),
    ],
)
def privacy_fails_where_a_bound_does():
    """Failure of privacy, by the events where a bound fails."""
    return Le(bad_0, bad_1 + bad_2 + bad_3)


def lipschitz():
    """Assumption 4, repaired as for Lemma 14: on A, f(y; .) has at theta* the constant T g(y)."""
    change = f_of(y, at) - f_at(y)
    size = T * away(at) * g_at(y)
    in_a_ = A.indicator(at)
    return Every(y, Every(at, [Le(in_a_ * change, size), Le(in_a_ * -change, size)]))


def in_the_ball():
    """The conclusion of proposition 3: A lies in the ball of radius psi."""
    return Every(at, Le(A.indicator(at) * away(at), psi))


@claim(
    "note-theorem-4-records",
    place="Theorem 4: Lemma 14 at two records, for a parameter in A; w_0 is its distance from theta*",
    given=lambda: [
        Eq(in_a, 1),
        Le(in_a * weight, psi),
        Le(in_a * (x_1 - x_2), T * weight * x_3),
        Le(in_a * (z_2 - z_1), T * weight * z_3),
    ],
    using=[
        ("note-lemma-14-two-records", lambda: {f_1: x_1, f_2: x_2, f_3: z_1, f_4: z_2}),
    ],
    proof=lambda: [
        step("at most the radius", [Le(T * weight, T * psi)]),
        step(
            "at both records",
            [Le(T * weight * x_3, T * psi * x_3), Le(T * weight * z_3, T * psi * z_3)],
        ),
        step("the changes", [Le(x_1 - x_2, T * psi * x_3), Le(z_2 - z_1, T * psi * z_3)]),
    ],
)
def ratios_in_a():
    """Ratio of d at two records, at a parameter in A."""
    first = contaminated(x_1, x_3) / contaminated(x_2, x_3)
    second = contaminated(z_1, z_3) / contaminated(z_2, z_3)
    return Le(first, exp(2 * near_bound()) * second)


def at_two_records():
    """Return note-theorem-4-records, Lemma 14 at two records and a parameter."""
    return (
        "note-theorem-4-records",
        lambda: {
            in_a: inside(A),
            weight: away(theta),
            x_1: f_of(y, theta),
            x_2: f_at(y),
            x_3: g_at(y),
            z_1: f_of(y_1, theta),
            z_2: f_at(y_1),
            z_3: g_at(y_1),
        },
    )


def ratio_given(record):
    """Likelihood ratio of the records that X and Z share and of one more, by its place in a pair."""
    return shared(data, theta) * likelihood_ratio(record(data))


def mass_given(record, part=None):
    """m_n of a set of parameters, given X or Z."""
    return prior_mean(weighed(part, ratio_given(record)))


def in_the_set():
    """1 in the set S that is chosen for a pair of datasets."""
    return chosen_s(data, theta)


def posterior_of_the_set(record):
    """Posterior probability of S, given X or Z."""
    return mass_given(record, in_the_set()) / mass_given(record)


def posteriors_exist():
    """State that the posteriors exist, and that S and A are measurable."""
    return exist(tuple(partial(mass_given, record) for record in (x_of, z_of)), parts())


def parts():
    """Return the sets of parameters over which the posterior is integrated: S, and outside A."""
    return in_the_set(), outside()


def fails():
    """State that the inequality of Theorem 4 fails for the set S of a pair of datasets."""
    allowed = exp(epsilon_n()) * posterior_of_the_set(z_of) + delta_n()
    return Gt(posterior_of_the_set(x_of), allowed)


def bounds_hold_elsewhere():
    """State that outside three events the bounds of Lemmas 12 and 13 hold."""
    return [
        unless(few_x.indicator(data), then=Gt(mass_given(x_of), few_evidence())),
        unless(many_x.indicator(data), then=Lt(mass_given(x_of, outside()), 2 * rate())),
        unless(many_z.indicator(data), then=Lt(mass_given(z_of, outside()), 2 * rate())),
    ]


def few_evidence():
    """The bound of Lemma 12, as t_n is c_1 phi_n**2 / 8."""
    return c_3 / 2 * exp(-c_1 * n * phi**2 / 2)


def mass(record, part=None):
    """m_n of a set of parameters, with d written out."""
    return prior_mean(weighed(part, others(theta) * likelihood_ratio(record)))


@claim("note-theorem-4-ratio", place="used by note-theorem-4-positive")
def ratio_is_positive():
    """Likelihood ratio of two densities at a record."""
    return Gt(contaminated(f, g) / contaminated(f_star, g), 0)


@claim(
    "note-theorem-4-positive",
    place="used by note-theorem-4-posterior",
    using=[
        (
            "note-theorem-4-ratio",
            lambda: {f: f_of(y, theta), f_star: f_at(y), g: g_at(y)},
        )
    ],
)
def ratios_are_positive():
    """Likelihood ratio of a record, for all records and parameters."""
    return Every(y, Every(theta, Gt(likelihood_ratio(y), 0)))


@claim(
    "note-theorem-4-posterior",
    place="Theorem 4: proposition 1 with the bound of Lemma 14 on eta",
    given=lambda: [
        lipschitz(),
        in_the_ball(),
        *(Gt(mass(record), 0) for record in (x, z)),
        *(Ge(mass(record, inside(S)), 0) for record in (x, z)),
        *(Ge(mass(record, 1 - inside(A)), 0) for record in (x, z)),
    ],
    using=[
        at_two_records(),
        (
            "proposition-1",
            lambda: {
                d(y, theta).function: Lambda((y, theta), likelihood_ratio(y)),
                eta: exp(2 * near_bound()),
            },
        ),
        "note-theorem-4-positive",
    ],
)
def posterior_of_a_contaminated_model():
    """Privacy of a posterior draw of a contaminated model, from a set of parameters."""
    of_s = mass(z, inside(S)) / mass(z)
    outside_x, outside_z = (mass(record, 1 - inside(A)) for record in (x, z))
    most = exp(2 * near_bound())
    return Le(
        mass(x, inside(S)) / mass(x),
        most * (most + outside_z / mass(x)) * of_s + outside_x / mass(x),
    )


@claim(
    "note-theorem-4-constants",
    place="Theorem 4: delta from the bounds of Lemmas 12 and 13, and epsilon from those of (5)",
)
def constants_of_theorem_4():
    """Epsilon and delta of Theorem 4."""
    most = exp(2 * near_bound())
    return [
        Eq(2 * rate(), delta_n() * few_evidence()),
        Eq(exp(epsilon_n()), most * (most + delta_n())),
        Ge(most, 1),
    ]


def parts_of_a_failing_pair(after, far, whole, factors):
    """Use of note-theorem-4-failing: posteriors of the set, masses away, the mass of all, and two factors."""
    loss, ratio = factors
    return {
        bad_0: chosen(bad),
        bad_1: few_x.indicator(data),
        bad_2: many_x.indicator(data),
        bad_3: many_z.indicator(data),
        after_x: after[0],
        after_z: after[1],
        far_x: far[0],
        far_z: far[1],
        all_x: whole,
        factor: loss,
        bound_0: delta_n(),
        eta: ratio,
    }


@claim(
    "note-theorem-4-dataset",
    place="Theorem 4 for a pair of datasets: if privacy fails, one of the bounds does",
    given=lambda: [
        lipschitz(),
        in_the_ball(),
        *posteriors_exist(),
        Or(Eq(chosen(bad), 0), fails()),
        *bounds_hold_elsewhere(),
    ],
    using=[
        (
            "note-theorem-4-posterior",
            lambda: {
                x: x_of(data),
                z: z_of(data),
                others(theta).function: Lambda((theta,), shared(data, theta)),
                S.indicator(theta).function: Lambda((theta,), in_the_set()),
            },
        ),
        "note-theorem-4-constants",
        *(
            (
                "note-theorem-4-outside",
                lambda record=record, event=event: {
                    bad_1: few_x.indicator(data),
                    bad_2: event.indicator(data),
                    far_x: mass_given(record, outside()),
                    all_x: mass_given(x_of),
                    level_0: few_evidence(),
                    level_2: 2 * rate(),
                    bound_0: delta_n(),
                },
            )
            for record, event in ((x_of, many_x), (z_of, many_z))
        ),
        (
            "note-theorem-4-failing",
            lambda: parts_of_a_failing_pair(
                (posterior_of_the_set(x_of), posterior_of_the_set(z_of)),
                (mass_given(x_of, outside()), mass_given(z_of, outside())),
                mass_given(x_of),
                (exp(epsilon_n()), exp(2 * near_bound())),
            ),
        ),
    ],
    proof=lambda: [
        step(
            "the posterior",
            [Ge(posterior_of_the_set(record), 0) for record in (x_of, z_of)],
        ),
    ],
)
def privacy_fails_for_few_datasets():
    """Failure of privacy for a pair of datasets, by the events where a bound fails."""
    first, second, third = (event.indicator(data) for event in (few_x, many_x, many_z))
    return Le(chosen(bad), first + second + third)


# --- theorem 4 --------------------------------------------------------------------------------------

large_z = AnyEvent("G")


def in_one_of_three():
    """State that the event B lies in the union of three events."""
    first, second, third = (event.indicator(data) for event in (few_x, many_x, many_z))
    return Every(data, Le(chosen(bad), first + second + third))


@claim(
    "note-theorem-4-datasets",
    place="Theorem 4: where privacy fails one of the bounds does",
    given=lambda: [
        lipschitz(),
        in_the_ball(),
        pairs_of_datasets(),
    ],
    using=[("note-theorem-4-dataset", lambda: {data: data})],
)
def privacy_fails_in_three_events():
    """Failure of privacy for a pair of datasets, for all pairs."""
    return in_one_of_three()


@claim(
    "note-theorem-4-union",
    place="Theorem 4: the probability of an event, by those of three that cover it",
    given=lambda: [in_one_of_three()],
)
def probability_of_three_events():
    """Probability of an event, by the probabilities of three other events."""
    first, second, third = (probability(datasets, event) for event in (few_x, many_x, many_z))
    return Le(probability(datasets, bad), first + second + third)


def pairs_of_datasets():
    """State that the posteriors exist, privacy fails on B, and the bounds hold elsewhere."""
    failing = Or(Eq(chosen(bad), 0), fails())
    return Every(data, [*posteriors_exist(), failing, *bounds_hold_elsewhere()])


def bounds_of_lemmas_12_and_13():
    """The conclusions of Lemma 12 for X, and of Lemma 13 for X and Z."""
    weight_ = n * phi**2
    far_away = factor * exp(-c_2 * weight_) + c_4 * exp(-c_1 * weight_)
    return [
        Le(probability(datasets, few_x), 2 * exp(-c_1 * alpha / 8 * weight_)),
        *(Le(probability(datasets, event), far_away) for event in (many_x, many_z)),
    ]


@claim(
    "note-theorem-4-bounds",
    place="Theorem 4, the last display of its proof, from the bounds of Lemmas 12 and 13; B is any event of pairs of datasets for "
    "each of which the inequality fails at some set S, so it is about the outer measure. B_1, B_2 and "
    "B_3 are where the bounds fail, C_0 is C(n, phi_n)",
    using=["note-theorem-4-datasets", "note-theorem-4-union", "note-theorem-4-failure"],
    given=lambda: [
        lipschitz(),
        in_the_ball(),
        pairs_of_datasets(),
        *bounds_of_lemmas_12_and_13(),
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
def privacy_fails_seldom():
    """Probability that privacy fails, from the probabilities that the bounds of two lemmas do."""
    return seldom()


def seldom():
    """The inequality of Theorem 4 for the probability that privacy fails."""
    return Le(
        probability(datasets, bad),
        (4 + 2 * factor + 2 * c_4) * exp(-Min(c_1 * alpha / 8, c_2) * (n * phi**2)),
    )
