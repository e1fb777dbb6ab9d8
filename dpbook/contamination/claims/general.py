"""Proposition 1, Theorem 4 and the lemmas of Appendix A, for any model, prior and contamination.

A model is a function f(x, theta) of a record and a parameter, which is f_0 at the true parameter. A
pair of neighbouring datasets is a point omega: X and Z share all records but the last, and E(omega,
theta) is the product of d over those they share. Integrals over the line stand for integrals under
any measure; that one exists is a condition, as in the paper what stands in it is jointly continuous.
"""

from functools import partial

from sympy import Abs, Eq, Ge, Gt, Lambda, Le, Or, exp, log

from dpbook import Every, claim, step
from dpbook.contamination.any_models import AnyFunction, Distance, NonNegative, integral
from dpbook.contamination.notation import (
    T,
    all_x,
    all_z,
    alpha,
    at,
    c_1,
    c_2,
    c_4,
    contaminated,
    d_x,
    d_z,
    data,
    eta,
    f_1,
    f_2,
    f_3,
    f_4,
    factor,
    far_x,
    far_z,
    g,
    in_a,
    in_b,
    in_s,
    in_x,
    in_z,
    inner,
    level_0,
    mass_0,
    mass_1,
    mass_2,
    moment,
    n,
    p,
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
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent
from dpbook.privacy.statements import probability

f_of, f_at, g_at = AnyFunction("f", 2), AnyFunction("f_0"), AnyFunction("g")
f_any, f_true = (
    AnyFunction("f", 2, NonNegative),
    AnyFunction("f_0", 1, NonNegative),
)  # they may be 0
away = AnyFunction("D", 1, Distance)
prior, others = AnyDistribution("pi_0"), AnyFunction("E")
A, S = AnyEvent("A"), AnyEvent("S")


# --- the posterior in two parts -------------------------------------------------------------------


d = AnyFunction("d", 2)


def evidence(record, part=None):
    """m_n of a set of parameters: given the records that X and Z share, and the last one."""
    return prior_mean(weighed(part, others(theta) * d(record, theta)))


def weighed(part, ratio_):
    """A likelihood ratio on a set of parameters, or on all."""
    return ratio_ if part is None else part * ratio_


def inside(event):
    """1 in a set of parameters."""
    return event.indicator(theta)


def existing():
    """State that the posteriors exist, and that the likelihood, S and A are measurable."""
    return [
        *(Gt(evidence(record), 0) for record in (x, z)),
        *(Ge(evidence(record, inside(S)), 0) for record in (x, z)),
        *(Ge(evidence(record, 1 - inside(A)), 0) for record in (x, z)),
    ]


def ratio_at_most_eta():
    """State that eta is at least the supremum of eq. 6."""
    within = Le(d(y, theta), eta * d(y_1, theta))
    return Every(y, Every(y_1, Every(theta, Or(Eq(inside(A), 0), within))))


@claim(
    "note-proposition-1-parts",
    place="Proposition 1: the masses of S, of A and of its complement",
    given=lambda: [in_x <= eta * in_z + far_x, all_z <= eta * all_x + far_z],
    proof=lambda: [
        step("of S given X", Le(in_x / all_x, (eta * in_z + far_x) / all_x)),
        step("of all, given Z", Le(eta * all_z * in_z, eta * (eta * all_x + far_z) * in_z)),
    ],
)
def posterior_from_its_parts():
    """Posterior probability of S given X, by the probability given Z and the masses outside A."""
    return Le(
        in_x / all_x,
        eta * (eta + far_z / all_x) * (in_z / all_z) + far_x / all_x,
    )


@claim(
    "note-proposition-1-point",
    place="Proposition 1, at a parameter in A or not, and in S or not",
    given=lambda: [zero_or_one(in_a), zero_or_one(in_s), Or(Eq(in_a, 0), Le(d_x, eta * d_z))],
)
def masses_at_a_parameter():
    """Likelihood ratio given X at a parameter, by the ratio given Z and the part outside A."""
    return [
        Le(in_s * weight * d_x, eta * in_s * weight * d_z + (1 - in_a) * weight * d_x),
        Le(weight * d_x, eta * weight * d_z + (1 - in_a) * weight * d_x),
    ]


def zero_or_one(value):
    """State that a number is an indicator."""
    return Or(Eq(value, 0), Eq(value, 1))


def at_a_parameter(left, right, weighs):
    """Return note-proposition-1-point for two likelihood ratios at a parameter, with its weight."""
    return (
        "note-proposition-1-point",
        lambda: {in_a: inside(A), in_s: inside(S), weight: weighs, d_x: left, d_z: right},
    )


def exist(masses, parts):
    """State that two posteriors exist, from their masses, and sets of parameters are measurable."""
    return [
        *(Gt(mass(), 0) for mass in masses),
        *(Ge(mass(part), 0) for mass in masses for part in parts),
    ]


def from_parts(left, right):
    """Return the substitution for the masses of S, outside A and in all, given two datasets."""
    return {
        in_x: left(inside(S)),
        in_z: right(inside(S)),
        far_x: left(1 - inside(A)),
        far_z: right(1 - inside(A)),
        all_x: left(),
        all_z: right(),
    }


def integrated(left, right, name, other):
    """Return the steps from a bound at every parameter to the masses, for two named datasets."""
    far_left, far_right = (mass(1 - inside(A)) for mass in (left, right))
    return [
        step(f"S given {name}", Le(left(inside(S)), eta * right(inside(S)) + far_left)),
        step(f"all, given {other}", Le(right(), eta * left() + far_right)),
    ]


def bound_of_proposition_1(left, right):
    """Eq. 5 for two datasets, from the masses of sets of parameters given each."""
    far_left, far_right = (mass(1 - inside(A)) for mass in (left, right))
    of_s = right(inside(S)) / right()
    return Le(
        left(inside(S)) / left(),
        eta * (eta + far_right / left()) * of_s + far_left / left(),
    )


GIVEN_X, GIVEN_Z = partial(evidence, x), partial(evidence, z)


@claim(
    "proposition-1",
    place="Proposition 1, eq. 5 to 7, for any set A and any S: x and z are the records in which X and Z differ, d(x, theta) is the "
    "ratio of k_p at theta and at theta*, E the product of d over the records that X and Z share, and pi_0 the prior density. The "
    "integral over S is m_n(S, X) or, with z, m_n(S, Z); eta is at least the supremum of (6)",
    given=lambda: [ratio_at_most_eta(), *existing()],
    using=[
        at_a_parameter(d(x, theta), d(z, theta), prior.density(theta) * others(theta)),
        at_a_parameter(d(z, theta), d(x, theta), prior.density(theta) * others(theta)),
        ("note-proposition-1-parts", lambda: from_parts(GIVEN_X, GIVEN_Z)),
    ],
    proof=lambda: integrated(GIVEN_X, GIVEN_Z, "X", "Z"),
)
def posterior_in_two_parts():
    """Privacy of a posterior draw, from a set of parameters and the mass outside it."""
    return bound_of_proposition_1(GIVEN_X, GIVEN_Z)


# --- the likelihood ratio near the truth ----------------------------------------------------------


def near_bound():
    """The bound of lemma 14 on the log of d."""
    return (1 - p) / p * T * psi


@claim(
    "note-lemma-14-ratio",
    place="Lemma 14 at a record, without the logarithm",
    given=lambda: [f_1 - f_2 <= T * psi * g],
    proof=lambda: [
        step("the share of g", Le(p * g, contaminated(f_2, g))),
        step("its multiple", Le(near_bound() * (p * g), near_bound() * contaminated(f_2, g))),
        step(
            "by the share of g",
            Le(contaminated(f_1, g), contaminated(f_2, g) * (1 + near_bound())),
        ),
        step("the exponential", Le(1 + near_bound(), exp(near_bound()))),
        step(
            "times the density",
            Le(
                contaminated(f_2, g) * (1 + near_bound()),
                contaminated(f_2, g) * exp(near_bound()),
            ),
        ),
    ],
)
def ratio_at_a_record():
    """Density of a contaminated record near the true parameter, by the density at it."""
    return Le(contaminated(f_1, g), contaminated(f_2, g) * exp(near_bound()))


@claim(
    "note-lemma-14-two-records",
    place="Lemma 14, its last line, at two records; f_1 and f_2 are f and f_0 at the one, f_3 and f_4 at the other",
    using=[
        ("note-lemma-14-ratio", lambda: {f_1: f_1, f_2: f_2, g: x_3}),
        ("note-lemma-14-ratio", lambda: {f_1: f_4, f_2: f_3, g: z_3}),
        (
            "note-ratios-multiplied",
            lambda: {
                x_1: contaminated(f_1, x_3),
                x_2: contaminated(f_2, x_3),
                z_1: contaminated(f_3, z_3),
                z_2: contaminated(f_4, z_3),
                eta: exp(near_bound()),
            },
        ),
    ],
    given=lambda: [f_1 - f_2 <= T * psi * x_3, f_4 - f_3 <= T * psi * z_3],
    proof=lambda: [step("squared", Eq(exp(2 * near_bound()), exp(near_bound()) ** 2))],
)
def ratios_at_two_records():
    """Ratio of d at two records, near the true parameter."""
    return Le(
        contaminated(f_1, x_3) / contaminated(f_2, x_3),
        exp(2 * near_bound()) * (contaminated(f_3, z_3) / contaminated(f_4, z_3)),
    )


@claim(
    "note-ratios-multiplied",
    place="used by note-lemma-14-two-records",
    given=lambda: [x_1 <= x_2 * eta, z_2 <= z_1 * eta],
    proof=lambda: [
        step("one ratio", Le(x_1 / x_2, eta)),
        step("the other", Le(1 / eta, z_1 / z_2)),
        step("together", Le(eta, eta**2 * (z_1 / z_2))),
    ],
)
def two_ratios():
    """A ratio within a factor of 1, by another."""
    return Le(x_1 / x_2, eta**2 * (z_1 / z_2))


def likelihood_ratio(record, parameter=theta):
    """d for a model: the density of a contaminated record over that at the true parameter."""
    true = contaminated(f_at(record), g_at(record))
    return contaminated(f_of(record, parameter), g_at(record)) / true


def in_the_neighbourhood(tree):
    """For all parameters in A."""
    return Every(at, tree, [Eq(A.indicator(at), 1)])


def assumption_4():
    """Assumption 4, repaired: on A, f(y; .) has at theta* the Lipschitz constant T g(y)."""
    size = T * away(at) * g_at(y_2)
    both = [Le(f_any(y_2, at) - f_true(y_2), size), Le(f_true(y_2) - f_any(y_2, at), size)]
    return Every(y_2, in_the_neighbourhood(both))


def proposition_3():
    """The conclusion of proposition 3: A lies in the ball of radius psi."""
    return in_the_neighbourhood(Le(away(at), psi))


@claim(
    "lemma-14-corrected",
    place="Lemma 14, repaired; the last line of the lemma is the second part. The densities f may be 0",
    corrects=["lemma-14"],
    why="A bound for each parameter by itself is none for the neighbourhood. With one T for the ball of "
    "radius psi_n, f(x; .) has at theta* the Lipschitz constant T g(x), by the mean value theorem; that constant is what is "
    "asked for here.",
    scope="from the Lipschitz constant T g(x) at theta*, which is a condition here; that a bound on the directional derivative in the "
    "ball gives it, by the mean value theorem, is on paper only",
    using=[
        ("note-lemma-14", lambda: {f_1: f_any(y, theta), f_2: f_true(y), g: g_at(y)}),
        (
            "note-lemma-14-two-records",
            lambda: {
                f_1: f_any(y, theta),
                f_2: f_true(y),
                x_3: g_at(y),
                f_3: f_any(y_1, theta),
                f_4: f_true(y_1),
                z_3: g_at(y_1),
            },
        ),
    ],
    given=lambda: [assumption_4(), proposition_3(), Eq(inside(A), 1)],
    proof=lambda: [
        step(
            "the Lipschitz constant at both records",
            [*at_a_record(y), *at_a_record(y_1)],
        ),
    ],
)
def likelihood_ratio_near_the_truth():
    """Log likelihood ratio near the true parameter, for all records and parameters."""
    return [Le(log_ratio_at(y), near_bound()), ratios_near_the_truth()]


def log_ratio_at(record):
    """Size of the log likelihood ratio of a record."""
    other, true = (
        contaminated(density, g_at(record)) for density in (f_any(record, theta), f_true(record))
    )
    return Abs(log(other) - log(true))


def at_a_record(record):
    """State the bounds of Assumption 4 and Proposition 3 at a record."""
    size = T * psi * g_at(record)
    return [
        Le(f_any(record, theta) - f_true(record), size),
        Le(f_true(record) - f_any(record, theta), size),
    ]


def ratios_near_the_truth():
    """The last line of lemma 14: eta is at most exp(2 (1 - p) T psi / p)."""
    first, second = (
        contaminated(f_any(record, theta), g_at(record))
        / contaminated(f_true(record), g_at(record))
        for record in (y, y_1)
    )
    return Le(first, exp(2 * near_bound()) * second)


# --- the evidence ---------------------------------------------------------------------------------

datasets, likelihood = AnyDistribution("P"), AnyFunction("L", 2)
records = AnyDistribution("mu")
near, bad = AnyEvent("N"), AnyEvent("B")


def averaged(body):
    """Mean over the datasets."""
    return integral(datasets.density(data) * body, data)


def prior_mean(body):
    """Mean over the prior."""
    return integral((prior.density(theta) * body).xreplace({theta: inner}), inner)


def exchanged(part, body):
    """State that both orders of integration agree (Fubini's theorem), and the integral exists."""
    return Eq(averaged(prior_mean(part * body)), prior_mean(part * averaged(body)))


@claim(
    "note-lemma-10-tangent",
    place="Lemma 10: the power of the likelihood ratio above its tangent; I_A is 1 in the neighbourhood",
    given=lambda: [zero_or_one(in_a)],
    using=[("note-power-tangent", lambda: {ratio: ratio / level_0})],
    proof=lambda: [
        step("the power", Eq((ratio / level_0) ** (-alpha), level_0**alpha * ratio ** (-alpha))),
    ],
)
def power_above_its_tangent():
    """Power of the likelihood ratio at a parameter, above its tangent."""
    return Ge(
        level_0**alpha * in_a * weight * ratio ** (-alpha),
        (1 + alpha) * in_a * weight - alpha / level_0 * weight * ratio,
    )


@claim("note-power-tangent", place="used by note-lemma-10-tangent")
def power_of_a_ratio_above_its_tangent():
    """Negative power of a ratio, above its tangent at 1."""
    return Ge(ratio ** (-alpha), 1 + alpha - alpha * ratio)


def power():
    """Return the power of the likelihood ratio whose mean Lemma 10 takes."""
    return likelihood(data, theta) ** (-alpha)


def chosen(event):
    """1 for the datasets of an event."""
    return event.indicator(data)


@claim(
    "note-lemma-10-cases",
    place="Lemma 10, from the tangent: w_0 is the prior mass of N, v_0 the moment, m_x the evidence",
    given=lambda: [
        zero_or_one(in_b),
        Or(Eq(in_b, 0), Le(mass_0, level_0 * weight)),
        Ge(mass_1, (1 + alpha) * weight - alpha / level_0 * mass_0),
    ],
    proof=lambda: [
        step("both cases", Or(Eq(in_b, 0), Ge(mass_1, weight))),
    ],
)
def moment_by_cases():
    """Moment of the likelihood ratio, where the evidence is small or the moment not counted."""
    return Ge(mass_1, in_b * weight)


@claim(
    "note-lemma-10-datasets",
    place="Lemma 10 for one dataset: where the evidence is small the moment is large",
    given=lambda: [
        Or(
            Eq(chosen(bad), 0),
            Le(prior_mean(likelihood(data, theta)), level_0 * prior_mean(inside(near))),
        ),
        Ge(prior_mean(inside(near) * power()), 0),
        Ge(prior_mean(likelihood(data, theta)), 0),
    ],
    using=[
        (
            "note-lemma-10-tangent",
            lambda: {
                in_a: inside(near),
                weight: prior.density(theta),
                ratio: likelihood(data, theta),
            },
        ),
        (
            "note-lemma-10-cases",
            lambda: {
                in_b: chosen(bad),
                weight: prior_mean(inside(near)),
                mass_0: prior_mean(likelihood(data, theta)),
                mass_1: level_0**alpha * prior_mean(inside(near) * power()),
            },
        ),
    ],
    proof=lambda: [
        step(
            "the tangent, under the prior",
            Ge(
                level_0**alpha * prior_mean(inside(near) * power()),
                (1 + alpha) * prior_mean(inside(near))
                - alpha / level_0 * prior_mean(likelihood(data, theta)),
            ),
        ),
    ],
)
def moment_where_the_evidence_is_small():
    """Moment of the likelihood ratio over a neighbourhood, where the evidence is small."""
    return Ge(
        level_0**alpha * prior_mean(inside(near) * power()),
        chosen(bad) * prior_mean(inside(near)),
    )


k_of, k_at = AnyFunction("k", 2), AnyFunction("k_0")


def moment_of_a_record(parameter=theta):
    """Moment of the likelihood ratio of a record: 1 + alpha rho, of definition 6."""
    true, other = k_at(y_2), k_of(y_2, parameter)
    return integral(records.density(y_2) * true ** (1 + alpha) * other ** (-alpha), y_2)


def neighbourhood(moment_of=moment_of_a_record):
    """State that a divergence of definition 6 is at most t on N."""
    small = Le((moment_of(at) - 1) / alpha, t)
    return Every(at, small, [Eq(near.indicator(at), 1)])


def independent_records():
    """State that n independent records have the n-th power of the moment of a record."""
    mean = averaged(likelihood(data, at) ** (-alpha))
    return Every(at, Eq(mean, moment_of_a_record(at) ** n))


@claim(
    "note-lemma-10-power",
    place="Lemma 10: the power of the moment of a record",
    given=lambda: [(moment - 1) / alpha <= t],
    proof=lambda: [
        step("the moment", Le(moment, exp(alpha * t))),
        step("the exponential of a sum", Eq(exp(n * alpha * t), exp(alpha * t) ** n)),
    ],
)
def power_of_a_moment():
    """Moment of n records, by the divergence of one."""
    return Le(moment**n, exp(n * alpha * t))


@claim(
    "note-lemma-10-parameter",
    place="Lemma 10 at a parameter of the neighbourhood",
    given=lambda: [
        neighbourhood(),
        independent_records(),
        Eq(inside(near), 1),
        Ge(moment_of_a_record(), 0),
        Ge(averaged(power()), 0),
    ],
    using=[("note-lemma-10-power", lambda: {moment: moment_of_a_record()})],
    proof=lambda: [
        step("the divergence", Le((moment_of_a_record() - 1) / alpha, t)),
        step("the records", Eq(averaged(power()), moment_of_a_record() ** n)),
    ],
)
def moment_at_a_parameter():
    """Moment of the likelihood ratio of n records, at a parameter of the neighbourhood."""
    return Le(averaged(power()), exp(n * alpha * t))


V = AnyFunction("V", 1, NonNegative)


@claim(
    "note-markov",
    place="Lemmas 10 and 13: Markov's inequality",
    given=lambda: [
        Every(data, Le(chosen(bad) * weight, level_0 * V(data))),
        Le(averaged(V(data)), mass_2),
    ],
)
def markov():
    """Probability of an event on which a positive function is large, by the mean of the function."""
    return Le(probability(datasets, bad) * weight, level_0 * mass_2)


@claim(
    "note-lemma-10-mean",
    place="Lemma 10, at a parameter in the neighbourhood or not",
    given=lambda: [zero_or_one(in_a), Or(Eq(in_a, 0), Le(moment, exp(n * alpha * t)))],
)
def moment_in_the_neighbourhood():
    """Weighted moment of the likelihood ratio at a parameter."""
    return Le(weight * (in_a * moment), exp(n * alpha * t) * (weight * in_a))


@claim(
    "note-lemma-10-markov",
    place="Lemma 10: Markov's inequality and Fubini's theorem",
    given=lambda: [
        exchanged(inside(near), power()),
        Every(data, small_evidence(exp(-2 * n * t) / 2 * prior_mean(inside(near)))),
    ],
    using=[
        ("note-lemma-10-datasets", lambda: {level_0: exp(-2 * n * t) / 2, data: data}),
        (
            "note-markov",
            lambda: {
                weight: prior_mean(inside(near)),
                level_0: (exp(-2 * n * t) / 2) ** alpha,
                mass_2: prior_mean(inside(near) * averaged(power())),
                V: Lambda((data,), prior_mean(inside(near) * power())),
            },
        ),
    ],
)
def small_evidence_by_the_mean_of_a_power():
    """Probability of a small evidence, by the prior mean of the moment in a neighbourhood."""
    return Le(
        probability(datasets, bad) * prior_mean(inside(near)),
        (exp(-2 * n * t) / 2) ** alpha * prior_mean(inside(near) * averaged(power())),
    )


@claim(
    "note-lemma-10-divided",
    place="Lemma 10, its last step",
    given=lambda: [weight > 0, Le(mass_2 * weight, level_0 * weight)],
)
def probability_by_its_multiple():
    """Probability of a small evidence, by its multiple with the prior mass of the neighbourhood."""
    return Le(mass_2, 2 * level_0)


@claim(
    "note-lemma-10-averaged",
    place="Lemma 10: the mean of the moment in the neighbourhood",
    given=lambda: [
        neighbourhood(),
        independent_records(),
        Ge(prior_mean(inside(near) * averaged(power())), 0),
        *(Every(at, tree) for tree in existing_moments()),
    ],
    using=[
        ("note-lemma-10-parameter", lambda: {theta: theta}),
        (
            "note-lemma-10-mean",
            lambda: {
                in_a: inside(near),
                weight: prior.density(theta),
                moment: averaged(power()),
            },
        ),
    ],
)
def mean_of_the_moment():
    """Prior mean of the moment in a neighbourhood."""
    return Le(
        prior_mean(inside(near) * averaged(power())),
        exp(n * alpha * t) * prior_mean(inside(near)),
    )


FUBINI = (
    "from the exchange of two integrals, by Fubini's theorem, and from moments of independent records that are products, which are "
    "conditions here"
)


def conditions_of_lemma_10():
    """State the conditions in the proof of Lemma 10.

    They are the neighbourhood, Fubini's theorem, and that the records are independent.
    """
    return [
        neighbourhood(),
        independent_records(),
        exchanged(inside(near), power()),
        prior_mean(inside(near)) > 0,
        Every(data, small_evidence(exp(-2 * n * t) / 2 * prior_mean(inside(near)))),
        *(Every(at, tree) for tree in existing_moments()),
    ]


@claim(
    "note-lemma-10-evidence",
    place="Lemma 10, where the two orders of integration agree, and the moments of n records are powers of that of one",
    given=conditions_of_lemma_10,
    using=[
        "note-lemma-10-markov",
        "note-lemma-10-averaged",
        (
            "note-lemma-10-divided",
            lambda: {
                mass_2: probability(datasets, bad),
                weight: prior_mean(inside(near)),
                level_0: exp(-n * alpha * t),
            },
        ),
    ],
    proof=lambda: [
        step(
            "Markov's inequality",
            Le(
                probability(datasets, bad) * prior_mean(inside(near)),
                (exp(-2 * n * t) / 2) ** alpha * (exp(n * alpha * t) * prior_mean(inside(near))),
            ),
        ),
        step("the power", Le((exp(-2 * n * t) / 2) ** alpha, exp(-2 * n * t * alpha))),
        step(
            "together",
            Le(
                probability(datasets, bad) * prior_mean(inside(near)),
                exp(-n * alpha * t) * prior_mean(inside(near)),
            ),
        ),
    ],
)
def small_evidence_is_rare():
    """Probability of a small evidence, where integrals may be exchanged."""
    return Le(probability(datasets, bad), 2 * exp(-n * alpha * t))


@claim(
    "lemma-10",
    place="Lemma 10, for every rate p from 0 on: k and k_0 stand for the densities k_p at a parameter and at theta*, for a measure mu. "
    "Definition 6 takes powers of them, so they are positive, as they are for p above 0 where g is. N is the "
    "neighbourhood S of Definition 6 of radius t, pi_0 the prior density, P the distribution of the dataset omega, L its likelihood ratio: the "
    "product of k / k_0 over n independent records, so its moments are powers of those of one record. B is any event in which the evidence, the mean of L over the prior, is small. A "
    "neighbourhood of the prior probability 0 is left out: there the event is empty",
    scope=FUBINI,
    given=conditions_of_lemma_10,
    using=["note-lemma-10-evidence"],
)
def evidence_is_not_small():
    """Probability of a small evidence."""
    return Le(probability(datasets, bad), 2 * exp(-n * alpha * t))


def existing_moments():
    """State that the moments of a record and of n records exist."""
    return [
        Ge(moment_of_a_record(at), 0),
        Ge(averaged(likelihood(data, at) ** (-alpha)), 0),
    ]


def small_evidence(bound):
    """State that the evidence is at most a bound, or the dataset not in the event."""
    total = prior_mean(likelihood(data, theta))
    return [
        Or(Eq(chosen(bad), 0), Le(total, bound)),
        Ge(prior_mean(inside(near) * power()), 0),
        Ge(total, 0),
    ]


# --- the evidence away from the truth -------------------------------------------------------------

sieve, large = AnyEvent("Q"), AnyEvent("F")


def outside():
    """1 outside A."""
    return 1 - inside(A)


def far():
    """1 outside A and outside the sieve."""
    return (1 - inside(A)) * (1 - inside(sieve))


def on_the_sieve(bound):
    """State that on the sieve outside A a likelihood ratio is bounded, or the dataset is in F."""
    inside_ = (Eq(A.indicator(at), 1), Eq(sieve.indicator(at), 0))
    return Every(at, Or(Eq(chosen(large), 1), *inside_, Le(likelihood(data, at), bound)))


@claim(
    "note-lemma-13-point",
    place="Lemma 13, at a parameter: I_A in A, I_S in the sieve; I_B for a dataset in F",
    given=lambda: [
        zero_or_one(in_a),
        zero_or_one(in_s),
        zero_or_one(in_b),
        Or(Eq(in_b, 1), Eq(in_a, 1), Eq(in_s, 0), Le(ratio, level_0)),
    ],
)
def likelihood_ratio_on_the_sieve():
    """Likelihood ratio outside A, by a bound on the sieve and the part outside the sieve."""
    return Le(
        (1 - in_b) * (weight * ((1 - in_a) * ratio)),
        level_0 * weight + weight * ((1 - in_a) * (1 - in_s) * ratio),
    )


@claim(
    "note-lemma-13-cases",
    place="Lemma 13: I_B where the evidence outside A is large, I_A in F",
    given=lambda: [
        zero_or_one(in_b),
        zero_or_one(in_a),
        Or(Eq(in_b, 0), Ge(mass_0, 2 * level_0)),
        Le((1 - in_a) * mass_0, level_0 + mass_1),
    ],
)
def large_evidence_by_cases():
    """Event of a large evidence outside A, by the event F and the evidence outside the sieve."""
    return Le(in_b * level_0, in_a * level_0 + mass_1)


@claim(
    "note-lemma-13-datasets",
    place="Lemma 13 for one dataset",
    given=lambda: [*large_evidence(level_0), on_the_sieve(level_0)],
    using=[
        (
            "note-lemma-13-point",
            lambda: {
                in_a: inside(A),
                in_s: inside(sieve),
                in_b: chosen(large),
                weight: prior.density(theta),
                ratio: likelihood(data, theta),
            },
        ),
        (
            "note-lemma-13-cases",
            lambda: {
                in_b: chosen(bad),
                in_a: chosen(large),
                mass_0: prior_mean(outside() * likelihood(data, theta)),
                mass_1: prior_mean(far() * likelihood(data, theta)),
            },
        ),
    ],
    proof=lambda: [
        step(
            "outside F",
            Le(
                (1 - chosen(large)) * prior_mean(outside() * likelihood(data, theta)),
                level_0 + prior_mean(far() * likelihood(data, theta)),
            ),
        )
    ],
)
def large_evidence_of_a_dataset():
    """Event of a large evidence outside A, by the event F and the evidence outside the sieve."""
    return Le(
        chosen(bad) * level_0,
        chosen(large) * level_0 + prior_mean(far() * likelihood(data, theta)),
    )


def large_evidence(bound):
    """State that the evidence outside A reaches twice a bound, or the dataset is off the event."""
    total = prior_mean(outside() * likelihood(data, theta))
    return [
        Or(Eq(chosen(bad), 0), Ge(total, 2 * bound)),
        Ge(total, 0),
        Ge(prior_mean(far() * likelihood(data, theta)), 0),
    ]


def rate_1():
    """The exponent of lemma 8."""
    return exp(-c_1 * n * phi**2)


def densities_of_records():
    """State that the likelihood ratio of n independent records has the mean 1."""
    return Every(at, Eq(averaged(likelihood(data, at)), 1))


@claim(
    "note-lemma-13-divided",
    place="Lemma 13, its last step",
    given=lambda: [
        Le(level_0 * mass_0, level_0 * mass_1 + moment),
        Le(moment, c_4 * level_0**2),
    ],
    proof=lambda: [step("the multiple", Le(level_0 * mass_0, level_0 * (mass_1 + c_4 * level_0)))],
)
def probability_of_a_large_evidence():
    """Probability of a large evidence, by the probability of F and the mass outside the sieve."""
    return Le(mass_0, mass_1 + c_4 * level_0)


def mass_outside_the_sieve():
    """Assumption 3."""
    return Le(prior_mean(1 - inside(sieve)), c_4 * exp(-2 * c_1 * n * phi**2))


@claim(
    "note-lemma-13-mean",
    place="Lemma 13: the mean of the likelihood ratio is 1",
    given=lambda: [
        densities_of_records(),
        exchanged(far(), likelihood(data, theta)),
        mass_outside_the_sieve(),
    ],
)
def mean_of_the_evidence_outside():
    """Mean of the evidence outside A and the sieve, by the prior mass outside the sieve."""
    return Le(prior_mean(far() * averaged(likelihood(data, theta))), prior_mean(1 - inside(sieve)))


@claim(
    "note-lemma-13-event",
    place="Lemma 13 without Lemma 8: F is any event outside which the likelihood ratio is small on the "
    "sieve and outside A, and B any in which the evidence outside A is large",
    given=lambda: [
        densities_of_records(),
        exchanged(far(), likelihood(data, theta)),
        mass_outside_the_sieve(),
        Every(data, [*large_evidence(rate_1()), on_the_sieve(rate_1())]),
    ],
    using=[
        ("note-lemma-13-datasets", lambda: {level_0: rate_1(), data: data}),
        "note-lemma-13-mean",
        (
            "note-lemma-13-divided",
            lambda: {
                mass_0: probability(datasets, bad),
                mass_1: probability(datasets, large),
                moment: averaged(prior_mean(far() * likelihood(data, theta))),
                level_0: rate_1(),
            },
        ),
    ],
    proof=lambda: [
        step(
            "integrated",
            Le(
                rate_1() * probability(datasets, bad),
                rate_1() * probability(datasets, large)
                + averaged(prior_mean(far() * likelihood(data, theta))),
            ),
        ),
        step(
            "by Fubini's theorem",
            Le(
                averaged(prior_mean(far() * likelihood(data, theta))),
                c_4 * exp(-2 * c_1 * n * phi**2),
            ),
        ),
        step("the rates", Eq(exp(-2 * c_1 * n * phi**2), rate_1() ** 2)),
    ],
)
def evidence_away_from_the_truth_by_an_event():
    """Probability of a large evidence away from the truth, by the probability of an event."""
    return Le(probability(datasets, bad), probability(datasets, large) + c_4 * rate_1())


@claim(
    "lemma-13",
    place="Lemma 13; F is the event of lemma 8, B any in which the evidence outside A is large",
    scope="from the conclusion of lemma 8, from the exchange of two integrals, by Fubini's theorem, and from moments of "
    "independent records that are products, so that a likelihood ratio has the mean 1, which are conditions here",
    without={
        "lemma-8": "its conclusion, the chance of F, is a condition",
        "lemma-9": "it is needed for lemma 8",
    },
    given=lambda: [
        densities_of_records(),
        exchanged(far(), likelihood(data, theta)),
        mass_outside_the_sieve(),
        Le(probability(datasets, large), factor * exp(-c_2 * n * phi**2)),
        Every(data, [*large_evidence(rate_1()), on_the_sieve(rate_1())]),
    ],
    using=["note-lemma-13-event"],
)
def evidence_away_from_the_truth():
    """Probability of a large evidence away from the true parameter."""
    return Le(probability(datasets, bad), factor * exp(-c_2 * n * phi**2) + c_4 * rate_1())
