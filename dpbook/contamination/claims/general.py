"""Proposition 1, Theorem 4 and the lemmas of Appendix A, for any model, prior and contamination.

A model is a function f(x, theta) of a record and a parameter, which is f_0 at the true parameter. A
pair of neighbouring datasets is a point omega: X and Z share all records but the last, and E(omega,
theta) is the product of d over those they share. Integrals over the line stand for integrals under
any measure; that one exists is a condition, as in the paper what stands in it is jointly continuous.
"""

from sympy import Eq, Ge, Gt, Le, Or

from dpbook.contamination.any_models import AnyFunction, integral
from dpbook.contamination.notation import (
    all_x,
    all_z,
    d_x,
    d_z,
    contaminated,
    eta,
    far_x,
    far_z,
    in_a,
    in_s,
    in_x,
    in_z,
    theta,
    weight,
    x,
    y,
    y_1,
    z,
)
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every
from dpbook.privacy.any_laws import AnyEvent, AnyLaw

f_of, f_at, g_at = AnyFunction("f", 2), AnyFunction("f_0"), AnyFunction("g")
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
        )
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
