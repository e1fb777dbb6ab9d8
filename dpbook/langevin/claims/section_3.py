"""Section 3: background on privacy."""

from sympy import Eq, Ge, Gt, Integral, Le, Or, Sum, erfc, exp, log, oo, sqrt

from dpbook import Every, Noted, claim, derivative, for_all, step
from dpbook.langevin.notation import (
    alpha,
    batch,
    beta,
    delta,
    distance,
    epsilon,
    eta,
    i,
    mu_1,
    mu_2,
    n,
    nu,
    shifted_variance,
    sigma_1,
    sigma_2,
    smaller_loss,
    step_size,
    theta,
    variance_1,
    variance_2,
)
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent, AnyScore, distribution_for
from dpbook.privacy.distributions import Normal
from dpbook.privacy.divergences import (
    hockey_stick,
    normal_profile,
    renyi_divergence,
    renyi_moment,
)
from dpbook.privacy.notation import at, divergence, first_delta, multiple, other_epsilon
from dpbook.privacy.notation import epsilon as any_loss
from dpbook.privacy.statements import Exceeding, private, probability

P, Q = AnyDistribution("P"), AnyDistribution("Q")
A = AnyEvent("A")


def within_the_loss(event):
    """Eq. 1 at an event."""
    return Le(probability(P, event), exp(epsilon) * probability(Q, event) + delta)


@claim("note-any-event", place="Definition 1, eq. 1")
def excess_at_any_event():
    """Excess of the probability of an event, by the hockey-stick divergence."""
    excess = probability(P, A) - exp(epsilon) * probability(Q, A)
    return Le(excess, hockey_stick(P, Q, epsilon))


@claim(
    "definition-1",
    place="Definition 1, eq. 1, for any two distributions, with densities; outputs are told by a real number, by a Borel map: the hockey-stick divergence, "
    "which says below that two distributions are private, is at most delta exactly where eq. 1 holds at every "
    "event A; E is the event at which it is attained",
    using=["note-any-event", ("privacy:events-attained", lambda: {multiple: epsilon})],
)
def approximate_privacy():
    """Approximate differential privacy, at every event and by one divergence."""
    small = Le(hockey_stick(P, Q, epsilon), delta)
    return [
        Or(small.negated, within_the_loss(A)),
        Or(small, within_the_loss(Exceeding(P, Q, epsilon)).negated),
    ]


@claim("note-power-of-a-ratio", place="Definition 2, at a point, for any numbers")
def power_of_a_ratio():
    """Power of a ratio, weighed, for any numbers."""
    weighed = sigma_2 * (sigma_1 / sigma_2) ** nu
    return Eq(weighed, sigma_1**nu * sigma_2 ** (1 - nu))


@claim(
    "note-definition-2",
    place="Definition 2, at every point",
    given=lambda: positive(P, Q),
    using=[
        ("note-power-of-a-ratio", lambda: {sigma_1: P.density(at), sigma_2: Q.density(at)}),
    ],
)
def weighed_powers():
    """Power of the ratio of two densities, weighed by the second one."""
    return for_all(at, Eq(weighed_power(), P.density(at) ** nu * Q.density(at) ** (1 - nu)))


@claim(
    "definition-2-positive",
    place="Definition 2, for any two distributions, with densities that are positive everywhere, and a divergence; outputs are told by a real number, by a Borel map: "
    "both integrals exist; the right side is how it is computed below",
    given=lambda: with_positive_densities(),
    using=["note-definition-2"],
    proof=lambda: [
        step("the mean", Eq(mean_of_the_power(), renyi_moment(P, Q, nu))),
    ],
)
def renyi_divergence_of_positive_densities():
    """Renyi divergence of two distributions with positive densities, by the mean of a power of the ratio."""
    return by_the_mean_of_a_power()


def by_the_mean_of_a_power():
    """Renyi divergence as it is defined, and as it is computed."""
    return Eq(1 / (nu - 1) * log(mean_of_the_power()), renyi_divergence(P, Q, nu))


def with_positive_densities():
    """Return the conditions that both densities are positive, and both integrals exist."""
    return [
        *positive(P, Q),
        Gt(mean_of_the_power(), 0),
        Gt(renyi_moment(P, Q, nu), 0),
    ]


@claim(
    "definition-2",
    place="Definition 2, for any two distributions and a divergence, as definition-2-positive",
    scope="densities that are positive everywhere: where the first one is 0 its power is 0 and adds nothing, and where the second one is 0 the first is 0 too, or there is no divergence; both in words",
    given=with_positive_densities,
    using=["note-definition-2"],
    proof=lambda: [
        step("the mean", Eq(mean_of_the_power(), renyi_moment(P, Q, nu))),
    ],
)
def renyi_divergence_of_two_distributions():
    """Renyi divergence, by the mean of a power of the ratio."""
    return by_the_mean_of_a_power()


