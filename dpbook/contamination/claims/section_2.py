"""Section 2: privacy of a posterior draw, contamination, and the posterior in two parts."""

from sympy import Abs, Eq, Ge, Gt, Le, Lt, exp, log, sqrt

from dpbook import Every, Exists, Noted, claim, step
from dpbook.contamination.any_models import AnyFunction, NonNegative
from dpbook.contamination.claims.general import (
    A,
    averaged,
    datasets,
    f_at,
    f_of,
    inside,
    prior_mean,
    weighed,
)
from dpbook.contamination.notation import (
    answer_0,
    answer_1,
    contaminated,
    data,
    delta,
    epsilon,
    eta,
    far_x,
    far_z,
    in_x,
    in_z,
    mass_0,
    mean_0,
    n,
    off_x,
    off_z,
    p,
    rest_x,
    rest_z,
    share,
    theta,
    total,
    weight,
    x,
    z,
)
from dpbook.privacy.distributions import Normal

# --- definitions ----------------------------------------------------------------------------------


@claim("eq-1", place="Section 1, eq. 1")
def differential_privacy():
    """Differential privacy."""
    return Noted("a definition; what it means for two distributions stands in the topic privacy")


@claim("eq-2", place="Section 2.1, eq. 2")
def posterior_density():
    """Posterior density of the parameter."""
    return Noted("a definition")


@claim("definition-1", place="Definition 1")
def neighbours():
    """Neighbouring datasets: of one size, different in one record."""
    return Noted("a definition")


@claim("definition-2", place="Definition 2, eq. 3")
def random_privacy():
    """Random differential privacy."""
    return Noted(
        "a definition: the inequality of (1) holds for a share of the datasets that the model "
        "draws. The paper calls the share p_n, as it does the rate of contamination"
    )


@claim("definition-3", place="Definition 3")
def hellinger_distance():
    """Hellinger distance, at most 1."""
    return Noted("a definition")


@claim("definition-4", place="Definition 4")
def hellinger_bracketing():
    """Bracketing by pairs of functions at a small Hellinger distance."""
    return Noted("a definition")


@claim("definition-5", place="Definition 5")
def bracketing_number():
    """Bracketing number, and its logarithm, the entropy."""
    return Noted("a definition")


# --- random privacy is not privacy ----------------------------------------------------------------


def gaussian_loss(last):
    """Return the posterior density at theta, given the shared records and a last record."""
    return Normal((mean_0 + total + last) / (n + 2), 1 / sqrt(n + 2)).density(theta)


@claim(
    "remark-1",
    place="Remark 1: n shared records of sum S, records of variance 1, the prior N(mu_0, 1)",
    fault="misprint",
    effect="None: the ratio is unbounded as well once the prior's mean is counted once.",
    try_at=[{n: 2, mean_0: 1, total: 0, x: 1, z: 0, theta: 0}],
)
def ratio_of_gaussian_posteriors_as_printed():
    """Log ratio of two Gaussian posteriors, as printed."""
    printed = -(x**2 - z**2) / (2 * (n + 2)) + (x - z) * (theta - (total + n * mean_0) / (n + 2))
    return Eq(log(gaussian_loss(x) / gaussian_loss(z)), printed)


@claim(
    "remark-1-corrected",
    place="Remark 1, repaired",
    corrects=["remark-1"],
    why="The prior's mean stands inside the sum over the records, so it is counted n times.",
)
def ratio_of_gaussian_posteriors():
    """Log ratio of two Gaussian posteriors."""
    found = -(x**2 - z**2) / (2 * (n + 2)) + (x - z) * (theta - (total + mean_0) / (n + 2))
    return Eq(log(gaussian_loss(x) / gaussian_loss(z)), found)


