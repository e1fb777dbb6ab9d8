"""Lemmas 11 and 12 and Theorem 4, for any model, prior and contamination.

As in `general`: densities are those for a measure mu, and omega is a pair of neighbouring datasets.
"""

from sympy import Eq, Ge, Gt, Le, Or, exp

from dpbook.contamination.any_models import integral
from dpbook.contamination.claims.general import (
    chosen,
    bad,
    exchanged,
    existing_moments,
    f_at,
    f_of,
    g_at,
    independent_records,
    inside,
    likelihood,
    moment_of_a_record,
    near,
    neighbourhood,
    power,
    prior_mean,
    records,
    datasets,
)
from dpbook.contamination.notation import (
    alpha,
    at,
    c_3,
    contaminated,
    data,
    f,
    f_star,
    g,
    n,
    p,
    ratio,
    t,
    theta,
    weight,
    y_2,
)
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every
from dpbook.privacy.statements import probability

# --- neighbourhoods of the true parameter -----------------------------------------------------------


def without_contamination(record, parameter=None):
    """Density of a record that is not contaminated."""
    return f_at(record) if parameter is None else f_of(record, parameter)


def with_contamination(record, parameter=None):
    """Density of a contaminated record."""
    return contaminated(without_contamination(record, parameter), g_at(record))


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
    """Integrand of the divergence of two laws, above its tangent in any direction."""
    return Ge(
        (f_star / f) ** alpha * f_star,
        ratio**alpha * ((1 + alpha) * f_star - alpha * ratio * f),
    )


@claim(
    "note-lemma-11-scaled",
    place="Lemma 11 at a record: d is the ratio of the contaminated densities",
    given=lambda: [Eq(ratio * contaminated(f, g), contaminated(f_star, g))],
    using=[
        "note-lemma-11-tangent",
        ("note-lemma-11-tangent", lambda: {f: g, f_star: g}),
    ],
    proof=lambda: [
        step("of g", Ge(g, ratio**alpha * ((1 + alpha) * g - alpha * ratio * g))),
        step(
            "together",
            Ge(
                (1 - p) * ((f_star / f) ** alpha * f_star) + p * g,
                ratio**alpha
                * ((1 + alpha) * contaminated(f_star, g) - alpha * ratio * contaminated(f, g)),
            ),
        ),
        step(
            "the direction",
            Eq(
                (1 + alpha) * contaminated(f_star, g) - alpha * ratio * contaminated(f, g),
                contaminated(f_star, g),
            ),
        ),
    ],
)
def divergence_by_the_ratio():
    """Integrand of the divergence of two laws, contaminated and not, by the ratio of the densities."""
    return Le(
        (ratio**alpha - 1) * contaminated(f_star, g),
        (1 - p) * (((f_star / f) ** alpha - 1) * f_star),
    )


@claim(
    "note-lemma-11-record",
    place="Lemma 11 at a record",
    using=[
        (
            "note-lemma-11-scaled",
            lambda: {ratio: contaminated(f_star, g) / contaminated(f, g)},
        ),
    ],
)
def divergence_of_a_contaminated_record():
    """Integrand of the divergence of two laws, contaminated and not."""
    true, other = contaminated(f_star, g), contaminated(f, g)
    return Le(
        weight * (((true / other) ** alpha - 1) * true),
        (1 - p) * (weight * (((f_star / f) ** alpha - 1) * f_star)),
    )


@claim(
    "lemma-11",
    place="Lemma 11: a parameter in the neighbourhood without contamination is in the one with it",
    cites=[],
    given=lambda: [
        Le(divergence(theta, without_contamination), t),
        Ge(excess(theta, without_contamination), -1),
        Ge(excess(theta, with_contamination), -1),
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
                excess(theta, with_contamination),
                (1 - p) * excess(theta, without_contamination),
            ),
        ),
    ],
)
def neighbourhoods_grow_with_contamination():
    """Neighbourhoods of Definition 6, with contamination and without."""
    return Le(divergence(theta, with_contamination), t)


@claim("note-lemma-12-record", place="Lemma 12: the integrands of Lemma 10 and of definition 6")
def moment_of_a_record_by_its_divergence():
    """Integrand of the moment of a record, by that of its divergence."""
    return Eq(
        weight * (f_star ** (1 + alpha) * f ** (-alpha)),
        weight * (((f_star / f) ** alpha - 1) * f_star) + weight * f_star,
    )


def density_of_a_record():
    """That k_p at theta* is a density."""
    return Eq(integral(records.density(y_2) * with_contamination(y_2), y_2), 1)


def existing_divergences(parameter):
    """That the integrals of definition 6 exist."""
    return [
        Ge(excess(parameter, without_contamination), -1),
        Ge(excess(parameter, with_contamination), -1),
        Ge(moment_of_a_record(parameter), 0),
    ]


def prior_near_the_truth():
    """That N lies in the neighbourhood of definition 6 without contamination."""
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
                f: with_contamination(y_2, theta),
                f_star: with_contamination(y_2),
                weight: records.density(y_2),
            },
        ),
    ],
    proof=lambda: [
        step("by Lemma 11", Le(divergence(theta, with_contamination), t)),
        step(
            "the moment",
            Eq(moment_of_a_record(), excess(theta, with_contamination) + 1),
        ),
    ],
)
def moment_near_the_truth():
    """Moment of the likelihood ratio of a record in the neighbourhood without contamination."""
    return Le((moment_of_a_record() - 1) / alpha, t)


def few_datasets_are_bad():
    """That the evidence is at most c_3 exp(-4 n t) / 2, or the dataset not in the event."""
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


@claim(
    "lemma-12",
    place="Lemma 12; N is the neighbourhood of Assumption 2, or a part of it, and B any event in which "
    "the evidence is small",
    given=lambda: [
        density_of_a_record(),
        Every(at, existing_divergences(at)),
        prior_near_the_truth(),
        mass_near_the_truth(),
        independent_records(),
        exchanged(inside(near), power()),
        Every(data, few_datasets_are_bad()),
        *(Every(at, tree) for tree in existing_moments()),
    ],
    using=[
        ("note-lemma-12-parameter", lambda: {theta: at}),
        "note-lemma-12-mass",
        "lemma-10",
    ],
    proof=lambda: [
        step("every parameter of N", neighbourhood()),
        step("the mass is positive", Gt(prior_mean(inside(near)), 0)),
    ],
)
def evidence_under_assumption_2():
    """Probability of a small evidence under Assumption 2."""
    return Le(probability(datasets, bad), 2 * exp(-n * alpha * t))