def mean_of_the_power():
    """Mean of the power of the ratio under the second distribution."""
    return Integral(weighed_power(), (at, -oo, oo))


def weighed_power():
    """Power of the ratio of two densities, weighed by the second one."""
    return Q.density(at) * (P.density(at) / Q.density(at)) ** nu


@claim("note-log-moment", place="Definition 3, for any number")
def logarithm_of_a_moment():
    """Logarithm of a number, over nu - 1, against a bound."""
    small = Le(log(sigma_1) / (nu - 1), epsilon)
    within = Le(sigma_1, exp((nu - 1) * epsilon))
    return [Or(small.negated, within), Or(small, within.negated)]


@claim(
    "definition-3",
    place="Definition 3, eq. 2, for any algorithm and any two adjacent databases, whose outputs are told by a real number, by a Borel map, and have the distributions P and Q, "
    "of which the mean of a power exists: the divergence is at most epsilon exactly where "
    "the mean of the power of their ratio is at most exp((nu - 1) epsilon)",
    given=lambda: [Gt(renyi_moment(P, Q, nu), 0)],
    using=[("note-log-moment", lambda: {sigma_1: renyi_moment(P, Q, nu)})],
)
def renyi_privacy():
    """Renyi differential privacy of two neighbours, by the mean of a power."""
    small = Le(renyi_divergence(P, Q, nu), epsilon)
    within = Le(renyi_moment(P, Q, nu), exp((nu - 1) * epsilon))
    return [Or(small.negated, within), Or(small, within.negated)]


def positive(*distributions):
    """State that the densities of distributions are positive everywhere."""
    return [Every(at, distribution.density(at) > 0) for distribution in distributions]


def with_delta(loss):
    """Loss of approximate privacy that lemma 3.1 makes of a Renyi loss."""
    return loss + log(1 / delta) / (nu - 1)


def renyi_private(first, second):
    """Renyi privacy from one distribution to another: the divergence exists and is at most epsilon."""
    return [
        Ge(renyi_moment(first, second, nu), 0),
        Le(renyi_divergence(first, second, nu), epsilon),
    ]


@claim("note-conversion-factor", place="used by Lemma 3.1")
def factor_of_the_conversion():
    """Factor that the conversion of lemma 3.1 leaves out."""
    return Le((nu - 1) ** (nu - 1) / nu**nu, 1)


@claim(
    "note-lemma-3.1",
    place="Lemma 3.1 for all distributions on the line with a positive density",
    given=lambda: [
        *positive(P, Q),
        *renyi_private(P, Q),
    ],
    using=[
        "note-conversion-factor",
        (
            "privacy:renyi-to-dp-laws",
            lambda: {any_loss: with_delta(epsilon), divergence: epsilon},
        ),
    ],
)
def renyi_privacy_of_any_distributions():
    """From Renyi privacy to approximate privacy, any two distributions with positive densities."""
    return Le(hockey_stick(P, Q, with_delta(epsilon)), delta)


def divergence_of_two_normals():
    """Renyi divergence of two normal distributions, as `privacy:renyi-normal` has it."""
    return (
        log(sigma_2 / sigma_1)
        + log(sigma_2**2 / shifted_variance) / (2 * (nu - 1))
        + nu * (mu_1 - mu_2) ** 2 / (2 * shifted_variance)
    )


@claim(
    "note-lemma-3.1-normals",
    place="Lemma 3.1 for any two normal distributions",
    given=lambda: [shifted_variance > 0, Le(divergence_of_two_normals(), epsilon)],
    using=[
        "privacy:renyi-normal",
        (
            "note-lemma-3.1",
            lambda: {
                **distribution_for(P, Normal(mu_1, sigma_1)),
                **distribution_for(Q, Normal(mu_2, sigma_2)),
            },
        ),
    ],
)
def renyi_privacy_of_two_normals():
    """From Renyi privacy to approximate privacy, any two normal distributions."""
    return Le(
        hockey_stick(Normal(mu_1, sigma_1), Normal(mu_2, sigma_2), with_delta(epsilon)), delta
    )


def divergence_by_variances():
    """Return the Renyi divergence of two normal distributions by variances, and its divisor."""
    starred = nu * variance_2 + (1 - nu) * variance_1
    divergence = (
        log(sqrt(variance_2) / sqrt(variance_1))
        + log(variance_2 / starred) / (2 * (nu - 1))
        + nu * (mu_1 - mu_2) ** 2 / (2 * starred)
    )
    return divergence, starred


