"""Theorems 1 and 2 for any likelihood, prior and metric, and what is left of them under assumption 2.

The likelihood p(x, theta), the prior and the metric are unknown functions of the proof; integrals
over the line stand for integrals under any prior. That the evidence is positive and finite is what
eq. 2.2 asks for.
"""

from sympy import Abs, Eq, Ge, Gt, Le, exp, log

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import for_all
from dpbook.posterior_sampling.any_models import (
    LIKELIHOOD,
    METRIC,
    PRIOR,
    evidence,
    likelihood_ratio,
    posterior,
    posterior_divergence,
    under_prior,
)
from dpbook.posterior_sampling.notation import (
    L,
    any_x,
    any_y,
    p_x,
    p_y,
    parameter,
    part_x,
    part_y,
    phi_x,
    phi_y,
    size,
    weight_0,
    x,
    y,
)
from dpbook.privacy.any_laws import AnyEvent

B = AnyEvent("B")


def assumption_1():
    """Assumption 1, eq. 2.4: the log likelihood is Lipschitz at every parameter."""
    size = Abs(likelihood_ratio(any_x, any_y, parameter))
    return for_all(any_x, any_y, parameter, Le(size, L * METRIC(any_x, any_y)))


def existing():
    """That both posteriors exist."""
    return [Gt(evidence(x), 0), Gt(evidence(y), 0)]


def part(event, record):
    """Integral of the likelihood over a set of parameters."""
    return under_prior(lambda t: event.indicator(t) * LIKELIHOOD(record, t))


def measurable(event):
    """That the integrals of both likelihoods over a set of parameters exist."""
    return [Ge(part(event, x), 0), Ge(part(event, y), 0)]


@claim(
    "note-likelihoods",
    place="Theorem 2(i), its first step, at a parameter",
    given=lambda: [Abs(log(p_x / p_y)) <= size],
    proof=lambda: [
        step("the logarithm", [Le(log(p_x / p_y), size), Le(log(p_y / p_x), size)]),
        step("without it", [Le(p_x / p_y, exp(size)), Le(p_y / p_x, exp(size))]),
    ],
)
def likelihoods_at_a_parameter():
    """Likelihoods of two datasets whose log ratio is bounded."""
    return [Le(p_x, exp(size) * p_y), Le(p_y, exp(size) * p_x)]


@claim(
    "note-likelihoods-everywhere",
    place="Theorem 2(i), its first step",
    given=lambda: [assumption_1()],
    using=[
        (
            "note-likelihoods",
            lambda: {
                p_x: LIKELIHOOD(x, parameter),
                p_y: LIKELIHOOD(y, parameter),
                size: L * METRIC(x, y),
            },
        )
    ],
    proof=lambda: [
        step(
            "assumption 1",
            Le(Abs(likelihood_ratio(x, y, parameter)), L * METRIC(x, y)),
        )
    ],
)
def likelihoods_everywhere():
    """Likelihoods of two datasets under assumption 1."""
    factor = exp(L * METRIC(x, y))
    return [
        Le(LIKELIHOOD(x, parameter), factor * LIKELIHOOD(y, parameter)),
        Le(LIKELIHOOD(y, parameter), factor * LIKELIHOOD(x, parameter)),
    ]


@claim(
    "eq-a.2",
    place="eq. A.2",
    given=lambda: [assumption_1(), *existing()],
    using=[("note-likelihoods-everywhere", lambda: {parameter: parameter})],
)
def ratio_of_evidences():
    """Evidence of a dataset under assumption 1, by that of another one."""
    return Le(evidence(y), exp(L * METRIC(x, y)) * evidence(x))


@claim(
    "note-posterior-share",
    place="Theorem 2(i), its last step",
    given=lambda: [part_x <= exp(size) * part_y, phi_y <= exp(size) * phi_x],
    proof=lambda: [
        step("the quotient", Le(part_x / phi_x, exp(size) * part_y / phi_x)),
        step("the evidences", Le(1 / phi_x, exp(size) / phi_y)),
        step("the factor", Eq(exp(2 * size), exp(size) * exp(size))),
    ],
)
def shares_of_two_integrals():
    """Shares of two integrals, by the ratio of their parts and of the integrals."""
    return Le(part_x / phi_x, exp(2 * size) * (part_y / phi_y))


@claim(
    "note-likelihoods-on-an-event",
    place="Theorem 2(i), its first step, in an event or not",
    given=lambda: [assumption_1()],
    using=["note-likelihoods-everywhere"],
)
def likelihoods_on_an_event():
    """Weighted likelihoods of two datasets under assumption 1, on an event."""
    weight = PRIOR.density(parameter) * B.indicator(parameter)
    bound = exp(L * METRIC(x, y)) * (weight * LIKELIHOOD(y, parameter))
    return Le(weight * LIKELIHOOD(x, parameter), bound)


@claim(
    "note-parts",
    place="Theorem 2(i), its first step, integrated",
    given=lambda: [assumption_1(), *measurable(B)],
    using=[("note-likelihoods-on-an-event", lambda: {parameter: parameter})],
)
def part_under_assumption_1():
    """Integral of the likelihood over an event under assumption 1, by that of another dataset."""
    return Le(part(B, x), exp(L * METRIC(x, y)) * part(B, y))


@claim(
    "theorem-2.i",
    place="Theorem 2(i), eq. 4.1",
    cites=["eq-a.2"],
    given=lambda: [assumption_1(), *existing(), *measurable(B)],
    using=[
        "eq-a.2",
        "note-parts",
        (
            "note-posterior-share",
            lambda: {
                part_x: part(B, x),
                part_y: part(B, y),
                phi_x: evidence(x),
                phi_y: evidence(y),
                size: L * METRIC(x, y),
            },
        ),
    ],
)
def privacy_of_a_draw():
    """Privacy of one posterior draw under assumption 1."""
    return Le(posterior(B, x), exp(2 * L * METRIC(x, y)) * posterior(B, y))


