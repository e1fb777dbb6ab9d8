"""Theorems 1 and 2 for any likelihood, prior and metric, with repairs under assumption 2.

The likelihood p(x, theta), the prior and the metric are unknown functions of the proof; integrals
over the line stand for integrals under any prior. That the evidence is positive and finite is what
eq. 2.2 asks for.
"""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integral,
    Le,
    Max,
    Or,
    Piecewise,
    Symbol,
    exp,
    log,
    oo,
    tanh,
    true,
)

from dpbook import Defined, Every, claim, for_all, step
from dpbook.posterior_sampling.any_models import (
    LIKELIHOOD,
    METRIC,
    PRIOR,
    Nonnegative,
    evidence,
    log_likelihood_ratio,
    posterior,
    posterior_divergence,
    under_prior,
)
from dpbook.posterior_sampling.notation import (
    L_0,
    L_1,
    L,
    L_n,
    any_x,
    any_y,
    c,
    first_x_part,
    first_y_part,
    in_s,
    mean_x,
    mean_y,
    outlying,
    p_x,
    p_y,
    parameter,
    part_x,
    part_y,
    peak,
    phi_x,
    phi_y,
    q_x,
    q_y,
    quotient,
    second_x_part,
    second_y_part,
    size,
    t,
    weight_0,
    x,
    y,
)
from dpbook.privacy.any_distributions import AnyEvent
from dpbook.privacy.divergences import over_support
from dpbook.privacy.statements import probability

B = AnyEvent("B")


def assumption_1():
    """Assumption 1, eq. 2.4: the log likelihood is Lipschitz at every parameter."""
    size = Abs(log_likelihood_ratio(any_x, any_y, parameter))
    return for_all(any_x, any_y, parameter, Le(size, L * METRIC(any_x, any_y)))


def existing():
    """State that both posteriors exist."""
    return [Gt(evidence(x), 0), Gt(evidence(y), 0)]


def part(event, record):
    """Integral of the likelihood over a set of parameters."""
    return under_prior(lambda t: event.indicator(t) * LIKELIHOOD(record, t))


def measurable(event):
    """State that the integrals of both likelihoods over a set of parameters exist."""
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
            Le(Abs(log_likelihood_ratio(x, y, parameter)), L * METRIC(x, y)),
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
    """Evidence of a dataset under assumption 1, by the evidence of another dataset."""
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
    """Integral of the likelihood over an event under assumption 1, by the same integral for y."""
    return Le(part(B, x), exp(L * METRIC(x, y)) * part(B, y))