@claim(
    "note-lemma-3.1-variances",
    place="Lemma 3.1 for any two normal distributions, by their variances",
    given=lambda: [divergence_by_variances()[1] > 0, Le(divergence_by_variances()[0], epsilon)],
    using=[
        (
            "note-lemma-3.1-normals",
            lambda: {sigma_1: sqrt(variance_1), sigma_2: sqrt(variance_2)},
        ),
    ],
)
def renyi_privacy_by_variances():
    """From Renyi privacy to approximate privacy, any two normal distributions by their variances."""
    first, second = Normal(mu_1, sqrt(variance_1)), Normal(mu_2, sqrt(variance_2))
    return Le(hockey_stick(first, second, with_delta(epsilon)), delta)


def two_normals_by_variances():
    """Two normal distributions, by their variances."""
    return Normal(mu_1, sqrt(variance_1)), Normal(mu_2, sqrt(variance_2))


def privacy_by_variances(loss):
    """Privacy of two normal distributions, by their variances, at a loss."""
    first, second = two_normals_by_variances()
    return private(first, second, loss, delta)


@claim(
    "note-larger-loss",
    place="Section 3, for any two normal distributions",
    given=lambda: [
        privacy_by_variances(smaller_loss),
        Le(smaller_loss, epsilon),
    ],
    using=[
        (
            "privacy:private-at-a-larger-loss",
            lambda: {
                **distribution_for(P, two_normals_by_variances()[0]),
                **distribution_for(Q, two_normals_by_variances()[1]),
                any_loss: epsilon,
                other_epsilon: smaller_loss,
                first_delta: delta,
            },
        ),
    ],
    try_at=[
        {mu_1: 0, variance_1: 1, mu_2: 0, variance_2: 1, smaller_loss: 1, epsilon: 1, delta: "1/2"}
    ],
)
def privacy_of_two_normals_at_a_larger_loss():
    """Privacy of two normal distributions at a larger loss."""
    return privacy_by_variances(epsilon)


@claim(
    "lemma-3.1",
    place="Lemma 3.1, for any two distributions on the line with densities that are positive everywhere: Renyi "
    "privacy, which goes both ways, gives two distributions one support. Outputs of any other space are told by real numbers, by a Borel map, and a single output that has a probability is spread over an interval",
    given=lambda: [*positive(P, Q), *renyi_private(P, Q), *renyi_private(Q, P)],
    using=[
        "note-lemma-3.1",
        ("note-lemma-3.1", lambda: {**distribution_for(P, Q), **distribution_for(Q, P)}),
    ],
)
def renyi_privacy_gives_approximate_privacy():
    """From Renyi privacy to approximate privacy."""
    return private(P, Q, with_delta(epsilon), delta)


def tail_start():
    """Return the start of the tail in the exact curve of two normal distributions."""
    return (nu - 1) * distance / 2 + log(1 / delta) / ((nu - 1) * distance)


@claim(
    "note-lemma-3.1-gaussian",
    place="Lemma 3.1, for normal distributions of one spread, through their exact curve",
    without={"privacy:normal-tail": "Chernoff's bound is an axiom of the kernel"},
    proof=lambda: [
        step("means of two numbers", Ge(tail_start() ** 2 / 2, log(1 / delta))),
        step("the tail", Le(erfc(tail_start() / sqrt(2)) / 2, exp(-(tail_start() ** 2) / 2))),
        step("is below delta", Le(exp(-(tail_start() ** 2) / 2), delta)),
    ],
)
def renyi_privacy_of_normals():
    """From Renyi privacy to approximate privacy, two normal distributions of one spread."""
    return Le(
        normal_profile(distance, nu * distance**2 / 2 + log(1 / delta) / (nu - 1)),
        delta,
    )


def drift_of_a_step(at, covariate, response):
    """Return the mean after a step of the chain: eq. 3 with one record, for the model of eq. 4."""
    slope = -alpha * at + n * (response - at * covariate) * covariate * beta
    return at + eta / 2 * slope


@claim("eq-3", place="eq. 3", cites=["eq-3-regression"])
def update_of_any_chain():
    """A step of stochastic gradient Langevin dynamics."""
    return Noted(
        "a definition: half a step along the slope of the log-prior and of the log-likelihood of a batch, the second times n / b, "
        "and a normal noise whose variance is the step"
    )


@claim(
    "eq-3-regression",
    place="eq. 3 for the model of eq. 4, any records in a batch of any size and any step size, its noise apart",
)
def update_of_the_chain():
    """A step of the chain along the slope of the log-posterior, without its noise."""
    prior = log(Normal(0, sqrt(1 / alpha)).density(theta))
    covariate, response = AnyScore("x", batch)(i), AnyScore("y", batch)(i)
    likelihood = log(Normal(theta * covariate, sqrt(1 / beta)).density(response))
    slopes = Sum(derivative(likelihood, theta), (i, 1, batch))
    written = Sum((response - theta * covariate) * covariate * beta, (i, 1, batch))
    return Eq(
        theta + step_size / 2 * (derivative(prior, theta) + n / batch * slopes),
        theta + step_size / 2 * (-alpha * theta + n / batch * written),
    )