# --- the divergence -------------------------------------------------------------------------------


def loss_of_evidences():
    """Absolute log ratio of the two evidences."""
    return Abs(log(evidence(y) / evidence(x)))


@claim(
    "note-loss",
    place="eq. A.1, its integrand",
    given=lambda: [Abs(log(p_x / p_y)) <= size],
    proof=lambda: [
        step(
            "the logarithm",
            Eq(log((p_x / phi_x) / (p_y / phi_y)), log(p_x / p_y) + log(phi_y / phi_x)),
        ),
        step("its parts", Le(log((p_x / phi_x) / (p_y / phi_y)), size + Abs(log(phi_y / phi_x)))),
    ],
)
def loss_at_a_parameter():
    """Weighted log ratio of two posterior densities at a parameter."""
    ratio = log((p_x / phi_x) / (p_y / phi_y))
    return Le(weight_0 * (p_x * ratio), (size + Abs(log(phi_y / phi_x))) * (weight_0 * p_x))


@claim(
    "note-loss-everywhere",
    place="eq. A.1, its integrand",
    given=lambda: [assumption_1()],
    using=[
        (
            "note-loss",
            lambda: {
                p_x: LIKELIHOOD(x, parameter),
                p_y: LIKELIHOOD(y, parameter),
                weight_0: PRIOR.density(parameter),
                size: L * METRIC(x, y),
            },
        )
    ],
    proof=lambda: [
        step("assumption 1", Le(Abs(likelihood_ratio(x, y, parameter)), L * METRIC(x, y)))
    ],
)
def loss_everywhere():
    """Weighted log ratio of two posterior densities under assumption 1."""
    likely = LIKELIHOOD(x, parameter)
    ratio = log((likely / phi_x) / (LIKELIHOOD(y, parameter) / phi_y))
    weight = PRIOR.density(parameter)
    factor = L * METRIC(x, y) + Abs(log(phi_y / phi_x))
    return Le(weight * (likely * ratio), factor * (weight * likely))


def total_loss(first, second):
    """Integral of the log ratio of two posterior densities, by any evidences."""

    def loss(at):
        ratio = (LIKELIHOOD(x, at) / first) / (LIKELIHOOD(y, at) / second)
        return LIKELIHOOD(x, at) * log(ratio)

    return under_prior(loss)


def divergence_exists():
    """That the divergence of the posteriors exists; it is never negative."""
    return Ge(total_loss(evidence(x), evidence(y)), 0)


@claim(
    "note-loss-integrated",
    place="eq. A.1, for any numbers in place of the evidences",
    given=lambda: [assumption_1(), existing()[0], Ge(total_loss(phi_x, phi_y), 0)],
    using=[("note-loss-everywhere", lambda: {parameter: parameter})],
)
def loss_integrated():
    """Integral of the weighted log ratio of two posterior densities."""
    factor = L * METRIC(x, y) + Abs(log(phi_y / phi_x))
    return Le(total_loss(phi_x, phi_y), factor * evidence(x))


@claim(
    "eq-a.1-corrected",
    place="eq. A.1, repaired",
    corrects=["eq-a.1"],
    why="The divergence is an integral under the posterior of x, not under the prior.",
    given=lambda: [assumption_1(), *existing(), divergence_exists()],
    using=[("note-loss-integrated", lambda: {phi_x: evidence(x), phi_y: evidence(y)})],
)
def divergence_and_evidences():
    """Divergence of two posteriors, by the constant and the ratio of the evidences, repaired."""
    return Le(posterior_divergence(x, y), L * METRIC(x, y) + loss_of_evidences())


@claim(
    "note-evidences-reversed",
    place="eq. A.2, the other way",
    given=lambda: [assumption_1(), *existing()],
    using=[("note-likelihoods-everywhere", lambda: {parameter: parameter})],
)
def ratio_of_evidences_reversed():
    """Evidence of the first dataset under assumption 1, by that of the second."""
    return Le(evidence(x), exp(L * METRIC(x, y)) * evidence(y))


@claim(
    "note-ratio-of-evidences",
    place="eq. A.2, with a logarithm",
    given=lambda: [phi_y <= exp(size) * phi_x, phi_x <= exp(size) * phi_y],
    proof=lambda: [
        step("as quotients", [Le(phi_y / phi_x, exp(size)), Le(phi_x / phi_y, exp(size))]),
        step("the logarithms", [Le(log(phi_y / phi_x), size), Le(log(phi_x / phi_y), size)]),
    ],
)
def log_ratio_of_evidences():
    """Absolute log ratio of two evidences that are within a factor."""
    return Le(Abs(log(phi_y / phi_x)), size)


@claim(
    "theorem-1.i",
    place="Theorem 1(i), eq. 3.2 and A.3",
    cites=["eq-a.1", "eq-a.2"],
    given=lambda: [assumption_1(), *existing(), divergence_exists()],
    using=[
        "eq-a.1-corrected",
        "eq-a.2",
        "note-evidences-reversed",
        (
            "note-ratio-of-evidences",
            lambda: {phi_x: evidence(x), phi_y: evidence(y), size: L * METRIC(x, y)},
        ),
    ],
)
def divergence_under_assumption_1():
    """Divergence of two posteriors under assumption 1."""
    return Le(posterior_divergence(x, y), 2 * L * METRIC(x, y))