@claim(
    "theorem-2.i",
    place="Theorem 2(i), eq. 4.1: for any parameter that a real number tells, as finitely many numbers can be, any prior "
    "with a density of it, and any positive likelihood. One that is 0 has no logarithm; under assumption 1 it would "
    "be 0 at that parameter for all datasets",
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


@claim(
    "note-densities",
    place="Theorem 2(i), for the densities of both posteriors against the prior, at a parameter",
    given=lambda: [assumption_1(), *existing()],
    using=[
        "eq-a.2",
        "note-likelihoods-everywhere",
        (
            "note-posterior-share",
            lambda: {
                part_x: LIKELIHOOD(x, parameter),
                part_y: LIKELIHOOD(y, parameter),
                phi_x: evidence(x),
                phi_y: evidence(y),
                size: L * METRIC(x, y),
            },
        ),
    ],
)
def densities_of_two_posteriors():
    """Densities of two posteriors at a parameter under assumption 1."""
    first, second = LIKELIHOOD(x, parameter) / evidence(x), LIKELIHOOD(y, parameter) / evidence(y)
    return Le(first, exp(2 * L * METRIC(x, y)) * second)


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
        step("of the likelihoods", Le(log(p_x / p_y), size)),
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
        step("assumption 1", Le(Abs(log_likelihood_ratio(x, y, parameter)), L * METRIC(x, y)))
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
    """State that the divergence of the posteriors exists; it is never negative."""
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
    """Evidence of the first dataset under assumption 1, by the evidence of the second."""
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
    place="Theorem 1(i), eq. 3.2 and A.3: for the parameters, priors and likelihoods of theorem-2.i, which are told by a "
    "real number, have a density, and are positive",
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


# --- one draw under assumption 2 ------------------------------------------------------------------

S = AnyEvent("S")  # the parameters of a constant of at most t


def share_of_two(factor):
    """Largest difference of the shares of a set in two integrals that are within a factor on both parts."""
    return (factor - 1) / (factor + 1)


@claim(
    "note-two-sets",
    place="Theorem 2(ii), repaired: what the shares of a set can differ by, where the ratio on the set and off "
    "it is at most u one way and at least 1/u the other",
    given=lambda: [
        first_x_part <= quotient * first_y_part,
        second_y_part <= quotient * second_x_part,
        first_x_part + second_x_part > 0,
        first_y_part + second_y_part > 0,
    ],
    proof=lambda: [
        step(
            "products of what is given",
            Eq(
                quotient
                * (
                    quotient
                    * (
                        first_x_part * first_y_part
                        + 2 * second_x_part * first_y_part
                        + second_x_part * second_y_part
                    )
                    - first_x_part * first_y_part
                    - 2 * first_x_part * second_y_part
                    - second_x_part * second_y_part
                ),
                (quotient - 1)
                * (
                    (first_x_part - second_y_part) ** 2
                    + first_x_part * (quotient * first_y_part - first_x_part)
                    + second_y_part * (quotient * second_x_part - second_y_part)
                )
                + 2
                * (
                    second_y_part * (quotient * first_y_part - first_x_part)
                    + (quotient * second_x_part - second_y_part)
                    * (quotient * first_y_part - first_x_part + first_x_part)
                ),
            ),
        ),
        step(
            "so",
            Ge(
                quotient
                * (
                    quotient
                    * (
                        first_x_part * first_y_part
                        + 2 * second_x_part * first_y_part
                        + second_x_part * second_y_part
                    )
                    - first_x_part * first_y_part
                    - 2 * first_x_part * second_y_part
                    - second_x_part * second_y_part
                ),
                0,
            ),
        ),
        step(
            "without a quotient",
            Le(
                (quotient + 1) * (first_x_part * second_y_part - first_y_part * second_x_part),
                (quotient - 1) * ((first_x_part + second_x_part) * (first_y_part + second_y_part)),
            ),
        ),
    ],
)
def shares_of_a_set():
    """Shares of a set in two integrals that are within a factor."""
    return Le(
        first_x_part / (first_x_part + second_x_part)
        - first_y_part / (first_y_part + second_y_part),
        share_of_two(quotient),
    )


@claim(
    "note-shares-and-tails",
    place="Theorem 2(ii), repaired, from the integrals over the constants of at most t, in the event and off it",
    given=lambda: [
        first_x_part <= quotient * first_y_part,
        second_y_part <= quotient * second_x_part,
        part_x <= phi_x - second_x_part,
        part_y >= first_y_part,
        phi_x - first_x_part - second_x_part <= outlying * phi_x,
        phi_y - first_y_part - second_y_part <= outlying * phi_y,
        first_x_part + second_x_part <= phi_x,
        first_y_part + second_y_part <= phi_y,
    ],
    using=["note-two-sets"],
    proof=lambda: [
        step(
            "most is kept",
            [
                Gt(first_x_part + second_x_part, 0),
                Gt(first_y_part + second_y_part, 0),
            ],
        ),
        step(
            "of x",
            Le(part_x / phi_x, first_x_part / (first_x_part + second_x_part) + outlying),
        ),
        step(
            "of y",
            Ge(part_y / phi_y, first_y_part / (first_y_part + second_y_part) - outlying),
        ),
    ],
)
def shares_and_tails():
    """Posterior probabilities of an event, from the part with small constants and the tails."""
    return Le(part_x / phi_x - part_y / phi_y, share_of_two(quotient) + 2 * outlying)


def zero_or_one(value):
    """State that a number is an indicator."""
    return Or(Eq(value, 0), Eq(value, 1))


def assumption_2():
    """Assumption 2 at t, from L_0 on: S has constants of at most t, and its prior probability."""
    size_of_all = Le(Abs(log_likelihood_ratio(any_x, any_y, parameter)), t * METRIC(any_x, any_y))
    small = for_all(any_x, any_y, parameter, Or(Eq(S.indicator(parameter), 0), size_of_all))
    return [small, Ge(probability(PRIOR, S), 1 - exp(-c * (t - L_0)))]


def bounded_density(record):
    """State that a posterior has a density of at most C against the prior."""
    return Every(parameter, Le(LIKELIHOOD(record, parameter), peak * evidence(record)))


def on(record, body):
    """Integral of the likelihood of a dataset, times a function of the parameter."""
    return under_prior(lambda at: body(at) * LIKELIHOOD(record, at))


def in_both(at):
    """1 in the event, where the constant is small."""
    return S.indicator(at) * B.indicator(at)


def off(at):
    """1 off the event, where the constant is small."""
    return S.indicator(at) * (1 - B.indicator(at))


def far(at):
    """1 where the constant is large."""
    return 1 - S.indicator(at)


def all_measurable():
    """State that the integrals of both likelihoods exist, over the event and its parts by S."""
    return [
        *measurable(B),
        *(Ge(on(record, body), 0) for record in (x, y) for body in (in_both, off, far)),
    ]


@claim(
    "note-small-constant",
    place="Theorem 2(ii), repaired, at a parameter; I_S is 1 where the constant is small",
    given=lambda: [zero_or_one(in_s), Or(Eq(in_s, 0), Abs(log(p_x / p_y)) <= size)],
    proof=lambda: [
        step(
            "the likelihoods",
            Or(Eq(in_s, 0), Le(p_x / p_y, exp(size))),
        ),
        step("its logarithm", Eq(log(p_y / p_x), -log(p_x / p_y))),
        step("is small", Or(Eq(in_s, 0), Le(log(p_y / p_x), size))),
        step("the other way", Or(Eq(in_s, 0), Le(p_y / p_x, exp(size)))),
    ],
)
def likelihoods_of_a_small_constant():
    """Likelihoods of two datasets where the constant is small."""
    return [
        Le(in_s * weight_0 * p_x, exp(size) * (in_s * weight_0 * p_y)),
        Le(in_s * weight_0 * p_y, exp(size) * (in_s * weight_0 * p_x)),
    ]


def small_constant(weight):
    """Return note-small-constant for a parameter, with a weight that depends on it."""
    return (
        "note-small-constant",
        lambda: {
            in_s: S.indicator(parameter),
            p_x: LIKELIHOOD(x, parameter),
            p_y: LIKELIHOOD(y, parameter),
            weight_0: PRIOR.density(parameter) * weight,
            size: t * METRIC(x, y),
        },
    )


@claim(
    "note-small-constants-everywhere",
    place="Theorem 2(ii), repaired, at a parameter",
    given=lambda: [assumption_2()[0]],
    using=[
        small_constant(B.indicator(parameter)),
        small_constant(1 - B.indicator(parameter)),
    ],
    proof=lambda: [
        step(
            "assumption 2",
            Or(
                Eq(S.indicator(parameter), 0),
                Le(Abs(log_likelihood_ratio(x, y, parameter)), t * METRIC(x, y)),
            ),
        )
    ],
)
def likelihoods_of_small_constants():
    """Weighted likelihoods of two datasets, in an event and off it, where the constant is small."""
    factor = exp(t * METRIC(x, y))
    weight = PRIOR.density(parameter)
    first, second = LIKELIHOOD(x, parameter), LIKELIHOOD(y, parameter)
    return [
        Le(
            weight * (in_both(parameter) * first), factor * (weight * (in_both(parameter) * second))
        ),
        Le(weight * (off(parameter) * second), factor * (weight * (off(parameter) * first))),
        Le(
            weight * (in_both(parameter) * second), factor * (weight * (in_both(parameter) * first))
        ),
    ]


@claim(
    "note-small-constants",
    place="Theorem 2(ii), repaired, integrated",
    given=lambda: [assumption_2()[0], *all_measurable()],
    using=[("note-small-constants-everywhere", lambda: {parameter: parameter})],
)
def parts_of_small_constants():
    """Integrals of the likelihood over an event and off it, where the constant is small."""
    factor = exp(t * METRIC(x, y))
    return [
        Le(on(x, in_both), factor * on(y, in_both)),
        Le(on(y, off), factor * on(x, off)),
        Le(on(y, in_both), factor * on(x, in_both)),
    ]


@claim(
    "note-large-constant",
    place="Theorem 2(ii), repaired, at a parameter; I_S is 1 where the constant is small",
    given=lambda: [zero_or_one(in_s), p_x <= size],
)
def likelihood_of_a_large_constant():
    """Weighted likelihood of a dataset where the constant is large, or small."""
    return Le(weight_0 * ((1 - in_s) * p_x), size * (weight_0 * (1 - in_s)))


def bounded_likelihood():
    """State that the likelihood is nowhere more than a number."""
    return Every(parameter, Le(LIKELIHOOD(x, parameter), size))


@claim(
    "note-large-constants-everywhere",
    place="Theorem 2(ii), repaired, at a parameter",
    given=lambda: [bounded_likelihood()],
    using=[
        (
            "note-large-constant",
            lambda: {
                in_s: S.indicator(parameter),
                p_x: LIKELIHOOD(x, parameter),
                weight_0: PRIOR.density(parameter),
            },
        )
    ],
    proof=lambda: [step("the likelihood", Le(LIKELIHOOD(x, parameter), size))],
)
def likelihood_of_large_constants():
    """Weighted likelihood of a dataset where the constant is large."""
    weight = PRIOR.density(parameter)
    return Le(
        weight * (far(parameter) * LIKELIHOOD(x, parameter)), size * (weight * far(parameter))
    )


@claim(
    "note-large-constants",
    place="Theorem 2(ii), repaired: the likelihood where the constants are large",
    given=lambda: [bounded_likelihood(), Ge(on(x, far), 0)],
    using=[("note-large-constants-everywhere", lambda: {parameter: parameter})],
)
def integral_of_large_constants():
    """Integral of the likelihood where the constant is large."""
    return Le(on(x, far), size * (1 - probability(PRIOR, S)))


def rest():
    """Bound of the posterior probability of large constants."""
    return peak * exp(-c * (t - L_0))


@claim(
    "note-tail",
    place="Theorem 2(ii), repaired: the posterior probability of large constants",
    given=lambda: [assumption_2()[1], bounded_density(x), existing()[0], Ge(on(x, far), 0)],
    using=[("note-large-constants", lambda: {size: peak * evidence(x)})],
    proof=lambda: [
        step(
            "by the prior",
            Le(
                peak * evidence(x) * (1 - probability(PRIOR, S)),
                peak * evidence(x) * exp(-c * (t - L_0)),
            ),
        )
    ],
)
def posterior_of_large_constants():
    """Integral of the likelihood where the constant is large, by assumption 2."""
    return Le(on(x, far), rest() * evidence(x))


@claim(
    "note-three-parts",
    place="Theorem 2(ii), repaired: the parameters in three sets",
    given=lambda: [*existing(), *all_measurable()],
)
def parts_of_the_evidence():
    """Evidence, and the part of an event, by the sets of parameters they are integrals over."""
    return [
        Eq(evidence(x) - on(x, in_both) - on(x, off), on(x, far)),
        Le(part(B, x), evidence(x) - on(x, off)),
        Ge(part(B, x), on(x, in_both)),
        Le(part(B, x), on(x, in_both) + on(x, far)),
    ]


def densities_bounded():
    """Assumption 2, and a bound on the densities of both posteriors."""
    bounded = [bounded_density(x), bounded_density(y), rest() < 1]
    return [*assumption_2(), *bounded, *existing(), *all_measurable()]


def by_parts(key):
    """Return the notes for the posteriors of an event, with the note `key` on their parts."""

    def parts():
        return {
            first_x_part: on(x, in_both),
            second_x_part: on(x, off),
            first_y_part: on(y, in_both),
            second_y_part: on(y, off),
            part_x: part(B, x),
            part_y: part(B, y),
            phi_x: evidence(x),
            phi_y: evidence(y),
            quotient: exp(t * METRIC(x, y)),
            outlying: rest(),
        }

    return [
        "note-small-constants",
        "note-tail",
        ("note-tail", lambda: {x: y}),
        "note-three-parts",
        ("note-three-parts", lambda: {x: y, y: x}),
        (key, parts),
    ]


@claim(
    "theorem-2.ii-corrected",
    place="Theorem 2(ii), repaired: for any event, and any t at which the bound is below 1. S are the "
    "parameters of constant at most t. A bound C on the densities of all posteriors makes the guarantee "
    "one of the mechanism; only those of x and y occur in it",
    corrects=["theorem-2.ii", "theorem-2.ii-exponential", "theorem-2.ii-one-record"],
    why="It rests on Theorem 1(ii). Where the constants exceed t, nothing ties the posteriors "
    "together, and what they put there may be C times what the prior does.",
    given=densities_bounded,
    using=by_parts("note-shares-and-tails"),
    proof=lambda: [
        step(
            "a hyperbolic tangent",
            Eq(tanh(t * METRIC(x, y) / 2), share_of_two(exp(t * METRIC(x, y)))),
        ),
    ],
)
def total_variation_under_assumption_2():
    """Total variation of two posteriors under assumption 2, repaired."""
    return Le(posterior(B, x) - posterior(B, y), tanh(t * METRIC(x, y) / 2) + 2 * rest())


@claim(
    "note-approximate-share",
    place="Theorem 2 under assumption 2, from the integrals over the constants of at most t",
    given=lambda: [
        first_x_part <= quotient * first_y_part,
        first_y_part <= quotient * first_x_part,
        second_y_part <= quotient * second_x_part,
        part_x <= first_x_part + outlying * phi_x,
        part_y >= first_y_part,
        phi_x >= first_x_part + second_x_part,
        phi_y - first_y_part - second_y_part <= outlying * phi_y,
    ],
    proof=lambda: [
        step("the evidences", Le((1 - outlying) * phi_y, quotient * phi_x)),
        step("as a quotient", Le(1 / phi_x, quotient / ((1 - outlying) * phi_y))),
        step("the part of x", Le(part_x / phi_x, first_x_part / phi_x + outlying)),
        step("by that of y", Le(first_x_part / phi_x, quotient * part_y / phi_x)),
        step(
            "by its evidence",
            Le(
                quotient * part_y / phi_x,
                quotient * part_y * (quotient / ((1 - outlying) * phi_y)),
            ),
        ),
    ],
)
def approximate_share():
    """Posterior probability of an event, by the probability given another dataset and the tail."""
    return Le(part_x / phi_x, quotient**2 / (1 - outlying) * (part_y / phi_y) + outlying)


@claim(
    "note-theorem-2-approximate",
    place="Theorem 2 under assumption 2, as a pair of epsilon and delta, for any event and t, with a bound C "
    "on the densities of the posteriors, in which neither depends on the data but by the distance: delta is "
    "C exp(-c (t - L_0)), epsilon is 2 t rho + ln(1 / (1 - delta))",
    given=densities_bounded,
    using=by_parts("note-approximate-share"),
    proof=lambda: [
        step(
            "the loss",
            Eq(
                exp(2 * t * METRIC(x, y) + log(1 / (1 - rest()))),
                exp(t * METRIC(x, y)) ** 2 / (1 - rest()),
            ),
        ),
    ],
)
def approximate_privacy_under_assumption_2():
    """Approximate privacy of one posterior draw under assumption 2."""
    loss = 2 * t * METRIC(x, y) + log(1 / (1 - rest()))
    return Le(posterior(B, x), exp(loss) * posterior(B, y) + rest())


# --- the divergence under assumption 2 -------------------------------------------------------------

CONSTANT = Nonnegative("ell")  # the Lipschitz constant of each parameter


def constants():
    """State that a function gives the Lipschitz constant of each parameter."""
    lipschitz = CONSTANT(parameter) * METRIC(any_x, any_y)
    ratio = Abs(log_likelihood_ratio(any_x, any_y, parameter))
    return for_all(any_x, any_y, parameter, Le(ratio, lipschitz))


def mean_constant(record):
    """Mean of the Lipschitz constant under the posterior, times the evidence."""
    return under_prior(lambda at: CONSTANT(at) * LIKELIHOOD(record, at))


def mean_excess():
    """Return the prior mean of the excess of the constant over t."""
    return under_prior(lambda at: Max(CONSTANT(at) - t, 0))


@claim(
    "note-loss-and-tangent",
    place="Theorem 1(ii), repaired, at two numbers: P and Q are densities of the posteriors at a parameter",
    proof=lambda: [
        step("the tangent", Ge(log(q_y / q_x), 1 - q_x / q_y)),
        step("the other way", Eq(log(q_y / q_x), -log(q_x / q_y))),
        step("the last term", Le(q_y * log(q_x / q_y), q_x - q_y)),
    ],
)
def loss_below_its_symmetric_part():
    """Loss at a point, by the symmetrised loss and the difference of the densities."""
    return Le(q_x * log(q_x / q_y), (q_x - q_y) * log(q_x / q_y) + q_x - q_y)


@claim(
    "note-loss-symmetrised",
    place="Theorem 1(ii), repaired, at a parameter whose constant is l, with any numbers for the evidences",
    given=lambda: [Abs(log(p_x / p_y)) <= size],
    using=[("note-loss-and-tangent", lambda: {q_x: p_x / phi_x, q_y: p_y / phi_y})],
    proof=lambda: [
        step(
            "the logarithm",
            Eq(log((p_x / phi_x) / (p_y / phi_y)), log(p_x / p_y) + log(phi_y / phi_x)),
        ),
        step(
            "its main part",
            Le(
                (p_x / phi_x - p_y / phi_y) * log(p_x / p_y),
                (p_x / phi_x + p_y / phi_y) * size,
            ),
        ),
    ],
)
def loss_by_the_constant():
    """Log ratio of two posterior densities, by the constant and the difference of the densities."""
    first, second = p_x / phi_x, p_y / phi_y
    rest_of_it = (1 + log(phi_y / phi_x)) * (first - second)
    return Le(first * log(first / second), (first + second) * size + rest_of_it)


def parts_of_the_loss(weight, first, second, constant):
    """Return a bound of the weighted loss at a parameter, for any evidences.

    It is linear in the integrands.
    """
    rest_of_it = (1 + log(phi_y / phi_x)) * (weight * first / phi_x - weight * second / phi_y)
    return (
        METRIC(x, y) * (weight * (constant * first) / phi_x + weight * (constant * second) / phi_y)
        + rest_of_it
    )


@claim(
    "note-loss-weighted",
    place="Theorem 1(ii), repaired, at a parameter, weighted with the prior",
    given=lambda: [constants()],
    using=[
        (
            "note-loss-symmetrised",
            lambda: {
                p_x: LIKELIHOOD(x, parameter),
                p_y: LIKELIHOOD(y, parameter),
                size: CONSTANT(parameter) * METRIC(x, y),
            },
        )
    ],
    proof=lambda: [
        step(
            "the constant",
            Le(Abs(log_likelihood_ratio(x, y, parameter)), CONSTANT(parameter) * METRIC(x, y)),
        )
    ],
)
def weighted_loss_by_the_constant():
    """Weighted log ratio of two posterior densities, by the constant at the parameter."""
    first, second = LIKELIHOOD(x, parameter), LIKELIHOOD(y, parameter)
    weight, constant = PRIOR.density(parameter), CONSTANT(parameter)
    ratio = log((first / phi_x) / (second / phi_y))
    return Le(weight * (first * ratio) / phi_x, parts_of_the_loss(weight, first, second, constant))


def constants_measurable():
    """State that the means of the constant under both posteriors exist."""
    return [Ge(mean_constant(x), 0), Ge(mean_constant(y), 0)]


@claim(
    "note-divergence-integrated",
    place="Theorem 1(ii), repaired, for any numbers in place of the evidences",
    given=lambda: [
        constants(),
        *existing(),
        *constants_measurable(),
        Ge(total_loss(phi_x, phi_y), 0),
    ],
    using=[("note-loss-weighted", lambda: {parameter: parameter})],
)
def integrated_loss_by_the_constant():
    """Integral of the weighted log ratio of two posterior densities, by the means of the constant."""
    means = METRIC(x, y) * (mean_constant(x) / phi_x + mean_constant(y) / phi_y)
    rest_of_it = (1 + log(phi_y / phi_x)) * (evidence(x) / phi_x - evidence(y) / phi_y)
    return Le(total_loss(phi_x, phi_y) / phi_x, means + rest_of_it)


@claim(
    "note-divergence-means",
    place="Theorem 1 without an assumption on tails: for each parameter its own constant",
    given=lambda: [constants(), *existing(), *constants_measurable(), divergence_exists()],
    using=[("note-divergence-integrated", lambda: {phi_x: evidence(x), phi_y: evidence(y)})],
)
def divergence_by_the_means_of_the_constant():
    """Divergence of two posteriors, by the means of the Lipschitz constant under them."""
    return Le(
        posterior_divergence(x, y),
        METRIC(x, y) * (mean_constant(x) / evidence(x) + mean_constant(y) / evidence(y)),
    )


@claim(
    "note-excess",
    place="Theorem 1(ii), repaired, at a parameter of the constant L_1",
    given=lambda: [p_x <= size],
    proof=lambda: [
        step("the excess", Le(L_1 - t, Max(L_1 - t, 0))),
        step("times the likelihood", Le((L_1 - t) * p_x, Max(L_1 - t, 0) * size)),
    ],
)
def constant_by_its_excess():
    """Weighted constant, by its excess over t."""
    return Le(weight_0 * (L_1 * p_x), t * (weight_0 * p_x) + size * (weight_0 * Max(L_1 - t, 0)))


@claim(
    "note-excess-everywhere",
    place="Theorem 1(ii), repaired, at a parameter",
    given=lambda: [bounded_likelihood()],
    using=[
        (
            "note-excess",
            lambda: {
                p_x: LIKELIHOOD(x, parameter),
                weight_0: PRIOR.density(parameter),
                L_1: CONSTANT(parameter),
            },
        )
    ],
    proof=lambda: [step("the likelihood", Le(LIKELIHOOD(x, parameter), size))],
)
def weighted_constant():
    """Weighted constant at a parameter, by its excess over t."""
    likely, constant = LIKELIHOOD(x, parameter), CONSTANT(parameter)
    weight = PRIOR.density(parameter)
    return Le(
        weight * (constant * likely),
        t * (weight * likely) + size * (weight * Max(constant - t, 0)),
    )


@claim(
    "note-mean-excess",
    place="Theorem 1(ii), repaired: the mean of the constant, by its mean excess over t under the prior",
    given=lambda: [
        bounded_likelihood(),
        existing()[0],
        Ge(mean_constant(x), 0),
        Ge(mean_excess(), 0),
    ],
    using=[("note-excess-everywhere", lambda: {parameter: parameter})],
)
def mean_of_the_constant():
    """Mean of the constant under the posterior, times the evidence, by its mean excess."""
    return Le(mean_constant(x), t * evidence(x) + size * mean_excess())


def start():
    """Return the t at which C exp(-c (t - L_0)) falls to 1."""
    return L_0 + log(peak) / c


def excess_from(level):
    """Return the prior mean of the excess of the constant over a level."""
    return under_prior(lambda at: Max(CONSTANT(at) - level, 0))


@claim(
    "note-mean-from-the-excess",
    place="Theorem 1(ii), repaired, in numbers",
    given=lambda: [
        part_x <= start() * phi_x + peak * phi_x * part_y,
        part_y <= 1 / (c * peak),
    ],
    proof=lambda: [
        step("the excess", Le(peak * phi_x * part_y, peak * phi_x * (1 / (c * peak)))),
        step("without C", Eq(peak * phi_x * (1 / (c * peak)), phi_x / c)),
        step("together", Le(part_x, (start() + 1 / c) * phi_x)),
    ],
)
def mean_from_the_excess():
    """Mean of the constant, from the mean of its excess over a level."""
    return Le(part_x / phi_x, L_0 + (1 + log(peak)) / c)


@claim(
    "note-mean-of-the-constant",
    place="Theorem 1(ii), repaired: the mean of the constant under a posterior of density at most C, where "
    "assumption 2 is integrated from L_0 + ln(C)/c on",
    given=lambda: [
        bounded_density(x),
        existing()[0],
        Ge(mean_constant(x), 0),
        Le(excess_from(start()), 1 / (c * peak)),
        Ge(excess_from(start()), 0),
    ],
    using=[
        ("note-mean-excess", lambda: {t: start(), size: peak * evidence(x)}),
        (
            "note-mean-from-the-excess",
            lambda: {
                part_x: mean_constant(x),
                part_y: excess_from(start()),
                phi_x: evidence(x),
            },
        ),
    ],
)
def mean_of_the_constant_under_a_posterior():
    """Mean of the Lipschitz constant under a posterior."""
    return Le(mean_constant(x) / evidence(x), L_0 + (1 + log(peak)) / c)


@claim(
    "note-sum-of-means",
    place="Theorem 1(ii), repaired, in numbers",
    given=lambda: [
        part_x <= size * (mean_x + mean_y),
        mean_x <= start() + 1 / c,
        mean_y <= start() + 1 / c,
    ],
    proof=lambda: [
        step("both", Le(size * (mean_x + mean_y), size * (2 * (start() + 1 / c)))),
    ],
)
def sum_of_two_means():
    """Bound by the sum of two means."""
    return Le(part_x, 2 * size * (L_0 + (1 + log(peak)) / c))


def bound_of_the_excess():
    """Assumption 2 integrated from L_0 + ln(C)/c on."""
    return Le(excess_from(start()), 1 / (c * peak))


def integrated_assumption_2():
    """Assumption 2 integrated from L_0 + ln(C)/c on, and a bound on the densities of both posteriors."""
    return [
        constants(),
        bounded_density(x),
        bounded_density(y),
        *existing(),
        *constants_measurable(),
        divergence_exists(),
        bound_of_the_excess(),
        Ge(excess_from(start()), 0),
    ]


@claim(
    "note-theorem-1.ii",
    place="Theorem 1(ii), repaired, where assumption 2 is integrated from L_0 + ln(C)/c on",
    given=integrated_assumption_2,
    using=[
        "note-divergence-means",
        "note-mean-of-the-constant",
        ("note-mean-of-the-constant", lambda: {x: y}),
        (
            "note-sum-of-means",
            lambda: {
                part_x: posterior_divergence(x, y),
                mean_x: mean_constant(x) / evidence(x),
                mean_y: mean_constant(y) / evidence(y),
                size: METRIC(x, y),
            },
        ),
    ],
)
def divergence_under_integrated_assumption_2():
    """Divergence of two posteriors under assumption 2, integrated."""
    return Le(posterior_divergence(x, y), 2 * METRIC(x, y) * (L_0 + (1 + log(peak)) / c))


# --- the excess, by the tails ----------------------------------------------------------------------

_LEVEL = Symbol("s", real=True)  # of the constants that are counted


class beyond(Defined):
    """Prior probability ``beyond(level)`` of the parameters whose constant is above a level."""

    nargs = 1

    def definition(self):
        (level,) = self.args

        def counted(at):
            return Piecewise((1, Gt(CONSTANT(at), level)), (0, true), evaluate=False)

        return over_support(lambda density: density, (PRIOR,), level, weighed=counted)

    def _latex(self, printer, exp=None):
        return rf"\xi\left(\ell > {printer.doprint(self.args[0])}\right)"


@claim(
    "note-layer-cake",
    place="Theorem 1(ii), repaired: the layer-cake formula, by two orders of one integral (E. H. Lieb, M. Loss, Analysis, 2nd "
    "edition, 2001, theorem 1.13, for the measure of density 1 from t on)",
    given=lambda: [Ge(mean_excess(), 0)],
)
def layer_cake():
    """Mean of the excess of a function over a level, from probabilities of all higher levels."""
    return Eq(mean_excess(), Integral(beyond(_LEVEL), (_LEVEL, t, oo)))


def tails():
    """Assumption 2 from L_0 on: how much of the prior has constants above a level."""
    return Every(t, Le(beyond(t), exp(-c * (t - L_0))))


@claim(
    "note-tail-at-a-level",
    place="Theorem 1(ii), repaired: assumption 2 at a level",
    given=lambda: [tails()],
)
def tail_at_a_level():
    """Prior probability of constants above a level, under assumption 2."""
    return Le(beyond(L_n), exp(-c * (L_n - L_0)))


@claim(
    "note-excess-by-the-tails",
    place="Theorem 1(ii), repaired: assumption 2 integrated from a level on",
    given=lambda: [tails(), Ge(excess_from(L_1), 0)],
    using=[
        ("note-layer-cake", lambda: {t: L_1}),
        ("note-tail-at-a-level", lambda: {L_n: L_n}),
    ],
    proof=lambda: [
        step(
            "the levels",
            Le(
                Integral(beyond(_LEVEL), (_LEVEL, L_1, oo)),
                Integral(exp(-c * (_LEVEL - L_0)), (_LEVEL, L_1, oo)),
            ),
        ),
        step(
            "their integral",
            Eq(
                Integral(exp(-c * (_LEVEL - L_0)), (_LEVEL, L_1, oo)),
                exp(-c * (L_1 - L_0)) / c,
            ),
        ),
    ],
)
def excess_by_the_tails():
    """Mean of the excess of the constant over a level, under assumption 2."""
    return Le(excess_from(L_1), exp(-c * (L_1 - L_0)) / c)


def with_tails():
    """Assumption 2, and a bound on the densities of both posteriors."""
    return [tails(), *(one for one in integrated_assumption_2() if one != bound_of_the_excess())]


@claim(
    "theorem-1.ii-corrected",
    place="Theorem 1(ii), repaired, with assumption 2 from L_0 on and a bound C on the densities of all "
    "posteriors, so that the bound depends on the data by the distance only; the means of the constant exist",
    corrects=[
        "theorem-1.ii",
        "theorem-1.ii-exponential",
        "theorem-1.ii-bernoulli",
        "theorem-1.ii-two-datasets",
        "theorem-1.ii-one-record",
        "eq-a.4",
        "eq-a.4-evidences",
    ],
    why="The proof averages the log ratio under the prior, where the divergence averages it under "
    "the posterior; and it bounds the ratio of the evidences, one number for all parameters, "
    "shell by shell. A posterior may put the factor C on large constants.",
    given=with_tails,
    using=[("note-excess-by-the-tails", lambda: {L_1: start()}), "note-theorem-1.ii"],
    proof=lambda: [step("where C cancels", Eq(exp(-c * (start() - L_0)) / c, 1 / (c * peak)))],
)
def divergence_under_assumption_2():
    """Divergence of two posteriors under assumption 2, repaired."""
    return Le(posterior_divergence(x, y), 2 * METRIC(x, y) * (L_0 + (1 + log(peak)) / c))