@claim(
    "remark-1-unbounded",
    place="Remark 1: the ratio is unbounded in mu, for any two records that differ; the parameter is named",
    given=lambda: [Abs(x - z) > 0],
)
def gaussian_posteriors_are_not_private():
    """Parameter at which the log ratio of two Gaussian posteriors exceeds any epsilon."""
    found = -(x**2 - z**2) / (2 * (n + 2)) + (x - z) * (theta - (total + mean_0) / (n + 2))
    witness = (epsilon + 1) / (x - z) + (x + z) / (2 * (n + 2)) + (total + mean_0) / (n + 2)
    return Exists(Gt(found, epsilon), {theta: witness})


def log_ratio():
    """Log ratio of remark 1, repaired."""
    mean = (total + mean_0) / (n + 2)
    return -(x**2 - z**2) / (2 * (n + 2)) + (x - z) * (theta - mean)


def far_from(record):
    """A record at which the square in the log ratio exceeds all else, for another one."""
    slope = record / (n + 2) - theta + (total + mean_0) / (n + 2)
    return record + 2 * (n + 2) * (1 + epsilon + Abs(slope))


@claim(
    "remark-1-unbounded.x",
    place="Remark 1: the ratio is unbounded in x, from below; the record is named",
)
def ratio_is_unbounded_in_the_record():
    """Record at which the log ratio of two Gaussian posteriors is below any -epsilon."""
    return Exists(Lt(log_ratio(), -epsilon), {x: far_from(z)})


@claim(
    "remark-1-unbounded.z",
    place="Remark 1: the ratio is unbounded in z; the record is named",
)
def ratio_is_unbounded_in_the_other_record():
    """Record in the other dataset at which the log ratio of two Gaussian posteriors exceeds any epsilon."""
    return Exists(Gt(log_ratio(), epsilon), {z: far_from(x)})


# --- contamination --------------------------------------------------------------------------------


@claim("text-2.2-contamination", place="Section 2.2")
def contaminated_record():
    """A record that is replaced, with probability p, by a draw from g."""
    return Noted("an algorithm: it defines k_p")


chance_x, chance_z, chance_g = (
    AnyFunction("a_x", 1, NonNegative),
    AnyFunction("a_z", 1, NonNegative),
    AnyFunction("a_g", 1, NonNegative),
)


def chance_at_run_time(chance):
    """Chance of an event of a mechanism that contaminates its data, the last record with the others."""
    return averaged(contaminated(chance(data), chance_g(data)))


@claim(
    "note-remark-2",
    place="Remark 2, where the contamination of the other records is given; q_0 is the chance with a draw from g as the last one",
    given=lambda: [in_x <= exp(epsilon) * in_z + delta],
    proof=lambda: [
        step("the record", Le((1 - p) * in_x, (1 - p) * (exp(epsilon) * in_z + delta))),
        step("a draw", Le(p * mass_0, exp(epsilon) * (p * mass_0))),
        step("delta", Le((1 - p) * delta, delta)),
        step(
            "together",
            Le(contaminated(in_x, mass_0), exp(epsilon) * contaminated(in_z, mass_0) + delta),
        ),
    ],
)
def contamination_of_the_last_record():
    """Chance of an event where the last record is contaminated."""
    return Le(
        weight * contaminated(in_x, mass_0),
        exp(epsilon) * (weight * contaminated(in_z, mass_0)) + delta * weight,
    )


@claim(
    "remark-2",
    place="Remark 2: contamination inside the mechanism keeps (epsilon, delta), for any mechanism and event; omega stands for the "
    "other records after their contamination, of any distribution, a_x, a_z and a_g for the chance of the event with the last record "
    "that of X, that of Z, or a draw from g",
    given=lambda: [
        Every(data, chance_x(data) <= exp(epsilon) * chance_z(data) + delta),
        Ge(chance_at_run_time(chance_x), 0),
        Ge(chance_at_run_time(chance_z), 0),
    ],
    using=[
        (
            "note-remark-2",
            lambda: {
                in_x: chance_x(data),
                in_z: chance_z(data),
                mass_0: chance_g(data),
                weight: datasets.density(data),
            },
        )
    ],
)
def contamination_at_run_time():
    """Privacy of a mechanism that contaminates its data."""
    return Le(
        chance_at_run_time(chance_x),
        exp(epsilon) * chance_at_run_time(chance_z) + delta,
    )


