"""Proposition 1, Theorem 4 and the lemmas of Appendix A, for any model, prior and contamination.

A model is a function f(x, theta) of a record and a parameter, which is f_0 at the true parameter. A
pair of neighbouring datasets is a point omega: X and Z share all records but the last, and E(omega,
theta) is the product of d over those they share. Integrals over the line stand for integrals under
any measure; that one exists is a condition, as in the paper what stands in it is jointly continuous.
"""

from sympy import Abs, Eq, Ge, Gt, Le, Or, exp, log

from dpbook.contamination.any_models import AnyFunction, Distance, integral
from dpbook.contamination.notation import (
    T,
    all_x,
    all_z,
    at,
    contaminated,
    d_x,
    d_z,
    eta,
    f,
    f_star,
    far_x,
    far_z,
    g,
    in_a,
    in_s,
    in_x,
    in_z,
    p,
    psi,
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
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every
from dpbook.privacy.any_laws import AnyEvent, AnyLaw

f_of, f_at, g_at = AnyFunction("f", 2), AnyFunction("f_0"), AnyFunction("g")
away = AnyFunction("D", 1, Distance)
prior, others = AnyLaw("pi_0"), AnyFunction("E")
A, S = AnyEvent("A"), AnyEvent("S")


# --- the posterior in two parts -------------------------------------------------------------------


d = AnyFunction("d", 2)


def evidence(record, part=1):
    """m_n of a set of parameters: given the records that X and Z share, and the last one."""
    return integral(part * prior.density(theta) * others(theta) * d(record, theta), theta)


def inside(event):
    """1 in a set of parameters."""
    return event.indicator(theta)


def existing():
    """That the posteriors exist, and that the likelihood, S and A are measurable."""
    return [
        *(Gt(evidence(record), 0) for record in (x, z)),
        *(Ge(evidence(record, inside(S)), 0) for record in (x, z)),
        *(Ge(evidence(record, 1 - inside(A)), 0) for record in (x, z)),
    ]


def ratio_at_most_eta():
    """That eta is at least the supremum of eq. 6."""
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
    """Posterior probability of S given X, by that given Z and the masses outside A."""
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
    """Likelihood ratio given X at a parameter, by that given Z and what is outside A."""
    return [
        Le(in_s * weight * d_x, eta * in_s * weight * d_z + (1 - in_a) * weight * d_x),
        Le(weight * d_x, eta * weight * d_z + (1 - in_a) * weight * d_x),
    ]


def zero_or_one(value):
    """That a number is an indicator."""
    return Or(Eq(value, 0), Eq(value, 1))


def at_a_parameter(first, second):
    """What proposition 1 says of two records at a parameter."""
    return (
        "note-proposition-1-point",
        lambda: {
            in_a: inside(A),
            in_s: inside(S),
            weight: prior.density(theta) * others(theta),
            d_x: d(first, theta),
            d_z: d(second, theta),
        },
    )


@claim(
    "proposition-1",
    place="Proposition 1, eq. 5 to 7; E is the product of d over the records that X and Z share",
    given=lambda: [ratio_at_most_eta(), *existing()],
    using=[
        at_a_parameter(x, z),
        at_a_parameter(z, x),
        (
            "note-proposition-1-parts",
            lambda: {
                in_x: evidence(x, inside(S)),
                in_z: evidence(z, inside(S)),
                far_x: evidence(x, 1 - inside(A)),
                far_z: evidence(z, 1 - inside(A)),
                all_x: evidence(x),
                all_z: evidence(z),
            },
        ),
    ],
    proof=lambda: [
        step(
            "S given X",
            Le(
                evidence(x, inside(S)),
                eta * evidence(z, inside(S)) + evidence(x, 1 - inside(A)),
            ),
        ),
        step("all, given Z", Le(evidence(z), eta * evidence(x) + evidence(z, 1 - inside(A)))),
    ],
)
def posterior_in_two_parts():
    """Privacy of a posterior draw, from a set of parameters and the mass outside it."""
    of_s = evidence(z, inside(S)) / evidence(z)
    outside_x, outside_z = (evidence(record, 1 - inside(A)) for record in (x, z))
    return Le(
        evidence(x, inside(S)) / evidence(x),
        eta * (eta + outside_z / evidence(x)) * of_s + outside_x / evidence(x),
    )


# --- the likelihood ratio near the truth ----------------------------------------------------------


def near_bound():
    """The bound of lemma 14 on the log of d."""
    return (1 - p) / p * T * psi


@claim(
    "note-lemma-14-ratio",
    place="Lemma 14 at a record, without the logarithm",
    given=lambda: [f - f_star <= T * psi * g],
    proof=lambda: [
        step("the share of g", Le(p * g, contaminated(f_star, g))),
        step("its multiple", Le(near_bound() * (p * g), near_bound() * contaminated(f_star, g))),
        step(
            "by the share of g",
            Le(contaminated(f, g), contaminated(f_star, g) * (1 + near_bound())),
        ),
        step("the exponential", Le(1 + near_bound(), exp(near_bound()))),
        step(
            "times the density",
            Le(
                contaminated(f_star, g) * (1 + near_bound()),
                contaminated(f_star, g) * exp(near_bound()),
            ),
        ),
    ],
)
def ratio_at_a_record():
    """Density of a contaminated record near the true parameter, by that at it."""
    return Le(contaminated(f, g), contaminated(f_star, g) * exp(near_bound()))


@claim(
    "note-lemma-14-two-records",
    place="Lemma 14, its last line, at two records; f and f_0 differ by at most T psi g",
    using=[
        ("note-lemma-14-ratio", lambda: {f: x_1, f_star: x_2, g: x_3}),
        ("note-lemma-14-ratio", lambda: {f: z_2, f_star: z_1, g: z_3}),
        (
            "note-ratios-multiplied",
            lambda: {
                x_1: contaminated(x_1, x_3),
                x_2: contaminated(x_2, x_3),
                z_1: contaminated(z_1, z_3),
                z_2: contaminated(z_2, z_3),
                eta: exp(near_bound()),
            },
        ),
    ],
    given=lambda: [x_1 - x_2 <= T * psi * x_3, z_2 - z_1 <= T * psi * z_3],
    proof=lambda: [step("squared", Eq(exp(2 * near_bound()), exp(near_bound()) ** 2))],
)
def ratios_at_two_records():
    """Ratio of d at two records, near the true parameter."""
    return Le(
        contaminated(x_1, x_3) / contaminated(x_2, x_3),
        exp(2 * near_bound()) * (contaminated(z_1, z_3) / contaminated(z_2, z_3)),
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
    both = [Le(f_of(y_2, at) - f_at(y_2), size), Le(f_at(y_2) - f_of(y_2, at), size)]
    return Every(y_2, in_the_neighbourhood(both))


def proposition_3():
    """The conclusion of proposition 3: A lies in the ball of radius psi."""
    return in_the_neighbourhood(Le(away(at), psi))


@claim(
    "lemma-14-corrected",
    place="Lemma 14, repaired; the last line of the lemma is the second part",
    corrects=["lemma-14"],
    why="A bound for each parameter by itself is none for the neighbourhood. With one T for the ball of "
    "radius psi_n the proof is right: by the mean value theorem f(x; .) has at theta* the Lipschitz "
    "constant T g(x), which is what is asked for here.",
    using=[
        ("note-lemma-14", lambda: {f: f_of(y, theta), f_star: f_at(y), g: g_at(y)}),
        (
            "note-lemma-14-two-records",
            lambda: {
                x_1: f_of(y, theta),
                x_2: f_at(y),
                x_3: g_at(y),
                z_1: f_of(y_1, theta),
                z_2: f_at(y_1),
                z_3: g_at(y_1),
            },
        ),
    ],
    given=lambda: [assumption_4(), proposition_3(), Eq(inside(A), 1)],
    proof=lambda: [
        step(
            "the Lipschitz constant at both records",
            [*at_a_record(y), *at_a_record(y_1)],
        )
    ],
)
def likelihood_ratio_near_the_truth():
    """Log likelihood ratio near the true parameter, for all records and parameters."""
    true = contaminated(f_at(y), g_at(y))
    size = Abs(log(contaminated(f_of(y, theta), g_at(y))) - log(true))
    return [Le(size, near_bound()), ratios_near_the_truth()]


def at_a_record(record):
    """What assumption 4 and proposition 3 say at a record."""
    size = T * psi * g_at(record)
    return [
        Le(f_of(record, theta) - f_at(record), size),
        Le(f_at(record) - f_of(record, theta), size),
    ]


def ratios_near_the_truth():
    """The last line of lemma 14: eta is at most exp(2 (1 - p) T psi / p)."""
    return Le(likelihood_ratio(y), exp(2 * near_bound()) * likelihood_ratio(y_1))