@claim(
    "note-remark-2-amplified",
    place="Remark 2, sharpened: the record or its replacement, and any neighbour, by (1)",
    given=lambda: [
        answer_0 <= exp(epsilon) * answer_1 + delta,
        answer_0 <= exp(epsilon) * share + delta,
    ],
)
def contamination_amplifies():
    """Privacy of a mechanism that contaminates its data, with the smaller epsilon and delta."""
    smaller = 1 + (1 - p) * (exp(epsilon) - 1)
    return Le(
        contaminated(answer_0, share),
        smaller * contaminated(answer_1, share) + (1 - p) * delta,
    )


# --- the posterior in two parts -------------------------------------------------------------------


def m_n(part=None):
    """m_n of a set of parameters, before eq. 4: the mean over the prior of the ratio of the likelihoods."""
    return prior_mean(weighed(part, f_of(x, theta) / f_at(x)))


@claim(
    "eq-4",
    place="Section 2.3, eq. 2 and 4; x is the dataset, f(x, theta) its likelihood and f_0(x) that at theta*",
    given=lambda: [Gt(likelihood_on(), 0), Ge(likelihood_on(inside(A)), 0)],
    proof=lambda: [
        step("of A, times a number", Eq(m_n(inside(A)) * f_at(x), likelihood_on(inside(A)))),
        step("of all, times the same", Eq(m_n() * f_at(x), likelihood_on())),
    ],
)
def posterior_by_likelihood_ratios():
    """Posterior probability as a ratio of two integrals of the likelihood ratio."""
    return Eq(likelihood_on(inside(A)) / likelihood_on(), m_n(inside(A)) / m_n())


def likelihood_on(part=None):
    """Mean over the prior of the likelihood on a set of parameters."""
    return prior_mean(weighed(part, f_of(x, theta)))


def posterior(part, *rest):
    """Posterior probability of one part of the parameters."""
    return part / (part + sum(rest))


@claim(
    "note-proposition-1",
    place="Proposition 1: four parts of Omega, by S and A; the conditions bound the integrals over A "
    "by eta, record by record",
    given=lambda: [in_x <= eta * in_z, in_z + rest_z <= eta * (in_x + rest_x), in_x + rest_x > 0],
    proof=lambda: [
        step("the mass of A", Ge(in_x + rest_x, (in_z + rest_z) / eta)),
        step(
            "the mass of all parameters",
            Ge(
                eta * (in_x + rest_x + far_x + off_x) + far_z + off_z,
                in_z + rest_z + far_z + off_z,
            ),
        ),
    ],
)
def posterior_in_two_parts_of_integrals():
    """Privacy of a posterior draw, from a set of parameters and the mass outside it."""
    all_x, all_z = in_x + rest_x + far_x + off_x, in_z + rest_z + far_z + off_z
    return Le(
        (in_x + far_x) * all_z,
        eta * (eta * all_x + far_z + off_z) * (in_z + far_z) + (far_x + off_x) * all_z,
    )


@claim(
    "note-eq-7",
    place="Proposition 1, the third line of eq. 7: without the detour over A, which Section 4.1 uses",
    given=lambda: [in_x <= eta * in_z, in_x + rest_x + far_x + off_x > 0, in_z + rest_z > 0],
)
def sharper_bound_on_the_part_inside():
    """Posterior probability of S in A, against the probability given the neighbour."""
    all_x, all_z = in_x + rest_x + far_x + off_x, in_z + rest_z + far_z + off_z
    return Le(in_x / all_x, eta * (all_z / all_x) * (in_z / all_z))
